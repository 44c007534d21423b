"""Admission commands for content of unknown importance: admit and flush."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Unpack

import msgspec

from mnemolog.application.admission.decide import (
    AT_ONCE,
    Hear,
    Ways,
    _emptied,
    _let_in,
    _vectors_of,
    applicant,
    as_embedded,
    met_together,
)
from mnemolog.application.admission.evidence import Applicant, Focus
from mnemolog.application.admission.results import Admission, AdmissionResult, admission
from mnemolog.application.admission.retries import ids_of_turns
from mnemolog.application.home.space import Author, WritableSpace
from mnemolog.application.questions.browse import read_settings
from mnemolog.application.questions.recall import attended, embedded
from mnemolog.application.questions.turns import checked_turns
from mnemolog.application.redaction.redact import erase_and_tell
from mnemolog.application.storing.contradiction_check import Checking, checked_checking
from mnemolog.application.storing.passing_corrections import heard, heard_again
from mnemolog.application.storing.remember import new_memory
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.events import Remembered
from mnemolog.ledger.ids import EventId, Position
from mnemolog.policies.memories import MemoryFields, NewMemory, checked_text, remembered
from mnemolog.recall.context.context import Turn
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.question import WINDOW, Attention

_ERASING_S = 10.0


def admit(
    space: WritableSpace,
    content: str | NewMemory | Sequence[Turn | Mapping[str, str]],
    *,
    attention: str | Attention | None = None,
    contradictions: Checking | None = None,
    **fields: Unpack[MemoryFields],
) -> Admission:
    """Admit content if it is relevant and new: a text, or conversation turns.

    Each content is scored by its ACT-R activation and placed by the space's table `admission`:
    persist stores it as a memory, reinforce strengthens the memory that says the same, buffer
    keeps it until `flush`, and drop keeps only its scores and a keyed digest. Each decision is
    an event that can be undone separately. `attention` is the current focus, a text or the
    result of `attend`; for a conversation it defaults to the user's most recent turns. The
    fields are those of `NewMemory`. With `id`, a retry changes nothing; a retried conversation
    continues after the turns that were already admitted. Use `remember` for content known to
    matter: raises `InvalidField` for `supersedes` and `immutable`, and the errors of
    `remember`.
    """
    checked_checking("contradictions", contradictions)
    settings = read_settings(space)
    items = _submitted(space, content, fields)
    given = [remembered(item, settings.content_limit_bytes) for item in items]
    hear: Hear = partial(heard_again, space)
    if isinstance(content, str | NewMemory):
        hear = partial(heard, space, actor=space.author.actor)
    vectors = _vectors_of(space, [as_embedded(one) for one in given])
    focus = _focus_of(space, attention)
    if attention is None and not isinstance(content, str | NewMemory):
        focus = _focus_of_talk(space, items, vectors)
    ways = Ways(focus, contradictions, hear)
    now = space.cut().instant
    said_at = [_said_at(one, now) for one, _ in given]
    met = met_together(vectors, said_at)
    applicants = [
        applicant(item, one, space.author, vector, at, times)
        for item, one, vector, at, times in zip(items, given, vectors, said_at, met, strict=True)
    ]
    told: builtins.list[AdmissionResult] = []
    for start in range(0, len(applicants), AT_ONCE):
        told += _let_in(space, applicants[start : start + AT_ONCE], ways)
    return admission(told, space.cut())


def flush(
    space: WritableSpace,
    *,
    attention: str | Attention | None = None,
    contradictions: Checking | None = None,
) -> Admission:
    """Empty the buffer: score its content again as of now and decide each finally.

    `attention` is as in `admit`; without it, the focus at buffering time counts. Content that
    the table would buffer again is persisted if its activation is at least 0, because it
    occurred recently or often, and dropped otherwise. Content that leaves the buffer is
    destroyed there in every case: a flush cannot be undone as a whole, but each stored or
    reinforced memory can. Safe from several processes.
    """
    checked_checking("contradictions", contradictions)
    ways = Ways(
        _focus_of(space, attention), contradictions, partial(heard_again, space), for_good=True
    )
    known: dict[EventId, Applicant] = {}
    told: builtins.list[AdmissionResult] = []
    erased: builtins.list[Position] = []
    try:
        while part := _emptied(space, ways, known):
            told += part.told
            erased += part.erased
    finally:
        # Run once, even after an error: while a redaction is open, it reads foreign files.
        complete = not erased or erase_and_tell(space.home, erased, _ERASING_S)
    return msgspec.structs.replace(admission(told, space.cut()), complete=complete)


def _submitted(
    space: WritableSpace,
    content: str | NewMemory | Sequence[Turn | Mapping[str, str]],
    fields: MemoryFields,
) -> builtins.list[NewMemory]:
    """Submitted content as new memories. Raises `InvalidField`."""
    if isinstance(content, str | NewMemory):
        items = [new_memory(content, fields)]
    else:
        turns = checked_turns(content)
        if not turns:
            raise InvalidField("conversation", "has no turns", "give at least one")
        ids = ids_of_turns(checked_text("id", fields.get("id")), len(turns))
        items = [
            msgspec.structs.replace(new_memory(_said(turn, space.author), fields), id=own_id)
            for turn, own_id in zip(turns, ids, strict=True)
        ]
    for item in items:
        for field in ("supersedes", "immutable"):
            if getattr(item, field):
                raise InvalidField(field, "is for what matters for sure", "use `remember`")
    return items


def _focus_of(space: WritableSpace, attention: str | Attention | None) -> Focus:
    if attention is None:
        return Focus()
    if not isinstance(attention, str):
        return _focus_on(attended(space, attention))
    text = checked_text("attention", attention) or ""
    if not text.strip():
        raise InvalidField("attention", "is empty", "say what is attended to, or leave it out")
    return Focus((embedded(space, text),), frozenset(space.home.parts.analyzer.cue(text)))


def _focus_of_talk(
    space: WritableSpace, items: Sequence[NewMemory], vectors: Sequence[Vector]
) -> Focus:
    """Focus of a conversation: the latest turns of the user, or of anyone if there are none."""
    said = [*zip(items, vectors, strict=True)]
    by_user = [one for one in said if (one[0].source or "").startswith("user:")] or said
    latest = [*reversed(by_user)][:WINDOW]
    focus = _focus_on(Attention(tuple(vector for _, vector in latest)))
    words = frozenset(space.home.parts.analyzer.cue(latest[0][0].content))
    return msgspec.structs.replace(focus, words=words)


def _said(turn: Turn, author: Author) -> NewMemory:
    """Turn as a new memory; its source is the user, the system or the agent of its role."""
    role = turn.role.strip().lower()
    source = f"agent:{role}"
    if role == "user":
        source = author.actor if author.actor.startswith("user:") else "user:user"
    elif role == "system":
        source = "system:prompt"
    return NewMemory(turn.content, kind="episodic", source=source)


def _focus_on(attention: Attention) -> Focus:
    """Focus of an attention: its latest input and the centroid of its window."""
    return Focus((attention.window[0], attention.centroid))


def _said_at(structure: Remembered, now: Micros) -> Micros:
    """Time at which content was said; now, if its time is missing or in the future."""
    began = structure.valid_from
    return now if began is None or began > now else Micros(began)
