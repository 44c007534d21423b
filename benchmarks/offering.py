"""Needless offers: how often a text that changes nothing seems to replace a stored memory.

    python -m benchmarks.offering [--json] [--texts N] PATH…

PATH is a folder of a labelled set, whose scopes are talk, or a file of stores of notes
(`benchmarks/cues.jsonl`), all of which hold. The texts of a scope or a store go into a home of
their own, the last N (10) of the first 160 through `remember`, as one at a time would. Hardly any
of them changes what was said before, so nearly every offer is needless, and every retirement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.answering import stores_of
from benchmarks.report import arguments, percent, table
from mnemolog import Memory, MiniLM
from mnemolog.evaluation.labelled import read_set

LIMITS = "which of the few real changes among the texts were found; other languages than English."
_STORED = 160  # Texts of a scope or store at most


class Offers(msgspec.Struct, frozen=True):
    """Shares of texts with an offer, and with a memory retired or contested."""

    name: str
    texts: int
    offered: float
    acted: float


def measure(path: Path, last: int) -> Offers:
    """Shares for the last texts of each scope or store."""
    model, told, offered, acted = MiniLM(), 0, 0, 0
    for texts in _groups(path):
        with TemporaryDirectory() as work, Memory.open(Path(work) / "home", embedder=model) as home:
            home.remember_many(texts[:-last], contradictions="off")
            for text in texts[-last:]:
                receipt = home.remember(text)
                told += 1
                offered += bool(receipt.may_replace)
                acted += bool(receipt.conflicts)
    return Offers(path.name, told, offered / max(told, 1), acted / max(told, 1))


def _groups(path: Path) -> Iterator[Sequence[str]]:
    if path.is_file():
        yield from (store.notes[:_STORED] for store in stores_of(path))
    else:
        yield from ([one.text for one in of[:_STORED]] for of in read_set(path).texts.values())


def main() -> None:
    """Measure with the paths given on the command line."""
    parser = arguments("Measure how often what changes nothing seems to replace a memory.")
    parser.add_argument("--texts", type=int, default=10, metavar="N", help="texts of each group")
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH")
    given = parser.parse_args()
    measured = [measure(path, given.texts) for path in given.paths]
    if given.json:
        print(msgspec.json.encode(measured).decode())
        return
    rows = [
        (one.name, str(one.texts), percent(one.offered), percent(one.acted)) for one in measured
    ]
    header = ("set", "texts", "with an offer, %", "acted, %")
    print(f"## Needless offers\n\nWhat this does not show: {LIMITS}\n\n{table(header, rows)}")


if __name__ == "__main__":
    main()
