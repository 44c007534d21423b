"""What the fitted judge keeps of an old statement, with a model whose odds are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from msgspec.structs import replace

from mnemolog.policies.contradictions.fitted import FittedJudge
from mnemolog.policies.contradictions.judge import Statement, choose_resolution
from mnemolog.policies.contradictions.rules import RuleJudge


def _judge(chances: Mapping[str, float]) -> FittedJudge:
    """Judge whose model gives each old text the chance that a part of it is replaced."""

    def outputs(pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float32]:
        each = [chances.get(old.rstrip("."), 0.99) for old, _ in pairs]
        rows = [[0.0, chance, 0.0, 0.0, 1 - chance] for chance in each]
        return np.log(np.maximum(np.array(rows, np.float32), 1e-9))

    return FittedJudge(outputs)


@pytest.mark.parametrize(
    ("old", "chances", "kept"),
    [
        (
            "Lark weighs 6 kg and is 40 cm tall",
            {"Lark weighs 6 kg": 0.9, "Lark is 40 cm tall": 0.3},
            "Lark is 40 cm tall.",
        ),
        (
            "Lark weighs 6 kg and is 40 cm tall",
            {"Lark weighs 6 kg": 0.9, "Lark is 40 cm tall": 0.8},
            None,
        ),
        (
            "Lark weighs 6 kg and is 40 cm tall",
            {"Lark weighs 6 kg": 0.4, "Lark is 40 cm tall": 0.01},
            None,
        ),
        (
            "Yoga is on Monday at nine with Dirk",
            {"Yoga is on Monday at nine": 0.02, "Yoga is on Monday": 0.01},
            "Yoga is on Monday at nine.",
        ),
        (
            "Yoga is on Monday at nine with Dirk",
            {"Yoga is with Dirk": 0.02},
            "Yoga is with Dirk.",
        ),
        (
            "Yoga is on Monday at nine",
            {"Yoga is on Monday": 0.1, "Yoga is at nine": 0.2},
            None,
        ),
        (
            "Yoga is on Monday, room 4",
            {"Yoga is on Monday": 0.9, "Yoga: room 4": 0.01},
            "Yoga: room 4.",
        ),
        ("Yoga is on Monday, room 4", {"Yoga: room 4": 0.8}, None),
        ("Yoga is on Monday at nine", {}, None),
        ("Dana lives in Lyon", {}, None),
    ],
)
def test_what_clearly_still_holds_is_kept(
    old: str, chances: Mapping[str, float], kept: str | None
) -> None:
    """It is kept if its odds are an eighth of those of what does not hold, and nothing if not."""
    judge = _judge(chances)
    statements = Statement("So it is no more", said_at=2), Statement(old, said_at=1)
    assert judge.judge(*statements) is not None
    assert judge.kept(*statements) == kept


@pytest.mark.parametrize(("of_rest", "kept"), [(0.01, "The router is in the cupboard."), (0.8, "")])
def test_what_is_replaced_as_a_whole_may_have_a_part_that_holds(of_rest: float, kept: str) -> None:
    """A statement of its own beside the one that is replaced is kept if it clearly holds."""

    def outputs(pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float32]:
        each = [of_rest if old.startswith("The router") else 0.99 for old, _ in pairs]
        rows = [[chance, 0.0, 0.0, 0.0, 1 - chance] for chance in each]
        return np.log(np.maximum(np.array(rows, np.float32), 1e-9))

    old = Statement("The password is hunter2, the router is in the cupboard", said_at=1)
    assert FittedJudge(outputs).kept(Statement("Use bluecow from now on", said_at=2), old) == kept


@pytest.mark.parametrize(("chance", "condition"), [(0.99, None), (0.5, "at in the town hall")])
def test_a_condition_of_the_rules_gives_way_to_a_model_that_is_sure(
    chance: float, condition: str | None
) -> None:
    """Details of the old statement are no condition if the model is sure that it is replaced."""
    old = Statement("The rehearsal is on Wednesdays at 7 pm in the town hall", said_at=1)
    new = Statement("The rehearsal is now on Thursdays", said_at=2)
    found = _judge({old.text: chance}).judge(new, old)
    assert found is not None
    assert found.condition == condition


def test_a_condition_of_the_new_statement_stands() -> None:
    """What holds at weekends leaves what holds else, however sure the model is."""
    old = Statement("The gym is open until 22:00", said_at=1)
    new = Statement("The gym is open until 18:00 at weekends", said_at=2)
    found = _judge({old.text: 0.99}).judge(new, old)
    assert found is not None
    assert found.condition is not None


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        ("The rent is 900 euros", "The rent goes up to 950 in 2028", "offered"),
        ("The gym costs 30 euros", "From January the gym will cost 35 euros", "offered"),
        ("The office is at 12 Dock Road", "We move the office to Hill Street next May", "offered"),
        ("The rent was raised to 900 in May 2024", "The rent goes up to 950 in 2028", "offered"),
        ("The rent is 900 euros", "After 2027 the rent is 950", "offered"),
        ("After 2020 the rent is 900 euros", "After 2027 the rent is 950", "offered"),
        ("The gym costs 30 euros", "After January the gym will cost 35 euros", "offered"),
        ("Ana lives in Graz", "Ana lives in Linz. Her lease runs until June 2028.", "superseded"),
        ("Ana lives in Graz", "Ana lives in Linz. Her lease ends after June 2028.", "superseded"),
        (
            "The office is at 12 Dock Road",
            "As of now and through 2028 it is Hill Street",
            "superseded",
        ),
        ("The launch is in spring", "The launch slipped to October 2027", "superseded"),
        ("The rent is 900 euros", "The rent went up to 950 in 2019", "superseded"),
    ],
)
def test_what_begins_later_is_only_offered(old: str, new: str, outcome: str) -> None:
    """What holds until a day to come is not retired; a date that replaces another one is."""
    said = 1_795_000_000_000_000  # in November 2026
    statements = Statement(new, said_at=said + 1), Statement(old, said_at=said)
    found = _judge({old: 0.99}).judge(*statements)
    assert found is not None
    assert choose_resolution(found, *statements).outcome == outcome


@pytest.mark.parametrize("judge", [RuleJudge(), _judge({})])
def test_what_was_said_earlier_begins_no_later(judge: RuleJudge | FittedJudge) -> None:
    """A plan that is older than what is known to hold is outdated, whoever judges it."""
    said = 1_795_000_000_000_000
    new = Statement("The rent goes up to 950 in 2028", said_at=said)
    old = Statement("The rent is 980 euros", said_at=said + 1)
    found = judge.judge(new, old)
    assert found is not None
    assert choose_resolution(found, new, old).outcome == "outdated"
    later = replace(new, said_at=said + 2)
    found = judge.judge(later, old)
    assert found is not None
    assert choose_resolution(found, later, old).outcome == "offered"
