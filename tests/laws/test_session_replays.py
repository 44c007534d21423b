"""What sessions taught, folded, replayed and undone: the log alone tells it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import apsw
import msgspec
import pytest
from hypothesis import given, strategies as st

from mnemolog import Memory
from mnemolog.application.upkeep.integrity import table_rows
from mnemolog.ledger.digests import EMPTY
from mnemolog.ledger.events import Event, Vote
from mnemolog.projections.views import all_projections
from tests.homes import DAY, HandClock
from tests.laws.learning import (
    CUES,
    ENTITIES,
    KITCHEN,
    OF_ENTITY,
    TEXTS,
    entities,
    given_votes,
    home_of,
    ids,
    learned,
    offered,
    open_home,
    recalled,
    shown,
    votes,
)


class Made(msgspec.Struct, frozen=True):
    """The log of a home in which sessions have taught, its secret, and the instant after it."""

    events: Sequence[Event]
    secret: bytes
    now: int


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A log with sessions of all kinds, one of them undone and one undone and restored."""
    clock = HandClock()
    with open_home(tmp_path_factory.mktemp("made") / "home", clock) as memory:
        memory.remember_many(TEXTS, contradictions="off")
        taught = []
        for turn, cue in enumerate(CUES[:5]):
            session = memory.sessions.start(cue, entity=ENTITIES[turn % 2] if turn else None)
            first, second, third, *_ = ids(session.memories)
            told = memory.sessions.vote(session.session_id, {first: "spark", second: "hot"})
            branch = ids(told.spark_branches[0].memories)[:1] if told.spark_branches else []
            taught.append(memory.sessions.resolve(session.session_id, [third, *branch]))
            clock.move(DAY)
        undone = [memory.undo(taught[turn].events[0].event_id) for turn in (1, 2)]
        memory.undo(undone[0].events[0].event_id)
        memory.upkeep.write_uses()
        log = memory._space.home.log
        return Made(log.read(EMPTY.position, log.head().position), log.secret, clock.now())


def folded(events: Sequence[Event], cuts: Sequence[int]) -> dict[str, list[tuple[object, ...]]]:
    """All tables after folding events with a batch's end at each cut."""
    db = apsw.Connection("")
    projections = all_projections(b"secret")
    for projection in projections:
        db.execute(projection.schema).fetchall()
    end = len(events)
    for low, high in pairwise(sorted({0, end, *(cut % (end + 1) for cut in cuts)})):
        for projection in projections:
            projection.apply(db, events[low:high])
    found = {name: table_rows(db, name) for each in projections for name in each.tables}
    db.close()
    return found


class Script(msgspec.Struct, frozen=True):
    """A session: what it asks, what is voted round by round, and what is accepted."""

    query: str
    entity: str | None
    rounds: list[list[tuple[int, Vote]]]
    accepted: list[int]


scripts = st.builds(
    Script,
    query=st.sampled_from(CUES),
    entity=entities,
    rounds=st.lists(votes, min_size=1, max_size=3),
    accepted=st.lists(st.integers(0, 9), max_size=2),
)


def played(memory: Memory, script: Script, chance: Random | None) -> list[object]:
    """All that a session shows and teaches, the votes of each round perhaps shuffled."""
    session = memory.sessions.start(script.query, entity=script.entity)
    seen: list[object] = [shown(session)]
    known = offered(session)
    for drawn in script.rounds:
        ballot = [*given_votes(offered(session), drawn).items()]
        if chance is not None:
            chance.shuffle(ballot)
        session = memory.sessions.vote(session.session_id, dict(ballot))
        seen.append(shown(session))
        known = list(dict.fromkeys([*known, *offered(session)]))
    taken = list(dict.fromkeys(known[one % len(known)] for one in script.accepted))
    told = memory.sessions.resolve(session.session_id, taken)
    memory.upkeep.write_uses()
    seen += [told.updated, told.learned, learned(memory), recalled(memory)]
    seen += [
        {name: value for name, value in entry.structure.items() if name != "session"}
        for entry in memory.log.events(kinds=("voted", "resolved"))
    ]
    return seen


@given(script=scripts, chance=st.randoms(use_true_random=False))
def test_the_same_votes_on_the_same_log_give_the_same_answers(
    made: Made, script: Script, chance: Random
) -> None:
    """In two homes of one log, every round shows the same and the end teaches the same.

    In whatever order the votes of a round are given.
    """
    found = []
    with tempfile.TemporaryDirectory() as root:
        for number, order in enumerate((None, chance)):
            clock = HandClock(made.now)
            path = home_of(Path(root, str(number)), made.events, clock, made.secret)
            with open_home(path, clock) as memory:
                found.append(played(memory, script, order))
    assert found[0] == found[1]


@given(cuts=st.lists(st.integers(0, 200), max_size=12))
def test_folding_in_any_batching_teaches_the_same(made: Made, cuts: list[int]) -> None:
    """Folding event by event, all at once or in any other batches comes to the same tables."""
    assert folded(made.events, cuts) == folded(made.events, [])
    assert folded(made.events, range(len(made.events))) == folded(made.events, [])


def test_every_undo_turns_what_was_taught_round(tmp_path: Path) -> None:
    """An undo takes what a session taught back, an undo of that restores it, and so on.

    As of each position it is what it was then.
    """
    with open_home(tmp_path / "home", HandClock()) as memory:
        memory.remember_many(TEXTS, contradictions="off")
        nothing = learned(memory)
        session = memory.sessions.start(KITCHEN, entity="Dana", limit=4)
        first, second, third, fourth = ids(session.memories)
        memory.sessions.vote(
            session.session_id, {first: "hot", second: "hot", third: "cold", fourth: "spark"}
        )
        told = memory.sessions.resolve(session.session_id)
        taught = learned(memory)
        assert taught != nothing
        turns = [(told.position, taught)]
        for turn in range(6):
            told = memory.undo(told.events[0].event_id)
            turns.append((told.position, taught if turn % 2 else nothing))
            assert _but_entities(learned(memory)) == _but_entities(turns[-1][1])
        for position, then in turns:
            assert _but_entities(learned(memory.as_of(position))) == _but_entities(then)


def _but_entities(known: dict[str, object]) -> dict[str, object]:
    """The same without what was asked for names that are not known yet."""
    return {asked: value for asked, value in known.items() if OF_ENTITY not in asked}


def test_a_session_of_one_round_teaches_what_a_single_vote_does(tmp_path: Path) -> None:
    """A single vote outside a session counts as a session of one round with nothing accepted."""
    found = []
    for way in ("single", "session"):
        with open_home(tmp_path / way, HandClock()) as memory:
            memory.remember_many(TEXTS, contradictions="off")
            session = memory.sessions.start(KITCHEN, entity="Mara", limit=10, max_rounds=1)
            first, second, third, *_ = [hit.position for hit in session.memories]
            named = {hit.position: hit.memory_id for hit in session.memories}
            given_: dict[str, Vote] = {
                named[first]: "wrong", named[second]: "hot", named[third]: "hot",
            }  # fmt: skip
            if way == "single":
                memory.sessions.vote_once(KITCHEN, given_, entity="Mara", limit=10)
            else:
                memory.sessions.vote(session.session_id, given_)
                memory.sessions.resolve(session.session_id)
            (resolved,) = memory.log.events(kinds=("resolved",))
            kept = {"rounds", "votes", "accepted", "gain", "evidence", "leads"}
            found.append({name: resolved.structure.get(name) for name in kept})
            found[-1]["bearings"] = [one["bearing"] for one in resolved.structure["lessons"]]
    assert found[0]["rounds"] == 1
    # Memories have other ids in each home, and lessons stand in their order.
    for each in found:
        each["bearings"].sort()
    assert found[0] == found[1]


@pytest.mark.parametrize("hot", [(3, 2, 4), (5,), (4, 5), (0, 1, 2, 3, 4, 5)])
def test_what_was_hot_stays_first(tmp_path: Path, hot: tuple[int, ...]) -> None:
    """However far from one another and from the query, hot memories stay before all others."""
    with open_home(tmp_path / "home", HandClock()) as memory:
        memory.remember_many(TEXTS, contradictions="off")
        session = memory.sessions.start(KITCHEN, limit=6)
        first = ids(session.memories)
        ballot: dict[str, Vote] = dict.fromkeys(first, "cold")
        ballot |= {first[place]: "hot" for place in hot}
        for _ in range(3):
            told = memory.sessions.vote(session.session_id, ballot)
            line = ids(told.memories)
            assert set(line[: len(hot)]) == {first[place] for place in hot}
            assert set(line[len(hot) :]).isdisjoint(ballot)
            assert len(line) <= 6
            ballot |= dict.fromkeys(line[len(hot) :], "wrong")
