"""Versions in a text: a name with a number behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from mnemolog.language.dates.calendar import MONTHS, WEEKDAYS
from mnemolog.language.lists import english
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Quantity, quantity_at, version_parts
from mnemolog.language.quantities.units import unit_named

# A bound on names: a run of hyphens would be read once from each of its parts.
_NAME = r"(?P<name>[A-Za-z][\w+#.-]{0,80})"
_BETWEEN = r"(?:[ ]version|[ ]v\.?)?[ ]?(?:\(?(?P<sign>>=|<=|==|=|≥|≤|>|<|~=|\^)[ ]?)?[ ]?"
_NUMBERED = r"v?(?P<version>\d{1,20}+(?:\.\d{1,20}+)*+)(?:\.x)?(?![\d,]|\.\d|:\d)"
_VERSION = regex(
    rf"\b(?:version|v)[ .]?(?P<bare>\d{{1,20}}+(?:\.\d{{1,20}}+)*+)(?:[ ]of[ ](?P<of>[A-Z]\w+))?"
    rf"|\b{_NAME}{_BETWEEN}{_NUMBERED}"
)


@cache
def _no_names() -> frozenset[str]:
    return (
        english("counting")
        .words("not_versioned")
        .union(MONTHS, WEEKDAYS, (f"{day}s" for day in WEEKDAYS))
    )


_REACH = 200
"""Characters in front of a version among which its software is named."""


def versions(text: str) -> Iterator[Quantity]:
    """The versions of a text, each with the software's name as its unit."""
    for match in _VERSION.finditer(text):
        number, name = match["bare"] or match["version"], match["of"] or match["name"] or ""
        start = match.start("bare" if match["bare"] else "version")
        named = bool(name) and name.lower().rstrip(".") not in _no_names()
        if match["bare"] or _is_version(text, match, is_named=named):
            if not named:
                name = _subject(text[max(0, start - _REACH) : start])
            low = name.lower().rstrip(".")
            parts = version_parts(number)
            yield quantity_at(text, (start, match.end()), "version", low, parts, low)


def _is_version(text: str, match: re.Match[str], *, is_named: bool) -> bool:
    """True for a number that is the version of the word before it: 'Python 3.11'."""
    name, number = match["name"], match["version"]
    if match["sign"] or " version" in match[0].lower() or re.search(r"\bv\d", match[0]):
        return True
    dotted = number.count(".")
    likely = dotted > 1 or (dotted and name[0].isupper()) or _is_numbered_name(text, match, name)
    return is_named and likely and not _unit_after(text, match.end())


def _subject(before: str) -> str:
    """The last name before a version that follows none directly: 'Postgres must be version 14'."""
    clause = re.split(r"[.;!?](?:\s|$)", before)[-1]
    names = [
        word for word in re.findall(r"\b[A-Z][\w+#-]*", clause) if word.lower() not in _no_names()
    ]
    return names[-1].lower() if names else ""


def _is_numbered_name(text: str, match: re.Match[str], name: str) -> bool:
    """True for a name that ends with a whole number, such as 'Windows 11'."""
    before = text[max(0, match.start() - _REACH) : match.start()].rstrip()
    begins = not before or before[-1] in ".!?:;\n"
    if not name[0].isupper() or begins or re.match(r"[ ][a-z]+s\b", text[match.end() :]):
        return False
    return match.end("name") < match.start("version")


def _unit_after(text: str, end: int) -> bool:
    match = re.match(r"[ -]?([A-Za-z°%µ]+)", text[end : end + 20])
    return match is not None and unit_named(match[1]) is not None
