"""Commands that answer with memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


@pytest.fixture
def port(cli: CommandLine) -> CommandLine:
    """A space that knows two things, one of them corrected."""
    cli("remember", "The port is 8080", "--tag", "net", "--source", "user:dana")
    cli("remember", "Ferrets sleep eighteen hours a day", "--kind", "episodic")
    cli("supersede", "@1", "The port is 9090", "--tag", "net", "--source", "user:dana")
    return cli


def test_hits_come_with_what_there_is_to_know(port: CommandLine) -> None:
    """A hit shows relevance, position and text, then its source and what it superseded."""
    first, *below = port("recall", "which port").stdout.splitlines()
    relevance, position, _, text = first.split("\t")
    assert 0 < float(relevance) <= 1
    assert (position, text) == ("@3", "The port is 9090")
    assert "user:dana" in below[0]
    assert "superseded @1" in below[1]
    assert "The port is 8080" in below[1]


def test_an_explained_hit_shows_its_ranks_and_scores(port: CommandLine) -> None:
    """`--explain` adds ranks, scores and the strategy."""
    shown = port("recall", "which port", "--explain").stdout
    assert "ranks: " in shown
    assert "scores: " in shown
    assert "strategy " in shown


def test_a_recall_as_json_has_the_names_of_the_library(port: CommandLine) -> None:
    """`--json` prints hits, constraints, conflicts, strategy and as_of."""
    answer = port.json("recall", "which port")
    assert {"hits", "constraints", "conflicts", "strategy", "as_of"} <= answer.keys()
    assert {"memory_id", "relevance", "explanation", "trail"} <= answer["hits"][0].keys()


def test_nothing_known_is_said(cli: CommandLine) -> None:
    """An empty answer is a sentence and no error."""
    cli("remember", "withdrawn at once")
    cli("withdraw", "@1")
    answer = cli.json("recall", "anything")
    assert answer["empty"] is True
    assert cli("recall", "anything").stdout == "No memories found.\n"


def test_questions_can_be_asked_of_the_past(port: CommandLine) -> None:
    """As of a position or a time, the answer is what was known then."""
    assert port.json("recall", "which port", "--as-of", 1)["hits"][0]["position"] == 1
    assert port.json("recall", "which port", "--as-of", "@2")["hits"][0]["position"] == 1
    then = port.json("show", "@1")["recorded_at"]
    assert len(port.json("list", "--as-of", then)["memories"]) == 1
    assert port.json("show", "@1", "--as-of", 1)["status"] == "active"
    assert port.json("show", "@1")["status"] == "superseded"


@pytest.mark.parametrize(
    ("moment", "code", "cause"),
    [
        ("2026-04-30T14:00", 2, "InvalidTime"),
        ("soon", 2, "InvalidTime"),
        ("99", 3, "UnknownPosition"),
    ],
)
def test_a_moment_that_is_none_is_refused(
    port: CommandLine, moment: str, code: int, cause: str
) -> None:
    """A time without a zone, a word and a position beyond the head are told apart."""
    assert port.failure("recall", "port", "--as-of", moment, code=code)["class"] == cause


@pytest.mark.parametrize(
    ("words", "positions"),
    [
        (("--tag", "net"), [3]),
        (("--kind", "episodic"), [2]),
        (("--source", "user:dana"), [3]),
        (("--status", "superseded"), [1]),
        (("--status", "superseded", "--status", "active", "--by", "oldest"), [1, 2, 3]),
        (("--valid-at", "2020-01-01"), [2]),
        (("--limit", "1"), [3]),
        (("--by", "oldest"), [2, 3]),
    ],
)
def test_lists_are_narrowed_and_ordered(
    port: CommandLine, words: tuple[str, ...], positions: list[int]
) -> None:
    """Each filter leaves what it names, in the order asked for."""
    assert [m["position"] for m in port.json("list", *words)["memories"]] == positions


def test_a_list_is_one_line_a_memory(port: CommandLine) -> None:
    """Off a terminal, a listed memory is a line of position, id, time, kind and text."""
    shown = port("list").stdout.splitlines()
    cells = [line.split("\t") for line in shown if line[0] == "@"]
    assert [(row[0], row[-1]) for row in cells] == [
        ("@3", "The port is 9090"),
        ("@2", "Ferrets sleep eighteen hours a day"),
    ]


def test_several_spaces_are_asked_at_once(port: CommandLine) -> None:
    """`--space` may be repeated; each hit names its space."""
    port("remember", "The port of Hamburg is large", "--space", "trips to the sea")
    words = ("recall", "port", "--space", "default", "--space", "trips to the sea")
    assert {hit["space"] for hit in port.json(*words)["hits"]} == {"default", "trips to the sea"}


def test_a_space_in_the_environment_may_have_blanks(port: CommandLine) -> None:
    """MNEMOLOG_SPACE is one name, also for a command that takes several."""
    port("remember", "The port of Hamburg is large", "--space", "trips to the sea")
    port.variables["MNEMOLOG_SPACE"] = "trips to the sea"
    assert [hit["position"] for hit in port.json("recall", "port")["hits"]] == [5]


def test_show_tells_everything(port: CommandLine) -> None:
    """Show lists the fields that say something, and the text last."""
    shown = port("show", "@3").stdout
    for line in ("status: active", "kind: semantic", "tags: net", "source: user:dana"):
        assert line in shown
    assert shown.endswith("\n\nThe port is 9090\n")


def test_an_ambiguous_beginning_is_refused(cli: CommandLine) -> None:
    """The beginning of two ids ends with exit code 3 and names them."""
    for last in "ab":
        cli("remember", f"fact {last}", "--id", f"0199c2f3a1b2700080000000000000{last * 2}")
    error = cli.failure("show", "0199c2f3a1b27", code=3)
    assert error["class"] == "AmbiguousId"
    assert len(error["matches"]) == 2
    assert cli.json("show", "0199c2f3a1b27000-800000000000-00a")["content"] == "fact a"


def test_stored_text_does_not_steer_the_terminal(cli: CommandLine) -> None:
    """An escape sequence in a memory is shown, not obeyed."""
    cli("remember", "red \x1b[31malert")
    for words in (("recall", "red"), ("list",), ("show", "@1"), ("audit", "@1")):
        shown = cli(*words).stdout
        assert "\x1b" not in shown
        assert "\\x1b[31malert" in shown


def test_a_plan_ranks_options_and_says_why(cli: CommandLine) -> None:
    """`plan` shows rank, standing and option, with what an option violates below it."""
    cli("remember", "Dana is allergic to peanuts")
    shown = cli("plan", "a lunch for Dana", "--option", "Satay skewers", "--option", "Rice").stdout
    first, second, why, *_ = shown.splitlines()
    assert first == "1\tclean\tRice"
    assert second == "2\tviolates\tSatay skewers"
    assert "Dana is allergic to peanuts" in why
    assert "constraints:" in shown


def test_options_may_come_from_standard_input(cli: CommandLine) -> None:
    """`--option -` reads one option a line; twice it is refused."""
    cli("remember", "Dana is allergic to peanuts")
    answer = cli.json("plan", "a lunch for Dana", "--option", "-", stdin="Satay\n\nRice\n")
    assert [one["option"] for one in answer["options"]] == ["Rice", "Satay"]
    assert {"goal", "options", "constraints", "as_of"} <= answer.keys()
    cli("plan", "lunch", "--option", "-", "--option", "-", code=2)


def test_a_plan_without_constraints_says_so(cli: CommandLine) -> None:
    """Without options and constraints there is a sentence."""
    cli("remember", "The sun is hot")
    assert "No constraints found." in cli("plan", "a lunch").stdout
