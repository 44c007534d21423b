"""Replacements that a model finds: the rules around a model, whichever reads the statements."""

from msgspec.structs import replace

from mnemolog.language.clauses.assertions import masked_sentences
from mnemolog.language.clauses.propositions import propositions
from mnemolog.language.sentences import sentence_texts, speaks_of_self
from mnemolog.policies.contradictions.judge import Contradiction, Statement
from mnemolog.policies.contradictions.rules import RuleJudge, in_different_periods

SUREST = 0.999  # Most confidence of a model; only rules are surer
_UNSURE = 0.5  # Most confidence where a rule speaks against the model


def found_by_rules(rules: RuleJudge, new: Statement, old: Statement) -> Contradiction | None:
    """Contradiction that the rules find with an old statement, or with one that it joins."""
    texts = dict.fromkeys((old.text, *propositions(old.text)))
    judged = (rules.judge(new, replace(old, text=text)) for text in texts)
    return next((found for found in judged if found is not None), None)


def may_exclude(new: Statement, old: Statement) -> bool:
    """False for statements of two periods, and for what two speakers say of themselves."""
    if in_different_periods(new, old):
        return False
    return new.source == old.source or not all(speaks_of_self(one.text) for one in (new, old))


def speaker_of(statement: Statement) -> str | None:
    """Name of the user or agent who is the 'I' of a statement; None if there is no 'I'."""
    scheme, _, name = (statement.source or "").partition(":")
    own = scheme in {"user", "agent"} and name and speaks_of_self(statement.text)
    return name if own else None


def asks_only(text: str) -> bool:
    """True if every sentence of a text is a question."""
    return all(one.endswith("?") for one in sentence_texts(text))


def replacement_found(
    new: Statement, old: Statement, confidence: float, kept: str | None
) -> Contradiction:
    """Contradiction by which a new statement replaces an old one, or a part of it.

    It is less certain where a rule speaks against the model.
    """
    if _asserts_nothing(new.text):
        confidence = min(confidence, _UNSURE)
    return Contradiction(
        type="value",
        severity="minor",
        attribute=None,
        time_sensitive=True,
        condition=None,
        reason=f"'{new.text}' seems to replace '{old.text}'.",
        confidence=round(confidence, 4),
        kept=kept,
    )


def _asserts_nothing(text: str) -> bool:
    """True if a text only asks, denies or supposes, and asserts nothing.

    "They raised our rent" reads like "they are rivals of ours": a model tells them apart.
    """
    doubts = [one.doubt for one in masked_sentences(text)]
    return all(doubt not in {None, "told of others"} for doubt in doubts)
