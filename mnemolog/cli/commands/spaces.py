"""Commands about spaces and settings: spaces, config; and completion."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import click
import msgspec
from click.exceptions import Exit
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from mnemolog.cli.calls import options as opt
from mnemolog.cli.calls.call import confirm
from mnemolog.cli.calls.exit_codes import ExitCode, did_you_mean, refuse
from mnemolog.cli.calls.inputs import SettingValue, scalar
from mnemolog.cli.output import printing as out

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemolog import Memory, Receipt, Redaction
    from mnemolog.cli.calls.call import CommandCall

SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


class UnknownSpace(click.ClickException):
    """A space to delete has no memories that could be deleted."""

    exit_code = ExitCode.NOT_FOUND


@opt.command(opt.home, opt.actor, opt.session, opt.as_of, opt.as_json, opt.quiet)
@opt.action("list", "delete")
@opt.arguments("[NAME]")
@opt.flag("--redact destroy: Destroy the texts for good.")
@opt.together(opt.reason, opt.override, opt.yes)
def spaces(
    call: CommandCall, *, action: str, name: str | None, destroy: bool, yes: bool, **options: object
) -> None:
    """List the spaces of the home, or delete one.

    ACTION is list (the default) or delete. The log is append-only, so deleting the space NAME
    withdraws its memories: they leave all answers, and their texts stay in the ledger for audit.
    With --redact their texts are destroyed for good. The record of the events, the settings and the
    edges stay in both cases. Delete asks first, and refuses a space with immutable memories unless
    --override is given.
    """
    if action == "list":
        if name is not None or destroy:
            refuse("to delete a space write `mnemolog spaces delete NAME`")
        _list(call)
        return
    if name is None:
        refuse("give the NAME of the space to delete")
    call.refuse_past()
    with replace(call, spaces=(name,)).memory() as memory:
        affected = _affected(memory, override=bool(options["override"]), withdrawn=destroy)
        number = out.counted(len(affected), "memory")
        if not yes:
            what = "Destroy the texts of" if destroy else "Withdraw"
            confirm(f"{what} {number} of the space {name!r}?", f"this would change {number}")
        if destroy:
            redact: Callable[..., Redaction] = memory.redact
            redaction = redact(*affected, **options)
            answer = {"space": name, "redacted": len(affected), "left": redaction.left}
            said = (
                f"destroyed the texts of {number} of the space {name!r}; the record of the events"
            )
            call.say(answer, f"{said} stays in the log")
            out.write_left(redaction.left)
            if not redaction.complete:
                raise Exit(ExitCode.INCOMPLETE)
            return
        withdraw: Callable[..., Receipt] = memory.withdraw
        with call.progress() as progress:
            for done, memory_id in enumerate(affected, 1):
                withdraw(memory_id, **options)
                progress("withdrawing", done, len(affected))
        said = f"withdrew {number} of the space {name!r}; the events stay in the log"
        call.say({"space": name, "withdrawn": len(affected)}, said)


def _list(call: CommandCall) -> None:
    """Show the spaces by name, each with its number of memories: all, and by status."""
    statuses: dict[str, Counter[str]] = {}
    with call.reading() as reader:
        for one in reader.inspect.counts():
            statuses.setdefault(one.space, Counter())[one.status] += one.memories
    found = [(space, counts.total(), counts) for space, counts in sorted(statuses.items())]
    names = ("space", "memories", "statuses")
    if call.answered({"spaces": [dict(zip(names, one, strict=True)) for one in found]}):
        return
    rows = [
        (space, f"{total:,}", ", ".join(f"{number:,} {status}" for status, number in each.items()))
        for space, total, each in found
    ]
    out.write_table("spaces", "space, memories, by status", rows)


def _affected(memory: Memory, *, override: bool, withdrawn: bool) -> list[str]:
    """The memories to delete, oldest first: those redacted are not, those withdrawn on request.

    Refuses a space without memories, and one with immutable memories that has no override.
    """
    stored = memory.log.events(kinds=("remembered",))
    ids = dict.fromkeys(entry.memory_id for entry in stored if entry.memory_id is not None)
    final = ("redacted",) if withdrawn else ("redacted", "withdrawn")
    affected = [item for item in map(memory.get, ids) if item.status not in final]
    if not affected:
        nearest = did_you_mean(memory.space, [count.space for count in memory.inspect.counts()])
        raise UnknownSpace(f"no memories to delete in the space {memory.space!r}.{nearest}")
    immutable = sum(item.immutable for item in affected)
    if immutable and not override:
        refuse(f"{out.counted(immutable, 'immutable memory')} in the space: give --override")
    return [item.memory_id for item in affected]


@opt.command(opt.reason, *opt.WRITING, opt.as_of)
@opt.arguments("[NAME]", "[VALUE]")
@opt.flag("--unset: Reset the setting NAME to its default.")
def config(
    call: CommandCall, name: str | None, value: str | None, *, unset: bool, reason: str | None
) -> None:
    """Read and change the settings of a space.

    Without NAME all settings are listed, with NAME its value is printed, and VALUE becomes the new
    one. Every change is an event, so that a replay uses the settings of each moment.
    """
    if unset and (name is None or value is not None):
        refuse("--unset takes one NAME and no VALUE")
    if name is not None and (unset or value is not None):
        call.refuse_past()
        setting = None if value is None else scalar(value)
        change = {"settings": {name: setting}, "reason": reason}
        call.carry_out(lambda memory: memory.configure, change, "create")
        return
    with call.reading() as reader:
        values: dict[str, SettingValue] = msgspec.to_builtins(reader.settings())
    if name is None:
        if not call.answered(values):
            out.write_fields((key, _shown(value)) for key, value in values.items())
    elif name not in values:
        refuse(f"no setting {name!r}.{did_you_mean(name, values)} `mnemolog config` lists all")
    else:
        call.say({name: values[name]}, _shown(values[name]))


def _shown(value: SettingValue) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


@click.command()
@opt.arguments("SHELL", type=click.Choice(tuple(SHELLS)))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a shell's completion script.

    SHELL is bash, zsh or fish. Put eval "$(mnemolog completion bash)" into ~/.bashrc, the same with
    zsh into ~/.zshrc, or run mnemolog completion fish | source.
    """
    root = context.find_root().command
    click.echo(SHELLS[shell](root, {}, "mnemolog", "_MNEMOLOG_COMPLETE").source())
