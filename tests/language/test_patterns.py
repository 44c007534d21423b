"""Patterns that wait for their first use."""

from __future__ import annotations

import gc
import pkgutil
import re
from importlib import import_module

import pytest

import mnemolog
from mnemolog.language import lists
from mnemolog.language.lists import regex

WRONG = regex("(")


def test_a_pattern_answers_as_a_compiled_one() -> None:
    """Its methods are those of the compiled pattern, the first time and later."""
    some = regex(r"(\w)ea", re.IGNORECASE)
    for _ in range(2):
        assert some.findall("Tea and peas") == ["T", "p"]
        assert some.sub(r"\1oo", "tea") == "too"
    assert some.pattern == r"(\w)ea"


def test_a_wrong_pattern_fails_at_its_first_use() -> None:
    """Nothing is compiled before."""
    with pytest.raises(re.error):
        WRONG.search("tea")


def test_every_pattern_of_the_code_can_be_compiled() -> None:
    """No pattern waits for its first use with a mistake in it."""
    for module in pkgutil.walk_packages(mnemolog.__path__, "mnemolog."):
        import_module(module.name)
    gc.unfreeze()
    waiting = [one for one in gc.get_objects() if type(one) is lists._LazyPattern]
    assert len(waiting) > 30
    for one in waiting:
        if one is not WRONG:
            assert re.compile(str(one.pattern))
