"""Entity extraction by rule: the names in a text, a pure function of the text.

Precise rather than greedy: a missed name costs one path to a memory; a common word
taken for a name links unrelated memories.
"""

from collections.abc import Iterator
from functools import cache

from mnemolog.language.analysis import STOP_WORDS
from mnemolog.language.lists import english
from mnemolog.language.words.lexicon import singular

LISTS = english("names")
_PATTERNS = LISTS.patterns_by_name

ENTITY_PREFIX = "@"  # begins an entity among the terms of a text, as it does no stemmed word
ARTICLE = LISTS.pattern("article")
_MOST = 64  # names of one text: a long document is about a few of its names
_LONGEST = 80
_TITLE_WORDS = 7
_SENTENCE_END = '.!?:\n"(\N{LEFT DOUBLE QUOTATION MARK}>*-\N{BULLET}\N{EM DASH}#'


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
    names = [name for name in found if 1 < len(name) <= _LONGEST]
    return tuple(sorted(names[:_MOST]))


def normalised(name: str) -> str:
    """Normalised name for comparison: casefolded, without possessive, single blanks."""
    folded = " ".join(name.casefold().split()).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return folded.removesuffix("'s").strip("'")


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
        if len(piece) > _LONGEST or _PATTERNS.mark.search(piece) is None:
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
    if text.isupper() or sum(map(str.isupper, text[:200])) * 3 > len(text[:200]):
        # Most letters are capitals, which then mean nothing.
        return
    if "-" in text:
        yield from (ticket.casefold() for ticket in _PATTERNS.ticket.findall(text))
    inside: dict[str, None] = {}
    doubtful: list[tuple[str, int]] = []
    for starts, end, began in _runs(text):
        first = starts[0]
        name = normalised(text[first:end])
        opens = _opens_sentence(text, began)
        if opens and text[end : end + 1] in {":", "*", "_", "\n", "`"}:
            # A heading or an item's title, with every word capitalised.
            continue
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


def _runs(text: str) -> Iterator[tuple[list[int], int, int]]:
    """Runs of adjacent capitalised words: each word's start, the run's end, and its first start.

    Words that often open a sentence, and function words at either end, are cut off; the
    first start is the position before the cut.
    """
    at = 0
    while (first := _PATTERNS.capitalised.search(text, at)) is not None:
        words, at = [first], first.end()
        while (joined := _PATTERNS.joining.match(text, at)) and (
            following := _PATTERNS.capitalised.match(text, joined.end())
        ):
            words.append(following)
            at = following.end()
        start = first.start()
        if start and (text[start - 1].isalnum() or text[start - 1] in "@/_.#"):
            continue
        if first[0].casefold() in _no_names() and _opens_sentence(text, start):
            del words[0]
        while words and words[0][0].casefold() in _function_words():
            del words[0]
        while words and words[-1][0].casefold() in _function_words():
            del words[-1]
        if words:
            yield [word.start() for word in words], words[-1].end(), start


def _opens_sentence(text: str, start: int) -> bool:
    before = start - 1
    while before >= 0 and text[before] == " ":
        before -= 1
    return before < 0 or text[before] in _SENTENCE_END


def thing_name(name: str) -> str:
    """Comparison key of a thing's name: casefolded, singular, without article and possessive.

    A capitalised last word keeps its s: `James` is no plural.
    """
    name = ARTICLE.sub("", " ".join(name.split()), count=1)
    folded = normalised(name)
    if name.rpartition(" ")[2][:1].isupper():
        return folded
    first, blank, last = folded.rpartition(" ")
    return f"{first}{blank}{singular(last)}"
