"""What a judge and a summarizer say for one command, while no other process waits for them."""

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
    """That a port failed, and how, in words."""

    problem: str


class Unasked(Exception):
    """What has to be asked before it can be decided, where others would wait for the answer."""


class ComparedMemory(NamedTuple):
    """A memory to compare with: one that is stored, or an earlier one of the same batch."""

    party: Party
    stored: bool


@runtime_checkable
class Reader(Protocol):
    """A judge that can tell beforehand which texts state nothing that it could judge."""

    def reads(self, text: str) -> bool:
        """Whether a text states anything that another one could contradict."""
        ...


def attempt(ask: Callable[[], Answer]) -> Answer | Failure:
    """What a port answers, or that it failed: a port may raise anything, and nothing is lost."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - whatever a port raises
        return Failure(str(error) or type(error).__name__)


class Consulted:
    """The judge and the summarizer of one command, each asked a thing once, over all its tries.

    A model that a caller brings may think for seconds. While `others_wait`, it is asked
    nothing: what it has not said yet raises `Unasked`. What is built in answers at once.
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
        """Go by what has been said already; raises `Unasked` out of what needs more."""
        self._others_wait = True
        try:
            yield
        finally:
            self._others_wait = False

    @property
    def judge_name(self) -> str:
        """Who judges."""
        return self._judge.name

    @property
    def summarizer_name(self) -> str:
        """The class of what makes summaries."""
        return type(self._summarizer).__name__

    def judged(self, new: ComparedMemory, old: ComparedMemory) -> Contradiction | Failure | None:
        """What the judge says of two memories."""
        asked = (_same(new), _same(old))
        if asked not in self._judged:
            self._ask(self._judge)
            self._judged[asked] = attempt(
                lambda: _judgement(self._judge.judge(new.party.statement, old.party.statement))
            )
        return self._judged[asked]

    def reads(self, text: str) -> bool | Failure:
        """Whether there is anything to ask the judge about a text."""
        judge = self._judge
        if not isinstance(judge, Reader):
            return True
        if text not in self._read:
            self._ask(judge)
            self._read[text] = attempt(lambda: bool(judge.reads(text)))
        return self._read[text]

    def summary(self, text: str) -> str | Failure:
        """What stands for a text."""
        if text not in self._summaries:
            self._ask(self._summarizer)
            self._summaries[text] = attempt(lambda: _summary(self._summarizer.summary(text)))
        return self._summaries[text]

    def _ask(self, port: object) -> None:
        """Be about to ask a port. Raises `Unasked` where others would wait for what it says."""
        # What a caller derives from these may think like any other.
        if self._others_wait and type(port) not in {RuleJudge, ExtractiveSummarizer}:
            raise Unasked


def in_turn(
    consulted: Consulted,
    turn: Callable[[], AbstractContextManager[None]],
    rehearse: Callable[[Consulted], object],
    act: Callable[[Consulted], Done],
) -> Done:
    """What an act comes to that takes a turn; no other process waits while a model thinks.

    Where the act needs to hear from a judge or a summarizer, it is rehearsed first, with
    nothing held and nothing appended, and then decided in its turn, on what is there by
    then, with what was said. Where that is not enough time and again, others have to wait.
    """
    for _ in range(_REHEARSALS):
        with suppress(Unasked), turn(), consulted.others_wait():
            return act(consulted)
        # What goes wrong only because others write meanwhile is not met again in the turn.
        with suppress(LedgerError):
            rehearse(consulted)
    with turn():
        return act(consulted)


def _same(known: ComparedMemory) -> Hashable:
    """What a memory is known by from one try of a command to the next.

    Ids of new memories change, and the instant; what they say does not.
    """
    if known.stored:
        return known.party.memory_id
    return msgspec.structs.replace(known.party.statement, said_at=0)


def _judgement(said: object) -> Contradiction | None:
    """A judgement. Raises `TypeError` or `ValueError` for what is none."""
    if said is not None and not isinstance(said, Contradiction):
        raise TypeError(f"it gave a {type(said).__name__}")
    # Its fields too: a word that the vocabulary does not know would be stored for good.
    return said and msgspec.convert(msgspec.to_builtins(said), Contradiction)


def _summary(said: object) -> str:
    """A summary. Raises `TypeError` for what is none."""
    if not isinstance(said, str):
        raise TypeError(f"it gave a {type(said).__name__}")
    return said


_FAILURES = 3


class Judging:
    """The judge of one command, over all tries of it.

    After three failures of one try it is asked no more; `warnings` tell of them, by memory.
    """

    def __init__(self, consulted: Consulted) -> None:
        self._consulted = consulted
        self._failures = 0
        self.warnings: dict[MemoryId, list[str]] = {}

    @property
    def name(self) -> str:
        """Who judges."""
        return self._consulted.judge_name

    @property
    def given_up(self) -> bool:
        """Whether it failed too often to be asked again."""
        return self._failures >= _FAILURES

    def begin(self) -> None:
        """Begin another try of the command: it meets the failures of before again."""
        self._failures = 0
        self.warnings = {}

    def reads(self, new: Party) -> bool:
        """Whether there is anything to ask the judge about a text."""
        if self.given_up:
            self.warn(new, f"contradictions were not looked for: {self.name} failed before")
            return False
        said = self._consulted.reads(new.statement.text)
        if isinstance(said, Failure):
            self._failed(new, said)
            return False
        return said

    def asked(self, new: Party, old: ComparedMemory) -> Contradiction | None:
        """What the judge says of two memories; None too where it failed."""
        said = self._consulted.judged(ComparedMemory(new, stored=False), old)
        if isinstance(said, Failure):
            self._failed(new, said)
            return None
        return said

    def _failed(self, new: Party, failure: Failure) -> None:
        self._failures += 1
        self.warn(new, f"not all was looked through: {self.name} failed: {failure.problem}")

    def warn(self, new: Party, warning: str) -> None:
        """Tell of something that was not done for a memory, once."""
        told = self.warnings.setdefault(new.memory_id, [])
        if warning not in told:
            told.append(warning)
