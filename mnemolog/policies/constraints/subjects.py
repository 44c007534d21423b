"""Whom a statement is about."""

from __future__ import annotations

import re

from mnemolog.language.patterns import regex
from mnemolog.language.word_lists import word_set
from mnemolog.language.words.letters import plain_letters

USER = "user"
"""Stands for whoever speaks."""


def is_named(subject: str) -> bool:
    """Whether a subject is somebody's name, rather than a son, a guest or whoever speaks."""
    return subject != USER and _RELATIVE.match(f"the {subject}") is None


_FIRST_PERSON = regex(r"\b(?:I|I'm|I've|me|my|mine|we|we're|us|our|ours)\b")
_STATE = (
    r"(?:(?:severely |deathly |badly |also |highly |now |a |an |on |strict "
    r"|strictly )*(?:allergic|intolerant|vegan|vegetarian|pescatarian|teetotal\w*"
    r"|diabetic|epileptic|asthmatic|c(?:o)?eliac|lactose|gluten|pregnant|away|on|abroad"
    r"|unavailable|available|blind|deaf|afraid|colou?r|sensitive|recovering"
    r"|breastfeeding|immunocompromised|tall|type))"
)
_HUMAN = (
    r"(?:do|does|bears?|gets?|requires?|needs?|wants?|lives?|comes?|goes|loves?|plays?|rides?"
    r"|refuses?|sends?|eats?|drinks?|takes?|fl(?:y|ies)|drives?|walks?|sleeps?|smokes?|wears?|travels?"
    r"|sits?|climbs?|tolerates?|stands?|affords?|spends?|pays?|be given|avoids?|swims?"
    r"|lifts?|commutes?|prefers?|hates?|dislikes?|works?|hears?|sees?|keeps kosher"
    r"|reacts?|suffers?|carr(?:y|ies)|stays?|leaves?|arrives?|attends?|meets?|uses?)"
)
_NAMED = regex(
    rf"\b(?P<name>[A-Z][a-z]+)(?: [A-Z][a-z]+)?(?: and (?P<other>[A-Z][a-z]+))?,? (?:"
    rf"(?:is|are|'s|was) (?:not )?{_STATE}\b"
    rf"|(?:(?:can ?not|can't|must ?n[o']t|must never|must|should not|should never"
    rf"|shouldn't|should|may not|does not|doesn't|do not|don't|never|won't"
    rf"|will not|has to|have to|needs to|only|no longer|always|must only"
    rf"|is not allowed to|can only|will only|is allergic|refuses to"
    rf"|is on) )?{_HUMAN}\b"
    rf"|(?:has|have|suffers from|'s got) (?:[\w-]+ ){{0,4}}?(?:allerg|intoleran"
    rf"|asthma|epilepsy|diabetes|ulcer|phobia|condition|surgery|injury)"
    rf"|(?:needs|uses) (?:a |an )?(?:wheelchair|step|ramp|crutches|lift))"
)
_OWNED = regex(
    r"\b(?P<name>[A-Z][a-z]+)'s (?=(?:[\w-]+ ){0,3}?(?:allerg|budget|intoleran|diet"
    r"|doctor|limit|deadline|ceiling|calendar|medication|religion|condition|price"
    r"|maximum|laptop|phone|camera|wedding|birthday|team))"
)
_TITLED = regex(
    r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Uncle|Aunt|Auntie|Cousin|Coach|Granny|Grandma|Grandpa)"
    r"\.? (?P<name>[A-Z][a-z]+)"
)
_FAMILY = regex(r"\b(?P<name>Grandma|Grandpa|Granny|Gran|Mum|Mom|Dad|Mother|Father)\b(?! [A-Z])")
_OWNER = regex(r"^(?P<name>[A-Z][a-z]+)'s (?=[a-z])")
_FOR = regex(r"\b(?:for|with|to|near|around|by) (?P<name>[A-Z][a-z]+)\b(?!'s)(?! [A-Z\d])")
_RELATIVE = regex(
    r"\b(?:my|our|his|her|their|the) (?P<name>son|daughter|wife|husband|partner"
    r"|mother|mum|mom|father|dad|sister|brother|child|kid|baby|boss"
    r"|friend|colleague|grandmother|grandfather|grandma|grandpa|aunt|uncle|cousin"
    r"|nephew|niece|flatmate|roommate|manager|dog|cat|neighbou?r|guest|client"
    r"|patient|boyfriend|girlfriend|fianc[eé]e?)s?\b",
    re.IGNORECASE,
)
_NO_PERSON = word_set(
    "we i my she he they you it's who people dishes pets the this that it our all a"
    "ny every each no never do please only budget keep avoid always monday tuesday "
    "wednesday"
    " thursday friday saturday sunday january february march april may june july au"
    "gust september october november"
    " december everything anything nothing everyone nobody someone there what when "
    "where who new must max maximum"
    " minimum deadline note important people guests total python windows linux post"
    "gres usb macos java node"
)


def about(text: str, source: str | None = None) -> tuple[str, ...]:
    """The people whom a statement is about, in lowercase, 'user' among them for whoever speaks."""
    plain = plain_letters(text)
    found = [
        name.lower()
        for pattern in (_NAMED, _OWNED, _OWNER, _TITLED, _FAMILY, _FOR)
        for match in pattern.finditer(plain)
        for name in (match["name"], match.groupdict().get("other"))
        if name and name.lower() not in _NO_PERSON
    ]
    found += [match["name"].lower() for match in _RELATIVE.finditer(plain)]
    if not found and _FIRST_PERSON.search(plain):
        found.append(USER)
        scheme, _, name = (source or "").partition(":")
        if scheme == "user" and name:
            found.append(re.split(r"[\W_]", name.lower())[0])
    return tuple(dict.fromkeys(found))
