"""Runner for the code blocks of a page, in order, compared with the output that the page shows.

A `console` fence is a bash session. Lines that begin with `$ ` are commands, a
line that ends with a backslash continues, and the other lines are the expected
output. A `python` fence is a program of its own; a `text` fence right after it
is its expected output. In expected output, `...` matches anything and any run
of blanks matches any other. Other fences are not run.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = "\x1e"
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_CHECKER = doctest.OutputChecker()


class Block(NamedTuple):
    """One fenced block: language, text, first line, and the expected output after it."""

    language: str
    text: str
    line: int
    expected: str | None


def blocks(page: Path) -> Iterator[Block]:
    """Fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    fences = list(_FENCE.finditer(text))
    for index, fence in enumerate(fences):
        expected = None
        if fence[1] == "python" and index + 1 < len(fences):
            after = fences[index + 1]
            between = text[fence.end() : after.start()]
            expected = after[2] if after[1] == "text" and not between.strip() else None
        yield Block(fence[1], fence[2], text.count("\n", 0, fence.start()) + 1, expected)


def steps(session: str) -> Iterator[tuple[str, str]]:
    """Commands of a console session, each with the expected output below it."""
    command, expected, continues = "", "", False
    for line in session.splitlines():
        if continues:
            command += "\n" + line
        elif line.startswith("$ "):
            if command:
                yield command, expected
            command, expected = line[2:], ""
        else:
            expected += line + "\n"
            continue
        continues = line.endswith("\\")
    if command:
        yield command, expected


class Shell:
    """A bash session in a folder, with `mnemolog` on its path and a home of its own."""

    def __init__(self, folder: Path) -> None:
        """Begin the session."""
        self._bash = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            cwd=folder,
            env=environment(folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, command: str) -> tuple[int, str]:
        """Exit code and output of a command, standard error included."""
        assert self._bash.stdin is not None
        assert self._bash.stdout is not None
        # The last line restores the command's exit code for an `echo $?` that follows.
        self._bash.stdin.write(
            f"{command}\n_code=$?; printf '{_MARK}%s\\n' $_code; (exit $_code)\n"
        )
        self._bash.stdin.flush()
        output = ""
        for line in self._bash.stdout:
            before, marked, code = line.partition(_MARK)
            output += before
            if marked:
                return int(code), output
        message = f"bash ended in {command!r}: {output}"
        raise AssertionError(message)

    def close(self) -> None:
        """End the session."""
        assert self._bash.stdin is not None
        assert self._bash.stdout is not None
        self._bash.stdin.close()
        self._bash.wait()
        self._bash.stdout.close()


def environment(folder: Path) -> dict[str, str]:
    """Variables of a newcomer's shell: `mnemolog` is installed, nothing is set up."""
    ours = {name: text for name, text in os.environ.items() if not name.startswith("MNEMOLOG_")}
    return ours | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "MNEMOLOG_HOME": str(folder / "home"),
        "MNEMOLOG_ACTOR": "user:dana",
    }


def run_blocks(page: Path, folder: Path) -> int:
    """Run every block of a page in a folder; returns how many there were.

    Raises `AssertionError`, with the line of the block, if a command fails or
    prints something unexpected. A failing command is allowed if `echo $?`
    follows it.
    """
    shell = Shell(folder)
    count = 0
    try:
        for block in blocks(page):
            where = f"{page.name}, line {block.line}"
            if block.language == "console":
                _run_session(shell, list(steps(block.text)), where)
            elif block.language == "python":
                _compare(block.expected, _printed(block.text, where), where)
            else:
                continue
            count += 1
    finally:
        shell.close()
    return count


def _run_session(shell: Shell, session: list[tuple[str, str]], where: str) -> None:
    for index, (command, expected) in enumerate(session):
        code, output = shell.run(command)
        may_fail = session[index + 1][0] == "echo $?" if index + 1 < len(session) else False
        assert code == 0 or may_fail, f"{where}: {command!r} ended with {code}: {output}"
        _compare(expected or None, output, f"{where}: {command}")


def _printed(code: str, where: str) -> str:
    """Output of a program, run in a namespace of its own."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        # The code of our own documents.
        exec(compile(code, where, "exec"), {"__name__": "__main__"})
    return output.getvalue()


def _compare(expected: str | None, output: str, where: str) -> None:
    """Compare output with what the page shows; None expects nothing in particular."""
    if expected is not None:
        message = f"{where}\nexpected:\n{expected}\nprinted:\n{output}"
        assert _CHECKER.check_output(expected, output, _FLAGS), message


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory with the variables of a newcomer's shell."""
    for name in list(os.environ):
        if name.startswith("MNEMOLOG_"):
            monkeypatch.delenv(name)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run_page(folder: Path) -> Callable[[Path], int]:
    """Runs the blocks of a page in an empty folder and returns how many it had."""
    return lambda page: run_blocks(page, folder)
