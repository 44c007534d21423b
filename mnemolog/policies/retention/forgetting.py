"""Deciding what time does to memories: how far they fall, and what brings them back up."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import Pace
from mnemolog.ledger.events import Degraded, Recalled, RecalledContent, Revived, Summary
from mnemolog.ledger.falls import (
    TIERS,
    Due,
    FallConditions,
    limit_of,
    next_due,
    reinforced,
    strength_at,
    tier_of,
)
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.supersession import Decision


class Fading(msgspec.Struct, frozen=True):
    """A memory, and what decides when it falls."""

    memory_id: MemoryId
    standing: FallConditions


def falls_until(fading: Fading, pace: Pace, instant: Micros) -> list[Due]:
    """The falls of a memory that are due by an instant, one for each tier, from the top.

    However late it is looked at, it falls through every tier that it would have
    fallen through in time.
    """
    found: list[Due] = []
    standing = fading.standing
    # Most that are looked at are still above their limit: no need to know when they will not be.
    if strength_at(standing.decay, standing.trace, pace, instant) >= limit_of(standing.tier):
        return found
    while (due := next_due(standing, pace)) is not None and due.due_at <= instant:
        found.append(due)
        standing = msgspec.structs.replace(standing, tier=due.tier)
    return found


def decide_fall(
    fading: Fading,
    due: Due,
    pace: Pace,
    summary: Summary | None = None,
    fingerprint: str | None = None,
) -> Decision:
    """The event of a memory's fall to a tier, with the strength that it had when it was due.

    `summary` stands for its text from then on, `fingerprint` tells a text that goes.
    """
    standing = fading.standing
    strength = strength_at(standing.decay, standing.trace, pace, due.due_at)
    fall = Degraded(due.tier, round(strength, 6), due.below_since, due.due_at, fingerprint)
    return Decision(fall, fading.memory_id, summary)


def use_of(fading: Fading, pace: Pace, at: Micros, believed: Micros) -> Recalled:
    """The use of a memory at an instant, where time has passed for sure up to `believed` alone.

    What a wrong clock would have taken from its strength is part of the gain.
    """
    use = Recalled((fading.memory_id,), at)
    if believed >= at:
        return use
    decay, trace = fading.standing.decay, fading.standing.trace
    lost = strength_at(decay, trace, pace, believed) - strength_at(decay, trace, pace, at)
    return msgspec.structs.replace(use, gain=round(use.gain + lost, 6))


Fell = Callable[[Fading, Sequence[Due], Pace], list[Decision]]
"""The events of a memory's falls, as `decide_fall` has them, with what is kept of its text."""


def decide_use(  # noqa: PLR0913, PLR0917 - what was of use, as of when, and what for
    recalled: Recalled,
    known: Sequence[Fading],
    pace: Pace,
    believed: Micros,
    fell: Fell,
    cue: RecalledContent | None = None,
) -> tuple[list[Decision], list[Fading]]:
    """The events of a use of memories, with what these come to by it.

    What should have fallen by then, and by the instant `believed`, does so first, though
    nothing but a tick deletes it; then all of them are strengthened, and come back up to
    the tier of their new strength.
    """
    fallen: list[Decision] = []
    raised: list[Decision] = []
    after: list[Fading] = []
    for one in known:
        falls = overdue(one, pace, Micros(min(recalled.at, believed)))
        fallen += fell(one, falls, pace) if falls else []
        tier = falls[-1].tier if falls else one.standing.tier
        trace = reinforced(one.standing.decay, one.standing.trace, pace, recalled)
        risen = msgspec.structs.replace(one.standing, trace=trace, tier=tier)
        raised += decide_rise(Fading(one.memory_id, risen), pace, Micros(recalled.at))
        standing = msgspec.structs.replace(risen, tier=_upper(tier, tier_of(trace.strength)))
        after.append(Fading(one.memory_id, standing))
    return [Decision(recalled, None, cue), *fallen, *raised], after


def decide_rise(fading: Fading, pace: Pace, instant: Micros) -> list[Decision]:
    """The event that brings a memory up to the tier of its strength; none if it is there."""
    standing = fading.standing
    if standing.tier == TIERS[0]:
        return []
    strength = strength_at(standing.decay, standing.trace, pace, instant)
    tier = _upper(standing.tier, tier_of(strength))
    if tier == standing.tier:
        return []
    return [Decision(Revived(tier, round(strength, 6)), fading.memory_id)]


def _upper(one: Tier, other: Tier) -> Tier:
    return one if TIERS.index(one) <= TIERS.index(other) else other


def overdue(fading: Fading, pace: Pace, instant: Micros) -> list[Due]:
    """The falls that are due by an instant and do not destroy anything.

    They come before what keeps a memory from falling: else it would matter for what
    comes after whether a tick had been late.
    """
    return [due for due in falls_until(fading, pace, instant) if due.tier != "deleted"]
