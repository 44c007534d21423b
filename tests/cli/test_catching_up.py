"""A tick that would let much fall asks first, on the command line."""

from __future__ import annotations

import os
import pty
import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from mnemolog import Memory
from mnemolog.cli.call import CommandCall
from mnemolog.cli.commands.upkeep import _with_agreed_tick
from mnemolog.cli.exit_codes import ExitCode
from mnemolog.ledger.files import FileLock
from tests.cli.conftest import PROGRAM
from tests.homes import ALL_TIERS, DAY, HandClock

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine

RAIN = 7


@pytest.fixture
def faded(cli: CommandLine) -> CommandLine:
    """A home with seven memories that time would destroy, in a space that lets it."""
    clock = HandClock(time.time_ns() // 1000 - 480 * DAY)
    with Memory.open(cli.home, clock=clock) as memory:
        memory.configure({**ALL_TIERS, "contradictions": "off"})
        for number in range(RAIN):
            memory.remember(f"rain on day {number}", kind="episodic", importance="low")
        for _ in range(6):
            clock.move(79 * DAY)
            memory.remember("the clock is right", immutable=True)
    return cli


@pytest.mark.parametrize("command", ["tick", "maintain"])
def test_without_a_terminal_nothing_falls_unless_yes_is_given(
    faded: CommandLine, command: str
) -> None:
    """The exit code is 4, and what would fall is said, with how to confirm it."""
    refused = faded(command, code=4)
    assert "7 memories would fall to deleted, which destroys their text" in refused.stderr
    assert "to deleted: rain on day" in refused.stderr
    assert "--yes" in refused.stderr
    assert faded.json("health")["memories"]["active"] == RAIN + 6
    faded(command, "--yes")
    assert faded.json("health")["memories"]["deleted"] == RAIN


def test_a_tick_whose_texts_are_not_gone_everywhere_ends_with_6(faded: CommandLine) -> None:
    """As a redaction does; the place is named."""
    notes = faded.home / "notes.txt"
    notes.write_text("it was rain on day 3 that we had")
    said = faded("tick", "--yes", code=6)
    assert f"{notes} holds it" in said.stderr
    notes.unlink()
    faded("tick")


def test_the_error_of_a_tick_carries_its_facts(faded: CommandLine) -> None:
    """With --json a program reads how many would fall where, and some of them."""
    error = faded.failure("tick", code=4)
    assert (error["class"], error["falls"]) == ("CatchUpNotConfirmed", {"deleted": RAIN})
    assert len(faded("tick", "--json", code=4).stderr.splitlines()) == 1
    told = faded("maintain", "--json", code=4)
    assert told.stderr == ""
    assert '"unconfirmed"' in told.stdout


@pytest.mark.parametrize("command", ["tick", "maintain"])
def test_a_person_on_a_terminal_is_with_agreed_tick(faded: CommandLine, command: str) -> None:
    """Declined, nothing falls and the exit code is 130; accepted, they fall."""
    code, shown = faded.terminal(command, keys="n\n")
    assert code == 130
    assert "go ahead?" in shown
    assert faded.json("health")["memories"]["active"] == RAIN + 6
    assert faded.terminal(command, keys="y\n")[0] == 0
    assert faded.json("health")["memories"]["deleted"] == RAIN


def test_another_run_during_the_question_is_a_problem_of_the_space(faded: CommandLine) -> None:
    """Nothing falls if another process maintains the home by then: that is said, with code 7."""
    lock = FileLock(faded.home / "maintain.lock")
    screen, terminal = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, "maintain"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=faded.environment(),
    ) as process:
        os.close(terminal)
        shown = b""
        while b"go ahead?" not in shown:
            shown += os.read(screen, 65536)
        assert lock.try_acquire()
        os.write(screen, b"y\n")
        with suppress(OSError):
            while chunk := os.read(screen, 65536):
                shown += chunk
    lock.close()
    os.close(screen)
    assert process.returncode == ExitCode.UNAVAILABLE
    assert b"error: default: another process" in shown
    assert faded.json("health")["memories"]["active"] == RAIN + 6


def test_a_problem_before_the_question_is_still_told_after_it(
    faded: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the first run could not do is a problem of the space, though the tick went well."""
    monkeypatch.setattr(CommandCall, "agreed_to_catch_up", lambda *_: True)
    with Memory.open(faded.home) as memory:
        (kept,) = memory.upkeep.maintain().spaces
        assert kept.unconfirmed is not None
        told = _with_agreed_tick(CommandCall(), memory, replace(kept, problem="the judge is away"))
        assert told.tick is not None
        assert (told.problem, told.unconfirmed) == ("the judge is away", None)


def test_health_says_who_destroyed_memories(faded: CommandLine) -> None:
    """What time destroyed and what somebody redacted are told apart, with who it was."""
    faded("tick", "--yes", "--actor", "system:cron")
    faded("redact", f"@{RAIN + 2}", "--yes", "--override")
    said = faded("health").stdout
    assert "destroyed: 7 by time, in a tick of system:cron; 1 redacted by user:dana" in said
