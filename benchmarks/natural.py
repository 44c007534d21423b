"""Texts that replace nothing, each with those nearest to it, for training the judge of pairs.

Most of what people say changes nothing that is stored, however near it is: two notes on one dog,
two turns of a talk about holidays. A judge that was trained on changes and near-misses alone finds
something to replace for every second of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import msgspec

from benchmarks.answering import Asked, stores_of
from benchmarks.judging import Change
from mnemolog import MiniLM
from mnemolog.indexes.columns import Floats

_NEAREST = 4
_SAMPLE = 2_000  # Texts of each kind that are mixed with those of others
# Above these cosines two texts may say the same, or two people's statements contradict.
_SAME_TALK, _OTHER_PEOPLE = 0.9, 0.5


class Message(msgspec.Struct, frozen=True):
    """Turn of a conversation."""

    who: str
    text: str


class Conversation(msgspec.Struct, frozen=True):
    """Conversation, and questions asked later; what holds a part of an answer answers."""

    messages: list[Message]
    cues: list[Asked]


class Statement(msgspec.Struct, frozen=True):
    """Statement by one of many people."""

    text: str


def natural_stores(cues: Path, talks: Path, statements: Path, model: MiniLM) -> list[Change]:
    """Texts among the nearest of their store, talk, or of what other people said; no target.

    `cues` are stores of notes that all hold, `talks` conversations, `statements` by many people.
    """
    chance = random.Random(0)
    notes = [store.notes for store in stores_of(cues)]
    talk, said = msgspec.json.Decoder(Conversation), msgspec.json.Decoder(Statement)
    turns = [
        texts
        for messages in (talk.decode(line).messages for line in talks.read_bytes().splitlines())
        for texts in (
            [one.text for one in messages],
            [f"{one.who}: {one.text}" for one in messages],
        )
    ]
    found = [one for texts in notes for one in _among(model.embed(texts), texts, 1.0)]
    found += [one for texts in turns for one in _among(model.embed(texts), texts, _SAME_TALK)]
    pools = (
        [said.decode(line).text for line in statements.read_bytes().splitlines()],
        [*chain(*notes)],
        [*chain(*turns)],
    )
    mixed = [one for pool in pools for one in chance.sample(pool, min(_SAMPLE, len(pool)))]
    return [*found, *_among(model.embed(mixed), mixed, _OTHER_PEOPLE)]


def _among(vectors: Floats, texts: Sequence[str], most: float) -> Iterator[Change]:
    """Texts with the nearest others, none nearer than a cosine of `most`."""
    for text, vector in zip(texts, vectors, strict=True):
        near = vectors @ vector
        order = (texts[place] for place in (-near).argsort() if near[place] <= most)
        others = [*islice((one for one in order if one != text), _NEAREST)]
        if others:
            yield Change(others, text, None, writer=-1)
