"""Restatements: statements that say again what was corrected."""

from collections.abc import Iterable, Sequence

from mnemolog.application.commands.command import superseders_of
from mnemolog.application.home.space import Cut, Space, WritableSpace, events_of
from mnemolog.ledger.ids import EventId, MemoryId, parse_id
from mnemolog.policies.memories import NewMemory, instant
from mnemolog.policies.terms import same_meaning
from mnemolog.projections.memory_queries import MemoryRow, rows_as_of
from mnemolog.recall.items import parts

# Extraction method of memories that `correct` stores: said when recorded, not at `valid_from`.
CORRECTED = "correction"
_IN_FORCE = frozenset({"active", "superseded", "contested", "pending", "archived", "summarized"})


def correction_of(space: WritableSpace, item: NewMemory, cut: Cut) -> MemoryId | None:
    """Correction that supersedes a statement, as it was said before; None if there is none.

    The statement says the same as a memory that the correction superseded. One that was said
    after the correction is compared with it like any other, and one that names memories that it
    `supersedes`, or whose id is stored already, is no restatement.
    """
    if item.supersedes or _known_before(space, item):
        return None
    began = instant("valid_from", item.valid_from)
    said_at = cut.instant if began is None else began
    # Exclude memories redacted meanwhile: the cached text must not recognise them.
    near = space.retired.near(item.content, cut.position)
    same = [one for one, retired in near.items() if same_meaning(item.content, retired)]
    if not same:
        return None
    restated = _in_force(space, same, cut)
    corrections = sorted({pair for old in restated for pair in _corrections(space, old, cut)})
    return next((one for at, one in corrections if said_at < at), None)


def _known_before(space: Space, item: NewMemory) -> bool:
    if item.id is None:
        return False
    return bool(space.home.log.positions_of([EventId(parse_id("id", item.id))]))


def _rows(space: Space, ids: Sequence[MemoryId], cut: Cut) -> dict[MemoryId, MemoryRow]:
    return space.home.views.read(lambda db: rows_as_of(db, ids, cut.position))


def _in_force(space: Space, ids: Sequence[MemoryId], cut: Cut) -> list[MemoryId]:
    rows = _rows(space, ids, cut)
    return [one for one in ids if one in rows and rows[one].status in _IN_FORCE]


def _corrections(space: Space, old: MemoryId, cut: Cut) -> Iterable[tuple[int, MemoryId]]:
    """Corrections in force that superseded a retired memory, each with its time of statement."""
    above = superseders_of(space, old, cut)
    others = set[str | None](above)
    for event in events_of(space.home, _in_force(space, above, cut)):
        if event.causation_id in others:
            continue  # It keeps the rest of what the correction superseded
        structure, _ = parts(event)
        at = structure.valid_from
        if structure.extraction_method == CORRECTED or at is None:
            at = structure.stated_at(event.recorded_at)
        yield at, MemoryId(event.event_id)
