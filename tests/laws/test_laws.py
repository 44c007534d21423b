"""The laws of a ledger, over homes that live at random with several handles open."""

from __future__ import annotations

import io
from datetime import datetime

from hypothesis import note, strategies as st
from hypothesis.stateful import precondition, rule

from mnemolog import Hit, Item, Memory, Moment, Recall, Settings
from mnemolog.application.home.home import LEDGER
from mnemolog.ledger.clock import from_datetime
from mnemolog.ledger.digests import EMPTY, as_draft
from mnemolog.ledger.errors import CannotUndo, LedgerError
from mnemolog.ledger.events import Superseded
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.recall.answers import WAS_KNOWN
from tests.homes import HandClock, open_home, undo_last
from tests.laws.life import (
    SPACES,
    Ask,
    Life,
    answers,
    asks,
    facts,
    handles,
    picks,
    tables,
)


class PointInTime(Life):
    """As of p equals the log cut at p; what is rebuilt or copied equals what lives."""

    @rule(handle=handles, back=st.integers(0, 30), asked=st.lists(asks, min_size=2, max_size=5))
    def as_of_equals_a_log_cut_there(self, handle: int, back: int, asked: list[Ask]) -> None:
        """Every answer as of a position is that of a home made of the log up to it."""
        position = Position(max(0, self.head - back))
        live = self.handles[handle]
        then = live.as_of(position)
        clock = HandClock(from_datetime("then", then.instant))
        with open_home(self.cut_home(position), live.space, clock) as cut:
            found = answers(then, asked)
            assert found == answers(cut.as_of(position), asked)
            # 'Now' of a home whose clock stands at its last event is that very moment.
            assert found == answers(cut, asked)

    @rule(handle=handles, asked=st.lists(asks, min_size=1, max_size=3))
    def now_equals_a_copy(self, handle: int, asked: list[Ask]) -> None:
        """A home exported and imported into an empty one is the same in every answer and table."""
        live = self.handles[handle]
        exported = io.BytesIO()
        count = live.log.export_events(exported)
        exported.seek(0)
        with open_home(self.another_home(), live.space, self.clock) as copy:
            imported = copy.log.import_events(exported, settings=Settings.__struct_fields__)
            assert (imported.events, imported.skipped) == (count, 0)
            assert copy.log.checkpoint() == live.log.checkpoint()
            assert answers(copy, asked) == answers(live, asked)
            assert tables(copy) == tables(live)
            assert copy.log.verify().events == count

    @rule(handle=handles, asked=st.lists(asks, min_size=1, max_size=3))
    def rebuilt_equals_live(self, handle: int, asked: list[Ask]) -> None:
        """Building everything from the log changes no answer and no table."""
        live = self.handles[handle]
        before, rows = answers(live, asked), tables(live)
        live.upkeep.rebuild()
        assert answers(live, asked) == before
        assert tables(live) == rows

    @rule(asked=st.lists(asks, min_size=1, max_size=3))
    def handles_agree(self, asked: list[Ask]) -> None:
        """Two handles of a space give the same answers."""
        first, second, _ = self.handles
        assert answers(first, asked) == answers(second, asked)

    @rule(handle=handles)
    def everything_is_healthy(self, handle: int) -> None:
        """The log verifies, and the doctor finds no error."""
        live = self.handles[handle]
        assert live.log.verify().head_position == self.head
        levels = {finding.subject: finding.level for finding in live.upkeep.doctor().findings}
        assert "error" not in levels.values(), live.upkeep.doctor()


class Corrections(Life):
    """Retries change nothing, undo restores, and corrections hold."""

    @precondition(lambda self: self.tries)
    @rule(handle=handles, choice=picks)
    def a_retry_changes_nothing(self, handle: int, choice: int) -> None:
        """Storing the same memory again under its id appends nothing, whatever happened since."""
        space, new, olds = self.tries[choice % len(self.tries)]
        head = self.handles[0]._space.home.log.head()
        with open_home(self.home, space, self.clock, run="another") as again:
            receipt = again.supersede(olds, new, override=True) if olds else again.remember(new)
        assert receipt.memory_id == new.id
        assert receipt.events[0].event_id == new.id
        assert self.handles[0]._space.home.log.head() == head

    @precondition(lambda self: self.admitted)
    @rule(handle=handles, choice=picks)
    def admitting_again_changes_nothing(self, handle: int, choice: int) -> None:
        """Content under an id that is decided about is not decided about once more."""
        space, new = self.admitted[choice % len(self.admitted)]
        head = self.handles[0]._space.home.log.head()
        with open_home(self.home, space, self.clock, run="another") as again:
            told = again.admission.admit(new)
        assert told.events[0].event_id == new.id
        assert self.handles[0]._space.home.log.head() == head

    @precondition(lambda self: self.commands)
    @rule(handle=handles, back=st.integers(0, 12))
    def undo_restores(self, handle: int, back: int) -> None:
        """Undoing a command restores what it changed, or names what depends on it."""
        command = self.commands[-1 - back % len(self.commands)]
        one = open_home(self.home, command.space, self.clock)
        try:
            first = command.receipt.events[0]
            after = max(event.position for event in command.receipt.events)
            was, became = facts(one.as_of(command.before)), facts(one.as_of(after))
            head, present = self.head, facts(one)
            refused = None
            try:
                one.undo(first.event_id)
            except CannotUndo as error:
                refused = error
            if refused is not None:
                assert self.head == head
                assert refused.position == first.position
                assert all(head >= later > after for later in refused.dependents)
                return
            now = facts(one)
            kinds = {event.kind for event in command.receipt.events}
            for subject in became.keys() | was.keys():
                if isinstance(subject, tuple):
                    # An edge is there again, or not any more, unless a name in it was destroyed.
                    if None in {subject[0], subject[2]} or "redacted" in now.get(subject[0], ()):
                        continue
                    changed = became.get(subject) != was.get(subject)
                    assert now.get(subject) == (was if changed else present).get(subject)
                elif subject not in was:
                    assert now[subject]["status"] in {"withdrawn", "redacted"}
                else:
                    for fact, value in now[subject].items():
                        if fact == "tier" and "ticked" not in kinds:
                            # What had fallen due before stays fallen.
                            continue
                        changed = became[subject][fact] != was[subject][fact]
                        # What came later and has nothing to do with it stays.
                        expected = (was if changed else present)[subject][fact]
                        assert value == expected or self._has_expired(fact, was[subject]), fact
        finally:
            one.close()

    def _has_expired(self, fact: str, was: dict[str, object]) -> bool:
        """Whether a fact is of a pin that has ended, which time alone does."""
        ends = was["pinned_until"]
        return (
            fact in {"pinned", "pinned_until"}
            and isinstance(ends, datetime)
            and from_datetime("pin", ends) <= self.clock.now()
        )

    @rule(handle=handles)
    def undo_undone_restores_as_well(self, handle: int) -> None:
        """Undoing the last command and then the undo leaves everything as it was."""
        one = self.handles[handle]
        before = facts(one)
        try:
            undone = undo_last(one)
        except LedgerError as error:
            note(f"refused: {error!r}")
            assert facts(one) == before
            return
        one.undo(undone.events[0].event_id)
        # What had fallen due before has fallen.
        assert _but_for_falls(facts(one)) == _but_for_falls(before)

    @precondition(lambda self: self.ids["alpha"])
    @rule(
        choice=picks,
        back=st.integers(0, 10),
        strategy=st.sampled_from(("hybrid", "keyword", "rrf")),
    )
    def a_chain_answers_by_its_newest(self, choice: int, back: int, strategy: str) -> None:
        """A word that only one link of a chain has brings the newest that is supported."""
        found = self.pick("alpha", choice)
        position = Position(max(1, self.head - back))
        then = self.handles[0].as_of(position)
        items = then.inspect.everything()
        if found not in items:
            return
        recall = then.recall(self.marks[found], strategy=strategy, limit=50)
        oracle = Oracle(self.handles[0], then, items)
        expected = oracle.standing(found)
        shown = {hit.memory_id: hit for hit in recall.hits}
        if expected is None:
            assert found not in shown
            return
        assert expected in shown
        if strategy == "keyword":
            assert recall.hits[0].memory_id == expected
        if expected != found:
            assert found in {entry.memory_id for entry in shown[expected].trail}
        chain = oracle.above(found) | {found}
        first = next(hit.memory_id for hit in recall.hits if hit.memory_id in chain)
        assert first == expected

    @rule(handle=handles, ask=asks)
    def nothing_stands_before_its_successor(self, handle: int, ask: Ask) -> None:
        """For any question no hit is superseded by a later one, and trails hold what is below."""
        live = self.handles[handle]
        recall = live.recall(**ask)
        items = {
            memory_id: item
            for space in SPACES
            for memory_id, item in Moment(live._space.home, space, live._space.cut())
            .inspect.everything()
            .items()
        }
        oracle = Oracle(live, live, items)
        for place, hit in enumerate(recall.hits):
            later = {other.memory_id for other in recall.hits[place + 1 :]}
            assert oracle.ever_above(hit.memory_id).isdisjoint(later)
            trail = [entry.memory_id for entry in hit.trail]
            assert set(trail) == oracle.below(hit.memory_id)
            assert [e.position for e in hit.trail] == sorted(
                (e.position for e in hit.trail), reverse=True
            )
            assert hit.status == items[hit.memory_id].status
            item = items[hit.memory_id]
            short = {"tombstone": WAS_KNOWN, "summarized": item.summary}
            assert hit.content == short.get(hit.status, item.content)
        relevance = [hit.relevance for hit in recall.hits]
        assert relevance == sorted(relevance, reverse=True)
        assert len({hit.memory_id for hit in recall.hits}) == len(recall.hits)
        assert recall.empty == (not recall.hits)


def _but_for_falls(known: dict[str, object]) -> dict[str, object]:
    return {
        subject: {name: fact for name, fact in facts_of.items() if name != "tier"}
        if isinstance(facts_of, dict)
        else facts_of
        for subject, facts_of in known.items()
    }


class Oracle:
    """Who stands where a memory was found, from its history alone."""

    def __init__(self, live: Memory, moment: Memory | Moment, items: dict[str, Item]) -> None:
        cut = moment._space.cut()
        self.items = items
        self.now = cut.instant
        self.edges: dict[str, list[tuple[str, int]]] = {}
        for event in live._space.home.log.read(EMPTY.position, cut.position):
            structure = VOCABULARY.structure(event)
            if event.memory_id is None or event.kind not in {"superseded", "reinstated"}:
                continue
            held = [one for one in self.edges.get(event.memory_id, []) if one[0] != structure.by]
            if isinstance(structure, Superseded):
                ends = structure.valid_until
                held.append((structure.by, event.recorded_at if ends is None else ends))
            self.edges[event.memory_id] = held

    def successors(self, memory_id: str) -> set[str]:
        """What directly supersedes a memory."""
        return {new for new, _ in self.edges.get(memory_id, [])}

    def above(self, memory_id: str) -> set[str]:
        """What has taken a memory's place by now, directly or through others."""
        found: set[str] = set()
        ahead = [memory_id]
        while ahead:
            for new, ends in self.edges.get(ahead.pop(), []):
                if new not in found and ends <= self.now:
                    found.add(new)
                    ahead.append(new)
        return found

    def ever_above(self, memory_id: str) -> set[str]:
        """Everything that supersedes a memory, directly or through others, whenever it begins."""
        found: set[str] = set()
        ahead = {memory_id}
        while ahead:
            ahead = {new for one in ahead for new in self.successors(one)} - found
            found |= ahead
        return found

    def below(self, memory_id: str) -> set[str]:
        """Everything that a memory supersedes, directly or through others."""
        found: set[str] = set()
        ahead = {memory_id}
        while ahead:
            olds = {old for old in self.edges if self.successors(old) & ahead}
            ahead = olds - found
            found |= olds
        return found

    def in_force(self, memory_id: str) -> bool:
        """Whether a memory counts for what it supersedes."""
        return self.items[memory_id].status in {"active", "superseded", "archived", "summarized"}

    def supported(self, memory_id: str) -> bool:
        """Whether a memory may stand for another: in force, and true."""
        return self.in_force(memory_id) and self.holds(memory_id)

    def holds(self, memory_id: str) -> bool:
        """Whether a memory is true: valid by its own time, closed by nobody."""
        item = self.items[memory_id]
        began = item.valid_from is None or from_datetime("", item.valid_from) <= self.now
        ended = item.valid_until is not None and from_datetime("", item.valid_until) <= self.now
        closed = any(
            ends <= self.now and self.counts(new) for new, ends in self.edges.get(memory_id, [])
        )
        return began and not ended and not closed

    def counts(self, memory_id: str) -> bool:
        """Whether a successor, or one in its place, is in force."""
        seen: set[str] = set()
        ahead = {memory_id}
        while ahead:
            if any(self.in_force(one) for one in ahead):
                return True
            seen |= ahead
            ahead = {new for one in ahead for new in self.successors(one)} - seen
        return False

    def standing(self, memory_id: str) -> str | None:
        """The memory that answers where one was found; None if none may."""
        if self.items[memory_id].status in {"tombstone", "withdrawn", "redacted"}:
            return None
        newer = [one for one in self.above(memory_id) if self.supported(one)]
        if newer:
            return max(newer, key=lambda one: self.items[one].position)
        return memory_id if self.holds(memory_id) else None


class Isolation(Life):
    """A space answers as if it were alone."""

    @rule(handle=handles, asked=st.lists(asks, min_size=2, max_size=5))
    def other_spaces_change_no_answer(self, handle: int, asked: list[Ask]) -> None:
        """A home that holds the events of one space alone gives the same answers."""
        live = self.handles[handle]
        path = self.another_home()
        path.mkdir()
        clock = HandClock(0)
        log = SqliteLog(path / LEDGER, clock=clock)
        for event in live._space.home.log.read(EMPTY.position, self.head + 1, live.space):
            if event.kind != "redacted":
                clock.time = event.recorded_at
                log.append([as_draft(event)])
        log.close()
        clock.time = self.clock.time
        with open_home(path, live.space, clock) as alone:
            for ask in asked:
                own = {name: value for name, value in ask.items() if name != "spaces"}
                assert told(alone.recall(**own)) == told(live.recall(**own))
            assert [item.memory_id for item in alone.list(limit=1000)] == [
                item.memory_id for item in live.list(limit=1000)
            ]
            assert facts(alone) == facts(live)


def told(recall: Recall) -> list[tuple[object, ...]]:
    """What a recall says, without the positions, which are the home's own."""

    def one(hit: Hit) -> tuple[object, ...]:
        return (
            hit.memory_id,
            hit.content,
            hit.status,
            hit.relevance,
            hit.explanation,
            [(entry.memory_id, entry.status, entry.content) for entry in hit.trail],
        )

    return [*map(one, recall.hits), recall.strategy, recall.empty]


TestPointInTime = PointInTime.TestCase
TestPointInTime.__doc__ = PointInTime.__doc__
TestCorrections = Corrections.TestCase
TestCorrections.__doc__ = Corrections.__doc__
TestIsolation = Isolation.TestCase
TestIsolation.__doc__ = Isolation.__doc__
