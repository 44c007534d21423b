"""Contradictions in the wordings of a user's memory, and lists of facts that none of them eats."""

from __future__ import annotations

import pytest

from mnemolog.policies.contradictions.judge import Statement
from mnemolog.policies.contradictions.rules import RuleJudge


def found(new: str, old: str, *, days: int = 0) -> str | None:
    """The type of the contradiction between two memories told some days apart."""
    said = 1_700_000_000_000_000
    later = said + days * 86_400_000_000
    verdict = RuleJudge().judge(Statement(new, said_at=later), Statement(old, said_at=said))
    return None if verdict is None else verdict.type


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Always use tabs for indentation", "Never use tabs for indentation"),
        ("Use tabs", "Use spaces"),
        ("Don't call me before 9am", "Call me before 9am"),
        ("Limit lines to 80 characters", "Limit lines to 120 characters"),
        ("Always reply in English", "Always reply in German"),
        ("Set the log level to debug", "Set the log level to warning"),
        ("Always ask before deleting files", "Never ask before deleting files"),
        ("Port: 8080", "Port: 9090"),
        ("max_connections = 100", "max_connections = 250"),
        ("Dana is a vegan", "Dana eats cheese every day"),
        ("Tom has no pets", "Tom has a dog"),
        ("Tom has no siblings", "Tom has two brothers"),
        ("Bob works at Acme", "Bob left Acme"),
        ("The API is free", "The API costs $5 per month"),
        ("Ken has never been to Italy", "Ken went to Italy last year"),
        ("The endpoint requires a login", "The endpoint requires no login"),
        ("All users have admin rights", "No users have admin rights"),
        ("The car is red", "The car is blue"),
        ("Ticket 77 is in progress", "Ticket 77 is done"),
        ("Jack passed the exam", "Jack failed the exam"),
        ("The results are significant", "The results are insignificant"),
        ("The keys are in the drawer", "The keys are in the car"),
        ("I quit smoking", "I smoke every day"),
    ],
)
def test_a_users_wordings_are_read(old: str, new: str) -> None:
    """Orders, settings, kinds, experiences and states contradict each other, either way round."""
    assert found(new, old) is not None
    assert found(old, new) is not None


@pytest.mark.parametrize(
    "facts",
    [
        [f"The bakery sells bread number {n}" for n in range(4)],
        [f"Note {n} on boats" for n in range(4)],
        [f"The team shipped version {n}.0" for n in range(1, 4)],
        [f"Anna is on step {n}" for n in range(1, 4)],
        [f"Max is assigned to task {n}" for n in range(1, 4)],
        ["Team 3 is led by Anna", "Team 4 is led by Ben", "Anna leads team 5", "Ben leads team 6"],
        ["Max approved PR 101", "Max rejected PR 102"],
        ["The firewall allows port 22", "The firewall allows port 443"],
        ["Order 12 has been shipped", "Order 13 has been cancelled"],
        ["Lunch cost $12", "Lunch cost $9"],
        ["I read 20 pages", "I read 35 pages"],
        ["Weight: 70 kg", "Weight: 71 kg", "Lunch: pasta", "Lunch: soup"],
        ["Name: Anna", "Name: Ben", "City: Rome", "City: Oslo", "Todo: call Ann", "Todo: run"],
        ["The 2022 conference was in Paris", "The 2023 conference was in Rome"],
        ["The cafe is in Utrecht", "The cafe is on Main Street", "The cafe is near the river",
         "The cafe is at 12 Main Street", "The cafe is on the square", "The cafe is small"],
        ["Maya drives a Volvo", "Maya's car is red", "Maya's car is parked on level 2"],
        ["The project runs on Kubernetes", "The project runs on Linux"],
        ["Use tabs in Makefiles", "Use spaces in Python", "Use pytest for tests", "Use ruff"],
        ["The team meets on Monday", "The team also meets on Thursday"],
        ["Bob left Berlin on Monday", "Bob lives in Berlin", "Bob works at Acme"],
        ["Dana doesn't eat meat", "Dana eats fish", "Dana eats a vegan burger", "Dana likes dogs"],
        ["Paula isn't tall", "Paula isn't short"],
        ["Omar did not finish the book", "Omar finished the report", "Omar read the book"],
        ["The file size limit is 1 GB", "The file size limit is 1024 MB"],
        ["Order 1 contains shoes", "Test 3 passed", "Log files are old", "Order 2 contains socks"],
    ],
)  # fmt: skip
def test_a_list_of_facts_is_left_whole(facts: list[str]) -> None:
    """Numbered things, entries of a log and facts about one subject take nobody's place."""
    for new in facts:
        for old in facts:
            assert found(new, old) is None, (old, new)


def test_this_week_is_another_one_a_week_later() -> None:
    """Two whereabouts this week contradict each other only if they were told in one week."""
    berlin, tokyo = "Nina is in Berlin this week", "Nina is in Tokyo this week"
    assert found(tokyo, berlin) == "temporal"
    assert found(tokyo, berlin, days=7) is None
    assert found("Nina is in Tokyo next week", berlin) is None
