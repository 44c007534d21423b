"""The same history under other settings."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from mnemolog import LabelledQuestion, Memory, NewEvent, counterfactual
from mnemolog.ledger.errors import HomeNotEmpty, InvalidField, UnknownMemory
from mnemolog.ledger.events import Recalled
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.vocabulary import encode_payload
from tests.files import holding
from tests.homes import ALL_TIERS, DAY, BagOfWords, HandClock, draft, open_home


def lived(home: Path) -> dict[str, str]:
    """A life of two hundred days with ticks, uses with their cues, and a redaction; ids by name."""
    clock = HandClock()
    with open_home(home, clock=clock) as memory:
        memory.configure({"contradictions": "off", "keep_cues": True, **ALL_TIERS})
        ids = {
            "boiler": _stored(memory, "the boiler in the cellar leaks"),
            "ferry": _stored(memory, "the ferry leaves at eight"),
            "secret": _stored(memory, "the code of the safe is walnut"),
        }
        memory.redact(ids["secret"])
        for day in range(200):
            if day in {20, 40, 60}:
                memory.use(ids["ferry"], cue="when does the ferry leave?")
            if day == 160:
                memory.use(ids["ferry"], cue="what leaks in the cellar?")
            memory.upkeep.write_uses()
            memory.upkeep.tick(confirmed=True)
            clock.move(DAY)
    return ids


def _stored(memory: Memory, text: str) -> str:
    return memory.remember(text, kind="episodic").memory_id or ""


def compare(home: Path, settings: dict[str, float | str | None], **how: object) -> object:
    """The history of a home under other settings."""
    return counterfactual(home, settings, embedder=BagOfWords(), **how)  # type: ignore[arg-type]


def test_the_same_settings_come_to_the_same(tmp_path: Path) -> None:
    """Told again as it was, no memory is in another tier and no recall answers otherwise."""
    lived(tmp_path / "home")
    told = compare(tmp_path / "home", {})
    assert (told.tiers, told.answers, told.cues, told.unreadable) == ((), (), 4, 1)


@pytest.mark.parametrize("undone", ["ticked", "recalled", "weakened"])
def test_what_was_undone_is_undone_here_too(tmp_path: Path, undone: str) -> None:
    """The tier that an undo gave back is the same when the history is told again as it was."""
    clock = HandClock()
    with open_home(tmp_path / "home", clock=clock) as memory:
        one = _stored(memory, "the boiler in the cellar leaks")
        memory.log.append([NewEvent("weakened", {"factor": 0.2}, memory_id=one)])
        clock.move(33 * DAY)
        memory.upkeep.tick(confirmed=True)
        memory.use(one)
        memory.upkeep.write_uses()
        events = [*memory.log.events(kinds=("ticked", "recalled", "weakened"))]
        for event in reversed(events):
            memory.undo(event.event_id)
            if event.kind == undone:
                break
        status = memory.get(one).status
    assert compare(tmp_path / "home", {}).tiers == (), status


def test_what_was_deleted_is_told_of_too(tmp_path: Path) -> None:
    """A memory that faded until its text was destroyed is in another tier where it would not."""
    clock = HandClock()
    with open_home(tmp_path / "home", clock=clock) as memory:
        memory.configure(ALL_TIERS)
        one = _stored(memory, "the boiler in the cellar leaks")
        clock.move(400 * DAY)
        memory.upkeep.tick(confirmed=True)
    assert compare(tmp_path / "home", {}).tiers == ()
    told = compare(tmp_path / "home", {"forgetting_speed": 0.0})
    (other,) = told.tiers
    assert (other.memory_id, other.content) == (one, None)
    assert (other.before, other.after, told.unreadable) == ("deleted", "active", 1)


def test_slower_forgetting_keeps_what_had_faded(tmp_path: Path) -> None:
    """With time standing still a tombstone would be active, and would have answered its cue."""
    ids = lived(tmp_path / "home")
    asked = [LabelledQuestion("what leaks in the cellar?", (ids["boiler"],))]
    told = compare(tmp_path / "home", {"forgetting_speed": 0.0}, questions=asked)
    assert {(one.memory_id, one.before, one.after) for one in told.tiers} == {
        (ids["boiler"], "tombstone", "active"),
        (ids["ferry"], "summarized", "active"),
    }
    (answer,) = told.answers
    assert answer.cue == "what leaks in the cellar?"
    assert ids["boiler"] in answer.after
    assert ids["boiler"] not in answer.before
    real, other = told.questions
    assert (real.recall_at_10, other.recall_at_10) == (0.0, 1.0)


def test_an_empty_cue_of_a_log_is_asked_of_nobody(tmp_path: Path) -> None:
    """A log that holds one is told again all the same, and the use counts on both sides."""
    with open_home(tmp_path / "home") as memory:
        one = _stored(memory, "the ferry leaves at eight")
        structure = encode_payload(Recalled((MemoryId(one),), memory._space.home.clock.now()))
        use = draft(kind="recalled", content=b'{"cue":" "}')
        memory._space.home.log.append([msgspec.structs.replace(use, structure=structure)])
        assert memory.get(one).accesses == 1
    told = compare(tmp_path / "home", {})
    assert (told.tiers, told.answers, told.cues, told.events) == ((), (), 0, 2)


def test_the_scratch_home_is_kept_where_it_is_named(tmp_path: Path) -> None:
    """It is a home like any other, holds no redacted text, and the real one has not changed."""
    ids = lived(tmp_path / "home")
    before = (tmp_path / "home" / "ledger.db").read_bytes()
    compare(tmp_path / "home", {"forgetting_speed": 1.5}, scratch=tmp_path / "other")
    assert (tmp_path / "home" / "ledger.db").read_bytes() == before
    with open_home(tmp_path / "other") as other:
        assert other.log.verify().events > 0
        assert other.get(ids["boiler"]).status == "tombstone"
        assert other.settings().forgetting_speed == 1.5
    assert holding(tmp_path / "other", b"walnut") == []
    with pytest.raises(HomeNotEmpty):
        compare(tmp_path / "home", {}, scratch=tmp_path / "other")


def test_settings_and_questions_are_checked_first(tmp_path: Path) -> None:
    """An unknown setting, a value that does not fit and a question without answer are refused."""
    lived(tmp_path / "home")
    with pytest.raises(InvalidField):
        compare(tmp_path / "home", {"colour": "red"})
    with pytest.raises(InvalidField):
        compare(tmp_path / "home", {"forgetting_speed": -1})
    with pytest.raises(InvalidField):
        compare(tmp_path / "home", {}, questions=[LabelledQuestion("what leaks?", ())])
    with pytest.raises(UnknownMemory):
        compare(tmp_path / "home", {}, questions=[LabelledQuestion("what leaks?", ("0a" * 16,))])


def test_what_answers_a_question_is_named_like_any_memory(tmp_path: Path) -> None:
    """By the beginning of its id, or its position, as it is by its whole id."""
    with open_home(tmp_path / "home") as memory:
        one = memory.remember("the boiler in the cellar leaks")
    for reference in (one.memory_id, one.memory_id[:13], f"@{one.position}"):
        asked = [LabelledQuestion("what leaks in the cellar?", (reference,))]
        real, other = compare(tmp_path / "home", {}, questions=asked).questions
        assert (real.recall_at_10, other.recall_at_10) == (1.0, 1.0)
