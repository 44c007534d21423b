"""After a redaction nothing of the content is left in the home, wherever it had gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import pytest
from traces import (
    bytes_left,
    dictionary_words,
    new_secret,
    open_home,
    terms_of,
    vector_left,
)

from mnemolog import (
    CannotUndo,
    Contradiction,
    InvalidState,
    Memory,
    NewEvent,
    NewMemory,
    Statement,
    Thing,
)
from mnemolog.indexes.vectors.embedded_texts import EmbeddedTexts
from mnemolog.indexes.vectors.vector_index import Halves
from mnemolog.language.entities import ENTITY_PREFIX
from mnemolog.ledger.ids import Position
from mnemolog.recall.plans import spellings

# With enough around it that pages of every file hold it and others.
_OTHERS = [f"The ladder of note-{number} stands in the orchard" for number in range(60)]


def _nothing_is_left(home: Path, *texts: str) -> None:
    words = dictionary_words(home)
    for text in texts:
        assert bytes_left(home, text) == []
        assert vector_left(home, text) == []
        assert not terms_of(text) & words


def test_a_secret_is_found_before_it_is_redacted(tmp_path: Path) -> None:
    """What the other tests look for is there as long as it should be: text, terms and vector."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        memory.remember(secret)
        memory.upkeep.rebuild()
        assert bytes_left(tmp_path, secret)
        assert vector_left(tmp_path, secret)
        assert terms_of(secret) & dictionary_words(tmp_path)


@pytest.mark.parametrize("base", [True, False])
def test_no_byte_of_a_redacted_memory_is_left(tmp_path: Path, *, base: bool) -> None:
    """Text, tags, aliases, note, snippet and reasons go from the log, views, vectors and index."""
    text, tag, alias, note, snippet, reason = (new_secret() for _ in range(6))
    with open_home(tmp_path) as memory:
        memory.remember_many(_OTHERS[:30])
        told = memory.remember(
            text,
            tags=(tag.split()[0],),
            aliases=(alias.split()[0],),
            source_note=note,
            snippet=snippet,
        )
        memory.remember_many(_OTHERS[30:])
        memory.pin(told.memory_id or "", reason=reason)
        newer = memory.supersede(told.memory_id or "", "The key is kept elsewhere", reason=reason)
        if base:
            memory.upkeep.rebuild()
        assert memory.recall(text).hits
        memory.log.backup(tmp_path.with_name(f"{tmp_path.name}-before") / "log.db")
        redaction = memory.redact(told.memory_id or "", reason="it was asked for")
        assert redaction.complete
        _nothing_is_left(tmp_path, text, tag.split()[0], alias.split()[0], note, snippet, reason)
        assert memory.log.verify().erased == len(redaction.erased)
        assert [hit.memory_id for hit in memory.recall("the key is kept elsewhere", limit=1).hits]
        assert memory.get(told.memory_id or "").status == "redacted"
        assert memory.get(newer.memory_id or "").supersedes == (told.memory_id,)
    _nothing_is_left(tmp_path, text, note, snippet, reason)
    with open_home(tmp_path) as memory:
        memory.upkeep.rebuild()
        assert not any(hit.content == text for hit in memory.recall(text).hits)
    _nothing_is_left(tmp_path, text, note, snippet, reason)


def test_no_name_or_relation_of_a_redacted_memory_is_left(tmp_path: Path) -> None:
    """What was drawn from a text, and what edges from and to it say, goes with it."""
    name, kind, thing, reason = (new_secret().split()[0] for _ in range(4))
    text = f"{name.title()} is a {kind}"
    with open_home(tmp_path) as memory:
        told = memory.remember(text)
        memory.remember_many(_OTHERS[:9])
        memory.graph.link(told.memory_id or "", "CONTAINS", Thing(thing), reason=reason)
        memory.graph.link(Thing(thing), "PART_OF", "@2", condition=reason)
        memory.upkeep.rebuild()
        redaction = memory.redact(told.memory_id or "", "@12")
        assert redaction.complete
        assert len(redaction.erased) == 3
        _nothing_is_left(tmp_path, text, name.title(), kind, thing, reason)
        state = memory._space.home.index("vault").at(memory._space.home.head())
        for one in spellings(name):
            assert not len(state.postings.postings(ENTITY_PREFIX + one, len(state.columns))[0])
        assert len(state.edges) == 0
        memory.upkeep.rebuild()
    _nothing_is_left(tmp_path, text, name.title(), kind, thing, reason)


def test_one_of_many_goes_and_the_others_stay(tmp_path: Path) -> None:
    """Redacting in any order leaves nothing of what went and all of what stays.

    Pages of the log are merged as they empty; no copy may stay behind.
    """
    secrets = [f"{new_secret()} {'padding ' * (number * 7 % 90)}" for number in range(120)]
    with open_home(tmp_path) as memory:
        ids = [receipt.memory_id or "" for receipt in memory.remember_many(secrets)]
        memory.upkeep.index()
        for start in range(60):
            memory.redact(ids[start * 2])
            if start % 6 == 5:
                assert memory.redact(*ids[start * 2 - 1 : start * 2 : 4]).complete
        gone = {
            item.memory_id for item in memory.inspect.everything().values() if item.content is None
        }
        assert len(gone) >= 60
        for memory_id, secret in zip(ids, secrets, strict=True):
            if memory_id in gone:
                assert bytes_left(tmp_path, secret) == []
            else:
                assert memory.get(memory_id).content == secret
        assert memory.log.verify().erased == len(gone)


def test_a_backup_made_afterwards_has_none_of_it(tmp_path: Path) -> None:
    """A backup of a home after a redaction holds the events but not the content."""
    secret = new_secret()
    with open_home(tmp_path / "home") as memory:
        told = memory.remember(secret)
        memory.redact(told.memory_id or "")
        (tmp_path / "kept").mkdir()
        memory.log.backup(tmp_path / "kept" / "log.db")
        with (tmp_path / "kept" / "events.jsonl").open("wb") as file:
            assert memory.log.export_events(file) == 2
    assert bytes_left(tmp_path / "kept", secret) == []


def test_a_long_text_on_overflow_pages_goes(tmp_path: Path) -> None:
    """A text longer than a page is wiped on every page that it lay on."""
    secrets = [new_secret() for _ in range(400)]
    with open_home(tmp_path) as memory:
        told = memory.remember("\n".join(secrets))
        memory.remember_many(_OTHERS)
        assert memory.redact(told.memory_id or "").complete
        for secret in secrets[::20]:
            assert bytes_left(tmp_path, secret) == []


def test_one_text_of_two_memories_goes_with_the_last(tmp_path: Path) -> None:
    """A vector that two memories share stays with the second and goes when it goes."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        first, second = memory.remember_many([secret, secret])
        memory.upkeep.rebuild()
        memory.redact(first.memory_id or "")
        assert memory.recall(secret, limit=1).hits[0].memory_id == second.memory_id
        memory.redact(second.memory_id or "")
        _nothing_is_left(tmp_path, secret)


def test_a_text_redacted_while_it_is_embedded_gets_no_vector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process redacts between the making of a vector and the keeping of it."""
    secret = new_secret()
    with open_home(tmp_path) as memory, open_home(tmp_path) as other:
        told = memory.remember(secret)
        kept = EmbeddedTexts._put

        def redact_first(
            embedded: EmbeddedTexts,
            vectors: Mapping[bytes, Halves],
            holders: Sequence[tuple[Position, bytes]],
        ) -> None:
            monkeypatch.setattr(EmbeddedTexts, "_put", kept)
            other.redact(told.memory_id or "", reason="it was asked for")
            kept(embedded, vectors, holders)

        monkeypatch.setattr(EmbeddedTexts, "_put", redact_first)
        memory.upkeep.index()
        assert memory._space.home.parts.store.count() == 0
    _nothing_is_left(tmp_path, secret)


def test_an_event_of_ones_own_is_redacted(tmp_path: Path) -> None:
    """Content of a caller's own kind of event goes like any other; its structure stays."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        told = memory.log.append([NewEvent("measured", {"metres": 3}, {"note": secret})])
        assert memory.redact(f"@{told.position}").erased == (told.position,)
        assert bytes_left(tmp_path, secret) == []
        (entry,) = memory.log.events(kinds=("measured",))
        assert entry.erased
        assert entry.structure == {"metres": 3}


def test_a_redaction_cannot_be_undone(tmp_path: Path) -> None:
    """Undo refuses, and a second redaction says that there is nothing left."""
    with open_home(tmp_path) as memory:
        told = memory.remember("The key lies under the mat")
        redaction = memory.redact(told.memory_id or "")
        with pytest.raises(CannotUndo):
            memory.undo(f"@{redaction.position}")
        with pytest.raises(InvalidState):
            memory.redact(told.memory_id or "")


def test_a_retry_does_not_bring_back_what_was_redacted(tmp_path: Path) -> None:
    """Remembering again under a redacted id gives its position and stores nothing."""
    secret = new_secret()
    item = NewMemory(secret, id="01890000000070008000000000000001")
    with open_home(tmp_path) as memory:
        told = memory.remember(item)
        redaction = memory.redact(told.memory_id or "")
        again = memory.remember(item)
        assert again.position == told.position
        assert memory.log.checkpoint().position == redaction.position
        _nothing_is_left(tmp_path, secret)


def test_what_it_superseded_stays_superseded(tmp_path: Path) -> None:
    """Redacting a correction does not put what it corrected back into plain answers' place."""
    with open_home(tmp_path) as memory:
        old = memory.remember("The key lies under the mat")
        newer = memory.supersede(old.memory_id or "", "The key hangs in the shed")
        memory.redact(newer.memory_id or "")
        assert memory.get(old.memory_id or "").status == "superseded"
        assert memory.get(old.memory_id or "").superseded_by == (newer.memory_id,)


def test_a_past_moment_does_not_show_it_either(tmp_path: Path) -> None:
    """As of a moment before the redaction the memory is there, but not what it said."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        told = memory.remember(secret)
        memory.remember("The key lies under the mat")
        before = memory.log.checkpoint().position
        memory.redact(told.memory_id or "")
        moment = memory.as_of(before)
        assert moment.get(told.memory_id or "").content is None
        assert all(hit.memory_id != told.memory_id for hit in moment.recall(secret).hits)


def _kept(memory: Memory) -> set[str]:
    return {item.content or "" for item in memory.list(limit=1000)}


def test_other_spaces_keep_what_is_theirs(tmp_path: Path) -> None:
    """A redaction in one space takes nothing from another, its index included."""
    secret = new_secret()
    with open_home(tmp_path) as memory:
        other = memory.acting("attic", actor="user:dana", run="run")
        other.remember_many(_OTHERS)
        other.upkeep.rebuild()
        told = memory.remember(secret)
        memory.upkeep.rebuild()
        memory.redact(told.memory_id or "")
        assert _kept(other) == set(_OTHERS)
        assert list(tmp_path.glob("indexes/attic-*/*/arrays.bin"))
        _nothing_is_left(tmp_path, secret)


@pytest.mark.parametrize("gone", ["old", "new"])
@pytest.mark.parametrize("settled", ["new", "both", None])
def test_what_a_conflict_quotes_goes_with_either_side(
    tmp_path: Path, gone: str, settled: Literal["new", "both"] | None
) -> None:
    """A conflict's reason and condition, and why it was settled so, quote both memories."""
    texts = {"old": new_secret(), "new": new_secret()}
    with open_home(tmp_path, Quoting()) as memory:
        memory.remember_many(_OTHERS[:30])
        old = memory.remember(texts["old"])
        new = memory.remember(texts["new"])
        ids = {"old": old.memory_id or "", "new": new.memory_id or ""}
        assert f"{texts['new']} against {texts['old']}" in new.conflicts[0].reason
        if settled is not None:
            memory.conflicts.settle(ids["new"], settled, reason=texts[gone])
        memory.remember_many(_OTHERS[30:])
        memory.upkeep.rebuild()
        assert memory.redact(ids[gone]).complete
        _nothing_is_left(tmp_path, texts[gone])
        (conflict,) = memory.conflicts.list("all")
        assert conflict.reason is None
        other = ({"old", "new"} - {gone}).pop()
        assert memory.get(ids[other]).content == texts[other]
        assert memory.log.verify()
    _nothing_is_left(tmp_path, texts[gone])


class Quoting:
    """A judge that finds secrets contradictory, and repeats them in its reason."""

    name = "gossip"

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """Both texts, if they are secrets."""
        if "größe" not in new.text or "größe" not in old.text:
            return None
        return Contradiction(
            type="direct",
            severity="major",
            attribute=f"the secret of {old.text}",
            time_sensitive=False,
            condition=None,
            reason=f"{new.text} against {old.text}",
        )
