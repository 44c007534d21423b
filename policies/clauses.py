"""A clause taken apart: its subject, its verb, what follows, when and under which condition."""

from __future__ import annotations

import re

import msgspec

from policies.english import (
    ADVERBS,
    BE,
    DETERMINERS,
    DO,
    EPISODE,
    HAVE,
    MODAL,
    PAST_AUXILIARY,
    PREPOSITIONS,
    PRONOUNS,
    verb_forms,
)
from policies.quantities import Quantity, quantities

_MOST_SUBJECT_WORDS = 8
_PLACEHOLDER = re.compile(r"⟦(\d+)⟧")
_TIMES = frozenset({"date", "clock", "weekday"})


class Words(msgspec.Struct, frozen=True):
    """A subject as its words; `is_person` if it is a name or the speaker."""

    words: tuple[str, ...]
    is_person: bool


class Clause(msgspec.Struct, frozen=True):
    """A clause taken apart.

    `predicate` is the verb's base form and `rest` after it, amounts as numbered
    placeholders of `amounts`, adverbs and denials taken out. `when` are the times at
    which it holds, `span` the years from and to which, `condition` in words under
    which. `past` is over, `episodic` happened once. `only` says so expressly.
    """

    subject: Words
    verb: str
    rest: str
    affirmed: bool
    past: bool
    episodic: bool
    only: bool
    amounts: tuple[Quantity, ...]
    when: tuple[Quantity, ...]
    span: tuple[int, int] | None
    since: bool
    condition: str | None

    @property
    def predicate(self) -> str:
        """The verb and what follows it."""
        return f"{self.verb} {self.rest}".strip()

    def quantities_in(self, text: str) -> tuple[Quantity, ...]:
        """The amounts that placeholders in `text` stand for."""
        return tuple(self.amounts[int(match[1])] for match in _PLACEHOLDER.finditer(text))

    def spelled(self, text: str) -> str:
        """`text` with the amounts in their own words."""
        return _PLACEHOLDER.sub(lambda match: self.amounts[int(match[1])].text, text)


_SPAN = re.compile(
    r"\b(?:from|between) (?P<a>(?:19|20)\d\d) (?:to|until|till|and|through) (?P<b>(?:19|20)\d\d)\b"
    r"|\b(?P<c>(?:19|20)\d\d)\s?[-–]\s?(?P<d>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_Q = r"⟦\d+⟧s?"
_TIME_PHRASE = (
    rf"(?:on|in|at|during|since|all|by|until|throughout|every|for all of|spent)?\s*(?:the )?{_Q}"
    rf"(?:\s*(?:,|at|on|in|and)?\s*{_Q})*"
)
_LEADING_TIME = re.compile(rf"^(?P<t>{_TIME_PHRASE}),?\s+(?=\S)", re.IGNORECASE)
_TRAILING_TIME = re.compile(
    rf"(?<=\S)\s+(?P<t>(?:on|in|at|during|since|all|until|throughout|every)\s+(?:the )?{_Q}"
    rf"(?:\s*(?:,|at|on|in|and)?\s*{_Q})*)$",
    re.IGNORECASE,
)
_CIRCUMSTANCE = (
    r"(?:(?:in|during) (?:the )?(?:winter|summer|spring|autumn|fall|mornings?|evenings?|"
    r"afternoons?|nights?|rain|office|past)|(?:at|on|over) (?:the )?(?:work|home|school|night|"
    r"weekends?|weekdays?|holidays?|vacation|business trips?|parties)|in (?:production|staging|"
    r"development|general|private|public|meetings|class)|on (?:staging|production|mobile|desktop|"
    r"weekdays|weekends)|before \w+|after \w+)"
)
_LEADING_CONDITION = re.compile(rf"^(?P<c>{_CIRCUMSTANCE}|(?:when|whenever|while) [^,]+),?\s+(?=\S)",
                                re.IGNORECASE)  # fmt: skip
_TRAILING_CONDITION = re.compile(
    rf"(?<=\S),?\s+(?P<c>{_CIRCUMSTANCE}|(?:when|whenever|while|during|except|only (?:on|in|at|with)"
    r"|unless) .+|on the \w+ (?:plan|tier|server|branch|team|machine|version)"
    r"|(?:for|with) (?:all |most )?(?:\w+ )?(?:users|customers|members|guests|accounts|clients|"
    r"visitors|admins|adults|children|beginners)|on (?:android|ios|windows|linux|macos|mac))$",
    re.IGNORECASE,
)
_HAS_ITS_DAY = re.compile(
    r"^([\w .]+?) (?:has|have) (?:his|her|their) (birthday|anniversary) (?=on |in )"
)
_SPENT = re.compile(r"\bspent (⟦\d+⟧) (in|at) (.+)$")
_USED_TO = re.compile(r"\bused to (?=[a-z])|\bgrew up\b")
_ONLY = re.compile(r"(?<![-\w])(?:only|exclusively|solely|nothing but)\b ?", re.IGNORECASE)
_TOKEN = re.compile(r"⟦\d+⟧s?|[^\s,]+")
# What has become of something is how it is: these say so in the past tense.
_CHANGES = frozenset(
    "move relocate switch change become join upgrade migrate raise lower increase reduce "
    "reschedule postpone decide choose pick start stop quit give rise drop fall go adopt replace "
    "approve reject".split()
)
_NO_PERSON = frozenset("the a an our this".split())


def read_clause(text: str) -> Clause | None:
    """A clause taken apart, or None where it cannot be told what it says of what."""
    if _USED_TO.search(text):
        return None
    text = re.sub(r"^there (is|are) (.+?) (?:on|in|at) (.+)$", r"\3 have \2", text,
                  flags=re.IGNORECASE)  # fmt: skip
    text = _HAS_ITS_DAY.sub(r"\1's \2 is ", text)
    episodic = EPISODE.search(text) is not None
    bare = ADVERBS.sub(" ", text)
    span = _span(bare)
    if span is not None:
        bare = _SPAN.sub(" ", bare)
    bare = re.sub(r"\b[Nn]o longer\b", "not", bare)
    only = _ONLY.search(bare) is not None
    bare = _ONLY.sub("", " ".join(bare.split())).strip(" ,")
    amounts = quantities(bare)
    for at in range(len(amounts) - 1, -1, -1):
        amount = amounts[at]
        if _inside_name(bare, amount):
            continue
        bare = f"{bare[: amount.start]}⟦{at}⟧{bare[amount.end :]}"
    bare = _SPENT.sub(r"was \2 \3 on \1", bare)
    bare, leading, first_condition = _leading(bare)
    parts = _verb_group(_TOKEN.findall(bare))
    if parts is None:
        return None
    subject, group = parts
    rest, trailing, last_condition = _trailing(group.rest, group.verb)
    when = tuple(amounts[int(at)] for at in _PLACEHOLDER.findall(f"{leading} {trailing}"))
    person = _person(subject)
    past = group.past and not (group.verb in _CHANGES or group.changed)
    return Clause(
        subject=Words(tuple(_spelled(subject, amounts)), person),
        verb=group.verb,
        rest=rest,
        affirmed=group.affirmed,
        past=past,
        episodic=(episodic and group.verb not in _CHANGES) or group.experienced,
        only=only,
        amounts=amounts,
        when=when,
        span=span,
        since="since" in f"{leading} {trailing}".lower(),
        condition=" ".join(part for part in (first_condition, last_condition) if part) or None,
    )


def _inside_name(text: str, amount: Quantity) -> bool:
    """Whether a number is part of an identifier, such as 'eu-west-1'."""
    before, after = text[: amount.start][-1:], text[amount.end :][:2]
    return before in {"-", "_", "/", "@"} or before.isalnum() or (
        after[:1] in {"-", "_", "@"} and after[1:].isalnum()
    )


def _spelled(words: list[str], amounts: tuple[Quantity, ...]) -> list[str]:
    said = _PLACEHOLDER.sub(lambda match: amounts[int(match[1])].text, " ".join(words))
    return said.split()


def _span(text: str) -> tuple[int, int] | None:
    match = _SPAN.search(text)
    if match is None:
        return None
    return int(match["a"] or match["c"]), int(match["b"] or match["d"])


def _leading(text: str) -> tuple[str, str, str]:
    times, condition = "", ""
    match = _LEADING_TIME.match(text)
    if match is not None and text[match.end() :].split()[0].lower() not in {*BE, *HAVE, *DO}:
        times, text = match["t"], text[match.end() :]
    match = _LEADING_CONDITION.match(text)
    if match is not None and len(text[match.end() :].split()) > 1:
        condition, text = match["c"], text[match.end() :]
    return text, times, condition


def _trailing(rest: str, verb: str) -> tuple[str, str, str]:
    """What follows the verb without times and conditions, unless they are all there is of it."""
    times, condition = "", ""
    for _ in range(2):
        match = _TRAILING_CONDITION.search(rest)
        if match is not None and not condition:
            condition, rest = match["c"], rest[: match.start()]
        match = _TRAILING_TIME.search(rest)
        if match is not None and _has_object(rest[: match.start()], verb):
            times, rest = f"{times} {match['t']}", rest[: match.start()]
    return rest.strip(" ,"), times, condition


def _has_object(before: str, verb: str) -> bool:
    """Whether something is said before a time, so that the time is not the point itself."""
    words = [word for word in before.split() if not _PLACEHOLDER.match(word)]
    return any(word.lower() not in _NO_OBJECT for word in words) and words[-1] not in PREPOSITIONS


_NO_OBJECT = PREPOSITIONS | frozenset(
    "scheduled due held born moved released launched shipped planned set rescheduled postponed "
    "pushed changed delayed back place up down off out every each the".split()
)


class _Group(msgspec.Struct):
    verb: str
    rest: str
    affirmed: bool
    past: bool
    changed: bool
    experienced: bool


def _verb_group(tokens: list[str]) -> tuple[list[str], _Group] | None:
    start = _verb_at(tokens)
    if start is None:
        return None
    subject = tokens[:start]
    if subject[0].lower() in PREPOSITIONS or subject[-1].lower() in PRONOUNS:
        return None
    if any(word.lower() in PRONOUNS - {"his", "its", "their", "her"} for word in subject):
        return None
    if subject[0].lower() in {"his", "its", "their", "her", "no", "and", "or", "not"}:
        return None
    return subject, _grouped(tokens[start:])


def _verb_at(tokens: list[str]) -> int | None:
    forms = verb_forms()
    for at in range(1, min(len(tokens), _MOST_SUBJECT_WORDS + 1)):
        word, before = tokens[at].lower(), tokens[at - 1].lower()
        if word in BE or word in HAVE or word in DO or word in MODAL:
            if word not in {"been", "being", "be", "having"}:
                return at
        form = forms.get(word)
        if form is None or word == "time":
            if word in {"not", "never"} and at + 1 < len(tokens):
                return at
            continue
        if before in DETERMINERS or before in PREPOSITIONS or before.endswith("'s"):
            continue
        after = tokens[at + 1].lower() if at + 1 < len(tokens) else ""
        if after in BE or after in HAVE or tokens[at][0].isupper() or (
            after == "of" and form.lemma != "consist"
        ):
            continue
        plural = before in {"i", "we", "they"} or (
            before.endswith("s") and not before.endswith(("ss", "us"))
        ) or (at >= 3 and "and" in tokens[:at])  # noqa: PLR2004
        if form.form == "ing" or (form.form == "base" and not plural):
            if not (form.form == "base" and form.lemma + "d" == word):
                continue
        return at
    return None


def _grouped(tokens: list[str]) -> _Group:
    forms = verb_forms()
    affirmed, past, perfect, be, never, modal = True, False, False, False, False, ""
    at = 0
    while at < len(tokens):
        word = tokens[at].lower()
        following = [token.lower() for token in tokens[at + 1 : at + 4]]
        if word in {"not", "never"}:
            affirmed, never = not affirmed, never or word == "never"
        elif word in MODAL and following:
            modal = word
        elif word in DO and following and (past := past or word == "did") is not None:
            pass
        elif word in HAVE and _perfect(following):
            perfect = True
        elif word in BE:
            be, past = True, past or (word in PAST_AUXILIARY)
        else:
            break
        at += 1
    rest = tokens[at:]
    word = rest[0].lower() if rest else ""
    form = forms.get(word)
    if be and (form is None or form.form != "ing"):
        verb, after = "be", rest
    elif form is not None:
        verb, after = form.lemma, rest[1:]
        past = past or (form.form == "past" and not perfect)
    else:
        verb, after = word, rest[1:]
    if modal == "can":
        verb = f"can {verb}" if verb else "can"
    said = " ".join(after)
    changed = verb == "be" and bool(re.match(
        r"(?:moved|migrated|rescheduled|postponed|pushed|changed|raised|lowered|increased|reduced"
        r"|cut|set|bumped|upgraded|updated|rewritten|renamed|shifted|delayed|extended|relocated"
        r"|transferred|brought|switched|born|adjusted|doubled|halved)\b", said))  # fmt: skip
    experienced = perfect and not never and not (
        be or verb in _CHANGES or (verb in {"live", "work", "have"} and "⟦" not in said)
    )
    return _Group(verb, said, affirmed, past, changed, experienced)


def _perfect(following: list[str]) -> bool:
    words = [word for word in following if word not in {"not", "never"}]
    if not words:
        return False
    form = verb_forms().get(words[0])
    return words[0] == "been" or (form is not None and form.form == "past") or (
        words[0] in {"become", "run", "come", "set", "cost", "read", "put", "cut", "quit"}
    )


def _person(subject: list[str]) -> bool:
    if subject[-1].lower() in {"i", "we", "user"}:
        return True
    if subject[0].lower() in _NO_PERSON:
        return False
    possessed = any(word.endswith(("'s", "'")) for word in subject[:-1])
    kin = subject[-1].lower() in {
        "sister", "brother", "mother", "father", "mom", "mum", "dad", "wife", "husband", "son",
        "daughter", "friend", "partner", "boss", "manager", "aunt", "uncle", "cousin", "colleague",
        "neighbour", "neighbor", "roommate", "girlfriend", "boyfriend", "grandmother",
        "grandfather", "teacher", "doctor",
    }  # fmt: skip
    if subject[0].lower() == "my" or possessed:
        return kin
    return all(word[:1].isupper() for word in subject) and len(subject) <= 3  # noqa: PLR2004
