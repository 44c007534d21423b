"""Access token of the HTTP server, required for every request."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.files import partial_file, read_regular

TOKEN = "mcp-token"  # noqa: S105 - the name of a file
_SHORTEST = 16
_MOST_BYTES = 4096


def token_from(file: Path) -> str:
    """Token in a file. Raises `InvalidField` for one that can be guessed."""
    try:
        text = read_regular(file, _MOST_BYTES).decode()
    except InvalidField as error:
        raise InvalidField("token", f"{file} {error.problem}", "name another file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidField(
            "token", f"cannot be read from {file} ({type(error).__name__})", "name another file"
        ) from None
    return checked_token(text.strip())


def checked_token(token: str) -> str:
    """Token that is valid in a header. Raises `InvalidField`."""
    if len(token) < _SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        raise InvalidField(
            "token",
            "is too short, or cannot stand in a header",
            f"give {_SHORTEST} characters or more, printable ASCII without blanks",
        )
    return token


def kept_token(home: Path) -> tuple[str, Path]:
    """Token of a home and the file that stores it, created on first use.

    Only its owner can read the file. Raises `InvalidField` if others can read it or own it.
    """
    file = home / TOKEN
    if not os.path.lexists(file):
        _make(file)
    token = token_from(file)
    if others_can_read(file) or file.stat().st_uid != os.geteuid():
        raise InvalidField(
            "token", f"is another's or can be read by others in {file}", f"delete {file}"
        )
    return token, file


def others_can_read(file: Path) -> bool:
    """True if a file's permissions include others than its owner."""
    return bool(stat.S_IMODE(file.stat().st_mode) & 0o077)


def _make(file: Path) -> None:
    """Write a new token to a file that does not exist yet, atomically."""
    with partial_file(file) as (opened, aside):
        opened.write(f"{secrets.token_urlsafe(32)}\n".encode())
        opened.flush()
        # If two servers start at once, both use the first one's token.
        with suppress(FileExistsError):
            file.hardlink_to(aside)
