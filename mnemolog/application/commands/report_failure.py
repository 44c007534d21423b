"""Operator gate: failures reported as events, and the operator that they justify."""

from __future__ import annotations

from collections.abc import Iterator

from mnemolog.application.commands.command import command
from mnemolog.application.commands.command_history import stands
from mnemolog.application.commands.drafts import drafts
from mnemolog.application.commands.receipts import Receipt
from mnemolog.application.home.space import Cut, Space, WritableSpace
from mnemolog.application.questions.browse import settings_of
from mnemolog.ledger.errors import ContentTooLarge, InvalidField
from mnemolog.ledger.events import Draft, Event, Failed, FailureContent
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import LogRange, proven_pages_in
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded
from mnemolog.policies.memories import checked_remark
from mnemolog.policies.operator_gate import FailureReport, Gate, checked_failure, decide_gate
from mnemolog.policies.supersession import Decision
from mnemolog.recall.search.checks import checked_cue


def propose_operator(space: Space) -> Gate:
    """Gate decision on the failures reported in this space, with the evidence.

    An operator is proposed only if the same class of failure recurred on at
    least two distinct cues with mitigation in place. Undone reports do not count.
    """
    cut = space.cut()
    reports = [_report(event) for event in _failures_of(space, cut)]
    known = [report for report in reports if report is not None]
    return decide_gate(known, space.home.parts.analyzer.cue)


def _failures_of(space: Space, cut: Cut) -> Iterator[Event]:
    failures = LogRange(Position(0), cut.position, space.name, ("failed",))
    for page in proven_pages_in(space.home.log, failures):
        yield from (event for event in page if stands(space.home, event, cut))


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

    def decide(cut: Cut) -> tuple[list[Draft], list[MemoryId]]:
        limit = settings_of(space, cut).content_limit_bytes
        if size > limit:
            raise ContentTooLarge(size, limit)
        return drafts([Decision(structure, None, content)], space.author, cut.instant), []

    return command(space, decide)[1]


def _report(event: Event) -> FailureReport | None:
    """Failure report of an event; None for an unknown version."""
    decoded = VOCABULARY.decode(event)
    if not isinstance(decoded, Decoded) or not isinstance(decoded.structure, Failed):
        return None
    content = decoded.content if isinstance(decoded.content, FailureContent) else None
    return FailureReport(
        position=event.position,
        event_id=event.event_id,
        failure=decoded.structure.failure,
        mitigated=decoded.structure.mitigated,
        cue=None if content is None else content.cue,
        note=None if content is None else content.note,
    )
