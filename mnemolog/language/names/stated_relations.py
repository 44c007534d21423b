"""Relation extraction by rule: the simple relations that a text states, a pure function of it.

Only plain statements about something named count: `almonds are a kind of nuts`,
`Rex is Dana's dog`. Questions, denials, suppositions and pronouns state nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from mnemolog.language.analysis import STOP_WORDS
from mnemolog.language.morphology import is_plural
from mnemolog.language.names.things import ARTICLE, thing_name
from mnemolog.language.patterns import regex
from mnemolog.language.sentences import main_clauses

ALIAS = "ALIAS_OF"
_MOST = 32
_LONGEST = 400
"""Characters of the longest sentence that is looked at: what is stated plainly is short."""


class Relation(msgspec.Struct, frozen=True, order=True):
    """Relation that a text states between two things: `almond` `IS_A` `nut`."""

    source: str
    type: str
    target: str


class _Pattern(NamedTuple):
    """Pattern of a statement: its words, and the relations that it states between its sides."""

    words: str
    states: Callable[[_Sides], Iterator[Relation]]


class _Sides(NamedTuple):
    """Sides of a pattern: the text before and after its words, and the words, in lowercase."""

    left: str
    said: str
    right: str


# -- names of things -------------------------------------------------------------------

_WORD = regex(r"[\w@#][\w.'\N{RIGHT SINGLE QUOTATION MARK}/#@+-]*")
_MOST_WORDS = 3
_VAGUE = frozenset({
    "bit", "bunch", "couple", "few", "fine", "good", "great", "little", "lot", "lots", "many",
    "matter", "much", "must", "number", "one", "ones", "others", "part", "people", "pity",
    "problem", "question", "reason", "shame", "something", "someone", "sometimes", "stuff",
    "thing", "things", "time", "times", "total", "way", "ways", "what", "yours", "always",
    "perhaps", "besides", "afterwards", "nowadays", "today", "tomorrow", "yesterday", "yes",
    "ok", "okay", "also", "still", "everything", "everyone", "nothing", "anything", "maybe",
    "really", "like", "below", "above", "may", "might", "often", "help", "helps", "given",
    "usually", "just", "now", "never", "ever", "said", "says", "us", "i'm", "not",
})  # fmt: skip
"""Words that name nothing, though they stand where a name would."""

_NO_NOUN = (
    *("'s", "\N{RIGHT SINGLE QUOTATION MARK}s"),
    *("ally", "ently", "antly", "ously", "ively", "ably", "ibly", "edly", "fully", "arly", "tely"),
)
"""Ends of possessives and adverbs."""

_NAME_AT_END = regex(r"(?<= )([A-Z]\w*(?: [A-Z]\w*)*)\Z")


def _named(side: str, many: str) -> str | None:
    """Name of the thing that a side consists of; None if it is not just a name."""
    words = ARTICLE.sub("", side.strip(), count=1).split(" ")
    if not 1 <= len(words) <= _MOST_WORDS or not all(map(_WORD.fullmatch, words)):
        return None
    folded = [word.casefold() for word in words]
    if any(word in STOP_WORDS or word in _VAGUE or word.endswith(_NO_NOUN) for word in folded):
        return None
    if not all(any(map(str.isalpha, word)) for word in words):
        return None
    names = _NAME_AT_END.search(" ".join(words))
    # `my brother Tom`: the name identifies him, not the noun.
    name = names[1] if names is not None and words[0].islower() else " ".join(words)
    if many and name[:1].isupper() and len(words) == 1:
        # `Almonds are nuts`: the capital belongs to the sentence.
        name = name.casefold()
    return thing_name(name)


# -- what patterns state ---------------------------------------------------------------

_PLURAL = frozenset({"are", "were"})
_KIND = regex(
    r"\A(?:a |an |the )?(?:kind|type|sort|form|species|breed|variety)s? of ", re.IGNORECASE
)
_INDEFINITE = regex(r"an? ", re.IGNORECASE)


def _kinds(sides: _Sides) -> Iterator[Relation]:
    """Kinds of `almonds are tree nuts`: tree nut, and nut."""
    many = "are" if sides.said in _PLURAL else ""
    source = _named(sides.left, many)
    right = _KIND.sub("", sides.right, count=1)
    sure = right != sides.right
    if not many and not sure and not _INDEFINITE.match(right):
        return
    target = _named(right, many)
    if source is None or target is None or source == target:
        return
    last = right.rpartition(" ")[2].casefold()
    if many and not sure and not is_plural(last):
        return
    yield Relation(source, "IS_A", target)
    head = target.rpartition(" ")[2]
    if head not in {target, source}:
        yield Relation(source, "IS_A", head)


def _listed(side: str) -> list[str]:
    """Items of `almonds, sugar and milk`; without commas, only one word may follow an `and`."""
    *items, last = side.split(", ")
    first, joined, second = last.rpartition(" and ")
    if joined and (items or " " not in second):
        return [*items, *([first.strip(",")] if first else []), second]
    return [*items, first if joined else last.removeprefix("and ")]


def _contents(sides: _Sides) -> Iterator[Relation]:
    for part in _listed(sides.right):
        yield from _between("CONTAINS")(_Sides(sides.left, sides.said, part))


def _between(kind: str) -> Callable[[_Sides], Iterator[Relation]]:
    def states(sides: _Sides) -> Iterator[Relation]:
        source, target = _named(sides.left, ""), _named(sides.right, "")
        if source is not None and target is not None and source != target:
            yield Relation(source, kind, target)

    return states


def _reversed(kind: str) -> Callable[[_Sides], Iterator[Relation]]:
    def states(sides: _Sides) -> Iterator[Relation]:
        yield from _between(kind)(_Sides(sides.right, sides.said, sides.left))

    return states


def _owned(sides: _Sides) -> Iterator[Relation]:
    """Relation of `Ann is Dana's sister`: the two are related."""
    owner, _, role = sides.right.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").partition("'s ")
    if role and _named(role, "") is not None:
        yield from _between("ASSOCIATED_WITH")(_Sides(sides.left, sides.said, owner))


_HAPPENED = regex(
    r" (?:happened|occurred|failed|broke|crashed|started|stopped|went down|was \w+ed|were \w+ed)$",
    re.IGNORECASE,
)


def _because(sides: _Sides) -> Iterator[Relation]:
    left = _HAPPENED.sub("", sides.left.rstrip())
    yield from _between("CAUSED_BY")(_Sides(left, sides.said, sides.right))


_PATTERNS = (
    _Pattern(r"(?:is |are |was |were )?(?:also )?(?:known as|nicknamed|aka)", _between(ALIAS)),
    _Pattern(r"(?:is|are) (?:also )?(?:called|the same (?:thing )?as)", _between(ALIAS)),
    _Pattern(r"(?:is|are) (?:a )?part of", _between("PART_OF")),
    _Pattern(r"(?:is|are) made (?:of|from|with)", _contents),
    _Pattern(r"contains?|consists? of", _contents),
    _Pattern(r"depends? (?:up)?on|relies on|rely on|requires?", _between("DEPENDS_ON")),
    _Pattern(r"(?:is|are|was|were) caused by", _between("CAUSED_BY")),
    _Pattern(r"caused|causes?|led to|leads to|results? in|resulted in", _reversed("CAUSED_BY")),
    _Pattern(r"because of|due to", _because),
    _Pattern(r"prevents?|prevented", _between("PREVENTS")),
    _Pattern(r"works? (?:at|for)|worked (?:at|for)", _between("ASSOCIATED_WITH")),
    _Pattern(r"(?:is|was)(?= [A-Z@][\w-]*['\N{RIGHT SINGLE QUOTATION MARK}]s )", _owned),
    _Pattern(r"(?:is|was)(?= (?:an? |(?:the |one )?(?:kind|type|sort|form|breed) of ))", _kinds),
    _Pattern(r"are|were", _kinds),
)  # fmt: skip
_SAID = regex(
    r"(?<= )(?:" + "|".join(f"({pattern.words})" for pattern in _PATTERNS) + r")(?= )",
)
_LEFT_BOUND = regex(
    r".*(?:[,:()]|\b(?:that|and|but|because|since|so|which|remember|note|know|says?|said|thinks?"
    r"|while|although|as|actually|also|then)\b)",
    re.IGNORECASE,
)
_RIGHT_BOUND = regex(
    r"[,:()\"]|[.!?]$| (?:that|which|who|whom|whose|in|at|on|of|for|with|and|or|but|from|to|by"
    r"|as|than|because|since|so|when|where|while|if|unless|after|before|during|until|without|like"
    r"|although|though|now|too|again|is|are|was|were|has|have|had|we|i|you|he|she|they|it)\b",
    re.IGNORECASE,
)
_LIST_BOUND = regex(
    _RIGHT_BOUND.pattern.replace("[,:", "[:").replace("with|and|", "with|"), re.IGNORECASE
)
_LIST = regex(r"(?:\A|(?<=: )|(?<= that ))(?:[\w-]+, )*[\w-]+,? and [\w-]+\Z")
# `a powerful, modern tool`: an adjective, not a noun, precedes the comma.
_MORE_ADJECTIVES = regex(
    r", (?!(?:and|but|so|or|not|who|which|that|though|although|as|in|at|by|for|with|an?|the|my|our"
    r"|your|his|her|their|its|i|you|we|they|he|she|it|now|too|i'm)\b)[a-z]",
    re.IGNORECASE,
)
_SUPPOSED = regex(
    r"\b(?:if|whether|unless|suppose|imagine|maybe|perhaps|probably|might|could|would|wish"
    r"|pretend|hypothetically|no|not|never|n't|nor|isn't|aren't|wasn't)\b|n't\b",
    re.IGNORECASE,
)


# Cheap test first, as most texts have none of these signs.
_SIGNS = (
    *(
        " is a",
        " was a",
        " are ",
        " were ",
        "'s ",
        "\N{RIGHT SINGLE QUOTATION MARK}s ",
        " part of ",
    ),
    *(" aka", "known as ", "nicknamed ", " same ", " called ", " contain", " consist", " depend"),
    *(" relies ", " rely ", " require", " cause", "because of ", " led to ", " leads to "),
    *(" result", " due to ", " prevent", " works ", " work ", " worked ", " made "),
)


def relations(text: str) -> tuple[Relation, ...]:
    """Relations that a text states, unique, in order; at most 32."""
    found: dict[Relation, None] = {}
    if not _signed(text):
        return ()
    for start, end in main_clauses(text):
        sentence = text[start:end]
        if len(sentence) > _LONGEST or not _signed(sentence):
            continue
        if _SAID.search(sentence) is None or sentence.endswith("?"):
            continue
        for relation in _stated(sentence):
            found[relation] = None
        if len(found) >= _MOST:
            break
    return tuple(found)[:_MOST]


def _signed(text: str) -> bool:
    # A loop: `any` with a generator took three times as long for every memory.
    for sign in _SIGNS:  # noqa: SIM110
        if sign in text:
            return True
    return False


def _stated(sentence: str) -> Iterator[Relation]:
    for match in _SAID.finditer(sentence):
        before, after = sentence[: match.start()], sentence[match.end() :]
        if _SUPPOSED.search(before) or after.lstrip().startswith(("not ", "no ", "never ")):
            continue
        pattern = _PATTERNS[(match.lastindex or 1) - 1]
        kind = _KIND.match(after.lstrip())
        start = len(after) - len(after.lstrip()) + (kind.end() if kind else 0)
        bounds = _LIST_BOUND if pattern.states is _contents else _RIGHT_BOUND
        bound = bounds.search(after, start)
        right = (after if bound is None else after[: bound.start()]).strip()
        if pattern.states is _kinds and bound and _MORE_ADJECTIVES.match(after, bound.start()):
            continue
        for left in _lefts(before.strip(" ,(")):
            yield from pattern.states(_Sides(left, match[0].casefold(), right))


def _lefts(before: str) -> list[str]:
    """Subjects of a statement: the end of the text before it, or the items of a list."""
    listed = _LIST.search(before)
    if listed is not None:
        return _listed(listed[0])
    return [_LEFT_BOUND.sub("", before).strip()]
