"""The laws of recall sessions: what votes may change, and that what was learned is in the log."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from hypothesis import note, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from mnemolog import Memory, Session
from mnemolog.application.questions.browse import ORDERS
from mnemolog.ledger.clock import from_datetime
from mnemolog.ledger.digests import EMPTY
from mnemolog.ledger.errors import CannotUndo, LedgerError, SessionOver, UnknownSession
from mnemolog.ledger.events import Vote
from mnemolog.ledger.ids import Position
from tests.homes import DAY, SECOND, HandClock
from tests.laws.learning import (
    CUES,
    KITCHEN,
    TEXTS,
    entities,
    given_votes,
    home_of,
    ids,
    learned,
    offered,
    open_home,
    recalled,
    shown,
    told_by_the_log,
    votes,
)
from tests.laws.life import facts, tables

HANDLES = 2
handles = st.integers(0, HANDLES - 1)
picks = st.integers(0, 40)


def standing(memory: Memory) -> list[object]:
    """The global standing of every memory: facts, orders, and what questions bring back."""
    found: list[object] = [facts(memory), memory.inspect.everything()]
    found += [ids(memory.list(by=order, limit=1000)) for order in ORDERS]
    found += [[recall.hits, recall.weights, recall.brought] for recall in recalled(memory)]
    return found


class Sessions(RuleBasedStateMachine):
    """Sessions of two handles on one space, while memories come, change and go."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="mnemolog-sessions-"))
        self.clock = HandClock()
        self.home = self.root / "home"
        self.handles = [open_home(self.home, self.clock) for _ in range(HANDLES)]
        self.latest: dict[str, Session] = {}
        self.voted: dict[str, dict[str, Vote]] = {}
        self.limits: dict[str, int] = {}
        self.taught: list[str] = []
        self.homes = 0

    def teardown(self) -> None:
        """Close every handle and remove the home."""
        for handle in self.handles:
            handle.close()
        shutil.rmtree(self.root)

    @initialize()
    def begin(self) -> None:
        """Some memories of one topic, some of another."""
        self.handles[0].remember_many(TEXTS, contradictions="off")

    @property
    def head(self) -> Position:
        """The last position of the log."""
        return self.handles[0]._space.home.log.head().position

    def kinds_since(self, before: Position) -> list[str]:
        """The kinds of the events behind a position."""
        return [event.kind for event in self.handles[0]._space.home.log.read(before, 1000)]

    def another(self, position: Position, now: int) -> Memory:
        """A home made of the log's bytes of today up to a position, its clock at an instant."""
        self.homes += 1
        log = self.handles[0]._space.home.log
        events = log.read(EMPTY.position, position) if position else []
        path = home_of(self.root / f"home-{self.homes}", events, self.clock, log.secret)
        return open_home(path, HandClock(now))

    # -- sessions ----------------------------------------------------------------------

    @rule(
        handle=handles,
        query=st.sampled_from(CUES),
        entity=entities,
        limit=st.integers(1, 6),
        rounds=st.integers(1, 4),
    )
    def start(self, handle: int, query: str, entity: str | None, limit: int, rounds: int) -> None:
        """Beginning a session writes no event."""
        before = self.head
        session = self.handles[handle].sessions.start(
            query, entity=entity, limit=limit, max_rounds=rounds
        )
        assert self.head == before
        assert len(session.memories) <= limit
        self.latest[session.session_id], self.voted[session.session_id] = session, {}
        self.limits[session.session_id] = limit

    @precondition(lambda self: self.latest)
    @rule(handle=handles, choice=picks, drawn=votes)
    def vote(self, handle: int, choice: int, drawn: list[tuple[int, Vote]]) -> None:
        """Votes change the global standing of nothing, and steer this session alone."""
        memory = self.handles[handle]
        session_id = [*self.latest][choice % len(self.latest)]
        last = self.latest[session_id]
        given_ = given_votes(offered(last), drawn)
        if not given_:
            return
        before, was = self.head, standing(memory)
        try:
            told = memory.sessions.vote(session_id, given_)
        except (SessionOver, UnknownSession) as error:
            note(f"over: {error}")
            assert self.head == before
            return
        assert standing(memory) == was
        assert self.kinds_since(before) == ["voted"] * len(given_)
        assert (told.round, told.rounds_left) == (last.round + 1, last.rounds_left - 1)
        votes_ = self.voted[session_id] = {**self.voted[session_id], **given_}
        self.latest[session_id] = told
        self._check_steered(memory, told, votes_)

    def _check_steered(self, memory: Memory, told: Session, votes_: Mapping[str, Vote]) -> None:
        """What was judged stays away, but for what was hot: that stays."""
        line = ids(told.memories)
        assert not [one for one in line if votes_.get(one, "hot") != "hot"]
        items = memory.inspect.everything()
        hot = [one for one, vote in votes_.items() if vote == "hot"]
        stand = {one for one in hot if items[one].status == "active"}
        assert len(line) <= self.limits[told.session_id]
        first = set(line[: len(stand)])
        assert first == stand if len(stand) <= self.limits[told.session_id] else first <= stand
        for branch in told.spark_branches:
            assert votes_[branch.spark] == "spark"
            assert not set(ids(branch.memories)) & {*votes_, *line}

    @precondition(lambda self: self.latest)
    @rule(handle=handles, choice=picks, accepted=st.lists(st.integers(0, 9), max_size=3))
    def resolve(self, handle: int, choice: int, accepted: list[int]) -> None:
        """What resolving teaches is one event, and what was accepted was of use."""
        memory = self.handles[handle]
        session_id = [*self.latest][choice % len(self.latest)]
        shown_ = offered(self.latest[session_id])
        taken = list(dict.fromkeys(shown_[one % len(shown_)] for one in accepted if shown_))
        before, was = self.head, facts(memory)
        try:
            told = memory.sessions.resolve(session_id, taken)
        except (SessionOver, UnknownSession) as error:
            note(f"over: {error}")
            assert self.head == before
            return
        memory.upkeep.write_uses()
        kinds = self.kinds_since(before)
        assert kinds[0] == "resolved"
        assert kinds.count("resolved") == 1
        if not taken:
            assert kinds == ["resolved"]
            assert facts(memory) == was
        assert told.learned == (told.updated > 0)
        self.taught.append(told.events[0].event_id)

    @rule(handle=handles, query=st.sampled_from(CUES), entity=entities, drawn=votes, limit=picks)
    def single(
        self,
        handle: int,
        query: str,
        entity: str | None,
        drawn: list[tuple[int, Vote]],
        limit: int,
    ) -> None:
        """A single vote is a session of one round that is resolved at once."""
        memory = self.handles[handle]
        hits = memory.sessions.start(query, entity=entity, limit=limit % 10 + 1).memories
        given_ = given_votes(ids(hits), drawn)
        if not given_:
            return
        before, was = self.head, facts(memory)
        told = memory.sessions.vote_once(query, given_, entity=entity, limit=limit % 10 + 1)
        assert self.kinds_since(before) == ["resolved", *["voted"] * len(given_)]
        assert facts(memory) == was
        self.taught.append(told.events[0].event_id)

    @precondition(lambda self: self.taught)
    @rule(handle=handles, choice=picks)
    def undo(self, handle: int, choice: int) -> None:
        """What a session taught is taken back, and an undo of that brings it again."""
        named = self.taught[choice % len(self.taught)]
        try:
            told = self.handles[handle].undo(named)
        except CannotUndo as error:
            note(f"refused: {error}")
            return
        self.taught.append(told.events[0].event_id)

    # -- what else happens -------------------------------------------------------------

    @rule(handle=handles, choice=picks, how=st.sampled_from(("add", "change", "drop", "destroy")))
    def live(self, handle: int, choice: int, how: str) -> None:
        """Memories come, are superseded, withdrawn and redacted under the sessions' feet."""
        memory = self.handles[handle]
        known = [*memory.inspect.everything()]
        one = known[choice % len(known)]
        with suppress(LedgerError):
            if how == "add":
                memory.remember(f"{TEXTS[choice % len(TEXTS)]} again {choice}")
            elif how == "change":
                memory.supersede(one, f"The kettle moved {choice}")
            elif how == "drop":
                memory.withdraw(one)
            else:
                memory.redact(one)

    @rule(handle=handles, choices=st.lists(picks, min_size=2, max_size=3))
    def use(self, handle: int, choices: list[int]) -> None:
        """Memories are of use together."""
        memory = self.handles[handle]
        known = [*memory.inspect.everything()]
        with suppress(LedgerError):
            memory.use(*{known[choice % len(known)] for choice in choices})
        memory.upkeep.write_uses()

    @rule(micros=st.sampled_from((SECOND, 200 * SECOND, DAY // 24, DAY, 40 * DAY)))
    def pass_time(self, micros: int) -> None:
        """Time passes: sessions expire, and what was together comes apart."""
        self.clock.move(micros)

    @rule(handle=handles)
    def reopen(self, handle: int) -> None:
        """Close a handle and open it again: sessions go on."""
        self.handles[handle].close()
        self.handles[handle] = open_home(self.home, self.clock)

    # -- laws --------------------------------------------------------------------------

    @rule(handle=handles)
    def what_is_learned_is_what_stands_in_the_log(self, handle: int) -> None:
        """Of every session and use, those that are not undone teach, and no others."""
        assert learned(self.handles[handle]) == told_by_the_log(self.handles[handle])

    @rule(handle=handles, back=st.integers(0, 25))
    def as_of_equals_a_log_cut_there(self, handle: int, back: int) -> None:
        """What was learned by a position is what a home made of the log up to it has learned."""
        position = Position(max(1, self.head - back))
        then = self.handles[handle].as_of(position)
        with self.another(position, from_datetime("then", then.instant)) as cut:
            assert learned(then) == learned(cut) == told_by_the_log(cut)
            assert recalled(then) == recalled(cut)

    @rule(handle=handles)
    def rebuilt_equals_live(self, handle: int) -> None:
        """Building everything from the log changes nothing that was learned, and no answer."""
        memory = self.handles[handle]
        was, answers, rows = learned(memory), recalled(memory), tables(memory)
        memory.upkeep.rebuild()
        assert (learned(memory), recalled(memory)) == (was, answers)
        assert tables(memory) == rows

    @rule(handle=handles)
    def now_equals_a_copy(self, handle: int) -> None:
        """A home made of the log, that knows names by the same secret, gives the same answers."""
        memory = self.handles[handle]
        with self.another(self.head, self.clock.now()) as copy:
            assert learned(copy) == learned(memory)
            assert recalled(copy) == recalled(memory)
            assert tables(copy) == tables(memory)
            started = [one.sessions.start(KITCHEN, entity="Dana") for one in (copy, memory)]
            assert shown(started[0]) == shown(started[1])

    @rule()
    def handles_agree(self) -> None:
        """Two handles of a space have learned the same."""
        first, second = self.handles
        assert learned(first) == learned(second)
        assert recalled(first) == recalled(second)


TestSessions = Sessions.TestCase
TestSessions.__doc__ = Sessions.__doc__
