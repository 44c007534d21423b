"""Installation of the entry by which a client starts mnemolog, and its removal.

A change is planned on the text and verified by parsing the result. Then the file is replaced
atomically, with a backup beside it.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import secrets
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec

from mnemolog import default_home
from mnemolog.ledger import errors
from mnemolog.ledger.errors import InvalidField, MalformedConfig
from mnemolog.ledger.files import read_regular, sync_directory
from mnemolog.policies.memories import checked_space
from mnemolog.serve.documents import BY_HAND, Document, Entry, JsonDocument, TomlDocument

Scope = Literal["user", "project"]
_SCRIPT = "mnemolog"
_KEPT = ".mnemolog-backup"
_MOST_BYTES = 16 << 20
_ENDS = re.compile(r"(?<=\n)")
_NO_END = "\\ No newline at end of file\n"
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_REPLACED = re.compile(r"\$[{\w]|\{(?:env|file):")  # variables in the syntax of the clients


class ConfigForm(msgspec.Struct, frozen=True):
    """Format of an entry: its section, and more fields. The default is what most clients take."""

    section: str = "mcpServers"
    fields: Mapping[str, str | Sequence[str]] = {}
    syntax: Literal["json", "toml"] = "json"

    def document(self, file: Path, text: str) -> Document:
        """Document of a file's text; raises `MalformedConfig` if it cannot be changed."""
        return JsonDocument(file, text) if self.syntax == "json" else TomlDocument(file, text)

    def entry(self, command: Sequence[str]) -> Entry:
        """Entry that starts a command."""
        return {**self.fields, "command": command[0], "args": list(command[1:])}


class AgentClient(msgspec.Struct, frozen=True):
    """Agent client: its user and project configuration files, and their documentation."""

    title: str
    documented_at: str
    user: str | None = None
    project: str | None = None
    form: ConfigForm = ConfigForm()


@cache
def agent_clients() -> Mapping[str, AgentClient]:
    """Agent clients by name, as listed in `clients.toml`."""
    listed = files("mnemolog.serve").joinpath("clients.toml").read_bytes()
    return msgspec.toml.decode(listed, type=dict[str, AgentClient])


def file_of(name: str, scope: Scope | None, platform: str = sys.platform) -> Path:
    """Configuration file that lists a client's servers, for the user or the current project.

    Without a scope: the user's file, or the project's if the client has no other. Raises
    `InvalidField` if the client has no file of that scope.
    """
    client = agent_clients()[name]
    if scope is None:
        scope = "user" if client.user is not None else "project"
    place = client.user if scope == "user" else client.project
    if place is None:
        other = "project" if scope == "user" else "user"
        problem = f"{client.title} keeps no servers for a {scope}"
        raise InvalidField("scope", problem, f"give {other}")
    if scope == "project":
        return Path.cwd() / place
    return Path(place.format_map(_folders(platform)))


def _folders(platform: str) -> Mapping[str, Path]:
    """Folders of client configurations; a path from an environment variable must be absolute."""
    home, mac = Path.home(), platform == "darwin"
    config = home / ".config" if mac else _named("XDG_CONFIG_HOME", home / ".config")
    return {
        "home": home,
        "config": config,
        "apps": home / "Library" / "Application Support" if mac else config,
        "claude": _named("CLAUDE_CONFIG_DIR", home),
        "codex": _named("CODEX_HOME", home / ".codex"),
        "copilot": _named("COPILOT_HOME", home / ".copilot"),
        "gemini": _named("GEMINI_CLI_HOME", home),
    }


def _named(variable: str, default: Path) -> Path:
    given = Path(os.environ.get(variable, ""))
    return given if given.is_absolute() else default


def server_command(home: Path | None, space: str, tools: str | None) -> list[str]:
    """Command and arguments that start the server over standard streams.

    A client passes on few environment variables and lets none be chosen, so their values are
    written as options. Raises `InvalidField` for a value that a client would not pass on unchanged,
    and for unknown tools.
    """
    from mnemolog.serve.mcp.tools import tools_of  # noqa: PLC0415 - only for an installation

    options: dict[str, str] = {}
    if home is not None or "XDG_DATA_HOME" in os.environ:
        options["--home"] = str((default_home() if home is None else home).absolute())
    if checked_space(space) != "default":
        options["--space"] = space
    if tools is not None:
        # A server with an unknown tool does not start, and few clients show the reason.
        tools_of(tools)
        options["--tools"] = tools
    for option, value in options.items():
        _check(option.removeprefix("--"), value)
    return [*_program(), "mcp", "stdio", *(word for pair in options.items() for word in pair)]


def _program() -> list[str]:
    called = shutil.which(sys.argv[0])
    beside = Path(sys.executable).with_name(_SCRIPT)
    if called is not None and Path(called).name == _SCRIPT:
        words = [str(Path(called).absolute())]
    elif beside.is_file():
        words = [str(beside)]
    else:
        words = [sys.executable, "-m", "mnemolog"]
    _check("command", words[0])
    return words


def _check(field: str, value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidField(field, f"{value!a} is no text", "give a name in UTF-8") from error
    if _REPLACED.search(value):
        problem = f"{value!r} reads like a variable, which clients replace"
        raise InvalidField(field, problem, "give another name")


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
        before, after = (
            "/dev/null" if side is None else str(self.file) for side in (self.before, self.after)
        )
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), before, after)
        ended = (line if line.endswith("\n") else f"{line}\n{_NO_END}" for line in lines)
        return "".join(ended).removesuffix("\n")

    def carry_out(self) -> Path | None:
        """Replace the file's text atomically, or delete the file.

        Returns the path of the backup, None if no text was replaced. A link stays a link, and the
        permissions are kept. Raises `ConfigChanged` if another program has changed the file since
        the change was planned; then, and on an `OSError`, nothing is changed.
        """
        if not self.needed:
            return None
        # Renaming onto a link would replace the link and leave its target unchanged.
        place = Path(os.path.realpath(self.file))
        kept = None
        if self.before is not None and self.after is not None:
            kept = backup_of(place)
            _replace(kept, self.before, like=place)
        place.parent.mkdir(parents=True, exist_ok=True)
        if read_config(place) != self.before:
            raise errors.ConfigChanged(self.file)
        if self.after is None:
            place.unlink(missing_ok=True)
        else:
            _replace(place, self.after, like=place)
        sync_directory(place.parent)
        return kept


def plan_install(
    form: ConfigForm,
    file: Path,
    name: str,
    command: Sequence[str],
    if_taken: Literal["refuse", "replace"] = "refuse",
) -> ClientChange:
    """Change that adds an entry to start a command, under a name, to a client's file.

    The change is empty if an equivalent entry exists, even with additional fields of the client.
    Raises `EntryTaken` if another entry has the name, unless it is to be replaced, and
    `MalformedConfig` for a file that cannot be changed.
    """
    before, document = _read(form, file, name)
    entry = form.entry(command)
    there = document.entries(form.section).get(name)
    if there is not None:
        if isinstance(there, dict) and all(there.get(key) == entry[key] for key in entry):
            return ClientChange(file, before, before)
        if if_taken == "refuse":
            raise errors.EntryTaken(file, name, json.dumps(there, ensure_ascii=False, default=str))
    after = document.with_entry(form.section, name, entry)
    entries = {**document.entries(form.section), name: entry}
    _prove(form, file, after, {**document.value, form.section: entries})
    return ClientChange(file, before, after)


def plan_uninstall(form: ConfigForm, file: Path, name: str) -> ClientChange:
    """Change that removes the entry of a name from a client's file.

    If nothing else has changed since the installation, the file is restored byte by byte, or
    deleted if it did not exist.
    """
    before, document = _read(form, file, name)
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
    rest = {key: value for key, value in entries.items() if key != name}
    _prove(form, file, after, {**document.value, form.section: rest})
    return ClientChange(file, before, after)


def pasted(form: ConfigForm, name: str, command: Sequence[str]) -> str:
    """Text to paste into a client's configuration, in the client's format."""
    _check_name(name)
    text = form.document(Path(), "").with_entry(form.section, name, form.entry(command))
    return text.rstrip("\n")


def _read(form: ConfigForm, file: Path, name: str) -> tuple[str | None, Document]:
    _check_name(name)
    before = read_config(file)
    return before, form.document(file, before or "")


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
        raise errors.InvalidField("name", problem, "give one that every client takes")


def _prove(form: ConfigForm, file: Path, after: str, wanted: Mapping[str, object]) -> None:
    """Raise `MalformedConfig` unless a text parses to exactly the wanted value."""
    with suppress(MalformedConfig):
        if _bare(form.document(file, after).value, form.section) == _bare(wanted, form.section):
            return
    problem = f"has its {form.section} in a form in which one entry cannot be changed alone"
    raise MalformedConfig(file, None, problem, BY_HAND)


def _bare(value: Mapping[str, object], section: str) -> Mapping[str, object]:
    """Value without an empty section, which is equivalent to a missing one."""
    return {key: said for key, said in value.items() if key != section or said}


def _lines(text: str | None) -> list[str]:
    return [line for line in _ENDS.split((text or "").replace("\r\n", "\n")) if line]


def backup_of(file: Path) -> Path:
    """Path of a file's backup: beside the file, or beside the target of a link."""
    place = Path(os.path.realpath(file))
    return place.with_name(place.name + _KEPT)


def read_config(file: Path) -> str | None:
    """Text of a file, or None for no file.

    Raises `MalformedConfig` if it is no regular file, too large or not in UTF-8.
    """
    try:
        content = read_regular(file, _MOST_BYTES)
    except FileNotFoundError:
        return None
    except errors.MalformedFile as error:
        raise MalformedConfig(file, None, error.problem, BY_HAND) from None
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise MalformedConfig(file, line, "is not in UTF-8", BY_HAND) from error


def _replace(place: Path, text: str, like: Path) -> None:
    """Write a text to a temporary file and rename it, with the permissions of `like`."""
    aside = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
    stat = like.stat() if like.exists() else None
    mode = 0o666 if stat is None else 0o600
    try:
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as out:
            if stat is not None:
                # Only a superuser can change a file's owner; any other user owns it already.
                with suppress(PermissionError):
                    os.fchown(descriptor, stat.st_uid, stat.st_gid)
                os.fchmod(descriptor, stat.st_mode & 0o7777)
            out.write(text.encode())
            out.flush()
            os.fsync(descriptor)
        aside.replace(place)
    finally:
        with suppress(FileNotFoundError):
            aside.unlink()
