"""Context for a prompt: memories and the caller's own texts, within a token budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.application.home.elapsed import present
from mnemolog.application.home.space import Cut, Space
from mnemolog.application.questions.browse import settings_of
from mnemolog.application.questions.recall import embedded, recall
from mnemolog.application.questions.turns import checked_turns
from mnemolog.application.questions.weighing import depth_weight_of
from mnemolog.indexes.tokens import TokenCounter
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import InvalidField, InvalidNumber
from mnemolog.policies.memories import checked_space, checked_text, checked_texts
from mnemolog.policies.retention.forgetting import observed
from mnemolog.projections.memory_queries import MemoryRow, rows_as_of
from mnemolog.projections.pins import pins_as_of
from mnemolog.recall.answers.answers import NOTHING, AsOf, Hit
from mnemolog.recall.answers.items import Item, read_items
from mnemolog.recall.context.choosing import alike
from mnemolog.recall.context.compaction import Turn
from mnemolog.recall.context.context import (
    BUDGET,
    HITS_A_STEP,
    STEPS,
    Candidate,
    Context,
    Exploration,
    SectionName,
    checked_budget,
)
from mnemolog.recall.context.filling import Filling, counting, most_relevant
from mnemolog.recall.search.checks import (
    LIMIT,
    PLAIN_STATUSES,
    checked_cue,
    checked_limit,
    checked_seed,
)

_HITS = 50
_PREFERENCES = 20
_PROCEDURES = 10
_LONGEST_OWN = 1_000_000
"""Maximum characters of `instructions` and of `task`; each word is read whatever the budget."""
_RULES: tuple[SectionName, ...] = ("instructions", "preferences", "task", "memories")

Found = dict[SectionName, list[Candidate]]


def assemble_context(  # noqa: PLR0913 - what a prompt goes with, all optional and by name
    space: Space,
    prompt: str,
    *,
    budget: int = BUDGET,
    conversation: Sequence[Turn | Mapping[str, str]] = (),
    instructions: str | Sequence[str] = (),
    task: str | Sequence[str] = (),
    spaces: Sequence[str] = (),
    counter: TokenCounter | None = None,
    exploration: int | None = None,
) -> Context:
    """Context to put in front of a prompt, in at most `budget` tokens (1 to 10,000,000).

    Sections are filled in order: instructions 15 %, preferences 10 %, task 25 %,
    memories 35 %, conversation 15 %; later sections may use what earlier ones leave.
    `instructions` and `task` are the caller's own texts. Constraints and immutable
    memories are part of the instructions, procedures part of the task. Pinned memories
    come first. Texts are cut only between sentences. `left_out` lists what did not fit,
    with reasons; `message` says if no memory is relevant to the prompt. The weight of a
    memory is the centre of its depth weight; with `exploration`, a sample drawn with this
    seed. Writes nothing. Raises `InvalidField` or a subclass of it.
    """
    asked, most = checked_cue(prompt, "prompt"), checked_budget(budget)
    turns = checked_turns(conversation)
    own: dict[SectionName, tuple[str, ...]] = {
        "instructions": _own("instructions", instructions),
        "task": _own("task", task),
    }
    names = tuple(checked_space(name) for name in checked_texts("spaces", spaces))
    names = tuple(dict.fromkeys(names)) or (space.name,)
    seed = None if exploration is None else checked_seed(exploration)
    cut = space.cut()
    at = _Gathered(space, cut, seed)
    counts = counter or space.home.counter
    found = at.found(asked, names)
    terms = space.home.parts.analyzer.cue
    best = most_relevant(one for each in found.values() for one in each)
    filling = Filling(asked, most, counting(counts), terms, best)
    for name in _RULES:
        candidates = [*map(Candidate, own.get(name, ())), *found[name]]
        filling.fill(name, candidates, alike(candidates, at.vectors(candidates), terms))
    filling.talk(turns)
    filled = filling.filled()
    ids = tuple(
        part.memory_id
        for section in filled.sections
        for part in section.parts
        if part.memory_id is not None
    )
    return Context(
        prompt=asked,
        text=filled.text,
        tokens=filled.tokens,
        budget=most,
        counter=counts.name,
        sections=filled.sections,
        left_out=filled.left_out,
        memory_ids=ids,
        as_of=AsOf(cut.position, to_datetime(cut.instant)),
        spaces=names,
        shown=ids,
        message=None if any(map(_bears, chain(*found.values()))) else NOTHING,
        exploration=seed,
    )


def explore(space: Space, context: Context, cue: str, *, limit: int = HITS_A_STEP) -> Exploration:
    """Exploration step from a context: at most `limit` memories on a cue, not shown before.

    A context allows three steps; take the next one from the context that this one returns.
    Writes nothing. Raises `InvalidNumber` if no step is left.
    """
    if not isinstance(context, Context):
        raise InvalidField("context", "is no `Context`", "give one that `context` gave")
    if context.steps_left < 1:
        raise InvalidNumber(
            "context", f"has had its {STEPS} steps", "assemble a new one for the next question"
        )
    wanted = checked_limit(limit)
    shown = frozenset(context.shown)
    deep = min(LIMIT, wanted + len(shown))
    found = recall(space, checked_cue(cue), limit=deep, spaces=context.spaces)
    hits = tuple(hit for hit in found.hits if hit.memory_id not in shown)[:wanted]
    further = msgspec.structs.replace(
        context,
        shown=(*context.shown, *(hit.memory_id for hit in hits)),
        steps_left=context.steps_left - 1,
    )
    return Exploration(hits, further, None if hits else NOTHING)


class _Gathered:
    """Candidates for one context, read as of one moment."""

    def __init__(self, space: Space, cut: Cut, seed: int | None) -> None:
        self._space = space.at(cut)
        self._cut = cut
        self._seed = seed

    def found(self, prompt: str, spaces: Sequence[str]) -> Found:
        """Candidate memories by section, pinned ones first."""
        candidates: Found = {name: [] for name in _RULES}
        seen: set[str] = set()

        def put(name: SectionName, candidate: Candidate) -> None:
            if candidate.memory_id not in seen:
                seen.add(str(candidate.memory_id))
                candidates[name].append(candidate)

        vector = self._vector(prompt, spaces)
        everything = recall(self._space, prompt, limit=_HITS, spaces=spaces, vector=vector)
        liked = recall(
            self._space,
            prompt,
            limit=_PREFERENCES,
            spaces=spaces,
            kinds=("preference",),
            vector=vector,
        )
        known = recall(
            self._space,
            prompt,
            limit=_PROCEDURES,
            spaces=spaces,
            kinds=("procedural",),
            vector=vector,
        )
        hits = (*everything.hits, *liked.hits, *known.hits)
        relevances = {hit.memory_id: hit.relevance for hit in (*everything.constraints, *hits)}
        for item in self._pinned_items(spaces):
            relevance = relevances.get(item.memory_id, 0.0)
            put(_section(item), _candidate(item, relevance, self._weight(item), pinned=True))
        for hit in everything.constraints:
            candidate = _candidate(hit, hit.relevance, self._weight(hit))
            put("instructions", msgspec.structs.replace(candidate, binding=True))
        rules = self._rules(hits)
        for hit in hits:
            name = "instructions" if hit.memory_id in rules else _section(hit)
            put(name, _candidate(hit, hit.relevance, self._weight(hit)))
        return candidates

    def vectors(self, candidates: Sequence[Candidate]) -> npt.NDArray[np.float32]:
        """Unit vector of each candidate; zeros for the caller's own texts."""
        found = np.zeros((len(candidates), self._space.home.embedder.dimensions), np.float32)
        for row, candidate in enumerate(candidates):
            if candidate.memory_id is not None:
                state = self._space.home.index(candidate.space).at(self._cut.position)
                found[row] = state.vectors.vectors[state.columns.ordinal(candidate.position)]
        return found

    def _vector(self, prompt: str, spaces: Sequence[str]) -> npt.NDArray[np.float32] | None:
        """Vector of the prompt, embedded once for all recalls; None if no recall needs it."""
        sizes = [
            self._space.home.index(name).at(self._cut.position).columns.size(self._cut.position)
            for name in spaces
        ]
        keyword = settings_of(self._space, self._cut).strategy == "keyword"
        return None if keyword or not any(sizes) else embedded(self._space, prompt)

    def _weight(self, memory: Hit | Item) -> float:
        """Centre of a memory's depth weight; with a seed, a sample drawn from it."""
        if self._seed is not None:
            weight = depth_weight_of(self._space.home, memory.memory_id, self._cut.position)
            return observed(weight, self._seed, memory.memory_id)
        state = self._space.home.index(memory.space).at(self._cut.position)
        ordinals = np.array([state.columns.ordinal(memory.position)])
        return float(state.weights.of(ordinals, state.columns, self._cut.position)[0])

    def _rules(self, hits: Iterable[Hit]) -> frozenset[str]:
        """Ids of the memories that are immutable or constraints."""
        ids = [hit.memory_id for hit in hits]
        rows = self._space.home.views.read(lambda db: rows_as_of(db, ids, self._cut.position))
        return frozenset(one for one, row in rows.items() if _is_rule(row))

    def _pinned_items(self, spaces: Sequence[str]) -> list[Item]:
        """Pinned memories that may be part of an answer, newest first."""
        found: list[Item] = []
        for name in spaces:
            found += self._pinned_of(name)
        return sorted(found, key=lambda item: -item.position)

    def _pinned_of(self, space: str) -> tuple[Item, ...]:
        position, now = self._cut

        pins = self._space.home.views.read(lambda db: pins_as_of(db, space, position))
        aged = present(self._space.home, self._cut)
        alive = [one for one, expires in pins.items() if expires is None or expires > aged]
        rows = self._space.home.views.read(lambda db: rows_as_of(db, alive, position))
        standing = [
            row
            for row in rows.values()
            if row.status in PLAIN_STATUSES
            and (row.valid_from is None or row.valid_from <= now)
            and (row.valid_until is None or row.valid_until > now)
        ]
        items = read_items(
            standing, space, position, aged, (self._space.home.log, self._space.home.views)
        )
        return tuple(item for item in items if item.content is not None)


def _bears(candidate: Candidate) -> bool:
    """True if a memory is relevant to the prompt, not just pinned."""
    return candidate.binding or candidate.relevance > 0


def _is_rule(row: MemoryRow) -> bool:
    return row.immutable or row.constraint_class is not None


def _section(memory: Hit | Item) -> SectionName:
    if isinstance(memory, Item) and (memory.immutable or memory.constraint is not None):
        return "instructions"
    by_kind: dict[str, SectionName] = {"preference": "preferences", "procedural": "task"}
    return by_kind.get(memory.kind, "memories")


def _candidate(
    memory: Hit | Item, relevance: float, weight: float, *, pinned: bool = False
) -> Candidate:
    return Candidate(
        text=memory.content or "",
        memory_id=memory.memory_id,
        space=memory.space,
        position=memory.position,
        relevance=relevance,
        weight=weight,
        pinned=pinned,
        note=_note(memory),
    )


def _note(memory: Hit | Item) -> str | None:
    """Note on a memory that a reader of the context needs; None if there is none."""
    if isinstance(memory, Hit) and memory.note is not None:
        return memory.note
    return None if memory.status == "active" else memory.status


def _own(field: str, given: str | Sequence[str]) -> tuple[str, ...]:
    """Caller's own texts without blank ones. Raises `InvalidField` if they are too long."""
    if isinstance(given, str):
        checked_text(field, given)
        texts: tuple[str, ...] = (given,)
    else:
        texts = checked_texts(field, given)
    size = sum(map(len, texts))
    if size > _LONGEST_OWN:
        raise InvalidField(
            field, f"has {size:,} characters of {_LONGEST_OWN:,} allowed", "give the essence of it"
        )
    return tuple(text.strip() for text in texts if text.strip())
