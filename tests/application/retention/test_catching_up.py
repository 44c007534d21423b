"""Ticks that somebody has to confirm, and clocks that jump."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemolog import Memory
from mnemolog.application.questions.browse import fading_of
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.decay import strength_at
from mnemolog.ledger.errors import CatchUpNotConfirmed
from tests.homes import ALL_TIERS, DAY, HandClock, open_home

TEN_YEARS = 3650 * DAY
YEARS = 5 * 365 * DAY
LONG = "Mara fixed the boiler in the cellar"


def rain(memory: Memory, number: int) -> list[str]:
    """So many memories that fade fast."""
    return [
        str(memory.remember(f"rain on day {day}", kind="episodic", importance="low").memory_id)
        for day in range(number)
    ]


def let_pass(memory: Memory, clock: HandClock, days: int) -> None:
    """Let days pass in which something is recorded now and then."""
    for _ in range(days // 40):
        clock.move(40 * DAY)
        memory.remember("the clock is right", immutable=True, contradictions="off")


@pytest.mark.parametrize("number", [5, 6])
def test_a_tick_asks_before_more_than_five_fall_below_archived(
    memory: Memory, clock: HandClock, number: int
) -> None:
    """Five fall without being asked about; six do not, and the error says what they are."""
    memory.configure(ALL_TIERS)
    ids = rain(memory, number)
    let_pass(memory, clock, 400)
    if number == 5:
        assert memory.upkeep.tick().falls == {"deleted": 5}
        return
    head = memory.log.checkpoint()
    with pytest.raises(CatchUpNotConfirmed) as caught:
        memory.upkeep.tick()
    assert memory.log.checkpoint() == head
    assert caught.value.falls == {"deleted": 6}
    assert caught.value.step_days is None
    assert set(caught.value.examples) < {
        (one, "deleted", f"rain on day {day}") for day, one in enumerate(ids)
    }
    assert "rain" not in str(caught.value)
    assert memory.upkeep.tick(confirmed=True).falls == {"deleted": 6}


def test_what_stays_visible_needs_no_confirmation(memory: Memory, clock: HandClock) -> None:
    """By default memories are archived at most, and any number of them falls at once."""
    memory.configure({"recognise_lasting": False})
    rain(memory, 20)
    let_pass(memory, clock, 400)
    assert memory.upkeep.tick().falls == {"archived": 20}
    found = memory.recall("rain on day 7", limit=20).hits
    assert {hit.status for hit in found} == {"archived"}
    assert "rain on day 7" in {hit.content for hit in found}


@pytest.mark.parametrize(("days", "asks"), [(90, False), (91, True)])
def test_a_tick_asks_after_a_long_silence(
    memory: Memory, clock: HandClock, days: int, *, asks: bool
) -> None:
    """Where nothing was recorded for more than 90 days, the clock may be wrong."""
    memory.configure({"recognise_lasting": False})
    (one,) = rain(memory, 1)
    memory.upkeep.tick()
    clock.move(days * DAY)
    if not asks:
        assert memory.upkeep.tick().falls == {"archived": 1}
        return
    with pytest.raises(CatchUpNotConfirmed, match="clock stands 91 days ahead") as caught:
        memory.upkeep.tick()
    assert (caught.value.step_days, memory.get(one).tier) == (91, "active")
    # What is recorded afterwards does not make the silence plausible.
    memory.remember("tea")
    with pytest.raises(CatchUpNotConfirmed):
        memory.upkeep.tick()
    memory.upkeep.tick(confirmed=True)
    clock.move(DAY)
    memory.upkeep.tick()


def test_a_silence_in_which_nothing_fades_needs_no_confirmation(
    memory: Memory, clock: HandClock
) -> None:
    """Where nothing would fall, there is nothing to confirm, and nothing is recorded."""
    memory.remember("My blood type is O negative")
    head = memory.log.checkpoint()
    clock.move(200 * DAY)
    told = memory.upkeep.tick()
    assert (told.positions, told.falls) == ((), {})
    assert memory.log.checkpoint() == head


def test_reports_name_each_memory_once(memory: Memory, clock: HandClock) -> None:
    """A memory that falls through several tiers is told at the last of them alone."""
    memory.configure(ALL_TIERS)
    (one,) = rain(memory, 1)
    let_pass(memory, clock, 400)
    (due,) = memory.upkeep.falling_due()
    assert due.to == ("archived", "summarized", "tombstone", "deleted")
    (kept,) = memory.upkeep.maintain().spaces
    assert kept.tick is not None
    assert (kept.tick.falls, kept.tick.deleted) == ({"deleted": 1}, (one,))
    told = [job.result for job in kept.jobs if job.job in {"decay", "archiving", "forgetting"}]
    assert told == ["a tick: 1 deleted", "by the same tick", "by the same tick"]


def test_one_space_that_asks_keeps_no_other_from_upkeep(tmp_path: Path, clock: HandClock) -> None:
    """Maintenance leaves the tick of that space undone, says why, and does the rest."""
    for space in ("attic", "cellar", "default"):
        with open_home(tmp_path, space, clock) as one:
            one.configure(ALL_TIERS)
            rain(one, 9 if space == "cellar" else 2)
    with open_home(tmp_path, clock=clock) as memory:
        let_pass(memory, clock, 400)
        kept = {one.space: one for one in memory.upkeep.maintain().spaces}
        assert {space: one.tick is not None for space, one in kept.items()} == {
            "attic": True, "cellar": False, "default": True,
        }  # fmt: skip
        asked = kept["cellar"].unconfirmed
        assert asked is not None
        assert asked.falls == {"deleted": 9}
        assert {job.job for job in kept["cellar"].jobs if job.result} == {"consolidation"}
        (again,) = memory.upkeep.maintain("cellar", confirmed=True).spaces
        assert again.tick is not None
        assert again.tick.falls == {"deleted": 9}


def refused(memory: Memory, _: str) -> None:
    """A tick that is refused."""
    with pytest.raises(CatchUpNotConfirmed):
        memory.upkeep.tick()


Act = Callable[[Memory, str], object]
ACTS: dict[str, Act] = {
    "remember": lambda memory, _: memory.remember("The lamp is new"),
    "recall": lambda memory, _: memory.recall("who fixed the boiler?"),
    "use": lambda memory, one: memory.use(one),
    "pin": lambda memory, one: (memory.pin(one), memory.unpin(one)),
    "withdraw": lambda memory, one: (memory.withdraw(one), memory.undo()),
    "tick": refused,
    "maintain": lambda memory, _: memory.upkeep.maintain(),
}


@pytest.mark.parametrize("lowest", ["archived", "deleted"])
@pytest.mark.parametrize("act", [*ACTS])
def test_a_clock_that_jumps_years_ahead_and_back_lowers_nothing(
    memory: Memory, clock: HandClock, act: str, lowest: str
) -> None:
    """Whatever is done meanwhile, memories are as strong as without it, and stay active."""
    memory.configure({**ALL_TIERS, "lowest_tier": lowest})
    first, second = (
        str(memory.remember(text, contradictions="off").memory_id)
        for text in (LONG, "The ferry leaves at eight")
    )
    memory.upkeep.tick()
    clock.move(YEARS)
    ACTS[act](memory, first)
    memory.upkeep.write_uses()
    refused(memory, first)
    clock.move(-YEARS)
    for _ in range(3):
        clock.move(10 * DAY)
        memory.upkeep.tick()
        memory.upkeep.maintain()
    assert {memory.get(one).tier for one in (first, second)} == {"active"}
    assert memory.upkeep.health().destroyed == ()
    # By the machine's clock: the years that were not have taken nothing.
    position = memory.log.checkpoint().position
    fading, pace = fading_of(memory._space.home, memory.space, [first, second], position)
    for held in (one.standing for one in fading):
        assert strength_at(held.decay, held.trace, pace, clock.now()) >= 1 - 0.005 * 30
    assert memory.recall("who fixed the boiler in the cellar?").hits[0].memory_id == first
    memory.log.verify()


def jumped_and_back(memory: Memory, clock: HandClock) -> str:
    """A memory of high importance, stored before the clock was ten years ahead for a while."""
    memory.configure({"recognise_lasting": False})
    stored = str(memory.remember(LONG, importance="high", contradictions="off").memory_id)
    memory.upkeep.tick()
    clock.move(TEN_YEARS)
    memory.remember("The lamp is new", importance="high", contradictions="off")
    clock.move(-TEN_YEARS)
    return stored


def test_a_tick_by_a_clock_that_is_ahead_says_what_is_known(
    memory: Memory, clock: HandClock
) -> None:
    """How far the clock stands from the log's last event, or in which days none is dated."""
    memory.configure({"recognise_lasting": False})
    rain(memory, 1)
    clock.move(TEN_YEARS)
    with pytest.raises(CatchUpNotConfirmed, match="clock stands 3,650 days ahead of the log's"):
        memory.upkeep.tick()
    memory.remember("The lamp is new")
    between = "no event is dated in the 3,650 days from 2025-06-15 to 2035-06-13"
    with pytest.raises(CatchUpNotConfirmed, match=between) as caught:
        memory.upkeep.tick()
    assert caught.value.doubt == between
    (kept,) = memory.upkeep.maintain().spaces
    assert kept.unconfirmed is not None
    assert kept.unconfirmed.doubt == between


def test_a_tick_by_a_clock_that_is_behind_says_so(memory: Memory, clock: HandClock) -> None:
    """After a jump back, silence is that of the machine's clock, which stands behind the log."""
    jumped_and_back(memory, clock)
    memory.upkeep.tick()
    clock.move(200 * DAY)
    said = "clock stands 3,450 days behind the log's last event, and no event is dated in the 200"
    with pytest.raises(CatchUpNotConfirmed, match=said):
        memory.upkeep.tick()


def test_a_tick_that_was_ahead_of_the_clock_is_no_last_tick(
    memory: Memory, clock: HandClock
) -> None:
    """After a jump back, a tick of the years that were not does not hide a silence."""
    memory.remember("tea")
    clock.move(TEN_YEARS)
    memory.upkeep.tick(confirmed=True)
    clock.move(DAY - TEN_YEARS)
    health = memory.upkeep.health()
    assert (health.tick_hours.value, health.last_tick) == (24, None)
    memory.upkeep.tick()
    clock.move(DAY)
    assert memory.upkeep.health().tick_hours.value == 24


def test_what_is_shown_after_a_jump_back_goes_by_the_machines_clock(
    memory: Memory, clock: HandClock
) -> None:
    """Strengths, curves, reviews and pins are those of the instant that ticks go by."""
    stored = jumped_and_back(memory, clock)
    clock.move(DAY // 2)
    assert memory.list(by="review") == ()
    clock.move(20 * DAY)
    strength = 1 - 0.005 * 20.5
    assert memory.get(stored).strength == pytest.approx(strength, abs=0.001)
    (second, first) = [item.strength for item in reversed(memory.list(by="strength"))]
    assert (first, second) == (1.0, memory.get(stored).strength)
    curve = memory.inspect.strength_curve(stored)
    assert curve.now.timestamp() * 1e6 == clock.now()
    by_then = [point.strength for point in curve.points if point.at >= curve.now]
    assert by_then[0] == pytest.approx(strength, abs=0.02)
    assert [point.at for point in curve.points] == sorted(point.at for point in curve.points)
    assert [item.content for item in memory.list(by="review")] == [LONG]
    hits = memory.recall("who fixed the boiler in the cellar?").hits
    assert hits[0].memory_id == stored
    assert memory.upkeep.falling_due() == ()
    memory.pin(stored, until=to_datetime(Micros(clock.now() + DAY)))
    assert memory.get(stored).pinned
    clock.move(2 * DAY)
    assert not memory.get(stored).pinned


def test_an_undo_tells_when_the_age_of_a_command_is_unknown(
    memory: Memory, clock: HandClock
) -> None:
    """A command before the jump is as old as it is; one that is dated ahead has no age."""
    memory.remember("tea")
    clock.move(TEN_YEARS)
    ahead = memory.remember("The lamp is new")
    clock.move(-TEN_YEARS)
    (reason,) = memory.preview_undo(f"@{ahead.position}").reasons
    assert "age is unknown" in reason
    assert memory.preview_undo("@1").reasons == ()
