"""Metrics of a home: statistics, and health of spaces in Prometheus' text format 0.0.4."""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from mnemolog.application.home.space import Space
from mnemolog.application.questions.browse import Count, count_memories
from mnemolog.application.questions.health import VITALS, Health
from mnemolog.language.lists import Lists
from mnemolog.ledger.ids_and_times import Position, to_datetime
from mnemolog.results import Value

Samples = float | None | Iterable[tuple[dict[str, str], float | None]]
"""Value of a metric in one space, or values by labels; None if unknown."""


class Stats(Value, frozen=True):
    """Statistics of a home: events, memories by space, kind and status, vectors, bytes by file."""

    position: Position
    recorded_at: datetime
    memories: int
    counts: tuple[Count, ...]
    vectors: int
    bytes: dict[str, int]


def stats(space: Space) -> Stats:
    """Statistics of a home at present."""
    home, counted = space.home, count_memories(space)
    head, sizes = home.log.head(), {}
    for where, _, names in os.walk(home.path):
        for path in [Path(where, name) for name in names]:
            # Another process may remove a file during the count.
            with suppress(FileNotFoundError):
                sizes[str(path.relative_to(home.path))] = path.stat().st_size
    return Stats(
        position=head.position,
        recorded_at=to_datetime(head.recorded_at),
        memories=sum(count.memories for count in counted),
        counts=counted,
        vectors=home.parts.store.count(),
        bytes=dict(sorted(sizes.items())),
    )


def prometheus_text(healths: Sequence[Health]) -> str:
    """Health of spaces in Prometheus' text format 0.0.4; unknown values are left out."""
    lines: list[str] = []
    for short, measure in _METRICS.items():
        name, kind = f"mnemolog_{short}", "counter" if short.endswith("_total") else "gauge"
        samples = [
            _sample(name, {"space": health.space, **labels}, value)
            for health in healths
            for labels, value in _labelled(measure(health))
            if value is not None
        ]
        if samples:
            lines += [
                f"# HELP {name} {_escaped(_HELP.text(short))}",
                f"# TYPE {name} {kind}",
                *samples,
            ]
    return "".join(f"{line}\n" for line in lines)


def _labelled(samples: Samples) -> Iterable[tuple[dict[str, str], float | None]]:
    return [({}, samples)] if samples is None or isinstance(samples, int | float) else samples


def _sample(name: str, labels: dict[str, str], value: float) -> str:
    quoted = ",".join(f'{label}="{_escaped(text, quote=True)}"' for label, text in labels.items())
    return f"{name}{{{quoted}}} {int(value) if value == int(value) else repr(value)}"


def _escaped(text: str, *, quote: bool = False) -> str:
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n")
    return escaped.replace('"', '\\"') if quote else escaped


def _seconds(hours: float | None) -> float | None:
    return None if hours is None else hours * 3600


def _by_status(health: Health) -> Samples:
    return [({"status": status}, count) for status, count in health.memories.items()]


def _by_destroyer(health: Health) -> Samples:
    return [({"cause": one.cause, "actor": one.actor}, one.memories) for one in health.destroyed]


def _limits(health: Health) -> Samples:
    vitals = [(name, getattr(health, name)) for name in VITALS]
    return [({"measure": name, "side": vital.side}, vital.limit) for name, vital in vitals]


def _holding(health: Health) -> Samples:
    vitals = [(name, getattr(health, name).holds) for name in VITALS]
    return [({"measure": name}, None if holds is None else int(holds)) for name, holds in vitals]


_HELP = Lists("mnemolog.application.upkeep", "metrics")
_METRICS: dict[str, Callable[[Health], Samples]] = {
    "memories": _by_status,
    "growth_per_day_ratio": lambda health: health.growth_per_day.value,
    "active_ratio": lambda health: health.active_share.value,
    "forgotten_too_soon_ratio": lambda health: health.forgotten_too_soon.value,
    "deletions_total": lambda health: health.deletions,
    "destroyed_total": _by_destroyer,
    "destroyed_after_use_total": lambda health: health.destroyed_after_use.value,
    # A gauge: undoing the store of a memory decreases it, and a counter cannot decrease.
    "relearned": lambda health: health.relearned,
    "conflicts_open": lambda health: health.conflicts_open,
    "conflict_open_longest_seconds": lambda health: _seconds(health.open_hours.value),
    "conflict_settled_median_seconds": lambda health: _seconds(health.settled_hours.value),
    "last_tick_timestamp_seconds": lambda health: (
        None if health.last_tick is None else health.last_tick.timestamp()
    ),
    "uses_total": lambda health: health.uses_ever.recalls,
    "used_memories_total": lambda health: health.uses_ever.memories,
    "recall_sessions": lambda health: health.sessions,
    "recall_session_rounds_mean": lambda health: health.rounds_per_session,
    "health_limit": _limits,
    "health_holds": _holding,
}
