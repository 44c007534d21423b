"""How often recall gives the stale answer first, of thousands of facts some of which changed.

    python -m benchmarks.changing [--work DIR] [--json] [--facts N] [--seed N]

Facts are made from templates of single-valued relations (citizen of, plays as, located in), each
with a subject of its own. Two in five change: a later statement gives another value, in the same
words or in others. Each fact is asked for once. They are stored in two large batches, which are
judged by rules alone, and one by one, which the built-in judge reads. Plain BM25 and the embedding
model alone stand beside; both see the same texts and break ties by age.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.report import arguments, conditions, percent, table, workplace
from benchmarks.retrieval import PlainBM25, PlainVectors
from mnemolog import Memory, MiniLM
from mnemolog.evaluation.labelled import LabelledText

LIMITS = "how people word changes, since all statements come from templates."
_CHANGED = 0.4
_SYLLABLES = [
    "ba",
    "ke",
    "li",
    "mo",
    "nu",
    "ra",
    "se",
    "ti",
    "vo",
    "zan",
    "del",
    "mar",
    "rin",
    "tor",
    "bel",
    "gus",
    "hal",
    "jor",
]
# Wordings of a relation, its cue, and its values.
_RELATIONS: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...] = (
    (
        ("{s} is a citizen of {v}", "{s} holds the citizenship of {v}"),
        "Of which country is {s} a citizen?",
        ("Norway", "Chile", "Kenya", "Japan", "Portugal", "Canada"),
    ),
    (
        ("{s} plays the position of {v}", "{s} plays as {v}"),
        "Which position does {s} play?",
        ("goalkeeper", "left back", "striker", "midfielder", "winger"),
    ),
    (
        ("{s} is affiliated with {v}", "{s} belongs to {v}"),
        "What is {s} affiliated with?",
        ("the Larkin Institute", "Orbis University", "the Delta Council", "Northgate College"),
    ),
    (
        ("{s} works for {v}", "{s} is employed by {v}"),
        "Who does {s} work for?",
        ("Acme", "Globex", "Initech", "Umbrella", "Hooli", "Vandelay"),
    ),
    (
        ("{s} is married to {v}", "The spouse of {s} is {v}"),
        "Who is {s} married to?",
        ("Ana Souza", "Piet Jansen", "Mei Chen", "Omar Haddad", "Lena Vogt"),
    ),
    (
        ("The headquarters of {s} are in {v}", "{s} has its head office in {v}"),
        "Where are the headquarters of {s}?",
        ("Lyon", "Osaka", "Bergen", "Quito", "Durban", "Tampere"),
    ),
    (
        ("The chairperson of {s} is {v}", "{s} is chaired by {v}"),
        "Who is the chairperson of {s}?",
        ("Rosa Lind", "Kofi Mensah", "Ivan Petrov", "Sara Ahmed"),
    ),
    (
        ("{s} is located in {v}", "The location of {s} is {v}"),
        "Where is {s} located?",
        ("Ghent", "Porto", "Kyoto", "Cusco", "Malmö", "Perth"),
    ),
)


class Fact(msgspec.Struct, frozen=True):
    """A fact, the statement that replaces it if it changes, and a question for it."""

    old: str
    new: str | None
    cue: str


class Shares(msgspec.Struct, frozen=True):
    """Shares of changed facts answered with the stale statement first, and of all found first."""

    way: str
    stale_first: float
    new_first: float
    unchanged_first: float


def facts(count: int, seed: int) -> list[Fact]:
    """Facts with distinct subjects, drawn with a seed."""
    chance = random.Random(seed)
    names: set[str] = set()
    while len(names) < count:
        first, last = ("".join(chance.choices(_SYLLABLES, k=k)).title() for k in (2, 3))
        names.add(f"{first} {last}")
    found = []
    for name in sorted(names):
        wordings, cue, values = chance.choice(_RELATIONS)
        old, new = chance.sample(values, 2)
        changed = chance.random() < _CHANGED
        said = [chance.choice(wordings).format(s=name, v=value) for value in (old, new)]
        found.append(Fact(said[0], said[1] if changed else None, cue.format(s=name)))
    return found


def measure(told: Sequence[Fact], work: Path) -> list[Shares]:
    """Shares of stale, new and unchanged facts that come first, by way of searching."""
    olds, news = [one.old for one in told], [one.new for one in told if one.new is not None]
    texts = [*olds, *news]
    with Memory.open(work / "together") as memory:
        memory.remember_many(olds)
        memory.remember_many(news)
        together = _answers(memory, told)
    with Memory.open(work / "singly") as memory:
        for text in texts:
            memory.remember(text)
        singly = _answers(memory, told)
    labelled = [LabelledText(str(place), text) for place, text in enumerate(texts)]
    model = MiniLM()
    vectors, cues = model.embed(texts), model.embed([one.cue for one in told])
    words, meanings = PlainBM25(labelled), PlainVectors(labelled, vectors)
    by_words = [[texts[int(one)] for one in words.ranking(fact.cue)[:1]] for fact in told]
    by_meaning = [[texts[int(one)] for one in meanings.ranking(cue)[:1]] for cue in cues]
    ways = {
        "recall, stored together": together,
        "recall, stored one by one": singly,
        "BM25": by_words,
        "MiniLM": by_meaning,
    }
    return [_shares(way, told, found) for way, found in ways.items()]


def _answers(memory: Memory, told: Sequence[Fact]) -> list[list[str]]:
    return [[hit.content for hit in memory.recall(one.cue, limit=1).hits] for one in told]


def _shares(way: str, told: Sequence[Fact], found: Sequence[Sequence[str]]) -> Shares:
    changed = [(one, hits) for one, hits in zip(told, found, strict=True) if one.new is not None]
    others = [(one, hits) for one, hits in zip(told, found, strict=True) if one.new is None]
    return Shares(
        way=way,
        stale_first=float(np.mean([one.old in hits for one, hits in changed])),
        new_first=float(np.mean([one.new in hits for one, hits in changed])),
        unchanged_first=float(np.mean([one.old in hits for one, hits in others])),
    )


def main() -> None:
    """Measure with facts of a seed."""
    parser = arguments("Measure how often the stale answer comes first.")
    parser.add_argument("--facts", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with workplace(given.work) as work:
        shares = measure(facts(given.facts, given.seed), work)
        measured_on = conditions(work)
    if given.json:
        print(msgspec.json.encode(shares).decode())
        return
    header = ("way", "stale first, %", "new first, %", "unchanged first, %")
    rows = [
        (one.way, *map(percent, (one.stale_first, one.new_first, one.unchanged_first)))
        for one in shares
    ]
    said = "; ".join(f"{name} {value}" for name, value in measured_on.items())
    print(f"### Facts that change\n\nWhat this does not show: {LIMITS}\n\nConditions: {said}.\n")
    print(table(header, rows))


if __name__ == "__main__":
    main()
