"""The contradiction check: what is about to be stored is held against what is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, get_args, runtime_checkable

import msgspec

from indexes.enrichment import enriched
from ledger.errors import InvalidField, LedgerError
from ledger.events import MemoryContent, Remembered
from ledger.ids import MemoryId, Position
from mnemolog.home import Home
from policies.conflicts import Finding, Party, counted, statement, tempered
from policies.contradictions import Contradiction, Statement
from policies.resolving import choose_resolution
from recall.items import parts
from recall.match import Vector
from recall.neighbours import Neighbour, Neighbours

Checking = Literal["check", "off"]
"""Whether what is stored is held against what is there, to find contradictions."""

CHECKING: tuple[Checking, ...] = get_args(Checking)
_EMBEDDED_AT_ONCE = 64
_TRIES = 32
_FAILURES = 3


@runtime_checkable
class Reader(Protocol):
    """A judge that can tell beforehand which texts state nothing that it could judge."""

    def reads(self, text: str) -> bool:
        """Whether a text states anything that another one could contradict."""
        ...


class Known(NamedTuple):
    """A memory to compare with: one that is stored, or an earlier one of the same batch."""

    party: Party
    stored: bool


class Check:
    """The contradiction check of one command, over all tries of it.

    What a judge said of two memories it is not asked again. Where more than 64
    memories wait to be embedded, they are compared with by their words alone: a
    thousand are stored without waiting for their vectors.
    """

    def __init__(self, home: Home, space: str, count: int) -> None:
        self._home = home
        self._space = space
        self._judge = home.judge
        self._by_meaning = count <= _EMBEDDED_AT_ONCE
        self._said: dict[tuple[Statement, Statement | MemoryId], Contradiction | None] = {}
        self._tries = self._failures = 0
        self._start(Position(0))

    def _start(self, position: Position) -> None:
        self._position = position
        self._candidates: Neighbours | None = None
        self._known: dict[int, Known] = {}
        self._places: dict[MemoryId, int] = {}
        self._gone: set[MemoryId] = set()
        self._unreadable: str | None = None
        self.touched: list[MemoryId] = []
        self.warnings: dict[MemoryId, list[str]] = {}

    def begin(self, position: Position) -> None:
        """Begin another try, as of a position."""
        self._start(position)
        self._tries += 1

    def guard(self) -> tuple[str, Position] | None:
        """The space to which nothing may be appended after a position, for the findings to hold.

        None if nothing was looked for, or if others were first too often: what they
        stored last is then not compared with, and `warnings` tell of it.
        """
        if self._candidates is None:
            return None
        if self._tries < _TRIES:
            return self._space, self._position
        for known in self._known.values():
            if not known.stored:
                self._warn(known.party, "it was not held against what was stored at the same time")
        return None

    def findings(
        self,
        memory_id: MemoryId,
        payload: tuple[Remembered, MemoryContent],
        instant: int,
        replaced: Sequence[MemoryId],
    ) -> tuple[Party, list[Finding]]:
        """What a new memory contradicts, and how that is resolved; itself as a party.

        What it replaces anyway is not compared with. A judge that fails keeps
        nothing from being stored: `warnings` tell of it.
        """
        structure, content = payload
        new = Party(
            memory_id, statement(structure, content, instant), immutable=structure.immutable
        )
        found: list[Finding] = []
        if self._states_something(new):
            try:
                found = self._held_against(new, structure, content, replaced)
            except LedgerError as error:
                # Damage to the log, say: it is reported by whatever reads it, and looking
                # again for every item of a batch would take long.
                self._unreadable = f"it was not held against what is there: {error}"
                self._warn(new, self._unreadable)
        self._leave_out(new, found, replaced)
        return new, found

    def _states_something(self, new: Party) -> bool:
        """Whether there is anything to ask the judge about a text."""
        if self._failures >= _FAILURES:
            self._warn(new, f"contradictions were not looked for: {self._judge.name} failed before")
            return False
        if self._unreadable is not None:
            self._warn(new, self._unreadable)
            return False
        if not isinstance(self._judge, Reader):
            return True
        try:
            return bool(self._judge.reads(new.statement.text))
        except Exception as error:  # noqa: BLE001 - a port: whatever it raises, nothing is lost
            self._failed(new, error)
            return False

    def _held_against(
        self,
        new: Party,
        structure: Remembered,
        content: MemoryContent,
        replaced: Sequence[MemoryId],
    ) -> list[Finding]:
        candidates = self._begun()
        text = "\n".join([content.text, *content.aliases])
        vector = self._vector(enriched(content.text, structure.place, structure.category))
        found = []
        for candidate, old in self._olds(candidates.of(text, vector)):
            if old.party.memory_id in self._gone or old.party.memory_id in replaced:
                continue
            if self._failures >= _FAILURES:
                break
            said = self._asked(new, old)
            if said is None:
                continue
            choice = choose_resolution(said, new.statement, old.party.statement)
            choice = tempered(choice, new, old.party)
            found.append(Finding(old.party, said, choice, self._judge.name, candidate.similarity))
            if old.stored:
                self.touched.append(old.party.memory_id)
        ordinal = candidates.add(text, vector)
        self._known[ordinal] = Known(new, stored=False)
        self._places[new.memory_id] = ordinal
        return counted(found)

    def _begun(self) -> Neighbours:
        """The memories of the space, looked up at the first text that states something."""
        if self._candidates is None:
            index = self._home.index(self._space)
            try:
                most = _EMBEDDED_AT_ONCE if self._by_meaning else -1
                state = index.words_at(self._position, most)
            except Exception:  # noqa: BLE001 - a port; whatever else it is, it is met again
                self._by_meaning = False
                state = index.words_at(self._position, -1)
            self._candidates = Neighbours(state, self._position, self._home.parts.analyzer)
        return self._candidates

    def _vector(self, text: str) -> Vector | None:
        if not self._by_meaning:
            return None
        try:
            vector: Vector = self._home.parts.embedder.embed([text])[0]
        except Exception:  # noqa: BLE001 - a port: what it raises, the next question tells
            self._by_meaning = False
            return None
        return vector

    def _olds(self, candidates: Sequence[Neighbour]) -> list[tuple[Neighbour, Known]]:
        """The candidates as parties, those that are stored read from the log."""
        begun = self._begun()
        unread = {
            begun.position(one.ordinal): one.ordinal
            for one in candidates
            if one.ordinal not in self._known
        }
        for event in self._home.log.events_at(list(unread)):
            structure, content = parts(event)
            if content is None or event.memory_id is None:
                continue
            said = statement(structure, content, event.recorded_at)
            party = Party(event.memory_id, said, immutable=structure.immutable)
            self._known[unread[event.position]] = Known(party, stored=True)
            self._places[event.memory_id] = unread[event.position]
        return [(one, self._known[one.ordinal]) for one in candidates if one.ordinal in self._known]

    def _asked(self, new: Party, old: Known) -> Contradiction | None:
        # Ids of new memories change from try to try, and the instant; what they say does not.
        theirs = old.party.memory_id if old.stored else _timeless(old.party.statement)
        asked = (_timeless(new.statement), theirs)
        if asked not in self._said:
            try:
                self._said[asked] = self._judged(new, old.party)
            except Exception as error:  # noqa: BLE001 - as above
                self._failed(new, error)
                return None
        return self._said[asked]

    def _judged(self, new: Party, old: Party) -> Contradiction | None:
        """What the judge says. Raises `TypeError` or `ValueError` for what is no judgement."""
        said = self._judge.judge(new.statement, old.statement)
        if said is not None and not isinstance(said, Contradiction):
            raise TypeError(f"it gave a {type(said).__name__}")
        # Its fields too: a word that the vocabulary does not know would be stored for good.
        return said and msgspec.convert(msgspec.to_builtins(said), Contradiction)

    def _failed(self, new: Party, error: Exception) -> None:
        self._failures += 1
        problem = str(error) or type(error).__name__
        self._warn(new, f"not all was looked through: {self._judge.name} failed: {problem}")

    def _warn(self, new: Party, warning: str) -> None:
        told = self.warnings.setdefault(new.memory_id, [])
        if warning not in told:
            told.append(warning)

    def _leave_out(
        self, new: Party, found: Sequence[Finding], replaced: Sequence[MemoryId]
    ) -> None:
        """Compare the rest of the batch no more with what was retired."""
        gone = [*replaced]
        for finding in found:
            outcome = finding.choice.outcome
            gone += [finding.old.memory_id] if outcome == "superseded" else []
            gone += [new.memory_id] if outcome == "outdated" else []
        self._gone.update(gone)
        for memory_id in gone:
            if self._candidates is not None and memory_id in self._places:
                self._candidates.leave_out(self._places[memory_id])


def _timeless(said: Statement) -> Statement:
    return msgspec.structs.replace(said, said_at=0)


def checked_checking(field: str, value: str | None) -> Checking | None:
    """Whether to check, by name. Raises `InvalidField` for what is no such word."""
    for known in CHECKING:
        if value == known:
            return known
    if value is None:
        return None
    raise InvalidField(field, f"{value!r} is unknown", f"use one of {', '.join(CHECKING)}")
