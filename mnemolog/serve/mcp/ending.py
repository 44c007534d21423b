"""Signals that stop a server."""

from __future__ import annotations

import signal


def ending_signals() -> tuple[signal.Signals, ...]:
    """Signals by which a server shuts down in order.

    SIGHUP is included unless the parent process ignores it, as `nohup` does.
    """
    asked = (signal.SIGINT, signal.SIGTERM)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        return asked
    return (*asked, signal.SIGHUP)
