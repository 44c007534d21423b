"""How English states that a time or a quantity binds."""

from __future__ import annotations

from policies.limits.patterns import DENIES, HABIT, exact, rule

AVAILABLE = rule(
    "not no only closed away holiday vacation leave office abroad travelling traveling"
    " unavailable available isn't aren't",
    r"\b(?:not|n't|un)[ -]?(?:be )?(?:available|free|reachable)\b|\bno (?:meetings?"
    r"|calls?|flights?|deliver(?:y|ies)|deployments?|releases?|visits?|appointments?"
    r"|work|events?)\b|\bonly (?:available|free|open)\b|\bclosed\b|\b(?:is|am|are|'m"
    r"|'s|'re) (?:away|on (?:holiday|vacation|leave)|out of (?:the )?office|abroad"
    r"|travell?ing)\b",
)
DEADLINE = rule(
    "deadline due cutoff cut later latest",
    r"\b(?:deadline|due date|cut-?off(?: date)?)\b|\b(?:is|are) due\b"
    r"|\bno later than\b|\bat the latest\b",
)
DENIED_WHEN = exact(
    "not don't doesn't never can't cannot won't",
    rf"\b{HABIT} (?:does not|doesn't|do not|don't|never|can ?not|can't|won't"
    rf"|will not) (?!remember\b"
    r"|know\b|think\b|mind\b|have to\b|want\b|need\b|believe\b|like\b)[a-z]+s?(?: \w+)?"
    r" (?:on|at|before|after|in|until|later than) ",
)
BINDS = rule(
    "must may cannot can't should shouldn't shan't mustn't not don't won't never shall"
    " has have need needs most more longer limit limited ceiling budget cap capped maximum"
    " max minimum required mandatory nothing nobody keep stay spend use book find allow"
    " under within up below",
    rf"\b(?:must|may not|can ?not|can't|{DENIES}|has to|have to|needs? to|should"
    r"|at (?:the )?(?:very )?most|no more than|no longer than|not more than"
    r"|limit(?:ed)?|ceiling|budget|cap(?:ped)?|maximum|max|minimum"
    r"|required|mandatory|nothing|nobody)\b"
    r"|^(?:please )?(?:keep|limit|stay|spend|use|book|find|allow|cap)\b"
    r"|^(?:under|within|up to|below)\b"
    r"|\b(?:not|n't|never|won't)\b[^.;]{0,30}\b(?:more|less|over|above|later|earlier"
    r"|longer|fewer) ",
)
