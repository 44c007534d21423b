"""Commands about a home and its spaces: import, export, backup, restore, spaces, config."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import msgspec
from click.exceptions import Exit
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from mnemolog.cli import options as opt, printing as out
from mnemolog.cli.call import SettingValue, confirm, scalar
from mnemolog.cli.exit_codes import ExitCode, did_you_mean, refuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemolog import EventsImported, ImportReport, Memory, Receipt, Redaction
    from mnemolog.application.imports.readers import Format
    from mnemolog.cli.call import CommandCall

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
        ("added", f"{report.added:,}"),
        ("known already", f"{report.known:,}"),
        ("superseded", f"{report.superseded:,}"),
        ("outdated", f"{report.outdated:,}"),
        ("conflicts", f"{report.conflicts:,}" if report.conflicts else None),
    )
    for problem in report.problems:
        out.write_error_line("not imported", f"{problem.where}: {problem.what}; {problem.fix}")


def _import_events(
    call: CommandCall, source: Path, settings: tuple[str, ...], *, yes: bool
) -> None:
    from mnemolog import ImportNotConfirmed
    from mnemolog.application.home.home import home_path, is_missing
    from mnemolog.application.transfer.event_imports import check_export

    if is_missing(home_path(call.home)):
        check_export(source, settings)
    with call.memory("create") as memory:

        def imported(*, sure: bool) -> EventsImported:
            with call.progress() as progress:
                return memory.log.import_events(source, progress, settings=settings, confirmed=sure)

        try:
            done = imported(sure=yes)
        except ImportNotConfirmed as asked:
            lines = [f"memories of this home that would lose their text: {asked.memories:,}"]
            lines += [f"  {one[:8]}  {out.known_text(text)}" for one, text in asked.examples]
            if not call.shown_and_agreed(lines, "destroy it?"):
                raise
            done = imported(sure=True)
    if not call.answered(done):
        out.write_line(f"imported {out.counted(done.events, 'event')}, skipped {done.skipped:,}")
        if done.erased:
            out.write_line(f"redacted in the file, and now destroyed here: {len(done.erased):,}")
        if names := ", ".join(done.settings_ignored):
            out.write_line(out.one_line(f"settings in the file that were not imported: {names}"))
        out.write_left(done.left)
    if done.left:
        raise Exit(ExitCode.INCOMPLETE)


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
    call.say({"events": count, "file": file}, f"exported {out.counted(count, 'event')} to {file}")
    if damage is not None:
        raise damage


@opt.command(opt.arguments("TARGET", type=click.Path(path_type=Path)), *opt.WHOLE_HOME)
def backup(call: CommandCall, target: Path) -> None:
    """Copy the log; safe while the home is in use.

    The copy goes to TARGET; `mnemolog restore` brings it back.
    """
    with call.memory() as memory, call.progress() as progress:
        head = memory.log.backup(target, progress)
        place = f"{out.at(head.position)} to {target}"
        call.say(head, f"backed up {place}; its digest is {head.digest}")


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


SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


class UnknownSpace(click.ClickException):
    """Error for a space to delete that has no memories that could be deleted."""

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
    with msgspec.structs.replace(call, spaces=(name,)).memory() as memory:
        affected = _affected(memory, override=bool(options["override"]), withdrawn=destroy)
        number = out.counted(len(affected), "memory")
        if not yes:
            what = "Destroy the texts of" if destroy else "Withdraw"
            confirm(f"{what} {number} of the space {name!r}?", f"this would change {number}")
        if destroy:
            redact: Callable[..., Redaction] = memory.redact
            redaction = redact(*affected, **options)
            what = f"the texts of {number} of the space {name!r}; the record of the events"
            answer = {"space": name, "redacted": len(affected), "left": redaction.left}
            call.say(answer, f"destroyed {what} stays in the log")
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
    statuses: dict[str, Counter[str]] = {}
    with call.reading() as reader:
        for one in reader.inspect.counts():
            statuses.setdefault(one.space, Counter())[one.status] += one.memories
    found = [
        {"space": space, "memories": counts.total(), "statuses": counts}
        for space, counts in sorted(statuses.items())
    ]
    if not call.answered({"spaces": found}):
        rows = [
            (space, f"{counts.total():,}", ", ".join(f"{n:,} {one}" for one, n in counts.items()))
            for space, counts in sorted(statuses.items())
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
            out.write_fields(*((key, _shown(value)) for key, value in values.items()))
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
