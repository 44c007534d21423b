"""Frequencies at the end of a clause: 'daily', 'every six hours'."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.clauses.frames import Frame, frame
from mnemolog.language.morphology import known_verbs
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Quantity
from mnemolog.language.quantities.units import period_of, rate_words
from mnemolog.language.words.english import topic

_UNITS = "minute|hour|day|night|week|fortnight|month|quarter|year"
_HOW_OFTEN = regex(
    r"(?:^|\s)(?:(?P<word>hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually)"
    rf"|(?:every|each) (?P<other>other |second )?(?P<unit>{_UNITS})"
    r"|every (?P<span>⟦\d+⟧)"
    r"|(?P<times>⟦\d+⟧))$"
)


def frequent(clause: Clause) -> Frame | None:
    """Frame of a clause's frequency, as the interval between two occurrences."""
    ordered = clause.subject.words == ("you",)
    if clause.past or not (ordered or clause.verb in known_verbs() | {"be"}):
        return None
    match = _HOW_OFTEN.search(clause.rest)
    seconds = None if match is None else _seconds(clause, match.groupdict())
    if match is None or seconds is None or "⟦" in clause.rest[: match.start()]:
        # 'Takes 50 mg daily' gives an amount.
        return None
    about = topic([*clause.subject.words, clause.verb, *clause.rest[: match.start()].split()])
    found = frame(clause, about, f"how often: {clause.verb}", match[0].strip())
    text = clause.spelled(match[0].strip())
    return msgspec.structs.replace(
        found, quantities=(Quantity("duration", "second", (seconds,), text, 0, len(text)),)
    )


def _seconds(clause: Clause, said: dict[str, str | None]) -> Fraction | None:
    if said["word"] or said["unit"]:
        period = period_of(said["unit"] or rate_words()[said["word"] or ""])
        return period and period * (2 if said["other"] else 1)
    (amount,) = clause.quantities_in(said["span"] or said["times"] or "")
    if said["span"]:
        return amount.amount if amount.dimension == "duration" else None
    often = amount.dimension == "count" and amount.unit == "time" and amount.amount > 0
    return amount.period / amount.amount if often and amount.period else None
