"""Admission to a space: decisions on content, scored by attention, identity and memories."""

import hmac
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from mnemolog.application.artifacts.named import paths_of
from mnemolog.application.commands.command import falls_before_use
from mnemolog.application.commands.command_history import command_events
from mnemolog.application.commands.consulting import ComparedMemory, Consulted, Failure, Verdict
from mnemolog.application.commands.receipts import draft
from mnemolog.application.home.home import Home
from mnemolog.application.home.settings import Settings
from mnemolog.application.home.space import Author, Cut, WritableSpace, believed, events_of, present
from mnemolog.application.layers import read_identity
from mnemolog.application.questions.browse import depth_weight_of, fading_of, settings_of
from mnemolog.application.questions.listings import Submission
from mnemolog.application.storing.contradiction_check import Check, Checking
from mnemolog.application.storing.remember import storing_checked
from mnemolog.application.storing.restatements import correction_of
from mnemolog.application.storing.store import Entered, with_first_statement
from mnemolog.indexes.filters import STATUSES
from mnemolog.indexes.vectors.vector_index import Allowed
from mnemolog.ledger import events
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.digests import as_draft
from mnemolog.ledger.errors import EventIdTaken, LedgerError
from mnemolog.ledger.events import Draft, Event, MemoryContent, Remembered, Scores
from mnemolog.ledger.ids import EventId, MemoryId, Position, new_event_ids, parse_id
from mnemolog.ledger.vocabulary import VOCABULARY, encode_payload
from mnemolog.policies import admission
from mnemolog.policies.admission import Said, is_restatement
from mnemolog.policies.contradictions.judge import Party, statement
from mnemolog.policies.memories import NewMemory, instant, remembered
from mnemolog.policies.retention import forgetting
from mnemolog.policies.retention.consolidation import MERGED
from mnemolog.policies.supersession import Decision
from mnemolog.projections.lifecycle import left_at
from mnemolog.recall.items import parts
from mnemolog.recall.search.checks import PLAIN_STATUSES
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.relevance import heaviest

_HOUR_US, _NEAREST = 3_600_000_000, 8
_DECISIONS = frozenset({"admitted", "reinforced", "buffered", "dropped"})
_OUT = frozenset(STATUSES) - set(PLAIN_STATUSES)


class Applicant(msgspec.Struct, frozen=True):
    """Content submitted for admission: its future memory and its noise draw in [0, 1).

    `submission` is the given structure and content, `author` who submitted it at `said_at`. `met`
    counts its occurrences by time. `of` is the event that buffered it, with the scores `before`.
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


class AdmissionRules(msgspec.Struct, frozen=True):
    """Admission rules; `for_good` bars buffering."""

    focus: Focus
    contradictions: Checking | None
    for_good: bool = False


class _StoredMemory(NamedTuple):
    memory_id: MemoryId
    structure: Remembered
    content: MemoryContent
    actor: str
    recorded_at: Micros
    weight: forgetting.Weight


class SpaceAdmission:
    """Admission decisions of one attempt of a command as of a cut, in order of submission.

    Memories that the same command stores are included. A stored memory has the actor of its
    content, a decision that of the command. `touched` are the memories that decisions depend on.
    """

    def __init__(
        self,
        space: WritableSpace,
        cut: Cut,
        rules: AdmissionRules,
        check: Check | None,
        consulted: Consulted,
    ) -> None:
        self._space, self._home, self._cut = space, space.home, cut
        self._rules, self._focus, self._settings = rules, rules.focus, settings_of(space, cut)
        self._check, self._consulted = check, consulted
        self._table = admission.read_table(self._settings.admission)
        self._state = self._home.index(space.name).at(cut.position)
        columns = self._state.columns
        self._size = columns.size(cut.position)
        out = columns.changed_to(cut.position, _OUT)
        # A memory that is not valid now answers no query, so it must not count as a duplicate.
        self._allowed = Allowed(columns.holding(cut.instant, self._size), out[out < self._size])
        heavy = heaviest(self._state, self._size, cut.position, self._allowed)
        # Sources of spreading activation: attention, identity, heaviest memories.
        self._sources = [*rules.focus.vectors, *identity_vectors(self._home, self._settings)]
        self._sources += [*self._state.vectors.of(heavy)]
        self._added: dict[MemoryId, tuple[_StoredMemory, Vector]] = {}
        self._weights: dict[MemoryId, forgetting.Weight] = {}
        self._fading: dict[MemoryId, forgetting.Fading] = {}
        self._gone: set[MemoryId] = set()
        self.touched: list[MemoryId] = []

    def units(self, applicants: Sequence[Applicant]) -> list[list[Draft]]:
        """Events for each applicant: of an earlier attempt with its id, or of a new decision."""
        if self._check is not None:
            self._check.begin(self._cut.position)
        if self._rules.for_good:
            # Buffered content met the limit at admission; a limit lowered since does not apply.
            longest = max(len(one.item.content.encode()) for one in applicants)
            most = max(longest, self._settings.content_limit_bytes)
            self._settings = replace(self._settings, content_limit_bytes=most)
        return [_met_before(self._space, one) or self._decided(one) for one in applicants]

    def _decided(self, one: Applicant) -> list[Draft]:
        near, by = self._near(one.vector), None
        if self._check is not None:
            by = correction_of(self._space, one.item, self._cut)
        duplicate, contradicted = self._duplicate(one, near) if by is None else (None, True)
        known = duplicate is not None
        among = (other for other in near if not duplicate or other[0] == duplicate.memory_id)
        nearest, similarity = next(among, (None, None))
        score = self._score(one, duplicate)
        novelty = "new" if contradicted else admission.novelty_of(similarity, duplicate=known)
        placed = admission.place(self._table, score.spreading, novelty)
        scores = admission.scores_of(score, placed, nearest, similarity)
        where = (
            admission.place_for_good(placed, score) if self._rules.for_good else placed.placement
        )
        if where == "reinforce" and duplicate is not None:
            return self._reinforced(one, duplicate, scores)
        if where == "persist":
            return self._persisted(one, by, scores)
        structure, content = one.submission
        if where == "buffer":
            return self._drafts(one, [Decision(events.Buffered(structure, scores), None, content)])
        dropped = events.Dropped(scores, _digest_of(self._home, one.submission), one.of)
        return self._drafts(one, [Decision(dropped, None)])

    def _score(self, one: Applicant, duplicate: _StoredMemory | None) -> admission.Activation:
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
            limits = self._size, _NEAREST, self._allowed
            ordinals, cosines = self._state.vectors.nearest(vector, *limits)
            order = np.lexsort((-ordinals, -cosines))[:_NEAREST]
            positions = self._state.columns.positions(ordinals[order]).tolist()
            stored = {one.position: one for one in self._home.log.events_at(positions)}
            found += [
                (MemoryId(stored[position].event_id), float(cosine))
                for position, cosine in zip(positions, cosines[order], strict=True)
                if position in stored
            ]
        return sorted((one for one in found if one[0] not in self._gone), key=lambda one: -one[1])

    def _duplicate(
        self, one: Applicant, near: Sequence[tuple[MemoryId, float]]
    ) -> tuple[_StoredMemory | None, bool]:
        """Nearest memory that says the same, and True if a near memory contradicts the content."""
        said = _said_of(*one.submission, one.author.actor, one.said_at)
        found = [self._known(memory_id) for memory_id, cosine in near if cosine >= admission.SAME]
        same = [known for known in found if known is not None]
        if self._check is not None:
            self._consulted.prepare(self._new(one), [*map(self._old, same)])
        for known in same:
            if self._contradicts(one, known):
                return None, True
            began = known.structure.valid_from
            at = known.recorded_at if began is None else min(known.recorded_at, Micros(began))
            if is_restatement(said, _said_of(known.structure, known.content, known.actor, at)):
                weight = self._weights.get(known.memory_id, known.weight)
                return known._replace(weight=weight), False
        return None, False

    def _known(self, memory_id: MemoryId) -> _StoredMemory | None:
        added, _ = self._added.get(memory_id, (None, None))
        return added or _stored_as(self._home, memory_id, self._cut.position)

    def _contradicts(self, one: Applicant, known: _StoredMemory) -> bool:
        if self._check is None:
            return False
        said = self._consulted.judged(self._new(one), self._old(known))
        # A judge that fails gives no finding, and must not block admission.
        return isinstance(said, Verdict) and said.likely is not None

    def _new(self, one: Applicant) -> ComparedMemory:
        limit = self._settings.content_limit_bytes
        # New content is not stored yet and has no id.
        new = Party(MemoryId(""), statement(*remembered(one.item, limit), self._cut.instant))
        return ComparedMemory(new, stored=False)

    def _old(self, known: _StoredMemory) -> ComparedMemory:
        old = Party(known.memory_id, statement(known.structure, known.content, known.recorded_at))
        return ComparedMemory(old, stored=known.memory_id not in self._added)

    def _persisted(self, one: Applicant, by: MemoryId | None, scores: Scores) -> list[Draft]:
        short, weight = self._consulted.summary(one.item.content), forgetting.ENTERED_WEIGHT
        whole = isinstance(short, Failure) or short.strip() == one.item.content.strip()
        entered = Entered(weight, None if isinstance(short, Failure) or whole else short)
        stored, decided_on = storing_checked(
            self._space, one.item, by, self._settings, self._check, self._cut, one.author, entered
        )
        command_actor = self._space.author.actor
        batch = [stored[0], *(replace(event, actor=command_actor) for event in stored[1:])]
        self.touched += decided_on
        memory_id = MemoryId(batch[0].event_id)
        admitted = Decision(events.Admitted(scores, one.of), memory_id)
        batch += self._drafts(one, [admitted], batch[0].event_id)
        structure, content = one.submission
        # Content was said when it was submitted, which may be earlier than now.
        structure = replace(structure, valid_from=instant("valid_from", one.item.valid_from))
        actor, now = one.author.actor, self._cut.instant
        known = _StoredMemory(memory_id, structure, content, actor, now, weight)
        self._added[memory_id] = known, one.vector
        # May include the content itself, if an earlier correction already supersedes it.
        superseded = [event.memory_id for event in batch if event.kind == "superseded"]
        self._gone.update(old for old in superseded if old is not None)
        return batch

    def _reinforced(self, one: Applicant, known: _StoredMemory, scores: Scores) -> list[Draft]:
        memory_id, weight = known.memory_id, known.weight
        if not known.structure.immutable:
            weight = forgetting.reinforced_weight(weight)
        self._weights[memory_id] = weight
        met = events.Met(_digest_of(self._home, one.submission))
        decisions = [Decision(events.Reinforced(weight, scores, one.of), memory_id, met)]
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
        recalled = forgetting.use_of(held[0], pace, present(self._home, self._cut), until)
        falls_before = partial(falls_before_use, self._home, self._consulted)
        decisions, after = forgetting.decide_use(recalled, held, pace, until, falls_before)
        self._fading.update((one.memory_id, one) for one in after)
        return decisions

    def _drafts(
        self, one: Applicant, decisions: Sequence[Decision], cause: EventId | None = None
    ) -> list[Draft]:
        """Drafts by the actor of the command, in the run of the content; the first has its id."""
        author = replace(one.author, actor=self._space.author.actor)
        ids = [*new_event_ids(len(decisions), self._cut.instant)]
        if one.item.id is not None and cause is None:
            ids[0] = EventId(parse_id("id", one.item.id))
        return [
            draft(decision, author, own_id, cause or (ids[0] if place else None))
            for place, (decision, own_id) in enumerate(zip(decisions, ids, strict=True))
        ]


def identity_vectors(home: Home, settings: Settings) -> list[Vector]:
    """Vector of the identity file, cached by the home; empty without a readable file."""
    try:
        found = [read_identity(path) for path in paths_of("identity", settings.identity)]
    except (LedgerError, OSError):
        # `ask` reports an unreadable file; admission works without it.
        return []
    text = "\n".join(passage.text for one in found for passage in one.passages)
    return [*home.parts.embedder.embed([text])] if text else []


def _stored_as(home: Home, memory_id: MemoryId, position: Position) -> _StoredMemory | None:
    """Stored memory with its weight as of a position; None if it is redacted."""
    (event,) = events_of(home, [memory_id])
    structure, content = parts(event)
    if content is None:
        return None
    weight = depth_weight_of(home, memory_id, position)
    # The speaker of a merged memory is that of its first part.
    told, first = event, VOCABULARY.structure(event)
    while isinstance(first, Remembered) and first.extraction_method == MERGED:
        if not (found := events_of(home, first.evidence[:1])):
            break
        told, first = found[0], VOCABULARY.structure(found[0])
    return _StoredMemory(memory_id, structure, content, told.actor, event.recorded_at, weight)


def _said_of(structure: Remembered, content: MemoryContent, actor: str, at: Micros) -> Said:
    # An agent may store anybody's words; without a source the speaker is unknown.
    by = structure.source or (actor if actor.startswith("user:") else None)
    kept = structure.category, structure.place, structure.constraint
    return Said(
        content.text, at, by, content.tags, *kept, structure.valid_from, structure.valid_until
    )


def _digest_of(home: Home, submission: Submission) -> str:
    """Digest that recognises the same submission and reveals nothing: HMAC-SHA-256, in hex."""
    said = b"\x00".join(map(encode_payload, submission))
    return hmac.digest(home.log.secret, b"submitted\x00" + said, sha256)[:16].hex()


def _met_before(space: WritableSpace, one: Applicant) -> list[Draft]:
    """Events of an earlier attempt with the same id. Raises `EventIdTaken` if it told otherwise."""
    if one.item.id is None:
        return []
    event_id = EventId(parse_id("id", one.item.id))
    for event in events_of(space.home, [event_id]):
        command = command_events(space.home.log, event)
        if (
            event.space != space.name
            or event.causation_id is not None
            or _DECISIONS.isdisjoint(each.kind for each in command)
            or not _is_same_submission(space.home, event, one.item, one.submission)
        ):
            raise EventIdTaken(event_id, event.position)
        return [as_draft(each) for each in command]
    return []


def _is_same_submission(home: Home, event: Event, item: NewMemory, submission: Submission) -> bool:
    """True if an event came from the same submission, as far as its remaining data shows."""
    structure, digest = VOCABULARY.structure(event), _digest_of(home, submission)
    if isinstance(structure, Remembered):
        first = with_first_statement(item, submission[0], structure)
        weighed = replace(first, depth_weight=structure.depth_weight)
        return weighed == structure and _has_content(event, submission[1])
    if not isinstance(structure, events.Buffered):
        return _has_digest(event, digest)
    if structure.memory != submission[0] or not event.erased:
        return structure.memory == submission[0] and _has_content(event, submission[1])
    # The content left the buffer and is erased there: compare with what became of it.
    left = home.views.read(lambda db: left_at(db, event.event_id))
    for decision in home.log.events_at([] if left is None else [left]):
        became = VOCABULARY.structure(decision)
        if isinstance(became, events.Admitted) and decision.memory_id is not None:
            memories = events_of(home, [decision.memory_id])
            return all(_has_content(one, submission[1]) for one in memories)
        if isinstance(became, events.Reinforced | events.Dropped):
            return _has_digest(decision, digest)
    # Redacted in the buffer or after it left: nothing remains to compare.
    return True


def _has_digest(decision: Event, digest: str) -> bool:
    """True if a decision has the digest; a redacted or undone one matches any digest."""
    decoded = VOCABULARY.decode(decision)
    if isinstance(decoded.structure, events.Dropped):
        return decoded.structure.digest in {None, digest}
    if isinstance(decoded.structure, events.Reinforced):
        return not isinstance(decoded.content, events.Met) or decoded.content.digest == digest
    return False


def _has_content(event: Event, submitted: MemoryContent) -> bool:
    """True if content was stored as submitted; redacted content matches any."""
    kept = VOCABULARY.decode(event).content
    return not isinstance(kept, MemoryContent) or kept == replace(submitted, summary=kept.summary)
