"""The door of the HTTP server: who is let in, from where, and with how much."""

from __future__ import annotations

import os
import socket
import stat
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest
from anyio.from_thread import BlockingPortal

from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.mcp.http import TOKEN, checked_token, is_loopback, kept_token, token_from
from tests.cli.conftest import CommandLine
from tests.serve.mcp.clients import (
    PATIENCE_S,
    HttpServer,
    connected,
    http_served,
    over_http,
)

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def asked(server: HttpServer, **headers: str) -> httpx2.Response:
    """The answer to a request to begin, with these headers."""
    given = {**ACCEPT, "Authorization": f"Bearer {server.token}", **headers}
    return httpx2.post(server.url, json=INITIALIZE, headers=given, timeout=PATIENCE_S)


def test_who_has_the_token_is_answered(server: HttpServer) -> None:
    """The token as a bearer token lets a request in; the scheme's case does not matter."""
    assert asked(server).status_code == 200
    assert asked(server, Authorization=f"bearer {server.token}").status_code == 200


@pytest.mark.parametrize(
    "authorization", ["", "Bearer", "Bearer wrong", "Basic {token}", "{token}", "Bearer {token}x"]
)
def test_without_the_token_nobody_is(server: HttpServer, authorization: str) -> None:
    """No token, a wrong one and another scheme get 401, and are told which scheme is wanted."""
    told = asked(server, Authorization=authorization.format(token=server.token))
    assert told.status_code == 401
    assert told.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("path", ["/", "/mcp", "/mcp/", "/anything"])
def test_no_path_is_open(server: HttpServer, path: str) -> None:
    """Without the token every address gives 401, so that nothing is learnt of what is there."""
    url = httpx2.URL(server.url).copy_with(path=path)
    for method in ("GET", "POST", "DELETE", "OPTIONS"):
        assert httpx2.request(method, url, timeout=PATIENCE_S).status_code == 401


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://localhost.evil.example", "null", "http://127.0.0.2"]
)
def test_a_foreign_page_is_refused(server: HttpServer, origin: str) -> None:
    """A request that a foreign web page makes gets 403, even with the token."""
    assert asked(server, Origin=origin).status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example"])
def test_a_foreign_name_is_refused(server: HttpServer, host: str) -> None:
    """A name that is not this machine's, as after DNS rebinding, gets 421."""
    assert asked(server, Host=host).status_code == 421


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:80"])
def test_a_page_of_this_machine_is_answered(server: HttpServer, origin: str) -> None:
    """Pages served from this machine may call, with the token."""
    assert asked(server, Origin=origin).status_code == 200


def test_a_body_over_the_limit_is_refused(server: HttpServer) -> None:
    """More than 4 MiB get 413, whether their length is told or not."""
    headers = {**ACCEPT, "Authorization": f"Bearer {server.token}"}
    much = b" " * (5 << 20)

    def chunks() -> Iterator[bytes]:
        yield from (much[start : start + 65_536] for start in range(0, len(much), 65_536))

    for content in (much, chunks()):
        told = httpx2.post(server.url, content=content, headers=headers, timeout=PATIENCE_S)
        assert told.status_code == 413


@pytest.mark.parametrize(
    "body", [b"", b"no json", b"[]", b"[1]", b'{"jsonrpc":"2.0"}', b"\xff\xfe", b'"' + b"[" * 9_999]
)
def test_garbage_is_refused_and_the_server_goes_on(server: HttpServer, body: bytes) -> None:
    """What is no request of the protocol gets an error of the client's, and changes nothing."""
    headers = {
        **ACCEPT,
        "Authorization": f"Bearer {server.token}",
        "Content-Type": "application/json",
    }
    for version in ("2025-06-18", "2026-07-28", "1999-01-01"):
        told = httpx2.post(
            server.url,
            content=body,
            headers={**headers, "MCP-Protocol-Version": version},
            timeout=PATIENCE_S,
        )
        assert 400 <= told.status_code < 500
    assert asked(server).status_code == 200


def test_an_allowed_page_is_let_in_by_browsers_too(tmp_path: Path) -> None:
    """`--allow-origin` lets one page's browser ask and read; another's it does not."""
    page = "https://inspector.example"
    with http_served(tmp_path / "home", ("--allow-origin", page)) as served:
        assert asked(served, Origin=page).headers["Access-Control-Allow-Origin"] == page
        assert asked(served, Origin="https://evil.example").status_code == 403
        before = {
            "Origin": page,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, content-type, mcp-method, mcp-name",
        }
        told = httpx2.options(served.url, headers=before, timeout=PATIENCE_S)
        assert told.status_code == 200
        foreign = {**before, "Origin": "https://evil.example"}
        told = httpx2.options(served.url, headers=foreign, timeout=PATIENCE_S)
        assert "Access-Control-Allow-Origin" not in told.headers


def test_a_token_of_ones_own_and_another_name(tmp_path: Path, portal: BlockingPortal) -> None:
    """`--token-file` names the token, `--allow-host` a name by which the server is reached.

    Where the token comes from elsewhere, none is made.
    """
    file = tmp_path / "token"
    file.write_text("a-token-of-my-own-1234\n")
    options = ("--token-file", str(file), "--allow-host", "memory.example")
    with http_served(tmp_path / "home", options, file) as mine:
        assert asked(mine, Host="memory.example:8765").status_code == 200
        assert not (tmp_path / "home" / TOKEN).exists()
        with connected(portal, over_http(mine)) as client:
            assert client.call("remember", content="The tea is in the tin")["position"] == 1


def refused(home: Path, *options: str, **variables: str) -> str:
    """What a server that does not start says.

    It is asked for a port in use, so that none is served if it starts after all.
    """
    cli = CommandLine(home)
    cli.variables |= variables
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = cli("mcp", "http", "--home", home, "--port", port, *options, code=2)
    assert done.stdout == ""
    return done.stderr


def test_other_machines_are_let_in_by_name_alone(tmp_path: Path) -> None:
    """An address beyond this machine needs a flag of its own; no home is made before that."""
    told = refused(tmp_path / "home", "--host", "0.0.0.0")
    assert "--beyond-loopback" in told
    assert not (tmp_path / "home").exists()
    with http_served(tmp_path / "home", ("--host", "0.0.0.0", "--beyond-loopback")) as served:
        port = httpx2.URL(served.url).port
        local = served._replace(url=f"http://127.0.0.1:{port}/mcp")
        assert asked(local).status_code == 200
        assert asked(local._replace(token="wrong")).status_code == 401


def test_a_bad_start_is_told(tmp_path: Path) -> None:
    """A token that can be guessed, an unknown tool, a port in use and no origin end it.

    Each with the fix.
    """
    assert "token: is too short" in refused(tmp_path / "home", MNEMOLOG_MCP_TOKEN="1234")
    assert "use some of all, remember" in refused(tmp_path / "home", "--tools", "forget")
    assert "cannot be listened on" in refused(tmp_path / "home")
    for origin in ("*", "null", "https://Example.org", "https://example.org/", "example.org"):
        assert "is no page's" in refused(tmp_path / "home", "--allow-origin", origin)
    assert "is no name" in refused(tmp_path / "home", "--allow-host", "https://example.org")
    assert "cannot be listened on" in refused(
        tmp_path / "home", "--host", "no such host", "--beyond-loopback"
    )


def test_a_token_file_that_others_can_read_is_told(tmp_path: Path) -> None:
    """Whoever names a file may have its permissions so by intent; the server says what they are."""
    file = tmp_path / "token"
    file.write_text("a-token-of-my-own-1234\n")
    for mode, said in ((0o644, True), (0o600, False)):
        file.chmod(mode)
        told = refused(tmp_path / "home", "--token-file", str(file))
        assert ("others on this machine can read the token" in told) is said


def test_a_token_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    """It is kept with mode 600, found again, and refused once others can read it."""
    token, file = kept_token(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(token) >= 32
    assert kept_token(tmp_path) == (token, file)
    assert [*tmp_path.iterdir()] == [file]
    file.chmod(0o640)
    with pytest.raises(InvalidField, match="can be read by others"):
        kept_token(tmp_path)


def test_servers_that_start_at_once_have_one_token(tmp_path: Path) -> None:
    """Whoever finds the file finds a whole token in it, and all find the same."""
    start = threading.Barrier(8)

    def found() -> str:
        start.wait(PATIENCE_S)
        return kept_token(tmp_path)[0]

    with ThreadPoolExecutor(8) as threads:
        assert len({one.result() for one in [threads.submit(found) for _ in range(8)]}) == 1


def test_a_link_in_the_place_of_the_token_is_not_written_through(tmp_path: Path) -> None:
    """A link that leads nowhere is left as it is and told of; one to an own file is followed."""
    file, elsewhere = tmp_path / TOKEN, tmp_path / "elsewhere"
    file.symlink_to(elsewhere)
    with pytest.raises(InvalidField, match="cannot be read from"):
        kept_token(tmp_path)
    assert not elsewhere.exists()
    elsewhere.write_text("a-token-of-my-own-1234\n")
    with pytest.raises(InvalidField, match="can be read by others"):
        kept_token(tmp_path)
    elsewhere.chmod(0o600)
    assert kept_token(tmp_path) == ("a-token-of-my-own-1234", file)


@pytest.mark.parametrize(
    "token", ["", "short", "x" * 15, "with a blank in it 123", "ümläute" * 4, "\n" * 20]
)
def test_a_token_that_will_not_do_is_refused(token: str, tmp_path: Path) -> None:
    """Too short, not ASCII, or with blanks in it."""
    with pytest.raises(InvalidField, match="token: is too short, or"):
        checked_token(token)
    (tmp_path / "token").write_bytes(b"\xff" * 40)
    for file in (tmp_path / "token", tmp_path / "none"):
        with pytest.raises(InvalidField, match="token: cannot be read"):
            token_from(file)


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.2", False),
        ("example.org", False),
    ],
)
def test_loopback_is_told_from_what_others_reach(host: str, own: bool) -> None:  # noqa: FBT001 - a parameter
    """Names count as other machines', but for localhost."""
    assert is_loopback(host) is own


def test_a_request_in_the_middle_keeps_no_server_from_ending(tmp_path: Path) -> None:
    """A body that never comes is given up after a moment, and is no defect to be logged."""
    with http_served(tmp_path / "home") as served:
        url = httpx2.URL(served.url)
        with socket.create_connection((url.host, url.port or 0)) as half:
            head = {**ACCEPT, "Authorization": f"Bearer {served.token}", "Host": url.host}
            lines = [f"{name}: {value}" for name, value in head.items()]
            body = ["Content-Type: application/json", "Content-Length: 9", "", "{"]
            half.sendall("\r\n".join(["POST /mcp HTTP/1.1", *lines, *body]).encode())
            assert asked(served).status_code == 200
            served.process.terminate()
            assert served.process.wait(PATIENCE_S) == 0
        assert served.process.stderr is not None
        assert "File" not in served.process.stderr.read()


def test_the_log_holds_nothing_that_was_said(tmp_path: Path, portal: BlockingPortal) -> None:
    """Standard error tells where the server is, and no cue, content, token or request."""
    secret = "xylophone"
    with http_served(tmp_path / "home") as served:
        with connected(portal, over_http(served)) as client:
            client.call("remember", content=f"The {secret} is in the cellar")
            client.call("recall", cue=f"where is the {secret}?")
            client.error("recall", cue=f"{secret}", as_of=secret)
            client.error("supersede", old=secret, content=secret)
        httpx2.post(served.url, content=secret.encode(), headers=ACCEPT, timeout=PATIENCE_S)
        served.process.terminate()
        served.process.wait(PATIENCE_S)
        assert served.process.stderr is not None
        told = served.process.stderr.read()
        assert secret not in told
        assert served.token not in told
        assert served.process.returncode == 0
    assert os.environ.get("MNEMOLOG_MCP_TOKEN") is None
