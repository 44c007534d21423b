"""Importing a git repository's history: one memory a commit."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemolog.application.imports.files import ImportItem, Problem
from mnemolog.application.imports.git import count_commits, read_git
from mnemolog.ledger.errors import InvalidField


class Repository:
    """A real repository, with commits a minute apart."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.minute = 0
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "Dana Doe")
        self.git("config", "user.email", "dana@example.org")
        self.git("config", "commit.gpgsign", "false")

    def git(self, *arguments: str, message: bytes = b"") -> str:
        when = f"2024-05-01T08:{self.minute:02}:00+00:00"
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        done = subprocess.run(
            ["git", "-C", self.path, *arguments],
            input=message,
            env=os.environ | dates,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode().strip()

    def commit(self, message: str | bytes, *files: str) -> str:
        self.minute += 1
        for file in files:
            target = self.path / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(f"{self.minute}\n")
            self.git("add", "--", file)
        text = message.encode() if isinstance(message, str) else message
        self.git(
            "commit", "--quiet", "--allow-empty", "--allow-empty-message", "-F", "-", message=text
        )
        return self.git("rev-parse", "HEAD")

    def raw_commit(self, author_date: bytes, message: bytes) -> str:
        """A commit as another program may have written it, which git would not write."""
        tree = self.git("rev-parse", "HEAD^{tree}").encode()
        parent = self.git("rev-parse", "HEAD").encode()
        who = b"Dana Doe <dana@example.org>"
        header = b"tree %s\nparent %s\nauthor %s %s\ncommitter %s 1714550400 +0000\n" % (
            tree,
            parent,
            who,
            author_date,
            who,
        )
        store = ("hash-object", "-t", "commit", "-w", "--literally", "--stdin")
        commit = self.git(*store, message=header + b"\n" + message)
        self.git("reset", "--quiet", "--hard", commit)
        return commit


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """An empty repository named `boats`."""
    return Repository(tmp_path / "boats")


def items(path: Path, space: str = "default") -> list[ImportItem]:
    return [found for found in read_git(path, space) if isinstance(found, ImportItem)]


def problems(path: Path) -> list[Problem]:
    return [found for found in read_git(path, "default") if isinstance(found, Problem)]


def test_a_commit_becomes_a_memory(repository: Repository) -> None:
    """Message, files, author, time and hash are kept."""
    commit = repository.commit("Moor at night\n\nFees were unclear.", "a.py", "docs/b c.md")
    (item,) = items(repository.path)
    memory = item.memory
    assert memory.content == "Moor at night\n\nFees were unclear.\n\nFiles: a.py, docs/b c.md"
    assert memory.kind == "episodic"
    assert memory.source == f"git:boats@{commit[:12]}"
    assert memory.source_note == "commit by Dana Doe <dana@example.org>"
    assert memory.valid_from == datetime(2024, 5, 1, 8, 1, tzinfo=UTC)
    assert memory.place == "boats"
    assert item.origin == f"git:{commit}"
    assert not item.revisable


def test_commits_come_parents_first_with_lasting_ids(repository: Repository) -> None:
    """A later import meets the ids of an earlier one, then the new commits."""
    for number in range(3):
        repository.commit(f"commit {number}", "a.py")
    before = items(repository.path)
    repository.commit("commit 3", "a.py")
    after = items(repository.path)
    assert after[:3] == before
    assert [item.memory.content[:8] for item in after] == [f"commit {n}" for n in range(4)]
    assert len({item.memory.id for item in after}) == 4
    assert count_commits(repository.path) == 4


def test_a_clone_gives_the_same_ids(repository: Repository, tmp_path: Path) -> None:
    """A commit is one memory, whatever its clone is called; a bare clone serves too."""
    repository.commit("one", "a.py")
    for name, option in (("copy", "--no-hardlinks"), ("bare.git", "--bare")):
        repository.git("clone", "--quiet", option, ".", str(tmp_path / name))
    ids = [[i.memory.id for i in items(tmp_path / n)] for n in ("boats", "copy", "bare.git")]
    assert ids[0] == ids[1] == ids[2]
    assert (items(tmp_path / "bare.git")[0].memory.source or "").startswith("git:bare@")


def test_a_folder_inside_and_a_linked_work_tree_are_the_repository(
    repository: Repository, tmp_path: Path
) -> None:
    """The history is the repository's, under the repository's name."""
    repository.commit("one", "src/a.py")
    repository.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    whole = items(repository.path)
    assert items(repository.path / "src") == whole
    assert items(tmp_path / "linked") == whole


def test_a_merge_is_kept_without_files(repository: Repository) -> None:
    """What a merge says is remembered; what it brought in, its commits tell."""
    repository.commit("one", "a.py")
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit("two", "b.py")
    repository.git("checkout", "--quiet", "main")
    repository.commit("three", "c.py")
    repository.minute += 1
    repository.git("merge", "--quiet", "--no-ff", "-m", "Bring in side", "side")
    *_, merge = items(repository.path)
    assert merge.memory.content == "Bring in side"
    assert merge.memory.tags == ("merge",)
    assert len(items(repository.path)) == 4


def test_many_files_are_summed_up(repository: Repository) -> None:
    """A commit of thousands of files does not become a memory of thousands of names."""
    repository.commit("many", *(f"{number:02}.py" for number in range(25)))
    (item,) = items(repository.path)
    assert item.memory.content.endswith("08.py, 09.py and 15 more")


@pytest.mark.parametrize(
    ("message", "content"),
    [
        (b"", "(no message)"),
        ("Grüße, 港".encode(), "Grüße, 港"),
        (b"a\n\nb\n\n\n\nc", "a\n\nb\n\nc"),
    ],
)
def test_unusual_messages_are_read(repository: Repository, message: bytes, content: str) -> None:
    """Empty ones, other scripts, many lines."""
    repository.commit(message)
    assert items(repository.path)[0].memory.content == content


def test_bytes_that_are_not_the_utf8_they_claim_to_be_are_read(repository: Repository) -> None:
    """Western text comes out right, and nothing is dropped."""
    repository.commit("one", "a.py")
    repository.raw_commit(b"1714550400 +0200", "Grüße".encode("latin-1"))
    assert items(repository.path)[-1].memory.content == "Grüße"


def test_a_commit_with_an_impossible_date_is_told_and_the_others_read(
    repository: Repository,
) -> None:
    """A broken clock of long ago costs one commit."""
    repository.commit("one", "a.py")
    commit = repository.raw_commit(b"999999999999999 +0000", b"two")
    repository.commit("three", "a.py")
    assert [item.memory.content[:5] for item in items(repository.path)] == ["one\n\n", "three"]
    (problem,) = problems(repository.path)
    assert problem.where == f"git:boats@{commit[:12]}"
    assert "out of range" in problem.what


def test_a_declared_encoding_is_respected(repository: Repository) -> None:
    """A message is decoded as its commit says."""
    repository.git("config", "i18n.commitEncoding", "koi8-r")
    repository.commit("гавань".encode("koi8-r"))
    assert items(repository.path)[0].memory.content == "гавань"


def test_unusual_file_names_are_read(repository: Repository) -> None:
    """Names that look like hashes, or hold line ends, do not derail the reading."""
    repository.commit("odd", "0" * 40, "a\nb", "ü.py")
    repository.commit("next", "a.py")
    first, second = items(repository.path)
    assert first.memory.content == f"odd\n\nFiles: {'0' * 40}, a b, ü.py"
    assert second.memory.content == "next\n\nFiles: a.py"


def test_the_users_settings_change_nothing(repository: Repository) -> None:
    """What a commit becomes does not depend on how its reader likes to look at logs."""
    repository.commit("one", "a.py")
    repository.git("mv", "a.py", "b.py")
    repository.commit("two")
    before = items(repository.path)
    for name, text in (
        ("log.showRoot", "false"),
        ("log.showSignature", "true"),
        ("diff.renames", "copies"),
        ("format.pretty", "oneline"),
        ("color.ui", "always"),
    ):
        repository.git("config", name, text)
    assert items(repository.path) == before


def test_another_repository_in_the_environment_is_not_read(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inside a git hook, the repository that is named is the one that is read."""
    repository.commit("one", "a.py")
    other = Repository(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    assert len(items(repository.path)) == 1


def test_a_shallow_clone_is_told_and_later_completed(
    repository: Repository, tmp_path: Path
) -> None:
    """Where history was cut off no files are claimed, and ids fit the whole history's."""
    for number in range(3):
        repository.commit(f"commit {number}", f"{number}.py")
    url = f"file://{repository.path}"
    repository.git("clone", "--quiet", "--depth=2", url, str(tmp_path / "shallow"))
    cut, last = items(tmp_path / "shallow")
    assert "shallow" in problems(tmp_path / "shallow")[0].what
    assert cut.memory.content == "commit 1"
    whole = items(repository.path)
    assert [cut.memory.id, last.memory.id] == [item.memory.id for item in whole[1:]]


def test_a_repository_without_commits_is_told(repository: Repository) -> None:
    """There is nothing to import, and that is said."""
    (problem,) = read_git(repository.path, "default")
    assert isinstance(problem, Problem)
    assert "no commits" in problem.what
    assert count_commits(repository.path) == 0


def test_a_damaged_repository_is_told_after_what_could_be_read(repository: Repository) -> None:
    """A history that breaks off is a problem, not the end of the import."""
    first = repository.commit("one", "a.py")
    repository.commit("two", "a.py")
    (repository.path / ".git" / "objects" / first[:2] / first[2:]).unlink()
    (problem,) = problems(repository.path)
    assert problem.what.startswith("git log failed: ")


def test_reading_may_stop_early(repository: Repository) -> None:
    """Whoever wants only the first commits does not wait for the others."""
    for number in range(5):
        repository.commit(f"commit {number}")
    found = read_git(repository.path, "default")
    assert isinstance(found, Generator)
    assert isinstance(next(found), ImportItem)
    found.close()


def test_a_folder_that_is_no_repository_is_refused_at_once(tmp_path: Path) -> None:
    """The error names the field before anything is read."""
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "absent", tmp_path / "file"):
        with pytest.raises(InvalidField) as caught:
            read_git(path, "default")
        assert caught.value.field == "path"


def test_a_machine_without_git_is_told_so(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says what is missing."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InvalidField, match="install git"):
        read_git(repository.path, "default")
