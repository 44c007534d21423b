"""Lines that hold in each field what no program would write: items or problems, nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemolog.application.imports.files import ImportItem, Problem, files_under
from mnemolog.application.imports.readers import read_jsonl
from mnemolog.application.imports.transcript import read_transcript
from mnemolog.policies.memories import NewMemory

VALUES = (
    "9" * 30,
    "-" + "9" * 400,
    "9" * 4299,
    "1e308",
    "1e400",
    "NaN",
    "-0",
    "true",
    "[]",
    "{}",
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '"2026-01-01T00:00:00+99:00"',
    '[{"type":"text","text":7}]',
    '["' + "x" * 100_000 + '"]',
    '{"a":' * 150 + "1" + "}" * 150,
    "[" * 200_000,
)


def lines_with(fields: dict[str, object], names: Iterator[str]) -> Iterator[str]:
    """A line for each field and value, the other fields being fine."""
    for name in names:
        rest = json.dumps({**fields, name: 0})
        before, _, after = rest.partition(f'"{name}": 0')
        for value in VALUES:
            yield f'{before}"{name}": {value}{after}\n'


def test_a_line_of_any_values_is_an_item_or_a_problem(tmp_path: Path) -> None:
    """JSONL: every field, and every other name that is known for one."""
    names = [*NewMemory.__struct_fields__, "text", "date", "role", "speaker", "run", "foreign"]
    file = tmp_path / "some.jsonl"
    file.write_text("".join(lines_with({"content": "fine"}, iter(names))))
    found = list(read_jsonl(file, "default"))
    assert {type(one) for one in found} == {ImportItem, Problem}
    assert all(len(one.what) < 1_000_000 for one in found if isinstance(one, Problem))


def test_a_message_of_any_values_is_an_item_or_a_problem(tmp_path: Path) -> None:
    """Transcripts: both forms, and what their messages hold."""
    claude = {
        "type": "user", "uuid": "u", "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z",
        "cwd": "/a", "message": {"content": "hi"}, "isMeta": False,
    }  # fmt: skip
    message = {"type": "message", "role": "user", "content": [{"type": "text", "text": "hi"}]}
    codex = {"type": "response_item", "timestamp": None, "payload": message}
    lines = [json.dumps(claude) + "\n", *lines_with(claude, iter(claude))]
    lines += lines_with(codex, iter(codex))
    lines += [
        json.dumps({**codex, "payload": 0}).replace('"payload": 0', f'"payload": {payload}')
        for payload in lines_with(message, iter(message))
    ]
    file = tmp_path / "talk.jsonl"
    file.write_text("".join(lines))
    found = list(read_transcript(file, "default"))
    assert {type(one) for one in found} == {ImportItem, Problem}


@pytest.mark.parametrize(
    "text",
    [
        "<system-reminder>" * 50_000,
        "<system-reminder " * 50_000,
        "".join(f"<ide_{chr(97 + n % 26) * (1 + n % 400)}>" for n in range(5_000)),
        "<command-name>x</command-name>" * 20_000,
        " " * 500_000 + "x",
    ],
    ids=["opened", "half opened", "of many names", "commands", "blanks"],
)
def test_elements_that_are_never_closed_are_read_in_one_pass(tmp_path: Path, text: str) -> None:
    """A message of half a megabyte of openings is read like any other."""
    line = {"type": "user", "uuid": "u", "sessionId": "s", "message": {"content": text}}
    (tmp_path / "talk.jsonl").write_text(json.dumps(line))
    (item,) = read_transcript(tmp_path / "talk.jsonl", "default")
    assert isinstance(item, ImportItem)


def test_elements_of_the_program_are_taken_out_wherever_they_stand(tmp_path: Path) -> None:
    """Closed ones go, those inside of them too, and one that is not closed stays."""
    said = (
        "one <system-reminder>a <ide_b>x</ide_b></system-reminder>two"
        "<ide_opened_file>f</ide_opened_file> <system-reminder>three"
    )
    line = {"type": "user", "uuid": "u", "sessionId": "s", "message": {"content": said}}
    (tmp_path / "talk.jsonl").write_text(json.dumps(line))
    (item,) = read_transcript(tmp_path / "talk.jsonl", "default")
    assert isinstance(item, ImportItem)
    assert item.memory.content == "one two <system-reminder>three"


def test_links_in_a_folder_lead_no_further_than_it(tmp_path: Path) -> None:
    """A link to a file inside is read; one that leads out, or to nothing, is a problem."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (tmp_path / "out.md").write_text("secret")
    (folder / "a.md").write_text("text")
    (folder / "in.md").symlink_to("a.md")
    (folder / "out.md").symlink_to("../out.md")
    (folder / "around.md").symlink_to("../notes/a.md")
    (folder / "gone.md").symlink_to("nowhere.md")
    problems: list[Problem] = []
    found = [path.name for path in files_under(folder, frozenset({".md"}), problems)]
    assert found == ["a.md", "around.md", "in.md"]
    assert sorted(Path(one.where).name for one in problems) == ["gone.md", "out.md"]
