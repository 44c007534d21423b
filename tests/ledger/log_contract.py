"""What every log of events must do; each kind of log subclasses this with its own `open`."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from mnemolog.ledger.digests import EMPTY, GENESIS, Head, as_draft, chain, content_hash, leaf
from mnemolog.ledger.errors import (
    ClosedHandle,
    CorruptLog,
    EventIdTaken,
    InvalidField,
    StaleExpectation,
)
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import EventId, MemoryId, Position, new_event_ids
from mnemolog.ledger.log import Expected, Log, Quiet
from tests.homes import DAY, SECOND, START, HandClock, draft

NOWHERE = Position(0)
Opened = Callable[[], Log]


def digest_of(event: Event, previous: bytes) -> bytes:
    """The digest that an event must have after `previous`."""
    envelope = (
        event.position,
        bytes.fromhex(event.event_id),
        event.space,
        event.kind,
        event.version,
        event.recorded_at,
        event.actor,
        None if event.memory_id is None else bytes.fromhex(event.memory_id),
        event.correlation_id,
        None if event.causation_id is None else bytes.fromhex(event.causation_id),
    )
    covered = leaf(envelope, event.structure, event.content_hash)
    return chain(previous, covered)


def all_events(log: Log) -> list[Event]:
    """Every event of a log."""
    return log.read(NOWHERE, 1_000_000)


class LogContract(ABC):
    """The conformance tests of the log port."""

    @abstractmethod
    def open(self, directory: Path, clock: HandClock) -> Log:
        """An empty log."""

    @pytest.fixture
    def clock(self) -> HandClock:
        """The clock of every log of a test."""
        return HandClock()

    @pytest.fixture
    def another(self, tmp_path: Path, clock: HandClock) -> Iterator[Opened]:
        """Opens further logs, closed after the test."""
        opened: list[Log] = []

        def open_one() -> Log:
            directory = tmp_path / str(len(opened))
            directory.mkdir()
            opened.append(self.open(directory, clock))
            return opened[-1]

        yield open_one
        for log in opened:
            log.close()

    @pytest.fixture
    def log(self, another: Opened) -> Log:
        """An empty log."""
        return another()

    # -- appending ---------------------------------------------------------------------

    def test_a_new_log_is_empty(self, log: Log) -> None:
        """A log without events has the empty head, at position 0 with the genesis digest."""
        assert log.head() == EMPTY
        assert log.head().digest == GENESIS
        assert all_events(log) == []

    def test_positions_are_gapless_from_one(self, log: Log) -> None:
        """Events stand at 1, 2, 3 … over any number of batches."""
        assert log.append([draft("one")]).positions == (1,)
        assert log.append([draft("two"), draft("three")]).positions == (2, 3)
        assert [event.position for event in all_events(log)] == [1, 2, 3]

    def test_an_event_is_read_as_it_was_drafted(self, log: Log, clock: HandClock) -> None:
        """Every field of the draft comes back, with the clock's time and the bytes unchanged."""
        first = draft("tea ☕ “quoted”")
        about = MemoryId(first.event_id)
        second = draft(
            "why", kind="withdrawn", memory_id=about, causation_id=first.event_id, space="other"
        )
        log.append([first, second])
        events = all_events(log)
        assert [as_draft(event) for event in events] == [first, second]
        assert {event.recorded_at for event in events} == {clock.time}

    def test_digests_chain_over_salted_contents(self, log: Log) -> None:
        """Each digest covers the one before it; equal contents have unequal hashes."""
        log.append([draft("same"), draft("same"), draft(content=None)])
        previous = GENESIS
        events = all_events(log)
        for event in events:
            assert event.digest == digest_of(event, previous)
            previous = event.digest
        assert log.head().digest == previous
        assert events[0].content_hash != events[1].content_hash
        assert content_hash(events[0].salt or b"", events[0].content or b"") == (
            events[0].content_hash
        )
        assert (events[2].salt, events[2].content_hash) == (None, None)

    def test_an_empty_batch_appends_nothing(self, log: Log) -> None:
        """Appending no events is no error and moves no head."""
        log.append([draft()])
        head = log.head()
        assert log.append([]).positions == ()
        assert log.head() == head

    def test_a_batch_is_all_or_nothing(self, log: Log) -> None:
        """One event that cannot be appended keeps the others of its batch out."""
        taken = draft("taken")
        log.append([taken])
        other = msgspec.structs.replace(taken, content=b'{"text":"other"}')
        with pytest.raises(EventIdTaken):
            log.append([draft("before"), other, draft("after")])
        assert len(all_events(log)) == 1

    def test_one_id_twice_in_a_batch_is_refused(self, log: Log) -> None:
        """A batch with the same event id twice is refused as a whole."""
        twice = draft("twice")
        with pytest.raises(InvalidField, match="event_id"):
            log.append([draft("before"), twice, twice])
        assert log.head() == EMPTY

    # -- what it was decided on --------------------------------------------------------

    def test_an_append_that_holds_its_expectation_succeeds(self, log: Log) -> None:
        """Right positions of memories, of none, and of the space let a batch through."""
        first = draft("one")
        memory, unknown = MemoryId(first.event_id), MemoryId("0" * 32)
        log.append([first], Expected({unknown: NOWHERE}, ("default", NOWHERE)))
        pin = draft(kind="pinned", memory_id=memory, content=None)
        log.append([pin], Expected({memory: Position(1)}, ("default", Position(1))))
        log.append([draft()], Expected({memory: Position(2)}))
        log.append([draft(space="other")], Expected(space=("other", NOWHERE)))
        assert log.head().position == 4

    @pytest.mark.parametrize("position", [0, 1, 3])
    def test_a_memory_that_moved_on_refuses_the_append(self, log: Log, position: int) -> None:
        """A wrong position of a memory is an error that names both, and appends nothing."""
        first = draft("one")
        memory = MemoryId(first.event_id)
        log.append([first, draft(kind="pinned", memory_id=memory, content=None)])
        with pytest.raises(StaleExpectation) as raised:
            log.append([draft("late")], Expected({memory: Position(position)}))
        assert (raised.value.expected, raised.value.actual) == (position, 2)
        assert memory in raised.value.subject
        assert log.head().position == 2

    def test_a_space_that_moved_on_refuses_the_append(self, log: Log) -> None:
        """The expected head is that of the space: other spaces may grow meanwhile."""
        log.append([draft("one"), draft("elsewhere", space="other")])
        with pytest.raises(StaleExpectation) as raised:
            log.append([draft("late")], Expected(space=("default", NOWHERE)))
        assert (raised.value.expected, raised.value.actual) == (0, 1)
        log.append([draft("two")], Expected(space=("default", Position(1))))
        assert log.head().position == 3

    def test_a_space_that_was_to_be_quiet_refuses_the_append(self, log: Log) -> None:
        """Nothing may have come to the space after a position, which may be another space's."""
        log.append([draft("one"), draft("elsewhere", space="other")])
        quiet = Expected(quiet=Quiet("default", Position(2)))
        log.append([draft("also elsewhere", space="other")], quiet)
        log.append([draft("two")], quiet)
        with pytest.raises(StaleExpectation) as raised:
            log.append([draft("late")], quiet)
        assert (raised.value.expected, raised.value.actual) == (2, 4)
        assert log.head().position == 4

    def test_a_space_may_grow_by_what_does_not_matter(self, log: Log) -> None:
        """Only what matters, of what came to the space after the position, refuses the append."""
        log.append([draft("one")])
        quiet = Expected(
            quiet=Quiet("default", Position(1), lambda event: b"two" in (event.content or b""))
        )
        log.append([draft("other"), draft("two", space="other")], quiet)
        log.append([draft("three")], quiet)
        log.append([draft("two"), draft("four")], quiet)
        with pytest.raises(StaleExpectation) as raised:
            log.append([draft("late")], quiet)
        assert (raised.value.expected, raised.value.actual) == (1, 5)
        assert log.head().position == 6

    # -- retries -----------------------------------------------------------------------

    def test_a_retry_returns_the_first_positions(self, log: Log, clock: HandClock) -> None:
        """Appending the same events again appends nothing and says where they stand."""
        batch = [draft("one"), draft("two")]
        first = log.append(batch)
        head = log.head()
        clock.move(DAY)
        again = log.append(batch)
        assert again.positions == first.positions
        assert again.recorded_at == first.recorded_at
        assert log.head() == head

    def test_a_retry_holds_although_the_expectation_no_longer_does(self, log: Log) -> None:
        """What was acknowledged is found again, whatever has happened to its space since."""
        batch, expected = [draft("one")], Expected(space=("default", NOWHERE))
        log.append(batch, expected)
        log.append([draft("two")])
        assert log.append(batch, expected).positions == (1,)
        with pytest.raises(StaleExpectation):
            log.append([*batch, draft("three")], expected)
        assert log.head().position == 2

    def test_a_partly_known_batch_appends_the_rest(self, log: Log) -> None:
        """Known events keep their positions, the others follow the head, in the order given."""
        known = draft("known")
        log.append([draft("zero"), known])
        assert log.append([draft("new"), known, draft("newer")]).positions == (3, 2, 4)
        assert [event.position for event in all_events(log)] == [1, 2, 3, 4]

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("content", b'{"text":"other"}'),
            ("content", None),
            ("structure", b'{"kind":"episodic"}'),
            ("space", "other"),
            ("kind", "noted"),
            ("version", 2),
            ("memory_id", MemoryId("1" * 32)),
        ],
    )
    def test_an_id_with_another_payload_is_refused(
        self, log: Log, field: str, value: object
    ) -> None:
        """The same id with other bytes is an error that names the id and where it stands."""
        first = draft("one")
        log.append([draft("zero"), first])
        with pytest.raises(EventIdTaken) as raised:
            log.append([msgspec.structs.replace(first, **{field: value})])
        assert (raised.value.event_id, raised.value.position) == (first.event_id, 2)
        assert log.head().position == 2

    def test_an_erased_event_is_met_again_by_its_id(self, log: Log) -> None:
        """Retrying what was redacted returns its position, with or without the old content."""
        first = draft("secret")
        log.append([first])
        log.append([draft(kind="redacted", content=None)], erase=[Position(1)])
        assert log.append([first]).positions == (1,)
        assert log.append([as_draft(all_events(log)[0])]).positions == (1,)
        assert all_events(log)[0].content is None

    # -- time --------------------------------------------------------------------------

    def test_times_never_decrease(self, log: Log, clock: HandClock) -> None:
        """A clock that went back gives the log's last time again; the answer says by how much."""
        assert log.append([draft()]).future == 0
        clock.move(-30 * SECOND)
        behind = log.append([draft()])
        assert (behind.recorded_at, behind.future) == (START, 30 * SECOND)
        clock.move(31 * SECOND)
        assert log.append([draft()]).future == 0
        times = [event.recorded_at for event in all_events(log)]
        assert times == [START, START, START + SECOND]

    def test_position_at_is_the_last_at_or_before_an_instant(
        self, log: Log, clock: HandClock
    ) -> None:
        """Among events of one time it is the last; before the first it is 0."""
        assert log.position_at(START) == 0
        for moved in (0, 0, DAY, DAY):
            clock.move(moved)
            log.append([draft()])
        found = {
            instant: log.position_at(instant)
            for instant in (START - 1, START, START + 1, START + DAY, START + 9 * DAY)
        }
        assert list(found.values()) == [0, 2, 2, 3, 4]

    # -- reading -----------------------------------------------------------------------

    def test_reading_is_by_position_space_and_kind(self, log: Log) -> None:
        """`after` is exclusive; space and kinds narrow together; `limit` counts what fits."""
        memory = MemoryId("2" * 32)
        log.append(
            [
                draft("1"),
                draft("2", space="other"),
                draft("3", kind="noted", memory_id=memory),
                draft("4", kind="noted", memory_id=memory, space="other"),
                draft("5"),
                draft("6", kind="seen", memory_id=memory),
            ]
        )

        def read(after: int, limit: int, *narrow: object) -> list[int]:
            return [event.position for event in log.read(Position(after), limit, *narrow)]

        assert read(0, 2) == [1, 2]
        assert read(2, 2) == [3, 4]
        assert read(6, 9) == []
        assert read(0, 0) == []
        assert read(0, 9, "default") == [1, 3, 5, 6]
        assert read(1, 2, "default") == [3, 5]
        assert read(0, 9, None, ("noted",)) == [3, 4]
        assert read(0, 9, "default", ("noted", "seen")) == [3, 6]
        assert read(0, 9, "nowhere") == []

    def test_events_at_skips_what_is_not_there(self, log: Log) -> None:
        """Events come in ascending order, each once, and only those that exist."""
        log.append([draft() for _ in range(5)])
        wanted = [Position(position) for position in (4, 2, 0, 4, 99, -1)]
        assert [event.position for event in log.events_at(wanted)] == [2, 4]
        assert log.events_at([]) == []

    def test_many_events_are_found_at_once(self, log: Log) -> None:
        """Thousands of ids and positions are looked up in one call."""
        batch = [draft() for _ in range(2_000)]
        log.append(batch)
        found = log.positions_of([item.event_id for item in batch])
        assert found == {item.event_id: at for at, item in enumerate(batch, 1)}
        assert len(log.events_at([Position(position) for position in range(1, 2_001)])) == 2_000

    def test_positions_of_leaves_out_unknown_ids(self, log: Log) -> None:
        """Ids that are not in the log have no position."""
        first = draft()
        log.append([draft(), first])
        assert log.positions_of([first.event_id, EventId("f" * 32)]) == {first.event_id: 2}

    def test_concerning_gives_a_memory_its_events(self, log: Log) -> None:
        """The memory's own event comes first, then all that was said of it, in order."""
        first, other = draft("one"), draft("other")
        memory = MemoryId(first.event_id)
        log.append(
            [
                first,
                other,
                draft(kind="pinned", memory_id=memory, content=None),
                draft(kind="pinned", memory_id=MemoryId(other.event_id), content=None),
                draft(kind="noted", memory_id=memory, space="elsewhere"),
            ]
        )
        assert [event.position for event in log.concerning(memory)] == [1, 3, 5]
        assert log.concerning(MemoryId("e" * 32)) == []

    # -- waiting -----------------------------------------------------------------------

    def test_a_waiting_reader_is_woken_by_an_append(self, log: Log) -> None:
        """`wait` returns the new head as soon as another thread has appended."""
        log.append([draft()])
        heads: list[Head] = []
        # Longer than it is waited for: at the end of its time it would tell the new head as well.
        reader = threading.Thread(target=lambda: heads.append(log.wait(Position(1), 120.0)))
        reader.start()
        log.append([draft()])
        reader.join(60.0)
        assert heads == [log.head()]

    def test_waiting_ends_when_time_is_up(self, log: Log) -> None:
        """Without an append `wait` returns the head as it stands; beyond it, at once."""
        log.append([draft()])
        assert log.wait(Position(1), 0.0) == log.head()
        assert log.wait(NOWHERE, 60.0) == log.head()

    # -- adopting ----------------------------------------------------------------------

    def test_adopted_events_are_equal_to_the_bit(
        self, log: Log, another: Opened, clock: HandClock
    ) -> None:
        """Positions, times, salts and digests of another log are kept, whatever the clock says."""
        log.append([draft("one"), draft(content=None)])
        log.append([draft("three")], erase=[Position(1)])
        events = all_events(log)
        clock.move(-DAY)
        copy = another()
        copy.adopt(events[:1])
        copy.adopt(events[1:])
        assert all_events(copy) == events
        assert copy.head() == log.head()

    def test_an_adopting_log_grows_on(self, log: Log, another: Opened) -> None:
        """Appends follow adopted events, and a retry finds those that were adopted."""
        batch = [draft("one"), draft("two")]
        log.append(batch)
        copy = another()
        copy.adopt(all_events(log))
        assert copy.append([*batch, draft("three")]).positions == (1, 2, 3)

    @pytest.mark.parametrize(
        "changes",
        [
            {"position": Position(3)},
            {"digest": bytes(32)},
            {"content": b'{"text":"forged"}'},
            {"salt": bytes(16)},
            {"salt": None},
            {"structure": b'{"kind":"episodic"}'},
            {"actor": "user:mallory"},
            {"recorded_at": START + 1},
            {"content_hash": bytes(32)},
        ],
        ids=lambda changes: next(iter(changes)),
    )
    def test_what_does_not_chain_is_not_adopted(
        self, log: Log, another: Opened, changes: dict[str, object]
    ) -> None:
        """A changed event is refused with the last good position, and its batch with it."""
        log.append([draft("one"), draft("two"), draft("three")])
        events = all_events(log)
        events[1] = msgspec.structs.replace(events[1], **changes)
        copy = another()
        with pytest.raises(CorruptLog) as raised:
            copy.adopt(events)
        assert raised.value.last_good == 1
        assert copy.head() == EMPTY

    def test_adopted_events_keep_the_order_of_time(self, log: Log, another: Opened) -> None:
        """An event dated before the one before it is refused, though its digest fits."""
        log.append([draft("one"), draft("two")])
        first, second = all_events(log)
        earlier = msgspec.structs.replace(second, recorded_at=START - 1)
        earlier = msgspec.structs.replace(earlier, digest=digest_of(earlier, first.digest))
        with pytest.raises(CorruptLog):
            another().adopt([first, earlier])

    def test_adopted_events_have_ids_of_their_own(self, log: Log, another: Opened) -> None:
        """A second event of one id is refused, though its digest fits."""
        log.append([draft("one")])
        (first,) = all_events(log)
        second = msgspec.structs.replace(first, position=Position(2))
        second = msgspec.structs.replace(second, digest=digest_of(second, first.digest))
        copy = another()
        with pytest.raises(CorruptLog):
            copy.adopt([first, second])
        assert copy.head() == EMPTY

    # -- erasing -----------------------------------------------------------------------

    def test_erasing_destroys_content_and_salt_alone(self, log: Log) -> None:
        """Envelope, structure, content hash and digest stay; the chain goes on over them."""
        log.append([draft("keep"), draft("secret")])
        keep, before = all_events(log)
        log.append([draft(kind="redacted", content=None)], erase=[Position(2)])
        kept, after, last = all_events(log)
        assert kept == keep
        assert after == msgspec.structs.replace(before, content=None, salt=None)
        assert after.erased
        assert not kept.erased
        assert last.digest == digest_of(last, after.digest)

    def test_a_refused_append_erases_nothing(self, log: Log) -> None:
        """Erasure belongs to its batch: without the one there is not the other."""
        log.append([draft("keep")])
        with pytest.raises(StaleExpectation):
            log.append(
                [draft(kind="redacted", content=None)],
                Expected(space=("default", NOWHERE)),
                erase=[Position(1)],
            )
        assert all_events(log)[0].content is not None

    # -- many at once ------------------------------------------------------------------

    def test_threads_lose_nothing_and_leave_no_gap(self, log: Log) -> None:
        """Sixteen threads append at once: every event is there, batches unbroken."""
        batches: dict[str, tuple[Position, ...]] = {}
        start = threading.Barrier(16)

        def write(name: int) -> None:
            start.wait()
            for number in range(10):
                ids = new_event_ids(3, START)
                positions = log.append([draft(f"{name}", event_id=one) for one in ids]).positions
                batches[f"{name}-{number}"] = positions

        threads = [threading.Thread(target=write, args=(name,)) for name in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(sum(batches.values(), ())) == list(range(1, 481))
        assert all(first + 2 == last for first, _, last in batches.values())
        previous = GENESIS
        for event in all_events(log):
            assert event.digest == digest_of(event, previous)
            previous = event.digest

    def test_one_thread_wins_a_race_on_a_memory(self, log: Log) -> None:
        """Of many appends decided on the same state exactly one succeeds."""
        first = draft("one")
        memory = MemoryId(first.event_id)
        log.append([first])
        outcomes: list[bool] = []
        start = threading.Barrier(8)

        def race() -> None:
            start.wait()
            try:
                log.append(
                    [draft(kind="pinned", memory_id=memory, content=None)],
                    Expected({memory: Position(1)}),
                )
                outcomes.append(True)
            except StaleExpectation:
                outcomes.append(False)

        threads = [threading.Thread(target=race) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == [False] * 7 + [True]
        assert log.head().position == 2

    # -- closing -----------------------------------------------------------------------

    def test_a_closed_log_says_so(self, log: Log) -> None:
        """After `close` every further call raises `ClosedHandle`; closing twice is fine."""
        log.append([draft()])
        log.close()
        log.close()
        for call in (
            log.head,
            lambda: log.append([draft()]),
            lambda: log.read(NOWHERE, 1),
            lambda: log.events_at([Position(1)]),
        ):
            with pytest.raises(ClosedHandle):
                call()
