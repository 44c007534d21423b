"""Command line by which a client starts the server, independent of the client's environment."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from mnemolog import default_home
from mnemolog.ledger.errors import InvalidField
from mnemolog.policies.memories import checked_space
from mnemolog.serve.mcp.tools import tools_of

_SCRIPT = "mnemolog"
_REPLACED = re.compile(r"\$[{\w]|\{(?:env|file):")
"""What one client or another takes for a variable."""


def server_command(home: Path | None, space: str, tools: str | None) -> list[str]:
    """Command and arguments that start the server over standard streams.

    A client passes on few environment variables and lets none be chosen, so their values
    are written as options. Raises `InvalidField` for a value that a client would not pass
    on unchanged, and for unknown tools.
    """
    options: dict[str, str] = {}
    if home is not None or "XDG_DATA_HOME" in os.environ:
        options["--home"] = str((default_home() if home is None else home).absolute())
    if checked_space(space) != "default":
        options["--space"] = space
    if tools is not None:
        # A server with an unknown tool does not start, and few clients show the reason.
        tools_of(tools)
        options["--tools"] = tools
    for option, value in options.items():
        _check(option.removeprefix("--"), value)
    return [*_program(), "mcp", "stdio", *(word for pair in options.items() for word in pair)]


def _program() -> list[str]:
    """Command and arguments that start the running mnemolog, with absolute paths."""
    called = shutil.which(sys.argv[0])
    beside = Path(sys.executable).with_name(_SCRIPT)
    if called is not None and Path(called).name == _SCRIPT:
        words = [str(Path(called).absolute())]
    elif beside.is_file():
        words = [str(beside)]
    else:
        words = [sys.executable, "-m", "mnemolog"]
    _check("command", words[0])
    return words


def _check(field: str, value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidField(field, f"{value!a} is no text", "give a name in UTF-8") from error
    if _REPLACED.search(value):
        raise InvalidField(
            field, f"{value!r} reads like a variable, which clients replace", "give another name"
        )
