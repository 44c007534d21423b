"""What a clause says of what: the attribute of a thing, and its value."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from ledger.patterns import regex
from policies.quantities.amounts import Quantity
from policies.quantities.units import NUMBER_WORDS
from policies.statements.clauses import Clause
from policies.statements.denials import state_of
from policies.statements.english import (
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    known_verbs,
    noun,
    topic,
)
from policies.statements.lexicon import (
    ATTRIBUTES,
    FIXED,
    KINDS,
    MANIFOLD,
    MONEYED,
    OCCUPATIONS,
    PLAIN,
    SOLE,
    STATES,
)
from policies.statements.relations import (
    BELONGS,
    BUSY,
    DEFINITE,
    HELD_BY,
    HOW_OFTEN,
    LED,
    LED_BY,
    MADE_BY,
    NAMED,
    OF,
    ONCE,
    PLACE_THING,
    RELATIONS,
    SOLELY,
    TRADE,
    VERSIONED,
)

_FEW_WORDS = 4
_ADDRESSED = ("you",)
_BESIDE = frozenset({"near", "next to", "opposite", "across from"})
_FEW_AMOUNTS = 2
_TIMES = frozenset({"date", "weekday", "clock"})
_SEATS = frozenset({"home", "headquarters", "office"})
_DAILY = frozenset({"wake", "sleep", "go", "leave", "arrive", "finish", "start"})
_IDENTIFIER = regex(r"[\w./-]*[\d_./-][\w./-]*\w")
_RELATION_NOUNS = {"charge": "lead", "be": "lead", "manage": "manager", "maintain": "maintainer"}
_AMOUNTS_ONLY = frozenset({"deadline", "launch", "limit", "timeout", "price", "port", ""})

Groups = re.Match[str]


class Frame(msgspec.Struct, frozen=True):
    """A thing's attribute has a value.

    `topic` holds the words for the thing and the attribute. `value` are the words of
    the value, `quantities` the amounts and times in it. `single` tells an attribute
    with one value at a time from one with many; `fixed` one that does not change.
    """

    topic: frozenset[str]
    attribute: str
    value: str
    quantities: tuple[Quantity, ...]
    single: bool
    fixed: bool
    clause: Clause


def read_frame(clause: Clause) -> Frame | None:
    """The attribute that a clause gives a value to, or None where it gives none for good."""
    if not clause.affirmed or clause.episodic:
        return None
    return next((found for reader in _READERS if (found := reader(clause)) is not None), None)


def _whereabouts(clause: Clause) -> Frame | None:
    """Where somebody is, or what they are at, at one hour of one day."""
    dimensions = {quantity.dimension for quantity in clause.when}
    exact = "clock" in dimensions and not dimensions.isdisjoint({"date", "weekday"})
    if not exact or not clause.subject.is_person or not BUSY.match(clause.predicate):
        return None
    return _of_subject(clause, "whereabouts", clause.rest)


_ON_DATE = regex(r"(?:in|on) (⟦\d+⟧)")


def _once(clause: Clause) -> Frame | None:
    """When something happened that happens once."""
    ended = clause.past or clause.verb in {"join", "start"}
    if not ended or not ONCE.match(clause.predicate):
        return None
    when, what = clause.when, clause.predicate
    bare = _ON_DATE.fullmatch(clause.rest)
    if not when and bare is not None:
        when, what = clause.quantities_in(bare[1]), clause.verb
    if not when or when[0].dimension == "clock":
        return None
    about = topic([*clause.subject.words, *what.split(), "once"])
    settled = msgspec.structs.replace(clause, when=(), past=False)
    return Frame(about, f"when: {what}", when[0].text, when, True, True, settled)  # noqa: FBT003


def _made(clause: Clause) -> Frame | None:
    """Who made a thing."""
    match = MADE_BY.match(clause.predicate)
    if match is None:
        return None
    settled = msgspec.structs.replace(clause, past=False)
    return _frame(settled, topic([*clause.subject.words, match["t"]]), match["t"], match["v"])


def _of_a_kind(clause: Clause, _: str, match: Groups) -> Frame | None:
    """'The project uses MIT license' is its license."""
    if noun(match["t"]) not in ATTRIBUTES:
        return None
    return _frame(clause, topic([*clause.subject.words, match["t"]]), match["t"], match["v"])


def _held(clause: Clause) -> Frame | None:
    """Who has, leads or answers for a thing: the thing is the topic, whoever it is the value."""
    match = BELONGS.match(clause.predicate)
    if match is not None:
        return _of_subject(clause, "own", match["v"] or match["w"])
    match = LED_BY.match(clause.predicate)
    if match is not None:
        return _of_subject(clause, LED[match["n"]], match["v"])
    match = HELD_BY.match(clause.predicate)
    if match is None or not (DEFINITE.match(match["t"]) or match["r"] or match["n"] == "charge"):
        return None
    relation = (match["n"] or match["r"] or clause.verb).lower()
    relation = _RELATION_NOUNS.get(relation, relation)
    about = topic([*match["t"].split(), relation])
    return _frame(clause, about, relation, " ".join(clause.subject.words))


def _versioned(clause: Clause) -> Frame | None:
    match = VERSIONED.match(clause.predicate)
    if match is None:
        return None
    if clause.verb == "be" and match["n"].islower() and clause.subject.is_person:
        # 'Anna is on step 1'.
        return None
    about = topic([*clause.subject.words, match["n"], "version"])
    return _frame(clause, about, "version", match["v"])


def _related(clause: Clause) -> Frame | None:
    for pattern, attribute in RELATIONS:
        match = pattern.match(clause.predicate)
        if match is None:
            continue
        found = _SPECIAL.get(attribute, _single)(clause, attribute, match)
        if found is not None:
            return found
    return None


def _home(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    value = match["v"]
    if value.startswith("⟦") and clause.quantities_in(value):
        return _single(clause, "", match)
    moved = clause.verb in {"move", "stay", "relocate"}
    named = value[:1].isupper() or value.startswith(("the ", "a ", "an "))
    if not named or (moved and not clause.subject.is_person):
        return None
    return _single(clause, attribute, match)


def _placed(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    """Where a thing is; of a person only where the place has a name."""
    value = match["v"]
    if value.startswith("⟦") and clause.quantities_in(value):
        return None
    if _IDENTIFIER.fullmatch(value) is None:
        named = clause.verb == "be" and value[:1].isupper()
        if not PLACE_THING.match(value) or (clause.subject.is_person and not named):
            return None
    said_how = match.groupdict().get("p") or "in"
    if said_how in _BESIDE or (clause.verb == "be" and value.startswith(("a ", "an "))):
        return None
    if said_how in {"on", "at", "behind"} and (re.search("[A-Z⟦]", value) or said_how == "behind"):
        # What is on a street or at an address is also in its city.
        attribute = f"{attribute} {said_how}thing"
    elif not re.search("[A-Z]", value):
        # What is in the attic is also in its city.
        attribute = "spot"
    seat = noun(clause.subject.words[-1])
    return _single(clause, seat if seat in _SEATS and said_how == "in" else attribute, match)


def _driven(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    if clause.verb in {"switch", "change"} and not clause.subject.is_person:
        return None
    return _single(clause, attribute, match)


def _used_for(clause: Clause, _: str, match: Groups) -> Frame | None:
    return _used(clause, match["t"].split(), match["v"])


def _used_as(clause: Clause, _: str, match: Groups) -> Frame | None:
    more = match["t"].split()
    return _frame(clause, topic([*clause.subject.words, *more]), more[-1], match["v"])


def _used(clause: Clause, purpose: Sequence[str], value: str) -> Frame:
    """What is used for a purpose, or by a thing: one database, one language at a time."""
    kind = KINDS.get(value.split(maxsplit=1)[0].lower(), "use")
    about = topic([*purpose, kind])
    ours = noun(clause.subject.words[-1].lower()) in {"i", "we", "team"}
    # 'Atlas uses Redis for storage' is about Atlas, and says nothing of what others store in.
    alone = purpose[0][0].islower() and purpose[0] not in DETERMINERS
    if alone and (kind == "use" or not ours):
        about |= topic(clause.subject.words)
    return _frame(clause, about, kind, value)


def _single(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    value = match["v"].strip()
    more = (match.groupdict().get("t") or "").split()
    amounts = clause.quantities_in(value)
    if not attribute and not more and not amounts and not value.startswith("Q"):
        return None
    if attribute in _AMOUNTS_ONLY and not amounts and not more and not PLACE_THING.match(value):
        return None
    counted = _counted(amounts)
    speaking = clause.subject.words[-1].lower() in {"i", "we"}
    if speaking and not attribute and not more and not counted:
        return None
    nouns = {noun(word) for word in clause.subject.words}
    money = any(amount.dimension == "money" for amount in amounts)
    if clause.verb == "be" and not attribute and money and nouns.isdisjoint(MONEYED):
        attribute = "price"
    if not attribute and _HOUSE_NUMBER.match(value):
        # 'At 12 Main Street': what is there is also in a city.
        attribute = "street"
    about = topic([*clause.subject.words, *more, *attribute.split(), *counted])
    return _frame(clause, about, attribute or " ".join(more) or _said(clause), value)


def _ordered_value(clause: Clause, _: str, match: Groups) -> Frame | None:
    """'Set the log level to debug' says of the log level that it is debug."""
    if clause.subject.words != _ADDRESSED:
        return None
    # What is ordered is not yet so: it is compared with other orders only.
    return _frame(clause, topic([*_ADDRESSED, *match["t"].split()]), match["t"], match["v"])


def _assigned(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    return None if clause.subject.is_person else _single(clause, attribute, match)


_HOUSE_NUMBER = regex(r"⟦\d+⟧ [A-Z]")

_SPECIAL: dict[str, Callable[[Clause, str, Groups], Frame | None]] = {
    "home": _home,
    "place": _placed,
    "car": _driven,
    "use": _used_for,
    "use as": _used_as,
    "use kind": _of_a_kind,
    "set": _ordered_value,
    "order": _ordered_value,
    "assignee": _assigned,
}


def _trade(clause: Clause) -> Frame | None:
    """'X is a nurse', 'X became a nurse'."""
    match = TRADE.match(clause.rest) if clause.verb in {"be", "become"} else None
    if match is None or not clause.subject.is_person:
        return None
    if noun(match["t"].split()[-1]) not in OCCUPATIONS:
        return None
    return _of_subject(clause, "job", clause.rest)


_BUILT = frozenset({"build", "pipeline", "ci", "test", "suite", "status", "deployment"})


def _in_state(clause: Clause) -> Frame | None:
    """In which of several states a thing is that rule each other out: its colour, its progress."""
    state = clause.rest.lower()
    built = not _BUILT.isdisjoint(noun(word) for word in clause.subject.words)
    rows = (name for name, states in STATES.items() if state in states)
    row = next((name for name in rows if (name == "health") == built), None)
    if clause.verb != "be" or row is None or clause.past or clause.subject.is_person:
        return None
    return _of_subject(clause, row, clause.rest)


def _described(clause: Clause) -> Frame | None:
    """'The A of X is V': attributes of one value, and no other descriptions."""
    value = clause.rest
    if clause.verb != "be" or not value or value.startswith("so "):
        return None
    amounts = clause.quantities_in(value)
    if amounts and not clause.subject.is_person:
        if _head(clause) in _SEATS and value.startswith(("at ", "on ")):
            return _frame(clause, topic([*clause.subject.words, "street"]), _said(clause), value)
        bare = all(amount.dimension in {"number", "version"} for amount in amounts)
        if bare and not value.startswith(("a ", "an ")):
            # 'Parked on level 2' is about where it is parked, 'a Toyota' is not.
            beside = [word for word in value.split() if "⟦" not in word]
            return _frame(clause, topic([*clause.subject.words, *beside]), _said(clause), value)
        return _frame(clause, topic(clause.subject.words), _said(clause), value)
    head = _head(clause)
    # Max, of whom something is said, is no maximum.
    sole = any(noun(word) in SOLE for word in clause.subject.words if word != "Max's")
    if sole and not clause.subject.is_person:
        apt = noun(value.split()[-1]) not in PRONOUNS and not state_of(value)[0]
    elif _is_named(clause, head):
        apt = True
    elif head not in ATTRIBUTES or (state_of(value)[0] and not value.startswith(("a ", "an "))):
        apt = False
    else:
        if head in _SEATS and value.split()[0] in PREPOSITIONS:
            value = value.partition(" ")[2]
        exact = _IDENTIFIER.fullmatch(value) or ("@" in value and " " not in value)
        apt = bool(head in PLAIN or exact or NAMED.match(value) or PLACE_THING.match(value))
    return _frame(clause, topic(clause.subject.words), _said(clause), value) if apt else None


def _is_named(clause: Clause, head: str) -> bool:
    """Whether a thing of which there is one in sight is said to be what a name stands for."""
    subject = [word.lower() for word in clause.subject.words]
    definite = subject[0] in {"the", "our", "my"} or any(word.endswith("'s") for word in subject)
    return (
        definite
        and not clause.subject.is_person
        and head not in MANIFOLD
        and noun(subject[-1]) == subject[-1].removesuffix("'s")
        and bool(_NAME.match(clause.rest))
    )


_NAME = regex(r"[A-Z][\w.+-]*(?: [A-Z][\w.+-]*)*$|[\w./:-]*[\d_./-][\w./:-]*\w$")


def _sole(clause: Clause) -> Frame | None:
    match = SOLELY.match(clause.rest) if clause.verb == "be" else None
    if match is None:
        return None
    return _frame(clause, topic(match["t"].split()), match["t"], _said(clause))


_SOME_PERSON = regex(r"an? \w+ person")


def _preferred(clause: Clause) -> Frame | None:
    """What somebody prefers, or what kind of person they are: one of several that rule out."""
    kind = clause.verb == "be" and _SOME_PERSON.fullmatch(clause.rest)
    if clause.verb != "prefer" and not kind:
        return None
    about = topic(clause.subject.words) | {"prefer"}
    return _frame(clause, about, "preference", clause.rest, single=False)


def _runs_on(clause: Clause) -> Frame | None:
    if clause.verb != "use" or clause.subject.is_person or clause.rest.lower() not in KINDS:
        return None
    return _used(clause, clause.subject.words, clause.rest)


_NUMBERED_THING = regex(r"(?:^|\s)(?!(?:at|to|by|of|for|in|up|about|around|is)\s)[A-Za-z#]+ ⟦")
_NUMBERED_VERBS = frozenset({"use", "run", "listen", "be", "require", "leave", "depart", "arrive"})


def _tells_which(clause: Clause) -> bool:
    """Whether a number says which, not how many: 'sells bread number 3', 'allows port 22'."""
    its_own = clause.verb in _NUMBERED_VERBS and not clause.subject.is_person
    return not its_own and _NUMBERED_THING.search(clause.rest) is not None


def _measured(clause: Clause) -> Frame | None:
    """Anything that is done or holds in some amount: the same of another amount differs."""
    ordered = clause.subject.words == _ADDRESSED
    if clause.past or not (ordered or clause.verb in known_verbs() | {"be"}):
        return None
    often = HOW_OFTEN.search(clause.rest)
    if often is not None:
        about = topic([*clause.subject.words, clause.verb, *clause.rest[: often.start()].split()])
        return _frame(clause, about, f"how often: {clause.verb}", often[0])
    amounts = clause.quantities_in(clause.rest)
    dimensions = {amount.dimension for amount in amounts}
    if not 0 < len(amounts) <= _FEW_AMOUNTS or len(dimensions) < len(amounts):
        return None
    numbered = not dimensions.isdisjoint({"number", "version"})
    if numbered and (ordered or _tells_which(clause)):
        return None
    occasional = re.search(r"\ban? ", clause.rest) is not None
    occasional |= clause.subject.is_person and clause.verb not in _DAILY
    if occasional and not _TIMES.isdisjoint(dimensions):
        return None
    others = [word for word in clause.rest.split() if "⟦" not in word]
    about = topic([*clause.subject.words, clause.verb, *others, *_counted(amounts)])
    value = " ".join(word for word in clause.rest.split() if "⟦" in word)
    return _frame(clause, about, " ".join([clause.verb, *others]), value)


def _plain(clause: Clause) -> Frame | None:
    """A verb and its object: of many values, unless a clause says that it is the only one."""
    if clause.verb not in known_verbs() or not 0 < len(clause.rest.split()) <= _FEW_WORDS:
        return None
    object_words = clause.rest.lower().split()
    if object_words[0] == "to" or not PRONOUNS.isdisjoint(object_words):
        return None
    about = topic([*clause.subject.words, clause.verb])
    return _frame(clause, about, clause.verb, clause.rest, single=False)


_READERS: tuple[Callable[[Clause], Frame | None], ...] = (
    _whereabouts,
    _once,
    _made,
    _held,
    _versioned,
    _related,
    _trade,
    _in_state,
    _sole,
    _described,
    _preferred,
    _runs_on,
    _measured,
    _plain,
)


def _counted(amounts: tuple[Quantity, ...]) -> list[str]:
    """What is counted, with the words that tell it from other things counted."""
    return [
        word
        for amount in amounts
        if amount.dimension == "count"
        for word in re.findall(r"[A-Za-z][\w-]*", amount.text)
        if word.lower() not in NUMBER_WORDS
    ]


def _said(clause: Clause) -> str:
    return " ".join(clause.subject.words)


def _head(clause: Clause) -> str:
    """The noun that the subject is: 'deadline' in 'the deadline for Atlas', 'Atlas deadline'."""
    first = OF.split(_said(clause), maxsplit=1)[0].split()
    return noun(first[-1]) if first else ""


def _of_subject(clause: Clause, attribute: str, value: str) -> Frame:
    return _frame(clause, topic([*clause.subject.words, attribute]), attribute, value)


def _frame(
    clause: Clause, about: frozenset[str], attribute: str, value: str, *, single: bool = True
) -> Frame:
    # 'Team 3' and 'team 4' are two: a number in what is spoken of tells them apart.
    about = frozenset(part for word in about for part in clause.spelled(word).split())
    return Frame(
        about,
        attribute,
        clause.spelled(value),
        clause.quantities_in(value),
        single,
        bool(about & FIXED),
        clause,
    )
