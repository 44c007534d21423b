"""What was of use: reported at once, written in batches off the answering path."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from ledger.clock import Micros
from ledger.errors import InvalidField, StaleExpectation
from ledger.events import Draft, Recalled, RecalledContent
from ledger.ids import MemoryId
from ledger.log import Expected
from mnemolog.commanding import Commanding
from mnemolog.consulting import Consulted, in_turn
from mnemolog.drafting import Author, drafts
from mnemolog.fading import fading_of, falls_before_use
from mnemolog.home import Home
from policies.forgetting import decide_use
from recall.questions import checked_cue

_WAIT_S = 1.0
"""How long uses wait for others to be written with."""

_FULL = 256
"""So many are written without waiting."""

_TOGETHER = 100
"""The most memories that one command reports, so that it can be undone as one."""


class Use(NamedTuple):
    """Memories that were of use at an instant, and the cue that brought them, if it is kept."""

    memories: tuple[MemoryId, ...]
    at: Micros
    cue: str | None


class Gathering:
    """Uses that wait to be written together, by a thread that lives while there are any."""

    def __init__(self, write: Callable[[Sequence[Use]], None], home: Home) -> None:
        self._write = write
        self._home = home
        self._begin()

    def _begin(self) -> None:
        self._waiting: list[Use] = []
        self._changed = threading.Condition()
        self._writing = threading.Lock()
        self._writer: threading.Thread | None = None
        self._closing = False
        self._pid = os.getpid()

    def add(self, use: Use) -> None:
        """Let a use be written soon."""
        if self._pid != os.getpid():
            # The parent writes what it was told; its thread, and who held its lock, are not here.
            self._begin()
        with self._changed:
            self._waiting.append(use)
            if self._writer is None:
                # No daemon: a program that ends without closing still writes them.
                self._writer = threading.Thread(target=self._soon, name="mnemolog-uses")
                self._writer.start()
            elif len(self._waiting) >= _FULL:
                self._changed.notify_all()

    def _soon(self) -> None:
        """Write what waits, second by second, until nothing does."""
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: self._closing or len(self._waiting) >= _FULL, _WAIT_S
                )
            try:
                self.write()
            except Exception as error:  # noqa: BLE001 - whatever it is, they wait on and are told of
                self._home.notify(f"uses are not written yet: {error}")
                if not threading.main_thread().is_alive():
                    # The program has ended: it would wait for this thread for ever.
                    self._home.notify(f"uses that are lost: {len(self._waiting)}")
                    return
            with self._changed:
                if self._closing or not self._waiting:
                    self._writer = None
                    return

    def write(self) -> None:
        """Write all that wait; those that could not be written go on waiting."""
        if self._pid != os.getpid():
            return
        # Who finds nothing waiting has to wait for who is writing.
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
        """Write all that wait, without waiting for more."""
        if self._pid != os.getpid():
            return
        with self._changed:
            writer = self._writer
            self._closing = True
            self._changed.notify_all()
        try:
            self.write()
        finally:
            if writer is not None:
                writer.join()


class Using(Commanding):
    """The commands that report what was of use."""

    def __init__(self, home: Home, author: Author) -> None:
        super().__init__(home, author)
        self._uses = Gathering(self._record, home)

    def use(self, *references: str, cue: str | None = None) -> None:
        """Report that memories were of use: an answer rested on them, or a prompt was given them.

        That strengthens them, and brings them back from the tier to which they had
        faded; looking at them does not. Returns at once: uses are written together, a
        second later at most, and when the memory is closed; a process that is killed
        loses those of its last second. More than a hundred are several uses. `cue` is
        what they were recalled for, kept only where the space's setting `keep_cues` says
        so. Raises `UnknownMemory`, and `InvalidField` for a cue that recalls nothing.
        """
        if not references:
            raise InvalidField("reference", "is missing", "name what was of use")
        asked = None if cue is None else checked_cue(cue)
        cut = self._cut()
        memories = self._memories(references, cut)
        kept = asked if self._settings(cut).keep_cues else None
        for start in range(0, len(memories), _TOGETHER):
            named = tuple(memories[start : start + _TOGETHER])
            self._uses.add(Use(named, cut.instant, kept))

    @contextmanager
    def _taking_turns(self) -> Iterator[None]:
        # In the order in which they were told: what was of use is not deleted by this tick.
        self.write_uses()
        with super()._taking_turns():
            yield

    def write_uses(self) -> None:
        """Write what was reported as used and is not written yet."""
        self._uses.write()

    def _record(self, uses: Sequence[Use]) -> None:
        """Append what uses come to, each a command of its own; again if others were first."""

        def act(consulted: Consulted) -> None:
            while True:
                batch, expected = self._decided(uses, consulted)
                try:
                    if batch:
                        self._home.log.append(batch, expected)
                except StaleExpectation:
                    continue
                self._home.head()
                return

        # Not as other commands take turns: these wait for the uses to be written.
        rehearse = partial(self._decided, uses)
        in_turn(Consulted(self._home), super()._taking_turns, rehearse, act)

    def _decided(self, uses: Sequence[Use], consulted: Consulted) -> tuple[list[Draft], Expected]:
        """The events that uses come to, one after the other, and what they were decided on."""
        cut = self._cut()
        used = [*dict.fromkeys(one for use in uses for one in use.memories)]
        fading, pace = fading_of(self._home, self.space, used, cut.position)
        known = {one.memory_id: one for one in fading}
        fell = partial(falls_before_use, self._home, consulted)
        batch: list[Draft] = []
        for use in uses:
            # What was redacted meanwhile is of use to nobody.
            there = [known[one] for one in use.memories if one in known]
            if not there:
                continue
            recalled = Recalled(tuple(one.memory_id for one in there), use.at)
            # A cue may quote any of them.
            whole = len(there) == len(use.memories)
            cue = RecalledContent(use.cue) if use.cue is not None and whole else None
            decisions, after = decide_use(recalled, there, pace, fell, cue)
            known.update((one.memory_id, one) for one in after)
            batch += drafts(decisions, self._author, cut.instant)
        moved = {draft.memory_id for draft in batch if draft.memory_id is not None}
        return batch, self._expected(moved, cut)
