"""Tiers of forgetting, from what is answered as it is to what is destroyed."""

from __future__ import annotations

from typing import Literal

Tier = Literal["active", "archived", "summarized", "tombstone", "deleted"]
