"""How many tokens a text takes, as the built-in model counts them."""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class TokenCounter:
    """Counts a text's tokens: word pieces, about four to three English words."""

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer  # noqa: PLC0415 - 30 ms that most commands never need

        tokenizer = Tokenizer.from_buffer(files("indexes").joinpath("tokenizer.json").read_bytes())
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def fit(self, text: str, most: int) -> bool:
        """Whether a text takes at most so many tokens."""
        # A token is one character at least.
        if len(text) <= most:
            return True
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids) <= most
