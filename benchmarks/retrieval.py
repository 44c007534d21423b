"""Labelled sets, the measures of retrieval, and the plain searches to compare with.

A set is a directory with `corpus.jsonl` (`_id`, `scope`, `text`, in the order of
the talk; `role` where there is one), `queries.jsonl` (`_id`, `scope`, `text`,
`cat`) and `qrels.tsv` (query id, corpus id, grade).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import tantivy

DEPTH = 10
Grades = dict[str, int]
Vectors = npt.NDArray[np.float32]


class Text(msgspec.Struct, frozen=True):
    """One text of a corpus."""

    id: str = msgspec.field(name="_id")
    scope: str
    text: str
    role: str | None = None


class Query(msgspec.Struct, frozen=True):
    """One question, asked inside its scope alone."""

    id: str = msgspec.field(name="_id")
    scope: str
    text: str
    category: str | int | None = msgspec.field(name="cat", default=None)


class LabelledSet(msgspec.Struct, frozen=True):
    """Texts and queries by scope, and the grade of each text that answers a query."""

    name: str
    texts: dict[str, list[Text]]
    queries: dict[str, list[Query]]
    gold: dict[str, Grades]

    @property
    def asked(self) -> list[Query]:
        """The queries that have an answer, scope by scope."""
        return [q for queries in self.queries.values() for q in queries if self.gold.get(q.id)]


class Measures(msgspec.Struct, frozen=True):
    """How well rankings answer queries, each a mean over them in [0, 1]."""

    queries: int
    recall_at_5: float
    recall_at_10: float
    ndcg_at_10: float
    mrr_at_10: float


def read_set(path: Path) -> LabelledSet:
    """The set in a directory."""
    texts: dict[str, list[Text]] = defaultdict(list)
    for text in msgspec.json.Decoder(Text).decode_lines((path / "corpus.jsonl").read_bytes()):
        texts[text.scope].append(text)
    queries: dict[str, list[Query]] = defaultdict(list)
    for query in msgspec.json.Decoder(Query).decode_lines((path / "queries.jsonl").read_bytes()):
        queries[query.scope].append(query)
    gold: dict[str, Grades] = defaultdict(dict)
    for line in (path / "qrels.tsv").read_text().splitlines():
        query_id, text_id, grade = line.split("\t")
        if int(grade) > 0:
            gold[query_id][text_id] = int(grade)
    return LabelledSet(path.name, dict(texts), dict(queries), dict(gold))


def measured(rankings: Mapping[str, Sequence[str]], gold: Mapping[str, Grades]) -> Measures:
    """The means over the queries that were ranked, all of which have gold."""
    each = np.array([_measured(ranking, gold[query]) for query, ranking in rankings.items()])
    recall_at_5, recall_at_10, ndcg, mrr = each.mean(axis=0) if len(each) else np.zeros(4)
    return Measures(len(each), float(recall_at_5), float(recall_at_10), float(ndcg), float(mrr))


def _measured(ranking: Sequence[str], gold: Grades) -> tuple[float, float, float, float]:
    """recall@5, recall@10, nDCG@10 and the reciprocal rank of the first answer."""
    gains = [gold.get(found, 0) for found in ranking[:DEPTH]]
    ideal = sorted(gold.values(), reverse=True)[:DEPTH]
    first = next((rank for rank, gain in enumerate(gains, 1) if gain), 0)
    return (
        sum(gain > 0 for gain in gains[:5]) / len(gold),
        sum(gain > 0 for gain in gains) / len(gold),
        _discounted(gains) / _discounted(ideal),
        1 / first if first else 0.0,
    )


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


class PlainBM25:
    """BM25 over the whole cue: k1 = 1.2, b = 0.75, stemmed English words, no stop words."""

    k1 = 1.2
    b = 0.75

    def __init__(self, texts: Sequence[Text]) -> None:
        self._ids = [text.id for text in texts]
        self._analyzer = (
            tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
            .filter(tantivy.Filter.lowercase())
            .filter(tantivy.Filter.stemmer("english"))
            .build()
        )
        counts = [Counter(self._analyzer.analyze(text.text)) for text in texts]
        lengths = np.array([count.total() for count in counts], np.float64)
        self._norms = self.k1 * (1 - self.b + self.b * lengths / lengths.mean())
        self._holders: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for index, count in enumerate(counts):
            for word, often in count.items():
                self._holders[word].append((index, often))

    def ranking(self, cue: str) -> list[str]:
        """The ids of the best texts; those that share no word with the cue left out."""
        scores = np.zeros(len(self._ids))
        for word in self._analyzer.analyze(cue):
            holders = self._holders.get(word, [])
            weight = math.log1p((len(self._ids) - len(holders) + 0.5) / (len(holders) + 0.5))
            for index, often in holders:
                scores[index] += weight * often * (self.k1 + 1) / (often + self._norms[index])
        best = np.argsort(-scores, kind="stable")[:DEPTH]
        return [self._ids[index] for index in best if scores[index] > 0]


class PlainVectors:
    """The nearest texts by cosine, each text embedded as it stands."""

    def __init__(self, texts: Sequence[Text], vectors: Vectors) -> None:
        self._ids = [text.id for text in texts]
        self._vectors = vectors

    def ranking(self, vector: Vectors) -> list[str]:
        """The ids of the nearest texts."""
        best = np.argsort(-(self._vectors @ vector), kind="stable")[:DEPTH]
        return [self._ids[index] for index in best]
