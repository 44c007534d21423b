"""Admission commands for content of unknown importance: admit and flush."""

from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Unpack

from msgspec.structs import replace

from mnemolog.application.admission.decide import (
    AT_ONCE,
    Admission,
    AdmissionResult,
    admission,
    decide_together,
    draw,
    met_together,
    vectors_of,
    waiting_in_buffer,
)
from mnemolog.application.admission.space_admission import AdmissionRules, Applicant, Focus
from mnemolog.application.home.space import Author, WritableSpace
from mnemolog.application.questions.browse import read_settings
from mnemolog.application.questions.context import checked_turns
from mnemolog.application.questions.recall import attended, embedded
from mnemolog.application.redaction.redact import erase_with_notices
from mnemolog.application.storing.contradiction_check import Checking, check_mode
from mnemolog.application.storing.remember import new_memory
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids import EventId, Position, parse_id
from mnemolog.policies.memories import MemoryFields, NewMemory, checked_text, remembered
from mnemolog.recall.context import Turn
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
    persist stores it as a memory, reinforce strengthens the memory that says the same, buffer keeps
    it until `flush`, and drop keeps only its scores and a keyed digest. Each decision is an event
    that can be undone separately. `attention` is the current focus, a text or the result of
    `attend`; for a conversation it defaults to the user's most recent turns. The fields are those
    of `NewMemory`. A retry with the same `id` continues where it ended. Raises the errors of
    `remember`, and `InvalidField` for `supersedes` and `immutable`.
    """
    check_mode("contradictions", contradictions)
    settings = read_settings(space)
    items = _submitted(space, content, fields)
    given = [remembered(item, settings.content_limit_bytes) for item in items]
    vectors, focus = vectors_of(space, given), _focus_of(space, attention)
    if attention is None and not isinstance(content, str | NewMemory):
        focus = _focus_of_talk(space, items, vectors)
    rules, now = AdmissionRules(focus, contradictions), space.cut().instant
    # Content whose time is missing or in the future counts as said now.
    began = (now if one.valid_from is None else min(one.valid_from, now) for one, _ in given)
    said_at = [*map(Micros, began)]
    met = met_together(vectors, said_at)
    applicants = [
        Applicant(item, one, space.author, vector, draw(), at, times)
        for item, one, vector, at, times in zip(items, given, vectors, said_at, met, strict=True)
    ]

    def decide(start: int) -> Sequence[AdmissionResult]:
        some = applicants[start : start + AT_ONCE]
        return decide_together(space, rules, lambda _: some, len(some))[0]

    told = [one for start in range(0, len(applicants), AT_ONCE) for one in decide(start)]
    return admission(told, space.cut())


def flush(
    space: WritableSpace,
    *,
    attention: str | Attention | None = None,
    contradictions: Checking | None = None,
) -> Admission:
    """Empty the buffer: score its content again as of now and decide each finally.

    `attention` is as in `admit`; without it, the focus at buffering time counts. Content that
    the table would buffer again is persisted if its activation is at least 0, and dropped
    otherwise. What leaves the buffer is destroyed there: a flush cannot be undone as a whole, but
    each stored or reinforced memory can. Safe from several processes.
    """
    check_mode("contradictions", contradictions)
    rules = AdmissionRules(_focus_of(space, attention), contradictions, for_good=True)
    waiting = partial(waiting_in_buffer, space, dict[EventId, Applicant]())
    told, erased = list[AdmissionResult](), list[Position]()
    try:
        while count := len(waiting(space.cut())):
            some, gone = decide_together(space, rules, waiting, count)
            told += some
            erased += gone
    finally:
        # Run once, even after an error: while a redaction is open, it reads foreign files.
        complete = not erased or erase_with_notices(space.home, erased, _ERASING_S)
    return replace(admission(told, space.cut()), complete=complete)


def _submitted(
    space: WritableSpace,
    content: str | NewMemory | Sequence[Turn | Mapping[str, str]],
    fields: MemoryFields,
) -> list[NewMemory]:
    if isinstance(content, str | NewMemory):
        items = [new_memory(content, fields)]
    else:
        turns = checked_turns(content)
        if not turns:
            raise InvalidField("conversation", "has no turns", "give at least one")
        ids = _ids_of_turns(checked_text("id", fields.get("id")), len(turns))
        items = [
            replace(new_memory(_said(turn, space.author), fields), id=own_id)
            for turn, own_id in zip(turns, ids, strict=True)
        ]
    for item in items:
        for field in ("supersedes", "immutable"):
            if getattr(item, field):
                raise InvalidField(field, "is for what matters for sure", "use `remember`")
    return items


def _ids_of_turns(given: str | None, count: int) -> list[str | None]:
    """Ids of a conversation's turns: the given one, then ids derived from it; None without one."""
    if given is None:
        return [None] * count
    first = parse_id("id", given)
    made = [sha256(f"turn {at} of {first}".encode()).hexdigest() for at in range(1, count)]
    # UUIDv7s of the same millisecond.
    begins, variants = f"{first[:12]}7", "89ab"
    return [
        first,
        *(f"{begins}{one[:3]}{variants[int(one[3], 16) & 3]}{one[4:19]}" for one in made),
    ]


def _focus_of(space: WritableSpace, attention: str | Attention | None) -> Focus:
    if attention is None:
        return Focus()
    if not isinstance(attention, str):
        found = attended(space, attention)
        return Focus((found.window[0], found.centroid))
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
    window = Attention(tuple(vector for _, vector in latest))
    words = frozenset(space.home.parts.analyzer.cue(latest[0][0].content))
    return Focus((window.window[0], window.centroid), words)


def _said(turn: Turn, author: Author) -> NewMemory:
    role = turn.role.strip().lower()
    user = author.actor if author.actor.startswith("user:") else "user:user"
    source = {"user": user, "system": "system:prompt"}.get(role, f"agent:{role}")
    return NewMemory(turn.content, kind="episodic", source=source)
