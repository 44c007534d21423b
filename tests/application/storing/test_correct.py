"""Corrections in words, over made-up lives: what must change does, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from mnemolog import Memory, NewMemory
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import EmptyContent, ImmutableMemory, InvalidField
from tests.application.storing.correction_scenarios import Scenario, Share, scenarios
from tests.homes import DAY, SECOND, START, HandClock, open_home
from tests.seeds import SEED

COUNT = int(os.environ.get("MNEMOLOG_SCENARIOS", "200"))


class Told(NamedTuple):
    """A scenario after its sentence was said, with the space that it was told in."""

    space: str
    scenario: Scenario
    acted: bool
    retired: tuple[str, ...]


class World:
    """Many scenarios in one home, each in a space of its own with a twin."""

    def __init__(self, home: Path, share: Share, count: int) -> None:
        self.home = home
        self.clock = HandClock()
        print(f"MNEMOLOG_SEED={SEED} MNEMOLOG_SCENARIOS={COUNT} share={share}")  # noqa: T201
        with self.open("lives") as lives:
            self.told = [
                self._tell(lives, f"life-{n}", one)
                for n, one in enumerate(scenarios(SEED, share, count))
            ]

    def open(self, space: str) -> Memory:
        """A space of the home."""
        return open_home(self.home, space, self.clock)

    def _tell(self, lives: Memory, space: str, scenario: Scenario) -> Told:
        texts = [text for text, _ in scenario.facts]
        texts += [] if scenario.paraphrase is None else [scenario.paraphrase]
        with lives.acting(f"{space}-twin") as twin:
            twin.remember_many(texts)
        with lives.acting(space) as memory:
            memory.remember_many(texts)
            before = memory.inspect.everything()
            self.clock.move(DAY)
            if scenario.way == "passing":
                acted = any(
                    event.kind == "superseded"
                    for event in memory.remember(scenario.sentence).events
                )
            else:
                acted = memory.correct(scenario.sentence).receipt is not None
            after = memory.inspect.everything()
        retired = {
            item.content or "" for one, item in before.items() if after[one].status != item.status
        }
        return Told(space, scenario, acted, tuple(sorted(retired)))

    def wrong(self) -> list[str]:
        """What each scenario shows that it should not, or does not show that it should."""
        found: list[str] = []
        with self.open("lives") as lives:
            for told in self.told:
                first = f"{told.scenario.sentence} <- {told.scenario.facts[0][0]}"
                problems = _problems(told, lives.acting(told.space))
                found += [f"{problem}: {first}" for problem in problems]
        return found


def _problems(told: Told, memory: Memory) -> Iterator[str]:
    scenario = told.scenario
    meant = (
        {scenario.facts[0][0], *filter(None, [scenario.paraphrase])} if scenario.changes else set()
    )
    if set(told.retired) != meant:
        yield f"retired {told.retired}"
    shown = [
        hit.content for hit in memory.recall(scenario.facts[0][1], limit=100, min_relevance=0).hits
    ]
    if meant & set(shown):
        yield "the retired text is shown"
    if scenario.new is not None and not any(scenario.new in text for text in shown):
        yield "the correction is not shown"
    other, cue = scenario.facts[-1]
    if other not in [hit.content for hit in memory.recall(cue, limit=100, min_relevance=0).hits]:
        yield "an unrelated memory is not found"


@pytest.fixture(scope="module", params=["known", "held out"])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The scenarios of one share of the wordings, told once for all tests."""
    share: Share = request.param
    count = COUNT * 2 // 3 if share == "known" else COUNT - COUNT * 2 // 3
    return World(tmp_path_factory.mktemp("corrections") / "home", share, count)


def test_a_correction_retires_what_it_means_and_nothing_else(world: World) -> None:
    """The next recall shows the correction, not the retired text, and all else as it was."""
    assert world.wrong() == []


def test_twins_in_other_spaces_stand(world: World) -> None:
    """A correction in one space changes none of another's memories."""
    with world.open(f"{world.told[0].space}-twin") as memory:
        counted = [one for one in memory.inspect.counts() if one.space.endswith("-twin")]
    assert {one.status for one in counted} == {"active"}


def test_nothing_retired_comes_back_by_rebuilding_or_by_hearing_it_from_before(
    world: World,
) -> None:
    """Rebuilt from the log, and told the original talk again, a space shows the same."""
    original = to_datetime(START - DAY)
    with world.open(world.told[0].space) as memory:
        memory.upkeep.rebuild()
        for told in world.told:
            texts = [text for text, _ in told.scenario.facts]
            again = [NewMemory(text, valid_from=original) for text in texts]
            memory.acting(told.space).remember_many(again)
    assert world.wrong() == []


def test_what_is_said_anew_is_found_again(world: World) -> None:
    """A retired statement that is said after its correction is a memory like any other."""
    world.clock.move(DAY)
    with world.open("lives") as lives:
        for told in world.told:
            if told.scenario.changes:
                text, cue = told.scenario.facts[0]
                memory = lives.acting(told.space)
                memory.remember(text)
                hits = memory.recall(cue, limit=100, min_relevance=0).hits
                assert text in [hit.content for hit in hits]


def test_one_clear_target_is_superseded(memory: Memory) -> None:
    """The successor stands alone, is filed as its target, and says where it is from."""
    old = memory.remember("The daily standup is at 9:30 in room 4.", tags=("team",), place="work/a")
    corrected = memory.correct("Actually, the standup is at 10:30.")
    assert corrected.retired == (old.memory_id,)
    assert corrected.memory_id is not None
    item = memory.get(corrected.memory_id)
    assert item.content == "The daily standup is at 10:30 in room 4."
    assert (item.tags, item.place, item.source) == (("team",), "work/a", "user:dana")
    assert (item.category, item.marks) == ("error_correction", ("corrects_error",))
    assert item.snippet == "Actually, the standup is at 10:30."


def test_several_targets_change_nothing(memory: Memory) -> None:
    """Where two memories may be meant, both are given as candidates."""
    memory.remember_many(["Anna's standup is at 9:30", "Ben's standup is at 9:15"])
    corrected = memory.correct("Actually, the standup is at 10:30.")
    assert corrected.receipt is None
    assert len(corrected.candidates) == 2
    assert {item.status for item in memory.list()} == {"active"}


def test_what_cannot_be_put_into_a_memory_is_asked_for(memory: Memory) -> None:
    """Where neither the old words with the new value nor the sentence alone would read."""
    memory.remember("Nina said that the demo is on Friday.")
    corrected = memory.correct("Sorry, it's Monday.")
    assert corrected.receipt is None
    assert [one.content for one in corrected.candidates] == [
        "Nina said that the demo is on Friday."
    ]
    assert "say it in full" in corrected.said
    assert memory.correct("Sorry, the demo is on Monday.").memory_id is not None
    assert [item.content for item in memory.list()] == ["The demo is on Monday."]


def test_a_change_of_the_past_closes_the_old_then(memory: Memory, clock: HandClock) -> None:
    """'Last month' is when the old stopped being true."""
    memory.remember("We hold a demo on Fridays", valid_from="2025-01-01")
    clock.move(60 * DAY)
    memory.correct("We dropped the Friday demo last month.")
    then = to_datetime(clock.time - 45 * DAY)
    assert memory.recall("demo", valid_at=then).hits[0].content == "We hold a demo on Fridays"
    held = to_datetime(clock.time - 10 * DAY)
    assert memory.recall("demo", valid_at=held).hits[0].content.startswith("We dropped")


def test_what_else_a_target_says_is_kept(memory: Memory) -> None:
    """Only the sentence in dispute is replaced, in passing too."""
    memory.remember("Notes of the kickoff. The budget is $40,000. Ben takes care of the venue.")
    corrected = memory.correct("Correction: the budget is $55,000.")
    assert corrected.memory_id is not None
    text = "Notes of the kickoff. The budget is $55,000. Ben takes care of the venue."
    assert memory.get(corrected.memory_id).content == text
    memory.remember("Saw Ben. By the way, the budget is $60,000 now, not $55,000.")
    shown = [hit.content for hit in memory.recall("who takes care of the venue?").hits]
    assert text.replace("55,000", "60,000") in shown
    assert text not in shown


def test_a_correction_is_undone_as_one_command(memory: Memory) -> None:
    """Undo brings back what was retired and takes out what replaced it."""
    old = memory.remember("Anna lives in Berlin")
    memory.correct("Anna lives in Munich, not Berlin")
    memory.undo()
    assert [item.memory_id for item in memory.list()] == [old.memory_id]


def test_one_person_does_not_correct_another(memory: Memory) -> None:
    """What is said in the first person is about who says it."""
    anna = memory.remember("I live in Berlin", source="user:anna")
    ben = memory.remember("I live in Berlin", source="user:ben")
    corrected = memory.correct("Actually, I live in Oslo now", source="user:ben")
    assert corrected.retired == (ben.memory_id,)
    assert memory.get(anna.memory_id or "").status == "active"


@pytest.mark.parametrize(
    ("correction", "rest"),
    [
        ("Long day. Oh, and Omar works at Initech now, not Globex.", "Long day."),
        (
            "The heating broke, and by the way, Omar works at Initech now instead of Globex.",
            "The heating broke.",
        ),
    ],
)
def test_what_else_a_correction_says_is_kept_when_its_target_is_said_anew(
    memory: Memory, clock: HandClock, correction: str, rest: str
) -> None:
    """What was said anew stands alone, beside the rest of the correction; undone as one."""
    memory.remember("Omar works at Globex")
    clock.move(DAY)
    corrected = memory.remember(correction, tags=("talk",))
    clock.move(DAY)
    anew = memory.remember("Omar works at Globex")
    assert {item.content for item in memory.list()} == {"Omar works at Globex", rest}
    assert memory.get(anew.memory_id or "").status == "active"
    (kept,) = [item for item in memory.list() if item.content == rest]
    assert (kept.tags, kept.marks, kept.category) == (("talk",), (), None)
    assert kept.constraint is None
    memory.undo()
    assert [item.memory_id for item in memory.list()] == [corrected.memory_id]


def test_said_anew_against_what_cannot_be_told_apart_is_told(
    memory: Memory, clock: HandClock
) -> None:
    """A correction that goes on about the same stands: the conflict is open, and told."""
    memory.remember("Omar works at Globex")
    clock.move(DAY)
    corrected = memory.remember(
        "Met Omar. By the way, Omar works at Initech now, not Globex. He likes it there."
    )
    clock.move(DAY)
    anew = memory.remember("Omar works at Globex")
    (found,) = anew.conflicts
    assert (found.memory_id, found.outcome) == (corrected.memory_id, "contested")


@pytest.mark.parametrize(
    ("old", "correction"),
    [
        (
            "The mobile demo takes place on Thursdays",
            "Update: the mobile team holds a demo on Fridays",
        ),
        ("The growth demo is on Fridays", "Actually, the growth team's demo is on Mondays"),
        ("The Apollo budget is $40,000", "Correction: the current budget of Apollo is $55,000"),
    ],
)
def test_normalised_sentences_nothing_apart_need_not_be_said_before(
    memory: Memory, old: str, correction: str
) -> None:
    """The mobile demo is that of the mobile team."""
    known = memory.remember(old)
    assert memory.correct(correction).retired == (known.memory_id,)


@pytest.mark.parametrize(
    ("old", "correction"),
    [
        ("Leona is keto", "Nowadays Leona is pescatarian."),
        ("Bruno has a parrot", "I got Bruno's pet wrong. It's a rabbit."),
        ("Samir owns a Peugeot", "Nope, Samir owns a Subaru."),
        ("Birch hall seats 120 people", "I mixed up the capacity of Birch hall: it is 240."),
        ("Diego is based in Krakow", "Diego's new home town is Bordeaux"),
        ("Viktor goes climbing on Sundays", "Viktor moved climbing to Wednesdays"),
        (
            "The yoga class meets on Saturdays",
            "They changed the yoga class from Saturdays to Mondays",
        ),
        (
            "The coach of the debate team is Mei",
            "I was mistaken about the debate team's coach: it's Ann.",
        ),
        (
            "Kwame uses Vim as an editor",
            "I told you that Kwame uses Vim as an editor. That was a mistake, he uses Emacs.",
        ),
        (
            "Viktor is employed by Soylent",
            "Viktor got hired by Contoso, he is no longer with Soylent",
        ),
        ("Samir's dentist is Dr. Novak", "Samir's dentist was Dr. Novak but is now Dr. Silva."),
        (
            "Ann has the late shift on Sundays",
            "I got that wrong, Ann has the late shift on Mondays.",
        ),
    ],
)
def test_a_value_may_be_named_by_its_kind_and_announced_in_many_ways(
    memory: Memory, old: str, correction: str
) -> None:
    """What anybody knows of pets, diets and capacities need not be said; in passing too."""
    known = memory.remember(old)
    memory.remember(correction)
    assert memory.get(known.memory_id or "").status == "superseded"


def test_tags_scope_a_correction(memory: Memory) -> None:
    """Only memories under one of the tags, or under none, are meant."""
    memory.remember("The indent is 4 spaces", tags=("python",))
    other = memory.remember("The indent is 4 spaces", tags=("ruby",))
    corrected = memory.correct("Actually the indent is 2 spaces", tags=("ruby",))
    assert corrected.retired == (other.memory_id,)


def test_an_immutable_memory_is_corrected_by_override_alone(memory: Memory) -> None:
    """The refusal changes nothing; in passing nothing is tried, and the conflict is told."""
    old = memory.remember("The port is 8080", immutable=True)
    with pytest.raises(ImmutableMemory):
        memory.correct("The port is 9090, not 8080")
    heard = memory.remember("By the way, the port is 9090 now, not 8080")
    assert [event.kind for event in heard.events] == ["remembered", "conflicted"]
    assert memory.get(old.memory_id or "").status == "active"
    assert memory.correct("The port is 9091, not 8080", override=True).receipt is not None


def test_an_empty_sentence_is_refused(memory: Memory) -> None:
    """There must be something to read."""
    with pytest.raises(EmptyContent):
        memory.correct("  ")


def test_a_statement_heard_from_before_is_stored_as_superseded(
    memory: Memory, clock: HandClock
) -> None:
    """In other words too; from after the correction it stands, and retires the correction."""
    memory.remember("The standup is at 9:30")
    clock.move(SECOND)
    corrected = memory.correct("Actually, the standup is at 10:30")
    heard = memory.remember("The standup starts at 9:30", valid_from=to_datetime(START - DAY))
    assert memory.get(heard.memory_id or "").status == "superseded"
    assert any("superseded by" in said for said in heard.changed)
    clock.move(DAY)
    anew = memory.remember("The standup is at 9:30")
    assert memory.get(anew.memory_id or "").status == "active"
    assert memory.get(corrected.memory_id or "").status == "superseded"


def test_a_sentence_of_two_subjects_corrects_both(memory: Memory) -> None:
    """Each has a successor of its own, in one command; what is unclear is told and left."""
    dana = memory.remember("Dana lives in Oslo")
    omar = memory.remember("Omar lives in Lisbon")
    corrected = memory.correct("Dana moved to Bergen and Omar moved to Porto")
    assert set(corrected.retired) == {dana.memory_id, omar.memory_id}
    contents = {item.content for item in memory.list()}
    assert contents == {"Dana lives in Bergen.", "Omar lives in Porto."}
    memory.undo()
    assert {item.content for item in memory.list()} == {
        "Dana lives in Oslo",
        "Omar lives in Lisbon",
    }
    half = memory.correct("Dana moved to Bergen and Petra moved to Porto")
    assert half.retired == (dana.memory_id,)
    assert "“Petra moved to Porto” changed nothing" in half.said


def test_what_somebody_said_of_themselves_is_found_by_their_name(memory: Memory) -> None:
    """However much else is remembered: who said it is whom it is about."""
    memory.remember_many([f"Person {n} lives in town {n}" for n in range(40)])
    old = memory.remember("I live in Oslo", source="user:petra")
    memory.remember("Petra moved to Bergen", source="user:mei")
    assert memory.get(old.memory_id or "").status == "superseded"


def test_saying_anew_takes_the_place_of_a_correction_in_two_sentences(
    memory: Memory, clock: HandClock
) -> None:
    """That it denies the statement first does not make the correction stand beside it."""
    memory.remember("Omar's dog is called Luna")
    clock.move(DAY)
    said = "It's not true that Omar's dog is called Luna. Omar's dog is called Milo."
    corrected = memory.remember(said)
    clock.move(DAY)
    anew = memory.remember("Omar's dog is called Luna")
    assert memory.get(anew.memory_id or "").status == "active"
    assert memory.get(corrected.memory_id or "").status == "superseded"


def test_one_text_makes_so_many_corrections(memory: Memory) -> None:
    """`correct` refuses more than 24, and says how many there are; nothing changes."""
    kept = memory.remember("Dana0's tea is green").memory_id
    many = " ".join(f"Actually, Dana{one}'s tea is not green but black." for one in range(25))
    with pytest.raises(InvalidField, match="sentence: makes 25 corrections of 24 allowed"):
        memory.correct(many)
    assert memory.get(kept).status == "active"


def test_a_sentence_corrects_no_long_memory(memory: Memory) -> None:
    """A memory over 20,000 characters is no target of a sentence; a short one beside it is."""
    long = memory.remember("Dana's tea is green. " + "Nothing else is known of it. " * 800)
    short = memory.remember("Dana's tea is green")
    done = memory.correct("Actually, Dana's tea is not green but black.")
    assert done.retired == (short.memory_id,)
    assert memory.get(long.memory_id or "").status == "active"
