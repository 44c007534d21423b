"""Picture of a terminal session: runs real commands and draws what they print.

`make picture` writes docs/assets/session.svg, which the README shows.
"""

from __future__ import annotations

import io
import os
import pty
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

# rich keeps the template in a private module, and no other way to leave out its web fonts.
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

WIDTH = 84
PICTURE = Path(__file__).parent / "assets" / "session.svg"
COMMANDS = (
    'mnemolog remember "Dana drinks green tea" --source user:dana',
    'mnemolog supersede @1 "Dana drinks black coffee" --reason "she said so"',
    "mnemolog recall what does Dana drink",
    "mnemolog recall what does Dana drink --as-of 1",
    'mnemolog remember "Dana is allergic to peanuts"',
    'mnemolog plan lunch for Dana --option "Chicken satay" --option "Mushroom risotto"',
    "mnemolog verify --quiet",
)


def main() -> None:
    """Draw the session anew."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as home:
        for command in COMMANDS:
            console.print(Text.assemble(("$ ", "green"), (command, "bold")))
            console.print(Text.from_ansi(printed(command, home)))
    template = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    PICTURE.write_text(console.export_svg(title="mnemolog", code_format=template), "utf-8")


def printed(command: str, home: str) -> str:
    """Output of a command in a terminal, with its colours."""
    ours, its = pty.openpty()
    variables = {"MNEMOLOG_HOME": home, "MNEMOLOG_ACTOR": "user:dana", "COLUMNS": str(WIDTH)}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(  # noqa: S603 - the commands above
        shlex.split(command),
        env=os.environ | variables | {"PATH": path, "TERM": "xterm-256color"},
        stdout=its,
        stderr=its,
        check=True,
    )
    os.close(its)
    with os.fdopen(ours, "rb") as terminal:
        return read_all(terminal.fileno()).decode().replace("\r\n", "\n")


def read_all(terminal: int) -> bytes:
    """Bytes that wait in a terminal whose other end is closed."""
    chunks = []
    while True:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is closed
            return b"".join(chunks)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)


if __name__ == "__main__":
    main()
