"""Chat model behind an OpenAI-compatible endpoint, asked over HTTP."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mnemolog.endpoints.named_models import OPTIONAL, NamedModel
from mnemolog.endpoints.responses import (
    LateBody,
    UnfitBody,
    body_within,
    is_this_machine,
    retry_time,
)
from mnemolog.endpoints.time_limits import started_within
from mnemolog.ledger.errors import ModelFailed
from mnemolog.ledger.vocabulary import decode_json

if TYPE_CHECKING:
    import httpx2

_ANSWER_BYTES, _SHOWN = 256 << 10, 200
_PAUSE_S = 0.5
_FINE, _REDIRECTS, _DENIED, _UNKNOWN = 200, range(300, 400), (401, 403), 404
_TOO_MANY, _BROKEN = 429, 500
_LATER = "try again later, or look whether it is up"


class _ChatMessage(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _ChatMessage


class _Completion(msgspec.Struct):
    choices: list[_Choice]


class _Problem(msgspec.Struct):
    message: str


class _Refusal(msgspec.Struct):
    error: _Problem


class _Response(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class _Temporary(NamedTuple):
    """Failure that may be over after a pause."""

    failed: ModelFailed
    pause_s: float


class ChatModel:
    """Chat model that a setting names: one question, one answer in JSON by a schema.

    A question is asked once more at most, within the time limit, if the endpoint cannot be
    reached, is broken or takes no more requests for now. Redirects are not followed, so that texts
    go nowhere else. The environment's proxies are used, except to this machine.
    """

    def __init__(self, named: NamedModel, limit_s: float) -> None:
        self._named, self._limit_s = named, limit_s

    def answer(self, system: str, question: str, schema: Mapping[str, object]) -> str:
        """Text of the model's answer. Raises `ModelFailed`."""
        request = {
            "model": self._named.model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": question},
            ],
            "temperature": 0,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": dict(schema)},
            },
        }
        sent = {key: value for key, value in request.items() if key not in self._named.without}
        body, headers = msgspec.json.encode(sent), self._headers()
        until = monotonic() + self._limit_s
        # The client's own limits are for single steps: a look-up of a name has none.
        found = started_within(self._limit_s, partial(self._asked, headers, body, until))
        if not found.done():
            raise self._late()
        return found.result()

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if (variable := self._named.key_variable) is not None:
            key = os.environ.get(variable, "").strip()
            if not (key and key.isascii() and key.isprintable()):
                fix = f"put its key into {variable}"
                raise self._failed(f"was not asked: {variable} holds no key", fix)
            headers["Authorization"] = f"Bearer {key}"
        return headers

    def _asked(self, headers: Mapping[str, str], body: bytes, until: float) -> str:
        import httpx2  # noqa: PLC0415 - 100 ms that only asking a model needs

        proxies = not is_this_machine(self._named.host)
        with httpx2.Client(headers=headers, trust_env=proxies) as http:
            said = self._tried(http, body, until)
            if isinstance(said, _Temporary) and monotonic() + said.pause_s < until:
                sleep(said.pause_s)
                said = self._tried(http, body, until)
        if isinstance(said, _Temporary):
            raise said.failed
        return said

    def _tried(self, http: httpx2.Client, body: bytes, until: float) -> str | _Temporary:
        """Answer, or a failure that may be over soon. Raises `ModelFailed` for any other."""
        import httpx2  # noqa: PLC0415 - as above

        try:
            response = self._posted(http, body, until)
        except (httpx2.TimeoutException, LateBody):
            raise self._late() from None
        except httpx2.TransportError as error:
            return _Temporary(self._failed(f"could not be asked: {error}"), _PAUSE_S)
        except (httpx2.HTTPError, UnfitBody) as error:
            raise self._failed(str(error)) from None
        if response.status == _FINE:
            return self._content(response.body)
        failed = self._refused(response)
        if response.status == _TOO_MANY or response.status >= _BROKEN:
            return _Temporary(failed, _pause_s(response.headers))
        raise failed

    def _posted(self, http: httpx2.Client, body: bytes, until: float) -> _Response:
        url = f"{self._named.endpoint}/chat/completions"
        left = max(0.001, until - monotonic())
        with http.stream("POST", url, content=body, timeout=left) as response:
            read = body_within(response, _ANSWER_BYTES, until)
            return _Response(response.status_code, response.headers, read)

    def _content(self, body: bytes) -> str:
        try:
            said = decode_json(msgspec.json.Decoder(_Completion).decode, body)
        except msgspec.DecodeError as error:
            raise self._failed(f"answered in a form that is not known: {error}") from None
        content = said.choices[0].message.content if said.choices else None
        if content is None:
            raise self._failed("gave an empty answer")
        return content

    def _refused(self, response: _Response) -> ModelFailed:
        status, variable = response.status, self._named.key_variable
        if status in _REDIRECTS:
            return self._failed("sends us to another address", "name that one in the setting")
        if status in _DENIED:
            # What the endpoint says is left out: it may repeat a part of the key.
            named = "name a variable with its key by key=VARIABLE"
            fix = named if variable is None else f"put a key that it takes into {variable}"
            return self._failed(f"refused access (status {status})", fix)
        if status == _TOO_MANY:
            return self._failed("takes no more requests for now", "try again later")
        if status >= _BROKEN:
            return self._failed(f"answered with status {status}")
        if status == _UNKNOWN:
            fix = "look at the address and the name of the model"
            return self._failed(f"is not there (status {status}): {_said(response.body)}", fix)
        fix = f"if it refuses a field, name that with without= ({' or '.join(sorted(OPTIONAL))})"
        return self._failed(f"refused the request (status {status}): {_said(response.body)}", fix)

    def _late(self) -> ModelFailed:
        fix = "try again later, or allow more time"
        return self._failed(f"gave no answer in {self._limit_s:g} s", fix)

    def _failed(self, problem: str, fix: str = _LATER) -> ModelFailed:
        return ModelFailed(f"{self._named.model} at {self._named.host}", problem, fix)


def _said(body: bytes) -> str:
    """Reason that a refusal gives, as one short line."""
    try:
        text = decode_json(msgspec.json.Decoder(_Refusal).decode, body).error.message
    except msgspec.DecodeError:
        text = body[: 4 * _SHOWN].decode(errors="replace")
    line = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    line = line.rstrip(".")
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _pause_s(headers: Mapping[str, str]) -> float:
    now = datetime.now(UTC)
    again = retry_time(headers, now)
    return _PAUSE_S if again is None else max(_PAUSE_S, (again - now).total_seconds())
