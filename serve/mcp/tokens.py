"""The token without which nobody is answered over HTTP."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from ledger.errors import InvalidField

TOKEN = "mcp-token"  # noqa: S105 - the name of a file
_SHORTEST = 16


def token_from(file: Path) -> str:
    """The token that a file holds. Raises `InvalidField` for one that can be guessed."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidField(
            "token", f"cannot be read from {file} ({type(error).__name__})", "name another file"
        ) from None
    return checked_token(text.strip())


def checked_token(token: str) -> str:
    """A token as it can stand in a header. Raises `InvalidField`."""
    if len(token) < _SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        raise InvalidField(
            "token",
            "is too short, or cannot stand in a header",
            f"give {_SHORTEST} characters or more, printable ASCII without blanks",
        )
    return token


def kept_token(home: Path) -> tuple[str, Path]:
    """The token of a home and the file that it is kept in, made when it is first asked for.

    Only its owner can read it. Raises `InvalidField` if others can.
    """
    file = home / TOKEN
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise InvalidField(
                "token", f"can be read by others in {file}", f"chmod 600 {file}, or delete it"
            ) from None
        return token_from(file), file
    with os.fdopen(descriptor, "w") as opened:
        token = secrets.token_urlsafe(32)
        opened.write(token + "\n")
    return token, file
