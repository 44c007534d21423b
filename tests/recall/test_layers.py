"""The layers in order: every combination of what they hold, how they fail, and what is hinted."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings, strategies as st

from mnemolog.ledger.errors import InvalidField
from mnemolog.recall.answers import NOTHING
from mnemolog.recall.detector import Detection, Layer
from mnemolog.recall.layers import (
    LOOKED_INTO,
    NOT_IN_MEMORY,
    ON_ITS_OWN,
    Asked,
    Look,
    Looked,
    Outcome,
    Passage,
    ask_layers,
    checked_layers,
    layers_to_ask,
)

MANY = settings(max_examples=100)
BEHAVIOURS: tuple[Outcome, ...] = ("answered", "empty", "failed", "timed out", "not configured")
behaviours = st.fixed_dictionaries({layer: st.sampled_from(BEHAVIOURS) for layer in LOOKED_INTO})
wanted_layers = st.frozensets(st.sampled_from(LOOKED_INTO))
hints = st.lists(st.sampled_from(LOOKED_INTO), unique=True).map(tuple)
detections = st.builds(Detection, recall=st.booleans(), confidence=st.floats(0, 1), layers=hints)
identities = st.sampled_from(
    [
        Looked("in front", (Passage("identity", "I am the first mate.", "me.md", 1.0),)),
        Looked("empty"),
        Looked("failed", note="no such file"),
        Looked("not configured"),
    ]
)


class Recorded:
    """Layers that behave as they are told, and record who was asked."""

    def __init__(self, behaviour: dict[Layer, Outcome]) -> None:
        """Take the behaviour of each layer."""
        self.asked: list[Layer] = []
        self.looks: dict[Layer, Look] = {
            layer: self._look(layer, outcome)
            for layer, outcome in behaviour.items()
            if outcome != "not configured"
        }

    def _look(self, layer: Layer, outcome: Outcome) -> Look:
        def look() -> Looked:
            self.asked.append(layer)
            passages = (Passage(layer, f"what {layer} holds", "here", 0.9),)
            return Looked(outcome, passages if outcome == "answered" else (), 1.0)

        return look


def ask(
    behaviour: dict[Layer, Outcome],
    wanted: frozenset[Layer],
    identity: Looked,
    detection: Detection | None = None,
) -> tuple[Asked, list[Layer]]:
    recorded = Recorded(behaviour)
    recall = detection or Detection(recall=True, confidence=0.9)
    return ask_layers("what was it?", recall, wanted, identity, recorded.looks), recorded.asked


@MANY
@given(behaviours, wanted_layers, identities)
def test_layers_are_asked_in_order_up_to_the_first_that_answers(
    behaviour: dict[Layer, Outcome], wanted: frozenset[Layer], identity: Looked
) -> None:
    """Whatever is hinted, empty or broken, nothing is asked out of turn or after an answer."""
    answer, asked = ask(behaviour, wanted, identity)
    open_to_ask = [
        layer for layer in LOOKED_INTO if layer in wanted and behaviour[layer] != "not configured"
    ]
    answering = [layer for layer in open_to_ask if behaviour[layer] == "answered"]
    expected = open_to_ask[: open_to_ask.index(answering[0]) + 1] if answering else open_to_ask
    assert asked == expected
    if answering:
        assert answer.layer == answering[0]
        assert [passage.layer for passage in answer.passages] == [answering[0]]
    else:
        assert answer.layer == ("generation" if wanted else None)
        assert answer.passages == ()


@MANY
@given(behaviours, wanted_layers, identities)
def test_what_was_checked_is_reported(
    behaviour: dict[Layer, Outcome], wanted: frozenset[Layer], identity: Looked
) -> None:
    """Each layer up to the end is reported once, in order, with what became of it."""
    answer, _ = ask(behaviour, wanted, identity)
    told = {checked.layer: checked.outcome for checked in answer.layers_checked}
    assert [checked.layer for checked in answer.layers_checked] == list(told)
    assert told.pop("identity") == identity.outcome
    if not wanted:
        assert told == {}
        return
    assert list(told) == list(LOOKED_INTO[: len(told)])
    for layer, outcome in told.items():
        assert outcome == (behaviour[layer] if layer in wanted else "left out")


@MANY
@given(behaviours, wanted_layers, identities)
def test_generation_comes_after_all_layers_alone(
    behaviour: dict[Layer, Outcome], wanted: frozenset[Layer], identity: Looked
) -> None:
    """Where generation is on its own, every layer was tried, and a sentence says so at last."""
    answer, asked = ask(behaviour, wanted, identity)
    assert all(checked.layer != "generation" for checked in answer.layers_checked)
    if answer.layer == "generation":
        assert all(behaviour[layer] != "answered" for layer in asked)
        assert answer.said[-1] == ON_ITS_OWN
    else:
        assert ON_ITS_OWN not in answer.said


@MANY
@given(behaviours, wanted_layers, identities)
def test_what_is_said_is_true(
    behaviour: dict[Layer, Outcome], wanted: frozenset[Layer], identity: Looked
) -> None:
    """That the memory holds nothing is said where it was asked and held nothing, and only there."""
    answer, asked = ask(behaviour, wanted, identity)
    held_nothing = "palace" in asked and behaviour["palace"] == "empty"
    assert (NOT_IN_MEMORY in answer.said) == (held_nothing and "artifacts" in asked)
    assert (NOTHING in answer.said) == (held_nothing and answer.layer == "generation")
    troubled = [layer for layer in asked if behaviour[layer] in ("failed", "timed out")]
    assert sum("could not be asked" in sentence for sentence in answer.said) == len(troubled)


@MANY
@given(behaviours, detections, identities)
def test_an_answer_in_memory_beats_everything_else(
    behaviour: dict[Layer, Outcome], detection: Detection, identity: Looked
) -> None:
    """Whatever the detector hints, a memory that answers is the answer to a prompt of recall."""
    answer, _ = ask(behaviour, layers_to_ask(detection, None), identity, detection)
    if detection.recall and behaviour["palace"] == "answered":
        assert answer.layer == "palace"


@MANY
@given(behaviours, detections, identities)
def test_identity_is_in_front_and_never_an_answer(
    behaviour: dict[Layer, Outcome], detection: Detection, identity: Looked
) -> None:
    """The identity stands before the prompt whatever is found, and never counts as found."""
    answer, _ = ask(behaviour, layers_to_ask(detection, None), identity, detection)
    assert answer.identity == (identity.passages[0].text if identity.passages else None)
    assert answer.layer != "identity"
    assert all(passage.layer != "identity" for passage in answer.passages)
    assert all(checked.outcome != "in front" for checked in answer.layers_checked[1:])


@MANY
@given(detections)
@example(Detection(recall=True, confidence=1.0, layers=("artifacts",)))
def test_hints_leave_layers_out_but_never_the_memory(detection: Detection) -> None:
    """A hint adds layers; memory and notes are asked for every prompt."""
    wanted = layers_to_ask(detection, None)
    hinted = detection.layers if detection.recall else ()
    assert wanted == {"palace", "scratchpad", *hinted}


@MANY
@given(
    behaviours, detections.map(lambda found: Detection(recall=False, confidence=found.confidence))
)
def test_a_prompt_that_is_not_recall_gets_no_claim(
    behaviour: dict[Layer, Outcome], detection: Detection
) -> None:
    """Memory and notes alone are asked, and nobody claims that the memory holds nothing."""
    wanted = layers_to_ask(detection, None)
    answer, asked = ask(behaviour, wanted, Looked("not configured"), detection)
    assert {*asked} <= {"palace", "scratchpad"}
    assert answer.layer in {"palace", "scratchpad", None}
    assert NOTHING not in answer.said


@MANY
@given(detections, hints)
def test_a_caller_may_ask_for_a_look_up(detection: Detection, named: tuple[Layer, ...]) -> None:
    """Layers that the caller names are looked into whatever the detector says, in their order."""
    assert layers_to_ask(detection, checked_layers(named)) == set(named)
    assert checked_layers(named) == tuple(layer for layer in LOOKED_INTO if layer in named)


@pytest.mark.parametrize("named", [("identity",), ("generation",), ("attic",), "palace"])
def test_only_what_can_be_looked_into_can_be_named(named: tuple[str, ...]) -> None:
    """The identity and generation hold no answers, and other layers there are not."""
    with pytest.raises(InvalidField, match="layers"):
        checked_layers(named)
