"""Normalised sentences: the words of a text without differences that never change the meaning.

Left out are the mark at the end of a sentence, openings such as 'by the way', and words that only
add weight; contractions are spelled out.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mnemolog.language.patterns import regex
from mnemolog.language.sentences import sentence_texts, unnumbered

_LONGEST = 4_000
"""Characters; longer texts are documents, whose versions are kept apart."""

APOSTROPHES = str.maketrans(dict.fromkeys("\N{RIGHT SINGLE QUOTATION MARK}\N{PRIME}`", "'"))
_VERBATIM = regex(r"```|`|^[^\S\n]*+[>|]|\t", re.MULTILINE)
_OPENING = regex(
    r"(?:(?:by the way|for the record|just so you know|as i said|as i told you|as mentioned"
    # With a mark alone: 'By the way she walks', 'As I said no to Ben'.
    r"|as a reminder)[,:!] "
    r"|(?:btw|fyi)[,:!]? |(?:please )?(?:note|remember) that "
    # One word alone may be what is spoken of: 'Well water is safe', 'Reminder emails are sent'.
    r"|(?:note|reminder|oh|hey|hi|hello|ok|okay|well|also|again|yes|yeah)[,:!] )+",
    re.IGNORECASE,
)
_ENDING = ".!…"
INNER = ",;:"
_CONTRACTED = (
    (regex(r"\b([Cc]an)'t\b"), r"\1not"),
    (regex(r"\b([Ww])on't\b"), r"\1ill not"),
    (regex(r"\b([Ss]ha)n't\b"), r"\1ll not"),
    (regex(r"n't\b"), " not"),
    (regex(r"\b([Ii])'m\b"), r"\1 am"),
    (regex(r"\b([Yy]ou|[Ww]e|[Tt]hey)'re\b"), r"\1 are"),
    (regex(r"\b([Ii]|[Yy]ou|[Ww]e|[Tt]hey)'ve\b"), r"\1 have"),
    (regex(r"\b([Ii]|[Yy]ou|[Ww]e|[Tt]hey|[Hh]e|[Ss]he|[Ii]t)'ll\b"), r"\1 will"),
)
_WEIGHT = frozenset({"really", "indeed", "definitely", "certainly"})
DENYING = frozenset({"not", "no", "never", "none", "nobody", "nothing", "neither", "nor",
                      "hardly", "barely", "scarcely", "rarely", "seldom", "few", "little",
                      "without"})  # fmt: skip
JOINING = frozenset({
    "and", "or", "but", "if", "unless", "because", "while", "when", "whenever", "where", "that",
    "which", "who", "whose", "what", "whether", "how", "why", "than", "as", "so", "then", "only",
    "just", "except", "even", "also", "though", "although", "must", "?",
})  # fmt: skip
"""Beside one of these or a denial, a word of weight may change the meaning ('not really', 'if you
really need it'), and the place of a phrase may change what it belongs to."""
FIRST = frozenset({
    "in", "on", "at", "during", "since", "after", "before", "every", "each", "until",
})  # fmt: skip
"""A phrase that begins with one of these may stand first or last."""
NAMELESS = frozenset({
    "i", "we", "you", "he", "she", "it", "they", "my", "our", "your", "his", "her", "its", "their",
    "the", "a", "an", "this", "that", "these", "those", "there", "all", "both", "some", "any",
    "most", "many", "several", "use", "do", "does", "please",
})  # fmt: skip
"""Words that have a capital only at the beginning of a sentence, and are no names."""
_TIMES = frozenset({
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays",
    "sundays", "spring", "summer", "autumn", "winter", "christmas", "easter", "morning", "mornings",
    "afternoon", "afternoons", "evening", "evenings", "night", "nights", "noon", "midnight",
    "lunch", "breakfast", "dinner", "day", "days", "week", "weeks", "weekend", "weekends",
    "weekday", "weekdays", "month", "months", "quarter", "year", "years",
})  # fmt: skip
_DATE = regex(r"(?:1[89]|20)\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d\d(?:am|pm)?")
_OF_DATES = regex(r"the|early|late|mid|of|second|third|other|\d{1,2}(?:st|nd|rd|th)?")
_MONTHS = frozenset({
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
})  # fmt: skip
Words = tuple[str, ...]


class NormalisedSentence(NamedTuple):
    """The words of a sentence without what never changes its meaning, as written.

    `inside`: the first word follows an opening, so that its capital means something.
    """

    words: Words
    inside: bool


def normalised_sentences(text: str) -> list[NormalisedSentence]:
    """The sentences of a text; none for documents and code, which cannot be compared."""
    if len(text) > _LONGEST or _VERBATIM.search(text) is not None:
        return []
    plain = text.translate(APOSTROPHES)
    found = [_sentence(unnumbered(one)) for one in sentence_texts(plain)]
    # Only the capital that opens the text is sure to mean nothing.
    return [
        sentence._replace(inside=sentence.inside or number > 0)
        for number, sentence in enumerate(found)
        if sentence.words
    ]


def opens_plainly(text: str) -> bool:
    """Test: True if a text begins without an opening such as 'by the way'."""
    return _OPENING.match(text.translate(APOSTROPHES).strip()) is None


def key(sentence: NormalisedSentence) -> Words:
    """The words of a sentence in alphabetical order, without capitals or marks."""
    return tuple(sorted(word.casefold().rstrip(INNER) for word in sentence.words))


def _sentence(text: str) -> NormalisedSentence:
    opening = _OPENING.match(text)
    bare = text if opening is None else text[opening.end() :]
    spelled = " ".join(bare.replace("?", " ?").split())
    for pattern, whole in _CONTRACTED:
        spelled = pattern.sub(whole, spelled)
    words = spelled.split()
    if words:
        words[-1:] = [last] if (last := _ended(words[-1])) else []
    inside = opening is not None and opening[0].rstrip()[-1] not in ":!"
    return NormalisedSentence(_unweighted(_uncommaed(tuple(words))), inside)


def _ended(word: str) -> str:
    """The last word of a sentence without the marks that end it.

    Other tokens lose the full stop only: 'hunter2!' is another password.
    """
    return word.rstrip(_ENDING if _is_plain(word.rstrip(_ENDING)) else ".")


def _uncommaed(words: Words) -> Words:
    """The words without the comma behind an opening time, where none is needed."""
    at = [number for number, word in enumerate(words[:-1]) if word.endswith(",")]
    if len(at) != 1 or opened(words[0]) not in FIRST:
        return words
    (end,) = at
    phrase = (*words[1:end], words[end][:-1])
    if not is_of_time(phrase) or not is_bound(phrase[-1], words[end + 1]):
        return words
    return (words[0], *phrase, *words[end + 1 :])


def _unweighted(words: Words) -> Words:
    """The words without those that only add weight to the next one."""
    if not (DENYING | JOINING).isdisjoint(word.casefold() for word in words):
        return words
    end = len(words) - 1
    return tuple(
        word for number, word in enumerate(words) if not (word in _WEIGHT and 0 < number < end)
    )


def opened(word: str) -> str:
    """The first word of a sentence without its capital, unless that has a meaning of its own.

    'US' is not 'us', 'A' may be a grade; 'hunter2' and 'Hunter2' are two passwords.
    """
    return word.lower() if _is_plain(word) and (word == "I" or _is_titled(word)) else word


def _is_plain(word: str) -> bool:
    return word.replace("'", "").replace("-", "").rstrip(INNER).isalpha()


def _is_titled(word: str) -> bool:
    return word[1:] == word[1:].lower()


def is_of_time(phrase: Words) -> bool:
    """Test: True if a phrase is a time and nothing else, as 'in May'.

    Places are left out: they may belong to the word before, as in 'a book on trains'.
    """
    bare = [word.casefold() for word in phrase]
    when = [word in _TIMES or _DATE.fullmatch(word) is not None for word in bare]
    return any(when) and all(
        known or _OF_DATES.fullmatch(word) is not None
        for known, word in zip(when, bare, strict=True)
    )


def is_bound(before: str, after: str) -> bool:
    """Test: True if a phrase must end between two words, with or without a comma.

    'In winter we meet' can be read in one way, 'In winter evening meetings stop' in two,
    and so can 'In Paris Texas is known'.
    """
    closed = not before[:1].isupper() or before in _MONTHS
    return after in NAMELESS or (after[:1].isupper() and closed)
