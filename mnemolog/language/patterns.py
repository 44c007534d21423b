"""Regular expressions that are compiled when they are first used, and may look back.

Hundreds of them read English; compiled at import they would cost every process a
third of a second, most of which look up a memory or two and end.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import cast


class _LazyPattern:
    """Placeholder of a compiled pattern until one of its methods is used."""

    def __init__(self, compiled: Callable[[], re.Pattern[str]]) -> None:
        self._compiled = compiled

    def __getattr__(self, name: str) -> object:
        compiled = self._compiled()
        for known in _METHODS:
            # Found at once from now on, without a way through here.
            setattr(self, known, getattr(compiled, known))
        return getattr(compiled, name)


_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


def regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """Pattern as of `re.compile`, compiled at its first use; a wrong pattern fails there.

    To be used by its own methods; the functions of `re` do not take it.
    """
    return compiled_later(partial(re.compile, source, flags))


def compiled_later(compiled: Callable[[], re.Pattern[str]]) -> re.Pattern[str]:
    """A pattern that a function makes when it is first used; it has the limits of `regex`."""
    return cast("re.Pattern[str]", _LazyPattern(compiled))


_REACH = 80


def before(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    """Match of a pattern with `$` at its end, directly before a place of a text.

    It looks back 80 characters: read from its beginning for each of its words, a text
    would cost the square of its length.
    """
    return pattern.search(text, max(0, end - _REACH), end)


# A pattern that ignores case takes these for an s, an i and a k, and no table has them.
_LOOKALIKES = str.maketrans("\u2019\u017f\u0131\u0130\u212a", "'siIK")


def plain_letters(text: str) -> str:
    """A text of the same length with plain apostrophes, and no letters that only look like s, i, k.

    What patterns find in it can be looked up in tables of lowercase words.
    """
    return text if text.isascii() else text.translate(_LOOKALIKES)
