"""Corrections by a sentence: what is meant goes, and nothing else does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemolog import Memory, NewMemory
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import ContentTooLarge, EmptyContent, ImmutableMemory, InvalidField
from tests.homes import DAY, SECOND, START, HandClock

pytestmark = pytest.mark.fitted_judge
KNOWN = (
    "Marta lives in Utrecht",
    "Marta's brother Joris lives in Utrecht",
    "Marta is allergic to penicillin",
    "The dentist appointment is on 12 May at 9:30",
    "The eye doctor's appointment is on 14 May at 9:30",
    "The rent is 950 euros a month",
)


@pytest.fixture
def memory(tmp_path: Path, clock: HandClock) -> Iterator[Memory]:
    """A home with a few notes, judged by the built-in judge."""
    with Memory.open(tmp_path / "home", "home", actor="user:dana", clock=clock) as memory:
        memory.remember_many(KNOWN, contradictions="off")
        yield memory


def _contents(memory: Memory) -> set[str | None]:
    return {item.content for item in memory.list(limit=100)}


@pytest.mark.parametrize(
    ("sentence", "old"),
    [
        ("Marta moved to Gouda last week.", 0),
        ("Actually, the dentist appointment is on 19 May.", 3),
        ("The rent went up to 1,020 euros.", 5),
        ("Forget that Marta is allergic to penicillin.", 2),
        ("It is no longer true that the rent is 950 euros a month.", 5),
    ],
)
def test_what_is_meant_is_superseded_and_nothing_else(
    memory: Memory, sentence: str, old: int
) -> None:
    """The sentence stands as it was said, and all other notes as they were."""
    corrected = memory.correct(sentence)
    assert [memory.get(one).content for one in corrected.retired] == [KNOWN[old]]
    assert _contents(memory) == {*KNOWN, sentence} - {KNOWN[old]}
    assert memory.get(corrected.memory_id or "").marks == ("corrects_error",)


@pytest.mark.parametrize(
    "sentence",
    [
        "Does Marta still live in Utrecht?",
        "Marta's neighbour is allergic to nuts.",
        "The parcel came on Friday.",
        "no",
        "since last Monday",
        "Yes, the rent is 950 euros a month.",
    ],
)
def test_what_corrects_nothing_changes_nothing(memory: Memory, sentence: str) -> None:
    """Questions, other things and repetitions leave all as it was."""
    before = memory.inspect.everything()
    assert memory.correct(sentence).receipt is None
    assert memory.inspect.everything() == before


def test_candidates_are_shown_where_it_is_not_clear(memory: Memory) -> None:
    """Where two memories may be meant, both are given, and nothing changes."""
    corrected = memory.correct("The appointment was moved to the afternoon.")
    assert corrected.receipt is None
    assert {KNOWN[3], KNOWN[4]} <= {one.content for one in corrected.candidates}
    assert _contents(memory) == set(KNOWN)


def test_the_successor_is_filed_as_its_target(memory: Memory) -> None:
    """With its tags and place, the corrector as source, and the time that the sentence names."""
    memory.remember("The daily standup is at 9:30", tags=("team",), place="work/a")
    corrected = memory.correct(
        "The daily standup has been at 10:30 since 2 January 2024.", source="user:kim"
    )
    item = memory.get(corrected.memory_id or "")
    assert (item.tags, item.place, item.source) == (("team",), "work/a", "user:kim")
    assert item.category == "error_correction"
    assert str(item.valid_from).startswith("2024-01-02")


def test_the_same_in_several_wordings_goes_together(memory: Memory) -> None:
    """Both are superseded by one sentence, and one undo brings both back."""
    memory.remember("Marta is based in Utrecht", contradictions="off")
    corrected = memory.correct("Marta lives in Gouda now, not in Utrecht.")
    gone = {memory.get(one).content for one in corrected.retired}
    assert gone == {KNOWN[0], "Marta is based in Utrecht"}
    memory.undo()
    assert {KNOWN[0], "Marta is based in Utrecht"} <= _contents(memory)


def test_what_else_a_target_says_is_kept(memory: Memory) -> None:
    """Only the statement in dispute is replaced; the other is a memory of its own."""
    memory.remember("Omar runs the Bergen office. He plays the cello in a quartet.")
    corrected = memory.correct("Omar doesn't run the Bergen office any more, Petra does.")
    assert len(corrected.retired) == 1
    assert any(
        "cello" in (text or "") and "office" not in (text or "") for text in _contents(memory)
    )


def test_one_person_does_not_correct_another(memory: Memory) -> None:
    """What is said in the first person is about who says it."""
    ben = memory.remember("I live in Berlin", source="user:ben")
    anna = memory.remember("I live in Berlin", source="user:anna")
    corrected = memory.correct("I live in Oslo now, not in Berlin", source="user:ben")
    assert corrected.retired == (ben.memory_id,)
    assert memory.get(anna.memory_id or "").status == "active"


def test_tags_scope_a_correction(memory: Memory) -> None:
    """Only memories under one of the tags, or under none, are meant."""
    other = memory.remember("The indent is 4 spaces", tags=("ruby",))
    memory.remember("The indent is 4 spaces", tags=("python",))
    corrected = memory.correct("Actually, the indent is 2 spaces", tags=("ruby",))
    assert corrected.retired == (other.memory_id,)


def test_an_immutable_memory_is_corrected_by_override_alone(memory: Memory) -> None:
    """The refusal changes nothing."""
    old = memory.remember("The port is 8080", immutable=True)
    with pytest.raises(ImmutableMemory):
        memory.correct("The port is 9090, not 8080")
    assert memory.get(old.memory_id or "").status == "active"
    assert memory.correct("The port is 9091, not 8080", override=True).receipt is not None


def test_bad_sentences_are_refused(memory: Memory) -> None:
    """The error names the field, and nothing changes."""
    with pytest.raises(EmptyContent, match="sentence: is empty; say what no longer holds"):
        memory.correct("  ")
    with pytest.raises(ContentTooLarge):
        memory.correct("x" * 2_000_000)
    with pytest.raises(InvalidField, match="sentence: has 200,000 characters of 100,000 allowed"):
        memory.correct("x" * 200_000)
    with pytest.raises(InvalidField, match="tags"):
        memory.correct("The rent is 900", tags="home")
    assert _contents(memory) == set(KNOWN)


def test_nothing_retired_comes_back_by_rebuilding_or_by_hearing_it_from_before(
    memory: Memory, clock: HandClock
) -> None:
    """Rebuilt from the log, and told the original talk again, a space shows the same."""
    corrected = memory.correct("Marta moved to Gouda last week.")
    before = _contents(memory)
    memory.upkeep.rebuild()
    clock.move(DAY)
    original = to_datetime(START - DAY)
    memory.remember_many([NewMemory(text, valid_from=original) for text in KNOWN[:1]])
    assert _contents(memory) == before
    hits = memory.recall("Where does Marta live?").hits
    assert hits[0].memory_id == corrected.memory_id


def test_a_statement_heard_from_before_is_stored_as_superseded(
    memory: Memory, clock: HandClock
) -> None:
    """In other words too; said after the correction, it is a memory like any other."""
    clock.move(SECOND)
    memory.correct("Actually, the rent is 1,020 euros a month.")
    heard = memory.remember("The rent is 950 euros per month", valid_from=to_datetime(START - DAY))
    assert memory.get(heard.memory_id or "").status == "superseded"
    assert any("superseded by" in said for said in heard.changed)
    clock.move(DAY)
    anew = memory.remember("The rent is 950 euros a month")
    assert memory.get(anew.memory_id or "").status == "active"


def test_what_was_said_without_a_source_is_the_correctors(memory: Memory) -> None:
    """Both say "I": one person, unless a source says otherwise."""
    old = memory.remember("I drive a Skoda")
    corrected = memory.correct("I drive a Volvo now, not a Skoda any more")
    assert corrected.retired == (old.memory_id,)


def test_equal_memories_go_together_and_a_protected_one_stops_it(memory: Memory) -> None:
    """Stored twice, it is superseded twice; nothing changes if one is protected."""
    memory.remember_many(["The port is 8080", "The port is 8080"], contradictions="off")
    assert len(memory.correct("The port is 9090, not 8080").retired) == 2
    key = "The key is under the mat"
    memory.remember(key, immutable=True)
    memory.remember(key, contradictions="off")
    with pytest.raises(ImmutableMemory):
        memory.correct("The key isn't under the mat any more, it is in the shed")
    assert [item.content for item in memory.list()].count(key) == 2


def test_a_supposition_corrects_no_number_of_wordings(memory: Memory) -> None:
    """Four wordings of one statement are one possibility."""
    wordings = [
        "Marta is based in Utrecht",
        "Marta's home is in Utrecht",
        "Marta lives in Utrecht.",
    ]
    memory.remember_many(wordings, contradictions="off")
    assert memory.correct("If Marta moved to Gouda, she would be nearer.").receipt is None


def test_the_time_of_a_change_hides_no_target(memory: Memory, clock: HandClock) -> None:
    """What "last week" changes is older than that."""
    clock.move(400 * DAY)
    films = [f"Marta saw film number {one} in Utrecht" for one in range(14)]
    memory.remember_many(films, contradictions="off")
    corrected = memory.correct("Marta doesn't live in Utrecht any more, since last week.")
    assert [memory.get(one).content for one in corrected.retired] == [KNOWN[0]]


def test_a_protected_memory_of_two_statements_can_be_overridden(memory: Memory) -> None:
    """Its rest is stored as well."""
    text = "Omar runs the Bergen office. Omar plays the cello in a quartet."
    memory.remember(text, immutable=True)
    done = memory.correct("Omar doesn't run the Bergen office any more", override=True)
    assert done.receipt is not None
    assert any("cello" in (one or "") for one in _contents(memory))
