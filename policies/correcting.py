"""Reading corrections: what a sentence takes back, and what it puts in its place."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from policies.asserting import Sentence, is_future, sentences, spoken
from policies.correction_forms import Form, forms
from policies.terms import negated
from policies.time_words import is_ahead, without_time, without_time_first

Manner = Literal["explicit", "in_passing", "request"]
"""How a correction is made: said to be one, said among other talk, or asked for."""

_LONGEST = 4_000
"""Characters of a text that are read: a correction is said in a few words."""

_LONGEST_SENTENCE = 400

_I = re.IGNORECASE
_NOISE = (
    r"oh|ah|aha|hey(?: \w+)?|hi(?: \w+)?|hello|ok(?:ay)?|so|and|but|also|well|hmm+|um+|er+|yeah|yes|right|by the way|btw"
    r"|fyi|for the record|for your information|just so (?:you know|it's clear|we're clear)|just to let you know|just so everyone knows"
    r"|heads[- ]up|just a heads[- ]up|(?:a |just a |one )?(?:quick|small|minor|short|brief|tiny) (?:note|update|thing|heads[- ]up|change|fix|correction|addition)"
    r"|please note(?: that)?|note(?: that)?|to be (?:clear|precise|exact|honest|fair)|incidentally|one more thing|one thing"
    r"|anyway|anyhow|good news|bad news|great news|big news|news|then|now|remember(?: that)?|please remember(?: that)?|look|listen"
    r"|ps|p\.s\.|plus|as you (?:may |might )?know|just|before i forget|for what it's worth|while (?:we're|i'm) at it|that said|speaking of which|on another note"
    r"|finally|meanwhile|unfortunately|sadly|luckily|happily|let me (?:add|mention|note)(?: that)?|i (?:must|have to) (?:say|add|mention)(?: that)?|i think|i believe"
    r"|reminder|quick one|important|be aware(?: that)?|you should know(?: that)?|good to know|little update|status"
)
_MARKS = (
    r"actually|in fact|in reality|in truth|as it happens|as it turns out|(?:it )?turns out(?: that)?|it turned out(?: that)?"
    r"|(?:a |just a |one |quick |small |minor |slight |important )*(?:correction|update|edit|erratum|amendment|fix)(?: (?:on|to|about|regarding) [^:;,.]{3,60}(?=:))?|corrected"
    r"|no|nope|nah|wait|hold on|hang on|scratch that|strike that|never ?mind(?: that)?"
    r"|i (?:misspoke|misremembered)(?: (?:earlier|before|just now|there|yesterday))?|i stand corrected"
    r"|i was (?:wrong|mistaken)(?: (?:earlier|before|there|about (?:that|this|it)))?"
    r"|(?:that|this|it)(?:'s| is| was|'re)? (?:just |simply |actually |now )?(?:not (?:right|true|correct|quite right|accurate)(?: any ?more| any longer| now)?|wrong(?: now)?|incorrect|out ?dated|a mistake|no longer (?:true|right|correct|the case|so)|not (?:true|so) any ?more)"
    r"|(?:that|this|it) (?:isn't|wasn't) (?:right|true|correct|quite right|accurate)(?: any ?more| any longer| now)?"
    r"|let me correct (?:that|myself|this|it)|allow me to correct (?:that|myself)|i(?:'d like| would like| need| have| want|'d love)? to correct (?:that|myself|something|this|the record)"
    r"|correcting myself|my (?:mistake|bad|error)(?: (?:earlier|there))?|(?:i'm |so |very )?sorry|apologies|oops|whoops|on second thoughts?|to correct (?:that|myself|the record|what i said)"
    r"|i (?:actually |really |in fact )?mean(?:t)?(?: to say)?|i made (?:a|an) (?:mistake|error)(?: (?:earlier|there|before))?|i got (?:that|it|this) wrong|not any ?more|change of plans?"
    r"|contrary to what (?:i|you|we) (?:said|noted|thought)(?: (?:earlier|before))?|forget (?:that|it|what i said(?=\s*[,.:;!—-]))|things (?:have )?changed"
    r"|(?:please |(?:can|could) you (?:please )?)?(?:correct|fix|update|amend|change|adjust) (?:the|my|your|our|that|this)? ?(?:records?|notes?|memory|entry|files?|that|this|it)(?: accordingly)?"
    r"|or rather|rather|to set the record straight|setting the record straight|for accuracy|as a correction|by way of correction"
)
_OPENER = re.compile(
    rf"^(?:(?P<mark>{_MARKS})|(?P<noise>{_NOISE}))(?P<end>\s*(?:[,:;.!—–…-]+)\s*|\s+|$)", _I
)
# Words that begin an ordinary statement as well: they open one only before a mark.
_NEED_MARK = re.compile(
    r"^(?:no|update|edit|fix|note|news|now|then|remember|look|listen|right|important|reminder|wait|rather|sorry"
    r"|status|just|finally|one thing|heads[- ]up|correction|amendment|quick one|good news|bad news|and|so"
    r"|(?:that|this|it)(?:'s| is| was| isn't| wasn't) .*|i was (?:wrong|mistaken)|i mean|forget (?:that|it)|.*(?:correct|fix|update|amend|change|adjust) .*)$",
    _I,
)
_MAY_RUN_ON = re.compile(
    r"^(?:wait|sorry|no|so|and|just|finally|remember|i mean|rather|right|then)$", _I
)
_PASSING = re.compile(
    r"(?:[,;]\s*(?:and\s+|but\s+|oh\s+)*|\s+[-–—]+\s*|\s+and\s+|\()(?=(?:by the way|btw|incidentally|fyi|oh and|actually,|heads[- ]up)\b)",
    _I,
)
_REASON = re.compile(
    r"(?:\s*,\s*|\s+)(?:because|since (?!\d|monday|tuesday|wednesday|thursday|friday|saturday|sunday|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|last|this|yesterday|the|then)"
    r"|so that|so (?:please|pls|i|we|you|everyone|everybody|people|it|that|don't|no|the|let's|he|she|they|there|nobody|plan|be|update|adjust|make|keep|expect|come)\b"
    r"|which (?:means|meant|is|was|suits|works|gives|makes|helps|should|i|we|he|she|they)\b"
    r"|due to|thanks to|in order to|to make (?:room|space|time)|as (?:it|he|she|they|we|i|the|nobody|no one|there) (?!of\b)(?:\w+)\b|given that|now that|after (?:all|we|i|he|she|they|the|a|an|it|long|much|some|that)\b|even though|although|though)\b.*$"
    r"|\s*,\s*so\b.*$|\s*,\s*(?:and|but)\s+(?:i|we|he|she|they|everyone|nobody|that|it's (?:great|better|fine|nice|good|been))\b.*$",
    _I,
)
_SCOPE = re.compile(
    r"^(?:(?:only |just |at least )?(?:in|for|at|on|within|over in|over at|regarding|concerning|about|with regard to|with|as for|as to|when it comes to|as far as|under|inside)\s+(?P<scope>[^,:]{2,60}?)(?: is concerned| goes)?"
    r"(?:\s*[,:]\s*|\s+(?=(?:we|i|our|my|the)\b(?:\s|')(?!and\b))))",
    _I,
)
_PRONOUN_IS = re.compile(
    r"^(?:(?:it|that|this|these|those|he|she|they|we|i)(?:'s|'re|'m|\s+(?:is|are|was|were|am|has been|should be|should read|should say|will be|ought to be|must be|needs to be))|it\s+be|make (?:that|it)|should be|should read|should say|is|are|the (?:right|correct|new|actual|real|true|current) (?:\w+ )?(?:is|are|one is|value is|answer is)|as of now)\s+(?:(?:actually|now|really|in fact|rather|instead|currently|just|simply)\s+)*",
    _I,
)
_PRONOUN = re.compile(r"^(?:it|that|this|he|she|they|we|i|these|those)\b(?!\s+\w+\s+that\b)", _I)
_OURS = re.compile(
    r"^(?:we(?: all)?|i|us|me|our (?:team|group|company|department|crew|family)|the (?:team|group|company|department|crew|family|management|boss)|management|everyone|everybody|my (?:team|group|company|family)|hr|you)$",
    _I,
)
_LEAD_IN = re.compile(
    r"(?:^(?!when|while|once|whenever|as soon|until|before)(?:[^\s,:;]+\s+){0,7}[^\s,:;]+(?::|,|\s[–—-])\s+|^.{8,}?\s+(?:and|but)\s+(?=(?:the|our|my|we|i|that)\b|[A-Z]))",
    _I,
)
_SHOULD = re.compile(r"\s+(?:should|ought to|needs to|must)\s+(?:be|read|say|have been)\s+", _I)
_NO_AGENT = re.compile(
    r"^(?:they|them|who|which|that|it|this|to|he|she|nobody|no one|none|there)\b|\b(?:not|never|that|to|who|which|when|been|being|be|has|have|had|is|are|was|were|because|if|than|more|so|just|almost|nearly)\b|n't\b|\s(?:we|i|they|he|she|it|you)$",
    _I,
)
_NO_ABOUT = re.compile(
    r"^(?:nobody|no one|none|there)\b|^(?:i|we|you|he|she|they|it)\s|\b(?:not|never|that|who|which|been|being|because|if|than|just|almost|nearly)\b|n't\b|\b(?:has|have|had|is|are|was|were)$|\s(?:we|i|they|he|she|it|you)$",
    _I,
)
_NO_SUBJECT = re.compile(
    r"^(?:it|that|this|they|these|those|he|she|there|what|which|who|everything|anything|nothing|something|things|all|one|let's|let us|please|to|thing|stuff)$",
    _I,
)
_SAYS = re.compile(
    r"^(?:\S+\s+){1,8}?(?:is|are|was|were|am|has|have|had|can|does|do|will|must|'s|lives?|lived|works?|worked|uses?|prefers?|likes?|loves?|wants?|needs?"
    r"|starts?|begins?|ends?|meets?|happens?|costs?|runs?|takes?|goes|comes?|plays?|drives?|speaks?|eats?|drinks?|sits?|stays?|belongs?|owns?|leads?|manages?|reports?"
    r"|reads|writes?|studies|teaches|flies|leaves?|arrives?|departs?|opens?|closes?|expires?|holds?|keeps?|contains?|supports?|allows?|requires?|ships?|deploys?|weighs?|measures?|lasts?"
    r"|[a-z]{3,}(?:ed|ies))\b(?:\s|$)|\S+'(?:s|re|m)\s+\S"
    r"|^(?!\d)(?:\S+\s+){1,5}?[a-z]{2,}[a-rt-z]s\s+(?:in|on|at|for|to|from|with|by|as|the|a|an|its|their|his|her|our|\d)",
    _I,
)
_DIGIT_OR_NAME = re.compile(r"\d|(?<=\S\s)[A-Z]|^[A-Z]\w+$|⟦")
_CHANGE_FORMS = frozenset(
    ["changed-from", "was-changed-from", "replaced-by", "replaced", "replaces", "took-over", "was-changed", "changed-object",
     "changed-to", "became", "left", "decided-to-drop", "was-dropped", "is-gone", "dropped"]
)  # fmt: skip
_MAY_LIE_AHEAD = frozenset(
    [
        "was-changed",
        "changed-object",
        "changed-to",
        "changed-from",
        "was-changed-from",
        "was-dropped",
        "dropped",
        "is-gone",
    ]
)


class CorrectionReading(msgspec.Struct, frozen=True):
    """What a sentence corrects.

    `old` are the words that no longer hold, `new` those that hold instead;
    `old_kind` and `new_kind` say whether they are a whole statement, a thing, or
    only a value of `about`, what both are said of. `agent` made the change,
    `scope` says where it holds, `when` since when, as written. `sentence` is the
    part of the text that says all this, `alone` whether the text says nothing else.
    """

    manner: Manner
    sentence: str
    form: str
    old: str | None = None
    old_kind: Literal["statement", "thing", "value"] = "statement"
    new: str | None = None
    new_kind: Literal["statement", "value"] = "statement"
    about: str | None = None
    agent: str | None = None
    scope: str | None = None
    when: str | None = None
    speaker: str | None = None
    alone: bool = True


# fmt: off
_SIGNS = frozenset("""
abandon abandoned accurate actually ain't amend anymore any apologies aren't axed became become binned bumped
called can't canceled cancel cancelled canned ceased change changed closed contrary converted correct
correcting correction corrections couldn't cut days dead decommissioned decreased delayed delete departed
deprecated didn't disbanded discard discontinued disregard dissolved ditched doesn't don't downgraded dropped
edit effective eliminated ended erase erratum exchanged extended fact false fell fix forget gave gone got grew
handed hasn't haven't history ignore inaccurate incorrect increased inherited instead isn't killed left
lifted longer lowered mean meant migrated misremembered misspoke mistake mistaken moved nah never nevermind
new nixed no nope not now nowadays obsolete off oops ought out outdated over phased postponed promoted pulled
pushed put quit raised rather reality reassigned reduced relocated remove removed renamed replace replaced
replaces rescheduled reset resigned retire retired revised revoked rose scrap scrapped scratch shelved shifted
shortened should shut since sold sorry stale starting stopped strike succeeded sunset superseded supersedes
supplanted swapped switched taken takes terminated there's these took traded transferred transitioned true
truth turned turns untrue update updated upgraded used valid wait wasn't went weren't whoops withdrawn withdrew
bad said told noted wrote but need needs updating record note notes memory entry statement won't wrong wrongly fallen falling went rolled ported doubled dropping as
""".split())
# fmt: on
_PLAIN_WORDS = re.compile(r"[a-z]+(?:'[a-z]+)?")


def may_correct(text: str) -> bool:
    """Whether a text has any word with which something is taken back."""
    return not _SIGNS.isdisjoint(_PLAIN_WORDS.findall(text.lower().replace("’", "'")))


def read_correction(text: str) -> CorrectionReading | None:
    """What a text corrects; None if it corrects nothing.

    Questions, quotations, suppositions, plans, denials and what is told of
    others correct nothing, nor does a statement that takes nothing back.
    """
    speaker, said = spoken(text[:_LONGEST])
    if not may_correct(said):
        return None
    parts = [part for one in sentences(said) for part in _passages(one)]
    announced: Sentence | None = None
    for place, part in enumerate(parts):
        following = parts[place + 1] if place + 1 < len(parts) else None
        marked, rest = _opened(part.text)
        if (
            part.doubt is None
            and marked
            and not rest
            and following is not None
            and following.doubt is None
        ):
            # 'Scratch that. The demo is on Monday.'
            announced = part
            continue
        telling = (
            part.doubt is None
            and len(part.text) <= _LONGEST_SENTENCE
            and (marked or announced is not None or may_correct(part.text))
        )
        reading = (
            None if not telling else _read(part, rest, marked or announced is not None, following)
        )
        if reading is not None:
            return msgspec.structs.replace(
                reading,
                speaker=speaker,
                alone=len(parts) - (announced is not None) <= 1 + (reading.form in _TWO),
            )
        announced = None
    return None


_TWO = frozenset()


def read_statement(text: str) -> CorrectionReading | None:
    """A plain statement as the correction of what says otherwise; None if it is not asserted."""
    speaker, said = spoken(text[:_LONGEST])
    parts = sentences(said)
    if len(parts) != 1 or parts[0].doubt is not None or negated(said) or is_future(said):
        return None
    _, rest = _opened(parts[0].text)
    core = _cut(rest)
    if not _SAYS.match(core) or is_ahead(core):
        return None
    return _stated(parts[0], core, "explicit", "stated", speaker)


def _passages(sentence: Sentence) -> list[Sentence]:
    """A sentence in two where it turns to another matter in passing."""
    if sentence.doubt == "a question" or sentence.doubt == "hypothetical":
        return [sentence]
    match = _PASSING.search(sentence.text)
    if match is None or match.start() == 0:
        return [sentence]
    pieces = []
    for piece in (sentence.text[: match.start()], sentence.text[match.end() :]):
        pieces += [msgspec.structs.replace(one, quotes=sentence.quotes) for one in sentences(piece)]
    return pieces


def _opened(text: str) -> tuple[bool, str]:
    """Whether words that announce a correction open a sentence, and what follows all such words."""
    marked, rest = False, text.strip()
    while match := _OPENER.match(rest):
        word, pointed = (
            match["mark"] or match["noise"],
            match["end"].strip() != "" or not match["end"],
        )
        if (
            not pointed
            and _NEED_MARK.match(word)
            and not (_MAY_RUN_ON.match(word) and _OPENER.match(rest[match.end() :]))
        ):
            break
        marked = marked or match["mark"] is not None
        rest = rest[match.end() :]
    return marked, rest.strip()


def _cut(text: str) -> str:
    """A clause without what only explains it."""
    return _REASON.sub("", text).strip().rstrip(".!,;: ")


def _read(
    part: Sentence, rest: str, marked: bool, following: Sentence | None
) -> CorrectionReading | None:  # noqa: FBT001
    """What a sentence corrects, be it said after a few words that lead in to it."""
    reading = _read_from(part, rest, marked, following)
    lead = _LEAD_IN.match(rest) if reading is None or reading.form == "marked" else None
    if lead is None:
        return reading
    more, after = _opened(rest[lead.end() :])
    led = _read_from(part, after, marked or more, following)
    return reading if led is None or (reading is not None and led.form == "marked") else led


def _read_from(
    part: Sentence, rest: str, marked: bool, following: Sentence | None
) -> CorrectionReading | None:  # noqa: FBT001
    rest = rest.rstrip(".!?; ")
    rest, first = without_time_first(rest)
    scope = None
    if match := _SCOPE.match(rest):
        scope, rest = match["scope"], rest[match.end() :]
    for form in forms():
        for core in dict.fromkeys((_cut(rest), rest)):
            when = first
            if form.name in _CHANGE_FORMS:
                core, last = without_time(core, of_change=True)
                when = when or last
            elif not form.name.startswith(("record", "request", "what", "was-wrong")):
                core, last = without_time(core, of_change=False)
                when = when or last
            match = form.pattern.match(core)
            reading = None if match is None else _from_form(form, match, part, following)
            if reading is not None:
                manner: Manner = "request" if form.name.startswith("request") else reading.manner
                if marked and manner == "in_passing":
                    manner = "explicit"
                return msgspec.structs.replace(
                    reading, when=when or reading.when, scope=scope, manner=manner
                )
    if not marked and (
        first is None or not first.lower().startswith(("since", "as of", "effective", "starting"))
    ):
        return None
    core, when = without_time(_cut(rest), of_change=False)
    if not marked and not _SAYS.match(core):
        return None
    reading = _stated(part, core, "explicit" if marked else "in_passing", "marked", None)
    return (
        None
        if reading is None
        else msgspec.structs.replace(reading, when=when or first, scope=scope)
    )


def _stated(
    part: Sentence, core: str, manner: Manner, form: str, speaker: str | None
) -> CorrectionReading | None:
    """What is said after 'actually', or to be a correction, without a word of what it corrects."""
    new, kind = _new(part, core)
    if not new:
        return None
    return CorrectionReading(
        manner=manner,
        sentence=part.unmasked(part.text),
        form=form,
        new=new,
        new_kind=kind,
        speaker=speaker,
    )


def _from_form(
    form: Form, match: re.Match[str], part: Sentence, following: Sentence | None
) -> CorrectionReading | None:  # noqa: C901, PLR0911, PLR0912
    """The reading that a form's match comes to; None if its groups make no sense of it."""
    groups = {
        name: (value.strip(" ,;:") if value else None) for name, value in match.groupdict().items()
    }
    old, new, about, verb = (
        groups.get("old"),
        groups.get("new"),
        groups.get("about"),
        groups.get("verb"),
    )
    agent, rest = groups.get("agent"), groups.get("rest")
    if (
        is_future(match[0])
        and form.name
        not in {"not-old", "is-not-but", "instead-of-first", "should-be", "the-new", "record"}
        and not form.name.startswith("request")
    ):
        return None
    if (
        is_ahead(match[0])
        and form.name not in _MAY_LIE_AHEAD
        and (form.name.startswith(("is-n", "now", "decided")) or form.name == "the-new")
    ):
        return None
    if form.name == "decided-to-drop" and is_ahead(part.text):
        return None
    if old is not None and form.old == "statement":
        old = re.sub(r"^that\s+(?=\S+\s)", "", old)
    said = about or agent
    if (
        said is not None
        and about is not None
        and _NO_SUBJECT.match(about)
        and form.name not in {"is-not-but", "does-not-but", "should-be"}
    ):
        if form.name in {
            "no-longer",
            "no-longer-is",
            "not-anymore",
            "used-to",
            "changed-to",
            "was-changed",
            "left",
            "became",
            "is-now",
            "now-does",
        }:
            return None
        about = None
    if agent is not None:
        if _NO_AGENT.search(agent) or len(agent.split()) > 6:  # noqa: PLR2004
            return None
        if _OURS.match(agent):
            agent = None
    if about is not None:
        if (
            about == groups.get("about")
            and _NO_ABOUT.search(about)
            and form.name in {"was-changed", "changed-to", "left", "became", "was-changed-from"}
        ):
            return None
        about = re.sub(r"^(?:as|for|on)\s+", "", about)
        if _OURS.match(about):
            about = None
    if old is not None and re.match(
        r"(?:it|that|this|them|him|her|us|me|the ball|a hint|by|in|out|off|dead|some|any|(?:like|as if|that|because|just|only|so much|about)\s.*)$",
        old,
        _I,
    ):
        return None
    if form.name == "not-old":
        lead, value = _new(part, new or "")
        return CorrectionReading(
            manner="in_passing", sentence=part.unmasked(part.text), form=form.name, old=part.unmasked(old or ""),
            old_kind="statement" if old and _SAYS.match(old) and len(old.split()) > 3 else "value", new=lead, new_kind=value,
        )  # fmt: skip
    if form.name == "instead-of-first":
        lead, value = _new(part, new or "")
        return CorrectionReading(
            manner="in_passing",
            sentence=part.unmasked(part.text),
            form=form.name,
            old=part.unmasked(old or ""),
            old_kind="value",
            new=lead,
            new_kind=value,
        )
    old_kind = form.old
    if form.name in {"no-longer", "no-longer-is", "not-anymore", "used-to"}:
        old = (
            f"{about}{_joined(verb)} {old or ''}".strip()
            if form.name != "used-to"
            else f"{about} {old}"
        )
        subject, about = about, None
        if subject and _NO_SUBJECT.match(subject):
            return None
    elif form.name in {"is-now", "now-does"}:
        new = f"{about}{_joined(verb)} {new}"
        about = None
    elif form.name == "the-new":
        new = f"{re.sub(chr(92) + 'bnew ', '', about or '', count=1)} {verb} {new}"
        about = None
    elif form.name == "is-the-new":
        new = f"{re.sub(chr(92) + 'bnew ', '', about or '', count=1)} is {new}"
        about = None
    elif form.name == "should-be":
        if about is not None and _NO_SUBJECT.match(about):
            about = None
    elif form.name in {"is-new", "now-first"}:
        if not _SAYS.match(new or ""):
            return None
    if form.name == "does-not-but":
        old = old and part.unmasked(old)
        lead, kind = _new(part, rest or "")
        return CorrectionReading(
            manner="in_passing",
            sentence=part.unmasked(part.text),
            form=form.name,
            old=f"{about} {verb} {old}",
            old_kind="statement",
            new=lead,
            new_kind=kind,
        )
    manner: Manner = "explicit" if form in forms()[:16] else "in_passing"
    new_kind: Literal["statement", "value"] = "value"
    sentence = part.unmasked(part.text)
    if form.name in {"is-now", "now-does", "the-new", "is-the-new", "is-new", "now-first"}:
        new_kind = "statement"
        new = part.unmasked(new or "")
    elif new is not None:
        new = part.unmasked(new)
    else:
        source = part
        tail = _after(rest)
        if (
            not tail
            and following is not None
            and following.doubt is None
            and form.name not in _CHANGE_FORMS
        ):
            marked, more = _opened(following.text)
            more = without_time(_cut(more), of_change=False)[0]
            if (
                _PRONOUN.match(more)
                or _PRONOUN_IS.match(more)
                or marked
                or (manner == "explicit" and _SAYS.match(more))
            ):
                tail, source = more, following
                sentence = f"{sentence} {following.unmasked(following.text)}"
        if tail:
            new, new_kind = _new(source, tail)
            if form.name in _CHANGE_FORMS and (new_kind == "value" or not _PRONOUN.match(tail)):
                new, new_kind = None, "statement"
    if form.name in {"said-but", "thing-is-wrong", "that-was-wrong"} and not (
        new or form.name == "that-was-wrong"
    ):
        return None
    if (
        form.name in {"no-more", "was-dropped", "is-gone", "dropped"}
        and old
        and len(old.split()) > 9
    ):  # noqa: PLR2004
        return None
    return CorrectionReading(
        manner=manner, sentence=sentence, form=form.name,
        old=None if not old else part.unmasked(old), old_kind=old_kind,  # type: ignore[arg-type]
        new=new or None, new_kind=new_kind,
        about=None if not about else part.unmasked(about),
        agent=None if not agent else part.unmasked(agent),
    )  # fmt: skip


def _joined(verb: str | None) -> str:
    verb = (verb or "").strip()
    return verb if verb.startswith("'") or not verb else f" {verb}"


def _after(rest: str | None) -> str:
    """What follows a correction, if it may say what holds instead."""
    text = (rest or "").strip(" ,;:.!—–-")
    _, text = _opened(text)
    text = re.sub(
        r"^(?:and|but|so|as|because|since|now|instead|rather)\b\s*,?\s*", "", text, flags=_I
    )
    _, text = _opened(text)
    if re.match(
        r"(?:please|thanks|thank you|should be (?:removed|deleted|dropped|updated|forgotten)|can you|could you|so|because|since|we should|remove|delete|update|drop|forget|ignore)\b",
        text,
        _I,
    ):
        return ""
    return _cut(text)


def _new(part: Sentence, text: str) -> tuple[str, Literal["statement", "value"]]:
    """What holds instead, as a statement, or as a value without the pronoun before it."""
    text = text.strip(" ,;:.")
    _, opened = _opened(text)
    text = opened or text
    match = _PRONOUN_IS.match(text)
    if match is not None and text[match.end() :].strip():
        return part.unmasked(text[match.end() :]), "value"
    text = re.sub(
        r"\s+(?:now|instead|currently|these days|at the moment|really|in fact)$", "", text, flags=_I
    )
    text = _SHOULD.sub(" is ", text, count=1)
    if _SAYS.match(text):
        return part.unmasked(
            re.sub(r"\b(?:actually|now|in fact|currently|really)\s+", "", text, count=1, flags=_I)
        ), "statement"
    return part.unmasked(text), "value"
