"""How a prompt is worded: its text as signs are looked for in it, and the names in it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import cache
from typing import Literal

import msgspec

from recall.given_names import GIVEN_NAMES

READ = 600
"""How much of a long prompt is read, in characters, at each end: what is asked stands there."""

Standing = Literal["known", "given", "bare", "full"]
"""What a name is: one that the memory knows, a given name alone, another word with a
capital alone, or a given name before another name, which more often is famous."""


class Name(msgspec.Struct, frozen=True):
    """A name in a prompt.

    `before` is the word before it, lowered; `possessive` says that it has an 's.
    """

    words: str
    standing: Standing
    before: str
    possessive: bool


class Wording(msgspec.Struct, frozen=True):
    """A prompt's ends as signs are looked for in them, without what is quoted.

    `lowered` has straight quotes, single spaces and no capitals. `asked` are its
    sentences that ask, or that are too short to tell anything; `told` says that
    others do tell. `words` are those of `lowered`, `names` the names in order.
    """

    lowered: str
    asked: str
    told: bool
    words: frozenset[str]
    names: tuple[Name, ...]


def wording(prompt: str, known: Container[str]) -> Wording:
    """A prompt's wording; `known` are names that the memory knows, case-folded."""
    text = prompt.translate(_STRAIGHT)
    if len(text) > 2 * READ:
        text = f"{text[:READ]}\n{text[-READ:]}"
    patterns = _patterns()
    # What stands in double quotes or backquotes is a title or an example, not the asker's words.
    # US is a country, and would be read as 'us' once lowered.
    text = patterns.quoted.sub(" ", text).replace(" US ", " U.S. ")
    text = " ".join(text.split())
    lowered = text.lower()
    sentences = [s for s in patterns.sentence.split(lowered) if s]
    asking = [s for s in sentences if patterns.asks.search(s) or patterns.fragment.search(s)]
    return Wording(
        lowered=lowered,
        asked=" ".join(asking),
        told=len(asking) < len(sentences),
        words=frozenset(patterns.word.findall(lowered)),
        names=tuple(_names(text, known, patterns)),
    )


def _names(text: str, known: Container[str], patterns: _Patterns) -> Iterator[Name]:
    """Every name of a text, in order."""
    if text.isupper():
        return
    for found in patterns.run.finditer(text):
        words = found[0].split()
        before = text[: found.start()].rstrip()
        last = before.rsplit(None, 1)[-1].lower() if before else ""
        if last[-1:] in {"", ".", "?", "!", ":"} and words[0].lower().removesuffix(
            "'s"
        ) not in GIVEN_NAMES:
            # A sentence's first word has its capital from there.
            last = words.pop(0).lower()
        # Whose something is stands at the end of a name: "Kevin's New Year" is Kevin's.
        owners = [n for n, word in enumerate(words) if word.endswith(("'s", "s'"))]
        possessive = bool(owners)
        words = words[: owners[0] + 1] if owners else words
        if not words or words[0].lower() in _NO_NAME:
            continue
        name = " ".join(words)
        name = name.removesuffix("'s").removesuffix("'")
        parts = name.lower().split()
        if parts[0] in GIVEN_NAMES and last != "the" and not name.isupper():
            yield Name(name, "full" if len(parts) > 1 else "given", last, possessive)
        elif len(parts) == 1 and last not in _OF_A_THING and not name.isupper():
            yield Name(name, "bare", last, possessive)
    for word in patterns.word.findall(text.casefold()):
        if word.removesuffix("'s") in known:
            yield Name(word.removesuffix("'s"), "known", "", possessive=False)


class _Patterns(msgspec.Struct, frozen=True):
    quoted: re.Pattern[str]
    sentence: re.Pattern[str]
    asks: re.Pattern[str]
    fragment: re.Pattern[str]
    run: re.Pattern[str]
    word: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    return _Patterns(
        quoted=re.compile(r'"[^"]{1,120}"|`[^`]{1,120}`'),
        sentence=re.compile(r"(?<=[.!?]) +(?=\S)"),
        asks=re.compile(
            r"^(?!(?:i|i'm|i've|my|the|it|there|this|we)\b).*\?\W*$"
            r"|\b(?:what|who|whom|when|where|which|why|how|could you|can you|did i|any)\b.*\?\W*$"
            r"|^(?:so |and |but |hey,? |hi,? |ok,? |please |also,? )*"
            r"(?:(?:in|on|at|to|for|from|with|by|according to) )?"
            r"(?:what|who|whom|whose|when|where|which|why|how|did|do|does|have|has|had|is|are|was"
            r"|were|am|can|could|would|will|should|tell|show|list|remind|give|find|recall)\b"
        ),
        fragment=re.compile(
            r"^(?!.*(?:\b(?:i|i'm|i've|not|is|are|was|were|has|have|please|help|denied|failed)\b|n't))"
            r"(?:\S+ ){0,5}[^\s!]+$"
        ),
        run=re.compile(r"\b[A-Z][\w'-]*(?: [A-Z][\w'-]*)*"),
        word=re.compile(r"[\w'.+-]*\w"),
    )


_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d\u00a0\u2011", "''\"\" -")
_OF_A_THING = frozenset("the in at on of from a an".split())
_NO_NAME = frozenset(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday i i'm i've i'd i'll ok".split()
)
