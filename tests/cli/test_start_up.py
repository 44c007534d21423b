"""Start-up: a command imports only what it needs."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

MODEL = ("numpy", "tantivy", "hnswlib", "onnxruntime", "tokenizers")
LIBRARIES = (*MODEL, "rich", "httpx2", "mcp", "uvicorn", "cryptography")
HEAVY = (*LIBRARIES, "apsw", "mnemolog.memory")


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        (["--help"], (*HEAVY, "msgspec")),
        (["session", "start", "--help"], HEAVY),
        (["mcp", "http", "--help"], (*HEAVY, "mcp", "uvicorn")),
    ],
)
def test_help_imports_nothing_heavy(words: list[str], heavy: tuple[str, ...]) -> None:
    """`mnemolog --help` loads click and the table of commands, and no library below.

    A command's own help leaves the libraries alone that its work needs.
    """
    program = (
        "import sys\n"
        "from mnemolog.cli.main import mnemolog\n"
        f"mnemolog({words}, prog_name='mnemolog', standalone_mode=False)\n"
        f"sys.exit(' '.join({set(heavy)} & sys.modules.keys()) or 0)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (result.returncode, result.stderr) == (0, b"")


def test_a_home_opens_without_the_libraries_of_indexes_and_model(cli: CommandLine) -> None:
    """Opening a home and reading its log imports neither numpy nor what embeds and indexes."""
    cli("remember", "The port is 8080", "--contradictions", "off")
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from mnemolog.application.home.home import Home\n"
        f"home = Home(Path({str(cli.home)!r}), missing='refuse')\n"
        "home.present()\n"
        "home.close()\n"
        f"sys.exit(' '.join({set(LIBRARIES)} & sys.modules.keys()) or 0)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize(
    "words",
    [["list"], ["log"], ["history", "@1"], ["verify"], ["pin", "@1"], ["undo", "@1", "--quiet"]],
)
def test_a_command_without_a_cue_needs_no_arrays(cli: CommandLine, words: list[str]) -> None:
    """Looking at a ledger imports neither numpy nor what embeds, indexes and serves."""
    cli("remember", "The port is 8080", "--contradictions", "off")
    program = (
        "import sys\n"
        "from mnemolog.cli.main import mnemolog\n"
        f"words = ['--home', {str(cli.home)!r}, *{words}]\n"
        "mnemolog(words, prog_name='mnemolog', standalone_mode=False)\n"
        f"sys.exit(' '.join({set(LIBRARIES)} & sys.modules.keys()) or 0)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (result.returncode, result.stderr) == (0, b"")
