"""Targets of a correction among candidate memories, and the texts that replace theirs."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from mnemolog.language.clauses.assertions import stated_clauses
from mnemolog.language.lists import word_set
from mnemolog.language.sentences import spoken
from mnemolog.ledger.events import ConflictType
from mnemolog.policies.contradictions.judge import Contradiction, Statement
from mnemolog.policies.contradictions.rules import RuleJudge
from mnemolog.policies.corrections import readings, replacement_value
from mnemolog.policies.corrections.fit import best_match
from mnemolog.policies.corrections.readings import (
    CorrectionReading,
    TargetCandidate,
    TargetDemands,
    TargetMatch,
)
from mnemolog.policies.corrections.replacement_value import NewValue, is_predicate
from mnemolog.policies.corrections.terms import LISTS, RE, keys, negated, terms

ENOUGH = 0.74  # least share of a correction's words about its target that the target must contain
CLEAR = 0.1  # least lead of the best match over a match that says something else
RETRACTION = "correction"  # judge of a contradiction that a statement announces itself
_SAME_WORDS = 0.6
_SUBJECT_AND_VALUE = 2
_OF_RECORD = word_set(
    "record not-so-that that-is-wrong what-i-said-that was-wrong-that that-was-wrong request-forget"
)
_MOVED = word_set("changed-to was-changed changed-object")


class Targeting(msgspec.Struct, frozen=True):
    """Reading of a correction, the targets that it retires, and all considered; best first."""

    reading: CorrectionReading
    chosen: tuple[TargetMatch, ...]
    considered: tuple[TargetMatch, ...]
    why: str


def find_targets(
    reading: CorrectionReading, candidates: Sequence[TargetCandidate], corrector: str | None = None
) -> Targeting:
    """Targets of a correction by `corrector` (a name): the best, unless others fit as well."""
    reading = _as_dropped(reading, candidates)
    asked = TargetDemands.of(reading, candidates, corrector)
    matches = [match for one in candidates if (match := best_match(asked, one)) is not None]
    matches.sort(key=lambda match: (-match.score, -match.candidate.order))
    enough = 1.0 if reading.form == readings.DENIED else ENOUGH
    fitting = [match for match in matches if match.cover >= enough]
    if not fitting and reading.new is not None and reading.new_kind == "statement":
        if reading.about is not None or reading.old_kind == "thing":
            # 'The note about the CI is stale; it is built with …': the new statement names it too.
            plain = replace(reading, form="marked", old=None, old_kind="statement", about=None)
            return find_targets(plain, candidates, corrector)
        fitting = _contradicted(reading, candidates, corrector)
    if not fitting and reading.form not in {"stated", readings.DENIED}:
        other = readings.reworded(reading, [one.text for one in candidates])
        if other is not None:
            return find_targets(other, candidates, corrector)
    if not fitting:
        why = "nothing that is remembered says what it corrects"
        return Targeting(reading, (), tuple(matches), why)
    fitting = _nearest(reading, fitting)
    best = fitting[0]
    same = [match for match in fitting if match is best or _says_same(best, match)]
    taken = {match.candidate.memory_id for match in same}
    rest = [match for match in matches if match.candidate.memory_id not in taken]
    same += [match for match in rest if _in_other_words(best, match)]
    # A match that says more of its subject is about another one: 'Dana's sister', not Dana.
    of_it = not best.apart and bool(asked.subject or reading.about)
    if any(one not in same and not (of_it and one.apart) for one in _close(fitting)):
        return Targeting(reading, (), tuple(matches), "several memories may be meant")
    return Targeting(reading, tuple(same), tuple(matches), "one target is clear")


def _close(fitting: list[TargetMatch]) -> list[TargetMatch]:
    return [match for match in fitting if match.score > fitting[0].score - CLEAR]


def _nearest(reading: CorrectionReading, fitting: list[TargetMatch]) -> list[TargetMatch]:
    if agent := keys(terms(reading.agent or "")):
        said = [
            (one, f"{one.candidate.text} {one.candidate.speaker or ''}") for one in _close(fitting)
        ]
        fitting = [one for one, text in said if agent <= keys(terms(text))] or fitting
    return [match for match in _close(fitting) if not match.which] or fitting


def _contradicted(
    reading: CorrectionReading, candidates: Sequence[TargetCandidate], corrector: str | None
) -> list[TargetMatch]:
    """Memories of one sentence that a plain new statement contradicts, by the rules."""
    if reading.old is not None or reading.new is None or reading.scope is not None:
        return []
    judge, new = RuleJudge(), _statement(reading.new, reading.speaker or corrector)
    found = []
    for one in candidates:
        said = judge.judge(new, _statement(one.text, one.speaker))
        if said is None or said.type == "granularity" or said.condition is not None:
            continue
        if len(stated_clauses(one.text)) == 1:
            named = frozenset(keys(terms(one.text)))
            found.append(TargetMatch(one, 0.6, 1.0, said.reason, 0, len(one.text), named=named))
    return found


def _statement(text: str, speaker: str | None) -> Statement:
    return Statement(text, source=None if speaker is None else f"user:{speaker}")


def _as_dropped(
    reading: CorrectionReading, candidates: Sequence[TargetCandidate]
) -> CorrectionReading:
    """Reading of 'we dropped X for Y': 'X for Y' ended, if a candidate speaks of 'X for Y'."""
    if reading.form != "replaced" or " for " not in reading.sentence:
        return reading
    both = keys(terms(f"{reading.old} {reading.new}"))
    if not any(both <= keys(terms(one.text)) for one in candidates):
        return reading
    old = f"{reading.old} for {reading.new}"
    dropped = replace(reading, form="dropped", old=old, old_kind="thing")
    return replace(dropped, new=None, new_kind="statement")


def _says_same(best: TargetMatch, other: TargetMatch) -> bool:
    ours, theirs = best.old_keys, other.old_keys
    alike = (ours <= theirs or theirs <= ours) and best.apart == other.apart
    return alike and not (best.named and other.named and best.named != other.named)


def _in_other_words(chosen: TargetMatch, other: TargetMatch) -> bool:
    """True if two memories say the same in other words, such as another relation word."""
    texts = [spoken(one.candidate.text)[1] for one in (chosen, other)]
    ours, theirs = (keys(terms(text)) for text in texts)
    related, also = ({key for key in some if key[0] == "<"} for some in (ours, theirs))
    return (
        negated(texts[0]) == negated(texts[1])
        and chosen.candidate.speaker == other.candidate.speaker
        and ours - related == theirs - also
        and len(ours - related) >= _SUBJECT_AND_VALUE
        and not (related and also and related.isdisjoint(also))
    )


def same_meaning(one: str, other: str) -> bool:
    """True if two texts state the same: equal names and quantities, and most words in common."""
    if one == other or negated(one) != negated(other):
        return one == other
    first, second = terms(spoken(one)[1]), terms(spoken(other)[1])
    ours, theirs = keys(first), keys(second)
    if not ours or not theirs:
        return one.split() == other.split()
    firm = {term.key for term in (*first, *second) if term.kind != "word"}
    differ, both = ours ^ theirs, ours & theirs
    return not differ & firm and len(both) / len(ours | theirs) >= _SAME_WORDS


def retraction(reading: CorrectionReading, known: str) -> Contradiction:
    """Contradiction between a passing correction and `known`, which it takes back."""
    kind: ConflictType = "value"
    reason = f"It says '{reading.new}' in the place of '{reading.old or known}'."
    if reading.new is None:
        kind, old = "direct", reading.old or reading.about or reading.sentence
        reason = f"It says '{reading.sentence.strip(' .!')}', so that '{old}' holds no longer."
    return Contradiction(
        kind, "minor", reading.about, time_sensitive=True, condition=None, reason=reason
    )


def denied(statement: str, *, for_good: bool) -> str:
    """Negation of a statement: it does not hold or, with `for_good`, no longer holds."""
    adverb = "no longer" if for_good else "not"
    if match := RE.be_verb.search(statement):
        return f"{statement[: match.end()]} {adverb}{statement[match.end() :]}"
    if match := RE.does.search(statement):
        verb = match["verb"]
        (base,) = LISTS.table("bases").get(verb.lower(), (verb[:-1],))
        phrase = f"no longer {verb}" if for_good else f"does not {base}"
        return f"{statement[: match.start()]} {phrase}{statement[match.end() :]}"
    if match := RE.do_verb.match(statement):
        phrase = f"no longer {match['verb']}" if for_good else f"do not {match['verb']}"
        return f"{match['who']} {phrase}{statement[match.end() :]}"
    return f"It is {adverb} so that {statement}"


def successor_text(reading: CorrectionReading, base: TargetMatch) -> str | None:
    """Text that replaces a target's; None if it would be unclear in place of the disputed part."""
    text = base.candidate.text
    stated = _replacing_sentence(reading, base, text, text[base.start : base.end])
    if stated is None or (base.start == 0 and base.end >= len(text.rstrip())):
        return stated
    return f"{text[: base.start]}{stated}{text[base.end :]}"


def says_more(base: TargetMatch) -> bool:
    """True if a target says more than the sentence in dispute."""
    text = base.candidate.text
    before, after = text[: base.start].strip(), text[base.end :].strip(" .!\n")
    return bool(after) or (bool(before) and not before.endswith(":"))


def _replacing_sentence(
    reading: CorrectionReading, base: TargetMatch, text: str, sentence: str
) -> str | None:
    if reading.new is None:
        taken_back = reading.sentence
        if reading.old is not None and reading.old_kind == "statement":
            for_good = RE.outdated.search(reading.sentence) is not None
            of_record = reading.form in _OF_RECORD
            taken_back = denied(reading.old, for_good=for_good) if of_record else taken_back
        return _sentence(taken_back)
    replaced = _replaced(reading, base, sentence)
    if RE.first_person.search(sentence) and not RE.first_person.search(reading.sentence):
        # Another speaker's 'I live in Oslo' must not become a statement by the corrector.
        replaced = None
    # A new value inside a quotation keeps the quotation marks around it.
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
    # Nobody could tell afterwards what 'It's Audi, not Skoda' is about.
    unclear = RE.subject_pronoun.match(readings.opened(reading.sentence)[1] or reading.sentence)
    return None if base.new is not None and unclear else _sentence(reading.sentence)


def _replaced(reading: CorrectionReading, base: TargetMatch, sentence: str) -> str | None:
    if base.value_start < 0 or not base.new:
        return None
    new = NewValue(base.new.strip(), named=reading.old is not None)
    if reading.new_kind == "statement" and reading.new is not None:
        new = replacement_value.phrase_in(reading.new, base.new, named=new.named)
    start, end = base.value_start - base.start, base.value_end - base.start
    phrase = replacement_value.spliced(sentence, start, end, new)
    return None if phrase is None else _sentence(phrase)


def _with_subject(new: str, *sources: str) -> str:
    """Statement whose leading pronoun, if any, is replaced by a subject from `sources`."""
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
            # 'They go to Carol' corrects 'invoices go to Bob'.
            return f"{subject} {rest}"
    return new


def _in_full(new: str, sources: tuple[str, ...]) -> str:
    """Statement about 'the budget' as one about 'the budget for Zephyr', if a source names it."""
    verb = RE.predicate.search(new)
    if verb is None or RE.definite_first.match(new) is None:
        return new
    short = new[: verb.start()]
    named = keys(terms(short))
    for whole in (one[: other.start()] for one in sources if (other := RE.predicate.search(one))):
        if not replacement_value.is_told(f"{whole} ") and named and named < keys(terms(whole)):
            # The head noun of 'the price of the ticket' is 'price'.
            names = (RE.complement.split(name.strip(), maxsplit=1)[0] for name in (short, whole))
            if len({name.rpartition(" ")[2].casefold() for name in names}) == 1:
                return f"{whole}{new[len(short) :]}"
    return new


def _sentence(text: str) -> str:
    plain = text.strip().rstrip(",;:—\u2013- ")
    if not plain:
        return text
    if not any(mark.isupper() or mark.isdigit() for mark in plain.split(" ", 1)[0]):
        plain = plain[0].upper() + plain[1:]
    return plain if plain[-1] in ".!?…" else f"{plain}."
