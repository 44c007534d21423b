"""Look-ups in each layer: the memory, a session's notes, artifacts and procedures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic

from mnemolog.application.home.space import Space
from mnemolog.application.layers.playbooks import procedures_in
from mnemolog.application.layers.time_limits import looked_within
from mnemolog.application.questions.browse import items_of
from mnemolog.application.questions.recall import recall
from mnemolog.ledger.errors import InvalidField, LedgerError
from mnemolog.projections.memory_queries import of_run
from mnemolog.recall.answers.answers import Hit, Recall
from mnemolog.recall.detector.detector import Layer
from mnemolog.recall.layers.artifacts import Artifact, ArtifactSource, wanted_by
from mnemolog.recall.layers.layers import (
    LayerFindings,
    Look,
    Looked,
    MatchableText,
    Passage,
    asks_only_in_general,
    best_matches,
)
from mnemolog.recall.search.checks import PLAIN_STATUSES

_SCRATCHPAD_LASTS_US = 24 * 3600 * 1_000_000
_MOST_NOTES = 5


class TimeLeft:
    """Time limits of each layer and of all layers together, in seconds."""

    def __init__(self, layer_s: float, whole_s: float | None) -> None:
        """Start the clock."""
        self._layer_s = layer_s
        self._until = None if whole_s is None else monotonic() + whole_s

    def seconds(self) -> float:
        """Seconds that the next layer may take."""
        if self._until is None:
            return self._layer_s
        return max(0.0, min(self._layer_s, self._until - monotonic()))


class LookUps:
    """Look-ups of one cue in the layers of a space, all as of the same moment.

    Each layer returns at most `limit` passages.
    """

    def __init__(self, space: Space, cue: str, limit: int) -> None:
        self._space = space
        self._cue = cue
        self._limit = limit

    def palace(self) -> LayerFindings:
        """Passages from memory: the hits of a recall, then relevant constraints."""
        return self._recalled(recall(self._space, self._cue, limit=self._limit), "palace")

    def notes(self, run: str) -> LayerFindings:
        """Notes of a run from the last 24 hours that share words with the cue, best first.

        A cue without content words ("where were we?") gives the newest notes.
        """
        cut = self._space.cut()
        after = cut.instant - _SCRATCHPAD_LASTS_US
        rows = self._space.home.views.read(
            lambda db: of_run(db, self._space.name, cut.position, run, after)
        )
        kept = [row for row in reversed(rows) if row.status in PLAIN_STATUSES]
        items = [item for item in items_of(self._space, kept, cut) if item.content is not None]
        most = min(self._limit, _MOST_NOTES)
        analyzer = self._space.home.parts.analyzer
        if asks_only_in_general(analyzer, self._cue):
            chosen = [(item, 1.0) for item in items[:most]]
        else:
            texts = [MatchableText(item.content or "") for item in items]
            matches = best_matches(analyzer, self._cue, texts, most)
            chosen = [(items[match.place], match.relevance) for match in matches]
        return LayerFindings(
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

    def artifacts(self, sources: Sequence[ArtifactSource], time: TimeLeft) -> LayerFindings:
        """Artifacts of all sources, each within its share of the time.

        Raises the first error if a source failed and none found anything.
        """
        until = monotonic() + time.seconds()
        wanted = wanted_by(self._cue)
        artifacts: list[Artifact] = []
        failed: list[LedgerError | OSError] = []
        for left, source in zip(range(len(sources), 0, -1), sources, strict=True):
            try:
                artifacts += source.find(wanted, max(0.0, until - monotonic()) / left)
            except (LedgerError, OSError) as error:
                failed.append(error)
        if failed and not artifacts:
            # The source that failed may have had an answer, so the layer is not empty.
            raise failed[0]
        artifacts.sort(key=lambda artifact: -artifact.relevance)
        passages = (_of_artifact(artifact) for artifact in artifacts[: self._limit])
        return LayerFindings(tuple(passages), "; ".join(map(str, failed)) or None)

    def procedures(self, folders_named: Callable[[], Sequence[Path]]) -> LayerFindings:
        """Procedural memories, then playbooks from the named folders.

        If the folders cannot be resolved or read, the memories are returned with a note.
        """
        remembered = recall(self._space, self._cue, limit=self._limit, kinds=["procedural"])
        found = self._recalled(remembered, "procedures")
        try:
            folders = folders_named()
            if not folders:
                return found
            read = procedures_in(folders, self._cue, self._space.home.parts.analyzer)
        except InvalidField as error:
            if not found.passages:
                raise
            return LayerFindings(found.passages, str(error))
        return LayerFindings((*found.passages, *read.passages)[: self._limit], read.note)

    def _recalled(self, found: Recall, layer: Layer) -> LayerFindings:
        if found.empty:
            return LayerFindings()
        seen = {hit.memory_id for hit in found.hits}
        beside = [hit for hit in found.constraints if hit.memory_id not in seen]
        return LayerFindings(tuple(_of_hit(hit, layer) for hit in (*found.hits, *beside)))


def looks_within(
    time: TimeLeft, looks: dict[Layer, Callable[[], LayerFindings]]
) -> dict[Layer, Look]:
    """Look-ups with a time limit each, which report every failure as an outcome."""
    return {layer: partial(_look, time, look) for layer, look in looks.items()}


def _look(time: TimeLeft, look: Callable[[], LayerFindings]) -> Looked:
    return looked_within(time.seconds(), look)


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
