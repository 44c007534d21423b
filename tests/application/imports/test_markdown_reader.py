"""Importing Markdown: one memory a section."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mnemolog.application.imports.files import ImportItem, Problem, files_under
from mnemolog.application.imports.markdown import SUFFIXES, read_markdown
from mnemolog.ledger.errors import InvalidField

GUIDE = """\
---
title: Harbour guide
tags: [boats, "#harbour"]
aliases: [port book]
date: 2024-05-01
---
Opened in 1950.

# Mooring

## Fees

Ten a night.

## Hours

Nine to five.
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def items(path: Path, space: str = "default") -> list[ImportItem]:
    return [found for found in read_markdown(path, space) if isinstance(found, ImportItem)]


def problems(path: Path) -> list[Problem]:
    return [found for found in read_markdown(path, "default") if isinstance(found, Problem)]


def by_origin(path: Path) -> dict[str, str | None]:
    return {item.origin: item.memory.id for item in items(path)}


def test_a_section_can_be_understood_alone(tmp_path: Path) -> None:
    """It carries its headings, its place, and what the front matter says of all."""
    write(tmp_path, "notes/town/harbour.md", GUIDE)
    lead, fees, hours = items(tmp_path / "notes")
    assert lead.memory.content == "Harbour guide\n\nOpened in 1950."
    assert fees.memory.content == "Harbour guide > Mooring > Fees\n\nTen a night."
    assert fees.memory.source == fees.origin == "file:notes/town/harbour.md#mooring/fees"
    assert fees.memory.place == "notes/town/harbour/Mooring/Fees"
    assert fees.memory.tags == ("boats", "harbour")
    assert fees.memory.aliases == ("port book",)
    assert fees.memory.valid_from == "2024-05-01"
    assert hours.memory.kind == "semantic"
    assert all(item.revisable for item in (lead, fees, hours))


def test_a_note_without_a_title_is_led_by_its_name(tmp_path: Path) -> None:
    """A daily note's name tells the day; a first-level heading already is a title."""
    path = write(tmp_path, "2024-05-01.md", "## Standup\n\nFees are due.")
    assert items(path)[0].memory.content == "2024-05-01 > Standup\n\nFees are due."
    path = write(tmp_path, "README.md", "# Harbour\n\nOpened in 1950.")
    assert items(path)[0].memory.content == "Harbour\n\nOpened in 1950."


def test_reading_again_after_the_files_were_touched_gives_the_same_ids(tmp_path: Path) -> None:
    """When a file was written does not enter ids, nor the time from which it holds."""
    path = write(tmp_path, "notes/a.md", "# A\n\ntext")
    before = items(path)
    os.utime(path, (1, 1))
    assert items(path) == before
    assert before[0].memory.valid_from is None


def test_an_edit_changes_the_id_of_its_section_alone(tmp_path: Path) -> None:
    """The other sections are known; the edited one has its origin and a new id."""
    path = write(tmp_path, "notes/a.md", GUIDE)
    before = by_origin(path)
    write(tmp_path, "notes/a.md", GUIDE.replace("Ten a night.", "Twelve a night."))
    after = by_origin(path)
    assert before.keys() == after.keys()
    changed = [origin for origin in before if before[origin] != after[origin]]
    assert changed == ["file:notes/a.md#mooring/fees"]


def test_a_new_section_leaves_the_origins_of_others(tmp_path: Path) -> None:
    """Like headings under different ones, as in a changelog, do not shift one another."""
    old = "# 1.0\n\n## Fixed\n\nThe door.\n"
    path = write(tmp_path, "CHANGES.md", old)
    before = by_origin(path)
    write(tmp_path, "CHANGES.md", "# 1.1\n\n## Fixed\n\nThe window.\n\n" + old)
    after = by_origin(path)
    assert before.items() <= after.items()


def test_identical_sections_have_ids_of_their_own(tmp_path: Path) -> None:
    """The same heading and text twice in a file are two pieces, in lasting order."""
    path = write(tmp_path, "a.md", "# A\n\nsame\n\n# A\n\nsame\n")
    first, second = items(path)
    assert first.memory.id != second.memory.id
    assert second.origin == f"{first.origin}.2"
    assert items(path) == [first, second]


def test_parts_of_a_long_section_have_origins_of_their_own(tmp_path: Path) -> None:
    """Each part of a long section is a piece under the headings of all."""
    path = write(tmp_path, "a.md", "# A\n\n" + "\n\n".join(["word " * 140] * 6))
    found = items(path)
    assert [item.origin.rpartition("#")[2] for item in found] == ["a", "a~2", "a~3"]
    assert all(item.memory.content.startswith("A\n\n") for item in found)


def test_a_file_and_its_folder_give_the_same_items(tmp_path: Path) -> None:
    """A note can be imported alone after its folder was, without a duplicate."""
    path = write(tmp_path, "notes/a.md", GUIDE)
    write(tmp_path, "notes/b.md", "# B\n\nb")
    assert by_origin(path).items() <= by_origin(tmp_path / "notes").items()


def test_inside_a_repository_names_begin_with_it(tmp_path: Path) -> None:
    """Two projects' docs are told apart, and any part of one gives the same names."""
    project = tmp_path / "boats"
    path = write(project, "docs/guide/a.md", "# A\n\na")
    subprocess.run(["git", "init", "--quiet", project], check=True)
    assert list(by_origin(path)) == ["file:boats/docs/guide/a.md#a"]
    assert by_origin(path) == by_origin(project / "docs") == by_origin(project)


def test_files_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    """Order is the same on every machine; hidden folders and other files are passed over."""
    for name in ("b.md", "a.markdown", "c/a.MD", ".trash/x.md", "node_modules/x.md", "x.txt"):
        write(tmp_path, f"notes/{name}", "text")
    found = [item.origin for item in items(tmp_path / "notes")]
    assert found == ["file:notes/a.markdown", "file:notes/b.md", "file:notes/c/a.MD"]


def test_fields_of_front_matter_that_mean_nothing_here_are_told_once(tmp_path: Path) -> None:
    """Nothing is lost silently."""
    for name in ("a.md", "b.md"):
        write(tmp_path, name, "---\nlayout: post\n---\ntext")
    (problem,) = problems(tmp_path)
    assert "layout (2 files)" in problem.what


def test_a_bad_date_is_told_and_the_note_still_read(tmp_path: Path) -> None:
    """A time without a zone is not guessed at."""
    path = write(tmp_path, "a.md", "---\ndate: 2024-05-01T10:00:00\n---\ntext")
    (problem,) = problems(path)
    assert "no time zone" in problem.what
    assert items(path)[0].memory.valid_from is None


def test_a_section_that_cannot_be_stored_is_told_with_its_place(tmp_path: Path) -> None:
    """What the ledger would refuse is found on reading, and the rest goes on."""
    write(tmp_path, "a.md", f"---\ntags: [{'x' * 300}]\n---\n# A\n\ntext")
    write(tmp_path, "b.md", "text")
    (problem,) = problems(tmp_path)
    assert problem.where == f"{tmp_path / 'a.md'}#a"
    assert problem.what.startswith("tags: ")
    assert len(items(tmp_path)) == 1


def test_a_file_that_is_not_utf8_is_told_and_the_others_read(tmp_path: Path) -> None:
    """Text is not guessed at either."""
    (tmp_path / "a.md").write_bytes("Grüße".encode("latin-1"))
    write(tmp_path, "b.md", "text")
    (problem,) = problems(tmp_path)
    assert problem.where == str(tmp_path / "a.md")
    assert len(items(tmp_path)) == 1


def test_what_the_system_does_not_let_be_read_is_told(tmp_path: Path) -> None:
    """A file or folder that is gone or closed costs itself alone."""
    write(tmp_path, "a.md", "text")
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    (problem,) = problems(tmp_path)
    assert problem.where == str(tmp_path / "gone.md")
    assert len(items(tmp_path)) == 1
    told: list[Problem] = []
    assert list(files_under(tmp_path / "absent", SUFFIXES, told)) == []
    assert [problem.where for problem in told] == [str(tmp_path / "absent")]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("\ufeff# A\r\n\r\ntext\r\n", "A\n\ntext"),
        ("# \U0001f469\u200d\U0001f4bb Setup/Install\n\ntext", None),
        ("# " + "long " * 500 + "\n\ntext", None),
        ("# !!!\n\ntext", "!!!\n\ntext"),
    ],
)
def test_unusual_files_are_read(tmp_path: Path, text: str, content: str | None) -> None:
    """Byte order marks, line ends, emoji, endless and empty-looking headings do no harm."""
    path = tmp_path / "a.md"
    path.write_bytes(text.encode())
    (item,) = items(path)
    assert content is None or item.memory.content == content
    assert problems(path) == []


def test_a_path_where_nothing_is_is_refused_at_once(tmp_path: Path) -> None:
    """The error names the field before anything is read."""
    with pytest.raises(InvalidField) as caught:
        read_markdown(tmp_path / "absent", "default")
    assert caught.value.field == "path"
