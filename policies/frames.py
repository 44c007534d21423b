"""What a clause says of what: frames of topic and value, and predicates affirmed or denied."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from policies.clauses import Clause, Words, read_clause
from policies.english import (
    ATTRIBUTES,
    DETERMINERS,
    FIXED,
    KINDS,
    MONEYED,
    OCCUPATIONS,
    PREPOSITIONS,
    PRONOUNS,
    known_verbs,
    noun,
    opposites,
    topic,
)
from policies.quantities import Quantity
from policies.statements import asserted


_FEW_WORDS = 4
_EXACT_TIME = {"date", "clock"}
_BUSY = re.compile(r"(?:be (?:in|at|on) |have an? )")
_TIMES = frozenset({"date", "weekday", "clock"})


class Frame(msgspec.Struct, frozen=True):
    """A thing's attribute has a value.

    `topic` holds the words for the thing and the attribute. `value` are the words of
    the value, `quantities` the amounts and times in it. `single` tells an attribute
    with one value at a time from one with many; `fixed` one that does not change.
    """

    topic: frozenset[str]
    attribute: str
    value: str
    quantities: tuple[Quantity, ...]
    single: bool
    fixed: bool
    clause: Clause


class Predicate(msgspec.Struct, frozen=True):
    """Something is affirmed or denied of a subject, in words that do not depend on which."""

    subject: frozenset[str]
    words: tuple[str, ...]
    affirmed: bool
    state: bool
    clause: Clause


class Reading(msgspec.Struct, frozen=True):
    """Everything that is understood of a text."""

    speaker: str | None
    frames: tuple[Frame, ...]
    predicates: tuple[Predicate, ...]


def read(text: str) -> Reading:
    """The frames and predicates of a text, in order."""
    telling = asserted(text)
    frames: list[Frame] = []
    predicates: list[Predicate] = []
    for part in telling.clauses:
        clause = read_clause(part)
        if clause is None:
            continue
        frames += _frames(clause)
        predicate = _predicate(clause)
        if predicate is not None:
            predicates.append(predicate)
    return Reading(telling.speaker, tuple(frames), tuple(predicates))


# -- frames ----------------------------------------------------------------------------

# Where a verb and what follows it name an attribute of the subject: (pattern of the
# predicate, attribute, of many values). The group `v` is the value, `t` more of the topic.
_ATTRIBUTES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), attribute)
    for pattern, attribute in (
        (r"(?:live|reside|stay|be (?:based|living|residing)) (?:in|at) (?P<v>.+)", "home"),
        (r"(?:move|relocate) (?:back )?(?:from .+? )?to (?P<v>.+)", "home"),
        (r"be (?:employed|hired) (?:by|at) (?P<v>.+)", "employer"),
        (r"work (?:at|for) (?P<v>.+)", "employer"),
        (r"start (?:a |the |his |her |my |work )?(?:new )?(?:job |position |role )?(?:at|with)"
         r" (?P<v>[^⟦].+)", "employer"),
        (r"join (?P<v>[A-Z]\w*(?: [A-Z]\w*)*)$", "employer"),
        (r"work as (?P<v>.+)", "job"),
        (r"be born (?:in|on) (?P<v>.+)", "birth"),
        (r"drive (?P<v>(?:an? |the )?.+)", "car"),
        (r"(?:switch|change) (?:over )?to (?P<v>an? [\w ]+)$", "car"),
        (r"be married to (?P<v>[A-Z].*)", "spouse"),
        (r"(?:be (?:deployed|hosted|located|situated|stored|kept|saved|held)|run|sit|lie"
         r"|reside|take place|happen|be) (?P<p>in|at|on|under|inside|behind|near|within) (?P<v>.+)", "place"),
        (r"be (?:moved|migrated|relocated|transferred) (?:from .+? )?to (?P<v>.+)", "place"),
        (r"be headquartered in (?P<v>.+)", "headquarters"),
        (r"be (?:written|implemented|coded|rewritten|built|developed) in (?P<v>[A-Z].*)",
         "language"),
        (r"study (?:at|in) (?P<v>[A-Z].*)", "school"),
        (r"(?:study|major in) (?P<v>[a-z]+(?: [a-z]+)?)$", "subject"),
        (r"report to (?P<v>.+)", "manager"),
        (r"bank with (?P<v>.+)", "bank"),
        (r"work in (?P<v>[A-Z].*)", "workplace"),
        (r"work in (?P<v>(?!the |an? |my |our |his |her )[a-z]+)$", "department"),
        (r"be licensed under (?P<v>.+)", "license"),
        (r"be due (?:on|by|in|at)? ?(?P<v>.+)", "deadline"),
        (r"be (?:called|named) (?P<v>.+)", "name"),
        (r"time out (?:after|in) (?P<v>.+)", "timeout"),
        (r"cost (?P<v>⟦.+)", "price"),
        (r"be priced at (?P<v>.+)", "price"),
        (r"be (?:limited|capped|restricted) (?:to|at) (?P<v>.+)", "limit"),
        (r"(?:listen|run|be (?:served|exposed)) on port (?P<v>.+)", "port"),
        (r"(?:launch|ship|release|be (?:released|launched|shipped)|go live) (?:on|in|at) (?P<v>.+)",
         "launch"),
        (r"(?:take place|happen|occur|start|begin|be held|be scheduled|be)"
         r" (?:at|on|in|for|every|from)? ?(?P<v>(?:every )?⟦.+)", ""),
        (r"(?:be set|stand|amount|run|total) (?:to|at)? ?(?P<v>⟦.+)", ""),
        (r"(?:end|finish) (?:at|on|in) (?P<v>.+)", "end"),
        (r"open (?:at|on|in|from) (?P<v>⟦.+)", "opening"),
        (r"close (?:at|on|in) (?P<v>⟦.+)", "closing"),
        (r"expire (?:at|on|in|after) (?P<v>.+)", "expiry"),
        (r"(?:move|shift|slip|change|rise|drop|fall|go up|go down|increase|decrease|grow|shrink"
         r"|be (?:moved|shifted|pushed(?: back)?|rescheduled|postponed|changed|brought forward"
         r"|raised|lowered|increased|reduced|cut|set|bumped|adjusted|delayed|extended|doubled"
         r"|halved|updated|upgraded)) (?:from .+? )?(?:to|until|till|at) (?P<v>⟦.+)", ""),
        (r"take (?P<v>⟦\d+⟧) of (?P<t>.+?)(?: (?:a day|daily|per day|every day))?$", "dose"),
        (r"(?:consist of|have|include|comprise|contain|be made up of) (?P<v>⟦\d+⟧)", ""),
        (r"be the parent of (?P<v>⟦\d+⟧)", ""),
        (r"(?:have|get) an? (?P<t>[\w ]{3,30}?) of (?P<v>⟦.+)", ""),
        (r"have (?:his|her|their|my|our|its|the) (?P<t>\w+) (?:on|at|in) (?P<v>⟦.+)", ""),
        (r"use (?P<v>.+?) as (?:its|the|our|their|a|his|her|my) (?P<t>[\w ]+)$", "use as"),
        (r"use (?P<v>[\w.+# ]+?) for (?P<t>.+)", "use"),
        (r"(?:decide|choose) to use (?P<v>[\w.+# ]+?) for (?P<t>.+)", "use"),
        (r"(?:decide on|choose|pick|select) (?P<v>[A-Z][\w.+# ]*?) for (?P<t>.+)", "use"),
        (r"(?:switch|migrate|move) (?P<t>.+?) (?:from .+? )?to (?P<v>[A-Z].*)", "use"),
        (r"be (?P<v>⟦\d+⟧) (?:old|of age)", "age"),
        (r"(?:weigh|last|earn|pay|measure|charge|allow|permit|retain|keep|expire after|retry) "
         r"(?:for |up to )?(?P<v>⟦\d+⟧.*)", "amount"),
    )
)
_VERSIONED = re.compile(
    r"(?:run(?: on)?|use|be (?:on|running|upgraded to|updated to|pinned to|built with)|target"
    r"|require|upgrade to|migrate to)(?: version)?"
    r"(?: of)? (?!port\b)(?P<n>[A-Za-z][\w.+-]*)(?: version)? (?P<v>⟦\d+⟧)"
)
# What stands in such a relation to a thing is one at a time: the subject is the value.
_HELD_BY = re.compile(
    r"(?:(?:lead|head|chair|own|manage|maintain)"
    r"|be (?:the |in )(?P<n>lead|head|owner|manager|chair|leader|ceo|cto|maintainer|author|charge"
    r"|president|mayor|captain|director) of|be (?P<r>responsible) for) (?P<t>.+)",
    re.IGNORECASE,
)
_BELONGS = re.compile(r"belong to (?P<v>.+)|be (?:owned) by (?P<w>.+)")
_LED_BY = re.compile(
    r"be (?P<n>led|managed|headed|chaired|maintained|owned) by (?P<v>.+)"
)
_LED = {"led": "lead", "managed": "manager", "headed": "lead", "chaired": "chair",
        "maintained": "maintainer", "owned": "own"}  # fmt: skip
_DEFINITE = re.compile(r"(?:the|our|my|your|his|her|their|this) |[A-Z]|\w+'s ")
_MANY = re.compile(r"be (?:born) ")
_OF = re.compile(r"\b(?:of|for|on|in|at)\b")
_NAMED = re.compile(r"(?:the |a |an |Dr\.? |Mr\.? |Ms\.? |Mrs\.? )*[A-Z]")
_PLACE_THING = re.compile(r"(?:the|our|my|his|her|its|their|an?) |[A-Z]|\w+-\w+-\d")


def _frames(clause: Clause) -> Iterator[Frame]:
    if not clause.affirmed or clause.episodic:
        return
    words = clause.subject
    if _EXACT_TIME <= {"date" if a.dimension == "weekday" else a.dimension for a in clause.when}:
        if words.is_person and _BUSY.match(clause.predicate):
            yield _frame(clause, topic([*words.words, "whereabouts"]), "whereabouts", clause.rest)
            return
    held = _held(clause)
    if held is not None:
        yield held
        return
    versioned = _VERSIONED.match(clause.predicate)
    if versioned is not None:
        about = topic([*words.words, versioned["n"], "version"])
        yield _frame(clause, about, "version", versioned["v"])
        return
    for pattern, attribute in _ATTRIBUTES:
        match = pattern.match(clause.predicate)
        if match is None:
            continue
        frame = _attributed(clause, attribute, match)
        if frame is not None:
            yield frame
            return
    if clause.verb == "become":
        if _occupation(clause.rest) and words.is_person:
            yield _frame(clause, topic([*words.words, "job"]), "job", clause.rest)
    elif clause.verb == "be" and (frame := _copula(clause)) is not None:
        yield frame
        return
    elif clause.verb == "use" and not words.is_person and KINDS.get(clause.rest.lower()):
        yield _used(clause, list(words.words), clause.rest)
    elif clause.verb in {"prefer"}:
        yield _frame(clause, topic(list(words.words)) | {"prefer"}, "preference",
                     clause.predicate.partition(" ")[2], single=False)  # fmt: skip
    measured = _measured(clause)
    if measured is not None:
        yield measured
    elif clause.verb == "be":
        pass
    elif 0 < len(clause.rest.split()) <= _FEW_WORDS and clause.verb in known_verbs():
        about = topic([*words.words, clause.verb])
        yield _frame(clause, about, clause.verb, clause.rest, single=False)


def _held(clause: Clause) -> Frame | None:
    match = _BELONGS.match(clause.predicate)
    if match is not None:
        about = topic([*clause.subject.words, "own"])
        return _frame(clause, about, "owner", match["v"] or match["w"])
    match = _LED_BY.match(clause.predicate)
    if match is not None:
        about = topic([*clause.subject.words, _LED[match["n"]]])
        return _frame(clause, about, _LED[match["n"]], match["v"])
    match = _HELD_BY.match(clause.predicate)
    if match is None or not (_DEFINITE.match(match["t"]) or match["r"]):
        return None
    relation = (match["n"] or match["r"] or clause.verb).lower()
    relation = {"charge": "lead", "be": "lead", "manage": "manager", "maintain": "maintainer"}.get(
        relation, relation
    )
    return _frame(
        clause, topic([*match["t"].split(), relation]), relation, " ".join(clause.subject.words)
    )


def _attributed(clause: Clause, attribute: str, match: re.Match[str]) -> Frame | None:
    value = match["v"].strip()
    groups = match.groupdict()
    more = (groups.get("t") or "").split()
    amounts = clause.quantities_in(value)
    person = clause.subject.is_person
    if attribute == "home":
        if value.startswith("⟦") and amounts:
            attribute = ""
        elif not (value[:1].isupper() or value.startswith(("the ", "a ", "an "))):
            return None
        elif not person and clause.verb in {"move", "stay", "relocate"}:
            return None
    if attribute == "place":
        if amounts and value.startswith("⟦"):
            return None
        if person and (clause.verb != "be" or not value[:1].isupper()):
            return None
        if not _PLACE_THING.match(value):
            return None
        seat = noun(clause.subject.words[-1])
        attribute = seat if seat in {"home", "headquarters", "office"} else attribute
    if attribute == "car" and clause.verb in {"switch", "change"} and not person:
        return None
    if attribute == "use":
        return _used(clause, more, value)
    if attribute == "use as":
        return _frame(clause, topic([*clause.subject.words, *more]), more[-1], value)
    if not attribute and not more and not amounts:
        return None
    if attribute in {"deadline", "launch", "limit", "timeout", "price", "port", ""} and not amounts:
        if not more and not _PLACE_THING.match(value):
            return None
    speaking = clause.subject.words[-1].lower() in {"i", "we"}
    if speaking and not attribute and not more and not _counts(amounts):
        return None
    counted = [amount.unit for amount in amounts if amount.dimension == "count"]
    if clause.verb == "be" and attribute == "" and any(a.dimension == "money" for a in amounts):
        if not ({noun(word) for word in clause.subject.words} & MONEYED):
            attribute = "price"
    about = topic([*clause.subject.words, *more, *attribute.split(), *counted])
    return _frame(clause, about, attribute or " ".join(more) or _said(clause), value)


_HOW_OFTEN = re.compile(r"\b(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually)$")


def _measured(clause: Clause) -> Frame | None:
    """Anything that is done or holds in some amount: the same of another amount differs."""
    if clause.past or clause.verb.startswith("can"):
        return None
    often = _HOW_OFTEN.search(clause.rest)
    if often is not None:
        about = topic([*clause.subject.words, clause.verb, *clause.rest[: often.start()].split()])
        return _frame(clause, about, f"how often: {clause.verb}", often[0])
    amounts = clause.quantities_in(clause.rest)
    if len(amounts) != 1 or clause.verb not in known_verbs() | {"be"}:
        return None
    if amounts[0].dimension in _TIMES:
        daily = clause.verb in {"wake", "sleep", "go", "leave", "arrive", "finish", "start"}
        if re.search(r"\ban? ", clause.rest) or (clause.subject.is_person and not daily):
            return None
    others = [word for word in clause.rest.split() if not word.startswith("⟦")]
    counted = [amounts[0].unit] if amounts[0].dimension == "count" else []
    about = topic([*clause.subject.words, clause.verb, *others, *counted])
    value = next(word for word in clause.rest.split() if word.startswith("⟦"))
    return _frame(clause, about, " ".join([clause.verb, *others]), value)


def _used(clause: Clause, purpose: list[str], value: str) -> Frame:
    """What is used for a purpose, or by a thing: one database, one language at a time."""
    kind = KINDS.get(value.split()[0].lower(), "use")
    about = topic([*purpose, kind])
    if purpose and purpose[0][0].islower() and purpose[0] not in DETERMINERS and kind == "use":
        about |= topic(list(clause.subject.words))
    return _frame(clause, about, kind, value)


def _counts(amounts: tuple[Quantity, ...]) -> bool:
    return any(amount.dimension == "count" for amount in amounts)


def _said(clause: Clause) -> str:
    return " ".join(clause.subject.words)


def _copula(clause: Clause) -> Frame | None:
    """'The A of X is V' and 'X is a nurse': attributes of one value; other descriptions none."""
    words, value = clause.subject, clause.rest
    if not value:
        return None
    nouns = [noun(word) for word in words.words]
    head = _head(words)
    last = noun(value.split()[-1])
    if words.is_person and _occupation(value):
        return _frame(clause, topic([*words.words, "job"]), "job", value)
    if clause.quantities_in(value) and not words.is_person:
        return _frame(clause, topic(list(words.words)), _said(clause), value)
    favourite = "favourite" in nouns
    if not favourite and _state(value)[0] and not value.startswith(("a ", "an ")):
        return None
    if not favourite and head not in ATTRIBUTES:
        return None
    if head in {"home", "office", "headquarters"} and value.split()[0] in PREPOSITIONS:
        value = value.split(" ", 1)[-1]
    if favourite and last in PRONOUNS:
        return None
    plain = favourite or head in {"colour", "status", "job", "theme", "name", "blood", "type",
                                  "level", "mode", "priority", "branch", "editor", "timezone", "currency", "format",
                                  "shell", "browser", "plan", "tier", "role", "department",
                                  "subject", "major", "phone", "pet", "car", "kernel", "title", "region", "language",
                                  "diet", "default", "protocol", "engine", "font", "password"}
    exact = " " not in value and re.search(r"[@./\d_]", value)
    if not (plain or exact or _NAMED.match(value) or _PLACE_THING.match(value)):
        return None
    return _frame(clause, topic(list(words.words)), " ".join(words.words), value)


_TRADE = re.compile(r"an? (?!good|great|bad|terrible|decent|excellent|amazing|better|fast|slow)"
                    r"(?P<t>[\w -]+?)(?: (?:at|for|in|with|who|of|by)\b.*)?$")  # fmt: skip


def _occupation(value: str) -> bool:
    match = _TRADE.match(value)
    return match is not None and noun(match["t"].split()[-1]) in OCCUPATIONS


def _head(words: Words) -> str:
    """The noun that the subject is: 'deadline' in 'the deadline for Atlas', 'Atlas deadline'."""
    phrase = " ".join(words.words)
    return noun(_OF.split(phrase)[0].split()[-1]) if _OF.split(phrase)[0].split() else ""


def _frame(
    clause: Clause, about: frozenset[str], attribute: str, value: str, *, single: bool = True
) -> Frame:
    return Frame(
        about,
        attribute,
        clause.spelled(value),
        clause.quantities_in(value),
        single,
        bool(about & FIXED),
        clause,
    )


# -- predicates ------------------------------------------------------------------------

_SAME: tuple[tuple[re.Pattern[str], str, bool], ...] = tuple(
    (re.compile(pattern), said, denies)
    for pattern, said, denies in (
        (r"be (?:a )?(?:strict )?(?:vegetarian|vegan)\b.*", "eat meat", True),
        (r"eat (?:no|zero) meat\b", "eat meat", True),
        (r"(?:love|like|enjoy) (?:beef|steak|bacon|pork|burgers)\b", "eat meat", False),
        (r"eat (?:beef|pork|chicken|steak|bacon|ham|lamb|sausage|burger)s?\b.*", "eat meat", False),
        (r"be (?:a )?teetotall?er\b", "drink alcohol", True),
        (r"drink (?:beer|wine|whisky|whiskey|vodka)\b", "drink alcohol", False),
        (r"be (?:a |the )?(?:heavy |chain )?smoker\b", "smoke", False),
        (r"be (?:a |the )?non-?smoker\b", "smoke", True),
        (r"(?:dislike|hate|detest|loathe)\b", "like", True),
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
        (r"work (?:in the office|on[- ]site)\b", "be remote", True),
        (r"need a\b", "require a", False),
        (r"allow\b", "allow", False),
        (r"(?:forbid|prohibit|ban|disallow)\b", "allow", True),
    )
)
_STOPPED = re.compile(r"(?:stop|quit|give up|gave up) (\w+)ing\b")
_STARTED = re.compile(r"(?:start|begin|resume|take up) (\w+)ing\b")


def _predicate(clause: Clause) -> Predicate | None:
    """What is affirmed or denied, after opposites are read as denials."""
    if clause.episodic:
        return None
    said, denied = clause.predicate, not clause.affirmed
    for pattern, positive, denies in _SAME:
        match = pattern.match(said)
        if match is not None:
            said, denied = positive + said[match.end() :], denied != denies
            break
    for pattern, denies in ((_STOPPED, True), (_STARTED, False)):
        match = pattern.match(said)
        if match is not None:
            said, denied = match[1] + said[match.end() :], denied != denies
    state = False
    if said.startswith("be "):
        phrase, flips = _state(said[3:])
        state = phrase != ""
        if state:
            said, denied = f"be {phrase}", denied != flips
    elif said.startswith("approve "):
        return _approval(clause, said, denied)
    if clause.past and not (state and said.split()[1].endswith("ed")) and not clause.when:
        return None
    words = tuple(
        noun(word) for word in clause.spelled(said).split() if word.lower() not in DETERMINERS
    )
    words = tuple(_stem(word) if at == 0 else word for at, word in enumerate(words))
    if not words or words == ("be",) or set(words) & PRONOUNS:
        return None
    return Predicate(topic(list(clause.subject.words)), words, not denied, state, clause)


def _approval(clause: Clause, said: str, denied: bool) -> Predicate:  # noqa: FBT001 - a polarity
    """'The board approved Atlas' says of Atlas that it is approved."""
    about = topic(said.split()[1:])
    return Predicate(about, ("be", "approved"), not denied, True, clause)  # noqa: FBT003


def _state(rest: str) -> tuple[str, bool]:
    """What follows 'be', with its first words read as the positive of their pair; '' if none."""
    known = opposites()
    words = re.sub(r"^an? ", "", rest).split()
    for length in (3, 2, 1):
        first = " ".join(words[:length]).lower()
        if len(words) >= length and first in known:
            positive, flips = known[first]
            return " ".join([positive, *words[length:]]), flips
    if words and re.match(r"(?:un|non-?|in)\w{4,}$", words[0]):
        return rest, False
    return "", False


def _stem(verb: str) -> str:
    return verb.rstrip("e") if len(verb) > 3 else verb  # noqa: PLR2004
