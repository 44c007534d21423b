"""Quotations of a memory in notes, reasons, cues and buffered content.

A quotation is four consecutive words, at least two of them content words, that is, not stop
words. A text without such a run is quoted as a whole if it has at least three words and one
content word. A code is a quotation by itself. Edges and summaries of other memories never
quote: they are derived from those memories' own words.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, ids_in, naming
from mnemolog.language.analysis import STOP_WORDS
from mnemolog.ledger.events import Event, MemoryContent
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import LogRange, events_in, pages_in
from mnemolog.ledger.vocabulary import VOCABULARY, strings_of

_RUN, _CONTENT_WORDS_OF_RUN = 4, 2
_FEWEST_OF_WHOLE = 3  # minimum words of a text quoted as a whole: two are often just a name
_CODE_LENGTH, _CODE_DIGITS = 6, 4
_KEY_LENGTH, _KEY_CHARACTERS = 16, 8
_TELLING_LENGTH = 3
_MOST_WORDS = 100_000  # of memories searched in one pass: each word takes half a kilobyte
_WORD = re.compile(r"\w+")
_FREE_TEXT = tuple(
    name
    for name, kind in VOCABULARY.kinds.items()
    if kind.content is not None and name not in {"remembered", "reinforced"}
)
_NAMES_OTHERS = frozenset({"redacted", "buffered"})  # they are not about the memories they name
_OWN_WORDS = frozenset({"linked", "degraded"})  # their words derive from their own memory
Words = tuple[str, ...]


class _Rows(defaultdict[Words, set[EventId]]):
    """Memories by the word sequences that they hold, complete before they are first searched."""

    @cached_property
    def lengths(self) -> set[int]:
        return set(map(len, self))

    def within(self, words: Words) -> set[EventId]:
        return {one for row in _windows(words, self.lengths) for one in self.get(row, ())}


class Quotations:
    """Quotation matcher for events that name or quote a memory, given the events that stored it."""

    def __init__(self, memories: Iterable[Event]) -> None:
        self._ids: dict[bytes, EventId] = {}
        self._wholes, self._telling, self._runs = _Rows(set), _Rows(set), _Rows(set)
        for event in memories:
            one = event.event_id
            self._ids[one.encode()] = one
            for words in _words_of_memory(event):
                self._wholes[words].add(one)
                if _is_quotable_whole(words) or any(map(_is_code, words)):
                    self._telling[words].add(one)
                for run in _runs(words):
                    self._runs[run].add(one)

    def of(self, event: Event) -> set[EventId]:
        """Memories that an event's words are about or quote."""
        found: set[EventId] = set()
        if event.content is None or event.kind not in _FREE_TEXT:
            return found
        if event.kind not in _NAMES_OTHERS:
            found.update(self._ids[one] for one in ids_in(event) if one in self._ids)
        if event.kind in _OWN_WORDS:
            return found
        for words in map(_words, strings_of(event.content)):
            if event.kind == "buffered":
                # Buffered content must hold all of a memory's text; shorter matches are chance.
                found |= self._wholes.get(words, set()) | self._telling.within(words)
            else:
                found |= self._runs.within(words)
        return found


class QuotationScan:
    """Quotation scan for memories of a space destroyed one after another; reads each event once."""

    def __init__(self, home: Home, space: str) -> None:
        self._home, self._space = home, space
        self.expect(())

    def expects(self, memory_ids: Iterable[MemoryId]) -> bool:
        """True if all of these memories are expected."""
        return self._known.issuperset(EventId(one) for one in memory_ids)

    def expect(self, memories: Sequence[Event]) -> None:
        """Expect these memories, up to a limit of words, in place of those expected before."""
        memories = next(_in_batches(memories), [])
        self._known = {event.event_id for event in memories}
        self._quotations = Quotations(memories)
        self._quoting: dict[EventId, list[Position]] = {}
        self._read = Position(0)

    def quoting(self, memories: Sequence[Event], cut: Cut) -> list[Event]:
        """Events up to a cut that are about these memories or quote them."""
        unexpected = [event for event in memories if event.event_id not in self._known]
        unread = LogRange(self._read, space=self._space, kinds=_FREE_TEXT)
        for page in pages_in(self._home.log, unread):
            for event in page:
                for one in self._quotations.of(event):
                    self._quoting.setdefault(one, []).append(event.position)
            self._read = page[-1].position
        places = {at for one in memories for at in self._quoting.get(one.event_id, ())}
        found = self._home.log.events_at([at for at in sorted(places) if at <= cut.position])
        # Another redaction may have destroyed their content since.
        still = [one for one in found if one.content is not None]
        return still + quoting(self._home, unexpected, cut)


def quoting(home: Home, memories: Sequence[Event], cut: Cut) -> list[Event]:
    """Events up to a cut, other than memories, that are about memories of a space or quote them."""
    found: dict[Position, Event] = {}
    for batch in _in_batches(memories):
        quotations = Quotations(batch)
        for space in sorted({event.space for event in batch}):
            said = events_in(home.log, LogRange(Position(0), cut.position, space, _FREE_TEXT))
            found.update((one.position, one) for one in said if quotations.of(one))
    return [*found.values()]


def _in_batches(memories: Iterable[Event]) -> Iterator[list[Event]]:
    """Memories in order, in batches of limited word count or of one memory."""
    batch, count = list[Event](), 0
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
    """Predicate for events that name one of these ids or quote one of the memories."""
    names, quotations = naming(ids), Quotations(memories)
    return lambda event: names(event) or bool(quotations.of(event))


def is_quotable(text: str, fewest: int) -> bool:
    """True if a text is distinctive: it has a code, a key, or `fewest` content words."""
    words = {word for word in _words(text) if len(word) >= _TELLING_LENGTH}
    if _content_words(words) >= fewest or any(map(_is_code, words)):
        return True
    # A key, or words joined without spaces, is long and varied.
    return any(len(one) >= _KEY_LENGTH and len(set(one)) >= _KEY_CHARACTERS for one in words)


def _words_of_memory(event: Event) -> list[Words]:
    content = VOCABULARY.decode(event).content
    if not isinstance(content, MemoryContent):
        return []
    said = (content.text, content.summary, content.snippet, content.source_note)
    return [words for text in said if (words := _words(text or ""))]


def _words(text: str) -> Words:
    return tuple(_WORD.findall(text.casefold()))


def _runs(words: Words) -> list[Words]:
    """Distinctive sequences of a text: runs or the whole text, and its codes."""
    runs = _windows(words, {_RUN})
    telling = [run for run in runs if _content_words(run) >= _CONTENT_WORDS_OF_RUN]
    if not telling and _is_quotable_whole(words):
        telling = [words]
    return telling + [(word,) for word in words if _is_code(word)]


def _content_words(words: Iterable[str]) -> int:
    return sum(word not in STOP_WORDS for word in words)


def _is_quotable_whole(words: Words) -> bool:
    return len(words) >= _FEWEST_OF_WHOLE and _content_words(words) > 0


def _is_code(word: str) -> bool:
    """True if a word is distinctive by itself, such as a number of six digits."""
    return len(word) >= _CODE_LENGTH and sum(map(str.isdecimal, word)) >= _CODE_DIGITS


def _windows(words: Words, lengths: Iterable[int]) -> Iterator[Words]:
    for length in lengths:
        for start in range(len(words) - length + 1):
            yield words[start : start + length]
