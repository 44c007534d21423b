"""Relations and kinds: what a text states of things, and what anybody knows of everyday things.

Relation extraction is by rule, a pure function of the text. Only plain statements about something
named count: `almonds are a kind of nuts`, `Rex is Dana's dog`. Questions, denials, suppositions
and pronouns state nothing.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Protocol

import msgspec

from mnemolog.language.analysis import STOP_WORDS
from mnemolog.language.entities import ARTICLE, thing_name
from mnemolog.language.lists import english
from mnemolog.language.sentences import main_clauses
from mnemolog.language.words.lexicon import is_plural, singular

KINDS = english("common_kinds")
LISTS = english("relations")
_PATTERNS = LISTS.patterns_by_name

ALIAS = "ALIAS_OF"
_MOST = 32
_LONGEST = 400  # characters of a sentence: what is stated plainly is short
_MOST_WORDS = 3
_NO_NOUN = (  # ends of possessives and adverbs
    *("'s", "\N{RIGHT SINGLE QUOTATION MARK}s"),
    *("ally", "ently", "antly", "ously", "ively", "ably", "ibly", "edly", "fully", "arly", "tely"),
)
_DEEPEST = 6


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


class Relation(msgspec.Struct, frozen=True, order=True):
    """Relation that a text states between two things: `almond` `IS_A` `nut`."""

    source: str
    type: str
    target: str


def relations(text: str) -> tuple[Relation, ...]:
    """Relations that a text states, unique, in order; at most 32."""
    found: dict[Relation, None] = {}
    if not _signed(text):
        return ()
    for start, end in main_clauses(text):
        sentence = text[start:end]
        if len(sentence) <= _LONGEST and _signed(sentence) and not sentence.endswith("?"):
            found |= dict.fromkeys(_stated(sentence))
        if len(found) >= _MOST:
            break
    return tuple(found)[:_MOST]


@cache
def _signs() -> tuple[str, ...]:
    return tuple(LISTS.text("signs").split("|"))


def _signed(text: str) -> bool:
    # A loop: `any` with a generator took three times as long for every memory.
    for sign in _signs():  # noqa: SIM110
        if sign in text:
            return True
    return False


def _stated(sentence: str) -> Iterator[Relation]:
    for match in _PATTERNS.said.finditer(sentence):
        before, after = sentence[: match.start()], sentence[match.end() :]
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
            yield from _read(states, left, match[0].casefold(), right)


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
    if not (many or sure or _PATTERNS.indefinite.match(kind)):
        return
    source, target = _named(left, many=many), _named(kind, many=many)
    if source is None or target is None or source == target:
        return
    if many and not sure and not is_plural(kind.rpartition(" ")[2].casefold()):
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
    folded, vague = [word.casefold() for word in words], LISTS.words("vague")
    if any(word in STOP_WORDS or word in vague or word.endswith(_NO_NOUN) for word in folded):
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
