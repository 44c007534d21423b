"""Local git checkout: commits by number, hash and words, and files at HEAD."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from time import monotonic

import msgspec

from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.errors import ArtifactsUnavailable
from mnemolog.recall.layers.artifacts import MOST_NAMED, Artifact, Wanted
from mnemolog.recall.layers.layers import MatchableText, best_matches

_GIT = ("git", "--no-pager", "--no-replace-objects")
_FORMAT = "--format=tformat:%x01%H%x00%aI%x00%an%x00%B%x00"
# Print names instead of diffs, and run no program that the repository configures.
_PLAIN = ("--name-only", "--no-renames", "--no-textconv", "--no-ext-diff", "--no-show-signature")
# Prevent lazy fetches: a repository's settings may name a program that git would run.
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}
_SEARCHED_COMMITS = 1_000
_MOST_FOUND = 5
_FILES_SHOWN = 10
_FILE_BYTES = 1 << 20
_FIELDS = 5
_FILES = "Files: "
_GIVE_A_REPOSITORY = "give the folder of a repository that git can read"


class Checkout:
    """Artifact source over a local git repository, read through git."""

    def __init__(self, path: Path, analyzer: Analyzer) -> None:
        """Create the source; `find` is the first to read anything."""
        self.name = f"git:{path}"
        self._path = path.expanduser()
        self._analyzer = analyzer

    def find(self, wanted: Wanted, limit_s: float) -> Sequence[Artifact]:
        """Matching commits and files, best first; see `recall.layers.artifacts.ArtifactSource`.

        Raises `ArtifactsUnavailable` if there is no repository or no git, or if git
        takes too long.
        """
        git = _Git(self.name, self._path, monotonic() + limit_s)
        if not git.has_commits():
            return []
        found = [*self._commits_named(git, wanted), *self._files(git, wanted)]
        if not found and not wanted.is_exact:
            found = self._by_words(git, wanted)
        return list({artifact.source: artifact for artifact in found}.values())

    def _commits_named(self, git: _Git, wanted: Wanted) -> Iterator[Artifact]:
        for digits in wanted.hashes:
            known = git.answer("rev-parse", "--quiet", "--verify", f"{digits}^{{commit}}")
            if known is not None:
                yield from self._commits(git, "--no-walk", known.decode().strip())
        for number in wanted.numbers:
            grep = f"--grep=(^|[^[:alnum:]])(#|!|GH-){number}([^0-9]|$)"
            yield from self._commits(git, "-E", grep, f"--max-count={_MOST_FOUND}", "HEAD")

    def _files(self, git: _Git, wanted: Wanted) -> Iterator[Artifact]:
        if not wanted.paths:
            return
        listed = git.told("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD")
        names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
        for path in wanted.paths:
            for name in _fitting(path, names)[:MOST_NAMED]:
                text = self._text(git, name)
                if text is not None:
                    yield Artifact("file", name, text, f"{self.name}:{name}")

    def _text(self, git: _Git, name: str) -> str | None:
        """Text of a file at HEAD; None for a large or binary file."""
        size = git.answer("cat-file", "-s", f"HEAD:{name}") or b"0"
        if int(size) > _FILE_BYTES:
            return None
        try:
            text = (git.answer("cat-file", "blob", f"HEAD:{name}") or b"\0").decode()
        except UnicodeDecodeError:
            return None
        return None if "\0" in text else text

    def _by_words(self, git: _Git, wanted: Wanted) -> list[Artifact]:
        recent = list(self._commits(git, f"--max-count={_SEARCHED_COMMITS}", "HEAD"))
        # Exclude file names: words such as 'docs' are in half of all commits.
        texts = [
            MatchableText(commit.text.partition(_FILES)[0], commit.title.partition(": ")[2])
            for commit in recent
        ]
        return [
            msgspec.structs.replace(recent[match.place], relevance=match.relevance)
            for match in best_matches(self._analyzer, wanted.prompt, texts, _MOST_FOUND)
        ]

    def _commits(self, git: _Git, *which: str) -> Iterator[Artifact]:
        told = git.told("log", _FORMAT, *_PLAIN, "--encoding=UTF-8", *which, "--")
        for record in told.decode(errors="replace").split("\x01")[1:]:
            fields = record.split("\0")
            if len(fields) == _FIELDS:
                yield self._commit(*fields)

    def _commit(self, digits: str, written: str, author: str, message: str, files: str) -> Artifact:
        subject, _, rest = message.strip().partition("\n")
        touched = files.split("\n")
        names = [name for name in touched if name]
        more = f" and {len(names) - _FILES_SHOWN:,} more" if len(names) > _FILES_SHOWN else ""
        listed = f"{_FILES}{', '.join(names[:_FILES_SHOWN])}{more}" if names else ""
        return Artifact(
            kind="commit",
            title=f"Commit {digits[:12]}: {subject}",
            text="\n\n".join(part for part in (rest.strip(), listed) if part),
            source=f"{self.name}@{digits[:12]}",
            at=datetime.fromisoformat(written),
            note=f"by {author}",
        )


def _fitting(path: str, names: Sequence[str]) -> list[str]:
    """Files that a path may mean: the file itself, or else files whose paths end with it."""
    if path in names:
        return [path]
    parts = PurePosixPath(path).parts
    return [name for name in names if PurePosixPath(name).parts[-len(parts) :] == parts]


class _Git:
    """Runner of git commands on one repository, with a deadline."""

    def __init__(self, name: str, path: Path, until: float) -> None:
        self._name = name
        self._path = path
        self._until = until

    def has_commits(self) -> bool:
        """True if HEAD is a commit. Raises `ArtifactsUnavailable` if there is no repository."""
        if self.answer("rev-parse", "--git-dir") is None:
            raise ArtifactsUnavailable(self._name, "is no git repository", _GIVE_A_REPOSITORY)
        return self.answer("rev-parse", "--quiet", "--verify", "HEAD") is not None

    def told(self, *arguments: str) -> bytes:
        """Output of a git command that fails only on a damaged repository.

        Raises `ArtifactsUnavailable` if it fails.
        """
        printed = self.answer(*arguments)
        if printed is None:
            fix = "let `git fsck` tell what is missing from it"
            raise ArtifactsUnavailable(self._name, "cannot be read by git", fix)
        return printed

    def answer(self, *arguments: str) -> bytes | None:
        """Output of a git command; None if it fails."""
        # Inside a hook, GIT_ variables point git at another repository than the named one.
        kept = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
        try:
            done = subprocess.run(  # noqa: S603 - git, with arguments of our own
                (*_GIT, "-C", self._path, *arguments),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=kept | _ENVIRONMENT,
                timeout=max(0.0, self._until - monotonic()),
                check=False,
            )
        except FileNotFoundError:
            fix = "install git, or put it on the PATH"
            raise ArtifactsUnavailable(self._name, "cannot be read without git", fix) from None
        except subprocess.TimeoutExpired:
            fix = "raise layer_limit_s, or name a smaller repository"
            raise ArtifactsUnavailable(self._name, "took too long to read", fix) from None
        return done.stdout if done.returncode == 0 else None
