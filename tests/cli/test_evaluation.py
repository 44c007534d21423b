"""Measuring a labelled set on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.evaluation.labelled_sets import write_set

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


def test_a_set_is_measured_side_by_side(cli: CommandLine, tmp_path: Path) -> None:
    """A table for a person, and JSON with the same figures for programs; no home is touched."""
    folder = write_set(tmp_path / "small")
    work = tmp_path / "work"
    given = ("eval", folder, "--strategy", "keyword", "--against", "hybrid", "--work", work)
    shown = cli(*given).stdout
    assert shown.startswith(
        "small, keyword against hybrid: 4 queries, 1 without an answer, on 7 texts in 2 scopes\n"
    )
    assert "recall@10\t1.000 [1.000, 1.000]\t" in shown
    assert "single\tkeyword\t" in shown
    answer = cli.json(*given)
    assert answer["measures"]["all"]["keyword"]["recall@10"]["mean"] == 1.0
    assert answer["differences"]["all"]["recall@10"]["queries"] == 3
    assert not cli.home.exists()


def test_a_malformed_set_is_bad_input(cli: CommandLine, tmp_path: Path) -> None:
    """The error names file and line."""
    folder = write_set(tmp_path / "small")
    (folder / "qrels.tsv").write_text("q1\tg1\n")
    error = cli.failure("eval", folder, code=2)
    assert (error["class"], error["line"]) == ("MalformedSet", 1)
    cli("eval", tmp_path / "nowhere", code=2)
