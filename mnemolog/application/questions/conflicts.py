"""The conflicts of a space, as questions find them now and as of any past moment."""

from __future__ import annotations

from typing import Literal, get_args

from mnemolog.application.questions.recall import Questions
from mnemolog.ledger.errors import InvalidField
from mnemolog.projections.conflicts import conflicts_as_of, open_conflicts_as_of
from mnemolog.recall.answers.conflicts import Conflict, read_conflicts

Openness = Literal["open", "all"]
"""Which conflicts are asked for: those that wait to be settled, or all that were ever found."""


class ConflictQuestions(Questions):
    """Questions about the conflicts of a space."""

    def conflicts(self, which: Openness = "open") -> tuple[Conflict, ...]:
        """The conflicts that wait to be settled, or all that were ever found, oldest first."""
        if which not in get_args(Openness):
            raise InvalidField("which", f"{which!r} is unknown", "use open or all")
        cut = self._cut()
        asked = open_conflicts_as_of if which == "open" else conflicts_as_of
        rows = self._home.views.read(lambda db: asked(db, self.space, cut.position))
        sources = (self._home.log, self._home.views)
        return read_conflicts(rows, self.space, cut.position, cut.instant, sources)
