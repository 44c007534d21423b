"""The health of a space: measures with their limits, as of any moment, and for Prometheus."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mnemolog import Destroyed, Health, Memory, NewMemory, prometheus_text
from tests.homes import ALL_TIERS, DAY, HandClock, open_home

HOUR = DAY // 24
_SAMPLE = re.compile(
    r'([a-z_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+)\} (-?[0-9.]+(?:e-?[0-9]+)?)'
)
_LABEL = re.compile(r'([a-z_]+)="((?:[^"\\\n]|\\["\\n])*)"')


def notes(first: int, last: int) -> list[NewMemory]:
    """Memories that do not fade, all different."""
    return [NewMemory(f"note {number}", kind="preference") for number in range(first, last)]


def test_an_empty_space_has_nothing_to_measure(memory: Memory) -> None:
    """What cannot be told is None, holds neither way, and leaves the space healthy."""
    health = memory.upkeep.health()
    assert health.holds
    assert health.growth_per_day.value is health.active_share.value is None
    assert health.forgotten_too_soon.holds is health.open_hours.holds is None
    assert health.tick_hours.holds is health.last_tick is None
    assert health.memories == {}
    assert memory.upkeep.healths() == ()


def test_growth_is_asked_for_from_the_fourth_week_on(memory: Memory, clock: HandClock) -> None:
    """A steady intake is unknown at first and then within the limit; a doubled week is not."""
    for day in range(28):
        memory.remember_many(notes(3 * day, 3 * day + 3), contradictions="off")
        assert memory.upkeep.health().growth_per_day.value is None
        clock.move(DAY)
    growth = memory.upkeep.health().growth_per_day
    # A week ago is an instant, at which the note of that day was just told.
    assert growth.value == pytest.approx((84 / 66) ** (1 / 7) - 1, abs=1e-6)
    assert growth.holds
    memory.remember_many(notes(84, 184), contradictions="off")
    assert memory.upkeep.health().growth_per_day.holds is False
    assert not memory.upkeep.health().holds


def test_what_does_not_answer_is_no_growth(memory: Memory, clock: HandClock) -> None:
    """Superseding and withdrawing leave a memory as large as it was, or smaller."""
    receipts = memory.remember_many(notes(0, 10), contradictions="off")
    clock.move(40 * DAY)
    memory.supersede(str(receipts[0].memory_id), "note A", kind="preference")
    memory.withdraw(str(receipts[1].memory_id))
    health = memory.upkeep.health()
    assert health.growth_per_day.value == pytest.approx((9 / 10) ** (1 / 7) - 1, abs=1e-6)
    assert health.memories == {"active": 9, "superseded": 1, "withdrawn": 1}


def test_the_active_share_is_of_what_answers(memory: Memory, clock: HandClock) -> None:
    """Archived and summarized memories lower it, a tombstone no longer counts."""
    memory.configure(ALL_TIERS)
    memory.remember_many(notes(0, 2), contradictions="off")
    memory.remember("it rained", kind="episodic", importance="low")
    shares = []
    for days in (20, 30, 70):
        clock.move(days * DAY)
        memory.upkeep.tick(confirmed=True)
        shares.append(memory.upkeep.health().active_share.value)
    assert shares == [pytest.approx(2 / 3, abs=1e-6), pytest.approx(2 / 3, abs=1e-6), 1.0]
    assert memory.upkeep.health().memories == {"active": 2, "tombstone": 1}


def test_what_is_stored_again_was_forgotten_too_soon(memory: Memory, clock: HandClock) -> None:
    """The share is of what faded until it was deleted, which is apart from what was redacted."""
    memory.configure(ALL_TIERS)
    for number in range(4):
        memory.remember(f"rain on day {number}", kind="episodic", importance="low")
    kept = memory.remember("a secret", kind="preference")
    clock.move(400 * DAY)
    memory.upkeep.tick(confirmed=True)
    memory.redact(str(kept.memory_id), reason="asked to")
    assert memory.upkeep.health().forgotten_too_soon.value == 0.0
    memory.remember("Rain on  day 2", kind="episodic", importance="low")
    health = memory.upkeep.health()
    assert (health.deletions, health.relearned) == (4, 1)
    assert health.forgotten_too_soon.value == 0.25
    assert health.forgotten_too_soon.holds is False
    assert health.memories == {"active": 1, "deleted": 4, "redacted": 1}


def test_conflicts_are_timed(memory: Memory, clock: HandClock) -> None:
    """The oldest that is open, and the median of those that were settled lately."""
    conflicts = []
    for place in ("Berlin", "Lyon", "Porto"):
        memory.remember(f"The office of {place} opens at nine", source="user:dana")
        memory.remember(
            f"The office of {place} never opens at nine", source="user:omar", source_confidence=0.5
        )
        conflicts = list(memory.conflicts.list())
        clock.move(2 * HOUR)
    health = memory.upkeep.health()
    assert health.conflicts_open == len(conflicts)
    assert conflicts, "nothing was contested"
    oldest = max(conflict.age_days for conflict in memory.conflicts.list()) * 24
    assert health.open_hours.value == pytest.approx(oldest, abs=0.01)
    assert health.settled_hours.value is None
    for conflict in conflicts:
        memory.conflicts.settle(conflict.conflict_id, "old")
    settled = memory.upkeep.health()
    assert settled.open_hours.value is None
    assert settled.settled_hours.value == pytest.approx(4.0)
    clock.move(31 * DAY)
    assert memory.upkeep.health().settled_hours.value is None


def test_a_tick_that_is_missing_is_told(memory: Memory, clock: HandClock) -> None:
    """Its age is from the last tick, or from the beginning where there was none."""
    memory.remember("tea")
    clock.move(47 * HOUR)
    assert memory.upkeep.health().tick_hours.holds
    clock.move(HOUR)
    assert memory.upkeep.health().tick_hours.value == 48.0
    assert memory.upkeep.health().tick_hours.holds is False
    memory.upkeep.tick(confirmed=True)
    assert memory.upkeep.health().tick_hours.value == 0.0
    assert memory.upkeep.health().last_tick is not None


def test_uses_are_counted(memory: Memory, clock: HandClock) -> None:
    """Those of the last seven days, and all that there were."""
    one, two = (str(memory.remember(text).memory_id) for text in ("tea", "coffee"))
    memory.use(one, two)
    memory.upkeep.write_uses()
    clock.move(8 * DAY)
    memory.use(one)
    memory.upkeep.write_uses()
    health = memory.upkeep.health()
    assert (health.uses.recalls, health.uses.memories) == (1, 1)
    assert (health.uses_ever.recalls, health.uses_ever.memories) == (2, 3)


def test_a_moment_has_the_health_that_it_had(memory: Memory, clock: HandClock) -> None:
    """Ticks, uses, corrections and what is stored afterwards change nothing of it."""
    expected: list[Health] = []
    for number in range(12):
        receipt = memory.remember(f"rain {number}", kind="episodic", importance="low")
        expected.append(memory.upkeep.health())
        clock.move(9 * DAY)
        memory.upkeep.tick(confirmed=True)
        expected.append(memory.upkeep.health())
        memory.use(str(receipt.memory_id))
        memory.upkeep.write_uses()
        expected.append(memory.upkeep.health())
    for health in expected:
        assert memory.as_of(health.as_of.position).upkeep.health() == health


def test_every_space_has_its_own(tmp_path: Path, memory: Memory, clock: HandClock) -> None:
    """What is in one space counts in no other."""
    memory.remember("tea")
    with open_home(tmp_path / "home", "work", clock=clock) as other:
        other.remember_many(notes(0, 3), contradictions="off")
        clock.move(3 * DAY)
        other.upkeep.tick(confirmed=True)
    found = memory.upkeep.healths()
    assert [health.space for health in found] == ["default", "work"]
    assert [health.memories["active"] for health in found] == [1, 3]
    assert [health.last_tick is None for health in found] == [True, False]


def test_prometheus_reads_it(tmp_path: Path, clock: HandClock) -> None:
    """Each metric has its help and type once, before its samples; spaces are quoted."""
    name = 'a "b" \\ c'
    with open_home(tmp_path / "home", name, clock=clock) as memory:
        memory.remember("tea")
        clock.move(60 * DAY)
        text = prometheus_text([memory.upkeep.health()])
    assert text.endswith("\n")
    described: dict[str, list[str]] = {}
    samples: dict[tuple[str, ...], float] = {}
    for line in text.splitlines():
        if line.startswith("# "):
            word, metric, said = line[2:].split(" ", 2)
            described.setdefault(metric, []).append(word)
            assert word != "TYPE" or said in {"gauge", "counter"}
            assert (said == "counter") == metric.endswith("_total") or word == "HELP"
            continue
        found = _SAMPLE.fullmatch(line)
        assert found is not None, line
        metric, labels, value = found.groups()
        assert described[metric] == ["HELP", "TYPE"]
        assert [*described][-1] == metric
        labelled = dict(_LABEL.findall(labels))
        assert labelled.pop("space") == 'a \\"b\\" \\\\ c'
        assert (metric, *labelled.values()) not in samples
        samples[(metric, *labelled.values())] = float(value)
    assert samples["mnemolog_memories", "active"] == 1
    assert samples["mnemolog_active_ratio",] == 1
    assert samples["mnemolog_health_holds", "tick_hours"] == 0
    assert samples["mnemolog_health_limit", "growth_per_day", "under"] == 0.05
    assert ("mnemolog_health_holds", "open_hours") not in samples
    assert ("mnemolog_forgotten_too_soon_ratio",) not in samples


def test_no_health_is_an_empty_text() -> None:
    """A home without a space has no metric to describe."""
    assert prometheus_text([]) == ""


def test_who_destroyed_memories_is_told(memory: Memory, clock: HandClock) -> None:
    """Redactions and what time destroyed are counted apart, with the actor of each."""
    memory.configure(ALL_TIERS)
    kept = memory.remember("a secret", kind="preference")
    for number in range(3):
        memory.remember(f"rain on day {number}", kind="episodic", importance="low")
    assert memory.upkeep.health().destroyed == ()
    clock.move(400 * DAY)
    memory.acting(actor="system:cron").upkeep.tick(confirmed=True)
    memory.redact(str(kept.memory_id), reason="asked to")
    assert memory.upkeep.health().destroyed == (
        Destroyed("time", "system:cron", 3),
        Destroyed("redaction", "user:dana", 1),
    )
    text = prometheus_text([memory.upkeep.health()])
    assert 'mnemolog_destroyed_total{space="default",cause="time",actor="system:cron"} 3' in text


def test_health_warns_when_time_destroyed_what_had_been_recalled(
    memory: Memory, clock: HandClock
) -> None:
    """One memory that was of use and is gone by time is beyond the limit."""
    memory.configure(ALL_TIERS)
    one, two = (
        str(memory.remember(f"rain {number}", kind="episodic", importance="low").memory_id)
        for number in range(2)
    )
    assert memory.upkeep.health().destroyed_after_use.holds is None
    memory.use(one)
    memory.upkeep.write_uses()
    clock.move(500 * DAY)
    memory.upkeep.tick(confirmed=True)
    assert {memory.get(each).status for each in (one, two)} == {"redacted"}
    health = memory.upkeep.health()
    assert (health.destroyed_after_use.value, health.destroyed_after_use.holds) == (1, False)
    assert not health.holds
