"""Which of two is the more: 'A is older than B', which 'B is older than A' denies."""

from __future__ import annotations

from typing import NamedTuple

from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.patterns import regex
from mnemolog.language.words.english import topic

# The first of a row, or the words before the stroke, and what says the reverse.
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
    """Of two things in the order of their names: in what the first is the more, or is not."""

    both: frozenset[str]
    words: tuple[str, ...]
    affirmed: bool


def comparison(clause: Clause) -> Comparison | None:
    """What a clause compares; None where it compares nothing, or only denies that it is more."""
    match = _THAN.match(clause.predicate)
    if match is None or not clause.affirmed or clause.past:
        # That one is not more may mean that both are equal.
        return None
    if match["m"] is None and _COMPARING.match(match["a"]) is None:
        return None
    one, other = topic(clause.subject.words), topic(clause.spelled(match["o"]).split())
    if not one or not other or one == other:
        return None
    key, less = _scale(match["m"], match["a"])
    turned = sorted(one) > sorted(other)
    # Which of the two is named first stands among the words: their sets together do not say it.
    first = sorted(other if turned else one)
    words = (match["v"], *match["b"].split(), "than", key, *first)
    return Comparison(one | other, words, affirmed=less == turned)


def _scale(degree: str | None, adjective: str) -> tuple[str, bool]:
    """In what two things are compared, and whether the reverse is said."""
    if degree is None:
        return _TURNED.get(adjective, (adjective, False))
    key, flips = _LONG_WORDS.get(adjective, (adjective, False))
    return key, flips != (degree != "more")
