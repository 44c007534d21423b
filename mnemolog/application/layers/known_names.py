"""Names of the people and agents that a space has memories from."""

from __future__ import annotations

from functools import partial

from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import sources_of
from mnemolog.projections.views import Views

_OF_SOMEBODY = ("user", "agent")
# Role names are not names of people: many prompts that need no memory contain them.
_ROLES = frozenset({"agent", "ai", "assistant", "bot", "human", "me", "model", "system", "user"})


def known_names(views: Views, space: str, position: Position) -> frozenset[str]:
    """Names of the people and agents in the sources of a space's memories, case-folded.

    Leaves out tags, places, files and text before a colon: these are often ordinary words,
    and a prompt with such a word would be taken for one about a person.
    """
    sources = views.read(partial(sources_of, space=space, position=position))
    named = (source.partition(":") for source in sources)
    names = {name.casefold() for scheme, _, name in named if scheme in _OF_SOMEBODY and name}
    return frozenset(names - _ROLES)
