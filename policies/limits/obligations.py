"""How English obliges, forbids and bounds, whatever it is about: rules for each class.

Who writes a limit down mostly puts the thing in front ('the pills need to be kept
cool', 'only signed images may be run') or says who forbids it. Everyday talk has
the same words with 'I', 'you' and 'it' in front, and means an errand or a guess.
"""

from __future__ import annotations

from policies.limits.patterns import MEDICINE, NOUN, PRONOUN, VERBS, exact, rule

_SOMEONE = (
    r"(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[A-Z][a-z]+"
    r"|(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Aa]unt|[Uu]ncle) (?:[\w-]+ ){0,2}[\w-]+)"
)
_THINGS = rf"(?!{PRONOUN}\b)(?:the |our |my |his |her |their |all |any |each |every )?"
_TIDYING = (
    r"(?:clean|wash|repair|paint|replac|finish|improv|pick|fix|tidi|water|return"
    r"|chang|updat|done|redone|sold|bought)"
)
_TECHNICAL = r"(?:[A-Z]{2,}[\w-]*|[A-Z]?[\w-]*\d[\w.-]*|[A-Z][a-z]+[A-Z]\w*)"
_AMOUNT = (
    r"(?:up to|at most|at least|no more than|no fewer than|no less than|not more than"
    r"|only|just|(?:a )?max(?:imum)?(?: of)?|(?:a )?min(?:imum)?(?: of)?|fewer than|less than)"
)
_COUNTED = (
    r"(?:\d|an?\b|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b"
    r"|half\b|twelve\b|twenty\b)"
)

DANGERS = (
    rule(
        "reaction agree agrees come",
        r"\b(?:bad|severe|allergic|strong|violent|nasty) reactions? to (?!the news\b|that\b"
        r"|this\b|it\b)\w"
        r"|\b(?:does not|doesn't|do not|don't) agree with (?:me|him|her|us|[a-z]+'s stomach)[.!]?$"
        r"|\bmakes? [\w ]{1,20} come out in (?:an? )?(?:rash|hives|spots)\b",
    ),
    rule(
        "cut",
        r"\b(?:to|must|should|has to|have to) (?:cut out|give up|lay off|go without) (?!on\b"
        r"|of\b)\w",
    ),
    exact(
        "makes make sends send puts gives causes",
        rf"\b(?!(?:[Ii]t|[Tt]hat|[Tt]his|[Ww]hat|[Tt]hey|[Hh]e|[Ss]he|[Yy]ou|I|[Ww]hich)\b)[\w-]+ "
        rf"(?:makes?|sends?|puts?|gives?|causes?) {_SOMEONE} (?:to )?(?:break out|itch|swell|wheeze"
        r"|faint|vomit|into (?:anaphylactic )?shock|to hospital|hives|an? rash|asthma attacks?)\b",
    ),
    rule(
        "mix combine",
        rf"\b{MEDICINE}\b[^.;]{{0,30}}\b(?:do not|don't|does not|doesn't|must not|never) (?:mix"
        r"|combine|go together)\b",
    ),
    rule(
        "take takes taken has have needs",
        rf"^take (?:the |your |this |these )?(?:{MEDICINE}|pills?|tablets?|capsules?|syrup|drops)\b"
        r"[^.;]{0,40}\b(?:only|before|after|with|without|daily|every|times|once|twice)\b"
        rf"|\b(?:has to|have to|needs? to|must) (?:take|get|have) (?:my |his |her |their |the )?"
        rf"(?:{MEDICINE}|pills?|tablets?|shots?|injections?)\b",
    ),
    rule("leave", r"^(?:please )?(?:never|do not|don't) leave [^.;]{2,40}\bunattended\b"),
    rule(
        "children kids minors dogs pets passengers visitors",
        r"\b(?:children|kids|minors|dogs|pets|passengers|visitors)\b[^.;]{0,30}"
        r"\b(?:may not|must not|cannot|are not allowed|must)\b",
    ),
    rule(
        "reach unsafe unsupervised",
        r"\bout of (?:the )?reach of (?:children|kids|pets)\b|\bunsafe (?:for|to|when)\b"
        r"|\b(?:never|not)\b[^.;]{0,40}\bunsupervised\b",
    ),
    rule(
        "terrified scared afraid frightened phobia panics panic",
        r"\b(?:terrified|scared|afraid|frightened) of (?:heights|flying|dogs|needles|spiders|snakes"
        r"|water|crowds|lifts|elevators|enclosed spaces|closed spaces|tunnels|boats)\b",
    ),
    rule(
        "wheelchair crutches blind deaf pregnant dyslexic colour-blind color-blind colour color"
        " mobility hearing stairs",
        r"\b(?:uses|needs|is in|relies on) (?:a wheelchair|a walking frame|crutches|a hearing aid"
        r"|a guide dog)\b|\b(?:am|is|are|'s|'m|'re) (?:now |nearly |partly |legally )?(?:blind|deaf"
        r"|pregnant|hard of hearing|colou?r[- ]?blind|dyslexic|wheelchair[- ]bound)\b"
        r"|\b(?:can't|cannot|can not|unable to) (?:climb|manage|use|do|take|walk) (?:the |any "
        r"|many "
        r"|steep )?(?:stairs|steps|ladders?)\b",
    ),
)
CEILINGS = (
    rule(
        "only all cent penny dime",
        r"\b(?:only have|have only|has only|only has)\b|\bis all (?:that )?(?:i|we|he|she"
        r"|they) (?:can|have"
        r"|want to|will)\b|\bnot an? (?:cent|penny|dime|euro|dollar|pound) more\b",
    ),
    rule(
        "afford",
        r"\b(?:can|could|cannot|can't) (?:only |just |barely |not )?afford (?:only |just "
        r"|more than "
        r"|at most |up to |anything (?:over|above) )?[^.;]{0,12}\d",
    ),
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
MOMENTS = (
    rule("not", r"\bnot (?:earlier|later|sooner|before|after)[.!]?$"),
    rule("until", r"\b(?:only|ours|open|available|free|closed) until\b"),
    rule(
        "considered accepted processed eligible",
        r"\b(?:after|before|later than|past)\b[^.;]{2,30}\b(?:are|is"
        r"|will) (?:be )?not (?:be )?(?:considered|accepted|processed|eligible|valid)\b",
    ),
    rule("valid lifts good", r"\b(?:valid|good) (?:until|till|through|only)\b|\blifts (?:on|at)\b"),
    rule(
        "not doesn't don't never won't",
        r"\b(?:the|our|my|his|her|their) [\w-]+ (?:does not|doesn't|do not|don't|never"
        r"|won't) [a-z]+"
        r"(?: [a-z]+)? (?:on|at|before|after|until) ",
    ),
    rule(
        "need needs want wants expects expect required requires",
        r"\b(?:needs?|wants?|expects?|requires?|is required|are required) (?!to\b)[^.;?]{2,50}? "
        r"(?:by|before|no later than) ",
    ),
    rule(
        "close closes end ends expire expires runs lapse lapses stop stops",
        r"\b(?:close|expire|lapse)s? (?:at|on|by|before|in)\b"
        r"|\b(?:lease|contract|visa|passport|registration|enrol?ment|warranty|subscription|permit"
        r"|licen[cs]e|offer|sale|voucher|ticket|insurance|embargo|freeze|trial)s? "
        r"(?:ends?|expires?|runs out|lapses?|stops?)\b",
    ),
    rule(
        "latest earliest",
        r"\b(?:latest|earliest) (?:possible|allowed|acceptable|permitted|(?:delivery |start |end "
        r"|arrival |departure )?(?:date|day|time|slot|moment|arrival|departure|start|delivery|end)"
        r"|(?:that )?(?:i|we|you|he|she|they|it|one|[a-z]+) (?:can|could|may|will))\b",
    ),
    rule(
        "have has must need needs",
        rf"\b{_THINGS}(?!(?:i|you|he|she|we|they)\b)[a-z-]+ (?:have to|has to|must"
        rf"|needs? to) (?!be "
        r"(?:at|in|there|back|home)\b)[^.;?]{2,40}? (?:by|before|no later than|until|within) ",
    ),
    rule(
        "available free reachable",
        r"\bnever (?:available|free|reachable|online|around) (?:before|after|on|between|until"
        r"|at)\b",
    ),
    rule(
        "only",
        r"\bonly (?:between|before|after|from|until|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?"
        r"|in the (?:morning|afternoon|evening)s?)\b",
    ),
    rule(
        "quiet opening office working business visiting core hours",
        r"\b(?:quiet|opening|office|working|business|visiting|core) hours\b",
    ),
    rule("work", r"\b(?:does not|doesn't|do not|don't|never) works? (?:on|after|before|between)\b"),
)
CAPACITIES = (
    rule(
        "need needs require requires",
        r"^(?:anything|everything|anyone|whatever|all) [^.;]{0,20}(?:above|over|beyond"
        r"|more than|larger than|longer than|under) [^.;]{1,20} (?:needs?|requires?|has to"
        r"|must)\b",
    ),
    rule("only", rf"\bonly {_COUNTED}[\w ]{{0,20}} (?:fits?|may|are allowed|is allowed)\b"),
    rule(
        "must have has need",
        r"\bthere (?:must|have to|has to|needs? to|should) (?:always )?be (?:at least|at most"
        r"|no more than|always|two\b|three\b|four\b|five\b|\d)",
    ),
    rule("allows allow permits grants", r"\b(?:allows?|permits?|grants) (?:only |just |up to )?\d"),
    rule(
        "more",
        r"\b(?:sleeps?|seats?|holds?|fits?|takes?|carr(?:y|ies)|for|have"
        r"|has) [^.;]{1,30}, (?:no|not) (?:one |a \w+ )?more[.!]?$",
    ),
    rule(
        "not",
        r"\b(?:over|above|beyond|more than)\b[^.;]{1,30}\b(?:is|are"
        r"|will) not (?:be )?(?:reimbursed|covered|refunded|paid|accepted|processed)\b",
    ),
    rule(
        "nobody must people persons",
        r"^(?:at least )?(?:one|two|three|four|five|\d+) [\w ]{2,20} must (?!be (?:so|a)\b"
        r"|have been)\w",
    ),
    rule(
        "holds hold seats seat fits fit sleeps sleep accommodates accommodate carries carry takes"
        " take bears bear room space",
        rf"\b(?:holds?|seats?|fits?|sleeps?|accommodates?|carry|carries|bears?|takes?) {_AMOUNT}"
        rf"\b|\b(?:room|space) for (?:only|just|at most|up to|no more than)\b",
    ),
    rule(
        "rejected refused blocked declined returned charged denied bounced",
        r"\b(?:over|above|beyond|under|below|(?:larger|bigger|more|heavier|longer|older|smaller"
        r"|later|fewer|less) than)\b[^.;]{1,30}\b(?:gets?|is|are|will be) (?:automatically )?"
        r"(?:rejected|refused|blocked|declined|returned|charged|denied|bounced)\b",
    ),
    rule(
        "may must should shall can",
        r"\b(?:(?:each|every|all|the|no|any) |^[a-z]+s )[^.;?]{0,40}?\b(?:may|must|should|shall"
        r"|can) (?:not )?(?!have (?:at least )?\w+ed\b)[a-z]+ [^.;?]{0,30}?\b(?:at most|at least"
        r"|no more than|no fewer than|not more than|(?:a )?maximum of|(?:a )?minimum of|up to)"
        rf" {_COUNTED}",
    ),
    rule(
        "may must should shall can",
        rf"^(?:each|every|all|the|no|any) [^.;?]{{1,50}}? {_COUNTED}[^.;?]{{0,20}} (?:at most"
        r"|at least|maximum|minimum)\b",
    ),
    rule(
        "stay stays keep keeps remain remains live walk drive travel",
        r"\b(?:agreed|promised|want|wants|have|has|need|needs|must|should) to (?:stay|keep|remain)"
        r"[^.;]{0,20} (?:under|below|within|above|over|between)\b"
        r"|\b(?:won't|will not|don't want to|cannot|can't) (?:live|drive|walk|travel|move|commute)"
        r"[^.;]{0,20}\b(?:further|farther|more|longer|outside)\b",
    ),
)
"""Rules of which a sentence that gives a number keeps one."""

OBLIGATIONS = (
    rule(
        "must",
        r"^(?:the |our |all |new |any )?(?!(?:people|kids|children|parents|guys|things|days"
        r"|it|this|that|there)\b)[a-z-]+s must (?:not )?(?!(?:be|have|think|feel|love|hate"
        r"|know|like|wonder|get|seem|mean|look)\b)[a-z]+",
    ),
    rule(
        "everywhere times time cases exception whenever",
        r"^(?:please )?(?!(?:i|you|we|he|she|they|it|there|this|that|music"
        r"|love)\b)[a-z]+ [^.;?,]{2,50} (?:everywhere|at all times|in all cases"
        r"|without exception|whenever (?:you|we|one|someone|anyone) (?!need|want|like|feel"
        r"|can)[a-z]+)\b",
    ),
    rule(
        "not don't never",
        r"^(?:please )?(?:do not|don't|never) (?!(?:go|give|leave|worry|think|let|forget|be"
        r"|say|get|stop|feel|judge|know|like|want|you|even|believe|quit|expect|have"
        r"|live)\b)[a-z]+ [^.;?]{2,50} (?:without|before|until|unless) \w",
    ),
    rule(
        "cannot can't mustn't not",
        r"\bwe (?:cannot|can't|must not|mustn't|may not) (?!(?:live|do|go|see|believe|imagine"
        r"|wait|keep|have|get|be)\b)[a-z]+ [^.;?]{0,50}(?:before|until|unless"
        r"|without) (?!(?:you|it|him|her|them|us|me|each)\b)\w",
    ),
    rule("nothing", r"^[a-z]+ nothing (?:before|until|to|without|after|from|in) \w"),
    rule("excluded ineligible eligible", r"\b(?:is|are) (?:excluded|ineligible|not eligible)\b"),
    rule(
        "business deal",
        r"\b(?:do not|don't|does not|doesn't|never|no longer) (?:do business|deal|trade) with \w",
    ),
    rule("closed", r"\b(?:is|are) (?:always )?closed (?:in|during|over|from|for) (?!now\b)\w"),
    rule(
        "must have has",
        rf"^(?!{PRONOUN}\b|everything\b|someone\b|somebody\b|life\b"
        rf"|love\b)[a-z][\w-]+(?: [a-z-]+){{0,2}}"
        rf" (?:must|has to|have to) be (?!{_TIDYING})[a-z]+(?:ed|en|wn|rn|pt|ld|nt|ught|ut)\b"
        r"(?!.*\b(?:today|now|tonight|soon)\b)",
    ),
    rule(
        "everything anything",
        r"^(?:everything|anything|anyone|whoever) [\w ]{2,30}(?:needs? to|has to|must) (?:be"
        r"|have|go|come|pass|fit|get)\b",
    ),
    rule(
        "without",
        r"\bwithout [\w -]{2,30} (?:will be|are|is|gets?|won't be|cannot be|can't be) (?:not )?"
        r"(?:rejected|refused|blocked|declined|returned|ignored|merged|accepted|processed"
        r"|admitted)\b",
    ),
    rule(
        "cover covers allow permit include excludes exclude",
        r"\b(?:licen[cs]e|contract|policy|insurance|warranty|visa|agreement|terms|law|rules?"
        r"|list)s?\b"
        r"[^.;]{0,20}(?:(?:does not|doesn't|do not|don't) (?:cover|allow|permit|include)"
        r"|excludes?)\b",
    ),
    rule("never not", r", (?:never|not) (?:in|on|into|to|onto) (?:the|our|a) [\w-]+[.!]?$"),
    rule(
        "keep",
        r"^(?:please )?keep (?!it\b|up\b)[^.;,]{2,40}? (?:clear|closed|locked|shut|dry|cool"
        r"|empty|refrigerated"
        r"|anonymous|offline|separate|upright|encrypted|free of [\w ]+)\b",
    ),
    rule(
        "within",
        r"\bwithin (?:easy )?(?:walking|cycling|driving|commuting|reaching)? ?(?:distance"
        r"|reach) (?:of|to)\b",
    ),
    rule(
        "steer stay keep hands",
        r"^(?:please )?(?:steer|stay|keep|hands) (?:well )?(?:clear of|away from|off"
        r"|out of) (?!it\b|trouble\b|touch\b)\w",
    ),
    rule(
        "not don't never",
        r"^(?:please )?(?:don't|do not|never) (?:mention|tell|discuss|talk|speak|forward"
        r"|reveal|quote|name|show) [^.;]{2,60}? (?:to|with|about|outside|in) (?!me\b|it\b"
        r"|that\b)\w",
    ),
    rule(
        "only",
        r"^only (?!(?:you|i|he|she|they|we|it|time|god|one|then|when|if|because|a|yesterday"
        r"|today)\b)[^.,;?]{2,50}? (?:may|can|must|should|shall|is|are|will be|gets?)"
        r"(?: ever)? (?:be |get |to be )?(?:[a-z]+ed|fine|ok|okay|acceptable|possible|an option"
        r"|suitable|valid|welcome|have|get|enter|use|run|see|touch|access)\b",
    ),
    exact(
        "Only only",
        r"^[Oo]nly [A-Z][^,;?]{2,40}? (?:may|can|must|is|are|will be) (?:be )?[a-z]+ed\b",
    ),
    rule(
        "only exclusively solely",
        r"\b(?:may|must|should|shall) (?:only|exclusively|solely)\b"
        r"|\bcan only be (?!(?:imagined|described|explained|seen|a|the|good)\b)[a-z]+(?:ed|ung"
        r"|ld)\b"
        r"|\bis only to be\b|\bare only to be\b",
    ),
    rule("only", rf"^(?:please )?{VERBS} (?:only|exclusively|solely)\b(?! (?:if|when|because)\b)"),
    rule(
        "longer not don't can't cannot won't never mustn't aren't isn't",
        rf"\b(?:we|the team|our team|the company|management) (?:no longer|are not allowed to"
        rf"|aren't allowed to|can't|cannot|must not|may not|won't|never|don't|do not) {VERBS} "
        r"(?:(?:from|with|on|to|at|in) (?!it\b|that\b|this\b|them\b|time\b)\w|anything|any )",
    ),
    rule(
        "bans ban forbids forbid prohibits prohibit disallows disallow blacklists blacklist"
        " blacklisted banned forbidden vetoed vetoes prohibited outlaws outlawed capped insists",
        rf"\b(?!{PRONOUN}\b)[\w-]+ (?:bans|forbids?|prohibits?|disallows?|outlaws?|blacklists"
        r"|vetoes|insists on|(?:has|have) (?:banned|forbidden|blacklisted|vetoed|prohibited"
        r"|outlawed|capped|ruled out))\b(?! (?:me|you|us) from\b)",
    ),
    rule(
        "nobody no",
        r"^(?:nobody|no one|no-one) (?:ever )?(?:use|deploy|commit|pushe|merge|release|ship"
        r"|install|book|buy|order|send|share|store|log|publishe|delete|edit|enter|touche"
        r"|change|open|start|smoke|drive|leave|sign|get)s\b",
    ),
    rule(
        "to",
        r"\b(?:is|are) (?:not |never |always |only )?to be (?!(?:expected|hoped|seen|praised"
        r"|honest|fair|sure|precise|exact|clear|believed|envied|found|continued|announced|decided"
        r"|determined|married|feared|admired)\b)[a-z]+(?:ed|en|pt|ld|nt|ft|ught|id|ut|de)\b",
    ),
    rule(
        "required obligatory disallowed unacceptable inadmissible requirement must",
        r"(?<!no experience )\b(?:is|are) (?:always |strictly |not )?(?:required|obligatory"
        r"|disallowed|unacceptable|inadmissible|an? (?:strict |hard )?requirement)\b"
        r"(?! (?:reading|listening|viewing)\b)(?!-)",
    ),
    rule(
        "refrain desist abstain",
        r"\b(?:refrain|desist|abstains?) from (?!saying|laughing|crying)\w+",
    ),
    rule(
        "now forward henceforth",
        rf"^(?:from (?:now|here|today) on(?:wards?)?|going forward|henceforth)[, ]+(?:please )?"
        rf"(?:(?:we|you|everyone|all) )?(?:only |always |never |don't |do not )?(?:{VERBS}|answer"
        r"|keep|prefer|stick|ask|check|avoid|format|name|document|stop|must|should|need)\b",
    ),
    rule(
        "every each needs need requires require all",
        r"^(?:every|each) (?:(?!(?:i|you|we|he|she|they|it)\b)[\w-]+ ){1,4}?(?:needs?"
        r"|requires?|gets?) (?!to (?:know|be happy)"
        r"|love\b|help\b|a hug|a break|rest\b)\w",
    ),
    rule(
        "need require needs requires",
        r"^(?!(?:Kids|Children|Parents|People|Friends|Dogs|Cats|Plants|Humans|Girls|Boys|Women"
        r"|Men|Relationships|Things|Days|Sometimes|Always|Does|Was|Is|As|Yes|Needs|Guys|Babies"
        r"|Moms|Mums|Dads|My|Our|His|Her|Their|The|These|Those|Some|Two"
        r"|Both)\b)(?-i:[A-Z])[a-z-]+(?: [a-z-]+)?(?:(?<!s)s) (?:need|require) "
        r"(?:an? )?(?!to (?:hear|see|know|stop)\b|more\b|some\b|love\b|time\b)\w",
    ),
    rule(
        "has have needs need",
        rf"^(?:the|all|any|every|each|these|those|our) (?:[\w'-]+ ){{1,4}}?(?:has to|have to"
        rf"|needs? to) (?:always |never |only )?(?:(?:be|get) (?!{_TIDYING}|the (?:best|worst|most"
        r"|funniest)|so\b|good\b|a\b)\w|stay\b|remain\b|fit\b|run\b|reach\b|support\b|work\b"
        r"|comply\b|include\b|contain\b|pass\b|keep\b|come with\b)",
    ),
    rule(
        "confidential nda embargo embargoed private secret between",
        r"\b(?:is|are|it's|that's|strictly|this is|kept|keep [^.;]{2,30}) (?:strictly |highly )?"
        r"confidential\b|\bunder (?:an )?(?:nda|embargo)\b"
        r"|\bkeep (?!me\b|you\b|up\b|in\b)[^.;,]{2,40} (?:between us|to yourself|private|secret)\b",
    ),
    rule(
        "so",
        r"[,:] so no (?!one\b|more\b|need\b|luck\b|matter\b|way\b|wonder\b|that\b|surprise\b"
        r"|idea\b|time\b|big\b|reason\b|sleep\b|rest\b|regrets?\b|complaints?\b)[\w-]+"
        r"(?: [\w-]+){0,3}[.!]?$",
    ),
)
HABITS = (
    exact(
        "avoid",
        r"\b(?:must|has to|have to|should|needs? to) avoid (?!the (?:temptation|urge)|it\b"
        r"|that\b|being\b)\w",
    ),
    rule(
        "gluten-free sugar-free dairy-free free fasting ramadan lent sabbath shabbat observes",
        r"(?<!\bit)(?<!\bthey)(?<!\bthat)(?: is| am| are|'m|'s|'re) (?:strictly |completely "
        r"|fully |now |mostly )?(?:gluten"
        r"|sugar|dairy|lactose|nut|meat|alcohol|caffeine)-free[.!]?$"
        r"|\bobserves? (?:ramadan|lent|the sabbath|shabbat|kashrut)\b|\b(?:is|am|are) fasting\b",
    ),
    exact(
        "diet halal kosher keto vegan vegetarian",
        rf"\b{_SOMEONE}(?:'s|'m|'re| is| am| are| follows?| sticks? to| keeps? to| needs?) "
        r"(?:on |now on |currently on )?(?:an? |the )?(?:strict )?[\w-]+ diet\b"
        r"|\bkeeps? (?:strictly |strict )?(?:halal|kosher)\b",
    ),
    exact(
        "off",
        r"\b(?:'s|'m|'re| is| am| are) off (?:sugar|meat|dairy|alcohol|caffeine|coffee"
        r"|gluten|carbs|bread|wheat|sweets|red meat|nuts|wine|beer)\b",
    ),
    exact(
        "eat drink smoke eats drinks smokes",
        r"\b(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) (?:[\w-]+ ){1,4}?(?:don't|do not|doesn't"
        rf"|does not|never|no longer|can't|cannot) (?:eats?|drinks?|smokes?|fl(?:y|ies)) {NOUN}",
    ),
)
