"""Options that several commands share, and the `CommandCall` made of their values."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, TypedDict, Unpack, cast

import click

from mnemolog.cli.call import CommandCall
from mnemolog.cli.times import TIME_HELP, log_moment, time_value

Command = Callable[..., None]
Decorator = Callable[[Command], Command]

KINDS = ("episodic", "semantic", "procedural", "preference")
STATUSES = (
    "active", "superseded", "contested", "pending", "archived", "summarized", "tombstone",
    "withdrawn", "redacted",
)  # fmt: skip
STRATEGIES = ("hybrid", "rrf", "semantic", "keyword")
CHECKING = ("check", "off")


class SpaceName(click.types.StringParamType):
    """A name that may contain blanks, from the environment too."""

    def split_envvar_value(self, rv: str) -> list[str]:
        """The variable's value as one name."""
        return [rv]


class Directory(click.Path):
    """The name of a directory; an empty one is refused, as it would mean the working directory."""

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


class OptionAttributes(TypedDict, total=False):
    """The attributes of an option that the functions below pass on to click."""

    type: click.ParamType[str]
    metavar: str
    default: str
    show_default: bool
    envvar: str
    show_envvar: bool


def repeated(*names: str, help: str, **attributes: Unpack[OptionAttributes]) -> Decorator:
    """An option that may be given several times."""
    return click.option(*names, multiple=True, help=f"{help} May be repeated.", **attributes)


def number(name: str, default: int, help: str, low: int = 1, high: int | None = None) -> Decorator:
    """An option that takes a whole number within bounds."""
    bounds = click.IntRange(low, high)
    return click.option(name, type=bounds, default=default, show_default=True, help=help)


def limit(default: int, most: int | None = None, help: str = "How many at most.") -> Decorator:
    """The option that bounds how much is shown."""
    bounds = click.IntRange(1, most)
    return click.option("-n", "--limit", type=bounds, default=default, show_default=True, help=help)


def time_option(name: str, help: str) -> Decorator:
    """An option that takes a time."""
    return click.option(name, callback=time_value, metavar="TIME", help=f"{help} {TIME_HELP}")


def choice(
    *names: str, of: tuple[str, ...], help: str, **attributes: Unpack[OptionAttributes]
) -> Decorator:
    """An option that takes one of some words."""
    return click.option(*names, type=click.Choice(of), help=help, **attributes)


def _flag(*names: str, help: str) -> Decorator:
    return click.option(*names, is_flag=True, help=help)


home = click.option(
    "--home",
    type=Directory(),
    envvar="MNEMOLOG_HOME",
    show_envvar=True,
    metavar="DIR",
    help="Directory of the ledger; default: the platform's directory for user data.",
)
space = click.option(
    "-s",
    "--space",
    "spaces",
    type=SpaceName(),
    envvar="MNEMOLOG_SPACE",
    show_envvar=True,
    callback=_alone,
    metavar="NAME",
    help="Space to act in; default: 'default'.",
)
several_spaces = repeated(
    "-s",
    "--space",
    "spaces",
    type=SpaceName(),
    envvar="MNEMOLOG_SPACE",
    show_envvar=True,
    metavar="NAME",
    help="Space to ask; default: 'default'.",
)
actor = click.option(
    "--actor",
    envvar="MNEMOLOG_ACTOR",
    show_envvar=True,
    metavar="WHO",
    help="Who acts: user:NAME, agent:NAME or system:NAME; default: the logged-in user.",
)
session = click.option(
    "--session",
    envvar="MNEMOLOG_SESSION",
    show_envvar=True,
    metavar="NAME",
    help="Session that this command belongs to; default: a new one.",
)
as_json = _flag(
    "--json", "as_json", help="Print one JSON object; errors become one on standard error."
)
quiet = _flag("-q", "--quiet", help="Print no notes and no progress on standard error.")
as_of = click.option(
    "--as-of",
    callback=log_moment,
    metavar="MOMENT",
    help=f"Answer as of a past moment: a position of the log, or a time. {TIME_HELP}",
)
to_moment = click.option(
    "--to", callback=log_moment, metavar="MOMENT", help="Stop at this moment, as for --as-of."
)
into = click.option(
    "--into",
    type=Directory(),
    metavar="DIR",
    help="Keep the resulting home here; default: it is deleted.",
)
exploration = click.option(
    "--exploration",
    type=click.IntRange(min=0),
    metavar="SEED",
    help="Draw the weights at random with this seed instead of using their mean.",
)
reason = click.option("-r", "--reason", metavar="TEXT", help="The reason, stored with the event.")
override = _flag("--override", help="Change immutable memories too; the ledger records this.")
contradictions = choice(
    "--contradictions",
    of=CHECKING,
    help="Whether to look for contradictions with stored memories; default: the space's setting.",
)
yes = _flag("-y", "--yes", help="Do not ask; required without a terminal.")
strategy = choice("--strategy", of=STRATEGIES, help="How to rank; default: the space's setting.")

WRITING = (home, space, actor, session, as_json, quiet)
READING = (home, space, as_of, as_json, quiet)
READING_SEVERAL = (home, several_spaces, as_of, as_json, quiet)
PRESENT = (home, space, as_json, quiet)
WHOLE_HOME = (home, as_json, quiet)


class Shared(TypedDict, total=False):
    """The values of the shared options, as click passes them."""

    home: Path | None
    spaces: tuple[str, ...]
    actor: str | None
    session: str | None
    as_of: int | str | None
    as_json: bool
    quiet: bool


def shared(
    *options: Decorator,
) -> Callable[[Callable[Concatenate[CommandCall, ...], None]], Command]:
    """Give a command these shared options; their values come first, as a `CommandCall`."""

    def decorate(command: Callable[Concatenate[CommandCall, ...], None]) -> Command:
        @functools.wraps(command)
        def run(**given: object) -> None:
            values = {name: given.pop(name) for name in Shared.__annotations__ if name in given}
            command(CommandCall(**cast("Shared", values)), **given)

        return with_options(options, run)

    return decorate


def with_options(options: tuple[Decorator, ...], command: Command) -> Command:
    """The command with options, shown in this order by its help."""
    for option in reversed(options):
        command = option(command)
    return command
