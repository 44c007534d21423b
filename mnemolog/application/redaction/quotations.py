"""Quotations: notes, reasons, cues and buffered content that name a memory or repeat its words.

Four words in a row are a quotation if two of them are content words, that is, no stop words.
Where a text has no such row, all of it is: three words or more, one of them a content word.
A code is one by itself. Edges and summaries of other memories quote nothing: they are made
of those memories' own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from mnemolog.application.home.home import Home
from mnemolog.application.home.mentions import ids_in, naming
from mnemolog.application.home.space import Cut
from mnemolog.language.analysis import STOP_WORDS
from mnemolog.ledger.events import VOCABULARY, Event, MemoryContent
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.json_text import strings_of
from mnemolog.ledger.paging import LogRange, events_in, pages_in

_RUN = 4
"""How many words in a row are a quotation."""

_CONTENT_WORDS_OF_RUN = 2
_FEWEST_OF_WHOLE = 3
"""How many words a text needs to be quoted as a whole: two are as often a mere name."""

_CODE_LENGTH, _CODE_DIGITS = 6, 4

_TELLING_LENGTH = 3
_KEY_LENGTH, _KEY_CHARACTERS = 16, 8

_MOST_WORDS = 100_000
"""Memories of so many words are looked for in one reading: each word costs half a kilobyte."""

_WORD = re.compile(r"\w+")
_FREE_TEXT = tuple(
    name
    for name, kind in VOCABULARY.kinds.items()
    if kind.content is not None and name not in {"remembered", "reinforced"}
)
_NAMES_OTHERS = frozenset({"redacted", "buffered"})
"""Kinds whose own words are of something else, though they name a memory: they go if they quote."""

_OWN_WORDS = frozenset({"linked", "degraded"})
"""Kinds whose words are made of their own memory's: they quote no other, whatever they share."""


Words = tuple[str, ...]


class Rows:
    """Memories by rows of words of theirs."""

    def __init__(self) -> None:
        self._memories: dict[Words, set[EventId]] = {}
        self._lengths: set[int] = set()

    def add(self, words: Words, memory: EventId) -> None:
        """Note a row of words of a memory."""
        self._memories.setdefault(words, set()).add(memory)
        self._lengths.add(len(words))

    def equal(self, words: Words) -> set[EventId]:
        """The memories one of whose rows is all of a text."""
        return self._memories.get(words, set())

    def within(self, words: Words) -> set[EventId]:
        """The memories one of whose rows is in a text."""
        rows = _windows(words, self._lengths)
        return {one for row in rows for one in self._memories.get(row, ())}


class Quotations:
    """Tells of events whether their words are about some memories, or repeat theirs.

    `memories` are the events that stored them. A memory that says the same is one of its own.
    """

    def __init__(self, memories: Iterable[Event]) -> None:
        self._ids: dict[bytes, EventId] = {}
        self._wholes, self._telling, self._runs = Rows(), Rows(), Rows()
        for event in memories:
            one = event.event_id
            self._ids[one.encode()] = one
            for words in _words_of_memory(event):
                self._wholes.add(words, one)
                if _tells_as_a_whole(words) or any(map(_is_code, words)):
                    self._telling.add(words, one)
                for run in _runs(words):
                    self._runs.add(run, one)

    def includes(self, event: Event) -> bool:
        """Whether an event has words that are about the memories, or quote them."""
        return bool(self.of(event))

    def of(self, event: Event) -> set[EventId]:
        """The memories that an event's words are about, or quote."""
        found: set[EventId] = set()
        if event.content is None or event.kind not in _FREE_TEXT:
            return found
        if event.kind not in _NAMES_OTHERS:
            found.update(self._ids[one] for one in ids_in(event) if one in self._ids)
        if event.kind in _OWN_WORDS:
            return found
        for words in map(_words, strings_of(event.content)):
            if event.kind == "buffered":
                # All of a memory, and not by chance.
                found |= self._wholes.equal(words) | self._telling.within(words)
            else:
                found |= self._runs.within(words)
        return found


class QuotationScan:
    """What quotes memories of a space that are destroyed one after another.

    What the space says is read once for all that were expected, and what is appended
    later once it is asked about. One that nobody expected has a reading of its own.
    """

    def __init__(self, home: Home, space: str) -> None:
        self._home = home
        self._space = space
        self._known: set[EventId] = set()
        self._quotations = Quotations(())
        self._quoting: dict[EventId, list[Position]] = {}
        self._read = Position(0)

    def expects(self, memory_ids: Iterable[MemoryId]) -> bool:
        """Whether all of these memories were expected."""
        return self._known.issuperset(EventId(one) for one in memory_ids)

    def expect(self, memories: Sequence[Event]) -> None:
        """Look for what quotes these memories, in the place of those expected before.

        Of many words, for the first ones: the others are not expected.
        """
        memories = next(_in_batches(memories), [])
        self._known = {event.event_id for event in memories}
        self._quotations = Quotations(memories)
        self._quoting = {}
        self._read = Position(0)

    def quoting(self, memories: Sequence[Event], cut: Cut) -> list[Event]:
        """The events up to a moment that are about these memories, or quote them."""
        unexpected = [event for event in memories if event.event_id not in self._known]
        self._read_on()
        places = {at for one in memories for at in self._quoting.get(one.event_id, ())}
        found = self._home.log.events_at([at for at in sorted(places) if at <= cut.position])
        # As they are by now: another redaction may have taken their words.
        return [
            *(one for one in found if one.content is not None),
            *quoting(self._home, unexpected, cut),
        ]

    def _read_on(self) -> None:
        unread = LogRange(self._read, space=self._space, kinds=_FREE_TEXT)
        for page in pages_in(self._home.log, unread):
            for event in page:
                for one in self._quotations.of(event):
                    self._quoting.setdefault(one, []).append(event.position)
            self._read = page[-1].position


def quoting(home: Home, memories: Sequence[Event], cut: Cut) -> list[Event]:
    """The events up to a moment that are about memories of a space, or quote them.

    Reads what all events of that space say, but for its memories.
    """
    found: dict[Position, Event] = {}
    for batch in _in_batches(memories):
        quotations = Quotations(batch)
        for space in sorted({event.space for event in batch}):
            said = events_in(home.log, LogRange(Position(0), cut.position, space, _FREE_TEXT))
            found.update((one.position, one) for one in said if quotations.includes(one))
    return [*found.values()]


def _in_batches(memories: Iterable[Event]) -> Iterator[list[Event]]:
    """Memories in their order, in batches of a bounded number of words, or of one memory."""
    batch: list[Event] = []
    count = 0
    for event in memories:
        words = sum(map(len, _words_of_memory(event)))
        if batch and count + words > _MOST_WORDS:
            yield batch
            batch, count = [], 0
        batch.append(event)
        count += words
    if batch:
        yield batch


def about(memories: Sequence[Event], ids: Iterable[MemoryId]) -> Callable[[Event], bool]:
    """Tells of an event whether it names one of these ids, or quotes one of the memories."""
    names, quotations = naming(ids), Quotations(memories)
    return lambda event: names(event) or quotations.includes(event)


def tells(text: str, fewest: int) -> bool:
    """Whether a text is hardly anywhere by chance: by a code or key, or so many content words.

    A rule of a document or a phrase that everybody uses tells nothing.
    """
    words = {word for word in _words(text) if len(word) >= _TELLING_LENGTH}
    return _content_words([*words]) >= fewest or any(_is_code(one) or _is_key(one) for one in words)


def _words_of_memory(event: Event) -> Iterator[Words]:
    content = VOCABULARY.decode(event).content
    if isinstance(content, MemoryContent):
        said = (content.text, content.summary, content.snippet, content.source_note)
        for text in said:
            words = _words(text or "")
            if words:
                yield words


def _words(text: str) -> Words:
    return tuple(_WORD.findall(text.casefold()))


def _runs(words: Words) -> Iterator[Words]:
    """What of a text tells that it is quoted: runs of its words or all of it, and codes in it."""
    telling = [
        run for run in _windows(words, {_RUN}) if _content_words(run) >= _CONTENT_WORDS_OF_RUN
    ]
    if not telling and _tells_as_a_whole(words):
        telling = [words]
    yield from telling
    yield from ((word,) for word in words if _is_code(word))


def _content_words(words: Sequence[str]) -> int:
    return sum(word not in STOP_WORDS for word in words)


def _tells_as_a_whole(words: Sequence[str]) -> bool:
    return len(words) >= _FEWEST_OF_WHOLE and _content_words(words) > 0


def _is_code(word: str) -> bool:
    """Whether a word tells by itself, such as a number of six digits."""
    return len(word) >= _CODE_LENGTH and sum(map(str.isdecimal, word)) >= _CODE_DIGITS


def _is_key(word: str) -> bool:
    """Whether a word is as long as keys are, or is a row of words without blanks."""
    return len(word) >= _KEY_LENGTH and len(set(word)) >= _KEY_CHARACTERS


def _windows(words: Words, lengths: Iterable[int]) -> Iterator[Words]:
    for length in lengths:
        for start in range(len(words) - length + 1):
            yield words[start : start + length]
