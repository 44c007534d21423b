"""How central memories are in the graph of their space."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from mnemolog.indexes.graph import centralities

nodes = st.integers(0, 12)
edges = st.lists(
    st.tuples(nodes, nodes, st.sampled_from((0.1, 0.5, 1.0))).filter(lambda one: one[0] != one[1]),
    min_size=1,
    max_size=40,
)


def _of(given_edges: list[tuple[int, int, float]]) -> dict[int, tuple[float, float]]:
    """Degree and rank of each node, by the numbers that the edges have."""
    known = sorted({end for edge in given_edges for end in edge[:2]})
    numbers = {node: number for number, node in enumerate(known)}
    sources = np.array([numbers[source] for source, _, _ in given_edges])
    targets = np.array([numbers[target] for _, target, _ in given_edges])
    weights = np.array([weight for _, _, weight in given_edges])
    found = centralities(sources, targets, weights)
    pairs = zip(found.degrees.tolist(), found.ranks.tolist(), strict=True)
    return dict(zip(known, pairs, strict=True))


def test_without_edges_nothing_is_central() -> None:
    """A space without edges has no centralities."""
    none = np.zeros(0, np.int64)
    found = centralities(none, none, np.zeros(0))
    assert len(found.degrees) == len(found.ranks) == 0


@given(edges)
def test_they_are_relative_to_the_largest(given_edges: list[tuple[int, int, float]]) -> None:
    """Of all that is joined, one has degree 1 and one has rank 1; none has more or nothing."""
    found = _of(given_edges)
    assert set(found) == {end for edge in given_edges for end in edge[:2]}
    for place in (0, 1):
        values = [one[place] for one in found.values()]
        assert max(values) == 1
        assert min(values) > 0


@given(edges)
def test_which_way_an_edge_points_does_not_matter(
    given_edges: list[tuple[int, int, float]],
) -> None:
    """Edges are walked both ways: turned round, they give the same."""
    turned = [(target, source, weight) for source, target, weight in given_edges]
    one, other = _of(turned), _of(given_edges)
    assert {node: both[0] for node, both in one.items()} == {
        node: both[0] for node, both in other.items()
    }
    assert [both[1] for both in one.values()] == pytest.approx([both[1] for both in other.values()])


@given(edges)
def test_the_same_edges_give_the_same_bits(given_edges: list[tuple[int, int, float]]) -> None:
    """Computed again, every number is the same to the last bit."""
    assert _of(given_edges) == _of(given_edges)


@given(edges)
def test_ranks_are_those_of_pagerank(given_edges: list[tuple[int, int, float]]) -> None:
    """The ranks solve PageRank's equations, with damping 0.85."""
    found = _of(given_edges)
    places = {node: place for place, node in enumerate(sorted(found))}
    size = len(places)
    weights = np.zeros((size, size))
    for source, target, weight in given_edges:
        weights[places[source], places[target]] += weight
        weights[places[target], places[source]] += weight
    steps = (weights / weights.sum(axis=1, keepdims=True)).T
    solved = np.linalg.solve(np.eye(size) - 0.85 * steps, np.full(size, 0.15 / size))
    for node, place in places.items():
        assert found[node][1] == pytest.approx(solved[place] / solved.max(), abs=1e-5)


def test_the_middle_of_a_star_is_the_most_central() -> None:
    """What everything else is joined to has the highest degree and rank."""
    found = _of([(0, leaf, 1.0) for leaf in range(1, 6)])
    assert found[0] == (1, 1)
    assert all(found[leaf][0] == pytest.approx(0.2) for leaf in range(1, 6))
