"""Attributes that a verb and its complement give: location, software used, cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from mnemolog.language.clauses.attribute_patterns import PLACE_THING, RELATIONS, VERSIONED
from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.clauses.frames import (
    ADDRESSED,
    IDENTIFIER,
    SEATS,
    Frame,
    Groups,
    counted_words,
    frame,
    subject_text,
)
from mnemolog.language.patterns import regex
from mnemolog.language.words.english import DETERMINERS, noun, topic
from mnemolog.language.words.lexicon import LEXICON
from mnemolog.language.words.software import software_kinds

_BESIDE = frozenset({"near", "next to", "opposite", "across from"})
_AMOUNTS_ONLY = frozenset(
    {"weight", "paid", "deadline", "launch", "limit", "timeout", "price", "port", ""}
)


def versioned(clause: Clause) -> Frame | None:
    """Frame of the version of a thing: 'runs Python 3.11'."""
    match = VERSIONED.match(clause.predicate)
    if match is None:
        return None
    if clause.verb == "be" and match["n"].islower() and clause.subject.is_person:
        # 'Anna is on step 1' gives no version.
        return None
    about = topic([*clause.subject.words, match["n"], "version"])
    return frame(clause, about, "version", match["v"])


def related(clause: Clause) -> Frame | None:
    """Frame of the first relation whose pattern matches the predicate."""
    for pattern, attribute in RELATIONS:
        match = pattern.match(clause.predicate)
        if match is None:
            continue
        found = _SPECIAL.get(attribute, _single)(clause, attribute, match)
        if found is not None:
            return found
    return None


def runs_on(clause: Clause) -> Frame | None:
    """Frame of software that a thing uses, by its kind: one database, one language."""
    if (
        clause.verb != "use"
        or clause.subject.is_person
        or clause.rest.lower() not in software_kinds()
    ):
        return None
    return _used(clause, clause.subject.words, clause.rest)


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
    """Frame of a location; for a person, only if the place has a name."""
    value = match["v"]
    if value.startswith("⟦") and clause.quantities_in(value):
        return None
    if IDENTIFIER.fullmatch(value) is None:
        named = clause.verb == "be" and value[:1].isupper()
        if not PLACE_THING.match(value) or (clause.subject.is_person and not named):
            return None
    said_how = match.groupdict().get("p") or "in"
    if said_how in _BESIDE or (clause.verb == "be" and value.startswith(("a ", "an "))):
        return None
    if said_how in {"on", "at", "behind"} and (re.search("[A-Z⟦]", value) or said_how == "behind"):
        # A thing on a street or at an address is also in its city.
        attribute = f"{attribute} {said_how}thing"
    elif not re.search("[A-Z]", value):
        # A thing in the attic is also in its city.
        attribute = "spot"
    seat = noun(clause.subject.words[-1])
    return _single(clause, seat if seat in SEATS and said_how == "in" else attribute, match)


def _driven(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    if clause.verb in {"switch", "change"} and not clause.subject.is_person:
        return None
    return _single(clause, attribute, match)


def _of_a_kind(clause: Clause, _: str, match: Groups) -> Frame | None:
    """Frame of an attribute named after its value: 'the project uses MIT license'."""
    more = match["t"].split()
    if noun(more[-1]) not in LEXICON.words("attributes"):
        return None
    return frame(clause, topic([*clause.subject.words, *more]), match["t"], match["v"])


def _used_for(clause: Clause, _: str, match: Groups) -> Frame | None:
    return _used(clause, match["t"].split(), match["v"])


def _used_as(clause: Clause, _: str, match: Groups) -> Frame | None:
    more = match["t"].split()
    return frame(clause, topic([*clause.subject.words, *more]), more[-1], match["v"])


def _used(clause: Clause, purpose: Sequence[str], value: str) -> Frame:
    """Frame of software for a purpose or a thing: one database, one language at a time."""
    kind = software_kinds().get(value.split(maxsplit=1)[0].lower(), "use")
    about = topic([*purpose, kind])
    ours = noun(clause.subject.words[-1].lower()) in {"i", "we", "team"}
    # 'Atlas uses Redis for storage' is about Atlas, not about the storage of other projects.
    alone = purpose[0][0].islower() and purpose[0] not in DETERMINERS
    if alone and (kind == "use" or not ours):
        about |= topic(clause.subject.words)
    return frame(clause, about, kind, value)


def _single(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    value = match["v"].strip()
    groups = match.groupdict()
    more = f"{groups.get('t') or ''} {groups.get('f') or ''}".split()
    if attribute == "employer":
        value = re.split(r" (?:as|in|on) ", value, maxsplit=1)[0]
    amounts = clause.quantities_in(value)
    if not attribute and not more and not amounts and not value.startswith("Q"):
        return None
    if attribute in _AMOUNTS_ONLY and not amounts and not more and not PLACE_THING.match(value):
        return None
    counted = counted_words(amounts)
    speaking = clause.subject.words[-1].lower() in {"i", "we"}
    if speaking and not attribute and not more and not counted:
        return None
    if attribute == "paid":
        clause = msgspec.structs.replace(clause, past=False)
    nouns = {noun(word) for word in clause.subject.words}
    money = any(amount.dimension == "money" for amount in amounts)
    if (
        clause.verb == "be"
        and not attribute
        and money
        and nouns.isdisjoint(LEXICON.words("moneyed"))
    ):
        attribute = "price"
    elif attribute == "price" and not nouns.isdisjoint(LEXICON.words("moneyed")):
        # 'The rent costs $79' and 'the rent is $79' agree.
        attribute, more = "", ["", *more]
    if not attribute and _HOUSE_NUMBER.match(value):
        # 'At 12 Main Street': the thing is also in a city.
        attribute = "street"
    about = topic([*clause.subject.words, *more, *attribute.split(), *counted])
    return frame(clause, about, attribute or " ".join(more) or subject_text(clause), value)


def _ordered_value(clause: Clause, _: str, match: Groups) -> Frame | None:
    """Frame of an order: 'set the log level to debug' gives the log level the value debug."""
    if clause.subject.words != ADDRESSED:
        return None
    # An order is not yet carried out: compare it with other orders only.
    return frame(clause, topic([*ADDRESSED, *match["t"].split()]), match["t"], match["v"])


def _assigned(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    return None if clause.subject.is_person else _single(clause, attribute, match)


def _stored(clause: Clause, _: str, match: Groups) -> Frame | None:
    """Frame of the database in use: 'Atlas stores its data in MySQL'."""
    known = software_kinds().get(match["v"].lower()) == "database"
    return _used(clause, clause.subject.words, match["v"]) if known else None


_HOUSE_NUMBER = regex(r"⟦\d+⟧ [A-Z]")
_SPECIAL: dict[str, Callable[[Clause, str, Groups], Frame | None]] = {
    "home": _home,
    "place": _placed,
    "car": _driven,
    "use": _used_for,
    "use as": _used_as,
    "use kind": _of_a_kind,
    "data store": _stored,
    "set": _ordered_value,
    "order": _ordered_value,
    "assignee": _assigned,
}
