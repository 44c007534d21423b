"""Use reports: reported immediately, written in batches outside the answering path."""

from collections.abc import Sequence
from functools import partial

from mnemolog.application.commands.command import (
    PlannedAppend,
    append_planned,
    expected_of,
    falls_before_use,
    memories_named,
    strengths_locked,
)
from mnemolog.application.commands.consulting import Consulted, in_turn
from mnemolog.application.commands.receipts import drafts
from mnemolog.application.home.space import WritableSpace, believed, present
from mnemolog.application.home.uses import Use
from mnemolog.application.questions.browse import fading_of, settings_of
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Draft, Recalled, RecalledContent
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.log import Expected
from mnemolog.policies.retention.forgetting import decide_use, use_of
from mnemolog.recall.answers import STRONG, Hit
from mnemolog.recall.search.checks import checked_cue

_TOGETHER = 100  # maximum memories that one command reports; the command can be undone as a whole


def use(space: WritableSpace, *references: str, cue: str | None = None) -> None:
    """Report memories as used: an answer relied on them, or a prompt included them.

    Use strengthens a memory and restores it from a lower tier; reading it does not. Returns
    immediately: reports are written together within a second and at closing; a killed process
    loses those of its last second. More than a hundred memories become several use events. `cue`
    is the query that recalled them, kept only if the space's setting `keep_cues` is on. Raises
    `UnknownMemory`, and `InvalidField` for an invalid cue.
    """
    if not references:
        raise InvalidField("reference", "is missing", "name what was of use")
    asked, cut = None if cue is None else checked_cue(cue), space.cut()
    memories = memories_named(space, references, cut)
    kept = asked if settings_of(space, cut).keep_cues else None
    for one in _uses_of(memories, present(space.home, cut), kept):
        space.uses.add(one)


def use_shown(space: WritableSpace, hits: Sequence[Hit], *, cue: str | None = None) -> None:
    """Report hits shown to an agent as used, if their relevance is over 0.5, a strong support.

    An agent does not report what it used. Hits of other spaces are ignored; `cue` is as in `use`.
    """
    used = [
        hit.memory_id
        for hit in hits
        if hit.relevance > STRONG and hit.space == space.name and hit.content is not None
    ]
    if used:
        use(space, *used, cue=cue)


def write_uses(space: WritableSpace) -> None:
    """Write reported uses that are not written yet."""
    space.uses.write()


def record_uses(space: WritableSpace, uses: Sequence[Use]) -> None:
    """Append the events of uses, each as its own command; retries after a conflict."""

    def act(consulted: Consulted) -> None:
        append_planned(space, lambda: (PlannedAppend(*_decided(space, uses, consulted)), None))
        # If this fails, the next query updates the views and gets the error.
        space.home.follow()

    # Not `taking_turns`: it writes the pending uses first, which would call this again.
    rehearse = partial(_decided, space, uses)
    in_turn(Consulted(space.home), partial(strengths_locked, space.home), rehearse, act)


def used_events(
    space: WritableSpace, memories: Sequence[MemoryId]
) -> tuple[list[Draft], Expected | None]:
    """Events that record a use of memories now, and the expected state of the log."""
    uses = _uses_of([*dict.fromkeys(memories)], space.cut().instant, None)
    return _decided(space, uses, Consulted(space.home))


def _uses_of(memories: Sequence[MemoryId], at: Micros, cue: str | None) -> list[Use]:
    starts = range(0, len(memories), _TOGETHER)
    return [Use(tuple(memories[start : start + _TOGETHER]), at, cue) for start in starts]


def _decided(
    space: WritableSpace, uses: Sequence[Use], consulted: Consulted
) -> tuple[list[Draft], Expected | None]:
    cut = space.cut()
    used = [*dict.fromkeys(one for use in uses for one in use.memories)]
    fading, pace = fading_of(space.home, space.name, used, cut.position)
    known = {one.memory_id: one for one in fading}
    until = believed(space.home, space.name, cut)
    fell = partial(falls_before_use, space.home, consulted)
    batch: list[Draft] = []
    for use in uses:
        # Memories redacted in the meantime are skipped.
        there = [known[one] for one in use.memories if one in known]
        if not there:
            continue
        # The cue may quote any of them, so it is dropped if one was redacted.
        whole = len(there) == len(use.memories)
        cue = RecalledContent(use.cue) if use.cue is not None and whole else None
        together = [(Recalled(tuple(one.memory_id for one in there), use.at), there)]
        if until < use.at:
            # One each while the clock is in doubt.
            together = [(use_of(one, pace, use.at, until), [one]) for one in there]
        for recalled, some in together:
            decisions, after = decide_use(recalled, some, pace, until, fell, cue)
            known.update((one.memory_id, one) for one in after)
            batch += drafts(decisions, space.author, cut.instant)
    moved = {draft.memory_id for draft in batch if draft.memory_id is not None}
    return batch, expected_of(space, moved, cut)
