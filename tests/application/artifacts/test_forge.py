"""Artifacts from GitHub and Gitea, over HTTP from a server that speaks as they do."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import pytest

from mnemolog.application.artifacts.forge import Forge, NamedForge
from mnemolog.endpoints.responses import retry_time
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.errors import ArtifactsDenied, ArtifactsRateLimited, ArtifactsUnavailable
from mnemolog.recall.layers import Artifact, wanted_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.application.artifacts.conftest import LocalForge

Kind = Literal["github", "gitea"]
BOTH = pytest.mark.parametrize("kind", ["github", "gitea"])
PATIENCE_S = 30.0


def ask(
    forge: LocalForge,
    kind: Kind,
    prompt: str,
    repository: str = "boats",
    limit_s: float = PATIENCE_S,
) -> Sequence[Artifact]:
    named = NamedForge(kind, forge.site, "dana", repository, "FORGE_TEST_TOKEN")
    return Forge(named, Analyzer()).find(wanted_by(prompt), limit_s)


@BOTH
def test_an_issue_is_read_by_its_number(forge: LocalForge, kind: Kind) -> None:
    """An issue that a prompt names comes with its state, its text and its last comments."""
    (found,) = ask(forge, kind, "what became of issue 42?")
    assert (found.kind, found.title) == (
        "issue",
        "Issue #42 (closed): The rudder sticks in the cold",
    )
    assert found.text.startswith("Scrape them off.")
    assert "(117 earlier comments)" in found.text
    assert found.text.endswith("rob: remark 118\n\nrob: remark 119\n\nrob: remark 120")
    assert found.source == "https://forge.example/dana/boats/issues/42"
    assert found.at == datetime(2026, 3, 1, 10, tzinfo=UTC)


@BOTH
def test_a_pull_request_is_told_as_one(forge: LocalForge, kind: Kind) -> None:
    """A pull request that was merged is called so."""
    (found,) = ask(forge, kind, "did PR #7 go in?")
    assert found.title == "Pull request #7 (merged): Grease the winch"


@BOTH
def test_a_commit_is_read_by_its_hash(forge: LocalForge, kind: Kind) -> None:
    """The beginning of a hash is enough; message, author and files are told."""
    (found,) = ask(forge, kind, "what did c0ffee1234 do")
    assert found.title == "Commit c0ffee123400: Caulk the transom"
    assert found.text == "With oakum, closes #12\n\nFiles: hull/transom.txt"
    assert found.note == "by Dana Doe"


@BOTH
def test_a_file_is_read_by_its_path(forge: LocalForge, kind: Kind) -> None:
    """A file comes with its text; a folder and a picture have none."""
    (found,) = ask(forge, kind, "what does docs/sailing.md say")
    assert (found.kind, found.text) == ("file", "# Sailing\n\nReef early.\n")
    assert ask(forge, kind, "show logo.png of course") == []


@BOTH
def test_words_are_looked_for_over_several_pages(forge: LocalForge, kind: Kind) -> None:
    """Without a number or hash, the last issues and commits are searched, page after page."""
    (found,) = ask(forge, kind, "which varnish was it for the mast?")
    assert found.title == "Issue #120 (open): Which varnish suits the mast"
    (found,) = ask(forge, kind, "how did we caulk the transom?")
    assert found.kind == "commit"
    asked = [request["path"] for request in forge.requests()]
    page_of = "per_page=100&state=all" if kind == "github" else "limit=50&state=all"
    assert any(f"/dana/boats/issues?{page_of}&page=2" in path for path in asked)


@BOTH
def test_what_is_not_there_is_no_answer(forge: LocalForge, kind: Kind) -> None:
    """A number that no issue has is not answered with something that sounds like it."""
    assert ask(forge, kind, "what about barnacles in #999?") == []
    assert ask(forge, kind, "and deadbeef01?", "bare") == []


@BOTH
def test_a_repository_that_is_not_there_is_an_error(forge: LocalForge, kind: Kind) -> None:
    """Where nothing is found because there is no repository, this is said."""
    with pytest.raises(ArtifactsUnavailable, match="FORGE_TEST_TOKEN") as caught:
        ask(forge, kind, "what about #1?", "gone")
    assert caught.value.source == f"{kind}:dana/gone"


def test_a_spent_limit_is_an_error_with_its_end(forge: LocalForge) -> None:
    """GitHub's own way of saying that no more requests are taken is understood."""
    with pytest.raises(ArtifactsRateLimited) as caught:
        ask(forge, "github", "#1?", "spent")
    assert caught.value.until == datetime.fromtimestamp(1_900_000_000, UTC)


def test_too_many_requests_is_an_error_with_its_end(forge: LocalForge) -> None:
    """Status 429 is the same, with a date in Retry-After."""
    with pytest.raises(ArtifactsRateLimited, match="2037-10-21 07:28:00Z"):
        ask(forge, "gitea", "#1?", "busy")


@BOTH
def test_a_token_comes_from_the_environment(
    forge: LocalForge, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the token access is refused, by an error that names the variable; with it not."""
    with pytest.raises(ArtifactsDenied) as caught:
        ask(forge, kind, "#42?", "secret")
    assert caught.value.token_variable == "FORGE_TEST_TOKEN"
    monkeypatch.setenv("FORGE_TEST_TOKEN", "sesame\n")
    (found,) = ask(forge, kind, "#42?", "secret")
    assert found.title.startswith("Issue #42")


@BOTH
def test_a_repository_that_moved_is_followed(forge: LocalForge, kind: Kind) -> None:
    """A redirect of a renamed repository leads to what was asked for."""
    (found, *_) = ask(forge, kind, "#42?", "renamed")
    assert found.title.startswith("Issue #42")


def test_a_token_does_not_follow_to_another_host(
    forge: LocalForge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A redirect to another host is followed without the token."""
    monkeypatch.setenv("FORGE_TEST_TOKEN", "sesame")
    ask(forge, "github", "#1?", "elsewhere")
    *_, last = forge.requests()
    assert last == {"path": "/api/v3/repos/dana/boats/issues/1", "token": ""}


@pytest.mark.parametrize(
    ("repository", "problem"),
    [
        ("broken", "status 500"),
        ("odd", "form that is not known"),
        ("page", "form that is not known"),
        ("endless", "more than 8 MiB"),
    ],
)
def test_a_bad_answer_is_an_error(forge: LocalForge, repository: str, problem: str) -> None:
    """An answer that is an error, not JSON, of another form or endless is told as such."""
    with pytest.raises(ArtifactsUnavailable, match=problem):
        ask(forge, "github", "#42?", repository)


@pytest.mark.parametrize("repository", ["slow", "dripping"])
def test_an_answer_that_takes_too_long_is_an_error(forge: LocalForge, repository: str) -> None:
    """The limit holds over the whole answer, also where it comes drop by drop."""
    with pytest.raises(ArtifactsUnavailable, match="in time"):
        ask(forge, "gitea", "#42?", repository, limit_s=0.3)


def test_a_forge_that_does_not_listen_is_an_error() -> None:
    """Where nobody listens, this is said."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        site = f"http://127.0.0.1:{held.getsockname()[1]}"
        named = NamedForge("gitea", site, "dana", "boats", "FORGE_TEST_TOKEN")
        with pytest.raises(ArtifactsUnavailable, match="could not be asked"):
            Forge(named, Analyzer()).find(wanted_by("#42?"), PATIENCE_S)


@pytest.mark.parametrize(
    ("headers", "until"),
    [
        ({"Retry-After": "90"}, datetime(2026, 1, 1, 0, 1, 30, tzinfo=UTC)),
        ({"Retry-After": "soon"}, None),
        ({"X-RateLimit-Reset": "9" * 30}, None),
        ({}, None),
    ],
)
def test_the_end_of_a_limit_is_read_as_it_is_told(
    headers: dict[str, str], until: datetime | None
) -> None:
    """Seconds count from now; what cannot be read is no time at all."""
    assert retry_time(headers, datetime(2026, 1, 1, tzinfo=UTC)) == until
