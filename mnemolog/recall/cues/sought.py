"""The aim of a cue: a fact, a time, a relation, a plan, or all there is on something."""

from __future__ import annotations

from functools import cache
from typing import Literal

from mnemolog.language.lists import Rule
from mnemolog.language.patterns import regex
from mnemolog.recall.cues.lists import LISTS

Sought = Literal["fact", "time", "relation", "plan", "overview"]
"""The aim of a cue: a fact; a point or length of time; how things are related; a plan
or a recommendation; or all there is on something."""

_AIMS: tuple[Sought, ...] = ("plan", "time", "relation", "overview")
_PAST_PLAN = LISTS.pattern("past_plan")
_SPECIFIC = LISTS.pattern("specific")
_WORD = regex(r"[\w']+")


def sought_by(cue: str) -> Sought:
    """The aim of a cue; of several, the first of plan, time, relation and overview."""
    text = cue.lower()
    words = frozenset(_WORD.findall(text))
    for aim in _AIMS:
        if _rule(aim).search(text, words) and not (aim == "plan" and _PAST_PLAN.search(text)):
            return aim
    return "fact"


def asks_when(cue: str) -> bool:
    """True if a cue asks when something was, or how far apart: what it names is no period then.

    A cue that asks how long or how often something was asks of the period that it names.
    """
    text = cue.lower()
    return _rule("point").search(text, frozenset(_WORD.findall(text))) is not None


def is_specific(cue: str) -> bool:
    """True if a cue is a look-up of one thing, rather than an open or a bare one."""
    return _SPECIFIC.search(cue) is not None


@cache
def _rule(name: str) -> Rule:
    (rule,) = LISTS.rules(name)
    return rule
