"""Recall sessions: votes steer the next round, sparks open branches, the outcome is learned."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple, get_args

import numpy as np
from msgspec.structs import asdict, replace

from mnemolog.application.commands.command import PlannedAppend, append_planned
from mnemolog.application.commands.receipts import Receipt, draft, drafts, receipt
from mnemolog.application.home.rerankers import NOBODY_READS
from mnemolog.application.home.session_store import (
    SessionState,
    StoredSession,
    name_of,
    new_session_id,
)
from mnemolog.application.home.space import Cut, Space, WritableSpace, memory_named, present
from mnemolog.application.questions import recall
from mnemolog.application.questions.browse import settings_of
from mnemolog.application.retention.use import used_events
from mnemolog.indexes.columns import NOBODY
from mnemolog.indexes.filters import Filter
from mnemolog.indexes.lessons import code_of
from mnemolog.ledger import errors
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Draft, Neighbourhood, Note, Vote, Voted
from mnemolog.ledger.ids import EventId, MemoryId, new_event_ids
from mnemolog.ledger.log import Appended
from mnemolog.policies.learning import Ballot, Shown, decide_resolution
from mnemolog.policies.memories import checked_length, checked_remark, checked_text
from mnemolog.policies.supersession import Decision
from mnemolog.projections.lessons import is_resolved
from mnemolog.recall.answers import Hit
from mnemolog.recall.cues import read_cue
from mnemolog.recall.search import question as questions, relevance
from mnemolog.recall.search.checks import checked_cue, checked_strategy, checked_up_to
from mnemolog.recall.search.question import Question, Steering
from mnemolog.results import Results

VOTES: tuple[Vote, ...] = get_args(Vote)
_MOST_ROUNDS, _MOST_SHOWN, _LONGEST_ENTITY = 20, 50, 1_000
_RESOLVED = "was resolved"


class SparkBranch(Results[Hit], frozen=True):
    """Memories near a memory that was voted `spark`, nearest first."""

    _over = "memories"

    spark: MemoryId
    memories: tuple[Hit, ...]


class Session(Results[Hit], frozen=True):
    """Recall session after `round` rounds of votes, with the memories to vote on next.

    `memories` are the main line: memories voted `hot`, then the best without a vote; `converged`
    if the votes brought nothing new into it. `session_id` gives access to the session's query.
    """

    _over = "memories"

    session_id: str
    round: int
    rounds_left: int
    memories: tuple[Hit, ...]
    spark_branches: tuple[SparkBranch, ...]
    converged: bool
    expires_at: datetime


class Resolution(Receipt, frozen=True):
    """Receipt of a resolved session; `updated` counts memories that gained or lost weight."""

    updated: int = 0
    learned: bool = False


class _Round(NamedTuple):
    line: tuple[Hit, ...]
    branches: tuple[SparkBranch, ...]
    state: SessionState


def recall_session_start(
    space: WritableSpace,
    query: str,
    *,
    entity: str | None = None,
    limit: int = 5,
    max_rounds: int = 4,
) -> Session:
    """Start a recall session on a query; its first round shows at most `limit` (1 to 50) hits.

    `entity` is what the query is about: it is added to the search, and what is learned applies
    only to queries that name it. A session has at most `max_rounds` (1 to 20) rounds of votes and
    expires after five minutes without use. No event stores the query. Raises `InvalidField`.
    """
    state = _begun(space, query, entity, limit, max_rounds)
    found, session_id = _round_of(space, state, space.cut()), new_session_id()
    expires_at = space.home.sessions.begin(session_id, found.state)
    return _session(session_id, found, expires_at, converged=not found.line)


def recall_vote(space: WritableSpace, session_id: str, votes: Mapping[str, Vote]) -> Session:
    """Vote on memories that a session showed; returns the next round.

    `hot`: exactly right; `warm`: close; `cold`: not it; `wrong`: misleading; `spark`: not it,
    but a reminder of something, which opens a branch. Memories with a vote are not shown
    again, except `hot` ones. Votes do not change memories. Each vote is an event unless the
    space's setting `record_votes` says otherwise. Raises `UnknownSession`, `SessionOver`,
    `NotShown` or `InvalidField`; the session is then unchanged.
    """
    given, session_id, expires_at = _checked_votes(votes), _checked_session(session_id), None
    while expires_at is None:
        cut, before = space.cut(), _kept_votes(space, session_id)
        state = before.state
        if state.round >= state.max_rounds:
            how = f"has had its {state.max_rounds} rounds"
            raise errors.SessionOver(session_id, how, "resolve it")
        named = _by_memory(space, state, given)
        every = dict(sorted({**state.votes, **named}.items()))
        found = _round_of(space, replace(state, round=state.round + 1, votes=every), cut)
        cast = _votes_of(space, name_of(session_id), found.state, named, cut)
        told = tuple(drafts(cast, space.author, cut.instant))
        found = found._replace(state=replace(found.state, told=told))
        expires_at = _reported_votes(space, session_id, before, found.state)
    for warning in space.home.follow():
        space.home.notify(warning)
    converged = set(found.state.line) <= set(before.state.line)
    return _session(session_id, found, expires_at, converged=converged)


def recall_resolve(
    space: WritableSpace, session_id: str, accepted: Sequence[str] = (), *, note: str | None = None
) -> Resolution:
    """End a session with the accepted memories, or with none, and learn from its votes.

    Accepted memories are recorded as used, as by `use`. Other lessons apply to similar queries
    only: accepted memories rank higher, `cold` and `wrong` ones lower, and memories sought together
    become associated. A spark that led to accepted memories in two sessions adds them to later
    recalls. `undo` reverts it. Raises `UnknownSession`, `SessionOver`, `NotShown`, `InvalidField`.
    """
    remark = checked_remark("note", note)
    if isinstance(accepted, str) or not isinstance(accepted, Sequence):
        raise InvalidField("accepted", "is no list of ids", "give the ids in a list")
    session_id = _checked_session(session_id)
    # Write uses reported earlier first, to keep their order in the log.
    space.uses.write()
    with space.home.sessions.turn():
        state = _kept_votes(space, session_id).state
        taken = [_shown(space, state, "accepted", one) for one in accepted]
        ballot, context = Ballot(state.shown, state.votes, taken), _context_of(space, state)
        resolved = decide_resolution(name_of(session_id), state.round, context, ballot)
        decision = Decision(resolved, None, None if remark is None else Note(remark))
        event = draft(decision, space.author, state.resolution, None)
        _append_missing(space, state.told)
        appended = _appended(space, event, taken)
        # If this fails, readers of the session file still find the resolution in the log.
        with suppress(errors.StorageFailed):
            space.home.sessions.end(session_id, _RESOLVED)
    return _resolution(space, [event], appended, len(resolved.lessons))


def vote_once(
    space: WritableSpace,
    query: str,
    votes: Mapping[str, Vote],
    *,
    entity: str | None = None,
    limit: int = 10,
) -> Resolution:
    """Vote on the hits of one recall: a session of one round, resolved at once.

    `limit` is the number of hits that the recall showed. It learns as `recall_resolve` does
    with no accepted memories. Raises `NotShown`, `InvalidField` or `InvalidNumber`.
    """
    given = _checked_votes(votes)
    begun = _begun(space, query, entity, limit, 1)
    cut, name = space.cut(), name_of(new_session_id())
    state = replace(_round_of(space, begun, cut).state, round=1)
    named = _by_memory(space, state, given)
    resolved = decide_resolution(name, 1, _context_of(space, state), Ballot(state.shown, named))
    cast = _votes_of(space, name, state, named, cut)
    batch = drafts([Decision(resolved, None), *cast], space.author, cut.instant)
    return _resolution(space, batch, space.home.log.append(batch), len(resolved.lessons))


def _begun(
    space: WritableSpace, query: str, entity: str | None, limit: int, max_rounds: int
) -> SessionState:
    asked, about = checked_cue(query, "query"), checked_text("entity", entity)
    if about is not None:
        checked_length(_LONGEST_ENTITY, "entity", about)
        if not relevance.words_of(about):
            raise InvalidField("entity", "has no word in it", "name it, or leave it out")
        if not relevance.holds_name(asked, about):
            asked = f"{asked} {about}"
    checked_up_to(_MOST_SHOWN, "limit", limit)
    checked_up_to(_MOST_ROUNDS, "max_rounds", max_rounds)
    (resolution,) = new_event_ids(1, space.home.clock.now())
    vector = recall.embedded(space, asked).astype(np.float32).tobytes()
    name = space.home.embedder.name
    return SessionState(
        space.name, asked, about, limit, max_rounds, resolution, embedder=name, vector=vector
    )


def _kept_votes(space: WritableSpace, session_id: str) -> StoredSession:
    kept = space.home.sessions.read(session_id, space.name)
    if kept.state.embedder != space.home.embedder.name:
        how = f"was begun with the embedder {kept.state.embedder}"
        raise errors.SessionOver(session_id, how, "start another one")
    space.home.head()
    if space.home.views.read(lambda db: is_resolved(db, space.name, kept.state.resolution)):
        # The process that resolved it was killed before it could end the stored session.
        space.home.sessions.end(session_id, _RESOLVED)
        raise errors.SessionOver(session_id, _RESOLVED, "start another one")
    return kept


def _checked_session(session_id: str) -> str:
    if not isinstance(session_id, str) or not session_id.strip():
        raise InvalidField("session_id", "is empty", "give the one that the session began with")
    checked_text("session_id", session_id)
    return session_id.strip()


def _checked_votes(votes: Mapping[str, Vote]) -> dict[str, Vote]:
    if not isinstance(votes, Mapping) or not votes:
        raise InvalidField(
            "votes", "are none", "give a vote for at least one memory that was shown"
        )
    for vote in votes.values():
        if vote not in VOTES:
            raise InvalidField("votes", f"{vote!r} is not a vote", f"use {', '.join(VOTES)}")
    return dict(votes)


def _by_memory(
    space: WritableSpace, state: SessionState, votes: Mapping[str, Vote]
) -> dict[MemoryId, Vote]:
    found: dict[MemoryId, Vote] = {}
    for reference, vote in votes.items():
        one = _shown(space, state, "votes", reference)
        if one in found:
            raise InvalidField("votes", f"name {one} twice", "give one vote a memory")
        found[one] = vote
    return dict(sorted(found.items()))


def _shown(space: WritableSpace, state: SessionState, field: str, reference: str) -> MemoryId:
    if not isinstance(reference, str) or not reference.strip():
        raise InvalidField(field, f"{reference!r} is no id", "name memories that were shown")
    wanted = reference.strip()
    if wanted.startswith("@"):
        # A position without a memory is reported as not shown.
        with suppress(errors.UnknownMemory, InvalidField):
            wanted = reference = memory_named(space, wanted, space.cut())
    wanted = wanted.casefold().replace("-", "")
    found = [one for one in state.shown if one.startswith(wanted)]
    # A reference of dashes alone would match every memory shown.
    if not found or not wanted:
        raise errors.NotShown(field, reference)
    if len(found) > 1:
        raise errors.AmbiguousId(reference, sorted(found))
    return found[0]


def _context_of(space: WritableSpace, state: SessionState) -> Neighbourhood:
    subject = relevance.subject_key(space.home.log.secret, state.query, state.entity)
    code = code_of(np.frombuffer(state.vector, np.float32)).hex()
    return Neighbourhood(code, state.embedder, None if subject is None else subject.hex())


def _votes_of(
    space: WritableSpace, name: str, state: SessionState, named: Mapping[MemoryId, Vote], cut: Cut
) -> list[Decision]:
    if settings_of(space, cut).record_votes != "each":
        return []
    context = _context_of(space, state)
    return [Decision(Voted(name, state.round, vote, context), one) for one, vote in named.items()]


def _reported_votes(
    space: WritableSpace, session_id: str, before: StoredSession, after: SessionState
) -> Micros | None:
    """Store the next state of a session and append its votes; None if another round came first."""
    sessions = space.home.sessions
    with sessions.turn():
        expires_at = sessions.replace(session_id, before, after)
        if expires_at is None:
            return None
        try:
            _append_missing(space, [*before.state.told, *after.told])
        except BaseException:
            # The votes are not acknowledged: restore the state, so that a retry is the same
            # round. If that fails too, the next round appends these votes as well.
            with suppress(errors.StorageFailed):
                sessions.replace(session_id, StoredSession(after, before.version + 1), before.state)
            raise
        return expires_at


def _appended(space: WritableSpace, event: Draft, taken: Sequence[MemoryId]) -> Appended:
    """Append a resolution and the use of accepted memories in one write, or nothing at all."""
    known = space.home.log.positions_of([event.event_id])

    def plan() -> tuple[PlannedAppend, None]:
        uses, expected = ([], None) if known or not taken else used_events(space, taken)
        return PlannedAppend([event, *uses], expected), None

    _, appended = append_planned(space, plan)
    return replace(appended, positions=appended.positions[:1])


def _append_missing(space: WritableSpace, votes: Sequence[Draft]) -> None:
    there = space.home.log.positions_of([one.event_id for one in votes])
    if missing := [one for one in votes if one.event_id not in there]:
        space.home.log.append(missing)


def _session(session_id: str, found: _Round, expires_at: Micros, *, converged: bool) -> Session:
    line, branches, state = found
    left, until = state.max_rounds - state.round, to_datetime(expires_at)
    return Session(session_id, state.round, left, line, branches, converged, until)


def _resolution(
    space: WritableSpace, batch: Sequence[Draft], appended: Appended, updated: int
) -> Resolution:
    told = asdict(receipt(batch, appended, space.home.follow()))
    return Resolution(**told, updated=updated, learned=updated > 0)


def _round_of(space: Space, state: SessionState, cut: Cut) -> _Round:
    """Search steered by the votes so far; the first round shows what a plain recall would show."""
    index, votes = space.home.index(space.name).at(cut.position), state.votes
    origin = np.frombuffer(state.vector, np.float32)
    found = space.home.log.positions_of([EventId(one) for one in votes])
    positions = {MemoryId(one): position for one, position in found.items()}
    ordinals = {one: index.columns.ordinal(position) for one, position in positions.items()}
    known = {one: at for one, at in ordinals.items() if at != NOBODY}
    held = index.vectors.of(np.array([*known.values()], np.intp))
    vectors = dict(zip(known, held, strict=True))
    stays = frozenset(at for one, at in positions.items() if votes[one] == "hot")
    toward = frozenset(positions[one] for one in vectors if votes[one] in relevance.TOWARD)
    judged = frozenset(positions.values()) - stays
    reading, names = read_cue(state.query, cut.instant), (space.name,)
    if votes:
        # Votes were on answers to the whole query: they steer its search, not those of its parts.
        reading = replace(reading, parts=())
    lessons = recall.lessons_of(space, names, cut)
    counts = questions.counts_with([one.evidence(cut.position) for one in lessons])
    settings = settings_of(space, cut)
    question = Question(
        cue=state.query,
        reading=reading,
        position=cut.position,
        instant=cut.instant,
        vector_search=settings.vector_search,
        present=present(space.home, cut),
        limit=state.limit,
        filters={space.name: Filter()},
        pinned=recall.pinned_in(space, names, cut),
        vector=relevance.refined(origin, [(votes[one], vector) for one, vector in vectors.items()]),
        blend=questions.blend(counts),
        subjects=relevance.known_subjects(lessons, space.home.log.secret, state.query),
        steering=Steering(origin, toward=toward, stays=stays, judged=judged),
    )
    main, readers = question, NOBODY_READS
    if not votes:
        fusion = questions.FUSIONS.get(reading.route, questions.DEFAULT_FUSION)
        main = replace(question, strategy=checked_strategy(settings.strategy), fusion=fusion)
        readers = space.home.readers_by(settings.reranker)
    line = recall.answered(space, main, readers).hits
    seen = frozenset({*positions.values(), *(hit.position for hit in line)})
    aside = replace(question, strategy="semantic", steering=Steering(origin, judged=seen))
    branches = tuple(
        SparkBranch(one, hits)
        for one in [one for one, vote in votes.items() if vote == "spark" and one in vectors]
        if (hits := recall.answered(space, replace(aside, vector=vectors[one]), NOBODY_READS).hits)
    )
    shown = dict(state.shown)
    for hit in line:
        # Only hits of the first round keep the components of their relevance.
        scores = {} if votes else hit.explanation.scores
        components = {name: scores[name] for name in questions.COMPONENTS if name in scores}
        shown.setdefault(hit.memory_id, Shown(components))
    for branch in branches:
        for hit in branch.memories:
            shown.setdefault(hit.memory_id, Shown({}, branch.spark))
    after = replace(state, shown=shown, line=tuple(hit.memory_id for hit in line))
    return _Round(line, branches, after)
