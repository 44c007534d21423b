"""What a contradiction comes to: which events, about which memory, and until when it held."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from mnemolog.ledger.errors import ImmutableMemory, SupersessionCycle
from mnemolog.ledger.events import (
    Conflicted,
    Linked,
    Settled,
    SourceType,
    Superseded,
    Weakened,
    Withdrawn,
)
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.contradictions.judge import (
    Choice,
    Contradiction,
    ContradictionFinding,
    Dispute,
    Party,
    Statement,
    counted,
    decide_by_policy,
    decide_outcomes,
    decide_settlement,
    tempered,
)

FOUND = Contradiction("value", "major", "home", False, "in winter", "They differ.")  # noqa: FBT003
OLD = Party(MemoryId("0a" * 16), Statement("old", said_at=10))
NEW = Party(MemoryId("0b" * 16), Statement("new", said_at=20), status="contested")
OPEN = Dispute(EventId("0c" * 16), NEW, OLD)


def said(party: Party, **changes: object) -> Party:
    """The party with another statement."""
    return msgspec.structs.replace(
        party, statement=msgspec.structs.replace(party.statement, **changes)
    )


def finding(outcome: str, resolution: str = "authority", old: Party = OLD) -> ContradictionFinding:
    """A finding with an outcome."""
    choice = msgspec.convert(
        {"resolution": resolution, "outcome": outcome, "reason": "so."}, Choice
    )
    return ContradictionFinding(old, FOUND, choice, "a judge", 0.91234567)


@pytest.mark.parametrize(
    ("outcome", "resolution", "kinds", "about"),
    [
        ("superseded", "recency", [Conflicted, Superseded, Weakened], [NEW, OLD, OLD]),
        ("superseded", "authority", [Conflicted, Superseded], [NEW, OLD]),
        ("outdated", "recency", [Conflicted, Superseded], [NEW, NEW]),
        ("contested", "authority", [Conflicted], [NEW]),
        ("pending", "escalate", [Conflicted], [NEW]),
        ("both", "conditional", [Conflicted, Linked], [NEW, NEW]),
    ],
)
def test_an_outcome_comes_to_events(
    outcome: str, resolution: str, kinds: list[type], about: list[Party]
) -> None:
    """The conflict first, then what is done about it."""
    decisions = decide_outcomes(NEW, [finding(outcome, resolution)])
    assert [type(one.structure) for one in decisions] == kinds
    assert [one.memory_id for one in decisions] == [party.memory_id for party in about]
    conflict = decisions[0].structure
    assert isinstance(conflict, Conflicted)
    assert (conflict.other, conflict.similarity) == (OLD.memory_id, 0.9123)


@pytest.mark.parametrize(("old_said", "ends"), [(10, 20), (20, 20), (30, 0)])
def test_what_is_superseded_held_until_the_new_began(old_said: int, ends: int) -> None:
    """Or never, where it tells of a later time than what takes its place."""
    old = said(OLD, said_at=old_said)
    superseded = decide_outcomes(NEW, [finding("superseded", old=old)])[1].structure
    assert isinstance(superseded, Superseded)
    assert superseded.valid_until == ends


@pytest.mark.parametrize(("new_said", "ends"), [(5, 10), (10, 0), (20, 0)])
def test_what_is_outdated_held_until_the_old_began(new_said: int, ends: int) -> None:
    """Or never, where it is no older."""
    outdated = decide_outcomes(said(NEW, said_at=new_said), [finding("outdated")])[1].structure
    assert isinstance(outdated, Superseded)
    assert outdated.valid_until == ends


def test_what_is_outdated_contests_nothing() -> None:
    """Of several findings those that make the new memory outdated stand alone."""
    several = [finding("superseded"), finding("outdated"), finding("contested")]
    assert counted(several) == [several[1]]
    assert counted(several[::2]) == several[::2]


def test_an_immutable_memory_is_retired_by_neither_outcome() -> None:
    """The older or the newer one, it makes a contest of what would retire it."""
    lasting = msgspec.structs.replace(OLD, immutable=True)
    choice = finding("superseded").choice
    assert tempered(choice, FOUND, NEW, OLD) == choice
    assert tempered(choice, FOUND, NEW, lasting).outcome == "contested"
    outdated = finding("outdated").choice
    assert tempered(outdated, FOUND, NEW, lasting) == outdated
    kept = msgspec.structs.replace(NEW, immutable=True)
    assert "newer one is immutable" in tempered(outdated, FOUND, kept, OLD).reason


def test_what_is_about_safety_is_retired_by_its_like_or_by_a_rule() -> None:
    """What a model is sure of is only offered there."""
    replace, choice = msgspec.structs.replace, finding("superseded").choice
    allergy, unsure = replace(OLD, safety=True), replace(FOUND, confidence=0.99)
    assert tempered(choice, unsure, NEW, allergy).outcome == "offered"
    assert tempered(choice, unsure, replace(NEW, safety=True), allergy) == choice
    assert tempered(choice, replace(FOUND, confidence=1.0), NEW, allergy) == choice


def settled(dispute: Dispute, winner: Literal["new", "old", "both", "neither"]) -> list[type]:
    """The kinds of events that a settlement comes to."""
    decisions = decide_settlement(dispute, winner, lambda _: (), frozenset(), None)
    return [type(one.structure) for one in decisions]


def test_what_is_out_already_is_left_as_it_is() -> None:
    """A settlement retires only what still stands."""
    gone = msgspec.structs.replace(OLD, status="withdrawn")
    replaced = msgspec.structs.replace(OLD, status="superseded")
    dispute = msgspec.structs.replace
    assert settled(OPEN, "new") == [Settled, Superseded]
    assert settled(dispute(OPEN, old=gone), "new") == [Settled]
    assert settled(dispute(OPEN, old=replaced), "new") == [Settled]
    assert settled(dispute(OPEN, old=gone), "neither") == [Settled, Withdrawn]
    assert settled(dispute(OPEN, old=replaced), "neither") == [Settled, Withdrawn, Withdrawn]


def test_a_settlement_keeps_to_the_rules_of_supersession() -> None:
    """No cycle comes of it, and nothing immutable goes without an override."""
    with pytest.raises(SupersessionCycle):
        decide_settlement(
            OPEN,
            "new",
            lambda one: (OLD.memory_id,) if one == NEW.memory_id else (),
            frozenset(),
            None,
        )
    lasting = msgspec.structs.replace(OPEN, old=msgspec.structs.replace(OLD, immutable=True))
    with pytest.raises(ImmutableMemory):
        settled(lasting, "neither")
    assert decide_by_policy(lasting, "recency", lambda _: ()) == []


@pytest.mark.parametrize(
    ("new", "old", "recency", "authority"),
    [
        ({}, {}, "new", "new"),
        ({"said_at": 5}, {}, "old", "old"),
        ({"confidence": 0.5}, {}, "new", "old"),
        ({}, {"confidence": 0.5}, "new", "new"),
        ({"source_type": "inferred"}, {}, "new", "old"),
        ({"source": "user:ann"}, {"source": "user:ben"}, "new", None),
        ({"source": "a", "source_type": "external"}, {"source": "b", "source_type": "external"},
         "new", None),
    ],
)  # fmt: skip
def test_a_policy_names_the_winner(
    new: dict[str, SourceType | str | float],
    old: dict[str, SourceType | str | float],
    recency: str,
    authority: str | None,
) -> None:
    """By recency the newer; by authority the surer, the user, or the newer of one source."""
    dispute = Dispute(OPEN.conflict, said(NEW, **new), said(OLD, **old))
    for policy, expected in (("recency", recency), ("authority", authority)):
        decisions = decide_by_policy(
            dispute, msgspec.convert(policy, Literal["recency", "authority"]), lambda _: ()
        )
        winners = [one.structure.winner for one in decisions if isinstance(one.structure, Settled)]
        assert winners == ([] if expected is None else [expected])
        weakened = [one for one in decisions if isinstance(one.structure, Weakened)]
        assert len(weakened) == (policy == "recency")
