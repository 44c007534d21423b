"""Descriptions of events, for receipts and history."""

from __future__ import annotations

from mnemolog.ledger import events
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.falls import FALLS
from mnemolog.ledger.tiers import Tier
from mnemolog.policies.retention.weights import centre

_SESSION_SHOWN = 8
TIER_WORDS: dict[Tier, str] = {
    "active": "active",
    "archived": "archived",
    "summarized": "summarized",
    "tombstone": "a tombstone",
    "deleted": "deleted",
}
_OUTCOMES: dict[events.Outcome, str] = {
    "superseded": "the new one stands",
    "outdated": "the old one stands",
    "contested": "both stand, the new one contested",
    "pending": "the new one is pending",
    "both": "both stand",
}
_WINNERS: dict[events.Winner, str] = {
    "new": "the new memory stands",
    "old": "the old memory stands",
    "both": "both stand",
    "neither": "neither stands",
}
_TRIGGERS: dict[events.ConsolidationTrigger, str] = {
    "recalled": "it was recalled three times",
    "linked": "two edges join it",
    "lasting": "its persistence lasted for a week",
    "confirmed": "it was confirmed",
    "helped": "it helped a goal",
    "repeated": "it says again what is consolidated",
}


def describe(  # noqa: C901, PLR0911, PLR0912 - one per kind
    event: events.Payload | None, name: str
) -> str | None:
    """Description of an event about the memory called `name`, from its structure.

    None for kinds that receipts and history word differently. An empty name means that the
    event concerns no memory.
    """
    match event:
        case events.Admitted():
            return f"{name} was let in{_from(event.of)}{_why(event.scores)}"
        case events.Reinforced():
            again = f"it was met again{_from(event.of)}{_why(event.scores)}"
            return f"{name} weighs {centre(event.depth_weight):.3f}: {again}"
        case events.Buffered(of=None):
            return f"content waits in the buffer{_why(event.scores)}"
        case events.Buffered():
            return f"what {event.of} put into the buffer waits there again"
        case events.Dropped():
            return f"content was dropped{_from(event.of)}{_why(event.scores)}"
        case events.Conflicted():
            return f"{name} contradicts {event.other}: {_OUTCOMES[event.outcome]}"
        case events.Settled():
            return f"conflict {event.conflict} is settled: {_WINNERS[event.winner]}"
        case events.Reopened():
            return f"conflict {event.conflict} is open again"
        case events.Voted():
            where = f"in round {event.round} of session {event.session[:_SESSION_SHOWN]}"
            return f"{name} is voted {event.vote} {where}"
        case events.Resolved():
            return _resolved(event)
        case events.Weakened():
            return f"{name} has {event.factor:g} times its strength"
        case events.Strengthened():
            return f"{name} has strength {event.strength:g}"
        case events.Recalled():
            return f"of use on {_time(event.at)}: {', '.join(event.memories)}"
        case events.Ticked():
            return f"time has passed up to {_time(event.until)}; falls: {event.falls}"
        case events.Degraded():
            return f"{name} is {TIER_WORDS[event.tier]}: {_fading(event)}"
        case events.Revived():
            return f"{name} is {TIER_WORDS[event.tier]} again, with strength {event.strength:.2f}"
        case events.Relearned():
            return f"{name} says what {event.of} said, which had faded and was deleted"
        case events.Unlearned():
            return f"{name} does not count as what {event.of} said any more"
        case events.Maintained():
            return f"jobs of upkeep are done: {', '.join(event.jobs)}"
        case events.Consolidated():
            return _consolidated(event, name)
    return None


def _from(of: str | None) -> str:
    return "" if of is None else f", out of the buffer ({of})"


def _why(scores: events.Scores | None) -> str:
    return "" if scores is None else f", as {scores.relevance} in relevance and {scores.novelty}"


def _fading(fall: events.Degraded) -> str:
    (rule,) = (one for one in FALLS if one.tier == fall.tier)
    return (
        f"its strength has been under {rule.below:g} since {_time(fall.below_since)}, "
        f"{rule.days:g} days long by {_time(fall.due_at)}, when it was {fall.strength:.3f}"
    )


def _time(instant: int) -> str:
    return f"{to_datetime(instant):%Y-%m-%d %H:%M} UTC"


def _resolved(event: events.Resolved) -> str:
    learned = (
        (len(event.accepted), "accepted"),
        (sum(one.bearing > 0 for one in event.lessons), "come up sooner"),
        (sum(one.bearing < 0 for one in event.lessons), "come up later"),
        (len(event.together), "associated"),
        (len(event.leads), "found through a spark"),
    )
    told = ", ".join(f"{count} {what}" for count, what in learned if count)
    rounds = "1 round" if event.rounds == 1 else f"{event.rounds} rounds"
    said = f"session {event.session[:_SESSION_SHOWN]} is resolved after {rounds}"
    return f"{said}: {told or 'nothing was learned'}"


def _consolidated(event: events.Consolidated, name: str) -> str:
    if not name:
        return "the edges of the space are consolidated: what follows ends, or is drawn anew"
    said = f"{name} is consolidated: its persistence is {event.persistence:.2f}"
    if event.triggers:
        said += f", and {' and '.join(_TRIGGERS[trigger] for trigger in event.triggers)}"
    if event.merged is not None:
        said += f"; {len(event.parts)} that say the same become {event.merged}"
    return said
