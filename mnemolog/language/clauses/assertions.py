"""Assertions: the sentences of a text, split into clauses of one statement each.

Questions, requests, quotations, suppositions, hopes and reports assert nothing and are
left out.
"""

from __future__ import annotations

import re

import msgspec

from mnemolog.language.clauses.wordings import setting, spelled_out
from mnemolog.language.patterns import regex
from mnemolog.language.sentences import sentence_texts, unnumbered
from mnemolog.language.speakers import LABELS, spoken

_LONGEST = 1200
"""Characters; statements of a longer text depend on the rest of it."""

_MOST_WORDS = 24
"""Words; longer clauses are stories or explanations, which rules cannot read."""

_CODE = regex(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_CITED = regex(r"^[ \t]*>.*$", re.MULTILINE)
_ASIDE = regex(r"\[(?![ xX]?\])[^\]\n]*\]|\([^)\n]*\)")
_JOINTS = regex(
    r"\s*(?:;|:(?=\s)|\s[-\N{EN DASH}\N{EM DASH}]+\s|\N{EM DASH}|,? but\b|,? (?:al)?though\b"
    r"|,? whereas\b|, so\b|, and\b|, which\b"
    r"|,? and (?=(?:I|he|she|it|they|we|you|my|his|her|their|our)\b)"
    r"|,? (?:because|as long as|so that)\b.*)\s*",
    re.IGNORECASE,
)
_NOT_ASSERTED = regex(
    r"\b(?i:might|could|would|ought|maybe|perhaps|probably|possibly|apparently|supposedly"
    r"|allegedly|if|whether|wish|wishes|wished|hope|hopes|hoped|hoping|wants? to|wanted|wanna"
    r"|think|thinks|thought|believes?(?! in\b)|guess|suppose|supposed|assume|imagine|pretend"
    r"|consider|considers|considering|(?:plan|plans|planning|planned) (?:to|on)|going to|gonna"
    r"|intend|intends"
    r"|dream|dreams|dreamed|said|says|say|tell|tells|told|ask|asks|asked|joke|jokes|joked"
    r"|claim|claims|claimed|mention|mentions|mentioned|wonder|wonders|wondered|wondering"
    r"|heard|hear|suggest|suggests|suggested|according to|rumou?r|seems?|seemed|looks like"
    r"|sounds like|feels like|feel like|looking for|let's|let us|please|remember to|remind"
    r"|don't forget|do not forget|make sure|almost|nearly|rarely|seldom|hardly|barely|sort of"
    r"|kind of|either|unless|not sure|unsure|doubt|doubts|(?:used )?as an (?:example|illustration)"
    r"|for example|e\.g"
    r"|(?:example|sample|test|dummy|placeholder) (?:sentence|text|phrase|message|data|input)s?"
    r"|made[- ]up|fictitious|fictional|hypothetical(?:ly)?|once upon a time|just kidding"
    r"|imagined|were to|as if|as though|try|trying|tried|thinking)\b|\bmay\b(?! \d)",
)
# Parsed clauses use these brackets as placeholders of amounts.
_FORMULA = regex(r"[⟦⟧]|[\\*|<>{}=^~#_]{2}|[\\|<>{}=^]|\$(?!\d)")
# A memory's report of its own user's words ('the user said …') is the user's statement.
_OWN_WORDS = regex(
    r"\A(?:the )?user (?:said|says|mentioned|mentions|stated|states|noted|confirmed|shared"
    r"|told (?:me|us|the assistant)) (?:that )?(?:they|he|she) (?=\w)",
    re.IGNORECASE,
)
_CALLED = regex(r"\b(?:wants?|likes?|prefers?) to be called (?=[A-Z])|\bgoes by (?=[A-Z])")
_QUOTED = regex(r"[\"“”«»„]|(?<!\w)'[^']+'(?!\w)")
_QUESTION = regex(
    r"\A(?:what|who|whom|whose|which|why|how|where|when (?:is|are|was|were|do|does|did)"
    r"|do|does|did|is|are|was|were|can|will|have|has|am)\b",
    re.IGNORECASE,
)
_CONTRACTIONS = (
    (regex(r"\bcan't\b|\bcannot\b", re.IGNORECASE), "can not"),
    (regex(r"\bwon't\b", re.IGNORECASE), "will not"),
    (regex(r"(?<=\w)n't\b", re.IGNORECASE), " not"),
    (regex(r"(?<=\w)'m\b", re.IGNORECASE), " am"),
    (regex(r"(?<=\w)'re\b", re.IGNORECASE), " are"),
    (regex(r"(?<=\w)'ve\b", re.IGNORECASE), " have"),
    (regex(r"(?<=\w)'ll\b", re.IGNORECASE), " will"),
    (regex(r"(?<=\w)'d\b", re.IGNORECASE), " would"),
    (
        regex(r"\b(he|she|it|that|there|here|what|who)'s (?=been\b)", re.IGNORECASE),
        r"\1 has ",
    ),
    (regex(r"\b(he|she|it|that|there|here|what|who|let)'s\b", re.IGNORECASE), r"\1 is"),
)
_OPENER = regex(
    r"\A(?:(?:oh,? and|(?:it )?turns out(?: that)?,?|(?:as far as (?:I|we) know|just so you know"
    r"|for (?:the record|your information)|fyi|by the way|btw|in fact|to be clear|in short"
    r"|in summary|(?:as )?it turns out(?: that)?|update|note(?: that)?|remember(?: that)?"
    r"|reminder|fun fact|fact|heads up|also|and|well|so|oh|ok|okay|hey|hi|yes|no|actually"
    r"|currently|clearly|obviously|of course|for what it's worth|(?:just )?to let you know"
    r"|I (?:can )?confirm that|correction|sorry|scratch that|wait"
    r"|as of (?:today|now|this week|this month))(?:,|:| -)) +(?=\w))+",
    re.IGNORECASE,
)
_BIT = r"(?:[\w$€£%:.'+#-]|,(?=\d))+"
_BUT_NOT = regex(
    r"(?:,|\s[-\N{EN DASH}]) (?:and )?(?:not|no longer) "
    r"(?!(?:only|just|because|that|if|even|yet|so|all|much|counting|including|mentioning"
    r"|considering|to|until|than|quite|far|too|very|really|necessarily|always|often|usually"
    r"|surprisingly|well|as|a (?:lot|fan))\b)"
    rf"(?P<old>{_BIT}(?: {_BIT}){{0,4}}?)(?: any ?(?:more|longer))?\Z",
    re.IGNORECASE,
)
_NOT_JUST = regex(r"\bnot (?:only|just|merely|simply) (?=\w)", re.IGNORECASE)
_NOT_THE_ONLY = regex(r"\bnot the (?:only|sole|first|last)\b", re.IGNORECASE)
LOGGED = (
    r"(?:\d{4}-\d\d-\d\d[T ]\d\d[:\u2236]\d\d"
    r"|(?-i:WARN(?:ING)?|ERROR|INFO|DEBUG|TRACE)(?=[\s:\u2236\]]))"
)
"""Beginning of a line of a log: a time, or a level."""

JOKED = regex(
    r"(?<!\bnot )\b(?:just|only) (?:kidding|joking)\b|\bjust a joke\b|(?-i:\bjk\b)", re.IGNORECASE
)
_LABELLED = regex(
    rf"\A[\W\d_]*(?:[^:]{{0,40}}\b{LABELS}\b[^:]{{0,20}}:\s)"
    rf"|\A\s*(?:[-*+]|\d+[.)])?\s*\[[ xX]?\]\s|\A\W*{LOGGED}",
    re.IGNORECASE,
)
_RELATIVE = regex(r", (?:who|whose|which|where) [^,]+, (?=\w)")
_MORE = regex(r"\b(?:and|with|who|whose|where|which|because|since|after|before|while)\b")
_WORD = regex(r"\w")


class Assertions(msgspec.Struct, frozen=True):
    """Assertions of a text: the speaker, if it names one, and the clauses.

    Clauses are as in the text, with contractions spelled out and without end marks.
    """

    speaker: str | None
    clauses: tuple[str, ...]


def asserted(text: str) -> Assertions:
    """Asserted clauses of a text, in order."""
    if len(text) > _LONGEST or JOKED.search(text) is not None:
        return Assertions(None, ())
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    spelled = setting(text)
    if spelled is not None:
        return Assertions(None, (spelled,))
    text = _CODE.sub(" ", _CITED.sub("", text))
    speaker, said = (None, text) if _LABELLED.match(text) else spoken(text)
    text = _ASIDE.sub(" ", said)
    clauses: list[str] = []
    for sentence in sentence_texts(text):
        clauses += _asserted_clauses(unnumbered(sentence))
    return Assertions(speaker, tuple(clauses))


def _asserted_clauses(sentence: str) -> list[str]:
    if not sentence or sentence.rstrip("\"') ").endswith("?") or _QUOTED.search(sentence):
        return []
    if _LABELLED.match(sentence):
        return []
    found: list[str] = []
    # 'Ann, who is a friend of mine, lives in Rome' states Ann's home.
    sentence = _RELATIVE.sub(" ", _OPENER.sub("", sentence))
    for piece in _JOINTS.split(sentence):
        clause = _BUT_NOT.sub(r" rather than \g<old>", _OPENER.sub("", piece.strip(" .!…,;:*-#>")))
        if not 1 < len(clause.split()) <= _MOST_WORDS:
            continue
        for pattern, spelled in _CONTRACTIONS:
            clause = pattern.sub(spelled, clause)
        clause = _NOT_JUST.sub("", spelled_out(clause))
        if _NOT_THE_ONLY.search(clause):
            continue
        if _QUESTION.match(clause) or _FORMULA.search(clause):
            continue
        clause = _CALLED.sub("is called ", _OWN_WORDS.sub("The user ", clause))
        if _NOT_ASSERTED.search(clause):
            # The rest of the sentence depends on the supposition.
            return found
        found.append(clause)
    return found


def says_one_thing(text: str) -> bool:
    """True if a text is one short statement and no more, so that it may be retired whole.

    Strict on purpose: a text that is not clearly one statement counts as several.
    """
    _, text = spoken(text.strip())
    sentences = [part for part in sentence_texts(text) if _WORD.search(part)]
    if len(sentences) != 1 or len(text.split()) > _MOST_WORDS:
        return False
    pieces = [piece for piece in _JOINTS.split(sentences[0]) if _WORD.search(piece)]
    return len(pieces) == 1 and _MORE.search(pieces[0]) is None
