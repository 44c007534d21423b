"""Indexing in the background: no question waits for a backlog, and each says what it lacked."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from mnemolog import Memory
from mnemolog.ledger.errors import InvalidField
from tests.homes import BagOfWords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

WAIT_S = 20.0
NOTES = [f"note {number}: the heron stood in pond {number}" for number in range(300)]


class GatedWords(BagOfWords):
    """An embedder that embeds notes only while its gate is open."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.failing = False

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if any(text.startswith("note") for text in texts):
            assert self.gate.wait(WAIT_S)
            if self.failing:
                raise OSError("the model is gone")
        return super().embed(texts)


@pytest.fixture
def embedder() -> Iterator[GatedWords]:
    """An embedder whose gate is closed."""
    made = GatedWords()
    yield made
    made.gate.set()


def eventually(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    until = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


def by_meaning(memory: Memory) -> list[str]:
    """The texts that are nearest in meaning to one of the notes."""
    found = memory.recall(NOTES[271].removeprefix("note "), strategy="semantic", limit=50)
    return [hit.content for hit in found.hits]


def test_a_question_answers_by_words_before_memories_are_embedded(
    tmp_path: Path, embedder: GatedWords
) -> None:
    """It says how many were searched by words alone, and none are once they are embedded."""
    with Memory.open(tmp_path, embedder=embedder, indexing="background") as memory:
        memory.remember_many(NOTES, contradictions="off")
        found = memory.recall("which heron stood in pond 271?")
        assert found.hits[0].content == NOTES[271]
        assert found.unembedded == len(NOTES)
        assert by_meaning(memory) == []
        embedder.gate.set()
        eventually(lambda: memory.recall("heron").unembedded == 0)
        assert NOTES[271] in by_meaning(memory)


def test_appended_memories_are_embedded_without_a_question(
    tmp_path: Path, embedder: GatedWords
) -> None:
    """Once a space was asked, each append is embedded, before the next question notices it."""
    embedder.gate.set()
    with Memory.open(tmp_path, embedder=embedder, indexing="background") as memory:
        memory.recall("anything")
        memory.remember(NOTES[0], contradictions="off")
        eventually(lambda: memory.upkeep.stats().vectors == 1)
        # Also those that come while others are embedded.
        embedder.gate.clear()
        for note in NOTES[1:5]:
            memory.remember(note, contradictions="off")
        embedder.gate.set()
        eventually(lambda: memory.upkeep.stats().vectors == 5)


def test_the_answers_of_both_ways_are_the_same_in_the_end(
    tmp_path: Path, embedder: GatedWords
) -> None:
    """Words alone, then in the background, or at once: one index comes of it."""
    embedder.gate.set()
    answers = []
    for indexing in ("background", "foreground"):
        home = tmp_path / indexing
        with Memory.open(home, embedder=embedder, indexing=indexing) as memory:
            memory.remember_many(NOTES, contradictions="off")
            eventually(lambda memory=memory: memory.recall("heron").unembedded == 0)
            answers.append([one.content for one in memory.recall("heron in pond 17").hits])
    assert answers[0] == answers[1]


def test_a_handle_closes_before_its_backlog_is_embedded(
    tmp_path: Path, embedder: GatedWords
) -> None:
    """The rest waits for the next process, which embeds it before it answers."""
    memory = Memory.open(tmp_path, embedder=embedder, indexing="background")
    memory.remember_many(NOTES, contradictions="off")
    assert memory.recall("heron").unembedded
    embedder.gate.set()
    memory.close()
    with Memory.open(tmp_path, embedder=embedder) as memory:
        assert NOTES[271] in by_meaning(memory)


def test_an_embedder_that_fails_in_the_background_is_told_once(
    tmp_path: Path, embedder: GatedWords
) -> None:
    """Questions go on by words, and the memories are embedded once it works again."""
    embedder.failing = True
    embedder.gate.set()
    with Memory.open(tmp_path, embedder=embedder, indexing="background") as memory:
        memory.remember_many(NOTES, contradictions="off")
        for _ in range(3):
            assert memory.recall("heron pond 12").hits[0].content == NOTES[12]
            eventually(lambda: any("the model is gone" in one for one in memory.notices))
        embedder.failing = False
        eventually(lambda: memory.recall("heron").unembedded == 0)
        assert sum("the model is gone" in one for one in memory.notices) == 1


def test_a_command_survives_that_no_thread_can_be_had(
    tmp_path: Path, embedder: GatedWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it stored is stored, and a later question finds a thread."""
    embedder.gate.set()
    with Memory.open(tmp_path, embedder=embedder, indexing="background") as memory:
        memory.recall("anything")

        def refused(_: object) -> None:
            raise RuntimeError("can't start new thread")

        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", refused)
            assert memory.remember(NOTES[0], contradictions="off").position == 1
            assert memory.recall("heron").hits
        eventually(lambda: memory.recall("heron").unembedded == 0)


def test_an_unknown_way_of_indexing_is_refused(tmp_path: Path) -> None:
    """The error names the parameter, and nothing is created."""
    with pytest.raises(InvalidField, match="indexing"):
        Memory.open(tmp_path / "home", indexing="later")  # type: ignore[arg-type]
    assert not (tmp_path / "home").exists()
