"""Readings of cues: the way to search, the parts, and the period that a cue names."""

from __future__ import annotations

from typing import Literal

import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import InvalidNumber
from mnemolog.recall.cues.cue_parts import parts_of
from mnemolog.recall.cues.sought import Sought, asks_when, is_specific, sought_by
from mnemolog.recall.cues.spans import Span, span_in

__all__ = ["CueReading", "Route", "Routing", "Sought", "Span", "read_cue", "routing"]

Route = Literal["single_shot", "iterative", "graph", "hybrid"]
"""Route of a search: one specific look-up, part by part, along edges, or broadly."""

SURE = 0.9
"""Over which confidence of the asker a simple question needs no search."""

READ = 2_000
"""Characters of a cue that are read; all of it is searched."""


class CueReading(msgspec.Struct, frozen=True):
    """Reading of a cue.

    `why` is a sentence that explains the route. `parts` are the cues that a
    many-sided cue falls into, none for a plain one. `span` is the period that it
    names; a cue that asks when something was names none, since what it mentions
    is not when that was.
    """

    route: Route
    why: str
    sought: Sought
    parts: tuple[str, ...] = ()
    span: Span | None = None


class Routing(msgspec.Struct, frozen=True):
    """The way a cue is to be searched, `none` for not at all, and a sentence that says why."""

    route: Route | Literal["none"]
    why: str


def read_cue(cue: str, instant: Micros) -> CueReading:
    """Reading of a cue; its dates are in UTC, as seen from `instant`."""
    text = " ".join(cue[:READ].replace("\u2019", "'").split())
    sought = sought_by(text)
    parts = parts_of(text)
    route, why = _route(text, sought, parts)
    return CueReading(
        route=route,
        why=why,
        sought=sought,
        parts=parts,
        span=None if sought == "time" and asks_when(text) else span_in(text, instant),
    )


def routing(reading: CueReading, confidence: float | None = None) -> Routing:
    """Routing of a search, if the asker is so sure of knowing the answer already.

    Only a simple question, of one part and for a fact or a time, is not searched
    at all, and only if the asker's confidence is over 0.9.

    Raises `InvalidNumber` for a confidence that is not in [0, 1].
    """
    if confidence is None:
        return Routing(reading.route, reading.why)
    if not 0 <= confidence <= 1:
        raise InvalidNumber("confidence", f"{confidence!r} is out of range", "give 0 to 1")
    if confidence > SURE and reading.route == "single_shot":
        return Routing("none", f"The asker is {confidence:g} sure of a simple question's answer.")
    return Routing(reading.route, reading.why)


def _route(text: str, sought: Sought, parts: tuple[str, ...]) -> tuple[Route, str]:
    if parts:
        return "iterative", f"The cue asks for {len(parts)} things, each searched by itself."
    if sought == "relation":
        return "graph", "The cue asks how things are related."
    if sought == "plan":
        return "hybrid", "The cue asks for a plan or a recommendation."
    if sought == "overview":
        return "hybrid", "The cue asks for all there is on its subject."
    if is_specific(text):
        return "single_shot", "The cue is a specific look-up."
    return "hybrid", "The cue is an open one."
