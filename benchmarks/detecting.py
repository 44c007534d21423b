"""How well the detector tells prompts that ask for something remembered from others.

    python -m benchmarks.detecting [--json] PATH...

A set is a file with one JSON object a line: `text`, `recall` (true or false), and
`src`, the source that it comes from. Nothing is told to the detector but the prompt.
"""

from __future__ import annotations

import time
from collections import defaultdict
from pathlib import Path

import msgspec

from benchmarks.report import arguments, table
from mnemolog.recall.detector import Detection, detect

LIMITS = (
    "prompts in other languages than English; what a prompt asks for in the midst of a talk; "
    "other sources than these, which were looked at while the rules were written, so expect less "
    "elsewhere. Labels go by source, so a few are wrong."
)
BANDS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9)
"""Where bands of confidence begin."""


class Prompt(msgspec.Struct, frozen=True):
    """A labelled prompt."""

    text: str
    recall: bool
    src: str


class Source(msgspec.Struct, frozen=True):
    """How many prompts of a source there are, and how many were taken for recall."""

    name: str
    recall: bool
    prompts: int
    taken: int


class Band(msgspec.Struct, frozen=True):
    """Prompts whose confidence is from `begins` on: how many, and how many are recall."""

    begins: float
    prompts: int
    recall: int


class Figures(msgspec.Struct, frozen=True):
    """A set's figures: by source, by confidence, and microseconds of CPU time a prompt."""

    name: str
    sources: tuple[Source, ...]
    bands: tuple[Band, ...]
    micros: float


def measure(path: Path) -> Figures:
    """The figures of a set."""
    decoder = msgspec.json.Decoder(Prompt)
    prompts = [decoder.decode(line) for line in path.read_bytes().splitlines() if line.strip()]
    detect("warm up")
    began = time.process_time()
    found = [detect(prompt.text) for prompt in prompts]
    micros = (time.process_time() - began) / len(prompts) * 1e6
    return Figures(path.parent.name, _by_source(prompts, found), _by_band(prompts, found), micros)


def _by_source(prompts: list[Prompt], found: list[Detection]) -> tuple[Source, ...]:
    taken: dict[tuple[bool, str], list[bool]] = defaultdict(list)
    for prompt, detection in zip(prompts, found, strict=True):
        taken[not prompt.recall, prompt.src].append(detection.recall)
    return tuple(
        Source(name, not other, len(each), sum(each))
        for (other, name), each in sorted(taken.items())
    )


def _by_band(prompts: list[Prompt], found: list[Detection]) -> tuple[Band, ...]:
    labels: dict[float, list[bool]] = {begins: [] for begins in BANDS}
    for prompt, detection in zip(prompts, found, strict=True):
        begins = max(begin for begin in BANDS if begin <= detection.confidence)
        labels[begins].append(prompt.recall)
    return tuple(Band(begins, len(each), sum(each)) for begins, each in labels.items())


def markdown(figures: Figures) -> str:
    """A set's figures as Markdown."""
    rows = [
        [
            source.name,
            "recall" if source.recall else "other",
            str(source.prompts),
            _percent(source.taken, source.prompts),
        ]
        for source in figures.sources
    ]
    for label, recall in (("recall", True), ("other", False)):
        each = [source for source in figures.sources if source.recall == recall]
        prompts, taken = sum(s.prompts for s in each), sum(s.taken for s in each)
        rows.append(["all", label, str(prompts), _percent(taken, prompts)])
    bands = [
        [f"from {band.begins}", str(band.prompts), _percent(band.recall, band.prompts)]
        for band in figures.bands
    ]
    return "\n".join(
        [
            f"### {figures.name}",
            "",
            f"{figures.micros:.0f} µs of CPU time a prompt.",
            "",
            table(("source", "label", "prompts", "taken for recall, %"), rows),
            "",
            "What a confidence is worth:",
            "",
            table(("confidence", "prompts", "labelled recall, %"), bands),
        ]
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def main() -> None:
    """Measure the sets given on the command line and print the figures."""
    parser = arguments("Measure the detector of prompts that ask for something remembered.")
    parser.add_argument("sets", metavar="PATH", nargs="+", type=Path, help="a set's file")
    given = parser.parse_args()
    found = [measure(path) for path in given.sets]
    if given.json:
        print(msgspec.json.encode(found).decode())
        return
    print(f"## Detecting recall\n\nWhat this does not show: {LIMITS}")
    for figures in found:
        print(f"\n{markdown(figures)}")


if __name__ == "__main__":
    main()
