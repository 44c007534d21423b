"""Transcript reader for coding agents: one memory per message."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

import msgspec

from mnemolog.application.imports import files
from mnemolog.application.transfer.exports import AS_EVENTS, is_export
from mnemolog.language.lists import Lists
from mnemolog.ledger.errors import InvalidField
from mnemolog.policies.memories import NewMemory

SUFFIXES = frozenset({".jsonl"})

_LISTS = Lists("mnemolog.application.imports", "transcripts")
_CLAUDE_INJECTED = _LISTS.pattern("claude_injected")
_CLAUDE_COMMAND = _LISTS.pattern("claude_command")
_CODEX_INJECTED = _LISTS.pattern("codex_injected")
_SPEAKERS = frozenset({"user", "assistant"})
_MOST_INJECTED = 1_000
_LONGEST_COMMAND = 100_000


class _Block(msgspec.Struct, frozen=True):
    type: str
    text: str | None = None


class _Message(msgspec.Struct, frozen=True):
    content: str | list[_Block]
    model: str | None = None


class _ClaudeLine(msgspec.Struct, frozen=True, rename="camel"):
    type: str
    message: _Message
    uuid: str
    session_id: str
    timestamp: str | None = None
    cwd: str | None = None
    is_meta: bool = False
    is_sidechain: bool = False
    is_compact_summary: bool = False
    is_api_error_message: bool = False


class _CodexMessage(msgspec.Struct, frozen=True):
    role: str
    content: list[_Block]


class _CodexThread(msgspec.Struct, frozen=True):
    id: str
    cwd: str | None = None
    source: object = None


class _Said(NamedTuple):
    by: str
    text: str
    at: str | None
    run: str
    origin: str
    cwd: str | None


def read_transcript(
    path: Path | str, space: str, *, user: str = "user"
) -> Iterator[files.ReadItem]:
    """Messages of the user and the agent, from one transcript or a folder of them, in order.

    Reads session files of Claude Code and rollout files of Codex. Each message is an episodic
    memory with its original time. Its source is `user:` and the given name, `agent:claude-code`
    or `agent:codex`; the conversation is its run and source note, the working folder its place.
    A message's origin is its own id in Claude Code, whose resumed and forked sessions repeat
    it, or its line in the session in Codex.

    Skipped are the agent's thinking, tool calls and their output, messages of subagents,
    summaries of compacted conversations, and text that the program adds in the user's name
    (reminders, environments, output of commands): as memories they would state what nobody said.
    An unreadable line yields a `Problem`. Raises `InvalidField` if `path` does not exist.
    """
    return _items(files.existing(path), space, user)


def is_transcript_line(line: Mapping[str, object]) -> bool:
    """True if a JSON object looks like a line of a known transcript format."""
    kind = line.get("type")
    if _is_one_of(kind, _LISTS.words("codex_types")):
        return isinstance(line.get("payload"), dict)
    return isinstance(kind, str) and not _LISTS.words("claude_keys").isdisjoint(line)


def _is_one_of(value: object, names: frozenset[str]) -> bool:
    # The JSON value may not be hashable.
    return isinstance(value, str) and value in names


def _items(path: Path, space: str, user: str) -> Iterator[files.ReadItem]:
    problems: list[files.Problem] = []
    for file in files.files_under(path, SUFFIXES, problems):
        yield from _messages(file, space, user)
    yield from problems


def _messages(file: Path, space: str, user: str) -> Iterator[files.ReadItem]:
    thread: _CodexThread | None = None
    recognised = False
    early = files.Problems()
    for line in files.json_lines(file):
        if isinstance(line, files.Problem):
            if recognised:
                yield line
            else:
                early.add(line)
            continue
        if not recognised and is_transcript_line(line.fields):
            recognised = True
            yield from early.shown()
        where = f"{file}:{line.number}"
        try:
            # A forked session repeats the opening line of its parent session.
            if thread is None and line.fields.get("type") == "session_meta":
                thread = msgspec.convert(line.fields.get("payload"), _CodexThread)
            said = _claude_said(line) or _codex_said(line, thread)
            if said is not None and said.text:
                yield _item(said, space, user, where)
        except InvalidField as error:
            yield files.refused(where, error)
        except msgspec.ValidationError as error:
            yield files.Problem(where, f"is not as expected: {error}", "the rest was read")
    if not recognised:
        yield _no_transcript(file, early.shown())


def _no_transcript(file: Path, problems: Sequence[files.Problem]) -> files.Problem:
    if is_export(file):
        return files.Problem(str(file), "is an export of events, no transcript", AS_EVENTS)
    first = f": {problems[0].where} {problems[0].what}" if problems else ""
    fix = "import it as jsonl if it holds memories"
    return files.Problem(str(file), f"holds no known transcript{first}", fix)


def _item(said: _Said, space: str, user: str, where: str) -> files.ImportItem:
    folder = said.cwd or ""
    path = PureWindowsPath(folder) if "\\" in folder else PurePosixPath(folder)
    memory = NewMemory(
        content=said.text,
        kind="episodic",
        source=f"user:{user}" if said.by == "user" else f"agent:{said.by}",
        source_note=f"thread:{said.run}",
        place=files.printable(path.name).strip() or None,
        valid_from=said.at,
    )
    return files.import_item(space, memory, origin=said.origin, where=where, run=said.run)


def _claude_said(line: files.NumberedObject) -> _Said | None:
    if not _is_one_of(line.fields.get("type"), _SPEAKERS):
        return None
    told = msgspec.convert(line.fields, _ClaudeLine)
    aside = told.is_meta or told.is_sidechain or told.is_compact_summary
    if aside or told.is_api_error_message or told.message.model == "<synthetic>":
        return None
    own = told.type == "user"
    by = "user" if own else "claude-code"
    text = _joined(told.message.content, "text", _typed_to_claude if own else str)
    at, run, cwd = told.timestamp, told.session_id, told.cwd
    return _Said(by, text, at, run, f"claude-code:{told.uuid}", cwd)


def _codex_said(line: files.NumberedObject, thread: _CodexThread | None) -> _Said | None:
    payload = line.fields.get("payload")
    if line.fields.get("type") != "response_item" or not isinstance(payload, dict):
        return None
    if thread is None:
        raise InvalidField("session_meta", "does not come before this line", "restore the file")
    if isinstance(thread.source, dict) and "subagent" in thread.source:
        return None
    if payload.get("type") != "message" or not _is_one_of(payload.get("role"), _SPEAKERS):
        return None
    told = msgspec.convert(payload, _CodexMessage)
    if told.role == "user":
        by, text = "user", _joined(told.content, "input_text", _typed_to_codex)
    else:
        by, text = "codex", _joined(told.content, "output_text", str)
    at = msgspec.convert(line.fields.get("timestamp"), str | None) if text else None
    return _Said(by, text, at, thread.id, f"codex:{thread.id}#{line.number}", thread.cwd)


def _typed_to_codex(text: str) -> str:
    if text.lstrip().startswith("# Context from my IDE"):
        return text.rpartition("## My request for Codex:")[2]
    return "" if _CODEX_INJECTED.fullmatch(text) else text


def _typed_to_claude(text: str) -> str:
    # A command as it was typed.
    own = _without_injected(text)
    if len(own) <= _LONGEST_COMMAND and (command := _CLAUDE_COMMAND.fullmatch(own)):
        words = (command["words"] or "").strip()
        return f"{command['name'].strip()} {words}" if words else ""
    return "" if own.lstrip().startswith("[Request interrupted by user") else own


def _without_injected(text: str) -> str:
    """Text without the first thousand elements that the program added to it."""
    # One pattern for whole elements would be quadratic: for each unclosed element it would
    # search the rest of the text.
    kept, end = "", 0
    unclosed: set[str] = set()
    for opening in islice(_CLAUDE_INJECTED.finditer(text), _MOST_INJECTED):
        tag = f"</{opening[1]}>"
        if opening.start() < end or tag in unclosed:
            continue
        if (closing := text.find(tag, opening.end())) < 0:
            unclosed.add(tag)
        else:
            kept += text[end : opening.start()]
            end = closing + len(tag)
    return kept + text[end:]


def _joined(content: str | list[_Block], kind: str, typed: Callable[[str], str]) -> str:
    if isinstance(content, str):
        texts = [content]
    else:
        texts = [block.text for block in content if block.type == kind and block.text]
    return "\n\n".join(bare for text in texts if (bare := typed(text).strip()))
