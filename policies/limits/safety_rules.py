"""How English states a danger: allergies, medicine, secrets."""

from __future__ import annotations

from policies.limits.patterns import DENIES, MEDICINE, exact, rule

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
