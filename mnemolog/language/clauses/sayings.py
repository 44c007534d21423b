"""Readings of predicates: English wordings, the positive of each, and whether it denies that."""

from __future__ import annotations

import re

from mnemolog.language.patterns import regex

Readings = tuple[tuple[re.Pattern[str], str, bool], ...]
SAME: Readings = tuple(
    (regex(pattern), said, denies)
    for pattern, said, denies in (
        (r"be (?:a )?(?:strict )?vegetarian\b.*", "eat meat", True),
        (r"be (?:a )?(?:strict )?vegan\b.*", "eat animal product", True),
        (
            r"(?:eat|follow|keep|have) (?:a |an )?(?:strict )?vegetarian(?: diet)?$",
            "eat meat",
            True,
        ),
        (
            r"(?:eat|follow|keep|have) (?:a |an )?(?:strict )?vegan(?: diet)?$",
            "eat animal product",
            True,
        ),
        (r"work for (?=[A-Z])", "work at ", False),
        (r"be employed (?:by|at) (?=[A-Z])", "work at ", False),
        (r"leave (?=[A-Z])", "work at ", True),
        (
            r"(?:quit|resign from) (?:(?:his|her|my|their|the) )?(?:job at )?(?=[A-Z])",
            "work at ",
            True,
        ),
        (r"be retired\b.*|retire$", "work", True),
        (r"(?:distrust|mistrust|not trust)\b", "trust", True),
        (r"disagree\b", "agree", True),
        (r"disapprove of\b", "approve of", True),
        (r"oppose\b", "support", True),
        (r"be (?:against|opposed to)\b", "be in favour of", True),
        (r"be in favor of\b", "be in favour of", False),
        (r"ignore\b", "follow", True),
        (r"avoid (?:all |any )?(?:use |using )?", "use ", True),
        (r"succeed$|be (?:an? )?(?:\w+ )?success(?:ful)?$", "pass", False),
        (r"be (?:an? )?(?:\w+ )?failure$|be unsuccessful$|fail$", "pass", True),
        (r"fail\b", "pass", True),
        (r"have (?:an? |any )?dependenc(?:y|ies) on ", "depend on ", False),
        (r"have no dependenc(?:y|ies) on |be independent of ", "depend on ", True),
        (r"be dependent on ", "depend on ", False),
        (
            r"be in (?:good )?working order$|work(?: fine| well| properly| again| as expected)?$",
            "be working",
            False,
        ),
        (r"expire$|lapse$", "be in force", True),
        (r"be (?:still )?(?:valid|in effect)$", "be in force", False),
        (r"run$", "be running", False),
        (r"exclude\b", "include", True),
        (r"own (?:an?|any) (?=\w)", "have ", False),
        (r"(?:cancel|sell|get rid of) (?:the|his|her|their|my|our) (?=\w)", "have ", True),
        (
            (
                r"(?:decline|turn down) (?=(?:the|his|her|their|my|our) (?:\w+ )?"
                r"(?:offer|invitation|job|request|terms|apology)\b)"
            ),
            "accept ",
            True,
        ),
        (r"be (?:a )?(?:coeliac|celiac)\b", "use gluten", True),
        (r"be lactose[- ]intolerant\b", "use lactose", True),
        (r"be gluten[- ]intolerant\b", "use gluten", True),
        (r"(?:can )?(?:tolerate|eat|digest) (?=(?:lactose|gluten)\b)", "use ", False),
        (r"(?:switch|migrate) (?:over )?(?:from .+ )?to (?=[A-Z])|adopt (?=\w)", "use ", False),
        (r"(?:stay|remain) (?=\w+$)", "be ", False),
        (r"lose (?=(?:the|his|her|their|our|my|against) )", "win ", True),
        (r"(?:miss|skip) (?=(?:the|his|her|their|our|my|\w+'s) )", "attend ", True),
        (
            (
                r"be (?:present )?at (?=(?:the|his|her|their|our|my) (?:\w+ )?(?:meeting|wedding"
                r"|party|conference|hearing|ceremony|funeral|workshop|rehearsal)\b)"
            ),
            "attend ",
            False,
        ),
        (r"forget (?=(?:the|his|her|their|our|my|how|to)\b)", "remember ", True),
        (r"(?:worsen|degrade|harm|hurt|impair)\b", "improve", True),
        (r"(?:block|prevent)(?= \w)", "allow", True),
        (r"(?:hinder|impede|hamper)\b", "help", True),
        (r"weaken\b", "strengthen", True),
        (r"discourage\b", "encourage", True),
        (r"criticis?z?e\b", "praise", True),
        (r"cost nothing\b|be free of charge\b|be for free\b", "be paid", True),
        (r"get divorced\b", "be married", True),
        (r"be (?:losing money|in the red|unprofitable|loss-making)\b", "be profitable", True),
        (r"(?:lose|make a loss of) money\b", "be profitable", True),
        (r"(?:make|post|report|have) an? (?:\w+ )?loss\b", "be profitable", True),
        (r"(?:(?:make|post|report|have) an? (?:\w+ )?profit|make money)\b", "be profitable", False),
        (r"be (?:terrified|scared|afraid|frightened) of\b", "be comfortable with", True),
        (r"be (?:uncomfortable|uneasy) with\b", "be comfortable with", True),
        (r"fear\b", "be comfortable with", True),
        (r"be stored unencrypted\b", "be encrypted", True),
        (r"be stored encrypted\b", "be encrypted", False),
        (r"be an only child\b", "have sibling", True),
        (r"(?:rise|increase|grow|go up|climb|improve)(?= in |$)", "increase", False),
        (r"(?:fall|decrease|drop|shrink|decline|go down|worsen)(?= in |$)", "increase", True),
        (r"need (?!to\b|a\b)", "require ", False),
        (r"tolerate\b", "like", False),
        (r"get married\b", "be married", False),
        (r"drink$", "drink alcohol", False),
        (r"eat (?:no|zero) meat\b", "eat meat", True),
        (r"be (?:a )?teetotall?er\b", "drink alcohol", True),
        (r"be (?:a |the )?(?:heavy |chain )?smoker\b", "smoke", False),
        (r"be (?:a |the )?non-?smoker\b", "smoke", True),
        (r"(?:dislike|hate|detest|loathe|dread)\b", "like", True),
        (r"can not (?:stand|bear|tolerate)\b", "like", True),
        (r"can (?:stand|bear|tolerate)\b", "like", False),
        (r"(?:love|enjoy|adore|be (?:a (?:big |huge )?fan|fond) of)\b", "like", False),
        (r"have support for\b", "support", False),
        (r"(?:lack|have no) support for\b", "support", True),
        (r"lack\b", "have", True),
        (r"have (?:an? |any )?allerg(?:y|ies)(?: to)?\b", "be allergic", False),
        (r"have no (?:known )?allerg(?:y|ies)(?: to)?\b", "be allergic", True),
        (r"be allergic to(?: any| anything)?\b", "be allergic", False),
        (r"have no (?=\w)", "have ", True),
        (r"have (?:an?|any|some) (?=\w)", "have ", False),
        (r"be a (?:bachelor|bachelorette)\b", "be married", True),
        (r"(?:reject|decline|refuse|deny|veto|turn down)\b", "approve", True),
        (r"sign off on\b", "approve", False),
        (r"be turned on\b", "be enabled", False),
        (r"be turned off\b", "be enabled", True),
        (r"can speak\b", "speak", False),
        (r"speak (?:any|some|a little|good)\b", "speak", False),
        (r"can (?=play|swim|drive|cook|ride|read|sing|dance|ski)", "", False),
        (r"be able to\b", "can", False),
        (r"work full[- ]time\b", "be at work", False),
        (r"work part[- ]time\b", "be at work", True),
        (r"work (?:remotely|from home)\b", "be remote", False),
        (r"work (?:in the office|from the office|on[- ]site)\b", "be remote", True),
        (r"need a\b", "require a", False),
        (r"(?:disable|turn off|switch off)\b", "enable", True),
        (r"(?:turn on|switch on)\b", "enable", False),
        (r"be (?:opposite|unlike)\b", "be like", True),
        (r"allow\b", "allow", False),
        (r"(?:forbid|prohibit|ban|disallow)\b", "allow", True),
    )
)
# A specific activity implies the general one; denying the specific one denies nothing more.
IMPLIES: Readings = tuple(
    (regex(pattern), said, denies)
    for pattern, said, denies in (
        (r"(?:love|like|enjoy|adore) (?:eating|to eat) ", "eat ", False),
        (r"(?:love|like|enjoy|adore) (?:drinking|to drink) ", "drink ", False),
        (r"(?:love|like|enjoy) (?:beef|steak|bacon|pork|burgers)\b", "eat meat", False),
        (r"drink (?:beer|wine|whisky|whiskey|vodka)\b", "drink alcohol", False),
        (r"eat (?:beef|pork|chicken|steak|bacon|ham|lamb|sausage|burger)s?\b.*", "eat meat", False),
        (r"eat (?:\w+ (?:and|or) )+meat\b", "eat meat", False),
    )
)
# Past-tense wordings of a state that still holds.
SETTLED = regex(
    r"(?:pass|win) (?:the|his|her|their|our|my) |pass$|increase(?: in (?:Q\d|⟦.*))?$"
    r"|be in force$"
    r"|work at [A-Z]|have \w|accept the |be (?:not )?\w+ed$"
    r"|agree with (?:the|his|her|their|our|my) "
)
# 'Requires no login' denies that it requires a login.
NO_SUCH = regex(
    r"(require|support|use|contain|include|take|eat|drink|accept|offer|speak"
    r"|want|own|know|provide|sell|like|serve|wear|allow|need|pay|charge) no (?=\w)"
)
BEGUN = (
    (regex(r"(?:stop|quit|give up) (\w+)ing\b"), True),
    (regex(r"(?:start|begin|resume|take up) (\w+)ing\b"), False),
)
