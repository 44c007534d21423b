"""Attribute of a clause, by the first reader that recognises one.

'Is' and 'prefers' give attributes (the A of X is V, X is a nurse, X is red), and so do other verbs
with a complement: location, software used, cost.
"""

import re
from collections.abc import Callable, Sequence

import msgspec

from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.clauses.frames import (
    ADDRESSED,
    EXCLUSIVE,
    LISTS,
    Frame,
    Reader,
    counted_words,
    does_regularly,
    frame,
    frequent,
    head_of,
    of_subject,
    settled,
    subject_text,
)
from mnemolog.language.clauses.needs import Alternatives
from mnemolog.language.lists import english
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.words.lexicon import (
    DETERMINERS,
    LEXICON,
    PREPOSITIONS,
    PRONOUNS,
    SOFTWARE,
    known_verbs,
    noun,
    rows_of,
    state_of,
    topic,
)

Groups = re.Match[str]
_PATTERNS, _RELATIONS = LISTS.patterns_by_name, Alternatives(LISTS, "relations")
_OLDEST = 120
_FEW_WORDS = 4
_NUMBERED = frozenset({"number", "version"})
_ARTICLES = ("a ", "an ")


def _versioned(clause: Clause) -> Frame | None:
    match = _PATTERNS.versioned.match(clause.predicate)
    # 'Anna is on step 1' gives no version.
    if match is None or (clause.verb == "be" and match["n"].islower() and clause.subject.is_person):
        return None
    return of_subject(clause, "version", match["v"], (match["n"], "version"))


def _of_person(clause: Clause) -> Frame | None:
    if clause.verb != "be" or not clause.subject.is_person or clause.past:
        return None
    match = _PATTERNS.nation.match(clause.rest)
    if match is not None and match["v"] in english("nationalities").words("nationalities"):
        return of_subject(clause, "nationality", match["v"])
    amounts = clause.quantities_in(clause.rest) if _PATTERNS.years.match(clause.rest) else ()
    if not amounts or amounts[0].dimension not in {"number", "duration"}:
        return None
    if amounts[0].dimension == "number":
        if not 0 < amounts[0].amount < _OLDEST:
            return None
        # A bare 34 is an age in years.
        amounts = quantities(f"{amounts[0].text} years")
    found = of_subject(clause, "age", amounts[0].text)
    return msgspec.structs.replace(found, quantities=amounts)


def _related(clause: Clause) -> Frame | None:
    for match, attribute in _RELATIONS.matches(clause.predicate):
        found = _SPECIAL.get(attribute, _single)(clause, attribute, match)
        if found is not None:
            return found
    return None


def _classified(clause: Clause) -> Frame | None:
    """Frame of an occupation, a state with alternatives (a colour) or the only one of a kind."""
    person, rest = clause.subject.is_person, clause.rest
    trade = _PATTERNS.trade.match(rest) if person and clause.verb in {"be", "become"} else None
    if trade is not None and noun(trade["t"].split()[-1]) in LEXICON.words("occupations"):
        return of_subject(clause, "job", rest)
    if clause.verb == "be" and not clause.past and not person and rows_of(rest.lower()):
        return of_subject(clause, "state", rest)
    kind = _PATTERNS.solely.match(rest) if clause.verb == "be" else None
    return kind and frame(clause, topic(kind["t"].split()), kind["t"], subject_text(clause))


def _described(clause: Clause) -> Frame | None:
    """Frame of 'the A of X is V': attributes of one value, no other descriptions."""
    value: str | None
    value, head = clause.rest, head_of(clause)
    if head in LISTS.words("of_an_event"):
        clause = settled(clause)
    if clause.verb != "be" or not value or value.startswith("so "):
        return None
    amounts, words = clause.quantities_in(value), [*clause.subject.words]
    if not amounts or clause.subject.is_person:
        value = _identifying(clause, head)
    elif head in LISTS.words("seats") and value.startswith(("at ", "on ")):
        words += ["street"]
    elif not value.startswith(_ARTICLES) and all(one.dimension in _NUMBERED for one in amounts):
        # 'Parked on level 2' describes where it is parked; 'a Toyota' does not.
        words += filter(str.isalpha, value.split())
    return None if value is None else frame(clause, topic(words), subject_text(clause), value)


def _identifying(clause: Clause, head: str) -> str | None:
    """Value of an attribute without amounts; None for words that only describe."""
    value, stated = clause.rest, state_of(clause.rest)[0]
    # Max with a possessive is a name and not 'maximum'.
    words = (noun(word) for word in clause.subject.words if word != "Max's")
    if not clause.subject.is_person and not LEXICON.words("sole").isdisjoint(words):
        return None if stated or noun(value.split()[-1]) in PRONOUNS else value
    if _is_named(clause, head):
        return value
    if head not in LEXICON.words("attributes") or (stated and not value.startswith(_ARTICLES)):
        return None
    if head in LISTS.words("seats") and value.split()[0] in PREPOSITIONS:
        value = value.partition(" ")[2]
    exact = _PATTERNS.identifier.fullmatch(value) or ("@" in value and " " not in value)
    named = exact or _PATTERNS.named.match(value) or _PATTERNS.place_thing.match(value)
    return value if named or head in LEXICON.words("plain") else None


def _is_named(clause: Clause, head: str) -> bool:
    subject = subject_text(clause).lower().split()
    last = _PATTERNS.of.split(subject_text(clause).lower(), maxsplit=1)[0].split()[-1]
    definite = subject[0] in {"the", "our", "my"} or any(word.endswith("'s") for word in subject)
    # 'Ann's landlord' can be identified, but Ann is Ann.
    person = clause.subject.is_person and clause.subject.words[-1][:1].isupper()
    one = head not in LEXICON.words("manifold") and noun(last) == last.removesuffix("'s")
    return definite and one and not person and _PATTERNS.name.match(clause.rest) is not None


def _preferred(clause: Clause) -> Frame | None:
    kind = clause.verb == "be" and _PATTERNS.some_person.fullmatch(clause.rest)
    if clause.verb != "prefer" and not kind:
        return None
    about = topic(clause.subject.words) | {"prefer"}
    return frame(clause, about, "preference", clause.rest, single=False)


def _runs_on(clause: Clause) -> Frame | None:
    runs = clause.verb == "use" and not clause.subject.is_person and _software_kind(clause.rest)
    return _used(clause, clause.subject.words, clause.rest) if runs else None


def _measured(clause: Clause) -> Frame | None:
    """Frame of an activity or state with an amount; the same one with another amount differs."""
    amounts = clause.quantities_in(clause.rest) if does_regularly(clause) else ()
    dimensions = {amount.dimension for amount in amounts}
    if len(amounts) not in {1, 2} or len(dimensions) < len(amounts):
        return None
    if not dimensions.isdisjoint(_NUMBERED):
        # A number may tell which: 'sells bread number 3', 'allows port 22'.
        counts = clause.verb in LISTS.words("numbered_verbs") and not clause.subject.is_person
        which = not counts and _PATTERNS.numbered_thing.search(clause.rest)
        if which or clause.subject.words == ADDRESSED:
            return None
    occasional = re.search(r"\ban? ", clause.rest) is not None
    occasional |= clause.subject.is_person and clause.verb not in LISTS.words("by_day")
    if occasional and dimensions & {"date", "weekday", "clock"}:
        return None
    words = clause.rest.split()
    others = [word for word in words if "⟦" not in word]
    about = topic([*clause.subject.words, clause.verb, *others, *counted_words(amounts)])
    if any(word[:1].isupper() for word in others):
        # 'Ann owes Ben' is not 'Ben owes Ann'.
        about |= {f"by {subject_text(clause)}"}
    value = " ".join(word for word in words if "⟦" in word)
    return frame(clause, about, " ".join([clause.verb, *others]), value)


def _plain(clause: Clause) -> Frame | None:
    """Frame of a verb and its object: many-valued, unless a clause says 'only'."""
    words = clause.rest.lower().split()
    few = clause.verb in known_verbs() and 0 < len(words) <= _FEW_WORDS
    if not few or words[0] == "to" or not PRONOUNS.isdisjoint(words):
        return None
    return of_subject(clause, clause.verb, clause.rest, single=False)


READERS: tuple[Reader, ...] = (
    *(*EXCLUSIVE, _versioned, _of_person, frequent, _related, _classified, _described),
    *(_preferred, _runs_on, _measured, _plain),
)


# -- relations of a pattern: its clause, attribute and match give the frame -------------


def _home(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    value = match["v"]
    if value.startswith("⟦") and clause.quantities_in(value):
        return _single(clause, "", match)
    moved = clause.verb in {"move", "stay", "relocate"}
    named = value[:1].isupper() or value.startswith(("the ", *_ARTICLES))
    told = named and (clause.subject.is_person or not moved)
    return _single(clause, attribute, match) if told else None


def _placed(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    """Frame of a location; for a person, only if the place has a name."""
    value, be = match["v"], clause.verb == "be"
    if value.startswith("⟦") and clause.quantities_in(value):
        return None
    if _PATTERNS.identifier.fullmatch(value) is None:
        nameless = clause.subject.is_person and not (be and value[:1].isupper())
        if nameless or not _PATTERNS.place_thing.match(value):
            return None
    said_how = match.groupdict().get("p") or "in"
    if said_how in {"near", "next to", "opposite", "across from"} or (
        be and value.startswith(_ARTICLES)
    ):
        return None
    if said_how == "behind" or (said_how in {"on", "at"} and re.search("[A-Z⟦]", value)):
        # A thing on a street or at an address is also in its city.
        attribute = f"{attribute} {said_how}thing"
    elif not re.search("[A-Z]", value):
        # A thing in the attic is also in its city.
        attribute = "spot"
    seat = noun(clause.subject.words[-1])
    seated = said_how == "in" and seat in LISTS.words("seats")
    return _single(clause, seat if seated else attribute, match)


def _told(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    """Frame of an attribute that the clause names: 'uses MIT license', 'set the level to debug'."""
    more = match["t"].split()
    unknown = attribute == "use kind" and noun(more[-1]) not in LEXICON.words("attributes")
    # An order is not yet carried out: compare it with other orders only.
    if unknown or (attribute in {"set", "order"} and clause.subject.words != ADDRESSED):
        return None
    return of_subject(clause, more[-1] if attribute == "use as" else match["t"], match["v"], more)


def _used_for(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    """Frame of software by its purpose, or of the database of 'Atlas stores its data in MySQL'."""
    if attribute == "use":
        return _used(clause, match["t"].split(), match["v"])
    known = _software_kind(match["v"]) == "database"
    return _used(clause, clause.subject.words, match["v"]) if known else None


def _used(clause: Clause, purpose: Sequence[str], value: str) -> Frame:
    kind = _software_kind(value.split(maxsplit=1)[0]) or "use"
    about = topic([*purpose, kind])
    ours = noun(clause.subject.words[-1].lower()) in {"i", "we", "team"}
    # 'Atlas uses Redis for storage' is about Atlas, not about the storage of other projects.
    alone = purpose[0][0].islower() and purpose[0] not in DETERMINERS
    if alone and (kind == "use" or not ours):
        about |= topic(clause.subject.words)
    return frame(clause, about, kind, value)


def _software_kind(name: str) -> str | None:
    return SOFTWARE.key_of("kinds", name.lower())


def _single(clause: Clause, attribute: str, match: Groups) -> Frame | None:
    value, groups, person = match["v"].strip(), match.groupdict(), clause.subject.is_person
    changed = attribute == "car" and clause.verb in {"switch", "change"} and not person
    if changed or (attribute == "assignee" and person):
        return None
    more = f"{groups.get('t') or ''} {groups.get('f') or ''}".split()
    if attribute == "employer":
        value = re.split(r" (?:as|in|on) ", value, maxsplit=1)[0]
    amounts = clause.quantities_in(value)
    if not (attribute or more or amounts or value.startswith("Q")):
        return None
    amounts_only = not attribute or attribute in LISTS.words("amounts_only")
    if amounts_only and not (amounts or more or _PATTERNS.place_thing.match(value)):
        return None
    counted = counted_words(amounts)
    if not (attribute or more or counted) and clause.subject.words[-1].lower() in {"i", "we"}:
        return None
    if attribute == "paid":
        clause = settled(clause)
    moneyed = not LEXICON.words("moneyed").isdisjoint(map(noun, clause.subject.words))
    money = any(amount.dimension == "money" for amount in amounts)
    if clause.verb == "be" and not attribute and money and not moneyed:
        attribute = "price"
    elif attribute == "price" and moneyed:
        # 'The rent costs $79' and 'the rent is $79' agree.
        attribute, more = "", ["", *more]
    if not attribute and _PATTERNS.house_number.match(value):
        # 'At 12 Main Street': the thing is also in a city.
        attribute = "street"
    about = topic([*clause.subject.words, *more, *attribute.split(), *counted])
    return frame(clause, about, attribute or " ".join(more) or subject_text(clause), value)


_SPECIAL: dict[str, Callable[[Clause, str, Groups], Frame | None]] = {
    "home": _home,
    "place": _placed,
    **dict.fromkeys(("use", "data store"), _used_for),
    **dict.fromkeys(("use as", "use kind", "set", "order"), _told),
}
