"""Every system call of every writing operation fails, kills or tears; the home bears it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.preload import compiled

_HERE = Path(__file__).parent
_OPERATIONS = (
    "remember",
    "supersede",
    "redact",
    "tick",
    "vote",
    "resolve",
    "rebuild",
    "index",
    "backup",
    "restore",
    "restore over a WAL",
    "import memories",
    "import events",
    "adopt events",
    "export",
)
_MODES = ("fail", "fail-from", "full", "kill", "tear", "read")
_TRIED = 3
"""Calls that are tried of each operation in each mode, unless all of them are."""
_SHOWN = 12
_RARER = {"fail-from": 4, "read": 4}
"""Modes that end mostly as others do: a long run tries one call in so many."""


class Faults:
    """A process that tries cases, one after the other."""

    def __init__(self, directory: Path) -> None:
        library = compiled(_HERE / "failing_calls.cpp", directory)
        self._process = subprocess.Popen(
            [sys.executable, _HERE / "faulted.py", directory],
            env={
                **os.environ,
                "LD_PRELOAD": str(library),
                "PYTHONPATH": str(_HERE.parents[1]),
                "MNEMOLOG_HOME": str(directory / "unused"),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tried(self, operation: str, mode: str, at: int) -> dict[str, object]:
        """The outcome of an operation whose system call number `at` meets a fault; 0 for none."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        case = {"operation": operation, "mode": mode, "at": at}
        self._process.stdin.write(json.dumps(case) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        # Its traceback is on standard error.
        assert answer, f"the process that tries cases ended at {case}"
        outcome: dict[str, object] = json.loads(answer)
        return outcome

    def close(self) -> None:
        """End the process."""
        self._process.communicate()
        assert self._process.returncode == 0


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faults]:
    """The process that tries cases, for all tests of this file that one worker runs."""
    faults = Faults(tmp_path_factory.mktemp("faults"))
    yield faults
    faults.close()


def _calls(mode: str, total: int, chance: random.Random, *, soak: bool) -> list[int]:
    """Which calls are to meet a fault: each of them, a sample, or that of FAULT_AT."""
    if "FAULT_AT" in os.environ:
        return [int(os.environ["FAULT_AT"])]
    every = range(1, total + 1)
    if soak:
        step = _RARER.get(mode, 1)
        return list(every[chance.randrange(min(step, total)) :: step])
    return sorted(chance.sample(every, min(_TRIED, total)))


@pytest.mark.parametrize("mode", _MODES)
@pytest.mark.parametrize("operation", _OPERATIONS)
def test_an_operation_bears_a_fault_at_any_system_call(
    operation: str, mode: str, faults: Faults, chance: random.Random, *, soak: bool
) -> None:
    """Nothing acknowledged is lost, nothing is half done, what is said is true, work goes on."""
    total = int(str(faults.tried(operation, mode, 0)["calls"]))
    assert total > 0, "no system call of the operation is seen"
    failures = []
    for at in _calls(mode, total, chance, soak=soak):
        outcome = faults.tried(operation, mode, at)
        if outcome["findings"]:
            failures.append(f"FAULT_AT={at}: {outcome['fault']}: {outcome['findings']}")
    assert not failures, "\n".join([f"{len(failures)} of {total}", *failures[:_SHOWN]])
