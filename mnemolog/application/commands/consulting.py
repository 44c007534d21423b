"""Consultation of judge and summarizer for one command, without blocking other processes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

import msgspec

from mnemolog.application.home.home import Home
from mnemolog.ledger.errors import LedgerError
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.contradictions.judge import Contradiction, RuleJudge
from mnemolog.policies.contradictions.settlement import Party
from mnemolog.policies.retention.summaries import ExtractiveSummarizer

Answer = TypeVar("Answer")
Done = TypeVar("Done")
_REHEARSALS = 8


class Failure(NamedTuple):
    """Failure of a port, described in words."""

    problem: str


class Unasked(Exception):
    """Signal that a decision needs an answer from a port while other processes wait."""


class ComparedMemory(NamedTuple):
    """Memory to compare with: a stored one, or an earlier one of the same batch."""

    party: Party
    stored: bool


@runtime_checkable
class Reader(Protocol):
    """Judge that can recognise texts that state nothing to judge."""

    def reads(self, text: str) -> bool:
        """True if a text states anything that another text could contradict."""
        ...


def attempt(ask: Callable[[], Answer]) -> Answer | Failure:
    """Answer of a port, or its failure: a port may raise any exception, and no work is lost."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - whatever a port raises
        return Failure(str(error) or type(error).__name__)


class Consulted:
    """Cached answers of judge and summarizer for one command, over all its tries.

    A caller's own model may take seconds to answer. Inside `others_wait` only cached answers
    are available from it; a missing one raises `Unasked`. The built-in ports answer at once.
    """

    def __init__(self, home: Home) -> None:
        self._judge = home.judge
        self._summarizer = home.summarizer
        self._judged: dict[Hashable, Contradiction | Failure | None] = {}
        self._read: dict[str, bool | Failure] = {}
        self._summaries: dict[str, str | Failure] = {}
        self._others_wait = False

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
    def summarizer_name(self) -> str:
        """Class name of the summarizer."""
        return type(self._summarizer).__name__

    def judged(self, new: ComparedMemory, old: ComparedMemory) -> Contradiction | Failure | None:
        """Judgement of two memories, or the judge's failure."""
        asked = (_same(new), _same(old))
        if asked not in self._judged:
            self._ask(self._judge)
            self._judged[asked] = attempt(
                lambda: _judgement(self._judge.judge(new.party.statement, old.party.statement))
            )
        return self._judged[asked]

    def reads(self, text: str) -> bool | Failure:
        """True if a text states something to judge; or the judge's failure."""
        judge = self._judge
        if not isinstance(judge, Reader):
            return True
        if text not in self._read:
            self._ask(judge)
            self._read[text] = attempt(lambda: bool(judge.reads(text)))
        return self._read[text]

    def summary(self, text: str) -> str | Failure:
        """Summary of a text, or the summarizer's failure."""
        if text not in self._summaries:
            self._ask(self._summarizer)
            self._summaries[text] = attempt(lambda: _summary(self._summarizer.summary(text)))
        return self._summaries[text]

    def _ask(self, port: object) -> None:
        """Check before a port is asked. Raises `Unasked` if other processes would wait for it."""
        # Exact types: a caller's subclass of a built-in port may be slow.
        if self._others_wait and type(port) not in {RuleJudge, ExtractiveSummarizer}:
            raise Unasked


def in_turn(
    consulted: Consulted,
    turn: Callable[[], AbstractContextManager[None]],
    rehearse: Callable[[Consulted], object],
    act: Callable[[Consulted], Done],
) -> Done:
    """Result of an act that holds a lock; no other process waits while a model computes.

    If the act needs an answer of a judge or a summarizer, it is rehearsed first, without
    the lock and without appending. Then it is decided under the lock, on the state at that
    time, with the cached answers. After eight rehearsals without success it runs under the
    lock, and other processes wait.
    """
    for _ in range(_REHEARSALS):
        with suppress(Unasked), turn(), consulted.others_wait():
            return act(consulted)
        # An error caused by a concurrent write does not recur under the lock.
        with suppress(LedgerError):
            rehearse(consulted)
    with turn():
        return act(consulted)


def _same(known: ComparedMemory) -> Hashable:
    """Identity of a memory across the tries of a command.

    The id and the instant of a new memory change with each try; its statement does not.
    """
    if known.stored:
        return known.party.memory_id
    return msgspec.structs.replace(known.party.statement, said_at=0)


def _judgement(said: object) -> Contradiction | None:
    """Judgement that a judge returned. Raises `TypeError` or `ValueError` if it is invalid."""
    if said is not None and not isinstance(said, Contradiction):
        raise TypeError(f"it gave a {type(said).__name__}")
    # Validate the fields too: a word unknown to the vocabulary would be stored for good.
    return said and msgspec.convert(msgspec.to_builtins(said), Contradiction)


def _summary(said: object) -> str:
    """Summary that a summarizer returned. Raises `TypeError` if it is no string."""
    if not isinstance(said, str):
        raise TypeError(f"it gave a {type(said).__name__}")
    return said


_FAILURES = 3


class Judging:
    """Judge of one command, over all tries of it.

    After three failures in one try the judge is not asked again; `warnings` report this per
    memory.
    """

    def __init__(self, consulted: Consulted) -> None:
        self._consulted = consulted
        self._failures = 0
        self.warnings: dict[MemoryId, list[str]] = {}

    @property
    def name(self) -> str:
        """Name of the judge."""
        return self._consulted.judge_name

    @property
    def given_up(self) -> bool:
        """True if the judge failed too often to be asked again."""
        return self._failures >= _FAILURES

    def begin(self) -> None:
        """Reset for another try of the command, which meets the cached failures again."""
        self._failures = 0
        self.warnings = {}

    def reads(self, new: Party) -> bool:
        """True if a text states something to judge and the judge is available."""
        if self.given_up:
            self.warn(new, f"contradictions were not looked for: {self.name} failed before")
            return False
        said = self._consulted.reads(new.statement.text)
        if isinstance(said, Failure):
            self._failed(new, said)
            return False
        return said

    def asked(self, new: Party, old: ComparedMemory) -> Contradiction | None:
        """Judgement of two memories; None also if the judge failed."""
        said = self._consulted.judged(ComparedMemory(new, stored=False), old)
        if isinstance(said, Failure):
            self._failed(new, said)
            return None
        return said

    def _failed(self, new: Party, failure: Failure) -> None:
        self._failures += 1
        self.warn(new, f"not all was looked through: {self.name} failed: {failure.problem}")

    def warn(self, new: Party, warning: str) -> None:
        """Warning about a skipped check of a memory, recorded once."""
        told = self.warnings.setdefault(new.memory_id, [])
        if warning not in told:
            told.append(warning)
