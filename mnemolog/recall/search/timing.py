"""Fit of memories to the period that a cue names, in [0, 1].

A memory's time is that of which its text tells ('went there last Friday'), else the day on which
it became valid or was said. A date in the text says more than the day of saying: what was said on
the day counts less if its text tells of an earlier one.
"""

import numpy as np

from mnemolog.indexes.columns import Floats, Instants, Mask, Selection
from mnemolog.indexes.postings import BEGUN
from mnemolog.indexes.space_state import State
from mnemolog.indexes.vectors.vector_index import Allowed
from mnemolog.ledger.clock import Micros
from mnemolog.recall.cues import BEGINNING, END, Place, Span
from mnemolog.recall.search.match import Terms

_DAY_US = 86_400_000_000
_PARTLY = 0.5  # Fit of a told period that holds only a moment of the cue's
_SAID = 0.6  # Fit of the day of saying, of a text that tells of an earlier day
_AFTER, _BEFORE = 0.45, 0.15  # Fit just after and before the cue's period
_NEAREST, _FURTHEST = 1.0, 14.0  # Days in which the fit beside a period falls to 1/e
_EDGE = 0.25  # The same as a share of the period
_LONG = 45.0  # Days from which a told period is background ('this year')
_BACKGROUND = 0.6
_OFF_POINT = 0.3  # Most that a distance from the counted day ('two weeks ago') takes
_OPEN = 30.0  # Days in which nearness to the known end of an open period counts
_LEAST = 0.02
_EARLIER, _LATER = 2 * _DAY_US, 5 * _DAY_US  # Around a period of which no memory is
_ON_SUBJECT = 0.5  # Least share of the best match of a memory on the cue's subject
_MISPLACED = 0.55  # Factor of a memory far from the place in time that the cue asks for
# Evidence that the period adds, and that it is by itself: with another topic, and without.
_TIME_ADDED, _TIME_EVIDENCE, _TIME_ALONE = 0.15, 0.32, 0.6
BY_TIME = 0.02  # Match that a memory of the period has at least
INSIDE = 0.5  # Least fit of a memory that is of the period
CLEARLY = 0.1  # Least difference of two fits that says which memory is meant


def fit_to(span: Span | None, state: State, size: int, allowed: Allowed) -> Floats | None:
    """Fit of each of the first `size` memories of a space to a period; None if none is near it.

    If none that may be found is of the period itself, those around it count: what was at Christmas
    is often told on the way home.
    """
    if span is None:
        return None
    found = allowed.of(np.arange(size))
    for one in (span, _widened(span)):
        fit = _fit_of_each(one, state, size)
        if fit[found].max(initial=0.0) >= INSIDE:
            return fit
    return None


def _widened(span: Span) -> Span:
    """Period with some days around it, the nearest to it the best."""
    start, end = max(span.start - _EARLIER, BEGINNING), min(span.end + _LATER, END)
    near = (span.start + span.end) // 2 if span.near is None else span.near
    return Span(Micros(start), Micros(end), span.words, Micros(near))


def _fit_of_each(span: Span, state: State, size: int) -> Floats:
    every = np.arange(size)
    said = state.columns.times(every) / _DAY_US
    fit = _fit(span, said, said)
    begun = state.postings.postings(BEGUN, size)[0]
    fit[begun] *= _SAID
    first, end = (days.astype(np.float64) for days in state.periods.days())
    told = _fit(span, first, end)
    told[end - first > _LONG] *= _BACKGROUND
    for number in np.flatnonzero(told > _LEAST).tolist():
        holders = state.postings.postings(state.periods.term(number), size)[0]
        fit[holders] = np.maximum(fit[holders], told[number])
    return fit


def timeliest(timely: Floats, allowed: Allowed, count: int) -> Selection:
    """Memories of the period, the best fitting `count` of them."""
    inside = np.flatnonzero(timely >= INSIDE)
    inside = inside[allowed.of(inside)]
    chosen: Selection = inside[np.argsort(-timely[inside], kind="stable")[:count]]
    return chosen


def evidence_with_time(evidence: Floats, timely: Floats, topic: Terms) -> Floats:
    """Evidence for an answer with that of the period, by which a memory of it counts as found."""
    least = _TIME_EVIDENCE if topic.weights else _TIME_ALONE
    return np.maximum(least * timely, np.minimum(1.0, evidence + _TIME_ADDED * timely))


def _fit(span: Span, first: Floats, end: Floats) -> Floats:
    """Fit of periods in days, or of instants."""
    start, stop = span.start / _DAY_US, span.end / _DAY_US
    overlap = np.minimum(end, stop) - np.maximum(first, start)
    length = end - first
    inside = (overlap > 0) | ((length == 0) & (overlap == 0) & (first < stop))
    share = np.where(length > 0, overlap / np.maximum(length, 1e-9), 1.0)
    held = (_PARTLY + (1 - _PARTLY) * share) * _nearness(span, first, end)
    scale = min(_FURTHEST, max(_NEAREST, _EDGE * (stop - start)))
    late, early = np.maximum(0.0, first - stop), np.maximum(0.0, start - end)
    earlier, later = _BEFORE * np.exp(-early / scale), _AFTER * np.exp(-late / scale)
    beside = np.where(first >= stop, later, earlier)
    fit: Floats = np.where(inside, held, beside)
    return fit


def _nearness(span: Span, first: Floats, end: Floats) -> Floats:
    """Nearness to the counted day of a period, or to the end of an open one that is known."""
    if span.near is None:
        return np.ones(len(first))
    near, reach = span.near / _DAY_US, min((span.end - span.start) / _DAY_US, 2 * _OPEN) / 2
    away = np.maximum(0.0, np.maximum(first - near - 1, near - end))
    nearness: Floats = 1 - _OFF_POINT * np.minimum(1.0, away / max(reach, _NEAREST))
    return nearness


def in_place(place: Place, match: Floats, times: Instants, named: Mask) -> Floats:
    """Factors in (0, 1] of candidates by their place in time among those on the cue's subject.

    Days are counted, not memories. If the text of one on the subject names the place itself
    ('my second tournament', in the mask `named`), its words decide.
    """
    factors = np.ones(len(match))
    if not match.any():
        return factors
    on_subject = match >= _ON_SUBJECT * match.max()
    wanted, away = days_apart(place, times[on_subject] // _DAY_US)
    if away is None or (wanted > 0 and (named & on_subject).any()):
        return factors
    factors[:] = _MISPLACED
    factors[on_subject] += (1 - _MISPLACED) * 0.5**away
    return factors


def days_apart(place: Place, days: Instants) -> tuple[int, Instants | None]:
    """Day that a cue asks for among those of some memories, and how far each memory is from it.

    Only days on which there are memories count, from 0. No distances if there are fewer of them.
    """
    each, rank = np.unique(days, return_inverse=True)
    wanted = place.number + (len(each) if place.number < 0 else -1)
    return wanted, np.abs(rank - wanted) if 0 <= wanted < len(each) else None
