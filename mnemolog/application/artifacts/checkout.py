"""Local git checkout: commits by number, hash and words, and files at HEAD."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from time import monotonic
from typing import NamedTuple

from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.errors import ArtifactsUnavailable
from mnemolog.recall.layers import (
    MOST_NAMED,
    Artifact,
    Wanted,
    best_of,
    commit_artifact,
    plain_text,
)

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
_SEARCHED_COMMITS, _MOST_FOUND, _FIELDS = 1_000, 5, 5
_FILES_SHOWN, _FILE_BYTES = 10, 1 << 20
_FILES = "Files: "


class _Git(NamedTuple):
    name: str
    path: Path
    until: float

    def output_of(self, *arguments: str) -> bytes:
        """Output of a command; raises `ArtifactsUnavailable` for a damaged repository."""
        printed = self.answer(*arguments)
        if printed is None:
            fix = "let `git fsck` tell what is missing from it"
            raise ArtifactsUnavailable(self.name, "cannot be read by git", fix)
        return printed

    def answer(self, *arguments: str) -> bytes | None:
        """Output of a command; None if it fails."""
        # Inside a hook, GIT_ variables point git at another repository than the named one.
        kept = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
        try:
            done = subprocess.run(  # noqa: S603 - git, with arguments of our own
                (*_GIT, "-C", self.path, *arguments),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=kept | _ENVIRONMENT,
                timeout=max(0.0, self.until - monotonic()),
                check=False,
            )
        except FileNotFoundError:
            fix = "install git, or put it on the PATH"
            raise ArtifactsUnavailable(self.name, "cannot be read without git", fix) from None
        except subprocess.TimeoutExpired:
            fix = "raise layer_limit_s, or name a smaller repository"
            raise ArtifactsUnavailable(self.name, "took too long to read", fix) from None
        return done.stdout if done.returncode == 0 else None


class Checkout:
    """Artifact source over a local git repository, read through git."""

    def __init__(self, path: Path, analyzer: Analyzer) -> None:
        self.name, self._path, self._analyzer = f"git:{path}", path.expanduser(), analyzer

    def find(self, wanted: Wanted, limit_s: float) -> Sequence[Artifact]:
        """Matching commits and files, best first. Raises `ArtifactsUnavailable`."""
        git = _Git(self.name, self._path, monotonic() + limit_s)
        if git.answer("rev-parse", "--git-dir") is None:
            fix = "give the folder of a repository that git can read"
            raise ArtifactsUnavailable(self.name, "is no git repository", fix)
        if git.answer("rev-parse", "--quiet", "--verify", "HEAD") is None:
            return []
        found = [*self._named_ones(git, wanted)]
        if not found and not wanted.is_exact:
            recent = self._commits(git, f"--max-count={_SEARCHED_COMMITS}", "HEAD")
            # Exclude file names: words such as 'docs' are in half of all commits.
            texts = [
                (one, one.text.partition(_FILES)[0], one.title.partition(": ")[2]) for one in recent
            ]
            found = [*best_of(self._analyzer, wanted.prompt, texts, _MOST_FOUND)]
        return list({artifact.source: artifact for artifact in found}.values())

    def _named_ones(self, git: _Git, wanted: Wanted) -> Iterator[Artifact]:
        for digits in wanted.hashes:
            known = git.answer("rev-parse", "--quiet", "--verify", f"{digits}^{{commit}}")
            if known is not None:
                yield from self._commits(git, "--no-walk", known.decode().strip())
        for number in wanted.numbers:
            grep = f"--grep=(^|[^[:alnum:]])(#|!|GH-){number}([^0-9]|$)"
            yield from self._commits(git, "-E", grep, f"--max-count={_MOST_FOUND}", "HEAD")
        listed = b""
        if wanted.paths:
            listed = git.output_of("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD")
        names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
        for path in wanted.paths:
            # The file itself, or else files whose paths end with the path.
            parts = PurePosixPath(path).parts
            ends = [name for name in names if PurePosixPath(name).parts[-len(parts) :] == parts]
            for name in [path] if path in names else ends[:MOST_NAMED]:
                size = int(git.answer("cat-file", "-s", f"HEAD:{name}") or b"0")
                fits = size <= _FILE_BYTES
                read = git.answer("cat-file", "blob", f"HEAD:{name}") if fits else None
                if (text := plain_text(read or b"\0")) is not None:
                    yield Artifact("file", name, text, f"{self.name}:{name}")

    def _commits(self, git: _Git, *which: str) -> Iterator[Artifact]:
        told = git.output_of("log", _FORMAT, *_PLAIN, "--encoding=UTF-8", *which, "--")
        for record in told.decode(errors="replace").split("\x01")[1:]:
            fields = record.split("\0")
            if len(fields) != _FIELDS:
                continue
            digits, written, author, message, touched = fields
            names = [name for name in touched.split("\n") if name]
            more = f" and {len(names) - _FILES_SHOWN:,} more" if len(names) > _FILES_SHOWN else ""
            files = f"{_FILES}{', '.join(names[:_FILES_SHOWN])}{more}" if names else ""
            at, source = datetime.fromisoformat(written), f"{self.name}@{digits[:12]}"
            yield commit_artifact(digits, message, files, source, at, f"by {author}")
