"""The library's face: commands that append events, and questions to what they come to."""

from __future__ import annotations

import builtins
import getpass
import secrets
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec

from mnemolog.application.admission.admit import admit, flush
from mnemolog.application.commands.append import append_event
from mnemolog.application.commands.link import link, unlink
from mnemolog.application.commands.pin import (
    configure,
    pin,
    preview_undo,
    redact,
    undo,
    unpin,
    withdraw,
)
from mnemolog.application.commands.report_failure import report_failure
from mnemolog.application.commands.settle import settle_conflict, settle_conflicts
from mnemolog.application.home.home import Home, Missing, home_path
from mnemolog.application.home.space import Author, Space, WritableSpace, cut_at
from mnemolog.application.redaction.redact import erase, erase_and_tell
from mnemolog.application.retention.consolidate import consolidate
from mnemolog.application.retention.maintain import maintain
from mnemolog.application.retention.schedule import upkeep_schedule
from mnemolog.application.retention.tick import falling_due, tick
from mnemolog.application.retention.use import use, use_shown, writable_space, write_uses
from mnemolog.application.sessions.sessions import (
    recall_resolve,
    recall_session_start,
    recall_vote,
    vote,
)
from mnemolog.application.storing.correct import correct
from mnemolog.application.storing.remember import (
    import_memories,
    remember,
    remember_many,
    supersede,
)
from mnemolog.application.transfer.backups import back_up
from mnemolog.application.transfer.event_imports import EventsImported, import_log
from mnemolog.application.transfer.exports import export_log
from mnemolog.application.upkeep.diff import Diff, difference
from mnemolog.application.upkeep.doctor import Diagnosis, Stats, diagnose, measure
from mnemolog.application.upkeep.vector_checks import SAMPLE
from mnemolog.indexes.embedder import Embedder
from mnemolog.ledger.checkpoints import Checkpoint, checkpoint_of
from mnemolog.ledger.clock import Clock
from mnemolog.ledger.files import check_outside
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Durability
from mnemolog.ledger.verification import Verified, verify
from mnemolog.methods import method
from mnemolog.moment import Moment, Questions
from mnemolog.policies.contradictions.judge import Judge
from mnemolog.policies.memories import (
    checked_actor,
    checked_run,
    checked_space,
)
from mnemolog.policies.retention.summaries import Summarizer
from mnemolog.projections.folding import Progress
from mnemolog.projections.memory_queries import spaces_as_of
from mnemolog.recall.search.reranking import Reranker

_OPENING_S = 0.5
"""How long an opening waits for what keeps a redaction from its end."""


class Rebuilt(msgspec.Struct, frozen=True):
    """What a rebuild reached: the position, and how many memories of how many spaces."""

    position: Position
    memories: int
    spaces: int


class Memory(Questions):
    """One space of a ledger, open for commands and questions; safe for several threads.

    Use it as a context manager, or call `close`. `notices` tells what the user
    should know, such as a derived file that was damaged and rebuilt.
    """

    _space: WritableSpace

    def __init__(self, space: WritableSpace) -> None:
        super().__init__(space)

    @classmethod
    def open(  # noqa: PLR0913 - who, where and with what parts, all optional and by name
        cls,
        home: Path | str | None = None,
        space: str = "default",
        *,
        missing: Missing = "create",
        actor: str | None = None,
        run: str | None = None,
        durability: Durability = Durability.DURABLE,
        clock: Clock | None = None,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        judge: Judge | None = None,
        summarizer: Summarizer | None = None,
    ) -> Self:
        """Open a home; None is `$MNEMOLOG_HOME` or the user's own.

        A home that is not there is created; with `missing="refuse"` it is not, as suits
        a program that only asks, and `MissingHome` is raised. An empty directory is none.
        `actor` (`user:NAME`, `agent:NAME`, `system:NAME`) is who causes events.
        `run` is the session that they belong to, by default one of this
        handle's own: what is remembered in one run counts as one talk, in
        order. `reranker` reads the best candidates of each recall once more; without
        one the space's setting decides. `judge` finds contradictions; by default the
        built-in rules do. `summarizer` makes what stands for a text that has faded; by
        default some of its own sentences do. A home that cannot be written is open for
        questions alone. Raises `MissingLog`, `CorruptLog`, `ForeignFormat`, `StorageFailed`.
        """
        author = Author(
            checked_space(space),
            checked_actor(f"user:{getpass.getuser()}" if actor is None else actor),
            secrets.token_hex(8) if run is None else checked_run(run),
        )
        parts = Home(
            home_path(home),
            missing=missing,
            clock=clock,
            durability=durability,
            embedder=embedder,
            reranker=reranker,
            judge=judge,
            summarizer=summarizer,
        )
        memory = cls(writable_space(parts, author))
        try:
            _go_on_erasing(parts)
        except BaseException:
            parts.close()
            raise
        return memory

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what was reported as used, finish what is being written, close every file."""
        try:
            self._space.uses.close()
        finally:
            self._space.home.close()

    def acting(
        self, space: str | None = None, *, actor: str | None = None, run: str | None = None
    ) -> Memory:
        """A handle on the same open home for another space, actor or run; None is this one's.

        For a program that serves several at once: files, indexes and the model are
        shared. Closing it writes what was reported as used through it; the home stays
        open until the handle that opened it is closed, which is to be the last.
        """
        author = Author(
            self.space if space is None else checked_space(space),
            self._space.author.actor if actor is None else checked_actor(actor),
            self._space.author.run if run is None else checked_run(run),
        )
        return _Acting(writable_space(self._space.home, author))

    @property
    def home(self) -> Path:
        """The directory of the ledger."""
        return self._space.home.path

    @property
    def notices(self) -> builtins.list[str]:
        """What the user should know: what was damaged, and what was done about it."""
        return self._space.home.notices

    # -- commands ----------------------------------------------------------------------

    remember = method(remember)
    remember_many = method(remember_many)
    import_memories = method(import_memories)
    admit = method(admit)
    flush = method(flush)
    correct = method(correct)
    supersede = method(supersede)
    withdraw = method(withdraw)
    undo = method(undo)
    preview_undo = method(preview_undo)
    redact = method(redact)
    pin = method(pin)
    unpin = method(unpin)
    link = method(link)
    unlink = method(unlink)
    settle = method(settle_conflict)
    settle_all = method(settle_conflicts)
    use = method(use)
    use_shown = method(use_shown)
    write_uses = method(write_uses)
    report_failure = method(report_failure)
    append = method(append_event)
    configure = method(configure)

    recall_session_start = method(recall_session_start)
    recall_vote = method(recall_vote)
    recall_resolve = method(recall_resolve)
    vote = method(vote)

    tick = method(tick)
    falling_due = method(falling_due)
    consolidate = method(consolidate)
    maintain = method(maintain)
    upkeep = method(upkeep_schedule)

    # -- the past ----------------------------------------------------------------------

    def as_of(self, moment: int | datetime | str) -> Moment:
        """The same questions, answered as of a log position or a time; read-only."""
        return Moment(self._space.home, self.space, cut_at(self._space.home, moment))

    def diff(self, a: int | datetime | str, b: int | datetime | str) -> Diff:
        """What changed in this space between two moments."""
        return difference(self._at(a), self._at(b))

    def _at(self, moment: int | datetime | str) -> Space:
        return self._space.at(cut_at(self._space.home, moment))

    # -- tending -----------------------------------------------------------------------

    def checkpoint(self) -> Checkpoint:
        """The present head, to be kept elsewhere as evidence."""
        return checkpoint_of(self._space.home.log)

    def verify(
        self, checkpoint: Checkpoint | None = None, progress: Progress | None = None
    ) -> Verified:
        """Compute every hash of the log again, and hold a checkpoint against it.

        Raises `CorruptLog` with the last good position, `LogShortened` if the
        log is known to have held more or other events, `LogReplaced` if it is another
        home's, or `CheckpointMismatch`.
        """
        self._space.home.views.check_losses()
        return verify(self._space.home.log, checkpoint, progress)

    def rebuild(self, progress: Progress | None = None) -> Rebuilt:
        """Build views and the indexes of all spaces from the log alone, then switch to them.

        Raises `StorageFailed` where they cannot be written.
        """
        head = self._space.home.views.rebuild(progress).position
        memories = len(self._space.home.index(self.space).rebuild(head, progress).columns)
        spaces = self._space.home.views.read(lambda db: spaces_as_of(db, head))
        for space in spaces:
            if space != self.space:
                memories += self._space.home.rebuild_index(space, head, progress)
        return Rebuilt(head, memories, len(spaces))

    def index(self, progress: Progress | None = None) -> int:
        """Embed and index what is not yet, so that the next question need not; how many are.

        Raises `StorageFailed` where that cannot be written: this process then answers from
        memory, and others have it to do again.
        """
        head = self._space.home.head()
        self._space.home.views.check_kept()
        return len(self._space.home.index(self.space).keep(head, progress).columns)

    def catch_up(self, progress: Progress | None = None) -> int:
        """Do now, and tell of, what the next question would do first; how many are indexed.

        As `index`, but without the graph that a very large space is given, and in memory
        where it cannot be written.
        """
        return len(self._space.home.index(self.space).at(self._space.home.head(), progress).columns)

    def stats(self) -> Stats:
        """Sizes: events, memories, and bytes of each file."""
        return measure(self._space.home, self.counts())

    def doctor(self, progress: Progress | None = None, *, sample: int | None = SAMPLE) -> Diagnosis:
        """Check everything: the log, its file, the views against a rebuild, indexes, vectors.

        The texts of `sample` memories, drawn at random, are embedded again and compared with
        their vectors; None compares all of them.
        """
        return diagnose(self._space.home, progress, sample)

    def accept_loss(self) -> None:
        """Forget the evidence that the log was once longer: the loss is known and accepted."""
        self._space.home.views.accept_losses()

    def backup(self, target: Path, progress: Progress | None = None) -> Checkpoint:
        """Copy the log of this live home into a new file, verified; its head."""
        return back_up(self._space.home.log, target, progress)

    def export_events(self, target: Path | IO[bytes], progress: Progress | None = None) -> int:
        """Write every event of the home as JSON Lines; how many there were.

        Raises `ExportedInPart` where the log is damaged, behind writing what verifies.
        """
        if isinstance(target, Path):
            check_outside("target", target, self.home)
        return export_log(self._space.home.log, target, progress)

    def import_events(
        self,
        source: Path | IO[bytes],
        progress: Progress | None = None,
        *,
        settings: Sequence[str] = (),
        confirmed: bool = False,
    ) -> EventsImported:
        """Read events that `export_events` wrote; all of them are checked before any comes in.

        Into an empty home they come as they were, bit for bit, or not at all; elsewhere
        they are appended anew with their own ids, what is there already is passed over,
        and what was redacted there is redacted here. Settings in the file hold only if
        they are among `settings`, by name. Raises `ForeignFormat`, `MalformedFile` or
        `EventIdTaken`, and, unless it is `confirmed`, `ImportNotConfirmed` before content of
        this home is destroyed.
        """
        imported = import_log(
            self._space.home, self._space.author, source, settings, progress, confirmed=confirmed
        )
        if imported.erased:
            left = erase(self._space.home, imported.erased, timeout_s=10.0)
            imported = msgspec.structs.replace(imported, left=left)
        for warning in self._space.home.follow():
            self._space.home.notify(warning)
        return imported


def _go_on_erasing(home: Home) -> None:
    """Take up the redactions that could not be finished before."""
    pending = home.log.pending_erasures()
    if pending and erase_and_tell(home, (), timeout_s=_OPENING_S):
        home.finished = tuple(pending)


class _Acting(Memory):
    """A handle on a home that another handle opened, and closes."""

    def close(self) -> None:
        self._space.uses.close()
