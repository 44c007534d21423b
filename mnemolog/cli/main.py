"""`mnemolog`: the root of the command line. A command's module loads when it is called.

The one-line helps stand here, so that `mnemolog --help` imports nothing but
click; a test holds them equal to the commands' own.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import click

from mnemolog.cli.exits import MEANINGS, reported


class Entry(NamedTuple):
    """A command: its definition here, as `module:attribute`, and its help in one line."""

    target: str
    help: str


SECTIONS: dict[str, dict[str, Entry]] = {
    "Remember and correct": {
        "remember": Entry("writing:remember", "Store a memory."),
        "admit": Entry("admitting:admit", "Let content in, if it is relevant and new."),
        "flush": Entry("admitting:flush", "Empty the buffer of what waits there."),
        "correct": Entry("correcting:correct", "Correct a memory in words."),
        "supersede": Entry("writing:supersede", "Replace a memory by a newer one."),
        "withdraw": Entry("writing:withdraw", "Take a memory out of all answers."),
        "pin": Entry("writing:pin", "Hold a memory in working memory."),
        "unpin": Entry("writing:unpin", "Let a memory go from working memory."),
        "link": Entry("linking:link", "Make an edge between memories or things."),
        "unlink": Entry("linking:unlink", "End an edge."),
        "conflicts": Entry(
            "conflicts:conflicts",
            "List the conflicts between memories, and resolve them.",
        ),
        "undo": Entry("writing:undo", "Reverse a command."),
        "redact": Entry("erasing:redact", "Destroy what memories or events say, for good."),
    },
    "Let time pass": {
        "use": Entry("fading:use", "Report that memories were of use."),
        "due": Entry(
            "fading:due",
            "List the memories that the next tick moves to a lower tier, and why.",
        ),
        "strength": Entry("curves:strength", "Draw the strength of a memory, past and to come."),
        "tick": Entry(
            "fading:tick",
            "Move memories that have faded for long enough to a lower tier.",
        ),
    },
    "Ask": {
        "recall": Entry("asking:recall", "Find the memories that bear on a cue."),
        "session": Entry(
            "sessions:session",
            "Find, by voting on what is shown, what one recall missed.",
        ),
        "vote": Entry("sessions:vote", "Vote once on what a recall shows."),
        "context": Entry(
            "contexts:context",
            "Put together what goes with a prompt, to a budget of tokens.",
        ),
        "ask": Entry("prompting:ask", "Ask the layers of memory, in order, about a prompt."),
        "plan": Entry("planning:plan", "Rank options by the constraints that are known."),
        "list": Entry("asking:list_memories", "List memories in a standing order."),
        "links": Entry("linking:links", "List edges, the oldest first."),
        "associations": Entry("sessions:associations", "Show what goes with a memory."),
        "show": Entry("asking:show", "Show everything about one memory."),
    },
    "Serve": {
        "hook": Entry("prompting:hook", "Answer an agent client's prompt hook."),
        "mcp": Entry("mcp:mcp", "Serve the memory to agents by the Model Context Protocol."),
    },
    "Look at the ledger": {
        "history": Entry("looking:history", "List the events of a memory and its chain."),
        "audit": Entry("looking:audit", "Tell a memory's whole story, with who, when and why."),
        "log": Entry("looking:log", "List events, the newest last."),
        "diff": Entry("looking:diff", "Show what changed between two moments."),
        "replay": Entry("replaying:replay", "Fold the log again, showing what each event changes."),
        "counterfactual": Entry(
            "counterfactual:counterfactual",
            "Tell the history of a space again under other settings.",
        ),
        "gate": Entry("gating:gate", "Say which operator repeated failures call for."),
        "eval": Entry("evaluating:evaluate", "Measure how well recall answers a labelled set."),
        "health": Entry("health:health", "Say how a memory fares, by limits."),
        "stats": Entry("looking:stats", "Count memories, events and bytes."),
    },
    "Tend the home": {
        "maintain": Entry("upkeep:maintain", "Do what is due to keep a home up."),
        "verify": Entry("tending:verify", "Prove that the log is what was appended."),
        "checkpoint": Entry(
            "tending:checkpoint", "Write the log's present head, to keep elsewhere."
        ),
        "rebuild": Entry("tending:rebuild", "Derive all views from the log again."),
        "index": Entry("tending:index", "Embed and index what is not yet."),
        "doctor": Entry("tending:doctor", "Examine the home and say what is wrong."),
        "config": Entry("settings:config", "Read and change the settings of a space."),
    },
    "Move": {
        "import": Entry("moving:import_", "Take in memories or events from elsewhere."),
        "export": Entry("moving:export", "Write the events as JSONL."),
        "backup": Entry("moving:backup", "Copy the log, safe on a live home."),
        "restore": Entry("moving:restore", "Put a backup in a home's place."),
        "completion": Entry("completion:completion", "Print a shell's completion script."),
    },
}
_WORDS = "mnemolog.cli.main.words"
COMMANDS = {name: entry for section in SECTIONS.values() for name, entry in section.items()}


class Mnemolog(click.Group):
    """The commands of the table, each imported when it is first asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands' names, in the order of the table."""
        del ctx
        return list(COMMANDS)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Words left behind the group's own; errors are told as in a command."""
        ctx.meta[_WORDS] = words = tuple(args)
        with reported(words):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Result of the command; errors of its own are told, as text or as JSON."""
        with reported(ctx.meta[_WORDS]):
            return super().invoke(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; None if there is none."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].target.partition(":")
        command: click.Command = getattr(import_module(f"mnemolog.cli.{module}"), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command, with those options that were given before its name put after it."""
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            ctx.fail(_unknown(args[0]))
        name, command, rest = super().resolve_command(ctx, args)
        taker, names = _taker(ctx, command, rest)
        taken = set() if taker is None else {param.name for param in taker.params}
        given = [word for key, words in _given(ctx).items() if key in taken for word in words]
        return name, command, [*names, *given, *rest[len(names) :]]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by what they are for."""
        del ctx
        for title, entries in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.help) for name, entry in entries.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What the exit codes say."""
        del ctx
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code.value), text) for code, text in MEANINGS.items()])


def _taker(
    ctx: click.Context, command: click.Command | None, rest: list[str]
) -> tuple[click.Command | None, list[str]]:
    """Which command takes the options, of a group the one that is meant; and its name if given."""
    if not isinstance(command, click.Group):
        return command, []
    first = rest[0] if rest else ""
    return command.get_command(ctx, first), rest[:1] if first in command.commands else []


def _unknown(name: str) -> str:
    import difflib  # noqa: PLC0415 - not needed for --help

    near = difflib.get_close_matches(name, COMMANDS, n=1)
    return f"No such command {name!r}." + (f" Did you mean {near[0]!r}?" if near else "")


def _given(ctx: click.Context) -> dict[str, list[str]]:
    """The words of the options given before the command's name, by parameter."""
    words: dict[str, list[str]] = {}
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        # An empty text was given too: the command refuses it.
        if param.name is None or value in (None, False, ()):
            continue
        flag = param.opts[0]
        values = value if isinstance(value, tuple) else (value,)
        words[param.name] = [w for v in values for w in ([flag] if v is True else [flag, str(v)])]
    return words


mnemolog = Mnemolog(
    name="mnemolog",
    help="Long-term memory for AI agents, kept as an append-only ledger.",
    params=[
        click.Option(["--home"], metavar="DIR", help="The ledger's directory."),
        click.Option(
            ["--space", "spaces"], metavar="NAME", multiple=True, help="The space to act in."
        ),
        click.Option(["--actor"], metavar="WHO", help="Who acts, such as agent:planner."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object."),
        click.Option(["--quiet"], is_flag=True, help="No notes and no progress."),
    ],
)
mnemolog = click.version_option(package_name="mnemolog")(mnemolog)


def _open_what_is_closed() -> None:
    """Put nothing in the place of standard streams that the process was started without.

    A file of the home would else be opened under the number of one, and be written to by
    whatever library prints there.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - for good


def main() -> None:
    """Run the command that the process was started with, and exit."""
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        # A terminal in an old encoding still gets an answer, with escapes for what it lacks.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        mnemolog(prog_name="mnemolog")
    except SystemExit as ended:
        if any(thread.daemon for thread in threading.enumerate()):
            _leave(ended)
        raise


def _leave(ended: SystemExit) -> None:
    """End the process under a thread that is still at work, such as a layer that was too slow.

    Met in compiled code at the interpreter's end, such a thread aborts the whole process. What
    has to be done before the end is in threads that are no daemons: they are waited for, as ever.
    """
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.current_thread():
            thread.join()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(ended.code if isinstance(ended.code, int) else int(ended.code is not None))
