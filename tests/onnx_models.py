"""Small ONNX models and their tokenizers, written field by field: no package for it is needed.

Field numbers are those of onnx.proto, IR version 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_FLOAT, _INT64 = 1, 7

# The texts of a pair are crossed: each word of one is compared with each of the other.
_SHARED_WORDS = (
    ("Unsqueeze", "input_ids", "rows", {"axes": [2]}),
    ("Unsqueeze", "input_ids", "columns", {"axes": [1]}),
    ("Equal", "rows columns", "equal", {}),
    ("Cast", "equal", "same", {"to": _FLOAT}),
    ("Cast", "attention_mask", "there", {"to": _FLOAT}),
    ("Cast", "token_type_ids", "second", {"to": _FLOAT}),
    ("Sub", "there second", "first", {}),
    ("Unsqueeze", "first", "first_rows", {"axes": [2]}),
    ("Unsqueeze", "second", "second_columns", {"axes": [1]}),
    ("Mul", "first_rows second_columns", "crossed", {}),
    ("Mul", "same crossed", "shared", {}),
    ("ReduceSum", "shared", "sums", {"axes": [1, 2], "keepdims": 0}),
    ("Unsqueeze", "sums", "logits", {"axes": [1]}),
)
# The first word's number as the logit, twice: what a classifier of two labels would give.
_TWO_LABELS = (
    ("Cast", "input_ids", "numbers", {"to": _FLOAT}),
    ("ReduceSum", "numbers", "sums", {"axes": [1], "keepdims": 1}),
    ("Concat", "sums sums", "logits", {"axis": 1}),
)
_SEVEN_TOKENS = (
    ("Split", "input_ids", "front back", {"axis": 1, "split": [4, 3]}),
    ("Cast", "front", "numbers", {"to": _FLOAT}),
    ("ReduceSum", "numbers", "logits", {"axes": [1], "keepdims": 1}),
)


def write_cross_encoder(folder: Path, vocabulary: Sequence[str]) -> Path:
    """Folder with a cross-encoder whose logit is the number of words that the texts share.

    The end of each text counts as one shared word, so that a logit is at least 1.
    """
    return _write(folder, _model(INPUTS, _SHARED_WORDS), vocabulary)


def write_classifier(folder: Path) -> Path:
    """Folder with a model that gives two numbers for a pair."""
    return _write(folder, _model(INPUTS[:1], _TWO_LABELS), ())


def write_model_of_seven(folder: Path) -> Path:
    """Folder with a model that gives one number for a pair of seven tokens, and fails on others."""
    return _write(folder, _model(INPUTS[:1], _SEVEN_TOKENS), ())


def write_model_of(folder: Path, name: str) -> Path:
    """Folder with a model that has one input of another name."""
    return _write(folder, _model([name], [("Cast", name, "logits", {"to": _FLOAT})]), ())


def _write(folder: Path, model: bytes, vocabulary: Sequence[str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(model)
    words = {word: number for number, word in enumerate(("[UNK]", "[CLS]", "[SEP]", *vocabulary))}
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = Lowercase(), Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


Node = tuple[str, str, str, dict[str, int | list[int]]]


def _model(inputs: Sequence[str], nodes: Sequence[Node]) -> bytes:
    graph = b"".join(_field(1, each) for each in starmap(_node, nodes)) + _field(2, b"graph")
    graph += b"".join(_field(11, _value(name, _INT64)) for name in inputs)
    graph += _field(12, _value("logits", _FLOAT))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 11))


def _node(kind: str, inputs: str, outputs: str, attributes: dict[str, int | list[int]]) -> bytes:
    made = b"".join(_field(1, name.encode()) for name in inputs.split())
    made += b"".join(_field(2, name.encode()) for name in outputs.split())
    made += _field(4, kind.encode())
    for name, value in attributes.items():
        many = value if isinstance(value, list) else []
        held = b"".join(_field(8, one) for one in many) if many else _field(3, value)
        made += _field(5, _field(1, name.encode()) + held + _field(20, 7 if many else 2))
    return made


def _value(name: str, kind: int) -> bytes:
    return _field(1, name.encode()) + _field(2, _field(1, _field(1, kind)))


def _field(number: int, value: int | bytes) -> bytes:
    """A field of a message: a whole number, or bytes with their length before them."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])
