"""The call of a command: where it acts, as of when, and how it answers."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

import click

from mnemolog.cli.exit_codes import write_object
from mnemolog.cli.output.printing import write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mnemolog import Memory, Moment

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class CommandCall:
    """The values of the options that commands share."""

    home: Path | None = None
    spaces: tuple[str, ...] = ()
    actor: str | None = None
    session: str | None = None
    as_of: int | str | None = None
    as_json: bool = False
    quiet: bool = False

    @property
    def space(self) -> str:
        """The space of a command that acts in one."""
        return self.spaces[0] if self.spaces else "default"

    @contextmanager
    def memory(self, missing: Literal["create", "refuse"] = "refuse") -> Iterator[Memory]:
        """The memory of the home and space; its notices go to standard error.

        Only a command that stores something creates a missing home. If that command
        fails, the new home is removed again.
        """
        from mnemolog.application.home.home import discard_unused, home_path, is_missing

        home = home_path(self.home)
        new, absent = missing == "create" and is_missing(home), not home.exists()
        try:
            with self._opened(missing) as memory:
                yield memory
        except BaseException:
            if new:
                discard_unused(home)
            if new and absent:
                with suppress(OSError):
                    home.rmdir()
            raise

    @contextmanager
    def _opened(self, missing: Literal["create", "refuse"]) -> Iterator[Memory]:
        from mnemolog import Memory

        memory = Memory.open(
            self.home, self.space, missing=missing, actor=self.actor, run=self.session
        )
        try:
            with memory:
                yield memory
        finally:
            # After closing, which can add notices too.
            self.notice(*memory.notices)

    @contextmanager
    def reading(self) -> Iterator[Memory | Moment]:
        """The memory for questions: as it is, or as it was at `as_of`."""
        with self.memory() as memory:
            yield memory if self.as_of is None else memory.as_of(self.as_of)

    def show(
        self,
        question: Callable[[Memory | Moment], Answer],
        write: Callable[[Answer], None],
        key: str | None = None,
    ) -> None:
        """Ask a question and print the answer; as JSON, under a key if there is one."""
        with self.reading() as reader:
            found = question(reader)
        self.answer(found if key is None else {key: found}, lambda _: write(found))

    def answer(self, value: Answer, write: Callable[[Answer], None]) -> None:
        """Print an answer: as one JSON object, or for a person by `write`."""
        if self.as_json:
            write_json(value)
        else:
            write(value)

    def notice(self, *texts: str) -> None:
        """Print notes on standard error, unless the call is quiet."""
        if not self.quiet:
            for text in texts:
                if self.as_json:
                    write_object({"note": text})
                else:
                    click.echo(f"note: {text}", err=True)
