"""Text summaries: the port, and the built-in extractive summarizer."""

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from mnemolog.language.lists import regex
from mnemolog.language.sentences import sentence_texts
from mnemolog.language.words.lexicon import noun
from mnemolog.policies.terms import is_stop_word

MOST_WORDS = 50
"""Longest summary, in words; in text without blanks, eight characters are a word."""

_SHARE, _WORD_CHARACTERS, _FINALISTS, _READ = 3, 8, 200, 200_000
_WORTH, _NAMED, _LEAD, _ASKED, _EVEN = 0.4, 1.5, 0.3, 0.5, 4
_ELLIPSIS, _FENCE = "…", "```"
_WORD = regex(r"\w+(?:['\N{RIGHT SINGLE QUOTATION MARK}-]\w+)*")
_DIGIT = regex(r"\d")


class Summarizer(Protocol):
    """Port: makes short, deterministic summaries of texts."""

    @property
    def name(self) -> str:
        """Name and version of the summarizer."""

    def summary(self, text: str) -> str:
        """Short summary of a text; empty for an empty text."""


class ExtractiveSummarizer:
    """Extractive summarizer: selects whole sentences in their order, without rewording.

    Sentences are selected greedily by how often the text has their words that no selected
    sentence covers yet (Nenkova and Vanderwende 2005; Filatova and Hatzivassiloglou 2004), with
    more weight on names, numbers and early sentences, and less on questions (Edmundson 1969).
    The total is at most a third of the text's words and `MOST_WORDS`, but for the best
    sentence, which is cut at that length. Of 200,000 characters or more the beginning is read.
    """

    @property
    def name(self) -> str:
        """Name and version of the summarizer."""
        return "extractive-1"

    def summary(self, text: str) -> str:
        """Selected sentences of a text, joined by blanks."""
        written = sentence_texts(text[:_READ])
        if not written:
            return ""
        # Long words, and text without blanks, count by their characters.
        lengths = [max(len(one.split()), -(-len(one) // _WORD_CHARACTERS)) for one in written]
        room = min(MOST_WORDS, sum(lengths) // _SHARE)
        chosen = _chosen([_read(sentence) for sentence in written], lengths, room)
        if lengths[chosen[0]] > MOST_WORDS:
            return _cut(written[chosen[0]])
        return " ".join(written[place] for place in sorted(chosen))


class _Sentence(msgspec.Struct, frozen=True):
    words: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    standing: float = 0.0


def _read(sentence: str) -> _Sentence:
    if _FENCE in sentence:
        return _Sentence()
    words: dict[str, None] = {}
    names = set()
    for place, match in enumerate(_WORD.finditer(sentence)):
        word = match[0]
        if is_stop_word(low := word.lower()):
            continue
        term = noun(low)
        words[term] = None
        if _DIGIT.search(word) or (place and word[0].isupper()):
            names.add(term)
    asked = sentence.rstrip("\"'*_)]").endswith(("?", "？"))  # noqa: RUF001 - as Chinese asks
    return _Sentence(tuple(words), frozenset(names), _ASKED if asked else 1.0)


def _chosen(read: Sequence[_Sentence], lengths: Sequence[int], room: int) -> list[int]:
    """Indices of the selected sentences, the best first; at least one."""
    often = Counter(word for sentence in read for word in sentence.words)
    total = often.total()
    weights = {word: count / total for word, count in often.items()}
    scores = [_score(sentence, place, weights) for place, sentence in enumerate(read)]
    # Scores only decrease from here on, so later rounds rarely need other sentences.
    left = heapq.nsmallest(_FINALISTS, range(len(read)), key=lambda place: (-scores[place], place))
    best = left[0]
    chosen = [best]
    while True:
        room -= lengths[best]
        weights |= dict.fromkeys(read[best].words, 0.0)
        left = [place for place in left if place not in chosen and lengths[place] <= room]
        again = {place: _score(read[place], place, weights) for place in left}
        best = max(left, key=lambda place: (again[place], -place), default=best)
        if again.get(best, 0.0) <= _WORTH * scores[chosen[0]]:
            return chosen
        chosen.append(best)


def _score(sentence: _Sentence, place: int, weights: Mapping[str, float]) -> float:
    told = sum(weights[word] * (_NAMED if word in sentence.names else 1) for word in sentence.words)
    lead = 1 + _LEAD / (1 + place)
    return sentence.standing * lead * told / (len(sentence.words) + _EVEN)


def _cut(sentence: str) -> str:
    """Beginning of a long sentence, cut at the end of a word if there is one, with an ellipsis."""
    longest = MOST_WORDS * _WORD_CHARACTERS
    words = sentence[: longest + 1].split()
    if 1 < len(words) <= MOST_WORDS and len(sentence) > longest:
        # The last word may continue beyond the part that was read.
        words.pop()
    return f"{' '.join(words[:MOST_WORDS])[:longest].rstrip()}{_ELLIPSIS}"
