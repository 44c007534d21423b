"""Groups of commands that answer a misspelt name with the nearest one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Collection


class SuggestingGroup(click.Group):
    """A group that suggests a command for an unknown name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name; a usage error with a suggestion if there is none."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            ctx.fail(f"No such command {args[0]!r}.{self.suggestion(ctx, args[0])}")
        return super().resolve_command(ctx, args)

    def suggestion(self, ctx: click.Context, name: str) -> str:
        """A sentence with the nearest command; empty if none is near."""
        return did_you_mean(name, self.list_commands(ctx))


def did_you_mean(word: str, known: Collection[str]) -> str:
    """A sentence with the nearest of the known words, after a blank; empty if none is near."""
    import difflib

    near = difflib.get_close_matches(word, known, n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
