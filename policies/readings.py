"""Everything that is understood of a text."""

from __future__ import annotations

import msgspec

from policies.clauses import read_clause
from policies.denials import Predicate, read_predicate
from policies.frames import Frame, read_frame
from policies.statements import asserted


class Reading(msgspec.Struct, frozen=True):
    """Who speaks in a text, if it says so, and what its clauses state, in order."""

    speaker: str | None
    frames: tuple[Frame, ...]
    predicates: tuple[Predicate, ...]


def read(text: str) -> Reading:
    """What a text states, as far as it is understood; a third of a millisecond a sentence."""
    telling = asserted(text)
    clauses = [clause for part in telling.clauses if (clause := read_clause(part)) is not None]
    frames = (read_frame(clause) for clause in clauses)
    predicates = (read_predicate(clause) for clause in clauses)
    return Reading(
        telling.speaker,
        tuple(frame for frame in frames if frame is not None),
        tuple(predicate for predicate in predicates if predicate is not None),
    )
