"""Phrases that speak against recall: tasks, how things are done, services, knowledge."""

from __future__ import annotations

from mnemolog.recall.detector.sign_groups import Row

_HABIT = r"(?:have|say|think|know|remember|recall|like|prefer|usually|stand|keep|live|work)"
_OFFERING = r"(?:offer|accept|support|charge|deliver|ship|provide|take|have)"

AGAINST: tuple[Row, ...] = (
    (
        "a task",
        "whole",
        -4.5,
        "given following below in as based provided are be been",
        (
            r"\bthe (?:\w+ )?(?:given|following|below)\b",
            r"\bgiven (?:a|an|the|some|two|three|that|below)\b",
            r"\byou (?:are|will be|have been) (?:given|provided|asked|shown)\b",
            r"\bin this task\b",
            r"\bas (?:follows|input)\b",
            r"\bbased on the (?:given|information|description|text|passage)\b",
            r"\bprovided (?:below|text)\b",
        ),
    ),
    ("a task", "whole", -4.5, "", (r":\s*$",)),
    (
        "a task",
        "whole",
        -4.5,
        "remind remember note",
        (
            r"\bremind me to\b",
            r"^(?:please |and |also )*remember (?:that|to|my|i|i'm)\b",
            r"\btake a note\b",
        ),
    ),
    (
        "a task",
        "whole",
        -3,
        "give tell show list find name",
        (
            (
                r"^(?:please )?(?:give|tell|show|list|find|name) (?:me |us )?(?:an?|some|two|three"
                r"|four|five|ten|\d+|the (?:best|top|most))\b"
            ),
        ),
    ),
    (
        "how to",
        "asked",
        -3.5,
        "how where what",
        (
            (
                r"\b(?:how|where) (?:exactly )?(?:do|can|could|would|should|must|might) "
                rf"(?:i|you|one|someone|people|a person)\b(?! {_HABIT}\b)"
            ),
            r"\b(?:how|where|what) to\b",
            r"\bwhat (?:happens )?if\b",
            r"\bwhat (?:is|are) the (?:process|procedure|point|best|steps|requirements)\b",
        ),
    ),
    (
        "how to",
        "asked",
        -3.5,
        "i it there be someone anyone",
        (
            r"^(?:\w+, )?(?:can|could|may|will|would|should|must) (?:i|someone|anyone)\b",
            r"\b(?:am i|is it) (?:able|allowed|eligible|possible|supposed|ok|okay|normal|safe)\b",
            r"^do i (?:need|have) to\b",
            r"\b(?:can|could) i\b",
            r"^if i\b",
            r"^(?:\w+, )?(?:is|are) there (?:a|an|any|some|other)\b",
            r"\b(?:needs?|needed) to be\b",
            r"\bbe able to\b",
            (
                r"\bwhy (?:have|am|was|were|did) i "
                r"(?:been|being|get|got|receive|charged|blocked|declined|not|see)\b"
            ),
        ),
    ),
    ("how to", "asked", -3, "i we my", (r"\b(?:should|can|could|would) (?:i|we|my)\b",)),
    (
        "how to",
        "asked",
        -2.5,
        "why my i we",
        (
            (
                r"\bwhy (?:is|isn't|was|wasn't|does|doesn't|can't|won't|would|hasn't|has|didn't|are"
                r"|were) (?:i|my|it|there|this)\b"
            ),
            r"^(?:is|are|will|would|can|could|does|should|has|hasn't) my\b",
            r"\bwhat do (?:i|we) (?:do|use|need|try|buy|wear|eat|take|get)\b",
            r"\bwhen will (?:i|my)\b",
        ),
    ),
    (
        "a service",
        "whole",
        -2,
        "your you",
        (
            (
                r"\byour (?:services?|app|company|bank|website|site|store|team|system|platform"
                r"|products?)\b"
            ),
            rf"\bdo you {_OFFERING}\b(?! any (?:\w+ )?(?:ideas?|suggestions?|advice|tips)\b)",
        ),
    ),
    (
        "general knowledge",
        "whole",
        -2,
        """stand stands meaning mean definition difference differences synonym synonyms antonym
        antonyms in of world's""",
        (
            r"\bstands? for\b",
            r"\bmeaning of\b",
            r"\bmean ?\?",
            r"\bdefinition\b",
            r"\bdifferences? between\b",
            r"\b(?:syno|anto)nyms?\b",
            r"\bin (?:general|history|the world)\b",
            r"\bof all time\b",
            r"\bworld's\b",
            r"\bspeed of\b",
        ),
    ),
    (
        "general knowledge",
        "asked",
        -2,
        "a an do does can should causes cause makes",
        (
            r"^(?:what|who|which) (?:is|are|was|were) an?\b",
            r"\b(?:how|where|what|why|when) (?:do|does|can|should) (?:people|one|a|an|you)\b",
            r"\b(?:how|where|what|why|when) do \w+s\b",
            r"\bwhat (?:causes?|makes)\b(?! (?:has|have|did|does|do)\b)",
        ),
    ),
    (
        "general knowledge",
        "asked",
        -1,
        "the",
        (r"\bthe (?:first|second|most|largest|biggest|\w+est)\b(?! (?:to|of|from) )",),
    ),
)
