"""Where two readings disagree: the same topic with other values, or one affirmed and one denied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from ledger.events import ConflictType
from policies.statements.denials import Predicate
from policies.statements.english import DETERMINERS, PREPOSITIONS, noun, words
from policies.statements.frames import Frame
from policies.statements.lexicon import HABITS, RIVALS
from policies.statements.occasions import how_times_lie, same_condition, stated_condition
from policies.statements.readings import Reading
from policies.statements.values import value_order


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
    if new.topic != old.topic:
        return None
    times = how_times_lie(new.clause, old.clause)
    if times == "apart" or ((new.clause.past or old.clause.past) and times != "same"):
        return None
    condition = stated_condition(new, old, times)
    if condition is False:
        return None
    if not (new.single and old.single) and not (new.clause.only or old.clause.only):
        return _preferred(new, old) if new.attribute == "preference" else None
    order = value_order(new, old)
    if order is None:
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
    """Two preferences of which one takes the other's place: 'tea over coffee', 'aisle seats'."""
    if new.value != old.value and _turned(new.value) == old.value:
        return Disagreement("direct", new.attribute, new.value, old.value)
    first, second = _liked(new.value), _liked(old.value)
    if not first or not second or set(first) <= set(second):
        return None
    rivals = any(
        row.intersection(first) and row.intersection(second) and not row & {*first} & {*second}
        for row in RIVALS
    )
    same_kind = first[-1] == second[-1] and len(first) == len(second)
    # 'Working alone' and 'working in a team'.
    same_kind = same_kind or (first[0] == second[0] and first[0].endswith("ing"))
    if not rivals and not same_kind:
        return None
    return Disagreement("value", new.attribute, new.value, old.value)


_RATHER = re.compile(r" (?:over|to|rather than|instead of) ")


def _liked(value: str) -> list[str]:
    liked = _RATHER.split(value, maxsplit=1)[0]
    return [noun(word) for word in liked.split() if word not in DETERMINERS]


def _turned(value: str) -> str:
    """'A over B' as 'B over A'."""
    match = re.fullmatch(r"(.+) (over|to|rather than|instead of) (.+)", value)
    return f"{match[3]} {match[2]} {match[1]}" if match else value


# -- denials ---------------------------------------------------------------------------

_HOW = PREPOSITIONS | words("morning evening night day week weekend month year")
_GRAVE = frozenset({"allergic", "safe", "legal", "epileptic", "diabetic", "suicidal", "poisonou"})


def _of_predicates(new: Predicate, old: Predicate) -> Disagreement | None:
    if new.affirmed == old.affirmed or new.subject != old.subject:
        return None
    times = how_times_lie(new.clause, old.clause)
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
        attribute=yes.clause.spelled(yes.clause.predicate),
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
        return None if same_condition(first, second) else False
    return first or second or None
