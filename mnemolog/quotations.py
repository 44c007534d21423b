"""Quotations: notes, reasons, cues and buffered content that name a memory or repeat its words.

Four words in a row are a quotation if two of them are content words, that is, no stop words.
Where a text has no such row, all of it is: three words or more, one of them a content word.
A code is one by itself. Edges and summaries of other memories quote nothing: they are made
of those memories' own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from indexes.analysis import STOP_WORDS
from ledger.events import VOCABULARY, Event, MemoryContent
from ledger.ids import MemoryId, Position
from ledger.json_text import strings_of
from mnemolog.home import Home
from mnemolog.naming import Cut
from mnemolog.news import naming

_RUN = 4
"""How many words in a row are a quotation."""

_CONTENT_WORDS_OF_RUN = 2
_FEWEST_OF_WHOLE = 3
"""How many words a text needs to be quoted as a whole: two are as often a mere name."""

_CODE_LENGTH, _CODE_DIGITS = 6, 4

_PAGE = 2_000
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


class Quotations:
    """Tells of events whether their words are about some memories, or repeat theirs.

    `memories` are the events that stored them. A memory that says the same is one of its own.
    """

    def __init__(self, memories: Iterable[Event]) -> None:
        known = list(memories)
        self._names = naming(MemoryId(event.event_id) for event in known)
        self._wholes = [words for event in known for words in _words_of_memory(event)]
        self._runs = {run for words in self._wholes for run in _runs(words)}
        self._lengths = frozenset(map(len, self._runs))

    def includes(self, event: Event) -> bool:
        """Whether an event has words that are about the memories, or quote them."""
        if event.content is None or event.kind not in _FREE_TEXT:
            return False
        if event.kind not in _NAMES_OTHERS and self._names(event):
            return True
        if event.kind in _OWN_WORDS:
            return False
        said = [_words(text) for text in strings_of(event.content)]
        if event.kind == "buffered":
            return any(_repeats(words, whole) for words in said for whole in self._wholes)
        return any(not self._runs.isdisjoint(_windows(words, self._lengths)) for words in said)


def quoting(home: Home, memories: Sequence[Event], cut: Cut) -> list[Event]:
    """The events up to a moment that are about memories of a space, or quote them.

    Reads what all events of that space say, but for its memories.
    """
    quotations = Quotations(memories)
    found: list[Event] = []
    for space in sorted({event.space for event in memories}):
        after = Position(0)
        while page := home.log.read(after, _PAGE, space, _FREE_TEXT):
            found += [
                one for one in page if one.position <= cut.position and quotations.includes(one)
            ]
            after = page[-1].position
    return found


def about(memories: Sequence[Event], ids: Iterable[MemoryId]) -> Callable[[Event], bool]:
    """Tells of an event whether it names one of these ids, or quotes one of the memories."""
    names, quotations = naming(ids), Quotations(memories)
    return lambda event: names(event) or quotations.includes(event)


def _words_of_memory(event: Event) -> Iterator[tuple[str, ...]]:
    content = VOCABULARY.decode(event).content
    if isinstance(content, MemoryContent):
        said = (content.text, content.summary, content.snippet, content.source_note)
        for text in said:
            words = _words(text or "")
            if words:
                yield words


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def _runs(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
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


def _windows(words: tuple[str, ...], lengths: Iterable[int]) -> Iterator[tuple[str, ...]]:
    for length in lengths:
        for start in range(len(words) - length + 1):
            yield words[start : start + length]


def _repeats(words: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether a text says all of another, and not by chance."""
    if words == whole:
        return True
    telling = _tells_as_a_whole(whole) or any(map(_is_code, whole))
    return telling and whole in _windows(words, {len(whole)})
