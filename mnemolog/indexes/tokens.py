"""Token counts of texts: the port, and the built-in tokenizer."""

from __future__ import annotations

import re
import threading
from importlib.resources import files
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# WordPiece gives up on a longer word and counts it as one: as four characters a token, it
# counts for about what other models make of it.
_LONGEST_WORD = 100
_OVERLONG = re.compile(rf"[^\W_]{{{_LONGEST_WORD + 1},}}")
_CHARACTERS_PER_TOKEN = 4
_REMEMBERED_WORDS = 500_000


class TokenCounter(Protocol):
    """Counts what a text costs in a model's context; the same text always the same."""

    @property
    def name(self) -> str:
        """The name of the tokens."""
        ...

    def count(self, text: str) -> int:
        """The number of tokens of a text; 0 for an empty one."""
        ...


class WordPieces:
    """The tokens of the built-in embedding model (WordPiece, lowercase), without truncation."""

    name = "all-MiniLM-L6-v2-wordpiece"

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._known: dict[str, int] = {}

    def count(self, text: str) -> int:
        """The number of tokens of a text, without the marks of its beginning and end.

        Word by word, each word once: no token reaches over a blank, and most
        words of a text have been met before.
        """
        words = text.split()
        counts = {word: known for word in words if (known := self._known.get(word)) is not None}
        unknown = [word for word in dict.fromkeys(words) if word not in counts]
        if unknown:
            encoded = self._loaded().encode_batch(unknown, add_special_tokens=False)
            counts |= {
                word: len(pieces.ids) + _overlong(word)
                for word, pieces in zip(unknown, encoded, strict=True)
            }
            self._keep(counts)
        return sum(counts[word] for word in words)

    def _keep(self, counts: dict[str, int]) -> None:
        if len(self._known) < _REMEMBERED_WORDS:
            short = (word for word in counts if len(word) <= _LONGEST_WORD)
            self._known |= {word: counts[word] for word in short}

    def _loaded(self) -> Tokenizer:
        with self._loading:
            if self._tokenizer is None:
                from tokenizers import Tokenizer  # noqa: PLC0415 - 30 ms, only where counted

                stored = files("mnemolog.indexes").joinpath("tokenizer.json").read_bytes()
                self._tokenizer = Tokenizer.from_buffer(stored)
                self._tokenizer.no_padding()
                self._tokenizer.no_truncation()
            return self._tokenizer


def _overlong(word: str) -> int:
    """The tokens of a word too long for WordPiece, beyond the one that it counts."""
    return sum(len(run) // _CHARACTERS_PER_TOKEN for run in _OVERLONG.findall(word))
