"""What redaction takes of the words of other events: what quotes a memory, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from mnemolog import Memory, NewMemory, Thing
from mnemolog.application.redaction import quotations
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import MemoryId
from tests.homes import ALL_TIERS, DAY, HandClock

ID, OTHER = "0a" * 16, "0b" * 16
STORY = (
    "Mara fixed the boiler in the cellar of the lighthouse in March. It had leaked for two weeks. "
    "The plumber from Kiel was on holiday, so she took the seal of the old pump. "
    "Nobody noticed the noise until the first storm came. Later they laughed about it a lot."
)


def has_lost(memory: Memory, text: str, reason: str) -> bool:
    """Whether the reason of an unrelated withdrawal goes when a text is redacted."""
    memory.remember(text, id=ID)
    memory.remember("the lamp in the hall is broken", id=OTHER)
    withdrawn = memory.withdraw(OTHER, reason=reason).position
    erased = memory.redact(ID).erased
    assert erased in {(1,), (1, withdrawn)}
    return withdrawn in erased


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Lunch is at the end of the street", "it was at the end of the list"),
        ("We use python3 for our scripts", "replaced by a python3 script"),
        ("New York", "that was before the journey to New York"),
        ("It is what it was", "whatever it is, it is what it was"),
        ("Dana was born in 1984", "not since 1984"),
    ],
)
def test_common_words_are_no_quotation(memory: Memory, text: str, reason: str) -> None:
    """Stop words in a row, a name of two words and a product with a digit take nothing."""
    assert not has_lost(memory, text, reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Lunch is at the end of the street", "there is none at the end of the street"),
        ("The garage opens with a blue key", "he said: the garage opens with a blue key!"),
        ("Dana hates Mondays", "because Dana hates Mondays"),
        ("I am at the Bellevue", "he wrote that I am at the Bellevue"),
        ("The alarm code is 471108", "471108 was changed"),
        ("pw4711x0", "it was pw4711x0"),
    ],
)
def test_what_quotes_goes(memory: Memory, text: str, reason: str) -> None:
    """Four telling words in a row, all of a text that has none such, and a code are quotations."""
    assert has_lost(memory, text, reason)


@pytest.mark.parametrize(
    ("text", "relation", "to"),
    [
        ("We use python3 for our scripts", "USES", "python3"),
        ("New York", "LIVES_IN", "New York"),
        ("The scripts run on build471108", "USES", "build471108"),
    ],
)
def test_edges_of_others_stay(memory: Memory, text: str, relation: str, to: str) -> None:
    """What an edge between other things says is its own, even if it has the same words."""
    memory.remember(text, id=ID)
    memory.graph.link(Thing("Paul"), relation, Thing(to), reason="he said so")
    assert memory.redact(ID).erased == (1,)
    (edge,) = memory.graph.links()
    assert (edge.source, edge.target, edge.reason) == (Thing("Paul"), Thing(to), "he said so")


def test_summaries_of_others_stay(memory: Memory, clock: HandClock) -> None:
    """A summary goes with the memory that it sums up, and with no other."""
    memory.configure(ALL_TIERS)
    memory.remember(STORY, id=OTHER, kind="episodic", importance="low")
    clock.move(70 * DAY)
    memory.upkeep.tick(confirmed=True)
    summary = memory.get(OTHER).summary
    assert summary is not None
    own = memory.remember("Mara fixed the boiler in the cellar of the lighthouse", id=ID).position
    assert "boiler in the cellar" in summary
    assert memory.redact(ID).erased == (own,)
    assert memory.get(OTHER).summary == summary
    memory.redact(OTHER)
    assert memory.get(OTHER).summary is None


def test_long_memories_are_looked_for_in_batches(
    memory: Memory, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What quotes any of them goes with it, and no more words are held at once than a bound."""
    memory.configure({"contradictions": "off", **ALL_TIERS})
    monkeypatch.setattr(quotations, "_MOST_WORDS", 50)
    held: list[int] = []

    class Counted(quotations.Quotations):
        def __init__(self, memories: Iterable[Event]) -> None:
            batch = [*memories]
            held.append(sum(len((event.content or b"").split()) for event in batch))
            super().__init__(batch)

    monkeypatch.setattr(quotations, "Quotations", Counted)
    kept = memory.remember("The lamp in the hall is new", immutable=True).memory_id or ""
    texts = [f"Mara painted shelf number{number} in the attic" for number in range(30)]
    given = [NewMemory(text, kind="episodic", importance="low") for text in texts]
    stored = [one.memory_id or "" for one in memory.remember_many(given)]
    for text in texts[::7]:
        memory.pin(kept, reason=f"she said: {text}")
        memory.unpin(kept)
    memory.redact(*stored[:6])
    clock.move(800 * DAY)
    assert memory.upkeep.tick(confirmed=True).falls == {"deleted": 24}
    assert 0 < max(held) <= 50
    said = memory._space.home.log.concerning(MemoryId(kept))
    assert [one.content for one in said if one.kind == "pinned"] == [None] * 5
