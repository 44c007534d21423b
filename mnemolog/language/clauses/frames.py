"""Frames: builders, and the readers of frequencies, exclusive holders and one-time events."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

import msgspec

from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.lists import Lists
from mnemolog.language.quantities.amounts import Quantity, period_of, rate_words
from mnemolog.language.quantities.numbers import number_words
from mnemolog.language.words.lexicon import LEXICON, is_plural, known_verbs, noun, topic

LISTS = Lists("mnemolog.language.clauses", "frames")
_PATTERNS = LISTS.patterns_by_name

ADDRESSED = ("you",)
_NO_HOLDERS = frozenset({"the", "a", "an", "this", "our", "my", "i", "we"})


class Frame(msgspec.Struct, frozen=True):
    """Attribute of a thing with its value.

    `topic` holds the words for the thing and the attribute. `value` is the value's text,
    `quantities` the amounts and times in it. `single` is True for an attribute with one
    value at a time; `fixed` for one that does not change.
    """

    topic: frozenset[str]
    attribute: str
    value: str
    quantities: tuple[Quantity, ...]
    single: bool
    fixed: bool
    clause: Clause


def frame(
    clause: Clause, about: frozenset[str], attribute: str, value: str, *, single: bool = True
) -> Frame:
    """Frame with amounts spelled out in its topic and value."""
    # 'Team 3' and 'team 4' are two teams: a number in the topic separates them.
    about = frozenset(part for word in about for part in clause.spelled(word).split())
    fixed = bool(about & LEXICON.words("fixed"))
    amounts = clause.quantities_in(value)
    return Frame(about, attribute, clause.spelled(value), amounts, single, fixed, clause)


def of_subject(
    clause: Clause, attribute: str, value: str, about: Sequence[str] = (), *, single: bool = True
) -> Frame:
    """Frame on the clause's subject, and on words `about` it: without any, on the attribute."""
    words = topic([*clause.subject.words, *(about or [attribute])])
    return frame(clause, words, attribute, value, single=single)


def _of_holder(
    clause: Clause, about: frozenset[str], attribute: str, *, single: bool = True
) -> Frame:
    return Frame(about, attribute, subject_text(clause), (), single, fixed=False, clause=clause)


def settled(clause: Clause) -> Clause:
    """Clause on what is past and stays as it is."""
    return msgspec.structs.replace(clause, past=False)


def subject_text(clause: Clause) -> str:
    """Subject of a clause as text."""
    return " ".join(clause.subject.words)


def head_of(clause: Clause) -> str:
    """Head noun of the subject: 'deadline' in 'the deadline for Atlas', 'Atlas deadline'."""
    first = _PATTERNS.of.split(subject_text(clause), maxsplit=1)[0].split()
    return noun(first[-1]) if first else ""


def counted_words(amounts: tuple[Quantity, ...]) -> list[str]:
    """Counted nouns, with the words that separate them from other counted things."""
    counts = (amount.text for amount in amounts if amount.dimension == "count")
    words = (word for text in counts for word in re.findall(r"[A-Za-z][\w-]*", text))
    return [word for word in words if word.lower() not in number_words()]


def does_regularly(clause: Clause) -> bool:
    """True for an order, and for a known verb in the present."""
    known = clause.verb == "be" or clause.verb in known_verbs()
    return not clause.past and (known or clause.subject.words == ADDRESSED)


def frequent(clause: Clause) -> Frame | None:
    """Frame of a clause's frequency, as the interval between two occurrences."""
    match = _PATTERNS.how_often.search(clause.rest) if does_regularly(clause) else None
    if match is None or "⟦" in (rest := clause.rest[: match.start()]):
        # 'Takes 50 mg daily' gives an amount.
        return None
    seconds = _interval(clause, match.groupdict())
    if seconds is None:
        return None
    about, value = (clause.verb, *rest.split()), match[0].strip()
    found = of_subject(clause, f"how often: {clause.verb}", value, about)
    interval = Quantity("duration", "second", (seconds,), found.value, 0, len(found.value))
    return msgspec.structs.replace(found, quantities=(interval,))


def _interval(clause: Clause, said: dict[str, str | None]) -> Fraction | None:
    if said["word"] or said["unit"]:
        period = period_of(said["unit"] or rate_words()[said["word"] or ""])
        return period and period * (2 if said["other"] else 1)
    (amount,) = clause.quantities_in(said["span"] or said["times"] or "")
    if said["span"]:
        return amount.amount if amount.dimension == "duration" else None
    often = amount.dimension == "count" and amount.unit == "time" and amount.amount > 0
    return amount.period / amount.amount if often and amount.period else None


def _sole_holder(clause: Clause) -> Frame | None:
    """Frame of the one N of a thing: 'Lima is the capital of Peru', 'Ann is Ben's boss'."""
    if clause.past:
        won = _PATTERNS.won.match(clause.predicate)
        words = clause.spelled(won["t"]).split() if won else []
        return _of_holder(settled(clause), topic([*words, "winner"]), "winner") if won else None
    first, match = clause.subject.words[0], _PATTERNS.one_of.match(clause.predicate)
    if match is not None and first[:1].isupper() and first.lower() not in _NO_HOLDERS:
        last = match["n"].split()[-1]
        many = LEXICON.words("manifold") | LEXICON.words("parts_of_things")
        if not is_plural(last) and noun(last) not in many:
            about = topic(clause.spelled(f"{match['n']} {match['t']}").split())
            return _of_holder(clause, about, match["n"])
    match = _PATTERNS.whose.match(clause.predicate)
    if match is None or noun(match["n"].split()[-1]) not in LEXICON.words("one_each"):
        return None
    return _of_holder(clause, topic([match["t"], *match["n"].split()]), match["n"])


def doer(clause: Clause) -> Frame | None:
    """Frame of the doer of an action, to compare with claims of an only doer."""
    # 'Be' names no action, and neither does a bare 'can'.
    nothing = clause.verb == "be" or clause.predicate == "can"
    if clause.past or nothing or not clause.rest or "⟦" in clause.predicate:
        return None
    about = topic(clause.predicate.split()) | {"who"}
    told = msgspec.structs.replace(clause, only=clause.aside.only_first, also=False)
    return _of_holder(told, about, f"who may {clause.predicate.removeprefix('can ')}", single=False)


def is_one(clause: Clause) -> bool:
    """True if a subject is one person and not a group: 'Ann', not 'Interns'."""
    last = clause.subject.words[-1].lower()
    one = noun(last) == last or last in LEXICON.words("names_like_plurals")
    return clause.subject.is_person and one


def _whereabouts(clause: Clause) -> Frame | None:
    """Frame of a person's place or activity at one hour of one day."""
    dimensions = {quantity.dimension for quantity in clause.when}
    exact = "clock" in dimensions and not dimensions.isdisjoint({"date", "weekday"})
    if not exact or not clause.subject.is_person or not _PATTERNS.busy.match(clause.predicate):
        return None
    return of_subject(clause, "whereabouts", clause.rest)


def _once(clause: Clause) -> Frame | None:
    ended = clause.past or clause.verb in {"join", "start", "go", "move"}
    if not ended or not _PATTERNS.once.match(clause.predicate):
        return None
    when, what = clause.when, clause.predicate
    if not when and (bare := _PATTERNS.on_date.fullmatch(clause.rest)) is not None:
        when, what = clause.quantities_in(bare[1]), clause.verb
    if not when or when[0].dimension == "clock":
        return None
    about = topic([*clause.subject.words, *what.split(), "once"])
    lasting = msgspec.structs.replace(clause, when=(), past=False)
    return Frame(about, f"when: {what}", when[0].text, when, True, True, lasting)  # noqa: FBT003


def _made(clause: Clause) -> Frame | None:
    """Frame of a thing's maker ('Ann wrote it') or a person's achievement ('grew up in Rome')."""
    match = _PATTERNS.made_by.match(clause.predicate)
    if match is not None:
        return of_subject(settled(clause), match["t"], match["v"])
    thing, how = clause.rest, LISTS.key_of("made", clause.verb)
    definite = _PATTERNS.definite.match(thing) and not _PATTERNS.around.search(thing)
    if how is not None and clause.past and definite:
        return frame(settled(clause), topic([*thing.split(), how]), how, subject_text(clause))
    for pattern, attribute in LISTS.pairs("achievements") if clause.past else ():
        if (match := pattern.match(clause.predicate)) is not None:
            return of_subject(settled(clause), attribute, match["v"])
    return None


def _held_by(clause: Clause) -> Frame | None:
    """Frame of the holder, leader or owner of a thing, who is the value."""
    if (match := _PATTERNS.belongs.match(clause.predicate)) is not None:
        return of_subject(clause, "own", match["v"] or match["w"])
    if (match := _PATTERNS.led_by.match(clause.predicate)) is not None:
        return of_subject(clause, LISTS.keys_of("led")[match["n"]][0], match["v"])
    match = _PATTERNS.held_by.match(clause.predicate)
    known = match and (_PATTERNS.definite.match(match["t"]) or match["r"] or match["n"] == "charge")
    if match is None or not known:
        return None
    relation = (match["n"] or match["r"] or clause.verb).lower()
    relation = LISTS.key_of("held", relation) or relation
    return frame(clause, topic([*match["t"].split(), relation]), relation, subject_text(clause))


Reader = Callable[[Clause], Frame | None]
EXCLUSIVE: tuple[Reader, ...] = (_whereabouts, _once, _made, _held_by, _sole_holder)
