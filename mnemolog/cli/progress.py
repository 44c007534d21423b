"""Progress bars: on standard error, and only where somebody looks at it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mnemolog.cli.call import Call

    Progress = Callable[[str, int, int], None]


@contextmanager
def progress_of(call: Call) -> Iterator[Progress]:
    """What long work reports to: one bar for each thing that is being done."""
    if call.quiet or not sys.stderr.isatty():
        yield _unseen
        return
    from rich.console import Console  # noqa: PLC0415 - heavy, and for terminals alone
    from rich.progress import Progress, TaskID  # noqa: PLC0415 - heavy, and for terminals alone

    with Progress(console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def show(doing: str, done: int, total: int) -> None:
            if doing not in tasks:
                tasks[doing] = bars.add_task(doing, total=None)
            bars.update(tasks[doing], completed=done, total=total or None)

        yield show


def _unseen(doing: str, done: int, total: int) -> None:
    del doing, done, total
