"""Lexicon: words of closed classes, comparison keys of nouns, opposites, states and places."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from mnemolog.language.lists import english, word_set
from mnemolog.language.morphology import singular

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
PAST_AUXILIARY = frozenset({"was", "were", "had", "did"})
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
    """State after 'be': first words as the positive of their pair, and True if they deny it.

    Empty if they belong to no pair.
    """
    words = re.sub(r"^an? ", "", rest).split()
    for length in range(min(3, len(words)), 0, -1):
        if (pair := opposites().get(" ".join(words[:length]).lower())) is not None:
            return " ".join([pair[0], *words[length:]]), pair[1]
    # 'Unheated' is not heated.
    prefixed = words and OPPOSITES.patterns_by_name.prefixed.match(words[0])
    return (" ".join([prefixed[1] or prefixed[2], *words[1:]]), True) if prefixed else ("", False)


@cache
def household_kinds() -> dict[str, str]:
    """The kind of each thing of which somebody has one."""
    return {member: kinds[-1] for member, kinds in LEXICON.keys_of("household").items()}


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
    goal, parents = place(outer), PLACES.keys_of("within")
    seen, ahead = set[str](), [place(inner)]
    while ahead:
        found = set(parents.get(ahead.pop(), ())) - seen
        if goal in found:
            return True
        seen |= found
        ahead += found
    return False
