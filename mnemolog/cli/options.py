"""Shared command-line options, and decorators that define commands and options."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, cast

import click

from mnemolog.cli.call import CommandCall, log_moment, time_given

Callback = Callable[..., None]
Decorator = Callable[[Callback], Callback]

KINDS = ("episodic", "semantic", "procedural", "preference")
STATUSES = (
    "active", "superseded", "contested", "pending", "archived", "summarized", "tombstone",
    "withdrawn", "redacted",
)  # fmt: skip
STRATEGIES = ("hybrid", "rrf", "semantic", "keyword")
CHECKING = ("check", "off")
SOURCE_TYPES = ("user_stated", "inferred", "external", "system")
IMPORTANCES = ("high", "medium", "low")
VOLATILITIES = ("stable", "normal", "volatile")
MARKS = ("emphasised", "corrects_error", "serves_goal", "instructs")
_TIME = 'Words such as yesterday or "2 hours ago", or ISO 8601; a date alone is its midnight UTC.'


def command(
    *options: Decorator, name: str | None = None, group: click.Group | None = None
) -> Callable[[Callable[Concatenate[CommandCall, ...], None]], click.Command]:
    """Decorator for a command with the options below it, then `options`.

    The function gets the values of the shared options first, as a `CommandCall`.
    """

    def decorate(function: Callable[Concatenate[CommandCall, ...], None]) -> click.Command:
        shared = set(CommandCall.__struct_fields__)

        def run(**given: object) -> None:
            values = click.get_current_context().params
            call = CommandCall(**{key: values[key] for key in shared & given.keys()})
            function(call, **{key: given[key] for key in given.keys() - shared})

        made = click.command(name)(function)
        made.params += click.command()(together(*options)(function)).params
        made.callback = run
        if group is not None:
            group.add_command(made)
        return made

    return decorate


def together(*options: Decorator) -> Decorator:
    """Decorator that adds several options; the help shows them in this order."""

    def decorate(callback: Callback) -> Callback:
        for each in reversed(options):
            callback = each(callback)
        return callback

    return decorate


def action(*words: str) -> Decorator:
    """Argument `action`: one of `words`, by default the first."""
    kind = click.Choice(words)
    return click.argument("action", metavar="[ACTION]", required=False, default=words[0], type=kind)


def arguments(*names: str, **attributes: object) -> Decorator:
    """Arguments, named as in the help: [NAME] is optional, NAME... takes several values.

    A second word names the parameter; by default that is NAME in small letters.
    """

    def argument(words: str) -> Decorator:
        metavar, _, name = words.partition(" ")
        name = name or metavar.strip("[].").lower()
        nargs = -1 if metavar.endswith("...") else 1
        settings = {"metavar": metavar, "required": metavar[0] != "[", **attributes}
        return click.argument(name, cls=click.Argument, nargs=nargs, **settings)

    return together(*map(argument, names))


def sentence(name: str) -> Decorator:
    """Argument of several words without quotes, joined to one text."""
    return arguments(name, callback=lambda _ctx, _param, words: " ".join(words))


class SpaceName(click.types.StringParamType):
    """Name of a space; it may contain blanks in an environment variable too."""

    def split_envvar_value(self, rv: str) -> list[str]:
        """Value of the variable as one name; click would split it at blanks."""
        return [rv]


class Directory(click.Path):
    """Path of a directory; an empty name is refused: it would mean the working directory."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Path of the given name. Fails if the name is empty or blank."""
        if not os.fspath(value).strip():
            self.fail("the name is empty; give a directory, or leave the option out", param, ctx)
        return cast("Path", super().convert(value, param, ctx))


# Built once: click's path type loads a translation, which searches for files.
_TYPES = {
    "DIR": Directory(file_okay=False, path_type=Path),
    "FILE": click.Path(exists=True, dir_okay=False, path_type=Path),
    "SHARE": float,
}


def option(text: str, of: tuple[str, ...] = (), **attributes: object) -> Decorator:
    """Option with a value; `of` lists the allowed words.

    `text` is `FLAGS parameter VALUE: help`, with the parameter in small letters and the name of the
    value in capitals; both are optional.
    """
    names, _, help_text = text.partition(": ")
    metavar = next((word for word in names.split() if word.isupper()), None)
    words = [word for word in names.split() if word != metavar]
    attributes |= {"metavar": metavar, "help": help_text}
    attributes.setdefault("type", click.Choice(of) if of else _TYPES.get(metavar or ""))
    return click.option(*words, cls=click.Option, **attributes)


def repeated(text: str, of: tuple[str, ...] = (), **attributes: object) -> Decorator:
    """Option that may be given several times."""
    return option(f"{text} May be repeated.", of, multiple=True, **attributes)


def flag(text: str, **attributes: object) -> Decorator:
    """Option without a value."""
    return option(text, (), is_flag=True, **attributes)


def number(text: str, default: int, low: int = 1, high: int | None = None) -> Decorator:
    """Option that takes a whole number within bounds."""
    return option(text, type=click.IntRange(low, high), default=default, show_default=True)


def limit(default: int, most: int | None = None, help: str = "How many at most.") -> Decorator:
    """Option for the maximum number of results."""
    return number(f"-n --limit: {help}", default, high=most)


def time_option(text: str) -> Decorator:
    """Option that takes a time."""
    return option(f"{text} {_TIME}", callback=time_given)


def _variable(text: str, **attributes: object) -> Decorator:
    name = text.partition("--")[2].split()[0]
    return option(text, (), envvar=f"MNEMOLOG_{name.upper()}", show_envvar=True, **attributes)


home = _variable(
    "--home DIR: Directory of the ledger; default: the platform's directory for user data."
)
space = _variable(
    "-s --space spaces NAME: Space to act in; default: 'default'.",
    type=SpaceName(),
    callback=lambda _ctx, _param, name: () if name is None else (name,),
)
several_spaces = _variable(
    "-s --space spaces NAME: Space to ask; default: 'default'. May be repeated.",
    type=SpaceName(),
    multiple=True,
)
actor = _variable(
    "--actor WHO: Who acts: user:NAME, agent:NAME or system:NAME; default: the logged-in user."
)
session = _variable("--session NAME: Session that this command belongs to; default: a new one.")
as_json = flag("--json as_json: Print one JSON object; errors become one on standard error.")
quiet = flag("-q --quiet: Print no notes and no progress on standard error.")
as_of = option(
    f"--as-of MOMENT: Answer as of a past moment: a position of the log, or a time. {_TIME}",
    callback=log_moment,
)
to_moment = option("--to MOMENT: Stop at this moment, as for --as-of.", callback=log_moment)
into = option("--into scratch DIR: Keep the resulting home here; default: it is deleted.")
exploration = option(
    "--exploration SEED: Draw the weights at random with this seed instead of using their mean.",
    type=click.IntRange(min=0),
)
reason = option("-r --reason TEXT: The reason, stored with the event.")
override = flag("--override: Change immutable memories too; the ledger records this.")
contradictions = option(
    "--contradictions: Whether to look for contradictions with stored memories; default: the "
    "space's setting.",
    CHECKING,
)
yes = flag("-y --yes: Do not ask; required without a terminal.")
strategy = option("--strategy: How to rank; default: the space's setting.", STRATEGIES)
reference = arguments("REFERENCE")
references = arguments("REFERENCE... references")
new_file = arguments("[FILE]", type=click.Path(dir_okay=False, path_type=Path))
text = arguments("TEXT... words", required=False)
input_file = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
conversation = option(
    '--conversation FILE: A conversation: a JSON object {"role": …, "content": …} a line; - reads '
    "standard input.",
    type=input_file,
)

WRITING = (home, space, actor, session, as_json, quiet)
READING = (home, space, as_of, as_json, quiet)
READING_SEVERAL = (home, several_spaces, as_of, as_json, quiet)
PRESENT = (home, space, as_json, quiet)
WHOLE_HOME = (home, as_json, quiet)

memory_fields = together(
    option("-k --kind: What sort of memory; default: semantic.", KINDS),
    option("--category WORD: A free word, such as error_correction."),
    repeated("-t --tag tags WORD: A tag to filter by."),
    repeated("--alias aliases TEXT: Another name that people ask for it by."),
    option("--source SOURCE: Where it comes from: user:NAME, agent:NAME, file:PATH, a URL."),
    option("--note source_note TEXT: A note on the source."),
    option("--source-type: How the source knows; default: by its scheme.", SOURCE_TYPES),
    option("--source-confidence SHARE: Trust in the source, 0 to 1; default: by its type."),
    option("--extraction-method WORD: How the text was extracted from the source."),
    option("--extraction-confidence SHARE: Trust in the extraction, 0 to 1; default: 1."),
    option("--place PATH: Where to file it: a path such as room/drawer."),
    option("--snippet TEXT: The original words of the source."),
    option(
        "--constraint CLASS: It limits what may be done: safety, cost, compatibility or a class of "
        "your own."
    ),
    repeated("--evidence REFERENCE: A memory that supports it."),
    time_option("--valid-from: When it began to be true."),
    time_option("--valid-until: When it ends being true."),
    option("--importance: How much it matters; default: medium.", IMPORTANCES),
    option("--volatility: How fast it ages; default: normal.", VOLATILITIES),
    repeated("--mark marks: A reason to keep it.", of=MARKS),
    option(
        "--lasting/--not-lasting: Whether it is a lasting fact, which never fades; default: "
        "decided from the text.",
        default=None,
    ),
    flag("--immutable: Supersede, fade or redact it only with an explicit override.", default=None),
    option("--id ID: Its id, 32 hexadecimal digits: a retry then stores it once."),
)
filters = together(
    repeated("-k --kind kinds: Only of this kind.", of=KINDS),
    repeated("-t --tag tags WORD: Only with this tag."),
    option("--source SOURCE: Only from this source."),
    option("--place PATH: Only from this place or below it."),
    repeated(
        "--status statuses: Only with this status; default: those that recall answers with.",
        of=STATUSES,
    ),
    time_option("--valid-at: Only what was true at that time."),
)
