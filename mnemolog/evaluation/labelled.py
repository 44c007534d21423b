"""Labelled sets and the measures taken on them: rankings, intervals, and judges of support.

A labelled set has texts in conversation order, queries, and the texts that answer each. It is
a directory with `corpus.jsonl` (`_id`, `text`, in conversation order; optional
`scope`, `role`, `speaker` and `date`), `queries.jsonl` (`_id`, `text`; optional `scope`,
`cat` and `answer`) and `qrels.tsv` (query id, corpus id, grade; a header line is skipped).
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec
import numpy as np

from mnemolog.language.sentences import sentence_texts
from mnemolog.ledger.errors import InvalidField, MalformedFile, MalformedSet
from mnemolog.ledger.files import bounded_lines, open_regular
from mnemolog.ledger.vocabulary import decode_json
from mnemolog.policies.memories import checked_space
from mnemolog.results import Value

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels.tsv"
Grades = dict[str, int]
_Line = TypeVar("_Line")
_COLUMNS = 3
_GRADE = re.compile(r"-?\d{1,9}", re.ASCII)

DEPTH = 10
RESAMPLES, LEAST_RESAMPLES = 2_000, 1_000
_CONFIDENCE, _AT_ONCE = 0.95, 1 << 20
_SUPPORTED, _BEARS = 0.75, 0.5
_NEGATED = re.compile(
    r"\b(not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b"
    "|n['\N{RIGHT SINGLE QUOTATION MARK}]t\\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")


class LabelledText(msgspec.Struct, frozen=True):
    """Text of a corpus; `date` is in the set's own form."""

    id: str = msgspec.field(name="_id")
    text: str
    scope: str = "default"
    role: str | None = None
    speaker: str | None = None
    date: str | int | float | None = None


class Query(msgspec.Struct, frozen=True):
    """Query, asked only inside its scope, with its reference answer."""

    id: str = msgspec.field(name="_id")
    text: str
    scope: str = "default"
    category: str | int | None = msgspec.field(name="cat", default=None)
    answer: str | int | float | list[str] | None = None

    @property
    def reference(self) -> str | None:
        """Reference answer as text; None if the set has none."""
        if isinstance(self.answer, list):
            return "\n".join(self.answer) or None
        return None if self.answer is None else str(self.answer) or None


_Scoped = TypeVar("_Scoped", LabelledText, Query)


class LabelledSet(msgspec.Struct, frozen=True):
    """Texts and queries by scope, and the grade of each text that answers a query."""

    name: str
    texts: dict[str, list[LabelledText]]
    queries: dict[str, list[Query]]
    gold: dict[str, Grades]

    @property
    def asked(self) -> list[Query]:
        """Queries that have an answer, scope by scope."""
        return [q for queries in self.queries.values() for q in queries if self.gold.get(q.id)]


def read_set(path: Path) -> LabelledSet:
    """Labelled set of a directory. Raises `MalformedSet` with the file and the line."""
    texts = _records(path / CORPUS, LabelledText, "text")
    queries = _records(path / QUERIES, Query, "query")
    gold = _gold(path / QRELS, texts, queries)
    return LabelledSet(path.resolve().name, _by_scope(texts), _by_scope(queries), gold)


def _records(file: Path, form: type[_Scoped], called: str) -> dict[str, _Scoped]:
    found: dict[str, _Scoped] = {}
    for number, line in _decoded(file, form):
        if line.id in found:
            raise MalformedSet(file, number, f"{line.id!r} was there before", "give each an id")
        if not line.text.strip():
            raise MalformedSet(file, number, "its text is empty", "give a text, or leave it out")
        try:
            checked_space(line.scope)
        except InvalidField as error:
            raise MalformedSet(file, number, f"its scope {error.problem}", error.fix) from None
        found[line.id] = line
    if not found:
        raise MalformedSet(file, None, f"holds no {called}", "give one object a line")
    return found


def _by_scope(found: Mapping[str, _Scoped]) -> dict[str, list[_Scoped]]:
    scopes: dict[str, list[_Scoped]] = {}
    for one in found.values():
        scopes.setdefault(one.scope, []).append(one)
    return scopes


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Non-empty lines of a file, numbered from 1."""
    fix = f"a set is a directory with {CORPUS}, {QUERIES} and {QRELS}"
    try:
        with open_regular(file) as opened:
            for number, line in enumerate(bounded_lines(opened, file), 1):
                try:
                    text = line.decode().removesuffix("\n")
                except UnicodeDecodeError as error:
                    problem = f"is no UTF-8 ({error})"
                    raise MalformedSet(file, number, problem, "encode it anew") from None
                if text.strip():
                    yield number, text
    except MalformedSet:
        raise
    except MalformedFile as error:
        raise MalformedSet(file, error.line, error.problem, fix) from None
    except (FileNotFoundError, NotADirectoryError):
        raise MalformedSet(file, None, "is missing", fix) from None


def _decoded(file: Path, form: type[_Line]) -> Iterator[tuple[int, _Line]]:
    decoder = msgspec.json.Decoder(form)
    for number, line in _lines(file):
        try:
            yield number, decode_json(decoder.decode, line.encode())
        except msgspec.DecodeError as error:
            fix = "give one JSON object a line, with `_id` and `text`"
            raise MalformedSet(file, number, str(error), fix) from None


def _gold(
    file: Path, texts: Mapping[str, LabelledText], queries: Mapping[str, Query]
) -> dict[str, Grades]:
    gold: dict[str, Grades] = {}
    for number, line in _lines(file):
        columns = line.rstrip("\r").split("\t")
        if len(columns) != _COLUMNS:
            fix = "give query id, corpus id and grade, with tabs between"
            raise MalformedSet(file, number, f"has {len(columns)} columns", fix)
        query_id, text_id, grade = columns
        if not _GRADE.fullmatch(grade.strip()):
            if number == 1 and query_id not in queries:
                continue
            problem = f"{grade!r:.40} is no grade"
            raise MalformedSet(file, number, problem, "give a whole number of at most 9 digits")
        for name, known, where in ((query_id, queries, QUERIES), (text_id, texts, CORPUS)):
            if name not in known:
                fix = "add it there, or take out the line"
                raise MalformedSet(file, number, f"{name!r} is not in {where}", fix)
        if queries[query_id].scope != texts[text_id].scope:
            problem = f"{query_id!r} and {text_id!r} are of different scopes"
            raise MalformedSet(file, number, problem, "a query is asked inside its scope alone")
        if int(grade) > 0:
            gold.setdefault(query_id, {})[text_id] = int(grade)
    return gold


class Answer(msgspec.Struct, frozen=True):
    """Answer that was given to a query."""

    id: str = msgspec.field(name="_id")
    answer: str


def read_answers(file: Path) -> dict[str, str]:
    """Answers by query id, from a JSON Lines file of `_id` and `answer`. Raises `MalformedSet`."""
    return {answer.id: answer.answer for _, answer in _decoded(file, Answer)}


class Measures(Value, frozen=True):
    """Ranking measures, each a mean over queries in [0, 1]."""

    queries: int
    recall_at_5: float
    recall_at_10: float
    ndcg_at_10: float
    mrr_at_10: float


def measured(rankings: Mapping[str, Sequence[str]], gold: Mapping[str, Grades]) -> Measures:
    """Mean measures over the ranked queries; every one of them must have gold."""
    each = np.array([ranked(ranking, gold[query]) for query, ranking in rankings.items()])
    means = each.mean(axis=0) if len(each) else np.zeros(4)
    return Measures(len(each), *means.tolist())


def ranked(ranking: Sequence[str], gold: Grades) -> tuple[float, float, float, float]:
    """recall@5, recall@10, nDCG@10 and the reciprocal rank of the first answer in a ranking."""
    gains = [gold.get(found, 0) for found in ranking[:DEPTH]]
    ideal = sorted(gold.values(), reverse=True)[:DEPTH]
    return (
        sum(gain > 0 for gain in gains[:5]) / len(gold),
        sum(gain > 0 for gain in gains) / len(gold),
        _discounted(gains) / _discounted(ideal),
        next((1 / rank for rank, gain in enumerate(gains, 1) if gain), 0.0),
    )


def precision(ranking: Sequence[str], gold: Grades) -> float:
    """Precision of a list: the share of it that answers; 0 for an empty list."""
    return sum(found in gold for found in ranking) / max(1, len(ranking))


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


class Interval(Value, frozen=True):
    """Mean over a number of queries, with the 95 % interval of the resampled means."""

    mean: float
    low: float
    high: float
    queries: int


def interval(values: Sequence[float], resamples: int = RESAMPLES, seed: int = 0) -> Interval:
    """Mean of values with its percentile bootstrap interval (Efron 1979); zeros if empty."""
    given = np.asarray(values, np.float64)
    if not len(given):
        return Interval(0.0, 0.0, 0.0, 0)
    chance, means = np.random.default_rng(seed), list[float]()
    step = max(1, _AT_ONCE // len(given))
    for start in range(0, resamples, step):
        drawn = chance.integers(0, len(given), (min(step, resamples - start), len(given)))
        means += given[drawn].mean(axis=1).tolist()
    tail = 100 * (1 - _CONFIDENCE) / 2
    low, high = np.percentile(means, [tail, 100 - tail])
    return Interval(float(given.mean()), float(low), float(high), len(given))


class SupportJudge(Protocol):
    """Judge of an assembled context, and of an answer given from that context."""

    @property
    def name(self) -> str:
        """Name of the judge."""
        ...

    def bears(self, question: str, passage: str) -> bool:
        """True if a passage is relevant to a question."""
        ...

    def supports(self, passages: Sequence[str], statement: str) -> bool:
        """True if the passages support a statement."""
        ...


class WordJudge:
    """Judge by `terms`, stems without stop words: a lower bound, as it knows no paraphrase."""

    name = "words"

    def __init__(self, terms: Callable[[str], Iterable[str]]) -> None:
        self._terms = terms

    def bears(self, question: str, passage: str) -> bool:
        """True if a passage holds half of the question's terms."""
        return self._share(question, passage) >= _BEARS

    def supports(self, passages: Sequence[str], statement: str) -> bool:
        """True if a passage holds 3/4 of a statement's terms and its numbers, negated alike."""
        numbers, negated = {*_NUMBER.findall(statement)}, bool(_NEGATED.search(statement))
        share = partial(self._share, statement)
        return any(
            share(passage) >= _SUPPORTED
            and numbers <= {*_NUMBER.findall(passage)}
            and negated == bool(_NEGATED.search(max(sentence_texts(passage), key=share)))
            for passage in passages
        )

    def _share(self, wanted: str, passage: str) -> float:
        terms = frozenset(self._terms(wanted))
        return len(terms.intersection(self._terms(passage))) / max(1, len(terms))


def faithfulness(judge: SupportJudge, passages: Sequence[str], answer: str) -> float | None:
    """Share of an answer's statements, not its questions, that passages support; None if none."""
    stated = [sentence for sentence in sentence_texts(answer) if not sentence.endswith("?")]
    if not stated:
        return None
    return sum(judge.supports(passages, statement) for statement in stated) / len(stated)
