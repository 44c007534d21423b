"""A process that calls commands while system calls fail, each in a fork of its own.

    LD_PRELOAD=failing_calls.so python faulted.py DIRECTORY

It imports everything once and makes its homes in the directory. Each line on standard input
is a case as JSON, such as {"operation": "remember", "mode": "kill", "at": 12}; the answer is
one line, its outcome.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path

import msgspec
from faulted_checks import Check, Ended, Row, rows_of
from faulted_homes import QUERY, FixedClock, Operation, open_home, prepare
from hashed_words import HashedWords

import mnemolog.application.home.home
import mnemolog.cli.main
from mnemolog.cli.main import COMMANDS

_LONGEST_S = 60


class Case(msgspec.Struct, frozen=True):
    """One call of an operation, with a fault at the n-th system call; 0 for none."""

    operation: str
    mode: str
    at: int


class Outcome(msgspec.Struct, frozen=True):
    """What became of a case: how many calls were counted, which one failed, what is wrong."""

    calls: int
    fault: str
    exit: int
    said: str
    findings: list[str]


class Words(HashedWords):
    """The embedder in the place of the model, which would take longer than all else."""

    def unload(self) -> None:
        """Nothing is loaded."""


class Server:
    """Homes, and the cases that are tried on copies of them."""

    def __init__(self, directory: Path) -> None:
        self._arm_shim = ctypes.CDLL(None).faults_arm
        self._arm_shim.argtypes = [*[ctypes.c_char_p] * 3, ctypes.c_long]
        self._run = directory / "run"
        self._told = directory / "told"
        self._told.mkdir()
        # Armed, a sync only pretends: making the homes need not wait for the disk.
        self._arm(directory, "fail")
        self._homes = directory / "homes"
        self._operations = prepare(self._homes)
        self._warm()
        self._log = cache(self._log_of)
        self._after = cache(self._log_after)

    def _arm(self, root: Path, mode: str, at: int = 0, log: Path | None = None) -> None:
        told = b"" if log is None else bytes(log)
        assert self._arm_shim(bytes(root), told, mode.encode(), at) == 0

    def _warm(self) -> None:
        """Do everything once, so that the processes that are forked find it loaded and cached."""
        with _printing_to(self._told / "out", 1), _printing_to(self._told / "err", 2):
            for operation in self._operations.values():
                self._copy(operation.home)
                self._called(operation)
        with open_home(self._run / "home") as memory:
            memory.recall(QUERY)
            memory.upkeep.doctor()

    def tried(self, case: Case) -> Outcome:
        """Do an operation with a fault, then look at what it left."""
        operation = self._operations[case.operation]
        logs = (self._log(operation.home), self._after(case.operation)) if case.at else ([], [])
        calls, fault, ended = self._ended(operation, case.mode, case.at)
        findings: list[str] = []
        if fault:
            check = Check(operation, ended, logs, lambda: self._called_again(operation))
            findings = self._looked_at(check)
        return Outcome(calls, fault, ended.code, ended.err, findings)

    def _ended(self, operation: Operation, mode: str, at: int) -> tuple[int, str, Ended]:
        """Do an operation on a fresh copy: calls counted, the one that failed, how it ended."""
        self._copy(operation.home)
        log, out, err = (self._told / name for name in ("calls", "out", "err"))
        log.unlink(missing_ok=True)

        def operate() -> int:
            self._arm(self._run, mode, at, log)
            code = self._called(operation)
            self._arm(self._run, "off")
            return code

        code = _forked(operate, out, err)
        calls = [line.split("\t") for line in log.read_text().splitlines()] if log.exists() else []
        call, fault = "", ""
        for number, name, path, _, what in calls:
            if int(number) == at:
                call, fault = name, f"{what} {name} {path}"
        ended = Ended(mode, call, code, out.read_text(), err.read_text())
        return len(calls), fault, ended

    def _copy(self, home: str) -> None:
        shutil.rmtree(self._run, ignore_errors=True)
        (self._run / "out").mkdir(parents=True)
        if (self._homes / home).exists():
            shutil.copytree(self._homes / home, self._run / "home")

    def _called(self, operation: Operation) -> int:
        """Call the command line in this process, as its program would; the exit code."""
        places = {"home": self._run / "home", "out": self._run / "out"}
        words = [word.format(**places) for word in operation.words]
        sys.argv = ["mnemolog", "--home", str(places["home"]), "--json", *words]
        try:
            with _set(operation.settings):
                mnemolog.cli.main.main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        except BaseException:  # noqa: BLE001 - as the interpreter does with what nobody caught
            traceback.print_exc()
            code = 1
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
        return code

    def _called_again(self, operation: Operation) -> tuple[int, str]:
        said = self._told / "again"
        with _printing_to(said, 2):
            code = self._called(operation)
        return code, said.read_text()

    def _looked_at(self, check: Check) -> list[str]:
        """What a check finds in a process of its own: it may die of what it looks at."""
        findings, err = self._told / "findings", self._told / "err of the check"

        def look() -> int:
            self._arm(self._run.parent, "fail")
            findings.write_bytes(msgspec.json.encode(check.findings(self._run)))
            return 0

        code = _forked(look, self._told / "out of the check", err)
        if code != 0:
            return [f"the check ended with {code}: {err.read_text()[-2000:]}"]
        return msgspec.json.decode(findings.read_bytes(), type=list[str])

    def _log_of(self, home: str) -> list[Row]:
        """The log of a prepared home."""
        if not (self._homes / home / "ledger.db").exists():
            return []
        self._copy(home)
        return self._rows()

    def _log_after(self, name: str) -> list[Row]:
        """The log after an operation that met no fault."""
        operation = self._operations[name]
        if operation.replaces is not None:
            return self._log(operation.replaces)
        _, _, ended = self._ended(operation, "fail", 0)
        assert ended.code == 0, f"{name} fails without a fault: {ended.err}"
        return self._rows()

    def _rows(self) -> list[Row]:
        rows, err = self._told / "rows", self._told / "err of the check"

        def read() -> int:
            self._arm(self._run.parent, "fail")
            with open_home(self._run / "home") as memory:
                rows.write_bytes(msgspec.json.encode(rows_of(memory)))
            return 0

        assert _forked(read, self._told / "out of the check", err) == 0, err.read_text()
        return msgspec.json.decode(rows.read_bytes(), type=list[Row])


@contextmanager
def _set(settings: Mapping[str, float]) -> Iterator[None]:
    """Attributes of modules set to other values, by their dotted names."""
    parts = [(name.rpartition("."), value) for name, value in settings.items()]
    before = [getattr(import_module(module), name) for (module, _, name), _ in parts]
    try:
        for (module, _, name), value in parts:
            setattr(import_module(module), name, value)
        yield
    finally:
        for ((module, _, name), _), value in zip(parts, before, strict=True):
            setattr(import_module(module), name, value)


@contextmanager
def _printing_to(path: Path, number: int) -> Iterator[None]:
    """What is printed goes to a file, by the number of the stream."""
    kept = os.dup(number)
    _redirect(path, number)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(kept, number)
        os.close(kept)


def _redirect(path: Path, number: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(descriptor, number)
    os.close(descriptor)


def _forked(work: Callable[[], int], out: Path, err: Path) -> int:
    """What `work` returns in a process of its own; below 0 the signal that ended it."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            _redirect(out, 1)
            _redirect(err, 2)
            # A receipt counts as soon as it is printed.
            sys.stdout.reconfigure(line_buffering=True)
            signal.alarm(_LONGEST_S)
            code = work()
            sys.stdout.flush()
            sys.stderr.flush()
        except BaseException:  # noqa: BLE001 - it must not go on as the server
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def serve(directory: Path) -> None:
    """Answer cases until standard input ends."""
    for module in COMMANDS.values():
        import_module(f"mnemolog.cli.commands.{module}")
    mnemolog.application.home.home.MiniLM = Words
    mnemolog.application.home.home.SystemClock = FixedClock
    server = Server(directory)
    for line in sys.stdin:
        try:
            outcome = server.tried(msgspec.json.decode(line, type=Case))
        except AssertionError as error:
            outcome = Outcome(0, "none", 0, "", [str(error)])
        sys.stdout.buffer.write(msgspec.json.encode(outcome) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
