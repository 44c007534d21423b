"""The package as a reader meets it: one name a class, modules that fit on a few screens."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import mnemolog

PACKAGE = Path(mnemolog.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST = 400


def test_each_class_name_is_used_once() -> None:
    """A name that is searched for leads to one class."""
    names = Counter(
        node.name
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_a_long_module_says_why() -> None:
    """A module of more than 400 lines gives the reason in its docstring."""
    long = {one.name: one for one in MODULES if len(one.read_text().splitlines()) > LONGEST}
    docs = {name: ast.get_docstring(ast.parse(one.read_text())) for name, one in long.items()}
    assert [name for name, doc in docs.items() if doc is None or " long" not in doc] == []


def test_no_folder_holds_a_module_and_a_folder_of_one_name() -> None:
    """What is imported by a name is one thing, and no folder has more than fifteen."""
    for folder in {module.parent for module in MODULES}:
        inside = [one.stem for one in folder.glob("*.py") if one.stem != "__init__"]
        inside += [one.parent.name for one in folder.glob("*/__init__.py")]
        assert len(inside) == len(set(inside)) <= 15, folder
