"""Sources of artifacts as the settings name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.application.artifacts.forge import NamedForge
from mnemolog.application.artifacts.named import named_sources, paths_of
from mnemolog.application.layers import opened
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.errors import InvalidField


@pytest.mark.parametrize(
    ("text", "api", "name", "variable"),
    [
        ("github:dana/boats", "https://api.github.com", "github:dana/boats", "GITHUB_TOKEN"),
        (
            "github:https://github.com/dana/boats.git",
            "https://api.github.com",
            "github:dana/boats",
            "GITHUB_TOKEN",
        ),
        (
            "github:https://ghe.example/dana/boats",
            "https://ghe.example/api/v3",
            "github:dana/boats",
            "GITHUB_TOKEN",
        ),
        (
            "gitea:https://git.example:3000/forge/dana/my.boats token=WORK",
            "https://git.example:3000/forge/api/v1",
            "gitea:dana/my.boats",
            "WORK",
        ),
    ],
)
def test_a_forge_is_named_by_its_repository(text: str, api: str, name: str, variable: str) -> None:
    """A repository's address gives the API to ask and the variable that holds the token."""
    (forge,) = named_sources(text)
    assert isinstance(forge, NamedForge)
    assert (forge.api, forge.name, forge.token_variable) == (api, name, variable)


def test_several_sources_stand_between_commas() -> None:
    """Their order is that in which they are asked; blanks do not matter."""
    named = named_sources(" git:/srv/boats,github:dana/boats , git:~/my boats, ")
    assert [isinstance(one, NamedForge) for one in named] == [False, True, False]
    assert [source.name for source in opened(named, Analyzer())] == [
        "git:/srv/boats",
        "github:dana/boats",
        "git:~/my boats",
    ]
    assert named_sources("") == ()


@pytest.mark.parametrize(
    "text",
    [
        "boats",
        "svn:dana/boats",
        "git:boats",
        "git:",
        "github:dana",
        "github:dana/boats/more/",
        "github:https://dana:secret@ghe.example/dana/boats",
        "github:ftp://ghe.example/dana/boats",
        "github:https://ghe.example/dana/..",
        "github:dana/boats token=",
        "github:dana/boats token=A token=B",
        "github:dana/boats secret",
        "gitea:dana/boats",
        "gitea:https://[::1/dana/boats",
        "gitea:https:///dana/boats",
        "gitea:https://git.example:none/dana/boats",
        "gitea:https://git.example:99999/dana/boats",
        "gitea:https://git.example:0/dana/boats",
        "gitea:https://git.example/dana/boats?x=1",
    ],
)
def test_what_names_no_source_is_refused(text: str) -> None:
    """The error names the setting, the part that is wrong, and the forms that are right."""
    with pytest.raises(InvalidField, match=r"artifacts: .* (github:owner/repo|absolute path)"):
        named_sources(f"github:dana/boats, {text}")


def test_paths_must_be_absolute() -> None:
    """A setting holds wherever a question is asked from, so a relative path is refused."""
    assert paths_of("playbooks", "/a/b, ~/c") == (Path("/a/b"), Path("~/c"))
    with pytest.raises(InvalidField, match="playbooks: 'c/d' is no absolute path"):
        paths_of("playbooks", "/a/b, c/d")
