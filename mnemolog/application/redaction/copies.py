"""Memories that hold words of others: what corrections kept of them, or quoted."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, events_of
from mnemolog.ledger.events import MemoryContent
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.policies.corrections import is_quoted, is_rest
from mnemolog.projections.memory_queries import ReplacementRow, replaced_by, replacements_of
from mnemolog.recall.items import parts


class Copy(NamedTuple):
    """Memory that holds words of another, the rest of it or a quotation; `until` an undo."""

    memory: MemoryId
    source: MemoryId
    is_rest: bool
    until: Position | None


def copies_of(home: Home, sources: Sequence[MemoryId], cut: Cut) -> list[Copy]:
    """Memories with words of these, among all that ever superseded them, directly or not.

    A rest is all words of its source, so copies of it are copies too. What a quotation says
    besides is no word of the source, and is not followed.
    """
    above = defaultdict[MemoryId, list[ReplacementRow]](list)
    ahead = [*sources]
    while ahead:
        rows = home.views.read(partial(replacements_of, memory_ids=ahead, position=cut.position))
        for row in rows:
            above[row.old].append(row)
        ahead = [new for new in dict.fromkeys(row.new for row in rows) if new not in above]
        above.update((new, []) for new in ahead)
    held = _contents(home, {*sources, *(row.new for rows in above.values() for row in rows)})
    found: dict[MemoryId, Copy] = {}
    ahead = [*sources]
    for source in ahead:
        for row in _reached(above, source):
            copy = _copy(row, source, held)
            if copy is not None and copy.memory not in found:
                found[copy.memory] = copy
                ahead += [copy.memory] if copy.is_rest else []
    return [*found.values()]


def sources_of(home: Home, memories: Sequence[MemoryId], cut: Cut) -> list[Copy]:
    """These memories as copies of what they directly replaced, and of what that is the rest of."""
    found: list[Copy] = []
    ahead = [*memories]
    while ahead:
        rows = home.views.read(partial(replaced_by, memory_ids=ahead, position=cut.position))
        held = _contents(home, chain.from_iterable((row.old, row.new) for row in rows))
        copies = [*filter(None, (_copy(row, row.old, held) for row in rows))]
        known = {(one.memory, one.source) for one in found}
        fresh = [one for one in copies if (one.memory, one.source) not in known]
        # Only the head of a text is quoted, and what that quotes is not in it.
        found += [one for one in fresh if one.is_rest or one.memory in memories]
        ahead = [one.source for one in fresh if one.is_rest]
    return found


def _copy(
    row: ReplacementRow, source: MemoryId, held: dict[MemoryId, MemoryContent]
) -> Copy | None:
    old, new = held.get(source), held.get(row.new)
    if old is None or new is None:
        return None
    rest = is_rest(old, new)
    return Copy(row.new, source, rest, row.until) if rest or is_quoted(old, new) else None


def _reached(above: dict[MemoryId, list[ReplacementRow]], source: MemoryId) -> list[ReplacementRow]:
    reached, met = [*above[source]], {source}
    for row in reached:
        if row.new not in met:
            met.add(row.new)
            reached += above[row.new]
    return reached


def _contents(home: Home, memory_ids: Iterable[MemoryId]) -> dict[MemoryId, MemoryContent]:
    stored = events_of(home, sorted(set(memory_ids)))
    return {
        event.memory_id: content
        for event in stored
        if event.memory_id is not None and (content := parts(event)[1]) is not None
    }
