"""Clause parsing: subject, verb, complement, times and condition."""

from __future__ import annotations

import re
from functools import cache

import msgspec

from mnemolog.language.clauses.asides import ALSO, Aside, set_aside
from mnemolog.language.clauses.verb_groups import CHANGES, split_clause, split_order
from mnemolog.language.dates.calendar import MONTHS, WEEKDAYS
from mnemolog.language.lists import word_set
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Quantity
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.quantities.numbers import number_words
from mnemolog.language.words.english import ADVERBS, EPISODE, PREPOSITIONS
from mnemolog.language.words.lexicon import LEXICON

_LONGEST_NAME = 3
_PLACEHOLDER = regex(r"⟦(\d+)⟧")
_TIMES = frozenset({"date", "clock", "weekday"})


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
        return tuple(self.amounts[int(match[1])] for match in _PLACEHOLDER.finditer(text))

    def spelled(self, text: str) -> str:
        """`text` with the amounts in their own words."""
        return _PLACEHOLDER.sub(lambda match: self.amounts[int(match[1])].text, text)


_SPAN = regex(
    r"\b(?:from|between) (?P<a>(?:19|20)\d\d) (?:to|until|till|and|through) (?P<b>(?:19|20)\d\d)\b"
    r"|\b(?P<c>(?:19|20)\d\d)\s?[-\N{EN DASH}]\s?(?P<d>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_Q = r"⟦\d+⟧s?"
_TIME_PHRASE = (
    rf"(?:on|in|at|during|since|all|by|until|throughout|every|for all of|spent)?\s*(?:the )?{_Q}"
    rf"(?:\s*(?:,|at|on|in|and)?\s*{_Q})*"
)
_AUXILIARY = regex(r"(?:am|is|are|was|were|has|have|had|does|do|did|will)\b")
_LEADING_TIME = regex(rf"^(?P<t>{_TIME_PHRASE}),?\s+(?=\S)", re.IGNORECASE)
_TRAILING_TIME = regex(
    rf"(?<=\S)\s+(?P<t>(?:on|in|at|during|since|all|until|throughout|every)\s+(?:the )?{_Q}"
    rf"(?:\s*(?:,|at|on|in|and)?\s*{_Q})*)$",
    re.IGNORECASE,
)
_CIRCUMSTANCE = (
    r"(?:(?:in|during) (?:the )?(?:winter|summer|spring|autumn|fall|mornings?|evenings?|"
    r"afternoons?|nights?|rain|office|past)|(?:at|on|over) (?:the )?(?:work|home|school|night|"
    r"weekends?|weekdays?|breakfast|lunch|dinner|holidays?|vacation|business trips?|parties)"
    r"|in (?:production|staging|development|general|private|public|meetings|class)"
    r"|on (?:staging|production|mobile|desktop|weekdays|weekends)|before \w+|after \w+)"
)
_LEADING_CONDITION = regex(
    rf"^(?P<c>{_CIRCUMSTANCE}|(?:when|whenever|while) [^,]+),?\s+(?=\S)", re.IGNORECASE
)
_TRAILING_CONDITION = regex(
    rf"(?<=\S),?\s+(?P<c>{_CIRCUMSTANCE}|(?:when|whenever|while|during|except|unless"
    r"|only (?:on|in|at|with)) .+|on the \w+ (?:plan|tier|server|branch|team|machine|version)"
    r"|(?:for|with) (?:all |most )?(?:\w+ )?(?:users|customers|members|guests|accounts|clients|"
    r"visitors|admins|adults|children|beginners|students|seniors|pensioners|residents|locals|"
    r"tourists|families|employees|kids)|on (?:android|ios|windows|linux|macos|mac))$",
    re.IGNORECASE,
)
_TIMES_A = regex(r"\b(once|twice) (an?|per|every) (?=\w)", re.IGNORECASE)
_HOW_MANY = {"once": "1", "twice": "2"}
_DECIDED = regex(r"\b(?:(?:have|has) )?(?:decided|agreed|chose|chosen|opted) (not )?to ")
_OPEN_UNTIL = regex(r"\b(?:is|are) (?:\w+ )?open (?:until|till) ")
_FEATURES = regex(r"^([\w .]+?) (?:has|have) (\w+(?: \w+)?) (eyes|hair|skin)$", re.IGNORECASE)
_HAS_ITS_DAY = regex(
    r"^([\w .]+?) (?:has|have) (?:his|her|their) (birthday|anniversary) (?=on |in )"
)
_SPENT = regex(r"\bspent (⟦\d+⟧) (in|at) (.+)$")
_USED_TO = regex(r"\bused to (?=[a-z])|\bgrew up\b")
_ONLY = regex(r"(?<![-\w])(?:only(?! child)|exclusively|solely|nothing but)\b ?", re.IGNORECASE)
_TOKEN = regex(r"⟦\d+⟧s?|[^\s,]+")
_NO_PERSON = word_set("the a an our this you")


def read_clause(text: str) -> Clause | None:
    """Parsed clause, or None if its subject and verb are not clear."""
    if _USED_TO.search(text):
        return None
    text = re.sub(r"^there (is|are) (.+?) (?:on|in|at) (.+)$", r"\3 have \2", text,
                  flags=re.IGNORECASE)  # fmt: skip
    text = _TIMES_A.sub(lambda match: f"{_HOW_MANY[match[1].lower()]} times {match[2]} ", text)
    text = _DECIDED.sub(_will, text)
    text = _OPEN_UNTIL.sub("closes at ", text)
    text = _FEATURES.sub(r"\1's \3 is \2", text)
    text = _HAS_ITS_DAY.sub(r"\1's \2 is ", text)
    text, aside = set_aside(text)
    told = text.startswith("always ")
    episodic = EPISODE.search(text) is not None
    also = ALSO.search(text) is not None
    bare = ADVERBS.sub(" ", text)
    span = _span(bare)
    if span is not None:
        bare = _SPAN.sub(" ", bare)
    bare = re.sub(r"\b[Nn]o longer\b", "not", bare)
    only = _ONLY.search(bare) is not None
    bare = _ONLY.sub("", " ".join(bare.split())).strip(" ,")
    # Most clauses give no amount, and finding amounts is a third of the cost of a clause.
    amounts = quantities(bare) if _may_give_amounts().search(bare) else ()
    for at in range(len(amounts) - 1, -1, -1):
        amount = amounts[at]
        if _inside_name(bare, amount):
            continue
        bare = f"{bare[: amount.start]}⟦{at}⟧{bare[amount.end :]}"
    bare = _SPENT.sub(r"was \2 \3 on \1", bare)
    bare, leading, first_condition = _leading(bare)
    tokens = _TOKEN.findall(bare)
    told |= tokens[:1] in (["never"], ["Never"])
    parts = split_order(tokens, told=told) if told else split_clause(tokens)
    parts = parts or split_order(tokens, told=False)
    if parts is None:
        return None
    subject, group = parts
    subject, dated = _subject_time(subject)
    rest, trailing, last_condition = _trailing(group.rest, group.verb)
    when = tuple(amounts[int(at)] for at in _PLACEHOLDER.findall(f"{leading} {dated} {trailing}"))
    return Clause(
        subject=Words(tuple(_spelled(subject, amounts)), _is_person(subject)),
        verb=group.verb,
        rest=rest,
        predicate=f"{group.verb} {rest}".strip(),
        affirmed=group.affirmed,
        past=group.past,
        episodic=(episodic and group.verb not in CHANGES) or group.experienced,
        experienced=group.experienced,
        never=group.never,
        only=only,
        also=also,
        aside=aside,
        amounts=amounts,
        when=when,
        span=span,
        since="since" in f"{leading} {trailing}".lower(),
        condition=" ".join(part for part in (first_condition, last_condition) if part) or None,
    )


@cache
def _may_give_amounts() -> re.Pattern[str]:
    named = "|".join([*number_words(), *MONTHS, *WEEKDAYS, "quarter", "noon", "midday", "midnight"])
    return regex(rf"[\d½¼¾⅓⅔]|\b(?:{named}|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)",
                      re.IGNORECASE)  # fmt: skip


def _will(match: re.Match[str]) -> str:
    """Future form of a decision: 'will' or 'will not'."""
    return "will not " if match[1] else "will "


def _subject_time(subject: list[str]) -> tuple[list[str], str]:
    """Subject and its time: 'the CEO in 2019' is 'the CEO', 'in 2019'."""
    if len(subject) > 2 and subject[-2] in {"in", "on", "at"} and "⟦" in subject[-1]:  # noqa: PLR2004
        return subject[:-2], subject[-1]
    return subject, ""


def _inside_name(text: str, amount: Quantity) -> bool:
    """True if a number is part of an identifier, such as 'eu-west-1'."""
    before, after = text[: amount.start][-1:], text[amount.end :][:2]
    return (
        before in {"-", "+", "_", "/", "@"}
        or before.isalnum()
        or (after[:1] in {"-", "_", "@"} and after[1:].isalnum())
    )


def _spelled(words: list[str], amounts: tuple[Quantity, ...]) -> list[str]:
    said = _PLACEHOLDER.sub(lambda match: amounts[int(match[1])].text, " ".join(words))
    return said.split()


def _span(text: str) -> tuple[int, int] | None:
    match = _SPAN.search(text)
    if match is None:
        return None
    return int(match["a"] or match["c"]), int(match["b"] or match["d"])


def _leading(text: str) -> tuple[str, str, str]:
    times, condition = "", ""
    match = _LEADING_TIME.match(text)
    # 'The 2022 conference' is not the conference of 2023.
    named = match is not None and match["t"].lower().startswith("the ")
    if match is not None and not named and not _AUXILIARY.match(text, match.end()):
        times, text = match["t"], text[match.end() :]
    match = _LEADING_CONDITION.match(text)
    if match is not None and len(text[match.end() :].split()) > 1:
        condition, text = match["c"], text[match.end() :]
    return text, times, condition


def _trailing(rest: str, verb: str) -> tuple[str, str, str]:
    """Complement without times and conditions, except where it has nothing else."""
    times, condition = "", ""
    for _ in range(2):
        match = _TRAILING_CONDITION.search(rest)
        if match is not None and not condition:
            condition, rest = match["c"], rest[: match.start()]
        match = _TRAILING_TIME.search(rest)
        if match is not None and _has_object(rest[: match.start()], verb):
            times, rest = f"{times} {match['t']}", rest[: match.start()]
    return rest.strip(" ,"), times, condition


def _has_object(before: str, verb: str) -> bool:
    """True if an object precedes a time, so that the time is not itself the complement."""
    words = [word for word in before.split() if not _PLACEHOLDER.match(word)]
    no_object = _NO_OBJECT if verb == "be" else _NO_OBJECT | _PARTICLES
    return any(word.lower() not in no_object for word in words) and words[-1] not in PREPOSITIONS


_PARTICLES = word_set("up down off out")
_NO_OBJECT = PREPOSITIONS | word_set(
    "scheduled due held born moved released launched shipped planned set rescheduled postponed "
    "pushed changed delayed back place every each the"
)


def _is_person(subject: list[str]) -> bool:
    """True if a subject is the speaker, a relative of somebody, or looks like a name."""
    last = subject[-1].lower()
    if last in {"i", "we", "user"}:
        return True
    if subject[0].lower() in {"my", "our", "the"} and last in LEXICON.words("people_by_relation"):
        return len(subject) < _LONGEST_NAME or subject[0].lower() == "my"
    if subject[0].lower() in _NO_PERSON:
        return False
    possessed = any(word.endswith(("'s", "'")) for word in subject[:-1])
    if subject[0].lower() == "my" or possessed:
        return last in LEXICON.words("people_by_relation")
    if len(subject) == 1 and subject[0].isupper() and len(subject[0]) > 1:
        return False  # 'CI', 'QA': an abbreviation
    return all(word[:1].isupper() for word in subject) and len(subject) <= _LONGEST_NAME
