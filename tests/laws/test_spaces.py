"""What changes no answer: memories of another space, and the order in which equals came."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings, strategies as st

from mnemolog import Memory, NewMemory
from tests.homes import open_home

FEW = settings(max_examples=5, deadline=None)
SUBJECTS = ("Dana", "Priya", "the winch", "the deploy key", "the boat")
SAID = ("likes green tea", "is in the harbour", "turns on Mondays", "must not get wet", "is red")
PROMPTS = (
    "What should I bring for Dana on the boat?",
    "When did we say the deploy key turns?",
    "Where is the winch?",
)
facts = st.lists(
    st.builds("{} {}".format, st.sampled_from(SUBJECTS), st.sampled_from(SAID)),
    min_size=3,
    max_size=6,
    unique=True,
)
kinds = st.sampled_from(("semantic", "episodic", "preference", "procedural"))
memories = facts.flatmap(
    lambda texts: st.tuples(*(st.builds(NewMemory, st.just(text), kind=kinds) for text in texts))
)


def said(memory: Memory, prompt: str) -> tuple[object, ...]:
    """What asking, putting a context together and planning come to, apart from when."""
    asked = memory.ask(prompt, layers=("palace", "scratchpad", "procedures"))
    context = memory.context(prompt)
    plan = memory.plan(prompt, options=["Tea on the boat", "The red winch"])
    return (
        asked.layer,
        asked.passages,
        asked.said,
        context.text,
        context.left_out,
        plan.options,
        plan.constraints,
    )


def _remember(memory: Memory, news: tuple[NewMemory, ...]) -> None:
    memory.configure({"contradictions": "off"})
    memory.remember_many(news)


@FEW
@given(memories, memories, st.sampled_from(PROMPTS))
def test_what_another_space_holds_changes_no_answer(
    ours: tuple[NewMemory, ...], theirs: tuple[NewMemory, ...], prompt: str
) -> None:
    """Asking, a context and a plan of one space say the same whatever another one holds."""
    with TemporaryDirectory() as folder, open_home(Path(folder) / "home") as memory:
        _remember(memory, ours)
        before = said(memory, prompt)
        assert said(memory, prompt) == before
        with open_home(memory.home, "another") as other:
            _remember(other, theirs)
        assert said(memory, prompt) == before


@FEW
@given(memories, st.randoms(use_true_random=False), st.sampled_from(PROMPTS))
def test_the_order_of_what_came_at_one_time_decides_between_equals_alone(
    news: tuple[NewMemory, ...], chance: random.Random, prompt: str
) -> None:
    """Memories of one instant, each of a talk of its own, score the same in whatever order."""
    shuffled = chance.sample(news, len(news))
    found = []
    for order in (news, shuffled):
        with TemporaryDirectory() as folder:
            with open_home(Path(folder)) as memory:
                memory.configure({"contradictions": "off"})
            for number, new in enumerate(order):
                with open_home(Path(folder), run=f"talk {number}") as memory:
                    memory.remember(new)
            with open_home(Path(folder), run="asking") as memory:
                found.append(_unordered(memory, prompt, len(news)))
    assert found[0] == found[1]


def _unordered(memory: Memory, prompt: str, limit: int) -> tuple[object, ...]:
    """What is found, best first, equals by their texts; and how the options of a plan fare."""
    recalled = memory.recall(prompt, limit=limit)
    asked = memory.ask(prompt, layers=("palace",), limit=limit)
    plan = memory.plan(prompt, options=["Tea on the boat", "The red winch"])
    return (
        sorted((-hit.relevance, hit.content) for hit in recalled.hits),
        sorted((-hit.relevance, hit.content) for hit in recalled.constraints),
        asked.layer,
        asked.said,
        {one.option: one.standing for one in plan.options},
    )
