"""A forge in a process of its own, and a git repository."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator

import pytest

from tests.quiet_server import served_by


class LocalForge:
    """A forge on this machine."""

    def __init__(self, port: int) -> None:
        """Know where it listens."""
        self.site = f"http://127.0.0.1:{port}"

    def requests(self) -> list[dict[str, str]]:
        """What it was asked so far: `path` and `token`."""
        with urllib.request.urlopen(f"{self.site}/requests") as answer:
            told: list[dict[str, str]] = json.load(answer)
        return told


@pytest.fixture(scope="module")
def forge() -> Iterator[LocalForge]:
    """The forge, ended after the last test."""
    with served_by("tests.application.artifacts.forge_server") as port:
        yield LocalForge(port)
