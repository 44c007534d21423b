"""The command that reads and changes settings: config."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from mnemolog.cli.exits import refuse
from mnemolog.cli.options import WRITING, acts, as_of, reason
from mnemolog.cli.output import write_fields, write_line
from mnemolog.cli.receipts import write_receipt

if TYPE_CHECKING:
    from mnemolog.cli.call import Call

SettingValue = str | int | float | bool | None


@click.command()
@click.argument("name", metavar="[NAME]", required=False)
@click.argument("value", metavar="[VALUE]", required=False)
@click.option("--unset", is_flag=True, help="Put the setting NAME back to its default.")
@reason
@acts(*WRITING, as_of)
def config(
    call: Call, name: str | None, value: str | None, *, unset: bool, reason: str | None
) -> None:
    """Read and change the settings of a space.

    Without NAME all settings are listed, with NAME its value is printed, and
    VALUE becomes the new one. Every change is an event, so that a replay knows
    which settings were in force.
    """
    if unset and (name is None or value is not None):
        refuse("--unset takes one NAME and no VALUE")
    if name is not None and (unset or value is not None):
        _change(call, {name: None if value is None else scalar(value)}, reason)
    else:
        _read(call, name)


def _change(call: Call, settings: dict[str, SettingValue], reason: str | None) -> None:
    if call.as_of is not None:
        refuse("the past cannot be changed: leave out --as-of")
    with call.memory("create") as memory:
        call.answer(memory.configure(settings, reason=reason), write_receipt)


def _read(call: Call, name: str | None) -> None:
    with call.reading() as reader:
        values: dict[str, SettingValue] = msgspec.to_builtins(reader.settings())
    if name is None:
        call.answer(values, lambda _: write_fields((key, _shown(values[key])) for key in values))
        return
    if name not in values:
        refuse(f"no setting {name!r}; use one of {', '.join(values)}")
    call.answer({name: values[name]}, lambda _: write_line(_shown(values[name])))


def scalar(text: str) -> SettingValue:
    """The number or truth value that a text is in JSON, or else the text itself."""
    try:
        value: SettingValue = msgspec.json.decode(text, type=int | float | bool | None)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return text
    return value


def _shown(value: SettingValue) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
