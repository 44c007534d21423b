"""Several agents on one open home: a handle for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog import InvalidField, Memory
from tests.homes import HandClock, open_home


def test_a_handle_acts_for_another(memory: Memory) -> None:
    """What is written through it is of its space, actor and run; what is not named stays."""
    memory.remember("Dana prefers green tea")
    with memory.acting("work", actor="agent:planner", run="talk-2") as planner:
        planner.remember("Ben reviews the parser")
        assert [item.content for item in planner.list()] == ["Ben reviews the parser"]
        (event,) = planner.log.events()
    assert (event.space, event.actor, event.correlation_id) == ("work", "agent:planner", "talk-2")
    with memory.acting(actor="agent:scribe") as scribe:
        scribe.remember("Dana is at home in Oslo")
    first, second = memory.log.events()
    assert (first.actor, second.actor) == ("user:dana", "agent:scribe")
    assert first.correlation_id == second.correlation_id == "talk"


def test_what_it_reported_as_used_is_written_when_it_is_closed(memory: Memory) -> None:
    """Closing it writes its uses and leaves the home open, for the others and for itself."""
    stored = str(memory.remember("Dana prefers green tea").memory_id)
    agent = memory.acting(actor="agent:planner")
    agent.use(stored)
    agent.close()
    agent.close()
    assert memory.get(stored).accesses == 1
    assert [event.actor for event in memory.log.events(kinds=("recalled",))] == ["agent:planner"]
    assert memory.acting("work").list() == ()


@pytest.mark.parametrize("given", [{"space": ""}, {"actor": "dana"}, {"run": "\n"}])
def test_bad_names_are_refused(memory: Memory, given: dict[str, str]) -> None:
    """The same names are refused as where a home is opened."""
    with pytest.raises(InvalidField):
        memory.acting(**given)


def test_what_a_question_would_do_first_is_done_beforehand(
    memory: Memory, tmp_path: Path, clock: HandClock
) -> None:
    """`catch_up` embeds what another wrote, tells how far it is, and has nothing left to do."""
    with open_home(tmp_path / "home", clock=clock) as other:
        other.remember_many([f"Note {number}" for number in range(300)], contradictions="off")
    heard: list[tuple[str, int, int]] = []
    assert memory.upkeep.catch_up(lambda *step: heard.append(step)) == 300
    assert heard[-1] == ("indexing", 300, 300)
    heard.clear()
    assert memory.upkeep.catch_up(lambda *step: heard.append(step)) == 300
    assert heard == []
