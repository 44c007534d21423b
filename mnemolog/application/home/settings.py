"""The settings of a space: each change of them is an event, so that replay knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args, get_type_hints

import msgspec

from mnemolog.application.artifacts.named import named_sources, paths_of
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import SettingValue
from mnemolog.ledger.falls import LOWEST_BY_DEFAULT
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.admission.activation import NOISE
from mnemolog.policies.admission.placement import TABLE, read_table
from mnemolog.policies.memories import checked_text, checked_texts
from mnemolog.recall.search.checks import RerankerName, Strategy
from mnemolog.results import Value

_CONTENT_CEILING = 4 << 20
_LONGEST_LAYER_S = 600.0
_FASTEST = 1_000
_MOST_NOISE = 10.0
_GIVE = {
    bool: "give true or false",
    int: "give a whole number",
    float: "give a number",
    str: "give a text",
}


class Settings(Value, frozen=True, forbid_unknown_fields=True):
    """What is in force in a space.

    `strategy` ranks recalls that do not name one. `min_relevance` is where their
    lists end, in [0, 1]. `reranker` reads the best candidates once more.
    `content_limit_bytes` is the most that one memory's text may take, in bytes of
    UTF-8. `identity` is the file that is put in front of contexts, `playbooks` are
    folders of procedures and `artifacts` sources of issues, files and commits, each
    with commas between. `layer_limit_s` is how long one layer may take to answer, in
    seconds. With `recognise_constraints`, what is stored is looked at for whether it
    limits what may be done, and marked with the class of constraint that it is;
    `contradictions` says whether it is held against what is there. `forgetting_speed` is
    how fast time passes for what is remembered (0 to 1,000): at 0 nothing fades.
    `lowest_tier` is the lowest tier that memories reach by fading. Archived memories are
    still found. A tier below that takes the text out of answers, and `deleted` destroys
    it. With `recognise_lasting`, lasting facts are recognised when they are stored, and
    never fade. With `keep_cues`, a use keeps the cue that it is reported with; with
    `agents_may_redact`, agents may destroy memories through the MCP server. `admission` is the
    table of what becomes of content that asks to enter, by its relevance and novelty;
    `admission_noise` the scale of the noise in its activation, 0 for none. `record_votes`
    says whether `each` vote of a recall session is an event, or only the `aggregate` of
    them when it is resolved.
    """

    strategy: Strategy = "hybrid"
    min_relevance: float = 0.2
    reranker: RerankerName = "off"
    content_limit_bytes: int = 1 << 20
    identity: str = ""
    playbooks: str = ""
    artifacts: str = ""
    layer_limit_s: float = 5.0
    recognise_constraints: bool = True
    contradictions: Literal["check", "off"] = "check"
    forgetting_speed: float = 1.0
    recognise_lasting: bool = True
    lowest_tier: Tier = LOWEST_BY_DEFAULT
    keep_cues: bool = False
    agents_may_redact: bool = False
    admission: str = TABLE
    admission_noise: float = NOISE
    record_votes: Literal["each", "aggregate"] = "each"


def settings_from(changed: Mapping[str, SettingValue]) -> Settings:
    """The settings with these values changed from their defaults.

    Names that this version does not know are passed over, and values of a type or range
    that it does not take: another version wrote them, or nobody of ours. A content limit over
    the ceiling, which earlier versions allowed, is the ceiling. Files, folders
    and sources are left to the layers that read them, which report what they cannot use.
    """
    limit = changed.get("content_limit_bytes")
    if type(limit) is int and limit > _CONTENT_CEILING:
        changed = {**changed, "content_limit_bytes": _CONTENT_CEILING}
    return msgspec.convert({name: v for name, v in changed.items() if _fits(name, v)}, Settings)


def _fits(name: str, value: SettingValue) -> bool:
    if name not in Settings.__struct_fields__ or value is None:
        return False
    try:
        _checked(name, value)
    except InvalidField:
        return False
    return True


def checked_names(names: Sequence[str]) -> frozenset[str]:
    """Names of settings. Raises `InvalidField` for one that there is not."""
    for name in checked_texts("settings", names):
        if name not in Settings.__struct_fields__:
            known = ", ".join(Settings.__struct_fields__)
            raise InvalidField("settings", f"{name!r} is unknown", f"use some of {known}")
    return frozenset(names)


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
        _check_named(_checked(name, value))
    return dict(changes)


def _checked(name: str, value: SettingValue) -> Settings:
    """The defaults with one value changed. Raises `InvalidField` for its type or range."""
    if isinstance(value, str):
        checked_text(name, value)
    try:
        settings = msgspec.convert({name: value}, Settings)
    except msgspec.ValidationError:
        raise InvalidField(name, f"{value!r} does not fit", _what_fits(name)) from None
    if not 1 <= settings.content_limit_bytes <= _CONTENT_CEILING:
        raise InvalidField(name, f"{value} is out of range", f"give 1 to {_CONTENT_CEILING}")
    if not 0 <= settings.min_relevance <= 1:
        raise InvalidField(name, f"{value} is out of range", "give 0 to 1")
    if not 0 <= settings.forgetting_speed <= _FASTEST:
        raise InvalidField(name, f"{value} is out of range", f"give 0 to {_FASTEST:,}")
    if not 0 < settings.layer_limit_s <= _LONGEST_LAYER_S:
        fix = f"give more than 0 and at most {_LONGEST_LAYER_S:g} seconds"
        raise InvalidField(name, f"{value} is out of range", fix)
    _check_admission(settings)
    return settings


def _what_fits(name: str) -> str:
    """What a setting takes, for who gave something else."""
    wanted = get_type_hints(Settings)[name]
    return _GIVE.get(wanted) or f"use one of {', '.join(get_args(wanted))}"


def _check_admission(settings: Settings) -> None:
    read_table(settings.admission)
    if not 0 <= settings.admission_noise <= _MOST_NOISE:
        raise InvalidField(
            "admission_noise",
            f"{settings.admission_noise:g} is out of range",
            f"give 0 to {_MOST_NOISE:g}",
        )


def _check_named(settings: Settings) -> None:
    """Raise `InvalidField` for files, folders or sources that are not named as they must be."""
    if len(paths_of("identity", settings.identity)) > 1:
        raise InvalidField("identity", "names several files", "name one, with no comma in it")
    paths_of("playbooks", settings.playbooks)
    named_sources(settings.artifacts)
