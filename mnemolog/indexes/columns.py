"""Columns of a space's memories by ordinal, their states at any moment, and growing arrays."""

from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence
from typing import get_args

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.arrays import AnyArray, GrowingArray, Ordinals, StoredArrays
from mnemolog.indexes.filters import KINDS, STATUSES, Filter, begins
from mnemolog.ledger.events import SourceType
from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import MemoryRow, Status, SupersessionRow

Selection = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Instants = npt.NDArray[np.int64]

NOBODY = -1  # stands for 'none' where an ordinal or a name's number is expected


class Names:
    """Strings as small numbers, in order of first use; `NOBODY` is none."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.known = list(known)
        self._codes = {name: code for code, name in enumerate(self.known)}

    def find(self, name: str) -> int | None:
        """The number of a name; None if it is new."""
        return self._codes.get(name)

    def code(self, name: str | None) -> int:
        """The number of a name, a new one if it is new."""
        if name is None:
            return NOBODY
        code = self._codes.get(name)
        if code is None:
            self.known.append(name)
            code = self._codes[name] = len(self.known) - 1
        return code


class LastChanges(msgspec.Struct, frozen=True):
    """The memories that the first `changes` changes are of, ascending, and each one's last row."""

    changes: int
    ordinals: Selection
    rows: Selection

    def of(self, ordinals: Ordinals) -> tuple[Mask, Selection]:
        """A mask of the changed ones among these memories, and the rows of their last changes."""
        if not len(self.ordinals):
            return np.zeros(len(ordinals), np.bool_), self.rows
        places = self.ordinals.searchsorted(ordinals)
        places[places == len(self.ordinals)] = 0
        changed = self.ordinals[places] == ordinals
        return changed, self.rows[places[changed]]


class ChangeLog:
    """Positions and ordinals of changes; their values lie in arrays of the same rows."""

    def __init__(self) -> None:
        self._ordinals = GrowingArray(np.int32)
        self._at = GrowingArray(np.int64)
        self._known: LastChanges | None = None

    def extend(self, ordinals: npt.ArrayLike, at: npt.ArrayLike) -> None:
        """Note the next changes, in order of position; their values must be there already."""
        self._ordinals.extend(ordinals)
        # Last: readers in other threads go by the number of positions.
        self._at.extend(at)

    def has_later(self, position: Position) -> bool:
        """True if anything changed after a position."""
        return bool((self._at.rows[-1:] > position).any())

    def as_of(self, position: Position) -> LastChanges:
        """The last changes up to a position."""
        changes = int(self._at.rows.searchsorted(position, side="right"))
        known = self._known
        if known is None or known.changes != changes:
            # Reversed, so that the first place of an ordinal is its last change.
            ordinals, last = np.unique(self._ordinals[:changes][::-1], return_index=True)
            known = LastChanges(changes, ordinals.astype(np.intp), changes - 1 - last)
            self._known = known
        return known


# -- columns ---------------------------------------------------------------------------
PLAIN_WEIGHT = 0.5  # the centre of the weight that a memory has unless said otherwise
_CODE = {status: code for code, status in enumerate(STATUSES)}
_SOURCE_TYPES: tuple[str, ...] = get_args(SourceType)
_FOREVER, _EVER = int(np.iinfo(np.int64).max), int(np.iinfo(np.int64).min)
NOTHING_STORED = StoredArrays()


class Named(msgspec.Struct, frozen=True):
    """Parts of the columns of a base that are not arrays.

    `heavy` are the memories that began heavier than a plain one, ascending, `constraints` those
    with a class, `last_of_run` the last memory of each run; all by ordinal.
    """

    heavy: list[int] = []
    constraints: list[tuple[int, str]] = []
    sources: list[str] = []
    places: list[str] = []
    last_of_run: dict[str, int] = {}
    latest_start: int = _EVER
    earliest_end: int = _FOREVER


NOBODY_NAMED = Named()
_States = tuple[LastChanges, npt.NDArray[np.uint8], dict[int, Status]]


class Columns:
    """The memories of a space whose content exists, by ordinal, and how they changed."""

    def __init__(self, base: StoredArrays = NOTHING_STORED, named: Named = NOBODY_NAMED) -> None:
        self._positions = base.growing("positions", np.int64)
        self._said_at = base.growing("said_at", np.int64)
        self._kinds = base.growing("kinds", np.int8)
        self._source_types = base.growing("source_types", np.int8)
        self._sources = base.growing("sources", np.int32)
        self._places = base.growing("places", np.int32)
        self._valid_from = base.growing("valid_from", np.int64)
        self._valid_until = base.growing("valid_until", np.int64)
        # Centres of the weights that memories began with.
        self.first_weights = base.growing("first_weights", np.float64)
        self._previous = base.growing("previous", np.int32)
        self._next = base.growing("next", np.int32)
        self._heavy = list(named.heavy)
        self._source_names, self._place_names = Names(named.sources), Names(named.places)
        self._last_of_run = dict(named.last_of_run)
        self._latest_start, self._earliest_end = named.latest_start, named.earliest_end
        self._constraints: list[int] = []
        self._constraints_by_class: dict[str, list[int]] = {}
        for ordinal, constraint_class in named.constraints:
            self._add_constraint(ordinal, constraint_class)
        self._changes = ChangeLog()
        self._changed_to = GrowingArray(np.uint8)
        self._known_states: _States | None = None
        self._successors: dict[Position, list[SupersessionRow]] = {}
        self._predecessors: dict[Position, list[SupersessionRow]] = {}

    def __len__(self) -> int:
        return len(self._positions)

    # -- following ---------------------------------------------------------------------
    def add(self, rows: Sequence[MemoryRow]) -> None:
        """Add the next memories, by their first state."""
        first = len(self)
        self._said_at.extend([row.said_at for row in rows])
        self._kinds.extend([KINDS.index(row.kind) for row in rows])
        self._source_types.extend([_SOURCE_TYPES.index(row.source_type) for row in rows])
        self._sources.extend([self._source_names.code(row.source) for row in rows])
        self._places.extend([self._place_names.code(row.place) for row in rows])
        self.first_weights.extend([row.weight for row in rows])
        self._heavy += [one for one, row in enumerate(rows, first) if row.weight > PLAIN_WEIGHT]
        for one, row in enumerate(rows, first):
            if row.constraint_class is not None:
                self._add_constraint(one, row.constraint_class)
        starts = [_EVER if row.valid_from is None else row.valid_from for row in rows]
        ends = [_FOREVER if row.valid_until is None else row.valid_until for row in rows]
        self._valid_from.extend(starts)
        self._valid_until.extend(ends)
        self._latest_start = max([self._latest_start, *starts])
        self._earliest_end = min([self._earliest_end, *ends])
        previous = []
        for ordinal, row in enumerate(rows, first):
            run = row.run
            previous.append(NOBODY if run is None else self._last_of_run.get(run, NOBODY))
            if run is not None:
                self._last_of_run[run] = ordinal
        self._previous.extend(previous)
        self._next.extend([NOBODY] * len(rows))
        for ordinal, before in enumerate(previous, first):
            if before != NOBODY:
                self._next.rows[before] = ordinal
        # Last: readers in other threads go by the number of positions.
        self._positions.extend([row.memory for row in rows])

    def _add_constraint(self, ordinal: int, constraint_class: str) -> None:
        self._constraints.append(ordinal)
        self._constraints_by_class.setdefault(constraint_class, []).append(ordinal)

    def frozen(self, size: int) -> tuple[dict[str, AnyArray], Named]:
        """Arrays of the first `size` memories, by name, and what is not in arrays."""
        following = self._next[:size].copy()
        following[following >= size] = NOBODY
        arrays: dict[str, AnyArray] = {
            "positions": self._positions[:size],
            "said_at": self._said_at[:size],
            "kinds": self._kinds[:size],
            "source_types": self._source_types[:size],
            "sources": self._sources[:size],
            "places": self._places[:size],
            "valid_from": self._valid_from[:size],
            "valid_until": self._valid_until[:size],
            "first_weights": self.first_weights[:size],
            "previous": self._previous[:size],
            "next": following,
        }
        by_class = self._constraints_by_class.items()
        constraints = [(one, name) for name, ordinals in by_class for one in ordinals if one < size]
        named = Named(
            heavy=[one for one in self._heavy if one < size],
            constraints=sorted(constraints),
            sources=self._source_names.known,
            places=self._place_names.known,
            last_of_run={run: one for run, one in self._last_of_run.items() if one < size},
            latest_start=self._latest_start,
            earliest_end=self._earliest_end,
        )
        return arrays, named

    def change(self, rows: Iterable[MemoryRow]) -> None:
        """Note later states of memories, in the order in which they came to hold."""
        for row in rows:
            ordinal = self.ordinal(row.memory)
            if ordinal != NOBODY:
                self._changed_to.extend([_CODE[row.status]])
                self._changes.extend([ordinal], [row.since])

    def supersede(self, rows: Iterable[SupersessionRow]) -> None:
        """Note supersessions, new ones and those that ended."""
        for row in rows:
            same = (row.old, row.new, row.since)
            for edges, key in ((self._successors, row.old), (self._predecessors, row.new)):
                known = edges.get(key, ())
                others = [one for one in known if (one.old, one.new, one.since) != same]
                edges[key] = [*others, row]

    # -- asking ------------------------------------------------------------------------
    def ordinal(self, position: int) -> int:
        """The ordinal of the memory remembered at a position; `NOBODY` if there is none."""
        positions = self._positions.rows
        found = int(positions.searchsorted(position))
        return found if found < len(positions) and positions[found] == position else NOBODY

    def ordinals(self, positions: Instants) -> Selection:
        """The ordinals of the memories remembered at these positions; `NOBODY` where none is."""
        known = self._positions.rows
        found = known.searchsorted(positions)
        there = found < len(known)
        there[there] = known[found[there]] == positions[there]
        return np.where(there, found, NOBODY)

    def size(self, position: Position) -> int:
        """The number of memories as of a position."""
        return int(self._positions.rows.searchsorted(position, side="right"))

    def positions(self, ordinals: Ordinals) -> Instants:
        """The positions of these memories."""
        return self._positions[ordinals]

    def times(self, ordinals: Ordinals) -> Instants:
        """The instants from which these memories are valid, or else were said."""
        started = self._valid_from[ordinals]
        times: Instants = np.where(started == _EVER, self._said_at[ordinals], started)
        return times

    def said_at(self, ordinals: Ordinals) -> Instants:
        """The instants at which these memories were last said."""
        return self._said_at[ordinals]

    def first_heavy(self, size: int) -> Selection:
        """The first `size` memories that began heavier than a plain one, ascending."""
        return _below(self._heavy, size)

    def constraints(self, size: int) -> Selection:
        """The constraints among the first `size` memories, ascending."""
        return _below(self._constraints, size)

    def constraints_of(self, constraint_class: str, size: int) -> Selection:
        """The constraints of one class among the first `size` memories, ascending."""
        return _below(self._constraints_by_class.get(constraint_class, ()), size)

    def previous(self, ordinals: Ordinals) -> npt.NDArray[np.int32]:
        """The predecessor of each memory in the same run; `NOBODY` if there is none."""
        return self._previous[ordinals]

    def following(self, ordinals: Ordinals, size: int) -> npt.NDArray[np.int32]:
        """The successor of each memory in the same run among the first `size` memories."""
        after = self._next[ordinals]
        return np.where(after < size, after, NOBODY).astype(np.int32)

    def user_stated(self, ordinals: Ordinals) -> Mask:
        """A mask of a user's own statements among these memories."""
        stated: Mask = self._source_types[ordinals] == _SOURCE_TYPES.index("user_stated")
        return stated

    def changed(self, position: Position) -> dict[int, Status]:
        """The status of every memory that is not, or not any more, as it began, by ordinal."""
        return self._states(position)[2]

    def changed_to(self, position: Position, statuses: Container[str]) -> Selection:
        """The memories of `changed` that have one of some statuses, ascending."""
        last, codes, _ = self._states(position)
        wanted = np.array([status in statuses for status in STATUSES])
        chosen: Selection = last.ordinals[wanted[codes]]
        return chosen

    def _states(self, position: Position) -> _States:
        """The changed memories, with their statuses as codes and by ordinal."""
        last = self._changes.as_of(position)
        known = self._known_states
        if known is None or known[0] is not last:
            codes = self._changed_to[last.rows]
            changed = zip(last.ordinals.tolist(), codes.tolist(), strict=True)
            statuses = {ordinal: STATUSES[code] for ordinal, code in changed}
            known = self._known_states = last, codes, statuses
        return known

    def matching(self, question: Filter, size: int) -> Mask | None:
        """A mask of the first `size` memories that a filter allows; None if it asks nothing."""
        masks: list[Mask] = []
        if question.kinds:
            codes = [KINDS.index(kind) for kind in question.kinds]
            masks.append(np.isin(self._kinds[:size], codes))
        for column, names, wanted in (
            (self._sources, self._source_names, question.source),
            (self._places, self._place_names, question.place),
        ):
            if wanted is not None:
                # One more at the end, False: it is what the code -1 of 'none' finds.
                fits = np.array([*(begins(name, wanted) for name in names.known), False])
                masks.append(fits[column[:size]])
        if question.tagged is not None:
            tagged = np.zeros(size, np.bool_)
            ordinals = self.ordinals(np.array(question.tagged, np.int64))
            # Others were remembered later, or are not of this space.
            tagged[ordinals[(ordinals != NOBODY) & (ordinals < size)]] = True
            masks.append(tagged)
        return np.logical_and.reduce(masks) if masks else None

    def holding(self, instant: int, size: int) -> Mask | None:
        """A mask of the first `size` memories valid at an instant; None if all surely are."""
        if self._latest_start <= instant < self._earliest_end:
            return None
        return (self._valid_from[:size] <= instant) & (self._valid_until[:size] > instant)

    def holds(self, ordinal: int, instant: int) -> bool:
        """True if one memory holds at an instant by its own valid time."""
        began, ends = self._valid_from.rows[ordinal], self._valid_until.rows[ordinal]
        return bool(began <= instant < ends)

    def successors(self, memory: Position, position: Position) -> list[SupersessionRow]:
        """The supersessions of a memory as of a position, newest first."""
        return _open(self._successors.get(memory, ()), position)

    def predecessors(self, memory: Position, position: Position) -> list[SupersessionRow]:
        """The supersessions by a memory as of a position, newest first."""
        return _open(self._predecessors.get(memory, ()), position)


def _open(edges: Sequence[SupersessionRow], position: Position) -> list[SupersessionRow]:
    if not edges:  # of most memories, and asked several times a hit
        return []
    begun = (edge for edge in edges if edge.since <= position)
    held = [edge for edge in begun if edge.until is None or edge.until > position]
    return sorted(held, key=lambda edge: -edge.new)


def _below(ordinals: Sequence[int], size: int) -> Selection:
    return np.array(ordinals[: bisect_left(ordinals, size)], np.intp)
