"""What enters by `admit`, waits in the buffer, leaves it by `flush`, and what that weighs."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from mnemolog import Memory, NewEvent, NewMemory, Thing
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.digests import EMPTY
from mnemolog.ledger.errors import (
    CannotUndo,
    ContentTooLarge,
    EmptyContent,
    EventIdTaken,
    InvalidField,
    InvalidNumber,
)
from mnemolog.ledger.events import Dropped
from mnemolog.ledger.files import FileLock
from mnemolog.ledger.ids import new_event_ids
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.admission import TABLE
from mnemolog.policies.retention.forgetting import MOST_ALPHA
from tests.files import holding
from tests.homes import DAY, SECOND, START, BagOfWords, HandClock, open_home

HOUR = 3600 * SECOND
CAT = "our grey cat Miso sleeps on the boiler"
FIGS = "Ana grafted the fig tree behind the stable in April"
# Nothing enters at once, and nothing is dropped.
BUFFERING = (
    "relevance: new, related, known; high: buffer, buffer, reinforce; "
    "medium: buffer, buffer, reinforce; low: buffer, buffer, reinforce"
)
LONG = (
    "Mara fixed the boiler in the cellar of the lighthouse in March. It had leaked for two weeks. "
    "The plumber from Kiel was on holiday, so she took the seal of the old pump. "
    "Nobody noticed the noise until the first storm came. Later they laughed about it a lot."
)


@pytest.fixture
def clock() -> HandClock:
    """A clock set by hand."""
    return HandClock()


@pytest.fixture
def memory(tmp_path: Path, clock: HandClock) -> Iterator[Memory]:
    """A home without noise."""
    with open_home(tmp_path / "home", clock=clock) as opened:
        opened.configure({"admission_noise": 0.0})
        yield opened


def kinds(memory: Memory, after: int = 1) -> list[str]:
    """The kinds of all events after a position."""
    return [entry.kind for entry in memory.log.events(after=after)]


# -- the four rules ---------------------------------------------------------------------


def test_what_is_new_is_persisted_light_and_with_a_summary(memory: Memory) -> None:
    """A memory of weight Beta(1, 4), its text whole, and itself in short where it is long."""
    told = memory.admission.admit(LONG, place="tower")
    (decided,) = told.decisions
    assert (decided.placement, decided.relevance, decided.novelty) == ("persist", "medium", "new")
    assert decided.memory_id == told.memory_id
    item = memory.get(told.memory_id or "")
    assert (item.content, item.place, item.depth_weight) == (LONG, "tower", (1.0, 4.0))
    assert item.weight == 0.2
    assert item.summary is not None
    assert item.summary in LONG
    assert kinds(memory) == ["remembered", "admitted"]
    short = memory.get(memory.admission.admit(CAT).memory_id or "")
    assert (short.content, short.summary) == (CAT, None)


def test_what_is_known_reinforces_the_memory_that_says_it(memory: Memory) -> None:
    """Its weight grows, it is stronger, and nothing is stored a second time."""
    one = memory.admission.admit(CAT).memory_id or ""
    told = memory.admission.admit(f"{CAT}.")
    assert [decided.placement for decided in told.decisions] == ["reinforce"]
    assert told.decisions[0].memory_id == told.decisions[0].nearest == one
    item = memory.get(one)
    assert item.weight > 0.2
    assert item.accesses == 1
    assert len(memory.list()) == 1
    told_of = [entry.summary for entry in memory.history(one) if entry.kind == "reinforced"]
    assert told_of == ["it weighs 0.385: it was met again, as medium in relevance and known"]


def test_what_differs_in_a_name_or_a_number_is_not_known(memory: Memory) -> None:
    """However near the two are, another place or hour is another memory."""
    memory.admission.admit(
        "the meeting about the harbour crane takes place in Kiel at 3 pm", category="x"
    )
    told = memory.admission.admit("the meeting about the harbour crane takes place in Bonn at 3 pm")
    assert told.decisions[0].novelty != "known"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ann lent Bob ten euros", "Bob lent Ann ten euros"),
        ("Is the office in Berlin?", "The office is in Berlin"),
        ("Move the meeting from Monday to Friday", "Move the meeting from Friday to Monday"),
    ],
)
def test_what_says_another_thing_in_the_same_words_is_not_known(
    memory: Memory, old: str, new: str
) -> None:
    """Roles, questions and directions count, though the vectors be equal; both are kept."""
    memory.remember(old)
    told = memory.admission.admit(new, attention=new)
    assert told.decisions[0].similarity == pytest.approx(1.0, abs=1e-3)
    assert told.decisions[0].placement == "persist"
    assert {item.content for item in memory.list(statuses=["active", "superseded"])} == {old, new}


def test_who_speaks_and_on_what_day_tells_whether_the_same_words_are_known(
    memory: Memory, clock: HandClock
) -> None:
    """What the user says of themselves is not said by another's 'I'; tomorrow is not for ever."""
    memory.admission.admit([{"role": "user", "content": "I live near the old weir"}])
    for role, novelty in (("user", "known"), ("assistant", "related")):
        told = memory.admission.admit([{"role": role, "content": "I live near the old weir"}])
        assert told.decisions[0].novelty == novelty
    memory.admission.admit("the harbour audit is tomorrow")
    assert memory.admission.admit("the harbour audit is tomorrow").decisions[0].novelty == "known"
    clock.move(7 * DAY)
    assert memory.admission.admit("the harbour audit is tomorrow").decisions[0].novelty == "related"


def test_what_was_merged_says_what_its_parts_said_in_their_mouth(memory: Memory) -> None:
    """Whoever had it merged: the 'I' of a merged memory is still who told its parts."""
    text = "I prefer green tea in the morning"
    memory.remember(text)
    new = NewMemory(f"{text}.", marks=("emphasised", "serves_goal"))
    one = memory.remember(new, contradictions="off").memory_id or ""
    for relation in ("PART_OF", "DEPENDS_ON"):
        memory.graph.link(one, relation, Thing("the household"))
    with Memory.open(memory._space.home.path, actor="user:ops", embedder=BagOfWords()) as ops:
        assert ops.upkeep.consolidate().merged == 1
    for source, novelty in ((None, "known"), ("user:ben", "related"), ("user:ops", "related")):
        assert memory.admission.admit(text, source=source).decisions[0].novelty == novelty


def test_what_is_related_and_of_no_relevance_is_dropped_without_its_text(
    memory: Memory, tmp_path: Path
) -> None:
    """Scores and a keyed digest are kept; no byte of the text is anywhere."""
    memory.remember(f"{FIGS} quincequince")
    told = memory.admission.admit(f"{FIGS} quincequince zephyrzephyr", attention="piano tuning")
    (decided,) = told.decisions
    assert (decided.placement, decided.relevance, decided.novelty) == ("drop", "low", "related")
    (event,) = memory._space.home.log.read(EMPTY.position, 100, kinds=("dropped",))
    structure = VOCABULARY.structure(event)
    assert isinstance(structure, Dropped)
    assert structure.scores is not None
    assert structure.digest
    assert event.content_hash is None
    memory.close()
    assert holding(tmp_path / "home", b"zephyrzephyr") == []


def test_what_is_of_no_relevance_but_new_waits_in_the_buffer(memory: Memory) -> None:
    """It answers nothing, and `buffer` shows it with its scores."""
    told = memory.admission.admit(CAT, attention="piano tuning")
    assert told.decisions[0].placement == "buffer"
    assert told.memory_id is None
    assert not memory.recall("cat").hits
    (waiting,) = memory.admission.buffer()
    assert (waiting.content, waiting.relevance, waiting.novelty) == (CAT, "low", "new")
    assert memory.as_of(1).admission.buffer() == ()


def test_the_table_decides(memory: Memory) -> None:
    """Another table places the same content otherwise; a wrong one is refused."""
    memory.configure({"admission": TABLE.replace("medium: persist", "medium: drop")})
    assert memory.admission.admit(CAT).decisions[0].placement == "drop"
    with pytest.raises(InvalidField, match="admission"):
        memory.configure({"admission": "high: everything"})
    with pytest.raises(InvalidField, match="admission_noise"):
        memory.configure({"admission_noise": -1.0})
    memory.configure({"admission": None})
    assert memory.admission.admit(CAT).decisions[0].placement == "persist"


def test_what_matters_is_where_attention_identity_and_heavy_memories_are(
    memory: Memory, tmp_path: Path
) -> None:
    """Each of the three makes content relevant that is near it."""
    weak = "piano tuning"
    assert memory.admission.admit(CAT, attention=CAT).decisions[0].relevance == "high"
    assert (
        memory.admission.admit(FIGS, attention=memory.sessions.attend(FIGS)).decisions[0].spreading
        == 1.0
    )
    file = tmp_path / "identity.md"
    file.write_text("I breed goats near Sintra")
    memory.configure({"identity": str(file)})
    goats = memory.admission.admit("we breed goats near Sintra", attention=weak)
    assert goats.decisions[0].relevance == "high"
    memory.configure({"identity": str(tmp_path / "gone.md")})
    memory.remember("never cut the red rope of the ferry", immutable=True)
    rope = memory.admission.admit("the red rope of the ferry is new", attention=weak)
    assert rope.decisions[0].spreading == pytest.approx(rope.decisions[0].similarity, abs=1e-5)


def test_noise_is_drawn_once_and_recorded(memory: Memory) -> None:
    """What was drawn stands in the event, and no two contents share it."""
    memory.configure({"admission_noise": None})
    told = [memory.admission.admit(text).decisions[0] for text in (CAT, FIGS)]
    assert told[0].noise != told[1].noise
    stored = [
        entry.structure["scores"]["noise"] for entry in memory.log.events(kinds=("admitted",))
    ]  # type: ignore[index]
    assert stored == [one.noise for one in told]


# -- conversations ---------------------------------------------------------------------


def test_a_conversation_enters_turn_by_turn(memory: Memory) -> None:
    """Each turn is decided about; what is said twice is stored once, and by whom is kept."""
    told = memory.admission.admit(
        [
            {"role": "user", "content": FIGS},
            {"role": "assistant", "content": "the fig tree behind the stable needs water"},
            {"role": "user", "content": f"{FIGS}!"},
        ]
    )
    assert [one.placement for one in told.decisions] == ["persist", "persist", "reinforce"]
    first, second, third = told.decisions
    assert first.memory_id == third.memory_id
    assert first.base_level == pytest.approx(0.693147)
    items = [memory.get(one.memory_id or "") for one in (first, second)]
    assert [item.source for item in items] == ["user:dana", "agent:assistant"]
    assert [item.kind for item in items] == ["episodic", "episodic"]
    assert items[0].weight > 0.2
    assert told.memory_id is None
    # What the user said last is attended to.
    assert third.spreading == 1.0


def test_what_a_conversation_takes_back_is_not_reinforced_by_it(memory: Memory) -> None:
    """A turn that contradicts an earlier one takes its place; what follows is held against it."""
    told = memory.admission.admit(
        [
            {"role": "user", "content": "Ana lives in Berlin."},
            {"role": "user", "content": "Ana lives in Paris."},
            {"role": "user", "content": "Ana lives in Paris!"},
        ]
    )
    first, second, third = told.decisions
    assert [one.placement for one in told.decisions] == ["persist", "persist", "reinforce"]
    assert third.memory_id == second.memory_id
    assert memory.get(first.memory_id or "").status == "superseded"
    assert memory.get(second.memory_id or "").weight > 0.2


def test_a_conversation_without_turns_is_refused(memory: Memory) -> None:
    """The error names the turn or the field, and nothing is stored."""
    head = memory.log.checkpoint()
    for wrong, named in (([], "conversation"), ([{"role": "user"}], r"conversation\[0\].content")):
        with pytest.raises(InvalidField, match=named):
            memory.admission.admit(wrong)
    for wrong in ("zz", 7):
        with pytest.raises(InvalidField, match="id"):
            memory.admission.admit([{"role": "user", "content": CAT}], id=wrong)  # type: ignore[arg-type]
    assert memory.log.checkpoint() == head


@pytest.mark.parametrize("field", ["supersedes", "immutable"])
def test_what_matters_for_sure_is_for_remember(memory: Memory, field: str) -> None:
    """A memory that replaces others, or holds for ever, is not let in by scores."""
    one = memory.remember(FIGS).memory_id
    given = {"supersedes": (one,), "immutable": True}[field]
    with pytest.raises(InvalidField, match=field):
        memory.admission.admit(CAT, **{field: given})


def test_bad_input_is_refused_and_changes_nothing(memory: Memory) -> None:
    """Empty and too long content, an attention to nothing, fields that are none."""
    memory.configure({"content_limit_bytes": 40})
    head = memory.log.checkpoint()
    with pytest.raises(EmptyContent):
        memory.admission.admit("  ")
    with pytest.raises(ContentTooLarge):
        memory.admission.admit(
            [{"role": "user", "content": "tea"}, {"role": "user", "content": "t" * 41}]
        )
    with pytest.raises(InvalidField, match="attention"):
        memory.admission.admit("tea", attention=" ")
    with pytest.raises(InvalidField, match="attention"):
        memory.admission.flush(attention=object())  # type: ignore[arg-type]
    with pytest.raises(InvalidField, match="contradictions"):
        memory.admission.admit("tea", contradictions="maybe")  # type: ignore[arg-type]
    with pytest.raises(InvalidField, match="kind"):
        memory.admission.admit("tea", kind="dream")
    assert memory.log.checkpoint() == head


# -- flush -----------------------------------------------------------------------------


def test_what_waited_is_older_than_what_was_told_since(memory: Memory, clock: HandClock) -> None:
    """A flush does not let it overrule what was remembered after it had been submitted."""
    memory.configure({"admission": BUFFERING})
    memory.admission.admit("Dana lives in Berlin")
    clock.move(HOUR)
    memory.remember("Dana lives in Munich")
    clock.move(HOUR)
    memory.configure({"admission": BUFFERING.replace("buffer", "persist")})
    (decided,) = memory.admission.flush().decisions
    assert decided.placement == "persist"
    assert [item.content for item in memory.list()] == ["Dana lives in Munich"]


def test_what_no_longer_holds_says_nothing_for_what_enters(
    memory: Memory, clock: HandClock
) -> None:
    """Content is not taken for known by a memory that cannot answer any more."""
    memory.remember(CAT, valid_until=to_datetime(clock.time + HOUR))
    clock.move(DAY)
    assert memory.admission.admit(CAT).decisions[0].placement == "persist"


def test_an_id_is_of_one_space(memory: Memory, tmp_path: Path, clock: HandClock) -> None:
    """Content under an id that another space has is refused, not taken for stored."""
    (one,) = new_event_ids(1, START)
    memory.admission.admit(CAT, id=one)
    with (
        open_home(tmp_path / "home", "another", clock=clock) as other,
        pytest.raises(EventIdTaken),
    ):
        other.admission.admit(CAT, id=one)


def test_a_lower_limit_keeps_nothing_in_the_buffer(memory: Memory) -> None:
    """What was let wait leaves the buffer, though it would be too long by now."""
    memory.configure({"admission": BUFFERING})
    memory.admission.admit(LONG)
    memory.configure(
        {"content_limit_bytes": 10, "admission": BUFFERING.replace("buffer", "persist")}
    )
    assert [decided.placement for decided in memory.admission.flush().decisions] == ["persist"]
    assert memory.admission.buffer() == ()


def test_a_flush_leaves_nothing_waiting(memory: Memory, clock: HandClock, tmp_path: Path) -> None:
    """What was met often or lately is persisted, the rest dropped; the buffer keeps no byte."""
    memory.configure({"admission": BUFFERING, "contradictions": "off"})
    memory.admission.admit("Ben saw a heron heronheron at the weir")
    clock.move(2 * DAY)
    for _ in range(3):
        memory.admission.admit(CAT)
    clock.move(HOUR)
    told = memory.admission.flush()
    assert [one.placement for one in told.decisions] == [
        "drop",
        "persist",
        "reinforce",
        "reinforce",
    ]
    assert memory.admission.buffer() == ()
    assert memory.admission.flush().decisions == ()
    (item,) = memory.list()
    assert item.content == CAT
    assert [entry.kind for entry in memory.log.events(after=told.position - 1)] == [
        "dropped", "remembered", "admitted", "reinforced", "reinforced", "redacted",
    ]  # fmt: skip
    assert told.complete
    memory.close()
    assert holding(tmp_path / "home", b"heronheron") == []


def test_what_waits_keeps_its_fields_and_its_run(memory: Memory) -> None:
    """The memory that comes out of the buffer is the one that was submitted."""
    memory.configure({"admission": BUFFERING})
    memory.admission.admit(
        FIGS,
        kind="procedural",
        tags=("garden",),
        aliases=("graft",),
        place="farm/stable",
        source="file:notes.md",
        category="garden",
        importance="high",
        valid_from="2025-04-01",
    )
    (decided,) = memory.admission.flush().decisions
    item = memory.get(decided.memory_id or "")
    assert (item.kind, item.tags, item.aliases) == ("procedural", ("garden",), ("graft",))
    assert (item.place, item.source, item.category) == ("farm/stable", "file:notes.md", "garden")
    assert (item.importance, item.correlation_id) == ("high", "talk")
    assert item.valid_from is not None
    assert item.valid_from.isoformat() == "2025-04-01T00:00:00+00:00"


def test_what_was_attended_to_counts_until_something_else_is(memory: Memory) -> None:
    """A flush without attention goes by the scores of before, one with it by new ones."""
    weak = "piano tuning"
    memory.admission.admit(CAT, attention=weak)
    memory.admission.admit(FIGS, attention=weak)
    with_attention = memory.admission.flush(attention="grey cat Miso boiler")
    assert [one.placement for one in with_attention.decisions] == ["persist", "drop"]
    memory.admission.admit(FIGS, attention=weak)
    (dropped,) = memory.admission.flush().decisions
    assert (dropped.placement, dropped.partial_match) == ("drop", -1.0)


def test_what_waits_can_be_redacted(memory: Memory) -> None:
    """By the position of its event; it waits no longer, and no flush stumbles over it."""
    memory.configure({"admission": BUFFERING})
    told = memory.admission.admit(CAT)
    memory.redact(f"@{told.position}")
    assert memory.admission.buffer() == ()
    assert memory.admission.flush().decisions == ()


# -- weights ---------------------------------------------------------------------------


def test_each_reinforcement_adds_less_and_none_passes_the_cap(memory: Memory) -> None:
    """Met again and again, a memory grows heavier, ever more slowly."""
    one = memory.admission.admit(CAT).memory_id or ""
    alphas = [1.0]
    for _ in range(8):
        memory.admission.admit(CAT)
        alphas.append(memory.get(one).depth_weight[0])
    gains = [later - earlier for earlier, later in pairwise(alphas)]
    assert all(later < earlier for earlier, later in pairwise(gains))
    assert all(gain > 0 for gain in gains)
    assert alphas[-1] <= MOST_ALPHA
    assert {memory.get(one).depth_weight[1]} == {4.0}


def test_an_immutable_weight_never_changes(memory: Memory) -> None:
    """It is met again, which its history says, and weighs what it weighed."""
    one = memory.remember(CAT, immutable=True).memory_id or ""
    assert memory.admission.admit(CAT).decisions[0].placement == "reinforce"
    assert memory.get(one).depth_weight == (50.0, 1.0)


def test_weights_are_those_of_the_moment_asked_about(memory: Memory) -> None:
    """Items, lists and recalls as of a position know the weight of then."""
    one = memory.admission.admit(CAT).memory_id or ""
    then = memory.log.checkpoint().position
    memory.remember(FIGS)
    for _ in range(6):
        memory.admission.admit(CAT)
    past = memory.as_of(then)
    assert past.get(one).weight == 0.2
    assert memory.get(one).weight > 0.5
    assert memory.list(by="weight")[0].memory_id == one
    now, before = memory.recall("grey cat").hits[0], past.recall("grey cat").hits[0]
    assert now.explanation.scores["weight"] == pytest.approx(memory.get(one).weight, abs=1e-3)
    assert before.explanation.scores["weight"] == 0.2


def test_a_memory_that_grew_heavy_spreads_activation(memory: Memory) -> None:
    """What is near it counts as relevant, though nobody attends to it."""
    for _ in range(9):
        memory.admission.admit(CAT)
    told = memory.admission.admit("our grey cat Miso hunts mice", attention="piano tuning")
    assert told.decisions[0].relevance == "high"


def test_a_context_may_draw_what_memories_weigh(memory: Memory) -> None:
    """A seed draws the same context again, and stands in it; without one the centres count."""
    for text in ("drank the cream", "caught the heron", "likes the vet"):
        memory.admission.admit(f"a cat {text}")
    plain = memory.context("cat")
    assert plain.exploration is None
    assert plain == memory.context("cat")
    drawn = [memory.context("cat", exploration=seed) for seed in range(40)]
    assert [one.exploration for one in drawn] == list(range(40))
    assert drawn[3] == memory.context("cat", exploration=3)
    assert len({one.text for one in drawn}) > 1
    with pytest.raises(InvalidNumber, match="exploration"):
        memory.context("cat", exploration=-1)


def test_being_met_again_brings_a_faded_memory_back(memory: Memory, clock: HandClock) -> None:
    """What had been archived is active again."""
    memory.configure({"recognise_lasting": False})
    one = memory.admission.admit(CAT, kind="episodic").memory_id or ""
    clock.move(40 * DAY)
    memory.upkeep.tick(confirmed=True)
    assert memory.get(one).status == "archived"
    # Its words are what is attended to.
    told = memory.admission.admit(CAT, attention=CAT)
    assert told.decisions[0].placement == "reinforce"
    for _ in range(3):
        memory.admission.admit(CAT, attention=CAT)
    assert memory.get(one).status == "active"


# -- retries, undo, and others at work -------------------------------------------------


@pytest.mark.parametrize(
    ("table", "first"), [(TABLE, None), (BUFFERING, None), (TABLE, CAT), (None, None)]
)
def test_trying_again_under_an_id_changes_nothing(
    memory: Memory, table: str | None, first: str | None
) -> None:
    """Whatever became of it: persisted, buffered, reinforced or dropped."""
    drop = TABLE.replace("medium: persist", "medium: drop")
    memory.configure({"admission": table or drop})
    if first is not None:
        memory.admission.admit(first)
    item = NewMemory(CAT, id=new_event_ids(1, START)[0])
    told = memory.admission.admit(item)
    head = memory.log.checkpoint()
    again = memory.admission.admit(item)
    assert memory.log.checkpoint() == head
    assert again.decisions == told.decisions
    assert again.events == told.events
    with pytest.raises(EventIdTaken):
        memory.admission.admit(NewMemory(FIGS, id=item.id))
    assert memory.log.checkpoint() == head


def test_a_retry_after_the_flush_changes_nothing(memory: Memory) -> None:
    """What waited is gone, and is not stored a second time."""
    memory.configure({"admission": BUFFERING})
    item = NewMemory(CAT, id=new_event_ids(1, START)[0])
    memory.admission.admit(item)
    memory.admission.flush()
    head = memory.log.checkpoint()
    memory.admission.admit(item)
    assert memory.log.checkpoint() == head
    assert memory.admission.buffer() == ()


OTHERWISE: list[dict[str, object]] = [
    {"content": FIGS},
    {"content": CAT.upper()},
    {"content": f"{CAT} "},
    {"tags": ("pets", "cat")},
    {"tags": ()},
    {"source": "user:ben"},
    {"kind": "episodic"},
    {"place": "cellar"},
    {"snippet": "as Ana told it"},
    {"importance": "high"},
    {"valid_from": "2025-01-01"},
]


@pytest.mark.parametrize(
    ("table", "first", "emptied"),
    [
        (TABLE, None, False),
        (TABLE, CAT, False),
        (TABLE.replace("medium: persist", "medium: drop"), None, False),
        (BUFFERING, None, False),
        (BUFFERING, None, True),
        (TABLE.replace("medium: persist", "medium: buffer"), CAT, True),
        (TABLE.replace("medium: persist", "medium: buffer"), "a text of tea", True),
    ],
)
def test_an_id_is_of_one_text_and_one_set_of_fields(
    memory: Memory, clock: HandClock, table: str, first: str | None, *, emptied: bool
) -> None:
    """Whatever became of it, in the buffer and out of it: anything else is refused."""
    memory.configure({"admission": table})
    item = NewMemory(CAT, tags=("pets",), source="user:ana", id=new_event_ids(1, START)[0])
    memory.admission.admit(item)
    if emptied:
        if first is not None:
            clock.move(2 * DAY)
            memory.remember(first, tags=("pets",), source="user:ana")
        memory.admission.flush()
    head = memory.log.checkpoint()
    for changes in OTHERWISE:
        with pytest.raises(EventIdTaken):
            memory.admission.admit(msgspec.structs.replace(item, **changes))
    assert memory.log.checkpoint() == head
    memory.admission.admit(item)
    assert memory.log.checkpoint() == head


def test_a_conversation_can_be_tried_again_under_an_id(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What arrived of it changes nothing, the rest goes on behind it; other words are refused."""
    monkeypatch.setattr("mnemolog.application.admission.admit.AT_ONCE", 2)
    talk = [{"role": "user", "content": text} for text in (CAT, FIGS, f"{CAT}!", LONG)]
    (one,) = new_event_ids(1, START)
    begun = memory.admission.admit(talk[:3], id=one)
    assert begun.events[0].event_id == one
    whole = memory.admission.admit(talk, id=one)
    assert whole.decisions[:3] == begun.decisions
    assert [decided.placement for decided in whole.decisions] == [
        "persist", "persist", "reinforce", "persist",
    ]  # fmt: skip
    head = memory.log.checkpoint()
    assert memory.admission.admit(talk, id=one).decisions == whole.decisions
    for wrong in ([*talk[:3], talk[0]], talk[1:], [{"role": "assistant", "content": CAT}]):
        with pytest.raises(EventIdTaken):
            memory.admission.admit(wrong, id=one)
    assert memory.log.checkpoint() == head
    memory.admission.admit(talk, id=new_event_ids(1, START)[0])
    assert len(memory.list()) == 3


def test_an_id_of_anything_else_is_refused(memory: Memory) -> None:
    """Of a memory that was remembered, of an undo, of what a flush destroyed, of a setting."""
    memory.configure({"admission": BUFFERING})
    done = [memory.remember(CAT), memory.configure({"admission_noise": 0.0})]
    memory.admission.admit(CAT)
    done.append(memory.undo())
    memory.admission.admit(FIGS)
    done.append(memory.undo())
    told = [memory.admission.admit(LONG), memory.admission.flush()]
    events = [one.events for one in (*done, *told)]
    ids = {one.event_id for some in events for one in (some[0], some[-1])}
    head = memory.log.checkpoint()
    for one in ids:
        with pytest.raises(EventIdTaken):
            memory.admission.admit(CAT, id=one)
    assert memory.log.checkpoint() == head


def test_a_retry_of_what_was_undone_says_so(memory: Memory) -> None:
    """It changes nothing, and warns that nothing of it is there any more."""
    item = NewMemory(CAT, id=new_event_ids(1, START)[0])
    memory.admission.admit(item)
    assert memory.admission.admit(item).warnings == ()
    taken = memory.undo()
    head = memory.log.checkpoint()
    (warning,) = memory.admission.admit(item).warnings
    assert "was undone since" in warning
    assert memory.log.checkpoint() == head
    memory.undo(taken.events[0].event_id)
    assert memory.admission.admit(item).warnings == ()


def test_what_was_redacted_may_have_been_what_is_tried_again(memory: Memory) -> None:
    """Nothing that could tell is left of it: a retry neither fails nor brings anything back."""
    memory.configure({"admission": BUFFERING})
    item = NewMemory(CAT, id=new_event_ids(1, START)[0])
    waiting = memory.admission.admit(item)
    memory.redact(f"@{waiting.position}")
    head = memory.log.checkpoint()
    memory.admission.admit(item)
    with pytest.raises(EventIdTaken):
        memory.admission.admit(item, place="cellar")
    assert memory.log.checkpoint() == head
    kept = memory.admission.admit(msgspec.structs.replace(item, id=new_event_ids(1, START)[0]))
    (decided,) = memory.admission.flush().decisions
    memory.redact(decided.memory_id or "")
    head = memory.log.checkpoint()
    memory.admission.admit(item, id=kept.events[0].event_id)
    assert memory.log.checkpoint() == head


def test_whoever_empties_the_buffer_what_waited_was_said_by_whom_it_came_from(
    memory: Memory, tmp_path: Path, clock: HandClock
) -> None:
    """The memory names who submitted it, in which run and when; what was decided, who decided."""
    memory.configure({"admission": BUFFERING})
    memory.admission.admit("I live near the old weir")
    said_at = to_datetime(clock.time)
    clock.move(HOUR // 2)
    with Memory.open(
        tmp_path / "home",
        actor="system:cron",
        run="night",
        clock=clock,
        embedder=BagOfWords(),
    ) as cron:
        (decided,) = cron.admission.flush().decisions
        item = cron.get(decided.memory_id or "")
        assert (item.actor, item.correlation_id, item.source) == ("user:dana", "talk", None)
        assert (item.valid_from, item.recorded_at) == (said_at, to_datetime(clock.time))
        told = {entry.kind: entry.actor for entry in cron.log.events(after=3)}
        assert told == {
            "remembered": "user:dana",
            "admitted": "system:cron",
            "redacted": "system:cron",
        }
        # Said again by the same, it is known; the cron's own 'I' would be another.
        assert memory.admission.admit("I live near the old weir").decisions[0].novelty == "known"


def test_undo_takes_back_what_was_let_in(memory: Memory) -> None:
    """A persisted memory is withdrawn, a weight and a strength are as before."""
    one = memory.admission.admit(CAT).memory_id or ""
    before = memory.get(one)
    memory.admission.admit(CAT)
    memory.undo()
    after = memory.get(one)
    assert (after.depth_weight, after.strength, after.accesses) == (
        before.depth_weight, before.strength, before.accesses,
    )  # fmt: skip
    memory.undo()
    assert memory.get(one).status == "withdrawn"


def test_undo_takes_what_waits_out_of_the_buffer_and_undo_of_that_brings_it_back(
    memory: Memory,
) -> None:
    """As long as it is there."""
    memory.configure({"admission": BUFFERING})
    memory.admission.admit(CAT)
    taken = memory.undo()
    assert memory.admission.buffer() == ()
    memory.undo(taken.events[0].event_id)
    assert [one.content for one in memory.admission.buffer()] == [CAT]


def test_undo_says_what_it_cannot_bring_back(memory: Memory) -> None:
    """A drop kept nothing; a flush destroyed what had waited; a later event builds on it."""
    memory.configure({"admission": TABLE.replace("medium: persist", "medium: drop")})
    dropped = memory.admission.admit(FIGS)
    for reference in (None, dropped.events[0].event_id):
        with pytest.raises(CannotUndo, match="nothing is kept of what was dropped"):
            memory.undo(reference)
    memory.configure({"admission": BUFFERING})
    waited = memory.admission.admit(CAT)
    flushed = memory.admission.flush()
    with pytest.raises(CannotUndo, match="later events depend on it"):
        memory.undo(waited.events[0].event_id)
    with pytest.raises(CannotUndo, match="redaction"):
        memory.undo()
    memory.undo(flushed.events[0].event_id)
    assert memory.get(flushed.decisions[0].memory_id or "").status == "withdrawn"
    one = memory.remember(FIGS)
    memory.admission.admit(FIGS)
    with pytest.raises(CannotUndo, match="later events depend on it"):
        memory.undo(one.events[0].event_id)


def test_a_redacted_memory_takes_along_what_told_it_again(memory: Memory) -> None:
    """Not even a keyed hash of what reinforced it is left."""
    one = memory.admission.admit(CAT).memory_id or ""
    item = NewMemory(f"{CAT}!", id=new_event_ids(1, START)[0])
    memory.admission.admit(item)
    memory.redact(one)
    for event in memory._space.home.log.concerning(one):
        assert event.content is None or event.kind == "redacted"
    head = memory.log.checkpoint()
    memory.admission.admit(item)
    assert memory.log.checkpoint() == head


def test_a_judge_that_objects_keeps_a_memory_from_being_reinforced(
    tmp_path: Path, clock: HandClock
) -> None:
    """What contradicts a memory is stored beside it or in its place, however near the two are."""
    with open_home(tmp_path / "home", clock=clock) as memory:
        one = memory.admission.admit("the old harbour gate near the chapel is open").memory_id
        told = memory.admission.admit("the old harbour gate near the chapel is not open")
        assert told.decisions[0].placement == "persist"
        assert told.decisions[0].memory_id != one
        assert [found.memory_id for found in told.conflicts] == [one]


@pytest.mark.parametrize("kind", ["admitted", "reinforced", "buffered", "dropped"])
def test_no_decision_is_made_by_hand(memory: Memory, kind: str) -> None:
    """Events that say what became of content come from a command."""
    one = memory.remember(CAT).memory_id
    with pytest.raises(InvalidField, match="call admit"):
        memory.log.append([NewEvent(kind, {}, memory_id=one)])


class Noting(BagOfWords):
    """An embedder that notes what it embeds, and whether others had to wait for it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One unit vector a text."""
        turn = FileLock(self.home / "strengths.lock")
        self.texts += texts if turn.try_acquire() else [f"others wait for {texts}"]
        turn.close()
        return super().embed(texts)


def test_nobody_waits_for_vectors_and_no_text_is_embedded_twice(tmp_path: Path) -> None:
    """Neither on the way in nor out of the buffer; nor is the identity."""
    home, file = tmp_path / "home", tmp_path / "identity.md"
    file.write_text("I breed goats near Sintra")
    with open_home(home) as first:
        first.configure({"identity": str(file), "admission_noise": 0.0})
    noting = Noting(home)
    with Memory.open(home, clock=HandClock(), embedder=noting) as memory:
        memory.admission.admit("we breed goats near Sintra")
        memory.admission.admit(FIGS)
        assert [one.content for one in memory.admission.buffer()] == [FIGS]
        memory.admission.flush()
    assert noting.texts == ["we breed goats near Sintra", file.read_text(), FIGS]


def test_several_at_once_lose_nothing(tmp_path: Path) -> None:
    """Four handles admit, reinforce and flush together: each content is stored once, none waits."""
    home = tmp_path / "home"
    with open_home(home) as first:
        first.configure({"admission_noise": 0.0, "admission": BUFFERING, "contradictions": "off"})
        shared = first.remember(CAT).memory_id or ""
    failed: list[str] = []

    def text(name: int, number: int) -> str:
        return f"carriage{name}x{number} passed the weir{name}x{number}"

    def work(name: int) -> None:
        try:
            with open_home(home) as memory:
                for number in range(4):
                    memory.admission.admit(text(name, number))
                    memory.admission.admit(CAT)
                    if number % 2:
                        memory.admission.flush()
        except Exception as error:  # noqa: BLE001 - told by the assertion below
            failed.append(repr(error))

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    with open_home(home) as memory:
        memory.admission.flush()
        assert memory.admission.buffer() == ()
        told = [entry.kind for entry in memory.log.events()]
        assert told.count("buffered") == 16
        texts = [item.content for item in memory.list(limit=100)]
        assert sorted(texts) == sorted(
            {CAT, *(f"carriage{n}x{m} passed the weir{n}x{m}" for n in range(4) for m in range(4))}
        )
        assert told.count("reinforced") == 16
        item = memory.get(shared)
        expected = 2.0
        for _ in range(16):
            expected += 0.1 * (MOST_ALPHA - expected)
        assert item.depth_weight[0] == pytest.approx(expected)
        assert item.accesses == 16
        assert "error" not in {finding.level for finding in memory.upkeep.doctor().findings}
