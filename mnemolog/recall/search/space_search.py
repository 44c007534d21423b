"""Search of one space: candidates are found and scored, then replaced by their successors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import datetime
from functools import cache

import msgspec
import numpy as np

from mnemolog.indexes.columns import NOBODY, Columns, Mask, Selection
from mnemolog.indexes.filters import STATUSES, Filter, Horizon
from mnemolog.indexes.postings import Statistics
from mnemolog.indexes.space_state import State
from mnemolog.indexes.vectors.vector_index import Allowed
from mnemolog.language.analysis import EXACT_PREFIX
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.decay import ARCHIVED
from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import Status
from mnemolog.recall.search.checks import PLAIN_STATUSES, decimals
from mnemolog.recall.search.graph_walk import walk
from mnemolog.recall.search.match import Cue, Terms, Texts, in_both
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.relevance import Found, Scored, best, blended, fused, ranks_in
from mnemolog.recall.search.timing import CLEARLY, INSIDE, fit_to

# Statuses in which a memory ends the validity of its predecessor.
IN_FORCE = frozenset({"active", "superseded", "archived", "summarized"})
_OWN_MATCH = 0.5  # Least share of a memory's score for which its successor matches by itself
_CANDIDATES, _SEEDS = 500, 32
_WEAKEST = {"archived": 0.99, "summarized": 0.7}  # Factor of a score at strength 0, by status
_FOUNDABLE = frozenset({*PLAIN_STATUSES, "superseded"})


class Ranked(msgspec.Struct, frozen=True):
    """Ranked memory of an answer, with the reasons for its rank.

    `found` is the memory that matched the cue; `time` is when the shown one became valid, or was
    recorded. `score`, of which `taught` is the learned part, determines the order, and is the
    `relevance` until that is calibrated by the evidence of the whole answer. `outdated_by` is a
    newer hit that says nearly the same. `is_note` tells a short statement from a turn of talk.
    """

    space: str
    memory: Position
    found: Position
    score: float
    relevance: float
    ranks: dict[str, int] = {}
    scores: dict[str, float] = {}
    matched: tuple[str, ...] = ()
    taught: float = 0.0
    pinned: bool = False
    time: int = 0
    outdated_by: Position | None = None
    is_note: bool = False


class SpaceSearch:
    """Search of one space for one question."""

    def __init__(self, space: str, state: State, question: Question) -> None:
        self.space, self.state, self.question = space, state, question
        self.position, columns = question.position, state.columns
        self._depth = max(_CANDIDATES, question.limit)
        self.size = columns.size(self.position)
        self.unembedded = max(0, self.size - len(state.vectors))
        self._instant = question.instant if question.valid_at is None else question.valid_at
        matching = columns.matching(question.filters.get(space, Filter()), self.size)
        self.allowed = self._foundable(matching)
        self.timely = fit_to(question.reading.span, state, self.size, self.allowed)
        as_of = self.position, self._instant, self.size
        timelier = None if self.timely is None else self.is_timelier
        self.chains = Chains(columns, *as_of, matching, is_timelier=timelier)
        self._judged, self._staying = frozenset[Position](), frozenset[Position]()
        if question.steering is not None:
            self._judged, self._staying = question.steering.judged, question.steering.stays
            judged = columns.ordinals(np.array(sorted(self._judged), np.int64))
            judged = judged[(judged != NOBODY) & (judged < self.size)]
            excluded = np.union1d(self.allowed.excluded, judged)
            self.allowed = Allowed(self.allowed.mask, excluded)
        self.texts = Texts(columns, state.postings, state.shapes, self.size)

    def asked(self, question: Question) -> SpaceSearch:
        """Search of the same space for another question."""
        return SpaceSearch(self.space, self.state, question)

    def statistics(self, terms: Sequence[str]) -> Statistics:
        """Statistics of this space for BM25."""
        # Withdrawn memories do not count, so that undoing a write leaves no trace in any score.
        withdrawn = self.state.columns.changed_to(self.position, {"withdrawn"})
        gone, frequencies = withdrawn.astype(np.int32), {}
        for term in terms:
            holders = self.texts.postings(term)[0]
            among = len(in_both(gone, holders)[1]) if len(gone) else 0
            frequencies[term] = len(holders) - among
        return Statistics(self.size - len(gone), frequencies)

    def answered(self, cue: Cue) -> tuple[list[Ranked], float | None, float]:
        """Memories that answer a cue, best first, with the best evidence and untaught score."""
        # Evidence is None for the strategies whose scores cannot be calibrated.
        if self.size == 0:
            return [], None, 0.0
        found = self._found(cue)
        scored = self._faded(self._scored(found, cue))
        ranked = self._ranked(scored, found, cue.terms)
        if scored.evidence is None:
            return ranked, None, 0.0
        scores, positions = scored.score - scored.taught, self.positions(scored.ordinals)
        own = dict(zip(positions, scores.tolist(), strict=True))
        best_first = np.argsort(-scores).tolist()
        shown = ((float(scores[index]), self._shown(positions[index], own)) for index in best_first)
        untaught = (score for score, one in shown if one is not None and one not in self._judged)
        return ranked, float(scored.evidence.max(initial=0.0)), next(untaught, 0.0)

    def answer_at(self, ordinal: int) -> Position | None:
        """Memory to show for the one at an ordinal that no search found; None if there is none."""
        if ordinal >= self.size or not self.allowed.of(np.array([ordinal]))[0]:
            return None
        return self._shown(self.positions(np.array([ordinal]))[0], {})

    def answer_for(self, memory: Position) -> Position | None:
        """Memory to show for one that no search found; None if there is none."""
        ordinal = self.state.columns.ordinal(memory)
        return None if ordinal == NOBODY else self.answer_at(ordinal)

    def is_timelier(self, memory: Position, other: Position) -> bool:
        """True if a memory is of the period that the cue names, and another clearly less so."""
        if self.timely is None:
            return False
        one, two = (self.state.columns.ordinal(position) for position in (memory, other))
        if not NOBODY < max(one, two) < self.size or min(one, two) == NOBODY:
            return False
        fit = float(self.timely[one])
        return fit >= INSIDE and fit > float(self.timely[two]) + CLEARLY

    def is_of_period(self, memory: Position) -> bool:
        """True if a memory is of the period that the cue names, if it names one."""
        ordinal = self.state.columns.ordinal(memory)
        return self.timely is None or bool(self.timely[ordinal] >= INSIDE)

    def said_on(self, memory: Position) -> datetime:
        """Instant at which a memory was said."""
        ordinal = self.state.columns.ordinal(memory)
        return to_datetime(int(self.state.columns.said_at(np.array([ordinal]))[0]))

    def likeness(self, memory: Position, other: Position) -> float:
        """Cosine of two memories' vectors; 0 if one of them is not embedded."""
        one, two = (self.state.columns.ordinal(position) for position in (memory, other))
        first, second = self.state.vectors.of(np.array([one, two]))
        return float(first @ second)

    def positions(self, ordinals: Selection) -> list[Position]:
        """Positions of memories by their ordinals."""
        positions: list[Position] = self.state.columns.positions(ordinals).tolist()
        return positions

    def _foundable(self, matching: Mask | None) -> Allowed:
        """Memories that a search may find: those that may answer, or have a successor that may."""
        columns, wanted = self.state.columns, self.question.statuses
        if wanted and "active" not in wanted:
            named = np.zeros(self.size, np.bool_)
            named[columns.changed_to(self.position, wanted)] = True
            return Allowed(named if matching is None else named & matching, np.zeros(0, np.intp))
        excluded = columns.changed_to(self.position, {*STATUSES} - {*(wanted or _FOUNDABLE)})
        valid = None if wanted else columns.holding(self._instant, self.size)
        masks = [mask for mask in (matching, valid) if mask is not None]
        if not masks:
            return Allowed(None, excluded)
        mask = np.logical_and.reduce(masks)
        if not wanted:
            # A superseded memory may lead to a successor that does match.
            # Read as of the position: a later supersession must not affect this answer.
            mask[columns.changed_to(self.position, {"superseded"})] = True
        return Allowed(mask, excluded)

    def _found(self, cue: Cue) -> Found:
        """Results of each search: by meaning, by words, and in the graph from the best of both."""
        by_meaning = in_graph = (np.zeros(0, np.intp), np.zeros(0))
        if cue.vector is not None:
            asked = cue.vector, self.size, self._depth, self.allowed
            nearest = self.state.vectors.nearest(*asked, self.question.vector_search)
            by_meaning = nearest[0], nearest[1].astype(np.float64)
        touched = self.texts.touched_by(cue.terms)
        touched = touched[self.allowed.of(touched)]
        by_words = best(touched, self.texts.own_words(cue.terms, touched), self._depth)
        if self.question.strategy == "rrf" or self.question.reading.route == "graph":
            both = zip(best(*by_meaning, _SEEDS), best(*by_words, _SEEDS), strict=True)
            seeds, weights = (np.concatenate(each) for each in both)
            horizon = Horizon(self.position, self._instant, self.size)
            reached, shares = walk(self.state, seeds, weights, horizon)
            allowed = self.allowed.of(reached)
            in_graph = best(reached[allowed], shares[allowed], self._depth)
        return {"semantic": by_meaning, "keyword": by_words, "graph": in_graph}

    def _scored(self, found: Found, cue: Cue) -> Scored:
        strategy = self.question.strategy
        if strategy == "hybrid":
            return blended(self, found, cue)
        if strategy == "rrf":
            ordinals, scores = fused(found, self.question.fusion)
            return Scored(ordinals, scores, {}, np.zeros(len(ordinals)))
        ordinals, scores = found[strategy]
        untaught = np.zeros(len(ordinals))
        return Scored(ordinals, np.maximum(0.0, scores), {strategy: scores}, untaught)

    def _faded(self, scored: Scored) -> Scored:
        """Scores with archived and summarized memories scaled by their strength."""
        # Strength is a share of the threshold for archiving. It moves an archived memory by at most
        # a hundredth, so that the best match still comes first, and a summarized one by more.
        columns, as_of = self.state.columns, (self.position, self.question.present)
        factors = np.ones(len(scored.ordinals))
        for status, weakest in _WEAKEST.items():
            faint = np.isin(scored.ordinals, columns.changed_to(self.position, {status}))
            strengths = self.state.strengths.of(scored.ordinals[faint], columns, *as_of)
            factors[faint] = weakest + (1 - weakest) * np.minimum(1.0, strengths / ARCHIVED.below)
        if (factors == 1.0).all():
            return scored
        score, taught = scored.score * factors, scored.taught * factors
        components = {**scored.components, "faded": factors}
        return msgspec.structs.replace(scored, score=score, taught=taught, components=components)

    def _ranked(self, scored: Scored, found: Found, terms: Terms) -> list[Ranked]:
        """Ranked memories: each chain's newest member takes the rank of its best member."""
        columns = self.state.columns
        chosen = self._chosen(scored)
        ordinals = scored.ordinals[np.array([index for index, _, _ in chosen], np.intp)]
        order, held = np.argsort(ordinals), dict[str, Mask]()
        for term in terms.weights:
            holding = np.zeros(len(ordinals), np.bool_)
            holding[order] = self.texts.held(term, ordinals[order], np.ones(len(ordinals))) > 0
            word = term.removeprefix(EXACT_PREFIX)
            held[word] = held[word] | holding if word in held else holding
        shown = np.array([columns.ordinal(memory) for _, _, memory in chosen], np.intp)
        times, ranks = columns.times(shown).tolist(), ranks_in(found, ordinals)
        components = {**scored.components, "score": scored.score}
        notes = self.texts.notes(scored.ordinals)
        pinned = self.question.pinned.get(self.space, ())
        ranked = []
        for place, (index, position, memory) in enumerate(chosen):
            score, taught = float(scored.score[index]), float(scored.taught[index])
            scores = {name: float(values[index]) for name, values in components.items()}
            matched = tuple(word for word, holding in held.items() if holding[place])
            reasons = (ranks[place], scores, matched, taught, memory in pinned, times[place])
            found_one = Ranked(self.space, memory, position, score, min(1.0, score), *reasons)
            ranked.append(msgspec.structs.replace(found_one, is_note=bool(notes[index])))
        return ranked

    def _chosen(self, scored: Scored) -> list[tuple[int, Position, Position]]:
        """Best candidates: index, the memory found, and the memory shown for it."""
        positions = self.state.columns.positions(scored.ordinals)
        own = dict(zip(map(Position, positions.tolist()), scored.score.tolist(), strict=True))
        chosen: dict[Position, tuple[int, Position, Position]] = {}
        least = 0.0
        stays = np.isin(positions, sorted(self._staying)) & (scored.score > 0)
        for index in np.lexsort((-scored.ordinals, -scored.score, ~stays)).tolist():
            score, position = scored.score[index], Position(int(positions[index]))
            if score <= 0 or score < least:
                break
            memory = self._shown(position, own)
            if memory is None or memory in chosen or memory in self._judged:
                continue
            chosen[memory] = (index, position, memory)
            if len(chosen) == self.question.limit:
                # A candidate whose score equals that of the last one may be newer than it.
                least = score - 10.0 ** -decimals(self.question.strategy)
        return [one for memory, one in chosen.items() if not self._is_late(memory, chosen)]

    def _is_late(self, memory: Position, chosen: Container[Position]) -> bool:
        """True if what a memory supersedes is chosen for the period that the cue names."""
        if self.timely is None:
            return False
        older = (one for one in self.chains.trail(memory) if one in chosen)
        return any(self.is_timelier(one, memory) for one in older)

    def _shown(self, found: Position, scores: Mapping[Position, float]) -> Position | None:
        """Memory shown for a found one: itself if its status was asked for, else its successor."""
        if self.question.statuses:
            return found if self.chains.status(found) in self.question.statuses else None
        return self.chains.standing(found, scores)


class Chains:
    """Supersession chains of a space as of a position, for one question."""

    def __init__(  # noqa: PLR0913 - the memories, the moment, and what narrows them
        self,
        columns: Columns,
        position: Position,
        instant: int,
        size: int,
        matching: Mask | None,
        *,
        is_timelier: Callable[[Position, Position], bool] | None = None,
    ) -> None:
        self._columns, self._position, self._instant = columns, position, instant
        self._changed = columns.changed(position)
        self._size, self._matching, self._is_timelier = size, matching, is_timelier
        self._valid: dict[Position, bool] = {}
        self._ordinal = cache(columns.ordinal)

    def status(self, memory: Position) -> Status:
        """Status of a memory; redacted if its content is gone."""
        ordinal = self._ordinal(memory)
        there = NOBODY < ordinal < self._size
        return self._changed.get(ordinal, "active") if there else "redacted"

    def standing(self, memory: Position, scores: Mapping[Position, float]) -> Position | None:
        """Memory that answers for `memory`, itself or a successor; None if there is none.

        It is in force, valid at the question's instant, and inside its filters. Of several, the
        newest answers, unless another matches the cue by itself at least half as well as `memory`:
        where one keeps the rest of a memory that said more, each answers what is asked of it.
        """
        later = _reached(memory, self._closing)
        if found := [one for one in later if self.status(one) in IN_FORCE and self._fits(one)]:
            least = max(_OWN_MATCH * scores.get(memory, 0.0), sys.float_info.min)
            own = [(scores.get(one, 0.0), one) for one in found]
            return max((one for one in own if one[0] >= least), default=(0.0, max(found)))[1]
        hidden = self.status(memory) in {"withdrawn", "redacted", "tombstone"}
        return None if hidden or not self._fits(memory) else memory

    def note(self, memory: Position) -> str | None:
        """Note to show with a memory: its status if unsettled, and its successors, or None."""
        status = self.status(memory)
        notes: list[str] = [status] if status in {"contested", "pending"} else []
        for edge in self._columns.successors(memory, self._position):
            state = self.status(edge.new)
            said = f"superseded by @{edge.new}"
            if state not in IN_FORCE:
                notes.append(f"{said}, which is {state}")
            else:
                notes.append(f"since {said}" if edge.closes > self._instant else said)
        return "; ".join(notes) or None

    def trail(self, memory: Position) -> list[Position]:
        """Memories that this one supersedes, directly or indirectly, newest first."""
        of = self._columns.predecessors
        older = _reached(memory, lambda one: [edge.old for edge in of(one, self._position)])
        return sorted(older, reverse=True)

    def upwards(self, memory: Position, met: set[Position]) -> list[Position]:
        """Memories that supersede this one, directly or indirectly, followed by itself."""
        # Each one comes after those that supersede it. Memories in `met` are skipped together with
        # their successors; the returned ones are added to it. A chain may be too long to recurse.
        ordered: list[Position] = []
        ahead: list[tuple[Position, bool]] = [(memory, False)]
        while ahead:
            one, done = ahead.pop()
            if done:
                ordered.append(one)
            elif one not in met:
                met.add(one)
                ahead += [(one, True), *((newer, False) for newer in self._newer(one))]
        return ordered

    def _newer(self, memory: Position) -> list[Position]:
        return [edge.new for edge in self._columns.successors(memory, self._position)]

    def _closing(self, memory: Position) -> list[Position]:
        edges = self._columns.successors(memory, self._position)
        closing = [edge.new for edge in edges if edge.closes <= self._instant]
        if (is_timelier := self._is_timelier) is None:
            return closing
        # A cue about May finds what was of May, also if something later replaced it.
        return [newer for newer in closing if not is_timelier(memory, newer)]

    def _fits(self, memory: Position) -> bool:
        """True if a memory is inside the filters, in its own period, and not superseded."""
        if memory not in self._valid:
            ordinal = self._ordinal(memory)
            self._valid[memory] = (
                (self._matching is None or bool(self._matching[ordinal]))
                and self._columns.holds(ordinal, self._instant)
                and not any(map(self._counts, self._closing(memory)))
            )
        return self._valid[memory]

    def _counts(self, successor: Position) -> bool:
        """True if a successor, or one that supersedes it, is in force."""
        return self.status(successor) in IN_FORCE or any(
            self.status(one) in IN_FORCE for one in _reached(successor, self._newer)
        )


def _reached(memory: Position, step: Callable[[Position], list[Position]]) -> set[Position]:
    found: set[Position] = set()
    ahead = step(memory)
    while ahead:
        if (one := ahead.pop()) not in found:
            found.add(one)
            ahead += step(one)
    return found
