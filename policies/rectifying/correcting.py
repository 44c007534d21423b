"""Reading corrections: what a sentence takes back, and what it puts in its place."""

from __future__ import annotations

import re

import msgspec

from ledger.patterns import regex
from policies.rectifying.asserting import Sentence, is_future, sentences, spoken
from policies.rectifying.forms import forms
from policies.rectifying.openings import cut, is_statement, led_in, opened, scoped
from policies.rectifying.patterns import Form
from policies.rectifying.readings import DENIED, CorrectionReading, instead, read_match
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
_NOT = regex(r"\b(?:is|are|was|am|does|do) not\b|\b(?:isn|aren|wasn|doesn|don)'t\b|'m not\b", _I)
_IT_IS = regex(
    r"^(?:it's|it is|they're|they are|that's)\s+(?P<sign>(?:on|at|in|by|to|with|for)\s+)?"
    r"(?!not\b|\w+ing\b)\S+"
    r"(?:\s+\S+){0,5}$",
    _I,
)
_OF_WHAT = regex(r"(?:not|n't)\s+\w+\s+(?:to|in|at|on|with|for|by|of|from)\s", _I)
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
_NOBODY = regex(r"^(?:it|this|that|there|nobody|no one|nothing|what|which|who)\b", _I)
_SINCE = ("since", "as of", "effective", "starting")
_PLAIN_WORDS = regex(r"[a-z]+(?:'[a-z]+)?")
# The words without one of which no form matches and nothing is announced.
_SIGNS = frozenset(
    """
abandon abandoned accurate actually ain't amend any anymore apologies aren't as axed bad became
become binned bumped but called can't cancel canceled cancelled canned ceased change changed
closed contrary converted correct correcting correction corrections couldn't cut days dead
decommissioned decreased delayed delete departed deprecated didn't disbanded discard discontinued
disregard dissolved ditched doesn't don't doubled downgraded dropped dropping edit effective
eliminated ended entry erase erratum exchanged extended fact fallen falling false fell fix forget
gave gone got grew handed hasn't haven't history ignore inaccurate incorrect increased inherited
instead isn't killed left lifted longer lowered mean meant memory migrated misremembered misspoke
mistake mistaken moved nah need needs never nevermind new nixed no nope not note noted notes now
nowadays obsolete off oops ought out outdated over phased ported postponed promoted pulled pushed
put quit raised rather reality reassigned record reduced relocated remove removed renamed replace
replaced replaces rescheduled reset resigned retire retired revised revoked rolled rose said scrap
scrapped scratch shelved shifted shortened should shut since sold sorry stale starting statement
stopped strike succeeded sunset superseded supersedes supplanted swapped switched taken takes
terminated there's these told took traded transferred transitioned true truth turned turns untrue
update updated updating upgraded used valid wait wasn't went weren't whoops withdrawn withdrew
won't wrong wrongly wrote
""".split()  # noqa: SIM905 - one word a line would take three screens
)


def may_correct(text: str) -> bool:
    """Whether a text has any word with which something is taken back."""
    return not _SIGNS.isdisjoint(_PLAIN_WORDS.findall(text.lower().replace("\u2019", "'")))


def read_correction(text: str) -> CorrectionReading | None:
    """What a text corrects; None if it corrects nothing.

    Questions, quotations, suppositions, plans, denials and what is told of
    others correct nothing, nor does a statement that takes nothing back.
    """
    speaker, said = spoken(text[:_LONGEST])
    if not may_correct(said):
        return None
    parts = [part for one in sentences(said) for part in _passages(one)]
    announced, before = False, None
    for alone, following in zip(parts, [*parts[1:], None], strict=True):
        part = _with_contrast(alone, following, said)
        if part.doubt is not None:
            announced = False
            continue
        marked, rest = opened(part.text)
        if marked and not rest:
            # 'Scratch that. The demo is on Monday.'
            announced = True
            continue
        reading = _read(_Told(part, following, marked or announced), rest)
        if reading is not None:
            reading = reading if reading.new or before is None else _said_before(reading, before)
            return msgspec.structs.replace(reading, speaker=speaker)
        announced, before = False, part
    return None


def read_statement(text: str) -> CorrectionReading | None:
    """A plain statement as the correction of what says otherwise; None if it is not asserted."""
    speaker, said = spoken(text[:_LONGEST])
    parts = sentences(said)
    if not parts or any(one.doubt is not None for one in parts) or is_future(said):
        return None
    if negated(parts[0].text):
        return _denial(parts[0], said, speaker)
    if len(parts) != 1:
        return None
    core = cut(opened(parts[0].text)[1])
    moved = _MOVED.match(without_time(core, of_change=True)[0])
    if moved is not None:
        place = parts[0].unmasked(moved["new"])
        return CorrectionReading(
            "explicit", parts[0].unmasked(core), "changed-to", new=place, new_kind="value"
        )
    if not is_statement(core) or is_ahead(core):
        return None
    new, kind = instead(parts[0], core)
    return CorrectionReading(
        "explicit", parts[0].unmasked(core), "stated", new=new, new_kind=kind, speaker=speaker
    )


def _said_before(reading: CorrectionReading, before: Sentence) -> CorrectionReading:
    """A reading with the statement before it, where that says otherwise of the same."""
    core = cut(opened(before.text)[1])
    if reading.old is None or reading.old_kind != "statement" or not is_statement(core):
        return reading
    old, new = keys(terms(reading.old)), keys(terms(before.unmasked(core)))
    if new <= old or len(old & new) * 2 < len(old):
        return reading
    said, kind = instead(before, core)
    return msgspec.structs.replace(reading, new=said, new_kind=kind)


def _denial(part: Sentence, said: str, speaker: str | None) -> CorrectionReading | None:
    """A plain denial as the correction of what says that it is so."""
    match = _DENIAL.match(cut(opened(part.text)[1]))
    if match is None or _NOBODY.match(match["about"]) or negated(match["old"]):
        return None
    verb = match["is"] or match["isnt"] or match["m"]
    verb = "" if verb.lower() in {"does", "do"} else f" {verb}"
    old = part.unmasked(
        f"{match['about']}{verb.replace(chr(32) + chr(39), chr(39))} {match['old']}"
    )
    return CorrectionReading("explicit", said.strip(), DENIED, old=old, speaker=speaker)


def _with_contrast(part: Sentence, following: Sentence | None, said: str) -> Sentence:
    """A denial with the sentence after it, where that says at once what is so instead."""
    if following is None or following.doubt is not None or _NOT.search(part.text) is None:
        return part
    told = _IT_IS.match(following.text)
    if told is None:
        return part
    sign = (told["sign"] or "").strip().lower()
    one_breath = f"{part.text}; {following.text.rstrip('.! ')}" in said and _OF_WHAT.search(
        part.text
    )
    if not (one_breath if not sign else sign in part.text.lower().split()):
        return part
    return msgspec.structs.replace(part, text=f"{part.text.rstrip('.;! ')}; {following.text}")


class _Told(msgspec.Struct, frozen=True):
    """A sentence, the one after it, and whether it was announced as a correction."""

    part: Sentence
    following: Sentence | None
    marked: bool


def _passages(sentence: Sentence) -> list[Sentence]:
    """A sentence in two where it turns to another matter in passing."""
    match = _PASSING.search(sentence.text)
    if match is None or match.start() == 0 or sentence.doubt in {"a question", "hypothetical"}:
        return [sentence]
    return [
        msgspec.structs.replace(one, quotes=sentence.quotes)
        for piece in (sentence.text[: match.start()], sentence.text[match.end() :])
        for one in sentences(piece)
    ]


def _read(told: _Told, rest: str) -> CorrectionReading | None:
    """What a sentence corrects, be it said after a few words that lead in to it."""
    part = told.part
    if len(part.text) > _LONGEST_SENTENCE or not (told.marked or may_correct(part.text)):
        return None
    reading = _read_from(told, rest)
    after = led_in(rest) if reading is None or reading.form == "marked" else None
    if after is None:
        return reading
    marked, more = opened(after)
    led = _read_from(msgspec.structs.replace(told, marked=told.marked or marked), more)
    return reading if led is None or (reading is not None and led.form == "marked") else led


def _read_from(told: _Told, rest: str) -> CorrectionReading | None:
    plain, first = without_time_first(rest.rstrip(".!?; "))
    scope, plain = scoped(plain)
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
    sentence = told.part.unmasked(told.part.text)
    return CorrectionReading("in_passing", sentence, "marked", new=new, new_kind=kind), when
