"""What is on disk."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def holding(directory: Path, *sought: bytes) -> list[Path]:
    """The regular files below a directory that hold any of some bytes.

    Others may be at work in it: what goes away meanwhile holds nothing.
    """
    found = []
    for where, _, names in os.walk(directory):
        # Reading a pipe would wait for ever.
        for path in filter(Path.is_file, [Path(where, name) for name in names]):
            with suppress(FileNotFoundError):
                held = path.read_bytes()
                if any(one in held for one in sought):
                    found.append(path)
    return found
