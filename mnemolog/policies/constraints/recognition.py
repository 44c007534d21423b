"""Recognition of constraints: their class, whom they are about, what they rule out or ask for.

It goes by what English says when it limits. Precision comes first: everyday talk is full of
'must', 'never' and 'can't' that limit nothing ('you must be tired', 'never mind'), and a
constraint that is none would be brought along with every plan.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache

import msgspec

from mnemolog.language.calendar import WEEKDAYS
from mnemolog.language.entities import KINDS as COMMON_KINDS
from mnemolog.language.lists import Lists, Rule, plain_letters, regex, word_set
from mnemolog.language.quantities.amounts import Bound
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.quantities.numbers import number_words
from mnemolog.language.sentences import main_clauses, spoken
from mnemolog.language.words.lexicon import singular

LISTS = Lists("mnemolog.policies.constraints", "constraints", shared=COMMON_KINDS)
RE = LISTS.patterns_by_name

SAFETY, COST, COMPATIBILITY = "safety", "cost", "compatibility"
TIME, POLICY, PREFERENCE = "time", "policy", "preference"
CLASSES = (SAFETY, COST, COMPATIBILITY, TIME, POLICY, PREFERENCE)
"""The classes that are recognised, the gravest first."""

LONGEST = 600  # characters; who says more tells a story, in which a limit is by the way
USER = "user"  # the speaker

_TABLES = (
    *("dangers", "ceilings", "capacities", "moments", "binds"),
    *("fittings", "needs", "policies", "habits"),
)
_COUNTING_ENDS = ("day", "days", "ber")
_COMPARISON_SIGNS = "<>\N{LESS-THAN OR EQUAL TO}\N{GREATER-THAN OR EQUAL TO}"
_MEASURED = ("moments", "ceilings", "capacities", "binds")
_MOMENTS = frozenset({"date", "clock", "weekday"})
_COMPATIBLE = frozenset(
    {"version", "data", "data rate", "power", "voltage", "current", "frequency", "pixels"}
)

# Without one of these words no idiom is there, and without one of these parts no denied danger.
_IDIOMATIC = word_set("never don't donot do n't can't cannot can only no")
_DANGERS = word_set("allerg intoleran sensitive diabetic eliac asthmatic anaphylactic")
# No mark that could end a sentence but at its end, and no name of who speaks, or number, before it.
_ONE_SENTENCE = regex(
    r"(?![\s\d])[^.!?\N{HORIZONTAL ELLIPSIS}\n`;:\N{IDEOGRAPHIC FULL STOP}"
    r"\N{FULLWIDTH EXCLAMATION MARK}\N{FULLWIDTH QUESTION MARK}]*+"
    r"[.!?\N{HORIZONTAL ELLIPSIS}]*+(?<!\s)"
)


def constraint_class(text: str) -> str | None:
    """The class of the constraint that a text states; None if it states none.

    safety (allergies, medicine, danger, secrets), cost (money), compatibility
    (requirements, versions), time (deadlines, availability), policy (rules) or
    preference (diets and habits): the gravest of those that its sentences state.
    """
    # Most texts have none of the words, and need not be split into sentences.
    if len(text) > LONGEST or _triggers().isdisjoint(_words(text)):
        return None
    return gravest(map(_class_of, clause_texts(text)))


def gravest(found: Iterable[str | None]) -> str | None:
    """The gravest of some classes; None where there is none."""
    there = frozenset(found)
    return next((one for one in CLASSES if one in there), None)


def clause_texts(text: str) -> list[str]:
    """The sentences of a text, without the name of who speaks."""
    plain = plain_letters(text)
    if text and _ONE_SENTENCE.fullmatch(plain):
        return [plain]
    _, plain = spoken(plain)
    return [plain[start:end] for start, end in main_clauses(plain)]


@lru_cache(maxsize=16)  # a text of one sentence is read as both
def _words(text: str) -> frozenset[str]:
    return frozenset(RE.plain_word.findall(plain_letters(text).lower()))


@cache
def _rules(table: str) -> tuple[Rule, ...]:
    return LISTS.rules(table)


@cache
def _triggers() -> frozenset[str]:
    """The words without one of which no rule can find anything."""
    return frozenset().union(*(rule.needs for table in _TABLES for rule in _rules(table)))


@lru_cache(maxsize=4096)
def _rules_with(triggers: frozenset[str]) -> dict[str, list[re.Pattern[str]]]:
    """Patterns of each table's rules that need one of these words."""
    return {
        table: [rule.pattern for rule in _rules(table) if not rule.needs.isdisjoint(triggers)]
        for table in _TABLES
    }


@cache
def _counting() -> frozenset[str]:
    """Words that may count or date something; `_COUNTING_ENDS` end the others."""
    return frozenset(number_words()) | LISTS.words("counting")


def _has_number(sentence: str, words: frozenset[str]) -> bool:
    return (
        not words.isdisjoint(_counting())
        or RE.digit.search(sentence) is not None
        or any(word.endswith(_COUNTING_ENDS) for word in words.difference(_COUNTING_ENDS))
    )


def _tells_story(sentence: str, words: frozenset[str]) -> bool:
    told = not words.isdisjoint(LISTS.words("story_words"))
    return told and RE.story.search(sentence) is not None


def _first(patterns: Iterable[re.Pattern[str]], sentence: str) -> re.Match[str] | None:
    return next((found for one in patterns if (found := one.search(sentence))), None)


def _class_of(sentence: str) -> str | None:
    words = _words(sentence)
    triggers = words & _triggers()
    if not triggers or sentence.endswith("?") or denies_danger(sentence):
        return None
    rules = _rules_with(triggers)
    plain = sentence if words.isdisjoint(_IDIOMATIC) else RE.idioms.sub(" ", sentence)
    if _first(rules["dangers"], plain) and RE.over.search(plain) is None:
        return SAFETY
    found = _measured(plain, rules) or _unmeasured(plain, rules)
    # Looked for last, as few sentences get here.
    return None if found is None or RE.told.search(plain) else found


def _unmeasured(sentence: str, rules: Mapping[str, Sequence[re.Pattern[str]]]) -> str | None:
    # 'It needs a version', a size, or a thing named by a code.
    need = _first(rules["needs"], sentence)
    if need is not None and RE.speakers_need.search(sentence):
        need = None
    if _first(rules["fittings"], sentence) or (
        need and (RE.technical_name.search(need["what"]) or _measures(need["what"], _COMPATIBLE))
    ):
        return COMPATIBILITY
    if _first(rules["policies"], sentence):
        return POLICY
    return PREFERENCE if _first(rules["habits"], sentence) else None


def denies_danger(text: str) -> bool:
    """True if a text says that somebody is not allergic, and of no allergy of anybody."""
    if not any(map(text.__contains__, _DANGERS)) or RE.unharmed.search(text) is None:
        return False
    return RE.a_danger.search(RE.unharmed.sub(" ", text)) is None


def _measured(sentence: str, rules: Mapping[str, Sequence[re.Pattern[str]]]) -> str | None:
    compares = any(map(sentence.__contains__, _COMPARISON_SIGNS))
    if not (compares or any(map(rules.get, _MEASURED))):
        return None
    words = frozenset(RE.run.findall(sentence.lower()))
    if not _has_number(sentence, words) or _tells_story(sentence, words):
        return None
    if _first(rules["moments"], sentence) and (
        _measures(sentence, _MOMENTS) or RE.day_or_hour.search(sentence) is not None
    ):
        return TIME
    if _first(rules["ceilings"], sentence) and _measures(sentence, {"money"}):
        return COST
    holds = _first(rules["capacities"], sentence)
    if not (holds or compares or _first(rules["binds"], sentence)):
        return None
    found = (_class_of_bound(bound, sentence) for bound in bounds(sentence))
    return next(filter(None, found), POLICY if holds else None)


def _measures(text: str, dimensions: frozenset[str] | set[str]) -> bool:
    return any(one.dimension in dimensions for one in quantities(text))


def _class_of_bound(bound: Bound, sentence: str) -> str | None:
    dimension = bound.quantity.dimension
    if dimension == "money":
        return COST if bound.high is not None else None
    if dimension in _MOMENTS:
        return TIME if RE.strict.search(sentence) else None
    if dimension in _COMPATIBLE:
        return COMPATIBILITY
    if dimension == "mass" and RE.dose.search(sentence):
        return SAFETY
    return None if dimension == "number" else POLICY


def about(text: str, source: str | None = None) -> tuple[str, ...]:
    """People whom a statement is about, in lowercase; 'user' is the speaker."""
    plain = plain_letters(text)
    found = [
        name.lower()
        for pattern in (RE.named, RE.owned, RE.owner_first, RE.titled, RE.family, RE.for_whom)
        for match in pattern.finditer(plain)
        for name in (match["name"], match.groupdict().get("other"))
        if name and name.lower() not in LISTS.words("no_person")
    ]
    found += [match["name"].lower() for match in RE.relative.finditer(plain)]
    if not found and RE.first_person.search(plain):
        scheme, _, name = (source or "").partition(":")
        own = re.split(r"[\W_]", name.lower())[:1] if scheme == "user" and name else []
        found = [USER, *own]
    return tuple(dict.fromkeys(found))


def is_named(subject: str) -> bool:
    """True if a subject is a name, rather than a son, a guest or the speaker."""
    return subject != USER and RE.relative.match(f"the {subject}") is None


_DAYS = (*WEEKDAYS, "weekend")
_LONGEST_PHRASE = 4
_NOTHING_DONE = word_set("be do have get take come want use like need prefer")
_GIVING = word_set("give serve offer bring send prescribe feed get buy cook order book")


class Exclusion(msgspec.Struct, frozen=True):
    """Something ruled out; where `context` has words, only together with one of them."""

    thing: str
    context: tuple[str, ...] = ()


class Requirement(msgspec.Struct, frozen=True):
    """Something asked for: what it is, and the words that ask for it."""

    thing: str
    words: str


def exclusions(sentence: str) -> Iterator[Exclusion]:
    """Exclusions of a sentence."""
    patterns = (RE.allergic, RE.allergy, RE.avoided)
    for match in (match for pattern in patterns for match in pattern.finditer(sentence)):
        yield from _ruled_out(match["things"])
    for match in RE.none_of.finditer(sentence):
        yield from _none_of(match["things"])
    for pattern in (RE.banned, RE.kept_away, RE.makes_ill):
        found = pattern.search(sentence)
        if found is None or bounds(found["things"]):
            continue
        words = re.split(r"[:,]\s", found["things"])[-1]
        if "without" not in words.split():
            when = RE.on_days.match(sentence[found.end() :])
            yield from _none_of(words) if when is None else _ruled_out(words + when[0])
    for match in RE.shut.finditer(sentence):
        yield from map(Exclusion, _days_named(match["days"]))
    for match in RE.not_to_be.finditer(sentence):
        yield from _each(match["things"], (match["done"],))
    yield from map(Exclusion, _free_of(sentence))
    for match in RE.diet.finditer(sentence):
        yield from map(Exclusion, COMMON_KINDS.table("diets")[match["diet"].lower()])
    for match in RE.denied.finditer(sentence):
        yield from _denied(match["verb"].lower(), match["things"])


def _each(words: str, context: tuple[str, ...]) -> Iterator[Exclusion]:
    return (Exclusion(thing, context) for thing in _noun_phrases(words))


def _none_of(words: str) -> Iterator[Exclusion]:
    """Exclusions of 'no': all of a thing, only such as is with something, or what it may not do."""
    if (doing := RE.may.match(words)) is not None:
        yield from _denied(doing["verb"].lower(), doing["things"])
        return
    narrowed = RE.such_as.match(words)
    if narrowed is None or _days_named(words):
        yield from _ruled_out(words)
        return
    yield from _each(narrowed["things"], tuple(_content_words(narrowed["which"].lower())))
    if narrowed["how"].lower() != "with":
        for name in re.findall(r"\b[A-Z][\w-]+", narrowed["which"]):
            yield Exclusion(name.lower())


def _ruled_out(words: str) -> Iterator[Exclusion]:
    """Things of a list, each ruled out; days that follow narrow them."""
    days, things = _days_named(words), list(_noun_phrases(words))
    context = tuple(_content_words(" ".join(things))) if days else ()
    return (Exclusion(one, context) for one in (days or things))


def _denied(verb: str, words: str) -> Iterator[Exclusion]:
    """Exclusions of 'never' with a verb; with a place or a way given, only there and so."""
    words = RE.receiver.sub("", words) if verb in _GIVING else words
    days, things = _days_named(words), list(_noun_phrases(words)) if words.strip() else []
    context: tuple[str, ...] = () if verb in LISTS.words("light") else (verb,)
    if days:
        doing = [] if verb in _NOTHING_DONE else [verb]
        said = (*doing, *_content_words(" ".join(things)))
        yield from (Exclusion(day, said) for day in days)
    elif bounds(f"{verb} {words}"):
        # What is denied is the amount, not the thing.
        return
    elif things:
        if context and (where := RE.where.search(words)):
            context = tuple(_content_words(" ".join(_noun_phrases(where[1])))) or context
        yield from (Exclusion(thing, context) for thing in things)
    elif (behind := RE.behind.match(words.strip())) is not None:
        yield from _each(behind["things"], context)


def distinct(exclusions: Iterable[Exclusion]) -> tuple[Exclusion, ...]:
    """Each thing once; without a context where one reading has none."""
    best: dict[str, Exclusion] = {}
    for one in exclusions:
        if one.thing not in best or (best[one.thing].context and not one.context):
            best[one.thing] = one
    return tuple(best.values())


@cache
def _wordings() -> tuple[re.Pattern[str], ...]:
    return LISTS.patterns("requirements")


def requirements(sentence: str) -> Iterator[Requirement]:
    """The things that a sentence asks for."""
    for match in (match for pattern in _wordings() for match in pattern.finditer(sentence)):
        if RE.denied_before.search(sentence[: match.start()]):
            continue
        asked = list(_noun_phrases(match["things"]))
        for thing in asked:
            if _without_general_head(thing) in asked or any(_free_of(thing)):
                continue
            if not re.search(r"\d", thing) or re.search(r"[a-z]-?\d|-", thing):
                yield Requirement(thing, match[0].strip(" .!"))


def _noun_phrases(words: str) -> Iterator[str]:
    """The noun phrases of a list, in lowercase, without articles and what follows them."""
    text = RE.inside.sub("", re.sub(r"\([^)]*\)", " ", words))
    for part in RE.list_marks.split(text):
        cut, *rest = RE.np_end.split(f" {part}", maxsplit=1)
        thing = RE.leading.sub("", cut.strip().lower()).strip(" .,!?'\"-")
        short = len(thing.split()) <= _LONGEST_PHRASE and thing not in LISTS.words("vague")
        if thing and short and singular(thing) not in _DAYS:
            yield thing
            if (bare := _without_general_head(thing)) is not None:
                yield bare
        if rest:
            return


def _without_general_head(thing: str) -> str | None:
    """'gpl' of 'gpl libraries': the last word only says what sort of thing it is."""
    *first, last = thing.split()
    return " ".join(first) if first and singular(last) in LISTS.words("general_heads") else None


def _days_named(words: str) -> list[str]:
    low = words.lower()
    return [day for day in _DAYS if day in low and re.search(rf"\b{day}s?\b", low)]


def _content_words(thing: str) -> list[str]:
    return [word for word in re.findall(r"[\w+#-]+", thing) if word not in LISTS.words("vague")]


def _free_of(words: str) -> Iterator[str]:
    """The things that words say something is free of: 'gluten' of 'gluten-free'."""
    found = (match["things"].lower() for match in RE.free_from.finditer(words))
    return (thing for thing in found if thing not in LISTS.words("not_free"))
