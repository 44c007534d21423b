"""A year of daily use, lived in a home that forgets and in one that does not.

    python -m benchmarks.a_year [--work DIR] [--json] [--seed N]

The same made-up life (see benchmarks/life) is told to both, day by day under a clock
set by hand: what is learned, what changes, what is pinned, what is asked. What an
answer rested on is reported as used, and every night the home that forgets is ticked.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median

from benchmarks.life.acts import DAYS, Life
from benchmarks.life.living import KnownVectors, Living
from benchmarks.life.year import kinds, year
from benchmarks.report import Figure, Report, arguments, conditions, percentile, show, workplace
from mnemolog import Vital
from mnemolog.ledger.ids import MemoryId

LIMITS = (
    "how a real person's year would fare. The life is made up: half of it are facts that hold, "
    "half what happens from day to day; who stores more of the day has a smaller share active. "
    "Texts are short. What is told in bulk is not held against what is there; what changes is."
)
_MIB = 1 << 20
_IN_USE_DAYS = 90


def measure(work: Path, seed: int) -> Report:
    """Live the year in both homes, and compare them."""
    life = year(seed)
    embedder = KnownVectors()
    homes = {"with": work / "a-year-with", "without": work / "a-year-without"}
    for path in homes.values():
        shutil.rmtree(path, ignore_errors=True)
    forgetting = Living(homes["with"], embedder, speed=1.0)
    keeping = Living(homes["without"], embedder, speed=0.0)
    for number, day in enumerate(life.days):
        for living in (forgetting, keeping):
            living.live(number, day)
        _tell(number, forgetting)
    figures = [
        *_life(life, forgetting),
        *_health(forgetting),
        *_kept(life, forgetting),
        *_answers(life, forgetting, keeping),
        *_costs(forgetting, keeping),
    ]
    return Report("A year of daily use", LIMITS, conditions(work), figures)


def _tell(number: int, forgetting: Living) -> None:
    """Say how far it has come."""
    if number % 30 == 0:
        memories = forgetting.nights[-1].health.memories
        print(f"day {number}: {memories}", file=sys.stderr, flush=True)


def _life(life: Life, forgetting: Living) -> list[Figure]:
    told = ", ".join(f"{kind} {count:,}" for kind, count in kinds(life).items())
    changed = sum(len(day.changed) for day in life.days)
    used = forgetting.nights[-1].health.uses_ever
    return [
        Figure("memories told", f"{life.memories:,}", told),
        Figure("of them in the place of others", f"{changed:,}"),
        Figure("asked", f"{len(forgetting.found):,}", f"{used.recalls:,} reported as used"),
    ]


def _health(forgetting: Living) -> list[Figure]:
    """The measures of the product's health at the end of the year."""
    nights = [night.health for night in forgetting.nights]
    end = nights[-1]
    tiers = ", ".join(f"{status} {count:,}" for status, count in end.memories.items())
    growths = [one.growth_per_day.value for one in nights]
    shares = [one.active_share.value for one in nights]
    known = [growth for growth in growths if growth is not None]
    return [
        _vital(
            "growth a day",
            end.growth_per_day,
            f"{max(known, default=0):.2%} in the fastest week after the first four",
        ),
        _vital(
            "share active",
            end.active_share,
            f"{min(share for share in shares if share is not None):.1%} at the lowest",
        ),
        _vital(
            "forgotten too soon",
            end.forgotten_too_soon,
            f"{end.relearned:,} of {end.deletions:,} deleted were stored again",
        ),
        Figure("memories by status", tiers),
    ]


def _vital(name: str, vital: Vital, beside: str) -> Figure:
    value = "unknown" if vital.value is None else f"{vital.value:.2%}"
    return Figure(name, value, beside, f"{vital.side} {vital.limit:.0%}", vital.holds)


def _kept(life: Life, forgetting: Living) -> list[Figure]:
    """Whether anything was lost that must not be."""
    in_use = [one for one, day in forgetting.used.items() if day >= DAYS - _IN_USE_DAYS]
    still = forgetting.became(asked.gold for asked in life.still_asked)
    figures = [
        _lost(f"{name}, lost", forgetting, memory_ids)
        for name, memory_ids in (
            ("pinned", forgetting.became(life.pinned)),
            ("immutable", forgetting.became(life.immutable)),
            (f"reported as used in the last {_IN_USE_DAYS} days", in_use),
        )
    ]
    return [
        *figures,
        Figure(
            "still asked for, lost",
            f"{forgetting.lost_of(still)} of {len(still)}",
            f"{len(forgetting.lost)} of {len(forgetting.found):,} asks came too late",
        ),
    ]


def _lost(name: str, forgetting: Living, memory_ids: Sequence[MemoryId]) -> Figure:
    lost = forgetting.lost_of(memory_ids)
    return Figure(name, f"{lost} of {len(memory_ids):,}", "", "none", lost == 0)


def _answers(life: Life, forgetting: Living, keeping: Living) -> list[Figure]:
    """How well both answer what is still asked for, and what was asked once."""
    figures = [
        _recall("recall@10 of what is still asked for", life, forgetting, keeping, 0.0),
        _recall("the same, lists as they end by themselves", life, forgetting, keeping, None),
    ]
    with_, without = (
        _share_found(living.ranks(life.once, 0.0)) for living in (forgetting, keeping)
    )
    return [
        *figures,
        Figure(
            "found among the first ten, day by day",
            f"{mean(forgetting.found):.1%}",
            f"{mean(keeping.found):.1%} without forgetting",
        ),
        Figure(
            "recall@10 at the end of what was asked once",
            f"{with_:.1%}",
            f"{without:.1%} without forgetting",
        ),
    ]


def _recall(
    name: str, life: Life, forgetting: Living, keeping: Living, least: float | None
) -> Figure:
    ranks = [living.ranks(life.still_asked, least) for living in (forgetting, keeping)]
    with_, without = map(_share_found, ranks)
    firsts = [mean(1 / rank if rank else 0.0 for rank in one) for one in ranks]
    return Figure(
        name,
        f"{with_:.1%}, MRR {firsts[0]:.3f}",
        f"{without:.1%}, MRR {firsts[1]:.3f} without forgetting; {len(life.still_asked)} questions",
        ">= without",
        with_ >= without,
    )


def _share_found(ranks: Sequence[int | None]) -> float:
    return mean(rank is not None for rank in ranks)


def _costs(forgetting: Living, keeping: Living) -> list[Figure]:
    ticks = [night.tick_s for night in forgetting.nights]
    falls = [night.falls for night in forgetting.nights]
    sizes = [sum(living.bytes().values()) / _MIB for living in (forgetting, keeping)]
    return [
        Figure(
            "a tick",
            f"{1000 * median(ticks):.0f} ms",
            f"{1000 * percentile(ticks, 0.95):.0f} ms at p95, {1000 * max(ticks):.0f} ms the "
            f"longest; {median(falls):.0f} falls, {max(falls)} at most",
        ),
        Figure("size of the home", f"{sizes[0]:.1f} MiB", f"{sizes[1]:.1f} MiB without forgetting"),
    ]


def main() -> None:
    """Live the year and print the report."""
    parser = arguments("Live a made-up year, with forgetting and without.")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with workplace(given.work) as work:
        show(measure(work, given.seed), as_json=given.json)


if __name__ == "__main__":
    main()
