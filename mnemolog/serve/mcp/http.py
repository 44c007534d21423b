"""Streamable HTTP server: several clients, each with the token, within limits of connections."""

import asyncio
import hmac
import ipaddress
import os
import re
import resource
import secrets
import socket
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import anyio
import h11
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.files import partial_file, read_regular
from mnemolog.serve.mcp.server import Service, ending_signals, server_of

PATH = "/mcp"
BODY_BYTES = 4 << 20
TOKEN = "mcp-token"  # noqa: S105 - the name of a file
TOKEN_S = 5  # a connection without the token may last so long
REQUEST_S = 60  # the rest of a request may take so long, once the token is shown
_SHORTEST_TOKEN = 16
_MOST_TOKEN_BYTES = 4096
_ENOUGH_DESCRIPTORS = 1_024
_MOST = 512
_ADMIT = "mnemolog.admit"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_GRACE_S = 2
_QUEUE = 2_048  # the system holds so many connections until they are accepted
_HEADERS = (
    *("authorization", "content-type", "last-event-id", "mcp-method", "mcp-name"),
    *("mcp-protocol-version", "mcp-session-id"),
)
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#*\sA-Z]+")
_HOST = re.compile(r"[^/?#*@\sA-Z]+")


class Limits(NamedTuple):
    """Connection limits: in total, without the token, and accepted in one turn of the loop."""

    connections: int
    without_token: int
    accepted_at_once: int


def limits_within(descriptors: int) -> Limits:
    """Connection limits for a process with this many file descriptors."""
    # The other half is for the home, and for connections that are accepted but not yet counted.
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


class _Waiting(Protocol):
    """Connection that has not shown the token yet."""

    @property
    def address(self) -> str: ...

    def close_now(self) -> None: ...


class Connections(ServerState):
    """Connections of a server; if too many lack the token, the busiest address loses its oldest."""

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


class _LimitedConnection(H11Protocol):
    """Connection with limits that uvicorn lacks: for the token, and for headers and a body."""

    def __init__(
        self,
        config: uvicorn.Config,
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
        return "" if self.client is None else self.client[0]

    def close_now(self) -> None:
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(TOKEN_S, self.close_now)
        self._all.wait(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._all.leave(self)
        self._cancel_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
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


class Door(NamedTuple):
    """Listening address of a server, web pages that may call it, and its other host names."""

    host: str
    port: int
    token: str
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()

    @property
    def authority(self) -> str:
        """Host as it appears in a URL."""
        return f"[{self.host}]" if ":" in self.host else self.host


def serve_http(service: Service, door: Door, listening: Callable[[str], None]) -> None:
    """Serve until a signal stops it; `listening` is called with the address once it is known.

    Raises `InvalidField` for an address that the server cannot listen on, and for an origin or a
    host name that no request can have.
    """
    app = app_of(service, door)
    listener = _listener(door)
    listening(f"http://{door.authority}:{listener.getsockname()[1]}{PATH}")
    limits = limits_within(raised_descriptor_limit())
    config = uvicorn.Config(
        app,
        http=_LimitedConnection,
        limit_concurrency=limits.connections,
        backlog=limits.accepted_at_once,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=_GRACE_S,
    )
    anyio.run(_serve, _Server(config, limits), listener)


def is_loopback(host: str) -> bool:
    """True if only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def app_of(service: Service, door: Door) -> ASGIApp:
    """ASGI application of the server, behind the access checks of `door`."""
    # Both are compared letter by letter: a value that can never match would look like a defect.
    for origin in door.origins:
        if not _ORIGIN.fullmatch(origin):
            problem = f"{origin!r} is no page's"
            raise InvalidField("allow-origin", problem, "give one such as https://example.org")
    for host in door.hosts:
        if not _HOST.fullmatch(host):
            raise InvalidField("allow-host", f"{host!r} is no name", "give one such as example.org")
    hosts = [*dict.fromkeys((*_LOOPBACK, door.authority, *door.hosts))]
    hosts += [f"{host}:*" for host in hosts]
    app: ASGIApp = server_of(service).streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=BODY_BYTES,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts,
            allowed_origins=[
                *(f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts),
                *door.origins,
            ],
        ),
    )
    app = _TokenRequired(app, door.token)
    if not door.origins:
        return app
    # Outermost: a browser sends its preflight request before it sends the token.
    return CORSMiddleware(
        app,
        allow_origins=door.origins,
        allow_methods=("GET", "POST", "DELETE"),
        allow_headers=_HEADERS,
        expose_headers=("mcp-session-id",),
    )


class _TokenRequired:
    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            given = Headers(scope=scope).get("authorization", "")
            scheme, _, token = given.partition(" ")
            shown = f"{scheme.capitalize()} {token}".encode()
            if not hmac.compare_digest(shown, self._expected):
                await _REFUSED(scope, receive, send)
                return
            if (admit := scope.get("state", {}).get(_ADMIT)) is not None:
                admit()
        await self._app(scope, receive, send)


_REFUSED = JSONResponse(
    {"error": "unauthorized", "fix": "send the header Authorization: Bearer TOKEN"},
    status_code=401,
    headers={"WWW-Authenticate": 'Bearer realm="mnemolog"'},
)


class _Server(uvicorn.Server):
    """Server with connection limits that leaves signals to its caller, which closes the home."""

    def __init__(self, config: uvicorn.Config, limits: Limits) -> None:
        super().__init__(config)
        self.server_state = Connections(limits.without_token)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, with a system queue longer than the number of connections accepted per turn."""
        await super().startup(sockets)
        for listener in sockets or []:
            listener.listen(_QUEUE)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _serve(server: _Server, listener: socket.socket) -> None:
    async def end_with_signals() -> None:
        with anyio.open_signal_receiver(*ending_signals()) as received:
            async for number in received:
                # As uvicorn does: open event streams end, and a second signal stops waiting.
                server.handle_exit(number, None)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(end_with_signals)
        await server.serve([listener])
        tasks.cancel_scope.cancel()


def _listener(door: Door) -> socket.socket:
    try:
        (family, kind, protocol, _, address), *_ = socket.getaddrinfo(
            door.host, door.port, type=socket.SOCK_STREAM
        )
        with ExitStack() as failing:
            listener = failing.enter_context(socket.socket(family, kind, protocol))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
            failing.pop_all()
    except OSError as error:
        problem = f"{door.host}:{door.port} cannot be listened on ({error})"
        raise InvalidField("host", problem, "give another") from None
    return listener


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
