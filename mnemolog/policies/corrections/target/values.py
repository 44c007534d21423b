"""Values that differ: their words in a new statement and in a memory."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mnemolog.language.patterns import before, regex
from mnemolog.language.quantities.amounts import Quantity
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.target.demands import NEUTRAL, CandidateSentence, TargetDemands
from mnemolog.policies.corrections.terms import TELLING, Term, same_measure, subject_of

_I = re.IGNORECASE

_PREPOSITION = LISTS.pattern("preposition_before")


_SIGN = regex(r"(in|at|on|to|for|with|by|from|near|under|of|as)\s", _I)
_FIRST_VERB = LISTS.pattern("first_verb")
_TITLE = regex(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St)$")


def value_of(fresh: Sequence[Term], text: str) -> list[Term]:
    """The amounts among what a new statement adds, with names before them, or all of it."""
    measured = [
        term
        for place, term in enumerate(fresh)
        if term.kind == "quantity" or _names_a_model(fresh[place : place + 2], text)
    ]
    valued = [term for term in fresh if term.key not in TELLING]
    return measured or valued or list(fresh)


def against_old(asked: TargetDemands, fresh: Sequence[Term]) -> list[Term]:
    """Value in a new statement that replaces an old value named after it.

    The last of what it adds after the preposition that the old value has, or after none:
    the words around tell of whom or what it is said.
    """
    text, sign = asked.reading.new or "", _SIGN.match(asked.reading.old or "")
    value = value_of(fresh, text)
    runs = runs_of(value, text)
    if any(term.kind == "quantity" for term in value) or not runs:
        return value
    wanted = None if sign is None else sign[1].lower()
    alike = [one for one in runs if preposition(text, one.start) == wanted]
    start = (alike or runs)[-1].start
    ends = [one.start for one in runs if one.start > start]
    last = [term for term in value if start <= term.start < min(ends, default=len(text))]
    verb = _FIRST_VERB.match(text)
    if verb is not None:
        last = [term for term in last if term.start != verb.start("verb")] or last
    return last


def named_in(asked: TargetDemands, said: CandidateSentence) -> set[str]:
    """The keys under which a sentence has an old value: 'three' is its 'three years'."""
    found: set[str] = set()
    for term in asked.old:
        if term.key in said.held or term.quantity is None:
            found |= {term.key} & said.held
        elif term.quantity.dimension == "number":
            bare = re.compile(rf"\W*{re.escape(term.quantity.text)}\b", _I)
            found |= {
                one.key
                for one in said.found
                if one.quantity is not None and bare.match(one.quantity.text)
            }
    return found


def named_value(olds: set[str], new_keys: set[str], said: CandidateSentence) -> list[Term]:
    """The old value that a correction names, where a sentence has it.

    Less what the new one has as well: of 'Python 3.9, not Python 3.12' the numbers.
    """
    found = [term for term in said.found if term.key in olds]
    return [term for term in found if term.key not in new_keys] or found


def _names_a_model(pair: Sequence[Term], text: str) -> bool:
    """True if a name and a number directly after it are one name: 'Fiat 500'."""
    first, second = pair[0], pair[-1]
    return (
        first.kind == "name"
        and second.kind == "quantity"
        and not text[first.end : second.start].strip()
    )


def preposition(text: str, end: int) -> str | None:
    """The preposition directly before a place of a text, an article between them aside."""
    match = before(_PREPOSITION, text, end)
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
        dialled = [] if _dialled(new) else _dialled(said.text)
        return of_measures(measured, [one for one in stale if not _inside(one, dialled)])
    leading = preposition(new, fresh[0].start)
    rest = _after_the_same(fresh[0], [term for term in stale if term.key[0] != "<"], said, asked)
    if leading is not None:
        placed = [term for term in rest if preposition(said.text, term.start) == leading]
        if placed:
            return _chunk(placed[0], rest, said.text)
    subject = subject_of(said.text)
    after = [term for term in rest if term.key not in subject]
    return _chunk(after[0], after, said.text) if after else []


_DIALLED = regex(r"(?<![\w.,])(?:\+?\d+(?:[ -]\d{2,})+|0\d{2,})(?!\w)")
_FEWEST_DIALLED = 7


def _dialled(text: str) -> list[tuple[int, int]]:
    """Spans of telephone numbers and their like, which count nothing."""
    return [
        found.span()
        for found in _DIALLED.finditer(text)
        if found[0][0] == "0" or sum(map(str.isdigit, found[0])) >= _FEWEST_DIALLED
    ]


def _inside(term: Term, spans: Sequence[tuple[int, int]]) -> bool:
    number = term.quantity is not None and term.quantity.dimension == "number"
    return number and any(start <= term.start < end for start, end in spans)


def _after_the_same(
    first: Term, stale: Sequence[Term], said: CandidateSentence, asked: TargetDemands
) -> Sequence[Term]:
    """Terms of a target after the verb that the new value follows; all if it has none of that verb.

    Of 'lives in Oslo and works at Acme', 'works for a bank' takes back what is said of work.
    """
    verbs = [term for term in asked.new if term.end <= first.start and term.key[0] == "<"]
    if not verbs:
        return stale
    start = next((term.end for term in said.found if term.key == verbs[-1].key), 0)
    return [term for term in stale if term.start >= start] or stale


def of_measures(measured: Sequence[Quantity], found: Sequence[Term]) -> list[Term]:
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


_BETWEEN = regex(r"[\s,]*(?:and|&|of)?\s*(?:the|a|an)?\s*")


def runs_of(found: Sequence[Term], text: str) -> list[Term]:
    """The terms that begin a run of neighbours; of two runs each is another point."""
    telling = [term for term in found if term.key not in NEUTRAL and term.key[0] != "<"]
    return [
        term
        for place, term in enumerate(telling)
        if place == 0 or _BETWEEN.fullmatch(text[telling[place - 1].end : term.start]) is None
    ]


def _chunk(first: Term, among: Sequence[Term], text: str) -> list[Term]:
    """A term with those that directly follow it."""
    found = [first]
    for term in among:
        end = found[-1].end
        titled = before(_TITLE, text, end) is not None
        if term.start < end:
            continue
        if text[end : term.start].strip(" ." if titled else None):
            break
        found.append(term)
    return found
