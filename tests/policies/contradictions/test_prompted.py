"""The judge by a language model: what it asks, what it reads, and what it never trusts."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, strategies as st

from mnemolog import ModelFailed
from mnemolog.policies.contradictions.judge import Contradiction, Statement
from mnemolog.policies.contradictions.prompted import LONGEST_BYTES, MOST_BYTES, PromptedJudge
from mnemolog.policies.contradictions.replacements import SUREST

DAY = 86_400_000_000
BIKE = Statement("Ben is crazy about his motorbike", "user:ben", said_at=DAY)
SOLD = Statement("Ben sold the bike in May", "user:dana", said_at=200 * DAY)
CAFE = Statement("The cafe has good espresso and opens at eight.", "user:dana")
CLOSED = Statement("The cafe's machine broke for good.", "user:dana")


class Scripted:
    """A model that gives one answer, whatever it is asked; it keeps the questions."""

    def __init__(self, *answers: object) -> None:
        self.text = json.dumps({"answers": answers})
        self.questions: list[dict[str, object]] = []
        self.system, self.schema = "", {}

    def ask(self, system: str, question: str, schema: Mapping[str, object]) -> str:
        """The answer."""
        self.system, self.schema = system, dict(schema)
        self.questions.append(json.loads(question))
        return self.text


def answer(
    relation: str, confidence: float = 0.97, holds: tuple[int, ...] = (), number: int = 1
) -> dict[str, object]:
    return {"id": number, "relation": relation, "confidence": confidence, "holds": holds}


def judged(new: Statement, old: Statement, *answers: object) -> Contradiction | None:
    return PromptedJudge(Scripted(*answers).ask, "m").judge(new, old)


def test_one_question_has_all_that_a_statement_is_compared_with() -> None:
    """Statements are data in one JSON object: texts, days, who 'I' is, and the parts of a text."""
    model = Scripted(answer("replaces"), answer("separate", number=2), answer("separate", number=3))
    judge = PromptedJudge(model.ask, "qwen")
    mine = Statement("I work on Fridays", "user:eve", said_at=2 * DAY)
    judge.prepare(SOLD, [BIKE, CAFE, mine])
    assert model.questions == [
        {
            "new": {"text": "Ben sold the bike in May", "said": "1970-07-20"},
            "old": [
                {"id": 1, "text": "Ben is crazy about his motorbike", "said": "1970-01-02"},
                {
                    "id": 2,
                    "text": "The cafe has good espresso and opens at eight.",
                    "said": "1970-01-01",
                    "parts": [
                        {"part": 1, "text": "The cafe has good espresso."},
                        {"part": 2, "text": "The cafe opens at eight."},
                    ],
                },
                {"id": 3, "text": "I work on Fridays", "said": "1970-01-03", "speaker": "eve"},
            ],
        }
    ]
    assert judge.judge(SOLD, BIKE) is not None
    assert judge.judge(SOLD, CAFE) is None
    assert judge.judge(SOLD, mine) is None
    judge.prepare(SOLD, [BIKE])
    assert len(model.questions) == 1


def test_the_schema_is_that_of_the_answer() -> None:
    """What the endpoint is asked to enforce is what is read, and the prompt shows an example."""
    model = Scripted(answer("separate"))
    judge = PromptedJudge(model.ask, "qwen")
    assert judge.name == "prompt-1:qwen"
    judge.prepare(SOLD, [BIKE])
    schema = json.dumps(model.schema)
    for word in ("replaces", "replaces_part", "repeats", "refines", "separate"):
        assert f'"{word}"' in schema
        assert f'"{word}"' in model.system
    example = model.system[model.system.rindex('{"answers"') :]
    assert judged(SOLD, BIKE, *json.loads(example)["answers"]) is None


@pytest.mark.parametrize("relation", ["repeats", "refines", "separate"])
def test_what_replaces_nothing_is_no_contradiction(relation: str) -> None:
    """However sure the model is, or unsure."""
    for confidence in (0, 0.5, 1):
        assert judged(SOLD, BIKE, answer(relation, confidence)) is None


def test_a_replacement_is_a_contradiction_of_its_confidence() -> None:
    """Nothing of the old statement is kept, and no model is as sure as a rule."""
    found = judged(SOLD, BIKE, answer("replaces", 0.8))
    assert found is not None
    assert (found.confidence, found.kept, found.severity) == (0.8, "", "minor")
    assert "Ben sold the bike" in found.reason
    sure = judged(SOLD, BIKE, answer("replaces", 1))
    assert sure is not None
    assert sure.confidence == 0.999


def test_what_still_holds_is_put_together_from_the_old_text() -> None:
    """The model names parts by number, so that no text of its own is stored."""
    found = judged(CLOSED, CAFE, answer("replaces_part", holds=(2,)))
    assert found is not None
    assert found.kept == "The cafe opens at eight."


@pytest.mark.parametrize("holds", [(), (1, 2), (7,), (-1,)])
def test_what_still_holds_may_be_unknown(holds: tuple[int, ...]) -> None:
    """If the parts do not tell, the judge says so, and nothing of the old memory is lost."""
    found = judged(CLOSED, CAFE, answer("replaces_part", holds=holds))
    assert found is not None
    assert found.kept is None


def test_a_rule_that_decides_needs_no_model() -> None:
    """What rules find they can explain, and it is not sent."""
    model = Scripted()
    judge = PromptedJudge(model.ask, "m")
    found = judge.judge(Statement("Dana lives in Lyon"), Statement("Dana lives in Paris"))
    assert found is not None
    assert (found.confidence, found.attribute is not None) == (1.0, True)
    assert model.questions == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (answer("replaces_part", holds=(1,)), "Dana works at Acme."),
        (answer("replaces_part", 0.6, holds=(1,)), None),
        (answer("replaces"), ""),
        (answer("separate"), None),
    ],
)
def test_the_model_says_what_a_rule_leaves_standing(
    said: dict[str, object], kept: str | None
) -> None:
    """If a rule contradicts one of two facts, the model tells of the other, if it is sure."""
    old = Statement("Dana works at Acme and lives in Lyon")
    found = judged(Statement("Dana lives in Paris"), old, said)
    assert found is not None
    assert (found.confidence, found.kept) == (1.0, kept)


@pytest.mark.parametrize(
    "new",
    [
        "Did Ben think of selling the bike?  Suppose Ben sold it.",
        "If Ben sold the bike, he would be sad.",
    ],
)
def test_a_rule_can_speak_against_the_model(new: str) -> None:
    """Questions and suppositions are offered at most."""
    found = judged(
        Statement(new), Statement("The motorbike of Ben Ode is his joy"), answer("replaces", 1)
    )
    assert found is not None
    assert found.confidence == 0.5


def test_the_model_decides_about_reports() -> None:
    """What somebody said, or "they" did, may well be so."""
    new = Statement("They sold Ben's motorbike, Eve says.")
    old = Statement("The motorbike of Ben Ode is his joy")
    found = judged(new, old, answer("replaces", 1))
    assert found is not None
    assert found.confidence == SUREST


def test_two_speakers_and_two_periods_are_not_compared() -> None:
    """What two people say of themselves excludes nothing, nor does what ended before."""
    model = Scripted()
    judge = PromptedJudge(model.ask, "m")
    mine, hers = Statement("I gave up my bike", "user:ben"), Statement("I love my bike", "user:eve")
    assert judge.judge(mine, hers) is None
    ended = Statement("Ben loves his bike", valid_until=1)
    assert judge.judge(Statement("Ben sold the bike", valid_from=2), ended) is None
    assert model.questions == []


def test_long_texts_are_not_sent() -> None:
    """Neither a long text, nor what does not fit into one question; the likeliest is first."""
    model = Scripted(*[answer("separate", number=number) for number in range(1, 5)])
    judge = PromptedJudge(model.ask, "m")
    long = Statement("Ben's diary tells of the sea. " * 80)
    assert len(long.text) > LONGEST_BYTES
    assert judge.judge(SOLD, long) is None
    assert judge.judge(long, BIKE) is None
    assert model.questions == []
    olds = [Statement(f"{number} is the number of the bus " + "ü" * 850) for number in range(9)]
    judge.prepare(SOLD, olds)
    (question,) = model.questions
    assert isinstance(question["old"], list)
    assert [old["text"][0] for old in question["old"]] == ["0", "1", "2", "3"]
    assert len(json.dumps(question, ensure_ascii=False).encode()) < MOST_BYTES
    assert judge.judge(SOLD, olds[8]) is None
    assert len(model.questions) == 1


def test_questions_state_nothing() -> None:
    """They are not judged, whatever their length; statements are."""
    judge = PromptedJudge(Scripted().ask, "m")
    assert not judge.reads("Where is the bike? Who has it?")
    assert judge.reads(SOLD.text)
    assert not judge.reads("hm " * 1_000)


@pytest.mark.parametrize(
    "answers",
    [
        [],
        [answer("replaces", number=2)],
        [answer("replaces"), answer("separate", number=2)],
        [answer("replaces"), answer("replaces")],
        [answer("replaces", 1.01)],
        [answer("replaces", -0.01)],
        [answer("explains")],
        [answer("replaces") | {"reason": "so it seems"}],
        [{"id": 1, "relation": "replaces"}],
        [answer("replaces") | {"id": "1"}],
        [answer("replaces") | {"confidence": "high"}],
        [answer("replaces") | {"holds": None}],
        ["replaces"],
    ],
)
def test_an_answer_that_does_not_fit_is_an_error(answers: list[object]) -> None:
    """Each statement has one answer by the schema, or nothing of the answer counts."""
    with pytest.raises(ModelFailed, match=r"^m .*schema$"):
        judged(SOLD, BIKE, *answers)


@pytest.mark.parametrize(
    "text", ["", "replaces", "{", "[" * 100_000, "null", "\ud800", '"\\ud800"']
)
def test_what_is_no_json_is_an_error(text: str) -> None:
    """Whatever the model writes instead."""
    model = Scripted()
    model.text = text
    with pytest.raises(ModelFailed, match="form that is not known"):
        PromptedJudge(model.ask, "m").judge(SOLD, BIKE)


def test_a_fence_around_the_answer_is_no_error() -> None:
    """Models without a schema put one there."""
    model = Scripted(answer("replaces"))
    model.text = f"\n```json\n{model.text}\n```\n"
    assert PromptedJudge(model.ask, "m").judge(SOLD, BIKE) is not None


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_leaves_its_place_in_the_question(new: str, old: str) -> None:
    """Whatever a text says, it is one string among the data, and the prompt is the same."""
    model = Scripted(answer("separate"))
    judge = PromptedJudge(model.ask, "m")
    judge.prepare(Statement(new), [Statement(old)])
    for question in model.questions:
        assert isinstance(question["new"], dict)
        assert isinstance(question["old"], list)
        assert question["new"]["text"] == new
        assert [one["text"] for one in question["old"]] == [old]
        assert question["old"][0]["id"] == 1
        assert new == "" or len(new) < 8 or new not in model.system
