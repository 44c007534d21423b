"""Overdue falls: changes of tier that time has caused and no tick has recorded yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mnemolog.application.commands.consulting import Consulted, Failure
from mnemolog.application.home.elapsed import believed, present
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.application.questions.fading import fading_of
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import Due, FallConditions, Pace, Trace
from mnemolog.ledger.errors import SummarizerFailed
from mnemolog.ledger.events import Degraded, Revived, Strengthened, Summary
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.retention.forgetting import Fading, decide_fall, decide_rise, overdue
from mnemolog.policies.supersession import Decision
from mnemolog.projections.deletions import fingerprint
from mnemolog.projections.memory_queries import rows_as_of
from mnemolog.recall.answers.items import parts


@contextmanager
def strengths_locked(home: Home) -> Iterator[None]:
    """Lock of a home's strengths across processes, for ticks and uses.

    A tick decides by strengths that uses change, of memories that its events do not name
    one by one.
    """
    lock = FileLock(home.path / "strengths.lock")
    try:
        with lock.held():
            yield
    finally:
        lock.close()


def overdue_falls(
    home: Home, space: str, memory_ids: Sequence[MemoryId], cut: Cut, consulted: Consulted
) -> list[Decision]:
    """Events of these memories' overdue falls, deletion excluded."""
    fading, pace = fading_of(home, space, memory_ids, cut.position)
    until = believed(home, space, cut)
    return [
        decision
        for one in fading
        for decision in fall_events(home, one, overdue(one, pace, until), pace, consulted)
    ]


def tiers_after(
    home: Home, memory_ids: Sequence[MemoryId], falls: Sequence[Decision], cut: Cut
) -> dict[MemoryId, Tier]:
    """Tiers of memories as of a moment, after these falls."""
    rows = home.views.read(lambda db: rows_as_of(db, memory_ids, cut.position))
    tiers: dict[MemoryId, Tier] = {one: row.tier for one, row in rows.items()}
    for fall in falls:
        if fall.memory_id is not None and isinstance(fall.structure, Degraded):
            tiers[fall.memory_id] = fall.structure.tier
    return tiers


def fall_events(
    home: Home, fading: Fading, falls: Sequence[Due], pace: Pace, consulted: Consulted
) -> list[Decision]:
    """Events of a memory's falls, with the summary or the fingerprint that the last one keeps.

    Raises `SummarizerFailed`.
    """
    found = []
    for due in falls:
        summary, kept = None, None
        if due is falls[-1] and due.tier == "summarized":
            summary = Summary(_summary(home, fading.memory_id, consulted))
        if due.tier == "deleted":
            kept = fingerprint(home.log.secret, _text(home, fading.memory_id))
        found.append(decide_fall(fading, due, pace, summary, kept))
    return found


def _summary(home: Home, memory_id: MemoryId, consulted: Consulted) -> str:
    said = consulted.summary(_text(home, memory_id))
    if isinstance(said, Failure):
        raise SummarizerFailed(memory_id, consulted.summarizer_name, said.problem)
    return said


def falls_before_use(
    home: Home, consulted: Consulted, fading: Fading, falls: Sequence[Due], pace: Pace
) -> list[Decision]:
    """Events of a memory's overdue falls before a use."""
    try:
        return fall_events(home, fading, falls, pace, consulted)
    except SummarizerFailed:
        # The use raises its tier again: the summary would not be shown.
        return [decide_fall(fading, due, pace) for due in falls]


def _text(home: Home, memory_id: MemoryId) -> str:
    (event,) = home.log.events_at([*home.log.positions_of([EventId(memory_id)]).values()])
    _, content = parts(event)
    return "" if content is None else content.text


def raised(home: Home, space: str, decisions: Sequence[Decision], cut: Cut) -> list[Decision]:
    """Events that raise the tier of memories whose strength these decisions restore."""
    given = {
        one.memory_id: one.structure
        for one in decisions
        if one.memory_id is not None and isinstance(one.structure, Strengthened)
    }
    tiers = {
        one.memory_id: one.structure.tier
        for one in decisions
        if isinstance(one.structure, Degraded | Revived)
    }
    fading, pace = fading_of(home, space, [*given], cut.position)
    found = []
    for one in fading:
        strong, standing = given[one.memory_id], one.standing
        since = cut.instant if strong.since is None else Micros(strong.since)
        trace = Trace(strong.strength, since, strong.slowing)
        tier = tiers.get(one.memory_id, standing.tier)
        risen = Fading(one.memory_id, FallConditions(standing.decay, trace, tier))
        found += decide_rise(risen, pace, present(home, cut))
    return found
