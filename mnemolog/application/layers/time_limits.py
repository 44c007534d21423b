"""Time limit for a look-up in a layer, with every failure as an outcome."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from time import monotonic

from mnemolog.ledger.errors import LedgerError
from mnemolog.recall.layers.layers import LayerFindings, Looked

_logger = logging.getLogger("mnemolog")
_THREAD = "mnemolog-layer"
_LAST_S = 10.0


def looked_within(limit_s: float, look: Callable[[], LayerFindings]) -> Looked:
    """Outcome of a look-up in a layer, after at most `limit_s` seconds.

    A slower look-up continues in a daemon thread; at exit the process waits at most ten
    seconds for it. Any exception makes the layer `failed`; an unexpected one is logged
    with its traceback.
    """
    found: Future[LayerFindings] = Future()
    started = monotonic()
    threading.Thread(target=_carry_out, args=(found, look), name=_THREAD, daemon=True).start()
    wait([found], timeout=limit_s)
    took_ms = round((monotonic() - started) * 1000, 3)
    if not found.done():
        late = f"it took longer than {limit_s:.3g} s" if limit_s > 0 else "no time was left"
        return Looked("timed out", (), took_ms, late)
    error = found.exception()
    if error is None:
        answer = found.result()
        if not answer.passages:
            return Looked("empty", (), took_ms, answer.note)
        return Looked("answered", answer.passages, took_ms, answer.note)
    if not isinstance(error, LedgerError | OSError):
        _logger.error("a layer failed unexpectedly", exc_info=error)
    return Looked("failed", (), took_ms, str(error) or type(error).__name__)


def _carry_out(found: Future[LayerFindings], look: Callable[[], LayerFindings]) -> None:
    try:
        found.set_result(look())
    except BaseException as error:  # noqa: BLE001 - handed to the thread that asks
        found.set_exception(error)


@atexit.register
def _let_late_looks_end() -> None:
    """Wait at most ten seconds for the threads of look-ups that timed out.

    A thread that runs compiled code while the interpreter exits would abort the process.
    """
    until = monotonic() + _LAST_S
    for thread in threading.enumerate():
        if thread.name == _THREAD:
            thread.join(max(0.0, until - monotonic()))
