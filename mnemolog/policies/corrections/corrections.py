"""Corrections of a text: what each sentence takes back, what it puts in its place, what is left."""

import msgspec
from msgspec.structs import replace

from mnemolog.language.clauses.assertions import MaskedSentence, is_future, masked_sentences
from mnemolog.language.dates import cut_leading_time, cut_trailing_time, is_ahead, is_recurring
from mnemolog.language.sentences import spoken
from mnemolog.policies.corrections import readings
from mnemolog.policies.corrections.matches import read_match
from mnemolog.policies.corrections.readings import CorrectionReading, cut, instead, opened
from mnemolog.policies.corrections.terms import RE, keys, negated, same_measure, terms

_LONGEST_SENTENCE = 400
_SHORT = 3
_SINCE = ("since", "as of", "effective", "starting")
_GAP = "\0"

_Dated = tuple[CorrectionReading | None, str | None]  # a reading, and since when it is so


class _ToldSentence(msgspec.Struct, frozen=True):
    part: MaskedSentence
    following: MaskedSentence | None
    marked: bool


def read_corrections(text: str) -> tuple[CorrectionReading, ...]:
    """Corrections of a text, in order; questions, plans, denials and hearsay correct nothing."""
    speaker, said = spoken(text[: readings.LONGEST])
    if not readings.may_correct(said):
        return ()
    told = _turns(said)
    found: list[CorrectionReading] = []
    announced, held, before, earlier, used = False, False, None, "", ""
    for place, (alone, joined) in enumerate(told):
        part = readings.named(alone, earlier)
        after = readings.named(told[place + 1][0], part.text) if place + 1 < len(told) else None
        part = _with_contrast(part, after, said)
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
        reading = _read(_ToldSentence(part, after, marked or announced), rest)
        announced, held, used = False, marked or announced, ""
        if reading is None:
            before = part
            continue
        if before is not None:
            with_it = _said_before if reading.new is None else _recalled
            reading = with_it(reading, before)
        found.append(replace(reading, speaker=speaker))
        before, used = None, reading.sentence
    return tuple(found)


def _told_in(used: str, *ways: MaskedSentence) -> bool:
    return any(used and one.unmasked(one.text) in used for one in ways)


def _turns(said: str) -> list[tuple[MaskedSentence, bool]]:
    """The sentences of a text, two of one that turns or joins two subjects, and if each goes on."""
    found: list[tuple[MaskedSentence, bool]] = []
    for sentence in masked_sentences(said):
        text, doubt = sentence.text, sentence.doubt
        turn = None if doubt in {"a question", "hypothetical"} else RE.passing.search(text)
        turns = turn is not None and turn.start() > 0
        cuts = None if turns or doubt is not None else _two_subjects(text)
        if turn is not None and turns:
            cuts = turn.start(), text[turn.end() :]
        if cuts is None:
            found.append((sentence, False))
            continue
        pieces = [one for piece in (text[: cuts[0]], cuts[1]) for one in masked_sentences(piece)]
        parts = [replace(one, quotes=sentence.quotes) for one in pieces]
        found += [(one, place > 0 and not turns) for place, one in enumerate(parts)]
    return found


def _read(told: _ToldSentence, rest: str) -> CorrectionReading | None:
    part = told.part
    if len(part.text) > _LONGEST_SENTENCE or not (told.marked or readings.may_correct(part.text)):
        return None
    reading = _read_from(told, rest)
    after = _after_lead_in(rest, reading)
    if after is None:
        return reading
    marked, more = opened(after)
    part = readings.named(replace(part, text=more), rest[: len(rest) - len(after)])
    if part.doubt is not None:
        return None
    if part.text != more:
        told, more = replace(told, part=part), part.text
    led = _read_from(replace(told, marked=told.marked or marked), more)
    if led is not None and led.new is None:
        # 'Viktor joined Globex, he is no longer with Acme': the lead says what is so instead.
        led = replace(led, sentence=part.unmasked(rest))
    return reading if led is None or (reading is not None and led.form == "marked") else led


def _after_lead_in(rest: str, reading: CorrectionReading | None) -> str | None:
    """Words after a lead that a reading needs: 'met Mei on Friday, she works at Globex now'."""
    if (match := RE.lead_in.match(rest)) is None:
        return None
    lead, after = match[0], rest[match.end() :]
    if RE.against.match(after) and not lead.rstrip().endswith(":"):
        # 'Tom, not Mia, went there': the lead is what is so instead.
        return None
    names = readings.with_antecedent(after, lead) not in {after, None}
    needs = reading is None or reading.form == "marked" or (names and reading.form == "is-new")
    return after if needs else None


def _read_from(told: _ToldSentence, rest: str) -> CorrectionReading | None:
    plain, first = cut_leading_time(rest.rstrip(".!?; "))
    scope = None
    if match := RE.scope.match(plain):
        # 'For the app, …'
        scope, plain = match["scope"], plain[match.end() :]
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
    manner = "explicit" if told.marked else reading.manner
    manner = "request" if reading.form.startswith("request") else manner
    return replace(reading, when=first or when, scope=scope, manner=manner)


def _of_two_acts(told: _ToldSentence, plain: str) -> _Dated:
    """Correction of a clause that says of one subject what ended and what is so now."""
    if (pair := readings.two_acts(cut(plain))) is None:
        return None, None
    ended, begun = pair
    reading, when = _by_forms(told, ended)
    if reading is None:
        return _by_forms(told, begun)
    if reading.new is not None:
        return None, None
    new, kind = instead(told.part, begun)
    return replace(reading, new=new, new_kind=kind), when


def _by_forms(told: _ToldSentence, plain: str) -> _Dated:
    clauses = list(dict.fromkeys((cut(plain), plain)))
    for form, pattern in readings.forms():
        for clause in clauses:
            core, when = clause, None
            if form.group not in {"record", "request"}:
                changing = form.group in {"change", "ending"}
                core, when = cut_trailing_time(clause, of_change=changing)
            match = pattern.match(core)
            if match and (reading := read_match(form, match, told.part, told.following)):
                return reading, when
    return None, None


def _announced(told: _ToldSentence, plain: str, first: str | None) -> _Dated:
    """Correction after 'actually' or 'since Monday' that does not say what it corrects."""
    core, when = cut_trailing_time(cut(plain), of_change=False)
    since = first is not None and first.lower().startswith(_SINCE) and readings.is_statement(core)
    new, kind = instead(told.part, core)
    if not new or not (told.marked or since):
        return None, None
    if negated(core) and (denied := _denial(told.part, told.part.text, None)) is not None:
        # 'Turns out I am not allergic': what is so is that the old does not hold.
        return denied, when
    sentence = told.part.unmasked(told.part.text)
    return CorrectionReading("in_passing", sentence, "marked", new=new, new_kind=kind), when


def read_statement(text: str) -> CorrectionReading | None:
    """A plain statement as the correction of what says otherwise; None if it is not asserted."""
    speaker, said = spoken(text[: readings.LONGEST])
    parts = masked_sentences(said)
    if not parts or any(one.doubt is not None for one in parts) or is_future(said):
        return None
    part = parts[0]
    if negated(part.text):
        reading = _denial(part, said, speaker)
        return reading if reading is None else _with_statement(reading, parts)
    if len(parts) != 1:
        return None
    core = cut(opened(part.text)[1])
    sentence = part.unmasked(core)
    if moved := RE.moved.match(cut_trailing_time(core, of_change=True)[0]):
        place = part.unmasked(moved["new"])
        return CorrectionReading("explicit", sentence, "changed-to", new=place, new_kind="value")
    # What tells of one more, of what was so once, or of an exception takes nothing back.
    more = is_ahead(core) or RE.also.search(core) or RE.once.search(core)
    quoted = any(map(readings.is_statement, part.quotes))
    if more or quoted or not readings.is_statement(core):
        return None
    plain, first = cut_leading_time(core)
    if first is None or not is_recurring(core):
        plain, first = core, None
    new, kind = instead(part, plain)
    reading = CorrectionReading("explicit", sentence, "stated", new=new, new_kind=kind)
    return replace(reading, scope=first, speaker=speaker)


def _with_statement(
    reading: CorrectionReading, parts: tuple[MaskedSentence, ...]
) -> CorrectionReading:
    """A denial with the statement after it, where that speaks of the same and all is said."""
    if len(parts) != len(("denial", "statement")):
        return reading
    part = readings.named(parts[1], parts[0].text)
    core = cut(opened(part.text)[1])
    told = keys(terms(reading.old or "")) & keys(terms(part.unmasked(core)))
    if not told or not readings.is_statement(core) or negated(core):
        return reading
    new, kind = instead(part, core)
    return replace(reading, new=new, new_kind=kind)


def _denial(part: MaskedSentence, said: str, speaker: str | None) -> CorrectionReading | None:
    match = RE.denial.match(cut(opened(part.text)[1]))
    if match is None or RE.nobody.match(match["about"]) or RE.no_denial.search(match["old"]):
        return None
    if negated(match["old"]):
        return None
    verb = match["is"] or match["isnt"] or match["m"]
    verb = "" if verb.lower() in {"does", "do"} else f" {verb}".replace(" '", "'")
    old = part.unmasked(f"{match['about']}{verb} {match['old']}")
    return CorrectionReading("explicit", said.strip(), readings.DENIED, old=old, speaker=speaker)


def beside(text: str, against: str) -> str | None:
    """Text of a correction without what it says against a statement; "" if nothing is left.

    That the statement does not hold is nothing beside it, nor is a question. None if it says
    more, and that cannot be taken out as it was written, or somebody else says it.
    """
    speaker, said = spoken(text[: readings.LONGEST])
    told = [part for part, _ in _turns(said)]
    found = read_corrections(text)
    if len(found) != 1:
        return "" if len(told) == 1 else None
    used, denied = found[0].sentence, keys(terms(against))
    left, more, earlier, goes_on = said, False, "", False
    for alone in told:
        part, written = readings.named(alone, earlier), alone.unmasked(alone.text)
        earlier = part.text if part.text == alone.text else f"{part.text} {alone.text}"
        says_no_more = not opened(alone.text)[1] or keys(terms(written)) <= denied
        if _told_in(used, alone, part) or says_no_more:
            if written not in left:
                return None
            left, goes_on = left.replace(written, _GAP, 1), True
        elif alone.doubt != "a question":
            if goes_on and (part.text != alone.text or RE.refers_back.match(alone.text)):
                return None
            more, goes_on = True, False
    if not more:
        return ""
    if speaker is not None or len(text) > readings.LONGEST or _GAP in text or _GAP not in left:
        return None
    return RE.emptied.sub(" ", RE.broken_off.sub(". ", left)).strip()


def _two_subjects(sentence: str) -> tuple[int, str] | None:
    """End of the first of two clauses that 'and' joins, and the other, with its verb; or None."""
    if gap := RE.gapped.match(sentence):
        return gap.end("first"), f"{gap['verb']} {gap['second']}"
    if RE.not_alone.match(sentence) is not None:
        return None
    found = RE.and_other.finditer(sentence)
    cuts = ((one.start(), sentence[one.end() :]) for one in found)
    return next((each for each in cuts if RE.says_it.match(sentence[: each[0]])), None)


def _said_before(reading: CorrectionReading, before: MaskedSentence) -> CorrectionReading:
    """A reading with the statement before it, where that says otherwise of the same."""
    core = cut(opened(before.text)[1])
    if reading.old is None or reading.old_kind != "statement" or not readings.is_statement(core):
        return reading
    old, new = keys(terms(reading.old)), keys(terms(before.unmasked(core)))
    if new <= old or len(old & new) * 2 < len(old):
        return reading
    said, kind = instead(before, core)
    return replace(reading, new=said, new_kind=kind)


def _recalled(reading: CorrectionReading, before: MaskedSentence) -> CorrectionReading:
    """A reading of what is so now, with the statement before it: 'I said 40. No, it is 50'."""
    told = RE.told_before.match(before.text)
    core = cut(before.text if told is None else before.text[told.end() :])
    new, value = reading.new or "", reading.new_kind == "value"
    fits = _same_kind(core, new) if value else RE.refers_back.match(new) or told
    if reading.form != "marked" or not fits or not readings.is_statement(core):
        return reading
    sentence = f"{before.unmasked(before.text)} {reading.sentence}"
    return replace(reading, old=before.unmasked(core), sentence=sentence)


def _same_kind(statement: str, value: str) -> bool:
    """True if a value may stand where a statement ends: an amount or a name for its like."""
    old, new = terms(statement), terms(value)
    amounts = [[term.quantity for term in some if term.quantity is not None] for some in (old, new)]
    if any(amounts):
        return any(same_measure(one, other) for one in amounts[0] for other in amounts[1])
    if old and new and old[-1].kind == "name":
        return any(term.kind == "name" or value[term.start].isupper() for term in new)
    return bool(old and new) and len(value.split()) <= _SHORT


def _with_contrast(
    part: MaskedSentence, following: MaskedSentence | None, said: str
) -> MaskedSentence:
    """A denial with the sentence after it, where that says at once what is so instead."""
    if following is None or following.doubt is not None or RE.denies_it.search(part.text) is None:
        return part
    after = following.text
    if (told := RE.it_is.match(after)) is None:
        return part
    if sign := (told["sign"] or "").strip().lower():
        joined = sign in part.text.lower().split()
    else:
        firm = any(one.kind != "word" or after[one.start].isupper() for one in terms(after))
        at_once = RE.of_what.search(part.text) and f"{part.text}; {after.rstrip('.! ')}" in said
        joined = bool((firm and _same_kind(part.text, after)) or at_once)
    return replace(part, text=f"{part.text.rstrip('.;! ')}; {after}") if joined else part
