"""Prometheus metrics of health: the text exposition format, version 0.0.4."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from mnemolog.application.questions.health import VITALS, Health, Vital

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""What a server says of the text."""

Labels = dict[str, str]
Samples = Iterable[tuple[Labels, float | None]]


class _Metric(NamedTuple):
    """Metric: its name, type and help, and its samples in one space (None: unknown)."""

    name: str
    type: Literal["gauge", "counter"]
    help: str
    samples: Callable[[Health], Samples]


def prometheus_text(healths: Sequence[Health]) -> str:
    """Health of spaces in Prometheus' text format 0.0.4; unknown values are left out."""
    lines: list[str] = []
    for metric in _METRICS:
        samples = [
            f"{metric.name}{_braced({'space': health.space, **labels})} {_number(value)}"
            for health in healths
            for labels, value in metric.samples(health)
            if value is not None
        ]
        if samples:
            lines += [
                f"# HELP {metric.name} {_escaped(metric.help)}",
                f"# TYPE {metric.name} {metric.type}",
                *samples,
            ]
    return "".join(f"{line}\n" for line in lines)


def _braced(labels: Labels) -> str:
    pairs = ",".join(f'{name}="{_quotable(value)}"' for name, value in labels.items())
    return f"{{{pairs}}}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quotable(text: str) -> str:
    return _escaped(text).replace('"', '\\"')


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _plain(value: Callable[[Health], float | None]) -> Callable[[Health], Samples]:
    """Single sample of a metric that has no label other than the space."""
    return lambda health: [({}, value(health))]


def _seconds(hours: float | None) -> float | None:
    return None if hours is None else hours * 3600


def _by_status(health: Health) -> Samples:
    return [({"status": status}, count) for status, count in health.memories.items()]


def _by_destroyer(health: Health) -> Samples:
    return [({"cause": one.cause, "actor": one.actor}, one.memories) for one in health.destroyed]


def _vitals(health: Health) -> Iterator[tuple[str, Vital]]:
    for name in VITALS:
        vital: Vital = getattr(health, name)
        yield name, vital


def _limits(health: Health) -> Samples:
    return [({"measure": name, "side": vital.side}, vital.limit) for name, vital in _vitals(health)]


def _holding(health: Health) -> Samples:
    return [
        ({"measure": name}, None if vital.holds is None else int(vital.holds))
        for name, vital in _vitals(health)
    ]


_METRICS = (
    _Metric(
        "mnemolog_memories", "gauge", "Memories by status; deleted ones had faded.", _by_status
    ),
    _Metric(
        "mnemolog_growth_per_day_ratio",
        "gauge",
        "Mean daily growth over the last seven days of what recall can answer with.",
        _plain(lambda health: health.growth_per_day.value),
    ),
    _Metric(
        "mnemolog_active_ratio",
        "gauge",
        "Share of what recall can answer with that has not faded.",
        _plain(lambda health: health.active_share.value),
    ),
    _Metric(
        "mnemolog_forgotten_too_soon_ratio",
        "gauge",
        "Share of what faded until it was deleted that was stored again.",
        _plain(lambda health: health.forgotten_too_soon.value),
    ),
    _Metric(
        "mnemolog_deletions_total",
        "counter",
        "Memories that faded until they were deleted.",
        _plain(lambda health: health.deletions),
    ),
    _Metric(
        "mnemolog_destroyed_total",
        "counter",
        "Memories whose text was destroyed, by cause (redaction or time) and actor.",
        _by_destroyer,
    ),
    _Metric(
        "mnemolog_destroyed_after_use_total",
        "counter",
        "Memories that time destroyed although they had been recalled.",
        _plain(lambda health: health.destroyed_after_use.value),
    ),
    _Metric(
        # A gauge: undoing the store of a memory decreases it, and a counter cannot decrease.
        "mnemolog_relearned",
        "gauge",
        "Deleted memories that were stored again.",
        _plain(lambda health: health.relearned),
    ),
    _Metric(
        "mnemolog_conflicts_open",
        "gauge",
        "Conflicts that wait to be settled.",
        _plain(lambda health: health.conflicts_open),
    ),
    _Metric(
        "mnemolog_conflict_open_longest_seconds",
        "gauge",
        "How long the oldest open conflict has waited.",
        _plain(lambda health: _seconds(health.open_hours.value)),
    ),
    _Metric(
        "mnemolog_conflict_settled_median_seconds",
        "gauge",
        "Median time that conflicts were open that were settled in the last 30 days.",
        _plain(lambda health: _seconds(health.settled_hours.value)),
    ),
    _Metric(
        "mnemolog_last_tick_timestamp_seconds",
        "gauge",
        "Up to when the last tick looked, in seconds since 1970.",
        _plain(lambda health: None if health.last_tick is None else health.last_tick.timestamp()),
    ),
    _Metric(
        "mnemolog_uses_total",
        "counter",
        "Recalls that were reported as used, and what was met again.",
        _plain(lambda health: health.uses_ever.recalls),
    ),
    _Metric(
        "mnemolog_used_memories_total",
        "counter",
        "Memories that were of use or met again by these.",
        _plain(lambda health: health.uses_ever.memories),
    ),
    _Metric(
        "mnemolog_recall_sessions",
        "gauge",
        "Recall sessions of the last 30 days in which something was accepted.",
        _plain(lambda health: health.sessions),
    ),
    _Metric(
        "mnemolog_recall_session_rounds_mean",
        "gauge",
        "Mean rounds of votes of these sessions: the fewer, the better the first recall.",
        _plain(lambda health: health.rounds_per_session),
    ),
    _Metric("mnemolog_health_limit", "gauge", "What a measure should be under or over.", _limits),
    _Metric(
        "mnemolog_health_holds", "gauge", "Whether a measure is within its limit: 1 or 0.", _holding
    ),
)
