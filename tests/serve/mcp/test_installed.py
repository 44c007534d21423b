"""What `mnemolog mcp install` writes, started as clients start it."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import Implementation

from mnemolog import Memory, default_home
from mnemolog.serve.install import agent_clients, file_of
from mnemolog.serve.mcp.tools import DEFAULT
from tests.serve.mcp.clients import PATIENCE_S, PROGRAM, ROOT, connected


def installed(client: str, *options: str) -> list[str]:
    """The command of the entry that a client's settings hold, once it is written."""
    done = subprocess.run(
        [PROGRAM, "mcp", "install", client, *options],
        check=False,
        capture_output=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    form = agent_clients()[client].form
    text = file_of(client, None).read_text(encoding="utf-8")
    said = (json if form.syntax == "json" else tomllib).loads(text)
    entry = said[form.section]["mnemolog"]
    return [entry["command"], *entry["args"]]


@pytest.mark.parametrize("client", ["cursor", "codex"])
@pytest.mark.parametrize("where", ["as it is", "elsewhere"])
def test_the_command_of_an_entry_starts_a_server(
    user: Path, monkeypatch: pytest.MonkeyPatch, portal: BlockingPortal, client: str, where: str
) -> None:
    """A client that runs just that, in another directory, is answered from the right space."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    home, space, tools = default_home(), "default", DEFAULT
    command = installed(client)
    if where == "elsewhere":
        home, space, tools = user / "project" / "my home", "büro 1", ("recall", "history")
        options = ("--home", "my home", "--space", space, "--tools", "history,recall")
        command = installed(client, *options, "--replace")
    with Memory.open(home, space, actor="user:dana") as memory:
        memory.remember("The tea is in the tin")
    (user / "elsewhere").mkdir()
    server = StdioServerParameters(
        command=command[0],
        args=command[1:],
        env={"HOME": str(user), "PYTHONPATH": str(ROOT)},
        cwd=user / "elsewhere",
    )
    info = Implementation(name="tester", version="1")
    with connected(portal, Client(server, mode="legacy", client_info=info)) as opened:
        begun = opened.client.server_info
        assert begun is not None
        assert begun.name == "mnemolog"
        offers = opened.portal.call(opened.client.list_tools).tools
        assert tuple(tool.name for tool in offers) == tools
        (hit,) = opened.call("recall", cue="where is the tea?")["hits"]
        assert hit["content"] == "The tea is in the tin"
