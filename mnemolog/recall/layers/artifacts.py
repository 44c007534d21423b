"""Artifacts: issues, files and commits, and references to them in a prompt."""

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
"""Most numbers, hashes or paths of one prompt that are looked up."""

_THING = r"(?:issues?|prs?|pulls?|pull[ -]requests?|mrs?|merge[ -]requests?|tickets?|bugs?)"
_NAMED_NUMBERS = regex(
    rf"\b{_THING}(?:\s+(?:no\.?|number|nr\.?))?[\s/]*[#!]?\d{{1,9}}"
    r"(?:\s*(?:,|and|or|&)\s*[#!]?\d{1,9}\b)*",
    re.IGNORECASE,
)
# Each repetition has an upper limit: long runs of marks would make matching quadratic.
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
    """References in a prompt: numbers of issues and pull requests, commit hashes, paths.

    Without a number or a hash, sources also search for the prompt's words: a path may be a
    false match ('and/or').
    """

    prompt: str
    numbers: tuple[int, ...] = ()
    hashes: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    @property
    def is_exact(self) -> bool:
        """True if there is a number or a hash to look up, so that no word search is needed."""
        return bool(self.numbers or self.hashes)


class Artifact(Value, frozen=True):
    """Artifact in its present state; `source` is its URL or path."""

    kind: ArtifactKind
    title: str
    text: str
    source: str
    relevance: float = 1.0
    at: datetime | None = None
    note: str | None = None


@runtime_checkable
class ArtifactSource(Protocol):
    """Source of artifacts: a forge, a checkout, or one of your own."""

    @property
    def name(self) -> str:
        """Name of the source in reports."""
        ...

    def find(self, wanted: Wanted, limit_s: float) -> Sequence[Artifact]:
        """Artifacts that a prompt refers to, best first; empty if there are none.

        Should take at most `limit_s` seconds. Raises `ArtifactsUnavailable`.
        """
        ...


def checked_sources(sources: Sequence[ArtifactSource]) -> tuple[ArtifactSource, ...]:
    """Artifact sources, checked. Raises `InvalidField` for anything else."""
    if not isinstance(sources, list | tuple):
        raise InvalidField("artifacts", "are no list of sources", "give a list of them")
    for one in sources:
        if not isinstance(one, ArtifactSource) or isinstance(one, type):
            raise InvalidField(
                "artifacts", f"hold {one!r:.60}, which is no source", "give it a name and `find`"
            )
    return tuple(sources)


def wanted_by(prompt: str) -> Wanted:
    """References in a prompt, each once, in their order."""
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
