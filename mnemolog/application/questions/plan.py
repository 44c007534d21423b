"""Plans: options checked against the constraints in memory, and ranked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from mnemolog.application.home.rerankers import OFF
from mnemolog.application.home.space import Space, present
from mnemolog.application.questions.browse import filter_of, settings_of
from mnemolog.application.questions.plan_reading import (
    ModelFinding,
    PlanQuestion,
    findings_by_model,
)
from mnemolog.application.questions.recall import names_of, pinned_in
from mnemolog.indexes.filters import Horizon
from mnemolog.language.analysis import Analyzer
from mnemolog.language.entities import Known, Link
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import MemoryKind
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.policies.constraints.constraint import Constraint, read_constraint
from mnemolog.policies.constraints.option_ranking import SEVERITY, Option, findings_of
from mnemolog.policies.constraints.option_reading import (
    OptionFinding,
    OptionReading,
    Topic,
    Verdict,
)
from mnemolog.policies.constraints.recognition import SAFETY
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

_Blame = Literal["violated", "suspected"]
_ORDER: dict[Standing, int] = {"clean": 0, "unknown": 1, "violates": 2}
# Weights of what speaks for a violation besides the logarithm of the odds by a model, and the sums
# from which on there is a violation or a suspicion, see docs/decisions/0029.
_CONSTRAINT, _RULED, _KEPT, _BROKEN, _SUSPECTED = 2.0, 3.5, 3.0, 4.5, 2.5
_SHOWN = 120  # Characters of an option or a note that a reason shows
_MOST_OPTIONS = 1_000
_LONGEST_OPTIONS = 50_000  # characters of all together; each option is parsed and embedded
_AGAINST = frozenset(get_args(_Blame))
_UNTOLD = frozenset({"suspected", "doubtful", "silent"})
_TYPES = KIND_TYPES | {"CONTAINS"}


class ChainLink(Value, frozen=True):
    """Step from a word of an option to the thing ruled out: `satay IS_A peanut dish`.

    `evidence` is the position of the memory or edge that states it; None for common knowledge. With
    `KNOWN_BY`, the step goes from an option to a memory about it that a model read.
    """

    source: str
    type: str
    target: str
    evidence: Position | None


class Judgement(Value, frozen=True):
    """Verdict on an option and a constraint, or another memory: a violation, or an open question.

    `verdict` is `violated`; `suspected` if it may be, because the constraint may be about another
    topic, or by the model; `doubtful` if the option is not clear; or `silent`. `found` are words of
    the option, `chain` links them to the thing ruled out. `severity` is from 1 to 3,
    `constraint_class` None for a memory that was not recognised as a constraint. `chance` in [0, 1]
    is that of a violation by the model; None if it did not read both.
    """

    memory_id: MemoryId
    constraint: str
    constraint_class: str | None
    verdict: Verdict
    found: str
    why: str
    severity: int
    chain: tuple[ChainLink, ...] = ()
    chance: float | None = None


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
    (1 to 1,000) constraints are returned, those of class safety first, then the nearest to the
    goal. A constraint about another person than those named in the goal is left out. Up to 50
    options are also read by the built-in model, unless the setting `reranker` is `off`, with what
    the memory says of them: it may find that an option breaks a memory that is no constraint.
    Without options, only the constraints are returned. The filters are those of `recall`. Raises
    `InvalidField` or a subclass of it.
    """
    cut = space.cut()
    names = names_of(space, spaces)
    given = _checked_options(options)
    most, settings = checked_limit(limit), settings_of(space, cut)
    question = Question(
        cue=checked_cue(goal, "goal"),
        position=cut.position,
        instant=cut.instant,
        present=present(space.home, cut),
        vector_search=settings.vector_search,
        filters={name: filter_of(space, name, kinds, tags, source, place) for name in names},
        pinned=pinned_in(space, names, cut),
        valid_at=instant("valid_at", valid_at),
    )
    home = space.home
    searches = [SpaceSearch(name, home.index(name).at(cut.position), question) for name in names]
    texts = [one.whole for one in given]
    vectors = home.embedder.embed([goal, *texts])
    parts, log = home.parts, home.log
    near = near_constraints(searches, question, vectors, parts.analyzer, log, read=READ_FOR_PLAN)
    kept = [one for one in near if one.scores["person"] >= 0]
    hits = hits_of([one.ranked(question) for one in kept], searches, log)
    considered = _considered(kept, hits, most)
    asked = PlanQuestion(question, texts, vectors, searches)
    reader = None if settings.reranker == OFF else home.plan_reader
    near_ones = [one.hit for one in considered if one.topic != "open"]
    of_others = {one.place for one in near} - {one.place for one in kept}
    read = findings_by_model(space, asked, reader, near_ones, of_others)
    likings = overlap_with_preferences(searches, vectors, log)
    fitness = np.clip(0.5 * (vectors[1:] @ vectors[0]) + 0.5 * likings, 0.0, 1.0)
    knows = _Knowledge(parts.analyzer, searches, question)
    purpose = OptionReading(goal, knows)
    judged = []
    for index, (option, fits) in enumerate(zip(given, fitness.tolist(), strict=True)):
        reading = OptionReading(option.whole, knows)
        findings = [
            _judgement(one, found)
            for one in considered
            for found in findings_of(one.constraint, reading, purpose, one.topic)
        ]
        if read:
            findings = _weighed(option.text, findings, read[index], considered)
        judged.append(_judged(option.text, index, fits, findings))
    ranked = enumerate(sorted(judged, key=_place), start=1)
    return Plan(
        goal=goal,
        options=tuple(replace(one, rank=rank) for rank, one in ranked),
        constraints=tuple(one.hit for one in considered if one.topic != "open"),
        as_of=AsOf(cut.position, to_datetime(cut.instant)),
    )


def _judged(option: str, index: int, fitness: float, findings: Sequence[Judgement]) -> RankedOption:
    violated = tuple(one for one in findings if one.verdict == "violated")
    unknown = tuple(one for one in findings if one.verdict in _UNTOLD)
    standing: Standing = "violates" if violated else "unknown" if unknown else "clean"
    return RankedOption(option, index, 0, standing, round(fitness, 4), violated, unknown)


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


def _weighed(
    option: str,
    findings: Sequence[Judgement],
    read: Mapping[MemoryId, ModelFinding],
    considered: Sequence[_Considered],
) -> list[Judgement]:
    """Findings of the rules weighed with those of a model, and those of the model alone."""
    classes = {one.hit.memory_id: one.constraint.constraint_class for one in considered}
    ruled: dict[MemoryId, list[Judgement]] = {}
    for one in findings:
        ruled.setdefault(one.memory_id, []).append(one)
    weighed = [one for one in findings if one.memory_id not in read]
    for memory, by_model in read.items():
        by_rules = ruled.get(memory, [])
        verdict = _verdict(by_model, by_rules, is_constraint=memory in classes)
        weighed += _agreed(by_rules, verdict, by_model.chance)
        if verdict is not None and not any(one.verdict in _AGAINST for one in by_rules):
            weighed.append(_by_model(option, by_model, verdict, classes.get(memory)))
    return weighed


def _verdict(
    by_model: ModelFinding, by_rules: Sequence[Judgement], *, is_constraint: bool
) -> _Blame | None:
    violated = [one for one in by_rules if one.verdict == "violated"]
    if any(one.constraint_class == SAFETY for one in violated):
        return "violated"
    # What a rule reads as keeping a bound: not only that it finds nothing that breaks it.
    kept = any(one.verdict == "met" and one.found for one in by_rules)
    odds = by_model.odds + _CONSTRAINT * is_constraint + _RULED * bool(violated) - _KEPT * kept
    return "violated" if odds >= _BROKEN else "suspected" if odds >= _SUSPECTED else None


def _agreed(
    by_rules: Sequence[Judgement], verdict: _Blame | None, chance: float
) -> Iterator[Judgement]:
    """Findings of the rules on one memory, with the verdict of rules and model."""
    # A suspicion beside a violation is about another demand of the constraint.
    alone = all(one.verdict != "violated" for one in by_rules)
    for one in by_rules:
        if one.verdict == "violated" and verdict != "violated":
            why = f"{one.why}, but the built-in model doubts that this breaks it"
            yield replace(one, verdict="suspected", why=why, chance=chance)
        elif one.verdict == "suspected" and verdict == "violated" and alone:
            yield replace(one, verdict="violated", chance=chance)
        else:
            yield replace(one, chance=chance)


def _by_model(
    option: str,
    found: ModelFinding,
    verdict: _Blame,
    constraint_class: str | None,
) -> Judgement:
    read = "".join(f"; it read “{one.content[:_SHOWN]}”" for one in found.known)
    name = option[:_SHOWN]
    links = (ChainLink(name, "KNOWN_BY", one.content, one.position) for one in found.known)
    return Judgement(
        memory_id=found.note.memory_id,
        constraint=found.note.content,
        constraint_class=constraint_class,
        verdict=verdict,
        found=name,
        why=f"the built-in model gives {found.chance:.0%} that this breaks it{read}",
        severity=SEVERITY.get(constraint_class or "", 2),
        chain=tuple(links),
        chance=found.chance,
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
