"""Terms that carry the meaning of a text: names, quantities, and words by their stems.

Words of one relation ('lives', 'resides') are one term, so wordings of one fact share terms.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache

import msgspec

from mnemolog.language.lists import Lists, before
from mnemolog.language.quantities.amounts import Quantity, compare
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.quantities.numbers import number_in_words
from mnemolog.language.words.lexicon import stem

LISTS = Lists("mnemolog.policies.corrections", "corrections")
RE = LISTS.patterns_by_name

_HOURS = 24
_NUMBER_PARTS = 2
_SHORT = 3

# Relations that say as much as any word; others may be told by a mere 'is'.
TELLING = frozenset({"<allergy>", "<birth>", "<build>", "<host>"})


class Term(msgspec.Struct, frozen=True):
    """One term of a text: a word (or relation), a name or a quantity, and its characters."""

    key: str
    kind: str
    start: int
    end: int
    quantity: Quantity | None = None

    @property
    def weight(self) -> float:
        """Share of a statement's meaning, where an ordinary word has 1."""
        if self.key.startswith("<") and self.key not in TELLING:
            return 0.5
        return 1.0 if self.kind == "word" else 1.5


# One correction reads the texts of its candidates a dozen times over.
@lru_cache(maxsize=512)
def terms(text: str) -> tuple[Term, ...]:
    """The terms of a text, in order."""
    found = [
        Term(_quantity_key(one), "quantity", one.start, one.end, one)
        for one in quantities(text)
        # A version of three parts or more is written one way only: its words tell it.
        if (one.dimension != "version" or len(one.values) <= _NUMBER_PARTS)
        and one.text.lower() not in {"one", "a", "an"}
    ]
    closed = _closed()
    spans = sorted(((one.end, one.start) for one in found), reverse=True)
    for match in RE.term_word.finditer(text):
        start, end = match.span()
        while spans and spans[-1][0] <= start:
            spans.pop()
        low = match[0].lower().replace("\u2019", "'")
        if (spans and spans[-1][1] < end) or low in closed:
            continue
        amount = None if low == "one" else number_in_words(low)
        if amount is not None:
            measure = Quantity("number", "", (amount,), match[0], start, end)
            found.append(Term(_quantity_key(measure), "quantity", start, end, measure))
        elif low == "work" and before(RE.at_work, text, start) and not RE.works_at.match(text, end):
            # 'Walks to work' says not where.
            found.append(Term(low, "word", start, end))
        elif low != "address" or before(RE.of_mail, text, start) is None:
            # A mail address is not where somebody lives.
            kind = "name" if _is_name(text, match) else "word"
            found.append(Term(key_of(low), kind, start, end))
    return tuple(sorted(found, key=lambda term: term.start))


def content_words(text: str) -> set[str]:
    """The stems of a text's open-class words: cheaper than its terms, and enough to look it up."""
    words = {word.removesuffix("'s") for word in _written(text)}
    return set(map(key_of, words - _closed()))


def _written(text: str) -> list[str]:
    return [word.lower().replace("\u2019", "'") for word in RE.term_word.findall(text)]


def is_stop_word(word: str) -> bool:
    """True if every text has a word, so that it tells no fact from another."""
    return word in LISTS.words("stops")


@cache
def _closed() -> frozenset[str]:
    return LISTS.words("stops") | LISTS.words("negations")


def key_of(word: str) -> str:
    """Key by which a word is compared: the name of its relation, or else its stem."""
    low = word.lower().replace("\u2019", "'")
    root = stem(low)
    relation = LISTS.key_of("relations", low) or _relation_of_stem().get(root)
    return f"<{relation}>" if relation else root


@cache
def _relation_of_stem() -> dict[str, str]:
    """Relations by the stems of their words, for other forms of them; short stems are ambiguous."""
    return {
        stem(word): names[-1]
        for word, names in LISTS.keys_of("relations").items()
        # 'She calls' names nobody.
        if len(stem(word)) > _SHORT and word != "called"
    }


def keys(found: Iterable[Term]) -> set[str]:
    """The keys of some terms."""
    return {term.key for term in found}


def subject_of(statement: str) -> set[str]:
    """The keys of the terms before the first verb of a statement."""
    if (match := RE.verb_of_subject.search(statement)) is None:
        return set()
    return keys(term for term in terms(statement) if term.end <= match.start() + 1)


def negated(text: str) -> bool:
    """True if a text denies something."""
    return not LISTS.words("negations").isdisjoint(_written(text))


def same_measure(one: Quantity, other: Quantity) -> bool:
    """True if two quantities may fill one slot, be they equal or not."""
    if compare(one, other) is not None or one.dimension == other.dimension:
        return True
    first, second = sorted((one, other), key=lambda each: each.dimension != "number")
    if first.dimension != "number":
        return {one.dimension, other.dimension} == {"date", "weekday"}
    # 'moved to 10': what a bare number counts is what the old one counted.
    return second.dimension != "clock" or 0 <= first.amount <= _HOURS


def _quantity_key(one: Quantity) -> str:
    """Key by which a quantity is compared: one for '10 am', '10:00' and the '10' of 'at 10'."""
    if one.dimension == "clock":
        hours, minutes = divmod(one.amount, 60)
        return f"clock {hours}:{minutes}" if minutes else f"number {hours}"
    if one.dimension in {"date", "weekday"}:
        values = one.values[1:] if one.values[0] == 0 and len(one.values) > 1 else one.values
        return f"{one.dimension} {'/'.join(map(str, values))}"
    if one.dimension in {"version", "number"} and RE.round.search(one.text):
        # 3.10 is a version after 3.9, and no 3.1.
        return f"number {one.text}"
    # Of two parts a version may as well be a number: 'version 3.9', 'rated 3.9'.
    of_parts = one.dimension == "version"
    value = Fraction(".".join(map(str, one.values))) if of_parts else one.amount
    return f"number {value if value.denominator == 1 else f'{float(value):g}'}"


def _is_name(text: str, match: re.Match[str]) -> bool:
    word = match[0]
    if any(mark.isdigit() for mark in word) or word[1:] != word[1:].lower():
        return True
    return word[0].isupper() and before(RE.clause_start, text, match.start()) is None
