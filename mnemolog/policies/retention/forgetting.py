"""Forgetting: tiers that fall and rise, depth weights, reviews, and the maintenance schedule."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

import msgspec
from msgspec.structs import replace

from mnemolog.ledger import decay, events
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import DAY_US, TIERS, Due, FallConditions, Pace, strength_at, tier_of
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Importance, Job, Recalled
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.supersession import Decision

# The two parameters of a depth weight, alpha and beta: of Beta(a, b) with mean a / (a + b).
Weight = tuple[float, float]
ENTERED_WEIGHT: Weight = (1.0, 4.0)  # of admitted content: light, until it is met again
MOST_ALPHA = 16.0  # no reinforcement raises alpha above this
GAIN = 0.1  # the share of what is missing to the cap that one reinforcement adds
# Days from when an important memory was last of use, or stored, to its next review.
REVIEW_DAYS = (1, 3, 7, 14, 30, 60, 120, 365)
# In order of execution: forgetting first, so that nothing faded is consolidated.
JOBS: tuple[Job, ...] = get_args(Job)
EVERY_HOURS: dict[Job, int] = {
    "recency": 1,
    "decay": 24,
    "archiving": 30 * 24,
    "forgetting": 7 * 24,
    "consolidation": 6,
    "centrality": 24,
}
"""Hours between two looks at each job; a month has thirty days."""

CLOSED_FORM: dict[Job, str] = {
    "recency": "nothing to do: it is computed for the instant of each question",
    "centrality": "nothing to do: it is computed from the edges when it is asked for",
}
"""The jobs that have nothing to do, and why: nothing of them is stored that could be behind."""

TICKING: frozenset[Job] = frozenset({"decay", "archiving", "forgetting"})  # a tick does them
_HOUR_US = 3600 * 1_000_000
_SAID = {1: "hour", 6: "6 hours", 24: "day", 7 * 24: "week", 30 * 24: "30 days"}
# The share of its time that a job may come early: a cron may run a few seconds sooner than
# the last time.
_EARLY = 0.05


class Fading(msgspec.Struct, frozen=True):
    """Memory with the state that decides its tier downgrades."""

    memory_id: MemoryId
    standing: FallConditions


class DueJob(msgspec.Struct, frozen=True):
    """State of one job of a space, and `why`; times in microseconds, None if it never ran."""

    job: Job
    due: bool
    last_at: int | None
    due_at: int | None
    why: str


def falls_until(fading: Fading, pace: Pace, instant: Micros) -> list[Due]:
    """Tier downgrades of a memory that are due by an instant, one for each tier, highest first."""
    found: list[Due] = []
    standing = fading.standing
    # Most memories are still above their limit; skip computing when they will reach it.
    if strength_at(standing.decay, standing.trace, pace, instant) >= decay.limit_of(standing.tier):
        return found
    while (due := decay.next_due(standing, pace)) is not None and due.due_at <= instant:
        found.append(due)
        standing = replace(standing, tier=due.tier)
    return found


def overdue(fading: Fading, pace: Pace, instant: Micros) -> list[Due]:
    """Downgrades due by an instant that destroy nothing: those a punctual tick had made."""
    return [due for due in falls_until(fading, pace, instant) if due.tier != "deleted"]


def decide_fall(
    fading: Fading,
    due: Due,
    pace: Pace,
    summary: events.Summary | None = None,
    fingerprint: str | None = None,
) -> Decision:
    """Event that downgrades a memory; `summary` replaces its text, of which a fingerprint stays."""
    strength = strength_at(fading.standing.decay, fading.standing.trace, pace, due.due_at)
    fall = events.Degraded(due.tier, round(strength, 6), due.below_since, due.due_at, fingerprint)
    return Decision(fall, fading.memory_id, summary)


def use_of(fading: Fading, pace: Pace, at: Micros, believed: Micros) -> Recalled:
    """Use of a memory; strength that a wrong clock lost since `believed` is added to the gain."""
    use = Recalled((fading.memory_id,), at)
    if believed >= at:
        return use
    fades, trace = fading.standing.decay, fading.standing.trace
    lost = strength_at(fades, trace, pace, believed) - strength_at(fades, trace, pace, at)
    return replace(use, gain=round(use.gain + lost, 6))


# The events of a memory's falls, as `decide_fall` has them, with what is kept of its text.
Fell = Callable[[Fading, Sequence[Due], Pace], list[Decision]]


def decide_use(  # noqa: PLR0913, PLR0917 - the uses, their time and their purpose
    recalled: Recalled,
    known: Sequence[Fading],
    pace: Pace,
    believed: Micros,
    fell: Fell,
    cue: events.RecalledContent | None = None,
) -> tuple[list[Decision], list[Fading]]:
    """Events of a use of memories, and the resulting states of the memories.

    Downgrades that are due by then, and by the instant `believed`, come first, but only a tick
    deletes a memory. Then all memories are strengthened, and upgraded to their new tier.
    """
    fallen, raised, after = list[Decision](), list[Decision](), list[Fading]()
    for one in known:
        falls = overdue(one, pace, Micros(min(recalled.at, believed)))
        fallen += fell(one, falls, pace) if falls else []
        tier = falls[-1].tier if falls else one.standing.tier
        trace = decay.reinforced(one.standing.decay, one.standing.trace, pace, recalled)
        risen = replace(one.standing, trace=trace, tier=tier)
        raised += decide_rise(Fading(one.memory_id, risen), pace, Micros(recalled.at))
        standing = replace(risen, tier=_upper(tier, tier_of(trace.strength)))
        after.append(Fading(one.memory_id, standing))
    return [Decision(recalled, None, cue), *fallen, *raised], after


def decide_rise(fading: Fading, pace: Pace, instant: Micros) -> list[Decision]:
    """Event that upgrades a memory to the tier of its strength; none if it is there already."""
    standing = fading.standing
    if standing.tier == TIERS[0]:
        return []
    strength = strength_at(standing.decay, standing.trace, pace, instant)
    tier = _upper(standing.tier, tier_of(strength))
    risen = Decision(events.Revived(tier, round(strength, 6)), fading.memory_id)
    return [] if tier == standing.tier else [risen]


def _upper(one: Tier, other: Tier) -> Tier:
    return min(one, other, key=TIERS.index)


def centre(weight: Weight) -> float:
    """Mean of a Beta distribution, in (0, 1); 0.5 for an invalid one."""
    alpha, beta = weight
    return alpha / (alpha + beta) if alpha > 0 and beta > 0 else 0.5


def reinforced_weight(weight: Weight) -> Weight:
    """Weight after one reinforcement: alpha moves a tenth of the way to its cap, if below it."""
    alpha, beta = weight
    if alpha >= MOST_ALPHA:
        return weight
    return min(MOST_ALPHA, alpha + GAIN * (MOST_ALPHA - alpha)), beta


def observed(weight: Weight, seed: int | None = None, name: str = "") -> float:
    """Value of a weight: its mean or, with a seed, a sample that seed and name reproduce."""
    if seed is None:
        return centre(weight)
    # Not for secrets: a text seeds the generator in the same way on every machine.
    return random.Random(f"{seed}:{name}").betavariate(*weight)  # noqa: S311


def review_at(importance: Importance, seen_at: Micros, accesses: int) -> Micros | None:
    """Review time of an important memory, ever later with its uses; None of another."""
    if importance != "high":
        return None
    days = REVIEW_DAYS[min(accesses, len(REVIEW_DAYS) - 1)]
    return Micros(seen_at + days * DAY_US)


def schedule(last: Mapping[Job, int], now: int, wanted: frozenset[Job]) -> tuple[DueJob, ...]:
    """State of every job at an instant, in execution order.

    `last` is when each last ran. Jobs in `wanted` are always due. So are jobs whose last
    run is in the future: a clock was wrong, and waiting for that time could take years.
    """
    return tuple(_standing(job, last.get(job), now, wanted) for job in JOBS)


def _standing(job: Job, last: int | None, now: int, wanted: frozenset[Job]) -> DueJob:
    if job in CLOSED_FORM:
        return DueJob(job, due=False, last_at=None, due_at=None, why=CLOSED_FORM[job])
    wait = EVERY_HOURS[job] * _HOUR_US
    due_at, due = None if last is None else last + wait, True
    if job in wanted:
        why = "it was asked for"
    elif last is None:
        why = "it was never done"
    elif last > now + _EARLY * wait:
        why = "it was last done at a time that is yet to come: a clock was wrong"
    else:
        why, due = f"it is done every {_SAID[EVERY_HOURS[job]]}", now >= last + wait - _EARLY * wait
    return DueJob(job, due, last, due_at, why)


def checked_jobs(field: str, jobs: tuple[str, ...]) -> frozenset[Job]:
    """Jobs by name. Raises `InvalidField` for an unknown name."""
    if unknown := [job for job in jobs if job not in JOBS]:
        raise InvalidField(field, f"{unknown[0]!r} is unknown", f"use {', '.join(JOBS)}")
    return frozenset(known for known in JOBS if known in jobs)
