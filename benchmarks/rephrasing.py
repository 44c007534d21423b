"""Questions put in other words by rule, for asking again what was asked before."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from mnemolog.language.analysis import STOP_WORDS

_WORD = re.compile(r"[\w'-]+")
_OTHER_WORDS = {
    "what kind of": "which sort of",
    "when did": "on what date did",
    "how many": "what number of",
    "favorite": "preferred",
    "like": "enjoy",
    "job": "work",
    "buy": "purchase",
    "start": "begin",
    "movie": "film",
    "trip": "journey",
    "kids": "children",
    "help": "assist",
    "talk": "speak",
    "big": "large",
}


def keywords(question: str) -> str:
    """Its telling words alone, as one types them into a search box."""
    told = [word for word in _WORD.findall(question) if word.lower() not in STOP_WORDS]
    return " ".join(told) or question


def other_words(question: str) -> str:
    """Some words by others that mean the same."""
    for word, other in _OTHER_WORDS.items():
        question = re.sub(rf"\b{word}\b", other, question, flags=re.IGNORECASE)
    return question


def politely(question: str) -> str:
    """As one asks somebody who was there."""
    return f"Do you remember, {question[0].lower()}{question[1:]}"


def turned(question: str) -> str:
    """Its second half first."""
    words = question.rstrip("?").split()
    middle = len(words) // 2
    return f"{' '.join(words[middle:])}, {' '.join(words[:middle])}?"


def as_request(question: str) -> str:
    """As a request to be told."""
    return f"Tell me about {keywords(question)}"


REPHRASINGS: Mapping[str, Callable[[str], str]] = {
    "keywords": keywords,
    "other words": other_words,
    "politely": politely,
    "turned": turned,
    "as a request": as_request,
}
