"""Slots: the place where a new statement and a memory differ, and tests of the two values."""

import re
from collections.abc import Sequence
from itertools import compress, pairwise

import msgspec

from mnemolog.language.lists import before, word_set
from mnemolog.language.quantities.amounts import Quantity
from mnemolog.policies.corrections import readings, terms
from mnemolog.policies.corrections.readings import CandidateSentence, TargetDemands, neutral
from mnemolog.policies.corrections.terms import RE, Term, key_of, keys, subject_of

_FEWEST_DIALLED = 7
_ROLES = frozenset(["<lead>", "<owner>"])
# Relations in which one has one at a time: the other value takes the place of the first.
_SINGLE = word_set(
    "<residence> <employment> <study> <located> <drive> <lead> <name> <host> <birth> <build>"
    " <allergy> <telephone> <mail> <cost> <due>"
)


class Slot(msgspec.Struct, frozen=True):
    """Difference of a new statement and a target; `named_kind` where it names the value's kind."""

    fresh: Sequence[Term]
    value: Sequence[Term]
    stale: Sequence[Term]
    need: dict[str, Term]
    named_old: bool
    named_kind: bool = False


def value_of(fresh: Sequence[Term], text: str) -> list[Term]:
    """The amounts among what a new statement adds, with names before them, or all of it."""
    measured = [
        term
        for place, term in enumerate(fresh)
        if term.kind == "quantity" or _names_a_model(fresh[place : place + 2], text)
    ]
    return measured or [term for term in fresh if term.key not in terms.TELLING] or list(fresh)


def against_old(asked: TargetDemands, fresh: Sequence[Term]) -> list[Term]:
    """Value that replaces an old one: the last after its preposition, or after none."""
    text, sign = asked.reading.new or "", RE.old_preposition.match(asked.reading.old or "")
    value = value_of(fresh, text)
    runs = runs_of(value, text)
    if any(term.kind == "quantity" for term in value) or not runs:
        return value
    wanted = None if sign is None else sign[1].lower()
    alike = [one for one in runs if preposition(text, one.start) == wanted]
    start = (alike or runs)[-1].start
    end = min((one.start for one in runs if one.start > start), default=len(text))
    last = [term for term in value if start <= term.start < end]
    if verb := RE.first_verb.match(text):
        last = [term for term in last if term.start != verb.start("verb")] or last
    return last


def named_in(asked: TargetDemands, said: CandidateSentence) -> set[str]:
    """The keys under which a sentence has an old value: 'three' is its 'three years'."""
    held, olds = said.held, keys(asked.old)
    bare = [
        re.compile(rf"\W*{re.escape(term.quantity.text)}\b", re.IGNORECASE)
        for term in asked.old
        if term.key not in held and term.quantity and term.quantity.dimension == "number"
    ]
    measures = [(term.key, term.quantity.text) for term in said.found if term.quantity]
    alike = {key for key, text in measures if any(number.match(text) for number in bare)}
    return (olds & held) | alike


def _names_a_model(pair: Sequence[Term], text: str) -> bool:
    """True if a name and a number directly after it are one name: 'Fiat 500'."""
    kinds, between = (pair[0].kind, pair[-1].kind), text[pair[0].end : pair[-1].start]
    return kinds == ("name", "quantity") and not between.strip()


def preposition(text: str, end: int) -> str | None:
    """The preposition directly before a place of a text, an article between them aside."""
    match = before(RE.preposition_before, text, end)
    return None if match is None else match[1].lower()


def stale_value(
    fresh: Sequence[Term], stale: Sequence[Term], said: CandidateSentence, asked: TargetDemands
) -> list[Term]:
    """Value of a target that the new one replaces: of the same measure, or in the same place."""
    new = asked.reading.new or ""
    # The 500 of a Fiat 500 measures nothing.
    measured = [
        term.quantity
        for place, term in enumerate(fresh)
        if term.quantity is not None
        and not (place and _names_a_model(fresh[place - 1 : place + 1], new))
    ]
    if measured:
        skipped = set() if _dialled(new) else _dialled(said.text)
        plain = {one.start for one in stale if one.quantity and one.quantity.dimension == "number"}
        return of_measures(measured, [one for one in stale if one.start not in plain & skipped])
    rest = [term for term in stale if term.key[0] != "<"]
    if verbs := [one for one in asked.new if one.end <= fresh[0].start and one.key[0] == "<"]:
        # Of 'lives in Oslo and works at Acme', 'works for a bank' takes back what is said of work.
        start = next((term.end for term in said.found if term.key == verbs[-1].key), 0)
        rest = [term for term in rest if term.start >= start] or rest
    leading = preposition(new, fresh[0].start)
    placed = [term for term in rest if leading and preposition(said.text, term.start) == leading]
    if placed:
        return _chunk(placed[0], rest, said.text)
    subject = subject_of(said.text)
    after = [term for term in rest if term.key not in subject]
    return _chunk(after[0], after, said.text) if after else []


def _dialled(text: str) -> set[int]:
    """The places in telephone numbers and their like, which count nothing."""
    return {
        place
        for found in RE.dialled.finditer(text)
        if found[0][0] == "0" or sum(map(str.isdigit, found[0])) >= _FEWEST_DIALLED
        for place in range(*found.span())
    }


def of_measures(measured: Sequence[Quantity], found: Sequence[Term]) -> list[Term]:
    """The first term of the measure of each of some quantities, in the order of the text."""
    chosen: list[Term] = []
    for one in measured:
        for term in found:
            if term not in chosen and term.quantity and terms.same_measure(term.quantity, one):
                chosen.append(term)
                break
    return sorted(chosen, key=lambda term: term.start)


def runs_of(found: Sequence[Term], text: str) -> list[Term]:
    """The terms that begin a run of neighbours; of two runs each is another point."""
    telling = [term for term in found if term.key not in neutral() and term.key[0] != "<"]
    between = (text[one.end : other.start] for one, other in pairwise(telling))
    apart = [True, *(RE.between_neighbours.fullmatch(words) is None for words in between)]
    return [*compress(telling, apart)]


def _chunk(first: Term, among: Sequence[Term], text: str) -> list[Term]:
    found = [first]
    for term in among:
        end = found[-1].end
        titled = before(RE.title_before, text, end) is not None
        if term.start < end:
            continue
        if text[end : term.start].strip(" ." if titled else None):
            break
        found.append(term)
    return found


def elsewhere(asked: TargetDemands, said: CandidateSentence, slot: Slot) -> bool:
    """True if a target speaks of someone or something else than the new statement."""
    held, value_keys, new = said.held, keys(slot.fresh), asked.reading.new or ""
    signs = [preposition(text, start) for text, start, _ in _sides(asked, said, slot)]
    if None not in signs and (signs[0] == "as") != (signs[1] == "as"):
        # One says as what someone works, and the other where.
        return True
    common = keys(asked.new) & held
    other = _other_words(slot)
    if slot.named_old:
        # 'Pepper is Omar's dog, not Rufus': the new value comes first, and nothing else is said.
        alone = all(term.key[0] == "<" for term in other)
        turned = alone or keys(asked.old) <= subject_of(said.text)
        # Whoever is another and does another thing is not in anybody's place.
        turned = turned and value_keys <= asked.subject | neutral()
    else:
        # The holder of a role that has one holder at a time is named.
        turned = bool(common & _ROLES) or (bool(common) and RE.role.search(new) is not None)
    lacks = (term for term in slot.need.values() if term.key not in held)
    if any(readings.decides(asked, term) for term in lacks):
        return True
    if slot.named_old and other and len(runs_of(slot.fresh, new)) > 1:
        return True
    if asked.subject <= value_keys and turned:
        return bool(asked.subject) and not set(slot.need) <= held
    subject = asked.subject & slot.need.keys()
    loose = len(subject & held) * 2 < len(subject)
    return not asked.subject & asked.named <= held or bool(asked.subject & value_keys) or loose


def _other_words(slot: Slot) -> list[Term]:
    placed = {term.start for term in slot.value}
    return [one for one in slot.stale if one.start not in placed and one.key not in neutral()]


def describes_another(asked: TargetDemands, said: CandidateSentence, value: Sequence[Term]) -> bool:
    """True if the old value merely describes what a correction does not speak of: 'green tea'."""
    last = value[-1]
    after = next((term for term in said.found if term.start >= last.end), None)
    return (
        after is not None
        and {last.kind, after.kind} == {"word"}
        and after.key[0] != "<"
        and after.key not in keys(asked.new) | neutral()
        and not said.text[last.end : after.start].strip()
    )


def identifies_target(asked: TargetDemands, said: CandidateSentence, fresh: Sequence[Term]) -> bool:
    """True if a new value only tells which of several is meant: 'the search service', 'for Ben'."""
    new, start, end = asked.reading.new or "", fresh[0].start, fresh[-1].end
    after = next((term for term in asked.new if term.start >= end), None)
    named = after is not None and after.key in said.held and not new[end : after.start].strip()
    definite = named and before(RE.definite_before, new, start) is not None
    return definite or preposition(new, start) == "for"


def unsure(asked: TargetDemands, said: CandidateSentence, slot: Slot) -> bool:
    """True if a target need not say the same of its subject, where the old value is not named."""
    held, new, reading = said.held, asked.reading.new or "", asked.reading
    common = keys(asked.new) & held
    roles = bool(common & _ROLES)
    measured = any(term.kind == "quantity" for term in slot.fresh)
    settled = any(term.kind == "quantity" and term.key in held for term in asked.new)
    two_points = min(len(runs_of(slot.fresh, new)), len(runs_of(slot.stale, said.text))) > 1
    nobody = roles and not any(term.key in asked.named for term in slot.fresh)
    relations = [{key for key in some if key[0] == "<"} for some in (keys(asked.new), held)]
    telling = (
        any(key not in asked.named and (key[0] != "<" or key in _SINGLE) for key in common)
        # 'The owner is Helen' names the one who fills a place, as 'Dana owns a bike' does not.
        or (roles and RE.place_of.search(new) is not None)
        or slot.named_kind
        or _of_one_kind(asked, said, slot)
    )
    # What is used for one thing may be used for another as well.
    used = reading.manner != "explicit" and "<use>" in common
    # That a plain statement takes something back shows in nothing but its saying the same.
    unlike = bool(set(slot.need) - held) or bool(_other_words(slot))
    return (
        (not measured and (settled or two_points or not telling))
        or _of_another_kind(asked, said, slot)
        or no_name(asked, slot.fresh, slot.value)
        or nobody
        or (all(relations) and relations[0].isdisjoint(relations[1]))
        or (used and preposition(new, slot.fresh[0].start) == "for")
        or (reading.form == "stated" and unlike)
    )


def _of_one_kind(asked: TargetDemands, said: CandidateSentence, slot: Slot) -> bool:
    """True if the two values are plainly of one kind, of which somebody has one, as of diets."""
    sides = _sides(asked, said, slot)
    shared = frozenset.intersection(*(readings.kinds_of_values(value) for _, _, value in sides))
    if key_of("diet") in shared or asked.reading.manner != "explicit":
        return key_of("diet") in shared
    return bool(shared) and all(before(RE.has_a_before, text, start) for text, start, _ in sides)


def _of_another_kind(asked: TargetDemands, said: CandidateSentence, slot: Slot) -> bool:
    """True if the new value says something else of a thing than the old one: its price, its use."""
    if any(term.kind == "quantity" for term in slot.value):
        return not any(term.kind == "quantity" for term in slot.fresh)
    sides = _sides(asked, said, slot)
    first, second = (before(RE.is_before, text, start) for text, start, _ in sides)
    if first is None or second is None:
        return False
    if (first["was"] is None) != (second["was"] is None):
        return True
    kinds = [readings.kinds_of_values(value) for _, _, value in sides]
    return any(kinds) and kinds[0].isdisjoint(kinds[1])


def _sides(asked: TargetDemands, said: CandidateSentence, slot: Slot) -> list[tuple[str, int, str]]:
    sides = []
    for text, value in ((asked.reading.new or "", slot.fresh), (said.text, slot.value)):
        start, end = min(term.start for term in value), max(term.end for term in value)
        sides.append((text, start, text[start:end]))
    return sides


def no_name(asked: TargetDemands, fresh: Sequence[Term], value: Sequence[Term]) -> bool:
    """True if words that are no name would replace a name: 'Dana moved to the next topic'."""
    sentence, new = asked.reading.sentence, asked.reading.new or ""
    if sentence == sentence.lower() or not value or not fresh:
        # Whoever writes no capitals writes none in names.
        return False
    names = all(term.kind == "name" for term in value)
    return names and not any(term.kind != "word" or new[term.start].isupper() for term in fresh)
