"""Plans: how many options that break a limit are blamed for it, and how many others.

    python -m benchmarks.planning [FILE] [--json] [--writer WRITER ...]

FILE (default: `benchmarks/plans.jsonl`) has one case a line: `notes`, a `goal`, `options`, and for
each option the places in `notes` of the limits that it breaks (`blames`). Each case becomes a home,
asked through the public interface, by rules alone and by default. Of the default file, the cases of
those writers count on which nothing was trained or chosen. A case is exactly right if each option
that breaks a limit is blamed for one that it breaks, and no other option is blamed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.judging import share
from benchmarks.report import arguments, percent, table
from mnemolog import Memory, MiniLM

LIMITS = "limits of a real user; other languages than English; memories of more than ten notes."
_UNSEEN = (24, 25, 26, 27)  # Writers on whose cases nothing was trained or chosen
_PLANS = Path(__file__).with_name("plans.jsonl")


class Case(msgspec.Struct, frozen=True):
    """Notes, a goal, options, and for each option the places of the limits that it breaks."""

    notes: list[str]
    goal: str
    options: list[str]
    blames: list[list[int]]
    writer: int = 0


class Blames(msgspec.Struct, frozen=True):
    """Shares of cases exactly right, of breaking options blamed, and of clean ones blamed."""

    cases: int
    exact: float
    breaking: int
    found: float
    clean: int
    wrong: float


def cases_of(file: Path) -> list[Case]:
    """Cases of a file."""
    return [msgspec.json.decode(line, type=Case) for line in file.read_bytes().splitlines()]


def measure(cases: Sequence[Case], reranker: str = "notes") -> Blames:
    """Shares over all cases with a value of the setting `reranker`: if `off`, rules judge alone."""
    model = MiniLM()
    exact: list[bool] = []
    found: list[bool] = []
    wrong: list[bool] = []
    for one in cases:
        blamed = _blamed(one, model, reranker)
        rights = [
            bool(given & set(right)) if right else not given
            for given, right in zip(blamed, one.blames, strict=True)
        ]
        exact.append(all(rights))
        for hit, right in zip(rights, one.blames, strict=True):
            (found if right else wrong).append(hit if right else not hit)
    return Blames(len(exact), share(exact), len(found), share(found), len(wrong), share(wrong))


def _blamed(case: Case, model: MiniLM, reranker: str) -> list[set[int]]:
    """For each option the places of the notes that it is blamed for."""
    with TemporaryDirectory() as work, Memory.open(Path(work) / "home", embedder=model) as home:
        home.configure({"reranker": reranker})
        receipts = home.remember_many(case.notes, contradictions="off")
        places = {one.memory_id: place for place, one in enumerate(receipts)}
        blamed: list[set[int]] = [set() for _ in case.options]
        for option in home.plan(case.goal, case.options):
            blamed[option.index] = {places[one.memory_id] for one in option.violations}
    return blamed


def main() -> None:
    """Measure with the file given on the command line."""
    parser = arguments("Measure which options are blamed for the limits in memory.")
    parser.add_argument("--writer", type=int, nargs="*", help="only what these wrote")
    parser.add_argument("file", type=Path, nargs="?", default=_PLANS)
    given = parser.parse_args()
    writers = given.writer or (_UNSEEN if given.file == _PLANS else ())
    cases = [one for one in cases_of(given.file) if not writers or one.writer in writers]
    measured = {"rules": measure(cases, "off"), "rules and model": measure(cases)}
    if given.json:
        print(msgspec.json.encode(measured).decode())
        return
    header = ("by", "cases", "exactly right, %", "breaking", "blamed, %", "clean", "blamed, %")
    rows = [
        (
            name, str(one.cases), percent(one.exact), str(one.breaking), percent(one.found),
            str(one.clean), percent(one.wrong),
        )
        for name, one in measured.items()
    ]  # fmt: skip
    print(f"## Plans\n\nWhat this does not show: {LIMITS}\n\n{table(header, rows)}")


if __name__ == "__main__":
    main()
