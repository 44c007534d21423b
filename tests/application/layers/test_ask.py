"""Asking the layers of a real home: memory, notes, artifacts, playbooks, identity."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from mnemolog import Artifact, Asked, Memory, Wanted
from mnemolog.ledger.errors import ArtifactsUnavailable, InvalidField, InvalidNumber
from mnemolog.recall.detector import Layer
from tests.homes import DAY, HandClock

WHOLE: tuple[Layer, ...] = ("palace", "scratchpad", "artifacts", "procedures")
REMEMBERED = "Dana prefers green tea in the morning"
QUESTION = "what tea does Dana prefer in the morning?"


class Shelf:
    """A source of artifacts of the caller's own."""

    def __init__(self, *artifacts: Artifact, name: str = "shelf") -> None:
        """Hold these artifacts."""
        self.name = name
        self.artifacts = artifacts
        self.asked: list[Wanted] = []

    def find(self, wanted: Wanted, limit_s: float) -> Sequence[Artifact]:
        self.asked.append(wanted)
        return self.artifacts


class Broken(Shelf):
    """A source that fails."""

    def find(self, wanted: Wanted, limit_s: float) -> Sequence[Artifact]:
        raise ArtifactsUnavailable(self.name, "is shut", "open it")


class Defective(Shelf):
    """A source with a defect."""

    def find(self, wanted: Wanted, limit_s: float) -> Sequence[Artifact]:
        raise ZeroDivisionError


class Hanging(Shelf):
    """A source that answers when it is let go."""

    def __init__(self) -> None:
        """Hold on."""
        super().__init__()
        self.let_go = threading.Event()

    def find(self, wanted: Wanted, limit_s: float) -> Sequence[Artifact]:
        self.let_go.wait()
        return ()


LOG = Artifact("file", "log.txt", "We caulked the transom.", "shelf:log.txt")


def outcomes(asked: Asked) -> dict[Layer, str]:
    return {checked.layer: checked.outcome for checked in asked.layers_checked}


def test_the_memory_answers_first(memory: Memory) -> None:
    """What is in memory is the answer, with its source and id, and nothing else is asked."""
    stored = memory.remember(REMEMBERED, source="user:dana")
    shelf = Shelf(LOG)
    asked = memory.ask(QUESTION, layers=WHOLE, artifacts=[shelf])
    assert (asked.layer, asked.said, shelf.asked) == ("palace", (), [])
    assert asked.passages[0].memory_id == stored.memory_id
    assert asked.passages[0].source == "user:dana"
    assert outcomes(asked) == {"identity": "not configured", "palace": "answered"}
    assert "- Dana prefers green tea in the morning [user:dana; 2025-06-15]" in asked.context


def test_an_empty_memory_says_so_before_the_artifacts(memory: Memory) -> None:
    """Where memory holds nothing, this is said, then the artifacts answer."""
    asked = memory.ask("how was the transom caulked?", layers=WHOLE, artifacts=[Shelf(LOG)])
    assert asked.layer == "artifacts"
    assert asked.said == ("Not in memory; looking at the artifacts.",)
    assert asked.context.startswith("Not in memory; looking at the artifacts.\n\nFrom the artif")
    assert "log.txt\n  We caulked the transom. [shelf:log.txt]" in asked.context


def test_where_nothing_is_known_this_is_said(memory: Memory) -> None:
    """With every layer empty, the honest sentence comes, and no guess."""
    asked = memory.ask(QUESTION, layers=WHOLE, artifacts=[Shelf()])
    assert (asked.layer, asked.passages) == ("generation", ())
    assert asked.said == (
        "Not in memory; looking at the artifacts.",
        "The memory holds nothing on this.",
        "Whatever is said next does not come from memory.",
    )


def test_asking_writes_nothing(memory: Memory) -> None:
    """A question leaves the log as it was."""
    memory.remember(REMEMBERED)
    head = memory.log.checkpoint()
    memory.ask(QUESTION, layers=WHOLE, artifacts=[Shelf(LOG)])
    assert memory.log.checkpoint() == head


def test_a_look_up_of_nothing_is_none(memory: Memory) -> None:
    """A caller who names no layers gets no look-up, and no claim about the memory."""
    memory.remember(REMEMBERED)
    asked = memory.ask(QUESTION, layers=())
    assert (asked.layer, asked.said, asked.context) == (None, (), "")
    assert outcomes(asked) == {"identity": "not configured"}


# -- trouble -------------------------------------------------------------------------------


def test_a_source_that_fails_is_reported_and_passed_over(memory: Memory, tmp_path: Path) -> None:
    """The layers after it are asked all the same."""
    (tmp_path / "caulking.md").write_text("# Caulking\n\nUse oakum.\n")
    memory.configure({"playbooks": str(tmp_path)})
    for source, note in (
        (Broken(), "shelf is shut; open it"),
        (Defective(), "ZeroDivisionError"),
    ):
        asked = memory.ask("caulking?", layers=WHOLE, artifacts=[source])
        assert asked.layer == "procedures"
        assert outcomes(asked)["artifacts"] == "failed"
        assert asked.said[1] == f"The artifacts could not be asked: {note}."


def test_one_source_answers_for_another_that_fails(memory: Memory) -> None:
    """With two sources, one that fails is noted beside the answer of the other."""
    asked = memory.ask("the transom?", layers=WHOLE, artifacts=[Broken(), Shelf(LOG)])
    assert asked.layer == "artifacts"
    assert asked.layers_checked[-1].note == "shelf is shut; open it"


def test_a_layer_that_takes_too_long_is_passed_over(memory: Memory) -> None:
    """What hangs is left to itself when its time is up."""
    hanging = Hanging()
    asked = memory.ask("the transom?", layers=["artifacts"], artifacts=[hanging], limit_s=0.05)
    assert outcomes(asked)["artifacts"] == "timed out"
    assert asked.said[0] == "Looking at the artifacts."
    assert "longer than 0.05 s" in asked.said[1]
    assert asked.said[2:] == (
        "Nothing was found on this.",
        "Whatever is said next does not come from memory.",
    )
    hanging.let_go.set()


def test_the_whole_may_have_a_limit_too(memory: Memory) -> None:
    """What the layers may take together is shared by those that are left."""
    hanging = Hanging()
    asked = memory.ask("the transom?", layers=WHOLE, artifacts=[hanging], within_s=0.3)
    assert outcomes(asked)["artifacts"] == "timed out"
    assert sum(checked.took_ms for checked in asked.layers_checked) < 10_000
    hanging.let_go.set()


@pytest.mark.parametrize("limit_s", [0, -1, float("nan"), float("inf"), True, "1"])
def test_a_limit_is_a_number_of_seconds(memory: Memory, limit_s: float) -> None:
    """What cannot be waited for is refused, by name."""
    with pytest.raises(InvalidNumber, match="limit_s"):
        memory.ask(QUESTION, limit_s=limit_s)
    with pytest.raises(InvalidNumber, match="within_s"):
        memory.ask(QUESTION, within_s=limit_s)


@pytest.mark.parametrize("prompt", ["", " \n", None])
def test_a_prompt_has_words(memory: Memory, prompt: str | None) -> None:
    """An empty prompt is refused, and so is none."""
    with pytest.raises(InvalidField, match="prompt: is empty"):
        memory.ask(prompt)  # type: ignore[arg-type]


@pytest.mark.parametrize("sources", ["text", ["text"], [Shelf], [7], Shelf()])
def test_a_source_of_artifacts_is_one(memory: Memory, sources: object) -> None:
    """What has no name and nothing to find with is refused, whatever the prompt asks."""
    with pytest.raises(InvalidField, match="artifacts"):
        memory.ask(QUESTION, artifacts=sources)  # type: ignore[arg-type]


# -- notes of the session ------------------------------------------------------------------


def test_the_notes_of_a_session_answer_where_the_memory_is_not_asked(memory: Memory) -> None:
    """This session's items share its words with a prompt; those of other sessions do not count."""
    memory.remember("The winch needs grease", source="agent:mate")
    asked = memory.ask("which winch needs grease?", layers=["scratchpad"])
    assert [passage.text for passage in asked.passages] == ["The winch needs grease"]
    asked = memory.ask("which winch needs grease?", layers=["scratchpad"], session="other")
    assert asked.layer == "generation"


def test_a_question_without_words_of_its_own_brings_the_newest_notes(
    memory: Memory, clock: HandClock
) -> None:
    """'Where were we?' is answered with what was written last, the newest first."""
    for note in ("Grease the winch", "Paint the mast"):
        memory.remember(note)
        clock.move(1_000_000)
    asked = memory.ask("Where were we?", layers=["scratchpad"])
    assert [passage.text for passage in asked.passages] == ["Paint the mast", "Grease the winch"]


def test_notes_expire_after_a_day(memory: Memory, clock: HandClock) -> None:
    """What a session wrote a day ago is memory, but no longer its notes."""
    memory.remember("Grease the winch")
    clock.move(DAY - 1)
    assert memory.ask("Where were we?", layers=["scratchpad"]).layer == "scratchpad"
    clock.move(1)
    assert memory.ask("Where were we?", layers=["scratchpad"]).layer == "generation"


def test_notes_that_were_withdrawn_do_not_answer(memory: Memory) -> None:
    """A note that was taken back, or replaced, is no note any more."""
    stored = memory.remember("Grease the winch")
    memory.supersede(stored.memory_id, "Oil the winch")
    asked = memory.ask("Where were we?", layers=["scratchpad"])
    assert [passage.text for passage in asked.passages] == ["Oil the winch"]


# -- files of the user's -------------------------------------------------------------------


def test_the_identity_is_put_in_front(memory: Memory, tmp_path: Path) -> None:
    """The identity file's text stands first, whatever answers, and is no answer itself."""
    path = tmp_path / "me.md"
    path.write_text("I am the first mate.\n")
    memory.configure({"identity": str(path)})
    for layers in ((), WHOLE):
        asked = memory.ask("who is the first mate?", layers=layers)
        assert asked.identity == "I am the first mate."
        assert asked.context.startswith("I am the first mate.")
        assert outcomes(asked)["identity"] == "in front"
        assert asked.layer == ("generation" if layers else None)


def test_a_long_identity_is_cut_at_a_sentence(memory: Memory, tmp_path: Path) -> None:
    """At most 200 tokens are taken, whole sentences alone, and it is said that more was there."""
    path = tmp_path / "me.md"
    path.write_text("I reef early and I sail home before the dark. " * 60)
    memory.configure({"identity": str(path)})
    asked = memory.ask("who are you?", layers=())
    assert asked.identity is not None
    # Eleven tokens a sentence: ten words and a full stop.
    assert asked.identity.count("dark.") == 200 // 11
    assert asked.identity.endswith("before the dark.")
    assert "longer than 200 tokens" in (asked.layers_checked[0].note or "")


def test_an_identity_of_one_endless_word_does_not_pass(memory: Memory, tmp_path: Path) -> None:
    """What the model would take for one token is still too long."""
    path = tmp_path / "me.md"
    path.write_text("x" * 50_000)
    memory.configure({"identity": str(path)})
    assert memory.ask("who are you?", layers=()).identity is None


def test_an_identity_that_is_gone_is_reported(memory: Memory, tmp_path: Path) -> None:
    """A missing or empty file is told, and the rest goes on."""
    memory.remember(REMEMBERED)
    memory.configure({"identity": str(tmp_path / "gone.md")})
    asked = memory.ask(QUESTION, layers=WHOLE)
    assert (outcomes(asked)["identity"], asked.layer) == ("failed", "palace")
    (tmp_path / "gone.md").write_text(" \n")
    assert outcomes(memory.ask(QUESTION, layers=()))["identity"] == "empty"


def test_procedures_are_remembered_or_read(memory: Memory, tmp_path: Path) -> None:
    """Procedural memories come first, then the playbooks that a prompt is about."""
    memory.remember("To caulk a seam, roll the oakum first", kind="procedural")
    (tmp_path / "Caulking a seam.md").write_text("---\ntitle: Seams\n---\nUse oakum and pitch.\n")
    (tmp_path / "Baking.md").write_text("Use flour.\n")
    memory.configure({"playbooks": str(tmp_path)})
    asked = memory.ask("how do we caulk a seam?", layers=["procedures"])
    assert [passage.source for passage in asked.passages] == [
        None,
        str(tmp_path / "Caulking a seam.md"),
    ]
    assert (asked.passages[1].title, asked.passages[1].text) == ("Seams", "Use oakum and pitch.")


def test_playbooks_that_are_gone_are_reported(memory: Memory, tmp_path: Path) -> None:
    """Without its folders the layer has failed, unless procedural memories answer."""
    memory.configure({"playbooks": str(tmp_path / "gone")})
    asked = memory.ask("how do we caulk a seam?", layers=["procedures"])
    assert outcomes(asked)["procedures"] == "failed"
    memory.remember("To caulk a seam, roll the oakum first", kind="procedural")
    asked = memory.ask("how do we caulk a seam?", layers=["procedures"])
    assert asked.layer == "procedures"
    assert "gone is no folder" in (asked.layers_checked[-1].note or "")


def test_a_long_playbook_answers_with_its_sections(memory: Memory, tmp_path: Path) -> None:
    """Of a long file the sections that fit are given, under their headings."""
    filler = "Nothing of note here at all. " * 90
    (tmp_path / "yard.md").write_text(f"# Yard\n\n{filler}\n\n## Launching\n\nOpen the sluice.\n")
    memory.configure({"playbooks": str(tmp_path)})
    (passage,) = memory.ask("how is launching done?", layers=["procedures"]).passages
    assert (passage.title, passage.text) == ("yard > Yard > Launching", "Open the sluice.")


def test_playbooks_are_read_inside_their_folder_alone(memory: Memory, tmp_path: Path) -> None:
    """A link that leads out of the folder is not followed, and this is noted."""
    folder = tmp_path / "playbooks"
    folder.mkdir()
    (tmp_path / "secret.md").write_text("The launching code is 7.\n")
    (folder / "launching.md").symlink_to(tmp_path / "secret.md")
    (folder / "deeper").symlink_to(tmp_path)
    memory.configure({"playbooks": f"{folder}, {tmp_path / 'gone'}"})
    asked = memory.ask("what is the launching code?", layers=["procedures"])
    assert asked.passages == ()
    note = asked.layers_checked[-1].note or ""
    assert "launching.md leads out of " in note
    assert "gone is no folder" in note


def test_too_many_and_too_large_playbooks_are_passed_over(memory: Memory, tmp_path: Path) -> None:
    """A folder is read up to its limits, and what was left out is said."""
    for number in range(201):
        (tmp_path / f"{number:03}.md").write_text("Reef early.")
    (tmp_path / "000.md").write_text("reef " * 60_000)
    memory.configure({"playbooks": str(tmp_path)})
    asked = memory.ask("do we reef early?", layers=["procedures"])
    note = asked.layers_checked[-1].note or ""
    assert "000.md is larger than 256 KiB" in note
    assert "more than 200 playbooks" in note


def test_a_checkout_of_the_settings_is_asked(memory: Memory, tmp_path: Path) -> None:
    """Sources that the settings name are read where no others are given."""
    commands = (
        ("init", "--quiet"),
        ("config", "user.name", "Dana"),
        ("config", "user.email", "dana@example.org"),
        ("commit", "--quiet", "--allow-empty", "-m", "Grease the winch (#42)"),
    )
    for command in commands:
        subprocess.run(["git", "-C", tmp_path, *command], check=True)
    memory.configure({"artifacts": f"git:{tmp_path}"})
    asked = memory.ask("what did PR 42 change?", layers=WHOLE)
    assert asked.layer == "artifacts"
    assert (asked.passages[0].title or "").endswith("Grease the winch (#42)")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("identity", "me.md"),
        ("identity", "/a.md, /b.md"),
        ("playbooks", "here"),
        ("artifacts", "svn:dana/boats"),
        ("layer_limit_s", 0),
        ("layer_limit_s", 601),
        ("layer_limit_s", float("nan")),
        ("layer_limit_s", "soon"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused(
    memory: Memory, name: str, value: str | float
) -> None:
    """The error names the setting, and nothing is changed."""
    with pytest.raises(InvalidField, match=name):
        memory.configure({name: value})
    assert memory.log.checkpoint().position == 0


# -- the past ------------------------------------------------------------------------------


def test_a_setting_of_another_version_fails_its_own_layer_alone(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the log holds and this version cannot read is reported; the other layers answer."""
    with monkeypatch.context() as newer:
        newer.setattr("mnemolog.application.home.settings.named_sources", lambda _: ())
        newer.setattr("mnemolog.application.home.settings.paths_of", lambda *_: ())
        memory.configure({"artifacts": "jira:boats", "identity": "me.md", "playbooks": "here"})
    asked = memory.ask("what did we decide about the winch?", layers=WHOLE)
    assert outcomes(asked) == {
        "identity": "failed",
        "palace": "empty",
        "artifacts": "failed",
        "procedures": "failed",
        "scratchpad": "empty",
    }
    memory.remember(REMEMBERED)
    assert memory.ask(QUESTION).layer == "palace"
    memory.remember("To grease the winch, take it apart first", kind="procedural")
    asked = memory.ask("how do we grease the winch?", layers=["procedures"])
    assert asked.layer == "procedures"
    (checked,) = (one for one in asked.layers_checked if one.layer == "procedures")
    assert "playbooks" in (checked.note or "")


def test_a_past_moment_answers_with_what_was_known_then(memory: Memory, tmp_path: Path) -> None:
    """Memory and notes are those of then; artifacts and playbooks tell of now, and stay out."""
    (tmp_path / "tea.md").write_text("What tea Dana prefers in the morning: coffee.")
    memory.configure({"playbooks": str(tmp_path)})
    stored = memory.remember(REMEMBERED)
    memory.supersede(stored.memory_id, "Dana prefers black coffee in the morning")
    then = memory.as_of(stored.position).ask(QUESTION, layers=WHOLE, session="talk")
    assert then.passages[0].text == REMEMBERED
    assert then.as_of is not None
    assert then.as_of.position == stored.position
    notes = memory.as_of(stored.position).ask(QUESTION, layers=["scratchpad"], session="talk")
    assert [passage.text for passage in notes.passages] == [REMEMBERED]
    before = memory.as_of(stored.position - 1).ask(
        QUESTION, layers=WHOLE, session="talk", artifacts=[Shelf(LOG)]
    )
    assert before.layer == "generation"
    assert outcomes(before)["artifacts"] == "left out"


# -- whether to look -----------------------------------------------------------------------


def test_an_ordinary_instruction_searches_the_memory_too(memory: Memory) -> None:
    """What asks for nothing remembered gets what is clearly relevant, and no claim otherwise."""
    asked = memory.ask("Write a haiku about the sea.")
    assert not asked.recall.recall
    assert (asked.layer, asked.said, asked.context) == (None, (), "")
    assert {"palace", "artifacts"} <= outcomes(asked).keys()
    assert (outcomes(asked)["palace"], outcomes(asked)["artifacts"]) == ("empty", "left out")
    memory.remember("Every haiku about the sea needs a gull in it")
    asked = memory.ask("Write a haiku about the sea.")
    assert (asked.layer, "gull" in asked.context) == ("palace", True)


def test_a_name_that_the_memory_knows_speaks_for_a_look_up(memory: Memory) -> None:
    """Who the memory has words of counts as known; a role, a tag and a file do not."""
    prompt = "breakfast of {}"
    before = memory.ask(prompt.format("zorblax")).recall.confidence
    memory.remember("Toast", source="user:Zorblax", tags=("gribble",), place="attic/chest")
    memory.remember("Toast", source="agent:assistant")
    memory.remember("Toast", source="file:pantry")
    assert memory.ask(prompt.format("zorblax")).recall.confidence > before
    for word in ("gribble", "attic", "assistant", "pantry"):
        assert memory.ask(prompt.format(word)).recall.confidence <= before


def test_of_a_long_prompt_both_ends_are_looked_up(memory: Memory) -> None:
    """A pasted log between the words does not keep what is asked from being found."""
    memory.remember(REMEMBERED)
    shelf = Shelf()
    pasted = "all quiet on deck\n" * 20_000
    prompt = f"See issue 42.\n{pasted}Now, {QUESTION}"
    asked = memory.ask(prompt, layers=["palace"])
    assert (asked.layer, asked.prompt) == ("palace", prompt)
    memory.ask(prompt, layers=["artifacts"], artifacts=[shelf])
    assert shelf.asked[0].numbers == (42,)


_ENDING = """
import sys
from mnemolog import Memory
with Memory.open(sys.argv[1]) as memory:
    memory.configure({"layer_limit_s": 0.02})
    memory.remember("Dana prefers green tea")
with Memory.open(sys.argv[1]) as memory:
    asked = memory.ask("what tea does Dana prefer?", layers=["palace"])
    print({one.layer: one.outcome for one in asked.layers_checked}["palace"])
"""


def test_a_program_ends_in_order_under_a_layer_that_was_too_slow(tmp_path: Path) -> None:
    """A look that is in compiled code as the program ends does not abort it."""
    done = subprocess.run(
        [sys.executable, "-c", _ENDING, str(tmp_path / "home")],
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"timed out\n", b"")
