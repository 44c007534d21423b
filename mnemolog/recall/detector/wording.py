"""Wording of a prompt: its questions, its statements and its names; and the detector's lists."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Literal

import msgspec

from mnemolog.language.lists import Lists, english, word_set
from mnemolog.language.patterns import regex
from mnemolog.language.sentences import sentence_texts

LISTS = Lists("mnemolog.recall.detector", "detector")

_QUOTED = regex(r'"[^"]{1,120}"|`[^`]{1,120}`')
_ASKS = LISTS.pattern("asks")
_FRAGMENT = LISTS.pattern("fragment")
_RUN = regex(r"\b[A-Z][\w'-]*(?: [A-Z][\w'-]*)*")
_CAPITAL = regex(r"(?<![.?!:]) (?!I\b)[A-Z]")
_WORD = regex(r"[\w'.+-]*\w")
READ = 600  # Characters of a long prompt that are read at each end: the question is there
LONGEST_NAME = 3  # Of how many words a name that the memory knows may be
Standing = Literal["known", "given", "full", "bare"]
"""Standing of a name: one that the memory knows; a given name alone; a given name before
another name, which more often is a famous one; another word with a capital, alone."""


class PromptName(msgspec.Struct, frozen=True):
    """A name in a prompt.

    `before` and `after` are the words around it, without capitals; `possessive`
    says that it has an 's.
    """

    words: str
    standing: Standing
    before: str = ""
    after: str = ""
    possessive: bool = False


class Wording(msgspec.Struct, frozen=True):
    """A prompt's ends as signs are looked for in them, without what stands in quotes.

    `whole` has straight quotes, single spaces and no capitals. `asked` are its
    sentences that ask, or are too short to tell anything, `told` the others.
    `words` are those of `whole`, `names` the names in order. `capitals` says that
    a word inside of a sentence begins with one.
    """

    whole: str
    asked: str
    told: str
    words: frozenset[str]
    names: tuple[PromptName, ...]
    capitals: bool


def wording(prompt: str, known: Container[str]) -> Wording:
    """A prompt's wording; `known` are names that the memory knows, case-folded."""
    if len(prompt) > 2 * READ:
        prompt = f"{prompt[:READ]}\n{prompt[-READ:]}"
    # What stands in double quotes or backquotes is a title or an example, not the asker's words.
    # The country, too, would be read as 'us' without its capitals.
    text = _QUOTED.sub(" ", prompt.translate(_STRAIGHT)).replace(" US ", " U.S. ")
    text = " ".join(text.split())
    whole = text.lower()
    asked: list[str] = []
    told: list[str] = []
    for sentence in map(str.lower, sentence_texts(text)):
        asks = _ASKS.search(sentence) or (
            _FRAGMENT.search(sentence) and opening_verb(sentence) not in LISTS.words("making")
        )
        (asked if asks else told).append(sentence)
    spoken = _WORD.findall(whole)
    words = frozenset([*spoken, *(word.removesuffix("'s") for word in spoken)])
    names = (*_capital_names(text), *_known_names(text, known))
    capitals = _CAPITAL.search(text) is not None
    return Wording(whole, " ".join(asked), " ".join(told), words, names, capitals)


def opening_verb(sentence: str) -> str:
    """The word that a request begins with, past what is said for politeness."""
    words = (word.strip(",.!:") for word in sentence.split())
    return next((word for word in words if word not in LISTS.words("polite")), "")


def _known_names(text: str, known: Container[str]) -> Iterator[PromptName]:
    """Names in a text that the memory knows; a look-up may cost the caller something."""
    if not known:
        return
    bare_words, also_names = LISTS.words("function_words"), LISTS.words("also_names")
    # With its capital, Will is a name.
    capital_names = {name.capitalize() for name in also_names}
    spoken = [word.removesuffix("'s") for word in _WORD.findall(text)]
    bare = [word.lower() in bare_words and word not in capital_names for word in spoken]
    runs = (
        " ".join(spoken[first : last + 1])
        for first, opens in enumerate(bare)
        for last in range(first, min(first + LONGEST_NAME, len(spoken)))
        if not (opens or bare[last])
    )
    for said in dict.fromkeys(runs):
        if said not in also_names and said.casefold() in known:
            yield PromptName(said, "known")


def _capital_names(text: str) -> Iterator[PromptName]:
    """The names of a text that are words with capitals, in order."""
    if text.isupper():
        return
    given_names = english("given_names").words("given_names")
    for found in _RUN.finditer(text):
        run, left, right = found[0].split(), text[: found.start()], text[found.end() :]
        before = left.rsplit(None, 1)[-1].lower() if left.strip() else ""
        after = right.split(None, 1)[0].lower() if right.strip() else ""
        if before[-1:] in _ENDS and run[0].lower().removesuffix("'s") not in given_names:
            # A sentence's first word has its capital from there.
            before = run.pop(0).lower()
        # Whose something is stands at the end of a name: "Kevin's New Year" is Kevin's.
        owner = next((n for n, word in enumerate(run) if word.endswith(("'s", "s'"))), None)
        if owner is not None:
            run, after = run[: owner + 1], ""
        standing = _standing(run, before, after) if run else None
        if standing is not None:
            name = " ".join(run).removesuffix("'s").removesuffix("'")
            yield PromptName(name, standing, before, after, possessive=owner is not None)


def _standing(run: list[str], before: str, after: str) -> Standing | None:
    """Standing of words with capitals, between the words around them; None if they are no name."""
    first = run[0].lower()
    name = " ".join(run).removesuffix("'s").removesuffix("'")
    if first in LISTS.words("no_name") or (name.isupper() and len(name) > 1):
        return None
    if first.removesuffix("'s") in english("given_names").words("given_names"):
        if before == "the":
            return None
        return "given" if len(run) == 1 and after != "the" else "full"
    thing = before in _OF_A_THING or name.lower() in LISTS.words("places")
    return "bare" if len(run) == 1 and not thing else None


_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d\u00a0\u2011", "''\"\" -")
_ENDS = frozenset(("", ".", "?", "!", ":"))
_OF_A_THING = word_set("the in at on of from a an")
