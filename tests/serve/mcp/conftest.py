"""Servers that the tests of a run share, over each transport."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from mnemolog import Memory
from tests.homes import BagOfWords
from tests.serve.mcp.clients import (
    EVERYTHING,
    Connected,
    HttpServer,
    connected,
    http_served,
    offered,
    over_http,
    over_stdio,
)


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """The loop of all clients."""
    with start_blocking_portal() as opened:
        yield opened


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home that the servers of processes share."""
    return tmp_path_factory.mktemp("mcp") / "home"


@pytest.fixture(scope="session")
def server(home: Path) -> Iterator[HttpServer]:
    """A server over HTTP that offers everything."""
    with http_served(home, EVERYTHING) as served:
        yield served


@pytest.fixture(scope="session")
def stdio(home: Path, portal: BlockingPortal) -> Iterator[Connected]:
    """A client over stdio."""
    with connected(portal, over_stdio(home, *EVERYTHING)) as client:
        yield client


@pytest.fixture(scope="session")
def http(server: HttpServer, portal: BlockingPortal) -> Iterator[Connected]:
    """A client over HTTP."""
    with connected(portal, over_http(server)) as client:
        yield client


@pytest.fixture(scope="session")
def direct(tmp_path_factory: pytest.TempPathFactory, portal: BlockingPortal) -> Iterator[Connected]:
    """A client in this process, on a home of its own."""
    path = tmp_path_factory.mktemp("direct") / "home"
    with (
        Memory.open(path, embedder=BagOfWords()) as memory,
        offered(portal, memory, "all", spaces="any") as client,
    ):
        yield client


@pytest.fixture(params=["direct", "stdio", "http"])
def client(request: pytest.FixtureRequest) -> Connected:
    """A client over each transport in turn."""
    found: Connected = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def space(request: pytest.FixtureRequest) -> str:
    """A space of the test's own."""
    return str(request.node.name)
