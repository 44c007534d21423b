"""A log that chains well and holds what no command wrote: every question answers or says why."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from mnemolog import Memory
from mnemolog.ledger.errors import CorruptLog, InvalidState
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from tests.homes import DAY, HandClock, open_home, undo_last
from tests.hostile_events import hostile

_STEP = {"hunt": 1, "soak": 11}.get(os.environ.get("HYPOTHESIS_PROFILE", ""), 83)
"""Every which payload is tried: all of them take a quarter of an hour."""
_TEA = MemoryId("0a" * 16)

QUESTIONS: dict[str, Callable[[Memory], object]] = {
    "recall": lambda memory: memory.recall("tea"),
    "list": lambda memory: memory.list(),
    "events": lambda memory: list(memory.log.events()),
    "history": lambda memory: memory.history(_TEA),
    "settings": lambda memory: memory.settings(),
    "verify": lambda memory: memory.log.verify(),
    "rebuild": lambda memory: memory.upkeep.rebuild(),
    "doctor": lambda memory: memory.upkeep.doctor(),
    "context": lambda memory: memory.context("tea"),
    "ask": lambda memory: memory.ask("what does Dana drink", layers=["palace"]),
    "plan": lambda memory: memory.plan("what to buy", ["tea", "juice"]),
    "health": lambda memory: memory.upkeep.health(),
    "remember": lambda memory: memory.remember("Dana drinks juice now"),
    "tick": lambda memory: memory.upkeep.tick(confirmed=True),
    "maintain": lambda memory: memory.upkeep.maintain(),
    "undo": undo_last,
    "as of": lambda memory: memory.as_of(2).recall("tea"),
    "redact": lambda memory: memory.redact(_TEA),
}


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A home with two memories, and views and an index of them."""
    with open_home(tmp_path / "begun") as memory:
        memory.remember("Dana drinks tea", id=_TEA)
        memory.remember("Dana lives in Paris")
        memory.recall("tea")
    return tmp_path / "begun"


def problem_of(ask: Callable[[], object]) -> int | None:
    """The last good position that an error names; None for an answer, or nothing to redact."""
    try:
        ask()
    except CorruptLog as error:
        return error.last_good
    except InvalidState:
        return None
    return None


def test_every_question_to_a_hostile_log_answers_or_says_which_event_it_is(
    begun: Path, tmp_path: Path
) -> None:
    """No field of any kind, whatever it holds, comes to another error than a typed one."""
    home = tmp_path / "home"
    for name, draft in list(hostile(_TEA))[::_STEP]:
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(begun, home)
        log = SqliteLog(home / "ledger.db")
        log.append([draft])
        log.close()
        clock = HandClock()
        clock.move(400 * DAY)
        with open_home(home, clock=clock) as memory:
            for what, ask in QUESTIONS.items():
                assert problem_of(partial(ask, memory)) in {None, 2}, (name, what)


def test_what_lies_before_a_hostile_event_is_answered_still(begun: Path) -> None:
    """As of the last good position a recall finds what was there, and the event is named."""
    log = SqliteLog(begun / "ledger.db")
    (draft,) = [one for name, one in hostile(_TEA) if name == "superseded.by 23"]
    log.append([draft])
    log.close()
    with open_home(begun) as memory:
        with pytest.raises(CorruptLog, match=r"event 3 \('superseded'\) cannot be read") as raised:
            memory.recall("tea")
        assert raised.value.last_good == 2
        assert memory.as_of(2).recall("tea").hits[0].memory_id == _TEA
        assert {finding.level for finding in memory.upkeep.doctor().findings} > {"ok"}


def test_an_unknown_kind_is_carried_whatever_it_holds(begun: Path) -> None:
    """What nobody reads harms no answer, and goes on chaining."""
    log = SqliteLog(begun / "ledger.db")
    log.append([one for name, one in hostile(_TEA) if name.startswith("unknown")])
    assert log.head().position == Position(5)
    log.close()
    with open_home(begun) as memory:
        assert memory.recall("tea").hits
        assert memory.log.verify().events == 5
        assert memory.upkeep.rebuild().position == 5
