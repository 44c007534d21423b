"""Newest first among hits that say nearly the same, and each text once.

No detector finds every contradiction, so the order does not depend on one. Two hits say nearly
the same if the newer one answers what the older one answers: it holds every word of the cue that
the older one holds and half of its words, of talk three quarters of the longer; or, where it was
stored without a judgement on what it replaces, both are statements, near in meaning, and it holds
half of the cue's words. A name or number of the cue that only the older one holds keeps them
apart, and so does a model that reads an answer in the older one alone: "Leo lives in Linz" does not
replace "I live in Graz". A newer memory that was judged to replace an older one, whether the
judgement was acted on or not, precedes it. Nothing precedes a safety constraint or an immutable
memory but another such.
"""

from collections.abc import Sequence
from functools import cached_property

from msgspec.structs import replace

from mnemolog.language.analysis import Analyzer
from mnemolog.language.entities import entities
from mnemolog.language.sentences import spoken
from mnemolog.ledger.ids import Position
from mnemolog.projections.memories import DisputeRow
from mnemolog.recall.items import HitText
from mnemolog.recall.search.reading import log_odds
from mnemolog.recall.search.space_search import Ranked, SpaceSearch

AMONG = 10  # First hits that are compared with each other
_SHARED_WORDS = 0.5  # Least share of the older hit's words in the newer one
_NEAR = 0.5  # Least cosine of two hits about one subject, a name or number of the cue
_NEARER = 0.85  # Least cosine of two others: in talk, much is near that answers nothing
_NEARLY_AS_GOOD = 0.8  # Least share of the older hit's score that the newer one has
_SHARED_IN_TALK = 0.75  # The same of a turn of talk or a long text
_LONGEST_STATEMENT = 25  # Words
_COMPARED = 10_000  # Characters of a text whose words are compared; a plan compares many times
_READ_APART = 4.0  # Difference of log odds from which only the older one answers
_CUE_SHARE = 0.5  # Least share of the cue's words in the older hit that the newer one holds too


class Disputes:
    """Judgements on pairs of an older and a newer memory."""

    def __init__(self, rows: Sequence[DisputeRow]) -> None:
        self._open = {(row.old, row.new) for row in rows if row.winner is None}
        self._settled = {(row.old, row.new) for row in rows if row.winner is not None}

    def may_replace(self, new: Position, old: Position) -> bool | None:
        """True if the newer one was judged to replace the older; None without a judgement."""
        pair = old, new
        return True if pair in self._open else False if pair in self._settled else None

    def newer(self, old: Position) -> list[Position]:
        """Memories that were judged to replace an older one."""
        return sorted(new for one, new in self._open if one == old)


class ReadHit:
    """Text of a hit, and what is compared of it, each computed at most once."""

    def __init__(self, item: Ranked, read: HitText, analyzer: Analyzer) -> None:
        self.item, self.read, self._analyzer = item, read, analyzer
        self._compared = read.text[:_COMPARED]

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems of the text's words."""
        return frozenset(self._analyzer.words(self._compared))

    @cached_property
    def sequence(self) -> tuple[str, ...]:
        """Words of the text in order, without case and punctuation."""
        return tuple(self._analyzer.surface(self._compared))

    @cached_property
    def _spoken(self) -> tuple[str | None, str]:
        return spoken(self._compared)

    @property
    def heading(self) -> str | None:
        """Heading or speaker before the text, None without one."""
        return self._spoken[0]

    @cached_property
    def said(self) -> frozenset[str]:
        """Stems of the words behind a heading or speaker."""
        return frozenset(self._analyzer.words(self._spoken[1]))

    @cached_property
    def is_statement(self) -> bool:
        """True unless it is a turn of talk, which begins with its speaker, or a long text."""
        if len(self.sequence) > _LONGEST_STATEMENT:
            return False
        return self.item.is_note or self.heading is None

    @property
    def identity(self) -> object:
        """Key of hits that say the same of the same time."""
        rest = self.read.text[_COMPARED:]
        return self.item.space, self.sequence, rest, self.read.since

    @cached_property
    def identifying(self) -> frozenset[str]:
        """Stems of the names and numbers in the text."""
        named = " ".join(entities(self._compared))
        numbers = (word for word in self.sequence if any(map(str.isdigit, word)))
        return frozenset(self._analyzer.words(" ".join([named, *numbers])))


def newest_first(
    ranked: Sequence[Ranked],
    searches: Sequence[SpaceSearch],
    texts: Sequence[HitText],
    analyzer: Analyzer,
    disputes: Disputes,
) -> list[Ranked]:
    """Hits with the newest first among those that say nearly the same; `texts` are the hits'.

    A newer memory takes the older one's place, and both have the higher relevance of the two, so
    that which came first does not decide whether both are shown. The older one gets
    `outdated_by`, and of hits with the same words only the newest remains.
    """
    by_space = {search.space: search for search in searches}
    rest = [ReadHit(item, read, analyzer) for item, read in zip(ranked, texts, strict=True)]
    rest = _without_repeats(rest)
    placed: list[Ranked] = []
    read: list[ReadHit] = []
    while rest:
        first, *rest = rest
        old, search = first.item, by_space[first.item.space]
        later = [one for one in rest if _may_replace(one, first, search, disputes)]
        best = max(later, key=_age, default=None)
        judged = None if first.read.guarded else _judged(old, search, disputes)
        new = judged if best is None else best.item
        if new is None or any(new.memory == one.memory for one in placed):
            before = next(
                (one for one in reversed(read) if _may_replace(one, first, search, disputes)), None
            )
            if before is not None:
                relevance = max(old.relevance, before.item.relevance)
                old = replace(old, relevance=relevance, outdated_by=before.item.memory)
            placed.append(old)
            read.append(first)
            continue
        rest = [one for one in rest if one.item.memory != new.memory]
        score, relevance = max(old.score, new.score), max(old.relevance, new.relevance)
        placed.append(replace(new, score=score, relevance=relevance))
        placed.append(replace(old, relevance=relevance, outdated_by=new.memory))
        read += [first] if best is None else [best, first]
    return placed


def _judged(old: Ranked, search: SpaceSearch, disputes: Disputes) -> Ranked | None:
    """Newest memory that was judged to replace a hit, found by the cue or not."""
    for newer in reversed(disputes.newer(old.memory)):
        shown = search.answer_for(newer)
        if shown not in {None, old.memory} and not search.is_timelier(old.memory, shown):
            return Ranked(old.space, shown, old.found, old.score, old.relevance)
    return None


def _age(one: ReadHit) -> tuple[int, Position]:
    return one.item.time, one.item.memory


def _without_repeats(found: Sequence[ReadHit]) -> list[ReadHit]:
    """Hits without those whose words another hit repeats later."""
    newest: dict[object, ReadHit] = {}
    for one in found:
        key = one.identity
        if key not in newest or _age(newest[key]) < _age(one):
            newest[key] = one
    kept: dict[object, ReadHit] = {}
    for one in found:
        key = one.identity
        best = newest[key]
        if key not in kept:
            score = max(one.item.score, best.item.score)
            relevance = max(one.item.relevance, best.item.relevance)
            best.item = replace(best.item, score=score, relevance=relevance)
            kept[key] = best
    return [*kept.values()]


def _may_replace(new: ReadHit, old: ReadHit, search: SpaceSearch, disputes: Disputes) -> bool:
    """True if a later hit says nearly the same as one before it, and is newer."""
    if new.item.space != old.item.space or _age(new) <= _age(old):
        return False
    if search.is_timelier(old.item.memory, new.item.memory):
        return False
    if old.read.guarded and not new.read.guarded:
        return False
    if new.read.because_of is not None and new.read.because_of == old.read.memory_id:
        # What is left of a corrected memory is stored with the correction, and holds beside it.
        return False
    judged = disputes.may_replace(new.item.memory, old.item.memory)
    if judged is not None:
        return judged
    # Votes have said which of them answers.
    voted = old.item.taught > 0 or new.item.taught < 0
    return not voted and _says_nearly_the_same(new, old, search)


def _reads_apart(new: Ranked, old: Ranked) -> bool:
    """True if a model that read both finds an answer in the older one, and none in the newer."""
    if not ("read" in new.scores and "read" in old.scores):
        return False
    odds = log_odds(new.scores["read"])
    return odds < min(0.0, log_odds(old.scores["read"]) - _READ_APART)


def _says_nearly_the_same(new: ReadHit, old: ReadHit, search: SpaceSearch) -> bool:
    held, also = frozenset(old.item.matched), frozenset(new.item.matched)
    subject = held & old.identifying
    if not subject <= also or _reads_apart(new.item, old.item):
        return False
    stated = new.is_statement and old.is_statement and new.heading == old.heading
    least = _SHARED_WORDS if stated else _SHARED_IN_TALK
    # A text several times as long holds the words of many others.
    mine, theirs = (old.said, new.said) if stated else (old.words, new.words)
    longer = len(mine) if stated else max(len(mine), len(theirs))
    if held <= also and len(mine & theirs) >= least * longer:
        return True
    return (
        not new.read.judged
        and stated
        and len(held & also) >= _CUE_SHARE * len(held)
        and new.item.score >= _NEARLY_AS_GOOD * old.item.score
        and search.likeness(new.item.memory, old.item.memory) >= (_NEAR if subject else _NEARER)
    )
