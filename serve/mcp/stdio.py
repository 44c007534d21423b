"""The server over standard input and output: one client, whose process started this one."""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import anyio
from mcp.server.stdio import stdio_server

from serve.mcp.ending import ending_signals
from serve.mcp.server import Service, server_of

_CHUNK_BYTES = 1 << 16


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
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


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
