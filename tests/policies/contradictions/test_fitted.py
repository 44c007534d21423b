"""What the fitted judge keeps of an old statement, with a model whose odds are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from mnemolog.policies.contradictions.fitted import FittedJudge
from mnemolog.policies.contradictions.judge import Statement


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
