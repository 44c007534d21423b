"""Memories, recalls and receipts, as a person reads them."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click
import msgspec

from mnemolog.cli import printing as out
from mnemolog.cli.printing import at, when
from mnemolog.ledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mnemolog import Hit, Item, Memory, Persistence, Recall, Receipt, Redaction
    from mnemolog.ledger.events import Winner

WHOLE_ID = re.compile(r"\b[0-9a-f]{32}\b")
_FULL_STRENGTH = 0.995  # from here on it would be shown as 1.00, and is left out


def write_recall(found: Recall, *, explain: bool) -> None:
    """The hits, best first, each with what it superseded; `explain` tells why in this order."""
    if found.route == "none" and found.message is not None:
        out.write_line(found.message)
        return
    write_hits(found.hits, explain=explain)
    shown = {hit.memory_id for hit in found.hits}
    others = [hit for hit in found.conflicts if hit.memory_id not in shown]
    for title, hits in (
        ("constraints:", found.constraints),
        ("instructions:", found.instructions),
        ("associated:", found.brought),
        ("in conflict with these:", others),
    ):
        if hits:
            out.write_line(title)
            write_hits(hits, explain=explain)
    if not explain:
        return
    out.write_line(f"strategy {found.strategy}, as of {at(found.as_of.position)}")
    out.write_line(f"route {found.route}: {found.why}")
    for part in found.parts:
        out.write_line(f"  {part}")
    weights = ", ".join(f"{name} {weight:.2f}" for name, weight in found.weights.items())
    drawn = "" if found.exploration is None else f", drawn with seed {found.exploration}"
    out.write_line(f"weights: {weights}{drawn}")
    if found.reranker is not None:
        out.write_line(f"reranked by {found.reranker}")


def write_hits(hits: Sequence[Hit], *, explain: bool = False) -> None:
    """Hits as a table, best first, with their ranks and scores if `explain` is given."""
    ids = out.short_ids(hit.memory_id for hit in hits)
    rows, below = [], []
    for hit in hits:
        content = (at(hit.position), ids[hit.memory_id], hit.content)
        rows.append((f"{hit.relevance:.2f}", *content))
        lines = [*_facts(hit, None, hit.note), *(_explanation(hit) if explain else ())]
        for one in hit.trail:
            state = f"{one.status} {at(one.position)} ({when(one.recorded_at)})"
            lines.append(f"  {state}: {out.known_text(one.content)}")
        below.append(lines)
    out.write_table("memories", "relevance, at, id, memory", rows, below)


def write_items(items: Sequence[Item]) -> None:
    """Memories as a table."""
    ids = out.short_ids(item.memory_id for item in items)
    rows = [(at(i.position), ids[i.memory_id], i.recorded_at, i.kind, _text(i)) for i in items]
    below = [
        _facts(i, "[pinned]" if i.pinned else None, " ".join(f"#{tag}" for tag in i.tags))
        for i in items
    ]
    out.write_table("memories", "at, id, when, kind, memory", rows, below)


def write_item(item: Item, persistence: Persistence) -> None:
    """Every field of a memory that has a value, and its text last, unchanged."""
    source = f"{item.source or item.source_type}, trusted {item.source_confidence:g}"
    extraction = f"{item.extraction_method}, trusted {item.extraction_confidence:g}"
    pinned = "yes" if item.pinned_until is None else f"until {when(item.pinned_until)}"
    parts = msgspec.structs.asdict(persistence)
    value = parts.pop("value")
    worth = f"{value:.2f} ({', '.join(f'{name} {part:.2f}' for name, part in parts.items())})"
    times = "once" if item.accesses == 1 else f"{item.accesses} times"
    out.write_fields(
        ("memory", f"{item.memory_id} {at(item.position)}"),
        ("space", item.space),
        ("status", item.status),
        ("recorded", f"{when(item.recorded_at)} by {item.actor}"),
        ("run", item.correlation_id),
        ("kind", item.kind),
        ("category", item.category),
        ("tags", _listed(item.tags)),
        ("aliases", _listed(item.aliases)),
        ("source", source),
        ("note", item.source_note),
        ("extraction", None if item.extraction_method is None else extraction),
        ("place", item.place),
        ("snippet", item.snippet),
        ("constraint", item.constraint),
        ("evidence", _listed(item.evidence)),
        ("true", _validity(item)),
        ("importance", item.importance),
        ("volatility", item.volatility),
        ("marks", _listed(item.marks)),
        ("immutable", "yes" if item.immutable else None),
        ("lasting", "yes" if item.lasting else None),
        ("pinned", pinned if item.pinned else None),
        ("tier", None if item.tier == "active" else item.tier),
        ("strength", f"{item.strength:.2f}" if item.strength < _FULL_STRENGTH else None),
        ("used", None if (last := item.last_access) is None else f"{times}, last {when(last)}"),
        ("persistence", None if item.content is None else worth),
        ("review", None if item.review_at is None else when(item.review_at)),
        ("summary", item.summary),
        ("supersedes", _listed(item.supersedes)),
        ("superseded by", _listed(item.superseded_by)),
    )
    out.write_line()
    out.write_line(_text(item))


def _facts(memory: Hit | Item, mark: str | None, last: str | None) -> list[str]:
    """A line with what is not ordinary about a memory; none if everything is."""
    status = None if memory.status == "active" else f"[{memory.status}]"
    validity = _validity(memory)
    parts = (status, mark, memory.source, validity and f"true {validity}", last)
    line = " · ".join(filter(None, parts))
    return [line] if line else []


def _explanation(hit: Hit) -> Iterator[str]:
    why = hit.explanation
    yield "ranks: " + ", ".join(f"{name} {rank}" for name, rank in why.ranks.items())
    yield "scores: " + ", ".join(f"{name} {score:.3f}" for name, score in why.scores.items())
    if why.matched:
        yield f"matched: {', '.join(why.matched)}"
    for mistyped, read_as in why.corrected.items():
        yield f"read as: {mistyped} → {', '.join(read_as)}"
    if why.found is not None:
        yield f"found through: {why.found}"


def _text(item: Item) -> str:
    return "(redacted)" if item.content is None else item.content


def _listed(words: Sequence[str]) -> str | None:
    return ", ".join(words) or None


def _validity(memory: Hit | Item) -> str | None:
    ends = {"from": memory.valid_from, "until": memory.valid_until}
    return " ".join(f"{word} {when(at)}" for word, at in ends.items() if at is not None) or None


def write_receipt(memory: Memory, receipt: Receipt | Redaction) -> None:
    """Position, short id and text of the memory, what changed, and warnings."""
    ids = out.short_ids([receipt.memory_id, *WHOLE_ID.findall("\n".join(receipt.changed))])
    parts, own = [at(receipt.position)], receipt.memory_id
    if own is not None:
        parts.append(ids[own])
        # It is stored, even if it cannot be answered from now.
        with suppress(LedgerError):
            content = memory.get(own).content
            parts.append(f"“{out.shortened(out.known_text(content))}”")
    out.write_line("  ".join(parts))
    offered = {one.memory_id: one.content for one in getattr(receipt, "may_replace", ())}
    for sentence in receipt.changed:
        # The first line says already which memory it is, and at which position.
        said = sentence.removeprefix(f"{own} is ") if own else sentence
        if said != sentence:
            said = said.replace(f" at position {receipt.position}", "", 1)
        texts = [offered[one] for one in WHOLE_ID.findall(said) if one in offered]
        said = WHOLE_ID.sub(lambda found: "it" if found[0] == own else ids[found[0]], said)
        shown = [f"“{out.shortened(out.known_text(text))}”" for text in texts]
        out.write_line(out.one_line(" ".join([said, *shown])))
    if not receipt.changed:
        out.write_none("changes")
    out.write_remarks(getattr(receipt, "conflicts", ()), receipt.warnings)


def ask_about_offers(memory: Memory, receipt: Receipt) -> None:
    """Ask on a terminal about each memory that the stored one may replace, and settle it."""
    if not (receipt.may_replace and sys.stdin.isatty() and sys.stderr.isatty()):
        return
    for offer in receipt.may_replace:
        question = f"Does it replace “{out.shortened(out.known_text(offer.content))}”?"
        answers = click.Choice(["yes", "no", "later"], case_sensitive=False)
        answer = click.prompt(question, type=answers, default="later", err=True)
        if answer != "later":
            winner: Winner = "new" if answer == "yes" else "both"
            write_receipt(memory, memory.conflicts.settle(offer.conflict_id, winner))
