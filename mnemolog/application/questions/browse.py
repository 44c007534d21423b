"""Memories, their strengths, and events of a space, as of now or any past moment."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import Literal, get_args

from mnemolog.application.history import TIER_WORDS, Entry, entry
from mnemolog.application.home.home import Home
from mnemolog.application.home.settings import Settings, settings_from
from mnemolog.application.home.space import (
    Cut,
    Space,
    by_the_clock,
    events_of,
    memory_named,
    present,
)
from mnemolog.indexes.filters import KINDS, STATUSES, Filter, begins
from mnemolog.ledger.clock import NEVER, Micros, to_datetime
from mnemolog.ledger.decay import DAY_US, Pace, strength_at
from mnemolog.ledger.errors import InvalidField, InvalidNumber, UnknownMemory
from mnemolog.ledger.events import Event, MemoryKind, Recalled, Remembered
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import PAGE, LogRange, proven, proven_pages_in
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.memories import Time, checked_text, checked_texts, instant, normalised_place
from mnemolog.policies.retention.forgetting import Fading, Weight, centre, falls_until, review_at
from mnemolog.projections.lessons import taught_at
from mnemolog.projections.lifecycle import fall_conditions
from mnemolog.projections.memories import conflicts_of, tag_key
from mnemolog.projections.memory_queries import (
    MemoryRow,
    Status,
    counts,
    listed,
    rows_as_of,
    superseded,
    superseders,
    tagged,
)
from mnemolog.projections.spaces import origins_of, settings_as_of
from mnemolog.projections.strengths import (
    pace_as_of,
    pins_as_of,
    reinforced_in,
    strength_changed_at,
    strengths_as_of,
    weights_as_of,
)
from mnemolog.recall.items import Item, read_items, vitality_of
from mnemolog.recall.search import checks
from mnemolog.results import Listing, Results, Value

Order = Literal[
    "recency", "oldest", "pinned", "strength", "weight", "review", "conflicts", "persistence"
]
ORDERS: tuple[Order, ...] = get_args(Order)


class Count(Value, frozen=True):
    """Number of memories of one space, kind and status."""

    space: str
    kind: str
    status: str
    memories: int


def get_memory(space: Space, reference: str) -> Item:
    """Memory with an id, unique prefix or `@position`. Raises `UnknownMemory`, `AmbiguousId`."""
    if (item := find_memory(space, memory_named(space, reference, space.cut()))) is None:
        raise UnknownMemory(reference, space.name)
    return item


def find_memory(space: Space, memory_id: MemoryId | str) -> Item | None:
    """Memory with a given full id; None if it does not exist as of this moment."""
    cut, one = space.cut(), MemoryId(memory_id)
    rows = space.home.views.read(lambda db: rows_as_of(db, [one], cut.position))
    return next(iter(items_of(space, [*rows.values()], cut)), None)


def list_memories(  # noqa: PLR0913 - as recall
    space: Space,
    *,
    by: Order = "recency",
    limit: int = 50,
    kinds: Sequence[MemoryKind] = (),
    tags: Sequence[str] = (),
    source: str | None = None,
    place: str | None = None,
    statuses: Sequence[Status] = (),
    valid_at: Time | None = None,
) -> Listing[Item]:
    """Memories without a cue, at most `limit`, ordered `by`.

    - `recency` (newest first) or `oldest` (oldest first);
    - `strength` (strongest first) or `weight` (heaviest first);
    - `review`: important memories whose review is due, longest overdue first;
    - `persistence`: memories that most deserve to be kept first;
    - `pinned`: only memories in working memory;
    - `conflicts`: only memories in an open conflict.
    """
    cut = space.cut()
    if by not in ORDERS:
        raise InvalidField("by", f"{by!r} is unknown", f"use one of {', '.join(ORDERS)}")
    wanted = checks.checked_statuses(statuses) or checks.PLAIN_STATUSES
    question = filter_of(space, space.name, kinds, tags, source, place)
    held_at = instant("valid_at", valid_at)
    rows = space.home.views.read(lambda db: listed(db, space.name, cut.position, wanted))
    tagged_ones = None if question.tagged is None else frozenset(question.tagged)
    chosen = [
        row
        for row in rows
        if (not question.kinds or row.kind in question.kinds)
        and (question.source is None or begins(row.source or "", question.source))
        and (question.place is None or begins(row.place or "", question.place))
        and (tagged_ones is None or row.memory in tagged_ones)
        and (held_at is None or holds(row, held_at))
    ]
    ordered = _ordered(space, chosen, by, cut)[: checks.checked_limit(limit)]
    return Listing(items_of(space, ordered, cut))


def _ordered(space: Space, rows: list[MemoryRow], by: Order, cut: Cut) -> list[MemoryRow]:
    """Memories in a given order, and only those that it is about; `rows` are oldest first."""
    newest = rows[::-1]
    match by:
        case "recency" | "oldest":
            return newest if by == "recency" else rows
        case "pinned":
            pins = pins_of(space, cut)
            return [row for row in newest if row.memory_id in pins]
        case "conflicts":
            return [row for row in newest if row.status in {"contested", "pending"}]
    return _ranked(space, newest, by, cut)


def _ranked(space: Space, newest: list[MemoryRow], by: Order, cut: Cut) -> list[MemoryRow]:
    home, now = space.home, present(space.home, cut)
    if by == "persistence":
        from mnemolog.application.questions.persistence import standings  # noqa: PLC0415 - heavy

        found = standings(home, space.name, cut, newest)
        return sorted(newest, key=lambda row: -found[row.memory_id].persistence.value)
    if by == "weight":
        grown = home.views.read(lambda db: reinforced_in(db, space.name, cut.position))
        weights = {memory_id: centre(weight) for memory_id, weight in grown.items()}
        return sorted(newest, key=lambda row: -weights.get(row.memory_id, row.weight))
    ids = [row.memory_id for row in newest if by != "review" or row.importance == "high"]
    known = home.views.read(lambda db: vitality_of(db, ids, space.name, cut.position, now))
    if by == "strength":
        return sorted(newest, key=lambda row: -known[row.memory_id].strength)
    due = []
    for row in newest:
        if (one := known.get(row.memory_id)) is not None:
            at = review_at(row.importance, Micros(one.accessed_at or row.said_at), one.accesses)
            due += [(at, row)] if at is not None and at <= now else []
    return [row for _, row in sorted(due, key=itemgetter(0))]


def history_of(space: Space, reference: str) -> Listing[Entry]:
    """Events of a memory and of all memories in its supersession chain, in log order.

    Includes conflicts in which one of these is the older side, the uses and ticks that changed
    them, and the recall sessions that taught something about them. Redacted events lack content.
    """
    cut, log, ask = space.cut(), space.home.log, space.home.views.read
    family = [memory_named(space, reference, cut)]
    for one in family:
        for chained in (superseded, superseders):
            near = ask(partial(chained, memory_id=one, position=cut.position))
            family += [other for other in near if other not in family]
    conflicts = ask(lambda db: conflicts_of(db, family, cut.position))
    about = {at for row in conflicts for at in (row.at, row.until) if at is not None}
    for one in family:
        about.update(ask(partial(strength_changed_at, memory_id=one)))
        about.update(ask(partial(taught_at, memory_id=one)))
    found = [event for one in family for event in log.concerning(one)] + log.events_at([*about])
    found = [event for event in found if event.position <= cut.position]
    roots = {event.causation_id for event in found if event.causation_id is not None}
    # An undo event concerns no memory, but it is the cause of the events after it. The first
    # vote of a round is the cause of the others, whichever memory it is on.
    causes = log.events_at(list(log.positions_of(list(roots)).values()))
    found += [event for event in causes if event.space == space.name and event.kind != "voted"]
    known = [event.position for event in found if event.position <= cut.position]
    origins = ask(lambda db: origins_of(db, known))
    events = proven(log, known).values()
    return Listing(entry(event, origins.get(event.position)) for event in events)


def list_events(
    space: Space,
    *,
    after: int = 0,
    limit: int | None = None,
    kinds: Sequence[str] = (),
    spaces: Sequence[str] | None = None,
) -> Iterator[Entry]:
    """Events of this space in log order; `spaces=()` gives the events of all spaces."""
    cut = space.cut()
    names = (space.name,) if spaces is None else checked_texts("spaces", spaces)
    only_kinds = checked_texts("kinds", kinds)
    start = Position(max(0, checks.checked_count("after", after)))
    if limit is not None:
        checks.checked_count("limit", limit)
    only = names[0] if len(names) == 1 else None
    within = LogRange(start, cut.position, only, only_kinds)

    def entries() -> Iterator[Entry]:
        for page in proven_pages_in(space.home.log, within, min(PAGE, limit or PAGE)):
            positions = [event.position for event in page]
            origins = space.home.views.read(partial(origins_of, positions=positions))
            for event in page:
                if not names or event.space in names:
                    yield entry(event, origins.get(event.position))

    return islice(entries(), limit)


def all_memories(space: Space) -> dict[MemoryId, Item]:
    """Memories of this space in every status, by id; used to compare two moments."""
    cut = space.cut()
    rows = space.home.views.read(lambda db: listed(db, space.name, cut.position, STATUSES))
    return {item.memory_id: item for item in items_of(space, rows, cut)}


def count_memories(space: Space) -> Listing[Count]:
    """Numbers of memories in the home, by space, kind and status."""
    cut = space.cut()
    rows = space.home.views.read(lambda db: counts(db, cut.position))
    return Listing(Count(*row) for row in rows)


def read_settings(space: Space) -> Settings:
    """Settings in force in this space."""
    return settings_of(space, space.cut())


def filter_of(  # noqa: PLR0913, PLR0917 - the filters of a question
    space: Space,
    name: str,
    kinds: Sequence[str],
    tags: Sequence[str],
    source: str | None,
    place: str | None,
) -> Filter:
    """Filter of a question for the space `name`. Raises `InvalidField`."""
    wanted = checked_texts("kinds", kinds)
    for kind in wanted:
        if kind not in KINDS:
            raise InvalidField("kinds", f"{kind!r} is unknown", f"use {', '.join(KINDS)}")
    if checked_text("source", source) == "":
        raise InvalidField("source", "is empty", "give a source, or leave it out")
    words = dict.fromkeys(checked_texts("tags", tags))
    keys = [tag_key(space.home.log.secret, tag) for tag in words]
    found = tuple(space.home.views.read(lambda db: tagged(db, keys, name))) if keys else None
    within = None if place is None else normalised_place(place)
    return Filter(kinds=wanted, source=source, place=within, tagged=found)


def settings_of(space: Space, cut: Cut) -> Settings:
    """Settings in force in a space as of a moment."""
    changed = space.home.views.read(lambda db: settings_as_of(db, space.name, cut.position))
    return settings_from(changed)


def pins_of(space: Space, cut: Cut) -> dict[MemoryId, int | None]:
    """Memories in working memory as of a moment, each with its expiry time or None."""
    pins = space.home.views.read(lambda db: pins_as_of(db, space.name, cut.position))
    now = present(space.home, cut)
    return {one: expires for one, expires in pins.items() if expires is None or expires > now}


def items_of(space: Space, rows: Sequence[MemoryRow], cut: Cut) -> tuple[Item, ...]:
    """Items with content for memory rows, in the same order."""
    sources = (space.home.log, space.home.views)
    return read_items(rows, space.name, *by_the_clock(space.home, cut), sources)


def holds(row: MemoryRow, at: int) -> bool:
    """True if a memory is valid at an instant."""
    begun = row.valid_from is None or row.valid_from <= at
    return begun and (row.valid_until is None or row.valid_until > at)


_KINDS = frozenset(
    {
        "remembered", "superseded", "reinstated", "withdrawn", "restored", "pinned", "unpinned",
        "weakened", "strengthened", "degraded", "revived",
    }
)  # fmt: skip
_LEAST_DAYS = 90


class StrengthPoint(Value, frozen=True):
    """Strength of a memory at an instant, in [0, 1]."""

    at: datetime
    strength: float


class StrengthMark(Value, frozen=True):
    """Event that changed a memory's strength, or a future tier change if it is not used."""

    at: datetime
    kind: str
    text: str


class StrengthCurve(Results[StrengthPoint], frozen=True):
    """Strength of a memory from its creation to some days from now, at even intervals.

    `marks` are the events that changed it, in order; `to_come` are future tier changes.
    """

    _over = "points"

    memory_id: MemoryId
    now: datetime
    points: tuple[StrengthPoint, ...]
    marks: tuple[StrengthMark, ...]
    to_come: tuple[StrengthMark, ...]


def strength_curve(
    space: Space, reference: str, *, points: int = 60, ahead_days: int | None = None
) -> StrengthCurve:
    """Strength curve of one memory, with the given number of points (2 to 10,000).

    `ahead_days` is the forecast in days (0 to 36,500); default: the age of the memory, at
    least 90 days. Raises `UnknownMemory`, `AmbiguousId` or `InvalidNumber`.
    """
    ahead = ("ahead_days", 0 if ahead_days is None else ahead_days, 0, 36_500)
    for field, value, least, most in (("points", points, 2, 10_000), ahead):
        if not least <= checks.checked_count(field, value) <= most:
            raise InvalidNumber(field, f"{value} is out of range", f"give {least} to {most:,}")
    cut, views = space.cut(), space.home.views
    memory_id = memory_named(space, reference, cut)
    changed = views.read(lambda db: strength_changed_at(db, memory_id))
    about = (event for event in space.home.log.concerning(memory_id) if event.kind in _KINDS)
    marking = {one.position: one for one in (*space.home.log.events_at(changed), *about)}
    events = [event for at, event in sorted(marking.items()) if at <= cut.position]
    now = present(space.home, cut)
    # If the clock was set back, the memory may have been stored in the future.
    begin = min(events[0].recorded_at, now)
    by_age = max(_LEAST_DAYS * DAY_US, now - begin)
    end = min(NEVER - 1, now + (by_age if ahead_days is None else ahead_days * DAY_US))
    instants = [Micros(begin + (end - begin) * step // (points - 1)) for step in range(points)]
    # Each point is the strength as known at its time; future ones use the cut.
    fading, pace = fading_of(space.home, space.name, [memory_id], cut.position)
    ask = partial(strengths_as_of, memory_ids=[memory_id])
    held = [views.read(partial(ask, position=one.position))[memory_id] for one in events]
    curve = []
    for at in instants:
        past = [n for n, one in enumerate(events) if one.recorded_at <= at or at >= now]
        known = held[max(past, default=0)]
        strength = round(strength_at(known.decay, known.trace, pace, at), 4)
        curve.append(StrengthPoint(to_datetime(at), strength))
    to_come = tuple(
        StrengthMark(to_datetime(due.due_at), "degraded", f"falls due to be {TIER_WORDS[due.tier]}")
        for one in fading
        for due in falls_until(one, pace, Micros(end))
    )
    marks = tuple(map(_mark, events))
    return StrengthCurve(memory_id, to_datetime(now), tuple(curve), marks, to_come)


def _mark(event: Event) -> StrengthMark:
    structure = VOCABULARY.structure(event) if event.kind == "recalled" else None
    at = Micros(structure.at) if isinstance(structure, Recalled) else event.recorded_at
    said = "was of use" if event.kind == "recalled" else entry(event).summary
    return StrengthMark(to_datetime(at), event.kind, said)


def fading_of(
    home: Home, space: str, memory_ids: Sequence[MemoryId], position: Position
) -> tuple[list[Fading], Pace]:
    """Strengths of memories, redacted ones left out, in the given order, and the space's pace."""
    found = home.views.read(lambda db: fall_conditions(db, memory_ids, position))
    pace = home.views.read(lambda db: pace_as_of(db, space, position))
    return [Fading(one, held) for _, one, _, held in found if held is not None], pace


def depth_weight_of(home: Home, memory_id: MemoryId, position: Position) -> Weight:
    """Depth weight of a memory as of a position: its initial or its reinforced weight."""
    known = home.views.read(lambda db: weights_as_of(db, [memory_id], position))
    if memory_id in known:
        return known[memory_id]
    structure = VOCABULARY.structure(events_of(home, [memory_id])[0])
    return (structure if isinstance(structure, Remembered) else Remembered()).depth_weight
