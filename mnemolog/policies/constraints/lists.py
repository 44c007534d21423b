"""The file of the rules and patterns by which a constraint is recognised and read."""

from __future__ import annotations

from mnemolog.language.lists import Lists
from mnemolog.language.names.kinds import LISTS as COMMON_KINDS

LISTS = Lists("mnemolog.policies.constraints", "constraints", shared=COMMON_KINDS)
