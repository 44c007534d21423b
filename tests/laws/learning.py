"""What was learned in a home, as its questions see it, and as its log alone tells it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import apsw
import msgspec
import numpy as np
from hypothesis import strategies as st

from mnemolog import Hit, Memory, Moment, Recall, Session
from mnemolog.application.home.home import LEDGER
from mnemolog.application.sessions import VOTES
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.lessons import LessonIndex
from mnemolog.ledger.clock import Clock
from mnemolog.ledger.digests import EMPTY
from mnemolog.ledger.events import Event, Resolved, Undone, Vote
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.projections.lessons import LessonChanges, learned_after
from tests.faults.hashed_words import HashedWords
from tests.homes import HandClock

KITCHEN = "who keeps the kettle in the attic"
ALIKE = "who keeps a kettle in the attic"
ENTITIES = ("Dana", "Ben Hur", "Mara")
CUES = (
    KITCHEN, ALIKE, "where is Dana's violin", "violin of Ben Hur", "the compass",
    "what did Mara say about the harbour", "fog and lighthouse",
)  # fmt: skip
TEXTS = (
    *(
        f"{who} keeps the {what} in the {where}"
        for who in ("Dana", "Ben Hur", "Mara")
        for what in ("kettle", "violin")
        for where in ("attic", "harbour")
    ),
    "The lighthouse has a lamp that turns", "Fog came over the lighthouse in May",
    "Goats graze above the quarry",
)  # fmt: skip

OF_ENTITY = " of entity "
"""Stands in the name of what is asked for an entity, and of nothing else."""

votes = st.lists(st.tuples(st.integers(0, 9), st.sampled_from(VOTES)), min_size=1, max_size=4)
entities = st.none() | st.sampled_from(ENTITIES)


def open_home(home: Path, clock: HandClock) -> Memory:
    """A space of a home whose embedder spreads its numbers as a model does."""
    return Memory.open(home, actor="user:dana", run="talk", clock=clock, embedder=HashedWords())


def learned(questions: Memory | Moment) -> dict[str, object]:
    """Bearings, associations, hooks and evidence at a moment; memories by position."""
    cut = questions._space.cut()
    state = questions._space.home.index(questions.space).at(cut.position)
    columns, size = state.columns, state.columns.size(cut.position)
    horizon = Horizon(cut.position, cut.instant, size)
    places = [int(one) for one in columns.positions(np.arange(size))]
    return _asked(state.lessons, horizon, places, _entities(questions, cut.position))


def _asked(
    lessons: LessonIndex, horizon: Horizon, places: Sequence[int], entities: Sequence[bytes]
) -> dict[str, object]:
    def named(ordinals: np.ndarray, values: np.ndarray) -> dict[int, float]:
        pairs = zip(ordinals.tolist(), values.tolist(), strict=True)
        return {places[one]: value for one, value in pairs if one < horizon.size}

    found: dict[str, object] = {"evidence": dict(lessons.evidence(horizon.position))}
    for cue, vector in zip(CUES, HashedWords().embed(CUES), strict=True):
        found[cue] = named(*lessons.bearings(vector, (), horizon.position))
        for one in entities:
            bearings = lessons.bearings(vector, (one,), horizon.position)
            found[f"{cue}{OF_ENTITY}{one.hex()}"] = named(*bearings)
    for ordinal, place in enumerate(places):
        beside = named(*lessons.associated([(ordinal, 1.0)], horizon))
        if beside:
            found[f"beside {place}"] = beside
    hooks = lessons.hooked(range(horizon.size), horizon.position)
    found["hooks"] = sorted((places[a], places[b]) for a, b in hooks if b < horizon.size)
    return found


def _entities(questions: Memory | Moment, position: Position) -> list[bytes]:
    """What stands for the entities that sessions named, in order."""
    found = {
        structure.context.entity
        for event in questions._space.home.log.read(EMPTY.position, position, questions.space)
        if isinstance(structure := VOCABULARY.structure(event), Resolved)
    }
    return sorted(bytes.fromhex(one) for one in found if one is not None)


def told_by_the_log(questions: Memory | Moment) -> dict[str, object]:
    """The same, of those sessions and uses alone that stand, as the log says it event by event."""
    cut = questions._space.cut()
    events = questions._space.home.log.read(EMPTY.position, cut.position)
    positions = {event.event_id: event.position for event in events}
    undoing: dict[str, list[Event]] = {}
    for event in events:
        structure = VOCABULARY.structure(event)
        if isinstance(structure, Undone):
            undoing.setdefault(structure.command, []).append(event)

    def stands(event_id: str) -> bool:
        return not any(stands(one.event_id) for one in undoing.get(event_id, []))

    kept = {
        positions[event.event_id]
        for event in events
        if stands(event.causation_id or event.event_id)
    }
    state = questions._space.home.index(questions.space).at(cut.position)
    whole = questions._space.home.views.read(
        lambda db: learned_after(db, questions.space, Position(0))
    )
    lessons = LessonIndex(HashedWords.dimensions)
    standing = LessonChanges(
        [one for one in whole.sessions if one.since in kept],
        [one for one in whole.together if one.since in kept],
    )
    lessons.follow(standing, state.columns, HashedWords.name)
    size = state.columns.size(cut.position)
    places = [int(one) for one in state.columns.positions(np.arange(size))]
    horizon = Horizon(cut.position, cut.instant, size)
    return _asked(lessons, horizon, places, _entities(questions, cut.position))


def recalled(questions: Memory | Moment) -> list[Recall]:
    """What some cues bring back, with all that explains it."""
    return [questions.recall(cue, min_relevance=0.0) for cue in CUES]


def shown(session: Session) -> tuple[object, ...]:
    """What a session shows, apart from its id and from when it ends."""
    kept = msgspec.structs.asdict(session)
    return tuple(kept[name] for name in kept if name not in {"session_id", "expires_at"})


def ids(hits: Sequence[Hit]) -> list[str]:
    """The memories of hits, in order."""
    return [hit.memory_id for hit in hits]


def home_of(path: Path, events: Sequence[Event], clock: Clock, secret: bytes) -> Path:
    """A home made of events as they are, that knows names by the secret of another."""
    path.mkdir(parents=True)
    log = SqliteLog(path / LEDGER, clock=clock)
    if events:
        log.adopt(events)
    log.close()
    db = apsw.Connection(str(path / LEDGER))
    db.execute("UPDATE properties SET value = ? WHERE name = 'secret'", (secret,)).fetchall()
    db.close()
    return path


def given_votes(offered: Sequence[str], drawn: Sequence[tuple[int, Vote]]) -> dict[str, Vote]:
    """Votes on some of what was shown, each memory once."""
    return {offered[place % len(offered)]: vote for place, vote in drawn} if offered else {}


def offered(session: Session) -> list[str]:
    """Everything that a round showed."""
    branches = [hit for branch in session.spark_branches for hit in branch.memories]
    return list(dict.fromkeys(ids([*session.memories, *branches])))
