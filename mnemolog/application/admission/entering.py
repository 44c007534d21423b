"""Events of admission decisions: persist, reinforce, buffer or drop."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import partial

import msgspec

from mnemolog.application.admission.evidence import Applicant, Entrance
from mnemolog.application.admission.known import StoredMemory
from mnemolog.application.admission.retries import digest_of
from mnemolog.application.commands.consulting import Consulted, Failure
from mnemolog.application.commands.drafts import draft
from mnemolog.application.commands.overdue_falls import falls_before_use
from mnemolog.application.home.elapsed import believed, present
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Author, Cut
from mnemolog.application.questions.fading import fading_of
from mnemolog.application.storing.passing_corrections import Heard
from mnemolog.application.storing.store import Entered
from mnemolog.ledger.events import (
    Admitted,
    Buffered,
    Draft,
    Dropped,
    Met,
    Reinforced,
    Scores,
)
from mnemolog.ledger.ids import EventId, MemoryId, new_event_ids, parse_id
from mnemolog.policies.memories import instant
from mnemolog.policies.retention.forgetting import (
    ENTERED_WEIGHT,
    Fading,
    decide_use,
    reinforced_weight,
    use_of,
)
from mnemolog.policies.supersession import Decision

Store = Callable[[Heard, Author, Entered], tuple[builtins.list[Draft], builtins.list[MemoryId]]]
"""Stores checked content: returns its events and the memories that they depend on."""


class Entering:
    """Events of one attempt of an admission command, one content after another.

    A stored memory has the actor of its content; the decisions have the actor `by`. `touched`
    are the memories, stored before the command, that the decisions depend on.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - scope, cut and actor
        self,
        home: Home,
        entrance: Entrance,
        cut: Cut,
        by: str,
        store: Store,
        consulted: Consulted,
    ) -> None:
        self._home = home
        self._consulted = consulted
        self._entrance = entrance
        self._cut = cut
        self._by = by
        self._store = store
        self._fading: dict[MemoryId, Fading] = {}
        self.touched: builtins.list[MemoryId] = []

    def persist(self, one: Applicant, heard: Heard, scores: Scores) -> builtins.list[Draft]:
        """Events that store content as a memory, with low weight and a summary."""
        short = self._consulted.summary(one.item.content)
        whole = isinstance(short, Failure) or short.strip() == one.item.content.strip()
        entered = Entered(ENTERED_WEIGHT, None if isinstance(short, Failure) or whole else short)
        stored, decided_on = self._store(heard, one.author, entered)
        batch = [
            stored[0],
            *(msgspec.structs.replace(event, actor=self._by) for event in stored[1:]),
        ]
        self.touched += decided_on
        memory_id = MemoryId(batch[0].event_id)
        (own_id,) = new_event_ids(1, self._cut.instant)
        told = Decision(Admitted(scores, one.of), memory_id)
        batch.append(draft(told, self._decider(one), own_id, batch[0].event_id))
        structure, content = one.submission
        # Content was said when it was submitted, which may be earlier than now.
        began = instant("valid_from", one.item.valid_from)
        structure = msgspec.structs.replace(structure, valid_from=began)
        actor, now = one.author.actor, self._cut.instant
        known = StoredMemory(memory_id, structure, content, actor, now, ENTERED_WEIGHT)
        self._entrance.let_in(known, one.vector)
        for event in batch:
            if event.kind == "superseded" and event.memory_id is not None:
                # May be the content itself, if an earlier correction already supersedes it.
                self._entrance.leave_out(event.memory_id)
        return batch

    def reinforce(
        self, one: Applicant, known: StoredMemory, scores: Scores
    ) -> builtins.list[Draft]:
        """Events that raise a memory's weight, and restore its tier if it has faded."""
        weight = known.weight if known.structure.immutable else reinforced_weight(known.weight)
        self._entrance.weigh(known.memory_id, weight)
        told = Reinforced(weight, scores, one.of)
        decisions = [Decision(told, known.memory_id, Met(self._digest(one)))]
        if self._entrance.is_stored(known.memory_id):
            self.touched.append(known.memory_id)
            decisions += self._met_again(known.memory_id, one.author.space)
        return self._drafts(one, decisions)

    def buffer(self, one: Applicant, scores: Scores) -> builtins.list[Draft]:
        """Event that puts content in the buffer."""
        structure, content = one.submission
        return self._drafts(one, [Decision(Buffered(structure, scores), None, content)])

    def drop(self, one: Applicant, scores: Scores) -> builtins.list[Draft]:
        """Event that drops content and keeps only its scores and a keyed digest."""
        return self._drafts(one, [Decision(Dropped(scores, self._digest(one), one.of), None)])

    def _met_again(self, memory_id: MemoryId, space: str) -> builtins.list[Decision]:
        """Decisions that strengthen a memory that occurred again, the same as a use."""
        fading, pace = fading_of(self._home, space, [memory_id], self._cut.position)
        held = [self._fading.get(one.memory_id, one) for one in fading]
        if not held:
            return []
        known_until = believed(self._home, space, self._cut)
        recalled = use_of(held[0], pace, present(self._home, self._cut), known_until)
        fell = partial(falls_before_use, self._home, self._consulted)
        decisions, after = decide_use(recalled, held, pace, known_until, fell)
        self._fading.update((one.memory_id, one) for one in after)
        return decisions

    def _drafts(self, one: Applicant, decisions: builtins.list[Decision]) -> builtins.list[Draft]:
        ids = [*new_event_ids(len(decisions), self._cut.instant)]
        if one.item.id is not None:
            ids[0] = EventId(parse_id("id", one.item.id))
        return [
            draft(decision, self._decider(one), own_id, ids[0] if place else None)
            for place, (decision, own_id) in enumerate(zip(decisions, ids, strict=True))
        ]

    def _decider(self, one: Applicant) -> Author:
        """Author of the decision: the actor `by`, in the run of the content."""
        return msgspec.structs.replace(one.author, actor=self._by)

    def _digest(self, one: Applicant) -> str:
        return digest_of(self._home.log.secret, one.submission)
