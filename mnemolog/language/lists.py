"""Word lists and patterns of English: TOML files in the package, each read at its first use.

A file holds texts under names, in these tables:

- `[words]`: words with blanks between them;
- `[tables.NAME]`: keys and their members, with commas between them;
- `[parts]`: fragments that patterns share;
- `[any_case]` and `[as_written]`: patterns that ignore capitals, and patterns that heed them;
- `[[rows.NAME]]`: a list of values, each with a pattern as `any_case` or `as_written`.

A pattern may go over several lines, indented by four blanks; neither the line breaks nor the
indentation belong to it. `{name}` in a pattern stands for a part, or for the words of a list or the
keys of a table as alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set as AbstractSet
from functools import cache, cached_property, partial
from importlib.resources import files
from types import MappingProxyType
from typing import TypeVar

import msgspec

from mnemolog.language.patterns import compiled_later

Kind = TypeVar("Kind")

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_INDENT = "\n    "


def word_set(text: str) -> frozenset[str]:
    """The words of a text that lists them with blanks between."""
    return frozenset(text.split())


class Rule(msgspec.Struct, frozen=True):
    """A pattern, and the words of which a text must have one for it to be searched."""

    needs: frozenset[str]
    pattern: re.Pattern[str]

    def search(self, text: str, words: AbstractSet[str]) -> re.Match[str] | None:
        """The first match in a text, whose `words` are given; None where none of them is needed."""
        return None if self.needs.isdisjoint(words) else self.pattern.search(text)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of a file."""

    words: dict[str, str] = {}
    tables: dict[str, dict[str, str]] = {}
    parts: dict[str, str] = {}
    any_case: dict[str, str] = {}
    as_written: dict[str, str] = {}
    rows: dict[str, list[dict[str, str | float]]] = {}


class Lists:
    """The word lists and patterns of one file, `NAME.toml` in a package.

    `shared` is the file that has the parts and words which are not in this one.
    """

    def __init__(self, package: str, name: str, shared: Lists | None = None) -> None:
        self.package = package
        self.name = name
        self._shared = shared
        self._words: dict[str, frozenset[str]] = {}
        self._tables: dict[str, Mapping[str, tuple[str, ...]]] = {}

    @cached_property
    def file(self) -> _File:
        """The file's content."""
        stored = files(self.package).joinpath(f"{self.name}.toml").read_bytes()
        return msgspec.toml.decode(stored, type=_File)

    @cached_property
    def patterns_by_name(self) -> Patterns:
        """The patterns as attributes: `lists.patterns_by_name.greeting.search(text)`."""
        return Patterns(self)

    def text(self, name: str) -> str:
        """A list as it is written: some have an order, or rows."""
        return self.file.words[name]

    def words(self, name: str) -> frozenset[str]:
        """A list of words."""
        found = self._words.get(name)
        if found is None:
            found = self._words[name] = word_set(self.file.words[name])
        return found

    def table(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """The members of each key of a table."""
        found = self._tables.get(name)
        if found is None:
            rows = self.file.tables[name].items()
            found = self._tables[name] = MappingProxyType(
                {
                    key: tuple(" ".join(member.split()) for member in members.split(","))
                    for key, members in rows
                }
            )
        return found

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
        for row in self.file.rows[name]:
            values = {key: value for key, value in row.items() if key not in _FLAGS}
            yield msgspec.convert(values, kind), compiled_later(partial(self._compiled, row))

    def rules(self, name: str) -> tuple[Rule, ...]:
        """The rules of a list, in order."""
        return tuple(Rule(word_set(row.needs), pattern) for row, pattern in self.rows(name, _Needs))

    def patterns(self, name: str) -> tuple[re.Pattern[str], ...]:
        """The patterns of a list whose rows have no other values."""
        return tuple(pattern for _, pattern in self.rows(name, _Nothing))

    def _compiled(self, sources: Mapping[str, str | float]) -> re.Pattern[str]:
        """The pattern of a row, or of the table that has it."""
        key = next(key for key in _FLAGS if key in sources)
        return re.compile(self._filled(str(sources[key])), _FLAGS[key])

    def _filled(self, source: str) -> str:
        """A pattern on one line, with what its placeholders stand for."""
        joined = source.removeprefix(_INDENT[1:]).replace(_INDENT, "")
        return _PLACEHOLDER.sub(lambda found: self._part(found[1]), joined)

    def _part(self, name: str) -> str:
        if name in self.file.parts:
            return self._filled(self.file.parts[name])
        listed = self.file.words.get(name)
        if listed is not None:
            return "|".join(sorted(word_set(listed)))
        if name in self.file.tables:
            return "|".join(sorted(self.file.tables[name]))
        if self._shared is None:
            raise KeyError(name)
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


class _Nothing(msgspec.Struct, frozen=True):
    pass


class _Needs(msgspec.Struct, frozen=True):
    needs: str


_FLAGS = {"any_case": re.IGNORECASE, "as_written": re.RegexFlag(0)}


@cache
def english(name: str) -> Lists:
    """The lists of a file of `language/words`."""
    return Lists("mnemolog.language.words", name)
