"""A prompt's context: never over its budget, nothing cut, and a reason for what is left out."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from mnemolog.indexes.embedder import TokenCounter, WordPieces
from mnemolog.language.analysis import Analyzer
from mnemolog.language.sentences import sentences
from mnemolog.ledger.errors import InvalidNumber
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.recall.context import (
    ELLIPSIS,
    SHARES,
    Candidate,
    SectionName,
    Turn,
    checked_budget,
    compact,
    excerpt,
    important,
)
from mnemolog.recall.filling import Filled, Filling, alike, counting

TERMS = Analyzer().cue
PIECES = WordPieces()
WORDS = ("tea", "port", "ferret", "deploy", "Monday", "key", "Dana", "red", "staging", "v1.2")


class Characters:
    """Every character costs."""

    name = "characters"

    def count(self, text: str) -> int:
        return len(text)


class Whole:
    """A counter that finds more in a whole than in its parts."""

    name = "whole"

    def count(self, text: str) -> int:
        return len(text.split()) + len(text.split()) ** 2 // 20


counters = st.sampled_from([PIECES, Characters(), Whole()])
statements = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(
    lambda words: " ".join(words).capitalize() + "."
)
said = st.lists(statements, min_size=1, max_size=4).map(" ".join)
candidates = st.lists(
    st.tuples(said, st.floats(0, 1), st.floats(0, 1), st.booleans()), max_size=8
).map(
    lambda drawn: [
        Candidate(
            text, MemoryId(f"{place:032x}"), "default", Position(place), relevance, weight, pinned
        )
        for place, (text, relevance, weight, pinned) in enumerate(drawn, 1)
    ]
)
talks = st.lists(st.builds(Turn, st.sampled_from(["user", "assistant"]), said), max_size=12)


def filled(
    budget: int, counter: TokenCounter, given: list[Candidate], own: list[str], talk: list[Turn]
) -> Filled:
    """A context of these: memories by turns in each section, the caller's texts in the task."""
    best = max((one.relevance for one in given), default=0.0)
    filling = Filling("which port?", budget, counting(counter), TERMS, best)
    names: list[SectionName] = ["instructions", "preferences", "task", "memories"]
    for place, name in enumerate(names):
        here = [*map(Candidate, own if name == "task" else ()), *given[place::4]]
        filling.fill(name, here, alike(here, None, TERMS))
    filling.talk(talk)
    return filling.filled()


@given(
    budget=st.integers(1, 200), counter=counters, given=candidates,
    own=st.lists(said, max_size=2), talk=talks,
)  # fmt: skip
def test_a_context_keeps_to_its_budget(
    budget: int, counter: TokenCounter, given: list[Candidate], own: list[str], talk: list[Turn]
) -> None:
    """By the counter in use; every text is in it or left out with a reason, and it repeats."""
    found = filled(budget, counter, given, own, talk)
    assert counter.count(found.text) == found.tokens <= budget
    assert found == filled(budget, counter, given, own, talk)
    parts = [part for section in found.sections for part in section.parts]
    kept = {part.memory_id for part in parts}
    missed = {one.memory_id for one in found.left_out}
    assert {one.memory_id for one in given} <= kept | missed
    assert set(range(len(talk))) <= {part.turn for part in parts} | {
        one.turn for one in found.left_out
    }
    assert {p.memory_id for p in parts if not p.whole and p.memory_id} <= missed
    assert [section.name for section in found.sections] == list(SHARES)


@given(
    budget=st.integers(1, 200), counter=counters, given=candidates,
    own=st.lists(said, max_size=2), talk=talks,
)  # fmt: skip
def test_nothing_is_cut_in_mid_sentence(
    budget: int, counter: TokenCounter, given: list[Candidate], own: list[str], talk: list[Turn]
) -> None:
    """What stands in a context is made of whole sentences of one text, in its order."""
    texts = [*own, *(one.text for one in given), *(turn.content for turn in talk)]
    known = [[text[start:end] for start, end in sentences(text)] for text in texts]
    for section in filled(budget, counter, given, own, talk).sections:
        for part in section.parts:
            text = re.sub(r"^(- |user: |assistant: )", "", part.text)
            pieces = [piece.strip() for piece in text.split(ELLIPSIS) if piece.strip()]
            shown = [p[a:b] for p in pieces for a, b in sentences(p)]
            assert any(_in_order(shown, each) for each in known), part.text
            assert part.whole == (ELLIPSIS not in text)


def _in_order(shown: list[str], text: list[str]) -> bool:
    rest = iter(text)
    return all(sentence in rest for sentence in shown)


@given(talk=talks, room=st.integers(0, 120), counter=st.sampled_from([PIECES, Characters()]))
def test_a_conversation_keeps_its_ends(talk: list[Turn], room: int, counter: TokenCounter) -> None:
    """First and last three turns are whole if they fit at all; all is in order and in the room."""
    kept, tokens = compact(talk, room, counter.count, TERMS)
    assert [*kept] == sorted(kept) == [turn.turn for turn in kept.values()]
    assert tokens <= room or not kept
    filling = Filling("", room, counter.count, TERMS)
    filling.talk(talk)
    found = filling.filled()
    shown = {part.turn for section in found.sections for part in section.parts}
    assert shown | {one.turn for one in found.left_out} == {*range(len(talk))}
    ends = sorted({0, *range(max(0, len(talk) - 3), len(talk))}) if talk else []
    gap = counter.count(f"{ELLIPSIS}\n") * (len(talk) > 4)
    if sum(counter.count(f"{talk[n].role}: {talk[n].content}\n") for n in ends) + gap <= room:
        assert set(ends) <= {number for number, turn in kept.items() if turn.whole}


def test_the_most_important_turns_between_are_kept() -> None:
    """Corrections, decisions, goals, errors and what is referred to later, before small talk."""
    middle = [
        "Nice weather again today, my friend.",
        "Actually the port was wrong before.",
        "Lovely, is it not, out there.",
        "We decided on Postgres for storage.",
        "My dog likes long walks.",
        "The goal is a release in May.",
        "Some music would be fine.",
        "The build failed with an exception.",
        "Quiet evening here.",
        "Ticket ABC-99 has the whole story.",
        "Good to hear.",
        "As ABC-99 says.",
        "Fine.",
    ]
    talk = [Turn("user", text) for text in ["Hello.", *middle, "One.", "Two.", "Three."]]
    marks = important(talk, TERMS)
    assert [marks[place] for place in (2, 4, 6, 8, 10)] == [
        ("correction",), ("decision",), ("goal",), ("error",), ("referred",),
    ]  # fmt: skip
    wanted = [0, 2, 4, 6, 8, 10, 14, 15, 16]
    room = sum(PIECES.count(f"user: {talk[number].content}\n") for number in wanted) + 6
    assert [*compact(talk, room, PIECES.count, TERMS)[0]] == wanted


@given(text=st.text(), room=st.integers(0, 30))
def test_an_excerpt_fits_whatever_the_text(text: str, room: int) -> None:
    """In any text, sentences lie apart and in order, and an excerpt takes no more than its room."""
    spans = sentences(text)
    assert all(a < b <= c for (a, b), (c, _) in pairwise(spans))
    part = excerpt(text, room, len, lambda _: 0.0)
    assert part is None or len(part) <= room


def test_one_topic_does_not_fill_a_section() -> None:
    """What repeats is refused, and one topic takes at most half of the room, others the rest."""
    near = [f"The staging port of service {name} is red" for name in "bcdefghijklmn"]
    texts = [*near, near[0] + "!", "Ferrets sleep long", "Dana likes tea"]
    given = [
        Candidate(text, MemoryId(f"{place:032x}"), "s", Position(place), 1.0 - place / 100, 0.5)
        for place, text in enumerate(texts)
    ]
    likeness = np.full((len(texts), len(texts)), 0.1)
    likeness[:13, :13] = 0.8
    likeness[0, 13] = likeness[13, 0] = 1.0
    filling = Filling("port", 300, counting(PIECES), TERMS)
    filling.fill("memories", given, likeness)
    found = filling.filled()
    (section,) = found.sections
    shown = [part.text for part in section.parts]
    assert {"- Ferrets sleep long", "- Dana likes tea"} <= set(shown)
    taken = sum(part.tokens for part in section.parts if "staging" in part.text)
    assert taken <= section.room / 2
    reasons = {one.text: one.reason for one in found.left_out}
    assert reasons[texts[13]] == "repeats"
    assert "topic is full" in reasons.values()


def test_what_names_other_numbers_is_no_repetition() -> None:
    """Statements with other years or prices are all in, however alike they are embedded."""
    rents = {2023: "1,150", 2024: "1,210", 2025: "1,250"}
    texts = [f"In {year} we paid {euros} euros of rent" for year, euros in rents.items()]
    texts.append("In 2025 we paid 1,250 euros of rent!")
    given = [
        Candidate(text, MemoryId(f"{place:032x}"), "s", Position(place), 0.9)
        for place, text in enumerate(texts)
    ]
    vectors = np.ones((len(texts), 1), np.float32)
    filling = Filling("rent", 1_000, counting(PIECES), TERMS)
    filling.fill("memories", given, alike(given, vectors, TERMS))
    found = filling.filled()
    (section,) = found.sections
    assert sorted(part.text for part in section.parts) == [f"- {text}" for text in texts[:3]]
    assert [(one.text, one.reason) for one in found.left_out] == [(texts[3], "repeats")]


def test_what_falls_away_is_left_out() -> None:
    """Far below the best of its section or of all, unless it is pinned or binds the prompt."""
    given = [
        Candidate("Tea is hot.", MemoryId("1" * 32), relevance=0.8),
        Candidate("Ferrets sleep.", MemoryId("2" * 32), relevance=0.1),
        Candidate("Dana is a cook.", MemoryId("3" * 32), relevance=0.0, pinned=True),
        Candidate("No nuts.", MemoryId("4" * 32), relevance=0.05, binding=True),
    ]
    filling = Filling("tea", 1_000, counting(PIECES), TERMS)
    filling.fill("memories", given, alike(given, None, TERMS))
    found = filling.filled()
    shown = [part.text for part in found.sections[0].parts]
    assert shown == ["- Dana is a cook.", "- Tea is hot.", "- No nuts."]
    assert [one.reason for one in found.left_out] == ["falls away"]


def test_tokens_are_counted_to_the_end() -> None:
    """The built-in counter does not stop at the model's 256, nor at words without an end."""
    assert PIECES.count("") == 0
    assert PIECES.count("tea " * 1_000) == 1_000
    assert PIECES.count("x" * 4_000) >= 1_000
    assert PIECES.count("a b") == 2
    assert PIECES.count("tea, tea\nTEA") == 4


def test_budgets_and_counts_are_numbers() -> None:
    """What is no whole number of tokens is refused."""
    for bad in (0, -1, 1.5, True, None):
        with pytest.raises(InvalidNumber):
            checked_budget(bad)  # type: ignore[arg-type] # that is the point

    class Negative(Characters):
        def count(self, text: str) -> int:
            return -1

    with pytest.raises(InvalidNumber):
        counting(Negative())("tea")
