"""Kinds of named things: what a name is known to be, by edges and by statements."""

from collections import deque
from typing import Literal

import msgspec
import numpy as np

from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.postings import relation_term
from mnemolog.indexes.space_state import State
from mnemolog.language.entities import ALIAS, Relation, normalised, thing_name
from mnemolog.ledger.events import EdgeOrigin
from mnemolog.ledger.ids_and_times import Position

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
