"""Comparisons of two things: 'A is older than B', which 'B is older than A' denies."""

from __future__ import annotations

from typing import NamedTuple

from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.patterns import regex
from mnemolog.language.words.english import topic

# Each row: adjectives of one direction, a stroke, and adjectives of the reverse.
_PAIRS = """
older | younger newer
taller longer | shorter
faster quicker | slower
bigger larger greater | smaller tinier
heavier | lighter
cheaper | pricier dearer costlier
better | worse
stronger tougher | weaker
higher | lower
earlier sooner | later
hotter warmer | colder cooler
richer wealthier | poorer
harder | easier
closer nearer | farther further
wider broader | narrower
deeper | shallower
louder noisier | quieter
brighter | darker dimmer
thicker | thinner
more | less fewer
"""
_TURNED = {
    word: (row.split()[0], at == 1)
    for row in _PAIRS.strip().splitlines()
    for at, side in enumerate(row.split("|"))
    for word in side.split()
}
_LONG_WORDS = {"expensive": ("cheaper", True), "costly": ("cheaper", True),
               "difficult": ("harder", False), "popular": ("popular", False)}  # fmt: skip
_THAN = regex(
    r"(?P<v>[a-z]+) (?P<b>(?:[\w ]+? )??)(?:(?P<m>more|less|fewer) )?(?P<a>[\w-]+) than (?P<o>.+)$"
)
_COMPARING = regex(r"\w{2,}er$|better$|worse$|more$|less$")


class Comparison(NamedTuple):
    """Comparison of two things in the order of their names: a scale, and if the first is more."""

    both: frozenset[str]
    words: tuple[str, ...]
    affirmed: bool


def comparison(clause: Clause) -> Comparison | None:
    """Comparison that a clause states; None if it has none or only denies that one is more."""
    match = _THAN.match(clause.predicate)
    if match is None or not clause.affirmed or clause.past:
        # A denied 'more' may mean that both are equal.
        return None
    if match["m"] is None and _COMPARING.match(match["a"]) is None:
        return None
    one, other = topic(clause.subject.words), topic(clause.spelled(match["o"]).split())
    if not one or not other or one == other:
        return None
    key, less = _scale(match["m"], match["a"])
    turned = sorted(one) > sorted(other)
    # The words name the first thing: the union of both subjects loses the order.
    first = sorted(other if turned else one)
    words = (match["v"], *match["b"].split(), "than", key, *first)
    return Comparison(one | other, words, affirmed=less == turned)


def _scale(degree: str | None, adjective: str) -> tuple[str, bool]:
    """Scale of a comparison, and True if the adjective names the reverse."""
    if degree is None:
        return _TURNED.get(adjective, (adjective, False))
    key, flips = _LONG_WORDS.get(adjective, (adjective, False))
    return key, flips != (degree != "more")
