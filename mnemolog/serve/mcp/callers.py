"""Callers: each client acts as an agent, and one session of it is one run."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from contextlib import ExitStack
from typing import NamedTuple

from mnemolog import Memory

_LONGEST_NAME = 100
_MOST_HANDLES = 64
_QUIET_S = 30 * 60
"""So long a client without a session may be silent within one talk."""


class Caller(NamedTuple):
    """Caller of a tool: its actor and its run."""

    actor: str
    run: str


class Callers:
    """Callers of one server, identified by connection, by session, or by name alone."""

    def __init__(self) -> None:
        self._own = secrets.token_hex(8)
        self._talks: dict[str, tuple[str, float]] = {}

    def on_connection(self, client: str | None) -> Caller:
        """Caller on the only connection of this process, which is one run."""
        return Caller(_agent(client), self._own)

    def in_session(self, client: str | None, session: str | None) -> Caller:
        """Caller of a request over HTTP.

        A caller without a session continues the run of its name until it has been silent
        for half an hour: newer versions of the protocol have no sessions.
        """
        actor = _agent(client)
        if session is not None:
            return Caller(actor, session)
        now = time.monotonic()
        run, last = self._talks.get(actor, ("", now - 2 * _QUIET_S))
        if now - last > _QUIET_S:
            run = secrets.token_hex(8)
            # Forget silent callers: clients choose the names, so there may be any number.
            self._talks = {
                name: talk for name, talk in self._talks.items() if now - talk[1] <= _QUIET_S
            }
        self._talks[actor] = (run, now)
        return Caller(actor, run)


def _agent(client: str | None) -> str:
    """Client name as a valid actor of the ledger."""
    printable = "".join(one if one.isprintable() else " " for one in client or "")
    return f"agent:{' '.join(printable.split())[:_LONGEST_NAME].strip() or 'mcp'}"


class Handles:
    """Handles on one open home, one per caller and space; the least recently used are closed."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._open: OrderedDict[tuple[str, Caller], Memory] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, space: str, caller: Caller) -> Memory:
        """Handle of a caller in a space. Raises `InvalidField` for an invalid name."""
        with self._lock:
            key = (space, caller)
            if key not in self._open:
                self._open[key] = self._memory.acting(space, actor=caller.actor, run=caller.run)
            self._open.move_to_end(key)
            oldest = self._open.popitem(last=False)[1] if len(self._open) > _MOST_HANDLES else None
            handle = self._open[key]
        if oldest is not None:
            # A running call may still use it: this only writes the uses it has reported.
            oldest.close()
        return handle

    def close(self) -> None:
        """Write the uses that were reported through any of the handles."""
        with self._lock:
            handles = [*self._open.values()]
            self._open.clear()
        with ExitStack() as rest:
            # If one handle fails, still write the others.
            for handle in handles:
                rest.callback(handle.close)
