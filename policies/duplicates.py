"""Whether one text says what another says, in nearly the same words: by rule, and strictly.

A merge that is missed costs a little room, one that is wrong loses what was said. So two
texts are the same only if each sentence of the one is a sentence of the other, but for
punctuation, capitals, articles, contractions, words that only lend weight, openings such
as 'by the way', and a phrase that stands first in the one and last in the other ('In May
Dana moved' and 'Dana moved in May'). Any other word makes a difference: a number, a name,
a negation, a date, a tense.

The same words may be said of two occasions ('The build failed'), of two days ('We meet
tomorrow') or of two things ('It is broken'). Such words are never the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ledger.patterns import regex
from policies.statements.english import verb_forms

_LONGEST = 4_000
"""Characters: longer texts are documents, whose versions are their authors' affair."""

_APOSTROPHES = str.maketrans(dict.fromkeys("\N{RIGHT SINGLE QUOTATION MARK}\N{PRIME}`", "'"))
_VERBATIM = regex(r"```|`|^\s*[>|]|\t", re.MULTILINE)
_SENTENCE_END = regex(
    r"(?<!\b(?:Mr|Ms|Dr|St|vs|No)\.)(?<!\bMrs\.)(?<!\bProf\.)(?<!\be\.g\.)(?<!\bi\.e\.)"
    r"(?<=[.!?…])[\"')\]]*\s+|\s*\n+\s*"
)
_OPENING = regex(
    r"(?:(?:by the way|btw|fyi|for the record|note that|remember that|please note that"
    r"|please remember that|just so you know|as i said|as i told you|as mentioned|as a reminder)"
    # One word alone may be what is spoken of: 'Well water is safe', 'Reminder emails are sent'.
    r"[,:!]? |(?:note|reminder|oh|hey|hi|hello|ok|okay|well|also|again|yes|yeah)[,:!] )+",
    re.IGNORECASE,
)
_ENDING = ".,;:!…"
_CONTRACTED = (
    (regex(r"\bcan(?:'t|not)\b"), "can not"),
    (regex(r"\bwon't\b"), "will not"),
    (regex(r"\bshan't\b"), "shall not"),
    (regex(r"n't\b"), " not"),
    (regex(r"\b(i)'m\b"), r"\1 am"),
    (regex(r"\b(you|we|they)'re\b"), r"\1 are"),
    (regex(r"\b(i|you|we|they)'ve\b"), r"\1 have"),
    (regex(r"\b(i|you|we|they|he|she|it)'ll\b"), r"\1 will"),
)
_ARTICLES = frozenset({"a", "an", "the"})
_COUNTED = frozenset({"few", "little", "bit", "lot", "couple", "number", "while"})
"""Words that say something else with an article: 'a few' are some, 'few' are hardly any."""
_WEIGHT = frozenset({"really", "very", "indeed", "definitely", "certainly", "absolutely", "truly"})
_DENYING = frozenset({"not", "no", "never", "none", "nobody", "nothing", "neither", "nor",
                      "hardly", "without"})  # fmt: skip
"""Beside one of these a word that lends weight changes what is said: 'not really'."""
_FIRST = frozenset({
    "in", "on", "at", "for", "with", "during", "since", "after", "before", "every", "each",
    "until", "from", "by",
})  # fmt: skip
"""A phrase that begins with one of these may stand first or last."""
_JOINING = frozenset({
    "and", "or", "but", "if", "unless", "because", "while", "when", "that", "which", "who",
    "than", "so", "then", "not", "no", "never", "only", "just", "except", "?",
})  # fmt: skip
"""With one of these about, where a phrase stands may tell what it goes with."""
_SHORTEST_REST = 2

Words = tuple[str, ...]


def says_all(fuller: str, other: str) -> bool:
    """Whether a text says all that another one says, in nearly the same words.

    It may say more, in sentences of its own. Two texts say the same if each says all of
    the other.
    """
    first, second = told(fuller), told(other)
    return bool(second) and _covers(first, second)


def tells_of_an_occasion(text: str) -> bool:
    """Whether the same words, said another time, may tell of something else.

    So what happened, unless it is dated or happens but once; what goes by the day on which
    it was said; what only points at what it is about; what one says in talk; and questions.
    """
    said = text.translate(_APOSTROPHES)
    if "?" in said or _DEICTIC.search(said) is not None or _TALKING.search(said) is not None:
        return True
    if _POINTING.search(said[: _first_name(said)]) is not None:
        return True
    return _DATED.search(said) is None and any(map(_happened, _SENTENCE_END.split(said)))


_DEICTIC = regex(
    r"\b(?:today|tonight|tomorrow|yesterday|ago|recently|lately|soon|later|earlier|just|already"
    r"|yet|again|once|another|now|currently|this (?:morning|afternoon|evening|night|week|weekend"
    r"|month|quarter|year|time|sprint)|(?:next|last) \w+|the (?:other day|day before|day after)"
    r"|(?<!\bevery )(?<!\beach )(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
_TALKING = regex(
    r"\b(?:thanks?|bye|goodbye|good (?:morning|evening|night|luck)|congrat\w*|welcome|cheers"
    r"|sorry|see you|take care|for sure|sounds)\b",
    re.IGNORECASE,
)
"""What is said to each other in talk, to whatever came before."""
_POINTING = regex(
    r"(?:\A|[:.!?] )that\b|\b(?:it|its|he|she|they|him|his|her|hers|them|their|theirs|this|these"
    r"|those|here|there|one|ones|both|former|latter|above|below|same|other|others)\b",
    re.IGNORECASE,
)
_NAME = regex(r"(?<![.!?:] )(?<!\A)\b[A-Z][a-z]\w+|\A[A-Z][a-z]\w+(?= \w+s\b|'s\b)")
_DATED = regex(
    r"\b(?:1[89]|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\bin (?:january|february|march|april"
    r"|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
_ONCE = frozenset({
    "decide", "agree", "choose", "pick", "approve", "reject", "adopt", "move", "join",
    "graduate", "marry", "found", "retire", "rename", "migrate", "replace", "name", "invent",
    "write", "design", "bear",
})  # fmt: skip
"""What is done once, or once and for all."""
_STATES = frozenset({"is", "are", "am", "be", "been", "gets", "get", "'s", "not"})
_AUXILIARIES = frozenset({"was", "were", "had", "did"})
_SHORTEST_PAST = 4


def _first_name(text: str) -> int:
    """Where the first name in a text stands, behind which a pronoun may point at it."""
    found = _NAME.search(text)
    return len(text) if found is None else found.start()


def _happened(sentence: str) -> bool:
    """Whether a sentence tells what happened, by the past tense of a verb in it."""
    forms = verb_forms()
    told = [word.strip(".,;:!()\"'").casefold() for word in sentence.split()]
    for before, word in zip(["", *told], told, strict=False):
        known = forms.get(word)
        past = word in _AUXILIARIES or (
            known.form == "past"
            if known is not None
            else word.endswith("ed") and len(word) > _SHORTEST_PAST
        )
        state = before in _STATES or before in _ARTICLES
        if past and not state and (known is None or known.lemma not in _ONCE):
            return True
    return False


def opens_plainly(text: str) -> bool:
    """Whether a text begins with what it says, not with 'by the way' or the like."""
    return _OPENING.match(text.translate(_APOSTROPHES).strip()) is None


def _covers(fuller: Sequence[Words], other: Sequence[Words]) -> bool:
    """Whether each sentence of `other` is one of `fuller`, in the same order."""
    ahead = iter(fuller)
    return all(any(_alike(said, wanted) for said in ahead) for wanted in other)


def _alike(one: Words, other: Words) -> bool:
    return one == other or (
        len(one) == len(other) and sorted(one) == sorted(other) and _turned(one, other)
    )


def _turned(one: Words, other: Words) -> bool:
    """Whether a phrase that opens one sentence closes the other, and all else is the same."""
    if not _JOINING.isdisjoint(one):
        return False
    return any(
        moved[0] in _FIRST and len(rest) >= _SHORTEST_REST and first == moved + rest
        for first, last in ((one, other), (other, one))
        for at in range(_SHORTEST_REST, len(last))
        for rest, moved in [(last[:at], last[at:])]
    )


def told(text: str) -> list[Words]:
    """The sentences of a text as the words that tell; none for one that cannot be compared."""
    if len(text) > _LONGEST or _VERBATIM.search(text) is not None:
        return []
    plain = text.translate(_APOSTROPHES)
    sentences = (_words(sentence) for sentence in _SENTENCE_END.split(plain.strip()))
    return [sentence for sentence in sentences if sentence]


def _words(sentence: str) -> Words:
    bare = _OPENING.sub("", sentence, count=1) if _OPENING.match(sentence) else sentence
    first, *others = bare.replace("?", " ?").split() or [""]
    folded = " ".join([_folded(first, opens=True), *(_folded(word) for word in others)])
    for pattern, spelled in _CONTRACTED:
        folded = pattern.sub(spelled, folded)
    found = [word for part in folded.split() if (word := _unmarked(part))]
    plain = _DENYING.isdisjoint(found)
    return tuple(
        word
        for word, after in zip(found, [*found[1:], ""], strict=False)
        if not (word in _ARTICLES and after not in _COUNTED) and not (plain and word in _WEIGHT)
    )


def _folded(word: str, *, opens: bool = False) -> str:
    """A word without its capitals, unless they are all it has: 'US' is not 'us', 'A' no 'a'.

    What is no plain word stays as it is: 'hunter2', 'Hunter2' and 'hunter2!' are three
    passwords.
    """
    bare = word.rstrip(_ENDING)
    if bare.isupper() and bare != "I" and (len(bare) > 1 or not opens):
        return word
    parts = bare.replace("'", "").replace("-", "")
    return (
        word.casefold()
        if bare == "I" or (parts.isalpha() and parts[1:] == parts[1:].lower())
        else word
    )


def _unmarked(word: str) -> str:
    """A word without the marks that end it; of what is no plain word, '.', ',' and ';' alone."""
    plain = word.rstrip(_ENDING).replace("'", "").replace("-", "").isalpha()
    return word.rstrip(_ENDING if plain else ".,;")
