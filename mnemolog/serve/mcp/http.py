"""Streamable HTTP server: several clients, each with the token, on this machine only."""

import hmac
import ipaddress
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import anyio
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.mcp import connections
from mnemolog.serve.mcp.server import Service, ending_signals, server_of

PATH = "/mcp"
BODY_BYTES = 4 << 20
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_GRACE_S = 2
_QUEUE = 2_048
"""So many connections the system holds until they are accepted."""
_HEADERS = (
    *("authorization", "content-type", "last-event-id", "mcp-method", "mcp-name"),
    *("mcp-protocol-version", "mcp-session-id"),
)
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#*\sA-Z]+")
_HOST = re.compile(r"[^/?#*@\sA-Z]+")


class Door(NamedTuple):
    """Listening address and access rules of a server.

    `origins` are web pages that may call it; `hosts` are additional names under which it can be
    reached.
    """

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
    limits = connections.limits_within(connections.raised_descriptor_limit())
    config = uvicorn.Config(
        app,
        http=connections.LimitedConnection,
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
    ports = [f"{host}:*" for host in hosts]
    schemes = ("http", "https")
    app: ASGIApp = server_of(service).streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=BODY_BYTES,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[*hosts, *ports],
            allowed_origins=[
                *(f"{scheme}://{host}" for scheme in schemes for host in (*hosts, *ports)),
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
    """Middleware that admits requests with the token, before it reads anything else."""

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
            connections.admit(scope)
        await self._app(scope, receive, send)


_REFUSED = JSONResponse(
    {"error": "unauthorized", "fix": "send the header Authorization: Bearer TOKEN"},
    status_code=401,
    headers={"WWW-Authenticate": 'Bearer realm="mnemolog"'},
)


class _Server(uvicorn.Server):
    """Server with connection limits that leaves signals to its caller, which closes the home."""

    def __init__(self, config: uvicorn.Config, limits: connections.Limits) -> None:
        super().__init__(config)
        self.server_state = connections.Connections(limits.without_token)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, with a system queue longer than the number of connections accepted per turn."""
        await super().startup(sockets)
        for listener in sockets or []:
            listener.listen(_QUEUE)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture no signals."""
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
