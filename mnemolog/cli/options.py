"""Options that several commands share, and how a command comes by its `Call`."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, TypedDict, cast

import click

from mnemolog.cli.call import Call

Command = Callable[..., None]
Decorator = Callable[[Command], Command]

KINDS = ("episodic", "semantic", "procedural", "preference")
STATUSES = (
    "active",
    "superseded",
    "contested",
    "pending",
    "archived",
    "summarized",
    "tombstone",
    "withdrawn",
    "redacted",
)
CHECKING = ("check", "off")
TIME_HELP = "ISO 8601; a time without a zone is refused, a date alone is its midnight UTC."


class Name(click.types.StringParamType):
    """A name that may hold blanks, from the environment too."""

    def split_envvar_value(self, rv: str) -> list[str]:
        """The variable's value as the one name that it is."""
        return [rv]


def moment(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | str | None:
    """A moment of the log: a position, with or without an @, or a time for the library to read."""
    digits = (value or "").removeprefix("@")
    # Twenty digits are beyond any log, and Python reads no more than 4,300 of them.
    return int(digits.lstrip("0")[:20] or "0") if digits.isdecimal() else value


class Directory(click.Path):
    """A directory's name, which an empty text is not: a path would be the working directory."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """The path. Fails for a name that is empty or blank."""
        if not os.fspath(value).strip():
            self.fail("the name is empty; give a directory, or leave the option out", param, ctx)
        return cast("Path", super().convert(value, param, ctx))


def _alone(_ctx: click.Context, _param: click.Parameter, name: str | None) -> tuple[str, ...]:
    return () if name is None else (name,)


home = click.option(
    "--home",
    type=Directory(),
    envvar="MNEMOLOG_HOME",
    show_envvar=True,
    metavar="DIR",
    help="The ledger's directory; else the platform's directory for user data.",
)
space = click.option(
    "--space",
    "spaces",
    type=Name(),
    envvar="MNEMOLOG_SPACE",
    show_envvar=True,
    callback=_alone,
    metavar="NAME",
    help="The space to act in; else 'default'.",
)
several_spaces = click.option(
    "--space",
    "spaces",
    type=Name(),
    multiple=True,
    envvar="MNEMOLOG_SPACE",
    show_envvar=True,
    metavar="NAME",
    help="The space to ask, else 'default'; give it again to ask several at once.",
)
actor = click.option(
    "--actor",
    envvar="MNEMOLOG_ACTOR",
    show_envvar=True,
    metavar="WHO",
    help="Who acts: user:NAME, agent:NAME or system:NAME; else the user logged in.",
)
session = click.option(
    "--session",
    envvar="MNEMOLOG_SESSION",
    show_envvar=True,
    metavar="NAME",
    help="The session that this is part of; else one of its own.",
)
as_json = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object; an error becomes one on standard error.",
)
quiet = click.option("--quiet", is_flag=True, help="No notes and no progress on standard error.")
as_of = click.option(
    "--as-of",
    callback=moment,
    metavar="MOMENT",
    help=f"Answer as of a past moment: a whole number is a position, anything else {TIME_HELP}",
)
reason = click.option("--reason", metavar="TEXT", help="Why, kept with the event.")
override = click.option(
    "--override", is_flag=True, help="Do it even to an immutable memory; the ledger records this."
)
contradictions = click.option(
    "--contradictions",
    type=click.Choice(CHECKING),
    help="Whether to look for contradictions with what is there; else the space's setting.",
)
yes = click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can answer.")

WRITING = (home, space, actor, session, as_json, quiet)
READING = (home, space, as_of, as_json, quiet)
READING_SEVERAL = (home, several_spaces, as_of, as_json, quiet)
LOOKING = (home, space, as_json, quiet)
TENDING = (home, as_json, quiet)


class Shared(TypedDict, total=False):
    """The values of the shared options, as click hands them over."""

    home: Path | None
    spaces: tuple[str, ...]
    actor: str | None
    session: str | None
    as_of: int | str | None
    as_json: bool
    quiet: bool


def acts(*options: Decorator) -> Callable[[Callable[Concatenate[Call, ...], None]], Command]:
    """Give a command these shared options; their values come first, as a `Call`."""

    def decorate(command: Callable[Concatenate[Call, ...], None]) -> Command:
        @functools.wraps(command)
        def run(**given: object) -> None:
            shared = {name: given.pop(name) for name in Shared.__annotations__ if name in given}
            call = Call(**cast("Shared", shared))
            command(call, **given)

        decorated: Command = run
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate
