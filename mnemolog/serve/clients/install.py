"""Installation of the entry by which a client starts mnemolog, and its removal.

A change is planned on the text, verified by parsing the result, and then written. A file in
which the change cannot be verified is not touched.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from mnemolog.ledger.errors import EntryTaken, InvalidField, MalformedConfig
from mnemolog.serve.clients.clients import ConfigForm
from mnemolog.serve.clients.config_file import backup_of, read_config, write_config
from mnemolog.serve.clients.documents import BY_HAND, Document, Entry

IfTaken = Literal["refuse", "replace"]
_ENDS = re.compile(r"(?<=\n)")
_NO_END = "\\ No newline at end of file\n"
_NAME = re.compile(r"[A-Za-z0-9_-]+")


class ClientChange(msgspec.Struct, frozen=True):
    """Planned change of a client's file: its text before and after, None for no file."""

    file: Path
    before: str | None
    after: str | None

    @property
    def needed(self) -> bool:
        """True if there is anything to change."""
        return self.before != self.after

    def diff(self) -> str:
        """Change as a unified diff, empty if there is none."""
        lines = difflib.unified_diff(
            _lines(self.before),
            _lines(self.after),
            "/dev/null" if self.before is None else str(self.file),
            "/dev/null" if self.after is None else str(self.file),
        )
        ended = (line if line.endswith("\n") else f"{line}\n{_NO_END}" for line in lines)
        return "".join(ended).removesuffix("\n")

    def carry_out(self) -> Path | None:
        """Write the file; returns the path of the backup if the file existed.

        Raises `ConfigChanged` if another program has changed the file since the change was
        planned.
        """
        return write_config(self.file, self.before, self.after) if self.needed else None


def plan_install(
    form: ConfigForm, file: Path, name: str, command: Sequence[str], if_taken: IfTaken = "refuse"
) -> ClientChange:
    """Change that adds an entry to start a command, under a name, to a client's file.

    The change is empty if an equivalent entry exists, even with additional fields of the
    client. Raises `EntryTaken` if another entry has the name, unless it is to be replaced,
    and `MalformedConfig` for a file that cannot be changed.
    """
    _check_name(name)
    before = read_config(file)
    document = form.document(file, before or "")
    entry = form.entry(command)
    there = document.entries(form.section).get(name)
    if there is not None:
        if isinstance(there, dict) and all(there.get(key) == entry[key] for key in entry):
            return ClientChange(file, before, before)
        if if_taken == "refuse":
            raise EntryTaken(file, name, json.dumps(there, ensure_ascii=False, default=str))
    after = document.with_entry(form.section, name, entry)
    _prove(form, file, after, _with(document, form.section, name, entry))
    return ClientChange(file, before, after)


def plan_uninstall(form: ConfigForm, file: Path, name: str) -> ClientChange:
    """Change that removes the entry of a name from a client's file.

    If nothing else has changed since the installation, the file is restored byte by byte,
    or deleted if it did not exist.
    """
    _check_name(name)
    before = read_config(file)
    document = form.document(file, before or "")
    entries = document.entries(form.section)
    if name not in entries:
        return ClientChange(file, before, before)
    entry = entries[name]
    if isinstance(entry, dict):
        for earlier in (_kept(form, file, name), None):
            begun = form.document(file, earlier or "")
            if begun.with_entry(form.section, name, entry) == before:
                return ClientChange(file, before, earlier)
    after = document.without_entry(form.section, name)
    _prove(form, file, after, _without(document, form.section, name))
    return ClientChange(file, before, after)


def pasted(form: ConfigForm, name: str, command: Sequence[str]) -> str:
    """Text to paste into a client's configuration, in the client's format."""
    _check_name(name)
    text = form.document(Path(), "").with_entry(form.section, name, form.entry(command))
    return text.rstrip("\n")


def _kept(form: ConfigForm, file: Path, name: str) -> str | None:
    """Backup of a file from before its last change, if the entry was not in it."""
    with suppress(MalformedConfig):
        text = read_config(backup_of(file))
        if text is not None and name not in form.document(file, text).entries(form.section):
            return text
    return None


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        problem = f"{name!r} is not made of letters, digits, - and _ alone"
        raise InvalidField("name", problem, "give one that every client takes")


def _prove(form: ConfigForm, file: Path, after: str, wanted: Mapping[str, object]) -> None:
    """Raise `MalformedConfig` unless a text parses to exactly the wanted value."""
    with suppress(MalformedConfig):
        if _bare(form.document(file, after).value, form.section) == _bare(wanted, form.section):
            return
    problem = f"has its {form.section} in a form in which one entry cannot be changed alone"
    raise MalformedConfig(file, None, problem, BY_HAND)


def _with(document: Document, section: str, name: str, entry: Entry) -> Mapping[str, object]:
    return {**document.value, section: {**document.entries(section), name: entry}}


def _without(document: Document, section: str, name: str) -> Mapping[str, object]:
    rest = {key: value for key, value in document.entries(section).items() if key != name}
    return {**document.value, section: rest}


def _bare(value: Mapping[str, object], section: str) -> Mapping[str, object]:
    """Value of a file without an empty section, which is equivalent to a missing one."""
    return {key: said for key, said in value.items() if key != section or said}


def _lines(text: str | None) -> list[str]:
    return [line for line in _ENDS.split((text or "").replace("\r\n", "\n")) if line]
