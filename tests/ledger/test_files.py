"""Files are written whole and private, and removed for certain."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from mnemolog.ledger.errors import DiskFull, StorageFailed
from mnemolog.ledger.files import create_private, remove_database, remove_tree, written_whole


def test_a_file_is_readable_by_its_owner_only_whatever_the_umask(tmp_path: Path) -> None:
    """`create_private` sets mode 0600."""
    before = os.umask(0)
    try:
        with create_private(tmp_path / "file") as file:
            file.write(b"text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


def test_an_existing_name_is_never_written_through(tmp_path: Path) -> None:
    """`create_private` refuses a link that somebody put there."""
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        create_private(tmp_path / "link")
    assert not (tmp_path / "elsewhere").exists()


def test_written_whole_replaces_only_at_its_end(tmp_path: Path) -> None:
    """The old content stays until the new one is complete."""
    target = tmp_path / "file"
    target.write_bytes(b"old")
    with written_whole(target) as file:
        file.write(b"new")
        assert target.read_bytes() == b"old"
    assert target.read_bytes() == b"new"


def test_written_whole_leaves_nothing_after_an_error(tmp_path: Path) -> None:
    """An error inside the block keeps the old content and removes the partial file."""
    target = tmp_path / "file"
    target.write_bytes(b"old")
    with pytest.raises(TypeError), written_whole(target) as file:
        file.write("no bytes")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert target.read_bytes() == b"old"


def test_a_database_goes_with_its_side_files(tmp_path: Path) -> None:
    """`remove_database` removes the write-ahead log, its index and the journal."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        (tmp_path / f"a.db{suffix}").touch()
    remove_database(tmp_path / "a.db")
    assert list(tmp_path.iterdir()) == []


def test_a_tree_that_cannot_be_removed_is_an_error(tmp_path: Path) -> None:
    """`remove_tree` names what is left; a missing tree is fine."""
    remove_tree(tmp_path / "missing")
    (tmp_path / "file").touch()
    with pytest.raises(StorageFailed, match="Not a directory"):
        remove_tree(tmp_path / "file")


def test_a_system_error_keeps_its_cause() -> None:
    """`StorageFailed.from_os` names the file; a full disk is `DiskFull`."""
    full = OSError(errno.ENOSPC, "No space left on device", "/home/a/vectors.db")
    assert isinstance(StorageFailed.from_os(full, Path("home")), DiskFull)
    failed = StorageFailed.from_os(OSError(errno.EIO, "Input/output error"), Path("home"))
    assert failed.path == Path("home")
    assert failed.problem == "Input/output error"
    assert StorageFailed.from_os(failed, Path("other")) is failed
