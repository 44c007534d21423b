"""The file of the wordings by which corrections are read and statements compared."""

from __future__ import annotations

from mnemolog.language.lists import Lists

LISTS = Lists("mnemolog.policies.corrections", "corrections")
