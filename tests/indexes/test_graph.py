"""Walks over the graph of a space, and what things are known to be."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mnemolog import Memory, Thing
from mnemolog.application.home.home import LEDGER
from mnemolog.indexes.filters import Horizon
from mnemolog.language.entities import ENTITY_PREFIX
from mnemolog.ledger.clock import from_datetime
from mnemolog.ledger.digests import EMPTY
from mnemolog.ledger.errors import LedgerError
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.recall.plans import KIND_TYPES, kinds_of, spellings
from mnemolog.recall.search.graph_walk import walk
from tests.homes import DAY, START, HandClock, open_home
from tests.seeds import SEED

if TYPE_CHECKING:
    from pathlib import Path

    from mnemolog.indexes.space_state import State

NAMES = ("Dana", "Melanie", "Berlin", "Acme Corp", "Rex", "src/app.py", "#12", "Kestrel")
KINDS = ("dog", "cat", "tree nut", "nut", "vegetarian")


def at(memory: Memory, position: int | None = None) -> tuple[State, Horizon]:
    """The index of a space, and what a question as of a position sees of it."""
    head = memory._space.home.head()
    state = memory._space.home.index(memory.space).at(head)
    asked = Position(head if position is None else position)
    instant = from_datetime("instant", memory.as_of(asked).instant)
    return state, Horizon(asked, instant, state.columns.size(asked))


def walked(memory: Memory, seeds: list[int], position: int | None = None) -> dict[int, float]:
    """The shares of a walk from memories, by the positions at which they were remembered."""
    state, horizon = at(memory, position)
    ordinals = np.array([state.columns.ordinal(seed) for seed in seeds], np.intp)
    weights = 1.0 / (60 + np.arange(len(seeds)))
    found, scores = walk(state, ordinals, weights, horizon)
    assert found.tolist() == sorted(set(found.tolist()))
    positions = state.columns.positions(found).tolist()
    return dict(zip(positions, scores.tolist(), strict=True))


def kinds(memory: Memory, name: str, position: int | None = None) -> dict[str, tuple[int, ...]]:
    """What a name is known to be, with the positions of the evidence on the way."""
    state, horizon = at(memory, position)
    return {
        known.name: tuple(step.evidence for step in known.path)
        for known in kinds_of(state, name, horizon, KIND_TYPES | {"CONTAINS"})
    }


def entity_holders(state: State, name: str, size: int) -> np.ndarray:
    """The first memories whose text names an entity, ascending."""
    terms = [ENTITY_PREFIX + one for one in spellings(name)]
    return np.unique(np.concatenate([state.postings.postings(one, size)[0] for one in terms]))


def counted(state: State, name: str, size: int) -> int:
    """How many of the first memories mention a name."""
    code = state.mentions.code(name)
    return 0 if code is None else int(state.mentions.counts(np.array([code]), size)[0])


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty space."""
    with open_home(tmp_path / "home") as opened:
        yield opened


def fill(memory: Memory, *texts: str, alone: bool = True) -> None:
    """Remember texts, each in a talk of its own if they are not to be neighbours."""
    for number, text in enumerate(texts):
        run = f"run {memory.log.checkpoint().position} {number}" if alone else "talk"
        with open_home(memory.home, memory.space, memory._space.home.clock, run) as one:
            one.remember(text)


# -- walks -----------------------------------------------------------------------------


def test_a_shared_name_leads_from_memory_to_memory(memory: Memory) -> None:
    """What names the same as a seed is reached, over two names as well, and nothing else is."""
    fill(
        memory,
        "yesterday I met Melanie",
        "the new job of Melanie is at Kestrel",
        "the office of Kestrel is in Lisbon",
        "it rained all day",
        *["nothing much"] * 6,
    )
    found = walked(memory, [1])
    assert set(found) == {1, 2, 3}
    assert found[1] > found[2] > found[3] > 0
    assert sum(found.values()) <= 1


def test_a_rare_name_leads_further_than_a_common_one(memory: Memory) -> None:
    """A name that few memories mention tells more; one in most of them tells nothing."""
    fill(
        memory,
        "then Dana told Melanie and Ben",
        "again with Melanie",
        "again with Ben",
        *["once more with Ben"] * 2,
        *["and here is Dana"] * 15,
    )
    found = walked(memory, [1])
    assert found[2] > found[3] > 0
    assert 20 not in found


def test_what_was_said_around_a_seed_is_near(memory: Memory) -> None:
    """Neighbours in a talk are reached without any name."""
    fill(memory, "one", "two", "three", "four", alone=False)
    found = walked(memory, [2])
    assert found[1] == found[3] > found[4] > 0


def test_edges_are_walked_by_their_confidence(memory: Memory) -> None:
    """From either end, as strongly as they are sure; not once they ended or do not hold."""
    fill(memory, "one", "two", "three", "four", "five")
    memory.graph.link("@1", "CAUSED_BY", "@2", confidence=0.9)
    memory.graph.link("@3", "SUPPORTS", "@1", confidence=0.3)
    memory.graph.link("@1", "RELATED_TO", "@4", confidence=0.0)
    memory.graph.link("@1", "RELATED_TO", "@5", valid_until="2000-01-01")
    found = walked(memory, [1])
    assert set(found) == {1, 2, 3}
    assert found[2] > found[3]
    memory.graph.unlink("@1", "CAUSED_BY", "@2")
    assert set(walked(memory, [1])) == {1, 3}
    assert set(walked(memory, [1], 7)) == {1, 2, 3}
    assert set(walked(memory, [1], 5)) == {1}


def test_edges_between_things_join_who_names_them(memory: Memory) -> None:
    """From a memory over the things that it names to those who name what they are linked to."""
    fill(memory, "we moved to Lisbon", "a trip to Portugal", "it rained", *["so it is"] * 7)
    assert set(walked(memory, [1])) == {1}
    memory.graph.link(Thing("Lisbon"), "PART_OF", Thing("Portugal"))
    assert set(walked(memory, [1])) == {1, 2}
    memory.graph.link(Thing("Europe"), "CONTAINS", Thing("Portugal"))
    memory.graph.link("@3", "RELATED_TO", "thing:europe")
    assert walked(memory, [3])[2] > 0


def test_what_is_out_of_all_answers_leads_nowhere(memory: Memory) -> None:
    """A memory that was withdrawn is neither reached nor passed through."""
    fill(memory, "with Melanie", "saw Melanie at Kestrel", "the Kestrel office", *["so it is"] * 9)
    memory.withdraw("@2")
    assert set(walked(memory, [1])) == {1}
    assert set(walked(memory, [1], 12)) == {1, 2, 3}
    assert walked(memory, [2]) == {}
    assert walked(memory, []) == {}


# -- what things are -------------------------------------------------------------------


def test_kinds_follow_from_edges_and_from_what_was_said(memory: Memory) -> None:
    """Aliases and kinds are followed one after the other, each step with its evidence."""
    memory.remember("almonds are a kind of tree nut")
    memory.graph.link(Thing("tree nuts"), "IS_A", Thing("allergens"))
    memory.remember("Marzipan contains almonds")
    memory.remember("Mandelmasse is also known as marzipan")
    assert kinds(memory, "Almonds") == {"tree nut": (1,), "nut": (1,), "allergen": (1, 2)}
    assert kinds(memory, "Mandelmasse") == {
        "marzipan": (4,),
        "almond": (4, 3),
        "tree nut": (4, 3, 1),
        "nut": (4, 3, 1),
        "allergen": (4, 3, 1, 2),
    }
    state, horizon = at(memory)
    (first, *_) = kinds_of(state, "tree nuts", horizon)
    assert (first.path[0].type, first.path[0].origin) == ("IS_A", "verified")
    assert "almond" not in {known.name for known in kinds_of(state, "mandelmasse", horizon)}


def test_a_circle_of_kinds_ends(memory: Memory) -> None:
    """Names that are each other's kinds are each told once."""
    memory.graph.link("thing:a", "IS_A", "thing:b")
    memory.graph.link("thing:b", "IS_A", "thing:a")
    assert kinds(memory, "a") == {"b": (1,)}


def test_what_no_memory_stands_for_is_not_known(memory: Memory) -> None:
    """A statement goes with its memory's status and valid time, and comes with its position."""
    memory.remember("almonds are nuts")
    memory.remember("Rex is a dog", valid_until="2000-01-01")
    assert kinds(memory, "almond") == {"nut": (1,)}
    assert kinds(memory, "rex") == {}
    memory.supersede("@1", "almonds are seeds")
    assert kinds(memory, "almond") == {"seed": (3,)}
    assert kinds(memory, "almond", 2) == {"nut": (1,)}
    memory.withdraw("@3")
    assert kinds(memory, "almond") == {}


def test_names_are_known_by_who_mentions_them(memory: Memory) -> None:
    """The holders of a name are those of the moment, however it is written."""
    fill(memory, "I met Melanie", "a letter from Melanie", "it rained")
    state, _ = at(memory)
    assert entity_holders(state, "MELANIE", 3).tolist() == [0, 1]
    assert entity_holders(state, "Melanie's", 1).tolist() == [0]
    assert entity_holders(state, "melanie", 0).tolist() == []
    assert entity_holders(state, "rained", 3).tolist() == []
    assert [counted(state, "melanie", size) for size in range(4)] == [0, 1, 2, 2]
    assert state.mentions.code("rained") is None


# -- point in time ---------------------------------------------------------------------


class Living:
    """A space to which something happens at random, with a base written on the way."""

    def __init__(self, memory: Memory, chance: random.Random) -> None:
        self._memory = memory
        self._chance = chance

    def text(self) -> str:
        """Something that names, states, or does neither."""
        name, other = self._chance.choices(NAMES, k=2)
        kind = self._chance.choice(KINDS)
        return self._chance.choice(
            (f"so {name} and {other} met", f"{name} is a {kind}", f"we saw {name} with a {kind}",
             "it rained")
        )  # fmt: skip

    def one(self) -> str:
        """One of the memories, in whatever state."""
        return self._chance.choice([*self._memory.inspect.everything()] or ["@1"])

    def end(self) -> str | Thing:
        """A memory or a thing."""
        thing = Thing(self._chance.choice((*NAMES, *KINDS)))
        return self._chance.choice((thing, thing, self.one()))

    def remember(self) -> None:
        """One more memory."""
        begins = self._chance.choice((None, "2020-01-01"))
        self._memory.remember(self.text(), valid_from=begins)

    def link(self) -> None:
        """One more edge."""
        kind = self._chance.choice(("IS_A", "PART_OF", "ALIAS_OF"))
        share = self._chance.choice((0.3, 1.0))
        self._memory.graph.link(self.end(), kind, self.end(), confidence=share)

    def unlink(self) -> None:
        """One edge less."""
        edges = self._memory.graph.links()
        if edges:
            self._memory.graph.unlink(self._chance.choice(edges).edge_id)

    def live(self, steps: int) -> None:
        """Let so many things happen."""
        memory = self._memory
        doings = (
            *[self.remember] * 12,
            *[self.link] * 5,
            self.unlink,
            lambda: memory.withdraw(self.one()),
            lambda: memory.supersede(self.one(), self.text()),
            lambda: memory.redact(self.one()) if self._chance.random() < 0.2 else None,
        )
        for step in range(steps):
            memory._space.home.clock.move(DAY // 7)
            # The same edge again, or something about what is out of all answers: refused.
            with suppress(LedgerError):
                self._chance.choice(doings)()
            if step == steps // 2:
                memory._space.home.index(memory.space).at(memory._space.home.head())
                memory._space.home.index(memory.space).write_base()


def test_the_graph_as_of_a_position_is_that_of_a_log_cut_there(tmp_path: Path) -> None:
    """Walks to the last bit, and kinds with their evidence, know nothing of what came later."""
    print(f"MNEMOLOG_SEED={SEED}")  # noqa: T201 - pytest shows it when the test fails
    chance = random.Random(SEED)
    clock = HandClock(START)
    with open_home(tmp_path / "home", clock=clock) as whole:
        Living(whole, chance).live(120)
        head = whole.log.checkpoint().position
        for number in range(8):
            position = Position(chance.randrange(1, head + 1))
            then = HandClock(from_datetime("then", whole.as_of(position).instant))
            with open_home(_cut(whole, tmp_path / f"cut-{number}", position), clock=then) as cut:
                state, horizon = at(cut)
                known = state.columns.positions(np.arange(horizon.size)).tolist()
                seeds = chance.sample(known, min(5, len(known)))
                assert walked(whole, seeds, position) == walked(cut, seeds)
                for name in (*NAMES, *KINDS):
                    assert kinds(whole, name, position) == kinds(cut, name)
                    then_held, now_held = (
                        one.columns.positions(entity_holders(one, name, horizon.size)).tolist()
                        for one in (at(whole, position)[0], state)
                    )
                    assert then_held == now_held


def _cut(memory: Memory, path: Path, position: Position) -> Path:
    """A home made of the log's bytes of today up to a position."""
    path.mkdir()
    log = SqliteLog(path / LEDGER, clock=HandClock())
    log.adopt(memory._space.home.log.read(EMPTY.position, position))
    log.close()
    return path
