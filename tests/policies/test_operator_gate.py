"""The operator gate proposes what failed again on another cue with mitigation in place."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids import EventId, Position
from mnemolog.policies.learning import OPERATORS, FailureReport, asked, checked_failure, decide_gate

TERMS = Analyzer().cue
CUES = (
    "Which port does staging use?",
    "Who owns the billing service?",
    "What did issue 17 decide?",
    "What did issue 18 decide?",
    "配置在哪里",
    "??",
    None,
)
FAILURES = (*OPERATORS, "too_slow")

misses = st.lists(
    st.tuples(st.sampled_from(FAILURES), st.sampled_from(CUES), st.booleans()), max_size=12
)


def reports(drawn: list[tuple[str, str | None, bool]]) -> list[FailureReport]:
    """Reports of these failures, in order."""
    return [
        FailureReport(Position(place), EventId(f"{place:032x}"), failure, mitigated, cue)
        for place, (failure, cue, mitigated) in enumerate(drawn, 1)
    ]


@given(drawn=misses)
def test_operator_gate(drawn: list[tuple[str, str | None, bool]]) -> None:
    """Never a proposal with fewer than two distinct cues with mitigation, always one from then on.

    Over every beginning of any history: what is proposed once stays proposed,
    and attention needs a focus failure.
    """
    before: set[str] = set()
    for size in range(len(drawn) + 1):
        gate = decide_gate(reports(drawn[:size]), TERMS)
        due = {
            operator
            for failure, operator in OPERATORS.items()
            if len(
                {cue for name, cue, placed in drawn[:size] if name == failure and placed and cue}
            )
            > 1
        }
        proposed = {proposal.operator for proposal in gate.proposals}
        assert proposed == due
        assert before <= proposed
        assert "attention" not in proposed or any(name == "lost_focus" for name, _, _ in drawn)
        assert all(len(proposal.cues) > 1 and proposal.evidence for proposal in gate.proposals)
        assert gate.message
        before = proposed


@pytest.mark.parametrize("failure", FAILURES)
def test_one_miss_proposes_nothing(failure: str) -> None:
    """After one miss the gate says so, whatever was missed."""
    gate = decide_gate(reports([(failure, CUES[0], True)]), TERMS)
    assert gate.proposals == ()
    assert gate.message.startswith("One miss")
    assert "nothing is proposed" in gate.classes[0].says


@pytest.mark.parametrize(
    "again",
    [
        "which port does STAGING use",
        "  Which  port: does staging use ?!",
        "Which ports do staging use?",
        "And which port is it that staging used?",
        "Please tell me which port staging uses",
        "\uff37hich port does staging use?",
    ],
)
def test_the_same_cue_in_other_words_is_one_cue(again: str) -> None:
    """Case, blanks, punctuation, inflection and small words make no second cue."""
    gate = decide_gate(
        reports([("bad_trade_off", CUES[0], True), ("bad_trade_off", again, True)]), TERMS
    )
    assert gate.proposals == ()
    assert len(gate.classes[0].cues) == 1


@given(text=st.text(), other=st.text())
def test_any_text_asks_for_something(text: str, other: str) -> None:
    """Whatever a cue is made of, it is the same cue as itself and its other case."""
    assert asked(text, TERMS) == asked(f"  {text} ", TERMS)
    assert asked(text, TERMS)


def test_a_redacted_cue_is_no_second_cue() -> None:
    """Nobody can tell any more whether it was another one."""
    gate = decide_gate(reports([("lost_focus", None, True), ("lost_focus", None, True)]), TERMS)
    assert gate.proposals == ()
    assert "redacted" in gate.classes[0].says


def test_a_class_of_ones_own_leads_to_nothing() -> None:
    """It is kept and counted, and the gate says that no operator belongs to it."""
    gate = decide_gate(reports([("too_slow", cue, True) for cue in CUES[:4]]), TERMS)
    assert gate.proposals == ()
    assert gate.classes[0].operator is None
    assert "of your own" in gate.classes[0].says


def test_a_class_is_one_word_however_it_is_written() -> None:
    """Blanks, dashes and capitals make no other class; what is no word is refused."""
    assert checked_failure("Missed correction") == "missed_correction"
    assert checked_failure("bad trade-off") == checked_failure("bad_tradeoff") == "bad_trade_off"
    assert checked_failure("focus failure") == "lost_focus"
    for bad in ("", " ", "?!", "x" * 201, 7):
        with pytest.raises(InvalidField):
            checked_failure(bad)  # type: ignore[arg-type] # that is the point
