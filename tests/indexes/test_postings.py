"""Postings: the same lists from a base, a tail, and both, as counting gives."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, strategies as st

from mnemolog.indexes.postings import PostingArrays, Postings

TEXTS = st.lists(st.lists(st.sampled_from("abcdeé~@="), max_size=8), max_size=12)


def lists_of(arrays: PostingArrays) -> dict[str, list[tuple[int, int]]]:
    """The list of each term: ordinals with counts."""
    ends = zip(arrays.terms, arrays.starts[:-1], arrays.starts[1:], strict=True)
    pairs = list(zip(arrays.ordinals.tolist(), arrays.counts.tolist(), strict=True))
    return {term: pairs[start:end] for term, start, end in ends}


def counted(texts: list[list[str]]) -> dict[str, list[tuple[int, int]]]:
    """The same by counting the terms of each text."""
    lists: dict[str, list[tuple[int, int]]] = {}
    for ordinal, terms in enumerate(texts):
        for term, count in Counter(terms).items():
            lists.setdefault(term, []).append((ordinal, count))
    return dict(sorted(lists.items()))


def followed(base: Postings, first: int, texts: list[list[str]]) -> Postings:
    """Postings with more texts in their tail."""
    for ordinal, terms in enumerate(texts, first):
        base.add(ordinal, terms)
    return base


@given(TEXTS, st.data())
def test_lists_are_those_of_counting_wherever_the_base_ends(
    texts: list[list[str]], data: st.DataObject
) -> None:
    """Any base and tail, asked for any first memories, give what counting gives."""
    based = data.draw(st.integers(0, len(texts)))
    size = data.draw(st.integers(0, len(texts)))
    base = followed(Postings(), 0, texts[:based]).frozen(based)
    postings = followed(Postings(base), based, texts[based:])
    expected = counted(texts[:size])
    assert lists_of(postings.frozen(size)) == expected
    for term in "abcdeé~@=":
        ordinals, counts = postings.postings(term, size)
        pairs = zip(ordinals.tolist(), counts.tolist(), strict=True)
        assert list(pairs) == expected.get(term, [])
        assert (ordinals.dtype.name, counts.dtype.name) == ("int32", "uint16")


def test_a_term_is_counted_up_to_what_a_count_holds() -> None:
    """A text with a term 70,000 times has it 65,535 times, in a tail and in a base."""
    postings = followed(Postings(), 0, [["a"] * 70_000, ["a"]])
    assert postings.postings("a", 2)[1].tolist() == [65_535, 1]
    assert postings.frozen(2).counts.tolist() == [65_535, 1]
