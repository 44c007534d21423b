"""Commands that look at the ledger itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mnemolog import Memory, NewEvent

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import CommandLine


@pytest.fixture
def port(cli: CommandLine) -> CommandLine:
    """A space where a fact was corrected, twice, and one of them redacted."""
    cli("remember", "The port is 8080")
    cli("supersede", "@1", "The port is 9090", "--reason", "moved to the new host")
    cli("remember", "Ferrets sleep a lot", "--space", "zoo", "--actor", "agent:keeper")
    return cli


def test_a_history_holds_the_whole_chain(port: CommandLine) -> None:
    """Asked for either end of a chain, history lists the events of both."""
    old, new = port.json("history", "@1"), port.json("history", "@2")
    assert old["entries"] == new["entries"]
    assert old["memory_id"] != new["memory_id"]
    assert [entry["kind"] for entry in old["entries"]] == ["remembered", "remembered", "superseded"]
    assert len(port("history", "@1").stdout.splitlines()) == 3


def test_a_history_can_be_asked_of_the_past(port: CommandLine) -> None:
    """As of a position, history ends there."""
    assert len(port.json("history", "@1", "--as-of", 1)["entries"]) == 1


def test_an_audit_tells_who_when_and_why(port: CommandLine) -> None:
    """Audit says of each event who caused it, what it said and for which reason."""
    shown = port("audit", "@1").stdout
    assert "is superseded" in shown.splitlines()[0]
    assert "user:dana" in shown
    assert "remembered “The port is 8080”" in shown
    assert "remembered “The port is 9090”" in shown
    assert "because moved to the new host" in shown
    year = str(port.json("show", "@1")["recorded_at"])[:10]
    assert year in shown


def test_an_audit_tells_of_kinds_that_it_does_not_know(port: CommandLine) -> None:
    """An event of a kind from elsewhere is in the story, marked as not understood."""
    memory_id = str(port.json("show", "@1")["memory_id"])
    with Memory.open(port.home) as memory:
        memory.log.append([NewEvent("weighed", {"grams": 3}, memory_id=memory_id)])
    shown = port("audit", "@1").stdout
    assert "'weighed'" in shown
    assert "does not know the kind" in shown


def test_an_audit_tells_long_texts_in_full(cli: CommandLine) -> None:
    """Where the sentence cuts a text short, the whole of it stands below."""
    text = "Ferrets sleep " + "very " * 50 + "long"
    cli("remember", text)
    assert f"    {text}\n" in cli("audit", "@1").stdout


def test_an_audit_tells_of_a_redaction_without_its_content(cli: CommandLine) -> None:
    """A redacted memory has its story; its words are gone from every part of it."""
    # Letters: any four digits stand now and then in an id or a time.
    cli("remember", "The host is marlin")
    cli("supersede", "@1", "The host is otter")
    assert "marlin" in cli("audit", "@1", "--json").stdout
    cli("redact", "@1", "--yes", "--reason", "asked for")
    shown = cli("audit", "@1").stdout
    assert "its content was destroyed" in shown
    assert "because asked for" in shown
    assert "marlin" not in shown
    assert "marlin" not in cli("audit", "@1", "--json").stdout


def test_the_log_lists_the_events_of_a_space(port: CommandLine) -> None:
    """The newest event comes last; other spaces stay out unless asked for."""
    assert [e["position"] for e in port.json("log")["events"]] == [1, 2, 3]
    assert [e["position"] for e in port.json("log", "--all-spaces")["events"]] == [1, 2, 3, 4]
    assert port("log").stdout.splitlines()[-1].startswith("@3\t")


@pytest.mark.parametrize(
    ("words", "positions"),
    [
        (("--after", 1), [2, 3]),
        (("--limit", 2), [1, 2]),
        (("--last", 1), [3]),
        (("--kind", "superseded"), [3]),
        (("--as-of", 2), [1, 2]),
        (("--space", "zoo"), [4]),
    ],
)
def test_the_log_is_narrowed(
    port: CommandLine, words: tuple[str, ...], positions: list[int]
) -> None:
    """Each option of log leaves the events that it names."""
    assert [e["position"] for e in port.json("log", *words)["events"]] == positions


def test_the_past_is_not_followed(port: CommandLine) -> None:
    """--follow and --as-of contradict each other."""
    assert "leave out --as-of" in port("log", "--follow", "--as-of", 1, code=2).stderr


def test_a_difference_names_what_changed(port: CommandLine) -> None:
    """Between two moments, the memories that came and those that changed are listed."""
    answer = port.json("diff", 1, "@3")
    assert (answer["a"]["position"], answer["b"]["position"]) == (1, 3)
    assert {change["position"] for change in answer["changes"]} == {1, 2}
    shown = port("diff", "1", "3").stdout
    assert shown.startswith("from @1 (")
    assert "The port is 9090" in shown


def test_a_replay_shows_what_each_event_changed(port: CommandLine) -> None:
    """Every event of the log is folded again, with the changes that it makes."""
    steps = port.json("replay")["steps"]
    assert [step["entry"]["position"] for step in steps] == [1, 2, 3, 4]
    assert steps[2]["changes"]
    assert "The port is 9090" in port("replay").stdout


def test_a_replay_stops_at_a_moment_and_keeps_its_home(port: CommandLine, tmp_path: Path) -> None:
    """`--to` ends the replay, and `--into` keeps what was folded, a home of its own."""
    port("replay", "--to", 1, "--into", tmp_path / "then")
    then = port.json("list", "--home", tmp_path / "then")["memories"]
    assert [memory["content"] for memory in then] == ["The port is 8080"]
    assert len(port.json("list")["memories"]) == 1


def test_steps_need_a_terminal(port: CommandLine) -> None:
    """Where nobody can answer, --step is refused."""
    assert "--step asks after each event" in port("replay", "--step", code=2).stderr


def test_stats_count(port: CommandLine) -> None:
    """Stats count memories by status, now and in the past."""
    assert port.json("stats")["memories"] == 3
    assert port.json("stats", "--as-of", 1)["memories"] == 1
    assert "bytes of ledger.db: " in port("stats").stdout
    assert "zoo, semantic, active: 1" in port("stats").stdout
    assert "memories: 1" in port("stats", "--as-of", 1).stdout
