"""Asking the layers: what a prompt brings back from memory, notes, artifacts and procedures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic

import msgspec

from ledger.clock import to_datetime
from ledger.errors import InvalidField, InvalidNumber, LedgerError
from mnemolog.artifacts.named import named_sources, opened, paths_of
from mnemolog.home import Home
from mnemolog.identity import read_identity
from mnemolog.known_names import known_names
from mnemolog.playbooks import procedures_in
from mnemolog.questions import Cut, Questions
from mnemolog.settings import Settings
from mnemolog.time_limits import looked_within
from policies.memories import checked_run, checked_text
from projections.memory_queries import of_run
from recall.answers import AsOf, Hit, Recall
from recall.artifacts import Artifact, ArtifactSource, Wanted, wanted_by
from recall.detector import Layer, detect
from recall.layers import (
    Asked,
    Found,
    Look,
    Looked,
    Passage,
    ask_layers,
    checked_layers,
    layers_to_ask,
)
from recall.matching import asks_only_in_general, best_matches
from recall.prompt_context import assembled
from recall.questions import PLAIN_STATUSES, checked_limit

_SCRATCHPAD_LASTS_US = 24 * 3600 * 1_000_000
_NOTES = 5
_CUE_END = 2_000
"""How much of each end of a long prompt is looked up, in characters."""


class _Time:
    """How long each layer may take, and all of them together."""

    def __init__(self, layer_s: float, whole_s: float | None) -> None:
        self._layer_s = layer_s
        self._until = None if whole_s is None else monotonic() + whole_s

    def left(self) -> float:
        """How long the next layer may take, in seconds."""
        if self._until is None:
            return self._layer_s
        return max(0.0, min(self._layer_s, self._until - monotonic()))


class _At(Questions):
    """The questions of one moment: all layers are asked of the same."""

    def __init__(self, home: Home, space: str, cut: Cut) -> None:
        super().__init__(home, space)
        self._fixed = cut

    def _cut(self) -> Cut:
        return self._fixed


class Asking(Questions):
    """The question that an agent puts before it answers a prompt."""

    def ask(  # noqa: PLR0913 - where to look and for how long, all optional and by name
        self,
        prompt: str,
        *,
        layers: Sequence[Layer] | None = None,
        session: str | None = None,
        artifacts: Sequence[ArtifactSource] | None = None,
        limit: int = 10,
        limit_s: float | None = None,
        within_s: float | None = None,
    ) -> Asked:
        """What the layers say to a prompt, asked in order until one answers.

        A prompt that is not recall is looked up nowhere, unless `layers` names
        where to look. `session` is the run whose notes are the scratchpad, by
        default this handle's own; `artifacts` are sources in the place of those
        that the settings name. A layer brings at most `limit` passages and takes
        at most `limit_s` seconds (else the setting `layer_limit_s`), all of them
        together at most `within_s`. What fails in a layer is reported, not
        raised. Raises `InvalidField` and its kin for what is given.
        """
        checked_text("prompt", prompt)
        if not prompt.strip():
            raise InvalidField("prompt", "is empty", "give what the user asks")
        asked_for = checked_layers(layers)
        run = self._session() if session is None else checked_run(session)
        for name, value in (("limit_s", limit_s), ("within_s", within_s)):
            _check_seconds(name, value)
        checked_limit(limit)
        cut = self._cut()
        settings = self._settings(cut)
        time = _Time(settings.layer_limit_s if limit_s is None else limit_s, within_s)
        detection = detect(prompt, known_names(self._home.views, self.space, cut.position))
        then = _At(self._home, self.space, cut)
        cue = _cue(prompt)
        looks: dict[Layer, Callable[[], Found]] = {
            "palace": lambda: _of_recall(then.recall(cue, limit=limit), "palace"),
            "procedures": lambda: self._procedures(cue, then, settings, limit),
        }
        if run is not None:
            looks["scratchpad"] = partial(self._notes, cue, run, cut)
        sources = self._sources(settings) if artifacts is None else tuple(artifacts)
        if sources:
            looks["artifacts"] = lambda: _read(sources, wanted_by(cue), limit, time.left())
        asked = ask_layers(
            prompt,
            detection,
            layers_to_ask(detection, asked_for) - self._out_of_time(),
            _identity(settings, time),
            {layer: _look(look, time) for layer, look in looks.items()},
        )
        return msgspec.structs.replace(
            asked,
            context=assembled(asked.identity, asked.said, asked.passages),
            as_of=AsOf(cut.position, to_datetime(cut.instant)),
        )

    # -- what differs between now and a past moment --------------------------------------

    def _session(self) -> str | None:
        """The run whose notes are the scratchpad where the caller names none."""
        return None

    def _out_of_time(self) -> frozenset[Layer]:
        """The layers that cannot tell of this moment: an artifact is read as it is now."""
        return frozenset({"artifacts"})

    def _folders(self, settings: Settings) -> tuple[Path, ...]:
        """The folders of playbooks that can tell of this moment: of a past one none."""
        del settings
        return ()

    # -- the layers ----------------------------------------------------------------------

    def _notes(self, prompt: str, run: str, cut: Cut) -> Found:
        """This run's own items of the last day that share the prompt's words, best first.

        A prompt without words of its own ('where were we?') brings the newest.
        """
        after = cut.instant - _SCRATCHPAD_LASTS_US
        rows = self._home.views.read(lambda db: of_run(db, self.space, cut.position, run, after))
        kept = [row for row in reversed(rows) if row.status in PLAIN_STATUSES]
        items = [item for item in self._items(kept, cut) if item.content is not None]
        analyzer = self._home.parts.analyzer
        texts = [item.content or "" for item in items]
        if asks_only_in_general(analyzer, prompt):
            chosen = [(item, 1.0) for item in items[:_NOTES]]
        else:
            matches = best_matches(analyzer, prompt, texts, _NOTES)
            chosen = [(items[match.place], match.relevance) for match in matches]
        return Found(
            tuple(
                Passage(
                    layer="scratchpad",
                    text=item.content or "",
                    source=item.source,
                    relevance=relevance,
                    memory_id=item.memory_id,
                    at=item.recorded_at,
                )
                for item, relevance in chosen
            )
        )

    def _procedures(self, prompt: str, then: _At, settings: Settings, limit: int) -> Found:
        """Procedural memories, then playbooks."""
        remembered = then.recall(prompt, limit=limit, kinds=["procedural"])
        found = _of_recall(remembered, "procedures")
        folders = self._folders(settings)
        if not folders:
            return found
        read = procedures_in(folders, prompt, self._home.parts.analyzer)
        return Found((*found.passages, *read.passages)[:limit], read.note)

    def _sources(self, settings: Settings) -> tuple[ArtifactSource, ...]:
        named = named_sources(settings.artifacts)
        return opened(named, self._home.parts.analyzer) if named else ()


def _cue(prompt: str) -> str:
    """What a prompt is looked up by: of a long one both ends, where what is asked stands."""
    if len(prompt) <= 2 * _CUE_END:
        return prompt
    return f"{prompt[:_CUE_END]}\n{prompt[-_CUE_END:]}"


def _check_seconds(name: str, value: float | None) -> None:
    if value is not None and not (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")
    ):
        raise InvalidNumber(name, f"{value!r} is no time limit", "give seconds, more than 0")


def _look(look: Callable[[], Found], time: _Time) -> Look:
    return lambda: looked_within(time.left(), look)


def _identity(settings: Settings, time: _Time) -> Looked:
    paths = paths_of("identity", settings.identity)
    if not paths:
        return Looked("not configured")
    looked = looked_within(time.left(), partial(read_identity, paths[0]))
    if looked.outcome != "answered":
        return looked
    return msgspec.structs.replace(looked, outcome="in front")


def _of_recall(found: Recall, layer: Layer) -> Found:
    if found.empty:
        return Found()
    seen = {hit.memory_id for hit in found.hits}
    beside = [hit for hit in found.constraints if hit.memory_id not in seen]
    hits = [*found.hits, *beside]
    return Found(tuple(_of_hit(hit, layer) for hit in hits))


def _of_hit(hit: Hit, layer: Layer) -> Passage:
    return Passage(
        layer=layer,
        text=hit.content,
        source=hit.source,
        relevance=hit.relevance,
        memory_id=hit.memory_id,
        at=hit.recorded_at,
        note=hit.note,
    )


def _read(sources: Sequence[ArtifactSource], wanted: Wanted, limit: int, limit_s: float) -> Found:
    """What all sources hold, each in its share of the time; raises if none can be asked."""
    until = monotonic() + limit_s
    artifacts: list[Artifact] = []
    failed: list[LedgerError | OSError] = []
    for left, source in zip(range(len(sources), 0, -1), sources, strict=True):
        try:
            artifacts += source.find(wanted, max(0.0, until - monotonic()) / left)
        except (LedgerError, OSError) as error:
            failed.append(error)
    if failed and not artifacts:
        # Nobody knows what the one that failed would have answered.
        raise failed[0]
    artifacts.sort(key=lambda artifact: -artifact.relevance)
    passages = (_of_artifact(artifact) for artifact in artifacts[:limit])
    return Found(tuple(passages), "; ".join(map(str, failed)) or None)


def _of_artifact(artifact: Artifact) -> Passage:
    return Passage(
        layer="artifacts",
        text=artifact.text,
        source=artifact.source,
        relevance=artifact.relevance,
        title=artifact.title,
        at=artifact.at,
        note=artifact.note,
    )
