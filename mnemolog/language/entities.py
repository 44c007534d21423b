"""Names in a text, the relations that it states between them, and the kinds that anybody knows.

Extraction is by rule, a pure function of the text, and precise rather than greedy: a missed name
costs one path to a memory; a common word taken for a name links unrelated memories. Only plain
statements about something named give relations: `almonds are a kind of nuts`, `Rex is Dana's dog`.
Questions, denials, suppositions and pronouns state nothing.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cache
from string import ascii_uppercase
from typing import Protocol

import msgspec

from mnemolog.language.analysis import STOP_WORDS
from mnemolog.language.lists import english
from mnemolog.language.sentences import main_clauses
from mnemolog.language.words.lexicon import is_plural, singular

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
ALIAS = "ALIAS_OF"
_MOST_RELATIONS = 32
_LONGEST_SENTENCE = 400  # characters of a sentence: what is stated plainly is short
_MOST_WORDS = 3
_BESIDE, _LEAST_WORDS = 60, 2  # characters and words beside those of a statement
_NO_NOUN = (  # ends of possessives and adverbs
    *("'s", "\N{RIGHT SINGLE QUOTATION MARK}s"),
    *("ally", "ently", "antly", "ously", "ively", "ably", "ibly", "edly", "fully", "arly", "tely"),
)
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


def _is_shouted(text: str) -> bool:
    """True if more than a third of a text's characters are capitals."""
    if not text.isascii():
        return sum(map(str.isupper, text)) * 3 > len(text)
    return (len(text) - len(text.encode().translate(None, _CAPITALS))) * 3 > len(text)


def _runs(text: str) -> Iterator[tuple[list[int], int, int]]:
    """Runs of capitalised words: each word's start, the run's end, its first start before cuts."""
    no_names, function_words = _no_names(), _function_words()
    for run in _PATTERNS.capitalised.finditer(text):
        start, end = run.span()
        if run[0].casefold() in function_words:  # most runs, as "I" is one
            continue
        if start and (text[start - 1].isalnum() or text[start - 1] in "@/_.#"):
            continue
        words = _words_of(run[0])
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
    name = ARTICLE.sub("", " ".join(name.split()), count=1)
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


# -- relations ---------------------------------------------------------------------------


class Relation(msgspec.Struct, frozen=True, order=True):
    """Relation that a text states between two things: `almond` `IS_A` `nut`."""

    source: str
    type: str
    target: str


def relations(text: str) -> tuple[Relation, ...]:
    """Relations that a text states, unique, in order; at most 32."""
    found: dict[Relation, None] = {}
    for start, end in main_clauses(text) if _signed(text) and _may_state(text) else ():
        sentence = text[start:end]
        if len(sentence) <= _LONGEST_SENTENCE and _signed(sentence) and not sentence.endswith("?"):
            found |= dict.fromkeys(_stated(sentence))
        if len(found) >= _MOST_RELATIONS:
            break
    return tuple(found)[:_MOST_RELATIONS]


@cache
def _signs() -> tuple[str, ...]:
    return tuple(LISTS.text("signs").split("|"))


def _signed(text: str) -> bool:
    # A loop: `any` with a generator took three times as long for every memory.
    for sign in _signs():  # noqa: SIM110
        if sign in text:
            return True
    return False


def _may_state(text: str) -> bool:
    """False if each statement of a text is about a word that names nothing, or says such a word."""
    return any(map(_may_name_both, itertools.repeat(text), _PATTERNS.said.finditer(text)))


def _may_name_both(text: str, said: re.Match[str]) -> bool:
    """False if the word before or behind those of a statement surely names nothing."""
    start, end = said.span()
    before = text[max(0, start - _BESIDE) : start].rstrip(" ,(").split()
    # Whole words only, and the last of several names by itself: 'Ann and you are engineers'.
    whole = len(before) > _LEAST_WORDS or (before and start <= _BESIDE)
    joined = before[-2:-1] == ["and"] or said.lastgroup == "reason"
    if whole and not joined and before[-1].casefold() in _nameless():
        return False
    bare = text[end : end + _BESIDE].lstrip()
    named = ARTICLE.sub("", _PATTERNS.kind.sub("", bare, count=1), count=1)
    words = named.split(" ")
    whole = len(words) > 1 or end + _BESIDE >= len(text)
    if not whole or said.lastgroup == "contents":
        return True
    # More words than a name has, with no bound between them, name nothing either.
    many, begun = len(words) > _MOST_WORDS + 1, words[: _MOST_WORDS + 1]
    many = (
        many and all(map(str.isalnum, begun)) and not _PATTERNS.right_bound.search(" ".join(begun))
    )
    return not many and words[0].casefold() not in _nameless()


@cache
def _nameless() -> frozenset[str]:
    return STOP_WORDS | LISTS.words("vague")


def _stated(sentence: str) -> Iterator[Relation]:
    for match in _PATTERNS.said.finditer(sentence):
        before, after = sentence[: match.start() + 1], sentence[match.end() :]
        bare = after.lstrip()
        if _PATTERNS.supposed.search(before) or bare.startswith(("not ", "no ", "never ")):
            continue
        states = match.lastgroup or ""
        kind = _PATTERNS.kind.match(bare)
        start = len(after) - len(bare) + (kind.end() if kind else 0)
        bounds = _PATTERNS.list_bound if states == "contents" else _PATTERNS.right_bound
        bound = bounds.search(after, start)
        if states == "kind" and bound and _PATTERNS.more_adjectives.match(after, bound.start()):
            continue
        right = (after if bound is None else after[: bound.start()]).strip()
        before = before.strip(" ,(")
        listed = _PATTERNS.list.search(before)
        lefts = _listed(listed[0]) if listed else [_PATTERNS.left_bound.sub("", before).strip()]
        for left in lefts:
            yield from _read(states, left, match[0][1:].casefold(), right)


def _listed(side: str) -> list[str]:
    """Items of `almonds, sugar and milk`; without commas, only one word may follow an `and`."""
    *items, last = side.split(", ")
    first, joined, second = last.rpartition(" and ")
    if joined and (items or " " not in second):
        return [*items, *([first.strip(",")] if first else []), second]
    return [*items, first if joined else last.removeprefix("and ")]


def _read(states: str, left: str, said: str, right: str) -> Iterator[Relation]:
    match states:
        case "kind":
            yield from _kinds(left, said, right)
        case "contents":
            for part in _listed(right):
                yield from _between(left, "CONTAINS", part)
        case "owner":
            # `Ann is Dana's sister`: the two are related.
            apart = right.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").partition("'s ")
            if apart[2] and _named(apart[2]) is not None:
                yield from _between(left, "ASSOCIATED_WITH", apart[0])
        case "reason":
            yield from _between(_PATTERNS.happened.sub("", left.rstrip()), "CAUSED_BY", right)
        case "CAUSES":
            yield from _between(right, "CAUSED_BY", left)
        case _:
            yield from _between(left, states, right)


def _between(left: str, kind: str, right: str) -> Iterator[Relation]:
    source, target = _named(left), _named(right)
    if source is not None and target is not None and source != target:
        yield Relation(source, kind, target)


def _kinds(left: str, said: str, right: str) -> Iterator[Relation]:
    """Kinds of `almonds are tree nuts`: tree nut, and nut."""
    many = said in {"are", "were"}
    kind = _PATTERNS.kind.sub("", right, count=1)
    sure = kind != right
    plural = many and is_plural(kind.rpartition(" ")[2].casefold())
    if not (sure or plural or (not many and _PATTERNS.indefinite.match(kind))):
        return
    source, target = _named(left, many=many), _named(kind, many=many)
    if source is None or target is None or source == target:
        return
    yield Relation(source, "IS_A", target)
    head = target.rpartition(" ")[2]
    if head not in {target, source}:
        yield Relation(source, "IS_A", head)


def _named(side: str, *, many: bool = False) -> str | None:
    """Name of the thing that a side consists of; None if it is not just a name."""
    words = ARTICLE.sub("", side.strip(), count=1).split(" ")
    if not 1 <= len(words) <= _MOST_WORDS or not all(map(_PATTERNS.word.fullmatch, words)):
        return None
    folded = [word.casefold() for word in words]
    telling = STOP_WORDS.isdisjoint(folded) and LISTS.words("vague").isdisjoint(folded)
    if not telling or any(word.endswith(_NO_NOUN) for word in folded):
        return None
    if not all(any(map(str.isalpha, word)) for word in words):
        return None
    names = _PATTERNS.name_at_end.search(" ".join(words))
    # `my brother Tom`: the name identifies him, not the noun.
    name = names[1] if names is not None and words[0].islower() else " ".join(words)
    if many and name[:1].isupper() and len(words) == 1:
        # `Almonds are nuts`: the capital belongs to the sentence.
        name = name.casefold()
    return thing_name(name)
