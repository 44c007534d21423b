"""Views follow the log: in any batching, beside readers, and from nothing if need be."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import apsw
import msgspec
import pytest
from hypothesis import given, strategies as st

from mnemolog import Memory
from mnemolog.application.upkeep.integrity import table_rows
from mnemolog.ledger.errors import ClosedHandle, CorruptLog, LogShortened
from mnemolog.ledger.events import Draft
from mnemolog.ledger.ids import EventId, MemoryId, Position, new_event_ids
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog, VolatileLog
from mnemolog.projections import folding
from mnemolog.projections.memory_queries import closing, rows_as_of, superseded, superseders
from mnemolog.projections.spaces import is_undone, settings_as_of
from mnemolog.projections.strengths import pins_as_of
from mnemolog.projections.views import Views, all_projections
from tests.homes import DAY, START, HandClock, draft, open_home
from tests.laws.life import answers, tables

SECRET = bytes(32)
IDS = new_event_ids(6, START)
CONFLICTS = new_event_ids(3, START + 1)
CONFLICT = {
    "type": "value", "severity": "minor", "resolution": "recency", "judge": "a test",
}  # fmt: skip
SPACES = ("alpha", "beta")

memories = st.sampled_from(IDS)
spaces = st.sampled_from(SPACES)


def one(kind: str, about: EventId | None, structure: object, space: str) -> Draft:
    """An event of the vocabulary about a memory, as a log may hold it, sensible or not."""
    (event_id,) = new_event_ids(1, START)
    return Draft(
        event_id=event_id,
        space=space,
        kind=kind,
        actor="user:dana",
        structure=msgspec.json.encode(structure),
        memory_id=None if about is None else MemoryId(about),
    )


def remembering(event_id: EventId, tag: str, space: str) -> Draft:
    """A memory with a tag."""
    content = msgspec.json.encode({"text": f"about {tag}", "tags": [tag]})
    return msgspec.structs.replace(draft(event_id=event_id, space=space), content=content)


changes = st.one_of(
    st.builds(
        lambda old, new, ends, space: one("superseded", old, {"by": new, **ends}, space),
        memories, memories,
        st.sampled_from(({}, {"valid_until": START}, {"valid_until": 0})), spaces,
    ),
    st.builds(
        lambda old, new, space: one("reinstated", old, {"by": new}, space),
        memories, memories, spaces,
    ),
    st.builds(
        lambda kind, about, space: one(kind, about, {}, space),
        st.sampled_from(("withdrawn", "restored", "unpinned", "deployed")), memories, spaces,
    ),
    st.builds(
        lambda about, ends, space: one("pinned", about, ends, space),
        memories, st.sampled_from(({}, {"expires_at": START + DAY})), spaces,
    ),
    st.builds(
        lambda value, space: one("configured", None, {"settings": {"strategy": value}}, space),
        st.sampled_from((None, "rrf", "keyword")), spaces,
    ),
    st.builds(lambda ids, space: one("redacted", None, {"events": ids}, space),
              st.lists(memories, max_size=2), spaces),
    st.builds(
        lambda source, target, names, space: msgspec.structs.replace(
            one("linked", source, {"type": "IS_A"} | ({"target": target} if target else {}), space),
            content=None if names is None else msgspec.json.encode(names),
        ),
        st.none() | memories, st.none() | memories,
        st.sampled_from((None, {"source": "almonds"}, {"source": "Nuts", "target": "nuts"})),
        spaces,
    ),
    st.builds(
        lambda at, about, space: ("unlinked", at, about, space),
        st.integers(0, 9), st.none() | memories, spaces,
    ),
    st.builds(
        lambda about, space: one("undone", None, {"command": about}, space), memories, spaces
    ),
    st.builds(
        lambda event_id, about, other, outcome, space: msgspec.structs.replace(
            one("conflicted", about, {**CONFLICT, "other": other, "outcome": outcome}, space),
            event_id=event_id,
        ),
        st.sampled_from(CONFLICTS), memories, memories,
        st.sampled_from(("contested", "pending", "superseded")), spaces,
    ),
    st.builds(
        lambda kind, conflict, about, space: one(
            kind, about, {"conflict": conflict, "winner": "both"}, space
        ),
        st.sampled_from(("settled", "reopened")), st.sampled_from(CONFLICTS), memories, spaces,
    ),
    st.builds(
        lambda about, change, space: one(change[0], about, change[1], space),
        memories,
        st.sampled_from((
            ("weakened", {"factor": 0.5}), ("weakened", {"factor": 0.3}),
            ("strengthened", {"strength": 1.0}), ("strengthened", {"strength": 0.7}),
        )), spaces,
    ),
)  # fmt: skip


@st.composite
def histories(draw: st.DrawFn) -> list[Draft]:
    """Memories come in somewhere among what is said of them, before or after."""
    events = draw(st.lists(changes, max_size=25))
    edges = [
        event.event_id for event in events if isinstance(event, Draft) and event.kind == "linked"
    ]
    events = [
        event
        if isinstance(event, Draft)
        else one(event[0], event[2], {"edge": edges[event[1] % len(edges)]}, event[3])
        for event in events
        if isinstance(event, Draft) or edges
    ]
    # An id stands once in a log.
    events = [*{event.event_id: event for event in events}.values()]
    for event_id in IDS:
        at = draw(st.integers(0, len(events)))
        tag = draw(st.sampled_from(("red", "blue")))
        events.insert(at, remembering(event_id, tag, draw(spaces)))
    return events


def folded(log: VolatileLog, cuts: Sequence[int]) -> dict[str, list[tuple[object, ...]]]:
    """All tables after folding a log's events with a batch's end at each cut."""
    db = apsw.Connection("")
    projections = all_projections(SECRET)
    for projection in projections:
        db.execute(projection.schema).fetchall()
    end = log.head().position
    bounds = sorted({0, end, *(cut % (end + 1) for cut in cuts)})
    for low, high in pairwise(bounds):
        events = log.read(Position(low), high - low)
        for projection in projections:
            projection.apply(db, events)
    found = {
        table: table_rows(db, table) for projection in projections for table in projection.tables
    }
    db.close()
    return found


@given(history=histories(), cuts=st.lists(st.integers(0, 40)))
def test_any_batching_gives_the_same_tables(history: list[Draft], cuts: list[int]) -> None:
    """Folding event by event, all at once or in any other batches comes to the same."""
    log = VolatileLog(HandClock())
    log.append(history)
    whole = folded(log, [])
    assert folded(log, cuts) == whole
    assert folded(log, range(len(history))) == whole


@given(history=histories(), cut=st.integers(0, 40))
def test_rows_as_of_a_position_are_those_of_a_shorter_log(history: list[Draft], cut: int) -> None:
    """Rows as of a position, and nothing else, are what the log cut there comes to."""
    history = [event for event in history if event.kind != "redacted"]
    log, shorter = VolatileLog(HandClock()), VolatileLog(HandClock())
    log.append(history)
    position = cut % (len(history) + 1)
    shorter.adopt(log.read(Position(0), position))
    later, then = folded(log, []), folded(shorter, [])
    columns = {"memories": (0, 2), "supersessions": (2, 3), "pins": (1, 2), "settings": (2, 3),
               "undos": (1, 2), "edges": (0, 1), "strengths": (1, 2),
               "openings": (1, 2)}  # fmt: skip
    # How a conflict was settled is told only from then on.
    later["openings"] = [
        (*row[:5], None if (row[2] or 0) > position else row[5]) for row in later["openings"]
    ]
    for table, (since, until) in columns.items():
        held = [
            (*row[:until], None if (row[until] or 0) > position else row[until], *row[until + 1 :])
            for row in later[table]
            if row[since] <= position
        ]
        assert held == then[table], table
    known = [row for row in later["conflicts"] if row[1] <= position]
    assert known == then["conflicts"]


@given(history=histories())
def test_at_most_one_state_holds_at_any_position(history: list[Draft]) -> None:
    """The states of a memory follow each other without gap or overlap."""
    log = VolatileLog(HandClock())
    log.append(history)
    by_memory: dict[object, list[tuple[int, int | None]]] = {}
    for row in folded(log, [])["memories"]:
        by_memory.setdefault(row[1], []).append((row[0], row[2]))
    for memory, spans in by_memory.items():
        assert spans[0][0] == memory
        assert spans[-1][1] is None
        assert all(end == begin for (_, end), (begin, _) in pairwise(spans))


# -- the file --------------------------------------------------------------------------


class Followed:
    """A log with its views."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.notices: list[str] = []
        self.log = SqliteLog(home / "ledger.db", clock=HandClock())
        self.views = Views(home, self.log, all_projections(SECRET), self.notices.append)

    def remember(self, count: int = 1) -> None:
        """Append memories."""
        self.log.append([draft() for _ in range(count)])

    def caught_up(self) -> int:
        """How many memories the views know, brought up to the head."""
        self.views.catch_up(self.log.head().position)
        return self.views.read(lambda db: db.execute("SELECT count(*) FROM memories").get)

    def file(self) -> Path:
        """The file of the views."""
        (path,) = self.home.glob("views-*.db")
        return path


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    """An empty log with its views."""
    one_home = Followed(tmp_path)
    yield one_home
    one_home.views.close()
    one_home.log.close()


def test_views_reach_what_is_asked_for(followed: Followed) -> None:
    """Each catching up folds what is new; the first makes the file without a word."""
    assert followed.caught_up() == 0
    followed.remember(3)
    assert followed.caught_up() == 3
    followed.remember()
    assert followed.caught_up() == 4
    assert followed.views.reached().digest == followed.log.head().digest
    assert followed.notices == []


def test_more_than_a_batch_is_folded(followed: Followed) -> None:
    """A log longer than what one transaction takes is folded in full, and progress is told."""
    followed.remember(5_500)
    told: list[tuple[str, int, int]] = []
    followed.views.rebuild(lambda *step: told.append(step))
    assert told[-1] == ("folding", 5_500, 5_500)
    assert followed.caught_up() == 5_500


def test_a_rebuild_stands_beside_until_it_is_whole(followed: Followed) -> None:
    """A reader inside a question goes on in the old file while the new one takes its place."""
    followed.remember(3)
    followed.caught_up()
    old = followed.file()
    inside, rebuilt = threading.Event(), threading.Event()
    counts: list[int] = []

    def question(db: apsw.Connection) -> None:
        counts.append(db.execute("SELECT count(*) FROM memories").get)
        inside.set()
        assert rebuilt.wait(60)
        counts.append(db.execute("SELECT count(*) FROM memories").get)

    reader = threading.Thread(target=lambda: followed.views.read(question))
    reader.start()
    assert inside.wait(60)
    followed.remember()
    followed.views.rebuild()
    rebuilt.set()
    reader.join()
    assert counts == [3, 3]
    assert followed.file() != old
    assert followed.caught_up() == 4


def test_a_rebuild_that_fails_leaves_the_old_views(followed: Followed) -> None:
    """What goes wrong half-way is no loss: the old file serves on, the new one is removed."""
    followed.remember(3)
    followed.caught_up()
    old = followed.file()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        followed.views.rebuild(interrupt)
    assert followed.file() == old
    assert followed.caught_up() == 3


def test_a_question_during_the_switch_of_a_rebuild_misses_nothing(
    followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the new views know more than the old, nobody who asks the old takes them for new."""
    followed.remember(2)
    followed.caught_up()
    followed.remember(1)
    known: list[int] = []
    asking = threading.Thread(target=lambda: known.append(followed.caught_up()))
    switch = followed.views._switch

    def switched(generation: str) -> None:
        asking.start()
        # Time enough to go wrong: whoever asks now has to wait for the switch.
        asking.join(0.2)
        switch(generation)

    monkeypatch.setattr(followed.views, "_switch", switched)
    followed.views.rebuild()
    asking.join()
    assert known == [3]


def test_another_handle_follows_a_rebuild(followed: Followed) -> None:
    """What one process switched to, another uses at its next question, without a word."""
    followed.remember(3)
    followed.caught_up()
    other = Followed(followed.home)
    assert other.caught_up() == 3
    followed.views.rebuild()
    followed.remember()
    assert other.caught_up() == 4
    assert other.notices == followed.notices == []
    other.views.close()
    other.log.close()


Damage = Callable[[Path], None]


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _overwrite(path: Path) -> None:
    path.write_bytes(b"no database" * 1_000)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _drop(path: Path) -> None:
    raw = apsw.Connection(str(path))
    raw.execute("DROP TABLE pins")
    raw.close()


def _uncheck(path: Path) -> None:
    raw = apsw.Connection(str(path))
    raw.execute("UPDATE checkpoint SET position = position - 1")
    raw.close()


@pytest.mark.parametrize(
    "damage",
    [Path.unlink, _truncate, _overwrite, _empty, _drop, _uncheck],
    ids=lambda damage: damage.__name__,
)
def test_damaged_views_are_rebuilt_and_said_so(tmp_path: Path, damage: Damage) -> None:
    """Whatever happens to the file, the next question is answered from the log, with a notice."""
    with open_home(tmp_path / "home") as memory:
        tea = memory.remember("green tea").memory_id or ""
        memory.pin(tea)
        before, rows = answers(memory, []), tables(memory)
    (path,) = (tmp_path / "home").glob("views-*.db")
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    damage(path)
    with open_home(tmp_path / "home") as memory:
        assert answers(memory, []) == before
        assert tables(memory) == rows
        assert any("rebuilt" in notice for notice in memory.notices)
        memory.remember("black tea")
        assert answers(memory.as_of(2), []) == before


def test_views_of_another_version_are_made_anew(followed: Followed) -> None:
    """Tables that a projection of another version made are not folded into."""
    followed.remember(3)
    followed.caught_up()
    first, second, *rest = all_projections(SECRET)
    later = [first, msgspec.structs.replace(second, version=99), *rest]
    views = Views(followed.home, followed.log, later, followed.notices.append)
    views.catch_up(followed.log.head().position)
    assert "another version" in followed.notices[-1]
    assert views.read(lambda db: db.execute("SELECT count(*) FROM memories").get) == 3
    views.close()


def test_a_question_under_way_at_closing_is_answered(followed: Followed) -> None:
    """Closing leaves it its connection, which is closed when the answer is there."""
    followed.remember(3)
    followed.caught_up()
    held: list[apsw.Connection] = []

    def ask(db: apsw.Connection) -> object:
        held.append(db)
        followed.views.close()
        return db.execute("SELECT count(*) FROM memories").get

    assert followed.views.read(ask) == 3
    with pytest.raises(apsw.ConnectionClosedError):
        held[0].execute("SELECT 1")


def test_a_closed_home_answers_nothing(followed: Followed) -> None:
    """After `close` a question is an error."""
    followed.caught_up()
    followed.views.close()
    with pytest.raises(ClosedHandle):
        followed.views.read(lambda db: db.execute("SELECT 1").get)


def test_an_event_that_cannot_be_read_stops_the_folding(followed: Followed) -> None:
    """Nothing after it is folded and nothing invented; what lies before can still be asked."""
    followed.remember(2)
    broken = one("pinned", IDS[0], {"expires_at": "soon"}, "alpha")
    followed.log.append([broken])
    with pytest.raises(CorruptLog) as raised:
        followed.caught_up()
    assert raised.value.last_good <= 2


# -- a log that became shorter ---------------------------------------------------------


def shorten(home: Path, keep: int) -> None:
    """Take a log's last events away, as a lost write-ahead log does."""
    raw = apsw.Connection(str(home / "ledger.db"))
    raw.execute("DROP TRIGGER events_are_kept; DELETE FROM events WHERE position > ?", (keep,))
    raw.close()


@pytest.mark.parametrize("grown", [0, 1, 5])
def test_a_shortened_log_is_reported_until_it_is_accepted(tmp_path: Path, grown: int) -> None:
    """Views that reached further are evidence: kept, shown by verify and doctor, then accepted."""
    home = tmp_path / "home"
    with open_home(home) as memory:
        memory.remember_many(["one tea", "two tea", "three tea"])
        memory.recall("tea")
    shorten(home, 1)
    for handle in range(2):
        with open_home(home) as memory:
            memory.remember_many([f"new {handle} {number}" for number in range(grown)])
            memory.recall("tea")
            assert any("events were lost" in notice for notice in memory.notices) == (handle == 0)
            with pytest.raises(LogShortened) as raised:
                memory.log.verify()
            assert raised.value.known == 3
            levels = {one.subject: one.level for one in memory.upkeep.doctor().findings}
            assert levels["history"] == "error"
    with open_home(home) as memory:
        memory.log.accept_loss()
        assert memory.log.verify()
        found = memory.recall("three tea", strategy="keyword").hits
        assert "three tea" not in {hit.content for hit in found}


# -- reading rows ----------------------------------------------------------------------


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty home."""
    with open_home(tmp_path / "home") as opened:
        yield opened


def test_states_are_read_as_of_any_position(memory: Memory) -> None:
    """The same query with one more condition gives any past state."""
    old = memory.remember("coffee").memory_id or ""
    new = memory.supersede(old, "tea", valid_from="2025-01-01").memory_id or ""
    memory.undo()
    read = memory._space.home.views.read

    def status(position: int) -> str | None:
        rows = read(lambda db: rows_as_of(db, [old], Position(position)))
        return rows[old].status if old in rows else None

    assert [status(position) for position in range(7)] == [
        None, "active", "active", "superseded", "superseded", "active", "active",
    ]  # fmt: skip
    for position, above in ((2, ()), (3, (new,)), (4, (new,)), (5, ())):
        assert read(lambda db, p=position: superseders(db, old, Position(p))) == above
        below = (old,) if above else ()
        assert read(lambda db, p=position: superseded(db, new, Position(p))) == below
    assert read(lambda db: closing(db, old, new, Position(6))) == 1_735_689_600_000_000


def test_pins_settings_and_undos_are_read_as_of_any_position(memory: Memory) -> None:
    """Each answers with what held then."""
    tea = memory.remember("tea").memory_id or ""
    command = memory.pin(tea).events[0].event_id
    memory.configure({"strategy": "rrf"})
    memory.configure({"strategy": None})
    memory.undo(command)
    read = memory._space.home.views.read
    pins = [read(lambda db, p=p: pins_as_of(db, "default", Position(p))) for p in range(7)]
    assert [tea in held for held in pins] == [False, False, True, True, True, True, False]
    settings = [read(lambda db, p=p: settings_as_of(db, "default", Position(p))) for p in range(5)]
    assert settings == [{}, {}, {}, {"strategy": "rrf"}, {}]
    undone = [read(lambda db, p=p: is_undone(db, command, Position(p))) for p in range(7)]
    assert undone == [False] * 5 + [True] * 2


def test_views_hold_no_content(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No text, tag, alias or note of any memory is in the file of the views."""
    monkeypatch.setattr(folding, "_BATCH", 5)
    memory.remember(
        "xylophone", tags=("quetzal",), aliases=("okapi",), snippet="axolotl", source_note="numbat"
    )
    memory.pin(memory.list()[0].memory_id, reason="wombat")
    memory.recall("xylophone", tags=("quetzal",))
    files = b"".join(path.read_bytes() for path in memory.home.glob("views-*"))
    for word in (b"xylophone", b"quetzal", b"okapi", b"axolotl", b"numbat", b"wombat"):
        assert word not in files
