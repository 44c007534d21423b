"""Fit of a memory to a correction: how much of what it takes back a sentence says."""

from collections.abc import Iterable, Sequence, Set as AbstractSet
from itertools import pairwise

import msgspec

from mnemolog.language.clauses.assertions import stated_clauses
from mnemolog.language.sentences import spoken
from mnemolog.policies.corrections import readings, slots, terms as wording
from mnemolog.policies.corrections.readings import (
    CandidateSentence,
    TargetDemands,
    decides,
    neutral,
)
from mnemolog.policies.corrections.terms import RE, Term, key_of, keys, negated, subject_of, terms

_MEASURES = ("clock", "date", "number")
_WORK = ("job", "occupation", "profession", "role", "position")


class Fit(msgspec.Struct, frozen=True):
    """Fit of a sentence: the share of a correction that it holds, and of it that is spoken of."""

    cover: float
    extra: Sequence[Term]
    value: Sequence[Term]
    new: str | None
    old_keys: Iterable[str]
    precision: float = 0.0
    bonus: float = 0.0
    which: bool = False


def best_match(
    asked: TargetDemands, candidate: readings.TargetCandidate
) -> readings.TargetMatch | None:
    """Match of the sentence of a candidate that fits best; None if none fits at all."""
    speaker, said = spoken(candidate.text)
    speaker = speaker or candidate.speaker
    offset = len(candidate.text) - len(said)
    if _other_person(asked, speaker, said):
        return None
    labels = keys(terms(" ".join(candidate.labels)))
    found: list[readings.TargetMatch] = []
    for start, end in stated_clauses(said):
        text = said[start:end]
        own = keys(terms(speaker or "")) if RE.first_person.search(text) else set()
        piece = CandidateSentence(text, offset + start, terms(text), frozenset(own))
        fits = piece.found and asked.scope <= piece.held | labels
        if fits and (fit := _fit(asked, piece)) is not None:
            found.append(_matched(asked, candidate, piece, fit))
    return max(found, key=lambda match: match.score, default=None)


def _other_person(asked: TargetDemands, speaker: str | None, said: str) -> bool:
    if not asked.first_person:
        return False
    mine = RE.first_person.search(said) is not None
    if asked.speaker is None or speaker is None:
        # 'Ben: I live in Linz' is not what nobody in particular said of himself.
        return not mine or (asked.reading.speaker is not None and speaker is None)
    return keys(terms(asked.speaker)).isdisjoint(keys(terms(speaker if mine else said)))


def _fit(asked: TargetDemands, said: CandidateSentence) -> Fit | None:
    against_all = not asked.old or asked.reading.old_kind == "value"
    if against_all and asked.reading.new_kind == "statement" and asked.new:
        return _against_statement(asked, said, named_old=bool(asked.old))
    if asked.old:
        return _against_old(asked, said)
    return _against_value(asked, said) if asked.about else _against_new(asked, said)


def _against_old(asked: TargetDemands, said: CandidateSentence) -> Fit:
    """A target that must hold the words which are taken back."""
    held, reading = said.held, asked.reading
    kinds = _kinds_of(said)
    if reading.new is not None:
        kinds = _kinds_of_related(said) | _kinds_owned(reading.about or reading.old or "", said)
    if reading.old_kind == "value":
        kinds |= _head_nouns(f"{reading.about or ''} is", said)
    need = _unless(held, kinds, (*asked.old, *asked.about))
    cover = _share(need.values(), held)
    missing = [term for term in need.values() if term.key not in held]
    # A target may word otherwise what is neither name nor quantity in a subject.
    wanted, loose = asked.required | asked.subject, asked.subject - asked.named
    firm = (one for one in wanted if one not in loose or one.startswith(_MEASURES))
    if any(decides(asked, term) for term in missing) or not held.issuperset(firm):
        cover *= 0.5
    extra = [term for term in said.found if term.key not in need and term.key not in asked.required]
    if reading.old_kind == "statement":
        # 'It is not true that Ben is no cook' does not take back that he is one.
        cover *= 1.0 if negated(reading.old or "") == negated(said.text) else 0.5
    cover = _reduced_cover(asked, said, cover, missing, extra)
    if reading.new is None and reading.old_kind == "statement" and _lists_more(said, need, extra):
        cover *= 0.7
    new = reading.new
    if reading.new_kind != "value":
        new = None
    elif new is not None and reading.old_kind != "value" and asked.new and asked.new[0].key in held:
        # Without the words before it that a target has as well: 'hosted in Oslo'.
        new = next((new[term.start :] for term in asked.new if term.key not in held), new)
    value, bonus = _disputed(asked, said, need), _bears(asked, said, need)
    return Fit(cover, extra, value, new, need.keys(), _share(said.found, need.keys()), bonus)


def _against_statement(
    asked: TargetDemands, said: CandidateSentence, *, named_old: bool
) -> Fit | None:
    """A target that says the same as the new statement but for one value."""
    held, new, new_keys = said.held, asked.reading.new or "", keys(asked.new)
    related = named_old or _names_a_kind(new)
    kinds = _kinds_of_related(said) | _kinds_owned(new, said) if related else _kinds_of(said)
    fresh = [term for term in asked.new if term.key not in held | kinds]
    olds = slots.named_in(asked, said)
    if not fresh or not asked.required <= held or (named_old and len(olds) < len(keys(asked.old))):
        return None
    stale = [term for term in said.found if term.key not in new_keys]
    if named_old:
        fresh_value = slots.against_old(asked, fresh)
        # Less what the new one has as well: of 'Python 3.9, not Python 3.12' the numbers.
        old_value: Sequence[Term] = [term for term in said.found if term.key in olds]
        old_value = [term for term in old_value if term.key not in new_keys] or old_value
    else:
        fresh_value = slots.value_of(fresh, new)
        old_value = _stale_or_subject(asked, said, fresh_value, stale)
    if not old_value:
        return None
    old_keys = keys(old_value)
    # Whoever marks what he says as a correction may call the mobile demo the mobile team's.
    passing = frozenset[str]() if asked.reading.form == "stated" else neutral()
    head = _head_nouns(new, said) if named_old else frozenset[str]()
    need = _unless(held, kinds | keys(fresh_value) | passing | head, asked.new)
    cover = _share(need.values(), held)
    named_kind = _names_a_kind(new) and not kinds.isdisjoint(new_keys - held)
    slot = slots.Slot(fresh_value, old_value, stale, need, named_old, named_kind)
    if slots.elsewhere(asked, said, slot) or (
        slots.describes_another(asked, said, old_value)
        if named_old
        else slots.unsure(asked, said, slot)
    ):
        cover *= 0.5
    # 'Priya uses Vim' says of her editor what it is.
    known = new_keys | old_keys | _kinds_of_related(CandidateSentence(new, 0, asked.new))
    extra = [term for term in said.found if term.key not in known]
    missing = [term for term in need.values() if term.key not in held]
    cover, told = _reduced_cover(asked, said, cover, missing, extra), old_keys | (new_keys & held)
    text = new[min(one.start for one in fresh_value) : max(one.end for one in fresh_value)]
    precision = _share(said.found, need.keys() | old_keys)
    which = not named_old and slots.identifies_target(asked, said, fresh_value)
    return Fit(cover, extra, old_value, text, told, precision, which=which)


def _stale_or_subject(
    asked: TargetDemands, said: CandidateSentence, fresh: Sequence[Term], stale: Sequence[Term]
) -> Sequence[Term]:
    """The value that a new statement takes back unnamed; its subject, where that is what is new."""
    if not asked.subject or not asked.subject <= keys(fresh):
        return slots.stale_value(fresh, stale, said, asked)
    firsts = subject_of(said.text)
    named = [term for term in stale if term.key in asked.named]
    return named or [term for term in stale if term.key in firsts] or stale[-1:]


def _disputed(asked: TargetDemands, said: CandidateSentence, need: dict[str, Term]) -> list[Term]:
    """The value of a target that the new one replaces, where both are values."""
    reading = asked.reading
    if reading.old_kind == "value":
        olds = keys(asked.old)
        return [term for term in said.found if term.key in olds]
    if not asked.new or reading.new_kind != "value":
        return []
    measured = [term.quantity for term in asked.new if term.quantity is not None]
    found = [term for term in said.found if term.key in need and term.key not in asked.subject]
    # 'She works there no more, it is Globex now': the value is in the target alone.
    rest = [term for term in said.found if term.key not in need]
    if measured:
        return slots.of_measures(measured, found[::-1]) or slots.of_measures(measured, rest)
    # A thing is what is spoken of: of 'the region of Sable' the value is in the target alone.
    thing = reading.old_kind == "thing"
    placed = [] if thing else [term for term in found if term.key[0] != "<"][-1:]
    fresh = [term for term in asked.new if term.key not in said.held]
    return placed if placed or not fresh else slots.stale_value(fresh, rest, said, asked)


def _bears(asked: TargetDemands, said: CandidateSentence, need: dict[str, Term]) -> float:
    """Bonus of a sentence that likely says that a thing is so; negative if it likely does not."""
    if asked.reading.old_kind != "thing":
        return 0.0
    bonus = 0.1 if RE.team_has.search(said.text) else 0.0
    last = next((term for term in reversed(said.found) if term.key in need), None)
    if last is None:
        return bonus
    after = next((term for term in said.found if term.start >= last.end), None)
    if after and after.kind == "word" and not said.text[last.end : after.start].strip():
        bonus -= 0.15
    subject = subject_of(said.text)
    if asked.reading.agent is None and subject and subject <= asked.named - need.keys():
        bonus -= 0.1
    return bonus


def _against_value(asked: TargetDemands, said: CandidateSentence) -> Fit | None:
    """A target of which only the topic and a new value are told."""
    held, about, relation = said.held, asked.reading.about or "", asked.relation
    if asked.new and keys(asked.new) <= held:
        return None
    need = _unless(held, _kinds_of_related(said) | _kinds_owned(about, said), asked.about)
    cover = _share(need.values(), held)
    decided = any(decides(asked, term) and term.key not in held for term in need.values())
    if decided or not asked.required <= held:
        cover *= 0.5
    rest = [term for term in said.found if term.key not in need]
    value = slots.stale_value(asked.new, rest, said, asked) if asked.new else rest[-1:]
    if not value:
        cover *= 0.5
    bonus = 0.0
    measured = any(term.quantity is not None for term in asked.new)
    if relation is not None and not measured:
        bonus = 0.15 if relation in held else -0.1
        cover = cover if relation in held else cover * 0.9
        if slots.no_name(asked, asked.new, value):
            cover *= 0.5
    capitals = {term.key for term in asked.about if about[term.start].isupper()}
    only_names = need.keys() <= asked.named & capitals and len(need) == len(keys(asked.about))
    if only_names and not measured and relation not in held and asked.new:
        cover *= 0.9
        if asked.reading.form != "became" or RE.is_a.search(said.text) is None:
            # A bare statement about someone is of the kind 'X is a Y'.
            cover *= 0.8
    extra = [term for term in rest if term not in value]
    told = need.keys() | keys(value)
    return Fit(cover, extra, value, asked.reading.new, told, _share(said.found, told), bonus)


def _against_new(asked: TargetDemands, said: CandidateSentence) -> Fit | None:
    """A target of which only a new value is told: 'she moved to Bergen', 'it is 50 now'."""
    measured = [term.quantity for term in asked.new if term.quantity is not None]
    if asked.relation is not None and asked.new:
        of_it = asked.relation in said.held
        value = slots.stale_value(asked.new, said.found, said, asked) if of_it else []
    else:
        value = [
            term
            for term in said.found
            if measured and term.quantity and wording.same_measure(term.quantity, measured[0])
        ]
        value = value if len(value) == 1 else []
    if not value or keys(asked.new) <= said.held:
        return None
    extra = [term for term in said.found if term not in value]
    return Fit(1.0, extra, value, asked.reading.new, keys(value))


def _kinds_of(said: CandidateSentence) -> frozenset[str]:
    measures = {term.quantity.dimension for term in said.found if term.quantity is not None}
    return _nouns(measures, "nouns_of_measures")


def _kinds_of_related(said: CandidateSentence) -> frozenset[str]:
    """Keys as of `_kinds_of`, and of nouns that the verb implies: a car for what one drives."""
    related = _nouns(said.held, "nouns_of_relations") | readings.kinds_of_values(said.text)
    work = map(key_of, _WORK) if RE.is_of_a_kind.search(said.text) else ()
    return _kinds_of(said) | related | frozenset(work)


def _kinds_owned(statement: str, said: CandidateSentence) -> frozenset[str]:
    """The noun of 'Chloe's pet is a rabbit' where a sentence says only that she has something."""
    owned = RE.owned.search(statement) if RE.has_it.search(said.text) else None
    return frozenset() if owned is None else frozenset([key_of(owned["what"])])


def _head_nouns(statement: str, said: CandidateSentence) -> frozenset[str]:
    """The keys of the nouns by which a statement names what a value is: 'the region of Sable'."""
    found = [RE.head.match(text) for text in (statement, said.text)]
    nouns = ((one["of"] or one["had"]).lower().split() if one else () for one in found)
    ours, theirs = (frozenset(map(key_of, some)) for some in nouns)
    # The villain of a novel is not its hero.
    return ours if not theirs or theirs & ours else frozenset()


def _names_a_kind(statement: str) -> bool:
    """True if a statement names what somebody has: 'Dana's car is a Tesla', not 'is red'."""
    owned = RE.owned.search(statement)
    is_one = owned is not None and key_of(owned["what"]) in readings.kinds_of_values(statement)
    return is_one or RE.named.search(statement) is not None


def _nouns(held: set[str], table: str) -> frozenset[str]:
    return frozenset(
        key_of(noun)
        for kinds, nouns in wording.LISTS.table(table).items()
        if not held.isdisjoint(kinds.split())
        for noun in nouns
    )


def _lists_more(said: CandidateSentence, need: dict[str, Term], extra: Sequence[Term]) -> bool:
    listed = [
        {one.key, two.key}
        for one, two in pairwise(said.found)
        if RE.listed_with.fullmatch(said.text[one.end : two.start])
    ]
    return any(pair & keys(extra) and pair & need.keys() for pair in listed)


def _unless(held: set[str], kinds: AbstractSet[str], found: Iterable[Term]) -> dict[str, Term]:
    """Terms that a target must hold: not those of kinds, unless it does hold them."""
    return {term.key: term for term in found if term.key in held or term.key not in kinds}


def _reduced_cover(
    asked: TargetDemands,
    said: CandidateSentence,
    cover: float,
    missing: Iterable[Term],
    extra: Iterable[Term],
) -> float:
    """A cover, less where another word shows that a sentence is about something else."""
    both = [keys(some) - neutral() for some in (missing, extra)]
    related = all(any(key[0] == "<" for key in some) for some in both)
    unlike = all(any(key[0] != "<" or key in wording.TELLING for key in some) for some in both)
    if related or unlike:
        cover *= 0.8
    return cover * 0.7 if _possessed(asked, said) else cover


def _share(need: Iterable[Term], held: AbstractSet[str]) -> float:
    whole = sum(term.weight for term in need)
    return sum(term.weight for term in need if term.key in held) / whole if whole else 1.0


def _possessed(asked: TargetDemands, said: CandidateSentence) -> bool:
    """True if a sentence is about a thing of somebody, and the correction about the person."""
    told, firsts = keys((*asked.old, *asked.new, *asked.about)), subject_of(said.text)
    for match in RE.possessed.finditer(said.text):
        who, what = key_of(match["who"]), key_of(match["what"])
        if who in asked.named and who in told and {who, what} <= firsts:
            return what not in told | neutral() and what[0] != "<"
    return False


def _matched(
    asked: TargetDemands, candidate: readings.TargetCandidate, said: CandidateSentence, fit: Fit
) -> readings.TargetMatch:
    """A candidate's match: mostly cover, then precision and nearness in meaning."""
    cosine = max(0.0, min(1.0, candidate.cosine))
    score = 0.6 * fit.cover + 0.2 * fit.precision + 0.2 * cosine + fit.bonus
    subject, known, value = subject_of(said.text), neutral() | keys(asked.new), fit.value
    beside = {term.start for term in fit.extra}
    words = (said.text[one.start : one.end] for one in said.found if one.start not in beside)
    told = ", ".join(dict.fromkeys(words))
    return readings.TargetMatch(
        candidate,
        round(max(0.0, min(1.0, score)), 4),
        round(fit.cover, 4),
        f"it says {told}" if told else "it is near in meaning",
        said.start,
        said.start + len(said.text),
        len(fit.extra),
        value_start=said.start + min(term.start for term in value) if value else -1,
        value_end=said.start + max(term.end for term in value) if value else -1,
        new=fit.new,
        old_keys=frozenset(fit.old_keys),
        # Words of its subject that show that it is another one than the correction's.
        apart=frozenset(key for key in keys(fit.extra) & subject - known if key[0] != "<"),
        named=frozenset(term.key for term in fit.extra if decides(asked, term)),
        which=fit.which,
    )
