"""Commands that bring things in and out: import, export, backup, restore."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from cli.confirming import confirm
from cli.exits import refuse
from cli.options import TENDING, WRITING, acts, contradictions, yes
from cli.output import at, one_line, write_fields, write_line
from cli.progress import progress_of

if TYPE_CHECKING:
    from cli.call import Call
    from mnemolog import Checkpoint, Imported, ImportReport, Verified
    from mnemolog.imports.detect import Format

FORMATS = ("jsonl", "markdown", "git", "transcript", "events")
EXPORT = b'{"format":"mnemolog-events/'
"""How every export begins."""


@click.command("import")
@click.argument("source", metavar="PATH", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="What PATH is; else it is told from its contents.",
)
@contradictions
@acts(*WRITING)
def import_(
    call: Call,
    source: Path,
    *,
    form: Format | Literal["events"] | None,
    contradictions: Literal["check", "off"] | None,
) -> None:
    """Take in memories or events from elsewhere.

    PATH is a JSONL file, a folder of Markdown, a git repository, a coding agent's
    transcript, or events that `export` wrote. Times and sources are kept, and
    what was taken in before is not taken in again.
    """
    from mnemolog.imports.detect import detect_format, estimate, read  # noqa: PLC0415 - heavy

    with call.memory() as memory, progress_of(call) as progress:
        if form == "events" or (form is None and _is_export(source)):
            call.answer(memory.import_events(source, progress), _write_imported)
            return
        known = form or detect_format(source)
        expected = estimate(source, known) or 0

        def show(doing: str, done: int, total: int) -> None:
            progress(doing, done, total or expected)

        items = read(source, known, memory.space)
        report = memory.import_memories(items, show, contradictions=contradictions)
        call.answer(report, _write_report)


def _is_export(source: Path) -> bool:
    """Whether a path is a file of events, in this version's format or in another's."""
    if not source.is_file():
        return False
    with source.open("rb") as file:
        return file.readline(len(EXPORT)) == EXPORT


@click.command()
@click.argument(
    "file", metavar="[FILE]", required=False, type=click.Path(dir_okay=False, path_type=Path)
)
@acts(*TENDING)
def export(call: Call, file: Path | None) -> None:
    """Write the events as JSONL.

    Those of every space go to FILE, which must not exist yet, or to standard output. Imported
    into an empty home they are the same log again.
    """
    if file is None and call.as_json:
        refuse("standard output carries the events: give a FILE, or leave out --json")
    with ExitStack() as stack:
        memory = stack.enter_context(call.memory())
        progress = stack.enter_context(progress_of(call))
        target = sys.stdout.buffer if file is None else stack.enter_context(file.open("xb"))
        count = memory.export_events(target, progress)
    if file is None:
        call.notice(f"exported {count:,} events")
    else:
        call.answer(
            {"events": count, "file": file}, lambda _: write_line(f"exported {count:,} to {file}")
        )


@click.command()
@click.argument("target", metavar="TARGET", type=click.Path(path_type=Path))
@acts(*TENDING)
def backup(call: Call, target: Path) -> None:
    """Copy the log, safe on a live home.

    The copy goes to TARGET. Kept elsewhere, `restore` brings it back.
    """
    with call.memory() as memory, progress_of(call) as progress:
        call.answer(memory.backup(target, progress), lambda head: _write_backup(target, head))


@click.command()
@click.argument("source", metavar="SOURCE", type=click.Path(exists=True, path_type=Path))
@yes
@acts(*TENDING)
def restore(call: Call, source: Path, *, yes: bool) -> None:
    """Put a backup in a home's place.

    SOURCE, which `backup` wrote, is verified before anything is replaced.
    """
    from mnemolog import default_home, restore  # noqa: PLC0415 - heavy, and not needed for help

    home = call.home or default_home()
    if not yes:
        confirm(f"Replace what {home} holds by {source}?")
    with progress_of(call) as progress:
        call.answer(restore(source, home, progress), _write_restored)


def _write_imported(imported: Imported) -> None:
    write_line(f"{imported.events:,} events taken in, {imported.skipped:,} known already")


def _write_report(report: ImportReport) -> None:
    write_fields(
        [
            ("added", f"{report.added:,}"),
            ("known already", f"{report.known:,}"),
            ("superseded", f"{report.superseded:,}"),
            ("outdated", f"{report.outdated:,}"),
            ("conflicts", f"{report.conflicts:,}" if report.conflicts else None),
        ]
    )
    for problem in report.problems:
        told = one_line(f"{problem.where}: {problem.what}; {problem.fix}")
        click.echo(f"not imported: {told}", err=True)


def _write_backup(target: Path, head: Checkpoint) -> None:
    write_line(f"backed up {at(head.position)} to {target}; its digest is {head.digest}")


def _write_restored(verified: Verified) -> None:
    write_line(f"restored {verified.events:,} events, verified up to {at(verified.head_position)}")
