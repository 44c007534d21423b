"""Time limit of a call, kept by a thread."""

import atexit
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from time import monotonic
from typing import TypeVar

_Answer = TypeVar("_Answer")

_THREAD, _LAST_S = "mnemolog-limited", 10.0


def started_within(limit_s: float, call: Callable[[], _Answer]) -> Future[_Answer]:
    """Result of a call, or its exception; not done if it takes longer than `limit_s`.

    A late call continues in a daemon thread, for ten seconds at exit at most.
    """
    found = Future[_Answer]()

    def carry_out() -> None:
        try:
            found.set_result(call())
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
            found.set_exception(error)

    threading.Thread(target=carry_out, name=_THREAD, daemon=True).start()
    wait([found], timeout=limit_s)
    return found


@atexit.register
def _let_late_calls_end() -> None:
    # A thread that runs compiled code while the interpreter exits would abort the process.
    until = monotonic() + _LAST_S
    for thread in threading.enumerate():
        if thread.name == _THREAD:
            thread.join(max(0.0, until - monotonic()))
