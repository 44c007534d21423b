"""Readings of cues: the aim, the way to search, the parts, and the period that a cue names."""

import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.analysis import STOP_WORDS
from mnemolog.language.dates import END as OPEN_END, DateReading, in_year, next_of, read_dates
from mnemolog.language.lists import Lists, Rule, regex
from mnemolog.language.sentences import main_clauses
from mnemolog.ledger.clock import EPOCH, Micros, to_datetime
from mnemolog.recall.detector import LISTS as DETECTOR

LISTS = Lists("mnemolog.recall", "cues", shared=DETECTOR)
_PATTERNS = LISTS.patterns_by_name

# Route of a search: one specific look-up, part by part, along edges, or broadly.
Route = Literal["single_shot", "iterative", "graph", "hybrid"]
# The aim of a cue: a fact; a point or length of time; how things are related; a plan
# or a recommendation; or all there is on something.
Sought = Literal["fact", "time", "relation", "plan", "overview"]
SURE = 0.9  # Over which confidence of the asker a simple question needs no search
READ = 2_000  # Characters of a cue that are read; all of it is searched
MOST = 5  # Most parts that a cue is split into
_AIMS: tuple[Sought, ...] = ("plan", "time", "relation", "overview")
# Route of a cue by its aim, and why.
_ROUTES: dict[Sought, tuple[Route, str]] = {
    "relation": ("graph", "The cue asks how things are related."),
    "plan": ("hybrid", "The cue asks for a plan or a recommendation."),
    "overview": ("hybrid", "The cue asks for all there is on its subject."),
}
_WORD = regex(r"[\w']+")
_ASKS = regex(r"\?|\b(?:compare|list|tell|show|summari[sz]e)\b", re.IGNORECASE)
_OF_ONE = {"do": "does", "are": "is", "were": "was", "have": "has"}
_LISTED = regex(r",? (?:and|or) (?=\S)|, ")
_PAIRS = [*map(LISTS.pattern, ("between", "compared", "compares", "told_by_event"))]
_PERSON = regex(r"(?<=[a-z] )[A-Z][a-z]+\b")
_PRONOUN = regex(r"\b(?:he|she)\b")
_CLAUSE = regex(r"(?:i|we|you|he|she|they)(?:'| )", re.IGNORECASE)
_CONTENT = regex(r"\w{3}")
_MARGIN_US = 86_400_000_000  # A day
_CLOSE = regex(r"\b(?:just|right|shortly|soon|straight|directly|immediately) $", re.IGNORECASE)
_SHORTLY = timedelta(days=28)
_DURATION = regex(r"in (?!the run-up)[^']*$")  # 'In two weeks' is as often how long something took


class Span(msgspec.Struct, frozen=True):
    """Period [start, end) that a cue names, in microseconds UTC, never empty, and its words.

    `near` is the instant near which memories fit best: the day to which a count leads ('two weeks
    ago'), or the known end of an open period ('before Christmas'); None if all fit alike.
    """

    start: Micros
    end: Micros
    words: str
    near: Micros | None = None


class Place(msgspec.Struct, frozen=True):
    """Place in time that a cue asks for, from 1 or from -1, the last; and its word.

    `days` are those that count: past ones ("when was I last there?"), those to come ("my next
    exam"), or all.
    """

    number: int
    word: str
    days: Literal["past", "to come", "all"] = "all"


class Anchor(msgspec.Struct, frozen=True):
    """Event from which a cue counts: its name, the distance as for a date, and all these words.

    The distance is empty in 'my last trip before the move'; then `side` alone counts.
    """

    event: str
    side: Literal["before", "after"]
    distance: str
    words: str


class CueReading(msgspec.Struct, frozen=True):
    """Reading of a cue; `why` is a sentence that explains the route.

    `parts` are the cues that a many-sided cue falls into, none for a plain one. `span` is the
    period that it names; none if it asks when something was: what it mentions is not that time.
    `seeks_advice` tells a cue that asks for a plan or a recommendation, or for something to be
    made, chosen or arranged.
    `place` is which one it asks for of those on its subject ('my first race'); `anchor` is an
    event in place of a date ('two days after the wedding').
    """

    route: Route
    why: str
    sought: Sought
    parts: tuple[str, ...] = ()
    span: Span | None = None
    place: Place | None = None
    anchor: Anchor | None = None
    seeks_advice: bool = False


PLAIN = CueReading("hybrid", "the cue is searched for as it stands", "fact")


def read_cue(cue: str, instant: Micros) -> CueReading:
    """Reading of a cue; its dates are in UTC, as seen from `instant`."""
    text = _evened(cue[:READ])
    small, parts = text.lower(), _parts_of(text)
    words = frozenset(_WORD.findall(small))
    aims = (aim for aim in _AIMS if _rule(aim).search(small, words))
    planned = _PATTERNS.past_plan.search
    sought: Sought = next((aim for aim in aims if aim != "plan" or not planned(small)), "fact")
    route, why = _ROUTES.get(sought, ("hybrid", "The cue is an open one."))
    # How long or how often something was is asked of the period that the cue names.
    names_none = sought == "time" and _rule("point").search(small, words)
    span = None if names_none else _span_in(text, instant)
    place = _place_in(topic_of(text, span).lower())
    anchor = None if names_none or span else _anchor_in(text)
    if anchor is not None and not anchor.distance and place is None:
        # Without an order, what came before an event is told by what is said of it.
        anchor = None
    if anchor is not None:
        parts = ()
    if parts:
        route, why = "iterative", f"The cue asks for {len(parts)} things, each searched by itself."
    elif sought not in _ROUTES and _PATTERNS.specific.search(text):
        route, why = "single_shot", "The cue is a specific look-up."
    advice = sought == "plan" or asks_to_do(text)
    return CueReading(route, why, sought, parts, span, None if parts else place, anchor, advice)


def topic_of(cue: str, span: Span | None) -> str:
    """Cue without the words of the period that it names; empty if nothing else has content."""
    if span is None:
        return cue
    topic = re.sub(rf"(?<!\w){re.escape(span.words)}(?!\w)", " ", _evened(cue))
    rest = STOP_WORDS | LISTS.words("no_topic")
    return "" if rest.issuperset(_WORD.findall(topic.lower())) else topic


def subject_of(cue: str, span: Span | None) -> str:
    """Cue without its period and the preposition before it; empty if nothing else has content."""
    if span is None:
        return cue
    text = _evened(cue)
    period = rf"(?:\b(?:in|on|at|over|during|from|of) )?(?<!\w){re.escape(span.words)}(?!\w)"
    return " ".join(re.sub(period, " ", text, count=1).split()) if topic_of(text, span) else ""


def _evened(cue: str) -> str:
    """Cue with straight apostrophes and single blanks, as `Span.words` are written."""
    return " ".join(cue.replace("\u2019", "'").split())


def when_was(event: str) -> str:
    """Question for the time of an event: 'the wedding', or 'we moved'."""
    return f"When was {'it that ' if _CLAUSE.match(event) else ''}{event}?"


def reason_not_to_search(reading: CueReading, confidence: float | None) -> str | None:
    """Reason not to search: an asker over 0.9 sure of a specific look-up's answer; None if none."""
    if confidence is None or confidence <= SURE or reading.route != "single_shot":
        return None
    return f"The asker is {confidence:g} sure of a simple question's answer."


@cache
def _rule(name: str) -> Rule:
    (rule,) = LISTS.rules(name)
    return rule


def asks_to_do(cue: str) -> bool:
    """True if a cue asks for something to be made, chosen or arranged, or what is fit for it."""
    text = cue.strip()
    if _PATTERNS.bygone.search(text):
        return False
    if _PATTERNS.asks_to_do.search(text) or _PATTERNS.wanted.search(text):
        return True
    return bool(_PATTERNS.asks_what.search(text)) and not _PATTERNS.being.search(text)


def _parts_of(cue: str) -> tuple[str, ...]:
    """Parts of a cue that asks for several things, each a cue; none for a plain one."""
    # By the shape of the sentence alone: several questions, questions joined by 'and', people of
    # whom each is asked, things that are compared, a time told by another event.
    parts = [
        part
        for start, end in main_clauses(cue)
        if _ASKS.search(cue, start, end)
        for clause in map(str.strip, _PATTERNS.next_clause.split(cue[start:end]))
        for part in _split(clause) or [clause]
    ]
    people = _PERSON.findall(parts[0]) if parts else []
    if len(people) == 1:
        # 'He' and 'she' stand for the one person that the cue names before them.
        parts[1:] = [_PRONOUN.sub(people[0], part, count=1) for part in parts[1:]]
    joins = r"^(?:(?i:and|or|but|also|then)\b|,|;)\s*"
    trimmed = [re.sub(joins, "", part.strip()).strip(" ,;.?!:") for part in parts]
    worded = [part for part in dict.fromkeys(trimmed) if _CONTENT.search(part)]
    return tuple(worded[:MOST]) if len(worded) > 1 else ()


def _split(clause: str) -> list[str]:
    if each := _PATTERNS.each.search(clause):
        # 'What did Dana and Priya each say?' asks of Dana, and of Priya.
        left, right = clause[: each.start()], clause[each.end() :].strip()
        verb = each["verb"].lower()
        names = _LISTED.split(each["names"] or each["others"])
        return [f"{left}{_OF_ONE.get(verb, verb)} {name} {right}" for name in names]
    if order := _PATTERNS.either.search(clause):
        return [f"{order['head']} {option}" for option in _LISTED.split(order["options"])]
    pairs = (pattern.search(clause) for pattern in _PAIRS)
    return next(([pair["one"], pair["other"]] for pair in pairs if pair), [])


def _span_in(cue: str, instant: Micros) -> Span | None:
    now = to_datetime(instant)
    readings = [_as_asked(cue, one, now) for one in read_dates(cue, now)]
    year = next((one for one in readings if _names_year(one)), None)
    for reading in readings:
        words = cue[reading.first : reading.last].strip()
        if reading.precision == "vague":
            # 'Earlier this year' is this year.
            _, _, rest = words.partition(" ")
            if words.lower().startswith("earlier ") and (within := _span_in(rest, instant)):
                return msgspec.structs.replace(within, words=words)
            continue
        if _DURATION.match(words):
            continue
        start, end, near = reading.start, reading.end, None
        if year is not None and reading.repeats == "year" and reading.relation == "on":
            # 'The Christmas dinner last year'
            then = in_year(cue, reading, year.start.year)
            start, end = (start, end) if then is None else (then.start, then.end)
        if reading.precision == "part of day" and reading.relation == "on":
            # What is remembered of a morning is often dated with its day alone.
            start = start.replace(hour=0)
            end = start + timedelta(days=1)
        if reading.relation in {"before", "until"}:
            near = end
            start = max(start, end - _SHORTLY) if _is_close(cue, reading.first) else start
        elif reading.relation == "after":
            near = start
            end = min(end, start + _SHORTLY) if _is_close(cue, reading.first) else end
        elif reading.relation == "on" and start < reading.point < end:
            near = reading.point
        return Span(_micros(start), _micros(end), words, None if near is None else _micros(near))
    return None


def _as_asked(cue: str, reading: DateReading, now: datetime) -> DateReading:
    """Date of a cue; the next of its kind in 'what do I have to do in December?'."""
    text = cue.lower()
    has_been = _PATTERNS.has_been.search(text) or not _PATTERNS.to_come.search(text)
    named = reading.end if reading.end < OPEN_END else reading.start
    if has_been or named > now:
        return reading
    with suppress(ValueError, OverflowError):  # beyond the calendar
        return next_of(cue, reading)
    return reading


def _names_year(reading: DateReading) -> bool:
    return reading.precision == "year" and reading.relation == "on"


def _is_close(cue: str, first: int) -> bool:
    """True for 'just before Christmas': the words before a relation leave little time."""
    return _CLOSE.search(cue[:first]) is not None or cue[first:].lower().startswith("in the run-up")


def span_from(anchor: Anchor, day: date, instant: Micros) -> Span | None:
    """Period at the distance of an anchor from the day of its event, with a margin around it.

    Without a distance it is all that came before the event, or after it.
    """
    if not anchor.distance:
        at = _midnight(day)
        start, end = (BEGINNING, at) if anchor.side == "before" else (Micros(at + _MARGIN_US), END)
        return Span(start, end, anchor.words, at) if start < end else None
    span = _span_in(f"{anchor.distance} {day.isoformat()}", instant)
    if span is None:
        return None
    away = min(abs(span.start - _midnight(day)), abs(span.end - _midnight(day)))
    margin = max(_MARGIN_US, away // 4)
    start, end = max(BEGINNING, Micros(span.start - margin)), min(END, Micros(span.end + margin))
    if anchor.side == "after":
        start = max(start, Micros(_midnight(day) + _MARGIN_US))
    else:
        end = min(end, _midnight(day))
    return Span(start, end, anchor.words, Micros((span.start + span.end) // 2))


def _anchor_in(text: str) -> Anchor | None:
    found = _PATTERNS.anchor.search(text)
    if found is None:
        return None
    side: Literal["before", "after"] = "before" if found["side"].lower() == "before" else "after"
    away = "" if found["open"] is not None else f"{found['distance'] or 'the week'} {side}".lower()
    return Anchor(found["event"].strip(), side, away, found[0].strip(" ,.?!"))


def _midnight(day: date) -> Micros:
    return _micros(datetime(day.year, day.month, day.day, tzinfo=UTC))


def _place_in(topic: str) -> Place | None:
    found = _PATTERNS.place.search(topic)
    if found is None or found.lastgroup is None:
        return None
    if found.lastgroup in {"adverb", "ending"} and _PATTERNS.lasts.search(topic):
        return None
    word = found[found.lastgroup]
    number = int(LISTS.table("places")[word][0])
    if word in {"next", "upcoming"}:
        # 'The next day' of what has been is told by what came before it.
        return None if _PATTERNS.bygone.search(topic) else Place(number, word, "to come")
    of_past = _PATTERNS.bygone.search(topic) or not _PATTERNS.is_or_comes.search(topic)
    return Place(number, word, "past" if number < 0 and of_past else "all")


def _micros(at: datetime) -> Micros:
    return Micros((at - EPOCH) // timedelta(microseconds=1))


# Beginning and end of a period that has none: the first and the last instant with a date.
BEGINNING = _micros(datetime.min.replace(tzinfo=UTC))
END = _micros(datetime.max.replace(tzinfo=UTC))
