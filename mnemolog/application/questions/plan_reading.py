"""Options of a plan read by a model, with the notes that are near them."""

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain, repeat

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from mnemolog.application.home.rerankers import NOBODY_READS
from mnemolog.application.home.space import Space
from mnemolog.application.questions.recall import answered
from mnemolog.indexes.columns import Floats
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.policies.constraints.recognition import denies_danger
from mnemolog.recall.answers import Hit
from mnemolog.recall.option_evidence import PlanTexts, evidence
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.question import Question
from mnemolog.recall.search.reading import PairReader, log_odds
from mnemolog.recall.search.space_search import SpaceSearch

_MOST_READ = 50  # Options; each takes a search and up to a dozen readings
_OF_GOAL, _OF_OPTION = 8, 6  # Most notes found for the goal, and for each option
_LONGEST_CUE = 400  # Characters of an option that are searched for
Place = tuple[str, Position]  # Space and position of a memory


class PlanQuestion(Struct, frozen=True):
    """Goal as a question, options, and what both are looked up with.

    `vectors` are those of the goal and of the options, of shape (1 + options, dimensions).
    """

    question: Question
    options: Sequence[str]
    vectors: Vector
    searches: Sequence[SpaceSearch]


class ModelFinding(Struct, frozen=True):
    """Chance in [0, 1] that an option breaks a note, by a model; `known` are notes read with it."""

    note: Hit
    chance: float
    known: tuple[Hit, ...]

    @property
    def odds(self) -> float:
        """Logarithm of the odds of the chance."""
        return log_odds(self.chance)


def findings_by_model(
    space: Space,
    asked: PlanQuestion,
    reader: PairReader | None,
    constraints: Iterable[Hit],
    of_others: Container[Place],
) -> list[Mapping[MemoryId, ModelFinding]]:
    """Findings of a model on each option, by the memory that it may break.

    An option may break one of the constraints, or a memory found for the goal or an option, but
    none `of_others`, which only say something of options. Empty without a reader or without notes,
    if the reader fails, and for more than 50 options.
    """
    if reader is None or not 0 < len(asked.options) <= _MOST_READ:
        return []
    found = {(one.space, one.position): one for one in chain(constraints, *_near(space, asked))}
    if not found:
        return []
    places, notes = [*found], [*found.values()]
    texts = PlanTexts(
        goal=asked.question.cue,
        options=asked.options,
        notes=[one.content for one in notes],
        cosines=_cosines(asked, places),
        no_limits={
            index
            for index, (place, note) in enumerate(found.items())
            if place in of_others or denies_danger(note.content)
        },
    )
    return [
        {
            notes[place].memory_id: ModelFinding(
                notes[place], one.chance, tuple(notes[other] for other in one.known)
            )
            for place, one in of_option.items()
        }
        for of_option in evidence(texts, space.home.parts.analyzer, reader) or ()
    ]


def _near(space: Space, asked: PlanQuestion) -> Iterable[Iterable[Hit]]:
    cues = (asked.question.cue, *(one[:_LONGEST_CUE] for one in asked.options))
    most = chain([_OF_GOAL], repeat(_OF_OPTION))
    for cue, vector, limit in zip(cues, asked.vectors, most, strict=False):
        question = replace(asked.question, cue=cue, vector=vector, limit=limit)
        yield answered(space, question, NOBODY_READS)


def _cosines(asked: PlanQuestion, places: Sequence[Place]) -> Floats:
    """Cosines of goal and options to the memories at these places, (1 + options, places)."""
    found = np.zeros((len(asked.vectors), len(places)))
    for search in asked.searches:
        at = [index for index, (space, _) in enumerate(places) if space == search.space]
        ordinals = search.state.columns.ordinals(np.array([places[one][1] for one in at], np.int64))
        for row, vector in zip(found, asked.vectors, strict=True):
            row[at] = search.state.vectors.cosines(vector, ordinals)
    return found
