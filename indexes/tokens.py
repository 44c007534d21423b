"""How long a text is for a model: the port, and the tokenizer that is built in."""

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


class TokenCounter(Protocol):
    """Counts what a text costs in a model's context; the same text always the same."""

    @property
    def name(self) -> str:
        """Which tokens these are."""
        ...

    def count(self, text: str) -> int:
        """How many tokens a text has; 0 for an empty one."""
        ...


class WordPieces:
    """The tokens of the built-in embedding model (WordPiece, lowercase), without truncation."""

    name = "all-MiniLM-L6-v2-wordpiece"

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._tokenizer: Tokenizer | None = None

    def count(self, text: str) -> int:
        """How many tokens a text has, those that mark beginning and end left out."""
        overlong = sum(len(word) // _CHARACTERS_PER_TOKEN for word in _OVERLONG.findall(text))
        pieces: int = len(self._loaded().encode(text, add_special_tokens=False).ids)
        return pieces + overlong

    def _loaded(self) -> Tokenizer:
        with self._loading:
            if self._tokenizer is None:
                from tokenizers import Tokenizer  # noqa: PLC0415 - 30 ms, only where counted

                stored = files("indexes").joinpath("tokenizer.json").read_bytes()
                self._tokenizer = Tokenizer.from_buffer(stored)
                self._tokenizer.no_padding()
                self._tokenizer.no_truncation()
            return self._tokenizer
