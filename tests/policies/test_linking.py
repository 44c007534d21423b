"""What may be linked, decided by what is given alone."""

from __future__ import annotations

import pytest

from mnemolog.ledger.errors import (
    EdgeExists,
    InvalidField,
    InvalidNumber,
    InvalidState,
    InvalidTime,
    LedgerError,
)
from mnemolog.ledger.events import EdgeContent, Linked, Reason, Unlinked
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.linking import (
    TYPES,
    KnownEdge,
    NewEdge,
    Thing,
    checked_end,
    decide_link,
    decide_unlink,
)
from mnemolog.policies.supersession import Decision, Target

A, B = (MemoryId(letter * 32) for letter in "ab")
EDGE = EventId("e" * 32)


@pytest.mark.parametrize("kind", [*TYPES, "MARRIED_TO", "X"])
def test_types_are_the_known_ones_and_ones_own(kind: str) -> None:
    """An edge says what one memory is to another, in a known word or one of the user's own."""
    decision = decide_link(NewEdge(A, kind, B), [Target(A, "active")], [])
    assert decision == Decision(Linked(kind, B), A, None)


def test_things_are_named_in_the_content() -> None:
    """Names can be redacted, so they stand in the content; the edge then concerns no memory."""
    edge = NewEdge(Thing("almonds"), "IS_A", Thing("nuts"), reason="the label", condition="raw")
    assert decide_link(edge, [], []) == Decision(
        Linked("IS_A"), None, EdgeContent("almonds", "nuts", "raw", "the label")
    )
    assert decide_link(NewEdge(A, "PART_OF", Thing("talk"), reason=" "), [], []) == Decision(
        Linked("PART_OF"), A, EdgeContent(target="talk")
    )


@pytest.mark.parametrize(
    ("edge", "error", "field"),
    [
        (NewEdge(A, "is_a", B), InvalidField, "type"),
        (NewEdge(A, "", B), InvalidField, "type"),
        (NewEdge(A, "_A", B), InvalidField, "type"),
        (NewEdge(A, "A" * 61, B), InvalidField, "type"),
        (NewEdge(A, 7, B), InvalidField, "type"),
        (NewEdge(A, "IS_A", B, confidence=1.01), InvalidNumber, "confidence"),
        (NewEdge(A, "IS_A", B, confidence=float("nan")), InvalidNumber, "confidence"),
        (NewEdge(A, "IS_A", B, confidence=True), InvalidNumber, "confidence"),
        (NewEdge(A, "IS_A", B, origin="heard"), InvalidField, "origin"),
        (NewEdge(A, "IS_A", B, valid_from=2, valid_until=2), InvalidTime, "valid_until"),
        (NewEdge(A, "IS_A", B, condition=7), InvalidField, "condition"),
        (NewEdge(A, "IS_A", A), InvalidField, "target"),
        (NewEdge(Thing("Nuts"), "IS_A", Thing("nuts")), InvalidField, "target"),
    ],
)
def test_what_makes_no_edge_is_refused_by_field(
    edge: NewEdge, error: type[InvalidField], field: str
) -> None:
    """Types, shares, times and ends that cannot be are refused, each by its field."""
    with pytest.raises(error) as raised:
        decide_link(edge, [], [])
    assert raised.value.field == field


@pytest.mark.parametrize("status", ["withdrawn", "redacted"])
def test_what_no_answer_holds_is_not_linked(status: str) -> None:
    """An end that is out of all answers is refused."""
    with pytest.raises(InvalidState):
        decide_link(NewEdge(A, "IS_A", B), [Target(A, "active"), Target(B, status)], [])


def test_the_same_edge_is_made_once() -> None:
    """An edge that is there is refused; at other times it says something else."""
    known = KnownEdge(EDGE, A, valid_from=1)
    with pytest.raises(EdgeExists) as raised:
        decide_link(NewEdge(A, "IS_A", B, valid_from=1), [], [known])
    assert raised.value.edge_id == EDGE
    assert decide_link(NewEdge(A, "IS_A", B, valid_from=2), [], [known]).memory_id == A


def test_an_ended_edge_concerns_what_it_went_out_from() -> None:
    """What ends an edge names it, with the reason."""
    decision = decide_unlink(KnownEdge(EDGE, A), "wrong")
    assert decision == Decision(Unlinked(EDGE), A, Reason("wrong"))


@pytest.mark.parametrize("given", [Thing(" tree  nuts "), "thing:tree nuts", "thing: tree nuts"])
def test_a_thing_is_named_plainly_or_by_prefix(given: str | Thing) -> None:
    """`thing:` and a name is a thing, and so is a `Thing`; blanks do not matter."""
    assert checked_end("source", given) == Thing("tree nuts")


def test_anything_else_is_a_reference() -> None:
    """A text without the prefix names a memory."""
    assert checked_end("source", "@12") == "@12"


@pytest.mark.parametrize("given", ["thing:", Thing(""), Thing("a" * 201), Thing("a\x00"), None, 7])
def test_an_end_without_a_name_is_refused(given: str | Thing) -> None:
    """A thing needs a name that can be printed."""
    with pytest.raises(LedgerError, match="source"):
        checked_end("source", given)
