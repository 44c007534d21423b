"""Prompted judge of statements: a language model says what a new statement replaces.

The prompt and the schema of the answer are in `prompt.toml`. One request asks about a new statement
and all old ones that it is compared with. docs/decisions/0026-prompted-judge.md says why.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from mnemolog.language.clauses.assertions import says_one_thing
from mnemolog.language.clauses.propositions import propositions
from mnemolog.language.lists import regex
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.errors import ModelFailed
from mnemolog.ledger.vocabulary import decode_json
from mnemolog.policies.contradictions.judge import CERTAIN, Contradiction, Statement
from mnemolog.policies.contradictions.replacements import (
    SUREST,
    asks_only,
    found_by_rules,
    may_exclude,
    replacement_found,
    speaker_of,
)
from mnemolog.policies.contradictions.rules import RuleJudge

# Bytes of UTF-8: a longer text tells more than a statement, and a model on this machine may read
# 4,096 tokens in all, with the prompt, and drop the rest without a word.
LONGEST_BYTES, MOST_BYTES = 2_000, 8_000
_SHOWN = 200  # Characters of an error
_FENCED = regex(r"(?s)\s*```(?:json)?\s*\n(.*)\n\s*```\s*")

Ask: TypeAlias = Callable[[str, str, Mapping[str, object]], str]
"""Asks a model: the system's part of the prompt, the question, the answer's JSON schema."""


class _Prompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    system: str
    schema: dict[str, object]


class _Part(msgspec.Struct, frozen=True):
    part: int
    text: str


class _Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """Statement as the model reads it."""

    text: str
    said: str
    speaker: str | None = None
    id: int = 0
    parts: Sequence[_Part] = ()


class _Question(msgspec.Struct, frozen=True):
    new: _Shown
    old: Sequence[_Shown]


class RelationAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model's answer: the relation of the new statement to the old one with an id."""

    id: int
    relation: Literal["replaces", "replaces_part", "repeats", "refines", "separate"]
    confidence: Annotated[float, Meta(ge=0, le=1)]
    holds: tuple[int, ...]


class _Answers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    answers: list[RelationAnswer]


class _Replacement(NamedTuple):
    """Answer of a model: how likely an old statement is replaced, and what of it is kept."""

    confidence: float
    kept: str | None


class PromptedJudge:
    """Judge by rules and by a language model, which is asked where no rule decides.

    `ask` raises `ModelFailed` if there is no answer, as `prepare` and `judge` do. `quick` judges
    by rules alone. Answers are kept for as long as the judge: make one for each command.
    """

    def __init__(self, ask: Ask, model: str) -> None:
        self.quick, self._ask, self._model = RuleJudge(), ask, model
        self._known: dict[tuple[Statement, Statement], _Replacement | None] = {}

    @property
    def name(self) -> str:
        """Version of the prompt and name of the model: another one may judge differently."""
        return f"prompt-{_prompt().version}:{self._model}"

    def judge(self, new: Statement, old: Statement) -> Contradiction | None:
        """Contradiction between the two memories, or None if both may hold."""
        found = found_by_rules(self.quick, new, old)
        if found is not None and says_one_thing(old.text):
            return found
        self.prepare(new, [old])
        said = self._known[new, old]
        if found is not None:
            # In doubt of what else holds, the memory that says more is contested, not retired.
            known = said is not None and said.confidence >= CERTAIN
            return replace(found, kept=said.kept if said and known else None)
        return None if said is None else replacement_found(new, old, said.confidence, said.kept)

    def prepare(self, new: Statement, olds: Sequence[Statement]) -> None:
        """Ask about a new statement and several old ones in one request; likeliest first.

        Long texts are not sent, nor what does not fit into one request: rules judge them.
        """
        fresh = [old for old in dict.fromkeys(olds) if (new, old) not in self._known]
        said: dict[tuple[Statement, Statement], _Replacement | None] = {}
        asked: list[Statement] = []
        left = MOST_BYTES - _size(new)
        for old in fresh:
            said[new, old] = None
            if self._is_asked(new, old) and (size := _size(old)) <= left:
                left -= size
                asked.append(old)
        if asked:
            for old, answer in zip(asked, self._answers(new, asked), strict=True):
                said[new, old] = _replacement(old, answer)
        self._known |= said

    def reads(self, text: str) -> bool:
        """True if a text states anything that another text could contradict."""
        if len(text.encode()) > LONGEST_BYTES:
            return self.quick.reads(text)
        return not asks_only(text)

    def _is_asked(self, new: Statement, old: Statement) -> bool:
        longest = max(len(one.text.encode()) for one in (new, old))
        if longest > LONGEST_BYTES or not may_exclude(new, old):
            return False
        return not says_one_thing(old.text) or found_by_rules(self.quick, new, old) is None

    def _answers(self, new: Statement, olds: Sequence[Statement]) -> list[RelationAnswer]:
        """Answers about old statements, in their order. Raises `ModelFailed`."""
        shown = [replace(_shown(old), id=number) for number, old in enumerate(olds, 1)]
        question = msgspec.json.encode(_Question(_shown(new), shown)).decode()
        text = self._ask(_prompt().system, question, _prompt().schema)
        fenced = _FENCED.fullmatch(text)
        try:
            said = decode_json(_DECODER.decode, (fenced[1] if fenced else text).encode())
        except (msgspec.DecodeError, UnicodeEncodeError) as error:
            raise self._failed(f"answered in a form that is not known: {error}") from None
        by_id = {answer.id: answer for answer in said.answers}
        if len(by_id) != len(said.answers) or by_id.keys() != {*range(1, len(olds) + 1)}:
            raise self._failed("did not answer once about each of the statements that it was given")
        return [by_id[number] for number in range(1, len(olds) + 1)]

    def _failed(self, problem: str) -> ModelFailed:
        return ModelFailed(self._model, problem[:_SHOWN], "name a model that follows the schema")


_DECODER = msgspec.json.Decoder(_Answers)


@cache
def _prompt() -> _Prompt:
    listed = files(__package__).joinpath("prompt.toml").read_bytes()
    return msgspec.toml.decode(listed, type=_Prompt)


def _shown(statement: Statement) -> _Shown:
    said = to_datetime(Micros(statement.said_at)).date().isoformat()
    parts = propositions(statement.text)
    numbered = [_Part(number, part) for number, part in enumerate(parts, 1)]
    speaker = speaker_of(statement)
    return _Shown(statement.text, said, speaker, parts=numbered if len(parts) > 1 else ())


def _size(statement: Statement) -> int:
    return len(msgspec.json.encode(_shown(statement)))


def _replacement(old: Statement, answer: RelationAnswer) -> _Replacement | None:
    """Replacement that a model found, or None; what is kept are parts of the old text itself."""
    confidence = min(answer.confidence, SUREST)
    if answer.relation == "replaces":
        return _Replacement(confidence, "")
    if answer.relation != "replaces_part":
        return None
    parts = propositions(old.text)
    # The model names parts by number, so that no text of its own can be stored.
    held = [part for number, part in enumerate(parts, 1) if number in answer.holds]
    return _Replacement(confidence, " ".join(held) if 0 < len(held) < len(parts) else None)
