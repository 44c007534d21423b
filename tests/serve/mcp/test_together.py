"""Several clients on one home at once, and what keeps them apart."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import anyio
import pytest
from anyio.from_thread import BlockingPortal

from mnemolog import Memory
from mnemolog.serve.mcp.server import Callers, Handles
from tests.homes import open_home
from tests.serve.mcp.clients import (
    PATIENCE_S,
    Connected,
    HttpServer,
    connected,
    http_served,
    over_http,
    over_stdio,
)

WRITER = """
import sys
import anyio, httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main(url, token, space):
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            for number in range(1000):
                given = {"content": f"Note {number} of the day", "space": space}
                done = await client.call_tool("remember", given)
                print(done.structured_content["memory_id"], flush=True)

anyio.run(main, *sys.argv[1:])
"""


def test_one_sees_at_once_what_another_wrote(
    stdio: Connected, http: Connected, server: HttpServer, portal: BlockingPortal, space: str
) -> None:
    """Clients over stdio and HTTP, in two processes on one home, see each other's last write."""
    with connected(portal, over_http(server, mode="legacy")) as old:
        clients = (stdio, http, old)
        texts = ("The kettle is blue", "Dana plays the oboe", "Trains to Lyon leave at noon")
        for writer, text in zip(clients, texts, strict=True):
            stored = writer.call("remember", content=text, space=space)
            for reader in clients:
                found = reader.call("history", memory_id=stored["memory_id"], space=space)
                assert text in found["events"][0]["summary"]


def _question(number: int, who: str) -> str:
    """Text that no judge takes for a change of another, since a question changes nothing."""
    return f"Who keeps note {number} of client {who}?"


def test_they_write_at_once_and_nothing_is_lost(
    server: HttpServer, home: Path, portal: BlockingPortal, space: str
) -> None:
    """Two clients over HTTP and one over stdio, each with several calls under way."""

    async def all_at_once(clients: list[Connected]) -> None:
        async with anyio.create_task_group() as tasks:
            for who, each in enumerate(clients):
                for number in range(8):
                    given = {"content": _question(number, str(who)), "space": space}
                    tasks.start_soon(partial(each.client.call_tool, "remember", given))

    with (
        connected(portal, over_http(server, name="one")) as one,
        connected(portal, over_http(server, name="two", mode="legacy")) as two,
        connected(portal, over_stdio(home, "--space", space)) as three,
    ):
        # The one over stdio has its space from the command line.
        portal.call(all_at_once, [one, two])
        for number in range(8):
            three.call("remember", content=_question(number, "three"))
    with Memory.open(home, space) as memory:
        assert len(memory.list(limit=100)) == 24
        memory.log.verify()
        actors = {event.actor for event in memory.log.events()}
    assert actors == {"agent:one", "agent:two", "agent:tester"}


def test_a_session_is_one_talk(
    server: HttpServer, home: Path, portal: BlockingPortal, space: str
) -> None:
    """What one session remembers has one run; another session and another client have others."""
    for name, mode in (
        ("first", "auto"),
        ("second", "auto"),
        ("third", "legacy"),
        ("third", "legacy"),
    ):
        with connected(portal, over_http(server, name=name, mode=mode)) as client:
            for number in range(2):
                client.call("remember", content=f"{name} says {number}", space=space)
    with Memory.open(home, space) as memory:
        runs = [event.correlation_id for event in memory.log.events(kinds=("remembered",))]
    assert runs[0::2] == runs[1::2]
    assert len(set(runs)) == 4


def test_a_talk_is_not_named_by_who_joins_it(
    server: HttpServer, home: Path, portal: BlockingPortal, space: str
) -> None:
    """Where the protocol has no sessions, a client that names one is in the talk of its name."""
    for named in ("of-another", "x" * 3_000):
        talking = over_http(server, name="joiner", **{"Mcp-Session-Id": named})
        with connected(portal, talking) as client:
            client.call("remember", content=f"{len(named)} letters", space=space)
    with Memory.open(home, space) as memory:
        (run,) = {event.correlation_id for event in memory.log.events(kinds=("remembered",))}
    assert run not in {"of-another", "x" * 3_000}


def test_a_client_that_is_killed_takes_nobody_along(
    server: HttpServer, home: Path, http: Connected, space: str
) -> None:
    """A client killed in the middle of its calls has what was confirmed; the server goes on."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, server.url, server.token, space],
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        confirmed = {writer.stdout.readline().strip() for _ in range(9)}
        writer.kill()
    assert "" not in confirmed
    assert http.call("remember", content="Still here", space=space)["position"]
    with Memory.open(home, space) as memory:
        assert confirmed <= {item.memory_id for item in memory.list(limit=1000)}


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_ends_loses_nothing_confirmed(tmp_path: Path, how: signal.Signals) -> None:
    """Told to end, or killed, while a client writes: what it had confirmed is in the log."""
    home = tmp_path / "home"
    with (
        http_served(home, ("--any-space",)) as served,
        subprocess.Popen(
            [sys.executable, "-c", WRITER, served.url, served.token, "default"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as writer,
    ):
        assert writer.stdout is not None
        confirmed = [writer.stdout.readline().strip() for _ in range(5)]
        served.process.send_signal(how)
        assert served.process.wait(PATIENCE_S) == (0 if how == signal.SIGTERM else -how)
        confirmed += writer.stdout.read().split()
        writer.kill()
    with Memory.open(home) as memory:
        assert set(confirmed) <= {item.memory_id for item in memory.list(limit=1000)}
        memory.log.verify()


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_spaces_are_apart_unless_any_was_allowed(
    portal: BlockingPortal, tmp_path: Path, transport: str
) -> None:
    """A server started for one space does not know the word, nor another space's memories."""
    home = tmp_path / "home"
    with Memory.open(home, "private", actor="user:dana") as memory:
        stored = memory.remember("The safe's code is in the blue book").memory_id
    with ExitStack() as opened:
        if transport == "stdio":
            start = over_stdio(home, "--tools", "all")
        else:
            start = over_http(opened.enter_context(http_served(home, ("--tools", "all"))))
        client = opened.enter_context(connected(portal, start))
        told = client.error("recall", cue="the safe's code", space="private")
        assert told.startswith("InvalidField: space: is unknown here")
        assert client.call("recall", cue="the safe's code")["hits"] == []
        assert client.error("history", memory_id=stored).startswith("UnknownMemory: ")
        tools = client.portal.call(client.client.list_tools).tools
        assert all("space" not in tool.input_schema["properties"] for tool in tools)


def test_who_calls_is_an_agent_by_its_own_name() -> None:
    """Whatever a client calls itself, the ledger can take it."""
    callers = Callers()
    for name, actor in (
        ("Claude Code", "agent:Claude Code"),
        (" \x00a\nb\u202e ", "agent:a b"),
        ("x" * 900, "agent:" + "x" * 100),
        ("", "agent:mcp"),
        (None, "agent:mcp"),
    ):
        assert callers.on_connection(name).actor == actor
    assert callers.on_connection("a").run == callers.on_connection("b").run
    assert callers.in_session("a", None).run == callers.in_session("a", None).run
    assert callers.in_session("a", None).run != callers.in_session("b", None).run
    assert callers.in_session("a", "s-1").run == "s-1"


def test_handles_are_kept_and_the_oldest_let_go(tmp_path: Path) -> None:
    """A hundred callers share one open home, and what each reported as used is written."""
    callers = Callers()
    with open_home(tmp_path / "home") as memory:
        stored = str(memory.remember("The tea is in the tin").memory_id)
        handles = Handles(memory)
        for number in range(100):
            handle = handles.of("default", callers.in_session("a", f"session-{number}"))
            assert handle is handles.of("default", callers.in_session("a", f"session-{number}"))
            handle.use(stored)
        handles.close()
        assert memory.get(stored).accesses == 100
