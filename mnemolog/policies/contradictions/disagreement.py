"""Disagreement of two readings: two values of one topic, or an affirmation and a denial."""

from functools import cache
from itertools import chain, product

import msgspec

from mnemolog.language.calendar import WEEKDAYS
from mnemolog.language.clauses import values
from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.clauses.frames import Frame, is_one
from mnemolog.language.clauses.readings import Predicate, Reading
from mnemolog.language.clauses.values import at_one_time, same_condition, times_told
from mnemolog.language.entities import everyday_kinds, everyday_name
from mnemolog.language.lists import regex, word_set
from mnemolog.language.quantities.numbers import number_words
from mnemolog.language.words.lexicon import (
    DETERMINERS,
    LEXICON,
    PREPOSITIONS,
    noun,
    rival_preferences,
    rows_of,
    stem,
)
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.events import ConflictType

_SPEAKERS = {"i", "we"}
_OF_A_DAY = word_set("today tonight tomorrow yesterday morning afternoon evening night")
_WHEREABOUTS = {"place", "home", "whereabouts", "way"}
_FOR_WHAT = regex(r" (?:in|on|at|for|when|with|to|while|during|as)\b.*")
_RATHER = regex(r" (?:over|to|rather than|instead of) ")
_TURNED = regex(r"(.+) (over|to|rather than|instead of) (.+)")
# Verbs are compared by their stems.
_WHOLE_HABITS = {"smok", "gambl", "swim", "danc", "ski", "cycl", "vot", "cook"}
_GRAVE = {"allergic", "safe", "legal", "epileptic", "diabetic", "suicidal", "poisonou"}
_HAVING = {"hav", "have", "own", "keep"}
_TAKEN = {"eat", "drink", "tak", "take", "hav", "have"}
_CLASSED = _HAVING | {"eat", "drink", "us", "use"}
_NOT_QUITE = word_set(
    "vegan vegetarian plant-based plant non-alcoholic decaf toy virtual alcohol-free dairy-free"
    " gluten-free free no little few fake mock"
)
_JOINING = word_set("and or named called too every once twice again")
# Words that specify how something is done, not what is done.
_HOW = PREPOSITIONS | word_set("morning evening night day week weekend month year")
# Words after an object that specify what is done, and do not name another thing.
_CLOSER = _HOW | word_set(
    "and or every each dai daily weekly monthly twice once again anymore now alone too often "
    "very all both outdoor indoor any a an the his her their my our your last thi when while "
    "whil after befor before until sinc since becaus because to that who which"
)


class Disagreement(msgspec.Struct, frozen=True):
    """Disagreement between two readings.

    `attribute` describes the attribute in words: `fixed` if it hardly changes with time,
    `grave` if health or safety depends on it, `state` if it is the present state of a thing.
    Only one of the readings states `condition`. `coarser` is True if the new statement is only
    a less exact form of the old one. `subject` are the words of a denied predicate's subject.
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


def may_disagree(one: Reading, other: Reading) -> bool:
    """False if two readings have no topic in common, and neither denies what the other affirms."""
    if not one.topics.isdisjoint(other.topics):
        return True
    return not one.denials.isdisjoint(other.claims)


def shared_times(one: int, other: int) -> frozenset[str]:
    """Relative time words that mean the same time at two moments, in UTC."""
    first, second = to_datetime(one), to_datetime(other)
    weeks = first.isocalendar()[:2], second.isocalendar()[:2]
    same = {
        "year": first.year == second.year,
        "month": (first.year, first.month) == (second.year, second.month),
        **dict.fromkeys(("week", "weekend", *WEEKDAYS), weeks[0] == weeks[1]),
        **dict.fromkeys(_OF_A_DAY, first.date() == second.date()),
    }
    return frozenset(word for word, holds in same.items() if holds)


def disagreement(
    new: Reading, old: Reading, *, same_speaker: bool, same_times: frozenset[str]
) -> Disagreement | None:
    """First disagreement between two readings, or None.

    Statements about 'I' and 'we' are compared only if the speaker is the same, those about
    'this week' only if it is among the `same_times`.
    """
    two_values = (
        _of_frames(frame, other, same_times)
        for frame, other in product(new.frames, old.frames)
        if same_speaker or frame.topic.isdisjoint(_SPEAKERS)
    )
    denials = (
        _of_predicates(predicate, other, same_times)
        for predicate, other in product(new.predicates, old.predicates)
        if same_speaker or predicate.subject.isdisjoint(_SPEAKERS)
    )
    return next((found for found in chain(two_values, denials) if found is not None), None)


def _of_frames(new: Frame, old: Frame, same_times: frozenset[str]) -> Disagreement | None:
    also = new.clause.also or old.clause.also
    if new.topic != old.topic or also or not at_one_time(new.clause, old.clause, same_times):
        return None
    # Ann may be one of several admins.
    several = "who" in new.topic and is_one(new.clause) != is_one(old.clause)
    if several or (new.clause.aside.deictic is not None and new.attribute not in _WHEREABOUTS):
        return None
    times = times_told(new.clause, old.clause)
    if times == "apart" or ((new.clause.past or old.clause.past) and times != "same"):
        return None
    condition = values.stated_condition(new, old, times)
    if condition is False:
        return None
    if not (new.single and old.single) and not (new.clause.only or old.clause.only):
        ordered = new.attribute == old.attribute == "use" and "you" in new.topic
        return _preferred(new, old) if new.attribute == "preference" or ordered else None
    return _of_values(new, old, times, condition)


def _of_values(new: Frame, old: Frame, times: str, condition: str | None) -> Disagreement | None:
    order = values.value_order(new, old)
    if order is None:
        return None
    rows = rows_of(new.value.lower()) & rows_of(old.value.lower())
    if new.attribute == "state" and not rows:
        # Two states that do not exclude each other: 'red' and 'small'.
        return None
    kind: ConflictType = "granularity"
    if order == "other":
        kind = "temporal" if times == "same" else "value"
    fixed, coarser = new.fixed or kind == "temporal", order == "coarser"
    under = (condition or None) if kind == "value" else None
    return Disagreement(
        kind, new.attribute, new.value, old.value, fixed=fixed, condition=under, coarser=coarser
    )


def _preferred(new: Frame, old: Frame) -> Disagreement | None:
    """Disagreement between two rival preferences: 'tea over coffee', 'aisle seats'; or None."""
    ranking = _TURNED.fullmatch(new.value)
    if ranking and f"{ranking[3]} {ranking[2]} {ranking[1]}" == old.value != new.value:
        return Disagreement("direct", new.attribute, new.value, old.value)
    ends = [_FOR_WHAT.search(value) for value in (new.value, old.value)]
    if "you" in new.topic and (ends[0] and ends[0][0]) != (ends[1] and ends[1][0]):
        return None
    liked = (_RATHER.split(value, maxsplit=1)[0].split() for value in (new.value, old.value))
    first, second = ([noun(word) for word in some if word not in DETERMINERS] for some in liked)
    if not first or not second or set(first) <= set(second):
        return None
    rivals = any(
        row.intersection(first) and row.intersection(second) and not row & {*first} & {*second}
        for row in rival_preferences()
    )
    same_kind = first[-1] == second[-1] and len(first) == len(second)
    # For example 'working alone' and 'working in a team'.
    same_act = first[0] == second[0] and first[0].endswith("ing")
    found = Disagreement("value", new.attribute, new.value, old.value)
    return found if rivals or same_kind or same_act else None


@cache
def _habits() -> frozenset[str]:
    return frozenset(map(stem, LEXICON.words("habits")))


def _opposed(new: Predicate, old: Predicate) -> bool:
    """True if one affirms and the other denies the same thing in the same manner."""
    if not new.clause.affirmed and not old.clause.affirmed:
        # Something may be neither tall nor short.
        return False
    shares, duties = {new.share, old.share}, {new.clause.aside.duty, old.clause.aside.duty}
    other_extent = "some" in shares and "all" not in shares
    # 'Need not' does not mean 'may not'.
    may = "need not" in duties and "must" not in duties
    if new.affirmed == old.affirmed or new.subject != old.subject or other_extent or may:
        return False
    yes, no = (new, old) if new.affirmed else (old, new)
    # 'Never played it' implies 'does not play it'.
    return new.ever == old.ever or (no.clause.never and not yes.ever)


def _of_predicates(
    new: Predicate, old: Predicate, same_times: frozenset[str]
) -> Disagreement | None:
    if not _opposed(new, old) or not at_one_time(new.clause, old.clause, same_times):
        return None
    times = times_told(new.clause, old.clause)
    yes, no = (new, old) if new.affirmed else (old, new)
    if times == "one" and new.ever:
        if not yes.clause.when:
            # A past act that is denied for one occasion may have happened on another.
            return None
        times = "unsaid"
    is_over = any(one.clause.past and not (one.state and not one.clause.when) for one in (new, old))
    if times == "apart" or (is_over and times != "same" and not new.ever):
        return None
    conditions = new.clause.condition or "", old.clause.condition or ""
    if not _denies(no.words, yes.words) or (all(conditions) and not same_condition(*conditions)):
        return None
    condition = None if all(conditions) else conditions[0] or conditions[1] or None
    if times == "one":
        if condition is not None:
            return None
        clause = new.clause if new.clause.when else old.clause
        condition = ", ".join(quantity.text for quantity in clause.when) or None
    return Disagreement(
        "temporal" if times == "same" and is_over else "direct",
        yes.clause.spelled(yes.clause.predicate),
        _spoken(new.clause),
        _spoken(old.clause),
        grave=not _GRAVE.isdisjoint(yes.words),
        state=new.state and old.state,
        condition=condition,
        subject=new.subject,
    )


def _spoken(clause: Clause) -> str:
    words = f"{clause.verb} {clause.rest}"
    return clause.spelled(words if clause.affirmed else f"not {words}").strip()


def _denies(denied: tuple[str, ...], affirmed: tuple[str, ...]) -> bool:
    """True if denying the first predicate denies the second: it is the same or more specific."""
    if denied == affirmed:
        return True
    if len(denied) == 1 and denied[0] in _habits() and affirmed[0] == denied[0]:
        return len(affirmed) == 1 or affirmed[1] in _HOW or affirmed[0] in _WHOLE_HABITS
    if len(denied) > 1 and len(affirmed) > 2 and _counts(affirmed):  # noqa: PLR2004
        # 'Has no children' denies 'has three children'.
        return not _counts(denied) and _denies(denied, (affirmed[0], *affirmed[2:]))
    if _denies_kind(denied, affirmed):
        return True
    if len(denied) < 2 or affirmed[: len(denied)] != denied:  # noqa: PLR2004
        return False
    # A second noun names another thing: 'hates olives' does not deny 'likes olive oil'.
    after = affirmed[len(denied)]
    specifies = after in _CLOSER | number_words() or after.endswith("ly") or after.isdigit()
    return specifies or denied[0] == "be" or denied[-1] in _HOW


def _counts(words: tuple[str, ...]) -> bool:
    number = words[1]
    counted = number in number_words() or (number.isdigit() and int(number) > 0)
    return counted and words[0] in _HAVING


def _denies_kind(denied: tuple[str, ...], affirmed: tuple[str, ...]) -> bool:
    """True if a kind is denied and a member of it affirmed: 'no pets', 'a dog'."""
    taken = denied[0] == "use" and affirmed[0] in _TAKEN
    alike = denied[0] in _CLASSED and (denied[0] == affirmed[0] or taken)
    if not alike or len(denied) not in {2, 3}:
        return False
    if taken and denied[1:] == affirmed[1 : len(denied)]:
        return True
    for length in (1, 2, 3):
        named = affirmed[1 : 1 + length]
        if len(named) < length or not _NOT_QUITE.isdisjoint(named) or named[-1] in PREPOSITIONS:
            return False
        for start in range(length):
            name = " ".join(named[start:])
            entry, household = everyday_name(name), LEXICON.key_of("household", name)
            if entry is not None or household is not None:
                # 'A cat tree' is not a cat.
                following = affirmed[1 + length : 2 + length]
                whole = not following or following[0] in _HOW | number_words() | _JOINING
                kinds = {known.name for known in everyday_kinds(entry)} if entry else set[str]()
                return whole and " ".join(denied[1:]) in {*kinds, household}
    return False
