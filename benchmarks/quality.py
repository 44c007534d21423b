"""How well recall finds what answers a question, on labelled sets given by path.

    python -m benchmarks.quality [--work DIR] [--json] PATH...

Each scope of a set becomes a space and its texts are remembered in the order of
the talk, through the public face with default settings. Beside the strategies
stand a plain BM25 and the embedding model alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.report import arguments, conditions, percent, table, workplace
from benchmarks.retrieval import PlainBM25, PlainVectors, Vectors
from mnemolog import MiniLM
from mnemolog.evaluation.evaluating import DEPTH, Measures, held, measured, opened
from mnemolog.evaluation.labelled import LabelledSet, read_set

LIMITS = (
    "how good the answers are that a model makes of what is found; other languages than English; "
    "other conversations than these, which were looked at while methods were chosen, so expect "
    "less elsewhere. A text counts as found only if it is labelled, though others may answer too."
)
STRATEGIES = ("hybrid", "rrf", "keyword", "semantic")
YARDSTICKS = ("BM25", "MiniLM")
_ALL = "all"

Rankings = dict[str, dict[str, list[str]]]
"""Found ids, by way of searching and by query id."""


class Quality(msgspec.Struct, frozen=True):
    """The measures of one set: by category (`all` among them) and by way of searching."""

    name: str
    scopes: int
    texts: int
    measures: dict[str, dict[str, Measures]]


def measure(labelled: LabelledSet, work: Path) -> Quality:
    """The measures of a set; homes and vectors are kept under `work`."""
    rankings = _rankings(labelled, work / f"quality-{labelled.name}")
    categories: dict[str, list[str]] = defaultdict(list)
    for query in labelled.asked:
        categories[_ALL].append(query.id)
        categories[str(query.category)].append(query.id)
    return Quality(
        labelled.name,
        len(labelled.texts),
        sum(map(len, labelled.texts.values())),
        {
            category: {
                way: measured({query: found[query] for query in queries}, labelled.gold)
                for way, found in rankings.items()
            }
            for category, queries in sorted(categories.items())
        },
    )


def _rankings(labelled: LabelledSet, work: Path) -> Rankings:
    work.mkdir(parents=True, exist_ok=True)
    rankings: Rankings = {way: {} for way in (*STRATEGIES, *YARDSTICKS)}
    model = MiniLM()
    for scope, texts in labelled.texts.items():
        queries = [q for q in labelled.queries.get(scope, []) if labelled.gold.get(q.id)]
        cues = _embedded(model, [query.text for query in queries], work / f"{scope}.cues.npy")
        vectors = _embedded(model, [text.text for text in texts], work / f"{scope}.texts.npy")
        words, meanings = PlainBM25(texts), PlainVectors(texts, vectors)
        with opened(work / "home", scope, model) as memory:
            ids = held(memory, texts)
            for query, vector in zip(queries, cues, strict=True):
                for strategy in STRATEGIES:
                    found = memory.recall(query.text, limit=DEPTH, strategy=strategy, vector=vector)
                    rankings[strategy][query.id] = [ids[hit.memory_id] for hit in found.hits]
                rankings["BM25"][query.id] = words.ranking(query.text)
                rankings["MiniLM"][query.id] = meanings.ranking(vector)
    return rankings


def _embedded(model: MiniLM, texts: Sequence[str], kept: Path) -> Vectors:
    """One unit vector a text, kept in a file for the next run."""
    if kept.exists():
        vectors: Vectors = np.load(kept)
        if len(vectors) == len(texts):
            return vectors
    vectors = model.embed(texts)
    np.save(kept, vectors)
    return vectors


def markdown(quality: Quality) -> str:
    """A set's measures as Markdown: all queries at full width, categories by recall@10."""
    everything = quality.measures[_ALL]
    ways = list(everything)
    queries = everything[ways[0]].queries
    better = max(everything[way].recall_at_10 for way in YARDSTICKS)
    rows = [
        [way, *(percent(share) for share in msgspec.structs.astuple(measures)[1:])]
        for way, measures in everything.items()
    ]
    by_category = [
        [category, str(found[ways[0]].queries), *(percent(found[w].recall_at_10) for w in ways)]
        for category, found in quality.measures.items()
        if category != _ALL
    ]
    summary = (
        f"{quality.scopes} scopes, {quality.texts} texts, {queries} questions with an answer. "
        f"recall@10 of `hybrid` is {percent(everything['hybrid'].recall_at_10)} %, of the "
        f"better yardstick {percent(better)} %."
    )
    return "\n".join(
        [
            f"### {quality.name}",
            "",
            summary,
            "",
            table(("%", "recall@5", "recall@10", "nDCG@10", "MRR@10"), rows),
            "",
            "recall@10 by category:",
            "",
            table(("category", "questions", *ways), by_category),
        ]
    )


def main() -> None:
    """Measure the sets given on the command line and print the figures."""
    parser = arguments("Measure retrieval quality on labelled sets.")
    parser.add_argument("sets", metavar="PATH", nargs="+", type=Path, help="a set's directory")
    given = parser.parse_args()
    with workplace(given.work) as work:
        found = [measure(read_set(path), work) for path in given.sets]
        if given.json:
            print(msgspec.json.encode(found).decode())
            return
        print(f"## Retrieval quality\n\nWhat this does not show: {LIMITS}\n")
        print("; ".join(f"{name} {value}" for name, value in conditions(work).items()))
        for quality in found:
            print(f"\n{markdown(quality)}")


if __name__ == "__main__":
    main()
