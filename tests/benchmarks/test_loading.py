"""Loading messages, and the stores that it is measured beside."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from benchmarks.loading import SMALL_HOME, measure
from benchmarks.messages import Messages, Precomputed, Recording, messages_of
from benchmarks.peers import PEERS, Fts5, OneArray

TEXTS = [f"Dana keeps {number} bees and a {thing}" for number, thing in enumerate(["hive"] * 32)]


def written(folder: Path, texts: list[str], name: str = "corpus.jsonl") -> Path:
    """A set of these texts, or its queries."""
    lines = [msgspec.json.encode({"_id": str(row), "text": text}) for row, text in enumerate(texts)]
    (folder / name).write_bytes(b"\n".join(lines))
    return folder


def test_messages_are_split_into_loaded_and_further_ones(tmp_path: Path) -> None:
    """Nothing is loaded and remembered later, and queries are the cues."""
    path = written(tmp_path, TEXTS)
    written(tmp_path, ["how many bees?"], "queries.jsonl")
    assert messages_of([path], 20) == Messages(TEXTS[:20], TEXTS[20:], ["how many bees?"])
    few = messages_of([path], 5_000)
    assert (few.loaded, few.further) == (TEXTS[:30], TEXTS[30:])


def test_without_a_path_messages_are_made_up() -> None:
    """As many as asked for, further ones, and cues."""
    made = messages_of([], 250)
    assert len(made.loaded) == 250
    assert made.further
    assert made.cues
    assert made == messages_of([], 250)


def test_vectors_made_beforehand_are_those_of_the_model(tmp_path: Path) -> None:
    """A recorded vector is found again, and an unknown text is an error, not a slow answer."""
    recording = Recording()
    vectors = recording.embed(["one", "two", "one"])
    recording.save(tmp_path)
    known = Precomputed(tmp_path)
    assert np.array_equal(known.embed(["two", "one"]), vectors[1:])
    with pytest.raises(KeyError):
        known.embed(["three"])
    assert np.array_equal(Precomputed(tmp_path, recording).embed(["one"]), vectors[:1])


def test_words_find_their_texts(tmp_path: Path) -> None:
    """The full-text search takes any cue, signs and all, and gives texts with its words."""
    store = Fts5(tmp_path)
    store.add(["a garden", 'the "old" house'], np.zeros((2, 3), np.float32))
    assert store.search('"old" OR (', np.zeros(3, np.float32)) == [(2, 'the "old" house')]
    assert store.search("?!", np.zeros(3, np.float32)) == []
    store.close()


def test_the_array_gives_the_nearest_first(tmp_path: Path) -> None:
    """Rows by their product with the cue's vector, and the file holds all vectors."""
    vectors = np.eye(12, dtype=np.float32)
    cue = np.arange(12, dtype=np.float32)
    store = OneArray(tmp_path)
    store.add([""] * 12, vectors)
    assert np.array_equal(store.search("", cue), np.arange(11, 1, -1))
    assert np.array_equal(np.load(tmp_path / "vectors.npy"), vectors)


def test_a_run_reports_every_store(tmp_path: Path) -> None:
    """All measures of a small set, each in a process of its own, with what they are to reach."""
    messages = Messages(TEXTS[:24], TEXTS[24:28], ["how many bees?"])
    peers = [name for name in PEERS if name != "Chroma"]
    report = measure(tmp_path, messages, 1, {SMALL_HOME[0]: 24}, peers)
    names = [figure.name for figure in report.figures]
    assert len(names) == len(set(names))
    for name in ("mnemolog, checked", *peers):
        assert {f"{name}: loading", f"{name}: bytes on disk a message"} <= set(names)
    assert sum(figure.met is not None for figure in report.figures) == 8
