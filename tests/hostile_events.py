"""Events that chain well and whose payloads no command would write."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from mnemolog.ledger.events import Draft
from mnemolog.ledger.ids import MemoryId, new_event_ids
from mnemolog.ledger.vocabulary import VOCABULARY

DEEP = 5_000
_VALUES = (
    "-1",
    "9223372036854775808",
    "-9223372036854775809",
    "9" * 400,
    "1e308",
    "-1e308",
    "1e-320",
    "1e999",
    "NaN",
    "0",
    "null",
    "true",
    '""',
    '"zz"',
    '"' + "0a" * 16 + '"',
    '["' + "0a" * 16 + '"]',
    '["", "x\\u0000y"]',
    "[]",
    "{}",
    "[1e308, 1e308]",
    '[{"memory": "x", "bearing": 1}]',
    '{"strategy": 7, "lowest_tier": "x", "forgetting_speed": 1e300, "identity": [1]}',
    '{"forgetting_speed": -5, "content_limit_bytes": 1e9, "admission": "?", "artifacts": "x:y"}',
    "[" * DEEP + "]" * DEEP,
    '{"a":' * DEEP + "1" + "}" * DEEP,
)
"""JSON values that some field somewhere cannot hold."""

_GOOD = {
    "superseded": {"by": "0b" * 16},
    "reinstated": {"by": "0b" * 16},
    "redacted": {"events": []},
    "undone": {"command": "0b" * 16},
    "configured": {"settings": {}},
    "linked": {"type": "uses", "target": "0b" * 16},
    "unlinked": {"edge": "0b" * 16},
    "conflicted": {
        "other": "0b" * 16,
        "type": "direct",
        "severity": "minor",
        "resolution": "recency",
        "outcome": "contested",
        "judge": "rules",
    },
    "settled": {"conflict": "0b" * 16, "winner": "old"},
    "reopened": {"conflict": "0b" * 16},
    "weakened": {"factor": 0.5},
    "strengthened": {"strength": 0.5},
    "recalled": {"memories": ["0a" * 16], "at": 1_750_000_000_000_000},
    "ticked": {"until": 1_750_000_000_000_000},
    "degraded": {"tier": "archived", "strength": 0.2, "below_since": 1, "due_at": 2},
    "revived": {"tier": "active", "strength": 0.9},
    "relearned": {"of": "0b" * 16},
    "unlearned": {"of": "0b" * 16},
    "failed": {"failure": "contradiction"},
    "maintained": {"jobs": ["decay"]},
    "reinforced": {"depth_weight": [3.0, 2.0]},
    "imported": {"digest": "00", "position": 1},
    "voted": {
        "session": "0c" * 16,
        "round": 1,
        "vote": "hot",
        "context": {"code": "ff", "embedder": "x"},
    },
    "resolved": {"session": "0c" * 16, "rounds": 1, "context": {"code": "ff", "embedder": "x"}},
}
"""The fields of each kind that have no default."""
_TEXT = {"text": "Dana drinks tea", "reason": "why", "summary": "tea", "cue": "tea", "note": "so"}


def hostile(memory_id: MemoryId) -> Iterator[tuple[str, Draft]]:
    """Drafts by what is wrong with them: each field of each kind with each value, and more."""
    for kind, known in VOCABULARY.kinds.items():
        good = _GOOD.get(kind, {})
        for field in msgspec.structs.fields(known.structure):
            for number, value in enumerate(_VALUES):
                rest = {name: each for name, each in good.items() if name != field.name}
                structure = _with(rest, field.name, value)
                yield f"{kind}.{field.name} {number}", _draft(kind, structure, memory_id)
        for text in ("[]", "{", "7", '{"a":' * DEEP + "1" + "}" * DEEP, "\ud7ff"):
            yield f"{kind} as {text[:3]}", _draft(kind, text, memory_id)
            whole = json.dumps(good)
            yield f"{kind} content {text[:3]}", _draft(kind, whole, memory_id, content=text)
        if known.content is not None:
            for field in msgspec.structs.fields(known.content):
                for number, value in enumerate(_VALUES):
                    content = _with(_TEXT, field.name, value)
                    draft = _draft(kind, json.dumps(good), memory_id, content=content)
                    yield f"{kind} content.{field.name} {number}", draft
        yield f"{kind} of nothing", _draft(kind, json.dumps(good), None)
        for version in (0, -(1 << 62), 1 << 62):
            yield f"{kind} {version}", _draft(kind, json.dumps(good), memory_id, version=version)
    for text in ("{", "[" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP):
        yield f"unknown {text[:3]}", _draft("sung", text, memory_id)


def _with(rest: dict[str, object], name: str, value: str) -> str:
    """A JSON object with one member more, whose value may be none of JSON."""
    return json.dumps({**rest, name: 0})[:-2] + value + "}"


def _draft(
    kind: str,
    structure: str,
    memory_id: MemoryId | None,
    *,
    content: str | None = None,
    version: int = 1,
) -> Draft:
    (event_id,) = new_event_ids(1, 1_750_000_000_000_000)
    return Draft(
        event_id=event_id,
        space="default",
        kind=kind,
        version=version,
        actor="user:mallory",
        structure=structure.encode(),
        content=None if content is None else content.encode(),
        memory_id=MemoryId(event_id) if kind == "remembered" else memory_id,
    )
