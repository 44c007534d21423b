"""Counterfactual replay: a space's history under other settings.

Memories, corrections, pins and reports of use are replayed as they were. The effects
of time are computed anew: ticks come when they came, and downgrade the memories that
are due under the other settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import groupby
from pathlib import Path

import msgspec

from mnemolog.application.commands.command import overdue_of
from mnemolog.application.commands.consulting import Consulted
from mnemolog.application.commands.drafts import drafts
from mnemolog.application.commands.memory_state import configure
from mnemolog.application.home.home import LEDGER, Home
from mnemolog.application.home.leftovers import REPLAYING
from mnemolog.application.home.settings import checked_settings
from mnemolog.application.home.space import Author, Cut, WritableSpace, cut_at, writable_space
from mnemolog.application.home.uses import Use
from mnemolog.application.redaction.redact import erase
from mnemolog.application.retention.tick import tick
from mnemolog.application.retention.use import record_uses
from mnemolog.evaluation.measures import DEPTH, Measures, measured
from mnemolog.indexes.embedder import Embedder
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.digests import as_draft
from mnemolog.ledger.errors import HomeNotEmpty, InvalidField
from mnemolog.ledger.events import (
    Configured,
    Draft,
    Event,
    MemoryContent,
    Recalled,
    RecalledContent,
    Redacted,
    SettingValue,
    Ticked,
)
from mnemolog.ledger.files import check_outside
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Durability, LogRange, events_in
from mnemolog.ledger.scratch import scratch_directory
from mnemolog.ledger.tiers import Tier
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded, encode_payload
from mnemolog.memory import Moment
from mnemolog.policies.memories import checked_space
from mnemolog.projections.deletions import deletions_as_of
from mnemolog.projections.folding import Progress
from mnemolog.recall.answers.items import Item
from mnemolog.recall.search.checks import checked_cue
from mnemolog.recall.search.reranking import Reranker
from mnemolog.results import Value

_AUTHOR = "system:counterfactual"
_KEEPING = frozenset({"pinned", "unpinned", "restored", "reinstated", "strengthened"})
_DECIDED_BY_TIME = frozenset({"ticked", "degraded", "revived", "relearned", "unlearned"})
# An import's positions do not hold in the scratch home.
_NOT_TOLD = _DECIDED_BY_TIME | {"imported"}


class LabelledQuestion(msgspec.Struct, frozen=True):
    """Cue and references of the memories that answer it."""

    cue: str
    memories: tuple[str, ...]


class OtherAnswer(Value, frozen=True):
    """Recall with a kept cue whose answer would differ: the first ten ids before and after."""

    at: datetime
    cue: str
    before: tuple[MemoryId, ...]
    after: tuple[MemoryId, ...]


class OtherTier(Value, frozen=True):
    """Memory that would be in another tier; `deleted` if its text is destroyed."""

    memory_id: MemoryId
    content: str | None
    before: Tier
    after: Tier
    strength_before: float
    strength_after: float


class Counterfactual(Value, frozen=True):
    """Differences that other settings would make, as of a position of the real log.

    `cues` counts the recalls with a kept cue that were asked again; `answers` lists those
    with another answer. `questions` are the measures of the labelled questions at the end,
    before and after the change. `unreadable` counts memories that were redacted in the
    real log and so cannot be recalled.
    """

    position: Position
    settings: dict[str, SettingValue]
    events: int
    cues: int
    answers: tuple[OtherAnswer, ...]
    tiers: tuple[OtherTier, ...]
    unreadable: int
    questions: tuple[Measures, Measures] | None = None


def _let_fall(space: WritableSpace, event: Event) -> None:
    """Downgrade of an overdue memory before an event that would keep it in its tier."""
    if event.kind in _KEEPING and event.memory_id is not None:
        cut = space.cut()
        decisions = overdue_of(space, [event.memory_id], cut, Consulted(space.home))
        if decisions:
            space.home.log.append(drafts(decisions, space.author, cut.instant))


class _Told:
    """Clock of a replay: the time of the event being replayed."""

    def __init__(self) -> None:
        self.time = Micros(0)

    def now(self) -> Micros:
        """Instant of the event being replayed."""
        return self.time


def counterfactual(  # noqa: PLR0913 - what is compared, and with what parts, by name
    home: Path,
    settings: Mapping[str, SettingValue],
    *,
    space: str = "default",
    to: int | datetime | str | None = None,
    questions: Sequence[LabelledQuestion] = (),
    scratch: Path | None = None,
    embedder: Embedder | None = None,
    other_embedder: Embedder | None = None,
    reranker: Reranker | None = None,
    progress: Progress | None = None,
) -> Counterfactual:
    """Counterfactual replay of a space under other settings, and the differences.

    The settings hold from the beginning and override those in the log; the home is only
    read. `to` stops the replay at a moment. `scratch` is an empty folder that keeps the
    resulting home. `embedder` is the embedder of the home, `other_embedder` another one to
    compare with; `reranker` reranks the recalls under the other settings.
    Raises `InvalidField` for invalid settings or questions, `UnknownMemory` if the answer
    to a question does not exist, and `MissingHome`.
    """
    changed = checked_settings(settings) if settings else {}
    for question in questions:
        _check(question)
    with ExitStack() as stack:
        if scratch is not None:
            check_outside("scratch", scratch, home)
            if (scratch / LEDGER).exists():
                raise HomeNotEmpty(scratch, 1)
        source = Home(home, missing="refuse", embedder=embedder)
        stack.callback(source.close)
        if scratch is None:
            scratch = stack.enter_context(scratch_directory(home, REPLAYING))
        clock = _Told()
        other = Home(
            scratch,
            clock=clock,
            durability=Durability.MAY_LOSE_LAST_MOMENTS,
            embedder=other_embedder or embedder,
            reranker=reranker,
        )
        stack.callback(other.close)
        end = cut_at(source, source.log.head().position if to is None else to)
        real = Moment(source, checked_space(space), end)
        asked = [_named(question, real) for question in questions]
        told = _Telling(source, other, real.space, changed, clock)
        told.tell(end.position, progress)
        clock.time = end.instant
        return told.compared(end, asked)


class _Telling:
    """Replay of a history in a scratch home."""

    def __init__(
        self,
        source: Home,
        other: Home,
        space: str,
        settings: dict[str, SettingValue],
        clock: _Told,
    ) -> None:
        self._source, self._other, self._space = source, other, space
        self._settings, self._clock = settings, clock
        self._life = writable_space(other, Author(space, _AUTHOR, None), record_uses)
        self._events = self._cues = 0
        gone = source.views.read(lambda db: deletions_as_of(db, space, source.head()))
        self._faded = frozenset(one.memory_id for one in gone)
        self._answers: list[OtherAnswer] = []

    def tell(self, end: Position, progress: Progress | None) -> None:
        """Replay of every event of the space up to a position."""
        ticks: set[str] = set()
        undos: set[str] = set()
        first = True
        for recorded_at, group in groupby(self._read(end), key=lambda event: event.recorded_at):
            self._clock.time = recorded_at
            if first and self._settings:
                configure(self._life, self._settings, reason="what if")
            first = False
            for event in group:
                self._events += 1
                if event.kind == "ticked":
                    ticks.add(event.event_id)
                if event.kind == "undone":
                    undos.add(event.event_id)
                if event.causation_id in undos and event.kind in _DECIDED_BY_TIME:
                    # An undo is a decision and not an effect of time: keep what it brought back.
                    self._other.log.append([as_draft(event)])
                elif event.causation_id not in ticks:
                    self._tell_one(event)
            if progress is not None:
                progress("telling", min(end, event.position), end)

    def _read(self, end: Position) -> Iterator[Event]:
        return events_in(self._source.log, LogRange(Position(0), end, self._space))

    def _tell_one(self, event: Event) -> None:
        """Replay of one event in the scratch home, or of the effect of time in its place."""
        structure = VOCABULARY.structure(event)
        if isinstance(structure, Ticked):
            # The time of a tick is a fact of the history.
            tick(self._life, confirmed=True)
        elif isinstance(structure, Recalled):
            self._use(event, structure)
        elif isinstance(structure, Redacted):
            known = self._other.log.positions_of(structure.events)
            positions = sorted(known.values())
            self._other.log.append([as_draft(event)], erase=positions)
            erase(self._other, positions, timeout_s=10.0)
        elif isinstance(structure, Configured):
            self._configure(event, structure)
        elif event.kind not in _NOT_TOLD:
            _let_fall(self._life, event)
            self._other.log.append([self._revived(event)])

    def _revived(self, event: Event) -> Draft:
        """Draft of an event unchanged, but with empty content if its memory faded until deleted.

        The text is destroyed, but the replay can still compute how the memory would have faded.
        """
        draft = as_draft(event)
        if draft.content is None and event.kind == "remembered" and event.memory_id in self._faded:
            return msgspec.structs.replace(draft, content=encode_payload(MemoryContent("")))
        return draft

    def _configure(self, event: Event, structure: Configured) -> None:
        kept = {
            name: value for name, value in structure.settings.items() if name not in self._settings
        }
        if kept:
            draft: Draft = msgspec.structs.replace(
                as_draft(event), structure=encode_payload(Configured(kept))
            )
            self._other.log.append([draft])

    def _use(self, event: Event, recalled: Recalled) -> None:
        """Report of the same memories as used; a kept cue is asked again in both homes."""
        decoded = VOCABULARY.decode(event)
        content = decoded.content if isinstance(decoded, Decoded) else None
        cue = content.cue if isinstance(content, RecalledContent) else None
        # A log may hold an empty cue, which cannot be asked.
        if cue is not None and cue.strip():
            self._cues += 1
            instant = Micros(recalled.at)
            before = self._asked(self._source, cue, Position(event.position - 1), instant)
            after = self._asked(self._other, cue, self._other.head(), instant)
            if before != after:
                self._answers.append(OtherAnswer(to_datetime(recalled.at), cue, before, after))
        record_uses(self._life, [Use(recalled.memories, Micros(recalled.at), cue)])

    def _asked(
        self, home: Home, cue: str, position: Position, instant: Micros
    ) -> tuple[MemoryId, ...]:
        moment = Moment(home, self._space, Cut(position, instant))
        hits = moment.recall(cue, limit=DEPTH).hits
        return tuple(hit.memory_id for hit in hits if hit.content)

    def compared(self, end: Cut, asked: Sequence[LabelledQuestion]) -> Counterfactual:
        """Differences at the end between the real and the replayed home."""
        real = Moment(self._source, self._space, end)
        other = Moment(self._other, self._space, Cut(self._other.head(), end.instant))
        before, after = real.everything(), other.everything()
        tiers = [
            OtherTier(
                memory_id,
                item.content or after[memory_id].content or None,
                _tier(item),
                _tier(after[memory_id]),
                item.strength,
                after[memory_id].strength,
            )
            for memory_id, item in before.items()
            if memory_id in after and _tier(item) != _tier(after[memory_id])
        ]
        unreadable = [one for one, item in after.items() if not item.content]
        return Counterfactual(
            end.position,
            self._settings,
            self._events,
            self._cues,
            tuple(self._answers),
            tuple(tiers),
            sum(before[one].content is None for one in unreadable if one in before),
            (_measured(real, asked), _measured(other, asked)) if asked else None,
        )


def _tier(item: Item) -> Tier:
    return "deleted" if item.content is None else item.tier


def _measured(moment: Moment, asked: Sequence[LabelledQuestion]) -> Measures:
    rankings = {
        str(number): [hit.memory_id for hit in moment.recall(question.cue, limit=DEPTH).hits]
        for number, question in enumerate(asked)
    }
    gold = {
        str(number): dict.fromkeys(question.memories, 1) for number, question in enumerate(asked)
    }
    return measured(rankings, gold)


def _check(question: LabelledQuestion) -> None:
    checked_cue(question.cue)
    if not question.memories:
        raise InvalidField("memories", f"are none for {question.cue!r}", "name what answers it")


def _named(question: LabelledQuestion, moment: Moment) -> LabelledQuestion:
    """Question with full memory ids; an unknown reference would count as missed."""
    ids = tuple(moment.get(reference).memory_id for reference in question.memories)
    return LabelledQuestion(question.cue, ids)
