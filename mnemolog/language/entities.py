"""Names in a text, and the kinds that anybody knows.

Extraction is by rule, a pure function of the text, and precise rather than greedy: a missed name
costs one path to a memory; a common word taken for a name links unrelated memories.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from string import ascii_uppercase
from typing import Protocol

import msgspec

from mnemolog.language.analysis import STOP_WORDS
from mnemolog.language.lists import english, without_start
from mnemolog.language.words.lexicon import singular

LISTS = english("names")
KINDS = english("common_kinds")
_PATTERNS = LISTS.patterns_by_name

ENTITY_PREFIX = "@"  # begins an entity among the terms of a text, as it does no stemmed word
ARTICLE = LISTS.pattern("article")
_MOST_NAMES = 64  # names of one text: a long document is about a few of its names
_LONGEST_NAME = 80
_JUDGED = 200  # characters by which a text is taken for one of capitals
_CAPITALS = ascii_uppercase.encode()
_TITLE_WORDS = 7
_SENTENCE_END = '.!?:\n"(\N{LEFT DOUBLE QUOTATION MARK}>*-\N{BULLET}\N{EM DASH}#'
_DEEPEST = 6


@cache
def _function_words() -> frozenset[str]:
    words, endings = LISTS.words("contracted"), LISTS.words("endings")
    contracted = {f"{word}'{ending}" for word in words for ending in endings}
    return STOP_WORDS | contracted | LISTS.words("contractions")


@cache
def _no_names() -> frozenset[str]:
    return _function_words() | LISTS.words("no_names")


def entities(text: str, source: str | None = None) -> tuple[str, ...]:
    """Entity names in a text and its source, normalised, unique, sorted; at most 64.

    Capitalised people, places and products, quoted titles, handles, issue numbers, paths
    and identifiers, the `Name:` at the start of a line, and the name of a `user:` source.
    """
    found = dict.fromkeys(_all(text, source))
    names = [name for name in found if 1 < len(name) <= _LONGEST_NAME]
    return tuple(sorted(names[:_MOST_NAMES]))


def normalised(name: str) -> str:
    """Normalised name for comparison: casefolded, without possessive, single blanks."""
    folded = " ".join(name.casefold().split())
    if folded.isalpha():
        return folded
    return folded.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").removesuffix("'s").strip("'")


def _all(text: str, source: str | None) -> Iterator[str]:
    if "```" in text:
        # Skip fenced code: the text around it has the names to search for.
        text = _PATTERNS.fenced.sub(" ", text)
    if source is not None and source.startswith("user:"):
        yield _unless_common(source.removeprefix("user:"))
    lower = text.islower()
    if not lower and ":" in text:
        speaker = _PATTERNS.speaker.match(text)
        if speaker is not None and speaker[1][0].isupper():
            yield _unless_common(speaker[1])
    if "@" in text:
        handles = _PATTERNS.handle.findall(text)
        yield from (normalised(handle.removeprefix("@")) for handle in handles)
    if "#" in text:
        yield from _PATTERNS.numbered.findall(text)
    if '"' in text or "\N{LEFT DOUBLE QUOTATION MARK}" in text:
        titles = _PATTERNS.quoted.findall(text)
        yield from (normalised(title) for title in titles if title.count(" ") < _TITLE_WORDS)
    camel = not lower and _PATTERNS.camel.search(text)
    if camel or "_" in text or "/" in text or _PATTERNS.dotted.search(text):
        yield from _code(text)
    if not lower:
        yield from _capitalised(text)


def _unless_common(name: str) -> str:
    name = normalised(name)
    return "" if name in _no_names() else name


def _code(text: str) -> Iterator[str]:
    for piece in _PATTERNS.piece.findall(text):
        if len(piece) > _LONGEST_NAME or _PATTERNS.mark.search(piece) is None:
            continue
        if (found := _PATTERNS.path.match(piece.strip("._-~:"))) is None:
            continue
        name = found[0].strip("._-~/").casefold()
        # `and/or` is prose; a path has more steps, an extension, or an underscore.
        prose = name.count("/") == 1 and {"_", "."}.isdisjoint(name)
        if not prose and any(map(str.isalpha, name)):
            yield name


def _capitalised(text: str) -> Iterator[str]:
    """Runs of capitalised words; a single one at a sentence's start needs evidence of a name."""
    if text.isupper() or _is_shouted(text[:_JUDGED]):
        # Most letters are capitals, which then mean nothing.
        return
    if "-" in text:
        yield from (ticket.casefold() for ticket in _PATTERNS.ticket.findall(text))
    inside: dict[str, None] = {}
    doubtful: list[tuple[str, int]] = []
    for starts, end, began in _runs(text):
        opens = _opens_sentence(text, began)
        if opens and text[end : end + 1] in {":", "*", "_", "\n", "`"}:
            # A heading or an item's title, with every word capitalised.
            continue
        first = starts[0]
        name = normalised(text[first:end])
        opens = opens and first == began
        if opens and len(starts) == 1:
            doubtful.append((name, end))
            continue
        inside[name] = None
        # The first word may be a verb or an adverb: keep both readings.
        if opens and text[first - 1 : first] not in {'"', "\N{LEFT DOUBLE QUOTATION MARK}"}:
            inside[normalised(text[starts[1] : end])] = None
    yield from (name for name in inside if name not in _no_names())
    for name, end in doubtful:
        likely = name not in _no_names() and not name.endswith(("ing", "ly"))
        if name in inside or (likely and _PATTERNS.followed.match(text, end)):
            yield name


def _is_shouted(text: str) -> bool:
    """True if more than a third of a text's characters are capitals."""
    if not text.isascii():
        return sum(map(str.isupper, text)) * 3 > len(text)
    return (len(text) - len(text.encode().translate(None, _CAPITALS))) * 3 > len(text)


def _runs(text: str) -> Iterator[tuple[list[int], int, int]]:
    """Runs of capitalised words: each word's start, the run's end, its first start before cuts."""
    no_names, function_words = _no_names(), _function_words()
    for run in _PATTERNS.capitalised.finditer(text):
        said = run[0]
        folded = said.casefold()
        if folded in function_words:  # most runs, as "I" is one
            continue
        start = run.start()
        if start and (text[start - 1].isalnum() or text[start - 1] in "@/_.#"):
            continue
        if " " not in said:
            if folded not in no_names or not _opens_sentence(text, start):
                yield [start], run.end(), start
            continue
        words = _words_of(said)
        if words[0][0] in no_names and _opens_sentence(text, start):
            del words[0]
        while words and words[-1][0] in function_words:
            del words[-1]
        while words and words[0][0] in function_words:
            del words[0]
        if words:
            yield [start + at for _, at, _ in words], start + words[-1][2], start


def _words_of(run: str) -> list[tuple[str, int, int]]:
    """Capitalised words of a run, folded, with their span there; not the words that join them."""
    words, at = list[tuple[str, int, int]](), 0
    for word in run.split(" "):
        end = at + len(word)
        if word[0].isupper():
            words.append((word.casefold(), at, end))
        at = end + 1
    return words


def _opens_sentence(text: str, start: int) -> bool:
    before = start - 1
    while before >= 0 and text[before] == " ":
        before -= 1
    return before < 0 or text[before] in _SENTENCE_END


def thing_name(name: str) -> str:
    """Key of a thing's name: casefolded, without article and possessive, singular if lowercase."""
    name = without_start(ARTICLE, " ".join(name.split()))
    folded = normalised(name)
    if name.rpartition(" ")[2][:1].isupper():
        return folded
    first, blank, last = folded.rpartition(" ")
    return f"{first}{blank}{singular(last)}"


# -- kinds -------------------------------------------------------------------------------


class Link(msgspec.Struct, frozen=True):
    """Step from a name to one of its kinds: `satay IS_A peanut dish`.

    `evidence` is the log position that states it; None for common knowledge.
    """

    source: str
    type: str
    target: str
    evidence: int | None = None


class Known(msgspec.Struct, frozen=True):
    """Kind that a name is known to have, and the steps to it."""

    name: str
    path: tuple[Link, ...]


class Knows(Protocol):
    """Port for knowledge of words and names."""

    def stem(self, word: str) -> str:
        """Stem of a lowercase word."""
        ...

    def kinds_of(self, name: str) -> Sequence[Known]:
        """Kinds of a lowercase name, direct or through others, nearest first."""
        ...


def known_kinds(name: str, knows: Knows) -> list[Known]:
    """Kinds of a name: those that the memory knows first, then the common kinds of those."""
    found: dict[str, Known] = {}
    for one in knows.kinds_of(name):
        found.setdefault(one.name.lower(), one)
    for start in [Known(name, ()), *found.values()]:
        entry = everyday_name(start.name.lower())
        for one in everyday_kinds(entry) if entry is not None else ():
            found.setdefault(one.name, Known(one.name, (*start.path, *one.path)))
    return list(found.values())


def everyday_name(name: str) -> str | None:
    """Name of a thing in common knowledge; None if it is not there."""
    *first, last = name.split() or [""]
    forms = (name, " ".join([*first, singular(last)]))
    return next((form for form in forms if form in known_names()), None)


@cache
def everyday_kinds(entry: str) -> tuple[Known, ...]:
    """Kinds of an everyday thing, nearest first."""
    seen, ahead = {entry}, [Known(entry, ())]
    for one in ahead:
        for kind in KINDS.keys_of("kinds").get(one.name, ()):
            if kind not in seen and len(one.path) < _DEEPEST:
                seen.add(kind)
                ahead.append(Known(kind, (*one.path, Link(one.name, "IS_A", kind))))
    return tuple(ahead[1:])


@cache
def known_names() -> frozenset[str]:
    """Names in common knowledge, kinds included."""
    return frozenset({*KINDS.keys_of("kinds"), *KINDS.table("kinds"), *KINDS.keys_of("contrasts")})
