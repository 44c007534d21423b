"""Files and JSON of unknown origin are read within limits."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

import msgspec
import pytest

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import CorruptLog, InvalidField, MalformedFile, StorageFailed
from mnemolog.ledger.events import Event
from mnemolog.ledger.files import (
    bounded_lines,
    make_private,
    make_tree_private,
    open_regular,
    private_directory,
    read_at_most,
    read_regular,
)
from mnemolog.ledger.ids import EventId, Position
from mnemolog.ledger.scratch import written_new
from mnemolog.ledger.vocabulary import (
    MOST_NESTED,
    VOCABULARY,
    Decoded,
    Opaque,
    check_nesting,
    decode_json,
)


def nested(depth: int) -> bytes:
    """Arrays in arrays."""
    return b"[" * depth + b"]" * depth


# -- files -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (os.mkfifo, "a named pipe"),
        (os.mkdir, "a directory"),
        (lambda path: path.symlink_to("/dev/zero"), "a device"),
    ],
    ids=["pipe", "directory", "device"],
)
def test_what_is_no_regular_file_is_refused_at_once(
    tmp_path: Path, make: object, found: str
) -> None:
    """The error says what it is; a pipe is not waited for."""
    assert callable(make)
    make(tmp_path / "it")
    with pytest.raises(MalformedFile, match=f"is {found}, no regular file") as raised:
        open_regular(tmp_path / "it")
    assert raised.value.file == tmp_path / "it"


def test_a_file_is_read_up_to_its_limit_and_no_further(tmp_path: Path) -> None:
    """As large as allowed is read whole, a byte more is refused with the limit."""
    (tmp_path / "file").write_bytes(b"12345")
    assert read_regular(tmp_path / "file", 5) == b"12345"
    with pytest.raises(MalformedFile, match="larger than the 4 bytes allowed"):
        read_regular(tmp_path / "file", 4)
    with pytest.raises(MalformedFile):
        read_at_most(io.BytesIO(b"12345"), Path("input"), 4)
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "none", 4)


def test_a_line_is_read_up_to_its_limit_and_no_further() -> None:
    """The line that is too long is named by its number."""
    lines = bounded_lines(io.BytesIO(b"one\ntwo\nthree\n"), Path("input"), 4)
    assert [next(lines), next(lines)] == [b"one\n", b"two\n"]
    with pytest.raises(MalformedFile, match="4 bytes allowed") as raised:
        next(lines)
    assert raised.value.line == 3


def test_a_name_that_is_taken_is_not_written(tmp_path: Path) -> None:
    """Neither at the beginning nor if somebody took it meanwhile."""
    (tmp_path / "taken").symlink_to("nowhere")
    with pytest.raises(InvalidField), written_new(tmp_path / "taken"):
        pytest.fail("it is taken")
    with pytest.raises(InvalidField), written_new(tmp_path / "late"):
        (tmp_path / "late").write_bytes(b"another's")
    assert (tmp_path / "late").read_bytes() == b"another's"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["late", "taken"]


def test_directories_between_are_private_too(tmp_path: Path) -> None:
    """Those that are made; what was there keeps its permissions."""
    before = os.umask(0)
    try:
        private_directory(tmp_path / "a" / "b" / "c", tmp_path)
        private_directory(tmp_path / "a" / "b" / "c", tmp_path)
    finally:
        os.umask(before)
    for one in (tmp_path / "a", tmp_path / "a" / "b", tmp_path / "a" / "b" / "c"):
        assert stat.S_IMODE(one.stat().st_mode) == 0o700


def test_what_is_open_to_others_is_closed(tmp_path: Path) -> None:
    """The owner's own permissions stay, links are not followed, what is gone is fine."""
    (tmp_path / "tree").mkdir(mode=0o755)
    (tmp_path / "tree" / "file").write_bytes(b"")
    (tmp_path / "tree" / "file").chmod(0o444)
    (tmp_path / "theirs").write_bytes(b"")
    (tmp_path / "theirs").chmod(0o644)
    (tmp_path / "tree" / "link").symlink_to(tmp_path / "theirs")
    make_tree_private(tmp_path / "tree")
    make_private(tmp_path / "gone")
    assert stat.S_IMODE((tmp_path / "tree").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "tree" / "file").stat().st_mode) == 0o400
    assert stat.S_IMODE((tmp_path / "theirs").stat().st_mode) == 0o644
    with pytest.raises(StorageFailed):
        make_private(tmp_path / ("x" * 300))


# -- JSON ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [nested(200_000), b'"\xff"', b"{", b"", b"\0"])
def test_whatever_is_wrong_with_json_is_one_kind_of_error(text: bytes) -> None:
    """Deep nesting and broken UTF-8 included."""
    with pytest.raises(msgspec.DecodeError):
        decode_json(msgspec.json.Decoder().decode, text)


def test_nesting_has_a_limit_that_is_the_same_everywhere() -> None:
    """Not what is left of the interpreter's stack."""
    check_nesting(decode_json(msgspec.json.Decoder().decode, nested(MOST_NESTED)))
    with pytest.raises(msgspec.DecodeError, match=f"more than {MOST_NESTED} deep"):
        check_nesting(decode_json(msgspec.json.Decoder().decode, nested(MOST_NESTED + 2)))
    check_nesting({"a": [{"b": "c"}, 1, None]})


# -- payloads --------------------------------------------------------------------------


def event(kind: str, structure: bytes, content: bytes | None = None) -> Event:
    """An event with this payload at position 7."""
    return Event(
        Position(7), EventId("0" * 32), "default", kind, 1, Micros(0), "user:dana",
        None, None, None, structure, content, None, None, bytes(32),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "structure"),
    [
        ("remembered", b'{"valid_from":99999999999999999999}'),
        ("remembered", b'{"source_confidence":1.5}'),
        ("remembered", b'{"depth_weight":[0,2]}'),
        ("strengthened", b'{"strength":-0.1}'),
        ("recalled", b'{"memories":[],"at":1e3}'),
        ("maintained", b'{"jobs":[],"through":-1}'),
        ("remembered", b'{"new":' + nested(5_000) + b"}"),
        ("superseded", b"{}"),
        ("pinned", b'{"expires_at":"\xff"}'),
    ],
)
def test_a_payload_that_its_kind_cannot_hold_names_its_event(kind: str, structure: bytes) -> None:
    """Whether it is read alone, with its content or among others."""
    hostile = event(kind, structure)
    for read in (
        lambda: VOCABULARY.decode(hostile),
        lambda: VOCABULARY.structure(hostile),
        lambda: list(VOCABULARY.structures([hostile])),
    ):
        with pytest.raises(CorruptLog, match=rf"event 7 \('{kind}'\) cannot be read") as raised:
            read()
        assert raised.value.last_good == 6


def test_bounds_leave_room_for_what_rounding_adds() -> None:
    """A share a hair above 1 is one, and a time of for ever is one."""
    decoded = VOCABULARY.decode(event("strengthened", b'{"strength":1.0000001}'))
    assert isinstance(decoded, Decoded)
    VOCABULARY.decode(event("restored", b'{"sheltered_until":4611686018427387904}'))


def test_an_unknown_kind_is_not_read_for_a_fold() -> None:
    """It is opaque, and what is in it is nobody's business until someone shows it."""
    deep = event("sung", b'{"a":' + nested(5_000) + b"}")
    assert VOCABULARY.structure(deep) is None
    with pytest.raises(CorruptLog):
        VOCABULARY.decode(deep)
    assert isinstance(VOCABULARY.decode(event("sung", b'{"a":[]}')), Opaque)
