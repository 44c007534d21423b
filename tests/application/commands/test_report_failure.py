"""Failures are events: reported, undone, redacted, and read as of any moment."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from mnemolog import ContentTooLarge, InvalidField, Memory, NewEvent
from tests.homes import open_home
from tests.seeds import SEED

OPERATORS = {
    "missed_correction": "revision",
    "bad_trade_off": "evaluation",
    "lost_focus": "attention",
}


def test_operator_gate(tmp_path: Path) -> None:
    """At every position of generated histories the gate proposes what has recurred, nothing else.

    Undone reports do not count, undone undos do again, other spaces never.
    """
    chance = random.Random(SEED)
    for history in range(12):
        with open_home(tmp_path / str(history)) as memory:
            other = open_home(tmp_path / str(history), "other")
            standing: dict[str, tuple[str, str, bool]] = {}
            undone: dict[str, tuple[tuple[str, str, bool], str]] = {}
            expected = {}
            for _ in range(20):
                step = chance.random()
                if step < 0.15 and standing:
                    one = chance.choice([*standing])
                    receipt = memory.undo(one)
                    undone[one] = (standing.pop(one), receipt.events[0].event_id)
                elif step < 0.2 and undone:
                    one = chance.choice([*undone])
                    standing[one], by = undone.pop(one)
                    receipt = memory.undo(by)
                else:
                    miss = (
                        chance.choice([*OPERATORS, "too_slow"]),
                        f"what did issue {chance.randrange(4)} decide",
                        chance.random() < 0.6,
                    )
                    receipt = memory.upkeep.report_failure(miss[0], miss[1], mitigated=miss[2])
                    standing[receipt.events[0].event_id] = miss
                    other.upkeep.report_failure("lost_focus", miss[1], mitigated=True)
                expected[receipt.position] = {
                    operator
                    for failure, operator in OPERATORS.items()
                    if len({c for f, c, m in standing.values() if f == failure and m}) > 1
                }
            for position, operators in expected.items():
                gate = memory.as_of(position).upkeep.gate()
                assert {one.operator for one in gate.proposals} == operators, (
                    f"MNEMOLOG_SEED={SEED}"
                )
            assert memory.upkeep.gate().proposals == gate.proposals
            other.close()


def test_a_report_tells_what_failed(memory: Memory) -> None:
    """Receipt and log say which class, on which cue, with what in place."""
    receipt = memory.upkeep.report_failure(
        "Lost focus", "which port", mitigated=True, note="off topic"
    )
    assert receipt.changed == ("a failure is reported: lost_focus",)
    (entry,) = memory.log.events()
    assert "lost_focus, with mitigation in place, on “which port”" in entry.summary
    (report,) = memory.upkeep.gate().classes[0].reports
    assert (report.cue, report.note, report.mitigated) == ("which port", "off topic", True)


def test_a_redacted_report_counts_no_cue(memory: Memory) -> None:
    """What the reporter wrote is gone, the report stays, and the proposal with it goes."""
    for cue in ("which port", "which host"):
        memory.upkeep.report_failure("missed_correction", cue, mitigated=True, note=f"not {cue}")
    assert len(memory.upkeep.gate().proposals) == 1
    assert memory.redact("@1").complete
    gate = memory.upkeep.gate()
    assert gate.proposals == ()
    assert [report.cue for report in gate.classes[0].reports] == [None, "which host"]
    assert "a redacted cue" in next(memory.log.events()).summary


@pytest.mark.parametrize(
    "given",
    [
        {"failure": " ", "cue": "x", "mitigated": True},
        {"failure": "lost_focus", "cue": " ", "mitigated": True},
        {"failure": "lost_focus", "cue": "x", "mitigated": 1},
        {"failure": "lost_focus", "cue": "x", "mitigated": True, "note": 7},
    ],
    ids=["failure", "cue", "mitigated", "note"],
)
def test_a_bad_report_changes_nothing(memory: Memory, given: dict[str, object]) -> None:
    """It is refused by field."""
    with pytest.raises(InvalidField):
        memory.upkeep.report_failure(**given)  # type: ignore[arg-type] # that is the point
    assert memory.upkeep.gate().message.startswith("No failure")


def test_a_report_may_be_appended_as_an_event(memory: Memory) -> None:
    """Of the same meaning as the command's, or it is refused."""
    content = {"cue": "which port"}
    memory.log.append([NewEvent("failed", {"failure": "lost_focus"}, content)])
    assert memory.upkeep.gate().classes[0].failure == "lost_focus"
    for structure, said in (
        ({"failure": "Lost focus"}, content),
        ({"failure": "lost_focus"}, None),
    ):
        with pytest.raises(InvalidField):
            memory.log.append([NewEvent("failed", structure, said)])


def test_a_report_is_as_long_as_a_memory_may_be(memory: Memory) -> None:
    """Cue and note together stay under the limit of the space."""
    memory.configure({"content_limit_bytes": 10})
    with pytest.raises(ContentTooLarge):
        memory.upkeep.report_failure("lost_focus", "which", mitigated=True, note="portal")
