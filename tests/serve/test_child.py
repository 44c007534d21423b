"""Work in a process of its own: what is delivered, and that an end always comes.

Each case runs in a fresh interpreter, as the hook does: a fork wants one thread.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def deliver(limit_s: float, work: str) -> str:
    """What `delivered_within` gives for a function body over `deliver`, as its repr."""
    program = (
        "import os, signal, sys, time\n"
        "from mnemolog.serve.prompt_hook import delivered_within\n"
        f"def work(deliver):\n{textwrap.indent(textwrap.dedent(work), '    ')}\n"
        f"got = delivered_within({limit_s}, work)\n"
        "sys.stdout.write(repr(got))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout


def test_what_is_delivered_arrives_whole() -> None:
    """More than a pipe holds at once arrives as it was handed over."""
    assert deliver(60, "deliver(b'reef ' * 100_000)") == repr((b"reef " * 100_000, None))


def test_nothing_may_be_delivered() -> None:
    """Empty output is an answer as well."""
    assert deliver(60, "deliver(b'')") == repr((b"", None))


@pytest.mark.parametrize(
    ("work", "problem"),
    [
        ("raise ValueError('bad rope')", "ValueError: bad rope"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("pass", "ended without an answer"),
        ("os._exit(2)", "ended without an answer"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "ended without an answer"),
        ("os.write(1, b'stray'); raise KeyboardInterrupt", "KeyboardInterrupt: "),
    ],
)
def test_whatever_goes_wrong_comes_back_as_a_problem(work: str, problem: str) -> None:
    """An error, an exit and a crash of the child deliver nothing, and never a part of it."""
    assert deliver(60, work) == repr((b"", problem))


@pytest.mark.parametrize(
    "work",
    [
        "time.sleep(600)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)",
        # Compiled code that holds the interpreter: no other thread of it could watch the time.
        "sum(range(10 ** 15))",
    ],
)
def test_time_is_up_whatever_the_child_does(work: str) -> None:
    """A child that hangs is ended, and nothing of it is delivered."""
    assert deliver(0.2, work) == repr((b"", "no answer within 200 ms"))


def test_what_comes_after_the_delivery_is_not_waited_for() -> None:
    """The parent goes on, and nobody who reads its streams has to wait for the child."""
    assert deliver(60, "deliver(b'done'); time.sleep(600)") == repr((b"done", None))
