"""Training of the model that reads options of plans, written as ONNX with int8 weights.

    python -m benchmarks.plan_training --base DIR JUDGE PLANS MODEL [--leave-out WRITER ...]

It needs torch, transformers and onnx, which no other program of the project needs, and takes an
hour and a half on two cores. DIR has the tokenizer of ms-marco-MiniLM-L-12-v2. The encoder starts
as that of JUDGE, the model of pairs as ONNX (`mnemolog/indexes/pairs.onnx`), which knows what
speaks against what. PLANS are notes with a goal and options, and for each option the places of the
notes that it breaks (`benchmarks/plans.jsonl`). The writers left out are not trained on. The
shipped model has not seen 5 and 6, by which the weights of rules and model were chosen, 36 and 37,
nor those that `python -m benchmarks.planning` measures with. What 38 to 45 wrote are single limits
with options that break or respect them, of which half say something of themselves.

The model reads an option, with notes about it and the goal, together with a note that may be a
limit. Its loss is that of each such pair, and for each limit that of choosing the options that
break it among all: without the second, it learns which notes are limits, and no more. Notes about
an option are found as in the product, so that the model learns to do without those that are missed.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, softplus
from transformers import AutoTokenizer

from benchmarks.planning import Case, cases_of
from benchmarks.training import Descent, PairModel, fit, logits_of, weights_of, write
from mnemolog import MiniLM
from mnemolog.language.analysis import Analyzer
from mnemolog.recall.option_evidence import PlanTexts, notes_about, pair_to_read, read_with

_STEPS, _RATE, _HEAD_RATE, _WARM, _CASES = 1500, 1.3e-4, 4, 30, 6
_LIMITS, _OTHER, _SOFT, _CHOICE, _TOKENS = 2, 0.6, 0.02, 0.5, 128


class KnownCase(NamedTuple):
    """Case with its texts, and for each option the places of the notes about it."""

    case: Case
    texts: PlanTexts
    about: Sequence[Sequence[int]]


class OptionPair(NamedTuple):
    """Option as it is read, a note, whether it breaks it, and the place of the note."""

    option: str
    note: str
    breaks: bool
    place: int


def known_cases(cases: Iterable[Case], model: MiniLM) -> list[KnownCase]:
    """Cases with what is known of their options."""
    analyzer, found = Analyzer(), []
    for one in cases:
        cosines = model.embed([one.goal, *one.options]) @ model.embed(one.notes).T
        texts = PlanTexts(one.goal, one.options, one.notes, cosines)
        found.append(KnownCase(one, texts, notes_about(texts, analyzer)))
    return found


def trained(base: str, judge: Path, cases: Sequence[KnownCase]) -> PairModel:
    """Model trained on cases."""
    chance = random.Random(0)
    torch.manual_seed(0)
    tokenizer, model = AutoTokenizer.from_pretrained(base), PairModel(weights_of(judge), outputs=1)

    def loss() -> torch.Tensor:
        chosen = [_pairs(one, chance) for one in chance.sample(cases, _CASES)]
        texts = [(one.option, one.note) for each in chosen for one in each]
        logits = logits_of(model, tokenizer, *zip(*texts, strict=True), tokens=_TOKENS)[:, 0]
        parts = logits.split([len(each) for each in chosen])
        labels = torch.tensor([float(one.breaks) for each in chosen for one in each])
        alone = binary_cross_entropy_with_logits(logits, labels * (1 - 2 * _SOFT) + _SOFT)
        choices = [one for each in zip(chosen, parts, strict=True) for one in _choices(*each)]
        return alone + _CHOICE * torch.stack(choices).mean()

    fit(model, (loss() for _ in range(_STEPS)), Descent(_STEPS, _WARM, _RATE, _HEAD_RATE * _RATE))
    return model


def _pairs(known: KnownCase, chance: random.Random) -> list[OptionPair]:
    """Each option with some limits of the case, and now and then with a note that is none."""
    case, found = known.case, []
    limits = sorted({place for each in case.blames for place in each})
    others = [place for place in range(len(case.notes)) if place not in limits]
    chosen = chance.sample(limits, min(_LIMITS, len(limits)))
    for option, blamed in enumerate(case.blames):
        further = [chance.choice(others)] if others and chance.random() < _OTHER else []
        for place in chosen + further:
            about = read_with(known.about[option], place)
            texts = pair_to_read(known.texts, option, about, place)
            found.append(OptionPair(*texts, place in blamed, place))
    return found


def _choices(pairs: Sequence[OptionPair], logits: torch.Tensor) -> Iterable[torch.Tensor]:
    """For each limit the loss of choosing an option that breaks it among those that do not."""
    places = np.array([one.place for one in pairs])
    breaks = np.array([one.breaks for one in pairs])
    for limit in np.unique(places):
        here = places == limit
        right, wrong = logits[here & breaks], logits[here & ~breaks]
        if len(right) and len(wrong):
            yield softplus(wrong.logsumexp(0) - right).mean()


def main() -> None:
    """Train on the files given on the command line, and write the model."""
    parser = argparse.ArgumentParser(description="Train the model that reads options of plans.")
    parser.add_argument("--base", required=True, help="the folder of ms-marco-MiniLM-L-12-v2")
    parser.add_argument("--leave-out", type=int, nargs="*", default=[], metavar="WRITER")
    for name in ("judge", "plans", "model"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    cases = [one for one in cases_of(given.plans) if one.writer not in given.leave_out]
    write(trained(given.base, given.judge, known_cases(cases, MiniLM())), given.model)


if __name__ == "__main__":
    main()
