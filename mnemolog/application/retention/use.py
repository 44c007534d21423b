"""What was of use: reported at once, written in batches off the answering path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from mnemolog.application.commands.command import Commanding
from mnemolog.application.commands.consulting import Consulted, in_turn
from mnemolog.application.commands.drafts import drafts
from mnemolog.application.commands.overdue_falls import falls_before_use
from mnemolog.application.home.elapsed import believed, present
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Author
from mnemolog.application.home.uses import Gathering, Use
from mnemolog.application.questions.fading import fading_of
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import Pace
from mnemolog.ledger.errors import InvalidField, StaleExpectation
from mnemolog.ledger.events import Draft, Recalled, RecalledContent
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.log import Expected
from mnemolog.policies.retention.forgetting import Fading, decide_use, use_of
from mnemolog.recall.answers.answers import STRONG, Hit
from mnemolog.recall.search.question import checked_cue

_TOGETHER = 100
"""The most memories that one command reports, so that it can be undone as one."""


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
