"""Who stands where a superseded memory was found, case by case."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

if TYPE_CHECKING:
    from conftest import SetClock

    from mnemolog import Hit, Memory, Receipt

_OLD = "The harbour office opens at nine"
_NEW = "Boats are registered from ten on weekdays"
_NEWEST = "Registration of vessels moved online"
# The words of one link of the chain each; every one has to bring the same answer.
_CUES = ("harbour office", "boats on weekdays", "vessels online")


def _hits(memory: Memory, cue: str, **filters: object) -> tuple[Hit, ...]:
    return memory.recall(cue, **filters).hits


def _contents(memory: Memory, cue: str, **filters: object) -> list[str]:
    return [hit.content for hit in _hits(memory, cue, **filters)]


def _id(receipt: Receipt) -> str:
    return receipt.memory_id or ""


def test_a_successor_takes_the_place_of_what_it_supersedes(memory: Memory) -> None:
    """A cue that finds the old memory alone brings the new one, the old one in its trail."""
    old = memory.remember(_OLD)
    newer = memory.supersede(_id(old), _NEW)
    (hit,) = _hits(memory, "harbour office")
    assert (hit.memory_id, hit.content, hit.status) == (newer.memory_id, _NEW, "active")
    assert [(entry.memory_id, entry.content, entry.status) for entry in hit.trail] == [
        (old.memory_id, _OLD, "superseded")
    ]
    assert hit.explanation.found == old.memory_id


@pytest.mark.parametrize("cue", _CUES)
def test_every_link_of_a_chain_brings_its_newest(memory: Memory, cue: str) -> None:
    """Whichever link a cue finds, the newest stands for it once, with all others in its trail."""
    first = memory.remember(_OLD)
    second = memory.supersede(_id(first), _NEW)
    third = memory.supersede(_id(second), _NEWEST)
    (hit,) = _hits(memory, cue)
    assert hit.memory_id == third.memory_id
    assert [entry.memory_id for entry in hit.trail] == [second.memory_id, first.memory_id]


def test_one_memory_may_stand_for_several(memory: Memory) -> None:
    """A memory that supersedes several takes the place of each, once."""
    olds = [memory.remember(text) for text in (_OLD, _NEW)]
    newest = memory.supersede([_id(old) for old in olds], _NEWEST)
    for cue in _CUES:
        assert [hit.memory_id for hit in _hits(memory, cue)] == [newest.memory_id]


def test_of_several_successors_the_newest_stands(memory: Memory) -> None:
    """Where a memory was superseded twice, the newer successor takes its place."""
    old = memory.remember(_OLD)
    memory.supersede(_id(old), _NEW)
    newest = memory.supersede(_id(old), _NEWEST)
    assert _hits(memory, "harbour office")[0].memory_id == newest.memory_id


def test_a_withdrawn_successor_does_not_take_the_place(memory: Memory) -> None:
    """With its successor withdrawn the old memory stands, and says so."""
    old = memory.remember(_OLD)
    newer = memory.supersede(_id(old), _NEW)
    memory.withdraw(_id(newer))
    (hit,) = _hits(memory, "harbour office")
    assert hit.memory_id == old.memory_id
    assert hit.note == f"superseded by @{newer.events[0].position}, which is withdrawn"


def test_a_redacted_successor_does_not_take_the_place(memory: Memory) -> None:
    """With its successor redacted the old memory stands, still superseded, and says so."""
    old = memory.remember(_OLD)
    newer = memory.supersede(_id(old), _NEW)
    memory.redact(_id(newer))
    (hit,) = _hits(memory, "harbour office")
    assert (hit.memory_id, hit.status) == (old.memory_id, "superseded")
    assert "which is redacted" in (hit.note or "")


def test_a_chain_goes_on_over_a_withdrawn_link(memory: Memory) -> None:
    """What supersedes a withdrawn successor stands for the first memory too."""
    first = memory.remember(_OLD)
    second = memory.supersede(_id(first), _NEW)
    third = memory.supersede(_id(second), _NEWEST)
    memory.withdraw(_id(second))
    assert _hits(memory, "harbour office")[0].memory_id == third.memory_id


def test_a_withdrawn_newest_leaves_the_one_before(memory: Memory) -> None:
    """With the newest withdrawn, the newest that is supported stands."""
    first = memory.remember(_OLD)
    second = memory.supersede(_id(first), _NEW)
    third = memory.supersede(_id(second), _NEWEST)
    memory.withdraw(_id(third))
    (hit,) = _hits(memory, "harbour office")
    assert hit.memory_id == second.memory_id


def test_undoing_a_withdrawal_lets_the_successor_stand_again(memory: Memory) -> None:
    """The successor takes its place back once its withdrawal is undone."""
    old = memory.remember(_OLD)
    newer = memory.supersede(_id(old), _NEW)
    memory.withdraw(_id(newer))
    memory.undo()
    assert _contents(memory, "harbour office") == [_NEW]


def test_a_successor_outside_the_filters_is_not_shown(memory: Memory) -> None:
    """Neither it nor what it retired answers a question that filters it out."""
    old = memory.remember(_OLD, tags=("harbour",))
    memory.supersede(_id(old), _NEW)
    assert _contents(memory, "harbour office", tags=("harbour",)) == []
    assert _contents(memory, "harbour office") == [_NEW]


def test_a_link_inside_the_filters_stands_for_one_found_outside(memory: Memory) -> None:
    """The old memory may lie outside the filters: it is its successor that has to fit."""
    old = memory.remember(_OLD)
    memory.supersede(_id(old), _NEW, tags=("registry",))
    assert _contents(memory, "harbour office", tags=("registry",)) == [_NEW]


def test_a_successor_that_is_not_valid_yet_waits(memory: Memory, clock: SetClock) -> None:
    """Until its time begins the old memory answers, marked; from then on the new one."""
    old = memory.remember(_OLD)
    memory.supersede(_id(old), _NEW, valid_from=clock.time + timedelta(days=10))
    (hit,) = _hits(memory, "harbour office")
    assert hit.content == _OLD
    assert (hit.note or "").startswith("since superseded by @")
    clock.pass_days(11)
    assert _contents(memory, "harbour office") == [_NEW]


def test_an_expired_successor_does_not_bring_the_old_back(memory: Memory, clock: SetClock) -> None:
    """A correction holds: what it retired does not return when its own time ends."""
    old = memory.remember(_OLD)
    memory.supersede(_id(old), _NEW, valid_until=clock.time + timedelta(days=10))
    assert _contents(memory, "harbour office") == [_NEW]
    clock.pass_days(11)
    assert _contents(memory, "harbour office") == []


def test_a_question_about_april_finds_what_held_in_april(memory: Memory, clock: SetClock) -> None:
    """Valid time is closed where the successor's begins: each instant has the one that held."""
    old = memory.remember(_OLD, valid_from="2026-04-01")
    memory.supersede(_id(old), _NEW, valid_from="2026-05-01")
    clock.pass_days(100)
    (april,) = _hits(memory, "harbour office", valid_at="2026-04-15")
    assert april.content == _OLD
    assert (april.note or "").startswith("since superseded by @")
    assert _contents(memory, "harbour office", valid_at="2026-05-15") == [_NEW]
    assert _contents(memory, "harbour office", valid_at="2026-03-15") == []


def test_a_moment_before_the_correction_knows_nothing_of_it(memory: Memory) -> None:
    """As of before the supersession the old memory is active, without a note."""
    old = memory.remember(_OLD)
    before = memory.log.checkpoint().position
    memory.supersede(_id(old), _NEW)
    (hit,) = memory.as_of(before).recall("harbour office").hits
    assert (hit.content, hit.status, hit.note, hit.trail) == (_OLD, "active", None, ())


def test_superseded_memories_asked_for_by_name_follow_their_successors(memory: Memory) -> None:
    """With both statuses asked for, no memory comes before what supersedes it."""
    old = memory.remember("The harbour office, the harbour office: the harbour office")
    newer = memory.supersede(_id(old), "The harbour moved")
    hits = _hits(memory, "harbour office", statuses=("active", "superseded"))
    assert [hit.memory_id for hit in hits] == [newer.memory_id, old.memory_id]


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(parents=st.lists(st.integers(0, 5), min_size=1, max_size=7), withdrawn=st.integers(0, 20))
def test_no_cue_ranks_a_memory_above_what_supersedes_it(
    memory: Memory, parents: list[int], withdrawn: int
) -> None:
    """In any tree of corrections each cue brings a link that nothing supported supersedes."""
    words = ("kettle", "ladder", "compass", "violin", "lantern", "orchard", "saddle", "anchor")
    ids = [_id(memory.remember(f"{words[0]} stands in the hall"))]
    above: dict[str, list[str]] = {}
    for word, parent in zip(words[1:], parents, strict=False):
        old = ids[parent % len(ids)]
        ids.append(_id(memory.supersede(old, f"{word} stands in the hall")))
        above.setdefault(old, []).append(ids[-1])
    gone = ids[withdrawn % len(ids)] if withdrawn < len(ids) else None
    if gone is not None:
        memory.withdraw(gone)
    for word in words[: len(ids)]:
        shown = [hit.memory_id for hit in _hits(memory, word, limit=50)]
        for memory_id in shown:
            if memory_id in ids:
                assert not [newer for newer in above.get(memory_id, []) if newer != gone]
