"""Whether recall knows what it does not know, on labelled sets given by path.

    python -m benchmarks.enough [--work DIR] [--json] PATH...

Three kinds of cues are asked of each scope: its own with an answer, its own
without one (where the set has such), and some of other scopes, which nothing here
answers. Beside how many lists are empty stands the area under the ROC curve of
the best hit's relevance: the chance that a cue with an answer gets the higher one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.report import arguments, conditions, table, workplace
from mnemolog import Memory, MiniLM
from mnemolog.evaluation.evaluating import held, opened
from mnemolog.evaluation.labelled import LabelledSet, Query, read_set

LIMITS = (
    "whether an answer made of what is found is right; other languages than English; cues that "
    "are foreign in part. A cue of another scope may by chance be answered here."
)
_FOREIGN = 60
_SEED = 1


class Answer(msgspec.Struct, frozen=True):
    """What one cue came to: relevance of the best hit, precision, and what the cut cost."""

    best: float
    hits: int
    precision: float | None = None
    recall: float | None = None
    uncut_precision: float | None = None
    uncut_recall: float | None = None


class Enough(msgspec.Struct, frozen=True):
    """The answers of one set by kind of cue."""

    name: str
    answerable: list[Answer]
    unanswerable: list[Answer]
    foreign: list[Answer]


def measure(labelled: LabelledSet, work: Path) -> Enough:
    """The answers to a set's cues; the home is kept under `work`."""
    folder = work / f"quality-{labelled.name}"
    folder.mkdir(parents=True, exist_ok=True)
    chance, found = random.Random(_SEED), Enough(labelled.name, [], [], [])
    for scope, texts in labelled.texts.items():
        own = labelled.queries.get(scope, [])
        others = [q for other, qs in labelled.queries.items() if other != scope for q in qs]
        with opened(folder / "home", scope, MiniLM()) as memory:
            ids = held(memory, texts)
            for query in own:
                gold = labelled.gold.get(query.id)
                answer = _asked(memory, query, {m for m, t in ids.items() if t in (gold or {})})
                (found.answerable if gold else found.unanswerable).append(answer)
            for query in chance.sample(others, min(_FOREIGN, len(others))):
                found.foreign.append(_asked(memory, query, set()))
    return found


def _asked(memory: Memory, query: Query, gold: set[str]) -> Answer:
    hits = memory.recall(query.text).hits
    best = hits[0].relevance if hits else 0.0
    if not gold:
        return Answer(best, len(hits))
    uncut = memory.recall(query.text, min_relevance=0).hits
    shares = [
        share
        for listed in (hits, uncut)
        for right in [sum(hit.memory_id in gold for hit in listed)]
        for share in (right / max(1, len(listed)), right / len(gold))
    ]
    return Answer(best, len(hits), *shares)


def area(some: Sequence[Answer], others: Sequence[Answer]) -> float:
    """The area under the ROC curve: how often one of `some` has the higher relevance."""
    high = np.array([answer.best for answer in some])[:, None]
    low = np.array([answer.best for answer in others])[None, :]
    return float(((high > low) + 0.5 * (high == low)).mean())


def _row(found: Enough) -> list[str]:
    own = found.answerable
    means = np.mean(
        [[a.precision, a.recall, a.uncut_precision, a.uncut_recall] for a in own], axis=0
    )
    unanswerable = found.unanswerable
    return [
        found.name,
        f"{area(own, found.foreign):.3f}",
        f"{area(own, unanswerable):.3f} of {len(unanswerable)}" if unanswerable else "",
        f"{100 * np.mean([not answer.hits for answer in found.foreign]):.0f} %",
        f"{100 * np.mean([not answer.hits for answer in own]):.1f} %",
        f"{np.mean([answer.hits for answer in own]):.1f}",
        f"{100 * means[0]:.1f} % ({100 * means[2]:.1f} %)",
        f"{100 * means[1]:.1f} % ({100 * means[3]:.1f} %)",
    ]


_HEADING = (
    "set", "area, foreign cues", "area, cues without an answer", "foreign cues left empty",
    "answerable cues left empty", "hits a list", "precision (uncut)", "recall@10 (uncut)",
)  # fmt: skip


def main() -> None:
    """Measure the sets given on the command line and print the figures."""
    parser = arguments("Measure whether recall ends where nothing answers.")
    parser.add_argument("sets", metavar="PATH", nargs="+", type=Path, help="a set's directory")
    given = parser.parse_args()
    with workplace(given.work) as work:
        found = [measure(read_set(path), work) for path in given.sets]
        if given.json:
            print(msgspec.json.encode(found).decode())
            return
        print(f"## Enough, and no more\n\nWhat this does not show: {LIMITS}\n")
        print("; ".join(f"{name} {value}" for name, value in conditions(work).items()))
        print(f"\n{table(_HEADING, [_row(one) for one in found])}")


if __name__ == "__main__":
    main()
