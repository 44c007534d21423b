"""Real clients of real servers: over stdio and HTTP in processes of their own, and in this one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx2
from anyio.from_thread import BlockingPortal
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation, TextContent

from mnemolog import Memory
from mnemolog.serve.mcp.http import TOKEN
from mnemolog.serve.mcp.server import Service, Spaces, server_of
from mnemolog.serve.mcp.tools import tools_named

PROGRAM = Path(sys.executable).with_name("mnemolog")
ROOT = Path(__file__).parents[3]
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("MNEMOLOG_")},
    "PYTHONPATH": str(ROOT),
}
EVERYTHING = ("--tools", "all", "--any-space")
PATIENCE_S = 60


class Connected:
    """A connected client, called from the thread of a test."""

    def __init__(self, portal: BlockingPortal, client: Client, patience_s: float) -> None:
        """Call `client` in the loop of `portal`, and wait `patience_s` seconds for an answer."""
        self.portal = portal
        self.client = client
        self.patience_s = patience_s

    def call(self, tool: str, **arguments: object) -> dict[str, object]:
        """The structured content of a call that is to succeed, checked against its schema."""
        result = self.result(tool, arguments)
        assert not result.is_error, result.content
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    def error(self, tool: str, **arguments: object) -> str:
        """What a model is told of a call that is to fail."""
        result = self.result(tool, arguments)
        assert result.is_error, result.structured_content
        (content,) = result.content
        assert isinstance(content, TextContent)
        return content.text

    def result(self, tool: str, arguments: dict[str, object]) -> CallToolResult:
        """The result of a call, whatever it is."""
        return self.portal.call(
            partial(self.client.call_tool, tool, arguments, read_timeout_seconds=self.patience_s)
        )


@contextmanager
def offered(
    portal: BlockingPortal, memory: Memory, *tools: str, spaces: Spaces = "own"
) -> Iterator[Connected]:
    """A client in this process of a server on an open memory."""
    server = server_of(Service(memory, tools_named(tools), spaces))
    client = Client(server, client_info=Implementation(name="tester", version="1"))
    with connected(portal, client) as opened:
        yield opened


class HttpServer(NamedTuple):
    """A server over HTTP in a process of its own."""

    url: str
    token: str
    process: subprocess.Popen[str]


@contextmanager
def connected(
    portal: BlockingPortal,
    client: AbstractAsyncContextManager[Client],
    patience_s: float = PATIENCE_S,
) -> Iterator[Connected]:
    """A client, connected until the end."""
    with portal.wrap_async_context_manager(client) as opened:
        yield Connected(portal, opened, patience_s)


def over_stdio(home: Path, *options: str, mode: str = "auto", name: str = "tester") -> Client:
    """A client that starts a server of its own, as agent clients do."""
    parameters = StdioServerParameters(
        command=str(PROGRAM), args=["mcp", "--home", str(home), *options], env=ENVIRONMENT
    )
    return Client(parameters, mode=mode, client_info=Implementation(name=name, version="1"))


@asynccontextmanager
async def over_http(
    server: HttpServer, mode: str = "auto", name: str = "tester", **more: str
) -> AsyncIterator[Client]:
    """A client of a server that is there, which may send more headers."""
    headers = {"Authorization": f"Bearer {server.token}", **more}
    async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S) as http:
        transport = streamable_http_client(server.url, http_client=http)
        info = Implementation(name=name, version="1")
        async with Client(transport, mode=mode, client_info=info) as client:
            yield client


@contextmanager
def http_served(
    home: Path,
    options: Sequence[str] = (),
    token_file: Path | None = None,
    environment: Mapping[str, str] = ENVIRONMENT,
    program: Sequence[str | Path] = (PROGRAM,),
) -> Iterator[HttpServer]:
    """A server over HTTP on a free port, with the token that it makes for the home, or another."""
    process = subprocess.Popen(
        [*program, "mcp", "http", "--home", str(home), "--port", "0", *options],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        lines = iter(process.stderr.readline, "")
        told = next((line for line in lines if "serving space" in line), "")
        assert told, process.stderr.read()
        token = (token_file or home / TOKEN).read_text().strip()
        yield HttpServer(told.split(" at ")[1].strip(), token, process)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        process.stderr.close()
