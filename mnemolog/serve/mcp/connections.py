"""Access token of the HTTP server, and limits for connections, mainly for those without it."""

import asyncio
import os
import resource
import secrets
import stat
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import h11
from starlette.types import Scope
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.files import partial_file, read_regular

TOKEN = "mcp-token"  # noqa: S105 - the name of a file
_SHORTEST_TOKEN = 16
_MOST_TOKEN_BYTES = 4096
TOKEN_S = 5
"""So long a connection may last that has shown no token."""
REQUEST_S = 60
"""So long the rest of a request may take, once its connection has shown the token."""
_ENOUGH_DESCRIPTORS = 1_024
_MOST = 512
_ADMIT = "mnemolog.admit"


class Limits(NamedTuple):
    """Connection limits: in total, without the token, and accepted in one turn of the loop."""

    connections: int
    without_token: int
    accepted_at_once: int


def limits_within(descriptors: int) -> Limits:
    """Connection limits for a process with this many file descriptors.

    Half of the descriptors are reserved for the home and for connections that are accepted but not
    yet counted.
    """
    connections = min(_MOST, descriptors // 2)
    # A client's request is read within two turns of the loop. Connections accepted in one turn must
    # not displace the clients of earlier turns.
    return Limits(connections, connections // 4, max(1, connections // 16))


def raised_descriptor_limit() -> int:
    """Limit of file descriptors of this process, raised to what a server needs."""
    (soft, hard), unlimited = resource.getrlimit(resource.RLIMIT_NOFILE), resource.RLIM_INFINITY
    if soft == unlimited or soft >= _ENOUGH_DESCRIPTORS:
        return _ENOUGH_DESCRIPTORS
    wanted = _ENOUGH_DESCRIPTORS if hard == unlimited else min(_ENOUGH_DESCRIPTORS, hard)
    # A system may have a limit of its own below the hard one.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def admit(scope: Scope) -> None:
    """Count the connection of a request among those that have shown the token."""
    if (admitted := scope.get("state", {}).get(_ADMIT)) is not None:
        admitted()


class _Waiting(Protocol):
    """Connection that has not shown the token yet."""

    @property
    def address(self) -> str: ...

    def close_now(self) -> None: ...


class Connections(ServerState):
    """Connections of one server, of which few may be without the token.

    When the limit is exceeded, the oldest connection of the address with the most of them is
    closed, so that a client that opens many closes its own.
    """

    def __init__(self, without_token: int) -> None:
        super().__init__()
        self._most = without_token
        self._waiting: dict[_Waiting, None] = {}

    def wait(self, connection: _Waiting) -> None:
        """Count a new connection among those without the token."""
        self._waiting[connection] = None
        if len(self._waiting) > self._most:
            ((busiest, _),) = Counter(one.address for one in self._waiting).most_common(1)
            oldest = next(one for one in self._waiting if one.address == busiest)
            self.leave(oldest)
            oldest.close_now()

    def leave(self, connection: _Waiting) -> None:
        """Remove a connection from those without the token, if it is one of them."""
        self._waiting.pop(connection, None)


class LimitedConnection(H11Protocol):
    """Connection that is closed unless it sends the token, and then whole requests, in time.

    Uvicorn limits the size of headers, the time between requests and the number of connections, but
    not the time that headers and a body take.
    """

    def __init__(
        self,
        config: Config,
        server_state: Connections,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, {**app_state, _ADMIT: self._admit}, _loop)
        self._all = server_state
        self._admitted = False
        self._deadline: asyncio.TimerHandle | None = None

    @property
    def address(self) -> str:
        """Remote address of the connection."""
        return "" if self.client is None else self.client[0]

    def close_now(self) -> None:
        """Close the connection without waiting for anything."""
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the token."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(TOKEN_S, self.close_now)
        self._all.wait(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._all.leave(self)
        self._cancel_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass the data on, and wait for the rest of the request."""
        super().data_received(data)
        if self._admitted:
            self._await_rest()

    def _admit(self) -> None:
        if not self._admitted:
            self._admitted = True
            self._all.leave(self)
            self._cancel_deadline()
            self._await_rest()

    def _await_rest(self) -> None:
        if self.conn.their_state not in {h11.IDLE, h11.SEND_BODY}:
            self._cancel_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_S, self.close_now)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def token_from(file: Path) -> str:
    """Token in a file. Raises `InvalidField` for one that can be guessed."""
    try:
        text = read_regular(file, _MOST_TOKEN_BYTES).decode()
    except InvalidField as error:
        raise InvalidField("token", f"{file} {error.problem}", "name another file") from None
    except (OSError, UnicodeDecodeError) as error:
        problem = f"cannot be read from {file} ({type(error).__name__})"
        raise InvalidField("token", problem, "name another file") from None
    return checked_token(text.strip())


def checked_token(token: str) -> str:
    """Token that is valid in a header. Raises `InvalidField`."""
    plain = token.isascii() and token.isprintable() and " " not in token
    if len(token) < _SHORTEST_TOKEN or not plain:
        fix = f"give {_SHORTEST_TOKEN} characters or more, printable ASCII without blanks"
        raise InvalidField("token", "is too short, or cannot stand in a header", fix)
    return token


def kept_token(home: Path) -> tuple[str, Path]:
    """Token of a home and the file that stores it, created on first use.

    Only its owner can read the file. Raises `InvalidField` if others can read it or own it.
    """
    file = home / TOKEN
    if not os.path.lexists(file):
        with partial_file(file) as (opened, aside):
            opened.write(f"{secrets.token_urlsafe(32)}\n".encode())
            opened.flush()
            # If two servers start at once, both use the first one's token.
            with suppress(FileExistsError):
                file.hardlink_to(aside)
    token = token_from(file)
    if others_can_read(file) or file.stat().st_uid != os.geteuid():
        problem = f"is another's or can be read by others in {file}"
        raise InvalidField("token", problem, f"delete {file}")
    return token, file


def others_can_read(file: Path) -> bool:
    """True if a file's permissions include others than its owner."""
    return bool(stat.S_IMODE(file.stat().st_mode) & 0o077)
