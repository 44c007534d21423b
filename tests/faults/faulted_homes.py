"""Homes to fail system calls on, and the operations that are done on them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec
from hashed_words import HashedWords

from mnemolog import Memory, NewMemory
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import DAY_US
from mnemolog.policies.contradictions.rules import RuleJudge

SPACE = "default"
FADING_SPACE = "attic"
NOW = Micros(1_790_000_000_000_000)
SECRET = "quetzalcoatlus"
FADING_SECRET = "archaeopteryx"
QUERY = "who has the kettle in the pantry"
REMEMBERED_ID = "0193e0f0a1b27c3d8e4f5a6b7c8d9e0f"

_THINGS = ("kettle", "ladder", "compass", "violin", "harbour", "lantern", "orchard", "saddle")


class FixedClock:
    """A clock that stands where it is put."""

    def __init__(self, time: int = NOW) -> None:
        self.time = time

    def now(self) -> Micros:
        """The present instant."""
        return Micros(self.time)


class Operation(msgspec.Struct, frozen=True):
    """A command line on a copy of a home.

    `words` are its arguments; `{home}` and `{out}` stand for the copy and a folder beside it.
    `home` names the home that is copied, none if there is no such. `settings` are attributes
    of modules that make its work small enough. `again` are the exit codes that a second call
    may have. `erases` is what no file holds once it is done, `result` the file that it makes
    in the folder, `replaces` the home whose log it puts in the place of its own. With
    `repeats`, a second call does its work once more.
    """

    home: str
    words: tuple[str, ...]
    again: tuple[int, ...] = ()
    settings: Mapping[str, int] = {}
    erases: str | None = None
    result: str | None = None
    replaces: str | None = None
    repeats: bool = False


def open_home(home: Path, space: str = SPACE, clock: FixedClock | None = None) -> Memory:
    """A handle on a home, with parts that are cheap and the same every time."""
    return Memory.open(
        home,
        space,
        actor="user:dana",
        run="talk",
        clock=clock or FixedClock(),
        embedder=HashedWords(),
        judge=RuleJudge(),
    )


def prepare(path: Path) -> dict[str, Operation]:
    """Make the homes that operations are done on, and say which operations those are.

    `closed` was closed, `killed` is as a killed process leaves it, and the log of `moved`
    was moved away while its write-ahead log was left.
    """
    closed, live = path / "closed", path / "live"
    clock = FixedClock(NOW - 900 * DAY_US)
    _fill_fading(closed, clock)
    clock.time = NOW - 10 * DAY_US
    ids = _fill(closed, clock)
    sessions = _begin_sessions(closed)
    _write_inputs(path, closed)
    shutil.copytree(closed, live)
    _copy_open(live, path / "killed")
    shutil.copytree(path / "killed", path / "moved")
    (path / "moved" / "ledger.db").unlink()
    return _operations(path / "inputs", ids, sessions)


def _fill_fading(home: Path, clock: FixedClock) -> None:
    with open_home(home, FADING_SPACE, clock) as memory:
        memory.configure({"lowest_tier": "deleted"})
        texts = [f"The {thing} was seen on the stairs that day" for thing in _THINGS[:3]]
        texts.append(f"The bird on the roof was an {FADING_SECRET}")
        memory.remember_many([NewMemory(text, kind="episodic") for text in texts])
        memory.remember(NewMemory("Always lock the attic door", kind="procedural"))
        memory.recall("the stairs")
        memory.upkeep.rebuild()


def _fill(home: Path, clock: FixedClock) -> list[str]:
    texts = [f"The {thing} of shelf {n} is in the pantry" for n, thing in enumerate(_THINGS)]
    with open_home(home, clock=clock) as memory:
        memory.configure({"vector_search": "graph"})
        receipts = memory.remember_many(texts, contradictions="off")
        ids = [receipt.memory_id or "" for receipt in receipts]
        secret = memory.remember(f"The safe opens with {SECRET}", contradictions="off")
        memory.supersede(ids[2], "The compass of shelf 2 was lent to Mara")
        memory.graph.link(secret.memory_id or "", "RELATED_TO", ids[3])
        memory.upkeep.rebuild()
        memory.remember("The ladder of the shed has twelve rungs", contradictions="off")
        memory.recall("the ladder")
    return [*ids, secret.memory_id or ""]


def _begin_sessions(home: Path) -> list[tuple[str, str]]:
    """Two sessions, the second with a vote, each with a memory that it showed."""
    with open_home(home) as memory:
        begun = [memory.sessions.start(QUERY, limit=3) for _ in range(2)]
        shown = [(one.session_id, one.memories[0].memory_id) for one in begun]
        memory.sessions.vote(shown[1][0], {shown[1][1]: "hot"})
    return shown


def _write_inputs(path: Path, home: Path) -> None:
    inputs = path / "inputs"
    inputs.mkdir()
    with open_home(home) as memory:
        memory.log.backup(inputs / "backup.db")
    elsewhere = path / "elsewhere"
    with open_home(elsewhere, "hall") as memory:
        memory.remember_many([f"Coat {n} hangs in the hall" for n in range(9)])
        memory.log.export_events(inputs / "events.jsonl")
    lines = [{"content": f"Plate {n} is in cupboard {n % 3}", "id": f"plate-{n}"} for n in range(8)]
    (inputs / "notes.jsonl").write_bytes(
        b"".join(msgspec.json.encode(one) + b"\n" for one in lines)
    )


def _copy_open(home: Path, target: Path) -> None:
    """Copy a home in the middle of a process's work: what it wrote last is in WALs alone."""
    with open_home(home) as memory:
        memory.remember("The kettle of the shed was mended", contradictions="off")
        memory.recall("the kettle")
        shutil.copytree(home, target)


def _operations(
    inputs: Path, ids: list[str], sessions: list[tuple[str, str]]
) -> dict[str, Operation]:
    given = ("--id", REMEMBERED_ID)
    restore = ("restore", str(inputs / "backup.db"), "--yes")
    events = ("import", str(inputs / "events.jsonl"))
    small_batches = {"mnemolog.application.transfer.exports._BATCH": 4}
    return {
        "remember": Operation("closed", ("remember", "The", "saddle", "is", "wet", *given)),
        "supersede": Operation(
            "closed", ("supersede", ids[0], "The", "kettle", "is", "sold", *given)
        ),
        "redact": Operation("killed", ("redact", ids[-1], "--yes"), again=(4,), erases=SECRET),
        "tick": Operation(
            "closed", ("tick", "--yes", "--space", FADING_SPACE), erases=FADING_SECRET, repeats=True
        ),
        "vote": Operation(
            "closed",
            ("session", "vote", sessions[0][0], "--hot", sessions[0][1]),
            repeats=True,
        ),
        "resolve": Operation("closed", ("session", "resolve", *sessions[1]), again=(4,)),
        "rebuild": Operation("closed", ("rebuild",)),
        "index": Operation(
            "closed",
            ("index",),
            settings={
                "mnemolog.indexes.space_index._TAIL_LIMIT": 0,
                "mnemolog.indexes.space_index._TAIL_SHARE": 0,
            },
        ),
        "backup": Operation("killed", ("backup", "{out}/copy.db"), again=(2,), result="copy.db"),
        "restore": Operation("killed", restore, replaces="closed"),
        "restore over a WAL": Operation("moved", restore, replaces="closed"),
        "import memories": Operation("closed", ("import", str(inputs / "notes.jsonl"))),
        "import events": Operation("closed", events, settings=small_batches),
        "adopt events": Operation("none", events, settings=small_batches),
        "export": Operation(
            "killed", ("export", "{out}/events.jsonl"), again=(2,), result="events.jsonl"
        ),
    }
