"""The server over standard input and output: one client, whose process started this one."""

from __future__ import annotations

import json
import os
import select
import signal
import threading
from collections.abc import AsyncIterable, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress

import anyio
import mcp_types as types
from anyio.abc import ObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.mcp.ending import ending_signals
from mnemolog.serve.mcp.errors import told
from mnemolog.serve.mcp.server import Service, server_of

_CHUNK_BYTES = 1 << 16
_ID_DIGITS = 18


def serve_stdio(service: Service) -> None:
    """Serve until standard input ends, nobody reads standard output, or a signal ends it."""
    with _ending_with_signals():
        try:
            anyio.run(_serve, service)
        except* (BrokenPipeError, ConnectionResetError):
            # The client went before its answer came: that is an end like any other.
            pass


async def _serve(service: Service) -> None:
    server = server_of(service)
    sending, messages = anyio.create_memory_object_stream[SessionMessage | Exception]()
    async with stdio_server() as (reading, writing), anyio.create_task_group() as tasks:
        tasks.start_soon(_read, reading, writing.send, sending)
        await server.run(messages, writing, server.create_initialization_options())


async def _read(
    reading: AsyncIterable[SessionMessage | Exception],
    answer: Callable[[SessionMessage], Awaitable[None]],
    sending: ObjectSendStream[SessionMessage | Exception],
) -> None:
    """Hand on what is read; what is a request but cannot be read is answered here.

    The kit passes over it, and its client would wait for nothing.
    """
    async with sending:
        async for item in reading:
            refusal = _refusal(item)
            if refusal is None:
                await sending.send(item)
            else:
                await answer(SessionMessage(refusal))


def _refusal(item: SessionMessage | Exception) -> types.JSONRPCError | None:
    """The answer to a request whose JSON only a more lenient reader takes, else None.

    Such is half of a surrogate pair, as clients that cut texts by UTF-16 write it, a number
    of thousands of digits, or a value nested thousands deep.
    """
    if not isinstance(item, ValidationError):
        return None
    wrong = item.errors()[0]
    number = _id_of(wrong["input"])
    if type(number) is not int and not (isinstance(number, str) and number.isprintable()):
        return None
    problem = InvalidField("request", wrong["msg"], "write whole characters and ordinary numbers")
    error = types.ErrorData(code=types.PARSE_ERROR, message=told(problem))
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=error)


def _id_of(text: object) -> object:
    """The id of a request by a lenient reader; None if it is no request, or has none."""
    if not isinstance(text, str):
        return None
    try:
        request = json.loads(text, parse_int=_short)
    except RecursionError:
        # What it asks for is nested too deep; what stands before that is flat.
        head, params, _ = text.partition('"params"')
        return _id_of(head.rstrip(", ") + "}") if params else None
    except ValueError:
        return None
    return request.get("id") if isinstance(request, dict) and "method" in request else None


def _short(digits: str) -> int | None:
    """A number of no more digits than an id has; Python refuses to read very long ones."""
    return int(digits) if len(digits) <= _ID_DIGITS else None


@contextmanager
def _ending_with_signals() -> Iterator[None]:
    """Let standard input end when a signal says so.

    Whoever reads it waits in a thread that nothing interrupts. So the process reads
    from a pipe that is fed from its own input: a signal ends that, and all else follows as
    if the client had gone.
    """
    source, sink = os.dup(0), os.dup(1)
    reading, writing = os.pipe()
    woken, wake = os.pipe()
    os.set_blocking(writing, False)
    os.dup2(reading, 0)
    os.close(reading)
    feeder = threading.Thread(
        target=_feed, args=(source, writing, woken, sink), name="mnemolog-stdin"
    )
    previous = {
        number: signal.signal(number, lambda *_: _write(wake)) for number in ending_signals()
    }
    feeder.start()
    try:
        yield
    finally:
        _write(wake)
        feeder.join()
        for number, handler in previous.items():
            signal.signal(number, handler)
        for descriptor in (source, sink, woken, wake):
            os.close(descriptor)


def _write(wake: int) -> None:
    os.write(wake, b"\0")


def _feed(source: int, target: int, woken: int, sink: int) -> None:
    """Hand on what comes in, until it ends, `woken` can be read or nobody reads `sink`."""
    chunk = b""
    # A broken pipe: nobody reads on, for the process is ending. Other errors are the input's, and
    # its end: a socket, as Node gives its children, is reset where the client was killed.
    with suppress(OSError):
        while True:
            wanted, event = (target, select.POLLOUT) if chunk else (source, select.POLLIN)
            ready = _ready((wanted, event), (woken, select.POLLIN), (sink, 0))
            if woken in ready or wanted not in ready:
                break
            if chunk:
                chunk = chunk[os.write(target, chunk) :]
                continue
            chunk = os.read(source, _CHUNK_BYTES)
            if not chunk:
                break
    os.close(target)


def _ready(*wanted: tuple[int, int]) -> set[int]:
    """The descriptors on which there is what is wanted, once there are any, or that are broken."""
    polling = select.poll()
    for descriptor, event in wanted:
        polling.register(descriptor, event)
    return {descriptor for descriptor, _ in polling.poll()}
