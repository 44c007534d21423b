"""Training of the model that reads notes, written as ONNX with int8 weights.

    python -m benchmarks.note_training --base DIR CUES CHANGES TALKS SERIES MODEL

It needs torch, transformers and onnx, which no other program of the project needs, and takes
about an hour on two cores. DIR is the folder of ms-marco-MiniLM-L-12-v2 (Apache-2.0), as for
`benchmarks.training`, whose last layer is trained on. CUES are stores of notes with questions
(`benchmarks/cues.jsonl`), CHANGES stores with a question that one of the notes answers
(`benchmarks/changes.jsonl`), TALKS conversations with questions (`benchmarks/talks.jsonl`), SERIES
dated notes with questions for the first or last of those on a subject (`benchmarks/series.jsonl`).
The shipped model has seen the stores 1 to 343, 430 to 819 and 868 to 1359 of CUES alone, so that
`python -m benchmarks.answering` can measure with the others.

The model reads a question and a note together. The loss of a question is that of the choice of a
note that answers it, or of none, and of each note alone. Of a third of the questions the answers
are left out, so that none is right, however the question is worded; an eighth is read with notes
of other stores alone, a sixth with two of them among the others. Turns of talk say a part of
an answer at best, so that "none" is no choice there. A question for the first or last of a series
is read without these words, so that all notes on its subject answer, and each is to be likelier
than all others.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, softplus
from transformers import AutoTokenizer

from benchmarks.answering import Asked, stores_of
from benchmarks.dating import Said
from benchmarks.judging import Change, changes_of
from benchmarks.natural import Conversation
from benchmarks.training import Descent, encoder_of, fit, logits_of, weights_of, write
from mnemolog import MiniLM
from mnemolog.indexes.columns import Floats
from mnemolog.ledger.clock import Micros
from mnemolog.recall.cues import read_cue, subject_of, when_was

_STEPS, _RATE, _HEAD_RATE, _WARM = 900, 5e-5, 3, 30
_OF_CUES, _OF_CHANGES, _OF_TALK, _OF_SERIES = 8, 4, 3, 4  # Questions a step
_NEAREST, _FURTHER, _AMONG = 2, 2, 12  # Other texts read with a question, by likeness
_LEFT_OUT, _SOFT = 0.3, 0.02
# Shares of questions read with notes of other stores alone, and with a few of them. The ten
# nearest are skipped: they may answer.
_AWAY_ALONE, _AWAY_AMONG, _AWAY_FEW, _AWAY = 0.12, 0.18, 2, slice(10, 60)


class AskedOfSeries(msgspec.Struct, frozen=True):
    """Question for one note of a series, its topic, and the event from which it counts, if any."""

    cue: str
    topic: str
    series: list[int]
    event: str | None = None
    event_note: int | None = None


class SeriesStore(msgspec.Struct, frozen=True):
    """Dated notes with several series among them, and questions asked on a later day."""

    now: date
    notes: list[Said]
    cues: list[AskedOfSeries]


class Case(NamedTuple):
    """Question, texts that answer it, and others, the nearest first; `of` is what they are from.

    `away` are texts of other stores that are somewhat near the question.
    """

    question: str
    right: Sequence[str]
    others: Sequence[str]
    of: Literal["notes", "talk", "series"] = "notes"
    away: Sequence[str] = ()


class NoteModel(torch.nn.Module):
    """Cross-encoder with the base's own last layers, which give one logit."""

    def __init__(self, base: str) -> None:
        """Load the encoder and its last layers; the embeddings of tokens are not trained."""
        super().__init__()
        weights = weights_of(Path(base) / "model.onnx")
        self.encoder = encoder_of(weights)
        width = self.encoder.config.hidden_size
        self.drop = torch.nn.Dropout(0.1)
        self.dense, self.out = torch.nn.Linear(width, width), torch.nn.Linear(width, 1)
        for layer, name in ((self.dense, "pooler.dense"), (self.out, "classifier")):
            layer.load_state_dict(
                {"weight": weights[f"{name}.weight"], "bias": weights[f"{name}.bias"]}
            )

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """Logits of the chance that the second text answers the first, of shape (pairs, 1)."""
        given = {"attention_mask": attention_mask, "token_type_ids": token_type_ids}
        first = self.encoder(input_ids=input_ids, **given).last_hidden_state[:, 0]
        return self.out(self.drop(torch.tanh(self.dense(first))))


def cases_of_cues(file: Path, model: MiniLM) -> Iterator[Case]:
    """Questions to stores of notes, each with notes of other stores."""
    stores = stores_of(file)
    texts = [text for store in stores for text in store.notes]
    owners = np.repeat(np.arange(len(stores)), [len(store.notes) for store in stores])
    vectors = model.embed(texts)
    for number, store in enumerate(stores):
        elsewhere = np.flatnonzero(owners != number)
        asked = model.embed([one.cue for one in store.cues])
        likeness, near = asked @ vectors[owners == number].T, asked @ vectors[elsewhere].T
        cases = _nearest_first(likeness, store.notes, store.cues)
        for case, cosines in zip(cases, near, strict=True):
            places = elsewhere[(-cosines).argsort()[_AWAY]]
            yield case._replace(away=[texts[place] for place in places])


def cases_of_changes(changes: Sequence[Change]) -> Iterator[Case]:
    """Questions to the stores of changes: the old memory and the new sentence answer them."""
    for one in changes:
        if one.target is not None:
            old, texts = one.target, [one.memories[one.target], one.sentence]
        else:
            holding = [at for at, text in enumerate(one.memories) if one.answer in text]
            if len(holding) != 1 or not one.answer:
                continue
            old, texts = holding[0], [one.memories[holding[0]]]
        others = [text for at, text in enumerate(one.memories) if at != old]
        yield Case(one.cue, texts, others)


def cases_of_talk(file: Path, model: MiniLM) -> Iterator[Case]:
    """Questions to conversations, with the speakers' names before what they say and without."""
    talks = msgspec.json.Decoder(Conversation)
    for talk in map(talks.decode, file.read_bytes().splitlines()):
        asked = [one for one in talk.cues if one.answers]
        for texts in (
            [one.text for one in talk.messages],
            [f"{one.who}: {one.text}" for one in talk.messages],
        ):
            cases = _nearest_first(_likeness(model, asked, texts), texts, asked)
            yield from (one._replace(of="talk") for one in cases)


def cases_of_series(file: Path, model: MiniLM) -> Iterator[Case]:
    """Questions for a series without their order and time, and questions for events."""
    stores = msgspec.json.Decoder(SeriesStore)
    for store in map(stores.decode, file.read_bytes().splitlines()):
        now = datetime.combine(store.now, time(18), UTC)
        asked: list[Asked] = []
        for one in store.cues:
            reading = read_cue(one.cue, Micros(int(now.timestamp() * 1_000_000)))
            subject = subject_of(one.cue, reading.span)
            asked += [Asked(text, one.series) for text in (subject, one.topic) if text]
            if one.event is not None and one.event_note is not None:
                asked.append(Asked(when_was(one.event), [one.event_note]))
        texts = [one.text for one in store.notes]
        cases = _nearest_first(_likeness(model, asked, texts), texts, asked)
        yield from (one._replace(of="series") for one in cases)


def _likeness(model: MiniLM, asked: Sequence[Asked], texts: Sequence[str]) -> Floats:
    return model.embed([one.cue for one in asked]) @ model.embed(texts).T


def _nearest_first(
    likeness: Floats, texts: Sequence[str], asked: Sequence[Asked]
) -> Iterator[Case]:
    for one, near in zip(asked, likeness, strict=True):
        order = [int(place) for place in (-near).argsort() if place not in one.answers]
        others = [texts[place] for place in order[:_AMONG]]
        yield Case(one.cue, [texts[place] for place in one.answers], others)


def trained(
    base: str,
    cues: Sequence[Case],
    changes: Sequence[Case],
    talk: Sequence[Case],
    series: Sequence[Case],
) -> NoteModel:
    """Model trained on questions of four kinds."""
    chance = random.Random(0)
    torch.manual_seed(0)
    tokenizer, model = AutoTokenizer.from_pretrained(base), NoteModel(base)
    sources = (
        (cues, _OF_CUES),
        (changes, _OF_CHANGES),
        (talk, _OF_TALK),
        (series, _OF_SERIES),
    )

    def chosen() -> list[Case]:
        drawn = [one for cases, count in sources for one in chance.sample(cases, count)]
        return [_shortened(one, chance) for one in drawn]

    losses = (_loss(model, tokenizer, chosen()) for _ in range(_STEPS))
    fit(model, losses, Descent(_STEPS, _WARM, _RATE, _HEAD_RATE * _RATE))
    return model


def _shortened(case: Case, chance: random.Random) -> Case:
    """Case with at most two answers, of a series four, now and then none, and some other texts."""
    far = case.others[_NEAREST:]
    others = [*case.others[:_NEAREST], *chance.sample(far, min(_FURTHER, len(far)))]
    right = chance.sample(case.right, min(4 if case.of == "series" else 2, len(case.right)))
    if case.of == "notes" and chance.random() < _LEFT_OUT:
        right = []
    if len(case.away) >= _NEAREST + _FURTHER:
        drawn = chance.random()
        if drawn < _AWAY_ALONE:
            right, others = [], chance.sample(case.away, _NEAREST + _FURTHER)
        elif drawn < _AWAY_ALONE + _AWAY_AMONG:
            others = [*others[:-_AWAY_FEW], *chance.sample(case.away, _AWAY_FEW)]
    return case._replace(right=right, others=others)


def _loss(model: NoteModel, tokenizer: AutoTokenizer, cases: Sequence[Case]) -> torch.Tensor:
    pairs = [(one.question, text) for one in cases for text in (*one.right, *one.others)]
    logits = logits_of(model, tokenizer, *zip(*pairs, strict=True))[:, 0]
    loss, at = torch.zeros(()), 0
    for one in cases:
        right, texts = len(one.right), len(one.right) + len(one.others)
        here, at = logits[at : at + texts], at + texts
        labels = torch.full((texts,), _SOFT)
        labels[:right] = 1 - _SOFT
        alone = binary_cross_entropy_with_logits(here, labels)
        if one.of == "talk":
            loss = loss + alone / 2 - here.log_softmax(0)[:right].logsumexp(0)
        elif one.of == "series":
            apart = softplus(here[right:].logsumexp(0) - here[:right]).mean()
            loss = loss + 1.5 * alone + 0.7 * apart
        else:
            choice = torch.cat([here, torch.zeros(1)]).log_softmax(0)
            loss = loss + 2 * alone - (choice[:right].logsumexp(0) if right else choice[-1])
    return loss / len(cases)


def main() -> None:
    """Train on the files given on the command line, and write the model."""
    parser = argparse.ArgumentParser(description="Train the model that reads notes.")
    parser.add_argument("--base", required=True, help="the folder of ms-marco-MiniLM-L-12-v2")
    for name in ("cues", "changes", "talks", "series", "model"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    model = MiniLM()
    cases = (
        [*cases_of_cues(given.cues, model)],
        [*cases_of_changes(changes_of(given.changes))],
        [*cases_of_talk(given.talks, model)],
        [*cases_of_series(given.series, model)],
    )
    write(trained(given.base, *cases), given.model)


if __name__ == "__main__":
    main()
