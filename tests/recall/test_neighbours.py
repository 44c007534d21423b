"""Which stored memories a new text is compared with first."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog import Memory, MiniLM
from mnemolog.ledger.ids import Position
from mnemolog.recall.search import neighbours
from mnemolog.recall.search.neighbours import Neighbours

STARTS, ENDS = ("Bel", "Gus", "Mar", "Tor", "Hal", "Ke"), ("zan", "moli", "del", "rin", "nu")


def test_a_rare_name_outweighs_nearness(tmp_path: Path) -> None:
    """Of many memories worded like a text, the one of the same name is among the first six."""
    names = [start + end for start in STARTS for end in ENDS]
    others = [f"{name} {names[place * 7 % len(names)]}" for place, name in enumerate(names)]
    others += [alike for name in names for alike in (f"Marzan {name}", f"{name} Kerinti")]
    texts = [f"{name} is employed by Globex" for name in others]
    texts.append("Marzan Kerinti works for Acme")
    model, text = MiniLM(), "Marzan Kerinti is employed by Globex"
    with Memory.open(tmp_path / "home", embedder=model) as memory:
        *_, wanted = memory.remember_many(texts, contradictions="off")
        home = memory._space.home
        state = home.index(memory.space).words_at(home.head(), len(texts))
        begun = Neighbours(state, home.head(), home.parts.analyzer)
        near = begun.of(text, model.embed([text])[0])
        first = begun.positions([one.ordinal for one in near[:6]])
    assert wanted.position in first


def test_of_common_words_the_newest_holders_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rare word finds its memory, and common ones rank it, however many hold them."""
    monkeypatch.setattr(neighbours, "_READ", 3)
    texts = [*["Kerinti sells tea"] * 2, "Marzan sells bread", *["bread and tea"] * 8]
    with Memory.open(tmp_path / "home") as memory:
        stored = memory.remember_many(texts, contradictions="off")
        home = memory._space.home
        state = home.index(memory.space).words_at(home.head(), len(texts))
        begun = Neighbours(state, home.head(), home.parts.analyzer)

        def found(text: str) -> list[Position]:
            return begun.positions([one.ordinal for one in begun.of(text, None)])

        assert found("Marzan sells tea") == [stored[2].position]
        assert found("tea") == [stored[place].position for place in (10, 9, 8)]
        begun.leave_out(10)
        assert found("tea") == [stored[place].position for place in (9, 8)]
