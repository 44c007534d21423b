"""Corrections that say of whom or of what only beside themselves, or in other words."""

from __future__ import annotations

import pytest

from mnemolog.policies.corrections.corrections import beside, read_corrections
from mnemolog.policies.corrections.readings import TargetCandidate
from mnemolog.policies.corrections.targets import find_targets, successor_text

KNOWN = (
    "Mei works at Siemens",
    "Omar works at Initech",
    "Dana lives in Oslo",
    "Dana drives a Volvo",
    "Omar drinks coffee every morning",
    "Omar's dog is called Luna",
    "Priya's dog is called Rex",
    "The standup is at 9:30",
    "The retrospective is on Monday",
    "The budget for Zephyr is $35,000",
    "The budget for Apollo is $5,000",
    "Apollo requires Python 3.9",
    "Invoices go to Bob",
    "Kwame is a nurse",
)


def _left(sentence: str, known: tuple[str, ...] = KNOWN) -> list[tuple[str, str]]:
    """What each correction of a text retires among some memories, and what it leaves."""
    candidates = [TargetCandidate(str(n), text) for n, text in enumerate(known)]
    targetings = [find_targets(one, candidates) for one in read_corrections(sentence)]
    return [
        (match.candidate.text, successor_text(meant.reading, match))
        for meant in targetings
        for match in meant.chosen
    ]


@pytest.mark.parametrize(
    ("sentence", "old", "left"),
    [
        ("Had lunch with Mei. She works at Globex now.", 0, "Mei works at Globex."),
        ("Mei called. By the way, she's at Globex now, not Siemens", 0, "Mei works at Globex."),
        ("I said Mei is at Siemens. Actually she works at Globex.", 0, "Mei works at Globex."),
        ("Met Mei on Friday, she works at Globex now", 0, "Mei works at Globex."),
        ("Mei works at Siemens. Actually, she works at Globex.", 0, "Mei works at Globex."),
        (
            "I told you that Mei works at Siemens. That was a mistake, she works at Globex.",
            0,
            "Mei works at Globex.",
        ),
        (
            "Mei works at Siemens. She works there no more, it is Globex now.",
            0,
            "Mei works at Globex.",
        ),
        (
            "I said the budget for Zephyr is $35,000. Sorry, the budget is $40,000.",
            9,
            "The budget for Zephyr is $40,000.",
        ),
        ("The standup is at 9:30. Sorry, it's 10:30.", 7, "The standup is at 10:30."),
    ],
)
def test_a_pronoun_means_what_was_spoken_of_before(sentence: str, old: int, left: str) -> None:
    """'She' is whom the words before name; what was said just before is what is corrected."""
    assert _left(sentence) == [(KNOWN[old], left)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Had lunch with Petra. She lives in Bergen now.",
        "Had lunch with Petra and her son Omar. He works at Globex now.",
        "Petra is a nurse. She met Mei. He lives in Bergen now.",
        "I see my parents on Sundays. They live in Bergen now.",
        "Petra and Mei came by. She is at Globex now.",
        "Dana lives in Oslo. Actually, it's lovely there.",
        "I told you that Dana lives in Oslo. Sorry, it's late.",
        "The retrospective is on Monday. No wait, it's raining.",
        "Omar sold his bike and walks to work now",
        "Dana moved to the next topic",
        "The flowers are wrong, they go to Carol",
        "The client call is at 16:00 now",
        "Their budget went up from $35,000 to $60,000",
        "Update on the couch: it's $300",
        "Dana's car is red now",
        "Dana's car is in Bergen now",
    ],
)
def test_what_is_said_of_another_is_left_alone(sentence: str) -> None:
    """Another person, another thing, or a word that is no such value."""
    assert _left(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "old", "left"),
    [
        ("Mei left Siemens and works at Globex now", 0, "Mei works at Globex."),
        ("Mei has left Siemens, she's now at Globex", 0, "Mei works at Globex."),
        ("Mei joined Globex after leaving Siemens", 0, "Mei works at Globex."),
        ("Omar stopped drinking coffee and drinks tea now", 4, "Omar drinks tea."),
        ("Kwame retrained and is an architect now", 13, "Kwame is an architect."),
        ("Mei found a new job at Globex", 0, "Mei works at Globex."),
    ],
)
def test_one_subject_may_do_two_things(sentence: str, old: int, left: str) -> None:
    """What it gave up is retired, and what it does now takes the place."""
    assert _left(sentence) == [(KNOWN[old], left)]


def test_one_sentence_corrects_what_it_says_of_two_subjects() -> None:
    """Each of them alone, be the verb said once or twice."""
    both = [(KNOWN[2], "Dana lives in Bergen."), (KNOWN[0], "Mei works at Globex.")]
    assert _left("Dana moved to Bergen and Mei works at Globex now") == both
    assert _left("Actually, Dana lives in Bergen, and Mei works at Globex") == both
    moved = [
        (KNOWN[7], "The standup is at 10:30."),
        (KNOWN[8], "The retrospective is on Friday."),
    ]
    assert _left("We moved the standup to 10:30 and the retrospective to Friday") == moved


@pytest.mark.parametrize(
    ("sentence", "old", "left"),
    [
        ("Actually, Dana's car is a Tesla, not a Volvo", 3, "Dana drives a Tesla."),
        ("You have Dana's car wrong, it's a Fiat 500", 3, "Dana drives a Fiat 500."),
        (
            "Actually, the day of the retrospective is Friday, not Monday",
            8,
            "The day of the retrospective is Friday.",
        ),
        (
            "The Python version of Apollo is Python 3.12 instead of Python 3.9",
            11,
            "Apollo requires Python 3.12.",
        ),
        ("Kwame's job is architect, not nurse", 13, "Kwame's job is architect."),
        ("Actually, the sync is at 10:30, not 9:30", 7, "The standup is at 10:30."),
        ("Dana has a new car: a Tesla", 3, "Dana drives a Tesla."),
        ("Mei's new company is Globex", 0, "Mei works at Globex."),
        ("The retrospective was on Monday but is now on Friday", 8, "Friday."),
        (
            "The retrospective isn't on Monday any more. The retrospective is on Friday.",
            8,
            "The retrospective is on Friday.",
        ),
        ("Milo is Omar's dog, not Luna", 5, "Omar's dog is called Milo."),
        ("Omar renamed the dog to Milo", 5, "Omar's dog is called Milo."),
        ("Small correction on the budget for Zephyr: it's $40,000", 9, "$40,000."),
        ("The retrospective is on Friday, I mixed that up", 8, "The retrospective is on Friday."),
        ("The retrospective isn't on Monday. It's Friday.", 8, "The retrospective is on Friday."),
        ("The records that invoices go to Bob are wrong, they go to Ann", 12, "go to Ann."),
        ("The invoices are wrong, they go to Ann", 12, "The invoices go to Ann."),
        ("Forget that Mei works at Siemens; Mei works at Globex", 0, "Mei works at Globex."),
        ("Ignore the earlier budget for Zephyr, it's $40,000", 9, "$40,000."),
    ],
)
def test_other_words_for_the_same_are_known(sentence: str, old: int, left: str) -> None:
    """A noun that names the kind of the value, another noun for the thing, the value first."""
    ((retired, text),) = _left(sentence)
    assert retired == KNOWN[old]
    assert text.endswith(left)


def test_a_noun_that_is_remembered_means_itself() -> None:
    """Where both a standup and a sync are known, each is corrected by its own name."""
    known = ("The standup is at 9:30", "The sync is at 9:45")
    assert _left("Actually, the sync is at 10:30", known) == [(known[1], "The sync is at 10:30.")]


def test_what_another_said_of_themselves_is_corrected_by_name() -> None:
    """'I live in Oslo' gives way to a sentence that names who said it."""
    reading = next(iter(read_corrections("Dana moved to Bergen")), None)
    assert reading is not None
    said = [
        TargetCandidate("0", "I live in Oslo", speaker="dana"),
        TargetCandidate("1", "Mei lives in Oslo"),
    ]
    meant = find_targets(reading, said, "omar")
    assert [match.candidate.memory_id for match in meant.chosen] == ["0"]
    assert successor_text(meant.reading, meant.chosen[0]) == "Dana moved to Bergen."


def test_a_request_counts_in_passing_where_it_says_what_is_so() -> None:
    """Asked to forget without more, or to do something, the memory hears no correction."""
    counted = {
        sentence: any(one.in_passing for one in read_corrections(sentence))
        for sentence in (
            "Forget what I said about the budget for Zephyr, it's $40,000",
            "Please update the budget for Zephyr to $40,000",
            "Forget what I said about the budget for Zephyr",
            "Forget what I said about Zephyr, it's nothing",
            "Can you move the standup to 10:30?",
        )
    }
    assert list(counted.values()) == [True, True, False, False, False]


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("That's not right. Omar's dog is called Milo.", ""),
        ("Omar's dog is not called Luna; the dog is called Milo now.", ""),
        ("Omar's dog is called Milo now. Is that all right?", ""),
        ("Had lunch. By the way, Omar's dog is called Milo now.", "Had lunch."),
        (
            "We were at the lake. Also, Omar's dog is called Milo now. The snacks were “great”.",
            "We were at the lake. The snacks were “great”.",
        ),
        (
            "It rained, and by the way, Omar's dog is called Milo now. Can you call?",
            "It rained. Can you call?",
        ),
        ("Met Omar. By the way, his dog is called Milo now. He is well.", None),
        ("Omar's dog is called Milo now and Dana's cat is called Tom now.", None),
        ("Ann: Omar's dog is called Milo now. I own a cat.", None),
        ("Omar came. He ran. Correction: his dog is called Milo.", "Omar came. He ran."),
    ],
)
def test_what_a_correction_says_beside_it_is_left_as_written(said: str, rest: str | None) -> None:
    """The denial of the old statement and words that announce it are part of it."""
    assert beside(said, "Omar's dog is called Luna") == rest
