"""Consultation of judge and summarizer for one command, without blocking other processes."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

import msgspec
from msgspec.structs import replace

from mnemolog.application.home.home import Home
from mnemolog.application.home.settings import Settings
from mnemolog.endpoints.named_models import named_model
from mnemolog.ledger.errors import LedgerError
from mnemolog.policies.contradictions.judge import (
    OFFERED,
    Contradiction,
    Judge,
    Party,
    Statement,
)
from mnemolog.policies.contradictions.rules import RuleJudge
from mnemolog.policies.retention.summaries import ExtractiveSummarizer
from mnemolog.results import converted

Answer = TypeVar("Answer")
Key = TypeVar("Key", bound=Hashable)
_Prepares = Callable[[Statement, Sequence[Statement]], None]


class Failure(NamedTuple):
    """Failure of a port, described in words."""

    problem: str


class Verdict(NamedTuple):
    """Judgement of two memories by a judge; `note` says why it is not the one that was named."""

    found: Contradiction | None
    judge: str
    note: str | None = None

    @property
    def likely(self) -> Contradiction | None:
        """Contradiction of at least the confidence `OFFERED`."""
        found = self.found
        return None if found is None or found.confidence < OFFERED else found


class Unasked(Exception):
    """Signal that a decision needs an answer from a port while other processes wait."""


class ComparedMemory(NamedTuple):
    """Memory to compare with: a stored one, or an earlier one of the same batch."""

    party: Party
    stored: bool

    def identity(self) -> Hashable:
        """Identity across tries, in which the id and the instant of a new memory change."""
        return self.party.memory_id if self.stored else replace(self.party.statement, said_at=0)


@runtime_checkable
class WithQuickJudge(Protocol):
    """Judge that names a quicker one for large batches."""

    quick: Judge


@runtime_checkable
class SeparatingJudge(Protocol):
    """Judge that says only on request what of a contradicted memory holds, since it takes time."""

    def kept(self, new: Statement, old: Statement) -> str | None:
        """Text that still holds, "" if nothing does, and None if the judge cannot tell."""
        ...


def attempt(ask: Callable[[], Answer]) -> Answer | Failure:
    """Answer of a port, or its failure: a port may raise any exception, and no work is lost."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - whatever a port raises
        return Failure(str(error) or type(error).__name__)


def judge_of(home: Home, settings: Settings) -> Judge:
    """Judge of new memories: the caller's, or the one that a setting names, or the built-in one."""
    named = named_model("judge", settings.judge)
    if named is None or home.given_judge is not None:
        return home.judge
    from mnemolog.endpoints.chat import ChatModel  # noqa: PLC0415 - by setting only
    from mnemolog.policies.contradictions.prompted import PromptedJudge  # noqa: PLC0415 - as above

    return PromptedJudge(ChatModel(named, settings.judge_limit_s).answer, named.model)


class Consulted:
    """Cached answers of judge and summarizer for one command, over all its tries.

    A caller's own model may take seconds to answer. Inside `others_wait` only cached answers
    are available from it; a missing one raises `Unasked`. The built-in ports answer at once.
    For `large` batches a judge's quicker one is asked, if it has one; `quick` says so. Once a
    `judge` other than the home's fails, the home's judges the rest of the command.
    """

    def __init__(self, home: Home, judge: Judge | None = None, *, large: bool = False) -> None:
        self._take(judge or home.judge)
        self._fallback = None if self._judge is home.judge else home.judge
        self.fell_back: str | None = None
        self.quick = large and isinstance(self._judge, WithQuickJudge)
        if large and isinstance(self._judge, WithQuickJudge):
            self._take(self._judge.quick)
            self._fallback = None
        self._summarizer = home.summarizer
        self.summarizer_name = type(home.summarizer).__name__
        self._judged: dict[Hashable, Verdict | Failure] = {}
        self._kept: dict[Hashable, str | Failure | None] = {}
        self._read: dict[str, bool | Failure] = {}
        self._summaries: dict[str, str | Failure] = {}
        self._others_wait = False

    def _take(self, judge: Judge) -> None:
        self._judge = judge
        # Judges may also make several judgements ready at once, and know texts that state nothing
        # to judge. A test of a protocol would take as long as ten judgements by rules.
        self._prepares: _Prepares | None = getattr(judge, "prepare", None)
        self._reads: Callable[[str], object] | None = getattr(judge, "reads", None)

    @contextmanager
    def others_wait(self) -> Iterator[None]:
        """Context in which only cached answers of slow ports are used; others raise `Unasked`."""
        self._others_wait = True
        try:
            yield
        finally:
            self._others_wait = False

    @property
    def judge_name(self) -> str:
        """Name of the judge."""
        return self._judge.name

    @property
    def at_once(self) -> int | None:
        """Most memories, the likeliest, that the judge compares with a new one, if it says so."""
        most: int | None = getattr(self._judge, "at_once", None)
        return most

    def judged(self, new: ComparedMemory, old: ComparedMemory) -> Verdict | Failure:
        """Judgement of two memories, or the judge's failure."""
        judge, note = self._judge, self.fell_back
        statements = new.party.statement, old.party.statement

        def ask() -> Verdict:
            return Verdict(checked_judgement(judge.judge(*statements)), judge.name, note)

        if type(judge) is RuleJudge:
            # It answers faster than the cache.
            said, key = attempt(ask), None
        else:
            key = new.identity(), old.identity()
            said = self._answer(self._judged, key, judge, ask)
        if isinstance(said, Failure) and self.fall_back(said.problem):
            self._judged.pop(key, None)
            return self.judged(new, old)
        return said

    def comparable(self, new: ComparedMemory, olds: Sequence[ComparedMemory]) -> Sequence[bool]:
        """Of each old memory False if the judge finds no contradiction in it, and has no note.

        The built-in rules compare few of the memories that share a word with a new one.
        """
        judge = self._judge
        every = [True] * len(olds)
        if type(judge) is not RuleJudge or self.fell_back is not None:
            return every
        statements = [old.party.statement for old in olds]
        said = attempt(lambda: judge.comparable(new.party.statement, statements))
        # The failure recurs when the judge is asked.
        return every if isinstance(said, Failure) else said

    def kept(self, new: ComparedMemory, old: ComparedMemory, found: Contradiction) -> str | None:
        """Text of a memory that still holds; None if the judge cannot tell, or fails."""
        judge = self._judge
        if found.kept is not None or not isinstance(judge, SeparatingJudge):
            return found.kept
        statements = new.party.statement, old.party.statement
        key = new.identity(), old.identity()
        said = self._answer(self._kept, key, judge, lambda: _kept_text(judge.kept(*statements)))
        return None if isinstance(said, Failure) else said

    def fall_back(self, problem: str) -> bool:
        """True if the home's judge replaces another one, for the rest of the command."""
        if self._fallback is None:
            return False
        names = f"{self._fallback.name} judged instead of {self._judge.name}"
        self.fell_back = f"{names}: {problem}"
        self._take(self._fallback)
        self._fallback = None
        return True

    def prepare(self, new: ComparedMemory, olds: Sequence[ComparedMemory]) -> None:
        """Make judgements ready that are asked for next.

        A failure recurs when they are, unless another judge takes over.
        """
        prepares = self._prepares
        if prepares is None or len(olds) < 2 or self._others_wait:  # noqa: PLR2004
            return
        own = new.identity()
        fresh = [one for one in olds if (own, one.identity()) not in self._judged]
        if len(fresh) > 1:
            said = [one.party.statement for one in fresh]
            failed = attempt(lambda: prepares(new.party.statement, said))
            if isinstance(failed, Failure) and self.fall_back(failed.problem):
                self.prepare(new, olds)

    def reads(self, text: str) -> bool | Failure:
        """True if a text states something to judge; or the judge's failure."""
        reads = self._reads
        if reads is None:
            return True
        return self._answer(self._read, text, self._judge, lambda: bool(reads(text)))

    def summary(self, text: str) -> str | Failure:
        """Summary of a text, or the summarizer's failure."""
        port = self._summarizer
        return self._answer(self._summaries, text, port, lambda: _text(port.summary(text)))

    def _answer(
        self, known: dict[Key, Answer | Failure], key: Key, port: object, ask: Callable[[], Answer]
    ) -> Answer | Failure:
        """Cached or new answer of a port. Raises `Unasked` if others would wait for it."""
        if key not in known:
            # Exact types: a caller's subclass of a built-in port may be slow.
            if self._others_wait and type(port) not in {RuleJudge, ExtractiveSummarizer}:
                raise Unasked
            known[key] = attempt(ask)
        return known[key]


def in_turn(
    consulted: Consulted,
    turn: Callable[[], AbstractContextManager[None]],
    rehearse: Callable[[Consulted], object],
    act: Callable[[Consulted], Answer],
) -> Answer:
    """Result of an act that holds a lock; no other process waits while a model computes.

    If the act needs an answer of a judge or a summarizer, it is rehearsed without the lock and
    without appending, then decided under the lock on the present state, with the cached answers.
    After eight rehearsals without success it runs under the lock, and other processes wait; but
    never for a judge that a setting names.
    """
    for _ in range(8):
        with suppress(Unasked), turn(), consulted.others_wait():
            return act(consulted)
        # An error caused by a concurrent write does not recur under the lock.
        with suppress(LedgerError):
            rehearse(consulted)
    consulted.fall_back("others wait for this command")
    with turn():
        return act(consulted)


def checked_judgement(said: object) -> Contradiction | None:
    """Judgement of a port. Raises `TypeError` or `ValidationError` if it does not fit."""
    if said is not None and not isinstance(said, Contradiction):
        raise TypeError(f"it gave a {type(said).__name__}")
    # Validate the fields too: a word unknown to the vocabulary would be stored for good.
    return said and converted(msgspec.to_builtins(said), Contradiction)


def _kept_text(said: object) -> str | None:
    return None if said is None else _text(said)


def _text(said: object) -> str:
    if not isinstance(said, str):
        raise TypeError(f"it gave a {type(said).__name__}")
    return said
