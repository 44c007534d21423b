"""All benchmarks that need no data, one after another: `python -m benchmarks`.

    python -m benchmarks [--work DIR] [--quality PATH...]

Each runs in a process of its own, so that none finds another's caches.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from benchmarks.report import workplace

PROGRAMS = (
    "appending",
    "verifying",
    "recalling",
    "loading",
    "walking",
    "forgetting",
    "starting",
    "mcp",
    "voting",
    "a_year",
)


def main() -> None:
    """Run them and print one Markdown report a program; fail if one fails."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Run the benchmarks.")
    parser.add_argument("--work", type=Path, help="where files are kept for the next run")
    parser.add_argument(
        "--quality", metavar="PATH", nargs="+", type=Path, help="labelled sets to measure as well"
    )
    given = parser.parse_args()
    with workplace(given.work) as work:
        commands = [[program] for program in PROGRAMS]
        if given.quality:
            commands.append(["quality", *map(str, given.quality)])
        for program, *paths in commands:
            module = f"benchmarks.{program}"
            subprocess.run([sys.executable, "-m", module, "--work", str(work), *paths], check=True)
            print(flush=True)


if __name__ == "__main__":
    main()
