"""Calls that take long, that are given up, and that meet a defect."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import anyio
import numpy as np
import numpy.typing as npt
import pytest
from anyio.from_thread import BlockingPortal

from mnemolog import Memory
from mnemolog.ledger import errors
from mnemolog.ledger.errors import LedgerError
from mnemolog.serve.mcp.results import ADVICE, error_text
from mnemolog.serve.mcp.stdio import log_to_stderr
from tests.homes import BagOfWords
from tests.serve.mcp.clients import Connected, offered

MANY = 600
TWO_CHUNKS = 200


class Failing(BagOfWords):
    """An embedder that fails, with words that nobody is to see."""

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Nothing."""
        raise RuntimeError(" ".join(texts))


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Memory]:
    """A home with memories that wait to be embedded."""
    with Memory.open(tmp_path / "home", embedder=BagOfWords()) as memory:
        memory.remember_many([f"Note {n} of the day" for n in range(MANY)], contradictions="off")
        yield memory


def test_progress_is_told_while_memories_are_embedded(portal: BlockingPortal, full: Memory) -> None:
    """The first recall from a large home says how far it is, ever further, up to the whole."""
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(done: float, total: float | None, doing: str | None) -> None:
        heard.append((done, total, doing))

    with offered(portal, full) as client:
        ask = partial(client.client.call_tool, "recall", {"cue": "note 7"}, progress_callback=hear)
        assert not portal.call(ask).is_error
        assert len(heard) > 1
        assert [done for done, _, _ in heard] == sorted({done for done, _, _ in heard})
        assert heard[-1] == (MANY, MANY, "indexing")
        heard.clear()
        portal.call(ask)
        assert heard == []


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_call_that_is_given_up_harms_no_other(
    portal: BlockingPortal, request: pytest.FixtureRequest, home: Path, transport: str, space: str
) -> None:
    """A client that cancels a call while memories are embedded gets its next answer."""
    notes = [f"Note {n} of the day" for n in range(TWO_CHUNKS)]
    with Memory.open(home, space) as memory:
        memory.remember_many(notes, contradictions="off")

    async def give_up(client: Connected) -> None:
        with anyio.move_on_after(0.01) as given_up:
            await client.client.call_tool("recall", {"cue": "note 7", "space": space})
        assert given_up.cancelled_caught

    client: Connected = request.getfixturevalue(transport)
    portal.call(give_up, client)
    found = client.call("recall", cue="note 7", limit=3, space=space)
    assert found["hits"]


def test_a_defect_ends_neither_the_server_nor_tells_what_it_met(
    portal: BlockingPortal, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What nobody foresaw is told by its class alone; the log has its place, without its words."""
    with (
        Memory.open(tmp_path / "home", embedder=Failing()) as memory,
        offered(portal, memory, "all") as client,
    ):
        memory.remember("The xylophone is in the cellar", contradictions="off")
        text = client.error("recall", cue="where is the xylophone?")
        assert text == "Unexpected: a defect of the server (RuntimeError); tell the user"
        assert client.call("history", memory_id="@1")["events"]
    assert "xylophone" not in caplog.text
    assert "RuntimeError, at" in caplog.text
    assert "in embed" in caplog.text


def test_the_log_keeps_words_out_of_tracebacks(capsys: pytest.CaptureFixture[str]) -> None:
    """Errors that libraries log come with their class and place, not with what they say."""
    root = logging.getLogger()
    before = (root.level, [*root.handlers])
    try:
        log_to_stderr()
        word = "xylo" + "phone"
        try:
            int(word)
        except ValueError:
            logging.getLogger("library").exception("could not read it")
    finally:
        root.setLevel(before[0])
        root.handlers[:] = before[1]
    out, err = capsys.readouterr()
    assert out == ""
    assert "library: could not read it" in err
    assert "ValueError, at" in err
    assert word not in err


ERRORS = (
    errors.InvalidField("content", "is of type int", "give a text"),
    errors.EmptyContent(),
    errors.ContentTooLarge(9, 8),
    errors.UnknownMemory("x; y", "default"),
    errors.AmbiguousId("0a", ["0a1", "0a2"]),
    errors.ImmutableMemory("0a", "supersede"),
    errors.InvalidState("0a", "withdrawn", "name another"),
    errors.LogBusy(Path("ledger.db"), 60),
    errors.DiskFull(Path("ledger.db")),
    errors.CorruptLog("a hash differs", 7),
    errors.LogShortened(9, 7),
    errors.EmbedderUnavailable("the model is gone"),
    errors.ClosedHandle("memory"),
    errors.SummarizerFailed("0a", "mine", "no words"),
    errors.RedactionNotAllowed("default"),
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_says_what_to_do(error: LedgerError) -> None:
    """A model reads the class, what is wrong and what to do, and no option of a command line."""
    text = error_text(error)
    name, problem, *_ = text.split(": ")
    assert name == type(error).__name__
    assert problem
    assert text.count("; ") >= 1
    assert "override" not in text.replace("override it on the command line", "")
    assert "`list`" not in text


def test_an_error_is_short_whatever_it_quotes() -> None:
    """What a model wrote comes back to it as far as it knows it again; what to do stays whole."""
    text = error_text(errors.UnknownMemory("0a" * 1_000_000, "default"))
    assert text.startswith("UnknownMemory: no memory '0a0a")
    assert text.endswith("…; use the memory_id that a recall or another tool gave")
    assert len(text) < 500


def test_advice_is_for_errors_that_are_there() -> None:
    """Every class that has advice of its own is one of the ledger's."""
    assert all(issubclass(one, LedgerError) for one in ADVICE)
    assert error_text(PermissionError(13, "no", "/secret/file")) == (
        "PermissionError: a file of the ledger cannot be used; "
        "tell the user: only a person can mend this"
    )
