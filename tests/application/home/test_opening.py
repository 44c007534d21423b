"""Opening a home: which directory is meant, and whether it is created."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from mnemolog import InvalidField, Memory, MissingHome, replay
from mnemolog.application.home.home import LEDGER, Home
from tests.homes import open_home


@pytest.mark.parametrize("there", [False, True], ids=["absent", "empty"])
def test_a_home_that_is_only_asked_is_not_created(
    tmp_path: Path,
    there: bool,  # noqa: FBT001 - a parameter
) -> None:
    """With `missing="refuse"` an absent or empty directory is an error that names it."""
    home = tmp_path / "home"
    if there:
        home.mkdir()
    for read in (lambda: Memory.open(home, missing="refuse"), lambda: next(replay(home))):
        with pytest.raises(MissingHome) as raised:
            read()
        assert raised.value.path == home
    assert list(tmp_path.rglob("*")) == ([home] if there else [])
    Memory.open(home).close()
    Memory.open(home, missing="refuse").close()


def test_what_becomes_of_a_missing_home_is_create_or_refuse(tmp_path: Path) -> None:
    """Another word is refused before anything is created."""
    with pytest.raises(InvalidField, match="use create or refuse"):
        Memory.open(tmp_path / "home", missing="ignore")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", " "], ids=["empty", "blank"])
def test_an_empty_name_is_no_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """It would else be the working directory, whichever that is."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidField) as raised:
        Memory.open(name)
    assert raised.value.field == "home"
    assert list(tmp_path.iterdir()) == []


class _NamelessModel:
    """A model that fails when it is asked for its name."""

    dimensions = 4

    @property
    def name(self) -> str:
        raise RuntimeError("it has no name")

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.zeros((len(texts), 4), np.float32)


def _open_files(home: Path) -> list[Path]:
    links = Path("/proc/self/fd").iterdir()
    targets = [link.readlink() for link in links if link.is_symlink()]
    return [target for target in targets if target.is_relative_to(home)]


def test_an_opening_that_fails_leaves_nothing_open(tmp_path: Path) -> None:
    """Whatever fails behind the opening of the log, its files and its lock are let go."""
    open_home(tmp_path).close()
    with pytest.raises(RuntimeError, match="no name"):
        Home(tmp_path, embedder=_NamelessModel())
    assert _open_files(tmp_path) == []
    home = Home(tmp_path)
    assert tmp_path / LEDGER in _open_files(tmp_path)
    home.close()


def test_an_index_that_cannot_be_listed_keeps_no_home_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a base that a killed process had begun, the opening looks there, and tells of it."""
    with open_home(tmp_path) as memory:
        memory.remember("tea")
        memory.upkeep.rebuild()
    (tmp_path / "index-0a0b0c0d.partial").mkdir()
    (folder,) = (path for path in (tmp_path / "indexes").iterdir() if path.is_dir())
    listed = Path.iterdir

    def refused(path: Path) -> Iterator[Path]:
        if path == folder:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return iter(listed(path))

    monkeypatch.setattr(Path, "iterdir", refused)
    with open_home(tmp_path) as memory:
        (notice,) = memory.notices
        assert notice.startswith(f"left over, and cannot be removed: {folder}: Permission denied")
        assert [item.content for item in memory.list()] == ["tea"]
