"""Space of an open home: author, as-of cut, time passed, references and retired texts."""

from __future__ import annotations

import math
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

import msgspec

from mnemolog import application
from mnemolog.application.home.home import Home
from mnemolog.application.home.uses import Gathering
from mnemolog.language.sentences import spoken
from mnemolog.ledger import errors
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.decay import DAY_US
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import ID_DIGITS, EventId, MemoryId, Position, parse_prefix
from mnemolog.ledger.log import proven
from mnemolog.policies.memories import instant
from mnemolog.projections.lifecycle import has_deletions
from mnemolog.projections.memory_queries import first_recorded, redacted_after, superseded_after
from mnemolog.projections.spaces import last_tick_as_of
from mnemolog.recall.items import parts

LONGEST_STEP_DAYS = 90  # a longer step without any event may be a clock that is wrong
_COUNTED_IN_DAYS, _PREFIX_MATCHES = 2, 64
_SHARED, _MOST_NEAR = 0.5, 100
_MOST_READ = 256  # newest retired memories that are looked at of each of a text's words
_LONGEST = 20_000  # characters of a retired text that is known again in other words
_ID = re.compile(rb"(?<![0-9a-f])[0-9a-f]{%d}(?![0-9a-f])" % ID_DIGITS)


class Cut(NamedTuple):
    """As-of cut of one question: the last visible position, and the instant that counts as now."""

    position: Position
    instant: Micros


class Author(msgspec.Struct, frozen=True):
    """Author of events: who writes, in which space, and in which run."""

    space: str
    actor: str
    run: str | None


class Space(msgspec.Struct, frozen=True):
    """Space that questions read, at present (`moment` is None) or at one past cut."""

    home: Home
    name: str
    moment: Cut | None = None
    author: Author | None = None

    def cut(self) -> Cut:
        """Cut of the next question, after the views have caught up with it."""
        if self.moment is None:
            return Cut(*self.home.present())
        # Catch up to today's head: content redacted since must be gone from past answers too.
        head = self.home.log.head().position
        self.home.views.catch_up(head, self.moment.position)
        return self.moment

    def at(self, moment: Cut) -> Space:
        """Same space at one fixed cut, for any number of questions."""
        return Space(self.home, self.name, moment)


class WritableSpace(Space, frozen=True, kw_only=True):
    """Space that commands write to, with its buffer of uses and its cache of superseded texts."""

    author: Author
    uses: Gathering
    retired: Retired


def writable_space(home: Home, author: Author) -> WritableSpace:
    """Space that commands of this author write to."""
    # The lambda defers the import of `record_uses` to the first report.
    name, uses = author.space, Gathering(lambda some: application.record_uses(space, some), home)
    space = WritableSpace(home, name, author=author, uses=uses, retired=Retired(home, name))
    return space


def cut_at(home: Home, moment: int | datetime | str) -> Cut:
    """Cut of the log by position, time or ISO 8601 text; none may lie beyond the present."""
    if isinstance(moment, int):
        head = home.log.head()
        if isinstance(moment, bool) or not 0 <= moment <= head.position:
            raise errors.UnknownPosition(moment, head.position)
        if moment == 0:
            return Cut(Position(0), Micros(0))
        event = proven(home.log, [Position(moment)]).get(Position(moment))
        if event is None:
            raise errors.UnknownPosition(moment, head.position)
        return Cut(event.position, event.recorded_at)
    if (at := instant("as_of", moment)) is None:
        raise errors.InvalidTime("as_of", "is missing", "give a position, a datetime or ISO 8601")
    if at > max(home.clock.now(), home.log.head().recorded_at):
        raise errors.InvalidTime("as_of", "has not come yet", "give a time up to now")
    return Cut(home.log.position_at(at), at)


class TimeStep(NamedTuple):
    """Period in which no event was recorded."""

    since: Micros
    until: Micros

    def doubt(self, home: Home) -> str:
        """Sentence that says why the clock may be wrong."""
        now, last = home.clock.now(), home.log.head().recorded_at
        since, until = (f"{to_datetime(at):%Y-%m-%d}" for at in self)
        silence = f"no event is dated in the {_days(self.until - self.since)}"
        if now < last:
            behind = f"the machine's clock stands {_days(last - now)} behind the log's last event"
            return f"{behind}, and {silence} since {since}"
        if self.until > last:
            return f"the machine's clock stands {_days(now - last)} ahead of the log's last event"
        return f"{silence} from {since} to {until}"


def present(home: Home, cut: Cut) -> Micros:
    """Current instant of a space, from the machine's clock, whatever dates its events have."""
    return min(cut.instant, home.clock.now())


def by_the_clock(home: Home, cut: Cut) -> Cut:
    """Cut at the same position with the instant of `present`, for fading, expiry and age."""
    return Cut(cut.position, present(home, cut))


def last_ticked(home: Home, space: str, cut: Cut) -> Micros | None:
    """Instant up to which a space was last ticked, the future left out; None if it never was."""
    until = present(home, cut)
    return home.views.read(lambda db: last_tick_as_of(db, space, cut.position, until))


def implausible_step(home: Home, space: str, cut: Cut) -> TimeStep | None:
    """First period of over 90 days without events since the last tick, or else the first event."""
    until, at = present(home, cut), last_ticked(home, space, cut)
    if at is None:
        at = home.views.read(lambda db: first_recorded(db, space, cut.position))
    longest = LONGEST_STEP_DAYS * DAY_US
    while at is not None and until - at > longest:
        last = home.log.position_at(Micros(at + longest))
        events = home.log.events_at([last, Position(last + 1)])
        recorded = {event.position: event.recorded_at for event in events}
        if recorded.get(last, at) <= at:
            return TimeStep(at, min(until, recorded.get(Position(last + 1), until)))
        at = recorded[last]
    return None


def believed(home: Home, space: str, cut: Cut) -> Micros:
    """Instant up to which time has certainly passed: the start of an implausible step, or now."""
    step = implausible_step(home, space, cut)
    return present(home, cut) if step is None else step.since


def _days(micros: int) -> str:
    days = micros / DAY_US
    return f"{days:,.0f} days" if days >= _COUNTED_IN_DAYS else f"{24 * days:,.0f} hours"


def memory_named(space: Space, reference: str, cut: Cut) -> MemoryId:
    """Id of the memory that a reference names. Raises `UnknownMemory` or `AmbiguousId`."""
    found = {
        one.memory_id
        for one in events_named(space, reference, kinds=("remembered",))
        if one.memory_id is not None and one.space == space.name and one.position <= cut.position
    }
    if not found:
        raise errors.UnknownMemory(reference, space.name)
    if len(found) > 1:
        raise errors.AmbiguousId(reference, sorted(found))
    return found.pop()


def event_named(space: Space, reference: str, preferred: str = "remembered") -> Event:
    """Event of this space that a reference names. Raises `UnknownEvent` or `AmbiguousId`."""
    # A prefix prefers a kind: events of one command share theirs, and listings show a memory's.
    events = events_named(space, reference, kinds=(preferred,)) or events_named(space, reference)
    found = [event for event in events if event.space == space.name]
    if not found:
        raise errors.UnknownEvent(reference)
    if len(found) > 1:
        raise errors.AmbiguousId(reference, [event.event_id for event in found])
    return found[0]


def events_named(space: Space, reference: str, kinds: Sequence[str] = ()) -> list[Event]:
    """Events that a reference may name; `kinds` restricts the events that an id prefix matches."""
    if not isinstance(reference, str):
        given = f"is of type {type(reference).__name__}"
        raise errors.InvalidField("id", given, "give an id or @position")
    if reference.startswith("@"):
        digits = reference[1:]
        if not digits.isascii() or not digits.isdigit():
            raise errors.InvalidField("id", f"{reference!r} is no position", "write it like @12")
        return space.home.log.events_at([Position(int(digits[:18]))])
    prefix = parse_prefix("id", reference)
    return space.home.log.events_with_prefix(prefix, _PREFIX_MATCHES, space.name, kinds)


def naming(ids: Iterable[EventId | MemoryId]) -> Callable[[Event], bool]:
    """Conflict check: predicate for events that concern one of these or name it in a structure."""
    wanted = frozenset(one.encode() for one in ids)
    # Other writers wait for this: the cost depends on the event's length, not on len(ids).
    return lambda event: not wanted.isdisjoint(ids_in(event))


def ids_in(event: Event) -> list[bytes]:
    """Ids of the memories and events that an event concerns or names."""
    return [(event.memory_id or "").encode(), *_ID.findall(event.structure)]


class Retired:
    """Cache of a space's superseded texts, and of whether it deleted any, for several threads."""

    def __init__(self, home: Home, space: str) -> None:
        self._home, self._space = home, space
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._reached, self._generation = Position(0), self._home.views.generation
        self._asked, self._deleted = Position(0), False
        self._texts: dict[MemoryId, str] = {}
        self._holding: dict[str, dict[MemoryId, None]] = defaultdict(dict)

    def near(self, text: str, position: Position) -> dict[MemoryId, str]:
        """At most 100 retired memories that share half of a text's content words, with texts."""
        with self._lock:
            self._catch_up(position)
            if not self._texts:
                return {}
            if len(text) > _LONGEST:
                return {one: known for one, known in self._texts.items() if known == text}
            return {one: self._texts[one] for one in self._sharing(_keys(text))}

    def any_deleted(self, position: Position) -> bool:
        """True if a memory of the space was deleted for having faded, up to a position or later."""
        with self._lock:
            self._follow_views()
            if position > self._asked and not self._deleted:
                views = self._home.views
                self._deleted = views.read(lambda db: has_deletions(db, self._space))
                self._asked = position
            return self._deleted

    def _sharing(self, own: set[str]) -> list[MemoryId]:
        """Retired memories that hold half of these words, those of most words first."""
        holders = sorted((self._holding.get(key, {}) for key in own), key=len)
        least = math.ceil(_SHARED * len(own))
        # Whoever holds `least` of the words holds one of the rarest that are more than the others.
        rarest = holders[: len(holders) - least + 1]
        found = {one for held in rarest for one in islice(reversed(held), _MOST_READ)}
        counts = {one: sum(one in held for held in holders) for one in found}
        near = [one for one in found if counts[one] >= least]
        return sorted(near, key=counts.__getitem__, reverse=True)[:_MOST_NEAR]

    def _follow_views(self) -> None:
        if self._generation != self._home.views.generation:
            # A new generation may belong to another log, which a restore put in place.
            self._forget()

    def _catch_up(self, position: Position) -> None:
        self._follow_views()
        space, since = self._space, self._reached
        if position <= since:
            return
        redacted, olds, self._deleted = self._home.views.read(
            lambda db: (
                redacted_after(db, space, since),
                superseded_after(db, space, since),
                has_deletions(db, space),
            )
        )
        self._asked = max(self._asked, position)
        for one in redacted:
            for key in _keys(self._texts.pop(one, "")):
                del self._holding[key][one]
        for event in events_of(self._home, [one for one in olds if one not in self._texts]):
            _, content = parts(event)
            if content is not None:
                one = MemoryId(event.event_id)
                self._texts[one] = content.text
                for key in _keys(content.text):
                    self._holding[key][one] = None
        # Set last: after a failed read, the next call tries again.
        self._reached = position


def _keys(text: str) -> set[str]:
    """Content words that index a retired text; none for a long one."""
    if not text or len(text) > _LONGEST:
        return set()
    from mnemolog.policies.terms import content_words  # noqa: PLC0415 - heavy

    return content_words(spoken(text)[1])


def events_of(home: Home, ids: Sequence[EventId | MemoryId]) -> list[Event]:
    """Events with these ids, in log order; that of a memory is the one that stored it."""
    if not ids:
        return []
    return home.log.events_at([*home.log.positions_of([EventId(one) for one in ids]).values()])
