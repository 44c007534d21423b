"""Counterfactual replay: a space's history under other settings.

Memories, corrections, pins and reports of use are replayed as they were. The effects of time
are computed anew: ticks come when they came, with the downgrades due under other settings.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec.structs import replace

from mnemolog.application.commands.command import overdue_falls
from mnemolog.application.commands.consulting import Consulted
from mnemolog.application.commands.memory_state import configure
from mnemolog.application.commands.receipts import drafts
from mnemolog.application.home.home import LEDGER, REPLAYING, Home
from mnemolog.application.home.settings import checked_settings
from mnemolog.application.home.space import Author, Cut, cut_at, writable_space
from mnemolog.application.home.uses import Use
from mnemolog.application.redaction.redact import erase
from mnemolog.application.retention.tick import tick
from mnemolog.application.retention.use import record_uses
from mnemolog.evaluation.evaluating import DEPTH, Measures, measured
from mnemolog.evaluation.labelled import Grades
from mnemolog.indexes.embedder import Embedder
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.digests import as_draft
from mnemolog.ledger.errors import HomeNotEmpty, InvalidField
from mnemolog.ledger.events import (
    Configured,
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
from mnemolog.ledger.vocabulary import VOCABULARY, encode_payload
from mnemolog.memory import Moment
from mnemolog.policies.memories import checked_space
from mnemolog.projections.folding import Progress
from mnemolog.projections.lifecycle import deletions_as_of
from mnemolog.recall.items import Item
from mnemolog.recall.search.checks import checked_cue
from mnemolog.recall.search.reranking import Reranker
from mnemolog.results import Value

_Changed = dict[str, SettingValue]
_Asked = tuple[str, list[MemoryId]]  # Cue, and the memories that answer it
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

    `cues` counts the recalls with a kept cue that were asked again; `answers` lists those with
    another answer. `questions` are the measures of the labelled questions, before and after.
    `unreadable` counts memories redacted in the real log, which cannot be recalled.
    """

    position: Position
    settings: dict[str, SettingValue]
    events: int
    cues: int
    answers: tuple[OtherAnswer, ...]
    tiers: tuple[OtherTier, ...]
    unreadable: int
    questions: tuple[Measures, Measures] | None = None


class _SetClock(msgspec.Struct):
    time: Micros = Micros(0)

    def now(self) -> Micros:
        return self.time


def counterfactual(  # noqa: PLR0913 - what is compared, and with what parts, by name
    home: Path | str,
    settings: Mapping[str, SettingValue],
    *,
    space: str = "default",
    to: int | datetime | str | None = None,
    questions: Sequence[LabelledQuestion] = (),
    scratch: Path | str | None = None,
    embedder: Embedder | None = None,
    other_embedder: Embedder | None = None,
    reranker: Reranker | None = None,
    progress: Progress | None = None,
) -> Counterfactual:
    """Counterfactual replay of a space under other settings, and the differences.

    The settings hold from the beginning and override those in the log; the home is only read. `to`
    stops the replay at a moment. `scratch` is an empty folder that keeps the resulting home.
    `embedder` is the home's; `other_embedder` and `reranker` belong to the other settings. Raises
    `InvalidField`, `UnknownMemory` for a question's missing answer, and `MissingHome`.
    """
    changed = checked_settings(settings) if settings else {}
    for question in questions:
        checked_cue(question.cue)
        if not question.memories:
            problem = f"are none for {question.cue!r}"
            raise InvalidField("memories", problem, "name what answers it")
    home, scratch = Path(home), None if scratch is None else Path(scratch)
    if scratch is not None:
        check_outside("scratch", scratch, home)
        if (scratch / LEDGER).exists():
            raise HomeNotEmpty(scratch, 1)
    with ExitStack() as stack:
        source = Home(home, missing="refuse", embedder=embedder)
        stack.callback(source.close)
        folder = scratch or stack.enter_context(scratch_directory(home, REPLAYING))
        clock, weak = _SetClock(), Durability.MAY_LOSE_LAST_MOMENTS
        used = other_embedder or embedder
        other = Home(folder, clock=clock, durability=weak, embedder=used, reranker=reranker)
        stack.callback(other.close)
        end = cut_at(source, source.log.head().position if to is None else to)
        real = Moment(source, checked_space(space), end)
        # Full memory ids; an unknown reference would count as missed.
        asked = [
            (one.cue, [real.get(each).memory_id for each in one.memories]) for one in questions
        ]
        replay = _Replay(source, other, real.space, changed, clock)
        replay.tell(end.position, progress)
        clock.time = end.instant
        return replay.compared(end, asked)


class _Replay:
    def __init__(
        self, source: Home, other: Home, space: str, settings: _Changed, clock: _SetClock
    ) -> None:
        self._source, self._other, self._space = source, other, space
        self._settings, self._clock = settings, clock
        author = Author(space, "system:counterfactual", None)
        self._life = writable_space(other, author)
        self._events = self._cues = 0
        gone = source.views.read(lambda db: deletions_as_of(db, space, source.head()))
        self._faded = frozenset(one.memory_id for one in gone)
        self._answers: list[OtherAnswer] = []

    def tell(self, end: Position, progress: Progress | None) -> None:
        causes: dict[str, str] = {}
        events = events_in(self._source.log, LogRange(Position(0), end, self._space))
        for recorded_at, group in groupby(events, key=lambda event: event.recorded_at):
            self._clock.time = recorded_at
            if not self._events and self._settings:
                configure(self._life, self._settings, reason="what if")
            for event in group:
                self._events += 1
                if event.kind in {"ticked", "undone"}:
                    causes[event.event_id] = event.kind
                cause = causes.get(event.causation_id or "")
                if cause == "undone" and event.kind in _DECIDED_BY_TIME:
                    # An undo is a decision and not an effect of time: keep what it brought back.
                    self._other.log.append([as_draft(event)])
                elif cause != "ticked":
                    self._tell_one(event)
            if progress is not None:
                progress("telling", min(end, event.position), end)

    def _tell_one(self, event: Event) -> None:
        structure, draft, log = VOCABULARY.structure(event), as_draft(event), self._other.log
        if isinstance(structure, Ticked):
            # The time of a tick is a fact of the history.
            tick(self._life, confirmed=True)
        elif isinstance(structure, Recalled):
            self._use(event, structure)
        elif isinstance(structure, Redacted):
            positions = sorted(log.positions_of(structure.events).values())
            log.append([draft], erase=positions)
            erase(self._other, positions, timeout_s=10.0)
        elif isinstance(structure, Configured):
            told = structure.settings.items()
            if kept := {name: value for name, value in told if name not in self._settings}:
                log.append([replace(draft, structure=encode_payload(Configured(kept)))])
        elif event.kind not in _NOT_TOLD:
            self._let_fall(event)
            faded = event.kind == "remembered" and event.memory_id in self._faded
            if faded and draft.content is None:
                # The text is destroyed, but how the memory would have faded can be computed.
                draft = replace(draft, content=encode_payload(MemoryContent("")))
            log.append([draft])

    def _let_fall(self, event: Event) -> None:
        """Downgrade of an overdue memory before an event that would keep it in its tier."""
        if event.kind in _KEEPING and event.memory_id is not None:
            life, ids, cut = self._life, [event.memory_id], self._life.cut()
            if due := overdue_falls(life.home, life.name, ids, cut, Consulted(self._other)):
                self._other.log.append(drafts(due, life.author, cut.instant))

    def _use(self, event: Event, recalled: Recalled) -> None:
        """Report of the same memories as used; a kept cue is asked again in both homes."""
        content = VOCABULARY.decode(event).content
        cue = content.cue if isinstance(content, RecalledContent) else None
        instant = Micros(recalled.at)
        # A log may hold an empty cue, which cannot be asked.
        if cue is not None and cue.strip():
            self._cues += 1
            before, after = (
                tuple(hit.memory_id for hit in moment.recall(cue, limit=DEPTH).hits if hit.content)
                for moment in self._moments(Cut(Position(event.position - 1), instant))
            )
            if before != after:
                self._answers.append(OtherAnswer(to_datetime(recalled.at), cue, before, after))
        record_uses(self._life, [Use(recalled.memories, instant, cue)])

    def _moments(self, cut: Cut) -> tuple[Moment, Moment]:
        other = Moment(self._other, self._space, Cut(self._other.head(), cut.instant))
        return Moment(self._source, self._space, cut), other

    def compared(self, end: Cut, asked: Sequence[_Asked]) -> Counterfactual:
        real, other = self._moments(end)
        before, after = real.inspect.everything(), other.inspect.everything()
        both = [(item, after[one]) for one, item in before.items() if one in after]
        tiers = []
        for old, new in both:
            was, text = _tier(old), old.content or new.content or None
            if was != _tier(new):
                strengths = (old.strength, new.strength)
                tiers.append(OtherTier(old.memory_id, text, was, _tier(new), *strengths))
        lost = sum(old.content is None and not new.content for old, new in both)
        measures = (_measured(real, asked), _measured(other, asked)) if asked else None
        found = (tuple(self._answers), tuple(tiers), lost, measures)
        return Counterfactual(end.position, self._settings, self._events, self._cues, *found)


def _tier(item: Item) -> Tier:
    return "deleted" if item.content is None else item.tier


def _measured(moment: Moment, asked: Sequence[_Asked]) -> Measures:
    rankings, gold = dict[str, list[MemoryId]](), dict[str, Grades]()
    for number, (cue, memories) in enumerate(asked):
        rankings[str(number)] = [hit.memory_id for hit in moment.recall(cue, limit=DEPTH).hits]
        gold[str(number)] = dict.fromkeys(memories, 1)
    return measured(rankings, gold)
