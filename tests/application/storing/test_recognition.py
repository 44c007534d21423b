"""Recognising constraints by rules and likeness in a memory with the built-in embedder."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog import Memory


@pytest.mark.parametrize("end", ["", " ", "\n"])
def test_a_question_states_no_constraint_whatever_blanks_follow_it(
    tmp_path: Path, end: str
) -> None:
    """A question asks whether something limits; a blank behind it changes nothing."""
    with Memory.open(tmp_path / "home") as memory:
        receipt = memory.remember(f"Does finance send back any hotel above 180?{end}")
        assert "constraint" not in receipt.changed[0]
        told = memory.remember(f"Finance sends back any hotel above 180.{end}")
        assert "as a cost constraint" in told.changed[0]
