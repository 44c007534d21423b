"""Patterns tried only on the texts that may match: those with a word that the pattern needs.

A clause of talk fits few of several hundred patterns, and a look at its words shows which.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Set as AbstractSet
from functools import cached_property, lru_cache

import msgspec

from mnemolog.language.lists import Lists, Rule, bounded_words, plain_letters, regex, word_set

_NAMED_GROUP = regex(r"\(\?P<\w+>")


# A clause is looked at in several steps, one after the other.
@lru_cache(maxsize=256)
def lowercase_words(text: str) -> frozenset[str]:
    r"""Words of a text in small letters, as a pattern that ignores case finds them between `\b`."""
    return frozenset(bounded_words(plain_letters(text).lower()))


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
    def _places(self) -> dict[str, list[int]]:
        """Places of the rows that need each word, ascending."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, (needs, *_) in enumerate(self._rows):
            for word in needs:
                places[word].append(place)
        return dict(places)

    @cached_property
    def _needed(self) -> frozenset[str]:
        return frozenset(self._places)

    def rewritten(self, text: str, words: AbstractSet[str]) -> str:
        """Text after each row, in order; `words` are its `lowercase_words`, and may be more."""
        if self._needed.isdisjoint(words):
            return text
        rows = self._rows
        for place in self._tried(words):
            _, pattern, gives = rows[place]
            reworded, replaced = pattern.subn(gives, text)
            if replaced:
                return self._continued(reworded, place + 1)
        return text

    def _continued(self, text: str, first: int) -> str:
        """Text after each row from the first on."""
        words = lowercase_words(text)
        for needs, pattern, gives in self._rows[first:]:
            if not needs.isdisjoint(words):
                text, replaced = pattern.subn(gives, text)
                if replaced:
                    words = lowercase_words(text)
        return text

    def _tried(self, words: AbstractSet[str]) -> list[int]:
        """Places of the rows that need one of the words, ascending."""
        if len(told := self._needed & words) == 1:
            return self._places[next(iter(told))]
        return sorted({place for word in told for place in self._places[word]})


class Alternatives:
    """Rows of a list as one pattern, which finds the rows that match the beginning of a text."""

    def __init__(self, lists: Lists, name: str) -> None:
        self._lists, self._name = lists, name

    @cached_property
    def _joined(self) -> re.Pattern[str]:
        sources = (
            # Each group stands behind its row: only rows that begin with a text are skipped fast.
            f"(?{'i' if pattern.flags & re.IGNORECASE else ''}:"
            f"{_NAMED_GROUP.sub('(?:', pattern.pattern)})(?P<row{at}>)"
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
