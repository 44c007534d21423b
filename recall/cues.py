"""What a cue asks for: how it is to be searched, its parts, and the time that it names."""

from __future__ import annotations

from typing import Literal

import msgspec

from ledger.clock import Micros

Route = Literal["single_shot", "iterative", "graph", "hybrid"]
"""How a cue is searched: one specific look-up, part by part, along edges, or broadly."""

Sought = Literal["fact", "time", "relation", "plan", "overview"]
"""What a cue seeks: a fact, a point in time, how things are related, a plan or a
recommendation, or all there is on something."""


class Span(msgspec.Struct, frozen=True):
    """A period [start, end) that a cue names, in microseconds UTC, and the words that name it."""

    start: Micros
    end: Micros
    words: str


class CueReading(msgspec.Struct, frozen=True):
    """How a cue was understood.

    `why` is a sentence that explains the route. `parts` are the cues that a
    many-sided cue falls into, none for a plain one. `span` is the period that it
    names; a cue that asks for a time names none.
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
    """How a cue is understood, its dates as seen from `instant`."""
    return CueReading("hybrid", f"a cue of {len(cue)} characters at {instant}", "fact")


def routing(reading: CueReading, confidence: float | None = None) -> Routing:
    """The route of a cue whose asker is `confidence` sure of knowing the answer already.

    Only a simple question is not searched at all, and only if that is over 0.9.
    """
    if confidence is not None and confidence > 1:
        return Routing("none", "the caller knows")
    return Routing(reading.route, reading.why)
