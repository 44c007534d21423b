"""English morphology: singular and plural of nouns, forms of verbs, and the stem of any word.

Small rules, and lists of exceptions in `words/inflections.toml`. Names keep their form: James and
Texas are no plurals, and Banks is one only without its capital.

Search terms have another stemmer (`language/analysis.py`), which decides what indexes store.
"""

from collections.abc import Iterable
from functools import cache

import msgspec

from mnemolog.language.lists import english

_LISTS = english("inflections")
_PATTERNS = _LISTS.patterns_by_name
_SHORT = 3


class VerbForm(msgspec.Struct, frozen=True):
    """A form of a verb: its base, and whether it is base, s, past or ing."""

    lemma: str
    form: str


# -- nouns -------------------------------------------------------------------------------


def singular(word: str) -> str:
    """The singular of a noun, in small letters; what is no plural comes back as it is."""
    low = word.lower()
    known = _irregular_singulars().get(low)
    if known is not None:
        return known
    if low in _unchanged() or word in _LISTS.words("names_with_capital"):
        return low
    # Three letters may be a shortened plural: 'hrs', 'kgs'.
    short = len(low) < _SHORT or (len(low) == _SHORT and not _PATTERNS.no_vowel.match(low))
    if short or _PATTERNS.keeps_s.search(low):
        return low
    if low.endswith("ies") and len(low) > len("ties"):
        return f"{low[:-3]}y"
    return low[:-2] if _PATTERNS.added_es.search(low) else low[:-1]


def is_plural(word: str) -> bool:
    """Test: True for a plural noun."""
    low = word.lower()
    return low in _LISTS.words("only_plural") or singular(word) != low


def plural(noun: str) -> str:
    """The plural of a singular noun; a noun without one comes back as it is."""
    low = noun.lower()
    if low in _irregular_plurals():
        return _irregular_plurals()[low]
    return noun if low in _unchanged() else _with_s(noun)


def _with_s(word: str) -> str:
    if _PATTERNS.ends_in_y.search(word):
        return f"{word[:-1]}ies"
    return f"{word}es" if _PATTERNS.hisses.search(word) else f"{word}s"


@cache
def _unchanged() -> frozenset[str]:
    return _LISTS.words("no_plurals") | _LISTS.words("only_plural") | _LISTS.words("names")


@cache
def _irregular_singulars() -> dict[str, str]:
    rows = (row.split() for row in _LISTS.text("irregular_plurals").split("|"))
    regular = {f"{noun}s": noun for noun in _LISTS.words("plural_adds_s")}
    return regular | dict(rows)


@cache
def _irregular_plurals() -> dict[str, str]:
    return {noun: many for many, noun in _irregular_singulars().items() if many != "persons"}


# -- verbs -------------------------------------------------------------------------------


@cache
def verb_forms() -> dict[str, VerbForm]:
    """Every form of the verbs that make clauses; of two readings of a form, the present tense."""
    return _conjugated(_LISTS.text("verbs").split())


@cache
def known_verbs() -> frozenset[str]:
    """The base forms of `verb_forms`."""
    return _LISTS.words("verbs")


@cache
def _all_verb_forms() -> dict[str, VerbForm]:
    verbs, doubling = _LISTS.text("verbs").split(), _LISTS.words("doubling_verbs")
    return _conjugated([*verbs, *_irregular_verbs(), *doubling])


def _conjugated(verbs: Iterable[str]) -> dict[str, VerbForm]:
    found: dict[str, VerbForm] = {}
    for verb in dict.fromkeys(verbs):
        doubles = verb in _LISTS.words("doubling_verbs")
        root = verb + verb[-1] if doubles else verb.removesuffix("e")
        past = f"{verb[:-1]}ied" if _PATTERNS.ends_in_y.search(verb) else f"{root}ed"
        for form in _irregular_verbs().get(verb, (past,)):
            found.setdefault(form, VerbForm(verb, "past"))
        found[_present_participle(verb, root)] = VerbForm(verb, "ing")
        third = f"{verb}es" if verb.endswith("o") else _with_s(verb)
        found["has" if verb == "have" else third] = VerbForm(verb, "s")
        found[verb] = VerbForm(verb, "base")
    return found


def _present_participle(verb: str, root: str) -> str:
    if verb.endswith(("ee", "oe", "ye")):
        return f"{verb}ing"
    return f"{verb[:-2]}ying" if verb.endswith("ie") else f"{root}ing"


@cache
def _irregular_verbs() -> dict[str, list[str]]:
    rows = (row.split() for row in _LISTS.text("irregular_verbs").split("|"))
    return {verb: forms for verb, *forms in rows}


# -- stems -------------------------------------------------------------------------------


def stem(word: str) -> str:
    """The key that all forms of a word share: 'mov' for move, moves, moved and moving.

    A key to compare words by, and rarely a word itself.
    """
    low = word.lower()
    if not low.isalpha():
        return low
    verb = _all_verb_forms().get(low)
    base = singular(word) if verb is None else verb.lemma
    if base == low:
        base = _without_verb_ending(low)
    return base.removesuffix("e") if len(base) > _SHORT else base


def _without_verb_ending(low: str) -> str:
    """A word without -ing or -ed, where what is left may be a verb."""
    if low in _LISTS.words("no_verb_forms") or low.endswith("eed"):
        return low
    if low.endswith("ied"):
        return f"{low[:-3]}y"
    for ending in ("ing", "ed"):
        root = low.removesuffix(ending)
        if root != low and len(root) >= _SHORT and _PATTERNS.has_vowel.search(root):
            return root[:-1] if _PATTERNS.double.search(root) else root
    return low
