"""What is asked in recall sessions is kept in them alone, and nowhere once they end."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import msgspec
import numpy as np
import pytest
from hashed_words import HashedWords
from traces import bytes_left, dictionary_words, new_secret, open_home, terms_of, vector_left

from mnemolog import LedgerError, Memory, NotShown, Session, SessionOver, UnknownSession
from mnemolog.application.home.session_store import FILE, UNUSED_S, name_of
from mnemolog.ledger.ids import Position
from tests.files import holding
from tests.homes import SECOND, HandClock

_TEXTS = [
    f"{who} keeps the {what} in the {where}"
    for who in ("Dana", "Ben", "Mara")
    for what in ("kettle", "violin", "compass")
    for where in ("attic", "harbour")
]
MODES = ("each", "aggregate")


class Asked(msgspec.Struct, frozen=True):
    """What a test asks: words that are nowhere else, beside some that find something."""

    query: str
    entity: str

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be found."""
        return self.query, self.entity


@pytest.fixture
def asked() -> Asked:
    """A query and an entity that tell."""
    return Asked(f"who keeps the kettle {new_secret()}", new_secret().split()[0])


@pytest.fixture
def clock() -> HandClock:
    """The clock of the home."""
    return HandClock()


@pytest.fixture
def memory(tmp_path: Path, clock: HandClock) -> Iterator[Memory]:
    """A home with some memories; it is left as it is while tests look at its files."""
    opened = Memory.open(
        tmp_path / "home", "vault", actor="user:dana", clock=clock, embedder=HashedWords()
    )
    with opened as memory:
        memory.remember_many(_TEXTS, contradictions="off")
        yield memory


def _started(memory: Memory, asked: Asked) -> Session:
    return memory.sessions.start(asked.query, entity=asked.entity, limit=4)


def _had(memory: Memory, asked: Asked) -> Session:
    """A session with a vote of each kind, in two rounds."""
    session = _started(memory, asked)
    first, second, third, fourth = (hit.memory_id for hit in session.memories)
    session = memory.sessions.vote(session.session_id, {first: "hot", second: "cold"})
    return memory.sessions.vote(
        session.session_id, {third: "warm", fourth: "spark", second: "wrong"}
    )


def _nowhere(memory: Memory, asked: Asked, *session_ids: str) -> None:
    """No file and no event holds what was asked, its words, its vector or its session's id."""
    home = memory.home
    words = dictionary_words(home)
    for secret in asked.secrets:
        assert bytes_left(home, secret) == []
        assert not terms_of(secret) & words
    for whole in (asked.query, f"{asked.query} {asked.entity}", asked.entity):
        assert vector_left(home, whole) == []
    for session_id in session_ids:
        raw = bytes.fromhex(session_id)
        assert holding(home, session_id.encode(), session_id.upper().encode(), raw) == []
    for event in memory._space.home.log.read(Position(0), memory.log.checkpoint().position):
        told = event.structure + (event.content or b"")
        for secret in (*asked.secrets, *session_ids):
            assert secret.encode() not in told
            assert not {term for term in terms_of(secret) if term.encode() in told}


def test_what_the_tests_look_for_is_found_where_it_is_kept(memory: Memory, asked: Asked) -> None:
    """A use that keeps its cue, in a space that says so, leaves all of it there to be found."""
    memory.configure({"keep_cues": True})
    memory.use(memory.list()[0].memory_id, cue=asked.query)
    memory.upkeep.write_uses()
    assert bytes_left(memory.home, asked.query)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("keep_cues", [False, True])
def test_nothing_that_was_asked_is_kept(
    memory: Memory, asked: Asked, mode: str, *, keep_cues: bool
) -> None:
    """During a session and after its end no file, event, log record or notice tells the query.

    Nor does the id of a session, by which it could be read: not even where a space keeps
    the cues of its uses.
    """
    memory.configure({"record_votes": mode, "keep_cues": keep_cues})
    started = _started(memory, asked)
    _nowhere(memory, asked, started.session_id)
    session = _had(memory, asked)
    _nowhere(memory, asked, session.session_id)
    memory.sessions.resolve(session.session_id, [session.memories[0].memory_id])
    memory.upkeep.write_uses()
    memory.upkeep.rebuild()
    _nowhere(memory, asked, session.session_id, started.session_id)
    kinds = {entry.kind for entry in memory.log.events(kinds=("voted", "resolved"))}
    assert kinds == ({"voted", "resolved"} if mode == "each" else {"resolved"})
    (resolved,) = memory.log.events(kinds=("resolved",))
    assert resolved.structure["votes"] == {"hot": 1, "spark": 1, "warm": 1, "wrong": 1}
    assert resolved.content is None
    assert memory.notices == []


@pytest.mark.parametrize("mode", MODES)
def test_a_single_vote_keeps_nothing_that_was_asked(
    memory: Memory, asked: Asked, mode: str
) -> None:
    """A vote outside a session leaves no trace of its query either, and no file of sessions."""
    memory.configure({"record_votes": mode})
    one = memory.recall(asked.query, limit=1, min_relevance=0).hits[0].memory_id
    memory.sessions.vote_once(asked.query, {one: "wrong"}, entity=asked.entity, limit=len(_TEXTS))
    _nowhere(memory, asked)
    assert not memory.home.joinpath(FILE).exists()


def test_only_who_has_its_id_can_read_a_session(memory: Memory, asked: Asked) -> None:
    """What the file of sessions holds is sealed, and called by what its id cannot be told from."""
    session = _had(memory, asked)
    db = apsw.Connection(str(memory.home / FILE), flags=apsw.SQLITE_OPEN_READONLY)
    ((name, sealed),) = db.execute("SELECT name, sealed FROM sessions").fetchall()
    db.close()
    assert name == name_of(session.session_id)
    shown = [hit.memory_id.encode() for hit in session.memories]
    vector = HashedWords().embed([f"{asked.query} {asked.entity}"])[0]
    # With its quotes: three letters stand by chance in one of 7,000 sealed states.
    for told in (b"query", b"kettle", b'"hot"', *shown, vector.tobytes()):
        assert told not in sealed
    with pytest.raises(UnknownSession):
        memory.sessions.vote(name, {session.memories[0].memory_id: "hot"})


def test_after_it_expired_no_file_tells_what_was_asked(
    memory: Memory, asked: Asked, clock: HandClock
) -> None:
    """Nobody has to touch the home for that: the bytes that are left open for nobody's id."""
    session = _had(memory, asked)
    memory.close()
    clock.move(UNUSED_S * SECOND)
    home = memory.home
    for secret in asked.secrets:
        assert bytes_left(home, secret) == []
    assert vector_left(home, f"{asked.query} {asked.entity}") == []
    assert holding(home, session.session_id.encode(), bytes.fromhex(session.session_id)) == []


def test_an_ended_session_is_gone_from_its_file(
    memory: Memory, asked: Asked, clock: HandClock
) -> None:
    """Once a session is resolved, or found expired by any other, even its sealed state is gone."""
    sealed = []
    ended = [_had(memory, asked), _had(memory, asked)]
    db = apsw.Connection(str(memory.home / FILE), flags=apsw.SQLITE_OPEN_READONLY)
    sealed = [bytes(row[0]) for row in db.execute("SELECT sealed FROM sessions").fetchall()]
    db.close()
    assert len(sealed) == 2
    assert all(holding(memory.home, one[:64]) for one in sealed)
    memory.sessions.resolve(ended[0].session_id)
    clock.move(UNUSED_S * SECOND)
    memory.sessions.start("where is the compass")
    for one in sealed:
        for start in range(0, len(one) - 16, 16):
            assert holding(memory.home, one[start : start + 16]) == []


def test_no_log_record_and_no_error_tells_what_was_asked(
    memory: Memory, asked: Asked, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither logging in full nor the text of any error quotes the query or a session's id."""
    caplog.set_level(logging.DEBUG)
    session = _had(memory, asked)
    one = session.memories[0].memory_id
    told = []
    for refused in (
        lambda: memory.sessions.vote(session.session_id, {"0" * 32: "hot"}),
        lambda: memory.sessions.vote(session.session_id, {one: "warmish"}),
        lambda: memory.sessions.vote(session.session_id, {}),
        lambda: memory.sessions.resolve(session.session_id, ["0" * 32]),
        lambda: memory.sessions.start(asked.query, entity=asked.entity, limit=99),
        lambda: memory.sessions.vote_once(asked.query, {"0" * 32: "hot"}, entity=asked.entity),
        lambda: memory.sessions.vote(session.session_id[:-1], {one: "hot"}),
        lambda: [memory.sessions.vote(session.session_id, {one: "hot"}) for _ in range(9)],
    ):
        with pytest.raises(LedgerError) as raised:
            refused()
        told += [str(raised.value), repr(raised.value)]
    clock.move(UNUSED_S * SECOND)
    with pytest.raises(SessionOver) as over:
        memory.sessions.vote(session.session_id, {one: "hot"})
    memory.home.joinpath(FILE).write_bytes(b"not a database, but a note of some length" * 99)
    fresh = _had(memory, asked)
    memory.sessions.resolve(fresh.session_id)
    told += [str(over.value), *memory.notices, caplog.text]
    assert len(memory.notices) == 1
    for secret in (*asked.secrets, session.session_id, fresh.session_id):
        assert not [one for one in told if secret in one]
        assert not [term for term in terms_of(secret) for one in told if term in one]


def test_another_process_does_not_learn_what_is_asked(memory: Memory, asked: Asked) -> None:
    """The environment aside, a process that reads every table of the home finds nothing of it."""
    session = _had(memory, asked)
    script = (
        "import sys, apsw, pathlib\n"
        "for path in sorted(pathlib.Path(sys.argv[1]).glob('*.db')):\n"
        "    db = apsw.Connection(str(path))\n"
        "    for (name,) in db.execute(\"SELECT name FROM sqlite_schema WHERE type = 'table'\"):\n"
        "        for row in db.execute(f'SELECT * FROM {name}'):\n"
        "            print(row)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", script, memory.home], check=True, capture_output=True, text=True
    ).stdout
    assert name_of(session.session_id) in told
    for secret in (*asked.secrets, session.session_id):
        assert secret not in told
        assert not {term for term in terms_of(secret) if term in told}


# -- redaction beside sessions -----------------------------------------------------------


@pytest.mark.parametrize("vote", ["hot", "warm", "cold", "wrong", "spark"])
@pytest.mark.parametrize("when", ["voted", "resolved"])
def test_a_redacted_memory_that_was_voted_on_leaves_nothing(
    tmp_path: Path, vote: str, when: str
) -> None:
    """No byte of it, of its terms or of its vector is left, sealed or not; sessions go on."""
    secret = f"the kettle {new_secret()}"
    with open_home(tmp_path) as memory:
        memory.remember_many(_TEXTS, contradictions="off")
        gone = memory.remember(secret, contradictions="off").memory_id or ""
        session = memory.sessions.start(secret, limit=4)
        assert session.memories[0].memory_id == gone
        other = session.memories[1].memory_id
        told = memory.sessions.vote(session.session_id, {gone: vote, other: "hot"})
        if when == "resolved":
            memory.sessions.resolve(session.session_id, [gone, other])
            memory.upkeep.write_uses()
        assert memory.redact(gone).complete
        _nothing_of_it(memory, secret)
        if when == "resolved":
            assert memory.recall(_TEXTS[0]).hits
            session = memory.sessions.start("who keeps the kettle", limit=4)
        else:
            third = next(hit.memory_id for hit in told.memories if hit.memory_id != other)
            after = memory.sessions.vote(session.session_id, {third: "warm"})
            assert gone not in {hit.memory_id for hit in after.memories}
            assert all(branch.spark != gone for branch in after.spark_branches)
            resolution = memory.sessions.resolve(session.session_id, [gone, third])
            assert resolution.learned
            memory.upkeep.write_uses()
        _nothing_of_it(memory, secret)
        memory.upkeep.rebuild()
        _nothing_of_it(memory, secret)
        assert gone not in {hit.memory_id for hit in memory.recall(secret, min_relevance=0).hits}
        assert memory.log.verify().events == memory.log.checkpoint().position
    _nothing_of_it(memory, secret)


def _nothing_of_it(memory: Memory, secret: str) -> None:
    piece = secret.removeprefix("the kettle ")
    assert bytes_left(memory.home, piece) == []
    assert vector_left(memory.home, secret) == []
    if memory.home.joinpath("indexes").exists():
        assert not terms_of(piece) & dictionary_words(memory.home)


def test_the_note_of_a_resolution_can_be_redacted(memory: Memory, asked: Asked) -> None:
    """A note is content: it is there until its event is redacted, and then nowhere."""
    note = new_secret()
    session = _had(memory, asked)
    one = session.memories[0].memory_id
    told = memory.sessions.resolve(session.session_id, [one], note=note)
    assert bytes_left(memory.home, note)
    assert memory.redact(f"@{told.position}").complete
    memory.upkeep.write_uses()
    assert bytes_left(memory.home, note) == []
    (resolved,) = memory.log.events(kinds=("resolved",))
    assert resolved.erased
    assert list(resolved.structure["accepted"]) == [one]
    # What it taught counts on: the structure is kept for good.
    hits = memory.recall("who keeps the kettle", limit=30, min_relevance=0).hits
    (hit,) = [hit for hit in hits if hit.memory_id == one]
    assert hit.explanation.scores["association"] >= 0


def test_an_unknown_id_is_told_by_its_beginning_alone(memory: Memory, asked: Asked) -> None:
    """An error shows as much of a session's id as tells which was meant, not what would open it."""
    session = _had(memory, asked)
    memory.sessions.resolve(session.session_id)
    for error in (UnknownSession("ab" * 16, "vault"), NotShown("votes", "ab")):
        assert "ab" * 16 not in str(error)
    with pytest.raises(SessionOver) as raised:
        memory.sessions.resolve(session.session_id)
    assert session.session_id[:8] in str(raised.value)
    assert session.session_id[:9] not in str(raised.value)
    assert session.session_id not in str(vars(raised.value))
    assert np.all([session.session_id not in str(one) for one in raised.value.args])
