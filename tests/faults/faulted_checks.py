"""What must hold of a home after a command that met a fault."""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import msgspec
from faulted_homes import QUERY, Operation, open_home

from mnemolog import Memory
from mnemolog.ledger.errors import LedgerError
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import Position

_IO_ERROR = re.compile(r"input/output error|i/o error", re.IGNORECASE)
_CAUSES = {
    "fail": _IO_ERROR,
    "fail-from": _IO_ERROR,
    "read": _IO_ERROR,
    "full": re.compile(r"no space", re.IGNORECASE),
}
_OPENED = re.compile(r"unable to open|could (not )?be opened|readonly database|bytes were written")
"""What is left to say where SQLite and hnswlib lose the error of a call that failed once."""
_REFUSALS = re.compile(r'"class": ?"(StorageFailed|DiskFull|OutcomeUnknown)"')
_CALLS_IT_DAMAGE = re.compile(
    r"damage|corrupt|malformed|restore a backup|events were lost|begun anew|embedded again"
    r"|is gone|Traceback",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"nothing was (changed|stored|written)", re.IGNORECASE)
_STORED = re.compile(
    r"\b(is|are|was|were) (stored|recorded|done|in the log|restored)\b|may be in the log"
    r"|the next command finishes the restore",
    re.IGNORECASE,
)
_AT_HOME = re.compile(
    r"(ledger\.db|vectors\.db|sessions\.db|views-[0-9a-f]{16}\.db)(-wal|-shm)?"
    r"|vectors-[0-9a-f]{16}\.f16"
    r"|[a-z.-]+\.lock|manifest|indexes(/[^/]+(\.lock|/[0-9a-f]{16}(/.+)?)?)?"
)
_NO_MANIFEST = "views are rebuilt from the log: no manifest names those that are there"
_RESTORED = "a restore that was interrupted is finished"
_NOT_RESTORED = "a restore was interrupted before it changed anything"
_REMOVALS = frozenset({"unlink", "unlinkat", "rmdir"})
_SHOWN = 500


class Row(msgspec.Struct, frozen=True):
    """What tells one event of a log from another; `begins` if it is the first of its command."""

    digest: str
    kind: str
    begins: bool
    content: str | None


class Ended(msgspec.Struct, frozen=True):
    """How a command ended: the system call that failed it, its exit code, and what it printed.

    `code` is below 0 for the signal that killed it.
    """

    mode: str
    call: str
    code: int
    out: str
    err: str

    @property
    def cleans(self) -> bool:
        """Whether it could remove what it no longer needs; not if just that may have failed.

        What cannot be read from then on may be the manifest, which says what is needed.
        """
        lasting = self.mode in {"fail-from", "read"}
        return self.code > 0 and not lasting and self.call not in _REMOVALS


def rows_of(memory: Memory) -> list[Row]:
    """Every event of a home's log."""
    return [_row(event) for event in memory._space.home.log.read(Position(0), 100_000)]


def _row(event: Event) -> Row:
    content = None if event.content is None else event.content.decode()
    return Row(event.digest.hex(), event.kind, event.causation_id is None, content)


class Check:
    """Looks at what a command left; `before` and `after` are the log without it and with it.

    `again` calls the command once more and gives its exit code and messages.
    """

    def __init__(
        self,
        operation: Operation,
        ended: Ended,
        logs: tuple[list[Row], list[Row]],
        again: Callable[[], tuple[int, str]],
    ) -> None:
        self._operation = operation
        self._ended = ended
        self._before, self._after = logs
        self._again = again
        self._found: list[str] = []

    def findings(self, run: Path) -> list[str]:
        """Look at what is there, call the command again, and go on working."""
        home = run / "home"
        if self._ended.code < 0 and self._ended.code != -signal.SIGKILL:
            self._add(f"ended by signal {-self._ended.code}", self._ended.err)
        if self._ended.cleans and "finishes the restore" not in self._ended.err:
            self._check_files(run, "left at once")
        if self._ended.code == 0 and "a redaction is incomplete" not in self._ended.err:
            self._check_erased(run, "at once")
        try:
            self._check_words(*self._reached(home))
            self._check_second_call(run)
            self._check_afterwards(home)
        except (LedgerError, OSError) as error:
            self._add(f"the next command fails: {type(error).__name__}", str(error))
        self._check_files(run, "left in the end")
        self._check_generations(run)
        return self._found

    def _add(self, finding: str, said: str = "") -> None:
        self._found.append(f"{finding}: {said[-_SHOWN:]}" if said else finding)

    # -- the log -----------------------------------------------------------------------

    def _reached(self, home: Path) -> tuple[bool, bool]:
        """Whether the log holds anything of the command, and whether it holds all of it."""
        if self._operation.replaces and not self._before and not (home / "ledger.db").exists():
            # There was none before either.
            return False, False
        with open_home(home) as memory:
            rows = rows_of(memory)
            memory.recall(QUERY)
            grown, done = self._progress(rows, home.parent)
            self._check_notices(memory.notices, "the next opening", done=done)
        self._check_erased(home.parent, "after the next opening", rows)
        return grown, done

    def _progress(self, rows: list[Row], run: Path) -> tuple[bool, bool]:
        digests = [row.digest for row in rows]
        known = [row.digest for row in self._before]
        if self._operation.replaces:
            new = [row.digest for row in self._after]
            if digests not in (known, new):
                self._add(f"the log is neither the old nor the new one: {len(rows)} events")
            if digests == new and known and not self._is_kept(run):
                self._add("the log that was there is not kept")
            return digests == new, digests == new
        if digests[: len(known)] != known:
            self._add(f"acknowledged events are gone: {len(rows)} of {len(known)}")
        added, whole = rows[len(known) :], self._after[len(known) :]
        kinds, expected = _kinds(added), _kinds(whole)
        rest = whole[len(added) :]
        if kinds != expected[: len(kinds)] or (added and rest and not rest[0].begins):
            self._add(f"half done: {kinds} of {expected}")
        return bool(added), len(added) == len(whole)

    # -- what was said -----------------------------------------------------------------

    def _check_words(self, grown: bool, done: bool) -> None:  # noqa: FBT001 - two findings
        """Whether the exit code and the message are true, and name the cause."""
        if self._ended.out.strip() and not done:
            self._add("acknowledged, and not done", self._ended.out)
        if self._ended.code < 0:
            return
        said = self._ended.err
        if claimed := _CALLS_IT_DAMAGE.search(said):
            self._add(f"says {claimed.group()!r}", said)
        if self._ended.code == 0 and not done:
            self._add("exit code 0, and not done")
        if self._ended.code == 0 or (self._ended.code == 6 and self._operation.erases):
            return
        if self._ended.code != 7 or not _REFUSALS.search(said):
            self._add(f"exit code {self._ended.code}", said)
        once = self._ended.mode == "fail"
        if not _CAUSES[self._ended.mode].search(said) and not (once and _OPENED.search(said)):
            self._add("the cause is not named", said)
        if grown and _NOTHING.search(said):
            self._add("says that nothing was changed, and the log grew", said)
        if grown and not _STORED.search(said):
            self._add("does not say that it was stored", said)

    def _check_notices(self, notices: list[str], when: str, *, done: bool = False) -> None:
        """Whether nothing is noted but what became of a restore, and that is true."""
        true = _RESTORED if done else _NOT_RESTORED
        for notice in notices:
            if notice != _NO_MANIFEST and not (self._operation.replaces and true in notice):
                self._add(f"{when} notes", notice)

    # -- calling it again --------------------------------------------------------------

    def _check_second_call(self, run: Path) -> None:
        """Whether the same command does what is left to do, or says that it was done."""
        result = None if self._operation.result is None else run / "out" / self._operation.result
        there = result is not None and result.exists()
        if result is not None and there and not self._is_whole(result):
            self._add("the result is not complete")
        if result is not None and not there and self._ended.code == 0:
            self._add("exit code 0, and no result")
        code, said = self._again()
        if code not in ({0} if result is not None and not there else {0, *self._operation.again}):
            self._add(f"the second call ends with {code}", said)
        if _CALLS_IT_DAMAGE.search(said):
            self._add("the second call says", said)

    def _is_whole(self, result: Path) -> bool:
        expected = [row.digest for row in self._before]
        if result.suffix == ".jsonl":
            lines = [msgspec.json.decode(line) for line in result.read_bytes().splitlines()]
            return [line["digest"] for line in lines if "kind" in line] == expected
        return self._digests([result], result.parent.with_name("taken")) == expected

    def _is_kept(self, run: Path) -> bool:
        """Whether the log that a restore replaced is beside the home, whole."""
        kept = run / "home.before-restore"
        expected = [row.digest for row in self._before]
        return self._digests(sorted(kept.glob("ledger.db*")), run / "taken") == expected

    def _digests(self, files: list[Path], home: Path) -> list[str]:
        """The digests of a log whose files are copied into a home of its own for it."""
        home.mkdir()
        for file in files:
            shutil.copyfile(file, home / f"ledger.db{file.suffix.removeprefix('.db')}")
        with open_home(home) as memory:
            digests = [row.digest for row in rows_of(memory)]
        shutil.rmtree(home)
        return digests

    def _check_afterwards(self, home: Path) -> None:
        """Whether the log holds the command once, and the home goes on working."""
        with open_home(home) as memory:
            rows = rows_of(memory)
            if not self._operation.repeats and _kinds(rows) != _kinds(self._after):
                known = len(self._before)
                self._add(
                    f"after the second call: {_kinds(rows[known:])} "
                    f"instead of {_kinds(self._after[known:])}"
                )
            self._check_erased(home.parent, "after the second call", rows)
            receipt = memory.remember("The umbrella is behind the door", contradictions="off")
            hits = memory.recall("the umbrella behind the door", limit=1).hits
            if [hit.memory_id for hit in hits] != [receipt.memory_id]:
                self._add("what is remembered afterwards is not found")
            memory.log.verify()
            if self._ended.mode == "kill":
                for one in memory.upkeep.doctor().findings:
                    if one.level != "ok" and one.subject != "notice":
                        self._add(f"doctor on {one.subject}", one.text)
            self._check_notices(memory.notices, "work afterwards")

    # -- files -------------------------------------------------------------------------

    def _check_erased(self, run: Path, when: str, rows: list[Row] | None = None) -> None:
        """Whether nothing is left of what was to be erased, once it is said to be."""
        sought = self._operation.erases
        if sought is None or any(sought in (row.content or "") for row in rows or ()):
            return
        for path in sorted(run.rglob("*")):
            if path.is_file() and sought.encode() in path.read_bytes():
                self._add(f"the secret is in {path.relative_to(run)} {when}")

    def _check_files(self, run: Path, when: str) -> None:
        """Whether there is nothing but what belongs there."""
        odd = [f"home/{name}" for name in _names(run) if not _AT_HOME.fullmatch(name)]
        odd += [
            f"out/{path.name}"
            for path in sorted((run / "out").iterdir())
            if path.name != self._operation.result
        ]
        if odd:
            self._add(f"{when}: {odd}")

    def _check_generations(self, run: Path) -> None:
        """Whether there is one generation of each part; an old one may wait for an opening."""
        for part in (r"views-[0-9a-f]{16}\.db", r"indexes/([^/]+)/[0-9a-f]{16}"):
            found = [one for name in _names(run) if (one := re.fullmatch(part, name))]
            spaces = [one.groups() for one in found]
            if len(spaces) > len(set(spaces)):
                self._add(f"left in the end: {[one[0] for one in found]}")


def _names(run: Path) -> list[str]:
    home = run / "home"
    return sorted(str(path.relative_to(home)) for path in home.rglob("*"))


def _kinds(rows: list[Row]) -> list[str]:
    return [row.kind for row in rows]
