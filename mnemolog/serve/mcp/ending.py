"""The signals that end a server."""

from __future__ import annotations

import signal


def ending_signals() -> tuple[signal.Signals, ...]:
    """The signals by which a server ends in order.

    A hangup is one unless whoever started the server lets it go on, as `nohup` does.
    """
    asked = (signal.SIGINT, signal.SIGTERM)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        return asked
    return (*asked, signal.SIGHUP)
