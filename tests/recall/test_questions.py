"""What narrows and orders an answer: filters, spaces, strategies, ties, and what explains it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hashed_words import HashedWords

from mnemolog import InvalidField, InvalidNumber, Memory, NewMemory

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import SetClock

_ITEMS = (
    NewMemory("The kettle boils in the kitchen", place="house/kitchen", tags=("tea", "daily")),
    NewMemory("The kettle was bought in May", kind="episodic", source="user:dana", tags=("tea",)),
    NewMemory("Descale the kettle with vinegar", kind="procedural", source="file:notes.md#kettle"),
    NewMemory("Dana likes her kettle red", kind="preference", source="file:notes.mdx"),
    NewMemory("The spare kettle is in the attic", place="house/attic", tags=("Daily",)),
)


def _found(memory: Memory, cue: str = "kettle", **filters: object) -> set[int]:
    """Which of the items answer, by number."""
    texts = [item.content for item in _ITEMS]
    return {texts.index(hit.content) for hit in memory.recall(cue, **filters).hits}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, {0, 1, 2, 3, 4}),
        ({"kinds": ("episodic", "preference")}, {1, 3}),
        ({"tags": ("tea",)}, {0, 1}),
        ({"tags": ("TEA", "daily")}, {0}),
        ({"tags": ("daily",)}, {0, 4}),
        ({"tags": ("nobody's",)}, set()),
        ({"source": "user:dana"}, {1}),
        ({"source": "file:"}, {2, 3}),
        ({"source": "file:notes.md"}, {2}),
        ({"source": "file:not"}, set()),
        ({"place": "house"}, {0, 4}),
        ({"place": "house/attic"}, {4}),
        ({"place": "hous"}, set()),
        ({"statuses": ("withdrawn",)}, set()),
        ({"kinds": ("procedural",), "tags": ("tea",)}, set()),
    ],
)
def test_filters_narrow_an_answer(
    memory: Memory, filters: dict[str, tuple[str, ...]], expected: set[int]
) -> None:
    """Kind, tags, source, place and status let through what carries them, and nothing else."""
    memory.remember_many(_ITEMS)
    assert _found(memory, **filters) == expected


def test_filters_hold_in_a_base_as_in_a_tail(memory: Memory) -> None:
    """A memory read from an index base is filtered like one added since."""
    memory.remember_many(_ITEMS[:3])
    memory.upkeep.rebuild()
    memory.remember_many(_ITEMS[3:])
    assert _found(memory, tags=("daily",)) == {0, 4}
    assert _found(memory, source="file:") == {2, 3}


def test_withdrawn_memories_answer_only_by_name(memory: Memory) -> None:
    """A withdrawn memory is in no plain answer, and is found by its status."""
    receipts = memory.remember_many(_ITEMS)
    memory.withdraw(receipts[1].memory_id or "")
    assert _found(memory) == {0, 2, 3, 4}
    assert _found(memory, statuses=("withdrawn",)) == {1}


def test_valid_time_filters_what_held(memory: Memory) -> None:
    """A memory answers from the beginning of its time up to its end, the end left out."""
    memory.remember(
        NewMemory("The kettle is lent", valid_from="2026-01-01", valid_until="2026-02-01")
    )
    for instant, held in (
        ("2025-12-31", False),
        ("2026-01-01", True),
        ("2026-01-31", True),
        ("2026-02-01", False),
    ):
        assert memory.recall("kettle", valid_at=instant).empty is not held


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("kinds", ("dream",), InvalidField),
        ("statuses", ("lost",), InvalidField),
        ("strategy", "magic", InvalidField),
        ("tags", "tea", InvalidField),
        ("tags", ("a\ud800b",), InvalidField),
        ("tags", (7,), InvalidField),
        ("source", "", InvalidField),
        ("source", 7, InvalidField),
        ("source", "user:\udcff", InvalidField),
        ("limit", 0, InvalidNumber),
        ("limit", True, InvalidNumber),
        ("limit", 1001, InvalidNumber),
        ("vector", [0.0] * 64, InvalidField),
        ("vector", [float("nan")] * 64, InvalidField),
        ("vector", [1.0] * 63, InvalidField),
        ("valid_at", "April", InvalidField),
    ],
)
def test_bad_questions_are_refused(
    memory: Memory, field: str, value: object, error: type[Exception]
) -> None:
    """A question that cannot be asked names its field."""
    memory.remember("The kettle boils")
    with pytest.raises(error, match=field):
        memory.recall("kettle", **{field: value})


def test_a_cue_that_is_no_text_is_refused(memory: Memory) -> None:
    """Half a character, as a terminal in another encoding gives, is named and not searched for."""
    memory.remember("The kettle boils")
    for cue, problem in (
        ("kettle \udcff", "surrogate"),
        ("", "empty"),
        ("  ", "empty"),
        (7, "int"),
    ):
        with pytest.raises(InvalidField, match=f"cue: .*{problem}"):
            memory.recall(cue)


def test_spaces_are_apart_unless_named(tmp_path: Path, clock: SetClock) -> None:
    """An answer holds memories of the spaces named, and of its own if none is."""
    with (
        Memory.open(tmp_path, "red", clock=clock, embedder=HashedWords()) as red,
        Memory.open(tmp_path, "blue", clock=clock, embedder=HashedWords()) as blue,
    ):
        red.remember("The kettle is red")
        blue.remember("The kettle is blue")
        assert [hit.content for hit in red.recall("kettle").hits] == ["The kettle is red"]
        both = red.recall("kettle", spaces=("red", "blue")).hits
        assert {hit.space for hit in both} == {"red", "blue"}
        assert [hit.space for hit in red.recall("kettle", spaces=("blue",)).hits] == ["blue"]


@pytest.mark.parametrize("strategy", ["hybrid", "rrf", "semantic", "keyword"])
def test_what_another_space_holds_changes_no_score(
    tmp_path: Path, clock: SetClock, strategy: str
) -> None:
    """Statistics of ranking do not cross spaces: scores stay the same to the last digit."""
    with (
        Memory.open(tmp_path, "red", clock=clock, embedder=HashedWords()) as red,
        Memory.open(tmp_path, "blue", clock=clock, embedder=HashedWords()) as blue,
    ):
        red.remember_many(_ITEMS)
        before = red.recall("the red kettle in May", strategy=strategy).hits
        blue.remember_many([f"kettle red May {number} " * 20 for number in range(30)])
        assert red.recall("the red kettle in May", strategy=strategy).hits == before


def test_each_strategy_ranks_by_what_it_is_named_for(memory: Memory) -> None:
    """Keyword goes by words alone, semantic by the vector alone, rrf and hybrid by both."""
    words = "lantern oil wick"
    memory.remember_many(["lantern lantern lantern", "harbour boats", words])
    of_boats = HashedWords().embed(["harbour boats"])[0]
    keyword = memory.recall(words, strategy="keyword", vector=of_boats)
    assert keyword.hits[0].content == words
    assert all("harbour" not in hit.content for hit in keyword.hits)
    semantic = memory.recall(words, strategy="semantic", vector=of_boats)
    assert semantic.hits[0].content == "harbour boats"
    assert semantic.hits[0].relevance == pytest.approx(1.0, abs=1e-3)
    for strategy in ("rrf", "hybrid"):
        fused = memory.recall(words, strategy=strategy, vector=of_boats, min_relevance=0)
        assert fused.strategy == strategy
        assert {hit.content for hit in fused.hits} >= {words, "harbour boats"}


def test_the_strategy_of_a_space_is_a_setting(memory: Memory) -> None:
    """A space's strategy is what it was configured to be, also as of a moment before."""
    memory.remember("The kettle boils")
    before = memory.log.checkpoint().position
    memory.configure({"strategy": "keyword"})
    assert memory.recall("kettle").strategy == "keyword"
    assert memory.as_of(before).recall("kettle").strategy == "hybrid"


def test_of_equals_the_newer_comes_first(memory: Memory, clock: SetClock) -> None:
    """Among scores that cannot be told apart, recency decides and then position."""
    first = memory.remember("The kettle boils at home")
    second = memory.remember("The kettle boils at sea")
    clock.pass_days(1)
    third = memory.remember("The kettle boils at work")
    old = memory.remember("The kettle boils at noon", valid_from="2020-01-01")
    hits = memory.recall("kettle boils", strategy="keyword").hits
    order = [third, second, first, old]
    assert [hit.memory_id for hit in hits] == [receipt.memory_id for receipt in order]


@pytest.mark.parametrize("strategy", ["hybrid", "rrf", "semantic", "keyword"])
def test_as_many_as_are_asked_for_come(memory: Memory, strategy: str) -> None:
    """Where enough memories answer, a long list is as long as its limit, each of them once."""
    memory.remember_many([f"The kettle of house {number} boils" for number in range(700)])
    hits = memory.recall("kettle boils", limit=650, strategy=strategy).hits
    assert len({hit.memory_id for hit in hits}) == len(hits) == 650


def test_a_limit_cuts_the_same_list(memory: Memory) -> None:
    """A smaller limit gives the beginning of the longer list."""
    memory.remember_many([f"The kettle boils {'again ' * number}" for number in range(30)])
    whole = memory.recall("kettle boils again", limit=30).hits
    for limit in (1, 2, 7, 29):
        assert memory.recall("kettle boils again", limit=limit).hits == whole[:limit]


def test_a_hit_explains_itself(memory: Memory) -> None:
    """Ranks count from 1 in each search, scores are named, and matched words are told."""
    memory.remember_many(["The kettle boils", "The lantern burns in the hall"])
    (hit, *_) = memory.recall("boiling kettle").hits
    assert hit.explanation.ranks["keyword"] == 1
    assert hit.explanation.ranks["semantic"] >= 1
    assert {"kettl", "boil"} == set(hit.explanation.matched)
    assert hit.explanation.scores["score"] > hit.explanation.scores["association"] == 0.0
    assert hit.explanation.found is None
    assert hit.explanation.corrected == {}
    assert 0 < hit.relevance <= 1


def test_nothing_found_is_said(memory: Memory) -> None:
    """An empty answer says that the memory holds nothing on the cue."""
    answer = memory.recall("kettle")
    assert answer.empty
    assert answer.hits == ()
    assert answer.message == "The memory holds nothing on this."


def test_a_cue_of_closed_class_words_is_asked_as_it_stands(memory: Memory) -> None:
    """A cue of nothing but common words still finds the memory that has them."""
    memory.remember_many(["To be or not to be", "Kettles boil"])
    assert memory.recall("to be or not", strategy="keyword").hits[0].content == "To be or not to be"


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("Build 7f3a9c2e-11 failed", "7F3A9C2E-11"),
        ("See src/mnemolog/home.py, line 12", "src/mnemolog/home.py"),
        ("Ticket ABC-1234 is closed.", "abc-1234"),
        ("Set MNEMOLOG_HOME=/var/lib", "mnemolog_home=/var/lib"),
        ("Upgrade to 3.51.3 soon", "3.51.3"),
        ("Mail dana@example.org about it", "dana@example.org"),
    ],
)
def test_exact_terms_are_found_whole(memory: Memory, text: str, cue: str) -> None:
    """Ids, codes, paths and versions are found as one piece, before what shares their parts."""
    parts = " ".join(cue.replace("-", " ").replace("/", " ").replace(".", " ").split())
    memory.remember_many([f"{parts} among other things", text, f"{parts} again"])
    hits = memory.recall(cue, strategy="keyword").hits
    assert hits[0].content == text
    assert cue.lower() in hits[0].explanation.matched


def test_a_code_outweighs_nearness_and_weight(memory: Memory) -> None:
    """A note that holds the code of a cue comes before one nearer in meaning that is used often."""
    holding, nearer = (
        "Ben saw carriage81 of ben1x81 pass",
        "The fence is painted green",
    )
    model = HashedWords()
    cue, *vectors = model.embed(["ben1x81", holding, nearer])
    assert vectors[0] @ cue < vectors[1] @ cue
    memory.remember_many([holding, nearer])
    for _ in range(60):
        memory.admission.admit(nearer, contradictions="off")
    assert memory.recall("ben1x81").hits[0].content == holding


def test_a_mistyped_word_finds_its_word(memory: Memory) -> None:
    """A word that is nowhere is read as the one that it was meant for, and the hit says so."""
    memory.remember_many(["The lantern hangs in the hall", "Kettles boil"])
    (hit, *_) = memory.recall("lanteern", strategy="keyword").hits
    assert hit.content == "The lantern hangs in the hall"
    assert hit.explanation.corrected == {"lanteern": ("lantern",)}


@pytest.mark.parametrize(
    ("held", "cue"), [("horse", "house"), ("kettle", "settle"), ("cat", "cut")]
)
def test_a_different_word_that_looks_alike_is_not_it(memory: Memory, held: str, cue: str) -> None:
    """A word with a meaning of its own is not read as another that is a letter away."""
    memory.remember(f"The {held} stands in the hall")
    assert memory.recall(cue, strategy="keyword").empty


def test_a_word_that_is_there_is_not_corrected(memory: Memory) -> None:
    """A word that matches exactly is taken as it is, however near another is."""
    memory.remember_many(["Kessler mended it", "Kesslar sold it"])
    hits = memory.recall("kesslar", strategy="keyword").hits
    assert [hit.content for hit in hits] == ["Kesslar sold it"]


def test_a_typing_error_sees_the_words_of_its_moment(memory: Memory) -> None:
    """As of a moment a mistyped word is read as a word that was known then."""
    memory.remember("Kettles boil")
    before = memory.log.checkpoint().position
    memory.remember("The lantern hangs")
    assert memory.as_of(before).recall("lanteern", strategy="keyword").empty
    memory.upkeep.rebuild()
    assert memory.as_of(before).recall("lanteern", strategy="keyword").empty
    assert not memory.recall("lanteern", strategy="keyword").empty


def test_aliases_are_found_like_the_text(memory: Memory) -> None:
    """A memory is found by another name that it was given."""
    memory.remember("The boiler on the stove", aliases=("samovar",))
    assert memory.recall("samovar", strategy="keyword").hits[0].content == "The boiler on the stove"
