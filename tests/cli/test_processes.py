"""The installed program: standard input, pipes, exit codes and signals."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import PATIENCE_S, PROGRAM

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


def test_text_comes_in_through_a_pipe(cli: CommandLine) -> None:
    """`… | mnemolog remember -` stores what was piped in."""
    assert cli.process("remember", "-", stdin="Grüße aus Köln\n".encode()).returncode == 0
    assert json.loads(cli.process("show", "@1", "--json").stdout)["content"] == "Grüße aus Köln"


def test_an_error_is_on_standard_error_alone(cli: CommandLine) -> None:
    """A failed command leaves standard output empty and ends with its code."""
    ended = cli.process("show", "@1")
    assert (ended.returncode, ended.stdout) == (3, b"")
    assert ended.stderr.startswith(b"Error: ")
    assert b"Traceback" not in ended.stderr


def test_a_terminal_of_an_old_encoding_still_gets_an_answer(cli: CommandLine) -> None:
    """Characters that the output cannot encode are escaped, not fatal."""
    cli("remember", "Köln → Bonn")
    cli.variables["PYTHONIOENCODING"] = "latin-1"
    assert b"K\xf6ln \\u2192 Bonn" in cli.process("list").stdout


def test_a_log_is_followed_until_interrupted(cli: CommandLine) -> None:
    """Log --follow prints what another process appends, and Ctrl-C ends it with 130."""
    cli("remember", "The port is 8080")
    # Whoever runs the tests in the background has them ignore Ctrl-C, and all that they start.
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    following = cli.start("log", "--follow", "--json")
    signal.signal(signal.SIGINT, ours)
    assert following.stdout is not None
    assert json.loads(following.stdout.readline())["position"] == 1
    cli("remember", "Ferrets sleep a lot")
    assert json.loads(following.stdout.readline())["position"] == 2
    following.send_signal(signal.SIGINT)
    assert following.wait(PATIENCE_S) == 130
    following.stdout.close()


@pytest.mark.parametrize(
    ("words", "closed", "code"),
    [
        (("remember", "The port is 8080"), ">&-", 0),
        (("tick", "--json"), ">&- 2>&-", 0),
        (("list",), "<&- >&- 2>&-", 0),
        (("remember", "-"), "<&-", 2),
        (("redact", "@1"), "<&-", 2),
    ],
)
def test_a_closed_stream_is_an_empty_one(
    cli: CommandLine, words: tuple[str, ...], closed: str, code: int
) -> None:
    """Started without standard streams, a command does what it is told and ends with its code."""
    cli("remember", "Ferrets sleep a lot")
    command = f"{shlex.join([str(PROGRAM), *words])} {closed}"
    ended = subprocess.run(
        ["/bin/sh", "-c", command], env=cli.environment(), capture_output=True, check=False
    )
    assert (ended.returncode, b"Traceback" in ended.stderr) == (code, False)
    cli("verify")


def test_words_that_are_no_text_are_told(cli: CommandLine) -> None:
    """A setting of bytes that no encoding has, and a position of very many digits."""
    for words, code in (
        (("config", "identity", b"/\xff".decode("utf-8", "surrogateescape")), 2),
        (("list", "--as-of", "9" * 5_000), 3),
        (("list", "--as-of", f"{'0' * 5_000}7"), 3),
    ):
        ended = cli.process(*words)
        assert (ended.returncode, b"Traceback" in ended.stderr) == (code, False)


def test_an_unusable_home_is_told(cli: CommandLine) -> None:
    """A home that is a file is refused without a traceback."""
    cli.home.write_text("not a directory")
    ended = cli.process("list")
    assert ended.returncode == 2
    assert b"Traceback" not in ended.stderr
