"""A corrected memory reads as somebody would write it, or says what the correction says."""

from __future__ import annotations

import pytest

from mnemolog.policies.corrections.corrections import read_corrections, read_statement
from mnemolog.policies.corrections.readings import TargetCandidate
from mnemolog.policies.corrections.targets import find_targets, successor_text


def left(known: str, sentence: str) -> str | None:
    """What stands in the place of a memory after a correction that means it."""
    reading = next(iter(read_corrections(sentence)), None) or read_statement(sentence)
    assert reading is not None
    meant = find_targets(reading, [TargetCandidate("0", known)])
    assert meant.chosen
    return successor_text(meant.reading, meant.chosen[0])


@pytest.mark.parametrize(
    ("known", "sentence", "text"),
    [
        (
            "The manager of the shop is Karl.",
            "The manager is an Italian woman, not Karl.",
            "The manager of the shop is an Italian woman.",
        ),
        (
            "Nina owns a Skoda with a roof rack.",
            "It's Audi, not Skoda.",
            "Nina owns an Audi with a roof rack.",
        ),
        (
            "The database is an Aurora cluster in Frankfurt.",
            "The database is a Postgres instance, not an Aurora cluster.",
            "The database is a Postgres instance in Frankfurt.",
        ),
        (
            "Hugo works for the city as a gardener.",
            "Hugo works for Acme now.",
            "Hugo works for Acme as a gardener.",
        ),
        (
            "Jon lives in Oslo with his brother.",
            "Actually Jon lives in the north of Norway.",
            "Jon lives in the north of Norway with his brother.",
        ),
        (
            "The meeting is every Monday.",
            "The meeting is not on Monday but on Wednesdays.",
            "The meeting is on Wednesdays.",
        ),
        ("The office has a printer.", "It's scanners, not a printer.", "The office has scanners."),
    ],
)
def test_a_new_value_brings_its_own_article_and_preposition(
    known: str, sentence: str, text: str
) -> None:
    """Or takes those that go with it, never two of them."""
    assert left(known, sentence) == text


@pytest.mark.parametrize(
    ("known", "sentence", "text"),
    [
        ("The demo is on Monday.", "The demo moved to March.", "The demo is in March."),
        (
            "The demo is in March in Alba.",
            "We moved the demo to Friday.",
            "The demo is on Friday in Alba.",
        ),
        (
            "The workshop takes place in May.",
            "The workshop was moved to the second week of June.",
            "The workshop takes place in the second week of June.",
        ),
        ("I was born in 1985.", "Actually I was born in 1986.", "I was born in 1986."),
    ],
)
def test_a_time_stands_after_the_preposition_of_its_kind(
    known: str, sentence: str, text: str
) -> None:
    """At an hour, on a day, in a month."""
    assert left(known, sentence) == text


@pytest.mark.parametrize(
    ("known", "sentence", "text"),
    [
        ("My son is 7 years old.", "My son is 8 now.", "My son is 8 years old."),
        (
            "The rent is 900 euros a month.",
            "The rent went up to 950.",
            "The rent is 950 euros a month.",
        ),
        ("Nina has one horse in Ely.", "It's two, not one.", "Nina has two horses in Ely."),
        (
            "The team has 3 developers in Oslo.",
            "It's 1, not 3.",
            "The team has 1 developer in Oslo.",
        ),
        (
            "The budget for Zephyr is 40 thousand dollars.",
            "Actually it is 55 thousand.",
            "The budget for Zephyr is 55 thousand dollars.",
        ),
    ],
)
def test_a_bare_number_counts_what_the_old_one_counts(known: str, sentence: str, text: str) -> None:
    """In singular or plural, as the number asks."""
    assert left(known, sentence) == text


@pytest.mark.parametrize(
    ("known", "sentence", "text"),
    [
        (
            "The office is in Berlin near the station.",
            "Actually, the office is at Alexanderplatz 3.",
            "The office is at Alexanderplatz 3.",
        ),
        (
            "The shop is on Mill Lane behind the church and opens at 9.",
            "Correction: the shop is on Station Road.",
            "The shop is on Station Road and opens at 9.",
        ),
        (
            "The printer is on the second floor next to the kitchen.",
            "The printer is in the hall now.",
            "The printer is in the hall.",
        ),
        (
            "The team meets in Alba, the room with the piano.",
            "The team meets in Corvo, not Alba.",
            "The team meets in Corvo.",
        ),
        (
            "Our guide is Hugo, who speaks Czech.",
            "Actually our guide is Ines.",
            "Our guide is Ines.",
        ),
        (
            "The demo is in Alba (second floor).",
            "The demo is in Corvo, not Alba.",
            "The demo is in Corvo.",
        ),
        ("Jon lives in an apartment in Oslo.", "Jon moved to Bergen.", "Jon moved to Bergen."),
    ],
)
def test_what_was_said_of_the_old_value_goes_with_it(known: str, sentence: str, text: str) -> None:
    """Where it is, who that is: nothing of it is said of the new one."""
    assert left(known, sentence) == text


@pytest.mark.parametrize(
    ("known", "sentence", "text"),
    [
        (
            "Nina is a nurse with a degree from Leeds.",
            "The note that Nina is a nurse is wrong, works as an accountant.",
            "Nina works as an accountant.",
        ),
        (
            "Anna is a vegetarian.",
            "Anna is not a vegetarian, she eats fish.",
            "Anna eats fish.",
        ),
        (
            "Hugo is allergic to nuts.",
            "Hugo is not allergic to nuts, he just dislikes them.",
            "Hugo is not allergic to nuts, he just dislikes them.",
        ),
        (
            "Ben works in sales at Initech.",
            "Actually Ben works for the government.",
            "Ben works for the government.",
        ),
        (
            "Ben is a member of the chess club.",
            "Actually Ben is in the rowing club.",
            "Ben is in the rowing club.",
        ),
        (
            "Dana lives in Oslo and works at Acme.",
            "Actually Dana works for an NGO.",
            "Dana lives in Oslo and works for an NGO.",
        ),
        (
            "Ben said that the invoice is due on Friday.",
            "The invoice is due on Monday, not Friday.",
            "The invoice is due on Monday.",
        ),
        (
            "Hugo is the head gardener.",
            "Hugo is no longer the head gardener, he is an adviser.",
            "Hugo is no longer the head gardener, he is an adviser.",
        ),
        (
            "The price of the ticket was 20 dollars.",
            "The ticket costs 25 dollars, not 20.",
            "The ticket costs 25 dollars.",
        ),
        (
            "The shop is run by Hugo.",
            "The twins run the shop, not Hugo.",
            "The twins run the shop.",
        ),
    ],
)
def test_what_does_not_fit_leaves_the_words_of_the_correction(
    known: str, sentence: str, text: str
) -> None:
    """A predicate is no noun, another verb another slot, and what Ben said stays his."""
    assert left(known, sentence) == text


@pytest.mark.parametrize(
    ("known", "sentence", "text"),
    [
        (
            'The greeting is "hello there" on the start page.',
            'The greeting is "good morning", not "hello there".',
            'The greeting is "good morning" on the start page.',
        ),
        (
            'Anna\'s motto is "never give up".',
            'Correction: Anna\'s motto is "keep it simple".',
            'Anna\'s motto is "keep it simple".',
        ),
        (
            "The build uses `make all`.",
            "The build uses `make fast`, not `make all`.",
            "The build uses make fast.",
        ),
        (
            "The docs are at https://a.example/docs.",
            "The docs moved to https://b.example/guide.",
            "The docs are at https://b.example/guide.",
        ),
    ],
)
def test_a_quotation_or_an_address_gives_way_whole(known: str, sentence: str, text: str) -> None:
    """No part of the old one is left beside the new one."""
    assert left(known, sentence) == text


def test_words_that_neither_fit_nor_stand_alone_leave_nothing() -> None:
    """'It's Monday' would say of nothing that it is."""
    assert left("Nina said that the demo is on Friday.", "Sorry, it's Monday.") is None
