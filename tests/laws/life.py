"""A home's life at random: commands from several handles, with time passing and files vanishing."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypedDict, TypeVar

import msgspec
from hypothesis import note, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from mnemolog import Admission, Memory, Moment, NewEvent, NewMemory, Receipt, ReceiptEvent, Thing
from mnemolog.application.admission import admit, decide
from mnemolog.application.home.home import LEDGER
from mnemolog.application.upkeep.integrity import table_rows
from mnemolog.indexes import space_index
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.decay import TIERS
from mnemolog.ledger.digests import EMPTY
from mnemolog.ledger.errors import LedgerError
from mnemolog.ledger.ids import Position, new_event_ids
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.projections.strengths import Strength, strengths_as_of
from mnemolog.projections.views import all_projections
from tests.homes import DAY, SECOND, START, HandClock, open_home

SPACES = ("alpha", "beta")
HANDLES = ("alpha", "alpha", "beta")
WORDS = (
    "coffee", "kubernetes", "harbour", "invoice", "dana", "ben", "berlin", "the", "is", "never",
    "port-8080", "src/app.py", "CAFÉ", "harbours",
)  # fmt: skip
CUES = (*WORDS, "coffe", "kubernetis", "harbor", "invioce", "zzzz", "did you", "cafe")
SOURCES = (None, "user:dana", "user:ben", "file:notes/a.md", "file:notes/b.md#top", "agent:coder")
PLACES = (None, "attic", "attic/box", "cellar")
TAGS = ("red", "blue")
THINGS = ("harbour", "Dana", "coffee")
TYPES = ("IS_A", "PART_OF")
KINDS = ("semantic", "episodic", "procedural", "preference")
STRATEGIES = ("hybrid", "rrf", "semantic", "keyword")
ALL_STATUSES = (
    "active", "contested", "pending", "superseded", "archived", "summarized", "tombstone",
    "withdrawn", "redacted",
)  # fmt: skip
CLAIMS = (
    "Dana lives in Berlin.", "Dana lives in Paris.", "Ben was born in 1980.",
    "Ben was born in 1990.", "The harbour is open.", "The harbour is not open.",
)  # fmt: skip
KEPT = ("Tortoise shells are a kind of tortoise armour", "Dana feeds the tortoise")
SAID = (
    "The ferry leaves at dawn from the old quay", "A lamp burns in the chapel all night",
    "Goats graze above the quarry", "the goats graze above the quarry!",
)  # fmt: skip
WINNERS = ("new", "old", "both", "neither")


Told = TypeVar("Told", Receipt, Admission)


class Ask(TypedDict, total=False):
    """A recall: its cue and everything that narrows it."""

    cue: str
    limit: int
    spaces: tuple[str, ...]
    kinds: tuple[str, ...]
    tags: tuple[str, ...]
    source: str
    place: str
    statuses: tuple[str, ...]
    valid_at: str
    strategy: str
    exploration: int
    min_relevance: float


def subset(values: Sequence[str], most: int = 2) -> st.SearchStrategy[tuple[str, ...]]:
    """Up to `most` different values."""
    return st.lists(st.sampled_from(values), max_size=most, unique=True).map(tuple)


texts = st.tuples(
    st.sampled_from(("", "", "Dana: ", "Ben: ")),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join),
    st.sampled_from(("", "?", ". Never?")),
).map("".join)
cues = st.lists(st.sampled_from(CUES), min_size=1, max_size=3).map(" ".join)
days = st.integers(-40, 40)
valid_times = st.none() | days.map(lambda day: to_datetime(START + day * DAY))
picks = st.integers(0, 60)
handles = st.integers(0, len(HANDLES) - 1)
asks = st.fixed_dictionaries(
    {"cue": cues},
    optional={
        "limit": st.integers(1, 12),
        "spaces": subset(SPACES),
        "kinds": subset(KINDS),
        "tags": subset(TAGS, 1),
        "source": st.sampled_from(("user:dana", "file:", "file:notes/b.md")),
        "place": st.sampled_from(("attic", "attic/box")),
        "statuses": subset(ALL_STATUSES),
        "valid_at": days.map(lambda day: to_datetime(START + day * DAY).isoformat()),
        "strategy": st.sampled_from(STRATEGIES),
        "exploration": st.integers(0, 5),
        "min_relevance": st.sampled_from((0.0, 0.3)),
    },
)


def facts(questions: Memory | Moment) -> dict[str, object]:
    """What commands can change and undo can restore, by memory, with the settings."""
    everything = questions.inspect.everything()
    position = questions._space.cut().position
    held = questions._space.home.views.read(lambda db: strengths_as_of(db, [*everything], position))
    known: dict[str, object] = {
        memory_id: {
            # Which tier it stands in is a fact of its own.
            "status": "standing" if item.status in TIERS else item.status,
            "tier": item.tier,
            "pinned": item.pinned,
            "pinned_until": item.pinned_until,
            "superseded_by": set(item.superseded_by),
            "accesses": item.accesses,
            "depth_weight": item.depth_weight,
            # Not the strength of the moment, which time alone changes.
            "strength": _trace(held[memory_id]),
        }
        for memory_id, item in everything.items()
    }
    known["settings"] = msgspec.structs.asdict(questions.settings())
    for waiting in questions.admission.buffer():
        known["waiting", waiting.event_id, ""] = waiting.content
    for edge in questions.graph.links():
        known[edge.source, edge.type, edge.target, edge.valid_until] = edge.confidence
    for conflict in questions.conflicts.list():
        known[conflict.new.memory_id, conflict.conflict_id, conflict.old.memory_id] = (
            conflict.outcome
        )
    return known


def _trace(held: Strength) -> tuple[float, int, float]:
    return held.trace.strength, held.trace.since, held.trace.slowing


def answers(questions: Memory | Moment, asked: Sequence[Ask]) -> list[object]:
    """Everything that a moment of a space has to say."""
    found: list[object] = [questions.recall(**ask) for ask in asked]
    found.append(questions.list(limit=1000))
    found.append(questions.list(by="oldest", statuses=ALL_STATUSES, limit=1000))
    found.append(questions.list(by="pinned"))
    found.append(questions.list(by="persistence", limit=1000))
    found.append(questions.list(by="weight"))
    found.append(questions.admission.buffer())
    found.append(questions.list(tags=("red",), source="user:dana"))
    found.append(questions.settings())
    found.append(questions.conflicts.list())
    found.append(questions.conflicts.list("all"))
    found.append(questions.graph.links())
    found.append(questions.graph.links(Thing(THINGS[0])))
    everything = questions.inspect.everything()
    found.append(everything)
    found += [questions.get(memory_id) for memory_id in everything]
    found += [questions.graph.links(memory_id) for memory_id in everything]
    found += [questions.history(memory_id) for memory_id in everything]
    found.append(questions.inspect.counts())
    return found


def tables(memory: Memory) -> dict[str, list[tuple[object, ...]]]:
    """All tables of a home's views, tags by the memories that carry them, things by their edges.

    What stands for a tag or thing in the views is keyed by the home's own secret.
    """
    names = [name for one in all_projections(b"") for name in one.tables]
    found = {
        name: memory._space.home.views.read(lambda db, name=name: table_rows(db, name))
        for name in names
    }
    for table in ("taggings", "things"):
        groups: dict[object, list[object]] = {}
        for key, *rest in found[table]:
            groups.setdefault(key, []).append(tuple(rest))
        found[table] = sorted(tuple(rows) for rows in groups.values())
    return found


class Command(msgspec.Struct):
    """A command that was carried out, and what was so before it."""

    space: str
    receipt: Receipt | Admission
    before: Position
    kind: str


class Life(RuleBasedStateMachine):
    """Commands to three handles on one home; subclasses add the laws to be checked."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="mnemolog-life-"))
        self.home = self.root / "home"
        self.clock = HandClock()
        self.handles = [open_home(self.home, space, self.clock) for space in HANDLES]
        self.ids: dict[str, list[str]] = {space: [] for space in SPACES}
        self.marks: dict[str, str] = {}
        self.tries: list[tuple[str, NewMemory, tuple[str, ...]]] = []
        self.admitted: list[tuple[str, NewMemory]] = []
        self.commands: list[Command] = []
        self.homes = 0
        # A base and a tail in small homes too.
        self._tail_limit = space_index._TAIL_LIMIT
        space_index._TAIL_LIMIT = 4
        # What is drawn at random would make every life another one.
        self._draw = decide.draw
        admit.draw = decide.draw = lambda: 0.5

    def teardown(self) -> None:
        """Close every handle and remove the home."""
        for handle in self.handles:
            handle.close()
        space_index._TAIL_LIMIT = self._tail_limit
        admit.draw = decide.draw = self._draw
        shutil.rmtree(self.root)

    # -- what rules are made of --------------------------------------------------------

    @property
    def head(self) -> Position:
        """The last position of the log."""
        return self.handles[0]._space.home.log.head().position

    def pick(self, space: str, choice: int) -> str:
        """One of the memories of a space."""
        known = self.ids[space]
        return known[choice % len(known)] if known else "0" * 32

    def attempt(self, space: str, kind: str, command: Callable[[], Told]) -> Told | None:
        """Carry a command out, or see it refused with nothing changed."""
        before = self.head
        state = self.handles[0]._space.home.log.head()
        try:
            receipt = command()
        except LedgerError as error:
            note(f"refused: {error!r}")
            assert self.handles[0]._space.home.log.head() == state
            return None
        assert self.head == receipt.events[-1].position
        assert [event.position for event in receipt.events] == list(
            range(before + 1, self.head + 1)
        )
        self.commands.append(Command(space, receipt, before, kind))
        return receipt

    def made(self, space: str, receipt: Receipt | Admission | None, mark: str) -> None:
        """Keep in mind what a command remembered."""
        if receipt is not None and receipt.memory_id is not None:
            self.ids[space].append(receipt.memory_id)
            self.marks[receipt.memory_id] = mark

    def mark(self) -> str:
        """A word that no other memory has."""
        return f"mark{len(self.commands)}"

    def another_home(self) -> Path:
        """A directory for one more home."""
        self.homes += 1
        return self.root / f"home-{self.homes}"

    def cut_home(self, position: Position) -> Path:
        """A home made of the log's bytes of today up to a position."""
        path = self.another_home()
        path.mkdir()
        log = SqliteLog(path / LEDGER, clock=self.clock)
        if position:
            log.adopt(self.handles[0]._space.home.log.read(EMPTY.position, position))
        log.close()
        return path

    # -- commands ----------------------------------------------------------------------

    @initialize(text=texts)
    def begin(self, text: str) -> None:
        """No home is empty for long."""
        for handle in self.handles[1:]:
            mark = self.mark()
            self.made(
                handle.space,
                self.attempt(handle.space, "remember", lambda h=handle, m=mark: h.remember(
                    f"{text} {m}"
                )),
                mark,
            )  # fmt: skip

    @rule(
        handle=handles,
        text=texts,
        olds=st.lists(picks, max_size=2),
        valid_from=valid_times,
        valid_until=valid_times,
        tags=subset(TAGS),
        source=st.sampled_from(SOURCES),
        place=st.sampled_from(PLACES),
        kind=st.sampled_from(KINDS),
        immutable=st.sampled_from((False, False, False, True)),
    )
    def remember(self, handle: int, text: str, olds: list[int], **fields: object) -> None:
        """Store a memory, perhaps in the place of others, under an id that a retry can use."""
        one = self.handles[handle]
        supersedes = tuple({self.pick(one.space, choice) for choice in olds})
        mark = self.mark()
        (event_id,) = new_event_ids(1, self.clock.now())
        new = NewMemory(f"{text} {mark}", supersedes=supersedes, id=event_id, **fields)
        receipt = self.attempt(one.space, "remember", lambda: one.remember(new))
        self.made(one.space, receipt, mark)
        if receipt is not None:
            self.tries.append((one.space, new, ()))

    @rule(handle=handles, texts=st.lists(texts, min_size=1, max_size=4))
    def remember_many(self, handle: int, texts: list[str]) -> None:
        """Store several memories at once."""
        one = self.handles[handle]
        mark = self.mark()
        before = self.head
        receipts = one.remember_many([f"{text} {mark}{at}x" for at, text in enumerate(texts)])
        positions = [event.position for receipt in receipts for event in receipt.events]
        assert positions == list(range(before + 1, self.head + 1))
        for at, receipt in enumerate(receipts):
            self.commands.append(Command(one.space, receipt, receipt.position - 1, "remember"))
            self.made(one.space, receipt, f"{mark}{at}x")

    @rule(
        handle=handles,
        text=texts,
        olds=st.lists(picks, min_size=1, max_size=3),
        valid_from=valid_times,
        override=st.booleans(),
        reason=st.sampled_from((None, "moved")),
    )
    def supersede(self, handle: int, text: str, olds: list[int], **how: object) -> None:
        """Replace memories by a new one."""
        one = self.handles[handle]
        references = tuple({self.pick(one.space, choice) for choice in olds})
        mark = self.mark()
        (event_id,) = new_event_ids(1, self.clock.now())
        new = NewMemory(f"{text} {mark}", id=event_id, valid_from=how.pop("valid_from"))
        receipt = self.attempt(
            one.space, "supersede", lambda: one.supersede(references, new, **how)
        )
        self.made(one.space, receipt, mark)
        if receipt is not None:
            self.tries.append((one.space, new, references))

    @rule(handle=handles, olds=st.lists(picks, min_size=1, max_size=2), by=picks)
    def supersede_by(self, handle: int, olds: list[int], by: int) -> None:
        """Replace memories by one that is there, be it older or of the same chain."""
        one = self.handles[handle]
        references = [self.pick(one.space, choice) for choice in olds]
        self.attempt(
            one.space,
            "supersede",
            lambda: one.supersede(references, by=self.pick(one.space, by), override=True),
        )

    @rule(handle=handles, choice=picks, override=st.booleans())
    def withdraw(self, handle: int, choice: int, override: bool) -> None:  # noqa: FBT001 - drawn
        """Take a memory out."""
        one = self.handles[handle]
        self.attempt(
            one.space,
            "withdraw",
            lambda: one.withdraw(self.pick(one.space, choice), override=override, reason="wrong"),
        )

    @rule(handle=handles, choice=picks, until=st.none() | st.integers(-1, 40))
    def pin(self, handle: int, choice: int, until: int | None) -> None:
        """Pin a memory, for good or for some days."""
        one = self.handles[handle]
        ends = None if until is None else to_datetime(self.clock.now() + until * DAY)
        self.attempt(one.space, "pin", lambda: one.pin(self.pick(one.space, choice), until=ends))

    @rule(handle=handles, choice=picks)
    def unpin(self, handle: int, choice: int) -> None:
        """Unpin a memory."""
        one = self.handles[handle]
        self.attempt(one.space, "unpin", lambda: one.unpin(self.pick(one.space, choice)))

    def end(self, space: str, choice: int | str) -> str | Thing:
        """One end of an edge: a thing, or one of the memories of a space."""
        return Thing(choice) if isinstance(choice, str) else self.pick(space, choice)

    @rule(
        handle=handles,
        source=picks | st.sampled_from(THINGS),
        kind=st.sampled_from(TYPES),
        other=picks | st.sampled_from(THINGS),
        valid_until=st.none() | days.map(lambda day: to_datetime(START + day * DAY)),
        confidence=st.sampled_from((0.0, 0.5, 1.0)),
    )
    def link(
        self, handle: int, source: int | str, kind: str, other: int | str, **how: object
    ) -> None:
        """Make an edge between memories or things."""
        one = self.handles[handle]
        ends = self.end(one.space, source), self.end(one.space, other)
        self.attempt(one.space, "link", lambda: one.graph.link(ends[0], kind, ends[1], **how))

    @rule(
        handle=handles,
        claims=st.lists(st.sampled_from(CLAIMS), min_size=1, max_size=3),
        source=st.sampled_from((None, "user:dana", "user:ben", "agent:coder")),
        valid_from=valid_times,
        immutable=st.sampled_from((False, False, False, True)),
    )
    def claim(self, handle: int, claims: list[str], **fields: object) -> None:
        """Store what may contradict what is there, or what is stored with it."""
        one = self.handles[handle]
        ids = new_event_ids(len(claims), self.clock.now())
        mark = self.mark()
        items = [
            NewMemory(text, aliases=(f"{mark}{at}c",), id=ids[at], **fields)
            for at, text in enumerate(claims)
        ]
        for at, receipt in enumerate(one.remember_many(items)):
            self.commands.append(Command(one.space, receipt, receipt.position - 1, "remember"))
            self.made(one.space, receipt, f"{mark}{at}c")
            self.tries.append((one.space, items[at], ()))

    @rule(handle=handles, choice=picks, winner=st.sampled_from(WINNERS), override=st.booleans())
    def settle(
        self,
        handle: int,
        choice: int,
        winner: Literal["new", "old", "both", "neither"],
        override: bool,  # noqa: FBT001 - drawn
    ) -> None:
        """Settle one of the conflicts, open or not."""
        one = self.handles[handle]
        conflicts = one.conflicts.list("all")
        if conflicts:
            named = conflicts[choice % len(conflicts)].conflict_id
            self.attempt(
                one.space, "settle", lambda: one.conflicts.settle(named, winner, override=override)
            )

    @rule(handle=handles, policy=st.sampled_from(("recency", "authority")))
    def settle_all(self, handle: int, policy: Literal["recency", "authority"]) -> None:
        """Settle whatever a policy tells."""
        one = self.handles[handle]
        for receipt in one.conflicts.settle_all(policy):
            before = Position(receipt.events[0].position - 1)
            self.commands.append(Command(one.space, receipt, before, "settle"))

    @rule(handle=handles, text=st.sampled_from(KEPT), again=st.booleans())
    def remember_what_is_kept(self, handle: int, text: str, again: bool) -> None:  # noqa: FBT001 - drawn
        """Store what deserves to be kept, joined to things, perhaps in the same words again."""
        one = self.handles[handle]
        mark = self.mark()
        new = NewMemory(text, marks=("emphasised", "serves_goal"), aliases=(mark,))
        receipt = self.attempt(one.space, "remember", lambda: one.remember(new))
        self.made(one.space, receipt, mark)
        for thing in THINGS[:2]:
            self.attempt(
                one.space,
                "link",
                lambda name=thing: one.graph.link(receipt.memory_id, "NEEDS", Thing(name)),
            )
        if again:
            self.made(
                one.space,
                self.attempt(
                    one.space,
                    "remember",
                    lambda: one.remember(f"Note: {text}", aliases=(f"{mark}n",)),
                ),
                f"{mark}n",
            )

    @rule(handle=handles, limit=st.integers(1, 3))
    def consolidate(self, handle: int, limit: int) -> None:
        """Consolidate a space, each step a command of its own."""
        one = self.handles[handle]
        done = one.upkeep.consolidate(limit=limit)
        for receipt in (*done.steps, *([] if done.dropped is None else [done.dropped])):
            before = Position(receipt.events[0].position - 1)
            self.commands.append(Command(one.space, receipt, before, "consolidate"))
            if receipt.memory_id is not None and receipt.events[0].kind == "consolidated":
                made = [e.memory_id for e in receipt.events if e.kind == "remembered"]
                self.ids[one.space] += made
                self.marks.update(dict.fromkeys(made, "tortoise"))

    @rule(handle=handles)
    def maintain(self, handle: int) -> None:
        """Keep the home up: what is due is done in both spaces."""
        self.handles[handle].upkeep.maintain()

    @rule(handle=handles, choice=picks)
    def unlink(self, handle: int, choice: int) -> None:
        """End one of the edges."""
        one = self.handles[handle]
        edges = one.graph.links()
        if edges:
            edge = edges[choice % len(edges)].edge_id
            self.attempt(one.space, "unlink", lambda: one.graph.unlink(edge))

    @rule(
        handle=handles,
        strategy=st.none() | st.sampled_from(STRATEGIES),
        reranker=st.sampled_from((None, "phrases")),
        forgetting_speed=st.sampled_from((None, None, 0.0, 3.0)),
        lowest_tier=st.sampled_from(("deleted", "deleted", "archived", None)),
    )
    def configure(self, handle: int, **changes: str | float | None) -> None:
        """Change settings, or set them back."""
        one = self.handles[handle]
        self.attempt(one.space, "configure", lambda: one.configure(changes))

    @rule(handle=handles, choice=picks, strength=st.none() | st.sampled_from((0.0, 0.3, 1.0)))
    def change_strength(self, handle: int, choice: int, strength: float | None) -> None:
        """Let a memory lose half of its strength, or have another."""
        one = self.handles[handle]
        event = NewEvent(
            "weakened" if strength is None else "strengthened",
            {"factor": 0.5} if strength is None else {"strength": strength},
            memory_id=self.pick(one.space, choice),
        )
        self.attempt(one.space, "append", lambda: one.log.append([event]))

    @rule(
        handle=handles,
        said=st.none() | st.sampled_from(SAID),
        text=texts,
        attention=st.none() | cues | st.sampled_from(SAID),
        kind=st.sampled_from(KINDS),
    )
    def admit(
        self, handle: int, said: str | None, text: str, attention: str | None, **fields: object
    ) -> None:
        """Let in what is new, or was said before, under an id that a retry can use."""
        one = self.handles[handle]
        mark = self.mark()
        (event_id,) = new_event_ids(1, self.clock.now())
        new = NewMemory(said or f"{text} {mark}", id=event_id, **fields)
        told = self.attempt(
            one.space, "admit", lambda: one.admission.admit(new, attention=attention)
        )
        if told is not None:
            self.admitted.append((one.space, new))
            if said is None and told.decisions[0].placement == "persist":
                self.made(one.space, told, mark)

    @rule(handle=handles)
    def flush(self, handle: int) -> None:
        """Empty the buffer."""
        one = self.handles[handle]
        before, waited = self.head, len(one.admission.buffer())
        told = one.admission.flush()
        assert told.complete
        assert len(told.decisions) == waited
        assert [event.position for event in told.events] == list(range(before + 1, self.head + 1))
        assert one.admission.buffer() == ()

    @rule(handle=handles, choices=st.lists(picks, min_size=1, max_size=3))
    def use(self, handle: int, choices: list[int]) -> None:
        """Report that memories were of use."""
        one = self.handles[handle]
        before = self.head
        try:
            one.use(*(self.pick(one.space, choice) for choice in choices))
        except LedgerError as error:
            note(f"refused: {error!r}")
        one.upkeep.write_uses()
        self.done(one.space, before, "use")

    @rule(handle=handles)
    def tick(self, handle: int) -> None:
        """Say that time has passed."""
        one = self.handles[handle]
        before = self.head
        told = one.upkeep.tick(confirmed=True)
        assert told.positions[0] == before + 1
        assert told.complete
        self.done(one.space, before, "tick")
        assert one.upkeep.falling_due() == ()

    def done(self, space: str, before: Position, kind: str) -> None:
        """Keep in mind a command that gives no receipt."""
        events = tuple(
            ReceiptEvent(event.position, event.event_id, event.kind, event.memory_id)
            for event in self.handles[0]._space.home.log.read(before, 1000)
        )
        if events:
            receipt = Receipt(None, events[0].position, to_datetime(self.clock.now()), events)
            self.commands.append(Command(space, receipt, before, kind))

    @rule(handle=handles, choice=picks, about=st.booleans())
    def append_own(self, handle: int, choice: int, about: bool) -> None:  # noqa: FBT001 - drawn
        """Append events of a kind of the caller's own, one perhaps about a memory."""
        one = self.handles[handle]
        memory = self.pick(one.space, choice) if about else None
        self.attempt(
            one.space,
            "append",
            lambda: one.log.append(
                [
                    NewEvent("deployed", {"to": "staging"}, {"note": "harbour"}, memory_id=memory),
                    NewEvent("seen", causation_id=memory),
                ]
            ),
        )

    @rule(handle=handles, choices=st.lists(picks, min_size=1, max_size=2), override=st.booleans())
    def redact(self, handle: int, choices: list[int], override: bool) -> None:  # noqa: FBT001 - drawn
        """Destroy memories."""
        one = self.handles[handle]
        references = {self.pick(one.space, choice) for choice in choices}
        receipt = self.attempt(
            one.space, "redact", lambda: one.redact(*references, override=override)
        )
        if receipt is not None:
            assert receipt.complete

    # -- what happens to a home --------------------------------------------------------

    @rule(micros=st.sampled_from((0, SECOND, DAY // 24, DAY, 40 * DAY, 200 * DAY, -DAY // 24)))
    def pass_time(self, micros: int) -> None:
        """Time passes; now and then a clock is set back."""
        self.clock.move(micros)

    @rule(handle=handles)
    def reopen(self, handle: int) -> None:
        """Close a handle and open it again."""
        self.handles[handle].close()
        self.handles[handle] = open_home(self.home, HANDLES[handle], self.clock)

    @rule(handle=handles)
    def rebuild(self, handle: int) -> None:
        """Build everything derived anew while the other handles stay open."""
        self.handles[handle].upkeep.rebuild()

    @rule(what=st.sampled_from(("views-*", "vectors.db*", "manifest", "indexes", "*")))
    def lose(self, what: str) -> None:
        """Delete derived files under the open handles."""
        for path in self.home.glob(what):
            # A base that is being written in the background may come and go meanwhile.
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            # Lock files may go while nothing runs, and bases are written in the background.
            elif not path.name.startswith(LEDGER) and path.suffix != ".lock":
                path.unlink(missing_ok=True)

    @rule(handle=handles, ask=asks)
    def recall(self, handle: int, ask: Ask) -> None:
        """Asking writes nothing."""
        head = self.head
        self.handles[handle].recall(**ask)
        assert self.head == head
