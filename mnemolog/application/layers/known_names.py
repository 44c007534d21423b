"""The names of those whose words a space remembers."""

from __future__ import annotations

from functools import partial

from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import sources_of
from mnemolog.projections.views import Views

_OF_SOMEBODY = ("user", "agent")
# What a role is called is no name: it stands in many prompts that ask for nothing remembered.
_ROLES = frozenset({"agent", "ai", "assistant", "bot", "human", "me", "model", "system", "user"})


def known_names(views: Views, space: str, position: Position) -> frozenset[str]:
    """The people and agents that the memories of a space are from, case-folded.

    Their sources say so. Tags, places and files are left out, and whatever
    stands before a colon in a text: they are words as often as names, and a
    prompt that holds one would count as one about somebody.
    """
    sources = views.read(partial(sources_of, space=space, position=position))
    named = (source.partition(":") for source in sources)
    names = {name.casefold() for scheme, _, name in named if scheme in _OF_SOMEBODY and name}
    return frozenset(names - _ROLES)
