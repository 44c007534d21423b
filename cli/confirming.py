"""Asking a person before something that cannot be undone."""

from __future__ import annotations

import sys

import click

from cli.exits import refuse


def confirm(question: str) -> None:
    """Ask on the terminal, and stop unless the answer is yes.

    Raises `click.Abort` if it is no; where nobody can answer, that is a usage error.
    """
    if not sys.stdin.isatty():
        refuse("this cannot be undone, and nobody can be asked here: give --yes")
    click.confirm(question, abort=True, err=True)
