"""Reading of a text: its speaker, frames and predicates.

A predicate is affirmed or denied of a subject, in the same words for both.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Literal

import msgspec

from mnemolog.language.clauses.assertions import asserted
from mnemolog.language.clauses.attributes import READERS
from mnemolog.language.clauses.clauses import Clause, read_clause
from mnemolog.language.clauses.frames import Frame, doer
from mnemolog.language.clauses.needs import Alternatives
from mnemolog.language.lists import Lists
from mnemolog.language.words.lexicon import (
    DETERMINERS,
    LEXICON,
    PRONOUNS,
    is_place,
    noun,
    opposites,
    state_of,
    stem,
    topic,
)

LISTS = Lists("mnemolog.language.clauses", "predicates")
_PATTERNS = LISTS.patterns_by_name
_ROWS = {name: Alternatives(LISTS, name) for name in ("implied", "same", "begun")}

Share = Literal["all", "most", "some"] | None
_SHARES: dict[str, Share] = {
    **dict.fromkeys(("all", "every", "each"), "all"),
    "most": "most",
    **dict.fromkeys(("some", "several", "many", "few"), "some"),
}
_ENDS_OF_TROUBLE = {"fixed": False, "closed": False, "open": True, "unfixed": True, "gone": False}
_CHOOSING = frozenset({"prefer", "like"})


class Predicate(msgspec.Struct, frozen=True):
    """Predicate affirmed or denied of a subject, in the same words for both.

    `ever` separates an experience ('has done', 'has never done') from a habit ('does').
    `share` is the quantifier before the subject, if there is one.
    """

    subject: frozenset[str]
    words: tuple[str, ...]
    affirmed: bool
    state: bool
    clause: Clause
    ever: bool = False
    share: Share = None


class Reading(msgspec.Struct, frozen=True):
    """Speaker of a text, if it names one, and the statements of its clauses, in order.

    `topics` are those of the frames, `claims` the subjects of the predicates, each with True if
    something is affirmed of it and False if something is denied; `denials` are the opposite claims.
    """

    speaker: str | None
    frames: tuple[Frame, ...]
    predicates: tuple[Predicate, ...]
    topics: frozenset[frozenset[str]]
    claims: frozenset[tuple[frozenset[str], bool]]
    denials: frozenset[tuple[frozenset[str], bool]]


def read(text: str) -> Reading:
    """Reading of a text's statements."""
    telling = asserted(text)
    frames: list[Frame | None] = []
    predicates: list[Predicate | None] = []
    for clause in filter(None, map(read_clause, telling.clauses)):
        now = _of_now(clause)
        if now.affirmed and not now.episodic:
            frames += next(filter(None, (reader(now) for reader in READERS)), None), doer(now)
        predicates += map(read_predicate, (clause, *_given_up(clause)))
    told, claimed = tuple(filter(None, frames)), tuple(filter(None, predicates))
    topics = frozenset(frame.topic for frame in told)
    claims = frozenset((predicate.subject, predicate.affirmed) for predicate in claimed)
    denials = frozenset((subject, not affirmed) for subject, affirmed in claims)
    return Reading(telling.speaker, told, claimed, topics, claims, denials)


def _of_now(clause: Clause) -> Clause:
    """Clause without its replaced alternative ('tea instead of coffee'), except in a preference."""
    match = None if clause.verb in _CHOOSING else _PATTERNS.instead.match(clause.rest)
    if match is None or not match["new"]:
        return clause
    rest = match["new"]
    return msgspec.structs.replace(clause, rest=rest, predicate=f"{clause.verb} {rest}")


def _given_up(clause: Clause) -> Iterator[Clause]:
    """Denials that a clause implies: 'tea instead of coffee', 'switched from A to B'."""
    if not clause.affirmed or clause.verb in {"be", *_CHOOSING}:
        return
    match, verbs = _PATTERNS.instead.match(clause.rest), [clause.verb]
    if match is None and clause.verb in {"switch", "change", "migrate"}:
        match = _PATTERNS.switched.match(clause.rest)
        verbs = ["use", "drive", "drink", "take", "eat"]
    if match is None:
        return
    old, scope = match["old"], _PATTERNS.scoped.search(match.groupdict().get("new") or "")
    if scope is not None and _PATTERNS.scoped.search(f" {old}") is None:
        # 'Spaces in Python files instead of tabs' means no tabs in Python files.
        old += scope[0]
    for verb in verbs:
        yield msgspec.structs.replace(
            clause, verb=verb, rest=old, predicate=f"{verb} {old}", affirmed=False, past=False
        )


# -- predicates --------------------------------------------------------------------------


def read_predicate(clause: Clause) -> Predicate | None:
    """Predicate of a clause, with opposites read as denials; None if nothing in it lasts."""
    first, *rest = clause.subject.words
    share = _SHARES.get(first.lower()) if rest else None
    if share is not None:
        subject = msgspec.structs.replace(clause.subject, words=tuple(rest))
        clause = msgspec.structs.replace(clause, subject=subject)
    found = _read(clause)
    return found if found is None else msgspec.structs.replace(found, share=share)


def _read(clause: Clause) -> Predicate | None:
    if (compared := _comparison(clause)) is not None:
        return compared
    been = clause.verb == "be" and _PATTERNS.been.match(clause.predicate) is not None
    if clause.experienced or clause.never or been:
        return _experienced(clause)
    if clause.episodic or (clause.verb == "leave" and is_place(clause.rest)):
        return None
    if clause.verb == "cost" and any(a.dimension == "money" and a.amount for a in clause.amounts):
        about = topic(clause.subject.words)
        return Predicate(about, ("be", "paid"), clause.affirmed, state=True, clause=clause)
    return _present(clause)


def _present(clause: Clause) -> Predicate | None:
    said, flips = _positive(clause.predicate, *(("implied",) if clause.affirmed else ()), "same")
    affirmed = clause.affirmed != flips
    if said.startswith("approve "):
        # 'The board approved Atlas' states that Atlas is approved.
        about = topic(clause.spelled(said).split()[1:])
        return Predicate(about, ("be", "approved"), affirmed, state=True, clause=clause)
    state = False
    if said.startswith("be "):
        (phrase, flips), rest = state_of(said[3:]), said[3:]
        words = (*clause.subject.words, *clause.subject.words[-1].split("#"))
        if rest in _ENDS_OF_TROUBLE and not LEXICON.words("troubles").isdisjoint(map(noun, words)):
            phrase, flips = "resolved", _ENDS_OF_TROUBLE[rest]
        if phrase:
            state, said, affirmed = True, f"be {phrase}", affirmed != flips
    told = _PATTERNS.settled.match(said) is not None
    settled = told or (state and said.split()[1].endswith("ed"))
    past = clause.past and not settled
    if past and (not clause.when or _PATTERNS.been.match(clause.predicate)):
        return _experienced(clause)
    state |= told
    words = _words(clause.spelled(said))
    # A feeling passes, and prices may rise at one time and fall at another.
    feels = words[:1] == ("be",) and " ".join(words[1:]) in LEXICON.words("feelings")
    dated = clause.when or clause.aside.lately or " in Q" in said or "⟦" in said
    passing = (feels and not state) or (said.startswith("increase") and not dated)
    if passing or words in ((), ("be",)) or not PRONOUNS.isdisjoint(words):
        return None
    return Predicate(topic(clause.subject.words), words, affirmed, state, clause)


def _experienced(clause: Clause) -> Predicate | None:
    been = _PATTERNS.been.match(clause.predicate)
    said, flips = (f"visit {been['v']}", False) if been else _positive(clause.predicate, "same")
    words = _words(clause.spelled(said))
    if not words or not PRONOUNS.isdisjoint(words):
        return None
    if not clause.never and been is None:
        # Only for a particular thing: a person who did not drink coffee drank some another day.
        alone = len(words) == 1 and clause.experienced and not clause.subject.is_person
        done = clause.affirmed and clause.subject.is_person and len(words) > 1
        if not (alone or done or _PATTERNS.definite.match(clause.rest)):
            return None
    about, affirmed = topic(clause.subject.words), clause.affirmed != flips
    return Predicate(about, words, affirmed, state=False, clause=clause, ever=True)


def _positive(said: str, *readings: str) -> tuple[str, bool]:
    """Predicate in its positive words, and True if it denies them."""
    denied = False
    for match, gives in chain.from_iterable(_ROWS[name].matches(said) for name in readings):
        denied = gives.startswith("not ")
        said = gives.removeprefix("not ") + said[match.end() :]
        break
    if (nothing := _PATTERNS.no_such.match(said)) is not None:
        said, denied = f"{nothing[1]} {said[nothing.end() :]}", not denied
    for match, gives in _ROWS["begun"].matches(said):
        return match[1] + said[match.end() :], denied != (gives == "not")
    return said, denied


def _words(said: str) -> tuple[str, ...]:
    words = [noun(word) for word in said.split() if word.lower() not in DETERMINERS]
    return (stem(words[0]), *words[1:]) if words else ()


def _comparison(clause: Clause) -> Predicate | None:
    """Comparison of two things: 'A is older than B', which 'B is older than A' denies."""
    match = _PATTERNS.than.match(clause.predicate) if " than " in clause.predicate else None
    if match is None or not clause.affirmed or clause.past:
        # A denied 'more' may mean that both are equal.
        return None
    if match["m"] is None and _PATTERNS.comparing.match(match["a"]) is None:
        return None
    one, other = topic(clause.subject.words), topic(clause.spelled(match["o"]).split())
    if not one or not other or one == other:
        return None
    scales = "comparatives" if match["m"] is None else "compared_with_more"
    key, less = opposites(scales).get(match["a"], (match["a"], False))
    less ^= match["m"] not in {None, "more"}
    turned = sorted(one) > sorted(other)
    # The words name the first thing: the union of both subjects loses the order.
    words = (match["v"], *match["b"].split(), "than", key, *sorted(other if turned else one))
    return Predicate(one | other, words, less == turned, state=False, clause=clause)
