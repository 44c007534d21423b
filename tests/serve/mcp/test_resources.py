"""Memories as resources: listed, addressed and read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal
from mcp.shared.exceptions import MCPError
from mcp_types import TextResourceContents

from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.mcp.results import address_of, uri_of
from tests.homes import open_home
from tests.serve.mcp.clients import Connected, connected, offered, over_stdio


def read(client: Connected, uri: str) -> dict[str, object]:
    """A resource's contents."""
    (contents,) = client.portal.call(client.client.read_resource, uri).contents
    assert isinstance(contents, TextResourceContents)
    assert contents.mime_type == "application/json"
    value = json.loads(contents.text)
    assert isinstance(value, dict)
    return value


def test_a_memory_is_read_with_its_history(client: Connected, space: str) -> None:
    """An address made from the template gives a memory's state, content and events."""
    old = client.call("remember", content="The tea is in the tin", space=space)
    new = client.call("supersede", old=old["memory_id"], content="It is in the jar", space=space)
    (template,) = client.portal.call(client.client.list_resource_templates).resource_templates
    assert template.uri_template == "memory://{space}/{memory_id}"
    uri = uri_of(space, str(old["memory_id"]))
    found = read(client, uri)
    assert (found["content"], found["status"]) == ("The tea is in the tin", "superseded")
    assert found["superseded_by"] == [new["memory_id"]]
    assert [event["kind"] for event in found["history"]] == [
        "remembered",
        "remembered",
        "superseded",
    ]
    assert "earlier" not in found


def test_of_a_long_history_the_latest_is_read(client: Connected, space: str) -> None:
    """A memory is read with its latest fifty events and how many came before them."""
    stored = str(client.call("remember", content="The tea is in the tin", space=space)["memory_id"])
    for _ in range(26):
        client.call("pin", memory_id=stored, space=space)
        client.call("unpin", memory_id=stored, space=space)
    found = read(client, uri_of(space, stored))
    assert [event["kind"] for event in found["history"]] == ["pinned", "unpinned"] * 25
    assert found["earlier"] == 3


def test_pinned_and_newest_memories_are_listed(portal: BlockingPortal, tmp_path: Path) -> None:
    """The list begins with working memory and goes on with the newest twenty, each once."""
    with open_home(tmp_path / "home") as memory, offered(portal, memory) as client:
        first = str(memory.remember("Always answer in French " * 9).memory_id)
        memory.remember_many([f"Note {number}" for number in range(30)])
        memory.pin(first)
        listed = client.portal.call(client.client.list_resources).resources
        assert len(listed) == 21
        assert listed[0].uri == f"memory://default/{first}"
        assert listed[0].annotations.priority == 1
        assert listed[0].title.endswith("…")
        assert [one.title for one in listed[1:3]] == ["Note 29", "Note 28"]
        assert read(client, listed[0].uri)["pinned"] is True


def test_a_redacted_memory_shows_that_it_was(portal: BlockingPortal, tmp_path: Path) -> None:
    """What is gone is gone here as well; that something was there stays."""
    with open_home(tmp_path / "home") as memory, offered(portal, memory) as client:
        # Letters: any four digits stand now and then in an id.
        stored = str(memory.remember("The word is xylophone").memory_id)
        memory.redact(stored)
        found = read(client, f"memory://default/{stored}")
        assert found["status"] == "redacted"
        assert "content" not in found
        assert "xylophone" not in json.dumps(found)


@pytest.mark.parametrize(
    "uri",
    ["memory://default/", "memory://default", "memory:///x", "file:///etc/passwd", "", "memory://"],
)
def test_what_is_no_address_is_refused(client: Connected, uri: str) -> None:
    """A wrong address is the caller's error, and says how one is written."""
    with pytest.raises(MCPError) as caught:
        read(client, uri)
    assert caught.value.error.code == -32602


def test_an_unknown_memory_is_refused(client: Connected) -> None:
    """An id that is not there, or in another space, is the caller's error."""
    with pytest.raises(MCPError, match="UnknownMemory"):
        read(client, "memory://default/" + "0a" * 16)


def test_other_spaces_are_not_read(portal: BlockingPortal, tmp_path: Path) -> None:
    """A server of one space answers for no other, whatever the address says."""
    with open_home(tmp_path / "home", "private") as memory:
        stored = memory.remember("The safe's code is in the blue book").memory_id
    with connected(portal, over_stdio(tmp_path / "home")) as client:
        with pytest.raises(MCPError, match="UnknownMemory"):
            read(client, f"memory://private/{stored}")
        assert client.portal.call(client.client.list_resources).resources == []


@pytest.mark.parametrize("space", ["default", "a/b", "team ü", "50%", "a?b#c"])
def test_an_address_leads_back_to_its_space(space: str) -> None:
    """Any name of a space can be part of an address."""
    assert address_of(uri_of(space, "0a")) == (space, "0a")


def test_an_address_needs_both_parts() -> None:
    """A space alone is no memory."""
    with pytest.raises(InvalidField, match="write memory://"):
        address_of("memory://default")
