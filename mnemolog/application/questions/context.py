"""Context for a prompt: memories and the caller's own texts, within a token budget."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from mnemolog.application.home.space import Cut, Space
from mnemolog.application.questions.browse import (
    depth_weight_of,
    holds,
    items_of,
    pins_of,
    settings_of,
)
from mnemolog.application.questions.recall import embedded, names_of, recall
from mnemolog.indexes.embedder import TokenCounter
from mnemolog.indexes.space_state import State
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import InvalidField, InvalidNumber
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.constraints.recognition import SAFETY
from mnemolog.policies.memories import checked_text, checked_texts
from mnemolog.policies.retention.forgetting import observed
from mnemolog.projections.memory_queries import rows_as_of
from mnemolog.projections.strengths import marked_as_of
from mnemolog.recall.answers import NOTHING, AsOf, Hit
from mnemolog.recall.context import (
    BUDGET,
    HITS_A_STEP,
    STEPS,
    Candidate,
    Context,
    Exploration,
    SectionName,
    Turn,
    checked_budget,
)
from mnemolog.recall.filling import Filling, alike, counting, most_relevant
from mnemolog.recall.items import Item
from mnemolog.recall.search import checks

_LONGEST_OWN = 1_000_000  # characters; each word is read whatever the budget
_RULES: tuple[SectionName, ...] = ("instructions", "preferences", "task", "memories")


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

    Sections are filled in order: instructions 15 %, preferences 10 %, task 25 %, memories 35 %,
    conversation 15 %; later sections may use what earlier ones leave. `instructions` and `task` are
    the caller's own texts. Constraints, standing instructions and immutable memories are part of
    the instructions, procedures part of the task. Constraints of class safety and all standing
    instructions, the newest first, come before other memories and may use the whole budget; then
    pinned memories. Texts are cut only between sentences.
    `left_out` lists what did not fit, with reasons; `message` says if no memory is relevant to the
    prompt. The weight of a memory is the centre of its depth weight; with `exploration`, a sample
    drawn with this seed. Writes nothing. Raises `InvalidField` or a subclass of it.
    """
    asked, most = checks.checked_cue(prompt, "prompt"), checked_budget(budget)
    turns = checked_turns(conversation)
    own = {"instructions": _own("instructions", instructions), "task": _own("task", task)}
    names = names_of(space, spaces)
    seed = None if exploration is None else checks.checked_seed(exploration)
    cut = space.cut()
    at = _Gathered(space, cut, seed)
    counts = counter or space.home.counter
    found = at.found(asked, names)
    every = [one for each in found.values() for one in each]
    terms = space.home.parts.analyzer.cue
    filling = Filling(asked, most, counting(counts), terms, most_relevant(every))
    for name in _RULES:
        candidates = [*map(Candidate, own.get(name, ())), *found[name]]
        filling.fill(name, candidates, alike(candidates, at.vectors(candidates), terms))
    filling.talk(turns)
    filled = filling.filled()
    shown = (part.memory_id for section in filled.sections for part in section.parts)
    ids = tuple(one for one in shown if one is not None)
    # A memory may just be pinned, and not relevant.
    relevant = any(one.binding or one.relevance > 0 for one in every)
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
        message=None if relevant else NOTHING,
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
        fix = "assemble a new one for the next question"
        raise InvalidNumber("context", f"has had its {STEPS} steps", fix)
    wanted = checks.checked_limit(limit)
    before = frozenset(context.shown)
    deep = min(checks.LIMIT, wanted + len(before))
    found = recall(space, checks.checked_cue(cue), limit=deep, spaces=context.spaces)
    hits = tuple(hit for hit in found.hits if hit.memory_id not in before)[:wanted]
    shown = (*context.shown, *(hit.memory_id for hit in hits))
    further = replace(context, shown=shown, steps_left=context.steps_left - 1)
    return Exploration(hits, further, None if hits else NOTHING)


class _Gathered:
    """Candidates for one context, read as of one moment."""

    def __init__(self, space: Space, cut: Cut, seed: int | None) -> None:
        self._space, self._cut, self._seed = space.at(cut), cut, seed

    def found(self, prompt: str, spaces: Sequence[str]) -> dict[SectionName, list[Candidate]]:
        """Candidate memories by section: unfailing ones first, then pinned ones."""
        vector = self._vector(prompt, spaces)
        ask = partial(recall, self._space, prompt, spaces=spaces, vector=vector)
        everything = ask(limit=50)
        liked = ask(limit=20, kinds=("preference",))
        known = ask(limit=10, kinds=("procedural",))
        hits = (*everything.hits, *liked.hits, *known.hits)
        constraints = everything.constraints
        pinned = sorted(chain(*map(self._pinned_in, spaces)), key=lambda one: -one.position)
        standing = sorted(chain(*map(self._standing_in, spaces)), key=lambda one: -one.position)
        ids = [hit.memory_id for hit in (*constraints, *hits)]
        rows = self._space.home.views.read(lambda db: rows_as_of(db, ids, self._cut.position))
        ruled = {one for one, row in rows.items() if row.immutable or row.constraint_class}
        grave = {one for one, row in rows.items() if row.constraint_class == SAFETY}
        grave |= {item.memory_id for item in pinned if item.constraint == SAFETY}
        held = [item.memory_id for item in pinned]
        instructing = [item.memory_id for item in standing]
        unfailing = grave.union(instructing)
        binding = {hit.memory_id for hit in constraints}
        every: list[Hit | Item] = [*standing, *hits, *constraints, *pinned]
        memories = {one.memory_id: one for one in every}
        relevances = {hit.memory_id: hit.relevance for hit in (*constraints, *hits)}
        # What comes first is kept if not everything fits.
        safety = filter(grave.__contains__, [*ids, *held])
        order = (*safety, *instructing, *held, *ids)
        candidates: dict[SectionName, list[Candidate]] = {name: [] for name in _RULES}
        for one in dict.fromkeys(order):
            memory = memories[one]
            rule = one in unfailing or one in binding or one in ruled
            name: SectionName = "instructions" if rule else _section(memory)
            candidate = self._candidate(memory, relevances.get(one, 0.0))
            flags = {"pinned": one in held, "binding": one in binding}
            candidates[name].append(replace(candidate, **flags, unfailing=one in unfailing))
        return candidates

    def _candidate(self, memory: Hit | Item, relevance: float) -> Candidate:
        note = memory.note if isinstance(memory, Hit) else None
        return Candidate(
            text=memory.content or "",
            memory_id=memory.memory_id,
            space=memory.space,
            position=memory.position,
            relevance=relevance,
            weight=self._weight(memory),
            note=memory.status if note is None and memory.status != "active" else note,
        )

    def vectors(self, candidates: Sequence[Candidate]) -> npt.NDArray[np.float32]:
        """Unit vector of each candidate; zeros for the caller's own texts."""
        found = np.zeros((len(candidates), self._space.home.embedder.dimensions), np.float32)
        for row, candidate in enumerate(candidates):
            if candidate.memory_id is not None:
                state = self._state(candidate.space)
                ordinal = np.array([state.columns.ordinal(candidate.position)])
                (found[row],) = state.vectors.of(ordinal)
        return found

    def _state(self, space: str) -> State:
        return self._space.home.index(space).at(self._cut.position)

    def _vector(self, prompt: str, spaces: Sequence[str]) -> npt.NDArray[np.float32] | None:
        """Vector of the prompt, embedded once for all recalls; None if no recall needs it."""
        sizes = [self._state(name).columns.size(self._cut.position) for name in spaces]
        keyword = settings_of(self._space, self._cut).strategy == "keyword"
        return None if keyword or not any(sizes) else embedded(self._space, prompt)

    def _weight(self, memory: Hit | Item) -> float:
        if self._seed is not None:
            weight = depth_weight_of(self._space.home, memory.memory_id, self._cut.position)
            return observed(weight, self._seed, memory.memory_id)
        state = self._state(memory.space)
        ordinals = np.array([state.columns.ordinal(memory.position)])
        return float(state.weights.of(ordinals, state.columns, self._cut.position)[0])

    def _pinned_in(self, name: str) -> Iterator[Item]:
        """Pinned memories of a space that may be part of an answer."""
        space = Space(self._space.home, name, self._cut)
        return self._in_force(space, [*pins_of(space, self._cut)])

    def _standing_in(self, name: str) -> Iterator[Item]:
        """Standing instructions of a space."""
        space = Space(self._space.home, name, self._cut)
        marked = partial(marked_as_of, space=name, mark="instructs", position=self._cut.position)
        return self._in_force(space, space.home.views.read(marked))

    def _in_force(self, space: Space, ids: Sequence[MemoryId]) -> Iterator[Item]:
        cut = self._cut
        rows = space.home.views.read(lambda db: rows_as_of(db, ids, cut.position)).values()
        valid = [r for r in rows if r.status in checks.PLAIN_STATUSES and holds(r, cut.instant)]
        return (item for item in items_of(space, valid, cut) if item.content is not None)


def _section(memory: Hit | Item) -> SectionName:
    if isinstance(memory, Item) and (memory.immutable or memory.constraint is not None):
        return "instructions"
    by_kind: dict[str, SectionName] = {"preference": "preferences", "procedural": "task"}
    return by_kind.get(memory.kind, "memories")


def _own(field: str, given: str | Sequence[str]) -> tuple[str, ...]:
    """Caller's own texts without blank ones. Raises `InvalidField` if they are too long."""
    texts = (checked_text(field, given) or "",) if isinstance(given, str) else given
    texts = checked_texts(field, texts)
    size = sum(map(len, texts))
    if size > _LONGEST_OWN:
        problem = f"has {size:,} characters of {_LONGEST_OWN:,} allowed"
        raise InvalidField(field, problem, "give the essence of it")
    return tuple(text.strip() for text in texts if text.strip())


def checked_turns(conversation: Sequence[Turn | Mapping[str, str]]) -> list[Turn]:
    """Turns of a conversation. Raises `InvalidField`, which names the turn, for invalid ones."""
    if isinstance(conversation, str | Mapping) or not isinstance(conversation, Sequence):
        raise InvalidField("conversation", "is no list of turns", "give role and content of each")
    turns = []
    for number, turn in enumerate(conversation):
        given = {"role": turn.role, "content": turn.content} if isinstance(turn, Turn) else turn
        said = []
        for name in ("role", "content"):
            field = f"conversation[{number}].{name}"
            text = checked_text(field, given.get(name) if isinstance(given, Mapping) else None)
            if text is None or not text.strip():
                raise InvalidField(field, "is missing or empty", "give a text")
            said.append(text)
        turns.append(Turn(" ".join(said[0].split()), said[1]))
    return turns
