"""Restatement rules: whether content repeats an existing memory, strictly compared.

A restatement is not stored, so a missed one costs a little space, while a false one loses
content. The words must be the same, in the same order, except for what
`language.sameness.near_identical` ignores: an initial capital, final punctuation, openings
such as 'by the way', and intensifiers. A phrase may not move ('In May Dana promised to
move') and a sentence may not be left out, because a neighbouring sentence may retract it.

The same words from another speaker, about another place or on another day may mean
something else.
"""

from __future__ import annotations

import unicodedata

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.language.sameness.near_identical import opens_plainly, sentence_words
from mnemolog.ledger.clock import Micros

ANYBODY = "user:user"
"""The source of a user who is not named."""

_DAY_US = 86_400_000_000

_QUOTES = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
_MARK = regex(r"(?<!\w)(\w*+)[,;:](?=\s+\S)")
_OF_A_PERSON = regex(
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves|you|your|yours|yourself|yourselves)\b"
)
_OF_A_DAY = regex(
    r"\b(?:today|tonight|tomorrow|yesterday|ago"
    r"|this (?:morning|afternoon|evening|week|weekend|month|quarter|year)"
    r"|(?:next|last|coming|past) (?:night|week|weekend|month|quarter|year|\w+day)"
    r"|(?:in|within) (?:an?|one|two|three|\d+) (?:minutes?|hours?|days?|weeks?|months?|years?)"
    r"|(?<!\bevery )(?<!\beach )(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)


class Said(msgspec.Struct, frozen=True):
    """Statement: its words, speaker, time, scope and start of validity.

    `at` is now at the latest. None means unknown.
    """

    text: str
    at: Micros
    speaker: str | None = None
    tags: tuple[str, ...] = ()
    category: str | None = None
    place: str | None = None
    constraint: str | None = None
    valid_from: int | None = None
    valid_until: int | None = None


def says_again(new: Said, old: Said) -> bool:
    """True if the new words add nothing to the old ones."""
    words, speakers, began = new.text.casefold(), {new.speaker, old.speaker}, new.valid_from
    named = None not in speakers and len(speakers) > 1
    users = ANYBODY in speakers and all((one or "").startswith("user:") for one in speakers)
    same_day = new.at // _DAY_US == old.at // _DAY_US
    given = ("category", "place", "constraint", "valid_until")
    return (
        says_the_same(new.text, old.text)
        # The old statement has all the metadata of the new one.
        and all(getattr(new, name) in {None, getattr(old, name)} for name in given)
        and {*new.tags} <= {*old.tags}
        # The old words hold from the start of the new ones, which is not in the future.
        and (began is None or began <= new.at)
        and (began is None or old.valid_from is None or old.valid_from <= began)
        and (not named or users or _OF_A_PERSON.search(words) is None)
        and (same_day or _OF_A_DAY.search(words) is None)
    )


def says_the_same(one: str, other: str) -> bool:
    """True if two texts say the same, word for word, given the same speaker and subject.

    Code and long texts are not compared by words: they may differ only in trailing blanks
    and blank lines.
    """
    one, other = (_plain(text) for text in (one, other))
    if one == other:
        return True
    sentences = sentence_words(one)
    return bool(sentences) and sentences == sentence_words(other) and _same_marks(one, other)


def _plain(text: str) -> str:
    """Text with composed letters (NFC), straight quotation marks and no blank lines."""
    lines = unicodedata.normalize("NFC", text).translate(_QUOTES).strip().splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _same_marks(one: str, other: str) -> bool:
    """True if punctuation splits two texts alike: not 'No, deploys go on', 'No deploys go on'."""
    first, second = (_MARK.findall(text.casefold()) for text in (one, other))
    if opens_plainly(one) == opens_plainly(other):
        return first == second
    # An opening has its own punctuation, if any.
    opened, plain = (second, first) if opens_plainly(one) else (first, second)
    return plain in (opened, opened[1:])
