"""What a round of votes takes over 100,000 memories, and recall where much was learned.

    python -m benchmarks.voting [--work DIR] [--json] [--memories N] [--sessions N]

A session begins on a made-up cue, all five hits are voted on (one warm, the rest cold)
round by round, and it is resolved with the best hit of the last. Beside a round stands a
plain recall of the cue. Then the same recalls are asked of a home in which that many
sessions were resolved, and of its copy in which none was.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.recalling import Cue, built, opened, recall, timed
from benchmarks.report import (
    Figure,
    Report,
    Spell,
    arguments,
    conditions,
    interleaved,
    milliseconds,
    ratio,
    show,
    spell,
    workplace,
)
from benchmarks.talk import Language
from mnemolog import Memory, Session

LIMITS = (
    "the embedding of a query, 3 to 5 ms with the built-in model, and its loading, which a "
    "command of its own waits for when a session begins; real text; several clients at once; "
    "durability: the log may lose its last moments."
)
_CUES = 400
_ROUNDS = 8
_SESSIONS_A_ROUND = 5
_VOTED = 3
_RECALLS_A_ROUND = 20


class Sessions:
    """Sessions on one cue after the other, each step timed."""

    def __init__(self, memory: Memory, cues: Sequence[Cue]) -> None:
        self._memory = memory
        self._cues = iter(cues)
        self.spells: dict[str, list[Spell]] = {"start": [], "vote": [], "resolve": []}

    def one(self) -> list[Spell]:
        """A session to its end; how long its rounds of votes took."""
        cue, _ = next(self._cues)
        # Embedding is not what is measured: the language knows the cue again.
        session = self._timed("start", partial(self._memory.sessions.start, cue))
        for _ in range(_VOTED):
            votes = partial(self._memory.sessions.vote, session.session_id, _votes(session))
            session = self._timed("vote", votes)
        accepted = [hit.memory_id for hit in session.memories[:1]]
        resolving = partial(self._memory.sessions.resolve, session.session_id, accepted)
        self.spells["resolve"].append(spell(resolving))
        return self.spells["vote"][-_VOTED:]

    def _timed(self, step: str, work: Callable[[], Session]) -> Session:
        done: list[Session] = []
        self.spells[step].append(spell(lambda: done.append(work())))
        return done[0]


def _votes(session: Session) -> dict[str, str]:
    ids = [hit.memory_id for hit in session.memories]
    return dict.fromkeys(ids, "cold") | dict.fromkeys(ids[:1], "warm")


def measure(work: Path, memories: int, sessions: int) -> Report:
    """The figures of this machine."""
    language = Language()
    built_home = built(work, language, memories)
    home = work / "voting"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(built_home, home)
    texts = language.cues(_CUES, seed=13)
    cues = list(zip(texts, language.embed(texts), strict=True))
    try:
        with opened(home, language) as memory, opened(built_home, language) as untaught:
            memory.upkeep.index()
            untaught.upkeep.index()
            figures = _steps(memory, cues, memories)
            figures += _after(memory, untaught, cues, sessions)
    finally:
        shutil.rmtree(home)
    return Report("Votes", LIMITS, conditions(work), figures)


def _steps(memory: Memory, cues: Sequence[Cue], memories: int) -> list[Figure]:
    steps = Sessions(memory, cues)
    ahead = iter(cues)

    def recalls() -> list[Spell]:
        return timed(recall(memory), [next(ahead) for _ in range(_SESSIONS_A_ROUND)])

    def rounds() -> list[Spell]:
        return [one for _ in range(_SESSIONS_A_ROUND) for one in steps.one()]

    found = interleaved(_ROUNDS, {"recall": recalls, "vote": rounds})
    return [
        Figure(
            f"a round of votes, {memories:,} memories",
            milliseconds(found["vote"]),
            f"{ratio(found['vote'], found['recall']):.1f} times a recall of the same cue, "
            f"{milliseconds(found['recall'])}",
        ),
        Figure("a session's start", milliseconds(steps.spells["start"])),
        Figure("its resolution", milliseconds(steps.spells["resolve"])),
    ]


def _after(memory: Memory, untaught: Memory, cues: Sequence[Cue], sessions: int) -> list[Figure]:
    steps = Sessions(memory, [cues[number % len(cues)] for number in range(sessions)])
    for _ in range(sessions):
        steps.one()
    memory.upkeep.write_uses()
    some = cues[:_RECALLS_A_ROUND]
    found = interleaved(
        _ROUNDS,
        {
            "taught": partial(timed, recall(memory), some),
            "untaught": partial(timed, recall(untaught), some),
        },
    )
    return [
        Figure(
            f"recall after {sessions:,} resolved sessions",
            milliseconds(found["taught"]),
            f"{ratio(found['taught'], found['untaught']):.2f} times that without any, "
            f"{milliseconds(found['untaught'])}",
        )
    ]


def main() -> None:
    """Measure on this machine and print the figures."""
    parser = arguments("Measure rounds of votes, and recall where much was learned.")
    parser.add_argument("--memories", type=int, default=100_000, help="how many memories")
    parser.add_argument("--sessions", type=int, default=1_000, help="how many were resolved")
    given = parser.parse_args()
    with workplace(given.work) as work:
        show(measure(work, given.memories, given.sessions), as_json=given.json)


if __name__ == "__main__":
    main()
