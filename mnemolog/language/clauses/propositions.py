"""Propositions: the statements that a text joins, each as a sentence of its own.

"Dana works at Acme and lives in Lyon" joins two. A text is split only where each part has a
verb, so that a list of nouns stays whole. A part without a subject gets that of the part before,
and one such as "due on the 1st" its "is" as well.
"""

from collections.abc import Sequence
from itertools import pairwise

from mnemolog.language.lists import regex, word_set
from mnemolog.language.sentences import sentence_texts
from mnemolog.language.words.lexicon import BE, HAVE, verb_forms

_JOINT = regex(
    r"\s*[;,]\s+(?!wh(?:o|ich|ose|ere)\b)(?:(?:and|but|while)\s+)?|\s+(?:and|but|while)\s+"
)
_FINITE = BE | HAVE | {"does", "do", "did", "can", "can't", "will", "won't", "must", "may"}
_PLURAL = frozenset({"i", "we", "they", "you"})  # Subjects of verbs without an ending
_ADVERBS = frozenset({"also", "always", "never", "now", "often", "only", "still", "usually"})
# Words that say something of a subject after "is", as "paid by transfer" does: "due on the 1st".
_PREDICATES = word_set(
    "available closed due exempt free full included open payable refundable valid worth"
)
_AFTER_PREDICATE = word_set(
    "again at daily every for from in now of on only since through till to until"
) | {""}
_PRONOUNS = word_set("he here i it she that there they this we where you")
_MOST_SUBJECT_WORDS = 8
_PHRASE = regex(
    r"\s*[,;]\s+|\s+(?=(?:after|at|before|by|every|for|from|in|near|on|since|through|till|to|under"
    r"|until|via|with|without)\b)"
)
_ASIDE = regex(
    r"\s*,\s+(?!(?:and|but|or|so|because|since|if|when|where|while|who|which|whose|as|until|though"
    r"|although|not|too|please)\b)"
)
_LISTED = regex(r"^[^\W\d]+$|\bor\b")  # One word, or a choice
# Two names, or two things with an article: words alone might be verbs.
_PAIR = regex(
    r"(?P<one>(?:an?|the) \w+|[A-Z\d][^\s,;]*) and (?P<other>(?:an?|the) \w+|[A-Z\d][^\s,;]*)"
)
_MOST_PHRASES = 5


def propositions(text: str) -> list[str]:
    """Statements joined in a text, in order; its sentences where they join nothing."""
    return [part for sentence in sentence_texts(text) for part in _joined(sentence)]


def _joined(sentence: str) -> list[str]:
    bare = sentence.rstrip(" .!")
    joints = [match.span() for match in _JOINT.finditer(bare)]
    starts, ends = [0, *(end for _, end in joints)], [*(start for start, _ in joints), len(bare)]
    parts: list[tuple[int, int, str]] = []  # Span of a part, and the subject that it lacks
    subject: list[str] = []
    copula = ""
    for start, end in zip(starts, ends, strict=True):
        first = start if parts else 0  # Nouns before the first verb are its subject
        words = bare[first:end].split()
        at = _verb_at(words, subject)
        if parts and copula and _is_predicate(words, subject):
            parts.append((first, end, " ".join([*subject, copula])))
        elif at is not None:
            lacking = set(map(str.lower, words[:at])) <= _ADVERBS
            subject = subject if lacking else words[:at]
            copula = words[at] if words[at].lower() in BE else ""
            parts.append((first, end, " ".join(subject) if lacking else ""))
        elif parts:
            begin, _, before = parts.pop()
            parts.append((begin, end, before))
    if len(parts) < 2:  # noqa: PLR2004 - nothing is joined
        return [sentence]
    return [_sentence(f"{lacking} {bare[start:end]}".strip()) for start, end, lacking in parts]


def _is_predicate(words: Sequence[str], subject: Sequence[str]) -> bool:
    """True for what says something of a subject after "is": "due on the 1st", "paid by Ana"."""
    if not words or not subject or subject[-1].lower() in _PRONOUNS:
        return False
    low, following = words[0].lower(), (words[1].lower() if len(words) > 1 else "")
    if following == "by":
        form = verb_forms().get(low)
        return low.endswith("ed") or (form is not None and form.form == "past")
    return low in _PREDICATES and following in _AFTER_PREDICATE


def with_asides(text: str) -> list[str]:
    """Statement of a sentence, and each aside behind it with its subject: "The gym: 30 a month".

    Empty if there are none, for a text of several sentences, and where an aside may be of something
    else: of who "my doctor is Dr Lee, phone 555" names, or one more of what a list names.
    """
    head, *asides = _ASIDE.split(text.strip().rstrip(" .!"))
    words = head.split()
    at = _verb_at(words, [])
    if not at or not asides or len(sentence_texts(text)) != 1:
        return []
    if (
        names_somebody(head)
        or words[at - 1].lower() in _PRONOUNS
        or any(map(_LISTED.search, asides))
    ):
        return []
    subject = " ".join(words[:at])
    return [_sentence(head), *(_sentence(f"{subject}: {aside}") for aside in asides)]


def names_somebody(sentence: str) -> bool:
    """True if a sentence says who or what something is: "My doctor is Dr Lee"."""
    words = sentence.split()
    at = _verb_at(words, [])
    following = words[at + 1 : at + 2] if at else []
    return at is not None and words[at].lower() in BE and any(one[0].isupper() for one in following)


def shorter(text: str) -> list[list[str]]:
    """Texts of a single statement with less in it, the ones that leave out least in front.

    Each group leaves out as many neighbouring phrases after the verb, and the first also one of two
    things that "and" joins: "Yoga is on Monday at nine" is that with its hour alone, or its day.
    Empty for a text of several sentences.
    """
    bare = text.strip().rstrip(" .!")
    if len(sentence_texts(text)) != 1:
        return []
    first = [
        _sentence(f"{bare[: pair.start()]}{pair[name]}{bare[pair.end() :]}")
        for pair in _PAIR.finditer(bare)
        for name in ("one", "other")
    ]
    without, *more = _without_phrases(bare) or [[]]
    return [first + without, *more]


def _without_phrases(bare: str) -> list[list[str]]:
    """Sentences without one phrase after the verb, without two neighbouring ones, and so on."""
    ends = [*(match.start() for match in _PHRASE.finditer(bare)), len(bare)]
    head, phrases = bare[: ends[0]], [bare[start:end] for start, end in pairwise(ends)]
    count = len(phrases)
    if count > _MOST_PHRASES or _verb_at(head.split(), []) is None:
        return []
    return [
        [
            _sentence("".join([head, *phrases[:at], *phrases[at + length :]]))
            for at in range(count - length + 1)
        ]
        for length in range(1, count)
    ]


def _sentence(part: str) -> str:
    return f"{part[:1].upper()}{part[1:]}."


def _verb_at(words: Sequence[str], subject: Sequence[str]) -> int | None:
    """Place of the first finite verb among a part's first words; None if there is none."""
    for at, word in enumerate(words[: _MOST_SUBJECT_WORDS + 1]):
        low = word.lower()
        if (low in _FINITE and word != "May") or low.endswith(("n't", "'m", "'re")):
            return at
        form = verb_forms().get(low)
        before = (words[:at] or subject)[-1:]
        bare = form is not None and form.form == "base" and {*map(str.lower, before)} & _PLURAL
        if word[0].islower() and (bare or (form is not None and form.form in {"s", "past"})):
            return at
    return None
