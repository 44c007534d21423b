"""`kill -9` in the middle of a large load: what was acknowledged is there, and it is resumed."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hashed_words import HashedWords
from loading import new_memories

from mnemolog import Memory

if TYPE_CHECKING:
    import random

_MESSAGES = 3_000
_LONGEST_S = 0.3
_PATIENCE_S = 60


def _opened(home: Path) -> Memory:
    return Memory.open(home, actor="user:dana", embedder=HashedWords())


def _home(path: Path) -> Path:
    """A home that recognises nothing, to load quickly."""
    with _opened(path) as memory:
        memory.configure({"recognise_constraints": False, "recognise_lasting": False})
    return path


def _loading(work: str, home: Path, source: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, Path(__file__).with_name("loading.py"), work, home, source]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def _kill(loading: subprocess.Popen[bytes]) -> bytes:
    """The rest of what a process printed before it was killed."""
    loading.send_signal(signal.SIGKILL)
    rest, _ = loading.communicate()
    assert loading.returncode == -signal.SIGKILL, "it ended before it was killed"
    return rest


def _stored(home: Path) -> list[tuple[object, ...]]:
    """Every memory of a home, by id, with what an import says of it."""
    with _opened(home) as memory:
        assert memory.log.verify().events == len(list(memory.log.events()))
        items = memory.inspect.everything().values()
        facts = ((one.memory_id, one.content, one.source, one.valid_from) for one in items)
        return sorted(facts, key=str)


def test_an_import_that_was_killed_goes_on_where_it_was(
    tmp_path: Path, chance: random.Random
) -> None:
    """Killed in the middle and run again, it ends as one that was never interrupted."""
    source = tmp_path / "talk.jsonl"
    lines = (
        {"id": n, "content": f"Crate {n} went to shelf {n % 97}", "source": f"thread:{n % 7}"}
        for n in range(_MESSAGES)
    )
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))
    killed = _home(tmp_path / "killed")
    # Both with the same key, by which the ids of an import are made.
    whole = shutil.copytree(killed, tmp_path / "whole")
    _loading("import", whole, source).communicate()
    loading = _loading("import", killed, source)
    deadline = time.monotonic() + _PATIENCE_S
    with _opened(killed) as memory:
        while len(memory.inspect.everything()) == 0:
            assert time.monotonic() < deadline, "it stores nothing"
    time.sleep(chance.random() * _LONGEST_S)
    _kill(loading)
    before = _stored(killed)
    assert 0 < len(before) < _MESSAGES
    again = _loading("import", killed, source)
    again.communicate()
    assert again.returncode == 0
    after = _stored(killed)
    assert set(before) <= set(after)
    assert after == _stored(whole)
    assert len(after) == _MESSAGES


def test_batches_that_were_acknowledged_are_kept(tmp_path: Path, chance: random.Random) -> None:
    """Of a killed `remember_many` every batch that it told of is there; again, none comes twice."""
    source = tmp_path / "talk.txt"
    source.write_text("".join(f"Crate {n} went to shelf {n % 97}\n" for n in range(_MESSAGES)))
    home, items = _home(tmp_path / "home"), new_memories(source)
    loading = _loading("remember", home, source)
    assert loading.stdout is not None
    first = loading.stdout.readline()
    time.sleep(chance.random() / 100)
    told = (first + _kill(loading)).split()
    with _opened(home) as memory:
        there = memory.inspect.everything()
        done = int(told[-1])
        assert {item.id for item in items[:done]} <= there.keys()
        receipts = memory.remember_many(items, contradictions="off")
        assert [one.memory_id for one in receipts] == [item.id for item in items]
        assert memory.inspect.everything().keys() == {item.id for item in items}
        assert memory.log.verify().events == 1 + len(items)
