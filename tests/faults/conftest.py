"""What the fault tests share: the seed of a run, and whether it is a long one."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

from tests.seeds import SEED

sys.path.insert(0, str(Path(__file__).parent))

SOAK = os.environ.get("MNEMOLOG_SOAK") == "1"


@pytest.fixture(scope="session")
def soak() -> bool:
    """Whether this is `make soak`."""
    return SOAK


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Random numbers whose seed a failing test prints; MNEMOLOG_SEED gives it again."""
    print(f"MNEMOLOG_SEED={SEED}")  # noqa: T201 - pytest shows it when the test fails
    return random.Random(f"{SEED} {request.node.name}")
