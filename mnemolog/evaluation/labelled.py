"""Labelled sets, read from directories.

A labelled set has texts in conversation order, queries, and the texts that answer each. It is
a directory with `corpus.jsonl` (`_id`, `text`, in conversation order; optional
`scope`, `role`, `speaker` and `date`), `queries.jsonl` (`_id`, `text`; optional `scope`,
`cat` and `answer`) and `qrels.tsv` (query id, corpus id, grade; a header line is skipped).
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from mnemolog.ledger.errors import InvalidField, MalformedFile, MalformedSet
from mnemolog.ledger.files import bounded_lines, open_regular
from mnemolog.ledger.vocabulary import decode_json
from mnemolog.policies.memories import checked_space

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels.tsv"
Grades = dict[str, int]
_Line = TypeVar("_Line")
_COLUMNS = 3
_GRADE = re.compile(r"-?\d{1,9}", re.ASCII)


class LabelledText(msgspec.Struct, frozen=True):
    """Text of a corpus; `date` is in the set's own form."""

    id: str = msgspec.field(name="_id")
    text: str
    scope: str = "default"
    role: str | None = None
    speaker: str | None = None
    date: str | int | float | None = None


class Query(msgspec.Struct, frozen=True):
    """Query, asked only inside its scope, with its reference answer."""

    id: str = msgspec.field(name="_id")
    text: str
    scope: str = "default"
    category: str | int | None = msgspec.field(name="cat", default=None)
    answer: str | int | float | list[str] | None = None

    @property
    def reference(self) -> str | None:
        """Reference answer as text; None if the set has none."""
        answer = "\n".join(self.answer) if isinstance(self.answer, list) else self.answer
        return None if answer is None else str(answer) or None


_Scoped = TypeVar("_Scoped", LabelledText, Query)


class LabelledSet(msgspec.Struct, frozen=True):
    """Texts and queries by scope, and the grade of each text that answers a query."""

    name: str
    texts: dict[str, list[LabelledText]]
    queries: dict[str, list[Query]]
    gold: dict[str, Grades]

    @property
    def asked(self) -> list[Query]:
        """Queries that have an answer, scope by scope."""
        return [q for queries in self.queries.values() for q in queries if self.gold.get(q.id)]


def read_set(path: Path) -> LabelledSet:
    """Labelled set of a directory. Raises `MalformedSet` with the file and the line."""
    texts = _records(path / CORPUS, LabelledText, "text")
    queries = _records(path / QUERIES, Query, "query")
    gold = _gold(path / QRELS, texts, queries)
    return LabelledSet(path.resolve().name, _by_scope(texts), _by_scope(queries), gold)


def _records(file: Path, form: type[_Scoped], called: str) -> dict[str, _Scoped]:
    found: dict[str, _Scoped] = {}
    for number, line in _decoded(file, form):
        if line.id in found:
            raise MalformedSet(file, number, f"{line.id!r} was there before", "give each an id")
        if not line.text.strip():
            raise MalformedSet(file, number, "its text is empty", "give a text, or leave it out")
        try:
            checked_space(line.scope)
        except InvalidField as error:
            raise MalformedSet(file, number, f"its scope {error.problem}", error.fix) from None
        found[line.id] = line
    if not found:
        raise MalformedSet(file, None, f"holds no {called}", "give one object a line")
    return found


def _by_scope(found: Mapping[str, _Scoped]) -> dict[str, list[_Scoped]]:
    scopes: dict[str, list[_Scoped]] = {}
    for one in found.values():
        scopes.setdefault(one.scope, []).append(one)
    return scopes


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Non-empty lines of a file, numbered from 1."""
    fix = f"a set is a directory with {CORPUS}, {QUERIES} and {QRELS}"
    try:
        with open_regular(file) as opened:
            for number, line in enumerate(bounded_lines(opened, file), 1):
                try:
                    text = line.decode().removesuffix("\n")
                except UnicodeDecodeError as error:
                    problem = f"is no UTF-8 ({error})"
                    raise MalformedSet(file, number, problem, "encode it anew") from None
                if text.strip():
                    yield number, text
    except MalformedSet:
        raise
    except MalformedFile as error:
        raise MalformedSet(file, error.line, error.problem, fix) from None
    except (FileNotFoundError, NotADirectoryError):
        raise MalformedSet(file, None, "is missing", fix) from None


def _decoded(file: Path, form: type[_Line]) -> Iterator[tuple[int, _Line]]:
    decoder = msgspec.json.Decoder(form)
    for number, line in _lines(file):
        try:
            yield number, decode_json(decoder.decode, line.encode())
        except msgspec.DecodeError as error:
            fix = "give one JSON object a line, with `_id` and `text`"
            raise MalformedSet(file, number, str(error), fix) from None


def _gold(
    file: Path, texts: Mapping[str, LabelledText], queries: Mapping[str, Query]
) -> dict[str, Grades]:
    gold: dict[str, Grades] = {}
    for number, line in _lines(file):
        columns = line.rstrip("\r").split("\t")
        if len(columns) != _COLUMNS:
            fix = "give query id, corpus id and grade, with tabs between"
            raise MalformedSet(file, number, f"has {len(columns)} columns", fix)
        query_id, text_id, grade = columns
        if not _GRADE.fullmatch(grade.strip()):
            if number == 1 and query_id not in queries:
                continue
            problem = f"{grade!r:.40} is no grade"
            raise MalformedSet(file, number, problem, "give a whole number of at most 9 digits")
        for name, known, where in ((query_id, queries, QUERIES), (text_id, texts, CORPUS)):
            if name not in known:
                fix = "add it there, or take out the line"
                raise MalformedSet(file, number, f"{name!r} is not in {where}", fix)
        if queries[query_id].scope != texts[text_id].scope:
            problem = f"{query_id!r} and {text_id!r} are of different scopes"
            raise MalformedSet(file, number, problem, "a query is asked inside its scope alone")
        if int(grade) > 0:
            gold.setdefault(query_id, {})[text_id] = int(grade)
    return gold


class Answer(msgspec.Struct, frozen=True):
    """Answer that was given to a query."""

    id: str = msgspec.field(name="_id")
    answer: str


def read_answers(file: Path) -> dict[str, str]:
    """Answers by query id, from a JSON Lines file of `_id` and `answer`. Raises `MalformedSet`."""
    return {answer.id: answer.answer for _, answer in _decoded(file, Answer)}
