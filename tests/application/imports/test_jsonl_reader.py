"""Importing JSONL: one memory a line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from mnemolog.application.imports.files import ImportItem, Problem
from mnemolog.application.imports.readers import count_lines, read_jsonl
from mnemolog.ledger.errors import InvalidField


def write(folder: Path, *lines: object, name: str = "export.jsonl") -> Path:
    path = folder / name
    path.write_text(
        "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    )
    return path


def items(path: Path, space: str = "default") -> list[ImportItem]:
    return [found for found in read_jsonl(path, space) if isinstance(found, ImportItem)]


def problems(path: Path) -> list[Problem]:
    return [found for found in read_jsonl(path, "default") if isinstance(found, Problem)]


def test_a_line_has_the_fields_of_a_memory(tmp_path: Path) -> None:
    """Every field of a memory may be given under its own name."""
    line = {
        "content": "Dana takes oat milk.",
        "kind": "preference",
        "category": "food",
        "source": "user:dana",
        "source_note": "said at breakfast",
        "source_confidence": 1,
        "place": "kitchen/breakfast",
        "tags": ["food", "dana"],
        "aliases": ["oat milk"],
        "valid_from": "2024-05-01T08:00:00Z",
        "valid_until": "2025-05-01T08:00:00Z",
        "importance": "high",
        "immutable": False,
    }
    (item,) = items(write(tmp_path, line))
    stored = {name: getattr(item.memory, name) for name in line}
    assert stored == line | {"tags": ("food", "dana"), "aliases": ("oat milk",)}
    assert problems(write(tmp_path, line)) == []


@pytest.mark.parametrize("name", ["content", "text", "memory"])
def test_the_text_goes_by_several_names(tmp_path: Path, name: str) -> None:
    """Exports of other tools call the text `text` or `memory`."""
    (item,) = items(write(tmp_path, {name: "The boat is blue."}))
    assert item.memory.content == "The boat is blue."


@pytest.mark.parametrize("name", ["valid_from", "date", "timestamp", "created_at"])
@pytest.mark.parametrize("given_time", [1714550400, 1714550400.0, 1714550400000])
def test_a_time_goes_by_several_names_and_units(
    tmp_path: Path, name: str, given_time: float
) -> None:
    """A number counts seconds, or milliseconds where it is too large for seconds."""
    (item,) = items(write(tmp_path, {"content": "x", name: given_time}))
    assert item.memory.valid_from == datetime(2024, 5, 1, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ({"role": "user"}, "user:user"),
        ({"role": "assistant"}, "agent:assistant"),
        ({"speaker": "Dana"}, "user:Dana"),
        ({"role": "assistant", "speaker": "helper"}, "agent:helper"),
        ({"speaker": "agent:helper"}, "agent:helper"),
    ],
)
def test_who_spoke_becomes_the_source(tmp_path: Path, line: dict[str, str], source: str) -> None:
    """A line of talk names its speaker as source and is episodic."""
    (item,) = items(write(tmp_path, {"content": "Hello.", **line}))
    assert item.memory.source == source
    assert item.memory.kind == "episodic"


def test_a_conversation_becomes_the_run(tmp_path: Path) -> None:
    """A line keeps the conversation that it is part of."""
    (item,) = items(write(tmp_path, {"content": "Hello.", "session_id": "s-1"}))
    assert item.run == "s-1"


def test_tags_may_be_one_text_with_commas(tmp_path: Path) -> None:
    """Tables exported as JSONL write lists as text."""
    (item,) = items(write(tmp_path, {"content": "x", "tags": "boats, blue"}))
    assert item.memory.tags == ("boats", "blue")


def test_null_is_the_same_as_absent(tmp_path: Path) -> None:
    """A field without a value is neither wrong nor worth telling."""
    path = write(tmp_path, {"content": "x", "id": None, "tags": None, "foo": None})
    assert len(items(path)) == 1
    assert problems(path) == []


def test_unknown_fields_are_told_once(tmp_path: Path) -> None:
    """Nothing is lost silently: ignored fields are named together at the end."""
    path = write(tmp_path, {"content": "a", "mood": 1}, {"content": "b", "mood": 2, "text": "c"})
    *read, last = read_jsonl(path, "default")
    assert len(read) == 2
    assert isinstance(last, Problem)
    assert "mood (2 lines), text (1 lines)" in last.what


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ("{", "JSON"),
        ("[1]", "JSON"),
        ('{"content": "\udcff"}', "JSON"),
        ({"kind": "semantic"}, "content"),
        ({"content": "  "}, "content"),
        ({"content": 7}, "content"),
        ({"content": "x", "kind": "fact"}, "kind"),
        ({"content": "x", "immutable": "no"}, "immutable"),
        ({"content": "x", "date": "2024-05-01T08:00:00"}, "valid_from"),
        ({"content": "x", "date": True}, "valid_from"),
        ({"content": "x", "date": 1e300}, "valid_from"),
        ({"content": "x", "id": ["a"]}, "id"),
        ({"content": "x", "evidence": ["not an id"]}, "evidence"),
    ],
)
def test_a_bad_line_is_told_with_its_number_and_the_rest_goes_on(
    tmp_path: Path, bad: object, what: str
) -> None:
    """One bad line costs that line alone."""
    lines = [json.dumps(bad) if isinstance(bad, dict) else str(bad)]
    path = tmp_path / "export.jsonl"
    body = "\n".join(['{"content": "a"}', *lines, '{"content": "b"}'])
    path.write_bytes(body.encode(errors="surrogateescape"))
    assert [item.memory.content for item in items(path)] == ["a", "b"]
    (problem,) = problems(path)
    assert problem.where == f"{path}:2"
    assert what in problem.what


def test_a_keyed_line_that_changed_is_a_new_version(tmp_path: Path) -> None:
    """A line's own id makes its origin, so that a later export supersedes."""
    (before,) = items(write(tmp_path, {"id": 7, "content": "Opens at nine."}))
    (after,) = items(write(tmp_path, {"id": 7, "content": "Opens at ten."}))
    assert before.origin == after.origin == "file:export.jsonl#7"
    assert before.revisable
    assert after.revisable
    assert before.memory.id != after.memory.id


def test_a_line_without_a_key_supersedes_nothing(tmp_path: Path) -> None:
    """Without a key, another text is another memory."""
    (before,) = items(write(tmp_path, {"content": "Opens at nine."}))
    (after,) = items(write(tmp_path, {"content": "Opens at ten."}))
    assert not before.revisable
    assert before.origin != after.origin


def test_equal_lines_are_told_apart_by_their_order(tmp_path: Path) -> None:
    """What was said twice is remembered twice, under ids that last."""
    path = write(tmp_path, {"content": "Yes."}, {"content": "No."}, {"content": "Yes."})
    first, _, second = items(path)
    assert first.memory.id != second.memory.id
    assert [item.memory.id for item in items(path)] == [item.memory.id for item in items(path)]


def test_a_file_that_moved_gives_the_same_ids(tmp_path: Path) -> None:
    """Only the file's name counts, not the folder that it lies in today."""
    (tmp_path / "downloads").mkdir()
    (here,) = items(write(tmp_path, {"content": "x"}))
    (there,) = items(write(tmp_path / "downloads", {"content": "x"}))
    assert here.memory.id == there.memory.id


lines_of_text = st.lists(
    st.fixed_dictionaries(
        {"content": st.text(min_size=1).filter(str.strip)},
        optional={"id": st.integers(), "date": st.integers(0, 2_000_000_000)},
    ),
    max_size=8,
)


@given(lines=lines_of_text)
def test_reading_again_gives_the_same_items_in_the_same_order(
    tmp_path_factory: pytest.TempPathFactory, lines: list[dict[str, object]]
) -> None:
    """Order and ids are a function of the file; distinct lines have distinct ids."""
    path = write(tmp_path_factory.mktemp("lines"), *lines)
    read = items(path)
    assert [item.memory.content for item in read] == [line["content"] for line in lines]
    assert read == items(path)
    unkeyed = [item.memory.id for item in read if not item.revisable]
    assert len(set(unkeyed)) == len(unkeyed)


def test_the_file_is_read_as_it_is_asked_for(tmp_path: Path) -> None:
    """The first item is there before later lines are looked at."""
    path = tmp_path / "growing.jsonl"
    path.write_text('{"content": "first"}\n' * 10_000)
    found = read_jsonl(path, "default")
    (first,) = islice(found, 1)
    path.write_text("")
    assert isinstance(first, ImportItem)
    assert first.memory.content == "first"
    assert sum(1 for _ in found) < 9_999


def test_lines_are_counted_for_progress(tmp_path: Path) -> None:
    """The number of lines is told without reading their JSON."""
    assert count_lines(write(tmp_path, "{", "{", "{")) == 3


@pytest.mark.parametrize("name", ["absent.jsonl", "."])
def test_a_path_that_is_no_file_is_refused_at_once(tmp_path: Path, name: str) -> None:
    """The error names the field before anything is read."""
    with pytest.raises(InvalidField) as caught:
        read_jsonl(tmp_path / name, "default")
    assert caught.value.field == "path"
