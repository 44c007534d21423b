"""Readings of corrections: their forms and openings, and what they demand of a target."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal

import msgspec
from msgspec.structs import replace

from mnemolog.language.calendar import MONTHS, WEEKDAYS
from mnemolog.language.clauses.assertions import MaskedSentence
from mnemolog.language.entities import everyday_kinds, everyday_name
from mnemolog.language.lists import before
from mnemolog.language.words.lexicon import LEXICON
from mnemolog.policies.corrections import terms as wording
from mnemolog.policies.corrections.terms import LISTS, RE, Term, key_of, keys, terms

Manner = Literal["explicit", "in_passing", "request"]  # announced, among other talk, or requested
Old = Literal["statement", "thing", "value"]
New = Literal["statement", "value"]
Group = Literal["record", "request", "denial", "contrast", "change", "ending", "news"]

LONGEST = 4_000  # characters of a text that are read: a correction is said in a few words
# The form of a plain denial, which corrects nothing but what says word for word that it is so.
DENIED = "denied"
_NO_PERSON = frozenset([*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *MONTHS])


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
        """True if it counts in a text that was not given as a correction: no mere request."""
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
    """The forms and their patterns, in order of precedence."""
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


def with_antecedent(clause: str, before: str) -> str | None:
    """A clause with the one person named before for its 'he' or 'she'; None if several are."""
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
        if wording.is_stop_word(word.lower()) or word.lower() in _NO_PERSON:
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


class TargetCandidate(msgspec.Struct, frozen=True):
    """A memory that a correction may mean.

    `labels` are its tags and the steps of its place, `speaker` the name of who said it,
    `cosine` its nearness in meaning, `order` its place in the log.
    """

    memory_id: str
    text: str
    labels: tuple[str, ...] = ()
    speaker: str | None = None
    cosine: float = 0.0
    order: int = 0


class CandidateSentence(msgspec.Struct, frozen=True):
    """One sentence of a candidate with its terms, and the keys of who says it."""

    text: str
    start: int
    found: tuple[Term, ...]
    also: frozenset[str] = frozenset()

    @property
    def held(self) -> set[str]:
        """The keys of what it says, and of who says it."""
        return keys(self.found) | self.also


class TargetDemands(msgspec.Struct, frozen=True):
    """Demands of a reading on its target, with the terms of its parts."""

    reading: CorrectionReading
    old: tuple[Term, ...]
    new: tuple[Term, ...]
    about: tuple[Term, ...]
    required: frozenset[str]
    scope: frozenset[str]
    subject: frozenset[str]
    speaker: str | None
    first_person: bool
    named: frozenset[str]
    relation: str | None

    @staticmethod
    def of(
        reading: CorrectionReading, candidates: Sequence[TargetCandidate], corrector: str | None
    ) -> TargetDemands:
        """The demands of a reading."""
        said = [part or "" for part in (reading.old, reading.new, reading.about)]
        old, new, about = map(terms, said)
        agent, sentence = keys(terms(reading.agent or "")), reading.sentence
        if (about or reading.form == "dropped") and not RE.stopped.search(sentence):
            held = (keys((*terms(one.text), *terms(one.speaker or ""))) for one in candidates)
            agent = set() if any(agent <= some for some in held) else agent
        stating = reading.old if reading.old_kind == "statement" else None
        stating = stating or (reading.new if reading.new_kind == "statement" else None)
        mine = reading.agent is None and RE.i_changed.search(sentence) is not None
        core = " ".join(filter(None, said)) or sentence
        return TargetDemands(
            reading,
            old,
            new,
            about,
            frozenset(agent),
            frozenset(keys(terms(reading.scope or ""))),
            frozenset(wording.subject_of(stating or "")),
            reading.speaker or corrector,
            first_person=mine or RE.first_person.search(core) is not None,
            named=_names([*said, sentence, *(one.text for one in candidates)]),
            relation="<residence>" if RE.moved_home.search(sentence) else None,
        )


def neutral() -> frozenset[str]:
    """The keys of words that tell no thing from another: 'the main office', 'the new one'."""
    return LISTS.words("neutral")


def _names(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(
        one.key
        for text in texts
        for one in terms(text)
        if one.kind == "name" or (text[one.start].isupper() and RE.after_name.match(text, one.end))
    )


def kinds_of_values(text: str) -> frozenset[str]:
    """The keys of nouns for what the words of a text are, as anybody knows: of a parrot, a pet."""
    words = set(RE.plain_word.findall(text.lower()))
    kinds = {"diet"} if words & LISTS.words("diets") else set[str]()
    kinds |= {kind for word in words if (kind := LEXICON.key_of("household", word)) is not None}
    for known in filter(None, map(everyday_name, words)):
        kinds |= {kind.name for kind in everyday_kinds(known)}
    return frozenset(map(key_of, kinds))


def reworded(reading: CorrectionReading, texts: Iterable[str]) -> CorrectionReading | None:
    """A reading with the one other noun that some texts have for its own; None if none differ."""
    known = {key_of(word) for text in texts for word in RE.any_word.findall(text)}
    groups = [(first, *others) for first, others in LISTS.table("synonyms").items()]
    mates = [set(map(key_of, group)) for group in groups]
    stems = {key_of(word): word for group in groups for word in group}

    def mate(match: re.Match[str]) -> str:
        key = key_of(match[0])
        others = {one for group in mates if key in group for one in group & known}
        return stems[others.pop()] if key not in known and len(others) == 1 else match[0]

    parts = {"old": reading.old, "new": reading.new, "about": reading.about}
    changed = {name: RE.any_word.sub(mate, text) for name, text in parts.items() if text}
    other = replace(reading, **changed)
    return None if other == reading else other


class TargetMatch(msgspec.Struct, frozen=True):
    """Match of a candidate with a correction: its score in [0, 1], and the characters in dispute.

    `start` and `end` are the characters of the sentence in dispute, `value_start` and
    `value_end` those of the value that no longer holds, if known; `new` takes its place, and
    with `which` merely tells which of several things is meant.
    """

    candidate: TargetCandidate
    score: float
    cover: float
    why: str
    start: int
    end: int
    extra: int = 0
    value_start: int = -1
    value_end: int = -1
    new: str | None = None
    old_keys: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    which: bool = False


def decides(asked: TargetDemands, term: Term) -> bool:
    """True if a target that lacks a term speaks of something else: a name, an amount."""
    return term.kind == "quantity" or term.key in asked.named
