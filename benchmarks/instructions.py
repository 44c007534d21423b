"""How well standing instructions are told from what resembles them; fits the weights.

    python -m benchmarks.instructions [--json] [--write FILE] INSTRUCTIONS STATEMENTS

INSTRUCTIONS is a file with one JSON object a line: `text`, `class` (`instruction`, `none`, or
`unclear` for what is left out) and `writer`; STATEMENTS has other texts in the same form. A
third of those are taken for none. Each writer of at least five instructions is recognised with
weights fitted to all others, the rest of STATEMENTS with weights fitted to everything else. With
`--write`, these weights are written to a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec.structs import replace

from benchmarks.likeness import Embedded, Statement, packed, share, statements_of
from benchmarks.report import arguments, table
from mnemolog.policies.constraints.instructions import (
    INSTRUCTS,
    INSTRUCTS_BY_WORDS,
    MAY_INSTRUCT,
    instruction_grams,
)
from mnemolog.policies.constraints.likeness import LikenessWeights, likeness, word_likeness
from mnemolog.policies.constraints.recognition import clause_texts

LIMITS = (
    "other languages than English; wordings that no writer would think of; a person's own "
    "judgement of what is meant for good, which differs from the labels."
)
_INSTRUCTION, _NONE, _UNCLEAR = "instruction", "none", "unclear"
_FITTED_SHARE = 3  # one in so many statements is fitted to
_LEAST = 5


class Writer(msgspec.Struct, frozen=True):
    """Shares found of one writer's instructions, and taken of the others.

    `found` and `taken` with the built-in embedder, `by_words` and `taken_by_words` without.
    """

    name: str
    instructions: int
    others: int
    found: float
    taken: float
    by_words: float
    taken_by_words: float


def texts_of(instructions: Path, statements: Path) -> tuple[list[Statement], list[Statement]]:
    """Labelled texts to fit to, and ordinary statements beside them."""
    labelled = statements_of(instructions)
    known = {one.text for one in labelled}
    others = [
        replace(one, constraint_class=_NONE)
        for one in statements_of(statements)
        if one.text not in known
    ]
    kept = [one for one in labelled if one.constraint_class != _UNCLEAR]
    rest = [one for place, one in enumerate(others) if place % _FITTED_SHARE]
    return [*kept, *others[::_FITTED_SHARE]], rest


def measured(
    name: str, statements: Sequence[Statement], embedded: Embedded, weights: LikenessWeights
) -> Writer:
    """Shares of instructions found and of others taken, among statements."""
    instructing = np.array([one.constraint_class == _INSTRUCTION for one in statements])
    words, whole = np.array([_likeness(one.text, embedded, weights) for one in statements]).T
    taken, by_words = whole > INSTRUCTS, words > INSTRUCTS_BY_WORDS
    return Writer(
        name=name,
        instructions=int(instructing.sum()),
        others=int((~instructing).sum()),
        found=share(taken[instructing]),
        taken=share(taken[~instructing]),
        by_words=share(by_words[instructing]),
        taken_by_words=share(by_words[~instructing]),
    )


def _likeness(text: str, embedded: Embedded, weights: LikenessWeights) -> tuple[float, float]:
    """Likeness by words, and by everything where the words do not rule it out, of a text."""
    found = [(-1.0, -1.0)]
    for one in clause_texts(text):
        words = word_likeness(one, weights, instruction_grams)
        if not one.endswith("?") and words > MAY_INSTRUCT:
            near = likeness(one, embedded.vectors[one], weights, instruction_grams)
            found.append((words, float(near[0])))
    return max(each[0] for each in found), max(each[1] for each in found)


def left_out(embedded: Embedded, rest: Sequence[Statement]) -> list[Writer]:
    """How each writer's texts are recognised without having been fitted to, and the rest."""
    counts = Counter(
        one.writer for one in embedded.statements if one.constraint_class == _INSTRUCTION
    )
    found = []
    for name in sorted(name for name, count in counts.items() if count >= _LEAST):
        others = [one for one in embedded.statements if one.writer != name]
        own = [one for one in embedded.statements if one.writer == name]
        found.append(measured(name, own, embedded, embedded.fitted(others)))
    ordinary = Embedded(rest, (), instruction_grams)
    weights = embedded.fitted(embedded.statements)
    return [*found, measured("the rest of the statements", rest, ordinary, weights)]


def markdown(writers: Sequence[Writer]) -> str:
    """The figures as Markdown."""
    header = (
        "writer", "instructions", "found, %", "by words, %", "others", "taken, %", "by words, %"
    )  # fmt: skip
    rows = [
        [
            one.name, str(one.instructions), f"{100 * one.found:.1f}", f"{100 * one.by_words:.1f}",
            str(one.others), f"{100 * one.taken:.1f}", f"{100 * one.taken_by_words:.1f}",
        ]
        for one in writers
    ]  # fmt: skip
    return table(header, rows)


def main() -> None:
    """Measure, or fit and write, the texts given on the command line."""
    parser = arguments("Measure how standing instructions are recognised.")
    parser.add_argument("instructions", type=Path, help="a file of labelled instructions")
    parser.add_argument("statements", type=Path, help="a file of other statements")
    parser.add_argument("--write", type=Path, metavar="FILE", help="where to write the weights")
    given = parser.parse_args()
    texts, rest = texts_of(given.instructions, given.statements)
    embedded = Embedded(texts, (), instruction_grams)
    if given.write is not None:
        given.write.write_bytes(packed(embedded.fitted(embedded.statements)))
        return
    writers = left_out(embedded, rest)
    if given.json:
        print(msgspec.json.encode(writers).decode())
        return
    print(
        f"## Recognising instructions\n\nWhat this does not show: {LIMITS}\n\n{markdown(writers)}"
    )


if __name__ == "__main__":
    main()
