"""Questions in which time matters: how often the right note comes first.

    python -m benchmarks.dating [--json] [FILE]

FILE (default: `benchmarks/dated.jsonl`) has one store a line: `notes`, each with the day `at` which
it was said, the day `now` of the questions, and `cues`, each with its `answer` as a place in
`notes`. A cue names a period, an order ("my last visit") or the distance to an event that another
note tells. In some stores all notes were said on one evening, and tell of days before it. Each note
is stored on its day, and asked through the public interface with default settings. BM25 and the
embedding model alone stand beside it; they know no times.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.report import arguments, percent, table
from benchmarks.retrieval import PlainBM25, PlainVectors
from mnemolog import Memory, MiniLM
from mnemolog.evaluation.labelled import LabelledText
from mnemolog.ledger.clock import Micros, from_datetime

LIMITS = "notes of a real user; other languages than English; stores of more than thirty notes."
_DATED = Path(__file__).with_name("dated.jsonl")


class Said(msgspec.Struct, frozen=True):
    """Note with the day on which it was said."""

    at: date
    text: str


class AskedOfTime(msgspec.Struct, frozen=True):
    """Cue with the place of the one note that answers it."""

    cue: str
    answer: int


class DatedStore(msgspec.Struct, frozen=True):
    """Notes of one person, and cues asked on a later day."""

    now: date
    notes: list[Said]
    cues: list[AskedOfTime]


class Dates(msgspec.Struct, frozen=True):
    """Shares of cues by way of searching; a list only where the way has an end."""

    way: str
    cues: int
    first: float
    in_list: float | None


class DayClock:
    """Clock that stands at the noon of a day."""

    def __init__(self, day: date) -> None:
        self.day = day

    def now(self) -> Micros:
        """The noon of the day, in UTC."""
        return from_datetime("day", datetime.combine(self.day, time(12), UTC))


def stores_of(file: Path) -> list[DatedStore]:
    """Stores in a file, one a line."""
    return [msgspec.json.decode(line, type=DatedStore) for line in file.read_bytes().splitlines()]


def measure(stores: Sequence[DatedStore]) -> list[Dates]:
    """Shares of cues whose answer comes first, and of those whose list holds it."""
    found: dict[str, list[tuple[int, list[int]]]] = {"recall": [], "BM25": [], "MiniLM": []}
    model = MiniLM()
    for store in stores:
        texts = [LabelledText(str(place), note.text) for place, note in enumerate(store.notes)]
        words = PlainBM25(texts)
        meanings = PlainVectors(texts, model.embed([note.text for note in store.notes]))
        clock = DayClock(store.now)
        with (
            TemporaryDirectory() as work,
            Memory.open(Path(work) / "home", embedder=model, clock=clock) as home,
        ):
            places = {}
            for place, note in enumerate(store.notes):
                clock.day = note.at
                places[home.remember(note.text, contradictions="off").memory_id] = place
            clock.day = store.now
            for one in store.cues:
                vector = model.embed([one.cue])[0]
                hits = [places[hit.memory_id] for hit in home.recall(one.cue).hits]
                found["recall"].append((one.answer, hits))
                for way, ranked in (
                    ("BM25", words.ranking(one.cue)),
                    ("MiniLM", meanings.ranking(vector)),
                ):
                    found[way].append((one.answer, [int(place) for place in ranked[:1]]))
    return [_dates(way, asked) for way, asked in found.items()]


def _dates(way: str, asked: Sequence[tuple[int, list[int]]]) -> Dates:
    size = max(len(asked), 1)
    first = sum(hits[:1] == [answer] for answer, hits in asked) / size
    held = sum(answer in hits for answer, hits in asked) / size
    return Dates(way, len(asked), first, held if way == "recall" else None)


def main() -> None:
    """Measure with the file given on the command line."""
    parser = arguments("Measure how often the right note of several times comes first.")
    parser.add_argument("file", type=Path, nargs="?", default=_DATED)
    given = parser.parse_args()
    measured = measure(stores_of(given.file))
    if given.json:
        print(msgspec.json.encode(measured).decode())
        return
    rows = [
        (
            one.way,
            str(one.cues),
            percent(one.first),
            "" if one.in_list is None else percent(one.in_list),
        )
        for one in measured
    ]
    header = ("way", "cues", "answer first, %", "in the list, %")
    print(f"## Dates in cues\n\nWhat this does not show: {LIMITS}\n\n{table(header, rows)}")


if __name__ == "__main__":
    main()
