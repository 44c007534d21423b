"""Made-up lives of a few people and teams, and what is said that corrects them, or does not.

Every third wording is held out: the rules of reading were written without it.
"""

from __future__ import annotations

import random
from typing import Literal, NamedTuple

Share = Literal["known", "held out"]


class Attribute(NamedTuple):
    """One thing that is said of someone or something, in several wordings, with its values."""

    name: str
    subjects: tuple[str, ...]
    statements: tuple[str, ...]
    cue: str
    values: tuple[str, ...]
    thing: str | None = None


PEOPLE = ("Anna", "Ben", "Chidi", "Dolores", "Emeka", "Farah", "Goran", "Hiroko")
TEAMS = ("platform", "mobile", "growth", "design")
PROJECTS = ("Apollo", "Borealis", "Condor", "Driftwood")
SERVICES = ("billing", "search", "checkout", "reporting")

ATTRIBUTES = (
    Attribute(
        "home",
        PEOPLE,
        ("{s} lives in {v}", "{s} is based in {v}", "{s}'s home is in {v}"),
        "where does {s} live?",
        ("Berlin", "Porto", "Lagos", "Kyoto", "Tallinn", "Oslo"),
    ),
    Attribute(
        "job",
        PEOPLE,
        ("{s} works at {v}", "{s} is employed at {v}", "{s} works for {v}"),
        "where does {s} work?",
        ("Initech", "Globex", "Hooli", "Acme", "Umbrella", "Vandelay"),
    ),
    Attribute(
        "colour",
        PEOPLE,
        ("{s}'s favourite colour is {v}", "The favourite colour of {s} is {v}"),
        "what is {s}'s favourite colour?",
        ("blue", "green", "orange", "violet", "crimson"),
    ),
    Attribute(
        "birthday",
        PEOPLE,
        ("{s}'s birthday is on {v}", "{s} has their birthday on {v}"),
        "when is {s}'s birthday?",
        ("3 June", "14 March", "22 October", "9 January", "30 November"),
    ),
    Attribute(
        "standup",
        TEAMS,
        (
            "The {s} standup is at {v}",
            "The {s} standup starts at {v}",
            "We hold the {s} standup at {v}",
        ),
        "when is the {s} standup?",
        ("9:15", "10:30", "11:00", "8:45", "14:20"),
        "the {s} standup",
    ),
    Attribute(
        "launch",
        PROJECTS,
        (
            "The launch of {s} is on {v}",
            "{s} launches on {v}",
            "The {s} launch is scheduled for {v}",
        ),
        "when does {s} launch?",
        ("5 May", "17 September", "2 August", "28 February"),
        "the launch of {s}",
    ),
    Attribute(
        "budget",
        PROJECTS,
        ("The budget for {s} is {v}", "{s} has a budget of {v}"),
        "what is the budget for {s}?",
        ("$40,000", "$55,000", "$72,500", "$18,000"),
    ),
    Attribute(
        "database",
        SERVICES,
        (
            "We use {v} for the {s} service",
            "The {s} service uses {v}",
            "The {s} service runs on {v}",
        ),
        "what does the {s} service use?",
        ("Postgres", "MySQL", "MongoDB", "Cassandra", "SQLite"),
    ),
    Attribute(
        "lead",
        TEAMS,
        ("{v} leads the {s} team", "The lead of the {s} team is {v}"),
        "who leads the {s} team?",
        ("Ines", "Jonas", "Kavita", "Lucas", "Mei"),
    ),
    Attribute(
        "demo",
        TEAMS,
        ("The {s} team holds a demo on {v}", "The {s} demo takes place on {v}"),
        "when is the {s} demo?",
        ("Mondays", "Tuesdays", "Thursdays", "Fridays"),
        "the {s} demo",
    ),
    Attribute(
        "room",
        TEAMS,
        ("The {s} team sits in room {v}", "The {s} team's room is {v}"),
        "where does the {s} team sit?",
        ("204", "311", "118", "427"),
    ),
    Attribute(
        "drink",
        PEOPLE,
        ("{s} drinks {v} in the morning", "In the morning {s} drinks {v}"),
        "what does {s} drink in the morning?",
        ("coffee", "green tea", "mate", "cocoa"),
    ),
)

# {o}: the old statement as part of a sentence, {n}: the new one, {old} and {new}: the values,
# {t}: what both are said of.
EXPLICIT = (
    "The record that {o} is wrong: {n}.",
    "Actually, {n}.",
    "Correction: {n}.",
    "Actually, {n}, not {old}.",
    "I was wrong: {n}, not {old}.",
    "The note saying that {o} is outdated; {n}.",
    "No, {n}.",
    "I misspoke. {N}.",
    "It is no longer true that {o}. {N} now.",
    "Scratch that, {n}.",
    "Turns out {n}.",
    "Update: {n}.",
    "Sorry, my mistake: {n}.",
    "What you have on file is old: {n}, not {old}.",
    "I said that {o}, but {n}.",
    "The entry which says that {o} is no longer correct. {N}.",
    "{N} instead of {old}.",
    "That's not right any more, {n}.",
    "As it happens, {n} now.",
    "You noted that {o}. That's wrong: {n}.",
    "In fact {n} rather than {old}.",
    "Please correct the record: {n}, not {old}.",
    "It's not true that {o}: {n}.",
    "Wait, no: {n}.",
    "Since last week {n}.",
    "My memory of this was off. Actually {n}.",
    "Let me correct myself, {n}.",
    "{N} these days, no longer {old}.",
    "The memory that {o} needs updating: {n}.",
    "Contrary to what I said earlier, {n}.",
)
RETIREMENTS = (
    "The record that {o} is wrong.",
    "It's no longer true that {o}.",
    "Forget that {o}.",
    "The note that {o} is out of date.",
    "That {o} is not the case any more.",
    "Please disregard the note saying that {o}.",
    "I was mistaken when I said that {o}.",
    "The claim that {o} is simply false.",
    "The statement that {o} no longer holds.",
)
DROPS = (
    "We dropped {t} last month.",
    "We cancelled {t}.",
    "{T} has been scrapped.",
    "We no longer do {t}.",
    "We stopped doing {t} in spring.",
    "{T} is off for good.",
    "We decided to abandon {t}.",
    "There is no {tb} any more.",
    "{T} was discontinued two weeks ago.",
)
MOVES = (
    "We moved {t} from {old} to {new}.",
    "{T} has moved to {new}.",
    "{T} was rescheduled to {new} yesterday.",
    "{T} is at {new} now.",
    "{T} got pushed back to {new}.",
    "So that nobody is surprised: we changed {t} to {new}.",
)
PASSING = (
    "Had lunch with {p} today. By the way, {n} now.",
    "Long day. Oh, and {n}, not {old} any more.",
    "{p} sends regards. Just so you know, {n} now, no longer {old}.",
    "The heating is broken again, and by the way, {n} now instead of {old}.",
    "Reviewed the slides this morning. FYI: {n} now.",
    "Quick update before I forget: {n} now. Also, {p} is on holiday.",
    "I finally finished the report. Turns out {n}.",
    "Nothing new from {p}. Actually, {n}, not {old}, so plan for that.",
    "We had a good retro. As of this week {n}. The snacks were great.",
)
NOTHING = (
    "{p} said '{n}, not {old}'.",
    "“Actually, {n}” is what {p} wrote on the board.",
    "{p} claims that {n} now.",
    "If {n}, we would have to tell everyone.",
    "What if {n}?",
    "Imagine that {n} now, not {old}.",
    "Suppose {n} instead of {old}.",
    "Maybe {n} now.",
    "Is it true that {n}?",
    "I don't think the record that {o} is wrong.",
    "The record that {o} is not wrong.",
    "The article says that {n} now.",
    "In the novel, {n}, not {old}.",
    "According to {p}, {n} now.",
    "At my old company we changed everything: someone said {n}.",
    "Should we write that {n} instead of {old}?",
    "I wish {n} instead of {old}.",
    "I heard a rumour that {n} now.",
    "Would it be better if {n}, not {old}?",
    "{p} asked whether the record that {o} is wrong.",
    "We might announce next year that {n}.",
    "Let's pretend {n}, not {old}.",
    "In another company, {n} now.",
    "Hypothetically, {n} and not {old}.",
)
DROPPED_NOTHING = (
    "If we dropped {t}, we would save an hour.",
    "Their team dropped {t} last month.",
    "{p} said we dropped {t}.",
    "Should we drop {t}?",
    "We might cancel {t} next month.",
    "We haven't dropped {t}.",
    "At my old company we cancelled {t}.",
    "What if {t} has been scrapped?",
    "We are thinking about dropping {t}.",
    "In the film, the hero cancelled {t}.",
    "We almost cancelled {t} last week.",
    "“We dropped {t}” was only a headline.",
)

Way = Literal["explicit", "retirement", "drop", "move", "passing", "nothing"]


class Scenario(NamedTuple):
    """One life: what is known in each space, what is said, and what should have changed.

    `facts` are (text, cue) pairs, the first being the one in dispute, with its
    paraphrase if `twice`. `sentence` is said to `correct` or, in passing,
    remembered; with `changes` it retires the first fact and shows `new`.
    """

    way: Way
    share: Share
    facts: tuple[tuple[str, str], ...]
    paraphrase: str | None
    sentence: str
    changes: bool
    new: str | None
    old: str


def _first_low(text: str) -> str:
    return text[0].lower() + text[1:] if text.startswith(("The ", "We ", "In ")) else text


def _first_high(text: str) -> str:
    return text[:1].upper() + text[1:]


WAYS: dict[Way, tuple[str, ...]] = {
    "explicit": EXPLICIT,
    "retirement": RETIREMENTS,
    "drop": DROPS,
    "move": MOVES,
    "passing": PASSING,
    "nothing": (*NOTHING, *DROPPED_NOTHING),
}


def shared(way: Way, share: Share) -> list[str]:
    """The wordings of a way that belong to a share."""
    return [one for n, one in enumerate(WAYS[way]) if (n % 3 == 2) == (share == "held out")]


def scenario(chance: random.Random, way: Way, share: Share) -> Scenario:
    """A scenario drawn at random."""
    template = chance.choice(shared(way, share))
    needs_thing = "{t}" in template or "{T}" in template or "{tb}" in template
    attributes = [one for one in ATTRIBUTES if one.thing is not None or not needs_thing]
    if way == "move":
        attributes = [one for one in attributes if one.name in {"standup", "launch"}]
    if "rescheduled" in template or "pushed" in template or "is at" in template:
        attributes = [one for one in attributes if one.name == "standup"] or attributes
    attribute = chance.choice(attributes)
    subject = chance.choice(attribute.subjects)
    old, new = chance.sample(attribute.values, 2)
    wording = chance.choice(attribute.statements)
    new_wording = wording if chance.random() < 0.6 else chance.choice(attribute.statements)
    if "{old}" in template or attribute.name in {"lead", "drink"}:
        new_wording = attribute.statements[0] if attribute.name in {"lead", "drink"} else wording
        wording = new_wording
    said, now = (w.format(s=subject, v=v) for w, v in ((wording, old), (new_wording, new)))
    thing = (attribute.thing or "").format(s=subject)
    sentence = template.format(
        o=_first_low(said),
        n=_first_low(now),
        N=_first_high(now),
        old=old,
        new=new,
        t=thing,
        T=_first_high(thing),
        tb=thing.removeprefix("the "),
        p=chance.choice(("Zoe", "Viktor", "Uma")),
    )
    facts = [(f"{said}.", attribute.cue.format(s=subject))]
    others = [s for s in attribute.subjects if s != subject]
    for other in chance.sample(others, 2):
        text = chance.choice(attribute.statements).format(
            s=other, v=chance.choice(attribute.values)
        )
        facts.append((f"{text}.", attribute.cue.format(s=other)))
    for kind in chance.sample([one for one in ATTRIBUTES if one.name != attribute.name], 6):
        about = (
            subject
            if subject in kind.subjects and kind.subjects is PEOPLE
            else chance.choice(kind.subjects)
        )
        text = chance.choice(kind.statements).format(s=about, v=chance.choice(kind.values))
        facts.append((f"{text}.", kind.cue.format(s=about)))
    again = [w for w in attribute.statements if w != wording]
    paraphrase = None
    if again and chance.random() < 0.3 and attribute.name not in {"launch", "lead", "demo"}:
        paraphrase = chance.choice(again).format(s=subject, v=old) + "."
    return Scenario(
        way,
        share,
        tuple(facts),
        paraphrase,
        sentence,
        way != "nothing",
        None if way in {"retirement", "drop", "nothing"} else new,
        old,
    )


def scenarios(seed: str, share: Share, count: int) -> list[Scenario]:
    """Scenarios of a share, the ways of correcting in turn."""
    chance = random.Random(seed)
    ways: tuple[Way, ...] = (
        "explicit",
        "explicit",
        "nothing",
        "passing",
        "retirement",
        "drop",
        "move",
        "nothing",
    )
    return [scenario(chance, ways[n % len(ways)], share) for n in range(count)]
