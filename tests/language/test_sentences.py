"""Sentences: where they begin and end, in letters, chats, notes, code and hostile texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.sentences import main_clauses, sentence_texts, sentences, unnumbered

SPLIT = "¦"
"""Where a reader sees the end of a sentence."""

LETTERS = [
    "Dr. Smith came at 3.14 p.m. today.¦ Then he left!",
    "It costs 3.50, e.g. for tea.¦ See v1.2.3 or a/b.py for more.",
    "“Really?” she said.¦ Yes.",
    "今日は雨です。¦明日は晴れです。",
    "no end",
    "Dear Ms. Okafor,\nThank you for the quote dated Mar. 3.¦ We accept it.",
    "Prof. Lindqvist retires in Sept.¦ Her successor is Dr. A. B. Rao.",
    "Our office is at 14 Elm St. near the river.¦ Ring twice!",
    "The parcel weighs approx. 2.5 kg.¦ It left Graz at 6 a.m. yesterday.",
    "Vol. 3 is missing.¦ Pp. 20-25 are torn, cf. the list in App. B of the report.",
    "He works for Brandt & Sons Ltd. in Hull.¦ She left Kite Inc.¦ They both liked it.",
    "“Is it ready?” he asked.¦ “Not yet!” came the answer.¦ Nobody spoke.",
    "(I checked twice.)¦ The total is $1,204.50 [see note 2].¦ Done.",
    "She holds a Ph.D. in botany.¦ The U.N. praised her work.",
    "We flew to Washington D.C. and back.¦ Mr. and Mrs. Hall paid.",
    "Call me at 5 p.m. EST or at 9 a.m. Friday.¦ She has an M.Sc. from Yale Univ. in York.",
    "We use Node.js, e.g. v18.2.1, and ASP.NET.¦ Order no. 4471 was refunded.",
    "Is John Jr. coming?¦ I doubt it.",
    "The score was 3 vs. 4.¦ No. 7 scored.¦ Was it fair?¦ No.¦ It never is.",
    "Their motto: “Think.¦ Act.”¦ I like that.",
    "My address:¦\nMarta Sole,\nCarrer Nou 8,\nGirona",
]
CHATS = [
    "ok sounds good.¦ see you at 8?¦ bring snacks!!!¦ lol",
    "hmm... not sure.¦ maybe tomorrow",
    "i got the job!!¦ starting monday.¦ so happy :)",
    "Wait... what?!¦ You moved to Perth?¦ When?",
    "dogs in prams..¦ discuss",
    "no way.¦ my cat is called Rex too.¦ he's 3",
    "Lena: I can't come.¦ Sorry!¦\nTomas: No worries.¦ Next time",
    "we are vegetarians.¦We don't eat fish either",
    "thanks for the lift…¦ I owe you one",
    "I'm in Leeds¦\nmy sister is in York",
]
NOTES = [
    "Steps:¦\n1. Open it¦\n2. Close it¦\n\nDone",
    "# Release plan¦\n- freeze on 3 June¦\n- tag v2.4.1.¦ Then tell Ana¦\n\nOwner: Priya",
    "1. Boil water.¦\n2. Add 200 g of pasta¦\n3) Drain",
    "Ports:¦\napi: 8080¦\nweb: 3000",
    "| name | port |¦\n| --- | --- |¦\n| api | 80 |",
    "> Use tabs.¦ Never spaces.¦\n\nThat is what the guide says.",
    "**Decision.**¦ We use Go.¦ *Reason:* speed.",
    "Deploys go through the gateway in Trier, the only way to reach our\nVault.¦ Ask Noor first.",
    "- [ ] ring the bank about a card that was lost on the way\n  to the airport¦\n- [x] pay rent",
    "Allergies:¦\npeanuts¦\nshellfish¦\n\nBlood type: A",
    "Task: fix utils.py.¦ It fails with `a. B` inside.¦ See https://ex.org/a.html?b=C.¦ Ok?",
]
CODE = [
    "```\na. B. c\n```¦\nOver.¦ Out",
    "Run this:¦\n```\nmake. all\n./go\n\nls\n```¦\nThen wait.¦ It takes 5 min. or so.",
    "Set `retry.max. X` to 3.¦ Use os.path.join, not `+`.",
    "There are 10! / (3! · 7!) = 120 ways.¦ Order does not matter.",
    "Version 1.10.2 broke foo.Bar().¦ Pin 1.9.¦ Mail a.b@c.de to ask.",
]


def _unmarked(marked: str) -> tuple[str, list[str]]:
    return marked.replace(SPLIT, ""), [part.strip() for part in marked.split(SPLIT)]


@pytest.mark.parametrize("marked", [*LETTERS, *CHATS, *NOTES, *CODE])
def test_sentences_end_where_a_reader_sees_it(marked: str) -> None:
    """Abbreviations, numbers, quotes, lists, wrapped lines and code are split as people read."""
    text, expected = _unmarked(marked)
    assert sentence_texts(text) == expected


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ann sings; Ben plays; both travel.", 3),
        ("Use a;b and `x; y`.", 2),
        ("No semicolon. Two sentences", 2),
    ],
)
def test_main_clauses_end_at_semicolons_too(text: str, parts: int) -> None:
    """Sentences are split again where a semicolon and a blank stand."""
    assert len(main_clauses(text)) == parts


def test_numbers_of_items_are_shown_but_not_read() -> None:
    """A sentence keeps its item's number, a clause and what `unnumbered` gives do not."""
    text = "1. Open it; read it\n12) Close it"
    assert sentence_texts(text) == ["1. Open it; read it", "12) Close it"]
    assert [text[a:b] for a, b in main_clauses(text)] == ["Open it", "read it", "Close it"]
    assert unnumbered("12) Close it") == "Close it"
    assert unnumbered("12 eggs") == "12 eggs"


@given(st.lists(st.sampled_from([*"aA1 .!?…\"')(*`;:,-\n。", "Dr.", "```", "It "])).map("".join))
def test_spans_cover_all_but_blanks(text: str) -> None:
    """In any text, spans lie apart and in order, and leave out nothing but blanks."""
    spans = sentences(text)
    assert all(start < end for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert all(text[a:b] == text[a:b].strip() for a, b in spans)


@given(st.lists(st.sampled_from([*"aA1 .!?…\"')*`;:,-", "Dr. ", "He ", "p.m. "])).map("".join))
def test_a_sentence_of_one_line_stays_one(text: str) -> None:
    """Split again on its own, a sentence of a text without line breaks is one sentence."""
    for sentence in sentence_texts(text):
        assert sentence_texts(sentence) == [sentence]


@pytest.mark.parametrize(
    "piece",
    [
        "a. A. ",
        ".",
        "?!\"' ",
        "\n",
        "```\n",
        "`a",
        "你好。",
        "x,\n  ",
        "e.g. ",
        "1. ",
        ".A",
        "Ab: ",
    ],
)
def test_a_megabyte_of_one_piece_is_split(piece: str) -> None:
    """Time is in proportion to the length, whatever a text repeats."""
    text = piece * (2**20 // len(piece))
    assert sum(end - start for start, end in sentences(text)) <= len(text)
