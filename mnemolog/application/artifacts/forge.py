"""Repository on GitHub or Gitea: issues, pull requests, commits and files."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from urllib.parse import quote

import msgspec
from msgspec.json import Decoder

from mnemolog.application.artifacts.client import ForgeClient
from mnemolog.application.artifacts.named import ForgeKind, NamedForge
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.errors import ArtifactsUnavailable
from mnemolog.recall.layers.artifacts import Artifact, ArtifactKind, Wanted
from mnemolog.recall.layers.layers import MatchableText, best_matches

# Each page is a request of some tenths of a second, and a layer has seconds in all.
_ISSUE_PAGES = range(1, 4)
_COMMIT_PAGES = range(1, 2)
_MOST_FOUND = 5
_LAST_COMMENTS = 3


class _Dialect(msgspec.Struct, frozen=True):
    """Differences between the two APIs.

    `scheme` is the authorization scheme of a token, `commit` the path of one commit,
    `commits` the query that leaves unneeded details out of a list of commits.
    """

    headers: Mapping[str, str]
    scheme: str
    page_size: Mapping[str, int]
    commit: str
    commits: Mapping[str, str]


_DIALECTS: Mapping[ForgeKind, _Dialect] = {
    "github": _Dialect(
        {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
        "Bearer",
        {"per_page": 100},
        "/commits/",
        {},
    ),
    "gitea": _Dialect(
        {"Accept": "application/json"},
        "token",
        {"limit": 50},
        "/git/commits/",
        {"stat": "false", "files": "false", "verification": "false"},
    ),
}


class _Person(msgspec.Struct):
    login: str = ""


class _Pull(msgspec.Struct):
    merged_at: datetime | None = None


class _Issue(msgspec.Struct):
    number: int
    title: str = ""
    body: str | None = None
    state: str = ""
    html_url: str = ""
    comments: int = 0
    user: _Person | None = None
    updated_at: datetime | None = None
    pull_request: _Pull | None = None


class _Comment(msgspec.Struct):
    body: str | None = None
    user: _Person | None = None


class _Signature(msgspec.Struct):
    name: str = ""
    date: datetime | None = None


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


class _Repository(msgspec.Struct):
    full_name: str = ""


_ISSUE = Decoder(_Issue)
_ISSUES = Decoder(list[_Issue])
_COMMENTS = Decoder(list[_Comment])
_COMMIT = Decoder(_Commit)
_COMMITS = Decoder(list[_Commit])
# The response for a folder is a list of its contents.
_CONTENTS: Decoder[_Contents | list[_Contents]] = Decoder(_Contents | list[_Contents])
_REPOSITORY = Decoder(_Repository)


class Forge:
    """Artifact source over the API of GitHub or Gitea, which are largely the same.

    Items that a prompt names are read directly. Words are matched with the titles and
    texts of the latest three pages of issues and pull requests and one page of commits.
    The matching is local, because the search APIs of the two forges differ too much.
    """

    def __init__(self, named: NamedForge, analyzer: Analyzer) -> None:
        """Create the source; `find` is the first to send a request."""
        self.name = named.name
        self._named = named
        self._analyzer = analyzer
        self._dialect = _DIALECTS[named.kind]
        self._repository = f"/repos/{quote(named.owner)}/{quote(named.repository)}"

    def find(self, wanted: Wanted, limit_s: float) -> Sequence[Artifact]:
        """Matching issues, commits and files, best first; see `recall.layers.artifacts`.

        Raises `ArtifactsRateLimited`, `ArtifactsDenied` or `ArtifactsUnavailable`.
        """
        token = (self._named.token_variable, self._dialect.scheme)
        with ForgeClient(
            self.name, self._named.api, token, self._dialect.headers, limit_s
        ) as client:
            found = list(self._named_ones(client, wanted))
            if not found and not wanted.is_exact:
                found = self._by_words(client, wanted)
            if not found and client.get(self._repository, _REPOSITORY) is None:
                # 404 for everything: the repository does not exist or is not readable.
                variable = self._named.token_variable
                fix = f"look at its name, or put a token that may read it into {variable}"
                raise ArtifactsUnavailable(self.name, "is not there, or not for us", fix)
        return found

    def _named_ones(self, client: ForgeClient, wanted: Wanted) -> Iterator[Artifact]:
        for number in wanted.numbers:
            issue = client.get(f"{self._repository}/issues/{number}", _ISSUE)
            if issue is not None:
                yield _of_issue(issue, self._comments(client, issue))
        for digits in wanted.hashes:
            commit = client.get(self._repository + self._dialect.commit + digits, _COMMIT)
            if commit is not None:
                yield _of_commit(commit)
        for path in wanted.paths:
            url = f"{self._repository}/contents/{quote(path)}"
            contents = client.get(url, _CONTENTS)
            if isinstance(contents, _Contents) and (text := _text(contents)) is not None:
                yield Artifact("file", contents.path or path, text, contents.html_url or path)

    def _comments(self, client: ForgeClient, issue: _Issue) -> list[_Comment]:
        """Last comments of an issue, also from a forge that sends all comments in one page."""
        size = self._dialect.page_size
        first = max(0, issue.comments - _LAST_COMMENTS) // max(size.values()) + 1
        path = f"{self._repository}/issues/{issue.number}/comments"
        if not issue.comments:
            return []
        pages = client.pages(path, _COMMENTS, size, range(first, first + 2))
        return [comment for page in pages for comment in page][-_LAST_COMMENTS:]

    def _by_words(self, client: ForgeClient, wanted: Wanted) -> list[Artifact]:
        size = self._dialect.page_size
        path = f"{self._repository}/issues"
        issues = client.pages(path, _ISSUES, {**size, "state": "all"}, _ISSUE_PAGES)
        commits = client.pages(
            f"{self._repository}/commits",
            _COMMITS,
            {**size, **self._dialect.commits},
            _COMMIT_PAGES,
        )
        recent = [_of_issue(issue, []) for page in issues for issue in page]
        recent += [_of_commit(commit) for page in commits for commit in page]
        texts = [
            MatchableText(artifact.text, artifact.title.partition(": ")[2]) for artifact in recent
        ]
        return [
            msgspec.structs.replace(recent[match.place], relevance=match.relevance)
            for match in best_matches(self._analyzer, wanted.prompt, texts, _MOST_FOUND)
        ]


def _of_issue(issue: _Issue, comments: Sequence[_Comment]) -> Artifact:
    kind: ArtifactKind = "issue" if issue.pull_request is None else "pull request"
    merged = issue.pull_request is not None and issue.pull_request.merged_at is not None
    said = [f"{_login(comment.user)}: {comment.body}" for comment in comments if comment.body]
    passed_over = issue.comments - len(comments)
    if said and passed_over > 0:
        said.insert(0, f"({passed_over} earlier comments)")
    state = "merged" if merged else issue.state
    return Artifact(
        kind=kind,
        title=f"{kind.capitalize()} #{issue.number} ({state}): {issue.title}",
        text="\n\n".join(part for part in (issue.body or "", *said) if part),
        source=issue.html_url,
        at=issue.updated_at,
        note=None if issue.user is None else f"opened by {_login(issue.user)}",
    )


def _login(person: _Person | None) -> str:
    return person.login if person is not None and person.login else "somebody"


def _of_commit(commit: _Commit) -> Artifact:
    author = commit.commit.author or _Signature()
    subject, _, rest = commit.commit.message.strip().partition("\n")
    touched = ", ".join(file.filename for file in (commit.files or ()) if file.filename)
    return Artifact(
        kind="commit",
        title=f"Commit {commit.sha[:12]}: {subject}",
        text="\n\n".join(part for part in (rest.strip(), touched and f"Files: {touched}") if part),
        source=commit.html_url or commit.sha,
        at=author.date,
        note=f"by {author.name}" if author.name else None,
    )


def _text(contents: _Contents) -> str | None:
    """Text of a file; None for a folder, a file sent without its content, or a binary file."""
    if contents.type != "file" or contents.encoding != "base64" or contents.content is None:
        return None
    try:
        text = base64.b64decode(contents.content).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return None if "\0" in text else text
