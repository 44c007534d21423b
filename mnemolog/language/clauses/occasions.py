"""Times and conditions of two clauses, compared."""

from __future__ import annotations

import re
from typing import Literal

from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.clauses.frames import Frame
from mnemolog.language.clauses.values import NUMBERED, UNTOLD, value_words
from mnemolog.language.quantities.amounts import compare
from mnemolog.language.words.english import DETERMINERS

Times = Literal["unsaid", "one", "same", "apart"]
_FILLER = DETERMINERS | {"day", "per", "daily", "most", "for", "of", "to", "at", "in", "on", "and"}


def how_times_lie(new: Clause, old: Clause) -> Times:
    """Relation between the times of two clauses, as far as both state one."""
    one, other = _range(new), _range(old)
    if one is not None and other is not None:
        if new.since or old.since:
            return "unsaid"
        return "same" if one[0] <= other[1] and other[0] <= one[1] else "apart"
    for dimension in ("weekday", "clock", "version", "number"):
        for first in new.when:
            for second in old.when:
                if first.dimension == second.dimension == dimension and compare(first, second):
                    return "apart"
    if new.when and old.when:
        return "same"
    return "one" if new.when or old.when or new.span or old.span else "unsaid"


_NAMED_DAYS = (
    "spring", "summer", "autumn", "fall", "winter", "christmas", "thanksgiving", "halloween",
    "easter", "new years eve", "new years day", "christmas eve", "christmas day", "boxing day",
    "easter sunday", "easter monday", "valentines day", "independence day",
)  # fmt: skip
"""What comes once a year: 'last winter' is one where it is said in one year."""


def at_one_time(new: Clause, old: Clause, same_times: frozenset[str]) -> bool:
    """True if two clauses share a 'today' or 'last week', as far as they name one."""
    one, other = new.aside, old.aside
    if one.deictic != other.deictic:
        return False
    if one.lately is not None and one.lately == other.lately:
        return one.lately in same_times or (one.lately in _NAMED_DAYS and "year" in same_times)
    return one.deictic is None or one.deictic.split()[-1] in same_times


def times_told(new: Clause, old: Clause) -> Times:
    """Relation between the times of two clauses, both relative to the same present."""
    one, other = new.aside, old.aside
    if one.deictic is not None or (one.lately is not None and one.lately == other.lately):
        return "same"
    if one.lately is not None and other.lately is not None:
        return "apart"
    return how_times_lie(new, old)


def _range(clause: Clause) -> tuple[int, int] | None:
    """First and last day of a clause's dates; a year counts as 372 days."""
    if clause.span is not None:
        return clause.span[0] * 372, clause.span[1] * 372 + 371
    dates = [quantity.values for quantity in clause.when if quantity.dimension == "date"]
    if not dates:
        return None
    year, month, day = (*map(int, dates[0]), 0, 0)[:3]
    start = year * 372 + max(month - 1, 0) * 31 + max(day - 1, 0)
    length = 1 if day else 31 if month else 372
    return start, start + length - 1


def stated_condition(new: Frame, old: Frame, times: Times) -> str | Literal[False] | None:
    """Condition that only one of two frames states; None if neither, False if they differ."""
    first, second = _conditions(new), _conditions(old)
    if times == "one" and (first or second):
        return False
    if (first and _dimensions(old) - _dimensions(new)) or (
        second and _dimensions(new) - _dimensions(old)
    ):
        return False
    if first and second:
        return None if same_condition(first, second) else False
    if first or second:
        return first or second
    if times == "one" and not (new.clause.since or old.clause.since):
        clause = new.clause if new.clause.when or new.clause.span else old.clause
        return ", ".join(quantity.text for quantity in clause.when) or None
    return None


def _dimensions(frame: Frame) -> set[str]:
    return {quantity.dimension for quantity in frame.quantities}


def same_condition(first: str, second: str) -> bool:
    """True if two conditions agree: one has all words of the other."""
    one, other = value_words(first), value_words(second)
    return one <= other or other <= one


def _conditions(frame: Frame) -> str:
    """Condition of a frame, and the words beside an amount in its value."""
    parts = [frame.clause.condition or ""]
    if frame.quantities and not all(
        quantity.dimension in NUMBERED and quantity.name for quantity in frame.quantities
    ):
        beside = frame.value
        for quantity in frame.quantities:
            beside = beside.replace(quantity.text, " ")
        told = [word for word in re.findall(r"[\w-]+", beside) if len(word) > 1]
        if any(word.lower() not in _FILLER | UNTOLD for word in told):
            parts.append(" ".join(beside.split()))
    return " ".join(part for part in parts if part)
