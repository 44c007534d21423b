"""Search terms of texts: stemmed words, and exact terms such as ids, codes and paths.

The stemmer is Tantivy's (Snowball), and not that of `language/words/lexicon.py`: it is fast, takes
"connection" and "connected" for one word, and its terms are what indexes store. Names keep no form
of their own, as a cue and a text only have to come to the same term.
"""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from mnemolog.language.lists import word_set

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

VERSION = "english-3"

_LONGEST_WORD = 60
_REMEMBERED_STEMS = 500_000
# What a person would copy as one piece: marks stand between its letters or digits.
# Two patterns, not one: with a mark looked for inside the piece's own, a text of one long
# word takes time that grows with the cube of its length.
_PIECE = re.compile(r"[^\s\"'`<>()\[\]{},;|]+")
_INNER_MARK = re.compile(r"\w[_./:#@\\-]+\w")
# The same, of one mark that stands after a letter or digit: a search for marks is quick.
_MARK_INSIDE = re.compile(r"[_./:#@\\-](?<=\w.)[_./:#@\\-]*\w")
_OUTER = ".:!?…*_~-"
_LONGEST_EXACT = 240
# A long s counts as an s, as it does wherever case is ignored.
_POSSESSIVE = re.compile("'[sS\u017f]\\b")
# Splits and lowers texts of ASCII alone, as Tantivy does.
_LOWERED = bytes(
    ord(char.lower()) if char.isalnum() else ord(" ") for char in map(chr, range(128))
).ljust(256)
_PLAIN_MARKS = (("\u2019", "'"), *((mark, " ") for mark in "\u2013\u2014\u201c\u201d\u2022\u2026"))
EXACT_PREFIX = "="  # begins an exact term, as it does no stemmed word

# Closed-class English words: they are in every text, so that a cue's other words decide.
STOP_WORDS = word_set(
    "a about after again all also am an and any are as at be because been before being between "
    "both but by can could did do does doing don down during each few for from further had has "
    "have having he her here hers herself him himself his how i if in into is it its itself just "
    "ll me more most my myself no nor not now of off on once only or other our ours ourselves out "
    "over own re s same she should so some such t than that the their theirs them themselves then "
    "there these they this those through to too under until up ve very was we were what when "
    "where which while who whom why will with would you your yours yourself yourselves"
)


def is_code(term: str) -> bool:
    """True if a term is an exact one, or a word with a digit: a number, an id or a code."""
    return term.startswith(EXACT_PREFIX) or not term.isalpha()


def _with_plain_marks(text: str) -> str:
    """A text with ASCII in the place of marks without which most texts are ASCII alone."""
    for mark, plain in _PLAIN_MARKS:
        text = text.replace(mark, plain)
    return text


class Analyzer:
    """Tantivy's English analysis, alike for texts and cues: lowercase, ASCII, Snowball stems."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._stems: dict[str, str] = {}

    @cached_property
    def _splitting(self) -> TextAnalyzer:
        from tantivy import Filter, TextAnalyzerBuilder, Tokenizer  # noqa: PLC0415 - 10 ms

        return (
            TextAnalyzerBuilder(Tokenizer.simple())
            .filter(Filter.remove_long(_LONGEST_WORD))
            .filter(Filter.lowercase())
            .filter(Filter.ascii_fold())
            .build()
        )

    @cached_property
    def _stemming(self) -> TextAnalyzer:
        from tantivy import Filter, TextAnalyzerBuilder, Tokenizer  # noqa: PLC0415 - 10 ms

        return TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stemmer("english")).build()

    def surface(self, text: str) -> list[str]:
        """The words of a text as written but for case and accents, in order."""
        plain = text if text.isascii() else _with_plain_marks(text)
        if "'" in plain:
            plain = _POSSESSIVE.sub("", plain)
        if plain.isascii():
            words = plain.encode().translate(_LOWERED).decode().split()
            if len(plain) < _LONGEST_WORD or len(max(words, key=len, default="")) < _LONGEST_WORD:
                return words
        with self._turn:
            return list(self._splitting.analyze(plain))

    def stem(self, word: str) -> str:
        """The term that a word of `surface` comes to."""
        return self.stems([[word]])[0][0]

    def stems(self, texts: Sequence[Sequence[str]]) -> list[list[str]]:
        """The terms that the words of texts, from `surface`, come to, in order."""
        known = self._stems
        if new := set(itertools.chain.from_iterable(texts)).difference(known):
            with self._turn:
                # The words have no blanks in them.
                fresh = dict(zip(new, self._stemming.analyze(" ".join(new)), strict=True))
            if len(known) >= _REMEMBERED_STEMS:
                return [[known.get(word) or fresh[word] for word in words] for words in texts]
            known |= fresh
        return [list(map(known.__getitem__, words)) for words in texts]

    def words(self, text: str) -> list[str]:
        """The stemmed words of a text, in order, repeated as they stand."""
        return self.stems([self.surface(text)])[0]

    def exact(self, text: str) -> list[str]:
        """The exact terms of a text, such as ids, codes and paths, in lowercase."""
        if _MARK_INSIDE.search(text) is None:
            return []
        pieces = [piece for piece in _PIECE.findall(text) if _INNER_MARK.search(piece)]
        found = [piece.strip(_OUTER).lower() for piece in pieces]
        return [EXACT_PREFIX + piece for piece in found if len(piece) <= _LONGEST_EXACT]

    def cue(self, text: str) -> list[str]:
        """Terms of a cue: exact ones, and words, of closed classes only if there are no others."""
        surface = self.surface(text)
        kept = [word for word in surface if word not in STOP_WORDS] or surface
        return list(dict.fromkeys([*self.stems([kept])[0], *self.exact(text)]))
