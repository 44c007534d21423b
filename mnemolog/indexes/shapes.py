"""Shapes of texts by ordinal: their lengths, whether they ask, and who speaks in talk."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.arrays import GrowingArray
from mnemolog.indexes.columns import NOBODY, Names, Selection
from mnemolog.indexes.postings import Numbers
from mnemolog.language.lists import bounded_words, plain_letters, word_set
from mnemolog.language.sentences import sentence_texts

_Counts = int | npt.NDArray[np.int64]

_TALK = 3  # Least turns of a speaker in talk
_NEVER = np.iinfo(np.int64).max
_SPEAKER = re.compile(r"([^\n:]{1,40}): ")
# Words of a turn that is addressed to somebody.
_SPEAKS = re.compile(
    r"\b((?-i:I)(?=['\u2019 ]\w)|me|my|mine|we|(?-i:[Uu]s)|ours?|yours?|you|let['\u2019]s)\b(?!@)"
    r"|\?(\s|$)"
    r"|^(hi|hey|hello|thanks|thank you|wow|oh|yes|yeah|yep|no(?=,)|okay|ok|sure|sounds|great)\b",
    re.IGNORECASE,
)
# Most turns have one of those words, which are found faster by the set.
_OF_TALK = word_set("me my mine we our ours your yours you")
# A text with none of these is in another language, where talk is not told by its words.
_ENGLISH = word_set(
    "the and are with from has have by is of for to on at in not only before after every "
    "need needs until goes runs than per all"
)
# Standing instructions, for all time to come and not for one occasion.
_ALWAYS = re.compile(r"(?:please )?(?:always|never) \w", re.IGNORECASE)
_STANDING = re.compile(
    r"\b(?:from now on|going forward|in future|when(?:ever)? i ask"
    r"|i (?:always |usually |generally |really |strongly |still |much |would |'d )*prefer)\b",
    re.IGNORECASE,
)
# One of these is in all that the pattern finds.
_OF_STANDING = word_set("now forward future ask prefer")


class Shape(msgspec.Struct, frozen=True):
    """One text: its words, 1 or more, those in questions, whether it asks, and its speaker.

    `speaks` is true of a turn of talk, and false of a note under a heading, such as "Kitchen: the
    tiles come on Friday". `standing` is true of an instruction or a preference for good.
    """

    words: int
    asked: int
    asks: bool
    speaker: str | None
    speaks: bool
    standing: bool


def shape_of(text: str, words: int, source: str | None) -> Shape:
    """The shape of a text of so many words, spoken by a `Name:` in front, or a `user:` source."""
    questions = [part for part in sentence_texts(text) if "?" in part] if "?" in text else []
    named = _SPEAKER.match(text)
    speaker = named[1].casefold() if named else None
    if speaker is None and source is not None and source.startswith("user:"):
        speaker = source.removeprefix("user:").casefold()
    said = text[named.end() :] if named else text
    spoken = bounded_words(plain_letters(said).lower())
    return Shape(
        words=max(1, words),
        asked=sum(len(part.split()) for part in questions),
        asks=bool(questions),
        speaker=speaker,
        # A source is a speaker, while a name in front may be a heading.
        speaks=not named or _speaks(said, spoken) or _ENGLISH.isdisjoint(spoken),
        standing=_is_standing(said, spoken),
    )


def _speaks(text: str, words: Sequence[str]) -> bool:
    """True if a text has words of a turn that is addressed to somebody."""
    if "@" not in text and not _OF_TALK.isdisjoint(words):
        return True
    return _SPEAKS.search(text) is not None


def _is_standing(text: str, words: Sequence[str]) -> bool:
    """True if a text is a standing instruction, or a preference for good."""
    if _ALWAYS.match(text) is not None:
        return True
    return not _OF_STANDING.isdisjoint(words) and _STANDING.search(text) is not None


class ShapeArrays(msgspec.Struct, frozen=True):
    """The shapes of many texts, by ordinal; `speakers` are indexes into `names` or -1."""

    words: Numbers
    asked: Numbers
    asks: npt.NDArray[np.bool_]
    speakers: Numbers
    speaks: npt.NDArray[np.bool_]
    standing: npt.NDArray[np.bool_]
    names: list[str]


_NO_NUMBERS, _NO_MARKS = np.zeros(0, np.int32), np.zeros(0, np.bool_)
NO_SHAPES = ShapeArrays(_NO_NUMBERS, _NO_NUMBERS, _NO_MARKS, _NO_NUMBERS, _NO_MARKS, _NO_MARKS, [])


def _is_talk(turns: _Counts, texts: _Counts) -> npt.NDArray[np.bool_] | bool:
    """True once a name has taken three turns, and no fewer than half of its texts are turns."""
    return (turns >= _TALK) & (2 * turns >= texts)


class Shapes:
    """The shapes of a space's memories by ordinal; `speakers` are indexes into `names_of` or -1."""

    def __init__(self, base: ShapeArrays = NO_SHAPES) -> None:
        self.words = GrowingArray(np.int32, rows=base.words)
        self.asked = GrowingArray(np.int32, rows=base.asked)
        self.asks = GrowingArray(np.bool_, rows=base.asks)
        self.speakers = GrowingArray(np.int32, rows=base.speakers)
        self.speaks = GrowingArray(np.bool_, rows=base.speaks)
        self.standing = GrowingArray(np.bool_, rows=base.standing)
        self._inverse_words = GrowingArray(np.float64, rows=np.cumsum(1.0 / base.words))
        self._names = Names(base.names)
        # Where each name first speaks; ascending, as names are numbered in that order.
        codes, first = np.unique(base.speakers, return_index=True)
        self._first_spoken: list[int] = first[codes != NOBODY].tolist()
        # Where each name begins to talk.
        named = np.flatnonzero(base.speakers != NOBODY)
        named = named[np.argsort(base.speakers[named], kind="stable")]
        spoken_by, speaks = base.speakers[named], base.speaks[named]
        counts = np.bincount(spoken_by, minlength=len(base.names))
        turns = np.bincount(spoken_by[speaks], minlength=len(base.names))
        texts_so_far = np.arange(len(named)) - (np.cumsum(counts) - counts)[spoken_by] + 1
        turns_so_far = np.cumsum(speaks) - (np.cumsum(turns) - turns)[spoken_by]
        talks = speaks & _is_talk(turns_so_far, texts_so_far)
        talking, at = np.unique(spoken_by[talks], return_index=True)
        begins = np.full(len(base.names), _NEVER)
        begins[talking] = named[talks][at]
        self._texts: list[int] = counts.tolist()
        self._turns: list[int] = turns.tolist()
        self._talks_from = GrowingArray(np.int64, rows=begins)

    def __len__(self) -> int:
        return len(self.words)

    def add(self, shapes: Sequence[Shape]) -> None:
        """Add the next memories' shapes."""
        total = self._inverse_words.rows[-1] if len(self) else 0.0
        sums = itertools.accumulate((1.0 / shape.words for shape in shapes), initial=total)
        self._inverse_words.extend(list(sums)[1:])
        codes = [self._names.code(shape.speaker) for shape in shapes]
        for ordinal, (shape, code) in enumerate(zip(shapes, codes, strict=True), len(self)):
            if code == len(self._first_spoken):
                self._first_spoken.append(ordinal)
                self._texts.append(0)
                self._turns.append(0)
                self._talks_from.extend([_NEVER])
            if code != NOBODY:
                self._texts[code] += 1
                self._turns[code] += shape.speaks
                talks = shape.speaks and _is_talk(self._turns[code], self._texts[code])
                if talks and self._talks_from.rows[code] == _NEVER:
                    self._talks_from.rows[code] = ordinal
        self.speakers.extend(codes)
        self.asked.extend([shape.asked for shape in shapes])
        self.asks.extend([shape.asks for shape in shapes])
        self.speaks.extend([shape.speaks for shape in shapes])
        self.standing.extend([shape.standing for shape in shapes])
        self.words.extend([shape.words for shape in shapes])

    def names_of(self, size: int) -> list[str]:
        """Speakers of the first `size` memories, by number."""
        return self._names.known[: bisect_left(self._first_spoken, size)]

    def in_talk(self, ordinals: Selection, size: int) -> npt.NDArray[np.bool_]:
        """Mask of the texts by a speaker in the first `size` texts.

        A name is a speaker once it has taken three turns, and no fewer than half of its texts are
        turns. A heading, as in "Street party: 31 August", takes few.
        """
        speakers = self.speakers[ordinals]
        spoken: npt.NDArray[np.bool_] = speakers != NOBODY
        spoken[spoken] = self._talks_from[speakers[spoken]] < size
        return spoken

    def usual_words(self, size: int) -> float:
        """The harmonic mean length of the first `size` memories, in words."""
        return size / float(self._inverse_words.rows[size - 1]) if size else 1.0

    def frozen(self, size: int) -> ShapeArrays:
        """The first `size` shapes as arrays."""
        return ShapeArrays(
            words=self.words[:size],
            asked=self.asked[:size],
            asks=self.asks[:size],
            speakers=self.speakers[:size],
            speaks=self.speaks[:size],
            standing=self.standing[:size],
            names=self.names_of(size),
        )
