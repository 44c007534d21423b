"""Loading messages and asking for them, beside the model alone and other stores.

    python -m benchmarks.loading [--work DIR] [--json] [--messages N] [--rounds N] [--large]
                                 [--peers] [PATH...]

A PATH is a directory with `corpus.jsonl` and maybe `queries.jsonl`, as `quality` takes them;
without one the messages are made up. Each measure runs in a process of its own, in which
memory is read, and all take turns. All vectors but those of the lines with the model are made
beforehand, by a load that does not count.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

import msgspec

from benchmarks.messages import Messages, Precomputed, Recording, messages_of
from benchmarks.peers import PEERS, Store
from benchmarks.recalling import SPACE, built, disk_by_part
from benchmarks.report import (
    Figure,
    Report,
    Spell,
    arguments,
    conditions,
    cpu_s,
    memory_kib,
    milliseconds,
    percentile,
    rate,
    ratio,
    show,
    spell,
    wall_s,
    workplace,
)
from benchmarks.starting import AsMiniLM
from mnemolog import Memory, MiniLM
from mnemolog.policies.contradictions.rules import RuleJudge

if TYPE_CHECKING:
    from benchmarks.talk import Vectors
    from mnemolog.indexes.embedder import Embedder
    from mnemolog.policies.contradictions.judge import Judge

LIMITS = (
    "how good the answers are (see quality): Chroma and numpy search by vector alone, FTS5 by "
    "words alone, and none of them checks, dates or keeps a history; the first call of a process, "
    "which loads libraries (see starting), except with the model; other batch sizes and settings "
    "of the others; several writers."
)
Checking = Literal["check", "off"]
LARGE = 100_000
_ACTOR = "user:dana"
_MESSAGES_FILE = "messages.json"
_WARMING = 100
_WARMING_ONES = 20
_BYTES_A_KIB = 1024
_CHECKED, _UNCHECKED = "mnemolog, checked", "mnemolog, unchecked"
_WITH_MODEL = "mnemolog with the model, checked"
_WITH_MODEL_UNCHECKED = "mnemolog with the model, unchecked"
_MODEL = "the model alone"


class Mnemolog:
    """A home of mnemolog: it loads a batch and indexes it at once."""

    def __init__(self, folder: Path, checking: Checking, embedder: Embedder | None) -> None:
        self._memory = Memory.open(folder / "home", actor=_ACTOR, embedder=embedder)
        self._checking: Checking = checking

    def add(self, texts: Sequence[str], vectors: Vectors | None) -> None:  # noqa: ARG002 - the embedder has them
        """Remember all, and index them."""
        self._memory.remember_many(texts, contradictions=self._checking)
        self._memory.upkeep.index()

    def remember_each(self, texts: Sequence[str]) -> None:
        """Remember one by one, checked."""
        for text in texts:
            self._memory.remember(text)

    def search(self, text: str, vector: Vectors) -> object:
        """Recall by default settings."""
        return self._memory.recall(text, vector=vector)

    def close(self) -> None:
        """Close the home."""
        self._memory.close()


# -- measures, each in a process of its own --------------------------------------------


class Loaded(msgspec.Struct, frozen=True):
    """One load, and questions after it; KiB of the process after the load, at most, at the end."""

    load: Spell
    loaded_kib: int
    peak_kib: int
    queries: list[Spell] = []
    asked_kib: int = 0


def _messages(folder: Path) -> Messages:
    return msgspec.json.decode((folder / _MESSAGES_FILE).read_bytes(), type=Messages)


def model_alone(folder: Path) -> Loaded:
    """The built-in model over all texts, its loading included."""
    took = spell(partial(MiniLM().embed, _messages(folder).loaded))
    return Loaded(took, memory_kib("VmRSS"), memory_kib("VmHWM"))


def load_with_model(folder: Path, name: str, checking: Checking) -> Loaded:
    """A load that embeds with the built-in model, whose loading is included."""
    store = Mnemolog(_emptied(folder / name), checking, None)
    took = spell(partial(store.add, _messages(folder).loaded, None))
    found = Loaded(took, memory_kib("VmRSS"), memory_kib("VmHWM"))
    store.close()
    return found


def load(folder: Path, name: str, opened: Callable[[Path], Store]) -> Loaded:
    """A load with vectors made beforehand, and then all cues, one after another."""
    messages, known = _messages(folder), Precomputed(folder)
    vectors = known.embed(messages.loaded)
    cues = list(zip(messages.cues, known.embed(messages.cues), strict=True))
    with TemporaryDirectory(dir=folder) as scratch:
        store = opened(Path(scratch))
        store.add(messages.loaded[:_WARMING], vectors[:_WARMING])
        store.close()
    store = opened(_emptied(folder / name))
    took = spell(partial(store.add, messages.loaded, vectors))
    loaded_kib, peak_kib = memory_kib("VmRSS"), memory_kib("VmHWM")
    store.search(*cues[0])
    queries = [spell(partial(store.search, *cue)) for cue in cues]
    found = Loaded(took, loaded_kib, peak_kib, queries, memory_kib("VmRSS"))
    store.close()
    return found


def load_into_mnemolog(folder: Path, name: str, checking: Checking) -> Loaded:
    """The same with mnemolog."""
    return load(folder, name, lambda at: Mnemolog(at, checking, Precomputed(folder)))


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def remember_one_by_one(folder: Path, home: str, space: str, judge: Judge | None) -> list[Spell]:
    """Further messages remembered one by one, checked, in a copy of a home."""
    embedder = Precomputed(folder, AsMiniLM() if space == SPACE else None)
    further = _messages(folder).further
    with TemporaryDirectory(dir=folder) as scratch:
        copy = shutil.copytree(folder / home, Path(scratch) / "home")
        with Memory.open(copy, space, actor=_ACTOR, embedder=embedder, judge=judge) as memory:
            memory.upkeep.index()
            took = [spell(partial(memory.remember, text)) for text in further]
    return took[min(_WARMING_ONES, len(took) // 2) :]


LOADS: dict[str, Callable[[Path], Loaded]] = {
    _MODEL: model_alone,
    _WITH_MODEL: partial(load_with_model, name=_WITH_MODEL, checking="check"),
    _WITH_MODEL_UNCHECKED: partial(load_with_model, name=_WITH_MODEL_UNCHECKED, checking="off"),
    _CHECKED: partial(load_into_mnemolog, name=_CHECKED, checking="check"),
    _UNCHECKED: partial(load_into_mnemolog, name=_UNCHECKED, checking="off"),
    **{name: partial(load, name=name, opened=opened) for name, opened in PEERS.items()},
}
"""Loads, each in a process of its own, by name."""


SMALL_HOME, LARGE_HOME = (f"{_CHECKED}/home", "default"), (f"recalling-{LARGE}", SPACE)
_RULES = ", rules alone"
REMEMBERING: dict[str, Callable[[Path], list[Spell]]] = {
    f"{home}{judged}": partial(remember_one_by_one, home=home, space=space, judge=judge)
    for home, space in (SMALL_HOME, LARGE_HOME)
    for judged, judge in (("", None), (_RULES, RuleJudge()))
}
"""Measures that remember one by one, each in a process of its own, by name."""


def run_here(folder: Path, name: str) -> None:
    """The measure of this name, printed as JSON."""
    measures = LOADS | REMEMBERING
    print(msgspec.json.encode(measures[name](folder)).decode())


# -- the program that starts them ------------------------------------------------------


def prepare(folder: Path, messages: Messages) -> None:
    """Write the messages, and the vector of every text that any measure asks for."""
    (folder / _MESSAGES_FILE).write_bytes(msgspec.json.encode(messages))
    recording = Recording()
    recording.embed(messages.loaded)
    cues = list(zip(messages.cues, recording.embed(messages.cues), strict=True))
    modes: tuple[Checking, ...] = ("off", "check")
    for checking in modes:
        with TemporaryDirectory(dir=folder) as scratch:
            store = Mnemolog(Path(scratch), checking, recording)
            store.add(messages.loaded, None)
            if checking == "check":
                store.remember_each(messages.further)
                for cue in cues:
                    store.search(*cue)
            store.close()
    recording.save(folder)


def _process(folder: Path, name: str) -> bytes:
    options = ["--measure", name, "--work", str(folder)]
    command = [sys.executable, "-m", "benchmarks.loading", *options]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def in_turns(
    folder: Path, rounds: int, loads: Sequence[str], remembering: Sequence[str]
) -> tuple[dict[str, list[Loaded]], dict[str, list[Spell]]]:
    """Results of each measure in all rounds, A B A B, so that a slow time hits all alike."""
    loaded: dict[str, list[Loaded]] = {name: [] for name in loads}
    remembered: dict[str, list[Spell]] = {name: [] for name in remembering}
    for _ in range(rounds):
        for name in loads:
            loaded[name].append(msgspec.json.decode(_process(folder, name), type=Loaded))
        for name in remembering:
            remembered[name] += msgspec.json.decode(_process(folder, name), type=list[Spell])
    return loaded, remembered


def measure(
    folder: Path, messages: Messages, rounds: int, homes: Mapping[str, int], peers: Sequence[str]
) -> Report:
    """All figures; `homes` are those to remember in one by one, with how much they hold."""
    prepare(folder, messages)
    loads = [name for name in LOADS if name not in PEERS or name in peers]
    remembering = [name for home in homes for name in (home, f"{home}{_RULES}")]
    loaded, remembered = in_turns(folder, rounds, loads, remembering)
    count = len(messages.loaded)
    figures = [
        *_model_figures(loaded, count),
        *_rate_figures(loaded, count),
        *(
            figure
            for home, memories in homes.items()
            for figure in _remembering_figures(
                remembered[home], remembered[f"{home}{_RULES}"], memories
            )
        ),
    ]
    for name in (_CHECKED, *peers):
        figures += _store_figures(name, loaded[name], folder / name, count)
    return Report(f"Loading {count:,} messages", LIMITS, conditions(folder), figures)


def _loads(found: Sequence[Loaded]) -> list[Spell]:
    return [one.load for one in found]


def _seconds(spells: Sequence[Spell]) -> str:
    return f"{wall_s(spells):.1f} s (CPU {cpu_s(spells):.1f})"


def _megabytes(kib: Sequence[int]) -> float:
    return _BYTES_A_KIB * median(kib) / 1e6


def _model_figures(loaded: Mapping[str, list[Loaded]], count: int) -> list[Figure]:
    alone = _loads(loaded[_MODEL])
    figures = [Figure(_MODEL, _seconds(alone), rate(count, alone))]
    for name in (_WITH_MODEL, _WITH_MODEL_UNCHECKED):
        times = ratio(_loads(loaded[name]), alone)
        figures.append(
            Figure(
                name,
                _seconds(_loads(loaded[name])),
                f"{times:.2f} of the model alone",
                "<= 1.2 of the model alone",
                times <= 1.2,  # noqa: PLR2004
            )
        )
        resident = _megabytes([one.loaded_kib for one in loaded[name]])
        peak = _megabytes([one.peak_kib for one in loaded[name]])
        figures.append(
            Figure(
                f"process memory after {name}",
                f"{resident:,.0f} MB",
                f"peak {peak:,.0f} MB",
                "<= 250 MB",
                resident <= 250,  # noqa: PLR2004
            )
        )
    return figures


def _rate_figures(loaded: Mapping[str, list[Loaded]], count: int) -> list[Figure]:
    return [
        Figure(
            f"{name}, loading without embedding",
            rate(count, _loads(loaded[name])),
            f"{wall_s(_loads(loaded[name])):.2f} s",
            f">= {least:,} a second",
            count >= least * wall_s(_loads(loaded[name])),
        )
        for name, least in ((_CHECKED, 1_500), (_UNCHECKED, 5_000))
    ]


def _remembering_figures(
    one_by_one: Sequence[Spell], by_rules: Sequence[Spell], memories: int
) -> list[Figure]:
    """p50 and p95 of one call, beside those with the built-in judge's rules but not its model."""
    figures = []
    for share, most_ms in ((0.5, 1), (0.95, 10)):
        took, ruled = (
            1000 * percentile([one.wall_s for one in spells], share)
            for spells in (one_by_one, by_rules)
        )
        figures.append(
            Figure(
                f"one remember at {memories:,} memories, checked, p{100 * share:.0f}",
                f"{took:.2f} ms",
                f"{ruled:.2f} ms with the rules of the judge alone",
                f"<= {most_ms} ms",
                took <= most_ms,
            )
        )
    return figures


def _store_figures(name: str, found: Sequence[Loaded], folder: Path, count: int) -> list[Figure]:
    queries = [one for each in found for one in each.queries]
    p95, p99 = (1000 * percentile([one.wall_s for one in queries], at) for at in (0.95, 0.99))
    resident, peak, asked = (
        _megabytes(kib)
        for kib in zip(
            *((one.loaded_kib, one.peak_kib, one.asked_kib) for one in found), strict=True
        )
    )
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    parts = disk_by_part(folder / "home") if name == _CHECKED else {}
    by_part = ", ".join(f"{part} {part_size / count:,.0f}" for part, part_size in parts.items())
    return [
        Figure(f"{name}: loading", rate(count, _loads(found))),
        Figure(f"{name}: query, p50", milliseconds(queries), f"p95 {p95:.2f} ms, p99 {p99:.2f} ms"),
        Figure(
            f"{name}: process memory",
            f"{resident:,.0f} MB",
            f"peak {peak:,.0f} MB, after all queries {asked:,.0f} MB",
        ),
        Figure(f"{name}: bytes on disk a message", f"{size / count:,.0f}", by_part),
    ]


def main() -> None:
    """Measure and print the report; or be one of the processes that a measure needs."""
    parser = arguments("Measure loading and asking, beside other stores.")
    parser.add_argument("paths", metavar="PATH", nargs="*", type=Path, help="a set's directory")
    parser.add_argument("--messages", type=int, default=5_000, help="how many to load")
    parser.add_argument("--rounds", type=int, default=3, help="how often each loads")
    parser.add_argument("--large", action="store_true", help="remember at 100,000 memories too")
    parser.add_argument("--peers", action="store_true", help="load into Chroma, FTS5, numpy too")
    parser.add_argument("--measure", help="used between this program's processes")
    given = parser.parse_args()
    if given.measure is not None:
        run_here(given.work, given.measure)
        return
    peers = list(PEERS) if given.peers else []
    if given.peers and find_spec("chromadb") is None:
        print("Chroma is left out: it is not installed (pip install chromadb)", file=sys.stderr)
        peers.remove("Chroma")
    messages = messages_of(given.paths, given.messages)
    with workplace(given.work) as work:
        folder = work / "loading"
        folder.mkdir(exist_ok=True)
        homes = {SMALL_HOME[0]: len(messages.loaded)}
        if given.large:
            built(folder, AsMiniLM(), LARGE)
            homes[LARGE_HOME[0]] = LARGE
        show(measure(folder, messages, given.rounds, homes, peers), as_json=given.json)


if __name__ == "__main__":
    main()
