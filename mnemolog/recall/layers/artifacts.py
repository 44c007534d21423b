"""Artifacts: issues, files and commits themselves, and what of them a prompt names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal, Protocol, runtime_checkable

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.ledger.errors import InvalidField
from mnemolog.results import Value

ArtifactKind = Literal["issue", "pull request", "commit", "file"]

MOST_NAMED = 3
"""How many numbers, hashes or paths of one prompt are looked up."""

_THING = r"(?:issues?|prs?|pulls?|pull[ -]requests?|mrs?|merge[ -]requests?|tickets?|bugs?)"
_NAMED_NUMBERS = regex(
    rf"\b{_THING}(?:\s+(?:no\.?|number|nr\.?))?[\s/]*[#!]?\d{{1,9}}"
    r"(?:\s*(?:,|and|or|&)\s*[#!]?\d{1,9}\b)*",
    re.IGNORECASE,
)
# Every repetition has an upper limit: a long text of marks would take time by its square.
_MARKED_NUMBER = regex(r"(?<![&\w])(?:[\w.-]{1,100}/[\w.-]{1,100})?[#](\d{1,9})(?![\w-])")
_DIGITS = regex(r"\d+")
_HASH = regex(r"\b(?=[0-9a-f]{0,40}[0-9])(?=[0-9a-f]{0,40}[a-f])[0-9a-f]{7,40}\b")
_URL = regex(r"\bhttps?://\S+")
_PATH = regex(
    r"(?<![\w@:/.+-])(?:\./)?(?:"
    r"(?:[\w@+-][\w.@+-]{0,100}/){1,20}[\w.@+-]{0,100}[\w+-]"  # folder/name
    r"|\.?[\w+-]{2,100}(?:\.[\w+-]{1,100}){0,10}\.[A-Za-z][A-Za-z0-9]{0,9}\b(?!\()"  # name.suffix
    r")"
)
_FILE_OF_URL = regex(r"/(?:blob|raw|src)/(?:branch/|commit/|tag/)?[^/\s]+/([^\s?#]+)")


class Wanted(msgspec.Struct, frozen=True):
    """What a prompt names: numbers of issues and pull requests, commit hashes, paths.

    Where it names neither number nor hash, its words are looked for as well: what
    looks like a path may be none ('and/or').
    """

    prompt: str
    numbers: tuple[int, ...] = ()
    hashes: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether there is a number or a hash to look up, so that words need not be."""
        return bool(self.numbers or self.hashes)


class Artifact(Value, frozen=True):
    """One artifact as it stands now; `source` is its URL or where it lies."""

    kind: ArtifactKind
    title: str
    text: str
    source: str
    relevance: float = 1.0
    at: datetime | None = None
    note: str | None = None


@runtime_checkable
class ArtifactSource(Protocol):
    """Where artifacts are read from: a forge, a checkout, or one of your own."""

    @property
    def name(self) -> str:
        """What it is called in what is reported."""
        ...

    def find(self, wanted: Wanted, limit_s: float) -> Sequence[Artifact]:
        """What there is of what a prompt wants, best first; nothing if there is none.

        Should take no longer than `limit_s`. Raises `ArtifactsUnavailable`.
        """
        ...


def checked_sources(sources: Sequence[ArtifactSource]) -> tuple[ArtifactSource, ...]:
    """Sources as a caller gives them. Raises `InvalidField` for what is none."""
    if not isinstance(sources, list | tuple):
        raise InvalidField("artifacts", "are no list of sources", "give a list of them")
    for one in sources:
        if not isinstance(one, ArtifactSource) or isinstance(one, type):
            raise InvalidField(
                "artifacts", f"hold {one!r:.60}, which is no source", "give it a name and `find`"
            )
    return tuple(sources)


def wanted_by(prompt: str) -> Wanted:
    """What a prompt names, each once, in the order in which it stands there."""
    rest = _URL.sub(" ", prompt)
    hashes = tuple(dict.fromkeys(_HASH.findall(prompt)))
    return Wanted(
        prompt=prompt,
        numbers=tuple(dict.fromkeys(_numbers(prompt)))[:MOST_NAMED],
        hashes=hashes[:MOST_NAMED],
        paths=tuple(dict.fromkeys(_paths(prompt, rest)))[:MOST_NAMED],
    )


def _numbers(prompt: str) -> Iterator[int]:
    found = [
        (match.start() + inner.start(), int(inner[0]))
        for match in _NAMED_NUMBERS.finditer(prompt)
        for inner in _DIGITS.finditer(match[0])
    ]
    found += [(match.start(1), int(match[1])) for match in _MARKED_NUMBER.finditer(prompt)]
    return (number for _, number in sorted(found) if number)


def _paths(prompt: str, rest: str) -> Iterator[str]:
    for url in _FILE_OF_URL.finditer(prompt):
        yield url[1]
    for match in _PATH.finditer(rest):
        path = match[0].removeprefix("./")
        if not _numbers_only(path):
            yield path


def _numbers_only(path: str) -> bool:
    return not any(character.isalpha() for character in path)
