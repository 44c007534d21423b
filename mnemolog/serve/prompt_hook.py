"""Prompt hook for coding agents: reads a prompt, prints the context to add.

The format is that of Claude Code's `UserPromptSubmit` hooks: a JSON object on standard input, of
which `prompt` and `session_id` are used, and the context as text or JSON on standard output. Exit
code 2 would block the prompt, and any other would show an error. So on any failure the hook exits
with 0 and writes only to standard error. A child process does the work, within a time limit.
"""

import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Literal, NoReturn

from mnemolog.ledger.errors import InvalidField

Form = Literal["json", "text"]
Deliver = Callable[[bytes], None]  # hands over the output; nobody waits for what follows

_WHOLE = b"\0"  # ends the output: without it, the child ended in the middle
_FAILED = b"\1\0"  # ends the reason why there is no output
_CHUNK_BYTES = 1 << 16
_GRACE_S = 1.0

_INPUT_BYTES = 4 << 20
_FOR_LAYERS = 0.8  # share of the time in which layers are asked; the rest is for reporting
_SHORTEST_S = 0.001
_EVENT = "UserPromptSubmit"
_LONGEST_RUN = 200
_FORM = 'give an object like {"prompt": "…", "session_id": "…"}'


def run_prompt_hook(home: Path | None, space: str, limit_ms: int, form: Form) -> None:
    """Print the context for the prompt on standard input, within the limit. Always returns."""
    limit_s = limit_ms / 1000
    until = monotonic() + _FOR_LAYERS * limit_s
    work = partial(_answer, home=home, space=space, form=form, until=until)
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
        prompt, session, event = given
        left = max(_SHORTEST_S, until - monotonic())
        asked = memory.ask(prompt, session=session, within_s=left)
        context = asked.context if asked.layer is not None else ""
        if form == "json" and context:
            told = {"hookEventName": event, "additionalContext": context}
            deliver(msgspec.json.encode({"hookSpecificOutput": told}))
        else:
            printable = (one for one in context if one.isprintable() or one in "\n\t")
            deliver("".join(printable).encode(errors="replace"))
        # Report the uses only now, after the answer is delivered.
        used = [one.memory_id for one in asked.passages if context and one.memory_id is not None]
        if used:
            memory.use(*used)


def _check_home(home: Path) -> None:
    ledger = home / "ledger.db"
    if not ledger.is_file() or not ledger.stat().st_size:
        # Opening it would create a new ledger, and reporting an empty one would mislead.
        raise InvalidField("home", f"{home} holds no ledger", "name the home with --home")


def _prompt(given: bytes) -> tuple[str, str | None, str] | None:
    """Prompt, session and event in the input, None for a blank prompt. Raises `InvalidField`."""
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
    # JSON can encode a lone surrogate, which is not a valid character.
    text = prompt.encode("utf-8", "replace").decode()
    known = event if isinstance(event, str) and event else _EVENT
    return text, session if named else None, known


def delivered_within(limit_s: float, work: Callable[[Deliver], None]) -> tuple[bytes, str | None]:
    """Output of `work`, run in a child process within a time limit, or a reason for its absence.

    Returns even if the child hangs in compiled code or crashes. Call it while the process has one
    thread; the output must not contain control characters.
    """
    until = monotonic() + limit_s
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _carry_out(work, writing, limit_s)
    os.close(writing)
    try:
        output = _read(reading, until)
    finally:
        os.close(reading)
    if output is not None and output.endswith(_FAILED):
        return b"", output.removesuffix(_FAILED).decode(errors="replace")
    if output is not None and output.endswith(_WHOLE):
        return output.removesuffix(_WHOLE), None
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    late = f"no answer within {limit_s * 1000:g} ms"
    return b"", late if output is None else "ended without an answer"


def _read(reading: int, until: float) -> bytes | None:
    """Bytes up to the end mark or the child's end; None if the time is up."""
    received = bytearray()
    while (left := until - monotonic()) > 0:
        ready, _, _ = select.select([reading], [], [], left)
        if ready:
            chunk = os.read(reading, _CHUNK_BYTES)
            received += chunk
            if not chunk or chunk.endswith(_WHOLE):
                return bytes(received)
    return None


def _carry_out(work: Callable[[Deliver], None], writing: int, limit_s: float) -> NoReturn:
    def deliver(output: bytes) -> None:
        with open(writing, "wb") as pipe:
            pipe.write(output + _WHOLE)
        # The process that started the parent waits until nobody holds the parent's streams.
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)

    try:
        # The system kills this process even if its parent is gone and it hangs for good; later than
        # the parent would, because the parent can give the reason.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, limit_s + _GRACE_S)
        # Output that a library prints must not be taken for an answer.
        os.dup2(2, 1)
        work(deliver)
    except BaseException as error:  # noqa: BLE001 - the process ends here, and says why
        with suppress(OSError):
            told = f"{type(error).__name__}: {error}".replace("\0", " ")
            with open(writing, "wb") as pipe:
                pipe.write(told.encode(errors="replace") + _FAILED)
    finally:
        os._exit(0)
