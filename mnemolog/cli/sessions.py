"""Recall sessions, votes and what they teach: session, vote, associations."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from mnemolog.cli.answers import write_hits
from mnemolog.cli.exits import refuse
from mnemolog.cli.options import READING, WRITING, Command, acts
from mnemolog.cli.output import Row, one_line, short_ids, when, write_line, write_table
from mnemolog.cli.receipts import write_receipt

if TYPE_CHECKING:
    from mnemolog import Associations, Resolution, Session
    from mnemolog.cli.call import Call
    from mnemolog.ledger.events import Vote

_VOTES: dict[str, str] = {
    "hot": "Exactly this; may be repeated.",
    "warm": "Closer, but not it yet; may be repeated.",
    "cold": "Not this; may be repeated.",
    "wrong": "Not this, and misleading; may be repeated.",
    "spark": "Not this, but it reminds of something: a branch begins there; may be repeated.",
}


def _votes(command: Command) -> Command:
    """Give a command an option for each kind of vote."""
    for vote, told in reversed(_VOTES.items()):
        command = click.option(f"--{vote}", multiple=True, metavar="ID", help=told)(command)
    return command


def _given(votes: dict[str, object]) -> dict[str, Vote]:
    """The votes by memory. Refuses two on the same one, and none at all."""
    given: dict[str, Vote] = {}
    for vote in _VOTES:
        for one in cast("tuple[str, ...]", votes[vote]):
            if one in given:
                refuse(f"{one} has two votes: give it one")
            given[one] = cast("Vote", vote)
    if not given:
        refuse("nothing is voted on: say --hot ID, --warm ID, --cold ID, --wrong ID or --spark ID")
    return given


_entity = click.option(
    "--entity",
    metavar="NAME",
    help="Whom or what it is about: what is learned counts for queries that name it alone.",
)


@click.group()
def session() -> None:
    """Find, by voting on what is shown, what one recall missed.

    `start` shows the first hits, `vote` says what they are worth and shows better ones,
    `resolve` ends the session, and the memory learns from it.
    """


@session.command()
@click.argument("words", metavar="QUERY...", nargs=-1, required=True)
@_entity
@click.option(
    "--limit", type=click.IntRange(1, 50), default=5, show_default=True, help="Hits a round."
)
@click.option(
    "--max-rounds",
    type=click.IntRange(1, 20),
    default=4,
    show_default=True,
    help="How often may be voted.",
)
@acts(*WRITING)
def start(
    call: Call, words: tuple[str, ...], *, entity: str | None, limit: int, max_rounds: int
) -> None:
    """Begin a session on a query.

    QUERY is what is looked for. The session's id is for the commands that follow; it opens
    what the session is about, which is kept nowhere else. A session that is not used for
    five minutes expires.
    """
    with call.memory() as memory:
        begun = memory.sessions.start(
            " ".join(words), entity=entity, limit=limit, max_rounds=max_rounds
        )
        call.answer(begun, _write_session)


@session.command(name="vote")
@click.argument("session_id", metavar="SESSION")
@_votes
@acts(*WRITING)
def vote_in(call: Call, session_id: str, **votes: object) -> None:
    """Vote on what a session showed, and see what that brings.

    SESSION is the id that `session start` printed; an ID is that of a memory that was
    shown, the beginning of it, or `@` and its position.
    """
    given = _given(votes)
    with call.memory() as memory:
        call.answer(memory.sessions.vote(session_id, given), _write_session)


@session.command()
@click.argument("session_id", metavar="SESSION")
@click.argument("accepted", metavar="[ID]...", nargs=-1)
@click.option("--note", metavar="TEXT", help="What to say of it, kept with the event.")
@acts(*WRITING)
def resolve(call: Call, session_id: str, accepted: tuple[str, ...], *, note: str | None) -> None:
    """End a session, and learn from it.

    SESSION is the id that `session start` printed, each ID a memory that answered; none
    says that nothing did. What was accepted was of use, as `use` reports it.
    """
    with call.memory() as memory:
        call.answer(memory.sessions.resolve(session_id, accepted, note=note), _write_resolution)


@click.command()
@click.argument("words", metavar="QUERY...", nargs=-1, required=True)
@_votes
@_entity
@click.option(
    "--limit",
    type=click.IntRange(1, 50),
    default=10,
    show_default=True,
    help="How many hits the recall showed.",
)
@acts(*WRITING)
def vote(
    call: Call, words: tuple[str, ...], *, entity: str | None, limit: int, **votes: object
) -> None:
    """Vote once on what a recall shows.

    QUERY is what was asked. It counts as a session of one round that is resolved at
    once: queries like this one learn from it.
    """
    given = _given(votes)
    with call.memory() as memory:
        done = memory.sessions.vote_once(" ".join(words), given, entity=entity, limit=limit)
        call.answer(done, _write_resolution)


@click.command()
@click.argument("reference")
@click.option(
    "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="How many at most."
)
@acts(*READING)
def associations(call: Call, reference: str, *, limit: int) -> None:
    """Show what goes with a memory.

    REFERENCE is the memory. What was found or of use beside it is associated with it,
    half as much each 30 days later; what it led to in two sessions it brings along.
    """
    with call.reading() as reader:
        call.answer(reader.graph.associations(reference, limit=limit), _write_associations)


def _write_session(shown: Session) -> None:
    write_line(f"session {shown.session_id}")
    rounds = f"round {shown.round} of {shown.round + shown.rounds_left}"
    write_line(f"{rounds}, expires {when(shown.expires_at)} unless it is used")
    write_hits(shown.memories)
    if not shown.memories:
        write_line("nothing else is found" if shown.round else "nothing is found")
    elif shown.converged:
        write_line("nothing new comes up")
    for branch in shown.spark_branches:
        write_line(f"from the spark {branch.spark}:")
        write_hits(branch.memories)


def _write_resolution(done: Resolution) -> None:
    write_receipt(done)
    if done.learned:
        memories = "1 memory" if done.updated == 1 else f"{done.updated} memories"
        write_line(f"learned of {memories}, for queries like this one")
    else:
        write_line("nothing was learned")


def _write_associations(found: Associations) -> None:
    ids = short_ids([*(one.memory_id for one in found.together), *found.brings])
    write_table(
        ("strength", "id", "memory"),
        [
            Row(
                (
                    f"{one.strength:.3f}",
                    ids[one.memory_id],
                    one_line(one.content or "(redacted)"),
                )
            )
            for one in found.together
        ],
    )
    for one in found.brings:
        write_line(f"brings {ids[one]} along")
    if not found.together and not found.brings:
        write_line("nothing goes with it yet")
