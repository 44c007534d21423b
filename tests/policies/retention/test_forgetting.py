"""What has fallen due by an instant, whatever the curve, the trace and the pace."""

from __future__ import annotations

import msgspec
from hypothesis import given, strategies as st

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import DAY_US, TIERS, Decay, Due, FallConditions, Pace, Trace, next_due
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.retention.forgetting import Fading, falls_until

_BEGIN = 1_700_000_000_000_000
_INSTANTS = st.integers(_BEGIN, _BEGIN + 2000 * DAY_US).map(Micros)
_SHARES = st.floats(0.0, 1.0)


@st.composite
def _standings(draw: st.DrawFn) -> FallConditions:
    """A memory in any tier, weakened or not, sheltered or not."""
    curve = draw(st.sampled_from(("exponential", "linear", "plateau", "none")))
    since = draw(_INSTANTS)
    strength = draw(_SHARES)
    drops = ()
    if draw(st.booleans()):
        # Before it was weakened, it was stronger.
        drops = (
            (Micros(since + draw(st.integers(1, 400)) * DAY_US), draw(st.floats(strength, 1.0))),
        )
    shelter = draw(st.one_of(st.just(Micros(0)), _INSTANTS))
    trace = Trace(strength, since, draw(st.floats(0.1, 1.0)), shelter, drops)
    return FallConditions(
        Decay(curve, draw(st.floats(0.001, 2.0))),
        trace,
        draw(st.sampled_from(TIERS)),
        draw(st.sampled_from(TIERS)),
        draw(_INSTANTS),
    )


@st.composite
def _paces(draw: st.DrawFn) -> Pace:
    """Time that passes at other speeds now and then, or stands still."""
    instants = sorted(draw(st.sets(_INSTANTS, max_size=3)))
    return Pace(tuple((at, draw(st.sampled_from((0.0, 0.5, 1.0, 7.0)))) for at in instants))


@given(_standings(), _paces(), _INSTANTS)
def test_whatever_is_due_is_found(standing: FallConditions, pace: Pace, instant: Micros) -> None:
    """The falls by an instant are those that follow each other until none is due by then."""
    expected: list[Due] = []
    there = standing
    while (due := next_due(there, pace)) is not None and due.due_at <= instant:
        expected.append(due)
        there = msgspec.structs.replace(there, tier=due.tier)
    assert falls_until(Fading(MemoryId("0" * 32), standing), pace, instant) == expected
