"""One of several processes that have to do with recall sessions of one home.

    python voting.py HOME WORK [SESSION [MEMORY]]

Says `ready`, waits for a line, and does its work; each line on standard output is one
acknowledged thing, written after the call that did it has returned: `started ID`,
`voted ID ROUND`, `resolved ID`, `over ID` where it was told that a session is over.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from hashed_words import HashedWords

from mnemolog import Memory, Session, SessionOver

SPACE = "parlour"
QUERY = "who has the kettle in the attic"
TEXTS = tuple(
    f"{who} has the {what} in the {where}"
    for who in ("Dana", "Ben", "Mara", "Bo")
    for what in ("kettle", "violin", "compass")
    for where in ("attic", "harbour")
)
SESSIONS, ROUNDS = 4, 3


def open_home(home: Path) -> Memory:
    """A handle on a home."""
    return Memory.open(home, SPACE, actor="agent:voter", embedder=HashedWords())


def _say(*line: object) -> None:
    # One write a line, with no buffer in between: a line is there or it is not.
    os.write(1, " ".join(map(str, line)).encode() + b"\n")


def _started(memory: Memory) -> Session:
    session = memory.sessions.start(QUERY, limit=3, max_rounds=20)
    _say("started", session.session_id)
    return session


def _voted(memory: Memory, session_id: str, reference: str) -> Session:
    told = memory.sessions.vote(session_id, {reference: "warm"})
    _say("voted", session_id, told.round)
    return told


def _vote(memory: Memory, session_id: str, reference: str) -> None:
    """Vote in one session until it is over."""
    try:
        while True:
            _voted(memory, session_id, reference)
    except SessionOver:
        _say("over", session_id)


def _resolve(memory: Memory, session_id: str, reference: str) -> None:
    """Resolve one session, unless somebody was first."""
    try:
        memory.sessions.resolve(session_id, [reference])
    except SessionOver:
        _say("over", session_id)
    else:
        _say("resolved", session_id)


def _sessions(memory: Memory, *_: str) -> None:
    """Have some sessions of one's own, in turn, from their beginning to their end."""
    sessions = [_started(memory) for _ in range(SESSIONS)]
    for _ in range(ROUNDS):
        sessions = [_voted(memory, one.session_id, one.memories[0].memory_id) for one in sessions]
    for one in sessions:
        _resolve(memory, one.session_id, one.memories[0].memory_id)


def _living(memory: Memory, *_: str) -> None:
    """Begin sessions, vote and resolve until killed."""
    while True:
        session = _started(memory)
        for hit in session.memories[:2]:
            _voted(memory, session.session_id, hit.memory_id)
        _resolve(memory, session.session_id, session.memories[0].memory_id)
        memory.upkeep.write_uses()


def _cut(memory: Memory, session_id: str, reference: str) -> None:
    """Vote, and be killed when the round is kept and its votes are not in the log yet."""
    memory._space.home.log.append = lambda _: os.kill(os.getpid(), signal.SIGKILL)
    memory.sessions.vote(session_id, {reference: "warm"})


WORK: dict[str, Callable[..., None]] = {
    "vote": _vote,
    "resolve": _resolve,
    "sessions": _sessions,
    "living": _living,
    "cut": _cut,
}


def main(home: str, work: str, *about: str) -> None:
    """Do one kind of work."""
    with open_home(Path(home)) as memory:
        memory.recall(QUERY)
        _say("ready")
        sys.stdin.readline()
        WORK[work](memory, *about)


if __name__ == "__main__":
    main(*sys.argv[1:])
