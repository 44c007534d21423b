"""Commands that bring things in and out: import, export, backup, restore."""

from __future__ import annotations

import sys
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
    from mnemolog import Checkpoint, EventsImported, ImportReport, Restored
    from mnemolog.imports.detect import Format

FORMATS = ("jsonl", "markdown", "git", "transcript", "events")


@click.command("import")
@click.argument("source", metavar="PATH", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="What PATH is; else it is told from its contents.",
)
@click.option(
    "--setting",
    "settings",
    multiple=True,
    metavar="NAME",
    help="Take this setting from a file of events, too; may be repeated.",
)
@contradictions
@acts(*WRITING)
def import_(
    call: Call,
    source: Path,
    *,
    form: Format | Literal["events"] | None,
    settings: tuple[str, ...],
    contradictions: Literal["check", "off"] | None,
) -> None:
    """Take in memories or events from elsewhere.

    PATH is a JSONL file, a folder of Markdown, a git repository, a coding agent's
    transcript, or events that `export` wrote. Times and sources are kept, and
    what was taken in before is not taken in again. A file of events is checked whole
    before any of it comes in; settings in it hold only if --setting names them.
    """
    from mnemolog.exports import is_export  # noqa: PLC0415 - heavy, and not needed for help
    from mnemolog.imports.detect import detect_format, estimate, read  # noqa: PLC0415 - heavy

    if form is None and is_export(source):
        form = "events"
        call.notice(f"{source} is an export of events, and is imported as one")
    if settings and form != "events":
        refuse("--setting is for files of events, which `export` writes")
    with call.memory("create") as memory, progress_of(call) as progress:
        if form == "events":
            imported = memory.import_events(source, progress, settings=settings)
            call.answer(imported, _write_imported)
            return
        known = form or detect_format(source)
        expected = estimate(source, known) or 0

        def show(doing: str, done: int, total: int) -> None:
            progress(doing, done, total or expected)

        items = read(source, known, memory.space)
        report = memory.import_memories(items, show, contradictions=contradictions)
        call.answer(report, _write_report)


@click.command()
@click.argument(
    "file", metavar="[FILE]", required=False, type=click.Path(dir_okay=False, path_type=Path)
)
@acts(*TENDING)
def export(call: Call, file: Path | None) -> None:
    """Write the events as JSONL.

    Those of every space go to FILE, which must not exist yet, or to standard output. Imported
    into an empty home they are the same log again. FILE appears when it is complete, and
    its owner alone can read it.
    """
    from ledger.files import check_outside  # noqa: PLC0415 - not needed for help
    from ledger.scratch import written_new  # noqa: PLC0415 - not needed for help

    if file is None and call.as_json:
        refuse("standard output carries the events: give a FILE, or leave out --json")
    with call.memory() as memory, progress_of(call) as progress:
        if file is None:
            count = memory.export_events(sys.stdout.buffer, progress)
            call.notice(f"exported {count:,} events")
            return
        check_outside("file", file, memory.home)
        with written_new(file) as target:
            count = memory.export_events(target, progress)
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

    SOURCE, which `backup` wrote, is verified before anything is replaced. If the
    restore is interrupted, the home holds the old log or the new one, whole, and the
    next command says which. The old log is kept beside the home, in
    HOME.before-restore.
    """
    from mnemolog import default_home, restore  # noqa: PLC0415 - heavy, and not needed for help

    home = call.home or default_home()
    if not yes:
        confirm(f"Replace what {home} holds by {source}?")
    with progress_of(call) as progress:
        call.answer(restore(source, home, progress), _write_restored)


def _write_imported(imported: EventsImported) -> None:
    write_line(f"{imported.events:,} events taken in, {imported.skipped:,} passed over")
    if imported.erased:
        write_line(f"{len(imported.erased):,} contents destroyed here: redacted in the file")
    if imported.settings_ignored:
        names = ", ".join(imported.settings_ignored)
        write_line(one_line(f"settings in the file that were not taken: {names}"))


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


def _write_restored(restored: Restored) -> None:
    write_line(f"restored {restored.events:,} events, verified up to {at(restored.head_position)}")
    if restored.kept is not None:
        from ledger.switching import kept_in  # noqa: PLC0415 - not needed for help

        write_line(f"{kept_in(restored.kept)} is in {restored.kept}")
