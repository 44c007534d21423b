"""Edges on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from mnemolog.cli.commands import storing
from mnemolog.ledger.events import EdgeOrigin

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


def test_things_and_memories_are_linked_and_listed(cli: CommandLine) -> None:
    """`thing:` names a thing, anything else a memory; what is linked is listed."""
    cli("remember", "Dana bakes almond cake")
    shown = cli("link", "thing:almonds", "IS_A", "thing:tree nuts", "--reason", "the label").stdout
    assert "“almonds” is linked to “tree nuts” as IS_A" in shown
    cli("link", "@1", "CONTAINS", "thing:almonds", "--confidence", "0.5", "--origin", "inferred")
    shown = cli("links", "thing:almonds").stdout
    assert "thing:almonds IS_A thing:tree nuts" in shown
    assert "because the label" in shown
    assert "0.50\tinferred" in shown
    assert "IS_A" not in cli("links", "@1").stdout


def test_edges_as_json(cli: CommandLine) -> None:
    """A memory is its id, a thing an object with its name; times are ISO 8601."""
    memory_id = cli.json("remember", "Dana bakes almond cake")["memory_id"]
    cli(
        "link", "@1", "CONTAINS", "thing:almonds", "--valid-from", "2026-01-01",
        "--valid-until", "2027-01-01", "--condition", "at Easter",
    )  # fmt: skip
    (edge,) = cli.json("links")["edges"]
    assert (edge["source"], edge["type"]) == (memory_id, "CONTAINS")
    assert edge["target"] == {"name": "almonds"}
    assert (edge["valid_from"], edge["condition"]) == ("2026-01-01T00:00:00Z", "at Easter")


def test_an_edge_is_ended_and_the_past_knows_it(cli: CommandLine) -> None:
    """Ended by its ends or its position, an edge is gone now and there as of before."""
    cli("link", "thing:almonds", "IS_A", "thing:nuts")
    cli("unlink", "thing:almonds", "IS_A", "thing:nuts")
    assert cli("links").stdout == "No edges found.\n"
    assert "almonds" in cli("links", "--as-of", "1").stdout
    cli("undo")
    cli("unlink", "@4", "--reason", "after all")
    assert cli.json("links")["edges"] == []


def test_what_cannot_be_linked_has_its_exit_code(cli: CommandLine) -> None:
    """Bad words, unknown memories and edges, and edges that are there already."""
    cli("link", "thing:almonds", "IS_A", "thing:nuts")
    cli("link", "thing:almonds", "is a", "thing:nuts", code=2)
    cli("link", "thing:almonds", "IS_A", "thing:almonds", code=2)
    cli("link", "@9", "IS_A", "thing:nuts", code=3)
    assert cli.failure("unlink", "@9", code=3)["class"] == "UnknownEvent"
    assert cli.failure("unlink", "thing:a", "IS_A", "thing:b", code=3)["class"] == "UnknownEdge"
    cli("unlink", "thing:almonds", "IS_A", code=2)
    assert cli.failure("link", "thing:almonds", "IS_A", "thing:nuts", code=4)["class"] == (
        "EdgeExists"
    )


def test_origins_are_those_of_the_ledger() -> None:
    """The words that the option accepts are those of the vocabulary."""
    assert get_args(EdgeOrigin) == storing.ORIGINS
