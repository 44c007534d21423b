"""Clause parsing: subject, verb group, complement, times, condition and asides."""

import re
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.calendar import MONTHS, WEEKDAYS
from mnemolog.language.clauses.needs import Rewordings, Rules, lowercase_words
from mnemolog.language.clauses.verb_groups import LISTS, split_clause, split_order
from mnemolog.language.lists import word_set
from mnemolog.language.quantities.amounts import Quantity
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.quantities.numbers import number_words
from mnemolog.language.words.lexicon import (
    LEXICON,
    PREPOSITIONS,
    PRONOUNS,
)

_PATTERNS, _RULES = LISTS.patterns_by_name, Rules(LISTS)
_REWORDINGS, _ADVERBS, _ONLY = (
    Rewordings(LISTS, name) for name in ("rewordings", "adverbs", "only")
)

_LONGEST_NAME = 3
_NO_PERSON = word_set("the a an our this you")
# Pronouns that begin no time, adverb or order, so that a clause that begins with one has no subject
# to compare.
_UNCLEAR = PRONOUNS & word_set(
    "it that they them he him she her you your yours his its their something anything everything "
    "someone everyone"
)
_NAME_START = 3  # letters

Duty = Literal["must", "need not"] | None


class Aside(msgspec.Struct, frozen=True):
    """Asides removed from a clause.

    `deictic` is a time relative to the utterance ('this week'), `lately` a past one
    ('last week') or a named day. `duty` separates what must be done from what need not.
    `only_first` is True if 'only' restricts the subject.
    """

    deictic: str | None
    lately: str | None
    duty: Duty
    only_first: bool


class Words(msgspec.Struct, frozen=True):
    """Subject as words; `is_person` is True for a name or the speaker."""

    words: tuple[str, ...]
    is_person: bool


class Clause(msgspec.Struct, frozen=True):
    """Parsed clause.

    `predicate` is the base form of the verb and then `rest`, without adverbs and negations,
    and with numbered placeholders of `amounts`. `when` are the times at which it holds,
    `span` its first and last year, `condition` its condition in words. `past` is over,
    `episodic` happened once, `experienced` happened at some time, `never` at none. `only`
    and `also` are True if the clause says so. `aside` holds its asides.
    """

    subject: Words
    verb: str
    rest: str
    predicate: str
    affirmed: bool
    past: bool
    episodic: bool
    experienced: bool
    never: bool
    only: bool
    also: bool
    aside: Aside
    amounts: tuple[Quantity, ...]
    when: tuple[Quantity, ...]
    span: tuple[int, int] | None
    since: bool
    condition: str | None

    def quantities_in(self, text: str) -> tuple[Quantity, ...]:
        """Amounts that the placeholders in `text` stand for."""
        return tuple(self.amounts[int(at)] for at in _PATTERNS.placeholder.findall(text))

    def spelled(self, text: str) -> str:
        """`text` with the amounts in their own words."""
        return _spelled(text, self.amounts)


def read_clause(text: str) -> Clause | None:
    """Parsed clause, or None if its subject and verb are not clear."""
    words = lowercase_words(text)
    if _RULES.used_to.search(text, words):
        return None
    reworded = _REWORDINGS.rewritten(text, words)
    if reworded.partition(" ")[0].lower() in _UNCLEAR:
        return None
    if reworded != text:
        words = lowercase_words(reworded)
    text, aside = _set_aside(reworded, words)
    bare, span = _spanned(_ADVERBS.rewritten(text, words))
    if "o longer" in bare:
        bare = re.sub(r"\b[Nn]o longer\b", "not", bare)
    only = _RULES.only.search(bare, words) is not None
    bare = _ONLY.rewritten(" ".join(bare.split()), words).strip(" ,")
    bare, amounts = _with_placeholders(bare, words)
    if "spent" in words:
        bare = _PATTERNS.spent.sub(r"was \2 \3 on \1", bare)
    bare, leading, first_condition = _leading(bare)
    tokens = _PATTERNS.token.findall(bare) if "⟦" in bare else bare.replace(",", " ").split()
    told = text.startswith("always ") or tokens[:1] in (["never"], ["Never"])
    parts = split_order(tokens, told=told) if told else split_clause(tokens)
    parts = parts or split_order(tokens, told=False)
    if parts is None:
        return None
    (subject, group), dated = parts, ""
    if len(subject) > 2 and subject[-2] in {"in", "on", "at"} and "⟦" in subject[-1]:  # noqa: PLR2004
        # 'The CEO in 2019' is the CEO.
        *subject, _, dated = subject
    rest, trailing, last_condition = _trailing(group.rest, group.verb)
    times = f"{leading} {dated} {trailing}"
    changes = group.verb in LISTS.words("changes")
    return Clause(
        subject=Words(tuple(_spelled(" ".join(subject), amounts).split()), _is_person(subject)),
        verb=group.verb,
        rest=rest,
        predicate=f"{group.verb} {rest}".strip(),
        affirmed=group.affirmed,
        past=group.past,
        episodic=group.experienced or (not changes and bool(_RULES.episode.search(text, words))),
        experienced=group.experienced,
        never=group.never,
        only=only,
        also=_RULES.also.search(text, words) is not None,
        aside=aside,
        amounts=amounts,
        when=tuple(amounts[int(at)] for at in _PATTERNS.placeholder.findall(times)),
        span=span,
        since="since" in f"{leading} {trailing}".lower(),
        condition=" ".join(filter(None, (first_condition, last_condition))) or None,
    )


def _set_aside(text: str, words: AbstractSet[str]) -> tuple[str, Aside]:
    if (told_from_now := _RULES.deictic.search(text, words)) is not None:
        text = _without(text, told_from_now)
    # By its last word, or as a named day.
    past = _RULES.lately.search(text, words)
    lately = past and (past["h"] or f"{past['t']}{past['d'] or ''}").lower().replace("'", "")
    text = text.strip(" ,") if past is None else _without(text, past)
    if "+" in text:
        text = _PATTERNS.phone.sub(lambda match: re.sub(r"[ ()-]", "", match[0]), text)
    duty: Duty = None
    if _RULES.need_not.search(text, words):
        duty, text = "need not", _RULES.need_not.pattern.sub("must not ", text)
    elif _RULES.must.search(text, words):
        duty, text = "must", _RULES.must.pattern.sub("must ", text)
    deictic = told_from_now and told_from_now[1].lower()
    return text, Aside(deictic, lately, duty, _PATTERNS.only_first.match(text) is not None)


def _without(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()]} {text[match.end() :]}".strip(" ,")


def _spanned(text: str) -> tuple[str, tuple[int, int] | None]:
    """Text without spans of years, and the first of them."""
    years = _PATTERNS.span.search(text) if "19" in text or "20" in text else None
    if years is None:
        return text, None
    span = int(years["a"] or years["c"]), int(years["b"] or years["d"])
    return _PATTERNS.span.sub(" ", text), span


@cache
def _amount_names() -> tuple[frozenset[str], tuple[str, ...]]:
    """First letters of the names in amounts, and the names."""
    others = word_set(
        "quarter noon midday midnight jan feb mar apr jun jul aug sep sept oct nov dec"
    )
    names = [*number_words(), *MONTHS, *WEEKDAYS, *others]
    starts = frozenset(name[:_NAME_START] for name in names)
    return starts, tuple(names)


def _may_give_amounts(text: str, words: AbstractSet[str]) -> bool:
    if _PATTERNS.digit.search(text):
        return True
    starts, names = _amount_names()
    return any(word.startswith(names) for word in words if word[:_NAME_START] in starts)


def _with_placeholders(text: str, words: AbstractSet[str]) -> tuple[str, tuple[Quantity, ...]]:
    # Most clauses give no amount, and finding amounts is a third of the cost of a clause.
    amounts = quantities(text) if _may_give_amounts(text, words) else ()
    for at, amount in reversed(tuple(enumerate(amounts))):
        before, after = text[: amount.start], text[amount.end :]
        # A number may be part of an identifier, such as 'eu-west-1'.
        joined = before[-1:] in {"-", "+", "_", "/", "@"} or before[-1:].isalnum()
        if not joined and not (after[:1] in {"-", "_", "@"} and after[1:2].isalnum()):
            text = f"{before}⟦{at}⟧{after}"
    return text, amounts


def _spelled(text: str, amounts: tuple[Quantity, ...]) -> str:
    if "⟦" not in text:
        return text
    return _PATTERNS.placeholder.sub(lambda match: amounts[int(match[1])].text, text)


def _leading(text: str) -> tuple[str, str, str]:
    times, condition = "", ""
    match = _PATTERNS.leading_time.match(text) if "⟦" in text else None
    # 'The 2022 conference' is not the conference of 2023.
    named = match is not None and match["t"].lower().startswith("the ")
    if match is not None and not named and not _PATTERNS.auxiliary.match(text, match.end()):
        times, text = match["t"], text[match.end() :]
    match = _PATTERNS.leading_condition.match(text)
    if match is not None and len(text[match.end() :].split()) > 1:
        condition, text = match["c"], text[match.end() :]
    return text, times, condition


def _trailing(rest: str, verb: str) -> tuple[str, str, str]:
    times, condition = "", ""
    for _ in range(2):
        before = rest
        match = _PATTERNS.trailing_condition.search(rest)
        if match is not None and not condition:
            condition, rest = match["c"], rest[: match.start()]
        match = _PATTERNS.trailing_time.search(rest) if "⟦" in rest else None
        if match is not None and _has_object(rest[: match.start()], verb):
            times, rest = f"{times} {match['t']}", rest[: match.start()]
        if rest == before:
            break
    return rest.strip(" ,"), times, condition


def _has_object(before: str, verb: str) -> bool:
    """True if an object precedes a time, so that the time is not itself the complement."""
    words = [word for word in before.split() if not _PATTERNS.placeholder.match(word)]
    no_object = PREPOSITIONS | LISTS.words("no_object")
    if verb != "be":
        no_object |= LISTS.words("particles")
    return any(word.lower() not in no_object for word in words) and words[-1] not in PREPOSITIONS


def _is_person(subject: list[str]) -> bool:
    first, last = subject[0].lower(), subject[-1].lower()
    if last in {"i", "we", "user"}:
        return True
    related = last in LEXICON.words("people_by_relation")
    if first in {"my", "our", "the"} and related:
        return len(subject) < _LONGEST_NAME or first == "my"
    if first in _NO_PERSON:
        return False
    if first == "my" or any(word.endswith(("'s", "'")) for word in subject[:-1]):
        return related
    if len(subject) == 1 and subject[0].isupper() and len(subject[0]) > 1:
        return False  # 'CI', 'QA': an abbreviation
    return all(word[:1].isupper() for word in subject) and len(subject) <= _LONGEST_NAME
