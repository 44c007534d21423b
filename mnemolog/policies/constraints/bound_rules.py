"""How English states that a time or a quantity binds."""

from __future__ import annotations

from mnemolog.policies.constraints.shared_patterns import DENIES, HABIT, PRONOUN, exact, rule

_AMOUNT = (
    r"(?:up to|at most|at least|no more than|no fewer than|no less than|not more than"
    r"|only|just|(?:a )?max(?:imum)?(?: of)?|(?:a )?min(?:imum)?(?: of)?|fewer than|less than)"
)
_COUNTED = (
    r"(?:\d|an?\b|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b"
    r"|half\b|twelve\b|twenty\b)"
)
_THINGS = rf"(?!{PRONOUN}\b)(?:the |our |my |his |her |their |all |any |each |every )?"
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

CEILINGS = (
    rule(
        "only all cent penny dime",
        r"\b(?:only have|have only|has only|only has)\b|\bis all (?:that )?(?:i|we|he|she"
        r"|they) (?:can|have"
        r"|want to|will)\b|\bnot an? (?:cent|penny|dime|euro|dollar|pound) more\b",
    ),
    rule(
        "afford",
        r"\b(?:can|could|cannot|can't) (?:only |just |barely |not )?afford (?:only |just "
        r"|more than "
        r"|at most |up to |anything (?:over|above) )?[^.;]{0,12}\d",
    ),
)

MOMENTS = (
    rule("not", r"\bnot (?:earlier|later|sooner|before|after)[.!]?$"),
    rule("until", r"\b(?:only|ours|open|available|free|closed) until\b"),
    rule(
        "considered accepted processed eligible",
        r"\b(?:after|before|later than|past)\b[^.;]{2,30}\b(?:are|is"
        r"|will) (?:be )?not (?:be )?(?:considered|accepted|processed|eligible|valid)\b",
    ),
    rule("valid lifts good", r"\b(?:valid|good) (?:until|till|through|only)\b|\blifts (?:on|at)\b"),
    rule(
        "not doesn't don't never won't",
        r"\b(?:the|our|my|his|her|their) [\w-]+ (?:does not|doesn't|do not|don't|never"
        r"|won't) [a-z]+"
        r"(?: [a-z]+)? (?:on|at|before|after|until) ",
    ),
    rule(
        "need needs want wants expects expect required requires",
        r"\b(?:needs?|wants?|expects?|requires?|is required|are required) (?!to\b)[^.;?]{2,50}? "
        r"(?:by|before|no later than) ",
    ),
    rule(
        "close closes end ends expire expires runs lapse lapses stop stops",
        r"\b(?:close|expire|lapse)s? (?:at|on|by|before|in)\b"
        r"|\b(?:lease|contract|visa|passport|registration|enrol?ment|warranty|subscription|permit"
        r"|licen[cs]e|offer|sale|voucher|ticket|insurance|embargo|freeze|trial)s? "
        r"(?:ends?|expires?|runs out|lapses?|stops?)\b",
    ),
    rule(
        "latest earliest",
        r"\b(?:latest|earliest) (?:possible|allowed|acceptable|permitted|(?:delivery |start |end "
        r"|arrival |departure )?(?:date|day|time|slot|moment|arrival|departure|start|delivery|end)"
        r"|(?:that )?(?:i|we|you|he|she|they|it|one|[a-z]+) (?:can|could|may|will))\b",
    ),
    rule(
        "have has must need needs",
        rf"\b{_THINGS}(?!(?:i|you|he|she|we|they)\b)[a-z-]+ (?:have to|has to|must"
        rf"|needs? to) (?!be "
        r"(?:at|in|there|back|home)\b)[^.;?]{2,40}? (?:by|before|no later than|until|within) ",
    ),
    rule(
        "available free reachable",
        r"\bnever (?:available|free|reachable|online|around) (?:before|after|on|between|until"
        r"|at)\b",
    ),
    rule(
        "only",
        r"\bonly (?:between|before|after|from|until|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?"
        r"|in the (?:morning|afternoon|evening)s?)\b",
    ),
    rule(
        "quiet opening office working business visiting core hours",
        r"\b(?:quiet|opening|office|working|business|visiting|core) hours\b",
    ),
    rule("work", r"\b(?:does not|doesn't|do not|don't|never) works? (?:on|after|before|between)\b"),
)

CAPACITIES = (
    rule(
        "need needs require requires",
        r"^(?:anything|everything|anyone|whatever|all) [^.;]{0,20}(?:above|over|beyond"
        r"|more than|larger than|longer than|under) [^.;]{1,20} (?:needs?|requires?|has to"
        r"|must)\b",
    ),
    rule("only", rf"\bonly {_COUNTED}[\w ]{{0,20}} (?:fits?|may|are allowed|is allowed)\b"),
    rule(
        "must have has need",
        r"\bthere (?:must|have to|has to|needs? to|should) (?:always )?be (?:at least|at most"
        r"|no more than|always|two\b|three\b|four\b|five\b|\d)",
    ),
    rule("allows allow permits grants", r"\b(?:allows?|permits?|grants) (?:only |just |up to )?\d"),
    rule(
        "more",
        r"\b(?:sleeps?|seats?|holds?|fits?|takes?|carr(?:y|ies)|for|have"
        r"|has) [^.;]{1,30}, (?:no|not) (?:one |a \w+ )?more[.!]?$",
    ),
    rule(
        "not",
        r"\b(?:over|above|beyond|more than)\b[^.;]{1,30}\b(?:is|are"
        r"|will) not (?:be )?(?:reimbursed|covered|refunded|paid|accepted|processed)\b",
    ),
    rule(
        "nobody must people persons",
        r"^(?:at least )?(?:one|two|three|four|five|\d+) [\w ]{2,20} must (?!be (?:so|a)\b"
        r"|have been)\w",
    ),
    rule(
        "holds hold seats seat fits fit sleeps sleep accommodates accommodate carries carry takes"
        " take bears bear room space",
        rf"\b(?:holds?|seats?|fits?|sleeps?|accommodates?|carry|carries|bears?|takes?) {_AMOUNT}"
        rf"\b|\b(?:room|space) for (?:only|just|at most|up to|no more than)\b",
    ),
    rule(
        "rejected refused blocked declined returned charged denied bounced",
        r"\b(?:over|above|beyond|under|below|(?:larger|bigger|more|heavier|longer|older|smaller"
        r"|later|fewer|less) than)\b[^.;]{1,30}\b(?:gets?|is|are|will be) (?:automatically )?"
        r"(?:rejected|refused|blocked|declined|returned|charged|denied|bounced)\b",
    ),
    rule(
        "may must should shall can",
        r"\b(?:(?:each|every|all|the|no|any) |^[a-z]+s )[^.;?]{0,40}?\b(?:may|must|should|shall"
        r"|can) (?:not )?(?!have (?:at least )?\w+ed\b)[a-z]+ [^.;?]{0,30}?\b(?:at most|at least"
        r"|no more than|no fewer than|not more than|(?:a )?maximum of|(?:a )?minimum of|up to)"
        rf" {_COUNTED}",
    ),
    rule(
        "may must should shall can",
        rf"^(?:each|every|all|the|no|any) [^.;?]{{1,50}}? {_COUNTED}[^.;?]{{0,20}} (?:at most"
        r"|at least|maximum|minimum)\b",
    ),
    rule(
        "stay stays keep keeps remain remains live walk drive travel",
        r"\b(?:agreed|promised|want|wants|have|has|need|needs|must|should) to (?:stay|keep|remain)"
        r"[^.;]{0,20} (?:under|below|within|above|over|between)\b"
        r"|\b(?:won't|will not|don't want to|cannot|can't) (?:live|drive|walk|travel|move|commute)"
        r"[^.;]{0,20}\b(?:further|farther|more|longer|outside)\b",
    ),
)
