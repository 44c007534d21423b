"""Commands that answer: recall, session, vote, list, show, plan, context, ask, hook."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, cast

import click
import msgspec
from click.exceptions import Exit

from mnemolog.cli import memories, options as opt, printing as out
from mnemolog.cli.call import standard_text, text_of, turns_of
from mnemolog.cli.exit_codes import SuggestingGroup, refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mnemolog import Context, Exploration, Memory, RankedOption, Resolution, Session
    from mnemolog.cli.call import CommandCall
    from mnemolog.ledger.events import Vote
    from mnemolog.serve.prompt_hook import Form

LAYERS = ("palace", "scratchpad", "artifacts", "procedures")
FORMS = ("json", "text")
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
    found = call.ask(lambda reader: reader.recall, {**options, "spaces": call.spaces})
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


@opt.command(*opt.READING_SEVERAL)
@opt.sentence("PROMPT...")
@opt.number("--budget: How many tokens at most.", 8000)
@opt.conversation
@opt.repeated("--instructions TEXT: A rule.")
@opt.repeated("--task TEXT: A task of the agent.")
@opt.option(
    "--explore cues CUE: Search on from the context: five more memories. Up to three times.",
    multiple=True,
)
@opt.exploration
@opt.flag("--explain: Show each section's share, and what was left out.")
def context(
    call: CommandCall,
    *,
    conversation: Path | None,
    cues: tuple[str, ...],
    explain: bool,
    **options: object,
) -> None:
    """Assemble a prompt's context within a token budget.

    PROMPT is what the agent is asked. The output is its context: rules, preferences, the task,
    relevant memories, and the recent conversation.
    """
    turns = () if conversation is None else turns_of(conversation)
    with call.reading() as reader:
        assemble: Callable[..., Context] = reader.context
        found = assemble(conversation=turns, spaces=call.spaces, **options)
        steps: list[Exploration] = []
        for cue in cues:
            steps.append(reader.explore(steps[-1].context if steps else found, cue))
    explored = [{"cue": cue, "hits": step.hits} for cue, step in zip(cues, steps, strict=True)]
    if call.answered({**msgspec.structs.asdict(found), "explored": explored}):
        return
    click.echo(out.safe(found.text), nl=False)
    for step in steps:
        out.write_line()
        memories.write_hits(step.hits)
    if explain:
        out.write_line()
        out.write_line(f"{found.tokens:,} of {found.budget:,} tokens ({found.counter})")
        rows = [(s.name, f"{s.tokens:,}", f"{s.room:,}", str(len(s.parts))) for s in found.sections]
        out.write_table("sections", "section, tokens, room, parts", rows)
        left = [(one.section, one.reason, f"{one.tokens:,}", one.text) for one in found.left_out]
        if left:
            out.write_table("texts", "section, why, tokens, left out", left)
        return
    if found.message is not None:
        call.notice(found.message)
    if found.left_out:
        reasons = Counter(one.reason for one in found.left_out)
        counts = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
        call.notice(f"left out or shortened: {counts} (--explain shows them)")


@opt.command(*opt.READING, opt.session)
@opt.arguments("PROMPT... words")
@opt.repeated("--layer layers: Search this layer, whatever the prompt asks for.", of=LAYERS)
@opt.limit(10)
@opt.flag("--context as_context: Print only the text for a prompt.")
def ask(call: CommandCall, words: tuple[str, ...], *, as_context: bool, **options: object) -> None:
    """Search the layers of memory for a prompt.

    PROMPT is what a user asks; a single - reads it from standard input. The order is: the memory,
    the notes of this session, the artifacts, the procedures. The first layer with an answer ends
    the search. A prompt that asks for nothing from memory gets only what is clearly relevant in it.
    """
    options |= {"layers": options["layers"] or None, "session": call.session}
    asked = call.ask(lambda reader: reader.ask, {"prompt": text_of(words), **options})
    if call.answered(asked):
        return
    if as_context:
        if asked.context:
            out.write_line(asked.context)
        return
    if asked.layer is None:
        out.write_line(
            "The prompt asks for nothing from memory, and nothing in it is clearly relevant."
        )
    for sentence in asked.said:
        out.write_line(sentence)
    if asked.passages:
        rows = [
            (f"{p.relevance:.2f}", p.source or p.layer, ": ".join(filter(None, (p.title, p.text))))
            for p in asked.passages
        ]
        below = [filter(None, (passage.note,)) for passage in asked.passages]
        out.write_table("passages", "relevance, from, text", rows, below)
    outcomes = (
        f"{one.layer} {one.outcome}{'' if one.note is None else f' ({one.note})'}"
        for one in asked.layers_checked
    )
    out.write_line("searched: " + ", ".join(outcomes))


class _HarmlessCommand(click.Command):
    """Usage errors exit with 0: a client takes any other code for a problem with the prompt."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            error.show()
            raise Exit(0) from None


@click.command(cls=_HarmlessCommand)
@opt.home
@opt.space
@opt.number("--limit-ms: Milliseconds it may take at most.", 3000, high=600_000)
@opt.option(
    "--format form: Print the hook's JSON object, or the context as plain text.",
    FORMS,
    default="json",
    show_default=True,
)
def hook(home: Path | None, spaces: tuple[str, ...], limit_ms: int, form: Form) -> None:
    """Answer an agent client's prompt hook.

    Reads the JSON object of a UserPromptSubmit hook from standard input and prints the context to
    add to the prompt, or nothing if the memory holds nothing on it. Errors go to standard error,
    with empty output and exit code 0.
    """
    from mnemolog.serve.prompt_hook import run_prompt_hook

    run_prompt_hook(home, spaces[0] if spaces else "default", limit_ms, form)
