"""People whom a statement is about."""

from __future__ import annotations

import re

from mnemolog.language.patterns import plain_letters, regex
from mnemolog.policies.constraints.lists import LISTS

USER = "user"
"""Name of the speaker."""


def is_named(subject: str) -> bool:
    """True if a subject is a name, rather than a son, a guest or the speaker."""
    return subject != USER and _RELATIVE.match(f"the {subject}") is None


_FIRST_PERSON = regex(r"\b(?:I|I'm|I've|me|my|mine|we|we're|us|our|ours)\b")
_NAMED = LISTS.pattern("named")
_OWNED = LISTS.pattern("owned")
_TITLED = LISTS.pattern("titled")
_FAMILY = regex(r"\b(?P<name>Grandma|Grandpa|Granny|Gran|Mum|Mom|Dad|Mother|Father)\b(?! [A-Z])")
_OWNER = regex(r"^(?P<name>[A-Z][a-z]+)'s (?=[a-z])")
_FOR = regex(r"\b(?:for|with|to|near|around|by) (?P<name>[A-Z][a-z]+)\b(?!'s)(?! [A-Z\d])")
_RELATIVE = LISTS.pattern("relative")


def about(text: str, source: str | None = None) -> tuple[str, ...]:
    """People whom a statement is about, in lowercase; 'user' is the speaker."""
    plain = plain_letters(text)
    found = [
        name.lower()
        for pattern in (_NAMED, _OWNED, _OWNER, _TITLED, _FAMILY, _FOR)
        for match in pattern.finditer(plain)
        for name in (match["name"], match.groupdict().get("other"))
        if name and name.lower() not in LISTS.words("no_person")
    ]
    found += [match["name"].lower() for match in _RELATIVE.finditer(plain)]
    if not found and _FIRST_PERSON.search(plain):
        found.append(USER)
        scheme, _, name = (source or "").partition(":")
        if scheme == "user" and name:
            found.append(re.split(r"[\W_]", name.lower())[0])
    return tuple(dict.fromkeys(found))
