"""What a decision on the way in comes to: the events that persist, reinforce, buffer or drop."""

from __future__ import annotations

import builtins
from collections.abc import Callable

from ledger.errors import EventIdTaken
from ledger.events import (
    VOCABULARY,
    Admitted,
    Buffered,
    Draft,
    Dropped,
    Event,
    MemoryContent,
    Met,
    Recalled,
    Reinforced,
    Scores,
)
from ledger.ids import EventId, MemoryId, new_event_ids, parse_id
from ledger.rows import as_draft
from mnemolog.drafting import Author, draft
from mnemolog.entrance import Applicant, Entrance, Known
from mnemolog.fading import fading_of
from mnemolog.hearing import Heard
from mnemolog.home import Home
from mnemolog.judging import Failure, attempt
from mnemolog.naming import Cut
from mnemolog.storing import Entered
from mnemolog.undo import command_events
from policies.corrections import Decision
from policies.forgetting import Fading, decide_use
from policies.memories import NewMemory, remembered
from policies.weights import ENTERED_WEIGHT, reinforced
from projections.deletions import fingerprint
from recall.items import moment

Store = Callable[[Heard, Author, Entered], tuple[builtins.list[Draft], builtins.list[MemoryId]]]
"""The events that storing what was heard comes to, and the memories that was decided on."""


class Entering:
    """One try of a command by which content enters: its events, one content after the other.

    `touched` are the memories that were there before on which it was decided.
    """

    def __init__(self, home: Home, entrance: Entrance, cut: Cut, limit: int, store: Store) -> None:
        self._home = home
        self._entrance = entrance
        self._cut = cut
        self._limit = limit
        self._store = store
        self._fading: dict[MemoryId, Fading] = {}
        self.touched: builtins.list[MemoryId] = []

    def persist(self, one: Applicant, heard: Heard, scores: Scores) -> builtins.list[Draft]:
        """The events that store content as a memory, light and with a summary."""
        short = attempt(lambda: self._home.summarizer.summary(one.item.content))
        whole = isinstance(short, Failure) or short.strip() == one.item.content.strip()
        entered = Entered(ENTERED_WEIGHT, None if isinstance(short, Failure) or whole else short)
        batch, decided_on = self._store(heard, one.author, entered)
        self.touched += decided_on
        memory_id = MemoryId(batch[0].event_id)
        (own_id,) = new_event_ids(1, self._cut.instant)
        told = Decision(Admitted(scores, one.of), memory_id)
        batch.append(draft(told, one.author, own_id, batch[0].event_id))
        structure, content = remembered(one.item, self._limit)
        known = Known(memory_id, structure, content, self._cut.instant, ENTERED_WEIGHT)
        self._entrance.let_in(known, one.vector)
        for event in batch:
            if event.kind == "superseded" and event.memory_id is not None:
                # Perhaps the content itself: what it says was corrected before.
                self._entrance.leave_out(event.memory_id)
        return batch

    def reinforce(self, one: Applicant, known: Known, scores: Scores) -> builtins.list[Draft]:
        """The events that add to the weight of a memory, and bring it back if it has faded."""
        weight = known.weight if known.structure.immutable else reinforced(known.weight)
        self._entrance.weigh(known.memory_id, weight)
        told = Reinforced(weight, scores, one.of)
        decisions = [Decision(told, known.memory_id, Met(self._digest(one)))]
        if self._entrance.is_stored(known.memory_id):
            self.touched.append(known.memory_id)
            decisions += self._met_again(known.memory_id, one.author.space)
        return self._drafts(one, decisions)

    def buffer(self, one: Applicant, scores: Scores) -> builtins.list[Draft]:
        """The event that lets content wait."""
        structure, content = remembered(one.item, self._limit)
        return self._drafts(one, [Decision(Buffered(structure, scores), None, content)])

    def drop(self, one: Applicant, scores: Scores) -> builtins.list[Draft]:
        """The event that keeps nothing of content but what it scored, and a keyed digest."""
        return self._drafts(one, [Decision(Dropped(scores, self._digest(one), one.of), None)])

    def _met_again(self, memory_id: MemoryId, space: str) -> builtins.list[Decision]:
        """What being met again does to a memory's strength: the same as being of use."""
        fading, pace = fading_of(self._home, space, [memory_id], self._cut.position)
        held = [self._fading.get(one.memory_id, one) for one in fading]
        if not held:
            return []
        decisions, after = decide_use(Recalled((memory_id,), self._cut.instant), held, pace)
        self._fading.update((one.memory_id, one) for one in after)
        return decisions

    def _drafts(self, one: Applicant, decisions: builtins.list[Decision]) -> builtins.list[Draft]:
        ids = [*new_event_ids(len(decisions), self._cut.instant)]
        if one.item.id is not None:
            ids[0] = EventId(parse_id("id", one.item.id))
        return [
            draft(decision, one.author, own_id, ids[0] if place else None)
            for place, (decision, own_id) in enumerate(zip(decisions, ids, strict=True))
        ]

    def _digest(self, one: Applicant) -> str:
        return fingerprint(self._home.log.secret, one.item.content)


def met_before(home: Home, space: str, item: NewMemory) -> builtins.list[Draft]:
    """The events of an earlier try under an item's id, to be met again; none if there was none.

    Raises `EventIdTaken` if something else has the id.
    """
    if item.id is None:
        return []
    log = home.log
    event_id = EventId(parse_id("id", item.id))
    for event in log.events_at([*log.positions_of([event_id]).values()]):
        command = command_events(log, event)
        if (
            event.space != space
            or event.causation_id is not None
            or not _is_about(home, command, item.content)
        ):
            raise EventIdTaken(event_id, event.position)
        return [as_draft(one) for one in command]
    return []


def _is_about(home: Home, command: builtins.list[Event], text: str) -> bool:
    """Whether a command decided about a text, as far as what is left of it tells."""
    if _DECISIONS.isdisjoint(event.kind for event in command):
        return False
    decoded = VOCABULARY.decode(command[0])
    structure, content = decoded.structure, decoded.content
    if isinstance(structure, Dropped):
        return structure.digest == fingerprint(home.log.secret, text)
    if isinstance(content, Met):
        return content.digest == fingerprint(home.log.secret, text)
    return command[0].erased or (isinstance(content, MemoryContent) and content.text == text)


_DECISIONS = frozenset({"admitted", "reinforced", "buffered", "dropped"})


def scores_of_event(event: Event) -> Scores | None:
    """What content scored when it came into the buffer."""
    structure = VOCABULARY.structure(event)
    return structure.scores if isinstance(structure, Buffered) else None


def item_of(event: Event) -> NewMemory | None:
    """The memory that content in the buffer would be; None if it is redacted."""
    decoded = VOCABULARY.decode(event)
    structure, content = decoded.structure, decoded.content
    if not isinstance(structure, Buffered) or not isinstance(content, MemoryContent):
        return None
    if structure.memory is None:
        return None
    said = structure.memory
    return NewMemory(
        content.text,
        kind=said.kind,
        category=said.category,
        source=said.source,
        source_note=content.source_note,
        source_type=said.source_type,
        source_confidence=said.source_confidence,
        extraction_method=said.extraction_method,
        extraction_confidence=said.extraction_confidence,
        place=said.place,
        tags=content.tags,
        aliases=content.aliases,
        snippet=content.snippet,
        constraint=said.constraint,
        evidence=said.evidence,
        # Said when it was submitted: what was told since is the newer of the two.
        valid_from=moment(event.recorded_at if said.valid_from is None else said.valid_from),
        valid_until=moment(said.valid_until),
        importance=said.importance,
        volatility=said.volatility,
        marks=said.marks,
    )
