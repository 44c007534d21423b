"""One-time events and holders: dates, makers, whereabouts, leaders and owners."""

from __future__ import annotations

import msgspec

from mnemolog.language.clauses.attribute_patterns import (
    BELONGS,
    BUSY,
    DEFINITE,
    DONE,
    HELD_BY,
    LED,
    LED_BY,
    MADE_BY,
    MAKING,
    ONCE,
)
from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.clauses.frames import Frame, frame, of_subject, subject_text
from mnemolog.language.patterns import regex
from mnemolog.language.words.english import topic

_RELATION_NOUNS = {"charge": "lead", "be": "lead", "manage": "manager", "maintain": "maintainer",
                   "responsible": "lead"}  # fmt: skip


def whereabouts(clause: Clause) -> Frame | None:
    """Frame of a person's place or activity at one hour of one day."""
    dimensions = {quantity.dimension for quantity in clause.when}
    exact = "clock" in dimensions and not dimensions.isdisjoint({"date", "weekday"})
    if not exact or not clause.subject.is_person or not BUSY.match(clause.predicate):
        return None
    return of_subject(clause, "whereabouts", clause.rest)


_ON_DATE = regex(r"(?:in|on) (⟦\d+⟧)")


def once(clause: Clause) -> Frame | None:
    """Frame of the date of a one-time event."""
    ended = clause.past or clause.verb in {"join", "start", "go", "move"}
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


def made(clause: Clause) -> Frame | None:
    """Frame of the maker of a thing: 'it was written by Ann', 'Ann wrote the report'."""
    match = MADE_BY.match(clause.predicate)
    settled = msgspec.structs.replace(clause, past=False)
    if match is not None:
        return frame(settled, topic([*clause.subject.words, match["t"]]), match["t"], match["v"])
    how = MAKING.get(clause.verb)
    thing = clause.rest
    if how is None or not clause.past or not DEFINITE.match(thing) or _AROUND.search(thing):
        return None
    return frame(settled, topic([*thing.split(), how]), how, subject_text(clause))


_AROUND = regex(r" (?:in|for|with|to|on|at|from|by|during|and) ")


def done(clause: Clause) -> Frame | None:
    """Frame of a person's one-time achievement: majored in law, grew up in Rome."""
    for pattern, attribute in DONE if clause.past else ():
        match = pattern.match(clause.predicate)
        if match is not None:
            settled = msgspec.structs.replace(clause, past=False)
            return of_subject(settled, attribute, match["v"])
    return None


def held(clause: Clause) -> Frame | None:
    """Frame of the holder, leader or owner of a thing: the holder is the value."""
    match = BELONGS.match(clause.predicate)
    if match is not None:
        return of_subject(clause, "own", match["v"] or match["w"])
    match = LED_BY.match(clause.predicate)
    if match is not None:
        return of_subject(clause, LED[match["n"]], match["v"])
    match = HELD_BY.match(clause.predicate)
    if match is None or not (DEFINITE.match(match["t"]) or match["r"] or match["n"] == "charge"):
        return None
    relation = (match["n"] or match["r"] or clause.verb).lower()
    relation = _RELATION_NOUNS.get(relation, relation)
    about = topic([*match["t"].split(), relation])
    return frame(clause, about, relation, " ".join(clause.subject.words))
