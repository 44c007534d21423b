"""Storing of one memory: its events, or those of an earlier try under the same id."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from mnemolog.application.commands.command import row_of, superseding
from mnemolog.application.commands.command_history import command_events
from mnemolog.application.commands.receipts import draft
from mnemolog.application.home.settings import Settings
from mnemolog.application.home.space import Author, Cut, Space, WritableSpace, events_of
from mnemolog.application.questions.browse import get_memory
from mnemolog.application.storing.contradiction_check import Check, Rest
from mnemolog.indexes.embedder import Embedder, enriched
from mnemolog.ledger.digests import as_draft
from mnemolog.ledger.errors import EmbedderUnavailable
from mnemolog.ledger.events import Draft, MemoryContent, Relearned, Remembered, Superseded
from mnemolog.ledger.ids import EventId, MemoryId, new_event_ids, parse_id
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.constraints import instructions, likeness, recognition
from mnemolog.policies.contradictions import judge
from mnemolog.policies.memories import NewMemory, remembered
from mnemolog.policies.retention.forgetting import Weight
from mnemolog.policies.supersession import Decision, Replacement, why
from mnemolog.projections.lifecycle import deleted_as, fingerprint, has_deletions
from mnemolog.recall.items import Item

_SAID_BEFORE = "it was said before what superseded the same"
_SENTENCES = 100  # as many of a long text are read


class Entered(msgspec.Struct, frozen=True):
    """Initial depth weight and summary of an admitted memory."""

    weight: Weight
    summary: str | None


class ToStore(msgspec.Struct, frozen=True):
    """Memory to store: it supersedes `olds`, `by` supersedes it.

    `rests` are superseded memories, each with a text with what of it still holds.
    """

    item: NewMemory
    olds: Sequence[MemoryId]
    settings: Settings
    author: Author
    overrides: frozenset[MemoryId] = frozenset()
    reason: str | None = None
    origin: str | None = None
    check: Check | None = None
    entered: Entered | None = None
    by: MemoryId | None = None
    rests: Sequence[Rest] = ()


def storing_events(space: WritableSpace, new: ToStore, cut: Cut) -> list[Draft]:
    """Events that store a memory."""
    item, by = new.item, new.by
    (fresh,) = new_event_ids(1, cut.instant)
    event_id = fresh if item.id is None else EventId(parse_id("id", item.id))
    structure, content = remembered(item, new.settings.content_limit_bytes)
    structure = replace(structure, origin=new.origin)
    if new.entered is not None:
        structure = replace(structure, depth_weight=new.entered.weight)
        content = replace(content, summary=new.entered.summary)
    if item.id is not None and (again := _stored_before(space, event_id, item, structure, content)):
        return again
    recogniser = Recogniser(structure, content, space.home.parts.embedder)
    if new.settings.recognise_constraints:
        structure = _with_recognised(structure, recogniser)
    reads_lasting = new.settings.recognise_lasting and item.lasting is None
    if reads_lasting:
        structure = replace(structure, lasting=recogniser.lasts(structure.constraint))
    memory_id = MemoryId(event_id)
    found: list[Decision] = []
    rests: Sequence[Rest] = new.rests
    replaced = [*new.olds]
    if new.check is not None:
        said = judge.statement(structure, content, cut.instant)
        party = judge.party(memory_id, said, structure)
        payload = (structure, content)
        found, superseded, rests = new.check.outcomes(party, payload, by, new.olds)
        structure = replace(structure, judged=new.check.judged(memory_id))
        replaced += superseded
    if replaced and structure.valid_from is None:
        # The replaced memory was valid until now, so the new one is valid from now on.
        structure = replace(structure, valid_from=cut.instant)
    if reads_lasting and not structure.lasting:
        olds = VOCABULARY.structures(events_of(space.home, replaced))
        lasting = any(isinstance(old, Remembered) and old.lasting for old in olds)
        structure = replace(structure, lasting=lasting)
    replacement = Replacement(memory_id, structure.valid_from)
    decisions = superseding(space, new.olds, replacement, new.overrides, new.reason, cut)
    decisions += found
    if by is not None:
        until = row_of(space, by, cut).valid_from
        decisions.append(Decision(Superseded(by, valid_until=until), memory_id, why(_SAID_BEFORE)))
    decisions += _relearning(space, memory_id, content.text, cut)
    ids = new_event_ids(len(decisions), cut.instant)
    stored = draft(Decision(structure, memory_id, content), new.author, event_id, None)
    effects = zip(decisions, ids, strict=True)
    batch = [stored, *(draft(one, new.author, own_id, event_id) for one, own_id in effects)]
    for old, text in rests:
        kept = memory_of_rest(space.at(cut), old, text)
        storing = ToStore(kept, [old], new.settings, new.author, new.overrides, new.reason)
        rest = storing_events(space, storing, cut)
        batch += [replace(one, causation_id=event_id) for one in rest]
    return batch


def _relearning(space: Space, memory_id: MemoryId, text: str, cut: Cut) -> list[Decision]:
    """Event for a memory that restates one that faded and was deleted; none if there is none."""
    views = space.home.views
    # Asked first, as few spaces have any: a long text takes time to hash.
    if not views.read(lambda db: has_deletions(db, space.name)):
        return []
    kept = fingerprint(space.home.log.secret, text)
    of = views.read(lambda db: deleted_as(db, space.name, kept, cut.position))
    return [] if of is None else [Decision(Relearned(of), memory_id)]


def _stored_before(
    space: WritableSpace,
    event_id: EventId,
    item: NewMemory,
    structure: Remembered,
    content: MemoryContent,
) -> list[Draft]:
    """Events of an earlier try under this id, to compare with; empty if there was none."""
    for event in events_of(space.home, [MemoryId(event_id)]):
        if isinstance(stored := VOCABULARY.structure(event), Remembered):
            structure = with_first_statement(item, structure, stored)
        decision = Decision(structure, MemoryId(event_id), content)
        first = draft(decision, space.author, event_id, None)
        return [first, *map(as_draft, command_events(space.home.log, event)[1:])]
    return []


def with_first_statement(item: NewMemory, structure: Remembered, stored: Remembered) -> Remembered:
    """Structure of a retry, with the values that the first try found and the caller left out."""
    # If the caller gave no start, the first try set one: it is not part of the retry.
    began = stored.valid_from if structure.valid_from is None else structure.valid_from
    # The same for what the first try recognised, or did not: settings may have changed.
    given = stored.constraint if item.constraint is None else item.constraint
    lasting = stored.lasting if item.lasting is None else structure.lasting
    found: dict[str, object] = {
        "valid_from": began,
        "constraint": given,
        "lasting": lasting,
        "judged": stored.judged,
    }
    if "instructs" in stored.marks:
        found["marks"] = stored.marks
    if "corrects_error" in stored.marks:
        # The first try recognised it as a correction of what it superseded.
        found |= {"marks": stored.marks, "category": stored.category}
    return replace(structure, **found)


def filed_as(original: Item, text: str) -> NewMemory:
    """Memory with another text, filed as the original is."""
    return NewMemory(
        text,
        kind=original.kind,
        category=original.category,
        place=original.place,
        tags=original.tags,
        importance=original.importance,
        volatility=original.volatility,
    )


def memory_of_rest(space: Space, original: MemoryId, text: str) -> NewMemory:
    """Memory that keeps the rest of another, its constraint recognised anew."""
    said = get_memory(space, original)
    return replace(
        filed_as(said, text),
        aliases=said.aliases,
        category=None if said.category == "error_correction" else said.category,
        source=said.source,
        extraction_method=said.extraction_method,
        snippet=said.content,
        marks=tuple(mark for mark in said.marks if mark != "corrects_error"),
    )


def _with_recognised(structure: Remembered, recogniser: "Recogniser") -> Remembered:
    """Structure with the class of its constraint, and marked if it instructs the agent."""
    if structure.constraint is None:
        structure = replace(structure, constraint=recogniser.constraint())
    # An instruction is shown with every prompt: a web page must not get there by itself.
    trusted = structure.source_type in {"user_stated", "inferred"}
    if trusted and "instructs" not in structure.marks and recogniser.instructs:
        structure = replace(structure, marks=(*structure.marks, "instructs"))
    return structure


class Recogniser:
    """Recogniser of constraints, instructions and lasting facts; embeds no sentence twice."""

    def __init__(self, structure: Remembered, content: MemoryContent, embedder: Embedder) -> None:
        self._category = structure.category
        self._text = content.text
        self._embedder = embedder
        is_short = len(content.text) <= recognition.LONGEST
        self._reads_vectors = is_short and embedder.name == likeness.FITTED_TO
        self._sentences = recognition.clause_texts(content.text)[:_SENTENCES]
        # A single sentence shares the vector under which the memory will be indexed.
        self._whole = enriched(content.text, structure.place, structure.category)
        self._vectors: dict[str, npt.NDArray[np.float32] | None] = {}

    def constraint(self) -> str | None:
        """Class of the constraint that the text states; None if it states none.

        Uses rules alone for any embedder but the built-in one, for an overlong text, or if
        the embedder is unavailable. Embeds a sentence only if its words do not decide.
        """
        if not self._reads_vectors:
            return recognition.constraint_class(self._text)
        return recognition.gravest(map(self._class_of, self._sentences))

    def lasts(self, constraint: str | None) -> bool:
        """True if the memory is a lasting fact; uses vectors under the same conditions."""
        return (
            self._category in likeness.LASTING_CATEGORIES
            or constraint in likeness.LASTING_CONSTRAINTS
            or any(map(self._lasts, self._sentences))
            or self.instructs
        )

    @cached_property
    def instructs(self) -> bool:
        """True if the text is a standing instruction; uses vectors under the same conditions."""
        return any(map(self._instructs, self._sentences))

    def _instructs(self, sentence: str) -> bool:
        if sentence.endswith("?") or not instructions.may_instruct(sentence):
            return False
        vector = self._vector(sentence) if self._reads_vectors else None
        if vector is None:
            return instructions.instructs_by_words(sentence)
        return instructions.instructs(sentence, vector)

    def _lasts(self, sentence: str) -> bool:
        if self._reads_vectors and not likeness.may_last(sentence):
            return False
        vector = self._vector(sentence) if self._reads_vectors else None
        if vector is None:
            return likeness.lasts_by_words(sentence)
        return likeness.lasts(sentence, vector)

    def _class_of(self, sentence: str) -> str | None:
        ruled, weights = recognition.constraint_class(sentence), likeness.fitted_weights()
        if ruled is None and (
            sentence.endswith("?")
            or not likeness.may_limit(sentence, weights)
            or recognition.denies_danger(sentence)
        ):
            return None
        vector = self._vector(sentence)
        return ruled if vector is None else likeness.likely_class(sentence, vector, ruled, weights)

    def _vector(self, sentence: str) -> npt.NDArray[np.float32] | None:
        """Vector of a sentence; None if the embedder is unavailable."""
        if sentence not in self._vectors:
            alone = len(self._sentences) == 1
            self._vectors[sentence] = None
            # The memory is stored without it; the next question reports the problem.
            with suppress(EmbedderUnavailable):
                text = self._whole if alone else sentence
                self._vectors[sentence] = self._embedder.embed([text])[0]
        return self._vectors[sentence]
