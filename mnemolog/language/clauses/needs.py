"""Patterns tried only on the texts that may match: those with a word that the pattern needs.

A clause of talk fits few of several hundred patterns, and a look at its words shows which.
"""

import re
from collections.abc import Iterator, Set as AbstractSet
from functools import cached_property

import msgspec

from mnemolog.language.lists import Lists, Rule, plain_letters, regex, word_set

_WORD = regex(r"\w+")
_NAMED_GROUP = regex(r"\(\?P<\w+>")


def lowercase_words(text: str) -> frozenset[str]:
    r"""Words of a text in small letters, as a pattern that ignores case finds them between `\b`."""
    return frozenset(_WORD.findall(plain_letters(text).lower()))


class _Rewording(msgspec.Struct, frozen=True):
    needs: str
    gives: str


class Rewordings:
    r"""Rows of a list, applied as by `Lists.rewritten`, each to texts with a word that it `needs`.

    Every match of a row's pattern contains one of these words, bounded by `\b`.
    """

    def __init__(self, lists: Lists, name: str) -> None:
        self._lists, self._name = lists, name

    @cached_property
    def _rows(self) -> tuple[tuple[frozenset[str], re.Pattern[str], str], ...]:
        rows = self._lists.rows(self._name, _Rewording)
        return tuple((word_set(row.needs), pattern, row.gives) for row, pattern in rows)

    @cached_property
    def _needed(self) -> frozenset[str]:
        return frozenset(word for needs, *_ in self._rows for word in needs)

    def rewritten(self, text: str, words: AbstractSet[str]) -> str:
        """Text after each row, in order; `words` are its `lowercase_words`, and may be more."""
        if self._needed.isdisjoint(words):
            return text
        for needs, pattern, gives in self._rows:
            if not needs.isdisjoint(words):
                text, replaced = pattern.subn(gives, text)
                if replaced:
                    words = lowercase_words(text)
        return text


class Alternatives:
    """Rows of a list as one pattern, which finds the rows that match the beginning of a text."""

    def __init__(self, lists: Lists, name: str) -> None:
        self._lists, self._name = lists, name

    @cached_property
    def _joined(self) -> re.Pattern[str]:
        sources = (
            f"(?P<row{at}>(?{'i' if pattern.flags & re.IGNORECASE else ''}:"
            f"{_NAMED_GROUP.sub('(?:', pattern.pattern)}))"
            for at, (pattern, _) in enumerate(self._lists.pairs(self._name))
        )
        return re.compile("|".join(sources))

    def matches(self, text: str) -> Iterator[tuple[re.Match[str], str]]:
        """Matches of the rows at the beginning of a text, in order, each with what its row gives.

        One match of all rows skips to the first that matches.
        """
        first = self._joined.match(text)
        if first is None or first.lastgroup is None:
            return
        for pattern, gives in self._lists.pairs(self._name)[int(first.lastgroup[3:]) :]:
            if (match := pattern.match(text)) is not None:
                yield match, gives


class Rules:
    """Lists of one rule as attributes: `rules.greeting.search(text, words)`."""

    def __init__(self, lists: Lists) -> None:
        self._lists = lists

    def __getattr__(self, name: str) -> Rule:
        (rule,) = self._lists.rules(name)
        self.__dict__[name] = rule
        return rule
