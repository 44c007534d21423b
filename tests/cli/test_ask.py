"""The commands over the layers: ask, and the hook's place on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from mnemolog.cli.commands import questions
from mnemolog.recall.layers import LOOKED_INTO
from mnemolog.serve.prompt_hook import Form

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import CommandLine

QUESTION = ("What", "tea", "did", "Dana", "say", "she", "prefers?")
ALL = [word for layer in questions.LAYERS for word in ("--layer", layer)]


@pytest.fixture
def cli(cli: CommandLine) -> CommandLine:
    """A home whose layers may take as long as a busy machine lets them."""
    cli("config", "layer_limit_s", "60")
    return cli


def test_the_layers_and_forms_are_those_of_the_library() -> None:
    """The words that options accept are those that the library knows."""
    assert questions.LAYERS == LOOKED_INTO
    assert get_args(Form) == questions.FORMS


def test_ask_answers_from_memory(cli: CommandLine) -> None:
    """A person sees what answered, and what was looked at."""
    cli("remember", "Dana prefers green tea", "--source", "user:dana")
    shown = cli("ask", *QUESTION, *ALL).stdout
    assert "\tuser:dana\tDana prefers green tea\n" in shown
    assert shown.endswith("searched: identity not configured, palace answered\n")


def test_ask_gives_one_object(cli: CommandLine) -> None:
    """A program gets the prompt, what was found, what was checked, and the context."""
    cli("remember", "Dana prefers green tea")
    answer = cli.json("ask", *QUESTION, *ALL)
    assert set(answer) == {
        "prompt",
        "recall",
        "identity",
        "layer",
        "passages",
        "layers_checked",
        "said",
        "context",
        "as_of",
    }
    assert answer["layer"] == "palace"


def test_ask_prints_the_context_alone(cli: CommandLine) -> None:
    """--context prints what would be put before the prompt."""
    cli("remember", "Dana prefers green tea")
    assert cli("ask", *QUESTION, *ALL, "--context").stdout.startswith("From memory (")


def test_ask_says_that_nothing_is_known(cli: CommandLine) -> None:
    """An empty memory is told, with exit code 0."""
    shown = cli("ask", *QUESTION, *ALL).stdout
    assert shown.startswith("The memory holds nothing on this.\n")


def test_ask_reads_a_prompt_from_standard_input(cli: CommandLine) -> None:
    """A single - stands for standard input; an empty prompt is refused."""
    cli("remember", "Dana prefers green tea")
    assert "green tea" in cli("ask", "-", *ALL, stdin="What tea did Dana say she prefers?").stdout
    assert cli.failure("ask", " ", code=2)["class"] == "InvalidField"


def test_ask_leaves_an_ordinary_instruction_alone(cli: CommandLine) -> None:
    """What asks for nothing remembered gets no answer where nothing bears on it."""
    shown = cli("ask", "Write", "a", "haiku", "about", "the", "sea.").stdout
    assert shown.startswith("The prompt asks for nothing from memory")


def test_notes_are_those_of_the_session(cli: CommandLine) -> None:
    """What is remembered in a session is its scratchpad; another session does not see it."""
    cli("remember", "The winch needs grease", "--session", "monday")
    words = ("ask", "which", "winch", "needs", "grease?", "--layer", "scratchpad")
    assert cli.json(*words, "--session", "monday")["layer"] == "scratchpad"
    assert cli.json(*words, "--session", "tuesday")["layer"] == "generation"
    cli.variables["MNEMOLOG_SESSION"] = "monday"
    assert cli.json(*words)["layer"] == "scratchpad"


def test_ask_can_be_put_to_the_past(cli: CommandLine) -> None:
    """As of a position before it was remembered, nothing is known."""
    cli("remember", "Dana prefers green tea")
    assert cli.json("ask", *QUESTION, *ALL, "--as-of", "1")["layer"] == "generation"
    assert cli.json("ask", *QUESTION, *ALL, "--as-of", "2")["layer"] == "palace"


def test_a_layer_that_is_too_slow_does_not_end_the_program(cli: CommandLine) -> None:
    """It is told as timed out with exit code 0, though it goes on while the program ends."""
    cli("remember", "Dana prefers green tea")
    cli("config", "layer_limit_s", "0.02")
    ended = cli.process("ask", *QUESTION, *ALL)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"palace timed out" in ended.stdout


def test_layers_are_set_up_by_config(cli: CommandLine, tmp_path: Path) -> None:
    """An identity and playbooks are named in the settings; what cannot be is refused."""
    (tmp_path / "me.md").write_text("I am the first mate.")
    (tmp_path / "caulking.md").write_text("Use oakum.")
    cli("config", "identity", tmp_path / "me.md")
    cli("config", "playbooks", tmp_path)
    shown = cli("ask", "caulking?", *ALL, "--context").stdout
    assert shown.startswith("I am the first mate.\n")
    assert "Use oakum." in shown
    assert "github:owner/repo" in str(cli.failure("config", "artifacts", "x:y", code=2)["fix"])
