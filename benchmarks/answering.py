"""Lists of hits: how much of what answers a cue they hold, and how little else.

    python -m benchmarks.answering [--json] [FILE]

FILE (default: `benchmarks/cues.jsonl`) has one store a line: `notes`, and `cues`, each with the
`answers` that the notes hold, as places in `notes`. Each store becomes a home, asked through the
public interface with default settings. BM25 and the embedding model alone stand beside it; they
have no end of their own, so each gets as many hits as its answer has.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.report import arguments, percent, table
from benchmarks.retrieval import PlainBM25, PlainVectors
from mnemolog import Memory, MiniLM
from mnemolog.evaluation.labelled import LabelledText

LIMITS = "notes of a real user; other languages than English; stores of more than forty notes."
_CUES = Path(__file__).with_name("cues.jsonl")


class Asked(msgspec.Struct, frozen=True):
    """Cue with the places of the notes that answer it."""

    cue: str
    answers: list[int]


class Store(msgspec.Struct, frozen=True):
    """Notes of one small world, and cues for them."""

    notes: list[str]
    cues: list[Asked]


class Lists(msgspec.Struct, frozen=True):
    """Shares of cues by way of searching; of empty lists only where the way has an end."""

    way: str
    cues: int
    first: float
    precision: float
    recall: float
    empty_with_answer: float | None
    empty_without: float | None


def stores_of(file: Path) -> list[Store]:
    """Stores in a file, one a line."""
    return [msgspec.json.decode(line, type=Store) for line in file.read_bytes().splitlines()]


def measure(stores: Sequence[Store]) -> list[Lists]:
    """Shares for cues with one answer, and of empty lists for those without."""
    found: dict[str, list[tuple[Asked, list[int]]]] = {"recall": [], "BM25": [], "MiniLM": []}
    model = MiniLM()
    for store in stores:
        texts = [LabelledText(str(place), note) for place, note in enumerate(store.notes)]
        words, meanings = PlainBM25(texts), PlainVectors(texts, model.embed(store.notes))
        with TemporaryDirectory() as work, Memory.open(Path(work) / "home", embedder=model) as home:
            receipts = home.remember_many(store.notes, contradictions="off")
            places = {one.memory_id: place for place, one in enumerate(receipts)}
            for one in store.cues:
                vector = model.embed([one.cue])[0]
                hits = [places[hit.memory_id] for hit in home.recall(one.cue, vector=vector).hits]
                found["recall"].append((one, hits))
                for way, ranked in (
                    ("BM25", words.ranking(one.cue)),
                    ("MiniLM", meanings.ranking(vector)),
                ):
                    found[way].append((one, [int(place) for place in ranked[: len(one.answers)]]))
    return [_lists(way, asked) for way, asked in found.items()]


def _lists(way: str, asked: Sequence[tuple[Asked, list[int]]]) -> Lists:
    single = [(one.answers[0], hits) for one, hits in asked if len(one.answers) == 1]
    without = [hits for one, hits in asked if not one.answers]
    shown = [(answer in hits) / len(hits) for answer, hits in single if hits]
    ends = way == "recall"
    return Lists(
        way,
        len(single),
        first=_mean([hits[:1] == [answer] for answer, hits in single]),
        precision=_mean(shown),
        recall=_mean([answer in hits for answer, hits in single]),
        empty_with_answer=_mean([not hits for _, hits in single]) if ends else None,
        empty_without=_mean([not hits for hits in without]) if ends else None,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(len(values), 1)


def main() -> None:
    """Measure with the file given on the command line."""
    parser = arguments("Measure whether lists of hits hold what answers a cue, and little else.")
    parser.add_argument("file", type=Path, nargs="?", default=_CUES)
    given = parser.parse_args()
    measured = measure(stores_of(given.file))
    if given.json:
        print(msgspec.json.encode(measured).decode())
        return
    header = (
        "way", "cues", "answer first, %", "precision, %", "recall, %", "empty with answer, %",
        "empty without, %",
    )  # fmt: skip
    rows = [
        (one.way, str(one.cues), *map(_percent, msgspec.structs.astuple(one)[2:]))
        for one in measured
    ]
    print(f"## Lists of hits\n\nWhat this does not show: {LIMITS}\n\n{table(header, rows)}")


def _percent(share: float | None) -> str:
    return "" if share is None else percent(share)


if __name__ == "__main__":
    main()
