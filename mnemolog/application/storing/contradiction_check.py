"""Contradiction check of new memories against stored ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from mnemolog.application.commands.consulting import (
    ComparedMemory,
    Consulted,
    Failure,
    Judging,
    attempt,
)
from mnemolog.application.home.home import Home
from mnemolog.indexes.enrichment import enriched
from mnemolog.ledger.errors import InvalidField, LedgerError
from mnemolog.ledger.events import Event, MemoryContent, Outcome, Remembered
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Quiet
from mnemolog.policies.contradictions.judge import Choice, Contradiction, choose_resolution
from mnemolog.policies.contradictions.settlement import (
    ContradictionFinding,
    Party,
    counted,
    statement,
    tempered,
)
from mnemolog.policies.corrections.targets import RETRACTION
from mnemolog.recall.answers.items import parts
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.neighbours import Neighbour, Neighbours

Checking = Literal["check", "off"]
"""Whether what is stored is held against what is there, to find contradictions."""

CHECKING: tuple[Checking, ...] = get_args(Checking)
_EMBEDDED_AT_ONCE = 64
_TRIES = 32


class Check:
    """Contradiction check of one command, over all tries of it.

    If the command stores more than 64 memories, the comparison uses words alone. The same
    holds for stored memories while more than 64 of them await embedding. So a thousand are
    stored without waiting for their vectors.
    """

    def __init__(self, home: Home, space: str, count: int, consulted: Consulted) -> None:
        self._home = home
        self._space = space
        self._judging = Judging(consulted)
        self._by_meaning = count <= _EMBEDDED_AT_ONCE
        self._tries = 0
        self._start(Position(0))

    def _start(self, position: Position) -> None:
        self._position = position
        self._candidates: Neighbours | None = None
        self._known: dict[int, ComparedMemory] = {}
        self._places: dict[MemoryId, int] = {}
        self._gone: set[MemoryId] = set()
        self._unreadable: str | None = None
        self.touched: list[MemoryId] = []

    @property
    def warnings(self) -> dict[MemoryId, list[str]]:
        """Warnings about skipped comparisons, per memory to store."""
        return self._judging.warnings

    def begin(self, position: Position) -> None:
        """Reset for another try, as of a position."""
        self._start(position)
        self._judging.begin()
        self._tries += 1

    def guard(self) -> Quiet | None:
        """Append condition: no event in the space after the position, so that the findings hold.

        None if nothing was compared, or after too many lost races: then the memories stored
        last are not compared with, and `warnings` report it.
        """
        if self._candidates is None:
            return None
        if self._tries < _TRIES:
            return Quiet(self._space, self._position)
        for known in self._known.values():
            if not known.stored:
                self._judging.warn(
                    known.party, "it was not held against what was stored at the same time"
                )
        return None

    def findings(
        self,
        new: Party,
        payload: tuple[Remembered, MemoryContent],
        replaced: Sequence[MemoryId],
    ) -> list[ContradictionFinding]:
        """Contradictions of a new memory with known ones, and their resolutions.

        Memories in `replaced` are not compared with. If the judge fails, the memory is
        stored all the same, and `warnings` report it.
        """
        structure, content = payload
        found: list[ContradictionFinding] = []
        if self._states_something(new):
            try:
                found = self._held_against(new, structure, content, replaced)
            except LedgerError as error:
                # For example a damaged log: every reader reports it, and a new attempt for
                # every item of a batch would take long.
                self._unreadable = f"it was not held against what is there: {error}"
                self._judging.warn(new, self._unreadable)
        self._leave_out(new, found, replaced)
        return found

    def heard(
        self,
        new: Party,
        others: Sequence[MemoryId],
        outcome: Outcome,
        retracted: Contradiction | None,
    ) -> list[ContradictionFinding]:
        """Contradictions of a new memory with those that it supersedes, or that supersede it.

        The judge classifies each; where it finds none, `retracted` applies, which the memory's
        own words state. The `outcome` is decided already.
        """
        known = self._home.log.positions_of([EventId(one) for one in others])
        found = []
        for event in self._home.log.events_at(list(known.values())):
            old = _stored(event)
            if old is None:
                continue
            said = self._judging.asked(new, old) if self._states_something(new) else None
            judge = self._judging.name if said is not None else RETRACTION
            said = said or retracted
            if said is not None:
                told = "The newer one stands" if outcome == "superseded" else "It was said before"
                choice = Choice("recency", outcome, f"{said.reason} {told}.")
                found.append(ContradictionFinding(old.party, said, choice, judge))
        return found

    def _states_something(self, new: Party) -> bool:
        """True if a text states something to judge."""
        if self._unreadable is not None:
            self._judging.warn(new, self._unreadable)
            return False
        return self._judging.reads(new)

    def _held_against(
        self,
        new: Party,
        structure: Remembered,
        content: MemoryContent,
        replaced: Sequence[MemoryId],
    ) -> list[ContradictionFinding]:
        candidates = self._begun()
        text = "\n".join([content.text, *content.aliases])
        vector = self._vector(enriched(content.text, structure.place, structure.category))
        found = []
        for candidate, old in self._olds(candidates.of(text, vector)):
            if old.party.memory_id in self._gone or old.party.memory_id in replaced:
                continue
            if self._judging.given_up:
                break
            said = self._judging.asked(new, old)
            if said is None:
                continue
            choice = choose_resolution(said, new.statement, old.party.statement)
            choice = tempered(choice, new, old.party)
            found.append(
                ContradictionFinding(
                    old.party, said, choice, self._judging.name, candidate.similarity
                )
            )
            if old.stored:
                self.touched.append(old.party.memory_id)
        ordinal = candidates.add(text, vector)
        self._known[ordinal] = ComparedMemory(new, stored=False)
        self._places[new.memory_id] = ordinal
        return counted(found)

    def _begun(self) -> Neighbours:
        """Neighbours index of the space, opened at the first text that states something."""
        if self._candidates is None:
            index = self._home.index(self._space)
            most = _EMBEDDED_AT_ONCE if self._by_meaning else -1
            state = attempt(lambda: index.words_at(self._position, most))
            if isinstance(state, Failure):
                # If the cause is not the embedder, the error recurs here.
                self._by_meaning = False
                state = index.words_at(self._position, -1)
            self._candidates = Neighbours(state, self._position, self._home.parts.analyzer)
        return self._candidates

    def _vector(self, text: str) -> Vector | None:
        if not self._by_meaning:
            return None
        embedder = self._home.parts.embedder
        vector: Vector | Failure = attempt(lambda: embedder.embed([text])[0])
        if isinstance(vector, Failure):
            # The next question reports the embedder's error.
            self._by_meaning = False
            return None
        return vector

    def _olds(self, candidates: Sequence[Neighbour]) -> list[tuple[Neighbour, ComparedMemory]]:
        """Candidates as parties; stored ones are read from the log."""
        begun = self._begun()
        unread = {
            begun.position(one.ordinal): one.ordinal
            for one in candidates
            if one.ordinal not in self._known
        }
        for event in self._home.log.events_at(list(unread)):
            old = _stored(event)
            if old is None:
                continue
            self._known[unread[event.position]] = old
            self._places[old.party.memory_id] = unread[event.position]
        return [(one, self._known[one.ordinal]) for one in candidates if one.ordinal in self._known]

    def _leave_out(
        self, new: Party, found: Sequence[ContradictionFinding], replaced: Sequence[MemoryId]
    ) -> None:
        """Exclusion of retired memories from the comparisons with the rest of the batch."""
        gone = [*replaced]
        for finding in found:
            outcome = finding.choice.outcome
            gone += [finding.old.memory_id] if outcome == "superseded" else []
            gone += [new.memory_id] if outcome == "outdated" else []
        self._gone.update(gone)
        for memory_id in gone:
            if self._candidates is not None and memory_id in self._places:
                self._candidates.leave_out(self._places[memory_id])


def _stored(event: Event) -> ComparedMemory | None:
    """Stored memory as a party; None if its content is gone."""
    structure, content = parts(event)
    if content is None or event.memory_id is None:
        return None
    said = statement(structure, content, event.recorded_at)
    return ComparedMemory(Party(event.memory_id, said, immutable=structure.immutable), stored=True)


def checked_checking(field: str, value: str | None) -> Checking | None:
    """Contradiction check mode by name. Raises `InvalidField` for an unknown name."""
    for known in CHECKING:
        if value == known:
            return known
    if value is None:
        return None
    raise InvalidField(field, f"{value!r} is unknown", f"use one of {', '.join(CHECKING)}")
