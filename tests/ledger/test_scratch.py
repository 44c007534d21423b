"""Scratch directories are told from leftovers by a lock, whatever became of their process."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.files import partial_file, remove_tree
from mnemolog.ledger.scratch import leftovers, scratch_directory, sweep


def test_a_scratch_directory_is_private_and_goes_with_its_block(tmp_path: Path) -> None:
    """Its name tells what it is for; nothing of it is left, also after an error."""
    with scratch_directory(tmp_path, "work-") as scratch:
        assert scratch.name.startswith("work-")
        assert scratch.suffix == ".partial"
        assert stat.S_IMODE(scratch.stat().st_mode) == 0o700
        (scratch / "deep").mkdir()
        (scratch / "deep" / "file").touch()
    with pytest.raises(KeyError), scratch_directory(tmp_path, "work-"):
        raise KeyError
    assert list(tmp_path.iterdir()) == []


def test_a_sweep_leaves_alone_what_is_worked_on(tmp_path: Path) -> None:
    """A locked directory or file is live; unlocked ones of the same name are removed."""
    (tmp_path / "work-00000001.partial").mkdir()
    (tmp_path / "work-00000001.partial" / "file").touch()
    (tmp_path / "work-00000002.partial").touch()
    (tmp_path / "work-00000002.partial-wal").touch()
    (tmp_path / "work-00000003.partial").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "work-00000004.partial")
    (tmp_path / "other").touch()
    with scratch_directory(tmp_path, "work-") as scratch, partial_file(tmp_path / "file") as held:
        swept = sweep(leftovers(tmp_path, "work-") + leftovers(tmp_path, "file."))
        assert set(swept.live) == {scratch, held[1]}
        assert len(swept.removed) == 5
        assert swept.failed == ()
        assert {*tmp_path.iterdir()} == {scratch, held[1], tmp_path / "other"}
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_leftovers_of_one_kind_are_told_by_their_prefix(tmp_path: Path) -> None:
    """Those of a backup's target, say, without those of another, and without others' files."""
    ours = tmp_path / "a.db.00000001.partial"
    for name in (
        ours.name,
        "b.db.00000001.partial",
        "a.db.partial",
        "a.db.2024.partial-draft.txt",
        "a.db.old.partial",
    ):
        (tmp_path / name).mkdir()
    assert leftovers(tmp_path, "a.db.") == [ours]


def test_a_sweep_tells_what_it_could_not_remove(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of a tree goes; path and cause of what stays are told; the next tries again."""
    tree = tmp_path / "work-00000001.partial"
    (tree / "deep").mkdir(parents=True)
    for name in ("a", "stuck", "z", "deep/b"):
        (tree / name).touch()
    unlink = os.unlink

    def refused(path: str, **named: int) -> None:
        if path.endswith("stuck"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        unlink(path, **named)

    with monkeypatch.context() as patched:
        patched.setattr(os, "unlink", refused)
        swept = sweep(leftovers(tmp_path, "work-"))
        assert [failed.path for failed in swept.failed] == [tree / "stuck"]
        assert "Input/output error" in str(swept.failed[0])
        assert [*tree.iterdir()] == [tree / "stuck"]
        with pytest.raises(StorageFailed):
            remove_tree(tree)
    assert sweep(leftovers(tmp_path, "work-")).removed == (tree,)
    remove_tree(tree)
