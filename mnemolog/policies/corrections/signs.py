"""The words that show that a text may take something back: cheap to look for, before any form."""

from __future__ import annotations

from mnemolog.language.patterns import regex

_PLAIN_WORDS = regex(r"[a-z]+(?:'[a-z]+)?")
# The words without one of which no form matches and nothing is announced.
_SIGNS = frozenset(
    """
abandon abandoned accepted accurate actually ain't amend any anymore apologies aren't as axed bad
became become binned bumped but called can't cancel canceled cancelled canned ceased change
changed closed confused contrary converted correct correcting correction corrections couldn't cut
days dead decommissioned decreased delayed delete departed deprecated didn't disbanded discard
discontinued disregard dissolved ditched doesn't don't doubled downgraded dropped dropping edit
effective eliminated ended entry erase erratum error exchanged extended fact fallen falling false
fell fix forget formerly gave gone got grew handed hasn't haven't history ignore inaccurate
incorrect increased inherited instead isn't joined killed latest leaving left lifted longer
lowered mean meant memory migrated misremembered misspoke mistake mistaken mixed moved nah need
needs never nevermind new nixed no nope not note noted notes now nowadays obsolete off oops ought
out outdated over phased ported postponed previously promoted pulled pushed put quit quitting
raised rather reality reassigned rebooked record reduced relocated remove removed renamed replace
replaced replaces rescheduled reset resigned retire retired revised revoked rewritten rewrote
rolled rose said scrap scrapped scratch shelved shifted shortened should shut since sold sorry
stale starting statement stopped strike succeeded sunset superseded supersedes supplanted swapped
switched taken takes terminated there's these today told took traded transferred transitioned
translated true truth turned turns untrue update updated updating upgraded used valid wait wasn't
went weren't whoops withdrawn withdrew won't wrong wrongly wrote
""".split()  # noqa: SIM905 - one word a line would take three screens
)


def may_correct(text: str) -> bool:
    """Whether a text has any word with which something is taken back."""
    return not _SIGNS.isdisjoint(_PLAIN_WORDS.findall(text.lower().replace("\u2019", "'")))
