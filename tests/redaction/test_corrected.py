"""Redaction reaches what a correction kept: a rest, or a quotation, goes with what it is from."""

from __future__ import annotations

from pathlib import Path

import pytest
from hashed_words import HashedWords
from traces import bytes_left, new_secret, open_home

from mnemolog import Contradiction, Memory, Statement
from mnemolog.policies.corrections import quoting
from tests.homes import ALL_TIERS, DAY, HandClock

_OTHER = "The ladder stands in the orchard"


class Keeping:
    """Judge for which what moved contradicts where somebody lives, and keeps a given rest."""

    name = "keeping"

    def __init__(self, kept: str | None) -> None:
        self._kept = kept

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """The contradiction; None if the old statement tells of no home."""
        if "moved" not in new.text or "lives in" not in old.text:
            return None
        return Contradiction(
            type="value",
            severity="major",
            attribute="home",
            time_sensitive=True,
            condition=None,
            reason="The homes differ.",
            kept=self._kept,
        )


def _corrected(memory: Memory, text: str) -> tuple[str, str]:
    """Ids of a memory with this text and of the correction that replaced it."""
    memory.remember(_OTHER)
    old = memory.remember(text).memory_id or ""
    corrected = memory.correct("Dana moved to Porto.")
    assert corrected.retired == (old,)
    return old, corrected.memory_id or ""


def _contents(memory: Memory) -> set[str | None]:
    return {item.content for item in memory.list()}


def test_the_rest_goes_with_the_memory_that_it_is_from(tmp_path: Path) -> None:
    """Nothing of a redacted memory is left in what a correction kept of it."""
    secret = new_secret().split()[0]
    with open_home(tmp_path, Keeping(f"Dana restores {secret}.")) as memory:
        old, new = _corrected(memory, f"Dana lives in Bergen and restores {secret}.")
        (rest,) = (one for one in memory.list() if secret in one.content)
        redaction = memory.redact(old)
        assert f"{rest.memory_id} is redacted as well" in " ".join(redaction.changed)
        assert {item.memory_id for item in memory.list()} > {new}
        assert bytes_left(tmp_path, secret) == []
        assert memory.log.verify()
    assert bytes_left(tmp_path, secret) == []


@pytest.mark.parametrize("named", ["old", "new"])
def test_a_quotation_and_what_it_quotes_go_together(tmp_path: Path, named: str) -> None:
    """Whichever of the two is redacted, the quoted words are nowhere."""
    secret = new_secret().split()[0]
    with open_home(tmp_path, Keeping(None)) as memory:
        old, new = _corrected(memory, f"Dana lives in Bergen; {secret} is her trade")
        assert secret in memory.get(new).content
        memory.redact(old if named == "old" else new)
        assert [item.content for item in memory.list()] == [_OTHER]
        assert bytes_left(tmp_path, secret) == []
    assert bytes_left(tmp_path, secret) == []


def test_a_memory_goes_with_its_rest(tmp_path: Path) -> None:
    """What is redacted is nowhere, so neither is the memory that it was kept of."""
    secret = new_secret().split()[0]
    with open_home(tmp_path, Keeping(f"Dana restores {secret}.")) as memory:
        old, new = _corrected(memory, f"Dana lives in Bergen and restores {secret}.")
        (rest,) = (one.memory_id for one in memory.list() if secret in one.content)
        redaction = memory.redact(rest)
        assert f"{old} is redacted as well" in " ".join(redaction.changed)
        assert memory.get(new).content == "Dana moved to Porto."
        assert bytes_left(tmp_path, secret) == []


def test_an_undone_correction_goes_too(tmp_path: Path) -> None:
    """A withdrawn rest still holds the words; the memory itself is independent of it."""
    secret = new_secret().split()[0]
    with open_home(tmp_path, Keeping(f"Dana restores {secret}.")) as memory:
        old, new = _corrected(memory, f"Dana lives in Bergen and restores {secret}.")
        (rest,) = (one.memory_id for one in memory.list() if secret in one.content)
        memory.undo(new)
        redaction = memory.redact(rest)
        assert f"{old} keeps its words" in " ".join(redaction.changed)
        assert secret in (memory.get(old).content or "")
        memory.redact(old)
        assert bytes_left(tmp_path, secret) == []


def test_a_quotation_is_found_behind_an_edit(tmp_path: Path) -> None:
    """Whoever edits a correction that quotes a memory quotes it too."""
    secret = new_secret().split()[0]
    with open_home(tmp_path, Keeping(None)) as memory:
        old, new = _corrected(memory, f"Dana lives in Bergen; {secret} is her trade")
        edited = (memory.get(new).content or "").replace("Dana moved", "Dana has moved")
        memory.supersede(new, edited)
        memory.redact(old)
        assert [item.content for item in memory.list()] == [_OTHER]
        assert bytes_left(tmp_path, secret) == []


def test_what_a_quoting_memory_says_itself_is_no_copy(tmp_path: Path) -> None:
    """A later correction quotes the earlier one's own words: nothing of the first memory."""
    with open_home(tmp_path, Keeping(None)) as memory:
        old, new = _corrected(memory, "Dana lives in Bergen; weaving is her trade")
        memory.supersede(new, quoting("Dana moved to Delft", [memory.get(new).content or ""]))
        memory.redact(old)
        assert "Dana moved to Delft. Before: “Dana moved to Porto.”" in _contents(memory)


def test_its_aliases_are_not_those_of_its_correction(tmp_path: Path) -> None:
    """An alias is another wording of what holds no longer, and goes with it."""
    secret = new_secret().split()[0]
    with open_home(tmp_path, Keeping("")) as memory:
        old = memory.remember("Dana lives in Bergen", aliases=(secret,)).memory_id or ""
        assert memory.correct("Dana moved to Porto.").retired == (old,)
        memory.redact(old)
        assert _contents(memory) == {"Dana moved to Porto."}
        assert bytes_left(tmp_path, secret) == []


def test_a_rest_that_fades_takes_only_itself_along(tmp_path: Path) -> None:
    """What was superseded stays in the trail until somebody redacts it."""
    judge = Keeping("Dana restores violins.")
    clock = HandClock()
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords(), judge=judge) as memory:
        memory.configure(ALL_TIERS)
        text = "Dana lives in Bergen and restores violins."
        old = memory.remember(text, immutable=True).memory_id or ""
        new = memory.correct("Dana moved to Porto.", override=True).memory_id or ""
        memory.pin(new)
        (rest,) = (one.memory_id for one in memory.list() if "violins" in one.content)
        clock.move(5 * 365 * DAY)
        memory.upkeep.tick(confirmed=True)
        assert memory.get(rest).status == "redacted"
        assert memory.get(old).content == text


def test_a_plain_successor_stays(tmp_path: Path) -> None:
    """Who superseded a memory in words of their own keeps them, also where both say the same."""
    with open_home(tmp_path) as memory:
        old = memory.remember("Dana lives in Bergen by the harbour").memory_id or ""
        after = "Dana lives in Bergen by the harbour, in the red house"
        memory.supersede(old, after)
        memory.redact(old)
        assert [item.content for item in memory.list()] == [after]
