"""Documents whose code blocks are carried out, in order, and held to the output that they show.

A fence of `console` is a session of bash: lines that begin with `$ ` are typed,
a line that ends with a backslash goes on, and what follows is what they print.
A fence of `python` is run; a fence of `text` right after it is what it prints.
In what is shown, `...` stands for anything, and blanks count as one. Other
fences are read, not run.
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
    """One fenced block: its language, its text, the line that it begins on, and what follows."""

    language: str
    text: str
    line: int
    shown: str | None


def blocks(document: Path) -> Iterator[Block]:
    """The fenced blocks of a document, in order."""
    text = document.read_text(encoding="utf-8")
    fences = list(_FENCE.finditer(text))
    for index, fence in enumerate(fences):
        shown = None
        if fence[1] == "python" and index + 1 < len(fences):
            after = fences[index + 1]
            between = text[fence.end() : after.start()]
            shown = after[2] if after[1] == "text" and not between.strip() else None
        yield Block(fence[1], fence[2], text.count("\n", 0, fence.start()) + 1, shown)


def steps(session: str) -> Iterator[tuple[str, str]]:
    """The commands of a console session, each with the output that is shown below it."""
    command, shown, goes_on = "", "", False
    for line in session.splitlines():
        if goes_on:
            command += "\n" + line
        elif line.startswith("$ "):
            if command:
                yield command, shown
            command, shown = line[2:], ""
        else:
            shown += line + "\n"
            continue
        goes_on = line.endswith("\\")
    if command:
        yield command, shown


class Shell:
    """A session of bash in a folder, with `mnemolog` on its path and a home of its own."""

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
        """The exit code of a command and what it writes, to standard error as well."""
        assert self._bash.stdin is not None
        assert self._bash.stdout is not None
        # The command's own code is put back, so that a next one may ask for it.
        self._bash.stdin.write(
            f"{command}\n_code=$?; printf '{_MARK}%s\\n' $_code; (exit $_code)\n"
        )
        self._bash.stdin.flush()
        written = ""
        for line in self._bash.stdout:
            before, marked, code = line.partition(_MARK)
            written += before
            if marked:
                return int(code), written
        message = f"bash ended in {command!r}: {written}"
        raise AssertionError(message)

    def close(self) -> None:
        """End the session."""
        assert self._bash.stdin is not None
        assert self._bash.stdout is not None
        self._bash.stdin.close()
        self._bash.wait()
        self._bash.stdout.close()


def environment(folder: Path) -> dict[str, str]:
    """The variables of a newcomer's shell: `mnemolog` is installed, nothing is set up."""
    ours = {name: text for name, text in os.environ.items() if not name.startswith("MNEMOLOG_")}
    return ours | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "MNEMOLOG_HOME": str(folder / "home"),
        "MNEMOLOG_ACTOR": "user:dana",
    }


def carry_out(document: Path, folder: Path) -> int:
    """Run every block of a document in a folder; how many there were.

    Raises `AssertionError`, with the line of the block, where a command fails or
    prints something else than is shown. A failing command may be shown if
    `echo $?` follows it.
    """
    shell = Shell(folder)
    names: dict[str, object] = {"__name__": "__main__"}
    count = 0
    try:
        for block in blocks(document):
            where = f"{document.name}, line {block.line}"
            if block.language == "console":
                _type_in(shell, list(steps(block.text)), where)
            elif block.language == "python":
                _compare(block.shown, _printed(block.text, names, where), where)
            else:
                continue
            count += 1
    finally:
        shell.close()
    return count


def _type_in(shell: Shell, session: list[tuple[str, str]], where: str) -> None:
    for index, (command, shown) in enumerate(session):
        code, written = shell.run(command)
        asked_for = session[index + 1][0] == "echo $?" if index + 1 < len(session) else False
        assert code == 0 or asked_for, f"{where}: {command!r} ended with {code}: {written}"
        _compare(shown or None, written, f"{where}: {command}")


def _printed(code: str, names: dict[str, object], where: str) -> str:
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        # The code of our own documents.
        exec(compile(code, where, "exec"), names)
    return written.getvalue()


def _compare(shown: str | None, written: str, where: str) -> None:
    """Hold what was written to what is shown; nothing shown asks for nothing."""
    if shown is None:
        return
    said = f"{where}\nshown:\n{shown}\nwritten:\n{written}"
    assert _CHECKER.check_output(shown, written, _FLAGS), said


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, current, whose environment is that of a newcomer's shell."""
    for name in list(os.environ):
        if name.startswith("MNEMOLOG_"):
            monkeypatch.delenv(name)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run_document(folder: Path) -> Callable[[Path], int]:
    """Carries out a document in an empty folder; how many blocks it had."""
    return lambda document: carry_out(document, folder)
