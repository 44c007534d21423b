"""English morphology: singular and plural of nouns, forms of verbs, and the stem of any word.

Small rules, and lists of exceptions in `words/inflections.toml`. Names keep their form: James and
Texas are no plurals, and Banks is one only without its capital.

Search terms have another stemmer (`language/analysis.py`), which decides what indexes store.
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

from mnemolog.language.lists import english


class VerbForm(msgspec.Struct, frozen=True):
    """A form of a verb: its base, and whether it is base, s, past or ing."""

    lemma: str
    form: str


def singular(word: str) -> str:
    """The singular of a noun, in small letters; what is no plural comes back as it is."""
    low = word.lower()
    known = _irregular_singulars().get(low)
    if known is not None:
        return known
    if low in _unchanged() or word in _listed("names_with_capital"):
        return low
    return _regular_singular(low)


def is_plural(word: str) -> bool:
    """Test: True for a plural noun."""
    return word.lower() in _listed("only_plural") or singular(word) != word.lower()


def plural(noun: str) -> str:
    """The plural of a singular noun; a noun without one comes back as it is."""
    if noun.lower() in _irregular_plurals():
        return _irregular_plurals()[noun.lower()]
    if noun.lower() in _unchanged():
        return noun
    if _ENDS_IN_Y.search(noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if _HISSES.search(noun) else f"{noun}s"


@cache
def verb_forms() -> dict[str, VerbForm]:
    """Every form of the verbs that make clauses; of two readings of a form, the present tense."""
    return _conjugated(tuple(english(_FILE).text("verbs").split()))


@cache
def known_verbs() -> frozenset[str]:
    """The base forms of `verb_forms`."""
    return _listed("verbs")


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


_FILE = "inflections"
_SHORT = 3
_ENDS_IN_Y = re.compile(r"[^aeiou]y$")
_HISSES = re.compile(r"(?:s|x|z|ch|sh)$")
_KEEPS_S = re.compile(r"(?:[^s]|ss|us|[stx]is|polis|'s)$")
_ADDED_ES = re.compile(r"(?:ss|x|zz|tz|ch|sh|o|[^aeo]us)es$")
_NO_VOWEL = re.compile(r"[^aeiouy]+s$")
_HAS_VOWEL = re.compile(r"[aeiouy]")
_DOUBLE = re.compile(r"([bdgkmnprt])\1$")


def _regular_singular(low: str) -> str:
    if _KEEPS_S.search(low) or len(low) < _SHORT or (len(low) == _SHORT and not _is_short(low)):
        return low
    if low.endswith("ies") and len(low) > len("ties"):
        return f"{low[:-3]}y"
    return low[:-2] if _ADDED_ES.search(low) else low[:-1]


def _is_short(low: str) -> bool:
    """Test: True for three letters that are a shortened plural: 'hrs', 'kgs'."""
    return _NO_VOWEL.match(low) is not None


def _without_verb_ending(low: str) -> str:
    """A word without -ing or -ed, where what is left may be a verb."""
    if low in _listed("no_verb_forms") or low.endswith("eed"):
        return low
    if low.endswith("ied"):
        return f"{low[:-3]}y"
    for ending in ("ing", "ed"):
        root = low.removesuffix(ending)
        if root != low and len(root) >= _SHORT and _HAS_VOWEL.search(root):
            return root[:-1] if _DOUBLE.search(root) else root
    return low


@cache
def _all_verb_forms() -> dict[str, VerbForm]:
    stored = english(_FILE)
    return _conjugated(
        (*stored.text("verbs").split(), *_irregular_verbs(), *_listed("doubling_verbs"))
    )


def _conjugated(verbs: tuple[str, ...]) -> dict[str, VerbForm]:
    found: dict[str, VerbForm] = {}
    for verb in dict.fromkeys(verbs):
        root = verb + verb[-1] if verb in _listed("doubling_verbs") else verb.removesuffix("e")
        ends_in_y = _ENDS_IN_Y.search(verb) is not None
        past = f"{verb[:-1]}ied" if ends_in_y else f"{root}ed"
        for form in _irregular_verbs().get(verb, (past,)):
            found.setdefault(form, VerbForm(verb, "past"))
        found[_present_participle(verb, root)] = VerbForm(verb, "ing")
        found[_third_person(verb)] = VerbForm(verb, "s")
        found[verb] = VerbForm(verb, "base")
    return found


def _present_participle(verb: str, root: str) -> str:
    if verb.endswith(("ee", "oe", "ye")):
        return f"{verb}ing"
    return f"{verb[:-2]}ying" if verb.endswith("ie") else f"{root}ing"


def _third_person(verb: str) -> str:
    if verb == "have":
        return "has"
    if _ENDS_IN_Y.search(verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if _HISSES.search(verb) or verb.endswith("o") else f"{verb}s"


@cache
def _listed(name: str) -> frozenset[str]:
    return english(_FILE).words(name)


@cache
def _unchanged() -> frozenset[str]:
    return _listed("no_plurals") | _listed("only_plural") | _listed("names")


@cache
def _irregular_verbs() -> dict[str, tuple[str, ...]]:
    rows = (row.split() for row in english(_FILE).text("irregular_verbs").split("|"))
    return {verb: tuple(forms) for verb, *forms in rows}


@cache
def _irregular_singulars() -> dict[str, str]:
    rows = [row.split() for row in english(_FILE).text("irregular_plurals").split("|")]
    regular = {f"{noun}s": noun for noun in _listed("plural_adds_s")}
    return regular | {row[0]: row[1] for row in rows}


@cache
def _irregular_plurals() -> dict[str, str]:
    return {noun: many for many, noun in _irregular_singulars().items() if many != "persons"}
