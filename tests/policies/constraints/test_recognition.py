"""Recognition of constraints: what denies a danger states none."""

from __future__ import annotations

import pytest

from mnemolog.policies.constraints import recognition


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("I am not allergic to nuts", True),
        ("Actually I'm not lactose intolerant, the test was negative", True),
        ("Leo doesn't have any allergies", True),
        ("Mum is no longer allergic to penicillin", True),
        ("No known food allergies in our group", True),
        ("I'm not just allergic to nuts but also to eggs", False),
        ("Leo is not allergic to nuts, but has an egg allergy", False),
        ("I'm allergic to penicillin, not amoxicillin", False),
        ("Ada is allergic to nuts and must not eat cake", False),
    ],
)
def test_a_danger_that_is_denied_is_none(text: str, denied: bool) -> None:  # noqa: FBT001 - what holds
    """Who is not allergic is no constraint; who is not only allergic to one thing is."""
    assert recognition.denies_danger(text) is denied
    assert (recognition.constraint_class(text) is None) is denied
