"""What a cue seeks: a fact, a time, a relation, a plan, or all there is on something."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.language.word_lists import word_set

Sought = Literal["fact", "time", "relation", "plan", "overview"]
"""What a cue seeks: a fact; a point or length of time; how things are related; a plan
or a recommendation; or all there is on something."""


def sought_by(cue: str) -> Sought:
    """What a cue seeks; of several, the first of plan, time, relation and overview."""
    text = cue.lower()
    said = frozenset(re.findall(r"[\w']+", text))
    signs = _signs()
    if signs.plan.given(text, said) and not signs.past_plan.search(text):
        return "plan"
    if signs.time.given(text, said):
        return "time"
    if signs.relation.given(text, said):
        return "relation"
    if signs.overview.given(text, said):
        return "overview"
    return "fact"


def asks_when(cue: str) -> bool:
    """Whether a cue asks when something was, or how far apart: what it names is no period then.

    How long or how often something was is asked of the period that a cue names.
    """
    return _signs().point.given(cue.lower(), frozenset(re.findall(r"[\w']+", cue.lower())))


def is_specific(cue: str) -> bool:
    """Whether a cue is a look-up of one thing, rather than an open or a bare one."""
    return _signs().specific.search(cue) is not None


class _Sign(msgspec.Struct, frozen=True):
    """A pattern, and words of which one must be said for it to be looked for."""

    needs: frozenset[str]
    pattern: re.Pattern[str]

    def given(self, text: str, said: frozenset[str]) -> bool:
        """Whether a text gives the sign."""
        return not self.needs.isdisjoint(said) and self.pattern.search(text) is not None


class _Signs(msgspec.Struct, frozen=True):
    plan: _Sign
    past_plan: re.Pattern[str]
    time: _Sign
    point: _Sign
    relation: _Sign
    overview: _Sign
    specific: re.Pattern[str]


_PLAN_NEEDS = word_set(
    """suggest recommend advise plan book schedule organize organise arrange choose pick
    decide find select buy should could shall can idea ideas suggestion suggestions
    recommendation recommendations advice tips options itinerary would looking planning
    best good right to"""
)
_PLAN = (
    r"\b(?:suggest|recommend|advise)\b",
    r"^(?:please )?(?:plan|book|schedule|organi[sz]e|arrange|choose|pick)\b",
    (
        r"\b(?:help (?:me|us)|can you|could you|let's|want to|need to|going to|trying to) "
        r"(?:choose|pick|decide|find|plan|select|buy|book)\b"
    ),
    r"\b(?:should|shall) (?:i|we)\b(?! (?:have|be) \w+ed\b)",
    r"\b(?:what|which|where|who) (?:\w+ ){0,3}?(?:can|could) (?:i|we)\b",
    (
        r"\b(?:what|which|who|whom|where|when|how) to (?:buy|wear|cook|get|do|eat|read|watch"
        r"|see|bring|pack|visit|use|try|order|give|serve|make)\b"
    ),
    (
        r"\b(?:ideas|suggestions|recommendations|advice|tips|options|itinerary)"
        r" (?:for|on|about) (?:a|an|my|our|the|what|where|how|\w+ing)\b"
    ),
    r"\bplan for (?:a|an|my|our|the)\b",
    r"\bany (?:\w+ )?(?:ideas?|suggestions?|recommendations?|advice|tips)\b",
    r"\b(?:best|good|right) (?:\w+ )?(?:for|to) (?:me|us|my|our)\b",
    r"\bwould (?:you|it be (?:best|better|good|wise))\b",
    r"\b(?:i'm|i am|we're|we are) (?:looking for|planning)\b",
)
# What was suggested or planned before is a fact to be remembered.
_PAST_PLAN = (
    (
        r"\b(?:did|had|have|has|was|were|what|which) (?:\w+ ){0,4}?"
        r"(?:suggest|recommend|advise)(?:ed|s)?\b(?! (?:i|we|me|us)\b)"
    ),
    (
        r"\b(?:what|when|where|how) (?:was|is|were|are) (?:the|my|our|\w+'s) (?:\w+ )?"
        r"(?:plan|idea|itinerary|recommendation|suggestion|advice|tip)s?\b"
    ),
    r"\b(?:i|we|he|she|they|you) (?:suggested|recommended|advised)\b",
)
_TIME_NEEDS = word_set("when what which how date day time")
_POINT = (
    (
        r"^(?:and |so |but |please )?(?:tell me |do you (?:know|remember) |remind me )?"
        r"(?:since |until |by )?when\b(?! (?:i|we|he|she|they|you|it) )"
    ),
    r"\b(?:what|which) (?:exact )?(?:day|date|time|year|month|week|weekday|hour)\b",
    r"\bhow long (?:ago|before|after|until|since|between)\b",
    (
        r"\bhow (?:many|much) (?:more )?(?:days?|weeks?|months?|years?|hours?|minutes?|time)\b"
        r".*\b(?:passed|between|since|until|before|after|ago|elapsed|from)\b"
    ),
    r"\b(?:date|day|time) (?:of|when)\b",
)
_TIME = (
    *_POINT,
    r"\bhow long\b",
    r"\bhow (?:many|much) (?:more )?(?:days?|weeks?|months?|years?|hours?|minutes?|time)\b",
    r"\bhow (?:old|recently|soon|late|early|often)\b",
)
_RELATION_NEEDS = word_set(
    """related relates relation relations relationship relationships connected connects
    connection connections linked links link depend depends depended depending dependency
    dependencies rely relies relied cause causes caused causing led leads result results
    because due block blocks blocked prevent prevents prevented enable enables enabled part
    belong belongs consist consists contains contain common affect affects affected
    influence influences influenced impact effect effects who"""
)
_RELATION = (
    r"\b(?:related|relates|relation|relations|relationships?) (?:to|with|of|between)\b",
    (
        r"\bconnect(?:ed|s|ion|ions) (?:to|with|between)\b|\bhow (?:is|are|was|were) "
        r"(?:\S+ ){1,8}?(?:related|connected|linked)\b"
    ),
    r"\blink(?:ed|s)? (?:to|with|between)\b",
    r"\b(?:depend(?:s|ed|ing|ency|encies)?|rel(?:y|ies|ied)) (?:on|of)\b",
    r"\bwhat (?:\w+ )?(?:causes?|caused|led to|leads to|resulted in|prevents?|blocks?)\b",
    r"\b(?:caused|blocked|prevented|enabled|affected|influenced) by\b",
    r"\b(?:(?:is|are) part of|belongs? to|consists? of|in common)\b",
    r"\b(?:affect|influence)(?:s|d)? (?:the|my|our|his|her|by)\b",
    r"\b(?:impact|effects?) of\b",
    r"\bwho (?:knows|works with|reports to|introduced)\b",
)
_OVERVIEW_NEEDS = word_set(
    """summary summarize summarise overview recap everything history timeline all tell what
    talk walk list order how"""
)
_OVERVIEW = (
    r"\b(?:summar(?:y|i[sz]e)|overview|recap|everything|history of|timeline)\b",
    r"\ball (?:the |my |our |about|there is|of the)\b",
    r"\b(?:tell me|what do (?:you|we|i) know|what is known|talk) (?:more )?about\b",
    r"\b(?:walk me through|list (?:all|the|every|my|our)|in (?:what|which) order)\b",
    r"\bhow (?:did|has|have) (?:\S+ ){1,6}?(?:go|gone|evolved?|progress(?:ed)?|changed?)\b",
    r"\bwhat (?:are|were) (?:all|some|the main)\b",
)
_SPECIFIC = (
    (
        r"^(?:[Ii]n |[Oo]n |[Aa]t |[Tt]o |[Ff]or |[Ff]rom |[Ww]ith )?"
        r"(?:[Ww]hat|[Ww]hich|[Ww]hom?|[Ww]hose|[Ww]here|[Ww]hen)\b"
    ),
    r"\b[Hh]ow (?:many|much|old|far|big|tall|often|long) ",
    (
        r"^(?:[Dd]id|[Dd]oes|[Dd]o|[Ii]s|[Aa]re|[Ww]as|[Ww]ere|[Hh]as|[Hh]ave|[Hh]ad|[Ww]ill"
        r"|[Cc]an) "
    ),
    r"\"[^\"]+\"|\b[A-Z]{2,}-\d+\b|#\d+|\b\w+\.\w{1,4}\b(?=[\s?]|$)|\b\w+_\w+\b",
    r"\b(?:PR|pr|[Ii]ssue|[Tt]icket|[Cc]ommit) ?#?\d+\b",
)


@cache
def _signs() -> _Signs:
    return _Signs(
        plan=_Sign(_PLAN_NEEDS, _any(_PLAN)),
        past_plan=_any(_PAST_PLAN),
        point=_Sign(_TIME_NEEDS, _any(_POINT)),
        time=_Sign(_TIME_NEEDS, _any(_TIME)),
        relation=_Sign(_RELATION_NEEDS, _any(_RELATION)),
        overview=_Sign(_OVERVIEW_NEEDS, _any(_OVERVIEW)),
        specific=_any(_SPECIFIC),
    )


def _any(alternatives: tuple[str, ...]) -> re.Pattern[str]:
    return regex("|".join(alternatives))
