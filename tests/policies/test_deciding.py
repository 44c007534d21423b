"""Policies decide by what they are given alone: state in, events or typed errors out."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import (
    CannotUndo,
    ImmutableMemory,
    InvalidField,
    InvalidState,
    SupersessionCycle,
)
from mnemolog.ledger.events import (
    Configured,
    Event,
    Payload,
    Pinned,
    Reason,
    Reinstated,
    Remembered,
    Restored,
    SettingValue,
    Superseded,
    Undone,
    Unpinned,
    Withdrawn,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.vocabulary import encode_payload
from mnemolog.policies.memories import (
    IMMUTABLE_WEIGHT,
    NewMemory,
    checked_actor,
    normalised_place,
    normalised_source,
    remembered,
    type_of_source,
)
from mnemolog.policies.supersession import (
    Decision,
    Replacement,
    Target,
    check_no_cycle,
    command_of,
    decide_pin,
    decide_supersession,
    decide_undo,
    decide_unpin,
    decide_withdrawal,
    why,
)

A, B, C = (MemoryId(letter * 32) for letter in "abc")
NOBODY: frozenset[MemoryId] = frozenset()
LIMIT = 1 << 20

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


# -- what a memory may be --------------------------------------------------------------


@given(text=texts)
def test_any_text_can_be_remembered_as_it_is(text: str) -> None:
    """Content is kept to the letter, whatever it is made of."""
    structure, content = remembered(NewMemory(text), LIMIT)
    assert content.text == text
    assert structure == Remembered()


@pytest.mark.parametrize(
    ("source", "normal", "trusted_as"),
    [
        ("Dana", "user:Dana", "user_stated"),
        ("USER:Dana", "user:Dana", "user_stated"),
        ("agent:coder", "agent:coder", "inferred"),
        ("system:clock", "system:clock", "system"),
        ("thread:12", "thread:12", "user_stated"),
        ("notes.md", "file:notes.md", "external"),
        ("docs/notes", "file:docs/notes", "external"),
        ("https://example.org/a", "https://example.org/a", "external"),
    ],
)
def test_sources_have_a_scheme(source: str, normal: str, trusted_as: str) -> None:
    """A bare word is a user, a bare path a file, and the scheme says how far to trust it."""
    assert normalised_source(source) == normal
    assert type_of_source(normal) == trusted_as
    assert normalised_source(normal) == normal


def test_no_source_is_the_users_own_statement() -> None:
    """Where nothing is said the user said it."""
    assert type_of_source(None) == "user_stated"


@given(steps=st.lists(st.text("ab c", min_size=1).filter(str.strip), min_size=1, max_size=4))
def test_a_place_is_a_path_without_empty_steps(steps: list[str]) -> None:
    """However many slashes and blanks: normalising twice changes nothing more."""
    normal = normalised_place("//".join(f" {step} " for step in steps) + "/")
    assert normal == "/".join(step.strip() for step in steps)
    assert normalised_place(normal) == normal


def test_confidence_goes_by_the_source_unless_said() -> None:
    """Trust in a source is the default of its type, or what the caller says."""
    found = {
        source: remembered(NewMemory("x", source=source), LIMIT)[0].source_confidence
        for source in ("user:dana", "agent:coder", "file:a.md", "system:x")
    }
    assert list(found.values()) == [0.9, 0.6, 0.7, 1.0]
    assert remembered(NewMemory("x", source_confidence=0.2), LIMIT)[0].source_confidence == 0.2


def test_an_immutable_memory_weighs_most() -> None:
    """Its depth weight is Beta(50, 1)."""
    assert remembered(NewMemory("x", immutable=True), LIMIT)[0].depth_weight == IMMUTABLE_WEIGHT


@pytest.mark.parametrize("actor", ["user:dana", "agent:coder", "system:cron"])
def test_an_actor_is_someone_of_a_kind(actor: str) -> None:
    """Users, agents and systems cause events."""
    assert checked_actor(actor) == actor


# -- corrections -----------------------------------------------------------------------


@given(
    edges=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12),
    old=st.integers(0, 6),
    new=st.integers(0, 6),
)
def test_no_order_of_supersessions_closes_a_cycle(
    edges: list[tuple[int, int]], old: int, new: int
) -> None:
    """Over any edges that were let through, one is let through if and only if none is closed."""
    above: dict[MemoryId, set[MemoryId]] = {}

    def superseders(memory: MemoryId) -> set[MemoryId]:
        return above.get(memory, set())

    def reaches(begin: MemoryId, end: MemoryId) -> bool:
        return begin == end or any(reaches(up, end) for up in superseders(begin))

    for low, high in [*edges, (old, new)]:
        one, other = MemoryId(f"{low:032x}"), MemoryId(f"{high:032x}")
        closes = reaches(other, one)
        try:
            check_no_cycle([one], other, superseders)
        except SupersessionCycle:
            assert closes
        else:
            assert not closes
            above.setdefault(one, set()).add(other)


def test_one_event_for_each_memory_superseded() -> None:
    """Many-to-one: each old memory's valid time ends where the new one's begins."""
    decisions = decide_supersession(
        [Target(A, "active"), Target(B, "withdrawn", immutable=True)],
        Replacement(C, 7),
        lambda _: (),
        frozenset({B}),
        "because",
    )
    assert decisions == [
        Decision(Superseded(C, 7), A, Reason("because")),
        Decision(Superseded(C, 7, override=True), B, Reason("because")),
    ]


@pytest.mark.parametrize(
    ("target", "error"),
    [
        (Target(A, "redacted"), InvalidState),
        (Target(A, "active", immutable=True), ImmutableMemory),
    ],
)
def test_what_cannot_be_changed_is_refused(target: Target, error: type[Exception]) -> None:
    """Neither what is gone nor, without an override, what is immutable is replaced or withdrawn."""
    with pytest.raises(error):
        decide_supersession([target], Replacement(C), lambda _: (), NOBODY, None)
    with pytest.raises(error):
        decide_withdrawal(target, NOBODY, None)


def test_a_supersession_is_said_once() -> None:
    """What is superseded by that memory already is refused."""
    with pytest.raises(InvalidState):
        decide_supersession([Target(A, "superseded")], Replacement(C), lambda _: (C,), NOBODY, None)


def test_pins_are_for_what_may_answer() -> None:
    """Not for what is withdrawn or redacted, nor until a time that has passed."""
    assert decide_pin(Target(A, "superseded"), 9, 8, None).structure == Pinned(9)
    for status in ("withdrawn", "redacted"):
        with pytest.raises(InvalidState):
            decide_pin(Target(A, status), None, 8, None)
    with pytest.raises(InvalidState):
        decide_pin(Target(A, "active"), 8, 8, None)
    assert decide_unpin(Target(A, "active", pinned=True), None).structure == Unpinned()
    with pytest.raises(InvalidState):
        decide_unpin(Target(A, "active"), None)


def test_a_reason_is_a_text_or_none() -> None:
    """Blank reasons are none; what is no text, or none that can be stored, is refused."""
    assert why("it moved") == Reason("it moved")
    assert why(None) is why(" ") is None
    for bad in (7, "\ud800"):
        with pytest.raises(InvalidField) as raised:
            why(bad)  # type: ignore[arg-type] # that is the point
        assert raised.value.field == "reason"


# -- undoing ---------------------------------------------------------------------------


class Before:
    """A state in which A was pinned until 5, and the strategy was rrf."""

    def pin(self, memory_id: MemoryId) -> tuple[bool, int | None]:
        return memory_id == A, 5 if memory_id == A else None

    def shelter(self, memory_id: MemoryId) -> int:
        return 0

    def shelter_again(self, memory_id: MemoryId) -> int | None:
        return 0

    def closing(self, old: MemoryId, new: MemoryId) -> int | None:
        return 3

    def setting(self, name: str) -> SettingValue:
        return "rrf" if name == "strategy" else None


def event(
    structure: Payload | None, about: MemoryId | None, position: int = 1, kind: str = ""
) -> Event:
    """An event with this structure."""
    return Event(
        Position(position), EventId(f"{position:032x}"), "default",
        kind or type(structure).__name__.lower(), 1, Micros(0), "user:dana", about, None,
        EventId(f"{1:032x}") if position > 1 else None,
        b"{}" if structure is None else encode_payload(structure), None, None, None, bytes(32),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("done", "about", "inverse"),
    [
        (Remembered(), A, Withdrawn()),
        (Withdrawn(), A, Restored(0)),
        (Restored(), A, Withdrawn()),
        (Superseded(B), A, Reinstated(B, 0)),
        (Reinstated(B), A, Superseded(B, 3)),
        (Pinned(9), A, Pinned(5)),
        (Pinned(9), B, Unpinned(0)),
        (Unpinned(), A, Pinned(5)),
        (
            Configured({"strategy": None, "content_limit_bytes": 9}),
            None,
            Configured({"strategy": "rrf", "content_limit_bytes": None}),
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Payload) else "",
)
def test_each_event_has_its_inverse(
    done: Payload, about: MemoryId | None, inverse: Payload
) -> None:
    """What restores the state before an event, after an event that says what was undone."""
    undone, restoring = decide_undo([event(done, about)], [], Before(), "a mistake")
    assert undone == Decision(Undone(EventId(f"{1:032x}")), None, Reason("a mistake"))
    assert restoring == Decision(inverse, about)


def test_the_last_change_is_reversed_first() -> None:
    """A command of several events is taken back in the opposite order."""
    command = [event(Remembered(), A), event(Superseded(A), B, 2), event(Superseded(A), C, 3)]
    decisions = decide_undo(command, [], Before(), None)
    assert [decision.memory_id for decision in decisions] == [None, C, B, A]
    assert {command_of(one) for one in command} == {EventId(f"{1:032x}")}


@pytest.mark.parametrize(
    "command",
    [[event(None, A, kind="deployed")], [event(None, None, kind="redacted")]],
    ids=["own kind", "redaction"],
)
def test_what_has_no_inverse_is_not_undone(command: list[Event]) -> None:
    """Kinds of the caller's own, and what a redaction destroyed, stay."""
    with pytest.raises(CannotUndo):
        decide_undo(command, [], Before(), None)


def test_dependents_are_named() -> None:
    """Nothing is undone under what depends on it."""
    with pytest.raises(CannotUndo) as raised:
        decide_undo([event(Remembered(), A)], [Position(4), Position(7)], Before(), None)
    assert raised.value.dependents == (4, 7)
