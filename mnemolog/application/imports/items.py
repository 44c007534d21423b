"""What every reader yields: memories with lasting ids, and what could not be read."""

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
    """A memory to be stored, and the place that it came from.

    `origin` is that place under a name that lasts, such as `file:notes/a.md#setup`:
    two versions of one piece share it. `where` names it for a person, on this
    machine and today. If `revisable`, a new version supersedes the one before;
    a commit, or what somebody said, has no other version. `run` is the
    conversation that it belongs to and becomes the correlation id.
    """

    memory: NewMemory
    origin: str
    where: str
    revisable: bool
    run: str | None = None


class Problem(Value, frozen=True):
    """Something that was not imported as it stands: where, what is wrong, what would help.

    `count` is how many problems it stands for.
    """

    where: str
    what: str
    fix: str
    count: int = 1


class Problems:
    """Problems to be told: the first thousand, and of very many how many more there are."""

    def __init__(self) -> None:
        self._first: list[Problem] = []
        self._more = 0

    def add(self, problem: Problem) -> None:
        """Keep a problem, or count it."""
        if problem.count == 1 and len(self._first) < _MOST_TOLD:
            self._first.append(problem)
        else:
            self._more += problem.count

    def __len__(self) -> int:
        return len(self._first) + self._more

    def told(self) -> tuple[Problem, ...]:
        """Those that are kept, and one that counts the others."""
        if not self._more:
            return tuple(self._first)
        what = "has 1 more problem" if self._more == 1 else f"has {self._more:,} more problems"
        fix = "correct these and import again"
        return (*self._first, Problem("input", what, fix, self._more))


def fixed_item(
    space: str, memory: NewMemory, *, origin: str, where: str, run: str | None = None
) -> ImportItem:
    """An item that can have no other version; its id comes from space, origin and time.

    The origin must therefore name the content for good, as a commit's hash does.
    Raises `InvalidField` if the memory cannot be stored, whatever its size.
    """
    key = _key(space, origin)
    return ImportItem(_with_id(memory, key), origin, where, revisable=False, run=run)


def revisable_item(
    space: str, memory: NewMemory, *, origin: str, where: str, run: str | None = None
) -> ImportItem:
    """An item that supersedes earlier versions; any change to any field gives it a new id.

    Raises `InvalidField` if the memory cannot be stored, whatever its size.
    """
    key = _key(space, origin, given_fields(memory))
    return ImportItem(_with_id(memory, key), origin, where, revisable=True, run=run)


def returned(item: ImportItem, predecessor: str) -> ImportItem:
    """The same item under the id that it takes when it supersedes `predecessor`, a memory's id.

    For a piece that went from one text to another and back: its own id is in
    the log already, superseded, and an id can be remembered only once.
    """
    own = item.memory.id or ""
    time_ms = int(own[:_MILLISECOND_DIGITS] or "0", 16)
    new_id = event_id_from_source(_key(own, predecessor), time_ms * 1000)
    return msgspec.structs.replace(item, memory=msgspec.structs.replace(item.memory, id=new_id))


def given_fields(memory: NewMemory) -> dict[str, object]:
    """The fields of a memory that differ from their defaults, but for `id`.

    Ids are made of these, so that a field added in a later version, at its
    default, leaves them as they were.
    """
    return {
        field.name: value
        for field in msgspec.structs.fields(memory)
        if field.name != "id" and (value := getattr(memory, field.name)) != field.default
    }


def refused(where: str, error: InvalidField) -> Problem:
    """What to tell of a piece that cannot be stored."""
    return Problem(where, f"{error.field}: {error.problem}", error.fix)


def _key(*parts: object) -> str:
    return msgspec.json.encode(parts, order="sorted").decode()


def _with_id(memory: NewMemory, key: str) -> NewMemory:
    # Size is the one limit that is a setting of the space; it is checked on storing.
    structure, _ = remembered(memory, content_limit_bytes=sys.maxsize)
    item_id = event_id_from_source(key, structure.valid_from or 0)
    return msgspec.structs.replace(memory, id=item_id)
