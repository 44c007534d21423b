"""Newest first: the order of hits that say nearly the same, without a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemolog import Memory, NewMemory
from tests.homes import DAY, HandClock


@pytest.fixture
def hand_clock() -> HandClock:
    """The clock of `unchecked`."""
    return HandClock()


@pytest.fixture
def unchecked(tmp_path: Path, hand_clock: HandClock) -> Iterator[Memory]:
    """A memory with the built-in embedder that looks for no contradictions."""
    with Memory.open(tmp_path / "home", actor="user:dana", clock=hand_clock) as opened:
        opened.configure({"contradictions": "off"})
        yield opened


def _told(memory: Memory, clock: HandClock, *texts: str) -> None:
    for text in texts:
        memory.remember(text)
        clock.move(DAY)


@pytest.mark.parametrize(
    ("old", "new", "cue"),
    [
        ("The rent is 900 euros", "The rent is 950 euros", "what is the rent?"),
        ("Dana lives in Lyon", "Dana lives in a village near Ghent", "where does Dana live?"),
        ("The demo is on Friday in room 4", "The demo is on Monday", "when is the demo?"),
        ("Our supplier of steel is Meyer", "The steel supplier is Koch", "who supplies our steel?"),
        (
            "Kitchen: the tiles are white, from Meyer in Graz",
            "Kitchen: blue tiles from Koch in Linz",
            "which tiles are in the kitchen?",
        ),
    ],
)
def test_the_newer_of_two_that_say_nearly_the_same_comes_first(
    unchecked: Memory, hand_clock: HandClock, old: str, new: str, cue: str
) -> None:
    """The newer one takes the place, and the older one is marked as possibly outdated."""
    _told(unchecked, hand_clock, old, "The garden needs water", new, "The roof was mended")
    first, second = unchecked.recall(cue).hits[:2]
    assert [first.content, second.content] == [new, old]
    assert first.note is None
    assert second.note == f"possibly outdated: @{first.position} is newer"
    assert first.relevance >= second.relevance


@pytest.mark.parametrize(
    ("old", "new", "cue"),
    [
        ("Ben's shoe size is 43", "Ana's shoe size is 38", "Ben's shoe size"),
        ("Order 1105 is for the bakery", "Order 1150 is for the bakery", "what is order 1105 for?"),
        ("The ferry to Oslo costs 80 euros", "The ferry to Kiel costs 60 euros", "ferry to Oslo"),
        ("Ana: I vote for the red logo", "Ben: I vote for the blue logo", "what logo is Ana for?"),
    ],
)
def test_a_name_or_number_of_the_cue_keeps_two_apart(
    unchecked: Memory, hand_clock: HandClock, old: str, new: str, cue: str
) -> None:
    """What is newer about somebody or something else does not come first."""
    _told(unchecked, hand_clock, old, new)
    (first, *_) = unchecked.recall(cue).hits
    assert (first.content, first.note) == (old, None)


def test_a_text_that_was_stored_twice_is_shown_once(
    unchecked: Memory, hand_clock: HandClock
) -> None:
    """The newest of the same words is shown; the same event at two times is two events."""
    _told(unchecked, hand_clock, "The kettle was mended", "the kettle was mended!")
    (hit,) = unchecked.recall("kettle").hits
    assert hit.content == "the kettle was mended!"
    unchecked.remember(NewMemory("The kettle was mended", valid_from="2024-01-01"))
    assert len(unchecked.recall("kettle").hits) == 2


def test_long_texts_that_end_differently_are_both_shown(
    unchecked: Memory, hand_clock: HandClock
) -> None:
    """Only the beginning of a long text is compared by words, but all of it has to be the same."""
    log = "the kettle was mended, " * 500
    _told(unchecked, hand_clock, f"{log} by Ana", f"{log} by Ben", f"{log} by Ben")
    ends = [hit.content[-3:] for hit in unchecked.recall("kettle mended").hits]
    assert sorted(ends) == ["Ana", "Ben"]


def test_a_longer_list_begins_with_the_shorter(unchecked: Memory, hand_clock: HandClock) -> None:
    """However many are asked for, the newer one is first."""
    _told(unchecked, hand_clock, "The rent is 900 euros", "The rent is 950 euros")
    lists = [unchecked.recall("rent", limit=limit).hits for limit in (1, 2, 10)]
    assert {hits[0].content for hits in lists} == {"The rent is 950 euros"}


def test_a_past_moment_knows_nothing_of_the_newer(unchecked: Memory, hand_clock: HandClock) -> None:
    """As of a position before it, the older one leads without a mark."""
    old = unchecked.remember("The rent is 900 euros").position
    _told(unchecked, hand_clock, "The rent is 950 euros")
    (hit,) = unchecked.as_of(old).recall("rent").hits
    assert (hit.content, hit.note) == ("The rent is 900 euros", None)
