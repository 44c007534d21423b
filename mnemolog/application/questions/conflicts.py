"""Conflicts of a space, as of now or any past moment."""

from __future__ import annotations

from typing import Literal, get_args

from mnemolog.application.home.space import Space
from mnemolog.ledger.errors import InvalidField
from mnemolog.projections.conflicts import conflicts_as_of, open_conflicts_as_of
from mnemolog.recall.answers.answers import Conflict, read_conflicts
from mnemolog.results import Listing

Openness = Literal["open", "all"]
"""Selection of conflicts: `open` for unsettled ones, `all` for every one ever found."""


def list_conflicts(space: Space, which: Openness = "open") -> Listing[Conflict]:
    """Conflicts of this space, oldest first: the open ones, or `all` that were ever found.

    Raises `InvalidField` if `which` is neither.
    """
    if which not in get_args(Openness):
        raise InvalidField("which", f"{which!r} is unknown", "use open or all")
    cut = space.cut()
    asked = open_conflicts_as_of if which == "open" else conflicts_as_of
    rows = space.home.views.read(lambda db: asked(db, space.name, cut.position))
    sources = (space.home.log, space.home.views)
    return Listing(read_conflicts(rows, space.name, cut.position, cut.instant, sources))
