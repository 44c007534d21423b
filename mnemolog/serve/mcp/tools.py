"""MCP tools: names, descriptions for a model, schemas and handlers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, NamedTuple, TypeVar, get_type_hints

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from mnemolog import Memory, Moment, Receipt
from mnemolog.ledger.errors import InvalidField, RedactionNotAllowed
from mnemolog.ledger.events import Importance, MemoryKind, Vote
from mnemolog.results import converted
from mnemolog.serve.mcp import results
from mnemolog.serve.mcp.results import hit_of, misfit, short

Hints = Literal["looks", "adds", "adds once", "destroys"]
"""Effect of a tool: it changes nothing, adds, adds once if the call is repeated, or destroys."""
Progress = Callable[[str, int, int], None]
Schema = dict[str, object]


class _Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of a tool: the source of its input schema.

    A field with the default None is optional in the schema; a null is treated as missing.
    """


Given = TypeVar("Given", bound=_Arguments)
_UpToHundred = Annotated[int, Meta(ge=1, le=100)]
_Positive = Annotated[int, Meta(ge=1)]


class Call(NamedTuple):
    """Context of a tool call: the caller's memory, and the progress callback."""

    memory: Memory
    progress: Progress


class Tool(NamedTuple):
    """Tool as offered to clients, with its handler `answer`."""

    name: str
    description: str
    hints: Hints
    given: Schema
    gives: Schema
    answer: Callable[[Call, Mapping[str, object]], results.Result]


class _ToolText(msgspec.Struct, frozen=True):
    changes: Hints
    description: str


class _Texts(msgspec.Struct, frozen=True):
    tools: dict[str, _ToolText]
    fields: dict[str, dict[str, str]]


@cache
def _texts() -> _Texts:
    """Descriptions of tools and fields for a model, from `tools.toml`."""
    return msgspec.toml.decode(files(__package__).joinpath("tools.toml").read_bytes(), type=_Texts)


def schema_of(structure: type[msgspec.Struct]) -> Schema:
    """JSON schema of a struct; titles and null defaults are left out to save a model's context."""
    (root,), components = msgspec.json.schema_components([structure], ref_template="#/$defs/{name}")
    objects = {key: _described(key, _shortened(value)) for key, value in components.items()}
    schema = objects.pop(str(root["$ref"]).rpartition("/")[2])
    return {**schema, "$defs": objects} if objects else schema


def _described(name: str, schema: Schema) -> Schema:
    """Schema with descriptions of its fields, without the docstring, which is for developers."""
    properties = schema.get("properties")
    texts = _texts().fields
    if isinstance(properties, dict):
        shared = texts["Arguments"] if name.startswith("_") else {}
        for field in properties:
            if text := {**shared, **texts.get(name.removeprefix("_"), {})}.get(field):
                properties[field]["description"] = text
    return {key: value for key, value in schema.items() if key != "description"}


def _shortened(schema: Schema) -> Schema:
    """Schema without titles, nulls and empty defaults."""
    short = {key: value for key, value in schema.items() if key not in {"title", "default"}}
    if schema.get("default"):
        short["default"] = schema["default"]
    properties = short.get("properties")
    if isinstance(properties, dict):
        short["properties"] = {name: _shortened(value) for name, value in properties.items()}
    for key in ("items", "additionalProperties"):
        inner = short.get(key)
        if isinstance(inner, dict):
            short[key] = _shortened(inner)
    choices = short.get("anyOf")
    if isinstance(choices, list):
        del short["anyOf"]
        some = [_shortened(one) for one in choices if one != {"type": "null"}]
        short |= some[0] if len(some) == 1 else {"anyOf": some}
    if not short.get("required", True):
        del short["required"]
    return short


def _tool(function: Callable[[Call, Given], results.Result]) -> Tool:
    """Tool with the name of a function, and schemas of its arguments and result."""
    name, types = function.__name__.removeprefix("_"), get_type_hints(function)
    given: type[Given] = types["given"]

    def answer(call: Call, raw: Mapping[str, object]) -> results.Result:
        # A model sometimes writes numbers as strings, and null for a missing value.
        known = {key: value for key, value in raw.items() if value is not None}
        try:
            fitting = converted(known, given, strict=False)
        except msgspec.ValidationError as error:
            raise misfit(error, given) from None
        return function(call, fitting)

    text = _texts().tools[name]
    schemas = schema_of(given), schema_of(types["return"])
    return Tool(name, text.description, text.changes, *schemas, answer)


class _Remember(_Arguments, frozen=True):
    content: str
    kind: MemoryKind | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    valid_from: str | None = None
    valid_until: str | None = None
    importance: Importance | None = None
    lasting: bool | None = None
    id: str | None = None


@_tool
def _remember(call: Call, given: _Remember) -> results.Done:
    return _done(call.memory.remember, given)


class _Recall(_Arguments, frozen=True):
    cue: str
    limit: _UpToHundred = 10
    as_of: int | str | None = None
    kinds: tuple[MemoryKind, ...] = ()
    tags: tuple[str, ...] = ()
    source: str | None = None
    valid_at: str | None = None
    explain: bool = False


@_tool
def _recall(call: Call, given: _Recall) -> results.ToolRecall:
    call.memory.upkeep.catch_up(call.progress)
    found = _at(call.memory, given.as_of).recall(
        given.cue,
        limit=given.limit,
        kinds=given.kinds,
        tags=given.tags,
        source=given.source,
        valid_at=given.valid_at,
    )
    if given.as_of is None:
        call.memory.upkeep.use_shown((*found.hits, *found.constraints), cue=given.cue)
    shown = results.explained if given.explain else hit_of
    return results.ToolRecall(
        hits=tuple(map(shown, found.hits)),
        as_of=short(found.as_of, results.ToolAsOf),
        support=found.support,
        constraints=tuple(map(shown, found.constraints)),
        conflicts=tuple(map(shown, found.conflicts)),
        brought=tuple(map(shown, found.brought)),
        message=found.message,
        why=found.why if given.explain else None,
    )


class _SessionStart(_Arguments, frozen=True):
    query: str
    entity: str | None = None
    limit: Annotated[int, Meta(ge=1, le=50)] = 5
    max_rounds: Annotated[int, Meta(ge=1, le=20)] = 4


@_tool
def _recall_session_start(call: Call, given: _SessionStart) -> results.ToolSession:
    call.memory.upkeep.catch_up(call.progress)
    return results.session_of(call.memory.sessions.start(**asdict(given)))


class _SessionVote(_Arguments, frozen=True):
    session_id: str
    votes: dict[str, Vote]


@_tool
def _recall_vote(call: Call, given: _SessionVote) -> results.ToolSession:
    return results.session_of(call.memory.sessions.vote(given.session_id, given.votes))


class _SessionResolve(_Arguments, frozen=True):
    session_id: str
    accepted_memory_ids: tuple[str, ...] = ()
    note: str | None = None


@_tool
def _recall_resolve(call: Call, given: _SessionResolve) -> results.ToolResolution:
    accepted = given.accepted_memory_ids
    done = call.memory.sessions.resolve(given.session_id, accepted, note=given.note)
    return short(done, results.ToolResolution)


class _Context(_Arguments, frozen=True):
    prompt: str
    budget: _Positive = 8_000
    task: str | None = None


@_tool
def _context(call: Call, given: _Context) -> results.Assembled:
    call.memory.upkeep.catch_up(call.progress)
    found = call.memory.context(given.prompt, budget=given.budget, task=given.task or ())
    if found.memory_ids:
        call.memory.use(*found.memory_ids, cue=given.prompt)
    left_out: dict[str, int] = dict(Counter(one.reason for one in found.left_out))
    return results.Assembled(found.text, found.tokens, found.memory_ids, left_out, found.message)


class _Supersede(_Arguments, frozen=True):
    old: tuple[str, ...] | str
    content: str | None = None
    by: str | None = None
    reason: str | None = None
    kind: MemoryKind | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    valid_from: str | None = None


@_tool
def _supersede(call: Call, given: _Supersede) -> results.Done:
    return _done(call.memory.supersede, given)


class _Plan(_Arguments, frozen=True):
    goal: str
    options: tuple[str, ...] = ()
    limit: _UpToHundred = 20


@_tool
def _plan(call: Call, given: _Plan) -> results.Planned:
    call.memory.upkeep.catch_up(call.progress)
    found = call.memory.plan(given.goal, given.options, limit=given.limit)
    call.memory.upkeep.use_shown(found.constraints, cue=given.goal)
    options = tuple(short(one, results.ToolOption) for one in found.options)
    return results.Planned(options, tuple(map(hit_of, found.constraints)))


class _History(_Arguments, frozen=True):
    memory_id: str
    as_of: int | str | None = None
    limit: _Positive = results.EVENTS


@_tool
def _history(call: Call, given: _History) -> results.Told:
    return results.told(_at(call.memory, given.as_of).history(given.memory_id), given.limit)


class _Pin(_Arguments, frozen=True):
    memory_id: str
    until: str | None = None
    reason: str | None = None


@_tool
def _pin(call: Call, given: _Pin) -> results.Done:
    receipt = call.memory.pin(given.memory_id, until=given.until, reason=given.reason)
    return short(receipt, results.Done)


class _Unpin(_Arguments, frozen=True):
    memory_id: str
    reason: str | None = None


@_tool
def _unpin(call: Call, given: _Unpin) -> results.Done:
    return short(call.memory.unpin(given.memory_id, reason=given.reason), results.Done)


class _Redact(_Arguments, frozen=True):
    memory_ids: Annotated[tuple[str, ...], Meta(min_length=1)]
    reason: str


@_tool
def _redact(call: Call, given: _Redact) -> results.ToolRedaction:
    if not call.memory.settings().agents_may_redact:
        raise RedactionNotAllowed(call.memory.space)
    done = call.memory.redact(*given.memory_ids, reason=given.reason)
    return replace(short(done, results.ToolRedaction), changed=(*done.changed, *done.warnings))


def _done(command: Callable[..., Receipt], given: _Arguments) -> results.Done:
    """Short receipt of a command called with the given arguments as keywords."""
    known = {key: value for key, value in asdict(given).items() if value is not None}
    return short(command(**known), results.Done)


def _at(memory: Memory, as_of: int | str | None) -> Memory | Moment:
    """Memory as it is now, or as of a past moment."""
    if as_of is None:
        return memory
    if isinstance(as_of, str) and (digits := as_of.removeprefix("@")).isdecimal():
        # A model may write a position as a string, or as `@12` like in notes. Python parses at most
        # 4,300 digits.
        return memory.as_of(int(digits[:20]))
    return memory.as_of(as_of)


TOOLS = (
    *(_remember, _recall, _recall_session_start, _recall_vote, _recall_resolve, _context),
    *(_supersede, _plan, _history, _pin, _unpin, _redact),
)
NAMES = tuple(tool.name for tool in TOOLS)
DEFAULT = NAMES[: NAMES.index("supersede") + 1]
"""Tools offered by default: few, because their descriptions are in every context."""


def tools_named(names: Sequence[str]) -> tuple[Tool, ...]:
    """Tools by name, in the order of `TOOLS`; `all` names every tool, no name the default.

    Raises `InvalidField` for an unknown name.
    """
    for name in names:
        if name not in {*NAMES, "all"}:
            known = ", ".join(("all", *NAMES))
            raise InvalidField("tools", f"{name!r} is unknown", f"use some of {known}")
    wanted = NAMES if "all" in names else names or DEFAULT
    return tuple(tool for tool in TOOLS if tool.name in wanted)


def tools_of(words: str) -> tuple[Tool, ...]:
    """Tools named in a comma-separated option. Raises `InvalidField`."""
    return tools_named([name.strip() for name in words.split(",") if name.strip()])
