"""The settings of a space: each change of them is an event, so that replay knows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from ledger.errors import InvalidField
from ledger.events import SettingValue
from recall.questions import Strategy

_CONTENT_CEILING = 64 << 20


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is in force in a space.

    `strategy` ranks recalls that do not name one. `content_limit_bytes` is the
    most that one memory's text may take, in bytes of UTF-8. `contradictions` says
    whether what is stored is held against what is there.
    """

    strategy: Strategy = "hybrid"
    content_limit_bytes: int = 1 << 20
    contradictions: Literal["check", "off"] = "check"


def settings_from(changed: Mapping[str, SettingValue]) -> Settings:
    """The settings with these values changed from their defaults.

    Names that this version does not know are passed over: a newer one wrote them.
    """
    known = {name: value for name, value in changed.items() if name in Settings.__struct_fields__}
    return msgspec.convert(known, Settings)


def checked_settings(changes: Mapping[str, SettingValue]) -> dict[str, SettingValue]:
    """Changes that can be made; None means the default again. Raises `InvalidField`."""
    if not isinstance(changes, Mapping) or not changes:
        raise InvalidField("settings", "name nothing", "give at least one name and value")
    for name, value in changes.items():
        if name not in Settings.__struct_fields__:
            known = ", ".join(Settings.__struct_fields__)
            raise InvalidField("settings", f"{name!r} is unknown", f"use one of {known}")
        if value is None:
            continue
        try:
            settings = msgspec.convert({name: value}, Settings)
        except msgspec.ValidationError as error:
            raise InvalidField(name, f"{value!r} does not fit", str(error)) from None
        if not 1 <= settings.content_limit_bytes <= _CONTENT_CEILING:
            raise InvalidField(name, f"{value} is out of range", f"give 1 to {_CONTENT_CEILING}")
    return dict(changes)
