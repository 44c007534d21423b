"""The questions of a memory, now and as of any moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from mnemolog import (
    InvalidField,
    InvalidNumber,
    InvalidTime,
    Memory,
    NewEvent,
    UnknownMemory,
    UnknownPosition,
)
from mnemolog.ledger.clock import to_datetime
from tests.application.commands.test_commands import refuses
from tests.homes import DAY, SECOND, START, BagOfWords, HandClock, open_home

NOW = to_datetime(START)


@pytest.fixture
def drinks(memory: Memory, clock: HandClock) -> Memory:
    """Coffee, then tea in its place a day later, and something else."""
    memory.remember("Dana drinks coffee", id="0a" * 16, source="user:dana", tags=("drink",))
    clock.move(DAY)
    memory.supersede("0a", "Dana drinks tea", id="0b" * 16, place="attic/box", kind="preference")
    memory.remember("The harbour closes at nine", id="0c" * 16, source="file:notes.md#harbour")
    return memory


# -- recall ----------------------------------------------------------------------------


def test_a_hit_says_why(drinks: Memory) -> None:
    """The newer memory answers where the older was found, which stands in its trail."""
    (hit, *_) = drinks.recall("coffee", strategy="keyword").hits
    assert (hit.content, hit.status, hit.position) == ("Dana drinks tea", "active", 2)
    assert hit.explanation.found == "0a" * 16
    assert hit.explanation.matched == ("coffe",)
    assert hit.explanation.ranks["keyword"] == 1
    (old,) = hit.trail
    assert (old.memory_id, old.status, old.content) == (
        "0a" * 16,
        "superseded",
        "Dana drinks coffee",
    )


def test_nothing_is_said_to_be_nothing(memory: Memory) -> None:
    """An empty answer says so in words."""
    for _ in range(2):
        recall = memory.recall("zebra")
        assert (recall.hits, recall.empty) == ((), True)
        assert recall.message
        memory.configure({"strategy": "keyword"})


@pytest.mark.parametrize(
    ("narrowed", "found"),
    [
        ({"kinds": ("preference",)}, ("0b",)),
        ({"kinds": ("episodic",)}, ()),
        ({"source": "user:dana"}, ()),
        ({"source": "user:dana", "valid_at": "2025-06-15T15:10:00Z"}, ("0a",)),
        ({"source": "file:"}, ("0c",)),
        ({"source": "file:notes.md"}, ("0c",)),
        ({"source": "file:note"}, ()),
        ({"place": "attic"}, ("0b",)),
        ({"place": "cellar"}, ()),
        ({"tags": ("drink",)}, ()),
        ({"tags": ("drink",), "valid_at": "2025-06-15T15:10:00Z"}, ("0a",)),
        ({"tags": ("drink", "food")}, ()),
        ({"statuses": ("superseded",)}, ("0a",)),
        ({"statuses": ("active",)}, ("0b", "0c")),
        ({"valid_at": "2025-06-15T15:10:00Z"}, ("0a", "0c")),
        ({"spaces": ("default", "other")}, ("0b", "0c")),
        ({"spaces": ("other",)}, ()),
        ({"limit": 1}, ("0c",)),
    ],
    ids=str,
)
def test_a_question_is_narrowed(
    drinks: Memory, narrowed: dict[str, object], found: tuple[str, ...]
) -> None:
    """Each filter lets through what it names; what is superseded by now needs the time it held."""
    recall = drinks.recall("what does Dana drink, tea or coffee, at the harbour?", **narrowed)
    assert {hit.memory_id[:2] for hit in recall.hits} == set(found)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cue", " "),
        ("cue", 7),
        ("limit", 0),
        ("limit", 1_001),
        ("limit", True),
        ("limit", 2.5),
        ("spaces", ("",)),
        ("spaces", 5),
        ("kinds", ("poetic",)),
        ("kinds", 5),
        ("kinds", "semantic"),
        ("tags", "red"),
        ("tags", 5),
        ("place", "//"),
        ("statuses", ("gone",)),
        ("statuses", 5),
        ("valid_at", "soon"),
        ("valid_at", datetime(2026, 1, 1)),  # noqa: DTZ001 - the point
        ("strategy", "magic"),
        ("vector", [1.0]),
        ("vector", np.zeros(64)),
        ("vector", np.full(64, np.nan)),
        ("vector", "tea"),
    ],
)
def test_a_bad_question_is_named(memory: Memory, field: str, value: object) -> None:
    """What cannot be asked is refused by field, with what could be."""
    named = "space" if field == "spaces" and value != 5 else field
    error = InvalidNumber if field == "limit" else InvalidField
    error = InvalidTime if field == "valid_at" else error
    given = {"cue": "tea", field: value}
    refuses(memory, error, named, lambda: memory.recall(**given))


def test_a_vector_spares_embedding(drinks: Memory) -> None:
    """The embedder's own vector of the cue, of any length, gives the same answer."""
    vector = 7 * BagOfWords().embed(["Dana drinks tea"])[0]
    assert drinks.recall("Dana drinks tea", vector=vector).hits == (
        drinks.recall("Dana drinks tea").hits
    )


# -- list, events, history, counts -----------------------------------------------------


def test_lists_have_an_order(drinks: Memory) -> None:
    """Newest or oldest first, or what is pinned; filters and limits as in recall."""
    drinks.pin("0c")
    assert [item.memory_id[:2] for item in drinks.list()] == ["0c", "0b"]
    assert [item.memory_id[:2] for item in drinks.list(by="oldest", limit=1)] == ["0b"]
    assert [item.memory_id[:2] for item in drinks.list(by="pinned")] == ["0c"]
    assert [item.memory_id[:2] for item in drinks.list(place="attic")] == ["0b"]
    assert [item.memory_id[:2] for item in drinks.list(statuses=("superseded",))] == ["0a"]
    assert [item.memory_id[:2] for item in drinks.list(valid_at=NOW)] == ["0c"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("by", "beauty"),
        ("by", ["recency"]),
        ("limit", -1),
        ("kinds", ("x",)),
        ("statuses", ("x",)),
        ("tags", "x"),
    ],
)
def test_a_bad_list_is_named(memory: Memory, field: str, value: object) -> None:
    """What cannot be listed is refused by field."""
    error = InvalidNumber if field == "limit" else InvalidField
    refuses(memory, error, field, lambda: memory.list(**{field: value}))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("after", None),
        ("after", True),
        ("limit", "2"),
        ("kinds", "pinned"),
        ("kinds", ("\ud800",)),
        ("spaces", 5),
    ],
)
def test_a_bad_page_of_events_is_named(memory: Memory, field: str, value: object) -> None:
    """What cannot be paged through is refused by field."""
    error = InvalidNumber if field in {"after", "limit"} else InvalidField
    refuses(memory, error, field, lambda: [*memory.log.events(**{field: value})])


@pytest.mark.parametrize("reference", [5, b"0a", ["0a"], 1.5])
def test_a_reference_that_is_no_text_is_named(memory: Memory, reference: object) -> None:
    """Whatever takes an id says so."""
    for ask in (memory.get, memory.history, memory.pin, memory.undo):
        refuses(memory, InvalidField, "id", partial(ask, reference))


@pytest.mark.parametrize("moment", [None, b"1", 1.5, "soon"])
def test_a_moment_that_is_none_is_named(memory: Memory, moment: object) -> None:
    """Neither a position nor a time."""
    refuses(memory, InvalidTime, "as_of", lambda: memory.as_of(moment))


def test_events_come_in_order_and_by_kind(drinks: Memory, tmp_path: Path) -> None:
    """Those of the space, of kinds, after a position, up to a number; or of all spaces."""
    with open_home(tmp_path / "home", "other") as other:
        other.remember("elsewhere")
        assert [entry.position for entry in other.log.events()] == [5]
    assert [entry.position for entry in drinks.log.events()] == [1, 2, 3, 4]
    assert [entry.position for entry in drinks.log.events(spaces=())] == [1, 2, 3, 4, 5]
    assert [entry.position for entry in drinks.log.events(spaces=("other", "default"))] == [
        1, 2, 3, 4, 5,
    ]  # fmt: skip
    assert [entry.position for entry in drinks.log.events(after=1, limit=2)] == [2, 3]
    assert [entry.position for entry in drinks.log.events(kinds=("superseded",))] == [3]
    assert list(drinks.log.events(limit=0)) == []


def test_history_is_that_of_the_whole_chain(drinks: Memory) -> None:
    """Asked of any link, it tells of all: who, when, what and why."""
    for link in ("0a", "0b"):
        story = drinks.history(link)
        assert [entry.position for entry in story] == [1, 2, 3]
        assert {entry.actor for entry in story} == {"user:dana"}
    assert "Dana drinks tea" in drinks.history("0a")[1].summary
    assert [entry.position for entry in drinks.history("0c")] == [4]


def test_history_as_of_a_moment_knows_no_later_causes(drinks: Memory) -> None:
    """Between the events of one command only those up to the moment are told."""
    assert [entry.position for entry in drinks.as_of(2).history("0a")] == [1]


def test_history_tells_nothing_of_other_spaces(drinks: Memory, tmp_path: Path) -> None:
    """An event that names one of another space as its cause does not bring it along."""
    with open_home(tmp_path / "home", "other") as other:
        cause = other.remember("secret of the other space").events[0].event_id
    drinks.log.append([NewEvent("seen", memory_id="0c" * 16, causation_id=cause)])
    assert [entry.position for entry in drinks.history("0c")] == [4, 6]


def test_counts_are_by_space_kind_and_status(drinks: Memory) -> None:
    """How many there are of each; the sizes of the home agree."""
    counts = {(one.space, one.kind, one.status): one.memories for one in drinks.inspect.counts()}
    assert counts == {
        ("default", "preference", "active"): 1,
        ("default", "semantic", "active"): 1,
        ("default", "semantic", "superseded"): 1,
    }
    stats = drinks.upkeep.stats()
    assert (stats.memories, stats.position) == (3, 4)
    assert stats.bytes["ledger.db"] > 0


def test_find_knows_whole_ids_alone(drinks: Memory) -> None:
    """An id that is not there is None, not an error."""
    assert drinks.inspect.find("0a" * 16) == drinks.get("0a")
    assert drinks.inspect.find("ff" * 16) is None


# -- moments ---------------------------------------------------------------------------


def test_a_moment_knows_what_was_known(drinks: Memory) -> None:
    """As of a position or a time everything answers with what was there."""
    before = drinks.as_of(1)
    assert (before.position, before.instant) == (1, NOW)
    assert [hit.content for hit in before.recall("coffee").hits] == ["Dana drinks coffee"]
    assert before.get("0a").status == "active"
    assert [entry.position for entry in before.history("0a")] == [1]
    with pytest.raises(UnknownMemory):
        before.get("0b")
    assert before.inspect.find("0b" * 16) is None
    for moment in (NOW, NOW + timedelta(hours=23), NOW.isoformat()):
        assert drinks.as_of(moment).position == 1
    assert drinks.as_of(NOW - timedelta(seconds=1)).inspect.everything() == {}
    assert drinks.as_of(0).list() == ()


def test_what_will_be_is_not_known_yet(memory: Memory, clock: HandClock) -> None:
    """At a moment between two events the instant is that of the question."""
    memory.remember("sale", valid_from=NOW + timedelta(days=1))
    clock.move(3 * DAY)
    assert memory.as_of(NOW + timedelta(hours=1)).recall("sale").empty
    assert not memory.as_of(NOW + timedelta(days=2)).recall("sale").empty


@pytest.mark.parametrize("moment", [-1, 5, 1 << 70, True])
def test_a_position_must_be_in_the_log(drinks: Memory, moment: int) -> None:
    """Others are refused with the head."""
    with pytest.raises(UnknownPosition) as raised:
        drinks.as_of(moment)
    assert raised.value.head == 4


@pytest.mark.parametrize(
    "moment", ["soon", "2025-06-15T12:00", NOW + timedelta(days=2), "2030-01-01"]
)
def test_a_time_must_have_come(drinks: Memory, moment: datetime | str) -> None:
    """Later times and texts that are none are refused."""
    with pytest.raises(InvalidTime) as raised:
        drinks.as_of(moment)
    assert raised.value.field == "as_of"


def test_a_diff_names_every_change(drinks: Memory) -> None:
    """From one moment to another, and back."""
    drinks.pin("0c")
    drinks.configure({"strategy": "rrf"})
    forth, back = drinks.diff(1, 6), drinks.diff(6, 1)
    assert [(one.content, one.what, one.before, one.after) for one in forth.changes] == [
        ("Dana drinks coffee", "status", "active", "superseded"),
        ("Dana drinks coffee", "superseded by", None, "0b" * 16),
        ("Dana drinks tea", "status", None, "active"),
        ("The harbour closes at nine", "status", None, "active"),
        ("The harbour closes at nine", "pinned", None, "for good"),
        (None, "setting strategy", "hybrid", "rrf"),
    ]
    assert [(one.what, one.after, one.before) for one in back.changes] == [
        (one.what, one.before, one.after) for one in forth.changes
    ]
    assert drinks.diff(3, 3).changes == ()


def test_two_axes_of_time_combine(memory: Memory, clock: HandClock) -> None:
    """What was known then about what held when."""
    memory.remember("The office is in Bonn", id="0a" * 16, valid_from="2024-01-01")
    clock.move(SECOND)
    memory.supersede("0a", "The office is in Kiel", valid_from="2025-03-01")

    def office(moment: int, valid_at: str) -> list[str]:
        hits = memory.as_of(moment).recall("office", valid_at=valid_at).hits
        return [hit.content for hit in hits]

    assert office(3, "2025-04-01") == ["The office is in Kiel"]
    assert office(3, "2025-02-01") == ["The office is in Bonn"]
    assert office(1, "2025-04-01") == ["The office is in Bonn"]
    assert office(3, "2023-04-01") == []
    (hit,) = memory.recall("office", valid_at="2025-02-01").hits
    assert hit.note == "since superseded by @2"


Question = Callable[[Memory], object]


@pytest.mark.parametrize(
    "question",
    [
        lambda m: m.recall("tea"), lambda m: m.get("0a"), lambda m: m.list(),
        lambda m: m.history("0a"), lambda m: list(m.log.events()), lambda m: m.as_of(1).list(),
        lambda m: m.diff(1, 2), lambda m: m.inspect.counts(), lambda m: m.upkeep.stats(),
        lambda m: m.upkeep.doctor(), lambda m: m.log.verify(), lambda m: m.upkeep.rebuild(),
        lambda m: m.upkeep.index(),
    ],
)  # fmt: skip
def test_questions_write_nothing(drinks: Memory, question: Question) -> None:
    """Whatever is asked or tended, the log stays as it is."""
    before = drinks.log.checkpoint()
    question(drinks)
    assert drinks.log.checkpoint() == before
