"""What sessions taught, as later questions meet it: in context, along hooks, taken back by undo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemolog import Memory, Moment, Resolution, SparkBranch
from tests.faults.hashed_words import HashedWords
from tests.homes import DAY, HandClock

BOAT = "who painted the hull of the boat in spring last year"
LIKE = "who painted the hull of the boat in spring this year"
FAR = "which wine goes with the goose"
TEXTS = (
    "the hull of the boat was painted in spring by Ada last year",
    "the hull of the boat is painted by Bo in spring every year",
    "the boat has its hull out of the water in spring",
    "varnish from Kiel dries slowly when it rains",
    "the varnish of Mr Holm from Kiel smells of tar and dries slowly",
    "which wine goes with the goose is known to Cleo",
    "the goose was roasted with apples",
)
SPARK = "in spring the boat smells of varnish from Kiel"
FOUND = "Mr Holm sells varnish from Kiel in small tins"


@pytest.fixture
def clock() -> HandClock:
    """The clock of the home."""
    return HandClock()


@pytest.fixture
def memory(tmp_path: Path, clock: HandClock) -> Iterator[Memory]:
    """A home whose embedder spreads its numbers as a model does."""
    with Memory.open(
        tmp_path / "home", actor="user:dana", clock=clock, embedder=HashedWords()
    ) as opened:
        opened.remember_many([*TEXTS, SPARK, FOUND], contradictions="off")
        yield opened


def _id(memory: Memory, text: str) -> str:
    return next(one.memory_id for one in memory.list(limit=100) if one.content == text)


def _scores(memory: Memory, cue: str, name: str) -> dict[str, float]:
    """One component of what a cue finds, by text."""
    found = memory.recall(cue, limit=20, min_relevance=0).hits
    return {hit.content: hit.explanation.scores[name] for hit in found}


def _led(memory: Memory, cue: str) -> Resolution:
    """A session in which one memory reminded of another, which was the answer."""
    session = memory.sessions.start(cue, limit=3)
    spark, found = _id(memory, SPARK), _id(memory, FOUND)
    shown = {hit.memory_id for hit in session.memories}
    assert spark in shown
    assert found not in shown
    told = memory.sessions.vote(session.session_id, {spark: "spark"})
    (branch,) = told.spark_branches
    assert isinstance(branch, SparkBranch)
    assert branch.spark == spark
    assert found in {hit.memory_id for hit in branch.memories}
    return memory.sessions.resolve(session.session_id, [found])


def _brought(questions: Memory | Moment, cue: str) -> list[tuple[str, str | None]]:
    """What a recall brings along: each with the memory that brings it."""
    found = questions.recall(cue, limit=3, min_relevance=0)
    assert FOUND not in {hit.content for hit in found.hits}
    return [(hit.content, hit.explanation.found) for hit in found.brought]


def test_a_spark_that_led_to_the_answer_twice_brings_it_along(memory: Memory) -> None:
    """Not after one session; after two, until one is undone, and again once that is undone."""
    hook = [(FOUND, _id(memory, SPARK))]
    cue, *ledgers = ("a smell in spring", "the boat in spring", "what smells of tar")
    turns = [(memory.log.checkpoint().position, _brought(memory, cue))]
    for one in ledgers:
        told = _led(memory, one)
        turns.append((told.position, _brought(memory, cue)))
    for _ in range(2):
        told = memory.undo(told.events[0].event_id)
        turns.append((told.position, _brought(memory, cue)))
    assert [brought for _, brought in turns] == [[], [], hook, [], hook]
    for position, brought in turns:
        assert _brought(memory.as_of(position), cue) == brought
    memory.withdraw(_id(memory, FOUND))
    assert memory.recall(cue, min_relevance=0).brought == ()


def test_a_like_query_benefits_and_another_does_not(memory: Memory) -> None:
    """What answered comes up sooner for queries like it, and what misled later; no other query."""
    before = [_scores(memory, cue, "learned") for cue in (BOAT, LIKE, FAR)]
    assert not any(value for scores in before for value in scores.values())
    misled, right, *_ = (hit.content for hit in memory.recall(LIKE, min_relevance=0).hits)
    session = memory.sessions.start(BOAT)
    memory.sessions.vote(session.session_id, {_id(memory, misled): "wrong"})
    memory.sessions.resolve(session.session_id, [_id(memory, right)])
    for cue in (BOAT, LIKE):
        learned = _scores(memory, cue, "learned")
        assert learned[right] > 0 > learned[misled]
        order = [hit.content for hit in memory.recall(cue, min_relevance=0).hits]
        assert order.index(right) < order.index(misled)
    assert not any(_scores(memory, FAR, "learned").values())


def test_what_was_learned_for_one_number_is_not_raised_for_another(memory: Memory) -> None:
    """Queries that differ in a number alone are near one another, and are not the same."""
    for release, fault in (("4.1", "slow"), ("4.2", "loud"), ("4.3", "leaky")):
        memory.remember(f"release {release} was a problem since it was {fault}")
    cues = {one: f"why was the release {one} such a problem for us all" for one in ("4.1", "4.3")}
    before = {one: _scores(memory, cue, "learned") for one, cue in cues.items()}
    (right, *_) = memory.recall(cues["4.3"], min_relevance=0).hits
    session = memory.sessions.start(cues["4.3"])
    memory.sessions.resolve(session.session_id, [right.memory_id])
    assert _scores(memory, cues["4.3"], "learned")[right.content] > 0
    assert _scores(memory, cues["4.1"], "learned") == before["4.1"]
    # Without a number none was meant; with the same one in other words it was.
    assert not any(_scores(memory, cues["4.3"].replace("4.3 ", ""), "learned").values())
    other = cues["4.3"].replace("such a", "a bad")
    assert _scores(memory, other, "learned")[right.content] > 0


def test_what_was_learned_of_one_memory_makes_no_other_more_relevant(memory: Memory) -> None:
    """Where nothing matched, what answered is found alone; the rest is as relevant as before."""
    cue = "whose bicycle leans against that fence"
    assert memory.recall(cue).hits == ()
    before = {hit.content: hit.relevance for hit in memory.recall(cue, min_relevance=0).hits}
    session = memory.sessions.start(cue, limit=10)
    right, misled, *_ = session.memories
    memory.sessions.vote(session.session_id, {misled.memory_id: "cold"})
    memory.sessions.resolve(session.session_id, [right.memory_id])
    (found,) = memory.recall(cue).hits
    assert (found.memory_id, round(found.relevance, 2)) == (right.memory_id, 1.0)
    after = {hit.content: hit.relevance for hit in memory.recall(cue, min_relevance=0).hits}
    assert after.keys() == before.keys()
    del before[right.content], after[right.content]
    assert after.pop(misled.content) < before.pop(misled.content)
    # But for the weights of the components, which it bears on by a little.
    assert after == pytest.approx(before, abs=0.005)


def test_what_misled_is_less_relevant_and_makes_no_other_more_so(memory: Memory) -> None:
    """All that was shown misled: it is less relevant by that, and the rest is as it was."""
    cue = "who painted the boat"
    shown = memory.recall(cue, min_relevance=0).hits
    before = {hit.content: hit.relevance for hit in shown}
    session = memory.sessions.start(cue, limit=3)
    misled = {hit.content for hit in session.memories}
    memory.sessions.vote(session.session_id, {hit.memory_id: "wrong" for hit in session.memories})
    memory.sessions.resolve(session.session_id)
    found = memory.recall(cue, min_relevance=0).hits
    after = {hit.content: hit.relevance for hit in found}
    assert all(after[text] < before[text] for text in misled)
    # What a newer hit may replace is as relevant as that one.
    alone = ({hit.content for hit in hits if hit.note is None} for hits in (shown, found))
    others = set.intersection(*alone) - misled
    assert others
    for text in others:
        assert after[text] == pytest.approx(before[text], abs=0.005)
    (first,) = memory.recall(cue, min_relevance=0, limit=1).hits
    assert first.relevance == after[first.content]


def test_what_was_learned_of_an_entity_is_its_own(memory: Memory) -> None:
    """Where one was named, only a query that names it benefits, however like it another is."""
    for name, text in (("Ada", TEXTS[0]), ("Bo", TEXTS[1])):
        memory.sessions.vote_once(BOAT, {_id(memory, text): "hot"}, entity=name)
    assert not any(_scores(memory, BOAT, "learned").values())
    ada, bo = (_scores(memory, f"{BOAT} {name}", "learned") for name in ("Ada", "Bo"))
    assert ada[TEXTS[0]] > 0 == ada[TEXTS[1]]
    assert bo[TEXTS[1]] > 0 == bo[TEXTS[0]]


def test_a_name_within_a_word_of_the_query_is_not_that_name(memory: Memory) -> None:
    """An entity is searched along unless the query holds its name, as words of its own."""
    one = _id(memory, TEXTS[0])
    for _ in range(2):
        memory.sessions.vote_once(BOAT, {one: "hot"}, entity="Hul")
        found = memory.sessions.start(BOAT, entity="Hul").memories
    learned = {hit.memory_id: hit.explanation.scores["learned"] for hit in found}
    assert learned[one] > 0
    assert not any(_scores(memory, BOAT, "learned").values())


def test_what_was_sought_together_goes_together_and_comes_apart(
    memory: Memory, clock: HandClock
) -> None:
    """Hot memories of one session are associated for every query, half as much a month later."""
    goose = _id(memory, TEXTS[6])
    session = memory.sessions.start(f"{FAR} {TEXTS[6]} {TEXTS[3]}", limit=9)
    memory.sessions.vote(session.session_id, {goose: "hot", _id(memory, TEXTS[3]): "hot"})
    memory.sessions.resolve(session.session_id)
    first = _scores(memory, TEXTS[6], "association")[TEXTS[3]]
    assert 0 < first < 1
    clock.move(30 * DAY)
    later = _scores(memory, TEXTS[6], "association")[TEXTS[3]]
    assert later == pytest.approx(first / 2, abs=0.02)
