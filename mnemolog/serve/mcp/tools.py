"""MCP tools: names, descriptions for a model, schemas and handlers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from inspect import signature
from typing import Annotated, Literal, NamedTuple, TypeVar, get_type_hints

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from mnemolog import Memory, Moment, Receipt
from mnemolog.ledger.errors import InvalidField, RedactionNotAllowed
from mnemolog.ledger.events import Importance, MemoryKind, Vote, Winner
from mnemolog.results import converted
from mnemolog.serve.mcp import results
from mnemolog.serve.mcp.results import hit_of, misfit, session_of, short

Hints = Literal["looks", "adds", "destroys"]  # effect of a tool on the memory
Schema = dict[str, object]
Given = TypeVar("Given", bound=Struct)
_UpToHundred = Annotated[int, Meta(ge=1, le=100)]
_Positive = Annotated[int, Meta(ge=1)]


class Call(NamedTuple):
    """Context of a tool call: the caller's memory, and the progress callback."""

    memory: Memory
    progress: Callable[[str, int, int], None]


class Tool(NamedTuple):
    """Tool as offered to clients, with its handler `answer`."""

    name: str
    description: str
    hints: Hints
    given: Schema
    gives: Schema
    answer: Callable[[Call, Mapping[str, object]], results.Result]


class _ToolText(Struct, frozen=True):
    changes: Hints
    description: str


class _Texts(Struct, frozen=True):
    tools: dict[str, _ToolText]
    fields: dict[str, dict[str, str]]


@cache
def _texts() -> _Texts:
    return msgspec.toml.decode(files(__package__).joinpath("tools.toml").read_bytes(), type=_Texts)


def schema_of(structure: type[Struct]) -> Schema:
    """JSON schema of a struct; titles and null defaults are left out to save a model's context."""
    (root,), components = msgspec.json.schema_components([structure], ref_template="#/$defs/{name}")
    objects = {key: _described(key, _shortened(value)) for key, value in components.items()}
    schema = objects.pop(str(root["$ref"]).rpartition("/")[2])
    return {**schema, "$defs": objects} if objects else schema


def _described(name: str, schema: Schema) -> Schema:
    """Schema with descriptions of its fields, without the docstring, which is for developers."""
    properties, texts = schema.get("properties"), _texts().fields
    own = texts.get(name, {})
    if name.startswith("_"):
        own = {**texts["Arguments"], **texts.get(name.removeprefix("_").lower(), {})}
    if isinstance(properties, dict):
        for field in properties.keys() & own.keys():
            properties[field]["description"] = own[field]
    return {key: value for key, value in schema.items() if key != "description"}


def _shortened(schema: Schema) -> Schema:
    """Schema without titles, nulls and empty defaults."""
    left_out = {"title", *(key for key in ("default", "required") if not schema.get(key, True))}
    short = {key: value for key, value in schema.items() if key not in left_out}
    properties, choices = short.get("properties"), short.pop("anyOf", None)
    if isinstance(properties, dict):
        short["properties"] = {name: _shortened(value) for name, value in properties.items()}
    for key in ("items", "additionalProperties"):
        if isinstance(inner := short.get(key), dict):
            short[key] = _shortened(inner)
    if isinstance(choices, list):
        some = [_shortened(one) for one in choices if one != {"type": "null"}]
        short |= some[0] if len(some) == 1 else {"anyOf": some}
    return short


def _made(
    name: str,
    given: type[Given],
    gives: type[Struct],
    function: Callable[[Call, Given], results.Result],
) -> Tool:
    """Tool that checks its arguments by a struct, whose None means that a value is missing."""

    def answer(call: Call, raw: Mapping[str, object]) -> results.Result:
        # A model sometimes writes numbers as strings, and null for a missing value.
        known = {key: value for key, value in raw.items() if value is not None}
        try:
            fitting = converted(known, given, strict=False)
        except msgspec.ValidationError as error:
            raise misfit(error, given) from None
        return function(call, fitting)

    text = _texts().tools[name]
    schemas = schema_of(given), schema_of(gives)
    return Tool(name, text.description, text.changes, *schemas, answer)


def _tool(function: Callable[..., results.Result]) -> Tool:
    """Tool with the name of a function, and schemas of its parameters and result."""
    types = get_type_hints(function, include_extras=True)
    _, *parameters = signature(function).parameters.values()
    given = msgspec.defstruct(
        function.__name__,
        [
            (one.name, types[one.name], *(() if one.default is one.empty else (one.default,)))
            for one in parameters
        ],
        frozen=True,
        forbid_unknown_fields=True,
    )
    name = function.__name__.removeprefix("_")
    return _made(name, given, types["return"], lambda call, given: function(call, **asdict(given)))


class _Remember(Struct, frozen=True, forbid_unknown_fields=True):
    content: str
    kind: MemoryKind | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    valid_from: str | None = None
    valid_until: str | None = None
    importance: Importance | None = None
    lasting: bool | None = None
    id: str | None = None


class _Supersede(Struct, frozen=True, forbid_unknown_fields=True):
    old: tuple[str, ...] | str
    content: str | None = None
    by: str | None = None
    reason: str | None = None
    kind: MemoryKind | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    valid_from: str | None = None


def _command(
    name: str, given: type[Given], command: Callable[[Memory], Callable[..., Receipt]]
) -> Tool:
    """Tool that passes its arguments on to a command."""

    def carry_out(call: Call, given: Given) -> results.Done:
        known = {key: value for key, value in asdict(given).items() if value is not None}
        return short(command(call.memory)(**known), results.Done)

    return _made(name, given, results.Done, carry_out)


@_tool
def _recall(  # noqa: PLR0913 - a tool has a parameter for each of its arguments
    call: Call,
    cue: str,
    *,
    limit: _UpToHundred = 10,
    as_of: int | str | None = None,
    kinds: tuple[MemoryKind, ...] = (),
    tags: tuple[str, ...] = (),
    source: str | None = None,
    valid_at: str | None = None,
    explain: bool = False,
) -> results.ToolRecall:
    call.memory.upkeep.catch_up(call.progress)
    found = _at(call.memory, as_of).recall(
        cue, limit=limit, kinds=kinds, tags=tags, source=source, valid_at=valid_at
    )
    if as_of is None:
        shown_hits = (*found.hits, *found.constraints, *found.instructions)
        call.memory.upkeep.use_shown(shown_hits, cue=cue)
    shown = partial(hit_of, explain=explain)
    return results.ToolRecall(
        hits=tuple(map(shown, found.hits)),
        as_of=short(found.as_of, results.ToolAsOf),
        support=found.support,
        constraints=tuple(map(shown, found.constraints)),
        instructions=tuple(map(shown, found.instructions)),
        conflicts=tuple(map(shown, found.conflicts)),
        brought=tuple(map(shown, found.brought)),
        message=found.message,
        why=found.why if explain else None,
        unembedded=found.unembedded,
    )


@_tool
def _recall_session_start(
    call: Call,
    query: str,
    entity: str | None = None,
    limit: Annotated[int, Meta(ge=1, le=50)] = 5,
    max_rounds: Annotated[int, Meta(ge=1, le=20)] = 4,
) -> results.ToolSession:
    call.memory.upkeep.catch_up(call.progress)
    start = call.memory.sessions.start
    return session_of(start(query, entity=entity, limit=limit, max_rounds=max_rounds))


@_tool
def _recall_vote(call: Call, session_id: str, votes: dict[str, Vote]) -> results.ToolSession:
    return session_of(call.memory.sessions.vote(session_id, votes))


@_tool
def _recall_resolve(
    call: Call, session_id: str, accepted_memory_ids: tuple[str, ...] = (), note: str | None = None
) -> results.ToolResolution:
    done = call.memory.sessions.resolve(session_id, accepted_memory_ids, note=note)
    return short(done, results.ToolResolution)


@_tool
def _context(
    call: Call, prompt: str, budget: _Positive = 8_000, task: str | None = None
) -> results.Assembled:
    call.memory.upkeep.catch_up(call.progress)
    found = call.memory.context(prompt, budget=budget, task=task or ())
    if found.memory_ids:
        call.memory.use(*found.memory_ids, cue=prompt)
    left_out: dict[str, int] = dict(Counter(one.reason for one in found.left_out))
    return results.Assembled(found.text, found.tokens, found.memory_ids, left_out, found.message)


@_tool
def _settle(
    call: Call, conflict_ids: Annotated[tuple[str, ...], Meta(min_length=1)], winner: Winner
) -> results.Done:
    settle = call.memory.conflicts.settle
    done = [settle(one, winner) for one in conflict_ids]
    changed = tuple(said for receipt in done for said in receipt.changed)
    return results.Done(done[-1].position, changed)


@_tool
def _plan(
    call: Call, goal: str, options: tuple[str, ...] = (), limit: _UpToHundred = 20
) -> results.Planned:
    call.memory.upkeep.catch_up(call.progress)
    found = call.memory.plan(goal, options, limit=limit)
    call.memory.upkeep.use_shown(found.constraints, cue=goal)
    ranked = tuple(short(one, results.ToolOption) for one in found.options)
    return results.Planned(ranked, tuple(map(hit_of, found.constraints)))


@_tool
def _history(
    call: Call, memory_id: str, as_of: int | str | None = None, limit: _Positive = results.EVENTS
) -> results.ToolHistory:
    return results.tool_history(_at(call.memory, as_of).history(memory_id), limit)


@_tool
def _pin(
    call: Call, memory_id: str, until: str | None = None, reason: str | None = None
) -> results.Done:
    return short(call.memory.pin(memory_id, until=until, reason=reason), results.Done)


@_tool
def _unpin(call: Call, memory_id: str, reason: str | None = None) -> results.Done:
    return short(call.memory.unpin(memory_id, reason=reason), results.Done)


@_tool
def _redact(
    call: Call, memory_ids: Annotated[tuple[str, ...], Meta(min_length=1)], reason: str
) -> results.ToolRedaction:
    if not call.memory.settings().agents_may_redact:
        raise RedactionNotAllowed(call.memory.space)
    done = call.memory.redact(*memory_ids, reason=reason)
    return replace(short(done, results.ToolRedaction), changed=(*done.changed, *done.warnings))


def _at(memory: Memory, as_of: int | str | None) -> Memory | Moment:
    if as_of is None:
        return memory
    if isinstance(as_of, str) and (digits := as_of.removeprefix("@")).isdecimal():
        # A model may write a position as a string, or as `@12` like in notes. Python parses at most
        # 4,300 digits.
        return memory.as_of(int(digits[:20]))
    return memory.as_of(as_of)


TOOLS = (
    _command("remember", _Remember, lambda memory: memory.remember),
    *(_recall, _recall_session_start, _recall_vote, _recall_resolve, _context),
    _command("supersede", _Supersede, lambda memory: memory.supersede),
    *(_settle, _plan, _history, _pin, _unpin, _redact),
)
NAMES = tuple(tool.name for tool in TOOLS)
# Few by default, because the descriptions of tools are in every context.
DEFAULT = NAMES[: NAMES.index("settle") + 1]


def tools_named(names: Sequence[str]) -> tuple[Tool, ...]:
    """Tools by name, in order; for no name the default, for `all` every. Raises `InvalidField`."""
    for name in names:
        if name not in {*NAMES, "all"}:
            known = ", ".join(("all", *NAMES))
            raise InvalidField("tools", f"{name!r} is unknown", f"use some of {known}")
    wanted = NAMES if "all" in names else names or DEFAULT
    return tuple(tool for tool in TOOLS if tool.name in wanted)


def tools_of(words: str) -> tuple[Tool, ...]:
    """Tools named in a comma-separated option. Raises `InvalidField`."""
    return tools_named([name.strip() for name in words.split(",") if name.strip()])
