"""Compatibility of two texts that may seem to contradict each other."""

from __future__ import annotations

from mnemolog.language.clauses.assertions import asserted
from mnemolog.language.clauses.clauses import Clause, read_clause
from mnemolog.language.clauses.readings import read
from mnemolog.language.clauses.values import same_condition, times_told
from mnemolog.language.lists import word_set
from mnemolog.policies.contradictions.disagreement import disagreement


def both_hold(new: str, old: str) -> bool:
    """True if a new text clearly leaves an old one valid.

    It is about another time or condition ('in winter it is closed', 'in summer it is open';
    'it grew to 40', 'it had 20'), restates the old text ('no longer smokes', 'quit
    smoking'), or affirms something that the old text, which only denies, does not mention.
    """
    first, second = _clauses(new), _clauses(old)
    if not first or not second:
        return False
    if _any_moved(first, second):
        return False
    if all(_apart(one, other) for one in first for other in second):
        return True
    denying = all(not one.affirmed for one in second) and all(one.affirmed for one in first)
    return (denying or _same(new, old)) and _none_between(new, old)


def moved(new: str, old: str) -> bool:
    """True if two texts differ only in the hour or day: 'we hold it at 8:45 now'."""
    return _any_moved(_clauses(new), _clauses(old))


def _any_moved(new: list[Clause], old: list[Clause]) -> bool:
    return any(_moved(one, other) for one in new for other in old)


def _clauses(text: str) -> list[Clause]:
    return [clause for part in asserted(text).clauses if (clause := read_clause(part)) is not None]


def _apart(new: Clause, old: Clause) -> bool:
    said = new.condition, old.condition
    if said[0] is not None and said[1] is not None and not same_condition(said[0], said[1]):
        return True
    if new.past and new.episodic and not old.past:
        # A single past act, such as one today, does not end a habit.
        return True
    return times_told(new, old) == "apart" or _has_been(new, old)


def _moved(new: Clause, old: Clause) -> bool:
    """True if two clauses differ only in the hour or day: 'we hold it at 8:45 now'."""
    if (new.verb, new.rest, new.affirmed) != (old.verb, old.rest, old.affirmed) or new.condition:
        return False
    times = [{(one.dimension, one.values) for one in clause.when} for clause in (new, old)]
    kinds = [{kind for kind, _ in each} for each in times]
    return (
        kinds[0] == kinds[1] and kinds[0] <= {"clock", "weekday", "date"} and times[0] != times[1]
    )


def _has_been(new: Clause, old: Clause) -> bool:
    """True if the old clause states a past act, and the new one its later state."""
    become = not new.past or new.verb in _GROWING
    return old.past and old.verb != "be" and become and new.affirmed


_GROWING = word_set("grow rise fall increase decrease drop shrink climb decline reach double")


def _same(new: str, old: str) -> bool:
    """True if both clauses say the same about the same subject."""
    said = {(one.subject, one.words, one.affirmed) for one in read(old).predicates}
    return any((one.subject, one.words, one.affirmed) in said for one in read(new).predicates)


def _none_between(new: str, old: str) -> bool:
    found = disagreement(read(new), read(old), same_speaker=True, same_times=frozenset())
    return found is None
