"""Turns of a conversation, validated from the caller's input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mnemolog.ledger.errors import InvalidField
from mnemolog.policies.memories import checked_text
from mnemolog.recall.context.context import Turn


def checked_turns(conversation: Sequence[Turn | Mapping[str, str]]) -> list[Turn]:
    """Turns of a conversation. Raises `InvalidField`, which names the turn, for invalid ones."""
    if isinstance(conversation, str | Mapping) or not isinstance(conversation, Sequence):
        raise InvalidField("conversation", "is no list of turns", "give role and content of each")
    return [_turn(f"conversation[{number}]", turn) for number, turn in enumerate(conversation)]


def _turn(field: str, turn: Turn | Mapping[str, str]) -> Turn:
    role, content = (
        (turn.role, turn.content)
        if isinstance(turn, Turn)
        else (turn.get("role"), turn.get("content"))
        if isinstance(turn, Mapping)
        else (None, None)
    )
    for name, value in (("role", role), ("content", content)):
        text = checked_text(f"{field}.{name}", value)
        if text is None or not text.strip():
            raise InvalidField(f"{field}.{name}", "is missing or empty", "give a text")
    return Turn(" ".join(str(role).split()), str(content))
