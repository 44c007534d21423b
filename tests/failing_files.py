"""SQLite files of this process that fail to read, write or flush while a test says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import apsw

Afterwards = Literal["passes", "fails", "all fail"]
"""What becomes of the calls after the first that failed: like ones fail as well, or any."""


class FailingFiles(apsw.VFS):
    """SQLite's own files, of which a call fails on request."""

    def __init__(self) -> None:
        """Stand in for the system's files from here on, until `unregister`."""
        self._failing: tuple[str, str, int, Afterwards] | None = None
        self.failed = 0
        super().__init__("failing", "unix", makedefault=True)

    @contextmanager
    def failing(
        self, call: str, name: str, code: int, afterwards: Afterwards = "fails"
    ) -> Iterator[None]:
        """Let `read`, `write` or `sync` fail with `code` on a file whose name ends with `name`."""
        self._failing, self.failed = (call, name, code, afterwards), 0
        try:
            yield
        finally:
            self._failing = None

    def check(self, call: str, name: str) -> None:
        """Raise what a call is to fail with, if it is to."""
        if self._failing is None or not name.endswith(self._failing[1]):
            return
        failing, _, code, afterwards = self._failing
        fails = call == failing and (afterwards != "passes" or not self.failed)
        if fails or (self.failed and afterwards == "all fail"):
            self.failed += 1
            raise apsw.exception_for(code)

    def xOpen(self, name: object, flags: list[int]) -> _FailingFile:  # noqa: N802 - apsw's name
        """An open file."""
        return _FailingFile(self, name, flags)


class _FailingFile(apsw.VFSFile):
    def __init__(self, files: FailingFiles, name: object, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._files = files
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else str(name)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - apsw's name
        self._files.check("read", self._name)
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - apsw's name
        self._files.check("write", self._name)
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - apsw's name
        self._files.check("sync", self._name)
        super().xSync(flags)
