"""`mnemolog`: the root of the command line, and the catalog of its commands.

The catalog has the one-line help of each command, so that `mnemolog --help` imports only click; a
test compares it with the command's own. The module of a command loads when it is called.
"""

import io
import os
import sys
import threading
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import click

from mnemolog.cli.exit_codes import MEANINGS, SuggestingGroup, did_you_mean, reported

_WORDS = "mnemolog.cli.main.words"


class CommandEntry(NamedTuple):
    """A command: its definition as `module:attribute`, its one-line help, its aliases."""

    target: str
    help: str
    aliases: tuple[str, ...] = ()


_E = CommandEntry
SECTIONS: dict[str, dict[str, CommandEntry]] = {
    "Remember and correct": {
        "remember": _E("storing:remember", "Store a memory.", ("add",)),
        "admit": _E("upkeep:admit", "Store content if it is relevant and new."),
        "flush": _E("upkeep:flush", "Decide on the content that waits in the buffer."),
        "correct": _E("storing:correct", "Correct a memory with a sentence."),
        "supersede": _E("storing:supersede", "Replace a memory by a newer one."),
        "edit": _E("storing:edit", "Edit a memory's text in $EDITOR."),
        "withdraw": _E("storing:withdraw", "Remove a memory from all answers.", ("forget", "rm")),
        "pin": _E("storing:pin", "Keep a memory in working memory."),
        "unpin": _E("storing:unpin", "Release a memory from working memory."),
        "link": _E("storing:link", "Link memories or things by an edge."),
        "unlink": _E("storing:unlink", "End an edge."),
        "conflicts": _E("storing:conflicts", "List and resolve conflicts between memories."),
        "undo": _E("storing:undo", "Reverse a command."),
        "redact": _E("storing:redact", "Destroy the content of memories or events for good."),
    },
    "Forget with time": {
        "use": _E("upkeep:use", "Report that memories were useful."),
        "due": _E("upkeep:due", "List memories the next tick will downgrade, and why."),
        "strength": _E("upkeep:strength", "Draw the strength of a memory over time."),
        "tick": _E("upkeep:tick", "Move faded memories to a lower tier."),
    },
    "Ask": {
        "recall": _E("questions:recall", "Find the memories that match a cue.", ("search",)),
        "session": _E("questions:session", "Improve a recall by voting on its hits."),
        "vote": _E("questions:vote", "Vote once on the hits of a recall."),
        "context": _E("questions:context", "Assemble a prompt's context within a token budget."),
        "ask": _E("questions:ask", "Search the layers of memory for a prompt."),
        "plan": _E("questions:plan", "Rank options by the known constraints."),
        "list": _E("questions:list_memories", "List memories in a chosen order.", ("ls",)),
        "links": _E("storing:links", "List edges, oldest first."),
        "associations": _E("questions:associations", "List what is associated with a memory."),
        "show": _E("questions:show", "Show everything about one memory."),
    },
    "Serve agents": {
        "hook": _E("questions:hook", "Answer an agent client's prompt hook."),
        "mcp": _E("mcp:mcp", "Serve the memory by the Model Context Protocol."),
    },
    "Inspect the ledger": {
        "history": _E("events:history", "List the events of a memory and its chain."),
        "audit": _E("events:audit", "Explain a memory's history: who, when and why."),
        "log": _E("events:log", "List events, newest last."),
        "diff": _E("events:diff", "Show what changed between two moments."),
        "replay": _E("events:replay", "Fold the log again and show each event's changes."),
        "counterfactual": _E(
            "measures:counterfactual", "Replay a space's history under other settings."
        ),
        "gate": _E("measures:gate", "Report failures, and see what they call for."),
        "eval": _E("measures:evaluate", "Measure recall on a labelled set."),
        "health": _E("measures:health", "Check a memory's health against limits."),
        "stats": _E("measures:stats", "Count memories, events and bytes."),
    },
    "Maintain the home": {
        "maintain": _E("upkeep:maintain", "Run the maintenance jobs that are due."),
        "verify": _E("upkeep:verify", "Prove that the log is unchanged."),
        "checkpoint": _E("upkeep:checkpoint", "Write the log's head, to keep elsewhere."),
        "rebuild": _E("upkeep:rebuild", "Rebuild all views and indexes from the log."),
        "index": _E("upkeep:index", "Embed and index new memories now."),
        "doctor": _E("upkeep:doctor", "Examine the home and report problems."),
        "config": _E("homes:config", "Read and change the settings of a space."),
        "spaces": _E("homes:spaces", "List the spaces of the home, or delete one."),
    },
    "Import and export": {
        "import": _E("homes:import_", "Import memories or events."),
        "export": _E("homes:export", "Write the events as JSON Lines."),
        "backup": _E("homes:backup", "Copy the log; safe while the home is in use."),
        "restore": _E("homes:restore", "Replace a home by a backup."),
        "completion": _E("homes:completion", "Print a shell's completion script."),
    },
}
COMMANDS = {name: entry for section in SECTIONS.values() for name, entry in section.items()}
ALIASES = {alias: name for name, entry in COMMANDS.items() for alias in entry.aliases}
SYNONYMS = {
    **dict.fromkeys(("store", "save", "new"), "remember"),
    **dict.fromkeys(("update", "replace"), "supersede"),
    **dict.fromkeys(("delete", "remove"), "withdraw"),
    **dict.fromkeys(("erase", "purge"), "redact"),
    **dict.fromkeys(("find", "query"), "recall"),
    **dict.fromkeys(("get", "cat"), "show"),
    **dict.fromkeys(("settings", "set"), "config"),
    **dict.fromkeys(("status", "info"), "stats"),
    "modify": "edit",
    "check": "verify",
    "serve": "mcp",
    "namespaces": "spaces",
    "load": "import",
    "dump": "export",
    "revert": "undo",
}
"""Command names of other tools, each with the command to suggest for it."""


class _Root(SuggestingGroup):
    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_WORDS] = words = tuple(args)
        with reported(words):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        with reported(ctx.meta[_WORDS]):
            return super().invoke(ctx)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(ALIASES.get(cmd_name, cmd_name))
        if entry is None:
            return None
        module, _, attribute = entry.target.partition(":")
        found = import_module(f"mnemolog.cli.commands.{module}")
        command: click.Command = getattr(found, attribute)
        if entry.aliases:
            command.epilog = f"Aliases: {', '.join(entry.aliases)}"
        return command

    def suggestion(self, _ctx: click.Context, name: str) -> str:
        if name in SYNONYMS:
            return f" Did you mean {SYNONYMS[name]!r}?"
        return did_you_mean(name, [*COMMANDS, *ALIASES])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Command and its arguments; options given before its name are moved after it."""
        name, command, rest = super().resolve_command(ctx, args)
        target, subcommand = command, list[str]()
        if isinstance(command, click.Group):
            subcommand = rest[:1] if rest and rest[0] in command.commands else []
            target = command.get_command(ctx, rest[0] if rest else "")
        accepted = set() if target is None else {param.name for param in target.params}
        given = [word for key, words in _given(ctx).items() if key in accepted for word in words]
        return name, command, [*subcommand, *given, *rest[len(subcommand) :]]

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, entries in SECTIONS.items():
            names = {name: ", ".join((name, *one.aliases)) for name, one in entries.items()}
            with formatter.section(title):
                formatter.write_dl([(names[name], one.help) for name, one in entries.items()])

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code.value), text) for code, text in MEANINGS.items()])


def _given(ctx: click.Context) -> dict[str, list[str]]:
    """Words of the options given before the command's name, by parameter."""
    words: dict[str, list[str]] = {}
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        # An empty text counts as given: the command refuses it.
        if param.name is None or value in (None, False, ()):
            continue
        flag = max(param.opts, key=len)
        values = value if isinstance(value, tuple) else (value,)
        words[param.name] = [w for v in values for w in ([flag] if v is True else [flag, str(v)])]
    return words


mnemolog = _Root(
    name="mnemolog",
    help="Long-term memory for AI agents, kept as an append-only ledger.",
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[
        click.Option(["--home"], metavar="DIR", help="Directory of the ledger."),
        click.Option(
            ["-s", "--space", "spaces"], metavar="NAME", multiple=True, help="Space to act in."
        ),
        click.Option(["--actor"], metavar="WHO", help="Who acts, such as agent:planner."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object."),
        click.Option(["-q", "--quiet"], is_flag=True, help="Print no notes and no progress."),
    ],
)
mnemolog = click.version_option(package_name="mnemolog")(mnemolog)


def _replace_closed_streams() -> None:
    """Open the null device for standard streams that the process was started without.

    Otherwise the next file opened, such as one of the home, would get a standard stream's number,
    and any library that prints would write into it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - stays open


def main() -> None:
    """Run the command that the process was started with, and exit."""
    _replace_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal with an old encoding gets escapes for the characters it lacks.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        mnemolog(prog_name="mnemolog")
    except SystemExit as ended:
        if any(thread.daemon for thread in threading.enumerate()):
            _exit_with_daemons(ended)
        raise


def _exit_with_daemons(ended: SystemExit) -> None:
    """End the process while daemon threads still run, such as that of a slow layer.

    The interpreter's shutdown aborts the process if it meets such a thread in compiled code.
    Work that must finish runs in other threads, and those are joined.
    """
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.current_thread():
            thread.join()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(ended.code if isinstance(ended.code, int) else int(ended.code is not None))
