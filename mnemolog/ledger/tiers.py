"""Tiers of forgetting, from what is answered as it is to what is destroyed."""

from typing import Literal

Tier = Literal["active", "archived", "summarized", "tombstone", "deleted"]
