"""How well a judge tells whether a new statement replaces an old one, by writer.

    python -m benchmarks.judging PAIRS [CHANGES] [--json] [--writer NUMBER ...]

PAIRS is a file with one JSON object a line: `old`, `new`, `relation` (replaces, replaces_part,
repeats, refines or separate) and `writer`. CHANGES has `memories`, `sentence` and `target`, the
place of the memory that the sentence makes untrue, or null. Give lists that the model was not
trained on. The rules alone stand beside the built-in judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchmarks.report import arguments, table
from mnemolog.indexes.cross_encoder import built_in
from mnemolog.policies.contradictions.fitted import FittedJudge
from mnemolog.policies.contradictions.judge import CERTAIN, OFFERED, Judge, Statement
from mnemolog.policies.contradictions.rules import RuleJudge

LIMITS = (
    "other languages than English; conflicts that take more than two statements to see; what "
    "search finds to compare."
)
RELATIONS = ("replaces", "replaces_part", "repeats", "refines", "separate")


class Pair(msgspec.Struct, frozen=True):
    """An old and a new statement, their relation, and who wrote them."""

    old: str
    new: str
    relation: str
    writer: int


class Change(msgspec.Struct, frozen=True):
    """Stored statements, a new sentence, and the place of the one that it makes untrue.

    `cue` is a question that the old one answers, `answer` a few words of what now answers it.
    """

    memories: list[str]
    sentence: str
    target: int | None
    writer: int
    keeps: str | None = None
    cue: str = ""
    answer: str = ""


class Shares(msgspec.Struct, frozen=True):
    """Shares of conflicts and of other pairs that a judge is certain of, or offers."""

    judge: str
    conflicts: int
    found: float
    offered: float
    others: int
    wrong: float
    wrong_offered: float


def measure(judge: Judge, pairs: Sequence[Pair]) -> Shares:
    """Shares of conflicts and of other pairs that a judge finds."""
    sure: dict[bool, list[bool]] = {True: [], False: []}
    unsure: dict[bool, list[bool]] = {True: [], False: []}
    for one in pairs:
        found = judge.judge(Statement(one.new, said_at=2), Statement(one.old, said_at=1))
        confidence = 0.0 if found is None else found.confidence
        conflict = one.relation.startswith("replaces")
        sure[conflict].append(confidence >= CERTAIN)
        unsure[conflict].append(OFFERED <= confidence < CERTAIN)
    return Shares(
        judge=judge.name,
        conflicts=len(sure[True]),
        found=share(sure[True]),
        offered=share(unsure[True]),
        others=len(sure[False]),
        wrong=share(sure[False]),
        wrong_offered=share(unsure[False]),
    )


def ranked(judge: Judge, changes: Sequence[Change]) -> tuple[float, float]:
    """Shares of the targets that a judge holds for the likeliest, and for one of three."""
    places = []
    for one in changes:
        if one.target is not None:
            new, scores = Statement(one.sentence, said_at=2), []
            for memory in one.memories:
                found = judge.judge(new, Statement(memory, said_at=1))
                scores.append(0.0 if found is None else found.confidence)
            places.append(sum(score > scores[one.target] for score in scores))
    return share([place < 1 for place in places]), share([place < 3 for place in places])  # noqa: PLR2004


def share(held: Sequence[bool]) -> float:
    """Share of what holds, 0 of none."""
    return sum(held) / len(held) if held else 0.0


def pairs_of(file: Path) -> list[Pair]:
    """The pairs of a file."""
    return [msgspec.json.decode(line, type=Pair) for line in file.read_bytes().splitlines()]


def changes_of(file: Path) -> list[Change]:
    """The changes of a file."""
    return [msgspec.json.decode(line, type=Change) for line in file.read_bytes().splitlines()]


def main() -> None:
    """Measure on the files given on the command line."""
    parser = arguments("Measure how well replaced statements are recognised.")
    parser.add_argument("--writer", type=int, nargs="*", help="only what these wrote")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("changes", type=Path, nargs="?")
    given = parser.parse_args()
    wanted = given.writer
    pairs = [one for one in pairs_of(given.pairs) if wanted is None or one.writer in wanted]
    judges: list[Judge] = [FittedJudge(built_in("pairs").outputs), RuleJudge()]
    shares = [measure(judge, pairs) for judge in judges]
    if given.json:
        print(msgspec.json.encode(shares).decode())
        return
    header = ("judge", "conflicts", "found, %", "offered, %", "others", "found, %", "offered, %")
    rows = [
        (
            one.judge, str(one.conflicts), *_percents(one.found, one.offered),
            str(one.others), *_percents(one.wrong, one.wrong_offered),
        )
        for one in shares
    ]  # fmt: skip
    print(f"## Judging pairs\n\nWhat this does not show: {LIMITS}\n\n{table(header, rows)}")
    if given.changes is not None:
        first, three = ranked(judges[0], changes_of(given.changes))
        print(
            f"\nTarget of a change: likeliest {first:.1%}, one of the likeliest three {three:.1%}"
        )


def _percents(*shares: float) -> tuple[str, ...]:
    return tuple(f"{100 * share:.1f}" for share in shares)


if __name__ == "__main__":
    main()
