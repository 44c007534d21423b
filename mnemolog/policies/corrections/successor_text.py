"""Text of the memory that replaces a corrected one, and the contradiction between the two."""

from __future__ import annotations

from mnemolog.language.lists import word_set
from mnemolog.policies.contradictions.judge import Contradiction
from mnemolog.policies.corrections import replacement_value
from mnemolog.policies.corrections.candidates import TargetMatch
from mnemolog.policies.corrections.readings import CorrectionReading, opened
from mnemolog.policies.corrections.replacement_value import NewValue, is_predicate
from mnemolog.policies.corrections.terms import LISTS, RE, keys, terms

RETRACTION = "correction"
"""Judge of a contradiction that a statement announces itself."""

_OF_RECORD = word_set(
    "record not-so-that that-is-wrong what-i-said-that was-wrong-that that-was-wrong request-forget"
)
_MOVED = word_set("changed-to was-changed changed-object")


def retraction(reading: CorrectionReading, known: str) -> Contradiction:
    """Contradiction between a correction in passing and `known`, which it takes back."""
    if reading.new is not None:
        reason = f"It says '{reading.new}' in the place of '{reading.old or known}'."
    else:
        old = reading.old or reading.about or reading.sentence
        reason = f"It says '{reading.sentence.strip(' .!')}', so that '{old}' holds no longer."
    return Contradiction(
        type="direct" if reading.new is None else "value",
        severity="minor",
        attribute=reading.about,
        time_sensitive=True,
        condition=None,
        reason=reason,
    )


def denied(statement: str, *, for_good: bool) -> str:
    """A statement as one that does not hold, or no longer does."""
    adverb = "no longer" if for_good else "not"
    if match := RE.be_verb.search(statement):
        return f"{statement[: match.end()]} {adverb}{statement[match.end() :]}"
    if match := RE.does.search(statement):
        verb = match["verb"]
        (base,) = LISTS.table("bases").get(verb.lower(), (verb[:-1],))
        put = f"no longer {verb}" if for_good else f"does not {base}"
        return f"{statement[: match.start()]} {put}{statement[match.end() :]}"
    if match := RE.do_verb.match(statement):
        put = f"no longer {match['verb']}" if for_good else f"do not {match['verb']}"
        return f"{match['who']} {put}{statement[match.end() :]}"
    return f"It is {adverb} so that {statement}"


def successor_text(reading: CorrectionReading, base: TargetMatch) -> str | None:
    """The text that takes the place of a target's.

    The sentence in dispute is replaced, and what else the target says is kept. None where
    the new value does not fit into it, and what was said of it does not stand alone.
    """
    text = base.candidate.text
    stated = _statement(reading, base, text, text[base.start : base.end])
    if stated is None or (base.start == 0 and base.end >= len(text.rstrip())):
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
    if reading.new is None:
        taken_back = reading.sentence
        if reading.old is not None and reading.old_kind == "statement":
            for_good = RE.outdated.search(reading.sentence) is not None
            of_record = reading.form in _OF_RECORD
            taken_back = denied(reading.old, for_good=for_good) if of_record else taken_back
        return _sentence(taken_back)
    replaced = _replaced(reading, base, sentence)
    if RE.first_person.search(sentence) and not RE.first_person.search(reading.sentence):
        # Said of another: 'I live in Oslo' must not become what the corrector says of themself.
        replaced = None
    # The marks of a quotation stay around a new value.
    start, end = base.value_start, base.value_end
    quotations = RE.quoted.finditer(text)
    quoted = start >= 0 and any(one.start() < start and end < one.end() for one in quotations)
    if reading.new_kind == "statement" and (replaced is None or not (base.extra > 0 or quoted)):
        return _sentence(_with_subject(reading.new, reading.old or sentence, sentence))
    if replaced is not None:
        return replaced
    if is_predicate(reading.new):
        subject = RE.predicate.search(sentence)
        if subject is not None and not RE.object_pronoun.search(reading.new):
            return _sentence(f"{sentence[: subject.start()]} {reading.new}")
    elif reading.about and reading.form not in _MOVED:
        return _sentence(f"{reading.about} is {reading.new}")
    _, said = opened(reading.sentence)
    # 'It's Audi, not Skoda' tells nobody afterwards what it was said of.
    unclear = (
        base.new is not None and RE.subject_pronoun.match(said or reading.sentence) is not None
    )
    return None if unclear else _sentence(reading.sentence)


def _replaced(reading: CorrectionReading, base: TargetMatch, sentence: str) -> str | None:
    """The sentence with the new value where the old one stood; None if it does not fit there."""
    if base.value_start < 0 or not base.new:
        return None
    new = NewValue(base.new.strip(), named=reading.old is not None)
    if reading.new_kind == "statement" and reading.new is not None:
        new = replacement_value.phrase_in(reading.new, base.new, named=new.named)
    put = replacement_value.spliced(
        sentence, base.value_start - base.start, base.value_end - base.start, new
    )
    return None if put is None else _sentence(put)


def _with_subject(new: str, *sources: str) -> str:
    """A statement with its pronoun, if it begins with one, replaced by whom or what it is about."""
    if whose := RE.possessive_first.match(new):
        owner = next((found for one in sources if (found := RE.owner.match(one))), None)
        return new if owner is None else f"{owner['name']}'s {new[whose.end() :]}"
    if (match := RE.subject_pronoun.match(new)) is None:
        return _in_full(new, sources)
    rest, is_ = new[match.end() :], (match["is"] or "").lower()
    for source in sources:
        if verb := RE.predicate.search(source):
            said = {"'s": " is", "'re": " are"}.get(is_, "")
            return f"{source[: verb.start()]}{said} {rest}"
        subject, same, _ = source.partition(f" {rest.split(' ', 1)[0]} ")
        if same and not is_:
            # 'They go to Carol' of 'invoices go to Bob'.
            return f"{subject} {rest}"
    return new


def _in_full(new: str, sources: tuple[str, ...]) -> str:
    """A statement of 'the budget' as one of 'the budget for Zephyr', if that is spoken of."""
    verb = RE.predicate.search(new)
    if verb is None or RE.definite_first.match(new) is None:
        return new
    short = new[: verb.start()]
    named = keys(terms(short))
    for source in sources:
        if (other := RE.predicate.search(source)) is None:
            continue
        whole = source[: other.start()]
        if not replacement_value.is_told(f"{whole} ") and named and named < keys(terms(whole)):
            # Of 'the price of the ticket', the noun that it turns on is the price.
            heads = [
                RE.complement.split(name.strip(), maxsplit=1)[0].rpartition(" ")[2].casefold()
                for name in (short, whole)
            ]
            if heads[0] == heads[1]:
                return f"{whole}{new[verb.start() :]}"
    return new


def _sentence(text: str) -> str:
    """A text that begins and ends as a sentence does."""
    plain = text.strip().rstrip(",;:—\u2013- ")
    if not plain:
        return text
    first = plain.split(" ", 1)[0]
    if not any(mark.isupper() or mark.isdigit() for mark in first):
        plain = plain[0].upper() + plain[1:]
    return plain if plain[-1] in ".!?…" else f"{plain}."
