"""What was of use: reported at once, written in batches off the answering path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from mnemolog.application.commands.command import (
    PlannedAppend,
    append_planned,
    expected_of,
    memories_named,
)
from mnemolog.application.commands.consulting import Consulted, in_turn
from mnemolog.application.commands.drafts import drafts
from mnemolog.application.commands.overdue_falls import falls_before_use, strengths_locked
from mnemolog.application.home.elapsed import believed, present
from mnemolog.application.home.space import WritableSpace
from mnemolog.application.home.uses import Use
from mnemolog.application.questions.browse import settings_of
from mnemolog.application.questions.fading import fading_of
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import Pace
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Draft, Recalled, RecalledContent
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.log import Expected
from mnemolog.policies.retention.forgetting import Fading, decide_use, use_of
from mnemolog.recall.answers.answers import STRONG, Hit
from mnemolog.recall.search.checks import checked_cue

_TOGETHER = 100
"""The most memories that one command reports, so that it can be undone as one."""


def use(space: WritableSpace, *references: str, cue: str | None = None) -> None:
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
    cut = space.cut()
    memories = memories_named(space, references, cut)
    kept = asked if settings_of(space, cut).keep_cues else None
    for start in range(0, len(memories), _TOGETHER):
        named = tuple(memories[start : start + _TOGETHER])
        space.uses.add(Use(named, present(space.home, cut), kept))


def use_shown(space: WritableSpace, hits: Sequence[Hit], *, cue: str | None = None) -> None:
    """Report hits that an agent was shown: those of high relevance are of use.

    High is what makes the support of an answer strong, a relevance over 0.5. An agent
    that is shown what it asked for uses it, and does not come back to say so. `cue` is
    kept as `use` keeps it. Hits of other spaces are passed over.
    """
    used = [
        hit.memory_id
        for hit in hits
        if hit.relevance > STRONG and hit.space == space.name and hit.content is not None
    ]
    if used:
        use(space, *used, cue=cue)


def write_uses(space: WritableSpace) -> None:
    """Write what was reported as used and is not written yet."""
    space.uses.write()


def record_uses(space: WritableSpace, uses: Sequence[Use]) -> None:
    """Append what uses come to, each a command of its own; again if others were first."""

    def act(consulted: Consulted) -> None:
        append_planned(space, lambda: (PlannedAppend(*_decided(space, uses, consulted)), None))
        # Who asks next brings the views up to it, and is told if that cannot be.
        space.home.follow()

    # Not as other commands take turns: these wait for the uses to be written.
    rehearse = partial(_decided, space, uses)
    in_turn(Consulted(space.home), partial(strengths_locked, space.home), rehearse, act)


def used_events(space: WritableSpace, memories: Sequence[MemoryId]) -> tuple[list[Draft], Expected]:
    """The events of memories that are of use now, and what they were decided on."""
    instant, named = space.cut().instant, tuple(dict.fromkeys(memories))
    starts = range(0, len(named), _TOGETHER)
    uses = [Use(named[start : start + _TOGETHER], instant, None) for start in starts]
    return _decided(space, uses, Consulted(space.home))


def _decided(
    space: WritableSpace, uses: Sequence[Use], consulted: Consulted
) -> tuple[list[Draft], Expected]:
    """The events that uses come to, one after the other, and what they were decided on."""
    cut = space.cut()
    used = [*dict.fromkeys(one for use in uses for one in use.memories)]
    fading, pace = fading_of(space.home, space.name, used, cut.position)
    known = {one.memory_id: one for one in fading}
    until = believed(space.home, space.name, cut)
    fell = partial(falls_before_use, space.home, consulted)
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
            batch += drafts(decisions, space.author, cut.instant)
    moved = {draft.memory_id for draft in batch if draft.memory_id is not None}
    return batch, expected_of(space, moved, cut)


def _together(
    used: Sequence[Fading], pace: Pace, at: Micros, until: Micros
) -> Iterator[tuple[Recalled, Sequence[Fading]]]:
    """The uses that some memories come to: one, or one each where the clock is in doubt."""
    if until >= at:
        yield Recalled(tuple(one.memory_id for one in used), at), used
        return
    for one in used:
        yield use_of(one, pace, at, until), [one]
