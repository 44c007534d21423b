"""The patterns that the rules of constraints are made of, and what is no limit in everyday talk.

Every rule has words of which one must be there, so that most sentences are
done with after one look at their words. The rules ask for what a limit needs
(a thing, a technical name, someone whom it binds) and leave out what everyday
talk says with the same words.
"""

from __future__ import annotations

import re

import msgspec

from mnemolog.language.patterns import regex

PRONOUN = r"(?:i|you|it|that|this|he|she|they|there|we|who|which|what|one|y'?all)"
DENIES = (
    r"(?:must ?n[o']t|must never|should not|should never|shouldn't|shall not|shan't"
    r"|may not|can ?not|can't|are not to|is not to|do not|don't|never|won't|will not)"
)
NOUN = (
    r"(?!(?:it|that|this|them|him|her|me|us|you|my|your|much|more|anymore|any more"
    r"|enough|too|so|anything|everything|nothing|in|on|at|to|up|off|out|for|with|about"
    r"|like|as|well|often|because|when|if|care|place|part|time|advantage|breaks?|granted"
    r"|action|chances?)\b)[\w'-]+"
)

# Verbs of what is done on someone's behalf: with 'never' before them they make a rule.
VERBS = (
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
IDIOMS = regex(
    r"\bnever mind\b|\b(?:do ?n[o']t|never) (?:give up|take (?:it|things|that|this"
    r"|life|anything|any"
    r"|no|for)|put (?:it|off|yourself|too)|open up|call (?:me|it)|give (?:me|it|in|yourself|your)"
    r"|drive (?:me|yourself)|write (?:it|off)|bring (?:it|me)|run (?:away|out)|start (?:me|on)"
    r"|change (?:who|a thing|the|yourself|anything)|include me|pay attention|skip a)\b"
    r"|\bcan(?:no|')t (?:wait|believe|imagine|help|complain|thank|stop|remember|tell|say|agree)"
    r"|\bonly with [^.,;]* (?:can|do|did|could|will|would) (?:i|we|you|one)\b"
    r"|\bno (?:worries|problem"
    r"|way|doubt|wonder|idea|rush|pressure|matter|need|one"
    r"|longer(?! (?:use|buy|order|accept|allow|support|ship|work|deploy|sell|hire|serve)\b)"
    r"|big|kidding|joke|pun|offen[cs]e"
    r"|thanks|clue|pain|sweat|biggie|shame|judgement|regrets|excuses)\b",
    re.IGNORECASE,
)
TOLD = regex(
    r"\?\s*$|\b(?:was|were|did|had|used to|would|could have|might|wish(?:ed)?"
    r"|imagine|remember when|back then"
    r"|as a kid|growing up|felt|thought|realized|realised|wondering|hopefully"
    r"|if only)\b|\bn't have\b",
    re.IGNORECASE,
)
STORY = regex(
    r"\b(?:spent|paid|raised|bought|got|made|sold|earned|won(?!')|saved|donated|ran|walked|drove|met"
    r"|been|went|had|took|came|lost|scored|reached|finished|completed|it's been|i've|we've"
    r"|he's been|she's been|just|already)\b",
    re.IGNORECASE,
)
MEDICINE = (
    r"(?:ibuprofen|aspirin|penicillin|paracetamol|acetaminophen|warfarin|insulin"
    r"|opioids?|nsaids?|steroids?"
    r"|antibiotics?|blood thinners?|grapefruit|medicines?|medications?|drugs?|doses?"
    r"|vaccines?|painkillers?"
    r"|\w+(?:cillin|profen|mycin|statin|olol|oxacin|azepam|codone))"
)
HABIT = (
    r"(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[A-Z][a-z]+(?: and [A-Z][a-z]+)?"
    r"|(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) [a-z-]+|[Tt]he kids?)"
)


class Rule(msgspec.Struct, frozen=True):
    """A pattern, and the words of which one must be there for it to be looked for."""

    needs: frozenset[str]
    pattern: re.Pattern[str]


def rule(needs: str, pattern: str) -> Rule:
    """A rule that does not go by capitals; `needs` are words apart by blanks."""
    return Rule(frozenset(needs.split()), regex(pattern, re.IGNORECASE))


def exact(needs: str, pattern: str) -> Rule:
    """A rule that goes by capitals."""
    return Rule(frozenset(needs.split()), regex(pattern))
