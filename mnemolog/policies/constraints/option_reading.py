"""An option as read: its names, what it says is not in it, its quantities; and findings on it."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

import msgspec

from mnemolog.language.entities import KINDS, Known, Knows, Link, known_kinds
from mnemolog.language.lists import plain_letters
from mnemolog.language.quantities.amounts import Bound, Quantity
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.words.lexicon import singular
from mnemolog.policies.constraints.recognition import RE

Named = Literal["nothing", "attribute", "thing"]
"""Part of a constraint that an option names: the thing ruled out, or an attribute of which
another value is asked for."""

Verdict = Literal["violated", "suspected", "doubtful", "silent", "met"]
"""Verdict on one demand: `suspected` where the option would violate it if that is about
the same, `doubtful` where it speaks of it, but not clearly."""

Stems = tuple[str, ...]

_LONGEST_NAME = 4
_LONGEST_LIST = 20
_NEAR = 40
"""Characters in front of a name among which 'vegan' or 'alcohol-free' stands."""


class OptionFinding(msgspec.Struct, frozen=True):
    """Finding on what an option does to one demand of a constraint.

    `found` are the option's words, `why` is a sentence, `chain` what links the words to the thing
    that is ruled out. `severity` is 1 to 3. `named` is what of the constraint
    the option names.
    """

    verdict: Verdict
    found: str
    why: str
    severity: int = 2
    chain: tuple[Link, ...] = ()
    named: Named = "nothing"


class OptionName(msgspec.Struct, frozen=True):
    """A run of words of a text, as stems, and as `parts` with hyphenated words apart."""

    stems: Stems
    parts: Stems
    text: str
    start: int
    end: int
    denied: bool
    softened: bool

    @property
    def there(self) -> bool:
        """True if the text says that it is there, and no other thing by its name."""
        return not self.denied and not self.softened


class OptionReading:
    """A text with its names, its denials and its quantities, read once."""

    def __init__(self, text: str, knows: Knows) -> None:
        self.text = plain_letters(text)
        self.knows = knows
        self.words = [
            (match[0].lower().removesuffix("'s"), match.start(), match.end())
            for match in RE.option_word.finditer(self.text)
        ]
        self.quantities = quantities(self.text)
        self._denied = self._denied_places()
        self.names = tuple(self._names())

    def stems(self, phrase: str) -> Stems:
        """The stems of a phrase, hyphens as blanks."""
        return tuple(self._stem(word) for word in RE.option_word.findall(phrase.lower()))

    def _stem(self, word: str) -> str:
        return self.knows.stem(singular(word))

    def _denied_places(self) -> bytearray:
        """For each character whether a thing, or a list, that begins there is denied."""
        denied = bytearray(len(self.text))
        for match in RE.before_absent.finditer(self.text):
            end = match.end()
            for _ in range(_LONGEST_LIST):
                phrase = RE.denied_phrase.match(self.text, end)
                if phrase is None:
                    break
                end = phrase.end()
                more = RE.listed.match(self.text, end)
                if more is None or not re.match(r"\s*(?:or|nor|,\s*(?:or|nor|no)\b)", more[0]):
                    break
                end = more.end()
            denied[match.start() : end] = b"\1" * (end - match.start())
        return denied

    def _names(self) -> Iterator[OptionName]:
        """Every run of up to four words, the longer ones first; none across a mark."""
        each = tuple(self._stem(word) for word, _, _ in self.words)
        for length in range(_LONGEST_NAME, 0, -1):
            for first in range(len(self.words) - length + 1):
                run = self.words[first : first + length]
                start, end = run[0][1], run[-1][2]
                if length > 1 and re.search(r"[.,;:!?()]\s", self.text[start:end]):
                    continue
                absent = RE.after_absent.match(self.text[end : end + 20])
                denied = bool(self._denied[start] or absent)
                softened = bool(RE.meatless.search(self.text, max(0, start - _NEAR), start))
                stems, words = each[first : first + length], " ".join(word for word, _, _ in run)
                yield OptionName(stems, _parts(stems), words, start, end, denied, softened)

    def denies(self, quantity: Quantity) -> bool:
        """True if the text says that a quantity is not in it: 'without ISO 27001'."""
        return bool(self._denied[quantity.start])

    def named(self, stems: Stems) -> list[OptionName]:
        """Names with these stems, denied or not."""
        return self._by_parts.get(_parts(stems), [])

    @cached_property
    def _by_parts(self) -> dict[Stems, list[OptionName]]:
        found: dict[Stems, list[OptionName]] = {}
        for name in self.names:
            found.setdefault(name.parts, []).append(name)
        return found

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """Bounds that the option demands: 'requires Python >= 3.10'."""
        return bounds(self.text)

    @cached_property
    def prices(self) -> tuple[Quantity, ...]:
        """Its quantities where bare numbers are prices: '245 per night, breakfast included'."""
        return quantities(self.text, "money")

    @cached_property
    def denied(self) -> frozenset[Stems]:
        """The names that are said not to be in it, as stems."""
        free = {self.stems(word[:-5]) for word, _, _ in self.words if word.endswith("-free")}
        return frozenset(free | {name.stems for name in self.names if name.denied})

    @cached_property
    def known(self) -> tuple[tuple[OptionName, tuple[tuple[Known, Stems], ...]], ...]:
        """The longest names that are known to be something: almond milk is no milk."""
        taken = bytearray(len(self.text))
        found = []
        for name in self.names:
            # Longer ones come first, and the blank between two of them is taken by neither.
            if all(taken[name.start : name.end]):
                continue
            if kinds := known_kinds(name.text, self.knows):
                taken[name.start : name.end] = b"\1" * (name.end - name.start)
                found.append((name, tuple((kind, self.stems(kind.name)) for kind in kinds)))
        return tuple(found)

    @cached_property
    def alternatives(self) -> tuple[tuple[OptionName, str, tuple[Link, ...]], ...]:
        """The names in it that are one of a set of alternatives: the set, and how that is known."""
        # Every constraint asks: to look each name up again takes minutes for a long option.
        return tuple(
            (name, common, chain)
            for name in self.names
            if not name.denied
            for common, chain in alternatives_to(name.text, self.knows)
        )

    @cached_property
    def _single(self) -> frozenset[str]:
        return frozenset(name.stems[0] for name in self.names if len(name.stems) == 1)

    def holds(self, words: Sequence[str]) -> bool:
        """True if one of some words is in the text, in whatever form."""
        stems = [stem for word in words for stem in self.stems(word)]
        return any(
            stem in self._single or any(_kin(stem, other) for other in self._single)
            for stem in stems
        )


def alternatives_to(name: str, knows: Knows) -> Iterator[tuple[str, tuple[Link, ...]]]:
    """The sets of alternatives that a name is one of, by what anybody and the memory knows."""
    *first, last = name.lower().split() or [name]
    for form in sorted({name.lower(), singular(name), " ".join([*first, singular(last)])}):
        for common in KINDS.keys_of("contrasts").get(form, ()):
            yield common, ()
    for known in knows.kinds_of(name):
        if len(known.path) == 1 and known.path[0].type in {"IS_A", "INSTANCE_OF"}:
            yield known.name.lower(), known.path


def _parts(stems: Stems) -> Stems:
    """Stems with those of hyphenated words apart."""
    return tuple(part for stem in stems for part in stem.split("-"))


def _kin(one: str, other: str) -> bool:
    """True if two stems are forms of one word: 'deploy' and 'deployment'."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) > 3 and longer.startswith(shorter) and len(longer) - len(shorter) < 5  # noqa: PLR2004 - the length of a suffix
