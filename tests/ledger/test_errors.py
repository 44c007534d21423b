"""Every error carries its facts, and says what to do."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemolog.ledger import errors
from mnemolog.ledger.errors import LedgerError

HOME = Path("home")

# One of each, the built-in class that it resembles, its facts, and words of its message.
EXAMPLES: list[tuple[LedgerError, type[BaseException], dict[str, object], str]] = [
    (
        errors.InvalidField("tags", "is one text", "give a sequence"),
        ValueError,
        {"field": "tags", "problem": "is one text", "fix": "give a sequence"},
        "tags: is one text; give a sequence",
    ),
    (
        errors.CatchUpNotConfirmed(
            "notes", {"deleted": 7}, [("0a", "deleted", "tea")], 120.0, "it is late"
        ),
        ValueError,
        {
            "space": "notes",
            "falls": {"deleted": 7},
            "examples": (("0a", "deleted", "tea"),),
            "step_days": 120.0,
            "doubt": "it is late",
        },
        "it is late: the clock may be wrong; 7 memories would fall",
    ),
    (
        errors.ImportNotConfirmed(Path("old.jsonl"), 2, 3, [("0a", "tea")]),
        ValueError,
        {
            "file": Path("old.jsonl"),
            "memories": 2,
            "contents": 3,
            "examples": (("0a", "tea"),),
        },
        "`import_events(confirmed=True)`",
    ),
    (
        errors.NothingRead(Path("talk.jsonl"), ["line 1: no JSON"], "name a transcript"),
        errors.InvalidField,
        {"source": Path("talk.jsonl"), "problems": ("line 1: no JSON",)},
        "name a transcript",
    ),
    (errors.EmptyContent(), ValueError, {"field": "content"}, "give the text to remember"),
    (
        errors.ContentTooLarge(2_000, 1_000),
        ValueError,
        {"field": "content", "size_bytes": 2_000, "limit_bytes": 1_000},
        "2,000 bytes of 1,000 allowed",
    ),
    (errors.InvalidTime("at", "is no time", "give one"), ValueError, {"field": "at"}, "give one"),
    (
        errors.MalformedFile(Path("notes"), None, "is no regular file", "name one"),
        ValueError,
        {"file": Path("notes"), "line": None, "field": "notes", "fix": "name one"},
        "notes: is no regular file; name one",
    ),
    (
        errors.MalformedSet(Path("qrels.tsv"), 3, "has 2 columns", "give three"),
        ValueError,
        {"file": Path("qrels.tsv"), "line": 3, "problem": "has 2 columns"},
        "qrels.tsv, line 3: has 2 columns; give three",
    ),
    (
        errors.MalformedConfig(Path("mcp.json"), 3, "is no JSON", "mend it"),
        ValueError,
        {"file": Path("mcp.json"), "line": 3, "field": "mcp.json, line 3", "fix": "mend it"},
        "mcp.json, line 3: is no JSON; mend it",
    ),
    (
        errors.EntryTaken(Path("mcp.json"), "notes", "{}"),
        ValueError,
        {"file": Path("mcp.json"), "name": "notes", "entry": "{}"},
        "replace it with `--replace`",
    ),
    (
        errors.ConfigChanged(Path("mcp.json")),
        Exception,
        {"file": Path("mcp.json")},
        "close the program that it belongs to",
    ),
    (errors.InvalidNumber("limit", "is 0", "give 1"), ValueError, {"field": "limit"}, "give 1"),
    (
        errors.UnknownMemory("0a", "notes"),
        LookupError,
        {"reference": "0a", "space": "notes"},
        "`list` shows the ids",
    ),
    (
        errors.UnknownConflict("@9", "default"),
        LookupError,
        {"reference": "@9", "space": "default"},
        "`mnemolog conflicts` lists those that are open",
    ),
    (errors.UnknownEvent("@9"), LookupError, {"reference": "@9"}, "`log` shows the events"),
    (errors.UnknownEdge("@9"), LookupError, {"reference": "@9"}, "`links` shows what is linked"),
    (
        errors.UnconfirmedUndo(
            position=9,
            kind="pinned",
            content="tea",
            recorded_at=datetime(2025, 6, 15, tzinfo=UTC),
            actor="user:dana",
            events=2,
            reasons=["it is 3 days old"],
        ),
        ValueError,
        {
            "position": 9,
            "kind": "pinned",
            "content": "tea",
            "actor": "user:dana",
            "events": 2,
            "recorded_at": datetime(2025, 6, 15, tzinfo=UTC),
            "reasons": ("it is 3 days old",),
        },
        "it is 3 days old; name it to confirm, as '@9'",
    ),
    (errors.EdgeExists("0a"), ValueError, {"edge_id": "0a"}, "`unlink` it first"),
    (
        errors.UnknownPosition(9, 3),
        LookupError,
        {"position": 9, "head": 3},
        "give one from 0 to 3",
    ),
    (
        errors.UnknownSession("0a" * 16, "default"),
        LookupError,
        {"space": "default"},
        "start another one",
    ),
    (
        errors.SessionOver("0a" * 16, "was resolved", "start another one"),
        ValueError,
        {"problem": "was resolved", "fix": "start another one"},
        "0a0a0a0a… was resolved",
    ),
    (
        errors.NotShown("votes", "0b4e"),
        ValueError,
        {"field": "votes", "reference": "0b4e"},
        "name memories that it showed",
    ),
    (
        errors.AmbiguousId("0", ["0a", "0b"]),
        LookupError,
        {"prefix": "0", "matches": ("0a", "0b")},
        "give more characters",
    ),
    (errors.SupersessionCycle("0a", "0b"), ValueError, {"old": "0a", "new": "0b"}, "0a"),
    (
        errors.ImmutableMemory("0a", "redact"),
        PermissionError,
        {"memory_id": "0a", "command": "redact"},
        "override=True",
    ),
    (
        errors.RedactionNotAllowed("notes"),
        PermissionError,
        {"space": "notes"},
        "`mnemolog config agents_may_redact true --space notes`",
    ),
    (
        errors.InvalidState("0a", "redacted", "name another"),
        ValueError,
        {"memory_id": "0a", "state": "redacted", "fix": "name another"},
        "name another",
    ),
    (
        errors.CannotUndo(3, "others depend on it", [5, 7]),
        ValueError,
        {"position": 3, "reason": "others depend on it", "dependents": (5, 7)},
        "positions 5, 7",
    ),
    (
        errors.StaleExpectation("space 'a'", 3, 5),
        LedgerError,
        {"subject": "space 'a'", "expected": 3, "actual": 5},
        "decide again",
    ),
    (
        errors.EventIdTaken("0a", 4),
        ValueError,
        {"event_id": "0a", "position": 4},
        "use a new id",
    ),
    (
        errors.StorageFailed(HOME, "Input/output error"),
        OSError,
        {"path": HOME, "problem": "Input/output error"},
        "try again",
    ),
    (errors.DiskFull(HOME), errors.StorageFailed, {"path": HOME}, "make room"),
    (
        errors.OutcomeUnknown(HOME, "Input/output error"),
        errors.StorageFailed,
        {"path": HOME},
        "retry under the same id",
    ),
    (
        errors.LogBusy(HOME, 5.0),
        TimeoutError,
        {"path": HOME, "timeout_s": 5.0},
        "try again",
    ),
    (
        errors.CorruptLog("event 4 is missing", 3),
        LedgerError,
        {"problem": "event 4 is missing", "last_good": 3},
        "restore a backup",
    ),
    (
        errors.ExportedInPart("event 4 is missing", 3),
        errors.CorruptLog,
        {"problem": "event 4 is missing", "last_good": 3},
        "import the export into an empty home",
    ),
    (
        errors.CorruptBackup(Path("old.db"), "it is cut off", 3),
        errors.CorruptLog,
        {"source": Path("old.db"), "problem": "it is cut off", "last_good": 3},
        "restore another backup",
    ),
    (errors.LogShortened(9, 4), LedgerError, {"known": 9, "head": 4}, "--accept-loss"),
    (errors.LogShortened(4, 9), LedgerError, {"known": 4, "head": 9}, "holds another event"),
    (errors.LogReplaced(9, 4), LedgerError, {"known": 9, "head": 4}, "--accept-loss"),
    (errors.LogReplaced(4, 9), LedgerError, {"known": 4, "head": 9}, "replaced by another one"),
    (
        errors.MissingHome(HOME),
        FileNotFoundError,
        {"path": HOME},
        "create one with `mnemolog remember`",
    ),
    (errors.MissingLog(HOME), FileNotFoundError, {"path": HOME}, "restore a backup"),
    (
        errors.MissingLog(HOME, "ledger.db-wal of it is"),
        FileNotFoundError,
        {"path": HOME, "left": "ledger.db-wal of it is"},
        "but ledger.db-wal of it is there",
    ),
    (
        errors.ForeignFormat("a.db", "format 2", "format 1"),
        LedgerError,
        {"path": "a.db", "found": "format 2", "supported": "format 1"},
        "this version reads format 1",
    ),
    (
        errors.CheckpointMismatch(4, "it is missing"),
        LedgerError,
        {"position": 4, "problem": "it is missing"},
        "does not fit the log",
    ),
    (
        errors.HomeNotEmpty(HOME, 4),
        FileExistsError,
        {"path": HOME, "events": 4},
        "name an empty home",
    ),
    (errors.EmbedderUnavailable("is missing"), LedgerError, {}, "is missing"),
    (
        errors.SummarizerFailed("0198", "short-1", "no answer"),
        LedgerError,
        {"memory_id": "0198", "summarizer": "short-1", "problem": "no answer"},
        "it stays as it is until the summarizer works",
    ),
    (
        errors.UnsafeLibrary("SQLite", "3.50", "apsw 3.51.3"),
        ImportError,
        {"name": "SQLite", "found": "3.50", "needed": "apsw 3.51.3"},
        "install apsw 3.51.3 or newer",
    ),
    (
        errors.ModelFailed("qwen at ::1", "gave no answer in 20 s", "try again later"),
        OSError,
        {"model": "qwen at ::1", "problem": "gave no answer in 20 s", "fix": "try again later"},
        "qwen at ::1 gave no answer in 20 s; try again later",
    ),
    (
        errors.ArtifactsUnavailable("git:/boats", "is no git repository", "give one"),
        OSError,
        {"source": "git:/boats", "problem": "is no git repository", "fix": "give one"},
        "git:/boats is no git repository; give one",
    ),
    (
        errors.ArtifactsDenied("github:dana/boats", "GITHUB_TOKEN"),
        OSError,
        {"source": "github:dana/boats", "token_variable": "GITHUB_TOKEN"},
        "put a token that may read it into GITHUB_TOKEN",
    ),
    (
        errors.ArtifactsRateLimited("github:dana/boats", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        OSError,
        {"until": datetime(2026, 3, 1, 12, tzinfo=UTC)},
        "try again after 2026-03-01 12:00:00Z",
    ),
    (errors.ArtifactsRateLimited("gitea:dana/boats", None), OSError, {}, "try again later"),
    (errors.ClosedHandle("log"), ValueError, {}, "open it again"),
]


@pytest.mark.parametrize(
    ("error", "resembles", "facts", "words"),
    EXAMPLES,
    ids=[type(example[0]).__name__ for example in EXAMPLES],
)
def test_an_error_carries_its_facts(
    error: LedgerError, resembles: type[BaseException], facts: dict[str, object], words: str
) -> None:
    """Facts are attributes, the message says what helps, the nearest built-in catches it."""
    assert isinstance(error, LedgerError)
    assert isinstance(error, resembles)
    assert {name: getattr(error, name) for name in facts} == facts
    assert words in str(error)


def test_every_error_has_an_example() -> None:
    """No class of the tree is left out above."""
    tree = {
        found
        for found in vars(errors).values()
        if isinstance(found, type) and issubclass(found, LedgerError)
    }
    assert tree - {type(example[0]) for example in EXAMPLES} == {LedgerError}


def test_many_matches_are_cut_short() -> None:
    """An ambiguous id shows five of what it fits, and keeps all."""
    error = errors.AmbiguousId("0", [f"0{number}" for number in range(9)])
    assert "04, …" in str(error)
    assert len(error.matches) == 9
