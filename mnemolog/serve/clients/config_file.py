"""Client configuration file on disk: read whole, replaced atomically, with a backup beside it."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from mnemolog.ledger.errors import ConfigChanged, MalformedConfig, MalformedFile
from mnemolog.ledger.files import read_regular, sync_directory
from mnemolog.serve.clients.documents import BY_HAND

_KEPT = ".mnemolog-backup"
_MOST_BYTES = 16 << 20


def backup_of(file: Path) -> Path:
    """Path of a file's backup: beside the file, or beside the target of a link."""
    place = Path(os.path.realpath(file))
    return place.with_name(place.name + _KEPT)


def read_config(file: Path) -> str | None:
    """Text of a file, or None if it does not exist.

    Raises `MalformedConfig` if it is not a regular file, or not in UTF-8.
    """
    try:
        content = read_regular(file, _MOST_BYTES)
    except FileNotFoundError:
        return None
    except MalformedFile as error:
        raise MalformedConfig(file, None, error.problem, BY_HAND) from None
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise MalformedConfig(file, line, "is not in UTF-8", BY_HAND) from error


def write_config(file: Path, before: str | None, after: str | None) -> Path | None:
    """Replace a file's text atomically, or delete the file.

    Returns the path of the backup, None if no text was replaced.

    A link stays a link, and the permissions are kept. Raises `ConfigChanged` if the text is
    no longer `before`; then, and on an `OSError`, nothing is changed.
    """
    # Renaming onto a link would replace the link and leave its target unchanged.
    place = Path(os.path.realpath(file))
    kept = None if before is None or after is None else backup_of(place)
    if kept is not None and before is not None:
        _replace(kept, before, like=place)
    place.parent.mkdir(parents=True, exist_ok=True)
    if read_config(place) != before:
        raise ConfigChanged(file)
    if after is None:
        place.unlink(missing_ok=True)
    else:
        _replace(place, after, like=place)
    sync_directory(place.parent)
    return kept


def _replace(place: Path, text: str, like: Path) -> None:
    """Write a text to a temporary file and rename it, with the permissions of `like`."""
    aside = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
    stat = like.stat() if like.exists() else None
    mode = 0o666 if stat is None else 0o600
    try:
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as out:
            if stat is not None:
                # Only a superuser can change a file's owner; any other user owns it already.
                with suppress(PermissionError):
                    os.fchown(descriptor, stat.st_uid, stat.st_gid)
                os.fchmod(descriptor, stat.st_mode & 0o7777)
            out.write(text.encode())
            out.flush()
            os.fsync(descriptor)
        aside.replace(place)
    finally:
        with suppress(FileNotFoundError):
            aside.unlink()
