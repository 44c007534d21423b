"""Recall: search the memories of one or more spaces, as of now or any past moment."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from mnemolog.application.home.rerankers import Readers
from mnemolog.application.home.space import Cut, Space, present
from mnemolog.application.questions.browse import filter_of, settings_of
from mnemolog.indexes.lessons import LessonIndex
from mnemolog.ledger.events import MemoryKind
from mnemolog.ledger.ids import Position
from mnemolog.policies.memories import Time, checked_space, checked_texts, instant
from mnemolog.projections.memories import DisputeRow, disputes_of
from mnemolog.projections.memory_queries import Status
from mnemolog.projections.strengths import marked_positions, pinned_positions
from mnemolog.recall.answers import Recall, answer, marked, not_asked, texts
from mnemolog.recall.cues import read_cue, reason_not_to_search
from mnemolog.recall.plans import (
    INSTRUCTIONS,
    constraints_to_show,
    near_constraints,
    near_instructions,
)
from mnemolog.recall.search import checks, relevance
from mnemolog.recall.search.newest import AMONG
from mnemolog.recall.search.question import (
    DEFAULT_FUSION,
    FUSIONS,
    Attention,
    Question,
    blend,
    checked_attention,
    checked_vector,
    counts_with,
)
from mnemolog.recall.search.reranking import CANDIDATES
from mnemolog.recall.search.search import Means, brought_along, search
from mnemolog.recall.search.space_search import Ranked, SpaceSearch


def recall(  # noqa: PLR0913 - the filters, all optional and by name
    space: Space,
    cue: str,
    *,
    limit: int = 10,
    spaces: Sequence[str] = (),
    kinds: Sequence[MemoryKind] = (),
    tags: Sequence[str] = (),
    source: str | None = None,
    place: str | None = None,
    statuses: Sequence[Status] = (),
    valid_at: Time | None = None,
    strategy: checks.Strategy | None = None,
    min_relevance: float | None = None,
    vector: npt.ArrayLike | None = None,
    attention: Attention | None = None,
    exploration: int | None = None,
    confidence: float | None = None,
) -> Recall:
    """Memories that match a cue, best first, at most `limit` (1 to 1,000).

    The list ends where relevance drops below `min_relevance` (0 to 1; default: the space's
    setting, and 0 for a single search), and is empty if no memory is relevant to the cue.
    With 0 it has `limit` hits if that many match. Up to a limit of 64, a longer list begins
    with the shorter one; a higher limit also searches deeper.

    - `spaces`: spaces to search; default: this space.
    - `tags`: must all match.
    - `source`, `place`: match the whole value or a prefix (`file:`, a room of the palace).
    - `valid_at`: finds memories valid at that time instead of now.
    - `statuses`: finds memories of these statuses instead of the default ones.
    - `vector`: the embedder's vector of the cue, so that it is not embedded again.
    - `attention`: recent inputs of the caller, from `attend`.
    - `exploration`: seed; relevance weights are sampled with it instead of being means.
    - `confidence`: how sure the caller is of the answer; over 0.9, a simple question is not
      searched.

    Raises `InvalidField` or a subclass of it.
    """
    cut = space.cut()
    settings = settings_of(space, cut)
    chosen = checks.checked_strategy(strategy or settings.strategy)
    least = settings.min_relevance if chosen in checks.CALIBRATED else 0.0
    reading = read_cue(checks.checked_cue(cue), cut.instant)
    if reading.sought == "overview":
        least *= relevance.OVERVIEW_SHARE
    sure = None if confidence is None else checks.checked_share("confidence", confidence)
    if why := reason_not_to_search(reading, sure):
        return not_asked(chosen, why, cut.position, cut.instant)
    names = names_of(space, spaces)
    seed = None if exploration is None else checks.checked_seed(exploration)
    if min_relevance is not None:
        least = checks.checked_share("min_relevance", min_relevance)
    lessons = lessons_of(space, names, cut)
    evidence = [one.evidence(cut.position) for one in lessons]
    question = Question(
        cue=cue,
        reading=reading,
        fusion=FUSIONS.get(reading.route, DEFAULT_FUSION),
        position=cut.position,
        instant=cut.instant,
        present=present(space.home, cut),
        limit=checks.checked_limit(limit),
        filters={name: filter_of(space, name, kinds, tags, source, place) for name in names},
        pinned=pinned_in(space, names, cut),
        statuses=checks.checked_statuses(statuses),
        valid_at=instant("valid_at", valid_at),
        strategy=chosen,
        vector=checked_vector(vector, space.home.embedder.dimensions),
        centroid=None if attention is None else attended(space, attention).centroid,
        blend=blend(counts_with(evidence), seed),
        subjects=relevance.known_subjects(lessons, space.home.log.secret, cue),
        min_relevance=least,
        vector_search=settings.vector_search,
    )
    found = answered(space, question, space.home.readers_by(settings.reranker))
    return marked(found, question.present, space.home.log, space.home.views)


def answered(space: Space, question: Question, readers: Readers) -> Recall:
    """Answer to a question, without the marks of open conflicts."""
    reranker = readers.reranker
    advice = question.reading.seeks_advice and not question.statuses
    # A reranker reads more candidates than it keeps, and advice is sought among more as well.
    deep = max(question.limit, AMONG if reranker is None and not advice else CANDIDATES)
    searched = replace(question, limit=deep)
    searches = [
        SpaceSearch(name, space.home.index(name).at(question.position), searched)
        for name in question.filters
    ]
    analyzer, log = space.home.parts.analyzer, space.home.log
    constrained = advice and any(len(one.state.columns.constraints(one.size)) for one in searches)
    # The positions of standing instructions, in force or not.
    marked = [
        space.home.views.read(
            partial(marked_positions, space=name, mark="instructs", position=question.position)
        )
        if advice
        else []
        for name in question.filters
    ]
    vector = question.vector
    if (constrained or any(marked)) and vector is None:
        # The vector is used twice: embed the cue once.
        vector = embedded(space, question.cue)
        question = replace(question, vector=vector)

    def disputes(ranked: Sequence[Ranked]) -> list[DisputeRow]:
        positions = [one.memory for one in ranked]
        ask = partial(disputes_of, olds=positions, position=question.position)
        return space.home.views.read(ask)

    means = Means(analyzer, partial(embedded, space), partial(texts, log), disputes, *readers)
    found = search(searches, question, means)
    found = replace(found, brought=brought_along(searches, found.ranked))
    if constrained and vector is not None:
        near = near_constraints(searches, question, vector[np.newaxis], analyzer, log)
        chosen = [one.ranked(question) for one in constraints_to_show(near)]
        found = replace(found, constraints=chosen)
    if any(marked) and vector is not None:
        shown = {(one.space, one.memory) for one in found.constraints}
        instructions = [
            one
            for search, positions in zip(searches, marked, strict=True)
            for one in near_instructions(search, positions, vector, question)
            if (one.space, one.memory) not in shown
        ]
        instructions.sort(key=lambda one: -one.score)
        found = replace(found, instructions=instructions[:INSTRUCTIONS])
    return answer(found, question, searches, log)


def lessons_of(space: Space, names: Sequence[str], cut: Cut) -> list[LessonIndex]:
    """Lessons of each of these spaces."""
    return [space.home.index(name).at(cut.position).lessons for name in names]


def names_of(space: Space, spaces: Sequence[str]) -> tuple[str, ...]:
    """Distinct names of the spaces to search; this space if none is given."""
    named = checked_texts("spaces", spaces)
    return tuple(dict.fromkeys(checked_space(name) for name in named)) or (space.name,)


def pinned_in(space: Space, names: Sequence[str], cut: Cut) -> dict[str, frozenset[Position]]:
    """Positions of pinned memories, by space."""
    ask = partial(pinned_positions, position=cut.position, instant=present(space.home, cut))
    return {name: space.home.views.read(partial(ask, space=name)) for name in names}


def attend(space: Space, text: str, attention: Attention | None = None) -> Attention:
    """Attention of a caller after one more input, following the inputs in `attention`.

    The caller keeps it and passes it to `recall`; nothing of it is stored.
    """
    vector = embedded(space, checks.checked_cue(text))
    known = None if attention is None else attended(space, attention)
    return Attention((vector,)) if known is None else known.turned(vector)


def attended(space: Space, attention: Attention) -> Attention:
    """Attention that a caller gave, checked against the embedder."""
    return checked_attention(attention, space.home.embedder.dimensions)


def embedded(space: Space, cue: str) -> npt.NDArray[np.float32]:
    """Vector of a cue."""
    vector: npt.NDArray[np.float32] = space.home.embedder.embed([cue])[0]
    return vector
