"""Plans: options checked against the constraints in memory, and ranked."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from mnemolog.application.home.space import Space, present
from mnemolog.application.questions.browse import filter_of
from mnemolog.application.questions.recall import names_of, pinned_in
from mnemolog.indexes.filters import Horizon
from mnemolog.language.analysis import Analyzer
from mnemolog.language.entities import Known, Link
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import MemoryKind
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.policies.constraints.constraint import Constraint, read_constraint
from mnemolog.policies.constraints.option_ranking import Option, findings_of
from mnemolog.policies.constraints.option_reading import (
    OptionFinding,
    OptionReading,
    Topic,
    Verdict,
)
from mnemolog.policies.memories import Time, checked_text, checked_texts, instant
from mnemolog.recall.answers import AsOf, Hit, hits_of
from mnemolog.recall.plans import (
    KIND_TYPES,
    READ_FOR_PLAN,
    NearConstraint,
    kinds_of,
    near_constraints,
    overlap_with_preferences,
)
from mnemolog.recall.search.checks import checked_cue, checked_limit
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.space_search import SpaceSearch
from mnemolog.results import Results, Value, converted

Standing = Literal["clean", "unknown", "violates"]  # no objection, an open question, a violation

_ORDER: dict[Standing, int] = {"clean": 0, "unknown": 1, "violates": 2}
_MOST_OPTIONS = 1_000
_LONGEST_OPTIONS = 50_000  # characters of all together; each option is parsed and embedded
_UNTOLD = frozenset({"suspected", "doubtful", "silent"})
_TYPES = KIND_TYPES | {"CONTAINS"}


class ChainLink(Value, frozen=True):
    """Step from a word of an option to the thing ruled out: `satay IS_A peanut dish`.

    `evidence` is the position of the memory or edge that states it; None for common knowledge.
    """

    source: str
    type: str
    target: str
    evidence: Position | None


class Judgement(Value, frozen=True):
    """Verdict of one constraint on an option: a violation, or an open question.

    `verdict` is `violated`; `suspected` if it is violated provided that the constraint is about
    the same topic; `doubtful` if the option is not clear; or `silent`. `found` are the words of the
    option, `chain` links them to the thing ruled out. `severity` is from 1 to 3.
    """

    memory_id: MemoryId
    constraint: str
    constraint_class: str | None
    verdict: Verdict
    found: str
    why: str
    severity: int
    chain: tuple[ChainLink, ...] = ()


class RankedOption(Value, frozen=True):
    """Option with its rank, from 1; `index` is its place among the options given.

    `relevance`, its similarity to goal and preferences in [0, 1], orders those of equal standing.
    """

    option: str
    index: int
    rank: int
    standing: Standing
    relevance: float
    violations: tuple[Judgement, ...] = ()
    unknown: tuple[Judgement, ...] = ()


class Plan(Results[RankedOption], frozen=True):
    """Plan for a goal: options, best first, and the constraints considered, nearest first."""

    _over = "options"

    goal: str
    options: tuple[RankedOption, ...]
    constraints: tuple[Hit, ...]
    as_of: AsOf


class _Considered(Struct, frozen=True):
    hit: Hit
    constraint: Constraint
    topic: Topic


class _Knowledge:
    """Knowledge of words and names, from the analyzer and the memory, for one question."""

    def __init__(
        self, analyzer: Analyzer, searches: Sequence[SpaceSearch], question: Question
    ) -> None:
        self._analyzer = analyzer
        at = question.instant if question.valid_at is None else question.valid_at
        self._spaces = [(one.state, Horizon(question.position, at, one.size)) for one in searches]
        self._kinds: dict[str, tuple[Known, ...]] = {}

    def stem(self, word: str) -> str:
        """Stem of a word."""
        return self._analyzer.stem(word)

    def kinds_of(self, name: str) -> Sequence[Known]:
        """Kinds that a name belongs to, each with the links that lead to it."""
        if name not in self._kinds:
            self._kinds[name] = tuple(
                Known(kind.name, converted(kind.path, tuple[Link, ...], from_attributes=True))
                for state, horizon in self._spaces
                for kind in kinds_of(state, name, horizon, _TYPES)
            )
        return self._kinds[name]


def plan(  # noqa: PLR0913 - the filters, all optional and by name
    space: Space,
    goal: str,
    options: Sequence[str | Option] = (),
    *,
    limit: int = 20,
    spaces: Sequence[str] = (),
    kinds: Sequence[MemoryKind] = (),
    tags: Sequence[str] = (),
    source: str | None = None,
    place: str | None = None,
    valid_at: Time | None = None,
) -> Plan:
    """Plan for a goal: options ranked by the constraints in memory, with reasons.

    Options without objections come first, those closest to the goal and to preferences first among
    them; then options with open questions; then violations, the most severe last. At most `limit`
    (1 to 1,000) constraints are considered, those of class safety first, then the nearest to the
    goal. A constraint about another
    person than those named in the goal is left out. Without options, only the constraints are
    returned. The filters are those of `recall`. Raises `InvalidField` or a subclass of it.
    """
    cut = space.cut()
    names = names_of(space, spaces)
    given = _checked_options(options)
    most = checked_limit(limit)
    question = Question(
        cue=checked_cue(goal, "goal"),
        position=cut.position,
        instant=cut.instant,
        present=present(space.home, cut),
        filters={name: filter_of(space, name, kinds, tags, source, place) for name in names},
        pinned=pinned_in(space, names, cut),
        valid_at=instant("valid_at", valid_at),
    )
    home = space.home
    searches = [SpaceSearch(name, home.index(name).at(cut.position), question) for name in names]
    vectors = home.embedder.embed([goal, *(one.whole for one in given)])
    parts, log = home.parts, home.log
    near = near_constraints(searches, question, vectors, parts.analyzer, log, read=READ_FOR_PLAN)
    kept = [one for one in near if one.scores["person"] >= 0]
    hits = hits_of([one.ranked(question) for one in kept], searches, log)
    considered = _considered(kept, hits, most)
    knows = _Knowledge(parts.analyzer, searches, question)
    likings = overlap_with_preferences(searches, vectors, log)
    fitness = 0.5 * (vectors[1:] @ vectors[0]) + 0.5 * likings
    purpose = OptionReading(goal, knows)
    judged = []
    for index, (option, fits) in enumerate(zip(given, np.clip(fitness, 0.0, 1.0), strict=True)):
        reading = OptionReading(option.whole, knows)
        findings = [
            _judgement(one, found)
            for one in considered
            for found in findings_of(one.constraint, reading, purpose, one.topic)
        ]
        violated = tuple(one for one in findings if one.verdict == "violated")
        unknown = tuple(one for one in findings if one.verdict in _UNTOLD)
        standing: Standing = "violates" if violated else "unknown" if unknown else "clean"
        relevance = round(float(fits), 4)
        judged.append(RankedOption(option.text, index, 0, standing, relevance, violated, unknown))
    ranked = enumerate(sorted(judged, key=_place), start=1)
    return Plan(
        goal=goal,
        options=tuple(replace(one, rank=rank) for rank, one in ranked),
        constraints=tuple(one.hit for one in considered if one.topic != "open"),
        as_of=AsOf(cut.position, to_datetime(cut.instant)),
    )


def _considered(
    kept: Sequence[NearConstraint], hits: Sequence[Hit], limit: int
) -> list[_Considered]:
    by_place = {(hit.space, hit.position): hit for hit in hits}
    # Safety comes first, so that no other class displaces it; the order of nearness stays.
    order = sorted(kept, key=lambda one: not one.is_safety)
    among = {one.place for one in order[:limit]}
    considered: list[_Considered] = []
    for one in kept:
        if (hit := by_place.get(one.place)) is not None:
            text, said = one.content.text, one.structure
            read = read_constraint(text, one.content.aliases, said.source, said.constraint)
            near = one.nearness if one.place in among else "far"
            topic: Topic = "open" if near == "far" else near
            considered.append(_Considered(hit, read or Constraint(text, said.constraint), topic))
    return considered


def _place(one: RankedOption) -> tuple[float, ...]:
    return (
        _ORDER[one.standing],
        max((each.severity for each in one.violations), default=0),
        len(one.violations),
        sum(each.verdict == "suspected" for each in one.unknown),
        sum(each.verdict == "doubtful" for each in one.unknown),
        len(one.unknown),
        -round(one.relevance, 3),
        one.index,
    )


def _judgement(one: _Considered, found: OptionFinding) -> Judgement:
    return Judgement(
        memory_id=one.hit.memory_id,
        constraint=one.hit.content,
        constraint_class=one.constraint.constraint_class,
        verdict=found.verdict,
        found=found.found,
        why=found.why,
        severity=found.severity,
        chain=converted(found.chain, tuple[ChainLink, ...], from_attributes=True),
    )


def _checked_options(options: Sequence[str | Option]) -> list[Option]:
    if isinstance(options, str) or not isinstance(options, Sequence):
        raise InvalidField("options", "are no sequence of texts", "give a list of them")
    if len(options) > _MOST_OPTIONS:
        raise InvalidField("options", f"are {len(options):,}", f"give at most {_MOST_OPTIONS:,}")
    made = [Option(one) if isinstance(one, str) else one for one in options]
    for one in made:
        text = checked_text("options", one.text) if isinstance(one, Option) else None
        if not (text or "").strip():
            raise InvalidField("options", "hold an empty one", "give each as a text")
        checked_texts("options", one.facts)
    size = sum(len(one.whole) for one in made)
    if size > _LONGEST_OPTIONS:
        problem = f"have {size:,} characters of {_LONGEST_OPTIONS:,} allowed"
        raise InvalidField("options", problem, "give fewer at a time, or shorter ones")
    return made
