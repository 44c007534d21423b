"""What is affirmed or denied of a subject, in words that do not depend on which of the two."""

from __future__ import annotations

import re

import msgspec

from policies.statements.clauses import Clause
from policies.statements.english import DETERMINERS, PRONOUNS, noun, topic
from policies.statements.lexicon import FEELINGS, opposites
from policies.statements.places import is_place


class Predicate(msgspec.Struct, frozen=True):
    """Something is affirmed or denied of a subject, in words that do not depend on which.

    `ever` tells what was done at some time, or at no time, from what is done.
    """

    subject: frozenset[str]
    words: tuple[str, ...]
    affirmed: bool
    state: bool
    clause: Clause
    ever: bool = False


Readings = tuple[tuple[re.Pattern[str], str, bool], ...]
_SAME: Readings = tuple(
    (re.compile(pattern), said, denies)
    for pattern, said, denies in (
        (r"be (?:a )?(?:strict )?vegetarian\b.*", "eat meat", True),
        (r"be (?:a )?(?:strict )?vegan\b.*", "eat animal product", True),
        (r"(?:eat|follow|keep|have) (?:a |an )?(?:strict )?vegetarian(?: diet)?$", "eat meat", True),
        (r"(?:eat|follow|keep|have) (?:a |an )?(?:strict )?vegan(?: diet)?$",
         "eat animal product", True),
        (r"work (?:for|with) (?=[A-Z])", "work at ", False),
        (r"be employed (?:by|at) (?=[A-Z])", "work at ", False),
        (r"leave (?=[A-Z])", "work at ", True),
        (r"(?:quit|resign from) (?:his |her |my |their |the )?(?:job at |position at )?(?=[A-Z])",
         "work at ", True),
        (r"be retired\b.*|retire$", "work", True),
        (r"(?:distrust|mistrust|not trust)\b", "trust", True),
        (r"disagree\b", "agree", True),
        (r"disapprove of\b", "approve of", True),
        (r"oppose\b", "support", True),
        (r"be (?:against|opposed to)\b", "be in favour of", True),
        (r"be in favor of\b", "be in favour of", False),
        (r"ignore\b", "follow", True),
        (r"avoid (?:all |any )?(?:use |using )?", "use ", True),
        (r"fail\b", "pass", True),
        (r"run$", "be running", False),
        (r"exclude\b", "include", True),
        (r"own an? (?=\w)", "have ", False),
        (r"(?:cancel|sell|get rid of) (?:the|his|her|their|my|our) (?=\w)", "have ", True),
        (r"(?:decline|turn down) (?=(?:the|his|her|their|my|our) (?:\w+ )?(?:offer|invitation|job|"
         r"request|terms|apology)\b)", "accept ", True),
        (r"be (?:a )?(?:coeliac|celiac)\b", "use gluten", True),
        (r"be lactose[- ]intolerant\b", "use lactose", True),
        (r"lose (?=(?:the|his|her|their|our|my) (?:\w+ )?(?:match|game|election|case|bet|race|"
         r"championship|contract|bid|final|tournament|competition|award|war|trial|lawsuit)\b)",
         "win ", True),
        (r"cost nothing\b|be free of charge\b|be for free\b", "be paid", True),
        (r"get divorced\b", "be married", True),
        (r"be (?:losing money|in the red|unprofitable|loss-making)\b", "be profitable", True),
        (r"(?:lose|make a loss of) money\b", "be profitable", True),
        (r"(?:make a profit|make money)\b", "be profitable", False),
        (r"be (?:terrified|scared|afraid|frightened) of\b", "be comfortable with", True),
        (r"be (?:uncomfortable|uneasy) with\b", "be comfortable with", True),
        (r"(?:fear)\b", "be comfortable with", True),
        (r"be stored unencrypted\b", "be encrypted", True),
        (r"be stored encrypted\b", "be encrypted", False),
        (r"be an only child\b", "have sibling", True),
        (r"(?:rise|increase|grow|go up|climb)(?= in |$)", "increase", False),
        (r"(?:fall|decrease|drop|shrink|decline|go down)(?= in |$)", "increase", True),
        (r"need (?!to\b|a\b)", "require ", False),
        (r"tolerate\b", "like", False),
        (r"get married\b", "be married", False),
        (r"drink$", "drink alcohol", False),
        (r"eat (?:no|zero) meat\b", "eat meat", True),
        (r"be (?:a )?teetotall?er\b", "drink alcohol", True),
        (r"be (?:a |the )?(?:heavy |chain )?smoker\b", "smoke", False),
        (r"be (?:a |the )?non-?smoker\b", "smoke", True),
        (r"(?:dislike|hate|detest|loathe|dread)\b", "like", True),
        (r"can not (?:stand|bear|tolerate)\b", "like", True),
        (r"can (?:stand|bear|tolerate)\b", "like", False),
        (r"(?:love|enjoy|adore|be (?:a (?:big |huge )?fan|fond) of)\b", "like", False),
        (r"have support for\b", "support", False),
        (r"(?:lack|have no) support for\b", "support", True),
        (r"lack\b", "have", True),
        (r"have (?:an? |any )?allerg(?:y|ies)(?: to)?\b", "be allergic", False),
        (r"have no (?:known )?allerg(?:y|ies)(?: to)?\b", "be allergic", True),
        (r"be allergic to(?: any| anything)?\b", "be allergic", False),
        (r"have no (?=\w)", "have ", True),
        (r"have (?:an?|any|some) (?=\w)", "have ", False),
        (r"be a (?:bachelor|bachelorette)\b", "be married", True),
        (r"(?:reject|decline|refuse|deny)\b", "approve", True),
        (r"be turned on\b", "be enabled", False),
        (r"be turned off\b", "be enabled", True),
        (r"can speak\b", "speak", False),
        (r"speak (?:any|some|a little|good)\b", "speak", False),
        (r"can (?=play|swim|drive|cook|ride|read|sing|dance|ski)", "", False),
        (r"be able to\b", "can", False),
        (r"work full[- ]time\b", "be at work", False),
        (r"work part[- ]time\b", "be at work", True),
        (r"work (?:remotely|from home)\b", "be remote", False),
        (r"work (?:in the office|from the office|on[- ]site)\b", "be remote", True),
        (r"need a\b", "require a", False),
        (r"(?:disable|turn off|switch off)\b", "enable", True),
        (r"(?:turn on|switch on)\b", "enable", False),
        (r"be (?:opposite|unlike)\b", "be like", True),
        (r"allow\b", "allow", False),
        (r"(?:forbid|prohibit|ban|disallow)\b", "allow", True),
    )
)
# What does something in particular does the thing; who does not, may still do it.
_IMPLIES: Readings = tuple(
    (re.compile(pattern), said, denies)
    for pattern, said, denies in (
        (r"(?:love|like|enjoy|adore) (?:eating|to eat) ", "eat ", False),
        (r"(?:love|like|enjoy|adore) (?:drinking|to drink) ", "drink ", False),
        (r"(?:love|like|enjoy) (?:beef|steak|bacon|pork|burgers)\b", "eat meat", False),
        (r"drink (?:beer|wine|whisky|whiskey|vodka)\b", "drink alcohol", False),
        (r"eat (?:beef|pork|chicken|steak|bacon|ham|lamb|sausage|burger)s?\b.*", "eat meat", False),
        (r"eat (?:\w+ (?:and|or) )+meat\b", "eat meat", False),
    )
)
# What is told in the past tense, and is so since.
_SETTLED = re.compile(r"(?:pass|win) (?:the|his|her|their|our|my) |increase in Q\d"
                      r"|work at [A-Z]|have \w|accept the |be (?:not )?\w+ed$|agree with (?:the|his|her|their|our|my) ")
# 'Requires no login' denies that it requires a login.
_NO_SUCH = re.compile(r"(require|support|use|contain|include|take|eat|drink|accept|offer|speak"
                      r"|want|own|know|provide|sell|like|serve|wear|allow|need|pay|charge) no (?=\w)")
_BEGUN = (
    (re.compile(r"(?:stop|quit|give up) (\w+)ing\b"), True),
    (re.compile(r"(?:start|begin|resume|take up) (\w+)ing\b"), False),
)


def read_predicate(clause: Clause) -> Predicate | None:
    """What a clause affirms or denies, with opposites read as denials; None if nothing lasts."""
    been = _BEEN.match(clause.predicate) is not None and clause.verb == "be"
    if clause.experienced or clause.never or been:
        return _experienced(clause)
    if clause.episodic:
        return None
    if clause.verb == "cost" and any(a.dimension == "money" and a.amount for a in clause.amounts):
        paid = ("be", "paid")
        return Predicate(topic(clause.subject.words), paid, clause.affirmed, True, clause)  # noqa: FBT003
    if clause.verb == "leave" and is_place(clause.rest):
        return None
    said, flips = _positive(clause.predicate, _IMPLIES + _SAME if clause.affirmed else _SAME)
    affirmed = clause.affirmed != flips
    if said.startswith("approve "):
        # 'The board approved Atlas' says of Atlas that it is approved.
        return Predicate(topic(clause.spelled(said).split()[1:]), ("be", "approved"), affirmed, True, clause)  # noqa: FBT003
    state = False
    if said.startswith("be "):
        phrase, flips = state_of(said[3:])
        if phrase:
            state, said, affirmed = True, f"be {phrase}", affirmed != flips
    told = _SETTLED.match(said) is not None
    settled = told or (state and said.split()[1].endswith("ed"))
    state |= told
    if clause.past and not settled and not clause.when:
        return _experienced(clause)
    if said.startswith("increase") and not (clause.when or " in Q" in said):
        # Prices rose and prices fell, at two times.
        return None
    words = _words(clause.spelled(said))
    passing = words[:1] == ("be",) and len(words) == 2 and words[1] in FEELINGS and not state  # noqa: PLR2004
    if passing or not words or words == ("be",) or not PRONOUNS.isdisjoint(words):
        return None
    return Predicate(topic(clause.subject.words), words, affirmed, state, clause)


_BEEN = re.compile(r"(?:be|go|travel|fly|visit)(?: to)? (?P<v>(?:the )?[A-Z][\w-]*(?: [A-Z][\w-]*)*)$")


def _experienced(clause: Clause) -> Predicate | None:
    """What somebody has done or never did: 'has never been to Italy', 'went to Italy'."""
    been = _BEEN.match(clause.predicate)
    said = f"visit {been['v']}" if been is not None else clause.predicate
    words = _words(clause.spelled(said))
    if not words or not PRONOUNS.isdisjoint(words):
        return None
    if not clause.never and been is None:
        # Of a thing in particular: who did not drink coffee drank some on another day.
        alone = len(words) == 1 and clause.experienced and not clause.subject.is_person
        if not alone and not _DEFINITE.match(clause.rest):
            if not (clause.past or clause.experienced) or not clause.affirmed:
                return None
            if not clause.subject.is_person or len(words) == 1:
                return None
    return Predicate(
        topic(clause.subject.words), words, clause.affirmed, state=False, clause=clause, ever=True
    )


_DEFINITE = re.compile(r"(?:the|his|her|their|my|our|its) ")


def _positive(said: str, readings: Readings) -> tuple[str, bool]:
    """A predicate in the words of its positive, and whether it denies that."""
    denied = False
    for pattern, positive, denies in readings:
        match = pattern.match(said)
        if match is not None:
            said, denied = positive + said[match.end() :], denies
            break
    nothing = _NO_SUCH.match(said)
    if nothing is not None:
        said, denied = f"{nothing[1]} {said[nothing.end() :]}", not denied
    for pattern, denies in _BEGUN:
        match = pattern.match(said)
        if match is not None:
            return match[1] + said[match.end() :], denied != denies
    return said, denied


def _words(said: str) -> tuple[str, ...]:
    words = [noun(word) for word in said.split() if word.lower() not in DETERMINERS]
    return (_stem(words[0]), *words[1:]) if words else ()


_PREFIXED = re.compile(r"(?:un|non-|in|im|ir|dis)([a-z]{3,}(?:ed|ing|able|ible|al|ful|free|ive|ant|ent|ic))$")


def state_of(rest: str) -> tuple[str, bool]:
    """What follows 'be', its first words as the positive of their pair and whether they deny it.

    Empty where they are of no pair.
    """
    known = opposites()
    words = re.sub(r"^an? ", "", rest).split()
    for length in (3, 2, 1):
        first = " ".join(words[:length]).lower()
        if len(words) >= length and first in known:
            positive, flips = known[first]
            return " ".join([positive, *words[length:]]), flips
    # 'Unheated' is not heated; of 'united' nobody says the contrary.
    prefixed = _PREFIXED.match(words[0]) if words else None
    return (" ".join([prefixed[1], *words[1:]]), True) if prefixed else ("", False)


def _stem(verb: str) -> str:
    return verb.rstrip("e") if len(verb) > 3 else verb  # noqa: PLR2004
