"""Every file of a home cut short, changed by a bit or deleted, and what the next question says."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from damaged_homes import MadeHome, ask, listed, make_home, open_home

from mnemolog import CorruptLog, LedgerError, LogShortened, Memory, MissingLog

if TYPE_CHECKING:
    import random

_CASES = 12
_CASES_SOAK = 200
_BIT = "a bit changed"
_CUTS = ("deleted", "emptied", "halved", "short by a byte")


class Homes(NamedTuple):
    """One home as it lies closed, and as it is while another process has it open."""

    closed: MadeHome
    live: MadeHome


pytestmark = pytest.mark.reads_notes  # as they were read where the homes were made


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Homes:
    """Both states of a home, made once and only ever copied."""
    home = tmp_path_factory.mktemp("made") / "home"
    states = make_home(home)
    closed = next(states)
    kept = closed.copy(tmp_path_factory.mktemp("closed") / "home")
    live = next(states)
    copied = live.copy(tmp_path_factory.mktemp("live") / "home")
    states.close()
    return Homes(
        MadeHome(kept, closed.answers, closed.contents, closed.head),
        MadeHome(copied, live.answers, live.contents, live.head),
    )


def _damage(path: Path, how: str, chance: random.Random) -> None:
    """Do to a file what `how` says."""
    content = bytearray(path.read_bytes())
    if how == "deleted":
        path.unlink()
    elif how == _BIT:
        if content:
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
    else:
        kept = {"emptied": 0, "halved": len(content) // 2, "short by a byte": len(content) - 1}
        path.write_bytes(content[: max(0, kept[how])])


def _files(made: MadeHome, *patterns: str) -> list[Path]:
    """The files that fit, from the top of the home; there is always one."""
    found = [
        path.relative_to(made.path)
        for pattern in patterns
        for path in sorted(made.path.glob(pattern))
        if path.is_file()
    ]
    assert found
    return found


def _drawn(files: list[Path], cases: int, chance: random.Random) -> list[tuple[Path, str]]:
    """So many files with what happens to each: every cut if there is room, then changed bits."""
    cuts = [(file, how) for file in files for how in _CUTS]
    drawn = chance.sample(cuts, min(len(cuts), cases // 2 + 1))
    return drawn + [(chance.choice(files), _BIT) for _ in range(cases - len(drawn))]


def _only_what_was_remembered(memory: Memory, made: MadeHome) -> None:
    """Every content that is shown was remembered under the id that it is shown under."""
    for answer in ask(memory):
        for memory_id, content, _, _ in answer.hits:
            assert made.contents[memory_id] == content
    for memory_id, content in listed(memory).items():
        assert made.contents[memory_id] == content


@pytest.fixture
def cases(*, soak: bool) -> int:
    """How many times a test damages a home."""
    return _CASES_SOAK if soak else _CASES


@pytest.mark.parametrize("state", ["closed", "live"])
def test_a_damaged_derived_file_changes_no_answer(
    homes: Homes, tmp_path: Path, chance: random.Random, cases: int, state: str
) -> None:
    """Vectors, locks and index files are rebuilt or done without: the answers stay the same."""
    made: MadeHome = getattr(homes, state)
    for file, how in _drawn(_files(made, "vectors.db*", "*.lock", "indexes/**/*"), cases, chance):
        home = made.copy(tmp_path / "home")
        _damage(home / file, how, chance)
        with open_home(home) as memory:
            assert ask(memory) == made.answers, (file, how, memory.notices)
            assert memory.log.verify().events == made.head, (file, how)


def test_a_damaged_index_file_is_said(
    homes: Homes, tmp_path: Path, chance: random.Random, cases: int
) -> None:
    """A file of an index base that is not as it was written is rebuilt, and said so by name."""
    files = [
        file
        for file in _files(homes.closed, "indexes/*/*/**/*")
        if file.suffix != ".lock" and (homes.closed.path / file).stat().st_size
    ]
    for file, how in _drawn(files, cases, chance):
        home = homes.closed.copy(tmp_path / "home")
        _damage(home / file, how, chance)
        with open_home(home) as memory:
            assert ask(memory) == homes.closed.answers, (file, how)
            assert any(file.name in notice for notice in memory.notices), (file, how)


def test_a_damaged_manifest_is_said(
    homes: Homes, tmp_path: Path, chance: random.Random, cases: int
) -> None:
    """A manifest in which a single bit differs is not believed: all is rebuilt, and said so."""
    for file, how in _drawn([Path("manifest")], cases // 2, chance):
        home = homes.closed.copy(tmp_path / "home")
        _damage(home / file, how, chance)
        with open_home(home) as memory:
            assert ask(memory) == homes.closed.answers, how
            assert any("manifest" in notice for notice in memory.notices), how
            assert memory.log.verify().events == homes.closed.head


@pytest.mark.parametrize("how", ["deleted", "emptied", "halved"])
def test_missing_views_are_rebuilt_and_said(
    homes: Homes, tmp_path: Path, chance: random.Random, how: str
) -> None:
    """Views that are gone or cut short are folded anew from the log, and said so."""
    home = homes.closed.copy(tmp_path / "home")
    (views,) = home.glob("views-*.db")
    _damage(views, how, chance)
    with open_home(home) as memory:
        assert ask(memory) == homes.closed.answers
        assert any("views are rebuilt" in notice for notice in memory.notices)
    assert len(list(home.glob("views-*.db"))) == 1


@pytest.mark.parametrize("state", ["closed", "live"])
def test_damaged_views_show_no_wrong_content(
    homes: Homes, tmp_path: Path, chance: random.Random, cases: int, state: str
) -> None:
    """A bit changed in the views changes no answer, or the doctor finds it; no content is wrong.

    Views carry no checksum of each row: damage that leaves a row readable is
    found by comparing with a rebuild, which mends it.
    """
    made: MadeHome = getattr(homes, state)
    (views,) = _files(made, "views-*.db")
    for file, how in _drawn([views, *_files(made, "views*")], cases, chance):
        home = made.copy(tmp_path / "home")
        _damage(home / file, how, chance)
        with open_home(home) as memory:
            _only_what_was_remembered(memory, made)
            if ask(memory) != made.answers:
                findings = memory.upkeep.doctor().findings
                assert any(finding.level != "ok" for finding in findings), (file, how)
                memory.upkeep.rebuild()
                assert ask(memory) == made.answers, (file, how)
            assert memory.log.verify().events == made.head


def test_everything_but_the_log_may_be_deleted(homes: Homes, tmp_path: Path) -> None:
    """A home with nothing but ledger.db answers as before and verifies."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "ledger.db").write_bytes((homes.closed.path / "ledger.db").read_bytes())
    with open_home(home) as memory:
        assert ask(memory) == homes.closed.answers
        assert memory.log.verify().events == homes.closed.head


def test_a_deleted_log_is_missed(homes: Homes, tmp_path: Path) -> None:
    """Derived files without their log are not answered from, nor is a new log begun."""
    home = homes.closed.copy(tmp_path / "home")
    (home / "ledger.db").unlink()
    with pytest.raises(MissingLog):
        open_home(home)
    assert not (home / "ledger.db").exists()


@pytest.mark.parametrize("how", ["emptied", "halved", "short by a byte"])
def test_a_log_cut_short_is_reported(
    homes: Homes, tmp_path: Path, chance: random.Random, how: str
) -> None:
    """A ledger.db that has lost its end is reported; it is never taken for a shorter log."""
    home = homes.closed.copy(tmp_path / "home")
    _damage(home / "ledger.db", how, chance)
    with pytest.raises(CorruptLog), open_home(home) as memory:
        memory.log.verify()


@pytest.mark.parametrize("state", ["closed", "live"])
def test_a_changed_bit_in_the_log_is_reported_or_harmless(
    homes: Homes, tmp_path: Path, chance: random.Random, cases: int, state: str
) -> None:
    """After a changed bit a question gets its right answer or a typed error, never wrong content.

    A bit in an unused byte, or in an index that no answer is read from, may be
    found by SQLite's own check alone, which the doctor runs.
    """
    made: MadeHome = getattr(homes, state)
    for _ in range(cases * 2):
        home = made.copy(tmp_path / "home")
        _damage(home / "ledger.db", _BIT, chance)
        # Any error but a typed one fails the test here.
        with suppress(LedgerError), open_home(home) as memory:
            assert ask(memory) == made.answers or _is_told_short(memory)
            _only_what_was_remembered(memory, made)
        _what_is_shown_is_right(home, made)


def _is_told_short(memory: Memory) -> bool:
    """Whether the log is known to have been longer: a page may have lost its last rows whole."""
    try:
        memory.log.verify()
    except LogShortened:
        return True
    except LedgerError:
        return False
    return False


def _what_is_shown_is_right(home: Path, made: MadeHome) -> None:
    """The events are shown as they were up to an error, and without one to the end."""
    shown = []
    try:
        with open_home(home) as memory:
            assert memory.as_of(0).recall("kettle").empty
            for entry in memory.log.events(spaces=()):
                shown.append(entry.position)
                if entry.kind == "remembered" and entry.content is not None:
                    assert made.contents[entry.memory_id or ""] == entry.content["text"]
            reached_the_end = not _is_told_short(memory)
    except LedgerError:
        reached_the_end = False
    assert shown == list(range(1, len(shown) + 1))
    assert not reached_the_end or len(shown) == made.head


def test_verify_names_the_first_damaged_event(homes: Homes, tmp_path: Path) -> None:
    """Content that was changed is not shown, and verify names the last event before it."""
    home = homes.closed.copy(tmp_path / "home")
    ledger = home / "ledger.db"
    text = b"The ladder of note-17 "
    content = ledger.read_bytes()
    assert content.count(text) == 1
    ledger.write_bytes(content.replace(text, b"The ladder of note-71 "))
    with open_home(home) as memory:
        with pytest.raises(CorruptLog) as reported:
            memory.log.verify()
        assert reported.value.last_good == 17
        with pytest.raises(CorruptLog):
            memory.get("@18")
        before = memory.get("@17")
        assert before.content == homes.closed.contents[before.memory_id]


@pytest.mark.parametrize("how", ["deleted", "emptied", "halved", "short by a byte"])
def test_a_lost_write_ahead_log_is_told(
    homes: Homes, tmp_path: Path, chance: random.Random, how: str
) -> None:
    """Acknowledged events that went with the WAL are missed aloud until the loss is accepted."""
    home = homes.live.copy(tmp_path / "home")
    _damage(home / "ledger.db-wal", how, chance)
    with open_home(home) as memory:
        assert not memory.recall("the orchard").empty
        assert any("events were lost" in notice for notice in memory.notices)
        with pytest.raises(LogShortened) as told:
            memory.log.verify()
        assert told.value.known == homes.live.head
        assert told.value.head < homes.live.head
    with open_home(home) as memory:
        with pytest.raises(LogShortened):
            memory.log.verify()
        memory.log.accept_loss()
        assert memory.log.verify().events == told.value.head
        memory.remember("The log goes on")
        assert memory.log.verify().events == told.value.head + 1


def test_a_damaged_write_ahead_log_is_told(
    homes: Homes, tmp_path: Path, chance: random.Random, cases: int
) -> None:
    """A bit changed in the WAL ends the log before it: said, and nothing wrong is shown."""
    for _ in range(cases // 2):
        home = homes.live.copy(tmp_path / "home")
        _damage(home / "ledger.db-wal", _BIT, chance)
        with open_home(home) as memory:
            _only_what_was_remembered(memory, homes.live)
            if memory.log.checkpoint().position < homes.live.head:
                assert any("events were lost" in notice for notice in memory.notices)
                with pytest.raises(LogShortened):
                    memory.log.verify()
