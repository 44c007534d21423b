"""How well recall sessions find what one query missed, and what they teach, on labelled sets.

    python -m benchmarks.sessions [--work DIR] [--json] PATH...

Each scope of a set becomes a space, as in `benchmarks.quality`. Questions that have
nothing of their gold among the first ten hits are asked in a session, in which somebody
votes honestly on all that is shown: hot for gold, warm for what stands near gold in the
talk, cold for the rest. What was found is accepted. Then the same questions are
asked again in other words, and all others as they were.
"""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean

import msgspec

from benchmarks.rephrasing import REPHRASINGS
from benchmarks.report import arguments, conditions, table, workplace
from mnemolog import Memory, MiniLM, Session
from mnemolog.evaluation.evaluating import held, opened
from mnemolog.evaluation.labelled import CORPUS, LabelledSet, Query, read_set
from mnemolog.ledger.events import Vote
from mnemolog.ledger.ids import MemoryId

LIMITS = (
    "votes of real agents, who err, vote on little and stop early; other languages than "
    "English; rephrasings that a person would choose; other conversations than these."
)
TEN, ROUNDS = 10, 3
_NEAR = 3
_ALIKE = 0.78

Gold = frozenset[MemoryId]
Stretch = Callable[[MemoryId, Gold], bool]
"""Whether a memory is of the same stretch of talk as one of the gold."""


class Taught(msgspec.Struct, frozen=True):
    """What sessions brought in one set, for one way of telling what is warm.

    `found` is the share of the missed questions whose gold was in the ten, by round;
    `rephrased` and `others` recall@10 before and after: of the questions that were found in a
    session, put in other words, and of all that had none. `far` are those of the others that
    are like none of the questions of a session.
    """

    warm: str
    questions: int
    missed: int
    found: tuple[float, ...]
    rephrased: dict[str, tuple[float, float]]
    others: tuple[float, float]
    far: tuple[float, float]


class Scope(msgspec.Struct, frozen=True):
    """One talk: its questions, the gold of each, and where each memory stands in it."""

    queries: Sequence[Query]
    gold: Mapping[str, Gold]
    place: Mapping[MemoryId, int]
    session: Mapping[MemoryId, str]


def scope_of(
    labelled: LabelledSet, name: str, ids: Mapping[MemoryId, str], told: Mapping[str, str]
) -> Scope:
    """A scope of a set whose texts are remembered under these ids; `told` are its sessions."""
    by_text = {text: memory_id for memory_id, text in ids.items()}
    queries = [q for q in labelled.queries.get(name, []) if labelled.gold.get(q.id)]
    gold = {q.id: frozenset(by_text[one] for one in labelled.gold[q.id]) for q in queries}
    place = {memory_id: number for number, memory_id in enumerate(ids)}
    session = {memory_id: told[text] for memory_id, text in ids.items() if text in told}
    return Scope(queries, gold, place, session)


def near(scope: Scope) -> Stretch:
    """Three texts before or after."""

    def is_near(one: MemoryId, gold: Gold) -> bool:
        return any(abs(scope.place[one] - scope.place[other]) <= _NEAR for other in gold)

    return is_near


def same_session(scope: Scope) -> Stretch:
    """The session of the set that it was said in."""

    def is_of_it(one: MemoryId, gold: Gold) -> bool:
        return scope.session[one] in {scope.session[other] for other in gold}

    return is_of_it


def asked(memory: Memory, query: str, gold: Gold, warm: Stretch) -> int | None:
    """In which round of honest votes gold came into the ten, and is accepted; None if in none."""
    session = memory.sessions.start(query, limit=TEN)
    for round_ in range(ROUNDS + 1):
        found = [hit.memory_id for hit in session.memories if hit.memory_id in gold]
        if found:
            # What is hot is said so, as an agent would, before it is accepted.
            memory.sessions.vote(session.session_id, _votes(session, gold, warm))
            memory.sessions.resolve(session.session_id, found)
            return round_
        if round_ < ROUNDS and session.memories:
            session = memory.sessions.vote(session.session_id, _votes(session, gold, warm))
    memory.sessions.resolve(session.session_id)
    return None


def _votes(session: Session, gold: Gold, warm: Stretch) -> dict[str, Vote]:
    def vote(one: MemoryId) -> Vote:
        if one in gold:
            return "hot"
        return "warm" if warm(one, gold) else "cold"

    return {hit.memory_id: vote(hit.memory_id) for hit in session.memories}


def recall_at_10(memory: Memory, query: str, gold: Gold) -> float:
    """The share of its gold that is among a query's first ten hits."""
    hits = memory.recall(query, limit=TEN, min_relevance=0).hits
    return len(gold & {hit.memory_id for hit in hits}) / len(gold)


def taught(
    memory: Memory, scope: Scope, warm: Stretch, model: MiniLM
) -> Iterator[tuple[str, float, float]]:
    """Figures of one scope, each a name with two numbers; sessions are held in it."""
    before = {q.id: recall_at_10(memory, q.text, scope.gold[q.id]) for q in scope.queries}
    missed = [q for q in scope.queries if before[q.id] == 0]
    again = {
        (name, q.id): recall_at_10(memory, rephrase(q.text), scope.gold[q.id])
        for name, rephrase in REPHRASINGS.items()
        for q in missed
    }
    found = {q.id: asked(memory, q.text, scope.gold[q.id], warm) for q in missed}
    for q in missed:
        round_ = found[q.id]
        yield "round", ROUNDS + 1 if round_ is None else round_, 0.0
        if round_ is not None:
            for name, rephrase in REPHRASINGS.items():
                after = recall_at_10(memory, rephrase(q.text), scope.gold[q.id])
                yield name, again[name, q.id], after
    others = [q for q in scope.queries if before[q.id] > 0]
    learned = model.embed([q.text for q in missed]) if missed else None
    for q in others:
        after = recall_at_10(memory, q.text, scope.gold[q.id])
        yield "others", before[q.id], after
        if learned is None or float((learned @ model.embed([q.text])[0]).max()) < _ALIKE:
            yield "far", before[q.id], after


def measure(path: Path, work: Path) -> list[Taught]:
    """What sessions bring in a set, for each way of telling what is warm."""
    labelled, told = read_set(path), _sessions(path)
    prepared, model = work / f"sessions-{labelled.name}", MiniLM()
    for name in labelled.queries:
        with opened(prepared, name, model) as memory:
            held(memory, labelled.texts.get(name, []))
            memory.upkeep.index()
    ways: dict[str, Callable[[Scope], Stretch]] = {"three texts around": near}
    if told:
        ways["same session"] = same_session
    return [_measured(labelled, told, (prepared, model), (warm, way)) for warm, way in ways.items()]


def _measured(
    labelled: LabelledSet,
    told: Mapping[str, str],
    parts: tuple[Path, MiniLM],
    warm: tuple[str, Callable[[Scope], Stretch]],
) -> Taught:
    prepared, model = parts
    home = prepared.with_name(f"{prepared.name}-taught")
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(prepared, home)
    figures: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for name in labelled.queries:
        with opened(home, name, model) as memory:
            ids = held(memory, labelled.texts.get(name, []))
            scope = scope_of(labelled, name, ids, told)
            for what, before, after in taught(memory, scope, warm[1](scope), model):
                figures[what].append((before, after))
    shutil.rmtree(home)
    rounds = [round_ for round_, _ in figures["round"]]
    return Taught(
        warm=warm[0],
        questions=len(labelled.asked),
        missed=len(rounds),
        found=tuple(mean(r <= number for r in rounds) for number in range(1, ROUNDS + 1)),
        rephrased={name: _means(figures[name]) for name in REPHRASINGS},
        others=_means(figures["others"]),
        far=_means(figures["far"]),
    )


def _means(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return (mean(b for b, _ in pairs), mean(a for _, a in pairs)) if pairs else (0.0, 0.0)


def _sessions(path: Path) -> dict[str, str]:
    """The session in which each text was said, where the set tells."""
    lines = [json.loads(line) for line in (path / CORPUS).read_text().splitlines() if line.strip()]
    return {line["_id"]: str(line["session"]) for line in lines if line.get("session")}


def markdown(name: str, found: Sequence[Taught]) -> str:
    """A set's figures as Markdown."""
    rows = []
    for one in found:
        again = {how: f"{b:.3f} → {a:.3f}" for how, (b, a) in one.rephrased.items()}
        shares = ", ".join(f"{100 * share:.0f} %" for share in one.found)
        rows.append(
            (
                one.warm, f"{one.missed} of {one.questions}", shares, *again.values(),
                f"{one.others[0]:.4f} → {one.others[1]:.4f}",
                f"{one.far[0]:.4f} → {one.far[1]:.4f}",
            )
        )  # fmt: skip
    header = ("warm is", "missed", "found by round 1, 2, 3", *REPHRASINGS, "others", "far others")
    return f"### {name}\n\n{table(header, rows)}"


def main() -> None:
    """Measure the sets given on the command line and print the figures."""
    parser = arguments("Measure what recall sessions find and teach, on labelled sets.")
    parser.add_argument("sets", metavar="PATH", nargs="+", type=Path, help="a set's directory")
    given = parser.parse_args()
    with workplace(given.work) as work:
        found = {path.resolve().name: measure(path, work) for path in given.sets}
        if given.json:
            print(msgspec.json.encode(found).decode())
            return
        print(f"## Recall sessions\n\nWhat this does not show: {LIMITS}\n")
        print("; ".join(f"{name} {value}" for name, value in conditions(work).items()))
        for name, measured in found.items():
            print(f"\n{markdown(name, measured)}")


if __name__ == "__main__":
    main()
