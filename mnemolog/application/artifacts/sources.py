"""Artifact sources, opened from their names in settings."""

from __future__ import annotations

from collections.abc import Sequence

from mnemolog.application.artifacts.named import Named, NamedCheckout
from mnemolog.language.analysis import Analyzer
from mnemolog.recall.layers.artifacts import ArtifactSource


def opened(named: Sequence[Named], analyzer: Analyzer) -> tuple[ArtifactSource, ...]:
    """Artifact sources, ready for `find`."""
    from mnemolog.application.artifacts.checkout import Checkout  # noqa: PLC0415 - as the next
    from mnemolog.application.artifacts.forge import Forge  # noqa: PLC0415 - brings an HTTP client

    return tuple(
        Checkout(one.path, analyzer) if isinstance(one, NamedCheckout) else Forge(one, analyzer)
        for one in named
    )
