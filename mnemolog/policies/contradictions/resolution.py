"""Contradiction resolution: which of the two memories remains valid, and why."""

from __future__ import annotations

import msgspec

from mnemolog.language.clauses.assertions import says_one_thing
from mnemolog.ledger.events import Outcome, Resolution
from mnemolog.policies.contradictions.judge import Contradiction, Statement

CLEARLY_MORE_RELIABLE = 0.3
_EQUAL = 1e-9


class Choice(msgspec.Struct, frozen=True):
    """Resolution strategy, its outcome for these two memories, and the reason in a sentence."""

    resolution: Resolution
    outcome: Outcome
    reason: str


def choose_resolution(found: Contradiction, new: Statement, old: Statement) -> Choice:
    """Resolution strategy for a contradiction, and its outcome.

    | contradiction | strategy |
    | --- | --- |
    | of minor severity | recency |
    | granularity, where the older memory is the finer | conditional: both stand |
    | of a value, where one memory states a condition | conditional |
    | of a value that changes with time | recency |
    | of any other value | authority |
    | major, and the confidences differ by more than 0.3 | authority |
    | major, and one memory states a condition | conditional |
    | major otherwise | escalate |

    Recency keeps the newer memory. The old one is `superseded` by the new one, or the new
    one is `outdated` if it describes an earlier time than the old one. Authority keeps the
    more reliable memory. At equal confidence, a user's unprompted statement wins over other
    sources, then the newer of two memories from one source wins; otherwise neither wins and
    the new one is `contested`.

    A memory is not retired if it says more than the disputed point, because the rest would
    be lost with it. The new memory is then `contested`, not `both`: it is marked wherever
    it is shown and listed among the open conflicts. If both stayed valid, the stale half
    would be read as true.
    """
    strategy = _strategy(found, new, old)
    if strategy == "recency":
        return _by_recency(found, new, old)
    if strategy == "authority":
        return _by_authority(found, new, old)
    if strategy == "conditional":
        return Choice("conditional", "both", f"{found.reason} Both stand: {found.condition}.")
    return Choice("escalate", "pending", f"{found.reason} Nothing says which of them is right.")


def _strategy(found: Contradiction, new: Statement, old: Statement) -> Resolution:
    if found.severity == "minor":
        return "recency"
    conditional = found.condition is not None
    if conditional and found.type in {"value", "granularity"}:
        return "conditional"
    if found.type == "value":
        return "recency" if found.time_sensitive else "authority"
    if abs(new.confidence - old.confidence) > CLEARLY_MORE_RELIABLE + _EQUAL:
        return "authority"
    return "conditional" if conditional else "escalate"


def _by_recency(found: Contradiction, new: Statement, old: Statement) -> Choice:
    if new.said_at < old.said_at:
        return _retire_new("recency", f"{found.reason} The new one tells of an earlier time", new)
    return _retire_old("recency", f"{found.reason} The newer one stands", old)


def _by_authority(found: Contradiction, new: Statement, old: Statement) -> Choice:
    wins, why = _more_reliable(new, old)
    if wins:
        return _retire_old("authority", f"{found.reason} {why}", old)
    return Choice("authority", "contested", f"{found.reason} {why}.")


def _more_reliable(new: Statement, old: Statement) -> tuple[bool, str]:
    """True if the new memory is more reliable than the old one, and the reason."""
    if abs(new.confidence - old.confidence) > _EQUAL:
        wins = new.confidence > old.confidence
        return wins, f"The {'new' if wins else 'old'} one is more reliable"
    if (new.source_type == "user_stated") != (old.source_type == "user_stated"):
        wins = new.source_type == "user_stated"
        return wins, f"The user said the {'new' if wins else 'old'} one"
    if (new.source, new.source_type) == (old.source, old.source_type):
        wins = new.said_at >= old.said_at
        return wins, f"The same source said the {'new' if wins else 'old'} one later"
    return False, "Two sources are equally reliable"


def _retire_old(resolution: Resolution, reason: str, old: Statement) -> Choice:
    if says_one_thing(old.text):
        return Choice(resolution, "superseded", f"{reason}.")
    return Choice(resolution, "contested", f"{reason}, but the old one says more than that.")


def _retire_new(resolution: Resolution, reason: str, new: Statement) -> Choice:
    if says_one_thing(new.text):
        return Choice(resolution, "outdated", f"{reason}.")
    return Choice(resolution, "contested", f"{reason}, but it says more than that.")
