"""Contradictions between a correction in passing and the statement that it takes back."""

from __future__ import annotations

from mnemolog.policies.contradictions.judge import Contradiction
from mnemolog.policies.corrections.reading.correction_reading import CorrectionReading

RETRACTION = "correction"
"""Judge of a contradiction that a statement announces itself."""


def retraction(reading: CorrectionReading, known: str) -> Contradiction:
    """Contradiction between a correction in passing and `known`, which it takes back.

    By its own words; where it names but the new value, the old one is what is known.
    """
    if reading.new is not None:
        reason = f"It says '{reading.new}' in the place of '{reading.old or known}'."
    else:
        old = reading.old or reading.about or reading.sentence
        reason = f"It says '{reading.sentence.strip(' .!')}', so that '{old}' holds no longer."
    return Contradiction(
        type="direct" if reading.new is None else "value",
        severity="minor",
        attribute=reading.about,
        time_sensitive=True,
        condition=None,
        reason=reason,
    )
