"""Putting the entry into a client's file and taking it out: real files in a home of their own."""

from __future__ import annotations

import os
import resource
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemolog.ledger.errors import ConfigChanged, EntryTaken, InvalidField, MalformedConfig
from mnemolog.serve.install import (
    ConfigForm,
    agent_clients,
    backup_of,
    file_of,
    pasted,
    plan_install,
    plan_uninstall,
)

COMMAND = ["/opt/bin/mnemolog", "mcp", "stdio", "--home", "/srv/tea and ☕"]
ENTRY = {"command": COMMAND[0], "args": COMMAND[1:]}
PLAIN = ConfigForm()
CODEX = agent_clients()["codex"].form
COMMENTED = """\
// Dana's own
{
    "theme": "dark", // at night
    "mcpServers": {
        /* boats */ "boats": {"command": "boats", "env": {"TOKEN": "t"}},
    },
    "number": 1e400,
}
"""


def kept_by(directory: Path) -> list[str]:
    """The names in a directory, to see that nothing is left over."""
    return sorted(path.name for path in directory.iterdir())


@pytest.mark.parametrize("name", agent_clients())
def test_every_client_gets_the_entry_of_its_format(user: Path, name: str) -> None:
    """The file is made, with its folders, and says how to start the command; then it goes again."""
    form, file = agent_clients()[name].form, file_of(name, None)
    change = plan_install(form, file, "mnemolog", COMMAND)
    assert not file.exists()
    assert change.carry_out() is None
    entries = form.document(file, file.read_text()).entries(form.section)
    assert entries == {"mnemolog": {**form.fields, **ENTRY}}
    assert file.read_text().rstrip("\n") == pasted(form, "mnemolog", COMMAND)
    assert kept_by(file.parent) in ([file.name], [file.name, "project"])
    assert plan_uninstall(form, file, "mnemolog").carry_out() is None
    assert kept_by(file.parent) in ([], ["project"])


@pytest.mark.parametrize("name", agent_clients())
def test_a_second_time_there_is_nothing_to_do(user: Path, name: str) -> None:
    """Neither the file nor the copy beside it is touched again."""
    form, file = agent_clients()[name].form, file_of(name, None)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("")
    plan_install(form, file, "mnemolog", COMMAND).carry_out()
    written = file.stat()
    again = plan_install(form, file, "mnemolog", COMMAND)
    assert (again.needed, again.diff(), again.carry_out()) == (False, "", None)
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (written.st_ino, written.st_mtime_ns)
    assert backup_of(file).read_text() == ""


def test_what_a_client_adds_to_the_entry_is_its_own(user: Path) -> None:
    """An entry that starts the same command is the same, whatever else the client keeps in it."""
    file = user / "mcp.json"
    file.write_text(
        '{"mcpServers": {"mnemolog": {"command": "/opt/bin/mnemolog", "disabled": true, '
        '"args": ["mcp", "stdio", "--home", "/srv/tea and ☕"]}}}'
    )
    assert not plan_install(PLAIN, file, "mnemolog", COMMAND).needed


def test_all_else_stays_as_it_is(user: Path) -> None:
    """Comments, order, indentation and trailing commas stay; what is added looks like them."""
    file = user / "mcp.json"
    file.write_text(COMMENTED)
    kept = plan_install(PLAIN, file, "mnemolog", ["m", "mcp"]).carry_out()
    assert file.read_text() == COMMENTED.replace(
        '"t"}},\n',
        '"t"}},\n        "mnemolog": {\n            "command": "m",\n            "args": [\n'
        '                "mcp"\n            ]\n        },\n',
    )
    assert (kept, backup_of(file).read_text()) == (backup_of(file), COMMENTED)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "{ }\n",
        "{\n}\n",
        "// only this",
        '{"mcpServers": {}}',
        '{"mcpServers": { /* none */ }, }',
        '\ufeff{\r\n\t"a": [1,],\r\n}\r\n',
        COMMENTED,
    ],
)
def test_taking_the_entry_out_gives_the_file_back(user: Path, text: str) -> None:
    """Where nothing else has changed since, the file is what it was, byte by byte."""
    file = user / "mcp.json"
    file.write_bytes(text.encode())
    plan_install(PLAIN, file, "mnemolog", COMMAND).carry_out()
    plan_uninstall(PLAIN, file, "mnemolog").carry_out()
    assert file.read_bytes() == text.encode()


def test_what_came_since_stays_when_the_entry_goes(user: Path) -> None:
    """A file that was changed after the entry came loses the entry alone."""
    file = user / "mcp.json"
    file.write_text(COMMENTED)
    plan_install(PLAIN, file, "mnemolog", COMMAND).carry_out()
    file.write_text(file.read_text().replace('"dark"', '"light"'))
    plan_uninstall(PLAIN, file, "mnemolog").carry_out()
    assert file.read_text() == COMMENTED.replace('"dark"', '"light"')
    assert not plan_uninstall(PLAIN, file, "mnemolog").needed


def test_a_copy_that_has_an_entry_of_the_name_is_not_brought_back(user: Path) -> None:
    """What was replaced does not come back when the entry goes."""
    file = user / "mcp.json"
    file.write_text('{"mcpServers": {"mnemolog": {"command": "old"}}}')
    plan_install(PLAIN, file, "mnemolog", COMMAND, "replace").carry_out()
    plan_uninstall(PLAIN, file, "mnemolog").carry_out()
    assert file.read_text() == "{}"


def test_a_copy_that_cannot_be_read_does_not_matter(user: Path) -> None:
    """The entry goes whatever stands in the place of the copy."""
    file = user / "mcp.json"
    plan_install(PLAIN, file, "mnemolog", COMMAND).carry_out()
    backup_of(file).write_bytes(b"\xff{")
    plan_uninstall(PLAIN, file, "mnemolog").carry_out()
    assert not file.exists()


@pytest.mark.parametrize("entry", ['{"command": "other", "args": []}', "null", '"mnemolog"'])
def test_another_entry_of_the_name_is_replaced_only_when_asked_for(user: Path, entry: str) -> None:
    """The error shows the one that is there, and nothing is changed."""
    file = user / "mcp.json"
    text = f'{{"mcpServers": {{"mnemolog": {entry}, "b": {{}}}}}}'
    file.write_text(text)
    if entry != "null":
        with pytest.raises(EntryTaken) as caught:
            plan_install(PLAIN, file, "mnemolog", COMMAND)
        assert caught.value.entry == entry
        assert plan_uninstall(PLAIN, file, "mnemolog").after == '{"mcpServers": { "b": {}}}'
        assert (file.read_text(), kept_by(user)) == (text, ["mcp.json", "project"])
    plan_install(PLAIN, file, "mnemolog", COMMAND, "replace").carry_out()
    document = PLAIN.document(file, file.read_text())
    assert document.entries("mcpServers") == {"mnemolog": ENTRY, "b": {}}
    plan_uninstall(PLAIN, file, "mnemolog").carry_out()
    assert file.read_text() == '{"mcpServers": { "b": {}}}'


@pytest.mark.parametrize(
    ("form", "content", "line"),
    [
        (PLAIN, b'{\n"mcpServers": {\n}', 3),
        (PLAIN, b"[]", None),
        (PLAIN, b'{"a": 1,\n"mcpServers": null}', 2),
        (PLAIN, b'{"a":\n "\xff"}', 2),
        (CODEX, b"a = 1\nb\n", 2),
        (CODEX, b"mcp_servers = 1\n", None),
        (CODEX, b"mcp_servers = { other = { command = 'x' } }\n", None),
        (CODEX, b"[[mcp_servers]]\ncommand = 'x'\n", None),
    ],
)
def test_a_file_that_cannot_be_changed_is_left_alone(
    user: Path, form: ConfigForm, content: bytes, line: int | None
) -> None:
    """The error names the file and, where it breaks, the line."""
    file = user / "config"
    file.write_bytes(content)
    for plan in (
        lambda: plan_install(form, file, "mnemolog", COMMAND),
        lambda: plan_uninstall(form, file, "other"),
    ):
        with pytest.raises(MalformedConfig) as caught:
            plan()
        assert (caught.value.file, caught.value.line) == (file, line)
    assert (file.read_bytes(), kept_by(user)) == (content, ["config", "project"])


def test_an_entry_that_is_no_table_of_its_own_is_left_to_its_owner(user: Path) -> None:
    """What cannot be taken out alone is not taken out at all."""
    file = user / "config.toml"
    file.write_text('[mcp_servers]\nmnemolog = { command = "m" }\n')
    with pytest.raises(MalformedConfig, match="cannot be changed alone"):
        plan_uninstall(CODEX, file, "mnemolog")
    with pytest.raises(MalformedConfig, match="cannot be changed alone"):
        plan_install(CODEX, file, "mnemolog", COMMAND, "replace")


@pytest.mark.parametrize("name", ["", "a b", "a.b", "é", "a\n", '"'])
def test_a_name_that_not_every_client_takes_is_refused(user: Path, name: str) -> None:
    """Letters, digits, - and _ are what all of them take."""
    file = user / "mcp.json"
    for plan in (
        lambda: plan_install(PLAIN, file, name, COMMAND),
        lambda: plan_uninstall(PLAIN, file, name),
        lambda: pasted(PLAIN, name, COMMAND),
    ):
        with pytest.raises(InvalidField) as caught:
            plan()
        assert caught.value.field == "name"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o440])
def test_permissions_stay_as_they_are(user: Path, mode: int) -> None:
    """The file and the copy beside it can be read by those who could read it before."""
    file = user / "mcp.json"
    file.write_text("{}")
    file.chmod(mode)
    plan_install(PLAIN, file, "mnemolog", COMMAND).carry_out()
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert stat.S_IMODE(backup_of(file).stat().st_mode) == mode


def test_a_link_stays_a_link(user: Path) -> None:
    """What it leads to is changed, and the copy stands beside that; a file yet to be, too."""
    (user / "dotfiles").mkdir()
    for name, there in (("here.json", True), ("not-yet.json", False)):
        link, target = user / f"link-{name}", user / "dotfiles" / name
        link.symlink_to(Path("dotfiles") / name)
        if there:
            target.write_text("{}")
        plan_install(PLAIN, link, "mnemolog", COMMAND).carry_out()
        assert link.is_symlink()
        assert "mnemolog" in target.read_text()
    assert kept_by(user / "dotfiles") == ["here.json", "here.json.mnemolog-backup", "not-yet.json"]


@pytest.fixture
def read_only() -> Iterator[Path]:
    """A directory with a file, of which neither can be written to by who is asking."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "mcp.json").write_text("{}")
        directory.chmod(0o555)
        superuser = os.geteuid() == 0
        if superuser:
            # Permissions do not bind a superuser.
            os.seteuid(65534)
        yield directory
        if superuser:
            os.seteuid(0)
        directory.chmod(0o755)


def test_a_directory_that_cannot_be_written_to_is_left_as_it_is(read_only: Path) -> None:
    """The system's error comes through, and nothing is left over."""
    file = read_only / "mcp.json"
    with pytest.raises(PermissionError):
        plan_install(PLAIN, file, "mnemolog", COMMAND).carry_out()
    with pytest.raises(PermissionError):
        plan_install(PLAIN, read_only / "new" / "mcp.json", "mnemolog", COMMAND).carry_out()
    assert (file.read_text(), kept_by(read_only)) == ("{}", ["mcp.json"])


def test_a_disk_without_room_leaves_the_file_whole(user: Path) -> None:
    """What could not be written in full takes nobody's place, and is not left over."""
    file = user / "mcp.json"
    file.write_text("{}")
    change = plan_install(PLAIN, file, "mnemolog", COMMAND)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            change.carry_out()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.read_text() == "{}"
    assert kept_by(user) == ["mcp.json", "mcp.json.mnemolog-backup", "project"]


def test_what_is_no_file_is_refused(user: Path) -> None:
    """A directory or a pipe in the place of the file is not read from."""
    (user / "directory").mkdir()
    os.mkfifo(user / "pipe")
    for name in ("directory", "pipe"):
        with pytest.raises(MalformedConfig, match="no regular file"):
            plan_install(PLAIN, user / name, "mnemolog", COMMAND)


@pytest.mark.parametrize("before", [None, "{}"])
def test_a_file_that_changes_meanwhile_is_not_written_over(user: Path, before: str | None) -> None:
    """What the client wrote after the change was planned is not lost."""
    file = user / "mcp.json"
    if before is not None:
        file.write_text(before)
    change = plan_install(PLAIN, file, "mnemolog", COMMAND)
    file.write_text('{"startups": 2}')
    with pytest.raises(ConfigChanged):
        change.carry_out()
    assert file.read_text() == '{"startups": 2}'


def test_a_change_shows_as_a_diff(user: Path) -> None:
    """Lines taken and put, the file's name, and an end of file without an end of line."""
    file = user / "config.toml"
    file.write_text("a = 1")
    assert plan_install(CODEX, file, "m", ["x", "y"]).diff().splitlines() == [
        f"--- {file}",
        f"+++ {file}",
        "@@ -1 +1,5 @@",
        "-a = 1",
        "\\ No newline at end of file",
        "+a = 1",
        "+",
        "+[mcp_servers.m]",
        '+command = "x"',
        '+args = ["y"]',
        "\\ No newline at end of file",
    ]
    new = plan_install(PLAIN, user / "new.json", "m", ["x"]).diff()
    assert new.startswith(f"--- /dev/null\n+++ {user / 'new.json'}\n@@ -0,0 +1,8 @@\n+{{\n")
