"""HTTP client for the APIs of forges: pages, time limits, and errors with advice."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

import msgspec
from msgspec.json import Decoder

from mnemolog.ledger.errors import ArtifactsDenied, ArtifactsRateLimited, ArtifactsUnavailable
from mnemolog.ledger.vocabulary import decode_json

if TYPE_CHECKING:
    import httpx2

Answer = TypeVar("Answer")

_ANSWER_BYTES = 8 << 20
_LOOK_LATER = "try again later, or look whether it is up"
# Not found, deleted, not a commit, or a repository without commits.
_NOTHING = (404, 409, 410, 422)
_DENIED = (401, 403)
_TOO_MANY = 429
_BAD = 400


class ForgeClient:
    """HTTP client of one forge's JSON API, with a time limit over all its requests.

    Use it as a context manager. It reads a token from the environment when it is
    created, and sends it only over HTTPS or to this machine.
    """

    def __init__(
        self,
        name: str,
        api: str,
        token: tuple[str, str],
        headers: Mapping[str, str],
        limit_s: float,
    ) -> None:
        """Create a client of `api`; `token` is a pair of environment variable and auth scheme."""
        import httpx2  # noqa: PLC0415 - 100 ms that only asking a forge needs

        self._name = name
        self._api = api
        self._variable, scheme = token
        self._until = monotonic() + limit_s
        secret = os.environ.get(self._variable, "").strip()
        url = httpx2.URL(api)
        private = url.scheme == "https" or url.host in ("localhost", "127.0.0.1", "::1")
        sent = {"Authorization": f"{scheme} {secret}"} if secret and private else {}
        self._http = httpx2.Client(headers={**headers, **sent}, follow_redirects=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def get(self, path: str, shape: Decoder[Answer]) -> Answer | None:
        """Response of an API path, decoded as `shape`; None if there is nothing.

        Raises `ArtifactsUnavailable`, `ArtifactsRateLimited` or `ArtifactsDenied`.
        """
        body, _ = self._page(path, {})
        return None if body is None else self._read(body, shape)

    def pages(
        self,
        path: str,
        shape: Decoder[Answer],
        query: Mapping[str, str | int],
        numbers: range,
    ) -> Iterator[Answer]:
        """Pages of a list with these numbers, up to the last page, each decoded as `shape`."""
        for number in numbers:
            body, goes_on = self._page(path, {**query, "page": number})
            if body is not None:
                yield self._read(body, shape)
            if not goes_on:
                return

    def _page(self, path: str, query: Mapping[str, str | int]) -> tuple[bytes | None, bool]:
        """Body of one response, None if there is nothing, and whether a next page follows."""
        import httpx2  # noqa: PLC0415 - as above

        left = self._until - monotonic()
        if left <= 0:
            raise self._failed("gave no answer in time")
        try:
            with self._http.stream(
                "GET", self._api + path, params=dict(query), timeout=left
            ) as response:
                self._check(response)
                if response.status_code in _NOTHING:
                    return None, False
                return self._body(response), "next" in response.links
        except httpx2.TimeoutException:
            raise self._failed("gave no answer in time") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._failed(f"could not be asked: {error}") from None

    def _read(self, body: bytes, shape: Decoder[Answer]) -> Answer:
        try:
            return decode_json(shape.decode, body)
        except msgspec.DecodeError as error:
            raise self._failed(f"answered in a form that is not known: {error}") from None

    def _body(self, response: httpx2.Response) -> bytes:
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > _ANSWER_BYTES:
                raise self._failed("answered with more than 8 MiB")
            if monotonic() > self._until:
                raise self._failed("gave no whole answer in time")
        return bytes(body)

    def _check(self, response: httpx2.Response) -> None:
        status, headers = response.status_code, response.headers
        spent = headers.get("X-RateLimit-Remaining") == "0"
        if status == _TOO_MANY or (status in _DENIED and (spent or "Retry-After" in headers)):
            raise ArtifactsRateLimited(self._name, retry_time(headers, datetime.now(UTC)))
        if status in _DENIED:
            raise ArtifactsDenied(self._name, self._variable)
        if status >= _BAD and status not in _NOTHING:
            raise self._failed(f"answered with status {status}")

    def _failed(self, problem: str) -> ArtifactsUnavailable:
        return ArtifactsUnavailable(self._name, problem, _LOOK_LATER)


def retry_time(headers: Mapping[str, str], now: datetime) -> datetime | None:
    """Time from which a forge accepts requests again, by its headers; None if they do not say."""
    after = headers.get("Retry-After", "").strip()
    reset = headers.get("X-RateLimit-Reset", "").strip()
    try:
        if after.isdecimal():
            return (now + timedelta(seconds=int(after))).replace(microsecond=0)
        if after:
            told = parsedate_to_datetime(after)
            return told.replace(tzinfo=UTC) if told.tzinfo is None else told.astimezone(UTC)
        return datetime.fromtimestamp(int(reset), UTC) if reset.isdecimal() else None
    except (ValueError, OverflowError, OSError):
        return None
