"""The judge that `config` names, as the command line shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine
    from tests.model_server import ServedModels


def test_a_judge_is_named_by_config(cli: CommandLine, models: ServedModels) -> None:
    """Its verdicts are shown like others, with its name."""
    cli("remember", "Ben is crazy about his motorbike")
    cli("config", "judge", models.setting("right:cli"))
    assert cli("config", "judge").stdout == f"{models.setting('right:cli')}\n"
    told = cli.json("remember", "Ben sold the bike in May")
    assert told["conflicts"][0]["outcome"] == "superseded"
    assert "prompt-1:right:cli" in cli("conflicts", "--all").stdout
    cli("config", "judge", "--unset")
    assert cli("config", "judge").stdout == "built-in\n"


def test_a_judge_that_fails_is_a_warning(cli: CommandLine, models: ServedModels) -> None:
    """The memory is stored, and the command ends well."""
    cli("remember", "Ben is crazy about his motorbike")
    cli("config", "judge", models.setting("broken:cli"))
    done = cli("remember", "Ben sold the bike in May")
    assert "answered with status 500" in done.stdout + done.stderr
    assert "Ben sold the bike in May" in cli("list").stdout


def test_a_setting_that_names_no_model_is_refused(cli: CommandLine) -> None:
    """With the form in which to write it."""
    error = cli.failure("config", "judge", "gpt-5-mini", code=2)
    assert "model=NAME" in str(error["fix"])
    error = cli.failure("config", "judge_limit_s", "0", code=2)
    assert "600 seconds" in str(error["fix"])
