"""Importing the transcripts of coding agents: what was said, one memory a message."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemolog.application.imports.files import ImportItem, Problem
from mnemolog.application.imports.transcript import read_transcript
from mnemolog.ledger.errors import InvalidField

SESSION = "0b5e6c1e-53f1-4f2b-9a51-7d3a6f6f0c11"
Line = dict[str, object]


def claude(kind: str, uuid: str, content: object, **fields: object) -> Line:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/dana/boats",
        "sessionId": SESSION,
        "version": "2.0.42",
        "gitBranch": "main",
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": uuid,
        "timestamp": "2025-11-03T09:15:02.592Z",
        **fields,
    }


def codex(kind: str, payload: Line) -> Line:
    return {"timestamp": "2025-10-29T00:59:38.317Z", "type": kind, "payload": payload}


def codex_message(role: str, *texts: str) -> Line:
    part = "output_text" if role == "assistant" else "input_text"
    content = [{"type": part, "text": text} for text in texts]
    return codex("response_item", {"type": "message", "role": role, "content": content})


CLAUDE_LINES: list[Line] = [
    {"type": "summary", "summary": "Mooring fees", "leafUuid": "u-9"},
    {"type": "file-history-snapshot", "messageId": "u-1", "snapshot": {}},
    claude("user", "u-0", "Caveat: local commands follow.", isMeta=True),
    claude("user", "u-1", "Charge ten a night for mooring."),
    claude(
        "assistant",
        "u-2",
        [
            {"type": "thinking", "thinking": "Where are fees set?", "signature": "x"},
            {"type": "text", "text": "I will look at the fees."},
        ],
    ),
    claude(
        "assistant",
        "u-3",
        [{"type": "tool_use", "id": "t-1", "name": "Bash", "input": {"command": "ls"}}],
    ),
    claude(
        "user",
        "u-4",
        [{"type": "tool_result", "tool_use_id": "t-1", "content": "fees.py", "is_error": False}],
        toolUseResult={"stdout": "fees.py"},
    ),
    claude("user", "u-5", "Look for fees.", isSidechain=True),
    claude("assistant", "u-6", [{"type": "text", "text": "Done: ten a night."}]),
    {"type": "system", "subtype": "turn_duration", "uuid": "u-7", "sessionId": SESSION},
    {"type": "queue-operation", "operation": "enqueue", "sessionId": SESSION},
]

CODEX_LINES: list[Line] = [
    codex("session_meta", {"id": "019a2d7a", "cwd": "/home/dana/boats", "source": "cli"}),
    codex_message("developer", "<permissions instructions>read-only</permissions instructions>"),
    codex_message(
        "user",
        "# AGENTS.md instructions for /home/dana\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/home/dana/boats</cwd>\n</environment_context>",
    ),
    codex("turn_context", {"cwd": "/home/dana/boats", "model": "gpt-5-codex"}),
    codex_message("user", "Charge ten a night for mooring."),
    codex("event_msg", {"type": "user_message", "message": "Charge ten a night for mooring."}),
    codex("response_item", {"type": "reasoning", "summary": [], "content": None}),
    codex("response_item", {"type": "function_call", "name": "shell", "arguments": "{}"}),
    codex("response_item", {"type": "function_call_output", "call_id": "c", "output": "fees.py"}),
    codex("event_msg", {"type": "agent_message", "message": "Done: ten a night."}),
    codex_message("assistant", "Done: ten a night."),
]


def write(path: Path, lines: list[Line]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def items(path: Path, space: str = "default") -> list[ImportItem]:
    return [found for found in read_transcript(path, space) if isinstance(found, ImportItem)]


def problems(path: Path) -> list[Problem]:
    return [found for found in read_transcript(path, "default") if isinstance(found, Problem)]


def test_a_claude_code_session_becomes_what_was_said(tmp_path: Path) -> None:
    """User's and agent's words in order; no thinking, tools, subagents or notices."""
    path = write(tmp_path / f"{SESSION}.jsonl", CLAUDE_LINES)
    assert [(item.memory.source, item.memory.content) for item in items(path)] == [
        ("user:user", "Charge ten a night for mooring."),
        ("agent:claude-code", "I will look at the fees."),
        ("agent:claude-code", "Done: ten a night."),
    ]
    assert problems(path) == []


def test_a_codex_rollout_becomes_what_was_said(tmp_path: Path) -> None:
    """Each message once, though a rollout tells it twice; no injected context."""
    path = write(tmp_path / "rollout-2025-10-29T00-59-38-019a2d7a.jsonl", CODEX_LINES)
    assert [(item.memory.source, item.memory.content) for item in items(path)] == [
        ("user:user", "Charge ten a night for mooring."),
        ("agent:codex", "Done: ten a night."),
    ]
    assert problems(path) == []


@pytest.mark.parametrize(("lines", "run"), [(CLAUDE_LINES, SESSION), (CODEX_LINES, "019a2d7a")])
def test_a_message_keeps_time_conversation_and_folder(
    tmp_path: Path, lines: list[Line], run: str
) -> None:
    """It is episodic, cannot be revised, and knows when and where it was said."""
    item = items(write(tmp_path / "a.jsonl", lines))[0]
    assert item.memory.kind == "episodic"
    assert item.memory.valid_from in {"2025-11-03T09:15:02.592Z", "2025-10-29T00:59:38.317Z"}
    assert item.memory.source_note == f"thread:{run}"
    assert item.run == run
    assert item.memory.place == "boats"
    assert not item.revisable


def test_the_users_name_may_be_given(tmp_path: Path) -> None:
    """A transcript does not say who its user was; the importer may."""
    path = write(tmp_path / "a.jsonl", CLAUDE_LINES)
    found = next(found for found in read_transcript(path, "default", user="dana"))
    assert isinstance(found, ImportItem)
    assert found.memory.source == "user:dana"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Fix it.\n<system-reminder>Be brief.</system-reminder>", "Fix it."),
        ("<command-message>review</command-message>\n<command-name>/review</command-name>", None),
        (
            "<command-name>/review</command-name>\n<command-args>the fees</command-args>",
            "/review the fees",
        ),
        ("<local-command-stdout>on main</local-command-stdout>", None),
        ("<bash-input>ls</bash-input>", None),
        ("[Request interrupted by user for tool use]", None),
        ("Why does <div>a</div> break?", "Why does <div>a</div> break?"),
    ],
)
def test_what_the_program_says_in_the_users_name_is_left_out(
    tmp_path: Path, text: str, said: str | None
) -> None:
    """Reminders, output and notices go; a command's words and the user's own markup stay."""
    for content in (text, [{"type": "text", "text": text}]):
        path = write(tmp_path / "a.jsonl", [claude("user", "u-1", content)])
        assert [item.memory.content for item in items(path)] == ([said] if said else [])


@pytest.mark.parametrize(
    "fields",
    [
        {"isCompactSummary": True},
        {"isApiErrorMessage": True},
        {"message": {"role": "assistant", "model": "<synthetic>", "content": "No response."}},
    ],
)
def test_what_nobody_said_is_left_out(tmp_path: Path, fields: Line) -> None:
    """Summaries made to go on with, and errors shown as answers, are not talk."""
    path = write(tmp_path / "a.jsonl", [claude("assistant", "u-1", "text", **fields)])
    assert items(path) == []


def test_an_editors_context_is_cut_from_a_codex_request(tmp_path: Path) -> None:
    """Of a message that an editor enriched, the request is kept."""
    text = (
        "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nFix a."
    )
    path = write(tmp_path / "a.jsonl", [CODEX_LINES[0], codex_message("user", text)])
    assert [item.memory.content for item in items(path)] == ["Fix a."]


def test_a_codex_subagents_rollout_is_left_out(tmp_path: Path) -> None:
    """What agents tell each other is no one's statement."""
    meta = codex("session_meta", {"id": "x", "source": {"subagent": "review"}})
    assert items(write(tmp_path / "a.jsonl", [meta, *CODEX_LINES[1:]])) == []


def test_a_forked_session_repeats_no_message(tmp_path: Path) -> None:
    """A resumed session's file repeats earlier messages; they keep their ids."""
    fork = [line | {"sessionId": "fork", "cwd": "/elsewhere"} for line in CLAUDE_LINES]
    fork.append(claude("user", "u-10", "And for a week?", sessionId="fork"))
    before = items(write(tmp_path / "a.jsonl", CLAUDE_LINES))
    after = items(write(tmp_path / "b.jsonl", fork))
    assert [item.memory.id for item in after[:-1]] == [item.memory.id for item in before]
    assert after[-1].memory.content == "And for a week?"


@pytest.mark.parametrize("lines", [CLAUDE_LINES, CODEX_LINES])
def test_a_session_that_went_on_adds_its_new_messages(tmp_path: Path, lines: list[Line]) -> None:
    """Importing while a session runs, and again later, adds nothing twice."""
    path = write(tmp_path / "a.jsonl", lines[:5])
    before = items(path)
    write(path, lines)
    assert before
    assert items(path)[: len(before)] == before


def test_a_folder_of_transcripts_is_read_whole(tmp_path: Path) -> None:
    """Both formats, in folders, in the order of their names."""
    write(tmp_path / "2025/10/rollout-a.jsonl", CODEX_LINES)
    write(tmp_path / "projects/b.jsonl", CLAUDE_LINES)
    assert [item.run for item in items(tmp_path)] == ["019a2d7a"] * 2 + [SESSION] * 3


def test_a_bad_line_is_told_with_its_number_and_the_rest_goes_on(tmp_path: Path) -> None:
    """A half-written, malformed or badly dated line costs that line alone."""
    good = json.dumps(CLAUDE_LINES[3])
    bad = [
        good[:40],
        json.dumps(claude("user", "u-1", 7)),
        json.dumps(claude("user", "u-1", "x", timestamp="today")),
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([*bad, good]))
    assert len(items(path)) == 1
    assert [problem.where for problem in problems(path)] == [f"{path}:{n}" for n in (1, 2, 3)]


def test_a_rollout_without_its_opening_line_is_told(tmp_path: Path) -> None:
    """A message that belongs to no known conversation is not given to one."""
    path = write(tmp_path / "a.jsonl", CODEX_LINES[4:5])
    (problem,) = problems(path)
    assert problem.where == f"{path}:1"
    assert "session_meta" in problem.what


def test_a_file_that_cannot_be_read_is_told_and_the_others_read(tmp_path: Path) -> None:
    """A link to nowhere costs itself alone."""
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere.jsonl")
    write(tmp_path / "a.jsonl", CLAUDE_LINES)
    assert problems(tmp_path)[0].where == str(tmp_path / "gone.jsonl")
    assert len(items(tmp_path)) == 3


def test_a_file_that_is_no_transcript_is_told(tmp_path: Path) -> None:
    """A file of another kind does not pass for an empty conversation."""
    path = write(tmp_path / "a.jsonl", [{"content": "a memory"}])
    (problem,) = problems(path)
    assert "no known transcript" in problem.what


def test_a_path_where_nothing_is_is_refused_at_once(tmp_path: Path) -> None:
    """The error names the field before anything is read."""
    with pytest.raises(InvalidField) as caught:
        read_transcript(tmp_path / "absent", "default")
    assert caught.value.field == "path"
