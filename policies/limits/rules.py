"""How English states that something is limited: one table of patterns for each class.

Every pattern has words of which one must be there, so that most sentences are
done with after one look at their words. The patterns ask for what a rule needs
(a thing, a technical name, someone whom it binds) and leave out what everyday
talk says with the same words.
"""

from __future__ import annotations

import re

import msgspec

_PRONOUN = r"(?:i|you|it|that|this|he|she|they|there|we|who|which|what|one|y'?all)"
_DENIES = (
    r"(?:must ?n[o']t|must never|should not|should never|shouldn't|shall not|shan't"
    r"|may not|can ?not|can't|are not to|is not to|do not|don't|never|won't|will not)"
)
_NOUN = (
    r"(?!(?:it|that|this|them|him|her|me|us|you|my|your|much|more|anymore|any more"
    r"|enough|too|so|anything|everything|nothing|in|on|at|to|up|off|out|for|with|about"
    r"|like|as|well|often|because|when|if|care|place|part|time|advantage|breaks?|granted"
    r"|action|chances?)\b)[\w'-]+"
)

# Verbs of what is done on someone's behalf: with 'never' before them they make a rule.
_VERBS = (
    r"(?:use|using|deploy|commit|push|merge|release|ship|install|upgrade|downgrade"
    r"|run|enable|disable"
    r"|book|buy|purchase|order|reserve|schedule|plan|serve|cook|feed|add|include|recommend|suggest"
    r"|offer|propose|prescribe|administer|combine|mix|invite|hire|contact|call|email"
    r"|e-mail|send|share"
    r"|store|log|expose|print|publish|post|paste|upload|disclose|reveal|delete|drop"
    r"|overwrite|modify"
    r"|edit|exceed|spend|pay|charge|sign|accept|approve|allow|hard-?code|rename|write|wear|bring"
    r"|eat|drink|smoke|fly|travel|drive|stay at|work with|work on|depend|rely|route|place|assign"
    r"|put|take|give|touch|open|start|begin|change|replace|reply|promise|skip|submit"
    r"|host|copy|import)"
)
IDIOMS = re.compile(
    r"\bnever mind\b|\b(?:do ?n[o']t|never) (?:give up|take (?:it|things|that|this"
    r"|life|anything|any"
    r"|no|for)|put (?:it|off|yourself|too)|open up|call (?:me|it)|give (?:me|it|in|yourself|your)"
    r"|drive (?:me|yourself)|write (?:it|off)|bring (?:it|me)|run (?:away|out)|start (?:me|on)"
    r"|change (?:who|a thing|the|yourself|anything)|include me|pay attention|skip a)\b"
    r"|\bcan(?:no|')t (?:wait|believe|imagine|help|complain|thank|stop|remember|tell|say|agree)"
    r"|\bonly with [^.,;]* (?:can|do|did|could|will|would) (?:i|we|you|one)\b"
    r"|\bno (?:worries|problem"
    r"|way|doubt|wonder|idea|rush|pressure|matter|need|one|longer|big|kidding|joke|pun|offen[cs]e"
    r"|thanks|clue|pain|sweat|biggie|shame|judgement|regrets|excuses)\b",
    re.IGNORECASE,
)
TOLD = re.compile(
    r"\?\s*$|\b(?:was|were|did|had|used to|would|could have|might|wish(?:ed)?"
    r"|imagine|remember when|back then"
    r"|as a kid|growing up|felt|thought|realized|realised|wondering|hopefully"
    r"|if only)\b|\bn't have\b",
    re.IGNORECASE,
)


class Rule(msgspec.Struct, frozen=True):
    """A pattern, and the words of which one must be there for it to be looked for."""

    needs: frozenset[str]
    pattern: re.Pattern[str]


def _rule(needs: str, pattern: str) -> Rule:
    return Rule(frozenset(needs.split()), re.compile(pattern, re.IGNORECASE))


def _exact(needs: str, pattern: str) -> Rule:
    """A rule that goes by capitals."""
    return Rule(frozenset(needs.split()), re.compile(pattern))


_SUBSTANCE = (
    r"(?:lactose|gluten|fructose|histamine|dairy|milk|wheat|egg|soy|nut|alcohol|caffeine"
    r"|sulphites?|sulfites?)"
)
MEDICINE = (
    r"(?:ibuprofen|aspirin|penicillin|paracetamol|acetaminophen|warfarin|insulin"
    r"|opioids?|nsaids?|steroids?"
    r"|antibiotics?|blood thinners?|grapefruit|medicines?|medications?|drugs?|doses?"
    r"|vaccines?|painkillers?"
    r"|\w+(?:cillin|profen|mycin|statin|olol|oxacin|azepam|codone))"
)
_PRIVATE = (
    r"(?:secrets?|passwords?|passphrases?|tokens?|credentials?|api keys?"
    r"|private keys?|keys?|pii|personal data"
    r"|personal information|customer data|patient (?:data|records?)|card numbers?|ssns?)"
)
SAFETY_RULES = (
    _rule(
        "sensitive sensitivity",
        r"\b(?:am|is|are|'m|'s|'re) (?:very |highly |extremely )?sensitive to (?!the"
        r"\b|others?\b|how\b|what"
        r"|my\b|your\b|his\b|her\b|this\b|that\b|it\b|criticism|feelings|people"
        r"|emotions?|change)\w",
    ),
    _rule(
        "tolerate stomach digest",
        r"\b(?:does not|doesn't|do not|don't|can ?not|can't) (?:tolerate|stomach"
        r"|digest) (?!it\b|that\b"
        r"|this\b|people|any\b|the\b|being|when|how)\w",
    ),
    _rule(
        "allergic",
        r"\b(?<!not )(?<!n't )(?<!longer )allergic to (?!(?:people|work|drama|fun"
        r"|mornings?|bullshit)\b)\w",
    ),
    _rule("allergy allergies allergic", r"\ballerg(?:y|ies) to \w|^allerg(?:y|ies|ic):"),
    _rule(
        "makes make gives give triggers trigger causes cause",
        r"\b(?!(?:it|that|this|what|which|they|he|she|you|i|just)\b)[a-z]+ (?:makes?"
        r"|gives?|triggers?|causes?) (?:me|him|her|us|them|my \w+|our \w+"
        r"|\w+) (?:very |badly |violently )?(?:ill|sick|unwell|palpitations|nausea"
        r"|\w+aches?|diarrh?oe?a|swelling|hives|migraines?"
        r"|a rash|seizures?|asthma attacks?|cramps)\b",
    ),
    _rule(
        "reacts react hives rash rashes sick ill seizure seizures migraine migraines cramps"
        " shock reaction",
        r"\b(?:reacts? (?:badly|strongly|violently)|(?:gets?|develops?"
        r"|breaks? out in|goes into) (?:an? )?(?:hives|rash|rashes|sick|ill"
        r"|seizures?|migraines?|cramps|(?:anaphylactic )?shock|reaction))(?: (?:from"
        r"|to|after)) \w",
    ),
    _exact(
        "eat drink have tolerate digest",
        r"\b(?:[A-Z][a-z]+|I|[Mm]y [a-z]+|[Oo]ur [a-z]+|[Ss]he|[Hh]e) (?:can ?not"
        r"|can't|must ?n[o']t|must not|must never|is not allowed to|may not) (?:eat"
        r"|drink|have|tolerate|digest) (?!a |an |another|any more|kids|children|fun"
        r"|it\b|that\b|this\b|much\b|enough\b|the \b)[a-z]",
    ),
    _rule(
        "allergy allergies",
        r"\b(?!(?:my|his|her|our|their|your|the|an?|no|any|with|have|has|had|got|of"
        r"|for|and|or|bad|seasonal"
        r"|severe|terrible|spring|summer|these|those|some|food|by|from|about|other"
        r"|as|to)\b)[\w-]+ allerg(?:y|ies)\b"
        r"(?! (?:season|medicine|shot|test|pill))",
    ),
    _rule(
        "intolerant intolerance celiac coeliac",
        rf"\b{_SUBSTANCE}[ -]intoleran|\bintoleran\w+ (?:to|of) {_SUBSTANCE}|\bc(?:o)?eliac\b",
    ),
    _rule(
        "diabetic epileptic asthmatic immunocompromised haemophiliac hemophiliac",
        r"(?:\b(?:am|is|are|was diagnosed(?: as)?)|'m|'s|'re) (?:an? "
        r"|type [12] )?(?:severely )?(?:diabetic|epileptic|asthmatic"
        r"|immunocompromised|h(?:a)?emophiliac)\b",
    ),
    _rule(
        "must mustn't should shouldn't shall shan't may cannot can't not don't never won't",
        rf"\b{_DENIES}\b[^.,;]{{0,30}}\b(?:take|given|give|get|receive|combine|mix"
        rf"|prescribe|administer|have|use|be on)\b[^.;]{{0,40}}\b{MEDICINE}\b",
    ),
    _rule(
        "avoid avoids avoiding contraindicated anaphylaxis anaphylactic epipen epi",
        rf"\bavoid\w*\b[^.;]{{0,20}}\b{MEDICINE}\b|\bcontraindicated\b|\banaphyla|\bepi-?pen\b",
    ),
    _rule(
        "must mustn't should shouldn't shall shan't may cannot can't not don't never won't avoid",
        rf"\b(?:{_DENIES}|avoid)\b[^.;]{{0,20}}\b(?:commit|shar|log|expos|print"
        rf"|publish|post|send|leak|stor|past|upload|disclos|reveal|e?-?mail|writ"
        rf"|put)\w*\b[^.;]{{0,30}}\b{_PRIVATE}\b",
    ),
    _rule("not never cannot mustn't", rf"\b{_PRIVATE} (?:must|may|should|can) ?(?:not|never)\b"),
    _rule(
        "toxic poisonous dangerous fatal deadly harmful threatening lethal",
        r"\b(?:is|are|'s|'re) (?:highly |very |extremely )?(?:toxic|poisonous"
        r"|dangerous|fatal|deadly|harmful|life-threatening|lethal) (?:to|for|when)\b",
    ),
)
COMPATIBILITY_RULES = (
    _exact(
        "only",
        r"\bonly \w+s (?:over|via|with|on|through|from|in|by) (?:[A-Z]{2,}[\w-]*"
        r"|[A-Za-z-]*\d[\w-]*|[A-Z][a-z]+[A-Z]\w*)",
    ),
    _exact(
        "only",
        r"\b(?:accepts?|takes?|supports?|uses?|works? with"
        r"|runs? on) (?:[A-Z]{2,}[\w-]*|[A-Za-z-]*\d[\w-]*|[A-Z][a-z]+) only\b",
    ),
    _exact(
        "only has have",
        r"\bonly (?:takes?|uses?|has|fits?) (?:[A-Z]{2,}[\w-]*|[A-Za-z-]*\d[\w-]*)"
        r"|\b(?:has|have) to (?:run|work|build) on [A-Z]",
    ),
    _rule(
        "incompatible compatible",
        r"\b(?<!we're )(?<!we are )(?<!they're )(?:incompatible|n[o']t compatible"
        r"|only compatible) with (?!each|one|my personality)\w",
    ),
    _rule(
        "only",
        r"\b(?:only (?:works?|runs?|fits?|supports?|accepts?|compatible)|(?:works?"
        r"|runs?|fits?|supports?|accepts?) only)\b(?! (?:when|if|for me|because))",
    ),
    _rule(
        "not doesn't don't won't cannot can't",
        rf"\b(?!{_PRONOUN}\b)[\w.+-]+ (?:does not|doesn't|do not|don't|will not|won't"
        rf"|cannot|can't) (?:support|work with|run on|run with|fit (?:in|on|into|a)"
        rf"|accept)\b",
    ),
    _rule(
        "only",
        r"\b(?:drinks?|drinking|takes?|serve|served|coffee|tea|eats?|works?|runs?"
        r"|built|used?|ships?|comes?|available|install\w*|deploy\w*|charges?"
        r"|sold) only with (?!my|his|her|our|their|friends|family|people|you|me)\w",
    ),
)
NEEDS = _rule(
    "requires require needs need must depends depend has",
    r"\b(?:requires?|needs?|must (?:run|be|use|have|support)|depends? on"
    r"|has to (?:run|use))\b(?P<what>[^.;,!?]{1,40})",
)
TECHNICAL = re.compile(
    r"\b(?:[A-Z]{2,}[\w-]*|[a-z]*[A-Z]?[A-Za-z-]*\d[\w-]*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}\b)"
)
APPROVAL = _rule(
    "requires require needs need without must subject",
    r"\b(?:requires?|needs?|without|must (?:have|get)"
    r"|subject to)\b[^.;!?]{0,40}\b(?:approvals?|sign-?offs?|permission|permits?"
    r"|visas?"
    r"|code reviews?|reviewers?|authori[sz]ation|consent|notice|reservations?"
    r"|licen[cs]es?|two-factor|2fa|mfa)\b",
)
AVAILABLE = _rule(
    "not no only closed away holiday vacation leave office abroad travelling traveling"
    " unavailable available isn't aren't",
    r"\b(?:not|n't|un)[ -]?(?:be )?(?:available|free|reachable)\b|\bno (?:meetings?"
    r"|calls?|flights?|deliver(?:y|ies)|deployments?|releases?|visits?|appointments?"
    r"|work|events?)\b|\bonly (?:available|free|open)\b|\bclosed\b|\b(?:is|am|are|'m"
    r"|'s|'re) (?:away|on (?:holiday|vacation|leave)|out of (?:the )?office|abroad"
    r"|travell?ing)\b",
)
DEADLINE = _rule(
    "deadline due cutoff cut later latest",
    r"\b(?:deadline|due date|cut-?off(?: date)?)\b|\b(?:is|are) due\b"
    r"|\bno later than\b|\bat the latest\b",
)
POLICY_RULES = (
    _rule(
        "never not don't avoid always no only",
        rf"^(?:please,? |so |and |but |also,? |important: |rule: |note: )?(?:never"
        rf"|do not|don't|avoid|always|under no circumstances(?: should (?:we|you"
        rf"|anyone))?|only)(?: ever)? {_VERBS}(?:ing)?\b",
    ),
    _rule("avoid", rf"^(?:please,? )?avoid (?:anything|everything|{_NOUN})"),
    _rule(
        "no",
        r"^(?:absolutely |strictly |please,? )?no (?!one\b|more\b|less\b|doubt\b"
        r"|not\b|but\b|why\b|yet\b|and\b|i\b|it\b|that\b|the\b|you\b|prob|way\b"
        r"|just\b|we\b|he\b|she\b|this\b|my\b|luck|fun|please|thank|never|really"
        r"|actually|because|so\b|what|is\b)[\w-]+(?: (?:or|and|nor)(?: no)? [\w-]+"
        r"| [\w-]+){0,4}(?:,? please)?[.!]?$",
    ),
    _rule(
        "no",
        r"^(?:absolutely |strictly )?no (?!one\b|more\b|doubt\b|matter\b|need\b"
        r"|reason\b|way\b|better\b)[\w-]+(?: [\w-]+){0,2} (?:for|in|at|on|near|with"
        r"|during|before|after|because|inside|to) (?:[\w',-]+ ?){1,8}[.!]?$",
    ),
    _rule("no", rf"^(?:please,? )?{_VERBS} no (?!more\b|less\b|one\b)\w"),
    _rule(
        "keep",
        r"^(?:please,? )?keep [\w -]{2,30}? (?:away|out of (?:reach|the|our|my)"
        r"|off (?:the|our|my))\b(?! from (?:me|it all)\b)",
    ),
    _rule("only", r"^(?!not\b|if\b|the\b|i\b|my\b|his\b)(?:[\w-]+ ){1,4}only(?:,? please)?[.!]?$"),
    _rule(
        "must has needs",
        r"^(?:must|has to|needs to) (?:(?:not|never) (?:be|have|contain|include|use"
        r"|exceed)|(?:always |only )?(?:fit|include|support|run|use|stay"
        r"|have (?:an? (?!lot|few|bit|great)|at least|no|\d))|be (?:wheelchair"
        r"|step-free|accessible|\w+-free|vegan|vegetarian|halal|kosher|refundable"
        r"|non-?stop|direct|open[- ]source|pet-?friendly))\b",
    ),
    _rule(
        "nobody no everyone everybody everything anything",
        r"^(?:nobody|no one|no-one|everyone|everybody|everything"
        r"|anything) (?:\w+ )?(?:should|must|may|can|has to|needs to|shall)\b",
    ),
    _rule(
        "allowed permitted forbidden prohibited banned off out go taboo option mandatory"
        " compulsory",
        r"\b(?:is|are|'s|'re|be|isn't|aren't) (?:strictly |never |not "
        r"|explicitly )?(?:allowed|permitted|forbidden|prohibited|banned"
        r"|off[- ]limits|off the table|out of the question|a no-go|taboo"
        r"|not an option|mandatory|compulsory)\b(?! (?:me|us|him|her|them|you)\b)",
    ),
    _rule(
        "not mustn't never",
        r"\b(?:must ?n[o']t|must never|shall not|should never|are not to) (?:be )?[a-z]+",
    ),
    _rule(
        "not cannot can't shouldn't",
        rf"\b(?!{_PRONOUN}\b)[A-Za-z][\w-]* (?:may not|can ?not|can't|should not"
        rf"|shouldn't) (?:be )?(?:{_VERBS}\b|[a-z]+ed\b)",
    ),
    _rule(
        "must mustn't should shouldn't shall shan't may cannot can't not don't never won't always",
        rf"\b(?:we|our team|the team) (?:do not|don't|never|can ?not|can't|may not"
        rf"|always) {_VERBS} (?:(?:on|before|after|in|to|with|from|during) (?!time\b"
        rf"|it\b|that\b|this\b|them\b)\w|{_NOUN})",
    ),
    _rule(
        "must has have need needs",
        r"\b(?:all|every|each|any) (?:[\w-]+ ){1,4}?must\b|\b(?:all|every"
        r"|each) (?!of\b)(?:[\w-]+ ){1,3}?(?:has to|have to|needs? to) be\b",
    ),
    _rule(
        "must",
        rf"\b(?!{_PRONOUN}\b|kids?\b|family\b)[A-Za-z][\w-]* must (?:always |only "
        rf"|at all times )?(?:use|run|include|support|fit|comply|pass|go through|stay"
        rf"|keep|meet|match|contain|provide|accept|come|remain|follow|have (?:(?:a"
        rf"|an)\b(?! (?:lot|few|bit|great|good))|at least|no|two|three"
        rf"|\d))\b(?! (?:things|you)\b)",
    ),
    _rule(
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
_HABIT = (
    r"(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[A-Z][a-z]+(?: and [A-Z][a-z]+)?"
    r"|(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) [a-z-]+|[Tt]he kids?)"
)
_DIET = r"(?:vegans?|vegetarians?|pescatarians?|teetotal(?:l?er)?s?)"
PREFERENCE_RULES = (
    _exact(
        "vegan vegans vegetarian vegetarians pescatarian pescatarians teetotal teetotaler"
        " teetotaller",
        rf"\b(?!(?:[Tt]he|[Tt]his|[Ii]t|[Tt]hat|[Ff]ood|[Cc]ake)\b)[\w]+(?:'s|'m|'re"
        rf"| is| am| are| has been| have been)(?: (?:a|an|both|also|now|mostly"
        rf"|strictly|strict|fully))* {_DIET}\b(?! \w+(?:s|ie|pe|ad|es|ef"
        rf"|ook)\b(?<!s so)(?<!always))",
    ),
    _rule(
        "kosher halal vegan vegetarian plant only",
        r"\b(?:keeps? (?:strictly )?kosher|eats? (?:only )?(?:halal|kosher|vegan"
        r"|vegetarian|plant-based)|(?:halal|kosher|vegan|vegetarian) only"
        r"|only (?:eats?|drinks?|flies|uses?|wears?) (?!the|a|it|when|if|on)\w)",
    ),
    _exact(
        "not don't doesn't never can't cannot longer won't",
        rf"\b{_HABIT} (?:(?:[Dd]o not|[Dd]on't|[Dd]oes not|[Dd]oesn't|never|can't"
        rf"|cannot|can not|no longer|won't) (?:eat|drink|use|take|fly|wear|smoke"
        rf"|drives?)|(?:never )(?:eats|drinks|uses|takes|flies|wears|drives)) {_NOUN}",
    ),
    _exact(
        "avoid avoids",
        rf"\b{_HABIT} (?:avoids|(?:must|should|has to|have to|needs to|need to) avoid) {_NOUN}",
    ),
    _exact("avoid", rf"\b(?:I|[Ww]e) avoid {_NOUN}"),
    _exact(
        "stay stays keep keeps steer steers",
        rf"\b{_HABIT} (?:(?:must|should|has to|have to|needs? to) (?:stay|keep"
        rf"|steer) (?:away from|clear of|off)|(?:stays|keeps|steers) (?:away from"
        rf"|clear of|off)) {_NOUN}",
    ),
    _exact(
        "only",
        rf"\b{_HABIT} (?:flies|fly|travels?|eats?|drinks?|sleeps?|stays?|sits?|works?"
        rf"|wears?|takes?|drives?) only (?:in|on|by|at|with) \w",
    ),
    _exact(
        "need needs",
        rf"\b{_HABIT} needs? (?:an? )?(?:\w+-free|vegan|vegetarian|halal|kosher"
        rf"|low-\w+|wheelchair|step-free)\b",
    ),
)
DENIED_WHEN = _exact(
    "not don't doesn't never can't cannot won't",
    rf"\b{_HABIT} (?:does not|doesn't|do not|don't|never|can ?not|can't|won't"
    rf"|will not) (?!remember\b"
    r"|know\b|think\b|mind\b|have to\b|want\b|need\b|believe\b|like\b)[a-z]+s?(?: \w+)?"
    r" (?:on|at|before|after|in|until|later than) ",
)
BINDS = _rule(
    "must may cannot can't should shouldn't shan't mustn't not don't won't never shall"
    " has have need needs most more longer limit limited ceiling budget cap capped maximum"
    " max minimum required mandatory nothing nobody keep stay spend use book find allow"
    " under within up below",
    rf"\b(?:must|may not|can ?not|can't|{_DENIES}|has to|have to|needs? to|should"
    r"|at (?:the )?(?:very )?most|no more than|no longer than|not more than"
    r"|limit(?:ed)?|ceiling|budget|cap(?:ped)?|maximum|max|minimum"
    r"|required|mandatory|nothing|nobody)\b"
    r"|^(?:please )?(?:keep|limit|stay|spend|use|book|find|allow|cap)\b"
    r"|^(?:under|within|up to|below)\b"
    r"|\b(?:not|n't|never|won't)\b[^.;]{0,30}\b(?:more|less|over|above|later|earlier"
    r"|longer|fewer) ",
)
STORY = re.compile(
    r"\b(?:spent|paid|raised|bought|got|made|sold|earned|won|saved|donated|ran|walked|drove|met"
    r"|been|went|had|took|came|lost|scored|reached|finished|completed|it's been|i've|we've"
    r"|he's been|she's been|just|already)\b",
    re.IGNORECASE,
)
