"""Storing commands: remember one memory or many, supersede, and import."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, pairwise
from typing import TypeVar, Unpack

from msgspec.structs import replace

from mnemolog.application.commands.command import (
    Drafted,
    command,
    memories_named,
    row_of,
    superseders_of,
    superseding,
)
from mnemolog.application.commands.consulting import Consulted, judge_of
from mnemolog.application.commands.receipts import Receipt, as_event, drafts, with_findings
from mnemolog.application.home.settings import Settings
from mnemolog.application.home.space import Author, Cut, Space, WritableSpace, memory_named
from mnemolog.application.imports.files import Arrival, Importing, ImportItem, ImportReport, Problem
from mnemolog.application.questions.browse import read_settings, settings_of
from mnemolog.application.storing.contradiction_check import (
    EMBEDDED_AT_ONCE,
    Check,
    Checking,
    check_mode,
)
from mnemolog.application.storing.restatements import correction_of
from mnemolog.application.storing.store import (
    Entered,
    ReadMemory,
    ToStore,
    read_memories,
    storing_events,
)
from mnemolog.ledger.errors import InvalidField, LogBusy, StorageFailed
from mnemolog.ledger.events import Conflicted, Draft, MemoryContent, Remembered
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.memories import MemoryFields, NewMemory, checked_texts, remembered
from mnemolog.policies.supersession import Replacement, all_above
from mnemolog.projections.folding import Progress
from mnemolog.recall.search.checks import PLAIN_STATUSES
from mnemolog.results import Listing

_T = TypeVar("_T")
_BATCH = 1000


def remember(
    space: WritableSpace,
    content: str | NewMemory,
    *,
    contradictions: Checking | None = None,
    **fields: Unpack[MemoryFields],
) -> Receipt:
    """Receipt of one stored memory; the fields are those of `NewMemory`.

    Contradictions are resolved, and listed in the receipt's `conflicts`. A restatement of a
    corrected fact is superseded by the correction if its `valid_from` is earlier.
    `contradictions="off"` stores it unchecked; None uses the space's setting. Raises
    `EmptyContent`, `ContentTooLarge`, `InvalidField`, `InvalidTime`, `InvalidNumber`, and for
    `supersedes` what `supersede` raises.
    """
    check_mode("contradictions", contradictions)
    new, settings = new_memory(content, fields), read_settings(space)
    parts = [remembered(new, settings.content_limit_bytes)]
    return _remember(space, [new], parts, settings, contradictions)[0]


def remember_many(
    space: WritableSpace,
    items: Iterable[NewMemory | str],
    *,
    contradictions: Checking | None = None,
    progress: Progress | None = None,
) -> Listing[Receipt]:
    """Receipts of memories stored in the order given, in transactions of a thousand.

    All are validated before any is stored. Each is checked for contradictions with stored
    memories and with the items before it.
    """
    check_mode("contradictions", contradictions)
    if isinstance(items, str):
        raise InvalidField("items", "is one text", "give a list of them, or use `remember`")
    new = [new_memory(item, {}) for item in items]
    settings = read_settings(space)
    parts = [remembered(item, settings.content_limit_bytes) for item in new]
    receipts: list[Receipt] = []
    for start in range(0, len(new), _BATCH):
        batch = slice(start, start + _BATCH)
        receipts += _remember(space, new[batch], parts[batch], settings, contradictions)
        if progress is not None:
            progress("remembering", len(receipts), len(new))
    return Listing(receipts)


def supersede(  # noqa: PLR0913 - what, by what, and why, all optional and by name
    space: WritableSpace,
    old: str | Sequence[str],
    content: str | NewMemory | None = None,
    *,
    by: str | None = None,
    reason: str | None = None,
    override: bool = False,
    **fields: Unpack[MemoryFields],
) -> Receipt:
    """Receipt of a supersession: a new memory, or the stored one `by`, replaces older ones.

    A new memory without `valid_from` is valid from now on. If an old one was superseded before,
    its earlier successor stays in force; `warnings` name it. Raises `UnknownMemory`,
    `SupersessionCycle`, `InvalidState`, and `ImmutableMemory` unless `override` is given.
    """
    references = [old] if isinstance(old, str) else [*checked_texts("old", old)]
    if not references:
        raise InvalidField("old", "names nothing", "name the memory to supersede")
    if (content is None) == (by is None):
        raise InvalidField("content", "or `by` is needed, not both", "give one of them")
    rivals: dict[MemoryId, str] = {}
    fix = "which still stands; supersede that as well if it no longer holds"

    def decide(cut: Cut) -> Drafted:
        olds = memories_named(space, references, cut)
        overrides = frozenset(olds if override else ())
        new = None if by is None else memory_named(space, by, cut)
        # Memories in force that superseded the old ones before.
        rivals.clear()
        for replaced in olds:
            for one in sorted(all_above(replaced, partial(superseders_of, space, cut=cut))):
                if one not in {new, *olds} and row_of(space, one, cut).status in PLAIN_STATUSES:
                    rivals[one] = f"{replaced} was superseded by {one} before, {fix}"
        if new is not None:
            replacement = Replacement(new, row_of(space, new, cut).valid_from)
            decisions = superseding(space, olds, replacement, overrides, reason, cut)
            return drafts(decisions, space.author, cut.instant), [*olds, new]
        item, settings = new_memory(content or "", fields), settings_of(space, cut)
        storing = ToStore(item, olds, settings, space.author, overrides, reason)
        return storing_events(space, storing, cut), olds

    receipt = command(space, decide)[1]
    # A memory stored again under its id is not its own rival.
    rivals.pop(receipt.memory_id or MemoryId(""), None)
    return replace(receipt, warnings=(*receipt.warnings, *rivals.values()))


def import_memories(
    space: WritableSpace,
    items: Iterable[ImportItem | Problem],
    progress: Progress | None = None,
    *,
    contradictions: Checking | None = None,
) -> ImportReport:
    """Report of an import, checked as `remember_many`: skips known items, supersedes old ones."""
    check_mode("contradictions", contradictions)
    store = partial(_store_imported, space, contradictions)
    report = Importing(space, store).run(items, progress)
    try:
        space.home.index(space.name).at(space.home.head(), progress)
    except (StorageFailed, LogBusy) as error:
        # Not an error of the import: the next question indexes the stored memories.
        space.home.notify(f"what is imported is stored, but not indexed yet: {error}")
    return report


def _remember(
    space: WritableSpace,
    items: Sequence[NewMemory],
    parts: Sequence[tuple[Remembered, MemoryContent]],
    settings: Settings,
    contradictions: Checking | None,
) -> list[Receipt]:
    def store(one: tuple[NewMemory, ReadMemory], check: Check | None, cut: Cut) -> Drafted:
        item, read = one
        by = None if check is None else correction_of(space, item, cut)
        return storing_checked(space, item, by, settings, check, cut, read=read)

    read = [*zip(items, read_memories(space, items, parts, settings), strict=True)]
    batch, whole, sizes, warnings = _stored(space, settings, contradictions, read, store)
    receipts = split_receipt(batch, whole, sizes)
    return [with_findings(one, batch, warnings, space.home.log) for one in receipts]


def _store_imported(
    space: WritableSpace, contradictions: Checking | None, batch: Sequence[Arrival]
) -> int:
    """Number of conflicts found while storing imported memories, each in its own run."""
    settings = read_settings(space)
    items = [item.memory for item, _ in batch]
    parts = [remembered(item, settings.content_limit_bytes) for item in items]

    def store(one: tuple[Arrival, ReadMemory], check: Check | None, cut: Cut) -> Drafted:
        (item, olds), read = one
        author = replace(space.author, run=item.run or space.author.run)
        origin = item.origin if item.revisable else None
        is_checked = check is not None and not olds
        by = correction_of(space, item.memory, cut) if is_checked else None
        storing = ToStore(
            item.memory, olds, settings, author, origin=origin, check=check, by=by, read=read
        )
        return storing_events(space, storing, cut), [*olds, *filter(None, [by])]

    read = [*zip(batch, read_memories(space, items, parts, settings), strict=True)]
    drafted, _, _, warnings = _stored(space, settings, contradictions, read, store)
    for warning in dict.fromkeys(chain.from_iterable(warnings.values())):
        # An import has no receipts.
        space.home.notify(warning)
    found = [VOCABULARY.structure(as_event(one, Position(0))) for one in drafted]
    return sum(isinstance(one, Conflicted) and one.outcome != "offered" for one in found)


def _stored(
    space: WritableSpace,
    settings: Settings,
    contradictions: Checking | None,
    items: Sequence[_T],
    store: Callable[[_T, Check | None, Cut], Drafted],
) -> tuple[list[Draft], Receipt, list[int], Mapping[MemoryId, Sequence[str]]]:
    sizes: list[int] = []
    large = len(items) > EMBEDDED_AT_ONCE
    consulted = Consulted(space.home, judge_of(space.home, settings), large=large)
    mode = contradictions or settings.contradictions
    check = check_of(space, mode, len(items), consulted)

    def decide(cut: Cut) -> Drafted:
        if check is not None:
            check.begin(cut.position)
        sizes.clear()
        batch: list[Draft] = []
        touched: list[MemoryId] = []
        for item in items:
            events, decided_on = store(item, check, cut)
            sizes.append(len(events))
            batch += events
            touched += decided_on
        return batch, touched if check is None else [*touched, *check.touched]

    batch, whole = command(space, decide, None if check is None else check.guard)
    return batch, whole, sizes, {} if check is None else check.warnings


def check_of(
    space: Space, contradictions: Checking | None, count: int, consulted: Consulted
) -> Check | None:
    """Contradiction check of `count` memories; None if it is off."""
    if (contradictions or read_settings(space).contradictions) == "off":
        return None
    return Check(space.home, space.name, count, consulted)


def storing_checked(  # noqa: PLR0913, PLR0917 - what, by which rules, and by whom
    space: WritableSpace,
    item: NewMemory,
    by: MemoryId | None,
    settings: Settings,
    check: Check | None,
    cut: Cut,
    author: Author | None = None,
    entered: Entered | None = None,
    read: ReadMemory | None = None,
) -> Drafted:
    """Events that store a memory, and the memories they were decided on; `by` supersedes it."""
    named, who = memories_named(space, item.supersedes, cut), author or space.author
    storing = ToStore(item, named, settings, who, check=check, entered=entered, by=by, read=read)
    return storing_events(space, storing, cut), [*named, *filter(None, [by])]


def new_memory(content: str | NewMemory, fields: MemoryFields) -> NewMemory:
    """Memory to store, with these fields. Raises `InvalidField` for unknown ones."""
    if isinstance(content, NewMemory):
        return replace(content, **fields) if fields else content
    try:
        return NewMemory(content, **fields)
    except TypeError as error:
        raise InvalidField("fields", str(error), "see NewMemory for what there is") from None


def split_receipt(batch: Sequence[Draft], whole: Receipt, sizes: Sequence[int]) -> list[Receipt]:
    """Receipts of a batch, one per memory."""
    ends = [*accumulate(sizes, initial=0)]
    return [
        replace(
            whole,
            memory_id=batch[start].memory_id,
            position=whole.events[start].position,
            events=whole.events[start:end],
            changed=whole.changed[start:end],
        )
        for start, end in pairwise(ends)
    ]
