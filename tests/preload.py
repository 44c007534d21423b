"""Shims that a process under test loads before the C library, to see or fail its system calls."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path


def compiled(source: Path, directory: Path) -> Path:
    """The shared library made from a C++ source, in `directory`, for `LD_PRELOAD`."""
    library = directory / f"{source.stem}.so"
    command = [
        *shlex.split(os.environ.get("CXX", "c++")),
        *("-std=c++17", "-O1", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror"),
        *("-o", str(library), str(source), "-ldl", "-lpthread"),
    ]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return library
