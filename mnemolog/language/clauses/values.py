"""Comparison of two frames: their values, times and conditions.

Values are different, or the same with more precision; times and conditions may exclude each other.
"""

import re
from typing import Literal

import msgspec

from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.clauses.frames import LISTS, Frame
from mnemolog.language.lists import word_set
from mnemolog.language.quantities.amounts import Quantity, compare, meets, version_parts
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.words.lexicon import (
    DETERMINERS,
    LEXICON,
    PREPOSITIONS,
    SOFTWARE,
    noun,
    place,
    within,
)

Order = Literal["finer", "coarser", "other"]
Times = Literal["unsaid", "one", "same", "apart"]
_UNTOLD = DETERMINERS | PREPOSITIONS | word_set("named called is are team own")
_FILLER = _UNTOLD | word_set("day per daily most for of to at in on and")
_NUMBERED = frozenset({"number", "version"})
_BARE = _NUMBERED | {"count"}
_APART = frozenset({"weekday", "clock", "version", "number"})
_MONTH, _YEAR = 31, 372  # days, in a calendar where all months are alike


def value_order(new: Frame, old: Frame) -> Order | None:
    """Order of two values of one attribute; None if both may be right."""
    if len(new.quantities) == len(old.quantities) == 1 and _within_bound(new, old):
        return None
    if (new.quantities or old.quantities) and not _numbered_names(new, old):
        return "other" if _amounts_differ(new.quantities, old.quantities) else None
    one, other = value_words(new.value), value_words(old.value)
    alike = one <= other or other <= one
    if alike or place(new.value) == place(old.value) or _describes(new.value, old.value):
        return None
    first_words = (frame.value.split(maxsplit=1)[0].lower() for frame in (new, old))
    kinds = {SOFTWARE.key_of("kinds", word) for word in first_words}
    if None not in kinds and len(kinds) > 1:
        # Software of different kinds, like Kubernetes and Linux, does not conflict.
        return None
    places, others = _places(new.value), _places(old.value)
    if any(within(inner, outer) for inner in places for outer in others):
        return "finer"
    return "coarser" if any(within(one, outer) for one in others for outer in places) else "other"


def _describes(one: str, other: str) -> bool:
    described, named = (one, other) if _is_generic(one) else (other, one)
    if _is_generic(named) or not _is_generic(described):
        return False
    return not described.startswith("the ") or re.search("[A-Z]", named) is not None


def _is_generic(value: str) -> bool:
    """True if a value only describes ('a big company'), so that another may give the name."""
    described = re.match(r"(?:an?|the) (.+?)(?: (?:in|on|at|near|of|by|with) .*)?$", value)
    return described is not None and noun(described[1].split()[-1]) in LEXICON.words("generic")


def value_words(text: str) -> frozenset[str]:
    """Distinctive words of a value, in normalised form."""
    found = re.findall(r"[\w.+#-]*\w[+#]*", text)
    told = (noun(word) for word in found if word not in _UNTOLD)
    return frozenset(SOFTWARE.key_of("aliases", word) or word for word in told)


def _places(text: str) -> tuple[str, ...]:
    """Names that a value may begin with: 'New York City' may be 'New York'."""
    found = text.removeprefix("the ").split()[:4]
    return tuple(" ".join(found[:length]) for length in range(1, len(found) + 1))


def _within_bound(new: Frame, old: Frame) -> bool:
    """True if one value only bounds the other: 'more than 100 metres' and '120 metres'."""
    of_new, of_old = bounds(new.value), bounds(old.value)
    if bool(of_new) == bool(of_old):
        return False
    bound, exact = (*of_new, *of_old)[0], old if of_new else new
    # People speak loosely, so 'over 100' and '100' agree.
    return meets(msgspec.structs.replace(bound, strict=False), exact.quantities[0]) is True


def _amounts_differ(new: tuple[Quantity, ...], old: tuple[Quantity, ...]) -> bool:
    """True if two values differ in an amount; an amount in only one of them decides nothing."""
    if len(new) == len(old) == 1:
        return bool(_difference(new[0], old[0]))
    if _are_slots(new) and _are_slots(old):
        return False
    for dimension in {quantity.dimension for quantity in new}:
        first = [quantity for quantity in new if quantity.dimension == dimension]
        second = [quantity for quantity in old if quantity.dimension == dimension]
        if len(first) == len(second) and any(map(_difference, first, second)):
            return True
    return False


def _are_slots(amounts: tuple[Quantity, ...]) -> bool:
    """True if amounts are recurring times ('2 am on Sundays'), which may be several."""
    return len(amounts) > 1 and any(
        amount.dimension == "weekday" and amount.text.endswith("s") for amount in amounts
    )


def _difference(one: Quantity, other: Quantity) -> int | None:
    if one.period != other.period:
        # A price per month and a price per year are two offers.
        return None
    number, date = (one, other) if one.dimension == "number" else (other, one)
    is_year = (number.dimension, date.dimension, len(date.values)) == ("number", "date", 1)
    order = int(number.amount != date.amount) if is_year else compare(one, other)
    if order and one.text.lstrip("-0123456789., ") != other.text.lstrip("-0123456789., "):
        # In different units amounts differ beyond rounding.
        if len(one.values) != 1 or one.dimension in {"date", "clock", "weekday", "version"}:
            return 1
        largest = max(abs(one.amount), abs(other.amount))
        return int(abs(one.amount - other.amount) > largest / 40)
    if order is None and one.dimension in _BARE and other.dimension in _BARE:
        # As written: '3.0' and version 3.0 are equal.
        first, second = (version_parts(amount.text) or amount.values for amount in (one, other))
        return int(first != second)
    currencies = one.dimension == other.dimension == "money" and one.unit != other.unit
    return 1 if order is None and currencies else order


def _numbered_names(new: Frame, old: Frame) -> bool:
    """True if the numbers in two values belong to different names: 'iPhone 13' and 'Pixel 7'."""
    amounts = (*new.quantities, *old.quantities)
    first, second = ({amount.name for amount in frame.quantities} for frame in (new, old))
    named = all(amount.dimension in _NUMBERED and amount.name for amount in amounts)
    return named and first.isdisjoint(second) and new.topic.isdisjoint(first | second)


def how_times_lie(new: Clause, old: Clause) -> Times:
    """Relation between the times of two clauses, as far as both state one."""
    one, other = _range(new), _range(old)
    if one is not None and other is not None:
        if new.since or old.since:
            return "unsaid"
        return "same" if one[0] <= other[1] and other[0] <= one[1] else "apart"
    pairs = ((one, other) for one in new.when for other in old.when)
    if any(a.dimension == b.dimension in _APART and compare(a, b) for a, b in pairs):
        return "apart"
    if new.when and old.when:
        return "same"
    return "one" if new.when or old.when or new.span or old.span else "unsaid"


def at_one_time(new: Clause, old: Clause, same_times: frozenset[str]) -> bool:
    """True if two clauses share a 'today' or 'last week', as far as they name one."""
    one, other = new.aside, old.aside
    if one.deictic != other.deictic:
        return False
    if one.lately is not None and one.lately == other.lately:
        # 'Last winter' is one where it is said in one year.
        yearly = one.lately in LISTS.table("yearly")["days"]
        return one.lately in same_times or (yearly and "year" in same_times)
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
    if clause.span is not None:
        return clause.span[0] * _YEAR, clause.span[1] * _YEAR + _YEAR - 1
    dates = [quantity.values for quantity in clause.when if quantity.dimension == "date"]
    if not dates:
        return None
    year, month, day = (*map(int, dates[0]), 0, 0)[:3]
    start = year * _YEAR + max(month - 1, 0) * _MONTH + max(day - 1, 0)
    return start, start + (1 if day else _MONTH if month else _YEAR) - 1


def stated_condition(new: Frame, old: Frame, times: Times) -> str | Literal[False] | None:
    """Condition that only one of two frames states; None if neither, False if they differ."""
    first, second = _conditions(new), _conditions(old)
    of_new, of_old = ({one.dimension for one in frame.quantities} for frame in (new, old))
    of_one = (first and of_old - of_new) or (second and of_new - of_old)
    if of_one or (times == "one" and (first or second)):
        return False
    if first and second:
        return None if same_condition(first, second) else False
    if not (first or second) and times == "one" and not (new.clause.since or old.clause.since):
        clause = new.clause if new.clause.when or new.clause.span else old.clause
        return ", ".join(quantity.text for quantity in clause.when) or None
    return first or second or None


def same_condition(first: str, second: str) -> bool:
    """True if two conditions agree: one has all words of the other."""
    one, other = value_words(first), value_words(second)
    return one <= other or other <= one


def _conditions(frame: Frame) -> str:
    beside = ""
    if not all(quantity.dimension in _NUMBERED and quantity.name for quantity in frame.quantities):
        beside = frame.value
        for quantity in frame.quantities:
            beside = beside.replace(quantity.text, " ")
        told = [word for word in re.findall(r"[\w-]+", beside) if len(word) > 1]
        if all(word.lower() in _FILLER for word in told):
            beside = ""
    return " ".join(filter(None, (frame.clause.condition, *beside.split())))
