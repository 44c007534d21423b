"""Memories and recalls, as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from mnemolog.cli.output import printing as out
from mnemolog.cli.times import when

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from mnemolog import Hit, Item, Persistence, Recall

_FULL_STRENGTH = 0.995
"""A strength from here on is left out: it would be shown as 1.00."""


def write_recall(found: Recall) -> None:
    """The hits, best first, each with what it superseded below it."""
    _write_found(found, lambda _hit: ())


def write_explained(found: Recall) -> None:
    """The hits with the ranks and scores that put them in this order."""
    _write_found(found, _explanation)
    out.write_line(f"strategy {found.strategy}, as of {out.at(found.as_of.position)}")
    out.write_line(f"route {found.route}: {found.why}")
    for part in found.parts:
        out.write_line(f"  {part}")
    weights = ", ".join(f"{name} {weight:.2f}" for name, weight in found.weights.items())
    drawn = "" if found.exploration is None else f", drawn with seed {found.exploration}"
    out.write_line(f"weights: {weights}{drawn}")
    if found.reranker is not None:
        out.write_line(f"reranked by {found.reranker}")


def write_hits(
    hits: Sequence[Hit], explain: Callable[[Hit], tuple[str, ...]] = lambda _hit: ()
) -> None:
    """Hits as a table, best first, each with what `explain` says of it."""
    ids = out.short_ids(hit.memory_id for hit in hits)
    columns: dict[str, Callable[[Hit], str]] = {
        "relevance": lambda hit: f"{hit.relevance:.2f}",
        "at": lambda hit: out.at(hit.position),
        "id": lambda hit: ids[hit.memory_id],
        "memory": lambda hit: _text(hit.content),
    }
    out.write_table(
        "memories",
        hits,
        columns,
        lambda hit: (*_lines(_about_hit(hit)), *explain(hit), *_trail(hit)),
    )


def write_items(items: Sequence[Item]) -> None:
    """Memories as a table."""
    ids = out.short_ids(item.memory_id for item in items)
    columns: dict[str, Callable[[Item], str | datetime]] = {
        "at": lambda item: out.at(item.position),
        "id": lambda item: ids[item.memory_id],
        "when": lambda item: item.recorded_at,
        "kind": lambda item: item.kind,
        "memory": lambda item: _text(item.content),
    }
    out.write_table("memories", items, columns, lambda item: _lines(_about_item(item)))


def write_item(item: Item, persistence: Persistence) -> None:
    """Every field of a memory that has a value, and its text last, unchanged."""
    out.write_fields(
        [
            ("memory", f"{item.memory_id} {out.at(item.position)}"),
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
            ("strength", f"{item.strength:.2f}" if item.strength < _FULL_STRENGTH else None),
            ("used", _uses(item)),
            ("persistence", None if item.content is None else _persistence(persistence)),
            ("review", None if item.review_at is None else when(item.review_at)),
            ("summary", item.summary),
            ("supersedes", _listed(item.supersedes)),
            ("superseded by", _listed(item.superseded_by)),
        ]
    )
    out.write_line()
    out.write_line(_text(item.content))


def _write_found(found: Recall, explain: Callable[[Hit], tuple[str, ...]]) -> None:
    if found.route == "none" and found.message is not None:
        out.write_line(found.message)
        return
    write_hits(found.hits, explain)
    shown = {hit.memory_id for hit in found.hits}
    others = [hit for hit in found.conflicts if hit.memory_id not in shown]
    for title, hits in (
        ("constraints:", found.constraints),
        ("associated:", found.brought),
        ("in conflict with these:", others),
    ):
        if hits:
            out.write_line(title)
            write_hits(hits, explain)


def _about_hit(hit: Hit) -> Iterable[str | None]:
    yield None if hit.status == "active" else f"[{hit.status}]"
    yield hit.source
    yield _true_when(hit)
    yield hit.note


def _about_item(item: Item) -> Iterable[str | None]:
    yield None if item.status == "active" else f"[{item.status}]"
    yield None if _pin(item) is None else "[pinned]"
    yield item.source
    yield _true_when(item)
    yield " ".join(f"#{tag}" for tag in item.tags) or None


def _lines(parts: Iterable[str | None]) -> tuple[str, ...]:
    line = " · ".join(part for part in parts if part is not None)
    return (line,) if line else ()


def _explanation(hit: Hit) -> tuple[str, ...]:
    ranks = ", ".join(f"{name} {rank}" for name, rank in hit.explanation.ranks.items())
    scores = ", ".join(f"{name} {score:.3f}" for name, score in hit.explanation.scores.items())
    return (f"ranks: {ranks}", f"scores: {scores}", *_matches(hit))


def _matches(hit: Hit) -> Iterator[str]:
    why = hit.explanation
    if why.matched:
        yield f"matched: {', '.join(why.matched)}"
    for mistyped, read_as in why.corrected.items():
        yield f"read as: {mistyped} → {', '.join(read_as)}"
    if why.found is not None:
        yield f"found through: {why.found}"


def _trail(hit: Hit) -> tuple[str, ...]:
    return tuple(
        f"  {entry.status} {out.at(entry.position)} ({when(entry.recorded_at)}): "
        f"{out.known_text(entry.content)}"
        for entry in hit.trail
    )


def _text(content: str | None) -> str:
    """The text with its line breaks."""
    return "(redacted)" if content is None else content


def _listed(words: Sequence[str]) -> str | None:
    return ", ".join(words) or None


def _persistence(persistence: Persistence) -> str:
    parts = msgspec.structs.asdict(persistence)
    value = parts.pop("value")
    return f"{value:.2f} ({', '.join(f'{name} {part:.2f}' for name, part in parts.items())})"


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


def _true_when(memory: Hit | Item) -> str | None:
    validity = _validity(memory.valid_from, memory.valid_until)
    return None if validity is None else f"true {validity}"


def _validity(since: datetime | None, until: datetime | None) -> str | None:
    parts = [
        f"{word} {when(instant)}"
        for word, instant in (("from", since), ("until", until))
        if instant is not None
    ]
    return " ".join(parts) or None


def _uses(item: Item) -> str | None:
    """Number of uses and the time of the last one; None if it was never used."""
    if item.last_access is None:
        return None
    times = "once" if item.accesses == 1 else f"{item.accesses} times"
    return f"{times}, last {when(item.last_access)}"
