"""Readings of corrections: their forms, the openings of sentences, and subjects left out."""

import re
from functools import cache
from typing import Literal

import msgspec
from msgspec.structs import replace

from mnemolog.language.clauses.assertions import MaskedSentence
from mnemolog.language.dates.calendar import MONTHS, WEEKDAYS
from mnemolog.language.patterns import before
from mnemolog.policies.corrections.terms import LISTS, RE, is_stop_word, keys, same_measure, terms

Manner = Literal["explicit", "in_passing", "request"]  # announced, among other talk, or requested
Old = Literal["statement", "thing", "value"]
New = Literal["statement", "value"]
Group = Literal["record", "request", "denial", "contrast", "change", "ending", "news"]

LONGEST = 4_000  # characters of a text that are read: a correction is said in a few words
DENIED = "denied"
"""The form of a plain denial, which corrects nothing but what says word for word that it is so."""
_NO_PERSON = frozenset([*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *MONTHS])
_SHORT = 3


class CorrectionReading(msgspec.Struct, frozen=True):
    """Correction that a sentence states.

    `old` are the words that no longer hold, `new` those that hold instead: a whole statement, a
    thing, or only a value of `about`. `agent` made the change, `scope` says where it holds,
    `when` since when, as written. `sentence` is the part of the text that says all this,
    `form` how, `speaker` who is said to say it.
    """

    manner: Manner
    sentence: str
    form: str
    old: str | None = None
    old_kind: Old = "statement"
    new: str | None = None
    new_kind: New = "statement"
    about: str | None = None
    agent: str | None = None
    scope: str | None = None
    when: str | None = None
    speaker: str | None = None

    @property
    def in_passing(self) -> bool:
        """True if it counts in a text that was not given as a correction.

        A request may be meant for another than the memory, unless it says what is so, or
        speaks of what is recorded.
        """
        of_record = self.form in {"request-forget", "request-forget-about", "request-scratch"}
        return self.manner != "request" or (
            self.new is not None and (of_record or RE.amends.match(self.sentence) is not None)
        )


class CorrectionForm(msgspec.Struct, frozen=True):
    """One form of correction, of a group of kin, and what kind of words `old` are."""

    name: str
    group: Group
    old: Old = "statement"


@cache
def forms() -> tuple[tuple[CorrectionForm, re.Pattern[str]], ...]:
    """The forms and their patterns, in the order in which they are tried."""
    return tuple(LISTS.rows("forms", CorrectionForm))


def may_correct(text: str) -> bool:
    """True if a text has any word with which something is taken back: cheap, before any form."""
    words = RE.plain_words.findall(text.lower().replace("\u2019", "'"))
    return not LISTS.words("signs").isdisjoint(words)


def opened(text: str) -> tuple[bool, str]:
    """Test for opening words that announce a correction, and the sentence without its opening."""
    marked, rest = False, text.strip()
    while match := RE.opener.match(rest):
        word, end, topic = match["mark"] or match["noise"], match["end"], match["topic"]
        after = rest[match.end() :]
        unmarked = end and not end.strip() and RE.need_mark.match(word) is not None
        if unmarked and not (RE.may_run_on.match(word) and RE.opener.match(after)):
            break
        marked, rest = marked or match["mark"] is not None, after
        if topic is not None and (is_ := RE.it_is_first.match(after)):
            # 'It is 50', said of the budget, is 'the budget is 50'.
            rest = f"{topic} {'are' if is_['many'] else 'is'} {after[is_.end() :]}"
    excuse = RE.excuse.search(rest)
    if excuse is not None and excuse.start():
        marked, rest = True, rest[: excuse.start()]
    return marked, rest.strip()


def cut(text: str) -> str:
    """A clause without what only explains it."""
    return RE.reason.sub("", text).strip().rstrip(".!,;: ")


def is_statement(text: str) -> bool:
    """True if a text is a statement, rather than only a name."""
    return RE.says.match(text) is not None


def instead(part: MaskedSentence, text: str) -> tuple[str, New]:
    """Replacement of the old words: a statement, or a value without the pronoun before it."""
    text = text.strip(" ,;:.")
    lead, _, told = text.rpartition(": ")
    ours = RE.by_us.match(told) or not RE.pronoun_first.match(told)
    _, rest = opened(told if lead and ours and is_statement(told) else text)
    text = RE.now_last.sub("", rest or text)
    match = RE.pronoun_is_value.match(text)
    if match is not None and text[match.end() :].strip():
        return part.unmasked(RE.not_old.sub("", text[match.end() :])), "value"
    text = RE.turned_out.sub(" is ", RE.should.sub(" is ", text, count=1), count=1)
    if not is_statement(text):
        return part.unmasked(text), "value"
    return part.unmasked(RE.in_fact.sub("", text, count=1)), "statement"


def two_acts(clause: str) -> tuple[str, str] | None:
    """Two clauses of one with two verbs, 'Omar left Acme and works at Globex'; None of others."""
    match = RE.two_acts.match(RE.is_shortened.sub(r"\g<who> is ", clause))
    if match is None:
        return None
    subject, does = match["subject"], match["does"]
    agrees = RE.agrees_plural if RE.plural_pronoun.match(subject) else RE.agrees
    placed = RE.now_anywhere.search(does) or RE.places.match(match["what"])
    if agrees.match(match["verb"]) is None or not placed or not is_statement(f"{subject} {does}"):
        return None
    return f"{subject}{match['gave']}", f"{subject} {does}"


def two_subjects(sentence: str) -> tuple[int, str] | None:
    """End of the first of two clauses that 'and' joins, and the other, with its verb; or None."""
    if gap := RE.gapped.match(sentence):
        return gap.end("first"), f"{gap['verb']} {gap['second']}"
    if RE.not_alone.match(sentence) is not None:
        return None
    found = RE.and_other.finditer(sentence)
    cuts = ((one.start(), sentence[one.end() :]) for one in found)
    return next((each for each in cuts if RE.says_it.match(sentence[: each[0]])), None)


def with_antecedent(clause: str, before: str) -> str | None:
    """A clause whose 'he' or 'she' is the one person that the words before it name.

    Unchanged if it begins with no such word, or nobody is named; None if it may be any of
    several people.
    """
    pronoun, possessive = RE.by_pronoun.match(clause), RE.by_possessive.match(clause)
    people, match = _people_in(before), pronoun or possessive
    if match is None or not people:
        return clause
    other = RE.his if RE.hers.match(clause) is not None else RE.hers
    if len(people) > 1 or other.search(before) is not None:
        return None
    (who,), rest = people, clause[match.end() :]
    if pronoun is None:
        return f"{who}'s {rest}"
    verb = "has" if RE.perfect.match(rest) else "is"
    return f"{who} {verb}{rest}" if pronoun["is"] else who + rest


def _people_in(text: str) -> set[str]:
    """The person that a text is about, its subject; else all whom it names."""
    found, acting = set[str](), set[str]()
    for match in RE.person_name.finditer(text):
        word, after = match[0], text[match.end() :]
        if is_stop_word(word.lower()) or word.lower() in _NO_PERSON:
            continue
        acts = RE.acts.match(after) is not None
        if text[: match.start()].strip(" \"'("):
            if before(RE.placed, text, match.start()) is None:
                found.add(word)
                acting |= {word} if acts else set()
        elif RE.and_another.match(after) is not None:
            found.add(word)
        elif acts:
            return {word}
    # 'I said that Diego is learning Greek' is about Diego.
    return acting if len(acting) == 1 else found


def named(part: MaskedSentence, earlier: str) -> MaskedSentence:
    """A sentence of 'he' or 'she' with the name before it; with a doubt, if there are several."""
    rest = RE.now_first.sub("", opened(part.text)[1])
    told = with_antecedent(rest, earlier)
    if told is None:
        return replace(part, doubt=part.doubt or "of one of several people")
    if told == rest:
        return part
    return replace(part, text=f"{part.text[: len(part.text) - len(rest)]}{told}")


def said_before(reading: CorrectionReading, before: MaskedSentence) -> CorrectionReading:
    """A reading with the statement before it, where that says otherwise of the same."""
    core = cut(opened(before.text)[1])
    if reading.old is None or reading.old_kind != "statement" or not is_statement(core):
        return reading
    old, new = keys(terms(reading.old)), keys(terms(before.unmasked(core)))
    if new <= old or len(old & new) * 2 < len(old):
        return reading
    said, kind = instead(before, core)
    return replace(reading, new=said, new_kind=kind)


def recalled(reading: CorrectionReading, before: MaskedSentence) -> CorrectionReading:
    """A reading of what is so now, with the statement before it: 'I said 40. No, it is 50'."""
    told = RE.told_before.match(before.text)
    core = cut(before.text if told is None else before.text[told.end() :])
    new, value = reading.new or "", reading.new_kind == "value"
    fits = _same_kind(core, new) if value else RE.refers_back.match(new) or told
    if reading.form != "marked" or not fits or not is_statement(core):
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


def with_contrast(
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
