"""Verb groups: the position of a clause's verb, its negation, tense and aspect."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mnemolog.language.lists import word_set
from mnemolog.language.morphology import VerbForm, is_plural, verb_forms
from mnemolog.language.patterns import regex
from mnemolog.language.words.english import (
    BE,
    DETERMINERS,
    DO,
    HAVE,
    MODAL,
    PAST_AUXILIARY,
    PREPOSITIONS,
    PRONOUNS,
)
from mnemolog.language.words.lexicon import LEXICON

_MOST_SUBJECT_WORDS = 10
_POSSESSIVES = frozenset({"his", "its", "their", "her"})
_NO_SUBJECT = _POSSESSIVES | {"no", "and", "or", "not"}
_NON_FINITE = frozenset({"been", "being", "be", "having"})
_DENIALS = frozenset({"not", "never"})
# The past participle of these verbs is the base form.
_UNCHANGED = word_set("become run come set cost read put cut quit")
# Verbs of change: in the past tense they state how a thing is now.
CHANGES = word_set(
    "move relocate switch change become join upgrade migrate raise lower increase reduce "
    "reschedule postpone decide choose pick start stop quit give rise drop fall go adopt replace "
    "approve reject forget"
)
_CHANGED = regex(
    r"(?:moved|migrated|rescheduled|postponed|pushed|changed|raised|lowered|increased|reduced"
    r"|cut|set|bumped|upgraded|updated|rewritten|renamed|shifted|delayed|extended|relocated"
    r"|transferred|brought|switched|born|adjusted|doubled|halved)\b"
)
_WENT = regex(r"go (?!up|down|live|public|on|off)")
_LASTING = frozenset({"live", "work", "have"})


class VerbGroup(msgspec.Struct, frozen=True):
    """Verb of a clause in its base form, after 'can' where present, and its complement.

    `past` is over, `experienced` happened at some time ('has read'), `never` at none.
    A past change is neither: it states the present.
    """

    verb: str
    rest: str
    affirmed: bool
    past: bool
    experienced: bool
    never: bool


def split_clause(tokens: Sequence[str]) -> tuple[list[str], VerbGroup] | None:
    """Words of the subject, and the verb group; None without a clear subject."""
    start = _verb_at(tokens)
    if start is None:
        return None
    subject = [token.lower() for token in tokens[:start]]
    if subject[0] in PREPOSITIONS or subject[0] in _NO_SUBJECT or subject[-1] in PRONOUNS:
        return None
    if not (PRONOUNS - _POSSESSIVES).isdisjoint(subject):
        return None
    group = _grouped(tokens[start:])
    if not group.past and _reads_as_past(subject, tokens[start].lower(), group.rest):
        group = msgspec.structs.replace(group, past=True)
    return list(tokens[:start]), group


def _reads_as_past(subject: Sequence[str], verb: str, rest: str) -> bool:
    """True if a verb with one form for both tenses is in the past: 'lunch cost $9'."""
    if verb == "read":
        return "⟦" in rest
    several = is_plural(subject[-1]) or "and" in subject or subject[-1] in {"i", "we"}
    return verb == "cost" and not several


_OF_THING = word_set("the all your our every any each")
_NO_ORDER = (
    BE
    | HAVE
    | DO
    | MODAL
    | PRONOUNS
    | PREPOSITIONS
    | DETERMINERS
    | word_set(
        "mind again ever once not more late ready busy happy tired heard seen been done gone"
    )
)
_ADDRESSED = "you"


def split_order(tokens: Sequence[str], *, told: bool) -> tuple[list[str], VerbGroup] | None:
    """Order parsed like a clause, with the subject 'you'; None if it is not an order.

    With `told`, after 'always' or 'never', any verb may give an order.
    """
    denied = bool(tokens) and tokens[0].lower() == "never"
    at = 1 if denied else 0
    if len(tokens) <= at + 1:
        return None
    first = tokens[at].lower()
    form = verb_forms().get(first)
    base = form is None or form.form == "base"
    commanded = form is not None and base and tokens[at + 1] in _OF_THING
    commanded |= told and base and first not in _NO_ORDER
    if first not in LEXICON.words("orders") and not commanded:
        return None
    following = tokens[at + 1].lower()
    if following.startswith("⟦") or following in BE | HAVE | MODAL | {"of"}:
        return None
    low = [tokens[at].lower(), *tokens[at + 1 :]]
    return [_ADDRESSED], _grouped(["never", *low] if denied else low)


def _verb_at(tokens: Sequence[str]) -> int | None:
    # 'Plan A costs': the letter is a name.
    low = [word.lower() if word != "A" or not at else word for at, word in enumerate(tokens)]
    for at in range(1, min(len(tokens), _MOST_SUBJECT_WORDS + 1)):
        word = low[at]
        auxiliary = word in BE or word in HAVE or word in DO or word in MODAL
        if auxiliary and word not in _NON_FINITE:
            return at
        if word in _DENIALS and at + 1 < len(tokens):
            return at
        form = verb_forms().get(word)
        if form is not None and tokens[at][0].islower() and _is_finite(low, at, form):
            return at
    return _unknown_verb_at(tokens)


_LONGEST_PLAIN_SUBJECT = 4
_UNKNOWN = regex(r"[a-z]{3,}(?<!s)(?<!u)(?<!i)s$")


def _unknown_verb_at(tokens: Sequence[str]) -> int | None:
    """Position of an unknown verb in the third person: 'the shop repossesses cars'."""
    first = verb_forms().get(tokens[0].lower())
    if first is not None and first.form == "base":
        # 'Limit lines to 80 characters' is an order.
        return None
    for at in range(1, min(len(tokens) - 1, _LONGEST_PLAIN_SUBJECT + 1)):
        before, after = tokens[at - 1].lower(), tokens[at + 1].lower()
        joined = before in DETERMINERS | PREPOSITIONS or before.endswith(("'s", "s"))
        ends = (after in PREPOSITIONS and after not in {"with", "on"}) or after == "and"
        if _UNKNOWN.match(tokens[at]) and not joined and not ends:
            return at
    return None


_PAST_ALIKE = frozenset({"cost", "quit"})
"""Their past is their base: 'Ann quit'."""


def _is_finite(low: Sequence[str], at: int, form: VerbForm) -> bool:
    """True if a word with the form of a verb is the finite verb of its clause."""
    before, after = low[at - 1], low[at + 1] if at + 1 < len(low) else ""
    if before in DETERMINERS or before in PREPOSITIONS or before.endswith("'s"):
        return False
    if after in BE or after in HAVE or (after == "of" and form.lemma != "consist"):
        return False
    following = verb_forms().get(after)
    if form.lemma in LEXICON.words("verbs_as_nouns") and form.form == "s" and following is not None:
        # 'The server logs contain': a verb form before the verb is a noun.
        return following.form not in {"base", "s"} or following.lemma in LEXICON.words(
            "verbs_as_nouns"
        )
    if form.form == "base" and low[at] not in _PAST_ALIKE:
        return is_plural(before) or before in {"i", "we", "they", "user"} or "and" in low[: at - 1]
    return form.form != "ing"


def _grouped(tokens: Sequence[str]) -> VerbGroup:
    low = [token.lower() for token in tokens]
    at = _after_auxiliaries(low)
    before = set(low[:at])
    be = not before.isdisjoint(BE)
    perfect = not before.isdisjoint(HAVE)
    past = not before.isdisjoint(PAST_AUXILIARY - {"had"})
    form = verb_forms().get(low[at]) if at < len(low) else None
    if be and (form is None or form.form != "ing"):
        verb, rest = "be", " ".join(tokens[at:])
    else:
        verb = form.lemma if form is not None else "".join(low[at : at + 1])
        rest = " ".join(tokens[at + 1 :])
        past = past or (form is not None and form.form == "past" and not perfect)
    if "can" in before:
        verb = f"can {verb}".strip()
    lasting = be or verb in CHANGES or (verb in _LASTING and "⟦" not in rest)
    changed = verb in CHANGES and _WENT.match(f"{verb} {rest}") is None
    changed = changed or (verb == "be" and _CHANGED.match(rest) is not None)
    return VerbGroup(
        verb=verb,
        rest=rest,
        affirmed=sum(word in _DENIALS for word in low[:at]) % 2 == 0,
        past=past and not changed,
        experienced=perfect and "never" not in before and not lasting,
        never=perfect and "never" in before,
    )


def _after_auxiliaries(low: Sequence[str]) -> int:
    """Position after the auxiliaries and negations before the main verb."""
    for at, word in enumerate(low):
        following = low[at + 1 : at + 4]
        helps = (word in MODAL or word in DO) and bool(following)
        helps = helps or (word in HAVE and _is_perfect(following))
        if not (helps or word in BE or word in _DENIALS):
            return at
    return len(low)


def _is_perfect(following: Sequence[str]) -> bool:
    word = next((word for word in following if word not in _DENIALS), "")
    form = verb_forms().get(word)
    return word == "been" or word in _UNCHANGED or (form is not None and form.form == "past")
