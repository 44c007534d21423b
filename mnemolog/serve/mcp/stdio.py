"""Standard streams: the server for the client that started this process, and the servers' log."""

import json
import logging
import math
import os
import select
import signal
import sys
import threading
import time
import traceback
from asyncio import CancelledError
from collections.abc import AsyncIterable, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

import anyio
import mcp_types as types
from anyio.abc import ObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.mcp.results import error_text
from mnemolog.serve.mcp.server import Service, ending_signals, server_of

_CHUNK_BYTES = 1 << 16
_ID_DIGITS = 18
_A_MINUTE = 10
_MINUTE_S = 60


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
    error = types.ErrorData(code=types.PARSE_ERROR, message=error_text(problem))
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
    """End standard input when a signal arrives, as if the client had disconnected.

    The reader waits in a thread that cannot be interrupted. So it reads from a pipe that is fed
    from the process's own input, and a signal closes the pipe.
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
            elif not (chunk := os.read(source, _CHUNK_BYTES)):
                break
    os.close(target)


class _WithoutWords(logging.Formatter):
    """Formatter that logs an error's class and place: its message may quote contents."""

    def formatException(  # noqa: N802 - the name is logging's
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        if ei[0] is None:
            return ""
        return f"{ei[0].__name__}, at\n{''.join(traceback.format_tb(ei[2]))}"


class Repeats(logging.Filter):
    """Log filter: ten lines a minute per place in the code, then a count of the omitted ones.

    Without it, any client that can connect could fill a disk: each invalid request is logged.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._minutes: dict[tuple[str, int, type[BaseException] | None], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """True if the record is to be logged."""
        kind = record.exc_info[0] if record.exc_info else None
        place = (record.pathname, record.lineno, kind)
        since, count = self._minutes.get(place, (-math.inf, 0))
        now = self._clock()
        if now - since >= _MINUTE_S:
            if count > _A_MINUTE:
                left_out = f"{count - _A_MINUTE:,} more were left out"
                record.msg, record.args = f"{record.getMessage()} ({left_out})", ()
            since, count = now, 0
        self._minutes[place] = (since, count + 1)
        return count < _A_MINUTE


def log_to_stderr() -> None:
    """Log warnings and errors of the server, its libraries and the ledger to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    # Requests that end with the server are no problem of theirs.
    handler.addFilter(
        lambda one: not (one.exc_info and isinstance(one.exc_info[1], CancelledError))
    )
    handler.addFilter(Repeats())
    handler.setFormatter(_WithoutWords("%(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
