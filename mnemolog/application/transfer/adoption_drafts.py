"""Deterministic drafts of the events that an import appends after adopted events."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from mnemolog.application.commands.drafts import check_size
from mnemolog.application.transfer.event_checks import ExportCheck
from mnemolog.ledger.digests import Head
from mnemolog.ledger.events import Configured, Draft, Imported, Payload, Redacted, SettingValue
from mnemolog.ledger.ids import EventId, event_id_from_source
from mnemolog.ledger.vocabulary import encode_payload

_IMPORTER = "system:import"
"""Who says what holds of events that were adopted: no one's decision, but the file's."""
SpaceSettings = dict[tuple[str, str], SettingValue]
"""Settings by space and name."""


def taken_out(check: ExportCheck, back: SpaceSettings, asked: frozenset[str]) -> list[Draft]:
    """Drafts of events that reset settings to their values before the adoption."""
    if not back:
        return []
    said = Imported(
        check.head.digest.hex(),
        check.head.position,
        after=check.here.position,
        through=check.head.position,
        settings=tuple(sorted(asked)),
    )
    spaces = by_space(back)
    first = _derived(check.head, "imported", said, next(iter(spaces)))
    rest = [
        _derived(check.head, "configured", Configured(values), space, first.event_id)
        for space, values in spaces.items()
    ]
    return [first, *rest]


def redacted_behind(check: ExportCheck) -> list[Draft]:
    """Drafts of redactions of adopted events without content whose own redactions are missing."""
    return [
        _derived(check.head, "redacted", Redacted(tuple(events)), space)
        for space, events in sorted(check.lost.items())
    ]


def by_space(settings: SpaceSettings) -> dict[str, dict[str, SettingValue]]:
    """Settings grouped by space, sorted by space and name."""
    spaces: dict[str, dict[str, SettingValue]] = defaultdict(dict)
    for (space, name), value in sorted(settings.items(), key=lambda item: item[0]):
        spaces[space][name] = value
    return spaces


def _derived(
    head: Head, kind: str, said: Payload, space: str, cause: EventId | None = None
) -> Draft:
    """Draft of an event after adopted ones, identical to the bit in every import of them.

    It has no content, because content has a random salt. Its id is derived from its structure.
    """
    structure = encode_payload(said)
    check_size(kind, structure, None)
    key = msgspec.json.encode((head.digest.hex(), kind, space, structure.decode())).decode()
    return Draft(
        event_id=event_id_from_source(key, head.recorded_at),
        space=space,
        kind=kind,
        actor=_IMPORTER,
        structure=structure,
        causation_id=cause,
    )
