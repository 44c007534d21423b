"""Retired memories of a space, kept in memory to recognise restatements."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence

from mnemolog.application.home.home import Home
from mnemolog.language.speakers import spoken
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.projections.memory_queries import redacted_after, superseded_after
from mnemolog.recall.answers.items import parts

_SHARED, _MOST_NEAR = 0.5, 100
_LONGEST = 20_000
"""Characters of a text that is known again in other words; a longer one is known by all of them."""


class Retired:
    """Cache of the superseded texts of a space up to a position, shared by several threads.

    Redacted texts leave memory at the next call of `near`.
    """

    def __init__(self, home: Home, space: str) -> None:
        self._home, self._space = home, space
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._reached = Position(0)
        self._generation = self._home.views.generation
        self._texts: dict[MemoryId, str] = {}
        self._holding: dict[str, list[MemoryId]] = {}

    def near(self, text: str, position: Position) -> dict[MemoryId, str]:
        """Retired memories that share half of a text's content words, with their texts.

        At most 100, those with the most shared words. A long text matches equal texts only.
        """
        with self._lock:
            self._catch_up(position)
            if not self._texts:
                return {}
            if len(text) > _LONGEST:
                return {one: known for one, known in self._texts.items() if known == text}
            own = _keys(text)
            shared = Counter(one for key in own for one in self._holding.get(key, ()))
            most = shared.most_common(_MOST_NEAR)
            near = [one for one, count in most if count >= _SHARED * len(own)]
            return {one: self._texts[one] for one in near}

    def _catch_up(self, position: Position) -> None:
        """Read the memories superseded or redacted since the last call."""
        views = self._home.views
        if self._generation != views.generation:
            # A new generation may belong to another log, which a restore put in place.
            self._forget()
        since = self._reached
        if position <= since:
            return
        for one in views.read(lambda db: redacted_after(db, self._space, since)):
            text = self._texts.pop(one, None)
            for key in () if text is None else _keys(text):
                self._holding[key].remove(one)
        olds = views.read(lambda db: superseded_after(db, self._space, since))
        fresh = [one for one in dict.fromkeys(olds) if one not in self._texts]
        for event in events_of(self._home, fresh):
            _, content = parts(event)
            if content is not None:
                one = MemoryId(event.event_id)
                self._texts[one] = content.text
                for key in _keys(content.text):
                    self._holding.setdefault(key, []).append(one)
        # Set last: after a failed read, the next call tries again.
        self._reached = position


def _keys(text: str) -> set[str]:
    """Content words that index a retired text; none for a long text."""
    if len(text) > _LONGEST:
        return set()
    from mnemolog.policies.corrections.terms import content_words  # noqa: PLC0415 - heavy

    return content_words(spoken(text)[1])


def events_of(home: Home, memory_ids: Sequence[MemoryId]) -> list[Event]:
    """`remembered` events of these memories, in log order."""
    known = home.log.positions_of([EventId(one) for one in memory_ids])
    return home.log.events_at(list(known.values()))
