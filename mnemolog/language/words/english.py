"""Words of English that judging two statements needs: forms of verbs, opposites, synonyms."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import msgspec

from mnemolog.language.patterns import regex


def words(text: str) -> frozenset[str]:
    """The words of a list that is written as one text."""
    return frozenset(text.split())


# fmt: off
BE = words("am is are was were be been being")
HAVE = words("have has had having")
DO = words("do does did")
MODAL = words("can will must shall should")
PAST_AUXILIARY = frozenset({"was", "were", "had", "did"})
DETERMINERS = words(
    "a an the this that these those my our your his her its their some any every each"
)
PREPOSITIONS = words(
    "of in on at for from to with by under over near about into through during as per "
    "between behind above below inside within against until since than before after"
)
PRONOUNS = words(
    "it this that these those there they them he she him her you your yours one ones something "
    "anything nothing everything someone everyone which who what here "
    "his its their"
)
"""What a subject or object may not be: nothing in the text says for sure what it stands for."""

ADVERBS = regex(
    r"\b(?:right now|at the moment|at present|these days|as of (?:now|today)|for now|nowadays"
    r"|by default|from now on|now|currently|still|also|really|actually|just|already|officially"
    r"|recently|finally|presently|again|yet|too|anymore|any more|even|very|quite|definitely"
    r"|fully|completely|totally|usually|often|always|generally|normally|typically|mostly"
    r"|instead(?! of)"
    r"|at all|directly|a lot|very much|so much|regularly|simply|absolutely|certainly|permanently"
    r"|temporarily|personally|honestly|truly|fluently|fluent|happily|newly|at the latest|sharp"
    r"|(?:a|two|three) (?:week|month|year)s? ago|as of)\b",
    re.IGNORECASE,
)
EPISODE = regex(
    r"\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week|"
    r"weekend|time)|the other day|so far|in total|ago|next (?:week|month|year|time)|one day|"
    r"someday|eventually|soon|until recently|last time|once|another|this year)\b",
    re.IGNORECASE,
)
"""What happens once, or adds up: the like of it on another day is no contradiction."""

_VERBS = (
    "see enable disable record interact vote "
    "live reside stay work study drive own belong lead manage head chair run use like love "
    "enjoy adore hate dislike detest loathe prefer drink eat speak take cost weigh last start "
    "begin launch ship release close open end finish listen support allow permit require need "
    "have consist contain include expire charge pay earn smoke move relocate switch change "
    "become join upgrade migrate raise lower increase reduce reschedule postpone decide "
    "choose pick approve reject accept cancel write implement build store schedule set know "
    "play sleep wake keep hold stand lack time limit teach depend return send read visit "
    "travel wear make exercise commute go quit stop give offer provide serve occur happen "
    "retry rise drop fall receive rent total number measure cover maintain handle spend cook "
    "learn believe trust follow attend suffer tolerate process rely connect point feature "
    "default adopt replace report bank leave get graduate dread seat agree opt bike want host "
    "deploy track sit marry found establish die retire depart arrive back sync poll sell "
    "cycle walk swim jog land come cause distrust mistrust disagree disapprove oppose avoid "
    "ignore exclude renew submit deliver install remove confirm invite subscribe enrol "
    "succeed deny refuse buy complete pass fail win lose decrease grow shrink decline climb "
    "meet fear fly log validate encrypt cache compress filter parse verify monitor scan check "
    "save update upload download restart crash block reset generate display render export "
    "notify collect share hide expose trigger execute fix solve detect clean wash paint plant "
    "feed bark bite bake hire train help hurt watch call text email answer sign invest owe "
    "borrow lend contribute participate practice practise perform sing dance ride cure treat "
    "prevent protect contradict guarantee produce manufacture import order miss skip forget "
    "remember improve worsen harm degrade shave swap flow hinder strengthen weaken expand "
    "encourage discourage praise criticise criticize gain retain delete archive print ban "
    "forbid prohibit beat defeat hang hug boil roast turn mind worry snore shed flower bloom "
    "float sink freeze melt burn leak flood purchase shut commence resign recover survive "
    "sponsor fund finance coach mentor supervise tutor oversee direct edit compose design "
    "invent discover develop create major recommend stock carry respect obey violate break "
    "repair reply respond recycle donate"
)
_IRREGULAR = {
    "see": "saw seen",
    "lead": "led led", "drive": "drove driven", "run": "ran run", "drink": "drank drunk",
    "eat": "ate eaten", "speak": "spoke spoken", "take": "took taken", "cost": "cost cost",
    "begin": "began begun", "have": "had had", "pay": "paid paid", "become": "became become",
    "choose": "chose chosen", "write": "wrote written", "build": "built built", "set": "set set",
    "know": "knew known", "sleep": "slept slept", "wake": "woke woken", "keep": "kept kept",
    "hold": "held held", "stand": "stood stood", "teach": "taught taught", "send": "sent sent",
    "read": "read read", "wear": "wore worn", "make": "made made", "go": "went gone",
    "quit": "quit quit", "give": "gave given", "rise": "rose risen", "fall": "fell fallen",
    "get": "got gotten", "leave": "left left", "found": "founded founded", "die": "died died",
    "cancel": "canceled canceled cancelled", "buy": "bought bought", "spend": "spent spent",
    "come": "came come", "win": "won won", "lose": "lost lost", "meet": "met met",
    "grow": "grew grown", "shrink": "shrank shrunk", "fly": "flew flown",
    "learn": "learned learnt", "forget": "forgot forgotten", "beat": "beat beaten",
    "hang": "hung hung", "forbid": "forbade forbidden", "travel": "travelled traveled",
    "bite": "bit bitten", "feed": "fed fed", "lend": "lent lent", "sing": "sang sung",
    "ride": "rode ridden", "sink": "sank sunk", "freeze": "froze frozen", "hide": "hid hidden",
    "shut": "shut shut", "break": "broke broken", "sell": "sold sold", "hurt": "hurt hurt",
    "shed": "shed shed", "oversee": "oversaw overseen", "swim": "swam swum",
}
_DOUBLED = frozenset(
    {"stop", "ship", "drop", "quit", "set", "run", "begin", "swim", "get", "log", "scan", "shed",
     "shut", "reset", "skip", "ban", "swap", "hug"}
)

_SYNONYMS = {
    "favorite": "favourite", "color": "colour", "gp": "doctor", "physician": "doctor",
    "boss": "manager", "occupation": "job", "profession": "job", "fee": "price", "cost": "price",
    "kid": "child", "children": "child", "birthday": "birth", "born": "birth",
    "hq": "headquarters", "headquarters": "headquarters", "leader": "lead", "movie": "film",
    "licence": "license", "licensed": "license", "head": "lead", "owner": "own",
    "ceiling": "limit", "cap": "limit", "maximum": "limit", "max": "limit", "release": "launch",
    "residence": "home", "wife": "spouse", "husband": "spouse", "people": "member",
    "person": "member", "employee": "member", "db": "database", "organisation": "organization",
    "ram": "memory", "birthplace": "birth", "established": "founded", "constructed": "built",
    "erected": "built", "depart": "leave", "commence": "start", "begin": "start", "finish": "end",
    "shut": "close", "purchase": "buy", "mobile": "phone", "telephone": "phone", "due": "deadline",
    "my": "i", "mine": "i", "me": "i", "user": "i", "our": "we", "ours": "we", "us": "we",
    "meetup": "meeting",
}
_SILENT = frozenset({"project", "current", "new", "year", "date", "day", "total", "official"})
"""Words of a topic that do not tell one attribute from another."""
_NUMBER_OF = regex(r"(?:the )?(?:total )?number of\b", re.IGNORECASE)

# fmt: on


class VerbForm(msgspec.Struct, frozen=True):
    """A form of a known verb: its base, and whether it is base, s, past or ing."""

    lemma: str
    form: str


@cache
def verb_forms() -> dict[str, VerbForm]:
    """Every form of the known verbs; of two readings of a form, the finite present."""
    found: dict[str, VerbForm] = {}
    for verb in _VERBS.split():
        stem = verb.removesuffix("e")
        if verb in _DOUBLED:
            stem = verb + verb[-1]
        third = f"{verb}es" if re.search(r"(?:ch|sh|ss|x|z|o)$", verb) else f"{verb}s"
        past = f"{stem}ed"
        if re.search(r"[^aeiou]y$", verb):
            third, past = f"{verb[:-1]}ies", f"{verb[:-1]}ied"
        if verb == "have":
            third = "has"
        for form in _IRREGULAR.get(verb, past).split():
            found.setdefault(form, VerbForm(verb, "past"))
        found[f"{stem}ing"] = VerbForm(verb, "ing")
        found[third] = VerbForm(verb, "s")
        found[verb] = VerbForm(verb, "base")
    found["rewritten"] = VerbForm("write", "past")
    return found


@cache
def known_verbs() -> frozenset[str]:
    """The base forms of the verbs whose forms are known."""
    return words(_VERBS)


def noun(word: str) -> str:
    """A noun's singular in lower case, in the spelling or synonym that it is compared by."""
    word = word.lower().removesuffix("'s").removesuffix("'")
    if word == "users":
        # Not the user, who speaks.
        return word
    if word in _SYNONYMS:
        return _SYNONYMS[word]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):  # noqa: PLR2004
        if word.endswith("ies"):
            word = f"{word[:-3]}y"
        elif word.endswith(("ches", "shes", "xes", "sses", "zes")):
            word = word[:-2]
        else:
            word = word[:-1]
    return _SYNONYMS.get(word, word)


def topic(phrase: Iterable[str]) -> frozenset[str]:
    """The words that tell what a phrase is about, in whatever order it says them."""
    listed = list(phrase)
    found = {noun(word) for word in listed}
    # 'My boss's boss' is not my boss.
    found |= {word for word in listed if word.endswith("'s") and word[:-2] in listed}
    telling = {word for word in found if word not in DETERMINERS and word not in PREPOSITIONS}
    telling |= {"a"} if "A" in listed[1:] else set()
    if _NUMBER_OF.match(" ".join(listed)) and len(telling) > 2:  # noqa: PLR2004
        # 'The number of rooms in the flat' is how many rooms it has.
        telling -= {"number"}
    if "limit" in telling:
        telling -= {"size", "rate"}
    for thing, silent in (("phone", "number"), ("email", "address")):
        telling -= {silent} if thing in telling else set()
    if len(telling) > 1:
        telling -= {"we"}
    return frozenset(telling - _SILENT) or frozenset(telling)
