"""How English states what goes with what: systems, versions, sizes."""

from __future__ import annotations

from mnemolog.language.patterns import regex
from mnemolog.policies.constraints.shared_patterns import PRONOUN, exact, rule

_TECHNICAL = r"(?:[A-Z]{2,}[\w-]*|[A-Z]?[\w-]*\d[\w.-]*|[A-Z][a-z]+[A-Z]\w*)"
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
TECHNICAL = regex(
    r"\b(?:[A-Z]{2,}[\w-]*|[a-z]*[A-Z]?[A-Za-z-]*\d[\w-]*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}\b)"
)

FITTINGS = (
    exact(
        "only",
        r"\bonly (?:speaks?|reads?|understands?|plays?|knows?|handles?"
        r"|opens?) [A-Z\d][\w-]*[A-Z\d]",
    ),
    exact(
        "can't cannot",
        r"\b(?:[Tt]he|[Oo]ur|[Mm]y|[Tt]his) [\w ]{2,30}? (?:can't|cannot) (?:read|open|play"
        r"|handle|process|use|take|print|run) [\w ]{0,12}\b(?:[A-Z]{2,}|[A-Z]?\w*\d)",
    ),
    rule(
        "newest latest oldest highest biggest largest most",
        r"\bis the (?:newest|latest|oldest|highest|biggest|largest|most) (?:that )?(?:i|we|it"
        r"|they) (?:can|may) (?:run|use|take|fit|support|install|carry|pay|spend|afford)\b",
    ),
    exact(
        "supported compatible available",
        r"\b(?:isn't|aren't|is not|are not|not|no longer) (?:supported|compatible"
        r"|available) (?:on|by|in|with|for) (?!me\b|my\b)\w",
    ),
    rule(
        "no without lacks",
        r"\b(?:has|have|with|lacks) (?:no )?[\w.+-]+ (?:input|ports?|slots?|support|drivers?"
        r"|connectors?|outputs?)\b(?<!has a port)(?<=\w)"
        r"(?=[.,;]|$| (?:so|and|at all)\b)",
    ),
    exact(
        "fails fail breaks break crashes crash",
        r"\b(?:fails?|breaks?|crashes) (?:on|with|under) (?:[a-z]+ )?(?:[\w ]{0,20}(?:older"
        r"|newer|earlier|later) than|[A-Z]\w+ \d|[A-Z]{2,})",
    ),
    rule(
        "frozen stuck pinned locked",
        r"\b(?:frozen|stuck|pinned|locked|held) (?:at|on|to|with|in) (?:[\w.-]+ )?(?:version "
        r"|release |v)\d",
    ),
    rule(
        "support",
        r"^(?:we |you |it |the \w+ )?(?:have to|has to|must|needs? to) support (?!each\b"
        r"|one\b|him\b|her\b|them\b|you\b|me\b|us\b|my\b)\w",
    ),
    rule("use", r"^(?:please )?use [^.;,?]{2,40}, not \w"),
    exact("only", rf"\b(?:has|have|with) only (?:an? |one |two )?{_TECHNICAL}\b"),
    rule(
        "exclusively solely",
        r"\b(?:works?|runs?|fits?|compatible|available|used?|takes?|accepts?|supports?|built"
        r"|designed|sold|eats?|drinks?) (?:exclusively|solely)\b"
        r"|\b(?:exclusively|solely) (?:works?|runs?|fits?|uses?|supports?|accepts?|takes?)\b",
    ),
    rule(
        "nothing",
        r"\b(?:accepts?|takes?|supports?|runs?(?: on)?|uses?|eats?|drinks?|allows?|fits?|reads?"
        r"|works? with) nothing (?:but|except|other than)\b",
    ),
    exact(
        "stuck pinned locked tied frozen limited restricted confined",
        r"\b(?:stuck|pinned|locked|tied|frozen|limited|restricted|confined)(?: in)? (?:on|to|at"
        rf"|with) (?:[A-Z][\w.+#-]* ?)*{_TECHNICAL}",
    ),
    exact(
        "pin stay stick lock freeze remain keep",
        r"^(?:[Pp]lease )?(?:[Pp]in|[Ss]tay|[Ss]tick|[Ll]ock|[Ff]reeze|[Rr]emain|[Kk]eep)"
        r"\b[^.;,!?]{1,30}\b[\w-]*\d+(?:\.\d+)*\b(?! (?:minutes|hours|days|weeks|people|times|am"
        r"|pm))",
    ),
    exact(
        "upgrade update downgrade move",
        r"\b(?:[Nn]ever|[Dd]on't|[Dd]o not|must not|mustn't) (?:upgrade|update|downgrade|move)"
        r"[^.;]{1,30}\d",
    ),
    rule(
        "incompatible conflicts conflict clashes clash breaks",
        r"\b(?:conflicts?|clash(?:es)?) with (?!me\b|you\b|my\b|your\b|us\b|each\b)[\w-]*\d"
        r"|\bis incompatible\b|\bare incompatible\b",
    ),
    exact(
        "need needs require requires requirement requirements",
        r"\b(?:[Nn]eeds?|[Rr]equires?) (?:at least|a minimum of|no more than|at most)"
        r" \d+(?:[.,]\d+)? ?(?:GB|TB|MB|GHz|Mbps|Gbps|W|V|A|px)\b",
    ),
)
