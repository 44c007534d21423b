"""Sentences about a stored statement as such: they take it back, ask about it, or confirm it.

"Forget that …" and "the note that … is wrong" make the statement untrue; "is it true that …?",
"it is still true that …" and "should we delete the note that …?" do not. The statements are those
of stores that were written one by one, so that only the sentence around them is made.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from benchmarks.judging import Change
from mnemolog.language.lists import word_set

_WRITER = 0  # Of what is made from templates
_LONGEST = 18  # Words of a statement
_TAKEN_BACK = 0.62
_BACK = """
Forget that {}.
Please forget that {}.
Forget what I said about this: {}.
The note that {} is wrong.
The record that {} is wrong.
Your note saying that {} is out of date.
It is no longer true that {}.
It isn't true any more that {}.
That {} no longer holds.
The entry saying {} can go.
Disregard the note that {}.
Please disregard: {}.
Scratch the bit about this: {}.
I was mistaken when I said that {}.
I was wrong, it's not the case that {}.
It's not true that {}.
The statement that {} is no longer correct.
The claim that {} is false.
You can delete the note that {}.
Take back what I told you, namely that {}.
Whoever told you that {} got it wrong.
You have on file that {}. That's outdated.
You noted that {}. That's wrong.
Strike this: {}.
I never should have said that {}; it isn't so.
That {} was a misunderstanding.
What you remember, that {}, is not right.
Remove this, it's stale: {}.
It turned out not to be true that {}.
The memory that {} needs to go, it's wrong.
The information that {} does not apply any longer.
Correction: it is not the case that {}.
""".strip().splitlines()
_STAY = """
Is it true that {}?
Do you remember that {}?
Did I tell you that {}?
It is still true that {}.
Yes, {}, that's right.
The note that {} is correct.
The record that {} is not wrong.
I don't think the note that {} is wrong.
Don't forget that {}.
Remember that {}.
Just to confirm: {}.
What if it were no longer true that {}?
Someone asked me whether {}.
Should we delete the note that {}?
I'd hate it if it turned out not to be true that {}.
Please keep the note that {}.
I was right when I said that {}.
""".strip().splitlines()
# Words that have a capital for no other reason than that a sentence begins with them.
_OPENING = word_set(
    "the a an our my your his her their its this that these those there it he she we they you on"
    " in at for every each all both no"
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")


def about_records(changes: Sequence[Change], chance: random.Random) -> Iterator[Change]:
    """For each store with a short statement, one sentence about it."""
    for one in changes:
        short = [place for place, text in enumerate(one.memories) if _is_short(text)]
        if not short:
            continue
        place, back = chance.choice(short), chance.random() < _TAKEN_BACK
        said = _inside(one.memories[place].rstrip(" .!"), _NAME.findall(". ".join(one.memories)))
        sentence = chance.choice(_BACK if back else _STAY).format(said)
        yield Change(
            one.memories, sentence[0].upper() + sentence[1:], place if back else None, _WRITER
        )


def _is_short(text: str) -> bool:
    plain = not text.endswith("?") and ";" not in text and ". " not in text.rstrip(".")
    return plain and len(text.split()) <= _LONGEST


def _inside(text: str, names: Sequence[str]) -> str:
    """Statement as a part of a sentence: without its capital, if its first word is no name."""
    first = text.split(maxsplit=1)[0]
    return text[0].lower() + text[1:] if first.lower() in _OPENING and first not in names else text
