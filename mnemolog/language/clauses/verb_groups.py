"""Verb groups: where the verb of a clause is, and what its auxiliaries say."""

from collections.abc import Sequence

import msgspec

from mnemolog.language.lists import Lists, word_set
from mnemolog.language.words.lexicon import (
    BE,
    DETERMINERS,
    DO,
    HAVE,
    LEXICON,
    MODAL,
    PREPOSITIONS,
    PRONOUNS,
    VerbForm,
    is_plural,
    verb_forms,
)

LISTS = Lists("mnemolog.language.clauses", "clauses")
_PATTERNS = LISTS.patterns_by_name
_MOST_SUBJECT_WORDS = 10
_LONGEST_PLAIN_SUBJECT = 4
_POSSESSIVES = word_set("his its their her")
_NO_SUBJECT = PREPOSITIONS | _POSSESSIVES | word_set("no and or not")
_DENIALS = word_set("not never")
_AUXILIARIES = BE | HAVE | DO | MODAL
_PAST_AUXILIARIES = word_set("was were did")
_FINITE_AUXILIARIES = _AUXILIARIES - word_set("been being be having")
_CLOSED_CLASSES = _AUXILIARIES | PRONOUNS | PREPOSITIONS | DETERMINERS
_AFTER_NO_ORDER = BE | HAVE | MODAL | {"of"}


class VerbGroup(msgspec.Struct, frozen=True):
    """Verb of a clause in its base form, with 'can' in front if present, and its complement.

    `past`: it is over; `experienced`: it happened at some time ('has read'); `never`: at no time.
    A past change is neither past nor experienced: it states the present.
    """

    verb: str
    rest: str
    affirmed: bool
    past: bool
    experienced: bool
    never: bool


def split_clause(tokens: Sequence[str]) -> tuple[list[str], VerbGroup] | None:
    """Subject words and verb group of a clause; None without a clear subject."""
    start = _verb_at(tokens)
    if start is None:
        return None
    subject = [token.lower() for token in tokens[:start]]
    if subject[0] in _NO_SUBJECT or subject[-1] in PRONOUNS:
        return None
    if not (PRONOUNS - _POSSESSIVES).isdisjoint(subject):
        return None
    verb, group = tokens[start].lower(), _grouped(tokens[start:])
    # These verbs have one form for both tenses: 'lunch cost $9' is past.
    past = verb == "read" and "⟦" in group.rest
    if verb == "cost":
        past = not (is_plural(subject[-1]) or "and" in subject or subject[-1] in {"i", "we"})
    return list(tokens[:start]), msgspec.structs.replace(group, past=group.past or past)


def split_order(tokens: Sequence[str], *, told: bool) -> tuple[list[str], VerbGroup] | None:
    """Subject 'you' and verb group of an order; None if it is not an order.

    `told` means that 'always' or 'never' came before: then any verb may give an order.
    """
    denied = ["never"] if tokens and tokens[0].lower() == "never" else []
    verb, *others = tokens[len(denied) :] or [""]
    if not others:
        return None
    first, following = verb.lower(), others[0].lower()
    form = verb_forms().get(first)
    base = form is None or form.form == "base"
    commanded = form is not None and base and others[0] in LISTS.words("of_thing")
    excluded = first in _CLOSED_CLASSES or first in LISTS.words("no_order")
    commanded |= told and base and not excluded
    commanded |= first in LEXICON.words("orders")
    if not commanded or following.startswith("⟦") or following in _AFTER_NO_ORDER:
        return None
    return ["you"], _grouped([*denied, first, *others])


def _verb_at(tokens: Sequence[str]) -> int | None:
    # 'Plan A costs': the letter is a name.
    low = [word.lower() if word != "A" or not at else word for at, word in enumerate(tokens)]
    for at in range(1, min(len(tokens), _MOST_SUBJECT_WORDS + 1)):
        word = low[at]
        if word in _FINITE_AUXILIARIES or (word in _DENIALS and at + 1 < len(tokens)):
            return at
        form = verb_forms().get(word)
        if form is not None and tokens[at][0].islower() and _is_finite(low, at, form):
            return at
    return _unknown_verb_at(tokens)


def _unknown_verb_at(tokens: Sequence[str]) -> int | None:
    """Position of an unknown verb in the third person: 'the shop repossesses cars'."""
    first = verb_forms().get(tokens[0].lower()) if tokens else None
    if first is not None and first.form == "base":
        # 'Limit lines to 80 characters' is an order.
        return None
    for at in range(1, min(len(tokens) - 1, _LONGEST_PLAIN_SUBJECT + 1)):
        before, after = tokens[at - 1].lower(), tokens[at + 1].lower()
        joined = before in DETERMINERS | PREPOSITIONS or before.endswith(("'s", "s"))
        ends = (after in PREPOSITIONS and after not in {"with", "on"}) or after == "and"
        if _PATTERNS.unknown.match(tokens[at]) and not joined and not ends:
            return at
    return None


def _is_finite(low: Sequence[str], at: int, form: VerbForm) -> bool:
    before, after = low[at - 1], low[at + 1] if at + 1 < len(low) else ""
    if before in DETERMINERS or before in PREPOSITIONS or before.endswith("'s"):
        return False
    if after in BE or after in HAVE or (after == "of" and form.lemma != "consist"):
        return False
    following, nouns = verb_forms().get(after), LEXICON.words("verbs_as_nouns")
    if form.lemma in nouns and form.form == "s" and following is not None:
        # 'The server logs contain': a verb form before the verb is a noun.
        return following.form not in {"base", "s"} or following.lemma in nouns
    if form.form == "base" and low[at] not in LISTS.words("past_alike"):
        return is_plural(before) or before in {"i", "we", "they", "user"} or "and" in low[: at - 1]
    return form.form != "ing"


def _grouped(tokens: Sequence[str]) -> VerbGroup:
    low = [token.lower() for token in tokens]
    at = _after_auxiliaries(low)
    before = set(low[:at])
    be, perfect = not before.isdisjoint(BE), not before.isdisjoint(HAVE)
    past = not before.isdisjoint(_PAST_AUXILIARIES)
    form = verb_forms().get(low[at]) if at < len(low) else None
    if be and (form is None or form.form != "ing"):
        verb, rest = "be", " ".join(tokens[at:])
    else:
        verb = form.lemma if form is not None else "".join(low[at : at + 1])
        rest = " ".join(tokens[at + 1 :])
        past = past or (form is not None and form.form == "past" and not perfect)
    if "can" in before:
        verb = f"can {verb}".strip()
    changes, lasts = verb in LISTS.words("changes"), verb in LISTS.words("lasting")
    lasting = be or changes or (lasts and "⟦" not in rest)
    changed = changes and _PATTERNS.went.match(f"{verb} {rest}") is None
    changed = changed or (verb == "be" and _PATTERNS.changed.match(rest) is not None)
    return VerbGroup(
        verb=verb,
        rest=rest,
        affirmed=sum(word in _DENIALS for word in low[:at]) % 2 == 0,
        past=past and not changed,
        experienced=perfect and "never" not in before and not lasting,
        never=perfect and "never" in before,
    )


def _after_auxiliaries(low: Sequence[str]) -> int:
    for at, word in enumerate(low):
        helps = (word in MODAL or word in DO) and at + 1 < len(low)
        if word in HAVE:
            following = next((one for one in low[at + 1 : at + 4] if one not in _DENIALS), "")
            form = verb_forms().get(following)
            perfect = following == "been" or following in LISTS.words("unchanged")
            helps = perfect or (form is not None and form.form == "past")
        if not (helps or word in BE or word in _DENIALS):
            return at
    return len(low)
