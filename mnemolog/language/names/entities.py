"""Entity extraction by rule: the names in a text, a pure function of the text.

Precise rather than greedy: a missed name costs one path to a memory; a common word
taken for a name links unrelated memories.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mnemolog.language.analysis import STOP_WORDS
from mnemolog.language.patterns import regex

ENTITY_PREFIX = "@"
"""Begins an entity among the terms of a text, which no stemmed word does."""

_MOST = 64
"""The most names that one text gives: a long document is about a few of its names."""
_LONGEST = 80

_APOSTROPHE = "['\N{RIGHT SINGLE QUOTATION MARK}]"
_SPEAKER = regex(r"\s*([^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){0,3}):\s")
_HANDLE = regex(r"(?<![\w@/.])@[A-Za-z][\w-]*(?:\.[\w-]+)*")
_NUMBERED = regex(r"(?<![\w#/&])#\d{1,7}\b")
_TICKET = regex(r"\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b")
_QUOTED = regex(
    r"[\"\N{LEFT DOUBLE QUOTATION MARK}]([A-Z0-9][^\"\n.!?,;:]{1,60}?)"
    r"[\"\N{RIGHT DOUBLE QUOTATION MARK}]"
)
_TITLE_WORDS = 7
# Cheap test for identifiers first, as most texts have none.
_DOTTED = regex(r"\.[a-z]")
_CAMEL = regex(r"[a-z][A-Z]")
_MARK = regex(r"\w[_/]\w|\.[a-z]|[a-z][A-Z]")
_PIECE = regex(r"[\w./~:@-]+")
_PATH = regex(r"(?:https?://)?[\w.~@/-]*\w[_/]\w[\w.~/-]*|[\w-]+(?:\.[A-Za-z_]\w+)+|[a-z]+[A-Z]\w*")
_CAPITALISED = regex(r"[A-Z][\w-]*(?:['\N{RIGHT SINGLE QUOTATION MARK}](?!s\b)[A-Za-z]\w*)?")
_JOINING = regex(r" (?:(?:of the|of|van der|van|von|de la|de|del|bin|al) )?(?=[A-Z])")
_SENTENCE_END = '.!?:\n"(\N{LEFT DOUBLE QUOTATION MARK}>*-\N{BULLET}\N{EM DASH}#'
_HEADED = (":", "*", "_", "\n", "`")
_FENCED = regex(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTES = ('"', "\N{LEFT DOUBLE QUOTATION MARK}")
_FOLLOWED = regex(
    rf"{_APOSTROPHE}s\b| (?:is|was|has|had|will|would|can|could|does|did|said|says|likes|loves"
    r"|hates|wants|works|lives|prefers|went|got|moved|bought|made)\b| and [A-Z]"
)
# Capitalised words that are not entities, always or at the start of a sentence: closed classes,
# greetings and assent, days and months.
# fmt: off
_FUNCTION_WORDS = STOP_WORDS | {
    f"{word}'{end}"
    for word in ("i", "you", "we", "they", "he", "she", "it", "that", "there", "what", "who", "how")
    for end in ("m", "ll", "ve", "d", "re", "s")
} | {"y'all", "let's", "don't", "didn't", "doesn't", "can't", "won't", "isn't", "aren't", "wasn't"}
_NO_NAMES = _FUNCTION_WORDS | frozenset({
    "ah", "ai", "also", "although", "am", "another", "anyone", "anything", "anyway", "april",
    "assistant", "august", "aw", "awesome", "aww", "besides", "bye", "cheers", "congrats",
    "congratulations", "dear", "december", "either", "else", "even", "ever", "every", "everybody",
    "everyone", "everything", "exactly", "february", "finally", "first", "friday", "given", "good",
    "goodbye", "gosh", "great", "haha", "hello", "hey", "hi", "hmm", "however", "http", "https",
    "human", "indeed", "instead", "january", "july", "june", "last", "later", "let", "lets",
    "likewise", "many", "march", "may", "maybe", "meanwhile", "might", "monday", "morning", "much",
    "must", "neither", "never", "next", "nice", "nobody", "none", "nope", "note", "nothing",
    "november", "october", "oh", "ok", "okay", "omg", "one", "perhaps", "please", "pm", "really",
    "remember", "saturday", "second", "september", "shall", "since", "somebody", "someone",
    "something", "sometimes", "soon", "sorry", "still", "sunday", "sure", "system", "thank",
    "thanks", "therefore", "though", "thursday", "thus", "today", "tomorrow", "tonight", "tuesday",
    "two", "unless", "upon", "us", "user", "wednesday", "welcome", "well", "whatever", "whenever",
    "wherever", "whether", "whoa", "whose", "within", "without", "woah", "wow", "yay", "yeah",
    "yep", "yes", "yesterday", "yet", "yup",
})
# fmt: on


def entities(text: str, source: str | None = None) -> tuple[str, ...]:
    """Entity names in a text and its source, normalised, unique, sorted; at most 64.

    Capitalised people, places and products, quoted titles, handles, issue numbers, paths
    and identifiers, the `Name:` at the start of a line, and the name of a `user:` source.
    """
    found = dict.fromkeys(_all(text, source))
    names = [name for name in found if 1 < len(name) <= _LONGEST]
    return tuple(sorted(names[:_MOST]))


def entity_terms(names: Iterable[str]) -> list[str]:
    """Terms that stand for names in the postings."""
    return [ENTITY_PREFIX + name for name in names]


def normalised(name: str) -> str:
    """Normalised name for comparison: casefolded, without possessive, single blanks."""
    folded = " ".join(name.casefold().split()).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return folded.removesuffix("'s").strip("'")


def _all(text: str, source: str | None) -> Iterator[str]:
    if "```" in text:
        # Skip fenced code: the text around it has the names to search for.
        text = _FENCED.sub(" ", text)
    if source is not None and source.startswith("user:"):
        yield _unless_common(source.removeprefix("user:"))
    lower = text.islower()
    if not lower and ":" in text:
        speaker = _SPEAKER.match(text)
        if speaker is not None and speaker[1][0].isupper():
            yield _unless_common(speaker[1])
    if "@" in text:
        yield from (normalised(handle.removeprefix("@")) for handle in _HANDLE.findall(text))
    if "#" in text:
        yield from _NUMBERED.findall(text)
    if '"' in text or "\N{LEFT DOUBLE QUOTATION MARK}" in text:
        titles = _QUOTED.findall(text)
        yield from (normalised(title) for title in titles if title.count(" ") < _TITLE_WORDS)
    if "_" in text or "/" in text or _DOTTED.search(text) or (not lower and _CAMEL.search(text)):
        yield from _code(text)
    if not lower:
        yield from _capitalised(text)


def _unless_common(name: str) -> str:
    name = normalised(name)
    return "" if name in _NO_NAMES else name


def _code(text: str) -> Iterator[str]:
    """Paths, file names and identifiers that cannot be prose."""
    for piece in _PIECE.findall(text):
        if len(piece) > _LONGEST or _MARK.search(piece) is None:
            continue
        if (found := _PATH.match(piece.strip("._-~:"))) is None:
            continue
        name = found[0].strip("._-~/").casefold()
        # `and/or` is prose; a path has more steps, an extension, or an underscore.
        if name.count("/") == 1 and not {"_", "."} & set(name):
            continue
        if any(character.isalpha() for character in name):
            yield name


def _capitalised(text: str) -> Iterator[str]:
    """Runs of capitalised words; a single one at a sentence's start needs evidence of a name."""
    if _shouted(text):
        return
    if "-" in text:
        yield from (ticket.casefold() for ticket in _TICKET.findall(text))
    inside: dict[str, None] = {}
    doubtful: list[tuple[str, int]] = []
    for starts, end, began in _runs(text):
        first = starts[0]
        name = normalised(text[first:end])
        opens = _opens_sentence(text, began)
        if opens and text[end : end + 1] in _HEADED:
            # A heading or an item's title, with every word capitalised.
            continue
        if not opens or first != began:
            inside[name] = None
        elif len(starts) == 1:
            doubtful.append((name, end))
        else:
            inside[name] = None
            # The first word may be a verb or an adverb: keep both readings.
            if text[first - 1 : first] not in _QUOTES:
                inside[normalised(text[starts[1] : end])] = None
    yield from (name for name in inside if name not in _NO_NAMES)
    for name, end in doubtful:
        if name in inside or (
            name not in _NO_NAMES
            and not name.endswith(("ing", "ly"))
            and _FOLLOWED.match(text, end) is not None
        ):
            yield name


def _runs(text: str) -> Iterator[tuple[list[int], int, int]]:
    """Runs of adjacent capitalised words: each word's start, the run's end, and its first start.

    Words that often open a sentence, and function words at either end, are cut off; the
    first start is the position before the cut.
    """
    at = 0
    while (first := _CAPITALISED.search(text, at)) is not None:
        words, at = [first], first.end()
        while (joined := _JOINING.match(text, at)) and (
            following := _CAPITALISED.match(text, joined.end())
        ):
            words.append(following)
            at = following.end()
        start = first.start()
        if start and (text[start - 1].isalnum() or text[start - 1] in "@/_.#"):
            continue
        if first[0].casefold() in _NO_NAMES and _opens_sentence(text, start):
            del words[0]
        while words and words[0][0].casefold() in _FUNCTION_WORDS:
            del words[0]
        while words and words[-1][0].casefold() in _FUNCTION_WORDS:
            del words[-1]
        if words:
            yield [word.start() for word in words], words[-1].end(), start


def _shouted(text: str) -> bool:
    """True if most letters are capitals, so that capitals mean nothing."""
    return text.isupper() or sum(map(str.isupper, text[:200])) * 3 > len(text[:200])


def _opens_sentence(text: str, start: int) -> bool:
    before = start - 1
    while before >= 0 and text[before] == " ":
        before -= 1
    return before < 0 or text[before] in _SENTENCE_END
