"""Uses of memories, buffered and written together."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mnemolog.application.home.home import Home
from mnemolog.ledger import errors
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.ids import MemoryId

_WAIT_S = 1.0  # how long uses wait for others to be written with
_FULL = 256  # so many uses are written without waiting
_LONGEST_PAUSE_S = 60.0  # longest pause before uses that the system refuses are tried again
_MOST_WAITING = 10_000  # more than so many refused uses are given up


class Use(NamedTuple):
    """Memories that were used at an instant, and the cue of the recall, if cues are kept."""

    memories: tuple[MemoryId, ...]
    at: Micros
    cue: str | None


class Gathering:
    """Buffer of uses, written in batches by a thread that ends when the buffer is empty."""

    def __init__(self, write: Callable[[Sequence[Use]], None], home: Home) -> None:
        self._write, self._home = write, home
        self._begin()

    def _begin(self) -> None:
        self._waiting: list[Use] = []
        self._changed, self._writing = threading.Condition(), threading.Lock()
        self._writer: threading.Thread | None = None
        self._closing, self._pid = False, os.getpid()

    def add(self, use: Use) -> None:
        """Buffer a use; the writer thread writes it within about a second."""
        if self._pid != os.getpid():
            # After a fork, the parent writes its buffer; its thread and lock holder are not here.
            self._begin()
        with self._changed:
            self._waiting.append(use)
            if self._writer is None:
                # Not a daemon: a program that ends without closing still writes its uses.
                self._writer = threading.Thread(target=self._soon, name="mnemolog-uses")
                self._writer.start()
            elif len(self._waiting) >= _FULL:
                self._changed.notify_all()

    def _soon(self) -> None:
        """Write the buffer every second until it is empty; back off while writes fail."""
        pause_s, said = _WAIT_S, ""

        def hurries() -> bool:
            return self._closing or (pause_s == _WAIT_S and len(self._waiting) >= _FULL)

        while True:
            with self._changed:
                self._changed.wait_for(hurries, pause_s)
            try:
                self.write()
                pause_s, said = _WAIT_S, ""
            except Exception as error:  # noqa: BLE001 - whatever it is, they wait on and are told of
                pause_s, before, said = min(2 * pause_s, _LONGEST_PAUSE_S), said, str(error)
                if said != before:
                    self._home.notify(f"uses are not written yet: {said}")
                if not threading.main_thread().is_alive():
                    # The interpreter would wait for this thread for ever.
                    self._give_up("the program has ended")
                    return
                if len(self._waiting) > _MOST_WAITING:
                    self._give_up(said)
            with self._changed:
                if self._closing or not self._waiting:
                    self._writer = None
                    return

    def _give_up(self, problem: str) -> None:
        with self._changed:
            lost, self._waiting = len(self._waiting), []
        self._home.notify(f"uses that are lost: {lost}; {problem}")

    def write(self) -> None:
        """Write all buffered uses; after an error they stay in the buffer."""
        if self._pid != os.getpid():
            return
        # A caller that finds the buffer empty must wait for a write in progress.
        with self._writing:
            with self._changed:
                uses, self._waiting = self._waiting, []
            try:
                if uses:
                    self._write(uses)
            except BaseException:
                with self._changed:
                    self._waiting = [*uses, *self._waiting]
                raise

    def close(self) -> None:
        """Write all buffered uses now; a notice counts the uses that are lost by a failed write."""
        if self._pid != os.getpid():
            return
        with self._changed:
            writer = self._writer
            self._closing = True
            self._changed.notify_all()
        # Join first: uses that the writer fails to write return to the buffer for `write` below.
        if writer is not None:
            writer.join()
        try:
            self.write()
        except (errors.LedgerError, OSError) as error:
            self._give_up(str(error))
