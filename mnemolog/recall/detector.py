"""Detector of prompts that ask for something remembered, and of the layers to ask.

Rules, no model: signs in the words speak for recall or against it, and their weights add up
to log-odds. What a prompt is about does not matter, only whether it asks for what someone did,
said, has or likes, for the state of some work, or for earlier talk, rather than for general
knowledge, a task or a service's help.

A sign's weight is what it adds to the log-odds: 1 is weak, 2 plain, 3 strong and 4 nearly
decides. They are round and were chosen by what the words mean. Signs of one group say the same
in other words, so only the strongest of a group counts.
"""

import math
import re
from collections.abc import Container, Iterator, Sequence
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.lists import Lists, english, regex, word_set
from mnemolog.language.sentences import sentence_texts
from mnemolog.results import Value

# Layers that may answer, in the order in which they are asked.
Layer = Literal["identity", "palace", "scratchpad", "artifacts", "procedures", "generation"]
# Standing of a name: one that the memory knows; a given name alone; a given name before
# another name, which more often is a famous one; another word with a capital, alone.
Standing = Literal["known", "given", "full", "bare"]
# The subject of a sign; the last five speak against recall.
Group = Literal[
    "earlier talk", "the asker's doings", "the asker's own", "a person", "what was said",
    "work at hand", "private life", "a time",
    "a task", "how to", "a service", "general knowledge", "telling",
]  # fmt: skip
PRIOR = -1.5  # The log-odds of recall before any sign: most prompts ask for something else
PASSAGE = 60  # From how many words on what is told is taken for the text that is asked about
LISTS = Lists("mnemolog.recall", "detector")
_PATTERNS = LISTS.patterns_by_name
_QUOTED = regex(r'"[^"]{1,120}"|`[^`]{1,120}`')
_RUN = regex(r"\b[A-Z][\w'-]*(?: [A-Z][\w'-]*)*")
_CAPITAL = regex(r"(?<![.?!:]) (?!I\b)[A-Z]")
_WORD = regex(r"[\w'.+-]*\w")
READ = 600  # Characters of a long prompt that are read at each end: the question is there
LONGEST_NAME = 3  # Of how many words a name that the memory knows may be
_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d\u00a0\u2011", "''\"\" -")
_POSSESSED = regex(r"\b(?:my|the|a) ([\w'-]+(?: [\w'-]+)?)")
_OF_SOMETHING = regex(r"\S+ of\b.*")
_OF_PEOPLE = frozenset(("the asker's own", "the asker's doings", "a person", "private life"))
_OF_WORK = frozenset(("work at hand", "earlier talk", "what was said"))


class Detection(Value, frozen=True):
    """Detection of what a prompt asks for; `reasons` are the signs, the heaviest first.

    `confidence` is the chance, in [0, 1], that it asks for something remembered: the logistic
    of the prior and the weights of all signs. `recall` says whether it is over one half.
    `layers` are those worth asking, in their order; none for a prompt that is not recall.
    """

    recall: bool
    confidence: float
    layers: tuple[Layer, ...] = ()
    reasons: tuple[str, ...] = ()


class Sign(msgspec.Struct, frozen=True):
    """A sign, what it adds to the log-odds of recall, and the words that gave it."""

    group: Group
    weight: float
    words: str


class SignPhrase(msgspec.Struct, frozen=True):
    """Words that are a sign together; needs a word of `needs`, if any."""

    group: Group
    part: Literal["whole", "asked"]
    weight: float
    needs: str = ""


class PromptName(msgspec.Struct, frozen=True):
    """Name in a prompt, the words around it in small letters, and whether it has an 's."""

    words: str
    standing: Standing
    before: str = ""
    after: str = ""
    possessive: bool = False


class Wording(msgspec.Struct, frozen=True):
    """Wording of a prompt's ends, without quoted words.

    `whole` has straight quotes, single spaces and no capitals. `asked` are its sentences that ask
    or are too short to tell anything, `told` the others. `capitals` says if a word inside has one.
    """

    whole: str
    asked: str
    told: str
    words: frozenset[str]
    names: tuple[PromptName, ...]
    capitals: bool


@cache
def _phrases() -> tuple[tuple[SignPhrase, frozenset[str], re.Pattern[str]], ...]:
    rows = LISTS.rows("phrases", SignPhrase)
    return tuple((phrase, word_set(phrase.needs), pattern) for phrase, pattern in rows)


def detect(prompt: str, known: Container[str] = frozenset()) -> Detection:
    """Detection of a prompt that asks for something remembered.

    `known` holds names of people and projects that the memory knows, case-folded. English only:
    a prompt in another language is none, unless a known name is in it.
    """
    worded = wording(prompt, known)
    strongest: dict[Group, Sign] = {}
    for sign in _signs(worded):
        if abs(sign.weight) > abs(strongest.setdefault(sign.group, sign).weight):
            strongest[sign.group] = sign
    found = sorted(strongest.values(), key=lambda sign: -abs(sign.weight))
    log_odds = PRIOR + sum(sign.weight for sign in found)
    layers = _layers(worded.words, found) if log_odds > 0 else ()
    reasons = tuple(f"{sign.weight:+g} {sign.group}: {sign.words}" for sign in found)
    return Detection(log_odds > 0, 1 / (1 + math.exp(-log_odds)), layers, reasons)


def _layers(said: frozenset[str], found: Sequence[Sign]) -> tuple[Layer, ...]:
    groups = {sign.group for sign in found if sign.weight > 0}
    layers: list[Layer] = ["palace"]
    if said.isdisjoint(LISTS.words("long_ago")) or "this" in said:
        layers.append("scratchpad")  # which holds a day at most
    if groups & _OF_WORK or not groups & _OF_PEOPLE or said & LISTS.words("work_words"):
        layers.append("artifacts")
    if said & LISTS.words("ways"):
        layers.append("procedures")
    return tuple(layers)


def _signs(prompt: Wording) -> Iterator[Sign]:
    for phrase, needs, pattern in _phrases():
        if needs and needs.isdisjoint(prompt.words):
            continue
        if found := pattern.search(prompt.whole if phrase.part == "whole" else prompt.asked):
            yield Sign(phrase.group, phrase.weight, found[0].strip())
    for name in prompt.names:
        if weight := _weight_of_name(name):
            yield Sign("a person", weight, name.words)
    for signs in (_of_life, _of_work, _of_service_and_world, _of_tasks):
        yield from signs(prompt)


def _weight_of_name(name: PromptName) -> float:
    does = name.before in LISTS.words("before_one_who_does")
    is_one = name.before in LISTS.words("before_one_who_is")
    has = name.possessive or is_one or name.after in LISTS.words("after_one_who_does")
    match name.standing:
        case "known":
            return 4.0
        case "given":
            return 3.5 if has or does else 2.5
        case "full":
            return 0.5
        case "bare":
            return 2.0 if does else 1.0 if has else 0.0


def _of_life(prompt: Wording) -> Iterator[Sign]:
    if people := prompt.words & LISTS.words("people_of_ones_own"):
        owned = prompt.words & LISTS.words("owners")
        yield Sign("private life", 1.5 if owned else 1.0, min(people))
    someone = next((name for name in prompt.names if name.standing != "full"), None)
    if someone and prompt.words & LISTS.words("of_someone"):
        yield Sign("private life", 1.5, someone.words)
    if home := _PATTERNS.at_home.search(prompt.asked):
        yield Sign("private life", 2.0, home[0])
    relatives = prompt.words & LISTS.words("parents_by_name")
    if relatives and _PATTERNS.relative.search(prompt.asked):
        yield Sign("private life", 2.5, min(relatives))
    if life := prompt.words & LISTS.words("private_life"):
        yield Sign("private life", 1.0, min(life))


def _of_work(prompt: Wording) -> Iterator[Sign]:
    # The words that follow 'the', 'our' and the like, but for 'the … of' something.
    definite = _PATTERNS.definite.findall(prompt.asked)
    named = word_set(" ".join(_OF_SOMETHING.sub("", found) for found in definite))
    if shared := named & (LISTS.words("shared_work") | LISTS.words("roles")):
        yield Sign("work at hand", 3.0 if len(shared) > 1 else 2.0, " ".join(sorted(shared)))
    thing = _PATTERNS.thing_meant.search(prompt.asked)
    if thing and not prompt.capitals:
        # Whose thing it is goes without saying; general knowledge would name it.
        yield Sign("work at hand", 2.0, thing[0])
    said = prompt.words & LISTS.words("saying")
    if said and _PATTERNS.of_another.search(prompt.asked):
        yield Sign("what was said", 2.0, min(said))


def _of_service_and_world(prompt: Wording) -> Iterator[Sign]:
    service, own = prompt.words & LISTS.words("service"), prompt.words & LISTS.words("asker")
    of_others = any(name.standing in {"known", "given"} for name in prompt.names)
    if service and (own or not of_others):
        possessed = word_set(" ".join(_POSSESSED.findall(prompt.whole)))
        has_one = possessed & LISTS.words("service")
        yield Sign("a service", -3.0 if has_one else -2.0, min(service))
    if world := prompt.words & LISTS.words("world"):
        # Who asks of their own asks of no general knowledge, whatever its subject.
        yield Sign("general knowledge", -0.5 if own else -1.5, min(world))


def _of_tasks(prompt: Wording) -> Iterator[Sign]:
    verb, told = opening_verb(prompt.whole), prompt.told
    if verb in {"suggest", "recommend"}:
        # Advice may rest on what is remembered of the asker, if they speak of themselves.
        yield Sign("a task", -2.0, verb)
    elif verb in LISTS.words("making"):
        yield Sign("a task", -4.0, verb)
    elif verb in LISTS.words("fetching"):
        yield Sign("a task", -1.0, verb)
    counts = "how" in prompt.words and len(_PATTERNS.number.findall(told)) > 1
    if not prompt.asked:
        yield Sign("telling", -3.0, "nothing is asked")
    elif told.count(" ") >= PASSAGE:
        yield Sign("telling", -4.0, "a passage and a question")
    elif told and (counts or any(name.words.lower() in told for name in prompt.names)):
        yield Sign("telling", -5.0, "what is asked about is told")
    elif told:
        yield Sign("telling", -1.5, "a question after news")


def wording(prompt: str, known: Container[str]) -> Wording:
    """A prompt's wording; `known` are names that the memory knows, case-folded."""
    if len(prompt) > 2 * READ:
        prompt = f"{prompt[:READ]}\n{prompt[-READ:]}"
    # What stands in double quotes or backquotes is a title or an example, not the asker's words.
    # The country, too, would be read as 'us' without its capitals.
    text = _QUOTED.sub(" ", prompt.translate(_STRAIGHT)).replace(" US ", " U.S. ")
    text = " ".join(text.split())
    asked, told = list[str](), list[str]()
    for sentence in map(str.lower, sentence_texts(text)):
        asks = _PATTERNS.asks.search(sentence) or (
            _PATTERNS.fragment.search(sentence)
            and opening_verb(sentence) not in LISTS.words("making")
        )
        (asked if asks else told).append(sentence)
    spoken = _WORD.findall(text.lower())
    words = frozenset([*spoken, *(word.removesuffix("'s") for word in spoken)])
    names = (*_capital_names(text), *_known_names(text, known))
    capitals = _CAPITAL.search(text) is not None
    return Wording(text.lower(), " ".join(asked), " ".join(told), words, names, capitals)


def opening_verb(sentence: str) -> str:
    """The word that a request begins with, past what is said for politeness."""
    words = (word.strip(",.!:") for word in sentence.split())
    return next((word for word in words if word not in LISTS.words("polite")), "")


def _known_names(text: str, known: Container[str]) -> Iterator[PromptName]:
    if not known:
        return
    bare_words, also_names = LISTS.words("function_words"), LISTS.words("also_names")
    # With its capital, Will is a name.
    capital_names = {name.capitalize() for name in also_names}
    spoken = [word.removesuffix("'s") for word in _WORD.findall(text)]
    bare = [word.lower() in bare_words and word not in capital_names for word in spoken]
    runs = (
        " ".join(spoken[first : last + 1])
        for first, opens in enumerate(bare)
        for last in range(first, min(first + LONGEST_NAME, len(spoken)))
        if not (opens or bare[last])
    )
    for said in dict.fromkeys(runs):
        if said not in also_names and said.casefold() in known:
            yield PromptName(said, "known")


def _capital_names(text: str) -> Iterator[PromptName]:
    if text.isupper():
        return
    given_names = english("given_names").words("given_names")
    for found in _RUN.finditer(text):
        run, left, right = found[0].split(), text[: found.start()], text[found.end() :]
        before = left.rsplit(None, 1)[-1].lower() if left.strip() else ""
        after = right.split(None, 1)[0].lower() if right.strip() else ""
        if before[-1:] in {"", *".?!:"} and run[0].lower().removesuffix("'s") not in given_names:
            # A sentence's first word has its capital from there.
            before = run.pop(0).lower()
        # Whose something is stands at the end of a name: "Kevin's New Year" is Kevin's.
        owner = next((n for n, word in enumerate(run) if word.endswith(("'s", "s'"))), None)
        if owner is not None:
            run, after = run[: owner + 1], ""
        standing = _standing(run, before, after) if run else None
        if standing is not None:
            name = " ".join(run).removesuffix("'s").removesuffix("'")
            yield PromptName(name, standing, before, after, possessive=owner is not None)


def _standing(run: list[str], before: str, after: str) -> Standing | None:
    """Standing of words with capitals, between the words around them; None if they are no name."""
    first = run[0].lower()
    name = " ".join(run).removesuffix("'s").removesuffix("'")
    if first in LISTS.words("no_name") or (name.isupper() and len(name) > 1):
        return None
    if first.removesuffix("'s") in english("given_names").words("given_names"):
        if before == "the":
            return None
        return "given" if len(run) == 1 and after != "the" else "full"
    thing = before in LISTS.words("of_a_thing") or name.lower() in LISTS.words("places")
    return "bare" if len(run) == 1 and not thing else None
