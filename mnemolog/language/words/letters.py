"""Look-alike letters, replaced by the letters that patterns take them for."""

from __future__ import annotations

# A pattern that ignores case takes these for an s, an i and a k, and no table has them.
_LOOKALIKES = str.maketrans({
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LATIN SMALL LETTER LONG S}": "s",
    "\N{LATIN SMALL LETTER DOTLESS I}": "i",
    "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}": "I",
    "\N{KELVIN SIGN}": "K",
})  # fmt: skip


def plain_letters(text: str) -> str:
    """A text of the same length with plain apostrophes, and no letters that only look like s, i, k.

    What patterns find in it can be looked up in tables of lowercase words.
    """
    return text if text.isascii() else text.translate(_LOOKALIKES)
