"""A command on a home that is not there says so and creates nothing."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from mnemolog.cli.main import COMMANDS
from tests.cli.conftest import CommandLine

STORING = frozenset({"remember", "admit", "link", "import", "config", "gate", "mcp"})
"""Commands that create the home, where they store something."""
ELSEWHERE = frozenset({"restore", "eval", "completion", "hook"})
"""Commands that put a home there, use a scratch home, need none, or must never fail."""
WORDS = {
    "flush": "flush",
    "correct": "correct the demo is on Monday",
    "supersede": "supersede @1 tea",
    "withdraw": "withdraw @1",
    "edit": "edit @1",
    "spaces": "spaces",
    "pin": "pin @1",
    "unpin": "unpin @1",
    "unlink": "unlink @1",
    "conflicts": "conflicts",
    "undo": "undo --yes",
    "redact": "redact @1 --yes",
    "use": "use @1",
    "due": "due",
    "strength": "strength @1",
    "tick": "tick",
    "recall": "recall tea",
    "session": "session start tea",
    "vote": "vote tea --hot @1",
    "context": "context tea",
    "ask": "ask what about tea",
    "plan": "plan --option tea --option coffee what to drink",
    "list": "list",
    "links": "links",
    "associations": "associations @1",
    "show": "show @1",
    "history": "history @1",
    "audit": "audit @1",
    "log": "log",
    "diff": "diff 0 1",
    "replay": "replay",
    "counterfactual": "counterfactual strategy=rrf",
    "health": "health",
    "stats": "stats",
    "maintain": "maintain",
    "verify": "verify",
    "checkpoint": "checkpoint",
    "rebuild": "rebuild",
    "index": "index",
    "doctor": "doctor",
    "export": "export kept.jsonl",
    "backup": "backup kept.db",
}
READING_ALONE = ("config", "config strategy", "gate", "flush --show", "list --as-of 3")


def test_every_command_is_known_here() -> None:
    """A new command either stores something, or belongs to those that create nothing."""
    assert set(COMMANDS) == STORING | ELSEWHERE | set(WORDS)


@pytest.mark.parametrize("words", [*WORDS.values(), *READING_ALONE], ids=str)
@pytest.mark.parametrize("there", [False, True], ids=["absent", "empty"])
def test_nothing_is_created_by_who_stores_nothing(
    cli: CommandLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    there: bool,  # noqa: FBT001 - a parameter
) -> None:
    """The error names the directory and the fix; an empty directory is no home and stays empty."""
    if there:
        cli.home.mkdir()
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    # Every command says it in the same way, those that have no --json as well.
    refused = cli(*shlex.split(words), code=3)
    assert str(cli.home) in refused.stderr
    assert "mnemolog remember" in refused.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_the_error_has_its_class_in_json(cli: CommandLine) -> None:
    """Programs tell a missing home from a memory that is not known."""
    error = cli.failure("recall", "tea", code=3)
    assert (error["class"], error["path"]) == ("MissingHome", str(cli.home))


def test_a_process_of_its_own_creates_nothing_either(cli: CommandLine) -> None:
    """Nor do locks or logs of the process stay behind."""
    done = cli.process("recall", "tea")
    assert done.returncode == 3
    assert not cli.home.exists()


@pytest.mark.parametrize("there", [False, True], ids=["absent", "empty"])
def test_the_hook_stays_quiet_and_creates_nothing(
    cli: CommandLine,
    there: bool,  # noqa: FBT001 - a parameter
) -> None:
    """An agent client goes on without an error; the reason is on standard error."""
    if there:
        cli.home.mkdir()
    prompt = json.dumps({"prompt": "what did we decide about tea?", "session_id": "s"})
    done = cli.process("hook", stdin=prompt.encode())
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"home" in done.stderr
    assert not cli.home.exists() or not list(cli.home.iterdir())


def test_a_space_that_holds_nothing_is_asked_without_writing(cli: CommandLine) -> None:
    """A space is no home: that it is empty is an answer, and asking leaves no trace."""
    cli("remember", "tea")
    cli("recall", "tea")
    before = {path: path.read_bytes() for path in cli.home.rglob("*.db")}
    assert cli.json("recall", "tea", "--space", "elsewhere")["empty"] is True
    for words in ("list", "log", "health", "config", "due", "conflicts", "context tea"):
        cli(*shlex.split(words), "--space", "elsewhere")
    assert {path: path.read_bytes() for path in cli.home.rglob("*.db")} == before
    assert cli.json("checkpoint")["position"] == 1


REFUSED = {
    'remember ""': 2,
    "remember tea --id zz": 2,
    "link a B c": 3,
    "config nosuch 1": 2,
    "gate --report tea": 2,
    'admit ""': 2,
}


@pytest.mark.parametrize("words", REFUSED)
@pytest.mark.parametrize("there", [False, True], ids=["absent", "empty"])
def test_a_refused_command_leaves_no_home(
    cli: CommandLine,
    words: str,
    there: bool,  # noqa: FBT001 - a parameter
) -> None:
    """Nothing was changed: not even an empty log is there, and a directory as it was."""
    if there:
        cli.home.mkdir()
    cli(*shlex.split(words), code=REFUSED[words])
    assert cli.home.exists() == there
    assert list(cli.home.glob("*")) == []


def test_a_refused_command_leaves_what_is_of_others(cli: CommandLine) -> None:
    """Files that somebody else has there, and a home that was there before."""
    cli.home.mkdir()
    (cli.home / "mine.txt").write_text("mine")
    cli("remember", "", code=2)
    assert (cli.home / "mine.txt").read_text() == "mine"
    (cli.home / "mine.txt").unlink()
    cli("config", "keep_cues", "--unset")
    cli("remember", "", code=2)
    assert (cli.home / "ledger.db").stat().st_size > 0


@pytest.mark.parametrize("name", ["", " "], ids=["empty", "blank"])
@pytest.mark.parametrize("ahead", [False, True], ids=["after", "before"])
def test_an_empty_name_is_no_home(
    cli: CommandLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    ahead: bool,  # noqa: FBT001 - a parameter
) -> None:
    """As in `--home "$UNSET"`: it is refused, and does not mean the working directory."""
    monkeypatch.chdir(tmp_path)
    words = ("--home", name, "remember", "tea") if ahead else ("remember", "tea", "--home", name)
    assert "'--home'" in cli(*words, code=2).stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [("replay", "--into", ""), ("counterfactual", "strategy=rrf", "--into", "")],
    ids=["replay", "counterfactual"],
)
def test_an_empty_name_is_no_scratch_home(
    cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Nor is a ledger begun in the working directory by those that keep one."""
    cli("remember", "tea")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert "'--into'" in cli(*words, code=2).stderr
    assert list((tmp_path / "here").iterdir()) == []


@pytest.mark.parametrize("words", [("--space", "", "list"), ("list", "--space", "")], ids=str)
def test_an_empty_name_is_no_space(cli: CommandLine, words: tuple[str, ...]) -> None:
    """Nor is it the default one."""
    cli("remember", "tea")
    assert "space" in cli(*words, code=2).stderr


def test_an_empty_variable_counts_as_unset(cli: CommandLine, tmp_path: Path) -> None:
    """A shell that exports an empty MNEMOLOG_HOME means the user's own directory."""
    cli.variables = {"MNEMOLOG_HOME": "", "XDG_DATA_HOME": str(tmp_path / "data")}
    assert str(tmp_path / "data" / "mnemolog") in cli("list", code=3).stderr
