"""A small labelled set of our own, written out as files."""

from __future__ import annotations

import json
from pathlib import Path

TEXTS = [
    {"_id": "g1", "scope": "garden", "text": "Dana planted forty tulips by the gate",
     "role": "user"},
    {"_id": "g2", "scope": "garden", "text": "Lovely. Tulips want sun and little water.",
     "role": "assistant"},
    {"_id": "g3", "scope": "garden", "text": "The hose is broken near the tap", "role": "user",
     "date": "2024-05-01"},
    {"_id": "g4", "scope": "garden", "text": "Slugs ate the lettuce in May", "role": "user"},
    {"_id": "b1", "scope": "boat", "text": "The boat is called Heron", "speaker": "Ines"},
    {"_id": "b2", "scope": "boat", "text": "Its mast was repaired in 2019", "speaker": "Ines"},
    {"_id": "b3", "scope": "boat", "text": "We sail on Sundays", "speaker": "Jon",
     "date": "the third of May"},
]  # fmt: skip
QUERIES = [
    {"_id": "q1", "scope": "garden", "text": "How many tulips did Dana plant?", "cat": "single",
     "answer": "Dana planted forty tulips."},
    {"_id": "q2", "scope": "garden", "text": "What is broken near the tap?", "cat": "single",
     "answer": "The hose is not broken."},
    {"_id": "q3", "scope": "boat", "text": "When was the mast repaired?", "cat": 2,
     "answer": 2019},
    {"_id": "q4", "scope": "boat", "text": "xylophone zebras", "cat": "none"},
]  # fmt: skip
QRELS = [("q1", "g1", 2), ("q1", "g2", 0), ("q2", "g3", 1), ("q3", "b2", 1)]


def write_set(folder: Path) -> Path:
    """The set in a directory."""
    folder.mkdir()
    for name, lines in (("corpus", TEXTS), ("queries", QUERIES)):
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text)
    (folder / "qrels.tsv").write_text("".join(f"{q}\t{t}\t{g}\n" for q, t, g in QRELS))
    return folder
