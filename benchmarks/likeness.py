"""How well statements that limit something are told from others, by writer; fits the weights.

    python -m benchmarks.likeness [--json] [--write FILE] STATEMENTS

STATEMENTS is a file with one JSON object a line: `text`, `class` (one of the classes of
constraints, or `none`) and `writer`. Each writer's statements are recognised, sentence by
sentence, with weights fitted to all others', by the built-in embedder. With `--write`,
weights fitted to all of them are written to a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.report import arguments, table
from mnemolog.indexes.embedder import MiniLM
from mnemolog.policies.constraints.likeness import (
    WORDS_SHARE,
    Floats,
    Grams,
    LikenessWeights,
    grams,
    kernel,
    likely_class,
    may_limit,
    unpacked,
)
from mnemolog.policies.constraints.recognition import (
    CLASSES,
    clause_texts,
    constraint_class,
    gravest,
)

LIMITS = (
    "other languages than English; talk in which hardly anything limits, where the share of "
    "others that are taken counts for more; statements that no writer would think of."
)
_RIDGE = 0.5
_LANDMARKS = 2_000
_LEAST_TEXTS = 2
_TOLERANCE = 1e-4
_LEVELS = 127

Doubles = npt.NDArray[np.float64]


class Statement(msgspec.Struct, frozen=True, rename={"constraint_class": "class"}):
    """A labelled statement, and who wrote it."""

    text: str
    constraint_class: str
    writer: str


class Writer(msgspec.Struct, frozen=True):
    """What was found of one writer's statements: shares of constraints, or of the others.

    `found` and `wrong` by rules and likeness, `by_rules` and `wrong_by_rules` by rules
    alone; `passed` and `wrong_passed` may limit by their words; `classed` is the share
    of the constraints found whose class is that of the label.
    """

    name: str
    constraints: int
    others: int
    found: float
    wrong: float
    by_rules: float
    wrong_by_rules: float
    passed: float
    wrong_passed: float
    classed: float


def packed(weights: LikenessWeights) -> bytes:
    """Weights as a file: vectors in a byte a number, the rest in two."""
    scale = float(np.abs(weights.landmarks).max()) / _LEVELS
    halves = ("by_landmark", "rarity", "by_gram", "by_words")
    file = BytesIO()
    np.savez_compressed(
        file,
        classes=np.array(weights.classes),
        landmarks=np.round(weights.landmarks / scale).astype(np.int8),
        scale=np.float32(scale),
        grams=np.frombuffer("\n".join(weights.grams).encode(), np.uint8),
        **{name: getattr(weights, name).astype(np.float16) for name in halves},
    )
    return file.getvalue()


def fitted(
    texts: Sequence[str],
    vectors: Floats,
    labels: Sequence[str],
    classes: tuple[str, ...] = CLASSES,
    grams_of: Grams = grams,
) -> LikenessWeights:
    """Weights fitted to statements: kernel ridge regression, then the hardest as landmarks.

    The share of the kernel of meaning is carried over to the landmarks by the
    Nyström approximation.
    """
    found = [grams_of(text) for text in texts]
    known, rarity = _vocabulary(found)
    words = _words(found, known, rarity)
    targets = np.array(
        [[_sign(label != "none"), *(_sign(label == each) for each in classes)] for label in labels]
    )
    near = kernel(vectors @ vectors.T).astype(np.float64)
    alike = words @ words.T
    dual = _solved(near + WORDS_SHARE * alike, targets)
    hardest = np.sort(np.argsort(-np.abs(dual[:, 0]))[:_LANDMARKS])
    among = near[np.ix_(hardest, hardest)] + _TOLERANCE * np.eye(len(hardest))
    # Fitted again with what the landmarks can say, so that the words make up for the rest.
    across = np.linalg.solve(among, near[:, hardest].T)
    dual = _solved(near[:, hardest] @ across + WORDS_SHARE * alike, targets)
    return LikenessWeights(
        classes=classes,
        landmarks=vectors[hardest],
        by_landmark=(across @ dual).astype(np.float32),
        grams=known,
        rarity=rarity.astype(np.float32),
        by_gram=(WORDS_SHARE * words.T @ dual).astype(np.float32),
        by_words=(words.T @ _solved(alike, targets[:, :1]))[:, 0].astype(np.float32),
    )


def _sign(holds: bool) -> float:  # noqa: FBT001 - a label as a number
    return 1.0 if holds else -1.0


def _solved(matrix: Doubles, targets: Doubles) -> Doubles:
    solved: Doubles = np.linalg.solve(matrix + _RIDGE * np.eye(len(matrix)), targets)
    return solved


def _vocabulary(found: Sequence[frozenset[str]]) -> tuple[dict[str, int], Doubles]:
    """Grams of at least two texts, and their inverse document frequencies."""
    counts = Counter(gram for one in found for gram in one)
    known = sorted(gram for gram, count in counts.items() if count >= _LEAST_TEXTS)
    rarity = np.log([len(found) / counts[gram] for gram in known])
    return {gram: place for place, gram in enumerate(known)}, rarity


def _words(found: Sequence[frozenset[str]], known: dict[str, int], rarity: Doubles) -> Doubles:
    """Unit vectors of the texts' grams, of shape (texts, grams)."""
    rows = np.zeros((len(found), len(known)))
    for row, one in zip(rows, found, strict=True):
        places = [known[gram] for gram in one if gram in known]
        row[places] = rarity[places]
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


class Embedded:
    """Statements with the vectors of their sentences."""

    def __init__(
        self,
        statements: Sequence[Statement],
        classes: tuple[str, ...] = CLASSES,
        grams_of: Grams = grams,
    ) -> None:
        """Embed every sentence once."""
        self.statements = statements
        self._classes, self._grams_of = classes, grams_of
        said = sorted({each for one in statements for each in clause_texts(one.text)})
        self.vectors = dict(zip(said, MiniLM().embed(said), strict=True))

    def fitted(self, statements: Sequence[Statement]) -> LikenessWeights:
        """Weights fitted to the sentences of statements.

        Which sentence of several is the constraint is not labelled: those are left out.
        """
        pieces = {}
        for one in statements:
            said = clause_texts(one.text)
            if one.constraint_class == "none" or len(said) == 1:
                pieces.update(dict.fromkeys(said, one.constraint_class))
        vectors = np.array([self.vectors[each] for each in pieces])
        labels = list(pieces.values())
        weights = fitted(list(pieces), vectors, labels, self._classes, self._grams_of)
        return unpacked(packed(weights))

    def left_out(self) -> list[Writer]:
        """How each writer's statements are recognised with weights fitted to the others'."""
        found = []
        for name in sorted({one.writer for one in self.statements}):
            others = [one for one in self.statements if one.writer != name]
            own = [one for one in self.statements if one.writer == name]
            found.append(self._measured(name, own, self.fitted(others)))
        return found

    def _measured(
        self, name: str, statements: Sequence[Statement], weights: LikenessWeights
    ) -> Writer:
        limits = np.array([one.constraint_class != "none" for one in statements])
        ruled = np.array([constraint_class(one.text) is not None for one in statements])
        passed = np.array([
            any(may_limit(each, weights) for each in clause_texts(one.text)) for one in statements
        ])  # fmt: skip
        classes = [self._class_of(one.text, weights) for one in statements]
        taken = np.array([one is not None for one in classes])
        right = [
            one.constraint_class == each
            for one, each in zip(statements, classes, strict=True)
            if one.constraint_class != "none" and each is not None
        ]
        return Writer(
            name=name,
            constraints=int(limits.sum()),
            others=int((~limits).sum()),
            found=share(taken[limits]),
            wrong=share(taken[~limits]),
            by_rules=share(ruled[limits]),
            wrong_by_rules=share(ruled[~limits]),
            passed=share(passed[limits]),
            wrong_passed=share(passed[~limits]),
            classed=float(np.mean(right)) if right else 0.0,
        )

    def _class_of(self, text: str, weights: LikenessWeights) -> str | None:
        return gravest(
            likely_class(each, self.vectors[each], constraint_class(each), weights)
            for each in clause_texts(text)
            if constraint_class(each) is not None or may_limit(each, weights)
        )


def share(taken: npt.NDArray[np.bool_]) -> float:
    """Share of the texts that are taken, 0 of none."""
    return float(taken.mean()) if len(taken) else 0.0


def markdown(writers: Sequence[Writer]) -> str:
    """The figures as Markdown."""
    header = ("writer", "constraints", "found, %", "by rules, %", "class right, %", "may limit, %",
              "others", "taken, %", "by rules, %", "may limit, %")  # fmt: skip
    rows = [
        [
            one.name, str(one.constraints), *_percents(one.found, one.by_rules, one.classed),
            *_percents(one.passed), str(one.others),
            *_percents(one.wrong, one.wrong_by_rules, one.wrong_passed),
        ]
        for one in writers
    ]  # fmt: skip
    return table(header, rows)


def _percents(*shares: float) -> list[str]:
    return [f"{100 * share:.1f}" for share in shares]


def statements_of(file: Path) -> list[Statement]:
    """The labelled statements of a file, one JSON object a line."""
    decoder = msgspec.json.Decoder(Statement)
    return [decoder.decode(line) for line in file.read_bytes().splitlines() if line.strip()]


def main() -> None:
    """Measure, or fit and write, the statements given on the command line."""
    parser = arguments("Measure how constraints are recognised by likeness to others.")
    parser.add_argument("statements", type=Path, help="a file of labelled statements")
    parser.add_argument("--write", type=Path, metavar="FILE", help="where to write the weights")
    given = parser.parse_args()
    embedded = Embedded(statements_of(given.statements))
    if given.write is not None:
        given.write.write_bytes(packed(embedded.fitted(embedded.statements)))
        return
    writers = embedded.left_out()
    if given.json:
        print(msgspec.json.encode(writers).decode())
        return
    print(f"## Recognising constraints\n\nWhat this does not show: {LIMITS}\n\n{markdown(writers)}")


if __name__ == "__main__":
    main()
