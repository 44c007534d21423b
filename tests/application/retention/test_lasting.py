"""Lasting facts: recognised when they are stored, recorded in the event, and never faded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemolog import Memory, NewMemory
from mnemolog.application.imports.readers import read_jsonl
from mnemolog.ledger.events import Remembered
from tests.homes import DAY, HandClock

PERSISTING = (
    "relevance: new, related, known; high: persist, persist, reinforce; "
    "medium: persist, persist, reinforce; low: persist, persist, reinforce"
)

# Written after the weights were fitted; no statement of the set says the same.
LASTING = [
    "My blood group is O negative",
    "Grandpa has had a pacemaker since 2015",
    "Mia's birthday is on the 4th of July",
    "We live at 42 Elm Grove, Bristol",
    "Please always speak German with me",
    "Tim is allergic to walnuts",
    "Our anniversary: 12 June",
    "The neighbours' phone number is 0117 496 0033",
    "Dad takes blood thinners every morning",
    "In an emergency call Aunt Jo on 07700 900123",
    "Never give the dog grapes",
    "My name is Priya Raman",
    "I'm diabetic",
    "Leo was born on 3 March 2016 in Leeds",
    "Granny cannot eat gluten",
    "Passport number 533380006",
]
PASSING = [
    "The dentist appointment is on Tuesday",
    "We had pizza",
    "Bought oat milk and bread",
    "The washing machine repair man comes on Monday",
    "Watched the football, we lost 2-0",
    "The boiler was serviced in March",
    "Library books are due on Friday",
    "School play next Thursday at six",
    "The car needs an oil change",
    "Ordered a new kettle",
    "It snowed all night",
    "I bought a birthday cake for Mia today",
]


def test_lasting_facts_are_told_from_what_passes(tmp_path: Path) -> None:
    """With the built-in embedder, nearly all lasting facts are found, and few other statements."""
    with Memory.open(tmp_path / "home") as memory:
        receipts = memory.remember_many([*LASTING, *PASSING], contradictions="off")
        lasting = [memory.get(str(one.memory_id)).lasting for one in receipts]
    assert all(lasting[: len(LASTING)])
    assert sum(lasting[len(LASTING) :]) <= 2


@pytest.mark.fitted_judge
@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("In an emergency call Aunt Ruth on 079 555 01 40", "The call was moved to three"),
        ("You can reach my sister on 020 7946 0812", "The phone is charged now"),
    ],
)
def test_chat_in_passing_does_not_replace_a_lasting_fact(
    tmp_path: Path, known: str, said: str
) -> None:
    """What shares no word with a lasting fact and does not last leaves it as it is."""
    with Memory.open(tmp_path / "home") as memory:
        fact = str(memory.remember(known).memory_id)
        memory.remember(said)
        assert memory.get(fact).status == "active"


@pytest.mark.fitted_judge
@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("The spare key is with Mrs Amsler", "The spare key is with Mrs Kaya now"),
        ("My sister's number is 020 7946 0812", "My sister's number is now 020 7946 0999"),
        ("The wifi password is otter-lantern-9", "The wifi password changed to fern-owl-7"),
    ],
)
def test_a_lasting_fact_in_passing_replaces_another(tmp_path: Path, known: str, said: str) -> None:
    """What a lasting fact has become since is one itself, and takes its place."""
    with Memory.open(tmp_path / "home") as memory:
        fact = str(memory.remember(known).memory_id)
        new = memory.remember(said)
        assert memory.get(fact).superseded_by == (new.memory_id,)


def test_another_embedder_goes_by_words_alone(memory: Memory) -> None:
    """Where vectors are another model's, most lasting facts are found by their words."""
    assert memory.get(str(memory.remember("My blood type is A positive").memory_id)).lasting
    receipts = memory.remember_many([*LASTING, *PASSING], contradictions="off")
    lasting = [memory.get(str(one.memory_id)).lasting for one in receipts]
    assert sum(lasting[: len(LASTING)]) >= 0.7 * len(LASTING)
    assert sum(lasting[len(LASTING) :]) <= 0.4 * len(PASSING)


@pytest.mark.parametrize(
    "item",
    [
        NewMemory("it rained", lasting=True),
        NewMemory("the cellar is flooded", constraint="safety"),
        NewMemory("a clerk", category="user_identity"),
        NewMemory("My blood type is A positive", kind="episodic", importance="low"),
    ],
)
def test_a_lasting_fact_never_falls(memory: Memory, clock: HandClock, item: NewMemory) -> None:
    """After years it is active and as strong as at first, whatever the lowest tier is."""
    memory.configure({"lowest_tier": "deleted"})
    one = str(memory.remember(item).memory_id)
    clock.move(5 * 365 * DAY)
    assert memory.upkeep.tick(confirmed=True).falls == {}
    assert (memory.get(one).status, memory.get(one).strength) == ("active", 1.0)


def test_the_caller_decides_what_lasts(memory: Memory) -> None:
    """What is stated to last or not to last is not decided by the text."""
    stated = memory.remember("My blood type is A positive", lasting=False)
    assert not memory.get(str(stated.memory_id)).lasting
    memory.configure({"recognise_lasting": False})
    unread = memory.remember("My blood type is B positive")
    assert not memory.get(str(unread.memory_id)).lasting


Change = Callable[[Memory, str], object]
CHANGES: list[Change] = [
    lambda memory, old: memory.supersede(old, "the new one"),
    lambda memory, old: memory.remember("the new one", supersedes=(old,)),
    lambda memory, _: memory.correct("The rowing club meets at nine now, not at eight"),
]


@pytest.mark.fitted_judge
@pytest.mark.parametrize("change", CHANGES)
def test_what_replaces_a_lasting_fact_lasts(memory: Memory, change: Change) -> None:
    """A correction of a lasting fact is one itself, however it is worded."""
    old = str(memory.remember("The rowing club meets at eight", lasting=True).memory_id)
    change(memory, old)
    (new,) = memory.get(old).superseded_by
    assert memory.get(new).lasting


def test_a_retry_keeps_what_was_recognised(memory: Memory) -> None:
    """The same memory under its id is stored once, also after the setting has changed."""
    item = NewMemory("My blood type is A positive", id="0190a8c2b4e07c3a9d1f2b3c4d5e6f70")
    first = memory.remember(item)
    memory.configure({"recognise_lasting": False})
    assert memory.remember(item).position == first.position


def test_the_event_says_that_it_lasts(memory: Memory) -> None:
    """Whether a memory lasts is decided once; an older event says nothing, and fades."""
    memory.remember("My blood type is A positive")
    (event,) = memory.log.events(kinds=("remembered",))
    assert event.structure["lasting"] is True
    assert not Remembered().lasting


def test_what_is_imported_or_admitted_is_looked_at_too(tmp_path: Path, memory: Memory) -> None:
    """Every way in recognises lasting facts as `remember` does."""
    file = tmp_path / "notes.jsonl"
    file.write_text('{"content": "My blood type is A positive"}\n')
    memory.import_memories(read_jsonl(file, "default"))
    memory.configure({"admission": PERSISTING})
    memory.admission.admit("My birthday is March 3rd")
    assert [item.lasting for item in memory.list()] == [True, True]
