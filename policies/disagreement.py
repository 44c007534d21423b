"""Where two readings disagree: the same topic with other values, or one affirmed and one denied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from ledger.events import ConflictType
from policies.clauses import Clause
from policies.denials import Predicate
from policies.english import DETERMINERS, PREPOSITIONS, noun, words
from policies.frames import Frame
from policies.lexicon import HABITS, RIVALS
from policies.places import place, within
from policies.quantities import Quantity, compare
from policies.readings import Reading


class Disagreement(msgspec.Struct, frozen=True):
    """What two readings disagree on.

    `attribute` is it in words, `fixed` whether it hardly changes with time, `grave`
    whether health or safety hangs on it, `state` whether it is how a thing is at
    present. `condition` is one that only one of them states. `coarser` tells a new
    statement that only says less exactly what the old one said.
    """

    type: ConflictType
    attribute: str
    new: str
    old: str
    fixed: bool = False
    grave: bool = False
    state: bool = False
    condition: str | None = None
    coarser: bool = False


Times = Literal["unsaid", "one", "same", "apart"]


def disagreement(new: Reading, old: Reading, *, same_speaker: bool) -> Disagreement | None:
    """The first thing on which two readings disagree, or None.

    What is said of 'I' and 'we' is compared only if the same one speaks.
    """
    for frame in new.frames:
        for other in old.frames:
            if not same_speaker and frame.topic & {"i", "we"}:
                continue
            found = _of_frames(frame, other)
            if found is not None:
                return found
    for predicate in new.predicates:
        for older in old.predicates:
            if not same_speaker and predicate.subject & {"i", "we"}:
                continue
            denied = _of_predicates(predicate, older)
            if denied is not None:
                return denied
    return None


# -- values ----------------------------------------------------------------------------


def _of_frames(new: Frame, old: Frame) -> Disagreement | None:
    times = _times(new.clause, old.clause)
    if times == "apart" or ((new.clause.past or old.clause.past) and times != "same"):
        return None
    if new.topic != old.topic:
        return None
    if not (new.single and old.single) and not (new.clause.only or old.clause.only):
        return _preferred(new, old) if new.attribute == "preference" else None
    order = _order(new, old)
    if order is None:
        return None
    condition = _condition(new, old, times)
    if condition is False:
        return None
    kind: ConflictType = "value"
    if order != "other":
        kind, condition = "granularity", None
    elif times == "same":
        kind, condition = "temporal", None
    return Disagreement(
        type=kind,
        attribute=new.attribute,
        new=new.value,
        old=old.value,
        fixed=new.fixed or kind == "temporal",
        condition=condition or None,
        coarser=order == "coarser",
    )


def _preferred(new: Frame, old: Frame) -> Disagreement | None:
    first = [noun(word) for word in re.split(r" (?:over|to|rather than|instead of) ", new.value)[0]
             .split() if word not in DETERMINERS]  # fmt: skip
    second = [noun(word) for word in re.split(r" (?:over|to|rather than|instead of) ", old.value)[0]
              .split() if word not in DETERMINERS]  # fmt: skip
    if new.value != old.value and _turned(new.value) == old.value:
        return Disagreement("direct", new.attribute, new.value, old.value)
    if not first or not second or first == second or set(first) & set(second) == set(first):
        return None
    rivals = any(
        set(first) & row and set(second) & row and set(first) & row != set(second) & row
        for row in RIVALS
    )
    shared_head = first[-1] == second[-1] and len(first) == len(second)
    if not rivals and not shared_head:
        return None
    return Disagreement("value", new.attribute, new.value, old.value)


def _turned(value: str) -> str:
    """'A over B' as 'B over A'."""
    match = re.fullmatch(r"(.+) (over|to|rather than|instead of) (.+)", value)
    return f"{match[3]} {match[2]} {match[1]}" if match else value


def _order(new: Frame, old: Frame) -> Literal["finer", "coarser", "other"] | None:
    """How two values of one attribute differ; None where both may be right."""
    if (new.quantities or old.quantities) and not _numbered_names(new, old):
        return "other" if _amounts_differ(new.quantities, old.quantities) else None
    one, other = _value_words(new.value), _value_words(old.value)
    if not one or not other or one <= other or other <= one:
        return None
    if place(_place(new.value)) == place(_place(old.value)):
        return None
    if within(_place(new.value), _place(old.value)):
        return "finer"
    if within(_place(old.value), _place(new.value)):
        return "coarser"
    return "other"


def _value_words(text: str) -> frozenset[str]:
    found = re.findall(r"[\w.+#-]*\w[+#]*", text)
    return frozenset(noun(word) for word in found if word not in _UNTOLD)


_UNTOLD = DETERMINERS | PREPOSITIONS | {"named", "called", "is", "are", "team", "own"}


def _place(text: str) -> str:
    return text.split(",", maxsplit=1)[0].strip()


def _amounts_differ(new: tuple[Quantity, ...], old: tuple[Quantity, ...]) -> bool:
    for one in new:
        for other in old:
            order = _year_apart(one, other)
            if order is None:
                order = compare(one, other)
            if order and one.text.lstrip("-0123456789., ") != other.text.lstrip("-0123456789., "):
                order = _beyond_rounding(one, other)
            if order is None and len(new) == len(old) == 1:
                order = _otherwise(one, other)
            if order:
                return True
    return False


def _year_apart(one: Quantity, other: Quantity) -> int | None:
    """How two years differ of which one stands there as a mere number; None for all else."""
    number, date = (one, other) if one.dimension == "number" else (other, one)
    if number.dimension != "number" or date.dimension != "date" or len(date.values) > 1:
        return None
    return int(number.values[0] != date.values[0])


def _beyond_rounding(one: Quantity, other: Quantity) -> int:
    """Whether two amounts in different units differ by more than rounding does: a fiftieth."""
    if len(one.values) != 1 or one.dimension in {"date", "clock", "weekday", "version"}:
        return 1
    return int(abs(one.amount - other.amount) > max(abs(one.amount), abs(other.amount)) / 50)


def _numbered_names(new: Frame, old: Frame) -> bool:
    """Whether the numbers in two values are parts of other names: 'iPhone 13' and 'Pixel 7'."""
    names = [
        {quantity.name for quantity in frame.quantities if quantity.dimension in _NUMBERED}
        for frame in (new, old)
    ]
    named = names[0] | names[1]
    return (
        "" not in named
        and bool(named)
        and names[0].isdisjoint(names[1])
        and all(quantity.dimension in _NUMBERED for quantity in (*new.quantities, *old.quantities))
        and not new.topic & named
    )


_NUMBERED = frozenset({"number", "version"})


def _otherwise(one: Quantity, other: Quantity) -> int | None:
    """How two single amounts differ that cannot be ordered: other numbers, other currencies."""
    bare = {"number", "version", "count"}
    if one.dimension in bare and other.dimension in bare:
        return int(one.values != other.values)
    return 1 if one.dimension == other.dimension == "money" and one.unit != other.unit else None


# -- times and conditions --------------------------------------------------------------


def _times(new: Clause, old: Clause) -> Times:
    """How the times of two clauses lie to each other, as far as both say one."""
    one, other = _range(new), _range(old)
    if one is not None and other is not None:
        if new.since or old.since:
            return "unsaid"
        return "same" if one[0] <= other[1] and other[0] <= one[1] else "apart"
    for dimension in ("weekday", "clock"):
        for first in new.when:
            for second in old.when:
                if first.dimension == second.dimension == dimension and compare(first, second):
                    return "apart"
    if new.when and old.when:
        return "same"
    return "one" if new.when or old.when or new.span or old.span else "unsaid"


def _range(clause: Clause) -> tuple[float, float] | None:
    """First and last day of the dates at which a clause holds; years of 372 days."""
    if clause.span is not None:
        return clause.span[0] * 372.0, clause.span[1] * 372.0 + 371
    dates = [quantity.values for quantity in clause.when if quantity.dimension == "date"]
    if not dates:
        return None
    year, month, day = (*dates[0], 0.0, 0.0)[:3]
    start = year * 372 + max(month - 1, 0) * 31 + max(day - 1, 0)
    length = 1 if day else 31 if month else 372
    return start, start + length - 1


_FILLER = DETERMINERS | {"day", "per", "daily", "most", "for", "of", "to", "at", "in", "on", "and"}


def _condition(new: Frame, old: Frame, times: Times) -> str | Literal[False] | None:
    """What only one of them says about when it holds; False where each says something else."""
    first, second = _conditions(new), _conditions(old)
    if times == "one" and (first or second):
        return False
    if (first and _dimensions(old) - _dimensions(new)) or (
        second and _dimensions(new) - _dimensions(old)
    ):
        return False
    if first and second:
        return None if _same_condition(first, second) else False
    if first or second:
        return first or second
    if times == "one" and not (new.clause.since or old.clause.since):
        clause = new.clause if new.clause.when or new.clause.span else old.clause
        return ", ".join(quantity.text for quantity in clause.when) or None
    return None


def _dimensions(frame: Frame) -> set[str]:
    return {quantity.dimension for quantity in frame.quantities}


def _same_condition(first: str, second: str) -> bool:
    one, other = _value_words(first), _value_words(second)
    return one <= other or other <= one


def _conditions(frame: Frame) -> str:
    """The condition of a frame, and what its value says besides an amount."""
    parts = [frame.clause.condition or ""]
    if frame.quantities and not all(
        quantity.dimension in _NUMBERED and quantity.name for quantity in frame.quantities
    ):
        beside = frame.value
        for quantity in frame.quantities:
            beside = beside.replace(quantity.text, " ")
        told = [word for word in re.findall(r"[\w-]+", beside) if len(word) > 1]
        if any(word.lower() not in _FILLER | _UNTOLD for word in told):
            parts.append(" ".join(beside.split()))
    return " ".join(part for part in parts if part)


# -- denials ---------------------------------------------------------------------------

_HOW = PREPOSITIONS | words("morning evening night day week weekend month year")
_GRAVE = frozenset({"allergic", "safe", "legal", "epileptic", "diabetic", "suicidal", "poisonou"})


def _of_predicates(new: Predicate, old: Predicate) -> Disagreement | None:
    if new.affirmed == old.affirmed or new.subject != old.subject:
        return None
    times = _times(new.clause, old.clause)
    if times == "apart" or ((_over(new) or _over(old)) and times != "same"):
        return None
    yes, no = (new, old) if new.affirmed else (old, new)
    if not _denies(no.words, yes.words):
        return None
    condition = _stated_by_one(new, old)
    if condition is False or (condition is not None and times == "one"):
        return None
    if condition is None and times == "one":
        clause = new.clause if new.clause.when else old.clause
        condition = ", ".join(quantity.text for quantity in clause.when) or None
    return Disagreement(
        type="temporal" if times == "same" and (_over(new) or _over(old)) else "direct",
        attribute=" ".join(yes.words),
        new=_spoken(new),
        old=_spoken(old),
        grave=bool(_GRAVE & set(yes.words)),
        state=new.state and old.state,
        condition=condition,
    )


def _over(predicate: Predicate) -> bool:
    return predicate.clause.past and not (predicate.state and not predicate.clause.when)


def _spoken(predicate: Predicate) -> str:
    return predicate.clause.spelled(
        f"{predicate.clause.verb} {predicate.clause.rest}" if predicate.clause.affirmed
        else f"not {predicate.clause.verb} {predicate.clause.rest}"
    ).strip()  # fmt: skip


def _denies(denied: tuple[str, ...], affirmed: tuple[str, ...]) -> bool:
    """Whether to deny the first is to deny the second: the same, or said more closely."""
    if denied == affirmed:
        return True
    if len(denied) == 1 and denied[0] in HABITS and affirmed[0] == denied[0]:
        return len(affirmed) == 1 or affirmed[1] in _HOW
    if len(denied) < 2 or denied[0] != affirmed[0] or len(affirmed) <= len(denied):  # noqa: PLR2004
        return False
    following: Iterator[str] = iter(affirmed)
    return all(word in following for word in denied) and affirmed[: len(denied)] == denied


def _stated_by_one(new: Predicate, old: Predicate) -> str | Literal[False] | None:
    first, second = new.clause.condition or "", old.clause.condition or ""
    if first and second:
        return None if _same_condition(first, second) else False
    return first or second or None
