"""Items and problems that readers yield: memories with stable ids, and unreadable input."""

from __future__ import annotations

import sys

import msgspec

from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids import event_id_from_source
from mnemolog.policies.memories import NewMemory, remembered
from mnemolog.results import Value

_MILLISECOND_DIGITS = 12
_MOST_TOLD = 1_000


class ImportItem(msgspec.Struct, frozen=True):
    """Memory to store, with its origin.

    `origin` is a stable name of the place that it came from, such as `file:notes/a.md#setup`;
    all versions of one piece share it. `where` is the present place on this machine, for
    messages. If `revisable`, a new version supersedes the previous one; commits and messages
    have no other version. `run` is the id of the conversation and becomes the correlation id.
    """

    memory: NewMemory
    origin: str
    where: str
    revisable: bool
    run: str | None = None


class Problem(Value, frozen=True):
    """Input that was not imported as it is: the place, the problem and advice.

    `count` is the number of problems that it stands for.
    """

    where: str
    what: str
    fix: str
    count: int = 1


class Problems:
    """List of problems, limited to the first thousand and a count of the rest."""

    def __init__(self) -> None:
        self._first: list[Problem] = []
        self._more = 0

    def add(self, problem: Problem) -> None:
        """Add a problem to the list, or to the count if the list is full."""
        if problem.count == 1 and len(self._first) < _MOST_TOLD:
            self._first.append(problem)
        else:
            self._more += problem.count

    def __len__(self) -> int:
        return len(self._first) + self._more

    def told(self) -> tuple[Problem, ...]:
        """Listed problems, and one problem that counts the others."""
        if not self._more:
            return tuple(self._first)
        what = "has 1 more problem" if self._more == 1 else f"has {self._more:,} more problems"
        fix = "correct these and import again"
        return (*self._first, Problem("input", what, fix, self._more))


def fixed_item(
    space: str, memory: NewMemory, *, origin: str, where: str, run: str | None = None
) -> ImportItem:
    """Item without other versions; its id is derived from space, origin and time.

    The origin must therefore identify the content permanently, as a commit's hash does.
    Raises `InvalidField` if the memory is invalid; its size is not checked.
    """
    key = _key(space, origin)
    return ImportItem(_with_id(memory, key), origin, where, revisable=False, run=run)


def revisable_item(
    space: str, memory: NewMemory, *, origin: str, where: str, run: str | None = None
) -> ImportItem:
    """Item that supersedes earlier versions; its id changes with any field.

    Raises `InvalidField` if the memory is invalid; its size is not checked.
    """
    key = _key(space, origin, given_fields(memory))
    return ImportItem(_with_id(memory, key), origin, where, revisable=True, run=run)


def returned(item: ImportItem, predecessor: str) -> ImportItem:
    """Same item with the id that it gets when it supersedes `predecessor`, a memory's id.

    For a piece that changed and then changed back: its own id is already in the log,
    superseded, and an id can be remembered only once.
    """
    own = item.memory.id or ""
    time_ms = int(own[:_MILLISECOND_DIGITS] or "0", 16)
    new_id = event_id_from_source(_key(own, predecessor), time_ms * 1000)
    return msgspec.structs.replace(item, memory=msgspec.structs.replace(item.memory, id=new_id))


def given_fields(memory: NewMemory) -> dict[str, object]:
    """Fields of a memory that differ from their defaults, without `id`.

    Ids are derived from these fields, so that a field added in a later version does not
    change them while it has its default.
    """
    return {
        field.name: value
        for field in msgspec.structs.fields(memory)
        if field.name != "id" and (value := getattr(memory, field.name)) != field.default
    }


def refused(where: str, error: InvalidField) -> Problem:
    """Problem of a piece that cannot be stored."""
    return Problem(where, f"{error.field}: {error.problem}", error.fix)


def _key(*parts: object) -> str:
    return msgspec.json.encode(parts, order="sorted").decode()


def _with_id(memory: NewMemory, key: str) -> NewMemory:
    # The size limit is a setting of the space, so it is checked when the item is stored.
    structure, _ = remembered(memory, content_limit_bytes=sys.maxsize)
    item_id = event_id_from_source(key, structure.valid_from or 0)
    return msgspec.structs.replace(memory, id=item_id)
