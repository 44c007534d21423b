"""What the MCP server adds: tokens to a model's context, and time to a call of the library.

    python -m benchmarks.mcp [--work DIR] [--json] [--memories N]

The same home is asked by the library in this process, over stdio and over HTTP, in turns. The
servers are processes of their own, the client is the protocol's own kit.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from benchmarks.report import (
    Figure,
    Report,
    Spell,
    arguments,
    conditions,
    interleaved,
    milliseconds,
    percentile,
    ratio,
    show,
    spell,
    wall_s,
    workplace,
)
from benchmarks.talk import TALK_TEXTS, Language
from mnemolog import Durability, Memory, NewMemory
from mnemolog.indexes.embedder import WordPieces
from mnemolog.serve.mcp.http import TOKEN
from mnemolog.serve.mcp.tools import Tool, tools_named

LIMITS = (
    "what a model makes of the tools; the tokens of a particular model, most of which count "
    "brackets and quotes for less; several clients at once; a network; a machine with nothing "
    "else to do."
)
ROOT = Path(__file__).parents[1]
PROGRAM = Path(sys.executable).with_name("mnemolog")
_ROUNDS = 12
_CALLS = 15

Call = Callable[[str, dict[str, object]], object]


def built(work: Path, memories: int) -> Path:
    """A home with so many memories of a made-up talk, embedded by the built-in model."""
    home = work / f"mcp-{memories}"
    if (home / "complete").exists():
        return home
    shutil.rmtree(home, ignore_errors=True)
    language = Language()
    durability = Durability.MAY_LOSE_LAST_MOMENTS
    for number in range(max(1, memories // TALK_TEXTS)):
        with Memory.open(home, run=f"talk-{number}", durability=durability) as memory:
            memory.remember_many(
                (NewMemory(said.text, source=said.source) for said in language.talk(number)),
                contradictions="off",
            )
    with Memory.open(home) as memory:
        memory.upkeep.index()
    (home / "complete").touch()
    return home


def tokens(tools: Sequence[Tool]) -> tuple[int, int]:
    """What tools take in a model's context, and what their output schemas take in a client."""
    size = WordPieces().count
    shown = (f"{tool.name} {tool.description} {json.dumps(tool.given)}" for tool in tools)
    return sum(map(size, shown)), sum(size(json.dumps(tool.gives)) for tool in tools)


def environment() -> dict[str, str]:
    """The variables of a server: this code, and no settings of who runs the benchmark."""
    ours = {name: text for name, text in os.environ.items() if not name.startswith("MNEMOLOG_")}
    return {**ours, "PYTHONPATH": str(ROOT)}


@contextmanager
def over_stdio(portal: BlockingPortal, home: Path) -> Iterator[Call]:
    """Calls to a server that the client starts."""
    server = StdioServerParameters(
        command=str(PROGRAM), args=["mcp", "--home", str(home)], env=environment()
    )
    with portal.wrap_async_context_manager(Client(server)) as client:
        yield _checked(portal, client)


@contextmanager
def over_http(portal: BlockingPortal, home: Path) -> Iterator[Call]:
    """Calls to a server that is there."""
    with ExitStack() as opened:
        process = opened.enter_context(
            subprocess.Popen(
                [PROGRAM, "mcp", "http", "--home", str(home), "--port", "0"],
                env=environment(),
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        opened.callback(process.terminate)
        if process.stderr is None:
            raise BrokenPipeError
        url = next(line for line in process.stderr if "serving" in line).split(" at ")[1].strip()
        token = (home / TOKEN).read_text().strip()
        http = opened.enter_context(
            portal.wrap_async_context_manager(
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"})
            )
        )
        client = opened.enter_context(
            portal.wrap_async_context_manager(Client(streamable_http_client(url, http_client=http)))
        )
        yield _checked(portal, client)


def _checked(portal: BlockingPortal, client: Client) -> Call:
    """The calls of a client; one that fails is no call to be timed."""

    def call(tool: str, given: dict[str, object]) -> object:
        result = portal.call(client.call_tool, tool, given)
        if result.is_error:
            raise RuntimeError(str(result.content))
        return result

    return call


def in_process(memory: Memory) -> Call:
    """The same calls to the library."""

    def call(tool: str, given: dict[str, object]) -> object:
        if tool == "recall":
            return memory.recall(str(given["cue"]))
        return memory.remember(str(given["content"]))

    return call


def timed(call: Call, tool: str, argument: str, texts: Iterator[str]) -> list[Spell]:
    """How long each of some calls took, no text being met twice."""
    return [spell(partial(call, tool, {argument: next(texts)})) for _ in range(_CALLS)]


def measured(home: Path) -> dict[str, list[Spell]]:
    """Recalls and remembers, by way."""
    language = Language(seed=2)
    talks = (said.text for number in count() for said in language.talk(number))
    with ExitStack() as opened:
        portal = opened.enter_context(start_blocking_portal())
        calls = {
            "library": in_process(opened.enter_context(Memory.open(home, actor="agent:bench"))),
            "stdio": opened.enter_context(over_stdio(portal, home)),
            "HTTP": opened.enter_context(over_http(portal, home)),
        }
        return interleaved(
            _ROUNDS,
            {
                f"{tool}, {way}": partial(timed, call, tool, argument, talks)
                for tool, argument in (("recall", "cue"), ("remember", "content"))
                for way, call in calls.items()
            },
        )


def started(home: Path) -> list[Spell]:
    """How long a client waits from starting a server to its first answer."""

    def begin() -> None:
        with start_blocking_portal() as portal, over_stdio(portal, home) as call:
            call("recall", {"cue": "tea"})

    return interleaved(3, {"start": lambda: [spell(begin)]})["start"]


def figures(home: Path) -> list[Figure]:
    """Tokens, then times: each way beside the library."""
    found = []
    for name, names in (("default", ()), ("all", ("all",))):
        tools = tools_named(names)
        shown, gives = tokens(tools)
        found.append(
            Figure(
                f"{name} tools ({len(tools)}), tokens in a context",
                f"{shown:,}",
                f"output schemas {gives:,}",
            )
        )
    spells = measured(home)
    for tool in ("recall", "remember"):
        library = spells[f"{tool}, library"]
        for way in ("library", "stdio", "HTTP"):
            these = spells[f"{tool}, {way}"]
            late = 1000 * percentile([one.wall_s for one in these], 0.95)
            added = 1000 * (wall_s(these) - wall_s(library))
            beside = (
                "" if way == "library" else f"{ratio(these, library):.2f} times; +{added:.1f} ms"
            )
            # By the clock alone: the work of a server is not seen from here.
            took = f"{1000 * wall_s(these):.2f} ms, p95 {late:.1f}"
            found.append(Figure(f"{tool}, {way}", took, beside))
    return [*found, Figure("start, first recall and end, stdio", milliseconds(started(home)))]


def measure(work: Path, memories: int) -> Report:
    """The report."""
    home = built(work, memories)
    title = f"The MCP server over {memories:,} memories"
    return Report(title, LIMITS, conditions(work), figures(home))


def main() -> None:
    """Measure, and print the report."""
    parser = arguments("Measure what the MCP server adds to the library.")
    parser.add_argument("--memories", type=int, default=2_000)
    given = parser.parse_args()
    with workplace(given.work) as work:
        show(measure(work, given.memories), as_json=given.json)


if __name__ == "__main__":
    main()
