"""Look-ups in each layer: memory, a session's notes, artifacts, procedures and the identity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from mnemolog.application.home.space import Space
from mnemolog.application.imports.files import files_under
from mnemolog.application.imports.front_matter import split_front_matter
from mnemolog.application.imports.items import Problem
from mnemolog.application.imports.markdown import SUFFIXES
from mnemolog.application.imports.sections import sections
from mnemolog.application.questions.browse import items_of
from mnemolog.application.questions.recall import recall
from mnemolog.indexes.tokens import WordPieces
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.errors import InvalidField, LedgerError, MalformedFile
from mnemolog.ledger.files import open_regular
from mnemolog.projections.memory_queries import of_run
from mnemolog.recall.answers.answers import Recall
from mnemolog.recall.context.compaction import cut_at_sentence
from mnemolog.recall.detector.detector import Layer
from mnemolog.recall.layers.artifacts import Artifact, ArtifactSource, wanted_by
from mnemolog.recall.layers.layers import (
    LayerFindings,
    MatchableText,
    Passage,
    asks_only_in_general,
    best_of,
)
from mnemolog.recall.search.checks import PLAIN_STATUSES

_SCRATCHPAD_LASTS_US, _MOST_NOTES = 24 * 3600 * 1_000_000, 5
_MOST_FILES, _MOST_BYTES, _WHOLE_CHARACTERS, _MOST_PLAYBOOKS = 200, 256 << 10, 2_000, 3
_MOST_TOKENS, _IDENTITY_BYTES = 200, 1 << 16


class LookUps(NamedTuple):
    """Look-ups of one cue in a space's layers as of one moment, at most `limit` passages each."""

    space: Space
    cue: str
    limit: int

    def palace(self) -> LayerFindings:
        """Passages from memory: the hits of a recall, then relevant constraints."""
        return _recalled(recall(self.space, self.cue, limit=self.limit), "palace")

    def notes(self, run: str) -> LayerFindings:
        """Notes of a run of the last 24 hours that share words with the cue, best first."""
        # A cue without content words ("where were we?") gives the newest notes.
        cut, space = self.space.cut(), self.space
        after = cut.instant - _SCRATCHPAD_LASTS_US
        rows = space.home.views.read(lambda db: of_run(db, space.name, cut.position, run, after))
        kept = [row for row in reversed(rows) if row.status in PLAIN_STATUSES]
        notes = []
        for one in items_of(space, kept, cut):
            if one.content is not None:
                about = (one.source, 1.0, one.memory_id, None, one.recorded_at)
                note = Passage("scratchpad", one.content, *about)
                notes.append((note, MatchableText(one.content)))
        most, analyzer = min(self.limit, _MOST_NOTES), space.home.parts.analyzer
        if asks_only_in_general(analyzer, self.cue):
            return LayerFindings(tuple(note for note, _ in notes[:most]))
        return LayerFindings(best_of(analyzer, self.cue, notes, most))

    def artifacts(self, sources: Sequence[ArtifactSource], limit_s: float) -> LayerFindings:
        """Artifacts of all sources; raises the first failure if none found anything."""
        until = monotonic() + limit_s
        wanted = wanted_by(self.cue)
        artifacts: list[Artifact] = []
        failed: list[LedgerError | OSError] = []
        for left, source in zip(range(len(sources), 0, -1), sources, strict=True):
            try:
                artifacts += source.find(wanted, max(0.0, until - monotonic()) / left)
            except (LedgerError, OSError) as error:
                failed.append(error)
        if failed and not artifacts:
            # The source that failed may have had an answer, so the layer is not empty.
            raise failed[0]
        artifacts.sort(key=lambda artifact: -artifact.relevance)
        passages = []
        for one in artifacts[: self.limit]:
            about = (one.source, one.relevance, None, one.title, one.at, one.note)
            passages.append(Passage("artifacts", one.text, *about))
        return LayerFindings(tuple(passages), "; ".join(map(str, failed)) or None)

    def procedures(self, folders_named: Callable[[], Sequence[Path]]) -> LayerFindings:
        """Procedural memories, then playbooks; a note says if these cannot be read."""
        remembered = recall(self.space, self.cue, limit=self.limit, kinds=["procedural"])
        found = _recalled(remembered, "procedures").passages
        try:
            folders = folders_named()
            if not folders:
                return LayerFindings(found)
            read = playbooks_in(folders, self.cue, self.space.home.parts.analyzer)
        except InvalidField as error:
            if not found:
                raise
            return LayerFindings(found, str(error))
        return LayerFindings((*found, *read.passages)[: self.limit], read.note)


def _recalled(found: Recall, layer: Layer) -> LayerFindings:
    if found.empty:
        return LayerFindings()
    seen = {hit.memory_id for hit in found.hits}
    passages = []
    for one in (*found.hits, *(hit for hit in found.constraints if hit.memory_id not in seen)):
        about = (one.source, one.relevance, one.memory_id, None, one.recorded_at, one.note)
        passages.append(Passage(layer, one.content, *about))
    return LayerFindings(tuple(passages))


def playbooks_in(folders: Sequence[Path], prompt: str, analyzer: Analyzer) -> LayerFindings:
    """Playbooks that match a prompt, at most three, best first; long ones by section.

    Playbooks are the user's Markdown files that describe procedures. A folder is read at each
    call: up to 200 files of up to 256 KiB. Links that lead out of the folder are not followed.
    Skipped files are listed in the note. Raises `InvalidField` if none of the folders exists.
    """
    there = [folder for folder in folders if folder.expanduser().is_dir()]
    gone = [folder for folder in folders if folder not in there]
    if not there:
        raise InvalidField("playbooks", f"{gone[0]} is no folder", "name one that is there")
    notes = [f"{folder} is no folder" for folder in gone]
    known = [one for folder in there for one in _procedures(folder.expanduser(), notes)]
    found = best_of(analyzer, prompt, known, _MOST_PLAYBOOKS)
    return LayerFindings(found, "; ".join(notes) or None)


def _procedures(folder: Path, notes: list[str]) -> Iterator[tuple[Passage, MatchableText]]:
    """Playbooks, or the sections of long ones, with their paths of headings as titles."""
    problems: list[Problem] = []
    for number, path in enumerate(files_under(folder, SUFFIXES, problems)):
        if number == _MOST_FILES:
            notes.append(f"{folder} holds more than {_MOST_FILES} playbooks: the rest is left out")
            break
        text = _text(path, notes)
        if text is None:
            continue
        front, lines = split_front_matter(iter(text.splitlines()))
        title = " ".join(front.get("title", ())) or path.stem
        if len(text) <= _WHOLE_CHARACTERS:
            parts = [(title, "\n".join(lines).strip())]
        else:
            kept = (section for section in sections(lines) if section.body)
            parts = [(" > ".join((title, *section.path)), section.body) for section in kept]
        for name, body in parts:
            passage = Passage("procedures", body, str(path), 0.0, title=name)
            yield passage, MatchableText(body, f"{path.stem}\n{name}")
    notes.extend(f"{problem.where} {problem.what}" for problem in problems)


def _text(path: Path, notes: list[str]) -> str | None:
    try:
        with open_regular(path) as file:
            read = file.read(_MOST_BYTES + 1)
    except MalformedFile as error:
        notes.append(f"{path} {error.problem}")
        return None
    except OSError as error:
        notes.append(f"{path} cannot be read: {error.strerror}")
        return None
    if len(read) > _MOST_BYTES:
        notes.append(f"{path} is larger than {_MOST_BYTES >> 10} KiB")
        return None
    return read.decode(errors="replace").replace("\0", "")


def read_identity(path: Path) -> LayerFindings:
    """Text of the user's identity file as one passage, with a note if it was cut.

    At most 200 tokens, cut at the end of a sentence; no passage if the file is blank.
    Raises `OSError` if it cannot be read, `MalformedFile` if it is not a regular file.
    """
    with open_regular(path.expanduser()) as file:
        read = file.read(_IDENTITY_BYTES + 1)
    # A character split at the byte limit is far beyond the token limit, which cuts it off.
    text = read[:_IDENTITY_BYTES].decode(errors="replace").replace("\0", "").strip()
    if not text:
        return LayerFindings(note=f"{path} is empty")
    counter = WordPieces()
    kept = cut_at_sentence(text, lambda part: counter.count(part) <= _MOST_TOKENS)
    whole = kept == text and len(read) <= _IDENTITY_BYTES
    note = None if whole else f"{path} is longer than {_MOST_TOKENS} tokens: the rest is left out"
    return LayerFindings((Passage("identity", kept, str(path), 1.0),) if kept else (), note)
