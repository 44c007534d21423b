"""A year of daily use, written out: the same seed always gives the same one."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from benchmarks.life.acts import DAYS, Asked, Changed, Day, Life, Pinned, ToolHistory, Way
from benchmarks.life.episodes import EPISODES, slots
from benchmarks.life.facts import IDENTITY, IMMUTABLE, Fact, World, facts, world
from mnemolog import NewMemory

_PERIODS = (4, 7, 10, 14, 21, 30, 45)
"""How many days lie between two times that the same is asked for."""

_STEADY, _FADING, _ONCE = 0.08, 0.05, 0.25
_STEADY_EPISODE, _ONCE_EPISODE = 0.01, 0.06
_CHANGES = 0.5
_LAST_STEADY, _LAST_CHANGE = 300, 330
_TOLD_AGAIN = 0.015
_PINS, _LAST_PINNED = 6, 100
_WAYS: tuple[tuple[Way, int], ...] = (("supersede", 8), ("correct", 7), ("plain", 5))


def year(seed: int) -> Life:
    """The whole year."""
    return _Year(seed).written()


class _Year:
    """A year as it is being written."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._told: dict[int, list[ToolHistory]] = defaultdict(list)
        self._changed: dict[int, list[Changed]] = defaultdict(list)
        self._pinned: dict[int, list[Pinned]] = defaultdict(list)
        self._asked: dict[int, list[Asked]] = defaultdict(list)
        self._still: list[Asked] = []
        self._once: list[Asked] = []
        self._next = 0

    def written(self) -> Life:
        """All of it, in order."""
        whole = world(self._chance)
        self._tell_of_oneself()
        immutable = [
            self._tell(day * 3, NewMemory(text, immutable=True, importance="high"))
            for day, text in enumerate(IMMUTABLE)
        ]
        for fact in facts(self._chance, whole):
            self._follow(fact)
        notes = self._note(whole)
        pinned = self._pin(notes)
        days = []
        for day in range(DAYS):
            self._chance.shuffle(self._told[day])
            self._chance.shuffle(self._asked[day])
            days.append(
                Day(
                    tuple(self._told[day]),
                    tuple(self._changed[day]),
                    tuple(self._pinned[day]),
                    tuple(self._asked[day]),
                )
            )
        return Life(
            tuple(days), tuple(self._still), tuple(self._once), tuple(pinned), tuple(immutable)
        )

    def _key(self) -> int:
        self._next += 1
        return self._next

    def _tell(self, day: int, memory: NewMemory) -> int:
        key = self._key()
        self._told[day].append(ToolHistory(key, memory))
        return key

    def _tell_of_oneself(self) -> None:
        for text in IDENTITY:
            memory = NewMemory(
                text, category="user_identity", importance="high", source="user:dana"
            )
            self._tell(self._chance.randrange(14), memory)

    # -- facts -------------------------------------------------------------------------

    def _follow(self, fact: Fact) -> None:
        """One fact through the year: told, perhaps changed, perhaps asked for."""
        chance = self._chance
        versions = [(fact.day, self._tell(fact.day, fact.memory(chance)))]
        if fact.theme.corrections and chance.random() < _CHANGES:
            day = fact.day + chance.randint(15, 150)
            if day <= min(_LAST_CHANGE, fact.until):
                versions.append((day, self._change(fact, versions[0][1], day)))
        steady = fact.day <= _LAST_STEADY and fact.until >= DAYS
        days = self._days_asked(fact.day, _STEADY if steady else 0.0, fact.until)
        self._ask(days, fact.questions(), versions)

    def _change(self, fact: Fact, old: int, day: int) -> int:
        chance, key = self._chance, self._key()
        new = fact.changed(chance, day)
        (way,) = chance.choices([way for way, _ in _WAYS], [share for _, share in _WAYS])
        sentence = new.correction(chance)
        self._changed[day].append(Changed(key, old, way, new.memory(chance), sentence))
        return key

    def _days_asked(self, told: int, steady: float, until: int) -> list[int]:
        """The days on which something is asked for: to the end, for a while, once or never."""
        drawn = self._chance.random()
        if drawn < steady:
            return [*self._every_so_often(told, DAYS - 1)]
        if drawn < steady + _FADING:
            return [*self._every_so_often(told, min(until, told + self._chance.randint(20, 120)))]
        if drawn < steady + _FADING + _ONCE:
            return [told + 1 + int(self._chance.expovariate(1 / 40))]
        return []

    def _every_so_often(self, told: int, last: int) -> Iterator[int]:
        period = self._chance.choice(_PERIODS)
        day = told + self._chance.uniform(0.3, 1.0) * period
        while day < min(last, DAYS - 1):
            yield int(day) + 1
            day += period * self._chance.uniform(0.6, 1.4)

    def _ask(
        self, days: Sequence[int], questions: Sequence[str], versions: Sequence[tuple[int, int]]
    ) -> None:
        """Ask on these days, in any wording, for what holds then; note what is asked to the end."""
        days = [day for day in days if day < DAYS]
        for day in days:
            gold = [key for since, key in versions if since <= day][-1]
            self._asked[day].append(Asked(self._chance.choice(questions), gold))
        still = [Asked(question, versions[-1][1]) for question in questions]
        if len(days) == 1:
            self._once += still[:1]
        elif days and days[-1] > DAYS - 2 * max(_PERIODS):
            self._still += still

    # -- the everyday ------------------------------------------------------------------

    def _note(self, whole: World) -> list[tuple[int, int]]:
        """The everyday notes; the day and key of each that matters little."""
        chance = self._chance
        made = []
        for episode in EPISODES:
            for _ in range(episode.a_year):
                day = chance.randrange(DAYS)
                filled = slots(chance, *whole.around(day))
                note, question = (part.format(**filled) for part in chance.choice(episode.notes))
                memory = NewMemory(
                    note[0].upper() + note[1:],
                    kind=episode.kind,
                    category=episode.category,
                    importance=episode.importance,
                    volatility=episode.volatility,
                    source="user:dana",
                    tags=(episode.name,),
                )
                made.append((day, self._tell(day, memory), memory, question))
                again = day + chance.randint(10, 200)
                if chance.random() < _TOLD_AGAIN and again < DAYS:
                    made.append((again, self._tell(again, memory), memory, question))
        self._ask_for_notes(made)
        return [(day, key) for day, key, memory, _ in made if memory.importance == "low"]

    def _ask_for_notes(self, made: Sequence[tuple[int, int, NewMemory, str]]) -> None:
        """Some are asked for, where the question can mean no other."""
        common = Counter(question for *_, question in made)
        for day, key, _, question in made:
            if common[question] > 1 or day > _LAST_STEADY:
                continue
            drawn = self._chance.random()
            days: list[int] = []
            if drawn < _STEADY_EPISODE:
                days = [*self._every_so_often(day, DAYS - 1)]
            elif drawn < _STEADY_EPISODE + _ONCE_EPISODE:
                days = [day + 1 + int(self._chance.expovariate(1 / 40))]
            self._ask(days, [question], [(day, key)])

    def _pin(self, notes: Sequence[tuple[int, int]]) -> list[int]:
        """Pin notes that would soon fade: some for good, as many for some days."""
        early = [note for note in notes if note[0] < _LAST_PINNED]
        chosen = self._chance.sample(early, 2 * _PINS)
        for place, (day, key) in enumerate(chosen):
            days = None if place < _PINS else self._chance.randint(3, 60)
            self._pinned[day].append(Pinned(key, days))
        return [key for _, key in chosen[:_PINS]]


def kinds(life: Life) -> dict[str, int]:
    """How many memories of each kind are told, the most common first."""
    told = [one.memory.kind for day in life.days for one in day.told]
    changed = [one.memory.kind for day in life.days for one in day.changed]
    return dict(Counter([*told, *changed]).most_common())
