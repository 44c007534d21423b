"""Admission to a space: decisions on content, scored by attention, identity and memories."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec
import numpy as np

from mnemolog.application.admission.known import (
    StoredMemory,
    digest_of,
    met_before,
    said_by,
    said_of,
    stored_as,
)
from mnemolog.application.artifacts.named import paths_of
from mnemolog.application.commands.command import falls_before_use
from mnemolog.application.commands.consulting import ComparedMemory as Compared, Consulted, Failure
from mnemolog.application.commands.receipts import draft
from mnemolog.application.home.home import Home
from mnemolog.application.home.settings import Settings
from mnemolog.application.home.space import Author, Cut, WritableSpace, believed, present
from mnemolog.application.layers.ask import read_identity
from mnemolog.application.questions.browse import settings_of
from mnemolog.application.questions.listings import Submission
from mnemolog.application.questions.strength_curve import fading_of
from mnemolog.application.storing.contradiction_check import Check, Checking, Heard
from mnemolog.application.storing.remember import storing_heard
from mnemolog.application.storing.store import Entered
from mnemolog.indexes.filters import STATUSES
from mnemolog.indexes.vectors import Allowed
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import LedgerError
from mnemolog.ledger.events import Admitted, Buffered, Draft, Dropped, Met, Reinforced, Scores
from mnemolog.ledger.ids import EventId, MemoryId, new_event_ids, parse_id
from mnemolog.policies import admission
from mnemolog.policies.admission import SAME, Activation, says_again
from mnemolog.policies.contradictions.settlement import Party, statement
from mnemolog.policies.memories import NewMemory, instant, remembered
from mnemolog.policies.retention.forgetting import (
    ENTERED_WEIGHT,
    Fading,
    Weight,
    decide_use,
    reinforced_weight,
    use_of,
)
from mnemolog.policies.supersession import Decision
from mnemolog.recall.search.checks import PLAIN_STATUSES
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.relevance import heaviest

_HOUR_US = 3_600_000_000
_NEAREST = 8
_OUT = frozenset(STATUSES) - set(PLAIN_STATUSES)


class Applicant(msgspec.Struct, frozen=True):
    """Content submitted for admission: its future memory and its noise draw in [0, 1).

    `submission` is the given structure and content, `author` who submitted it, `said_at` when it
    was said. `met` counts its occurrences by time. If it was buffered, `of` is the event that
    buffered it, and `before` are its scores at that time.
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


Hear = Callable[[NewMemory, Cut], Heard]


class Ways(msgspec.Struct, frozen=True):
    """Admission parameters; `hear` finds effects on other memories, `for_good` bars buffering."""

    focus: Focus
    contradictions: Checking | None
    hear: Hear
    for_good: bool = False


class Entrance:
    """Admission decisions of one attempt of a command as of a cut, in order of submission.

    Memories that the same command stores are included. A stored memory has the actor of its
    content; the decisions have that of the command. `touched` are the earlier memories that the
    decisions depend on.
    """

    def __init__(
        self, space: WritableSpace, cut: Cut, ways: Ways, check: Check | None, consulted: Consulted
    ) -> None:
        self._space, self._home, self._cut = space, space.home, cut
        self._ways, self._focus, self._settings = ways, ways.focus, settings_of(space, cut)
        self._check, self._consulted = check, consulted
        self._table = admission.read_table(self._settings.admission)
        self._state = self._home.index(space.name).at(cut.position)
        columns = self._state.columns
        self._size = columns.size(cut.position)
        out = columns.changed_to(cut.position, _OUT)
        # A memory that is not valid now answers no query, so it must not count as a duplicate.
        holding = columns.holding(cut.instant, self._size)
        self._allowed = Allowed(holding, out[out < self._size])
        heavy = heaviest(self._state, self._size, cut.position, self._allowed)
        # Sources of spreading activation: attention, identity, heaviest memories.
        self._sources = [*ways.focus.vectors, *identity_vectors(self._home, self._settings)]
        self._sources += [*self._state.vectors.vectors[heavy]]
        self._added: dict[MemoryId, tuple[StoredMemory, Vector]] = {}
        self._weights: dict[MemoryId, Weight] = {}
        self._fading: dict[MemoryId, Fading] = {}
        self._gone: set[MemoryId] = set()
        self.touched: list[MemoryId] = []

    def units(self, applicants: Sequence[Applicant]) -> list[list[Draft]]:
        """Events for each applicant: of an earlier attempt with its id, or of a new decision."""
        if self._check is not None:
            self._check.begin(self._cut.position)
        if self._ways.for_good:
            # Buffered content met the limit at admission; a limit lowered since does not apply.
            longest = max(len(one.item.content.encode()) for one in applicants)
            most = max(longest, self._settings.content_limit_bytes)
            self._settings = msgspec.structs.replace(self._settings, content_limit_bytes=most)
        name = self._space.name
        return [
            met_before(self._home, name, one.item, one.submission) or self._decided(one)
            for one in applicants
        ]

    def _decided(self, one: Applicant) -> list[Draft]:
        """Events of the decision to persist, reinforce, buffer or drop content."""
        heard = Heard(one.item)
        if self._check is not None:
            heard = self._ways.hear(one.item, self._cut)
        near = self._near(one.vector)
        duplicate, contradicted = (None, True) if heard.touched else self._duplicate(one, near)
        duplicate_id = None if duplicate is None else duplicate.memory_id
        nearest, similarity = next(
            (other for other in near if duplicate_id in {None, other[0]}), (None, None)
        )
        score = self._score(one, duplicate)
        known = duplicate is not None
        novelty = "new" if contradicted else admission.novelty_of(similarity, duplicate=known)
        placed = admission.place(self._table, score.spreading, novelty)
        scores = admission.scores_of(score, placed, nearest, similarity)
        where = admission.place_for_good(placed, score) if self._ways.for_good else placed.placement
        if where == "reinforce" and duplicate is not None:
            return self._reinforced(one, duplicate, scores)
        if where == "persist":
            return self._persisted(one, heard, scores)
        structure, content = one.submission
        if where == "buffer":
            return self._drafts(one, [Decision(Buffered(structure, scores), None, content)])
        return self._drafts(one, [Decision(Dropped(scores, self._digest(one), one.of), None)])

    def _score(self, one: Applicant, duplicate: StoredMemory | None) -> Activation:
        """Activation of content; without a current focus, its scores when buffered are used."""
        met = Counter(one.met)
        met.update([] if duplicate is None else [duplicate.recorded_at])
        ages: Counter[float] = Counter()
        for at, often in met.items():
            ages[max(0, self._cut.instant - at) / _HOUR_US] += often
        sources = [float(source @ one.vector) for source in self._sources]
        if not self._focus.vectors and one.before is not None:
            sources += [] if one.before.spreading is None else [one.before.spreading]
            match = one.before.partial_match
        else:
            content_words = frozenset(self._home.parts.analyzer.cue(one.item.content))
            match = admission.partial_match(self._focus.words, content_words)
        noise = admission.logistic(one.draw, self._settings.admission_noise)
        return admission.activation_of(ages, admission.spreading(sources), match, noise)

    def _near(self, vector: Vector) -> list[tuple[MemoryId, float]]:
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
        remaining = [one for one in found if one[0] not in self._gone]
        return sorted(remaining, key=lambda one: -one[1])

    def _duplicate(
        self, one: Applicant, near: Sequence[tuple[MemoryId, float]]
    ) -> tuple[StoredMemory | None, bool]:
        """Nearest memory that says the same, and True if a near memory contradicts the content."""
        said = said_of(*one.submission, one.author.actor, one.said_at)
        for memory_id, cosine in near:
            if cosine < SAME:
                break
            known = self._known(memory_id)
            if known is None:
                continue
            if self._contradicts(one, known):
                return None, True
            if says_again(said, said_by(known)):
                return known, False
        return None, False

    def _known(self, memory_id: MemoryId) -> StoredMemory | None:
        if memory_id in self._added:
            known: StoredMemory | None = self._added[memory_id][0]
        else:
            known = stored_as(self._home, memory_id, self._cut.position)
        return known and known._replace(weight=self._weights.get(memory_id, known.weight))

    def _contradicts(self, one: Applicant, known: StoredMemory) -> bool:
        if self._check is None:
            return False
        limit = self._settings.content_limit_bytes
        new = statement(*remembered(one.item, limit), self._cut.instant)
        old = statement(known.structure, known.content, known.recorded_at)
        stored = known.memory_id not in self._added
        said = self._consulted.judged(
            # New content is not stored yet and has no id.
            Compared(Party(MemoryId(""), new), stored=False),
            Compared(Party(known.memory_id, old), stored=stored),
        )
        # A judge that fails gives no finding, and must not block admission.
        return said is not None and not isinstance(said, Failure)

    def _persisted(self, one: Applicant, heard: Heard, scores: Scores) -> list[Draft]:
        short = self._consulted.summary(one.item.content)
        whole = isinstance(short, Failure) or short.strip() == one.item.content.strip()
        entered = Entered(ENTERED_WEIGHT, None if isinstance(short, Failure) or whole else short)
        stored, decided_on = storing_heard(
            self._space, heard, self._settings, self._check, self._cut, one.author, entered
        )
        command_actor = self._space.author.actor
        batch = [stored[0]]
        batch += [msgspec.structs.replace(event, actor=command_actor) for event in stored[1:]]
        self.touched += decided_on
        memory_id = MemoryId(batch[0].event_id)
        (own_id,) = new_event_ids(1, self._cut.instant)
        admitted = Decision(Admitted(scores, one.of), memory_id)
        batch.append(draft(admitted, self._decider(one), own_id, batch[0].event_id))
        structure, content = one.submission
        # Content was said when it was submitted, which may be earlier than now.
        began = instant("valid_from", one.item.valid_from)
        structure = msgspec.structs.replace(structure, valid_from=began)
        actor, now = one.author.actor, self._cut.instant
        known = StoredMemory(memory_id, structure, content, actor, now, ENTERED_WEIGHT)
        self._added[memory_id] = known, one.vector
        # May include the content itself, if an earlier correction already supersedes it.
        superseded = [event.memory_id for event in batch if event.kind == "superseded"]
        self._gone.update(old for old in superseded if old is not None)
        return batch

    def _reinforced(self, one: Applicant, known: StoredMemory, scores: Scores) -> list[Draft]:
        memory_id = known.memory_id
        weight = known.weight if known.structure.immutable else reinforced_weight(known.weight)
        self._weights[memory_id] = weight
        reinforced = Reinforced(weight, scores, one.of)
        decisions = [Decision(reinforced, memory_id, Met(self._digest(one)))]
        if memory_id not in self._added:
            self.touched.append(memory_id)
            decisions += self._met_again(memory_id, one.author.space)
        return self._drafts(one, decisions)

    def _met_again(self, memory_id: MemoryId, space: str) -> list[Decision]:
        fading, pace = fading_of(self._home, space, [memory_id], self._cut.position)
        held = [self._fading.get(one.memory_id, one) for one in fading]
        if not held:
            return []
        until = believed(self._home, space, self._cut)
        recalled = use_of(held[0], pace, present(self._home, self._cut), until)
        falls_before = partial(falls_before_use, self._home, self._consulted)
        decisions, after = decide_use(recalled, held, pace, until, falls_before)
        self._fading.update((one.memory_id, one) for one in after)
        return decisions

    def _drafts(self, one: Applicant, decisions: Sequence[Decision]) -> list[Draft]:
        ids = [*new_event_ids(len(decisions), self._cut.instant)]
        if one.item.id is not None:
            ids[0] = EventId(parse_id("id", one.item.id))
        return [
            draft(decision, self._decider(one), own_id, ids[0] if place else None)
            for place, (decision, own_id) in enumerate(zip(decisions, ids, strict=True))
        ]

    def _decider(self, one: Applicant) -> Author:
        """Author of a decision: the actor of the command, in the run of the content."""
        return msgspec.structs.replace(one.author, actor=self._space.author.actor)

    def _digest(self, one: Applicant) -> str:
        return digest_of(self._home.log.secret, one.submission)


def identity_vectors(home: Home, settings: Settings) -> list[Vector]:
    """Vector of the identity file, cached by the home; empty without a readable file."""
    try:
        found = [read_identity(path) for path in paths_of("identity", settings.identity)]
    except (LedgerError, OSError):
        # `ask` reports an unreadable file; admission works without it.
        return []
    text = "\n".join(passage.text for one in found for passage in one.passages)
    return [*home.parts.embedder.embed([text])] if text else []
