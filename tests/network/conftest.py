"""A user who has nothing yet, and programs whose lookups, connections and writes are recorded."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.preload import compiled

PROGRAM = Path(sys.executable).with_name("mnemolog")
ROOT = Path(__file__).parents[2]
_OWN = ("MNEMOLOG_", "XDG_", "ORT_", "LD_")


class Seen(NamedTuple):
    """What a program did, by a call's name: the names, addresses or paths that it gave."""

    call: str
    subject: str


class User:
    """A user with an empty home directory, cache and directory for temporary files."""

    def __init__(self, directory: Path, recorder: Path) -> None:
        self.directory = directory
        self.home = directory / "home" / ".local" / "share" / "mnemolog"
        self.work = directory / "work"
        self.temporary = directory / "temporary"
        self._record = directory / "record"
        places = {
            "HOME": directory / "home",
            "XDG_CACHE_HOME": directory / "cache",
            "XDG_CONFIG_HOME": directory / "config",
            "XDG_STATE_HOME": directory / "state",
            "TMPDIR": self.temporary,
        }
        self._places = (*places.values(), self.work)
        for place in self._places:
            place.mkdir()
        self.environment = {
            **{name: text for name, text in os.environ.items() if not name.startswith(_OWN)},
            **{name: str(place) for name, place in places.items()},
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "LD_PRELOAD": str(recorder),
            "MNEMOLOG_RECORD": str(self._record),
        }

    def seen(self) -> list[Seen]:
        """Everything that was recorded until now."""
        if not self._record.exists():
            return []
        lines = self._record.read_text(errors="replace").splitlines()
        return [Seen(*line.split("\t", 1)) for line in lines]

    def files(self) -> list[Path]:
        """The files that this user has outside the home of the memory."""
        return [
            found
            for place in self._places
            for found in place.rglob("*")
            if not found.is_dir() and self.home not in found.parents
        ]


@pytest.fixture(scope="session")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that records, for `LD_PRELOAD`."""
    return compiled(Path(__file__).with_name("recorder.cpp"), tmp_path_factory.mktemp("recorder"))


@pytest.fixture
def user(tmp_path: Path, recorder: Path) -> User:
    """A user who has nothing yet."""
    return User(tmp_path, recorder)
