"""What a constraint says: whom it is about, what it bounds, rules out and asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from policies.common_kinds import DIETS
from policies.constraints import constraint_class, sentences
from policies.quantities import WEEKDAYS, Bound, Quantity, bounds, quantities
from policies.units import singular


class Exclusion(msgspec.Struct, frozen=True):
    """Something ruled out; where `context` has words, only together with one of them."""

    thing: str
    context: tuple[str, ...] = ()


class Requirement(msgspec.Struct, frozen=True):
    """Something asked for: what it is, and the words that ask for it."""

    thing: str
    words: str


class Constraint(msgspec.Struct, frozen=True):
    """A constraint as read from its text.

    `about` are the people whom it names, in lowercase: empty where it is about
    nobody in particular, 'user' where someone speaks of themselves or of 'us'.
    `bounds` are comparisons that must hold, `blocked` stretches that must not be
    touched, `exact` values that are asked for. `aliases` are other names for
    what it rules out.
    """

    text: str
    constraint_class: str | None
    about: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()
    blocked: tuple[Bound, ...] = ()
    exact: tuple[Quantity, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    aliases: tuple[str, ...] = ()


USER = "user"
_NP_END = re.compile(
    r"[.](?!\d)|[,;:!?()]|\s[-\N{EN DASH}\N{EM DASH}]\s|\s(?:because|since|as|so|due"
    r"|for|when|while|if|unless|until|during|after|before|in|on|at"
    r"|with|without|that|which|who|to|from|by|but|than|under|over|per|into|onto"
    r"|between|within|through|via|even|at all"
    r"|whatsoever|any ?more|either|please|though|although|is|are|was|must|should|can"
    r"|will|may|has|have|outside"
    r"|instead|of any kind|anywhere|ever)\b",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\s*,\s*(?:and |or |nor )?|\s+(?:and/or|and|or|nor|&|as well as)\s+|\s*/\s*", re.IGNORECASE
)
_INSIDE = re.compile(
    r"^\s*(?:anything|everything|any|all)?\s*(?:foods?|dish(?:es)?|meals?|products?"
    r"|recipes?|things?|drinks?|snacks?)?\s*"
    r"(?:with|containing|made (?:with|from|of)|that (?:contains?|has|have)|based on)\s+",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:(?:the|a|an|any|all|some|more|other|every|each|our|my|his|her|their|its"
    r"|your|of|to|in|with|on|using|use|and|or"
    r"|anything|eating|drinking|having|taking|touching|using|contact with|products?"
    r"|foods?|things?|made|containing|contains?|kinds?|types?|such|most|both|only"
    r"|also|from|be)\s+)+",
    re.IGNORECASE,
)
_LIGHT = frozenset(
    "use using eat eats drink drinks have take takes serve buy order include recomm"
    "end suggest book offer"
    " add give give feed be touch consume tolerate handle get choose pick propose i"
    "nstall wear prescribe"
    " administer accept allow allowed contain bring receive purchase adopt eating d"
    "rinking support fit like"
    " stand bear do given ship install deploy run depend rely import hire rent visi"
    "t adopt pull".split()
)
_DENIAL = (
    r"(?:must ?n[o']t|must never|should not|should never|shouldn't|shall not|may not"
    r"|can ?not|can't|are not to|is not to"
    r"|is not allowed to|are not allowed to|isn't allowed to|aren't allowed to"
    r"|not supposed to|do not|don't|does not"
    r"|doesn't|never|won't|will not|no longer|not be)"
)
_ALLERGIC = re.compile(
    r"\b(?:allerg(?:ic|y|ies)|intoleran(?:t|ce)|sensitiv(?:e|ity)|anaphyla\w+"
    r"|reacts?(?: badly| strongly| violently)?|hives|rash(?:es)?|migraines?|cramps"
    r"|sick|ill|shock|reaction) (?:to|of|from|after) (?P<things>.+)",
    re.IGNORECASE,
)
_ALLERGY = re.compile(
    r"(?P<things>[\w-]+(?: (?:and|or) [\w-]+)?)[ -](?:allerg(?:y|ies)|intoleran(?:t|ce))\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    rf"\b{_DENIAL}\s+(?:ever\s+|be\s+|to\s+)?(?P<verb>[a-z-]+)\s*(?P<things>.*)", re.IGNORECASE
)
_AVOIDED = re.compile(
    r"\b(?:avoid(?:s|ing)?|stay away from|steer clear of|keep away from"
    r"|incompatible with|not compatible with|n't compatible with"
    r"|does not support|doesn't support|do not support|don't support|(?:must"
    r"|should) be free (?:of|from)|rules? out|off limits:"
    r"|contraindicated (?:with|for|in)|except|anything but|abstains? from|skips?) (?P<things>.+)",
    re.IGNORECASE,
)
_NONE_OF = re.compile(
    r"(?:^|[,:;.]\s*|\b(?:with|and|has|have|eats?|there (?:is|are)|absolutely"
    r"|strictly|serves?|uses?|gives?|offers?|takes?|contains?|includes?|adds?"
    r"|brings?|wants?|allows?|buys?|orders?|puts?|drinks?|accepts?)\s)no (?!more\b"
    r"|less\b|later\b|longer\b|fewer\b|earlier\b|one\b|matter\b)(?P<things>.+)",
    re.IGNORECASE,
)
_BANNED = re.compile(
    r"^(?P<things>.+?)\s+(?:is|are)\s+(?:strictly |absolutely )?(?:not (?:allowed"
    r"|permitted|an option|acceptable|okay|ok|tolerated|possible)|out|a no-go|taboo"
    r"|no option|forbidden|prohibited|banned"
    r"|off[- ]limits|off the table|out of the question|ruled out|toxic|poisonous"
    r"|dangerous|harmful|fatal|deadly|contraindicated|excluded|unacceptable)",
    re.IGNORECASE,
)
_KEPT_AWAY = re.compile(r"\bkeep (?P<things>.+?) (?:away|out|off)\b", re.IGNORECASE)
_MAKES_ILL = re.compile(
    r"^(?:.*[:,] )?(?P<things>.+?) (?:makes?|gives?|triggers?|causes?"
    r"|sends?) (?:[A-Za-z]+ ){1,3}?(?:very |badly |violently )?(?:ill|sick|unwell"
    r"|nauseous"
    r"|hives|migraines?|headaches?|rash(?:es)?|seizures?|attacks?|itch\w*|into shock"
    r"|cramps|heartburn|reactions?)\b",
    re.IGNORECASE,
)
_FREE = re.compile(r"\b(?P<things>[a-z]+)[- ]free\b", re.IGNORECASE)
_NOT_FREE = frozenset(
    "hands step stress care debt duty toll rent free barrier scot worry smoke royalty".split()
)
_DIET = re.compile(rf"\b(?P<diet>{'|'.join(DIETS)})s?\b", re.IGNORECASE)
_UNTOUCHED = re.compile(
    r"\b(?:not|n't|un|never|no \w+)[ -]?(?:be )?(?:available|free|reachable"
    r"|around)?\b|\b(?:away|closed|busy|on (?:holiday|vacation|leave)|out of"
    r" office|blackout|unavailable|blocked|travell?ing|booked)\b",
    re.IGNORECASE,
)
_REQUIRED = (
    re.compile(
        r"\b(?:requires?|needs?|insists? on|demands?|depends? on|relies on"
        r"|is limited to|are limited to|is restricted to)\s+(?!to\b"
        r"|not\b)(?P<things>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:must|has to|have to|needs? to|need to|should|shall"
        r"|ought to)\s+(?:always\s+|only\s+|at least\s+)?(?:be|have|use|support"
        r"|run(?: on| under)?|include|provide|offer|come with|contain|fit|accept"
        r"|stay(?: on)?|be run on|work with|allow)\s+(?!not\b|no\b"
        r"|never\b)(?P<things>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:only|exclusively|solely)\s+(?:ever\s+)?(?:works?|runs?|fits?"
        r"|supports?|accepts?|compatible|eats?|drinks?|flies|fly|uses?|using|use"
        r"|available|book|buy|takes?|take|serve|deploy|stays?|travels?|wears?"
        r"|order)\s+(?:with|on|in|under|from|by|to)?\s*(?P<things>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:works?|runs?|fits?|supports?|accepts?|eats?|drinks?|flies|uses?"
        r"|available|sold|served?|coffee|tea|comes?|travels?)\s+(?:only"
        r"|exclusively)\s+(?:with|on|in|under|from|by|to)?\s*(?P<things>.+)",
        re.IGNORECASE,
    ),
    re.compile(r"\bonly\s+(?:with|on|under|in|by)\s+(?P<things>.+)", re.IGNORECASE),
    re.compile(
        r"^(?:please )?always (?:use|book|buy|order|serve|choose|pick|take|deploy on"
        r"|run)\s+(?P<things>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:^|[:;,]\s*)(?P<things>(?!not\b|if\b)[\w+#.-]+(?: [\w+#.-]+){0,2}) only[.!]?$",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bonly\s+\w+s\s+(?:over|via|with|on|through|from|in|by)\s+(?P<things>.+)", re.IGNORECASE
    ),
    re.compile(
        r"\b(?:accepts?|takes?|supports?|uses?|has|wants?|works? with"
        r"|runs? on)\s+(?P<things>[\w+#-]+(?: [\w+#-]+)?)\s+only\b",
        re.IGNORECASE,
    ),
)
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|me|my|mine|we|we're|us|our|ours)\b")
_STATE = (
    r"(?:(?:severely |deathly |badly |also |highly |now |a |an |on |strict "
    r"|strictly )*(?:allergic|intolerant|vegan|vegetarian|pescatarian|teetotal\w*"
    r"|diabetic|epileptic|asthmatic|c(?:o)?eliac|lactose|gluten|pregnant|away|on|abroad"
    r"|unavailable|available|blind|deaf|afraid|colou?r|sensitive|recovering"
    r"|breastfeeding|immunocompromised|tall|type))"
)
_HUMAN = (
    r"(?:eats?|drinks?|takes?|fl(?:y|ies)|drives?|walks?|sleeps?|smokes?|wears?|travels?"
    r"|sits?|climbs?|tolerates?|stands?|affords?|spends?|pays?|be given|avoids?|swims?"
    r"|lifts?|commutes?|prefers?|hates?|dislikes?|works?|hears?|sees?|keeps kosher"
    r"|reacts?|suffers?|carr(?:y|ies)|stays?|leaves?|arrives?|attends?|meets?|uses?)"
)
_NAMED = re.compile(
    rf"\b(?P<name>[A-Z][a-z]+)(?: [A-Z][a-z]+)?(?: and (?P<other>[A-Z][a-z]+))?,? (?:"
    rf"(?:is|are|'s|was) (?:not )?{_STATE}\b"
    rf"|(?:(?:can ?not|can't|must ?n[o']t|must never|must|should not|should never"
    rf"|shouldn't|should|may not|does not|doesn't|do not|don't|never|won't"
    rf"|will not|has to|have to|needs to|only|no longer|always|must only"
    rf"|is not allowed to|can only|will only|is allergic|refuses to"
    rf"|is on) )?{_HUMAN}\b"
    rf"|(?:has|have|suffers from|'s got) (?:[\w-]+ ){{0,4}}?(?:allerg|intoleran"
    rf"|asthma|epilepsy|diabetes|ulcer|phobia|condition|surgery|injury)"
    rf"|(?:needs|uses) (?:a |an )?(?:wheelchair|step|ramp|crutches|lift))"
)
_OWNED = re.compile(
    r"\b(?P<name>[A-Z][a-z]+)'s (?=(?:[\w-]+ ){0,3}?(?:allerg|budget|intoleran|diet"
    r"|doctor|limit|deadline|ceiling|calendar|medication|religion|condition|price"
    r"|maximum|laptop|phone|camera|wedding|birthday|team))"
)
_FOR = re.compile(r"\b(?:for|with|to|near|around|by) (?P<name>[A-Z][a-z]+)\b(?!'s)(?! [A-Z\d])")
_RELATIVE = re.compile(
    r"\b(?:my|our|his|her|their|the) (?P<name>son|daughter|wife|husband|partner"
    r"|mother|mum|mom|father|dad|sister|brother|child|kid|baby|boss"
    r"|friend|colleague|grandmother|grandfather|grandma|grandpa|aunt|uncle|cousin"
    r"|nephew|niece|flatmate|roommate|manager|dog|cat|neighbou?r|guest|client"
    r"|patient|boyfriend|girlfriend|fianc[eé]e?)s?\b",
    re.IGNORECASE,
)
_NO_PERSON = frozenset(
    "we i my she he they you it's who people dishes pets the this that it our all a"
    "ny every each no never do please only budget keep avoid always monday tuesday "
    "wednesday"
    " thursday friday saturday sunday january february march april may june july au"
    "gust september october november"
    " december everything anything nothing everyone nobody someone there what when "
    "where who new must max maximum"
    " minimum deadline note important people guests total python windows linux post"
    "gres usb macos java node".split()
)


def read_constraint(
    text: str,
    aliases: Sequence[str] = (),
    source: str | None = None,
    given_class: str | None = None,
) -> Constraint | None:
    """What a statement bounds, rules out and asks for; None where nothing of it can be read.

    `aliases` are other names by which the memory is asked for. `source` (`user:dana`) says who
    speaks, where the text says 'I'. `given_class` stands for the recognised one.
    """
    found = constraint_class(text) if given_class is None else given_class
    stated: list[Bound] = []
    blocked: list[Bound] = []
    exact: list[Quantity] = []
    exclusions: list[Exclusion] = []
    requirements: list[Requirement] = []
    for sentence in sentences(text):
        limits, untouched, values = _measures(sentence)
        stated += limits
        blocked += untouched
        exact += values
        exclusions += _exclusions(sentence)
        requirements += _requirements(sentence)
    if not (stated or blocked or exact or exclusions or requirements):
        return None
    return Constraint(
        text=text,
        constraint_class=found,
        about=about(text, source),
        bounds=tuple(stated),
        blocked=tuple(blocked),
        exact=tuple(exact),
        exclusions=_distinct(exclusions),
        requirements=tuple({one.thing: one for one in requirements}.values()),
        aliases=tuple(aliases),
    )


def about(text: str, source: str | None = None) -> tuple[str, ...]:
    """The people whom a statement is about, in lowercase, 'user' among them for whoever speaks."""
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    found = [
        name.lower()
        for pattern in (_NAMED, _OWNED, _FOR)
        for match in pattern.finditer(plain)
        for name in (match["name"], match.groupdict().get("other"))
        if name and name.lower() not in _NO_PERSON
    ]
    found += [match["name"].lower() for match in _RELATIVE.finditer(plain)]
    if not found and _FIRST_PERSON.search(plain):
        found.append(USER)
        scheme, _, name = (source or "").partition(":")
        if scheme == "user" and name:
            found.append(re.split(r"[\W_]", name.lower())[0])
    return tuple(dict.fromkeys(found))


# -- measures --------------------------------------------------------------------------


def _measures(sentence: str) -> tuple[list[Bound], list[Bound], list[Quantity]]:
    """Bounds that must hold, stretches that must not be touched, and values asked for."""
    stated, blocked = [], []
    found = bounds(sentence)
    denied = _UNTOUCHED.search(sentence) is not None
    for bound in found:
        moment = bound.quantity.dimension in ("date", "clock", "weekday")
        both = bound.low is not None and bound.high is not None
        if moment and both and denied:
            blocked.append(bound)
        elif moment and _closes(sentence, bound):
            blocked.append(bound)
        else:
            stated.append(bound)
    taken = [(bound.start, bound.end) for bound in found]
    free = [
        one
        for one in quantities(sentence)
        if not any(start <= one.start < end for start, end in taken)
    ]
    exact = [one for one in free if _is_asked_for(sentence, one)]
    stated += [
        Bound(None, one, strict=False, text=one.text, start=one.start, end=one.end)
        for one in free
        if one not in exact and _is_ceiling(sentence, one)
    ]
    return stated, blocked, exact


def _closes(sentence: str, bound: Bound) -> bool:
    """'unavailable before 10:30', 'away until 3 June': what the comparison names is ruled out."""
    if re.search(r"\b(?:no|not|never|n't)\b|n't\b", bound.text, re.IGNORECASE):
        return False
    before = sentence[max(0, bound.start - 40) : bound.start]
    return (
        re.search(
            r"\b(?:unavailable|away|closed|busy|on (?:holiday|vacation|leave)"
            r"|blocked|out of office|travell?ing|abroad|off)\s*$",
            before,
            re.IGNORECASE,
        )
        is not None
    )


def _is_asked_for(sentence: str, quantity: Quantity) -> bool:
    """Whether a value without a comparison is the one that is needed."""
    if quantity.dimension not in ("version", "number", "data", "voltage", "power", "frequency"):
        return False
    before = sentence[: quantity.start]
    return (
        re.search(
            r"\b(?:requires?|needs?|must|only|has to|have to|depends? on|runs? on"
            r"|works? (?:only )?with|pinned|stay on|stuck on|limited to)\b",
            before,
            re.IGNORECASE,
        )
        is not None
        and re.search(r"\b(?:not|n't|never)\b[^,;]*$", before) is None
    )


def _is_ceiling(sentence: str, quantity: Quantity) -> bool:
    """Whether a plain amount is a ceiling by what is said around it: 'the deadline is 3 June'."""
    before = sentence[max(0, quantity.start - 80) : quantity.start]
    if quantity.dimension == "money":
        return (
            re.search(r"\b(?:budget|ceiling|limit|afford|cap|maximum)\b", sentence, re.IGNORECASE)
            is not None
        )
    if quantity.dimension in ("date", "clock", "weekday"):
        return (
            re.search(r"\b(?:deadline|due|cut-?off|expires?|ends?)\b", before, re.IGNORECASE)
            is not None
        )
    return False


# -- things ----------------------------------------------------------------------------


def _exclusions(sentence: str) -> Iterator[Exclusion]:
    for pattern in (_ALLERGIC, _ALLERGY, _AVOIDED, _NONE_OF):
        for match in pattern.finditer(sentence):
            yield from _ruled_out(match["things"])
    for pattern in (_BANNED, _KEPT_AWAY, _MAKES_ILL):
        if (match := pattern.search(sentence)) is not None:
            yield from _ruled_out(re.split(r"[:,]\s", match["things"])[-1])
    for match in _FREE.finditer(sentence):
        if match["things"].lower() not in _NOT_FREE:
            yield Exclusion(match["things"].lower())
    for match in _DIET.finditer(sentence):
        if match["diet"].lower() == "lactose" and "intoleran" not in sentence.lower():
            continue
        for thing in DIETS[match["diet"].lower()]:
            yield Exclusion(thing)
    for match in _DENIED.finditer(sentence):
        yield from _denied(match["verb"].lower(), match["things"])


def _ruled_out(words: str) -> Iterator[Exclusion]:
    """Things of a list, each ruled out; days that follow narrow them."""
    days = _days(words)
    things = list(_things(words))
    if days and things:
        context = tuple(word for thing in things for word in _content(thing))
        yield from (Exclusion(day, context) for day in days)
        return
    for thing in things or days:
        yield Exclusion(thing)


def _denied(verb: str, words: str) -> Iterator[Exclusion]:
    """What 'never' or 'do not' with a verb rules out.

    With a place or a way given, only there and so: keys may be put elsewhere
    than in the repository.
    """
    if verb in _GIVING:
        words = _RECEIVER.sub("", words)
    if bounds(f"{verb} {words}") and not _days(words):
        # What is denied is the amount, not the thing.
        return
    days = _days(words)
    things = list(_things(words)) if words.strip() else []
    light = verb in _LIGHT
    if days:
        context = (
            ()
            if light and not things
            else tuple(
                word for one in ([] if light else [verb], *map(_content, things)) for word in one
            )
        )
        yield from (Exclusion(day, context) for day in days)
        return
    if things:
        where = None if light else _WHERE.search(words)
        place = [] if where is None else [w for one in _things(where[1]) for w in _content(one)]
        for thing in things:
            yield Exclusion(thing, () if light else tuple(place) or (verb,))
        return
    behind = re.match(
        r"(?:to|in|on|at|with|from|into|by|for|near|through)\s+(?P<things>.+)",
        words.strip(),
        re.IGNORECASE,
    )
    if behind is not None:
        for thing in _things(behind["things"]):
            yield Exclusion(thing, () if light else (verb,))


_GIVING = frozenset("give serve offer bring send prescribe feed get buy cook order book".split())
_RECEIVER = re.compile(
    r"^(?:[A-Z][a-z]+|him|her|them|us|me|(?:my|our|his|the) \w+) (?=\w)(?!(?:in|on|at|to)\b)"
)
_WHERE = re.compile(r"\b(?:in|into|on|to|via|by|through|over|inside)\s+(.+)", re.IGNORECASE)


def _requirements(sentence: str) -> Iterator[Requirement]:
    for pattern in _REQUIRED:
        for match in pattern.finditer(sentence):
            denied = re.search(
                rf"\b{_DENIAL}\s+(?:\w+\s+)?$", sentence[: match.start()], re.IGNORECASE
            )
            if denied is not None:
                continue
            for thing in _things(match["things"]):
                if (match_free := _FREE.search(thing)) and match_free["things"] not in _NOT_FREE:
                    continue
                if not re.search(r"\d", thing) or re.search(r"[a-z]-?\d|-", thing):
                    yield Requirement(thing, match[0].strip(" .!"))


def _things(words: str) -> Iterator[str]:
    """The noun phrases of a list, in lowercase, without articles and what follows them."""
    text = _INSIDE.sub("", re.sub(r"\([^)]*\)", " ", words))
    parts = _LIST.split(text)
    for part in parts:
        cut = _NP_END.split(" " + part, maxsplit=1)[0]
        thing = _LEADING.sub("", cut.strip().lower()).strip(" .,!?'\"-")
        ended = _NP_END.search(" " + part) is not None
        if thing and len(thing.split()) <= 4 and thing not in _VAGUE and not _is_day(thing):  # noqa: PLR2004 - longer is a clause
            yield thing
            if (bare := _without_general_head(thing)) is not None:
                yield bare
        if ended:
            return


_GENERAL_HEADS = frozenset(
    "code library package dependency product food dish item ingredient software con"
    "tent flight component module"
    " tool framework licence license meal drink device medicine medication drug tab"
    "let pill service system".split()
)


def _without_general_head(thing: str) -> str | None:
    """'gpl' of 'gpl libraries': the last word only says what sort of thing it is."""
    *first, last = thing.split()
    return " ".join(first) if first and singular(last) in _GENERAL_HEADS else None


_VAGUE = frozenset(
    "it them this that anything everything something one ones any all both us me hi"
    "m her you him either more less much"
    " lot stuff way time there here able sure".split()
)


def _days(words: str) -> list[str]:
    low = words.lower()
    return [day for day in (*WEEKDAYS, "weekend") if re.search(rf"\b{day}s?\b", low)]


def _is_day(thing: str) -> bool:
    return thing.removesuffix("s") in (*WEEKDAYS, "weekend")


def _content(thing: str) -> list[str]:
    return [word for word in re.findall(r"[\w+#-]+", thing) if word not in _VAGUE]


def _distinct(exclusions: Iterable[Exclusion]) -> tuple[Exclusion, ...]:
    """Each thing once; without a context where one reading has none."""
    best: dict[str, Exclusion] = {}
    for one in exclusions:
        if one.thing not in best or (best[one.thing].context and not one.context):
            best[one.thing] = one
    return tuple(best.values())
