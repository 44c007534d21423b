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

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from mnemolog.language.calendar import MONTHS
from mnemolog.language.lists import english
from mnemolog.language.sentences import sentence_texts, unnumbered
from mnemolog.language.words.lexicon import verb_forms

LISTS = english("sameness")
_PATTERNS = LISTS.patterns_by_name
POINTING = LISTS.pattern("pointing")  # a pronoun, or another word that refers to something

_LONGEST = 4_000  # characters: longer texts are documents, whose versions are kept apart
_APOSTROPHES = str.maketrans(dict.fromkeys("\N{RIGHT SINGLE QUOTATION MARK}\N{PRIME}`", "'"))
_ENDING = ".!…"
_INNER = ",;:"
_SHORTEST_PAST = 4

Words = tuple[str, ...]


class NormalisedSentence(NamedTuple):
    """The words of a sentence without what never changes its meaning, as written.

    Left out are the mark at its end, openings and words that only add weight; contractions are
    spelled out. `inside`: the first word follows an opening, so that its capital means something.
    """

    words: Words
    inside: bool


def says_all(fuller: str, other: str) -> bool:
    """Comparison: True if the fuller text says all of the other, in nearly the same words.

    Two texts are the same if each says all of the other.
    """
    ahead, second = iter(normalised_sentences(fuller)), normalised_sentences(other)
    return bool(second) and all(any(_alike(said, wanted) for said in ahead) for wanted in second)


def sorted_words(text: str) -> tuple[Words, ...]:
    """Sorted words of each sentence, without capitals: equal for texts that say the same."""
    return tuple(map(_key, normalised_sentences(text)))


def sentence_words(text: str) -> list[Words]:
    """The words of each normalised sentence; none for a text that cannot be compared."""
    return [(_opened(words[0]), *words[1:]) for words, _ in normalised_sentences(text)]


def opens_plainly(text: str) -> bool:
    """Test: True if a text begins without an opening such as 'by the way'."""
    return _PATTERNS.opening.match(text.translate(_APOSTROPHES).strip()) is None


def tells_of_an_occasion(text: str) -> bool:
    """Test: True if the same words may speak of something else at another time.

    Events do (unless dated, or such as happen only once), words that depend on the day of
    speaking, pronouns without a name, phrases of conversation, and questions.
    """
    said = text.translate(_APOSTROPHES)
    if "?" in said or _PATTERNS.deictic.search(said) or _PATTERNS.talking.search(said):
        return True
    # A pronoun behind the first name may refer to it.
    name = _PATTERNS.name.search(said)
    if POINTING.search(said if name is None else said[: name.start()]):
        return True
    return _PATTERNS.dated.search(said) is None and any(map(_happened, sentence_texts(said)))


def _happened(sentence: str) -> bool:
    told = [word.strip(".,;:!()\"'").casefold() for word in sentence.split()]
    for before, word in pairwise(["", *told]):
        known = verb_forms().get(word)
        if known is None:
            past = word.endswith("ed") and len(word) > _SHORTEST_PAST
        else:
            past = known.form == "past" and known.lemma not in LISTS.words("once")
        past = past or word in LISTS.words("auxiliaries")
        if past and before not in LISTS.words("states"):
            return True
    return False


# -- normalised sentences ----------------------------------------------------------------


def normalised_sentences(text: str) -> list[NormalisedSentence]:
    """The sentences of a text; none for documents and code, which cannot be compared."""
    if len(text) > _LONGEST or _PATTERNS.verbatim.search(text):
        return []
    found = [_normalised(unnumbered(one)) for one in sentence_texts(text.translate(_APOSTROPHES))]
    # Only the capital that opens the text is sure to mean nothing.
    return [
        NormalisedSentence(words, inside or number > 0)
        for number, (words, inside) in enumerate(found)
        if words
    ]


def _normalised(text: str) -> NormalisedSentence:
    opening = _PATTERNS.opening.match(text)
    bare = text if opening is None else text[opening.end() :]
    words = LISTS.rewritten("contractions", " ".join(bare.replace("?", " ?").split())).split()
    if words:
        # Other tokens lose the full stop only: 'hunter2!' is another password.
        last = words.pop()
        last = last.rstrip(_ENDING if _is_plain(last.rstrip(_ENDING)) else ".")
        words += [last] if last else []
    inside = opening is not None and opening[0].rstrip()[-1] not in ":!"
    kept, weight = _uncommaed(tuple(words)), LISTS.words("weight")
    if not (weight.isdisjoint(kept[1:-1]) or _is_joined(map(str.casefold, kept))):
        kept = (kept[0], *(word for word in kept[1:-1] if word not in weight), kept[-1])
    return NormalisedSentence(kept, inside)


def _uncommaed(words: Words) -> Words:
    """The words without the comma behind an opening time, where none is needed."""
    at = [number for number, word in enumerate(words[:-1]) if word.endswith(",")]
    if len(at) != 1 or _opened(words[0]) not in LISTS.words("first"):
        return words
    (end,) = at
    phrase = (*words[1:end], words[end][:-1])
    apart = not _is_of_time(phrase) or not _is_bound(phrase[-1], words[end + 1])
    return words if apart else (words[0], *phrase, *words[end + 1 :])


def _is_joined(words: Iterable[str]) -> bool:
    return not (LISTS.words("joining") | LISTS.words("denying")).isdisjoint(words)


def _key(sentence: NormalisedSentence) -> Words:
    return tuple(sorted(word.casefold().rstrip(_INNER) for word in sentence.words))


def _opened(word: str) -> str:
    """First word without its capital, unless that has a meaning: 'US', 'A' (a grade), 'Hunter2'."""
    titled = word == "I" or word[1:] == word[1:].lower()
    return word.lower() if titled and _is_plain(word) else word


def _is_plain(word: str) -> bool:
    return word.replace("'", "").replace("-", "").rstrip(_INNER).isalpha()


def _is_of_time(phrase: Words) -> bool:
    """Test for a time and nothing else, as 'in May'; a place may belong to the word before."""
    times, bare = LISTS.words("times"), [word.casefold() for word in phrase]
    others = [word for word in bare if word not in times and not _PATTERNS.date.fullmatch(word)]
    return len(others) < len(phrase) and all(map(_PATTERNS.of_dates.fullmatch, others))


def _is_bound(before: str, after: str) -> bool:
    """Test for a phrase that must end between two words: 'In winter we meet' is read in one way."""
    closed = not before[:1].isupper() or (before.istitle() and before.lower() in MONTHS)
    return after in LISTS.words("nameless") or (after[:1].isupper() and closed)


# -- comparison of two sentences ---------------------------------------------------------


def _alike(one: NormalisedSentence, other: NormalisedSentence) -> bool:
    if len(one.words) != len(other.words):
        return False
    if one.words[1:] == other.words[1:]:
        # The first words may differ in an opening capital.
        first, second = one.words[0], other.words[0]
        capital = one if first[:1].isupper() else other
        return first == second or (not capital.inside and _opened(first) == _opened(second))
    return _key(one) == _key(other) and (_turned(one, other) or _turned(other, one))


def _turned(first: NormalisedSentence, last: NormalisedSentence) -> bool:
    """Test: True if a phrase opens one sentence and closes the other, and all else is the same."""
    return not _is_involved(last.words) and any(
        _moved(first.words, last.words[:at], last.words[at:])
        for at in range(2, len(last.words))
        if last.words[at] in LISTS.words("first") and _is_of_time(last.words[at + 1 :])
    )


def _moved(words: Words, rest: Words, phrase: Words) -> bool:
    end = len(phrase)
    before, after = words[end - 1], words[end]
    return (
        (_opened(words[0]), *words[1 : end - 1], before.removesuffix(",")) == phrase
        and words[end + 1 :] == rest[1:]
        and (before.endswith(",") or _is_bound(before, after))
        # 'Polish' that opens may be a name, or polish.
        and (rest[0] == after or (_opened(rest[0]) == after and after in LISTS.words("nameless")))
    )


def _is_involved(words: Words) -> bool:
    """Test for a meaning that depends on the place of a phrase: 'Dana plans to move in May'."""
    bare = [word.casefold() for word in words]
    joined = _is_joined(bare) or any(word[-1] in _INNER for word in words)
    if joined or any(map(_PATTERNS.saying.match, bare)):
        return True
    known = verb_forms()
    done = [form for word in bare if (form := known.get(word)) and form.lemma not in {"have", "do"}]
    acts = any(form.form in {"s", "base"} for form in done)
    to_do = any(word == "to" and after in known for word, after in pairwise(bare))
    return to_do or len(done) > 1 or (acts and not LISTS.words("being").isdisjoint(bare))
