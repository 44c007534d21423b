"""The built-in judge of contradictions: what it catches, what it leaves alone, how it classes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from conflict_pairs import CONFLICTS, NEAR_MISSES, Pair, pairs

from mnemolog.policies.contradictions.judge import Contradiction, Statement
from mnemolog.policies.contradictions.rules import RuleJudge
from tests.seeds import SEED

YEAR = 365 * 86_400_000_000


def found(old: str, new: str) -> Contradiction | None:
    return RuleJudge().judge(Statement(new, said_at=2), Statement(old, said_at=1))


@pytest.fixture(scope="module")
def judged() -> list[tuple[Pair, Contradiction | None]]:
    print(f"MNEMOLOG_SEED={SEED}")  # noqa: T201 - pytest shows it when a test fails
    judge = RuleJudge()
    made = [*pairs(CONFLICTS, 420), *pairs(NEAR_MISSES, 420)]
    return [(pair, judge.judge(Statement(pair.new), Statement(pair.old))) for pair in made]


def share_found(judged, *, conflicts: bool, held_out: bool | None = None) -> float:
    """The share of the pairs in which a contradiction was found."""
    chosen = [
        verdict is not None
        for pair, verdict in judged
        if (pair.type is not None) == conflicts and held_out in {None, pair.held_out}
    ]
    return sum(chosen) / len(chosen)


def test_nine_contradictions_in_ten_are_caught(judged):
    """Of generated contradictions at least 90 % are found, of those held out as well."""
    assert share_found(judged, conflicts=True) >= 0.9
    assert share_found(judged, conflicts=True, held_out=True) >= 0.9


def test_hardly_any_near_miss_raises_an_alarm(judged):
    """Of pairs that merely look like contradictions at most 5 % are found."""
    assert share_found(judged, conflicts=False) <= 0.05
    assert share_found(judged, conflicts=False, held_out=True) <= 0.05


def test_contradictions_are_given_their_type(judged):
    """Of the contradictions that are found at least 90 % are of the type that they were made as."""
    typed = [
        verdict.type == pair.type
        for pair, verdict in judged
        if pair.type is not None and verdict is not None
    ]
    assert sum(typed) / len(typed) >= 0.9


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Dolores works at Globex", "Dolores works at Initech, not Globex any more"),
        ("Dolores works at Globex", "Oh, and Dolores works at Initech now instead of Globex"),
        ("The budget is $40,000", "Turns out the budget is $55,000, no longer $40,000"),
        ("The budget is $40,000", "The heating is broken, and by the way, the budget is $55,000"),
        ("Omar drinks coffee", "Omar drinks tea, not coffee"),
        ("Dana lives in Bergen", "Dana lives in Oslo, not in Bergen"),
    ],
)
def test_what_a_statement_gives_up_beside_its_point_is_read(old, new):
    """'This, not that' contradicts that, whichever comes first, and is at one with this."""
    assert found(old, new) is not None
    assert found(new, old) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Omar drinks tea", "Omar drinks tea, not coffee"),
        ("The sync is on Tuesday", "The sync is on Tuesday, not Monday"),
        ("Dana lives in Oslo", "Dana lives in Oslo, not far from Ben"),
        ("The shop is open on Sunday", "The shop is open on Sunday, not only in the morning"),
    ],
)
def test_what_a_statement_excludes_is_no_contradiction_of_its_point(old, new):
    """Nor is a mere 'not' after a comma."""
    assert found(old, new) is None
    assert found(new, old) is None


@pytest.mark.parametrize(
    ("old", "new", "kind", "severity"),
    [
        ("Dana lives in Oslo.", "Dana lives in Bergen.", "value", "minor"),
        ("Dana was born in 1984.", "Dana was born in 1986.", "value", "major"),
        ("I like cilantro.", "I do not like cilantro.", "direct", "minor"),
        ("Dark mode is enabled.", "Dark mode is disabled.", "direct", "minor"),
        ("I am allergic to nuts.", "I'm not allergic to nuts.", "direct", "major"),
        ("Dana lived in Oslo in 2019.", "Dana lived in Rome in 2019.", "temporal", "major"),
        ("Dana lives in France.", "Dana lives in Paris.", "granularity", "minor"),
        ("Dana lives in Paris.", "Dana lives in France.", "granularity", "major"),
    ],
)
def test_types_and_severities_are_as_the_table_says(old, new, kind, severity):
    """What time explains is minor, what it does not is major."""
    verdict = found(old, new)
    assert verdict is not None
    assert (verdict.type, verdict.severity) == (kind, severity)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The limit is 10 MB.", "The limit is 50 MB in production."),
        ("Dana drinks coffee.", "Dana doesn't drink coffee at work."),
    ],
)
def test_a_condition_that_one_of_them_states_is_told(old, new):
    """Where one memory says under which condition it holds, both may stand under it."""
    verdict = found(old, new)
    assert verdict is not None
    assert verdict.condition in {"in production", "at work"}
    assert verdict.severity == "major"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We use Jenkins.", "We switched from Jenkins to GitHub Actions."),
        ("Dana drinks coffee.", "Dana drinks tea instead of coffee."),
        ("Dana speaks German.", "Dana speaks only French."),
        ("I work at Acme.", "I no longer work at Acme."),
    ],
)
def test_attributes_of_many_values_conflict_where_one_is_given_up(old, new):
    """'Only', 'instead of', 'no longer' and 'switched from' leave no room for the other value."""
    assert found(old, new) is not None


def test_first_persons_of_two_users_do_not_contradict_each_other():
    """What one user says of themselves says nothing of another."""
    judge = RuleJudge()
    old = Statement("I live in Oslo.", source="user:ana")
    assert judge.judge(Statement("I live in Rome.", source="user:bea"), old) is None
    assert judge.judge(Statement("I live in Rome.", source="user:ana"), old) is not None


def test_first_persons_are_those_named_in_front():
    """A line of a chat is said by the one whose name stands before it."""
    assert found("Ana: I live in Oslo.", "Bea: I live in Rome.") is None
    assert found("Ana: I live in Oslo.", "Ana: I live in Rome.") is not None


def test_memories_valid_at_different_times_do_not_contradict_each_other():
    """Valid times that share no instant leave both true."""
    judge = RuleJudge()
    old = Statement("Dana lives in Oslo.", valid_from=0, valid_until=YEAR)
    after = Statement("Dana lives in Rome.", valid_from=YEAR)
    within = Statement("Dana lives in Rome.", valid_from=0, valid_until=YEAR // 2)
    assert judge.judge(after, old) is None
    verdict = judge.judge(within, old)
    assert verdict is not None
    assert verdict.type == "temporal"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I'm so tired today!", "I'm not tired at all."),
        ("Atlas uses Redis for storage.", "Heron uses MongoDB for storage."),
        ("Atlas runs on Postgres.", "Atlas is hosted in Dublin."),
        ("The app is on version 3.0.", "The current version of the app is 3.0."),
        ("We had pizza last night.", "We had sushi last night, it was great."),
        ("I love this song.", "I don't love that."),
        ("My sister is visiting on Friday.", "My brother is visiting on Monday."),
        ("I think the deadline is Friday.", "The deadline is Monday."),
        ("Set the timeout to 10 seconds.", "The timeout is 30 seconds."),
        ('She said "I live in Rome".', "I live in Oslo."),
        ("Total: 12 apples. So the answer is 12.", "Total: 8 apples. Is the answer 8?"),
    ],
)
def test_ordinary_talk_is_left_alone(old, new):
    """Moods, meals, guesses, requests, quotations and questions contradict nothing."""
    assert found(old, new) is None
    assert found(new, old) is None


ODD = st.text("abcdefgIWS 0123456789.,:;'!?-⟦⟧$%/\n", max_size=200)


@given(ODD | st.sampled_from([pair.old for pair in pairs(CONFLICTS, 150, "x")]))
def test_no_text_contradicts_itself(text):
    """Hearing a text again is no contradiction, and no text is too odd to be read."""
    judge = RuleJudge()
    assert judge.judge(Statement(text), Statement(text)) is None


@pytest.mark.parametrize("text", ["two weeks ago", "a year ago", "as of now"])
def test_a_text_that_names_only_a_time_states_nothing(text):
    """Such a text has no word left beside its time; it is read, and contradicts nothing."""
    assert not RuleJudge().reads(text)


def test_a_judge_forgets_what_it_read_long_ago():
    """What a judge keeps of texts is bounded, and forgetting changes no verdict."""
    judge = RuleJudge()
    old, new = Statement("Dana lives in Oslo."), Statement("Dana lives in Rome.")
    before = judge.judge(new, old)
    for number in range(5000):
        judge.judge(Statement(f"x{number}"), Statement(""))
    assert judge._read.cache_info().currsize <= 4096
    assert judge.judge(new, old) == before


def test_rules_pass_over_no_memory_that_they_find_a_contradiction_in() -> None:
    """Only memories without a common topic are left out before the judge is asked."""
    judge = RuleJudge()
    for pair in pairs(CONFLICTS, 420):
        new, old = Statement(pair.new, said_at=2), Statement(pair.old, said_at=1)
        if judge.judge(new, old) is not None:
            assert judge.comparable(new, [old]) == [True]
    new = Statement("Ann lives in Oslo.", said_at=2)
    olds = [Statement(one, said_at=1) for one in ("Ann lives in Rome.", "The port is 8080.")]
    assert judge.comparable(new, olds) == [True, False]
