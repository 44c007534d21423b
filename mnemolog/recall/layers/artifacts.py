"""Artifacts: issues, files and commits, and references to them in a prompt."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, Protocol, TypeVar, runtime_checkable

import msgspec

from mnemolog.language.lists import Lists, regex
from mnemolog.ledger.errors import InvalidField
from mnemolog.results import Value

_Kind = TypeVar("_Kind")
ArtifactKind = Literal["issue", "pull request", "commit", "file"]
MOST_NAMED = 3  # Most numbers, hashes or paths of one prompt that are looked up
_LISTS = Lists("mnemolog.recall.layers", "references")
_NAMED_NUMBERS = _LISTS.pattern("named_numbers")
_MARKED_NUMBER = _LISTS.pattern("marked_number")
_DIGITS = regex(r"\d+")
_HASH = _LISTS.pattern("commit_hash")
_URL = regex(r"\bhttps?://\S+")
_PATH = _LISTS.pattern("file_path")
_FILE_OF_URL = _LISTS.pattern("file_of_url")


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


def commit_artifact(  # noqa: PLR0913, PLR0917 - what sources know of a commit
    digits: str, message: str, files: str, source: str, at: datetime | None, note: str | None
) -> Artifact:
    """Artifact of a commit with this hash, message and listing of files."""
    subject, _, rest = message.strip().partition("\n")
    text = "\n\n".join(part for part in (rest.strip(), files) if part)
    return Artifact("commit", f"Commit {digits[:12]}: {subject}", text, source, at=at, note=note)


def plain_text(read: bytes) -> str | None:
    """Text of a file's bytes; None for a binary file."""
    try:
        text = read.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


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
            problem = f"hold {one!r:.60}, which is no source"
            raise InvalidField("artifacts", problem, "give it a name and `find`")
    return tuple(sources)


def wanted_by(prompt: str) -> Wanted:
    """References in a prompt, each once, in their order."""
    numbers = [
        (match.start() + inner.start(), int(inner[0]))
        for match in _NAMED_NUMBERS.finditer(prompt)
        for inner in _DIGITS.finditer(match[0])
    ]
    numbers += [(match.start(1), int(match[1])) for match in _MARKED_NUMBER.finditer(prompt)]
    paths = [match[0].removeprefix("./") for match in _PATH.finditer(_URL.sub(" ", prompt))]
    # Numbers alone, as in 3/4, are no path.
    lettered = [path for path in paths if any(map(str.isalpha, path))]
    return Wanted(
        prompt=prompt,
        numbers=_first(number for _, number in sorted(numbers) if number),
        hashes=_first(_HASH.findall(prompt)),
        paths=_first([*_FILE_OF_URL.findall(prompt), *lettered]),
    )


def _first(found: Iterable[_Kind]) -> tuple[_Kind, ...]:
    return tuple(dict.fromkeys(found))[:MOST_NAMED]
