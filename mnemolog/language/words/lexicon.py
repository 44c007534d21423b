"""Lexicon: forms of words, closed classes, comparison keys of nouns, opposites, states and places.

Search terms have another stemmer (`language/analysis.py`), which decides what indexes store.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

import msgspec

from mnemolog.language.lists import english, word_set

ENGLISH = english("english")
LEXICON = english("lexicon")
OPPOSITES = english("opposites")
PLACES = english("places")
SOFTWARE = english("software")
"""Software by its `kinds`, of which one takes another's place, and its `aliases`."""

BE = word_set("am is are was were be been being")
HAVE = word_set("have has had having")
DO = word_set("do does did")
MODAL = word_set("can will must shall should")
DETERMINERS = word_set(
    "a an the this that these those my our your his her its their some any every each"
)
PREPOSITIONS = word_set(
    "of in on at for from to with by under over near about into through during as per "
    "between behind above below inside within against until since than before after"
)
PRONOUNS = word_set(
    "it this that these those there they them he she him her you your yours one ones something "
    "anything nothing everything someone everyone which who what here his its their"
)
"""Pronouns that no subject or object may be, as the text leaves open what they refer to."""
_SILENT = word_set("project current new year date day total official")
"""Words of a topic that do not distinguish attributes."""
_LISTS = english("inflections")
_PATTERNS = _LISTS.patterns_by_name
_SHORT = 3


@lru_cache(maxsize=4096)
def noun(word: str) -> str:
    """Comparison key of a noun: its singular in small letters, or the common synonym."""
    bare = word.removesuffix("'s").removesuffix("'")
    low, synonyms = bare.lower(), ENGLISH.keys_of("synonyms")
    if low == "users":
        # Not the user, who speaks.
        return low
    found = synonyms.get(low) or synonyms.get(one := singular(bare))
    return one if found is None else found[0]


def topic(phrase: Iterable[str]) -> frozenset[str]:
    """Topic of a phrase: its words of content, without their order."""
    listed = list(phrase)
    # 'My boss's boss' is not my boss.
    twice = {word for word in listed if word.endswith("'s") and word[:-2] in listed}
    telling = ({noun(word) for word in listed} | twice) - DETERMINERS - PREPOSITIONS
    if "A" in listed[1:]:
        telling.add("a")
    if ENGLISH.patterns_by_name.number_of.match(" ".join(listed)) and len(telling) > 2:  # noqa: PLR2004
        # 'The number of rooms in the flat' is how many rooms it has.
        telling.discard("number")
    if "limit" in telling:
        telling -= {"size", "rate"}
    for thing, silent in (("phone", "number"), ("email", "address")):
        if thing in telling:
            telling.discard(silent)
    if len(telling) > 1:
        telling.discard("we")
    return frozenset(telling - _SILENT) or frozenset(telling)


@cache
def opposites(name: str = "opposites") -> dict[str, tuple[str, bool]]:
    """Words with their positive word; True for its opposites."""
    found: dict[str, tuple[str, bool]] = {}
    for row in OPPOSITES.text(name).strip().splitlines():
        sides = [[word.replace("_", " ") for word in side.split()] for side in row.split("|")]
        for at, side in enumerate(sides):
            for word in side:
                found.setdefault(word, (sides[0][0], at > 0))
    return found


def state_of(rest: str) -> tuple[str, bool]:
    """State after 'be' as the positive of its pair, and True if denied; empty without a pair."""
    words = re.sub(r"^an? ", "", rest).split()
    for length in range(min(3, len(words)), 0, -1):
        if (pair := opposites().get(" ".join(words[:length]).lower())) is not None:
            return " ".join([pair[0], *words[length:]]), pair[1]
    # 'Unheated' is not heated.
    prefixed = words and OPPOSITES.patterns_by_name.prefixed.match(words[0])
    return (" ".join([prefixed[1] or prefixed[2], *words[1:]]), True) if prefixed else ("", False)


@cache
def rival_preferences() -> tuple[frozenset[str], ...]:
    """Sets of things of which one prefers one."""
    return tuple(map(word_set, LEXICON.text("rivals").strip().splitlines()))


def rows_of(state: str) -> frozenset[str]:
    """The rows of states that a state is in."""
    return frozenset(LEXICON.keys_of("states").get(state, ()))


def place(text: str) -> str:
    """Normalised name of a place: lowercase, one word."""
    name = "_".join(text.lower().replace(".", "").split())
    name = name.removeprefix("the_") if name != "the_hague" else name
    return PLACES.key_of("also_called", name) or name


def is_place(text: str) -> bool:
    """True if a text is the name of a known place."""
    return place(text) in PLACES.keys_of("within") or place(text) in PLACES.table("within")


def within(inner: str, outer: str) -> bool:
    """True if one place, as text, is known to lie in another."""
    around, parents = [place(inner)], PLACES.keys_of("within")
    for one in around:
        around += set(parents.get(one, ())).difference(around)
    return place(outer) in around[1:]


# -- forms of nouns: James and Texas are no plurals, Banks is one only without its capital --


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
    regular = noun if low in _unchanged() else _with_s(noun)
    return _irregular_plurals().get(low, regular)


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


# -- forms of verbs ----------------------------------------------------------------------


class VerbForm(msgspec.Struct, frozen=True):
    """Form of a verb: its base, and whether it is base, s, past or ing."""

    lemma: str
    form: str


@cache
def verb_forms() -> dict[str, VerbForm]:
    """Every form of the verbs that make clauses; of two readings of a form, the present tense."""
    return _conjugated(_LISTS.text("verbs").split())


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
        ing = f"{verb}ing" if verb.endswith(("ee", "oe", "ye")) else f"{root}ing"
        found[f"{verb[:-2]}ying" if verb.endswith("ie") else ing] = VerbForm(verb, "ing")
        third = f"{verb}es" if verb.endswith("o") else _with_s(verb)
        found["has" if verb == "have" else third] = VerbForm(verb, "s")
        found[verb] = VerbForm(verb, "base")
    return found


@cache
def _irregular_verbs() -> dict[str, list[str]]:
    rows = (row.split() for row in _LISTS.text("irregular_verbs").split("|"))
    return {verb: forms for verb, *forms in rows}


# -- stems -------------------------------------------------------------------------------


def stem(word: str) -> str:
    """Key that all forms of a word share: 'mov' for move, moves, moved and moving."""
    low = word.lower()
    if not low.isalpha():
        return low
    verb = _all_verb_forms().get(low)
    base = singular(word) if verb is None else verb.lemma
    if base == low:
        base = _without_verb_ending(low)
    return base.removesuffix("e") if len(base) > _SHORT else base


def _without_verb_ending(low: str) -> str:
    if low in _LISTS.words("no_verb_forms") or low.endswith("eed"):
        return low
    if low.endswith("ied"):
        return f"{low[:-3]}y"
    for ending in ("ing", "ed"):
        root = low.removesuffix(ending)
        if root != low and len(root) >= _SHORT and _PATTERNS.has_vowel.search(root):
            return root[:-1] if _PATTERNS.double.search(root) else root
    return low
