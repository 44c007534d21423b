"""The made-up year that forgetting is measured by."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.life.acts import DAYS, Life
from benchmarks.life.year import kinds, year


@pytest.fixture(scope="module")
def life() -> Life:
    """The year of the first seed."""
    return year(1)


def test_a_seed_gives_one_year(life: Life) -> None:
    """The same seed gives the same year, another one another."""
    assert year(1) == life
    assert year(2) != life


def test_every_seed_gives_a_year() -> None:
    """Whatever is drawn, there is somebody to tell of, and something under way."""
    assert all(9_000 < year(seed).memories < 11_000 for seed in range(2, 12))


def test_nothing_is_asked_before_it_is_told(life: Life) -> None:
    """What is changed, pinned and asked for is there; of what changed, the new is asked for."""
    told: set[int] = set()
    changed: set[int] = set()
    for day in life.days:
        told |= {one.key for one in day.told}
        for one in day.changed:
            assert one.old in told
            assert one.old not in changed
            told.add(one.key)
            changed.add(one.old)
        assert {one.key for one in day.pinned} <= told
        golds = {one.gold for one in day.asked}
        assert golds <= told - changed
    assert {one.gold for one in (*life.still_asked, *life.once)} <= told - changed


def test_a_year_is_as_long_and_as_varied_as_it_says(life: Life) -> None:
    """About 10,000 memories of every kind; some asked for often, some once, most never."""
    assert len(life.days) == DAYS
    assert 9_500 < life.memories < 10_500
    assert set(kinds(life)) == {"episodic", "semantic", "procedural", "preference"}
    texts = Counter(one.memory.content for day in life.days for one in day.told)
    assert len(texts) > 9_000
    asked = Counter(one.gold for day in life.days for one in day.asked)
    often = sum(count > 1 for count in asked.values())
    once = sum(count == 1 for count in asked.values())
    assert often > 300
    assert once > 1000
    assert often + once < life.memories / 2


def test_what_is_still_asked_for_was_asked_for_lately(life: Life) -> None:
    """More than once, the last time within the last ninety days, in whatever wording."""
    last = {one.gold: number for number, day in enumerate(life.days) for one in day.asked}
    still = {one.gold for one in life.still_asked}
    assert all(last[gold] > DAYS - 90 for gold in still if gold in last)
    assert len(still - set(last)) < 0.05 * len(still)
