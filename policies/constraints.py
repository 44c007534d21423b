"""Which statements limit what may be done, and in what way: the class of a constraint.

Recognised by what English says when it limits: an allergy, a ceiling, a
requirement, a ban. Precision comes first: everyday talk is full of 'must',
'never' and 'can't' that limit nothing ('you must be tired', 'never mind'), and a
constraint that is none would be brought along with every plan.
"""

from __future__ import annotations

import re

from policies.quantities import Bound, Quantity, bounds, quantities

SAFETY, COST, COMPATIBILITY = "safety", "cost", "compatibility"
TIME, POLICY, PREFERENCE = "time", "policy", "preference"
CLASSES = (SAFETY, COST, COMPATIBILITY, TIME, POLICY, PREFERENCE)
"""The classes that are recognised, the gravest first."""

_LONGEST = 600
"""Characters; who says more tells a story, in which a limit is by the way."""

# Words without one of which nothing is limited: most texts are done with here.
# fmt: off
_TRIGGERS = frozenset({
    "allergic", "allergy", "allergies", "intolerant", "intolerance", "celiac", "coeliac", "diabetic",
    "epileptic", "asthmatic", "immunocompromised", "haemophiliac", "hemophiliac", "anaphylaxis",
    "anaphylactic", "epipen", "epi", "toxic", "poisonous", "dangerous", "harmful", "fatal", "deadly",
    "lethal", "life-threatening", "contraindicated", "must", "mustn't", "never", "not", "cannot",
    "don't", "doesn't", "can't", "won't", "shouldn't", "shan't", "isn't", "aren't", "avoid", "avoids",
    "avoiding", "budget", "deadline", "cutoff", "cut-off", "ceiling", "limit", "limited", "limits",
    "cap", "capped", "max", "maximum", "min", "minimum", "most", "least", "no", "require", "requires",
    "required", "need", "needs", "only", "incompatible", "compatible", "support", "supports",
    "forbidden", "prohibited", "banned", "vegan", "vegans", "vegetarian", "vegetarians",
    "pescatarian", "pescatarians", "halal", "kosher", "teetotal", "teetotaler", "teetotaller",
    "always", "allowed", "permitted", "within", "under", "below", "up", "due", "without",
    "mandatory", "compulsory", "keep", "off", "away", "holiday", "vacation", "leave", "hives", "rash", "nothing", "makes", "make", "gives", "triggers", "stay", "ill", "out", "taboo", "no-go", "reacts", "react", "sick", "reaction", "abroad", "office",
    "nobody", "everything", "off-limits", "strictly", "unavailable", "closed",
    "subject", "depends", "spend", "has", "have", "should", "longer", "plant-based",
})
# fmt: on
_WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*")
_NUMBER = re.compile(
    r"\d|\b(?:an?|half|dozen|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|mon|tues"
    r"|\w+day|noon|midnight|june|july|august|march|may|april|\w+ber|january|february)\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"^[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)?: ")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|;\s+")

_PRONOUN = r"(?:i|you|it|that|this|he|she|they|there|we|who|which|what|one|y'?all)"
_DENIES = r"(?:must ?n[o']t|must never|should not|should never|shouldn't|shall not|shan't|may not|can ?not|can't|are not to|is not to|do not|don't|never|won't|will not)"
_NOUN = r"(?!(?:it|that|this|them|him|her|me|us|you|my|your|much|more|anymore|any more|enough|too|so|anything|everything|nothing|in|on|at|to|up|off|out|for|with|about|like|as|well|often|because|when|if|care|place|part|time|advantage|breaks?|granted|action|chances?)\b)[\w'-]+"

# Verbs of what is done on someone's behalf: with 'never' before them they make a rule.
_VERBS = (
    r"(?:use|using|deploy|commit|push|merge|release|ship|install|upgrade|downgrade|run|enable|disable"
    r"|book|buy|purchase|order|reserve|schedule|plan|serve|cook|feed|add|include|recommend|suggest"
    r"|offer|propose|prescribe|administer|combine|mix|invite|hire|contact|call|email|e-mail|send|share"
    r"|store|log|expose|print|publish|post|paste|upload|disclose|reveal|delete|drop|overwrite|modify"
    r"|edit|exceed|spend|pay|charge|sign|accept|approve|allow|hard-?code|rename|write|wear|bring"
    r"|eat|drink|smoke|fly|travel|drive|stay at|work with|work on|depend|rely|route|place|assign"
    r"|put|take|give|touch|open|start|begin|change|replace|reply|promise|skip|submit|host|copy|import)"
)
_IDIOMS = re.compile(
    r"\bnever mind\b|\b(?:do ?n[o']t|never) (?:give up|take (?:it|things|that|this|life|anything|any"
    r"|no|for)|put (?:it|off|yourself|too)|open up|call (?:me|it)|give (?:me|it|in|yourself|your)"
    r"|drive (?:me|yourself)|write (?:it|off)|bring (?:it|me)|run (?:away|out)|start (?:me|on)"
    r"|change (?:who|a thing|the|yourself|anything)|include me|pay attention|skip a)"
    r"|\bcan(?:no|')t (?:wait|believe|imagine|help|complain|thank|stop|remember|tell|say|agree)"
    r"|\bonly with [^.,;]* (?:can|do|did|could|will|would) (?:i|we|you|one)\b|\bno (?:worries|problem"
    r"|way|doubt|wonder|idea|rush|pressure|matter|need|one|longer|big|kidding|joke|pun|offen[cs]e"
    r"|thanks|clue|pain|sweat|biggie|shame|judgement|regrets|excuses)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\?\s*$|\b(?:was|were|did|had|used to|would|could have|might|wish(?:ed)?|imagine|remember when|back then"
    r"|as a kid|growing up|felt|thought|realized|realised|wondering|hopefully|if only)\b|\bn't have\b",
    re.IGNORECASE,
)


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_SUBSTANCE = r"(?:lactose|gluten|fructose|histamine|dairy|milk|wheat|egg|soy|nut|alcohol|caffeine|sulphites?|sulfites?)"
_MEDICINE = (
    r"(?:ibuprofen|aspirin|penicillin|paracetamol|acetaminophen|warfarin|insulin|opioids?|nsaids?|steroids?"
    r"|antibiotics?|blood thinners?|grapefruit|medicines?|medications?|drugs?|doses?|vaccines?|painkillers?"
    r"|\w+(?:cillin|profen|mycin|statin|olol|oxacin|azepam|codone))"
)
_SECRET = (
    r"(?:secrets?|passwords?|passphrases?|tokens?|credentials?|api keys?|private keys?|keys?|pii|personal data"
    r"|personal information|customer data|patient (?:data|records?)|card numbers?|ssns?)"
)
_SAFETY_RULES = (
    _rule(r"\b(?<!not )(?<!n't )(?<!longer )allergic to (?!(?:people|work|drama|fun|mornings?|bullshit)\b)\w"),
    _rule(r"\ballerg(?:y|ies) to \w|^allerg(?:y|ies|ic):"),
    _rule(r"\b(?!(?:it|that|this|what|which|they|he|she|you|i|just)\b)[a-z]+ (?:makes?|gives?|triggers?|causes?) (?:me|him|her|us|them|my \w+|our \w+|\w+) (?:very |badly |violently )?(?:ill|sick|unwell|hives|migraines?|a rash|seizures?|asthma attacks?|cramps)\b"),
    _rule(r"\b(?:reacts? (?:badly|strongly|violently)|(?:gets?|develops?|breaks? out in|goes into) (?:an? )?(?:hives|rash|rashes|sick|ill|seizures?|migraines?|cramps|(?:anaphylactic )?shock|reaction))(?: (?:from|to|after)) \w"),
    re.compile(r"\b(?:[A-Z][a-z]+|I|[Mm]y [a-z]+|[Oo]ur [a-z]+|[Ss]he|[Hh]e) (?:can ?not|can't|must ?n[o']t|must not|must never|is not allowed to|may not) (?:eat|drink|have|tolerate|digest) (?!a |an |another|any more|kids|children|fun|it\b|that\b|this\b|much\b|enough\b|the \b)[a-z]"),
    _rule(
        r"\b(?!(?:my|his|her|our|their|your|the|an?|no|any|with|have|has|had|got|of|for|and|or|bad|seasonal"
        r"|severe|terrible|spring|summer|these|those|some|food|by|from|about|other|as|to)\b)[\w-]+ allerg(?:y|ies)\b"
        r"(?! (?:season|medicine|shot|test|pill))"
    ),
    _rule(rf"\b{_SUBSTANCE}[ -]intoleran|\bintoleran\w+ (?:to|of) {_SUBSTANCE}|\bc(?:o)?eliac\b"),
    _rule(r"(?:\b(?:am|is|are|was diagnosed(?: as)?)|'m|'s|'re) (?:an? |type [12] )?(?:severely )?(?:diabetic|epileptic|asthmatic|immunocompromised|h(?:a)?emophiliac)\b"),
    _rule(rf"\b{_DENIES}\b[^.,;]{{0,30}}\b(?:take|given|give|get|receive|combine|mix|prescribe|administer|have|use|be on)\b[^.;]{{0,40}}\b{_MEDICINE}\b"),
    _rule(rf"\bavoid\w*\b[^.;]{{0,20}}\b{_MEDICINE}\b|\bcontraindicated\b|\banaphyla|\bepi-?pen\b"),
    _rule(rf"\b(?:{_DENIES}|avoid)\b[^.;]{{0,20}}\b(?:commit|shar|log|expos|print|publish|post|send|leak|stor|past|upload|disclos|reveal|e?-?mail|writ|put)\w*\b[^.;]{{0,30}}\b{_SECRET}\b"),
    _rule(rf"\b{_SECRET} (?:must|may|should|can) ?(?:not|never)\b"),
    _rule(r"\b(?:is|are|'s|'re) (?:highly |very |extremely )?(?:toxic|poisonous|dangerous|fatal|deadly|harmful|life-threatening|lethal) (?:to|for|when)\b"),
)  # fmt: skip
_COMPATIBILITY_RULES = (
    re.compile(r"\bonly \w+s (?:over|via|with|on|through|from|in|by) (?:[A-Z]{2,}[\w-]*|[A-Za-z-]*\d[\w-]*|[A-Z][a-z]+[A-Z]\w*)"),
    re.compile(r"\b(?:accepts?|takes?|supports?|uses?|works? with|runs? on) (?:[A-Z]{2,}[\w-]*|[A-Za-z-]*\d[\w-]*|[A-Z][a-z]+) only\b"),
    re.compile(r"\bonly (?:takes?|uses?|has|fits?) (?:[A-Z]{2,}[\w-]*|[A-Za-z-]*\d[\w-]*)|\b(?:has|have) to (?:run|work|build) on [A-Z]"),
    _rule(rf"\b(?<!we're )(?<!we are )(?<!they're )(?:incompatible|n[o']t compatible|only compatible) with (?!each|one|my personality)\w"),
    _rule(r"\b(?:only (?:works?|runs?|fits?|supports?|accepts?|compatible)|(?:works?|runs?|fits?|supports?|accepts?) only)\b(?! (?:when|if|for me|because))"),
    _rule(rf"\b(?!{_PRONOUN}\b)[\w.+-]+ (?:does not|doesn't|do not|don't|will not|won't|cannot|can't) (?:support|work with|run on|run with|fit (?:in|on|into|a)|accept)\b"),
    _rule(r"\b(?:drinks?|drinking|takes?|serve|served|coffee|tea|eats?|works?|runs?|built|used?|ships?|comes?|available|install\w*|deploy\w*|charges?|sold) only with (?!my|his|her|our|their|friends|family|people|you|me)\w"),
)  # fmt: skip
_NEEDS = _rule(
    rf"\b(?:requires?|needs?|must (?:run|be|use|have|support)|depends? on|has to (?:run|use))\b(?P<what>[^.;,!?]{{1,40}})"
)
_TECHNICAL = re.compile(
    r"\b(?:[A-Z]{2,}[\w-]*|[a-z]*[A-Z]?[A-Za-z-]*\d[\w-]*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}\b)"
)
_APPROVAL = _rule(
    r"\b(?:requires?|needs?|without|must (?:have|get)|subject to)\b[^.;!?]{0,40}\b(?:approvals?|sign-?offs?|permission|permits?|visas?"
    r"|code reviews?|reviewers?|authori[sz]ation|consent|notice|reservations?|licen[cs]es?|two-factor|2fa|mfa)\b"
)
_AVAILABLE = _rule(
    r"\b(?:not|n't|un)[ -]?(?:be )?(?:available|free|reachable)\b|\bno (?:meetings?|calls?|flights?|deliver(?:y|ies)|deployments?|releases?|visits?|appointments?|work|events?)\b|\bonly (?:available|free|open)\b|\bclosed\b|\b(?:is|am|are|'m|'s|'re) (?:away|on (?:holiday|vacation|leave)|out of (?:the )?office|abroad|travell?ing)\b"
)
_DEADLINE = _rule(
    r"\b(?:deadline|due date|cut-?off(?: date)?)\b|\b(?:is|are) due\b|\bno later than\b|\bat the latest\b"
)
_POLICY_RULES = (
    _rule(rf"^(?:please,? |so |and |but |also,? |important: |rule: |note: )?(?:never|do not|don't|avoid|always|under no circumstances(?: should (?:we|you|anyone))?|only)(?: ever)? {_VERBS}(?:ing)?\b"),
    _rule(rf"^(?:please,? )?avoid (?:anything|everything|{_NOUN})"),
    _rule(rf"^(?:absolutely |strictly |please,? )?no (?!one\b|more\b|less\b|doubt\b|not\b|but\b|why\b|yet\b|and\b|i\b|it\b|that\b|the\b|you\b|prob|way\b|just\b|we\b|he\b|she\b|this\b|my\b|luck|fun|please|thank|never|really|actually|because|so\b|what|is\b)[\w-]+(?: (?:or|and|nor)(?: no)? [\w-]+| [\w-]+){{0,4}}(?:,? please)?[.!]?$"),
    _rule(r"^(?:absolutely |strictly )?no (?!one\b|more\b|doubt\b|matter\b|need\b|reason\b|way\b|better\b)[\w-]+(?: [\w-]+){0,2} (?:for|in|at|on|near|with|during|before|after|because|inside|to) (?:[\w',-]+ ?){1,8}[.!]?$"),
    _rule(rf"^(?:please,? )?{_VERBS} no (?!more\b|less\b|one\b)\w"),
    _rule(r"^(?:please,? )?keep [\w -]{2,30}? (?:away|out of (?:reach|the|our|my)|off (?:the|our|my))\b(?! from (?:me|it all)\b)"),
    _rule(r"^(?!not\b|if\b|the\b|i\b|my\b|his\b)(?:[\w-]+ ){1,4}only(?:,? please)?[.!]?$"),
    _rule(r"^(?:must|has to|needs to) (?:(?:not|never) (?:be|have|contain|include|use|exceed)|(?:always |only )?(?:fit|include|support|run|use|stay|have (?:an? (?!lot|few|bit|great)|at least|no|\d))|be (?:wheelchair|step-free|accessible|\w+-free|vegan|vegetarian|halal|kosher|refundable|non-?stop|direct|open[- ]source|pet-?friendly))\b"),
    _rule(r"^(?:nobody|no one|no-one|everyone|everybody|everything|anything) (?:\w+ )?(?:should|must|may|can|has to|needs to|shall)\b"),
    _rule(r"\b(?:is|are|'s|'re|be|isn't|aren't) (?:strictly |never |not |explicitly )?(?:allowed|permitted|forbidden|prohibited|banned|off[- ]limits|off the table|out of the question|a no-go|taboo|not an option|mandatory|compulsory)\b(?! (?:me|us|him|her|them|you)\b)"),
    _rule(rf"\b(?:must ?n[o']t|must never|shall not|should never|are not to) (?:be )?[a-z]+"),
    _rule(rf"\b(?!{_PRONOUN}\b)[A-Za-z][\w-]* (?:may not|can ?not|can't|should not|shouldn't) (?:be )?(?:{_VERBS}\b|[a-z]+ed\b)"),
    _rule(rf"\b(?:we|our team|the team) (?:do not|don't|never|can ?not|can't|may not|always) {_VERBS} (?:(?:on|before|after|in|to|with|from|during) (?!time\b|it\b|that\b|this\b|them\b)\w|{_NOUN})"),
    _rule(r"\b(?:all|every|each|any) (?:[\w-]+ ){1,4}?must\b|\b(?:all|every|each) (?!of\b)(?:[\w-]+ ){1,3}?(?:has to|have to|needs? to) be\b"),
    _rule(rf"\b(?!{_PRONOUN}\b|kids?\b|family\b)[A-Za-z][\w-]* must (?:always |only |at all times )?(?:use|run|include|support|fit|comply|pass|go through|stay|keep|meet|match|contain|provide|accept|come|remain|follow|have (?:(?:a|an)\b(?! (?:lot|few|bit|great|good))|at least|no|two|three|\d))\b(?! (?:things|you)\b)"),
    _rule(r"\b(?!(?:you|it|that|this|he|she|they|we|i|kids?|family)\b)[A-Za-z][\w-]* must (?:always |only )?be (?:wheelchair|step-free|accessible|(?:\w+-)?free\b|vegan|vegetarian|halal|kosher|refundable|non-?stop|direct|indoors?|outdoors?|open[- ]source|encrypted|reviewed|approved|signed|tested|written|stored|kept|paid|booked|reported|backed up|deleted|documented|logged|certified|insured|available|remote|quiet|pet-?friendly|(?:in|on|within|from) )"),
)  # fmt: skip
_HABIT = rf"(?:i|we|he|she|they|[A-Z][a-z]+(?: and [A-Z][a-z]+)?|(?:my|our|his|her|their) [a-z-]+|the kids?)"
_DIET = r"(?:vegans?|vegetarians?|pescatarians?|teetotal(?:l?er)?s?)"
_PREFERENCE_RULES = (
    re.compile(rf"\b(?!(?:[Tt]he|[Tt]his|[Ii]t|[Tt]hat|[Ff]ood|[Cc]ake)\b)[\w]+(?:'s|'m|'re| is| am| are| has been| have been)(?: (?:a|an|both|also|now|mostly|strictly|strict|fully))* {_DIET}\b(?! \w+(?:s|ie|pe|ad|es|ef|ook)\b(?<!s so)(?<!always))"),
    _rule(r"\b(?:keeps? (?:strictly )?kosher|eats? (?:only )?(?:halal|kosher|vegan|vegetarian|plant-based)|(?:halal|kosher|vegan|vegetarian) only|only (?:eats?|drinks?|flies|uses?|wears?) (?!the|a|it|when|if|on)\w)"),
    re.compile(rf"\b{_HABIT} (?:(?:[Dd]o not|[Dd]on't|[Dd]oes not|[Dd]oesn't|never|can't|cannot|can not|no longer|won't) (?:eat|drink|use|take|fly|wear|smoke|drives?)|(?:never )(?:eats|drinks|uses|takes|flies|wears|drives)) {_NOUN}"),
    re.compile(rf"\b{_HABIT} (?:avoids|(?:must|should|has to|have to|needs to|need to) avoid) {_NOUN}"),
    re.compile(rf"\b(?:I|[Ww]e) avoid {_NOUN}"),
    re.compile(rf"\b{_HABIT} (?:(?:must|should|has to|have to|needs? to) (?:stay|keep|steer) (?:away from|clear of|off)|(?:stays|keeps|steers) (?:away from|clear of|off)) {_NOUN}"),
    re.compile(rf"\b{_HABIT} (?:flies|fly|travels?|eats?|drinks?|sleeps?|stays?|sits?|works?|wears?|takes?|drives?) only (?:in|on|by|at|with) \w"),
    re.compile(rf"\b{_HABIT} needs? (?:an? )?(?:\w+-free|vegan|vegetarian|halal|kosher|low-\w+|wheelchair|step-free)\b"),
)  # fmt: skip
_BINDS = _rule(
    rf"\b(?:must|may not|can ?not|can't|{_DENIES}|has to|have to|needs? to|should|at most|no more than|no longer than|not more than|limit(?:ed)?|ceiling|budget|cap(?:ped)?|maximum|max|minimum|required|mandatory|nothing|nobody)\b|[<>≥≤]|^(?:please )?(?:keep|limit|stay|spend|use|book|find|allow|cap)\b|^(?:under|within|up to|below)\b"
)
_STORY = _rule(
    r"\b(?:spent|paid|raised|bought|got|made|sold|earned|won|saved|donated|ran|walked|drove|met|been|went|had"
    r"|took|came|lost|scored|reached|finished|completed|it's been|i've|we've|he's been|she's been|just|already)\b"
)


def constraint_class(text: str) -> str | None:
    """The class of the constraint that a text states; None if it states none.

    safety (allergies, medicine, danger, secrets), cost (money), compatibility
    (requirements, versions), time (deadlines, availability), policy (rules) or
    preference (diets and habits): the gravest of those that its sentences state.
    """
    if len(text) > _LONGEST or not _triggers(text):
        return None
    found = {_class_of(sentence) for sentence in sentences(text)}
    return next((one for one in CLASSES if one in found), None)


def _triggers(text: str) -> bool:
    low = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return not _TRIGGERS.isdisjoint(_WORD.findall(low))


def sentences(text: str) -> list[str]:
    """The sentences of a text, without the name of who speaks."""
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return [part for one in _SENTENCE.split(_SPEAKER.sub("", plain)) if (part := one.strip())]


def _class_of(sentence: str) -> str | None:
    if sentence.endswith("?") or not _triggers(sentence):
        return None
    plain = _IDIOMS.sub(" ", sentence)
    if any(rule.search(plain) for rule in _SAFETY_RULES) and not _is_past(plain):
        return SAFETY
    measured = _measured(plain)
    if measured is not None:
        return measured
    if _TOLD.search(plain) is not None:
        return None
    if any(rule.search(plain) for rule in _COMPATIBILITY_RULES) or _needs_technical(plain):
        return COMPATIBILITY
    if _APPROVAL.search(plain) is not None or any(rule.search(plain) for rule in _POLICY_RULES):
        return POLICY
    return PREFERENCE if any(rule.search(plain) for rule in _PREFERENCE_RULES) else None


def _is_past(sentence: str) -> bool:
    return (
        re.search(r"\b(?:used to be|was|were) (?:\w+ )?(?:allergic|dangerous|toxic)\b", sentence)
        is not None
    )


def _measured(sentence: str) -> str | None:
    """The class of a sentence that bounds a quantity."""
    if _TOLD.search(sentence) is not None or _STORY.search(sentence) is not None:
        return None
    if _DEADLINE.search(sentence) or _AVAILABLE.search(sentence):
        moments = {"date", "clock", "weekday"}
        if any(one.dimension in moments for one in quantities(sentence)):
            return TIME
    if _BINDS.search(sentence) is None or _NUMBER.search(sentence) is None:
        return None
    for bound in bounds(sentence):
        found = _class_of_bound(bound, sentence)
        if found is not None:
            return found
    return None


def _class_of_bound(bound: Bound, sentence: str) -> str | None:
    dimension = bound.quantity.dimension
    if dimension == "money":
        return COST if bound.high is not None else None
    if dimension in ("date", "clock", "weekday"):
        # 'I have to be there by ten' is an errand, 'it must be there by ten' a limit.
        return (
            TIME
            if re.search(
                r"\bmust\b|\bcan ?not\b|\bcan't\b|\bno later\b|\bhas to\b|\bneeds to\b|\bnothing\b|\bnobody\b",
                sentence,
                re.IGNORECASE,
            )
            else None
        )
    if dimension == "version":
        return COMPATIBILITY
    if dimension in ("data", "data rate", "power", "voltage", "current", "frequency", "pixels"):
        return COMPATIBILITY
    if dimension == "mass" and re.search(
        rf"\b{_MEDICINE}\b|\bmg\b|\bdose", sentence, re.IGNORECASE
    ):
        return SAFETY
    return None if dimension == "number" else POLICY


def _needs_technical(sentence: str) -> bool:
    """Whether it says that something needs a version, a size or a thing named by a code."""
    match = _NEEDS.search(sentence)
    if match is None or re.search(
        r"\b(?:i|you|he|she|we|they)(?:'\w+)? (?:\w+ )?(?:need|require)", sentence, re.IGNORECASE
    ):
        return False
    what = match["what"]
    return _TECHNICAL.search(what) is not None or any(map(_is_technical, quantities(what)))


def _is_technical(quantity: Quantity) -> bool:
    return quantity.dimension in ("version", "data", "power", "voltage", "current", "frequency")
