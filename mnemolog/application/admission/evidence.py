"""Admission evidence: attention, identity and stored memories that content is scored against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from mnemolog.application.admission.known import StoredMemory, said_by, said_of, stored_as
from mnemolog.application.artifacts.named import paths_of
from mnemolog.application.commands.consulting import ComparedMemory as Compared, Consulted, Failure
from mnemolog.application.home.home import Home
from mnemolog.application.home.settings import Settings
from mnemolog.application.home.space import Author, Cut
from mnemolog.application.layers.identity import read_identity
from mnemolog.application.questions.buffer import Submission
from mnemolog.indexes.filters import STATUSES
from mnemolog.indexes.vectors import Allowed
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import LedgerError
from mnemolog.ledger.events import Scores
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.admission import (
    SAME,
    Activation,
    Placed,
    Said,
    Table,
    activation_of,
    logistic,
    novelty_of,
    partial_match,
    place,
    read_table,
    says_again,
    spreading,
)
from mnemolog.policies.contradictions.settlement import Party, statement
from mnemolog.policies.memories import NewMemory, remembered
from mnemolog.policies.retention.forgetting import Weight
from mnemolog.recall.search.attention import heaviest
from mnemolog.recall.search.checks import PLAIN_STATUSES
from mnemolog.recall.search.match import Vector

_HOUR_US = 3_600_000_000
_NEAREST = 8
_OUT = frozenset(STATUSES) - set(PLAIN_STATUSES)


class Applicant(msgspec.Struct, frozen=True):
    """Content submitted for admission: its future memory and its noise draw.

    `submission` is the given structure and content, `author` who submitted it, and `said_at`
    when it was said. `met` counts its occurrences by time. `of` is the event that holds it in
    the buffer, if it is there, and `before` its scores at that time.
    """

    item: NewMemory
    submission: Submission
    author: Author
    vector: Vector
    draw: float
    said_at: Micros
    met: Mapping[Micros, int]
    of: EventId | None = None
    before: Scores | None = None


class Focus(msgspec.Struct, frozen=True):
    """Focus of attention: its vectors, and its words if they are known."""

    vectors: tuple[Vector, ...] = ()
    words: frozenset[str] = frozenset()


class Verdict(NamedTuple):
    """Scores of content, its placement, and the memory that says the same, if any."""

    score: Activation
    placed: Placed
    nearest: MemoryId | None
    similarity: float | None
    duplicate: StoredMemory | None


class Entrance:
    """Admission state of a space as of a cut: scores content against stored memories.

    Memories that the same command stores are included.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - scope, cut and rules
        self,
        home: Home,
        space: str,
        cut: Cut,
        focus: Focus,
        settings: Settings,
        judges: Consulted | None,
    ) -> None:
        self._home = home
        self._cut = cut
        self._focus = focus
        self._judges = judges
        self._limit = settings.content_limit_bytes
        self._table: Table = read_table(settings.admission)
        self._noise = settings.admission_noise
        self._state = home.index(space).at(cut.position)
        self._size = self._state.columns.size(cut.position)
        out = self._state.columns.changed_to(cut.position, _OUT)
        # A memory that is not valid now answers no query, so it must not count as a duplicate.
        holding = self._state.columns.holding(cut.instant, self._size)
        self._allowed = Allowed(holding, out[out < self._size])
        self._sources = self._vectors_of_sources(settings)
        self._added: dict[MemoryId, tuple[StoredMemory, Vector]] = {}
        self._weights: dict[MemoryId, Weight] = {}
        self._gone: set[MemoryId] = set()

    def _vectors_of_sources(self, settings: Settings) -> list[Vector]:
        """Sources of spreading activation: attention, identity, heaviest memories."""
        found = [*self._focus.vectors]
        found += identity_vectors(self._home, settings)
        heavy = heaviest(self._state, self._size, self._cut.position, self._allowed)
        return [*found, *self._state.vectors.vectors[heavy]]

    def verdict(self, applicant: Applicant, *, anew: bool) -> Verdict:
        """Verdict on content as of the cut; `anew` is True if it corrects a memory."""
        near = self._near(applicant.vector)
        duplicate, anew = (None, True) if anew else self._duplicate(applicant, near)
        said = None if duplicate is None else duplicate.memory_id
        nearest = next((one for one in near if said in {None, one[0]}), (None, None))
        similarity = nearest[1]
        met = Counter(applicant.met)
        met.update([] if duplicate is None else [duplicate.recorded_at])
        spread, match = self._relevance(applicant)
        ages: Counter[float] = Counter()
        for at, often in met.items():
            ages[max(0, self._cut.instant - at) / _HOUR_US] += often
        score = activation_of(ages, spread, match, logistic(applicant.draw, self._noise))
        novelty = "new" if anew else novelty_of(similarity, duplicate=duplicate is not None)
        placed = place(self._table, score.spreading, novelty)
        return Verdict(score, placed, nearest[0], similarity, duplicate)

    def _relevance(self, applicant: Applicant) -> tuple[float | None, float]:
        """Spreading activation of content, and its partial match with the focus.

        Without a current focus, the scores from its buffering count.
        """
        sources = [float(source @ applicant.vector) for source in self._sources]
        before = applicant.before
        if not self._focus.vectors and before is not None:
            sources += [] if before.spreading is None else [before.spreading]
            return spreading(sources), before.partial_match
        held = frozenset(self._home.parts.analyzer.cue(applicant.item.content))
        return spreading(sources), partial_match(self._focus.words, held)

    def let_in(self, known: StoredMemory, vector: Vector) -> None:
        """Add a memory that the same command stores, for the content that follows."""
        self._added[known.memory_id] = (known, vector)

    def leave_out(self, memory_id: MemoryId) -> None:
        """Exclude a memory that the same command supersedes."""
        self._gone.add(memory_id)

    def weigh(self, memory_id: MemoryId, weight: Weight) -> None:
        """Record the weight that the same command gives a memory."""
        self._weights[memory_id] = weight

    def is_stored(self, memory_id: MemoryId) -> bool:
        """True if a memory existed before this command."""
        return memory_id not in self._added

    def _near(self, vector: Vector) -> list[tuple[MemoryId, float]]:
        """Nearest eligible memories with their cosines, the nearest first."""
        found = [(one, float(added @ vector)) for one, (_, added) in self._added.items()]
        if self._size:
            ordinals, cosines = self._state.vectors.nearest(
                vector, self._size, _NEAREST, self._allowed
            )
            order = np.lexsort((-ordinals, -cosines))[:_NEAREST]
            positions = self._state.columns.positions(ordinals[order]).tolist()
            events = {one.position: one for one in self._home.log.events_at(positions)}
            found += [
                (MemoryId(events[position].event_id), float(cosine))
                for position, cosine in zip(positions, cosines[order], strict=True)
                if position in events
            ]
        standing = [one for one in found if one[0] not in self._gone]
        return sorted(standing, key=lambda one: -one[1])

    def _duplicate(
        self, applicant: Applicant, near: Sequence[tuple[MemoryId, float]]
    ) -> tuple[StoredMemory | None, bool]:
        """Nearest memory that says the same, and True if one contradicts it."""
        for memory_id, cosine in near:
            if cosine < SAME:
                break
            known = self._known(memory_id)
            if known is None:
                continue
            if self._contradicts(applicant, known):
                return None, True
            if says_again(self._said(applicant), said_by(known)):
                return known, False
        return None, False

    def _said(self, applicant: Applicant) -> Said:
        """Statement of content, to compare with a memory."""
        return said_of(*applicant.submission, applicant.author.actor, applicant.said_at)

    def _known(self, memory_id: MemoryId) -> StoredMemory | None:
        if memory_id in self._added:
            known = self._added[memory_id][0]
        else:
            log = self._home.log
            (event,) = log.events_at([*log.positions_of([EventId(memory_id)]).values()])
            stored = stored_as(self._home, event, self._cut.position)
            if stored is None:
                return None
            known = stored
        return known._replace(weight=self._weights.get(memory_id, known.weight))

    def _contradicts(self, applicant: Applicant, known: StoredMemory) -> bool:
        if self._judges is None:
            return False
        new = statement(*remembered(applicant.item, self._limit), self._cut.instant)
        old = statement(known.structure, known.content, known.recorded_at)
        stored = self.is_stored(known.memory_id)
        said = self._judges.judged(
            # New content is not stored yet and has no id.
            Compared(Party(MemoryId(""), new), stored=False),
            Compared(Party(known.memory_id, old), stored=stored),
        )
        # A judge that fails gives no finding, and must not block admission.
        return said is not None and not isinstance(said, Failure)


def identity_vectors(home: Home, settings: Settings) -> list[Vector]:
    """Vector of the identity file, cached by the home; empty without a file."""
    text = _identity(settings)
    return [*home.parts.embedder.embed([text])] if text else []


def _identity(settings: Settings) -> str:
    """Text of the identity file; empty if there is none or it cannot be read."""
    try:
        found = [read_identity(path) for path in paths_of("identity", settings.identity)]
    except (LedgerError, OSError):
        # `ask` reports an unreadable file; admission works without it.
        return ""
    return "\n".join(passage.text for one in found for passage in one.passages)
