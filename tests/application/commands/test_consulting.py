"""What a judge and a summarizer are asked, how often, and while who waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from mnemolog import Memory
from mnemolog.application.commands.consulting import Consulted, Failure, Unasked, in_turn
from mnemolog.policies.retention.summaries import ExtractiveSummarizer
from tests.homes import BagOfWords


class Counting:
    """A summarizer that notes what it is asked, and whether it was in a turn."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[tuple[str, bool]] = []
        self.taken = False

    def summary(self, text: str) -> str:
        """The text in capitals; it fails at an empty one."""
        self.asked.append((text, self.taken))
        if not text:
            raise OSError("out of breath")
        return text.upper()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A turn, for which others would wait."""
        self.taken = True
        try:
            yield
        finally:
            self.taken = False


@pytest.fixture
def model() -> Counting:
    """A model of a caller's own."""
    return Counting()


@pytest.fixture
def consulted(tmp_path: Path, model: Counting) -> Iterator[Consulted]:
    """What one command consults."""
    with Memory.open(tmp_path / "home", embedder=BagOfWords(), summarizer=model) as memory:
        yield Consulted(memory._space.home)


def test_a_model_is_asked_once_and_in_no_turn(model: Counting, consulted: Consulted) -> None:
    """What an act needs to hear is asked before its turn, all of it at once, failures included."""

    def act(consulted: Consulted) -> list[str | Failure]:
        return [consulted.summary(text) for text in ("tea", "", "tea", "salt")]

    said = in_turn(consulted, model.turn, act, act)
    assert said == ["TEA", Failure("out of breath"), "TEA", "SALT"]
    assert model.asked == [("tea", False), ("", False), ("salt", False)]


def test_what_needs_no_answer_is_not_rehearsed(model: Counting, consulted: Consulted) -> None:
    """An act that asks nothing is carried out in its turn at once."""
    assert in_turn(consulted, model.turn, lambda _: pytest.fail("rehearsed"), lambda _: 7) == 7


def test_an_act_that_always_asks_something_new_comes_to_its_end(
    model: Counting, consulted: Consulted
) -> None:
    """After some rehearsals others have to wait for the answer."""
    numbers = count()

    def act(consulted: Consulted) -> str | Failure:
        return consulted.summary(f"tea {next(numbers)}")

    assert in_turn(consulted, model.turn, act, act) == "TEA 16"
    assert [taken for _, taken in model.asked] == [False] * 8 + [True]


def test_what_is_built_in_is_asked_in_the_turn(tmp_path: Path, model: Counting) -> None:
    """The built-in summarizer answers at once: nothing is decided twice for it."""
    with Memory.open(tmp_path / "home", embedder=BagOfWords()) as memory:
        said = in_turn(
            Consulted(memory._space.home),
            model.turn,
            lambda _: pytest.fail("rehearsed"),
            lambda consulted: consulted.summary("Dana drinks tea. It is green."),
        )
    assert said == "Dana drinks tea."


class Deriving(ExtractiveSummarizer):
    """A model of a caller's own that has the built-in one to fall back on."""


def test_what_a_caller_derives_from_what_is_built_in_is_asked_in_no_turn(tmp_path: Path) -> None:
    """It may think like any other."""
    with Memory.open(tmp_path / "home", embedder=BagOfWords(), summarizer=Deriving()) as memory:
        consulted = Consulted(memory._space.home)
        with consulted.others_wait(), pytest.raises(Unasked):
            consulted.summary("Dana drinks tea.")
        assert consulted.summary("Dana drinks tea. It is green.") == "Dana drinks tea."
