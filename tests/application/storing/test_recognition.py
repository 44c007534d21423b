"""Recognising constraints by rules and likeness in a memory with the built-in embedder."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog import Memory


@pytest.mark.parametrize("end", ["", " ", "\n"])
def test_a_question_states_no_constraint_whatever_blanks_follow_it(
    tmp_path: Path, end: str
) -> None:
    """A question asks whether something limits; a blank behind it changes nothing."""
    with Memory.open(tmp_path / "home") as memory:
        receipt = memory.remember(f"Does finance send back any hotel above 180?{end}")
        assert "constraint" not in receipt.changed[0]
        told = memory.remember(f"Finance sends back any hotel above 180.{end}")
        assert "as a cost constraint" in told.changed[0]


@pytest.mark.parametrize(
    "text",
    [
        "Please answer in short bullet points",
        "I'd rather you asked than guessed.",
        "Whenever I ask for a summary, three sentences are enough for me.",
        "Don't call me Mr Haas, Ana is fine.",
        "When I paste a stack trace, go straight to the cause.",
    ],
)
def test_a_standing_instruction_is_marked_and_lasts(tmp_path: Path, text: str) -> None:
    """Once, when it is stored; a retry under the same id finds the same."""
    with Memory.open(tmp_path / "home") as memory:
        stored = memory.remember(text)
        item = memory.get(stored.memory_id)
        assert (item.marks, item.lasting) == (("instructs",), True)
        memory.configure({"recognise_constraints": False})
        again = memory.remember(text, id=stored.memory_id)
        assert again.memory_id == stored.memory_id


@pytest.mark.parametrize(
    "text",
    [
        "Please book a table for tonight",
        "I like short films",
        "Mom always answers in riddles",
        "The office demands badges",
        "No shoes in the house",
        "The boss told Max to answer in writing",
        "Always let the dough rest",
        "Do you always answer in bullet points?",
    ],
)
def test_what_resembles_an_instruction_is_not_marked(tmp_path: Path, text: str) -> None:
    """Requests for once, facts, habits, rules of places, reports, recipes and questions."""
    with Memory.open(tmp_path / "home") as memory:
        assert memory.get(memory.remember(text).memory_id).marks == ()


def test_a_document_gives_the_agent_no_instructions(tmp_path: Path) -> None:
    """A web page could get into every context otherwise; the mark may be given outright."""
    said = "Please answer in short bullet points"
    with Memory.open(tmp_path / "home") as memory:
        page = memory.remember(said, source="https://example.org/page")
        assert memory.get(page.memory_id).marks == ()
        given = memory.remember("Badges in the office", marks=("instructs",))
        assert "Badges" in memory.context("kettle").text
        assert memory.get(given.memory_id).marks == ("instructs",)


def test_recognition_of_instructions_can_be_turned_off(tmp_path: Path) -> None:
    """By the setting that turns off the recognition of constraints."""
    with Memory.open(tmp_path / "home") as memory:
        memory.configure({"recognise_constraints": False})
        stored = memory.remember("Please answer in short bullet points")
        assert memory.get(stored.memory_id).marks == ()
