"""The prompt hook as an agent client runs it: a process, JSON in, context out, always 0."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mnemolog import Memory

PROGRAM = Path(sys.executable).with_name("mnemolog")
ROOT = Path(__file__).parents[2]
RECALL = "What did Dana say about the tea she prefers in the morning?"
NOT_RECALL = "Write a haiku about the sea."
_PATIENCE_S = 20.0
PATIENT = ("--limit-ms", "60000")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that remembers what Dana prefers."""
    path = tmp_path_factory.mktemp("hook") / "home"
    with Memory.open(path, actor="user:dana", run="earlier") as memory:
        memory.configure({"layer_limit_s": 60})
        memory.remember("Dana prefers green tea in the morning", source="user:dana")
    return path


def run(
    home: Path, given: bytes | dict[str, object], *options: str, code: int = 0
) -> tuple[str, str]:
    """What the hook writes to standard output and to standard error."""
    done = subprocess.run(
        [PROGRAM, "hook", "--home", str(home), *options],
        input=given if isinstance(given, bytes) else json.dumps(given).encode(),
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout.decode(), done.stderr.decode()


def event(prompt: str) -> dict[str, object]:
    return {
        "session_id": "0b5e3c1e-8f4e-4d0c-9a37-3f6f4f6f8a11",
        "transcript_path": "/home/dana/.claude/projects/boats/0b5e3c1e.jsonl",
        "cwd": "/home/dana/boats",
        "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit",
        "prompt": prompt,
    }


def test_a_prompt_of_recall_gets_its_context(home: Path) -> None:
    """What memory holds comes as the additional context, and is reported as used for it."""
    with Memory.open(home) as memory:
        (item,) = memory.list()
        before = item.accesses
    out, err = run(home, event(RECALL), *PATIENT)
    told = json.loads(out)
    assert list(told) == ["hookSpecificOutput"]
    assert told["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert "Dana prefers green tea" in told["hookSpecificOutput"]["additionalContext"]
    assert err == ""
    until = time.monotonic() + _PATIENCE_S
    with Memory.open(home) as memory:
        # Off the answering path: it may come after the answer.
        while memory.get(item.memory_id).accesses == before and time.monotonic() < until:
            time.sleep(0.05)
        assert memory.get(item.memory_id).accesses == before + 1
        (used,) = list(memory.log.events(kinds=("recalled",)))[-1:]
    assert (used.actor, used.content) == ("system:hook", None)


def test_a_prompt_that_is_not_recall_gets_nothing(home: Path) -> None:
    """An ordinary instruction adds nothing to the context."""
    assert run(home, event(NOT_RECALL), *PATIENT) == ("", "")
    assert run(home, event("  "), *PATIENT) == ("", "")


def test_where_nothing_is_known_the_context_says_so(tmp_path: Path) -> None:
    """An empty memory is told as such, so that nobody takes a guess for a memory."""
    with Memory.open(tmp_path / "home", actor="user:dana") as memory:
        memory.configure({"layer_limit_s": 60})
    out, _ = run(tmp_path / "home", event(RECALL), *PATIENT, "--format", "text")
    assert "The memory holds nothing on this." in out


@pytest.mark.parametrize(
    "given",
    [
        b"",
        b"what did Dana say?",
        b'["prompt"]',
        b'{"prompt": 3}',
        b'{"prompt": "what did Dana say',
        bytes(range(1, 256)) * 4,
        b'{"prompt": "' + b"x" * (5 << 20) + b'"}',
    ],
    ids=lambda given: repr(given[:20]),
)
def test_garbage_gets_nothing(home: Path, given: bytes) -> None:
    """What is no prompt adds nothing, ends with 0, and is told on standard error."""
    out, err = run(home, given, *PATIENT)
    assert out == ""
    assert err.startswith("mnemolog hook: ")


def test_strange_prompts_and_sessions_do_no_harm(home: Path) -> None:
    """Control characters and a session that cannot be one leave the answer what it is.

    With --format text it is the context alone.
    """
    strange = {"prompt": f"\ud800\x1b {RECALL}", "session_id": "x\n", "hook_event_name": 7}
    out, _ = run(home, strange, *PATIENT, "--format", "text")
    assert out.startswith("From memory")
    assert "green tea" in out


@pytest.mark.parametrize(
    "options",
    [
        ("--limit-ms", "soon"),
        ("--limit-ms", "nan"),
        ("--format", "yaml"),
        ("--depth", "3"),
        ("--space", ""),
        ("extra",),
    ],
)
def test_a_wrong_option_does_not_block_the_prompt(home: Path, options: tuple[str, ...]) -> None:
    """To an agent client a usage error's code would mean: do not let this prompt through."""
    out, err = run(home, event(RECALL), *options)
    assert out == ""
    assert err != ""


def test_a_home_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """A wrong path is told; no empty ledger is left behind for it."""
    out, err = run(tmp_path / "gone", event(RECALL), *PATIENT)
    assert out == ""
    assert "holds no ledger" in err
    assert not (tmp_path / "gone").exists()


def test_an_empty_file_is_not_made_a_ledger(tmp_path: Path) -> None:
    """As a command leaves it that was stopped at once; the hook writes nothing into it."""
    ledger = tmp_path / "ledger.db"
    ledger.touch()
    out, err = run(tmp_path, event(RECALL), *PATIENT)
    assert out == ""
    assert "holds no ledger" in err
    assert [*tmp_path.iterdir()] == [ledger]
    assert ledger.stat().st_size == 0


def test_a_home_that_cannot_be_used_gets_nothing(tmp_path: Path) -> None:
    """A file in its place, and a log of garbage, end with 0 and a reason."""
    (tmp_path / "file").write_text("no home")
    (tmp_path / "garbage").mkdir()
    (tmp_path / "garbage" / "ledger.db").write_bytes(b"no database" * 1000)
    for name in ("file", "garbage"):
        out, err = run(tmp_path / name, event(RECALL), *PATIENT)
        assert out == ""
        assert err != ""


def test_a_home_that_cannot_be_written_is_answered_from(home: Path, tmp_path: Path) -> None:
    """Where no file can grow, the hook answers from the log alone, all in memory."""
    copy = tmp_path / "home"
    copy.mkdir()
    (copy / "ledger.db").write_bytes((home / "ledger.db").read_bytes())
    done = subprocess.run(
        [PROGRAM, "hook", "--home", str(copy), *PATIENT],
        input=json.dumps(event(RECALL)).encode(),
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        # Not by its mode: to root everything can be written.
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    )
    assert done.returncode == 0
    assert b"green tea" in done.stdout
    assert [path.name for path in copy.iterdir() if path.stat().st_size] == ["ledger.db"]


def test_a_limit_of_a_millisecond_gets_nothing(home: Path) -> None:
    """No time to answer in is no reason to fail."""
    out, err = run(home, event(RECALL), "--limit-ms", "1")
    assert (out, err) == ("", "mnemolog hook: no answer within 1 ms\n")


def test_a_client_that_never_ends_its_input_is_not_waited_for(home: Path) -> None:
    """Standard input that stays open is read until time is up."""
    reading, writing = os.pipe()
    done = subprocess.run(
        [PROGRAM, "hook", "--home", str(home), "--limit-ms", "300"],
        stdin=reading,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    os.close(reading)
    os.close(writing)
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_home_that_another_process_holds_is_not_waited_for(home: Path) -> None:
    """A log that stays locked beyond the limit costs the prompt its context, nothing else."""
    holder = (
        "import apsw, sys\n"
        f"db = apsw.Connection({str(home / 'ledger.db')!r})\n"
        "db.execute('PRAGMA locking_mode = exclusive').fetchall()\n"
        "db.execute('BEGIN EXCLUSIVE')\n"
        "sys.stdout.write('held\\n'); sys.stdout.flush(); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        run(home, event(RECALL), "--limit-ms", "700")
        process.kill()
    out, _ = run(home, event(RECALL), *PATIENT)
    assert "green tea" in out


def test_nobody_needs_to_read_the_answer(home: Path) -> None:
    """A client that went away is no failure."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [PROGRAM, "hook", "--home", str(home), *PATIENT],
        input=json.dumps(event(RECALL)).encode(),
        stdout=writing,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    os.close(writing)
    assert done.returncode == 0
