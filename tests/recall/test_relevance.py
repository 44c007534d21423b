"""Hybrid relevance: its components and weights, its calibration, and where a list ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from mnemolog import Attention, InvalidField, InvalidNumber, Memory, NewMemory
from mnemolog.recall.search.ending import calibrated, evidence, relevance_of
from mnemolog.recall.search.question import COMPONENTS, PRIOR, blend
from mnemolog.recall.search.relevance import recency

if TYPE_CHECKING:
    from conftest import SetClock

_DAY_US = 86_400_000_000
_SHARES = st.floats(0, 1)


def test_the_mean_favours_the_match_and_sums_to_one() -> None:
    """By default the weights are the prior's mean, most of it on the match, and no draw."""
    mean = blend()
    assert mean.seed is None
    assert sum(mean.weights) == pytest.approx(1.0)
    assert dict(zip(COMPONENTS, mean.weights, strict=True))["semantic"] == PRIOR[0] / sum(PRIOR)


@given(st.integers(0, 2**63 - 1))
def test_a_draw_repeats_by_its_seed(seed: int) -> None:
    """Weights drawn with one seed are the same, positive, and sum to 1."""
    drawn = blend(seed=seed)
    assert drawn == blend(seed=seed)
    assert drawn.seed == seed
    assert sum(drawn.weights) == pytest.approx(1.0)
    assert min(drawn.weights) >= 0


def test_recency_falls_to_one_over_e_in_thirty_days() -> None:
    """What was recorded now counts 1, what is thirty days old 1/e; the future counts as now."""
    instants = np.array([0, -30 * _DAY_US, 5 * _DAY_US])
    assert recency(instants, 0) == pytest.approx([1.0, np.exp(-1), 1.0])


@given(_SHARES, _SHARES, _SHARES, _SHARES)
def test_evidence_grows_with_each_of_its_parts(
    cosine: float, words: float, known: float, more: float
) -> None:
    """More likeness, more words held and more words known never speak less for an answer."""

    def held(cosine: float, words: float, known: float) -> float:
        return float(evidence(np.array([cosine]), np.array([words]), known)[0])

    least = held(cosine, words, known)
    assert 0 <= least <= 1
    assert held(max(cosine, more), words, known) >= least
    assert held(cosine, max(words, more), known) >= least
    assert held(cosine, words, max(known, more)) >= least


@given(_SHARES, _SHARES)
def test_calibration_keeps_the_order(some: float, other: float) -> None:
    """Stronger evidence never gives less relevance, and relevance is a share."""
    low, high = sorted((some, other))
    assert 0 < calibrated(low) <= calibrated(high) < 1


@given(st.lists(_SHARES, min_size=1), _SHARES)
def test_relevance_falls_with_the_score(scores: list[float], answered: float) -> None:
    """The best hit has the answer's own relevance, and none that scores less has more."""
    ordered = sorted(scores, reverse=True)
    found = [relevance_of(score, ordered[0], answered) for score in ordered]
    assert found == sorted(found, reverse=True)
    assert found[0] == (answered if ordered[0] > 0 else 0.0)


def test_a_cue_on_nothing_known_is_answered_with_nothing(memory: Memory) -> None:
    """What shares next to nothing with any memory is not answered, unless a number is asked for."""
    memory.remember_many([f"The kettle of house {number} boils over" for number in range(20)])
    unknown = "whose bicycle leans against that fence"
    answer = memory.recall(unknown)
    assert answer.empty
    assert answer.message == "The memory holds nothing on this."
    assert not memory.recall(unknown, min_relevance=0).empty
    assert not memory.recall("kettle of house 7").empty


@pytest.fixture
def modelled(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory with the built-in model."""
    with Memory.open(tmp_path / "home") as opened:
        yield opened


FLAT = (
    "Ingrid's dentist is Dr Solheim on Parkveien",
    "Ingrid's physio is on Tuesday at 9:15",
    "Leif's physio is on Thursday morning",
    "The parking permit for zone C ends in June",
    "Our wifi password is on the fridge",
    "The spare key is at the neighbour's",
)


def test_a_question_that_one_note_answers_has_a_short_list(modelled: Memory) -> None:
    """Notes on the same topic are left out; a word alone names the topic, and brings them all."""
    modelled.remember_many(FLAT)
    asked = modelled.recall("When does Ingrid go to the physio?").hits
    assert [hit.content for hit in asked] == ["Ingrid's physio is on Tuesday at 9:15"]
    named = {hit.content for hit in modelled.recall("physio").hits}
    assert named >= {text for text in FLAT if "physio" in text}


def test_turns_of_talk_keep_the_longer_list(modelled: Memory) -> None:
    """Three texts of one speaker are talk; a colon in one or two of them is none."""
    cue = "When does Ingrid go to the physio?"
    modelled.remember_many([f"Ingrid: {text}" for text in FLAT])
    talk = modelled.recall(cue).hits
    notes = modelled.acting(space="notes")
    notes.remember_many([f"{text.split()[0]}: {text}" for text in FLAT])
    assert len(notes.recall(cue).hits) < len(talk)


def test_a_request_for_advice_finds_what_people_say_of_themselves(modelled: Memory) -> None:
    """A preference is found without a word in common; for another question it is not."""
    texts = ["I can't stand crowds and loud music", "The bus to Lyon leaves at noon", *FLAT]
    modelled.remember_many(texts)
    advice = modelled.recall("What are some nice places for a birthday party?").hits
    assert texts[0] in {hit.content for hit in advice}
    assert texts[1] not in {hit.content for hit in advice}
    assert not modelled.recall("When did the comet return?").hits


def test_a_list_ends_where_relevance_falls_away(memory: Memory) -> None:
    """Hits that fall far behind the best are left out, and a wanted number brings them back."""
    memory.remember("Dana parks the green bicycle behind the bakery")
    breads = ("rye", "spelt", "oat", "corn", "malt", "barley", "potato", "walnut")
    memory.remember_many([f"The bakery sells {bread} bread" for bread in breads])
    cue = "where does Dana park the green bicycle, behind the bakery?"
    enough, ten = memory.recall(cue), memory.recall(cue, min_relevance=0)
    assert enough.hits[0].content.startswith("Dana parks")
    assert len(enough.hits) < len(ten.hits) == 9
    assert enough.hits == ten.hits[: len(enough.hits)]
    relevances = [hit.relevance for hit in ten.hits]
    assert relevances == sorted(relevances, reverse=True)


def test_where_lists_end_is_a_setting(memory: Memory) -> None:
    """The least relevance of a space is a setting, in force from its event on."""
    memory.remember("The kettle boils")
    memory.configure({"min_relevance": 1.0})
    assert memory.recall("kettle boils").empty
    assert not memory.as_of(1).recall("kettle boils").empty
    with pytest.raises(InvalidField, match="min_relevance"):
        memory.configure({"min_relevance": 1.5})


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("min_relevance", -0.1, InvalidNumber),
        ("min_relevance", float("nan"), InvalidNumber),
        ("min_relevance", True, InvalidNumber),
        ("exploration", -1, InvalidNumber),
        ("exploration", 0.5, InvalidNumber),
        ("attention", "tea", InvalidField),
        ("attention", Attention(()), InvalidField),
    ],
)
def test_bad_bounds_are_refused(
    memory: Memory, field: str, value: object, error: type[Exception]
) -> None:
    """A bound, seed or attention that is none is named."""
    with pytest.raises(error, match=field):
        memory.recall("kettle", **{field: value})


def test_of_alike_memories_the_recent_and_the_heavy_stand_first(
    memory: Memory, clock: SetClock
) -> None:
    """Where the match is the same, newer and heavier memories have the higher score."""
    text = "The gate code is kept by the porter"
    # All three lie between the same neighbours, and begin at different times.
    memory.remember("Boats rest in the harbour")
    old = memory.remember(text, valid_from="2025-01-01")
    clock.pass_days(60)
    memory.remember("Boats rest in the harbour")
    new = memory.remember(text, valid_from="2025-01-02")
    memory.remember("Boats rest in the harbour")
    heavy = memory.remember(NewMemory(text, immutable=True, valid_from="2025-01-03"))
    memory.remember("Boats rest in the harbour")
    hits = memory.recall("gate code porter").hits[:3]
    assert [hit.memory_id for hit in hits] == [heavy.memory_id, new.memory_id, old.memory_id]
    first, second, third = (hit.explanation.scores for hit in hits)
    assert first["weight"] > second["weight"] == third["weight"]
    assert second["temporal"] > third["temporal"]


def test_attention_spreads_to_what_lies_near_it(memory: Memory) -> None:
    """Of two memories that match alike, the one near what was attended to lately comes first."""
    memory.remember_many(["kettle in the harbour", "kettle in the orchard"])
    attention = memory.sessions.attend("orchard fruit orchard")
    for _ in range(2):
        attention = memory.sessions.attend("orchard", attention)
    assert memory.recall("kettle", attention=attention).hits[0].content == "kettle in the orchard"
    assert memory.recall("kettle") == memory.recall("kettle")


def _unit(memory: Memory) -> npt.NDArray[np.float32]:
    return memory.sessions.attend("orchard").window[0]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda unit: Attention(None),
        Attention,
        lambda unit: Attention("tea"),
        lambda unit: Attention(("tea",)),
        lambda unit: Attention((None,)),
        lambda unit: Attention(([1.0, [2.0]],)),
        lambda unit: Attention((unit[:3],)),
        lambda unit: Attention((unit[np.newaxis],)),
        lambda unit: Attention((unit.astype(str),)),
        lambda unit: Attention((unit.astype(complex),)),
        lambda unit: Attention((unit * np.nan,)),
        lambda unit: Attention((unit * np.inf,)),
        lambda unit: Attention((unit * 0,)),
        lambda unit: Attention((unit * 3,)),
        lambda unit: Attention((unit, unit * np.float32(1e30))),
        lambda unit: Attention((unit,) * 9),
    ],
)
def test_an_attention_that_attend_did_not_give_is_refused(
    memory: Memory, spoil: Callable[[npt.NDArray[np.float32]], Attention]
) -> None:
    """Wrong types, shapes, lengths and NaN are named, wherever it is given; nothing changes."""
    memory.remember("kettle in the harbour")
    head = memory.log.checkpoint()
    with np.errstate(all="ignore"):
        bad = spoil(_unit(memory))
    for use in (
        lambda: memory.recall("kettle", attention=bad),
        lambda: memory.sessions.attend("kettle", bad),
        lambda: memory.admission.admit("kettle", attention=bad),
        lambda: memory.admission.flush(attention=bad),
    ):
        with pytest.raises(InvalidField, match=r"attention: .*give what `attend`"):
            use()
    assert memory.log.checkpoint() == head


def test_an_attention_may_come_from_a_list(memory: Memory) -> None:
    """Numbers that were kept elsewhere are as good as arrays."""
    memory.remember_many(["kettle in the harbour", "kettle in the orchard"])
    kept = Attention(([*map(float, _unit(memory))],))
    assert memory.recall("kettle", attention=kept).hits[0].content == "kettle in the orchard"


def test_a_turn_of_attention_lowers_inertia(memory: Memory) -> None:
    """The same input keeps inertia whole, another topic lowers it; a first input is no turn."""
    first = memory.sessions.attend("kettle boils")
    assert (first.turn, first.inertia) == (0.0, 1.0)
    same, other = (
        memory.sessions.attend("kettle boils", first),
        memory.sessions.attend("orchard fruit", first),
    )
    assert same.turn == pytest.approx(0.0, abs=1e-6)
    assert other.turn > 0.5
    assert other.inertia == pytest.approx(1 - other.turn)
    assert np.linalg.norm(other.centroid) == pytest.approx(1.0, abs=1e-5)


def test_a_standing_instruction_comes_before_talk_that_matches_as_well(memory: Memory) -> None:
    """What is said for good weighs more than what was said once."""
    memory.remember_many(
        ["Oscar wrote metric units in the recipes", "Always write metric units in the recipes"]
    )
    hits = memory.recall("which units in recipes").hits
    assert hits[0].content.startswith("Always")
    assert hits[0].explanation.scores["standing"] > hits[1].explanation.scores["standing"]


@given(seed=st.integers(0, 2**32))
def test_no_weights_put_a_superseded_memory_first(seed: int) -> None:
    """Whatever weights are drawn, only the successor is shown; asked for by name, it leads."""
    import tempfile
    from pathlib import Path

    from hashed_words import HashedWords

    with (
        tempfile.TemporaryDirectory() as home,
        Memory.open(Path(home), embedder=HashedWords()) as memory,
    ):
        old = memory.remember("The standup is at nine").memory_id or ""
        new = memory.supersede(old, "The standup is at ten").memory_id
        plain = memory.recall("standup at nine", exploration=seed, min_relevance=0)
        assert [hit.memory_id for hit in plain.hits] == [new]
        both = memory.recall(
            "standup at nine", exploration=seed, min_relevance=0, statuses=("active", "superseded")
        )
        assert [hit.memory_id for hit in both.hits] == [new, old]
