"""Admission of offered content: its ACT-R activation, and its placement.

    activation = base level + spreading + partial match + noise

(Anderson and Lebiere 1998). Relevance is the activation that spreads to the content; novelty is
its distance from the nearest memory. Each has three levels, and a table of nine cells gives the
outcome: the content is persisted, reinforces its near-duplicate, waits in the buffer, or is
dropped. Activation plays no part in the ranking of search results.

A restatement is not stored, so a missed one costs a little space, while a false one loses
content. Its words must be the same, in the same order, except for an initial capital, final
punctuation, openings such as 'by the way', and intensifiers: a phrase that moves may mean
something else ('In May Dana promised to move'), and a sentence may retract its neighbour. So
may the same words from another speaker, about another place or on another day.
"""

import math
import unicodedata
from collections.abc import Iterable, Mapping, Set as AbstractSet
from typing import Literal, TypeVar, get_args

import msgspec

from mnemolog.language.lists import regex
from mnemolog.language.sameness import opens_plainly, sentence_words
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Novelty, Relevance, Scores
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.memories import checked_text

Placement = Literal["persist", "reinforce", "buffer", "drop"]
Table = Mapping[tuple[Relevance, Novelty], Placement]  # nine outcomes
RELEVANCES: tuple[Relevance, ...] = get_args(Relevance)
NOVELTIES: tuple[Novelty, ...] = get_args(Novelty)
PLACEMENTS: tuple[Placement, ...] = get_args(Placement)

DECAY = 0.5  # exponent of the age in hours by which an encounter fades
MISMATCH = 1.0  # cost of an item that lacks everything asked for
NOISE = 0.25  # the scale of the noise by default, as is usual for ACT-R

TABLE = (
    "relevance: new, related, known; "
    "high: persist, persist, reinforce; "
    "medium: persist, buffer, reinforce; "
    "low: buffer, drop, drop"
)
"""The table by default: a row a level of relevance, a column a level of novelty."""

HIGH, MEDIUM = 0.5, 0.25  # spreading activation from which on relevance is high, and medium
SAME, NEAR = 0.85, 0.6  # cosine of the nearest memory: it may be a near-duplicate, is related
# Activation of something met once within the hour and related to nothing: from it on, what
# would wait for ever is persisted when the buffer is emptied.
THRESHOLD = 0.0

ANYBODY = "user:user"  # the source of a user who is not named

_LEAST_DRAW = 2.0**-53
_Word = TypeVar("_Word", bound=str)
_DAY_US = 86_400_000_000
_QUOTES = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
_MARK = regex(r"(?<!\w)(\w*+)[,;:](?=\s+\S)")
_OF_A_PERSON = regex(
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves|you|your|yours|yourself|yourselves)\b"
)
_OF_A_DAY = regex(
    r"\b(?:today|tonight|tomorrow|yesterday|ago"
    r"|this (?:morning|afternoon|evening|week|weekend|month|quarter|year)"
    r"|(?:next|last|coming|past) (?:night|week|weekend|month|quarter|year|\w+day)"
    r"|(?:in|within) (?:an?|one|two|three|\d+) (?:minutes?|hours?|days?|weeks?|months?|years?)"
    r"|(?<!\bevery )(?<!\beach )(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)


class Activation(msgspec.Struct, frozen=True):
    """Components of an activation, each rounded to six digits, as its event stores them.

    `spreading` is in [0, 1], None without a source; `partial_match` is in [-1, 0].
    """

    base_level: float
    spreading: float | None
    partial_match: float
    noise: float

    @property
    def total(self) -> float:
        """Sum of all components."""
        return self.base_level + (self.spreading or 0.0) + self.partial_match + self.noise


class Placed(msgspec.Struct, frozen=True):
    """Placement of content: its two levels and its outcome."""

    relevance: Relevance
    novelty: Novelty
    placement: Placement


def activation_of(
    ages_hours: Mapping[float, int], spread: float | None, match: float, noise: float
) -> Activation:
    """Activation from its components, rounded."""
    spread = None if spread is None else round(spread, 6)
    return Activation(round(base_level(ages_hours), 6), spread, round(match, 6), round(noise, 6))


def base_level(ages_hours: Mapping[float, int]) -> float:
    """Base-level activation from the ages, in hours, of the meetings with an item.

    ln Σ t^-0.5 over the time t since each meeting, where ages below one hour count as one.
    Raises `ValueError` if there is no age.
    """
    met = [often * max(1.0, age) ** -DECAY for age, often in ages_hours.items()]
    return math.log(math.fsum(met))


def spreading(cosines: Iterable[float]) -> float | None:
    """Spreading activation in [0, 1] from the nearest of attention, identity and heavy memories."""
    best = max(cosines, default=None)
    return None if best is None else min(1.0, max(0.0, best))


def partial_match(asked: AbstractSet[str], held: AbstractSet[str]) -> float:
    """Partial-match penalty in [-1, 0] for attention words that the content lacks; 0 for none."""
    return MISMATCH * (len(asked & held) / len(asked) - 1.0) if asked else 0.0


def logistic(draw: float, scale: float) -> float:
    """Logistic noise with mean 0 and this scale, from a uniform draw in [0, 1)."""
    inside = min(max(draw, _LEAST_DRAW), 1.0 - _LEAST_DRAW)
    return scale * math.log(inside / (1.0 - inside))


def relevance_of(spreading: float | None) -> Relevance:
    """Relevance level for spreading activation; medium for None: nothing says what matters."""
    if spreading is None:
        return "medium"
    return "high" if spreading >= HIGH else "medium" if spreading >= MEDIUM else "low"


def novelty_of(similarity: float | None, *, duplicate: bool) -> Novelty:
    """Novelty level by the cosine to the nearest memory; None if there is no memory."""
    if duplicate:
        return "known"
    return "new" if similarity is None or similarity < NEAR else "related"


def place(table: Table, spreading: float | None, novelty: Novelty) -> Placed:
    """Placement by the table, from spreading activation and novelty."""
    relevance = relevance_of(spreading)
    return Placed(relevance, novelty, table[relevance, novelty])


def place_for_good(placed: Placed, score: Activation) -> Placement:
    """Final placement when the buffer is emptied: what was met recently or often is persisted."""
    if placed.placement != "buffer":
        return placed.placement
    return "persist" if score.total >= THRESHOLD else "drop"


def scores_of(
    score: Activation, placed: Placed, nearest: MemoryId | None, similarity: float | None
) -> Scores:
    """Scores behind a decision, as its event stores them."""
    # Cosines of vectors quantised to few bits can slightly exceed 1.
    cosine = None if similarity is None else round(min(1.0, max(-1.0, similarity)), 6)
    parts = score.base_level, score.spreading, score.partial_match, score.noise
    return Scores(*parts, placed.relevance, placed.novelty, nearest, cosine)


def read_table(text: str) -> Table:
    """Placement table in the format of `TABLE`. Raises `InvalidField`, naming the row and cell."""
    lines = (checked_text("admission", text) or "").splitlines()
    rows = [row for line in lines for row in line.split(";") if row.strip()]
    if not rows:
        raise _wrong("is empty")
    parts = [row.lower().partition(":") for row in rows]
    split = [(name.strip(), [one.strip() for one in cells.split(",")]) for name, _, cells in parts]
    (name, columns), *levels = split
    if name != "relevance" or sorted(columns) != sorted(NOVELTIES):
        raise _wrong(f"begins with {rows[0].strip()!r}, not with relevance: new, related, known")
    order = [_known("column", column, NOVELTIES) for column in columns]
    cells: dict[tuple[Relevance, Novelty], Placement] = {}
    for name, values in levels:
        relevance = _known("row", name, RELEVANCES)
        if len(values) != len(order) or (relevance, "new") in cells:
            raise _wrong(f"has more or less than three cells for {name}")
        for novelty, value in zip(order, values, strict=True):
            cells[relevance, novelty] = _known(f"cell {name}, {novelty}", value, PLACEMENTS)
    if lacking := [relevance for relevance in RELEVANCES if (relevance, "new") not in cells]:
        raise _wrong(f"has no row {lacking[0]}")
    for (relevance, novelty), placement in cells.items():
        if placement == "reinforce" and novelty != "known":
            raise _wrong(f"reinforces what is {novelty} ({relevance}): only what is known can be")
    return cells


def _known(what: str, word: str, words: tuple[_Word, ...]) -> _Word:
    if word not in words:
        raise _wrong(f"has the {what} {word!r}, which is none of {', '.join(words)}")
    return words[words.index(word)]


def _wrong(problem: str) -> InvalidField:
    return InvalidField("admission", problem, f"write it like {TABLE!r}")


class Said(msgspec.Struct, frozen=True):
    """Statement: its words, when (now at the latest) and by whom, its scope and validity."""

    text: str
    at: Micros
    speaker: str | None = None
    tags: tuple[str, ...] = ()
    category: str | None = None
    place: str | None = None
    constraint: str | None = None
    valid_from: int | None = None
    valid_until: int | None = None


def is_restatement(new: Said, old: Said) -> bool:
    """True if the new words add nothing to the old ones."""
    words, speakers, began = new.text.casefold(), {new.speaker, old.speaker}, new.valid_from
    named = None not in speakers and len(speakers) > 1
    users = ANYBODY in speakers and all((one or "").startswith("user:") for one in speakers)
    same_day = new.at // _DAY_US == old.at // _DAY_US
    given = ("category", "place", "constraint", "valid_until")
    return (
        says_the_same(new.text, old.text)
        # The old statement has all the metadata of the new one.
        and all(getattr(new, name) in {None, getattr(old, name)} for name in given)
        and {*new.tags} <= {*old.tags}
        # The old words hold from the start of the new ones, which is not in the future.
        and (began is None or began <= new.at)
        and (began is None or old.valid_from is None or old.valid_from <= began)
        and (not named or users or _OF_A_PERSON.search(words) is None)
        and (same_day or _OF_A_DAY.search(words) is None)
    )


def says_the_same(one: str, other: str) -> bool:
    """True if two texts say the same, word for word; code and long texts with the same lines."""
    one, other = (_plain(text) for text in (one, other))
    if one == other:
        return True
    sentences = sentence_words(one)
    if not sentences or sentences != sentence_words(other):
        return False
    # Punctuation splits both alike: not 'No, deploys go on' and 'No deploys go on'.
    first, second = (_MARK.findall(text.casefold()) for text in (one, other))
    if opens_plainly(one) == opens_plainly(other):
        return first == second
    # An opening has its own punctuation, if any.
    opened, plain = (second, first) if opens_plainly(one) else (first, second)
    return plain in (opened, opened[1:])


def _plain(text: str) -> str:
    """Text with composed letters (NFC), straight quotation marks and no blank lines."""
    lines = unicodedata.normalize("NFC", text).translate(_QUOTES).strip().splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip())
