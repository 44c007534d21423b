"""The documents hang together: links resolve, nothing public is missing, nothing private is in."""

from __future__ import annotations

import inspect
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import mnemolog

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
# Put together here, so that this file does not hold what it looks for.
FORBIDDEN = ("TO" + "DO", "FIX" + "ME", ".." + "/shared", "/work" + "/", "/ro" + "ot/")
REGISTRY_HOSTS = (
    "pypi" + ".org",
    "python" + "hosted",
    "npmjs" + ".",
    "art" + "ifactory",
    "nexus" + ".",
)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def _prose(page: Path) -> str:
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def _anchors(page: Path) -> set[str]:
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in _HEADING.findall(_prose(page))
    }


def _files() -> list[Path]:
    """The files of the repository; in a copy without git, those that it would hold."""
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
def test_links_lead_somewhere(page: Path) -> None:
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


def test_no_page_is_left_out() -> None:
    """Every page is linked from another one."""
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in PAGES
        for link in _LINK.findall(_prose(page))
        if "://" not in link and link.partition("#")[0]
    }
    assert [page for page in PAGES if page not in linked and page.name != "README.md"] == []


@pytest.mark.parametrize("name", mnemolog.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    """A public name has a docstring of its own and a place in docs/library.md."""
    public = getattr(mnemolog, name)
    assert inspect.getdoc(public)
    reference = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    assert re.search(rf"`{name}\b", reference)


@pytest.mark.parametrize(
    "questions", [mnemolog.Memory, mnemolog.Moment], ids=lambda one: one.__name__
)
def test_every_public_method_is_documented(questions: type) -> None:
    """A method of the library's face has a docstring and a place in docs/library.md."""
    reference = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    for name, member in inspect.getmembers(questions):
        if name.startswith("_") or name == "everything":
            continue
        assert inspect.getdoc(member), name
        assert re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", reference), name


@pytest.mark.parametrize("page", DECISIONS, ids=_name)
def test_a_decision_says_why_what_and_at_what_price(page: Path) -> None:
    """A decision has its number, a context, the choice and what it costs, in this order."""
    headings = _HEADING.findall(_prose(page))
    assert headings[0].startswith(f"{page.name[:4]}: ")
    assert headings[1:] == ["Context", "Choice", "What it costs"]


def test_decisions_are_numbered_without_a_gap() -> None:
    """Decisions are 0001, 0002 and so on, and their list names them all."""
    assert [page.name[:4] for page in DECISIONS] == [
        f"{number:04}" for number in range(1, len(DECISIONS) + 1)
    ]
    listed = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    assert all(f"({page.name})" in listed for page in DECISIONS)


def test_nothing_unfinished_or_private_is_left() -> None:
    """No file says that something is still to be done, or names a place of one machine."""
    found = []
    for path in _files():
        text = path.read_bytes().decode("utf-8", errors="ignore")
        found += [
            f"{_name(path)}: {word}" for word in (*FORBIDDEN, *REGISTRY_HOSTS) if word in text
        ]
    assert found == []


def test_the_changelog_knows_this_version() -> None:
    """The changelog has what is unreleased, and the version of pyproject.toml."""
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
