"""Connections without the token: few, short, and of no consequence for clients that have it."""

from __future__ import annotations

import logging
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2
import pytest

from mnemolog.serve.mcp.http import Connections, limits_within
from mnemolog.serve.mcp.stdio import Repeats
from tests.serve.mcp.clients import PATIENCE_S, PROGRAM, HttpServer, http_served
from tests.serve.mcp.test_http import ACCEPT, asked

FEW_DESCRIPTORS = ("sh", "-c", 'ulimit -n 256 && exec "$0" "$@"', PROGRAM)
MANY = 2_000
BEGINNINGS = {
    "nothing": b"",
    "half of a header": b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Le",
    "half of a body": b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
    "garbage": b"\0\1\2\r\n\r\n",
}
_IMPATIENT = (
    "from mnemolog.serve.mcp import http; http.REQUEST_S = 0.5; "
    "from mnemolog.cli.main import main; main()"
)


def address_of(server: HttpServer) -> tuple[str, int]:
    """Where a server listens."""
    url = httpx2.URL(server.url)
    return url.host, url.port or 0


def ended(connection: socket.socket) -> bool:
    """Whether the other side has closed a connection; what it has sent before is read."""
    try:
        return connection.recv(4_096) == b""
    except ConnectionError:
        return True


def answered(server: HttpServer) -> bool:
    """Whether a client with the token is answered, at the third attempt if need be.

    On a machine that starves it, a client may be slower to speak than hundreds are to come.
    """
    for _ in range(2):
        with suppress(httpx2.TransportError):
            return asked(server).status_code == 200
    return asked(server).status_code == 200


@contextmanager
def flooded(server: HttpServer, beginning: bytes) -> Iterator[threading.Event]:
    """A server that others open connections to and leave there; the event says that all came."""
    opened: list[socket.socket] = []
    done, ending = threading.Event(), threading.Event()

    def flood() -> None:
        for _ in range(MANY):
            if ending.is_set():
                break
            # The limit on open files is also that of the tests.
            if len(opened) >= MANY // 4:
                opened.pop(0).close()
            try:
                one = socket.create_connection(address_of(server), PATIENCE_S)
                opened.append(one)
                one.sendall(beginning)
            except OSError:
                continue
        done.set()

    thread = threading.Thread(target=flood)
    thread.start()
    try:
        yield done
    finally:
        ending.set()
        thread.join()
        for one in opened:
            one.close()


def test_half_open_connections_keep_nobody_with_the_token_out(tmp_path: Path) -> None:
    """Clients with the token are answered while thousands come without it.

    With 256 descriptors for everything none runs out, and the log stays short.
    """
    with http_served(tmp_path / "home", program=FEW_DESCRIPTORS) as served:
        assert asked(served).status_code == 200
        descriptors = Path(f"/proc/{served.process.pid}/fd")
        for beginning in BEGINNINGS.values():
            with flooded(served, beginning) as done:
                count = 0
                while not done.is_set() or not count:
                    assert answered(served), beginning
                    count += 1
                    assert len([*descriptors.iterdir()]) < 200, beginning
            assert asked(served).status_code == 200, beginning
        served.process.terminate()
        assert served.process.wait(PATIENCE_S) == 0
        assert served.process.stderr is not None
        assert len(served.process.stderr.read()) < 4_000


@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS)
def test_a_connection_without_the_token_is_closed_soon(
    beginning: bytes, server: HttpServer
) -> None:
    """Whatever it has sent, and though it goes on sending, its time is over after seconds."""
    with socket.create_connection(address_of(server), PATIENCE_S) as half:
        half.sendall(beginning)
        half.settimeout(0.2)
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            try:
                # Garbage and a missing token are answered first.
                if ended(half):
                    return
            except TimeoutError:
                # A silent connection stays silent.
                with suppress(ConnectionError):
                    half.sendall(b" " if beginning else b"")
    pytest.fail("the connection is still open")


def test_a_request_with_the_token_has_to_come_whole(tmp_path: Path) -> None:
    """A connection that has shown the token is closed where the rest of a request never comes."""
    program = (sys.executable, "-c", _IMPATIENT)
    with http_served(tmp_path / "home", program=program) as served:
        head = {**ACCEPT, "Authorization": f"Bearer {served.token}", "Host": "localhost"}
        lines = [f"{name}: {value}" for name, value in head.items()]
        body = ["Content-Type: application/json", "Content-Length: 9", "", "{"]
        with socket.create_connection(address_of(served), PATIENCE_S) as half:
            half.sendall("\r\n".join(["POST /mcp HTTP/1.1", *lines, *body]).encode())
            assert ended(half)
        assert asked(served).status_code == 200


def test_who_opens_many_connections_closes_its_own(tmp_path: Path) -> None:
    """A connection from another address stays while one address opens thousands."""
    address = ("127.0.0.2", 0)
    with http_served(tmp_path / "home", program=FEW_DESCRIPTORS) as served:
        other = socket.create_connection(address_of(served), PATIENCE_S, source_address=address)
        with other:
            other.sendall(b"GET /mcp HTTP/1.1\r\n")
            for _ in range(300):
                with socket.create_connection(address_of(served), PATIENCE_S) as one:
                    one.sendall(b"GET")
            other.sendall(b"Host: localhost\r\n\r\n")
            assert other.recv(4_096).startswith(b"HTTP/1.1 401")


def test_limits_leave_half_of_the_descriptors() -> None:
    """Connections take at most half of what a process may open, those without a token an eighth.

    What is accepted in one turn of the loop is a quarter of those.
    """
    assert limits_within(1_024) == (512, 128, 32)
    assert limits_within(1 << 20) == (512, 128, 32)
    assert limits_within(256) == (128, 32, 8)


class Peer:
    """A connection that notes that it was closed."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.closed = False

    def close_now(self) -> None:
        """Note it."""
        self.closed = True


def test_the_oldest_of_the_busiest_address_goes() -> None:
    """One connection too many closes the oldest of the address with the most; who left is free."""
    connections = Connections(3)
    first, second, third, fourth, fifth = (Peer(one) for one in "abbac")
    for one in (first, second, third, fourth):
        connections.wait(one)
    assert [one.closed for one in (first, second, third, fourth)] == [True, False, False, False]
    connections.leave(second)
    connections.leave(second)
    connections.wait(fifth)
    assert [one.closed for one in (second, third, fourth, fifth)] == [False] * 4


def test_a_line_is_repeated_ten_times_a_minute() -> None:
    """One place in the code logs ten lines a minute, and then tells how many were left out."""
    now = [0.0]
    repeats = Repeats(lambda: now[0])

    def logged(line: int) -> str | None:
        record = logging.LogRecord("a", logging.WARNING, "file", line, "bad %s", ("request",), None)
        return record.getMessage() if repeats.filter(record) else None

    assert [logged(1) for _ in range(1_010)].count("bad request") == 10
    assert logged(2) == "bad request"
    now[0] = 61
    assert logged(1) == "bad request (1,000 more were left out)"
    now[0] = 122
    assert logged(1) == "bad request"
