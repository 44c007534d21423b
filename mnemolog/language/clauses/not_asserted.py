"""Reasons why a sentence is not asserted: question, supposition, report of others, joke."""

from __future__ import annotations

import re

from mnemolog.language.clauses.assertions import LOGGED
from mnemolog.language.patterns import regex
from mnemolog.language.speakers import LABELS

# These sentences are hypothetical or fictional, and so is the rest of the same utterance.
OTHER_WORLD = regex(
    r"\b(?:imagine|imagining|suppose|supposing|pretend(?:ing)?|hypothetical(?:ly)?"
    r"|(?:writ|invent|tell|mak|dream)(?:e|es|ing|ten|up|t|ed)? (?:up )?(?:a|an|the|my|this"
    r"|some) (?:\w+ ){0,2}?"
    r"(?:story|novel|book|poem|play|script|song|screenplay|tale|scene)"
    r"|(?:example|sample|test|dummy|placeholder|practice) (?:sentence|text|phrase|message|data"
    r"|input|case)s?"
    r"|as an (?:example|illustration)|made[- ]up|fictitious"
    r"|thought experiment|what if|let'?s say|let us say|say we|for the sake of argument"
    r"|fictional"
    r"|fiction|once upon a time|role-?play|as a joke|fan ?fic"
    r"|in (?:a|an|the|his|her|my|our|their|this|that|some|one) (?:\w+ ){0,2}?"
    r"(?:movie|film|novel|book|story|tale|game|play|dream|series|episode|show|script"
    r"|sketch|comic"
    r"|nightmare|example|scenario|exercise|simulation|thought experiment|parallel universe"
    r"|universe|podcast|documentary|case study|song|poem))\b",
    re.IGNORECASE,
)
_SUPPOSED = regex(
    r"(?i:\b(?:if|unless|whether|would|'d (?:be|have|like|rather)|could|might|maybe"
    r"|perhaps|possibly"
    r"|should (?:we|i|they|he|she)|(?:we|i|they|you) should|ought|wish|hoping"
    r"|hope(?!'s\b|\s+(?:is|was|has|lives|works|uses|owns|likes|drives|moved|left)\b)"
    r"|wonder(?:ing|ed)?"
    r"|think(?:ing)? (?:of|about)|thought (?:of|about)|consider(?:s|ed|ing)?|propos(?:e|es"
    r"|ed|ing|al)"
    r"|suggest(?:s|ed|ing|ion)?|plan(?:s|ned|ning)? (?:to|on)|going to|gonna|about to"
    r"|want(?:s|ed)? to"
    r"|intend(?:s|ed)?|tempted|debat(?:es|ed|ing)|debate (?:whether|if|about|on|over)"
    r"|discuss(?:es|ed|ing)?|as if"
    r"|as though|not like|not that|supposed to|not sure|no idea|doubt|unsure|unclear|guess"
    r"|almost|nearly|would-be"
    r"|rumou?rs?|allegedly|reportedly|supposedly|in theory|theoretically|for example"
    r"|for instance|e\.g\.|provided that|assuming|assume|in case|were to|had we|had i"
    r"|ask(?:s|ed|ing)? (?:whether|if|about|to)|talk(?:s|ed|ing)? (?:of|about)|arguing for"
    r"|refus(?:e|es|ed)|fail(?:s|ed) to|forgot to|tried to|trying to|pretends?|dream(?:t"
    r"|ed|s|ing)?(?: (?:of|about|that|up))?(?! (?:team|house|home|job|trip|car)\b))\b)"
    r"|\b(?<!in )(?<!since )(?<!of )(?<!by )(?<!until )may\b(?! \d)",
)
_FUTURE = regex(r"\b(?:will|won't|shall|'ll)\b|\w'll\b", re.IGNORECASE)
_DENIED = regex(
    r"\b(?:do|does|did)(?:n'?t| not) (?:think|believe|say|mean|recall|remember|know|want"
    r"|agree"
    r"|see why)\b|\bdon'?t (?:forget|correct|change|update|remove|delete)\b"
    r"|\b(?:not|isn't|wasn't|aren't|weren't|nothing|never) (?:that )?(?:wrong|incorrect"
    r"|false|outdated"
    r"|mistaken|obsolete|out of date|inaccurate)\b|\b(?:it's|it is) not (?:true"
    r"|the case) that"
    r" .{1,80}\b(?:is|was|are|were) (?:wrong|incorrect|outdated|false)\b",
    re.IGNORECASE,
)
_SAYS = (
    r"(?:said|says|saying|say|told|tells|telling|claim(?:s|ed|ing)?|thinks?|thought"
    r"|believe[sd]?"
    r"|mention(?:s|ed)?|report(?:s|ed)|wrote|writes|argue[sd]?|insist(?:s|ed)?"
    r"|announce[sd]?"
    r"|explain(?:s|ed)?|joke[sd]?|tweeted|posted|quote[sd]?|repl(?:y|ies|ied)|answered"
    r"|states?"
    r"|stated|shouted|whispered|texted|emailed|messaged|complain(?:s|ed)|note[sd]|swears?"
    r"|swore"
    r"|reckons?|assume[sd]?|suspects?|fears?|heard|reads?|saw|learn(?:s|ed|t)|overheard)"
)
_OWN_SAYING = regex(
    rf"\b(?:I|you|we)(?:'ve|'d| have| had)? (?:\w+ly |just |once |also |previously "
    rf"|earlier )?(?:{_SAYS}|noted|recorded)\b"
    r"|\b(?:record|note|memory|entry|statement|claim|information|info|fact|line|item"
    r"|remark|notes"
    r"|records|bit|part|one|memo|file|log)(?: (?:that|which|where it))? (?:says?|said"
    r"|states?|stated|saying|claims?|reads?|claiming|noted)\b"
    r"|\b(?:should|must|to) (?:say|read|state)\b|\bneeds? to (?:say|read)\b|\bwhat (?:I"
    r"|you|we) (?:said|told|wrote|noted|claimed)\b",
    re.IGNORECASE,
)
_HEARSAY = regex(
    r"\bI(?:'ve| have| had)? (?:just |once |also )?(?:heard|read|saw|learn(?:ed|t)"
    r"|overheard|watched)\b(?! wrong)",
    re.IGNORECASE,
)
_REPORTED = regex(
    rf"\b{_SAYS}\b|\baccording to\b|\bapparently\b|\bword is\b|\brumou?r\b", re.IGNORECASE
)
_SAYING_NOUN = regex(
    r"\b(?:the|our|my|a|an|your) (?:\w+ )?(?:claim|report|reports|quote|notes?|post|state"
    r"|states|assume|read)\b",
    re.IGNORECASE,
)
_OTHERS = regex(
    r"\b(?:their (?:\w+ )?(?:team|company|org|organisation|organization|startup|project"
    r"|side|group"
    r"|department|firm|office|school|club|family|end|place)"
    r"|(?:old|former|previous|last|ex|past|prior)[ -](?:compan(?:y|ies)|jobs?|employers?"
    r"|workplace|firm"
    r"|startup|gig|boss|roommate|flatmate)(?:'s)?"
    r"|(?:my|our|his|her) (?:old|former|previous|last|ex|past|prior)[ -]?(?:teams?|school"
    r"|colleagues?|client|crew|group)(?:'s)?"
    r"|friends? of (?:mine|ours|a friend)|when i (?:was|worked|used to work)|back (?:when"
    r"|at|in my)"
    r"|where i used to|my time at)\b",
    re.IGNORECASE,
)
_OTHERS_FIRST = regex(
    r"(?:^|[,;]\s*|\b(?:that|but|btw|so|and|also)\s+)(?:(?:at|in|for|over at|with"
    r"|by) )?(?:they\b|they've|they're|their\b|people\b|customers\b|competitors?\b|someone\b"
    r"|somebody\b"
    r"|everyone else\b"
    r"|(?:our|a|the|their) (?:competitor|rival)s?\b"
    r"|(?:the |an?)?(?:other|another|different|rival|neighbou?ring"
    r"|competing) (?:\w+ )?(?:team|company|department|group|org|project|firm|startup"
    r"|school|club|family)s?\b"
    r"|(?:a|some|many|most|several|other|few) (?:\w+ )?(?:team|compan|customer|client"
    r"|friend|group|person|people|project|startup|firm|colleague|neighbou?r|cousin"
    r"|acquaintance|competitor|shop|store|guy|man|woman|character|developer|user|blog"
    r"|paper)\w*)",
    re.IGNORECASE,
)
# 'The invoices are wrong, they go to Carol': 'they' are the invoices, not other people.
_MANY_ARE = regex(
    r"\b(?:are|were)(?: not|n't)?\b.*\b(?:wrong|incorrect|false|mistaken|inaccurate|out ?dated"
    r"|out[- ]of[- ]date|obsolete|stale|right|correct|true|accurate)\b",
    re.IGNORECASE,
)
_NOT_MANY = regex(
    r"\b(?:no longer|any ?more|any longer|aren't|weren't|are not|were not)\b", re.IGNORECASE
)
_THEY = regex(r"(?:^|(?<=[,;:\u2013\u2014-]\s))they\b", re.IGNORECASE)
# 'They moved the class from Monday to Friday' is about the class under discussion.
_THEY_MOVED = regex(
    r"^they(?:'ve| have)?(?: just| also)? (?:changed|moved|rescheduled|postponed|shifted|switched"
    r"|renamed) (?:the\b.+\bfrom\b|(?-i:[A-Z])\w+'s\b).+\bto\b",
    re.IGNORECASE,
)
# Tasks, ideas and log lines assert nothing.
_NOTED = regex(
    rf"^(?:\W*\[[ xX]?\]\s|\W*{LABELS}\b[^:\u2236]{{0,20}}[:\u2236]\s|\W*{LOGGED}"
    r"|(?:actually,?\s+|so,?\s+)?let(?:'s| us) (?!forget|disregard|ignore|correct|change|update|fix"
    r"|drop|scratch|scrap|strike|delete|remove|cancel|move|rename|set|replace|swap|amend|adjust))",
    re.IGNORECASE,
)
_ASKS_TO = regex(
    r"^(?:please |(?:can|could|would|will) (?:you|we) (?:please )?)"
    r"(?:forget|disregard|ignore|discard|correct|change|update|fix|note|remove|replace"
    r"|amend|delete|scratch|strike)\b",
    re.IGNORECASE,
)
IDIOM = regex(
    r"\b(?:in case you (?:missed it|(?:didn't|did not) (?:know|hear|see)|wondered"
    r"|haven't heard)|in case anyone (?:is|was) wondering"
    r"|if you(?:'re| are) wondering|if anyone asks|if i (?:didn't|haven't) (?:mention|say"
    r"|mentioned|said)(?: it)?|if i may|if you (?:don't )?mind"
    r"|if you remember|as (?:i|we) (?:said|mentioned)|i should (?:mention|say|add|note"
    r"|point out)(?: that)?"
    r"|i would like to correct (?:that|myself)|i(?:'d| would) like to (?:correct|point out"
    r"|note) (?:that)?"
    r"|no doubt|i wanted to (?:say|mention|note|let you know)(?: that)?"
    r"|(?:i )?forgot to (?:say|mention|tell you|note|add|update you)(?: that)?"
    r"|guess what)\b[,:]?\s*",
    re.IGNORECASE,
)


def doubt_of(sentence: str, prior: str) -> str | None:
    """Reason why a sentence is not asserted, given the sentence before it; None if it is."""
    said = IDIOM.sub("", sentence)
    they = _THEY.search(said)
    if they is not None:
        before = said[: they.start()]
        ours = _THEY_MOVED.match(said) or _NOT_MANY.search(before)
        if ours or _MANY_ARE.search(f"{prior} {before}"):
            said = _THEY.sub("these", said, count=1)
    asks = said.rstrip(" \"')").endswith("?") and not _ASKS_TO.match(said)
    if asks or _NOTED.match(said) is not None:
        return "a question" if asks else "no assertion"
    if _DENIED.search(said):
        return "denied"
    if _HEARSAY.search(said) or _REPORTED.search(_SAYING_NOUN.sub("", _OWN_SAYING.sub("", said))):
        return "told of others"
    if _OTHERS.search(said) or _OTHERS_FIRST.search(said):
        return "told of others"
    if _SUPPOSED.search(_ASKS_TO.sub("", said).replace("I would", "")):
        return "hypothetical"
    return None


def is_future(sentence: str) -> bool:
    """True if a sentence is about the future."""
    return _FUTURE.search(sentence) is not None
