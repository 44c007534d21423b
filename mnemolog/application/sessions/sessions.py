"""Recall sessions: votes on the memories shown steer the next round, and the outcome is learned."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import get_args

import msgspec
import numpy as np

from mnemolog.application.commands.command import PlannedAppend, append_planned
from mnemolog.application.commands.receipts import Receipt, draft, drafts, receipt
from mnemolog.application.home.session_store import (
    SessionState,
    StoredSession,
    name_of,
    new_session_id,
)
from mnemolog.application.home.space import Cut, WritableSpace, memory_named
from mnemolog.application.questions.browse import settings_of
from mnemolog.application.questions.recall import embedded
from mnemolog.application.retention.use import used_events, write_uses
from mnemolog.application.sessions.rounds import (
    Round,
    SparkBranch,
    having_shown,
    origin_of,
    round_of,
)
from mnemolog.indexes.lessons import code_of
from mnemolog.ledger import errors
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Draft, Neighbourhood, Note, Vote, Voted
from mnemolog.ledger.ids import MemoryId, new_event_ids
from mnemolog.ledger.log import Appended
from mnemolog.policies.learning import Ballot, decide_resolution
from mnemolog.policies.memories import checked_length, checked_remark, checked_text
from mnemolog.policies.supersession import Decision
from mnemolog.projections.lessons import is_resolved
from mnemolog.recall.answers import Hit
from mnemolog.recall.search.checks import checked_cue, checked_up_to
from mnemolog.recall.search.relevance import holds_name, subject_key, words_of
from mnemolog.results import Results

MOST_ROUNDS, MOST_SHOWN = 20, 50
VOTES: tuple[Vote, ...] = get_args(Vote)
_LONGEST_ENTITY = 1_000
_RESOLVED = "was resolved"


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
    """Receipt of a resolved session.

    `updated` counts the memories that gained or lost weight for similar queries, if any `learned`.
    """

    updated: int = 0
    learned: bool = False


def recall_session_start(
    space: WritableSpace,
    query: str,
    *,
    entity: str | None = None,
    limit: int = 5,
    max_rounds: int = 4,
) -> Session:
    """Start a recall session on a query; its first round shows at most `limit` (1 to 50) hits.

    `entity` is the person or thing that the query is about: it is added to the search, and
    what is learned applies only to queries that name it. A session has at most `max_rounds`
    (1 to 20) rounds of votes and expires after five minutes without use. The query is stored
    only in the session. Raises `InvalidField` or `InvalidNumber`.
    """
    state = begun_session(space, query, entity, limit, max_rounds)
    found = round_of(space, state, space.cut())
    session_id, state = new_session_id(), having_shown(state, found)
    expires_at = space.home.sessions.begin(session_id, state)
    return _session(session_id, state, found, expires_at, converged=not found.line)


def recall_vote(space: WritableSpace, session_id: str, votes: Mapping[str, Vote]) -> Session:
    """Vote on memories that a session showed; returns the next round.

    `hot`: exactly right; `warm`: close; `cold`: not it; `wrong`: misleading; `spark`: not it,
    but a reminder of something, which opens a branch. Memories with a vote are not shown
    again, except `hot` ones. Votes do not change memories. Each vote is an event unless the
    space's setting `record_votes` says otherwise. Raises `UnknownSession`, `SessionOver`,
    `NotShown` or `InvalidField`; the session is then unchanged.
    """
    given, session_id = _checked_votes(votes), _checked_session(session_id)
    expires_at = None
    while expires_at is None:
        cut = space.cut()
        before = _kept_votes(space, session_id)
        state = before.state
        if state.round >= state.max_rounds:
            how = f"has had its {state.max_rounds} rounds"
            raise errors.SessionOver(session_id, how, "resolve it")
        named = _by_memory(space, state, given)
        voted = msgspec.structs.replace(
            state, round=state.round + 1, votes=dict(sorted({**state.votes, **named}.items()))
        )
        found = round_of(space, voted, cut)
        after = having_shown(voted, found)
        cast = _votes_of(space, name_of(session_id), after, named, cut)
        told = tuple(drafts(cast, space.author, cut.instant))
        after = msgspec.structs.replace(after, told=told)
        expires_at = _told_votes(space, session_id, before, after)
    for warning in space.home.follow():
        space.home.notify(warning)
    converged = set(after.line) <= set(before.state.line)
    return _session(session_id, after, found, expires_at, converged=converged)


def recall_resolve(
    space: WritableSpace, session_id: str, accepted: Sequence[str] = (), *, note: str | None = None
) -> Resolution:
    """End a session with the accepted memories, or with none, and learn from its votes.

    Accepted memories are recorded as used, as by `use`. Other lessons apply to similar queries
    only: accepted memories rank higher, `cold` and `wrong` ones lower, and memories sought
    together become associated. A spark that led to accepted memories in two sessions adds them
    to later recalls. `undo` reverts what was learned. Raises `UnknownSession`, `SessionOver`,
    `NotShown` or `InvalidField`.
    """
    remark = checked_remark("note", note)
    if isinstance(accepted, str) or not isinstance(accepted, Sequence):
        raise InvalidField("accepted", "is no list of ids", "give the ids in a list")
    session_id = _checked_session(session_id)
    # Write uses reported earlier first, to keep their order in the log.
    write_uses(space)
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
    begun = begun_session(space, query, entity, limit, 1)
    cut, name = space.cut(), name_of(new_session_id())
    state = msgspec.structs.replace(having_shown(begun, round_of(space, begun, cut)), round=1)
    named = _by_memory(space, state, given)
    context, ballot = _context_of(space, state), Ballot(state.shown, named)
    resolved = decide_resolution(name, 1, context, ballot)
    cast = _votes_of(space, name, state, named, cut)
    batch = drafts([Decision(resolved, None), *cast], space.author, cut.instant)
    return _resolution(space, batch, space.home.log.append(batch), len(resolved.lessons))


def begun_session(
    space: WritableSpace, query: str, entity: str | None, limit: int, max_rounds: int
) -> SessionState:
    """State of a new session on a query. Raises `InvalidField` or a subclass of it."""
    asked, about = checked_cue(query, "query"), checked_text("entity", entity)
    if about is not None:
        checked_length(_LONGEST_ENTITY, "entity", about)
        if not words_of(about):
            raise InvalidField("entity", "has no word in it", "name it, or leave it out")
    checked_up_to(MOST_SHOWN, "limit", limit)
    checked_up_to(MOST_ROUNDS, "max_rounds", max_rounds)
    if about is not None and not holds_name(asked, about):
        asked = f"{asked} {about}"
    (resolution,) = new_event_ids(1, space.home.clock.now())
    return SessionState(
        space=space.name,
        query=asked,
        entity=about,
        limit=limit,
        max_rounds=max_rounds,
        resolution=resolution,
        embedder=space.home.embedder.name,
        vector=embedded(space, asked).astype(np.float32).tobytes(),
    )


def _kept_votes(space: WritableSpace, session_id: str) -> StoredSession:
    kept = space.home.sessions.read(session_id, space.name)
    resolution, embedder = kept.state.resolution, kept.state.embedder
    if embedder != space.home.embedder.name:
        how = f"was begun with the embedder {embedder}"
        raise errors.SessionOver(session_id, how, "start another one")
    space.home.head()
    if space.home.views.read(lambda db: is_resolved(db, space.name, resolution)):
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
        fix = "give a vote for at least one memory that was shown"
        raise InvalidField("votes", "are none", fix)
    for vote in votes.values():
        if vote not in VOTES:
            raise InvalidField("votes", f"{vote!r} is none", f"use {', '.join(VOTES)}")
    return dict(votes)


def _by_memory(
    space: WritableSpace, state: SessionState, votes: Mapping[str, Vote]
) -> dict[MemoryId, Vote]:
    """Votes by memory id, sorted. Raises `InvalidField` if two references name one memory."""
    found: dict[MemoryId, Vote] = {}
    for reference, vote in votes.items():
        one = _shown(space, state, "votes", reference)
        if one in found:
            raise InvalidField("votes", f"name {one} twice", "give one vote a memory")
        found[one] = vote
    return dict(sorted(found.items()))


def _shown(space: WritableSpace, state: SessionState, field: str, reference: str) -> MemoryId:
    """Memory that an id or `@position` names among the memories that a session showed."""
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
    subject = subject_key(space.home.log.secret, state.query, state.entity)
    code = code_of(origin_of(state)).hex()
    return Neighbourhood(code, state.embedder, None if subject is None else subject.hex())


def _votes_of(
    space: WritableSpace, name: str, state: SessionState, named: Mapping[MemoryId, Vote], cut: Cut
) -> list[Decision]:
    """Decision for each vote of the session's present round, if the space records votes."""
    if settings_of(space, cut).record_votes != "each":
        return []
    context = _context_of(space, state)
    return [Decision(Voted(name, state.round, vote, context), one) for one, vote in named.items()]


def _told_votes(
    space: WritableSpace, session_id: str, before: StoredSession, after: SessionState
) -> Micros | None:
    """Store the next state of a session and append its votes; None if another round came first."""
    sessions = space.home.sessions
    with sessions.turn():
        expires_at = sessions.replace(session_id, before, after)
        if expires_at is not None:
            try:
                _append_missing(space, [*before.state.told, *after.told])
            except BaseException:
                # The votes are not acknowledged: restore the state, so that a retry is the same
                # round. If that fails too, the next round appends these votes as well.
                stored = StoredSession(after, before.version + 1)
                with suppress(errors.StorageFailed):
                    sessions.replace(session_id, stored, before.state)
                raise
    return expires_at


def _appended(space: WritableSpace, event: Draft, taken: Sequence[MemoryId]) -> Appended:
    """Append a resolution and the use of accepted memories in one write, or nothing at all."""
    known = space.home.log.positions_of([event.event_id])

    def plan() -> tuple[PlannedAppend, None]:
        uses, expected = ([], None) if known or not taken else used_events(space, taken)
        return PlannedAppend([event, *uses], expected), None

    _, appended = append_planned(space, plan)
    return msgspec.structs.replace(appended, positions=appended.positions[:1])


def _append_missing(space: WritableSpace, votes: Sequence[Draft]) -> None:
    there = space.home.log.positions_of([one.event_id for one in votes])
    missing = [one for one in votes if one.event_id not in there]
    if missing:
        space.home.log.append(missing)


def _session(
    session_id: str, state: SessionState, found: Round, expires_at: Micros, *, converged: bool
) -> Session:
    left = state.max_rounds - state.round
    return Session(session_id, state.round, left, *found, converged, to_datetime(expires_at))


def _resolution(
    space: WritableSpace, batch: Sequence[Draft], appended: Appended, updated: int
) -> Resolution:
    told = msgspec.structs.asdict(receipt(batch, appended, space.home.follow()))
    return Resolution(**told, updated=updated, learned=updated > 0)
