"""What every benchmark prints: the conditions, its figures, and what they do not show."""

from __future__ import annotations

import argparse
import os
import platform
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import NamedTuple

import apsw
import msgspec

_PACKAGES = ("apsw", "numpy", "onnxruntime", "tantivy")


class Figure(msgspec.Struct, frozen=True):
    """One thing measured: the median, what it stands beside, and what it was to reach."""

    name: str
    measured: str
    beside: str = ""
    target: str = ""
    met: bool | None = None


class Report(msgspec.Struct, frozen=True):
    """A benchmark's figures under their conditions."""

    title: str
    limits: str
    conditions: dict[str, str]
    figures: list[Figure]

    def markdown(self) -> str:
        """The report as Markdown, beginning with what it does not show."""
        rows = [
            (figure.name, figure.measured, figure.beside, figure.target, _word(figure.met))
            for figure in self.figures
        ]
        conditions = "; ".join(f"{name} {value}" for name, value in self.conditions.items())
        return "\n".join(
            [
                f"### {self.title}",
                "",
                f"What this does not show: {self.limits}",
                "",
                f"Conditions: {conditions}.",
                "",
                table(("what", "median", "beside", "target", "met"), rows),
            ]
        )


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def percent(share: float) -> str:
    """A share as a percentage with one decimal, without the sign."""
    return f"{100 * share:.1f}"


def _word(met: bool | None) -> str:  # noqa: FBT001 - the value shown, not a switch
    return "" if met is None else "yes" if met else "NO"


def conditions(work: Path) -> dict[str, str]:
    """Where and when the figures come about; `work` is where files are written."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "CPU": _cpu(),
        "cores": str(os.cpu_count()),
        "load": " ".join(f"{load:.1f}" for load in os.getloadavg()),
        "Python": platform.python_version(),
        **{name: version(name) for name in _PACKAGES},
        "SQLite": apsw.sqlite_lib_version(),
        "file system": _file_system(work),
        "kernel": platform.release(),
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if "model name" in line), "?")


def _file_system(path: Path) -> str:
    """The type of file system that holds a path, as /proc/mounts has it."""
    try:
        mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    except OSError:
        return "?"
    at = path.resolve()
    holding = [mount for mount in mounts if at.is_relative_to(mount[1])]
    return max(holding, key=lambda mount: len(mount[1]))[2] if holding else "?"


class Spell(NamedTuple):
    """How long something took: by the clock, and in work of all cores.

    On a machine that others use too the clock says how long one waited; the work
    says more of what a quiet machine would show.
    """

    wall_s: float
    cpu_s: float


def spell(work: Callable[[], object]) -> Spell:
    """How long `work` took, processes that it started and awaited included."""
    cpu = _cpu_s()
    start = time.perf_counter()
    work()
    return Spell(time.perf_counter() - start, _cpu_s() - cpu)


def _cpu_s() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def interleaved(
    rounds: int, measures: Mapping[str, Callable[[], Sequence[Spell]]]
) -> dict[str, list[Spell]]:
    """What each measure gave in all rounds, A B A B, so that a slow time hits all alike.

    One more round comes first, which warms caches and does not count.
    """
    found: dict[str, list[Spell]] = {name: [] for name in measures}
    for round_ in range(rounds + 1):
        for name, measure in measures.items():
            spells = measure()
            if round_ > 0:
                found[name].extend(spells)
    return found


def wall_s(spells: Sequence[Spell]) -> float:
    """The median by the clock."""
    return median(spell.wall_s for spell in spells)


def cpu_s(spells: Sequence[Spell]) -> float:
    """The median of the work."""
    return median(spell.cpu_s for spell in spells)


def milliseconds(spells: Sequence[Spell]) -> str:
    """The medians in milliseconds."""
    return f"{1000 * wall_s(spells):.2f} ms (CPU {1000 * cpu_s(spells):.2f})"


def rate(count: int, spells: Sequence[Spell]) -> str:
    """So many a second, by the medians."""
    return f"{count / wall_s(spells):,.0f} a second (of CPU {count / cpu_s(spells):,.0f})"


def ratio(these: Sequence[Spell], those: Sequence[Spell]) -> float:
    """How many times as long these took as those, by the clock."""
    return wall_s(these) / wall_s(those)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies, nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def memory_kib(field: str) -> int:
    """KiB of this process by a field of /proc/self/status, such as `VmRSS`; 0 elsewhere."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{field}:")), 0)


def arguments(description: str) -> argparse.ArgumentParser:
    """The options that every benchmark takes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--work", type=Path, help="where files are made and kept for the next run; else temporary"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")
    return parser


@contextmanager
def workplace(given: Path | None) -> Iterator[Path]:
    """The directory to work in, made if it is not there, removed if none was given."""
    if given is not None:
        given.mkdir(parents=True, exist_ok=True)
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="mnemolog-benchmark-") as path:
        yield Path(path)


def show(report: Report, *, as_json: bool) -> None:
    """Print a report."""
    print(msgspec.json.encode(report).decode() if as_json else report.markdown())
