"""Recall is measured on labelled sets, with intervals, and what cannot be read is named."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from mnemolog import InvalidField, MalformedSet, Memory, WordJudge, evaluate, read_answers
from mnemolog.evaluation.evaluating import (
    Evaluation,
    faithfulness,
    interval,
    measured,
    precision,
    ranked,
)
from mnemolog.evaluation.labelled import read_set
from mnemolog.language.analysis import Analyzer
from tests.evaluation.labelled_sets import write_set
from tests.homes import BagOfWords

JUDGE = WordJudge(Analyzer().cue)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of the small set."""
    return write_set(tmp_path_factory.mktemp("sets") / "small")


def evaluated(folder: Path, *strategies: str, **options: object) -> Evaluation:
    """The small set measured with few sums."""
    return evaluate(
        folder, strategies or ("keyword",), embedder=BagOfWords(), resamples=1000,
        **options,  # type: ignore[arg-type] # as they are given
    )  # fmt: skip


# -- measuring -------------------------------------------------------------------------


def test_a_set_is_measured_as_a_whole_and_by_category(folder: Path) -> None:
    """Each scope by itself: what is asked of words alone is all found, and nothing else said."""
    found = evaluated(folder)
    assert (found.name, found.scopes, found.texts) == ("small", 2, 7)
    assert (found.queries, found.unanswerable) == (4, 1)
    assert list(found.measures) == ["all", "2", "none", "single"]
    everything = found.measures["all"]["keyword"]
    assert everything["recall@10"].mean == everything["mrr@10"].mean == 1.0
    assert everything["recall@10"].queries == 3
    assert everything["honest_empty"].mean == 1.0
    assert 0 < everything["precision"].mean <= 1
    assert "recall@10" not in found.measures["none"]["keyword"]
    assert found.differences == {}


def test_contexts_and_answers_are_judged(folder: Path) -> None:
    """What bears on a question counts by tokens; an answer that says otherwise is not supported."""
    found = evaluated(folder)
    assert found.measures["all"]["keyword"]["context_recall"].mean == 1.0
    assert 0.5 < found.measures["all"]["keyword"]["relevancy"].mean <= 1
    assert found.measures["single"]["keyword"]["faithfulness"].mean == 0.5
    given = evaluated(folder, answers={"q1": "Dana planted forty tulips.", "q2": "It is the sink."})
    assert given.measures["all"]["keyword"]["faithfulness"].queries == 2
    assert given.answers == "given"


def test_two_strategies_stand_side_by_side(folder: Path) -> None:
    """Their differences are of the same queries; against itself a strategy differs in nothing."""
    found = evaluated(folder, "semantic", "keyword")
    assert found.strategies == ("semantic", "keyword")
    difference = found.differences["all"]["mrr@10"]
    measures = found.measures["all"]
    means = measures["semantic"]["mrr@10"].mean - measures["keyword"]["mrr@10"].mean
    assert difference.mean == pytest.approx(means)
    assert difference.low <= difference.mean <= difference.high


def test_a_kept_home_gives_the_same_figures(folder: Path, tmp_path: Path) -> None:
    """The second time nothing is remembered anew, and progress is told either way."""
    told: list[tuple[str, int, int]] = []

    def tell(doing: str, done: int, total: int) -> None:
        told.append((doing, done, total))

    first = evaluated(folder, "hybrid", "keyword", work=tmp_path, progress=tell)
    assert evaluated(folder, "hybrid", "keyword", work=tmp_path) == first
    assert told[-1] == ("asking", 8, 8)
    (kept,) = tmp_path.iterdir()
    with Memory.open(kept / "home", "boat", embedder=BagOfWords()) as memory:
        memory.remember("The boat leaks")
    with pytest.raises(InvalidField, match="more than the set"):
        evaluated(folder, "hybrid", work=tmp_path)


@pytest.mark.parametrize(
    "options",
    [
        {"strategies": ()},
        {"strategies": ("keyword", "keyword")},
        {"strategies": ("hybrid", "keyword", "rrf")},
        {"strategies": ("best",)},
        {"resamples": 10},
        {"seed": -1},
        {"budget": 0},
    ],
    ids=str,
)
def test_what_cannot_be_measured_is_refused(folder: Path, options: dict[str, object]) -> None:
    """Before anything is done."""
    with pytest.raises(InvalidField):
        evaluate(folder, **options)  # type: ignore[arg-type] # that is the point


# -- measures --------------------------------------------------------------------------


def test_measures_of_one_ranking() -> None:
    """By hand: the second of three answers in second place."""
    gold = {"a": 2, "b": 1}
    recall_at_5, recall_at_10, ndcg, mrr = ranked(["x", "b", "y"], gold)
    assert (recall_at_5, recall_at_10, mrr) == (0.5, 0.5, 0.5)
    assert ndcg == pytest.approx((1 / math.log2(3)) / (2 + 1 / math.log2(3)))
    assert precision(["x", "b", "y"], gold) == pytest.approx(1 / 3)
    assert precision([], gold) == 0.0


@given(
    rankings=st.lists(
        st.permutations([str(number) for number in range(12)]), min_size=1, max_size=4
    ),
    gold=st.dictionaries(
        st.sampled_from([str(n) for n in range(12)]), st.integers(1, 3), min_size=1
    ),
)
def test_measures_are_shares(rankings: list[list[str]], gold: dict[str, int]) -> None:
    """Between 0 and 1; recall grows with depth, and the best order has an nDCG of 1."""
    every = {str(number): gold for number in range(len(rankings))}
    found = measured(dict(zip(every, rankings, strict=True)), every)
    assert 0 <= found.recall_at_5 <= found.recall_at_10 <= 1
    assert 0 <= found.ndcg_at_10 <= 1 + 1e-9
    best = sorted(gold, key=lambda one: -gold[one])
    assert ranked(best, gold)[2] == pytest.approx(1.0)


@given(values=st.lists(st.floats(0, 1), max_size=30), seed=st.integers(0, 5))
def test_an_interval_holds_its_mean_and_repeats(values: list[float], seed: int) -> None:
    """By seed; one of equal values is as narrow as can be."""
    found = interval(values, 1000, seed)
    assert found == interval(values, 1000, seed)
    assert found.queries == len(values)
    assert found.low <= found.high
    assert min(values, default=0) - 1e-9 <= found.low
    assert found.high <= max(values, default=0) + 1e-9
    if len(set(values)) == 1:
        assert found.low == pytest.approx(found.high)


def test_an_interval_is_as_wide_as_theory_says() -> None:
    """For many values, about 1.96 standard errors to either side."""
    values = np.random.default_rng(1).random(400)
    found = interval(values.tolist(), 2000)
    half = 1.96 * values.std() / math.sqrt(len(values))
    assert found.high - found.low == pytest.approx(2 * half, rel=0.15)


# -- the judge -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "supported"),
    [
        ("Dana planted forty tulips.", True),
        ("Forty tulips were planted by Dana.", True),
        ("Dana planted roses.", False),
        ("Dana did not plant forty tulips.", False),
        ("The mast was repaired in 2019.", True),
        ("The mast was repaired in 2020.", False),
    ],
)
def test_the_built_in_judge_goes_by_words(statement: str, supported: bool) -> None:  # noqa: FBT001
    """Other words, other numbers and a negation that differs are not supported."""
    passages = ["Dana planted forty tulips by the gate", "Its mast was repaired in 2019"]
    assert JUDGE.supports(passages, statement) is supported


def test_an_answer_is_as_faithful_as_its_statements() -> None:
    """The share of them that the context supports; questions state nothing."""
    answer = "Dana planted forty tulips. She has a dog. Anything else?"
    judged: list[str] = []

    class Recording(WordJudge):
        def supports(self, passages: Sequence[str], statement: str) -> bool:
            judged.append(statement)
            return super().supports(passages, statement)

    assert faithfulness(Recording(Analyzer().cue), ["tulips"], answer) == 0.0
    assert judged == ["Dana planted forty tulips.", "She has a dog."]
    assert faithfulness(JUDGE, ["Dana planted forty tulips"], answer) == 0.5
    assert faithfulness(JUDGE, ["tulips"], "Which ones?") is None


# -- sets that cannot be read ----------------------------------------------------------


def test_a_set_without_scopes_is_one_scope(tmp_path: Path) -> None:
    """Scope, category and answer may be missing, and a heading line in the labels is known."""
    write_set(tmp_path / "set")
    (tmp_path / "set" / "corpus.jsonl").write_text('{"_id": "a", "text": "tea"}\n')
    (tmp_path / "set" / "queries.jsonl").write_text('{"_id": "q", "text": "tea?"}\n')
    (tmp_path / "set" / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\r\nq\ta\t1\r\n")
    found = read_set(tmp_path / "set")
    assert list(found.texts) == list(found.queries) == ["default"]
    assert found.gold == {"q": {"a": 1}}
    assert list(evaluated(tmp_path / "set").measures) == ["all"]


@pytest.mark.parametrize(
    ("file", "text", "line", "says"),
    [
        ("corpus.jsonl", None, None, "is missing"),
        ("corpus.jsonl", "\n", None, "holds no text"),
        ("corpus.jsonl", '{"_id": "a", "text": "tea"}\n{"_id": "b"\n', 2, "truncated"),
        ("corpus.jsonl", '{"_id": "a"}\n', 1, "text"),
        ("corpus.jsonl", '{"_id": "a", "text": " "}\n', 1, "empty"),
        ("corpus.jsonl", '{"_id": "a", "text": "x", "scope": " "}\n', 1, "scope"),
        ("corpus.jsonl", '{"_id": "a", "text": "x"}\n\n{"_id": "a", "text": "y"}\n', 3, "before"),
        ("queries.jsonl", '{"_id": 1, "text": "x"}\n', 1, "_id"),
        ("queries.jsonl", "", None, "holds no query"),
        ("qrels.tsv", "q1 g1 1\n", 1, "columns"),
        ("qrels.tsv", "q1\tg1\t1\nq1\tg2\tgood\n", 2, "grade"),
        ("qrels.tsv", "q1\tg1\t--1\n", 1, "grade"),
        ("qrels.tsv", "q1\tg1\t1" + 5000 * "0", 1, "grade"),
        ("qrels.tsv", "q9\tg1\t1\n", 1, "queries.jsonl"),
        ("qrels.tsv", "q1\tg9\t1\n", 1, "corpus.jsonl"),
        ("qrels.tsv", "q1\tb1\t1\n", 1, "scopes"),
        ("corpus.jsonl", b"\xff\n", 1, "UTF-8"),
    ],
)
def test_a_malformed_set_is_told_by_file_and_line(
    tmp_path: Path, file: str, text: str | bytes | None, line: int | None, says: str
) -> None:
    """What is wrong, where, and what would be right."""
    broken = write_set(tmp_path / "set")
    path = broken / file
    if text is None:
        path.unlink()
    else:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(MalformedSet) as raised:
        read_set(broken)
    error = raised.value
    assert (error.file, error.line) == (path, line)
    assert says in error.problem
    assert error.fix
    assert str(path) in str(error)


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    """A pipe that nobody writes to, or a folder, is told like a missing file."""
    for make in (os.mkfifo, os.mkdir):
        path = write_set(tmp_path / make.__name__) / "queries.jsonl"
        path.unlink()
        make(path)
        with pytest.raises(MalformedSet, match="no regular file"):
            read_set(path.parent)


def test_answers_are_read_by_query(tmp_path: Path) -> None:
    """One a line; what is none is named."""
    file = tmp_path / "answers.jsonl"
    file.write_text('{"_id": "q1", "answer": "forty"}\n')
    assert read_answers(file) == {"q1": "forty"}
    file.write_text('{"_id": "q1"}\n')
    with pytest.raises(MalformedSet):
        read_answers(file)
