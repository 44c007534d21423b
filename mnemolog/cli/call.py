"""The call of a command: its input, where it acts, how it answers, what it asks a person."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Literal, TypeVar

import click
from msgspec import Struct

from mnemolog.cli.exit_codes import refuse, write_object
from mnemolog.cli.printing import counted, known_text, write_json, write_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mnemolog import CatchUp, CatchUpNotConfirmed, Memory, Moment, Receipt, Turn
    from mnemolog.indexes.filters import Indexing

    Progress = Callable[[str, int, int], None]

Missing = Literal["create", "refuse"]
SettingValue = str | int | float | bool | None
Answer = TypeVar("Answer")
Line = TypeVar("Line")
_MOST_TEXT_BYTES = 64 << 20  # no memory can be longer
_SHORTEST_RATED_S = 0.01  # a rate over less time says nothing
_YEAR = re.compile(r"\s*\d{4}(?:[-\dT]|\s*$)")  # A time in ISO 8601 begins with it
_STANDARD_INPUT = Path("standard input")


class CommandCall(Struct, frozen=True):
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
    def memory(
        self, missing: Missing = "refuse", indexing: Indexing = "foreground"
    ) -> Iterator[Memory]:
        """The memory of the home and space; a home that a failing command created is removed."""
        from mnemolog import Memory
        from mnemolog.application.home.home import discard_unused, home_path, is_missing

        home = home_path(self.home)
        new, absent = missing == "create" and is_missing(home), not home.exists()
        try:
            memory = Memory.open(
                self.home,
                self.space,
                missing=missing,
                actor=self.actor,
                run=self.session,
                indexing=indexing,
            )
            try:
                with memory:
                    yield memory
            finally:
                # After closing, which can add notices too.
                self.notice(*memory.notices)
        except BaseException:
            if new:
                discard_unused(home)
            if new and absent:
                with suppress(OSError):
                    home.rmdir()
            raise

    @contextmanager
    def reading(self) -> Iterator[Memory | Moment]:
        """The memory for questions: as it is, or as it was at `as_of`."""
        with self.memory() as memory:
            yield memory if self.as_of is None else memory.as_of(self.as_of)

    def refuse_past(self, otherwise: str = "") -> None:
        """Stop with a usage error if the command, which changes something, has a past moment."""
        if self.as_of is not None:
            refuse(f"the past cannot be changed: leave out --as-of{otherwise}")

    def ask(
        self,
        question: Callable[[Memory | Moment], Callable[..., Answer]],
        options: Mapping[str, object] = {},
    ) -> Answer:
        """Answer of a method of the memory, which takes the options by name, and checks them."""
        with self.reading() as reader:
            return question(reader)(**options)

    def act(
        self,
        command: Callable[[Memory], Callable[..., Answer]],
        write: Callable[[Memory, Answer], object],
        options: Mapping[str, object] = {},
        missing: Missing = "refuse",
    ) -> Answer:
        """Answer of a method of the memory to the `given` options, after printing it."""
        with self.memory(missing) as memory:
            found = command(memory)(**given(options, memory))
            if not self.answered(found):
                write(memory, found)
        return found

    def carry_out(
        self,
        command: Callable[[Memory], Callable[..., Receipt]],
        options: Mapping[str, object],
        missing: Missing = "refuse",
    ) -> None:
        """Run a method of the memory, as `act` does, and print its receipt."""
        from mnemolog.cli.memories import write_receipt

        self.act(command, write_receipt, options, missing)

    def answered(self, value: object) -> bool:
        """Print an answer as one JSON object and return True, unless it is for a person."""
        if self.as_json:
            write_json(value)
        return self.as_json

    def say(self, value: object, text: str) -> None:
        """Print an answer: as one JSON object, or for a person as a text."""
        if not self.answered(value):
            write_line(text)

    def notice(self, *texts: str) -> None:
        """Print notes on standard error, unless the call is quiet."""
        for text in () if self.quiet else texts:
            if self.as_json:
                write_object({"note": text})
            else:
                click.echo(f"note: {text}", err=True)

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """Callback for long work: a bar for each task on standard error, if that is a terminal.

        A bar tells how much is done, of how much, and how much a second on average.
        """
        if self.quiet or not sys.stderr.isatty():
            yield lambda _task, _done, _total: None
            return
        from rich import progress
        from rich.console import Console

        columns = (
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[rate]}"),
            progress.TimeRemainingColumn(),
        )
        tasks: dict[str, tuple[progress.TaskID, float]] = {}
        with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bars:

            def show(task: str, done: int, total: int) -> None:
                if task not in tasks:
                    tasks[task] = bars.add_task(task, total=None, rate=""), monotonic()
                bar, begun = tasks[task]
                passed = monotonic() - begun
                rate = f"{done / passed:,.0f} a second" if passed >= _SHORTEST_RATED_S else ""
                bars.update(bar, completed=done, total=total or None, rate=rate)

            yield show

    def shown_and_agreed(self, lines: Sequence[str], question: str) -> bool:
        """Agreement of a person who is shown `lines`; False without a terminal."""
        asks = sys.stdin.isatty()
        # With --json, a program reads the same in the answer or the error.
        if asks or not self.as_json:
            for line in lines:
                click.echo(line, err=True)
        return asks and click.confirm(question, abort=True, err=True)

    def agreed_to_catch_up(self, asked: CatchUp | CatchUpNotConfirmed, *heading: str) -> bool:
        """Agreement of a person to a tick that downgrades much; see `shown_and_agreed`."""
        doubt = () if asked.doubt is None else (f"{asked.doubt}: check that the clock is right",)
        lost = {"deleted": ", which destroys their text"}
        falls = asked.falls.items()
        lines = [*heading, *doubt]
        lines += [f"{counted(n, 'memory')} would fall to {to}{lost.get(to, '')}" for to, n in falls]
        lines += [f"  to {tier}: {known_text(text)}" for _, tier, text in asked.examples]
        return self.shown_and_agreed(lines, "go ahead?")


def given(fields: Mapping[str, object], memory: Memory) -> dict[str, object]:
    """Fields that have a value; references in `evidence` become ids of memories in `memory`."""
    known = {name: value for name, value in fields.items() if value is not None and value != ()}
    if isinstance(named := known.get("evidence"), tuple):
        known["evidence"] = tuple(memory.get(reference).memory_id for reference in named)
    return known


def confirm(question: str, because: str = "this cannot be undone") -> None:
    """Ask on the terminal, and stop unless the answer is yes; without one, refuse `because`."""
    if not sys.stdin.isatty():
        refuse(f"{because}, and nobody can be asked here: give --yes")
    click.confirm(question, abort=True, err=True)


class _LocalZone(tzinfo):
    """The user's zone with all its changes of offset; `datetime.astimezone()` fixes today's."""

    def utcoffset(self, at: datetime | None) -> timedelta | None:
        return None if at is None else at.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, _at: datetime | None) -> timedelta | None:
        return None

    def tzname(self, at: datetime | None) -> str | None:
        return None if at is None else at.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, at: datetime) -> datetime:
        return at.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)


def instant_of(field: str, text: str) -> str:
    """A time in relative words as ISO 8601; what begins with a year is left to the library.

    Raises `InvalidTime` for words that name no single time.
    """
    if _YEAR.match(text):
        return text
    from mnemolog.language.instants import UnreadTime, read_instant
    from mnemolog.ledger.errors import InvalidTime

    found = read_instant(text, datetime.now(_LocalZone()))
    if isinstance(found, UnreadTime):
        raise InvalidTime(field, found.problem, found.fix)
    return found.astimezone().isoformat()


def log_moment(_ctx: click.Context, param: click.Parameter, value: str | None) -> int | str | None:
    """A moment of the log: a position, with or without an @, or a time in ISO 8601."""
    if value is None:
        return None
    digits = value.removeprefix("@")
    # Twenty digits are beyond any log, and Python reads no more than 4,300 of them.
    if digits.isdecimal():
        return int(digits.lstrip("0")[:20] or "0")
    return instant_of(param.name or "moment", value)


def time_given(_ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A time in ISO 8601."""
    return None if value is None else instant_of(param.name or "time", value)


def scalar(text: str) -> SettingValue:
    """The number or truth value that a text is in JSON, or else the text itself."""
    import msgspec

    try:
        value: SettingValue = msgspec.json.decode(text, type=int | float | bool | None)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return text
    return value


def text_of(words: tuple[str, ...]) -> str:
    """The text that the words of a command line make, or standard input for a single -."""
    return standard_text().removesuffix("\n") if words == ("-",) else " ".join(words)


def standard_text() -> str:
    """The text on standard input; a usage error if it is not UTF-8."""
    try:
        return read_input(Path("-"), _MOST_TEXT_BYTES).decode()
    except UnicodeDecodeError as error:
        refuse(f"standard input is not UTF-8 at byte {error.start}; convert it first")


def read_input(file: Path, most_bytes: int) -> bytes:
    """The content of a file, or of standard input for `-`. Raises `MalformedFile`."""
    from mnemolog.ledger.files import read_at_most, read_regular

    if str(file) == "-":
        return read_at_most(sys.stdin.buffer, _STANDARD_INPUT, most_bytes)
    return read_regular(file, most_bytes)


def turns_of(file: Path) -> list[Turn]:
    """The turns of a conversation. Raises `InvalidField` for a line that is none."""
    from mnemolog import Turn

    return decoded_lines(file, Turn, "conversation", '{"role": …, "content": …}')


def decoded_lines(file: Path, line_type: type[Line], field: str, example: str) -> list[Line]:
    """The JSON objects of a file, one a line. Raises `InvalidField` with an `example` of a line."""
    import msgspec

    from mnemolog.ledger.errors import InvalidField
    from mnemolog.ledger.files import bounded_lines, open_regular
    from mnemolog.ledger.vocabulary import decode_json

    decode = msgspec.json.Decoder(line_type).decode
    standard = str(file) == "-"
    name = _STANDARD_INPUT if standard else file
    found = []
    with nullcontext(sys.stdin.buffer) if standard else open_regular(file) as opened:
        for number, line in enumerate(bounded_lines(opened, name), 1):
            try:
                if line.strip():
                    found.append(decode_json(decode, line))
            except msgspec.DecodeError as error:
                problem = f"line {number} of {file} cannot be read ({error})"
                raise InvalidField(field, problem, f"write one {example} a line") from None
    return found
