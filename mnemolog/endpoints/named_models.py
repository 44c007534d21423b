"""Models as named in settings."""

import re
from urllib.parse import urlsplit

import msgspec

from mnemolog.endpoints.responses import keeps_secrets
from mnemolog.ledger.errors import InvalidField

BUILT_IN = "built-in"
OPTIONAL = frozenset({"response_format", "temperature"})
"""Fields of a request that an endpoint may refuse, and that a setting may leave out."""
_FORM = (
    f"write {BUILT_IN}, or an endpoint like https://host/v1 model=NAME, then key=VARIABLE to name "
    "the variable with its key, and without=FIELD for a field that it refuses"
)
_MOST_CHARACTERS = 200
_VARIABLE = re.compile(r"[A-Za-z_]\w*")
_OPTIONS = frozenset({"model", "key", "without"})
_PATH = "/chat/completions"


class NamedModel(msgspec.Struct, frozen=True):
    """Model behind an OpenAI-compatible endpoint; `endpoint` is a URL without a trailing slash.

    `key_variable` is the environment variable that holds the key, None for no key.
    """

    endpoint: str
    model: str
    key_variable: str | None = None
    without: frozenset[str] = frozenset()

    @property
    def host(self) -> str:
        """Host of the endpoint."""
        return urlsplit(self.endpoint).hostname or ""


def named_model(field: str, text: str) -> NamedModel | None:
    """Model that a setting names; None for the built-in one. Raises `InvalidField`."""
    if text.strip() == BUILT_IN:
        return None
    address, *words = text.split() or [""]
    options = dict(word.partition("=")[::2] for word in words)
    if len(options) != len(words) or not options.keys() <= _OPTIONS:
        raise InvalidField(field, f"{text!r} names no model", _FORM)
    endpoint = _endpoint(field, address)
    model, key = options.get("model", ""), options.get("key")
    if not (model and model.isprintable() and len(model) <= _MOST_CHARACTERS):
        raise InvalidField(field, "names an endpoint and no model", _FORM)
    if key is not None:
        _check_key(field, key, endpoint)
    without = frozenset(options["without"].split(",")) if "without" in options else frozenset()
    if not without <= OPTIONAL:
        fix = f"use some of {', '.join(sorted(OPTIONAL))}, with commas between"
        raise InvalidField(field, f"cannot do without {', '.join(sorted(without - OPTIONAL))}", fix)
    return NamedModel(endpoint, model, key, without)


def _endpoint(field: str, address: str) -> str:
    """Endpoint at an address, as far as a log may keep it. Raises `InvalidField`."""
    try:
        url = urlsplit(address)
        port = url.port
    except ValueError:
        raise InvalidField(field, f"{address!r} is no URL", _FORM) from None
    if url.scheme not in {"http", "https"} or not url.hostname or port == 0:
        raise InvalidField(field, f"{address!r} is no URL", _FORM)
    if url.username is not None or url.query or url.fragment:
        # Settings stay in the log for good. The address is not repeated: it may hold a secret.
        fix = "leave out what is before @ or after ?, and name a key's variable with key=VARIABLE"
        raise InvalidField(field, "has more than an address in its URL", fix)
    path = url.path.rstrip("/").removesuffix(_PATH)
    return f"{url.scheme}://{url.netloc}{path}"


def _check_key(field: str, variable: str, endpoint: str) -> None:
    if _VARIABLE.fullmatch(variable) is None:
        # Not repeated either: it may be the key itself.
        fix = "give the name of an environment variable, not the key itself"
        raise InvalidField(field, "names no variable with key=", fix)
    url = urlsplit(endpoint)
    if not keeps_secrets(url.scheme, url.hostname):
        fix = "use https, or leave out key="
        raise InvalidField(field, f"would send a key to {url.hostname} unencrypted", fix)
