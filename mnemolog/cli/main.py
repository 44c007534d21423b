"""`mnemolog`: the root of the command line; the module of a command loads when it is called."""

import gc
import io
import os
import sys
import threading
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

import click

from mnemolog.cli.exit_codes import ExitCode, SuggestingGroup, did_you_mean, reported

_WORDS = "mnemolog.cli.main.words"
_MODULES = {
    "storing": "remember supersede edit withdraw pin unpin link unlink links correct conflicts "
    "undo redact",
    "upkeep": "admit flush use due strength tick maintain verify checkpoint rebuild index doctor",
    "questions": "recall session vote list show plan associations context ask hook",
    "mcp": "mcp",
    "events": "history audit log diff replay",
    "measures": "counterfactual gate eval health stats",
    "homes": "config spaces import export backup restore completion",
}
_FUNCTIONS = {"eval": "evaluate", "import": "import_", "list": "list_memories"}
COMMANDS = {name: module for module, names in _MODULES.items() for name in names.split()}
_ALIASES = {"remember": "add", "withdraw": "forget rm", "recall": "search", "list": "ls"}
ALIASES = {alias: name for name, aliases in _ALIASES.items() for alias in aliases.split()}


@cache
def catalog() -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Sections of commands, each with its one-line help; and commands by their names elsewhere."""
    import tomllib

    read = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))
    elsewhere = {word: name for name, words in read["synonyms"].items() for word in words.split()}
    return read["sections"], elsewhere


class _Root(SuggestingGroup):
    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [name for entries in catalog()[0].values() for name in entries]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_WORDS] = words = tuple(args)
        with reported(words):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        with reported(ctx.meta[_WORDS]):
            return super().invoke(ctx)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = ALIASES.get(cmd_name, cmd_name)
        if name not in COMMANDS:
            return None
        module = import_module(f"mnemolog.cli.commands.{COMMANDS[name]}")
        command: click.Command = getattr(module, _FUNCTIONS.get(name, name))
        if aliases := _ALIASES.get(name):
            command.epilog = f"Aliases: {', '.join(aliases.split())}"
        return command

    def suggestion(self, _ctx: click.Context, name: str) -> str:
        if suggested := catalog()[1].get(name):
            return f" Did you mean {suggested!r}?"
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
        for title, entries in catalog()[0].items():
            rows = [
                (", ".join((name, *_ALIASES.get(name, "").split())), text)
                for name, text in entries.items()
            ]
            with formatter.section(title):
                formatter.write_dl(rows)

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code.value), code.meaning) for code in ExitCode])


def _given(ctx: click.Context) -> dict[str, list[str]]:
    """Words of the options given before the command's name, by parameter."""
    words: dict[str, list[str]] = {}
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        # An empty text counts as given: the command refuses it.
        if param.name is not None and value not in (None, False, ()):
            flag = max(param.opts, key=len)
            values = value if isinstance(value, tuple) else (value,)
            pairs = ([flag] if one is True else [flag, str(one)] for one in values)
            words[param.name] = [word for pair in pairs for word in pair]
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

_COLLECTED_AFTER = 20_000
"""New objects after which the garbage collector looks at the youngest."""


def main() -> None:
    """Run the command that the process was started with, and exit."""
    # Collections while libraries load find nothing to free: a tenth of the MCP server's start.
    # It stays so afterwards: a question leaves few cycles.
    gc.set_threshold(_COLLECTED_AFTER)
    # Starting the threads of numpy's BLAS costs a quarter of a recall's CPU; its products are
    # small beside the work of the model, which has threads of its own. Children inherit this.
    if "OMP_NUM_THREADS" not in os.environ:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        # Without a stream, the next file opened, such as one of the home, would get its number,
        # and any library that prints would write into it.
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - stays open
    for stream in (sys.stdout, sys.stderr):
        # A terminal with an old encoding gets escapes for the characters it lacks.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        mnemolog(prog_name="mnemolog")
    except SystemExit as ended:
        # The interpreter's last collections would search all modules: a tenth of a short command.
        gc.freeze()
        if any(thread.daemon for thread in threading.enumerate()):
            _exit_with_daemons(ended)
        raise


def _exit_with_daemons(ended: SystemExit) -> None:
    """End the process while daemon threads still run, after joining the others.

    The interpreter's shutdown aborts the process if it meets a daemon thread in compiled code.
    """
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.current_thread():
            thread.join()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(ended.code if isinstance(ended.code, int) else int(ended.code is not None))
