"""Who writes with whom when appends come together."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Appended
from mnemolog.ledger.sqlite import group_commit
from mnemolog.ledger.sqlite.group_commit import GroupCommit, Request

_PATIENCE_S = 30.0


class Commits:
    """A commit that notes how many it was given, and waits to be let through."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.begun = threading.Semaphore(0)
        self.allowed = threading.Semaphore(0)

    def __call__(self, requests: list[Request]) -> None:
        """Answer all of them once it is allowed to."""
        self.begun.release()
        assert self.allowed.acquire(timeout=_PATIENCE_S)
        self.sizes.append(len(requests))
        for request in requests:
            request.result = Appended((Position(1),), Micros(0))


def joined(threads: list[threading.Thread]) -> None:
    """Wait until all have come to their end."""
    for thread in threads:
        thread.join(_PATIENCE_S)
        assert not thread.is_alive()


def started(group: GroupCommit, count: int) -> list[threading.Thread]:
    """So many callers, each in a thread of its own."""
    ask: Callable[[], None] = lambda: group.carry_out(Request((), None, ()))  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


@pytest.fixture
def three_came(monkeypatch: pytest.MonkeyPatch) -> tuple[GroupCommit, Commits]:
    """A group commit that has just written three requests together, and was slow about it."""
    monkeypatch.setattr(group_commit, "_LONGEST_WAIT_S", _PATIENCE_S)
    commits = Commits()
    group = GroupCommit(threading.Lock(), commits)
    first = started(group, 1)
    assert commits.begun.acquire(timeout=_PATIENCE_S)
    others = started(group, 3)
    while group._open is None or len(group._open.requests) < 3:
        threading.Event().wait(0.001)
    commits.allowed.release(2)
    joined([*first, *others])
    assert commits.sizes == [1, 3]
    assert commits.begun.acquire(timeout=_PATIENCE_S)
    return group, commits


def test_a_leader_waits_for_as_many_as_came_last_time(
    three_came: tuple[GroupCommit, Commits],
) -> None:
    """The second and the third still come into its group, though the turn was free."""
    group, commits = three_came
    group._last_s = _PATIENCE_S
    threads = started(group, 1)
    assert not commits.begun.acquire(timeout=0.05)
    threads += started(group, 2)
    commits.allowed.release()
    joined(threads)
    assert commits.sizes == [1, 3, 3]


def test_a_leader_waits_no_longer_than_the_last_commit_took(
    three_came: tuple[GroupCommit, Commits],
) -> None:
    """Alone now, it writes alone, and the next one does not wait at all."""
    group, commits = three_came
    group._last_s = 0.01
    commits.allowed.release(2)
    joined(started(group, 1))
    group._last_s = _PATIENCE_S
    joined(started(group, 1))
    assert commits.sizes == [1, 3, 1, 1]
