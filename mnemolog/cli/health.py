"""The command that says how a memory fares: `health`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemolog.cli.exits import refuse
from mnemolog.cli.options import READING, acts
from mnemolog.cli.output import Row, when, write_fields, write_line, write_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemolog import Health, Vital
    from mnemolog.cli.call import Call


@click.command()
@click.option("--all-spaces", is_flag=True, help="The health of every space of the home.")
@click.option(
    "--prometheus", is_flag=True, help="Print Prometheus' text format, for a textfile collector."
)
@acts(*READING)
def health(call: Call, *, all_spaces: bool, prometheus: bool) -> None:
    """Say how a memory fares, by limits.

    Growth, how much of it has faded, what was forgotten too soon, conflicts that wait
    and ticks, each with its limit and whether it holds.
    """
    from mnemolog import prometheus_text  # noqa: PLC0415 - heavy, and not needed for help

    if prometheus and call.as_json:
        refuse("one form is needed, not both: leave out --json or --prometheus")
    with call.reading() as reader:
        found = reader.upkeep.healths() if all_spaces else (reader.upkeep.health(),)
    if prometheus:
        click.echo(prometheus_text(found), nl=False)
    elif all_spaces:
        call.answer({"spaces": found}, lambda _: _write_all(found))
    else:
        call.answer(found[0], _write)


def _write_all(found: Sequence[Health]) -> None:
    for place, one in enumerate(found):
        if place:
            write_line()
        _write(one)


def _write(found: Health) -> None:
    write_fields(
        [
            ("space", found.space),
            ("health", "within its limits" if found.holds else "beyond a limit"),
        ]
    )
    write_table(
        ("measure", "value", "limit", "holds"),
        [
            _measure("growth a day", found.growth_per_day, "{:.2%}"),
            _measure("share active", found.active_share, "{:.1%}"),
            _measure("forgotten too soon", found.forgotten_too_soon, "{:.1%}"),
            _measure("destroyed after use", found.destroyed_after_use, "{:,.0f}"),
            _measure("conflicts settled after", found.settled_hours, "{:.1f} h"),
            _measure("oldest open conflict", found.open_hours, "{:.1f} h"),
            _measure("since the last tick", found.tick_hours, "{:.1f} h"),
        ],
    )
    write_fields(
        [
            *((status, f"{count:,}") for status, count in found.memories.items()),
            ("conflicts open", f"{found.conflicts_open:,}"),
            ("stored again", f"{found.relearned:,} of {found.deletions:,} deleted"),
            ("destroyed", _destroyed(found)),
            ("last tick", "never" if found.last_tick is None else when(found.last_tick)),
            ("uses", f"{found.uses.recalls:,} in seven days, {found.uses_ever.recalls:,} ever"),
            ("sessions", _sessions(found)),
        ]
    )


def _sessions(found: Health) -> str:
    if found.rounds_per_session is None:
        return "none in 30 days"
    return f"{found.sessions:,} in 30 days, {found.rounds_per_session:.1f} rounds each"


def _destroyed(found: Health) -> str:
    by = {"redaction": "redacted by", "time": "by time, in a tick of"}
    return (
        "; ".join(f"{one.memories:,} {by[one.cause]} {one.actor}" for one in found.destroyed)
        or "none"
    )


def _measure(name: str, vital: Vital, form: str) -> Row:
    value = "unknown" if vital.value is None else form.format(vital.value)
    holds = {None: "-", True: "yes", False: "NO"}[vital.holds]
    return Row((name, value, f"{vital.side} {form.format(vital.limit)}", holds))
