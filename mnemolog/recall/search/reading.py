"""Reading of notes: the first hits of a question, read again together with it by a model.

    order by odds = logit of the reader's chance + log(score / best score)
    relevance of the first = 1 / (1 + exp(-2.75 - odds + 24 · max(0, 0.2 - cosine)))
    relevance of another = relevance of the first · exp(-(difference of odds) / 1.25)

Words and vectors tell what a note is about, not whether it answers: "The boiler is two years old"
is near "Who services the boiler?". A cross-encoder reads both together and gives the chance that
the note answers. It was trained to choose one of several notes or none, so that many a true answer
gets a low chance. Both numbers were chosen on 28 stores that it was not trained on, so that lists
end at a relevance of 0.2: of those with an answer, three in a hundred are empty there, and nine in
ten hold it. It is no probability: where two of five questions have no answer, as there, a best hit
with a relevance of about a half is right in a third of the cases.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from mnemolog.recall.search.space_search import Ranked

READ = 8  # First hits that are read
_EVEN = -2.75  # Odds of the first hit at which its relevance is a half
_FALL = 1.25  # Difference of odds over which relevance falls to 1/e
# Below this cosine a note seldom answers: the model, trained to tell near notes apart, is too sure
# of what has nothing to do with the question.
_RELATED, _AWAY = 0.2, 24.0
ALIKE = 2.5  # Difference of odds up to which notes tell of the same kind of event
_LEAST = 1e-6  # Least chance and least share of a score, so that both have a logarithm

PairReader = Callable[[Sequence[tuple[str, str]]], Sequence[float] | None]
"""Chances in [0, 1] that a model reads from pairs of texts; None if it fails."""


def read_again(
    ranked: Sequence[Ranked],
    cue: str,
    texts: Mapping[int, Sequence[str]],
    reader: PairReader,
    alike: float = 0.0,
) -> list[Ranked] | None:
    """Hits with the notes at some places reordered by reading, and as relevant as that finds them.

    `texts` are those of at least one note, by place: its own, and that of the memory that was found
    if this one supersedes it; what either answers, the note does. Places keep their scores, and the
    other hits theirs. A note that was not read is no more relevant than the least relevant one that
    was. Notes whose odds are at most `alike` below the best stay in the order that they had, as
    relevant as the best: reading finds what a series consists of, and not the first or the last.
    None if the reader fails.
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
    most, least = max(odds), min(odds)
    odds = [most if one >= most - alike else one for one in odds]
    order = sorted(range(len(notes)), key=lambda one: -odds[one])
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


def log_odds(chance: float) -> float:
    """Logarithm of the odds of a chance, finite for 0 and 1 as well."""
    bounded = min(max(chance, _LEAST), 1 - _LEAST)
    return math.log(bounded / (1 - bounded))
