"""The laws of the arrays, postings, vectors and words that an index is made of."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from mnemolog.indexes.arrays import GrowingArray
from mnemolog.indexes.embedder import MiniLM, enriched
from mnemolog.indexes.filters import begins
from mnemolog.indexes.near_words import WordIndex, meant_words
from mnemolog.indexes.postings import Postings, Statistics, inverse_frequencies
from mnemolog.indexes.shapes import Shapes, shape_of
from mnemolog.indexes.vectors.vector_index import Allowed, VectorIndex
from mnemolog.language.analysis import Analyzer

_TERMS = ("a", "b", "c", "d")
_texts = st.lists(st.lists(st.sampled_from(_TERMS), max_size=6), max_size=30)
_NOBODY = np.zeros(0, np.intp)


@given(parts=st.lists(st.lists(st.integers(-9, 9), max_size=700), max_size=6))
@settings(max_examples=40, deadline=None)
def test_a_view_of_a_growing_array_stays_as_it_was(parts: list[list[int]]) -> None:
    """Whatever is added later, and however the array moves, an earlier view does not change."""
    array = GrowingArray(np.int64)
    views = []
    everything: list[int] = []
    for part in parts:
        array.extend(part)
        everything += part
        views.append((array.rows, list(everything)))
    for view, expected in views:
        assert view.tolist() == expected
    assert len(array) == len(everything)


def _built(texts: list[list[str]]) -> Postings:
    postings = Postings()
    for ordinal, terms in enumerate(texts):
        postings.add(ordinal, terms)
    return postings


@given(texts=_texts, cut=st.integers(0, 30), based=st.integers(0, 30))
def test_a_prefix_of_postings_is_a_shorter_build(
    texts: list[list[str]], cut: int, based: int
) -> None:
    """Lists and statistics of the first memories equal those of an index of them alone."""
    base, size = min(based, len(texts)), min(cut, len(texts))
    postings = Postings(_built(texts[:base]).frozen(base))
    for ordinal, terms in enumerate(texts[base:], base):
        postings.add(ordinal, terms)
    shorter = _built(texts[:size])
    for term in _TERMS:
        for mine, theirs in zip(
            postings.postings(term, size), shorter.postings(term, size), strict=True
        ):
            assert mine.tolist() == theirs.tolist()
    frozen, expected = postings.frozen(size), shorter.frozen(size)
    assert frozen.terms == expected.terms
    assert frozen.starts.tolist() == expected.starts.tolist()


@given(texts=_texts)
def test_postings_count_what_the_texts_hold(texts: list[list[str]]) -> None:
    """A term's list names each memory that holds it, with how often."""
    postings = _built(texts)
    for term in _TERMS:
        ordinals, counts = postings.postings(term, len(texts))
        assert dict(zip(ordinals.tolist(), counts.tolist(), strict=True)) == {
            ordinal: Counter(text)[term] for ordinal, text in enumerate(texts) if term in text
        }


@given(texts=_texts, cut=st.integers(0, 30))
def test_statistics_of_two_collections_add_up(texts: list[list[str]], cut: int) -> None:
    """Joined statistics are those of the collections together."""
    joined = _statistics(texts[:cut]).joined(_statistics(texts[cut:]))
    assert joined == _statistics(texts)


def _statistics(texts: list[list[str]]) -> Statistics:
    return Statistics(len(texts), {term: sum(term in text for text in texts) for term in _TERMS})


def test_a_rare_term_tells_more() -> None:
    """Inverse frequency falls as more memories hold a term, and stays positive."""
    told = inverse_frequencies(Statistics(100, {"rare": 1, "common": 50, "everywhere": 100}))
    assert told["rare"] > told["common"] > told["everywhere"] > 0


@given(lengths=st.lists(st.integers(1, 400), min_size=1, max_size=40), cut=st.integers(1, 40))
def test_usual_length_is_of_the_prefix(lengths: list[int], cut: int) -> None:
    """The harmonic mean of the first memories' lengths is that of an index of them alone."""
    whole, shorter = Shapes(), Shapes()
    shapes = [shape_of("word", words, None) for words in lengths]
    whole.add(shapes)
    shorter.add(shapes[:cut])
    size = len(shorter)
    assert whole.usual_words(size) == pytest.approx(shorter.usual_words(size))
    assert Shapes(whole.frozen(size)).words.rows.tolist() == shorter.words.rows.tolist()


@given(
    st.lists(
        st.sampled_from(["Ada: yes", "Ada: the tiles are blue", "Ben: I do", "nobody"]), max_size=16
    ),
    st.integers(0, 16),
)
def test_who_takes_three_turns_is_in_talk(texts: list[str], size: int) -> None:
    """Among the first texts, as they were added and as read from a base; not under a heading."""
    known = Shapes()
    known.add([shape_of(text, 1, None) for text in texts])
    size = min(size, len(texts))
    talking = set()
    for name in ("Ada", "Ben"):
        said = [text for text in texts[:size] if text.startswith(name)]
        turns = 0
        for count, text in enumerate(said, 1):
            turns += "tiles" not in text
            if "tiles" not in text and turns >= 3 and turns * 2 >= count:
                talking.add(name)
    expected = [text[:3] in talking for text in texts]
    for shapes in (known, Shapes(known.frozen(len(texts)))):
        assert shapes.in_talk(np.arange(len(texts)), size).tolist() == expected
    grown = Shapes(known.frozen(size))
    grown.add([shape_of(text, 1, None) for text in texts[size:]])
    assert grown.in_talk(np.arange(len(texts)), size).tolist() == expected


def _clustered(chance: np.random.Generator, size: int, dimensions: int) -> np.ndarray:
    """Unit vectors around 40 centres, as texts of some topics lie."""
    centres = chance.standard_normal((40, dimensions))
    vectors = centres[chance.integers(0, 40, size)] + 0.7 * chance.standard_normal(
        (size, dimensions)
    )
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("masked", [False, True])
def test_narrowing_by_codes_loses_little(*, masked: bool) -> None:
    """Of the ten truly nearest of 20,000 at least 95 % are found through 1-bit codes."""
    chance = np.random.default_rng(11)
    together = _clustered(chance, 20_020, 384)
    vectors, queries = together[:20_000], together[20_000:]
    index = VectorIndex(384)
    index.extend(vectors)
    mask = chance.random(20_000) < 0.6 if masked else None
    found = 0
    for query in queries:
        ordinals, cosines = index.nearest(query, 20_000, 500, Allowed(mask, _NOBODY))
        exact = vectors @ query
        if mask is not None:
            assert mask[ordinals].all()
            exact[~mask] = -1
        np.testing.assert_allclose(cosines, vectors[ordinals] @ query, atol=2e-4)
        found += len(set(ordinals.tolist()) & set(np.argsort(-exact)[:10].tolist()))
    assert found >= 0.95 * 200


@pytest.mark.parametrize("dimensions", [50, 100, 384])
def test_narrowing_takes_vectors_of_any_length(dimensions: int) -> None:
    """Numbers that fill no whole word of a code are compared like the others."""
    chance = np.random.default_rng(2)
    vectors = _clustered(chance, 9_000, dimensions)
    index = VectorIndex(dimensions)
    index.extend(vectors[:5_000])
    index.extend(vectors[5_000:])
    ordinals, cosines = index.nearest(vectors[7], 9_000, 10, Allowed(None, _NOBODY))
    assert ordinals[np.argmax(cosines)] == 7
    assert cosines.max() == pytest.approx(1.0, abs=2e-4)


@pytest.mark.parametrize("size", [500, 7_999, 12_000])
def test_the_nearest_of_a_prefix_are_those_of_a_shorter_index(size: int) -> None:
    """What comes after the first memories changes nothing, not the last bit of a cosine."""
    chance = np.random.default_rng(5)
    vectors = _clustered(chance, 12_500, 64)
    whole, shorter = VectorIndex(64), VectorIndex(64)
    whole.extend(vectors)
    shorter.extend(vectors[:size])
    for query in _clustered(chance, 10, 64):
        mine = whole.nearest(query, size, 100, Allowed(None, _NOBODY))
        theirs = shorter.nearest(query, size, 100, Allowed(None, _NOBODY))
        assert dict(zip(*map(np.ndarray.tolist, mine), strict=True)) == dict(
            zip(*map(np.ndarray.tolist, theirs), strict=True)
        )


def test_few_vectors_are_compared_exactly() -> None:
    """In a small space the nearest are the nearest, those left out excepted."""
    vectors = _clustered(np.random.default_rng(3), 3_000, 64)
    index = VectorIndex(64)
    index.extend(vectors)
    best = int(np.argmax(vectors @ vectors[7]))
    ordinals, _ = index.nearest(vectors[7], 3_000, 10, Allowed(None, np.array([best])))
    expected = np.argsort(-(vectors @ vectors[7]))[1:11]
    assert set(ordinals.tolist()) == set(expected.tolist())


def _words(*words: str) -> WordIndex:
    index = WordIndex()
    index.add((word, ordinal) for ordinal, word in enumerate(words))
    return index


@pytest.mark.parametrize(
    ("mistyped", "meant"),
    [
        ("lanteern", ["lantern"]),
        ("lantren", ["lantern"]),
        ("zilbersten", ["zilberstein"]),
        ("zilbrstain", ["zilberstein"]),
        ("zorvik", ["zorvic"]),
        ("xorvic", []),
        ("zor", []),
        ("zorv1c", []),
        ("lanternnnn", []),
    ],
)
def test_a_mistyped_word_is_read_as_its_nearest(mistyped: str, meant: list[str]) -> None:
    """One edit is forgiven, two in a long word; never the first letter, nor in codes."""
    index = _words("lantern", "zilberstein", "zorvic")
    assert [near.word for near in meant_words(mistyped, [index], 3)] == meant


def test_a_word_is_meant_only_once_it_was_there() -> None:
    """Words of later memories are not offered to a question of an earlier moment."""
    index = _words("zorvic", "zorvix")
    assert [near.word for near in meant_words("zorvi", [index], 1)] == ["zorvic"]
    assert len(meant_words("zorvi", [index], 2)) == 2


def test_words_of_base_and_tail_are_asked_as_one() -> None:
    """The nearest word counts, whichever part of the index holds it."""
    found = meant_words("zorvik", [_words("zorvic"), _words("quark", "zorviks")], 9)
    assert [near.word for near in found] == ["zorvic", "zorviks"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("See src/home.py.", ["=src/home.py"]),
        ("(ABC-12), then v1.2.3!", ["=abc-12", "=v1.2.3"]),
        ("plain words only.", []),
        ("a:b", ["=a:b"]),
        ('"x_y" and `z#1`', ["=x_y", "=z#1"]),
    ],
)
def test_exact_terms_are_pieces_with_a_mark_inside(text: str, terms: list[str]) -> None:
    """Ids, codes and paths are kept whole in lowercase, without what stands around them."""
    assert Analyzer().exact(text) == terms


def test_a_cue_comes_to_the_terms_of_a_text() -> None:
    """Case, accents, endings and possessives make no difference between cue and text."""
    analyzer = Analyzer()
    assert set(analyzer.cue("Dana's CAFÉS were boiling")) == set(analyzer.words("dana cafe boil"))


@pytest.mark.parametrize(
    ("name", "wanted", "fits"),
    [
        ("file:notes.md", "file:", True),
        ("file:notes.md#top", "file:notes.md", True),
        ("file:notes.mdx", "file:notes.md", False),
        ("house/attic", "house", True),
        ("household", "house", False),
        ("https://a.b/c?d", "https://a.b/c", True),
    ],
)
def test_a_source_or_place_begins_at_a_mark(name: str, wanted: str, *, fits: bool) -> None:
    """A beginning counts only where a mark of its own ends it."""
    assert begins(name, wanted) is fits


def test_a_header_stands_before_what_is_embedded() -> None:
    """Place and category go in front of a text, fifty words of them at most."""
    assert enriched("text", None, None) == "text"
    assert enriched("text", "house/attic", "tools") == "house attic tools\ntext"
    assert len(enriched("text", "/".join(["room"] * 80), None).split()) == 51


def test_a_model_that_was_let_go_is_loaded_again() -> None:
    """After unloading, the same text gets the same vector."""
    model = MiniLM()
    before = model.embed(["the kettle boils"])
    model.unload()
    assert np.array_equal(model.embed(["the kettle boils"]), before)


def test_a_text_has_the_same_vector_whatever_stands_beside_it() -> None:
    """Texts of as many tokens are run together, in batches, without a trace of each other."""
    texts = [f"{word} " * count for word in ("tea", "kettle", "7") for count in range(1, 90, 4)]
    model = MiniLM()
    model.embed(texts)  # until it is optimised, which changes the last bit
    together = model.embed([*texts, *reversed(texts)])
    alone = np.concatenate([model.embed([text]) for text in texts])
    assert np.array_equal(together, np.concatenate([alone, alone[::-1]]))


def test_parts_of_a_text_are_read_in_passing() -> None:
    """A part that is all of its text has the mean of its words; one that is cut off has zeros."""
    texts = ["The kettle boils. Ana sings.", "tea", "tea " * 300]
    parts = [[(0, 17), (18, 28)], [], [(0, 3), (1_100, 1_103), (4, 4)]]
    model = MiniLM()
    vectors, (kettle, ana, first, cut, nothing) = model.embed_parts(texts, parts)
    assert np.array_equal(vectors, model.embed(texts))
    kettle_alone, ana_alone = model.embed(["The kettle boils.", "Ana sings."])
    assert kettle @ kettle_alone > 0.8 > kettle @ ana_alone
    assert ana @ ana_alone > 0.8 > ana @ kettle_alone
    assert np.isclose(np.linalg.norm(first), 1)
    assert not cut.any()
    assert not nothing.any()


def test_of_a_long_text_the_first_tokens_count() -> None:
    """What comes after 256 tokens changes nothing, and what makes no tokens does not count."""
    beginning = "the kettle boils " * 100
    unseen = "\u200b " * 4_000
    # The last token that counts is the 254th word, wherever a reading in parts may cut it.
    words = "tea " * 253 + "kettle boils"
    across = ["\u200b" * (4_096 - len(words) + beyond) + words for beyond in range(1, 12, 3)]
    texts = [beginning, beginning * 50, "the kettle boils", f"{unseen}the kettle boils", words]
    model = MiniLM()
    model.embed(texts)  # until it is optimised, which changes the last bit
    short, long, plain, padded, cut, *shifted = model.embed([*texts, *across])
    assert np.array_equal(short, long)
    assert np.array_equal(plain, padded)
    assert all(np.array_equal(cut, one) for one in shifted)
