"""The file of the patterns by which a cue is understood."""

from __future__ import annotations

from mnemolog.language.lists import Lists
from mnemolog.recall.detector.phrases import LISTS as DETECTOR

LISTS = Lists("mnemolog.recall.cues", "cues", shared=DETECTOR)
