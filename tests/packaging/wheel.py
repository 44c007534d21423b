"""The wheel: what it holds, how it works in a fresh environment, what type checkers see.

`make wheel` runs these tests; the name of this file keeps them out of `make test`, because
they build the package and install it with its dependencies.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).with_name("programs")
PARTS = [entry.name for entry in (ROOT / "mnemolog").iterdir() if (entry / "__init__.py").is_file()]
SOURCES_OF_EXTENSIONS = (".cpp", ".hpp", ".so")
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "wheel", "version": "1"},
    },
}


class Built(NamedTuple):
    """The source distribution, the wheel built from it, and the wheel built from the tree."""

    sdist: Path
    wheel: Path
    wheel_of_tree: Path


class Installed(NamedTuple):
    """An environment that holds the wheel alone, and the folders that its programs may write."""

    bin: Path
    folder: Path
    environment: dict[str, str]

    def run(self, *words: str, given: str = "", cwd: Path | None = None) -> str:
        """Standard output of a program of the environment, which must succeed."""
        done = subprocess.run(
            [self.bin / words[0], *words[1:]],
            input=given,
            capture_output=True,
            text=True,
            cwd=cwd or self.folder,
            env=self.environment,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both distributions, built from the sources without leftovers of earlier builds."""
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    dist, tree = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("tree")
    for options in (["--outdir", dist], ["--wheel", "--outdir", tree]):
        command = [sys.executable, "-m", "build", *options, ROOT]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return Built(*dist.glob("*.tar.gz"), *dist.glob("*.whl"), *tree.glob("*.whl"))


@pytest.fixture(scope="session")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """A fresh environment in which the wheel is installed, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", built.wheel], check=True)
    own = {"HOME": folder / "user", "TMPDIR": folder / "tmp", "MNEMOLOG_HOME": folder / "home"}
    for name in ("HOME", "TMPDIR"):
        own[name].mkdir()
    kept = {"LANG", "LC_ALL", "TZ"}
    environment = {name: value for name, value in os.environ.items() if name in kept}
    environment["PATH"] = f"{python.parent}:{os.environ['PATH']}"
    environment |= {name: str(path) for name, path in own.items()}
    return Installed(python.parent, folder, environment)


@pytest.fixture(scope="session")
def project(installed: Installed) -> Path:
    """A user's project: folders with the names of all our parts, and two programs."""
    project = installed.folder / "project"
    for part in PARTS:
        (project / part).mkdir(parents=True)
        (project / part / "__init__.py").write_text("")
        (project / part / "module.py").write_text(f"NAME = {part!r}\n")
    for program in PROGRAMS.iterdir():
        shutil.copy(program, project)
    return project


def files_of(wheel: Path) -> dict[str, int]:
    """The checksum of each file in a wheel."""
    with ZipFile(wheel) as opened:
        return {info.filename: info.CRC for info in opened.infolist() if not info.is_dir()}


# -- what the distributions hold -------------------------------------------------------------


def test_the_wheel_installs_one_package(built: Built) -> None:
    """Nothing lies at the top of the wheel but `mnemolog` and what describes the distribution."""
    top = {name.split("/")[0] for name in files_of(built.wheel)}
    (described,) = top - {"mnemolog"}
    assert re.fullmatch(r"mnemolog-[\d.]+\.dist-info", described)


def test_the_wheel_holds_every_module_and_data_file(built: Built) -> None:
    """Each file of the package is in the wheel; compiled sources are there as libraries."""
    there = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "mnemolog").rglob("*")
        if file.is_file()
        and "__pycache__" not in file.parts
        and file.suffix not in SOURCES_OF_EXTENSIONS
    }
    held = {name for name in files_of(built.wheel) if name.startswith("mnemolog/")}
    assert {name for name in held if not name.endswith(".so")} == there
    compiled = sorted(name for name in held if name.endswith(".so"))
    assert [Path(name).name.split(".")[0] for name in compiled] == ["codes", "mapping", "sealing"]


def test_the_source_distribution_builds_the_same_wheel(built: Built) -> None:
    """The wheel from the source distribution has the files and bytes of the one from the tree."""

    def compared(wheel: Path) -> dict[str, int]:
        # RECORD lists checksums of libraries, into which a compiler may write its folder.
        varying = (".so", "RECORD")
        return {name: 0 if name.endswith(varying) else crc for name, crc in files_of(wheel).items()}

    assert compared(built.wheel) == compared(built.wheel_of_tree)


def test_the_source_distribution_holds_each_file_once(built: Built) -> None:
    """The links at the top of the repository are not in it, neither as links nor as copies."""
    with tarfile.open(built.sdist) as opened:
        members = opened.getmembers()
    assert not [member.name for member in members if member.issym() or member.islnk()]
    links = {entry.name for entry in ROOT.iterdir() if entry.is_symlink()}
    assert links
    assert not links & {member.name.split("/")[1] for member in members if "/" in member.name}


# -- the installed package at work -----------------------------------------------------------


def test_the_commands_work_in_a_fresh_environment(installed: Installed) -> None:
    """Remember, recall, ask, the prompt hook, the MCP server and verify need nothing else."""
    content, question = "Dana prefers green tea", "What did Dana say she likes to drink?"
    installed.run("mnemolog", "remember", content, "--source", "user:dana")
    assert content in installed.run("mnemolog", "recall", question, "--json")
    assert content in installed.run("mnemolog", "ask", question, "--json")
    prompt = json.dumps({"prompt": question})
    assert content in installed.run("mnemolog", "hook", "--limit-ms", "60000", given=prompt)
    answer = installed.run("mnemolog", "mcp", given=f"{json.dumps(INITIALIZE)}\n")
    assert "long-term" in answer
    installed.run("mnemolog", "verify")


def test_a_project_with_folders_of_our_names_works(installed: Installed, project: Path) -> None:
    """In a folder with its own `ledger`, `policies` and so on, both use their own modules."""
    said = installed.run("python", "good.py", cwd=project)
    assert said == "ledger and policies are the user's\n"
    version = installed.run("mnemolog", "--version", cwd=project)
    assert version == installed.run("python", "-m", "mnemolog", "--version", cwd=project)
    assert "green tea" in installed.run("mnemolog", "list", cwd=project)
    for part in PARTS:
        program = f"import mnemolog, {part}.module as own; mnemolog.Memory; print(own.NAME)"
        assert installed.run("python", "-c", program, cwd=project) == f"{part}\n"


def test_nothing_is_written_outside_the_home(installed: Installed, project: Path) -> None:
    """Neither mnemolog nor a library's telemetry leaves a file in the user's folders."""
    installed.run("python", "good.py", cwd=project)
    left = [
        str(entry)
        for name in ("HOME", "TMPDIR")
        for entry in Path(installed.environment[name]).rglob("*")
    ]
    assert not left


# -- what type checkers see ------------------------------------------------------------------


class Checked(NamedTuple):
    """What a type checker reported of a program."""

    lines: set[int]
    output: str


def mypy(installed: Installed, project: Path, program: str) -> Checked:
    """Report of `mypy --strict`, which also refuses any expression whose type is `Any`."""
    options = ["--strict", "--disallow-any-expr", "--no-incremental", "--no-error-summary"]
    python = f"--python-executable={installed.bin / 'python'}"
    output = checked_by(["mypy", *options, python, program], project)
    found = re.findall(rf"^{program}:(\d+): error", output, re.MULTILINE)
    return Checked({int(line) for line in found}, output)


def pyright(installed: Installed, project: Path, program: str) -> Checked:
    """Report of pyright in its strict mode."""
    settings = {"include": [program], "typeCheckingMode": "strict"}
    (project / "pyrightconfig.json").write_text(json.dumps(settings))
    python = str(installed.bin / "python")
    output = checked_by(["pyright", "--pythonpath", python], project)
    found = re.findall(rf"{program}:(\d+):\d+ - error", output)
    return Checked({int(line) for line in found}, output)


def checked_by(command: list[str], project: Path) -> str:
    """What a checker of the development environment says of a project."""
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, cwd=project, check=False
    )
    return done.stdout + done.stderr


CHECKERS = pytest.mark.parametrize("checker", [mypy, pyright])


@CHECKERS
def test_type_checkers_know_the_type_of_every_result(checker, installed, project) -> None:
    """A good program passes in strict mode; `assert_type` in it says what results are."""
    checked = checker(installed, project, "good.py")
    assert not checked.lines, checked.output


@CHECKERS
def test_type_checkers_report_each_mistake(checker, installed, project) -> None:
    """Wrong literals, attributes, arguments and keywords are reported, and nothing else."""
    lines = (project / "bad.py").read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    checked = checker(installed, project, "bad.py")
    assert checked.lines == wrong, checked.output
