"""Text of the memory that replaces a corrected one, in words that stand alone."""

from __future__ import annotations

import re

from mnemolog.language.patterns import regex
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.reading.correction_reading import CorrectionReading
from mnemolog.policies.corrections.reading.sentence_openings import opened
from mnemolog.policies.corrections.replacement_value import (
    NewValue,
    is_predicate,
    is_quoted,
    is_told,
    phrase_in,
    points_at_something,
    spliced,
)
from mnemolog.policies.corrections.target.demands import FIRST_PERSON
from mnemolog.policies.corrections.target.scoring import TargetMatch
from mnemolog.policies.corrections.terms import keys, terms

_I = re.IGNORECASE
_PRONOUN = regex(r"^(?:it|that|this|he|she|they|these|those)(?P<is>'s|'re)?\s+", _I)
_THE = regex(r"^the\s", _I)
_POSSESSIVE = regex(r"^(?:his|her|its|their)\s+(?=\w)", _I)
_OWNER = LISTS.pattern("owner")
_VERB = LISTS.pattern("predicate")
_COMPLEMENT = regex(r"\s+(?:of|for|in|at|on|with|to|from|by|about)\s", _I)
_OF_RECORD = frozenset(
    [
        "record",
        "not-so-that",
        "that-is-wrong",
        "what-i-said-that",
        "was-wrong-that",
        "that-was-wrong",
        "request-forget",
    ]
)
_MOVED = frozenset(["changed-to", "was-changed", "changed-object"])
_OUTDATED = LISTS.pattern("outdated")
_BE = regex(r"\b(?:is|are|was|were|am|has been|have been|can|will|must|should)\b", _I)
_DOES = LISTS.pattern("does")
_DO = regex(r"^(?P<who>we|i|they|you)\s+(?P<verb>\w+)\b", _I)
_BASES = {
    "has": "have",
    "does": "do",
    "goes": "go",
    "flies": "fly",
    "studies": "study",
    "teaches": "teach",
}


def denied(statement: str, *, for_good: bool) -> str:
    """A statement as one that does not hold, or no longer does."""
    adverb = "no longer" if for_good else "not"
    if match := _BE.search(statement):
        return f"{statement[: match.end()]} {adverb}{statement[match.end() :]}"
    if match := _DOES.search(statement):
        verb = match["verb"]
        base = _BASES.get(verb.lower(), verb[:-1])
        put = f"no longer {verb}" if for_good else f"does not {base}"
        return f"{statement[: match.start()]} {put}{statement[match.end() :]}"
    if match := _DO.match(statement):
        put = f"no longer {match['verb']}" if for_good else f"do not {match['verb']}"
        return f"{match['who']} {put}{statement[match.end() :]}"
    return f"It is {'no longer' if for_good else 'not'} so that {statement}"


def successor_text(reading: CorrectionReading, base: TargetMatch) -> str | None:
    """The text that takes the place of a target's.

    The sentence in dispute is replaced, and what else the target says is kept. None where
    the new value does not fit into it, and what was said of it does not stand alone.
    """
    text = base.candidate.text
    sentence = text[base.start : base.end]
    stated = _statement(reading, base, text, sentence)
    if stated is None:
        return None
    if base.start == 0 and base.end >= len(text.rstrip()):
        return stated
    return f"{text[: base.start]}{stated}{text[base.end :]}"


def says_more(base: TargetMatch) -> bool:
    """True if a target says other things besides the sentence in dispute."""
    text = base.candidate.text
    before, after = text[: base.start].strip(), text[base.end :].strip(" .!\n")
    return bool(after) or (bool(before) and not before.endswith(":"))


def _statement(
    reading: CorrectionReading, base: TargetMatch, text: str, sentence: str
) -> str | None:
    """The sentence that takes the place of the one in dispute; None if there is none."""
    replaced = _replaced(reading, base, text) if base.new else None
    if FIRST_PERSON.search(sentence) and not FIRST_PERSON.search(reading.sentence):
        # Said of another: 'I live in Oslo' must not become what the corrector says of themself.
        replaced = None
    if reading.new is None:
        return _sentence(_taken_back(reading))
    kept = base.extra > 0 or _quoted(base, text)
    if reading.new_kind == "statement" and (replaced is None or not kept):
        return _sentence(_with_subject(reading.new, reading.old or sentence, sentence))
    if replaced is not None:
        return replaced
    if is_predicate(reading.new):
        subject = _VERB.search(sentence)
        if subject is not None and not points_at_something(reading.new):
            return _sentence(f"{sentence[: subject.start()]} {reading.new}")
    elif reading.about and reading.form not in _MOVED:
        return _sentence(f"{reading.about} is {reading.new}")
    _, said = opened(reading.sentence)
    # 'It's Audi, not Skoda' tells nobody afterwards what it was said of.
    unclear = base.new is not None and _PRONOUN.match(said or reading.sentence) is not None
    return None if unclear else _sentence(reading.sentence)


def _taken_back(reading: CorrectionReading) -> str:
    """Denial of a statement that nothing replaces."""
    if reading.old is None or reading.old_kind != "statement" or reading.form not in _OF_RECORD:
        return reading.sentence
    return denied(reading.old, for_good=_OUTDATED.search(reading.sentence) is not None)


def _replaced(reading: CorrectionReading, base: TargetMatch, text: str) -> str | None:
    """The sentence with the new value where the old one stood; None if it does not fit there."""
    if base.value_start < 0 or base.new is None:
        return None
    named = reading.old is not None
    new = NewValue(base.new.strip(), named=named)
    if reading.new_kind == "statement" and reading.new is not None:
        new = phrase_in(reading.new, base.new, named=named)
    start, end = base.value_start - base.start, base.value_end - base.start
    put = spliced(text[base.start : base.end], start, end, new)
    return None if put is None else _sentence(put)


def _quoted(base: TargetMatch, text: str) -> bool:
    """True if the old value is a quotation: its marks stay around the new one."""
    return base.value_start >= 0 and is_quoted(text, base.value_start, base.value_end)


def _with_subject(new: str, *sources: str) -> str:
    """A statement with its pronoun, if it begins with one, replaced by whom or what it is about."""
    whose = _POSSESSIVE.match(new)
    if whose is not None:
        owner = next((found for one in sources if (found := _OWNER.match(one))), None)
        return new if owner is None else f"{owner['name']}'s {new[whose.end() :]}"
    match = _PRONOUN.match(new)
    if match is None:
        return _in_full(new, sources)
    for source in sources:
        verb = _VERB.search(source)
        if verb is not None:
            is_ = {"'s": " is", "'re": " are"}.get((match["is"] or "").lower(), "")
            return f"{source[: verb.start()]}{is_} {new[match.end() :]}"
        told = new[match.end() :].split(" ", 1)[0]
        subject, same, _ = source.partition(f" {told} ")
        if same and not match["is"]:
            # 'They go to Carol' of 'invoices go to Bob'.
            return f"{subject} {new[match.end() :]}"
    return new


def _in_full(new: str, sources: tuple[str, ...]) -> str:
    """A statement of 'the budget' as one of 'the budget for Zephyr', if that is spoken of."""
    verb = _VERB.search(new)
    if verb is None or _THE.match(new) is None:
        return new
    named = new[: verb.start()]
    short = keys(terms(named))
    for source in sources:
        other = _VERB.search(source)
        if other is None:
            continue
        whole = source[: other.start()]
        if is_told(f"{whole} "):
            continue
        if short and short < keys(terms(whole)) and _head(named) == _head(whole):
            return f"{whole}{new[verb.start() :]}"
    return new


def _head(named: str) -> str:
    """The noun that a name for something turns on: of 'the price of the ticket' the price."""
    return _COMPLEMENT.split(named.strip(), maxsplit=1)[0].rpartition(" ")[2].casefold()


def _sentence(text: str) -> str:
    """A text that begins and ends as a sentence does."""
    plain = text.strip().rstrip(",;:—\u2013- ")
    if not plain:
        return text
    first = plain.split(" ", 1)[0]
    begun = (
        plain
        if any(mark.isupper() or mark.isdigit() for mark in first)
        else plain[0].upper() + plain[1:]
    )
    return begun if begun[-1] in ".!?…" else f"{begun}."
