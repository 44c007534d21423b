"""Exit codes and error messages for a shell, and suggestions for misspelt words."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from enum import IntEnum
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Self

import click
from click.exceptions import Exit

from mnemolog.ledger import errors
from mnemolog.ledger.errors import StorageFailed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence


_CONFLICT = (
    "conflict with the ledger: stale, taken, immutable, cannot be undone, or needs confirmation"
)


class ExitCode(IntEnum):
    """Exit code of a command, and its meaning."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        """Member that equals its code."""
        member = int.__new__(cls, code)
        member._value_, member.meaning = code, meaning
        return member

    FINE = 0, "success, even if nothing was found"
    UNEXPECTED = 1, "unexpected error: a bug in mnemolog"
    BAD_INPUT = 2, "bad input or usage; nothing was changed"
    NOT_FOUND = (
        3,
        "no such home, memory, event or position, an ambiguous id, or an unclear correction",
    )
    CONFLICT = 4, _CONFLICT
    DAMAGED = 5, "the log or a checkpoint does not verify, or doctor found an error"
    INCOMPLETE = 6, "a redaction is incomplete; the next command on this home continues it"
    UNAVAILABLE = 7, "busy or unavailable: a lock, a file, the disk, the model or the editor"
    INTERRUPTED = 130, "interrupted, or declined when asked"
    PIPE_CLOSED = 141, "the reader of the output closed it"


_CLASSES: Mapping[ExitCode, tuple[type[BaseException], ...]] = {
    ExitCode.UNEXPECTED: (errors.LedgerError,),
    ExitCode.BAD_INPUT: (errors.InvalidField, errors.ForeignFormat),
    ExitCode.NOT_FOUND: (
        *(errors.UnknownMemory, errors.UnknownEvent, errors.UnknownConflict, errors.UnknownEdge),
        *(errors.UnknownPosition, errors.UnknownSession, errors.MissingHome, errors.AmbiguousId),
    ),
    ExitCode.CONFLICT: (
        *(errors.SupersessionCycle, errors.ImmutableMemory, errors.RedactionNotAllowed),
        *(errors.InvalidState, errors.CannotUndo, errors.UnconfirmedUndo, errors.SessionOver),
        *(errors.EdgeExists, errors.StaleExpectation, errors.EventIdTaken, errors.HomeNotEmpty),
        *(errors.CatchUpNotConfirmed, errors.ImportNotConfirmed),
        *(errors.EntryTaken, errors.ConfigChanged),
    ),
    ExitCode.DAMAGED: (
        *(errors.CorruptLog, errors.LogShortened, errors.LogReplaced, errors.MissingLog),
        errors.CheckpointMismatch,
    ),
    ExitCode.UNAVAILABLE: (
        *(StorageFailed, errors.LogBusy, errors.ArtifactsUnavailable, OSError),
        *(errors.EmbedderUnavailable, errors.SummarizerFailed, errors.UnsafeLibrary),
        errors.ModelFailed,
    ),
}
CODES = {error: code for code, classes in _CLASSES.items() for error in classes}


def code_of(error: BaseException) -> ExitCode:
    """The exit code for an error, by the nearest of its classes that has one."""
    ancestors = type(error).__mro__
    return next((CODES[one] for one in ancestors if one in CODES), ExitCode.UNEXPECTED)


def refuse(problem: str) -> NoReturn:
    """Stop with a usage error, which says what is wrong and what would be right."""
    click.get_current_context().fail(problem)


def did_you_mean(word: str, known: Collection[str]) -> str:
    """A sentence with the nearest of the known words, after a blank; empty if none is near."""
    import difflib

    near = difflib.get_close_matches(word, known, n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


class SuggestingGroup(click.Group):
    """A group of commands that answers a misspelt name with the nearest one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name; a usage error with a suggestion if there is none."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            ctx.fail(f"No such command {args[0]!r}.{self.suggestion(ctx, args[0])}")
        return super().resolve_command(ctx, args)

    def suggestion(self, ctx: click.Context, name: str) -> str:
        """A sentence with the nearest command; empty if none is near."""
        return did_you_mean(name, self.list_commands(ctx))


@contextmanager
def reported(words: Sequence[str]) -> Iterator[None]:
    """Turn the errors of a command line into a message on standard error and an exit code.

    Bugs pass through, so that the traceback is shown. So do usage errors, which click prints,
    unless the words, which may be impossible to parse, ask for JSON.
    """
    as_json = "--json" in takewhile(lambda word: word != "--", words)
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
        _write_error(error, error.format_message(), error.exit_code, {})
        raise Exit(error.exit_code) from error
    except (errors.LedgerError, OSError) as error:
        known = error
        if not isinstance(known, errors.LedgerError):
            # A system error that no inner layer translated.
            known = StorageFailed.from_os(known, Path("standard output or a file"))
        code = code_of(known)
        if as_json:
            _write_error(known, str(known), code, vars(known))
        else:
            click.echo(f"Error: {known}", err=True)
        raise Exit(code) from error


def write_object(value: Mapping[str, object]) -> None:
    """Write one JSON object on a line of standard error."""
    import json

    click.echo(json.dumps(value, default=str), err=True)


def _write_error(error: Exception, message: str, code: int, facts: Mapping[str, object]) -> None:
    shown = {"class": type(error).__name__, "message": message, "exit_code": code}
    write_object({"error": shown | dict(facts)})


def _flush_stdout() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _forget_stdout()
        raise StorageFailed.from_os(error, Path("standard output")) from error


def _forget_stdout() -> None:
    # The interpreter would write the buffer at exit, and fail again with a traceback.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
