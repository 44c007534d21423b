"""Wording of a prompt: its questions, its statements and its names."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Literal

import msgspec

from mnemolog.language.lists import english, word_set
from mnemolog.language.patterns import regex
from mnemolog.language.sentences import sentence_texts
from mnemolog.recall.detector.phrases import LISTS

_QUOTED = regex(r'"[^"]{1,120}"|`[^`]{1,120}`')
_ASKS = LISTS.pattern("asks")
_FRAGMENT = LISTS.pattern("fragment")
_RUN = regex(r"\b[A-Z][\w'-]*(?: [A-Z][\w'-]*)*")
_CAPITAL = regex(r"(?<![.?!:]) (?!I\b)[A-Z]")
_WORD = regex(r"[\w'.+-]*\w")

READ = 600
"""Characters of a long prompt that are read at each end: the question is there."""

LONGEST_NAME = 3
"""Of how many words a name that the memory knows may be."""

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
    text = prompt.translate(_STRAIGHT)
    # What stands in double quotes or backquotes is a title or an example, not the asker's words.
    # The country, too, would be read as 'us' without its capitals.
    text = _QUOTED.sub(" ", text).replace(" US ", " U.S. ")
    text = " ".join(text.split())
    whole = text.lower()
    asked: list[str] = []
    told: list[str] = []
    for sentence in map(str.lower, sentence_texts(text)):
        asks = _ASKS.search(sentence) or (
            _FRAGMENT.search(sentence) and opening_verb(sentence) not in LISTS.words("making")
        )
        (asked if asks else told).append(sentence)
    return Wording(
        whole=whole,
        asked=" ".join(asked),
        told=" ".join(told),
        words=frozenset(
            form for word in _WORD.findall(whole) for form in (word, word.removesuffix("'s"))
        ),
        names=tuple(_names(text, known)),
        capitals=_CAPITAL.search(text) is not None,
    )


def opening_verb(sentence: str) -> str:
    """The word that a request begins with, past what is said for politeness."""
    for word in sentence.split():
        bare = word.strip(",.!:")
        if bare not in LISTS.words("polite"):
            return bare
    return ""


def _names(text: str, known: Container[str]) -> Iterator[PromptName]:
    """Every name of a text: those in capitals in order, then those that the memory knows."""
    if not text.isupper():
        for found in _RUN.finditer(text):
            name = _name(found[0].split(), text[: found.start()], text[found.end() :])
            if name is not None:
                yield name
    if not known:
        return
    spoken = [word.removesuffix("'s") for word in _WORD.findall(text)]
    for said in dict.fromkeys(_possible_names(spoken)):
        if said.casefold() in known:
            yield PromptName(said, "known")


def _possible_names(spoken: list[str]) -> Iterator[str]:
    """Words that may be a name that the memory knows; a look-up may cost the caller something."""
    bare_words, also_names = LISTS.words("function_words"), LISTS.words("also_names")
    # With its capital, Will is a name.
    capital_names = {name.capitalize() for name in also_names}
    bare = [word.lower() in bare_words and word not in capital_names for word in spoken]
    for first, opens in enumerate(bare):
        for last in range(first, min(first + LONGEST_NAME, len(spoken))):
            said = " ".join(spoken[first : last + 1])
            if not (opens or bare[last] or said in also_names):
                yield said


def _name(run: list[str], left: str, right: str) -> PromptName | None:
    """The name that words with capitals are, between what stands left and right of them."""
    given_names = english("given_names").words("given_names")
    before = left.rsplit(None, 1)[-1].lower() if left.strip() else ""
    after = right.split(None, 1)[0].lower() if right.strip() else ""
    if before[-1:] in _ENDS and run[0].lower().removesuffix("'s") not in given_names:
        # A sentence's first word has its capital from there.
        before = run.pop(0).lower()
    # Whose something is stands at the end of a name: "Kevin's New Year" is Kevin's.
    owner = next((n for n, word in enumerate(run) if word.endswith(("'s", "s'"))), None)
    if owner is not None:
        run = run[: owner + 1]
        after = ""
    if not run or run[0].lower() in LISTS.words("no_name"):
        return None
    name = " ".join(run).removesuffix("'s").removesuffix("'")
    if name.isupper() and len(name) > 1:
        return None
    standing: Standing
    if run[0].lower().removesuffix("'s") in given_names:
        if before == "the":
            return None
        standing = "given" if len(run) == 1 and after != "the" else "full"
    elif len(run) == 1 and before not in _OF_A_THING and name.lower() not in LISTS.words("places"):
        standing = "bare"
    else:
        return None
    return PromptName(name, standing, before, after, possessive=owner is not None)


_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d\u00a0\u2011", "''\"\" -")
_ENDS = frozenset(("", ".", "?", "!", ":"))
_OF_A_THING = word_set("the in at on of from a an")
