"""Cross-encoder: a model that reads two texts together, from ONNX and tokenizer files."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from mnemolog.indexes.embedder import session_of, stored_tokenizer, tokenizer_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

_TOKENS = 128  # Of both texts of a pair together
_BATCH = 32  # Pairs run together at most; the memory for it grows with them
_PADDED = 1.5  # Most length of a text beside that of the shortest in its batch
_LONGEST_TOKEN = 16  # Characters a token that are read of a text at most
# Field of an encoding for each input of a model.
_FIELDS = {
    "input_ids": "ids",
    "attention_mask": "attention_mask",
    "token_type_ids": "type_ids",
}
Files = Callable[[], tuple[bytes, bytes]]  # The ONNX model and its tokenizer, JSON
ModelName = Literal["pairs", "notes", "plans"]


class CrossEncoder:
    """Cross-encoder on onnxruntime, loaded when first used.

    Pairs are cut at 128 tokens, the longer text first. Pairs of one call that are about as long
    are run as one batch, which takes less time than one after another. Raises `ValueError` for
    files that are no model and tokenizer, and for a model that cannot run.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self._loading = threading.Lock()
        self._loaded: tuple[Tokenizer, InferenceSession, frozenset[str]] | None = None

    def outputs(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float32]:
        """Outputs of the model for each pair, float32 of shape (pairs, outputs)."""
        import numpy as np  # noqa: PLC0415 - 50 ms that most commands never need

        tokenizer, session, names = self._load()
        head = _LONGEST_TOKEN * _TOKENS
        encodings = [tokenizer.encode(one[:head], other[:head]) for one, other in pairs]
        lengths = [len(one.ids) for one in encodings]
        found: dict[int, npt.NDArray[np.float32]] = {}
        for places in _alike(lengths):
            longest = lengths[places[-1]]
            # Padding is 0 in all three: BERT's [PAD], not attended to, of the first text.
            given = {name: np.zeros((len(places), longest), np.int64) for name in names}
            for name, rows in given.items():
                for row, place in zip(rows, places, strict=True):
                    row[: lengths[place]] = getattr(encodings[place], _FIELDS[name])
            with _failures():
                outputs = np.asarray(session.run(None, given)[0], np.float32)
            found.update(zip(places, outputs.reshape(len(places), -1), strict=True))
        return np.array([found[place] for place in range(len(pairs))], np.float32)

    def chances(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Chances in [0, 1] by a model with one output, a logit."""
        return [_sigmoid(logit) for logit in self.outputs(pairs)[:, 0].tolist()]

    def unload(self) -> None:
        """Release the model; the next pair loads it again."""
        with self._loading:
            self._loaded = None

    def _load(self) -> tuple[Tokenizer, InferenceSession, frozenset[str]]:
        with self._loading:
            if self._loaded is None:
                model, tokens = self._files()
                tokenizer = tokenizer_of(tokens)
                tokenizer.enable_truncation(_TOKENS)
                with _failures():
                    session = session_of(model, "ORT_ENABLE_ALL")
                names = frozenset(one.name for one in session.get_inputs())
                if unknown := names - _FIELDS.keys():
                    raise ValueError(f"the model has the input {min(unknown)}")
                self._loaded = tokenizer, session, names
            return self._loaded


def _sigmoid(logit: float) -> float:
    # The exponential of a large number would overflow.
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else 1 - 1 / (1 + math.exp(logit))


def _alike(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts about as long, in groups, each from the shortest to the longest."""
    group: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if group and (len(group) == _BATCH or lengths[place] > _PADDED * lengths[group[0]]):
            yield group
            group = []
        group.append(place)
    if group:
        yield group


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
def built_in(name: ModelName) -> CrossEncoder:
    """Built-in model, shared by the process.

    - `pairs`: of an old and a new statement; the logits of five relations, see
      `policies.contradictions.fitted`.
    - `notes`: of a question and a note; the logit of the chance that the note answers.
    - `plans`: of an option and a note; the logit of the chance that the option breaks it.
    """

    def stored() -> tuple[bytes, bytes]:
        return files("mnemolog.indexes").joinpath(f"{name}.onnx").read_bytes(), stored_tokenizer()

    return CrossEncoder(stored)
