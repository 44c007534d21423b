# The functions of the application and the module of each, imported when one is first used.

from .admission.admit import admit as admit, flush as flush
from .commands.memory_state import (
    configure as configure,
    link as link,
    pin as pin,
    propose_operator as propose_operator,
    report_failure as report_failure,
    settle_conflict as settle_conflict,
    settle_conflicts as settle_conflicts,
    unlink as unlink,
    unpin as unpin,
    withdraw as withdraw,
)
from .commands.new_events import append_event as append_event
from .commands.redact import redact as redact
from .commands.undo import preview_undo as preview_undo, undo as undo
from .layers import ask as ask
from .questions.browse import (
    all_memories as all_memories,
    count_memories as count_memories,
    find_memory as find_memory,
    get_memory as get_memory,
    history_of as history_of,
    list_events as list_events,
    list_memories as list_memories,
    read_settings as read_settings,
    strength_curve as strength_curve,
)
from .questions.context import assemble_context as assemble_context, explore as explore
from .questions.health import health_of_spaces as health_of_spaces, space_health as space_health
from .questions.listings import (
    list_buffer as list_buffer,
    list_conflicts as list_conflicts,
    list_links as list_links,
)
from .questions.persistence import associations as associations, persistence_of as persistence_of
from .questions.plan import plan as plan
from .questions.recall import attend as attend, recall as recall
from .redaction.redact import erase_with_notices as erase_with_notices
from .retention.consolidate import consolidate as consolidate
from .retention.maintain import maintain as maintain, upkeep_schedule as upkeep_schedule
from .retention.tick import falling_due as falling_due, tick as tick
from .retention.use import (
    record_uses as record_uses,
    use as use,
    use_shown as use_shown,
    write_uses as write_uses,
)
from .sessions import (
    recall_resolve as recall_resolve,
    recall_session_start as recall_session_start,
    recall_vote as recall_vote,
    vote_once as vote_once,
)
from .storing.correct import correct as correct
from .storing.remember import (
    import_memories as import_memories,
    remember as remember,
    remember_many as remember_many,
    supersede as supersede,
)
from .transfer.backups import back_up as back_up
from .transfer.event_imports import import_events as import_events
from .transfer.exports import export_events as export_events
from .upkeep.diff import difference as difference
from .upkeep.integrity import (
    accept_loss as accept_loss,
    catch_up as catch_up,
    checkpoint as checkpoint,
    diagnose as diagnose,
    index as index,
    rebuild as rebuild,
    verify_log as verify_log,
)
from .upkeep.metrics import stats as stats
