"""Shapes of texts: length, share of questions, speaker, and standing instructions."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.growing import GrowingArray
from mnemolog.language.sentences import sentence_texts

_SPEAKER = re.compile(r"([^\n:]{1,40}): ")
# Standing instructions, for all time to come and not for one occasion.
_STANDING = re.compile(
    r"^(please )?(always|never) \w|\b(from now on|going forward|in future|when(ever)? i ask)\b"
    r"|\bi (always |usually |generally |really |strongly |still |much |would |'d )*prefer\b",
    re.IGNORECASE,
)
NO_SPEAKER = -1


class Shape(msgspec.Struct, frozen=True):
    """One text: words, words in its questions, whether it asks, the name it begins with.

    `standing` says that it gives an instruction or a preference for good.
    """

    words: int
    asked: int
    asks: bool
    speaker: str | None
    standing: bool = False


def shape_of(text: str, words: int, source: str | None) -> Shape:
    """The shape of a text of so many words.

    The speaker is the `Name:` that a line of talk begins with, or else the name
    of a `user:` source.
    """
    questions = [part for part in sentence_texts(text) if "?" in part] if "?" in text else []
    named = _SPEAKER.match(text)
    speaker = named[1].casefold() if named else None
    if speaker is None and source is not None and source.startswith("user:"):
        speaker = source.removeprefix("user:").casefold()
    return Shape(
        words=max(1, words),
        asked=sum(len(part.split()) for part in questions),
        asks=bool(questions),
        speaker=speaker,
        standing=_STANDING.search(text[named.end() :] if named else text) is not None,
    )


class ShapeArrays(msgspec.Struct, frozen=True):
    """The shapes of many texts, by ordinal; `speakers` are indexes into `names` or -1."""

    words: npt.NDArray[np.int32]
    asked: npt.NDArray[np.int32]
    asks: npt.NDArray[np.bool_]
    speakers: npt.NDArray[np.int32]
    standing: npt.NDArray[np.bool_]
    names: list[str]


class Shapes:
    """The shapes of a space's memories, by ordinal."""

    def __init__(self, base: ShapeArrays | None = None) -> None:
        self._words = GrowingArray(np.int32)
        self._asked = GrowingArray(np.int32)
        self._asks = GrowingArray(np.bool_)
        self._speakers = GrowingArray(np.int32)
        self._standing = GrowingArray(np.bool_)
        self._inverse_words = GrowingArray(np.float64)
        self._names: list[str] = []
        # Where each name first speaks; ascending, as names are numbered in that order.
        self._first_spoken: list[int] = []
        if base is not None:
            self._words.extend(base.words)
            self._asked.extend(base.asked)
            self._asks.extend(base.asks)
            self._speakers.extend(base.speakers)
            self._standing.extend(base.standing)
            self._inverse_words.extend(np.cumsum(1.0 / base.words))
            self._names = list(base.names)
            codes, first = np.unique(base.speakers, return_index=True)
            self._first_spoken = first[codes != NO_SPEAKER].tolist()
        self._codes = {name: code for code, name in enumerate(self._names)}

    def __len__(self) -> int:
        return len(self._words)

    def add(self, shapes: Sequence[Shape]) -> None:
        """Add the next memories' shapes."""
        total = self._inverse_words.rows[-1] if len(self) else 0.0
        for shape in shapes:
            total += 1.0 / shape.words
            self._inverse_words.extend([total])
        self._asked.extend([shape.asked for shape in shapes])
        self._asks.extend([shape.asks for shape in shapes])
        self._speakers.extend(
            [self._code(shape.speaker, ordinal) for ordinal, shape in enumerate(shapes, len(self))]
        )
        self._standing.extend([shape.standing for shape in shapes])
        self._words.extend([shape.words for shape in shapes])

    def _code(self, name: str | None, ordinal: int) -> int:
        if name is None:
            return NO_SPEAKER
        if name not in self._codes:
            self._codes[name] = len(self._names)
            self._first_spoken.append(ordinal)
            self._names.append(name)
        return self._codes[name]

    @property
    def words(self) -> npt.NDArray[np.int32]:
        """Number of words of each memory, at least 1."""
        return self._words.rows

    @property
    def asked(self) -> npt.NDArray[np.int32]:
        """Number of words in questions, of each memory."""
        return self._asked.rows

    @property
    def asks(self) -> npt.NDArray[np.bool_]:
        """Flag of each memory: does it contain a question."""
        return self._asks.rows

    @property
    def speakers(self) -> npt.NDArray[np.int32]:
        """Speaker of each memory, as an index into `names_of`, or -1."""
        return self._speakers.rows

    @property
    def standing(self) -> npt.NDArray[np.bool_]:
        """Flag of each memory: is it a lasting instruction or preference."""
        return self._standing.rows

    def names_of(self, size: int) -> list[str]:
        """Speakers of the first `size` memories, by number."""
        return self._names[: bisect_left(self._first_spoken, size)]

    def usual_words(self, size: int) -> float:
        """The harmonic mean length of the first `size` memories, in words."""
        return size / float(self._inverse_words.rows[size - 1]) if size else 1.0

    def frozen(self, size: int) -> ShapeArrays:
        """The first `size` shapes as arrays."""
        return ShapeArrays(
            self.words[:size], self.asked[:size], self.asks[:size], self.speakers[:size],
            self.standing[:size], self.names_of(size),
        )  # fmt: skip
