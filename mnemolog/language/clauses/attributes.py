"""Attribute of a clause, by the first reader that recognises one."""

from __future__ import annotations

import re
from collections.abc import Callable

from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.clauses.described import (
    described,
    in_state,
    of_person,
    preferred,
    sole,
    trade,
)
from mnemolog.language.clauses.exclusives import sole_holder, sole_relation, winner
from mnemolog.language.clauses.frames import ADDRESSED, Frame, counted_words, frame
from mnemolog.language.clauses.frequencies import frequent
from mnemolog.language.clauses.happenings import done, held, made, once, whereabouts
from mnemolog.language.clauses.related import related, runs_on, versioned
from mnemolog.language.morphology import known_verbs
from mnemolog.language.patterns import regex
from mnemolog.language.words.english import PRONOUNS, topic

_FEW_WORDS = 4
_FEW_AMOUNTS = 2
_TIMES = frozenset({"date", "weekday", "clock"})
_DAILY = frozenset({"get", "wake", "sleep", "go", "leave", "arrive", "finish", "start"})


def read_frame(clause: Clause) -> Frame | None:
    """Frame of a clause: the attribute and its value; None if the clause gives no lasting one."""
    if not clause.affirmed or clause.episodic:
        return None
    return next((found for reader in _READERS if (found := reader(clause)) is not None), None)


_NUMBERED_THING = regex(r"(?:^|\s)(?!(?:at|to|by|of|for|in|up|about|around|is)\s)[A-Za-z#]+ ⟦")
_NUMBERED_VERBS = frozenset({"use", "run", "listen", "be", "require", "leave", "depart", "arrive"})


def _tells_which(clause: Clause) -> bool:
    """True if a number identifies and does not count: 'sells bread number 3', 'allows port 22'."""
    its_own = clause.verb in _NUMBERED_VERBS and not clause.subject.is_person
    return not its_own and _NUMBERED_THING.search(clause.rest) is not None


def _measured(clause: Clause) -> Frame | None:
    """Frame of an activity or state with an amount; the same one with another amount differs."""
    ordered = clause.subject.words == ADDRESSED
    if clause.past or not (ordered or clause.verb in known_verbs() | {"be"}):
        return None
    amounts = clause.quantities_in(clause.rest)
    dimensions = {amount.dimension for amount in amounts}
    if not 0 < len(amounts) <= _FEW_AMOUNTS or len(dimensions) < len(amounts):
        return None
    numbered = not dimensions.isdisjoint({"number", "version"})
    if numbered and (ordered or _tells_which(clause)):
        return None
    occasional = re.search(r"\ban? ", clause.rest) is not None
    occasional |= clause.subject.is_person and clause.verb not in _DAILY
    if occasional and not _TIMES.isdisjoint(dimensions):
        return None
    others = [word for word in clause.rest.split() if "⟦" not in word]
    about = topic([*clause.subject.words, clause.verb, *others, *counted_words(amounts)])
    if any(word[:1].isupper() for word in others):
        # 'Ann owes Ben' is not 'Ben owes Ann'.
        about |= {" ".join(["by", *clause.subject.words])}
    value = " ".join(word for word in clause.rest.split() if "⟦" in word)
    return frame(clause, about, " ".join([clause.verb, *others]), value)


def _plain(clause: Clause) -> Frame | None:
    """Frame of a verb and its object: many-valued, unless a clause says 'only'."""
    if clause.verb not in known_verbs() or not 0 < len(clause.rest.split()) <= _FEW_WORDS:
        return None
    object_words = clause.rest.lower().split()
    if object_words[0] == "to" or not PRONOUNS.isdisjoint(object_words):
        return None
    about = topic([*clause.subject.words, clause.verb])
    return frame(clause, about, clause.verb, clause.rest, single=False)


_READERS: tuple[Callable[[Clause], Frame | None], ...] = (
    whereabouts,
    once,
    made,
    done,
    held,
    sole_holder,
    sole_relation,
    winner,
    versioned,
    of_person,
    frequent,
    related,
    trade,
    in_state,
    sole,
    described,
    preferred,
    runs_on,
    _measured,
    _plain,
)
