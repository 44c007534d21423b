"""Playbooks: folders of the user's Markdown files that describe procedures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from mnemolog.application.imports.files import files_under
from mnemolog.application.imports.front_matter import split_front_matter
from mnemolog.application.imports.items import Problem
from mnemolog.application.imports.markdown import SUFFIXES
from mnemolog.application.imports.sections import sections
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.errors import InvalidField, MalformedFile
from mnemolog.ledger.files import open_regular
from mnemolog.recall.layers.layers import LayerFindings, MatchableText, Passage, best_matches

MOST_FILES = 200
MOST_BYTES = 256 << 10
_WHOLE_CHARACTERS = 2_000
_MOST_FOUND = 3


class _Procedure(msgspec.Struct, frozen=True):
    """Playbook, or one section of a long playbook, with its path of headings."""

    path: Path
    title: str
    text: str


def procedures_in(folders: Sequence[Path], prompt: str, analyzer: Analyzer) -> LayerFindings:
    """Playbooks that match a prompt, at most three, best first; long ones by section.

    A folder is read at each call: up to 200 files of up to 256 KiB. Links that lead out of
    the folder are not followed. Skipped files are listed in the note. Raises `InvalidField`
    if none of the folders exists.
    """
    there = [folder for folder in folders if folder.expanduser().is_dir()]
    gone = [folder for folder in folders if folder not in there]
    if not there:
        raise InvalidField("playbooks", f"{gone[0]} is no folder", "name one that is there")
    notes = [f"{folder} is no folder" for folder in gone]
    known = [one for folder in there for one in _procedures(folder.expanduser(), notes)]
    texts = [MatchableText(one.text, f"{one.path.stem}\n{one.title}") for one in known]
    passages = tuple(
        Passage(
            layer="procedures",
            text=known[match.place].text,
            source=str(known[match.place].path),
            relevance=match.relevance,
            title=known[match.place].title,
        )
        for match in best_matches(analyzer, prompt, texts, _MOST_FOUND)
    )
    return LayerFindings(passages, "; ".join(notes) or None)


def _procedures(folder: Path, notes: list[str]) -> Iterator[_Procedure]:
    problems: list[Problem] = []
    for number, path in enumerate(files_under(folder, SUFFIXES, problems)):
        if number == MOST_FILES:
            notes.append(f"{folder} holds more than {MOST_FILES} playbooks: the rest is left out")
            break
        text = _text(path, notes)
        if text is not None:
            yield from _parts(path, text)
    notes.extend(f"{problem.where} {problem.what}" for problem in problems)


def _text(path: Path, notes: list[str]) -> str | None:
    try:
        with open_regular(path) as file:
            read = file.read(MOST_BYTES + 1)
    except MalformedFile as error:
        notes.append(f"{path} {error.problem}")
        return None
    except OSError as error:
        notes.append(f"{path} cannot be read: {error.strerror}")
        return None
    if len(read) > MOST_BYTES:
        notes.append(f"{path} is larger than {MOST_BYTES >> 10} KiB")
        return None
    return read.decode(errors="replace").replace("\0", "")


def _parts(path: Path, text: str) -> Iterator[_Procedure]:
    """Procedures of a playbook: the whole file if it is short, else its sections."""
    front, lines = split_front_matter(iter(text.splitlines()))
    title = " ".join(front.get("title", ())) or path.stem
    if len(text) <= _WHOLE_CHARACTERS:
        yield _Procedure(path, title, "\n".join(lines).strip())
        return
    for section in sections(lines):
        if section.body:
            yield _Procedure(path, " > ".join((title, *section.path)), section.body)
