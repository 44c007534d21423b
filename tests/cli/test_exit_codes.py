"""Errors become exit codes and messages in one place."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.exceptions import Exit

from mnemolog.cli.exit_codes import CODES, ExitCode, code_of, reported
from mnemolog.ledger import errors
from mnemolog.ledger.errors import LedgerError, LogBusy

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

DEFECTS = {errors.LedgerError, errors.ClosedHandle}


def _classes_below(parent: type[LedgerError]) -> set[type[LedgerError]]:
    below = set(parent.__subclasses__())
    return below.union(*(_classes_below(child) for child in below)) | {parent}


def _ends_with(error: BaseException, *words: str) -> int:
    with pytest.raises(Exit) as ended, reported(words):
        raise error
    return ended.value.exit_code


@pytest.mark.parametrize("cause", sorted(_classes_below(LedgerError) - DEFECTS, key=str))
def test_every_error_has_a_code_of_its_own_kind(cause: type[LedgerError]) -> None:
    """No error that mnemolog raises on purpose ends as an unexpected one."""
    assert CODES[next(c for c in cause.__mro__ if c in CODES)] is not ExitCode.UNEXPECTED


def test_an_error_that_is_also_a_built_in_one_keeps_its_own_code() -> None:
    """A missing log is a FileNotFoundError too, and still counts as damage."""
    assert code_of(errors.MissingLog(Path("ledger.db"))) is ExitCode.DAMAGED
    assert _ends_with(FileNotFoundError("notes.md")) == ExitCode.UNAVAILABLE


def test_an_error_is_one_line_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    """A person reads what went wrong; standard output stays empty."""
    assert _ends_with(errors.UnknownMemory("ab", "default")) == ExitCode.NOT_FOUND
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "Error: no memory 'ab' in space 'default'; `list` shows the ids\n"


def test_an_error_as_json_carries_its_facts(capsys: pytest.CaptureFixture[str]) -> None:
    """A program reads the class, the message, the exit code and the attributes."""
    assert _ends_with(LogBusy(Path("ledger.db"), 2.5), "list", "--json") == ExitCode.UNAVAILABLE
    assert json.loads(capsys.readouterr().err)["error"] == {
        "class": "LogBusy",
        "message": "ledger.db stayed locked for 2.5 s; try again",
        "exit_code": 7,
        "path": "ledger.db",
        "timeout_s": 2.5,
    }


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_ends_quietly(
    stop: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C and a declined question end with 130, without a traceback."""
    assert _ends_with(stop) == ExitCode.INTERRUPTED
    assert capsys.readouterr().out == ""


def test_a_defect_is_not_hidden() -> None:
    """What mnemolog did not raise on purpose keeps its traceback."""
    with pytest.raises(ZeroDivisionError), reported(()):
        raise ZeroDivisionError


def test_a_reader_that_goes_away_ends_quietly(cli: CommandLine) -> None:
    """`mnemolog … | head` leaves neither a traceback nor an error message."""
    cli("remember", "The", "sky", "is", "blue")
    reading, writing = os.pipe()
    os.close(reading)
    ended = cli.process("list", stdout=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (ExitCode.PIPE_CLOSED, b"")
