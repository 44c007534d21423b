"""What the tests that draw at random draw by."""

from __future__ import annotations

import os

SEED = os.environ.get("MNEMOLOG_SEED", "20261123")
"""The same every time, so that what fails fails again; `make hunt` draws by a new one."""
