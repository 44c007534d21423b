"""Error messages for a model: the only place where errors become text for it."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from mnemolog.ledger import errors
from mnemolog.ledger.errors import InvalidField, LedgerError

_PERSON = "tell the user: only a person can mend this"
_LATER = "try again in a moment"
_STORAGE = "tell the user, who has to make room or see to the disk and the permissions"
_RECALL = "use the memory_id that a recall or another tool gave"

ADVICE: Mapping[type[LedgerError], str] = {
    errors.ContentTooLarge: "split it into several memories",
    errors.UnknownMemory: _RECALL,
    errors.UnknownEvent: _RECALL,
    errors.ImmutableMemory: (
        "that cannot be done from here: tell the user, who can override it on the command line"
    ),
    errors.SupersessionCycle: "recall both to see which of them holds",
    errors.LogBusy: _LATER,
    errors.StaleExpectation: _LATER,
    errors.StorageFailed: _STORAGE,
    errors.OutcomeUnknown: (
        f"it may be stored all the same: recall it before you try again; {_STORAGE}"
    ),
    errors.CorruptLog: _PERSON,
    errors.LogShortened: _PERSON,
    errors.LogReplaced: _PERSON,
    errors.MissingLog: _PERSON,
    errors.ForeignFormat: _PERSON,
    errors.EmbedderUnavailable: _PERSON,
    errors.UnsafeLibrary: _PERSON,
    errors.ClosedHandle: "the server is shutting down; try again when it is back",
}
"""What to do about an error, where its own words are for a command line or say nothing of it."""

_LONGEST = 300
_AT = re.compile(r" - at `\$\.?(.+)`$")
_FIELD = re.compile(r"field `(.+)`$")


class UnknownTool(InvalidField):
    """Error for a call of a tool that the server does not offer."""

    def __init__(self, name: str, offered: tuple[str, ...]) -> None:
        super().__init__(
            "tool", f"{name!r} is not offered here", f"use one of {', '.join(offered)}"
        )
        self.name = name
        self.offered = offered


def told(error: Exception) -> str:
    """Error text for a model: the class, the problem, and what to do.

    For a defect it contains only the class, because the message may quote any content.
    """
    name = type(error).__name__
    if isinstance(error, LedgerError):
        advice = next((ADVICE[one] for one in type(error).__mro__ if one in ADVICE), None)
        problem, _, fix = str(error).rpartition("; ")
        if not problem:
            problem, fix = fix, ""
        if len(problem) > _LONGEST:
            # It quotes input of the model, which recognises the beginning.
            problem = f"{problem[:_LONGEST]}…"
        return f"{name}: {'; '.join(filter(None, (problem, advice or fix)))}"
    if isinstance(error, OSError):
        return f"{name}: a file of the ledger cannot be used; {_PERSON}"
    return f"Unexpected: a defect of the server ({name}); tell the user"


def misfit(error: msgspec.ValidationError, given: type[msgspec.Struct]) -> InvalidField:
    """Validation error of tool arguments, as an `InvalidField` that names the field."""
    words = str(error)
    at, field = _AT.search(words), _FIELD.search(words)
    if at is not None:
        problem = words[: at.start()].replace("Expected", "wants").replace("got", "not")
        return InvalidField(at[1], problem, "see the tool's input schema")
    if field is not None and "missing" in words:
        return InvalidField(field[1], "is missing", "give it")
    return InvalidField(
        "arguments" if field is None else field[1],
        "is unknown here",
        f"this tool takes {', '.join(one.encode_name for one in msgspec.structs.fields(given))}",
    )
