"""Near-identical texts: a strict comparison by rules, sentence by sentence.

A missed merge costs a little room, a wrong one loses a fact. So two texts are the same only if
each sentence of the one is a sentence of the other. These differences do not count: the mark at
the end, contractions, words that only add weight, openings such as 'by the way', the capital of
the first word, and a time that stands first in the one and last in the other ('In May Dana moved'
and 'Dana moved in May'). Every other difference counts: a number, a name, a negation, a date, a
tense, an article ('the lead' and 'a lead'), a comma ('Let's eat, Grandma'), a capital inside ('on
Main' and 'on main').

The same words may speak of two occasions ('The build failed'), of two days ('We meet tomorrow') or
of two things ('It is broken'). `tells_of_an_occasion` finds them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from mnemolog.language.morphology import verb_forms
from mnemolog.language.patterns import regex
from mnemolog.language.sameness.normalised_sentences import (
    APOSTROPHES,
    DENYING,
    FIRST,
    INNER,
    JOINING,
    NAMELESS,
    NormalisedSentence,
    Words,
    is_bound,
    is_of_time,
    key,
    normalised_sentences,
    opened,
    opens_plainly,
)
from mnemolog.language.sentences import sentence_texts

__all__ = ["opens_plainly", "says_all", "sentence_words", "sorted_words", "tells_of_an_occasion"]

_ARTICLES = frozenset({"a", "an", "the"})
_SAYING = regex(
    r"(?:th(?:ink|ought|inking)|hop(?:e|ing)|sa(?:y|id|ying)|tell|told|plan|mean|meant|wish|claim"
    r"|expect|guess|assum|suppos|suggest|announc|report|fear|doubt|swear|swore|feel|felt|intend"
    r"|promis|dream|insist|reckon|argu|imagin|pretend|predict|hint|admit|den(?:y|ied|ies)|ask)"
)
_BEING = frozenset({"is", "are", "am", "was", "were", "be", "been"})
_HAVING = frozenset({"have", "do"})
_SHORTEST_REST = 2


def says_all(fuller: str, other: str) -> bool:
    """Comparison: True if the fuller text says all of the other, in nearly the same words.

    The fuller text may have further sentences. Two texts are the same if each says all of the
    other.
    """
    first, second = normalised_sentences(fuller), normalised_sentences(other)
    return bool(second) and _covers(first, second)


def tells_of_an_occasion(text: str) -> bool:
    """Test: True if the same words may speak of something else at another time.

    Events do (unless dated, or such as happen only once), words that depend on the day of
    speaking, pronouns without a name, phrases of conversation, and questions.
    """
    said = text.translate(APOSTROPHES)
    if "?" in said or _DEICTIC.search(said) is not None or _TALKING.search(said) is not None:
        return True
    if _POINTING.search(said[: _first_name(said)]) is not None:
        return True
    return _DATED.search(said) is None and any(map(_happened, sentence_texts(said)))


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
"""Phrases of conversation, which answer whatever came before."""
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
"""Verbs of acts that happen once, or once and for all."""
_STATES = frozenset({"is", "are", "am", "be", "been", "gets", "get", "'s", "not"})
_AUXILIARIES = frozenset({"was", "were", "had", "did"})
_SHORTEST_PAST = 4


def _first_name(text: str) -> int:
    """Start of the first name in a text; a pronoun behind it may refer to it."""
    found = _NAME.search(text)
    return len(text) if found is None else found.start()


def _happened(sentence: str) -> bool:
    """Test: True if a sentence reports an event, with a verb in the past tense."""
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


def _covers(fuller: Sequence[NormalisedSentence], other: Sequence[NormalisedSentence]) -> bool:
    """Test: True if each sentence of `other` is one of `fuller`, in the same order."""
    ahead = iter(fuller)
    return all(any(_alike(said, wanted) for said in ahead) for wanted in other)


def _alike(one: NormalisedSentence, other: NormalisedSentence) -> bool:
    if len(one.words) != len(other.words):
        return False
    if one.words[1:] == other.words[1:]:
        return _begin_alike(one, other)
    return key(one) == key(other) and (_turned(one, other) or _turned(other, one))


def _begin_alike(one: NormalisedSentence, other: NormalisedSentence) -> bool:
    """Test: True if two sentences have the same first word, apart from an opening capital."""
    first, second = one.words[0], other.words[0]
    if first == second:
        return True
    capital = one if first[:1].isupper() else other
    return not capital.inside and opened(first) == opened(second)


def _turned(first: NormalisedSentence, last: NormalisedSentence) -> bool:
    """Test: True if a phrase opens one sentence and closes the other, and all else is the same."""
    if _is_involved(last.words):
        return False
    return any(
        _moved(first.words, last.words[:at], last.words[at:])
        for at in range(_SHORTEST_REST, len(last.words))
        if last.words[at] in FIRST and is_of_time(last.words[at + 1 :])
    )


def _moved(words: Words, rest: Words, phrase: Words) -> bool:
    """Test: True if a sentence is the phrase and then the rest, the end of the phrase visible."""
    end = len(phrase)
    opening, before, after = words[:end], words[end - 1], words[end]
    return (
        opened(opening[0]) == phrase[0]
        and (*opening[1:-1], before.removesuffix(",")) == phrase[1:]
        and words[end + 1 :] == rest[1:]
        and (before.endswith(",") or is_bound(before, after))
        # 'Polish' that opens may be a name, or polish.
        and (rest[0] == after or (opened(rest[0]) == after and after in NAMELESS))
    )


def _is_involved(words: Words) -> bool:
    """Test: True if the meaning of a sentence may depend on the place of a phrase.

    It may in joined clauses, denials and several acts: 'Dana plans to move in May' is no plan
    made in May.
    """
    bare = [word.casefold() for word in words]
    if not (JOINING | DENYING).isdisjoint(bare) or any(word[-1] in INNER for word in words):
        return True
    if any(_SAYING.match(word) for word in bare):
        return True
    known = verb_forms()
    done = [known[word] for word in bare if word in known and known[word].lemma not in _HAVING]
    acts = sum(form.form in {"s", "base"} for form in done)
    to_do = any(word == "to" and after in known for word, after in pairwise(bare))
    return to_do or len(done) > 1 or (acts > 0 and not _BEING.isdisjoint(bare))


def sorted_words(text: str) -> tuple[Words, ...]:
    """The words of each sentence of a text, in alphabetical order and without capitals.

    Equal for texts that say the same; they may be equal for other texts too.
    """
    return tuple(map(key, normalised_sentences(text)))


def sentence_words(text: str) -> list[Words]:
    """The words of each normalised sentence; none for a text that cannot be compared."""
    return [(opened(words[0]), *words[1:]) for words, _ in normalised_sentences(text)]
