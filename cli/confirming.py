"""Asking a person before something that cannot be undone, or that may not be meant."""

from __future__ import annotations

import sys

import click

from cli.exits import refuse


def confirm(question: str, because: str = "this cannot be undone") -> None:
    """Ask on the terminal, and stop unless the answer is yes.

    Raises `click.Abort` if it is no; where nobody can answer, that is a usage error, which
    says why it had to be asked.
    """
    if not sys.stdin.isatty():
        refuse(f"{because}, and nobody can be asked here: give --yes")
    click.confirm(question, abort=True, err=True)
