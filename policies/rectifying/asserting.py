"""What of a text its author asserts: not what is quoted, supposed, asked or told of others."""

from __future__ import annotations

import re

import msgspec

from ledger.patterns import regex

_OPEN, _CLOSE = "⟦", "⟧"
_QUOTED = regex(
    r"“([^”]*)”|\"([^\"]*)\"|«([^»]*)»|\u2018([^\u2019]*(?:\u2019(?=\w)[^\u2019]*)*)\u2019"
    r"|(?<!\w)'(?=\S)((?:[^'\n]|(?<=\w)'(?=\w))+?)(?<=\S)'(?!\w)|`([^`\n]+)`"
)
_MASK = regex(rf"{_OPEN}(\d+){_CLOSE}")
_ABBREVIATION = regex(
    r"\b(?:a\.m|p\.m|e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|prof|approx|jan|feb|aug|sept?|oct"
    r"|nov|dec)\.$",
    re.IGNORECASE,
)
_END = regex(r"(?<=[.!?…])[\"”\u2019)\]]*\s+|\n+|;\s+")
_SPEAKER = regex(r"^\s*([A-Z][\w.'-]*(?:[ ][A-Z][\w.'-]*){0,2}):[ ]+")
_NO_SPEAKER = regex(
    r"^(?:correction|update|edit|note|erratum|errata|fix|ps|btw|fyi|news|heads|reminder"
    r"|amendment)\b",
    re.IGNORECASE,
)

# What is said here holds in another world, and so does what follows in the same breath.
_OTHER_WORLD = regex(
    r"\b(?:imagine|imagining|suppose|supposing|pretend(?:ing)?|hypothetical(?:ly)?"
    r"|(?:writ|invent|tell|mak|dream)(?:e|es|ing|ten|up|t|ed)? (?:up )?(?:a|an|the|my|this"
    r"|some) (?:\w+ ){0,2}?"
    r"(?:story|novel|book|poem|play|script|song|screenplay|tale|scene)"
    r"|(?:example|sample|test|dummy|placeholder|practice) (?:sentence|text|phrase|message|data"
    r"|input|case)s?"
    r"|as an (?:example|illustration)|made[- ]up|fictitious"
    r"|thought experiment|what if|let'?s say|let us say|say we|for the sake of argument"
    r"|fictional"
    r"|fiction|once upon a time|role-?play|as a joke|just kidding|only joking|jk|fan ?fic"
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
# 'The invoices are wrong, they go to Carol': not what others do, but what was spoken of.
_MANY_ARE = regex(
    r"\b(?:are|were)(?: not|n't)?\b.*\b(?:wrong|incorrect|false|mistaken|inaccurate|out ?dated"
    r"|out[- ]of[- ]date|obsolete|stale|right|correct|true|accurate)\b",
    re.IGNORECASE,
)
_NOT_MANY = regex(
    r"\b(?:no longer|any ?more|any longer|aren't|weren't|are not|were not)\b", re.IGNORECASE
)
_THEY = regex(r"(?:^|(?<=[,;:\u2013\u2014-]\s))they\b", re.IGNORECASE)
# Whoever moves 'the class from Monday to Friday' moves the one that is spoken of here.
_THEY_MOVED = regex(
    r"^they(?:'ve| have)?(?: just| also)? (?:changed|moved|rescheduled|postponed|shifted|switched"
    r"|renamed) (?:the\b.+\bfrom\b|(?-i:[A-Z])\w+'s\b).+\bto\b",
    re.IGNORECASE,
)
# Tasks, ideas and lines of a log: nobody says that it is so.
_NOTED = regex(
    r"^(?:\W*\[[ xX]?\]\s|\W*(?:idea|todo|to-do|option(?: \w+)?|proposal|draft|quiz\b[^:]*"
    r"|myth|rumou?r|headline|title|subject(?: line)?)\s*[:\u2236]\s"
    r"|\W*\d{4}-\d\d-\d\d[T ]\d\d\S|\W*(?:WARN(?:ING)?|ERROR|INFO|DEBUG|TRACE)\b"
    r"|(?:actually,?\s+|so,?\s+)?let(?:'s| us) (?!forget|disregard|ignore|correct|change|update|fix"
    r"|drop|scratch|scrap|strike|delete|remove|cancel|move|rename|set|replace|swap|amend|adjust))",
    re.IGNORECASE,
)
_JOKED = regex(r"\b(?:just|only) (?:kidding|joking)\b|\bjust a joke\b|\bjk\b", re.IGNORECASE)
_FENCED = regex(r"```.*?(?:```|\Z)", re.DOTALL)
_ASKS_TO = regex(
    r"^(?:please |(?:can|could|would|will) (?:you|we) (?:please )?)"
    r"(?:forget|disregard|ignore|discard|correct|change|update|fix|note|remove|replace"
    r"|amend|delete|scratch|strike)\b",
    re.IGNORECASE,
)
# Marks inside a number, a time or a path divide no clause: they are hidden while forms are read.
_INNER = (
    (regex(r":(?=[^\s⟦])"), "\u2236"),
    (regex(r"(?<=\d),(?=\d{3}\b)"), "\u201a"),
    (regex(r"(?<=\d)\.(?=\d)|(?<=\w\w)\.(?=\w\w)"), "\u2024"),
    (
        regex(r"(?<=\b[DM]r)\.(?=\s+[A-Z])|(?<=\b(?:Mrs|Sgt))\.|(?<=\bM[sx])\.(?=\s+[A-Z])"),
        "\u2024",
    ),
)
_SHOWN = ((":", "\u2236"), (",", "\u201a"), (".", "\u2024"))
_IDIOM = regex(
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


class Sentence(msgspec.Struct, frozen=True):
    """One sentence of a text, with what is quoted in it masked.

    `doubt` says why it corrects nothing whatever it says; None if its author
    asserts it.
    """

    text: str
    quotes: tuple[str, ...]
    doubt: str | None

    def unmasked(self, part: str) -> str:
        """A part of the masked sentence as it was written, without the marks of quotation."""
        shown = _MASK.sub(lambda match: self.quotes[int(match[1])], part).strip()
        for pattern, stand_in in _SHOWN:
            shown = shown.replace(stand_in, pattern)
        return shown


def spoken(text: str) -> tuple[str | None, str]:
    """Who says a line of talk such as 'Anna: yes', and what; None where it does not say."""
    match = _SPEAKER.match(text)
    if match is None or _NO_SPEAKER.match(match[1]):
        return None, text
    return match[1], text[match.end() :]


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text, each with why it is not asserted, if it is not."""
    masked, quotes = _masked(_FENCED.sub("\n", text))
    found: list[Sentence] = []
    elsewhere, prior = _JOKED.search(masked) is not None, ""
    for start, part in _parts(masked):
        sentence = part.strip()
        if not sentence:
            continue
        begin = start + len(part) - len(part.lstrip())
        if "\n\n" in masked[:begin].rstrip(" ") and masked[:begin].endswith("\n\n"):
            elsewhere = False
        elsewhere = elsewhere or _OTHER_WORLD.search(sentence) is not None
        doubt = "hypothetical" if elsewhere else _doubt(sentence, prior)
        prior = sentence
        plain = _IDIOM.sub("", sentence).strip() or sentence
        found.append(Sentence(plain, quotes, doubt))
    return tuple(found)


def passages(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text that state something begin and end in it."""
    found = []
    for start, part in _parts(text):
        sentence = part.strip()
        begin = start + len(part) - len(part.lstrip())
        if sentence and not sentence.endswith("?"):
            found.append((begin, begin + len(sentence)))
    return found


def _masked(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each quotation as one mark, and what was quoted."""
    quotes: list[str] = []

    def mask(match: re.Match[str]) -> str:
        quotes.append(next(group for group in match.groups() if group is not None))
        return f"{_OPEN}{len(quotes) - 1}{_CLOSE}"

    lines = [line for line in text.split("\n") if not line.lstrip().startswith(">")]
    plain = "\n".join(lines)
    masked = _QUOTED.sub(mask, plain if "\u2018" in plain else plain.replace("\u2019", "'"))
    for pattern, stand_in in _INNER:
        masked = pattern.sub(stand_in, masked)
    return masked, tuple(quotes)


def _parts(text: str) -> list[tuple[int, str]]:
    """The sentences of a text with where they begin."""
    found: list[tuple[int, str]] = []
    start = 0
    for match in _END.finditer(text):
        if _ABBREVIATION.search(text[start : match.start()]):
            continue
        found.append((start, text[start : match.start()]))
        start = match.end()
    found.append((start, text[start:]))
    return found


def _doubt(sentence: str, prior: str) -> str | None:
    """Why a sentence is not what its author holds to be so, said after a prior one."""
    said = _IDIOM.sub("", sentence)
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
    """Whether a sentence speaks of what will be."""
    return _FUTURE.search(sentence) is not None
