"""What is so no longer, and one thing against another."""

from __future__ import annotations

from collections.abc import Iterator

from mnemolog.policies.corrections.patterns import GAP, Form, form

_NOT = r"(?:isn't|is not|aren't|are not|wasn't|was not|weren't|'s not|'re not|am not|'m not)"
_DO_NOT = r"(?:doesn't|does not|don't|do not|didn't|did not|hasn't|has not|haven't|have not)"
_PRONOUN_IS = (
    r"(?:it|that|this|he|she|they|we|i)(?:'s|'re|'m|\s+(?:is|are|am|was|were|has|have"
    r"|should be))?"
)


def denials() -> Iterator[Form]:
    """What was so and is so no longer."""
    also = r"(?P<rest>(?:(?:\s*[,;:.—\u2013]+|\s+-|\s+but|\s+and now)\s*.*)?)"
    yield form(
        "no-longer-is",
        rf"^(?P<about>[^,;:]+?)(?P<verb>'s|'re|'m|\s+(?:is|are|am|was|has|have|can|may"
        rf"|does))\s+no longer\s+(?!than\b)(?P<old>[^,;:—\u2013]+?){also}$",
    )
    yield form(
        "no-longer",
        r"^(?P<about>[^,;:]+?)\s+no longer\s+(?!than\b)(?P<verb>\w+)\s*"
        rf"(?P<old>[^,;:—\u2013]*?){also}$",
    )
    yield form(
        "not-anymore",
        rf"^(?P<about>[^,;:]+?){GAP}(?:{_NOT}|{_DO_NOT}|can't"
        rf"|cannot)\s+(?P<old>[^,;:—\u2013]+?)\s+(?:any ?more|any longer|these days"
        rf"|nowadays|after all){also}$",
    )
    yield form(
        "no-longer",
        rf"^(?P<about>[^,;:]+?)\s+(?P<verb>\w+)\s+(?P<old>[^,;:—\u2013]*?)\s*\b(?:no more"
        rf"|no longer)(?!\s+than){also}",
    )
    yield form(
        "no-more",
        rf"^there(?:'s|\s+is|\s+are|\s+will be)?\s*(?:isn't|aren't|is not|are not)?\s*(?:no|any"
        rf"|an?)?\s*(?:longer\s+)?(?:an?\s+|any\s+)?(?P<old>[^,;:—\u2013]+?)\s+(?:any ?more"
        rf"|any longer|now|these days){also}$",
        "thing",
    )
    yield form(
        "there-no-longer",
        rf"^there(?:'s|\s+is|\s+are)\s+no\s+(?:longer|more)\s+(?:an?\s+"
        rf"|any\s+)?(?P<old>[^,;:—\u2013]+?){also}$",
        "thing",
    )
    yield form("no-more-of", rf"^no more\s+(?P<old>[^,;:—\u2013]+?)(?:\s+for us)?{also}$", "thing")
    yield form(
        "used-to",
        r"^(?P<about>[^,;:]+?)\s+used to\s+(?P<old>[^;:—\u2013]+?)(?:\s*[,;—\u2013]"
        r"|\s+-)?\s+(?:but|and|now|yet|though|until)\b\s*(?P<rest>.+)$",
    )


def contrasts() -> Iterator[Form]:
    """One thing against another: 'not X but Y'."""
    but = (
        rf"(?:\s*[,;:.—\u2013]+\s*|\s+-\s+|\s+)(?:but(?:\s+rather|\s+instead"
        rf"|\s+(?={_PRONOUN_IS}))?|rather|instead"
        rf"|(?={_PRONOUN_IS}\b))\s*(?:{_PRONOUN_IS}\b\s*)?(?:rather\s+|actually\s+|now\s+"
        rf"|instead\s+|really\s+)?"
    )
    yield form(
        "is-not-but",
        rf"^(?P<about>[^,;:]+?){GAP}{_NOT}\s+(?P<old>[^,;:—\u2013]+?){but}(?P<new>.+)$",
        "value",
    )
    yield form(
        "does-not-but",
        rf"^(?P<about>[^,;:]+?)\s+(?:doesn't|does not|don't|do not|didn't"
        rf"|did not)\s+(?P<verb>\w+)\s+(?P<old>[^,;:—\u2013]+?"
        rf"){but}(?P<rest>.+)$",
        "value",
    )
    against = (
        r"(?:(?:\s*,|\s+and|\s+[—\u2013-]+|\s*\()\s*(?:and\s+)?(?:definitely\s+"
        r"|certainly\s+)?not(?!\s+(?:counting|including|mentioning|considering|only|just|even|yet"
        r"|quite|far|until|because|that|to)\b)|\s+now\s+not|\s+not(?=\s+[$€£]?\d)|,?\s+rather than"
        r"|,?\s+instead of|,?\s+as opposed to|,?\s+in place of"
        r"|,?(?<!\bis)(?<!\bare)(?<!'s)\s+no longer(?!\s+than)"
        r"|,?\s+(?:formerly|previously)|\s*\((?=\w+\s[^()]+\)$)(?:was|formerly)"
        r"|,\s+(?:up|down) from)"
    )
    yield form(
        "not-old",
        rf"^(?P<new>.+?){against}\s+(?P<old>[^,;:]+?)(?:\s+any ?more|,?\s+(?:as|like)\s+(?:i"
        rf"|you|we|it|the)\b.*|,?\s+which (?:is|was).*)?\)?$",
        "value",
    )
    yield form(
        "was-but-is",
        r"^(?P<about>[^,;:]+?)\s+(?:was|were|used to be)\s+(?P<old>[^,;:]+?)"
        r"(?:\s*,?\s+(?:but|and)\s+|\s*[,;]\s*(?=now\b))"
        r"(?:(?:it\s+)?(?:is|are)\s+now|now\s+(?:it['\u2019]s|(?:it\s+)?(?:is|are)))\s+(?P<new>.+)$",
        "value",
    )
    yield form(
        "prefers-over",
        r"^(?P<new>.+?\s(?:now|these days)\s+(?:prefers?|likes?)\s.+?)\s+(?:over|to|more than"
        r"|better than)\s+(?P<old>[^,;:]+?)$",
        "value",
    )
    yield form(
        "instead-of-first",
        r"^(?:(?:(?:it|that)(?:'s| is| was)\s+)?(?:instead of|rather than|not|never)"
        r"|(?:it|that) (?:isn't|wasn't))\s+(?P<old>[^,;:—\u2013]+?)"
        r"(?:\s*[,;:—\u2013]+\s*(?:but\s+)?|\s+but\s+)(?P<new>.+)$",
        "value",
    )
