"""The names of entities: told apart by keyed hashes alone, and found again in a cue."""

from __future__ import annotations

import pytest

from mnemolog.recall.search.question import PRIOR, counts_with
from mnemolog.recall.search.relevance import holds_name, subject_key, subject_keys

SECRET = b"s" * 32
LONG = "International Red Cross Committee of Geneva"
LONGER = f"{LONG} for the Protection of Lighthouses"


@pytest.mark.parametrize("name", ["Dana", "Ben Hur", "C3PO", "Zoë O'Hara-Smith", LONG, LONGER])
def test_a_cue_that_holds_a_name_has_its_key(name: str) -> None:
    """However long a name is, a cue that holds it names it; a part of it does not."""
    key = subject_key(SECRET, f"the kettle of {name}", name)
    assert key in subject_keys(SECRET, f"what did {name} say about the harbour?")
    assert key in subject_keys(SECRET, f"WHERE IS {name.upper()}'S KETTLE")
    assert key not in subject_keys(SECRET, "what did she say about the harbour?")
    head, _, rest = name.partition(" ")
    if rest:
        assert key not in subject_keys(SECRET, f"what did {head} say?")


def test_a_key_tells_names_apart_and_nothing_else() -> None:
    """Case, blanks, marks and a possessive make no difference; another name or secret does."""

    def key(name: str, secret: bytes = SECRET) -> bytes:
        made = subject_key(secret, "where is it", name)
        assert made is not None
        return made

    assert {key(name) for name in ("ben  hur", "BEN HUR", "Ben Hur's")} == {key("Ben Hur")}
    assert key("Hur Ben") != key("Ben Hur")
    assert key("Ben Hur", b"t" * 32) != key("Ben Hur")
    assert b"Ben" not in key("Ben Hur")
    assert len(key("Ben Hur")) == 16


@pytest.mark.parametrize("name", [None, "Ben Hur", "C3PO", "release 4.1"])
def test_numbers_of_a_query_are_what_it_is_about(name: str | None) -> None:
    """A cue with the same numbers, in whatever order, is about the same; with others it is not."""
    key = subject_key(SECRET, f"{name}: the invoice 4711 of 2025", name)
    for cue in ("in 2025, invoice 4711 of {}", "2025-04711 {}", "the {} 4711, 2025 and 4711"):
        assert key in subject_keys(SECRET, cue.format(name))
    for cue in (
        "invoice 4712 of {} in 2025",
        "invoice 4711 of {}",
        "invoice of {}",
        "4711, 2025, 9 {}",
    ):
        assert key not in subject_keys(SECRET, cue.format(name))


def test_where_no_number_was_named_a_cue_may_have_some() -> None:
    """What was learned of whom or what a query named counts in a later year as well."""
    key = subject_key(SECRET, "the harbour of Ben Hur", "Ben Hur")
    assert key in subject_keys(SECRET, "what did Ben Hur do in 2025")
    assert subject_key(SECRET, "the harbour", None) is None
    assert subject_keys(SECRET, "") == frozenset()


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
