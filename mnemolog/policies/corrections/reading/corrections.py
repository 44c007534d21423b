"""Corrections of a text: what each sentence takes back, and what it puts in its place."""

from __future__ import annotations

import re

import msgspec

from mnemolog.language.clauses.assertions import MaskedSentence, masked_sentences
from mnemolog.language.dates.dates import cut_leading_time, cut_trailing_time, is_recurring
from mnemolog.language.patterns import regex
from mnemolog.language.sentences import spoken
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.reading.correction_reading import (
    LONGEST,
    CorrectionReading,
    instead,
)
from mnemolog.policies.corrections.reading.forms import CorrectionForm, forms, may_correct
from mnemolog.policies.corrections.reading.plain_statements import denial
from mnemolog.policies.corrections.reading.pronouns import (
    named,
    recalled,
    said_before,
    with_contrast,
)
from mnemolog.policies.corrections.reading.reading_of_match import read_match
from mnemolog.policies.corrections.reading.sentence_openings import (
    cut,
    is_statement,
    led_in,
    opened,
    scoped,
)
from mnemolog.policies.corrections.reading.subjects import two_acts, two_subjects, with_antecedent
from mnemolog.policies.corrections.terms import negated

_LONGEST_SENTENCE = 400
_I = re.IGNORECASE
_PASSING = LISTS.pattern("passing")
_AGAINST = regex(r"^(?:not|never|rather than|instead of)\b", _I)
_SINCE = ("since", "as of", "effective", "starting")


def read_correction(text: str) -> CorrectionReading | None:
    """First correction of a text; None if it corrects nothing."""
    return next(iter(read_corrections(text)), None)


def read_corrections(text: str) -> tuple[CorrectionReading, ...]:
    """Corrections of a text, in order.

    Questions, quotations, suppositions, plans, denials and what is told of
    others correct nothing, nor does a statement that takes nothing back.
    """
    speaker, said = spoken(text[:LONGEST])
    if not may_correct(said):
        return ()
    told = [one for sentence in masked_sentences(said) for one in turns(sentence)]
    found: list[CorrectionReading] = []
    announced, held, before, earlier, used = False, False, None, "", ""
    if not told:
        # Nothing but quotations.
        return ()
    for (alone, joined), following in zip(told, [*(one for one, _ in told[1:]), None], strict=True):
        part = named(alone, earlier)
        after = None if following is None else named(following, part.text)
        part = with_contrast(part, after, said)
        earlier = part.text if part.text == alone.text else f"{part.text} {alone.text}"
        if part.doubt is not None or told_in(used, alone, part):
            announced = False
            continue
        marked, rest = opened(part.text)
        # 'Actually, Dana lives in Bergen and Omar lives in Porto' announces both.
        marked = marked or (joined and held)
        if marked and not rest:
            # 'Scratch that. The demo is on Monday.'
            announced = True
            continue
        reading = _read(_ToldSentence(part, after, marked or announced), rest)
        announced, held, used = False, marked or announced, ""
        if reading is None:
            before = part
            continue
        if before is not None:
            reading = (said_before if reading.new is None else recalled)(reading, before)
        found.append(msgspec.structs.replace(reading, speaker=speaker))
        before, used = None, reading.sentence
    return tuple(found)


def told_in(used: str, *ways: MaskedSentence) -> bool:
    """True if a sentence, in one of its wordings, is part of the text of a correction."""
    return any(used and one.unmasked(one.text) in used for one in ways)


class _ToldSentence(msgspec.Struct, frozen=True):
    """A sentence, the one after it, and whether it was announced as a correction."""

    part: MaskedSentence
    following: MaskedSentence | None
    marked: bool


def turns(sentence: MaskedSentence) -> list[tuple[MaskedSentence, bool]]:
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


def _apart(sentence: MaskedSentence, end: int, rest: str) -> list[MaskedSentence]:
    """The sentences of a beginning of a sentence, and of what follows it."""
    return [
        msgspec.structs.replace(one, quotes=sentence.quotes)
        for piece in (sentence.text[:end], rest)
        for one in masked_sentences(piece)
    ]


def _read(told: _ToldSentence, rest: str) -> CorrectionReading | None:
    """Correction of a sentence, also where a few words lead in to it."""
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
    """Words after those that lead in to a correction; None if the reading needs none of them.

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


def _read_from(told: _ToldSentence, rest: str) -> CorrectionReading | None:
    plain, first = cut_leading_time(rest.rstrip(".!?; "))
    scope, plain = scoped(plain)
    if first is not None and is_recurring(rest):
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


def _of_two_acts(told: _ToldSentence, plain: str) -> tuple[CorrectionReading | None, str | None]:
    """Correction of a clause that says of one subject what ended and what is so now."""
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


def _by_forms(told: _ToldSentence, plain: str) -> tuple[CorrectionReading | None, str | None]:
    """The reading of the first form that makes sense of a clause, and since when it says."""
    clauses = list(dict.fromkeys((cut(plain), plain)))
    for form, pattern in forms():
        for clause in clauses:
            core, when = _timeless(form, clause)
            match = pattern.match(core)
            reading = None
            if match is not None:
                reading = read_match(form, match, told.part, told.following)
            if reading is not None:
                return reading, when
    return None, None


def _timeless(form: CorrectionForm, clause: str) -> tuple[str, str | None]:
    if form.group in {"record", "request"}:
        return clause, None
    return cut_trailing_time(clause, of_change=form.group in {"change", "ending"})


def _announced(
    told: _ToldSentence, plain: str, first: str | None
) -> tuple[CorrectionReading | None, str | None]:
    """Correction after 'actually' or 'since Monday' that does not say what it corrects."""
    core, when = cut_trailing_time(cut(plain), of_change=False)
    since = first is not None and first.lower().startswith(_SINCE) and is_statement(core)
    new, kind = instead(told.part, core)
    if not new or not (told.marked or since):
        return None, None
    denied = denial(told.part, told.part.text, None) if negated(core) else None
    if denied is not None:
        # 'Turns out I am not allergic': what is so is that the old does not hold.
        return denied, when
    sentence = told.part.unmasked(told.part.text)
    return CorrectionReading("in_passing", sentence, "marked", new=new, new_kind=kind), when
