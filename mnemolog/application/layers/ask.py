"""Search of the layers for a prompt: memory, notes, artifacts and procedures."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from functools import partial
from math import isfinite
from pathlib import Path
from time import monotonic

import msgspec

from mnemolog.application.artifacts.named import named_sources, opened, paths_of
from mnemolog.application.home.settings import Settings
from mnemolog.application.home.space import Cut, Space
from mnemolog.application.layers.look_ups import LookUps, read_identity
from mnemolog.application.questions.browse import settings_of
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import InvalidField, InvalidNumber, LedgerError
from mnemolog.policies.memories import checked_run, checked_text
from mnemolog.projections.memory_queries import sources_of
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

_CUE_END = 400  # Characters taken from each end of a long prompt for the cue
_BLANK = ", \t\n"
"""Characters that name nothing in a setting. Each layer reads its own setting, so that
a value written by another version, which this one cannot read, fails that layer alone."""

_OF_SOMEBODY = ("user", "agent")
# Role names are not names of people: many prompts that need no memory contain them.
_ROLES = frozenset({"agent", "ai", "assistant", "bot", "human", "me", "model", "system", "user"})

_logger = logging.getLogger("mnemolog")
_THREAD = "mnemolog-layer"
_LAST_S = 10.0

_Find = Callable[[], LayerFindings]


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
    if not (checked_text("prompt", prompt) or "").strip():
        raise InvalidField("prompt", "is empty", "give what the user asks")
    asked_for = checked_layers(layers)
    own_run = None if space.author is None else space.author.run
    run = own_run if session is None else checked_run(session)
    for name, value in (("limit_s", limit_s), ("within_s", within_s)):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is not None and not (number and isfinite(value) and value > 0):
            raise InvalidNumber(name, f"{value!r} is no time limit", "give seconds, more than 0")
    sources = None if artifacts is None else checked_sources(artifacts)
    cut = space.cut()
    settings = settings_of(space, cut)
    time = _TimeLeft(settings.layer_limit_s if limit_s is None else limit_s, within_s)
    look_ups = LookUps(space.at(cut), _cue(prompt), checked_limit(limit))
    finds: dict[Layer, _Find] = {
        "palace": look_ups.palace,
        "procedures": lambda: look_ups.procedures(lambda: _folders(space, settings)),
    }
    if run is not None:
        finds["scratchpad"] = partial(look_ups.notes, run)
    if sources or (sources is None and settings.artifacts.strip(_BLANK)):
        finds["artifacts"] = lambda: look_ups.artifacts(
            _sources(space, settings) if sources is None else sources, time.seconds()
        )
    detection = detect(prompt, _known_names(space, cut))
    wanted = layers_to_ask(detection, asked_for)
    if space.moment is not None:
        # Artifacts are read as they are now: they cannot answer as of a past moment.
        wanted -= {"artifacts"}
    looks = {layer: partial(time.look, find) for layer, find in finds.items()}
    asked = ask_layers(prompt, detection, wanted, _identity(settings, time), looks)
    return msgspec.structs.replace(
        asked,
        context=assembled(asked.identity, asked.said, asked.passages),
        as_of=AsOf(cut.position, to_datetime(cut.instant)),
    )


def _folders(space: Space, settings: Settings) -> tuple[Path, ...]:
    """Folders of playbooks; none for a past moment, as playbooks are read as they are now."""
    return paths_of("playbooks", settings.playbooks) if space.moment is None else ()


def _sources(space: Space, settings: Settings) -> tuple[ArtifactSource, ...]:
    return opened(named_sources(settings.artifacts), space.home.parts.analyzer)


def _cue(prompt: str) -> str:
    """Cue of a prompt: both ends of a long one, where the request usually is."""
    if len(prompt) <= 2 * _CUE_END:
        return prompt
    ends = f"{prompt[:_CUE_END]}\n{prompt[-_CUE_END:]}"
    # Pasted text often repeats lines: keep each line once.
    return "\n".join(dict.fromkeys(ends.splitlines()))


def _known_names(space: Space, cut: Cut) -> frozenset[str]:
    """Names of the people and agents in the sources of a space's memories, case-folded."""
    # Tags, places, files and text before a colon are left out: they are often ordinary words,
    # and a prompt with such a word would be taken for one about a person.
    read = partial(sources_of, space=space.name, position=cut.position)
    named = (source.partition(":") for source in space.home.views.read(read))
    names = {name.casefold() for scheme, _, name in named if scheme in _OF_SOMEBODY and name}
    return frozenset(names - _ROLES)


def _identity(settings: Settings, time: _TimeLeft) -> Looked:
    if not settings.identity.strip(_BLANK):
        return Looked("not configured")
    looked = time.look(lambda: read_identity(paths_of("identity", settings.identity)[0]))
    if looked.outcome != "answered":
        return looked
    return msgspec.structs.replace(looked, outcome="in front")


class _TimeLeft:
    """Time limits of each layer and of all layers together, in seconds."""

    def __init__(self, layer_s: float, whole_s: float | None) -> None:
        self._layer_s = layer_s
        self._until = None if whole_s is None else monotonic() + whole_s

    def seconds(self) -> float:
        if self._until is None:
            return self._layer_s
        return max(0.0, min(self._layer_s, self._until - monotonic()))

    def look(self, find: _Find) -> Looked:
        """Outcome of a look-up in a layer, at the end of its time; any exception is `failed`."""
        # A slower look-up continues in a daemon thread, for ten seconds at exit at most.
        limit_s, found, started = self.seconds(), Future[LayerFindings](), monotonic()
        threading.Thread(target=_carry_out, args=(found, find), name=_THREAD, daemon=True).start()
        wait([found], timeout=limit_s)
        took_ms = round((monotonic() - started) * 1000, 3)
        if not found.done():
            late = f"it took longer than {limit_s:.3g} s" if limit_s > 0 else "no time was left"
            return Looked("timed out", (), took_ms, late)
        error = found.exception()
        if error is None:
            passages, note = found.result().passages, found.result().note
            return Looked("answered" if passages else "empty", passages, took_ms, note)
        if not isinstance(error, LedgerError | OSError):
            _logger.error("a layer failed unexpectedly", exc_info=error)
        return Looked("failed", (), took_ms, str(error) or type(error).__name__)


def _carry_out(found: Future[LayerFindings], find: _Find) -> None:
    try:
        found.set_result(find())
    except BaseException as error:  # noqa: BLE001 - handed to the thread that asks
        found.set_exception(error)


@atexit.register
def _let_late_looks_end() -> None:
    """Wait at most ten seconds for the threads of look-ups that timed out."""
    # A thread that runs compiled code while the interpreter exits would abort the process.
    until = monotonic() + _LAST_S
    for thread in threading.enumerate():
        if thread.name == _THREAD:
            thread.join(max(0.0, until - monotonic()))
