"""State commands: pin, withdraw, configure, link, settle conflicts, and report failures."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import get_args

from mnemolog.application.commands.command import (
    Drafted,
    command,
    command_in_turn,
    ending_conflicts,
    open_edge,
    overdue_falls,
    row_of,
    superseders_of,
    taking_turns,
    target_of,
)
from mnemolog.application.commands.command_history import stands
from mnemolog.application.commands.consulting import Consulted
from mnemolog.application.commands.receipts import Receipt, drafts
from mnemolog.application.home.settings import checked_settings
from mnemolog.application.home.space import (
    Cut,
    Space,
    WritableSpace,
    event_named,
    events_named,
    present,
)
from mnemolog.application.questions.browse import settings_of
from mnemolog.application.questions.listings import edge_end, edges_touching, shown_edges
from mnemolog.ledger import errors, events
from mnemolog.ledger.events import MemoryContent
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import LogRange, proven_pages_in
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded
from mnemolog.policies import linking, supersession
from mnemolog.policies.contradictions import judge
from mnemolog.policies.contradictions.judge import Dispute
from mnemolog.policies.learning import FailureReport, Gate, checked_failure, decide_gate
from mnemolog.policies.linking import Thing
from mnemolog.policies.memories import Time, checked_remark, instant
from mnemolog.policies.supersession import Decision, Superseders, Target
from mnemolog.projections.edges import EdgeRow, edges_at
from mnemolog.projections.memories import ConflictRow, conflicts_of, is_open, open_conflicts_as_of
from mnemolog.recall.items import parts
from mnemolog.recall.search.checks import checked_cue
from mnemolog.results import Listing


def withdraw(
    space: WritableSpace, reference: str, *, reason: str | None = None, override: bool = False
) -> Receipt:
    """Receipt of a withdrawal: no answer shows the memory; the log keeps it, `undo` restores it."""

    def decide(cut: Cut) -> Drafted:
        target = target_of(space, reference, cut)
        overrides = frozenset({target.memory_id}) if override else frozenset()
        decisions = [supersession.decide_withdrawal(target, overrides, reason)]
        decisions += ending_conflicts(space, [target.memory_id], cut)
        return drafts(decisions, space.author, cut.instant), [target.memory_id]

    return command(space, decide)[1]


def pin(
    space: WritableSpace, reference: str, *, until: Time | None = None, reason: str | None = None
) -> Receipt:
    """Receipt of a pin, which keeps a memory in working memory for good or until a time."""
    expires_at = instant("until", until)

    def decide(target: Target, cut: Cut) -> Decision:
        return supersession.decide_pin(target, expires_at, present(space.home, cut), reason)

    return _keep(space, reference, decide)


def unpin(space: WritableSpace, reference: str, *, reason: str | None = None) -> Receipt:
    """Receipt of an unpin. Raises `InvalidState` if the memory is not in working memory."""
    return _keep(space, reference, lambda target, _: supersession.decide_unpin(target, reason))


def _keep(space: WritableSpace, reference: str, what: Callable[[Target, Cut], Decision]) -> Receipt:
    def decide(consulted: Consulted, cut: Cut) -> Drafted:
        target = target_of(space, reference, cut)
        touched = [target.memory_id]
        overdue = overdue_falls(space.home, space.name, touched, cut, consulted)
        return drafts([what(target, cut), *overdue], space.author, cut.instant), touched

    return command_in_turn(space, decide)[1]


def configure(
    space: WritableSpace, settings: Mapping[str, events.SettingValue], *, reason: str | None = None
) -> Receipt:
    """Receipt of changed settings of this space; None resets a setting to its default."""
    changes = dict(sorted(checked_settings(settings).items()))
    decision = Decision(events.Configured(changes), None, supersession.why(reason))
    with taking_turns(space):
        return command(space, lambda cut: (drafts([decision], space.author, cut.instant), []))[1]


def propose_operator(space: Space) -> Gate:
    """Gate decision on the failures reported in this space, with the evidence.

    An operator is proposed only if the same class of failure recurred on at least two distinct
    cues with mitigation in place. Undone reports do not count.
    """
    cut = space.cut()
    failures = LogRange(Position(0), cut.position, space.name, ("failed",))
    reports = []
    for event in chain.from_iterable(proven_pages_in(space.home.log, failures)):
        match VOCABULARY.decode(event):
            case Decoded(events.Failed() as said, text) if stands(space.home, event, cut):
                facts = (event.position, event.event_id, said.failure, said.mitigated)
                words: tuple[str | None, str | None] = (None, None)
                if isinstance(text, events.FailureContent):
                    words = (text.cue, text.note)
                reports.append(FailureReport(*facts, *words))
    return decide_gate(reports, space.home.parts.analyzer.cue)


def report_failure(
    space: WritableSpace, failure: str, cue: str, *, mitigated: bool, note: str | None = None
) -> Receipt:
    """Receipt of a reported failure of the memory on a cue; `gate` evaluates the reports.

    `failure` is `missed_correction`, `bad_trade_off`, `lost_focus` or a word of your own;
    `mitigated` is True if a mitigation was in place. Raises `InvalidField`, `ContentTooLarge`.
    """
    if not isinstance(mitigated, bool):
        raise errors.InvalidField("mitigated", "is neither True nor False", "say which")
    structure = events.Failed(checked_failure(failure), mitigated)
    content = events.FailureContent(checked_cue(cue), checked_remark("note", note))
    size = len(content.cue.encode()) + len((content.note or "").encode())

    def decide(cut: Cut) -> Drafted:
        limit = settings_of(space, cut).content_limit_bytes
        if size > limit:
            raise errors.ContentTooLarge(size, limit)
        return drafts([Decision(structure, None, content)], space.author, cut.instant), []

    return command(space, decide)[1]


def link(  # noqa: PLR0913 - what an edge says, all but its ends and type by name
    space: WritableSpace,
    source: str | Thing,
    relation: str,
    target: str | Thing,
    *,
    confidence: float = 1.0,
    origin: events.EdgeOrigin = "verified",
    valid_from: Time | None = None,
    valid_until: Time | None = None,
    condition: str | None = None,
    reason: str | None = None,
) -> Receipt:
    """Receipt of a new edge: `source` has a `relation` such as `IS_A` to `target`.

    Each end is a reference to a memory, a `Thing`, or `thing:` and its name. The edge's id is
    its event's. Raises `UnknownMemory`, `InvalidField`, `InvalidState`, and `EdgeExists`.
    """
    starts, ends = instant("valid_from", valid_from), instant("valid_until", valid_until)
    facts = (confidence, origin, starts, ends, condition, reason)

    def decide(cut: Cut) -> Drafted:
        one = edge_end(space, "source", source, cut)
        edge = linking.NewEdge(one, relation, edge_end(space, "target", target, cut), *facts)
        named = [end for end in (edge.source, edge.target) if not isinstance(end, Thing)]
        rows = [row_of(space, memory_id, cut) for memory_id in dict.fromkeys(named)]
        targets = [Target(row.memory_id, row.status) for row in rows]
        alike = edges_between(space, edge.source, relation, edge.target, cut)
        decision = linking.decide_link(edge, targets, [_known(row) for row in alike])
        return drafts([decision], space.author, cut.instant), named

    return command(space, decide)[1]


def unlink(
    space: WritableSpace,
    source: str | Thing,
    relation: str | None = None,
    target: str | Thing | None = None,
    *,
    reason: str | None = None,
) -> Receipt:
    """Receipt of ended edges: all of a relation between two ends, or one by its reference alone.

    Raises `UnknownEdge` if there is no such edge, `InvalidField`, `UnknownMemory`.
    """
    if (relation is None) != (target is None):
        fix = "give both, or an edge's id alone"
        raise errors.InvalidField("target", "and a relation go together", fix)

    def decide(cut: Cut) -> Drafted:
        if relation is None or target is None:
            if isinstance(source, Thing):
                fix = "say what the thing is linked to, and as what"
                raise errors.InvalidField("target", "is missing", fix)
            rows = [open_edge(space, event_named(space, source, "linked").event_id, cut)]
        else:
            ends = edge_end(space, "source", source, cut), edge_end(space, "target", target, cut)
            rows = edges_between(space, ends[0], relation, ends[1], cut)
            if not rows:
                shown = [one.name if isinstance(one, Thing) else one for one in (source, target)]
                raise errors.UnknownEdge(f" {relation} ".join(shown))
        decisions = [linking.decide_unlink(_known(row), reason) for row in rows]
        named = [end for row in rows for end in (row.source, row.target) if end is not None]
        return drafts(decisions, space.author, cut.instant), named

    return command(space, decide)[1]


def edges_between(
    space: Space, source: MemoryId | Thing, relation: str, target: MemoryId | Thing, cut: Cut
) -> list[EdgeRow]:
    """Open edges of one type between two memories or things, in this direction."""
    outgoing = edges_touching(space, source, cut)
    incoming = {row.since for row in edges_touching(space, target, cut)}
    alike = [row for row in outgoing if row.since in incoming and row.type == relation]
    found = []
    for row, edge in zip(alike, shown_edges(space, alike), strict=True):
        ends = ((edge.source, source), (edge.target, target))
        if all(end is not None and linking.same_end(end, named) for end, named in ends):
            found.append(row)
    return found


def _known(row: EdgeRow) -> linking.KnownEdge:
    return linking.KnownEdge(row.edge_id, row.source, row.valid_from, row.valid_until)


def settle_conflict(
    space: WritableSpace,
    conflict: str,
    winner: events.Winner,
    *,
    reason: str | None = None,
    override: bool = False,
) -> Receipt:
    """Receipt of a settled conflict: the winning memory supersedes the losing one.

    `conflict` is its id, a prefix of one, `@position`, or a memory with exactly one open conflict.
    With `both`, an edge joins the memories; with `neither`, both are withdrawn. Raises
    `UnknownConflict`, `AmbiguousId`, `InvalidField`, and `ImmutableMemory` for an immutable loser
    unless `override` is given.
    """
    if winner not in (known := get_args(events.Winner)):
        fix = f"use one of {', '.join(known)}"
        raise errors.InvalidField("winner", f"{winner!r} is unknown", fix)

    def settle(dispute: Dispute, above: Superseders) -> Sequence[Decision]:
        both = (dispute.new.memory_id, dispute.old.memory_id)
        overrides = frozenset(both if override else ())
        return judge.decide_settlement(dispute, winner, above, overrides, reason)

    return _settled(space, conflict, settle)


def settle_conflicts(space: WritableSpace, policy: judge.Policy) -> Listing[Receipt]:
    """Receipts of open conflicts settled by a policy, one command each.

    By `recency` the newer memory wins. By `authority` the more reliable one wins; of two
    equally reliable ones, a user's own statement, or the newer of two by the same source.
    A conflict stays open if the policy does not decide it, or an immutable memory would lose.
    """
    if policy not in get_args(judge.Policy):
        raise errors.InvalidField("policy", f"{policy!r} is unknown", "use recency or authority")

    def settle(dispute: Dispute, above: Superseders) -> Sequence[Decision]:
        return judge.decide_by_policy(dispute, policy, above)

    cut, receipts = space.cut(), []
    for row in space.home.views.read(lambda db: open_conflicts_as_of(db, space.name, cut.position)):
        # It may stay open, or have been settled meanwhile.
        with suppress(errors.UnknownConflict):
            receipts.append(_settled(space, row.conflict, settle))
    return Listing(receipts)


def _settled(
    space: WritableSpace,
    conflict: str,
    settle: Callable[[Dispute, Superseders], Sequence[Decision]],
) -> Receipt:
    def decide(cut: Cut) -> Drafted:
        row = _open_conflict(space, conflict, cut)
        edges = space.home.views.read(lambda db: edges_at(db, space.name, row.new, cut.position))
        contradicting = (one for one in edges if one.type == judge.CONTRADICTS)
        joined = any(row.other in {one.source, one.target} for one in contradicting)
        new, old = _party(space, row.new, cut), _party(space, row.other, cut)
        dispute = Dispute(row.conflict, new, old, joined, row.outcome == "offered")
        decisions = settle(dispute, partial(superseders_of, space, cut=cut))
        if not decisions:
            raise errors.UnknownConflict(conflict, space.name)
        return drafts(decisions, space.author, cut.instant), [row.new, row.other]

    return command(space, decide)[1]


def _open_conflict(space: Space, reference: str, cut: Cut) -> ConflictRow:
    meant = [one for one in events_named(space, reference) if one.space == space.name]
    named = {event.event_id for event in meant if event.kind == "conflicted"}
    memories = {event.memory_id for event in meant if event.memory_id is not None}
    rows = space.home.views.read(lambda db: conflicts_of(db, sorted(memories), cut.position))
    found = [row for row in rows if is_open(row) and (not named or row.conflict in named)]
    if not found:
        raise errors.UnknownConflict(reference, space.name)
    if len(found) > 1:
        raise errors.AmbiguousId(reference, [row.conflict for row in found])
    return found[0]


def _party(space: Space, memory_id: MemoryId, cut: Cut) -> judge.Party:
    row = row_of(space, memory_id, cut)
    found = space.home.log.events_at([row.memory])
    if not found:
        raise errors.CorruptLog(f"event {row.memory} is missing", row.memory - 1)
    structure, content = parts(event := found[0])
    # Without content, only its structure is used.
    said = judge.statement(structure, content or MemoryContent(""), event.recorded_at)
    return judge.Party(memory_id, said, row.status, row.immutable)
