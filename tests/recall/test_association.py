"""The names of entities: told apart by keyed hashes alone, and found again in a cue."""

from __future__ import annotations

import pytest

from recall.association import counts_with, entity_key, holds_name, keys_of_names
from recall.relevance import PRIOR

SECRET = b"s" * 32
LONG = "International Red Cross Committee of Geneva"
LONGER = f"{LONG} for the Protection of Lighthouses"


@pytest.mark.parametrize("name", ["Dana", "Ben Hur", "C3PO", "Zoë O'Hara-Smith", LONG, LONGER])
def test_a_cue_that_holds_a_name_has_its_key(name: str) -> None:
    """However long a name is, a cue that holds it names it; a part of it does not."""
    assert entity_key(SECRET, name) in keys_of_names(
        SECRET, f"what did {name} say about the harbour?"
    )
    assert entity_key(SECRET, name) in keys_of_names(SECRET, f"WHERE IS {name.upper()}'S KETTLE")
    assert entity_key(SECRET, name) not in keys_of_names(
        SECRET, "what did she say about the harbour?"
    )
    head, _, rest = name.partition(" ")
    if rest:
        assert entity_key(SECRET, name) not in keys_of_names(SECRET, f"what did {head} say?")


def test_a_key_tells_names_apart_and_nothing_else() -> None:
    """Case, blanks, marks and a possessive make no difference; another name or secret does."""
    key = entity_key(SECRET, "Ben Hur")
    assert {entity_key(SECRET, name) for name in ("ben  hur", "BEN HUR", "Ben Hur's")} == {key}
    assert entity_key(SECRET, "Hur Ben") != key
    assert entity_key(b"t" * 32, "Ben Hur") != key
    assert b"Ben" not in key
    assert len(key) == 16


def test_evidence_adds_to_the_prior_and_never_more_than_it() -> None:
    """What ranked no better than chance adds nothing; all together add the prior at most."""
    assert counts_with([]) == PRIOR
    assert counts_with([{"semantic": -3.0}]) == PRIOR
    added = counts_with([{"temporal": 0.5, "semantic": -1.0}, {"temporal": 0.25}])
    assert added == (PRIOR[0], PRIOR[1], PRIOR[2] + 0.75, PRIOR[3], PRIOR[4])
    full = counts_with([{"temporal": 1e6, "weight": 1e6}])
    assert sum(full) == pytest.approx(2 * sum(PRIOR))
    assert full[0] == PRIOR[0]


def test_a_name_is_words_of_its_own() -> None:
    """A cue does not hold a name that is a part of one of its words."""
    assert holds_name("Is Al in the attic?", "al")
    assert not holds_name("It is also in the attic", "Al")
    assert holds_name(f"said by the {LONGER}", LONGER)
