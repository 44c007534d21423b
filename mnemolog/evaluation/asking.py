"""Recall measures of a labelled set's queries, asked of a home that holds its texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mnemolog.evaluation.labelled import Grades, LabelledSet, LabelledText, Query
from mnemolog.evaluation.measures import precision, ranked
from mnemolog.evaluation.support import SupportJudge, faithfulness
from mnemolog.indexes.embedder import Embedder
from mnemolog.ledger.clock import SystemClock, parse_time
from mnemolog.ledger.errors import InvalidField, InvalidTime
from mnemolog.ledger.ids import MemoryId
from mnemolog.ledger.log import Durability
from mnemolog.memory import Memory
from mnemolog.policies.memories import NewMemory
from mnemolog.projections.folding import Progress
from mnemolog.recall.context.context import Part
from mnemolog.recall.search.checks import Strategy

# Used in the scratch home only. No query can mean a name of two letters.
_USER, _ASSISTANT = "user:me", "agent:assistant"
_USERS = frozenset({"user", "human"})
_ASSISTANTS = frozenset({"assistant", "agent", "ai", "bot", "model"})

Scores = dict[str, float]
"""The measures of one query under one strategy; those that do not apply are left out."""


class Asking:
    """Runner that asks a labelled set's queries of a scratch home and scores the answers."""

    def __init__(  # noqa: PLR0913, PLR0917 - a set, a place, and the parts to ask with
        self,
        labelled: LabelledSet,
        folder: Path,
        embedder: Embedder,
        judge: SupportJudge,
        budget: int,
        answers: Mapping[str, str] | None,
    ) -> None:
        self.judge = judge
        self._labelled = labelled
        self._home = folder / "home"
        self._embedder = embedder
        self._budget = budget
        self._answers = answers

    def scores(
        self, strategies: Sequence[Strategy], progress: Progress | None
    ) -> dict[str, dict[str, Scores]]:
        """Measures of every query, by strategy and query id."""
        found: dict[str, dict[str, Scores]] = {name: {} for name in strategies}
        total = len(strategies) * sum(map(len, self._labelled.queries.values()))
        done = 0
        for scope, queries in self._labelled.queries.items():
            texts = self._labelled.texts.get(scope, [])
            with opened(self._home, scope, self._embedder) as memory:
                ids = held(memory, texts, progress)
                memory.upkeep.index(progress)
                for strategy in strategies:
                    if memory.settings().strategy != strategy:
                        memory.configure({"strategy": strategy})
                    for query, scores in self._asked(memory, queries, ids):
                        found[strategy][query] = scores
                        done += 1
                        if progress is not None:
                            progress("asking", done, total)
        return found

    def _asked(
        self, memory: Memory, queries: Sequence[Query], ids: Mapping[MemoryId, str]
    ) -> Iterator[tuple[str, Scores]]:
        for query in queries:
            hits = memory.recall(query.text).hits
            ranking = [ids[hit.memory_id] for hit in hits if hit.memory_id in ids]
            gold = self._labelled.gold.get(query.id, {})
            scores: Scores = {}
            if gold:
                recall_at_5, recall_at_10, ndcg, mrr = ranked(ranking, gold)
                scores = {
                    "precision": precision(ranking, gold),
                    "recall@5": recall_at_5,
                    "recall@10": recall_at_10,
                    "ndcg@10": ndcg,
                    "mrr@10": mrr,
                }
            else:
                scores = {"honest_empty": float(not hits)}
            yield query.id, scores | self._in_context(memory, query, ids, gold)

    def _in_context(
        self, memory: Memory, query: Query, ids: Mapping[MemoryId, str], gold: Grades
    ) -> Scores:
        """Context measures of a query: relevancy, gold coverage and faithfulness of its answer."""
        context = memory.context(query.text, budget=self._budget)
        parts = [part for section in context.sections for part in section.parts]
        injected = {ids.get(memory_id) for memory_id in context.memory_ids}
        scores: Scores = {}
        if gold:
            scores["context_recall"] = len(injected & gold.keys()) / len(gold)
            if parts:
                scores["relevancy"] = self._relevancy(query, parts, ids, gold)
        answer = self._answer(query, gold)
        faithful = None if answer is None else faithfulness(
            self.judge, [part.text for part in parts], answer
        )  # fmt: skip
        return scores if faithful is None else scores | {"faithfulness": faithful}

    def _relevancy(
        self, query: Query, parts: Sequence[Part], ids: Mapping[MemoryId, str], gold: Grades
    ) -> float:
        """Share of a context's tokens that are labelled or judged relevant to a query."""
        bearing = sum(
            part.tokens
            for part in parts
            if (part.memory_id is not None and ids.get(part.memory_id) in gold)
            or self.judge.bears(query.text, part.text)
        )
        return bearing / max(1, sum(part.tokens for part in parts))

    def _answer(self, query: Query, gold: Grades) -> str | None:
        """Answer to judge: the given one or, where the query has gold, the set's own."""
        if self._answers is not None:
            return self._answers.get(query.id)
        return query.reference if gold else None


def opened(home: Path, scope: str, embedder: Embedder) -> Memory:
    """Memory on the space of a scope in a scratch home; its texts count as one conversation."""
    return Memory.open(
        home,
        scope,
        actor=_USER,
        run=scope,
        durability=Durability.MAY_LOSE_LAST_MOMENTS,
        embedder=embedder,
    )


def held(
    memory: Memory, texts: Sequence[LabelledText], progress: Progress | None = None
) -> dict[MemoryId, str]:
    """Ids of the texts by those of the memories that hold them; missing texts are remembered.

    Raises `InvalidField` for a kept home that was written to after it was filled.
    """

    def known() -> list[MemoryId]:
        entries = memory.log.events(kinds=("remembered",))
        return [entry.memory_id for entry in entries if entry.memory_id is not None]

    stored = known()
    if len(stored) < len(texts):
        memory.remember_many(map(_new, texts[len(stored) :]), progress=progress)
        stored = known()
    if len(stored) > len(texts):
        raise InvalidField(
            "work", f"{memory.home} holds more than the set", "delete it, or name another directory"
        )
    return dict(zip(stored, (text.id for text in texts), strict=True))


def _new(text: LabelledText) -> NewMemory:
    return NewMemory(text.text, source=_source(text), valid_from=_since(text.date))


def _source(text: LabelledText) -> str | None:
    """Source of a text: its speaker or role, if the set names one."""
    role = (text.role or "").casefold()
    if role in _ASSISTANTS:
        return _ASSISTANT
    speaker = (text.speaker or "").strip()
    if speaker and speaker.isprintable():
        return f"user:{speaker}"
    return _USER if role in _USERS else None


def _since(date: str | float | None) -> str | None:
    """Date of a text as a past instant; None for other forms, which say nothing of validity."""
    if not isinstance(date, str):
        return None
    try:
        instant = parse_time("date", date)
    except InvalidTime:
        return None
    return date if instant <= SystemClock().now() else None
