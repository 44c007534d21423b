"""A prompt's context from a real home: what goes where, as of when, and how to look further."""

from __future__ import annotations

import pytest

from mnemolog import InvalidField, InvalidNumber, Memory, NewMemory, Turn


@pytest.fixture
def full(memory: Memory) -> Memory:
    """A space with a fact, a preference, a rule, a procedure and something unrelated."""
    memory.remember("The deploy key rotates every Monday")
    memory.remember("Dana prefers a deploy in the morning", kind="preference")
    memory.remember("Never deploy on Friday", immutable=True)
    memory.remember("To deploy run make ship", kind="procedural")
    memory.remember("Ferrets sleep eighteen hours")
    return memory


def shown(memory: Memory, prompt: str, **options: object) -> dict[str, list[str]]:
    """The texts of each section."""
    context = memory.context(prompt, **options)  # type: ignore[arg-type] # as they are given
    return {section.name: [part.text for part in section.parts] for section in context.sections}


def test_every_memory_stands_in_its_section(full: Memory) -> None:
    """Rules with the instructions, preferences, procedures with the task, the rest as memories."""
    found = shown(
        full,
        "deploy",
        instructions="Be brief.",
        task=["Answer.", "Then ask."],
        conversation=[{"role": "user", "content": "hello"}],
    )
    assert found == {
        "instructions": ["Be brief.", "- Never deploy on Friday"],
        "preferences": ["- Dana prefers a deploy in the morning"],
        "task": ["Answer.", "Then ask.", "- To deploy run make ship"],
        "memories": ["- The deploy key rotates every Monday"],
        "conversation": ["user: hello"],
    }


def test_what_was_injected_together_is_named(full: Memory) -> None:
    """By its ids; nothing is written by asking."""
    before = len(list(full.log.events()))
    context = full.context("deploy key")
    ids = {full.get(f"@{position}").memory_id for position in (1, 2, 3, 4)}
    assert set(context.memory_ids) <= ids
    assert full.get("@1").memory_id in context.memory_ids
    assert context.tokens <= context.budget == 8000
    assert len(list(full.log.events())) == before


def test_pinned_memories_come_first(full: Memory) -> None:
    """Even where they do not bear on the prompt, while the pin lasts and they may answer."""
    full.pin("@5")
    assert shown(full, "deploy key")["memories"][0] == "- Ferrets sleep eighteen hours"
    full.withdraw("@5")
    assert "- Ferrets sleep eighteen hours" not in shown(full, "deploy key")["memories"]


def test_a_context_is_of_its_moment(full: Memory) -> None:
    """As of a position it holds what was known then, and the same when asked again later."""
    then = full.as_of(1).context("deploy key")
    assert then.text == "## Memories\n- The deploy key rotates every Monday\n"
    full.supersede("@1", "The deploy key rotates every Sunday")
    assert full.as_of(1).context("deploy key") == then
    assert "Sunday" in full.context("deploy key").text
    assert "Monday" not in full.context("deploy key").text


def test_a_memory_that_holds_nothing_says_so(memory: Memory) -> None:
    """The caller's own texts are there all the same."""
    context = memory.context("deploy key", instructions="Be brief.")
    assert context.message is not None
    assert context.text == "## Instructions\nBe brief.\n"


def test_what_is_pinned_alone_is_no_answer(memory: Memory) -> None:
    """It is in the context, and the context says that nothing bears on the prompt."""
    memory.remember("Ferrets sleep eighteen hours")
    memory.pin("@1")
    context = memory.context("deploy key")
    assert "Ferrets" in context.text
    assert context.message is not None
    assert memory.context("how long do ferrets sleep").message is None


def test_constraints_on_what_is_to_be_done_do_not_crowd_each_other_out(memory: Memory) -> None:
    """One that says more of the prompt's words leaves the others in the context."""
    memory.remember("Priya brings nothing on the boat trip that floats", constraint="time")
    memory.remember(
        "Priya is allergic to all nuts and to the pollen of birches", constraint="safety"
    )
    memory.remember("The boat trip was for Priya")
    prompt = "What should I bring for Priya on the boat trip?"
    brought = {hit.content for hit in memory.recall(prompt).constraints}
    assert len(brought) == 2
    assert set(shown(memory, prompt)["instructions"]) == {f"- {text}" for text in brought}


def test_an_agent_explores_further_in_three_steps(memory: Memory) -> None:
    """Five memories a step that were not shown before, then no more."""
    memory.remember_many([f"Ferret {name} sleeps long and well" for name in "abcdefghijklmnopqrst"])
    context = memory.context("ferret a", budget=60)
    seen = set(context.memory_ids)
    for left in (2, 1, 0):
        step = memory.explore(context, "ferret sleeps")
        ids = {hit.memory_id for hit in step.hits}
        assert len(ids) == 5
        assert not ids & seen
        seen |= ids
        context = step.context
        assert context.steps_left == left
    with pytest.raises(InvalidNumber):
        memory.explore(context, "ferret")


def test_several_spaces_are_asked_only_by_name(full: Memory, memory: Memory) -> None:
    """Nothing crosses spaces unless they are named."""
    assert full.context("deploy key", spaces=["elsewhere"]).memory_ids == ()
    assert full.context("deploy key", spaces=["elsewhere", "default"]).memory_ids != ()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"prompt": " "}, "prompt"),
        ({"prompt": "x", "budget": 0}, "budget"),
        ({"prompt": "x", "conversation": "hello"}, "conversation"),
        ({"prompt": "x", "conversation": [Turn("user", "a"), {"role": "user"}]},
         "conversation[1].content"),
        ({"prompt": "x", "conversation": [7]}, "conversation[0].role"),
        ({"prompt": "x", "task": 7}, "task"),
        ({"prompt": "x", "spaces": [" a"]}, "space"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_bad_input_is_refused_by_field(
    memory: Memory, given: dict[str, object], field: str
) -> None:
    """A typed error names what cannot be used."""
    with pytest.raises(InvalidField) as raised:
        memory.context(**given)  # type: ignore[arg-type] # that is the point
    assert raised.value.field == field


def test_memories_of_one_text_are_injected_once(memory: Memory) -> None:
    """A repetition of what happened at another time is left out, and said so."""
    days = ("2025-01-01", "2025-01-02", "2025-01-03")
    memory.remember_many([NewMemory("The deploy key is red", valid_from=day) for day in days])
    context = memory.context("deploy key")
    assert len(context.memory_ids) == 1
    assert [one.reason for one in context.left_out] == ["repeats", "repeats"]
