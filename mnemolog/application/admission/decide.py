"""Admission decisions: one transaction per batch, decided again after a conflict."""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
import numpy as np

from mnemolog.application.admission.entering import Entering
from mnemolog.application.admission.evidence import Applicant, Entrance, Focus, identity_vectors
from mnemolog.application.admission.results import AdmissionResult, decided
from mnemolog.application.admission.retries import met_before
from mnemolog.application.commands.command import (
    PlannedAppend,
    append_planned,
    command,
    expected_of,
    taking_turns,
)
from mnemolog.application.commands.consulting import Consulted, in_turn
from mnemolog.application.commands.drafts import draft
from mnemolog.application.commands.receipts import Receipt, receipt, with_findings
from mnemolog.application.home.mentions import naming
from mnemolog.application.home.space import Author, Cut, WritableSpace
from mnemolog.application.questions.browse import read_settings, settings_of
from mnemolog.application.questions.buffer import (
    Submission,
    buffered,
    item_of,
    scores_of_event,
    submission_of,
)
from mnemolog.application.storing.contradiction_check import Check, Checking
from mnemolog.application.storing.passing_corrections import Heard
from mnemolog.application.storing.remember import _check_of, _storing_heard, split_receipt
from mnemolog.application.storing.store import Entered
from mnemolog.indexes.enrichment import enriched
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import Draft, Redacted, Scores
from mnemolog.ledger.ids import EventId, MemoryId, Position, new_event_ids
from mnemolog.ledger.log import Quiet
from mnemolog.policies.admission import SAME, place_for_good, scores_of
from mnemolog.policies.memories import NewMemory
from mnemolog.policies.supersession import Decision, why
from mnemolog.projections.undos import is_undone
from mnemolog.recall.search.match import Vector

AT_ONCE = 500
"""Maximum number of contents decided in one transaction."""

_LEFT = "it left the buffer"
_UNDONE = "what this id let in was undone since, and stays so: use another id to let it in again"

Hear = Callable[[NewMemory, Cut], Heard]


class Ways(msgspec.Struct, frozen=True):
    """Admission parameters: focus, contradiction check and detection of corrections.

    `for_good` is True if content may not be buffered again.
    """

    focus: Focus
    contradictions: Checking | None
    hear: Hear
    for_good: bool = False


class _Leaving(NamedTuple):
    """Content that leaves the buffer: events per content, all events, erased positions."""

    applicants: builtins.list[Applicant]
    units: builtins.list[builtins.list[Draft]]
    batch: builtins.list[Draft]
    erased: builtins.list[Position]


class Emptied(NamedTuple):
    """Result of one command of a flush, and the positions of the content that it destroyed."""

    told: builtins.list[AdmissionResult]
    erased: builtins.list[Position]


def _let_in(
    space: WritableSpace, applicants: Sequence[Applicant], ways: Ways
) -> builtins.list[AdmissionResult]:
    """Decide on each applicant, in one transaction."""
    units: builtins.list[builtins.list[Draft]] = []

    def checked(consulted: Consulted) -> Check | None:
        return _check_of(space, ways.contradictions, len(applicants), consulted)

    def rehearse(consulted: Consulted) -> None:
        _decided_on(space, applicants, ways, checked(consulted), space.cut(), consulted)

    def act(
        consulted: Consulted,
    ) -> tuple[tuple[builtins.list[Draft], Receipt], Check | None]:
        check = checked(consulted)

        def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
            units[:], touched = _decided_on(space, applicants, ways, check, cut, consulted)
            return [one for unit in units for one in unit], touched

        return command(space, decide, check), check

    _embedded_ahead(space)
    done, check = in_turn(Consulted(space.home), partial(taking_turns, space), rehearse, act)
    return _told_of(space, applicants, units, done, check)


def _embedded_ahead(space: WritableSpace) -> None:
    """Compute and cache the embeddings needed, before others wait for this command."""
    identity_vectors(space.home, read_settings(space))
    space.home.index(space.name).at(space.home.head())


def _emptied(space: WritableSpace, ways: Ways, known: dict[EventId, Applicant]) -> Emptied | None:
    """Decide finally on the oldest buffered content, in one transaction; None if none.

    `known` caches applicants between attempts.
    """

    def rehearse(consulted: Consulted) -> None:
        cut = space.cut()
        applicants = _waiting_in_buffer(space, cut, known)
        check = _check_of(space, ways.contradictions, len(applicants), consulted)
        if applicants:
            _decided_on(space, applicants, ways, check, cut, consulted)

    waiting = _waiting_in_buffer(space, space.cut(), known)
    if waiting:
        _embedded_ahead(space)
    return in_turn(
        Consulted(space.home),
        partial(taking_turns, space),
        rehearse,
        partial(partial(_leave, space), ways, known, len(waiting)),
    )


def _leave(
    space: WritableSpace,
    ways: Ways,
    known: dict[EventId, Applicant],
    count: int,
    consulted: Consulted,
) -> Emptied | None:
    """Remove the oldest content from the buffer; decides again after a conflict."""
    check = _check_of(space, ways.contradictions, count, consulted)

    def plan() -> tuple[PlannedAppend, _Leaving]:
        cut = space.cut()
        applicants = _waiting_in_buffer(space, cut, known)
        if not applicants:
            return PlannedAppend((), None), _Leaving([], [], [], [])
        units, touched = _decided_on(space, applicants, ways, check, cut, consulted)
        left = [one.of for one in applicants if one.of is not None]
        batch = [*(one for unit in units for one in unit), _leaving_of(space, left, cut)]
        quiet = None if check is None else check.guard()
        if quiet is None:
            # A concurrent flush appends an event that names the content it removed.
            quiet = Quiet(space.name, cut.position, naming([*left, *touched]))
        expected = expected_of(space, touched, cut, quiet)
        erased = [*space.home.log.positions_of(left).values()]
        return PlannedAppend(batch, expected, erased), _Leaving(applicants, units, batch, erased)

    leaving, appended = append_planned(space, plan)
    if not leaving.applicants:
        return None
    done = (leaving.batch, receipt(leaving.batch, appended, space.home.follow()))
    told = _told_of(space, leaving.applicants, leaving.units, done, check)
    return Emptied(told, leaving.erased)


def _leaving_of(space: WritableSpace, left: Sequence[EventId], cut: Cut) -> Draft:
    """`Redacted` event for content that leaves the buffer."""
    (own_id,) = new_event_ids(1, cut.instant)
    gone = Decision(Redacted(tuple(left)), None, why(_LEFT))
    return draft(gone, space.author, own_id, None)


def _decided_on(  # noqa: PLR0913, PLR0917 - applicants, parameters and state
    space: WritableSpace,
    applicants: Sequence[Applicant],
    ways: Ways,
    check: Check | None,
    cut: Cut,
    consulted: Consulted,
) -> tuple[builtins.list[builtins.list[Draft]], builtins.list[MemoryId]]:
    """Events of each applicant as of a cut, and the memories that decided them."""
    settings = settings_of(space, cut)
    if ways.for_good:
        # Buffered content met the limit at admission; a limit lowered since does not apply.
        longest = max(len(one.item.content.encode()) for one in applicants)
        most = max(longest, settings.content_limit_bytes)
        settings = msgspec.structs.replace(settings, content_limit_bytes=most)
    if check is not None:
        check.begin(cut.position)
    judges = None if check is None else consulted
    entrance = Entrance(space.home, space.name, cut, ways.focus, settings, judges)

    def store(
        heard: Heard, author: Author, entered: Entered
    ) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        return _storing_heard(space, heard, settings, check, cut, author, entered)

    entering = Entering(space.home, entrance, cut, space.author.actor, store, consulted)
    units = []
    for one in applicants:
        again = met_before(space.home, space.name, one.item, one.submission)
        if again:
            units.append(again)
            continue
        heard = Heard(one.item) if check is None else ways.hear(one.item, cut)
        units.append(_unit(entering, entrance, one, heard, for_good=ways.for_good))
    return units, [*entering.touched, *([] if check is None else check.touched)]


def _waiting_in_buffer(
    space: WritableSpace, cut: Cut, known: dict[EventId, Applicant]
) -> builtins.list[Applicant]:
    """Oldest buffered content as applicants; those in `known` are not embedded again."""
    events = buffered(space.home, space.name, cut)[:AT_ONCE]
    fresh = [event for event in events if event.event_id not in known]
    found = [(event, given) for event in fresh if (given := submission_of(event)) is not None]
    vectors = _vectors_of(space, [as_embedded(given) for _, given in found])
    for (event, given), vector in zip(found, vectors, strict=True):
        known[event.event_id] = applicant(
            item_of(event, given),
            given,
            # The original speaker, not the actor of the flush.
            Author(space.name, event.actor, event.correlation_id),
            vector,
            event.recorded_at,
            {event.recorded_at: 1},
            of=event.event_id,
            before=scores_of_event(event),
        )
    there = [known[event.event_id] for event in events if event.event_id in known]
    together = met_together([one.vector for one in there], [one.said_at for one in there])
    return [msgspec.structs.replace(one, met=met) for one, met in zip(there, together, strict=True)]


def _vectors_of(space: WritableSpace, texts: Sequence[str]) -> builtins.list[Vector]:
    # The embedder caches these: comparison and indexing use the same vectors again.
    return [*space.home.parts.embedder.embed(texts)] if texts else []


def _is_undone(space: WritableSpace, command: EventId, cut: Cut) -> bool:
    return space.home.views.read(lambda db: is_undone(db, command, cut.position))


def _told_of(
    space: WritableSpace,
    applicants: Sequence[Applicant],
    units: Sequence[Sequence[Draft]],
    done: tuple[Sequence[Draft], Receipt],
    check: Check | None,
) -> builtins.list[AdmissionResult]:
    """Admission result of each applicant, with its part of the receipt."""
    batch, whole = done
    cut = space.cut()
    warnings = {} if check is None else check.warnings
    sizes = [len(unit) for unit in units]
    # Any remaining event records that content left the buffer.
    rest = len(batch) - sum(sizes)
    receipts = split_receipt(batch, whole, [*sizes, *([rest] if rest else [])])
    told = []
    for one, unit, part in zip(applicants, units, receipts, strict=False):
        found = with_findings(part, batch, warnings, space.home.log)
        positions = [event.position for event in part.events]
        if one.item.id is not None and _is_undone(space, unit[0].event_id, cut):
            found = msgspec.structs.replace(found, warnings=(*found.warnings, _UNDONE))
        told.append(AdmissionResult(found, decided(one.item.content, unit, positions)))
    return [*told, *(AdmissionResult(part, None) for part in receipts[len(units) :])]


def _unit(
    entering: Entering, entrance: Entrance, one: Applicant, heard: Heard, *, for_good: bool
) -> builtins.list[Draft]:
    """Events of one applicant."""
    anew = bool(heard.touched)
    verdict = entrance.verdict(one, anew=anew)
    scores = scores_of(verdict.score, verdict.placed, verdict.nearest, verdict.similarity)
    placement = verdict.placed.placement
    if for_good:
        placement = place_for_good(verdict.placed, verdict.score)
    if placement == "reinforce" and verdict.duplicate is not None:
        return entering.reinforce(one, verdict.duplicate, scores)
    if placement == "persist":
        return entering.persist(one, heard, scores)
    return entering.buffer(one, scores) if placement == "buffer" else entering.drop(one, scores)


def met_together(
    vectors: Sequence[Vector], at: Sequence[Micros]
) -> builtins.list[Mapping[Micros, int]]:
    """Occurrences of each content by time: its own and those of near-identical meaning.

    `at` is the time each was said. Identical vectors are compared once, so the cost grows with
    the number of different contents.
    """
    if not vectors:
        return []
    known: dict[bytes, int] = {}
    kinds = [known.setdefault(vector.tobytes(), len(known)) for vector in vectors]
    times = {one: place for place, one in enumerate(dict.fromkeys(at))}
    often = np.zeros((len(known), len(times)), np.float32)
    np.add.at(often, (kinds, [times[one] for one in at]), 1)
    different = np.stack([np.frombuffer(one, np.float32) for one in known])
    met: builtins.list[Mapping[Micros, int]] = []
    for start in range(0, len(known), AT_ONCE):
        near = different[start : start + AT_ONCE] @ different.T >= SAME
        # Rounding may put its cosine with itself below the threshold.
        near[np.arange(len(near)), np.arange(start, start + len(near))] = True
        met += [
            {one: int(counts[place]) for one, place in times.items() if counts[place]}
            for counts in near.astype(np.float32) @ often
        ]
    return [met[kind] for kind in kinds]


def as_embedded(submission: Submission) -> str:
    """Text from which the vector of content is computed."""
    structure, content = submission
    return enriched(content.text, structure.place, structure.category)


def applicant(  # noqa: PLR0913, PLR0917 - the fields of `Applicant`
    item: NewMemory,
    submission: Submission,
    author: Author,
    vector: Vector,
    said_at: Micros,
    met: Mapping[Micros, int],
    of: EventId | None = None,
    before: Scores | None = None,
) -> Applicant:
    """Applicant with a fresh random draw for its noise."""
    return Applicant(item, submission, author, vector, _draw(), said_at, met, of, before)


def _draw() -> float:
    """Random number in [0, 1), drawn once per content; the event stores the resulting noise."""
    return random.SystemRandom().random()
