"""State commands: pin, unpin, withdraw, configure; reported failures and the operator gate."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mnemolog.application.commands.command import (
    Drafted,
    command,
    command_in_turn,
    ending_conflicts,
    overdue_falls,
    taking_turns,
    target_of,
)
from mnemolog.application.commands.command_history import stands
from mnemolog.application.commands.consulting import Consulted
from mnemolog.application.commands.receipts import Receipt, drafts
from mnemolog.application.home.elapsed import present
from mnemolog.application.home.settings import checked_settings
from mnemolog.application.home.space import Cut, Space, WritableSpace
from mnemolog.application.questions.browse import settings_of
from mnemolog.ledger.errors import ContentTooLarge, InvalidField
from mnemolog.ledger.events import (
    VOCABULARY,
    Configured,
    Decoded,
    Event,
    Failed,
    FailureContent,
    SettingValue,
)
from mnemolog.ledger.ids import Position
from mnemolog.ledger.paging import LogRange, proven_pages_in
from mnemolog.policies.memories import Time, checked_remark, instant
from mnemolog.policies.operator_gate import FailureReport, Gate, checked_failure, decide_gate
from mnemolog.policies.supersession import (
    Decision,
    Target,
    decide_pin,
    decide_unpin,
    decide_withdrawal,
    why,
)
from mnemolog.recall.search.checks import checked_cue


def withdraw(
    space: WritableSpace, reference: str, *, reason: str | None = None, override: bool = False
) -> Receipt:
    """Receipt of a withdrawal: no answer shows the memory; the log keeps it, `undo` restores it."""

    def decide(cut: Cut) -> Drafted:
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
    return _keep(
        space,
        reference,
        lambda target, cut: decide_pin(target, expires_at, present(space.home, cut), reason),
    )


def unpin(space: WritableSpace, reference: str, *, reason: str | None = None) -> Receipt:
    """Receipt of an unpin, which releases a memory from working memory.

    Raises `InvalidState` if the memory is not pinned.
    """
    return _keep(space, reference, lambda target, _: decide_unpin(target, reason))


def _keep(space: WritableSpace, reference: str, what: Callable[[Target, Cut], Decision]) -> Receipt:
    def decide(consulted: Consulted, cut: Cut) -> Drafted:
        target = target_of(space, reference, cut)
        touched = [target.memory_id]
        overdue = overdue_falls(space.home, space.name, touched, cut, consulted)
        decisions = [what(target, cut), *overdue]
        return drafts(decisions, space.author, cut.instant), touched

    return command_in_turn(space, decide)[1]


def configure(
    space: WritableSpace, settings: Mapping[str, SettingValue], *, reason: str | None = None
) -> Receipt:
    """Receipt of changed settings of this space; None resets a setting to its default."""
    changes = dict(sorted(checked_settings(settings).items()))
    decision = Decision(Configured(changes), None, why(reason))
    with taking_turns(space):
        return command(space, lambda cut: (drafts([decision], space.author, cut.instant), []))[1]


def propose_operator(space: Space) -> Gate:
    """Gate decision on the failures reported in this space, with the evidence.

    An operator is proposed only if the same class of failure recurred on at
    least two distinct cues with mitigation in place. Undone reports do not count.
    """
    cut = space.cut()
    failures = LogRange(Position(0), cut.position, space.name, ("failed",))
    reports = [
        report
        for page in proven_pages_in(space.home.log, failures)
        for event in page
        if stands(space.home, event, cut) and (report := _report(event)) is not None
    ]
    return decide_gate(reports, space.home.parts.analyzer.cue)


def report_failure(
    space: WritableSpace, failure: str, cue: str, *, mitigated: bool, note: str | None = None
) -> Receipt:
    """Receipt of a reported failure of the memory on a cue; `gate` evaluates the reports.

    `failure` is `missed_correction`, `bad_trade_off`, `lost_focus` or a word of
    your own; `mitigated` is True if a mitigation was in place.
    Raises `InvalidField` and `ContentTooLarge`.
    """
    if not isinstance(mitigated, bool):
        raise InvalidField("mitigated", "is neither True nor False", "say which")
    structure = Failed(checked_failure(failure), mitigated)
    content = FailureContent(checked_cue(cue), checked_remark("note", note))
    size = len(content.cue.encode()) + len((content.note or "").encode())

    def decide(cut: Cut) -> Drafted:
        limit = settings_of(space, cut).content_limit_bytes
        if size > limit:
            raise ContentTooLarge(size, limit)
        return drafts([Decision(structure, None, content)], space.author, cut.instant), []

    return command(space, decide)[1]


def _report(event: Event) -> FailureReport | None:
    decoded = VOCABULARY.decode(event)
    if not isinstance(decoded, Decoded) or not isinstance(decoded.structure, Failed):
        return None
    said, content = decoded.structure, decoded.content
    cue, note = (content.cue, content.note) if isinstance(content, FailureContent) else (None, None)
    return FailureReport(event.position, event.event_id, said.failure, said.mitigated, cue, note)
