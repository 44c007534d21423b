"""The forms in which English takes something back: patterns over one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import msgspec

from mnemolog.policies.corrections.change_forms import changes, endings, news
from mnemolog.policies.corrections.denial_forms import contrasts, denials
from mnemolog.policies.corrections.patterns import Form, Group
from mnemolog.policies.corrections.record_forms import records, requests


@cache
def forms() -> tuple[Form, ...]:
    """The forms, in the order in which they are tried."""
    return tuple(_forms())


def _forms() -> Iterator[Form]:
    groups: dict[Group, Callable[[], Iterator[Form]]] = {
        "record": records,
        "request": requests,
        "denial": denials,
        "contrast": contrasts,
        "change": changes,
        "ending": endings,
        "news": news,
    }
    for group, made in groups.items():
        for form in made():
            yield msgspec.structs.replace(form, group=group)
