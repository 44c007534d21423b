"""Targets of a correction: those of some memories that say what it takes back."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from mnemolog.language.clauses.masked_sentences import stated_clauses
from mnemolog.language.speakers import spoken
from mnemolog.policies.contradictions.judge import RuleJudge, Statement
from mnemolog.policies.corrections.candidates import (
    TargetCandidate,
    TargetDemands,
    TargetMatch,
    reworded,
)
from mnemolog.policies.corrections.fit import best_match
from mnemolog.policies.corrections.readings import DENIED, CorrectionReading
from mnemolog.policies.corrections.terms import keys, negated, terms

ENOUGH = 0.74
"""The share of what a correction says of its target that the target must hold."""

CLEAR = 0.1
"""By how much the best must lead what says something else."""

_SAME_WORDS = 0.6
_SUBJECT_AND_VALUE = 2


class Targeting(msgspec.Struct, frozen=True):
    """The reading beside what is remembered, what it retires, and what it might; best first."""

    reading: CorrectionReading
    chosen: tuple[TargetMatch, ...]
    considered: tuple[TargetMatch, ...]
    why: str


def find_targets(
    reading: CorrectionReading, candidates: Sequence[TargetCandidate], corrector: str | None = None
) -> Targeting:
    """Targets among some memories of a correction by `corrector` (a name).

    One target is clear where one memory, or several that say the same, holds
    what is taken back and no other does as well.
    """
    reading = _given_up(reading, candidates)
    asked = TargetDemands.of(reading, candidates, corrector)
    matches = [match for one in candidates if (match := best_match(asked, one)) is not None]
    matches.sort(key=lambda match: (-match.score, -match.candidate.order))
    enough = 1.0 if reading.form == DENIED else ENOUGH
    fitting = [match for match in matches if match.cover >= enough]
    if not fitting and reading.new is not None and reading.new_kind == "statement":
        if reading.about is not None or reading.old_kind == "thing":
            # 'The note about the CI is stale; it is built with …': what is said now tells it too.
            plain = replace(reading, form="marked", old=None, old_kind="statement", about=None)
            return find_targets(plain, candidates, corrector)
        fitting = _contradicted(reading, candidates, corrector)
    if not fitting and reading.form not in {"stated", DENIED}:
        other = reworded(reading, [one.text for one in candidates])
        if other is not None:
            return find_targets(other, candidates, corrector)
    if not fitting:
        why = "nothing that is remembered says what it corrects"
        return Targeting(reading, (), tuple(matches), why)
    fitting = _nearest(reading, fitting)
    best = fitting[0]
    same = [match for match in fitting if match is best or _says_same(best, match)]
    taken = {match.candidate.memory_id for match in same}
    rest = [match for match in matches if match.candidate.memory_id not in taken]
    same += [match for match in rest if _in_other_words(best, match)]
    rivals = [match for match in fitting if match not in same and match.score > best.score - CLEAR]
    if not best.apart and (asked.subject or reading.about):
        # What says more of its subject speaks of another one: 'Dana's sister', not Dana.
        rivals = [match for match in rivals if not match.apart]
    if rivals:
        return Targeting(reading, (), tuple(matches), "several memories may be meant")
    return Targeting(reading, tuple(same), tuple(matches), "one target is clear")


def _nearest(reading: CorrectionReading, fitting: list[TargetMatch]) -> list[TargetMatch]:
    """Of what fits alike, what speaks of who made the change, and is not of another thing."""
    if agent := keys(terms(reading.agent or "")):
        near = [match for match in fitting if match.score > fitting[0].score - CLEAR]
        said = [f"{one.candidate.text} {one.candidate.speaker or ''}" for one in near]
        own = [one for one, text in zip(near, said, strict=True) if agent <= keys(terms(text))]
        fitting = own or fitting
    near = [match for match in fitting if match.score > fitting[0].score - CLEAR]
    return [match for match in near if not match.which] or fitting


def _contradicted(
    reading: CorrectionReading, candidates: Sequence[TargetCandidate], corrector: str | None
) -> list[TargetMatch]:
    """The memories of one sentence that a plain new statement contradicts, as the rules judge."""
    if reading.old is not None or reading.new is None or reading.scope is not None:
        return []
    judge, new = RuleJudge(), _statement(reading.new, reading.speaker or corrector)
    found = []
    for one in candidates:
        said = judge.judge(new, _statement(one.text, one.speaker))
        if said is None or said.type == "granularity" or said.condition is not None:
            continue
        if len(stated_clauses(one.text)) == 1:
            named = frozenset(keys(terms(one.text)))
            found.append(TargetMatch(one, 0.6, 1.0, said.reason, 0, len(one.text), named=named))
    return found


def _statement(text: str, speaker: str | None) -> Statement:
    return Statement(text, source=None if speaker is None else f"user:{speaker}")


def _given_up(
    reading: CorrectionReading, candidates: Sequence[TargetCandidate]
) -> CorrectionReading:
    """'We dropped X for Y' where something known says X of Y: Y is no successor of X."""
    if reading.form != "replaced" or " for " not in reading.sentence:
        return reading
    both = keys(terms(f"{reading.old} {reading.new}"))
    if not any(both <= keys(terms(one.text)) for one in candidates):
        return reading
    old = f"{reading.old} for {reading.new}"
    dropped = replace(reading, form="dropped", old=old, old_kind="thing")
    return replace(dropped, new=None, new_kind="statement")


def _says_same(best: TargetMatch, other: TargetMatch) -> bool:
    """True if two matches say the same of the same, in whatever words."""
    ours, theirs = best.old_keys, other.old_keys
    alike = (ours <= theirs or theirs <= ours) and best.apart == other.apart
    return alike and not (best.named and other.named and best.named != other.named)


def _in_other_words(chosen: TargetMatch, other: TargetMatch) -> bool:
    """True if a memory says no more and no less than a chosen one, but for words of relation."""
    texts = [spoken(one.candidate.text)[1] for one in (chosen, other)]
    if negated(texts[0]) != negated(texts[1]):
        return False
    if chosen.candidate.speaker != other.candidate.speaker:
        return False
    ours, theirs = (keys(terms(text)) for text in texts)
    related, also = ({key for key in some if key[0] == "<"} for some in (ours, theirs))
    told = ours - related
    alike = not related or not also or bool(related & also)
    return len(told) >= _SUBJECT_AND_VALUE and told == theirs - also and alike


def same_meaning(one: str, other: str) -> bool:
    """True if two texts state the same: the same names and quantities, and most of the words."""
    if one == other:
        return True
    first, second = terms(spoken(one)[1]), terms(spoken(other)[1])
    if negated(one) != negated(other):
        return False
    ours, theirs = keys(first), keys(second)
    if not ours or not theirs:
        return one.split() == other.split()
    firm = {term.key for term in (*first, *second) if term.kind != "word"}
    differ, both = ours ^ theirs, ours & theirs
    return not differ & firm and len(both) / len(ours | theirs) >= _SAME_WORDS
