"""Standing instructions: how the user wants the agent to behave from now on.

'Short replies only' and 'Diffs, not whole files, are how I want you to show me changes' share no
words; what they share is a shape. A text's shape is its words with those of one sort as one (what
an agent does, what it makes, other people) and the rest by their endings. Weights fitted to texts
by several writers compare a sentence by its meaning, its words and its shape, as
`mnemolog.policies.constraints.likeness` explains; `python -m benchmarks.instructions` fits them.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations

from mnemolog.language.lists import Lists, plain_letters
from mnemolog.policies.constraints.likeness import (
    LikenessWeights,
    grams,
    unpacked,
)

# The likeness to instructions over which a sentence counts as one; the same by words alone.
INSTRUCTS, INSTRUCTS_BY_WORDS = -0.45, -0.4
MAY_INSTRUCT = -0.7  # The likeness by words under which no vector is made

_LISTS = Lists("mnemolog.policies.constraints", "instructions")
_RE = _LISTS.patterns_by_name
# Lists of words, each with its name in a shape.
_SORTS = {
    "lasting": "ever",
    "reports": "said",
    "once": "once",
    "others": "who",
    "acts": "act",
    "outputs": "out",
}
_ENDED = ("ing", "ed", "s")
ENDINGS = ("_", *(f"_{one}" for one in _ENDED))  # words in a shape for words in no list
_BEGINNING, _END, _STOPS = "<", ">", ".!;"
STARTS = frozenset({_BEGINNING, ".", ":", "?"})  # words in a shape behind which a sentence begins
LONGEST_RUN = 3


def instruction_grams(text: str) -> frozenset[str]:
    """Words and pairs of words of a text, runs of up to three of its shape, and pairs of signs."""
    shape = shape_of_words(text)
    runs = {
        " ".join(shape[start : start + length])
        for length in range(1, LONGEST_RUN + 1)
        for start in range(len(shape) - length + 1)
    }
    pairs = {f"{one}&{other}" for one, other in combinations(signs_of(shape), 2)}
    return grams(text) | {f"~{one}" for one in runs | pairs}


def signs_of(shape: Sequence[str]) -> list[str]:
    """Words of a shape of which two count together wherever they are, in order."""
    return sorted(_LISTS.words("signs").intersection(shape))


def shape_of_words(text: str) -> list[str]:
    """Shape of a text: '< don't act _ers _s me >'; equal endings in a row count once."""
    last, shape = "", []
    for inside, first in map(sorts_of, pieces_of(text)):
        sort = first if last in STARTS else inside
        if sort != last or sort[0] != "_":
            shape.append(sort)
        last = sort
    return shape


def pieces_of(text: str) -> list[str]:
    """Words and marks of a text, between a mark of its beginning and one of its end."""
    return [_BEGINNING, *_RE.piece.findall(plain_letters(text)), _END]


@lru_cache(maxsize=16_384)
def sorts_of(piece: str) -> tuple[str, str]:
    """Sort of a word or mark inside a sentence, and at its beginning."""
    first = _sort_of(piece)
    is_name = piece[0].isupper() and first.startswith("_")
    return "name" if is_name else first, first


def _sort_of(piece: str) -> str:
    word = piece.lower()
    if not word[0].isalnum():
        return "name" if word[0] == "@" else "." if word in _STOPS else '"' if word == "'" else word
    if word in _LISTS.words("kept"):
        return word
    if known := [name for sort, name in _SORTS.items() if word in _LISTS.words(sort)]:
        return "/".join(known)
    if word[0].isdigit():
        return "#"
    return "_" + next((one for one in _ENDED if word.endswith(one)), "")


@cache
def instruction_weights() -> LikenessWeights:
    """Weights for standing instructions that come with the program."""
    return unpacked(
        files("mnemolog.policies.constraints").joinpath("instructions.npz").read_bytes()
    )
