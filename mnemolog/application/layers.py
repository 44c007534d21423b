"""Search of the layers for a prompt: memory, notes, artifacts and procedures."""

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf, isfinite
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from msgspec.structs import replace

from mnemolog.application.artifacts.named import Named, named_sources, paths_of
from mnemolog.application.home.space import Cut, Space
from mnemolog.application.imports.files import Problem, files_under
from mnemolog.application.imports.markdown import SUFFIXES, sections, split_front_matter
from mnemolog.application.questions.browse import items_of, settings_of
from mnemolog.application.questions.recall import recall
from mnemolog.endpoints.time_limits import started_within
from mnemolog.indexes.embedder import WordPieces
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.errors import InvalidField, InvalidNumber, LedgerError, MalformedFile
from mnemolog.ledger.files import open_regular
from mnemolog.policies.memories import checked_run, checked_text
from mnemolog.projections.memory_queries import of_run, sources_of
from mnemolog.recall.answers import STRONG, AsOf, Recall
from mnemolog.recall.context import cut_at_sentence
from mnemolog.recall.detector import Layer, detect
from mnemolog.recall.layers import (
    Artifact,
    ArtifactSource,
    Asked,
    LayerFindings,
    Looked,
    Passage,
    ask_layers,
    asks_only_in_general,
    assembled,
    best_of,
    checked_layers,
    checked_sources,
    layers_to_ask,
    wanted_by,
)
from mnemolog.recall.search.checks import PLAIN_STATUSES, checked_limit

_CUE_END = 400  # Characters taken from each end of a long prompt for the cue
# Characters that name nothing in a setting. Each layer reads its own setting, so that
# a value written by another version, which this one cannot read, fails that layer alone.
_BLANK = ", \t\n"
# Role names are not names of people: many prompts that need no memory contain them.
_ROLES = frozenset({"agent", "ai", "assistant", "bot", "human", "me", "model", "system", "user"})
_SCRATCHPAD_LASTS_US, _MOST_NOTES = 24 * 3600 * 1_000_000, 5
_MOST_FILES, _MOST_BYTES, _WHOLE_CHARACTERS, _MOST_PLAYBOOKS = 200, 256 << 10, 2_000, 3
_MOST_TOKENS, _IDENTITY_BYTES = 200, 1 << 16

_Find = Callable[[], LayerFindings]


def ask(  # noqa: PLR0913 - where to look and for how long, all optional and by name
    space: Space,
    prompt: str,
    *,
    layers: Sequence[Layer] | None = None,
    session: str | None = None,
    artifacts: Sequence[ArtifactSource] | None = None,
    limit: int = 10,
    limit_s: float | None = None,
    within_s: float | None = None,
) -> Asked:
    """Answers of the layers to a prompt; layers are searched in order until one answers.

    Memory and the notes of the session are searched for every prompt, the other layers if it asks
    for something remembered, or if `layers` names them. A prompt that asks for nothing gets what is
    clearly relevant to it. `session` is the run whose notes are the scratchpad (default: this
    handle's run). `artifacts` replace the sources in the settings. A layer returns at most `limit`
    passages, plus constraints, in at most `limit_s` seconds (default: the setting `layer_limit_s`),
    all layers in `within_s`. Failures of a layer are reported, not raised. Raises `InvalidField`.
    """
    if not (checked_text("prompt", prompt) or "").strip():
        raise InvalidField("prompt", "is empty", "give what the user asks")
    asked_for = checked_layers(layers)
    own_run = None if space.author is None else space.author.run
    run = own_run if session is None else checked_run(session)
    for name, value in (("limit_s", limit_s), ("within_s", within_s)):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is not None and not (number and isfinite(value) and value > 0):
            raise InvalidNumber(name, f"{value!r} is no time limit", "give seconds, more than 0")
    sources = None if artifacts is None else checked_sources(artifacts)
    cut = space.cut()
    settings = settings_of(space, cut)
    until = inf if within_s is None else monotonic() + within_s
    time = _TimeLeft(settings.layer_limit_s if limit_s is None else limit_s, until)
    detection = detect(prompt, _known_names(space, cut))
    expected = detection.recall or asked_for is not None
    least = None if expected else max(settings.min_relevance, STRONG)
    look_ups = LookUps(space.at(cut), _cue(prompt), checked_limit(limit), least)
    # Artifacts and playbooks are read as they are now: they cannot answer as of a past moment.
    past = space.moment is not None
    playbooks = partial(look_ups.procedures, "" if past else settings.playbooks)
    finds: dict[Layer, _Find] = {"palace": look_ups.palace, "procedures": playbooks}
    if run is not None:
        finds["scratchpad"] = partial(look_ups.notes, run)
    if named := settings.artifacts.strip(_BLANK) if sources is None else sources:
        finds["artifacts"] = partial(look_ups.artifacts, named, time.seconds)
    wanted = layers_to_ask(detection, asked_for) - ({"artifacts"} if past else set())
    looks = {layer: partial(time.look, find) for layer, find in finds.items()}
    identity = Looked("not configured")
    if settings.identity.strip(_BLANK):
        identity = time.look(lambda: read_identity(paths_of("identity", settings.identity)[0]))
        if identity.outcome == "answered":
            identity = replace(identity, outcome="in front")
    named_layers = asked_for is not None
    asked = ask_layers(prompt, detection, wanted, identity, looks, named=named_layers)
    context = assembled(asked.identity, asked.said, asked.passages)
    return replace(asked, context=context, as_of=AsOf(cut.position, to_datetime(cut.instant)))


def _cue(prompt: str) -> str:
    """Cue of a prompt: both ends of a long one, where the request usually is."""
    if len(prompt) <= 2 * _CUE_END:
        return prompt
    ends = f"{prompt[:_CUE_END]}\n{prompt[-_CUE_END:]}"
    # Pasted text often repeats lines: keep each line once.
    return "\n".join(dict.fromkeys(ends.splitlines()))


def _known_names(space: Space, cut: Cut) -> frozenset[str]:
    # Tags, places, files and text before a colon are left out: they are often ordinary words,
    # and a prompt with such a word would be taken for one about a person.
    read = partial(sources_of, space=space.name, position=cut.position)
    named = (source.partition(":") for source in space.home.views.read(read))
    names = {name.casefold() for scheme, _, name in named if scheme in ("user", "agent") and name}
    return frozenset(names - _ROLES)


class _TimeLeft(NamedTuple):
    """Time limits of each layer, in seconds, and of all layers together, on the monotonic clock."""

    layer_s: float
    until: float

    def seconds(self) -> float:
        return max(0.0, min(self.layer_s, self.until - monotonic()))

    def look(self, find: _Find) -> Looked:
        """Outcome of a look-up in a layer, at the end of its time; any exception is `failed`."""
        limit_s, started = self.seconds(), monotonic()
        found = started_within(limit_s, find)
        took_ms = round((monotonic() - started) * 1000, 3)
        if not found.done():
            late = f"it took longer than {limit_s:.3g} s" if limit_s > 0 else "no time was left"
            return Looked("timed out", (), took_ms, late)
        error = found.exception()
        if error is None:
            passages, note = found.result().passages, found.result().note
            return Looked("answered" if passages else "empty", passages, took_ms, note)
        if not isinstance(error, LedgerError | OSError):
            logging.getLogger("mnemolog").error("a layer failed unexpectedly", exc_info=error)
        return Looked("failed", (), took_ms, str(error) or type(error).__name__)


class LookUps(NamedTuple):
    """Look-ups of one cue in a space's layers as of one moment, at most `limit` passages each.

    Passages from memory have the relevance `least`; None is the space's setting.
    """

    space: Space
    cue: str
    limit: int
    least: float | None = None

    def palace(self) -> LayerFindings:
        """Passages from memory: the hits of a recall, then relevant constraints."""
        found = recall(self.space, self.cue, limit=self.limit, min_relevance=self.least)
        return _recalled(found, "palace")

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
                notes.append((Passage("scratchpad", one.content, *about), one.content, ""))
        most, analyzer = min(self.limit, _MOST_NOTES), space.home.parts.analyzer
        if asks_only_in_general(analyzer, self.cue):
            return LayerFindings(tuple(note for note, _, _ in notes[:most]))
        return LayerFindings(best_of(analyzer, self.cue, notes, most))

    def artifacts(
        self, named: str | Sequence[ArtifactSource], seconds: Callable[[], float]
    ) -> LayerFindings:
        """Artifacts of all sources; raises the first failure if none found anything."""
        until, wanted, sources = monotonic() + seconds(), wanted_by(self.cue), named
        if isinstance(sources, str):
            sources = opened(named_sources(sources), self.space.home.parts.analyzer)
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

    def procedures(self, playbooks: str) -> LayerFindings:
        """Procedural memories, then playbooks; a note says if these cannot be read."""
        remembered = recall(self.space, self.cue, limit=self.limit, kinds=["procedural"])
        found = _recalled(remembered, "procedures").passages
        try:
            folders = paths_of("playbooks", playbooks)
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
    sections = (*found.constraints, *found.instructions)
    for one in (*found.hits, *(hit for hit in sections if hit.memory_id not in seen)):
        about = (one.source, one.relevance, one.memory_id, None, one.recorded_at, one.note)
        passages.append(Passage(layer, one.content, *about))
    return LayerFindings(tuple(passages))


def playbooks_in(folders: Sequence[Path], prompt: str, analyzer: Analyzer) -> LayerFindings:
    """Playbooks that match a prompt, at most three, best first; long ones by section.

    They are Markdown files of procedures. A folder is read at each call: up to 200 files of up to
    256 KiB; links out of it are not followed. Raises `InvalidField` if none of the folders exists.
    """
    there = [folder for folder in folders if folder.expanduser().is_dir()]
    gone = [folder for folder in folders if folder not in there]
    if not there:
        raise InvalidField("playbooks", f"{gone[0]} is no folder", "name one that is there")
    notes = [f"{folder} is no folder" for folder in gone]
    known = [one for folder in there for one in _procedures(folder.expanduser(), notes)]
    found = best_of(analyzer, prompt, known, _MOST_PLAYBOOKS)
    return LayerFindings(found, "; ".join(notes) or None)


def _procedures(folder: Path, notes: list[str]) -> Iterator[tuple[Passage, str, str]]:
    """Playbooks, or the sections of long ones, with their paths of headings as titles."""
    problems: list[Problem] = []
    for number, path in enumerate(files_under(folder, SUFFIXES, problems)):
        if number == _MOST_FILES:
            notes.append(f"{folder} holds more than {_MOST_FILES} playbooks: the rest is left out")
            break
        try:
            text, whole = _read(path, _MOST_BYTES)
            problem = None if whole else f"is larger than {_MOST_BYTES >> 10} KiB"
        except MalformedFile as error:
            problem = error.problem
        except OSError as error:
            problem = f"cannot be read: {error.strerror}"
        if problem is not None:
            notes.append(f"{path} {problem}")
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
            yield passage, body, f"{path.stem}\n{name}"
    notes.extend(f"{problem.where} {problem.what}" for problem in problems)


def _read(path: Path, most: int) -> tuple[str, bool]:
    """Text of a regular file's first `most` bytes, and whether they are all."""
    with open_regular(path) as file:
        read = file.read(most + 1)
    return read[:most].decode(errors="replace").replace("\0", ""), len(read) <= most


def read_identity(path: Path) -> LayerFindings:
    """Text of the user's identity file as one passage of at most 200 tokens; none if it is blank.

    Cut at the end of a sentence, with a note. Raises `OSError`, and `MalformedFile`.
    """
    # A character split at the byte limit is far beyond the token limit, which cuts it off.
    read, whole = _read(path.expanduser(), _IDENTITY_BYTES)
    text, counter = read.strip(), WordPieces()
    if not text:
        return LayerFindings(note=f"{path} is empty")
    kept = cut_at_sentence(text, lambda part: counter.count(part) <= _MOST_TOKENS)
    whole = whole and kept == text
    note = None if whole else f"{path} is longer than {_MOST_TOKENS} tokens: the rest is left out"
    return LayerFindings((Passage("identity", kept, str(path), 1.0),) if kept else (), note)


def opened(named: Sequence[Named], analyzer: Analyzer) -> tuple[ArtifactSource, ...]:
    """Artifact sources, ready for `find`."""
    from mnemolog.application.artifacts.checkout import Checkout  # noqa: PLC0415 - as the next
    from mnemolog.application.artifacts.forge import Forge  # noqa: PLC0415 - brings an HTTP client

    return tuple(
        Checkout(one, analyzer) if isinstance(one, Path) else Forge(one, analyzer) for one in named
    )
