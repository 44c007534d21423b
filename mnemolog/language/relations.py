"""Relations that a text states between the things that it names.

Only plain statements about something named give relations: `almonds are a kind of nuts`, `Rex is
Dana's dog`. Questions, denials, suppositions and pronouns state nothing.
"""

import itertools
import re
from collections.abc import Iterator
from functools import cache

import msgspec

from mnemolog.language.analysis import STOP_WORDS
from mnemolog.language.entities import ARTICLE, LISTS, thing_name
from mnemolog.language.lists import without_start
from mnemolog.language.sentences import main_clauses
from mnemolog.language.words.lexicon import is_plural

_PATTERNS = LISTS.patterns_by_name

ALIAS = "ALIAS_OF"
_MOST_RELATIONS = 32
_LONGEST_SENTENCE = 400  # characters of a sentence: what is stated plainly is short
_MOST_WORDS = 3
_BESIDE, _LEAST_WORDS = 60, 2  # characters and words beside those of a statement
_NO_NOUN = (  # ends of possessives and adverbs
    *("'s", "\N{RIGHT SINGLE QUOTATION MARK}s"),
    *("ally", "ently", "antly", "ously", "ively", "ably", "ibly", "edly", "fully", "arly", "tely"),
)


class Relation(msgspec.Struct, frozen=True, order=True):
    """Relation that a text states between two things: `almond` `IS_A` `nut`."""

    source: str
    type: str
    target: str


def relations(text: str) -> tuple[Relation, ...]:
    """Relations that a text states, unique, in order; at most 32."""
    found: dict[Relation, None] = {}
    for start, end in main_clauses(text) if _may_state(text) else ():
        sentence = text[start:end]
        if len(sentence) > _LONGEST_SENTENCE or sentence.endswith("?"):
            continue
        if (stated := dict.fromkeys(_stated(sentence))) and _signed(sentence):
            found |= stated
        if len(found) >= _MOST_RELATIONS:
            break
    return tuple(found)[:_MOST_RELATIONS]


@cache
def _signs() -> tuple[str, ...]:
    return tuple(LISTS.text("signs").split("|"))


def _signed(text: str) -> bool:
    return any(map(text.__contains__, _signs()))


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
    named = without_start(ARTICLE, without_start(_PATTERNS.kind, bare))
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
    kind = without_start(_PATTERNS.kind, right)
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
    words = without_start(ARTICLE, side.strip()).split(" ")
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
