"""Software by its names and by what it does: one of a kind takes another's place."""

from __future__ import annotations

from functools import cache

from mnemolog.language.lists import english


@cache
def software_kinds() -> dict[str, str]:
    """Kinds of known software, by its name in small letters."""
    return _inverted("kinds")


@cache
def software_aliases() -> dict[str, str]:
    """Other names of software, with the name that is compared."""
    return _inverted("aliases")


def _inverted(name: str) -> dict[str, str]:
    rows = english("software").table(name).items()
    return {member: row for row, members in rows for member in members}
