"""Search of the layers for a prompt: memory, notes, artifacts and procedures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from pathlib import Path

import msgspec

from mnemolog.application.artifacts.named import named_sources, paths_of
from mnemolog.application.artifacts.sources import opened
from mnemolog.application.home.settings import Settings
from mnemolog.application.home.space import Space
from mnemolog.application.layers.identity import read_identity
from mnemolog.application.layers.known_names import known_names
from mnemolog.application.layers.look_ups import LookUps, TimeLeft, looks_within
from mnemolog.application.layers.time_limits import looked_within
from mnemolog.application.questions.browse import settings_of
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import InvalidField, InvalidNumber
from mnemolog.policies.memories import checked_run, checked_text
from mnemolog.recall.answers.answers import AsOf
from mnemolog.recall.detector.detector import Layer, detect
from mnemolog.recall.layers.artifacts import ArtifactSource, checked_sources
from mnemolog.recall.layers.layers import (
    Asked,
    LayerFindings,
    Looked,
    ask_layers,
    assembled,
    checked_layers,
    layers_to_ask,
)
from mnemolog.recall.search.checks import checked_limit

_CUE_END = 400
"""Characters taken from each end of a long prompt for the cue."""

_BLANK = ", \t\n"
"""Characters that name nothing in a setting. Each layer reads its own setting, so that
a value written by another version, which this one cannot read, fails that layer alone."""


def ask(  # noqa: PLR0913 - where to look and for how long, all optional and by name
    space: Space,
    prompt: str,
    *,
    layers: Sequence[Layer] | None = None,
    session: str | None = None,
    artifacts: Sequence[ArtifactSource] | None = None,
    limit: int = 10,
    limit_s: float | None = None,
    within_s: float | None = None,
) -> Asked:
    """Answers of the layers to a prompt; layers are searched in order until one answers.

    If the prompt is not a recall request, no layer is searched unless `layers` names some.
    `session` is the run whose notes are the scratchpad (default: this handle's run).
    `artifacts` are sources that replace those in the settings. A layer returns at most
    `limit` passages, plus constraints. It takes at most `limit_s` seconds (default: the
    setting `layer_limit_s`), all layers together at most `within_s`. Failures of a layer are
    reported, not raised. Raises `InvalidField` or a subclass of it for invalid arguments.
    """
    _check_prompt(prompt)
    asked_for = checked_layers(layers)
    run = _own_run(space) if session is None else checked_run(session)
    _check_seconds("limit_s", limit_s)
    _check_seconds("within_s", within_s)
    sources = None if artifacts is None else checked_sources(artifacts)
    cut = space.cut()
    settings = settings_of(space, cut)
    time = TimeLeft(settings.layer_limit_s if limit_s is None else limit_s, within_s)
    look_ups = LookUps(space.at(cut), _cue(prompt), checked_limit(limit))
    looks: dict[Layer, Callable[[], LayerFindings]] = {
        "palace": look_ups.palace,
        "procedures": lambda: look_ups.procedures(lambda: _folders(space, settings)),
    }
    if run is not None:
        looks["scratchpad"] = partial(look_ups.notes, run)
    if sources:
        looks["artifacts"] = partial(look_ups.artifacts, sources, time)
    elif sources is None and settings.artifacts.strip(_BLANK):
        looks["artifacts"] = lambda: look_ups.artifacts(_sources_of(space, settings), time)
    detection = detect(prompt, known_names(space.home.views, space.name, cut.position))
    asked = ask_layers(
        prompt,
        detection,
        layers_to_ask(detection, asked_for) - _out_of_time(space),
        _identity(settings, time),
        looks_within(time, looks),
    )
    return msgspec.structs.replace(
        asked,
        context=assembled(asked.identity, asked.said, asked.passages),
        as_of=AsOf(cut.position, to_datetime(cut.instant)),
    )


def _own_run(space: Space) -> str | None:
    """Run whose notes are the scratchpad if the caller names none."""
    return None if space.author is None else space.author.run


def _out_of_time(space: Space) -> frozenset[Layer]:
    """Layers that cannot answer as of a past moment: artifacts are read as they are now."""
    return frozenset() if space.moment is None else frozenset({"artifacts"})


def _folders(space: Space, settings: Settings) -> tuple[Path, ...]:
    """Folders of playbooks; none for a past moment, as playbooks are read as they are now."""
    return paths_of("playbooks", settings.playbooks) if space.moment is None else ()


def _sources_of(space: Space, settings: Settings) -> tuple[ArtifactSource, ...]:
    return opened(named_sources(settings.artifacts), space.home.parts.analyzer)


def _check_prompt(prompt: str) -> None:
    if not (checked_text("prompt", prompt) or "").strip():
        raise InvalidField("prompt", "is empty", "give what the user asks")


def _check_seconds(name: str, value: float | None) -> None:
    if value is None:
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not isfinite(value) or value <= 0:
        raise InvalidNumber(name, f"{value!r} is no time limit", "give seconds, more than 0")


def _cue(prompt: str) -> str:
    """Cue of a prompt: both ends of a long one, where the request usually is."""
    if len(prompt) <= 2 * _CUE_END:
        return prompt
    ends = f"{prompt[:_CUE_END]}\n{prompt[-_CUE_END:]}"
    # Pasted text often repeats lines: keep each line once.
    return "\n".join(dict.fromkeys(ends.splitlines()))


def _identity(settings: Settings, time: TimeLeft) -> Looked:
    if not settings.identity.strip(_BLANK):
        return Looked("not configured")

    def read() -> LayerFindings:
        return read_identity(paths_of("identity", settings.identity)[0])

    looked = looked_within(time.seconds(), read)
    if looked.outcome != "answered":
        return looked
    return msgspec.structs.replace(looked, outcome="in front")
