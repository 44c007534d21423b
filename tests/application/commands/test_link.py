"""Edges as a user of the library makes, reads, ends and loses them."""

from __future__ import annotations

import pytest

from mnemolog import (
    CannotUndo,
    EdgeExists,
    InvalidField,
    Memory,
    NewEvent,
    Thing,
    UnknownEdge,
    UnknownMemory,
)
from mnemolog.ledger.clock import to_datetime
from tests.homes import DAY, START, HandClock

CAKE, RULE = "019" + "a" * 29, "019" + "b" * 29
ALMONDS, NUTS = Thing("almonds"), Thing("nuts")


def joined(memory: Memory, *end: str | Thing) -> list[tuple[object, str, object]]:
    """The edges there are, by what they join."""
    return [(edge.source, edge.type, edge.target) for edge in memory.graph.links(*end)]


@pytest.fixture
def two(memory: Memory) -> Memory:
    """A space with two memories."""
    memory.remember("Dana bakes almond cake", id=CAKE)
    memory.remember("No nuts at school", id=RULE, constraint="safety")
    return memory


def test_an_edge_says_everything_that_it_was_given(two: Memory, clock: HandClock) -> None:
    """Ends, type, confidence, origin, times, condition and reason are read back."""
    begins, ends = to_datetime(START - DAY), to_datetime(START + DAY)
    receipt = two.graph.link(
        CAKE,
        "CONTRADICTS",
        "@2",
        confidence=0.25,
        origin="inferred",
        valid_from=begins,
        valid_until=ends,
        condition="at school",
        reason="almonds",
    )
    (edge,) = two.graph.links()
    assert (edge.source, edge.type, edge.target) == (CAKE, "CONTRADICTS", RULE)
    assert (edge.confidence, edge.origin) == (0.25, "inferred")
    assert (edge.valid_from, edge.valid_until) == (begins, ends)
    assert (edge.condition, edge.reason) == ("at school", "almonds")
    assert (edge.edge_id, edge.position) == (receipt.events[0].event_id, receipt.position)
    assert edge.actor == "user:dana"
    assert receipt.memory_id == CAKE
    assert receipt.changed == (f"{CAKE} is linked to {RULE} as CONTRADICTS",)
    assert two.history(CAKE)[-1].summary == (
        f"linked it to {RULE} as CONTRADICTS where at school, because almonds"
    )


def test_edges_are_found_from_either_end(two: Memory) -> None:
    """Of a memory or a thing, edges from it and to it are listed; names go without case."""
    two.graph.link(CAKE, "CONTAINS", ALMONDS)
    two.graph.link(ALMONDS, "IS_A", "thing:nuts")
    two.graph.link(RULE, "RELATED_TO", CAKE)
    assert joined(two, CAKE) == [(CAKE, "CONTAINS", ALMONDS), (RULE, "RELATED_TO", CAKE)]
    assert joined(two, "thing:Almonds") == [(CAKE, "CONTAINS", ALMONDS), (ALMONDS, "IS_A", NUTS)]
    assert joined(two, NUTS) == [(ALMONDS, "IS_A", NUTS)]
    assert joined(two, Thing("cashews")) == []
    with pytest.raises(UnknownMemory):
        two.graph.links("@99")


def test_edges_are_those_of_the_moment(two: Memory) -> None:
    """As of a position, what began later is not there and what ended later is."""
    two.graph.link(ALMONDS, "IS_A", NUTS)
    two.graph.unlink(ALMONDS, "IS_A", NUTS)
    assert joined(two) == []
    assert joined(two.as_of(3)) == [(ALMONDS, "IS_A", NUTS)]
    assert joined(two.as_of(2)) == []


def test_an_edge_ends_by_its_ends_or_its_id(two: Memory) -> None:
    """Ends and type name every such edge; a reference names one."""
    two.graph.link(CAKE, "CONTAINS", ALMONDS, valid_until="2026-01-01")
    two.graph.link(CAKE, "CONTAINS", ALMONDS, valid_from="2026-01-01")
    two.graph.link(RULE, "RELATED_TO", CAKE)
    assert len(two.graph.unlink("@1", "CONTAINS", "thing:ALMONDS").events) == 2
    two.graph.unlink("@5", reason="wrong")
    assert joined(two) == []
    assert two.history(RULE)[-1].summary.endswith("because wrong")


def test_what_is_not_there_cannot_be_ended(two: Memory) -> None:
    """Ending no edge is an error, and so is half a description; nothing is appended."""
    two.graph.link(CAKE, "CONTAINS", ALMONDS)
    two.graph.unlink("@3")
    for words in (("@3",), (CAKE, "CONTAINS", ALMONDS), (CAKE, "IS_A", RULE), ("@1",)):
        with pytest.raises(UnknownEdge):
            two.graph.unlink(*words)
    for words in ((CAKE, "CONTAINS"), (ALMONDS,)):
        with pytest.raises(InvalidField):
            two.graph.unlink(*words)
    assert two.log.checkpoint().position == 4


def test_the_same_edge_is_not_made_twice(two: Memory) -> None:
    """Another direction or type is another edge; the same one must end first."""
    two.graph.link(ALMONDS, "IS_A", NUTS)
    two.graph.link(NUTS, "IS_A", ALMONDS)
    two.graph.link(ALMONDS, "RELATED_TO", NUTS)
    with pytest.raises(EdgeExists):
        two.graph.link(Thing("Almonds"), "IS_A", NUTS)
    two.graph.unlink(ALMONDS, "IS_A", NUTS)
    two.graph.link(ALMONDS, "IS_A", NUTS)
    assert len(joined(two)) == 3


def test_linking_is_undone_and_done_again(two: Memory) -> None:
    """Undo ends the edge, undoing that makes it again with all that it said."""
    two.graph.link(ALMONDS, "IS_A", NUTS, confidence=0.5, condition="raw")
    undone = two.undo()
    assert joined(two) == []
    two.undo(undone.events[0].event_id)
    (edge,) = two.graph.links()
    assert (edge.confidence, edge.condition) == (0.5, "raw")
    two.graph.unlink(edge.edge_id)
    two.undo()
    (again,) = two.graph.links()
    assert (again.source, again.condition) == (ALMONDS, "raw")


def test_an_edge_depends_on_its_memories_alone(two: Memory) -> None:
    """Memories with edges are not undone, edges that ended are not either; nothing else matters."""
    two.pin(CAKE)
    two.graph.link(CAKE, "CONTAINS", ALMONDS)
    two.graph.link(RULE, "RELATED_TO", CAKE)
    two.pin(RULE)
    with pytest.raises(CannotUndo) as raised:
        two.undo(CAKE)
    assert raised.value.dependents == (3, 4, 5)
    two.undo("@5")
    two.undo("@3")
    two.graph.unlink("@4")
    with pytest.raises(CannotUndo) as raised:
        two.undo("@4")
    assert len(raised.value.dependents) == 1


def test_redacting_a_memory_redacts_what_its_edges_say(two: Memory) -> None:
    """The words of edges from and to a memory go with it; that there was an edge stays."""
    two.graph.link(CAKE, "CONTAINS", ALMONDS, reason="she said so")
    two.graph.link(NUTS, "PART_OF", CAKE, condition="on Sundays")
    two.graph.link(ALMONDS, "IS_A", NUTS)
    assert two.redact(CAKE).erased == (1, 3, 4)
    assert joined(two) == [
        (CAKE, "CONTAINS", None),
        (None, "PART_OF", CAKE),
        (ALMONDS, "IS_A", NUTS),
    ]
    assert joined(two.as_of(4), ALMONDS) == []
    assert {edge.reason or edge.condition for edge in two.graph.links()} == {None}
    two.graph.unlink("@3")
    with pytest.raises(CannotUndo, match="redacted"):
        two.undo()
    levels = {finding.subject: finding.level for finding in two.upkeep.doctor().findings}
    assert "error" not in levels.values()


def test_one_edge_alone_is_redacted(two: Memory) -> None:
    """The names in an edge can be destroyed without any memory."""
    two.graph.link(ALMONDS, "IS_A", NUTS)
    two.redact("@3")
    assert joined(two) == [(None, "IS_A", None)]
    assert joined(two, ALMONDS) == []
    tables = two._space.home.views.read(lambda db: db.execute("SELECT count(*) FROM things").get)
    assert tables == 0


@pytest.mark.parametrize(
    ("event", "error"),
    [
        (NewEvent("linked", {"type": "IS_A"}, {"source": "a"}), InvalidField),
        (NewEvent("linked", {"type": "IS_A"}, {"source": "a", "target": "A"}), InvalidField),
        (NewEvent("linked", {"type": "is a"}, {"source": "a", "target": "b"}), InvalidField),
        (NewEvent("linked", {"type": "A", "target": "x"}, {"source": "a"}), InvalidField),
        (NewEvent("linked", {"type": "A", "target": "f" * 32}, {"source": "a"}), UnknownMemory),
        (NewEvent("unlinked", {"edge": "f" * 32}), UnknownEdge),
        (NewEvent("unlinked", {"edge": "x"}), InvalidField),
    ],
)
def test_appended_events_come_to_what_commands_do(
    two: Memory, event: NewEvent, error: type[Exception]
) -> None:
    """Edges that no command would have made are refused, and nothing is appended."""
    with pytest.raises(error):
        two.log.append([event])
    assert two.log.checkpoint().position == 2


def test_an_edge_can_be_appended(two: Memory) -> None:
    """An event of the vocabulary is as good as a command."""
    event = NewEvent("linked", {"type": "IS_A"}, {"source": "almonds", "target": "nuts"})
    two.log.append([event])
    assert joined(two) == [(ALMONDS, "IS_A", NUTS)]


def test_edges_stay_in_their_space(two: Memory) -> None:
    """Another space of the home sees none of them."""
    two.graph.link(ALMONDS, "IS_A", NUTS)
    with Memory.open(two.home, "other", embedder=two._space.home.embedder) as other:
        assert other.graph.links() == ()
        with pytest.raises(UnknownMemory):
            other.graph.link(CAKE, "IS_A", NUTS)
