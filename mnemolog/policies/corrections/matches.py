"""Readings of matched forms: the correction that the groups of a match make up."""

import re

import msgspec
from msgspec.structs import replace

from mnemolog.language.clauses.assertions import MaskedSentence, is_future
from mnemolog.language.clauses.clauses import read_clause
from mnemolog.language.dates import cut_trailing_time, is_ahead
from mnemolog.language.lists import word_set
from mnemolog.policies.corrections import readings
from mnemolog.policies.corrections.readings import CorrectionForm, CorrectionReading, instead
from mnemolog.policies.corrections.terms import RE, keys, subject_of, terms

_LONGEST_NAME, _LONGEST_THING, _LONGEST_VALUE = 6, 9, 3  # words
# Of what will be, these forms may speak: what they correct is what was said of it.
_OF_THE_FUTURE = {"not-old", "is-not-but", "instead-of-first", "should-be", "the-new", "record"}
_OF_SUBJECT = {"no-longer", "no-longer-is", "not-anymore", "used-to", "is-now", "now-does"}
_MOVING = word_set("joined-after new-job was-changed was-changed-from changed-to left became")
_NEED_NEW = {"said-but", "thing-is-wrong"}


class _Groups(msgspec.Struct, frozen=True):
    old: str = ""
    new: str = ""
    about: str = ""
    verb: str = ""
    agent: str = ""
    rest: str = ""


def read_match(
    form: CorrectionForm,
    match: re.Match[str],
    part: MaskedSentence,
    following: MaskedSentence | None,
) -> CorrectionReading | None:
    """The reading that a match comes to, with the next sentence; None if it makes no sense."""
    given = {name: (value or "").strip(" ,;:") for name, value in match.groupdict().items()}
    if form.old == "statement":
        given["old"] = RE.that_first.sub("", given.get("old", ""))
    held = _Groups(**given)
    if _lies_ahead(form, match[0]) or not _makes_sense(form, held):
        return None
    if form.group in {"record", "request"}:
        # 'The port I gave you for staging', 'the earlier deadline': words of the record.
        old, about = (RE.earlier.sub("", RE.given.sub("", text)) for text in (held.old, held.about))
        held = replace(held, old=old, about=about)
    agent = "" if RE.ours.match(held.agent) else held.agent
    about = RE.as_for.sub("", held.about)
    if form.name == "changed-from" and not about:
        # What changed by itself is what is spoken of: 'the price changed from … to …'.
        agent, about = "", agent
    about = "" if RE.ours.match(about) or RE.no_subject.match(about) else about
    reading = CorrectionReading(
        "explicit" if form.group == "record" else "in_passing",
        part.unmasked(part.text),
        form.name,
        old=part.unmasked(held.old) or None,
        old_kind=form.old,
        about=part.unmasked(about) or None,
        agent=part.unmasked(agent) or None,
    )
    if form.name == "new-job":
        # A new one takes the place of the one before.
        return replace(reading, about=None, new=part.unmasked(f"{held.about} works {held.rest}"))
    if form.group == "contrast":
        return _contrasted(form, held, part, reading)
    if form.name in _OF_SUBJECT or form.group == "news":
        return _of_subject(form, held, part, following, reading)
    if held.new:
        return replace(reading, new=part.unmasked(held.new), new_kind="value")
    reading = _with_what_follows(form, held.rest, part, following, reading)
    return None if form.name in _NEED_NEW and reading.new is None else reading


def _lies_ahead(form: CorrectionForm, said: str) -> bool:
    planned = form.group in {"denial", "news"} or form.name == "decided-to-drop"
    return form.group != "request" and (
        (is_future(said) and form.name not in _OF_THE_FUTURE) or (planned and is_ahead(said))
    )


def _makes_sense(form: CorrectionForm, held: _Groups) -> bool:
    longest = _LONGEST_NAME if held.about or form.name != "changed-from" else _LONGEST_THING
    if held.agent and (RE.no_agent.search(held.agent) or len(held.agent.split()) > longest):
        return False
    # Words that name nothing to take back: 'it', or 'play when' of 'when it rains'.
    vague = RE.no_thing.match(held.old) and not RE.liking.match(f"{form.group} {held.old}")
    if held.old and (RE.hanging.search(held.old) or vague):
        return False
    if form.group == "ending" and len(held.old.split()) > _LONGEST_THING:
        return False
    # What 'we must be' is no record of us.
    return not (
        (form.name in _MOVING and RE.no_about.search(held.about))
        or (form.name == "should-be" and RE.ours.match(held.about))
        or (form.name in _MOVING | _OF_SUBJECT and RE.no_subject.match(held.about))
    )


def _contrasted(
    form: CorrectionForm, held: _Groups, part: MaskedSentence, reading: CorrectionReading
) -> CorrectionReading:
    if form.name == "does-not-but":
        new, kind = instead(part, held.rest)
        old = part.unmasked(f"{held.about} {held.verb} {held.old}")
        return replace(reading, old=old, old_kind="statement", about=None, new=new, new_kind=kind)
    if form.name in {"is-not-but", "was-but-is"}:
        lead = RE.adjective.match(held.old)
        if lead is not None and not RE.adjective.match(held.new):
            # 'not allergic to gluten but peanuts': what is in dispute is gluten.
            about, old = f"{held.about} {lead[0]}", held.old[lead.end() :]
            reading = replace(reading, about=part.unmasked(about), old=part.unmasked(old))
        return replace(reading, new=part.unmasked(held.new), new_kind="value")
    new, kind = instead(part, held.new)
    if kind == "value":
        # A clause, though by a rare verb: of 'visitors park in the street, not in the yard', what
        # comes before the street is no value.
        sign, text = RE.preposition_first.match(held.old), f" {new}".casefold()
        before = "" if sign is None else text.rpartition(f" {sign[1].casefold()} ")[0]
        kind = "statement" if before.strip() or read_clause(new) is not None else kind
    long = readings.is_statement(held.old) and len(held.old.split()) > _LONGEST_VALUE
    return replace(reading, old_kind="statement" if long else "value", new=new, new_kind=kind)


def _of_subject(
    form: CorrectionForm,
    held: _Groups,
    part: MaskedSentence,
    following: MaskedSentence | None,
    reading: CorrectionReading,
) -> CorrectionReading | None:
    verb = held.verb if held.verb.startswith("'") or not held.verb else f" {held.verb}"
    if form.group == "denial":
        whole = replace(reading, old=part.unmasked(f"{held.about}{verb} {held.old}"), about=None)
        return _with_what_follows(form, held.rest, part, following, whole)
    if form.name == "should-be":
        return replace(reading, new=part.unmasked(held.new), new_kind="value")
    subject = RE.new_word.sub("", held.about, count=1)
    does = RE.by_it.match(held.new)
    new = {
        "is-now": f"{held.about}{verb} {held.new}",
        "now-does": f"{held.about}{verb} {held.new}",
        "the-new": f"{subject} {held.verb} {held.new}",
        "is-the-new": f"{subject} is {held.new}",
        "has-new": f"{held.about}'s {held.verb} is {held.new}",
    }.get(form.name, held.new)
    if form.name == "has-new" and does is not None:
        # 'New hours: it closes at 8', beside 'new hours: 8 to 6'.
        new = f"{held.about} {held.new[does.end() :]}"
    if not readings.is_statement(new):
        return None
    return replace(reading, about=None, new=part.unmasked(new), new_kind="statement")


def _with_what_follows(
    form: CorrectionForm,
    rest: str,
    part: MaskedSentence,
    following: MaskedSentence | None,
    reading: CorrectionReading,
) -> CorrectionReading:
    """A reading with what its sentence, or the next one, says that holds instead."""
    source, sentence = part, reading.sentence
    _, tail = readings.opened(rest.strip(" ,;:.!—\u2013-"))
    _, tail = readings.opened(RE.connecting.sub("", tail))
    tail = "" if RE.asks.match(tail) else readings.cut(tail)
    changing = form.group in {"change", "ending"}
    if not tail and following is not None and following.doubt is None and not changing:
        marked, more = readings.opened(following.text)
        more = RE.now_first.sub("", cut_trailing_time(readings.cut(more), of_change=False)[0])
        of_it = reading.manner == "explicit" or _speaks_of(reading, more)
        named = of_it and readings.is_statement(more)
        if marked or named or RE.pronoun_first.match(more) or RE.pronoun_is_value.match(more):
            source, tail = following, more
            sentence = f"{sentence} {following.unmasked(following.text)}"
    if not tail:
        return reading
    new, kind = instead(source, tail)
    if RE.no_value.match(new):
        return reading
    pronoun = RE.spoken_of.match(new)
    if kind == "statement" and reading.about and pronoun is not None:
        # 'The invoices are wrong, they go to Carol.'
        new = f"{reading.about} {new[pronoun.end() :]}"
        reading = replace(reading, about=None)
    if changing and (kind == "value" or not RE.pronoun_first.match(tail)):
        return reading
    return replace(reading, sentence=sentence, new=new or None, new_kind=kind)


def _speaks_of(reading: CorrectionReading, statement: str) -> bool:
    about, old = subject_of(statement), terms(reading.old or "")
    whole = bool(old) and old[0].key in about and about <= keys(old)
    return bool(about) and (whole or about <= subject_of(reading.old or ""))
