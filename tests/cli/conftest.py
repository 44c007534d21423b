"""A command line over a home of its own."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mnemolog.cli.main import mnemolog

PROGRAM = Path(sys.executable).with_name("mnemolog")
Word = str | int | Path
PATIENCE_S = 60
"""After this a process on a terminal counts as hanging, and is killed."""


class CommandLine:
    """Runs commands on one home: in this process, in one of their own, or on a terminal."""

    def __init__(self, home: Path) -> None:
        """Act on `home`, as user:dana."""
        self.home = home
        self.variables = {
            "MNEMOLOG_HOME": str(home),
            "MNEMOLOG_ACTOR": "user:dana",
            # An editor that changes nothing.
            "EDITOR": "true",
        }

    def __call__(self, *words: Word, code: int = 0, stdin: str | bytes | None = None) -> Result:
        """The result of a command that exits with `code`."""
        runner = CliRunner(env={"MNEMOLOG_SPACE": None, **self.variables})
        result = runner.invoke(mnemolog, [str(word) for word in words], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, result.output
        return result

    def at(self, home: Path) -> CommandLine:
        """The same command line over another home."""
        return CommandLine(home)

    def json(self, *words: Word, stdin: str | None = None) -> dict[str, object]:
        """The one object that a command prints with --json."""
        answer = json.loads(self(*words, "--json", stdin=stdin).stdout)
        assert isinstance(answer, dict)
        return answer

    def failure(self, *words: Word, code: int) -> dict[str, object]:
        """The error that a command reports with --json, standard output being empty."""
        result = self(*words, "--json", code=code)
        assert result.stdout == ""
        error = json.loads(result.stderr.splitlines()[-1])["error"]
        assert isinstance(error, dict)
        return error

    def process(
        self, *words: Word, stdin: bytes = b"", stdout: int = subprocess.PIPE
    ) -> subprocess.CompletedProcess[bytes]:
        """What a process of its own wrote and how it ended."""
        return subprocess.run(
            [PROGRAM, *map(str, words)],
            input=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=self.environment(),
            check=False,
        )

    def start(self, *words: Word) -> subprocess.Popen[bytes]:
        """A process of its own, running, with its standard output to be read."""
        return subprocess.Popen(
            [PROGRAM, *map(str, words)], stdout=subprocess.PIPE, env=self.environment()
        )

    def terminal(self, *words: Word, keys: str = "", **variables: str) -> tuple[int, str]:
        """The exit code of a process on a terminal where `keys` are typed, and what it shows."""
        screen, terminal = pty.openpty()
        process = subprocess.Popen(
            [PROGRAM, *map(str, words)],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env={**self.environment(), "TERM": "xterm-256color", "COLUMNS": "80", **variables},
        )
        os.close(terminal)
        impatience = threading.Timer(PATIENCE_S, process.kill)
        impatience.start()
        os.write(screen, keys.encode())
        shown = bytearray()
        # Linux says that the other side is closed with an error, not with an empty read.
        with contextlib.suppress(OSError):
            while chunk := os.read(screen, 65536):
                shown += chunk
        os.close(screen)
        impatience.cancel()
        return process.wait(), shown.decode()

    def environment(self) -> dict[str, str]:
        """The variables of a process that runs on this home."""
        ours = {
            name: value for name, value in os.environ.items() if not name.startswith("MNEMOLOG_")
        }
        return {**ours, **self.variables}


@pytest.fixture
def cli(tmp_path: Path) -> CommandLine:
    """A command line over an empty home."""
    return CommandLine(tmp_path / "home")
