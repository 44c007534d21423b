"""The facts of a made-up life: which there are, when they are learned, and how they change."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from benchmarks.life import themes, words
from benchmarks.life.acts import DAYS
from benchmarks.life.theme import Theme
from mnemolog import NewMemory

_PEOPLE, _FIRST_PEOPLE, _THEMES_A_PERSON = 190, 25, 9
_FIRST_PROJECTS = 10
_DECISIONS, _CONTACTS = 8, 3
_TASKS, _ERRORS, _FINDINGS, _SIGHTS, _APPOINTMENTS = 240, 240, 780, 280, 260

IDENTITY = (
    "My name is Dana Falk.",
    "I live in Utrecht with Jonas and our two children.",
    "I lead the platform group at Riverstone.",
    "I am left-handed.",
    "My working hours are nine to five, Central European time.",
    "I studied physics in Graz.",
    "I was born in Tampere.",
    "My children are called Mika and Saga.",
    "I write in English at work and in Dutch at home.",
    "I am short-sighted.",
    "My blood group is A negative.",
    "I have a driving licence but no car.",
)
IMMUTABLE = (
    "Never tell anybody the code of the front door.",
    "Dana is allergic to penicillin.",
    "Never deploy to production without a second pair of eyes.",
    "No payment over 500 euros without asking Dana first.",
    "Do not share photographs of the children.",
    "In an emergency call Jonas, then 112.",
)


class Fact(NamedTuple):
    """A fact as it holds from a day on: its subject, and the words that fill its theme.

    `until` is the last day on which anybody cares.
    """

    theme: Theme
    day: int
    filled: dict[str, str]
    until: int = DAYS

    def memory(self, chance: random.Random) -> NewMemory:
        """The fact in one of its wordings, filed as its theme says."""
        theme = self.theme
        return NewMemory(
            _sentence(chance.choice(theme.statements).format(**self.filled)),
            kind=theme.kind,
            category=theme.category,
            importance=theme.importance,
            volatility=theme.volatility,
            source="user:dana",
            tags=(theme.name,),
        )

    def questions(self) -> tuple[str, ...]:
        """The ways in which it is asked for."""
        return tuple(_sentence(one.format(**self.filled)) for one in self.theme.questions)

    def changed(self, chance: random.Random, day: int) -> Fact:
        """The same fact with other values, from a day on."""
        values = {name: draw for name, draw in self.theme.values.items() if name not in _kept(self)}
        filled = dict(self.filled)
        while all(filled[name] == self.filled[name] for name in values):
            filled.update((name, draw(chance)) for name, draw in values.items())
        return self._replace(day=day, filled=filled)

    def correction(self, chance: random.Random) -> str:
        """A sentence that corrects what was known before by this."""
        return chance.choice(self.theme.corrections).format(**self.filled)


def _kept(fact: Fact) -> frozenset[str]:
    return fact.theme.asked


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


class Project(msgspec.Struct, frozen=True):
    """A project and the days between which it runs."""

    name: str
    begins: int
    ends: int


class Acquaintance(msgspec.Struct, frozen=True):
    """A person and the day on which they come into this life."""

    name: str
    since: int


class World(NamedTuple):
    """Who and what there is."""

    people: tuple[Acquaintance, ...]
    projects: tuple[Project, ...]

    def around(self, day: int) -> tuple[list[str], list[str]]:
        """The people known and the projects under way on a day, or else the first to come."""
        first = min(self.projects, key=lambda one: one.begins)
        return (
            [one.name for one in self.people if one.since <= day],
            [one.name for one in self.projects if one.begins <= day <= one.ends] or [first.name],
        )


def world(chance: random.Random) -> World:
    """The people and projects of a year."""
    names = [f"{first} {last}" for first in words.FIRST for last in words.LAST]
    people = tuple(
        Acquaintance(
            name, chance.randint(0, place) if place < _FIRST_PEOPLE else chance.randrange(340)
        )
        for place, name in enumerate(chance.sample(names, _PEOPLE))
    )
    projects = []
    for place, name in enumerate(chance.sample(words.PROJECTS, len(words.PROJECTS))):
        begins = chance.randrange(5) if place < _FIRST_PROJECTS else chance.randrange(330)
        length = DAYS if place == 0 else chance.randint(30, 200)
        projects.append(Project(name, begins, min(DAYS, begins + length)))
    return World(people, tuple(projects))


def facts(chance: random.Random, whole: World) -> Iterator[Fact]:
    """Every fact as it is first told."""
    yield from _of_people(chance, whole)
    yield from _of_projects(chance, whole)
    yield from _of_things(chance)
    yield from _of_work(chance)
    yield from _of_the_world(chance, whole)


def _filled(chance: random.Random, theme: Theme, subject: str, **more: str) -> dict[str, str]:
    return {"s": subject, **{name: draw(chance) for name, draw in theme.values.items()}, **more}


def _of_people(chance: random.Random, whole: World) -> Iterator[Fact]:
    for one in whole.people:
        for theme in chance.sample(themes.PERSON, _THEMES_A_PERSON):
            day = one.since + int(chance.expovariate(1 / 25))
            if day < DAYS:
                yield Fact(theme, day, _filled(chance, theme, one.name))


def _of_projects(chance: random.Random, whole: World) -> Iterator[Fact]:
    counts = {"decision": _DECISIONS, "contact": _CONTACTS}
    for project in whole.projects:
        for theme in themes.PROJECT:
            parts = chance.sample(words.COMPONENTS, counts.get(theme.name, 1))
            for part in parts:
                late = project.ends if theme.asked else project.begins + 14
                day = chance.randint(project.begins, min(late, DAYS - 1))
                more = {"component": part} if theme.asked else {}
                yield Fact(
                    theme, day, _filled(chance, theme, project.name, **more), until=project.ends
                )


def _of_things(chance: random.Random) -> Iterator[Fact]:
    for thing in words.THINGS:
        for owner in ("", " at the office", " of my parents"):
            for theme in themes.THING:
                filled = _filled(chance, theme, thing + owner)
                yield Fact(theme, chance.randrange(DAYS), filled)


def _of_work(chance: random.Random) -> Iterator[Fact]:
    tasks = [f"{task} {where}" for task in words.TASKS for where in words.WHERE]
    for task in chance.sample(tasks, _TASKS):
        yield Fact(themes.TASK, chance.randrange(DAYS), _filled(chance, themes.TASK, task))
    failures = [(task, error) for task in words.TASKS for error in words.ERRORS]
    for task, error in chance.sample(failures, _ERRORS):
        filled = _filled(chance, themes.ERROR, task, error=error)
        yield Fact(themes.ERROR, chance.randrange(DAYS), filled)
    for choice in words.CHOICES:
        topic, *both = choice.split("/")
        for when in ("in general", *words.OCCASIONS):
            a, b = chance.sample(both, 2)
            yield Fact(
                themes.PREFERENCE,
                chance.randrange(DAYS),
                {"s": topic, "when": when, "a": a, "b": b},
            )


def _of_the_world(chance: random.Random, whole: World) -> Iterator[Fact]:
    topics = [(subject, tool) for subject in words.SUBJECTS for tool in words.TOOLS]
    for subject, tool in chance.sample(topics, _FINDINGS):
        filled = _filled(chance, themes.FINDING, subject, t=tool)
        yield Fact(themes.FINDING, chance.randrange(DAYS), filled)
    sights = [(sight, city) for sight in words.SIGHTS for city in words.CITIES]
    for sight, city in chance.sample(sights, _SIGHTS):
        filled = _filled(chance, themes.FACT, sight, city=city)
        yield Fact(themes.FACT, chance.randrange(DAYS), filled)
    meetings = [(what, who) for what in words.APPOINTMENTS for who in whole.people]
    for what, who in chance.sample(meetings, _APPOINTMENTS):
        filled = _filled(chance, themes.APPOINTMENT, what, person=who.name)
        yield Fact(themes.APPOINTMENT, chance.randint(who.since, DAYS - 1), filled)
