"""Openings and ends of sentences that say nothing themselves: 'actually', 'because …'."""

from __future__ import annotations

import re

from mnemolog.language.patterns import regex
from mnemolog.policies.corrections.lists import LISTS

_I = re.IGNORECASE
_OPENER = LISTS.pattern("opener")
_IT_IS = regex(r"^(?:(?:it|that)(?:'s| is| should be)|(?P<many>they)(?:'re| are))\s+", _I)
_EXCUSE = LISTS.pattern("excuse")
_NOW_FIRST = regex(r"^(?:now|instead|these days),?\s+(?=(?:he|she|it|they|we|i)\b)", _I)
# Words that begin an ordinary statement as well: they open one only before a mark.
_NEED_MARK = LISTS.pattern("need_mark")
_MAY_RUN_ON = LISTS.pattern("may_run_on")
_REASON = LISTS.pattern("reason")
_SAYS = LISTS.pattern("says")
_LEAD_IN = LISTS.pattern("lead_in")
_SCOPE = LISTS.pattern("scope")


def opened(text: str) -> tuple[bool, str]:
    """Test for opening words that announce a correction, and the sentence without its opening."""
    marked, rest = False, text.strip()
    while match := _OPENER.match(rest):
        word, end = match["mark"] or match["noise"], match["end"]
        after = rest[match.end() :]
        if end and not end.strip() and not _opens_unmarked(word, after):
            break
        marked = marked or match["mark"] is not None
        is_ = _IT_IS.match(after)
        rest = after if match["topic"] is None or is_ is None else _of_topic(match["topic"], after)
    excuse = _EXCUSE.search(rest)
    if excuse is not None and excuse.start():
        marked, rest = True, rest[: excuse.start()]
    return marked, rest.strip()


def _of_topic(topic: str, text: str) -> str:
    """'It is 50', said of the budget, as 'the budget is 50'."""
    return _IT_IS.sub(lambda found: f"{topic} {'are' if found['many'] else 'is'} ", text, count=1)


def _opens_unmarked(word: str, after: str) -> bool:
    """True if words open a sentence though no punctuation follows them."""
    if not _NEED_MARK.match(word):
        return True
    return _MAY_RUN_ON.match(word) is not None and _OPENER.match(after) is not None


def without_now(text: str) -> str:
    """A clause by a pronoun without the 'now' or 'instead' that it begins with."""
    return _NOW_FIRST.sub("", text)


def cut(text: str) -> str:
    """A clause without what only explains it."""
    return _REASON.sub("", text).strip().rstrip(".!,;: ")


def is_statement(text: str) -> bool:
    """True if a text is a statement, rather than only a name."""
    return _SAYS.match(text) is not None


def led_in(text: str) -> str | None:
    """Text after a few words that lead in to it; None if there are no such words."""
    match = _LEAD_IN.match(text)
    return None if match is None else text[match.end() :]


def scoped(text: str) -> tuple[str | None, str]:
    """Scope that a sentence gives first ('for the app, …'), and the rest of it."""
    match = _SCOPE.match(text)
    return (None, text) if match is None else (match["scope"], text[match.end() :])
