"""Documents as a whole: links, navigation, reference, decisions, style and licence."""

from __future__ import annotations

import inspect
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import mnemolog
from mnemolog.projections.views import all_projections

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
DECISIONS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
REFERENCE = sorted((DOCS / "reference").glob("*.md"))
# Joined here, so that this file does not contain the words that it looks for.
FORBIDDEN = ("TO" + "DO", "FIX" + "ME", ".." + "/shared", "/work" + "/", "/ro" + "ot/")
REGISTRY_HOSTS = (
    "pypi" + ".org",
    "python" + "hosted",
    "npmjs" + ".",
    "art" + "ifactory",
    "nexus" + ".",
)
SENTENCES_PER_PARAGRAPH = 4
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"^\s*(?:[-*]|\d+\.) ", re.MULTILINE)
_SENTENCE_END = re.compile(r"[.!?][”\"')\]*_]*(?=\s+[“\"(\[*_]*[A-Z0-9$`]|\s*$)")


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def _prose(page: Path) -> str:
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def _anchors(page: Path) -> set[str]:
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in _HEADING.findall(_prose(page))
    }


def _paragraphs(page: Path) -> list[str]:
    """Paragraphs, list items and table cells of a page, with `x` for code and links."""
    text = re.sub(r"^> ?", "", _HEADING.sub("", _prose(page)), flags=re.MULTILINE)
    text = re.sub(r"`[^`\n]*`", "x", _LINK.sub("x", text))
    found: list[str] = []
    for block in re.split(r"\n\s*\n", text):
        if block.lstrip().startswith("|"):
            found += re.split(r"(?<!\\)\||\n", block)
        else:
            found += _ITEM.split(block)
    return found


def _files() -> list[Path]:
    """Files of the repository; in a copy without git, those that it would hold."""
    asked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode == 0:
        return [ROOT / name for name in asked.stdout.splitlines() if (ROOT / name).is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file() and ".venv" not in path.parts]


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_have_targets(page: Path) -> None:
    """Every link to a file of the repository, or to a heading in one, has its target."""
    broken = []
    for link in _LINK.findall(_prose(page)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            broken.append(link)
    assert broken == []


def test_every_page_can_be_reached() -> None:
    """Every page is linked from another one."""
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in PAGES
        for link in _LINK.findall(_prose(page))
        if "://" not in link and link.partition("#")[0]
    }
    starts = {ROOT / "README.md", DOCS / "index.md", *REFERENCE}
    assert [page for page in PAGES if page not in linked | starts] == []


def test_the_navigation_lists_every_page() -> None:
    """The site's navigation has every page of docs/, decisions by their list."""
    listed = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md") if page not in DECISIONS}
    assert sorted(listed) == sorted(pages)


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=_name)
def test_paragraphs_are_short(page: Path) -> None:
    """A paragraph, a list item or a table cell has at most four sentences."""
    long = [
        " ".join(paragraph.split())[:80]
        for paragraph in _paragraphs(page)
        if len(_SENTENCE_END.findall(paragraph.strip())) > SENTENCES_PER_PARAGRAPH
    ]
    assert long == []


def test_the_reference_has_every_public_name_once() -> None:
    """The API reference has each public name in one place."""
    directives = [
        name
        for page in REFERENCE
        for name in re.findall(r"^::: mnemolog\.(\w+)$", page.read_text(), re.MULTILINE)
    ]
    assert sorted(directives) == sorted(mnemolog.__all__)


@pytest.mark.parametrize("name", mnemolog.__all__)
def test_every_public_name_has_a_docstring(name: str) -> None:
    """A public name has a docstring of its own, which the reference shows."""
    assert inspect.getdoc(getattr(mnemolog, name))


@pytest.mark.parametrize("answerer", [mnemolog.Memory, mnemolog.Moment])
def test_every_public_method_is_documented(answerer: type) -> None:
    """A method of `Memory` or `Moment` has a docstring and a place in docs/library.md."""
    page = (DOCS / "library.md").read_text(encoding="utf-8")
    for name, member in inspect.getmembers(answerer):
        if name.startswith("_") or name == "everything":
            continue
        assert inspect.getdoc(member), name
        assert re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", page), name


def test_the_library_page_names_every_parameter_of_open() -> None:
    """docs/library.md has a table row for each parameter of `Memory.open`."""
    page = (DOCS / "library.md").read_text(encoding="utf-8")
    parameters = inspect.signature(mnemolog.Memory.open).parameters
    assert [name for name in parameters if f"| `{name}` |" not in page] == []


def test_the_page_about_views_names_every_projection() -> None:
    """docs/how-events-become-views.md has a table row for each projection, and for no other."""
    page = (DOCS / "how-events-become-views.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert sorted(rows) == sorted(projection.name for projection in all_projections(b""))


@pytest.mark.parametrize("page", DECISIONS, ids=_name)
def test_a_decision_has_context_choice_and_cost(page: Path) -> None:
    """A decision has its number, a context, the choice and what it costs, in this order."""
    headings = _HEADING.findall(_prose(page))
    assert headings[0].startswith(f"{page.name[:4]}: ")
    assert [one for one in headings[1:] if one in ("Context", "Choice", "What it costs")] == [
        "Context",
        "Choice",
        "What it costs",
    ]


def test_decisions_are_numbered_without_a_gap() -> None:
    """Decisions are 0001, 0002 and so on, and their list names them all."""
    assert [page.name[:4] for page in DECISIONS] == [
        f"{number:04}" for number in range(1, len(DECISIONS) + 1)
    ]
    listed = (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    assert all(f"({page.name})" in listed for page in DECISIONS)


def test_nothing_unfinished_or_private_is_left() -> None:
    """No file says that something is still to be done, or names a place of one machine."""
    found = []
    for path in _files():
        if path.suffix == ".onnx":
            # Among millions of weights, any four letters are somewhere.
            continue
        text = path.read_bytes().decode("utf-8", errors="ignore")
        found += [
            f"{_name(path)}: {word}" for word in (*FORBIDDEN, *REGISTRY_HOSTS) if word in text
        ]
    assert found == []


def test_the_changelog_has_this_version() -> None:
    """The changelog has an unreleased section, and the version of pyproject.toml."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    headings = _HEADING.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert "[Unreleased]" in headings
    assert any(heading.startswith(f"[{version}]") for heading in headings)


def test_the_licence_is_whole() -> None:
    """LICENSE is the Apache License 2.0, from its title to its appendix."""
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert "APPENDIX: How to apply the Apache License to your work." in text
