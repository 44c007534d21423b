"""How English states a danger: allergies, medicine, secrets."""

from __future__ import annotations

from mnemolog.policies.constraints.shared_patterns import DENIES, MEDICINE, exact, rule

_SOMEONE = (
    r"(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[A-Z][a-z]+"
    r"|(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Aa]unt|[Uu]ncle) (?:[\w-]+ ){0,2}[\w-]+)"
)
_SUBSTANCE = (
    r"(?:lactose|gluten|fructose|histamine|dairy|milk|wheat|egg|soy|nut|alcohol|caffeine"
    r"|sulphites?|sulfites?)"
)
_PRIVATE = (
    r"(?:secrets?|passwords?|passphrases?|tokens?|credentials?|api keys?"
    r"|private keys?|keys?|pii|personal data"
    r"|personal information|customer data|patient (?:data|records?)|card numbers?|ssns?)"
)
SAFETY_RULES = (
    rule(
        "sensitive sensitivity",
        r"\b(?:am|is|are|'m|'s|'re) (?:very |highly |extremely )?sensitive to (?!the"
        r"\b|others?\b|how\b|what"
        r"|my\b|your\b|his\b|her\b|this\b|that\b|it\b|criticism|feelings|people"
        r"|emotions?|change)\w",
    ),
    rule(
        "tolerate stomach digest",
        r"\b(?:does not|doesn't|do not|don't|can ?not|can't) (?:tolerate|stomach"
        r"|digest) (?!it\b|that\b"
        r"|this\b|people|any\b|the\b|being|when|how)\w",
    ),
    rule(
        "allergic",
        r"\b(?<!not )(?<!n't )(?<!longer )allergic to (?!(?:people|work|drama|fun"
        r"|mornings?|bullshit)\b)\w",
    ),
    rule("allergy allergies allergic", r"\ballerg(?:y|ies) to \w|^allerg(?:y|ies|ic):"),
    rule(
        "makes make gives give triggers trigger causes cause",
        r"\b(?!(?:it|that|this|what|which|they|he|she|you|i|just)\b)[a-z]+ (?:makes?"
        r"|gives?|triggers?|causes?) (?:me|him|her|us|them|my \w+|our \w+"
        r"|\w+) (?:very |badly |violently )?(?:ill|sick|unwell|palpitations|nausea"
        r"|\w+aches?|diarrh?oe?a|swelling|hives|migraines?"
        r"|a rash|seizures?|asthma attacks?|cramps)\b",
    ),
    rule(
        "reacts react hives rash rashes sick ill seizure seizures migraine migraines cramps"
        " shock reaction",
        r"\b(?:reacts? (?:badly|strongly|violently)|(?:gets?|develops?"
        r"|breaks? out in|goes into) (?:an? )?(?:hives|rash|rashes|sick|ill"
        r"|seizures?|migraines?|cramps|(?:anaphylactic )?shock|reaction))(?: (?:from"
        r"|to|after)) \w",
    ),
    exact(
        "eat drink have tolerate digest",
        r"\b(?:[A-Z][a-z]+|I|[Mm]y [a-z]+|[Oo]ur [a-z]+|[Ss]he|[Hh]e) (?:can ?not"
        r"|can't|must ?n[o']t|must not|must never|is not allowed to|may not) (?:eat"
        r"|drink|have|tolerate|digest) (?!a |an |another|any more|kids|children|fun"
        r"|it\b|that\b|this\b|much\b|enough\b|the \b)[a-z]",
    ),
    rule(
        "allergy allergies",
        r"\b(?!(?:my|his|her|our|their|your|the|an?|no|any|with|have|has|had|got|of"
        r"|for|and|or|bad|seasonal"
        r"|severe|terrible|spring|summer|these|those|some|food|by|from|about|other"
        r"|as|to)\b)[\w-]+ allerg(?:y|ies)\b"
        r"(?! (?:season|medicine|shot|test|pill))",
    ),
    rule(
        "intolerant intolerance celiac coeliac",
        rf"\b{_SUBSTANCE}[ -]intoleran|\bintoleran\w+ (?:to|of) {_SUBSTANCE}|\bc(?:o)?eliac\b",
    ),
    rule(
        "diabetic epileptic asthmatic immunocompromised haemophiliac hemophiliac",
        r"(?:\b(?:am|is|are|was diagnosed(?: as)?)|'m|'s|'re) (?:an? "
        r"|type [12] )?(?:severely )?(?:diabetic|epileptic|asthmatic"
        r"|immunocompromised|h(?:a)?emophiliac)\b",
    ),
    rule(
        "must mustn't should shouldn't shall shan't may cannot can't not don't never won't",
        rf"\b{DENIES}\b[^.,;]{{0,30}}\b(?:take|given|give|get|receive|combine|mix"
        rf"|prescribe|administer|have|use|be on)\b[^.;]{{0,40}}\b{MEDICINE}\b",
    ),
    rule(
        "avoid avoids avoiding contraindicated anaphylaxis anaphylactic epipen epi",
        rf"\bavoid\w*\b[^.;]{{0,20}}\b{MEDICINE}\b|\bcontraindicated\b|\banaphyla|\bepi-?pen\b",
    ),
    rule(
        "must mustn't should shouldn't shall shan't may cannot can't not don't never won't avoid",
        rf"\b(?:{DENIES}|avoid)\b[^.;]{{0,20}}\b(?:commit|shar|log|expos|print"
        rf"|publish|post|send|leak|stor|past|upload|disclos|reveal|e?-?mail|writ"
        rf"|put)\w*\b[^.;]{{0,30}}\b{_PRIVATE}\b",
    ),
    rule("not never cannot mustn't", rf"\b{_PRIVATE} (?:must|may|should|can) ?(?:not|never)\b"),
    rule(
        "toxic poisonous dangerous fatal deadly harmful threatening lethal",
        r"\b(?:is|are|'s|'re) (?:highly |very |extremely )?(?:toxic|poisonous"
        r"|dangerous|fatal|deadly|harmful|life-threatening|lethal) (?:to|for|when)\b",
    ),
)

DANGERS = (
    rule(
        "reaction agree agrees come",
        r"\b(?:bad|severe|allergic|strong|violent|nasty) reactions? to (?!the news\b|that\b"
        r"|this\b|it\b)\w"
        r"|\b(?:does not|doesn't|do not|don't) agree with (?:me|him|her|us|[a-z]+'s stomach)[.!]?$"
        r"|\bmakes? [\w ]{1,20} come out in (?:an? )?(?:rash|hives|spots)\b",
    ),
    rule(
        "cut",
        r"\b(?:to|must|should|has to|have to) (?:cut out|give up|lay off|go without) (?!on\b"
        r"|of\b)\w",
    ),
    exact(
        "makes make sends send puts gives causes",
        rf"\b(?!(?:[Ii]t|[Tt]hat|[Tt]his|[Ww]hat|[Tt]hey|[Hh]e|[Ss]he|[Yy]ou|I|[Ww]hich)\b)[\w-]+ "
        rf"(?:makes?|sends?|puts?|gives?|causes?) {_SOMEONE} (?:to )?(?:break out|itch|swell|wheeze"
        r"|faint|vomit|into (?:anaphylactic )?shock|to hospital|hives|an? rash|asthma attacks?)\b",
    ),
    rule(
        "mix combine",
        rf"\b{MEDICINE}\b[^.;]{{0,30}}\b(?:do not|don't|does not|doesn't|must not|never) (?:mix"
        r"|combine|go together)\b",
    ),
    rule(
        "take takes taken has have needs",
        rf"^take (?:the |your |this |these )?(?:{MEDICINE}|pills?|tablets?|capsules?|syrup|drops)\b"
        r"[^.;]{0,40}\b(?:only|before|after|with|without|daily|every|times|once|twice)\b"
        rf"|\b(?:has to|have to|needs? to|must) (?:take|get|have) (?:my |his |her |their |the )?"
        rf"(?:{MEDICINE}|pills?|tablets?|shots?|injections?)\b",
    ),
    rule("leave", r"^(?:please )?(?:never|do not|don't) leave [^.;]{2,40}\bunattended\b"),
    rule(
        "children kids minors dogs pets passengers visitors",
        r"\b(?:children|kids|minors|dogs|pets|passengers|visitors)\b[^.;]{0,30}"
        r"\b(?:may not|must not|cannot|are not allowed|must (?!be (?:an?|so)\b|have been)[a-z]+)\b",
    ),
    rule(
        "reach unsafe unsupervised",
        r"\bout of (?:the )?reach of (?:children|kids|pets)\b|\bunsafe (?:for|to|when)\b"
        r"|\b(?:never|not)\b[^.;]{0,40}\bunsupervised\b",
    ),
    rule(
        "terrified scared afraid frightened phobia panics panic",
        r"\b(?:terrified|scared|afraid|frightened) of (?:heights|flying|dogs|needles|spiders|snakes"
        r"|water|crowds|lifts|elevators|enclosed spaces|closed spaces|tunnels|boats)\b",
    ),
    rule(
        "wheelchair crutches blind deaf pregnant dyslexic colour-blind color-blind colour color"
        " mobility hearing stairs",
        r"\b(?:uses|needs|is in|relies on) (?:a wheelchair|a walking frame|crutches|a hearing aid"
        r"|a guide dog)\b|\b(?:am|is|are|'s|'m|'re) (?:now |nearly |partly |legally )?(?:blind|deaf"
        r"|pregnant|hard of hearing|colou?r[- ]?blind|dyslexic|wheelchair[- ]bound)\b"
        r"|\b(?:can't|cannot|can not|unable to) (?:climb|manage|use|do|take|walk) (?:the |any "
        r"|many "
        r"|steep )?(?:stairs|steps|ladders?)\b",
    ),
)
