"""HTTP responses: bodies within limits, when to ask again, and who may be sent a secret."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class UnfitBody(ValueError):
    """The body of a response is too large, or was not complete in time: in words."""


class LateBody(UnfitBody):
    """The body of a response was not complete in time."""


def body_within(response: httpx2.Response, most_bytes: int, until: float) -> bytes:
    """Body of a streamed response, read up to a time on the monotonic clock. Raises `UnfitBody`."""
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > most_bytes:
            size = f"{most_bytes >> 20} MiB" if most_bytes >> 20 else f"{most_bytes >> 10} KiB"
            raise UnfitBody(f"answered with more than {size}")
        if monotonic() > until:
            raise LateBody("gave no whole answer in time")
    return bytes(body)


def is_this_machine(host: str | None) -> bool:
    """True for a host by which this machine names itself."""
    return host in _LOOPBACK


def keeps_secrets(scheme: str, host: str | None) -> bool:
    """True if nobody between can read a request: over HTTPS, or to this machine."""
    return scheme == "https" or is_this_machine(host)


def retry_time(headers: Mapping[str, str], now: datetime) -> datetime | None:
    """Time from which a server accepts requests again, by its headers; None if they do not say."""
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
