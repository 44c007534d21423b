"""The command line, as `python -m cli` starts it."""

from __future__ import annotations

from cli.main import main

main()
