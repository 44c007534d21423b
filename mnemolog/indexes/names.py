"""Names in a space's memories: who mentions them, what is stated of them, and what they are."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from mnemolog.indexes.columns import GrowingArray, Instants, Names, Selection
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.postings import PostingArrays
from mnemolog.language.names.entities import ENTITY_PREFIX, normalised, thing_name
from mnemolog.language.names.stated_relations import ALIAS, Relation
from mnemolog.ledger.events import EdgeOrigin
from mnemolog.ledger.ids import Position

if TYPE_CHECKING:
    from mnemolog.indexes.space_state import State

# -- mentions --------------------------------------------------------------------------
_AFTER_PREFIX = chr(ord(ENTITY_PREFIX) + 1)


class Mentions:
    """Names as small numbers, each memory's in alphabetical order, and each name's memories.

    Made of the postings of a base, which hold the names as terms, and followed by a tail.
    What a question sees is the mentions of the first so many memories.
    """

    def __init__(self, base: PostingArrays, size: int) -> None:
        first = bisect_left(base.terms, ENTITY_PREFIX)
        last = bisect_left(base.terms, _AFTER_PREFIX)
        self._names = Names(term.removeprefix(ENTITY_PREFIX) for term in base.terms[first:last])
        self._base_size = size
        self._base_starts = base.starts[first : last + 1]
        self._base_holders = base.ordinals
        self._tail: dict[int, list[int]] = {}
        self._starts = GrowingArray(np.int64)
        self._mentioned = GrowingArray(np.int32)
        holders = base.ordinals[self._base_starts[0] : self._base_starts[-1]]
        held = np.repeat(np.arange(last - first), np.diff(self._base_starts))
        self._mentioned.extend(held[np.argsort(holders, kind="stable")])
        counts = np.bincount(holders, minlength=size)
        self._starts.extend(np.concatenate([[0], np.cumsum(counts)]))

    def add(self, first: int, names: Sequence[Sequence[str]]) -> None:
        """Add the next memories, from ordinal `first` on, by their names in alphabetical order."""
        ends: list[int] = []
        mentioned: list[int] = []
        before = len(self._mentioned)
        for ordinal, own in enumerate(names, first):
            for code in map(self._names.code, own):
                self._tail.setdefault(code, []).append(ordinal)
                mentioned.append(code)
            ends.append(before + len(mentioned))
        self._mentioned.extend(mentioned)
        # Last: readers in other threads go by them.
        self._starts.extend(ends)

    def code(self, name: str) -> int | None:
        """The number of a name; None for one that no memory mentions."""
        return self._names.find(name)

    def name(self, code: int) -> str:
        """The name of a number."""
        return self._names.known[code]

    def of(self, ordinals: Selection) -> tuple[Instants, Instants]:
        """The names of these memories: whose each is, as an index into them, and its number."""
        starts = self._starts.rows
        rows, places = _runs(starts[ordinals], starts[ordinals + 1])
        return rows, self._mentioned[places].astype(np.int64)

    def counts(self, codes: Instants, size: int) -> Instants:
        """The number of the first `size` memories that mention each of these names."""
        return self._based(codes, size) + self._later(codes, size)

    def _based(self, codes: Instants, size: int) -> Instants:
        begins, ends = self._base_runs(codes)
        if size >= self._base_size:
            return ends - begins
        # All runs are bisected at once: one by one took three times as long.
        low, high = begins.copy(), ends.copy()
        while (open_ := low < high).any():
            middle = (low + high) >> 1
            before = np.zeros(len(codes), np.bool_)
            before[open_] = self._base_holders[middle[open_]] < size
            low = np.where(before, middle + 1, low)
            high = np.where(open_ & ~before, middle, high)
        return low - begins

    def _base_runs(self, codes: Instants) -> tuple[Instants, Instants]:
        # Names that are new in the tail have an empty run.
        last, starts = len(self._base_starts) - 1, self._base_starts
        return starts[np.minimum(codes, last)], starts[np.minimum(codes + 1, last)]

    def _later(self, codes: Instants, size: int) -> Instants:
        tails = map(self._tail.get, codes.tolist())
        return np.array([bisect_left(tail, size) if tail else 0 for tail in tails], np.int64)

    def holders(self, codes: Instants, size: int, top: int) -> tuple[Instants, Selection, Instants]:
        """The newest `top` of the first `size` memories that mention each of these names.

        How many mention each name; then, for each memory, whose holder it is, as
        an index into the names, and its ordinal. What one memory has of several
        names stands in the order of the names.
        """
        based, later = self._based(codes, size), self._later(codes, size)
        newest = np.minimum(later, top)
        older = np.minimum(based, top - newest)
        begins = self._base_runs(codes)[0]
        rows, places = _runs(begins + based - older, begins + based)
        ends = later.tolist()
        tail: list[int] = []
        for row, taken in enumerate(newest.tolist()):
            if taken:
                tail += self._tail[int(codes[row])][ends[row] - taken : ends[row]]
        return (
            based + later,
            np.concatenate([rows, np.repeat(np.arange(len(codes)), newest)]),
            np.concatenate([self._base_holders[places], np.array(tail, np.int64)]),
        )


def _runs(begins: Instants, ends: Instants) -> tuple[Instants, Instants]:
    """The places of several runs end to end: which run each belongs to, and the place."""
    lengths = ends - begins
    rows = np.repeat(np.arange(len(lengths)), lengths)
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return rows, np.repeat(begins, lengths) + offsets


# -- statements ------------------------------------------------------------------------
RELATION_PREFIX = ">"
"""Begins a relation among the terms of a text, which no stemmed word does."""

_BETWEEN, _AFTER_BETWEEN = "\x1f", "\x20"


def relation_term(relation: Relation) -> str:
    """The term of a relation in the postings."""
    return RELATION_PREFIX + _BETWEEN.join((relation.source, relation.type, relation.target))


def relation_of(term: str) -> Relation:
    """The relation of a term made by `relation_term`."""
    return Relation(*term.removeprefix(RELATION_PREFIX).split(_BETWEEN))


class Statements:
    """Statements about each name of a space: a base's sorted terms, and a tail's."""

    def __init__(self, terms: list[str]) -> None:
        self._base = terms
        self._tail: dict[str, dict[Relation, None]] = {}

    def add(self, stated: Sequence[Relation]) -> list[str]:
        """Note what the next memory says; the terms that it is to be found by."""
        both: dict[Relation, None] = {}
        for relation in stated:
            both[relation] = None
            if relation.type == ALIAS:
                both[Relation(relation.target, ALIAS, relation.source)] = None
        for relation in both:
            self._tail.setdefault(relation.source, {})[relation] = None
        return [relation_term(relation) for relation in both]

    def of(self, source: str) -> list[Relation]:
        """The statements about a name by any memory there ever was, sorted."""
        about = RELATION_PREFIX + source
        first = bisect_left(self._base, about + _BETWEEN)
        last = bisect_left(self._base, about + _AFTER_BETWEEN)
        found = {relation_of(term) for term in self._base[first:last]}
        return sorted(found.union(tuple(self._tail.get(source, ()))))


def named_in(stated: Iterable[Relation]) -> set[str]:
    """The names of the things that relations are between."""
    return {name for relation in stated for name in (relation.source, relation.target)}


# -- kinds -----------------------------------------------------------------------------
ALIAS_TYPES = frozenset({ALIAS, "SAME_AS"})
KIND_TYPES = ALIAS_TYPES | {"IS_A", "INSTANCE_OF"}
"""The types of edges that say what a thing is; aliases count in both directions."""

_STANDING = frozenset({"active", "contested", "archived", "summarized"})


class KindStep(msgspec.Struct, frozen=True):
    """One edge on the way from a name to a kind, and what it is known by.

    `evidence` is the position of the memory that says so (`origin` is then
    `drawn`) or of the event that made the edge.
    """

    source: str
    type: str
    target: str
    evidence: Position
    origin: EdgeOrigin | Literal["drawn"]


class KnownKind(msgspec.Struct, frozen=True):
    """Something that a name is known to be, with the shortest way there."""

    name: str
    path: tuple[KindStep, ...]


def spellings(name: str) -> tuple[str, ...]:
    """The forms under which a name may be known: as a thing's, as it is, and in the singular."""
    plain = normalised(name)
    return tuple(dict.fromkeys((thing_name(name), plain, thing_name(plain))))


def kinds_of(
    state: State, name: str, horizon: Horizon, types: frozenset[str] = KIND_TYPES
) -> tuple[KnownKind, ...]:
    """Everything that a name is known to be, nearest first; the name itself is not among it.

    Follows edges of these types (add `CONTAINS` for what a thing is made of) transitively, by edges
    that were made and by statements of memories in force. A kind of several words is of the kind of
    its last as well, without a step: what is a tree nut is a nut.
    """
    found: dict[str, tuple[KindStep, ...]] = dict.fromkeys(spellings(name), ())
    ahead = deque(found)
    while ahead:
        one = ahead.popleft()
        for step in _steps(state, one, horizon, types):
            heads = () if step.type in ALIAS_TYPES else (step.target.rpartition(" ")[2],)
            for kind in (step.target, *heads):
                if kind not in found:
                    found[kind] = (*found[one], step)
                    ahead.append(kind)
    return tuple(KnownKind(kind, path) for kind, path in found.items() if path)


def _steps(state: State, name: str, horizon: Horizon, types: frozenset[str]) -> list[KindStep]:
    """The kinds that a name is said to be, explicit edges first."""
    steps = []
    for edge in state.edges.at(name, horizon):
        between_things = isinstance(edge.source, str) and isinstance(edge.target, str)
        if not between_things or edge.type not in types:
            continue
        if edge.source == name or edge.type in ALIAS_TYPES:
            other = edge.target if edge.source == name else edge.source
            steps.append(KindStep(name, edge.type, str(other), edge.since, edge.origin))
    for relation in state.relations.of(name):
        if relation.type in types:
            evidence = _evidence(state, relation, horizon)
            if evidence is not None:
                steps.append(KindStep(name, relation.type, relation.target, evidence, "drawn"))
    return steps


def _evidence(state: State, relation: Relation, horizon: Horizon) -> Position | None:
    """The newest memory in force that states a relation and is valid; None if there is none."""
    columns = state.columns
    holders = state.postings.postings(relation_term(relation), horizon.size)[0]
    changed = columns.changed(horizon.position)
    for ordinal in holders[::-1].tolist():
        if changed.get(ordinal, "active") in _STANDING and columns.holds(ordinal, horizon.instant):
            return Position(int(columns.positions(np.array([ordinal]))[0]))
    return None
