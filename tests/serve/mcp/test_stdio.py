"""The server as an agent client starts it: a process, and nothing but the protocol between."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mnemolog import Memory
from tests.serve.mcp.clients import ENVIRONMENT, PATIENCE_S, PROGRAM

VERSION = "2025-06-18"


class Raw:
    """A client that writes lines, and reads them."""

    def __init__(self, home: Path, *before: str) -> None:
        """Start a server, by a command that stands before it if there is one, and begin."""
        self.process = subprocess.Popen(
            [*before, PROGRAM, "--home", str(home), "mcp"],
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        info = {"name": "raw\nclient", "version": "1"}
        given = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": info}
        self.answer("initialize", given)
        self.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode())

    def write(self, line: bytes) -> None:
        """Send one line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, params: dict[str, object], number: int = 1) -> None:
        """Send a request."""
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.write(json.dumps(request).encode())

    def answer(self, method: str, params: dict[str, object]) -> dict[str, object]:
        """The answer to a request."""
        self.send(method, params)
        return self.read()

    def read(self) -> dict[str, object]:
        """The next line, which is to be a message of the protocol."""
        assert self.process.stdout is not None
        message = json.loads(self.process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        return message

    def hang_up(self) -> None:
        """Close both ends at once, as the death of a client does."""
        for pipe in (self.process.stdout, self.process.stdin):
            assert pipe is not None
            pipe.close()

    def ended(self) -> tuple[int, bytes, bytes]:
        """The exit code of the server, and what was left on standard output and error."""
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, err


def call(tool: str, **arguments: object) -> dict[str, object]:
    return {"name": tool, "arguments": arguments}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home of the test's own."""
    return tmp_path / "home"


@contextmanager
def raw(home: Path, *before: str) -> Iterator[Raw]:
    """A client, whose server is gone at the end."""
    client = Raw(home, *before)
    with client.process:
        try:
            yield client
        finally:
            client.process.kill()


@pytest.mark.parametrize("how", ["end of input", "SIGTERM", "SIGINT", "SIGHUP"])
def test_it_ends_cleanly_and_writes_what_was_used(home: Path, how: str) -> None:
    """The end of input and signals end it with 0; uses that were waiting are in the log."""
    with raw(home) as client:
        client.answer("tools/call", call("remember", content="The tea is in the tin"))
        client.answer("tools/call", call("context", prompt="where is the tea?"))
        if how != "end of input":
            client.process.send_signal(getattr(signal, how))
        assert client.ended() == (0, b"", b"")
    with Memory.open(home) as memory:
        events = [*memory.log.events()]
    assert [event.kind for event in events] == ["remembered", "recalled"]
    assert {event.actor for event in events} == {"agent:raw client"}
    assert len({event.correlation_id for event in events}) == 1


def test_a_hangup_that_is_ignored_ends_nothing(home: Path) -> None:
    """A server that was told to outlive its terminal, as `nohup` does, goes on after a hangup."""
    with raw(home, "nohup") as client:
        client.process.send_signal(signal.SIGHUP)
        assert "result" in client.answer("tools/call", call("remember", content="Still here"))


def test_a_client_that_reads_no_more_ends_it(home: Path) -> None:
    """Who closes the server's output has gone, though its input is open; nothing is printed."""
    with raw(home) as client:
        assert client.process.stdout is not None
        client.process.stdout.close()
        assert client.process.wait(PATIENCE_S) == 0
        assert client.process.stderr is not None
        assert client.process.stderr.read() == b""


def test_a_client_that_is_killed_ends_it(home: Path) -> None:
    """The answer to what was asked has nobody to go to, which is no error."""
    with raw(home) as client:
        client.send("tools/call", call("remember", content="The tea is in the tin"))
        client.hang_up()
        assert client.process.wait(PATIENCE_S) == 0
        assert client.process.stderr is not None
        assert client.process.stderr.read() == b""


def test_a_socket_that_is_reset_ends_it(home: Path) -> None:
    """Node gives servers a socket; one whose client was killed with an answer unread is reset."""
    ours, its = socket.socketpair()
    with (
        ours,
        subprocess.Popen(
            [PROGRAM, "--home", str(home), "mcp"],
            env=ENVIRONMENT,
            stdin=its,
            stdout=its,
            stderr=subprocess.PIPE,
        ) as server,
    ):
        its.close()
        for number in range(2):
            ours.sendall(json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"}).encode())
            ours.sendall(b"\n")
        assert ours.recv(1)
        ours.close()
        assert server.wait(PATIENCE_S) == 0
        assert server.stderr is not None
        assert server.stderr.read() == b""


def test_nothing_but_the_protocol_is_on_standard_output(home: Path) -> None:
    """Every line there is a message, whatever comes in; what is not understood ends nothing."""
    with raw(home) as client:
        for line in (b"", b"no json", b"\xff\xfe", b"[]", b'{"jsonrpc":"2.0"}', b"{" * 9_999):
            client.write(line)
        client.write(b" " * (1 << 21))
        client.send("tools/call", call("recall", cue="tea"), 7)
        answers = [client.read()]
        while answers[-1].get("id") != 7:
            answers.append(client.read())
        assert "result" in answers[-1]
        code, out, _ = client.ended()
    assert (code, out) == (0, b"")


@pytest.fixture(scope="module")
def misread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Raw]:
    """A client of a server that goes on after each request that it cannot read."""
    with raw(tmp_path_factory.mktemp("misread") / "home") as client:
        yield client


@pytest.mark.parametrize(
    "wrong", [r'"half a \ud83d"', "[" * 300 + "]" * 300, "[" * 3000 + "]" * 3000, "1" * 5000]
)
def test_a_request_that_cannot_be_read_is_answered(misread: Raw, wrong: str) -> None:
    """Its client is told, and does not wait; what it said is not repeated."""
    head = '{"jsonrpc":"2.0","id":"a-7","method":"tools/call","params":{"name":"remember"'
    misread.write(f'{head},"arguments":{{"content":{wrong}}}}}}}'.encode())
    answer = misread.read()
    assert answer["id"] == "a-7"
    assert answer["error"]["message"].startswith("InvalidField: request: Invalid JSON: ")
    assert "half" not in answer["error"]["message"]
    for number in ("true", "null", r'"\ud83d"', "1.5", '{"a": 1}'):
        misread.write(f'{{"id":{number},"method":"ping","params":{{"a":{wrong}}}}}'.encode())
    assert "result" in misread.answer("tools/call", call("remember", content="Still here"))


def test_a_long_message_arrives_whole(home: Path) -> None:
    """A memory of a megabyte is stored as it is: more than any pipe holds at once."""
    text = "tea " * ((1 << 20) // 4 - 1)
    with raw(home) as client:
        stored = client.answer("tools/call", call("remember", content=text))
        assert "result" in stored
    with Memory.open(home) as memory:
        assert memory.list()[0].content == text


def test_what_was_acknowledged_outlives_a_kill(home: Path) -> None:
    """A server killed in the middle of writing has lost nothing that it had confirmed.

    Another one goes on with the home.
    """
    with raw(home) as client:
        for number in range(40):
            client.send("tools/call", call("remember", content=f"Note {number} of the day"), number)
        told = [client.read() for _ in range(15)]
        client.process.kill()
    confirmed = {
        answer["result"]["structuredContent"]["memory_id"] for answer in told if "result" in answer
    }
    assert len(confirmed) == 15
    with raw(home) as client:
        again = client.answer("tools/call", call("remember", content="After the fall"))
        assert again["result"]["structuredContent"]["position"]
    with Memory.open(home) as memory:
        assert confirmed <= {item.memory_id for item in memory.list(limit=100)}
        memory.log.verify()
