"""One call of the command line: where it acts, as of when, and how it answers."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

import click

from mnemolog.cli.exits import write_object
from mnemolog.cli.output import write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mnemolog import Memory, Moment

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Call:
    """What the options shared by many commands came to."""

    home: Path | None = None
    spaces: tuple[str, ...] = ()
    actor: str | None = None
    session: str | None = None
    as_of: int | str | None = None
    as_json: bool = False
    quiet: bool = False

    @property
    def space(self) -> str:
        """The space that a command for one acts in."""
        return self.spaces[0] if self.spaces else "default"

    @contextmanager
    def memory(self, missing: Literal["create", "refuse"] = "refuse") -> Iterator[Memory]:
        """The memory of the home and space asked for; its notices go to standard error.

        Only a command that stores something creates a home that is not there; one that is
        refused leaves none.
        """
        from mnemolog.application.home.home import discard_unused, home_path, is_missing  # noqa: PLC0415 - heavy

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
        from mnemolog import Memory  # noqa: PLC0415 - heavy, and not needed for --help

        memory = Memory.open(
            self.home, self.space, missing=missing, actor=self.actor, run=self.session
        )
        try:
            with memory:
                yield memory
        finally:
            # Behind the closing: it may have something to say as well.
            self.notice(*memory.notices)

    @contextmanager
    def reading(self) -> Iterator[Memory | Moment]:
        """What questions are put to: the memory as it is, or as it was at `as_of`."""
        with self.memory() as memory:
            yield memory if self.as_of is None else memory.as_of(self.as_of)

    def answer(self, value: Answer, write: Callable[[Answer], None]) -> None:
        """Print an answer: as one JSON object, or as `write` shows it to a person."""
        if self.as_json:
            write_json(value)
        else:
            write(value)

    def notice(self, *texts: str) -> None:
        """Tell something beside the answer, unless told to be quiet."""
        if not self.quiet:
            for text in texts:
                if self.as_json:
                    write_object({"note": text})
                else:
                    click.echo(f"note: {text}", err=True)
