"""Settings of a space: each change is an event, so that replay reproduces them."""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Literal, get_args, get_type_hints

import msgspec

from mnemolog.application.artifacts.named import named_sources, paths_of
from mnemolog.application.home.rerankers import check_reranker, named_reranker
from mnemolog.endpoints.named_models import BUILT_IN, named_model
from mnemolog.indexes.filters import SearchPath
from mnemolog.ledger.decay import LOWEST_BY_DEFAULT
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import SettingValue
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.admission import NOISE, TABLE, read_table
from mnemolog.policies.memories import checked_text, checked_texts
from mnemolog.recall.search.checks import Strategy
from mnemolog.results import Value, converted

_CONTENT_CEILING = 4 << 20
_RANGES: tuple[tuple[str, float, float, str], ...] = (
    ("content_limit_bytes", 1, _CONTENT_CEILING, f"1 to {_CONTENT_CEILING}"),
    ("min_relevance", 0, 1, "0 to 1"),
    ("forgetting_speed", 0, 1_000, "0 to 1,000"),
    ("layer_limit_s", math.nextafter(0, 1), 600, "more than 0 and at most 600 seconds"),
    ("judge_limit_s", math.nextafter(0, 1), 600, "more than 0 and at most 600 seconds"),
    ("admission_noise", 0, 10, "0 to 10"),
)
"""Least and greatest value of settings that are numbers, and both in words."""
_GIVE = {
    bool: "give true or false",
    int: "give a whole number",
    float: "give a number",
    str: "give a text",
}


class Settings(Value, frozen=True, forbid_unknown_fields=True):
    """Settings in force in a space.

    `strategy` ranks recalls that do not name one. `min_relevance` is the relevance in [0, 1] at
    which their lists end. `reranker` reads the best hits again: `notes` (the built-in model, for
    questions that notes answer), `phrases`, `cross-encoder` (the model of the extra `rerank`) or
    the absolute path of a folder with `model.onnx` and `tokenizer.json`, these three for other
    cues too; or `off`. `content_limit_bytes` limits one memory's text in UTF-8.
    `identity` is a file placed at the start of contexts. `playbooks` are folders of procedures
    and `artifacts` sources of issues, files and commits, both separated by commas.
    `layer_limit_s` is the time limit of one layer. `recognise_constraints` classifies new
    memories that limit what may be done, and marks standing instructions. `contradictions` says
    whether new memories are checked against stored ones; `judge` names the model that judges
    them, by default the built-in one, and `judge_limit_s` limits the time of one question to
    it. `forgetting_speed` multiplies the passing of time for memories (0 to 1,000); at 0
    nothing fades. `lowest_tier` is the lowest tier that memories reach by fading: recall still
    finds archived memories, a lower tier removes the text from answers, and `deleted` destroys
    it. `recognise_lasting` recognises lasting facts, which never fade. `keep_cues` stores the
    cue that is reported with a use. `agents_may_redact` lets agents destroy memories through
    the MCP server. `admission` is the table that decides on new content by its relevance and
    novelty; `admission_noise` is the scale of the noise in its activation, 0 for none.
    `record_votes` records `each` vote of a session as an event, or only their `aggregate`.
    `vector_search` is the path to the nearest vectors: `exact` compares all, `codes` narrows them
    by 1-bit codes, `graph` uses an HNSW graph that `index` builds, and `automatic` the fastest.
    """

    strategy: Strategy = "hybrid"
    min_relevance: float = 0.2
    reranker: str = "notes"
    content_limit_bytes: int = 1 << 20
    identity: str = ""
    playbooks: str = ""
    artifacts: str = ""
    layer_limit_s: float = 5.0
    recognise_constraints: bool = True
    contradictions: Literal["check", "off"] = "check"
    judge: str = BUILT_IN
    judge_limit_s: float = 20.0
    forgetting_speed: float = 1.0
    recognise_lasting: bool = True
    lowest_tier: Tier = LOWEST_BY_DEFAULT
    keep_cues: bool = False
    agents_may_redact: bool = False
    admission: str = TABLE
    admission_noise: float = NOISE
    record_votes: Literal["each", "aggregate"] = "each"
    vector_search: SearchPath = "automatic"


def settings_from(changed: Mapping[str, SettingValue]) -> Settings:
    """Settings with these values changed from their defaults.

    Unknown names and unfit values, which another version or program wrote, are ignored; a content
    limit above the ceiling becomes the ceiling. Layers report files that they cannot read.
    """
    return _fitting(msgspec.json.encode(changed))


# Every command asks for them, and they hardly change.
@lru_cache(maxsize=64)
def _fitting(encoded: bytes) -> Settings:
    changed: dict[str, SettingValue] = msgspec.json.decode(encoded)
    limit = changed.get("content_limit_bytes")
    if type(limit) is int and limit > _CONTENT_CEILING:
        changed = {**changed, "content_limit_bytes": _CONTENT_CEILING}
    fitting = {}
    for name, value in changed.items():
        with suppress(InvalidField):
            if name in Settings.__struct_fields__ and value is not None:
                _checked(name, value)
                fitting[name] = value
    return converted(fitting, Settings)


def _check_known(name: str, use: str) -> None:
    if name not in Settings.__struct_fields__:
        fix = f"use {use} of {', '.join(Settings.__struct_fields__)}"
        raise InvalidField("settings", f"{name!r} is unknown", fix)


def checked_names(names: Sequence[str]) -> frozenset[str]:
    """Names of settings. Raises `InvalidField` for an unknown name."""
    for name in checked_texts("settings", names):
        _check_known(name, "some")
    return frozenset(names)


def checked_settings(changes: Mapping[str, SettingValue]) -> dict[str, SettingValue]:
    """Valid changes of settings; None resets a setting to its default. Raises `InvalidField`."""
    if not isinstance(changes, Mapping) or not changes:
        raise InvalidField("settings", "name nothing", "give at least one name and value")
    for name, value in changes.items():
        _check_known(name, "one")
        if value is not None:
            settings = _checked(name, value)
            if len(paths_of("identity", settings.identity)) > 1:
                fix = "name one, with no comma in it"
                raise InvalidField("identity", "names several files", fix)
            paths_of("playbooks", settings.playbooks)
            named_sources(settings.artifacts)
            named_reranker(settings.reranker)
    return dict(changes)


def _checked(name: str, value: SettingValue) -> Settings:
    if isinstance(value, str):
        checked_text(name, value)
    try:
        settings = converted({name: value}, Settings)
    except msgspec.ValidationError:
        wanted = get_type_hints(Settings)[name]
        fix = _GIVE.get(wanted) or f"use one of {', '.join(get_args(wanted))}"
        raise InvalidField(name, f"{value!r} does not fit", fix) from None
    for limited, least, most, give in _RANGES:
        number: float = getattr(settings, limited)
        if not least <= number <= most:
            shown = f"{number:g}" if name == "admission_noise" else value
            raise InvalidField(name, f"{shown} is out of range", f"give {give}")
    read_table(settings.admission)
    named_model("judge", settings.judge)
    check_reranker(settings.reranker)
    return settings
