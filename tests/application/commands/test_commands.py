"""Every command does what it says, tells it in a receipt, and refuses bad input unchanged."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from mnemolog import (
    AmbiguousId,
    ClosedHandle,
    ContentTooLarge,
    EmptyContent,
    EventIdTaken,
    Expected,
    ImmutableMemory,
    InvalidField,
    InvalidNumber,
    InvalidState,
    InvalidTime,
    Memory,
    NewEvent,
    NewMemory,
    StaleExpectation,
    SupersessionCycle,
    UnknownEvent,
    UnknownMemory,
)
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.ids import EventId, Position
from tests.homes import DAY, SECOND, START, HandClock, draft, open_home

ID = "0a" * 16
NOW = to_datetime(START)


def refuses(
    memory: Memory, error: type[InvalidField], field: str, command: Callable[[], object]
) -> None:
    """Hold a command to a typed error that names field and fix and changes nothing."""
    head = memory.log.checkpoint()
    with pytest.raises(error) as raised:
        command()
    assert raised.value.field == field
    assert raised.value.problem
    assert raised.value.fix
    assert memory.log.checkpoint() == head
    memory.recall("anything")


# -- remember --------------------------------------------------------------------------


def test_only_content_is_required(memory: Memory) -> None:
    """A text alone is a semantic memory, stated by the user, with the defaults documented."""
    receipt = memory.remember("Dana prefers green tea")
    item = memory.get(receipt.memory_id or "")
    assert (item.content, item.status, item.kind) == (
        "Dana prefers green tea",
        "active",
        "semantic",
    )
    assert (item.source_type, item.source_confidence) == ("user_stated", 0.9)
    assert (item.importance, item.volatility, item.extraction_confidence) == (
        "medium",
        "normal",
        1.0,
    )
    assert (item.actor, item.correlation_id, item.recorded_at) == ("user:dana", "talk", NOW)


def test_every_field_comes_back(memory: Memory) -> None:
    """All that can be said of a memory is kept, sources and places normalised."""
    evidence = memory.remember("The invoice says so").memory_id or ""
    receipt = memory.remember(
        "Deploy with make ship",
        kind="procedural",
        category="task_procedure",
        source="FILE:docs/ship.md#how",
        source_note="second paragraph",
        source_type="external",
        source_confidence=0.8,
        extraction_method="reader",
        extraction_confidence=0.5,
        place=" attic // box ",
        tags=("ops", "ops", "release"),
        aliases=("release recipe",),
        snippet="… make ship …",
        constraint="safety",
        evidence=(evidence,),
        valid_from="2025-01-01",
        valid_until=datetime(2027, 1, 1, tzinfo=UTC),
        importance="high",
        volatility="stable",
        marks=("serves_goal",),
        immutable=True,
    )
    item = memory.get(receipt.memory_id or "")
    assert item.source == "file:docs/ship.md#how"
    assert item.place == "attic/box"
    assert item.tags == ("ops", "release")
    assert item.evidence == (evidence,)
    assert item.valid_from == datetime(2025, 1, 1, tzinfo=UTC)
    assert item.valid_until == datetime(2027, 1, 1, tzinfo=UTC)
    assert (item.constraint, item.immutable, item.marks) == ("safety", True, ("serves_goal",))
    assert (item.snippet, item.source_note) == ("… make ship …", "second paragraph")
    assert memory.recall("release recipe").hits[0].memory_id == receipt.memory_id


def test_a_receipt_tells_what_was_done(memory: Memory) -> None:
    """It names the memory, its position, every event and, in words, what changed."""
    old = memory.remember("Dana drinks coffee")
    receipt = memory.remember("Dana drinks tea", supersedes=(old.memory_id or "",))
    assert [(event.position, event.kind) for event in receipt.events] == [
        (2, "remembered"),
        (3, "superseded"),
    ]
    assert receipt.position == 2
    assert receipt.memory_id == receipt.events[0].memory_id == receipt.events[0].event_id
    assert receipt.events[1].memory_id == old.memory_id
    assert receipt.recorded_at == NOW
    assert len(receipt.changed) == 2
    assert "is superseded by" in receipt.changed[1]
    assert receipt.warnings == ()


def test_a_receipt_says_from_when_a_memory_is_found(memory: Memory) -> None:
    """What is true later only is found later only; the receipt says so."""
    begins = NOW + timedelta(days=9)
    (told,) = memory.remember(NewMemory("The office moves", valid_from=begins)).changed
    assert told.endswith(f"; answers show it from {begins.isoformat()} on")
    assert memory.recall("office").hits == ()
    (told,) = memory.remember(NewMemory("The office is here", valid_from=NOW)).changed
    assert "from" not in told


def test_a_receipt_warns_of_a_clock_that_is_behind(memory: Memory, clock: HandClock) -> None:
    """Where the log is ahead of the clock the receipt says by how much."""
    memory.remember("first")
    clock.move(-90 * SECOND)
    receipt = memory.remember("second")
    assert receipt.recorded_at == NOW
    assert "90 s ahead" in receipt.warnings[0]
    assert memory.get(receipt.memory_id or "").recorded_at == NOW


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("content", "", EmptyContent),
        ("content", " \n\t", EmptyContent),
        ("content", "half \ud800", InvalidField),
        ("content", "x" * (1 << 20) + "x", ContentTooLarge),
        ("content", 7, InvalidField),
        ("kind", "poetic", InvalidField),
        ("category", " ", InvalidField),
        ("category", "a\nb", InvalidField),
        ("category", "x" * 201, InvalidField),
        ("source", "", InvalidField),
        ("source", 7, InvalidField),
        ("source_note", 7, InvalidField),
        ("source_note", "\udc00", InvalidField),
        ("source_type", "guessed", InvalidField),
        ("source_confidence", 1.5, InvalidNumber),
        ("source_confidence", float("nan"), InvalidNumber),
        ("source_confidence", True, InvalidNumber),
        ("extraction_confidence", float("-inf"), InvalidNumber),
        ("extraction_confidence", "much", InvalidNumber),
        ("extraction_method", "", InvalidField),
        ("place", " / / ", InvalidField),
        ("tags", "red", InvalidField),
        ("tags", {"red", "blue"}, InvalidField),
        ("tags", ("",), InvalidField),
        ("tags", (7,), InvalidField),
        ("tags", 7, InvalidField),
        ("aliases", "red", InvalidField),
        ("snippet", 7, InvalidField),
        ("snippet", "\ud800", InvalidField),
        ("constraint", "", InvalidField),
        ("evidence", ("no id",), InvalidField),
        ("evidence", ID, InvalidField),
        ("valid_from", "soon", InvalidTime),
        ("valid_from", "2026-01-01T10:00", InvalidTime),
        ("valid_from", datetime(2026, 1, 1), InvalidTime),  # noqa: DTZ001 - the point
        ("valid_from", 7, InvalidTime),
        ("valid_from", "0001-01-01T00:00:00+14:00", InvalidTime),
        ("valid_until", "9999-12-31T23:59:59-05:00", InvalidTime),
        ("importance", "huge", InvalidField),
        ("volatility", "gas", InvalidField),
        ("marks", ("loved",), InvalidField),
        ("marks", "serves_goal", InvalidField),
        ("immutable", "yes", InvalidField),
        ("supersedes", ID, InvalidField),
        ("id", "no id", InvalidField),
        ("id", "0a0b", InvalidField),
        ("id", 7, InvalidField),
    ],
)
def test_a_bad_field_is_named(
    memory: Memory, field: str, value: object, error: type[InvalidField]
) -> None:
    """Each field that cannot be used is named with the problem and the fix; nothing is stored."""
    given = {"content": "Dana prefers green tea", field: value}
    refuses(memory, error, field, lambda: memory.remember(**given))


def test_valid_time_runs_forwards(memory: Memory) -> None:
    """An end that is not after the start is refused."""
    refuses(
        memory,
        InvalidTime,
        "valid_until",
        lambda: memory.remember("tea", valid_from="2026-02-01", valid_until="2026-02-01"),
    )


def test_a_time_that_no_calendar_has_is_shown_as_the_nearest(memory: Memory) -> None:
    """A memory that a log holds with an end past the year 9999 keeps none from being read."""
    far = msgspec.structs.replace(
        draft("green tea", event_id=EventId(ID)), structure=b'{"valid_until":253402318799000000}'
    )
    memory._space.home.log.append([far])
    memory.remember("black coffee")
    shown = {item.content: item.valid_until for item in memory.list()}
    assert shown == {"green tea": datetime.max.replace(tzinfo=UTC), "black coffee": None}
    assert memory.recall("green tea").hits[0].valid_until == datetime.max.replace(tzinfo=UTC)
    assert memory.history(ID)


def test_an_unknown_field_is_refused(memory: Memory) -> None:
    """A field that no memory has is an error of ours, not a TypeError."""
    refuses(memory, InvalidField, "fields", lambda: memory.remember("tea", colour="red"))


def test_arguments_of_other_types_are_named(memory: Memory) -> None:
    """Whatever is no event, no expectation, no settings or no reference."""
    refuses(memory, InvalidField, "events", lambda: memory.log.append(5))
    refuses(memory, InvalidField, "events", lambda: memory.log.append([b"x"]))
    refuses(memory, InvalidField, "expected", lambda: memory.log.append([NewEvent("seen")], 5))
    refuses(memory, InvalidField, "settings", lambda: memory.configure(5))
    refuses(memory, InvalidField, "old", lambda: memory.supersede(5, "tea"))
    refuses(memory, InvalidField, "id", lambda: memory.redact(5))
    refuses(memory, InvalidField, "id", lambda: memory.use([ID], "0b" * 16))
    refuses(memory, InvalidField, "jobs", lambda: memory.upkeep.maintain(jobs=None))


@pytest.mark.parametrize(
    ("name", "value", "fix"),
    [
        ("forgetting_speed", "fast", "a number"),
        ("content_limit_bytes", 1.5, "a whole number"),
        ("keep_cues", "yes", "true or false"),
        ("lowest_tier", "gone", "active, archived, summarized, tombstone, deleted"),
        ("identity", 7, "a text"),
        ("identity", "/home/\ud800", "errors='replace'"),
        ("keep_cues", "\ud800", "errors='replace'"),
    ],
)
def test_a_setting_that_does_not_fit_says_what_does(
    memory: Memory, name: str, value: object, fix: str
) -> None:
    """What it takes is told in words, with the names where there are but a few."""
    refuses(memory, InvalidField, name, lambda: memory.configure({name: value}))
    with pytest.raises(InvalidField, match=fix):
        memory.configure({name: value})


@pytest.mark.parametrize("run", ["", "x" * 201, "a\x00b", 5])
def test_a_bad_run_is_named(tmp_path: Path, run: object) -> None:
    """A run is a short name, since it is kept with every event."""
    with pytest.raises(InvalidField) as raised:
        Memory.open(tmp_path / "home", run=run)
    assert raised.value.field == "run"
    assert not (tmp_path / "home").exists()


def test_the_limit_of_content_is_a_setting(memory: Memory) -> None:
    """The size is counted in bytes of UTF-8, and the error has both numbers."""
    memory.configure({"content_limit_bytes": 6})
    memory.remember("téas!")
    with pytest.raises(ContentTooLarge) as raised:
        memory.remember("téas!!")
    assert (raised.value.size_bytes, raised.value.limit_bytes) == (7, 6)


def test_a_long_word_takes_no_longer_than_long_words_do(memory: Memory) -> None:
    """A text of one endless word is indexed and found again, as a pasted blob must be."""
    memory.remember("blob " + "x" * 200_000)
    memory.remember("path " + "a/" * 100_000)
    assert memory.recall("blob").hits[0].content.startswith("blob")


def test_many_are_stored_in_the_order_given(memory: Memory) -> None:
    """A receipt each, positions in order; texts and `NewMemory` values mix."""
    told: list[tuple[str, int, int]] = []
    receipts = memory.remember_many(
        ["one", NewMemory("two", tags=("red",)), "three"], progress=lambda *step: told.append(step)
    )
    assert [receipt.position for receipt in receipts] == [1, 2, 3]
    assert [item.content for item in memory.list(by="oldest")] == ["one", "two", "three"]
    assert told[-1][1:] == (3, 3)
    assert memory.remember_many([]) == ()


def test_many_are_checked_before_any_is_stored(memory: Memory) -> None:
    """One bad item among many keeps them all out."""
    refuses(memory, EmptyContent, "content", lambda: memory.remember_many(["one", " ", "three"]))


def test_an_id_makes_a_retry_safe(memory: Memory) -> None:
    """The same memory under its id is stored once; another under it is refused."""
    first = memory.remember("tea", id=ID)
    assert memory.remember("tea", id=ID.upper()).events == first.events
    with pytest.raises(EventIdTaken) as raised:
        memory.remember("coffee", id=ID)
    assert (raised.value.event_id, raised.value.position) == (ID, 1)
    assert memory.log.checkpoint().position == 1


def test_a_retry_meets_all_events_of_the_first_try(memory: Memory, clock: HandClock) -> None:
    """What superseded others is met again with them, whatever was done since."""
    old = memory.remember("coffee").memory_id or ""
    new = NewMemory("tea", id=ID, supersedes=(old,))
    first = memory.remember(new)
    clock.move(DAY)
    assert memory.remember(new).events == first.events
    memory.undo(ID)
    assert memory.remember(new).events == first.events
    memory.redact(ID)
    assert memory.remember(new).events == first.events
    assert memory.get(ID).status == "redacted"


def test_a_retry_outlives_the_redaction_of_its_reason(memory: Memory) -> None:
    """A supersession whose reason was destroyed with the old memory is still met again."""
    old = memory.remember("coffee").memory_id or ""
    first = memory.supersede(old, NewMemory("tea", id=ID), reason="she said so")
    memory.redact(old)
    again = memory.supersede(old, NewMemory("tea", id=ID), reason="she said so")
    assert again.events == first.events


# -- append ----------------------------------------------------------------------------


def test_events_of_own_kinds_are_kept(memory: Memory) -> None:
    """A kind of the caller's own is stored, shown as opaque, and changes no answer."""
    tea = memory.remember("green tea").memory_id or ""
    before = memory.recall("tea")
    receipt = memory.log.append(
        [
            NewEvent("deployed", {"to": "staging"}, {"note": "tea"}, memory_id=tea, event_id=ID),
            NewEvent("remembered", {"mood": "calm"}, {"words": ["tea"]}, version=2),
        ]
    )
    assert [event.kind for event in receipt.events] == ["deployed", "remembered"]
    own, newer = list(memory.log.events(after=1))
    assert (own.opaque, own.structure, own.content) == (True, {"to": "staging"}, {"note": "tea"})
    assert newer.opaque
    assert memory.recall("tea").hits == before.hits
    assert own in memory.history(tea)
    with pytest.raises(UnknownMemory):
        memory.get(newer.event_id)


def test_events_of_the_vocabulary_are_understood(memory: Memory) -> None:
    """What a command would append can be appended, with the same effect."""
    receipt = memory.log.append(
        [
            NewEvent("remembered", {"kind": "episodic"}, {"text": "green tea"}, event_id=ID),
            NewEvent("pinned", memory_id=ID),
            NewEvent("configured", {"settings": {"strategy": "rrf"}}),
        ]
    )
    assert receipt.memory_id == ID
    item = memory.get(ID)
    assert (item.kind, item.content, item.pinned) == ("episodic", "green tea", True)
    assert memory.settings().strategy == "rrf"


def test_an_append_can_be_bound_to_what_it_was_decided_on(memory: Memory) -> None:
    """An expectation that no longer holds is an error with both positions."""
    tea = memory.remember("green tea").memory_id or ""
    memory.log.append([NewEvent("seen", memory_id=tea)], Expected({tea: Position(1)}))
    with pytest.raises(StaleExpectation) as raised:
        memory.log.append([NewEvent("seen", memory_id=tea)], Expected({tea: Position(1)}))
    assert (raised.value.expected, raised.value.actual) == (1, 2)


def nested(depth: int) -> dict[str, object]:
    """An object in an object, and so on."""
    found: dict[str, object] = {}
    for _ in range(depth):
        found = {"in": found}
    return found


@pytest.mark.parametrize(
    ("field", "event"),
    [
        ("kind", NewEvent("")),
        ("kind", NewEvent("a\nb")),
        ("kind", NewEvent("x" * 101)),
        ("kind", NewEvent("redacted", {"events": [ID]})),
        ("kind", NewEvent("undone", {"command": ID})),
        ("version", NewEvent("seen", version=0)),
        ("version", NewEvent("seen", version=1 << 31)),
        ("structure", NewEvent("seen", nested(3000))),
        ("structure", NewEvent("seen", {"n": float("nan")})),
        ("structure", NewEvent("seen", {"deep": [{"n": float("inf")}]})),
        ("structure", NewEvent("seen", {"o": object()})),
        ("structure", NewEvent("seen", {"s": "\ud800"})),
        ("structure", NewEvent("seen", [1])),
        ("content", NewEvent("seen", {}, {"n": float("-inf")})),
        ("event_id", NewEvent("seen", event_id="no id")),
        ("memory_id", NewEvent("seen", memory_id="0a")),
        ("causation_id", NewEvent("seen", causation_id="?")),
        ("memory_id", NewEvent("pinned")),
        ("remembered", NewEvent("remembered", {"kind": "poetic"}, {"text": "tea"})),
        ("remembered", NewEvent("remembered", {}, {"words": "tea"})),
        ("content", NewEvent("remembered", {}, {"text": " "})),
        ("content", NewEvent("remembered")),
        ("content", NewEvent("remembered", {}, {"text": "x" * ((1 << 20) + 1)})),
        ("evidence", NewEvent("remembered", {"evidence": ["x"]}, {"text": "tea"})),
        ("valid_from", NewEvent("remembered", {"valid_from": 1 << 70}, {"text": "tea"})),
        ("valid_until", NewEvent("remembered", {"valid_until": -(1 << 62)}, {"text": "tea"})),
        ("by", NewEvent("superseded", {"by": "no id"}, memory_id=ID)),
        ("by", NewEvent("superseded", {"by": ID.upper()}, memory_id=ID)),
        ("by", NewEvent("reinstated", {"by": "0a"}, memory_id=ID)),
        ("expires_at", NewEvent("pinned", {"expires_at": 1 << 63}, memory_id=ID)),
        ("settings", NewEvent("configured", {"settings": {"mood": "calm"}})),
        ("strategy", NewEvent("configured", {"settings": {"strategy": "magic"}})),
    ],
    ids=lambda value: value if isinstance(value, str) else value.kind[:10],
)
def test_an_event_that_would_spoil_the_views_is_refused(
    memory: Memory, field: str, event: NewEvent
) -> None:
    """What cannot be folded, shown or redacted never gets into the log."""
    memory.remember("coffee", id=ID)
    refuses(memory, InvalidField, field, lambda: memory.log.append([NewEvent("seen"), event]))


def test_no_events_are_refused(memory: Memory) -> None:
    """An append of nothing is a mistake."""
    refuses(memory, InvalidField, "events", lambda: memory.log.append([]))


def test_appended_supersessions_obey_the_rules(memory: Memory) -> None:
    """Unknown memories and cycles are refused, also those that one batch would close."""
    old, new = "0b" * 16, "0c" * 16
    memory.remember("coffee", id=old)
    memory.remember("tea", id=new)

    def by(one: str, other: str) -> NewEvent:
        return NewEvent("superseded", {"by": other}, memory_id=one)

    for unknown in (by(old, ID), by(ID, old), NewEvent("reinstated", {"by": ID}, memory_id=old)):
        with pytest.raises(UnknownMemory):
            memory.log.append([unknown])
    for batch in ([by(old, old)], [by(old, new), by(new, old)]):
        with pytest.raises(SupersessionCycle):
            memory.log.append(batch)
    assert memory.log.checkpoint().position == 2
    memory.log.append([by(old, new)])
    with pytest.raises(SupersessionCycle):
        memory.log.append([by(new, old)])
    assert memory.get(old).superseded_by == (new,)


# -- supersede -------------------------------------------------------------------------


def test_a_new_memory_takes_the_place_of_others(memory: Memory, clock: HandClock) -> None:
    """Many-to-one: the new one holds from now on, the old ones until then."""
    olds = [r.memory_id or "" for r in memory.remember_many(["coffee", "cocoa"])]
    clock.move(DAY)
    receipt = memory.supersede(olds, "tea", reason="she said so", tags=("drink",))
    new = memory.get(receipt.memory_id or "")
    assert (new.supersedes, new.tags) == (tuple(olds), ("drink",))
    assert new.valid_from == to_datetime(START + DAY)
    assert [memory.get(old).status for old in olds] == ["superseded"] * 2
    assert [item.content for item in memory.list()] == ["tea"]


def test_a_memory_that_is_there_takes_the_place(memory: Memory) -> None:
    """`by` names an existing memory, by its id or the beginning of it."""
    old = memory.remember("coffee", id="0b" * 16)
    new = memory.remember("tea", id="0c" * 16)
    receipt = memory.supersede("0b", by="0c0c")
    assert [event.kind for event in receipt.events] == ["superseded"]
    assert memory.get(old.memory_id or "").superseded_by == (new.memory_id,)


def test_one_memory_named_twice_is_one(memory: Memory) -> None:
    """The same memory under two references is superseded once."""
    memory.remember("coffee", id=ID)
    receipt = memory.supersede([ID, "@1", ID[:6]], "tea")
    assert [event.kind for event in receipt.events] == ["remembered", "superseded"]


def test_cycles_are_refused(memory: Memory) -> None:
    """No memory supersedes itself, at once or through others."""
    a, b, c = (r.memory_id or "" for r in memory.remember_many(["a", "b", "c"]))
    memory.supersede(a, by=b)
    memory.supersede(b, by=c)
    for old, new in ((a, a), (b, a), (c, a)):
        with pytest.raises(SupersessionCycle) as raised:
            memory.supersede(old, by=new)
        assert (raised.value.old, raised.value.new) == (old, new)
    with pytest.raises(InvalidState):
        memory.supersede(a, by=b)
    memory.supersede(a, by=c)


def test_what_replaced_a_memory_before_is_told(memory: Memory) -> None:
    """Who supersedes what was superseded already is warned of what stands beside the new one."""
    old = memory.remember("The port of the proxy is 8080").memory_id or ""
    first = memory.supersede(old, "The port of the proxy is 8081")
    assert first.warnings == ()
    second = memory.supersede(old, "The port of the proxy is 8082")
    (warning,) = second.warnings
    assert f"{old} was superseded by {first.memory_id} before, which still stands" in warning
    third = memory.supersede([first.memory_id or "", second.memory_id or ""], "It is 8083")
    assert third.warnings == ()
    assert memory.supersede(old, by=third.memory_id).warnings == ()
    tea = memory.remember("The tea is green").memory_id or ""
    for _ in range(2):
        assert memory.supersede(tea, "The tea is black", id=ID).warnings == ()


def test_supersede_wants_to_know_what_and_by_what(memory: Memory) -> None:
    """Neither, both, nothing and unknown ids are refused."""
    memory.remember("coffee", id=ID)
    refuses(memory, InvalidField, "old", lambda: memory.supersede([], "tea"))
    refuses(memory, InvalidField, "content", lambda: memory.supersede(ID))
    refuses(memory, InvalidField, "content", lambda: memory.supersede(ID, "tea", by=ID))
    refuses(memory, EmptyContent, "content", lambda: memory.supersede(ID, " "))
    refuses(memory, InvalidField, "reason", lambda: memory.supersede(ID, "tea", reason=7))
    for unknown in ("ff", "@7"):
        with pytest.raises(UnknownMemory):
            memory.supersede(unknown, "tea")
        with pytest.raises(UnknownMemory):
            memory.supersede(ID, by=unknown)
    assert memory.log.checkpoint().position == 1


@pytest.mark.parametrize("command", ["supersede", "withdraw", "redact"])
def test_an_immutable_memory_needs_an_override(memory: Memory, command: str) -> None:
    """Without the override nothing changes; with it, the ledger records that it was used."""
    memory.remember("Never deploy on Friday", id=ID, immutable=True)
    arguments = (ID, "Deploy on Friday") if command == "supersede" else (ID,)
    with pytest.raises(ImmutableMemory) as raised:
        getattr(memory, command)(*arguments)
    assert (raised.value.memory_id, raised.value.command) == (ID, command)
    assert memory.get(ID).status == "active"
    getattr(memory, command)(*arguments, override=True)
    assert memory.get(ID).status != "active"
    assert list(memory.log.events())[-1].structure["override"] is True


# -- withdraw, pin, unpin ---------------------------------------------------------------


def test_a_withdrawn_memory_answers_nothing(memory: Memory) -> None:
    """It is out of every answer, kept for audit, and withdrawn once only."""
    memory.remember("green tea", id=ID)
    memory.withdraw(ID, reason="it was a joke")
    assert memory.recall("tea").empty
    assert memory.list() == ()
    assert memory.get(ID).status == "withdrawn"
    assert "it was a joke" in memory.history(ID)[-1].summary
    with pytest.raises(InvalidState):
        memory.withdraw(ID)


def test_a_pin_holds_until_its_time(memory: Memory, clock: HandClock) -> None:
    """Pinned for good or until a time; a new pin changes how long."""
    memory.remember("green tea", id=ID)
    memory.pin(ID, until=NOW + timedelta(days=2))
    assert memory.get(ID).pinned_until == NOW + timedelta(days=2)
    clock.move(DAY)
    assert [item.memory_id for item in memory.list(by="pinned")] == [ID]
    clock.move(DAY)
    assert not memory.get(ID).pinned
    assert memory.list(by="pinned") == ()
    with pytest.raises(InvalidState):
        memory.unpin(ID)
    memory.pin(ID)
    clock.move(90 * DAY)
    assert memory.get(ID).pinned
    memory.unpin(ID, reason="done")
    assert not memory.get(ID).pinned


def test_a_pin_must_make_sense(memory: Memory) -> None:
    """A past time, no time, and a memory that may not answer are refused."""
    memory.remember("green tea", id=ID)
    refuses(memory, InvalidTime, "until", lambda: memory.pin(ID, until="soon"))
    far = "9999-12-31T23:59:59-05:00"
    refuses(memory, InvalidTime, "until", lambda: memory.pin(ID, until=far))
    with pytest.raises(InvalidState):
        memory.pin(ID, until=NOW)
    with pytest.raises(InvalidState):
        memory.unpin(ID)
    memory.withdraw(ID)
    with pytest.raises(InvalidState):
        memory.pin(ID)
    assert memory.log.checkpoint().position == 2


# -- configure -------------------------------------------------------------------------


def test_settings_are_of_a_space_and_a_moment(memory: Memory, tmp_path: Path) -> None:
    """A change holds in its space from then on; None brings the default back."""
    memory.configure({"strategy": "keyword"}, reason="measured")
    assert memory.settings().strategy == "keyword"
    memory.remember("green tea")
    assert memory.recall("tea").strategy == "keyword"
    assert memory.as_of(0).settings().strategy == "hybrid"
    with open_home(tmp_path / "home", "other") as other:
        assert other.settings().strategy == "hybrid"
    memory.configure({"strategy": None})
    assert memory.settings().strategy == "hybrid"


@pytest.mark.parametrize(
    ("field", "settings"),
    [
        ("settings", {}),
        ("settings", {"mood": "calm"}),
        ("strategy", {"strategy": "magic"}),
        ("strategy", {"strategy": 7}),
        ("content_limit_bytes", {"content_limit_bytes": "much"}),
        ("content_limit_bytes", {"content_limit_bytes": 0}),
        ("content_limit_bytes", {"strategy": "rrf", "content_limit_bytes": 1 << 40}),
    ],
)
def test_a_bad_setting_is_named(memory: Memory, field: str, settings: dict[str, str | int]) -> None:
    """Unknown names and values that do not fit are refused, with the others of the call."""
    refuses(memory, InvalidField, field, lambda: memory.configure(settings))


# -- redact ----------------------------------------------------------------------------


def test_redaction_destroys_all_that_was_said_of_a_memory(memory: Memory) -> None:
    """Text, reasons and tags go; the envelope stays, the log verifies, answers know nothing."""
    memory.remember("the door code is 4711", id=ID, tags=("door",))
    memory.pin(ID, reason="needed for the door")
    receipt = memory.redact(ID, reason="it leaked")
    assert receipt.complete
    assert set(receipt.erased) == {1, 2}
    assert receipt.memory_id == ID
    item = memory.get(ID)
    assert (item.status, item.content, item.tags) == ("redacted", None, ())
    assert memory.recall("door code").empty
    assert memory.list(tags=("door",), statuses=("redacted",)) == ()
    assert memory.as_of(1).get(ID).status == "redacted"
    assert memory.log.verify().erased == 2
    assert [entry.erased for entry in memory.history(ID)] == [True, True, False]


def test_what_a_redacted_memory_superseded_stays_superseded(memory: Memory) -> None:
    """Destroying the newer memory does not bring the older one back by itself."""
    old = memory.remember("the code is 4711").memory_id or ""
    new = memory.supersede(old, "the code is 4712").memory_id or ""
    memory.redact(new)
    assert memory.get(old).status == "superseded"
    assert memory.get(old).superseded_by == (new,)


def test_a_single_event_can_be_redacted(memory: Memory) -> None:
    """`@position` names one event: its reason goes, the memory stays."""
    memory.remember("green tea", id=ID)
    memory.pin(ID, reason="the secret reason")
    assert memory.redact("@2").erased == (2,)
    assert memory.get(ID).content == "green tea"
    assert memory.history(ID)[1].erased


def test_redaction_names_what_it_cannot_do(memory: Memory) -> None:
    """Nothing named, unknown ids, events without content, and what is gone already."""
    memory.remember("green tea", id=ID)
    memory.pin(ID)
    refuses(memory, InvalidField, "reference", memory.redact)
    refuses(memory, InvalidField, "id", lambda: memory.redact("@x"))
    refuses(memory, InvalidField, "reason", lambda: memory.redact(ID, reason=7))
    for reference, error in (("ff", UnknownEvent), ("@9", UnknownEvent), ("@2", InvalidState)):
        with pytest.raises(error):
            memory.redact(reference)
    memory.redact(ID)
    with pytest.raises(InvalidState):
        memory.redact(ID)
    for command in (memory.withdraw, memory.pin, lambda one: memory.supersede(one, "tea")):
        with pytest.raises(InvalidState):
            command(ID)
    assert memory.log.checkpoint().position == 3


# -- references and handles ------------------------------------------------------------


def test_references_are_ids_prefixes_and_positions(memory: Memory) -> None:
    """Any unambiguous way to name a memory of the space will do."""
    memory.remember("green tea", id="0b" * 16)
    memory.remember("black tea", id="0b0c" + "0d" * 14)
    memory.pin("0b0b")
    for reference in ("0b" * 16, "0b0b", "0B-0B", "@1", "@3"):
        assert memory.get(reference).content == "green tea"
    with pytest.raises(AmbiguousId) as raised:
        memory.get("0b0")
    assert raised.value.matches == ("0b" * 16, "0b0c" + "0d" * 14)
    for reference in ("", "green", "@", "@-1", "@x", "0" * 33):
        with pytest.raises(InvalidField):
            memory.get(reference)
    for reference in ("ff", "@0", "@9", "@" + "9" * 40):
        with pytest.raises(UnknownMemory):
            memory.get(reference)


def test_other_spaces_memories_are_unknown(memory: Memory, tmp_path: Path) -> None:
    """An id of another space names nothing here, nor does a crowd there hide one of ours."""
    with open_home(tmp_path / "home", "other") as other:
        other.remember_many([NewMemory(f"tea {n}", id=f"0a{n:030x}") for n in range(100)])
        memory.remember("coffee", id="0a" + "f" * 30)
        assert memory.get("0a").content == "coffee"
        for command in (other.get, other.withdraw, other.pin, other.history):
            with pytest.raises(UnknownMemory):
                command("0a" + "f" * 30)
        with pytest.raises(UnknownEvent):
            other.redact("0a" + "f" * 30)


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("space", {"space": ""}),
        ("space", {"space": " notes"}),
        ("space", {"space": "a\nb"}),
        ("space", {"space": "x" * 201}),
        ("actor", {"actor": "dana"}),
        ("actor", {"actor": "robot:r2"}),
        ("actor", {"actor": "user:"}),
    ],
)
def test_a_home_is_not_made_for_a_bad_name(
    tmp_path: Path, field: str, arguments: dict[str, str]
) -> None:
    """A space or an actor that cannot be is refused before anything is created."""
    with pytest.raises(InvalidField) as raised:
        Memory.open(tmp_path / "home", **arguments)
    assert raised.value.field == field
    assert not (tmp_path / "home").exists()


def test_a_home_is_a_directory(tmp_path: Path) -> None:
    """A file in the home's place is refused."""
    (tmp_path / "home").write_text("notes")
    with pytest.raises(InvalidField) as raised:
        Memory.open(tmp_path / "home")
    assert raised.value.field == "home"


def test_a_closed_handle_says_so(memory: Memory) -> None:
    """After `close` nothing is written or answered; closing twice is fine."""
    memory.remember("green tea")
    memory.close()
    memory.close()
    for call in (lambda: memory.remember("tea"), lambda: memory.recall("tea"), memory.list):
        with pytest.raises(ClosedHandle):
            call()


def test_a_superseded_memory_is_out_although_the_clock_is_behind(tmp_path: Path) -> None:
    """Right after `supersede(old, by=new)` the old one answers no more, whatever the clock says."""
    clock = HandClock()
    with open_home(tmp_path / "home", clock=clock) as memory:
        old = memory.remember("tea green").memory_id or ""
        new = memory.remember("tea black").memory_id or ""
        clock.move(-DAY)
        memory.supersede(old, by=new)
        assert [hit.memory_id for hit in memory.recall("tea").hits] == [new]
