"""Commands that find memories and learn from votes: recall, session, vote, list, show, plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click
import msgspec

from mnemolog.cli.calls import options as opt
from mnemolog.cli.calls.exit_codes import SuggestingGroup, refuse
from mnemolog.cli.calls.inputs import standard_text
from mnemolog.cli.output import memories, printing as out

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemolog import Memory, RankedOption, Resolution, Session
    from mnemolog.cli.calls.call import CommandCall
    from mnemolog.ledger.events import Vote

ORDERS = ("recency", "oldest", "pinned", "strength", "weight", "review", "conflicts", "persistence")
_VOTES: dict[str, str] = {
    "hot": "Exactly this.",
    "warm": "Close, but not it.",
    "cold": "Not this.",
    "wrong": "Not this, and misleading.",
    "spark": "Not this, but it reminds you of something: search on from it.",
}
_votes = opt.together(*(opt.repeated(f"--{vote} ID: {text}") for vote, text in _VOTES.items()))
_entity = opt.option(
    "--entity NAME: What the query is about; what is learned applies only to queries that name it."
)


@opt.command(opt.flag("--explain: Show each hit's ranks and scores."), *opt.READING_SEVERAL)
@opt.sentence("CUE...")
@opt.limit(10)
@opt.filters
@opt.strategy
@opt.option(
    "--min-relevance SHARE: Where the list ends, 0 to 1; 0 gives --limit hits. Default: the "
    "space's setting.",
    type=click.FloatRange(0, 1),
)
@opt.exploration
@opt.option(
    "--confidence SHARE: How sure you are of the answer: above 0.9 a simple question is not looked "
    "up.",
    type=click.FloatRange(0, 1),
)
def recall(call: CommandCall, *, explain: bool, **options: object) -> None:
    """Find the memories that match a cue.

    CUE is what to look for: a question, a name, a few words. The best hits come first; a superseded
    memory is shown below the one that replaced it.
    """
    options["spaces"] = call.spaces
    found = call.ask(lambda reader: reader.recall, options)
    if not call.answered(found):
        memories.write_recall(found, explain=explain)


@opt.command(opt.limit(50), opt.filters, *opt.READING, name="list")
@opt.option(
    "--by: The order: newest or oldest first, strongest, heaviest or most worth keeping first; or "
    "only memories that are pinned, due for review or in an open conflict.",
    ORDERS,
    default="recency",
    show_default=True,
)
def list_memories(call: CommandCall, **options: object) -> None:
    """List memories in a chosen order."""
    found = call.ask(lambda reader: reader.list, options)
    if not call.answered({"memories": found}):
        memories.write_items(found)


@opt.command(opt.reference, *opt.READING)
def show(call: CommandCall, reference: str) -> None:
    """Show everything about one memory.

    REFERENCE is an id, the beginning of one, or @position.
    """
    with call.reading() as reader:
        item = reader.get(reference)
        persistence = reader.inspect.persistence(item.memory_id)
    if not call.answered({**msgspec.structs.asdict(item), "persistence": persistence}):
        memories.write_item(item, persistence)


@opt.command(opt.limit(20, help="How many constraints to consider at most."), *opt.READING_SEVERAL)
@opt.sentence("GOAL...")
@opt.repeated("--option options TEXT: An option to rank; - reads one a line from standard input.")
def plan(call: CommandCall, *, options: tuple[str, ...], **goal: object) -> None:
    """Rank options by the known constraints.

    GOAL is the purpose of the options. For each option the answer says what it violates and why; an
    option that violates a constraint never ranks above one that violates none. Without options, the
    constraints that matter for the goal are shown.
    """
    if options.count("-") > 1:
        refuse("standard input can be read once; give --option - only once")
    if "-" in options:
        place = options.index("-")
        lines = [line.strip() for line in standard_text().splitlines() if line.strip()]
        options = (*options[:place], *lines, *options[place + 1 :])
    goal |= {"options": options, "spaces": call.spaces}
    found = call.ask(lambda reader: reader.plan, goal)
    if call.answered(found):
        return
    if found.options:
        rows = [(str(one.rank), one.standing, one.option) for one in found.options]
        out.write_table("options", "rank, standing, option", rows, map(_reasons, found.options))
    if found.constraints:
        out.write_line("constraints:")
        memories.write_hits(found.constraints)
    elif not found.options:
        out.write_none("constraints")


def _reasons(one: RankedOption) -> Iterator[str]:
    for each in one.violations:
        yield f"violates “{each.constraint}”: {each.why}"
        for link in each.chain:
            if link.evidence is not None:
                yield f"  {link.source} {link.type} {link.target} {out.at(link.evidence)}"
    for each in one.unknown:
        yield f"unknown for “{each.constraint}”: {each.why}"


@click.group(cls=SuggestingGroup)
def session() -> None:
    """Improve a recall by voting on its hits.

    `start` shows the first hits, `vote` rates them and shows better ones,
    `resolve` ends the session, and the memory learns from it.
    """


@opt.command(*opt.WRITING, group=session)
@opt.sentence("QUERY...")
@_entity
@opt.limit(5, 50, "Hits a round.")
@opt.number("--max-rounds: How many rounds of votes at most.", 4, high=20)
def start(call: CommandCall, **options: object) -> None:
    """Start a session on a query.

    QUERY is what to look for. The commands that follow need the session's id, which is also the
    only key to its content. A session expires after five minutes without use.
    """
    call.act(lambda memory: memory.sessions.start, _write_session, options)


@opt.command(opt.arguments("SESSION session_id"), _votes, *opt.WRITING, name="vote", group=session)
def vote_in(call: CommandCall, session_id: str, **votes: object) -> None:
    """Vote on the hits of a session, and see better ones.

    SESSION is the id that `session start` printed. ID is the id of a shown memory, the beginning of
    one, or `@` and its position.
    """
    options = {"session_id": session_id, "votes": _given(votes)}
    call.act(lambda memory: memory.sessions.vote, _write_session, options)


@opt.command(*opt.WRITING, group=session)
@opt.arguments("SESSION session_id", "[ID]... accepted")
@opt.option("--note TEXT: A note on the result, stored with the event.")
def resolve(call: CommandCall, **options: object) -> None:
    """End a session, and learn from it.

    SESSION is the id that `session start` printed. Each ID is a memory that answered the query; no
    ID means that none did. Accepted memories count as used, as `mnemolog use` reports it.
    """
    call.act(lambda memory: memory.sessions.resolve, _write_resolution, options)


@opt.command(_votes, _entity, opt.limit(10, 50, "How many hits the recall showed."), *opt.WRITING)
@opt.sentence("QUERY...")
def vote(call: CommandCall, query: str, *, entity: str | None, limit: int, **votes: object) -> None:
    """Vote once on the hits of a recall.

    QUERY is the cue of the recall. This is a session of one round, resolved at once: similar
    queries learn from it.
    """
    options = {"query": query, "votes": _given(votes), "entity": entity, "limit": limit}
    call.act(lambda memory: memory.sessions.vote_once, _write_resolution, options)


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


def _write_session(_: Memory, shown: Session) -> None:
    out.write_line(f"session {shown.session_id}")
    rounds = f"round {shown.round} of {shown.round + shown.rounds_left}"
    out.write_line(f"{rounds}, expires {out.when(shown.expires_at)} unless it is used")
    memories.write_hits(shown.memories)
    if shown.memories and shown.converged:
        out.write_line("no new memories found")
    for branch in shown.spark_branches:
        out.write_line(f"from the spark {branch.spark}:")
        memories.write_hits(branch.memories)


def _write_resolution(memory: Memory, done: Resolution) -> None:
    memories.write_receipt(memory, done)
    updated = f"about {out.counted(done.updated, 'memory')}, for similar queries"
    out.write_line(f"learned {updated if done.learned else 'nothing'}")


@opt.command(opt.reference, opt.limit(50), *opt.READING)
def associations(call: CommandCall, **options: object) -> None:
    """List what is associated with a memory.

    REFERENCE is the memory. Memories found or used together with it are associated; an association
    halves every 30 days. Memories that it led to in two sessions are recalled along with it.
    """
    found = call.ask(lambda reader: reader.graph.associations, options)
    if call.answered(found):
        return
    ids = out.short_ids([*(one.memory_id for one in found.together), *found.brings])
    if found.together or not found.brings:
        rows = [
            (f"{one.strength:.3f}", ids[one.memory_id], out.known_text(one.content))
            for one in found.together
        ]
        out.write_table("associations", "strength, id, memory", rows)
    for one in found.brings:
        out.write_line(f"recalled along with it: {ids[one]}")
