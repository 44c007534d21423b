"""What was changed, given up, or is new."""

from __future__ import annotations

from collections.abc import Iterator

from mnemolog.policies.corrections.patterns import GAP, Form, form

_AUX = (
    r"(?:(?:have|has|'ve|'s|just|recently|finally|actually|already|now|officially|also"
    r"|completely|since"
    r"|then|all|both|quietly|eventually|ultimately|then|in fact|of course|only|lately"
    r"|meanwhile|formally)\s+)*"
)
_HAVE = rf"(?:(?:'ve|'s)\s+)?{_AUX}"
_BEEN = (
    rf"(?:(?:is|are|was|were|got|gets|has been|have been|'s been|'ve been|has|have"
    rf"|'s)\s+{_AUX}"
    r"(?:been\s+|being\s+)?)"
)
_CHANGED = (
    r"(?:switched|moved|migrated|changed|transitioned|converted|upgraded|downgraded"
    r"|renamed|swapped|shifted"
    r"|pushed(?: back| out| forward| up)?|bumped(?: up| back)?|brought forward"
    r"|pulled forward|put back"
    r"|rescheduled|postponed|delayed|deferred|raised|lowered|increased|decreased|reduced"
    r"|cut|extended"
    r"|shortened|relocated|transferred|reassigned|rolled over|handed over|reset|set"
    r"|updated|adjusted"
    r"|revised|corrected|amended|went|gone|promoted|demoted|risen|rose|fell|fallen|grew"
    r"|grown|dropped|doubled|ported|rewritten|rewrote|translated|rebooked)"
)
_DROPPED = (
    r"(?P<verb>dropped|abandoned|cancell?ed|scrapped|ditched|discontinued|retired"
    r"|decommissioned|shelved|axed"
    r"|removed|killed(?: off)?|canned|binned|sunset(?:ted)?|deprecated|gave up(?: on)?"
    r"|given up(?: on)?"
    r"|(?:went|gone|swore|sworn) off|got rid of|gotten rid of|phased out|shut down|shut|called off"
    r"|put an end to"
    r"|did away with|done away with"
    r"|walked away from|(?:moved|migrated|switched) (?:off|away from)|backed out of"
    r"|pulled out of|opted out of"
    r"|withdrew from|withdrawn from|quit|ended|closed(?: down)?|sold|terminated|eliminated"
    r"|nixed|revoked|lifted"
    r"|(?:stopped|ceased|quit|finished|gave up|given up"
    r"|no longer)\s+(?:\w+ly\s+)?\w+ing(?: (?:with|on|in|at|to|for))?)"
)
_PASSIVE_DROPPED = (
    r"(?P<verb>dropped|abandoned|cancell?ed|scrapped|ditched|discontinued|retired"
    r"|decommissioned|shelved|axed"
    r"|removed|killed(?: off)?|canned|binned|sunset(?:ted)?|deprecated|given up|phased out"
    r"|shut down|called off"
    r"|done away with|ended|closed(?: down)?|sold|terminated|eliminated|nixed|revoked"
    r"|lifted|disbanded|dissolved)"
)
_GONE = (
    r"(?:(?:is|are|'s|'re)\s+(?:now\s+|officially\s+|all\s+)?(?:off|gone|over|dead|history"
    r"|no more|cancell?ed|finished|out|not happening(?: any ?more)?)"
    r"|(?:isn't|aren't|is not|are not) (?:happening|a thing|going ahead|in use"
    r"|available)(?: any ?more| any longer| now)?"
    r"|no longer (?:happens?|exists?|takes? place|applies|apply|runs?)"
    r"|(?:doesn't|don't|does not|do not) (?:happen|exist|take place|apply) (?:any ?more"
    r"|any longer|now)"
    r"|(?:has|have) (?:ended|stopped|gone|ceased|expired|fallen through)|fell through"
    r"|ceased to exist|came to an end)(?:\s+(?:for good|for now|permanently|altogether"
    r"|entirely|until .*))?"
)
_WHO = r"(?P<agent>[^,;:]{1,60}?)"


def changes() -> Iterator[Form]:
    """What was changed, from one value or to another."""
    to = (
        r"(?:\s+(?:over|back|out|up|down|forward|away))?\s+(?:to|onto|into|until|till"
        r"|for(?!.*\s(?:to|until|till)\s)|towards?|in favou?r of)\s+"
    )
    obj = r"(?:(?P<about>[^,;:]+?)\s+)?"
    over = r"(?:(?:over|back|out|up|down|forward|away)\s+)?"
    yield form(
        "changed-from",
        rf"^{_WHO}{GAP}{_HAVE}{_CHANGED}\s+{obj}{over}(?:from|off"
        rf"|away from)\s+(?P<old>[^;:]+?)(?:\s+and)?{to}(?P<new>.+)$",
        "value",
    )
    yield form(
        "was-changed-from",
        rf"^(?P<about>[^,;:]+?){GAP}{_BEEN}{_CHANGED}\s+{over}from\s+(?P<old>[^;:]+?"
        rf"){to}(?P<new>.+)$",
        "value",
    )
    yield form(
        "replaced-by",
        rf"^(?:the\s+|our\s+)?(?P<old>[^,;:]+?){GAP}{_BEEN}(?:replaced|superseded|succeeded"
        rf"|supplanted|swapped(?: out)?|traded)\s+(?:with|by|for)\s+(?P<new>.+)$",
        "value",
    )
    yield form(
        "replaced",
        rf"^{_WHO}{GAP}{_HAVE}(?:replaced|swapped(?: out)?|traded(?: in)?|exchanged|ditched"
        rf"|dropped|abandoned|left|gave up"
        rf"|scrapped)\s+(?P<old>[^,;:]+?)\s+(?:with|by|for|in favou?r of)\s+(?P<new>.+)$",
        "value",
    )
    yield form(
        "replaces",
        rf"^(?P<new>[^,;:]+?)\s+{_HAVE}(?:replaces|replaced|supersedes|superseded|succeeds"
        rf"|succeeded|took over from|takes over from|taken over from|stands in for"
        rf"|took the place of|taken the place of)\s+(?P<old>[^,;:]+?)(?:\s+(?:as|for"
        rf"|on)\s+(?P<about>.+))?$",
        "value",
    )
    yield form(
        "took-over",
        rf"^(?P<new>[^,;:]+?)\s+{_HAVE}(?:took over|taken over|takes over"
        rf"|inherited)\s+(?P<about>[^,;:]+?)\s+from\s+(?P<old>[^,;:]+)$",
        "value",
    )
    yield form(
        "was-changed", rf"^(?P<about>[^,;:]+?){GAP}{_BEEN}{_CHANGED}{to}(?P<new>.+)$", "value"
    )
    yield form(
        "changed-object",
        rf"^{_WHO}{GAP}{_HAVE}{_CHANGED}\s+(?P<about>(?:the|our|my|his|her|its|their|your|this"
        rf"|that|all|every|both)\b[^,;:]*?|[A-Z][\w.-]*'s\s[^,;:]*?|[a-z]+ing){to}(?P<new>.+)$",
        "value",
    )
    yield form(
        "changed-to", rf"^(?P<about>[^,;:]+?){GAP}{_HAVE}{_CHANGED}{to}(?P<new>.+)$", "value"
    )
    yield form(
        "has-changed",
        rf"^(?P<about>[^,;:]+?){GAP}{_HAVE}(?:changed|moved)\s*(?:[,:—\u2013]|\s-)\s*(?:it|that"
        rf"|this"
        r"|they)(?:'s|'re|\s+(?:is|are))\s+(?:now\s+)?(?P<new>.+?)(?:\s+now)?$",
        "value",
    )
    yield form(
        "changed-from",
        rf"^(?P<about>[^,;:]+?){GAP}{_HAVE}(?:changed|moved)\s*[:,]\s*(?P<old>\S+(?:\s\S+){{0,3}}?)"
        r"\s*(?:->|=>|→|⇒)\s*(?P<new>.+)$",
        "value",
    )
    yield form(
        "handed-over",
        rf"^(?P<old>[^,;:]+?)\s+{_HAVE}(?:handed|passed|turned|transferred)\s+(?:(?:over|on)\s+)?"
        r"(?P<about>[^,;:]+?)\s+(?:(?:over|on)\s+)?to\s+(?P<new>.+)$",
        "value",
    )
    yield form(
        "use-no-more",
        r"^(?:please\s+)?(?:don't|do not|stop)\s+us(?:e|ing)\s+(?P<old>[^,;:]+?)(?:\s+for"
        r"\s+(?P<about>[^,;:]+?))?\s+(?:any ?more|any longer)\s*(?:[,:—\u2013]|\s-)\s*(?:but\s+)?"
        r"use\s+(?P<new>.+?)(?:\s+instead)?$",
        "value",
    )
    yield form(
        "became",
        rf"^(?P<about>[^,;:]+?)\s+{_HAVE}(?:became|become|turned into)\s+(?P<new>.+)$",
        "value",
    )
    yield form(
        "left",
        rf"^(?P<about>[^,;:]+?){GAP}{_HAVE}(?P<verb>left|quit|departed(?: from)?|resigned from"
        rf"|retired from|moved (?:away|out) (?:from|of)|moved on from|stepped down (?:as|from)"
        rf"|broke up with|parted ways with)\s+(?P<old>[^,;:]+?)(?:(?:\s*,)?\s+(?:to join"
        rf"|to work (?:at|for)|and (?:has )?joined|and (?:has )?moved to|and is now (?:at|with"
        rf"|in)|and now works (?:at|for))\s+(?P<new>.+))?$",
        "value",
    )

    yield form(
        "joined-after",
        rf"^(?P<about>[^,;:]+?)\s+{_HAVE}(?:joined|moved to|went to|started at|is (?:now )?(?:at"
        rf"|with))\s+"
        r"(?P<new>[^,;:]+?)\s+after (?:leaving|quitting)\s+(?P<old>[^,;:]+)$",
        "value",
    )
    yield form(
        "new-job",
        rf"^(?P<about>[^,;:]+?){GAP}{_HAVE}(?:got|found|landed|took|taken|started"
        rf"|accepted)\s+an?\s+(?:new\s+)?"
        r"(?P<verb>job|position|role)\s+(?P<rest>(?:at|with|in|as)\s+.+)$",
    )


def endings() -> Iterator[Form]:
    """What was given up, with nothing in its place."""
    after = r"(?P<rest>(?:\s*[,;:.—\u2013]+\s*.*|\s+-\s+.*)?)"
    yield form(
        "decided-to-drop",
        rf"^(?P<agent>we|i|the team|our team|[A-Z]\w+){GAP}{_HAVE}(?:decided|agreed|chosen"
        rf"|chose|voted)\s+to\s+(?P<verb>drop|abandon|cancel|scrap|ditch|discontinue|retire"
        rf"|shelve|remove|kill|get rid of|phase out|shut down|call off|stop(?:\s+\w+ing)?"
        rf"|end)\s+(?P<old>[^,;:—\u2013]+?){after}$",
        "thing",
    )
    yield form("was-dropped", rf"^(?P<old>[^,;:]+?){GAP}{_BEEN}{_PASSIVE_DROPPED}{after}$", "thing")
    yield form("is-gone", rf"^(?P<old>[^,;:]+?){GAP}{_GONE}{after}$", "thing")
    yield form(
        "dropped", rf"^{_WHO}{GAP}{_HAVE}{_DROPPED}\s+(?P<old>[^,;:—\u2013]+?){after}$", "thing"
    )


def news() -> Iterator[Form]:
    """What is so now, and by that was otherwise before."""
    yield form(
        "is-now",
        r"^(?P<about>[^,;:]+?)(?P<verb>'s|'re|'m|\s+(?:is|are|am|has|have|was|can"
        r"|does))\s+(?:now|actually|in fact)\s+(?P<new>.+)$",
    )
    yield form(
        "now-does",
        r"^(?P<about>[^,;:]+?)\s+now\s+(?P<verb>\w+s|(?<=we now )\w+|(?<=i now )\w+|live|work"
        r"|use|meet|start|cost|need|run|have)\s+(?P<new>.+)$",
    )
    yield form(
        "is-new",
        r"^(?P<new>.+?\s.+?)\s+(?:now|these days|nowadays|instead|as of (?:now|today)"
        r"|from now on)$",
    )
    yield form(
        "now-first",
        r"^(?:now|these days|nowadays|from (?:now|today|this week|next week)(?: on(?:wards?)?)?"
        r"|as of (?:now|today)|going forward)"
        r",?\s+(?P<new>\S+\s.+)$",
    )
    yield form(
        "has-new",
        r"^(?P<about>[^,;:]+?)\s+(?:has|have|got)\s+(?:an?\s+)?new\s+(?P<verb>[\w ]{2,30}?)"
        r"\s*(?::|,|\s[\u2013\u2014-])\s*(?:it's\s+|it is\s+)?(?P<new>\S+(?:\s+\S+){0,4})$",
    )
    yield form(
        "the-new",
        r"^(?P<about>(?:(?:the|our|my|your|his|her|their)"
        r"|[^,;:]+?'s?)\s+new\s+[^,;:]+?)\s+(?P<verb>is|are|will be)\s+(?P<new>.+)$",
    )
    yield form(
        "is-the-new",
        r"^(?P<new>[^,;:]+?)\s+(?:is|are)\s+(?P<about>(?:the|our|my|your|his|her"
        r"|[\w.]+'s)\s+new\s+.+)$",
    )
    yield form(
        "should-be",
        r"^(?P<about>[^,;:]+?)\s+(?:should|ought to|needs to|must)\s+(?:be|read|say|have been"
        r"|have read|have said)\s+(?P<new>.+)$",
    )
