"""Consolidation: infer edges from memories and merge near-duplicates."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice

import msgspec

from mnemolog.application.commands.command import command, command_in_turn, row_of, superseding
from mnemolog.application.commands.command_history import root_of
from mnemolog.application.commands.consulting import Consulted
from mnemolog.application.commands.memory_state import edges_between
from mnemolog.application.commands.receipts import Receipt, draft, drafts
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, WritableSpace, naming
from mnemolog.application.retention.near_duplicates import Likes, pages, worthy
from mnemolog.language.relations import Relation, relations
from mnemolog.ledger.errors import InvalidState
from mnemolog.ledger.events import Consolidated, Draft, Event, Unlinked
from mnemolog.ledger.ids import MemoryId, Position, new_event_ids
from mnemolog.ledger.log import Quiet
from mnemolog.policies.linking import NewEdge, decide_link
from mnemolog.policies.retention import consolidation
from mnemolog.policies.retention.consolidation import Merge, MergePart, Standing, decide_merge
from mnemolog.policies.supersession import Decision, Replacement, why
from mnemolog.projections import edges
from mnemolog.projections.edges import Between, EdgeRow
from mnemolog.projections.memory_queries import rows_as_of
from mnemolog.projections.spaces import consolidated_as_of, is_consolidated, merges_as_of
from mnemolog.recall.items import parts
from mnemolog.recall.search.checks import checked_limit
from mnemolog.results import Results

_STEPS, _DROPPED, _TRIES = 200, 500, 16
_OUT = frozenset({"superseded", "withdrawn", "redacted"})
_AGAIN = 500  # maximum edges restored per run, oldest first; the next run continues
Dropped = tuple[EdgeRow, str]  # edge and the reason why it is dropped, as text
_OF_EDGES = frozenset(
    {"linked", "unlinked", "consolidated", "superseded", "reinstated", "withdrawn", "restored"}
    | {"redacted"}
)
"""Kinds of events that can change which edges are still supported by a memory."""


class Consolidation(Results[Receipt], frozen=True):
    """Consolidation run in a space.

    `steps` are the receipts of its commands, one per memory; `dropped` is that of the command that
    ended or redrew edges, if any. `merged` counts merged memories, `linked` edges inferred from
    texts, and `left` the memories that remain for the next run, plus one if edges remain.
    """

    _over = "steps"

    steps: tuple[Receipt, ...] = ()
    dropped: Receipt | None = None
    merged: int = 0
    linked: int = 0
    left: int = 0


class _Quiet:
    """Conflict guard of one step; after too many conflicts the step is left for the next run."""

    def __init__(self, space: str) -> None:
        self._space, self._tries = space, 0
        self._quiet: Quiet | None = None

    def begin(self, what: str) -> None:
        """Begin another attempt. Raises `InvalidState` after too many."""
        self._tries += 1
        if self.gave_up:
            raise InvalidState(what, "changing without a pause", "the next run tries again")

    @property
    def gave_up(self) -> bool:
        return self._tries > _TRIES

    def keep(self, cut: Cut, matters: Callable[[Event], bool]) -> None:
        self._quiet = Quiet(self._space, cut.position, matters)

    def guard(self) -> Quiet | None:
        return self._quiet


def consolidate(space: WritableSpace, *, limit: int = _STEPS) -> Consolidation:
    """Consolidate at most `limit` memories that qualify, by descending persistence.

    Each memory is processed once, by its own command, which `undo` reverses. The relations that
    its text states become inferred edges. It is merged with its duplicates: the merged memory
    takes the fullest of their texts, supersedes them and lists them as evidence. Unverified edges
    of low confidence end. Safe with concurrent writers.
    """
    most, waiting = checked_limit(limit), worthy(space.home, space.name, space.cut())
    left, steps = max(0, len(waiting) - most), list[Receipt]()
    for memory_id, standing in waiting[:most]:
        quiet = _Quiet(space.name)
        step = _consolidated(space, memory_id, standing, quiet)
        steps += [] if step is None else [step]
        left += quiet.gave_up
    quiet = _Quiet(space.name)
    dropped = _mend_edges(space, quiet)
    done = steps if dropped is None else [*steps, dropped]
    kinds = [event.kind for step in done for event in step.events]
    return Consolidation(
        steps=tuple(steps),
        dropped=dropped,
        merged=kinds.count("remembered"),
        linked=kinds.count("linked"),
        left=left + (quiet.gave_up or kinds.count("unlinked") >= _DROPPED),
    )


def _consolidated(
    space: WritableSpace, memory_id: MemoryId, standing: Standing, quiet: _Quiet
) -> Receipt | None:
    def decide(consulted: Consulted, cut: Cut) -> tuple[list[Draft], list[MemoryId]]:
        quiet.begin(memory_id)
        done = space.home.views.read(lambda db: is_consolidated(db, memory_id, cut.position))
        row = row_of(space, memory_id, cut)
        if row.status != "active" or done:
            raise InvalidState(memory_id, "changed by another", "there is nothing to do")
        likes = Likes(space.home, space.name, cut)
        part = likes.part(row)
        merge = decide_merge(part, likes.of(part), partial(likes.disagree, consulted))
        if merge is None and not consolidation.deserves_it(standing):
            raise InvalidState(memory_id, "like no other", "there is nothing to do")
        batch = _consolidation_events(space, part, standing, merge, cut)
        of = [memory_id] if merge is None else [one.memory_id for one in merge.parts]
        # Another event that names one of them may have destroyed, disputed or replaced it. A
        # new memory that could join the merge is consolidated by its own step.
        names, draws = naming(of), any(event.kind == "linked" for event in batch)
        quiet.keep(cut, lambda event: names(event) or (draws and event.kind == "linked"))
        return batch, of

    with suppress(InvalidState):
        # The merged memory's strength is computed from the strengths of its parts.
        return command_in_turn(space, decide, quiet.guard)[1]
    return None


def _consolidation_events(
    space: WritableSpace, part: MergePart, standing: Standing, merge: Merge | None, cut: Cut
) -> list[Draft]:
    root, merged = new_event_ids(2, cut.instant)
    done = Consolidated(consolidation.triggers(standing), round(standing.persistence.value, 4))
    decisions: list[Decision] = []
    if merge is not None:
        of = tuple(one.memory_id for one in merge.parts)
        done = msgspec.structs.replace(done, merged=MemoryId(merged), parts=of)
        new = Replacement(MemoryId(merged), merge.structure.valid_from)
        decisions = superseding(space, of, new, frozenset(), "it says the same", cut)
        decisions.append(Decision(merge.vitality, MemoryId(merged)))
    by = (part.memory_id,) if merge is None else merge.structure.evidence
    for one in relations((merge or part).content.text):
        edge = consolidation.stated_edge((one.source, one.type, one.target), part, by)
        if not edges_between(space, edge.source, edge.type, edge.target, cut):
            decisions.append(decide_link(edge, (), ()))
    ids = new_event_ids(len(decisions), cut.instant)
    batch = [draft(Decision(done, part.memory_id), space.author, root, None)]
    if merge is not None:
        # No run: the merged memory comes from the conversations of all its parts.
        author = msgspec.structs.replace(space.author, run=None)
        whole = Decision(merge.structure, MemoryId(merged), merge.content)
        batch.append(draft(whole, author, merged, root))
    return batch + [
        draft(decision, space.author, own_id, root)
        for decision, own_id in zip(decisions, ids, strict=True)
    ]


def _mend_edges(space: WritableSpace, quiet: _Quiet) -> Receipt | None:
    def decide(cut: Cut) -> tuple[list[Draft], list[MemoryId]]:
        quiet.begin(space.name)
        quiet.keep(cut, lambda event: event.kind in _OF_EDGES)
        rows = space.home.views.read(lambda db: edges.edges_as_of(db, space.name, cut.position))
        stated = Stated(space.home, space.name, cut)
        dropped = [*islice(stated.dropped(rows), _DROPPED)]
        again = [*islice(stated.redrawn_edges([row for row, _ in dropped]), 2 * _DROPPED)]
        if not dropped and not again:
            raise InvalidState(space.name, "without faint edges", "there is nothing to do")
        decisions = [
            Decision(Consolidated(), None),
            *(Decision(Unlinked(row.edge_id), row.source, why(said)) for row, said in dropped),
            *(decide_link(one, (), ()) for one in again),
        ]
        return drafts(decisions, space.author, cut.instant), []

    with suppress(InvalidState):
        return command(space, decide, quiet.guard)[1]
    return None


class Stated:
    """Edges of a space and the memories that they were inferred from, as of one cut."""

    def __init__(self, home: Home, space: str, cut: Cut) -> None:
        self._home, self._space, self._position = home, space, cut.position

    def dropped(self, rows: Sequence[EdgeRow]) -> Iterator[Dropped]:
        """Edges to drop, with reasons; an edge that an undo restored is kept."""
        founded = self._founded(rows)
        for row in rows:
            edge = row.edge_id, row.source, row.type, row.confidence, row.origin
            weighed = consolidation.WeighedEdge(*edge, not founded.get(row.since, True))
            reason = consolidation.reason_to_drop(weighed)
            if reason is not None and not self._comes_of(row.since, "undone"):
                yield row, reason

    def redrawn_edges(self, dropped: Sequence[EdgeRow]) -> Iterator[NewEdge]:
        """New edges for dropped relations that current consolidated memories still state."""
        position = self._position
        drawn = self._home.views.read(lambda db: edges.between_things(db, self._space, position))
        unfounded = {edge for edge, is_so in self._founded(dropped).items() if not is_so}
        # Any stated relation that was never drawn may be an edge whose names were redacted.
        unnamed = unfounded - {row.since for row in drawn.values()}
        # Edges that consolidation ended and that have current evidence again.
        ended = {row.since: row.until for row in drawn.values() if row.until is not None}
        founded = self._founded(row for row in drawn.values() if row.until is not None)
        renewed = sorted(
            edge
            for edge, is_so in founded.items()
            if is_so and self._comes_of(ended[edge], "consolidated")
        )
        again = {*renewed[:_AGAIN], *unfounded}
        wanted = {between for between, row in drawn.items() if row.since in again}
        if not wanted and not unnamed:
            return

        def sureness(part: MergePart) -> float:
            return part.structure.source_confidence * part.structure.extraction_confidence

        stating = self._stating(lambda one: one in wanted or (bool(unnamed) and one not in drawn))
        for by, relation in stating:
            surest = max(by, key=sureness)
            if sureness(surest) >= consolidation.FAINT:
                said = relation.source, relation.type, relation.target
                yield consolidation.stated_edge(said, surest, tuple(part.memory_id for part in by))

    def _stating(
        self, wanted: Callable[[Between], bool]
    ) -> Iterable[tuple[list[MergePart], Relation]]:
        log, position = self._home.log, self._position
        ids = self._home.views.read(lambda db: consolidated_as_of(db, self._space, position))
        rows = self._home.views.read(lambda db: rows_as_of(db, sorted(ids), position))
        places = sorted(row.memory for row in rows.values() if row.status not in _OUT)
        found: dict[Between, tuple[list[MergePart], Relation]] = {}
        for event in chain.from_iterable(map(log.events_at, pages(places))):
            structure, content = parts(event)
            if content is None or event.memory_id is None:
                continue
            said = event.actor, event.position, event.recorded_at
            part = MergePart(event.memory_id, structure, content, *said)
            for relation in relations(content.text):
                ends = relation.source, relation.target
                keys = (edges.thing_key(log.secret, end) for end in ends)
                if wanted(between := Between(relation.type, *keys)):
                    by, _ = found.setdefault(between, ([], relation))
                    by += [] if part in by else [part]
        return found.values()

    def _founded(self, rows: Iterable[EdgeRow]) -> dict[Position, bool]:
        """Inferred edges by position, each with whether its evidence includes a current memory."""
        inferred = [row.since for row in rows if row.origin == "inferred"]
        drawn = self._home.views.read(lambda db: edges.evidence_of(db, inferred))
        standing = self._standing({one for by in drawn.values() for one in by})
        return {edge: not standing.isdisjoint(by) for edge, by in drawn.items()}

    def _standing(self, memory_ids: Iterable[MemoryId]) -> frozenset[MemoryId]:
        """Memories that are current, or were merged into one that is."""
        of, position = {one: one for one in memory_ids}, self._position
        merges = self._home.views.read(lambda db: merges_as_of(db, self._space, position))
        newest = {merge.part: merge.merged for merge in merges if merge.until is None}
        for one, stands in of.items():
            while stands in newest:
                stands = newest[stands]  # noqa: PLW2901 - up the chain
            of[one] = stands
        ids = sorted({*of.values()})
        rows = self._home.views.read(lambda db: rows_as_of(db, ids, position))
        current = {one for one, row in rows.items() if row.status not in _OUT}
        return frozenset(one for one, stands in of.items() if stands in current)

    def _comes_of(self, position: Position, kind: str) -> bool:
        log = self._home.log
        return any(root_of(log, event).kind == kind for event in log.events_at([position]))
