"""The names of things as they are compared: without case, article and plural."""

from __future__ import annotations

import re

from mnemolog.language.names.entities import normalised

ARTICLE = re.compile(
    r"\A(?:an?|the|my|our|your|his|her|their|its|this|that|some|all|any) ", re.IGNORECASE
)

_SINGULAR_S = ("ss", "us", "is", "as", "os", "'s")


def thing_name(name: str) -> str:
    """A thing's name as it is compared: casefolded, without article and possessive, singular.

    A last word written with a capital keeps its s: `James` is no plural.
    """
    name = ARTICLE.sub("", " ".join(name.split()), count=1)
    folded = normalised(name)
    last = name.rpartition(" ")[2]
    return folded if last[:1].isupper() else _singular(folded)


_IRREGULAR = {
    "children": "child", "feet": "foot", "geese": "goose", "halves": "half", "knives": "knife",
    "leaves": "leaf", "loaves": "loaf", "men": "man", "mice": "mouse", "people": "person",
    "shelves": "shelf", "teeth": "tooth", "thieves": "thief", "wives": "wife", "wolves": "wolf",
    "women": "woman",
} | {word: word for word in ("lens", "means", "molasses", "news", "series", "species")} | {
    # Those that end in -ie, -oe and -che, unlike berries, potatoes and peaches.
    f"{word}s": word
    for word in (
        *("brownie", "calorie", "cookie", "die", "foodie", "genie", "hoodie", "lie", "movie"),
        *("pie", "rookie", "selfie", "smoothie", "tie", "veggie", "zombie", "canoe", "hoe", "shoe"),
        *("toe", "ache", "cache", "headache", "niche", "quiche", "toothache"),
    )
}  # fmt: skip


def _singular(name: str) -> str:
    rest, blank, word = name.rpartition(" ")
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    elif len(word) > len("abc") and word.endswith("s") and not word.endswith(_SINGULAR_S):
        if word.endswith("ies"):
            word = word[:-3] + "y"
        elif word.endswith(("ches", "shes", "sses", "xes", "oes")):
            word = word[:-2]
        else:
            word = word[:-1]
    return rest + blank + word
