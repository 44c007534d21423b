"""A cue that asks what to do is told from one that asks what is so."""

from __future__ import annotations

import pytest

from mnemolog.recall.cues import asks_to_do


@pytest.mark.parametrize(
    "cue",
    [
        "Find a time to talk to Marta",
        "Make a schedule for next week",
        "book a flight",
        "help me choose",
        "Which cake for Sam's birthday?",
        "A meal for Ben please",
        "Breakfast ideas for Dad",
        "What should we have for dinner?",
        "Where do we order screws?",
        "Can I deploy on Friday?",
        "Which dish may Ben eat?",
        "WHAT MAY I EAT?",
        "Who to invite for the quiz?",
        "Is it OK to upgrade now?",
        "Could you set up the break area",
        "What are some quiet places to work in Porto?",
        "Help me identify a good route",
        "We are late.\nOf all, which one should I take",
    ],
)
def test_what_is_to_be_made_chosen_or_arranged_is_asked_for(cue: str) -> None:
    """An order, a wish for someone and a question of what is fit all ask what to do."""
    assert asks_to_do(cue)


@pytest.mark.parametrize(
    "cue",
    [
        "Where does Dana live?",
        "Who covers for Gethin during his leave?",
        "How much did the club charge for the May regatta?",
        "Who plays at the concert in may?",
        "What did Sam say about the server?",
        "Find the note about Dana",
        "What is the status of issue 12?",
        "Where do we keep the keys?",
        "What happened to the merger?",
        "Dana's birthday",
        "What kind of music does Jo listen to?",
    ],
)
def test_what_is_or_was_so_is_no_plan(cue: str) -> None:
    """A look-up brings no constraints along."""
    assert not asks_to_do(cue)
