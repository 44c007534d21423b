"""Replacements that a model finds: the rules around a model, whichever reads the statements."""

import re
from functools import lru_cache

from msgspec.structs import replace

from mnemolog.language.clauses.assertions import doubts
from mnemolog.language.clauses.propositions import propositions
from mnemolog.language.entities import entities
from mnemolog.language.lists import regex
from mnemolog.language.sameness import POINTING
from mnemolog.language.sentences import sentence_texts, speaks_of_self
from mnemolog.policies.contradictions.judge import CERTAIN, OFFERED, Contradiction, Statement
from mnemolog.policies.contradictions.rules import (
    UNSURE,
    RuleJudge,
    begins_later,
    in_different_periods,
)

SUREST = 0.999  # Most confidence of a model; only rules are surer
_CLEAR = 0.9  # Least confidence in news of what seems to have another name
# Most confidence in news of something that seems to have another name: a needless offer, and a
# retirement that is not asked for, are the likelier there.
_NOT_OFFERED, _NOT_CERTAIN = OFFERED / 2, CERTAIN - 0.01
_WORD = regex(r"[^\W_]+")
_NUMBERED = regex(
    r"(?:(?:the|our|my|your) )?(?P<noun>[^\W\d_]+) (?:number |no\.? |#)?(?P<number>\d+)\b"
    r"(?![.,:/-]?\d)"
)


def found_by_rules(rules: RuleJudge, new: Statement, old: Statement) -> Contradiction | None:
    """Contradiction that the rules find with an old statement, or with one that it joins."""
    judged = (rules.judge(new, replace(old, text=text)) for text in _joined(old.text))
    return next(filter(None, judged), None)


@lru_cache(maxsize=1024)
def _joined(text: str) -> tuple[str, ...]:
    """A text and the statements that it joins."""
    return tuple(dict.fromkeys((text, *propositions(text))))


def may_exclude(new: Statement, old: Statement) -> bool:
    """False for statements of two periods, and for what two speakers say of themselves."""
    if in_different_periods(new, old):
        return False
    return new.source == old.source or not all(speaks_of_self(one.text) for one in (new, old))


def speaker_of(statement: Statement) -> str | None:
    """Name of the user or agent who is the 'I' of a statement; None if there is no 'I'."""
    scheme, _, name = (statement.source or "").partition(":")
    own = scheme in {"user", "agent"} and name and speaks_of_self(statement.text)
    return name if own else None


def asks_only(text: str) -> bool:
    """True if every sentence of a text is a question."""
    return all(one.endswith("?") for one in sentence_texts(text))


def replacement_found(
    new: Statement, old: Statement, confidence: float, kept: str | None = None
) -> Contradiction:
    """Contradiction by which a new statement replaces an old one, or a part of it.

    It is less certain where a rule speaks against the model.
    """
    if _asserts_nothing(new.text) or begins_later(new, old):
        confidence = min(confidence, UNSURE)
    if _numbered_apart(new.text, old.text):
        confidence = min(confidence, _NOT_OFFERED)
    elif _named_apart(new.text, old.text):
        most = _NOT_OFFERED if confidence < _CLEAR else _NOT_CERTAIN
        confidence = min(confidence, most)
    return Contradiction(
        type="value",
        severity="minor",
        attribute=None,
        time_sensitive=True,
        condition=None,
        reason=f"'{new.text}' seems to replace '{old.text}'.",
        confidence=round(confidence, 4),
        kept=kept,
    )


@lru_cache(maxsize=64)
def _asserts_nothing(text: str) -> bool:
    """True if a text only asks, denies or supposes, and asserts nothing.

    "They raised our rent" reads like "they are rivals of ours": a model tells them apart.
    """
    return all(doubt not in {None, "told of others"} for doubt in doubts(text))


def _numbered_apart(new: str, old: str) -> bool:
    """True if two texts begin with one noun and another number: "Note 3", "The valve no. 12"."""
    found, told_of = _NUMBERED.match(new.casefold()), _NUMBERED.match(old.casefold())
    if found is None or told_of is None:
        return False
    return found["noun"] == told_of["noun"] and found["number"] != told_of["number"]


def _named_apart(new: str, old: str) -> bool:
    """True if the first names of two texts differ, and no pronoun stands before the new one's.

    Of "Ada Mills" and "Ada", each may be the other.
    """
    (before, subject), (_, told_of) = _first_name(new), _first_name(old)
    if not (subject and told_of) or POINTING.search(before) or speaks_of_self(before):
        return False
    return not subject <= words_of(old) and not told_of <= words_of(new)


@lru_cache(maxsize=64)
def _first_name(text: str) -> tuple[str, frozenset[str]]:
    """Text before its first name, and the words of the name.

    A name that ends the text is what is said of something, and does not count.
    """
    folded = text.casefold().rstrip(" .!?")
    whole = (re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded) for name in entities(text))
    first = min(filter(None, whole), key=lambda found: found.start(), default=None)
    if first is None:
        return "", frozenset()
    name = first[0] if first.end() < len(folded) else ""
    return folded[: first.start()], words_of(name)


def words_of(text: str) -> frozenset[str]:
    """Words of a text, without case and punctuation."""
    return frozenset(_WORD.findall(text.casefold()))
