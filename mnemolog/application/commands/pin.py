"""The commands of a space: each decides on the present state and appends events."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from mnemolog.application.commands.command import (
    Planned,
    append_planned,
    command,
    command_in_turn,
    ending_conflicts,
    expected_of,
    overdue_of,
    still_there,
    taking_turns,
    target_of,
)
from mnemolog.application.commands.command_history import (
    BeforeCommand,
    check_not_undone,
    command_events,
    last_command,
    undone_by,
)
from mnemolog.application.commands.consulting import Consulted, in_turn
from mnemolog.application.commands.drafts import drafts
from mnemolog.application.commands.overdue_falls import raised, tiers_after
from mnemolog.application.commands.receipts import Receipt, Redaction, receipt
from mnemolog.application.commands.undo_dependents import dependents
from mnemolog.application.commands.undo_previews import (
    UndoPreview,
    by_another,
    check_unasked,
    preview_of,
)
from mnemolog.application.commands.undone_merges import (
    given_back,
    parted,
    reached_by,
    standing_again,
)
from mnemolog.application.home.elapsed import present
from mnemolog.application.home.leftovers import copies_beside
from mnemolog.application.home.references import event_named
from mnemolog.application.home.settings import checked_settings
from mnemolog.application.home.space import Cut, WritableSpace
from mnemolog.application.redaction.foreign_files import traces_of
from mnemolog.application.redaction.quotations import about, quoting
from mnemolog.application.redaction.redact import checked_timeout, erase, erasing, words_of_others
from mnemolog.ledger.errors import (
    InvalidField,
    StorageFailed,
)
from mnemolog.ledger.events import (
    Configured,
    Draft,
    Event,
    SettingValue,
)
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Appended, Quiet
from mnemolog.policies.memories import (
    Time,
    instant,
)
from mnemolog.policies.supersession import (
    Decision,
    decide_pin,
    decide_unpin,
    decide_withdrawal,
    why,
)
from mnemolog.policies.undo import after_falls, decide_undo


def withdraw(
    space: WritableSpace, reference: str, *, reason: str | None = None, override: bool = False
) -> Receipt:
    """Take a memory out of all answers; it stays for audit, and `undo` brings it back."""

    def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        target = target_of(space, reference, cut)
        overrides = frozenset({target.memory_id}) if override else frozenset()
        decisions = [decide_withdrawal(target, overrides, reason)]
        decisions += ending_conflicts(space, [target.memory_id], cut)
        return drafts(decisions, space.author, cut.instant), [target.memory_id]

    return command(space, decide)[1]


def pin(
    space: WritableSpace, reference: str, *, until: Time | None = None, reason: str | None = None
) -> Receipt:
    """Hold a memory in working memory, for good or until a time."""
    expires_at = instant("until", until)

    def decide(
        consulted: Consulted, cut: Cut
    ) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        target = target_of(space, reference, cut)
        decision = decide_pin(target, expires_at, present(space.home, cut), reason)
        decisions = [decision, *overdue_of(space, [target.memory_id], cut, consulted)]
        return drafts(decisions, space.author, cut.instant), [target.memory_id]

    return command_in_turn(space, decide)[1]


def unpin(space: WritableSpace, reference: str, *, reason: str | None = None) -> Receipt:
    """Let a memory go from working memory. Raises `InvalidState` if it is not pinned."""

    def decide(
        consulted: Consulted, cut: Cut
    ) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        target = target_of(space, reference, cut)
        decision = decide_unpin(target, reason)
        decisions = [decision, *overdue_of(space, [target.memory_id], cut, consulted)]
        return drafts(decisions, space.author, cut.instant), [target.memory_id]

    return command_in_turn(space, decide)[1]


def configure(
    space: WritableSpace, settings: Mapping[str, SettingValue], *, reason: str | None = None
) -> Receipt:
    """Change settings of this space; None sets one back to its default."""
    changes = dict(sorted(checked_settings(settings).items()))

    def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        decision = Decision(Configured(changes), None, why(reason))
        return drafts([decision], space.author, cut.instant), []

    with taking_turns(space):
        return command(space, decide)[1]


def undo(
    space: WritableSpace, reference: str | None = None, *, reason: str | None = None
) -> Receipt:
    """Reverse a command, named by any of its events, or the last one not undone yet.

    `changed` says which one first. Raises `CannotUndo` for redactions, for events of a
    caller's own kind, and, naming them, where later events depend on the command; and
    `UnconfirmedUndo` for a last command that there are reasons to look at first: to name
    it is the confirmation.
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
    """The command that `undo` would reverse, and why to ask a person before.

    Changes nothing, and raises `CannotUndo` as `undo` would.
    """
    cut = space.cut()
    command, _ = _reversing(space, reference, None, cut)
    preview = preview_of(space.home, command, cut)
    return preview if reference is not None else by_another(preview, space.author.actor)


def _reversing(
    space: WritableSpace, reference: str | None, reason: str | None, cut: Cut
) -> tuple[builtins.list[Event], builtins.list[Decision]]:
    """A command, by default the last one, and what reverses it as of a moment."""
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


def redact(
    space: WritableSpace,
    *references: str,
    reason: str | None = None,
    override: bool = False,
    timeout_s: float = 10.0,
) -> Redaction:
    """Destroy the content of memories, or of single events, for good.

    A memory's id stands for all that was said of it; the id or `@position` of another
    event for that event. What was merged from a memory goes with it, and with a
    merged one its parts; `changed` names them. Envelope, structure and digest stay, so the log
    still verifies. Waits up to `timeout_s` for readers of old pages, and as long
    searches files of others, half a second at least. One that was incomplete is tried
    again. Raises `UnknownEvent`, `AmbiguousId`, `ImmutableMemory`, and
    `InvalidState` where nothing is left to redact.
    """
    if not references:
        raise InvalidField("reference", "is missing", "name what to redact")
    checked_timeout(timeout_s)
    decide = partial(partial(_redacting, space), references, reason, override=override)
    plan, appended = in_turn(
        Consulted(space.home),
        partial(taking_turns, space),
        lambda consulted: decide(consulted, space.cut()),
        partial(partial(_redacted, space), decide),
    )
    positions = sorted({*plan.positions, *plan.again})
    left = erase(space.home, plan.positions, timeout_s)
    whole = receipt(plan.batch, appended)
    kept = _copies_told(space, positions)
    return Redaction(
        memory_id=whole.memory_id,
        # One that is only tried again appends nothing.
        position=whole.position or positions[0],
        recorded_at=whole.recorded_at,
        events=whole.events,
        erased=tuple(positions),
        complete=not left,
        changed=(f"events whose content is destroyed: {len(positions)}", *plan.told),
        warnings=(*whole.warnings, *kept),
        left=left,
    )


def _copies_told(space: WritableSpace, positions: Sequence[Position]) -> builtins.list[str]:
    """Warnings of logs beside the home that may still hold the content at these positions."""
    try:
        named = [event.event_id for event in space.home.log.events_at(positions)]
        places = copies_beside(space.home.path, named)
    except StorageFailed as error:
        return [f"whether a log that a restore replaced still holds it is not known: {error}"]
    return [
        f"{place} may still hold it, a log that a restore replaced: delete that as well"
        for place in places
    ]


def _redacted(
    space: WritableSpace, decide: Callable[[Consulted, Cut], _Redacting], consulted: Consulted
) -> tuple[_Redacting, Appended]:
    """What a redaction came to, decided again whenever others were first."""

    def planned() -> tuple[Planned, _Redacting]:
        cut = space.cut()
        plan = decide(consulted, cut)
        if not plan.batch:
            return Planned((), None), plan
        # Merged with others meanwhile, or quoted, their words would stand on elsewhere.
        quiet = Quiet(space.name, cut.position, about(plan.concerned, plan.gone))
        expected = expected_of(space, plan.gone, cut, quiet)
        traces = traces_of(space.home.log, plan.positions)
        return Planned(plan.batch, expected, plan.positions, traces), plan

    return append_planned(space, planned)


def _redacting(  # noqa: PLR0913 - as `redact`
    space: WritableSpace,
    references: Sequence[str],
    reason: str | None,
    consulted: Consulted,
    cut: Cut,
    *,
    override: bool,
) -> _Redacting:
    """What redacting these comes to as of a moment."""
    named = [event_named(space, reference) for reference in references]
    memories = [MemoryId(one.event_id) for one in named if one.kind == "remembered"]
    reached = reached_by(space.home, memories, cut)
    events = [*named, *still_there(space, reached.because)]
    overrides = frozenset(event.event_id for event in events if override)
    scan = partial(quoting, space.home)
    plan = erasing(space.home, events, cut, overrides, reason, scan)
    gone = [MemoryId(event.event_id) for event in events if event.kind == "remembered"]
    again = standing_again(space.home, space.name, reached.again, cut, consulted)
    decisions = [*plan.decisions, *ending_conflicts(space, gone, cut), *again]
    batch = drafts(decisions, space.author, cut.instant)
    told = (*reached.told(), *words_of_others(space.home.log.events_at(plan.positions), named))
    return _Redacting(batch, plan.positions, plan.again, gone, events, told)


class _Redacting(NamedTuple):
    """A redaction that was decided on: its events, the positions and memories whose content goes.

    `again` are positions of an earlier one that was incomplete, `told` says what else it reaches.
    """

    batch: builtins.list[Draft]
    positions: builtins.list[Position]
    again: builtins.list[Position]
    gone: builtins.list[MemoryId]
    concerned: builtins.list[Event]
    told: tuple[str, ...]
