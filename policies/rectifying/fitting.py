"""How well a memory fits what a correction says of its target."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from policies.quantities.amounts import Quantity
from policies.rectifying.asserting import passages, spoken
from policies.rectifying.readings import CorrectionReading
from policies.rectifying.terms import TELLING, Term, key_of, keys, same_measure, terms

_COVER, _PRECISION, _MEANING = 0.6, 0.2, 0.2
_I = re.IGNORECASE
# Not the 'me' of an address such as me@home.net.
_FIRST_PERSON = re.compile(r"(?<![\w.@-])(?:i|my|me|mine|myself|i'm|i've|i'd)\b(?![@-]|\.\w)", _I)
_WE = re.compile(r"\b(?:we|our|us|we're|we've|i|my|the team|team)\b", _I)
_VERB = re.compile(
    r"(?<=\S)(?:'(?:s|re|m)\s(?=(?:now|not|no|a|an|the|at|in|on|\d|\w+ing|\w+ed)\b)"
    r"|\s+(?:is|are|was|were|am|be|has|have|had|can|does|do|will|must|should|lives?|lived"
    r"|works?|worked|uses?|using|prefers?|likes?|loves?|wants?|needs?"
    r"|starts?|begins?|ends?|meets?|happens?|costs?|runs?|takes?|goes|comes?|plays?"
    r"|drives?|speaks?|eats?|drinks?|sits?|stays?|belongs?|owns?|leads?|manages?|reports?"
    r"|reads|writes?|studies|teaches|flies|leaves?|left|arrives?|departs?|opens?|closes?"
    r"|expires?|holds?|keeps?|contains?|supports?|allows?|requires?|ships?|deploys?|hosts?"
    r"|moved|joined|resides?|based|keeps|handles|maintains|rides|trains|attends|visits"
    r"|lasts|weighs"
    r"|[a-z]{2,}[a-rt-z]s(?=\s+(?:in|on|at|for|to|from|with|by|as|the|a|an|its|their|his"
    r"|her|our|\d))))\b",
    _I,
)
_NEUTRAL = frozenset(
    [
        "dai",
        "week",
        "month",
        "quarter",
        "year",
        "morn",
        "evening",
        "afternoon",
        "regular",
        "usual",
        "main",
        "current",
        "whole",
        "official",
        "new",
        "old",
        "own",
        "team",
        "entire",
        "everyday",
        "typic",
        "weekli",
        "daili",
    ]
)
_PREPOSITION = re.compile(
    r"\b(in|at|on|to|for|with|by|from|near|under|of|as|called|named)\s+(?:the\s+|a\s+|an\s+)?$",
    _I,
)
_BELONGS = {"residence": re.compile(r"\b(?:moved|relocated|shifted)\b", _I)}
_PERSONAL = re.compile(r"^(?:stopped|ceased|quit|gave up|given up|no longer|finished|sold)", _I)
_HAS = re.compile(
    r"\b(?:we|i|our team|the team|team|everyone|company|they)\b[^.;]{0,30}?\b(?:use|using"
    r"|have|hold|run|do|keep|host|take|get|offer|support|meet|rely|deploy|store|build"
    r"|subscribe|pay|write|publish|ship|organi[sz]e|maintain)\w*\b",
    _I,
)


class Candidate(msgspec.Struct, frozen=True):
    """A memory that a correction may mean.

    `labels` are its tags and the steps of its place, `speaker` the name of who
    said it, `cosine` how near it is in meaning, `order` its place in the log.
    """

    memory_id: str
    text: str
    labels: tuple[str, ...] = ()
    speaker: str | None = None
    cosine: float = 0.0
    order: int = 0


class Match(msgspec.Struct, frozen=True):
    """How well a candidate is what a correction takes back, in [0, 1], and where it says so.

    `start` and `end` are the characters of the sentence in dispute, `value_start`
    and `value_end` those of the value that no longer holds, where it is known;
    `new` is the value that takes its place.
    """

    candidate: Candidate
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


class _Said(msgspec.Struct, frozen=True):
    """One sentence of a candidate with its terms."""

    text: str
    start: int
    found: tuple[Term, ...]
    also: frozenset[str]

    @property
    def held(self) -> set[str]:
        return keys(self.found) | self.also


class Asked(msgspec.Struct, frozen=True):
    """What a reading asks of a target, its terms worked out once."""

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
        reading: CorrectionReading, candidates: Sequence[Candidate], corrector: str | None
    ) -> Asked:
        """The demands of a reading."""
        named = _names(
            [
                reading.old,
                reading.new,
                reading.about,
                reading.sentence,
                *(one.text for one in candidates),
            ]
        )
        old, new, about = (terms(part or "") for part in (reading.old, reading.new, reading.about))
        agent = keys(terms(reading.agent or ""))
        if agent and not _PERSONAL.match(_verb_of(reading)):
            known = any(
                agent <= (keys(terms(one.text)) | keys(terms(one.speaker or "")))
                for one in candidates
            )
            agent = set() if known and (about or reading.form == "dropped") else agent
        stating = reading.old if reading.old_kind == "statement" else None
        stating = stating or (reading.new if reading.new_kind == "statement" else None)
        own = " ".join(
            part for part in (reading.old, reading.new, reading.about, reading.sentence) if part
        )
        return Asked(
            reading,
            old,
            new,
            about,
            required=frozenset(agent),
            scope=frozenset(keys(terms(reading.scope or ""))),
            subject=frozenset(_subject(stating or "")),
            speaker=reading.speaker or corrector,
            first_person=_FIRST_PERSON.search(_core(reading) or own) is not None,
            named=named,
            relation=next(
                (f"<{name}>" for name, verb in _BELONGS.items() if verb.search(reading.sentence)),
                None,
            ),
        )


def _core(reading: CorrectionReading) -> str:
    return " ".join(part for part in (reading.old, reading.new, reading.about) if part) + (
        " I"
        if reading.agent is None
        and re.search(
            r"\bI(?:'ve)? (?:have |just |recently |finally )*(?:moved|left|quit|stopped|gave"
            r"|switched|changed|relocated|sold|dropped|cancell?ed|became|no)\b",
            reading.sentence,
        )
        else ""
    )


def _verb_of(reading: CorrectionReading) -> str:
    match = re.search(
        r"\b(?:stopped|ceased|quit|gave up|given up|no longer|finished|sold)\b",
        reading.sentence,
        _I,
    )
    return match[0] if match else ""


def _names(texts: Iterable[str | None]) -> frozenset[str]:
    """The terms that some text writes as a name."""
    found: set[str] = set()
    for text in texts:
        for term in terms(text or ""):
            if term.kind == "name" or (
                text is not None
                and text[term.start].isupper()
                and re.match(
                    r"(?:'s|\u2019s)\s|\s+and\s+[A-Z]|\s+(?:lives|works|has|is|was|moved|left|[a-z]+s)\b",
                    text[term.end :],
                )
            ):
                found.add(term.key)
    return frozenset(found)


def _subject(statement: str) -> set[str]:
    """The terms of a statement before its first verb."""
    match = _VERB.search(statement)
    return (
        set()
        if match is None
        else keys(term for term in terms(statement) if term.end <= match.start() + 1)
    )


def best_match(asked: Asked, candidate: Candidate) -> Match | None:
    """How well the sentence of a candidate that fits best fits; None if none does at all."""
    speaker, said = spoken(candidate.text)
    speaker = speaker or candidate.speaker
    offset = len(candidate.text) - len(said)
    if _other_person(asked, speaker, said):
        return None
    also = frozenset(keys(terms(" ".join(candidate.labels))))
    found: list[Match] = []
    for start, end in passages(said):
        text = said[start:end]
        own = keys(terms(speaker or "")) if _FIRST_PERSON.search(text) else set()
        piece = _Said(text, offset + start, terms(text), frozenset(own))
        match = _match(asked, candidate, piece, also)
        if match is not None:
            found.append(match)
    return max(found, key=lambda match: match.score, default=None)


def _other_person(asked: Asked, speaker: str | None, said: str) -> bool:
    """Whether a correction and a memory are each in the first person, of two people."""
    if not asked.first_person:
        return False
    mine = _FIRST_PERSON.search(said) is not None
    if asked.speaker is None or speaker is None:
        return not mine
    same = bool(keys(terms(asked.speaker)) & keys(terms(speaker)))
    if mine:
        return not same
    return not keys(terms(asked.speaker)) & keys(terms(said))


def _match(asked: Asked, candidate: Candidate, said: _Said, labels: frozenset[str]) -> Match | None:
    """How well one sentence of a candidate fits."""
    if not said.found or not asked.scope <= (said.held | labels):
        return None
    if (
        asked.old
        and asked.reading.old_kind == "value"
        and asked.new
        and asked.reading.new_kind == "statement"
    ):
        return _against_statement(asked, candidate, said, named_old=True)
    if asked.old:
        return _against_old(asked, candidate, said)
    if asked.new and asked.reading.new_kind == "statement":
        return _against_statement(asked, candidate, said, named_old=False)
    return _against_value(asked, candidate, said)


def _against_old(asked: Asked, candidate: Candidate, said: _Said) -> Match | None:
    """A target that must hold the words which are taken back."""
    need = {term.key: term for term in (*asked.old, *asked.about)}
    held = said.held
    cover = _share(need.values(), held)
    missing = [term for term in need.values() if term.key not in held]
    if any(_decides(asked, term) for term in missing) or not (
        asked.required | asked.subject
    ) <= held | _loose(asked):
        cover *= 0.5
    extra = [term for term in said.found if term.key not in need and term.key not in asked.required]
    cover = _told_apart(cover, missing, extra)
    if _possessed(asked, said):
        cover *= 0.7
    if (
        asked.reading.new is None
        and asked.reading.old_kind == "statement"
        and _lists(said, need, extra)
    ):
        cover *= 0.7
    value = _disputed(asked, said, need)
    score = _score(cover, _precision(need, said, ()), candidate) + _bears(asked, said, need)
    return _made(
        asked,
        candidate,
        said,
        cover,
        score,
        extra,
        value,
        asked.reading.new if asked.reading.new_kind == "value" else None,
        frozenset(need),
    )


_AND = re.compile(r"\s*(?:,|,?\s*(?:and|or|&))\s*(?:the\s+|an?\s+)?")


def _lists(said: _Said, need: dict[str, Term], extra: Sequence[Term]) -> bool:
    """Whether a sentence says of several things what a correction takes back of one."""
    others = {term.key for term in extra}
    return any(
        ({one.key, two.key} & others)
        and ({one.key, two.key} & set(need))
        and _AND.fullmatch(said.text[one.end : two.start]) is not None
        for one, two in pairwise(said.found)
    )


def _told_apart(cover: float, missing: Iterable[Term], extra: Iterable[Term]) -> float:
    """A cover, less where a sentence has another word in the place of one that it lacks."""
    wanted, others = [
        [term.key for term in some if term.key not in _NEUTRAL] for some in (missing, extra)
    ]
    related = [any(key[0] == "<" for key in some) for some in (wanted, others)]
    worded = [any(key[0] != "<" or key in TELLING for key in some) for some in (wanted, others)]
    return cover * 0.8 if all(related) or all(worded) else cover


def _loose(asked: Asked) -> frozenset[str]:
    """Words of a subject that a target may word otherwise: those that are no names."""
    return frozenset(
        key
        for key in asked.subject
        if key not in asked.named and not key.startswith(("clock", "date", "number"))
    )


def _decides(asked: Asked, term: Term) -> bool:
    return term.kind == "quantity" or term.key in asked.named


def _against_statement(
    asked: Asked, candidate: Candidate, said: _Said, *, named_old: bool
) -> Match | None:
    """A target that says the same as the new statement but for one value."""
    held, new = said.held, asked.reading.new or ""
    fresh = [term for term in asked.new if term.key not in held]
    olds = keys(asked.old)
    if not fresh or not asked.required <= held or (named_old and not olds <= held):
        return None
    new_keys = keys(asked.new)
    stale = [term for term in said.found if term.key not in new_keys]
    fresh_value = _value_of(fresh)
    if named_old:
        old_value = [term for term in said.found if term.key in olds]
    else:
        old_value = _stale_value(fresh_value, stale, said, asked)
        if asked.subject and asked.subject <= keys(fresh_value):
            theirs_first = _subject(said.text)
            named = [term for term in stale if term.key in asked.named]
            old_value = named or [term for term in stale if term.key in theirs_first] or stale[-1:]
    if not old_value:
        return None
    value_keys = keys(fresh_value)
    need = {term.key: term for term in asked.new if term.key not in value_keys}
    cover = _share(need.values(), held)
    one = _Slot(fresh_value, old_value, stale, need, named_old)
    if (
        _elsewhere(asked, said, one)
        or _as_what(asked, said, one)
        or (not named_old and _unsure(asked, said, one))
    ):
        cover *= 0.5
    old_keys = keys(old_value)
    extra = [term for term in said.found if term.key not in new_keys and term.key not in old_keys]
    cover = _told_apart(cover, [term for term in need.values() if term.key not in held], extra)
    if _possessed(asked, said):
        cover *= 0.7
    score = _score(cover, _precision(need, said, old_value), candidate)
    worded = new[min(t.start for t in fresh_value) : max(t.end for t in fresh_value)]
    return _made(
        asked,
        candidate,
        said,
        cover,
        score,
        extra,
        old_value,
        worded,
        frozenset(old_keys | (new_keys & held)),
    )


class _Slot(msgspec.Struct, frozen=True):
    """Where a new statement and a target differ: the new value, the old one, what both lack."""

    fresh: Sequence[Term]
    value: Sequence[Term]
    stale: Sequence[Term]
    need: dict[str, Term]
    named_old: bool


def _elsewhere(asked: Asked, said: _Said, slot: _Slot) -> bool:
    """Whether a target speaks of someone or something else than the new statement."""
    held, value_keys = said.held, keys(slot.fresh)
    firsts = keys(asked.old) <= _subject(said.text)
    common = keys(asked.new) & held
    role = asked.subject <= value_keys and (firsts if slot.named_old else _is_role(asked, common))
    if any(_decides(asked, term) and term.key not in held for term in slot.need.values()):
        return True
    other = [term for term in slot.stale if term not in slot.value and term.key not in _NEUTRAL]
    if slot.named_old and other and len(_runs(slot.fresh, asked.reading.new or "")) > 1:
        return True
    if role:
        return bool(asked.subject) and not set(slot.need) <= held
    named = {key for key in asked.subject if key in asked.named}
    subject = asked.subject - value_keys
    loose = len(subject & held) * 2 < len(subject)
    return not named <= held or bool(asked.subject & value_keys) or loose


def _as_what(asked: Asked, said: _Said, slot: _Slot) -> bool:
    """Whether one says as what someone works, and the other where."""
    before = [
        _preposition((asked.reading.new or "")[: min(term.start for term in slot.fresh)]),
        _preposition(said.text[: min(term.start for term in slot.value)]),
    ]
    return None not in before and (before[0] == "as") != (before[1] == "as")


def _unsure(asked: Asked, said: _Said, slot: _Slot) -> bool:
    """Whether a target need not say the same of its subject, where the old value is not named."""
    held, new = said.held, asked.reading.new or ""
    new_keys = keys(asked.new)
    common = new_keys & held
    measured = any(term.kind == "quantity" for term in slot.fresh)
    settled = any(term.kind == "quantity" and term.key in held for term in asked.new)
    two_points = (
        not measured and len(_runs(slot.fresh, new)) > 1 and len(_runs(slot.stale, said.text)) > 1
    )
    nobody = bool(common & _ROLES) and not any(term.key in asked.named for term in slot.fresh)
    relations = [{key for key in some if key[0] == "<"} for some in (new_keys, held)]
    related = not all(relations) or bool(relations[0] & relations[1])
    telling = any(key not in asked.named and (key[0] != "<" or key in _SINGLE) for key in common)
    # 'The owner is Helen' names the one who fills a place, as 'Dana owns a bike' does not.
    telling = telling or (bool(common & _ROLES) and _PLACE_OF.search(new) is not None)
    # That a plain statement takes something back shows in nothing but its saying the same.
    plain = asked.reading.form == "stated" and (
        bool(set(slot.need) - held) or _told(slot.stale, slot.value)
    )
    return (
        two_points
        or (settled and not measured)
        or nobody
        or not related
        or (not measured and not telling)
        or plain
    )


def _told(stale: Sequence[Term], old_value: Sequence[Term]) -> bool:
    return any(term not in old_value and term.key not in _NEUTRAL for term in stale)


_SINGLE = frozenset(
    """
    <residence> <employment> <study> <located> <drive> <lead> <name> <host> <birth> <build>
    <allergy> <telephone> <mail> <cost> <due>
    """.split()  # noqa: SIM905 - as above
)
"""Relations in which one has one at a time: the other value takes the place of the first."""

_ROLES = frozenset(["<lead>", "<owner>"])
_PLACE_OF = re.compile(
    r"\b(?:owner|lead|manager|head)\b.*\bis\b|\bis the (?:owner|lead|manager)\b", _I
)
_ROLE = re.compile(
    r"\b(?:is|are|was) (?:now )?(?:the|our|my|\w+'s)\b|\bresponsible for\b|\bin charge of\b", _I
)


def _is_role(asked: Asked, common: set[str]) -> bool:
    """Whether a statement names who fills a place that one at a time fills."""
    return bool(common & _ROLES) or (
        bool(common) and _ROLE.search(asked.reading.new or "") is not None
    )


def _value_of(fresh: Sequence[Term]) -> list[Term]:
    measured = [term for term in fresh if term.kind == "quantity"]
    return measured or list(fresh)


def _preposition(before: str) -> str | None:
    """The preposition that a text ends with, an article after it aside."""
    match = _PREPOSITION.search(before)
    return None if match is None else match[1].lower()


def _stale_value(
    fresh: Sequence[Term], stale: Sequence[Term], said: _Said, asked: Asked
) -> list[Term]:
    """What of a target stands where the new value would: of its measure, or in its place."""
    measured = [term.quantity for term in fresh if term.quantity is not None]
    if measured:
        return _of_measures(measured, stale)
    new = asked.reading.new or ""
    leading = _PREPOSITION.search(new[: fresh[0].start])
    rest = [term for term in stale if term.key[0] != "<"]
    if leading is not None:
        word = leading[1].lower()
        placed = [term for term in rest if _preposition(said.text[: term.start]) == word]
        if placed:
            return _chunk(placed[0], rest, said.text)
    subject = _subject(said.text)
    after = [term for term in rest if term.key not in subject]
    return _chunk(after[0], after, said.text) if after else []


def _of_measures(measured: Sequence[Quantity], found: Sequence[Term]) -> list[Term]:
    """The first term of the measure of each of some quantities, in the order of the text."""
    chosen: list[Term] = []
    for one in measured:
        term = next(
            (
                term
                for term in found
                if term not in chosen
                and term.quantity is not None
                and same_measure(term.quantity, one)
            ),
            None,
        )
        if term is not None:
            chosen.append(term)
    return sorted(chosen, key=lambda term: term.start)


_BETWEEN = re.compile(r"[\s,]*(?:and|&|of)?\s*(?:the|a|an)?\s*")


def _runs(found: Sequence[Term], text: str) -> list[Term]:
    """The terms that begin a run of neighbours; of two runs each is another point."""
    telling = [term for term in found if term.key not in _NEUTRAL and term.key[0] != "<"]
    return [
        term
        for place, term in enumerate(telling)
        if place == 0 or _BETWEEN.fullmatch(text[telling[place - 1].end : term.start]) is None
    ]


def _chunk(first: Term, among: Sequence[Term], text: str) -> list[Term]:
    """A term with those that directly follow it."""
    found = [first]
    for term in among:
        if term.start >= found[-1].end and not text[found[-1].end : term.start].strip():
            found.append(term)
    return found


def _against_value(asked: Asked, candidate: Candidate, said: _Said) -> Match | None:
    """A target of which only the topic and a new value are told."""
    need = {term.key: term for term in asked.about}
    if not need and asked.relation is not None and asked.new:
        return _by_relation(asked, candidate, said, asked.relation)
    if not need:
        return _by_measure(asked, candidate, said)
    held = said.held
    cover = _share(need.values(), held)
    if (
        any(_decides(asked, term) and term.key not in held for term in need.values())
        or not asked.required <= held
    ):
        cover *= 0.5
    rest = [term for term in said.found if term.key not in need]
    measured = [term.quantity for term in asked.new if term.quantity is not None]
    if keys(asked.new) and keys(asked.new) <= held:
        return None
    value = _stale_value(asked.new, rest, said, asked) if asked.new else rest[-1:]
    if not value:
        cover *= 0.5
    bonus = 0.0
    if asked.relation is not None and not measured:
        bonus = 0.15 if asked.relation in held else -0.1
        cover = cover if asked.relation in held else cover * 0.9
    only_names = all(key in asked.named for key in need)
    if only_names and not measured and asked.relation not in held and asked.new:
        cover *= 0.9
        if not _like_role(asked, said):
            cover *= 0.8
    extra = [term for term in rest if term not in value]
    score = _score(cover, _precision(need, said, value), candidate) + bonus
    return _made(
        asked,
        candidate,
        said,
        cover,
        score,
        extra,
        value,
        asked.reading.new,
        frozenset(need) | keys(value),
    )


def _like_role(asked: Asked, said: _Said) -> bool:
    """Whether a bare statement about someone is of the kind 'X is a Y'."""
    return (
        asked.reading.form == "became"
        and re.search(r"\b(?:is|works as)\s+(?:an?|the|our)\b", said.text) is not None
    )


def _by_relation(asked: Asked, candidate: Candidate, said: _Said, relation: str) -> Match | None:
    """A target of which nothing is told but a new value of its relation: 'she moved to Bergen'."""
    if relation not in said.held or keys(asked.new) <= said.held:
        return None
    value = _stale_value(asked.new, said.found, said, asked)
    if not value:
        return None
    score = 0.6 + 0.2 * candidate.cosine
    new = asked.reading.new
    return _made(asked, candidate, said, 1.0, score, [], value, new, keys(value))


def _by_measure(asked: Asked, candidate: Candidate, said: _Said) -> Match | None:
    """A target of which nothing is told but the new value: one of its measure."""
    measured = [term.quantity for term in asked.new if term.quantity is not None]
    if not measured or keys(asked.new) <= said.held:
        return None
    value = [
        term
        for term in said.found
        if term.quantity is not None and same_measure(term.quantity, measured[0])
    ]
    if len(value) != 1:
        return None
    return _made(
        asked,
        candidate,
        said,
        1.0,
        0.6 + 0.2 * candidate.cosine,
        [],
        value,
        asked.reading.new,
        keys(value),
    )


def _disputed(asked: Asked, said: _Said, need: dict[str, Term]) -> list[Term]:
    """The value of a target that the new one replaces, where both are values."""
    reading = asked.reading
    if reading.old_kind == "value":
        olds = keys(asked.old)
        return [term for term in said.found if term.key in olds]
    if not asked.new or reading.new_kind != "value":
        return []
    measured = [term.quantity for term in asked.new if term.quantity is not None]
    found = [term for term in said.found if term.key in need and term.key not in asked.subject]
    if measured:
        return _of_measures(measured, found[::-1])
    return [term for term in found if term.key[0] != "<"][-1:]


def _bears(asked: Asked, said: _Said, need: dict[str, Term]) -> float:
    """What speaks for or against a sentence being the one that says a thing is so."""
    if asked.reading.old_kind != "thing":
        return 0.0
    bonus = 0.1 if _HAS.search(said.text) else 0.0
    places = [term for term in said.found if term.key in need]
    if places:
        last = places[-1]
        following = next((term for term in said.found if term.start >= last.end), None)
        if (
            following is not None
            and not said.text[last.end : following.start].strip()
            and following.kind == "word"
        ):
            bonus -= 0.15
        subject = _subject(said.text)
        if (
            asked.reading.agent is None
            and subject
            and not subject & set(need)
            and subject <= asked.named
        ):
            bonus -= 0.1
    return bonus


def _share(need: Iterable[Term], held: set[str]) -> float:
    whole = sum(term.weight for term in need)
    return sum(term.weight for term in need if term.key in held) / whole if whole else 1.0


def _precision(need: dict[str, Term], said: _Said, value: Sequence[Term]) -> float:
    """The share of a sentence that the correction speaks of."""
    known = set(need) | keys(value)
    whole = sum(term.weight for term in said.found)
    return sum(term.weight for term in said.found if term.key in known) / whole if whole else 0.0


def _score(cover: float, precision: float, candidate: Candidate) -> float:
    return _COVER * cover + _PRECISION * precision + _MEANING * max(0.0, min(1.0, candidate.cosine))


_OF = re.compile(r"(?P<who>[\w-]+)['\u2019]s\s+(?P<what>[\w-]+)")


def _possessed(asked: Asked, said: _Said) -> bool:
    """Whether a sentence speaks of what somebody has, a correction of the same person."""
    told = keys(asked.old) | keys(asked.new) | keys(asked.about)
    firsts = _subject(said.text)
    for match in _OF.finditer(said.text):
        who, what = key_of(match["who"]), key_of(match["what"])
        if who in asked.named and who in told and who in firsts and what in firsts:
            return what not in told and what not in _NEUTRAL and what[0] != "<"
    return False


def _tells_apart(asked: Asked, term: Term) -> bool:
    """Whether a word of a subject shows that it is another one than is spoken of."""
    return not (term.key in _NEUTRAL or term.key[0] == "<" or term.key in keys(asked.new))


def _made(  # noqa: PLR0913, PLR0917 - the parts of a match, put together in one place
    asked: Asked,
    candidate: Candidate,
    said: _Said,
    cover: float,
    score: float,
    extra: Sequence[Term],
    value: Sequence[Term],
    new: str | None,
    old_keys: Iterable[str],
) -> Match:
    subject = _subject(said.text)
    start = said.start + min((term.start for term in value), default=-1 - said.start)
    end = said.start + max((term.end for term in value), default=-1 - said.start)
    told = ", ".join(
        dict.fromkeys(said.text[term.start : term.end] for term in said.found if term not in extra)
    )
    return Match(
        candidate=candidate,
        score=round(max(0.0, min(1.0, score)), 4),
        cover=round(cover, 4),
        why=f"it says {told}" if told else "it is near in meaning",
        start=said.start,
        end=said.start + len(said.text),
        extra=len(extra),
        value_start=start if value else -1,
        value_end=end if value else -1,
        new=new,
        old_keys=frozenset(old_keys),
        apart=frozenset(
            term.key for term in extra if term.key in subject and _tells_apart(asked, term)
        ),
        named=frozenset(
            term.key for term in extra if term.kind == "quantity" or term.key in asked.named
        ),
    )
