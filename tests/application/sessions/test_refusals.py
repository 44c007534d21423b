"""What recall sessions refuse: a typed error that names the field and the fix, nothing changed."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemolog import (
    AmbiguousId,
    InvalidField,
    InvalidNumber,
    LedgerError,
    Memory,
    NotShown,
    Session,
    SessionOver,
    UnknownSession,
)
from mnemolog.application.home.session_store import FILE, UNUSED_S
from tests.homes import DAY, SECOND, BagOfWords, HandClock, open_home

QUERY = "where is the kettle"
NOBODY = "0" * 32
_TEXTS = [
    f"{who} keeps the {what} in the {where}"
    for who in ("Dana", "Ben", "Mara")
    for what in ("kettle", "violin")
    for where in ("attic", "harbour")
]
Refused = Callable[[Memory, Session], object]


@pytest.fixture
def session(memory: Memory) -> Session:
    """A session that has shown three memories and had one round of votes."""
    memory.remember_many(_TEXTS, contradictions="off")
    started = memory.sessions.start(QUERY, limit=3)
    first = started.memories[0].memory_id
    return memory.sessions.vote(started.session_id, {first: "hot"})


def _ids(session: Session) -> list[str]:
    return [hit.memory_id for hit in session.memories]


def _check_refused(
    memory: Memory, session: Session, refused: Callable[[], object], error: type[LedgerError]
) -> LedgerError:
    """The error of a command that changes neither the log nor the session.

    Its next vote gives what it gives in a session in which nothing was refused.
    """
    undisturbed = memory.sessions.start(QUERY, limit=3)
    memory.sessions.vote(undisturbed.session_id, {_ids(undisturbed)[0]: "hot"})
    head = memory.log.checkpoint()
    with pytest.raises(LedgerError) as raised:
        refused()
    assert type(raised.value) is error
    assert memory.log.checkpoint() == head
    votes = {_ids(session)[1]: "cold"}
    after = memory.sessions.vote(session.session_id, votes)
    expected = memory.sessions.vote(undisturbed.session_id, votes)
    assert after.round == expected.round == 2
    assert (after.memories, after.converged) == (expected.memories, expected.converged)
    return raised.value


class OtherWords(BagOfWords):
    """The same vectors, of another name."""

    name = "other-words-64"


_BAD_VOTES: dict[str, tuple[object, type[LedgerError]]] = {
    "none": ({}, InvalidField),
    "a list": (["hot"], InvalidField),
    "nothing": (None, InvalidField),
    "not shown": ({NOBODY: "hot"}, NotShown),
    "a word that is none": ({"first": "lukewarm"}, InvalidField),
    "capitals": ({"first": "HOT"}, InvalidField),
    "no word": ({"first": None}, InvalidField),
    "a list for a word": ({"first": ["hot"]}, InvalidField),
    "NaN for a word": ({"first": math.nan}, InvalidField),
    "a number for an id": ({7: "hot"}, InvalidField),
    "a blank id": ({" ": "hot"}, InvalidField),
    "dashes": ({"--": "hot"}, NotShown),
    "half of a surrogate pair": ({"\ud800": "hot"}, NotShown),
    "a prefix of several": ({"0": "hot"}, AmbiguousId),
    "a position that is none": ({"@99": "hot"}, NotShown),
    "no position": ({"@": "hot"}, NotShown),
    "one right and one not shown": ({"first": "hot", NOBODY: "cold"}, NotShown),
    "one memory twice": ({"first": "hot", "first without its end": "cold"}, InvalidField),
}


def _given(votes: object, session: Session) -> object:
    if not isinstance(votes, dict):
        return votes
    first = _ids(session)[0]
    named = {"first": first, "first without its end": first[:-1]}
    return {named.get(one, one): vote for one, vote in votes.items()}


@pytest.mark.parametrize("bad", _BAD_VOTES)
def test_bad_votes_change_nothing(memory: Memory, session: Session, bad: str) -> None:
    """Votes that are none, of no kind, on what was not shown or on one memory twice are refused."""
    votes, error = _BAD_VOTES[bad]
    raised = _check_refused(
        memory,
        session,
        lambda: memory.sessions.vote(session.session_id, _given(votes, session)),
        error,
    )
    if isinstance(raised, InvalidField):
        assert raised.field == "votes"


@pytest.mark.parametrize("bad", _BAD_VOTES)
def test_bad_single_votes_change_nothing(memory: Memory, session: Session, bad: str) -> None:
    """A single vote refuses what a session's votes refuse."""
    votes, error = _BAD_VOTES[bad]
    shown = memory.sessions.start(QUERY, limit=10)
    _check_refused(
        memory, session, lambda: memory.sessions.vote_once(QUERY, _given(votes, shown)), error
    )


@pytest.mark.parametrize(
    ("accepted", "error"),
    [
        ([NOBODY], NotShown),
        (["first", NOBODY], NotShown),
        (["0"], AmbiguousId),
        (["--"], NotShown),
        ([" "], InvalidField),
        ([None], InvalidField),
        ([math.nan], InvalidField),
        ("first", InvalidField),
        (None, InvalidField),
        ({"first"}, InvalidField),
        (7, InvalidField),
    ],
)
def test_bad_acceptances_change_nothing(
    memory: Memory, session: Session, accepted: object, error: type[LedgerError]
) -> None:
    """What was not shown cannot be accepted, nor what names no memory or several."""
    raised = _check_refused(
        memory, session, lambda: memory.sessions.resolve(session.session_id, accepted), error
    )
    if isinstance(raised, InvalidField):
        assert raised.field == "accepted"


@pytest.mark.parametrize("note", [7, b"so", "half \ud800", math.nan])
def test_bad_notes_change_nothing(memory: Memory, session: Session, note: object) -> None:
    """A note is a text that JSON can hold, or none."""
    _check_refused(
        memory,
        session,
        lambda: memory.sessions.resolve(session.session_id, _ids(session)[:1], note=note),
        InvalidField,
    )


_BAD_IDS: dict[str, tuple[object, type[LedgerError]]] = {
    "unknown": ("ab" * 16, UnknownSession),
    "a word": ("kettle", UnknownSession),
    "the beginning of one": ("its beginning", UnknownSession),
    "with a NUL": ("ab\x00cd", UnknownSession),
    "too long": ("ab" * 5_000, UnknownSession),
    "empty": ("", InvalidField),
    "blank": (" \n", InvalidField),
    "none": (None, InvalidField),
    "a number": (7, InvalidField),
    "bytes": (b"ab" * 16, InvalidField),
    "half of a surrogate pair": ("\ud800", InvalidField),
}


@pytest.mark.parametrize("bad", _BAD_IDS)
def test_ids_of_no_session_change_nothing(memory: Memory, session: Session, bad: str) -> None:
    """An id that no session has, or that is none, is told apart and changes nothing."""
    given, error = _BAD_IDS[bad]
    if given == "its beginning":
        given = session.session_id[:-1]
    first = _ids(session)[0]
    commands: tuple[Callable[[], object], ...] = (
        lambda: memory.sessions.vote(given, {first: "hot"}),
        lambda: memory.sessions.resolve(given, [first]),
    )
    for command in commands:
        with pytest.raises(error):
            command()
    _check_refused(memory, session, commands[1], error)


def test_blanks_around_an_id_make_no_difference(memory: Memory, session: Session) -> None:
    """A session's id that was copied with a blank or a line's end is that session's."""
    first, second, _ = _ids(session)
    assert memory.sessions.vote(f" {session.session_id}\n", {second: "cold"}).round == 2
    assert memory.sessions.resolve(f"{session.session_id}\n", [first]).updated == 2
    with pytest.raises(SessionOver):
        memory.sessions.vote(session.session_id, {second: "warm"})
    names = {entry.structure["session"] for entry in memory.log.events(kinds=("voted", "resolved"))}
    assert len(names) == 1


@pytest.mark.parametrize("command", ["vote", "resolve"])
def test_a_session_of_another_space_is_unknown(
    memory: Memory, session: Session, clock: HandClock, command: str
) -> None:
    """Nothing crosses spaces: who asks in another one is told that there is no such session."""
    first = _ids(session)[0]
    with open_home(memory.home, "other", clock) as other:
        commands = {
            "vote": lambda: other.sessions.vote(session.session_id, {first: "hot"}),
            "resolve": lambda: other.sessions.resolve(session.session_id, [first]),
        }
        _check_refused(memory, session, commands[command], UnknownSession)


def test_a_session_of_another_home_is_unknown(
    memory: Memory, session: Session, tmp_path: Path
) -> None:
    """A session is of the home in which it began, and no other makes a file for the question."""
    with open_home(tmp_path / "elsewhere") as elsewhere:
        elsewhere.remember(_TEXTS[0])
        _check_refused(
            memory,
            session,
            lambda: elsewhere.sessions.vote(session.session_id, {_ids(session)[0]: "hot"}),
            UnknownSession,
        )
        assert not (elsewhere.home / FILE).exists()


def test_a_session_expires_when_it_is_not_used(
    memory: Memory, session: Session, clock: HandClock
) -> None:
    """Five minutes after its last use a session takes nothing more, and says why; not before."""
    first, second, third = _ids(session)
    clock.move(UNUSED_S * SECOND - 1)
    assert memory.sessions.vote(session.session_id, {second: "cold"}).round == 2
    clock.move(UNUSED_S * SECOND)
    head = memory.log.checkpoint()
    for command in (
        lambda: memory.sessions.vote(session.session_id, {third: "warm"}),
        lambda: memory.sessions.resolve(session.session_id, [first]),
    ):
        with pytest.raises(SessionOver, match="expired") as raised:
            command()
        assert raised.value.fix == "start another one"
    assert memory.log.checkpoint() == head


def test_a_session_of_a_clock_that_was_ahead_expires(
    memory: Memory, session: Session, clock: HandClock
) -> None:
    """Once the clock is put right, five minutes are five minutes again."""
    clock.move(DAY)
    ahead = memory.sessions.start(QUERY, limit=3)
    clock.move(-DAY)
    assert _ids(memory.sessions.start(QUERY, limit=3)) == _ids(ahead)
    assert session
    clock.move(UNUSED_S * SECOND)
    with pytest.raises(SessionOver, match="expired"):
        memory.sessions.vote(ahead.session_id, {_ids(ahead)[0]: "hot"})


def test_refused_votes_are_no_use(memory: Memory, session: Session, clock: HandClock) -> None:
    """What was refused does not keep a session from expiring."""
    clock.move((UNUSED_S - 1) * SECOND)
    with pytest.raises(NotShown):
        memory.sessions.vote(session.session_id, {NOBODY: "hot"})
    clock.move(SECOND)
    with pytest.raises(SessionOver):
        memory.sessions.vote(session.session_id, {_ids(session)[0]: "hot"})


def test_a_resolved_session_is_over(memory: Memory, session: Session) -> None:
    """A session is resolved once; then it takes neither votes nor another resolution."""
    first, second, _ = _ids(session)
    memory.sessions.resolve(session.session_id, [first])
    memory.upkeep.write_uses()
    head = memory.log.checkpoint()
    for command in (
        lambda: memory.sessions.vote(session.session_id, {second: "warm"}),
        lambda: memory.sessions.resolve(session.session_id, [first]),
        lambda: memory.sessions.resolve(session.session_id, [second]),
        lambda: memory.sessions.resolve(session.session_id),
    ):
        with pytest.raises(SessionOver, match="was resolved"):
            command()
    memory.upkeep.write_uses()
    assert memory.log.checkpoint() == head


def test_a_session_that_ended_long_ago_is_unknown(
    memory: Memory, session: Session, clock: HandClock
) -> None:
    """A day later nothing is known of a session any more."""
    clock.move(86_400 * SECOND)
    with pytest.raises(UnknownSession):
        memory.sessions.vote(session.session_id, {_ids(session)[0]: "hot"})


@pytest.mark.parametrize("most", [1, 4])
def test_a_session_past_its_rounds_takes_no_votes(
    memory: Memory, session: Session, most: int
) -> None:
    """After so many rounds votes are refused, and the session can still be resolved."""
    started = memory.sessions.start(QUERY, limit=3, max_rounds=most)
    first, second, _ = _ids(started)
    for round_ in range(1, most + 1):
        told = memory.sessions.vote(started.session_id, {first: "hot"})
        assert (told.round, told.rounds_left) == (round_, most - round_)
    head = memory.log.checkpoint()
    with pytest.raises(SessionOver, match=f"{most} rounds") as raised:
        memory.sessions.vote(started.session_id, {second: "cold"})
    assert raised.value.fix == "resolve it"
    assert memory.log.checkpoint() == head
    assert memory.sessions.resolve(started.session_id, [first]).updated == 1


_NO_COUNTS = (0, -1, 1.0, 2.5, math.nan, math.inf, True, "3", None, [3], 1 << 70)


@pytest.mark.parametrize("value", [*_NO_COUNTS, 51])
def test_a_limit_is_one_to_fifty(memory: Memory, session: Session, value: object) -> None:
    """`limit` is a whole number from 1 to 50, of a session and of a single vote."""
    first = _ids(session)[0]
    for command in (
        lambda: memory.sessions.start(QUERY, limit=value),
        lambda: memory.sessions.vote_once(QUERY, {first: "hot"}, limit=value),
    ):
        with pytest.raises(InvalidNumber, match="limit"):
            command()
    assert len(memory.sessions.start(QUERY, limit=1).memories) == 1
    assert memory.sessions.start(QUERY, limit=50).memories


@pytest.mark.parametrize("value", [*_NO_COUNTS, 21])
def test_rounds_are_one_to_twenty(memory: Memory, session: Session, value: object) -> None:
    """`max_rounds` is a whole number from 1 to 20."""
    with pytest.raises(InvalidNumber, match="max_rounds"):
        memory.sessions.start(QUERY, max_rounds=value)
    assert memory.sessions.start(QUERY, max_rounds=1).rounds_left == 1
    assert memory.sessions.start(QUERY, max_rounds=20).rounds_left == 20


@pytest.mark.parametrize("query", ["", " \n", None, 7, b"kettle", math.nan, "half \ud800"])
def test_a_query_has_something_to_look_for(memory: Memory, session: Session, query: object) -> None:
    """An empty query is refused under its own name, of a session and of a single vote."""
    first = _ids(session)[0]
    for command in (
        lambda: memory.sessions.start(query),
        lambda: memory.sessions.vote_once(query, {first: "hot"}),
    ):
        with pytest.raises(InvalidField) as raised:
            command()
        assert raised.value.field == "query"


@pytest.mark.parametrize("entity", ["", " ", 7, b"Dana", "half \ud800", "!!!", "…"])
def test_an_entity_has_a_name(memory: Memory, session: Session, entity: object) -> None:
    """An entity without a word in its name is refused: nothing could ever name it again."""
    first = _ids(session)[0]
    for command in (
        lambda: memory.sessions.start(QUERY, entity=entity),
        lambda: memory.sessions.vote_once(QUERY, {first: "hot"}, entity=entity),
    ):
        with pytest.raises(InvalidField) as raised:
            command()
        assert raised.value.field == "entity"


def test_a_unique_beginning_names_a_memory(memory: Memory, session: Session) -> None:
    """Ids may be given by their beginning, with dashes and in capitals, as everywhere."""
    first, second, third = _ids(session)
    dashed = f"{first[:8]}-{first[8:12]}-{first[12:16]}-{first[16:20]}-{first[20:]}".upper()
    told = memory.sessions.vote(session.session_id, {dashed: "hot", second[:-1]: "cold"})
    assert _ids(told)[0] == first
    assert second not in _ids(told)
    assert memory.sessions.resolve(session.session_id, [dashed, third[:31]]).updated == 3


def test_a_position_names_a_memory(memory: Memory, session: Session) -> None:
    """As everywhere, `@` and where it was remembered; with its id beside it, it is named twice."""
    first, second, third = (f"@{hit.position}" for hit in session.memories)
    hidden = next(f"@{at}" for at in range(1, 13) if f"@{at}" not in {first, second, third})
    with pytest.raises(NotShown):
        memory.sessions.vote(session.session_id, {hidden: "hot"})
    with pytest.raises(InvalidField, match="twice"):
        memory.sessions.vote(session.session_id, {first: "hot", _ids(session)[0]: "cold"})
    told = memory.sessions.vote(session.session_id, {f" {first} ": "hot", second: "cold"})
    assert _ids(told)[0] == _ids(session)[0]
    assert _ids(session)[1] not in _ids(told)
    assert memory.sessions.resolve(session.session_id, [first, third]).updated == 3


def test_a_session_is_of_one_embedder(memory: Memory, session: Session, clock: HandClock) -> None:
    """Its vectors are in no other's space: with another one it is over, and says why."""
    first = _ids(session)[0]
    memory.close()
    parts = {"actor": "user:dana", "run": "talk", "clock": clock}
    with Memory.open(memory.home, embedder=OtherWords(), **parts) as other:
        head = other.log.checkpoint()
        for command in (
            lambda: other.sessions.vote(session.session_id, {first: "warm"}),
            lambda: other.sessions.resolve(session.session_id, [first]),
        ):
            with pytest.raises(SessionOver, match="embedder bag-of-words-64"):
                command()
        assert other.log.checkpoint() == head
    with open_home(memory.home, clock=clock) as again:
        assert again.sessions.vote(session.session_id, {first: "warm"}).round == 2


def test_a_refused_start_begins_nothing(tmp_path: Path, clock: HandClock) -> None:
    """A session that could not begin leaves no file, and no event."""
    with open_home(tmp_path / "home", clock=clock) as memory:
        with pytest.raises(InvalidField):
            memory.sessions.start("")
        with pytest.raises(UnknownSession):
            memory.sessions.vote(NOBODY, {NOBODY: "hot"})
        assert not (memory.home / FILE).exists()
        assert memory.log.checkpoint().position == 0


def test_a_session_on_an_empty_memory_says_that_it_found_nothing(memory: Memory) -> None:
    """Nothing is shown, nothing is left to vote on, and it can be resolved with nothing."""
    started = memory.sessions.start(QUERY)
    assert (started.memories, started.converged) == ((), True)
    with pytest.raises(NotShown):
        memory.sessions.vote(started.session_id, {NOBODY: "hot"})
    told = memory.sessions.resolve(started.session_id)
    assert (told.updated, told.learned) == (0, False)
