"""The identity: a file of the user's that is put in front of every context."""

from __future__ import annotations

from pathlib import Path

from mnemolog.indexes.tokens import WordPieces
from mnemolog.ledger.files import open_regular
from mnemolog.recall.context.excerpts import cut_at_sentence
from mnemolog.recall.layers.layers import LayerFindings, Passage

MOST_TOKENS = 200
_READ_BYTES = 1 << 16


def read_identity(path: Path) -> LayerFindings:
    """The text of an identity file as one passage; a longer one is cut, and a note says so.

    At most 200 tokens, cut at the end of a sentence. Nothing if the file is
    blank. Raises `OSError` where it cannot be read, `MalformedFile` where it is no file.
    """
    with open_regular(path.expanduser()) as file:
        read = file.read(_READ_BYTES + 1)
    # A character that the limit cuts in two is dropped with the rest.
    text = read[:_READ_BYTES].decode(errors="replace").replace("\0", "").strip()
    if not text:
        return LayerFindings(note=f"{path} is empty")
    counter = WordPieces()
    kept = cut_at_sentence(text, lambda part: counter.count(part) <= MOST_TOKENS)
    whole = kept == text and len(read) <= _READ_BYTES
    note = None if whole else f"{path} is longer than {MOST_TOKENS} tokens: the rest is left out"
    return LayerFindings((Passage("identity", kept, str(path), 1.0),) if kept else (), note)
