"""Catalog of the commands: where each is defined, its one-line help, its aliases.

`mnemolog --help` shows the one-line helps from here, so that it imports only click; a test
compares them with the commands' own.
"""

from __future__ import annotations

from typing import NamedTuple


class CommandEntry(NamedTuple):
    """A command: its definition as `module:attribute`, its one-line help, its aliases."""

    target: str
    help: str
    aliases: tuple[str, ...] = ()


_E = CommandEntry
SECTIONS: dict[str, dict[str, CommandEntry]] = {
    "Remember and correct": {
        "remember": _E("storing:remember", "Store a memory.", ("add",)),
        "admit": _E("retention:admit", "Store content if it is relevant and new."),
        "flush": _E("retention:flush", "Decide on the content that waits in the buffer."),
        "correct": _E("corrections:correct", "Correct a memory with a sentence."),
        "supersede": _E("storing:supersede", "Replace a memory by a newer one."),
        "edit": _E("storing:edit", "Edit a memory's text in $EDITOR."),
        "withdraw": _E("storing:withdraw", "Remove a memory from all answers.", ("forget", "rm")),
        "pin": _E("storing:pin", "Keep a memory in working memory."),
        "unpin": _E("storing:unpin", "Release a memory from working memory."),
        "link": _E("storing:link", "Link memories or things by an edge."),
        "unlink": _E("storing:unlink", "End an edge."),
        "conflicts": _E("corrections:conflicts", "List and resolve conflicts between memories."),
        "undo": _E("corrections:undo", "Reverse a command."),
        "redact": _E("corrections:redact", "Destroy the content of memories or events for good."),
    },
    "Forget with time": {
        "use": _E("retention:use", "Report that memories were useful."),
        "due": _E("retention:due", "List memories the next tick will downgrade, and why."),
        "strength": _E("retention:strength", "Draw the strength of a memory over time."),
        "tick": _E("retention:tick", "Move faded memories to a lower tier."),
    },
    "Ask": {
        "recall": _E("recall:recall", "Find the memories that match a cue.", ("search",)),
        "session": _E("recall:session", "Improve a recall by voting on its hits."),
        "vote": _E("recall:vote", "Vote once on the hits of a recall."),
        "context": _E("context:context", "Assemble a prompt's context within a token budget."),
        "ask": _E("context:ask", "Search the layers of memory for a prompt."),
        "plan": _E("recall:plan", "Rank options by the known constraints."),
        "list": _E("recall:list_memories", "List memories in a chosen order.", ("ls",)),
        "links": _E("storing:links", "List edges, oldest first."),
        "associations": _E("recall:associations", "List what is associated with a memory."),
        "show": _E("recall:show", "Show everything about one memory."),
    },
    "Serve agents": {
        "hook": _E("context:hook", "Answer an agent client's prompt hook."),
        "mcp": _E("mcp:mcp", "Serve the memory by the Model Context Protocol."),
    },
    "Inspect the ledger": {
        "history": _E("events:history", "List the events of a memory and its chain."),
        "audit": _E("events:audit", "Explain a memory's history: who, when and why."),
        "log": _E("events:log", "List events, newest last."),
        "diff": _E("events:diff", "Show what changed between two moments."),
        "replay": _E("events:replay", "Fold the log again and show each event's changes."),
        "counterfactual": _E(
            "evaluation:counterfactual", "Replay a space's history under other settings."
        ),
        "gate": _E("health:gate", "Report failures, and see what they call for."),
        "eval": _E("evaluation:evaluate", "Measure recall on a labelled set."),
        "health": _E("health:health", "Check a memory's health against limits."),
        "stats": _E("health:stats", "Count memories, events and bytes."),
    },
    "Maintain the home": {
        "maintain": _E("upkeep:maintain", "Run the maintenance jobs that are due."),
        "verify": _E("upkeep:verify", "Prove that the log is unchanged."),
        "checkpoint": _E("upkeep:checkpoint", "Write the log's head, to keep elsewhere."),
        "rebuild": _E("upkeep:rebuild", "Rebuild all views and indexes from the log."),
        "index": _E("upkeep:index", "Embed and index new memories now."),
        "doctor": _E("upkeep:doctor", "Examine the home and report problems."),
        "config": _E("spaces:config", "Read and change the settings of a space."),
        "spaces": _E("spaces:spaces", "List the spaces of the home, or delete one."),
    },
    "Import and export": {
        "import": _E("transfer:import_", "Import memories or events."),
        "export": _E("transfer:export", "Write the events as JSON Lines."),
        "backup": _E("transfer:backup", "Copy the log; safe while the home is in use."),
        "restore": _E("transfer:restore", "Replace a home by a backup."),
        "completion": _E("spaces:completion", "Print a shell's completion script."),
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
"""Words of other tools, each answered with the command that it probably means."""
