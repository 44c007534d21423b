"""Groups of rarer methods: `memory.log`, `.graph`, `.conflicts`, `.sessions` and `.upkeep`."""

from __future__ import annotations

from mnemolog import application
from mnemolog.methods import Face, method, stream


class LogQuestions(Face):
    """Questions to the log: its events."""

    events = stream(lambda: application.list_events)


class EventLog(LogQuestions):
    """The log itself: its events, proofs and copies."""

    append = method(lambda: application.append_event)
    verify = method(lambda: application.verify_log)
    checkpoint = method(lambda: application.checkpoint)
    accept_loss = method(lambda: application.accept_loss)
    export_events = method(lambda: application.export_events)
    import_events = method(lambda: application.import_events)
    backup = method(lambda: application.back_up)


class GraphQuestions(Face):
    """Questions to the graph: edges, and memories that go together."""

    links = method(lambda: application.list_links)
    associations = method(lambda: application.associations)


class Graph(GraphQuestions):
    """The graph of memories and things: its edges, and the commands that make and end them."""

    link = method(lambda: application.link)
    unlink = method(lambda: application.unlink)


class ConflictQuestions(Face):
    """Questions to the conflicts between memories."""

    list = method(lambda: application.list_conflicts)


class Conflicts(ConflictQuestions):
    """The conflicts between memories, and the commands that settle them."""

    settle = method(lambda: application.settle_conflict)
    settle_all = method(lambda: application.settle_conflicts)


class Sessions(Face):
    """Recall sessions: votes on what is shown steer the next round, and teach later recalls."""

    start = method(lambda: application.recall_session_start)
    vote = method(lambda: application.recall_vote)
    resolve = method(lambda: application.recall_resolve)
    vote_once = method(lambda: application.vote_once)


class UpkeepQuestions(Face):
    """Questions to the state of a space: its health, and jobs that are due."""

    health = method(lambda: application.space_health)
    healths = method(lambda: application.health_of_spaces)
    schedule = method(lambda: application.upkeep_schedule)


class Upkeep(UpkeepQuestions):
    """Upkeep of a space and its home: time, consolidation, indexes and checks."""

    tick = method(lambda: application.tick)
    falling_due = method(lambda: application.falling_due)
    consolidate = method(lambda: application.consolidate)
    maintain = method(lambda: application.maintain)
    rebuild = method(lambda: application.rebuild)
    index = method(lambda: application.index)
    catch_up = method(lambda: application.catch_up)
    stats = method(lambda: application.stats)
    doctor = method(lambda: application.diagnose)
