"""The judge of contradictions, asked for one command, with what it failed at."""

from __future__ import annotations

from mnemolog.application.commands.consulting import Consulted, Failure, Known
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.contradictions.judge import Contradiction
from mnemolog.policies.contradictions.settlement import Party

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

    def asked(self, new: Party, old: Known) -> Contradiction | None:
        """What the judge says of two memories; None too where it failed."""
        said = self._consulted.judged(Known(new, stored=False), old)
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
