"""Tools: their names, their descriptions for a model, and their annotations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeVar

import msgspec

from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.mcp import answers, arguments, results
from mnemolog.serve.mcp.answers import Call
from mnemolog.serve.mcp.errors import misfit
from mnemolog.serve.mcp.schemas import Schema, schema_of

Given = TypeVar("Given", bound=arguments.Arguments)
Answer = Callable[[Call, Mapping[str, object]], results.Result]
Hints = Literal["looks", "adds", "adds once", "destroys"]
"""What a tool does to the memory: nothing; it adds something, or the same but once; it destroys."""


class Tool(NamedTuple):
    """A tool as it is offered, and what answers it."""

    name: str
    description: str
    hints: Hints
    given: Schema
    gives: Schema
    answer: Answer


def _tool(  # noqa: PLR0913, PLR0917 - a row of the table below
    name: str,
    description: str,
    hints: Hints,
    given: type[Given],
    gives: type[results.Result],
    answer: Callable[[Call, Given], results.Result],
) -> Tool:
    def answered(call: Call, raw: Mapping[str, object]) -> results.Result:
        try:
            # A model sometimes writes numbers as strings, and null for a missing value.
            fitting = msgspec.convert(
                {key: value for key, value in raw.items() if value is not None}, given, strict=False
            )
        except msgspec.ValidationError as error:
            raise misfit(error, given) from None
        return answer(call, fitting)

    return Tool(name, description, hints, schema_of(given), schema_of(gives), answered)


TOOLS: tuple[Tool, ...] = (
    _tool(
        "remember",
        "Store what is worth knowing in later conversations: a fact, a decision, a preference, "
        "how something is done. What it contradicts or corrects is found and settled.",
        "adds",
        arguments.Remember,
        results.Done,
        answers.remember,
    ),
    _tool(
        "recall",
        "Find what was remembered about something, now or as of a past moment, best first. "
        "Where it finds nothing, a recall session may.",
        "looks",
        arguments.Recall,
        results.Recalled,
        answers.recall,
    ),
    _tool(
        "recall_session_start",
        "Look for something in rounds, where one recall does not find it: what comes is voted on, "
        "and the votes steer the next round.",
        "adds",
        arguments.SessionStart,
        results.Session,
        answers.session_start,
    ),
    _tool(
        "recall_vote",
        "Vote on what a recall session showed; gives the next round. At converged, resolve it.",
        "adds",
        arguments.SessionVote,
        results.Session,
        answers.session_vote,
    ),
    _tool(
        "recall_resolve",
        "End a recall session by naming what answered, so that the like is found sooner.",
        "adds",
        arguments.SessionResolve,
        results.Resolved,
        answers.session_resolve,
    ),
    _tool(
        "context",
        "Put together what to go by when answering a prompt: rules, preferences, procedures and "
        "memories, to a budget of tokens.",
        "adds",
        arguments.Context,
        results.Assembled,
        answers.context,
    ),
    _tool(
        "supersede",
        "Replace memories that no longer hold by a newer one; the old ones stay as its history.",
        "adds",
        arguments.Supersede,
        results.Done,
        answers.supersede,
    ),
    _tool(
        "plan",
        "Rank options by the constraints that are remembered, and say what each violates and why.",
        "looks",
        arguments.Plan,
        results.Planned,
        answers.plan,
    ),
    _tool(
        "history",
        "Tell what happened to a memory, and to what it replaced or what replaced it.",
        "looks",
        arguments.History,
        results.Told,
        answers.history,
    ),
    _tool(
        "pin",
        "Hold a memory in working memory, so that it comes first in every context.",
        "adds once",
        arguments.Pin,
        results.Done,
        answers.pin,
    ),
    _tool(
        "unpin",
        "Let a memory go from working memory; it stays remembered.",
        "adds once",
        arguments.Unpin,
        results.Done,
        answers.unpin,
    ),
    _tool(
        "redact",
        "Destroy what memories say, for good, with what was made from them. Only when the user "
        "asks for it.",
        "destroys",
        arguments.Redact,
        results.Destroyed,
        answers.redact,
    ),
)
NAMES = tuple(tool.name for tool in TOOLS)
DEFAULT = (
    "remember",
    "recall",
    "recall_session_start",
    "recall_vote",
    "recall_resolve",
    "context",
    "supersede",
)
"""The tools that are offered unless others are asked for: few, for they stand in every context."""


def tools_named(names: Sequence[str]) -> tuple[Tool, ...]:
    """Tools of these names, in the order of the table; `all` is every one, none the default.

    Raises `InvalidField` for an unknown name.
    """
    for name in names:
        if name not in {*NAMES, "all"}:
            known = ", ".join(("all", *NAMES))
            raise InvalidField("tools", f"{name!r} is unknown", f"use some of {known}")
    wanted = NAMES if "all" in names else names or DEFAULT
    return tuple(tool for tool in TOOLS if tool.name in wanted)


def tools_of(words: str) -> tuple[Tool, ...]:
    """Tools of a comma-separated option. Raises `InvalidField`."""
    return tools_named([name.strip() for name in words.split(",") if name.strip()])
