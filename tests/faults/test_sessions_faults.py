"""Recall sessions of several processes, killed at any moment, on damaged files and full disks."""

from __future__ import annotations

import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest
from hashed_words import HashedWords
from voting import QUERY, ROUNDS, SESSIONS, SPACE, TEXTS, open_home

from mnemolog import LedgerError, Memory, SessionOver, UnknownSession
from mnemolog.application.home.home import LEDGER
from mnemolog.application.home.session_store import FILE, name_of

if TYPE_CHECKING:
    import random

_PROCESSES = 3
_KILLS, _KILLS_SOAK = 4, 60
_CASES, _CASES_SOAK = 12, 150
_LONGEST_S = 0.4


def _fill(home: Path) -> None:
    with open_home(home) as memory:
        memory.remember_many(TEXTS, contradictions="off")


def _begun(home: Path, rounds: int = 20) -> tuple[str, str]:
    """A session, and a memory that it has shown."""
    with open_home(home) as memory:
        session = memory.sessions.start(QUERY, limit=3, max_rounds=rounds)
        return session.session_id, session.memories[0].memory_id


@contextmanager
def _ready(home: Path, works: list[tuple[str, ...]]) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that wait for the word."""
    script = Path(__file__).with_name("voting.py")
    with ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, script, home, *work],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for work in works
        ]
        for process in processes:
            assert process.stdout.readline() == "ready\n"
        yield processes


def _told(home: Path, *works: tuple[str, ...]) -> list[list[str]]:
    """What processes that do their work at once acknowledge, in words; none may fail."""
    with _ready(home, list(works)) as processes:
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        lines = [line for process in processes for line in process.communicate()[0].splitlines()]
        assert [process.returncode for process in processes] == [0] * len(processes)
    return [line.split(" ") for line in lines]


def _votes(memory: Memory) -> Counter[tuple[str, int, str]]:
    """How often each vote is in the log: by session, round and memory."""
    return Counter(
        (entry.structure["session"], entry.structure["round"], entry.memory_id or "")
        for entry in memory.log.events(kinds=("voted",))
    )


def _resolved(memory: Memory) -> Counter[str]:
    """How often each session was resolved."""
    return Counter(entry.structure["session"] for entry in memory.log.events(kinds=("resolved",)))


def test_processes_that_vote_in_one_session_share_its_rounds(tmp_path: Path) -> None:
    """Each round is acknowledged to one of them and recorded once, up to the last one."""
    _fill(tmp_path)
    session_id, one = _begun(tmp_path)
    told = _told(tmp_path, *[("vote", session_id, one)] * _PROCESSES)
    rounds = sorted(int(line[2]) for line in told if line[0] == "voted")
    assert rounds == list(range(1, 21))
    assert [line[0] for line in told].count("over") == _PROCESSES
    with open_home(tmp_path) as memory:
        name = name_of(session_id)
        assert _votes(memory) == Counter((name, round_, one) for round_ in rounds)
        memory.sessions.resolve(session_id, [one])
        (resolved,) = memory.log.events(kinds=("resolved",))
        assert (resolved.structure["rounds"], resolved.structure["votes"]) == (20, {"warm": 1})
        assert memory.log.verify().events == memory.log.checkpoint().position


def test_threads_that_vote_in_one_session_share_its_rounds(tmp_path: Path) -> None:
    """Threads of one handle take turns as processes do, and one of them resolves it."""
    _fill(tmp_path)
    session_id, one = _begun(tmp_path)
    told: list[int | str] = []
    with open_home(tmp_path) as memory:

        def vote() -> None:
            try:
                while True:
                    told.append(memory.sessions.vote(session_id, {one: "hot"}).round)
            except SessionOver:
                told.append("voted")
            try:
                memory.sessions.resolve(session_id, [one])
                told.append("resolved")
            except SessionOver:
                told.append("over")

        threads = [threading.Thread(target=vote) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        memory.upkeep.write_uses()
        assert Counter(map(str, told)) == Counter(
            {**{str(number): 1 for number in range(1, 21)}, "voted": 4, "over": 3, "resolved": 1}
        )
        assert set(_votes(memory).values()) == {1}
        assert len([*memory.log.events(kinds=("recalled",))]) == 1


def test_many_sessions_at_once_do_not_meet(tmp_path: Path) -> None:
    """Sessions of several processes go on beside one another, each as if it were alone."""
    _fill(tmp_path)
    told = _told(tmp_path, *[("sessions",)] * _PROCESSES)
    kinds = Counter(line[0] for line in told)
    count = SESSIONS * _PROCESSES
    assert kinds == {"started": count, "voted": count * ROUNDS, "resolved": count}
    started = [name_of(line[1]) for line in told if line[0] == "started"]
    with open_home(tmp_path) as memory:
        assert _resolved(memory) == Counter(started)
        votes = _votes(memory)
        assert set(votes.values()) == {1}
        rounds = Counter((session, round_) for session, round_, _ in votes)
        assert rounds == Counter((one, turn + 1) for one in started for turn in range(ROUNDS))
        assert len([*memory.log.events(kinds=("recalled",))]) == count
        assert memory.notices == []


def test_a_session_that_several_resolve_teaches_once(tmp_path: Path) -> None:
    """One of them is told that it resolved the session, the others that it is over."""
    _fill(tmp_path)
    for _ in range(3):
        session_id, one = _begun(tmp_path)
        told = _told(tmp_path, *[("resolve", session_id, one)] * _PROCESSES)
        assert sorted(line[0] for line in told) == ["over"] * (_PROCESSES - 1) + ["resolved"]
    with open_home(tmp_path) as memory:
        assert [*_resolved(memory).values()] == [1] * 3
        # What was accepted was of use once a session.
        assert len([*memory.log.events(kinds=("recalled",))]) == 3
        assert memory.get(one).accesses == 3


def test_what_was_voted_before_the_end_is_learned(tmp_path: Path) -> None:
    """A session that is resolved while others vote in it teaches every round it acknowledged."""
    _fill(tmp_path)
    session_id, one = _begun(tmp_path)
    with _ready(tmp_path, [("vote", session_id, one)]) as (voter,), open_home(tmp_path) as memory:
        voter.stdin.write("go\n")
        voter.stdin.flush()
        first = voter.stdout.readline()
        memory.sessions.resolve(session_id)
        # Not `communicate`: it loses lines that `readline` has already taken from the pipe.
        told = [line.split() for line in (first, *voter.stdout)]
        assert told[-1][0] == "over"
        acknowledged = [int(line[2]) for line in told if line[0] == "voted"]
        (resolved,) = memory.log.events(kinds=("resolved",))
        assert acknowledged == list(range(1, resolved.structure["rounds"] + 1))
        assert len(_votes(memory)) == len(acknowledged)
        assert all(
            vote.position < resolved.position for vote in memory.log.events(kinds=("voted",))
        )


# -- killed ----------------------------------------------------------------------------


@pytest.fixture
def kills(*, soak: bool) -> int:
    """How often a process is killed."""
    return _KILLS_SOAK if soak else _KILLS


def _killed(home: Path, chance: random.Random) -> list[list[str]]:
    """What a process acknowledged before it was killed, at a random moment of its work."""
    with _ready(home, [("living",)]) as (worker,):
        worker.stdin.write("go\n")
        worker.stdin.flush()
        first = worker.stdout.readline()
        time.sleep(chance.random() * _LONGEST_S)
        worker.send_signal(signal.SIGKILL)
        rest = worker.stdout.read()
        assert worker.wait() == -signal.SIGKILL, "it ended before it was killed"
    return [line.split(" ") for line in (first + rest).splitlines()]


def test_a_killed_process_leaves_sessions_that_go_on_or_are_over(
    tmp_path: Path, chance: random.Random, kills: int
) -> None:
    """What was acknowledged is there; nothing is voted or taught twice; what is over says so."""
    _fill(tmp_path)
    for _ in range(kills):
        told = _killed(tmp_path, chance)
        rounds = {line[1]: int(line[2]) for line in told if line[0] == "voted"}
        with open_home(tmp_path) as memory:
            votes = Counter(session for session, _, _ in _votes(memory))
            for line in told:
                session_id = line[1]
                one = memory.recall(QUERY, limit=1).hits[0].memory_id
                over = bool(_resolved(memory)[name_of(session_id)])
                assert over or line[0] != "resolved"
                assert votes[name_of(session_id)] >= rounds.get(session_id, 0)
                try:
                    after = memory.sessions.vote(session_id, {one: "hot"})
                except SessionOver:
                    assert over
                    continue
                assert not over
                assert after.round > rounds.get(session_id, 0)
                memory.sessions.resolve(session_id, [one])
            memory.upkeep.write_uses()
            told_rounds = Counter(session for session, _ in {key[:2] for key in _votes(memory)})
            for resolved in memory.log.events(kinds=("resolved",)):
                name = resolved.structure["session"]
                assert told_rounds[name] == resolved.structure["rounds"]
            assert set(_votes(memory).values()) <= {1}
            assert set(_resolved(memory).values()) == {1}
            assert memory.log.verify().events == memory.log.checkpoint().position
            assert memory.notices == []


@pytest.mark.parametrize("onward", ["vote", "resolve"])
def test_votes_of_a_round_that_was_kept_are_told_by_whoever_goes_on(
    tmp_path: Path, onward: str
) -> None:
    """Killed between the two files, a round counts, and its votes are in the log in the end.

    As of whom they were, and once, however often the session is gone on with.
    """
    _fill(tmp_path)
    session_id, one = _begun(tmp_path)
    with _ready(tmp_path, [("cut", session_id, one)]) as (worker,):
        worker.communicate("go\n")
        assert worker.returncode == -signal.SIGKILL
    with Memory.open(tmp_path, SPACE, actor="user:mara", embedder=HashedWords()) as memory:
        assert not _votes(memory)
        if onward == "vote":
            assert memory.sessions.vote(session_id, {one: "hot"}).round == 2
            assert memory.sessions.vote(session_id, {one: "hot"}).round == 3
        memory.sessions.resolve(session_id, [one])
        (resolved,) = memory.log.events(kinds=("resolved",))
        rounds = range(1, resolved.structure["rounds"] + 1)
        assert _votes(memory) == Counter((name_of(session_id), turn, one) for turn in rounds)
        first, *later = memory.log.events(kinds=("voted",))
        assert (first.actor, first.structure["vote"]) == ("agent:voter", "warm")
        assert {entry.actor for entry in later} <= {"user:mara"}
        assert resolved.position > max(entry.position for entry in [first, *later])


# -- damaged ---------------------------------------------------------------------------


@pytest.fixture
def cases(*, soak: bool) -> int:
    """How many times the file is damaged by a bit or more."""
    return _CASES_SOAK if soak else _CASES


def _foreign(path: Path) -> None:
    path.unlink()
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE sessions (name TEXT, bread TEXT); INSERT INTO sessions VALUES (1, 2)")
    db.close()


def _newer(path: Path) -> None:
    db = apsw.Connection(str(path))
    db.execute("PRAGMA user_version = 99").fetchall()
    db.close()


_DAMAGES = {
    "no database": lambda path: path.write_bytes(b"This is a note, and no database. " * 500),
    "halved": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "short by a page": lambda path: path.write_bytes(path.read_bytes()[:-4096]),
    "of another program": _foreign,
    "of a later version": _newer,
    "a page of zeros": lambda path: path.write_bytes(
        path.read_bytes()[:4096] + bytes(path.stat().st_size - 4096)
    ),
}


def _check_begun_anew(memory: Memory, old: str, one: str) -> None:
    """The old session is gone and said so; a new one runs to its end; nothing else was hurt."""
    with pytest.raises(UnknownSession):
        memory.sessions.vote(old, {one: "hot"})
    session = memory.sessions.start(QUERY, limit=3)
    voted = memory.sessions.vote(session.session_id, {session.memories[0].memory_id: "hot"})
    memory.sessions.resolve(voted.session_id, [voted.memories[0].memory_id])
    assert memory.log.verify().events == memory.log.checkpoint().position
    levels = {finding.subject: finding.level for finding in memory.upkeep.doctor().findings}
    assert "error" not in levels.values()


@pytest.mark.parametrize("damage", _DAMAGES)
def test_a_damaged_file_of_sessions_is_begun_anew_and_said_so(tmp_path: Path, damage: str) -> None:
    """Sessions under way are lost with their file, with a notice; nothing else is."""
    _fill(tmp_path)
    session_id, one = _begun(tmp_path)
    with open_home(tmp_path) as memory:
        answers = memory.recall(QUERY).hits
        for suffix in ("-wal", "-shm"):
            assert not tmp_path.joinpath(FILE + suffix).exists()
        _DAMAGES[damage](tmp_path / FILE)
        assert memory.recall(QUERY).hits == answers
        _check_begun_anew(memory, session_id, one)
        (notice,) = memory.notices
        assert FILE in notice
        assert session_id not in notice


@pytest.mark.parametrize("how", ["removed", "emptied"])
def test_a_file_of_sessions_that_is_gone_is_made_again(tmp_path: Path, how: str) -> None:
    """Where no file is, or an empty one, there is nothing that could be told as damaged."""
    _fill(tmp_path)
    session_id, one = _begun(tmp_path)
    with open_home(tmp_path) as memory:
        if how == "removed":
            tmp_path.joinpath(FILE).unlink()
        else:
            tmp_path.joinpath(FILE).write_bytes(b"")
        _check_begun_anew(memory, session_id, one)
        assert memory.notices == []


def test_a_changed_bit_hurts_no_more_than_sessions(
    tmp_path: Path, chance: random.Random, cases: int
) -> None:
    """Whatever bit changes, a session goes on or says that it cannot; nothing else is hurt."""
    _fill(tmp_path / "made")
    session_id, one = _begun(tmp_path / "made")
    for _ in range(cases):
        home = tmp_path / "home"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(tmp_path / "made", home)
        content = bytearray(home.joinpath(FILE).read_bytes())
        place = chance.choice((chance.randrange(100), chance.randrange(len(content))))
        content[place] ^= 1 << chance.randrange(8)
        home.joinpath(FILE).write_bytes(content)
        with open_home(home) as memory:
            try:
                assert memory.sessions.vote(session_id, {one: "hot"}).round == 1
            except (UnknownSession, SessionOver):
                assert not [*memory.log.events(kinds=("voted",))]
            session = memory.sessions.start(QUERY, limit=3)
            memory.sessions.resolve(session.session_id, [session.memories[0].memory_id])
            assert _resolved(memory) == {name_of(session.session_id): 1}
            assert memory.log.verify().events == memory.log.checkpoint().position


# -- a full disk -----------------------------------------------------------------------


@contextmanager
def _no_growth(path: Path) -> Iterator[None]:
    """No file of this process grows beyond the size that a file has now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_votes_that_cannot_be_recorded_leave_the_session_as_it_was(tmp_path: Path) -> None:
    """Where the log cannot grow, votes and a resolution are refused; later they are taken."""
    with open_home(tmp_path) as memory:
        memory.remember_many([f"{text}, note {n}" for text in TEXTS for n in range(20)])
        session = memory.sessions.start(QUERY, limit=3)
        session_id, one = session.session_id, session.memories[0].memory_id
        undisturbed = memory.sessions.start(QUERY, limit=3).session_id
        for round_ in (1, 2):
            head = memory.log.checkpoint()
            with _no_growth(tmp_path / f"{LEDGER}-wal"):
                with pytest.raises(LedgerError):
                    memory.sessions.vote(session_id, {one: "hot"})
                with pytest.raises(LedgerError):
                    memory.sessions.resolve(session_id, [one])
            assert memory.log.checkpoint() == head
            told = memory.sessions.vote(session_id, {one: "hot"})
            expected = memory.sessions.vote(undisturbed, {one: "hot"})
            assert told.round == expected.round == round_
            assert told.memories == expected.memories
        assert memory.sessions.resolve(session_id, [one]).updated == 1
        name = name_of(session_id)
        assert _votes(memory)[name, 1, one] == _votes(memory)[name, 2, one] == 1
        assert memory.notices == []
