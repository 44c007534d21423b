"""Relations drawn from texts: what counts as stated, and between what."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mnemolog.indexes.postings import Statements, relation_of
from mnemolog.language.entities import thing_name
from mnemolog.language.relations import Relation, relations


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("almonds are a kind of nuts", [("almond", "IS_A", "nut")]),
        ("Almonds are nuts.", [("almond", "IS_A", "nut")]),
        ("Rex is a dog, and a good one", [("rex", "IS_A", "dog")]),
        ("Dana: my brother Tom is a nurse", [("tom", "IS_A", "nurse")]),
        (
            "I learned that almonds are tree nuts",
            [("almond", "IS_A", "tree nut"), ("almond", "IS_A", "nut")],
        ),
        (
            "Cashews, pecans and almonds are nuts",
            [("cashew", "IS_A", "nut"), ("pecan", "IS_A", "nut"), ("almond", "IS_A", "nut")],
        ),
        ("The wheel is part of the car", [("wheel", "PART_OF", "car")]),
        (
            "Marzipan contains almonds and sugar",
            [("marzipan", "CONTAINS", "almond"), ("marzipan", "CONTAINS", "sugar")],
        ),
        ("Marzipan is made from almonds", [("marzipan", "CONTAINS", "almond")]),
        ("the api depends on the auth service", [("api", "DEPENDS_ON", "auth service")]),
        ("The outage was caused by the disk", [("outage", "CAUSED_BY", "disk")]),
        ("Bad cables caused the outage", [("outage", "CAUSED_BY", "bad cable")]),
        ("The outage happened because of the disk", [("outage", "CAUSED_BY", "disk")]),
        ("Sunscreen prevents sunburn", [("sunscreen", "PREVENTS", "sunburn")]),
        ("Robert is also known as Bob", [("robert", "ALIAS_OF", "bob")]),
        ("Kubernetes, aka K8s, is hard", [("kubernetes", "ALIAS_OF", "k8s")]),
        ("Dana works at Acme Corp in Berlin", [("dana", "ASSOCIATED_WITH", "acme corp")]),
        ("Ann is Dana's sister", [("ann", "ASSOCIATED_WITH", "dana")]),
    ],
)
def test_what_is_stated_plainly_is_drawn(text: str, stated: list[tuple[str, str, str]]) -> None:
    """Kinds, parts, contents, causes, needs, other names and whom one belongs to."""
    assert list(relations(text)) == [Relation(*one) for one in stated]


@pytest.mark.parametrize(
    "text",
    [
        "Are almonds nuts?",
        "almonds are not nuts",
        "if almonds are nuts we lose",
        "Perhaps Rex is a dog",
        "I didn't know that Rex is a dog",
        "It is a dog and they are cats",
        "This is a great idea",
        "almonds are delicious",
        "The days are always long",
        "There is a cat in the room",
        "What I like is a secret",
        "Dana is a bit tired",
        "The blue car is the same as the old one",
        "Axios is a powerful, modern way to ask",
        "The second 10 is a good sum and 10 is a number",
        "Below is an example",
        "Marzipan contains",
        "a is a a",
    ],
)
def test_what_states_nothing_is_left_alone(text: str) -> None:
    """Questions, denials, suppositions, pronouns and mere descriptions are no relations."""
    assert relations(text) == ()


@pytest.mark.parametrize(
    ("name", "thing"),
    [
        ("the  Almonds'", "almonds"),
        ("almonds", "almond"),
        ("tree nuts", "tree nut"),
        ("berries", "berry"),
        ("dishes", "dish"),
        ("oat cookies", "oat cookie"),
        ("shoes", "shoe"),
        ("tomatoes", "tomato"),
        ("prizes", "prize"),
        ("women", "woman"),
        ("series", "series"),
        ("glass", "glass"),
        ("James", "james"),
        ("Dana's", "dana"),
        ("my bus", "bus"),
        ("gas", "gas"),
    ],
)
def test_things_are_compared_by_their_singular(name: str, thing: str) -> None:
    """Case, articles, possessives and plurals make no other thing; a name keeps its s."""
    assert thing_name(name) == thing


@given(
    text=st.lists(
        st.sampled_from(["a", "Bo", "s", " ", " is a ", " are ", "nuts", ",", ". ", "'s ", " and "])
    ).map("".join)
)
def test_what_is_drawn_is_the_same_each_time(text: str) -> None:
    """Whatever the text, relations are between two different names, and repeat."""
    found = relations(text)
    assert found == relations(text)
    assert all(one.source and one.target and one.source != one.target for one in found)


def test_a_long_text_is_read_in_a_moment() -> None:
    """Sentences of any length cost no more than their letters; 32 relations are kept."""
    assert relations("Rex is a dog and " * 50_000) == ()
    many = " ".join(f"Rex{number} is a dog{number}." for number in range(20_000))
    assert len(relations(many)) == 32


def test_statements_are_found_by_their_source() -> None:
    """In a base and in a tail, by the source alone; other names go both ways."""
    tail = Statements([])
    terms = tail.add(relations("Bob is also known as Robert. Bob is a cat. A bobcat is a cat."))
    assert [relation_of(term) for term in terms] == [
        Relation("bob", "ALIAS_OF", "robert"),
        Relation("robert", "ALIAS_OF", "bob"),
        Relation("bob", "IS_A", "cat"),
        Relation("bobcat", "IS_A", "cat"),
    ]
    for statements in (tail, Statements(sorted(["=bob", "bob", "~", *terms]))):
        assert statements.of("bob") == [
            Relation("bob", "ALIAS_OF", "robert"),
            Relation("bob", "IS_A", "cat"),
        ]
        assert statements.of("robert") == [Relation("robert", "ALIAS_OF", "bob")]
        assert statements.of("bo") == []
