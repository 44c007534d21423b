"""Recalls and memories, as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from mnemolog.cli.output import (
    Row,
    at,
    one_line,
    short_ids,
    when,
    write_fields,
    write_line,
    write_table,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from mnemolog import Hit, Item, Persistence, Recall


_WHOLE = 0.995
"""A strength from here on is not worth telling: it would be shown as 1.00."""


def write_recall(found: Recall) -> None:
    """The hits, best first, each with what it superseded below it."""
    _write_found(found, lambda _hit: ())


def write_explained(found: Recall) -> None:
    """The hits with the ranks and scores that put them in this order."""
    _write_found(found, _explanation)
    write_line(f"strategy {found.strategy}, as of {at(found.as_of.position)}")
    write_line(f"route {found.route}: {found.why}")
    for part in found.parts:
        write_line(f"  {part}")
    weights = ", ".join(f"{name} {weight:.2f}" for name, weight in found.weights.items())
    drawn = "" if found.exploration is None else f", drawn with seed {found.exploration}"
    write_line(f"weights: {weights}{drawn}")
    if found.reranker is not None:
        write_line(f"reranked by {found.reranker}")


def write_hits(hits: Sequence[Hit]) -> None:
    """Hits alone, best first."""
    _write_hits(hits, lambda _hit: ())


def write_constraints(hits: Sequence[Hit]) -> None:
    """Constraints, the nearest first."""
    _write_hits(hits, lambda _hit: ())


def write_items(items: Sequence[Item]) -> None:
    """Memories as a table."""
    ids = short_ids(item.memory_id for item in items)
    write_table(
        ("at", "id", "when", "kind", "memory"),
        [
            Row(
                (
                    at(item.position),
                    ids[item.memory_id],
                    when(item.recorded_at),
                    item.kind,
                    _content(item.content),
                ),
                _lines(_about_item(item)),
            )
            for item in items
        ],
    )


def write_item(item: Item, kept: Persistence) -> None:
    """Every field of a memory that says something, and its text last, as it was given."""
    write_fields(
        [
            ("memory", f"{item.memory_id} {at(item.position)}"),
            ("space", item.space),
            ("status", item.status),
            ("recorded", f"{when(item.recorded_at)} by {item.actor}"),
            ("run", item.correlation_id),
            ("kind", item.kind),
            ("category", item.category),
            ("tags", _listed(item.tags)),
            ("aliases", _listed(item.aliases)),
            ("source", _trusted(item.source or item.source_type, item.source_confidence)),
            ("note", item.source_note),
            ("extraction", _extraction(item)),
            ("place", item.place),
            ("snippet", item.snippet),
            ("constraint", item.constraint),
            ("evidence", _listed(item.evidence)),
            ("true", _validity(item.valid_from, item.valid_until)),
            ("importance", item.importance),
            ("volatility", item.volatility),
            ("marks", _listed(item.marks)),
            ("immutable", "yes" if item.immutable else None),
            ("lasting", "yes" if item.lasting else None),
            ("pinned", _pin(item)),
            ("tier", None if item.tier == "active" else item.tier),
            ("strength", f"{item.strength:.2f}" if item.strength < _WHOLE else None),
            ("of use", _used(item)),
            ("persistence", None if item.content is None else _persistence(kept)),
            ("review", None if item.review_at is None else when(item.review_at)),
            ("summary", item.summary),
            ("supersedes", _listed(item.supersedes)),
            ("superseded by", _listed(item.superseded_by)),
        ]
    )
    write_line()
    write_line(_content(item.content))


def _persistence(kept: Persistence) -> str:
    parts = ", ".join(
        f"{name} {value:.2f}"
        for name, value in msgspec.structs.asdict(kept).items()
        if name != "value"
    )
    return f"{kept.value:.2f} ({parts})"


def _write_found(found: Recall, explain: Callable[[Hit], tuple[str, ...]]) -> None:
    if found.empty and found.message is not None:
        write_line(found.message)
        return
    _write_hits(found.hits, explain)
    if found.constraints:
        write_line("constraints:")
        _write_hits(found.constraints, explain)
    if found.brought:
        write_line("brought along:")
        _write_hits(found.brought, explain)
    shown = {hit.memory_id for hit in found.hits}
    others = [hit for hit in found.conflicts if hit.memory_id not in shown]
    if others:
        write_line("in conflict with these:")
        _write_hits(others, explain)


def _write_hits(hits: Sequence[Hit], explain: Callable[[Hit], tuple[str, ...]]) -> None:
    ids = short_ids(hit.memory_id for hit in hits)
    write_table(
        ("relevance", "at", "id", "memory"),
        [
            Row(
                (
                    f"{hit.relevance:.2f}",
                    at(hit.position),
                    ids[hit.memory_id],
                    _content(hit.content),
                ),
                (*_lines(_about_hit(hit)), *explain(hit), *_trail(hit)),
            )
            for hit in hits
        ],
    )


def _about_hit(hit: Hit) -> Iterable[str | None]:
    yield None if hit.status == "active" else f"[{hit.status}]"
    yield hit.source
    yield _held(hit)
    yield hit.note


def _about_item(item: Item) -> Iterable[str | None]:
    yield None if item.status == "active" else f"[{item.status}]"
    yield None if _pin(item) is None else "[pinned]"
    yield item.source
    yield _held(item)
    yield " ".join(f"#{tag}" for tag in item.tags) or None


def _lines(parts: Iterable[str | None]) -> tuple[str, ...]:
    line = " · ".join(part for part in parts if part is not None)
    return (line,) if line else ()


def _explanation(hit: Hit) -> tuple[str, ...]:
    ranks = ", ".join(f"{name} {rank}" for name, rank in hit.explanation.ranks.items())
    scores = ", ".join(f"{name} {score:.3f}" for name, score in hit.explanation.scores.items())
    return (f"ranks: {ranks}", f"scores: {scores}", *_words(hit))


def _words(hit: Hit) -> Iterator[str]:
    why = hit.explanation
    if why.matched:
        yield f"matched: {', '.join(why.matched)}"
    for mistyped, read_as in why.corrected.items():
        yield f"read as: {mistyped} → {', '.join(read_as)}"
    if why.found is not None:
        yield f"found through: {why.found}"


def _trail(hit: Hit) -> tuple[str, ...]:
    return tuple(
        f"  {entry.status} {at(entry.position)} ({when(entry.recorded_at)}): "
        f"{one_line(_content(entry.content))}"
        for entry in hit.trail
    )


def _content(content: str | None) -> str:
    return "(redacted)" if content is None else content


def _listed(words: Sequence[str]) -> str | None:
    return ", ".join(words) or None


def _trusted(source: str, confidence: float) -> str:
    return f"{source}, trusted {confidence:g}"


def _extraction(item: Item) -> str | None:
    if item.extraction_method is None:
        return None
    return _trusted(item.extraction_method, item.extraction_confidence)


def _pin(item: Item) -> str | None:
    if not item.pinned:
        return None
    return "yes" if item.pinned_until is None else f"until {when(item.pinned_until)}"


def _held(memory: Hit | Item) -> str | None:
    validity = _validity(memory.valid_from, memory.valid_until)
    return None if validity is None else f"true {validity}"


def _validity(since: datetime | None, until: datetime | None) -> str | None:
    if since is None and until is None:
        return None
    start = "" if since is None else f"from {when(since)}"
    end = "" if until is None else f"until {when(until)}"
    return f"{start} {end}".strip()


def _used(item: Item) -> str | None:
    """How often a memory was of use, and when last; None if it never was."""
    if item.last_access is None:
        return None
    times = "once" if item.accesses == 1 else f"{item.accesses} times"
    return f"{times}, last {item.last_access:%Y-%m-%d %H:%M:%SZ}"
