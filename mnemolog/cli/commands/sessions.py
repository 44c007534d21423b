"""Commands that learn from votes: session, vote, associations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

import click

from mnemolog.cli.exit_codes import refuse
from mnemolog.cli.groups import SuggestingGroup
from mnemolog.cli.options import (
    READING,
    WRITING,
    Command,
    limit,
    number,
    repeated,
    shared,
    with_options,
)
from mnemolog.cli.output import printing as out
from mnemolog.cli.output.memories import write_hits
from mnemolog.cli.output.receipts import write_receipt
from mnemolog.cli.times import when

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemolog import Associate, Associations, Memory, Resolution, Session
    from mnemolog.cli.call import CommandCall
    from mnemolog.ledger.events import Vote

_VOTES: dict[str, str] = {
    "hot": "Exactly this.",
    "warm": "Close, but not it.",
    "cold": "Not this.",
    "wrong": "Not this, and misleading.",
    "spark": "Not this, but it reminds you of something: search on from it.",
}


def _votes(command: Command) -> Command:
    """Give a command an option for each kind of vote."""
    options = (repeated(f"--{vote}", metavar="ID", help=text) for vote, text in _VOTES.items())
    return with_options(tuple(options), command)


def _given(votes: dict[str, object]) -> dict[str, Vote]:
    """The votes by memory. Refuses two on the same one, and none at all."""
    given: dict[str, Vote] = {}
    for vote in _VOTES:
        for one in cast("tuple[str, ...]", votes[vote]):
            if one in given:
                refuse(f"{one} has two votes: give it one")
            given[one] = cast("Vote", vote)
    if not given:
        refuse("no votes: give --hot ID, --warm ID, --cold ID, --wrong ID or --spark ID")
    return given


_entity = click.option(
    "--entity",
    metavar="NAME",
    help="What the query is about; what is learned applies only to queries that name it.",
)


@click.group(cls=SuggestingGroup)
def session() -> None:
    """Improve a recall by voting on its hits.

    `start` shows the first hits, `vote` rates them and shows better ones,
    `resolve` ends the session, and the memory learns from it.
    """


@session.command()
@click.argument("words", metavar="QUERY...", nargs=-1, required=True)
@_entity
@limit(5, 50, "Hits a round.")
@number("--max-rounds", 4, "How many rounds of votes at most.", high=20)
@shared(*WRITING)
def start(
    call: CommandCall, words: tuple[str, ...], *, entity: str | None, limit: int, max_rounds: int
) -> None:
    """Start a session on a query.

    QUERY is what to look for. The commands that follow need the session's id,
    which is also the only key to its content. A session expires after five
    minutes without use.
    """
    with call.memory() as memory:
        started = memory.sessions.start(
            " ".join(words), entity=entity, limit=limit, max_rounds=max_rounds
        )
        call.answer(started, _write_session)


@session.command(name="vote")
@click.argument("session_id", metavar="SESSION")
@_votes
@shared(*WRITING)
def vote_in(call: CommandCall, session_id: str, **votes: object) -> None:
    """Vote on the hits of a session, and see better ones.

    SESSION is the id that `session start` printed. ID is the id of a shown memory,
    the beginning of one, or `@` and its position.
    """
    given = _given(votes)
    with call.memory() as memory:
        shown = memory.sessions.vote(session_id, given)
        call.answer(shown, _write_session)


@session.command()
@click.argument("session_id", metavar="SESSION")
@click.argument("accepted", metavar="[ID]...", nargs=-1)
@click.option("--note", metavar="TEXT", help="A note on the result, stored with the event.")
@shared(*WRITING)
def resolve(
    call: CommandCall, session_id: str, accepted: tuple[str, ...], *, note: str | None
) -> None:
    """End a session, and learn from it.

    SESSION is the id that `session start` printed. Each ID is a memory that
    answered the query; no ID means that none did. Accepted memories count as
    used, as `mnemolog use` reports it.
    """
    with call.memory() as memory:
        done = memory.sessions.resolve(session_id, accepted, note=note)
        call.answer(done, partial(_write_resolution, memory))


@click.command()
@click.argument("words", metavar="QUERY...", nargs=-1, required=True)
@_votes
@_entity
@limit(10, 50, "How many hits the recall showed.")
@shared(*WRITING)
def vote(
    call: CommandCall, words: tuple[str, ...], *, entity: str | None, limit: int, **votes: object
) -> None:
    """Vote once on the hits of a recall.

    QUERY is the cue of the recall. This is a session of one round, resolved at
    once: similar queries learn from it.
    """
    given = _given(votes)
    with call.memory() as memory:
        done = memory.sessions.vote_once(" ".join(words), given, entity=entity, limit=limit)
        call.answer(done, partial(_write_resolution, memory))


@click.command()
@click.argument("reference")
@limit(50)
@shared(*READING)
def associations(call: CommandCall, reference: str, *, limit: int) -> None:
    """List what is associated with a memory.

    REFERENCE is the memory. Memories found or used together with it are
    associated; an association halves every 30 days. Memories that it led to in
    two sessions are recalled along with it.
    """
    call.show(lambda reader: reader.graph.associations(reference, limit=limit), _write_associations)


def _write_session(shown: Session) -> None:
    out.write_line(f"session {shown.session_id}")
    rounds = f"round {shown.round} of {shown.round + shown.rounds_left}"
    out.write_line(f"{rounds}, expires {when(shown.expires_at)} unless it is used")
    write_hits(shown.memories)
    if shown.memories and shown.converged:
        out.write_line("no new memories found")
    for branch in shown.spark_branches:
        out.write_line(f"from the spark {branch.spark}:")
        write_hits(branch.memories)


def _write_resolution(memory: Memory, done: Resolution) -> None:
    write_receipt(memory, done)
    if done.learned:
        out.write_line(f"learned about {out.counted(done.updated, 'memory')}, for similar queries")
    else:
        out.write_line("learned nothing")


def _write_associations(found: Associations) -> None:
    ids = out.short_ids([*(one.memory_id for one in found.together), *found.brings])
    columns: dict[str, Callable[[Associate], str]] = {
        "strength": lambda one: f"{one.strength:.3f}",
        "id": lambda one: ids[one.memory_id],
        "memory": lambda one: out.known_text(one.content),
    }
    if found.together or not found.brings:
        out.write_table("associations", found.together, columns)
    for one in found.brings:
        out.write_line(f"recalled along with it: {ids[one]}")
