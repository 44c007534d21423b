"""Gain of a reranker in recall, on labelled sets given by path, and its cost.

    python -m benchmarks.reranking [--reranker SETTING] [--work DIR] [--json] PATH...

Each question is asked twice in turn, with the reranker and without one, of the
same home with default settings otherwise. SETTING is a value of the setting
`reranker`: by default `cross-encoder`, the model of the extra `rerank`.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import msgspec

from benchmarks.report import Spell, arguments, conditions, cpu_s, spell, table, wall_s, workplace
from mnemolog import Hit, Memory, MiniLM
from mnemolog.application.home.rerankers import named_reranker
from mnemolog.evaluation.evaluating import DEPTH, held, measured, opened
from mnemolog.evaluation.labelled import LabelledSet, read_set
from mnemolog.recall.search.reranking import Reranker

LIMITS = (
    "how good the answers are that a model makes of what is found; other languages than English; "
    "other conversations than these, on which the fusion was tried; a machine with nothing else to "
    "do, nor one whose processor multiplies small integers faster or slower than this one."
)


class Reranking(msgspec.Struct, frozen=True):
    """Figures of one set and one way: shares in [0, 1], medians in milliseconds a recall."""

    name: str
    way: str
    queries: int
    recall_at_5: float
    recall_at_10: float
    mrr_at_10: float
    first: float
    ms: float
    cpu_ms: float


def measure(labelled: LabelledSet, reranker: Reranker, work: Path) -> list[Reranking]:
    """Figures of a set without the reranker and with it; the home is kept under `work`."""
    home, model = work / f"quality-{labelled.name}" / "home", MiniLM()
    home.parent.mkdir(parents=True, exist_ok=True)
    rankings: dict[str, dict[str, list[str]]] = defaultdict(dict)
    spells: dict[str, list[Spell]] = defaultdict(list)
    for scope, texts in labelled.texts.items():
        queries = [q for q in labelled.queries.get(scope, []) if labelled.gold.get(q.id)]
        with (
            opened(home, scope, model) as plain,
            Memory.open(home, scope, embedder=model, reranker=reranker) as reranked,
        ):
            ids = held(plain, texts)
            for query in queries:
                for memory in (plain, reranked):
                    way = "off" if memory is plain else reranker.name
                    hits, time = _asked(memory, query.text)
                    rankings[way][query.id] = [ids[hit.memory_id] for hit in hits]
                    spells[way].append(time)
    found = []
    for way, ranking in rankings.items():
        each = measured(ranking, labelled.gold)
        first = sum(hits[:1] != [] and hits[0] in labelled.gold[q] for q, hits in ranking.items())
        found.append(
            Reranking(
                name=labelled.name,
                way=way,
                queries=each.queries,
                recall_at_5=each.recall_at_5,
                recall_at_10=each.recall_at_10,
                mrr_at_10=each.mrr_at_10,
                first=first / each.queries,
                ms=1000 * wall_s(spells[way]),
                cpu_ms=1000 * cpu_s(spells[way]),
            )
        )
    return found


def _asked(memory: Memory, cue: str) -> tuple[list[Hit], Spell]:
    hits: list[Hit] = []
    time = spell(lambda: hits.extend(memory.recall(cue, limit=DEPTH)))
    return hits, time


def main() -> None:
    """Measure the sets given on the command line and print the figures."""
    parser = arguments("Measure what a reranker adds on labelled sets.")
    parser.add_argument("sets", metavar="PATH", nargs="+", type=Path, help="a set's directory")
    parser.add_argument("--reranker", default="cross-encoder", help="a value of the setting")
    given = parser.parse_args()
    reranker = named_reranker(given.reranker)
    if reranker is None:
        parser.error("--reranker off has nothing to measure")
    with workplace(given.work) as work:
        found = [one for path in given.sets for one in measure(read_set(path), reranker, work)]
        if given.json:
            print(msgspec.json.encode(found).decode())
            return
        print(f"### Reranking\n\nWhat this does not show: {LIMITS}\n")
        print("; ".join(f"{name} {value}" for name, value in conditions(work).items()) + ".\n")
        header = ("set", "questions", "reranker", "recall@5", "recall@10", "MRR@10", "first", "ms")
        rows = [
            (
                *(one.name, str(one.queries), one.way),
                *(f"{100 * share:.1f} %" for share in (one.recall_at_5, one.recall_at_10)),
                *(f"{100 * share:.1f} %" for share in (one.mrr_at_10, one.first)),
                f"{one.ms:.0f} (CPU {one.cpu_ms:.0f})",
            )
            for one in found
        ]
        print(table(header, rows))


if __name__ == "__main__":
    main()
