"""How English states what goes with what: systems, versions, sizes."""

from __future__ import annotations

import re

from policies.limits.patterns import PRONOUN, exact, rule

COMPATIBILITY_RULES = (
    exact(
        "only",
        r"\bonly \w+s (?:over|via|with|on|through|from|in|by) (?:[A-Z]{2,}[\w-]*"
        r"|[A-Za-z-]*\d[\w-]*|[A-Z][a-z]+[A-Z]\w*)",
    ),
    exact(
        "only",
        r"\b(?:accepts?|takes?|supports?|uses?|works? with"
        r"|runs? on) (?:[A-Z]{2,}[\w-]*|[A-Za-z-]*\d[\w-]*|[A-Z][a-z]+) only\b",
    ),
    exact(
        "only has have",
        r"\bonly (?:takes?|uses?|has|fits?) (?:[A-Z]{2,}[\w-]*|[A-Za-z-]*\d[\w-]*)"
        r"|\b(?:has|have) to (?:run|work|build) on [A-Z]",
    ),
    rule(
        "incompatible compatible",
        r"\b(?<!we're )(?<!we are )(?<!they're )(?:incompatible|n[o']t compatible"
        r"|only compatible) with (?!each|one|my personality)\w",
    ),
    rule(
        "only",
        r"\b(?:only (?:works?|runs?|fits?|supports?|accepts?|compatible)|(?:works?"
        r"|runs?|fits?|supports?|accepts?) only)\b(?! (?:when|if|for me|because))",
    ),
    rule(
        "not doesn't don't won't cannot can't",
        rf"\b(?!{PRONOUN}\b)[\w.+-]+ (?:does not|doesn't|do not|don't|will not|won't"
        rf"|cannot|can't) (?:support|work with|run on|run with|fit (?:in|on|into|a)"
        rf"|accept)\b",
    ),
    rule(
        "only",
        r"\b(?:drinks?|drinking|takes?|serve|served|coffee|tea|eats?|works?|runs?"
        r"|built|used?|ships?|comes?|available|install\w*|deploy\w*|charges?"
        r"|sold) only with (?!my|his|her|our|their|friends|family|people|you|me)\w",
    ),
)
NEEDS = rule(
    "requires require needs need must depends depend has",
    r"\b(?:requires?|needs?|must (?:run|be|use|have|support)|depends? on"
    r"|has to (?:run|use))\b(?P<what>[^.;,!?]{1,40})",
)
TECHNICAL = re.compile(
    r"\b(?:[A-Z]{2,}[\w-]*|[a-z]*[A-Z]?[A-Za-z-]*\d[\w-]*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}\b)"
)
