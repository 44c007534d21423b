"""A correction in the words of what is remembered, where it has other nouns for the same thing."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.reading.correction_reading import CorrectionReading
from mnemolog.policies.corrections.terms import key_of

_WORD = regex(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def reworded(reading: CorrectionReading, texts: Iterable[str]) -> CorrectionReading | None:
    """A reading with the nouns that some texts have for what it speaks of; None if none differ.

    A noun gives way only where no text has it and they have one other for the same.
    """
    known = {key_of(word) for text in texts for word in _WORD.findall(text)}
    groups = [(first, *others) for first, others in LISTS.table("synonyms").items()]
    mates = [[key_of(word) for word in group] for group in groups]
    stems = {key_of(word): word for group in groups for word in group}

    def put(text: str | None) -> str | None:
        if text is None:
            return None
        return _WORD.sub(lambda match: _mate(match[0], mates, known, stems), text)

    other = msgspec.structs.replace(
        reading, old=put(reading.old), new=put(reading.new), about=put(reading.about)
    )
    return None if other == reading else other


def _mate(word: str, mates: list[list[str]], known: set[str], stems: dict[str, str]) -> str:
    key = key_of(word)
    if key in known:
        return word
    others = {one for group in mates if key in group for one in group if one in known}
    return stems[others.pop()] if len(others) == 1 else word
