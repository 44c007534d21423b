"""What no answer may lack: safety near what is asked, and the user's standing instructions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from mnemolog import Memory, MiniLM, NewMemory

ALLERGIES = (
    "Dana is allergic to peanuts",
    "Dana must not eat shellfish, her throat swells up",
)
PLAN = "Suggest a dinner menu for Dana"
OTHERS = (
    ("cost", "Dana's dinner menu must stay below 30 euros a head"),
    ("policy", "A dinner menu for Dana has to be approved by Max"),
    ("time", "Dana's dinner has to be on the table by seven"),
    ("preference", "Dana wants the dinner menu to have three courses"),
    ("policy", "Every dinner menu for Dana comes with a printed card"),
    ("cost", "Wine for Dana's dinner may cost at most 12 euros"),
    ("preference", "Dana never eats dinner without soup on the menu"),
    ("compatibility", "Dishes of Dana's dinner menu must fit the small oven"),
)
INSTRUCTIONS = (
    "Please answer in short bullet points",
    "Don't call me Mr Haas, Ana is fine.",
    "Diffs, not whole files, are how I want you to show me changes.",
    "When I paste a stack trace, go straight to the cause.",
)


def _crowded(memory: Memory, often: int = 1) -> None:
    """Store two allergies among many nearer constraints of other classes."""
    memory.remember_many([NewMemory(text, constraint="safety") for text in ALLERGIES])
    memory.remember_many([
        NewMemory(f"{text}, as of week {week}", constraint=kind)
        for week in range(often)
        for kind, text in OTHERS
    ])  # fmt: skip


@pytest.mark.parametrize("often", [1, 15])
def test_no_other_class_displaces_safety_in_a_recall(real: Memory, often: int) -> None:
    """However many constraints of other classes are nearer, also more than are ever read."""
    _crowded(real, often)
    found = [hit.content for hit in real.recall(PLAN).constraints]
    assert set(ALLERGIES) <= set(found)
    assert len(found) <= 10


@settings(max_examples=10, deadline=None)
@given(others=st.sets(st.sampled_from(OTHERS)))
def test_safety_is_found_as_if_there_were_nothing_else(
    tmp_path_factory: pytest.TempPathFactory,
    embedder: MiniLM,
    others: set[tuple[str, str]],
) -> None:
    """Constraints of other classes take nothing of class safety out of an answer."""
    dangers = (*ALLERGIES, "Bleach and ammonia must never be mixed", "The ladder is not safe")
    found = []
    for beside in (set[tuple[str, str]](), others):
        home = tmp_path_factory.mktemp("home")
        with Memory.open(home, actor="user:tester", embedder=embedder) as memory:
            memory.remember_many([NewMemory(one, constraint="safety") for one in dangers])
            memory.remember_many([NewMemory(one, constraint=kind) for kind, one in sorted(beside)])
            hits = memory.recall("Suggest a dinner menu with shellfish").constraints
            found.append([hit.content for hit in hits if hit.content in dangers])
    assert found[0] == found[1]


@pytest.mark.parametrize("limit", [2, 3, 20])
def test_no_other_class_displaces_safety_in_a_plan(real: Memory, limit: int) -> None:
    """Under a small limit safety is considered first, and blames what it rules out."""
    _crowded(real, often=3)
    plan = real.plan(PLAN, ["Peanut soup", "Leek soup"], limit=limit)
    assert set(ALLERGIES) <= {hit.content for hit in plan.constraints}
    assert len(plan.constraints) <= limit
    assert [one.constraint_class for one in plan.options[-1].violations] == ["safety"]


@pytest.mark.parametrize("budget", [60, 120, 400, 8000])
@pytest.mark.parametrize("prompt", [PLAN, "Which allergies does Dana have, and what dinner menu?"])
def test_no_other_class_displaces_safety_in_a_context(
    real: Memory, budget: int, prompt: str
) -> None:
    """Tight budgets, rules, pins, and instructions to the agent leave safety where it is."""
    _crowded(real)
    real.remember("Menus are printed on white paper", immutable=True)
    for text in INSTRUCTIONS:
        real.pin(real.remember(text).memory_id)
    context = real.context(prompt, budget=budget)
    assert context.tokens <= budget
    for text in ALLERGIES:
        assert f"- {text}\n" in context.text


def test_standing_instructions_are_in_every_context(real: Memory) -> None:
    """Whatever the prompt is about, the newest first, with more than the share of the section."""
    for text in INSTRUCTIONS:
        real.remember(text)
    real.remember("The kettle is blue")
    for prompt in ("What colour is the kettle?", "quantum chromodynamics"):
        context = real.context(prompt, budget=110)
        parts = [part.text for part in context.sections[0]]
        assert parts == [f"- {text}" for text in reversed(INSTRUCTIONS)]
        assert context.sections[0].tokens <= context.sections[0].room
        assert context.tokens <= 110


def test_instructions_over_the_whole_budget_are_the_newest_and_the_rest_is_told(
    real: Memory,
) -> None:
    """What does not fit is in the list of what was left out."""
    for text in INSTRUCTIONS:
        real.remember(text)
    context = real.context("What colour is the kettle?", budget=40)
    assert context.tokens <= 40
    kept = [part.text for part in context.parts]
    assert kept[0] == f"- {INSTRUCTIONS[-1]}"
    left = {one.text for one in context.left_out if one.reason == "no room"}
    assert left == {text for text in INSTRUCTIONS if f"- {text}" not in kept}
    assert left


def test_an_instruction_that_is_withdrawn_or_replaced_is_gone(real: Memory) -> None:
    """As of an earlier moment it is still there."""
    first = real.remember(INSTRUCTIONS[0])
    real.supersede(first.memory_id, "Please answer in full sentences, always")
    text = real.context("kettle").text
    assert INSTRUCTIONS[0] not in text
    assert "full sentences" in text
    real.withdraw("@2")
    assert "full sentences" not in real.context("kettle").text
    assert INSTRUCTIONS[0] in real.as_of(1).context("kettle").text


def test_advice_brings_instructions_near_by_meaning(real: Memory) -> None:
    """In a section of their own, whatever the floor; a plain question brings none."""
    wanted = "For holiday ideas, think of the mountains first."
    real.remember(wanted)
    real.remember("Flashcards you make for me hold one fact a card.")
    found = real.recall("Can you recommend somewhere to travel this summer?", min_relevance=1)
    named = (*found.instructions, *found.constraints)
    assert wanted in [hit.content for hit in named]
    assert all("Flashcards" not in hit.content for hit in named)
    assert not real.recall("Where did Dana go last summer?").instructions
