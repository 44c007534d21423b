"""Statements about things of different names are no news of each other, in recall neither."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog import Memory

pytestmark = pytest.mark.fitted_judge
WORKERS = {
    "Bavo Semose": "Acme",
    "Bati Marrinhal": "Acme",
    "Lira Semoli": "Globex",
    "Kegus Delmozan": "Initech",
    "Belzan Numarti": "Acme",
    "Razan Tivozan": "Initech",
    "Belzan Tivorra": "Hooli",
    "Moli Gusbarin": "Globex",
    "Tira Gusbarin": "Hooli",
    "Vodel Kerinti": "Acme",
}


def test_facts_of_others_stand(tmp_path: Path) -> None:
    """Of ten people with invented names, each fact stands and is the answer to its question."""
    with Memory.open(tmp_path / "home") as memory:
        for name, firm in WORKERS.items():
            receipt = memory.remember(f"{name} works for {firm}")
            assert (receipt.conflicts, receipt.may_replace) == ((), ())
        for name, firm in WORKERS.items():
            first = memory.recall(f"Who does {name} work for?").hits[0]
            assert first.content == f"{name} works for {firm}"


def test_a_change_is_found_among_others(tmp_path: Path) -> None:
    """The news of one of them is compared with what is said of that one, not of those like it."""
    with Memory.open(tmp_path / "home") as memory:
        for name, firm in WORKERS.items():
            memory.remember(f"{name} works for {firm}")
        receipt = memory.remember("Tira Gusbarin works for Umbrella now")
        (found,) = (*receipt.conflicts, *receipt.may_replace)
        assert found.content == "Tira Gusbarin works for Hooli"
        first = memory.recall("Who does Tira Gusbarin work for?").hits[0]
        assert first.content == "Tira Gusbarin works for Umbrella now"


def test_a_pronoun_or_a_value_joins_what_names_do_not(tmp_path: Path) -> None:
    """A name that ends a text is what is said of something, and "she" may be anybody."""
    with Memory.open(tmp_path / "home") as memory:
        memory.remember("My dentist is Dr. Kim")
        assert memory.remember("My dentist is Dr. Lee now").conflicts[0].outcome == "superseded"
    with Memory.open(tmp_path / "other") as memory:
        memory.remember("Marta lives in Utrecht")
        (offer,) = memory.remember("She has moved to Gouda").may_replace
        assert offer.content == "Marta lives in Utrecht"


@pytest.mark.parametrize("text", ["Note {} of the day", "Shelf {}", "The valve no. {} leaks"])
def test_numbered_things_are_others(tmp_path: Path, text: str) -> None:
    """Nothing is retired or offered, and a cue with a number finds what has that number."""
    with Memory.open(tmp_path / "home") as memory:
        texts = [text.format(number) for number in range(1, 13)]
        for one in texts:
            receipt = memory.remember(one)
            assert (receipt.conflicts, receipt.may_replace) == ((), ())
        assert [memory.recall(one).hits[0].content for one in texts] == texts
