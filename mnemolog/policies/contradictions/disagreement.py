"""Disagreement of two readings: different values for one topic, or affirmed and denied."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.clauses.frames import Frame, is_one
from mnemolog.language.clauses.readings import Predicate, Reading
from mnemolog.language.clauses.values import (
    at_one_time,
    same_condition,
    stated_condition,
    times_told,
    value_order,
)
from mnemolog.language.lists import word_set
from mnemolog.language.morphology import stem
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.numbers import number_words
from mnemolog.language.words.lexicon import DETERMINERS, LEXICON, noun, rival_preferences, rows_of
from mnemolog.ledger.events import ConflictType
from mnemolog.policies.contradictions.kinds import HOW, of_the_kind


class Disagreement(msgspec.Struct, frozen=True):
    """Disagreement between two readings.

    - `attribute` describes the attribute in words.
    - `fixed` is True if the attribute hardly changes with time.
    - `grave` is True if health or safety depends on it.
    - `state` is True if it describes the present state of a thing.
    - `condition` is a condition that only one of the readings states.
    - `coarser` is True if the new statement is only a less exact form of the old one.
    - `subject` holds the words for the denied predicate and its subject.
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
    subject: frozenset[str] = frozenset()


_SPEAKERS = frozenset({"i", "we"})


def disagreement(
    new: Reading, old: Reading, *, same_speaker: bool, same_times: frozenset[str]
) -> Disagreement | None:
    """First disagreement between two readings, or None.

    Statements about 'I' and 'we' are compared only if the speaker is the same. Statements
    about 'this week' are compared only if `same_times` says that both mean the same week.
    """
    for frame in new.frames:
        for other in old.frames:
            if same_speaker or not frame.topic & _SPEAKERS:
                found = _of_frames(frame, other, same_times)
                if found is not None:
                    return found
    for predicate in new.predicates:
        for older in old.predicates:
            if same_speaker or not predicate.subject & _SPEAKERS:
                denied = _of_predicates(predicate, older, same_times)
                if denied is not None:
                    return denied
    return None


# -- values ----------------------------------------------------------------------------


def _comparable(new: Frame, old: Frame, same_times: frozenset[str]) -> bool:
    also = new.clause.also or old.clause.also
    if new.topic != old.topic or also or not at_one_time(new.clause, old.clause, same_times):
        return False
    if "who" in new.topic and is_one(new.clause) != is_one(old.clause):
        # Ann may be one of several admins.
        return False
    return new.clause.aside.deictic is None or new.attribute in _WHEREABOUTS


def _of_frames(new: Frame, old: Frame, same_times: frozenset[str]) -> Disagreement | None:
    if not _comparable(new, old, same_times):
        return None
    times = times_told(new.clause, old.clause)
    if times == "apart" or ((new.clause.past or old.clause.past) and times != "same"):
        return None
    condition = stated_condition(new, old, times)
    if condition is False:
        return None
    if not (new.single and old.single) and not (new.clause.only or old.clause.only):
        ordered = new.attribute == old.attribute == "use" and "you" in new.topic
        preferring = new.attribute == "preference" or ordered
        return _preferred(new, old) if preferring else None
    order = value_order(new, old)
    if order is None or _of_other_rows(new, old):
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


def _of_other_rows(new: Frame, old: Frame) -> bool:
    """True if two states do not exclude each other: 'red' and 'small'."""
    if new.attribute != "state":
        return False
    return rows_of(new.value.lower()).isdisjoint(rows_of(old.value.lower()))


_WHEREABOUTS = frozenset({"place", "home", "whereabouts", "way"})


def _preferred(new: Frame, old: Frame) -> Disagreement | None:
    """Disagreement between two rival preferences: 'tea over coffee', 'aisle seats'; or None."""
    if new.value != old.value and _turned(new.value) == old.value:
        return Disagreement("direct", new.attribute, new.value, old.value)
    ends = [_FOR_WHAT.search(value) for value in (new.value, old.value)]
    if "you" in new.topic and (ends[0] and ends[0][0]) != (ends[1] and ends[1][0]):
        return None
    first, second = _liked(new.value), _liked(old.value)
    if not first or not second or set(first) <= set(second):
        return None
    rivals = any(
        row.intersection(first) and row.intersection(second) and not row & {*first} & {*second}
        for row in rival_preferences()
    )
    same_kind = first[-1] == second[-1] and len(first) == len(second)
    # For example 'working alone' and 'working in a team'.
    same_kind = same_kind or (first[0] == second[0] and first[0].endswith("ing"))
    if not rivals and not same_kind:
        return None
    return Disagreement("value", new.attribute, new.value, old.value)


_FOR_WHAT = regex(r" (?:in|on|at|for|when|with|to|while|during|as)\b.*")
_RATHER = regex(r" (?:over|to|rather than|instead of) ")


def _liked(value: str) -> list[str]:
    liked = _RATHER.split(value, maxsplit=1)[0]
    return [noun(word) for word in liked.split() if word not in DETERMINERS]


def _turned(value: str) -> str:
    """Preference with its sides swapped: 'A over B' as 'B over A'."""
    match = re.fullmatch(r"(.+) (over|to|rather than|instead of) (.+)", value)
    return f"{match[3]} {match[2]} {match[1]}" if match else value


# -- denials ---------------------------------------------------------------------------

# Verbs are compared by their stems.
_WHOLE_HABITS = frozenset({"smok", "gambl", "swim", "danc", "ski", "cycl", "vot", "cook"})
_GRAVE = frozenset({"allergic", "safe", "legal", "epileptic", "diabetic", "suicidal", "poisonou"})


@cache
def _habits() -> frozenset[str]:
    return frozenset(map(stem, LEXICON.words("habits")))


def _opposed(new: Predicate, old: Predicate) -> bool:
    """True if one affirms and the other denies the same thing in the same manner."""
    if not new.clause.affirmed and not old.clause.affirmed:
        # Something may be neither tall nor short.
        return False
    if new.affirmed == old.affirmed or new.subject != old.subject or not _of_as_many(new, old):
        return False
    duties = {new.clause.aside.duty, old.clause.aside.duty}
    if "need not" in duties and "must" not in duties:
        # 'Need not' does not mean 'may not'.
        return False
    yes, no = (new, old) if new.affirmed else (old, new)
    # 'Never played it' implies 'does not play it'.
    return new.ever == old.ever or (no.clause.never and not yes.ever)


def _of_as_many(new: Predicate, old: Predicate) -> bool:
    """True if the quantity affirmed contradicts the quantity denied."""
    shares = {new.share, old.share}
    return "some" not in shares or "all" in shares


def _of_predicates(
    new: Predicate, old: Predicate, same_times: frozenset[str]
) -> Disagreement | None:
    if not _opposed(new, old) or not at_one_time(new.clause, old.clause, same_times):
        return None
    times = times_told(new.clause, old.clause)
    if times == "one" and new.ever and not (new if new.affirmed else old).clause.when:
        # A past act that is denied for one occasion may have happened on another.
        return None
    if times == "one" and new.ever:
        times = "unsaid"
    if times == "apart" or ((_over(new) or _over(old)) and times != "same" and not new.ever):
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
        subject=new.subject,
    )


def _over(predicate: Predicate) -> bool:
    return predicate.clause.past and not (predicate.state and not predicate.clause.when)


def _spoken(predicate: Predicate) -> str:
    return predicate.clause.spelled(
        f"{predicate.clause.verb} {predicate.clause.rest}" if predicate.clause.affirmed
        else f"not {predicate.clause.verb} {predicate.clause.rest}"
    ).strip()  # fmt: skip


def _denies(denied: tuple[str, ...], affirmed: tuple[str, ...]) -> bool:
    """True if denying the first predicate denies the second: it is the same or more specific."""
    if denied == affirmed:
        return True
    if len(denied) == 1 and denied[0] in _habits() and affirmed[0] == denied[0]:
        return len(affirmed) == 1 or affirmed[1] in HOW or affirmed[0] in _WHOLE_HABITS
    if len(denied) > 1 and len(affirmed) > 2 and _counts(affirmed):  # noqa: PLR2004
        # 'Has no children' denies 'has three children'.
        return not _counts(denied) and _denies(denied, (affirmed[0], *affirmed[2:]))
    if of_the_kind(denied, affirmed):
        return True
    if len(denied) < 2 or affirmed[: len(denied)] != denied:  # noqa: PLR2004
        return False
    # A second noun names another thing: 'hates olives' does not deny 'likes olive oil'.
    after = affirmed[len(denied)]
    closer = after in _CLOSER | number_words() or after.endswith("ly") or after.isdigit()
    return closer or denied[0] == "be" or denied[-1] in HOW


_CLOSER = HOW | word_set(
    "and or every each dai daily weekly monthly twice once again anymore now alone too often "
    "very all both outdoor indoor any a an the his her their my our your last thi when while "
    "whil after befor before until sinc since becaus because to that who which"
)
"""Words after an object that say more closely what is done, not of what other thing."""

_HAVING = frozenset({"hav", "have", "own", "keep"})


def _counts(words: tuple[str, ...]) -> bool:
    """True if a predicate states how many things somebody has."""
    number = words[1]
    said = number in number_words() or (number.isdigit() and int(number) > 0)
    return said and words[0] in _HAVING


def _stated_by_one(new: Predicate, old: Predicate) -> str | Literal[False] | None:
    first, second = new.clause.condition or "", old.clause.condition or ""
    if first and second:
        return None if same_condition(first, second) else False
    return first or second or None
