"""A program that speaks as GitHub (below /api/v3) and Gitea (below /api/v1) do, on loopback.

Prints its port, then serves until it is ended. What a repository is called says
how it behaves; `/requests` tells what was asked so far.
"""

from __future__ import annotations

import base64
import re
import time
from urllib.parse import parse_qs, unquote, urlsplit

from tests.quiet_server import JsonHandler, serve

HASH = "c0ffee1234" + "0" * 30
ISSUES = 130
REQUESTS: list[dict[str, str]] = []


def issue(number: int) -> dict[str, object]:
    found: dict[str, object] = {
        "number": number,
        "title": f"Barnacles, part {number}",
        "body": "Scrape them off.",
        "state": "open",
        "html_url": f"https://forge.example/dana/boats/issues/{number}",
        "comments": 0,
        "user": {"login": "dana", "id": 1},
        "updated_at": "2026-03-01T10:00:00Z",
    }
    if number == 42:
        found |= {"title": "The rudder sticks in the cold", "state": "closed", "comments": 120}
    if number == 7:
        found |= {
            "title": "Grease the winch",
            "state": "closed",
            "pull_request": {"merged_at": "2026-02-01T10:00:00+01:00", "merged": True},
        }
    if number == 120:
        found |= {"title": "Which varnish suits the mast", "body": None}
    return found


def commit(number: int, message: str) -> dict[str, object]:
    digits = HASH if number == 0 else f"{number:040x}"
    return {
        "sha": digits,
        "html_url": f"https://forge.example/dana/boats/commit/{digits}",
        "commit": {
            "message": message,
            "author": {"name": "Dana Doe", "date": "2026-03-02T08:00:00Z"},
        },
    }


COMMITS = [
    commit(0, "Caulk the transom\n\nWith oakum, closes #12"),
    *(commit(number, "Sweep the deck") for number in range(1, 4)),
]
COMMENTS = [{"body": f"remark {number}", "user": {"login": "rob"}} for number in range(1, 121)]
FILES = {"docs/sailing.md": b"# Sailing\n\nReef early.\n", "logo.png": b"\x89PNG\x00\xff"}


class Forge(JsonHandler):
    """Answers one request."""

    def do_GET(self) -> None:  # noqa: N802 - the name that http.server calls
        url = urlsplit(self.path)
        if url.path == "/requests":
            self.say(200, REQUESTS)
            return
        REQUESTS.append({"path": self.path, "token": self.headers.get("Authorization", "")})
        root, rest = re.fullmatch(r"(/api/v\d)(/.*)", unquote(url.path)).groups()  # type: ignore[union-attr]
        _, _, _, name, *thing = rest.split("/", 4)
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        behave = getattr(self, f"as_{name}", None)
        if behave is not None:
            behave(root)
        else:
            self.as_repository(root, thing[0] if thing else "", query)

    def as_repository(self, root: str, thing: str, query: dict[str, str]) -> None:
        one_commit = "commits/" if root == "/api/v3" else "git/commits/"
        if thing == "":
            self.say(200, {"full_name": "dana/boats"})
        elif thing == "issues":
            assert query["state"] == "all"
            self.page([issue(number) for number in range(1, ISSUES + 1)], query)
        elif thing == "issues/42/comments":
            self.page(COMMENTS, query)
        elif thing == "commits":
            self.page(COMMITS, query)
        elif thing.startswith("issues/") and 1 <= int(thing[7:]) <= ISSUES:
            self.say(200, issue(int(thing[7:])))
        elif thing.startswith(one_commit) and HASH.startswith(thing.removeprefix(one_commit)):
            self.say(200, COMMITS[0] | {"files": [{"filename": "hull/transom.txt"}]})
        elif thing == "contents/docs":
            self.say(200, [{"type": "file", "path": "docs/sailing.md"}])
        elif thing.removeprefix("contents/") in FILES:
            path = thing.removeprefix("contents/")
            text = base64.encodebytes(FILES[path]).decode()
            self.say(200, {"type": "file", "path": path, "encoding": "base64", "content": text})
        else:
            self.say(404, {"message": "Not Found"})

    def as_bare(self, root: str) -> None:
        if self.path.endswith("/repos/dana/bare"):
            self.say(200, {"full_name": "dana/bare"})
        else:
            self.say(422, {"message": "No commit found for SHA"})

    def as_gone(self, root: str) -> None:
        self.say(404, {"message": "Not Found"})

    def as_spent(self, root: str) -> None:
        headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1900000000"}
        self.say(403, {"message": "API rate limit exceeded"}, headers)

    def as_busy(self, root: str) -> None:
        self.say(429, {}, {"Retry-After": "Wed, 21 Oct 2037 07:28:00 GMT"})

    def as_secret(self, root: str) -> None:
        scheme = "Bearer" if root == "/api/v3" else "token"
        if self.headers.get("Authorization") == f"{scheme} sesame":
            self.say(200, issue(42) | {"comments": 0})
        else:
            self.say(401, {"message": "Requires authentication"})

    def as_broken(self, root: str) -> None:
        self.say(500, {"message": "oops"})

    def as_odd(self, root: str) -> None:
        self.say(200, {"number": "forty-two"})

    def as_page(self, root: str) -> None:
        self.write(200, b"<html>welcome</html>", {})

    def as_slow(self, root: str) -> None:
        # Longer than any client waits: this thread ends with the process.
        time.sleep(3_600)

    def as_dripping(self, root: str) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        # Until the client goes, which is an error here.
        while True:
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.1)

    def as_endless(self, root: str) -> None:
        self.write(200, b" " * (9 << 20), {})

    def as_renamed(self, root: str) -> None:
        self.say(301, {}, {"Location": self.path.replace("/renamed/", "/boats/")})

    def as_elsewhere(self, root: str) -> None:
        port = self.server.server_address[1]
        self.say(302, {}, {"Location": f"http://localhost:{port}{root}/repos/dana/boats/issues/1"})

    def page(self, items: list[dict[str, object]], query: dict[str, str]) -> None:
        """One page as both forges give it, with the link to the next in a header."""
        size = int(query.get("per_page") or query["limit"])
        first = (int(query.get("page", "1")) - 1) * size
        # A forge behind a proxy may not know its own address: the link is not to be trusted.
        link = f'<http://inside.example/?page={query.get("page", 1)}>; rel="next"'
        self.say(200, items[first : first + size], {"Link": link} if items[first + size :] else {})


if __name__ == "__main__":
    serve(Forge)
