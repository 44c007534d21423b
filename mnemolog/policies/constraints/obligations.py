"""How English obliges and forbids, whatever it is about.

Who writes a limit down mostly puts the thing in front ('the pills need to be kept
cool', 'only signed images may be run') or says who forbids it. Everyday talk has
the same words with 'I', 'you' and 'it' in front, and means an errand or a guess.
"""

from __future__ import annotations

from mnemolog.policies.constraints.shared_patterns import PRONOUN, VERBS, exact, rule

_TIDYING = (
    r"(?:clean|wash|repair|paint|replac|finish|improv|pick|fix|tidi|water|return"
    r"|chang|updat|done|redone|sold|bought)"
)
OBLIGATIONS = (
    rule(
        "must",
        r"^(?:the |our |all |new |any )?(?!(?:people|kids|children|parents|guys|things|days"
        r"|it|this|that|there)\b)[a-z-]+s must (?:not )?(?!(?:be|have|think|feel|love|hate"
        r"|know|like|wonder|get|seem|mean|look)\b)[a-z]+",
    ),
    rule(
        "everywhere times time cases exception whenever",
        r"^(?:please )?(?!(?:i|you|we|he|she|they|it|there|this|that|music"
        r"|love)\b)[a-z]+ [^.;?,]{2,50} (?:everywhere|at all times|in all cases"
        r"|without exception|whenever (?:you|we|one|someone|anyone) (?!need|want|like|feel"
        r"|can)[a-z]+)\b",
    ),
    rule(
        "not don't never",
        r"^(?:please )?(?:do not|don't|never) (?!(?:go|give|leave|worry|think|let|forget|be"
        r"|say|get|stop|feel|judge|know|like|want|you|even|believe|quit|expect|have"
        r"|live)\b)[a-z]+ [^.;?]{2,50} (?:without|before|until|unless) \w",
    ),
    rule(
        "cannot can't mustn't not",
        r"\bwe (?:cannot|can't|must not|mustn't|may not) (?!(?:live|do|go|see|believe|imagine"
        r"|wait|keep|have|get|be)\b)[a-z]+ [^.;?]{0,50}(?:before|until|unless"
        r"|without) (?!(?:you|it|him|her|them|us|me|each)\b)\w",
    ),
    rule("nothing", r"^[a-z]+ nothing (?:before|until|to|without|after|from|in) \w"),
    rule("excluded ineligible eligible", r"\b(?:is|are) (?:excluded|ineligible|not eligible)\b"),
    rule(
        "business deal",
        r"\b(?:do not|don't|does not|doesn't|never|no longer) (?:do business|deal|trade) with \w",
    ),
    rule("closed", r"\b(?:is|are) (?:always )?closed (?:in|during|over|from|for) (?!now\b)\w"),
    rule(
        "must have has",
        rf"^(?!{PRONOUN}\b|everything\b|someone\b|somebody\b|life\b"
        rf"|love\b)[a-z][\w-]+(?: [a-z-]+){{0,2}}"
        rf" (?:must|has to|have to) be (?!{_TIDYING})[a-z]+(?:ed|en|wn|rn|pt|ld|nt|ught|ut)\b"
        r"(?!.*\b(?:today|now|tonight|soon)\b)",
    ),
    rule(
        "everything anything",
        r"^(?:everything|anything|anyone|whoever) [\w ]{2,30}(?:needs? to|has to|must) (?:be"
        r"|have|go|come|pass|fit|get)\b",
    ),
    rule(
        "without",
        r"\bwithout [\w -]{2,30} (?:will be|are|is|gets?|won't be|cannot be|can't be) (?:not )?"
        r"(?:rejected|refused|blocked|declined|returned|ignored|merged|accepted|processed"
        r"|admitted)\b",
    ),
    rule(
        "cover covers allow permit include excludes exclude",
        r"\b(?:licen[cs]e|contract|policy|insurance|warranty|visa|agreement|terms|law|rules?"
        r"|list)s?\b"
        r"[^.;]{0,20}(?:(?:does not|doesn't|do not|don't) (?:cover|allow|permit|include)"
        r"|excludes?)\b",
    ),
    rule("never not", r", (?:never|not) (?:in|on|into|to|onto) (?:the|our|a) [\w-]+[.!]?$"),
    rule(
        "keep",
        r"^(?:please )?keep (?!it\b|up\b)[^.;,]{2,40}? (?:clear|closed|locked|shut|dry|cool"
        r"|empty|refrigerated"
        r"|anonymous|offline|separate|upright|encrypted|free of [\w ]+)\b",
    ),
    rule(
        "within",
        r"\bwithin (?:easy )?(?:walking|cycling|driving|commuting|reaching)? ?(?:distance"
        r"|reach) (?:of|to)\b",
    ),
    rule(
        "steer stay keep hands",
        r"^(?:please )?(?:steer|stay|keep|hands) (?:well )?(?:clear of|away from|off"
        r"|out of) (?!it\b|trouble\b|touch\b)\w",
    ),
    rule(
        "not don't never",
        r"^(?:please )?(?:don't|do not|never) (?:mention|tell|discuss|talk|speak|forward"
        r"|reveal|quote|name|show) [^.;]{2,60}? (?:to|with|about|outside|in) (?!me\b|it\b"
        r"|that\b)\w",
    ),
    rule(
        "only",
        r"^only (?!(?:you|i|he|she|they|we|it|time|god|one|then|when|if|because|a|yesterday"
        r"|today)\b)[^.,;?]{2,50}? (?:may|can|must|should|shall|is|are|will be|gets?)"
        r"(?: ever)? (?:be |get |to be )?(?:[a-z]+ed|fine|ok|okay|acceptable|possible|an option"
        r"|suitable|valid|welcome|have|get|enter|use|run|see|touch|access)\b",
    ),
    exact(
        "Only only",
        r"^[Oo]nly [A-Z][^,;?]{2,40}? (?:may|can|must|is|are|will be) (?:be )?[a-z]+ed\b",
    ),
    rule(
        "only exclusively solely",
        r"\b(?:may|must|should|shall) (?:only|exclusively|solely)\b"
        r"|\bcan only be (?!(?:imagined|described|explained|seen|a|the|good)\b)[a-z]+(?:ed|ung"
        r"|ld)\b"
        r"|\bis only to be\b|\bare only to be\b",
    ),
    rule("only", rf"^(?:please )?{VERBS} (?:only|exclusively|solely)\b(?! (?:if|when|because)\b)"),
    rule(
        "longer not don't can't cannot won't never mustn't aren't isn't",
        rf"\b(?:we|the team|our team|the company|management) (?:no longer|are not allowed to"
        rf"|aren't allowed to|can't|cannot|must not|may not|won't|never|don't|do not) {VERBS} "
        r"(?:(?:from|with|on|to|at|in) (?!it\b|that\b|this\b|them\b|time\b)\w|anything|any )",
    ),
    rule(
        "bans ban forbids forbid prohibits prohibit disallows disallow blacklists blacklist"
        " blacklisted banned forbidden vetoed vetoes prohibited outlaws outlawed capped insists",
        rf"\b(?!{PRONOUN}\b)[\w-]+ (?:bans|forbids?|prohibits?|disallows?|outlaws?|blacklists"
        r"|vetoes|insists on|(?:has|have) (?:banned|forbidden|blacklisted|vetoed|prohibited"
        r"|outlawed|capped|ruled out))\b(?! (?:me|you|us) from\b)",
    ),
    rule(
        "nobody no",
        r"^(?:nobody|no one|no-one) (?:ever )?(?:use|deploy|commit|pushe|merge|release|ship"
        r"|install|book|buy|order|send|share|store|log|publishe|delete|edit|enter|touche"
        r"|change|open|start|smoke|drive|leave|sign|get)s\b",
    ),
    rule(
        "to",
        r"\b(?:is|are) (?:not |never |always |only )?to be (?!(?:expected|hoped|seen|praised"
        r"|honest|fair|sure|precise|exact|clear|believed|envied|found|continued|announced|decided"
        r"|determined|married|feared|admired)\b)[a-z]+(?:ed|en|pt|ld|nt|ft|ught|id|ut|de)\b",
    ),
    rule(
        "required obligatory disallowed unacceptable inadmissible requirement must",
        r"(?<!no experience )\b(?:is|are) (?:always |strictly |not )?(?:required|obligatory"
        r"|disallowed|unacceptable|inadmissible|an? (?:strict |hard )?requirement)\b"
        r"(?! (?:reading|listening|viewing)\b)(?!-)",
    ),
    rule(
        "refrain desist abstain",
        r"\b(?:refrain|desist|abstains?) from (?!saying|laughing|crying)\w+",
    ),
    rule(
        "now forward henceforth",
        rf"^(?:from (?:now|here|today) on(?:wards?)?|going forward|henceforth)[, ]+(?:please )?"
        rf"(?:(?:we|you|everyone|all) )?(?:only |always |never |don't |do not )?(?:{VERBS}|answer"
        r"|keep|prefer|stick|ask|check|avoid|format|name|document|stop|must|should|need)\b",
    ),
    rule(
        "every each needs need requires require all",
        r"^(?:every|each) (?:(?!(?:i|you|we|he|she|they|it)\b)[\w-]+ ){1,4}?(?:needs?"
        r"|requires?|gets?) (?!to (?:know|be happy)"
        r"|love\b|help\b|a hug|a break|rest\b)\w",
    ),
    rule(
        "need require needs requires",
        r"^(?!(?:Kids|Children|Parents|People|Friends|Dogs|Cats|Plants|Humans|Girls|Boys|Women"
        r"|Men|Relationships|Things|Days|Sometimes|Always|Does|Was|Is|As|Yes|Needs|Guys|Babies"
        r"|Moms|Mums|Dads|My|Our|His|Her|Their|The|These|Those|Some|Two"
        r"|Both)\b)(?-i:[A-Z])[a-z-]+(?: [a-z-]+)?(?:(?<!s)s) (?:need|require) "
        r"(?:an? )?(?!to (?:hear|see|know|stop)\b|more\b|some\b|love\b|time\b)\w",
    ),
    rule(
        "has have needs need",
        rf"^(?:the|all|any|every|each|these|those|our) (?:[\w'-]+ ){{1,4}}?(?:has to|have to"
        rf"|needs? to) (?:always |never |only )?(?:(?:be|get) (?!{_TIDYING}|the (?:best|worst|most"
        r"|funniest)|so\b|good\b|a\b)\w|stay\b|remain\b|fit\b|run\b|reach\b|support\b|work\b"
        r"|comply\b|include\b|contain\b|pass\b|keep\b|come with\b)",
    ),
    rule(
        "confidential nda embargo embargoed private secret between",
        r"\b(?:is|are|it's|that's|strictly|this is|kept|keep [^.;]{2,30}) (?:strictly |highly )?"
        r"confidential\b|\bunder (?:an )?(?:nda|embargo)\b"
        r"|\bkeep (?!me\b|you\b|up\b|in\b)[^.;,]{2,40} (?:between us|to yourself|private|secret)\b",
    ),
    rule(
        "so",
        r"[,:] so no (?!one\b|more\b|need\b|luck\b|matter\b|way\b|wonder\b|that\b|surprise\b"
        r"|idea\b|time\b|big\b|reason\b|sleep\b|rest\b|regrets?\b|complaints?\b)[\w-]+"
        r"(?: [\w-]+){0,3}[.!]?$",
    ),
)
