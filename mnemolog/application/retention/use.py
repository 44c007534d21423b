"""What was of use: reported at once, written in batches off the answering path."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from mnemolog.application.commands.command import Commanding
from mnemolog.application.commands.consulting import Consulted, in_turn
from mnemolog.application.commands.drafts import Author, drafts
from mnemolog.application.commands.overdue_falls import falls_before_use
from mnemolog.application.home.elapsed import believed, present
from mnemolog.application.home.home import Home
from mnemolog.application.questions.fading import fading_of
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import Pace
from mnemolog.ledger.errors import InvalidField, LedgerError, StaleExpectation
from mnemolog.ledger.events import Draft, Recalled, RecalledContent
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.log import Expected
from mnemolog.policies.retention.forgetting import Fading, decide_use, use_of
from mnemolog.recall.answers.answers import STRONG, Hit
from mnemolog.recall.search.question import checked_cue

_WAIT_S = 1.0
"""How long uses wait for others to be written with."""

_FULL = 256
"""So many are written without waiting."""

_LONGEST_PAUSE_S = 60.0
"""So rarely are uses tried again that the system refuses."""

_MOST_WAITING = 10_000
"""More than so many refused uses are given up."""

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
        """Write what waits, second by second, until nothing does; less often what is refused."""
        pause_s, said = _WAIT_S, ""
        while True:
            with self._changed:
                self._changed.wait_for(partial(self._hurries, pause_s), pause_s)
            try:
                self.write()
                pause_s, said = _WAIT_S, ""
            except Exception as error:  # noqa: BLE001 - whatever it is, they wait on and are told of
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
                if str(error) != said:
                    said = str(error)
                    self._home.notify(f"uses are not written yet: {said}")
                if not threading.main_thread().is_alive():
                    # The program has ended: it would wait for this thread for ever.
                    self._give_up("the program has ended")
                    return
                if len(self._waiting) > _MOST_WAITING:
                    self._give_up(said)
            with self._changed:
                if self._closing or not self._waiting:
                    self._writer = None
                    return

    def _hurries(self, pause_s: float) -> bool:
        return self._closing or (pause_s == _WAIT_S and len(self._waiting) >= _FULL)

    def _give_up(self, problem: str) -> None:
        with self._changed:
            lost, self._waiting = len(self._waiting), []
        self._home.notify(f"uses that are lost: {lost}; {problem}")

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
        """Write all that wait, without waiting for more; what cannot be is lost, and said so."""
        if self._pid != os.getpid():
            return
        with self._changed:
            writer = self._writer
            self._closing = True
            self._changed.notify_all()
        # First: what it takes and cannot write, waits again, and is written or counted here.
        if writer is not None:
            writer.join()
        try:
            self.write()
        except (LedgerError, OSError) as error:
            self._give_up(str(error))


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
            self._uses.add(Use(named, present(self._home, cut), kept))

    def use_shown(self, hits: Sequence[Hit], *, cue: str | None = None) -> None:
        """Report hits that an agent was shown: those of high relevance are of use.

        High is what makes the support of an answer strong, a relevance over 0.5. An agent
        that is shown what it asked for uses it, and does not come back to say so. `cue` is
        kept as `use` keeps it. Hits of other spaces are passed over.
        """
        used = [
            hit.memory_id
            for hit in hits
            if hit.relevance > STRONG and hit.space == self.space and hit.content is not None
        ]
        if used:
            self.use(*used, cue=cue)

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
                # Who asks next brings the views up to it, and is told if that cannot be.
                self._home.follow()
                return

        # Not as other commands take turns: these wait for the uses to be written.
        rehearse = partial(self._decided, uses)
        in_turn(Consulted(self._home), super()._taking_turns, rehearse, act)

    def _used(self, memories: Sequence[MemoryId]) -> tuple[list[Draft], Expected]:
        """The events of memories that are of use now, and what they were decided on."""
        instant, named = self._cut().instant, tuple(dict.fromkeys(memories))
        starts = range(0, len(named), _TOGETHER)
        uses = [Use(named[start : start + _TOGETHER], instant, None) for start in starts]
        return self._decided(uses, Consulted(self._home))

    def _decided(self, uses: Sequence[Use], consulted: Consulted) -> tuple[list[Draft], Expected]:
        """The events that uses come to, one after the other, and what they were decided on."""
        cut = self._cut()
        used = [*dict.fromkeys(one for use in uses for one in use.memories)]
        fading, pace = fading_of(self._home, self.space, used, cut.position)
        known = {one.memory_id: one for one in fading}
        until = believed(self._home, self.space, cut)
        fell = partial(falls_before_use, self._home, consulted)
        batch: list[Draft] = []
        for use in uses:
            # What was redacted meanwhile is of use to nobody.
            there = [known[one] for one in use.memories if one in known]
            if not there:
                continue
            # A cue may quote any of them.
            whole = len(there) == len(use.memories)
            cue = RecalledContent(use.cue) if use.cue is not None and whole else None
            for recalled, some in _together(there, pace, use.at, until):
                decisions, after = decide_use(recalled, some, pace, until, fell, cue)
                known.update((one.memory_id, one) for one in after)
                batch += drafts(decisions, self._author, cut.instant)
        moved = {draft.memory_id for draft in batch if draft.memory_id is not None}
        return batch, self._expected(moved, cut)


def _together(
    used: Sequence[Fading], pace: Pace, at: Micros, until: Micros
) -> Iterator[tuple[Recalled, Sequence[Fading]]]:
    """The uses that some memories come to: one, or one each where the clock is in doubt."""
    if until >= at:
        yield Recalled(tuple(one.memory_id for one in used), at), used
        return
    for one in used:
        yield use_of(one, pace, at, until), [one]
