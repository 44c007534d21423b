"""Which strategy resolves a contradiction, and what it comes to."""

from __future__ import annotations

import pytest

from mnemolog.policies.contradictions.judge import (
    Choice,
    Contradiction,
    Statement,
    choose_resolution,
)
from mnemolog.policies.contradictions.rules import RuleJudge


def contradiction(**fields) -> Contradiction:
    plain = {
        "type": "direct",
        "severity": "major",
        "attribute": "home",
        "time_sensitive": False,
        "condition": None,
        "reason": "They disagree.",
    }
    return Contradiction(**(plain | fields))


def resolved(old: Statement, new: Statement) -> Choice:
    verdict = RuleJudge().judge(new, old)
    assert verdict is not None
    return choose_resolution(verdict, new, old)


NEW = Statement("Dana lives in Bergen.", said_at=2)
OLD = Statement("Dana lives in Oslo.", said_at=1)


@pytest.mark.parametrize(
    ("found", "confidences", "resolution", "outcome"),
    [
        ({"severity": "minor"}, (0.1, 0.9), "recency", "superseded"),
        ({"type": "value", "time_sensitive": True}, (0.5, 0.9), "recency", "superseded"),
        ({"type": "value"}, (0.9, 0.5), "authority", "superseded"),
        ({"type": "value"}, (0.5, 0.9), "authority", "contested"),
        ({"type": "value", "condition": "at work"}, (0.9, 0.9), "conditional", "both"),
        ({"type": "granularity", "condition": "x"}, (0.9, 0.2), "conditional", "both"),
        ({}, (0.9, 0.5), "authority", "superseded"),
        ({}, (0.5, 0.9), "authority", "contested"),
        ({}, (0.9, 0.6), "escalate", "pending"),
        ({}, (0.9, 0.9), "escalate", "pending"),
        ({"condition": "at work"}, (0.9, 0.9), "conditional", "both"),
        ({"type": "temporal"}, (0.9, 0.9), "escalate", "pending"),
    ],
)
def test_the_strategy_follows_severity_type_and_confidence(found, confidences, resolution, outcome):
    """Minor: recency; values: recency or authority; major: authority if clear, else escalate."""
    new = Statement("Dana lives in Bergen.", confidence=confidences[0], said_at=2)
    old = Statement("Dana lives in Oslo.", confidence=confidences[1], said_at=1)
    choice = choose_resolution(contradiction(**found), new, old)
    assert (choice.resolution, choice.outcome) == (resolution, outcome)
    assert choice.reason.endswith(".")


@pytest.mark.parametrize(
    ("new", "old", "outcome"),
    [
        ({"source_type": "user_stated"}, {"source_type": "external"}, "superseded"),
        ({"source_type": "external"}, {"source_type": "user_stated"}, "contested"),
        ({"source": "user:a", "said_at": 2}, {"source": "user:a", "said_at": 1}, "superseded"),
        ({"source": "user:a", "said_at": 1}, {"source": "user:a", "said_at": 2}, "contested"),
        ({"source": "user:a"}, {"source": "user:b"}, "contested"),
    ],
)
def test_at_equal_confidence_the_user_wins_then_the_newer_of_one_source(new, old, outcome):
    """Authority: a user's own statement beats others', and a source its earlier self."""
    choice = choose_resolution(
        contradiction(type="value"), Statement("A.", **new), Statement("B.", **old)
    )
    assert (choice.resolution, choice.outcome) == ("authority", outcome)


def test_hearing_of_an_earlier_time_leaves_the_newer_memory_standing():
    """By recency an older state that is heard again is stored as superseded."""
    choice = choose_resolution(contradiction(severity="minor"), OLD, NEW)
    assert (choice.resolution, choice.outcome) == ("recency", "outdated")


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo and my sister lives in Rome.",
        "I live in Oslo. My dog is called Rex.",
        "I live in Oslo with my wife; we have two kids.",
        "Oslo, " * 30,
    ],
)
def test_no_memory_is_retired_that_says_more_than_the_point(text):
    """An old memory with more in it than what is disputed is kept, and the new one contested."""
    for found in ({"severity": "minor"}, {"type": "value", "time_sensitive": True}):
        assert (
            choose_resolution(contradiction(**found), NEW, Statement(text)).outcome == "contested"
        )
        late = Statement(text, said_at=0)
        assert choose_resolution(contradiction(**found), late, OLD).outcome == "contested"
    sure = Statement("Dana lives in Bergen.", confidence=1.0)
    assert choose_resolution(contradiction(), sure, Statement(text, confidence=0.5)).outcome == (
        "contested"
    )


@pytest.mark.parametrize(
    ("old", "new", "resolution", "outcome"),
    [
        ("Dana lives in Oslo.", "Dana lives in Bergen.", "recency", "superseded"),
        ("I like cilantro.", "I do not like cilantro.", "recency", "superseded"),
        ("Dana lives in France.", "Dana lives in Paris.", "recency", "superseded"),
        ("Dana lives in Paris.", "Dana lives in France.", "conditional", "both"),
        ("Dana was born in 1984.", "Dana was born in 1986.", "authority", "superseded"),
        ("The limit is 5 MB.", "The limit is 9 MB in production.", "conditional", "both"),
        ("Dana lived in Oslo in 2019.", "Dana lived in Rome in 2019.", "escalate", "pending"),
        ("I am allergic to nuts.", "I am not allergic to nuts.", "escalate", "pending"),
    ],
)
def test_one_user_who_says_both_is_resolved_as_expected(old, new, resolution, outcome):
    """The judge and the choice together, in the plain case of one user."""
    choice = resolved(Statement(old, said_at=1), Statement(new, said_at=2))
    assert (choice.resolution, choice.outcome) == (resolution, outcome)


def test_two_sources_that_deny_each_other_are_escalated():
    """Opposite assertions about a person from two sources are nobody's to settle."""
    old = Statement("Dana likes olives.", source="user:ana", said_at=1)
    new = Statement("Dana does not like olives.", source="user:bea", said_at=2)
    assert resolved(old, new).outcome == "pending"
