"""Layers that may answer a prompt, asked in order until one answers.

Memory comes before guessing. Each layer is asked through a `Look`, which never raises: an
error is an outcome like any other, so that the order and the sentences depend only on
outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.memories import checked_texts
from mnemolog.recall.answers.answers import NOTHING, AsOf
from mnemolog.recall.detector.detector import Detection, Layer
from mnemolog.results import Results, Value

Outcome = Literal[
    "in front", "answered", "empty", "failed", "timed out", "left out", "not configured"
]
"""Outcome of a layer. `in front` is for identity alone, which never answers."""

LOOKED_INTO: tuple[Layer, ...] = ("palace", "scratchpad", "artifacts", "procedures")
"""Layers that may answer, in the order in which they are asked."""

NAMES: Mapping[Layer, str] = {
    "identity": "the identity",
    "palace": "the memory",
    "scratchpad": "the notes of this session",
    "artifacts": "the artifacts",
    "procedures": "the procedures",
    "generation": "free generation",
}

NOT_IN_MEMORY = "Not in memory; looking at the artifacts."
LOOKING_AT_ARTIFACTS = "Looking at the artifacts."
NOTHING_FOUND = "Nothing was found on this."
ON_ITS_OWN = "Whatever is said next does not come from memory."


class Passage(Value, frozen=True):
    """Passage: a text that answers, with its source.

    `source` is a memory's source, a URL, or a path; `relevance` is in [0, 1]. `note` is a
    caution for the reader.
    """

    layer: Layer
    text: str
    source: str | None
    relevance: float
    memory_id: MemoryId | None = None
    title: str | None = None
    at: datetime | None = None
    note: str | None = None


class LayerFindings(msgspec.Struct, frozen=True):
    """Findings of a layer; `note` lists the parts that could not be read."""

    passages: tuple[Passage, ...] = ()
    note: str | None = None


class Looked(msgspec.Struct, frozen=True):
    """Result of asking a layer: outcome, passages and duration."""

    outcome: Outcome
    passages: tuple[Passage, ...] = ()
    took_ms: float = 0.0
    note: str | None = None


Look = Callable[[], Looked]


class Checked(Value, frozen=True):
    """Record of one checked layer: its outcome and duration."""

    layer: Layer
    outcome: Outcome
    took_ms: float
    note: str | None = None


class Asked(Results[Passage], frozen=True):
    """Answer of the layers to a prompt.

    `layer` is the one that answered; `generation` if none did, and None if no layer was asked.
    `said` are sentences for the reader of the answer, in order; `context` is the text to put
    before the prompt, empty if there is none.
    """

    _over = "passages"

    prompt: str
    recall: Detection
    identity: str | None
    layer: Layer | None
    passages: tuple[Passage, ...]
    layers_checked: tuple[Checked, ...]
    said: tuple[str, ...] = ()
    context: str = ""
    as_of: AsOf | None = None


def layers_to_ask(detection: Detection, asked_for: Sequence[Layer] | None) -> frozenset[Layer]:
    """Layers to ask: those that the caller names, or else those of the detector.

    Empty for a prompt that is not recall. The palace is always included: an answer in memory
    must not lose to a guess.
    """
    if asked_for is not None:
        return frozenset(asked_for)
    if not detection.recall:
        return frozenset()
    return frozenset({"palace", *detection.layers})


def checked_layers(layers: Sequence[str] | None) -> tuple[Layer, ...] | None:
    """Layers by name, in their order. Raises `InvalidField` for one that cannot be asked."""
    if layers is None:
        return None
    named = checked_texts("layers", layers)
    for name in named:
        if name not in LOOKED_INTO:
            known = ", ".join(LOOKED_INTO)
            raise InvalidField("layers", f"{name!r} cannot be looked into", f"use some of {known}")
    return tuple(layer for layer in LOOKED_INTO if layer in named)


def ask_layers(
    prompt: str,
    detection: Detection,
    wanted: Collection[Layer],
    identity: Looked,
    looks: Mapping[Layer, Look],
) -> Asked:
    """Answer of the first wanted layer, in order, that has one.

    A layer without a `Look` is not configured. One that fails or times out is recorded and
    skipped. `identity` is put in front in any case.
    """
    front = identity.passages[0].text if identity.passages else None
    checked = [_checked("identity", identity)]
    if not wanted:
        return Asked(prompt, detection, front, None, (), tuple(checked))
    said: list[str] = []
    outcomes: dict[Layer, Looked] = {}
    for layer in LOOKED_INTO:
        look = looks.get(layer)
        if layer not in wanted:
            looked = Looked("left out")
        elif look is None:
            looked = Looked("not configured")
        else:
            said += _said_before(layer, outcomes)
            looked = look()
            said += _said_after(layer, looked)
        outcomes[layer] = looked
        checked.append(_checked(layer, looked))
        if looked.outcome == "answered":
            return Asked(
                prompt, detection, front, layer, looked.passages, tuple(checked), tuple(said)
            )
    said += _said_at_last(outcomes)
    return Asked(prompt, detection, front, "generation", (), tuple(checked), tuple(said))


def _checked(layer: Layer, looked: Looked) -> Checked:
    return Checked(layer, looked.outcome, looked.took_ms, looked.note)


def _said_before(layer: Layer, outcomes: Mapping[Layer, Looked]) -> list[str]:
    if layer != "artifacts":
        return []
    return [NOT_IN_MEMORY if outcomes["palace"].outcome == "empty" else LOOKING_AT_ARTIFACTS]


def _said_after(layer: Layer, looked: Looked) -> list[str]:
    if looked.outcome not in ("failed", "timed out"):
        return []
    return [f"{NAMES[layer].capitalize()} could not be asked: {looked.note or looked.outcome}."]


def _said_at_last(outcomes: Mapping[Layer, Looked]) -> list[str]:
    # The content of a memory that failed or was not asked is unknown.
    known = outcomes["palace"].outcome == "empty"
    return [NOTHING if known else NOTHING_FOUND, ON_ITS_OWN]
