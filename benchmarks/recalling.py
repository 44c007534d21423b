"""How fast recall answers over 100,000 memories in one space, and what a memory takes up.

    python -m benchmarks.recalling [--work DIR] [--json] [--memories N]

The cue's vector is made beforehand, as a program that embeds for itself would.
Beside the answers stands a plain scan: one numpy product of all vectors with the
cue's, and its ten largest.
"""

from __future__ import annotations

import cProfile
import io
import itertools
import pstats
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.report import (
    Figure,
    Report,
    Spell,
    arguments,
    conditions,
    interleaved,
    memory_kib,
    milliseconds,
    percentile,
    ratio,
    show,
    spell,
    wall_s,
    workplace,
)
from benchmarks.talk import TALK_TEXTS, Language, Said, Vectors
from mnemolog import Durability, Memory, NewMemory
from mnemolog.indexes.embedder import Embedder
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.memory import Questions

LIMITS = (
    "how good the answers are (see quality); the embedding of the cue, 3 to 5 ms with the built-in "
    "model; real text, for the talk is made up and its vectors are those of its words; several "
    "askers at once; a machine with nothing else to do."
)
SPACE = "talk"
_CUES = 200
_ROUNDS = 20
_CUES_A_ROUND = 20
_APPENDS = 60
_EVERY_SUPERSEDES = 50
_EVERY_WITHDRAWN = 200
_KIB = 1024

Cue = tuple[str, Vectors]
Ask = Callable[[Cue], object]


def opened(home: Path, embedder: Embedder, run: str | None = None) -> Memory:
    """The home with its embedder, such as the made-up language."""
    return Memory.open(
        home,
        space=SPACE,
        actor="user:dana",
        run=run,
        durability=Durability.MAY_LOSE_LAST_MOMENTS,
        embedder=embedder,
    )


def new_memory(said: Said) -> NewMemory:
    """A text of a talk, to be stored with its kind, source, place and tags."""
    return NewMemory(
        said.text, kind=said.kind, source=said.source, place=said.place, tags=said.tags
    )


def built(work: Path, language: Language, memories: int) -> Path:
    """A home with so many memories: a talk a run, one in 50 a correction, one in 200 withdrawn."""
    home = work / f"recalling-{memories}"
    if (home / "complete").exists():
        return home
    shutil.rmtree(home, ignore_errors=True)
    for number in range(memories // TALK_TEXTS):
        with opened(home, language, f"talk-{number}") as memory:
            receipts = memory.remember_many(
                map(new_memory, language.talk(number)), contradictions="off"
            )
            ids = [str(receipt.memory_id) for receipt in receipts]
            for old in range(0, TALK_TEXTS, _EVERY_SUPERSEDES):
                memory.supersede(ids[old], by=ids[old + 1])
            if number % (_EVERY_WITHDRAWN // TALK_TEXTS) == 0:
                memory.withdraw(ids[-1])
    with opened(home, language) as memory:
        memory.upkeep.index()
    (home / "complete").touch()
    return home


def timed(ask: Ask, cues: Sequence[Cue]) -> list[Spell]:
    """How long each cue took."""
    return [spell(partial(ask, cue)) for cue in cues]


def recall(questions: Questions[None], **narrowed: object) -> Ask:
    """Recall with the cue's vector given."""
    return lambda cue: questions.recall(cue[0], vector=cue[1], **narrowed)  # type: ignore[arg-type]


def plain_scan(vectors: Vectors) -> Ask:
    """The ten nearest by one product with all vectors."""

    def scan(cue: Cue) -> object:
        scores = vectors @ cue[1]
        best = np.argpartition(-scores, 10)[:10]
        return best[np.argsort(-scores[best])]

    return scan


class Writer:
    """Another process that remembers when told to, and says when it has."""

    def __init__(self, home: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.recalling", "--remember-in", str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.remember("ready")

    def remember(self, text: str) -> None:
        """Return once the other process has remembered a text."""
        if self._process.stdin is None or self._process.stdout is None:
            raise BrokenPipeError
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        if not self._process.stdout.readline():
            raise BrokenPipeError

    def close(self) -> None:
        """End the other process."""
        self._process.communicate()


def remember_when_told(home: Path) -> None:
    """The other process: remember each line that comes in, answer with its position."""
    with opened(home, Language()) as memory:
        for line in sys.stdin:
            print(memory.remember(line.strip()).position, flush=True)


class Resident(msgspec.Struct, frozen=True):
    """What a fresh process took to answer its first cue: KiB of memory, and milliseconds."""

    before_kib: int
    after_kib: int
    first_ms: float


def answer_once(home: Path) -> None:
    """A fresh process: recall once and print the `Resident`."""
    language = Language()
    (cue,) = language.cues(1, seed=7)
    before = memory_kib("VmRSS")
    start = time.perf_counter()
    with opened(home, language) as memory:
        memory.recall(cue, vector=language.embed([cue])[0])
        first_ms = 1000 * (time.perf_counter() - start)
        if memory.notices:
            raise RuntimeError(memory.notices)
        print(msgspec.json.encode(Resident(before, memory_kib("VmRSS"), first_ms)).decode())


def cut(home: Path, position: int, target: Path, language: Language) -> Path:
    """A home whose log ends at a position of another's, the same up to there."""
    target.mkdir()
    source = SqliteLog(home / "ledger.db")
    copy = SqliteLog(target / "ledger.db", durability=Durability.MAY_LOSE_LAST_MOMENTS)
    copied = 0
    while copied < position:
        events = source.read(Position(copied), min(10_000, position - copied))
        copy.adopt(events)
        copied += len(events)
    source.close()
    copy.close()
    with opened(target, language) as memory:
        memory.upkeep.index()
    return target


def agreement(
    these: Questions[None], those: Questions[None], cues: Sequence[Cue]
) -> tuple[float, float]:
    """The share of the top ten in common, and the share of cues with the same top ten in order."""
    common, same = 0.0, 0
    for text, vector in cues:
        one = [hit.position for hit in these.recall(text, vector=vector).hits]
        other = [hit.position for hit in those.recall(text, vector=vector).hits]
        common += len({*one} & {*other}) / max(1, len(other))
        same += one == other
    return common / len(cues), same / len(cues)


def measure(work: Path, memories: int) -> Report:
    """All figures, on a copy of the home so that the kept one stays as it was built."""
    language = Language()
    kept = built(work, language, memories)
    home, half_home = work / "recalling-copy", work / "recalling-half"
    for path in (home, half_home):
        shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(kept, home)
    with opened(home, language) as memory:
        # A home kept since another version would have its derived files made anew within
        # the first measure that opens it.
        memory.upkeep.index()
    cues = _cues(language, _CUES, seed=11)
    try:
        figures = _sizes(home, memories)
        with opened(home, language) as memory:
            memory.upkeep.index()
            head = memory.log.checkpoint().position
            figures = [
                *_speeds(memory, head, cues, language, memories),
                *_after_appends(memory, cues, home),
                *figures,
            ]
            cut(home, head // 2, half_home, language)
            with opened(half_home, language) as half:
                figures.append(_agreement_figure(memory, half, head // 2, cues))
        return Report(f"Recalling from {memories:,} memories", LIMITS, conditions(work), figures)
    finally:
        for path in (home, half_home):
            shutil.rmtree(path, ignore_errors=True)


def _cues(language: Language, count: int, seed: int) -> list[Cue]:
    texts = language.cues(count, seed)
    return list(zip(texts, language.embed(texts), strict=True))


def ways_to_ask(memory: Memory, head: int) -> dict[str, Ask]:
    """Recall now, as of half-way to the log's head, and narrowed, by name."""
    return {
        "now": recall(memory),
        "as of half-way": recall(memory.as_of(head // 2)),
        "kind of a quarter": recall(memory, kinds=["episodic"]),
        "source of a half": recall(memory, source="agent:assistant"),
        "place of a tenth": recall(memory, place="room-3"),
        "place of a hundredth": recall(memory, place="room-3/drawer-33"),
        "tag of a hundredth": recall(memory, tags=["tag-7"]),
        "by meaning alone": recall(memory, strategy="semantic"),
        "by words alone": recall(memory, strategy="keyword"),
    }


def asked_in_turns(
    asks: Mapping[str, Ask], cues: Sequence[Cue], rounds: int = _ROUNDS
) -> dict[str, list[Spell]]:
    """How long cues took with each way to ask, in rounds of 20 cues."""
    turns = itertools.cycle(cues)

    def one_round(ask: Ask) -> Callable[[], list[Spell]]:
        return lambda: timed(ask, list(itertools.islice(turns, _CUES_A_ROUND)))

    return interleaved(rounds, {name: one_round(ask) for name, ask in asks.items()})


def narrowed_figures(found: Mapping[str, Sequence[Spell]]) -> list[Figure]:
    """The medians of recalls narrowed by a filter or a strategy, beside that of now."""
    return [
        Figure(
            f"recall, {name}, p50",
            milliseconds(spells),
            f"{ratio(spells, found['now']):.2f} of now",
        )
        for name, spells in found.items()
        if name not in {"plain scan", "now", "as of half-way"}
    ]


def _speeds(
    memory: Memory, head: int, cues: Sequence[Cue], language: Language, memories: int
) -> list[Figure]:
    texts = [s.text for n in range(memories // TALK_TEXTS) for s in language.talk(n)]
    scan = plain_scan(language.embed(texts))
    found = asked_in_turns({"plain scan": scan, **ways_to_ask(memory, head)}, cues)
    now, half = found["now"], found["as of half-way"]
    p95 = percentile([one.wall_s for one in now], 0.95)
    return [
        Figure(
            "recall, p50",
            milliseconds(now),
            f"plain scan {milliseconds(found['plain scan'])}",
            "<= 5 ms",
            wall_s(now) <= 0.005,  # noqa: PLR2004
        ),
        Figure(
            "recall, p95",
            f"{1000 * p95:.2f} ms ({_tail_cpu(now)})",
            "",
            "<= 15 ms",
            p95 <= 0.015,  # noqa: PLR2004
        ),
        Figure(
            "recall as of half-way, p50",
            milliseconds(half),
            f"{ratio(half, now):.2f} of now",
            "<= 1.5 of now",
            ratio(half, now) <= 1.5,  # noqa: PLR2004
        ),
        *narrowed_figures(found),
    ]


def _tail_cpu(spells: Sequence[Spell]) -> str:
    return f"CPU {1000 * percentile([one.cpu_s for one in spells], 0.95):.2f}"


def _after_appends(memory: Memory, cues: Sequence[Cue], home: Path) -> list[Figure]:
    ask = recall(memory)
    writer = Writer(home)
    after, again = [], []
    try:
        for index, cue in enumerate(cues[:_APPENDS]):
            writer.remember(f"note {index}: {cue[0]}")
            after += timed(ask, [cue])
            again += timed(ask, [cue])
    finally:
        writer.close()
    times = ratio(after, again)
    return [
        Figure(
            "next recall after an append in another process, p50",
            milliseconds(after),
            f"{times:.2f} of the same cue again",
            "<= 2 of now",
            times <= 2,  # noqa: PLR2004
        )
    ]


def disk_by_part(home: Path) -> dict[str, int]:
    """Bytes on disk of a home's log, views, vectors and index."""
    parts = {
        "log": ["ledger.db*"],
        "views": ["views-*"],
        "vectors": ["vectors*"],
        "index": ["indexes/**/*"],
    }
    return {
        name: sum(
            path.stat().st_size
            for pattern in patterns
            for path in home.glob(pattern)
            if path.is_file()
        )
        for name, patterns in parts.items()
    }


def _sizes(home: Path, memories: int) -> list[Figure]:
    sizes = disk_by_part(home)
    output = subprocess.run(
        [sys.executable, "-m", "benchmarks.recalling", "--answer-once-in", str(home)],
        check=True,
        stdout=subprocess.PIPE,
    ).stdout
    resident = msgspec.json.decode(output, type=Resident)
    added = resident.after_kib - resident.before_kib
    return [
        Figure(
            "bytes on disk a memory",
            f"{sum(sizes.values()) / memories:,.0f}",
            ", ".join(f"{name} {size / memories:,.0f}" for name, size in sizes.items()),
        ),
        Figure(
            "bytes in memory a memory",
            f"{_KIB * added / memories:,.0f}",
            f"RSS {resident.before_kib // _KIB} MiB before, {resident.after_kib // _KIB} MiB after",
        ),
        Figure("first recall of a process", f"{resident.first_ms:,.0f} ms", "base read from disk"),
    ]


def _agreement_figure(memory: Memory, half: Memory, position: int, cues: Sequence[Cue]) -> Figure:
    common, same = agreement(memory.as_of(position), half.as_of(position), cues)
    return Figure(
        "top ten as of half-way as in an index cut there",
        f"{100 * common:.1f} %",
        f"same ten in the same order: {100 * same:.1f} % of cues",
        ">= 99 %",
        common >= 0.99,  # noqa: PLR2004
    )


def profile(work: Path, memories: int) -> str:
    """Where the time of recall goes, by cProfile."""
    language = Language()
    home = built(work, language, memories)
    cues = _cues(language, _CUES, seed=11)
    output = io.StringIO()
    with opened(home, language) as memory:
        for name, ask in (
            ("now", recall(memory)),
            ("place of a hundredth", recall(memory, place="room-3/drawer-33")),
        ):
            timed(ask, cues[:_CUES_A_ROUND])
            profiler = cProfile.Profile(time.process_time)
            profiler.runcall(timed, ask, cues)
            print(name, file=output)
            pstats.Stats(profiler, stream=output).sort_stats("tottime").print_stats(25)
    return output.getvalue()


def main() -> None:
    """Measure, print the report; or be the other process that a measure needs."""
    parser = arguments("Measure recall over one large space.")
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--profile", action="store_true", help="print where the time goes instead")
    parser.add_argument("--remember-in", type=Path, help="used between this program's processes")
    parser.add_argument("--answer-once-in", type=Path, help="used between this program's processes")
    given = parser.parse_args()
    if given.remember_in is not None:
        remember_when_told(given.remember_in)
    elif given.answer_once_in is not None:
        answer_once(given.answer_once_in)
    else:
        with workplace(given.work) as work:
            if given.profile:
                print(profile(work, given.memories))
            else:
                show(measure(work, given.memories), as_json=given.json)


if __name__ == "__main__":
    main()
