"""Assertions: the sentences of a text, split into clauses of one statement each.

Questions, requests, quotations, suppositions, hopes and reports assert nothing and are left out.
Settings, orders, wishes, 'nobody' and 'everybody' are brought into comparable words. `doubts` tells
why sentences assert nothing.
"""

import re

import msgspec

from mnemolog.language.clauses.needs import Rewordings, Rules, lowercase_words
from mnemolog.language.lists import Lists, english, plain_letters
from mnemolog.language.sentences import main_clauses, sentence_texts, spoken, unnumbered
from mnemolog.language.words.lexicon import (
    BE,
    DETERMINERS,
    DO,
    LEXICON,
    MODAL,
    PREPOSITIONS,
    noun,
    verb_forms,
)

LISTS = Lists("mnemolog.language.clauses", "assertions", shared=english("sentences"))
DOUBTS = Lists("mnemolog.language.clauses", "doubts", shared=LISTS)
_PATTERNS, _DOUBTS = LISTS.patterns_by_name, DOUBTS.patterns_by_name
_CONTRACTIONS, _WORDINGS, _CALLED = (
    Rewordings(LISTS, name) for name in ("contractions", "wordings", "called")
)
_RULES = Rules(LISTS)

_LONGEST = 1200  # characters: statements of a longer text depend on the rest of it
_MOST_WORDS = 24  # longer clauses are stories or explanations, which rules cannot read
_MOST_WORDS_OF_SETTING = 4
_LONGEST_SUBJECT = 6


class Assertions(msgspec.Struct, frozen=True):
    """Speaker of a text, if it names one, and its clauses, spelled out and without end marks."""

    speaker: str | None
    clauses: tuple[str, ...]


def asserted(text: str) -> Assertions:
    """Asserted clauses of a text, in order."""
    if len(text) > _LONGEST or _is_joke(text):
        return Assertions(None, ())
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    if (spelled := setting(text)) is not None:
        return Assertions(None, (spelled,))
    if ">" in text:
        text = _PATTERNS.cited.sub("", text)
    if "`" in text:
        text = _PATTERNS.code.sub(" ", text)
    speaker, said = (None, text) if _PATTERNS.labelled.match(text) else spoken(text)
    if "[" in said or "(" in said:
        said = _PATTERNS.aside.sub(" ", said)
    clauses: list[str] = []
    for sentence in sentence_texts(said):
        clauses += _asserted_clauses(unnumbered(sentence))
    return Assertions(speaker, tuple(clauses))


def _is_joke(text: str) -> bool:
    low = plain_letters(text).lower()
    joking = "kid" in low or "jok" in low or "jk" in low
    return joking and _PATTERNS.joked.search(text) is not None


def _asserted_clauses(sentence: str) -> list[str]:
    asks = not sentence or sentence.rstrip("\"') ").endswith("?")
    if asks or _PATTERNS.quoted.search(sentence) or _PATTERNS.labelled.match(sentence):
        return []
    found: list[str] = []
    # 'Ann, who is a friend of mine, lives in Rome' states Ann's home.
    sentence = _PATTERNS.relative.sub(" ", _opened(sentence))
    for piece in _PATTERNS.joints.split(sentence):
        clause = _opened(piece.rstrip().strip(" .!…,;:*-#>"))
        words = lowercase_words(clause)
        if "not" in words or "longer" in words:
            clause = _PATTERNS.but_not.sub(r" rather than \g<old>", clause)
        if not 1 < len(clause.split()) <= _MOST_WORDS:
            continue
        clause = spelled_out(_CONTRACTIONS.rewritten(clause, words))
        words = lowercase_words(clause)
        if "not" in words:
            clause = _PATTERNS.not_just.sub("", clause)
        formula = _PATTERNS.question.match(clause) or _is_formula(clause)
        if formula or ("not" in words and _PATTERNS.not_the_only.search(clause)):
            continue
        if "user" in words:
            clause = _PATTERNS.own_words.sub("The user ", clause)
        clause = _CALLED.rewritten(clause, words)
        if not LISTS.words("supposing").isdisjoint(words) or _RULES.not_asserted.search(
            clause, words
        ):
            # The rest of the sentence depends on the supposition.
            break
        found.append(clause)
    return found


def _opened(said: str) -> str:
    """Text without the opener in front of it, such as 'by the way,'."""
    opener = _PATTERNS.opener.match(said)
    return said if opener is None else said[opener.end() :]


def _is_formula(clause: str) -> bool:
    return (
        _PATTERNS.mark.search(clause) is not None and _PATTERNS.formula.search(clause) is not None
    )


def says_one_thing(text: str) -> bool:
    """Test for one short statement, to be retired whole; False in case of doubt."""
    _, text = spoken(text.strip())
    sentences = list(filter(_PATTERNS.word.search, sentence_texts(text)))
    if len(sentences) != 1 or len(text.split()) > _MOST_WORDS:
        return False
    pieces = list(filter(_PATTERNS.word.search, _PATTERNS.joints.split(sentences[0])))
    return len(pieces) == 1 and _PATTERNS.more.search(pieces[0]) is None


def setting(text: str) -> str | None:
    """Sentence for a setting such as 'port: 8080' or 'max_retries = 3'; None for other text."""
    # Most texts with such a mark say more than a key and a value, and the pattern is slow to tell.
    given = text.count(":") + text.count("=") == 1
    given = given and len(text.split()) <= 2 * _MOST_WORDS_OF_SETTING + 1
    match = _PATTERNS.setting_line.fullmatch(text.strip()) if given else None
    if match is None:
        return None
    key = match["k"].replace("_", " ").replace(".", " ").strip()
    named = key.split()
    if max(len(named), len(match["v"].split())) > _MOST_WORDS_OF_SETTING:
        return None
    sole = any(noun(word) in LEXICON.words("sole") for word in named)
    if not sole and re.search(r"\w[_.]\w", match["k"]) is None:
        head, bare = noun(named[-1]), len(named) == 1 or named[0].lower() in {"the", "a", "an"}
        of_somebody = bare and head in LEXICON.words("keys_of_somebody")
        if of_somebody or head not in LEXICON.words("attributes"):
            return None
    owned = re.match(r"(?:the|my|our|his|her)\b|\w+'s\b", key, re.IGNORECASE)
    return f"{'' if owned else 'The '}{key} is {match['v']}"


def spelled_out(clause: str) -> str:
    """Clause in comparable form: orders, wishes and quantified subjects rewritten."""
    clause = _WORDINGS.rewritten(clause, lowercase_words(clause))
    match = _PATTERNS.quantified.match(clause)
    return clause if match is None else _denied(match["q"].lower(), clause[match.end() :]) or clause


def _denied(quantifier: str, said: str) -> str | None:
    """Negated clause: 'no X' as 'all X … not', 'not all X' as 'some X … not'."""
    words = said.split()
    for at in range(1, min(len(words), _LONGEST_SUBJECT + 1)):
        before, word = words[at - 1].lower(), words[at].lower()
        form, helps = verb_forms().get(word), word in BE | MODAL | DO
        finite = form is not None and form.form != "ing"
        finite = finite and before not in DETERMINERS | PREPOSITIONS
        if not (helps or finite or word in {"has", "have", "had"}):
            continue
        subject, rest = " ".join(words[:at]), " ".join(words[at + 1 :])
        verb = f"{words[at]} not {rest}" if helps else f"not {words[at]} {rest}"
        return f"{'all' if quantifier == 'no' else 'some'} {subject} {verb}"
    return None


# -- doubts -----------------------------------------------------------------------------


def doubts(text: str) -> tuple[str | None, ...]:
    """Of each sentence of a text the reason why it is not asserted; None if it is."""
    masked = _masked(_DOUBTS.fenced.sub("\n", text))
    found: list[str | None] = []
    elsewhere, prior = _PATTERNS.joked.search(masked) is not None, ""
    for begin, end in main_clauses(masked):
        sentence = masked[begin:end]
        if masked.endswith("\n\n", 0, begin):
            elsewhere = False
        elsewhere = elsewhere or _DOUBTS.other_world.search(sentence) is not None
        found.append("hypothetical" if elsewhere else doubt_of(sentence, prior))
        prior = sentence
    return tuple(found)


def _masked(text: str) -> str:
    plain = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(">"))
    masked = _DOUBTS.quoted.sub("⟦⟧", plain if "\u2018" in plain else plain.replace("\u2019", "'"))
    # Patterns read punctuation as clause ends: it is hidden inside numbers, times and paths.
    return DOUBTS.rewritten("inner_marks", masked)


def doubt_of(sentence: str, prior: str) -> str | None:
    """Reason why a sentence is not asserted, given the sentence before it; None if it is."""
    said = _DOUBTS.idiom.sub("", sentence)
    if (they := _DOUBTS.they.search(said)) is not None:
        before = said[: they.start()]
        ours = _DOUBTS.they_moved.match(said) or _DOUBTS.not_many.search(before)
        if ours or _DOUBTS.many_are.search(f"{prior} {before}"):
            said = _DOUBTS.they.sub("these", said, count=1)
    if said.rstrip(" \"')").endswith("?") and not _DOUBTS.asks_to.match(said):
        return "a question"
    if _DOUBTS.noted.match(said):
        return "no assertion"
    if _DOUBTS.denied.search(said):
        return "denied"
    reports = _DOUBTS.saying_noun.sub("", _DOUBTS.own_saying.sub("", said))
    others = _DOUBTS.others.search(said) or _DOUBTS.others_first.search(said)
    if _DOUBTS.hearsay.search(said) or _DOUBTS.reported.search(reports) or others:
        return "told of others"
    wishes = _DOUBTS.asks_to.sub("", said).replace("I would", "")
    return "hypothetical" if _DOUBTS.supposed.search(wishes) else None
