"""The names that a space knows: of people, projects, places and tags."""

from __future__ import annotations

import re
from functools import cached_property, partial

from ledger.ids import Position
from projections.memories import tag_key
from projections.memory_queries import sources_and_places, tagged
from projections.views import Views

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:(?://)?")


class KnownNames:
    """Says of a case-folded name whether the memories of a space know it, as of a position.

    Sources without their scheme, with the last part of a path on its own; the
    parts of places; and tags, which can be asked for but not listed, since views
    hold no content. Read when first asked.
    """

    def __init__(self, views: Views, secret: bytes, space: str, position: Position) -> None:
        """Prepare to ask the views of a space."""
        self._views = views
        self._secret = secret
        self._space = space
        self._position = position

    def __contains__(self, name: object) -> bool:
        """Whether the name is known."""
        return isinstance(name, str) and (name in self._names or self._is_tag(name))

    @cached_property
    def _names(self) -> frozenset[str]:
        ask = partial(sources_and_places, space=self._space, position=self._position)
        sources, places = self._views.read(ask)
        bare = [_SCHEME.sub("", source, count=1) for source in sources]
        parts = [part for path in (*bare, *places) for part in (path, *path.split("/"))]
        return frozenset(part.casefold() for part in parts if part)

    def _is_tag(self, name: str) -> bool:
        key = tag_key(self._secret, name)
        found = self._views.read(lambda db: tagged(db, [key], self._space))
        return any(position <= self._position for position in found)
