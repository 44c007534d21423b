"""`mnemolog health`: for a person, for programs and for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


def test_health_is_told_by_its_measures(cli: CommandLine) -> None:
    """Each measure is a line with its value, its limit and whether it holds."""
    cli("remember", "the ferry leaves at noon")
    lines = cli("health").stdout.splitlines()
    assert lines[:2] == ["space: default", "health: within its limits"]
    assert "share active\t100.0%\tover 70.0%\tyes" in lines
    assert "oldest open conflict\tunknown\tunder 24.0 h\t-" in lines
    assert "active: 1" in lines


def test_health_as_one_object(cli: CommandLine) -> None:
    """Of one space, or of all of them; as of a past moment as well."""
    cli("remember", "tea")
    cli("remember", "coffee", "--space", "work")
    cli("remember", "milk", "--space", "work")
    assert cli.json("health")["memories"] == {"active": 1}
    assert cli.json("health", "--space", "work", "--as-of", 2)["memories"] == {"active": 1}
    spaces = cli.json("health", "--all-spaces")["spaces"]
    assert isinstance(spaces, list)
    assert [one["space"] for one in spaces] == ["default", "work"]
    assert spaces[1]["active_share"] == {
        "value": 1.0, "side": "over", "limit": 0.7, "holds": True,
    }  # fmt: skip
    assert "coffee" not in cli("health", "--all-spaces").stdout


def test_health_for_a_textfile_collector(cli: CommandLine) -> None:
    """The text format on standard output, and nothing else."""
    cli("remember", "tea")
    shown = cli("health", "--prometheus", "--all-spaces").stdout
    assert shown.startswith("# HELP mnemolog_memories ")
    assert 'mnemolog_memories{space="default",status="active"} 1\n' in shown
    cli("health", "--prometheus", "--json", code=2)
