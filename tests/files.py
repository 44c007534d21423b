"""What is on disk."""

from __future__ import annotations

from pathlib import Path


def holding(directory: Path, *sought: bytes) -> list[Path]:
    """The files below a directory that hold any of some bytes.

    Others may be at work in it: a file that goes away meanwhile holds nothing.
    """
    found = []
    for path in sorted(directory.rglob("*")):
        held = _bytes_of(path)
        if any(one in held for one in sought):
            found.append(path)
    return found


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        return b""
