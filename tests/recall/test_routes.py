"""How a cue is searched: its route, its parts, the period that it names, and reranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mnemolog import InvalidNumber, Memory, NewMemory
from mnemolog.recall.cues import read_cue

if TYPE_CHECKING:
    from conftest import SetClock


def test_an_answer_says_how_it_was_searched(memory: Memory) -> None:
    """Each answer names its strategy and route, and says why in a sentence."""
    memory.remember("Dana is the sister of Priya")
    for cue, route in (
        ("How are Dana and Priya related?", "graph"),
        ("What did Dana say, and when did Priya leave?", "iterative"),
    ):
        answer = memory.recall(cue)
        assert (answer.strategy, answer.route) == ("hybrid", route)
        assert answer.why.endswith(".")
        assert sum(answer.weights.values()) == pytest.approx(1.0)


def test_each_part_of_a_cue_is_answered(memory: Memory) -> None:
    """A cue that asks two things brings what answers either, each memory once."""
    memory.remember_many([f"note {number} on boats in the harbour" for number in range(30)])
    budget = memory.remember("The budget of the orchard is nine thousand").memory_id
    launch = memory.remember("The launch of the lantern is on Sunday").memory_id
    answer = memory.recall("What is the budget of the orchard, and when is the lantern launched?")
    assert len(answer.parts) == 2
    found = [hit.memory_id for hit in answer.hits]
    assert {budget, launch} == set(found[:2])
    assert len(found) == len(set(found))


def test_the_period_that_a_cue_names_comes_first(memory: Memory, clock: SetClock) -> None:
    """Of memories that match alike, those of the period named in the cue lead."""
    for month in ("2025-11-10", "2026-01-10", "2026-02-10"):
        memory.remember(NewMemory("The kettle was mended", valid_from=month))
    for words, month in (("in November", 11), ("in January", 1), ("last month", 2)):
        best = memory.recall(f"which kettle was mended {words}?").hits[0]
        assert best.valid_from is not None
        assert best.valid_from.month == month
        assert best.explanation.scores["dated"] == 1


def test_a_relational_cue_walks_the_graph(memory: Memory) -> None:
    """What an edge leads to is found for a question on relations, though it shares no word."""
    memory.remember_many([f"note {number} on boats" for number in range(20)])
    pump = memory.remember("The pump feeds the orchard").memory_id or ""
    valve = memory.remember("A brass valve, size nine").memory_id or ""
    memory.graph.link(pump, "DEPENDS_ON", valve)
    answer = memory.recall("How is the pump of the orchard connected?", min_relevance=0, limit=30)
    assert answer.route == "graph"
    linked = next(hit for hit in answer.hits if hit.memory_id == valve)
    assert linked.explanation.ranks["graph"] >= 1
    assert linked.explanation.scores["graph"] > 0


def test_a_sure_asker_is_not_searched_for(memory: Memory) -> None:
    """Over 0.9, a simple question is not looked up, and the answer says so; up to it, it is."""
    memory.remember("The kettle is red")
    cue = "What colour is the kettle?"
    assert memory.recall(cue, confidence=0.9).hits
    sure = memory.recall(cue, confidence=0.95)
    assert (sure.route, sure.hits, sure.empty) == ("none", (), True)
    assert sure.message == "Nothing was looked up."
    with pytest.raises(InvalidNumber, match="confidence"):
        memory.recall(cue, confidence=1.5)


def test_support_says_how_well_an_answer_stands(memory: Memory) -> None:
    """A good match is strong support, a poor one weak, none none."""
    memory.remember("The kettle of the house is red and boils fast")
    assert memory.recall("kettle of the house red boils fast").support == "strong"
    assert memory.recall("kettle", min_relevance=0).support in {"strong", "weak"}
    assert memory.recall("quarterly revenue forecast").support == "none"


def test_an_overview_is_given_of_what_each_says_little(memory: Memory) -> None:
    """A cue that asks for all there is on something ends its list later than one for a fact."""
    memory.remember("The kettle was descaled on Sunday by Oscar in the yard")
    wide = "Can you list everything that we discussed about the kettle across our conversations?"
    assert read_cue(wide, 0).sought == "overview"
    relevance = memory.recall(wide, min_relevance=0).hits[0].relevance
    memory.configure({"min_relevance": 2 * relevance})
    assert memory.recall(wide).hits
    assert memory.recall(wide, min_relevance=2 * relevance).empty
