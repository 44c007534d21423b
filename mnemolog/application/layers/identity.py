"""Identity: a file of the user that is put in front of every context."""

from __future__ import annotations

from pathlib import Path

from mnemolog.indexes.embedder import WordPieces
from mnemolog.ledger.files import open_regular
from mnemolog.recall.context.excerpts import cut_at_sentence
from mnemolog.recall.layers.layers import LayerFindings, Passage

MOST_TOKENS = 200
_READ_BYTES = 1 << 16


def read_identity(path: Path) -> LayerFindings:
    """Text of an identity file as one passage, with a note if it was cut.

    At most 200 tokens, cut at the end of a sentence; no passage if the file is blank.
    Raises `OSError` if it cannot be read, `MalformedFile` if it is not a regular file.
    """
    with open_regular(path.expanduser()) as file:
        read = file.read(_READ_BYTES + 1)
    # A character split at the byte limit is far beyond the token limit, which cuts it off.
    text = read[:_READ_BYTES].decode(errors="replace").replace("\0", "").strip()
    if not text:
        return LayerFindings(note=f"{path} is empty")
    counter = WordPieces()
    kept = cut_at_sentence(text, lambda part: counter.count(part) <= MOST_TOKENS)
    whole = kept == text and len(read) <= _READ_BYTES
    note = None if whole else f"{path} is longer than {MOST_TOKENS} tokens: the rest is left out"
    return LayerFindings((Passage("identity", kept, str(path), 1.0),) if kept else (), note)
