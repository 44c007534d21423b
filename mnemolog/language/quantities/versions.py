"""Versions in a text: a name with a number behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import MONTHS, Quantity, quantity_at
from mnemolog.language.quantities.units import unit_named

# A bound on names: a run of hyphens would be read once from each of its parts.
_NAME = r"(?P<name>[A-Za-z][\w+#.-]{0,80})"
_BETWEEN = r"(?:[ ]version|[ ]v\.?)?[ ]?(?:\(?(?P<sign>>=|<=|==|=|≥|≤|>|<|~=|\^)[ ]?)?[ ]?"
_NUMBERED = r"v?(?P<version>\d+(?:\.\d+)*)(?:\.x)?(?![\d,]|\.\d|:\d)"
_VERSION = regex(
    rf"\b(?:version|v)[ .]?(?P<bare>\d+(?:\.\d+)*)(?:[ ]of[ ](?P<of>[A-Z]\w+))?"
    rf"|\b{_NAME}{_BETWEEN}{_NUMBERED}"
)
_NO_NAME = frozenset(
    [
        *MONTHS,
        "the",
        "a",
        "an",
        "of",
        "to",
        "at",
        "in",
        "on",
        "by",
        "for",
        "and",
        "or",
        "than",
        "under",
        "over",
        "about",
        "only",
        "before",
        "after",
        "within",
        "until",
        "least",
        "most",
        "max",
        "maximum",
        "min",
        "minimum",
        "is",
        "are",
        "was",
        "with",
        "from",
        "between",
        "up",
        "budget",
        "limit",
        "ceiling",
        "cap",
        "around",
        "roughly",
        "nearly",
        "exactly",
        "takes",
        "costs",
        "needs",
        "requires",
        "require",
        "need",
        "below",
        "above",
        "more",
        "less",
        "not",
        "fewer",
        "no",
        "all",
        "any",
        "these",
        "those",
        "version",
        "versions",
        "v",
        "release",
        "be",
        "been",
        "must",
        "should",
        "have",
        "has",
        "had",
        "we",
        "it",
        "i",
        "use",
        "uses",
        "using",
        "run",
        "runs",
        "on",
        "need",
        "that",
        "this",
        "as",
        "newer",
        "older",
    ]
)


_REACH = 200
"""Characters in front of a version among which its software is named."""


def versions(text: str) -> Iterator[Quantity]:
    """The versions of a text, each with the software's name as its unit."""
    for match in _VERSION.finditer(text):
        if match["bare"]:
            number, start = match["bare"], match.start("bare")
            name = (match["of"] or _subject(text[max(0, start - _REACH) : start])).lower()
            yield quantity_at(text, (start, match.end()), "version", name, _parts(number), name)
            continue
        name, number = match["name"], match["version"]
        low = name.lower().rstrip(".")
        explicit = match["sign"] or " version" in match[0].lower() or re.search(r"\bv\d", match[0])
        if low in _NO_NAME and not explicit:
            continue
        dotted, several = "." in number, number.count(".") > 1
        if (
            not (explicit or several)
            and not (dotted and name[0].isupper())
            and not _is_numbered_name(text, match, name)
        ):
            continue
        if not explicit and _unit_after(text, match.end()):
            continue
        low = (
            _subject(text[max(0, match.start("version") - _REACH) : match.start("version")])
            if low in _NO_NAME
            else low
        )
        yield quantity_at(
            text, (match.start("version"), match.end()), "version", low, _parts(number), low
        )


def _subject(before: str) -> str:
    """The last name before a version that follows none directly: 'Postgres must be version 14'."""
    clause = re.split(r"[.;!?](?:\s|$)", before)[-1]
    names = [
        word for word in re.findall(r"\b[A-Z][\w+#-]*", clause) if word.lower() not in _NO_NAME
    ]
    return names[-1].lower() if names else ""


def _is_numbered_name(text: str, match: re.Match[str], name: str) -> bool:
    """Whether a word with a whole number after it is a name, such as 'Windows 11'."""
    before = text[max(0, match.start() - _REACH) : match.start()].rstrip()
    begins = not before or before[-1] in ".!?:;\n"
    if not name[0].isupper() or begins or re.match(r"[ ][a-z]+s\b", text[match.end() :]):
        return False
    return match.end("name") < match.start("version")


def _parts(number: str) -> tuple[float, ...]:
    return tuple(float(part) for part in number.split("."))


def _unit_after(text: str, end: int) -> bool:
    match = re.match(r"[ -]?([A-Za-z°%µ]+)", text[end : end + 20])
    return match is not None and unit_named(match[1]) is not None
