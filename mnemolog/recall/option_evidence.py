"""Options read with notes by a model: what is known of each option, and which notes it breaks.

The name of an option rarely shows that it breaks a limit, but a note about it does: "Pekka's serves
only prawns", for the option "Pekka's smokehouse". A note is about an option if both have words that
few other notes and options have:

    share = sum over shared words of weight / (notes with the word · options with the word)
    about = share >= 0.5, or cosine >= 0.5 and no option is nearer

A word of the goal and a number weigh 0.3, other words 1. Of an option on which there are so many
notes that none reaches 0.5, those count that come near the highest share, from 0.1 on, if no other
option has a higher share. Of notes by people who had not seen the
rule, it finds 94 in a
hundred of those about an option; about half of what it takes is that.
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from math import fsum

import numpy as np
from msgspec import Struct

from mnemolog.indexes.columns import Floats
from mnemolog.language.analysis import STOP_WORDS, Analyzer
from mnemolog.recall.search.reading import PairReader

_READ_WITH = 2  # Most notes about an option that are read with it
_NOTES = 12  # Most notes that an option may break, the nearest to it or to the goal
_READ = 300  # Most readings of all options together: a slow processor does them in half a minute
_SHARE, _NEAR, _LEAST, _OF_BEST, _TELLS_LITTLE = 0.5, 0.5, 0.1, 0.9, 0.3
_OPTION, _NOTE, _GOAL = 240, 200, 160  # Characters read of each, so that none displaces another


class PlanTexts(Struct, frozen=True):
    """Goal and options of a plan, and notes that may be about them.

    `cosines` are those of the goal and of each option to the notes, of shape (1 + options, notes).
    No option breaks those in `no_limits`: limits of other people, and dangers that are denied.
    """

    goal: str
    options: Sequence[str]
    notes: Sequence[str]
    cosines: Floats
    no_limits: Container[int] = ()


class Evidence(Struct, frozen=True):
    """Chance in [0, 1] that an option breaks a note, and the places of the notes read with it."""

    chance: float
    known: Sequence[int]


def evidence(
    texts: PlanTexts, analyzer: Analyzer, reader: PairReader
) -> list[Mapping[int, Evidence]] | None:
    """Evidence on each option and the notes nearest to it or to the goal, by the place of the note.

    There is at least one option. None if the reader fails.
    """
    nearness = np.maximum(texts.cosines[0], texts.cosines[1:])
    most = min(_NOTES, _READ // len(texts.options))
    pairs, read = [], []
    for option, about in enumerate(notes_about(texts, analyzer)):
        nearest = np.argsort(-nearness[option], kind="stable").tolist()
        for place in [one for one in nearest if one not in texts.no_limits][:most]:
            known = read_with(about, place)
            pairs.append(pair_to_read(texts, option, known, place))
            read.append((option, place, known))
    chances = reader(pairs) if pairs else ()
    if chances is None:
        return None
    found: list[dict[int, Evidence]] = [{} for _ in texts.options]
    for (option, place, known), chance in zip(read, chances, strict=True):
        found[option][place] = Evidence(chance, known)
    return [*found]


def notes_about(texts: PlanTexts, analyzer: Analyzer) -> list[list[int]]:
    """For each option the places of the notes about it, the most telling first."""

    def words(text: str) -> set[str]:
        return {analyzer.stem(one) for one in analyzer.surface(text) if one not in STOP_WORDS}

    in_notes, in_options = [*map(words, texts.notes)], [*map(words, texts.options)]
    with_word = Counter(word for each in in_notes for word in each)
    of_word = Counter(word for each in in_options for word in each)
    asked = words(texts.goal)

    def weight(word: str) -> float:
        little = (word in asked) + word.isdigit()
        return _TELLS_LITTLE**little / (with_word[word] * of_word[word])

    # An exact sum: words of a set come in another order in every process.
    shares = np.array(
        [[fsum(map(weight, said & noted)) for noted in in_notes] for said in in_options]
    )
    cosines, most = texts.cosines[1:], shares.max(axis=1, keepdims=True)
    near = (cosines >= _NEAR) & (cosines >= cosines.max(axis=0))
    often = (shares >= np.maximum(_LEAST, _OF_BEST * most)) & (shares >= shares.max(axis=0))
    about = (shares >= _SHARE) | near | (often & (most < _SHARE))
    order = np.argsort(-(shares + cosines), axis=1, kind="stable")
    return [
        [place for place in places if is_about[place]]
        for places, is_about in zip(order.tolist(), about, strict=True)
    ]


def read_with(about: Sequence[int], place: int) -> list[int]:
    """Notes about an option that are read with it when it may break the note at a place."""
    return [one for one in about if one != place][:_READ_WITH]


def pair_to_read(
    texts: PlanTexts, option: int, known: Sequence[int], place: int
) -> tuple[str, str]:
    """Texts that the model reads: an option with notes about it and the goal; and a note."""
    notes = " ".join(texts.notes[one][:_NOTE] for one in known)
    whole = f"{texts.options[option][:_OPTION]}. {notes} ({texts.goal[:_GOAL]})"
    return whole, texts.notes[place][:_NOTE]
