"""Result values that methods return, and sequences of them, with short forms and tables."""

import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from reprlib import Repr
from typing import ClassVar, Generic, TypeVar

import msgspec

_T_co = TypeVar("_T_co", covariant=True)
_Kind = TypeVar("_Kind")
_V_co = TypeVar("_V_co", bound="Value", covariant=True)

# Fields that say most about a value: its short form and its table begin with them.
_HEADLINES = ("summary", "content", "text", "option", "what", "reason", "why", "type", "kind")
# Limits of a short form, for a value, a sequence and a text, and of a table.
_FIELDS, _FIRST, _CHARACTERS = 4, 3, 40
_COLUMNS, _ROWS, _CELL_CHARACTERS = 8, 50, 200


def as_json(value: object) -> bytes:
    """JSON of one value, with paths as strings, as `--json` prints it."""
    return msgspec.json.encode(value, enc_hook=str)


_building = threading.RLock()
_built: set[object] = set()


def converted(
    value: object, kind: type[_Kind], *, strict: bool = True, from_attributes: bool = False
) -> _Kind:
    """Value as a type, as `msgspec.convert` makes it, safe for several threads."""
    # At its first use, msgspec builds what it knows of a type. Two threads that build it at
    # once end the process with a segmentation fault, so the first use is under a lock.
    if kind in _built:
        return msgspec.convert(value, kind, strict=strict, from_attributes=from_attributes)
    with _building:
        made = msgspec.convert(value, kind, strict=strict, from_attributes=from_attributes)
    _built.add(kind)
    return made


class Value(msgspec.Struct, frozen=True):
    """Value that a method returns. It converts to a plain dict and has a one-line `repr`."""

    def to_dict(self) -> dict[str, object]:
        """Plain dict with the names and values of JSON; times are ISO 8601 strings."""
        plain: dict[str, object] = msgspec.json.decode(as_json(self))
        return plain

    def __repr__(self) -> str:
        known = [(name, one) for name, one in _fields(self).items() if one is not None]
        brief = [f"{name}={_cut(_BRIEF.repr(one), 2 * _CHARACTERS)}" for name, one in known]
        return f"{type(self).__name__}({', '.join(_first(brief, _FIELDS))})"

    def _repr_html_(self) -> str:
        return _table(type(self).__name__, (), [*_fields(self).items()])


class Results(Value, Generic[_T_co], frozen=True):
    """Value that holds a sequence. It is iterable, has a length, and is false when empty."""

    _over: ClassVar[str]  # The field that is iterated over.

    def __iter__(self) -> Iterator[_T_co]:
        return iter(self._sequence())

    def __len__(self) -> int:
        return len(self._sequence())

    def __repr__(self) -> str:
        return _summary(f"{type(self).__name__} {self._over}", self._sequence())

    def _repr_html_(self) -> str:
        return _rows_table(repr(self), self._over, self._sequence())

    def _sequence(self) -> tuple[_T_co, ...]:
        sequence: tuple[_T_co, ...] = getattr(self, self._over)
        return sequence


class Listing(tuple[_V_co, ...]):
    """Tuple of values that a method returns. It converts to plain dicts and has a short `repr`."""

    __slots__ = ()

    def to_dicts(self) -> list[dict[str, object]]:
        """Plain dicts of the values, as made by `Value.to_dict`."""
        return [value.to_dict() for value in self]

    def __repr__(self) -> str:
        return _summary("Listing len", self)

    def _repr_html_(self) -> str:
        return _rows_table(repr(self), "value", self)


class _Brief(Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxtuple = self.maxlist = self.maxdict = _FIRST
        self.maxother = 2 * _CHARACTERS

    def repr_str(self, value: str, _: int) -> str:
        return repr(_cut(value, _CHARACTERS))

    def repr_datetime(self, value: datetime, _: int) -> str:
        return value.isoformat(" ", "seconds")


_BRIEF = _Brief()


def _first(words: Sequence[str], most: int = _FIRST) -> list[str]:
    return [*words[:most], "…"] if len(words) > most else [*words]


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[: characters - 1]}…"


def _fields(value: Value) -> dict[str, object]:
    fields = value.__struct_fields__
    headlines = [name for name in _HEADLINES if name in fields]
    return {name: getattr(value, name) for name in [*headlines, *fields]}


def _headline(value: object) -> object:
    """First field of a value that is not None; an object that is not a `Value` itself."""
    known = _fields(value).values() if isinstance(value, Value) else ()
    return next((one for one in known if one is not None), value)


def _summary(name: str, values: Sequence[object]) -> str:
    first = [_BRIEF.repr(_headline(one)) for one in values[: _FIRST + 1]]
    return f"<{name}={len(values)}: {', '.join(_first(first))}>" if first else f"<{name}=0>"


def _rows_table(caption: str, name: str, values: Sequence[object]) -> str:
    rows = [_fields(one) if isinstance(one, Value) else {name: one} for one in values[:_ROWS]]
    known = {name: name for row in rows for name, one in row.items() if one not in (None, ())}
    columns = [*known][:_COLUMNS]
    cells = [[row.get(name) for name in columns] for row in rows]
    return _table(caption, columns, cells, len(values) - len(rows))


def _table(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[object]], rest: int = 0
) -> str:
    from html import escape  # noqa: PLC0415 - for notebooks alone

    def line(tag: str, cells: Sequence[object]) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(_cell(one))}</{tag}>' for one in cells)}</tr>"

    head = line("th", columns) if columns else ""
    body = "".join(line("td", row) for row in rows)
    more = f"<p>… and {rest} more</p>" if rest else ""
    return f"<table><caption>{escape(caption)}</caption>{head}{body}</table>{more}"


def _cell(value: object) -> str:
    if isinstance(value, Value):
        return _cell(_headline(value))
    if isinstance(value, tuple):
        return ", ".join(_first([_cell(one) for one in value[: _FIRST + 1]]))
    if isinstance(value, str):
        return _cut(value, _CELL_CHARACTERS)
    return "" if value is None else _BRIEF.repr(value)
