"""Models as the settings name them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemolog import InvalidField, Memory
from mnemolog.endpoints.named_models import NamedModel, named_model
from tests.homes import open_home


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty home."""
    with open_home(tmp_path / "home") as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (" built-in ", None),
        ("http://localhost:11434/v1 model=qwen3:8b", ("http://localhost:11434/v1", "qwen3:8b")),
        (
            "https://api.example/v1/ key=WORK_KEY model=org/llama-3.1",
            ("https://api.example/v1", "org/llama-3.1", "WORK_KEY"),
        ),
        (
            "http://10.0.0.7/v1/chat/completions model=m without=temperature,response_format",
            ("http://10.0.0.7/v1", "m", None, frozenset({"temperature", "response_format"})),
        ),
        ("http://[::1]:8080 model=m key=K", ("http://[::1]:8080", "m", "K")),
    ],
)
def test_a_model_is_named_by_its_endpoint(text: str, named: tuple[object, ...] | None) -> None:
    """An endpoint and a model, with options in any order; or the built-in one."""
    assert named_model("judge", text) == (None if named is None else NamedModel(*named))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is no URL"),
        ("gpt-4o", "is no URL"),
        ("ftp://host/v1 model=m", "is no URL"),
        ("https:///v1 model=m", "is no URL"),
        ("https://host:99999/v1 model=m", "is no URL"),
        ("https://host:0/v1 model=m", "is no URL"),
        ("https://[host/v1 model=m", "is no URL"),
        ("https://host/v1", "names an endpoint and no model"),
        ("https://host/v1 model=", "names an endpoint and no model"),
        (f"https://host/v1 model={'m' * 201}", "names an endpoint and no model"),
        ("https://host/v1 model=m model=n", "names no model"),
        ("https://host/v1 model=m size=7b", "names no model"),
        ("https://host/v1 model=m key=", "names no variable"),
        ("https://host/v1 model=m without=messages", "cannot do without messages"),
        ("http://host/v1 model=m key=K", "would send a key to host unencrypted"),
    ],
)
def test_what_names_no_model_is_refused(text: str, problem: str) -> None:
    """The error says what is wrong and how to write it."""
    with pytest.raises(InvalidField, match=problem) as caught:
        named_model("judge", text)
    assert caught.value.field == "judge"
    assert caught.value.fix


@pytest.mark.parametrize(
    "text",
    [
        "https://dana:hunter2@host/v1 model=m",
        "https://host/v1?key=hunter2 model=m",
        "https://host/v1#hunter2 model=m",
        "https://host/v1 model=m key=sk-hunter2",
    ],
)
def test_a_secret_in_a_setting_is_refused_and_not_repeated(memory: Memory, text: str) -> None:
    """Settings stay in the log for good, so that a key must not get there, nor into an error."""
    with pytest.raises(InvalidField) as caught:
        memory.configure({"judge": text})
    assert "hunter2" not in str(caught.value)
    assert [*memory.log.events()] == []


@pytest.mark.parametrize("limit_s", [0, 601, -1, "soon"])
def test_the_time_limit_has_bounds(memory: Memory, limit_s: float | str) -> None:
    """It is a number of seconds."""
    with pytest.raises(InvalidField, match="judge_limit_s"):
        memory.configure({"judge_limit_s": limit_s})


def test_the_built_in_judge_is_the_default(memory: Memory) -> None:
    """Nothing is named unless somebody names it, and a reset brings back the default."""
    assert (memory.settings().judge, memory.settings().judge_limit_s) == ("built-in", 20.0)
    memory.configure({"judge": "http://localhost:1/v1 model=m"})
    memory.configure({"judge": None})
    assert memory.settings().judge == "built-in"
