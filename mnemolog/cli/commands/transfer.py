"""Commands that import and export: import, export, backup, restore."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from click.exceptions import Exit

from mnemolog.cli.calls import options as opt
from mnemolog.cli.calls.call import confirm, confirmed
from mnemolog.cli.calls.exit_codes import ExitCode, refuse
from mnemolog.cli.output import printing as out

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mnemolog import EventsImported, ImportNotConfirmed, ImportReport
    from mnemolog.application.imports.readers import Format
    from mnemolog.cli.calls.call import CommandCall

FORMATS = ("jsonl", "markdown", "git", "transcript", "events")


@opt.command(opt.contradictions, opt.yes, *opt.WRITING, name="import")
@opt.arguments("PATH source", type=click.Path(exists=True, path_type=Path))
@opt.option("--format form: Format of PATH; default: detected.", FORMATS)
@opt.repeated("--setting settings NAME: Import this setting from a file of events.")
def import_(
    call: CommandCall,
    source: Path,
    *,
    form: Format | Literal["events"] | None,
    settings: tuple[str, ...],
    yes: bool,
    **options: object,
) -> None:
    """Import memories or events.

    PATH is a JSON Lines file, a folder of Markdown, a git repository, a coding agent's transcript,
    or events that `mnemolog export` wrote. Times and sources are kept, and nothing is imported
    twice. A file of events is checked as a whole first; its settings apply only if --setting names
    them, and import asks before its redactions destroy content of this home.
    """
    from mnemolog.application.transfer.exports import is_export

    if form is None and is_export(source):
        form = "events"
        call.notice(f"{source} is an export of events, and is imported as one")
    if form == "events":
        _import_events(call, source, settings, yes=yes)
        return
    if settings:
        refuse("--setting is for files of events, which `mnemolog export` writes")
    _import_memories(call, source, form, options)


def _import_events(
    call: CommandCall, source: Path, settings: tuple[str, ...], *, yes: bool
) -> None:
    from mnemolog import ImportNotConfirmed
    from mnemolog.application.home.home import home_path, is_missing
    from mnemolog.application.transfer.event_imports import check_export

    if is_missing(home_path(call.home)):
        check_export(source, settings)

    def agreed(asked: ImportNotConfirmed) -> bool:
        lines = [f"memories of this home that would lose their text: {asked.memories:,}"]
        lines += [f"  {one[:8]}  {out.known_text(text)}" for one, text in asked.examples]
        return call.shown_and_agreed(lines, "destroy it?")

    with call.memory("create") as memory:

        def imported(sure: bool) -> EventsImported:  # noqa: FBT001 - as `confirmed` passes it
            with call.progress() as progress:
                return memory.log.import_events(source, progress, settings=settings, confirmed=sure)

        done = confirmed(imported, ImportNotConfirmed, agreed, yes=yes)
    if not call.answered(done):
        _write_imported(done)
    if done.left:
        raise Exit(ExitCode.INCOMPLETE)


def _write_imported(imported: EventsImported) -> None:
    events = out.counted(imported.events, "event")
    out.write_line(f"imported {events}, skipped {imported.skipped:,}")
    if imported.erased:
        out.write_line(f"redacted in the file, and now destroyed here: {len(imported.erased):,}")
    if imported.settings_ignored:
        names = ", ".join(imported.settings_ignored)
        out.write_line(out.one_line(f"settings in the file that were not imported: {names}"))
    out.write_left(imported.left)


def _import_memories(
    call: CommandCall, source: Path, form: Format | None, options: Mapping[str, object]
) -> None:
    from mnemolog import Settings
    from mnemolog.application.home.home import home_path, is_missing
    from mnemolog.application.imports.files import nothing_read, readable
    from mnemolog.application.imports.readers import detect_format, estimate, read

    known = form or detect_format(source)
    expected = estimate(source, known) or 0
    # A home that this import creates starts with the default limit.
    limit = Settings().content_limit_bytes if is_missing(home_path(call.home)) else sys.maxsize
    items = readable(read(source, known, call.space), source, limit)
    with call.memory("create") as memory, call.progress() as progress:

        def show(task: str, done: int, total: int) -> None:
            progress(task, done, total or expected)

        store: Callable[..., ImportReport] = memory.import_memories
        report = store(items, show, **options)
        if report.problems and not (report.added or report.known or report.outdated):
            raise nothing_read(source, report.problems)
    if call.answered(report):
        return
    out.write_fields(
        [
            ("added", f"{report.added:,}"),
            ("known already", f"{report.known:,}"),
            ("superseded", f"{report.superseded:,}"),
            ("outdated", f"{report.outdated:,}"),
            ("conflicts", f"{report.conflicts:,}" if report.conflicts else None),
        ]
    )
    for problem in report.problems:
        out.write_error_line("not imported", f"{problem.where}: {problem.what}; {problem.fix}")


@opt.command(opt.new_file, *opt.WHOLE_HOME)
def export(call: CommandCall, file: Path | None) -> None:
    """Write the events as JSON Lines.

    The events of every space go to FILE, which must not exist yet, or to standard output. Imported
    into an empty home, they are the same log again. FILE appears when it is complete, and only its
    owner can read it.
    """
    from mnemolog.ledger.errors import ExportedInPart
    from mnemolog.ledger.files import check_outside
    from mnemolog.ledger.scratch import written_new

    if file is None and call.as_json:
        refuse("standard output carries the events: give a FILE, or leave out --json")
    damage = None
    with call.memory() as memory, call.progress() as progress:
        if file is None:
            count = memory.log.export_events(sys.stdout.buffer, progress)
            call.notice(f"exported {out.counted(count, 'event')}")
            return
        check_outside("file", file, memory.home)
        with written_new(file) as target:
            try:
                count = memory.log.export_events(target, progress)
            except ExportedInPart as error:
                # The events before the damage verify, and the file is kept.
                damage, count = error, error.last_good
    written = f"exported {out.counted(count, 'event')} to {file}"
    call.say({"events": count, "file": file}, written)
    if damage is not None:
        raise damage


@opt.command(opt.arguments("TARGET", type=click.Path(path_type=Path)), *opt.WHOLE_HOME)
def backup(call: CommandCall, target: Path) -> None:
    """Copy the log; safe while the home is in use.

    The copy goes to TARGET; `mnemolog restore` brings it back.
    """
    with call.memory() as memory, call.progress() as progress:
        head = memory.log.backup(target, progress)
        said = f"backed up {out.at(head.position)} to {target}; its digest is {head.digest}"
        call.say(head, said)


@opt.command(opt.yes, *opt.WHOLE_HOME)
@opt.arguments("SOURCE", type=click.Path(exists=True, path_type=Path))
def restore(call: CommandCall, source: Path, *, yes: bool) -> None:
    """Replace a home by a backup.

    SOURCE is a file that `mnemolog backup` wrote; it is verified first. If the restore is
    interrupted, the home holds either the whole old log or the whole new one, and the next command
    says which. The old log is kept beside the home, in HOME.before-restore.
    """
    from mnemolog import default_home, restore

    home = call.home or default_home()
    if not yes:
        confirm(f"Replace the log of {home} by {source}?")
    with call.progress() as progress:
        restored = restore(source, home, progress)
    if call.answered(restored):
        return
    events = out.counted(restored.events, "event")
    out.write_line(f"restored {events}, verified up to {out.at(restored.head_position)}")
    if restored.kept is not None:
        from mnemolog.ledger.sqlite.switching import kept_in

        out.write_line(f"{kept_in(restored.kept)} is in {restored.kept}")
