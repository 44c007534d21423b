"""Sentence splitter: the one place that decides where the sentences of a text begin and end.

A stop (`.`, `!`, `?`, an ellipsis, or several) ends a sentence together with the quotes and
brackets behind it, except in these cases:

- The full stop of an abbreviation, of an initial or of an item's number. Abbreviations that may
  also end a sentence ("p.m.", "Inc.") are judged by what follows.
- A small letter after an ellipsis, a closing quote or a closing bracket: "“Really?” she said".
  After a plain stop, a small letter begins a sentence, as it does in most chats.
- A mark inside a number, a name or an address, which no blank follows. Where the blank was
  forgotten ("in Oslo.It rains"), a word that opens sentences shows it.

A line break ends a sentence unless the line was only broken because it was full. Items of a
list, headings, table rows and lines of talk are always sentences of their own. Code between
backquotes is never split. The time is in proportion to the length of the text.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise

from mnemolog.language.lists import english, without_start

_LISTS = english("sentences")
_PATTERNS = _LISTS.patterns_by_name
_FIRST_PERSON = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b")
_IN_ADDRESS = frozenset("./@_\\")
_NO_BEGINNING = frozenset(",;:)/=+<&%|·")
_ENDINGS = (".", "!", "?", "…", ":", ";")
_LONGEST_NUMBER = 4  # characters of an item's number in letters
# Characters from which on a line counts as broken because it was full.
_FULL_LINE, _FULL_LINE_BEFORE_SMALL_LETTER = 60, 40


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences of a text, without the blanks around them."""
    return list(_sentences(text))


@lru_cache(maxsize=256)  # several readers ask for the same text, one after the other
def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    reader, cuts = _Reader(text), [0]
    for match in _PATTERNS.mark.finditer(text):
        if reader.ends_sentence(match):
            reader.sentence = match.end()
            cuts.append(reader.sentence)
    return tuple(_stripped(text, pairwise([*cuts, len(text)])))


def sentence_texts(text: str) -> list[str]:
    """The sentences of a text, as written."""
    return [text[start:end] for start, end in sentences(text)]


def main_clauses(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences of a text, split at semicolons, without these and items' numbers."""
    clauses: list[tuple[int, int]] = []
    for begin, end in sentences(text):
        number = _PATTERNS.numbered.match(text, begin, end)
        start = begin if number is None else number.end()
        marks = [mark.span() for mark in _PATTERNS.semicolon.finditer(text, start, end)]
        begins, ends = [start, *(after for _, after in marks)], [*(at for at, _ in marks), end]
        clauses += _stripped(text, zip(begins, ends, strict=True))
    return clauses


def unnumbered(sentence: str) -> str:
    """A sentence without the number that it has as an item of a list."""
    return without_start(_PATTERNS.numbered, sentence)


def _stripped(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in spans:
        piece = text[start:end]
        if bare := piece.strip():
            begin = start + len(piece) - len(piece.lstrip())
            yield begin, begin + len(bare)


class _Reader:
    """A reader on its way through a text: where the present sentence and line began."""

    def __init__(self, text: str) -> None:
        self.sentence = 0
        self._text = text
        self._line = 0
        self._open_stop = -1  # the end of the last stop that ended no sentence

    def ends_sentence(self, match: re.Match[str]) -> bool:
        """Test: True if a mark ends the present sentence."""
        match match.lastgroup:
            case "closed":
                ends = self._ends_at_stop(match)
                self._open_stop = self._open_stop if ends else match.end("closed")
            case "blank":
                ends = self._ends_at_break(match)
                self._line = match.end()
            case "code":
                ends = False
                if "\n" in match["code"]:
                    self._line = match.end()
            case group:
                ends = group == "wide"
        return ends

    def _ends_at_stop(self, match: re.Match[str]) -> bool:
        stop, end, after = match["stop"], match.end("closed"), match.end()
        first = self._text[after : after + 1]
        if first == "\n":
            found = _PATTERNS.following.match(self._text, after)
            first = found[1] if found else ""
        elif after == end:
            return self._lacks_blank(match)
        continues = first.islower() and (match["closed"] or "…" in stop or "..." in stop)
        if first in _NO_BEGINNING or continues:
            return False
        return stop != "." or not self._is_abbreviated(match.start("stop"), end, first)

    def _lacks_blank(self, match: re.Match[str]) -> bool:
        """Test: True if a sentence ends although the next one follows without a blank."""
        start, end = match.start("stop"), match.end("closed")
        if not (self._text[end : end + 1].isupper() and self._text[start - 1 : start].islower()):
            return False
        last = self._last_word(start)
        return self._opens(end) and len(last) > 1 and _IN_ADDRESS.isdisjoint(last)

    def _last_word(self, end: int) -> str:
        begin = max(self.sentence, end - 40)
        last = self._text[begin:end].rpartition(" ")[2]
        if last.isalpha():  # most are
            return last
        found = _PATTERNS.last_word_reversed.match(self._text[begin:end][::-1])
        return found[0][::-1] if found else ""

    def _is_abbreviated(self, start: int, end: int, first: str) -> bool:
        last = self._last_word(start)
        is_word = len(last) > _LONGEST_NUMBER and last.isalpha()
        if not is_word and _PATTERNS.item_number.fullmatch(self._text, self.sentence, start):
            return True
        abbreviations = _abbreviations()
        match abbreviations.get(last) or abbreviations.get(last.lower()):
            case "before_anything":
                return True
            case "before_numbers":
                return first.isdigit()
            case "before_small_letters":
                goes_on = self._next_word(end) in _LISTS.words("after_times")
                return goes_on or first.islower() or first.isdigit()
            case None if not _is_initials(last):
                return False
            case _:
                return not (first.isupper() and self._opens(end))

    def _next_word(self, place: int) -> str:
        """The word behind a stop; empty for a name with marks inside, or none."""
        word = _PATTERNS.next_word.match(self._text, place)
        return "" if word is None else word[1]

    def _opens(self, place: int) -> bool:
        return self._next_word(place).lower() in _LISTS.words("openers")

    def _ends_at_break(self, match: re.Match[str]) -> bool:
        """Test: True if the end of this line ends a sentence, and the line is not just full."""
        text, end = self._text, match.end()
        if "\n" in match["blank"] or end == len(text) or _PATTERNS.own_line.match(text, end):
            return True
        before = text[self._line : match.start("blank") - 1].rstrip()
        if before.endswith(",") or (match["blank"] and _PATTERNS.item.match(text, self.sentence)):
            return False
        if before.endswith(_ENDINGS) and self._line + len(before) != self._open_stop:
            return True
        full = _FULL_LINE_BEFORE_SMALL_LETTER if text[end].islower() else _FULL_LINE
        return len(before) < full


def _is_initials(word: str) -> bool:
    return (len(word) == 1 or "." in word) and _PATTERNS.initials.fullmatch(word) is not None


@cache
def _abbreviations() -> dict[str, str]:
    return {
        word: kind
        for kind in ("before_anything", "before_numbers", "before_small_letters", "inside_names")
        for word in _LISTS.text(kind).split()
    }


def speaks_of_self(text: str) -> bool:
    """True if somebody speaks of themselves in a text: 'I', 'my'."""
    return _FIRST_PERSON.search(text) is not None


def spoken(text: str) -> tuple[str | None, str]:
    """The speaker of a line of talk ('Anna: yes'), None where it names none, and what is said."""
    match = _PATTERNS.speaker.match(text)
    if match is None or _PATTERNS.no_speaker.match(match[1]):
        return None, text
    return match[1], text[match.end() :]
