"""Things that words name: the noun phrases of a list, and days."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mnemolog.language.dates.calendar import WEEKDAYS
from mnemolog.language.morphology import singular
from mnemolog.language.patterns import regex
from mnemolog.policies.constraints.lists import LISTS

_NP_END = LISTS.pattern("np_end")
_LIST = LISTS.pattern("list_marks")
_INSIDE = LISTS.pattern("inside")
_LEADING = LISTS.pattern("leading")
_LONGEST_PHRASE = 4
_FREE = regex(r"\b(?P<things>[a-z]+)[- ]free\b", re.IGNORECASE)


def noun_phrases(words: str) -> Iterator[str]:
    """The noun phrases of a list, in lowercase, without articles and what follows them."""
    text = _INSIDE.sub("", re.sub(r"\([^)]*\)", " ", words))
    parts = _LIST.split(text)
    for part in parts:
        cut = _NP_END.split(" " + part, maxsplit=1)[0]
        thing = _LEADING.sub("", cut.strip().lower()).strip(" .,!?'\"-")
        ended = _NP_END.search(" " + part) is not None
        short = len(thing.split()) <= _LONGEST_PHRASE and thing not in LISTS.words("vague")
        if thing and short and not _is_day(thing):
            yield thing
            if (bare := without_general_head(thing)) is not None:
                yield bare
        if ended:
            return


def without_general_head(thing: str) -> str | None:
    """'gpl' of 'gpl libraries': the last word only says what sort of thing it is."""
    *first, last = thing.split()
    return " ".join(first) if first and singular(last) in LISTS.words("general_heads") else None


def days_named(words: str) -> list[str]:
    """The weekdays, and 'weekend', that words name, in the order of the week."""
    low = words.lower()
    return [day for day in (*WEEKDAYS, "weekend") if re.search(rf"\b{day}s?\b", low)]


def _is_day(thing: str) -> bool:
    return singular(thing) in (*WEEKDAYS, "weekend")


def content_words(thing: str) -> list[str]:
    """The words of a noun phrase that say something."""
    return [word for word in re.findall(r"[\w+#-]+", thing) if word not in LISTS.words("vague")]


def free_of(words: str) -> Iterator[str]:
    """The things that words say something is free of: 'gluten' of 'gluten-free'."""
    return (
        match["things"].lower()
        for match in _FREE.finditer(words)
        if match["things"].lower() not in LISTS.words("not_free")
    )
