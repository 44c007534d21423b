"""Statements of memories about things: relations as terms of the postings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from mnemolog.language.names.stated_relations import ALIAS, Relation

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
        both = dict.fromkeys(one for relation in stated for one in _both_ways(relation))
        for relation in both:
            self._tail.setdefault(relation.source, {})[relation] = None
        return [relation_term(relation) for relation in both]

    def of(self, source: str) -> list[Relation]:
        """The statements about a name by any memory there ever was, sorted."""
        begins = RELATION_PREFIX + source + _BETWEEN
        first = bisect_left(self._base, begins)
        last = bisect_left(self._base, RELATION_PREFIX + source + _AFTER_BETWEEN)
        found = {relation_of(term) for term in self._base[first:last]}
        return sorted(found.union(tuple(self._tail.get(source, ()))))


def _both_ways(relation: Relation) -> list[Relation]:
    if relation.type != ALIAS:
        return [relation]
    return [relation, Relation(relation.target, ALIAS, relation.source)]


def named_in(stated: Iterable[Relation]) -> set[str]:
    """The names of the things that relations are between."""
    return {name for relation in stated for name in (relation.source, relation.target)}
