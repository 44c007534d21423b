"""Fitted judge of pairs: whether a new statement replaces an old one.

A small cross-encoder, fine-tuned on several thousand pairs by many writers, reads both
statements together and gives the probabilities of five relations. Rules judge first, since what
they find they can explain; the model judges what no rule reads. `python -m benchmarks.judging`
measures both; docs/decisions/0025-fitted-judge.md says how the model was made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec.structs import replace

from mnemolog.language.clauses.assertions import says_one_thing
from mnemolog.language.clauses.propositions import (
    names_somebody,
    propositions,
    shorter,
    with_asides,
)
from mnemolog.language.lists import regex
from mnemolog.policies.contradictions.judge import CERTAIN, Contradiction, Statement
from mnemolog.policies.contradictions.replacements import (
    SUREST,
    asks_only,
    found_by_rules,
    may_exclude,
    replacement_found,
    speaker_of,
    words_of,
)
from mnemolog.policies.contradictions.rules import RuleJudge

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

CLEAR = 0.9  # Share of a memory among those that may be meant from which it alone is meant
_LEAST = 0.01  # Probability that an old statement holds no longer, from which it is reported
_PARTIAL = 0.5  # Share of it from which the old statement says more than is replaced
_FREE = 0.4  # Most odds that a rest of an old statement does not hold either
_CLEARLY = 8  # Ratio of two odds from which it is clear what does not hold
_REMEMBERED_PAIRS = 4096
_IT = regex(r"(?i)(?:it|its|this|that|these|those|there)(?:'\w+)?\b")
_PERSON = regex(r"(?i)(?:he|she|they|his|her|their)(?:'\w+)?\b")
_LONGEST = 600  # Characters; a longer text tells more than a statement
Outputs: TypeAlias = "Callable[[Sequence[tuple[str, str]]], npt.NDArray[np.float32]]"


class PairReading(msgspec.Struct, frozen=True):
    """Probabilities of the relations of a new statement to an old one; they sum to 1.

    It `replaces` the old one or a part of it, repeats or refines it, or is `separate`.
    """

    replaces: float
    replaces_part: float
    repeats: float
    refines: float
    separate: float

    @property
    def outdates(self) -> float:
        """Probability that the old statement, or a part of it, holds no longer."""
        return self.replaces + self.replaces_part


class FittedJudge:
    """Judge by rules and by a fitted model.

    `outputs` gives the model's logits for pairs of an old and a new text, float32 of shape
    (pairs, 5), in the order of the fields of `PairReading`. `quick` judges by rules alone,
    `at_once` limits the memories that one new memory is compared with.
    """

    at_once = 6

    def __init__(self, outputs: Outputs) -> None:
        self.quick, self._outputs = RuleJudge(), outputs
        self._readings: dict[tuple[str, str], PairReading] = {}

    @property
    def name(self) -> str:
        """Name and version of the judge: another version may judge differently."""
        return "pairs-6"

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """Contradiction between the two memories, or None if both may hold."""
        return self._ruled(new, old) or self._modelled(new, old)

    def _ruled(self, new: Statement, old: Statement) -> Contradiction | None:
        """Contradiction by the rules; None if the model is sure that no condition lets both hold.

        A rule takes any detail of the old statement for a condition: "on Wednesdays in the hall".
        A condition of the new one counts: "until 18:00 at weekends".
        """
        found = found_by_rules(self.quick, new, old)
        if found is None or found.condition is None:
            return found
        if words_of(found.condition) <= words_of(new.text):
            return found
        other = self._modelled(new, old)
        return found if other is None or other.confidence < CERTAIN else None

    def _modelled(self, new: Statement, old: Statement) -> Contradiction | None:
        reading = self.read(new, old)
        if reading is None or reading.outdates < max(_LEAST, reading.repeats):
            return None
        return replacement_found(new, old, reading.outdates)

    def kept(self, new: Statement, old: Statement) -> str | None:
        """Text of a contradicted statement that a new one leaves standing; None if inseparable."""
        ruled = self._ruled(new, old) is not None
        reading = self.read(new, old)
        in_part = reading is not None and reading.replaces_part >= _PARTIAL * reading.outdates
        says_more = not says_one_thing(old.text) if ruled else in_part
        if says_more:
            return self._separated(new, old)
        # Of what seems to be replaced as a whole, a part may be about something else.
        parts = propositions(old.text)
        if len(parts) == 1 and in_part:
            parts = with_asides(old.text)
        held = self._held(new, old, parts, _FREE) if len(parts) > 1 else None
        return held if held is not None or ruled else ""

    def _separated(self, new: Statement, old: Statement) -> str | None:
        parts = propositions(old.text)
        if len(parts) > 1:
            return self._held(new, old, parts, _odds_of(CLEAR))
        asides = with_asides(old.text)
        if asides and (held := self._held(new, old, asides, _FREE)) is not None:
            return held
        rests = (self._freest(new, old, texts) for texts in shorter(old.text))
        return next((rest for rest in rests if rest is not None), None)

    def _held(
        self, new: Statement, old: Statement, parts: Sequence[str], limit: float
    ) -> str | None:
        """Parts of an old statement that hold; None unless it is clear of each whether it does.

        What holds has odds up to the limit, and an eighth of the highest, that it is outdated.
        None too if the first of them says "it" of what does not hold, or "he" of who it named.
        """
        odds = self._odds(new, old, parts)
        most = min(max(odds) / _CLEARLY, limit)
        held = [part for part, one in zip(parts, odds, strict=True) if one <= most]
        gone = [one for one in odds if one > most]
        if not held or min(gone) < max(1, _CLEARLY * max(one for one in odds if one <= most)):
            return None
        of_whom = names_somebody(parts[0]) and _PERSON.match(held[0])
        hangs = held[0] != parts[0] and (of_whom or _IT.match(held[0]))
        return None if hangs else " ".join(held)

    def _freest(self, new: Statement, old: Statement, texts: Sequence[str]) -> str | None:
        """The one of several shorter texts that still holds; None unless it is clear which does."""
        ranked = sorted(zip(self._odds(new, old, texts), texts, strict=True))
        if not ranked or ranked[0][0] > _FREE:
            return None
        clear = len(ranked) == 1 or ranked[0][0] * _CLEARLY <= ranked[1][0]
        return ranked[0][1] if clear else None

    def _odds(self, new: Statement, old: Statement, texts: Sequence[str]) -> list[float]:
        """Odds that texts, said as an old statement was, hold no longer."""
        olds = [replace(old, text=text) for text in texts]
        self.prepare(new, olds)
        return [_odds_of(self._chance(new, one)) for one in olds]

    def reads(self, text: str) -> bool:
        """True if a text states anything that another text could contradict."""
        if len(text) > _LONGEST:
            return self.quick.reads(text)
        return not asks_only(text)

    def _chance(self, new: Statement, old: Statement) -> float:
        """Probability that an old statement holds no longer."""
        if self.quick.judge(new, old) is not None:
            return 1.0
        reading = self.read(new, old)
        return 0.0 if reading is None else reading.outdates

    def prepare(self, new: Statement, olds: Sequence[Statement]) -> None:
        """Read a new statement with several old ones at once, which takes half the time."""
        pairs = (_comparable(new, old) for old in olds)
        self._read([pair for pair in pairs if pair is not None])

    def read(self, new: Statement, old: Statement) -> PairReading | None:
        """Relation of a new statement to an old one; None if they are not compared.

        Long texts are not, nor what two speakers say of themselves.
        """
        pair = _comparable(new, old)
        return None if pair is None else self._read([pair])[0]

    def _read(self, pairs: Sequence[tuple[str, str]]) -> list[PairReading]:
        """Readings of pairs of an old and a new text, those read lately from a cache."""
        known = self._readings
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        if fresh:
            read = [_softmax(row) for row in self._outputs(fresh).tolist()]
            if len(known) > _REMEMBERED_PAIRS:
                known = self._readings = {}
            known.update(zip(fresh, read, strict=True))
        return [known[pair] for pair in pairs]


def _softmax(logits: Sequence[float]) -> PairReading:
    odds = [math.exp(one - max(logits)) for one in logits]
    return PairReading(*(one / sum(odds) for one in odds))


def _comparable(new: Statement, old: Statement) -> tuple[str, str] | None:
    """Texts of an old and a new statement as the model reads them; None if it does not."""
    if max(len(new.text), len(old.text)) > _LONGEST or not may_exclude(new, old):
        return None
    if new.source == old.source:
        return old.text, new.text
    return _attributed(old), _attributed(new)


def _attributed(statement: Statement) -> str:
    """Text of a statement, with its speaker in front if it speaks of an 'I'."""
    name = speaker_of(statement)
    return statement.text if name is None else f"{name}: {statement.text}"


def shares(confidences: Sequence[float]) -> list[float]:
    """Probabilities that each of several memories, and no other one or none, is contradicted.

    Odds of independent judgements, over the sum of all odds and those of none, which are 1.
    """
    odds = [*map(_odds_of, confidences)]
    return [one / (1 + sum(odds)) for one in odds]


def _odds_of(confidence: float) -> float:
    bounded = min(confidence, SUREST)
    return bounded / (1 - bounded)


def tempered_by_others(found: Sequence[Contradiction], replaced: int) -> list[Contradiction]:
    """Contradictions of one memory with several: certain only where no other one may be meant.

    `replaced` others are replaced in any case. A judge that is sure of each by rule, with a
    confidence of 1, means all of them.
    """
    each = shares([*(one.confidence for one in found), *[1.0] * replaced])
    return [
        one
        if share >= CLEAR or one.confidence >= 1.0
        else replace(one, confidence=min(one.confidence, share))
        for one, share in zip(found, each, strict=False)
    ]
