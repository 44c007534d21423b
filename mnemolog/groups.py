"""Groups of rarer methods: `memory.log`, `.graph`, `.conflicts`, `.sessions` and `.upkeep`."""

from __future__ import annotations

from mnemolog.application.commands.append import append_event
from mnemolog.application.commands.link import link, unlink
from mnemolog.application.commands.settle import settle_conflict, settle_conflicts
from mnemolog.application.questions.associations import associations
from mnemolog.application.questions.browse import list_events
from mnemolog.application.questions.conflicts import list_conflicts
from mnemolog.application.questions.edges import list_links
from mnemolog.application.questions.health import health_of_spaces, space_health
from mnemolog.application.retention.consolidate import consolidate
from mnemolog.application.retention.maintain import maintain
from mnemolog.application.retention.schedule import upkeep_schedule
from mnemolog.application.retention.tick import falling_due, tick
from mnemolog.application.sessions.sessions import (
    recall_resolve,
    recall_session_start,
    recall_vote,
    vote_once,
)
from mnemolog.application.transfer.backups import back_up
from mnemolog.application.transfer.event_imports import import_events
from mnemolog.application.transfer.exports import export_events
from mnemolog.application.upkeep.doctor import diagnose, stats
from mnemolog.application.upkeep.rebuild import catch_up, index, rebuild
from mnemolog.application.upkeep.verify import accept_loss, checkpoint, verify_log
from mnemolog.methods import AsyncFace, Face, method, stream


class LogQuestions(Face):
    """Questions to the log: its events."""

    events = stream(list_events)


class Log(LogQuestions):
    """The log itself: its events, proofs and copies."""

    append = method(append_event)
    verify = method(verify_log)
    checkpoint = method(checkpoint)
    accept_loss = method(accept_loss)
    export_events = method(export_events)
    import_events = method(import_events)
    backup = method(back_up)


class GraphQuestions(Face):
    """Questions to the graph: edges, and memories that go together."""

    links = method(list_links)
    associations = method(associations)


class Graph(GraphQuestions):
    """The graph of memories and things: its edges, and the commands that make and end them."""

    link = method(link)
    unlink = method(unlink)


class ConflictQuestions(Face):
    """Questions to the conflicts between memories."""

    list = method(list_conflicts)


class Conflicts(ConflictQuestions):
    """The conflicts between memories, and the commands that settle them."""

    settle = method(settle_conflict)
    settle_all = method(settle_conflicts)


class Sessions(Face):
    """Recall sessions: votes on what is shown steer the next round, and teach later recalls."""

    start = method(recall_session_start)
    vote = method(recall_vote)
    resolve = method(recall_resolve)
    vote_once = method(vote_once)


class UpkeepQuestions(Face):
    """Questions to the state of a space: its health, and jobs that are due."""

    health = method(space_health)
    healths = method(health_of_spaces)
    schedule = method(upkeep_schedule)


class Upkeep(UpkeepQuestions):
    """Upkeep of a space and its home: time, consolidation, indexes and checks."""

    tick = method(tick)
    falling_due = method(falling_due)
    consolidate = method(consolidate)
    maintain = method(maintain)
    rebuild = method(rebuild)
    index = method(index)
    catch_up = method(catch_up)
    stats = method(stats)
    doctor = method(diagnose)


class AsyncLogQuestions(AsyncFace, LogQuestions):
    """`LogQuestions` by coroutines."""


class AsyncLog(AsyncFace, Log):
    """`Log` by coroutines."""


class AsyncGraphQuestions(AsyncFace, GraphQuestions):
    """`GraphQuestions` by coroutines."""


class AsyncGraph(AsyncFace, Graph):
    """`Graph` by coroutines."""


class AsyncConflictQuestions(AsyncFace, ConflictQuestions):
    """`ConflictQuestions` by coroutines."""


class AsyncConflicts(AsyncFace, Conflicts):
    """`Conflicts` by coroutines."""


class AsyncSessions(AsyncFace, Sessions):
    """`Sessions` by coroutines."""


class AsyncUpkeepQuestions(AsyncFace, UpkeepQuestions):
    """`UpkeepQuestions` by coroutines."""


class AsyncUpkeep(AsyncFace, Upkeep):
    """`Upkeep` by coroutines."""
