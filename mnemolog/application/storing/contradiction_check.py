"""Contradiction check of new memories against stored ones."""

from collections.abc import Sequence
from itertools import compress
from typing import Literal, get_args

from msgspec.structs import replace

from mnemolog.application.commands.consulting import (
    Answer,
    ComparedMemory,
    Consulted,
    Failure,
    Verdict,
    attempt,
)
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import events_of
from mnemolog.indexes.embedder import enriched
from mnemolog.ledger.errors import InvalidField, LedgerError
from mnemolog.ledger.events import Event, MemoryContent, Remembered, Superseded
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Quiet
from mnemolog.policies.contradictions import judge
from mnemolog.policies.contradictions.fitted import tempered_by_others
from mnemolog.policies.contradictions.judge import (
    CERTAIN,
    Choice,
    Contradiction,
    ContradictionFinding,
    Party,
    choose_resolution,
)
from mnemolog.policies.supersession import Decision
from mnemolog.recall.items import parts
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.neighbours import Neighbour, Neighbours

Checking = Literal["check", "off"]  # whether new memories are compared with stored ones
Olds = Sequence[MemoryId]
Rest = tuple[MemoryId, str]

EMBEDDED_AT_ONCE = 64
_RELATED = 0.4  # Least cosine of texts of which one may retire the other unasked
_UNSURE = 0.5  # Most confidence in others: a settlement is offered
_TRIES = 32
_FAILURES = 3


class Check:
    """Contradiction check of one command, over all tries of it.

    If the command stores more than 64 memories, or more than 64 stored ones await embedding, the
    comparison uses words alone, without waiting for vectors; of more than 64, the built-in judge
    judges by rules alone. After three failures in one try the
    judge is not asked again. `warnings` are those about skipped comparisons and about another judge
    than the named one, per memory to store; `touched` are the stored memories that findings are
    about.
    """

    def __init__(self, home: Home, space: str, count: int, consulted: Consulted) -> None:
        self._home, self._space, self._consulted = home, space, consulted
        self._by_meaning = count <= EMBEDDED_AT_ONCE
        self._tries = -1
        self.begin(Position(0))

    def begin(self, position: Position) -> None:
        """Reset for another try, as of a position; it meets the cached failures again."""
        self._tries += 1
        self._position = position
        self._failures = 0
        self._candidates: Neighbours | None = None
        self._known: dict[int, ComparedMemory] = {}
        self._places: dict[MemoryId, int] = {}
        self._gone: set[MemoryId] = set()
        self._unreadable: str | None = None
        self.touched: list[MemoryId] = []
        self.warnings: dict[MemoryId, list[str]] = {}
        self._skipped: set[MemoryId] = set()

    def judged(self, memory_id: MemoryId) -> bool:
        """True if a memory was compared with what is stored, in full."""
        return not self._consulted.quick and memory_id not in self._skipped

    def guard(self) -> Quiet | None:
        """Append condition: no event in the space after the position, so that the findings hold.

        None if nothing was compared, or after too many lost races: then the memories stored
        last are not compared with, and `warnings` report it.
        """
        if self._candidates is not None and self._tries < _TRIES:
            return Quiet(self._space, self._position)
        for known in self._known.values():
            if not known.stored:
                warning = "it was not held against what was stored at the same time"
                self._skip(known.party, warning)
        return None

    def outcomes(
        self,
        new: Party,
        payload: tuple[Remembered, MemoryContent],
        by: MemoryId | None,
        named: Olds,
    ) -> tuple[list[Decision], list[MemoryId], list[Rest]]:
        """Decisions on the contradictions of a new memory, what they supersede, and the rests.

        A rest is a superseded memory and a text with what of it still holds.
        It is not compared with those `named`, which it supersedes anyway, and with none if it is
        superseded `by` one. If the judge fails, the memory is stored all the same, and `warnings`
        report it.
        """
        if by is not None:
            told = judge.decide_outcomes(new, self._outdated_by(new, by))
            # The command that stores the memory supersedes it.
            return [one for one in told if not isinstance(one.structure, Superseded)], [], []
        findings: list[ContradictionFinding] = []
        replaced = [*named]
        if self._states_something(new):
            try:
                findings = self._compared_with(new, *payload, replaced)
            except LedgerError as error:
                # A damaged log, for example: do not try again for every item of a batch.
                self._unreadable = f"it was not held against what is there: {error}"
                self._skip(new, self._unreadable)
        retired = [one for one in findings if one.choice.outcome == "superseded"]
        olds = [one.old.memory_id for one in retired]
        rests = [(one.old.memory_id, kept) for one in retired if (kept := one.contradiction.kept)]
        # Retired memories are not compared with the rest of the batch.
        gone = {*replaced, *olds}
        if any(one.choice.outcome == "outdated" for one in findings):
            gone.add(new.memory_id)
        self._gone |= gone
        for memory_id in gone & self._places.keys():
            self._begun().leave_out(self._places[memory_id])
        return judge.decide_outcomes(new, findings), olds, rests

    def _outdated_by(self, new: Party, by: MemoryId) -> list[ContradictionFinding]:
        """Finding on the correction that supersedes a memory, if the judge sees a contradiction."""
        stored = [*filter(None, map(_stored, events_of(self._home, [by])))]
        if not stored or not self._states_something(new):
            return []
        verdict = self._judged(ComparedMemory(new, stored=False), stored[0])
        if verdict is None or (said := verdict.likely) is None:
            return []
        choice = Choice("recency", "outdated", f"{said.reason} It was said before.")
        return [ContradictionFinding(stored[0].party, said, choice, verdict.judge)]

    def _states_something(self, new: Party) -> bool:
        """True if a text states something to judge, and both log and judge are available."""
        if self._unreadable is not None:
            self._skip(new, self._unreadable)
            return False
        if self._failures >= _FAILURES:
            name = self._consulted.judge_name
            self._skip(new, f"contradictions were not looked for: {name} failed before")
            return False
        return self._answered(new, self._consulted.reads(new.statement.text)) or False

    def _judged(self, new: ComparedMemory, old: ComparedMemory) -> Verdict | None:
        verdict = self._answered(new.party, self._consulted.judged(new, old))
        if verdict is not None and verdict.note is not None:
            self._warn(new.party, verdict.note)
        return verdict

    def _answered(self, new: Party, said: Answer | Failure) -> Answer | None:
        """Answer of the judge; None, with a warning, if it failed."""
        if not isinstance(said, Failure):
            return said
        self._failures += 1
        name = self._consulted.judge_name
        self._skip(new, f"not all was looked through: {name} failed: {said.problem}")
        return None

    def _skip(self, new: Party, warning: str) -> None:
        self._skipped.add(new.memory_id)
        self._warn(new, warning)

    def _warn(self, new: Party, warning: str) -> None:
        told = self.warnings.setdefault(new.memory_id, [])
        if warning not in told:
            told.append(warning)

    def _compared_with(
        self, new: Party, structure: Remembered, content: MemoryContent, replaced: Olds
    ) -> list[ContradictionFinding]:
        candidates = self._begun()
        text = "\n".join([content.text, *content.aliases])
        vector = self._vector(enriched(content.text, structure.place, structure.category))
        judged: list[tuple[Neighbour, ComparedMemory, Verdict, Contradiction]] = []
        left = self._gone.union(replaced)
        compared = [
            (candidate, old)
            for candidate, old in self._olds(candidates, candidates.of(text, vector))
            if old.party.memory_id not in left
        ]
        likeliest = [old for _, old in compared[: self._consulted.at_once]]
        own = ComparedMemory(new, stored=False)
        self._consulted.prepare(own, likeliest)
        # Another judge may have taken over, which compares more or fewer.
        compared = compared[: self._consulted.at_once]
        comparable = self._consulted.comparable(own, [old for _, old in compared])
        for candidate, old in compress(compared, comparable):
            if self._failures >= _FAILURES:
                break
            verdict = self._judged(own, old)
            if verdict is not None and (said := verdict.likely) is not None:
                if said.confidence < 1 and (candidate.similarity or 1.0) < _RELATED:
                    # Two texts about different things: the judge has been wrong about such.
                    said = replace(said, confidence=min(said.confidence, _UNSURE))
                judged.append((candidate, old, verdict, said))
        found = []
        tempered = tempered_by_others([said for *_, said in judged], len(replaced))
        for (candidate, old, verdict, _), likely in zip(judged, tempered, strict=True):
            said = self._separated(own, old, likely)
            choice = choose_resolution(said, new.statement, old.party.statement)
            choice = judge.tempered(choice, said, new, old.party)
            likeness = candidate.similarity
            found.append(ContradictionFinding(old.party, said, choice, verdict.judge, likeness))
            if old.stored:
                self.touched.append(old.party.memory_id)
        ordinal = candidates.add(text, vector)
        self._known[ordinal] = own
        self._places[new.memory_id] = ordinal
        return judge.counted(found)

    def _separated(
        self, new: ComparedMemory, old: ComparedMemory, said: Contradiction
    ) -> Contradiction:
        """Contradiction with what is kept, which counts only if the old memory may be retired."""
        if said.confidence < CERTAIN:
            return said
        return replace(said, kept=self._consulted.kept(new, old, said))

    def _begun(self) -> Neighbours:
        """Neighbours index of the space, opened at the first text that states something."""
        if self._candidates is None:
            index = self._home.index(self._space)
            most = EMBEDDED_AT_ONCE if self._by_meaning else -1
            state = attempt(lambda: index.words_at(self._position, most))
            if isinstance(state, Failure):
                # If the cause is not the embedder, the error recurs here.
                self._by_meaning = False
                state = index.words_at(self._position, -1)
            self._candidates = Neighbours(state, self._position, self._home.parts.analyzer)
        return self._candidates

    def _vector(self, text: str) -> Vector | None:
        if self._by_meaning:
            embedder = self._home.parts.embedder
            vector: Vector | Failure = attempt(lambda: embedder.embed([text])[0])
            if not isinstance(vector, Failure):
                return vector
            self._by_meaning = False  # The next question reports the embedder's error.
        return None

    def _olds(
        self, begun: Neighbours, candidates: Sequence[Neighbour]
    ) -> list[tuple[Neighbour, ComparedMemory]]:
        fresh = [one.ordinal for one in candidates if one.ordinal not in self._known]
        if not fresh:
            return [(one, self._known[one.ordinal]) for one in candidates]
        unread = dict(zip(begun.positions(fresh), fresh, strict=True))
        for event in self._home.log.events_at(list(unread)):
            if (old := _stored(event)) is not None:
                self._known[unread[event.position]] = old
                self._places[old.party.memory_id] = unread[event.position]
        return [(one, self._known[one.ordinal]) for one in candidates if one.ordinal in self._known]


def _stored(event: Event) -> ComparedMemory | None:
    """Stored memory as a party; None if its content is gone."""
    structure, content = parts(event)
    if content is None or event.memory_id is None:
        return None
    said = judge.statement(structure, content, event.recorded_at)
    return ComparedMemory(judge.party(event.memory_id, said, structure), stored=True)


def check_mode(field: str, value: str | None) -> None:
    """Check of a contradiction check mode. Raises `InvalidField` for an unknown name."""
    known = get_args(Checking)
    if value is not None and value not in known:
        raise InvalidField(field, f"{value!r} is unknown", f"use one of {', '.join(known)}")
