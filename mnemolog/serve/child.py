"""Child processes for work that must end within a time limit."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import NamedTuple, NoReturn

Deliver = Callable[[bytes], None]
"""Hands over what the work came to; what it does afterwards is waited for by nobody."""

_WHOLE = b"\0"
"""Ends what was handed over: without it, the child ended in the middle."""
_FAILED = b"\1\0"
"""Ends the reason why nothing was handed over."""
_CHUNK_BYTES = 1 << 16
_GRACE_S = 1.0


class Delivered(NamedTuple):
    """Output of a child process, or the reason why there is none."""

    output: bytes
    problem: str | None


def delivered_within(limit_s: float, work: Callable[[Deliver], None]) -> Delivered:
    """Output of `work`, run in a child process under a hard time limit.

    Returns even if the child hangs in compiled code or crashes. There is no output then,
    and `problem` gives the reason. Call it while the process has one thread; the output
    must not contain control characters.
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
        return Delivered(b"", output.removesuffix(_FAILED).decode(errors="replace"))
    if output is not None and output.endswith(_WHOLE):
        return Delivered(output.removesuffix(_WHOLE), None)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    if output is None:
        return Delivered(b"", f"no answer within {limit_s * 1000:g} ms")
    return Delivered(b"", "ended without an answer")


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
    """Run the work in the child, then exit the process."""

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
            _hand_over(writing, told.encode(errors="replace") + _FAILED)
    finally:
        os._exit(0)


def _hand_over(writing: int, output: bytes) -> None:
    with open(writing, "wb") as pipe:
        pipe.write(output)
