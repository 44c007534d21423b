"""Exit codes: the one place where errors become numbers and words for a shell."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from enum import IntEnum
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click
from click.exceptions import Exit

from mnemolog.ledger import errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class ExitCode(IntEnum):
    """What a command's exit code says."""

    FINE = 0
    UNEXPECTED = 1
    BAD_INPUT = 2
    NOT_FOUND = 3
    CONFLICT = 4
    DAMAGED = 5
    INCOMPLETE = 6
    UNAVAILABLE = 7
    INTERRUPTED = 130
    PIPE_CLOSED = 141


MEANINGS: Mapping[ExitCode, str] = {
    ExitCode.FINE: "done, or answered, even if the answer is that nothing is known",
    ExitCode.UNEXPECTED: "unexpected: a defect of mnemolog",
    ExitCode.BAD_INPUT: "bad input or usage; nothing was changed",
    ExitCode.NOT_FOUND: "no such home, memory, event or position, or an ambiguous id",
    ExitCode.CONFLICT: "the ledger stands against it: stale, taken, immutable, not undoable, "
    "or a tick or an import that has to be confirmed",
    ExitCode.DAMAGED: "the log or a checkpoint does not verify, or doctor found an error",
    ExitCode.INCOMPLETE: "a redaction is incomplete: it names what is left, and is taken up again",
    ExitCode.UNAVAILABLE: "busy, refused or unavailable: a lock, a file, a disk or the model",
    ExitCode.INTERRUPTED: "interrupted, or declined when asked",
    ExitCode.PIPE_CLOSED: "the reader of the output went away",
}

CODES: Mapping[type[BaseException], ExitCode] = {
    errors.InvalidField: ExitCode.BAD_INPUT,
    errors.ForeignFormat: ExitCode.BAD_INPUT,
    errors.UnknownMemory: ExitCode.NOT_FOUND,
    errors.UnknownEvent: ExitCode.NOT_FOUND,
    errors.UnknownConflict: ExitCode.NOT_FOUND,
    errors.UnknownEdge: ExitCode.NOT_FOUND,
    errors.UnknownPosition: ExitCode.NOT_FOUND,
    errors.UnknownSession: ExitCode.NOT_FOUND,
    errors.MissingHome: ExitCode.NOT_FOUND,
    errors.AmbiguousId: ExitCode.NOT_FOUND,
    errors.SupersessionCycle: ExitCode.CONFLICT,
    errors.ImmutableMemory: ExitCode.CONFLICT,
    errors.RedactionNotAllowed: ExitCode.CONFLICT,
    errors.InvalidState: ExitCode.CONFLICT,
    errors.CannotUndo: ExitCode.CONFLICT,
    errors.UnconfirmedUndo: ExitCode.CONFLICT,
    errors.SessionOver: ExitCode.CONFLICT,
    errors.EdgeExists: ExitCode.CONFLICT,
    errors.StaleExpectation: ExitCode.CONFLICT,
    errors.CatchUpNotConfirmed: ExitCode.CONFLICT,
    errors.ImportNotConfirmed: ExitCode.CONFLICT,
    errors.EventIdTaken: ExitCode.CONFLICT,
    errors.HomeNotEmpty: ExitCode.CONFLICT,
    errors.EntryTaken: ExitCode.CONFLICT,
    errors.ConfigChanged: ExitCode.CONFLICT,
    errors.CorruptLog: ExitCode.DAMAGED,
    errors.LogShortened: ExitCode.DAMAGED,
    errors.LogReplaced: ExitCode.DAMAGED,
    errors.MissingLog: ExitCode.DAMAGED,
    errors.CheckpointMismatch: ExitCode.DAMAGED,
    errors.StorageFailed: ExitCode.UNAVAILABLE,
    errors.LogBusy: ExitCode.UNAVAILABLE,
    errors.ArtifactsUnavailable: ExitCode.UNAVAILABLE,
    errors.EmbedderUnavailable: ExitCode.UNAVAILABLE,
    errors.SummarizerFailed: ExitCode.UNAVAILABLE,
    errors.UnsafeLibrary: ExitCode.UNAVAILABLE,
    errors.LedgerError: ExitCode.UNEXPECTED,
    OSError: ExitCode.UNAVAILABLE,
}


def code_of(error: BaseException) -> ExitCode:
    """The exit code for an error, by the nearest of its classes that has one."""
    for ancestor in type(error).__mro__:
        if ancestor in CODES:
            return CODES[ancestor]
    return ExitCode.UNEXPECTED


def refuse(problem: str) -> NoReturn:
    """Stop with a usage error: what is wrong with what was typed, and what would be right."""
    click.get_current_context().fail(problem)


@contextmanager
def reported(words: Sequence[str]) -> Iterator[None]:
    """Turn what a call of these words raises into a message on standard error and an exit code.

    A defect passes through, so that its traceback is seen, and so do usage errors, which
    click tells, unless the words ask for JSON.
    """
    as_json = _ask_for_json(words)
    try:
        yield
        _flush_stdout()
    except BrokenPipeError:
        _forget_stdout()
        raise Exit(ExitCode.PIPE_CLOSED) from None
    except (KeyboardInterrupt, click.Abort):
        raise Exit(ExitCode.INTERRUPTED) from None
    except click.ClickException as error:
        if not as_json:
            raise
        code = error.exit_code
        facts = {"class": type(error).__name__, "message": error.format_message()}
        write_object({"error": facts | {"exit_code": code}})
        raise Exit(code) from error
    except (errors.LedgerError, OSError) as error:
        told = _in_our_words(error)
        if as_json:
            _write_error(told)
        else:
            click.echo(f"Error: {told}", err=True)
        raise Exit(code_of(told)) from error


def _write_error(error: errors.LedgerError) -> None:
    """The error as one JSON object: its class, its message, its exit code, its facts."""
    facts = {"class": type(error).__name__, "message": str(error), "exit_code": code_of(error)}
    write_object({"error": facts | vars(error)})


def _ask_for_json(words: Sequence[str]) -> bool:
    """Whether --json is among the words; looked for here where they could not be parsed."""
    return "--json" in takewhile(lambda word: word != "--", words)


def _flush_stdout() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _forget_stdout()
        raise errors.StorageFailed.from_os(error, Path("standard output")) from error


def _in_our_words(error: errors.LedgerError | OSError) -> errors.LedgerError:
    """The error, or one of ours for a file that nobody closer to it named, such as the output."""
    if isinstance(error, errors.LedgerError):
        return error
    return errors.StorageFailed.from_os(error, Path("standard output or a file"))


def write_object(value: Mapping[str, object]) -> None:
    """One JSON object on a line of standard error."""
    import json  # noqa: PLC0415 - not needed for --help

    click.echo(json.dumps(value, default=str), err=True)


def _forget_stdout() -> None:
    # What is still buffered would be written at exit, and fail again with a traceback.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
