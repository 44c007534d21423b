"""Reading of notes: the first notes of a question, in the order of search and model together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hashed_words import HashedWords

from mnemolog import Memory, NewMemory
from mnemolog.application.home import home as homes
from mnemolog.indexes import cross_encoder
from mnemolog.indexes.cross_encoder import CrossEncoder
from mnemolog.indexes.embedder import stored_tokenizer
from mnemolog.recall.search.reading import READ
from mnemolog.recall.search.reranking import PhraseReranker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from conftest import SetClock

ASKED = "who services the kettle"
NOTES = [
    "The kettle is two years old",
    "The kettle was a present from Ada",
    "The kettle stands beside the oven",
    "Brewster & Sons come for the kettle in March",
    "The kettle leaks at the lid",
    "The kettle is red",
    "The kettle has no warranty",
    "The kettle boils in two minutes",
    "The kettle is in the kitchen",
    "The kettle came with a spoon",
]


class Given:
    """Reads texts by a function of each."""

    def __init__(self, chance: Callable[[str], float]) -> None:
        self._chance = chance
        self.read: list[str] = []
        self.cues: list[str] = []

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """One chance a pair."""
        self.read += [text for _, text in pairs]
        self.cues += dict.fromkeys(cue for cue, _ in pairs)
        return [self._chance(text) for _, text in pairs]


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Given:
    """Reader that takes what names a firm for an answer."""
    given = Given(lambda text: 0.9 if "Sons" in text else 0.001)
    monkeypatch.setattr(homes.Home, "note_reader", given)
    return given


@pytest.fixture
def memory(tmp_path: Path, clock: SetClock, reader: Given) -> Iterator[Memory]:
    """A memory of notes on a kettle."""
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        memory.remember_many(NOTES, contradictions="off")
        yield memory


def test_what_answers_comes_first_and_ends_the_list(memory: Memory, reader: Given) -> None:
    """The first eight hits are read, and those are shown that are likely to answer."""
    (hit,) = memory.recall(ASKED).hits
    assert hit.content == NOTES[3]
    assert hit.relevance > 0.9
    assert hit.explanation.scores["read"] == pytest.approx(0.9)
    assert len(reader.read) == READ


def test_a_successor_answers_what_the_superseded_memory_was_asked(memory: Memory) -> None:
    """Its text may share nothing with the cue: that which was found is read as well."""
    (hit,) = memory.recall(ASKED).hits
    after = "A new firm comes for the kettle in March"
    memory.supersede(hit.memory_id, after)
    found = memory.recall(f"{ASKED}, Brewster & Sons").hits[0]
    assert found.content == after
    assert found.explanation.scores["read"] == pytest.approx(0.9)


def test_what_is_newer_and_does_not_answer_replaces_nothing(memory: Memory) -> None:
    """Two notes that are worded alike are of two things if only the older one answers."""
    memory.remember("Carter & Co come for the kettle in March", contradictions="off")
    first = memory.recall(ASKED).hits[0]
    assert (first.content, first.note) == ("Brewster & Sons come for the kettle in March", None)


def test_what_nothing_answers_gets_an_empty_list(memory: Memory) -> None:
    """A list without a likely answer is empty, and whole if all matches are asked for."""
    (hit,) = memory.recall(ASKED).hits
    memory.withdraw(hit.memory_id)
    assert not memory.recall(ASKED).hits
    assert len(memory.recall(ASKED, min_relevance=0).hits) == len(NOTES) - 1


def test_a_hit_that_was_not_read_is_no_more_relevant_than_those_read(memory: Memory) -> None:
    """A list of all matches does not rise at its end."""
    hits = memory.recall(ASKED, min_relevance=0).hits
    read = [hit.relevance for hit in hits if "read" in hit.explanation.scores]
    rest = [hit.relevance for hit in hits if "read" not in hit.explanation.scores]
    assert (len(read), len(rest)) == (READ, len(NOTES) - READ)
    assert max(rest) <= max(read[1:])


def test_a_longer_list_begins_with_the_shorter(memory: Memory) -> None:
    """The limit does not decide what is read."""
    whole = memory.recall(ASKED, min_relevance=0).hits
    assert memory.recall(ASKED, min_relevance=0, limit=2).hits == whole[:2]


@pytest.mark.parametrize(
    "cue",
    [
        "kettle",  # a topic
        "everything about the kettle",  # an overview
    ],
)
def test_what_no_single_note_answers_is_not_read(memory: Memory, reader: Given, cue: str) -> None:
    """What a note says does not decide alone there."""
    memory.recall(cue)
    assert not reader.read


def test_only_notes_of_the_period_are_read(tmp_path: Path, clock: SetClock, reader: Given) -> None:
    """The model knows no times: it reads what is of the period, with the cue without it."""
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        memory.remember_many(NOTES[:4], contradictions="off")
        memory.remember("Cole & Sons serviced the kettle", valid_from="2020-03-01")
        found = memory.recall("who serviced the kettle in 2020")
    assert found.hits[0].content.startswith("Cole")
    assert reader.read == ["Cole & Sons serviced the kettle"]
    assert reader.cues == ["who serviced the kettle"]


def test_what_is_of_the_period_is_found_whatever_the_model_reads(
    tmp_path: Path, clock: SetClock, reader: Given
) -> None:
    """Reading decides the order within a period; all that is of it stays in the list."""
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        memory.remember_many([NewMemory(one, valid_from="2020-03-01") for one in NOTES[:4]])
        memory.remember("The kettle is serviced by Cole & Sons", valid_from="2019-03-01")
        asked = "who came for the kettle in 2020"
        read = [hit.content for hit in memory.recall(asked).hits]
        assert {*reader.read} == {*NOTES[:4]}
        memory.configure({"reranker": "off"})
        unread = [hit.content for hit in memory.recall(asked).hits]
    assert read[0] == NOTES[3]
    assert {*read} == {*unread}


def test_an_event_is_found_by_reading(tmp_path: Path, clock: SetClock, reader: Given) -> None:
    """What came after an event follows the note that tells of it, however it is worded."""
    said = [
        "The choir sang carols",
        "Ada is Mrs Sons from today",
        "The choir sang the Requiem",
        "The wedding cake was late, and everybody spoke of the wedding",
        "The choir sang in the rain",
    ]
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        for text in said:
            memory.remember(text, contradictions="off")
            clock.pass_days(20)
        hits = memory.recall("where did the choir first sing after the wedding").hits
    assert hits[0].content == said[2]
    assert reader.cues == ["When was the wedding?", "where did the choir first sing"]


SUNG = {
    "The choir sang in Linz": 0.95,
    "Carols in the cold at Wels by the choir": 0.9,
    "The choir is small": 0.001,
    "The choir sang in Linz once more": 0.97,
    "A Requiem in Graz was what the choir had to sing": 0.92,
}


@pytest.mark.parametrize(
    ("cue", "first"),
    [
        ("where did the choir first sing", 0),
        ("the second time that the choir sang", 1),
        ("where did the choir last sing", 4),
        ("the time before last that the choir sang", 3),
        ("the choir's fifth time to sing", 3),  # there are four: the one that answers best
    ],
)
def test_of_notes_that_answer_alike_the_order_is_by_time(
    tmp_path: Path, clock: SetClock, monkeypatch: pytest.MonkeyPatch, cue: str, first: int
) -> None:
    """Reading finds what a series consists of, however its notes are worded."""
    monkeypatch.setattr(homes.Home, "note_reader", Given(lambda text: SUNG[text]))
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        for text in SUNG:
            memory.remember(text, contradictions="off")
            clock.pass_days(20)
        hits = memory.recall(cue).hits
    assert hits[0].content == [*SUNG][first]
    assert {hit.content for hit in hits} == {text for text in SUNG if SUNG[text] > 0.5}


VISITS = {
    "The dentist filled a tooth on 9 February": 0.9,
    "The dentist cleaned my teeth last Friday": 0.95,
    "On 3 January the dentist pulled a tooth": 0.8,
    "The dentist sees me again on 14 May": 0.9,
}


@pytest.mark.parametrize(
    ("cue", "first"),
    [
        ("my first time at the dentist", 2),
        ("my second time at the dentist", 0),
        ("when was I last at the dentist", 1),
        ("when is my last dentist", 3),
    ],
)
def test_the_day_that_a_note_tells_of_decides(
    tmp_path: Path, clock: SetClock, monkeypatch: pytest.MonkeyPatch, cue: str, first: int
) -> None:
    """Notes typed in on one evening have the order of their dates; the last is not to come."""
    monkeypatch.setattr(homes.Home, "note_reader", Given(lambda text: VISITS[text]))
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        memory.remember_many([*VISITS], contradictions="off")
        assert memory.recall(cue).hits[0].content == [*VISITS][first]


def test_one_note_that_answers_leads_whenever_it_was_said(
    tmp_path: Path, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last day to pay is told by one note, which need not be the newest."""
    said = {"Pay the fee by the 3rd of May": 0.99, "The fee is 30 euros": 0.01}
    monkeypatch.setattr(homes.Home, "note_reader", Given(lambda text: said[text]))
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        for text in said:
            memory.remember(text, contradictions="off")
            clock.pass_days(20)
        assert memory.recall("what is the last day to pay the fee").hits[0].content == next(
            iter(said)
        )
        monkeypatch.setattr(homes.Home, "note_reader", Given(lambda _: 0.001))
        assert memory.recall("what is the last day to pay the fee").hits == ()


def test_talk_alone_tells_of_no_event(tmp_path: Path, clock: SetClock, reader: Given) -> None:
    """If no hit is a note, nothing is read."""
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        memory.remember("word " * 60 + "the wedding", contradictions="off")
        asked = "what did we do two days after the wedding"
        assert memory.recall(asked, min_relevance=0).hits
    assert not reader.read


def test_what_seems_to_seek_advice_is_read(memory: Memory, reader: Given) -> None:
    """If a note answers it is a question; if none does, all that may bear on it is shown."""
    asked = memory.recall("whom should I call for the kettle")
    assert [hit.content for hit in asked.hits] == [NOTES[3]]
    assert reader.read
    memory.withdraw(asked.hits[0].memory_id)
    assert (
        "read" not in memory.recall("what should I do with the kettle").hits[0].explanation.scores
    )


def test_talk_is_not_read(tmp_path: Path, clock: SetClock, reader: Given) -> None:
    """Turns of a conversation answer together."""
    turns = [f"Ada: Oh, {one}" for one in NOTES]
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        memory.remember_many(turns, contradictions="off")
        memory.recall(ASKED)
    assert not reader.read


def test_notes_under_a_heading_are_read(tmp_path: Path, clock: SetClock, reader: Given) -> None:
    """What stands before a colon is no speaker if nothing is said to somebody."""
    notes = [f"Kettle: {one.removeprefix('The kettle ')}" for one in NOTES]
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        memory.remember_many(notes, contradictions="off")
        assert [hit.content for hit in memory.recall(ASKED).hits] == [notes[3]]


def test_talk_beside_notes_keeps_its_place(tmp_path: Path, clock: SetClock, reader: Given) -> None:
    """Only notes are read, and only they change places."""
    talk = [f"Ada: at the lake we heard the {word} of a kettle" for word in ("hum", "song", "roar")]
    cue = "what stands beside the oven"
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        memory.remember_many([*talk, *NOTES[:4]], contradictions="off")
        memory.configure({"reranker": "off"})
        before = [hit.content for hit in memory.recall(cue, min_relevance=0).hits]
        memory.configure({"reranker": "notes"})
        after = [hit.content for hit in memory.recall(cue, min_relevance=0).hits]
    assert {*reader.read} == {*NOTES[:4]}
    assert [one if one in talk else "" for one in after] == [
        one if one in talk else "" for one in before
    ]
    assert next(one for one in after if one not in talk) == NOTES[3]


def test_what_a_session_taught_is_not_overruled(memory: Memory, reader: Given) -> None:
    """What votes found stays first, whatever the model reads."""
    (chosen,) = (one.memory_id for one in memory.list() if one.content == NOTES[5])
    session = memory.sessions.start(ASKED, limit=10)
    memory.sessions.resolve(session.session_id, [chosen])
    reader.read.clear()
    assert memory.recall(ASKED).hits[0].memory_id == chosen
    assert not reader.read


def test_a_reranker_of_the_caller_reads_alone(
    tmp_path: Path, clock: SetClock, reader: Given
) -> None:
    """The built-in model does not change the order of the caller's own."""
    own = PhraseReranker()
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords(), reranker=own) as memory:
        memory.remember_many(NOTES, contradictions="off")
        assert memory.recall(ASKED).reranker == own.name
    assert not reader.read


@pytest.mark.reads_notes
def test_recall_goes_on_without_a_model_that_fails(
    tmp_path: Path, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged model is told once, and notes are ranked unread."""

    def damaged() -> tuple[bytes, bytes]:
        return b"no model", stored_tokenizer()

    monkeypatch.setattr(cross_encoder, "built_in", lambda _: CrossEncoder(damaged))
    with Memory.open(tmp_path, clock=clock, embedder=HashedWords()) as memory:
        memory.remember_many(NOTES, contradictions="off")
        for _ in range(2):
            assert memory.recall(ASKED).hits
        (notice,) = memory.notices
    assert notice.startswith("notes are not read: ")


def test_pairs_of_any_length_keep_their_order() -> None:
    """Pairs are run in batches by their length; a result belongs to its pair."""
    model = cross_encoder.built_in("notes")
    told = "Everybody in the house knows that and nobody ever forgets it. " * 5
    pairs = [
        ("Who services the kettle?", "Brewster & Sons service the kettle every March"),
        ("Who services the kettle?", f"The kettle is red. {told}"),
        ("Who services the kettle?", "The kettle leaks"),
        ("Who services the kettle?", f"Brewster & Sons service the kettle. {told}"),
    ]
    alone = [model.chances([pair])[0] for pair in pairs]
    assert [chance > 0.5 for chance in alone] == [True, False, False, True]
    assert model.chances(pairs) == pytest.approx(alone, rel=0.5)
    assert model.chances([*reversed(pairs)]) == pytest.approx([*reversed(alone)], rel=0.5)


def test_nothing_is_read_if_the_setting_is_off(memory: Memory, reader: Given) -> None:
    """`reranker` off costs no time and finds what words and meaning find."""
    memory.configure({"reranker": "off"})
    assert memory.recall(ASKED).hits
    assert not reader.read


def test_an_answer_as_of_then_is_read_as_then(memory: Memory) -> None:
    """A note of later changes nothing about the answer of a past moment."""
    then = memory.recall(ASKED)
    memory.remember("Cole & Sons service the kettle from now on", contradictions="off")
    assert memory.as_of(then.as_of.position).recall(ASKED).hits == then.hits
    assert memory.recall(ASKED).hits != then.hits


@pytest.mark.reads_notes
def test_the_built_in_model_reads(tmp_path: Path) -> None:
    """It tells what answers a question from what is about the same thing."""
    with Memory.open(tmp_path) as memory:
        memory.remember_many(
            [
                "The boiler in the flat is a Vaillant from 2019.",
                "Hendrik Maas looks after the boiler every October.",
                "The boiler at Gran's house was replaced in spring.",
                "The boiler cost 2,400 euros.",
                "The dishwasher is serviced by the shop in Bree Street.",
            ],
            contradictions="off",
        )
        first = memory.recall("who do we call when the boiler needs its check-up?").hits[0]
        assert first.content.startswith("Hendrik Maas")
        assert first.explanation.scores["read"] > 0
