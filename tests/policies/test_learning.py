"""What a session that ends teaches: bearings, what goes together, leads, and evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import assume, given, strategies as st

from mnemolog.ledger.events import Lead, Lesson, Neighbourhood, Resolved, Vote
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.learning import Ballot, Shown, decide_resolution

CONTEXT = Neighbourhood("ff00", "model", None)
A, B, C, D = (MemoryId(letter * 32) for letter in "abcd")
memories = st.sampled_from((A, B, C, D))
ballots = st.dictionaries(memories, st.sampled_from(("hot", "warm", "cold", "wrong", "spark")))
accepteds = st.lists(memories, max_size=4)


def resolved(
    votes: Mapping[MemoryId, Vote],
    accepted: Sequence[MemoryId] = (),
    shown: Mapping[MemoryId, Shown] | None = None,
) -> Resolved:
    """What a session of three rounds taught."""
    known = shown or {one: Shown({}) for one in (A, B, C, D)}
    return decide_resolution("name", 3, CONTEXT, Ballot(known, votes, accepted))


def bearings(taught: Resolved) -> dict[MemoryId, float]:
    """How much each memory bears on the context."""
    return {lesson.memory: lesson.bearing for lesson in taught.lessons}


def test_what_answered_gains_and_what_misled_loses() -> None:
    """Accepted gains most, then hot; cold loses a little, wrong much; warm and sparks neither."""
    taught = bearings(resolved({A: "hot", B: "cold", C: "wrong", D: "warm"}))
    assert taught[C] < taught[B] < 0 < taught[A] < 1
    assert taught[C] > -1
    assert D not in taught
    assert bearings(resolved({A: "spark"})) == {}
    assert bearings(resolved({}, [A]))[A] > taught[A]


@pytest.mark.parametrize("vote", ["hot", "warm", "cold", "wrong", "spark"])
def test_what_was_accepted_in_the_end_counts_whatever_was_voted_on_it(vote: Vote) -> None:
    """The end of a session is its last word."""
    assert bearings(resolved({A: vote}, [A])) == bearings(resolved({}, [A]))


@given(votes=ballots, accepted=accepteds)
def test_what_was_sought_together_is_associated(
    votes: dict[MemoryId, Vote], accepted: list[MemoryId]
) -> None:
    """All that was accepted or hot, if that is more than one memory, and nothing else."""
    sought = {*accepted, *(one for one, vote in votes.items() if vote == "hot")}
    together = resolved(votes, accepted).together
    assert len(together) == len(set(together))
    assert set(together) == (sought if len(sought) > 1 else set())


@given(votes=ballots, accepted=accepteds, chance=st.randoms(use_true_random=False))
def test_no_order_of_votes_makes_a_difference(
    votes: dict[MemoryId, Vote], accepted: list[MemoryId], chance: Random
) -> None:
    """The same votes teach the same, in whatever order they and the hits are told."""
    ballot, shown = [*votes.items()], [(one, Shown({"semantic": 0.5})) for one in (A, B, C, D)]
    expected = resolved(dict(ballot), accepted, dict(shown))
    chance.shuffle(ballot)
    chance.shuffle(shown)
    assert resolved(dict(ballot), accepted, dict(shown)) == expected


@given(votes=ballots, accepted=accepteds)
def test_what_a_session_came_to_is_told(
    votes: dict[MemoryId, Vote], accepted: list[MemoryId]
) -> None:
    """How many votes there were of each kind, what was accepted, once each, and the rounds."""
    taught = resolved(votes, [*accepted, *accepted])
    assert taught.accepted == tuple(dict.fromkeys(accepted))
    assert sum(taught.votes.values()) == len(votes)
    assert all(taught.votes[vote] == [*votes.values()].count(vote) for vote in taught.votes)
    assert (taught.session, taught.rounds, taught.context) == ("name", 3, CONTEXT)
    assert [lesson.memory for lesson in taught.lessons] == sorted(bearings(taught))


def test_a_spark_leads_to_what_was_first_shown_through_it() -> None:
    """Not to what was found without it, and not to what was shown through it but not accepted."""
    shown = {A: Shown({}), B: Shown({}, A), C: Shown({}, A), D: Shown({"semantic": 0.1})}
    taught = resolved({A: "spark"}, [B, D], shown)
    assert taught.leads == (Lead(A, B),)
    assert resolved({A: "spark", B: "hot"}, [], shown).leads == ()
    assert Lesson(B, bearings(taught)[B]) in taught.lessons


def _somers(values: Mapping[MemoryId, float], accepted: set[MemoryId]) -> float:
    """Somers' D by its definition: concordant less discordant pairs, of all pairs."""
    pairs = [*product(values.keys() & accepted, values.keys() - accepted)]
    higher = sum(values[one] > values[other] for one, other in pairs)
    lower = sum(values[one] < values[other] for one, other in pairs)
    return (higher - lower) / len(pairs)


@given(
    values=st.lists(st.sampled_from((0.0, 0.1, 0.1000001, 0.5, 0.9, 1.0)), min_size=2, max_size=9),
    chosen=st.sets(st.integers(0, 8), min_size=1),
)
def test_evidence_is_somers_d(values: list[float], chosen: set[int]) -> None:
    """How much more often an accepted memory has the higher value than the lower one."""
    known = {MemoryId(f"{place:032x}"): value for place, value in enumerate(values)}
    accepted = [one for place, one in enumerate(known) if place in chosen]
    assume(0 < len(accepted) < len(known))
    shown = {one: Shown({"temporal": value}) for one, value in known.items()}
    expected = _somers(known, set(accepted))
    taught = resolved({}, accepted, shown).evidence
    assert taught.get("temporal", 0.0) == pytest.approx(expected, abs=5e-5)
    assert -1 <= taught.get("temporal", 0.0) <= 1
    reverse = {one: Shown({"temporal": -value}) for one, value in known.items()}
    turned = resolved({}, accepted, reverse).evidence
    assert turned.get("temporal", 0.0) == -taught.get("temporal", 0.0)


def test_evidence_needs_both_what_was_accepted_and_what_was_not() -> None:
    """Where nothing or everything was accepted, or nothing was ranked, nothing is said."""
    shown = {one: Shown({"semantic": place / 4}) for place, one in enumerate((A, B, C))}
    assert resolved({A: "hot"}, [], shown).evidence == {}
    assert resolved({}, [A, B, C], shown).evidence == {}
    assert resolved({}, [C], shown).evidence == {"semantic": 1.0}
    assert resolved({}, [A], shown).evidence == {"semantic": -1.0}
    assert resolved({}, [B], shown).evidence == {"semantic": 0.0}
    alike = {one: Shown({"semantic": 0.5}) for one in (A, B, C)}
    assert resolved({}, [B], alike).evidence == {}


def test_what_votes_had_steered_is_no_evidence() -> None:
    """Memories that came up in later rounds or beside the line were not ranked by relevance."""
    shown = {
        A: Shown({"semantic": 0.2}),
        B: Shown({"semantic": 0.8}),
        C: Shown({}),
        D: Shown({}, A),
    }
    assert resolved({}, [C, D], shown).evidence == {}
    assert resolved({}, [A, C], shown).evidence == {"semantic": -1.0}
