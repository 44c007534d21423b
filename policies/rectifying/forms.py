"""The forms in which English takes something back: patterns over one sentence.

Each pattern has some of the groups `old` (what no longer holds: a statement, a
thing or a value), `new` (what holds instead), `about` (what both are said of),
`agent` (who made the change), `verb` and `rest` (what follows, maybe the new).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal

import msgspec

Old = Literal["statement", "thing", "value"]
Group = Literal["record", "request", "denial", "contrast", "change", "ending", "news"]

_I = re.IGNORECASE

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
_AUX = (
    r"(?:(?:have|has|'ve|'s|just|recently|finally|actually|already|now|officially|also"
    r"|completely|since"
    r"|then|all|both|quietly|eventually|ultimately|then|in fact|of course|only|lately"
    r"|meanwhile|formally)\s+)*"
)
_HAVE = rf"(?:(?:'ve|'s)\s+)?{_AUX}"
_BEEN = (
    rf"(?:(?:is|are|was|were|got|gets|has been|have been|'s been|'ve been|has|have"
    rf"|'s)\s+{_AUX}"
    r"(?:been\s+|being\s+)?)"
)
_CHANGED = (
    r"(?:switched|moved|migrated|changed|transitioned|converted|upgraded|downgraded"
    r"|renamed|swapped|shifted"
    r"|pushed(?: back| out| forward| up)?|bumped(?: up| back)?|brought forward"
    r"|pulled forward|put back"
    r"|rescheduled|postponed|delayed|deferred|raised|lowered|increased|decreased|reduced"
    r"|cut|extended"
    r"|shortened|relocated|transferred|reassigned|rolled over|handed over|reset|set"
    r"|updated|adjusted"
    r"|revised|corrected|amended|went|gone|promoted|demoted|risen|rose|fell|fallen|grew"
    r"|grown|dropped|doubled|ported)"
)
_DROPPED = (
    r"(?P<verb>dropped|abandoned|cancell?ed|scrapped|ditched|discontinued|retired"
    r"|decommissioned|shelved|axed"
    r"|removed|killed(?: off)?|canned|binned|sunset(?:ted)?|deprecated|gave up(?: on)?"
    r"|given up(?: on)?"
    r"|got rid of|gotten rid of|phased out|shut down|shut|called off|put an end to"
    r"|did away with|done away with"
    r"|walked away from|(?:moved|migrated|switched) (?:off|away from)|backed out of"
    r"|pulled out of|opted out of"
    r"|withdrew from|withdrawn from|quit|ended|closed(?: down)?|sold|terminated|eliminated"
    r"|nixed|revoked|lifted"
    r"|(?:stopped|ceased|quit|finished|gave up|given up"
    r"|no longer)\s+(?:\w+ly\s+)?\w+ing(?: (?:with|on|in|at|to|for))?)"
)
_PASSIVE_DROPPED = (
    r"(?P<verb>dropped|abandoned|cancell?ed|scrapped|ditched|discontinued|retired"
    r"|decommissioned|shelved|axed"
    r"|removed|killed(?: off)?|canned|binned|sunset(?:ted)?|deprecated|given up|phased out"
    r"|shut down|called off"
    r"|done away with|ended|closed(?: down)?|sold|terminated|eliminated|nixed|revoked"
    r"|lifted|disbanded|dissolved)"
)
_GONE = (
    r"(?:(?:is|are|'s|'re)\s+(?:now\s+|officially\s+|all\s+)?(?:off|gone|over|dead|history"
    r"|no more|cancell?ed|finished|out|not happening(?: any ?more)?)"
    r"|(?:isn't|aren't|is not|are not) (?:happening|a thing|going ahead|in use"
    r"|available)(?: any ?more| any longer| now)?"
    r"|no longer (?:happens?|exists?|takes? place|applies|apply|runs?)"
    r"|(?:doesn't|don't|does not|do not) (?:happen|exist|take place|apply) (?:any ?more"
    r"|any longer|now)"
    r"|(?:has|have) (?:ended|stopped|gone|ceased|expired|fallen through)|fell through"
    r"|ceased to exist|came to an end)(?:\s+(?:for good|for now|permanently|altogether"
    r"|entirely|until .*))?"
)
_GAP = r"(?:\s+|(?='))"
_WHO = r"(?P<agent>[^,;:]{1,60}?)"
_NOT = r"(?:isn't|is not|aren't|are not|wasn't|was not|weren't|'s not|'re not|am not|'m not)"
_DO_NOT = r"(?:doesn't|does not|don't|do not|didn't|did not|hasn't|has not|haven't|have not)"
_PRONOUN_IS = (
    r"(?:it|that|this|he|she|they|we|i)(?:'s|'re|'m|\s+(?:is|are|am|was|were|has|have"
    r"|should be))?"
)
_SAID = (
    r"(?:said|told (?:you|them|everyone)|noted|wrote|claimed|mentioned|recorded|stored"
    r"|saved|put down|have(?: it)?(?: down| noted| recorded)?|had(?: it)?(?: down)?"
    r"|gave you|thought)"
)


class Form(msgspec.Struct, frozen=True):
    """One pattern of correction, of a group of kin, and what kind of words `old` are."""

    name: str
    pattern: re.Pattern[str]
    old: Old = "statement"
    group: Group = "record"


@cache
def forms() -> tuple[Form, ...]:
    """The forms, in the order in which they are tried."""
    return tuple(_forms())


def _form(name: str, pattern: str, old: Old = "statement") -> Form:
    return Form(name, re.compile(pattern, _I), old)


def _forms() -> Iterator[Form]:
    groups: dict[Group, Callable[[], Iterator[Form]]] = {
        "record": _records,
        "request": _requests,
        "denial": _denials,
        "contrast": _contrasts,
        "change": _changes,
        "ending": _endings,
        "news": _news,
    }
    for group, made in groups.items():
        for form in made():
            yield msgspec.structs.replace(form, group=group)


def _records() -> Iterator[Form]:
    """What is said of the record itself."""
    said = (
        r"(?:(?:that|which|where it)\s+(?:says?|said|states?|claims?|reads?)(?:\s+that)?|says?"
        r"|saying|stating|claiming|that|which|where)"
    )
    article = r"(?:(?:the|that|this|your|my|our|any|an?|one)\s+)?(?:(?!of\b)[\w-]+\s+){0,2}?"
    yield _form(
        "record",
        rf"^{article}{_RECORD}\s*(?:{said}\s+|:\s*|(?=⟦))(?P<old>.+?),?\s+{_IS_NOT_SO}{_REST}$",
    )
    yield _form(
        "record-about",
        rf"^{article}{_RECORD}\s+(?:about|on|of|for|regarding"
        rf"|concerning)\s+(?P<old>.+?),?\s+{_IS_NOT_SO}{_REST}$",
        "thing",
    )
    yield _form(
        "not-so-that",
        rf"^(?:it\s+{_IS_NOT_SO}|it's\s+{_ADVERBS}{_STATE})(?:\s+to say)?"
        rf"\s+that\s+(?P<old>[^;:—\u2013]+?){_TAIL}$",
    )
    yield _form("that-is-wrong", rf"^that\s+(?P<old>.+?\s.+?\s.+?),?\s+{_IS_NOT_SO}{_REST}$")
    yield _form(
        "what-i-said",
        rf"^what\s+(?:i|you|we)\s+(?:\w+\s+)?{_SAID}(?:\s+(?:you|earlier|before))*\s+(?:about"
        rf"|on|for|of|regarding)\s+(?P<about>.+?)\s+{_IS_NOT_SO}{_REST}$",
    )
    yield _form(
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
    yield _form(
        "was-wrong-that",
        rf"^(?:{wrong}|{misspoke})\s+(?:earlier\s+)?(?:when\s+i\s+said|in saying|to say|that"
        rf"|to claim|saying)\s+(?:that\s+)?(?P<old>[^;:—\u2013]+?){_TAIL}$",
    )
    yield _form(
        "was-wrong-about",
        rf"^(?:{wrong}|{misspoke})\s+(?:earlier\s+)?(?:about|on|with|regarding"
        rf"|as to)\s+(?P<about>[^,;:.—\u2013]+){_TAIL}$",
    )
    yield _form(
        "have-wrong",
        rf"^(?:i|you|we)(?:'ve| have)?\s+(?:got|have|had|noted|recorded|written"
        rf"|gave(?: you)?)\s+(?P<about>[^,;:—\u2013]+?)\s+(?:down\s+)?(?:wrong|incorrectly"
        rf"|wrongly){_REST}$",
    )
    yield _form(
        "mis-recorded",
        rf"^(?:i|you|we)\s+(?:mis\w+|wrongly \w+)\s+(?P<about>[^,;:.—\u2013]+){_TAIL}$",
    )
    yield _form(
        "said-but",
        rf"^(?:(?:earlier|before|previously|yesterday),?\s+)?(?:i|you|we)(?:'d|'ve| had"
        rf"| have)?\s+(?:\w+ly\s+|earlier\s+|once\s+|first\s+)?{_SAID}\s+(?:earlier\s+"
        rf"|before\s+|you\s+)?(?:that\s+)?(?P<old>.+?)(?:,|\s*[;—\u2013]|\s+-)?\s+(?:but"
        rf"|however|that's wrong|that was wrong|yet)\b,?(?P<rest>.+)$",
    )
    yield _form(
        "that-was-wrong",
        rf"^(?P<old>.+?\s.+?)\s*(?:,|;|:|\s[—\u2013-]+)\s*(?:that|this|which"
        rf"|it)\s*(?:{_IS_NOT_SO}){_REST}$",
    )
    yield _form(
        "in-record",
        rf"^(?P<about>.+?)\s+(?:in|on|from)\s+(?:the|your|my|our)\s+(?:\w+\s+)?(?:{_RECORD}"
        rf"|notes|files?|memory|list|books)\s+{_IS_NOT_SO}{_REST}$",
    )
    yield _form(
        "thing-is-wrong",
        rf"^(?P<about>[^,;:]+?)\s+{_IS}\s+{_ADVERBS}{_STATE}\s*[,;:.—\u2013-]+(?P<rest>.+)$",
    )


def _requests() -> Iterator[Form]:
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
    yield _form(
        "request-forget-about",
        rf"{please}{forget}\s+(?:(?:the|that|my|your|our|any)\s+(?:\w+\s+)?{_RECORD}\s+about"
        rf"|what\s+(?:i|you|we)\s+(?:\w+\s+)?(?:said|told you|mentioned|noted|wrote"
        rf"|know)(?:\s+earlier)?\s+(?:about|on|regarding)|about|the (?:bit|part|thing) about"
        rf"|(?:anything|everything)\s+(?:\w+\s+)*about)\s+(?P<old>[^,;:—\u2013]+?){_TAIL}$",
        "thing",
    )
    yield _form(
        "request-forget",
        rf"{please}{forget}\s+{source}(?P<old>[^;:—\u2013]+?\s[^;:—\u2013]+?){_TAIL}$",
    )
    yield _form(
        "request-scratch",
        rf"^(?:scratch|scrap|cancel|strike|forget|disregard)\s+(?:the|our|my|his"
        rf"|her)\s+(?P<old>[^,;:—\u2013]+?){_TAIL}$",
        "thing",
    )
    change = r"(?:change|update|correct|amend|fix|set|move|rename|adjust|revise|edit)"
    yield _form(
        "request-change",
        rf"{please}{change}\s+(?P<about>.+?)\s+(?:from\s+(?P<old>.+?)\s+)?to\s+(?P<new>.+)$",
        "value",
    )
    yield _form(
        "request-replace",
        rf"{please}(?:replace|swap)\s+(?P<old>.+?)\s+(?:with|by|for)\s+(?P<new>.+)$",
        "value",
    )


def _denials() -> Iterator[Form]:
    """What was so and is so no longer."""
    also = r"(?P<rest>(?:(?:\s*[,;:.—\u2013]+|\s+-|\s+but|\s+and now)\s*.*)?)"
    yield _form(
        "no-longer-is",
        rf"^(?P<about>[^,;:]+?)(?P<verb>'s|'re|'m|\s+(?:is|are|am|was|has|have|can|may"
        rf"|does))\s+no longer\s+(?P<old>[^,;:—\u2013]+?){also}$",
    )
    yield _form(
        "no-longer",
        rf"^(?P<about>[^,;:]+?)\s+no longer\s+(?P<verb>\w+)\s*(?P<old>[^,;:—\u2013]*?){also}$",
    )
    yield _form(
        "not-anymore",
        rf"^(?P<about>[^,;:]+?){_GAP}(?:{_NOT}|{_DO_NOT}|can't"
        rf"|cannot)\s+(?P<old>[^,;:—\u2013]+?)\s+(?:any ?more|any longer|these days"
        rf"|nowadays|after all){also}$",
    )
    yield _form(
        "no-more",
        rf"^there(?:'s|\s+is|\s+are|\s+will be)?\s*(?:isn't|aren't|is not|are not)?\s*(?:no|any"
        rf"|an?)?\s*(?:longer\s+)?(?:an?\s+|any\s+)?(?P<old>[^,;:—\u2013]+?)\s+(?:any ?more"
        rf"|any longer|now|these days){also}$",
        "thing",
    )
    yield _form(
        "there-no-longer",
        rf"^there(?:'s|\s+is|\s+are)\s+no\s+(?:longer|more)\s+(?:an?\s+"
        rf"|any\s+)?(?P<old>[^,;:—\u2013]+?){also}$",
        "thing",
    )
    yield _form("no-more-of", rf"^no more\s+(?P<old>[^,;:—\u2013]+?)(?:\s+for us)?{also}$", "thing")
    yield _form(
        "used-to",
        r"^(?P<about>[^,;:]+?)\s+used to\s+(?P<old>[^;:—\u2013]+?)(?:\s*[,;—\u2013]"
        r"|\s+-)?\s+(?:but|and|now|yet|though|until)\b\s*(?P<rest>.+)$",
    )


def _contrasts() -> Iterator[Form]:
    """One thing against another: 'not X but Y'."""
    but = (
        rf"(?:\s*[,;:.—\u2013]+\s*|\s+-\s+|\s+)(?:but(?:\s+rather|\s+instead"
        rf"|\s+(?={_PRONOUN_IS}))?|rather|instead"
        rf"|(?={_PRONOUN_IS}\b))\s*(?:{_PRONOUN_IS}\b\s*)?(?:rather\s+|actually\s+|now\s+"
        rf"|instead\s+|really\s+)?"
    )
    yield _form(
        "is-not-but",
        rf"^(?P<about>[^,;:]+?){_GAP}{_NOT}\s+(?P<old>[^,;:—\u2013]+?){but}(?P<new>.+)$",
        "value",
    )
    yield _form(
        "does-not-but",
        rf"^(?P<about>[^,;:]+?)\s+(?:doesn't|does not|don't|do not|didn't"
        rf"|did not)\s+(?P<verb>\w+)\s+(?P<old>[^,;:—\u2013]+?"
        rf"){but}(?P<rest>.+)$",
        "value",
    )
    against = (
        r"(?:(?:\s*,|\s+and|\s+[—\u2013-]+|\s*\()\s*(?:and\s+)?(?:definitely\s+"
        r"|certainly\s+)?not|\s+now\s+not|\s+not(?=\s+[$€£]?\d)|,?\s+rather than"
        r"|,?\s+instead of|,?\s+as opposed to|,?\s+in place of|,?\s+no longer)"
    )
    yield _form(
        "not-old",
        rf"^(?P<new>.+?){against}\s+(?P<old>[^,;:]+?)(?:\s+any ?more|,?\s+(?:as|like)\s+(?:i"
        rf"|you|we|it|the)\b.*|,?\s+which (?:is|was).*)?\)?$",
        "value",
    )
    yield _form(
        "prefers-over",
        r"^(?P<new>.+?\s(?:now|these days)\s+(?:prefers?|likes?)\s.+?)\s+(?:over|to|more than"
        r"|better than)\s+(?P<old>[^,;:]+?)$",
        "value",
    )
    yield _form(
        "instead-of-first",
        r"^(?:instead of|rather than|not)\s+(?P<old>[^,;:—\u2013]+?)"
        r"(?:\s*[,;:—\u2013]+\s*(?:but\s+)?|\s+but\s+)(?P<new>.+)$",
        "value",
    )


def _changes() -> Iterator[Form]:
    """What was changed, from one value or to another."""
    to = (
        r"(?:\s+(?:over|back|out|up|down|forward|away))?\s+(?:to|onto|into|until|till"
        r"|for(?!.*\s(?:to|until|till)\s)|towards?|in favou?r of)\s+"
    )
    obj = r"(?:(?P<about>[^,;:]+?)\s+)?"
    over = r"(?:(?:over|back|out|up|down|forward|away)\s+)?"
    yield _form(
        "changed-from",
        rf"^{_WHO}{_GAP}{_HAVE}{_CHANGED}\s+{obj}{over}from\s+(?P<old>[^;:]+?){to}(?P<new>.+)$",
        "value",
    )
    yield _form(
        "was-changed-from",
        rf"^(?P<about>[^,;:]+?){_GAP}{_BEEN}{_CHANGED}\s+{over}from\s+(?P<old>[^;:]+?"
        rf"){to}(?P<new>.+)$",
        "value",
    )
    yield _form(
        "replaced-by",
        rf"^(?:the\s+|our\s+)?(?P<old>[^,;:]+?){_GAP}{_BEEN}(?:replaced|superseded|succeeded"
        rf"|supplanted|swapped(?: out)?|traded)\s+(?:with|by|for)\s+(?P<new>.+)$",
        "value",
    )
    yield _form(
        "replaced",
        rf"^{_WHO}{_GAP}{_HAVE}(?:replaced|swapped(?: out)?|traded(?: in)?|exchanged|ditched"
        rf"|dropped|abandoned|left|gave up"
        rf"|scrapped)\s+(?P<old>[^,;:]+?)\s+(?:with|by|for|in favou?r of)\s+(?P<new>.+)$",
        "value",
    )
    yield _form(
        "replaces",
        rf"^(?P<new>[^,;:]+?)\s+{_HAVE}(?:replaces|replaced|supersedes|superseded|succeeds"
        rf"|succeeded|took over from|takes over from|taken over from|stands in for"
        rf"|took the place of|taken the place of)\s+(?P<old>[^,;:]+?)(?:\s+(?:as|for"
        rf"|on)\s+(?P<about>.+))?$",
        "value",
    )
    yield _form(
        "took-over",
        rf"^(?P<new>[^,;:]+?)\s+{_HAVE}(?:took over|taken over|takes over"
        rf"|inherited)\s+(?P<about>[^,;:]+?)\s+from\s+(?P<old>[^,;:]+)$",
        "value",
    )
    yield _form(
        "was-changed", rf"^(?P<about>[^,;:]+?){_GAP}{_BEEN}{_CHANGED}{to}(?P<new>.+)$", "value"
    )
    yield _form(
        "changed-object",
        rf"^{_WHO}{_GAP}{_HAVE}{_CHANGED}\s+(?P<about>(?:the|our|my|his|her|its|their|your|this"
        rf"|that|all|every|both)\b[^,;:]*?|[A-Z][\w.-]*'s\s[^,;:]*?){to}(?P<new>.+)$",
        "value",
    )
    yield _form(
        "changed-to", rf"^(?P<about>[^,;:]+?){_GAP}{_HAVE}{_CHANGED}{to}(?P<new>.+)$", "value"
    )
    yield _form(
        "has-changed",
        rf"^(?P<about>[^,;:]+?){_GAP}{_HAVE}(?:changed|moved)\s*(?:[,:—\u2013]|\s-)\s*(?:it|that|this"
        r"|they)(?:'s|'re|\s+(?:is|are))\s+(?:now\s+)?(?P<new>.+?)(?:\s+now)?$",
        "value",
    )
    yield _form(
        "handed-over",
        rf"^(?P<old>[^,;:]+?)\s+{_HAVE}(?:handed|passed|turned|transferred)\s+(?:(?:over|on)\s+)?"
        r"(?P<about>[^,;:]+?)\s+(?:(?:over|on)\s+)?to\s+(?P<new>.+)$",
        "value",
    )
    yield _form(
        "use-no-more",
        r"^(?:please\s+)?(?:don't|do not|stop)\s+us(?:e|ing)\s+(?P<old>[^,;:]+?)(?:\s+for"
        r"\s+(?P<about>[^,;:]+?))?\s+(?:any ?more|any longer)\s*(?:[,:—\u2013]|\s-)\s*(?:but\s+)?"
        r"use\s+(?P<new>.+?)(?:\s+instead)?$",
        "value",
    )
    yield _form(
        "became",
        rf"^(?P<about>[^,;:]+?)\s+{_HAVE}(?:became|become|turned into)\s+(?P<new>.+)$",
        "value",
    )
    yield _form(
        "left",
        rf"^(?P<about>[^,;:]+?){_GAP}{_HAVE}(?P<verb>left|quit|departed(?: from)?|resigned from"
        rf"|retired from|moved (?:away|out) (?:from|of)|moved on from|stepped down (?:as|from)"
        rf"|broke up with|parted ways with)\s+(?P<old>[^,;:]+?)(?:(?:\s*,)?\s+(?:to join"
        rf"|to work (?:at|for)|and (?:has )?joined|and (?:has )?moved to|and is now (?:at|with"
        rf"|in)|and now works (?:at|for))\s+(?P<new>.+))?$",
        "value",
    )


def _endings() -> Iterator[Form]:
    """What was given up, with nothing in its place."""
    after = r"(?P<rest>(?:\s*[,;:.—\u2013]+\s*.*|\s+-\s+.*)?)"
    yield _form(
        "decided-to-drop",
        rf"^(?P<agent>we|i|the team|our team|[A-Z]\w+){_GAP}{_HAVE}(?:decided|agreed|chosen"
        rf"|chose|voted)\s+to\s+(?P<verb>drop|abandon|cancel|scrap|ditch|discontinue|retire"
        rf"|shelve|remove|kill|get rid of|phase out|shut down|call off|stop(?:\s+\w+ing)?"
        rf"|end)\s+(?P<old>[^,;:—\u2013]+?){after}$",
        "thing",
    )
    yield _form(
        "was-dropped", rf"^(?P<old>[^,;:]+?){_GAP}{_BEEN}{_PASSIVE_DROPPED}{after}$", "thing"
    )
    yield _form("is-gone", rf"^(?P<old>[^,;:]+?){_GAP}{_GONE}{after}$", "thing")
    yield _form(
        "dropped", rf"^{_WHO}{_GAP}{_HAVE}{_DROPPED}\s+(?P<old>[^,;:—\u2013]+?){after}$", "thing"
    )


def _news() -> Iterator[Form]:
    """What is so now, and by that was otherwise before."""
    yield _form(
        "is-now",
        r"^(?P<about>[^,;:]+?)(?P<verb>'s|'re|'m|\s+(?:is|are|am|has|have|was|can"
        r"|does))\s+now\s+(?P<new>.+)$",
    )
    yield _form(
        "now-does",
        r"^(?P<about>[^,;:]+?)\s+now\s+(?P<verb>\w+s|(?<=we now )\w+|(?<=i now )\w+|live|work"
        r"|use|meet|start|cost|need|run|have)\s+(?P<new>.+)$",
    )
    yield _form(
        "is-new",
        r"^(?P<new>.+?\s.+?)\s+(?:now|these days|nowadays|instead|as of (?:now|today)"
        r"|from now on)$",
    )
    yield _form(
        "now-first",
        r"^(?:now|these days|nowadays|from now on|as of (?:now|today)|going forward)"
        r",?\s+(?P<new>\S+\s.+)$",
    )
    yield _form(
        "the-new",
        r"^(?P<about>(?:(?:the|our|my|your|his|her|their)"
        r"|[^,;:]+?'s?)\s+new\s+[^,;:]+?)\s+(?P<verb>is|are|will be)\s+(?P<new>.+)$",
    )
    yield _form(
        "is-the-new",
        r"^(?P<new>[^,;:]+?)\s+(?:is|are)\s+(?P<about>(?:the|our|my|your|his|her"
        r"|[\w.]+'s)\s+new\s+.+)$",
    )
    yield _form(
        "should-be",
        r"^(?P<about>[^,;:]+?)\s+(?:should|ought to|needs to|must)\s+(?:be|read|say|have been"
        r"|have read|have said)\s+(?P<new>.+)$",
    )
