"""The judge of contradictions, asked for one command: each question once, whatever it raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

import msgspec

from ledger.ids import MemoryId
from policies.conflicts import Party
from policies.contradictions import Contradiction, Judge, Statement

_FAILURES = 3
Answer = TypeVar("Answer")


class Failure(NamedTuple):
    """That a port failed, and how, in words."""

    problem: str


def attempt(ask: Callable[[], Answer]) -> Answer | Failure:
    """What a port answers, or that it failed: a port may raise anything, and nothing is lost."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - whatever a port raises
        return Failure(str(error) or type(error).__name__)


@runtime_checkable
class Reader(Protocol):
    """A judge that can tell beforehand which texts state nothing that it could judge."""

    def reads(self, text: str) -> bool:
        """Whether a text states anything that another one could contradict."""
        ...


class Known(NamedTuple):
    """A memory to compare with: one that is stored, or an earlier one of the same batch."""

    party: Party
    stored: bool


class Judging:
    """The judge of one command, over all tries of it.

    What it said of two memories it is not asked again. After three failures it is
    asked no more; `warnings` tell of them, by memory.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._said: dict[tuple[Statement, Statement | MemoryId], Contradiction | None] = {}
        self._failures = 0
        self.warnings: dict[MemoryId, list[str]] = {}

    @property
    def name(self) -> str:
        """Who judges."""
        return self._judge.name

    @property
    def given_up(self) -> bool:
        """Whether it failed too often to be asked again."""
        return self._failures >= _FAILURES

    def begin(self) -> None:
        """Begin another try of the command."""
        self.warnings = {}

    def reads(self, new: Party) -> bool:
        """Whether there is anything to ask the judge about a text."""
        if self.given_up:
            self.warn(new, f"contradictions were not looked for: {self.name} failed before")
            return False
        judge = self._judge
        if not isinstance(judge, Reader):
            return True
        said = attempt(lambda: bool(judge.reads(new.statement.text)))
        if isinstance(said, Failure):
            self._failed(new, said)
            return False
        return said

    def asked(self, new: Party, old: Known) -> Contradiction | None:
        """What the judge says of two memories; None too where it failed."""
        # Ids of new memories change from try to try, and the instant; what they say does not.
        theirs = old.party.memory_id if old.stored else _timeless(old.party.statement)
        asked = (_timeless(new.statement), theirs)
        if asked not in self._said:
            said = attempt(lambda: self._judged(new, old.party))
            if isinstance(said, Failure):
                self._failed(new, said)
                return None
            self._said[asked] = said
        return self._said[asked]

    def _judged(self, new: Party, old: Party) -> Contradiction | None:
        """What the judge says. Raises `TypeError` or `ValueError` for what is no judgement."""
        said = self._judge.judge(new.statement, old.statement)
        if said is not None and not isinstance(said, Contradiction):
            raise TypeError(f"it gave a {type(said).__name__}")
        # Its fields too: a word that the vocabulary does not know would be stored for good.
        return said and msgspec.convert(msgspec.to_builtins(said), Contradiction)

    def _failed(self, new: Party, failure: Failure) -> None:
        self._failures += 1
        self.warn(new, f"not all was looked through: {self.name} failed: {failure.problem}")

    def warn(self, new: Party, warning: str) -> None:
        """Tell of something that was not done for a memory, once."""
        told = self.warnings.setdefault(new.memory_id, [])
        if warning not in told:
            told.append(warning)


def _timeless(said: Statement) -> Statement:
    return msgspec.structs.replace(said, said_at=0)
