"""Terms that carry the meaning of a text: names, quantities, and words by their stems.

Words of one relation ('lives', 'resides') are one term, so wordings of one fact share terms.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache

import msgspec

from mnemolog.language.lists import Lists, before
from mnemolog.language.quantities.amounts import Quantity
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.quantities.numbers import number_in_words
from mnemolog.language.sentences import spoken
from mnemolog.language.words.lexicon import stem

_LISTS = Lists("mnemolog.policies", "terms")
_PATTERNS = _LISTS.patterns_by_name

_NUMBER_PARTS = 2
_SHORT = 3
_SAME_WORDS = 0.6  # Least share of words that two texts of one meaning have in common


class Term(msgspec.Struct, frozen=True):
    """One term of a text: a word (or relation), a name or a quantity, and its characters."""

    key: str
    kind: str
    start: int
    end: int


# A text is compared with a hundred retired ones.
@lru_cache(maxsize=512)
def terms(text: str) -> tuple[Term, ...]:
    """The terms of a text, in order."""
    found = [
        Term(_quantity_key(one), "quantity", one.start, one.end)
        for one in quantities(text)
        # A version of three parts or more is written one way only: its words tell it.
        if (one.dimension != "version" or len(one.values) <= _NUMBER_PARTS)
        and one.text.lower() not in {"one", "a", "an"}
    ]
    closed = _closed()
    spans = sorted(((one.end, one.start) for one in found), reverse=True)
    for match in _PATTERNS.term_word.finditer(text):
        start, end = match.span()
        while spans and spans[-1][0] <= start:
            spans.pop()
        low = match[0].lower().replace("\u2019", "'")
        if (spans and spans[-1][1] < end) or low in closed:
            continue
        amount = None if low == "one" else number_in_words(low)
        if amount is not None:
            measure = Quantity("number", "", (amount,), match[0], start, end)
            found.append(Term(_quantity_key(measure), "quantity", start, end))
        elif (
            low == "work"
            and before(_PATTERNS.at_work, text, start)
            and not _PATTERNS.works_at.match(text, end)
        ):
            # 'Walks to work' says not where.
            found.append(Term(low, "word", start, end))
        elif low != "address" or before(_PATTERNS.of_mail, text, start) is None:
            # A mail address is not where somebody lives.
            kind = "name" if _is_name(text, match) else "word"
            found.append(Term(_key_of(low), kind, start, end))
    return tuple(sorted(found, key=lambda term: term.start))


def content_words(text: str) -> set[str]:
    """The stems of a text's open-class words: cheaper than its terms, and enough to look it up."""
    words = {word.removesuffix("'s") for word in _written(text)}
    return set(map(_key_of, words - _closed()))


def _written(text: str) -> list[str]:
    return [word.lower().replace("\u2019", "'") for word in _PATTERNS.term_word.findall(text)]


def is_stop_word(word: str) -> bool:
    """True if every text has a word, so that it tells no fact from another."""
    return word in _LISTS.words("stops")


@cache
def _closed() -> frozenset[str]:
    return _LISTS.words("stops") | _LISTS.words("negations")


def _key_of(word: str) -> str:
    """Key by which a word is compared: the name of its relation, or else its stem."""
    low = word.lower().replace("\u2019", "'")
    root = stem(low)
    relation = _LISTS.key_of("relations", low) or _relation_of_stem().get(root)
    return f"<{relation}>" if relation else root


@cache
def _relation_of_stem() -> dict[str, str]:
    """Relations by the stems of their words, for other forms of them; short stems are ambiguous."""
    return {
        stem(word): names[-1]
        for word, names in _LISTS.keys_of("relations").items()
        # 'She calls' names nobody.
        if len(stem(word)) > _SHORT and word != "called"
    }


def _keys(found: Iterable[Term]) -> set[str]:
    return {term.key for term in found}


def same_meaning(one: str, other: str) -> bool:
    """True if two texts state the same: equal names and quantities, and most words in common."""
    if one == other or _denies(one) != _denies(other):
        return one == other
    first, second = terms(spoken(one)[1]), terms(spoken(other)[1])
    ours, theirs = _keys(first), _keys(second)
    if not ours or not theirs:
        return one.split() == other.split()
    firm = {term.key for term in (*first, *second) if term.kind != "word"}
    differ, both = ours ^ theirs, ours & theirs
    return not differ & firm and len(both) / len(ours | theirs) >= _SAME_WORDS


def _denies(text: str) -> bool:
    return not _LISTS.words("negations").isdisjoint(_written(text))


def _quantity_key(one: Quantity) -> str:
    """Key by which a quantity is compared: one for '10 am', '10:00' and the '10' of 'at 10'."""
    if one.dimension == "clock":
        hours, minutes = divmod(one.amount, 60)
        return f"clock {hours}:{minutes}" if minutes else f"number {hours}"
    if one.dimension in {"date", "weekday"}:
        values = one.values[1:] if one.values[0] == 0 and len(one.values) > 1 else one.values
        return f"{one.dimension} {'/'.join(map(str, values))}"
    if one.dimension in {"version", "number"} and _PATTERNS.round.search(one.text):
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
    return word[0].isupper() and before(_PATTERNS.clause_start, text, match.start()) is None
