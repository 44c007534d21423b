"""Recall sessions: what they show, what they teach, and what they leave alone."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemolog import Memory, NotShown, Session
from mnemolog.ledger.events import Vote
from tests.homes import DAY, SECOND, HandClock, open_home

HARBOUR = (
    "The ferry leaves the harbour at noon",
    "Kenji paints boats in the harbour",
    "The harbour master is called Ingrid",
    "A crane unloads timber from the north",
    "Timber is dear this winter",
    "The lighthouse was automated years ago",
    "Gulls steal the fish from the market",
    "The fish market opens at five",
    "Salt eats the paint of every hull",
    "The hull of the Freya was sealed with tar",
)


@pytest.fixture
def harbour(memory: Memory) -> dict[str, str]:
    """The ids of some turns of talk, by what they say."""
    said = {text: memory.remember(text, source="user:ada") for text in HARBOUR}
    return {text: receipt.memory_id or "" for text, receipt in said.items()}


def _ids(session: Session) -> list[str]:
    return [hit.memory_id for hit in session.memories]


def _through(memory: Memory, query: str, spark: str) -> str:
    """What a spark led to, in a session that is resolved with it."""
    session = memory.sessions.start(query, limit=1)
    while spark not in _ids(session):
        session = memory.sessions.vote(session.session_id, dict.fromkeys(_ids(session), "cold"))
    session = memory.sessions.vote(session.session_id, {spark: "spark"})
    (branch,) = session.spark_branches
    found = branch.memories[0].memory_id
    assert found not in _ids(session)
    memory.sessions.resolve(session.session_id, [found])
    return found


@pytest.mark.parametrize("reranker", ["off", "phrases"])
@pytest.mark.parametrize("strategy", ["hybrid", "rrf", "semantic", "keyword"])
def test_a_session_shows_what_a_recall_shows(
    memory: Memory, harbour: dict[str, str], strategy: str, reranker: str
) -> None:
    """The first round is the plain recall's answer, however the space's recalls are ranked."""
    memory.configure({"strategy": strategy, "reranker": reranker})
    plain = memory.recall("the paint in the harbour", limit=4, min_relevance=0)
    session = memory.sessions.start("the paint in the harbour", limit=4)
    assert _ids(session) == [hit.memory_id for hit in plain.hits]
    assert len(session.memories) == 4
    assert (session.round, session.rounds_left, session.converged) == (0, 4, False)
    last = plain.hits[-1].memory_id
    assert memory.sessions.vote_once("the paint in the harbour", {last: "hot"}, limit=4).learned
    after = memory.sessions.vote(session.session_id, dict.fromkeys(_ids(session), "cold"))
    assert after.memories
    assert not set(_ids(after)) & set(_ids(session))
    assert harbour


def test_what_is_hot_stays_and_what_is_judged_goes(memory: Memory, harbour: dict[str, str]) -> None:
    """Hot ones stand in front; cold, wrong, warm and sparks make room for what is new."""
    session = memory.sessions.start("the harbour", limit=5)
    first = _ids(session)
    votes = dict(zip(first, ("cold", "wrong", "warm", "spark", "hot"), strict=True))
    after = memory.sessions.vote(session.session_id, votes)
    assert _ids(after)[0] == first[4]
    assert not set(_ids(after)) & set(first[:4])
    assert not after.converged
    assert harbour


def test_what_is_hot_stays_when_it_is_superseded(memory: Memory) -> None:
    """In front stands then what stands in its place, though the votes lead elsewhere."""
    office = memory.remember("harbour tax office").memory_id or ""
    memory.remember_many(
        [f"filler number {number} of nothing" for number in range(6)]
        + [f"The harbour {word} is by the sea" for word in ("boat", "wall", "light", "gull")],
        contradictions="off",
    )
    session = memory.sessions.start("the harbour is by the sea", limit=50)
    warm = dict.fromkeys(_ids(session)[:2], "warm")
    session = memory.sessions.vote(session.session_id, {office: "hot", **warm})
    assert _ids(session)[0] == office
    newer = memory.remember("Levies moved upstairs", supersedes=[office]).memory_id
    session = memory.sessions.vote(session.session_id, {_ids(session)[-1]: "cold"})
    assert _ids(session)[0] == newer


def test_it_converges_when_nothing_new_comes(memory: Memory, harbour: dict[str, str]) -> None:
    """Who finds all that there is to find is told so."""
    session = memory.sessions.start("the harbour", limit=3)
    again = memory.sessions.vote(session.session_id, dict.fromkeys(_ids(session), "hot"))
    assert sorted(_ids(again)) == sorted(_ids(session))
    assert again.converged
    assert harbour


def test_talk_around_what_is_warm_comes_up(memory: Memory) -> None:
    """What was said next to something warm is looked at, though it shares no word with the cue."""
    for number in range(20):
        memory.remember(f"remark {number} of the tour guide", source="user:ada")
    memory.remember("The castle has a well", source="user:ada")
    memory.remember("Ninety steps, if you count them", source="user:ada")
    for number in range(20, 40):
        memory.remember(f"remark {number} of the tour guide", source="user:ada")
    session = memory.sessions.start("the castle guide", limit=2)
    castle = next(hit.memory_id for hit in session.memories if "castle" in hit.content)
    after = memory.sessions.vote(session.session_id, {castle: "warm"})
    near = [hit.content for hit in after.memories]
    assert "Ninety steps, if you count them" in near or "remark 19 of the tour guide" in near
    assert all(hit.explanation.scores["voted"] > 0 for hit in after.memories)


def test_accepted_is_found_at_once_the_next_time(memory: Memory, harbour: dict[str, str]) -> None:
    """It comes first for the same query, others are answered as before, and undo takes it back."""
    far = memory.recall("when does the market open", limit=2)
    session = memory.sessions.start("who rules the quay", limit=10)
    freya = harbour["The hull of the Freya was sealed with tar"]
    assert freya not in [hit.memory_id for hit in memory.recall("who rules the quay").hits]
    if freya not in _ids(session):
        session = memory.sessions.vote(session.session_id, dict.fromkeys(_ids(session), "cold"))
    done = memory.sessions.resolve(session.session_id, [freya])
    best = memory.recall("who rules the quay").hits[0]
    assert best.memory_id == freya
    assert best.explanation.scores["learned"] == pytest.approx(0.8)
    later = memory.recall("when does the market open", limit=2)
    assert [hit.memory_id for hit in later.hits] == [hit.memory_id for hit in far.hits]
    assert memory.as_of(done.position - 1).recall("who rules the quay").empty
    memory.undo(str(done.events[0].event_id))
    assert memory.recall("who rules the quay").empty


def test_only_what_was_shown_can_be_accepted(memory: Memory, harbour: dict[str, str]) -> None:
    """Another memory is refused, and the session stands."""
    session = memory.sessions.start("the harbour", limit=1)
    hidden = next(one for one in harbour.values() if one not in _ids(session))
    with pytest.raises(NotShown, match="accepted"):
        memory.sessions.resolve(session.session_id, [hidden])
    assert memory.sessions.resolve(session.session_id, _ids(session)).learned


def test_accepting_is_use_and_voting_is_none(memory: Memory, harbour: dict[str, str]) -> None:
    """A vote leaves a memory's strength alone; what is accepted was of use."""
    session = memory.sessions.start("the harbour", limit=2)
    first, second = _ids(session)
    memory.sessions.vote(session.session_id, {first: "hot", second: "hot"})
    memory.sessions.resolve(session.session_id, [first])
    memory.upkeep.write_uses()
    assert memory.get(first).accesses == 1
    assert memory.get(second).accesses == 0
    assert harbour


def test_found_together_is_associated_and_fades(
    memory: Memory, harbour: dict[str, str], clock: HandClock
) -> None:
    """Each time adds, and counts half as much after thirty days; use together adds less."""
    one, two, three = list(harbour.values())[:3]
    memory.sessions.vote_once("the harbour", {one: "hot", two: "hot"})
    (other,) = memory.graph.associations(one).together
    assert (other.memory_id, other.strength) == (two, 0.3)
    clock.move(30 * DAY)
    assert memory.graph.associations(two).together[0].strength == 0.15
    memory.use(one, three)
    memory.upkeep.write_uses()
    known = {each.memory_id: each.strength for each in memory.graph.associations(one).together}
    assert known == {two: 0.15, three: 0.05}
    assert memory.recall("ferry noon", limit=10, min_relevance=0).hits[0].memory_id == one


def test_association_fades_until_the_question_is_asked(
    memory: Memory, harbour: dict[str, str], clock: HandClock
) -> None:
    """Asking what was true back then does not bring back what has come apart since."""
    one, two = list(harbour.values())[:2]
    then = datetime.fromtimestamp(clock.now() / SECOND, UTC)
    memory.sessions.vote_once("the harbour", {one: "hot", two: "hot"})
    clock.move(30 * DAY)
    found = []
    for valid_at in (None, then):
        hits = memory.recall("ferry noon", min_relevance=0, valid_at=valid_at).hits
        shown = {hit.memory_id: hit.explanation.scores["association"] for hit in hits}
        found.append(shown[two])
    assert found[0] == found[1] > 0


def test_a_spark_that_led_twice_brings_it_along(memory: Memory, harbour: dict[str, str]) -> None:
    """After one session it does not, after two a recall of the one shows the other beside it.

    So does what supersedes it, since it takes its place.
    """
    spark = harbour["A crane unloads timber from the north"]
    found = _through(memory, "the crane", spark)
    assert memory.recall("a crane in the north", limit=1).brought == ()
    assert memory.graph.associations(spark).brings == ()
    assert _through(memory, "what is unloaded", spark) == found
    assert memory.graph.associations(spark).brings == (found,)
    answer = memory.recall("which crane unloads", limit=1)
    assert [hit.memory_id for hit in answer.hits] == [spark]
    assert [hit.memory_id for hit in answer.brought] == [found]
    assert answer.brought[0].explanation.found == spark
    newer = memory.remember("A gantry crane unloads timber", supersedes=[spark]).memory_id or ""
    answer = memory.recall("which crane unloads", limit=1)
    assert [hit.memory_id for hit in answer.hits] == [newer]
    assert [hit.memory_id for hit in answer.brought] == [found]
    assert memory.graph.associations(newer).brings == (found,)


def test_what_is_learned_of_an_entity_is_its_own(memory: Memory, harbour: dict[str, str]) -> None:
    """It counts where the entity is named, in a recall too, and nowhere else."""
    hull = harbour["Salt eats the paint of every hull"]
    session = memory.sessions.start("what happened there", entity="Freya", limit=10)
    assert hull in _ids(session)
    memory.sessions.resolve(session.session_id, [hull])
    named = memory.recall("what happened there Freya").hits
    assert named[0].memory_id == hull
    assert hull not in [hit.memory_id for hit in memory.recall("what happened there").hits]
    structure = next(iter(memory.log.events(kinds=("resolved",)))).structure
    assert "freya" not in str(structure).lower()


def test_a_home_may_record_the_aggregate_alone(memory: Memory, harbour: dict[str, str]) -> None:
    """No vote is an event then: the resolution tells how many there were, and teaches as much."""
    memory.configure({"record_votes": "aggregate"})
    session = memory.sessions.start("the harbour", limit=2)
    memory.sessions.vote(session.session_id, dict.fromkeys(_ids(session), "cold"))
    memory.sessions.resolve(session.session_id)
    memory.sessions.vote_once("the ferry", {harbour["The ferry leaves the harbour at noon"]: "hot"})
    kinds = [entry.kind for entry in memory.log.events()]
    assert "voted" not in kinds
    first, second = memory.log.events(kinds=("resolved",))
    assert first.structure["votes"] == {"cold": 2}
    assert second.structure["votes"] == {"hot": 1}


def test_rounds_are_a_sign_of_health(
    memory: Memory, harbour: dict[str, str], clock: HandClock
) -> None:
    """The mean rounds of the last thirty days' sessions, of those in which something was found."""
    assert memory.upkeep.health().rounds_per_session is None
    for rounds in (1, 3):
        session = memory.sessions.start("the harbour", limit=1)
        for _ in range(rounds):
            session = memory.sessions.vote(session.session_id, dict.fromkeys(_ids(session), "cold"))
        memory.sessions.resolve(session.session_id, _ids(session))
    memory.sessions.resolve(memory.sessions.start("gulls").session_id)
    health = memory.upkeep.health()
    assert (health.sessions, health.rounds_per_session) == (2, 2.0)
    clock.move(31 * DAY)
    memory.remember("a month passed")
    assert memory.upkeep.health().sessions == 0
    assert harbour


def test_history_tells_votes_and_what_was_learned(memory: Memory, harbour: dict[str, str]) -> None:
    """The life of a memory has its votes, and the sessions that taught something of it."""
    ferry = harbour["The ferry leaves the harbour at noon"]
    memory.sessions.vote_once("the ferry", {ferry: "wrong"})
    kinds = [entry.kind for entry in memory.history(ferry)]
    assert kinds == ["remembered", "resolved", "voted"]


def test_history_tells_no_votes_on_others(memory: Memory, harbour: dict[str, str]) -> None:
    """A vote of the same round on another memory is no part of a memory's life."""
    session = memory.sessions.start("the harbour", limit=3)
    votes: dict[str, Vote] = dict.fromkeys(_ids(session), "cold")
    assert len(votes) == 3
    memory.sessions.vote(session.session_id, votes)
    for one in votes:
        cast = [entry.memory_id for entry in memory.history(one) if entry.kind == "voted"]
        assert cast == [one]
    assert harbour


def test_a_vote_stands_in_no_undos_way(memory: Memory) -> None:
    """What stored a memory can be undone though it was voted on since."""
    stored = memory.remember("A memory that was a mistake")
    memory.sessions.vote_once("mistake", {stored.memory_id or "": "cold"})
    memory.undo(str(stored.events[0].event_id))
    assert memory.get(stored.memory_id or "").status == "withdrawn"


def test_relevance_learns_which_component_was_right(memory: Memory, clock: HandClock) -> None:
    """What ranked the accepted ones high counts for more, no more than the prior altogether."""
    before = memory.recall("plan").weights
    shares = []
    for number in range(50):
        text = f"garden{number} gate{number} tulip{number}"
        memory.remember(f"{text} bulb")
        clock.move(DAY)
        new = memory.remember(f"{text} seed", contradictions="off").memory_id or ""
        session = memory.sessions.start(text, limit=10)
        assert new in _ids(session)
        memory.sessions.resolve(session.session_id, [new])
        shares.append(memory.recall("plan").weights["temporal"])
    assert memory.as_of(1).recall("plan").weights == before
    assert before["temporal"] < shares[0] < shares[3]
    assert before["temporal"] < shares[-1] <= (1 + 20) / 40
    assert memory.recall("plan").weights["semantic"] >= 16 / 40


def test_a_session_goes_on_in_another_process_and_expires(
    tmp_path: Path, memory: Memory, clock: HandClock
) -> None:
    """Its id is all that is needed, each use gives it five minutes more, and no more than that."""
    for text in HARBOUR:
        memory.remember(text)
    session = memory.sessions.start("the harbour", limit=2)
    clock.move(299 * SECOND)
    with open_home(tmp_path / "home", clock=clock) as other:
        session = other.sessions.vote(session.session_id, dict.fromkeys(_ids(session), "cold"))
    clock.move(299 * SECOND)
    session = memory.sessions.vote(session.session_id, dict.fromkeys(_ids(session), "cold"))
    assert session.expires_at.timestamp() * SECOND == clock.now() + 300 * SECOND
