"""Artifacts from a local git repository, through git itself."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from mnemolog.application.artifacts.checkout import Checkout
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.errors import ArtifactsUnavailable
from mnemolog.recall.layers import Artifact, wanted_by

PATIENCE_S = 30.0


class Repository:
    """A real repository."""

    def __init__(self, path: Path) -> None:
        """Begin it."""
        self.path = path
        path.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        who = {
            f"GIT_{role}_{what}": value
            for role in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", "Dana Doe"), ("EMAIL", "dana@example.org"))
        }
        done = subprocess.run(
            ["git", "-C", self.path, *arguments],
            env=os.environ | who,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode().strip()

    def commit(self, message: str, **files: str | bytes) -> str:
        """A commit of files, in whose names two underscores stand for a slash and one for a dot."""
        for name, text in files.items():
            target = self.path / name.replace("__", "/").replace("_", ".")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def ask(self, prompt: str, limit_s: float = PATIENCE_S) -> list[Artifact]:
        return list(Checkout(self.path, Analyzer()).find(wanted_by(prompt), limit_s))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """An empty repository."""
    return Repository(tmp_path / "boats")


def test_a_commit_is_found_by_its_hash(repository: Repository) -> None:
    """The beginning of a hash finds its commit, with message, author and files."""
    digits = repository.commit("Caulk the transom\n\nWith oakum.", hull__transom_txt="dry")
    # A prompt's hash is told from a word by its digits, and from a number by its letters.
    known = next(
        digits[:end]
        for end in range(7, 41)
        if not digits[:end].isdecimal() and not digits[:end].isalpha()
    )
    (found,) = repository.ask(f"what was {known}?")
    assert found.title == f"Commit {digits[:12]}: Caulk the transom"
    assert found.text == "With oakum.\n\nFiles: hull/transom.txt"
    assert found.note == "by Dana Doe"
    assert found.source == f"git:{repository.path}@{digits[:12]}"


def test_commits_are_found_by_the_number_that_they_name(repository: Repository) -> None:
    """What a pull request changed is in the commits that name it, and in no other's."""
    repository.commit("Grease the winch (#42)")
    repository.commit("Paint the mast, see #421")
    repository.commit("Merge pull request !42 from dana/winch")
    assert [found.title[21:] for found in repository.ask("what did PR 42 change?")] == [
        "Merge pull request !42 from dana/winch",
        "Grease the winch (#42)",
    ]
    assert repository.ask("and PR 43, about the winch?") == []


def test_a_file_is_read_as_it_was_committed(repository: Repository) -> None:
    """A path, or the end of one, gives the file at HEAD, not what lies in the work tree."""
    repository.commit("Notes", docs__sailing_md="Reef early.\n", README_md="Boats.\n")
    (repository.path / "docs" / "sailing.md").write_text("Never reef.\n")
    for prompt in ("what does docs/sailing.md say?", "what's in sailing.md?"):
        (found,) = repository.ask(prompt)
        assert (found.kind, found.title, found.text) == ("file", "docs/sailing.md", "Reef early.\n")


def test_what_is_no_text_is_not_read(repository: Repository) -> None:
    """Pictures and very large files are left out."""
    repository.commit("Files", logo_png=b"\x89PNG\x00\xff", log_txt="x" * (1 << 20) + "x")
    assert repository.ask("open logo.png and log.txt") == []


def test_nothing_outside_the_repository_is_read(repository: Repository, tmp_path: Path) -> None:
    """Neither a path that leads out nor a link to another file reaches what is not in it."""
    (tmp_path / "secret.txt").write_text("the key")
    (repository.path / "link.txt").symlink_to(tmp_path / "secret.txt")
    repository.commit("A link")
    assert repository.ask("show ../secret.txt") == []
    (found,) = repository.ask("show link.txt")
    assert "the key" not in found.text


def test_commits_are_found_by_words(repository: Repository) -> None:
    """Without a number or hash, the messages that hold half of the words are found, best first."""
    repository.commit("Sweep the deck")
    repository.commit("Varnish the mast with tung oil")
    repository.commit("Varnish the oars")
    found = repository.ask("which oil did we varnish the mast with?")
    assert [one.title[21:] for one in found] == ["Varnish the mast with tung oil"]


def test_a_repository_without_commits_answers_nothing(repository: Repository) -> None:
    """There is nothing to read before the first commit."""
    assert repository.ask("what did PR 42 change?") == []


def test_a_folder_that_is_no_repository_is_an_error(tmp_path: Path) -> None:
    """Where there is no repository, this is said."""
    for path in (tmp_path, tmp_path / "gone"):
        with pytest.raises(ArtifactsUnavailable, match="is no git repository"):
            Checkout(path, Analyzer()).find(wanted_by("#42?"), PATIENCE_S)


def test_git_is_stopped_when_time_is_up(repository: Repository) -> None:
    """A reading that takes longer than its limit is an error."""
    repository.commit("Sweep the deck")
    with pytest.raises(ArtifactsUnavailable, match="took too long"):
        repository.ask("what about the deck?", limit_s=1e-9)


def test_a_machine_without_git_is_told_so(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without git on the PATH the error says what to install."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ArtifactsUnavailable, match="install git"):
        repository.ask("what about the deck?")


def test_a_hook_of_another_repository_does_not_mislead(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Git's own variables, as they are set inside its hooks, do not change what is read."""
    repository.commit("Varnish the mast")
    Repository(tmp_path / "other").commit("Sink the ship")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    (found,) = repository.ask("varnish the mast?")
    assert found.title.endswith("Varnish the mast")


def test_a_damaged_repository_is_not_taken_for_an_empty_one(repository: Repository) -> None:
    """Where git cannot read what is there, nobody knows what it holds: an error says so."""
    repository.commit("Varnish the mast")
    shutil.rmtree(repository.path / ".git" / "objects")
    (repository.path / ".git" / "objects").mkdir()
    for prompt in ("varnish the mast?", "what was #42?", "what is in notes/deck.md?"):
        with pytest.raises(ArtifactsUnavailable, match="cannot be read by git"):
            repository.ask(prompt)
