"""Commands about spaces and settings: spaces, config; and completion."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import click
import msgspec
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from mnemolog.cli.exit_codes import ExitCode, refuse
from mnemolog.cli.groups import did_you_mean
from mnemolog.cli.options import (
    WRITING,
    actor,
    as_json,
    as_of,
    home,
    override,
    quiet,
    reason,
    session,
    shared,
    yes,
)
from mnemolog.cli.output import printing as out
from mnemolog.cli.output.confirmation import confirm
from mnemolog.cli.output.progress import progress_of
from mnemolog.cli.output.receipts import carry_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mnemolog import Count, Item, Memory
    from mnemolog.cli.call import CommandCall

SettingValue = str | int | float | bool | None
SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


class UnknownSpace(click.ClickException):
    """A space to delete has no memories that could be deleted."""

    exit_code = ExitCode.NOT_FOUND

    def __init__(self, space: str, suggestion: str) -> None:
        super().__init__(f"no memories to delete in the space {space!r}.{suggestion}")


class SpaceCounts(msgspec.Struct, frozen=True):
    """A space, with its number of memories: all, and by status."""

    space: str
    memories: int
    statuses: dict[str, int]


@click.command()
@click.argument(
    "action",
    metavar="[ACTION]",
    required=False,
    default="list",
    type=click.Choice(("list", "delete")),
)
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--redact", "destroy", is_flag=True, help="Destroy the texts for good.")
@reason
@override
@yes
@shared(home, actor, session, as_of, as_json, quiet)
def spaces(
    call: CommandCall,
    *,
    action: Literal["list", "delete"],
    name: str | None,
    destroy: bool,
    reason: str | None,
    override: bool,
    yes: bool,
) -> None:
    """List the spaces of the home, or delete one.

    ACTION is list (the default) or delete. The log is append-only, so deleting the
    space NAME withdraws its memories: they leave all answers, and their texts stay
    in the ledger for audit. With --redact their texts are destroyed for good. The
    record of the events, the settings and the edges stay in both cases. Delete asks
    first, and refuses a space with immutable memories unless --override is given.
    """
    if action == "list":
        if name is not None or destroy:
            refuse("to delete a space write `mnemolog spaces delete NAME`")
        call.show(lambda reader: _spaces(reader.counts()), _write_spaces, "spaces")
        return
    if name is None:
        refuse("give the NAME of the space to delete")
    if call.as_of is not None:
        refuse("the past cannot be changed: leave out --as-of")
    with replace(call, spaces=(name,)).memory() as memory:
        affected = _affected(memory, "redacted", *(() if destroy else ("withdrawn",)))
        _check_deletion(memory, affected, override=override)
        what = "Destroy the texts of" if destroy else "Withdraw"
        if not yes:
            confirm(
                f"{what} {out.counted(len(affected), 'memory')} of the space {name!r}?",
                f"this would change {out.counted(len(affected), 'memory')}",
            )
        if destroy:
            _redact(call, memory, affected, reason, override=override)
        else:
            _withdraw(call, memory, affected, reason, override=override)


@click.command()
@click.argument("name", metavar="[NAME]", required=False)
@click.argument("value", metavar="[VALUE]", required=False)
@click.option("--unset", is_flag=True, help="Reset the setting NAME to its default.")
@reason
@shared(*WRITING, as_of)
def config(
    call: CommandCall, name: str | None, value: str | None, *, unset: bool, reason: str | None
) -> None:
    """Read and change the settings of a space.

    Without NAME all settings are listed, with NAME its value is printed, and
    VALUE becomes the new one. Every change is an event, so that a replay uses the
    settings of each moment.
    """
    if unset and (name is None or value is not None):
        refuse("--unset takes one NAME and no VALUE")
    if name is not None and (unset or value is not None):
        _change(call, {name: None if value is None else scalar(value)}, reason)
    else:
        _read(call, name)


@click.command()
@click.argument("shell", metavar="SHELL", type=click.Choice(tuple(SHELLS)))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a shell's completion script.

    SHELL is bash, zsh or fish. Put eval "$(mnemolog completion bash)" into
    ~/.bashrc, the same with zsh into ~/.zshrc, or run mnemolog completion fish |
    source.
    """
    root = context.find_root().command
    click.echo(SHELLS[shell](root, {}, "mnemolog", "_MNEMOLOG_COMPLETE").source())


def scalar(text: str) -> SettingValue:
    """The number or truth value that a text is in JSON, or else the text itself."""
    try:
        value: SettingValue = msgspec.json.decode(text, type=int | float | bool | None)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return text
    return value


def _spaces(counts: Iterable[Count]) -> tuple[SpaceCounts, ...]:
    statuses: dict[str, Counter[str]] = {}
    for count in counts:
        statuses.setdefault(count.space, Counter())[count.status] += count.memories
    return tuple(
        SpaceCounts(space, found.total(), dict(found)) for space, found in sorted(statuses.items())
    )


def _write_spaces(found: Sequence[SpaceCounts]) -> None:
    columns: dict[str, Callable[[SpaceCounts], str]] = {
        "space": lambda one: one.space,
        "memories": lambda one: f"{one.memories:,}",
        "by status": lambda one: ", ".join(f"{n:,} {status}" for status, n in one.statuses.items()),
    }
    out.write_table("spaces", found, columns)


def _affected(memory: Memory, *final: str) -> list[Item]:
    """The memories of the space that do not have a final status yet, oldest first."""
    stored = memory.log.events(kinds=("remembered",))
    ids = dict.fromkeys(entry.memory_id for entry in stored if entry.memory_id is not None)
    return [item for item in map(memory.get, ids) if item.status not in final]


def _check_deletion(memory: Memory, affected: Sequence[Item], *, override: bool) -> None:
    """Refuse a space without memories, and one with immutable memories that has no override."""
    if not affected:
        raise UnknownSpace(
            memory.space, did_you_mean(memory.space, [c.space for c in memory.counts()])
        )
    immutable = sum(item.immutable for item in affected)
    if immutable and not override:
        refuse(f"{out.counted(immutable, 'immutable memory')} in the space: give --override")


def _withdraw(
    call: CommandCall,
    memory: Memory,
    affected: Sequence[Item],
    reason: str | None,
    *,
    override: bool,
) -> None:
    with progress_of(call) as progress:
        for done, item in enumerate(affected, 1):
            memory.withdraw(item.memory_id, reason=reason, override=override)
            progress("withdrawing", done, len(affected))
    answer = {"space": memory.space, "withdrawn": len(affected)}
    said = (
        f"withdrew {out.counted(len(affected), 'memory')} of the space {memory.space!r}; "
        "the events stay in the log"
    )
    call.answer(answer, lambda _: out.write_line(said))


def _redact(
    call: CommandCall,
    memory: Memory,
    affected: Sequence[Item],
    reason: str | None,
    *,
    override: bool,
) -> None:
    ids = [item.memory_id for item in affected]
    redaction = memory.redact(*ids, reason=reason, override=override)
    answer = {"space": memory.space, "redacted": len(ids), "left": redaction.left}
    said = (
        f"destroyed the texts of {out.counted(len(ids), 'memory')} of the space {memory.space!r}; "
        "the record of the events stays in the log"
    )
    call.answer(answer, lambda _: out.write_line(said))
    out.write_left(redaction.left)
    if not redaction.complete:
        click.get_current_context().exit(ExitCode.INCOMPLETE)


def _change(call: CommandCall, settings: dict[str, SettingValue], reason: str | None) -> None:
    if call.as_of is not None:
        refuse("the past cannot be changed: leave out --as-of")
    carry_out(call, lambda memory: memory.configure(settings, reason=reason), "create")


def _read(call: CommandCall, name: str | None) -> None:
    with call.reading() as reader:
        values: dict[str, SettingValue] = msgspec.to_builtins(reader.settings())
    if name is None:
        call.answer(
            values, lambda _: out.write_fields((key, _shown(values[key])) for key in values)
        )
        return
    if name not in values:
        refuse(f"no setting {name!r}.{did_you_mean(name, values)} `mnemolog config` lists all")
    call.answer({name: values[name]}, lambda _: out.write_line(_shown(values[name])))


def _shown(value: SettingValue) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
