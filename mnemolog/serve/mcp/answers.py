"""Tool implementations: one function per tool, from its arguments to its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from mnemolog import Memory, MemoryFields, Moment
from mnemolog.ledger.errors import RedactionNotAllowed
from mnemolog.serve.mcp import arguments, results

Progress = Callable[[str, int, int], None]


class Call(NamedTuple):
    """Context of a tool call: the caller's memory, and the progress callback."""

    memory: Memory
    progress: Progress


def remember(call: Call, given: arguments.Remember) -> results.Done:
    """Store a memory."""
    fields = _fields(given)
    if given.valid_until is not None:
        fields["valid_until"] = given.valid_until
    if given.importance is not None:
        fields["importance"] = given.importance
    if given.lasting is not None:
        fields["lasting"] = given.lasting
    if given.id is not None:
        fields["id"] = given.id
    return results.done(call.memory.remember(given.content, **fields))


def recall(call: Call, given: arguments.Recall) -> results.Recalled:
    """Find memories for a cue, and report those shown with high relevance as used."""
    call.memory.upkeep.catch_up(call.progress)
    found = _at(call.memory, given.as_of).recall(
        given.cue,
        limit=given.limit,
        kinds=given.kinds,
        tags=given.tags,
        source=given.source,
        valid_at=given.valid_at,
    )
    if given.as_of is None:
        call.memory.use_shown((*found.hits, *found.constraints), cue=given.cue)
    shown = results.explained if given.explain else results.hit_of
    return results.Recalled(
        hits=tuple(map(shown, found.hits)),
        as_of=results.AsOf(found.as_of.position, found.as_of.instant),
        support=found.support,
        constraints=tuple(map(shown, found.constraints)),
        conflicts=tuple(map(shown, found.conflicts)),
        brought=tuple(map(shown, found.brought)),
        message=found.message,
        why=found.why if given.explain else None,
    )


def session_start(call: Call, given: arguments.SessionStart) -> results.Session:
    """Start a recall session, with its first hits."""
    call.memory.upkeep.catch_up(call.progress)
    begun = call.memory.sessions.start(
        given.query, entity=given.entity, limit=given.limit, max_rounds=given.max_rounds
    )
    return results.session_of(begun)


def session_vote(call: Call, given: arguments.SessionVote) -> results.Session:
    """Record votes on a session's hits, and return the next round."""
    return results.session_of(call.memory.sessions.vote(given.session_id, given.votes))


def session_resolve(call: Call, given: arguments.SessionResolve) -> results.Resolved:
    """End a session with the accepted memories."""
    done = call.memory.sessions.resolve(
        given.session_id, given.accepted_memory_ids, note=given.note
    )
    return results.Resolved(done.position, done.updated, done.learned)


def supersede(call: Call, given: arguments.Supersede) -> results.Done:
    """Replace older memories with a newer one."""
    receipt = call.memory.supersede(
        given.old, given.content, by=given.by, reason=given.reason, **_fields(given)
    )
    return results.done(receipt)


def pin(call: Call, given: arguments.Pin) -> results.Done:
    """Pin a memory in working memory."""
    receipt = call.memory.pin(given.memory_id, until=given.until, reason=given.reason)
    return results.done(receipt)


def unpin(call: Call, given: arguments.Unpin) -> results.Done:
    """Remove a memory's pin from working memory."""
    return results.done(call.memory.unpin(given.memory_id, reason=given.reason))


def plan(call: Call, given: arguments.Plan) -> results.Planned:
    """Rank options by the known constraints, and report those shown as used."""
    call.memory.upkeep.catch_up(call.progress)
    found = call.memory.plan(given.goal, given.options, limit=given.limit)
    call.memory.use_shown(found.constraints, cue=given.goal)
    return results.Planned(
        tuple(map(results.option_of, found.options)),
        tuple(map(results.hit_of, found.constraints)),
    )


def context(call: Call, given: arguments.Context) -> results.Assembled:
    """Assemble the context for a prompt, and report it as used for that prompt."""
    call.memory.upkeep.catch_up(call.progress)
    found = call.memory.context(given.prompt, budget=given.budget, task=given.task or ())
    if found.memory_ids:
        call.memory.use(*found.memory_ids, cue=given.prompt)
    return results.Assembled(
        text=found.text,
        tokens=found.tokens,
        memory_ids=found.memory_ids,
        left_out=dict(Counter(one.reason for one in found.left_out)),
        message=found.message,
    )


def history(call: Call, given: arguments.History) -> results.Told:
    """Latest events of a memory and its chain."""
    return results.told(_at(call.memory, given.as_of).history(given.memory_id), given.limit)


def redact(call: Call, given: arguments.Redact) -> results.Destroyed:
    """Destroy the content of memories, if the space allows agents to do so.

    Raises `RedactionNotAllowed`.
    """
    if not call.memory.settings().agents_may_redact:
        raise RedactionNotAllowed(call.memory.space)
    done = call.memory.redact(*given.memory_ids, reason=given.reason)
    return results.Destroyed(
        done.position, done.erased, done.complete, (*done.changed, *done.warnings), done.left
    )


def _at(memory: Memory, as_of: int | str | None) -> Memory | Moment:
    """Memory as it is now, or as of a past moment."""
    if as_of is None:
        return memory
    if isinstance(as_of, str) and (digits := as_of.removeprefix("@")).isdecimal():
        # A model writes numbers as strings, and positions as notes have them; Python parses no more
        # than 4,300 digits.
        return memory.as_of(int(digits[:20]))
    return memory.as_of(as_of)


def _fields(given: arguments.Remember | arguments.Supersede) -> MemoryFields:
    """Given fields of a memory; the library chooses the others."""
    fields: MemoryFields = {"tags": given.tags}
    if given.kind is not None:
        fields["kind"] = given.kind
    if given.source is not None:
        fields["source"] = given.source
    if given.valid_from is not None:
        fields["valid_from"] = given.valid_from
    return fields
