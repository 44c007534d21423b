"""Prompt hook for coding agents: reads a prompt, prints the context to add.

The format is that of Claude Code's `UserPromptSubmit` hooks. A JSON object arrives on
standard input, of which `prompt` and `session_id` are used. With exit code 0, standard
output is added to the context, as plain text or as `hookSpecificOutput.additionalContext`
of a JSON object; empty output adds nothing. Exit code 2 would block the prompt, and any
other would show an error. So on any failure the hook exits with 0 and writes only to
standard error.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import monotonic
from typing import Literal, NamedTuple

from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.child import Deliver, delivered_within

Form = Literal["json", "text"]

_INPUT_BYTES = 4 << 20
_FOR_LAYERS = 0.8
"""The share of the time in which layers are asked: the rest is for telling what came of it."""
_SHORTEST_S = 0.001
_EVENT = "UserPromptSubmit"
_LONGEST_RUN = 200
_FORM = 'give an object like {"prompt": "…", "session_id": "…"}'


def run_prompt_hook(home: Path | None, space: str, limit_ms: int, form: Form) -> None:
    """Read a prompt from standard input, and print the context for it, within the limit.

    Prints nothing for a prompt that is not recall, or on a failure; the reason goes to
    standard error. Always returns.
    """
    limit_s = limit_ms / 1000
    until = monotonic() + _FOR_LAYERS * limit_s

    def work(deliver: Deliver) -> None:
        _answer(deliver, home, space, form, until)

    try:
        output, problem = delivered_within(limit_s, work)
        if problem is not None:
            os.write(2, f"mnemolog hook: {problem}\n".encode())
        sys.stdout.flush()
        while output:
            output = output[os.write(1, output) :]
    except (OSError, KeyboardInterrupt):
        # No process could be started, or nobody reads the output: nothing more can be reported.
        return


def _answer(deliver: Deliver, home: Path | None, space: str, form: Form, until: float) -> None:
    given = _prompt(sys.stdin.buffer.read(_INPUT_BYTES + 1))
    if given is None:
        deliver(b"")
        return
    if home is not None:
        _check_home(home)
    import msgspec  # noqa: PLC0415 - only in the child, after the cheap checks

    from mnemolog import Memory, default_home  # noqa: PLC0415 - 150 ms

    if home is None:
        home = default_home()
        _check_home(home)
    with Memory.open(home, space, actor="system:hook") as memory:
        left = max(_SHORTEST_S, until - monotonic())
        asked = memory.ask(given.text, session=given.session, within_s=left)
        context = asked.context if asked.layer is not None else ""
        if form == "json" and context:
            told = {"hookEventName": given.event, "additionalContext": context}
            deliver(msgspec.json.encode({"hookSpecificOutput": told}))
        else:
            deliver(_printable(context).encode(errors="replace"))
        # Report the uses only now, after the answer is delivered.
        used = [one.memory_id for one in asked.passages if context and one.memory_id is not None]
        if used:
            memory.use(*used)


def _check_home(home: Path) -> None:
    ledger = home / "ledger.db"
    if not ledger.is_file() or not ledger.stat().st_size:
        # Opening it would create a new ledger, and reporting an empty one would mislead.
        raise InvalidField("home", f"{home} holds no ledger", "name the home with --home")


def _printable(text: str) -> str:
    return "".join(one for one in text if one.isprintable() or one in "\n\t")


class _Prompt(NamedTuple):
    """Input from an agent client: the fields that are used."""

    text: str
    session: str | None
    event: str


def _prompt(given: bytes) -> _Prompt | None:
    """Prompt in the input, None if it is blank. Raises `InvalidField` for any other input."""
    import json  # noqa: PLC0415 - only in the child

    if len(given) > _INPUT_BYTES:
        raise InvalidField("input", "is larger than 4 MiB", "give the prompt alone")
    try:
        fields = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise InvalidField("input", f"is no JSON: {error}", _FORM) from None
    prompt = fields.get("prompt") if isinstance(fields, dict) else None
    if not isinstance(prompt, str):
        raise InvalidField("prompt", "is missing, or no text", _FORM)
    if not prompt.strip():
        return None
    session, event = fields.get("session_id"), fields.get("hook_event_name")
    named = isinstance(session, str) and session.isprintable() and 0 < len(session) <= _LONGEST_RUN
    return _Prompt(
        # JSON can encode a lone surrogate, which is not a valid character.
        prompt.encode("utf-8", "replace").decode(),
        session if named else None,
        event if isinstance(event, str) and event else _EVENT,
    )
