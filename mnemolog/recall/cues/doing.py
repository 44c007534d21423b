"""Requests in a cue: to make, choose or arrange something, or for advice on it."""

from __future__ import annotations

from mnemolog.recall.cues.lists import LISTS

# What is asked to be done, in the imperative; what is looked up (show, tell, list) is left out.
_ASKS_TO_DO = LISTS.pattern("asks_to_do")
# Each line is read from its first question word alone: trying every one makes a long cue quadratic.
_ASKS_WHAT = LISTS.pattern("asks_what")
# 'A meal for Ben please', 'Breakfast ideas for Dad': no verb, and something for someone.
_WANTED = LISTS.pattern("wanted")
_BEING = LISTS.pattern("being")
_BYGONE = LISTS.pattern("bygone")


def asks_to_do(cue: str) -> bool:
    """True if a cue asks for something to be made, chosen or arranged, or what is fit for it."""
    text = cue.strip()
    if _BYGONE.search(text) is not None:
        return False
    if _ASKS_TO_DO.search(text) is not None or _WANTED.search(text) is not None:
        return True
    return _ASKS_WHAT.search(text) is not None and _BEING.search(text) is None
