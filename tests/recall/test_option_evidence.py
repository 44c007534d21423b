"""Options of a plan, read by a model together with the notes of the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hashed_words import HashedWords

from mnemolog import Memory
from mnemolog.application.home import home as homes
from mnemolog.indexes import cross_encoder
from mnemolog.indexes.cross_encoder import CrossEncoder
from mnemolog.indexes.embedder import stored_tokenizer
from mnemolog.language.analysis import Analyzer
from mnemolog.recall.option_evidence import PlanTexts, evidence, notes_about

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from conftest import SetClock

GOAL = "where to take the bell-ringers for supper"
OPTIONS = ["Pekka's smokehouse", "Harbour Grill"]
LIMIT = "Ingrid goes to hospital if she eats shellfish"
SERVES = "Pekka's smokehouse serves prawns and crayfish, and nothing else"
NOTES = [LIMIT, SERVES, "The Harbour Grill has a vegetarian menu", "I like candlelight at supper"]


class GivenChances:
    """Reads an option and a note by a function of both."""

    def __init__(self, chance: Callable[[str, str], float]) -> None:
        self._chance = chance
        self.pairs: list[tuple[str, str]] = []

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """One chance a pair."""
        self.pairs += pairs
        return [self._chance(*pair) for pair in pairs]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str, str], float]], GivenChances]:
    """Let plans be read by a function of an option and a note."""

    def given(chance: Callable[[str, str], float]) -> GivenChances:
        reader = GivenChances(chance)
        monkeypatch.setattr(homes.Home, "plan_reader", reader)
        return reader

    return given


@pytest.fixture
def memory(tmp_path: Path, clock: SetClock) -> Iterator[Memory]:
    """A memory of notes on a supper."""
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        memory.remember_many(NOTES, contradictions="off")
        yield memory


def _prawns(option: str, note: str) -> float:
    return 0.992 if "prawns" in option and "shellfish" in note else 0.01


def test_what_is_known_of_an_option_counts(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """An option is blamed for a limit that a note about it breaks, and the note is its evidence."""
    reads(_prawns)
    best, worst = memory.plan(GOAL, OPTIONS).options
    assert (best.option, best.violations) == ("Harbour Grill", ())
    (blame,) = worst.violations
    assert (worst.option, worst.standing, blame.constraint) == (OPTIONS[0], "violates", LIMIT)
    assert blame.chance == pytest.approx(0.992)
    assert "99%" in blame.why
    assert SERVES in blame.why
    shown = {memory.get(f"@{link.evidence}").content for link in blame.chain}
    assert SERVES in shown
    assert LIMIT not in shown


def test_an_option_is_read_with_notes_about_it_and_the_goal(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """The note that may be broken is not among those about the option."""
    reader = reads(_prawns)
    memory.plan(GOAL, OPTIONS)
    assert (f"{OPTIONS[0]}. {SERVES} ({GOAL})", LIMIT) in reader.pairs
    assert all(note not in option for option, note in reader.pairs)
    assert len(reader.pairs) == len(OPTIONS) * len(NOTES)


HOTELS = ["hotel Aurora, 220 euros a night", "hotel Bellevue, 150 euros a night"]
CEILING = "A hotel in Porto may cost at most 180 euros a night"


def test_a_model_that_speaks_against_a_rule_leaves_a_suspicion(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """What rules find is kept unless the model is sure of the contrary, and shown all the same."""
    memory.remember(CEILING, contradictions="off")
    reads(lambda *_: 0.3)
    worst = memory.plan("a hotel in Porto", HOTELS).options[1]
    assert (worst.option, worst.violations[0].chance) == (HOTELS[0], pytest.approx(0.3))
    reads(lambda *_: 0.0)
    first, second = memory.plan("a hotel in Porto", HOTELS).options
    assert (first.option, second.option, second.violations) == (HOTELS[1], HOTELS[0], ())
    (doubt,) = (one for one in second.unknown if one.constraint == CEILING)
    assert (doubt.verdict, doubt.chance) == ("suspected", 0.0)
    assert doubt.found == "220 euros a night"
    assert "doubts" in doubt.why


def test_a_rule_of_safety_is_never_overruled(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """A needless warning costs less than an allergy that was explained away."""
    memory.remember("Ingrid is allergic to peanuts", contradictions="off")
    reads(lambda *_: 0.0)
    worst = memory.plan("a soup for Ingrid", ["peanut soup", "leek soup"]).options[1]
    assert (worst.option, worst.violations[0].found) == ("peanut soup", "peanut")


def test_a_bound_that_is_kept_speaks_for_an_option(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """The model cannot compare numbers: it gives what keeps a bound and what breaks it alike."""
    memory.remember(CEILING, contradictions="off")
    reads(lambda _, note: 0.8 if note == CEILING else 0.01)
    first, second = memory.plan("a hotel in Porto", HOTELS).options
    assert (first.option, first.standing) == (HOTELS[1], "clean")
    assert (second.option, second.standing) == (HOTELS[0], "violates")


def test_what_rules_leave_open_stays_open(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """A constraint with two demands is answered in both, whatever the model says of one."""
    memory.remember(f"{CEILING} and must have a lift", contradictions="off")
    reads(lambda *_: 0.9)
    worst = memory.plan("a hotel in Porto", HOTELS).options[1]
    assert worst.violations[0].found == "220 euros a night"
    assert any("lift" in one.why for one in worst.unknown)


def test_a_note_beyond_the_constraints_is_read(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """A limit that was not recognised as one is found by the goal, and blamed without a class."""
    note = "Ottoline comes along to supper and is afraid of the dark"
    receipt = memory.remember(note, contradictions="off", constraint=None)
    reads(lambda option, read: 0.99 if read == note and "Grill" in option else 0.01)
    (blame,) = memory.plan(GOAL, OPTIONS).options[1].violations
    assert (blame.memory_id, blame.constraint) == (receipt.memory_id, note)


def test_an_option_with_many_notes_is_known_by_them(tmp_path: Path) -> None:
    """The more the memory knows of an option, the more often each of its words occurs."""
    options = ["Harbour Grill", "Kastelli"]
    notes = [f"The Harbour Grill {what}" for what in ("is loud", "is dear", "opens late")] * 3
    notes += ["Kastelli is loud", "we go on Friday"]
    texts = PlanTexts("where to eat", options, notes, np.zeros((3, len(notes))))
    assert notes_about(texts, Analyzer()) == [[*range(9)], [9]]


def test_a_long_note_displaces_neither_goal_nor_option(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """Of every text so much is read that all of them fit."""
    memory.remember("Harbour Grill: " + "the menu is long, " * 300, contradictions="off")
    reader = reads(_prawns)
    memory.plan(GOAL, [OPTIONS[0], "Harbour Grill, " + "by the water, " * 100])
    assert all(option.endswith(f"({GOAL})") for option, _ in reader.pairs)
    assert max(len(option) + len(note) for option, note in reader.pairs) < 1_100


def test_nothing_is_read_if_the_setting_is_off(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """`reranker` off leaves the judgement to rules."""
    reader = reads(_prawns)
    memory.configure({"reranker": "off"})
    assert {one.standing for one in memory.plan(GOAL, OPTIONS)} <= {"clean", "unknown"}
    assert not reader.pairs


def test_a_limit_of_somebody_else_is_not_read(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """A constraint on another person than those of the goal limits nothing."""
    memory.remember("Dana is allergic to peanuts", contradictions="off")
    reader = reads(lambda *_: 0.9)
    memory.plan("a soup for Ingrid", ["peanut soup", "leek soup"])
    assert not any("Dana" in note for _, note in reader.pairs)


def test_what_limits_somebody_else_says_something_of_an_option(
    tmp_path: Path, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """A limit of a person whom the plan does not concern is no limit, but may tell of an option."""
    reader, of_pekka = reads(_prawns), "Pekka is allergic to peanuts"
    with Memory.open(tmp_path, embedder=HashedWords()) as memory:
        memory.remember(of_pekka, contradictions="off")
        assert memory.plan("a supper for Ingrid", OPTIONS).options
        assert not reader.pairs
        memory.remember(LIMIT, contradictions="off")
        memory.plan("a supper for Ingrid", OPTIONS)
    assert [note for _, note in reader.pairs] == [LIMIT, LIMIT]
    assert of_pekka in reader.pairs[0][0]


def test_many_options_are_judged_by_rules_alone(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """A plan of hundreds of options does not take minutes."""
    reader = reads(_prawns)
    assert len(memory.plan(GOAL, [f"{OPTIONS[0]} {number}" for number in range(51)])) == 51
    assert not reader.pairs


def test_a_plan_as_of_then_is_read_as_then(
    memory: Memory, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """Notes of later change nothing about the plan of a past moment."""
    reads(_prawns)
    then = memory.plan(GOAL, OPTIONS)
    memory.remember("The Harbour Grill serves prawns with everything", contradictions="off")
    assert memory.as_of(then.as_of.position).plan(GOAL, OPTIONS) == then
    assert all(one.standing == "violates" for one in memory.plan(GOAL, OPTIONS))


def test_a_plan_of_an_empty_memory_reads_nothing(
    tmp_path: Path, reads: Callable[[Callable[[str, str], float]], GivenChances]
) -> None:
    """Without notes there is nothing to break."""
    reader = reads(_prawns)
    with Memory.open(tmp_path, embedder=HashedWords()) as memory:
        assert {one.standing for one in memory.plan(GOAL, OPTIONS)} == {"clean"}
    assert not reader.pairs


@pytest.mark.reads_notes
def test_plans_go_on_without_a_model_that_fails(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged model is told once, and the rules judge alone."""

    def damaged() -> tuple[bytes, bytes]:
        return b"no model", stored_tokenizer()

    monkeypatch.setattr(cross_encoder, "built_in", lambda _: CrossEncoder(damaged))
    memory.remember("Ingrid is allergic to peanuts", contradictions="off")
    for _ in range(2):
        assert memory.plan("a soup for Ingrid", ["peanut soup"]).options[0].violations
    assert [one for one in memory.notices if one.startswith("plans are not read: ")]
    assert len(memory.notices) == len(set(memory.notices))


def test_notes_about_an_option_share_words_that_tell_it_from_others() -> None:
    """A word of all options or of the goal tells little; nearness in meaning counts as well."""
    options = ["the blue van", "the red van"]
    notes = ["the red one seats nine", "vans need a permit", "it is low on fuel", "we go on Friday"]
    cosines = np.array([[0.0] * 4, [0.1, 0.2, 0.6, 0.0], [0.5, 0.2, 0.1, 0.0]])
    texts = PlanTexts("which van do we take", options, notes, cosines)
    assert notes_about(texts, Analyzer()) == [[2, 1], [0]]


@pytest.mark.parametrize(("options", "each"), [(2, 12), (25, 12), (50, 6)])
def test_many_options_are_read_with_fewer_notes(options: int, each: int) -> None:
    """A plan reads twelve notes with an option, and 300 times at most."""
    reader = GivenChances(lambda _option, _note: 0.5)
    texts = PlanTexts(
        goal="a trip",
        options=[f"option {number}" for number in range(options)],
        notes=[f"note {number}" for number in range(20)],
        cosines=np.zeros((options + 1, 20)),
    )
    found = evidence(texts, Analyzer(), reader)
    assert found is not None
    assert {len(one) for one in found} == {each}
    assert len(reader.pairs) == options * each


@pytest.mark.reads_notes
def test_the_built_in_model_reads(tmp_path: Path) -> None:
    """It finds what a note about an option has to do with a limit, and keeps to what rules find."""
    notes = [
        "Ingrid can't eat shellfish, it sends her to the ER",
        "Pekka's smokehouse serves only prawns and crayfish",
        "The Harbour Grill has a vegetarian menu",
        "I like candlelight",
        "Dana is allergic to peanuts",
    ]
    with Memory.open(tmp_path) as memory:
        memory.remember_many(notes, contradictions="off")
        supper = memory.plan("where do we take Ingrid for supper?", OPTIONS)
        lunch = memory.plan("a lunch for Dana", ["Chicken satay", "Mushroom risotto"])
    assert [one.option for one in supper if one.standing == "violates"] == OPTIONS[:1]
    assert supper.options[-1].violations[0].constraint == notes[0]
    assert [one.option for one in lunch if one.standing == "violates"] == ["Chicken satay"]
