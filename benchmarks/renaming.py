"""Stores of statements that teach a judge to tell names and numbers of things apart.

Two sources: stores that people wrote, in which the name that a change is about becomes another
one, and statements from templates about things with invented, drawn or numbered names. In both, a
sentence about one thing leaves what is said of every other standing, however alike they read.
`python -m benchmarks.changing` has other relations, so that it can measure what was learnt.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from benchmarks.judging import Change
from mnemolog.language.entities import entities
from mnemolog.language.lists import english

_WRITER = 0  # Of what is made from templates
_SUBJECTS = 7
_ALIKE = 0.7  # Share of the facts in a store that have the relation of its change
_CODED = 0.3
_ALIKENESSES = {
    "person": ["word", "word", "letters", "none", "none"],
    "firm": ["letters", "none", "none", "none", "none"],
    "thing": ["number", "number", "none"],
}  # fmt: skip
# What the sentence of a store is, and how often; `another` is one of whom nothing is stored.
_SENTENCES = {
    "change": 55, "repetition": 10, "one more": 8, "other relation": 7, "another": 20,
}  # fmt: skip
_STARTS = ["b", "br", "d", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v"]
_VOWELS = ["a", "e", "i", "o", "u", "ee", "ia", "ou"]
_ENDS = ["", "", "k", "l", "n", "r", "s", "x", "nd", "rt"]
_SURNAMES = """
Abbott Banerjee Castellano Dahl Eriksen Fofanah Grünwald Haddow Ibarra Jessop Kowalczyk Lindqvist
Mbeki Nakashima Okonjo Pereira Quispe Rossi Sandoval Tremblay Ueda Vermeer Whitcombe Xiong Yilmaz
Zielinski Carter Hughes Mills Novak Silva Walker
"""
_KINDS_OF_FIRM = [
    "Ltd", "Labs", "Foods", "Logistics", "GmbH", "Trust", "& Sons", "Bakery", "Analytics",
    "Partners",
]  # fmt: skip
_GIVEN = sorted(english("given_names").words("given_names"))
_NUMBERED = """
Note Ticket Shelf Room Drawer Locker Server Bay Case Client Batch Ward Table Flat Sensor Line
Lot Chapter Lesson Invoice Order Unit Box Gate Track Bed Plot Machine Valve Team Group
"""
# Wordings of single-valued relations by the kind of their subject; the last ones tell of a change.
_PERSON = [
    (["{s} lives in {v}", "{s}'s home is in {v}", "{s} has moved to {v}"], "place"),
    (["{s}'s manager is {v}", "{s} reports to {v}", "{s} now reports to {v}"], "person"),
    (["{s}'s favourite dish is {v}", "The dish {s} likes best is {v}"], "dish"),
    (["{s} drives a {v}", "{s}'s car is a {v}", "{s} traded the car in for a {v}"], "car"),
    (["{s} is {v} years old", "{s}'s age is {v}", "{s} turned {v}"], "number"),
    (["{s}'s phone number ends in {v}", "The number of {s} ends in {v} now"], "number"),
    (["{s}'s blood group is {v}", "{s} has blood group {v}"], "blood"),
    (["{s} studies {v}", "{s}'s subject is {v}", "{s} has switched to {v}"], "subject"),
    (["{s} is in team {v}", "{s} has joined team {v}", "{s} moved over to team {v}"], "colour"),
    (
        ["{s}'s dentist is {v}", "{s} goes to {v}", "{s} changed dentist to {v}"],
        "doctor",
    ),
    (["{s} wears size {v}", "{s}'s shoe size is {v}"], "number"),
    (["{s} is the {v} of the club", "The club made {s} its {v}"], "office"),
    (["{s} takes the train at {v}", "{s}'s train leaves at {v} now"], "time"),
    (["{s}'s birthday is on {v}", "{s} was born on {v}"], "date"),
    (["{s} is engaged to {v}", "{s} and {v} are engaged"], "person"),
    (["{s} supports {v}", "The team of {s} is {v}"], "place"),
    (["{s} coaches the {v} squad", "{s} has taken over the {v} squad"], "colour"),
]
_FIRM = [
    (["{s} is run by {v}", "{v} is the head of {s}", "{s} has a new head, {v}"], "person"),
    (["{s} ships from {v}", "The warehouse of {s} is in {v}", "{s} ships from {v} now"], "place"),
    (["{s} pays within {v} days", "The payment term of {s} is {v} days"], "number"),
    (["Our contact at {s} is {v}", "{v} looks after us at {s}"], "person"),
    (["The contract with {s} ends on {v}", "{s}'s contract runs to {v}"], "date"),
    (["{s} is audited by {v}", "{s} changed its auditor to {v}"], "firm"),
    (["{s} gets a discount of {v} percent", "{s}'s discount is {v} percent now"], "number"),
    (["{s} was bought by {v}", "{s} belongs to {v} now"], "firm"),
    (["{s} bills in {v}", "The invoices of {s} are in {v}"], "currency"),
    (["{s} opens at {v}", "The opening time of {s} is {v}"], "time"),
]
_THING = [
    (["{s} is kept in {v}", "{s} stands in {v}", "{s} was moved to {v}"], "place"),
    (["{s} is {v}", "The colour of {s} is {v}", "{s} was painted {v}"], "colour"),
    (
        ["{s} holds {v} pieces", "There are {v} pieces in {s}", "{s} is down to {v}"],
        "number",
    ),
    (["{v} is responsible for {s}", "{s} is assigned to {v}", "{s} went over to {v}"], "person"),
    (["{s} is due on {v}", "The deadline of {s} is {v}", "{s} slipped to {v}"], "date"),
    (
        ["{s} costs {v} euros", "The price of {s} is {v} euros", "{s} went up to {v}"],
        "number",
    ),
    (["{s} is {v}", "The state of {s} is {v}", "{s} is {v} as of today"], "state"),
    (["{s} weighs {v} kilos", "The weight of {s} is {v} kilos"], "number"),
    (["{s} is about {v}", "The topic of {s} is {v}"], "subject"),
    (["{s} runs version {v}", "{s} was upgraded to version {v}"], "number"),
    (["{s} is booked by {v}", "{v} has {s}"], "firm"),
    (["{s} is checked at {v}", "The check of {s} is at {v} now"], "time"),
]
# Of these a thing may have several at once.
_MANY = {
    "person": [("{s} likes {v}", "dish"), ("{s} has been to {v}", "place")],
    "firm": [("{s} has a branch in {v}", "place"), ("{s} supplies {v}", "firm")],
    "thing": [("{s} was inspected by {v}", "person"), ("{s} is mentioned by {v}", "person")],
}  # fmt: skip
_RELATIONS = {"person": _PERSON, "firm": _FIRM, "thing": _THING}
_VALUES = {
    "place": "Utrecht|Leeds|Turin|Bilbao|Aarhus|Cork|Graz|Nantes|Split|Varna|the cellar|Oslo",
    "dish": "ramen|lasagne|dal|pierogi|paella|fish pie|mole|falafel",
    "car": "Skoda|Kia|Volvo estate|Fiat 500|Tesla|van|Dacia",
    "blood": "A positive|B negative|0 negative|AB positive",
    "subject": "geology|law|nursing|music|statistics|Polish|dentistry|plumbing|sheep|tax",
    "colour": "blue|green|amber|grey|violet|red|white",
    "doctor": "Dr. Varga|Dr. Onyango|Dr. Lee|Dr. Baptiste|Dr. Hale",
    "office": "treasurer|secretary|chair|captain|caretaker",
    "time": "6:50|7:15|8:05|9:30|11:00|14:20|17:45|19:10",
    "date": "3 May|12 June|28 February|1 October|19 August|7 December|30 March",
    "currency": "euros|dollars|pounds|zloty|yen",
    "state": "open|closed|blocked|under repair|empty|done|reserved",
}


def renamed(changes: Sequence[Change], chance: random.Random) -> Iterator[Change]:
    """Stores whose change is about a name, with that name and with another one.

    A name counts that begins the statement which no longer holds and is in the sentence as well.
    Of each store, one has an invented name throughout and, beside the target, the same said of
    another; in one the sentence is about somebody of whom nothing is stored.
    """
    for one in changes:
        name = None if one.target is None else _subject(one.memories[one.target], one.sentence)
        if one.target is None or name is None:
            continue
        mine, other = _names_near(chance, "person", 2)
        memories = [_with(text, name, mine) for text in one.memories]
        sentence = _with(one.sentence, name, mine)
        beside = _with(one.memories[one.target], name, other)
        at = chance.randrange(len(memories) + 1)
        wider = [*memories[:at], beside, *memories[at:]]
        yield Change(wider, sentence, one.target + (at <= one.target), one.writer, one.keeps)
        yield Change(memories, _with(one.sentence, name, other), None, one.writer)


def _subject(old: str, new: str) -> str | None:
    for name in sorted(entities(old), key=len, reverse=True):
        found = re.match(rf"{re.escape(name)}\b", old, re.IGNORECASE)
        if found is not None and re.search(rf"\b{re.escape(found[0])}\b", new):
            return found[0]
    return None


def _with(text: str, name: str, other: str) -> str:
    return re.sub(rf"\b{re.escape(name)}\b", other, text)


def made_up(count: int, chance: random.Random) -> list[Change]:
    """Stores of facts from templates with a sentence that changes one of them, or none."""
    return [_store(chance, chance.choice([*_RELATIONS, "person", "thing"])) for _ in range(count)]


def _store(chance: random.Random, kind: str) -> Change:
    """Store of facts about things of a kind, most of one relation, and a sentence about one."""
    (wordings, values), other = chance.sample(_RELATIONS[kind], 2)
    mine, *subjects = _names_near(chance, kind, _SUBJECTS)
    value = _value(chance, values)
    old: str | None = _said(chance, wordings[:2], mine, value)
    about = chance.choices([*_SENTENCES], [*_SENTENCES.values()])[0]
    if about == "change":
        sentence = _said(chance, wordings, mine, _value(chance, values, value))
    elif about == "repetition":
        sentence = _said(chance, wordings, mine, value)
    elif about == "one more":
        wording, many = chance.choice(_MANY[kind])
        old = _said(chance, [wording], mine, _value(chance, many))
        sentence = _said(chance, [wording], mine, _value(chance, many))
    elif about == "other relation":
        sentence = _said(chance, other[0], mine, _value(chance, other[1]))
    else:
        old, sentence = None, _said(chance, wordings, mine, _value(chance, values))
    memories = []
    for subject in subjects:
        told, of = (wordings, values) if chance.random() < _ALIKE else other
        memories.append(_said(chance, told[:2], subject, _value(chance, of)))
    if old is None:
        return Change(memories, sentence, None, _WRITER)
    at = chance.randrange(len(memories) + 1)
    memories.insert(at, old)
    return Change(memories, sentence, at if about == "change" else None, _WRITER)


def _said(chance: random.Random, wordings: Sequence[str], subject: str, value: str) -> str:
    return chance.choice(wordings).format(s=subject, v=value) + chance.choice(["", "", "."])


def _value(chance: random.Random, kind: str, but: str = "") -> str:
    while True:
        if kind == "number":
            value = str(chance.randrange(2, chance.choice([20, 100, 1000])))
        elif kind in {"person", "firm"}:
            value = _name(chance, kind)
        else:
            value = chance.choice(_VALUES[kind].split("|"))
        if value != but:
            return value


def _names_near(chance: random.Random, kind: str, count: int) -> list[str]:
    """Different names; of one store all are numbers of a noun, share a word or begin alike."""
    noun, first = chance.choice(_NUMBERED.split()), _name(chance, kind)
    alike = chance.choice(_ALIKENESSES[kind])
    names: dict[str, None] = {}
    while len(names) < count:
        name = _name(chance, kind)
        if alike == "number":
            name = f"{noun} {chance.randrange(1, 60)}"
        elif alike == "word":
            name = f"{first.split()[0]} {name.split()[-1]}"
        elif alike == "letters":
            name = first[:2] + name[len(name) // 3 :]
        names[name] = None
    return [*names]


def _name(chance: random.Random, kind: str) -> str:
    if kind == "person":
        given = chance.choice([chance.choice(_GIVEN).title(), _invented(chance)])
        family = chance.choice([chance.choice(_SURNAMES.split()), _invented(chance)])
        return chance.choice([given, f"{given} {family}", f"{given} {family}"])
    if kind == "firm":
        firm = f"{_invented(chance)} {chance.choice(_KINDS_OF_FIRM)}"
        return chance.choice([_invented(chance), firm, f"the {firm}"])
    if chance.random() < _CODED:
        letters = "".join(chance.choices("ABCDKLMPRSTX", k=2))
        return f"{letters}-{chance.randrange(10, 9999)}"
    thing = chance.choice(["project", "printer", "boat", "report", "van"])
    return f"the {_invented(chance)} {thing}"


def _invented(chance: random.Random) -> str:
    count = chance.choice([2, 2, 3, 3, 4])
    syllables = [chance.choice(_STARTS) + chance.choice(_VOWELS) for _ in range(count)]
    return ("".join(syllables) + chance.choice(_ENDS)).title()
