"""Reading of notes: the first hits of a question, read again together with it by a model.

    order by odds = logit of the reader's chance + log(score / best score)
    relevance of the first = 1 / (1 + exp(-2.25 - odds + 24 · max(0, 0.2 - cosine)))
    relevance of another = relevance of the first · exp(-(difference of odds) / 1.25)

Words and vectors tell what a note is about, not whether it answers: "The boiler is two years old"
is near "Who services the boiler?". A cross-encoder reads both together and gives the chance that
the note answers. It was trained to choose one of several notes or none, so that many a true answer
gets a low chance. Both numbers were chosen on 134 stores that it was not trained on, so that lists
end at a relevance of 0.2: of those with an answer, four in a hundred are empty there, and 88 in a
hundred hold it. It is no probability: where two of five questions have no answer, as there, a best
hit with a relevance of about a half is right in two of five cases.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

import numpy as np
from msgspec.structs import replace

from mnemolog.ledger.ids import Position
from mnemolog.recall.cues import Place
from mnemolog.recall.search.space_search import Ranked
from mnemolog.recall.search.timing import days_apart

READ = 8  # First hits that are read
_EVEN = -2.25  # Odds of the first hit at which its relevance is a half
_FALL = 1.25  # Difference of odds over which relevance falls to 1/e
# Below this cosine a note seldom answers: the model, trained to tell near notes apart, is too sure
# of what has nothing to do with the question.
_RELATED, _AWAY = 0.2, 24.0
_ALIKE = math.exp(-3)  # Least share of the best relevance of a note that answers alike
_LEAST = 1e-6  # Least chance and least share of a score, so that both have a logarithm

PairReader = Callable[[Sequence[tuple[str, str]]], Sequence[float] | None]
"""Chances in [0, 1] that a model reads from pairs of texts; None if it fails."""


def read_again(
    ranked: Sequence[Ranked], cue: str, texts: Mapping[int, Sequence[str]], reader: PairReader
) -> list[Ranked] | None:
    """Hits with the notes at some places reordered by reading, and as relevant as that finds them.

    `texts` are those of at least one note, by place: its own, and that of the memory that was found
    if this one supersedes it; what either answers, the note does. Places keep their scores, and the
    other hits theirs. A note that was not read is no more relevant than the least relevant one that
    was. None if the reader fails.
    """
    places = sorted(texts)
    notes = [ranked[place] for place in places]
    found = reader([(cue, text) for place in places for text in texts[place]])
    if found is None:
        return None
    each = iter(found)
    chances = [max(islice(each, len(texts[place]))) for place in places]
    best = max(item.score for item in notes)
    odds = [
        log_odds(chance) + math.log(max(item.score / best, _LEAST))
        for item, chance in zip(notes, chances, strict=True)
    ]
    order = sorted(range(len(notes)), key=lambda one: -odds[one])
    most, least = odds[order[0]], odds[order[-1]]
    away = max(0.0, _RELATED - notes[order[0]].scores.get("cosine", _RELATED))
    answered = 1 / (1 + math.exp(_EVEN - most + _AWAY * away))

    def relevance(of: float) -> float:
        return answered * math.exp((of - most) / _FALL)

    placed = [
        replace(item, relevance=min(item.relevance, relevance(least))) if item.is_note else item
        for item in ranked
    ]
    for place, one in zip(places, order, strict=True):
        placed[place] = replace(
            notes[one],
            score=ranked[place].score,
            relevance=relevance(odds[one]),
            scores={**notes[one].scores, "read": chances[one]},
        )
    return placed


def in_time(
    read: Sequence[Ranked], days: Mapping[Position, int], place: Place, today: int
) -> list[Ranked]:
    """Hits in which, of the notes that answer alike, the one of the place asked for comes first.

    `days` are those of the notes that were read, by memory, counted from 1970 like `today`. Notes
    that are nearly as relevant as the best are taken for the series of which a cue asks for the
    first, the last or another. They are ordered by how near their day is to the one asked for;
    those of one day stay in the order of reading, and places keep their relevance. All stay in that
    order if the series ends before, or if a note names the place itself ("my second race"). Notes
    whose day does not count come behind; if all are still to come, the last of them counts.
    """
    places = [at for at, one in enumerate(read) if one.memory in days]
    least = _ALIKE * read[places[0]].relevance
    series = [at for at in places if read[at].relevance >= least]
    first = today if place.days == "to come" else -math.inf
    last = today if place.days == "past" else math.inf
    alike = [at for at in series if first <= days[read[at].memory] <= last]
    if not alike and place.days == "past":
        alike = series
    _, away = days_apart(place, np.array([days[read[at].memory] for at in alike], np.int64))
    named = place.number > 1 and any(place.word in read[at].matched for at in alike)
    if away is None or named:
        return [*read]
    ordered = [alike[at] for at in np.argsort(away, kind="stable").tolist()]
    ordered += [at for at in places if at not in alike]
    placed = [*read]
    for where, at in zip(places, ordered, strict=True):
        placed[where] = replace(read[at], score=read[where].score, relevance=read[where].relevance)
    return placed


def log_odds(chance: float) -> float:
    """Logarithm of the odds of a chance, finite for 0 and 1 as well."""
    bounded = min(max(chance, _LEAST), 1 - _LEAST)
    return math.log(bounded / (1 - bounded))
