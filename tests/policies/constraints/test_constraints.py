"""What limits something is recognised, everyday talk is not, and what it limits is read."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mnemolog.policies.constraints.constraint import read_constraint
from mnemolog.policies.constraints.recognition import constraint_class


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dana is allergic to peanuts", "safety"),
        ("Sam has a severe nut allergy", "safety"),
        ("Grandma must not take ibuprofen", "safety"),
        ("Never commit API keys to the repository", "safety"),
        ("Lilies are toxic to cats", "safety"),
        ("The laptop budget is 500 dollars", "cost"),
        ("Spend no more than 40 euros on gifts", "cost"),
        ("The plugin requires Python 3.11", "compatibility"),
        ("The dock only works with USB-C", "compatibility"),
        ("This build is incompatible with Windows 7", "compatibility"),
        ("The report must be submitted no later than 3 June", "time"),
        ("The deadline is 30 September", "time"),
        ("Never deploy on Fridays", "policy"),
        ("Smoking is not allowed in the flat", "policy"),
        ("Avoid aisle seats", "policy"),
        ("Dana is vegan", "preference"),
        ("I don't eat red meat", "preference"),
    ],
)
def test_constraints_are_recognised_by_class(text: str, expected: str) -> None:
    """Allergies, ceilings, requirements, deadlines, rules and diets have a class each."""
    assert constraint_class(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I must say that was lovely",
        "You must be tired after the trip",
        "It must have been a great party!",
        "I can't wait to see you",
        "Never mind, I found it",
        "Don't worry about it",
        "Only with friends can I relax",
        "I never knew you could paint",
        "It requires a lot of patience",
        "No problem, see you tomorrow",
        "Don't give up on your dreams",
        "I spent under $50 on the jacket",
        "Is Dana allergic to anything?",
        "The vegan restaurant was great",
        "We had no more than an hour there",
        "Dana prefers green tea",
    ],
)
def test_everyday_talk_limits_nothing(text: str) -> None:
    """Words of limits that limit nothing make no constraint."""
    assert constraint_class(text) is None


def test_a_long_story_is_no_constraint() -> None:
    """Who talks at length states no constraint by the way."""
    assert constraint_class("Dana is allergic to peanuts. " + "We walked on. " * 60) is None


@given(st.text(max_size=300))
def test_any_text_can_be_looked_at(text: str) -> None:
    """Whatever a text holds, it is a constraint of a class or none, and it can be read."""
    constraint_class(text)
    read_constraint(text)


def test_what_a_constraint_says_is_read() -> None:
    """Its people, what it rules out, asks for and bounds come out apart."""
    dairy = read_constraint("Sam can't eat gluten or dairy")
    assert dairy is not None
    assert dairy.about == ("sam",)
    assert {one.thing for one in dairy.exclusions} == {"gluten", "dairy"}
    friday = read_constraint("Never deploy on Fridays")
    assert friday is not None
    assert [(one.thing, one.context) for one in friday.exclusions] == [("friday", ("deploy",))]
    milk = read_constraint("Dana takes coffee only with oat milk")
    assert milk is not None
    assert [one.thing for one in milk.requirements] == ["oat milk"]
    plugin = read_constraint("The plugin requires Python 3.11 and PostgreSQL")
    assert plugin is not None
    assert [one.values for one in plugin.exact] == [(3, 11)]
    assert [one.thing for one in plugin.requirements] == ["postgresql"]
    leave = read_constraint("Alex is away from 3 to 9 June")
    assert leave is not None
    assert [one.text for one in leave.blocked] == ["from 3 to 9 June"]
    assert leave.bounds == ()


def test_who_says_i_is_the_source() -> None:
    """In the first person, a constraint is about whoever speaks, and the source's name."""
    mine = read_constraint("I am allergic to cats", source="user:dana")
    assert mine is not None
    assert mine.about == ("user", "dana")


def test_what_limits_nothing_reads_as_nothing() -> None:
    """A text without bounds, bans or requirements is no constraint."""
    assert read_constraint("The sky was clear over the lake") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sesame makes Ines break out in hives.", "safety"),
        ("Grandpa can't climb stairs.", "safety"),
        ("I can only afford 15 euros a week for coffee.", "cost"),
        ("The camera takes nothing but SD cards.", "compatibility"),
        ("We're stuck on Python 3.9 on the cluster.", "compatibility"),
        ("The latest possible delivery date is 12 December.", "time"),
        ("Meetings only between 9 and 12, please.", "time"),
        ("Our hall holds up to 120 guests.", "policy"),
        ("Attachments larger than 25 MB get rejected.", "compatibility"),
        ("Legal bans copyleft libraries.", "policy"),
        ("Only signed images may be run.", "policy"),
        ("We no longer buy from Acme.", "policy"),
        ("The pills need to be kept in the fridge.", "policy"),
        ("Patient names are not to be logged.", "policy"),
        ("Grandma is on a low-sodium diet.", "preference"),
    ],
)
def test_what_is_obliged_forbidden_or_bounded_is_recognised_whatever_it_is_about(
    text: str, expected: str
) -> None:
    """A thing in front, or who forbids it, makes a rule of words that everyday talk has too."""
    assert constraint_class(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The car needs to be repaired.",
        "It is to be expected.",
        "Kids need love.",
        "Trying the local seafood is a must!",
        "He should have at least called.",
        "You could only be happy there.",
        "No longer hungry, thanks.",
        "I need to be back by ten.",
    ],
)
def test_errands_and_guesses_are_no_constraints(text: str) -> None:
    """What someone has to do today, or what one may expect, binds nobody later."""
    assert constraint_class(text) is None
