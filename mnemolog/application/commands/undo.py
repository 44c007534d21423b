"""Undo of a command, and its preview: the command, and reasons to ask before."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mnemolog.application.commands.command import (
    command_in_turn,
    overdue_of,
)
from mnemolog.application.commands.command_history import (
    BeforeCommand,
    check_not_undone,
    command_events,
    last_command,
    stands,
    undone_by,
)
from mnemolog.application.commands.consulting import Consulted
from mnemolog.application.commands.drafts import drafts
from mnemolog.application.commands.overdue_falls import raised, tiers_after
from mnemolog.application.commands.receipts import Receipt
from mnemolog.application.commands.undo_dependents import dependents
from mnemolog.application.commands.undone_merges import (
    given_back,
    parted,
)
from mnemolog.application.history.entries import entry
from mnemolog.application.home.elapsed import present
from mnemolog.application.home.home import Home
from mnemolog.application.home.references import event_named
from mnemolog.application.home.space import Cut, WritableSpace
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.decay import DAY_US
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.errors import (
    UnconfirmedUndo,
)
from mnemolog.ledger.events import Draft, Event, MemoryContent
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Log, LogRange, events_in
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded
from mnemolog.policies.supersession import (
    Decision,
)
from mnemolog.policies.undo import after_falls, decide_undo
from mnemolog.results import Value

_UPKEEP = ("ticked", "maintained", "consolidated")


class UndoPreview(Value, frozen=True):
    """Preview of the command that an undo would reverse.

    `kind`, `summary` and `memory_id` are those of its first event; `content` is the memory's
    text, None if the event concerns no memory or the text was redacted. `events` is the number
    of events. `reasons` are those to ask a person first; empty if there is no need.
    """

    position: Position
    recorded_at: datetime
    actor: str
    kind: str
    summary: str
    memory_id: MemoryId | None
    content: str | None
    events: int
    reasons: tuple[str, ...]


def preview_of(home: Home, command: Sequence[Event], cut: Cut) -> UndoPreview:
    """Preview of a command's undo, with the reasons to ask a person first."""
    first = command[0]
    return UndoPreview(
        position=first.position,
        recorded_at=to_datetime(first.recorded_at),
        actor=first.actor,
        kind=first.kind,
        summary=entry(first).summary,
        memory_id=first.memory_id,
        content=None if first.memory_id is None else _text_of(home.log, first.memory_id),
        events=len(command),
        reasons=(*_age(first, present(home, cut)), *_upkeep_since(home, command[-1], cut)),
    )


def by_another(preview: UndoPreview, actor: str) -> UndoPreview:
    """Preview of an undo without a reference: one more reason if another actor gave the command."""
    if preview.actor == actor:
        return preview
    reason = f"it was given by {preview.actor}, not by {actor}"
    return msgspec.structs.replace(preview, reasons=(*preview.reasons, reason))


def check_unasked(preview: UndoPreview) -> None:
    """Check that there is no reason to ask before an undo. Raises `UnconfirmedUndo`."""
    if preview.reasons:
        raise UnconfirmedUndo(
            position=preview.position,
            kind=preview.kind,
            content=preview.content,
            recorded_at=preview.recorded_at,
            actor=preview.actor,
            events=preview.events,
            reasons=preview.reasons,
        )


def _text_of(log: Log, memory_id: MemoryId) -> str | None:
    remembered = log.concerning(memory_id)[0]
    check_content(remembered)
    decoded = VOCABULARY.decode(remembered)
    content = decoded.content if isinstance(decoded, Decoded) else None
    return content.text if isinstance(content, MemoryContent) else None


def _age(first: Event, now: Micros) -> tuple[str, ...]:
    age = now - first.recorded_at
    if age < -DAY_US:
        return ("it was recorded by a clock that stood ahead, so that its age is unknown",)
    if age <= DAY_US:
        return ()
    days = age // DAY_US
    return (f"it is {days:,} {'day' if days == 1 else 'days'} old",)


def _upkeep_since(home: Home, last: Event, cut: Cut) -> tuple[str, ...]:
    """Reason to ask before an undo: later upkeep that is in force; only the first is named."""
    later = LogRange(last.position, cut.position, last.space, _UPKEEP)
    for event in events_in(home.log, later):
        if stands(home, event, cut):
            return (f"upkeep ran since, at position {event.position}",)
    return ()


def undo(
    space: WritableSpace, reference: str | None = None, *, reason: str | None = None
) -> Receipt:
    """Receipt of an undo, which reverses the command of an event, or the last one not undone yet.

    `changed` names the command first. Raises `CannotUndo` for redactions, for events of a
    caller's own kind, and if later events depend on the command, with their positions.
    Raises `UnconfirmedUndo` for a last command that there are reasons to look at first;
    a reference confirms it.
    """

    def decide(
        consulted: Consulted, cut: Cut
    ) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        command, decisions = _reversing(space, reference, reason, cut)
        if reference is None:
            check_unasked(by_another(preview_of(space.home, command, cut), space.author.actor))
        touched = [d.memory_id for d in decisions if d.memory_id is not None]
        if command[0].kind != "ticked":
            overdue = overdue_of(space, builtins.list(dict.fromkeys(touched)), cut, consulted)
            tiers = tiers_after(space.home, touched, overdue, cut)
            decisions = after_falls(decisions, overdue, tiers)
            decisions += given_back(space.home, space.name, parted(command, decisions), cut)
            decisions += raised(space.home, space.name, decisions, cut)
        return drafts(decisions, space.author, cut.instant), touched

    batch, told = command_in_turn(space, decide)
    (undone,) = space.home.log.positions_of(undone_by(batch)).values()
    said = f"the command at position {undone} is undone"
    return msgspec.structs.replace(told, changed=(said, *told.changed[1:]))


def preview_undo(space: WritableSpace, reference: str | None = None) -> UndoPreview:
    """Preview of the command that `undo` would reverse, with the reasons to ask a person first.

    Changes nothing, and raises `CannotUndo` as `undo` would.
    """
    cut = space.cut()
    command, _ = _reversing(space, reference, None, cut)
    preview = preview_of(space.home, command, cut)
    return preview if reference is not None else by_another(preview, space.author.actor)


def _reversing(
    space: WritableSpace, reference: str | None, reason: str | None, cut: Cut
) -> tuple[builtins.list[Event], builtins.list[Decision]]:
    """Command, by default the last one, and the decisions that reverse it as of a moment."""
    event = (
        last_command(space.home, space.name, cut)
        if reference is None
        else event_named(space, reference)
    )
    command = command_events(space.home.log, event)
    check_not_undone(space.home, command, cut)
    later = dependents(space.home, command, cut)
    before = BeforeCommand(space.home, space.name, command[0].position, cut)
    return command, decide_undo(command, later, before, reason)
