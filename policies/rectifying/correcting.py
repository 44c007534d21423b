"""Reading corrections: what a sentence takes back, and what it puts in its place."""

from __future__ import annotations

import re
from itertools import pairwise

import msgspec

from ledger.patterns import regex
from policies.rectifying.asserting import Sentence, is_future, sentences, spoken
from policies.rectifying.forms import forms
from policies.rectifying.matches import read_match
from policies.rectifying.neighbours import back, named, recalled, said_before, with_contrast
from policies.rectifying.openings import cut, is_statement, led_in, opened, scoped
from policies.rectifying.patterns import Form
from policies.rectifying.readings import DENIED, CorrectionReading, instead
from policies.rectifying.signs import may_correct
from policies.rectifying.subjects import two_acts, two_subjects, with_antecedent
from policies.rectifying.terms import keys, negated, terms
from policies.rectifying.time_words import is_ahead, without_time, without_time_first

_LONGEST = 4_000
"""Characters of a text that are read: a correction is said in a few words."""

_LONGEST_SENTENCE = 400
_I = re.IGNORECASE
_PASSING = regex(
    r"(?:[,;]\s*(?:and\s+|but\s+|oh\s+)*|\s+[-\u2013—]+\s*|\s+and\s+|\()(?=(?:by the way"
    r"|btw|incidentally|fyi|oh and|actually,|heads[- ]up)\b)",
    _I,
)
_DENIAL = regex(
    r"^(?P<about>[^,;:]+?)(?:\s+(?P<is>is|are|was|am|does|do|has|have)\s+not|\s*(?P<isnt>is|are"
    r"|was|does|do|has|have)n't|(?P<m>'m|'s|'re)\s+not)\s+(?P<old>[^,;:]+)",
    _I,
)
_MOVED = regex(
    r"^(?:he|she|they)(?:'s|'ve|\s+has|\s+have)?\s+(?:just\s+|recently\s+|now\s+)?(?:moved"
    r"|relocated)\s+to\s+(?P<new>.+)$",
    _I,
)
_ALSO = regex(r"\b(?:too|as well|also)$|\balso\b", _I)
_ONCE = regex(
    r"\b(?:was|were|had|used to)\b.*\b(?:in (?:19|20)\d\d|until|before|last (?:week|month|year)|ago"
    r"|back then)\b|^(?:last (?:week|month|year)|in (?:19|20)\d\d),?\s.*\b(?:was|were|had)\b",
    _I,
)
_RECURRING = regex(
    r"^(?:in|during|at|on|over) (?:the )?(?:winter|summer|mornings?|evenings?|afternoons?|night"
    r"|weekends|weekdays|holidays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b",
    _I,
)
_AGAINST = regex(r"^(?:not|never|rather than|instead of)\b", _I)
_GAP = "\0"
_BROKEN_OFF = regex(
    r"(?:\s*[,;:(]|\s+[-\u2013—]+|\s+and)(?:\s*(?:and|but|oh)\b)*[\s,]*\0[\s\0)]*", _I
)
_EMPTIED = regex(r"\s*\0[\s\0]*")
_NOBODY = regex(r"^(?:it|this|that|there|nobody|no one|nothing|what|which|who)\b", _I)
# 'Not only he' and 'not until noon' deny nothing of him, nor of noon.
_NO_DENIAL = regex(r"^(?:the )?(?:only|sole|just|merely|simply)\b|\buntil\b", _I)
_SINCE = ("since", "as of", "effective", "starting")


def read_correction(text: str) -> CorrectionReading | None:
    """What a text corrects first; None if it corrects nothing."""
    return next(iter(read_corrections(text)), None)


def read_corrections(text: str) -> tuple[CorrectionReading, ...]:
    """What a text corrects, in the order of the text.

    Questions, quotations, suppositions, plans, denials and what is told of
    others correct nothing, nor does a statement that takes nothing back.
    """
    speaker, said = spoken(text[:_LONGEST])
    if not may_correct(said):
        return ()
    told = [one for sentence in sentences(said) for one in _passages(sentence)]
    found: list[CorrectionReading] = []
    announced, held, before, earlier, used = False, False, None, "", ""
    after_all = [*(one for one, _ in told[1:]), None]
    for (alone, joined), following in zip(told, after_all, strict=False):
        part = named(alone, earlier)
        after = None if following is None else named(following, part.text)
        part = with_contrast(part, after, said)
        earlier = part.text if part.text == alone.text else f"{part.text} {alone.text}"
        if part.doubt is not None or _told_in(used, alone, part):
            announced = False
            continue
        marked, rest = opened(part.text)
        # 'Actually, Dana lives in Bergen and Omar lives in Porto' announces both.
        marked = marked or (joined and held)
        if marked and not rest:
            # 'Scratch that. The demo is on Monday.'
            announced = True
            continue
        reading = _read(_Told(part, after, marked or announced), rest)
        announced, held, used = False, marked or announced, ""
        if reading is None:
            before = part
            continue
        if before is not None:
            reading = (said_before if reading.new is None else recalled)(reading, before)
        found.append(msgspec.structs.replace(reading, speaker=speaker))
        before, used = None, reading.sentence
    return tuple(found)


def _told_in(used: str, *ways: Sentence) -> bool:
    """Whether a sentence, in one of its wordings, is part of what a correction was read from."""
    return any(used and one.unmasked(one.text) in used for one in ways)


def beside(text: str, against: str) -> str | None:
    """What a text that corrects says beside what it says against a statement; "" if nothing.

    That it is a correction, and that the statement does not hold, is nothing beside it,
    nor is a question. None where the one cannot be told from the other: it says more than
    it corrects, and none of it can be taken out as it was written.
    """
    told = [
        one for sentence in sentences(spoken(text[:_LONGEST])[1]) for one in _passages(sentence)
    ]
    readings = read_corrections(text)
    if len(readings) != 1:
        return "" if len(told) == 1 else None
    used, denied = readings[0].sentence, keys(terms(against))
    left, more, goes_on = text, len(text) > _LONGEST, False
    for (earlier, _), (part, _) in pairwise((told[0], *told)):
        also = named(part, earlier.text)
        if _told_in(used, part, also) or _says_nothing_more(part, denied):
            said, goes_on = part.unmasked(part.text), True
            if said not in left:
                return None
            left = left.replace(said, _GAP, 1)
        elif part.doubt != "a question":
            if goes_on and (also != part or back(part.text)):
                return None
            more, goes_on = True, False
    return _closed(left) if more else ""


def _says_nothing_more(part: Sentence, denied: set[str]) -> bool:
    """Whether a sentence only announces something, or speaks of what is denied."""
    return not opened(part.text)[1] or keys(terms(part.unmasked(part.text))) <= denied


def _closed(text: str) -> str:
    """A text with the places closed where something was taken out of it."""
    return _EMPTIED.sub(" ", _BROKEN_OFF.sub(". ", text)).strip()


def read_statement(text: str) -> CorrectionReading | None:
    """A plain statement as the correction of what says otherwise; None if it is not asserted."""
    speaker, said = spoken(text[:_LONGEST])
    parts = sentences(said)
    if not parts or any(one.doubt is not None for one in parts) or is_future(said):
        return None
    if negated(parts[0].text):
        reading = _denial(parts[0], said, speaker)
        return reading if reading is None else _with_statement(reading, parts)
    if len(parts) != 1:
        return None
    core = cut(opened(parts[0].text)[1])
    moved = _MOVED.match(without_time(core, of_change=True)[0])
    if moved is not None:
        place = parts[0].unmasked(moved["new"])
        return CorrectionReading(
            "explicit", parts[0].unmasked(core), "changed-to", new=place, new_kind="value"
        )
    quoted = any(is_statement(quote) for quote in parts[0].quotes)
    if quoted or not is_statement(core) or is_ahead(core) or _says_more_of_it(core):
        return None
    plain, first = without_time_first(core)
    recurring = first is not None and _RECURRING.match(first) is not None
    new, kind = instead(parts[0], plain if recurring else core)
    return CorrectionReading(
        "explicit",
        parts[0].unmasked(core),
        "stated",
        new=new,
        new_kind=kind,
        scope=first if recurring else None,
        speaker=speaker,
    )


def _says_more_of_it(core: str) -> bool:
    """Whether a plain statement tells of one more, or of what was so once."""
    return _ALSO.search(core) is not None or _ONCE.search(core) is not None


def _with_statement(reading: CorrectionReading, parts: tuple[Sentence, ...]) -> CorrectionReading:
    """A denial with the statement after it, where that speaks of the same and all is said."""
    if len(parts) != len(("denial", "statement")):
        return reading
    part = named(parts[1], parts[0].text)
    core = cut(opened(part.text)[1])
    told = keys(terms(reading.old or "")) & keys(terms(part.unmasked(core)))
    if not told or not is_statement(core) or negated(core):
        return reading
    new, kind = instead(part, core)
    return msgspec.structs.replace(reading, new=new, new_kind=kind)


def _denial(part: Sentence, said: str, speaker: str | None) -> CorrectionReading | None:
    """A plain denial as the correction of what says that it is so."""
    match = _DENIAL.match(cut(opened(part.text)[1]))
    if match is None or _NOBODY.match(match["about"]) or negated(match["old"]):
        return None
    if _NO_DENIAL.search(match["old"]):
        return None
    verb = match["is"] or match["isnt"] or match["m"]
    verb = "" if verb.lower() in {"does", "do"} else f" {verb}"
    old = part.unmasked(
        f"{match['about']}{verb.replace(chr(32) + chr(39), chr(39))} {match['old']}"
    )
    return CorrectionReading("explicit", said.strip(), DENIED, old=old, speaker=speaker)


class _Told(msgspec.Struct, frozen=True):
    """A sentence, the one after it, and whether it was announced as a correction."""

    part: Sentence
    following: Sentence | None
    marked: bool


def _passages(sentence: Sentence) -> list[tuple[Sentence, bool]]:
    """A sentence, or its two where it turns to another matter, and whether each goes on.

    It goes on where 'and' joins two subjects; what is said in passing does not.
    """
    match = _PASSING.search(sentence.text)
    if match is not None and match.start() and sentence.doubt not in {"a question", "hypothetical"}:
        return [
            (part, False) for part in _apart(sentence, match.start(), sentence.text[match.end() :])
        ]
    both = None if sentence.doubt is not None else two_subjects(sentence.text)
    if both is None:
        return [(sentence, False)]
    first, *rest = _apart(sentence, *both)
    return [(first, False), *((part, True) for part in rest)]


def _apart(sentence: Sentence, end: int, rest: str) -> list[Sentence]:
    """The sentences of a beginning of a sentence, and of what follows it."""
    return [
        msgspec.structs.replace(one, quotes=sentence.quotes)
        for piece in (sentence.text[:end], rest)
        for one in sentences(piece)
    ]


def _read(told: _Told, rest: str) -> CorrectionReading | None:
    """What a sentence corrects, be it said after a few words that lead in to it."""
    part = told.part
    if len(part.text) > _LONGEST_SENTENCE or not (told.marked or may_correct(part.text)):
        return None
    reading = _read_from(told, rest)
    after = _after_lead_in(rest, reading)
    if after is None:
        return reading
    marked, more = opened(after)
    part = named(msgspec.structs.replace(part, text=more), rest[: len(rest) - len(after)])
    if part.doubt is not None:
        return None
    if part.text != more:
        told, more = msgspec.structs.replace(told, part=part), part.text
    led = _read_from(msgspec.structs.replace(told, marked=told.marked or marked), more)
    if led is not None and led.new is None:
        # 'Viktor joined Globex, he is no longer with Acme': the lead says what is so instead.
        led = msgspec.structs.replace(led, sentence=part.unmasked(rest))
    return reading if led is None or (reading is not None and led.form == "marked") else led


def _after_lead_in(rest: str, reading: CorrectionReading | None) -> str | None:
    """What follows words that lead in to a correction; None if the reading needs none of it.

    'Met Mei on Friday, she works at Globex now': the lead names who is spoken of.
    """
    after = led_in(rest)
    lead = "" if after is None else rest[: -len(after)].rstrip()
    if after is not None and _AGAINST.match(after) and not lead.endswith(":"):
        # 'Tom, not Mia, went there': the lead is what is so instead.
        return None
    if after is None or reading is None or reading.form == "marked":
        return after
    names = with_antecedent(after, rest[: len(rest) - len(after)]) not in {after, None}
    return after if names and reading.form == "is-new" else None


def _read_from(told: _Told, rest: str) -> CorrectionReading | None:
    plain, first = without_time_first(rest.rstrip(".!?; "))
    scope, plain = scoped(plain)
    if first is not None and _RECURRING.match(first):
        # 'In winter Ann plays squash instead of tennis' says nothing of the summer.
        scope, first = scope or first, None
    reading, when = _of_two_acts(told, plain)
    if reading is None:
        reading, when = _by_forms(told, plain)
    if reading is None:
        reading, when = _announced(told, plain, first)
    if reading is None:
        return None
    manner = reading.manner
    if reading.form.startswith("request"):
        manner = "request"
    elif told.marked:
        manner = "explicit"
    return msgspec.structs.replace(reading, when=first or when, scope=scope, manner=manner)


def _of_two_acts(told: _Told, plain: str) -> tuple[CorrectionReading | None, str | None]:
    """What ended, with what is so now, of a clause that says both of one subject."""
    pair = two_acts(cut(plain))
    if pair is None:
        return None, None
    ended, begun = pair
    reading, when = _by_forms(told, ended)
    if reading is not None and reading.new is not None:
        return None, None
    if reading is None:
        return _by_forms(told, begun)
    new, kind = instead(told.part, begun)
    return msgspec.structs.replace(reading, new=new, new_kind=kind), when


def _by_forms(told: _Told, plain: str) -> tuple[CorrectionReading | None, str | None]:
    """The reading of the first form that makes sense of a clause, and since when it says."""
    clauses = list(dict.fromkeys((cut(plain), plain)))
    for form in forms():
        for clause in clauses:
            core, when = _timeless(form, clause)
            match = form.pattern.match(core)
            reading = None
            if match is not None:
                reading = read_match(form, match, told.part, told.following)
            if reading is not None:
                return reading, when
    return None, None


def _timeless(form: Form, clause: str) -> tuple[str, str | None]:
    if form.group in {"record", "request"}:
        return clause, None
    return without_time(clause, of_change=form.group in {"change", "ending"})


def _announced(
    told: _Told, plain: str, first: str | None
) -> tuple[CorrectionReading | None, str | None]:
    """What is said after 'actually' or 'since Monday' without a word of what it corrects."""
    core, when = without_time(cut(plain), of_change=False)
    since = first is not None and first.lower().startswith(_SINCE) and is_statement(core)
    new, kind = instead(told.part, core)
    if not new or not (told.marked or since):
        return None, None
    denial = _denial(told.part, told.part.text, None) if negated(core) else None
    if denial is not None:
        # 'Turns out I am not allergic': what is so is that the old does not hold.
        return denial, when
    sentence = told.part.unmasked(told.part.text)
    return CorrectionReading("in_passing", sentence, "marked", new=new, new_kind=kind), when
