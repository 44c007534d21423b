"""How English states a rule for what is done: bans, duties, approval."""

from __future__ import annotations

from mnemolog.policies.constraints.shared_patterns import NOUN, PRONOUN, VERBS, rule

APPROVAL = rule(
    "requires require needs need without must subject",
    r"\b(?:requires?|needs?|without|must (?:have|get)"
    r"|subject to)\b[^.;!?]{0,40}\b(?:approvals?|sign-?offs?|permission|permits?"
    r"|visas?"
    r"|code reviews?|reviewers?|authori[sz]ation|consent|notice|reservations?"
    r"|licen[cs]es?|two-factor|2fa|mfa)\b",
)
POLICY_RULES = (
    rule(
        "never not don't avoid always no only",
        rf"^(?:please,? |so |and |but |also,? |important: |rule: |note: )?(?:never"
        rf"|do not|don't|avoid|always|under no circumstances(?: should (?:we|you"
        rf"|anyone))?|only)(?: ever)? {VERBS}(?:ing)?\b",
    ),
    rule("avoid", rf"^(?:please,? )?avoid (?:anything|everything|{NOUN})"),
    rule(
        "no",
        r"^(?:absolutely |strictly |please,? )?no (?!one\b|more\b|less\b|doubt\b"
        r"|not\b|but\b|why\b|yet\b|and\b|i\b|it\b|that\b|the\b|you\b|prob|way\b"
        r"|just\b|we\b|he\b|she\b|this\b|my\b|luck|fun|please|thank|never|really"
        r"|actually|because|so\b|what|is\b)[\w-]+(?: (?:or|and|nor)(?: no)? [\w-]+"
        r"| [\w-]+){0,4}(?:,? please)?[.!]?$",
    ),
    rule(
        "no",
        r"^(?:absolutely |strictly )?no (?!one\b|more\b|doubt\b|plans?\b|news\b|word\b|sign\b"
        r"|answer\b|reply\b|response\b"
        r"|chance\b|hope\b|hurry\b|comment\b|matter\b|need\b"
        r"|reason\b|way\b|better\b)[\w-]+(?: [\w-]+){0,2} (?:for|in|at|on|near|with"
        r"|during|before|after|because|inside|to) (?:[\w',-]+ ?){1,8}[.!]?$",
    ),
    rule("no", rf"^(?:please,? )?{VERBS} no (?!more\b|less\b|one\b)\w"),
    rule(
        "keep",
        r"^(?:please,? )?keep [\w -]{2,30}? (?:away|out of (?:reach|the|our|my)"
        r"|off (?:the|our|my))\b(?! from (?:me|it all)\b)",
    ),
    rule("only", r"^(?!not\b|if\b|the\b|i\b|my\b|his\b)(?:[\w-]+ ){1,4}only(?:,? please)?[.!]?$"),
    rule(
        "must has needs",
        r"^(?:must|has to|needs to) (?:(?:not|never) (?:be|have|contain|include|use"
        r"|exceed)|(?:always |only )?(?:fit|include|support|run|use|stay"
        r"|have (?:an? (?!lot|few|bit|great)|at least|no|\d))|be (?:wheelchair"
        r"|step-free|accessible|\w+-free|vegan|vegetarian|halal|kosher|refundable"
        r"|non-?stop|direct|open[- ]source|pet-?friendly))\b",
    ),
    rule(
        "nobody no everyone everybody everything anything",
        r"^(?:nobody|no one|no-one|everyone|everybody|everything"
        r"|anything) (?:\w+ )?(?:should|must|may|can|has to|needs to|shall)\b",
    ),
    rule(
        "allowed permitted forbidden prohibited banned off out go taboo option mandatory"
        " compulsory",
        r"\b(?:is|are|'s|'re|be|isn't|aren't) (?:strictly |never |not "
        r"|explicitly )?(?:allowed|permitted|forbidden|prohibited|banned"
        r"|off[- ]limits|off the table|out of the question|a no-go|taboo"
        r"|not an option|mandatory|compulsory)\b(?! (?:me|us|him|her|them|you)\b)",
    ),
    rule(
        "not mustn't never",
        r"\b(?:must ?n[o']t|must never|shall not|should never|are not to) (?:be )?[a-z]+",
    ),
    rule(
        "not cannot can't shouldn't",
        rf"\b(?!{PRONOUN}\b)[A-Za-z][\w-]* (?:may not|can ?not|can't|should not"
        rf"|shouldn't) (?:be )?(?:{VERBS}\b|[a-z]+ed\b)",
    ),
    rule(
        "must mustn't should shouldn't shall shan't may cannot can't not don't never won't always",
        rf"\b(?:we|our team|the team) (?:do not|don't|never|can ?not|can't|may not"
        rf"|always) {VERBS} (?:(?:on|before|after|in|to|with|from|during) (?!time\b"
        rf"|it\b|that\b|this\b|them\b)\w|{NOUN})",
    ),
    rule(
        "must has have need needs",
        r"\b(?:all|every|each|any) (?:[\w-]+ ){1,4}?must\b|\b(?:all|every"
        r"|each) (?!of\b)(?:[\w-]+ ){1,3}?(?:has to|have to|needs? to) be\b",
    ),
    rule(
        "must",
        rf"\b(?!{PRONOUN}\b|kids?\b|family\b)[A-Za-z][\w-]* must (?:always |only "
        rf"|at all times )?(?:use|run|include|support|fit|comply|pass|go through|stay"
        rf"|keep|meet|match|contain|provide|accept|come|remain|follow|have (?:(?:a"
        rf"|an)\b(?! (?:lot|few|bit|great|good))|at least|no|two|three"
        rf"|\d))\b(?! (?:things|you)\b)",
    ),
    rule(
        "must",
        r"\b(?!(?:you|it|that|this|he|she|they|we|i|kids?"
        r"|family)\b)[A-Za-z][\w-]* must (?:always |only )?be (?:wheelchair"
        r"|step-free|accessible|(?:\w+-)?free\b|vegan|vegetarian|halal|kosher"
        r"|refundable|non-?stop|direct|indoors?|outdoors?|open[- ]source|encrypted"
        r"|reviewed|approved|signed|tested|written|stored|kept|paid|booked|reported"
        r"|backed up|deleted|documented|logged|certified|insured|available|remote"
        r"|quiet|pet-?friendly|(?:in|on|within|from) )",
    ),
)
