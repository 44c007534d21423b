"""What a new memory may replace: judged by the fitted model, offered, settled, and kept in part."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemolog import Memory
from mnemolog.ledger.errors import UnknownConflict
from mnemolog.policies.contradictions.judge import Contradiction, Statement
from tests.homes import DAY, HandClock


class Unsure:
    """A judge that finds the same in every pair, with a confidence."""

    name = "unsure"

    def __init__(self, confidence: float, kept: str | None = "") -> None:
        """Take the confidence, and what is kept of the older one."""
        self._found = Contradiction(
            type="value",
            severity="minor",
            attribute=None,
            time_sensitive=True,
            condition=None,
            reason="So it seems.",
            confidence=confidence,
            kept=kept,
        )

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """The contradiction, except between equal texts."""
        return None if new.text == old.text else self._found


def _opened(home: Path, judge: Unsure | None = None, clock: HandClock | None = None) -> Memory:
    return Memory.open(home, actor="user:dana", judge=judge, clock=clock or HandClock())


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[tuple[Memory, HandClock]]:
    """A memory with the built-in embedder and judge."""
    clock = HandClock()
    with _opened(tmp_path / "home", clock=clock) as memory:
        yield memory, clock


def test_what_is_not_certain_is_offered(tmp_path: Path) -> None:
    """Both stand, the receipt lists the older one, and recall ranks the newer first."""
    with _opened(tmp_path / "home", Unsure(0.6)) as memory:
        old = memory.remember("The parcel comes on Friday")
        receipt = memory.remember("The parcel was late")
        (offer,) = receipt.may_replace
        assert (offer.memory_id, offer.content) == (old.memory_id, "The parcel comes on Friday")
        assert (offer.outcome, receipt.conflicts) == ("offered", ())
        assert {item.status for item in memory.list()} == {"active"}
        first, second = memory.recall("when does the parcel come?").hits
        assert (first.memory_id, second.memory_id) == (receipt.memory_id, old.memory_id)
        assert second.note == f"possibly outdated: @{first.position} is newer"
        assert memory.conflicts.list() == ()
        assert [one.conflict_id for one in memory.conflicts.list("offered")] == [offer.conflict_id]


def test_one_call_settles_an_offer(tmp_path: Path) -> None:
    """The winner supersedes the loser; if both hold, neither is marked any more."""
    with _opened(tmp_path / "home", Unsure(0.6)) as memory:
        old = memory.remember("The parcel comes on Friday").memory_id or ""
        (offer,) = memory.remember("The parcel was late").may_replace
        memory.conflicts.settle(offer.conflict_id, "both")
        assert [hit.note for hit in memory.recall("parcel").hits] == [None, None]
        assert memory.graph.links(old) == ()
        with pytest.raises(UnknownConflict):
            memory.conflicts.settle(offer.conflict_id, "new")
        memory.undo()
        memory.conflicts.settle(offer.conflict_id, "new")
        assert memory.get(old).status == "superseded"
        assert memory.conflicts.list("offered") == ()


def test_a_contradiction_below_the_least_confidence_is_none(tmp_path: Path) -> None:
    """What is hardly likely is not offered."""
    with _opened(tmp_path / "home", Unsure(0.01)) as memory:
        memory.remember("The parcel comes on Friday")
        receipt = memory.remember("The parcel was late")
        assert (receipt.may_replace, receipt.conflicts) == ((), ())


def test_what_still_holds_of_a_retired_memory_is_kept(tmp_path: Path) -> None:
    """Its rest is a memory of its own, each question finds its answer, and undo takes all back."""
    with _opened(tmp_path / "home", Unsure(1.0, "Dana works at Acme.")) as memory:
        old = memory.remember("Dana works at Acme and lives in Lyon").memory_id or ""
        memory.remember("Dana moved to Paris")
        assert memory.get(old).status == "superseded"
        shown = {cue: memory.recall(cue).hits[0].content for cue in ("Dana Acme", "Dana Paris")}
        assert shown == {"Dana Acme": "Dana works at Acme.", "Dana Paris": "Dana moved to Paris"}
        assert {hit.note for hit in memory.recall("Dana").hits} == {None}
        memory.undo()
        assert [item.memory_id for item in memory.list()] == [old]


def test_an_allergy_is_not_given_up_for_a_report(tmp_path: Path) -> None:
    """However sure a judge is, it stays in force, comes first and is not marked as outdated."""
    with _opened(tmp_path / "home", Unsure(0.99)) as memory:
        memory.remember("Grandma is allergic to penicillin")
        receipt = memory.remember("The doctor prescribed grandma penicillin yesterday")
        assert [offer.outcome for offer in receipt.may_replace] == ["offered"]
        first = memory.recall("what is grandma allergic to?").hits[0]
        assert (first.content, first.note) == ("Grandma is allergic to penicillin", None)


def test_an_immutable_memory_comes_first(tmp_path: Path) -> None:
    """What contradicts it is shown behind it."""
    with _opened(tmp_path / "home", Unsure(1.0)) as memory:
        memory.remember("The parcel comes on Friday", immutable=True)
        memory.remember("The parcel comes on Monday")
        first, second = memory.recall("when does the parcel come?").hits
        assert (first.content, second.status) == ("The parcel comes on Friday", "contested")


@pytest.mark.fitted_judge
def test_the_built_in_judge_keeps_the_rest(judged: tuple[Memory, HandClock]) -> None:
    """A statement that joins two facts loses only the one that changed."""
    memory, clock = judged
    memory.remember("Dana works at Acme and lives in Lyon")
    clock.move(DAY)
    memory.remember("Dana moved to Paris last week")
    assert memory.recall("where does Dana live?").hits[0].content == "Dana moved to Paris last week"
    assert memory.recall("where does Dana work?").hits[0].content == "Dana works at Acme."


@pytest.mark.fitted_judge
@pytest.mark.parametrize(
    ("old", "new", "cue"),
    [
        (
            "Ben is crazy about his motorbike",
            "Ben sold the bike in May",
            "does Ben have a motorbike?",
        ),
        ("Aunt Rosa smokes a pack a day", "Aunt Rosa quit smoking", "does Aunt Rosa smoke?"),
        ("The gym contract runs until June", "I cancelled the gym", "until when does the gym run?"),
        (
            "Ines leads project Falcon",
            "Falcon is led by Ravi since the reshuffle",
            "who leads Falcon?",
        ),
        ("The boiler still leaks", "The plumber sealed the boiler today", "does the boiler leak?"),
    ],
)
def test_a_change_in_free_words_is_seen(
    judged: tuple[Memory, HandClock], old: str, new: str, cue: str
) -> None:
    """The older one is retired, contested or offered, and the newer one comes first."""
    memory, clock = judged
    first = memory.remember(old)
    clock.move(7 * DAY)
    receipt = memory.remember(new)
    seen = {one.memory_id for one in (*receipt.conflicts, *receipt.may_replace)}
    assert seen == {first.memory_id}
    assert memory.recall(cue).hits[0].content == new


@pytest.mark.fitted_judge
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Dana plays the piano", "Dana plays the trumpet too"),
        ("The demo is on Friday", "Is the demo still on Friday?"),
        ("Mia is allergic to nuts", "Tom is allergic to cats"),
        ("The staging server is in Frankfurt", "The production server is in Dublin"),
        ("We meet on Tuesdays", "What if we met on Wednesdays instead?"),
    ],
)
def test_what_only_looks_like_a_change_retires_nothing(
    judged: tuple[Memory, HandClock], old: str, new: str
) -> None:
    """Further facts, other people and things, and what nobody asserts leave the old one alone."""
    memory, clock = judged
    first = memory.remember(old).memory_id or ""
    clock.move(7 * DAY)
    assert memory.remember(new).conflicts == ()
    assert memory.get(first).status == "active"
