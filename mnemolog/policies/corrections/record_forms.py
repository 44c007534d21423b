"""What is said of the record itself, and what asks for it to be changed."""

from __future__ import annotations

from collections.abc import Iterator

from mnemolog.policies.corrections.patterns import Form, form

_RECORD = (
    r"(?:record|note|memory|memories|entry|statement|claim|information|info|fact|bit|line"
    r"|part|item"
    r"|remark|assumption|idea|belief|thing|detail|mention|memo)s?"
)
_TAIL = r"(?P<rest>(?:\s*[,;:.!—\u2013]+\s*.*|\s+-\s+.*|\s+but\s+.*)?)"
_ADVERBS = (
    r"(?:(?:just|simply|now|plainly|completely|totally|also|factually|actually|sadly"
    r"|unfortunately"
    r"|already|quite|long|all|clearly|definitely|flat|plain|in fact|of course|by now"
    r"|in the meantime)\s+)*"
)
_STATE = (
    r"(?:wrong|incorrect|false|out[- ]?dated|out[- ]of[- ]date|obsolete|stale|inaccurate"
    r"|mistaken|untrue"
    r"|invalid|void|erroneous|an? (?:\w+ )?(?:error|mistake|typo)|old news|history|in error"
    r"|not (?:really |quite |actually )?(?:true|right|correct|accurate|valid|current"
    r"|the case|up to date|so)"
    r"(?: any ?more| any longer| now)?"
    r"|no longer (?:true|right|correct|accurate|valid|current|the case|up to date|so))"
)
_IS = (
    r"(?:is|was|are|were|'s|has become|have become|became|turned out to be|turns out to be"
    r"|proved|seems)"
)
_IS_NOT_SO = (
    rf"(?:{_IS}\s+{_ADVERBS}{_STATE}"
    r"|(?:isn't|wasn't|aren't|weren't) (?:really |quite |actually )?(?:true|right|correct"
    r"|accurate|valid|current|the case|up to date|so)"
    r"(?: any ?more| any longer| now)?"
    r"|(?:no longer|doesn't|does not|don't) (?:holds?|appl(?:y|ies)|stands?)(?: any ?more"
    r"| any longer| true(?: any ?more)?)?"
    r"|needs? (?:to be )?(?:correct(?:ing|ed|ion)|updat(?:ing|ed|e)|chang(?:ing|ed)"
    r"|fix(?:ing|ed)|an update|a correction))"
)
_REST = r"(?P<rest>(?:[\s,;:.!—\u2013-]+.*)?)"
_SAID = (
    r"(?:said|told (?:you|them|everyone)|noted|wrote|claimed|mentioned|recorded|stored"
    r"|saved|put down|have(?: it)?(?: down| noted| recorded)?|had(?: it)?(?: down)?"
    r"|gave you|thought)"
)


def records() -> Iterator[Form]:
    """What is said of the record itself."""
    said = (
        r"(?:(?:that|which|where it)\s+(?:says?|said|states?|claims?|reads?)(?:\s+that)?|says?"
        r"|saying|stating|claiming|that|which|where)"
    )
    article = r"(?:(?:the|that|this|your|my|our|any|an?|one)\s+)?(?:(?!of\b)[\w-]+\s+){0,2}?"
    yield form(
        "record",
        rf"^{article}{_RECORD}\s*(?:{said}\s+|:\s*|(?=⟦))(?P<old>.+?),?\s+{_IS_NOT_SO}{_REST}$",
    )
    yield form(
        "record-about",
        rf"^{article}{_RECORD}\s+(?:about|on|of|for|regarding"
        rf"|concerning)\s+(?P<old>.+?),?\s+{_IS_NOT_SO}{_REST}$",
        "thing",
    )
    yield form(
        "not-so-that",
        rf"^(?:it\s+{_IS_NOT_SO}|it's\s+{_ADVERBS}{_STATE})(?:\s+to say)?"
        rf"\s+that\s+(?P<old>[^;:—\u2013]+?){_TAIL}$",
    )
    yield form("that-is-wrong", rf"^that\s+(?P<old>.+?\s.+?\s.+?),?\s+{_IS_NOT_SO}{_REST}$")
    yield form(
        "what-i-said",
        rf"^what\s+(?:i|you|we)\s+(?:\w+\s+)?{_SAID}(?:\s+(?:you|earlier|before))*\s+(?:about"
        rf"|on|for|of|regarding)\s+(?P<about>.+?)\s+{_IS_NOT_SO}{_REST}$",
    )
    yield form(
        "what-i-said-that",
        rf"^(?:what|when)\s+(?:i|you|we)\s+(?:\w+\s+)?{_SAID},?\s+(?:that\s+)?(?P<old>.+?),?"
        rf"\s+{_IS_NOT_SO}{_REST}$",
    )
    wrong = (
        r"(?:i|we|you)(?:'m|'re| was| were| am| are|'ve been| have been"
        r"| got)\s+(?:\w+\s+)?(?:wrong|mistaken|misinformed|confused|incorrect)"
    )
    misspoke = (
        r"(?:i|we)\s+(?:misspoke|misremembered|misstated|erred|messed up|slipped up|got (?:it"
        r"|that) wrong|(?:have )?made an? (?:\w+ )?(?:mistake|error))"
    )
    yield form(
        "was-wrong-that",
        rf"^(?:{wrong}|{misspoke})\s+(?:earlier\s+)?(?:when\s+i\s+said|in saying|to say|that"
        rf"|to claim|saying)\s+(?:that\s+)?(?P<old>[^;:—\u2013]+?){_TAIL}$",
    )
    yield form(
        "was-wrong-about",
        rf"^(?:{wrong}|{misspoke})\s+(?:earlier\s+)?(?:about|on|with|regarding"
        rf"|as to)\s+(?P<about>[^,;:.—\u2013]+){_TAIL}$",
    )
    yield form(
        "was-wrong-about",
        rf"^(?:about|regarding|concerning|on|as for)\s+(?P<about>[^,;:]+?)\s*[,:]\s*(?:{wrong}"
        rf"|{misspoke}){_TAIL}$",
    )
    yield form(
        "told-wrong",
        rf"^(?:i|we|you)(?:'ve| have| had)?\s+(?:told|gave|sent|given)\s+(?:\w+\s+)?(?:the\s+"
        rf"|some\s+)?"
        rf"(?:wrong|false|incorrect)\s+\w+\s+(?:about|on|for|regarding"
        rf"|of)\s+(?P<about>[^,;:.—\u2013]+){_TAIL}$",
    )
    yield form(
        "have-wrong",
        rf"^(?:i|you|we)(?:'ve| have)?\s+(?:got|have|had|noted|recorded|written"
        rf"|gave(?: you)?)\s+(?P<about>[^,;:—\u2013]+?)\s+(?:down\s+)?(?:wrong|incorrectly"
        rf"|wrongly){_REST}$",
    )
    yield form(
        "mis-recorded",
        rf"^(?:i|you|we)\s+(?:mis\w+|wrongly \w+|mixed up"
        rf"|confused)\s+(?P<about>[^,;:.—\u2013]+){_TAIL}$",
    )
    yield form(
        "said-but",
        rf"^(?:(?:earlier|before|previously|yesterday),?\s+)?(?:i|you|we)(?:'d|'ve| had"
        rf"| have)?\s+(?:\w+ly\s+|earlier\s+|once\s+|first\s+)?{_SAID}\s+(?:earlier\s+"
        rf"|before\s+|you\s+)?(?:that\s+)?(?P<old>.+?)(?:,|\s*[;—\u2013]|\s+-)?\s+(?:but"
        rf"|however|that's wrong|that was wrong|yet)\b,?(?P<rest>.+)$",
    )
    yield form(
        "that-was-wrong",
        rf"^(?P<old>.+?\s.+?)\s*(?:,|;|:|\s[—\u2013-]+)\s*(?:that|this|which"
        rf"|it)\s*(?:{_IS_NOT_SO}){_REST}$",
    )
    yield form(
        "in-record",
        rf"^(?P<about>.+?)\s+(?:in|on|from)\s+(?:the|your|my|our)\s+(?:\w+\s+)?(?:{_RECORD}"
        rf"|notes|files?|memory|list|books)\s+{_IS_NOT_SO}{_REST}$",
    )
    yield form(
        "thing-is-wrong",
        rf"^(?P<about>[^,;:]+?)\s+{_IS}\s+{_ADVERBS}{_STATE}\s*[,;:.—\u2013-]+(?P<rest>.+)$",
    )


def requests() -> Iterator[Form]:
    """What asks for the record to be changed."""
    please = (
        r"^(?:please\s+|(?:can|could|would|will) (?:you|we)\s+(?:please\s+)?|you (?:can|should"
        r"|may)\s+|let's\s+)?"
    )
    forget = (
        r"(?:forget|disregard|ignore|discard|delete|remove|erase|drop|scratch|strike|scrap"
        r"|cancel|retract)"
    )
    source = (
        rf"(?:(?:the|that|my|your|our|this|any)\s+(?:\w+\s+)?(?:{_RECORD}|notes"
        rf"|memory)\s+(?:that(?:\s+says)?|saying|where|which says|of|:)?\s*|(?:that|what"
        rf"|when)\s+(?:i|you|we)\s+(?:said|told you|mentioned|noted|wrote)\s+(?:that\s+)?"
        rf"|the (?:bit|part|thing) (?:where|that)\s+|that\s+)"
    )
    yield form(
        "request-forget-about",
        rf"{please}{forget}\s+(?:(?:the|that|my|your|our|any)\s+(?:\w+\s+)?{_RECORD}\s+about"
        rf"|what\s+(?:i|you|we)\s+(?:\w+\s+)?(?:said|told you|mentioned|noted|wrote"
        rf"|know)(?:\s+earlier)?\s+(?:about|on|regarding)|about|the (?:bit|part|thing) about"
        rf"|(?:anything|everything)\s+(?:\w+\s+)*about)\s+(?P<old>[^,;:—\u2013]+?){_TAIL}$",
        "thing",
    )
    yield form(
        "request-forget",
        rf"{please}{forget}\s+{source}(?P<old>[^;:—\u2013]+?\s[^;:—\u2013]+?){_TAIL}$",
    )
    yield form(
        "request-scratch",
        rf"^(?:scratch|scrap|cancel|strike|forget|disregard|ignore)\s+(?:the|our|my|his"
        rf"|her)\s+(?P<old>[^,;:—\u2013]+?){_TAIL}$",
        "thing",
    )
    change = r"(?:change|update|correct|amend|fix|set|move|rename|adjust|revise|edit)"
    yield form(
        "request-change",
        rf"{please}{change}\s+(?P<about>.+?)\s+(?:from\s+(?P<old>.+?)\s+)?to\s+(?P<new>.+)$",
        "value",
    )
    yield form(
        "request-change",
        rf"{please}{change}\s+(?P<about>[^,;:]+?)\s*[,;:\u2014]\s*(?:it|that|they)(?:'s|'re"
        rf"|\s+(?:is|are|should be|must be|needs to be|should read|should say))\s+(?P<new>.+)$",
        "value",
    )
    yield form(
        "request-replace",
        rf"{please}(?:replace|swap)\s+(?P<old>.+?)\s+(?:with|by|for)\s+(?P<new>.+)$",
        "value",
    )
