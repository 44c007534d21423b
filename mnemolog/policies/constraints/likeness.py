"""Likeness of a statement to statements that limit, or that last, in its words and its meaning.

Rules find what they have patterns for, and English says a limit in more ways: 'peanuts would
put Sam in hospital'. A new statement is compared with a few thousand written by hand, by its
vector (a Gaussian kernel over the hardest of them) and by its words and pairs of words (a
linear kernel); regularised least squares weighs their labels (Rifkin, Yeo and Poggio 2003).
`python -m benchmarks.likeness` fits the weights and measures the recognition.

Lasting facts must never fade: a birthday or a standing instruction is requested once in years,
so its use does not show its value. `python -m benchmarks.lasting` fits their weights. Their
thresholds are low: a statement kept without need costs little space, a missed one a birthday.
"""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mnemolog.policies.constraints.recognition import RE, SAFETY

Floats = npt.NDArray[np.float32]
Grams = Callable[[str], frozenset[str]]  # what of a text's words is compared

FITTED_TO = "all-MiniLM-L6-v2-int8"  # the embedder whose vectors the weights are for
WIDTH = 1.5  # factor of squared distances of unit vectors in the Gaussian kernel
WORDS_SHARE = 0.6  # weight of the kernel of words beside that of meaning

# The likeness to lasting facts over which a statement counts as one; the same by words alone.
LASTS, LASTS_BY_WORDS = -0.6, -0.3
# The likeness by words under which no vector is made; the same over which a text lasts without.
MAY_LAST, SURELY_LASTS = -0.7, 0.2
# The likeness of a text of several sentences over which it lasts without a look at each of them,
# and under which it passes. The more sentences, the less one of them shows in the text's vector:
# so much is added times the logarithm of their number.
TEXT_LASTS, TEXT_PASSES, DILUTION = -0.25, -0.65, 0.5
# How far under and over its threshold a sentence is judged by its tokens in the whole text: its
# own vector would say otherwise of 1 in 100. Between them that vector decides.
FAR_UNDER, FAR_OVER = -0.25, 0.15
LASTING_CATEGORIES = frozenset({"user_identity"})  # of memories that always last
LASTING_CONSTRAINTS = frozenset({SAFETY})  # classes of constraints that always last

# The likeness to constraints over which a sentence states one, and may state one by its words.
LIMITS, MAY_LIMIT = 0.0, -0.3
_RARE = 5.0
_BEGINNING, _NUMBER = "<", "#"


class LikenessWeights(NamedTuple):
    """Fitted weights: landmarks and grams with their weights, one column a class.

    `landmarks` has shape (landmarks, dimensions), `by_landmark` (landmarks, 1 + classes) and
    `by_gram` (grams, 1 + classes). The first column says whether a statement limits, or lasts,
    the others of which class it is; `by_words` of shape (grams,) says the first from words
    alone. `rarity` are inverse document frequencies.
    """

    classes: tuple[str, ...]
    landmarks: Floats
    by_landmark: Floats
    grams: dict[str, int]
    rarity: Floats
    by_gram: Floats
    by_words: Floats


def grams(text: str) -> frozenset[str]:
    """The words and the pairs of words of a text, numbers as one, ends of sentences as words."""
    _, *words = found = words_in_order(text)
    return frozenset(words).union(map(" ".join, pairwise(found)))


def words_in_order(text: str) -> list[str]:
    """The words of a text after a mark of its beginning: numbers as one, ends of sentences too."""
    plain = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    named = RE.speaker.match(plain) if ": " in plain else None
    found = RE.token.findall(plain, named.end() if named else 0)
    if RE.digit.search(plain) is not None:
        found = [_NUMBER if word[0].isdigit() else word for word in found]
    return [_BEGINNING, *found]


def kernel(cosines: Floats) -> Floats:
    """exp(-width · squared distance) of unit vectors, by their cosines."""
    near: Floats = np.exp((2 * WIDTH) * (np.minimum(cosines, 1) - 1), dtype=np.float32)
    return near


def may_limit(text: str, weights: LikenessWeights) -> bool:
    """True if a text may limit something, by its words: most cannot."""
    return word_likeness(text, weights) > MAY_LIMIT


def word_likeness(text: str, weights: LikenessWeights, grams_of: Grams = grams) -> float:
    """Likeness of a text to statements of the first label by its words alone: about -1 to 1."""
    places, values = _by_rarity(grams_of(text), weights)
    return float(values @ weights.by_words[places])


def is_rare(word: str) -> bool:
    """True if a word, or a part of a hyphenated one, is in fewer than one of 150 statements."""
    weights = fitted_weights()
    places = [weights.grams.get(part) for part in word.lower().split("-")]
    return any(place is None or float(weights.rarity[place]) > _RARE for place in places)


def likely_class(
    text: str, vector: Floats, ruled: str | None, weights: LikenessWeights
) -> str | None:
    """The class of the constraint that a text likely states; None if it likely states none.

    `vector` is its unit vector by `FITTED_TO`. If a rule found a class, `ruled`, it states one.
    """
    limits, *classes = likeness(text, vector, weights)
    states = ruled is not None or limits > LIMITS
    return weights.classes[int(np.argmax(classes))] if states else None


def likeness(
    text: str, vector: Floats, weights: LikenessWeights, grams_of: Grams = grams
) -> Floats:
    """Likeness of a text to statements that limit, and to those of each class: about -1 to 1."""
    places, values = _by_rarity(grams_of(text), weights)
    # Not by `@`: for so few numbers, the threads of its library wait for each other for longer.
    near = kernel(np.einsum("ij,j->i", weights.landmarks, vector))
    found: Floats = near @ weights.by_landmark + values @ weights.by_gram[places]
    return found


def _by_rarity(
    found: frozenset[str], weights: LikenessWeights
) -> tuple[npt.NDArray[np.intp], Floats]:
    """Known grams among those found, and their inverse document frequencies as a unit vector."""
    known = sorted(weights.grams[one] for one in found if one in weights.grams)
    places = np.array(known, np.intp)
    values = weights.rarity[places]
    return places, values / max(float(np.linalg.norm(values)), 1e-12)


@cache
def fitted_weights() -> LikenessWeights:
    """The weights for constraints that come with the program."""
    return unpacked(files("mnemolog.policies.constraints").joinpath("likeness.npz").read_bytes())


@cache
def lasting_weights() -> LikenessWeights:
    """The weights for lasting facts that come with the program."""
    return unpacked(files("mnemolog.policies.constraints").joinpath("lasting.npz").read_bytes())


def unpacked(data: bytes) -> LikenessWeights:
    """The weights of a file that `benchmarks.likeness` wrote: vectors in a byte a number."""
    with np.load(BytesIO(data), allow_pickle=False) as file:
        names = file["grams"].tobytes().decode().split("\n")
        return LikenessWeights(
            classes=tuple(map(str, file["classes"])),
            landmarks=file["landmarks"].astype(np.float32) * file["scale"],
            by_landmark=file["by_landmark"].astype(np.float32),
            grams={name: place for place, name in enumerate(names)},
            rarity=file["rarity"].astype(np.float32),
            by_gram=file["by_gram"].astype(np.float32),
            by_words=file["by_words"].astype(np.float32),
        )
