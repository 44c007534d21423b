"""What was learned, as questions ask it: by context and by memory, as of any moment."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise, permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from mnemolog.indexes.columns import Columns
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.lessons import HALF_LIFE_DAYS, HOOK_SESSIONS, LessonIndex, code_of
from mnemolog.ledger.ids import Position
from mnemolog.projections.lessons import CoAccess, LearnedSession, LessonChanges, Undoing
from tests.homes import DAY, SECOND, START, open_home

MODEL, DIMENSIONS = "model", 384
A, B, C, D = range(4)
HOUR = 3_600 * SECOND
NOW = START + 1000 * DAY
LAST = Position(1 << 40)
Vector = npt.NDArray[np.float32]

gains = st.floats(0.0, 0.99)
hours = st.integers(0, 24 * 400)
accesses = st.lists(st.tuples(hours, gains), min_size=1, max_size=20)


@pytest.fixture(scope="module")
def columns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Columns]:
    """The columns of a home with four memories, whose positions are 1 to 4."""
    with open_home(tmp_path_factory.mktemp("lessons")) as memory:
        for text in ("tea", "a kettle", "the harbour", "a violin"):
            memory.remember(text)
        yield memory._space.home.index("default").at(Position(4)).columns


def vector(seed: int) -> Vector:
    """A unit vector whose numbers are spread like a normal distribution."""
    drawn = np.random.default_rng(seed).standard_normal(DIMENSIONS)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


def turned(one: Vector, cosine: float, seed: int) -> Vector:
    """A unit vector with this cosine to another."""
    other = vector(seed).astype(np.float64)
    other -= (other @ one) * one
    other /= np.linalg.norm(other)
    return (cosine * one + math.sqrt(1 - cosine**2) * other).astype(np.float32)


def session(  # noqa: PLR0913 - what a session may teach, all optional and by name
    since: int,
    at: Vector,
    bearings: dict[int, float] | None = None,
    *,
    entity: bytes | None = None,
    leads: tuple[tuple[int, int], ...] = (),
    evidence: dict[str, float] | None = None,
    embedder: str = MODEL,
) -> LearnedSession:
    """What a session taught, memories by ordinal."""
    return LearnedSession(
        Position(since),
        code_of(at),
        embedder,
        entity,
        [(Position(one + 1), bearing) for one, bearing in (bearings or {}).items()],
        [(Position(spark + 1), Position(found + 1)) for spark, found in leads],
        evidence or {},
    )


def together(since: int, hours_ago: int, gain: float, *memories: int) -> CoAccess:
    """Memories that were accessed together so many hours before now."""
    places = [Position(one + 1) for one in memories]
    return CoAccess(Position(since), NOW - hours_ago * HOUR, gain, places)


def learning(columns: Columns, *learned: LessonChanges) -> LessonIndex:
    """An index that has followed this, one after the other."""
    index = LessonIndex(DIMENSIONS)
    for one in learned:
        index.follow(one, columns, MODEL)
    return index


def asked(position: int = LAST, now: int = NOW) -> Horizon:
    """A question's moment."""
    return Horizon(Position(position), now, 4)


def beside(index: LessonIndex, seed: int, horizon: Horizon) -> dict[int, float]:
    """What goes together with one memory, and how much."""
    ordinals, values = index.associated([(seed, 1.0)], horizon)
    return dict(zip(ordinals.tolist(), values.tolist(), strict=True))


def bore(
    index: LessonIndex, at: Vector, *entities: bytes, position: int = LAST
) -> dict[int, float]:
    """What bore on queries at a vector, and how much."""
    ordinals, values = index.bearings(at, entities, Position(position))
    return dict(zip(ordinals.tolist(), values.tolist(), strict=True))


# -- co-access -------------------------------------------------------------------------


def test_an_access_together_counts_half_as_much_after_a_half_life(columns: Columns) -> None:
    """Old co-access fades: a half after 30 days, a quarter after 60, next to nothing in years."""
    index = learning(columns, LessonChanges([], [together(10, 0, 0.3, A, B)]))
    for lives in range(5):
        later = asked(now=NOW + int(lives * HALF_LIFE_DAYS * DAY))
        assert beside(index, A, later)[B] == pytest.approx(0.3 / 2**lives)
    assert beside(index, A, asked(now=NOW + 3000 * DAY))[B] < 1e-20


def test_it_fades_without_a_leap(columns: Columns) -> None:
    """By the hour, never more than the hour before; before it happened it counts in full."""
    index = learning(columns, LessonChanges([], [together(10, 0, 0.3, A, B)]))
    steps = [beside(index, A, asked(now=NOW + step * HOUR))[B] for step in range(-2, 2000)]
    assert steps[0] == steps[1] == steps[2] == pytest.approx(0.3)
    assert all(later < earlier for earlier, later in pairwise(steps[2:]))
    assert beside(index, A, asked(now=NOW + HOUR - 1))[B] == steps[2]


@given(held=accesses)
def test_co_access_is_a_closed_form(columns: Columns, held: list[tuple[int, float]]) -> None:
    """1 - Π (1 - gain · 2^(-days / 30)), in [0, 1), and at least what the best of them says."""
    events = [together(10 + n, ago, gain, A, B) for n, (ago, gain) in enumerate(held)]
    found = beside(learning(columns, LessonChanges([], events)), A, asked())[B]
    shares = [gain * 2 ** -(ago / 24 / HALF_LIFE_DAYS) for ago, gain in held]
    assert found == pytest.approx(1 - math.prod(1 - share for share in shares), abs=1e-12)
    assert max(shares) - 1e-12 <= found < 1


@given(held=st.lists(st.tuples(hours, gains), min_size=2, max_size=4))
def test_no_order_of_accesses_makes_a_difference(
    columns: Columns, held: list[tuple[int, float]]
) -> None:
    """Nor does it matter in how many pieces they are followed."""
    found = set()
    for order in permutations(held):
        events = [together(10 + n, ago, gain, A, B) for n, (ago, gain) in enumerate(order)]
        whole = learning(columns, LessonChanges([], events))
        pieces = learning(columns, *(LessonChanges([], [one]) for one in events))
        assert beside(pieces, A, asked()) == beside(whole, A, asked())
        found.add(round(beside(whole, A, asked())[B], 12))
    assert max(found) - min(found) <= 1e-12


def test_what_goes_together_does_so_both_ways(columns: Columns) -> None:
    """Every pair of an access alike, no memory with itself, and nothing further on."""
    index = learning(
        columns, LessonChanges([], [together(10, 0, 0.3, A, B, C), together(11, 0, 0.1, C, D)])
    )
    assert beside(index, A, asked()) == {B: pytest.approx(0.3), C: pytest.approx(0.3)}
    for one in (A, B, C, D):
        for other, share in beside(index, one, asked()).items():
            assert other != one
            assert beside(index, other, asked())[one] == share


def test_the_best_of_several_seeds_counts(columns: Columns) -> None:
    """A seed counts by its weight; of several that lead to one memory, the one that leads most."""
    index = learning(
        columns, LessonChanges([], [together(10, 0, 0.3, A, C), together(11, 0, 0.2, B, C)])
    )
    for seeds, expected in (
        ([(A, 1.0), (B, 1.0)], 0.3), ([(A, 0.5), (B, 1.0)], 0.2), ([(A, 0.0)], 0.0),
    ):  # fmt: skip
        ordinals, values = index.associated(seeds, asked())
        assert dict(zip(ordinals.tolist(), values, strict=True))[C] == pytest.approx(expected)


def test_the_latest_accesses_count(columns: Columns) -> None:
    """Of a memory accessed without end the latest 64 count, as of each moment its own."""
    old = [together(10 + n, 0, 0.01, A, B) for n in range(64)]
    new = [together(100 + n, 0, 0.01, A, C) for n in range(64)]
    index = learning(columns, LessonChanges([], old), LessonChanges([], new))
    whole = pytest.approx(1 - 0.99**64)
    assert beside(index, A, asked()) == {C: whole}
    assert beside(index, A, asked(position=99)) == {B: whole}
    assert beside(index, B, asked()) == {A: whole}
    assert beside(index, A, asked(position=9)) == {}


def test_association_never_reaches_one(columns: Columns) -> None:
    """However often and however surely memories were together, it stays below 1."""
    for gain in (0.3, 1.0):
        events = [together(10 + n, 0, gain, A, B) for n in range(200)]
        assert 0.99 < beside(learning(columns, LessonChanges([], events)), A, asked())[B] < 1


# -- contexts --------------------------------------------------------------------------


def test_a_similar_query_benefits_and_another_does_not(columns: Columns) -> None:
    """In full at the same place, less further away, and nothing beyond the neighbourhood."""
    shares = {}
    for cosine in (1.0, 0.97, 0.9, 0.84, 0.6, 0.3, 0.0, -1.0):
        found = []
        for seed in range(60):
            index = learning(columns, LessonChanges([session(10, vector(seed), {A: 0.6})]))
            found.append(bore(index, turned(vector(seed), cosine, 1000 + seed)).get(A, 0.0))
        shares[cosine] = sum(found) / len(found)
    assert shares[1.0] == pytest.approx(0.6, abs=0.01)
    assert shares[0.97] > 0.9 * 0.6
    assert shares[1.0] >= shares[0.97] > shares[0.9] > shares[0.84] > 0.1
    assert shares[0.6] < 0.01
    assert shares[0.3] == shares[0.0] == shares[-1.0] == 0.0


def test_sessions_of_one_context_add_up(columns: Columns) -> None:
    """More of the same says more, what misled says the opposite, and neither is ever certain."""
    at = vector(1)
    once = bore(learning(columns, LessonChanges([session(10, at, {A: 0.6, B: -0.5})])), at)
    assert (once[A], once[B]) == (pytest.approx(0.6), pytest.approx(-0.5))
    twice = [session(10 + n, at, {A: 0.6, B: -0.5}) for n in range(2)]
    found = bore(learning(columns, LessonChanges(twice)), at)
    assert (found[A], found[B]) == (pytest.approx(0.84), pytest.approx(-0.75))
    often = [session(10 + n, at, {A: 0.6, B: -0.5}) for n in range(300)]
    found = bore(learning(columns, LessonChanges(often)), at)
    assert 0.99 < found[A] < 1
    assert -1 < found[B] < -0.99
    both = [session(10, at, {A: 0.6}), session(11, at, {A: -0.6})]
    assert bore(learning(columns, LessonChanges(both)), at)[A] == pytest.approx(0.0)


@given(
    held=st.lists(
        st.tuples(st.sampled_from((0.6, 0.4, -0.15, -0.5)), st.integers(0, 3)), max_size=12
    ),
    chance=st.randoms(use_true_random=False),
)
def test_bearings_lie_between_minus_one_and_one(
    columns: Columns, held: list[tuple[float, int]], chance: object
) -> None:
    """Whatever was voted, in whatever order, and they come to the same."""
    at = vector(2)
    sessions = [session(10 + n, at, {one: bearing}) for n, (bearing, one) in enumerate(held)]
    found = bore(learning(columns, LessonChanges(sessions)), at)
    assert all(-1 < value < 1 for value in found.values())
    chance.shuffle(held)
    others = [session(10 + n, at, {one: bearing}) for n, (bearing, one) in enumerate(held)]
    assert bore(learning(columns, LessonChanges(others)), at) == pytest.approx(found, abs=1e-12)


def test_the_patterns_of_an_entity_are_its_own(columns: Columns) -> None:
    """What was learned of a named entity counts where it is named, and for no other."""
    at = vector(3)
    index = learning(
        columns,
        LessonChanges([
            session(10, at, {A: 0.6}, entity=b"dana"), session(11, at, {B: 0.6}, entity=b"ben"),
        ]),
    )  # fmt: skip
    assert index.named
    assert set(bore(index, at)) == set()
    assert set(bore(index, at, b"dana")) == {A}
    assert set(bore(index, at, b"ben")) == {B}
    assert set(bore(index, at, b"dana", b"ben", b"mara")) == {A, B}
    assert bore(index, at, b"mara") == {}
    assert not learning(columns, LessonChanges([session(10, at, {A: 0.6})])).named


def test_a_context_is_a_place_among_one_embedder_s_vectors(columns: Columns) -> None:
    """What was learned with another model bears on nothing; its evidence and hooks count on."""
    at = vector(4)
    foreign = [
        session(10 + n, at, {A: 0.6}, leads=((A, B),), evidence={"weight": 0.5}, embedder="other")
        for n in range(2)
    ]
    index = learning(columns, LessonChanges(foreign))
    assert bore(index, at) == {}
    assert index.evidence(LAST) == {"weight": 1.0}
    assert index.hooked([A], LAST) == [(A, B)]


def test_how_near_a_context_is_does_not_go_by_how_many_there_are(columns: Columns) -> None:
    """To the last bit: as of a position it is what an index of the sessions up to it says."""
    at = vector(5)
    sessions = [
        session(10 + n, turned(at, 0.9, 100 + n), {n % 4: 0.4 if n % 3 else -0.15})
        for n in range(60)
    ]
    whole = learning(columns, LessonChanges(sessions))
    for size in (1, 2, 3, 7, 31, 60):
        part = learning(columns, LessonChanges(sessions[:size]))
        assert bore(part, at) == bore(whole, at, position=9 + size)


# -- undone, and as of -----------------------------------------------------------------


def test_what_is_undone_does_not_count_while_it_is(columns: Columns) -> None:
    """From the undo on, until that is undone, whatever order they are learned in."""
    at = vector(6)
    taught = LessonChanges(
        [session(10, at, {A: 0.6}, evidence={"weight": 0.5})], [together(10, 0, 0.3, A, B)]
    )
    undone = LessonChanges(undone=[Undoing(Position(10), Position(20), None)])
    restored = LessonChanges(undone=[Undoing(Position(10), Position(20), Position(30))])
    again = LessonChanges(undone=[Undoing(Position(10), Position(40), None)])
    for pieces in ((taught, undone, restored, again), (restored, again, taught)):
        index = learning(columns, *pieces)
        for position, counts in ((9, False), (10, True), (19, True), (20, False), (29, False),
                                 (30, True), (39, True), (40, False), (LAST, False)):  # fmt: skip
            assert bool(bore(index, at, position=position)) is counts
            assert bool(beside(index, A, asked(position))) is counts
            assert bool(index.evidence(Position(position))) is counts


def test_a_spark_that_led_there_twice_becomes_a_hook(columns: Columns) -> None:
    """After one session there is none, after two there is; not while one of them is undone."""
    at = vector(7)
    index = learning(columns, LessonChanges([session(10, at, leads=((A, B), (C, D)))]))
    assert index.hooked([A, B, C, D], LAST) == []
    index.follow(LessonChanges([session(11, at, leads=((A, B), (A, C)))]), columns, MODEL)
    assert HOOK_SESSIONS == 2
    assert index.hooked([A, B, C, D], LAST) == [(A, B)]
    assert index.hooked([A], Position(10)) == []
    index.follow(LessonChanges(undone=[Undoing(Position(10), Position(20), None)]), columns, MODEL)
    assert index.hooked([A], LAST) == []
    assert index.hooked([A], Position(19)) == [(A, B)]
    index.follow(LessonChanges([session(21, at, leads=((A, B),))]), columns, MODEL)
    assert index.hooked([A], LAST) == [(A, B)]
    undone = [Undoing(Position(10), Position(20), Position(22))]
    index.follow(LessonChanges(undone=undone), columns, MODEL)
    assert index.hooked([A, A], LAST) == [(A, B)]


def test_evidence_is_summed_up_to_a_position(columns: Columns) -> None:
    """Session by session, whatever was asked before."""
    sessions = [session(10 + n, vector(n), evidence={"weight": 0.25 * n}) for n in range(4)]
    index = learning(columns, LessonChanges(sessions))
    for position in (13, 9, 11, LAST, 12, 10):
        expected = sum(0.25 * n for n in range(4) if 10 + n <= position)
        assert index.evidence(Position(position)).get("weight", 0.0) == expected


def test_memories_that_are_gone_are_left_out(columns: Columns) -> None:
    """What a redaction removed from the index bears on nothing and goes with nothing."""
    at, gone = vector(8), 90
    sessions = [session(10 + n, at, {A: 0.6, gone: 0.6}, leads=((A, gone),)) for n in range(2)]
    index = learning(columns, LessonChanges(sessions, [together(10, 0, 0.3, A, gone, B)]))
    assert set(bore(index, at)) == {A}
    assert beside(index, A, asked()) == {B: pytest.approx(0.3)}
    assert index.hooked([A], LAST) == []


def test_questions_are_answered_while_another_thread_follows(columns: Columns) -> None:
    """Whoever asks sees what was learned up to some moment, and never half of a session."""
    at, errors = vector(9), []
    index, done = LessonIndex(DIMENSIONS), threading.Event()

    def ask() -> None:
        try:
            while not done.is_set():
                found = bore(index, at)
                assert found in ({}, {A: found.get(A)})
                index.evidence(LAST)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test tells it
            errors.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for number in range(1, 800):
            undone = [Undoing(Position(5), Position(5 + number), None)] if number % 3 else []
            taught = [session(number, at, {A: 0.5})]
            index.follow(LessonChanges(taught, [], undone), columns, MODEL)
    finally:
        done.set()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(interval)
    assert errors == []
