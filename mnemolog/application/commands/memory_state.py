"""State commands of one memory or of settings: pin, unpin, withdraw and configure."""

from __future__ import annotations

import builtins
from collections.abc import Mapping

from mnemolog.application.commands.command import (
    command,
    command_in_turn,
    ending_conflicts,
    overdue_of,
    taking_turns,
    target_of,
)
from mnemolog.application.commands.consulting import Consulted
from mnemolog.application.commands.drafts import drafts
from mnemolog.application.commands.receipts import Receipt
from mnemolog.application.home.settings import checked_settings
from mnemolog.application.home.space import Cut, WritableSpace, present
from mnemolog.ledger.events import (
    Configured,
    Draft,
    SettingValue,
)
from mnemolog.ledger.ids import MemoryId
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


def withdraw(
    space: WritableSpace, reference: str, *, reason: str | None = None, override: bool = False
) -> Receipt:
    """Receipt of a withdrawal: no answer shows the memory; the log keeps it, `undo` restores it."""

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
    """Receipt of a pin, which keeps a memory in working memory for good or until a time."""
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
    """Receipt of an unpin, which releases a memory from working memory.

    Raises `InvalidState` if the memory is not pinned.
    """

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
    """Receipt of changed settings of this space; None resets a setting to its default."""
    changes = dict(sorted(checked_settings(settings).items()))

    def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        decision = Decision(Configured(changes), None, why(reason))
        return drafts([decision], space.author, cut.instant), []

    with taking_turns(space):
        return command(space, decide)[1]
