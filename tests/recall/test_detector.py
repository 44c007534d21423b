"""Whether a prompt asks for something remembered, and which layers are worth asking."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from prompts import OTHER, RECALL, lines

from mnemolog.recall.detector import Layer, detect

LEAST_FOUND = 0.9
MOST_MISTAKEN = 0.1


@pytest.mark.parametrize("kind", RECALL)
def test_finds_nine_of_ten_prompts_that_ask_for_something_remembered(kind):
    """Of every kind of prompt that asks for something remembered, nine in ten are found."""
    prompts = lines(RECALL[kind])
    missed = [prompt for prompt in prompts if not detect(prompt).recall]
    assert len(missed) <= (1 - LEAST_FOUND) * len(prompts), missed


@pytest.mark.parametrize("kind", OTHER)
def test_takes_at_most_one_in_ten_others_for_recall(kind):
    """Of every other kind of prompt, one in ten at most is taken for recall."""
    prompts = lines(OTHER[kind])
    mistaken = [prompt for prompt in prompts if detect(prompt).recall]
    assert len(mistaken) <= MOST_MISTAKEN * len(prompts), mistaken


def test_a_known_name_makes_a_prompt_recall():
    """What is asked about a name that the memory knows is recall, though it looks like a fact."""
    for prompt in ("which ports are open on zephyrine", "Is Blue Heron older than Grey Goose?"):
        assert not detect(prompt).recall
        assert detect(prompt, known={"zephyrine", "blue heron"}).recall


def test_a_known_name_that_is_also_a_word_needs_its_capital():
    """A colleague called Will is not meant by every 'will'."""
    prompt = "what will happen to the price of copper?"
    assert detect(prompt, known={"will"}) == detect(prompt)
    assert detect("What did Will choose?", known={"will"}).recall


def test_a_known_name_does_not_turn_a_task_into_recall():
    """A task stays one when it names what the memory knows."""
    assert not detect("Write a poem about Zephyrine.", known={"zephyrine"}).recall


@pytest.mark.parametrize(
    ("prompt", "layers"),
    [
        ("What is the name of my hamster?", ("palace", "scratchpad")),
        ("When did Brigitte move last year?", ("palace",)),
        ("What was the outcome of PR 317?", ("palace", "scratchpad", "artifacts")),
        (
            "How do we deploy the staging server?",
            ("palace", "scratchpad", "artifacts", "procedures"),
        ),
    ],
)
def test_layers_are_left_out_where_nothing_speaks_for_them(prompt, layers):
    """A question of private life needs no artifacts, one of last year no scratchpad."""
    assert detect(prompt).layers == layers


def test_reasons_name_the_signs_the_heaviest_first():
    """Every sign is told with its weight, and their order is by how much they weigh."""
    reasons = detect("What did we decide about the cache in PR 317?").reasons
    weights = [abs(float(reason.split()[0])) for reason in reasons]
    assert weights == sorted(weights, reverse=True)
    assert reasons[0] == "+5 earlier talk: did we decide"


def test_what_stands_in_quotes_says_nothing_about_the_prompt():
    """A title in quotes is not the asker's own words."""
    assert not detect('Who sang "My Heart Will Go On" first?').recall


def test_what_a_long_prompt_asks_is_found_at_its_end():
    """However much comes before it, the question at the end decides."""
    news = "The build ran and the report was written. " * 400
    assert detect(f"{news}What did I say about the report last week?").recall


@pytest.mark.parametrize("prompt", ["", "   ", "?", "\n\n", "hello", "12345"])
def test_a_prompt_that_says_nothing_is_not_recall(prompt):
    """Nothing asked is nothing to look up."""
    assert not detect(prompt).recall
    assert detect(prompt).layers == ()


@given(st.text(max_size=300))
def test_any_text_gets_an_answer_that_agrees_with_itself(prompt):
    """Any text has one answer: sure to a degree in [0, 1], with layers only for recall."""
    detection = detect(prompt)
    assert detection == detect(prompt)
    assert 0 <= detection.confidence <= 1
    assert detection.recall == (detection.confidence > 0.5)
    assert bool(detection.layers) == detection.recall
    order = [get_args(Layer).index(layer) for layer in detection.layers]
    assert order == sorted(set(order))
