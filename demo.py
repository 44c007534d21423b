"""The main job on real input: run it with `make demo`.

Every command is printed as it would be typed, with its real output. A step that
does not give what it says ends the demo with exit code 1. The ledger stays in
`.demo/home`, to go on with.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent
HOME = ROOT / ".demo" / "home"
QUESTION = "when is the piano lesson of Mira"
OLD_FACT = "The piano lesson of Mira is on Tuesday at five"
NEW_FACT = "The piano lesson of Mira is on Thursday at six"
SECRET = "tangerine-4711"  # noqa: S105 - what the demo redacts
SHOWN_CHARACTERS = 150


def main() -> None:
    """The whole story, step by step."""
    started = time.monotonic()
    shutil.rmtree(HOME.parent, ignore_errors=True)
    os.environ |= {"MNEMOLOG_HOME": str(HOME.relative_to(ROOT)), "MNEMOLOG_ACTOR": "user:demo"}
    os.chdir(ROOT)
    say("A ledger lives in a directory, its home. Every command below works on this one:")
    show(f"$ export MNEMOLOG_HOME={os.environ['MNEMOLOG_HOME']} MNEMOLOG_ACTOR=user:demo")
    take_in()
    before = remember_and_correct()
    ask_the_past(before)
    audit()
    delete_what_is_derived()
    redact()
    verify()
    say(
        f"Done in {time.monotonic() - started:.0f} s. The ledger is in {HOME.relative_to(ROOT)};",
        "`mnemolog --help` lists what else it can be asked, docs/tutorial.md goes on from here.",
    )


def take_in() -> None:
    """Import this repository's documents and history, and ask about them."""
    say(
        "1. Real input: this repository's documents, one memory a section,",
        "   embedded and indexed on this machine.",
    )
    run("mnemolog import README.md")
    run("mnemolog import docs")
    if (ROOT / ".git").exists():
        say("   And its git history, one memory a commit.")
        run("mnemolog import . --format git")
    else:
        say("   This copy has no git history, so that import is left out.")
    say("   Importing again adds nothing twice.")
    check("added: 0" in run("mnemolog import docs"), "nothing is added twice")
    say("   A cue is words as they come; the best match is first, with its source below.")
    found = run("mnemolog recall how is content redacted for good --limit 2")
    check("redact" in found.lower(), "the documents answer")


def remember_and_correct() -> str:
    """Remember a fact, ask, correct it, ask again; the position before the correction."""
    say("2. Remember a fact, and ask for it.")
    stored = run(f'mnemolog remember "{OLD_FACT}" --source user:demo --tag family')
    position = stored.split()[0].removeprefix("@")
    check(OLD_FACT in first(run(f"mnemolog recall {QUESTION} --limit 2")), "the fact comes first")
    say("3. Correct it. A correction is a further event; nothing is overwritten.")
    run(f'mnemolog supersede @{position} "{NEW_FACT}" --reason "the teacher asked for it"')
    say("   Asked again, the correction is first, with what it replaced in its trail.")
    found = run(f"mnemolog recall {QUESTION} --limit 2")
    check(NEW_FACT in first(found), "the corrected fact comes first")
    check(OLD_FACT in found, "what it replaced is in its trail")
    return position


def ask_the_past(position: str) -> None:
    """Ask as of before the correction."""
    say("4. Ask what was known before the correction: as of that position of the log.")
    found = run(f"mnemolog recall {QUESTION} --limit 2 --as-of {position}")
    check(OLD_FACT in first(found), "the past knows the old fact")
    check(NEW_FACT not in found, "the past knows nothing of the correction")
    run(f"mnemolog diff {position} {int(position) + 2}")


def audit() -> None:
    """Show who said what, when and why."""
    say("5. The memory's whole story: who, when and why.")
    position = first(run(f"mnemolog recall {QUESTION} --limit 1", quiet=True)).split()[1]
    told = run(f"mnemolog audit {position}")
    check("the teacher asked for it" in told, "the reason is on record")


def delete_what_is_derived() -> None:
    """Delete everything but the log, and ask again."""
    say(
        "6. Only the log is precious. Keep ledger.db, delete everything else, ask again:",
        "   what is derived is built anew (each text is embedded again, so this takes a while).",
    )
    asked = f"mnemolog recall {QUESTION} --limit 2"
    before = run(asked, quiet=True)
    run("ls .demo/home")
    run("find .demo/home -mindepth 1 ! -name 'ledger.db*' -delete")
    run("ls .demo/home")
    check(run(asked) == before, "the answer is the same, to the last character")


def redact() -> None:
    """Remember a secret, destroy it, and search every file of the home for it."""
    say(
        "7. Immutable does not mean unforgettable. The content of an event can be destroyed;",
        "   that there was one, from whom and when, stays.",
    )
    position = run(f'mnemolog remember "The alarm code is {SECRET}"').split()[0]
    check(SECRET in run("mnemolog recall alarm code --limit 1"), "the secret is found")
    run(f'mnemolog redact {position} --reason "it was a secret" --yes')
    check(SECRET not in run("mnemolog recall alarm code --limit 1"), "no answer has the secret")
    held = [path.name for path in HOME.rglob("*") if path.is_file() and _holds(path)]
    check(not held, "no byte of it is left in any file of the home")


def _holds(path: Path) -> bool:
    return SECRET.encode() in path.read_bytes()


def verify() -> None:
    """Compute every hash again."""
    say("8. Every event's digest covers the one before it. Verify computes them all again.")
    run("mnemolog checkpoint .demo/checkpoint.json")
    told = run("mnemolog verify --checkpoint .demo/checkpoint.json")
    check("verified:" in told, "the log is what was appended")


def run(command: str, *, quiet: bool = False) -> str:
    """What a command prints; shown, unless it is to be quiet. A failure ends the demo."""
    if not quiet:
        show(f"\n$ {command}")
    done = subprocess.run(  # noqa: S603 - the demo's own commands
        shlex.split(command),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if not quiet:
        for line in done.stdout.splitlines():
            show(line if len(line) <= SHOWN_CHARACTERS else f"{line[:SHOWN_CHARACTERS]} [cut]")
    if done.returncode != 0:
        sys.exit(f"demo: {command!r} ended with exit code {done.returncode}")
    return done.stdout


def first(answer: str) -> str:
    """The line of the best hit."""
    return next(iter(answer.splitlines()), "")


def check(holds: bool, what: str) -> None:  # noqa: FBT001 - a claim and whether it holds
    """Say that a claim was checked; end the demo if it does not hold."""
    if not holds:
        sys.exit(f"demo: not so: {what}")
    show(f"  [checked: {what}]")


def say(*lines: str) -> None:
    """A paragraph for the reader."""
    show("\n" + "\n".join(lines))


def show(line: str) -> None:
    """One line of output, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
