"""Word lists and patterns of English: TOML files, each read at its first use.

Hundreds of patterns compiled at import would cost each process a third of a second.

A file has named texts in these tables:

- `[words]`: words separated by blanks;
- `[tables.NAME]`: keys and their members, separated by commas;
- `[parts]`: fragments that patterns share;
- `[any_case]` and `[as_written]`: patterns that ignore case, and patterns that respect it;
- `[rows]`: lists of values, each with a pattern as `any_case` or `as_written`. Its `needs` are
  words of which a text must have one, or groups of words, as in `just+now`.

A pattern may span several lines, indented by four blanks; neither the line breaks nor the
indentation belong to it. `{name}` in a pattern or in `needs` stands for a part, or for the
words of a list or the keys of a table as alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set as AbstractSet
from functools import cache, cached_property, partial
from importlib import import_module
from itertools import product
from pathlib import Path
from string import digits
from types import MappingProxyType
from typing import TypeVar, cast

import msgspec

from mnemolog.results import converted

Kind = TypeVar("Kind")

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_INDENT = "\n    "
_FLAGS = {"any_case": re.IGNORECASE, "as_written": re.RegexFlag(0)}


_NO_WORDS = bytes(c if chr(c).isalnum() or c == ord("_") else ord(" ") for c in range(128)).ljust(
    256
)
_DIGIT, _DIGITS = re.compile(r"\d"), digits.encode()
_WORD = re.compile(r"\w+")


def word_set(text: str) -> frozenset[str]:
    """Set of the words in a text, separated by blanks."""
    return frozenset(text.split())


def bounded_words(text: str) -> list[str]:
    """Words of a text in order, as patterns see their bounds: with `_` and without other marks."""
    if not text.isascii():
        return _WORD.findall(text)
    # Five times as fast as the pattern.
    return text.encode().translate(_NO_WORDS).decode().split()


def has_digit(text: str) -> bool:
    """True if a text has a digit of any script."""
    if not text.isascii():
        return _DIGIT.search(text) is not None
    return len(text.encode().translate(None, _DIGITS)) < len(text)


class Rule(msgspec.Struct, frozen=True):
    """Pattern that is searched only in texts with one of the words `needs`."""

    needs: frozenset[str]
    pattern: re.Pattern[str]

    def search(self, text: str, words: AbstractSet[str]) -> re.Match[str] | None:
        """First match in a text with these `words`; None if they include none of `needs`."""
        return None if self.needs.isdisjoint(words) else self.pattern.search(text)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, str] = {}
    tables: dict[str, dict[str, str]] = {}
    parts: dict[str, str] = {}
    any_case: dict[str, str] = {}
    as_written: dict[str, str] = {}
    rows: dict[str, list[dict[str, str | float | bool]]] = {}


class Lists:
    """The word lists and patterns of `NAME.toml` in a package; `shared` has what the file lacks."""

    def __init__(self, package: str, name: str, shared: Lists | None = None) -> None:
        self.package, self.name, self._shared = package, name, shared

    @cached_property
    def file(self) -> _File:
        """The file's content."""
        # importlib.resources would take 10 ms of a command that words one event.
        folder = Path(import_module(self.package).__path__[0])
        return msgspec.toml.decode((folder / f"{self.name}.toml").read_bytes(), type=_File)

    @cached_property
    def patterns_by_name(self) -> Patterns:
        """The patterns as attributes: `lists.patterns_by_name.greeting.search(text)`."""
        return Patterns(self)

    def text(self, name: str) -> str:
        """Text of a list as written, for lists with an order or rows."""
        return self.file.words[name]

    @cache  # noqa: B019 - lists live as long as the process
    def words(self, name: str) -> frozenset[str]:
        """A list of words."""
        return word_set(self.file.words[name])

    @cache  # noqa: B019
    def table(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """The members of each key of a table."""
        rows = self.file.tables[name].items()
        return MappingProxyType(
            {key: tuple(" ".join(one.split()) for one in row.split(",")) for key, row in rows}
        )

    @cache  # noqa: B019
    def keys_of(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """Keys of each member of a table."""
        keys: dict[str, tuple[str, ...]] = {}
        for key, members in self.table(name).items():
            for member in members:
                keys[member] = (*keys.get(member, ()), key)
        return MappingProxyType(keys)

    def key_of(self, name: str, member: str) -> str | None:
        """Last key of a member of a table; None if the table lacks it."""
        keys = self.keys_of(name).get(member)
        return None if keys is None else keys[-1]

    def pattern(self, name: str) -> re.Pattern[str]:
        """A pattern, compiled when it is first used."""
        return compiled_later(partial(self.compiled, name))

    def compiled(self, name: str) -> re.Pattern[str]:
        """A pattern, compiled now. Raises `KeyError` for an unknown name."""
        if name in self.file.any_case:
            return self._compiled({"any_case": self.file.any_case[name]})
        return self._compiled({"as_written": self.file.as_written[name]})

    def rows(self, name: str, kind: type[Kind]) -> Iterator[tuple[Kind, re.Pattern[str]]]:
        """The rows of a list, in order: their values as a struct `kind`, and their patterns."""
        for row, pattern in zip(self.file.rows[name], self.patterns(name), strict=True):
            values = {key: value for key, value in row.items() if key not in _FLAGS}
            yield converted(values, kind), pattern

    def rules(self, name: str) -> tuple[Rule, ...]:
        """The rules of a list, in order."""
        rows = zip(self.file.rows[name], self.patterns(name), strict=True)
        return tuple(Rule(word_set(str(row["needs"])), pattern) for row, pattern in rows)

    def needs(self, name: str) -> tuple[frozenset[frozenset[str]], ...]:
        """The groups of words that each row of a list needs, one of them whole."""
        return tuple(
            frozenset(
                frozenset().union(*group)
                for one in str(row["needs"]).split()
                for group in product(*map(self._choices, one.split("+")))
            )
            for row in self.file.rows[name]
        )

    def _choices(self, word: str) -> list[list[str]]:
        """The words that a need stands for, each or each key as a list of words."""
        if (found := _PLACEHOLDER.fullmatch(word)) is None:
            return [[word]]
        name = found[1]
        known = self.words(name) if name in self.file.words else self.file.tables[name]
        return list(map(bounded_words, known))

    def patterns(self, name: str) -> tuple[re.Pattern[str], ...]:
        """The patterns of a list's rows, in order."""
        return tuple(compiled_later(partial(self._compiled, row)) for row in self.file.rows[name])

    @cache  # noqa: B019
    def pairs(self, name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
        """The rows of a list, in order: each pattern with the replacement that it `gives`."""
        gives = (str(row["gives"]) for row in self.file.rows[name])
        return tuple(zip(self.patterns(name), gives, strict=True))

    def rewritten(self, name: str, text: str) -> str:
        """Text after each row, in order, replaced its matches by what it `gives`."""
        for pattern, gives in self.pairs(name):
            text = pattern.sub(gives, text)
        return text

    def _compiled(self, sources: Mapping[str, str | float | bool]) -> re.Pattern[str]:
        key = next(key for key in _FLAGS if key in sources)
        return re.compile(self._filled(str(sources[key])), _FLAGS[key])

    def _filled(self, source: str) -> str:
        joined = source.removeprefix(_INDENT[1:]).replace(_INDENT, "")
        return _PLACEHOLDER.sub(lambda found: self._part(found[1]), joined)

    def _part(self, name: str) -> str:
        if name in self.file.parts:
            return self._filled(self.file.parts[name])
        if name in self.file.words:
            return "|".join(sorted(self.words(name)))
        if self._shared is None or name in self.file.tables:
            # A key before those that it begins with: 'christmas eve' before 'christmas'.
            return "|".join(sorted(self.file.tables[name], reverse=True))
        return self._shared._part(name)  # noqa: SLF001 - of the same class


class Patterns:
    """The patterns of a file as attributes, each compiled at its first use."""

    def __init__(self, lists: Lists) -> None:
        self._lists = lists

    def __getattr__(self, name: str) -> re.Pattern[str]:
        try:
            found = self.__dict__[name] = self._lists.compiled(name)
        except KeyError:
            raise AttributeError(name) from None
        return found


@cache
def english(name: str) -> Lists:
    """Lists of a file in `language/words`."""
    return Lists("mnemolog.language.words", name)


class _LazyPattern:
    """Placeholder of a compiled pattern until one of its methods is used."""

    def __init__(self, compiled: Callable[[], re.Pattern[str]]) -> None:
        self._compiled = compiled

    def __getattr__(self, name: str) -> object:
        compiled = self._compiled()
        # Found at once from now on, without a way through here.
        self.__dict__ |= {known: getattr(compiled, known) for known in _METHODS}
        return getattr(compiled, name)


_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


def regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """Pattern as of `re.compile`, compiled at its first use; functions of `re` do not take it."""
    return compiled_later(partial(re.compile, source, flags))


def compiled_later(compiled: Callable[[], re.Pattern[str]]) -> re.Pattern[str]:
    """A pattern that a function makes at its first use, as `regex` does."""
    return cast("re.Pattern[str]", _LazyPattern(compiled))


def before(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    """Match of a pattern with `$` at its end in the 80 characters before a place of a text."""
    # From the beginning for each of its words, a text would cost the square of its length.
    return pattern.search(text, max(0, end - 80), end)


def without_start(pattern: re.Pattern[str], text: str) -> str:
    """Text without what a pattern matches at its beginning."""
    # Substitution would try a pattern with `\\A` at each place of the text.
    found = pattern.match(text)
    return text if found is None else text[found.end() :]


# A pattern that ignores case takes these for an s, an i and a k, and no table has them.
_LOOKALIKES = tuple(zip("\u2019\u017f\u0131\u0130\u212a", "'siIK", strict=True))


def plain_letters(text: str) -> str:
    """A text of the same length with plain apostrophes, and no letters that only look like s, i, k.

    What patterns find in it can be looked up in tables of lowercase words.
    """
    if not text.isascii():
        # Ten times as fast as a translation.
        for letter, plain in _LOOKALIKES:
            text = text.replace(letter, plain)
    return text
