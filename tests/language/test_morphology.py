"""Morphology: plurals, forms of verbs, names that look plural, and stems."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.words.lexicon import is_plural, plural, singular, stem, verb_forms

PLURALS = """
box boxes|berry berries|house houses|foot feet|pizza pizzas|photo photos|virus viruses
size sizes|prize prizes|quiz quizzes|movie movies|glove gloves|knife knives|cause causes|lens lenses
hero heroes|shoe shoes|cache caches|church churches|analysis analyses|kiwi kiwis|menu menus
key keys|day days
database databases|phase phases|nurse nurses|bonus bonuses|child children|person people
"""
UNCHANGED = "James Texas Paris news series glass bus analysis species Kubernetes physics DNS status"


@pytest.mark.parametrize("pair", PLURALS.replace("\n", "|").strip("|").split("|"))
def test_plurals_and_singulars_are_each_other_s(pair: str) -> None:
    """A noun's plural comes back to its singular, regular or not."""
    one, many = pair.split()
    assert singular(many) == one
    assert plural(one) == many
    assert is_plural(many)
    assert not is_plural(one)
    assert singular(one) == one


@pytest.mark.parametrize("word", UNCHANGED.split())
def test_names_and_words_that_look_plural_keep_their_form(word: str) -> None:
    """James is no Jame, Texas no Texa and news no new, in whatever letters they are written."""
    for written in (word, word.lower()):
        assert singular(written) == word.lower()
        assert not is_plural(written)
        assert stem(written).startswith(word.lower().removesuffix("e"))


def test_a_capital_shows_a_name() -> None:
    """Banks is a name with its capital, and a plural without."""
    assert singular("Banks") == "banks"
    assert singular("banks") == "bank"


def test_some_plurals_have_no_singular() -> None:
    """Scissors and trousers are plurals, and come back as they are."""
    assert is_plural("scissors")
    assert singular("trousers") == plural("trousers") == "trousers"


@pytest.mark.parametrize(
    "forms",
    [
        "move moves moved moving",
        "stop stops stopped stopping",
        "prefer prefers preferred preferring",
        "write writes wrote written writing",
        "agree agrees agreed agreeing",
        "study studies studied studying",
        "die dies died dying",
        "go goes went gone going",
    ],
)
def test_forms_of_a_verb_have_one_base_and_one_stem(forms: str) -> None:
    """Regular and irregular forms, doubled letters and endings in -y and -ie are known."""
    base, *others = forms.split()
    assert {verb_forms()[form].lemma for form in (base, *others)} == {base}
    assert len({stem(form) for form in (base, *others)}) == 1


@pytest.mark.parametrize(
    "forms",
    [
        *("hydrate hydrates hydrated hydrating", "knit knitted", "grill grilled grilling"),
        *("whisk whisks whisked", "sketch sketches sketched", "fry fried", "juggle juggling"),
    ],
)
def test_forms_of_any_verb_share_their_stem(forms: str) -> None:
    """Verbs that no list has are cut by rule, all forms alike."""
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("word", ["string", "need", "hundred", "evening", "red", "bed", "nothing"])
def test_words_that_only_look_inflected_are_left_whole(word: str) -> None:
    """A string is no form of a verb str."""
    assert stem(word) == word


@given(st.text(alphabet="aeisyxzuchg", max_size=12))
def test_a_singular_is_singular(word: str) -> None:
    """Whatever the letters, a plural with a regular form comes back to its noun."""
    assert singular(word) == singular(word).lower()
    assert len(plural(word)) >= len(word)
