"""No network: nothing is looked up, connected to, or written outside the home."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.model_server import ServedModels
from tests.network.conftest import PROGRAM, Seen, User
from tests.serve.mcp.clients import connected, http_served, over_http

PATIENCE_S = 120
_WRITES = ("open", "mkdir", "rename", "link")
_LIBRARY = """
import sys, time
from mnemolog import Memory

with Memory.open(actor="user:dana") as memory:
    memory.remember("Dana prefers green tea", source="user:dana")
    memory.remember("Dana is allergic to peanuts", tags=("health",))
    assert memory.recall("what does Dana like to drink?").hits
    memory.plan("choose a snack", ["peanut bar", "apple"])
    memory.context("What should Dana eat?", budget=500)
    memory.ask("What does Dana like to drink?")
    session = memory.sessions.start("tea")
    memory.sessions.vote(session.session_id, {session.memories[0].memory_id: "hot"})
    # Telemetry would begin to send within seconds.
    time.sleep(float(sys.argv[1]))
"""
_CONTROL = """
import socket, os, sys
try:
    socket.getaddrinfo("mnemolog.invalid", 443)
except OSError:
    pass
with socket.socket() as one:
    one.connect_ex(("127.0.0.1", 9))
with open(sys.argv[1], "w") as file:
    file.write("x")
os.mkdir(sys.argv[1] + ".d")
os.rename(sys.argv[1], sys.argv[1] + ".e")
"""


def ran(user: User, *words: str, given: str = "") -> str:
    """What a program printed, run as the user."""
    done = subprocess.run(
        words,
        env=user.environment,
        cwd=user.work,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def mnemolog(user: User, *words: str, given: str = "") -> str:
    """What a command printed, run as the user."""
    return ran(user, str(PROGRAM), *words, given=given)


def unexpected(user: User, *more: Path) -> list[Seen]:
    """What was recorded but writes to the home, to devices and below other places."""
    home = user.home
    places = tuple(map(str, (f"{home}/", "/dev/null", "/dev/tty", *more)))
    # Making a place makes the directories above it.
    above = {str(one) for place in (home, *more) for one in (place, *place.parents)}

    def expected(one: Seen) -> bool:
        return one.call in _WRITES and (
            one.subject.startswith(places) or (one.call == "mkdir" and one.subject in above)
        )

    return [one for one in user.seen() if not expected(one)]


def test_the_recorder_sees_what_it_is_to_see(user: User) -> None:
    """A lookup, a connection, a file, a directory and a renaming are all recorded."""
    file = user.work / "file"
    ran(user, sys.executable, "-c", _CONTROL, str(file))
    assert {
        Seen("lookup", "mnemolog.invalid"),
        Seen("socket", "AF_INET"),
        Seen("connect", "127.0.0.1"),
        Seen("open", str(file)),
        Seen("mkdir", f"{file}.d"),
        Seen("rename", f"{file}.e"),
    } <= {*unexpected(user)}


def test_the_library_stays_within_its_home(user: User) -> None:
    """A program that stores, recalls, plans and checks uses no network and no other file.

    It lives on for a while, as telemetry is sent in the background.
    """
    ran(user, sys.executable, "-c", _LIBRARY, "5")
    assert unexpected(user) == []
    assert user.files() == []
    assert (user.home / "vectors.db").exists()


def test_telemetry_is_off_whatever_the_variable_says(user: User) -> None:
    """A variable that allows onnxruntime to report is set to forbid it."""
    user.environment["ORT_DISABLE_TELEMETRY"] = "0"
    ran(user, sys.executable, "-c", _LIBRARY, "0")
    assert unexpected(user) == []
    assert user.files() == []


def test_telemetry_that_the_program_began_is_told(user: User) -> None:
    """Where the program has loaded onnxruntime itself, a warning names the variable to set."""
    embed = "from mnemolog.indexes.embedder import MiniLM; MiniLM().embed(['tea'])"
    tell = "import logging; logging.basicConfig(); "
    for first, told in (("", False), ("import onnxruntime; ", True)):
        done = subprocess.run(
            [sys.executable, "-c", f"{tell}{first}{embed}"],
            env=user.environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE_S,
        )
        assert ("set ORT_DISABLE_TELEMETRY=1" in done.stderr) is told


def test_the_command_line_stays_within_its_home(user: User) -> None:
    """Commands use no network, and no file outside the home but those that they are named."""
    mnemolog(user, "remember", "Dana prefers green tea", "--source", "user:dana")
    assert "green tea" in mnemolog(user, "recall", "what does Dana like to drink?")
    mnemolog(user, "ask", "What does Dana like to drink?")
    mnemolog(user, "context", "What should we pour for Dana?")
    mnemolog(user, "plan", "pour a drink", "--option", "green tea")
    mnemolog(user, "maintain", "--dry-run")
    mnemolog(user, "verify")
    assert unexpected(user) == []
    assert user.files() == []
    backup = user.work / "backup.db"
    mnemolog(user, "backup", str(backup))
    assert unexpected(user, backup) == []
    assert user.files() == [backup]


def test_a_named_judge_is_the_only_connection(user: User, models: ServedModels) -> None:
    """A model that a setting names is connected to where something is stored, not where asked."""
    mnemolog(user, "config", "judge", models.setting("right:network"))
    mnemolog(user, "remember", "Ben is crazy about his motorbike")
    mnemolog(user, "recall", "what does Ben ride?")
    mnemolog(user, "maintain")
    assert unexpected(user) == []
    mnemolog(user, "remember", "Ben sold the bike in May")
    assert len(models.requests("right:network")) == 1
    calls = ("lookup", "socket", "connect")
    assert [one.call for one in unexpected(user)] == [*calls]
    assert {one.subject for one in unexpected(user)} == {"127.0.0.1", "AF_INET"}
    assert user.files() == []


def test_what_needs_room_for_a_moment_takes_the_temporary_directory(user: User) -> None:
    """`doctor`, `export` and `counterfactual` use `TMPDIR` as well, and leave it empty."""
    mnemolog(user, "remember", "Dana prefers green tea", "--source", "user:dana")
    mnemolog(user, "doctor")
    mnemolog(user, "counterfactual", "forgetting_speed=2")
    export = user.work / "events.jsonl"
    mnemolog(user, "export", str(export))
    assert unexpected(user, user.temporary, export) == []
    assert user.files() == [export]


def test_the_prompt_hook_stays_within_its_home(user: User) -> None:
    """The hook answers a prompt without network and without a file outside the home."""
    mnemolog(user, "remember", "Dana prefers green tea", "--source", "user:dana")
    prompt = json.dumps({"prompt": "What does Dana like to drink?", "session_id": "one"})
    assert "green tea" in mnemolog(user, "hook", "--limit-ms", "60000", given=prompt)
    assert unexpected(user) == []
    assert user.files() == []


def test_the_server_over_stdio_stays_within_its_home(user: User, portal: BlockingPortal) -> None:
    """A server that a client starts makes no socket and no file outside the home."""
    server = StdioServerParameters(
        command=str(PROGRAM), args=["mcp", "--tools", "all"], env=user.environment
    )
    with connected(portal, Client(server)) as client:
        client.call("remember", content="Dana prefers green tea")
        assert client.call("recall", cue="what does Dana like to drink?")["hits"]
        client.call("context", prompt="What should we pour for Dana?")
        client.call("plan", goal="pour a drink", options=["green tea", "coffee"])
    assert unexpected(user) == []
    assert user.files() == []


def test_the_server_over_http_only_listens(user: User, portal: BlockingPortal) -> None:
    """A server over HTTP makes the socket that it listens on, and connects to nothing.

    The address is looked up as the number that it is.
    """
    with http_served(user.home, environment=user.environment) as served:
        with connected(portal, over_http(served)) as client:
            client.call("remember", content="Dana prefers green tea")
            assert client.call("recall", cue="what does Dana like to drink?")["hits"]
        assert unexpected(user) == [Seen("lookup", "127.0.0.1"), Seen("socket", "AF_INET")]
    assert user.files() == []


@pytest.fixture(scope="module")
def portal() -> BlockingPortal:
    """The loop of all clients."""
    from anyio.from_thread import start_blocking_portal

    with start_blocking_portal() as opened:
        yield opened
