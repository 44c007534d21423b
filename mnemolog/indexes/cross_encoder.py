"""Cross-encoder: a model that reads two texts together, from ONNX and tokenizer files."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from mnemolog.indexes.embedder import session_of, stored_tokenizer, tokenizer_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

_PAIR_TOKENS = 256
_LONGEST_TOKEN = 16  # Characters a token that are read of a text at most
# Field of an encoding for each input of a model.
_FIELDS = {
    "input_ids": "ids",
    "attention_mask": "attention_mask",
    "token_type_ids": "type_ids",
}
Files = Callable[[], tuple[bytes, bytes]]  # The ONNX model and its tokenizer, JSON


class CrossEncoder:
    """Cross-encoder on onnxruntime, loaded when first used.

    Pairs are cut at `max_tokens`, the longer text first. Pairs of one call are run as one batch:
    six short ones take 16 ms on two cores, one after another 27. Raises `ValueError` for files
    that are no model and tokenizer, and for a model that cannot run.
    """

    def __init__(self, files: Files, max_tokens: int) -> None:
        self._files, self._max_tokens = files, max_tokens
        self._loading = threading.Lock()
        self._loaded: tuple[Tokenizer, InferenceSession, frozenset[str]] | None = None

    def outputs(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float32]:
        """Outputs of the model for each pair, float32 of shape (pairs, outputs)."""
        import numpy as np  # noqa: PLC0415 - 50 ms that most commands never need

        tokenizer, session, names = self._load()
        head = _LONGEST_TOKEN * self._max_tokens
        encodings = [tokenizer.encode(one[:head], other[:head]) for one, other in pairs]
        longest = max(len(one.ids) for one in encodings)
        # Padding is 0 in all three: BERT's [PAD], not attended to, of the first text.
        given: dict[str, npt.NDArray[np.int64]] = {}
        for name in names:
            rows = np.zeros((len(pairs), longest), np.int64)
            for row, encoding in zip(rows, encodings, strict=True):
                values = getattr(encoding, _FIELDS[name])
                row[: len(values)] = values
            given[name] = rows
        with _failures():
            found: npt.NDArray[np.float32] = np.asarray(session.run(None, given)[0], np.float32)
        return found.reshape(len(pairs), -1)

    def unload(self) -> None:
        """Release the model; the next pair loads it again."""
        with self._loading:
            self._loaded = None

    def _load(self) -> tuple[Tokenizer, InferenceSession, frozenset[str]]:
        with self._loading:
            if self._loaded is None:
                model, tokens = self._files()
                tokenizer = tokenizer_of(tokens)
                tokenizer.enable_truncation(self._max_tokens)
                with _failures():
                    session = session_of(model, "ORT_ENABLE_ALL")
                names = frozenset(one.name for one in session.get_inputs())
                if unknown := names - _FIELDS.keys():
                    raise ValueError(f"the model has the input {min(unknown)}")
                self._loaded = tokenizer, session, names
            return self._loaded


@contextmanager
def _failures() -> Iterator[None]:
    """Context in which errors of onnxruntime, which have no base class, become `ValueError`s."""
    try:
        yield
    except _session_errors() as error:
        raise ValueError(str(error).partition("\n")[0]) from error


def _session_errors() -> tuple[type[Exception], ...]:
    from onnxruntime.capi import onnxruntime_pybind11_state as state  # noqa: PLC0415 - 100 ms

    names = "Fail InvalidArgument InvalidGraph InvalidProtobuf NotImplemented RuntimeException"
    return tuple(getattr(state, name) for name in names.split())


@cache
def pair_model() -> CrossEncoder:
    """Built-in model of pairs of an old and a new statement, shared by the process.

    Its outputs are the logits of five relations, see `policies.contradictions.fitted`.
    """

    def stored() -> tuple[bytes, bytes]:
        return files("mnemolog.indexes").joinpath("pairs.onnx").read_bytes(), stored_tokenizer()

    return CrossEncoder(stored, _PAIR_TOKENS)
