"""Phrases that speak for recall: earlier talk, the asker's own, work at hand, a recent time."""

from __future__ import annotations

from mnemolog.recall.detector.lexicon import PAST_TENSE
from mnemolog.recall.detector.sign_groups import Row

_TALK = (
    r"(?:say|said|mention(?:ed)?|tell|told|ask(?:ed)?|discuss(?:ed)?|talk(?:ed)?|decided?|agreed?"
    r"|recommend(?:ed)?|suggest(?:ed)?|br(?:ing|ought) up|shared?|described?|settled?|concluded?"
    r"|promised?|advised?|explain(?:ed)?|help(?:ed)?)"
)
_TALKED = (
    r"(?:mentioned|(?:told|asked) you|discussed|talked|spoke|decided on|agreed|recommended"
    r"|suggested|brought up|advised|promised|left off|concluded|settled|went over|said"
    r"|were (?:talking|discussing|working))"
)
_TALKS = r"(?:conversations?|discussions?|chats?|sessions?|messages)"
_WHAT = r"(?:what|who|when|where|which|why|how)"
_ONCE = r"(?:\w+ly |ever |first |also |just |had |have |last )?"
_PAST = rf"(?:\w{{3,}}ed|{'|'.join(sorted(PAST_TENSE))})"
_NUMBERED = (
    r"(?:pr|mr|(?:pull|merge) request|case|invoice|issue|ticket|bug|task|story|epic|rfc|adr"
    r"|commit|build|job|run)"
)
_FILE = (
    r"(?:py|js|ts|tsx|jsx|go|rs|java|cc?|cpp|hh?|hpp|rb|php|md|txt|json|ya?ml|toml|sql|sh|css|html"
    r"|csv|pdf|docx?|xlsx?|ipynb|cfg|ini|lock|log)"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SEASON = r"(?:spring|summer|autumn|fall|winter)"
_PERIOD = r"(?:week|month|year)"
# What happened on a day before 2000 is history, not memory.
_LATELY = r"(?! ?,? ?1\d{3})"
_KNOWING = r"(?:know|remember|have|recall)"
_HOW_MUCH = r"how (?:many|much|often|long|far|old|early|late)"

FOR: tuple[Row, ...] = (
    (
        "earlier talk",
        "whole",
        5,
        "i we you",
        (rf"\b(?:did|have|had) (?:i|we|you) (?:\w+ ){{0,2}}?{_TALK}\b",),
    ),
    ("earlier talk", "whole", 4.5, "i we you", (rf"\b(?:i|we|you) {_ONCE}{_TALKED}\b",)),
    (
        "earlier talk",
        "whole",
        4.5,
        "our my previous past prior earlier these all",
        (rf"\b(?:our|my|previous|past|prior|earlier|these|all) (?:\w+ )?{_TALKS}\b",),
    ),
    (
        "earlier talk",
        "whole",
        4.5,
        "remind you off last where catch fill bring",
        (
            rf"\bremind me (?:{_WHAT}|of|about|again|if|whether|the)\b",
            r"\b(?:do|can|could|if) you (?:still )?(?:remember|recall)\b",
            r"\bleft off\b|\bwhere (?:were|was) (?:we|i)\b",
            r"\b(?:catch|fill|bring) me (?:up|in)\b",
            r"\blast time (?:i|we|you)\b",
        ),
    ),
    (
        "earlier talk",
        "asked",
        3.5,
        "you",
        (
            r"\bdid you (?!know\b|hear\b)",
            r"\bhave you (?!ever\b|heard\b|got\b)",
            r"\bwere you\b",
            rf"\byou {_ONCE}{_PAST}\b",
            rf"\bwhat do you {_KNOWING} (?:about|on|of|from)\b",
        ),
    ),
    (
        "earlier talk",
        "whole",
        3.5,
        "my our i you we",
        (
            r"^(?:considering|given|based on|in light of) (?:my|our|what (?:i|you|we))\b",
            rf"\bwhat do we {_KNOWING} (?:about|on|of|from)\b",
            r"\b(?:your|my|our) (?:memory|notes|memories|history|ledger|records)\b",
        ),
    ),
    (
        "earlier talk",
        "asked",
        2,
        "then other previously earlier",
        (r"\b(?:back then|the other day|previously|earlier)\b",),
    ),
    ("the asker's doings", "asked", 4, "i we", (r"\b(?:did|had) (?:i|we)\b",)),
    (
        "the asker's doings",
        "asked",
        3.5,
        "i we i've we've",
        (
            r"\b(?:have|am|are|was|were) (?:i|we)\b",
            rf"\b(?:i|we) {_ONCE}{_PAST}\b",
            r"\b(?:i|we)'ve\b",
        ),
    ),
    (
        "the asker's doings",
        "asked",
        3,
        "i my me",
        (
            r"\bi (?:am|plan|want|hope|like|prefer|have|own|use|aim)\b",
            r"\btake (?:for )?me\b",
            rf"\b{_PAST} (?:me|us)\b",
            rf"\b{_HOW_MUCH} (?:\S+ ){{0,6}}?(?:do|does) (?:i|my)\b",
            (
                r"\b(?:which|what|who|when|where) (?:\S+ ){0,6}?(?:do|does) (?:i|my)\b"
                r"(?! (?:do|go about|get|need to|have to)\b)"
            ),
        ),
    ),
    (
        "the asker's doings",
        "asked",
        2,
        "i we",
        (
            r"\bhow do we\b",
            r"(?<!how )(?<!where )\bdo i\b",
            r"\bdo we (?:have|use|need|still|know|keep|own|want|store|run)\b",
        ),
    ),
    (
        # Advice to someone who tells of themselves rests on what is known of them.
        "the asker's own",
        "whole",
        4.5,
        "i i'm i've my me we we're our",
        (
            r"\bany (?:\w+ )?(?:tips|advice|suggestions?|recommendations?|ideas)\b",
            r"\b(?:can|could|would) you (?:please )?(?:suggest|recommend)\b",
            r"\bdo you think\b",
        ),
    ),
    ("the asker's own", "asked", 3, "my our mine ours", (r"\b(?:my|our|mine|ours)\b",)),
    ("the asker's own", "asked", 1, "me us", (r"\b(?:me|us)\b",)),
    (
        "work at hand",
        "whole",
        4,
        "",
        (
            rf"\b{_NUMBERED} ?(?:#|no\.? ?|number )?\d+\b",
            r"(?:^|\s)#\d+\b",
            r"\b[a-z]{2,6}-\d{2,}\b",
        ),
    ),
    (
        "work at hand",
        "whole",
        3.5,
        """status progress state where left what's still next latest news update
        updates far""",
        (
            r"\bstatus (?:of|on|for)\b",
            r"\bprogress (?:on|of|with|so far)\b",
            r"\bstate of the\b",
            r"\bwhere (?:are|do) we (?:on|with|stand)\b",
            r"\bleft to do\b",
            r"\bwhat's (?:left|next|pending|open|blocking)\b",
            r"\bstill (?:open|blocked|failing|to do)\b",
            r"\bnext steps?\b",
            r"\b(?:latest|news|updates?) (?:on|about|from)\b",
            r"\bhow far (?:along|are we)\b",
        ),
    ),
    ("work at hand", "whole", 2.5, "", (rf"\b[\w/-]+\.{_FILE}\b",)),
    (
        "work at hand",
        "asked",
        2.5,
        "who",
        (
            (
                r"\bwho (?:is |was |else is )?"
                r"(?:working on|owns|reviewed|approved|merged|maintains|signed off)\b"
            ),
        ),
    ),
    (
        "a time",
        "whole",
        2,
        "",
        (
            rf"\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?!\d){_LATELY}",
            rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b{_LATELY}",
            r"\b20[0-3]\d-\d\d-\d\d\b",
            r"\b\d\d?[./]\d\d?[./]20\d\d\b",
        ),
    ),
    (
        "a time",
        "whole",
        1.5,
        "",
        (
            rf"\blast (?:night|weekend|{_PERIOD}|{_SEASON}|{_WEEKDAY})\b",
            rf"\bthis (?:morning|weekend|summer|winter|{_PERIOD})\b",
            rf"\b(?:day|{_PERIOD})s? ago\b",
            rf"\bnext {_PERIOD}\b",
            r"\b(?:yesterday|recently|lately|so far|upcoming|these days|scheduled|due)\b",
        ),
    ),
    (
        "a time",
        "whole",
        1,
        "",
        (
            r"\b20[0-3]\d\b",
            r"\bcurrent(?:ly)?\b",
            rf"\b(?:in|for|since|by|until) {_MONTH}\b{_LATELY}",
        ),
    ),
)
