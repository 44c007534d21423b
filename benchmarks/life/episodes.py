"""What happens in a made-up life from day to day, and is hardly ever asked for again."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from benchmarks.life import words
from mnemolog.ledger.events import Importance, MemoryKind, Volatility


class Episode(msgspec.Struct, frozen=True):
    """One kind of everyday note, how many there are in a year, and how it is filed.

    `notes` are its wordings, each with the question that asks for it.
    """

    name: str
    a_year: int
    notes: tuple[tuple[str, str], ...]
    kind: MemoryKind = "episodic"
    category: str | None = None
    importance: Importance = "medium"
    volatility: Volatility = "normal"


EPISODES = (
    Episode(
        "progress",
        1300,
        (
            (
                "{project}: {verb} the {component}; {n} {left} to go.",
                "In {project}, what was done to the {component} with {n} {left} to go?",
            ),
            (
                "{verb} the {component} of {project} today, {n} {left} left.",
                "When were there {n} {left} left in the {component} of {project}?",
            ),
            (
                "Spent {n} hours on the {component} in {project}: {verb} it.",
                "What took me {n} hours on the {component} of {project}?",
            ),
        ),
        category="goal_progress",
    ),
    Episode(
        "meeting",
        800,
        (
            (
                "In the {meeting} of {project}, {person} raised {issue}; {other} will {action}.",
                "What happens about {issue} that {person} raised in {project}?",
            ),
            (
                "{project} {meeting}: {other} agreed to {action} because of {issue}.",
                "What did {other} agree to because of {issue} in {project}?",
            ),
        ),
    ),
    Episode(
        "errand",
        500,
        (
            ("Get {item} from {shop}.", "What was to be got from {shop}, {item}?"),
            ("We are out of {item}; {shop} has it.", "Who has {item}, {shop}?"),
            ("Bought {item} at {shop}.", "Did I buy {item} at {shop}?"),
        ),
        importance="low",
    ),
    Episode(
        "talk",
        1300,
        (
            (
                "{person} talked about {topic} and seemed {mood}.",
                "How did {person} seem when talking about {topic}?",
            ),
            (
                "Chatted with {person} over lunch: {topic}; {mood} about it.",
                "What did {person} say over lunch about {topic}?",
            ),
            ("{person} is {mood} about {topic}.", "What does {person} think of {topic}?"),
            (
                "With {person} on the phone, mostly {topic}.",
                "With whom was I on the phone about {topic}, {person}?",
            ),
        ),
        category="conversation_detail",
        importance="low",
    ),
    Episode(
        "sport",
        250,
        (
            (
                "Ran {n} km along {route} in {m} minutes.",
                "How long was the run of {n} km at {route}?",
            ),
            ("Cycled to {city} by {route}, {n} km.", "How far is it to {city} by {route}?"),
            ("Walked around {route}, {n} km, {mood}.", "How was the walk of {n} km at {route}?"),
        ),
        importance="low",
    ),
    Episode(
        "media",
        150,
        (
            ("Finished '{title}'; {mood} about the end.", "How did I like '{title}'?"),
            (
                "Watched '{title}' with {person}, who was {mood}.",
                "How did {person} like '{title}'?",
            ),
            ("{person} lent me '{title}'.", "Whose copy of '{title}' have I, {person}'s?"),
        ),
    ),
    Episode(
        "week",
        250,
        (
            (
                "This week the {component} of {project} comes first.",
                "What about {project} comes first this week, the {component}?",
            ),
            (
                "{person} is away until {day}; {other} stands in.",
                "Who stands in for {person} until {day}?",
            ),
            (
                "Until {day} the {meeting} of {project} is held in room {n}.",
                "Where is the {meeting} of {project} held until {day}?",
            ),
        ),
        kind="semantic",
        volatility="volatile",
    ),
)


def slots(chance: random.Random, people: Sequence[str], projects: Sequence[str]) -> dict[str, str]:
    """What an episode may mention; people and projects are those that are around."""
    pick = chance.choice
    return {
        "person": pick(people),
        "other": pick(people),
        "project": pick(projects),
        "component": pick(words.COMPONENTS),
        "verb": pick(words.VERBS),
        "left": pick(words.LEFT),
        "n": str(chance.randint(2, 40)),
        "m": str(chance.randint(18, 170)),
        "meeting": pick(words.MEETINGS),
        "issue": pick(words.ISSUES),
        "action": pick(words.ACTIONS),
        "item": pick(words.ITEMS),
        "shop": pick(words.SHOPS),
        "topic": pick(words.TOPICS),
        "mood": pick(words.MOODS),
        "route": pick(words.ROUTES),
        "city": pick(words.CITIES),
        "title": pick(words.TITLES),
        "day": pick(words.WEEKDAYS),
    }
