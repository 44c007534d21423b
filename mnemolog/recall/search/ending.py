"""End of a list: the evidence that a memory answers a cue, and the relevance of each hit."""

import math
from typing import NamedTuple

import numpy as np

from mnemolog.indexes.columns import Floats

_SLOPE, _MEANING_EVIDENCE = 0.07, 0.65


class Ending(NamedTuple):
    """End of a list: the evidence that it takes, and how soon relevance falls.

    `midpoint` is the evidence at which an answer is as likely as not; relevance falls with the
    power `steepness` of the score.
    """

    midpoint: float
    steepness: float


# A cue is spread over several turns of talk. One note often answers it, without a word in common,
# among others on the same topic.
IN_TALK, IN_NOTES = Ending(0.4, 1.5), Ending(0.3, 5.0)


def evidence(cosines: Floats, words: Floats, known: float) -> Floats:
    """Evidence from each memory, in [0, 1], that the store contains an answer to the cue.

    `words` is the share of the cue's known weight that the memory or its neighbours hold, a half
    if each word occurs once; `known` the share of the cue in words that the store contains.
    """
    covered = np.minimum(1.0, 2 * words) * known
    return _MEANING_EVIDENCE * np.maximum(0.0, cosines) + (1 - _MEANING_EVIDENCE) * covered


def calibrated(best: float, ending: Ending = IN_TALK) -> float:
    """Probability that an answer exists, given the best evidence for one: a logistic curve."""
    # Evidence in talk is about 0.55 for cues that have an answer, 0.3 for cues about something
    # else.
    return 1 / (1 + math.exp(-(best - ending.midpoint) / _SLOPE))


def relevance_of(score: float, best: float, answered: float, ending: Ending = IN_TALK) -> float:
    """Relevance of a hit in [0, 1]: that of the best hit, reduced by its distance in score."""
    if best <= 0:
        return 0.0
    return answered * math.pow(min(1.0, max(0.0, score) / best), ending.steepness)
