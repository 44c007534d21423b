"""Admission decisions: one transaction per batch, decided again after a conflict."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from mnemolog.application.admission.space_admission import (
    AdmissionRules,
    Applicant,
    SpaceAdmission,
    identity_vectors,
)
from mnemolog.application.commands.command import (
    PlannedAppend,
    append_planned,
    expected_of,
    taking_turns,
)
from mnemolog.application.commands.consulting import Consulted, in_turn, judge_of
from mnemolog.application.commands.receipts import (
    FoundConflict,
    Receipt,
    ReceiptEvent,
    as_event,
    drafts,
    receipt,
    with_findings,
)
from mnemolog.application.home.space import Author, Cut, WritableSpace, naming
from mnemolog.application.questions import listings
from mnemolog.application.questions.browse import read_settings
from mnemolog.application.questions.listings import Submission
from mnemolog.application.storing.contradiction_check import EMBEDDED_AT_ONCE, Check
from mnemolog.application.storing.remember import check_of, split_receipt
from mnemolog.indexes.embedder import enriched
from mnemolog.ledger import events
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.events import Draft, Redacted
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Appended, Quiet
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.admission import SAME, Activation, Placement
from mnemolog.policies.supersession import Decision, why
from mnemolog.projections.spaces import is_undone
from mnemolog.recall.search.match import Vector
from mnemolog.results import Results, Value

AT_ONCE = 500  # maximum number of contents decided in one transaction
_UNDONE = "what this id let in was undone since, and stays so: use another id to let it in again"


class _Batch(NamedTuple):
    applicants: Sequence[Applicant] = ()
    units: Sequence[Sequence[Draft]] = ()
    batch: Sequence[Draft] = ()
    erased: Sequence[Position] = ()


def decide_together(
    space: WritableSpace,
    rules: AdmissionRules,
    present: Callable[[Cut], Sequence[Applicant]],
    count: int,
) -> tuple[list[AdmissionResult], Sequence[Position]]:
    """Results of about `count` contents `present` at a cut; positions of what left the buffer."""

    def rehearse(consulted: Consulted) -> None:
        cut = space.cut()
        check = check_of(space, rules.contradictions, count, consulted)
        if applicants := present(cut):
            SpaceAdmission(space, cut, rules, check, consulted).units(applicants)

    def act(consulted: Consulted) -> tuple[_Batch, Appended, Check | None]:
        check = check_of(space, rules.contradictions, count, consulted)

        def plan() -> tuple[PlannedAppend, _Batch]:
            cut = space.cut()
            applicants = present(cut)
            if not applicants:
                return PlannedAppend((), None), _Batch()
            entrance = SpaceAdmission(space, cut, rules, check, consulted)
            units = entrance.units(applicants)
            touched = [*entrance.touched, *([] if check is None else check.touched)]
            batch = [one for unit in units for one in unit]
            left = [one.of for one in applicants if one.of is not None]
            if left:
                gone = Decision(Redacted(tuple(left)), None, why("it left the buffer"))
                batch += drafts([gone], space.author, cut.instant)
            quiet = None if check is None else check.guard()
            if quiet is None and (left or touched):
                # A concurrent flush appends an event that names the content it removed.
                quiet = Quiet(space.name, cut.position, naming([*left, *touched]))
            erased = [*space.home.log.positions_of(left).values()]
            planned = PlannedAppend(batch, expected_of(space, touched, cut, quiet), erased)
            return planned, _Batch(applicants, units, batch, erased)

        return *append_planned(space, plan), check

    settings = read_settings(space)
    if count:
        # Compute and cache the embeddings needed, before others wait for this command.
        identity_vectors(space.home, settings)
        space.home.index(space.name).at(space.home.head())
    # A model behind an endpoint would be asked once for each content.
    judge = judge_of(space.home, settings) if count <= EMBEDDED_AT_ONCE else None
    turns = partial(taking_turns, space)
    done, appended, check = in_turn(Consulted(space.home, judge), turns, rehearse, act)
    if not done.applicants:
        return [], ()
    return _told_of(space, done, appended, check), done.erased


def _told_of(
    space: WritableSpace, done: _Batch, appended: Appended, check: Check | None
) -> list[AdmissionResult]:
    whole = receipt(done.batch, appended, space.home.follow())
    cut, warnings = space.cut(), {} if check is None else check.warnings
    sizes = [len(unit) for unit in done.units]
    # Any remaining event records that content left the buffer.
    rest = len(done.batch) - sum(sizes)
    receipts = split_receipt(done.batch, whole, [*sizes, rest] if rest else sizes)
    told = []
    for one, unit, part in zip(done.applicants, done.units, receipts, strict=False):
        found = with_findings(part, done.batch, warnings, space.home.log)
        command = partial(is_undone, command=unit[0].event_id, position=cut.position)
        if one.item.id is not None and space.home.views.read(command):
            found = replace(found, warnings=(*found.warnings, _UNDONE))
        positions = [event.position for event in part.events]
        told.append(AdmissionResult(found, decided(one.item.content, unit, positions)))
    return [*told, *(AdmissionResult(part, None) for part in receipts[len(sizes) :])]


def waiting_in_buffer(
    space: WritableSpace, known: dict[EventId, Applicant], cut: Cut
) -> list[Applicant]:
    """Oldest buffered content as applicants; those in `known` are not embedded again."""
    events = listings.buffered(space.home, space.name, cut)[:AT_ONCE]
    fresh = [event for event in events if event.event_id not in known]
    found = [(event, given) for event in fresh if (given := listings.submission_of(event))]
    vectors = vectors_of(space, [given for _, given in found])
    for (event, given), vector in zip(found, vectors, strict=True):
        # The original speaker, not the actor of the flush.
        author, at = Author(space.name, event.actor, event.correlation_id), event.recorded_at
        held = event.event_id, listings.scores_of_event(event)
        item = listings.item_of(event, given)
        known[event.event_id] = Applicant(item, given, author, vector, draw(), at, {at: 1}, *held)
    there = [known[event.event_id] for event in events if event.event_id in known]
    together = met_together([one.vector for one in there], [one.said_at for one in there])
    return [replace(one, met=met) for one, met in zip(there, together, strict=True)]


def vectors_of(space: WritableSpace, submissions: Sequence[Submission]) -> list[Vector]:
    """Vectors of submitted contents, cached: comparison and indexing use them again."""
    texts = [enriched(said.text, memory.place, memory.category) for memory, said in submissions]
    return [*space.home.parts.embedder.embed(texts)] if texts else []


def met_together(vectors: Sequence[Vector], at: Sequence[Micros]) -> list[Mapping[Micros, int]]:
    """Occurrences of each content by time `at`: its own and those of near-identical meaning."""
    if not vectors:
        return []
    # Identical vectors are compared once: the cost grows with the number of different contents.
    known: dict[bytes, int] = {}
    kinds = [known.setdefault(vector.tobytes(), len(known)) for vector in vectors]
    times = {one: place for place, one in enumerate(dict.fromkeys(at))}
    often = np.zeros((len(known), len(times)), np.float32)
    np.add.at(often, (kinds, [times[one] for one in at]), 1)
    different = np.stack([np.frombuffer(one, np.float32) for one in known])
    met: list[Mapping[Micros, int]] = []
    for start in range(0, len(known), AT_ONCE):
        near = different[start : start + AT_ONCE] @ different.T >= SAME
        # Rounding may put its cosine with itself below the threshold.
        near[np.arange(len(near)), np.arange(start, start + len(near))] = True
        met += [
            {one: int(counts[place]) for one, place in times.items() if counts[place]}
            for counts in near.astype(np.float32) @ often
        ]
    return [met[kind] for kind in kinds]


def draw() -> float:
    """Random number in [0, 1), drawn once per content; the event stores the resulting noise."""
    return random.SystemRandom().random()


class Decided(Value, frozen=True):
    """Admission decision on one content, its scores, and both as a sentence in `says`.

    `placement` is persist, reinforce, buffer or drop; `memory_id` is the memory stored or
    reinforced. `event_id` and `position` are those of the decision's event. `activation` is the
    sum of its four parts. Of these, `spreading`, the cosine to the nearest of attention, identity
    and heaviest memories, determines the relevance; `similarity`, the cosine to the `nearest`
    memory, determines the novelty.
    """

    placement: Placement
    memory_id: MemoryId | None
    event_id: EventId
    position: Position
    content: str
    relevance: events.Relevance
    novelty: events.Novelty
    activation: float
    base_level: float
    spreading: float | None
    partial_match: float
    noise: float
    nearest: MemoryId | None
    similarity: float | None
    says: str


class Admission(Results[Decided], frozen=True):
    """Result of `admit` and `flush`; the first fields are those of a `Receipt`.

    `decisions` are in the order of submission. `complete` is False if readers still used pages of
    content that left the buffer at the timeout; the next opening of the home destroys them.
    """

    _over = "decisions"

    memory_id: MemoryId | None
    position: Position
    recorded_at: datetime
    events: tuple[ReceiptEvent, ...]
    changed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    conflicts: tuple[FoundConflict, ...] = ()
    decisions: tuple[Decided, ...] = ()
    complete: bool = True


_Placing = events.Admitted | events.Reinforced | events.Buffered | events.Dropped
_PLACEMENTS: dict[type[events.Payload], tuple[Placement, str]] = {
    events.Admitted: ("persist", "persisted"),
    events.Reinforced: ("reinforce", "the memory that says it is reinforced"),
    events.Buffered: ("buffer", "it waits in the buffer"),
    events.Dropped: ("drop", "dropped"),
}


def decided(content: str, batch: Sequence[Draft], positions: Sequence[Position]) -> Decided | None:
    """Decision that the events record for a content; None if they record none."""
    for draft, position in zip(batch, positions, strict=True):
        structure = VOCABULARY.structure(as_event(draft, position))
        if not isinstance(structure, _Placing):
            continue
        scores, (placement, done) = structure.scores, _PLACEMENTS[type(structure)]
        if scores is None:
            continue
        parts = (scores.base_level, scores.spreading, scores.partial_match, scores.noise)
        total = round(Activation(*parts).total, 6)
        spread, near = scores.spreading, scores.similarity
        spread_said = "nothing to compare with" if spread is None else f"{spread:.2f}"
        near_said = "no memory is near" if near is None else f"{near:.2f}"
        says = f"of {scores.relevance} relevance ({spread_said}) and {scores.novelty} ({near_said})"
        says += f", with activation {total:.2f}: {done}"
        event = draft.memory_id, draft.event_id, position, content, scores.relevance, scores.novelty
        return Decided(placement, *event, total, *parts, scores.nearest, near, says)
    return None


class AdmissionResult(NamedTuple):
    """Admission result of one content: its receipt and its decision."""

    receipt: Receipt
    decided: Decided | None


def admission(told: Sequence[AdmissionResult], cut: Cut) -> Admission:
    """Admission that combines several results; an empty one has the position and time of `cut`."""
    decisions = tuple(one.decided for one in told if one.decided is not None)
    receipts = [one.receipt for one in told]
    events = tuple(event for one in receipts for event in one.events)
    return Admission(
        memory_id=decisions[0].memory_id if len(decisions) == 1 else None,
        position=min((event.position for event in events), default=cut.position),
        recorded_at=receipts[0].recorded_at if receipts else to_datetime(cut.instant),
        events=events,
        changed=tuple(said for one in receipts for said in one.changed),
        warnings=tuple(dict.fromkeys(said for one in receipts for said in one.warnings)),
        conflicts=tuple(found for one in receipts for found in one.conflicts),
        decisions=decisions,
    )
