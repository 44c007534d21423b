"""Signs in a prompt that it asks for something remembered, or that it does not.

A sign's weight is what it adds to the log-odds: 1 is weak, 2 plain, 3 strong and
4 nearly decides. They are round and were chosen by what the words mean. Signs of
one group say the same in other words, so only the strongest of a group counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

import msgspec

from recall.lexicon import (
    FETCHING,
    MAKING,
    PAST_TENSE,
    PEOPLE_OF_ONES_OWN,
    PRIVATE_LIFE,
    ROLES,
    SAYING,
    SERVICE,
    SHARED_WORK,
    WORLD,
)
from recall.wording import Name, Wording

Group = Literal[
    "earlier talk",
    "the asker's doings",
    "the asker's own",
    "a person",
    "what was said",
    "work at hand",
    "private life",
    "a time",
    "a task",
    "how to",
    "a service",
    "general knowledge",
    "telling",
]
"""What a sign is about; the last five speak against recall."""


class Sign(msgspec.Struct, frozen=True):
    """A sign, what it adds to the log-odds of recall, and the words that gave it."""

    group: Group
    weight: float
    words: str


def signs(prompt: Wording) -> list[Sign]:
    """The strongest sign of each group, the heaviest first."""
    strongest: dict[Group, Sign] = {}
    for sign in _all_signs(prompt):
        other = strongest.get(sign.group)
        if other is None or abs(sign.weight) > abs(other.weight):
            strongest[sign.group] = sign
    return sorted(strongest.values(), key=lambda sign: -abs(sign.weight))


def _all_signs(prompt: Wording) -> Iterator[Sign]:
    yield from _phrases(prompt)
    for name in prompt.names:
        weight = _weight_of_name(name)
        if weight:
            yield Sign("a person", weight, name.words)
    yield from _speaking_for(prompt)
    yield from _speaking_against(prompt)


def _weight_of_name(name: Name) -> float:
    """What a name adds: much if the memory knows it, little if it looks like a famous one."""
    has = name.possessive or name.before in _BEFORE_ONE_WHO_IS
    does = name.before in _BEFORE_ONE_WHO_DOES
    match name.standing:
        case "known":
            return 4.0
        case "given":
            return 3.5 if has or does else 2.5
        case "full":
            return 1.0 if has or does else 0.5
        case "bare":
            return 2.0 if does else 1.0 if has else 0.0


def _speaking_for(prompt: Wording) -> Iterator[Sign]:
    """Signs that single words give for recall."""
    people = prompt.words & PEOPLE_OF_ONES_OWN
    if people:
        owned = not prompt.words.isdisjoint(_OWNERS)
        yield Sign("private life", 1.5 if owned else 1.0, min(people))
    life = prompt.words & PRIVATE_LIFE
    if life:
        yield Sign("private life", 1.0, min(life))
    patterns = _patterns()
    shared = {
        word
        for found in patterns.definite.findall(prompt.asked)
        for word in found.split()
        if word in SHARED_WORK or word in ROLES
    }
    if shared:
        yield Sign("work at hand", 3.0 if len(shared) > 1 else 2.0, " ".join(sorted(shared)))
    said = prompt.words & SAYING
    if said and patterns.of_another.search(prompt.asked):
        yield Sign("what was said", 1.5, min(said))


def _speaking_against(prompt: Wording) -> Iterator[Sign]:
    """Signs that single words give against recall."""
    service = prompt.words & SERVICE
    if service:
        owned = any(
            not SERVICE.isdisjoint(found.split())
            for found in _patterns().owned.findall(prompt.lowered)
        )
        yield Sign("a service", -3.0 if owned else -2.0, min(service))
    world = prompt.words & WORLD
    if world:
        yield Sign("general knowledge", -1.5, min(world))
    verb = _opening_verb(prompt.lowered)
    if verb in {"suggest", "recommend"}:
        # Advice may rest on what is remembered of who asks, if they speak of themselves.
        yield Sign("a task", -2.0, verb)
    elif verb in MAKING:
        yield Sign("a task", -4.0, verb)
    elif verb in FETCHING:
        yield Sign("a task", -1.0, verb)
    if not prompt.asked:
        yield Sign("telling", -2.0, "nothing is asked")
    elif prompt.told:
        yield Sign("telling", -1.5, "a question after news")


def _opening_verb(lowered: str) -> str:
    """The word that a request begins with, past what is said for politeness."""
    for word in lowered.split():
        bare = word.strip(",.!:")
        if bare not in _POLITE:
            return bare
    return ""


class _Phrase(msgspec.Struct, frozen=True):
    """A sign that several words give together.

    It is looked for in the whole prompt or in what it asks, and only if one of
    the words of `needs` is in it, or `needs` is empty.
    """

    group: Group
    part: Literal["whole", "asked"]
    weight: float
    needs: str
    pattern: str


def _phrases(prompt: Wording) -> Iterator[Sign]:
    for phrase, needs, pattern in _compiled():
        if needs and needs.isdisjoint(prompt.words):
            continue
        found = pattern.search(prompt.lowered if phrase.part == "whole" else prompt.asked)
        if found:
            yield Sign(phrase.group, phrase.weight, found[0].strip())


@cache
def _compiled() -> tuple[tuple[_Phrase, frozenset[str], re.Pattern[str]], ...]:
    return tuple(
        (phrase, frozenset(phrase.needs.split()), re.compile(phrase.pattern)) for phrase in _PHRASES
    )


class _Patterns(msgspec.Struct, frozen=True):
    definite: re.Pattern[str]
    owned: re.Pattern[str]
    of_another: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    saying = "|".join(sorted(SAYING))
    return _Patterns(
        definite=re.compile(
            r"\b(?:the|that|this|my|our|his|her|their|which|last|next|latest|open) "
            r"([\w'-]+(?: [\w'-]+){0,2})"
        ),
        owned=re.compile(r"\b(?:my|the|a) ([\w'-]+(?: [\w'-]+)?)"),
        of_another=re.compile(
            rf"\b(?:did|does|do|has|have|had) (?:[\w'-]+ ){{1,4}}?(?:{saying})\b"
        ),
    )


_OWNERS = frozenset("my our his her their".split())
_BEFORE_ONE_WHO_DOES = frozenset("did does do didn't doesn't don't has have had hasn't".split())
_BEFORE_ONE_WHO_IS = frozenset(
    "is are was were isn't wasn't will would can could should might and or dr dr. mr mr. mrs mrs. "
    "ms ms. aunt uncle cousin coach attorney".split()
)
_POLITE = frozenset(
    "please kindly now then also hey hi ok okay can could would will you i'd like i want need to "
    "help me let's so and just".split()
)

_TALK = (
    r"(?:say|said|mention(?:ed)?|tell|told|ask(?:ed)?|discuss(?:ed)?|talk(?:ed)?|decided?|agreed?"
    r"|recommend(?:ed)?|suggest(?:ed)?|br(?:ing|ought) up|shared?|described?|settled?|concluded?"
    r"|promised?|advised?|explain(?:ed)?|help(?:ed)?)"
)
_TALKS = r"(?:conversations?|discussions?|chats?|sessions?|messages)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NOT_LONG_AGO = r"(?! ?,? ?1\d{3})"
_PAST = rf"(?:\w{{3,}}ed|{'|'.join(sorted(PAST_TENSE))})"
_FILE = (
    r"(?:py|js|ts|tsx|jsx|go|rs|java|cc?|cpp|hh?|hpp|rb|php|md|txt|json|ya?ml|toml|sql|sh|css|html"
    r"|csv|pdf|docx?|xlsx?|ipynb|cfg|ini|lock|log)"
)

_PHRASES = (
    _Phrase("earlier talk", "whole", 5, "i we you", rf"\b(?:did|have|had) (?:i|we|you) (?:\w+ ){{0,2}}?{_TALK}\b"),
    _Phrase("earlier talk", "whole", 4.5, "i we you", r"\b(?:i|we|you) (?:\w+ly |ever |first |also |just |had |have )?(?:mentioned|told you|asked you|discussed|talked|spoke|decided on|agreed|recommended|suggested|brought up|advised|promised|left off|concluded|settled|went over|were (?:talking|discussing|working)|said)\b"),
    _Phrase("earlier talk", "whole", 4.5, "our my previous past prior earlier these all", rf"\b(?:our|my|previous|past|prior|earlier|these|all) (?:\w+ )?{_TALKS}\b"),
    _Phrase("earlier talk", "whole", 4.5, "remind", r"\bremind me (?:what|who|when|where|which|why|how|of|about|again|if|whether|the)\b"),
    _Phrase("earlier talk", "whole", 4.5, "you off last", r"\b(?:do|can|could|if) you (?:still )?(?:remember|recall)\b|\bleft off\b|\blast time (?:i|we|you)\b"),
    _Phrase("earlier talk", "asked", 3.5, "you", r"\bdid you (?!know\b|hear\b)|\bhave you (?!ever\b|heard\b|got\b)|\bwere you\b|\bwhat do you (?:know|remember|have|recall) (?:about|on|of|from)\b"),
    _Phrase("earlier talk", "whole", 3.5, "my our i you we", r"^(?:considering|given|based on|in light of) (?:my|our|what (?:i|you|we))\b|\bwhat do we (?:know|remember|have|recall) (?:about|on|of|from)\b|\b(?:your|my|our) (?:memory|notes|memories|history|ledger|records)\b"),
    _Phrase("earlier talk", "asked", 2, "then other previously earlier", r"\b(?:back then|the other day|previously|earlier)\b"),
    _Phrase("the asker's doings", "asked", 4, "i we", r"\b(?:did|had) (?:i|we)\b"),
    _Phrase("the asker's doings", "asked", 3.5, "i we i've", rf"\b(?:have|am|are|was|were) (?:i|we)\b|\b(?:i|we) (?:\w+ly |ever |first |also |just |had |have |last )?{_PAST}\b|\bi've\b"),
    _Phrase("the asker's doings", "asked", 3, "i my me", r"\bi (?:am|plan|want|hope|like|prefer|have|own|use|aim)\b|\btake (?:for )?me\b"),
    _Phrase("the asker's doings", "asked", 3, "i my", r"\b(?:how (?:many|much|often|long|far|old|early|late)|which|what|who|when|where) (?:\S+ ){0,6}?(?:do|does) (?:i|my)\b(?! (?:do|go about|get|need to|have to)\b)"),
    _Phrase("the asker's doings", "asked", 1.5, "i we", r"\bhow do we\b|\bdo (?:i|we)\b"),
    _Phrase("the asker's own", "asked", 3, "my our mine ours", r"\b(?:my|our|mine|ours)\b"),
    _Phrase("the asker's own", "asked", 1, "me us", r"\b(?:me|us)\b"),
    _Phrase("work at hand", "whole", 4, "", r"\b(?:pr|mr|pull request|merge request|issue|ticket|bug|task|story|epic|rfc|adr|commit|build|job|run) ?(?:#|no\.? ?|number )?\d+\b|(?:^|\s)#\d+\b|\b[a-z]{2,6}-\d{2,}\b"),
    _Phrase("work at hand", "whole", 3.5, "status progress state where left what's still next", r"\bstatus (?:of|on|for)\b|\bprogress (?:on|of|with|so far)\b|\bstate of the\b|\bwhere (?:are|do) we (?:on|with|stand)\b|\bleft to do\b|\bwhat's (?:left|next|pending|open|blocking)\b|\bstill (?:open|blocked|failing|to do)\b|\bnext steps?\b"),
    _Phrase("work at hand", "whole", 2.5, "", rf"\b[\w/-]+\.{_FILE}\b"),
    _Phrase("work at hand", "asked", 2.5, "who", r"\bwho (?:is |was |else is )?(?:working on|owns|reviewed|approved|merged|maintains|signed off)\b"),
    _Phrase("a time", "whole", 1.5, "", rf"\b(?:yesterday|last (?:night|week|month|year|spring|summer|autumn|fall|winter|weekend|{_DAY})|this (?:week|morning|month|year|weekend|summer|winter)|(?:days?|weeks?|months?|years?) ago|recently|lately|so far|upcoming|these days|next (?:week|month|year)|scheduled|due)\b"),
    _Phrase("a time", "whole", 2, "", rf"\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?!\d){_NOT_LONG_AGO}|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b{_NOT_LONG_AGO}|\b20[0-3]\d-\d\d-\d\d\b|\b\d\d?[./]\d\d?[./]20\d\d\b"),
    _Phrase("a time", "whole", 1, "", r"\b20[0-3]\d\b|\bcurrent(?:ly)?\b"),
    _Phrase("a task", "whole", -4.5, "", r"\bthe (?:\w+ )?(?:given|following|below)\b|\bgiven (?:a|an|the|some|two|three|that|below)\b|\byou (?:are|will be|have been) (?:given|provided|asked|shown)\b|\bin this task\b|\bas (?:follows|input)\b|\bbased on the (?:given|information|description|text|passage)\b|\bprovided (?:below|text)\b|:\s*$"),
    _Phrase("how to", "asked", -3.5, "how where what", r"\b(?:how|where) (?:exactly )?(?:do|can|could|would|should|must|might) (?:i|you|one|someone|people|a person)\b(?! (?:have|say|think|know|remember|recall|like|prefer|usually|stand|keep|live|work)\b)|\b(?:how|where|what) to\b"),
    _Phrase("how to", "asked", -3.5, "can could may will would should must do need need needs needed able is am are what", r"^(?:\w+, )?(?:can|could|may|will|would|should|must) i\b|\b(?:am i|is it) (?:able|allowed|eligible|possible|supposed|ok|okay|normal|safe)\b|^do i (?:need|have) to\b|\b(?:can|could) i\b|\bwhat (?:happens )?if\b|^if i\b|\bwhat (?:is|are) the (?:process|procedure|point|best|steps|requirements)\b|^(?:\w+, )?(?:is|are) there (?:a|an|any|some|other)\b|\bneed(?:s|ed)? to be\b|\bbe able to\b"),
    _Phrase("how to", "asked", -3.5, "why", r"\bwhy (?:have|am|was|were|did) i (?:been|being|get|got|receive|charged|blocked|declined|not|see)\b"),
    _Phrase("how to", "asked", -3, "should would can could", r"\b(?:should|can|could|would) (?:i|we|my)\b"),
    _Phrase("how to", "asked", -2.5, "why my i we", r"\bwhy (?:is|isn't|was|wasn't|does|doesn't|can't|won't|would|hasn't|has|didn't|are|were) (?:i|my|the|it|there|this|an?)\b|^(?:is|are|will|would|can|could|does|should|has|hasn't) my\b|\bwhat do (?:i|we) (?:do|use|need|try|buy|wear|eat|take|get)\b|\bwhen will (?:i|my)\b"),
    _Phrase("a service", "whole", -2, "your you", r"\byour (?:service|app|company|bank|website|site|store|team|system|platform|services|products?)\b|\bdo you (?:offer|accept|support|charge|deliver|ship|provide|take|have)\b"),
    _Phrase("general knowledge", "whole", -2, "", r"\bstands? for\b|\bmeaning of\b|\bmean ?\?|\bdefinition\b|\bdifferences? between\b|\b(?:syno|anto)nyms?\b|\bin (?:general|history|the world)\b|\bof all time\b|\bworld's\b|\bspeed of\b"),
    _Phrase("general knowledge", "asked", -2, "", r"^(?:what|who|which) (?:is|are|was|were) an?\b|\b(?:how|where|what|why|when) (?:do|does|can|should) (?:people|one|a|an|you|\w+s)\b|\bwhat (?:causes?|makes)\b"),
    _Phrase("general knowledge", "asked", -1, "the", r"\bthe (?:first|second|most|largest|biggest|\w+est)\b(?! (?:to|of|from) )"),
)
