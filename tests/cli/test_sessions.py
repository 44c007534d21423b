"""Recall sessions on the command line: session, vote, associations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

NOTES = (
    "Dana bought a teapot in Kyoto",
    "We met Kenji at the pottery class",
    "Kenji makes raku bowls",
    "The office moved to Bergen",
    "Ben works at the harbour",
    "The ferry to the islands leaves at noon",
)
QUERY = ("who", "sold", "the", "cup")


@pytest.fixture
def notes(cli: CommandLine) -> dict[str, str]:
    """The ids of some memories, by what they say."""
    return {note: str(cli.json("remember", note)["memory_id"]) for note in NOTES}


def test_a_session_goes_on_from_call_to_call(cli: CommandLine, notes: dict[str, str]) -> None:
    """Each call is a process of its own as far as the session goes; the last one teaches."""
    begun = cli.json("session", "start", *QUERY, "--limit", 3)
    assert (begun["round"], begun["rounds_left"]) == (0, 4)
    shown = [hit["memory_id"] for hit in begun["memories"]]
    assert len(shown) == 3
    votes = [word for one in shown for word in ("--cold", one[:13])]
    second = cli.json("session", "vote", begun["session_id"], *votes)
    assert (second["round"], second["rounds_left"], second["converged"]) == (1, 3, False)
    fresh = [hit["memory_id"] for hit in second["memories"]]
    assert not set(fresh) & set(shown)
    done = cli.json("session", "resolve", begun["session_id"], fresh[0], "--note", "it was there")
    assert (done["learned"], done["updated"]) == (True, 4)
    again = cli.json("recall", *QUERY, "--limit", 1)
    assert again["hits"][0]["memory_id"] == fresh[0]
    log = cli("log").stdout
    assert "it is voted cold in round 1 of session" in log
    assert "1 accepted, 1 come up sooner, 3 come up later. “it was there”" in log
    assert "sessions: 1 in 30 days, 1.0 rounds each" in cli("health").stdout
    assert notes


def test_a_person_reads_what_to_do_next(cli: CommandLine, notes: dict[str, str]) -> None:
    """The id of the session comes first, then how it stands, then the hits and branches."""
    told = cli("session", "start", *QUERY, "--limit", 2).stdout.splitlines()
    session = told[0].removeprefix("session ")
    assert told[1].startswith("round 0 of 4, expires ")
    spark = told[2].split()[2]
    after = cli("session", "vote", session, "--spark", spark).stdout
    assert "round 1 of 4" in after
    # In full: what was stored in one millisecond begins alike.
    (whole,) = (one for one in notes.values() if one.startswith(spark))
    assert f"from the spark {whole}:" in after
    last = cli("session", "resolve", session).stdout
    assert "is resolved after 1 round: nothing was learned" in last
    assert cli("session", "start", "--space", "empty", *QUERY).stdout.endswith(
        "No memories found.\n"
    )
    told = cli("session", "start", *QUERY, "--limit", 2).stdout.splitlines()
    session, shown = told[0].removeprefix("session "), told[2].split()[1]
    assert shown.startswith("@")
    cli("session", "vote", session, "--cold", shown)
    last = cli("session", "resolve", session).stdout
    assert last.endswith("learned about 1 memory, for similar queries\n")
    assert notes


def test_what_cannot_be_done_is_told_by_the_exit_code(
    cli: CommandLine, notes: dict[str, str]
) -> None:
    """2 for bad votes, 3 for a session that is not there, 4 for one that is over."""
    session = cli.json("session", "start", *QUERY, "--limit", 1, "--max-rounds", 1)
    (shown,) = (hit["memory_id"] for hit in session["memories"])
    hidden = next(one for one in notes.values() if one != shown)
    session_id = session["session_id"]
    assert cli.failure("session", "vote", session_id, "--hot", hidden, code=2)["field"] == "votes"
    cli("session", "vote", session_id, code=2)
    cli("session", "vote", session_id, "--hot", shown, "--cold", shown, code=2)
    assert cli.failure("session", "vote", "0" * 32, "--hot", shown, code=3)["class"] == (
        "UnknownSession"
    )
    cli("session", "vote", session_id, "--space", "other", "--hot", shown, code=3)
    cli("session", "vote", session_id, "--warm", shown)
    assert cli.failure("session", "vote", session_id, "--hot", shown, code=4)["class"] == (
        "SessionOver"
    )
    cli("session", "resolve", session_id)
    cli("session", "resolve", session_id, code=4)


def test_options_may_stand_before_the_command(cli: CommandLine, notes: dict[str, str]) -> None:
    """`mnemolog --space NAME session start` acts in that space, as other commands do."""
    assert cli.json("--space", "empty", "session", "start", *QUERY)["memories"] == []
    assert cli.json("session", "start", *QUERY)["memories"]
    assert notes


def test_one_vote_is_a_session_of_its_own(cli: CommandLine, notes: dict[str, str]) -> None:
    """`vote` teaches at once, and refuses what the recall does not show."""
    kenji, class_ = notes["Kenji makes raku bowls"], notes["We met Kenji at the pottery class"]
    done = cli.json("vote", "who", "is", "Kenji", "--hot", kenji, "--hot", class_)
    assert done["updated"] == 2
    goes_with = cli.json("associations", kenji)
    assert [one["memory_id"] for one in goes_with["together"]] == [class_]
    assert "0.300" in cli("associations", kenji).stdout
    office = notes["The office moved to Bergen"]
    assert cli("associations", office).stdout == "No associations found.\n"
    cli("vote", "who", "is", "Kenji", "--limit", 1, "--hot", kenji, "--cold", office, code=2)
