"""How well lasting facts are told from what passes, by writer; fits the weights.

    python -m benchmarks.lasting [--json] [--write FILE] STATEMENTS

STATEMENTS is a file with one JSON object a line: `text`, `class` (`lasting` or `none`) and
`writer`. Each writer's statements are recognised with weights fitted to all others', by
the built-in embedder and by words alone. With `--write`, weights fitted to all of them are
written to a file.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from benchmarks.likeness import Embedded, Statement, packed, share, statements_of
from benchmarks.report import arguments, table
from mnemolog.policies.constraints.likeness import (
    LASTS,
    LASTS_BY_WORDS,
    MAY_LAST,
    SURELY_LASTS,
    LikenessWeights,
    likeness,
    word_likeness,
)
from mnemolog.policies.constraints.recognition import clause_texts

LIMITS = (
    "other languages than English; statements that no writer would think of; a person's own "
    "judgement of what lasts, which differs from the labels."
)


class Writer(msgspec.Struct, frozen=True):
    """Shares found of one writer's statements: of lasting facts, and of the others.

    `found` and `wrong` with the built-in embedder, `by_words` and `wrong_by_words` without.
    """

    name: str
    lasting: int
    others: int
    found: float
    wrong: float
    by_words: float
    wrong_by_words: float


def left_out(embedded: Embedded) -> list[Writer]:
    """How each writer's statements are recognised with weights fitted to the others'."""
    found = []
    for name in sorted({one.writer for one in embedded.statements}):
        others = [one for one in embedded.statements if one.writer != name]
        own = [one for one in embedded.statements if one.writer == name]
        found.append(_measured(name, own, embedded, embedded.fitted(others)))
    return found


def _measured(
    name: str, statements: list[Statement], embedded: Embedded, weights: LikenessWeights
) -> Writer:
    lasting = np.array([one.constraint_class != "none" for one in statements])
    words = np.array([
        max(word_likeness(each, weights) for each in clause_texts(one.text)) for one in statements
    ])  # fmt: skip
    whole = np.array([
        max(float(likeness(each, embedded.vectors[each], weights)[0])
            for each in clause_texts(one.text))
        for one in statements
    ])  # fmt: skip
    taken = (words > SURELY_LASTS) | ((words > MAY_LAST) & (whole > LASTS))
    by_words = words > LASTS_BY_WORDS
    return Writer(
        name=name,
        lasting=int(lasting.sum()),
        others=int((~lasting).sum()),
        found=share(taken[lasting]),
        wrong=share(taken[~lasting]),
        by_words=share(by_words[lasting]),
        wrong_by_words=share(by_words[~lasting]),
    )


def markdown(writers: list[Writer]) -> str:
    """The figures as Markdown."""
    header = ("writer", "lasting", "found, %", "by words, %", "others", "taken, %", "by words, %")
    rows = [
        [
            one.name, str(one.lasting), f"{100 * one.found:.1f}", f"{100 * one.by_words:.1f}",
            str(one.others), f"{100 * one.wrong:.1f}", f"{100 * one.wrong_by_words:.1f}",
        ]
        for one in writers
    ]  # fmt: skip
    return table(header, rows)


def main() -> None:
    """Measure, or fit and write, the statements given on the command line."""
    parser = arguments("Measure how lasting facts are recognised by likeness to others.")
    parser.add_argument("statements", type=Path, help="a file of labelled statements")
    parser.add_argument("--write", type=Path, metavar="FILE", help="where to write the weights")
    given = parser.parse_args()
    embedded = Embedded(statements_of(given.statements), classes=())
    if given.write is not None:
        given.write.write_bytes(packed(embedded.fitted(embedded.statements)))
        return
    writers = left_out(embedded)
    if given.json:
        print(msgspec.json.encode(writers).decode())
        return
    print(
        f"## Recognising lasting facts\n\nWhat this does not show: {LIMITS}\n\n{markdown(writers)}"
    )


if __name__ == "__main__":
    main()
