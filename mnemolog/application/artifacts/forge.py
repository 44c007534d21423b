"""Repository on GitHub or Gitea: issues, pull requests, commits and files, over HTTP."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import quote

import msgspec
from msgspec.json import Decoder

from mnemolog.application.artifacts.named import ForgeKind, NamedForge
from mnemolog.endpoints.responses import UnfitBody, body_within, keeps_secrets, retry_time
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.errors import ArtifactsDenied, ArtifactsRateLimited, ArtifactsUnavailable
from mnemolog.ledger.vocabulary import decode_json
from mnemolog.recall.layers import (
    Artifact,
    ArtifactKind,
    Wanted,
    best_of,
    commit_artifact,
    plain_text,
)

if TYPE_CHECKING:
    import httpx2

Answer = TypeVar("Answer")

# Each page is a request of some tenths of a second, and a layer has seconds in all.
_ISSUE_PAGES, _COMMIT_PAGES = range(1, 4), range(1, 2)
_MOST_FOUND, _LAST_COMMENTS, _ANSWER_BYTES = 5, 3, 8 << 20
# Not found, deleted, not a commit, or a repository without commits.
_NOTHING = (404, 409, 410, 422)
_DENIED, _TOO_MANY, _BAD = (401, 403), 429, 400


class _Dialect(NamedTuple):
    """Differences between the two APIs: a token's scheme, the path of one commit, the queries."""

    headers: Mapping[str, str]
    scheme: str
    page_size: Mapping[str, int]
    commit: str
    commits: Mapping[str, str]


_GITHUB = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
_BRIEF = {"stat": "false", "files": "false", "verification": "false"}
_DIALECTS: Mapping[ForgeKind, _Dialect] = {
    "github": _Dialect(_GITHUB, "Bearer", {"per_page": 100}, "/commits/", {}),
    "gitea": _Dialect(
        {"Accept": "application/json"}, "token", {"limit": 50}, "/git/commits/", _BRIEF
    ),
}


class _Person(msgspec.Struct):
    login: str = ""


class _Signature(msgspec.Struct):
    name: str = ""
    date: datetime | None = None


class _Pull(msgspec.Struct):
    merged_at: datetime | None = None


class _Comment(msgspec.Struct):
    body: str | None = None
    user: _Person | None = None


class _Issue(_Comment, kw_only=True):
    number: int
    title: str = ""
    state: str = ""
    html_url: str = ""
    comments: int = 0
    updated_at: datetime | None = None
    pull_request: _Pull | None = None


class _CommitText(msgspec.Struct):
    message: str = ""
    author: _Signature | None = None


class _Touched(msgspec.Struct):
    filename: str = ""


class _Commit(msgspec.Struct):
    sha: str
    html_url: str = ""
    commit: _CommitText = msgspec.field(default_factory=_CommitText)
    files: list[_Touched] | None = None


class _Contents(msgspec.Struct):
    type: str = ""
    path: str = ""
    html_url: str | None = None
    encoding: str | None = None
    content: str | None = None


# The response for a folder is a list of its contents.
_CONTENTS: Decoder[_Contents | list[_Contents]] = Decoder(_Contents | list[_Contents])


class Forge:
    """Artifact source over the API of GitHub or Gitea, which are largely the same.

    Items that a prompt names are read directly. Words are matched here, since the search APIs
    differ, with the latest three pages of issues and pull requests and one page of commits.
    """

    def __init__(self, named: NamedForge, analyzer: Analyzer) -> None:
        self.name, self._named, self._analyzer = named.name, named, analyzer
        self._dialect = _DIALECTS[named.kind]
        self._repository = f"/repos/{quote(named.owner)}/{quote(named.repository)}"

    def find(self, wanted: Wanted, limit_s: float) -> Sequence[Artifact]:
        """Matching issues, commits and files, best first. Raises `ArtifactsUnavailable`."""
        import httpx2  # noqa: PLC0415 - 100 ms that only asking a forge needs

        # A token is sent only over HTTPS or to this machine.
        url, secret = httpx2.URL(self._named.api), os.environ.get(self._named.token_variable, "")
        headers = dict(self._dialect.headers)
        if keeps_secrets(url.scheme, url.host) and secret.strip():
            headers["Authorization"] = f"{self._dialect.scheme} {secret.strip()}"
        with httpx2.Client(headers=headers, follow_redirects=True) as http:
            client = _Client(self._named, http, monotonic() + limit_s)
            found = list(self._named_ones(client, wanted))
            if not found and not wanted.is_exact:
                found = self._by_words(client, wanted)
            if not found and client.get(self._repository, Decoder(dict[str, object])) is None:
                # 404 for everything: the repository does not exist or is not readable.
                variable = self._named.token_variable
                fix = f"look at its name, or put a token that may read it into {variable}"
                raise ArtifactsUnavailable(self.name, "is not there, or not for us", fix)
        return found

    def _named_ones(self, client: _Client, wanted: Wanted) -> Iterator[Artifact]:
        for number in wanted.numbers:
            if issue := client.get(f"{self._repository}/issues/{number}", Decoder(_Issue)):
                yield _of_issue(issue, self._comments(client, issue))
        for digits in wanted.hashes:
            path = self._repository + self._dialect.commit + digits
            if commit := client.get(path, Decoder(_Commit)):
                yield _of_commit(commit)
        for path in wanted.paths:
            contents = client.get(f"{self._repository}/contents/{quote(path)}", _CONTENTS)
            if isinstance(contents, _Contents) and (text := _text(contents)) is not None:
                yield Artifact("file", contents.path or path, text, contents.html_url or path)

    def _comments(self, client: _Client, issue: _Issue) -> list[_Comment]:
        """Last comments of an issue, also from a forge that sends all comments in one page."""
        if not issue.comments:
            return []
        size = self._dialect.page_size
        first = max(0, issue.comments - _LAST_COMMENTS) // max(size.values()) + 1
        path = f"{self._repository}/issues/{issue.number}/comments"
        pages = range(first, first + 2)
        return client.pages(path, Decoder(list[_Comment]), size, pages)[-_LAST_COMMENTS:]

    def _by_words(self, client: _Client, wanted: Wanted) -> list[Artifact]:
        query: dict[str, str | int] = {**self._dialect.page_size, "state": "all"}
        path, shape = f"{self._repository}/issues", Decoder(list[_Issue])
        issues = client.pages(path, shape, query, _ISSUE_PAGES)
        query = {**self._dialect.page_size, **self._dialect.commits}
        path, commit = f"{self._repository}/commits", Decoder(list[_Commit])
        commits = client.pages(path, commit, query, _COMMIT_PAGES)
        recent = [*(_of_issue(issue, ()) for issue in issues), *map(_of_commit, commits)]
        texts = [(one, one.text, one.title.partition(": ")[2]) for one in recent]
        return [*best_of(self._analyzer, wanted.prompt, texts, _MOST_FOUND)]


def _of_issue(issue: _Issue, comments: Sequence[_Comment]) -> Artifact:
    kind: ArtifactKind = "issue" if issue.pull_request is None else "pull request"
    merged = issue.pull_request is not None and issue.pull_request.merged_at is not None
    said = [f"{_login(comment.user)}: {comment.body}" for comment in comments if comment.body]
    passed_over = issue.comments - len(comments)
    if said and passed_over > 0:
        said.insert(0, f"({passed_over} earlier comments)")
    state = "merged" if merged else issue.state
    title = f"{kind.capitalize()} #{issue.number} ({state}): {issue.title}"
    text = "\n\n".join(part for part in (issue.body or "", *said) if part)
    note = None if issue.user is None else f"opened by {_login(issue.user)}"
    return Artifact(kind, title, text, issue.html_url, at=issue.updated_at, note=note)


def _login(person: _Person | None) -> str:
    return person.login if person is not None and person.login else "somebody"


def _of_commit(commit: _Commit) -> Artifact:
    author, source = commit.commit.author or _Signature(), commit.html_url or commit.sha
    touched = ", ".join(file.filename for file in (commit.files or ()) if file.filename)
    files, note = touched and f"Files: {touched}", f"by {author.name}" if author.name else None
    return commit_artifact(commit.sha, commit.commit.message, files, source, author.date, note)


def _text(contents: _Contents) -> str | None:
    # None for a folder, a file sent without its content, or a binary file.
    if contents.type != "file" or contents.encoding != "base64" or contents.content is None:
        return None
    try:
        return plain_text(base64.b64decode(contents.content))
    except binascii.Error:
        return None


class _Client(NamedTuple):
    """Reader of one forge's JSON API, with a deadline for all its requests together."""

    named: NamedForge
    http: httpx2.Client
    until: float

    def get(self, path: str, shape: Decoder[Answer]) -> Answer | None:
        found, _ = self._page(path, shape, {})
        return found[0] if found else None

    def pages(
        self,
        path: str,
        shape: Decoder[list[Answer]],
        query: Mapping[str, str | int],
        numbers: range,
    ) -> list[Answer]:
        """Items of a list on the pages of these numbers, up to the last page."""
        items: list[Answer] = []
        for number in numbers:
            found, goes_on = self._page(path, shape, {**query, "page": number})
            items += [item for page in found for item in page]
            if not goes_on:
                break
        return items

    def _page(
        self, path: str, shape: Decoder[Answer], query: Mapping[str, str | int]
    ) -> tuple[list[Answer], bool]:
        """Answer on a page, none if there is nothing, and whether a next page follows."""
        import httpx2  # noqa: PLC0415 - as above

        left, url = self.until - monotonic(), self.named.api + path
        if left <= 0:
            raise self._failed("gave no answer in time")
        try:
            with self.http.stream("GET", url, params=dict(query), timeout=left) as response:
                if not self._answers(response):
                    return [], False
                body = body_within(response, _ANSWER_BYTES, self.until)
                goes_on = "next" in response.links
            return [decode_json(shape.decode, body)], goes_on
        except httpx2.TimeoutException:
            raise self._failed("gave no answer in time") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._failed(f"could not be asked: {error}") from None
        except UnfitBody as error:
            raise self._failed(str(error)) from None
        except msgspec.DecodeError as error:
            raise self._failed(f"answered in a form that is not known: {error}") from None

    def _answers(self, response: httpx2.Response) -> bool:
        status, headers = response.status_code, response.headers
        spent = headers.get("X-RateLimit-Remaining") == "0"
        if status == _TOO_MANY or (status in _DENIED and (spent or "Retry-After" in headers)):
            raise ArtifactsRateLimited(self.named.name, retry_time(headers, datetime.now(UTC)))
        if status in _DENIED:
            raise ArtifactsDenied(self.named.name, self.named.token_variable)
        if status >= _BAD and status not in _NOTHING:
            raise self._failed(f"answered with status {status}")
        return status not in _NOTHING

    def _failed(self, problem: str) -> ArtifactsUnavailable:
        fix = "try again later, or look whether it is up"
        return ArtifactsUnavailable(self.named.name, problem, fix)
