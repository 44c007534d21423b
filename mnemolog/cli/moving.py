"""Commands that bring things in and out: import, export, backup, restore."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from mnemolog.cli.confirming import confirm, confirmed, shown_and_agreed
from mnemolog.cli.exits import ExitCode, refuse
from mnemolog.cli.options import TENDING, WRITING, acts, contradictions, yes
from mnemolog.cli.output import at, one_line, write_fields, write_left, write_line
from mnemolog.cli.progress import progress_of

if TYPE_CHECKING:
    from mnemolog import Checkpoint, EventsImported, ImportNotConfirmed, ImportReport, Restored
    from mnemolog.application.imports.detect import Format
    from mnemolog.cli.call import Call

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
@yes
@acts(*WRITING)
def import_(  # noqa: PLR0913 - the options, by name
    call: Call,
    source: Path,
    *,
    form: Format | Literal["events"] | None,
    settings: tuple[str, ...],
    contradictions: Literal["check", "off"] | None,
    yes: bool,
) -> None:
    """Take in memories or events from elsewhere.

    PATH is a JSONL file, a folder of Markdown, a git repository, a coding agent's
    transcript, or events that `export` wrote. Times and sources are kept, and
    what was taken in before is not taken in again. A file of events is checked whole
    before any of it comes in; settings in it hold only if --setting names them, and
    it asks before redactions in it destroy what this home holds.
    """
    from mnemolog.application.transfer.exports import is_export  # noqa: PLC0415 - heavy, and not needed for help

    if form is None and is_export(source):
        form = "events"
        call.notice(f"{source} is an export of events, and is imported as one")
    if form == "events":
        _import_events(call, source, settings, yes=yes)
        return
    if settings:
        refuse("--setting is for files of events, which `export` writes")
    _import_memories(call, source, form, contradictions)


def _import_events(call: Call, source: Path, settings: tuple[str, ...], *, yes: bool) -> None:
    from mnemolog import ImportNotConfirmed  # noqa: PLC0415 - heavy, and not needed for help
    from mnemolog.application.home.home import home_path, is_missing  # noqa: PLC0415 - heavy
    from mnemolog.application.transfer.event_imports import check_export  # noqa: PLC0415 - heavy

    if is_missing(home_path(call.home)):
        check_export(source, settings)
    with call.memory("create") as memory:

        def imported(sure: bool) -> EventsImported:  # noqa: FBT001 - as `confirmed` gives it
            with progress_of(call) as progress:
                return memory.log.import_events(source, progress, settings=settings, confirmed=sure)

        done = confirmed(imported, ImportNotConfirmed, partial(_agreed, call), yes=yes)
    call.answer(done, _write_imported)
    if done.left:
        click.get_current_context().exit(ExitCode.INCOMPLETE)


def _agreed(call: Call, asked: ImportNotConfirmed) -> bool:
    """Agreement of a person to what an import destroys; see `shown_and_agreed`."""
    lines = [f"memories of this home that would lose their text: {asked.memories:,}"]
    lines += [f"  {memory_id[:8]}  {one_line(text)}" for memory_id, text in asked.examples]
    return shown_and_agreed(call, lines, "destroy it?")


def _import_memories(
    call: Call,
    source: Path,
    form: Format | None,
    contradictions: Literal["check", "off"] | None,
) -> None:
    from mnemolog import Settings  # noqa: PLC0415 - heavy, and not needed for help
    from mnemolog.application.home.home import home_path, is_missing  # noqa: PLC0415 - heavy
    from mnemolog.application.imports.detect import detect_format, estimate, read  # noqa: PLC0415 - heavy
    from mnemolog.application.imports.storing import nothing_read, readable  # noqa: PLC0415 - heavy

    known = form or detect_format(source)
    expected = estimate(source, known) or 0
    # A home that is made for this import has the limit that any home begins with.
    limit = Settings().content_limit_bytes if is_missing(home_path(call.home)) else sys.maxsize
    items = readable(read(source, known, call.space), source, limit)
    with call.memory("create") as memory, progress_of(call) as progress:

        def show(doing: str, done: int, total: int) -> None:
            progress(doing, done, total or expected)

        report = memory.import_memories(items, show, contradictions=contradictions)
        if report.problems and not (report.added or report.known or report.outdated):
            raise nothing_read(source, report.problems)
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
    from mnemolog.ledger.errors import ExportedInPart  # noqa: PLC0415 - not needed for help
    from mnemolog.ledger.files import check_outside  # noqa: PLC0415 - not needed for help
    from mnemolog.ledger.scratch import written_new  # noqa: PLC0415 - not needed for help

    if file is None and call.as_json:
        refuse("standard output carries the events: give a FILE, or leave out --json")
    damage = None
    with call.memory() as memory, progress_of(call) as progress:
        if file is None:
            count = memory.log.export_events(sys.stdout.buffer, progress)
            call.notice(f"exported {count:,} events")
            return
        check_outside("file", file, memory.home)
        with written_new(file) as target:
            try:
                count = memory.log.export_events(target, progress)
            except ExportedInPart as error:
                # What was written is whole, and is kept.
                damage, count = error, error.last_good
    call.answer(
        {"events": count, "file": file}, lambda _: write_line(f"exported {count:,} to {file}")
    )
    if damage is not None:
        raise damage


@click.command()
@click.argument("target", metavar="TARGET", type=click.Path(path_type=Path))
@acts(*TENDING)
def backup(call: Call, target: Path) -> None:
    """Copy the log, safe on a live home.

    The copy goes to TARGET. Kept elsewhere, `restore` brings it back.
    """
    with call.memory() as memory, progress_of(call) as progress:
        call.answer(memory.log.backup(target, progress), lambda head: _write_backup(target, head))


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
    write_left(imported.left)


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
        from mnemolog.ledger.switching import kept_in  # noqa: PLC0415 - not needed for help

        write_line(f"{kept_in(restored.kept)} is in {restored.kept}")
