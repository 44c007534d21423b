"""A program that speaks as an OpenAI-compatible endpoint does, on loopback.

Prints its port, then serves until it is ended. The name of the model says how it behaves; what it
knows of statements is in `RELATIONS`. `/requests` tells what was asked so far.
"""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tests.quiet_server import JsonHandler, serve, served_by

KEY = "sesame"
# Words of a new and of an old statement, and what a model says of the two.
RELATIONS = [
    ("sold the", "motorbike", "replaces", 0.97, []),
    ("sold the", "helmet", "separate", 0.9, []),
    ("closed down", "espresso", "replaces_part", 0.98, [2]),
    ("swims now", "knee", "replaces", 0.6, []),
]
REQUESTS: list[dict[str, object]] = []
RELEASED = threading.Event()


def said_of(new: str, old: str) -> dict[str, object]:
    for of_new, of_old, relation, confidence, holds in RELATIONS:
        if of_new in new and of_old in old:
            return {"relation": relation, "confidence": confidence, "holds": holds}
    return {"relation": "separate", "confidence": 0.99, "holds": []}


def answers_to(question: str) -> list[dict[str, object]]:
    asked = json.loads(question)
    new = asked["new"]["text"]
    return [{"id": old["id"], **said_of(new, old["text"])} for old in asked["old"]]


class Endpoint(JsonHandler):
    """Answers one request."""

    def do_GET(self) -> None:  # noqa: N802 - the name that http.server calls
        if self.path == "/release":
            RELEASED.set()
        self.say(200, REQUESTS)

    def do_POST(self) -> None:  # noqa: N802 - the name that http.server calls
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        token = self.headers.get("Authorization", "")
        REQUESTS.append({"path": self.path, "token": token, "body": body})
        tries = sum(one["body"]["model"] == body["model"] for one in REQUESTS)  # type: ignore[index]
        system, user = body["messages"]
        assert (system["role"], user["role"]) == ("system", "user")
        self.answers, self.body, self.tries = answers_to(user["content"]), body, tries
        kind = body["model"].partition(":")[0]
        getattr(self, f"as_{kind}", self.as_unknown)()

    def as_right(self) -> None:
        self.complete(self.answers)

    def as_fenced(self) -> None:
        self.write_content(f"```json\n{json.dumps({'answers': self.answers})}\n```\n")

    def as_certain(self) -> None:
        self.complete([{**one, "confidence": 1} for one in self.answers])

    def as_hasty(self) -> None:
        """Says of everything that it is replaced, as a text could tell it to."""
        self.complete([{**one, "relation": "replaces", "confidence": 1} for one in self.answers])

    def as_surer(self) -> None:
        self.complete([{**one, "confidence": 1.5} for one in self.answers])

    def as_below(self) -> None:
        self.complete([{**one, "confidence": -0.1} for one in self.answers])

    def as_wordy(self) -> None:
        self.complete([{**one, "reason": "so it seems"} for one in self.answers])

    def as_inventive(self) -> None:
        self.complete([{**one, "relation": "explains"} for one in self.answers])

    def as_lost(self) -> None:
        self.complete([*self.answers, {**self.answers[0], "id": 99}])

    def as_brief(self) -> None:
        self.complete(self.answers[1:])

    def as_twice(self) -> None:
        self.complete([*self.answers, self.answers[0]])

    def as_garbled(self) -> None:
        self.write_content('{"answers": [{"id": 1, "relation": "repl')

    def as_deep(self) -> None:
        self.write_content("[" * 100_000)

    def as_refusing(self) -> None:
        self.say(200, {"choices": [{"message": {"content": None, "refusal": "No."}}]})

    def as_silent(self) -> None:
        self.say(200, {"choices": []})

    def as_page(self) -> None:
        self.write(200, b"<html>welcome</html>", {})

    def as_huge(self) -> None:
        self.write(200, b" " * (1 << 20), {})

    def as_broken(self) -> None:
        self.say(500, {"error": {"message": "oops"}})

    def as_recovering(self) -> None:
        if self.tries == 1:
            self.as_broken()
        else:
            self.as_right()

    def as_dropping(self) -> None:
        if self.tries > 1:
            self.as_right()

    def as_busy(self) -> None:
        self.say(429, {}, {"Retry-After": "3600"})

    def as_crowded(self) -> None:
        if self.tries == 1:
            self.say(429, {})
        else:
            self.as_right()

    def as_secret(self) -> None:
        if self.headers.get("Authorization") == f"Bearer {KEY}":
            self.as_right()
        else:
            self.say(401, {"error": {"message": f"the key is not {KEY}"}})

    def as_moved(self) -> None:
        port = self.server.server_address[1]
        self.say(307, {}, {"Location": f"http://localhost:{port}/elsewhere"})

    def as_fussy(self) -> None:
        if "temperature" in self.body:
            said = "Unsupported value:\n'temperature' does not support 0 with this model."
            self.say(400, {"error": {"message": said}})
        else:
            self.as_right()

    def as_slow(self) -> None:
        # Longer than any client waits: this thread ends with the process.
        time.sleep(3_600)

    def as_held(self) -> None:
        """Answers once somebody asks for `/release`."""
        RELEASED.wait()
        self.as_right()

    def as_dripping(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        self.drip()

    def as_stalling(self) -> None:
        """Begins a header that never ends."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Wait: ")
        self.drip()

    def drip(self) -> None:
        # Until the client goes, which is an error here.
        while True:
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.05)

    def as_unknown(self) -> None:
        self.say(404, {"error": {"message": f"model '{self.body['model']}' not found"}})

    def complete(self, answers: list[dict[str, object]]) -> None:
        self.write_content(json.dumps({"answers": answers}))

    def write_content(self, content: str) -> None:
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        self.say(200, {"object": "chat.completion", "choices": [choice], "usage": {}})


class ServedModels(NamedTuple):
    """The endpoint in a process of its own."""

    port: int

    @property
    def url(self) -> str:
        """Its address, as a setting names it."""
        return f"http://127.0.0.1:{self.port}/v1"

    def setting(self, model: str, *options: str) -> str:
        """Setting that names one of its models."""
        return " ".join([self.url, f"model={model}", *options])

    def requests(self, model: str) -> list[dict[str, object]]:
        """What a model was asked so far: `path`, `token` and `body`."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/requests") as answer:
            told: list[dict[str, object]] = json.load(answer)
        return [one for one in told if one["body"]["model"] == model]  # type: ignore[index]

    def release(self) -> None:
        """Let the model `held` answer from now on."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/release"):
            pass

    def questions(self, model: str) -> list[dict[str, object]]:
        """The questions that a model was asked, as it read them."""
        bodies = [one["body"] for one in self.requests(model)]
        return [json.loads(body["messages"][1]["content"]) for body in bodies]  # type: ignore[index]


@contextmanager
def served_models() -> Iterator[ServedModels]:
    """The endpoint, ended at the end."""
    with served_by("tests.model_server") as port:
        yield ServedModels(port)


if __name__ == "__main__":
    serve(Endpoint)
