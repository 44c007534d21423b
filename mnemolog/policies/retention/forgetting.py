"""Forgetting decisions: tier downgrades over time, and upgrades after use."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import (
    TIERS,
    Due,
    FallConditions,
    Pace,
    limit_of,
    next_due,
    reinforced,
    strength_at,
    tier_of,
)
from mnemolog.ledger.events import Degraded, Recalled, RecalledContent, Revived, Summary
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.supersession import Decision


class Fading(msgspec.Struct, frozen=True):
    """Memory with the state that decides its tier downgrades."""

    memory_id: MemoryId
    standing: FallConditions


def falls_until(fading: Fading, pace: Pace, instant: Micros) -> list[Due]:
    """Tier downgrades of a memory that are due by an instant, one for each tier, highest first.

    A late check gives every downgrade that timely checks would have given.
    """
    found: list[Due] = []
    standing = fading.standing
    # Most memories are still above their limit; skip computing when they will reach it.
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
    """Event that downgrades a memory to a tier, with its strength when the downgrade was due.

    `summary` replaces the text from then on; `fingerprint` identifies a deleted text.
    """
    standing = fading.standing
    strength = strength_at(standing.decay, standing.trace, pace, due.due_at)
    fall = Degraded(due.tier, round(strength, 6), due.below_since, due.due_at, fingerprint)
    return Decision(fall, fading.memory_id, summary)


def use_of(fading: Fading, pace: Pace, at: Micros, believed: Micros) -> Recalled:
    """Use of a memory at an instant, where time has certainly passed only up to `believed`.

    Strength that a wrong clock would have removed is added to the gain.
    """
    use = Recalled((fading.memory_id,), at)
    if believed >= at:
        return use
    decay, trace = fading.standing.decay, fading.standing.trace
    lost = strength_at(decay, trace, pace, believed) - strength_at(decay, trace, pace, at)
    return msgspec.structs.replace(use, gain=round(use.gain + lost, 6))


Fell = Callable[[Fading, Sequence[Due], Pace], list[Decision]]
"""The events of a memory's falls, as `decide_fall` has them, with what is kept of its text."""


def decide_use(  # noqa: PLR0913, PLR0917 - the uses, their time and their purpose
    recalled: Recalled,
    known: Sequence[Fading],
    pace: Pace,
    believed: Micros,
    fell: Fell,
    cue: RecalledContent | None = None,
) -> tuple[list[Decision], list[Fading]]:
    """Events of a use of memories, and the resulting states of the memories.

    Downgrades that are due by then, and by the instant `believed`, come first, except that
    only a tick deletes a memory. Then all memories are strengthened, and upgraded to the
    tier of their new strength.
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
    """Event that upgrades a memory to the tier of its strength; none if it is there already."""
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
    """Downgrades that are due by an instant and destroy nothing.

    They precede events that keep a memory from being downgraded. Otherwise the result would
    depend on whether a tick was late.
    """
    return [due for due in falls_until(fading, pace, instant) if due.tier != "deleted"]
