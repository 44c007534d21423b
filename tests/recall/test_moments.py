"""Recall as of a moment is recall over a log that was cut there."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from hashed_words import HashedWords
from hypothesis import HealthCheck, given, settings, strategies as st

from mnemolog import CannotUndo, Hit, InvalidState, Memory, NewMemory
from mnemolog.ledger.ids import Position
from tests.homes import undo_last

if TYPE_CHECKING:
    from conftest import SetClock

_WORDS = ("kettle", "ladder", "compass", "violin", "lantern", "orchard", "saddle", "anchor")
_CUES = ("the kettle and the ladder", "lanteern", "who tuned the violin?", "item-7")
_MANY = 8_600
_CUT = 8_300


def _cut_at(memory: Memory, position: int, target: Path, clock: SetClock) -> Memory:
    """Another home, whose log holds today's events up to a position and nothing more."""
    cut = Memory.open(target, memory.space, clock=clock, embedder=HashedWords())
    cut._space.home.log.adopt(memory._space.home.log.read(Position(0), position))
    return cut


def _seen(hits: tuple[Hit, ...]) -> list[tuple[object, ...]]:
    return [msgspec.structs.astuple(hit) for hit in hits]


def _text(chance: random.Random, number: int) -> str:
    return f"item-{number} " + " ".join(chance.choices(_WORDS, k=chance.randrange(1, 6)))


def _live_a_little(memory: Memory, chance: random.Random, clock: SetClock) -> None:
    """Memories that come, are corrected, withdrawn and brought back, over some days."""
    ids = []
    for number in range(40):
        clock.pass_days(chance.random())
        what = chance.random()
        if what < 0.6 or not ids:
            item = NewMemory(_text(chance, number), tags=(chance.choice(_WORDS),))
            ids.append(memory.remember(item).memory_id or "")
        elif what < 0.8:
            old = chance.choice(ids)
            ids.append(memory.supersede(old, _text(chance, number)).memory_id or "")
        elif what < 0.9:
            with suppress(InvalidState):
                memory.withdraw(chance.choice(ids))
        else:
            with suppress(CannotUndo):
                undo_last(memory)


@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32), based=st.booleans())
def test_a_moment_answers_like_a_log_cut_there(
    tmp_path_factory: pytest.TempPathFactory, clock: SetClock, seed: int, *, based: bool
) -> None:
    """The same hits in the same order with the same scores, with an index base or without."""
    chance = random.Random(seed)
    root = tmp_path_factory.mktemp("moments")
    with Memory.open(root / "whole", "home", clock=clock, embedder=HashedWords()) as memory:
        _live_a_little(memory, chance, clock)
        if based:
            memory.upkeep.rebuild()
        head = memory.log.checkpoint().position
        for position in sorted({head, chance.randrange(1, head), chance.randrange(1, head)}):
            with _cut_at(memory, position, root / f"cut-{position}", clock) as cut:
                for cue in _CUES:
                    for filters in ({}, {"tags": ("kettle",)}, {"strategy": "rrf"}):
                        then = memory.as_of(position).recall(cue, **filters)
                        assert _seen(then.hits) == _seen(
                            cut.as_of(position).recall(cue, **filters).hits
                        )


def test_a_moment_of_a_large_space_answers_like_a_log_cut_there(
    tmp_path: Path, clock: SetClock
) -> None:
    """The law holds where vectors are narrowed by codes, not compared one by one."""
    chance = random.Random(7)
    with Memory.open(tmp_path / "whole", "home", clock=clock, embedder=HashedWords()) as memory:
        memory.remember_many([_text(chance, number) for number in range(_MANY)])
        with _cut_at(memory, _CUT, tmp_path / "cut", clock) as cut:
            for cue in _CUES:
                for strategy in ("hybrid", "semantic"):
                    then = memory.as_of(_CUT).recall(cue, strategy=strategy, min_relevance=0)
                    again = cut.as_of(_CUT).recall(cue, strategy=strategy, min_relevance=0)
                    assert len(then.hits) == 10
                    assert _seen(then.hits) == _seen(again.hits)


def test_a_moment_knows_no_speaker_who_came_later(tmp_path: Path, clock: SetClock) -> None:
    """Who speaks only after a moment does not change how that moment's answers rank."""
    with Memory.open(tmp_path / "home", "home", clock=clock, embedder=HashedWords()) as memory:
        memory.remember("the kettle of mara")
        head = memory.log.checkpoint().position
        before = memory.as_of(head).recall("mara kettle")
        memory.remember("Mara: the ladder is mine")
        assert memory.recall("ladder").hits
        assert memory.as_of(head).recall("mara kettle") == before


def test_a_past_moment_forgets_what_another_handle_redacts(
    memory: Memory, tmp_path: Path, clock: SetClock
) -> None:
    """What is redacted elsewhere stops counting in a moment that was already asked about."""
    first = memory.remember("the kettle and the ladder").memory_id or ""
    memory.remember("a ladder of the orchard")
    head = memory.log.checkpoint().position
    then = memory.as_of(head)
    before = then.recall("ladder kettle", min_relevance=0).hits
    assert [hit.explanation.ranks["semantic"] for hit in before] == [1, 2]
    with Memory.open(tmp_path / "home", "home", clock=clock, embedder=HashedWords()) as other:
        other.redact(first)
        with _cut_at(memory, head, tmp_path / "cut", clock) as cut:
            for strategy in ("hybrid", "semantic", "keyword", "rrf"):
                asked = {"strategy": strategy, "min_relevance": 0}
                found = then.recall("ladder kettle", **asked)
                assert found == cut.as_of(head).recall("ladder kettle", **asked)
                assert len(found.hits) == 1
