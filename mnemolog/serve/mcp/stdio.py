"""Stdio server: one client, whose process started this one."""

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
from mnemolog.serve.mcp.errors import told
from mnemolog.serve.mcp.server import Service, ending_signals, server_of

_CHUNK_BYTES = 1 << 16
_ID_DIGITS = 18


def serve_stdio(service: Service) -> None:
    """Serve until standard input ends, standard output is closed, or a signal stops it."""
    with _ending_with_signals():
        try:
            anyio.run(_serve, service)
        except* (BrokenPipeError, ConnectionResetError):
            # The client left before its answer was written: this is an ordinary end.
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
    """Pass on messages that can be read; answer requests that cannot.

    The MCP SDK drops such requests, and the client would wait for an answer.
    """
    async with sending:
        async for item in reading:
            if (refusal := _refusal(item)) is None:
                await sending.send(item)
            else:
                await answer(SessionMessage(refusal))


def _refusal(item: SessionMessage | Exception) -> types.JSONRPCError | None:
    """Error response to a request whose JSON only a more lenient parser accepts, else None.

    Such JSON contains half of a surrogate pair (from clients that cut texts by UTF-16), a number of
    thousands of digits, or a value nested thousands of levels deep.
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
    """Id of a request, by a lenient parser; None if it is not a request, or has no id."""
    if not isinstance(text, str):
        return None
    try:
        # An id has few digits, and Python refuses to parse very long numbers.
        request = json.loads(text, parse_int=lambda n: int(n) if len(n) <= _ID_DIGITS else None)
    except RecursionError:
        # The parameters are nested too deep; the part before them is flat.
        head, params, _ = text.partition('"params"')
        return _id_of(head.rstrip(", ") + "}") if params else None
    except ValueError:
        return None
    return request.get("id") if isinstance(request, dict) and "method" in request else None


@contextmanager
def _ending_with_signals() -> Iterator[None]:
    """End standard input when a signal arrives.

    The reader waits in a thread that cannot be interrupted. So the process reads from a pipe that
    is fed from its own input. A signal closes the pipe, and shutdown continues as if the client had
    disconnected.
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
        number: signal.signal(number, lambda *_: os.write(wake, b"\0"))
        for number in ending_signals()
    }
    feeder.start()
    try:
        yield
    finally:
        os.write(wake, b"\0")
        feeder.join()
        for number, handler in previous.items():
            signal.signal(number, handler)
        for descriptor in (source, sink, woken, wake):
            os.close(descriptor)


def _feed(source: int, target: int, woken: int, sink: int) -> None:
    """Copy input until it ends, `woken` becomes readable or the reader of `sink` is gone."""
    chunk = b""
    # A broken pipe means that the process is ending. Other errors belong to the input and end it: a
    # socket, as Node gives its children, is reset if the client is killed.
    with suppress(OSError):
        while True:
            wanted, event = (target, select.POLLOUT) if chunk else (source, select.POLLIN)
            polling = select.poll()
            for descriptor, events in ((wanted, event), (woken, select.POLLIN), (sink, 0)):
                polling.register(descriptor, events)
            # What is ready for its events, or broken; at least one of them.
            ready = {descriptor for descriptor, _ in polling.poll()}
            if woken in ready or wanted not in ready:
                break
            if chunk:
                chunk = chunk[os.write(target, chunk) :]
                continue
            chunk = os.read(source, _CHUNK_BYTES)
            if not chunk:
                break
    os.close(target)
