"""Attribute patterns: English verbs and complements that give a thing an attribute.

A pattern is matched against a clause's predicate: the base form of the verb and its
complement, with amounts as numbered placeholders. Group `v` is the value, group `t`
adds words to the topic.
"""

from __future__ import annotations

import re

from mnemolog.language.patterns import regex

RELATIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (regex(pattern), attribute)
    for pattern, attribute in (
        (
            (
                r"(?:store|keep|save|persist|hold) (?:all )?(?:(?:its|the|our|their|his|her) )?"
                r"(?:\w+ )?data in (?P<v>[A-Z]\w+)$"
            ),
            "data store",
        ),
        (r"(?:live|reside|stay|be (?:based|living|residing)) (?:in|at) (?P<v>.+)", "home"),
        (r"(?:move|relocate) (?:back )?(?:from .+? )?to (?P<v>.+)", "home"),
        (r"be (?:employed|hired) (?:by|at) (?P<v>.+)", "employer"),
        (
            (
                r"work (?:(?:full|part)[- ]time )?(?:at|for)"
                r" (?P<v>[A-Z].*|\w+[A-Z].*|(?:an?|the) .+)"
            ),
            "employer",
        ),
        (
            (
                r"start (?:a |the |his |her |my |work )?(?:new )?(?:job |position |role )?"
                r"(?:at|with) (?P<v>[A-Z].*)"
            ),
            "employer",
        ),
        (r"join (?P<v>[A-Z]\w*(?: [A-Z]\w*)*)$", "employer"),
        (r"work as (?P<v>.+)", "job"),
        (r"(?:be|come) (?:originally )?from (?P<v>[A-Z].*)", "origin"),
        (r"be engaged to (?P<v>[A-Z].*)", "fiancé"),
        (r"be the (?P<v>CEO|CTO|CFO|COO|president|chair|director|treasurer|secretary)\b.*", "job"),
        (r"commute (?:to work )?(?P<v>by \w+)$", "commute"),
        (r"(?:take|ride) (?P<v>(?:the|an?|my|his|her) \w+) to (?:work|school)$", "commute"),
        (r"(?P<v>drive|bike|walk|cycle|run) to (?:work|school)$", "commute"),
        (r"(?:drink|take|like|eat) (?:his|her|my|their) (?P<t>\w+) (?P<v>\w.*)", ""),
        (r"use (?:the |an? )?(?P<v>\S+) (?P<t>\w+)$", "use kind"),
        (r"be set to (?P<v>[A-Za-z][\w.-]*)$", "value"),
        (r"be born (?:in|on) (?P<v>.+)", "birth"),
        (r"drive (?P<v>[A-Z].*|(?:an?|the|my|his|her|our|their) .+)", "car"),
        (r"(?:switch|change) (?:over )?to (?P<v>an? [\w ]+)$", "car"),
        (r"be married to (?P<v>[A-Z].*)", "spouse"),
        (
            (
                r"(?:be (?:deployed|hosted|located|situated|stored|kept|saved|held)"
                r"|run(?! on [A-Z])|sit|lie|reside|take place|happen|be)"
                r" (?P<p>in|at|on|under|inside|behind|near|within|next to|opposite|across from)"
                r" (?P<v>.+)"
            ),
            "place",
        ),
        (r"be (?:moved|migrated|relocated|transferred) (?:from .+? )?to (?P<v>.+)", "place"),
        (r"be headquartered in (?P<v>.+)", "headquarters"),
        (
            r"be (?:written|implemented|coded|rewritten|built|developed) in (?P<v>[A-Z].*)",
            "language",
        ),
        (r"study (?:at|in) (?P<v>(?:the )?[A-Z].*)", "school"),
        (r"(?:study|major in) (?P<v>[a-z]+(?: [a-z]+)?)(?: at [A-Z].*)?$", "subject"),
        (
            (
                r"(?:reply|respond|answer|write|speak|talk|communicate) (?:to (?:me|us) )?"
                r"in (?P<v>[A-Z][a-z]+)$"
            ),
            "reply",
        ),
        (r"be assigned to (?P<v>[A-Z].*)", "assignee"),
        (
            (
                r"(?P<t>(?:write|format|name|show|display|style|document|keep|store|call) "
                r"[a-z][\w ]*?) (?:in|as|using|with) (?P<v>.+)$"
            ),
            "order",
        ),
        (r"(?:set|change) (?P<t>(?:the |my |our )?[\w ]+?) (?:to|at) (?P<v>.+)$", "set"),
        (r"be (?:on|in|part of|a member of) (?P<v>the [\w -]+ team)$", "team"),
        (
            (
                r"be (?P<t>written|shown|displayed|named|styled|sent|delivered|exported"
                r"|formatted|encoded|served|managed|built|handled|processed|tracked|monitored|paid|made)"
                r" (?:as|using|via|through|by|with)"
                r" (?P<v>.+)"
            ),
            "",
        ),
        (r"(?:run|go) (?:through|via) (?P<v>.+)", "way"),
        (r"(?:want|prefer|like|expect) (?P<t>[a-z]+) in (?P<v>[A-Z]\w+)$", ""),
        (
            (
                r"(?:host|store|keep|deploy|manage|track|build) (?P<t>[a-z ]+?)"
                r" (?:on|in|at|with|to|using|via) (?P<v>[A-Z].*)"
            ),
            "",
        ),
        (r"report to (?P<v>.+)", "manager"),
        (r"bank with (?P<v>.+)", "bank"),
        (r"work in (?P<v>[A-Z].*)", "workplace"),
        (r"work in (?P<v>(?!the |an? |my |our |his |her )[a-z]+)$", "department"),
        (r"be licensed under (?P<v>.+)", "license"),
        (r"be due (?:on|by|in|at)? ?(?P<v>.+)", "deadline"),
        (r"be (?:called|named) (?P<v>.+)", "name"),
        (r"time out (?:after|in) (?P<v>.+)", "timeout"),
        (r"cost (?P<v>⟦.+)", "price"),
        (r"be priced at (?P<v>.+)", "price"),
        (r"be (?:limited|capped|restricted) (?:to|at) (?P<v>.+)", "limit"),
        (r"(?:listen|run|be (?:served|exposed)) on port (?P<v>.+)", "port"),
        (
            (
                r"(?:launch|ship|release|be (?:released|launched|shipped)|go live) (?:on|in|at)"
                r" (?P<v>.+)"
            ),
            "launch",
        ),
        (
            (
                r"(?:take place|happen|occur|start|begin|be held|be scheduled|be set|be planned|be)"
                r" (?:at|on|in|for|every|from)? ?(?P<v>(?:every )?⟦.+|Q[1-4]\b.*)"
            ),
            "",
        ),
        (r"(?:be set|stand|amount|run|total) (?:to|at)? ?(?P<v>⟦.+)", ""),
        (r"(?:end|finish) (?:at|on|in) (?P<v>.+)", "end"),
        (r"open (?:at|on|in|from) (?P<v>⟦.+)", "opening"),
        (r"close (?:at|on|in) (?P<v>⟦.+)", "closing"),
        (r"expire (?:at|on|in|after) (?P<v>.+)", "expiry"),
        (
            (
                r"(?:move|shift|slip|change|rise|drop|fall|go up|go down|increase|decrease|grow"
                r"|shrink|be (?:moved|shifted|pushed(?: back)?|rescheduled|postponed|changed"
                r"|brought forward|raised|lowered|increased|reduced|cut|set|bumped|adjusted"
                r"|delayed|extended|doubled"
                r"|halved|updated|upgraded)) (?:from .+? )?(?:to|until|till|at) (?P<v>⟦.+)"
            ),
            "",
        ),
        (r"take (?P<v>⟦\d+⟧) of (?P<t>.+?)(?: (?:a day|daily|per day|every day))?$", "dose"),
        (
            (
                r"(?:consist of|have|include|comprise|contain|be made up of) "
                r"(?P<v>⟦\d+⟧)(?: (?:of )?(?P<t>.+))?$"
            ),
            "",
        ),
        (r"be the parent of (?P<v>⟦\d+⟧)", ""),
        (r"(?:have|get) an? (?P<t>[\w ]{3,30}?) of (?P<v>⟦\d+⟧) for (?P<f>.+)", ""),
        (r"(?:have|get) an? (?P<t>[\w ]{3,30}?) of (?P<v>⟦.+)", ""),
        (r"come from (?P<v>the [a-z].+)", "source"),
        (r"last (?:for )?(?P<v>⟦\d+⟧)$", ""),
        (r"have an? (?P<t>[\w ]{3,30}?) of (?P<v>[A-Z]\w*)$", "use kind"),
        (r"weigh (?P<v>⟦\d+⟧.*)$", "weight"),
        (r"sell for (?P<v>⟦\d+⟧)$", "price"),
        (r"pay (?P<v>⟦\d+⟧) for (?P<t>(?:the|his|her|my|our|their) .+)$", "paid"),
        (
            (
                r"be (?P<t>deleted|archived|purged|parked|buried|printed|stocked|filed|rooted"
                r"|registered|incorporated|listed|seated|exhibited) (?:after|in|on|under|for|with)"
                r" (?P<v>.+)"
            ),
            "",
        ),
        (r"allow (?:up to |at most )?(?P<v>⟦\d+⟧.*)$", "limit"),
        (r"have (?P<t>blood (?:type|group)) (?P<v>.+)", ""),
        (r"have (?:an? |the )?(?P<t>[a-z]+(?: [a-z]+)?) (?P<v>[A-Z⟦+].*)$", "use kind"),
        (r"have (?:his|her|their|my|our|its|the) (?P<t>\w+) (?:on|at|in) (?P<v>⟦.+)", ""),
        (r"use (?P<v>.+?) as (?:its|the|our|their|a|his|her|my) (?P<t>[\w ]+)$", "use as"),
        (r"use (?P<v>[\w.+# ]+?) for (?P<t>.+)", "use"),
        (r"(?:decide on|choose|pick|select) (?P<v>[A-Z][\w.+# ]*?) for (?P<t>.+)", "use"),
        (r"(?:switch|migrate|move) (?P<t>.+?) (?:from .+? )?to (?P<v>[A-Z].*)", "use"),
        (
            (
                r"(?:decide|choose|opt|agree|be going|go) "
                r"(?:to (?:use|go with|adopt|pick)|on|for|with) (?P<v>[\w.+# ]+?) for (?P<t>.+)"
            ),
            "use",
        ),
        (r"be (?P<v>⟦\d+⟧) (?:old|of age)", "age"),
        (
            (
                r"(?:weigh|last|earn|pay|measure|charge|allow|permit|retain|keep|expire after"
                r"|retry) (?:for |up to )?(?P<v>⟦\d+⟧.*)"
            ),
            "amount",
        ),
    )
)
# 'Acme is our biggest customer': the subject is the value.
SOLELY = regex(
    r"(?P<t>(?:(?:the|our|my|his|her|its|their) |(?:\w+ )?\w+'s )"
    r"(?:\w+est|best|main|primary|only|favou?rite|most \w+|preferred) .+)"
)
VERSIONED = regex(
    r"(?:run(?: on)?|use|be (?:on|running|upgraded to|updated to|pinned to|built with)|target"
    r"|require|upgrade to|migrate to)(?: version)?"
    r"(?: of)? (?!(?:port|at|on|in|for|every|after|until|by|up|from|to)\b)"
    r"(?P<n>[A-Za-z][\w.+-]*)(?: version)? (?P<v>⟦\d+⟧)"
)
# One holder at a time has such a relation to a thing: the subject is the value.
HELD_BY = regex(
    r"(?:(?:lead|head|chair|own|manage|maintain)"
    r"|be (?:the |in )(?P<n>lead|head|owner|manager|chair|leader|ceo|cto|maintainer|author|charge"
    r"|president|mayor|captain|director) of|be (?P<r>responsible) for) (?P<t>.+)",
    re.IGNORECASE,
)
BELONGS = regex(r"belong to (?P<v>.+)|be (?:owned) by (?P<w>.+)")
LED_BY = regex(r"be (?P<n>led|managed|headed|chaired|maintained|owned) by (?P<v>.+)")
LED = {"led": "lead", "managed": "manager", "headed": "lead", "chaired": "chair",
        "maintained": "maintainer", "owned": "own"}  # fmt: skip
DEFINITE = regex(r"(?:the|our|my|your|his|her|their|this) |[A-Z]|\w+'s ")
OF = regex(r"\b(?:of|for|on|in|at)\b")
NAMED = regex(r"(?:the |a |an |Dr\.? |Mr\.? |Ms\.? |Mrs\.? )*[A-Z]")
PLACE_THING = regex(r"(?:the|our|my|his|her|its|their|an?) |[A-Z]|\w+-\w+-\d")
# One-time events: two dates for one event cannot both be right.
ONCE = regex(
    r"(?:join|open|go live|move to|start (?:at|as|with)|graduate|marry|found|establish|die|retire"
    r"|be (?:founded|established|built|constructed|erected|born|created|completed|invented"
    r"|signed|ratified|discovered|introduced|abolished|demolished|elected|inaugurated|adopted"
    r"|acquired|incorporated|opened|released|published|launched)|launch|end"
    r"|get (?:married|engaged|divorced))\b"
)
# The maker of a thing does not change.
MADE_BY = regex(
    r"be (?P<t>written|painted|composed|directed|designed|invented|discovered|built|developed"
    r"|founded|created|produced|trained|caused|triggered|funded|sponsored|taught|organized"
    r"|organised|edited|choreographed|narrated|translated|drawn|signed|carved|killed) by (?P<v>.+)"
)
BUSY = regex(r"(?:be (?:in|at|on) |have an? )")
TRADE = regex(r"an? (?!good|great|bad|terrible|decent|excellent|amazing|better|fast|slow)"
                    r"(?P<t>[\w -]+?)(?: (?:at|for|in|with|who|of|by)\b.*)?$")  # fmt: skip
# One-time achievements in the past tense, with the attribute that each gives a person.
DONE = (
    (regex(r"major in (?P<v>[a-z][\w ]*)$"), "major"),
    (regex(r"graduate from (?P<v>(?:the )?[A-Z].*)$"), "school that was left"),
    (regex(r"be raised in (?P<v>[A-Z].*)$"), "upbringing"),
    (regex(r"be (?:due|down) to (?P<v>[a-z].*)$"), "cause"),
)
# Verbs of making: 'Ann wrote the logo' means that it was written by Ann.
MAKING = {
    "write": "written", "paint": "painted", "compose": "composed", "direct": "directed",
    "design": "designed", "invent": "invented", "discover": "discovered", "build": "built",
    "develop": "developed", "found": "founded", "create": "created", "produce": "produced",
}  # fmt: skip
