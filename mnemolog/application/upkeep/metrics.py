"""Metrics of a home: statistics, and health of spaces in Prometheus' text format 0.0.4."""

import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from mnemolog.application.home.space import Space
from mnemolog.application.questions.browse import Count, count_memories
from mnemolog.application.questions.health import VITALS, Health, Vital
from mnemolog.language.lists import Lists
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.ids import Position
from mnemolog.results import Value

_HELP = Lists("mnemolog.application.upkeep", "metrics")
_Samples = Sequence[tuple[dict[str, str], float | None]]  # labels, and a value if it is known


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
    measured = [({"space": health.space}, _measured(health)) for health in healths]
    for short in measured[0][1] if measured else ():
        name, kind = f"mnemolog_{short}", "counter" if short.endswith("_total") else "gauge"
        samples = [
            _sample(name, space | labels, value)
            for space, metrics in measured
            for labels, value in metrics[short]
            if value is not None
        ]
        if samples:
            lines += [f"# HELP {name} {_escaped(_HELP.text(short))}", f"# TYPE {name} {kind}"]
            lines += samples
    return "".join(f"{line}\n" for line in lines)


def _sample(name: str, labels: dict[str, str], value: float) -> str:
    quoted = ",".join(f'{label}="{_escaped(text, quote=True)}"' for label, text in labels.items())
    return f"{name}{{{quoted}}} {int(value) if value == int(value) else repr(value)}"


def _escaped(text: str, *, quote: bool = False) -> str:
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n")
    return escaped.replace('"', '\\"') if quote else escaped


def _one(value: float | None, unit: float = 1) -> _Samples:
    return [({}, None if value is None else value * unit)]


def _measured(health: Health) -> dict[str, _Samples]:
    vitals: dict[str, Vital] = {name: getattr(health, name) for name in VITALS}
    destroyed = [
        ({"cause": one.cause, "actor": one.actor}, one.memories) for one in health.destroyed
    ]
    return {
        "memories": [({"status": status}, count) for status, count in health.memories.items()],
        "growth_per_day_ratio": _one(health.growth_per_day.value),
        "active_ratio": _one(health.active_share.value),
        "forgotten_too_soon_ratio": _one(health.forgotten_too_soon.value),
        "deletions_total": _one(health.deletions),
        "destroyed_total": destroyed,
        "destroyed_after_use_total": _one(health.destroyed_after_use.value),
        # A gauge: undoing the store of a memory decreases it, and a counter cannot decrease.
        "relearned": _one(health.relearned),
        "conflicts_open": _one(health.conflicts_open),
        "conflict_open_longest_seconds": _one(health.open_hours.value, 3600),
        "conflict_settled_median_seconds": _one(health.settled_hours.value, 3600),
        "last_tick_timestamp_seconds": _one(
            None if health.last_tick is None else health.last_tick.timestamp()
        ),
        "uses_total": _one(health.uses_ever.recalls),
        "used_memories_total": _one(health.uses_ever.memories),
        "recall_sessions": _one(health.sessions),
        "recall_session_rounds_mean": _one(health.rounds_per_session),
        "health_limit": [
            ({"measure": name, "side": vital.side}, vital.limit) for name, vital in vitals.items()
        ],
        "health_holds": [({"measure": name}, vital.holds) for name, vital in vitals.items()],
    }
