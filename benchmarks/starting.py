"""Start-up of the command line from cold, beside Python, its libraries and the model alone.

    python -m benchmarks.starting [--work DIR] [--json] [--profile]

Every figure is a process of its own, from its start to its end. The home's
vectors are made up, so that making it takes seconds; the process that recalls
loads index and model in full and embeds its cue with the real one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

from benchmarks.report import (
    Figure,
    Report,
    Spell,
    arguments,
    conditions,
    interleaved,
    milliseconds,
    ratio,
    show,
    spell,
    wall_s,
    workplace,
)
from benchmarks.talk import TALK_TEXTS, Language
from mnemolog import Durability, Memory, MiniLM, NewMemory

LIMITS = (
    "the first start after a boot, when files come from the disk; a machine with nothing else to "
    "do; homes of another size than 5,000 memories."
)
MEMORIES = 5_000
_ROUNDS = 15
_PROGRAM = Path(sys.executable).with_name("mnemolog")
_CUE = "what was said about the garden last time"
_LIBRARIES_ALONE = "import apsw, msgspec, click"
_WITHOUT_MODEL = {
    "--version": ["--version"],
    "list": ["list", "--limit", "1"],
    "show": ["show", "@1"],
    "log": ["log", "--limit", "1"],
    "stats": ["stats"],
}
"""Commands that need no model, by the name of their figure."""
_MODEL_ALONE = "from mnemolog.indexes.embedder import MiniLM; MiniLM().embed(['a cue'])"


class AsMiniLM(Language):
    """Made-up vectors under the real model's name, so that they count as its own."""

    name = MiniLM.name


def built(work: Path) -> Path:
    """A home of 5,000 memories in the space `default`, kept for the next run."""
    home = work / f"starting-{MEMORIES}"
    if (home / "complete").exists():
        return home
    shutil.rmtree(home, ignore_errors=True)
    language = AsMiniLM()
    with Memory.open(
        home,
        actor="user:dana",
        durability=Durability.MAY_LOSE_LAST_MOMENTS,
        embedder=language,
    ) as memory:
        for number in range(MEMORIES // TALK_TEXTS):
            memory.remember_many(
                (
                    NewMemory(said.text, kind=said.kind, source=said.source, place=said.place)
                    for said in language.talk(number)
                ),
                contradictions="off",
            )
        memory.upkeep.index()
    (home / "complete").touch()
    return home


def run(command: list[str | Path]) -> list[Spell]:
    """How long a process took from start to end. Raises if it failed."""
    started = partial(
        subprocess.run, command, check=True, stdout=subprocess.DEVNULL, env=_environment()
    )
    return [spell(started)]


def _environment() -> dict[str, str]:
    """The environment, bytecode allowed: an installed program does not compile at each start."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def measure(work: Path) -> Report:
    """All figures."""
    home = built(work)
    commands: dict[str, list[str | Path]] = {
        "help": [_PROGRAM, "--help"],
        "python": [sys.executable, "-c", "pass"],
        "recall": recalling(home),
        "keyword": [*recalling(home), "--strategy", "keyword"],
        "model": [sys.executable, "-c", _MODEL_ALONE],
        "libraries": [sys.executable, "-c", _LIBRARIES_ALONE],
        **{name: [_PROGRAM, "--home", home, *words] for name, words in _WITHOUT_MODEL.items()},
    }
    found = interleaved(
        _ROUNDS, {name: partial(run, command) for name, command in commands.items()}
    )
    return Report("Starting", LIMITS, conditions(work), _figures(found))


def recalling(home: Path) -> list[str | Path]:
    """The command that recalls from a home."""
    return [_PROGRAM, "recall", *_CUE.split(), "--home", home, "--json"]


def _figures(found: dict[str, list[Spell]]) -> list[Figure]:
    helped, recalled, libraries = found["help"], found["recall"], found["libraries"]
    return [
        Figure(
            "mnemolog --help",
            milliseconds(helped),
            f"python -c pass {milliseconds(found['python'])}",
            "<= 100 ms",
            wall_s(helped) <= 0.1,  # noqa: PLR2004
        ),
        Figure(
            f"mnemolog recall, {MEMORIES:,} memories",
            milliseconds(recalled),
            (
                f"{ratio(recalled, found['model']):.2f} of loading the model and embedding one "
                f"text, {milliseconds(found['model'])}"
            ),
            "<= 800 ms",
            wall_s(recalled) <= 0.8,  # noqa: PLR2004
        ),
        Figure("mnemolog recall --strategy keyword", milliseconds(found["keyword"])),
        *(
            Figure(
                f"mnemolog {' '.join(words)}",
                milliseconds(found[name]),
                f"{ratio(found[name], libraries):.2f} of python -c {_LIBRARIES_ALONE!r}",
                "<= 2 times",
                ratio(found[name], libraries) <= 2,  # noqa: PLR2004
            )
            for name, words in _WITHOUT_MODEL.items()
        ),
    ]


def profile(work: Path) -> str:
    """What a cold recall imports, slowest first, by `-X importtime`, and where its time goes."""
    command = [sys.executable, "-X", "importtime", *recalling(built(work))]
    environment = _environment()
    for _ in range(2):  # the first writes the bytecode
        trace = subprocess.run(
            command, check=True, capture_output=True, text=True, env=environment
        ).stderr
    lines = [line for line in trace.splitlines() if line.startswith("import time:")][1:]
    lines.sort(key=lambda line: -int(line.split(":")[1].split("|")[1]))
    profiled = [sys.executable, "-m", "cProfile", "-s", "tottime", *recalling(built(work))]
    stats = subprocess.run(
        profiled, check=True, capture_output=True, text=True, env=environment
    ).stdout
    start = stats.index("function calls")
    return "\n".join([*lines[:30], *stats[start:].splitlines()[:35]])


def main() -> None:
    """Measure and print the report."""
    parser = arguments("Measure the command line from cold.")
    parser.add_argument("--profile", action="store_true", help="print where the time goes instead")
    given = parser.parse_args()
    with workplace(given.work) as work:
        if given.profile:
            print(profile(work))
        else:
            show(measure(work), as_json=given.json)


if __name__ == "__main__":
    main()
