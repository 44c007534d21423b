"""Recognition reads a whole batch at once, with the result of reading each text alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from mnemolog.application.storing.recogniser import SentenceQuestion, recognise
from mnemolog.indexes.embedder import MiniLM, Span, Vectors
from mnemolog.ledger.errors import EmbedderUnavailable
from mnemolog.policies.constraints import instructions, likeness
from mnemolog.policies.constraints.batch_likeness import meaning, sentence_words
from mnemolog.policies.constraints.likeness import word_likeness

TEXTS = [
    "My name is Priya Raman. We had pizza. It rained all day.",
    "Tim is allergic to walnuts",
    "Please answer in short bullet points. Thanks for yesterday!",
    "The dentist appointment is on Tuesday. Did you buy milk?",
    "The treasurer tears up every invoice beyond 400 euros.",
    "We had pizza. The dog slept, the cat too. I'd rather you asked than guessed.",
    "?",
]


class Counted:
    """The built-in embedder, with a list of the texts of each call."""

    name, dimensions = MiniLM.name, MiniLM.dimensions

    def __init__(self) -> None:
        """Load the model at the first call."""
        self._model = MiniLM()
        self.calls: list[list[str]] = []
        self.spans: list[Span] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Vectors of texts."""
        self.calls.append([*texts])
        return self._model.embed(texts)

    def embed_parts(
        self, texts: Sequence[str], parts: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        """Vectors of texts and of parts of them."""
        self.calls.append([*texts])
        self.spans += [span for spans in parts for span in spans]
        return self._model.embed_parts(texts, parts)


class Missing(Counted):
    """An embedder whose model is not there."""

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Raise."""
        raise EmbedderUnavailable(f"no model for {len(texts)} texts")


def asked(text: str, *, constraint: bool = True) -> SentenceQuestion:
    """Everything asked of a text, or all but its constraint."""
    return SentenceQuestion(text, text, constraint, instructs=True, lasting=True)


class WholeTexts:
    """The built-in embedder without what it makes of sentences in passing."""

    name, dimensions = MiniLM.name, MiniLM.dimensions

    def __init__(self) -> None:
        """Load the model at the first call."""
        self.embed = MiniLM().embed


def test_a_batch_gives_what_its_texts_give_alone() -> None:
    """By four calls of the embedder at most, and no text is embedded twice."""
    embedder = Counted()
    alone = [recognise([asked(text)], embedder)[0] for text in TEXTS]
    embedder.calls.clear()
    assert recognise([asked(text) for text in TEXTS * 2], embedder) == alone * 2
    embedded = [text for call in embedder.calls for text in call]
    assert len(embedder.calls) <= 4
    assert len(embedded) == len({*embedded})
    assert alone[1].constraint == "safety"
    assert [one.instructs for one in alone] == [False, False, True, False, False, True, False]


@pytest.mark.parametrize(
    ("text", "sentence", "lasts"),
    [
        ("The bus was late. It rained all day.", None, False),
        ("Omar used to teach chemistry. He speaks Greek.", None, True),
        ("I grew up near the sea. The bus was late today.", None, True),
        ("We had pizza. She plays the cello.", "She plays the cello.", True),
    ],
)
def test_sentences_are_embedded_only_where_the_text_leaves_doubt(
    text: str, sentence: str | None, *, lasts: bool
) -> None:
    """What a text states is mostly plain from its own vector and its words in passing."""
    embedder = Counted()
    assert recognise([asked(text)], embedder)[0].lasting is lasts
    assert embedder.calls == ([[text]] if sentence is None else [[text], [sentence]])


def test_an_embedder_of_whole_texts_gives_the_same() -> None:
    """Each sentence that may state something is embedded on its own."""
    asking = [asked(text) for text in TEXTS]
    assert recognise(asking, WholeTexts()) == recognise(asking, Counted())


def test_sentences_are_found_behind_a_header() -> None:
    """Place and category, a speaker, and the same words before them do not move them."""
    one = asked("Dana: I keep bees. My sister works nights; it rained. I keep bees.")
    embedded, embedder = f"home/garden advice\n{one.text}", Counted()
    recognise([one._replace(embedded=embedded)], embedder)
    parts = [embedded[begin:end] for begin, end in embedder.spans]
    assert parts == ["I keep bees.", "My sister works nights", "I keep bees."]
    assert embedder.spans == sorted({*embedder.spans})


def test_what_is_not_asked_is_neither_embedded_nor_found() -> None:
    """The caller, or the settings, may leave out each of the questions."""
    embedder = Counted()
    nothing = SentenceQuestion(TEXTS[1], TEXTS[1], constraint=False, instructs=False, lasting=False)
    assert [*recognise([nothing], embedder)[0]] == [None, False, False]
    assert embedder.calls == []
    assert recognise([asked(TEXTS[1], constraint=False)], embedder)[0].constraint is None
    assert recognise([], embedder) == []


def test_without_an_embedder_words_and_rules_decide() -> None:
    """An unavailable model leaves the class that a rule finds."""
    found = recognise([asked(text) for text in TEXTS], Missing())
    assert found[1].constraint == "safety"
    assert found[2].instructs


@pytest.mark.parametrize("rows", [1, 3, 300])
def test_likeness_in_a_batch_is_that_of_each_sentence(rows: int) -> None:
    """However many are compared at once."""
    weights = likeness.fitted_weights()
    vectors = np.resize(weights.landmarks, (rows, weights.landmarks.shape[1]))
    near = meaning(vectors, weights)
    for row in {0, rows - 1}:
        plain = likeness.kernel(weights.landmarks @ vectors[row]) @ weights.by_landmark
        assert np.allclose(near[row], plain, atol=1e-3)


def test_words_of_a_batch_weigh_as_those_of_each_sentence() -> None:
    """Also for a sentence without a known word."""
    words = sentence_words(TEXTS)
    for place, text in enumerate(TEXTS):
        limits = word_likeness(text, likeness.fitted_weights())
        instructs = word_likeness(
            text, instructions.instruction_weights(), instructions.instruction_grams
        )
        assert words.limits.alone[place] == pytest.approx(limits, abs=1e-5)
        assert words.instructions.alone[place] == pytest.approx(instructs, abs=1e-5)
