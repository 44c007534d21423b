"""Wordings that say a statement in another form: settings, orders, and nobody for everybody."""

from __future__ import annotations

import re

from ledger.patterns import regex
from policies.statements.english import noun, words
from policies.statements.lexicon import ATTRIBUTES, SOLE

_LONGEST_KEY = 4
_LONGEST_VALUE = 4
_SETTING = regex(
    r"(?P<k>[A-Za-z][\w .'-]*?)\s*(?::\s+|\s=\s|=(?=\S))(?P<v>[^\s:=][^:=\n]*?)[.]?", re.ASCII
)
# What these name is of somebody whom the line does not name: 'Name: Ann', 'Name: Ben'.
_OF_SOMEBODY = words(
    "name surname title id url song film book food band drink role key event subject topic "
    "address email phone number age birth city country score time date start end launch "
    "location place person weight height temperature speed mood size product author lead own"
)


def setting(text: str) -> str | None:
    """A line 'port: 8080' or 'max_retries = 3' as the sentence that it stands for, else None."""
    match = _SETTING.fullmatch(text.strip())
    if match is None:
        return None
    key = match["k"].replace("_", " ").replace(".", " ").strip()
    named = key.split()
    if len(named) > _LONGEST_KEY or len(match["v"].split()) > _LONGEST_VALUE:
        return None
    head = noun(named[-1])
    bare = len(named) == 1 or named[0].lower() in {"the", "a", "an"}
    sole = any(noun(word) in SOLE for word in named)
    technical = re.search(r"\w[_.]\w", match["k"]) is not None
    if not sole and not technical and (head not in ATTRIBUTES or (bare and head in _OF_SOMEBODY)):
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
        (r"\b(?:has|have) an? (\w+) allergy$", r"is allergic to \1"),
        (r"\b(?:am|is|are) fluent in (?=\w)", "speaks "),
        # A note on a user often leaves the user out.
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
_NONE = regex(r"^(?:no|none of the) (?P<s>(?:[\w-]+ ){1,3}?)(?=(?:is|are|was|were|has|have|had"
                   r"|can|will|should|must|does|do|\w+s|get|use|need|work|live|run|like|support"
                   r"|know|agree|pay|own)\b)", re.IGNORECASE)  # fmt: skip


def spelled_out(clause: str) -> str:
    """A clause in the form in which it can be compared: orders, wishes and nobody rewritten."""
    for pattern, form in _SPELLED:
        clause = pattern.sub(form, clause)
    match = _NONE.match(clause)
    if match is None:
        return clause
    first, _, rest = clause[match.end() :].partition(" ")
    auxiliary = re.fullmatch(r"is|are|was|were|has|can|will|should|must|does|do", first)
    verb = f"{first} not {rest}" if auxiliary else f"not {first} {rest}"
    return f"all {match['s']}{verb}"
