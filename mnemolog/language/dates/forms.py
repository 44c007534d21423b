"""Forms in which English names a date, as patterns from `dates.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

import msgspec

from mnemolog.language.patterns import regex


class DateForm(msgspec.Struct, frozen=True):
    """A way of naming a period: what its parts mean, and the pattern of its words."""

    meaning: str
    pattern: str


class DateWords(msgspec.Struct, frozen=True):
    """The data of `dates.toml`."""

    hints: str
    counts: dict[str, int]
    vague_counts: dict[str, tuple[int, int]]
    holidays: dict[str, tuple[int, int]]
    seasons: dict[str, int]
    parts_of_day: dict[str, tuple[int, int]]
    steps: dict[str, int]
    fragments: dict[str, str]
    relations: dict[str, str]
    phrases: dict[str, str]
    form: tuple[DateForm, ...]


@cache
def date_words() -> DateWords:
    """The words and forms of dates."""
    text = resources.files(__package__).joinpath("dates.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), DateWords)


@cache
def fragments() -> dict[str, str]:
    """The named pieces of patterns, without references to each other."""
    words = date_words()
    known = {"holidays": "|".join(words.holidays), "counts": "|".join(words.counts)}
    for name, pattern in words.fragments.items():
        known[name] = filled(pattern, known)
    return known


def filled(pattern: str, known: dict[str, str]) -> str:
    """A pattern with its `{name}` references replaced."""
    return re.sub(r"\{([a-z_]+)\}", lambda match: known[match[1]], pattern)


@cache
def forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each form's meaning and compiled pattern, whose group `dated` is what names the date."""
    found = []
    for form in date_words().form:
        pattern = filled(form.pattern, fragments())
        if "(?P<dated>" not in pattern:
            pattern = f"(?P<dated>{pattern})"
        found.append((form.meaning, regex(pattern)))
    return tuple(found)


@cache
def phrase(name: str) -> re.Pattern[str]:
    """One of the patterns of words around dates."""
    return regex(filled(date_words().phrases[name], date_words().relations))


@cache
def hints() -> re.Pattern[str]:
    """A pattern that every text with a date matches."""
    return regex(date_words().hints)
