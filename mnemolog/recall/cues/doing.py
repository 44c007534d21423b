"""Which cues ask what to do: to make, choose or arrange something, or for advice on it."""

from __future__ import annotations

import re

from mnemolog.language.patterns import regex

_PLEASE = (
    r"(?:(?:please|now|ok(?:ay)?|hey|so|and|then|also|next)[,:]? |(?:can|could|would|will) you "
    r"(?:please )?|(?:i|we)(?: would|'d) like (?:you )?to |(?:i|we) (?:want|need|have|plan|intend)"
    r"(?: you)? to |(?:i'm|i am|we're|we are) (?:going|trying|about) to |let's |let us "
    r"|help (?:me|us)(?: to)? (?:with )?|time to )*"
)
# What is asked to be done, in the imperative; what is looked up (show, tell, list) is left out.
_DO = (
    r"(?:allocate|arrange|assemble|assign|bake|book|brew|bring|build|buy|cater|choose|compose"
    r"|compile|configure|cook|create|decide|decorate|deploy|design|draft|draw up|equip|fix|fly"
    r"|furnish|generate|grill|hire|host|implement|install|invite|launch|lay out|line up|make|map"
    r"|migrate|mix|move|order|organi[sz]e|outfit|outline|pack|pick|plan|pour|prepare|prescribe"
    r"|propose|provision|publish|put together|recommend|refactor|refresh|release|rent|replace"
    r"|reserve|roll out|route|schedule|seat|select|send|serve|set (?:up|out|it up)|ship|shop"
    r"|sketch|source|split|staff|stock|suggest|supply|switch|upgrade|update|use|wire|work out"
    r"|write|dress|feed|treat|entertain|surprise|pitch|settle on|narrow down)"
)
_KEPT = r"(?:notes?|memor(?:y|ies)|messages?|e-?mails?|commits?|entr(?:y|ies)|conversations?)"
_ASKS_TO_DO = regex(
    rf"^{_PLEASE}{_DO}\b"
    rf"|^{_PLEASE}(?:find|get|give)\b(?! (?:me |us )?(?:out\b|what\b|when\b|where\b|who\b|all\b"
    rf"|every\b|(?:the|my|our|his|her|their|\w+'s) (?:\w+ )?{_KEPT}\b))"
    r"|\bhelp (?:me|us) (?:to )?(?:choose|pick|decide|find|plan|select|with (?:a|an|my|our|the))\b",
    re.IGNORECASE,
)
# Each line is read from its first question word alone: trying every one makes a long cue quadratic.
_ASKS_WHAT = regex(
    r"(?m:^)(?>.*?\b(?:which|what|where|when|who|whom|how)\b).*\b"
    r"(?:should|would|could|can|shall|may|might|suits?|fits?|helps?|best|good|go live|get)\b"
    r"|(?m:^)(?>.*?\bwhich\b).*\b(?:do|shall) (?:we|i)\b"
    r"|^(?:what|which|where|when|whom?|how)\b[^?]*\bdo (?:we|i) (?:let|post|order|buy|get"
    r"|book|go|eat|cook|serve"
    r"|take|pick|choose|use|bring|wear|give|invite|hire|ship|send|undo|do|start|set up|pack|rent)\b"
    r"|^(?:what|which|who)(?! (?:happened|else|caused)\b)(?: [\w'-]+){0,3}"
    r" (?:for|against|with|to) [^?]+\?*$"
    r"|^(?:can|may|could|should|shall|must) (?!you\b|it\b|that\b|this\b)[\w' ]{1,30}? [a-z]+"
    r"|^(?:is|was|would) it (?:be )?(?:ok|okay|fine|safe|allowed|possible|alright|all right)\b"
    r"|^am i allowed\b|^are we allowed\b|^(?:how|what) about\b"
    r"|^(?:i'm |i am |we're |we are )?looking for (?:an?|some|something|somewhere|someone)\b"
    r"|^(?:i|we) (?:need|want|would like|'d like) (?:an?|some|something|someone|somewhere|new)\b"
    r"|^(?:any|some|more) (?:[\w-]+ )?(?:ideas?|thoughts|plans?|options?|tips)\b",
    re.IGNORECASE,
)
# 'A meal for Ben please', 'Breakfast ideas for Dad': no verb, and something for someone.
_WANTED = regex(
    r"^(?:an?|some|the (?:best|right|ideal)|breakfast|lunch|dinner|gift|menu|outfit|recipe)\b"
    r"(?!.*\b(?:is|are|has|have|does|do|said|says|of the)\b).* (?:for|with|to) \w"
    r"|^[\w -]{2,40}\b(?:ideas|options|suggestions|recommendations) (?:for|to)\b",
    re.IGNORECASE,
)
_BEING = regex(
    r"^(?:what|which|who)\b[^?]*\b(?:is|are|does|do (?:you|they)|has|happens|means|works?|likes?"
    r"|wants?|lives?|goes|belongs?)\b(?!.*\b(?:should|would|could|can|shall|suits?|fits?|best|good"
    r"|helps?)\b)",
    re.IGNORECASE,
)
_BYGONE = regex(
    r"\b(?:was|were|did|had|went|got|said|told)\b"
    r"|\b(?:have|has) (?:[\w']+ ){0,3}?(?:been|done|made|chosen|bought|seen|met|[a-z]+ed)\b",
    re.IGNORECASE,
)


def asks_to_do(cue: str) -> bool:
    """Whether a cue asks for something to be made, chosen or arranged, or what is fit for it."""
    text = cue.strip()
    if _BYGONE.search(text) is not None:
        return False
    if _ASKS_TO_DO.search(text) is not None or _WANTED.search(text) is not None:
        return True
    return _ASKS_WHAT.search(text) is not None and _BEING.search(text) is None
