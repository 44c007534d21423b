"""Artifact sources as named in settings."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from mnemolog.ledger.errors import InvalidField

ForgeKind = Literal["github", "gitea"]

FIELD = "artifacts"
_FORMS = (
    "write them like github:owner/repo, gitea:https://host/owner/repo or git:/path/to/checkout, "
    "with commas between, and token=VARIABLE after a forge to name its token's variable"
)
_NAME = re.compile(r"(?!\.+$)[\w.-]+")
_VARIABLE = re.compile(r"token=([A-Za-z_]\w*)")
_TOKEN_VARIABLES: dict[ForgeKind, str] = {"github": "GITHUB_TOKEN", "gitea": "GITEA_TOKEN"}
_PUBLIC_GITHUB = "https://github.com"


class NamedForge(msgspec.Struct, frozen=True):
    """Repository on a forge; `site` is the forge's URL without a trailing slash."""

    kind: ForgeKind
    site: str
    owner: str
    repository: str
    token_variable: str

    @property
    def api(self) -> str:
        """Base URL of the forge's API."""
        if self.kind == "gitea":
            return f"{self.site}/api/v1"
        return "https://api.github.com" if self.site == _PUBLIC_GITHUB else f"{self.site}/api/v3"

    @property
    def name(self) -> str:
        """Name of the source in reports."""
        return f"{self.kind}:{self.owner}/{self.repository}"


Named = NamedForge | Path  # Repository on a forge, or the folder of a local git checkout


def named_sources(text: str) -> tuple[Named, ...]:
    """Artifact sources that a setting names. Raises `InvalidField` if it cannot be parsed."""
    return tuple(_named(part.strip()) for part in text.split(",") if part.strip())


def paths_of(field: str, text: str) -> tuple[Path, ...]:
    """Absolute paths that a setting names, with commas between. Raises `InvalidField`."""
    # A relative path would depend on the working directory of a process.
    return tuple(_absolute(field, part.strip()) for part in text.split(",") if part.strip())


def _named(part: str) -> Named:
    kind, _, rest = part.partition(":")
    if kind == "git":
        return _absolute(FIELD, rest)
    if kind not in {"github", "gitea"}:
        raise InvalidField(FIELD, f"{part!r} names no source", _FORMS)
    address, *options = rest.split() or [""]
    if kind == "github" and address.count("/") == 1:
        address = f"{_PUBLIC_GITHUB}/{address}"
    forge = _forge("github" if kind == "github" else "gitea", address, options)
    if forge is None:
        raise InvalidField(FIELD, f"{part!r} names no repository", _FORMS)
    return forge


def _forge(kind: ForgeKind, address: str, options: Sequence[str]) -> NamedForge | None:
    """Repository at an address; None if that is not a plain URL of one."""
    try:
        url = urlsplit(address)
        port = url.port
    except ValueError:
        return None
    *above, owner, repository = ["", "", *url.path.strip("/").removesuffix(".git").split("/")]
    folders = [folder for folder in above if folder]
    variables = [match[1] for option in options if (match := _VARIABLE.fullmatch(option))]
    named = all(_NAME.fullmatch(name) for name in (owner, repository, *folders))
    plain = url.username is None and not (url.query or url.fragment) and port != 0
    host = url.hostname if url.scheme in {"http", "https"} else None
    if not (host and plain and named) or len(variables) != len(options) or len(variables) > 1:
        return None
    site = "/".join([f"{url.scheme}://{url.netloc}", *folders])
    variable = variables[0] if variables else _TOKEN_VARIABLES[kind]
    return NamedForge(kind, site, owner, repository, variable)


def _absolute(field: str, text: str) -> Path:
    path = Path(text)
    if not text or not (path.is_absolute() or text == "~" or text.startswith("~/")):
        fix = "begin it with / or ~/, and with no comma in it"
        raise InvalidField(field, f"{text!r} is no absolute path", fix)
    return path
