"""Rewordings of statements in other forms: settings, orders, 'nobody' and 'everybody'."""

from __future__ import annotations

import re

from mnemolog.language.morphology import verb_forms
from mnemolog.language.patterns import regex
from mnemolog.language.words.english import BE, DETERMINERS, DO, MODAL, PREPOSITIONS, noun
from mnemolog.language.words.lexicon import LEXICON

_LONGEST_KEY = 4
_LONGEST_VALUE = 4
_SETTING = regex(
    r"(?P<k>[A-Za-z][\w .'-]*?)\s*(?::\s+|\s=\s|=(?=\S))(?P<v>[^\s:=][^:=\n]*?)[.]?", re.ASCII
)


def setting(text: str) -> str | None:
    """Sentence for a setting such as 'port: 8080' or 'max_retries = 3'; None for other text."""
    match = _SETTING.fullmatch(text.strip())
    if match is None:
        return None
    key = match["k"].replace("_", " ").replace(".", " ").strip()
    named = key.split()
    if len(named) > _LONGEST_KEY or len(match["v"].split()) > _LONGEST_VALUE:
        return None
    head = noun(named[-1])
    bare = len(named) == 1 or named[0].lower() in {"the", "a", "an"}
    sole = any(noun(word) in LEXICON.words("sole") for word in named)
    technical = re.search(r"\w[_.]\w", match["k"]) is not None
    if (
        not sole
        and not technical
        and (
            head not in LEXICON.words("attributes")
            or (bare and head in LEXICON.words("keys_of_somebody"))
        )
    ):
        return None
    owned = re.match(r"(?:the|my|our|his|her)\b|\w+'s\b", key, re.IGNORECASE)
    return f"{'' if owned else 'The '}{key} is {match['v']}"


_SPELLED = tuple(
    (regex(pattern, re.IGNORECASE), spelled)
    for pattern, spelled in (
        (r"^please (?=\w)", ""),
        (r"^(?:do not|don't|dont) (?=\w)", "never "),
        (r"^(?:never,? ever|under no circumstances) ", "never "),
        (r"^(?:always|only ever) (?=[a-z])", "always "),
        (
            r"^((?:always |never )?)ask (?=before |me before |for (?:permission|confirmation))",
            r"\1check ",
        ),
        (
            (
                r"\b(?:has|have) no (?:known )?(\w+) allerg(?:y|ies)$"
                r"|\b(?:does|do) not have an? (\w+) allergy$"
            ),
            r"is not allergic to \1\2",
        ),
        (r"\b(?:has|have) an? (\w+) allergy$", r"is allergic to \1"),
        (r"\b(?:am|is|are) (?:not able|unable) to (?=\w)", "can not "),
        (r"\b(?:am|is|are) able to (?=\w)", "can "),
        (r"\b(?:does|do) not know how to (?=\w)", "can not "),
        (r"\b(?:knows|know) how to (?=\w)", "can "),
        (r"\b(?:has|have) (?:got )?an? (?:wife|husband|spouse)$", "is married"),
        (r"\bdates (?:back )?(?:from|to) (?=\d{4}$)", "was built in "),
        (r"\bgrew up in (?=(?-i:[A-Z]))", "was raised in "),
        (r"^you (?=(?:do not )?(?:need|must|have to|can|may)\b)", "All people "),
        (r"(?<=s )may not (?=\w)", "can not "),
        (r"^((?:All |The )?(?-i:[A-Z]?)\w+s(?: under \d+)?) may (?=\w)", r"\1 can "),
        (r"^we (retain|keep) (\S.*?) (?=for \d)", r"\2 are kept "),
        (r"^we delete (\S.*?) (?=after \d)", r"\1 are deleted "),
        (r"\b(is|are) retained (?=for)", r"\1 kept "),
        (r"\bcan be found (?=(?:in|on|at|under|behind|near) )", "is "),
        (r"\b(?:is|are|am) (not )?(?:allowed|permitted) to (?=\w)", r"can \1"),
        (r"^for ((?:\w+ ?){1,3}), (\w+(?: \w+){0,3}? uses? [^,]+)$", r"\2 for \1"),
        (r"\bbased out of (?=\w)", "based in "),
        (r"\b(?:earns|earn) (?:a|his|her|my|their|our) living as (?=an? )", "works as "),
        (r" by (?:profession|trade)$", ""),
        (r"\bcan be reached (?:at|on|under) (?=[+\d])", "has phone number "),
        (
            (
                r"\b(?:likes?|loves?|enjoys?) (?=\S.* (?:more|better) than )(\S.*?) "
                r"(?:more|better) than (?=\w)"
            ),
            r"prefers \1 over ",
        ),
        (
            r"\b(?:would|'d) rather (?:have |drink |eat |use )?(\S.*?) than (?=\w)",
            r"prefers \1 over ",
        ),
        (r"^the (\w+) (\S.*?) (?:likes|loves|enjoys) (?:best|most) is ", r"\2's favourite \1 is "),
        (
            (
                r"\b(for|after|within|in|every|lasts?|takes?) an? "
                r"(?=(?:minute|hour|day|week|month|year)$)"
            ),
            r"\1 1 ",
        ),
        (r"^(?:not a single one|not one|not any) of (?:the|our|my|these|those) (?=\w)", "No "),
        (r"^none of (?:the|our|my|your|his|her|their|these|those) (?=\w)", "No "),
        (r"^(?:not a single|not one) (?=(?!of)\w)", "No "),
        (r"^(?:each|every one|all) of (?:the|our|my|these|those) (?=\w)", "All "),
        (r"\b(?:am|is|are) fluent in (?=\w)", "speaks "),
        # Notes on a user often omit the subject.
        (
            (
                r"^(?=(?-i:[A-Z]))(?=(?:prefers|likes|loves|hates|dislikes|enjoys|lives|works"
                r"|speaks|drinks|eats|wants|owns) )"
            ),
            "The user ",
        ),
        (r"^(?:call me|address me as) (?=(?-i:[A-Z]))", "My nickname is "),
        (r"\bi go by (?=(?-i:[A-Z]))", "My nickname is "),
        (
            r"^(.+?) has (high|low|medium|normal|top|critical) (priority|severity|risk)$",
            r"The \3 of \1 is \2",
        ),
        (r"^(?:nobody|no one|no-one|none)(?= (?:of|on|in|at|from)\b.* )", "No people"),
        (r"^(?:nobody|no one|no-one) (?=\w)", "No people "),
        (r"^(?:everybody|everyone)\b", "All people"),
        (r"\b(wants?|would like) to (?:receive|get|see|have) (?=\w)", r"want "),
        (r"\bas of (?:today|now|this (?:week|month|year)),? ?", ""),
    )
)
_QUANTIFIED = regex(r"^(?P<q>no|not (?:all|every|each)(?: of (?:the|our|my|these|those))?) (?=\w)",
                    re.IGNORECASE)  # fmt: skip
_LONGEST_SUBJECT = 6


def spelled_out(clause: str) -> str:
    """Clause in comparable form: orders, wishes and quantified subjects rewritten."""
    for pattern, form in _SPELLED:
        clause = pattern.sub(form, clause)
    match = _QUANTIFIED.match(clause)
    return clause if match is None else _denied(match["q"].lower(), clause[match.end() :]) or clause


def _denied(quantifier: str, said: str) -> str | None:
    """Negated clause: 'no X' as 'all X … not', 'not all X' as 'some X … not'."""
    who = "all" if quantifier == "no" else "some"
    words = said.split()
    for at in range(1, min(len(words), _LONGEST_SUBJECT + 1)):
        before, word = words[at - 1].lower(), words[at].lower()
        form = verb_forms().get(word)
        helps = word in BE | MODAL | DO or word in {"has", "have", "had"}
        finite = form is not None and form.form != "ing"
        if not helps and (not finite or before in DETERMINERS | PREPOSITIONS):
            continue
        subject, rest = " ".join(words[:at]), " ".join(words[at + 1 :])
        plain = word in {"has", "have", "had"} or not helps
        verb = f"not {words[at]} {rest}" if plain else f"{words[at]} not {rest}"
        return f"{who} {subject} {verb}"
    return None
