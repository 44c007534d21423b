"""Hostile arguments: what the limits let through costs seconds of a processor, not minutes."""

from __future__ import annotations

from pathlib import Path

from anyio.from_thread import BlockingPortal
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.serve.mcp.clients import ENVIRONMENT, PROGRAM, connected

CPU_S = 100
# The bound is on the processor; how long that takes is up to what else the machine does.
PATIENCE_S = 600
FACT = "Dana is allergic to nuts and never pays more than 5 EUR. "
CORRECTION = "Actually, Dana's tea is not green but black. "
CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("remember", {"content": FACT * 18_000}),
    ("remember", {"content": CORRECTION * 22_000}),
    ("recall", {"cue": FACT * 1_700, "limit": 100, "explain": True}),
    ("recall", {"cue": "who " * 25_000}),
    ("recall", {"cue": "how " * 25_000}),
    ("context", {"prompt": CORRECTION * 2_200, "task": FACT * 17_000}),
    ("recall_session_start", {"query": FACT * 1_700, "entity": "Dana " * 200}),
    ("plan", {"goal": FACT * 1_700, "options": [FACT * 17] * 50, "limit": 100}),
    ("supersede", {"old": "@1", "content": CORRECTION * 22_000}),
)


def test_no_call_takes_minutes_of_a_processor(tmp_path: Path, portal: BlockingPortal) -> None:
    """As much as the limits allow is carried out, all of it within 100 seconds of CPU.

    The system ends the server that uses more.
    """
    bounded = f'ulimit -t {CPU_S} && exec "$0" "$@"'
    words = ["-c", bounded, str(PROGRAM), "mcp", "--home", str(tmp_path / "home")]
    server = StdioServerParameters(command="sh", args=[*words, "--tools", "all"], env=ENVIRONMENT)
    with connected(portal, Client(server), PATIENCE_S) as client:
        for number in range(3):
            client.call("remember", content=f"Trip {number}: {FACT * 1_000}")
            client.call("remember", content=f"The budget of trip {number} is at most 900 EUR")
        for tool, arguments in CALLS:
            client.call(tool, **arguments)
