"""How sentences begin and end around what they say: 'by the way', 'actually', 'because …'."""

from __future__ import annotations

import re

from mnemolog.language.patterns import regex

_I = re.IGNORECASE
_NOISE = (
    r"oh|ah|aha|hey(?: \w+)?|hi(?: \w+)?|hello|ok(?:ay)?|so|and|but|also|well|hmm+|um+|er+"
    r"|yeah|yes|right|by the way|btw"
    r"|fyi|for the record|for your information|just so (?:you know|it's clear|we're clear)"
    r"|just to let you know|just so everyone knows"
    r"|heads[- ]up|just a heads[- ]up|(?:a |just a |one )?(?:quick|small|minor|short|brief"
    r"|tiny) (?:note|update|thing|heads[- ]up|change|fix|correction|addition)"
    r"|please note(?: that)?|note(?: that)?|to be (?:clear|precise|exact|honest|fair)"
    r"|incidentally|one more thing|one thing"
    r"|anyway|anyhow|good news|bad news|great news|big news|news|then|now"
    r"|remember(?: that)?|please remember(?: that)?|look|listen"
    r"|ps|p\.s\.|plus|as you (?:may |might )?know|just|before i forget|for what it's worth"
    r"|while (?:we're|i'm) at it|that said|speaking of which|on another note"
    r"|finally|in the end|meanwhile|unfortunately|sadly|luckily|happily|let me (?:add|mention"
    r"|note)(?: that)?|i (?:must|have to) (?:say|add|mention)(?: that)?|i think|i believe"
    r"|reminder|quick one|important|be aware(?: that)?|you should know(?: that)?"
    r"|good to know|little update|status"
    r"|i(?:'ve| have)? (?:just )?(?:double-?checked|checked again|looked it up)(?: and)?"
)
_MARKS = (
    r"(?:please |(?:can|could) you (?:please )?)?(?:correct|fix|update|amend|adjust) (?:the|my|your"
    r"|our) (?:records?|notes?|memory|entry|files?)(?: accordingly| please)?"
    r"|actually|in fact|in reality|in truth|as it happens|as it turns out"
    r"|(?:it )?turns out(?: that)?|it turned out(?: that)?"
    r"|(?:a |just a |one |quick |small |minor |slight |important )*(?:correction|update"
    r"|edit|erratum|amendment|fix)(?: (?:on|to|about|regarding|for) (?P<topic>[^:;,.]{3,60})(?=:))?"
    r"|corrected"
    r"|no|nope|nah|wait|hold on|hang on|(?:scratch|strike|scrap) that|never ?mind(?: that"
    r"| what i said(?: earlier| before)?)?"
    r"|i (?:misspoke|misremembered)(?: (?:earlier|before|just now|there|yesterday))?"
    r"|i stand corrected"
    r"|i was (?:wrong|mistaken)(?: (?:earlier|before|there|yesterday|last time|about (?:that|this"
    r"|it)))?"
    r"|(?:that|this|it)(?:'s| is| was|'re)? (?:just |simply |actually "
    r"|now )?(?:not (?:right|true|correct|quite right|accurate)(?: any ?more| any longer"
    r"| now)?|wrong(?: now)?|incorrect|out ?dated|a mistake|no longer (?:true|right"
    r"|correct|the case|so)|not (?:true|so) any ?more)"
    r"|(?:that|this|it) (?:isn't|wasn't) (?:right|true|correct|quite right"
    r"|accurate)(?: any ?more| any longer| now)?"
    r"|let me correct (?:(?:something|what|a thing)(?: (?:that )?i (?:said|wrote|told you"
    r"|mentioned|noted))?"
    r"(?: (?:earlier|before|yesterday|just now))?|that|myself|this|it)|allow me to correct (?:that"
    r"|myself)"
    r"|i(?:'d like| would like| need| have| want|'d love)? to correct (?:that|myself"
    r"|something|this|the record)"
    r"|correcting myself|my (?:mistake|bad|error)(?: (?:earlier|there))?|(?:i'm |so "
    r"|very )?sorry|apologies|oops|whoops|on second thoughts?|to correct (?:that|myself"
    r"|the record|what i said)"
    r"|i (?:actually |really |in fact )?mean(?:t)?(?: to say)?|i made (?:a|an) (?:mistake"
    r"|error)(?: (?:earlier|there|before))?|i got (?:that|it|this) wrong|not any ?more"
    r"|change of plans?"
    r"|contrary to (?:what (?:i|you|we) (?:said|noted|thought)(?: (?:earlier|before))?"
    r"|(?:my|our|the) (?:earlier|previous|prior|last|old|former|first) [\w ]{2,30}?(?=\s*,))"
    r"|there (?:was|is) an? (?:\w+ )?(?:error|mistake|typo|slip|mix-up) (?:in|with) (?:my|our|the"
    r"|what) [\w ]{2,30}?(?=\s*[,.:;!\u2014-]|$)"
    r"|forget (?:that|it|(?:what|everything) i (?:just )?(?:said|told you|wrote|mentioned)"
    r"(?: (?:earlier|before|yesterday|just now))?(?=\s*[,.:;!—-]))|(?:new|updated"
    r"|latest) info(?:rmation)?|things (?:have )?changed"
    r"|(?:please |(?:can|could) you (?:please )?)?(?:correct|fix|update|amend|change"
    r"|adjust) (?:the|my|your|our|that|this)? ?(?:records?|notes?|memory|entry|files?|that"
    r"|this|it)(?: accordingly)?"
    r"|i (?:gave|told|had|sent) (?:you )?(?:the |some )?wrong (?:(?!(?:about|for|on|regarding"
    r"|of)\b)\w+ ?){1,5}?(?=\s*[,.:;!\u2014-]|$)"
    r"|or rather|rather|to set the record straight|setting the record straight"
    r"|for accuracy|as a correction|by way of correction"
)
_OPENER = regex(
    rf"^(?:(?P<mark>{_MARKS})|(?P<noise>{_NOISE}))(?P<end>\s*(?:[,:;.!—\u2013…-]+)\s*|\s+|$)",
    _I,
)
_IT_IS = regex(r"^(?:(?:it|that)(?:'s| is| should be)|(?P<many>they)(?:'re| are))\s+", _I)
_EXCUSE = regex(
    r"\s*(?:[,;\u2013\u2014(-]|\.(?=\s))\s*(?:and\s+)?(?:sorry(?: about that)?|my (?:mistake|bad"
    r"|error)|apologies"
    r"|i (?:misspoke|misremembered|mistyped|got (?:it|that|them) wrong|mixed (?:it|that|them"
    r"|things) up"
    r"|was (?:wrong|mistaken|confused)|made a mistake))(?: (?:earlier|before|there))?[.!)]*$",
    _I,
)
_NOW_FIRST = regex(r"^(?:now|instead|these days),?\s+(?=(?:he|she|it|they|we|i)\b)", _I)
# Words that begin an ordinary statement as well: they open one only before a mark.
_NEED_MARK = regex(
    r"^(?:no|(?:new|updated|latest) info(?:rmation)?|update|edit|fix|note|news|now|then|remember"
    r"|look|listen|right|important"
    r"|reminder|wait|rather|sorry"
    r"|status|just|finally|one thing|heads[- ]up|correction|amendment|quick one|good news"
    r"|bad news|so"
    r"|(?:that|this|it)(?:'s| is| was| isn't| wasn't) .*|i was (?:wrong|mistaken)|i mean"
    r"|forget (?:that|it)|.*(?:correct|fix|update|amend|change|adjust) .*)$",
    _I,
)
_MAY_RUN_ON = regex(
    r"^(?:wait|sorry|no|so|and|just|finally|remember|i mean|rather|right|then)$", _I
)
_REASON = regex(
    r"\s*,\s*please (?:remember|note|keep|update|take)\b.*$"
    r"|(?:\s*,\s*|\s+)(?:because|since (?!\d|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|last|this|yesterday"
    r"|the|then)"
    r"|so that|so (?:please|pls|i|we|you|everyone|everybody|people|it|that|don't|no|the"
    r"|let's|he|she|they|there|nobody|plan|be|update|adjust|make|keep|expect|come)\b"
    r"|which (?:means|meant|is|was|suits|works|gives|makes|helps|should|i|we|he|she|they)\b"
    r"|due to|thanks to|in order to|to make (?:room|space|time)|as (?:it|he|she|they|we|i"
    r"|the|nobody|no one|there) (?!of\b)(?:\w+)\b|given that|now that|after (?:all|we|i|he"
    r"|she|they|the|a|an|it|long|much|some|that)\b|even though|although|though)\b.*$"
    r"|\s*,\s*so\b.*$|\s*,\s*(?:and|but)\s+(?:i|we|he|she|they|everyone|nobody|that"
    r"|it's (?:great|better|fine|nice|good|been))\b.*$",
    _I,
)
_SAYS = regex(
    r"^(?:\S+\s+){1,8}?(?:is|are|was|were|am|has|have|had|can|does|do|will|must|'s|lives?"
    r"|lived|works?|worked|uses?|prefers?|likes?|loves?|wants?|needs?"
    r"|starts?|begins?|ends?|meets?|happens?|costs?|runs?|takes?|goes|comes?|plays?"
    r"|drives?|speaks?|eats?|drinks?|sits?|stays?|belongs?|owns?|leads?|manages?|reports?"
    r"|reads|writes?|studies|teaches|flies|leaves?|arrives?|departs?|opens?|closes?"
    r"|expires?|holds?|keeps?|contains?|supports?|allows?|requires?|ships?|deploys?"
    r"|weighs?|measures?|lasts?"
    r"|[a-z]{3,}(?:ed|ies))\b(?:\s|$)|\S+'(?:s|re|m)\s+\S"
    r"|^(?:they|we|i|you|these|those)\s+(?:\w+ly\s+)?[a-z]{2,}\s+(?:in|on|at|for|to|from|with|by|as"
    r"|the|a|an)\s"
    r"|^(?!\d)(?:\S+\s+){1,5}?[a-z]{2,}[a-rt-z]s\s+(?:in|on|at|for|to|from|with|by|as|the"
    r"|a|an|its|their|his|her|our|\d)",
    _I,
)
_LEAD_IN = regex(
    r"(?:^(?!when|while|once|whenever|as soon|until"
    r"|before)(?:[^\s,:;]+\s+){0,7}[^\s,:;]+(?::|,|\s[\u2013—-])\s+|^.{8,}?\s+(?:and"
    r"|but)\s+(?=(?:the|our|my|we|i|that)\b|[A-Z]))",
    _I,
)
_SCOPE = regex(
    r"^(?!.*[:,]\s*(?:i|we) (?:was|were) (?:wrong|mistaken)\b)"
    r"(?:(?:only |just |at least )?(?:in|for|at|on|within|over in|over at|regarding"
    r"|concerning|about|with regard to|with|as for|as to|when it comes to|as far as|under"
    r"|inside)\s+(?P<scope>[^,:]{2,60}?)(?: is concerned| goes)?"
    r"(?:\s*[,:]\s*|\s+(?=(?:we|i|our|my|the)\b(?:\s|')(?!and\b))))",
    _I,
)


def opened(text: str) -> tuple[bool, str]:
    """Whether words that announce a correction open a sentence, and what follows all such words."""
    marked, rest = False, text.strip()
    while match := _OPENER.match(rest):
        word, end = match["mark"] or match["noise"], match["end"]
        after = rest[match.end() :]
        if end and not end.strip() and not _opens_unmarked(word, after):
            break
        marked = marked or match["mark"] is not None
        is_ = _IT_IS.match(after)
        rest = after if match["topic"] is None or is_ is None else _of_topic(match["topic"], after)
    excuse = _EXCUSE.search(rest)
    if excuse is not None and excuse.start():
        marked, rest = True, rest[: excuse.start()]
    return marked, rest.strip()


def _of_topic(topic: str, text: str) -> str:
    """'It is 50', said of the budget, as 'the budget is 50'."""
    return _IT_IS.sub(lambda found: f"{topic} {'are' if found['many'] else 'is'} ", text, count=1)


def _opens_unmarked(word: str, after: str) -> bool:
    """Whether words open a sentence though no mark follows them."""
    if not _NEED_MARK.match(word):
        return True
    return _MAY_RUN_ON.match(word) is not None and _OPENER.match(after) is not None


def without_now(text: str) -> str:
    """A clause by a pronoun without the 'now' or 'instead' that it begins with."""
    return _NOW_FIRST.sub("", text)


def cut(text: str) -> str:
    """A clause without what only explains it."""
    return _REASON.sub("", text).strip().rstrip(".!,;: ")


def is_statement(text: str) -> bool:
    """Whether a text says something of something, rather than only naming it."""
    return _SAYS.match(text) is not None


def led_in(text: str) -> str | None:
    """What follows a few words that lead in to it; None if no such words are there."""
    match = _LEAD_IN.match(text)
    return None if match is None else text[match.end() :]


def scoped(text: str) -> tuple[str | None, str]:
    """What a sentence says first that it holds for ('for the app, …'), and the rest of it."""
    match = _SCOPE.match(text)
    return (None, text) if match is None else (match["scope"], text[match.end() :])
