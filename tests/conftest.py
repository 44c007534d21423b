"""How much hypothesis tries (a lot in HYPOTHESIS_PROFILE=soak), and what many tests need."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from mnemolog.application.home import home
from mnemolog.indexes.embedder import MiniLM, Vectors
from mnemolog.policies.contradictions.rules import RuleJudge
from tests.failing_files import FailingFiles
from tests.model_server import ServedModels, served_models

# Homes are real directories: an example takes as long as the disk does.
_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)

settings.register_profile(
    "quick",
    max_examples=18,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=_SLOW,
)
# The same examples every time: a run that fails must fail again for who looks into it.
settings.register_profile(
    "soak", settings.get_profile("quick"), max_examples=40, stateful_step_count=40
)
# New examples every time, for whoever hunts.
settings.register_profile(
    "hunt",
    settings.get_profile("quick"),
    max_examples=300,
    stateful_step_count=50,
    derandomize=False,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of collected tests, and let it come less often."""
    gc.freeze()
    gc.set_threshold(20_000)


class LoadedModel(MiniLM):
    """The built-in model, for all homes of a process: loaded once, and each text embedded once.

    Loading takes 150 ms, a text 5 ms. A text keeps its first vector: the optimised model, loaded
    later, differs in the last bits.
    """

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, Vectors] = {}
        self._left_to_parent: list[object] = []
        os.register_at_fork(after_in_child=self._load_anew)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, super().embed(new), strict=True))
        vectors = [self._known[text] for text in texts]
        return np.array(vectors, np.float32).reshape(len(texts), self.dimensions)

    def unload(self) -> None:
        """Keep it for the next home."""

    def _load_anew(self) -> None:
        # The threads of a loaded model stay in the parent; to let it go would wait for them.
        self._left_to_parent.append(self._session)
        super().__init__()


@pytest.fixture(scope="session", autouse=True)
def _loaded_model() -> Iterator[None]:
    model = LoadedModel()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(home, "MiniLM", lambda: model)
        yield


@pytest.fixture
def files() -> Iterator[FailingFiles]:
    """Files that fail on request."""
    made = FailingFiles()
    yield made
    made.unregister()


@pytest.fixture(scope="module")
def models() -> Iterator[ServedModels]:
    """Models behind an endpoint on this machine."""
    with served_models() as served:
        yield served


@pytest.fixture(autouse=True)
def _judged_by_rules(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge by rules alone in tests of other things, whose texts nobody would write."""
    if request.node.get_closest_marker("fitted_judge") is None:
        judge = cached_property(lambda _: RuleJudge())
        judge.__set_name__(home.Home, "judge")
        monkeypatch.setattr(home.Home, "judge", judge)


@pytest.fixture(autouse=True)
def _nothing_read(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recall and plan without reading in tests of other things, whose cues nobody would ask."""
    if request.node.get_closest_marker("reads_notes") is None:
        monkeypatch.setattr(home.Home, "note_reader", None)
        monkeypatch.setattr(home.Home, "plan_reader", staticmethod(lambda _: None))
