"""Progress bars: on standard error, and only on a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mnemolog.cli.call import CommandCall

    Progress = Callable[[str, int, int], None]


@contextmanager
def progress_of(call: CommandCall) -> Iterator[Progress]:
    """Callback for long work: one bar for each task, with the count that is done."""
    if call.quiet or not sys.stderr.isatty():
        yield lambda _task, _done, _total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def show(task: str, done: int, total: int) -> None:
            if task not in tasks:
                tasks[task] = bars.add_task(task, total=None)
            bars.update(tasks[task], completed=done, total=total or None)

        yield show
