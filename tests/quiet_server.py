"""JSON over HTTP on loopback, for servers that tests start as programs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

_ROOT = Path(__file__).parents[1]


class JsonHandler(BaseHTTPRequestHandler):
    """Answers in JSON, and logs nothing."""

    def say(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        """Answer with a value."""
        self.write(status, json.dumps(value).encode(), headers or {})

    def write(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        """Answer with a body."""
        self.send_response(status)
        for name, text in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class QuietServer(ThreadingHTTPServer):
    """A server that lets clients go without a word."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Say nothing of a client that went away."""


def serve(handler: type[JsonHandler]) -> None:
    """Print the port on loopback, then serve until the process is ended."""
    server = QuietServer(("127.0.0.1", 0), handler)
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    server.serve_forever()


@contextmanager
def served_by(module: str) -> Iterator[int]:
    """Port of a server program in a process of its own, which is ended at the end."""
    program = [sys.executable, "-m", module]
    with subprocess.Popen(program, stdout=subprocess.PIPE, cwd=_ROOT) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()
