"""Arrays in a file are what was written, grow behind it, and leave it as it is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mnemolog.indexes.arrays import read_arrays, write_arrays
from mnemolog.indexes.mapping import mapped

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("size", [0, 1, 7, 20_001])
def test_arrays_are_read_as_they_were_written(tmp_path: Path, size: int) -> None:
    """Small ones and mapped ones, of every shape and type."""
    arrays = {
        "numbers": np.arange(size, dtype=np.int64),
        "small": np.arange(size, dtype=np.int8),
        "rows": np.arange(6 * size, dtype=np.uint64).reshape(size, 6),
        "flags": np.arange(size) % 3 == 0,
    }
    path = tmp_path / "arrays.bin"
    with path.open("wb") as file:
        places = write_arrays(file, arrays)
    found = read_arrays(path, places)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


@pytest.mark.parametrize("size", [10, 50_000])
def test_a_stored_array_grows_and_changes_in_memory_alone(tmp_path: Path, size: int) -> None:
    """Additions lie behind the rows of the file, which stays as it is."""
    path = tmp_path / "arrays.bin"
    with path.open("wb") as file:
        places = write_arrays(file, {"numbers": np.arange(size, dtype=np.int64)})
    before = path.read_bytes()
    growing = read_arrays(path, places).growing("numbers", np.int64)
    view = growing.rows
    growing.extend([-1, -2])
    growing.rows[3] = 99
    # A mapped one has room behind it, and is not copied.
    assert (view[3] == 99) == (size > 10)
    growing.extend(np.arange(1_200_000))
    assert growing.rows[: size + 2].tolist() == [0, 1, 2, 99, *range(4, size), -1, -2]
    assert len(growing) == size + 1_200_002
    assert path.read_bytes() == before


def test_an_array_that_is_not_stored_is_empty(tmp_path: Path) -> None:
    """A new space has nothing yet."""
    path = tmp_path / "arrays.bin"
    path.touch()
    growing = read_arrays(path, {}).growing("numbers", np.int32, 3)
    growing.extend([1, 2, 3])
    assert growing.rows.tolist() == [[1, 2, 3]]


def test_a_file_that_is_too_short_is_refused(tmp_path: Path) -> None:
    """A page behind the end of a file must not be mapped: reading it would end the process."""
    path = tmp_path / "arrays.bin"
    with path.open("wb") as file:
        places = write_arrays(file, {"numbers": np.arange(50_000)})
    with path.open("r+b") as file:
        file.truncate(100_000)
    with pytest.raises(ValueError, match="ends beyond"):
        read_arrays(path, places)


def test_numbers_that_cannot_be_mapped_are_refused(tmp_path: Path) -> None:
    """An offset inside a page, nothing to map, and a descriptor that is closed."""
    path = tmp_path / "file"
    path.write_bytes(bytes(100))
    descriptor = os.open(path, os.O_RDONLY)
    for offset, size, reserved in ((1, 10, 0), (-16_384, 10, 0), (0, 0, 0), (0, 10, -1)):
        with pytest.raises(ValueError, match="multiple of a page"):
            mapped(descriptor, offset, size, reserved)
    os.close(descriptor)
    with pytest.raises(OSError, match="Bad file descriptor"):
        mapped(descriptor, 0, 10, 0)
